//! The scope of a question: subtrees, and inside them the rows that the filter admits.

use crate::base::id::NodeId;
use crate::bundle::place;
use crate::bundle::place::Ranges;
#[cfg(feature = "full")]
use crate::find::onyx::guess::Guessed;
use crate::find::walk::Levels;

/// The rows a question may return. Outside of it nothing is scored, so a small scope is not drowned by a large site.
#[derive(Debug, Clone)]
pub struct Scope {
    pub(crate) ranges: Ranges,
    /// Levels of each node that the filter admits; without a filter all.
    pub(crate) admitted: Option<Vec<Levels>>,
    /// Filters that were guessed from the question.
    #[cfg(feature = "full")]
    pub guessed: Guessed,
}

impl Scope {
    /// Everything in `ranges`.
    pub fn new(ranges: Ranges) -> Self {
        Self {
            ranges,
            admitted: None,
            #[cfg(feature = "full")]
            guessed: Guessed::default(),
        }
    }

    /// True if `node` is scored: a row of it may be returned, or leads to one that may.
    pub fn holds(&self, node: NodeId) -> bool {
        place::within(&self.ranges, node)
            && self
                .admitted
                .as_ref()
                .is_none_or(|a| a[node.index()] != Levels::NONE)
    }

    /// True if the row of `node` at `level` may be returned.
    pub fn admits(&self, node: NodeId, level: u8) -> bool {
        place::within(&self.ranges, node)
            && self
                .admitted
                .as_ref()
                .is_none_or(|a| a[node.index()].contains(level))
    }

    /// True if any node of `from..to` may be returned.
    pub fn overlaps(&self, from: u32, to: u32) -> bool {
        let in_range = self.ranges.iter().any(|&(a, b)| a < to && from < b);
        in_range && (self.admitted.is_none() || (from..to).any(|node| self.holds(NodeId(node))))
    }

    /// True if any file may be returned.
    #[cfg(feature = "full")]
    pub fn has_file(&self) -> bool {
        let mut all = self.admitted.iter().flatten();
        self.admitted.is_none() || all.any(|levels| levels.contains(2))
    }

    /// The subtrees.
    pub fn ranges(&self) -> &Ranges {
        &self.ranges
    }
}
