//! From text to terms, the same on the build side and the query side.
//!
//! UAX #29 words; case, width and diacritics folded; identifiers whole *and* split (`CreateFileW` gives `createfilew`,
//! `create`, `file`, `w`); Han, hiragana and Hangul as overlapping bigrams, katakana as words with theirs. No stemming
//! here: stems live in the dictionary.

pub mod budget;
mod excerpt;
mod names;
mod normalize;
mod scripts;
pub mod stop_words;

pub use crate::text::excerpt::{Excerpted, Hit, bytes_of, excerpt, sentences};
pub use names::{
    has_signs, is_name, is_pin, is_sign, marked_term, name_term, operator_of, path_end, pin_term,
    places, sign_in, signs_behind,
};
#[cfg(feature = "index")]
pub use normalize::composed;
use normalize::{digit, plain};
pub use normalize::{is_settled, lower, normalize, push_lower, quick};
#[cfg(feature = "index")]
pub use scripts::{bare, is_kana_pair, is_katakana_word, length};
use scripts::{cut_article, is_arabic, is_katakana, katakana_word, span_of};

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// Longer words are not language: hashes, encoded data. They are left out on both sides.
pub const MAX_TERM_BYTES: usize = 64;

/// Ways in which a term comes out of its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// An ordinary word: stemmed by the dictionary.
    Word,
    /// An identifier as a whole, separators removed: `foo_bar` and `fooBar` are both `foobar`. Never stemmed.
    Whole,
    /// A piece of the identifier or of the word of katakana before it.
    Part,
    /// A bigram, or a single character standing alone, of a script written without spaces.
    Gram,
}

/// A term with the bytes of the source that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Folded term.
    pub term: String,
    /// Half-open byte range in the source text.
    pub span: (u32, u32),
    /// Origin of the term.
    pub kind: TermKind,
}

/// Cuts `text` into terms in reading order. O(text).
pub fn tokenize(text: &str, mut emit: impl FnMut(Token)) {
    cut(text, &mut emit);
}

/// [`tokenize`], compiled once.
fn cut(text: &str, emit: &mut dyn FnMut(Token)) {
    let mut run: Vec<(usize, char)> = Vec::new();
    for (start, word) in pieces(text) {
        // The words of UAX #29 are the pieces with a letter or a digit. The crate's own filter brings a second copy of
        // the standard library's tables.
        if !word.contains(|c| quick(c).is_some() || c.is_alphanumeric()) {
            continue;
        }
        // UAX #29 keeps Hangul and Latin letters together: "props를" is a name and a particle.
        let mut at = start;
        while let Some(unspaced) = text[at..start + word.len()].chars().next().map(is_unspaced) {
            let rest = &text[at..start + word.len()];
            let piece = match rest.find(|c| is_unspaced(c) != unspaced && !is_mark(c)) {
                Some(end) => &rest[..end],
                None => rest,
            };
            let last = run.last().map(|&(at, c): &(usize, char)| at + c.len_utf8());
            if !run.is_empty() && (last != Some(at) || !unspaced) {
                flush_run(&run, emit);
                run.clear();
            }
            // One letter behind a word of another script is a particle.
            let is_particle = at > start && piece.chars().nth(1).is_none();
            if unspaced && !is_particle {
                run.extend(piece.char_indices().map(|(i, c)| (at + i, c)));
            } else if !unspaced && !piece.chars().all(is_jamo) {
                word_terms(text, at, piece, emit);
            }
            at += piece.len();
        }
    }
    flush_run(&run, emit);
}

/// The pieces between the boundaries of UAX #29, each with where it begins.
#[cfg(not(feature = "index"))]
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_word_bound_indices()
}

/// The pieces between the boundaries of UAX #29, each with where it begins; of lines in ASCII only the words, which the
/// crate finds there without its tables. The end of a line is a boundary whatever stands beside it.
#[cfg(feature = "index")]
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let start = end;
        end += line.len();
        let (words, pieces) = match line.is_ascii() {
            true => (Some(line.unicode_word_indices()), None),
            false => (None, Some(line.split_word_bound_indices())),
        };
        let found = words.into_iter().flatten();
        let found = found.chain(pieces.into_iter().flatten());
        found.map(move |(at, piece)| (start + at, piece))
    })
}

/// The letters that an unfinished syllable of Hangul is typed as.
fn is_jamo(c: char) -> bool {
    matches!(c, '\u{3131}'..='\u{318e}')
}

/// Characters of scripts written without spaces between words (or agglutinating, as Hangul).
pub fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{323af}'
        | '\u{0e00}'..='\u{0e7f}' | '\u{0e80}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '々' | '〇')
}

/// True for a bigram or character of an unspaced script.
pub fn is_gram(term: &str) -> bool {
    term.chars().next().is_some_and(is_unspaced)
}

/// Signs of unspaced scripts that stand on the letter before: vowels and tones of Thai and Lao, vowels of Burmese and
/// Khmer, the voicing of narrow kana.
fn is_upon(c: char) -> bool {
    matches!(c,
        '\u{e31}' | '\u{e33}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb1}' | '\u{eb3}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
        | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}' | '\u{ff9e}' | '\u{ff9f}' | '\u{3099}' | '\u{309a}')
}

/// Pairs of neighbouring letters, each with what stands upon it, and words of katakana before theirs.
fn flush_run(run: &[(usize, char)], emit: &mut dyn FnMut(Token)) {
    let gram = |pair: &[(usize, char)], kind, emit: &mut dyn FnMut(Token)| {
        let raw: String = pair.iter().map(|p| hiragana(p.1)).collect();
        let term = match normalize(&raw) {
            Cow::Borrowed(_) => raw,
            Cow::Owned(term) => term.chars().map(hiragana).collect(),
        };
        emit(Token {
            term,
            span: span_of(pair),
            kind,
        });
    };
    // Where the letter before the last one begins, and the last one; the end of the last word of katakana.
    let (mut before, mut last, mut word_end) = (0, 0, 0);
    for end in 1..=run.len() {
        if run.get(end).is_some_and(|&(_, c)| is_upon(c)) {
            continue;
        }
        if last > 0 || end == run.len() {
            if before >= word_end && is_katakana(run[before].1) {
                word_end = katakana_word(run, before, emit);
            }
            let kind = if end <= word_end {
                TermKind::Part
            } else {
                TermKind::Gram
            };
            gram(&run[before..end], kind, emit);
        }
        (before, last) = (last, end);
    }
}

/// The hiragana of a katakana: what an input method shows first of a word that is then written in katakana.
pub fn hiragana(c: char) -> char {
    match c {
        '\u{30a1}'..='\u{30f6}' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
        _ => c,
    }
}

fn word_terms(text: &str, start: usize, word: &str, emit: &mut dyn FnMut(Token)) {
    let (before, word) = without_article(word);
    let start = start + before;
    let (word, suffix) = with_sign(text, start, word);
    let end = start + word.len() + suffix.len();
    let span = (start as u32, end as u32);
    let parts = split_identifier(word);
    let mut whole = String::with_capacity(word.len() + suffix.len());
    let numeric = word.chars().all(|c| c.is_numeric() || c == '.' || c == ',');
    for (i, &(from, to)) in parts.iter().enumerate() {
        if i > 0 && numeric {
            whole.push('.');
        }
        push_folded(&mut whole, &word[from..to]);
    }
    let compound = parts.len() > 1 && !numeric;
    let sign = !suffix.is_empty();
    whole.push_str(suffix);
    if whole.is_empty() {
        return;
    }
    if is_arabic(&whole) {
        cut_article(&mut whole);
    }
    let kind = if compound || sign {
        TermKind::Whole
    } else {
        TermKind::Word
    };
    if whole.len() <= MAX_TERM_BYTES {
        emit(Token {
            term: whole,
            span,
            kind,
        });
    }
    if compound || sign {
        for (from, to) in parts {
            let mut term = String::with_capacity(to - from);
            push_folded(&mut term, &word[from..to]);
            if !term.is_empty() && term.len() <= MAX_TERM_BYTES {
                let span = ((start + from) as u32, (start + to) as u32);
                emit(Token {
                    term,
                    span,
                    kind: TermKind::Part,
                });
            }
        }
    }
}

/// Names such as C++, C#, F#: the sign is part of a short word.
fn with_sign<'t>(text: &'t str, start: usize, word: &'t str) -> (&'t str, &'t str) {
    let rest = &text[start + word.len()..];
    let sign = ["++", "#"].into_iter().find(|sign| rest.starts_with(sign));
    match sign {
        Some(sign) if word.len() <= 2 && word.chars().all(char::is_alphabetic) => {
            (word, &rest[..sign.len()])
        }
        _ => (word, ""),
    }
}

/// A word as a term is written.
#[cfg(feature = "index")]
pub fn folded(word: &str) -> String {
    let mut out = String::new();
    push_folded(&mut out, word);
    out
}

fn push_folded(out: &mut String, piece: &str) {
    let start = out.len();
    for c in piece.chars() {
        match quick(c) {
            Some('\0') => {}
            Some(letter) => out.push(letter),
            None => {
                out.truncate(start);
                return push_folded_by_tables(out, piece);
            }
        }
    }
}

#[inline(never)]
fn push_folded_by_tables(out: &mut String, piece: &str) {
    let mut text = normalize(piece).into_owned();
    text.retain(char::is_alphanumeric);
    for c in lower(&text).chars() {
        match (plain(c), digit(c)) {
            (Some(letters), _) => out.push_str(letters),
            (None, digit) => out.push(digit),
        }
    }
}

/// Byte ranges of the pieces of an identifier: cut at separators, `aB`, and before the last capital of `ABCd`.
fn split_identifier(word: &str) -> Vec<(usize, usize)> {
    let word = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix("’s"))
        .unwrap_or(word);
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut before = ' ';
    let mut close = |from: usize, to: usize| {
        if from < to {
            pieces.push((from, to));
        }
    };
    let mut chars = word.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_mark(c) && !is_apostrophe(c) && !c.is_alphanumeric() {
            close(from, at);
            from = at + c.len_utf8();
        } else if c.is_uppercase() && from < at {
            let is_lower = |next: &(usize, char)| next.1.is_lowercase();
            let hump = before.is_lowercase();
            let acronym_end = before.is_uppercase() && chars.peek().is_some_and(is_lower);
            if hump || acronym_end {
                close(from, at);
                from = at;
            }
        }
        before = c;
    }
    close(from, word.len());
    pieces
}

/// The terms of a text without the parts of compound ones, in their order.
pub fn whole_terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    tokenize(text, |t| {
        if t.kind != TermKind::Part {
            terms.push(t.term);
        }
    });
    terms
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '＇')
}

/// Signs in a word that are no letters and divide nothing: accents apart from their letter, vowel signs and joiners. All
/// that divides a word of UAX #29 lies below or above, but for one sign of Greek.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{386}' | '\u{388}'..='\u{1fff}' | '\u{200c}' | '\u{200d}')
}

/// Articles and pronouns that lose their vowel before another, in French, Italian and Catalan.
const ELIDED: &str = "l d j m n s t c v qu un all dell nell dall sull coll quell bell degl gl jusqu lorsqu puisqu quoiqu";

/// A word behind the article that an apostrophe ties to it (`l’option`, `dell'utente`), and the bytes before.
fn without_article(word: &str) -> (usize, &str) {
    let Some((at, sign)) = word.char_indices().find(|&(_, c)| is_apostrophe(c)) else {
        return (0, word);
    };
    let (article, rest) = (&word[..at], &word[at + sign.len_utf8()..]);
    let is_article = ELIDED
        .split(' ')
        .any(|known| known.eq_ignore_ascii_case(article));
    match is_article && rest.chars().nth(1).is_some() {
        true => (word.len() - rest.len(), rest),
        false => (0, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms of a text, in their order.
    pub(super) fn terms(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        tokenize(text, |t| out.push(t.term));
        out
    }

    #[test]
    fn words_are_those_of_the_crate() {
        let every = (0..=0x10_ffff).filter_map(char::from_u32);
        let mut buffer = [0; 4];
        for c in every {
            let alone: &str = c.encode_utf8(&mut buffer);
            let is_word = alone.unicode_words().next().is_some();
            assert_eq!(is_word, c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    #[cfg(feature = "index")]
    fn pieces_are_those_of_the_whole_text() {
        let signs: Vec<char> = "aB1_'.:,;-\"+# \t\r\n\u{301}é’ש한あ\u{200d}🇩\u{85}\u{2028}"
            .chars()
            .collect();
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let text: String = (0..12)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    signs[(seed >> 33) as usize % signs.len()]
                })
                .collect();
            let is_word = |piece: &(usize, &str)| piece.1.contains(char::is_alphanumeric);
            let found: Vec<_> = pieces(&text).filter(is_word).collect();
            let all: Vec<_> = text.split_word_bound_indices().filter(is_word).collect();
            assert_eq!(found, all, "{text:?}");
        }
    }

    #[test]
    fn letters_are_folded_without_tables_as_with_them() {
        let by_tables = |text: &str| {
            let mut out = String::new();
            push_folded_by_tables(&mut out, text);
            out
        };
        let every = (0..=0x10_ffff).filter_map(char::from_u32);
        let known: Vec<char> = every.filter(|&c| quick(c).is_some()).collect();
        assert!(known.len() > 700, "{}", known.len());
        let mut seed = 1_u64;
        for &c in &known {
            let found = quick(c).filter(|&c| c != '\0').map(String::from);
            assert_eq!(
                found.unwrap_or_default(),
                by_tables(&c.to_string()),
                "{c:?}"
            );
            let mut text = String::from(c);
            for _ in 0..5 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push(known[(seed >> 33) as usize % known.len()]);
            }
            let mut out = String::new();
            push_folded(&mut out, &text);
            assert_eq!(out, by_tables(&text), "{text:?}");
        }
    }

    #[test]
    fn words_fold_case_and_diacritics() {
        assert_eq!(
            terms("The Café's naïve résumés"),
            ["the", "cafe", "naive", "resumes"]
        );
        assert_eq!(terms("don’t DON'T"), ["dont", "dont"]);
        assert_eq!(terms("ΟΔΟΣ"), ["οδοσ"]);
        assert_eq!(terms("e\u{301}tude"), ["etude"]);
    }

    #[test]
    fn words_are_found_as_other_keyboards_write_them() {
        for (one, other) in [
            ("Straße", "strasse"),
            ("cœur", "COEUR"),
            ("usługa", "usluga"),
            ("Øvelse", "ovelse"),
            ("Đường", "duong"),
            ("ışık", "isik"),
            ("ΟΔΟΣ", "οδος"),
            ("مُحَمَّد", "محمد"),
            ("أسماء", "اسماء"),
            ("مكتبة", "مكتبه"),
            ("می‌شود", "میشود"),
            ("کتاب", "كتاب"),
        ] {
            assert_eq!(terms(one), terms(other), "{one}");
        }
        assert_eq!(terms("שָׁלוֹם"), ["שלום"]);
    }

    #[test]
    fn vowel_signs_divide_no_word() {
        assert_eq!(terms("प्रयोग करें").len(), 2);
        assert_eq!(terms("ব্যবহার").len(), 1);
        assert_eq!(terms("உள்ளடக்கம்").len(), 1);
    }

    #[test]
    fn articles_before_an_apostrophe_are_left_out() {
        assert_eq!(
            terms("l’option d'API qu'il dell'utente"),
            ["option", "api", "il", "utente"]
        );
        assert_eq!(
            terms("don't o'clock aujourd'hui об'єкт"),
            ["dont", "oclock", "aujourdhui", "обєкт"]
        );
        assert_eq!(terms("j'y Linux'un"), ["jy", "linuxun"]);
    }

    #[test]
    fn identifiers_are_whole_and_split() {
        assert_eq!(terms("CreateFileW"), ["createfilew", "create", "file", "w"]);
        assert_eq!(
            terms("foo_bar fooBar"),
            ["foobar", "foo", "bar", "foobar", "foo", "bar"]
        );
        assert_eq!(
            terms("XMLHttpRequest"),
            ["xmlhttprequest", "xml", "http", "request"]
        );
        assert_eq!(terms("std::vec::Vec<T>"), ["std", "vec", "vec", "t"]);
        assert_eq!(
            terms("LNK2019 v1.95.0"),
            ["lnk2019", "v1950", "v1", "95", "0"]
        );
        assert_eq!(terms("3.14"), ["3.14"]);
    }

    #[test]
    fn names_with_signs_stay_themselves() {
        assert_eq!(
            terms("C++ and C# in .NET"),
            ["c++", "c", "and", "c#", "c", "in", "net"]
        );
        assert_eq!(terms("issue #7"), ["issue", "7"]);
    }

    #[test]
    fn unspaced_scripts_become_bigrams() {
        assert_eq!(terms("配置文件"), ["配置", "置文", "文件"]);
        assert_eq!(terms("用 Rust 写"), ["用", "rust", "写"]);
        assert_eq!(terms("검색 엔진"), ["검색", "엔진"]);
        assert_eq!(terms("ﾃｽﾄ"), ["テスト", "てす", "すと"]);
        assert_eq!(terms("ﾌﾟﾛ")[1..], terms("ぷろ"));
        assert_eq!(terms("ตั้งชื่อ"), ["ตั้ง", "งชื่", "ชื่อ"]);
        assert_eq!(terms("ตั"), ["ตั"]);
    }

    #[test]
    fn latin_words_end_where_hangul_begins() {
        assert_eq!(
            terms("props를 useState를"),
            ["props", "usestate", "use", "state"]
        );
        assert_eq!(terms("스냅ㅅ ㅎ"), ["스냅"]);
        assert_eq!(terms("3개 DB에서"), ["3", "db", "에서"]);
    }

    #[test]
    fn digits_of_all_scripts_are_digits() {
        assert_eq!(terms("१२ ۲ ٣ ৫"), ["12", "2", "3", "5"]);
    }

    #[test]
    fn spans_point_into_the_source() {
        let text = "see CreateFile, 世界 now";
        tokenize(text, |t| {
            let source = &text[t.span.0 as usize..t.span.1 as usize];
            let folded: String = source
                .to_lowercase()
                .chars()
                .filter(|c| c.is_alphanumeric())
                .collect();
            assert_eq!(folded, t.term);
        });
    }
}
