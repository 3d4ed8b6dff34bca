//! The links of a node, each with the abstract of the file it leads to.

use super::result::RelatedContext;
use crate::base::id::NodeId;
use crate::bundle::Resident;
use crate::bundle::place::{record, uri_of};
use crate::bundle::step::{Gather, Step};

/// The files a node links to, with the link's text as the reason.
pub fn relations_of(store: &Resident, node: NodeId) -> Step<Vec<RelatedContext>> {
    let block = store.head().block_of(node);
    let links = store.links(block)?;
    let own = &links.0[(node.0 - store.head().block_starts[block]) as usize];
    let mut gather = Gather::default();
    for link in own {
        gather.take(store.branch(store.head().block_of(link.node)));
    }
    gather.done()?;
    own.iter()
        .map(|link| {
            Ok(RelatedContext {
                uri: uri_of(store, link.node)?,
                reason: link.reason.clone(),
                abstract_: record(store, link.node)?.abstract_,
            })
        })
        .collect()
}
