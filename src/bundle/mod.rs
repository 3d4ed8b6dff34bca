//! Format 7 of the bundle: a head, and parts in packs. The full specification is `docs/FORMAT.md`.
//!
//! The head (`index.knarr`) is always read whole: parameters, directories, and the address of every part. Parts are
//! byte ranges of packs; a pack is a file named by its content's hash, or follows the head in the same file (the
//! one-file form). A part is compressed by itself and carries a check of its stored bytes.
//!
//! Invariant: what a decoder here returns is proved. Later code indexes without checking again.

mod attributes;
mod block;
mod blocks;
mod branch;
mod graph;
mod head;
mod kept;
mod links;
mod piece;
pub mod place;
mod resident;
mod seal;
mod spelling;
pub mod stems;
pub mod step;
mod text;
mod variants;

pub use attributes::{ATTRIBUTE_NODES, Attribute, Attributes, fold_tag, fold_value, normalize_tag};
pub use block::{Block, SectionRows, TextPlace};
pub use branch::{Branch, CopyRecord, NodeRecord};
#[cfg(feature = "index")]
pub use graph::encode_graph;
pub use head::{
    DIRECTORY_ROWS, Directory, Head, PACK_EXTENSION, PACK_HASH, Pack, Parameters, PartAddress,
    PartKind,
};
#[cfg(feature = "full")]
pub use kept::decode_kept;
pub use kept::{Kept, NodeExport, encode_kept, find_kept};
pub use links::{LinkRecord, Links, SimilarRecord};
pub use piece::Piece;
pub use resident::{Missing, Need, Resident};
pub use seal::{
    Packed, compress, compress_quickly, compress_text, decompress, is_sealed, packed, seal,
    seal_text, without_check,
};
pub use spelling::{SpellPart, forward, lists_forward, reversed, surface_of};
pub use text::{SectionText, TextRecord, TextView, content_of};
#[cfg(feature = "index")]
pub use variants::NodeVariants;
pub use variants::{Variant, Variants};

/// Version of the format that this code reads and writes.
pub const FORMAT: u16 = 7;
/// First bytes of every head.
pub const MAGIC: &[u8; 6] = b"KNARR\n";
/// Bytes before the compressed head: magic, version, stored length, checksum.
pub const PREAMBLE: usize = 6 + 2 + 4 + 16;
/// Most bytes of a decompressed record of texts or files, of a graph and of vectors: stops a damaged length from filling
/// memory.
pub const MAX_PART_BYTES: usize = 1 << 28;
/// Most bytes of the decompressed head and of any other part. What is read of them takes up to thirty times as much.
pub const MAX_INDEX_BYTES: usize = 1 << 24;
/// Most nodes of a bundle. A question keeps some numbers for each, so that there must be an end to what a head can ask for.
pub const MAX_NODES: u32 = 1 << 22;
