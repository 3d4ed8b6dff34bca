//! The resident parts of a bundle. Parts that have arrived stay; looking up one that has not is noted as a need.
//!
//! The core is a pure function that runs again once the parts it asked for are there. It asks for all it can see it
//! needs before it gives up, so a question takes a few rounds and not one per part.

use super::block::{Block, SectionRows, TextPlace};
use super::piece::Piece;
use super::{
    ATTRIBUTE_NODES, Attributes, Branch, DIRECTORY_ROWS, Head, Links, MAX_INDEX_BYTES,
    MAX_PART_BYTES, PartAddress, PartKind, SpellPart, TextRecord, TextView, is_sealed,
};
#[cfg(feature = "full")]
use super::{Kept, decode_kept};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::id::NodeId;
#[cfg(feature = "full")]
use crate::bundle::graph::decode_graph;
use crate::bundle::stems::{Limits, TermPart};
#[cfg(feature = "full")]
use crate::graph::EntityGraph;
use crate::vectors::{QueryVector, VectorRows};
use std::cell::RefCell;
use std::rc::Rc;

/// Something the core needs: a part, or the text of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Part number within its kind.
    Part(PartKind, u32),
    /// A piece of the text record of a node, whose block must be there; of most records, 0 is the whole.
    Text(NodeId, u32),
    /// Kept record of a node that has one; its branch must be there.
    #[cfg(feature = "full")]
    Kept(NodeId),
}

impl Need {
    /// The node of a record; 0 for parts.
    fn node(self) -> NodeId {
        match self {
            Self::Part(..) => NodeId(0),
            Self::Text(node, _) => node,
            #[cfg(feature = "full")]
            Self::Kept(node) => node,
        }
    }

    /// Most bytes of it when decompressed.
    pub fn most_bytes(self) -> usize {
        use PartKind::{Blocks, Directories, Graph, SectionVectors};
        match self {
            Self::Part(Blocks | Directories | Graph | SectionVectors, _) => MAX_PART_BYTES,
            Self::Part(..) => MAX_INDEX_BYTES,
            _ => MAX_PART_BYTES,
        }
    }
}

/// Why the core stopped: parts are missing and were noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing;

/// Decoded parts of one bundle.
pub struct Resident {
    head: Head,
    terms: Slots<TermPart>,
    spelling: Slots<SpellPart>,
    branches: Slots<Branch>,
    blocks: Slots<Block>,
    directories: Slots<VectorRows>,
    section_vectors: Slots<SectionRows>,
    links: Slots<Links>,
    attributes: Slots<Attributes>,
    #[cfg(feature = "full")]
    graph: Slots<EntityGraph>,
    general: Slots<TermPart>,
    texts: Slots<TextRecord>,
    /// Pieces of long texts, by node and number.
    pieces: RefCell<Vec<(NodeId, u32, Rc<TextRecord>)>>,
    #[cfg(feature = "full")]
    kept: Slots<Vec<Kept>>,
    needs: RefCell<Vec<Need>>,
}

/// By number; a slot is filled once its part is there.
type Slots<T> = RefCell<Vec<Option<Rc<T>>>>;

fn slots<T>(n: usize) -> Slots<T> {
    RefCell::new((0..n).map(|_| None).collect())
}

fn filled<T>(slots: &Slots<T>, index: u32) -> Option<Rc<T>> {
    slots.borrow().get(index as usize).cloned().flatten()
}

fn fill<T>(slots: &Slots<T>, index: u32, part: impl Into<Rc<T>>) {
    if let Some(slot) = slots.borrow_mut().get_mut(index as usize) {
        *slot = Some(part.into());
    }
}

impl Resident {
    /// A store with nothing in it but the head.
    pub fn new(head: Head) -> Self {
        let [
            terms,
            spelling,
            branches,
            blocks,
            directories,
            section_vectors,
            links,
            attributes,
            _,
            general,
        ] = head.parts.each_ref().map(|p| p.len());
        Self {
            terms: slots(terms),
            spelling: slots(spelling),
            branches: slots(branches),
            blocks: slots(blocks),
            directories: slots(directories),
            section_vectors: slots(section_vectors),
            links: slots(links),
            attributes: slots(attributes),
            #[cfg(feature = "full")]
            graph: slots(head.parts[PartKind::Graph as usize].len()),
            general: slots(general),
            texts: slots(head.parameters.n_nodes as usize),
            pieces: RefCell::default(),
            #[cfg(feature = "full")]
            kept: slots(head.parameters.n_nodes as usize),
            needs: RefCell::default(),
            head,
        }
    }

    /// Head of the bundle, always resident.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// A term part; those of general words are numbered after the dictionary's.
    pub fn terms(&self, index: u32) -> Result<Rc<TermPart>, Missing> {
        match index.checked_sub(self.n_terms()) {
            None => self.get(&self.terms, Need::Part(PartKind::Terms, index), index),
            Some(index) => self.get(&self.general, Need::Part(PartKind::General, index), index),
        }
    }

    /// Parts of the dictionary.
    pub fn n_terms(&self) -> u32 {
        self.head.term_keys.len() as u32
    }

    /// A spelling part.
    pub fn spelling(&self, index: u32) -> Result<Rc<SpellPart>, Missing> {
        self.get(&self.spelling, Need::Part(PartKind::Spelling, index), index)
    }

    /// The branch part of a block of nodes.
    pub fn branch(&self, block: usize) -> Result<Rc<Branch>, Missing> {
        self.get(
            &self.branches,
            Need::Part(PartKind::Branch, block as u32),
            block as u32,
        )
    }

    /// The places of the texts of a block's nodes, and the vectors of its files, in node order.
    pub fn block(&self, block: usize) -> Result<Rc<Block>, Missing> {
        let need = Need::Part(PartKind::Blocks, block as u32);
        self.get(&self.blocks, need, block as u32)
    }

    /// The vectors of the directories from `index` × [`DIRECTORY_ROWS`] on: two rows for each, L0, then L1.
    pub fn directory_vectors(&self, index: usize) -> Result<Rc<VectorRows>, Missing> {
        let need = Need::Part(PartKind::Directories, index as u32);
        self.get(&self.directories, need, index as u32)
    }

    /// The similarities of a directory's L0 and L1, by its index in the head.
    pub fn directory_scores(
        &self,
        directory: usize,
        query: &QueryVector,
    ) -> Result<[f32; 2], Missing> {
        let rows = self.directory_vectors(directory / DIRECTORY_ROWS)?;
        let first = directory % DIRECTORY_ROWS * 2;
        Ok([first, first + 1].map(|row| rows.score(row, query)))
    }

    /// The section vectors of a block of nodes, in the order of its files' sections.
    pub fn section_vectors(&self, block: usize) -> Result<Rc<SectionRows>, Missing> {
        self.get(
            &self.section_vectors,
            Need::Part(PartKind::SectionVectors, block as u32),
            block as u32,
        )
    }

    /// Links and similar pages of a block of nodes.
    pub fn links(&self, block: usize) -> Result<Rc<Links>, Missing> {
        self.get(
            &self.links,
            Need::Part(PartKind::Links, block as u32),
            block as u32,
        )
    }

    /// The attributes of the nodes from `index` × [`ATTRIBUTE_NODES`] on.
    pub fn attributes(&self, index: u32) -> Result<Rc<Attributes>, Missing> {
        let need = Need::Part(PartKind::Attributes, index);
        self.get(&self.attributes, need, index)
    }

    /// The entity graph; asking a bundle without one is an error of the caller.
    #[cfg(feature = "full")]
    pub fn graph(&self) -> Result<Rc<EntityGraph>, Missing> {
        self.get(&self.graph, Need::Part(PartKind::Graph, 0), 0)
    }

    /// The text record of a node. Asks first for its block, where neither that nor the branch is there: both say where
    /// it lies.
    pub fn text(&self, node: NodeId) -> Result<Rc<TextRecord>, Missing> {
        if let Some(text) = filled(&self.texts, node.0) {
            return Ok(text);
        }
        let n_pieces = self.pieces_of(node)?.len().max(1);
        let mut found = (0..n_pieces as u32).map(|at| self.piece(node, at));
        let first = found.next().flatten();
        // Every piece is looked up, so that all are asked for together.
        let others: Vec<_> = found.collect();
        let mut whole = first.ok_or(Missing)?;
        for next in others {
            Rc::make_mut(&mut whole).join(&*next.ok_or(Missing)?);
        }
        fill(&self.texts, node.0, Rc::clone(&whole));
        self.pieces.borrow_mut().retain(|(n, ..)| *n != node);
        Ok(whole)
    }

    /// Of the text record of a node, what shows the sections that `choose` names, given how many there are. Of a long one
    /// only their pieces are fetched.
    pub fn view(
        &self,
        node: NodeId,
        choose: impl FnOnce(usize) -> Vec<usize>,
    ) -> Result<TextView, Missing> {
        let pieces = self.pieces_of(node)?;
        if pieces.is_empty() || filled(&self.texts, node.0).is_some() {
            return self.text(node).map(TextView::whole);
        }
        let n_sections = pieces.iter().map(|piece| piece.n_sections as usize).sum();
        let chosen = choose(n_sections);
        let (mut from, mut found, mut is_missing) = (0, Vec::new(), false);
        for (i, piece) in (0..).zip(&pieces) {
            let to = from + piece.n_sections as usize;
            if i == 0 || chosen.iter().any(|at| (from..to).contains(at)) {
                let at = self.piece(node, i);
                is_missing |= at.is_none();
                found.extend(at.map(|piece| (from, piece)));
            }
            from = to;
        }
        let mut found = found.into_iter();
        match found.next().filter(|_| !is_missing) {
            Some((_, first)) => Ok(TextView::of(first, found, n_sections)),
            None => Err(Missing),
        }
    }

    /// A piece of a text; `None` after noting that it is needed.
    fn piece(&self, node: NodeId, at: u32) -> Option<Rc<TextRecord>> {
        let pieces = self.pieces.borrow();
        let found = pieces.iter().find(|(n, i, _)| (*n, *i) == (node, at));
        if found.is_none() {
            self.needs.borrow_mut().push(Need::Text(node, at));
        }
        found.map(|(_, _, piece)| Rc::clone(piece))
    }

    /// The pieces of a text, none of which is the whole. Asks for the block of the node, if neither it nor its branch says
    /// where the text lies.
    fn pieces_of(&self, node: NodeId) -> Result<Vec<Piece>, Missing> {
        let block = self.head.block_of(node);
        if filled(&self.branches, block as u32).is_none() {
            self.block(block)?;
        }
        Ok(self.text_place(node).map_or(Vec::new(), |p| p.pieces))
    }

    #[cfg(feature = "full")]
    /// The kept record of a node; `None` when it has none. Asks for its branch first where that is missing.
    pub fn kept(&self, node: NodeId) -> Result<Option<Rc<Vec<Kept>>>, Missing> {
        let block = self.head.block_of(node);
        let branch = self.branch(block)?;
        let record = &branch.nodes[(node.0 - self.head.block_starts[block]) as usize];
        if record.kept_len == 0 {
            return Ok(None);
        }
        self.get(&self.kept, Need::Kept(node), node.0).map(Some)
    }

    /// Lets the texts of a node go: a grep over a whole site must not keep the whole site.
    pub fn forget_text(&self, node: NodeId) {
        if let Some(slot) = self.texts.borrow_mut().get_mut(node.index()) {
            *slot = None;
        }
        self.pieces.borrow_mut().retain(|(n, ..)| *n != node);
        #[cfg(feature = "full")]
        if let Some(slot) = self.kept.borrow_mut().get_mut(node.index()) {
            *slot = None;
        }
    }

    fn get<T>(&self, slots: &Slots<T>, need: Need, index: u32) -> Result<Rc<T>, Missing> {
        if let Some(part) = filled(slots, index) {
            return Ok(part);
        }
        self.needs.borrow_mut().push(need);
        Err(Missing)
    }

    /// Takes the parts that were looked up and are not here; the list is empty afterwards.
    pub fn take_needs(&self) -> Vec<Need> {
        let mut needs = std::mem::take(&mut *self.needs.borrow_mut());
        crate::base::order::sort_by(&mut needs, Need::cmp);
        needs.dedup();
        needs
    }

    /// The place of a need's bytes. Errors: `INTERNAL` when the need is not of this bundle, `BUNDLE_DAMAGED` when a
    /// text lies outside the packs.
    pub fn address(&self, need: Need) -> Result<PartAddress> {
        match need {
            Need::Part(kind, index) => {
                let address = self.head.parts[kind as usize].get(index as usize).copied();
                address.ok_or_else(|| {
                    Error::new(
                        ErrorKind::FailedPrecondition,
                        format!("this bundle has no {} part {index}", kind.name()),
                    )
                })
            }
            _ => {
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
        }
    }

    /// The place of a node's text: as its block says, or its branch.
    fn text_place(&self, node: NodeId) -> Result<TextPlace> {
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

    /// Notes that parts cannot be had, and true if answers can do without them, as they can without general words: from
    /// now on they are empty.
    pub fn do_without(&self, needs: impl Iterator<Item = Need> + Clone) -> bool {
        let is_general = |need| matches!(need, Need::Part(PartKind::General, _));
        let can = needs.clone().all(is_general);
        for need in needs.filter(|_| can) {
            if let Need::Part(_, i) = need {
                fill(&self.general, i, TermPart::default());
            }
        }
        can
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

fn lying_piece() -> Error {
    Error::damaged("a text", "its pieces are not those that its block names")
}
