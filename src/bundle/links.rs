//! Link parts: where the nodes of a range point to, and why; and the pages that are like them.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};
use crate::base::id::NodeId;

/// A link to another node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRecord {
    /// Target node.
    pub node: NodeId,
    /// Why: the link's text.
    pub reason: String,
}

/// A page like another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimilarRecord {
    /// The page.
    pub node: NodeId,
    /// Cosine of the two in 255ths; one below 0 is kept as 0.
    pub cosine: u8,
}

/// Relations of a range of nodes, a list of each kind per node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The nodes that each points to.
    pub links: Vec<Vec<LinkRecord>>,
    /// Similar pages, most alike first; no lists at all in a bundle without vectors.
    pub similar: Vec<Vec<SimilarRecord>>,
}

impl Links {
    /// Decodes the part of the nodes `from..to`; targets are proved below `n_nodes`.
    pub fn decode(bytes: &[u8], (from, to): (u32, u32), n_nodes: u32) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let target = |node: i64| match u32::try_from(node) {
            Ok(node) if node < n_nodes => Ok(NodeId(node)),
            _ => Err(Error::damaged("link part", "a target is not there")),
        };
        let mut part = Self::default();
        for _ in from..to {
            let count = r.count(2)?;
            let mut list = Vec::with_capacity(count);
            for _ in 0..count {
                list.push(LinkRecord {
                    node: target(i64::from(r.var32()?))?,
                    reason: r.str()?.to_owned(),
                });
            }
            part.links.push(list);
        }
        let is_more = r.left() > 0;
        for own in (from..to).filter(|_| is_more) {
            let count = r.count(2)?;
            let mut list = Vec::with_capacity(count);
            for _ in 0..count {
                list.push(SimilarRecord {
                    node: target(r.signed()?.wrapping_add(i64::from(own)))?,
                    cosine: r.u8()?,
                });
            }
            part.similar.push(list);
        }
        r.finish()?;
        Ok(part)
    }

    /// Encodes the lists of the nodes from `first` on.
    pub fn encode(&self, first: u32) -> Vec<u8> {
        let mut w = Writer::default();
        for list in &self.links {
            w.len(list.len());
            for link in list {
                w.varint(u64::from(link.node.0));
                w.str(&link.reason);
            }
        }
        for (own, list) in (first..).zip(&self.similar) {
            w.len(list.len());
            for page in list {
                w.signed(i64::from(page.node.0) - i64::from(own));
                w.u8(page.cosine);
            }
        }
        w.bytes
    }
}
