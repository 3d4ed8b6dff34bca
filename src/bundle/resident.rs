//! The resident parts of a bundle. Parts that have arrived stay; looking up one that has not is noted as a need.
//!
//! The core is a pure function that runs again once the parts it asked for are there. It asks for all it can see it
//! needs before it gives up, so a question takes a few rounds and not one per part.

mod address;
mod need;
mod supply;
mod texts;

pub use need::{Missing, Need};

#[cfg(feature = "full")]
use super::Kept;
use super::block::{Block, SectionRows};
use super::{Attributes, Branch, DIRECTORY_ROWS, Head, Links, PartKind, SpellPart, TextRecord};
use crate::base::id::NodeId;
use crate::bundle::stems::TermPart;
#[cfg(feature = "full")]
use crate::graph::EntityGraph;
use crate::vectors::{QueryVector, VectorRows};
use std::cell::RefCell;
use std::rc::Rc;

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
}
