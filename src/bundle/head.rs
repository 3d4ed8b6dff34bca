//! The head, which is read first and always: its tables, and the look-ups in them.

mod code;

use crate::base::id::NodeId;
use crate::bundle::Variants;
use crate::bundle::spelling::lists_forward;
use crate::vectors::VectorRows;
use std::ops::Range;

/// Kinds of parts, in the order in which the parts lie in their packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// A range of the dictionary with postings and vectors; found by the first surface.
    Terms,
    /// A range of reversed surfaces, for spelling; found by the first reversed surface.
    Spelling,
    /// Names, titles and abstracts of a range of nodes.
    Branch,
    /// Places of the texts of the same range, and the vectors of its files.
    Blocks,
    /// Vectors of [`DIRECTORY_ROWS`] directories.
    Directories,
    /// Vectors of the sections of the same range.
    SectionVectors,
    /// Links from the nodes of the same range.
    Links,
    /// Facts of [`super::ATTRIBUTE_NODES`] nodes that filters test.
    Attributes,
    /// Entities and relations of the whole site: one part, or none.
    Graph,
    /// A range of the language's words that the site's dictionary lacks; found by the first surface.
    General,
}

/// Number of kinds.
const N_KINDS: usize = 10;

impl PartKind {
    /// All kinds, in order.
    pub const ALL: [Self; N_KINDS] = [
        Self::Terms,
        Self::Spelling,
        Self::Branch,
        Self::Blocks,
        Self::Directories,
        Self::SectionVectors,
        Self::Links,
        Self::Attributes,
        Self::Graph,
        Self::General,
    ];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terms => "terms",
            Self::Spelling => "spelling",
            Self::Branch => "branches",
            Self::Blocks => "blocks",
            Self::Directories => "directory vectors",
            Self::SectionVectors => "section vectors",
            Self::Links => "links",
            Self::Attributes => "attributes",
            Self::Graph => "graph",
            Self::General => "general words",
        }
    }
}

/// The place of a part in its pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartAddress {
    /// Index into [`Head::packs`].
    pub pack: u32,
    /// First byte in the pack.
    pub offset: u64,
    /// Stored bytes.
    pub len: u32,
}

/// Directories of a part of directory vectors; the last part of a bundle has fewer.
pub const DIRECTORY_ROWS: usize = 256;

/// Bytes of a content's hash that name its pack.
pub const PACK_HASH: usize = 6;
/// End of the names of pack files.
pub const PACK_EXTENSION: &str = ".pack";

/// A file of parts or texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// File name ([`Pack::name_of`] its content's hash), or empty: the bytes follow the head in the same file.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
}

impl Pack {
    /// The file name of a pack whose content's SHA-256 begins with `hash`.
    pub fn name_of(hash: [u8; PACK_HASH]) -> String {
        let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
        let mut name: String = hash
            .iter()
            .flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)])
            .collect();
        name.push_str(PACK_EXTENSION);
        name
    }

    /// The hash in a name that [`Pack::name_of`] made.
    fn hash(&self) -> [u8; PACK_HASH] {
        let mut hash = [0; PACK_HASH];
        for (byte, digits) in hash.iter_mut().zip(self.name.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).ok();
            *byte = digits
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .unwrap_or(0);
        }
        hash
    }
}

/// Numbers that hold for the whole bundle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters {
    /// Directories and files.
    pub n_nodes: u32,
    /// Files.
    pub n_files: u32,
    /// Sections of files.
    pub n_sections: u32,
    /// Stems with postings.
    pub n_terms: u32,
    /// Vector dimensions; 0: no vectors.
    pub dims: u32,
    /// Bits per dimension of term vectors.
    pub term_bits: u8,
    /// Bits per dimension of node and section vectors.
    pub node_bits: u8,
    /// Who made the vectors (name and fingerprint); empty without vectors.
    pub encoder: String,
    /// Default weight of the vector score.
    pub alpha: f32,
    /// Mean number of terms of a title.
    pub average_title: f32,
    /// Number of blocks of nodes, nearest to the query, whose vectors are scored besides those of the keyword hits;
    /// 0: all.
    pub probes: u32,
    /// True if section vectors take part in the score (they do where everything is resident).
    pub section_vectors: bool,
    /// True if somebody chose the first pages of a query.
    pub pins: bool,
    /// True if the bundle's host is said to answer several ranges of a file in one response.
    pub joins_ranges: bool,
}

/// A directory. Directories stand in node order; the first is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Its node.
    pub node: NodeId,
    /// Index of the parent in [`Head::directories`]; the root is its own parent.
    pub parent: u32,
    /// First node of its children: they are `first_child..first_child + n_children`.
    pub first_child: u32,
    /// Number of children.
    pub n_children: u32,
    /// End of everything below: `first_child..end`.
    pub end: u32,
    /// Last segment of its path; empty for the root.
    pub name: String,
}

/// A validated head.
#[derive(Debug, Clone)]
pub struct Head {
    /// Version of Knarr that wrote the bundle.
    pub generator: String,
    /// Name of the tree.
    pub name: String,
    /// Numbers that hold for the whole bundle.
    pub parameters: Parameters,
    /// Files of parts and texts. Texts begin at pack [`Head::first_text_pack`].
    pub packs: Vec<Pack>,
    /// First pack of texts.
    pub first_text_pack: u32,
    /// Directories in node order.
    pub directories: Vec<Directory>,
    /// First node of each block of nodes; block `g` is `block_starts[g]..block_starts[g+1]`.
    pub block_starts: Vec<u32>,
    /// First name of each block, to find a file in a wide directory without loading every branch.
    pub block_names: Vec<String>,
    /// Languages, versions, translations and damping of the nodes.
    pub variants: Variants,
    /// One row per block of nodes: the mean of its files. None where a question looks at all blocks.
    pub block_vectors: VectorRows,
    /// First surface of each term part.
    pub term_keys: Vec<String>,
    /// First reversed surface of each spelling part.
    pub spelling_keys: Vec<String>,
    /// First surface of each part of general words.
    pub general_keys: Vec<String>,
    /// Addresses by kind, in the order of [`PartKind::ALL`].
    pub parts: [Vec<PartAddress>; N_KINDS],
    /// Length of the head's file before any embedded pack.
    pub head_bytes: u64,
}

/// The part where `key` would stand, by the first keys of all parts.
fn part_at(keys: &[String], key: &str) -> Option<u32> {
    let behind = keys.partition_point(|first| first.as_str() <= key);
    (!keys.is_empty()).then_some(behind.saturating_sub(1) as u32)
}

/// The parts that may hold keys with `prefix`.
fn parts_at(keys: &[String], prefix: &str) -> Range<u32> {
    let Some(first) = part_at(keys, prefix) else {
        return 0..0;
    };
    let more = keys[first as usize + 1..].iter();
    let more = more.take_while(|key| key.starts_with(prefix)).count();
    first..first + 1 + more as u32
}

impl Head {
    /// Nodes of block `block`, half-open.
    pub fn block_range(&self, block: usize) -> (u32, u32) {
        let end = self
            .block_starts
            .get(block + 1)
            .copied()
            .unwrap_or(self.parameters.n_nodes);
        (self.block_starts[block], end)
    }

    /// Files among the nodes of block `block`.
    pub fn files_in(&self, block: usize) -> impl Iterator<Item = NodeId> + '_ {
        let (from, to) = self.block_range(block);
        let first = self.directories.partition_point(|d| d.node.0 < from);
        let mut directories = self.directories[first..].iter().map(|d| d.node).peekable();
        let nodes = (from..to).map(NodeId);
        nodes.filter(move |node| directories.next_if_eq(node).is_none())
    }

    /// The dictionary part where `surface` would stand; `None` without a dictionary.
    pub fn term_part(&self, surface: &str) -> Option<u32> {
        part_at(&self.term_keys, surface)
    }

    /// The part of general words where `surface` would stand, by its number after the dictionary's.
    pub fn general_part(&self, surface: &str) -> Option<u32> {
        let own = part_at(&self.general_keys, surface)?;
        Some(self.term_keys.len() as u32 + own)
    }

    /// The dictionary parts that may hold surfaces with `prefix`.
    pub fn term_parts(&self, prefix: &str) -> Range<u32> {
        parts_at(&self.term_keys, prefix)
    }

    /// The spelling parts that may hold keys with `prefix`.
    pub fn spelling_parts(&self, prefix: &str) -> Range<u32> {
        parts_at(&self.spelling_keys, prefix)
    }

    /// True if the spelling parts list surfaces by their first letters, too.
    pub fn lists_forward(&self) -> bool {
        lists_forward(self.term_keys.len())
    }

    /// The block that holds `node`.
    pub fn block_of(&self, node: NodeId) -> usize {
        self.block_starts
            .partition_point(|&s| s <= node.0)
            .saturating_sub(1)
    }

    /// Index of the directory whose node is `node`.
    pub fn directory_at(&self, node: NodeId) -> Option<usize> {
        self.directories
            .binary_search_by_key(&node, |d| d.node)
            .ok()
    }

    /// The directory that `node` is a child of; the root's is the root.
    pub fn parent_of(&self, node: NodeId) -> usize {
        // Children blocks do not overlap and do not nest, so the one that holds the node is the only one.
        self.directories
            .iter()
            .position(|d| (d.first_child..d.first_child + d.n_children).contains(&node.0))
            .unwrap_or(0)
    }

    /// Path segments of directory `index` below the root.
    pub fn directory_path(&self, mut index: usize) -> Vec<&str> {
        let mut segments = Vec::new();
        while index != 0 {
            segments.push(self.directories[index].name.as_str());
            index = self.directories[index].parent as usize;
        }
        segments.reverse();
        segments
    }

    /// Pack and offset in it of a position in the texts' common space. `None` when no pack holds the whole range.
    pub fn text_place(&self, offset: u64, len: u32) -> Option<(u32, u64)> {
        let mut start = 0;
        for (i, pack) in self
            .packs
            .iter()
            .enumerate()
            .skip(self.first_text_pack as usize)
        {
            let end = start + pack.bytes;
            if offset < end {
                return (offset + u64::from(len) <= end).then_some((i as u32, offset - start));
            }
            start = end;
        }
        None
    }

    /// Position of an embedded pack in the head's file.
    pub fn embedded_offset(&self, pack: u32) -> u64 {
        let before = &self.packs[..pack as usize];
        self.head_bytes
            + before
                .iter()
                .filter(|p| p.name.is_empty())
                .map(|p| p.bytes)
                .sum::<u64>()
    }
}
