//! The head as bytes: written, read, and proved.

use super::{
    DIRECTORY_ROWS, Directory, Head, N_KINDS, PACK_EXTENSION, PACK_HASH, Pack, Parameters,
    PartAddress, PartKind,
};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::id::NodeId;
use crate::bundle::stems::{FrontCoded, put_front_coded};
use crate::bundle::{
    ATTRIBUTE_NODES, FORMAT, MAGIC, MAX_INDEX_BYTES, MAX_NODES, PREAMBLE, Variants, compress,
    decompress,
};
use crate::vectors::{VectorRows, quantize};
use sha2::{Digest, Sha256};

/// The part, in errors.
const PART: &str = "bundle head";

impl Head {
    /// Reads and proves a head at the start of `file`. Bytes after it belong to embedded packs.
    ///
    /// Errors: `BUNDLE_FORMAT` when these are not a bundle's bytes (an HTML error page, say), `BUNDLE_VERSION` when
    /// another format wrote them, `BUNDLE_DAMAGED` otherwise.
    pub fn decode(file: &[u8]) -> Result<Self> {
        let stored = Self::stored(file)?;
        Self::read(
            &decompress(stored, MAX_INDEX_BYTES)?,
            stored.len(),
            file.len(),
        )
    }

    /// The stored form of the head at the start of `file`. Errors: as [`Head::decode`].
    pub fn stored(file: &[u8]) -> Result<&[u8]> {
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
            return Err(Error::damaged(PART, "its checksum does not match"));
        }
        Ok(stored)
    }

    /// Reads a head from its `body`, of which `n_stored` bytes are in a file of `n_file`. Errors: as [`Head::decode`].
    pub fn read(body: &[u8], n_stored: usize, n_file: usize) -> Result<Self> {
        let mut head = Self::decode_body(body)?;
        head.head_bytes = (PREAMBLE + n_stored) as u64;
        let embedded: u64 = head
            .packs
            .iter()
            .filter(|p| p.name.is_empty())
            .map(|p| p.bytes)
            .sum();
        if n_file as u64 != head.head_bytes + embedded {
            return Err(Error::damaged(
                PART,
                "the file is not as long as it should be (was the download cut off?)",
            ));
        }
        Ok(head)
    }

    /// Writes the head's file, without embedded packs. The vectors are given as numbers: `dims` per block, with
    /// length 1.
    pub fn encode(&self, block_vectors: &[f32]) -> Vec<u8> {
        let stored = compress(&self.encode_body(block_vectors));
        let mut w = Writer::default();
        w.raw(MAGIC);
        w.raw(&FORMAT.to_le_bytes());
        w.u32(stored.len() as u32);
        w.raw(&Sha256::digest(&stored)[..16]);
        w.raw(&stored);
        w.bytes
    }

    fn encode_body(&self, block_vectors: &[f32]) -> Vec<u8> {
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
        w.raw(&[
            p.term_bits,
            p.node_bits,
            u8::from(p.section_vectors) | u8::from(p.pins) << 1 | u8::from(p.joins_ranges) << 2,
        ]);
        w.str(&p.encoder);
        w.f32(p.alpha);
        w.f32(p.average_title);
        w.len(self.packs.len());
        w.varint(u64::from(self.first_text_pack));
        for (i, pack) in (0..).zip(&self.packs) {
            w.u8(u8::from(!pack.name.is_empty()));
            // Those of parts are as long as their parts together.
            if i >= self.first_text_pack {
                w.varint(pack.bytes);
            }
        }
        self.encode_nodes(&mut w);
        self.encode_parts(&mut w);
        self.variants.encode_quarters(&mut w);
        if has_block_vectors(p) {
            w.raw(&quantize(block_vectors, p.dims as usize, BLOCK_BITS));
        }
        // Incompressible bytes last: they would dilute the rest.
        let files = self.packs.iter().filter(|pack| !pack.name.is_empty());
        files.for_each(|pack| w.raw(&pack.hash()));
        w.bytes
    }

    /// Directories, blocks of nodes, and variants.
    fn encode_nodes(&self, w: &mut Writer) {
        w.len(self.directories.len());
        for d in &self.directories {
            for n in [d.node.0, d.parent, d.first_child, d.n_children, d.end] {
                w.varint(u64::from(n));
            }
            w.str(&d.name);
        }
        w.len(self.block_starts.len());
        let mut last = (0, "");
        for (&start, name) in self.block_starts.iter().zip(&self.block_names) {
            w.varint(u64::from(start - last.0));
            put_front_coded(w, last.1, name);
            last = (start, name);
        }
        self.variants.encode(w);
    }

    /// Keys and addresses of the parts.
    fn encode_parts(&self, w: &mut Writer) {
        for keys in [&self.term_keys, &self.spelling_keys, &self.general_keys] {
            w.len(keys.len());
            let mut last = "";
            for key in keys {
                put_front_coded(w, last, key);
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
    }

    fn decode_body(body: &[u8]) -> Result<Self> {
        let r = &mut Reader::new(body);
        let generator = r.str()?.to_owned();
        let name = r.str()?.to_owned();
        let parameters = decode_parameters(r)?;
        let (mut packs, first_text_pack) = decode_packs(r)?;
        let directories = decode_directories(r, parameters.n_nodes)?;
        let (block_starts, block_names) = decode_blocks(r, parameters.n_nodes)?;
        let mut variants = Variants::decode(r, parameters.n_nodes)?;
        let term_keys = decode_keys(r)?;
        let spelling_keys = decode_keys(r)?;
        let general_keys = decode_keys(r)?;
        let parts = decode_addresses(r, &mut packs[..first_text_pack as usize])?;
        variants.decode_quarters(r, parameters.n_nodes)?;
        check_lengths(&packs)?;
        let n_blocks = block_starts.len();
        let n_keys = [term_keys.len(), spelling_keys.len(), general_keys.len()];
        check_counts(&parts, &parameters, n_keys, [n_blocks, directories.len()])?;
        let (dims, bits) = (parameters.dims as usize, BLOCK_BITS);
        let n_rows = if has_block_vectors(&parameters) {
            n_blocks
        } else {
            0
        };
        let packed = match n_rows {
            0 => 0,
            n => VectorRows::packed_len(n, dims, bits),
        };
        let block_vectors = VectorRows::unpack(r.take(packed)?, n_rows, dims, bits)?;
        for pack in packs.iter_mut().filter(|pack| !pack.name.is_empty()) {
            let hash = r.take(PACK_HASH)?.try_into();
            pack.name =
                Pack::name_of(hash.map_err(|_| Error::damaged(PART, "the name of a pack"))?);
        }
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
            block_vectors,
            term_keys,
            spelling_keys,
            general_keys,
            parts,
            head_bytes: 0,
        })
    }
}

/// Bits of a number of the blocks' vectors, which only say what blocks are nearest.
const BLOCK_BITS: u8 = 2;

/// True where a question chooses among blocks.
fn has_block_vectors(p: &Parameters) -> bool {
    p.dims > 0 && p.probes > 0
}

/// Packs with the lengths of those of texts. Those that are files get their names at the end of the head: here they have
/// any.
fn decode_packs(r: &mut Reader<'_>) -> Result<(Vec<Pack>, u32)> {
    let n_packs = r.count(1)?;
    let first_text_pack = r.var32()?;
    let mut packs = Vec::with_capacity(n_packs);
    for i in 0..n_packs {
        let is_file = r.u8()? != 0;
        packs.push(Pack {
            name: if is_file { PACK_EXTENSION } else { "" }.to_owned(),
            bytes: if i < first_text_pack as usize {
                0
            } else {
                r.varint()?
            },
        });
    }
    if first_text_pack as usize > n_packs {
        return Err(Error::damaged(PART, "the first text pack"));
    }
    Ok((packs, first_text_pack))
}

fn check_lengths(packs: &[Pack]) -> Result<()> {
    let total = packs
        .iter()
        .try_fold(0u64, |sum, p| sum.checked_add(p.bytes));
    if total.is_none_or(|t| t > 1 << 48) {
        return Err(Error::damaged(PART, "the lengths of its packs"));
    }
    Ok(())
}

/// Proves that there are as many parts as keys, nodes, blocks and directories need.
fn check_counts(
    parts: &[Vec<PartAddress>; N_KINDS],
    parameters: &Parameters,
    n_keys: [usize; 3],
    [n_blocks, n_directories]: [usize; 2],
) -> Result<()> {
    let has_vectors = usize::from(parameters.dims > 0);
    let n_attributes = parameters.n_nodes.div_ceil(ATTRIBUTE_NODES) as usize;
    let expected = [
        (PartKind::Terms, n_keys[0]),
        (PartKind::Spelling, n_keys[1]),
        (PartKind::General, n_keys[2]),
        (PartKind::Branch, n_blocks),
        (PartKind::Blocks, n_blocks),
        (
            PartKind::Directories,
            n_directories.div_ceil(DIRECTORY_ROWS) * has_vectors,
        ),
        (PartKind::Attributes, n_attributes),
    ];
    let n_parts = |kind: PartKind| parts[kind as usize].len();
    if expected.iter().any(|&(kind, n)| n_parts(kind) != n)
        || [PartKind::SectionVectors, PartKind::Links]
            .iter()
            .any(|&kind| ![0, n_blocks].contains(&n_parts(kind)))
        || n_parts(PartKind::Graph) > 1
    {
        return Err(Error::damaged(PART, "the number of parts"));
    }
    Ok(())
}

fn decode_parameters(r: &mut Reader<'_>) -> Result<Parameters> {
    let mut n = [0u32; 6];
    for value in &mut n {
        *value = r.var32()?;
    }
    let [n_nodes, n_files, n_sections, n_terms, dims, probes] = n;
    let (term_bits, node_bits) = (r.u8()?, r.u8()?);
    let flags = r.u8()?;
    if n_files > n_nodes || n_nodes == 0 || n_nodes > MAX_NODES || dims > 4096 {
        return Err(Error::damaged(PART, "its counts contradict each other"));
    }
    if [term_bits, node_bits]
        .iter()
        .any(|b| ![3, 4, 8].contains(b))
    {
        return Err(Error::damaged(PART, "the bits of a vector"));
    }
    let encoder = r.str()?.to_owned();
    let (alpha, average_title) = (r.f32()?, r.f32()?);
    if !(0.0..=1.0).contains(&alpha) || average_title < 0.0 {
        return Err(Error::damaged(PART, "a parameter is out of range"));
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
        section_vectors: flags & 1 != 0,
        pins: flags & 2 != 0,
        joins_ranges: flags & 4 != 0,
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
            .ok_or_else(|| Error::damaged(PART, "a directory's children"))?;
        let is_root = i == 0;
        let in_order = directories.last().is_none_or(|d| d.node.0 < node);
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
            return Err(Error::damaged(PART, "a directory contradicts the others"));
        }
        directories.push(Directory {
            node: NodeId(node),
            parent,
            first_child,
            n_children,
            end,
            name,
        });
    }
    if directories.is_empty() {
        return Err(Error::damaged(PART, "there is no root"));
    }
    Ok(directories)
}

/// Most nodes of a block that are accepted; the builder makes blocks of at most 96.
const MAX_BLOCK: u32 = 1024;

fn decode_blocks(r: &mut Reader<'_>, n_nodes: u32) -> Result<(Vec<u32>, Vec<String>)> {
    let n = r.count(3)?;
    let (mut starts, mut names) = (Vec::with_capacity(n), Vec::<String>::with_capacity(n));
    let mut coded_names = FrontCoded::default();
    let mut start = 0u32;
    for i in 0..n {
        let step = r.var32()?;
        start = start
            .checked_add(step)
            .filter(|&s| s < n_nodes)
            .ok_or_else(|| Error::damaged(PART, "a block of nodes"))?;
        if (i == 0) != (step == 0) {
            return Err(Error::damaged(PART, "a block of nodes"));
        }
        starts.push(start);
        names.push(coded_names.next(r)?);
    }
    // Ties the number of nodes to bytes that are there: a tiny head must not ask for a huge table.
    let ends = starts.iter().skip(1).copied().chain([n_nodes]);
    if starts.is_empty()
        || starts
            .iter()
            .zip(ends)
            .any(|(&from, to)| to - from > MAX_BLOCK)
    {
        return Err(Error::damaged(
            PART,
            "the blocks of nodes do not cover the nodes",
        ));
    }
    Ok((starts, names))
}

fn decode_keys(r: &mut Reader<'_>) -> Result<Vec<String>> {
    let n = r.count(2)?;
    let mut keys = FrontCoded::default();
    (0..n).map(|_| keys.next_key(r)).collect()
}

/// Addresses of the parts, and with them the lengths of their packs.
fn decode_addresses(r: &mut Reader<'_>, packs: &mut [Pack]) -> Result<[Vec<PartAddress>; N_KINDS]> {
    let mut parts: [Vec<PartAddress>; N_KINDS] = Default::default();
    let mut pack = 0u32;
    for addresses in &mut parts {
        let n = r.count(1)?;
        for _ in 0..n {
            let coded = r.varint()?;
            pack += u32::from(coded & 1 != 0);
            let len = u32::try_from(coded >> 1)
                .map_err(|_| Error::damaged(PART, "the length of a part"))?;
            let own = packs.get_mut(pack as usize);
            let own = own.ok_or_else(|| Error::damaged(PART, "a part lies in no pack"))?;
            addresses.push(PartAddress {
                pack,
                offset: own.bytes,
                len,
            });
            own.bytes += u64::from(len);
        }
    }
    Ok(parts)
}
