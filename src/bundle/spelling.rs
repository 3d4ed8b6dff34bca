//! Spelling parts: the surfaces again, in order of their first and of their last letters.
//!
//! A word with one mistake keeps either its first half or its last half. The words that share the one or the other stand
//! together, without their postings: every word at distance one, for a few kilobytes.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::Result;
use crate::bundle::stems::{FrontCoded, put_front_coded};

/// The letters of `word`, last first.
pub fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

/// Most parts of a dictionary that is read itself in place of a list by first letters.
const FEW_TERM_PARTS: usize = 8;

/// True if the spelling parts beside a dictionary of `term_parts` list surfaces by their first letters, too.
pub fn lists_forward(term_parts: usize) -> bool {
    term_parts > FEW_TERM_PARTS
}

/// Begins the key of a surface in reading order; keys of reversed surfaces have none.
const FORWARD: char = '^';

/// The key by which a surface is found from its first letters.
pub fn forward(word: &str) -> String {
    format!("{FORWARD}{word}")
}

/// The surface of a key.
pub fn surface_of(key: &str) -> String {
    match key.strip_prefix(FORWARD) {
        Some(word) => word.to_owned(),
        None => reversed(key),
    }
}

/// Keys of surfaces in order, each with how common it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpellPart {
    words: Vec<(String, u8)>,
}

impl SpellPart {
    /// Decodes a part.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let n = r.count(3)?;
        let mut words: Vec<(String, u8)> = Vec::with_capacity(n);
        let mut keys = FrontCoded::default();
        for _ in 0..n {
            words.push((keys.next_key(r)?, 0));
        }
        for word in &mut words {
            word.1 = r.u8()?;
        }
        r.finish()?;
        Ok(Self { words })
    }

    /// Encodes keys, ascending, each with ⌊log₂ df⌋.
    pub fn encode(words: &[(String, u8)]) -> Vec<u8> {
        let mut w = Writer::default();
        w.len(words.len());
        let mut last = "";
        for (word, _) in words {
            put_front_coded(&mut w, last, word);
            last = word;
        }
        words.iter().for_each(|(_, df)| w.u8(*df));
        w.bytes
    }

    /// Keys that begin with `prefix`, each with ⌊log₂ df⌋.
    pub fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, u8)> + 'a {
        let from = self.words.partition_point(|(w, _)| w.as_str() < prefix);
        self.words[from..]
            .iter()
            .take_while(move |(w, _)| w.starts_with(prefix))
            .map(|(w, n)| (w.as_str(), *n))
    }
}
