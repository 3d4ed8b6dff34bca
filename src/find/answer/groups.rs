//! The directories of results.

use super::result::{DirectoryGroup, MatchedContext};
use crate::base::id::NodeId;
use crate::bundle::Resident;
use crate::bundle::place::{directory_uri, record};
use crate::bundle::step::{Gather, Step};
use crate::find::walk::Hit;

/// Groups the results of `hits` by the directory that each lies in, in the order of each one's best result. A directory
/// that is a result itself is in its own group. Fetches the directories' branches.
pub fn groups(
    store: &Resident,
    hits: &[Hit],
    contexts: &[MatchedContext],
) -> Step<Vec<DirectoryGroup>> {
    let head = store.head();
    let mut places: Vec<usize> = Vec::new();
    let mut groups: Vec<DirectoryGroup> = Vec::new();
    for (hit, context) in hits.iter().zip(contexts) {
        let own = head.directory_at(hit.node);
        let place = own.unwrap_or_else(|| head.parent_of(hit.node));
        let known = places.iter().position(|&known| known == place);
        let at = known.unwrap_or_else(|| {
            places.push(place);
            groups.push(DirectoryGroup {
                uri: directory_uri(head, place),
                ..DirectoryGroup::default()
            });
            groups.len() - 1
        });
        groups[at].results.push(context.uri.clone());
    }
    let nodes: Vec<NodeId> = places.iter().map(|&p| head.directories[p].node).collect();
    let mut gather = Gather::default();
    for &node in &nodes {
        gather.take(store.branch(head.block_of(node)));
    }
    gather.done()?;
    for (group, node) in groups.iter_mut().zip(nodes) {
        let record = record(store, node)?;
        (group.title, group.abstract_) = (record.title, record.abstract_);
    }
    Ok(groups)
}
