//! Numbers that name things, so that they cannot be mistaken for one another.

/// A directory or file: its position in the tree's order, its row in the vectors and its document id in the postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodeId(pub u32);
