//! Habits of a page's author with lists of definitions: each is read off the whole page, where a list first asks for it.

use super::entries::Entry;
use super::{behind, terms};
use crate::indexer::noise::{PageNode, Place};

/// The habits of a page that are known so far.
#[derive(Default)]
pub(super) struct Habits {
    has_anchors: Option<bool>,
    tells_behind: Option<bool>,
}

impl Habits {
    /// The entry that a term without an id is by its anchor, on a page of several.
    pub(super) fn anchored(&mut self, term: PageNode<'_>, place: Place) -> Option<Entry> {
        let entry = terms::of(term, place)?;
        let of_page = || terms::are_several(page_of(term), place);
        let has_anchors = *self.has_anchors.get_or_insert_with(of_page);
        has_anchors.then_some(entry)
    }

    /// The last of the elements behind a list that tell of its definition, on a page that tells so.
    pub(super) fn last_told<'a>(&mut self, list: PageNode<'a>) -> Option<PageNode<'a>> {
        let last = behind::last_told(list)?;
        let of_page = || behind::are_told_so(page_of(list));
        let tells_behind = *self.tells_behind.get_or_insert_with(of_page);
        tells_behind.then_some(last)
    }
}

fn page_of(node: PageNode<'_>) -> PageNode<'_> {
    node.ancestors().last().unwrap_or(node)
}
