//! The words of a page, packed: those of all pages are in memory at a time, three bytes for each occurrence.

use crate::base::bytes::{Reader, Writer};
use serde::{Deserialize, Serialize};

/// The occurrences of a local word in a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occurrence {
    /// Place of the word in its page.
    pub word: u32,
    /// Section ordinal.
    pub section: u16,
    /// Number of occurrences there, heading included, times the author's weight.
    pub tf: f32,
    /// The section's heading contains the word.
    pub in_heading: bool,
}

/// A word of one document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LocalWord {
    /// The surface.
    pub term: String,
    /// As the page writes it first with marks that the surface lacks, in lower case: stems hang on them (`instalação`).
    pub marked: Option<Box<str>>,
    /// Occurrences as an ordinary word or as a piece of an identifier.
    pub plain: u32,
    /// Occurrences as a whole identifier.
    pub whole: u32,
}

/// The words of one document, each by its place among its distinct words.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PageWords {
    /// Their numbers in the lexicon; empty until it has counted them.
    pub numbers: Box<[u32]>,
    /// By section, then word.
    pub occurrences: Occurrences,
    /// Distinct words of the title, each with the terms of the title as that word sees it: `OpenOptions` is one term, but
    /// of its piece `options` the title has one more.
    pub title: Box<[(u32, u32)]>,
    /// Distinct words of headings, keywords and the file's name.
    pub headings: Box<[u32]>,
}

/// Occurrences by section, then word.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Occurrences(Box<[u8]>);

impl Occurrences {
    /// All of them, in order.
    pub fn iter(&self) -> Unpacked<'_> {
        Unpacked {
            bytes: Reader::new(&self.0),
            left: 0,
            next: Occurrence {
                word: 0,
                section: 0,
                tf: 0.0,
                in_heading: false,
            },
            weight: 0.0,
        }
    }
}

/// Occurrences as they are packed.
#[derive(Default)]
pub struct Packing(Writer);

impl Packing {
    /// Adds a section whose words weigh so much: words, ascending, with their numbers and whether its heading has them.
    pub fn section(&mut self, ordinal: u16, weight: f32, words: &[(u32, u32, bool)]) {
        if words.is_empty() {
            return;
        }
        self.0.varint(u64::from(ordinal));
        self.0.f32(weight);
        self.0.len(words.len());
        let mut last = 0;
        for &(word, count, in_heading) in words {
            let step = u64::from(word - last) << 1 | u64::from(in_heading);
            self.0.varint(step);
            self.0.varint(u64::from(count));
            last = word;
        }
    }

    /// The packed occurrences.
    pub fn finish(self) -> Occurrences {
        Occurrences(self.0.bytes.into_boxed_slice())
    }
}

/// Occurrences as they are unpacked. They were packed here, so they are well formed.
pub struct Unpacked<'a> {
    bytes: Reader<'a>,
    /// Words that the section still has.
    left: u32,
    next: Occurrence,
    weight: f32,
}

impl Iterator for Unpacked<'_> {
    type Item = Occurrence;

    fn next(&mut self) -> Option<Occurrence> {
        if self.left == 0 {
            self.next.section = self.bytes.var32().ok()? as u16;
            self.weight = self.bytes.f32().ok()?;
            self.left = self.bytes.var32().ok()?;
            self.next.word = 0;
        }
        self.left = self.left.checked_sub(1)?;
        let step = self.bytes.varint().ok()?;
        self.next.word += (step >> 1) as u32;
        self.next.in_heading = step & 1 != 0;
        self.next.tf = self.bytes.var32().ok()? as f32 * self.weight;
        Some(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_come_back_as_they_were_packed() {
        let sections = [
            (
                0,
                1.0,
                vec![(0, 1, true), (1, 300, false), (70_000, 2, true)],
            ),
            (1, 0.5, vec![]),
            (32_767, 10.0, vec![(u32::MAX >> 2, u32::MAX, false)]),
            (32_767, 2.5, vec![(3, 7, true)]),
        ];
        let mut packing = Packing::default();
        let mut expected = Vec::new();
        for (section, weight, words) in &sections {
            packing.section(*section, *weight, words);
            expected.extend(words.iter().map(|&(word, n, in_heading)| Occurrence {
                word,
                section: *section,
                tf: n as f32 * weight,
                in_heading,
            }));
        }
        let packed = packing.finish();
        assert_eq!(packed.iter().collect::<Vec<_>>(), expected);
        assert_eq!(Occurrences::default().iter().count(), 0);
    }
}
