//! Records of nodes: what the branch, attribute and link parts say of each.

use super::super::links::find_target;
use super::super::options::BuildOptions;
use super::super::packs::Packer;
use super::super::places::address;
use super::super::prepare::Prepared;
use super::Indexed;
use crate::base::id::NodeId;
use crate::bundle::{Attribute, CopyRecord, LinkRecord, NodeRecord, check_of, fold_tag};
use std::collections::HashMap;

/// Lays out the texts and kept files in the order of their nodes; returns the nodes' records, which say where theirs
/// are. `copies` are those of each document.
pub(super) fn lay_out(
    site: &Indexed<'_>,
    copies: &[Vec<CopyRecord>],
    texts: &mut Packer,
) -> Vec<NodeRecord> {
    let mut offset = 0u64;
    let mut records = Vec::with_capacity(site.nodes.len());
    for (node, d) in site.tree.nodes.iter().zip(&site.nodes) {
        let is_dir = node.document.is_none();
        let mut record = node_record(d, &node.name, is_dir, offset, site.options);
        if let Some(document) = node.document {
            record.copies.clone_from(&copies[document]);
        }
        texts.text(&d.text);
        if !d.kept.is_empty() {
            texts.text(&d.kept);
        }
        offset += (d.text.len() + d.kept.len()) as u64;
        records.push(record);
    }
    records
}

fn node_record(
    d: &Prepared,
    name: &str,
    is_dir: bool,
    text_offset: u64,
    options: &BuildOptions,
) -> NodeRecord {
    let url = match (is_dir, options.base_url.as_str(), d.url.as_str()) {
        // An empty address is read as the path.
        (true, ..) | (_, "", "") => String::new(),
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
        text_offset,
        text_len: d.text.len() as u32,
        text_check: check_of(&d.text),
        kept_len: d.kept.len() as u32,
        kept_check: if d.kept.is_empty() {
            0
        } else {
            check_of(&d.kept)
        },
        crumbs: d.crumbs.clone(),
        copies: Vec::new(),
    }
}

/// The fields of a node that filters and hotness read.
pub(super) fn attribute(record: &NodeRecord, active_count: u64) -> Attribute {
    Attribute {
        name: if record.is_dir {
            String::new()
        } else {
            record.name.clone()
        },
        created_at: record.created_at,
        updated_at: record.updated_at,
        tags: record
            .tags
            .iter()
            .map(|t| fold_tag(t))
            .filter(|t| !t.is_empty())
            .collect(),
        active_count,
    }
}

/// Links of a node to other nodes, each target once.
pub(super) fn links_of(
    document: &Prepared,
    node_of: &HashMap<&str, u32>,
    own: u32,
) -> Vec<LinkRecord> {
    let mut links: Vec<LinkRecord> = Vec::new();
    for link in &document.links {
        let target = find_target(&link.path, |path| node_of.contains_key(path));
        if let Some(&node) = target.and_then(|path| node_of.get(path.as_str()))
            && node != own
            && !links.iter().any(|l| l.node.0 == node)
        {
            links.push(LinkRecord {
                node: NodeId(node),
                reason: link.text.clone(),
            });
        }
    }
    links
}
