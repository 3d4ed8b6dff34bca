//! Phrases that tell a folder's pages from those beside it: shared by several of them, rare elsewhere.
//!
//! A phrase is one to three words between function words and punctuation, or a run of one script where words are not
//! spaced. What is a function word is listed for English (`text::stop_words`) and a few languages more; of others the
//! commonest words of the pages beside the folder are left aside by the same arithmetic.

use super::super::prose::{letters, listed};
use crate::text::stop_words::is_stop_word;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

/// Most words of a phrase.
const MAX_WORDS: usize = 3;
/// A phrase of two or three words counts for more than its words: it says more.
const LENGTH: [f64; MAX_WORDS] = [1.0, 1.7, 2.1];
/// Phrases of an abstract, at most.
pub(super) const MAX_PHRASES: usize = 7;

/// Fewer phrases are no description.
pub(super) const MIN_PHRASES: usize = 3;

/// Function words of German, Spanish, French, Italian, Portuguese, Dutch and Russian that are longer than two letters.
const FUNCTION: &str = "aber als auch auf aus bei das dass dem den der des die dies diese dieser dieses doch durch ein \
    eine einem einen einer eines für haben hat ist kann kein keine mit nach nicht noch nur oder ohne sein sich sie sind \
    über und von vor wenn wer werden wie wir wird zum zur \
    como con cual cuando del desde donde ella entre era eres esta este esto hay las los más muy nos para pero por porque \
    que qué ser sin sobre son sus también tiene una uno unos puede pueden \
    alors aussi avec aux ces cette comme dans des donc elle est être les leur mais même nous ont par pas peut plus pour \
    que qui sans ses son sont sur une vous \
    alla anche che come con dal dalla degli dei del della delle gli il lo nel nella non per più quando sono una uno \
    ainda das dos ela ele esse essa isso mais mas nas nos pela pelo quando são seu sua também uma você \
    aan als bij dat deze door een het hun kan maar met naar niet ook over tot uit van voor wordt zijn \
    без более был быть вас все для его если или как когда мне можно над него она они при так также что чтобы это";

/// Characters that hold Chinese words together and begin none worth naming.
const HAN_FUNCTION: &str = "的了和是在与及或对为以将把被从到其这那有不也就都而并等个会能要们你我他她它吗呢吧之所于但如使让给该此";

/// The phrases of a text in lower case, each with a form in which it is written.
fn phrases(text: &str, mut emit: impl FnMut(String, &str)) {
    let has_kana = text.chars().any(|c| ('\u{3040}'..='\u{30ff}').contains(&c));
    for piece in text.split(is_break) {
        let piece = piece.trim();
        if piece.chars().any(is_unspaced) {
            unspaced(piece, has_kana, &mut emit);
        } else {
            spaced(piece, &mut emit);
        }
    }
}

fn is_break(c: char) -> bool {
    !(c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '_' | '\'' | '’' | 'ー' | '々'))
}

/// Han and kana; Hangul has spaces.
fn is_unspaced(c: char) -> bool {
    crate::text::is_unspaced(c) && !('\u{ac00}'..='\u{d7af}').contains(&c)
}

fn spaced(piece: &str, emit: &mut impl FnMut(String, &str)) {
    let words: Vec<(usize, &str)> = piece
        .split_whitespace()
        .map(|word| (word.as_ptr() as usize - piece.as_ptr() as usize, word))
        .collect();
    for first in 0..words.len() {
        for n in 1..=MAX_WORDS.min(words.len() - first) {
            let (at, last) = words[first + n - 1];
            if !is_content(last) {
                break; // No phrase goes over a function word.
            }
            let written = &piece[words[first].0..at + last.len()];
            let is_said = n > 1 || last.chars().count() >= 4 || is_hangul(last);
            let written = without_particle(written);
            if is_said {
                emit(written.to_lowercase(), written);
            }
        }
    }
}

/// A Korean word without the particle that it ends in.
fn without_particle(words: &str) -> &str {
    let last = words.rsplit(' ').next().unwrap_or(words);
    let particles = [
        "으로", "에서", "을", "를", "은", "는", "이", "가", "의", "에", "로", "와", "과", "도",
    ];
    let rest = particles.iter().find_map(|p| last.strip_suffix(p));
    match rest {
        Some(rest) if is_hangul(last) && rest.chars().count() >= 2 => {
            &words[..words.len() - (last.len() - rest.len())]
        }
        _ => words,
    }
}

fn is_hangul(word: &str) -> bool {
    word.chars().count() >= 2 && word.chars().all(|c| ('\u{ac00}'..='\u{d7af}').contains(&c))
}

fn is_content(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(FUNCTION));
    let folded = word.to_lowercase();
    let n_letters = folded.chars().filter(|c| c.is_alphabetic()).count();
    let is_long = n_letters >= 3 || is_hangul(&folded);
    let is_verb = is_hangul(&folded) && folded.ends_with('다');
    is_long && !is_verb && !is_stop_word(&folded) && !KNOWN.contains(folded.as_str())
}

/// Runs of Han and katakana; hiragana holds them together, and in Chinese some characters do.
fn unspaced(piece: &str, has_kana: bool, emit: &mut impl FnMut(String, &str)) {
    let holds = |c: char| {
        ('\u{3040}'..='\u{309f}').contains(&c)
            || c.is_whitespace()
            || (!has_kana && HAN_FUNCTION.contains(c))
    };
    for run in piece.split(holds) {
        let n = run.chars().count();
        let is_wide = run.chars().any(is_unspaced);
        if (2..=10).contains(&n) && is_wide {
            emit(run.to_lowercase(), run);
        } else if !is_wide {
            spaced(run, emit);
        }
    }
}

/// A phrase with the numbers of pages that have it.
#[derive(Default)]
struct Seen {
    written: BTreeMap<String, u32>,
    inside: u32,
    beside: u32,
}

/// Phrases that pages of a folder share and pages beside it lack, the best first; none of `known`, which are names.
///
/// `inside` and `beside` are the texts of pages. O(their words).
pub(super) fn key_phrases(inside: &[String], beside: &[String], known: &[&str]) -> Vec<String> {
    let mut seen: HashMap<String, Seen> = HashMap::new();
    for text in inside {
        let mut own = HashSet::new();
        phrases(text, |phrase, written| {
            if own.insert(phrase.clone()) {
                let seen = seen.entry(phrase).or_default();
                seen.inside += 1;
                *seen.written.entry(written.to_owned()).or_default() += 1;
            }
        });
    }
    seen.retain(|_, seen| seen.inside >= 2);
    for text in beside {
        let mut own = HashSet::new();
        phrases(text, |phrase, _| {
            if let Some(seen) = seen.get_mut(&phrase)
                && own.insert(phrase)
            {
                seen.beside += 1;
            }
        });
    }
    let known: HashSet<String> = known.iter().map(|name| letters(name)).collect();
    let is_known = |phrase: &str| {
        let letters = letters(phrase);
        !letters.is_empty() && known.contains(&letters)
    };
    let mut ranked: Vec<(f64, String, Seen)> = seen
        .into_iter()
        .map(|(phrase, seen)| {
            (
                score(&phrase, &seen, inside.len(), beside.len()),
                phrase,
                seen,
            )
        })
        .filter(|(score, phrase, _)| *score > 0.0 && !is_known(phrase))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    // Single words say little beside phrases; scripts without spaces write both alike.
    let is_single = |phrase: &str| !phrase.contains([' ', '-']) && phrase.is_ascii();
    let n_longer = ranked.iter().filter(|r| !is_single(&r.1)).count();
    ranked.retain(|r| n_longer < MIN_PHRASES || !is_single(&r.1));
    let mut taken: Vec<(String, String)> = Vec::new();
    for (_, phrase, seen) in ranked {
        if taken.len() == MAX_PHRASES {
            break;
        }
        let overlaps = |other: &str| shares_words(other, &phrase);
        if !taken.iter().any(|(_, other)| overlaps(other)) {
            // The form most written; of equals the first in the alphabet.
            let written = seen.written.into_iter().rev().max_by_key(|(_, n)| *n);
            taken.push((written.map_or_else(String::new, |w| w.0), phrase));
        }
    }
    taken.into_iter().map(|(written, _)| written).collect()
}

fn score(phrase: &str, seen: &Seen, n_inside: usize, n_beside: usize) -> f64 {
    let n_words = phrase.split_whitespace().count().clamp(1, MAX_WORDS);
    let inside = f64::from(seen.inside);
    let contrast = if n_beside == 0 {
        1.0
    } else {
        let share = inside / n_inside.max(1) as f64;
        let elsewhere = (f64::from(seen.beside) + 0.5) / (n_beside as f64 + 1.0);
        (share / elsewhere).ln()
    };
    inside.sqrt() * contrast * LENGTH[n_words - 1]
}

/// True if one of two phrases has a word of the other, or contains it.
fn shares_words(a: &str, b: &str) -> bool {
    let has = |text: &str, word: &str| text.split_whitespace().any(|w| w == word);
    a.contains(b) || b.contains(a) || a.split_whitespace().any(|word| has(b, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn phrases_are_shared_inside_and_rare_beside() {
        let inside = texts(&[
            "Adds a dependency graph to the package registry.",
            "Prints the dependency graph of a package.",
            "Searches the package registry for a name.",
        ]);
        let beside = texts(&["Prints a name of a package.", "A package is a folder."]);
        assert_eq!(
            key_phrases(&inside, &beside, &[]),
            ["dependency graph", "package registry"]
        );
        assert_eq!(
            key_phrases(&inside, &beside, &["Dependency graph"])[0],
            "package registry"
        );
    }

    #[test]
    fn phrases_are_found_without_spaces() {
        let inside = texts(&[
            "所有権システムはメモリ安全性を保証します。",
            "メモリ安全性と所有権システムの関係。",
        ]);
        assert_eq!(
            key_phrases(&inside, &[], &[]),
            ["メモリ安全性", "所有権システム"]
        );
        let chinese = texts(&["网关的配置文件。", "配置文件是网关的一部分。"]);
        assert_eq!(key_phrases(&chinese, &[], &[]), ["网关", "配置文件"]);
        let korean = texts(&["소유권 규칙을 배웁니다.", "소유권 이야기."]);
        assert_eq!(key_phrases(&korean, &[], &[]), ["소유권"]);
    }
}
