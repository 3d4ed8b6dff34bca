//! Records of nodes: what the branch, attribute and link parts say of each.

use super::super::links::find_target;
use super::super::options::BuildOptions;
use super::super::packs::Packer;
use super::super::places::address;
use super::super::prepare::{Prepared, Waiting};
use super::super::tree::TreeNode;
use super::Indexed;
use crate::base::id::NodeId;
use crate::base::uri::encode_name;
use crate::bundle::{Attribute, CopyRecord, LinkRecord, NodeRecord, Piece, TextRecord, seal_text};
use rayon::prelude::*;
use std::collections::HashMap;

/// Text of a piece of a long record. Smaller ones compress worse and repeat less of what surrounds a section; larger ones
/// bring more that is not shown (docs/MEASUREMENTS.md).
const PIECE_BYTES: usize = 6_000;

/// Nodes whose texts are sealed at a time: what they are made from is gone when the next ones come.
const SEALED: usize = 1 << 9;

/// Lays out the texts and kept files in the order of their nodes; returns the nodes' records, which say where theirs
/// are. `copies` are those of each document, `waiting` the texts of documents and, behind them, of directories.
pub(super) fn lay_out(
    site: &Indexed<'_>,
    copies: &[Vec<CopyRecord>],
    mut waiting: Vec<Waiting>,
    texts: &mut Packer,
) -> Vec<NodeRecord> {
    let whole = site.layout.single;
    let bytes = site.options.text_piece_bytes;
    let bytes = bytes.or(Some(PIECE_BYTES).filter(|_| !whole));
    let mut records: Vec<NodeRecord> = Vec::with_capacity(site.nodes.len());
    let mut offset = 0u64;
    for chunk in site.tree.nodes.chunks(SEALED) {
        let nodes = chunk.iter().zip(&site.nodes[records.len()..]);
        let nodes: Vec<(&TreeNode, &Prepared, Waiting)> = nodes
            .map(|(node, d)| {
                let of_directory = || site.documents.len() + node.directory.unwrap_or_default();
                let text = &mut waiting[node.document.unwrap_or_else(of_directory)];
                (node, *d, std::mem::take(text))
            })
            .collect();
        let sealed: Vec<(NodeRecord, Vec<u8>)> = nodes
            .into_par_iter()
            .map(|(node, d, text)| {
                let copies = node.document.map(|document| &copies[document][..]);
                sealed(site, node, d, &text, copies.unwrap_or_default(), bytes)
            })
            .collect();
        for ((mut record, text), d) in sealed.into_iter().zip(&site.nodes[records.len()..]) {
            texts.text(&text);
            if !d.kept.is_empty() {
                texts.text(&d.kept);
            }
            record.text_offset = offset;
            record.text_len = text.len() as u32;
            offset += (text.len() + d.kept.len()) as u64;
            records.push(record);
        }
    }
    records
}

/// A node's record, and its text as it lies in a pack.
fn sealed(
    site: &Indexed<'_>,
    node: &TreeNode,
    d: &Prepared,
    text: &Waiting,
    copies: &[CopyRecord],
    bytes: Option<usize>,
) -> (NodeRecord, Vec<u8>) {
    let mut record = node_record(d, &node.name, node.document.is_none(), site.options);
    record.copies = copies.to_vec();
    let raw = text.raw();
    let pieces = raw.and_then(|raw| TextRecord::encode(&record, &raw, bytes));
    let pieces = pieces.expect("a record that was just written reads back");
    let mut text = Vec::new();
    for (n_sections, raw) in &pieces {
        let sealed = seal_text(raw);
        record.pieces.push(Piece {
            n_sections: *n_sections,
            len: sealed.len() as u32,
        });
        text.extend(sealed);
    }
    if pieces.len() == 1 {
        record.pieces = Vec::new();
    }
    (record, text)
}

fn node_record(d: &Prepared, name: &str, is_dir: bool, options: &BuildOptions) -> NodeRecord {
    // An empty address is read as the path in the tree.
    let is_path = || d.path.rsplit('/').next().map(encode_name).as_deref() == Some(name);
    let url = match (is_dir, options.base_url.as_str(), d.url.as_str()) {
        (true, ..) => String::new(),
        (_, "", "") if is_path() => String::new(),
        (_, _, url) => address(url, &d.path, options),
    };
    NodeRecord {
        name: name.to_owned(),
        is_dir,
        title: d.title.clone(),
        abstract_: d.abstract_.clone(),
        url,
        n_sections: d.n_sections,
        weight: d.weight,
        created_at: d.created_at,
        updated_at: d.updated_at,
        tags: d.tags.clone(),
        size: d.size,
        kept_len: d.kept.len() as u32,
        crumbs: d.crumbs.clone().into(),
        ..NodeRecord::default()
    }
}

/// The fields of a node that filters and hotness read.
pub(super) fn attribute(record: &NodeRecord, active_count: u64) -> Attribute {
    let mut attribute = Attribute {
        name: if record.is_dir {
            String::new()
        } else {
            record.name.clone()
        },
        created_at: record.created_at,
        updated_at: record.updated_at,
        active_count,
        ..Attribute::default()
    };
    attribute.set_tags(record.tags.clone());
    attribute
}

/// Links of a node to other nodes, each target once.
pub(super) fn links_of(
    document: &Prepared,
    node_of: &HashMap<&str, u32>,
    own: u32,
) -> Vec<LinkRecord> {
    let mut links: Vec<LinkRecord> = Vec::new();
    for link in document.links.unpacked() {
        let target = find_target(&link.path, |path| node_of.contains_key(path));
        if let Some(&node) = target.and_then(|path| node_of.get(path.as_str()))
            && node != own
            && !links.iter().any(|l| l.node.0 == node)
        {
            links.push(LinkRecord {
                node: NodeId(node),
                reason: link.text,
            });
        }
    }
    links
}
