//! Parts of a bundle, encoded into packs in the order of their kinds.

use super::super::mentions::Mentions;
use super::super::packs::Packer;
use super::super::parts::{Cut, GENERAL_PART_BYTES, RawPart, spelling_parts, term_part_bytes};
use super::super::similar::similar;
use super::super::sums::normalize;
use super::Indexed;
use super::directories::directory_vectors;
use super::nodes::{attribute, links_of};
use crate::base::error::Result;
use crate::bundle::{
    ATTRIBUTE_NODES, Attributes, Block, Branch, DIRECTORY_ROWS, LinkRecord, Links, NodeRecord,
    PartAddress, PartKind, SectionRows, TextPlace, Variants, encode_graph,
};
use crate::vectors::quantize;
use std::collections::HashMap;
use std::ops::Range;

/// Encodes parts and places them in packs.
pub(super) struct Parts<'a> {
    site: &'a Indexed<'a>,
    blocks: &'a [Range<usize>],
    records: &'a [NodeRecord],
    out: Out,
}

/// Parts as they are placed.
struct Out {
    packer: Packer,
    written: Written,
}

impl Out {
    fn add(&mut self, kind: PartKind, raw: &[u8]) {
        self.written.addresses[kind as usize].push(self.packer.part(raw));
    }

    fn add_keyed(&mut self, kind: PartKind, raw: impl IntoIterator<Item = RawPart>) -> Vec<String> {
        let mut keys = Vec::new();
        for part in raw {
            self.add(kind, &part.bytes);
            keys.push(part.key);
        }
        keys
    }
}

/// The dictionary, written before all other parts: then its postings are not in memory beside the texts.
pub(super) struct Dictionary {
    out: Out,
    /// Parts of general words, which refer to it and come last.
    general: Vec<RawPart>,
}

impl Dictionary {
    /// Encodes the dictionary of a site.
    pub(super) fn write(site: &Indexed<'_>) -> Self {
        let mut out = Out {
            packer: Packer::new(site.layout.pack_bytes()),
            written: Written::default(),
        };
        let (dims, bits) = (site.dims(), site.layout.bits);
        let by_size = || term_part_bytes(&site.stems, &site.lexicon, bits);
        let part_bytes = site.options.term_part_bytes.unwrap_or_else(by_size);
        let cut = Cut::of(&site.stems, &site.lexicon, bits, part_bytes, 0);
        let n_terms = cut.len() as u32;
        let terms = cut.parts(Vec::new(), dims, bits);
        out.written.term_keys = out.add_keyed(PartKind::Terms, terms);
        let words = &site.general;
        let forms = words.forms.iter();
        let forms = forms.map(|(word, stem)| (word.clone(), cut.place(*stem)));
        let part_bytes = site.options.term_part_bytes.unwrap_or(GENERAL_PART_BYTES);
        let general = Cut::of(&words.stems, &words.lexicon, bits, part_bytes, n_terms);
        let general = general.parts(forms.collect(), dims, bits).collect();
        let spelling = spelling_parts(&site.stems, &site.lexicon, n_terms as usize);
        out.written.spelling_keys = out.add_keyed(PartKind::Spelling, spelling);
        Self { out, general }
    }
}

/// Contents of the head that come from its parts.
#[derive(Default)]
pub(super) struct Written {
    /// Addresses, by kind.
    pub(super) addresses: [Vec<PartAddress>; PartKind::ALL.len()],
    /// First surface of each dictionary part.
    pub(super) term_keys: Vec<String>,
    /// First reversed surface of each spelling part.
    pub(super) spelling_keys: Vec<String>,
    /// First surface of each part of general words.
    pub(super) general_keys: Vec<String>,
    /// One row per block: the direction of the mean of its files.
    pub(super) block_vectors: Vec<f32>,
}

impl<'a> Parts<'a> {
    /// Encodes all parts of a site behind its dictionary; `node_of` are its documents' nodes, by path. Parts of a kind lie
    /// together.
    pub(super) fn write(
        site: &'a Indexed<'a>,
        Dictionary { out, general }: Dictionary,
        blocks: &'a [Range<usize>],
        records: &'a [NodeRecord],
        mentions: Option<Mentions>,
        mut node_of: HashMap<&'a str, u32>,
        variants: &Variants,
    ) -> Result<(Packer, Written)> {
        let mut parts = Self {
            site,
            blocks,
            records,
            out,
        };
        let graph = mentions.map(|mentions| mentions.at_nodes(&node_of));
        parts.branches();
        parts.blocks();
        parts.directory_vectors();
        parts.section_vectors();
        add_copies(site, &mut node_of);
        parts.links(&node_of, variants)?;
        parts.attributes();
        if let Some(graph) = &graph {
            parts.out.add(PartKind::Graph, &encode_graph(graph));
        }
        parts.general(general);
        Ok((parts.out.packer, parts.out.written))
    }

    fn general(&mut self, parts: Vec<RawPart>) {
        // Without vectors they are a few kilobytes, and not worth a file.
        if !parts.is_empty() && self.site.layout.general_apart && self.site.has_space() {
            let bytes = self.site.layout.apart_bytes;
            self.out.packer.set_apart(bytes);
        }
        self.out.written.general_keys = self.out.add_keyed(PartKind::General, parts);
    }

    fn branches(&mut self) {
        for block in self.blocks {
            self.out.add(
                PartKind::Branch,
                &Branch::encode(&self.records[block.clone()]),
            );
        }
    }

    /// Nodes of a block that are files.
    fn files(&self, block: &Range<usize>) -> impl Iterator<Item = usize> + use<'a> {
        let records = self.records;
        block.clone().filter(|&i| !records[i].is_dir)
    }

    fn blocks(&mut self) {
        let place = |record: &NodeRecord| TextPlace {
            offset: record.text_offset,
            len: record.text_len,
            kept_len: record.kept_len,
            pieces: record.pieces.clone(),
        };
        for block in self.blocks {
            let texts: Vec<TextPlace> = self.records[block.clone()].iter().map(place).collect();
            let vectors = self.vectors(block);
            self.out
                .add(PartKind::Blocks, &Block::encode(&texts, &vectors));
        }
    }

    /// The vectors of a block's files; notes their mean.
    fn vectors(&mut self, block: &Range<usize>) -> Vec<u8> {
        let Some(meaning) = &self.site.meaning else {
            return Vec::new();
        };
        let dims = meaning.dims;
        let none = vec![0.0; dims];
        let own = self.files(block).map(|i| &meaning.nodes[i]);
        let rows: Vec<f32> = own
            .flat_map(|row| if row.is_empty() { &none } else { row })
            .copied()
            .collect();
        let mut mean = none.clone();
        for row in rows.chunks(dims) {
            mean.iter_mut().zip(row).for_each(|(m, v)| *m += v);
        }
        normalize(&mut mean);
        self.out.written.block_vectors.extend(mean);
        quantize(&rows, dims, self.site.layout.bits)
    }

    fn directory_vectors(&mut self) {
        let (dims, bits) = (self.site.dims(), self.site.layout.bits);
        let rows = directory_vectors(self.site);
        for rows in rows.chunks((2 * DIRECTORY_ROWS * dims).max(1)) {
            self.out
                .add(PartKind::Directories, &quantize(rows, dims, bits));
        }
    }

    fn section_vectors(&mut self) {
        let layout = &self.site.layout;
        let Some(meaning) = self.site.meaning.as_ref().filter(|_| layout.with_sections) else {
            return;
        };
        for block in self.blocks {
            let files = self.files(block);
            let own = |i: usize| &meaning.sections[i][..self.records[i].n_sections as usize];
            let rows: Vec<&[Vec<f32>]> = files.map(own).collect();
            let counts = rows.iter().map(|rows| rows.len() as u32);
            let packed = quantize(&rows.concat().concat(), meaning.dims, self.site.layout.bits);
            self.out.add(
                PartKind::SectionVectors,
                &SectionRows::encode(counts, &packed),
            );
        }
    }

    fn links(&mut self, node_of: &HashMap<&str, u32>, variants: &Variants) -> Result<()> {
        let nodes = (0u32..).zip(&self.site.nodes);
        let links: Vec<Vec<LinkRecord>> =
            nodes.map(|(i, node)| links_of(node, node_of, i)).collect();
        let similar = match &self.site.meaning {
            Some(meaning) => {
                let vector = |(record, vector): (&NodeRecord, &'a Vec<f32>)| match record {
                    // Directories are lists of pages, and pages of no weight are shown nowhere.
                    NodeRecord { is_dir: true, .. } | NodeRecord { weight: 0, .. } => &[][..],
                    _ => &vector[..],
                };
                let vectors: Vec<_> = self
                    .records
                    .iter()
                    .zip(&meaning.nodes)
                    .map(vector)
                    .collect();
                similar(&vectors, meaning.dims, &links, variants)?
            }
            None => Vec::new(),
        };
        for block in self.blocks {
            let part = Links {
                links: links[block.clone()].to_vec(),
                similar: similar.get(block.clone()).unwrap_or_default().to_vec(),
            };
            self.out
                .add(PartKind::Links, &part.encode(block.start as u32));
        }
        Ok(())
    }

    fn attributes(&mut self) {
        let n = ATTRIBUTE_NODES as usize;
        for (rows, nodes) in self.records.chunks(n).zip(self.site.nodes.chunks(n)) {
            let rows = rows.iter().zip(nodes);
            let rows = rows.map(|(row, node)| attribute(row, node.active_count));
            let rows = Attributes(rows.collect());
            self.out.add(PartKind::Attributes, &rows.encode());
        }
    }
}

/// Adds the paths of folded copies: a link to one leads to the page that it was folded into.
fn add_copies<'a>(site: &Indexed<'a>, node_of: &mut HashMap<&'a str, u32>) {
    for (i, n) in site.tree.nodes.iter().enumerate() {
        let copies = n.document.map_or(&[][..], |d| &site.documents[d].copies);
        for copy in copies {
            node_of.entry(copy.path.as_str()).or_insert(i as u32);
        }
    }
}
