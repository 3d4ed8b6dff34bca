//! Places of what is needed, and the proof that what came from there is that.

use super::{Need, Resident, filled};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::id::NodeId;
use crate::bundle::block::TextPlace;
use crate::bundle::{PartAddress, is_sealed};

impl Resident {
    /// The place of a need's bytes. Errors: `FAILED_PRECONDITION` when the bundle has no such part, `INTERNAL` for a text
    /// whose block and branch are not there yet, `BUNDLE_DAMAGED` when a text lies outside the packs.
    pub fn address(&self, need: Need) -> Result<PartAddress> {
        let Need::Part(kind, index) = need else {
            return self.text_address(need);
        };
        let address = self.head.parts[kind as usize].get(index as usize).copied();
        address.ok_or_else(|| {
            Error::new(
                ErrorKind::FailedPrecondition,
                format!("this bundle has no {} part {index}", kind.name()),
            )
        })
    }

    /// The place of a piece of a node's text, or of its kept record.
    fn text_address(&self, need: Need) -> Result<PartAddress> {
        let text = self.text_place(need.node())?;
        // Both ends were added up without overflow when the part was read.
        let (start, len) = match need {
            #[cfg(feature = "full")]
            Need::Kept(_) => (text.offset + u64::from(text.len), text.kept_len),
            Need::Text(_, at) if !text.pieces.is_empty() => {
                let before = text.pieces.iter().take(at as usize);
                let before: u64 = before.map(|piece| u64::from(piece.len)).sum();
                let piece = text.pieces.get(at as usize).ok_or_else(lying_piece)?;
                (text.offset + before, piece.len)
            }
            _ => (text.offset, text.len),
        };
        let place = self.head.text_place(start, len);
        let (pack, offset) = place.ok_or_else(|| {
            Error::new(
                ErrorKind::BundleDamaged,
                "a text lies outside the bundle's packs",
            )
        })?;
        Ok(PartAddress { pack, offset, len })
    }

    /// The place of a node's text: as its block says, or its branch.
    pub(super) fn text_place(&self, node: NodeId) -> Result<TextPlace> {
        let block = self.head.block_of(node);
        let own = (node.0 - self.head.block_starts[block]) as usize;
        if let Some(block) = filled(&self.blocks, block as u32) {
            return Ok(block.texts[own].clone());
        }
        let branch = filled(&self.branches, block as u32).ok_or_else(|| {
            let what = "a text was asked for before its place was known";
            Error::new(ErrorKind::Internal, what)
        })?;
        let record = &branch.nodes[own];
        Ok(TextPlace {
            offset: record.text_offset,
            len: record.text_len,
            kept_len: record.kept_len,
            pieces: record.pieces.clone(),
        })
    }

    /// Proves that stored bytes are those that the head refers to.
    ///
    /// Errors: `BUNDLE_MISMATCH` when they are not.
    pub fn check(&self, need: Need, stored: &[u8]) -> Result<()> {
        let address = self.address(need)?;
        if stored.len() != address.len as usize || !is_sealed(stored) {
            let name = match self.head.packs[address.pack as usize].name.as_str() {
                "" => "index.knarr",
                name => name,
            };
            let what = format!(
                "'{name}' does not hold the bytes its head names: it is damaged or of another build; reload, or publish the bundle again"
            );
            return Err(Error::new(ErrorKind::BundleMismatch, what));
        }
        Ok(())
    }
}

/// The error of a text whose pieces are others than its block says.
pub(super) fn lying_piece() -> Error {
    Error::damaged("a text", "its pieces are not those that its block names")
}
