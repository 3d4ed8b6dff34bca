//! Inputs and outputs of a walk: rows, the space they come from, rounds and hits.

use super::options::Levels;
use super::trace::{Counts, Event};
use crate::base::id::NodeId;
use std::cmp::Ordering;

/// A row of the index with its score for the query. A directory has two, levels 0 and 1; a file one, level 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Node that is scored.
    pub node: NodeId,
    /// 0 abstract, 1 overview, 2 content.
    pub level: u8,
    /// Relevance by the index, larger is better.
    pub score: f32,
    /// Hotness in [0, 1]; see [`crate::find::walk::hotness::hotness`].
    pub hotness: f32,
    /// True if the row may be a result. A directory that the caller's filter keeps out still leads to its children.
    pub admitted: bool,
}

/// The rows of a context tree, scored for one query and cut to the caller's scope.
///
/// Both searches are ordered by score descending, then URI and level ascending.
pub trait Space {
    /// Names a part of the bundle that has to be loaded.
    type Part;

    /// The best rows of `levels` in scope, at most `limit`. Errors: the parts needed first.
    fn global(&self, levels: Levels, limit: usize) -> Result<Vec<Row>, Vec<Self::Part>>;

    /// The best rows of `directory` itself and of its direct children, at most `limit`. Errors: the parts needed first.
    fn children(&self, directory: NodeId, limit: usize) -> Result<Vec<Row>, Vec<Self::Part>>;

    /// Compares two nodes by URI.
    fn cmp_uri(&self, a: NodeId, b: NodeId) -> Ordering;
}

/// Rows that need scores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Round {
    /// The rows, group by group. A node can occur in several groups.
    pub rows: Vec<Row>,
    /// One group per search.
    pub groups: Vec<Group>,
}

/// The rows that one search gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// The opened directory; `None` for the global search.
    pub directory: Option<NodeId>,
    /// The directory's score, which it passes on; 0 passes nothing on.
    pub score: f32,
    /// First row in [`Round::rows`].
    pub start: usize,
    /// One past the last row.
    pub end: usize,
}

/// A result: the best row of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Node that is scored.
    pub node: NodeId,
    /// Level of the row.
    pub level: u8,
    /// Final score, hotness included.
    pub score: f32,
    /// Score before hotness.
    pub semantic: f32,
    /// The row's hotness.
    pub hotness: f32,
}

/// The outcome of a walk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Results, best first, at most the limit.
    pub hits: Vec<Hit>,
    /// Totals.
    pub counts: Counts,
    /// The trace of the walk; empty without the option.
    pub trace: Vec<Event<NodeId>>,
}
