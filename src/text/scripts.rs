//! Words of single scripts: katakana, which Japanese sets apart from the letters around it, and the Arabic article.

use super::{MAX_TERM_BYTES, TermKind, Token, normalize};
#[cfg(feature = "index")]
use super::{folded, is_gram};

/// The bytes of letters that stand side by side.
pub fn span_of(run: &[(usize, char)]) -> (u32, u32) {
    let (last, c) = run[run.len() - 1];
    (run[0].0 as u32, (last + c.len_utf8()) as u32)
}

/// Letters of katakana, narrow ones and the signs upon them included.
pub fn is_katakana(c: char) -> bool {
    matches!(c, '\u{3099}'..='\u{309a}' | '\u{30a1}'..='\u{30fe}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// The word of katakana, two letters or more, that begins at `from`, and where it ends. Its pairs are its pieces: by them
/// it is found while it is typed in hiragana, and longer words that have it. The stroke that lengthens its end is left out:
/// some write it. Other languages have no such word: a function of its own stays out of their first search.
#[inline(never)]
pub fn katakana_word(run: &[(usize, char)], from: usize, emit: &mut dyn FnMut(Token)) -> usize {
    let mut raw = String::new();
    let mut end = from;
    while end < run.len() && is_katakana(run[end].1) {
        raw.push(run[end].1);
        end += 1;
    }
    let mut term = normalize(&raw).into_owned();
    // Three letters and the stroke.
    if term.len() >= 12 && term.ends_with('ー') {
        term.truncate(term.len() - 3);
    }
    if term.len() < 6 {
        return from;
    }
    if term.len() <= MAX_TERM_BYTES {
        emit(Token {
            term,
            span: span_of(&run[from..end]),
            kind: TermKind::Word,
        });
    }
    end
}

/// True if a folded term begins with a letter of Arabic.
pub fn is_arabic(term: &str) -> bool {
    matches!(term.as_bytes()[0], 0xd8 | 0xd9)
}

/// The Arabic article, alone and behind what is written together with it.
const ARTICLES: [&str; 6] = ["ال", "وال", "بال", "كال", "فال", "لل"];

/// Cuts the article from an Arabic term, where three letters or more stand behind it: fewer are another word as a rule.
/// Words with a letter that only Persian and Urdu have begin so by chance.
#[inline(never)]
pub fn cut_article(term: &mut String) {
    if term.chars().any(|c| matches!(c, 'گ' | 'چ' | 'پ' | 'ژ')) {
        return;
    }
    for article in ARTICLES {
        // Each of these letters has two bytes.
        if term.starts_with(article) && term.len() >= article.len() + 6 {
            term.drain(..article.len());
            return;
        }
    }
}

/// A word as [`tokenize`](super::tokenize) has it.
#[cfg(feature = "index")]
pub fn bare(word: &str) -> String {
    let mut term = folded(word);
    if !term.is_empty() && is_arabic(&term) {
        cut_article(&mut term);
    }
    term
}

/// Number of words that a term counts for in the length of a text: pieces are in what they are pieces of, but a word of
/// katakana counts by its pairs, as words of kanji do.
#[cfg(feature = "index")]
pub fn length(token: &Token) -> u32 {
    let counts = match token.kind {
        TermKind::Part => is_gram(&token.term),
        _ => !is_katakana_word(&token.term),
    };
    u32::from(counts)
}

/// True for a word of katakana: pairs are in hiragana.
#[cfg(feature = "index")]
pub fn is_katakana_word(term: &str) -> bool {
    matches!(term.chars().next(), Some('\u{30a1}'..='\u{30fa}'))
}

/// True for a pair with a letter of kana.
#[cfg(feature = "index")]
pub fn is_kana_pair(term: &str) -> bool {
    is_gram(term)
        && !is_katakana_word(term)
        && term.contains(|c| ('\u{3041}'..='\u{309f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::super::tests::terms;
    use super::super::tokenize;
    use super::*;

    #[test]
    fn a_run_of_katakana_is_a_word_before_its_pairs() {
        assert_eq!(
            terms("新プリンターの設定"),
            [
                "新ぷ",
                "プリンタ",
                "ぷり",
                "りん",
                "んた",
                "たー",
                "ーの",
                "の設",
                "設定"
            ]
        );
        assert_eq!(terms("プリンタ")[0], terms("ﾌﾟﾘﾝﾀｰ")[0]);
        assert_eq!(terms("キー")[0], "キー");
        assert_eq!(terms("一ヶ月"), ["一ゖ", "ゖ月"]);
        let mut kinds = Vec::new();
        tokenize("キーの", |t| kinds.push(t.kind));
        assert_eq!(kinds, [TermKind::Word, TermKind::Part, TermKind::Gram]);
    }

    #[test]
    #[cfg(feature = "index")]
    fn a_word_of_katakana_is_as_long_as_its_pairs() {
        let length_of = |text: &str| {
            let mut sum = 0;
            tokenize(text, |t| sum += length(&t));
            sum
        };
        assert_eq!(length_of("プリンター"), 4);
        assert_eq!(length_of("設定方法"), 3);
        assert_eq!(length_of("fooBar baz"), 2);
        assert!(is_kana_pair("の設") && !is_kana_pair("設定") && !is_kana_pair("プリンタ"));
    }

    #[test]
    fn arabic_articles_are_left_out() {
        for joined in [
            "المتغيرات",
            "والمتغيرات",
            "بالمتغيرات",
            "كالمتغيرات",
            "فالمتغيرات",
            "للمتغيرات",
        ] {
            assert_eq!(terms(joined), ["متغيرات"], "{joined}");
        }
        assert_eq!(terms("الى التي"), ["الي", "التي"]);
        assert!(terms("الگوریتم")[0].starts_with("ال"), "Persian");
    }
}
