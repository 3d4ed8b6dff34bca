//! Parts that have arrived: read, proved and kept.

use super::address::lying_piece;
use super::{Need, Resident, fill};
use crate::base::error::{Error, Result};
use crate::base::id::NodeId;
#[cfg(feature = "full")]
use crate::bundle::decode_kept;
#[cfg(feature = "full")]
use crate::bundle::graph::decode_graph;
use crate::bundle::stems::{Limits, TermPart};
use crate::bundle::{
    ATTRIBUTE_NODES, Attributes, Block, Branch, DIRECTORY_ROWS, Links, PartKind, SectionRows,
    SpellPart, TextRecord,
};
use crate::vectors::VectorRows;
use std::rc::Rc;

impl Resident {
    /// Takes in the raw bytes of a need, which [`Resident::check`] has seen in stored form: reads, proves and keeps them.
    ///
    /// Errors: `BUNDLE_DAMAGED` when they cannot be read.
    pub fn supply(&self, need: Need, raw: &[u8]) -> Result<()> {
        let p = &self.head.parameters;
        let (dims, bits) = (p.dims as usize, p.node_bits);
        let n_variants = self.head.variants.all.len();
        let range = |block: u32| self.head.block_range(block as usize);
        let n_in = |block: u32| (range(block).1 - range(block).0) as usize;
        match need {
            Need::Part(kind @ (PartKind::Terms | PartKind::General), i) => {
                self.supply_terms(kind, i, raw)?;
            }
            Need::Part(PartKind::Spelling, i) => {
                fill(&self.spelling, i, SpellPart::decode(raw)?);
            }
            Need::Part(PartKind::Branch, i) => {
                let branch = Branch::decode(raw, n_in(i), n_variants)?;
                fill(&self.branches, i, branch);
            }
            Need::Part(PartKind::Blocks, i) => {
                let n_files = self.head.files_in(i as usize).count();
                let block = Block::decode(raw, n_in(i), n_files, dims, bits)?;
                fill(&self.blocks, i, block);
            }
            Need::Part(PartKind::Directories, i) => {
                fill(&self.directories, i, self.directory_rows(raw, i)?);
            }
            Need::Part(PartKind::SectionVectors, i) => {
                let n_files = self.head.files_in(i as usize).count();
                let rows = SectionRows::decode(raw, n_files, dims, bits)?;
                fill(&self.section_vectors, i, rows);
            }
            Need::Part(PartKind::Links, i) => {
                fill(&self.links, i, Links::decode(raw, range(i), p.n_nodes)?);
            }
            Need::Part(PartKind::Attributes, i) => {
                let n = (p.n_nodes - i * ATTRIBUTE_NODES).min(ATTRIBUTE_NODES);
                fill(&self.attributes, i, Attributes::decode(raw, n as usize)?);
            }
            #[cfg(feature = "full")]
            Need::Part(PartKind::Graph, i) => {
                fill(&self.graph, i, decode_graph(raw, p.n_nodes)?);
            }
            // The core asks for no graph.
            #[cfg(not(feature = "full"))]
            Need::Part(PartKind::Graph, _) => {}
            Need::Text(node, at) => {
                let text = Rc::new(self.decode_piece(node, at, raw)?);
                self.pieces.borrow_mut().push((node, at, text));
            }
            #[cfg(feature = "full")]
            Need::Kept(node) => {
                fill(&self.kept, node.0, decode_kept(raw)?);
            }
        }
        Ok(())
    }

    fn decode_piece(&self, node: NodeId, at: u32, raw: &[u8]) -> Result<TextRecord> {
        let pieces = self.text_place(node)?.pieces;
        let n_variants = self.head.variants.all.len();
        let text = TextRecord::decode(raw, n_variants, at as usize, pieces.len())?;
        let mut own = pieces.iter().skip(at as usize).take(1);
        if own.any(|piece| piece.n_sections as usize != text.sections.len()) {
            return Err(lying_piece());
        }
        Ok(text)
    }

    /// Takes in a term part or a part of general words.
    fn supply_terms(&self, kind: PartKind, i: u32, raw: &[u8]) -> Result<()> {
        let (slots, first) = match kind {
            PartKind::General => (&self.general, self.n_terms()),
            _ => (&self.terms, 0),
        };
        let part = TermPart::decode(raw, first + i, &self.term_limits())?;
        fill(slots, i, part);
        Ok(())
    }

    /// Bounds of the numbers in a term part or a part of general words.
    fn term_limits(&self) -> Limits {
        let p = &self.head.parameters;
        Limits {
            n_nodes: p.n_nodes,
            n_parts: self.n_terms() + self.head.general_keys.len() as u32,
            dims: p.dims as usize,
            bits: p.term_bits,
        }
    }

    /// Part `i` of the directories' vectors.
    fn directory_rows(&self, raw: &[u8], i: u32) -> Result<VectorRows> {
        let rest = self.head.directories.len() - i as usize * DIRECTORY_ROWS;
        let (n, p) = (2 * rest.min(DIRECTORY_ROWS), &self.head.parameters);
        let (dims, bits) = (p.dims as usize, p.node_bits);
        if raw.len() != VectorRows::packed_len(n, dims, bits) {
            let how = "it is not as long as its rows need";
            return Err(Error::damaged("vector part", how));
        }
        VectorRows::unpack(raw, n, dims, bits)
    }
}
