//! Link parts: where the nodes of a range point to, and why.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::id::NodeId;

/// A link to another node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRecord {
    /// Target node.
    pub node: NodeId,
    /// Why: the link's text.
    pub reason: String,
}

/// Links of a range of nodes, one list per node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links(pub Vec<Vec<LinkRecord>>);

impl Links {
    /// Decodes a part of `n` nodes; targets are proved below `n_nodes`.
    pub fn decode(bytes: &[u8], n: usize, n_nodes: u32) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let mut lists = Vec::with_capacity(n.min(r.left()));
        for _ in 0..n {
            let count = r.count(2)?;
            let mut list = Vec::with_capacity(count);
            for _ in 0..count {
                let node = r.var32()?;
                if node >= n_nodes {
                    return Err(Error::new(
                        ErrorKind::BundleDamaged,
                        "link part is damaged: a target is not there",
                    ));
                }
                list.push(LinkRecord {
                    node: NodeId(node),
                    reason: r.str()?.to_owned(),
                });
            }
            lists.push(list);
        }
        r.finish()?;
        Ok(Self(lists))
    }

    /// Encodes the lists.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::default();
        for list in &self.0 {
            w.len(list.len());
            for link in list {
                w.varint(u64::from(link.node.0));
                w.str(&link.reason);
            }
        }
        w.bytes
    }
}
