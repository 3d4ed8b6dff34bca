//! The head: what is read first and always.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::bundle::stems::{next_front_coded, put_front_coded};
use crate::bundle::{ATTRIBUTE_NODES, FORMAT, MAGIC, PREAMBLE, Variants, open_sealed, seal};
use crate::vectors::{VectorRows, quantize};
use sha2::{Digest, Sha256};

/// What a part holds. The order is the order in which the parts lie in their packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartKind {
    /// A range of the dictionary with postings and vectors; found by the first surface.
    Terms,
    /// A range of reversed surfaces, for spelling; found by the first reversed surface.
    Spelling,
    /// Names, titles and abstracts of a range of nodes.
    Branch,
    /// Vectors of the files of the same range.
    Vectors,
    /// Vectors of the sections of the same range.
    SectionVectors,
    /// Links from the nodes of the same range.
    Links,
    /// What filters read of [`super::ATTRIBUTE_NODES`] nodes.
    Attributes,
    /// Entities and relations of the whole site: one part, or none.
    Graph,
}

/// Number of kinds.
const N_KINDS: usize = 8;

impl PartKind {
    /// All kinds, in order.
    pub const ALL: [Self; N_KINDS] = [
        Self::Terms,
        Self::Spelling,
        Self::Branch,
        Self::Vectors,
        Self::SectionVectors,
        Self::Links,
        Self::Attributes,
        Self::Graph,
    ];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terms => "terms",
            Self::Spelling => "spelling",
            Self::Branch => "branches",
            Self::Vectors => "vectors",
            Self::SectionVectors => "section vectors",
            Self::Links => "links",
            Self::Attributes => "attributes",
            Self::Graph => "graph",
        }
    }
}

/// Where a part lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PartAddress {
    /// Index into [`Head::packs`].
    pub pack: u32,
    /// First byte in the pack.
    pub offset: u64,
    /// Stored bytes.
    pub len: u32,
    /// [`super::check_of`] the stored bytes.
    pub check: u32,
}

/// A file of parts or texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// File name (content hash and extension), or empty: the bytes follow the head in the same file.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
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
    /// How many blocks of nodes nearest to the query have their vectors looked at besides those of the keyword hits;
    /// 0: all.
    pub probes: u32,
    /// Whether section vectors take part in the score (they do where everything is resident).
    pub section_vectors: bool,
}

/// A directory. Directories stand in node order; the first is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    /// Its node.
    pub node: u32,
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
    /// Two rows per directory: L0, then L1.
    pub directory_vectors: VectorRows,
    /// One row per block of nodes: the mean of its files.
    pub block_vectors: VectorRows,
    /// First surface of each term part.
    pub term_keys: Vec<String>,
    /// First reversed surface of each spelling part.
    pub spelling_keys: Vec<String>,
    /// Addresses by kind, in the order of [`PartKind::ALL`].
    pub parts: [Vec<PartAddress>; N_KINDS],
    /// Length of the head's file before any embedded pack.
    pub head_bytes: u64,
}

fn damaged(what: &str) -> Error {
    Error::new(
        ErrorKind::BundleDamaged,
        format!("bundle head is damaged: {what}"),
    )
}

impl Head {
    /// Reads and proves a head at the start of `file`. Bytes after it belong to embedded packs.
    ///
    /// Errors: `BUNDLE_FORMAT` when these are not a bundle's bytes (an HTML error page, say), `BUNDLE_VERSION` when
    /// another format wrote them, `BUNDLE_DAMAGED` otherwise.
    pub fn decode(file: &[u8]) -> Result<Self> {
        let looks = file.len() >= MAGIC.len() && &file[..MAGIC.len()] == MAGIC;
        if !looks {
            let hint = if file.first() == Some(&b'<') {
                " (it looks like an HTML page)"
            } else {
                ""
            };
            return Err(Error::new(
                ErrorKind::BundleFormat,
                format!("this is not a Knarr bundle{hint}"),
            ));
        }
        let mut r = Reader::new(&file[MAGIC.len()..]);
        let version = u16::from_le_bytes([r.u8()?, r.u8()?]);
        if version != FORMAT {
            let newer = if version > FORMAT {
                "take a newer reader, or "
            } else {
                ""
            };
            let what = format!(
                "the bundle has format {version}, this reader knows format {FORMAT}: {newer}rebuild it with knarr {}",
                env!("CARGO_PKG_VERSION")
            );
            return Err(Error::new(ErrorKind::BundleVersion, what));
        }
        let len = r.u32()? as usize;
        let sum = r.take(16)?;
        let stored = r.take(len)?;
        if &Sha256::digest(stored)[..16] != sum {
            return Err(damaged("its checksum does not match"));
        }
        let mut head = Self::decode_body(&open_sealed(stored)?)?;
        head.head_bytes = (PREAMBLE + len) as u64;
        let embedded: u64 = head
            .packs
            .iter()
            .filter(|p| p.name.is_empty())
            .map(|p| p.bytes)
            .sum();
        if (file.len() - PREAMBLE - len) as u64 != embedded {
            return Err(damaged(
                "the file is not as long as it should be (was the download cut off?)",
            ));
        }
        Ok(head)
    }

    /// Writes the head's file, without embedded packs. The vectors are given as numbers: `dims` per row, two rows per
    /// directory (L0, L1), one per block.
    pub fn encode(&self, directory_vectors: &[f32], block_vectors: &[f32]) -> Vec<u8> {
        let stored = seal(&self.encode_body(directory_vectors, block_vectors));
        let mut w = Writer::default();
        w.raw(MAGIC);
        w.raw(&FORMAT.to_le_bytes());
        w.u32(stored.len() as u32);
        w.raw(&Sha256::digest(&stored)[..16]);
        w.raw(&stored);
        w.bytes
    }

    fn encode_body(&self, directory_vectors: &[f32], block_vectors: &[f32]) -> Vec<u8> {
        let mut w = Writer::default();
        w.str(&self.generator);
        w.str(&self.name);
        let p = &self.parameters;
        for n in [
            p.n_nodes,
            p.n_files,
            p.n_sections,
            p.n_terms,
            p.dims,
            p.probes,
        ] {
            w.varint(u64::from(n));
        }
        w.raw(&[p.term_bits, p.node_bits, u8::from(p.section_vectors)]);
        w.str(&p.encoder);
        w.f32(p.alpha);
        w.f32(p.average_title);
        w.len(self.packs.len());
        w.varint(u64::from(self.first_text_pack));
        for pack in &self.packs {
            w.str(&pack.name);
            w.varint(pack.bytes);
        }
        w.len(self.directories.len());
        for d in &self.directories {
            for n in [d.node, d.parent, d.first_child, d.n_children, d.end] {
                w.varint(u64::from(n));
            }
            w.str(&d.name);
        }
        w.len(self.block_starts.len());
        let mut last = (0, "");
        for (&start, name) in self.block_starts.iter().zip(&self.block_names) {
            w.varint(u64::from(start - last.0));
            put_front_coded(&mut w, last.1, name);
            last = (start, name);
        }
        self.variants.encode(&mut w);
        for (keys, kind) in [(&self.term_keys, 0), (&self.spelling_keys, 1)] {
            w.len(self.parts[kind].len());
            let mut last = "";
            for key in keys {
                put_front_coded(&mut w, last, key);
                last = key;
            }
        }
        let mut at = (0u32, 0u64);
        for addresses in &self.parts {
            w.len(addresses.len());
            for a in addresses {
                let next_pack = a.pack != at.0;
                w.varint(u64::from(a.len) << 1 | u64::from(next_pack));
                at = (a.pack, a.offset + u64::from(a.len));
            }
        }
        // Incompressible bytes last: they would dilute the rest.
        self.parts.iter().flatten().for_each(|a| w.u32(a.check));
        if p.dims > 0 {
            w.raw(&quantize(directory_vectors, p.dims as usize, p.node_bits));
            w.raw(&quantize(block_vectors, p.dims as usize, p.node_bits));
        }
        w.bytes
    }

    fn decode_body(body: &[u8]) -> Result<Self> {
        let r = &mut Reader::new(body);
        let generator = r.str()?.to_owned();
        let name = r.str()?.to_owned();
        let parameters = decode_parameters(r)?;
        let n_packs = r.count(2)?;
        let first_text_pack = r.var32()?;
        let mut packs = Vec::with_capacity(n_packs);
        for _ in 0..n_packs {
            let name = r.str()?.to_owned();
            if !is_pack_name(&name) {
                return Err(damaged("a pack has a name that no pack can have"));
            }
            packs.push(Pack {
                name,
                bytes: r.varint()?,
            });
        }
        let total = packs
            .iter()
            .try_fold(0u64, |sum, p| sum.checked_add(p.bytes));
        if first_text_pack as usize > n_packs || total.is_none_or(|t| t > 1 << 48) {
            return Err(damaged("the first text pack"));
        }
        let directories = decode_directories(r, parameters.n_nodes)?;
        let (block_starts, block_names) = decode_blocks(r, parameters.n_nodes)?;
        let variants = Variants::decode(r, parameters.n_nodes)?;
        let term_keys = decode_keys(r)?;
        let spelling_keys = decode_keys(r)?;
        let parts = decode_addresses(r, &packs[..first_text_pack as usize])?;
        let n_blocks = block_starts.len();
        let n_attributes = parameters.n_nodes.div_ceil(ATTRIBUTE_NODES) as usize;
        let expected = [
            (PartKind::Terms, term_keys.len()),
            (PartKind::Spelling, spelling_keys.len()),
            (PartKind::Branch, n_blocks),
            (PartKind::Attributes, n_attributes),
        ];
        let n_parts = |kind: PartKind| parts[kind as usize].len();
        if expected.iter().any(|&(kind, n)| n_parts(kind) != n)
            || n_parts(PartKind::Vectors) != if parameters.dims == 0 { 0 } else { n_blocks }
            || [PartKind::SectionVectors, PartKind::Links]
                .iter()
                .any(|&kind| ![0, n_blocks].contains(&n_parts(kind)))
            || n_parts(PartKind::Graph) > 1
        {
            return Err(damaged("the number of parts"));
        }
        let (dims, bits) = (parameters.dims as usize, parameters.node_bits);
        let mut rows = |n: usize| -> Result<VectorRows> {
            let n = if dims == 0 { 0 } else { n };
            let len = if n == 0 {
                0
            } else {
                VectorRows::packed_len(n, dims, bits)
            };
            VectorRows::unpack(r.take(len)?, n, dims, bits)
        };
        let directory_vectors = rows(directories.len() * 2)?;
        let block_vectors = rows(n_blocks)?;
        r.finish()?;
        Ok(Self {
            generator,
            name,
            parameters,
            packs,
            first_text_pack,
            directories,
            block_starts,
            block_names,
            variants,
            directory_vectors,
            block_vectors,
            term_keys,
            spelling_keys,
            parts,
            head_bytes: 0,
        })
    }

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
    pub fn files_in(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        let (from, to) = self.block_range(block);
        let first = self.directories.partition_point(|d| d.node < from);
        let mut directories = self.directories[first..].iter().map(|d| d.node).peekable();
        (from..to).filter(move |node| directories.next_if_eq(node).is_none())
    }

    /// The block that holds `node`.
    pub fn block_of(&self, node: u32) -> usize {
        self.block_starts
            .partition_point(|&s| s <= node)
            .saturating_sub(1)
    }

    /// Index of the directory whose node is `node`.
    pub fn directory_at(&self, node: u32) -> Option<usize> {
        self.directories
            .binary_search_by_key(&node, |d| d.node)
            .ok()
    }

    /// The directory that `node` is a child of; the root's is the root.
    pub fn parent_of(&self, node: u32) -> usize {
        // Children blocks do not overlap and do not nest, so the one that holds the node is the only one.
        self.directories
            .iter()
            .position(|d| (d.first_child..d.first_child + d.n_children).contains(&node))
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

/// Pack names are made by the builder: letters, digits, one dot. Nothing that could leave the bundle's folder.
fn is_pack_name(name: &str) -> bool {
    name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
        && !name.starts_with('.')
}

fn decode_parameters(r: &mut Reader<'_>) -> Result<Parameters> {
    let mut n = [0u32; 6];
    for value in &mut n {
        *value = r.var32()?;
    }
    let [n_nodes, n_files, n_sections, n_terms, dims, probes] = n;
    let (term_bits, node_bits) = (r.u8()?, r.u8()?);
    let section_vectors = r.u8()? != 0;
    if n_files > n_nodes || n_nodes == 0 || dims > 4096 {
        return Err(damaged("its counts contradict each other"));
    }
    if [term_bits, node_bits].iter().any(|b| ![4, 8].contains(b)) {
        return Err(damaged("the bits of a vector"));
    }
    let encoder = r.str()?.to_owned();
    let (alpha, average_title) = (r.f32()?, r.f32()?);
    if !(0.0..=1.0).contains(&alpha) || average_title < 0.0 {
        return Err(damaged("a parameter is out of range"));
    }
    Ok(Parameters {
        n_nodes,
        n_files,
        n_sections,
        n_terms,
        dims,
        term_bits,
        node_bits,
        encoder,
        alpha,
        average_title,
        probes,
        section_vectors,
    })
}

fn decode_directories(r: &mut Reader<'_>, n_nodes: u32) -> Result<Vec<Directory>> {
    let n = r.count(6)?;
    let mut directories: Vec<Directory> = Vec::with_capacity(n);
    for i in 0..n {
        let mut v = [0u32; 5];
        for value in &mut v {
            *value = r.var32()?;
        }
        let [node, parent, first_child, n_children, end] = v;
        let name = r.str()?.to_owned();
        let children_end = first_child
            .checked_add(n_children)
            .ok_or_else(|| damaged("a directory's children"))?;
        let is_root = i == 0;
        let in_order = directories.last().is_none_or(|d| d.node < node);
        let parent_ok = if is_root {
            parent == 0 && node == 0 && name.is_empty()
        } else {
            (parent as usize) < i
        };
        let inside = is_root
            || directories.get(parent as usize).is_some_and(|p| {
                (p.first_child..p.first_child + p.n_children).contains(&node) && end <= p.end
            });
        if !in_order
            || !parent_ok
            || !inside
            || first_child <= node
            || children_end > end
            || end > n_nodes
        {
            return Err(damaged("a directory contradicts the others"));
        }
        directories.push(Directory {
            node,
            parent,
            first_child,
            n_children,
            end,
            name,
        });
    }
    if directories.is_empty() {
        return Err(damaged("there is no root"));
    }
    Ok(directories)
}

/// Most nodes of a block that are accepted; the builder makes blocks of at most 96.
const MAX_BLOCK: u32 = 1024;

fn decode_blocks(r: &mut Reader<'_>, n_nodes: u32) -> Result<(Vec<u32>, Vec<String>)> {
    let n = r.count(3)?;
    let (mut starts, mut names) = (Vec::with_capacity(n), Vec::<String>::with_capacity(n));
    let mut start = 0u32;
    for i in 0..n {
        let step = r.var32()?;
        start = start
            .checked_add(step)
            .filter(|&s| s < n_nodes)
            .ok_or_else(|| damaged("a block of nodes"))?;
        if (i == 0) != (step == 0) {
            return Err(damaged("a block of nodes"));
        }
        starts.push(start);
        let name = next_front_coded(r, names.last().map_or("", String::as_str))?;
        names.push(name);
    }
    // Ties the number of nodes to bytes that are there: a tiny head must not ask for a huge table.
    let ends = starts.iter().skip(1).copied().chain([n_nodes]);
    if starts.is_empty()
        || starts
            .iter()
            .zip(ends)
            .any(|(&from, to)| to - from > MAX_BLOCK)
    {
        return Err(damaged("the blocks of nodes do not cover the nodes"));
    }
    Ok((starts, names))
}

fn decode_keys(r: &mut Reader<'_>) -> Result<Vec<String>> {
    let n = r.count(2)?;
    let mut keys: Vec<String> = Vec::with_capacity(n);
    for _ in 0..n {
        let key = next_front_coded(r, keys.last().map_or("", String::as_str))?;
        if keys.last().is_some_and(|last| *last >= key) {
            return Err(damaged("parts are not in order"));
        }
        keys.push(key);
    }
    Ok(keys)
}

fn decode_addresses(r: &mut Reader<'_>, packs: &[Pack]) -> Result<[Vec<PartAddress>; N_KINDS]> {
    let mut parts: [Vec<PartAddress>; N_KINDS] = Default::default();
    let (mut pack, mut offset) = (0u32, 0u64);
    for addresses in &mut parts {
        let n = r.count(1)?;
        for _ in 0..n {
            let coded = r.varint()?;
            if coded & 1 != 0 {
                (pack, offset) = (pack + 1, 0);
            }
            let len = u32::try_from(coded >> 1).map_err(|_| damaged("the length of a part"))?;
            let fits = packs
                .get(pack as usize)
                .is_some_and(|p| offset + u64::from(len) <= p.bytes);
            if !fits {
                return Err(damaged("a part lies outside its pack"));
            }
            addresses.push(PartAddress {
                pack,
                offset,
                len,
                check: 0,
            });
            offset += u64::from(len);
        }
    }
    for address in parts.iter_mut().flatten() {
        address.check = r.u32()?;
    }
    Ok(parts)
}
