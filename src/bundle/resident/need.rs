//! Needs of a step: the parts and texts that it can lack.

use crate::base::id::NodeId;
use crate::bundle::{MAX_INDEX_BYTES, MAX_PART_BYTES, PartKind};

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
    pub(super) fn node(self) -> NodeId {
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
