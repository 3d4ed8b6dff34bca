//! The embedded static table: a word's meaning as the sum of its pieces' rows.
//!
//! *Shape*: 27,590 rows × 256 dimensions, 4 bits per value, one half-float scale per row; rows in the order of
//! `vocab.txt`. A word is cut into the longest known pieces from the left (WordPiece; `##` marks a piece that
//! continues a word). A text's vector is the normalized sum of its words', so words can be composed ahead.
//!
//! *Source*: made by `distill.py` beside this file from a model under Apache-2.0; `NOTICE.txt` names the model and
//! the texts and travels with the table. Measurements: spec/embedding.md.

use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Dimensions of a word's vector.
pub const DIMS: usize = 256;

/// A word's vector, in the table's own axes, strongest first. Its length is the word's weight: rare words are longer.
pub type WordVector = [f32; DIMS];

const TABLE: &[u8] = include_bytes!("table.i4.npy");
const SCALES: &[u8] = include_bytes!("scale.f16.npy");
const VOCABULARY: &str = include_str!("vocab.txt");
const COMMON: &str = include_str!("general-words.txt");

/// The table, decoded. Get it with [`StaticTable::embedded`].
pub struct StaticTable {
    rows: &'static [[u8; DIMS / 2]],
    scales: Vec<f32>,
    starts: HashMap<&'static str, usize>,
    continuations: HashMap<&'static str, usize>,
    longest: usize,
}

impl StaticTable {
    /// The table this program carries. The first call decodes vocabulary and scales (about 1 MB); the rows stay packed.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: OnceLock<StaticTable> = OnceLock::new();
        EMBEDDED.get_or_init(|| {
            let rows = npy_data(TABLE).as_chunks().0;
            let scales: Vec<f32> = npy_data(SCALES)
                .as_chunks()
                .0
                .iter()
                .map(|&b| half(u16::from_le_bytes(b)))
                .collect();
            let (mut starts, mut continuations) = (HashMap::new(), HashMap::new());
            let mut longest = 0;
            for (row, piece) in VOCABULARY.lines().enumerate() {
                match piece.strip_prefix("##") {
                    Some(rest) => continuations.insert(rest, row),
                    None => starts.insert(piece, row),
                };
                longest = longest.max(piece.len());
            }
            assert_eq!(
                (rows.len(), scales.len()),
                (scales.len(), starts.len() + continuations.len()),
                "one row per piece"
            );
            Self {
                rows,
                scales,
                starts,
                continuations,
                longest,
            }
        })
    }

    /// The vector of a folded, lower-case word: the sum of the rows of its pieces, not normalized.
    ///
    /// Everything but `a`–`z` and `0`–`9` separates (`async/await` is two runs). `None` when there is no run, when a
    /// run has no known pieces, or when the word has letters of another script: a part would pass for the whole.
    /// Cost: a few hash look-ups and 256 additions per piece.
    pub fn word(&self, word: &str) -> Option<WordVector> {
        let mut sum = [0.0; DIMS];
        for row in self.pieces(word)? {
            let scale = self.scales[row];
            for (pair, byte) in sum.as_chunks_mut::<2>().0.iter_mut().zip(&self.rows[row]) {
                pair[0] += (f32::from(byte & 15) - 8.0) * scale;
                pair[1] += (f32::from(byte >> 4) - 8.0) * scale;
            }
        }
        Some(sum)
    }

    /// The words that the table has as one piece, the commonest first, and those of its list of common words before them;
    /// three letters `a`–`z` and more.
    pub fn words() -> impl Iterator<Item = &'static str> {
        let is_word = |w: &&str| w.len() > 2 && w.bytes().all(|b| b.is_ascii_lowercase());
        COMMON.lines().chain(VOCABULARY.lines()).filter(is_word)
    }

    /// The common words alone, the commonest first.
    pub fn common_words() -> impl Iterator<Item = &'static str> {
        COMMON.lines()
    }

    /// True if [`StaticTable::word`] has a vector for the word.
    #[cfg(test)]
    pub fn known(&self, word: &str) -> bool {
        self.pieces(word).is_some()
    }

    /// Names the table in a bundle, 16 hexadecimal digits: vectors of different tables must not meet.
    ///
    /// The first eight bytes of the SHA-256 of table, scales and vocabulary. Cost: hashes 3.8 MB on each call.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for bytes in [TABLE, SCALES, VOCABULARY.as_bytes()] {
            hash.update(bytes);
        }
        hash.finalize()[..8]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    /// The rows of a word's pieces, in order.
    fn pieces(&self, word: &str) -> Option<Vec<usize>> {
        if word.chars().any(|c| c.is_alphanumeric() && !c.is_ascii()) {
            return None;
        }
        let mut out = Vec::new();
        for run in word
            .split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit())
            .filter(|run| !run.is_empty())
        {
            let mut start = 0;
            while start < run.len() {
                let known = if start == 0 {
                    &self.starts
                } else {
                    &self.continuations
                };
                let longest = run.len().min(start + self.longest);
                let (end, row) = (start + 1..=longest)
                    .rev()
                    .find_map(|end| Some((end, *known.get(&run[start..end])?)))?;
                out.push(row);
                start = end;
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

/// The data behind the header of an `.npy` file (version 1: magic, two version bytes, `u16` header length, header).
fn npy_data(file: &'static [u8]) -> &'static [u8] {
    assert!(
        file.starts_with(b"\x93NUMPY\x01"),
        "the embedded arrays are npy files of version 1"
    );
    &file[10 + usize::from(u16::from_le_bytes([file[8], file[9]]))..]
}

/// A half float as `f32`, exactly. The table's scales are positive and finite; other values are not handled.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10), f32::from(bits & 0x3ff));
    match exponent {
        0 => fraction * 2.0f32.powi(-24),
        _ => (1.0 + fraction / 1024.0) * 2.0f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests;
