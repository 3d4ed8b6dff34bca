//! Pieces of long text records: a result shows a section or two of a page, and need not bring the others.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};

/// Most sections of a record in pieces: readers keep a number for each.
const MAX_SECTIONS: u32 = 1 << 20;

/// A piece of a long record: consecutive sections, which can be fetched without the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Piece {
    /// Its sections.
    pub n_sections: u32,
    /// Its stored bytes.
    pub len: u32,
}

impl Piece {
    /// Decodes the pieces of a record of `len` bytes, whose number and order [`Piece::encode`] wrote.
    pub fn decode(r: &mut Reader<'_>, len: u32) -> Result<Vec<Self>> {
        let n = r.count(2)?;
        let mut pieces = Vec::with_capacity(n);
        let (mut n_sections, mut bytes) = (0u32, 0u32);
        for _ in 0..n {
            let piece = Self {
                n_sections: r.var32()?,
                len: r.var32()?,
            };
            n_sections = n_sections.saturating_add(piece.n_sections);
            bytes = bytes.saturating_add(piece.len);
            pieces.push(piece);
        }
        if bytes != len || n_sections > MAX_SECTIONS {
            return Err(Error::damaged(
                "a text",
                "its pieces are not as long as the whole",
            ));
        }
        Ok(pieces)
    }

    /// Encodes the pieces of a record.
    pub fn encode(pieces: &[Self], w: &mut Writer) {
        w.len(pieces.len());
        for piece in pieces {
            w.varint(u64::from(piece.n_sections));
            w.varint(u64::from(piece.len));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_are_not_the_whole_are_refused() {
        let pieces = |n_sections| {
            [
                Piece { n_sections, len: 5 },
                Piece {
                    n_sections: 1,
                    len: 6,
                },
            ]
        };
        for (n_sections, len, is_good) in [(1, 11, true), (1, 12, false), (u32::MAX, 11, false)] {
            let mut w = Writer::default();
            Piece::encode(&pieces(n_sections), &mut w);
            let read = Piece::decode(&mut Reader::new(&w.bytes), len);
            assert_eq!(read.is_ok(), is_good);
        }
    }
}
