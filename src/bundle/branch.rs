//! Branch parts: the records of a range of nodes, without their texts and vectors.

use super::piece::Piece;
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};
use std::sync::Arc;

/// A directory or file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeRecord {
    /// Last segment of its path.
    pub name: String,
    /// True for a directory.
    pub is_dir: bool,
    /// Title for people.
    pub title: String,
    /// L0 abstract, at most 256 characters.
    pub abstract_: String,
    /// Address for a browser; empty: made from the path.
    pub url: String,
    /// Number of sections.
    pub n_sections: u32,
    /// Author's weight in sixteenths: 16 is neutral.
    pub weight: u8,
    /// Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
    /// Tags of the node.
    pub tags: Vec<String>,
    /// Bytes of the L2 content.
    pub size: u64,
    /// Position of the text record in the texts' common space.
    pub text_offset: u64,
    /// Stored bytes of the text record.
    pub text_len: u32,
    /// Stored bytes of the kept record, which follows the text record; 0: there is none.
    pub kept_len: u32,
    /// Pieces of a long text record; empty: it is one.
    pub pieces: Vec<Piece>,
    /// Titles of the pages above it, outermost first. Pages beside each other have the same list.
    pub crumbs: Arc<[String]>,
    /// Other pages with the same content.
    pub copies: Vec<CopyRecord>,
}

/// A page that was folded into another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopyRecord {
    /// Number of its variant in the head.
    pub variant: u32,
    /// Address for a browser.
    pub url: String,
}

/// A record without the position of its text. `before` is the record before it.
pub(super) fn decode_node(
    r: &mut Reader<'_>,
    before: Option<&NodeRecord>,
    n_variants: usize,
) -> Result<NodeRecord> {
    let mut node = NodeRecord {
        name: r.str()?.to_owned(),
        ..NodeRecord::default()
    };
    let flags = r.u8()?;
    node.is_dir = flags & 1 != 0;
    node.title = r.str()?.to_owned();
    node.abstract_ = r.str()?.to_owned();
    node.url = r.str()?.to_owned();
    node.n_sections = r.var32()?;
    node.weight = if flags & 2 != 0 { r.u8()? } else { 16 };
    node.created_at = if flags & 4 != 0 {
        Some(r.signed()?)
    } else {
        None
    };
    node.updated_at = if flags & 8 != 0 {
        Some(r.signed()?)
    } else {
        None
    };
    node.tags = decode_strings(r)?;
    if flags & 32 != 0 {
        node.crumbs = decode_strings(r)?.into();
    } else if let Some(before) = before {
        node.crumbs = Arc::clone(&before.crumbs);
    }
    if flags & 64 != 0 {
        for _ in 0..r.count(2)? {
            let variant = r.var32()?;
            if variant as usize >= n_variants {
                return Err(Error::damaged(
                    "branch part",
                    "a copy is in a variant that is not there",
                ));
            }
            let url = r.str()?.to_owned();
            node.copies.push(CopyRecord { variant, url });
        }
    }
    node.size = r.varint()?;
    node.text_len = r.var32()?;
    if flags & 16 != 0 {
        node.kept_len = r.var32()?;
    }
    if flags & 128 != 0 {
        node.pieces = Piece::decode(r, node.text_len)?;
    }
    Ok(node)
}

/// A decoded branch part.
#[derive(Debug, Clone)]
pub struct Branch {
    /// Records in node order.
    pub nodes: Vec<NodeRecord>,
}

impl Branch {
    /// Decodes a part of `n` nodes, on a site of `n_variants` variants.
    pub fn decode(bytes: &[u8], n: usize, n_variants: usize) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let text_base = r.varint()?;
        let mut nodes: Vec<NodeRecord> = Vec::with_capacity(n.min(r.left()));
        let mut text_offset = text_base;
        for _ in 0..n {
            let mut node = decode_node(r, nodes.last(), n_variants)?;
            node.text_offset = text_offset;
            text_offset = text_offset
                .checked_add(u64::from(node.text_len) + u64::from(node.kept_len))
                .ok_or_else(|| Error::damaged("branch part", "text positions overflow"))?;
            nodes.push(node);
        }
        r.finish()?;
        Ok(Self { nodes })
    }

    /// Encodes records whose texts follow each other.
    pub fn encode(nodes: &[NodeRecord]) -> Vec<u8> {
        let mut w = Writer::default();
        w.varint(nodes.first().map_or(0, |n| n.text_offset));
        let mut crumbs: &[String] = &[];
        for n in nodes {
            encode_node(&mut w, n, crumbs);
            crumbs = &n.crumbs;
        }
        w.bytes
    }
}

/// Writes a record behind one with `crumbs`.
pub(super) fn encode_node(w: &mut Writer, n: &NodeRecord, crumbs: &[String]) {
    w.str(&n.name);
    let flag = |on: bool, bit: u8| u8::from(on) << bit;
    w.u8(flag(n.is_dir, 0)
        | flag(n.weight != 16, 1)
        | flag(n.created_at.is_some(), 2)
        | flag(n.updated_at.is_some(), 3)
        | flag(n.kept_len > 0, 4)
        | flag(*n.crumbs != *crumbs, 5)
        | flag(!n.copies.is_empty(), 6)
        | flag(!n.pieces.is_empty(), 7));
    w.str(&n.title);
    w.str(&n.abstract_);
    w.str(&n.url);
    w.varint(u64::from(n.n_sections));
    if n.weight != 16 {
        w.u8(n.weight);
    }
    for time in [n.created_at, n.updated_at].into_iter().flatten() {
        w.signed(time);
    }
    encode_strings(w, &n.tags);
    if *n.crumbs != *crumbs {
        encode_strings(w, &n.crumbs);
    }
    if !n.copies.is_empty() {
        w.len(n.copies.len());
        for copy in &n.copies {
            w.varint(u64::from(copy.variant));
            w.str(&copy.url);
        }
    }
    w.varint(n.size);
    w.varint(u64::from(n.text_len));
    if n.kept_len > 0 {
        w.varint(u64::from(n.kept_len));
    }
    if !n.pieces.is_empty() {
        Piece::encode(&n.pieces, w);
    }
}

fn decode_strings(r: &mut Reader<'_>) -> Result<Vec<String>> {
    let n = r.count(1)?;
    (0..n).map(|_| Ok(r.str()?.to_owned())).collect()
}

fn encode_strings(w: &mut Writer, strings: &[String]) {
    w.len(strings.len());
    strings.iter().for_each(|s| w.str(s));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<NodeRecord> {
        let node = |name: &str, crumbs: &[&str]| NodeRecord {
            name: name.into(),
            weight: 16,
            crumbs: crumbs.iter().map(|&c| c.into()).collect(),
            ..NodeRecord::default()
        };
        let mut copied = node("c", &["Guide"]);
        copied.copies = vec![CopyRecord {
            variant: 1,
            url: "v1/c".into(),
        }];
        vec![
            node("a", &[]),
            node("b", &["Guide", "Start"]),
            node("b2", &["Guide", "Start"]),
            copied,
            node("d", &[]),
        ]
    }

    #[test]
    fn crumbs_and_copies_come_back_and_crumbs_are_written_once() {
        let bytes = Branch::encode(&records());
        assert_eq!(Branch::decode(&bytes, 5, 2).unwrap().nodes, records());
        assert_eq!(bytes.windows(5).filter(|w| w == b"Start").count(), 1);
        assert!(Branch::decode(&bytes, 5, 1).is_err());
    }

    #[test]
    fn a_damaged_branch_is_an_error_or_in_range() {
        let bytes = Branch::encode(&records());
        for at in 0..bytes.len() {
            assert!(Branch::decode(&bytes[..at], 5, 2).is_err());
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                if let Ok(branch) = Branch::decode(&bad, 5, 2) {
                    let mut copies = branch.nodes.iter().flat_map(|n| &n.copies);
                    assert!(copies.all(|copy| copy.variant < 2));
                }
            }
        }
    }
}
