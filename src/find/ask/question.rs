//! A query as typed, folded and cut into words: once, whatever reads it afterwards.

use crate::text::{TermKind, Token, lower, tokenize};

/// Words of a query that count: further ones cost reading and add little. The answer lists them as skipped.
pub const MAX_WORDS: usize = 64;

/// A query, read once and handed to everything that works with its text.
#[derive(Debug, Clone)]
pub struct Question {
    /// As typed.
    pub text: String,
    /// In lower case.
    pub folded: String,
    /// Its terms in reading order, at most [`MAX_WORDS`].
    pub tokens: Vec<Token>,
    /// True if there were more.
    pub is_cut: bool,
    /// End of its last word, in bytes, if nothing follows: the word may be unfinished.
    open_end: Option<u32>,
}

impl Question {
    /// Folds and cuts a query. O(text).
    pub fn new(text: &str) -> Self {
        let mut tokens: Vec<Token> = Vec::new();
        let mut is_cut = false;
        tokenize(text, |t| {
            if tokens.len() < MAX_WORDS {
                tokens.push(t);
            } else {
                is_cut = true;
            }
        });
        let last_end = tokens.iter().map(|t| t.span.1).max().unwrap_or(0);
        Self {
            text: text.to_owned(),
            folded: lower(text),
            tokens,
            is_cut,
            open_end: (last_end as usize == text.len()).then_some(last_end),
        }
    }

    /// True if a term belongs to the last word and may be unfinished. An identifier's pieces may be, the whole not.
    pub fn is_open(&self, token: &Token) -> bool {
        self.open_end == Some(token.span.1) && token.kind != TermKind::Whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_word_is_open_and_only_without_a_sign_behind_it() {
        let open = |text: &str| -> Vec<String> {
            let question = Question::new(text);
            let open = question.tokens.iter().filter(|t| question.is_open(t));
            open.map(|t| t.term.clone()).collect()
        };
        assert_eq!(open("borrow check"), ["check"]);
        assert!(open("borrow check ").is_empty());
        assert!(open("borrow check?").is_empty());
        assert!(open("").is_empty());
        assert_eq!(open("use fooBar"), ["bar"]);
    }

    #[test]
    fn words_after_the_last_that_counts_are_left_out() {
        let words = |n: usize| Question::new(&"a ".repeat(n));
        assert!(!words(MAX_WORDS).is_cut);
        assert!(words(MAX_WORDS + 1).is_cut);
        assert_eq!(words(MAX_WORDS + 9).tokens.len(), MAX_WORDS);
    }
}
