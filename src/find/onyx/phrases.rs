//! Phrases: the words of a question standing together, in order, at most one word out of place.
//!
//! Postings hold no positions, so this reads texts, and only those of the first candidates.
//! Source: spec/onyx.md §2.2 (phrase parts of the keyword query, slop 1).

use crate::find::ask::meant::Meant;
use crate::find::onyx::two_field::PHRASE_SLOP;
use crate::text::{TermKind, tokenize};

/// Frequency of `phrase` (places of words in the question) in `text`; a phrase with a word between counts half.
/// O(text).
pub fn frequency(text: &str, meant: &Meant<'_>, phrase: &[usize]) -> f64 {
    let Some((&first, rest)) = phrase.split_first() else {
        return 0.0;
    };
    let mut words: Vec<Option<usize>> = Vec::new();
    tokenize(text, |token| {
        // Pieces of an identifier share its place.
        if token.kind == TermKind::Part {
            if let (Some(last @ None), Some((word, _))) = (words.last_mut(), meant.by(&token.term))
            {
                *last = Some(word);
            }
            return;
        }
        words.push(meant.by(&token.term).map(|(word, _)| word));
    });
    let starts = words
        .iter()
        .enumerate()
        .filter(|(_, word)| **word == Some(first));
    starts
        .filter_map(|(at, _)| gaps(&words[at + 1..], rest))
        .map(|gaps| 1.0 / f64::from(1 + gaps))
        .sum()
}

/// Words between those of `rest`, which must come in order; `None` when there are more than [`PHRASE_SLOP`].
fn gaps(words: &[Option<usize>], rest: &[usize]) -> Option<u32> {
    let mut gaps = 0;
    let mut at = 0;
    for &wanted in rest {
        while *words.get(at)? != Some(wanted) {
            at += 1;
            gaps += 1;
            if gaps > PHRASE_SLOP {
                return None;
            }
        }
        at += 1;
    }
    Some(gaps)
}

#[cfg(test)]
mod tests {
    use super::gaps;

    #[test]
    fn one_word_may_stand_between_and_no_more() {
        let text = |words: &[i32]| -> Vec<Option<usize>> {
            words.iter().map(|&w| usize::try_from(w).ok()).collect()
        };
        assert_eq!(gaps(&text(&[1, 2]), &[1, 2]), Some(0));
        assert_eq!(gaps(&text(&[1, -1, 2]), &[1, 2]), Some(1));
        assert_eq!(gaps(&text(&[-1, 1, -1, 2]), &[1, 2]), None);
        assert_eq!(gaps(&text(&[2, 1]), &[1, 2]), None);
        assert_eq!(gaps(&text(&[]), &[]), Some(0));
    }
}
