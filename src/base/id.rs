//! Numbers that name things inside one bundle.

use super::order;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// A node of the context tree: its position in tree order, its row in the vector matrix and its document number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index into per-node tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node with its score: the currency of every ranked list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The result, by its position in the tree.
    pub node: NodeId,
    /// Its score, higher is better.
    pub score: f32,
}

impl Scored {
    /// The total order of ranked lists: best first, ties by node.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then(self.node.cmp(&other.node))
    }

    /// Sorts a list best first, ties by node.
    pub fn sort(list: &mut [Self]) {
        order::sort_by(list, Self::best_first);
    }
}
