//! Block parts: where the text records of a block of nodes lie, and the vectors of its files. Whoever has one can fetch
//! the results of an answer.

use super::piece::Piece;
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::vectors::VectorRows;

/// The part, in errors.
const PART: &str = "block part";

/// The place of a node's records in the texts' common space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextPlace {
    /// Position of the text record.
    pub offset: u64,
    /// Stored bytes of the text record.
    pub len: u32,
    /// Stored bytes of the kept record, which follows the text record; 0: there is none.
    pub kept_len: u32,
    /// Pieces of a long record; empty: it is one.
    pub pieces: Vec<Piece>,
}

/// A decoded block part.
#[derive(Debug, Clone)]
pub struct Block {
    /// By node of the block.
    pub texts: Vec<TextPlace>,
    /// By file of the block; without rows in a bundle without vectors.
    pub vectors: VectorRows,
}

impl Block {
    /// Decodes a part of `n_nodes` nodes, `n_files` of them files with a vector.
    pub fn decode(
        bytes: &[u8],
        n_nodes: usize,
        n_files: usize,
        dims: usize,
        bits: u8,
    ) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let mut offset = r.varint()?;
        let mut texts = Vec::with_capacity(n_nodes.min(r.left()));
        for _ in 0..n_nodes {
            let coded = r.varint()?;
            let len = u32::try_from(coded >> 2)
                .map_err(|_| Error::damaged(PART, "the length of a text"))?;
            let kept_len = if coded & 1 != 0 { r.var32()? } else { 0 };
            let mut pieces = Vec::new();
            if coded & 2 != 0 {
                pieces = Piece::decode(r, len)?;
            }
            texts.push(TextPlace {
                offset,
                len,
                kept_len,
                pieces,
            });
            offset = offset
                .checked_add(u64::from(len) + u64::from(kept_len))
                .ok_or_else(|| Error::damaged(PART, "text positions overflow"))?;
        }
        let n_rows = if dims == 0 { 0 } else { n_files };
        let packed = r.take(r.left())?;
        if packed.len() != VectorRows::packed_len(n_rows, dims, bits) {
            return Err(Error::damaged(
                PART,
                "it is not as long as its vectors need",
            ));
        }
        Ok(Self {
            texts,
            vectors: VectorRows::unpack(packed, n_rows, dims, bits)?,
        })
    }

    /// Encodes places that follow each other, and packed vectors.
    pub fn encode(texts: &[TextPlace], packed: &[u8]) -> Vec<u8> {
        let mut w = Writer::default();
        w.varint(texts.first().map_or(0, |text| text.offset));
        for text in texts {
            let flags = u64::from(!text.pieces.is_empty()) << 1 | u64::from(text.kept_len > 0);
            w.varint(u64::from(text.len) << 2 | flags);
            if text.kept_len > 0 {
                w.varint(u64::from(text.kept_len));
            }
            if !text.pieces.is_empty() {
                Piece::encode(&text.pieces, &mut w);
            }
        }
        w.raw(packed);
        w.bytes
    }
}

/// Vectors of the sections of a block's files.
#[derive(Debug, Clone)]
pub struct SectionRows {
    /// End of each file's rows.
    ends: Vec<usize>,
    rows: VectorRows,
}

impl SectionRows {
    /// Decodes a part of `n_files` files.
    pub fn decode(bytes: &[u8], n_files: usize, dims: usize, bits: u8) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let (mut ends, mut n) = (Vec::with_capacity(n_files.min(r.left())), 0usize);
        for _ in 0..n_files {
            n = n.saturating_add(r.var32()? as usize);
            ends.push(n);
        }
        let packed = r.take(r.left())?;
        let one = VectorRows::packed_len(1, dims, bits).max(1);
        if n.checked_mul(one) != Some(packed.len()) {
            let what = "section vectors are damaged: they are not as many as they should be";
            return Err(Error::new(ErrorKind::BundleDamaged, what));
        }
        let rows = VectorRows::unpack(packed, n, dims, bits)?;
        Ok(Self { ends, rows })
    }

    /// Encodes the numbers of the files' sections, and packed vectors.
    pub fn encode(sections: impl Iterator<Item = u32>, packed: &[u8]) -> Vec<u8> {
        let mut w = Writer::default();
        sections.for_each(|n| w.varint(u64::from(n)));
        w.raw(packed);
        w.bytes
    }

    /// Rows of the sections of file `file` of the block.
    pub fn of(&self, file: usize) -> std::ops::Range<usize> {
        let start = file.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[file]
    }

    /// The rows of all files.
    pub fn rows(&self) -> &VectorRows {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::quantize;

    #[test]
    fn places_and_vectors_come_back_and_a_cut_part_is_refused() {
        let place = |offset, len, kept_len| TextPlace {
            offset,
            len,
            kept_len,
            pieces: Vec::new(),
        };
        let piece = |n_sections, len| Piece { n_sections, len };
        let mut texts = [place(7, 300, 0), place(307, 5, 9), place(321, 0, 0)];
        texts[0].pieces = vec![piece(1, 100), piece(0, 20), piece(7, 180)];
        let bytes = Block::encode(&texts, &quantize(&[1.0, 0.0, 0.0, 1.0], 2, 8));
        let block = Block::decode(&bytes, 3, 2, 2, 8).unwrap();
        assert_eq!((&block.texts[..], block.vectors.len()), (&texts[..], 2));
        for end in 0..bytes.len() {
            assert!(Block::decode(&bytes[..end], 3, 2, 2, 8).is_err());
        }
        let words_only = Block::encode(&texts, &[]);
        assert_eq!(Block::decode(&words_only, 3, 2, 0, 4).unwrap().texts, texts);
    }

    #[test]
    fn sections_are_told_apart_by_file() {
        let packed = quantize(&[1.0, 0.0, 0.0, 1.0, 1.0, 1.0], 2, 8);
        let bytes = SectionRows::encode([2, 0, 1].into_iter(), &packed);
        let rows = SectionRows::decode(&bytes, 3, 2, 8).unwrap();
        assert_eq!([0, 1, 2].map(|file| rows.of(file)), [0..2, 2..2, 2..3]);
        assert!(SectionRows::decode(&bytes[..bytes.len() - 1], 3, 2, 8).is_err());
    }
}
