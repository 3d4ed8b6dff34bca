//! Texts of nodes, whole or the pieces that a result shows.

use super::{Missing, Need, Resident, fill, filled};
use crate::base::id::NodeId;
#[cfg(feature = "full")]
use crate::bundle::Kept;
use crate::bundle::piece::Piece;
use crate::bundle::{TextRecord, TextView};
use std::rc::Rc;

impl Resident {
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

    /// The kept record of a node; `None` when it has none. Asks for its branch first where that is missing.
    #[cfg(feature = "full")]
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
}
