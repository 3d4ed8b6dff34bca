//! The form of a question in English, and that which sentences must have to answer it.
//!
//! Of sentences that have all words of a question but not this form, one in five answers it on sites of documentation:
//! the others say where else to read, name an option without its value, or repeat the symptom (docs/MEASUREMENTS.md).

use crate::find::ask::meant::Meant;
use crate::find::ask::words::Slot;
use crate::text::{TermKind, tokenize};
use std::ops::Range;

/// Words that ask.
const ASKS: [&str; 9] = [
    "who", "whom", "whose", "what", "when", "where", "which", "why", "how",
];
/// Words of a question among which one must ask.
const ASKS_WITHIN: usize = 3;
/// Words behind `how` that ask for a number; other questions with it ask for steps, which no three sentences are.
const MEASURES: [&str; 14] = [
    "many", "much", "long", "often", "far", "old", "large", "big", "fast", "high", "late", "early",
    "tall", "deep",
];
/// Words of a question for what is a number.
const COUNTED: [&str; 5] = ["year", "percent", "percentage", "number", "port"];
/// Numbers in letters.
const NUMBERS: [&str; 15] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen",
    "hundred", "thousand", "million", "billion",
];
/// Words with a meaning from which a question says enough to know its answer by them.
const ENOUGH: usize = 5;
const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// Beginnings of sentences that tell of a version.
const NOTICES: [&str; 4] = ["New in", "Changed in", "Deprecated", "Note:"];

/// A question by its words, in the order in which they are asked.
pub struct Asking<'s> {
    slots: &'s [Slot],
    meant: &'s Meant<'s>,
}

impl<'s> Asking<'s> {
    /// Reads nothing yet. `meant` is of the same words.
    pub fn new(slots: &'s [Slot], meant: &'s Meant<'s>) -> Self {
        Self { slots, meant }
    }

    fn word(&self, at: usize) -> &str {
        self.slots.get(at).map_or("", |slot| &slot.term)
    }

    /// The words of X in "what is X"; `None` for other questions.
    pub fn subject(&self) -> Option<Vec<usize>> {
        let is_asked = self.word(0) == "what" && matches!(self.word(1), "is" | "are");
        let from = 2 + usize::from(ARTICLES.contains(&self.word(2)));
        let is_word = |at: &usize| {
            let slot = &self.slots[*at];
            slot.kind != TermKind::Part && !slot.is_name()
        };
        let words: Vec<usize> = (from..self.slots.len()).filter(is_word).collect();
        let is_function = |slot: &Slot| slot.alternatives.iter().any(|a| a.stem().is_function);
        let says = |at: &usize| !is_function(&self.slots[*at]);
        (is_asked && words.iter().any(says)).then_some(words)
    }

    /// True for a sentence that says what X is, by the places of X's words: `A borrow checker (or "borrowck") is the …`.
    /// O(words · parts).
    pub fn defines(&self, sentence: &str, subject: &[usize]) -> bool {
        let mut at = 0;
        let mut is_so = sentence.starts_with(|c: char| !c.is_lowercase() && !"/*-".contains(c));
        let bracket = bracket_in(sentence);
        tokenize(sentence, |token| {
            let (word, from) = (token.term.as_str(), token.span.0 as usize);
            let is_article = ARTICLES.contains(&word) || matches!(word, "each" | "any" | "every");
            let is_inside = at == subject.len() && bracket.contains(&from);
            if token.kind == TermKind::Part || is_inside || at == 0 && is_article {
                return;
            }
            let verb = subject.len();
            is_so &= match at {
                at if at < verb => self.meant.by(word).is_some_and(|by| by.0 == subject[at]),
                at if at == verb => matches!(word, "is" | "are"),
                at if at == verb + 1 => ARTICLES.contains(&word),
                _ => true,
            };
            at += 1;
        });
        is_so && at > subject.len() + 1
    }

    /// True if sentences may answer by their form: who, when, where, which, why, how many, asked in enough words.
    pub fn fits(&self, said: &str, n_meaningful: usize) -> bool {
        let asks = (0..ASKS_WITHIN).find(|&at| ASKS.contains(&self.word(at)));
        let Some(asks) = asks.filter(|_| n_meaningful >= ENOUGH) else {
            return false;
        };
        let (asked, next) = (self.word(asks), self.word(asks + 1));
        let is_measured = MEASURES.contains(&next);
        let counts = |slot: &Slot| COUNTED.contains(&slot.term.as_str());
        let wants_number = match asked {
            "how" if !is_measured => return false,
            "how" | "when" => true,
            "what" | "which" => self.slots.iter().any(counts),
            _ => false,
        };
        let (mut echoes, mut has_number) = (false, said.bytes().any(|b| b.is_ascii_digit()));
        tokenize(said, |token| {
            echoes |= token.term == asked;
            has_number |= NUMBERS.contains(&token.term.as_str());
        });
        // "The directory where caches are stored" tells of the question, not of its answer.
        !echoes && (has_number || !wants_number)
    }
}

/// The first bracket of a sentence, in bytes; empty where it has none, or a long one.
fn bracket_in(sentence: &str) -> Range<usize> {
    const LONGEST: usize = 60;
    let from = sentence.find('(').unwrap_or(sentence.len());
    let to = sentence[from..].find(')').unwrap_or(0);
    if to > LONGEST { 0..0 } else { from..from + to }
}

/// True for a sentence that stands before what a section says.
pub fn is_notice(sentence: &str) -> bool {
    NOTICES.iter().any(|notice| sentence.starts_with(notice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_bracket_that_opens_and_closes_is_passed_over() {
        assert_eq!(bracket_in("A knot (the king) is a loop."), 7..16);
        let long = format!("A knot ({}) is a loop.", "x".repeat(61));
        for none in [
            "A knot is a loop.",
            "A knot) is a loop.",
            "A knot (is a loop.",
            &long,
        ] {
            assert!(bracket_in(none).is_empty(), "{none}");
        }
    }
}
