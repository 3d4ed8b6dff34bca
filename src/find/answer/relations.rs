//! The relations of a node, each with the title and abstract of the file it leads to: links, and similar pages.

use super::contexts::url_of;
use super::result::RelatedContext;
use crate::base::id::NodeId;
use crate::bundle::place::named_uri;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{LinkRecord, Missing, Resident, SimilarRecord, TextView};

/// Of a limited number of relations so many are left to similar pages, where there are that many.
const LEAST_SIMILAR: usize = 2;

/// At most `limit` relations of a node that `may_see` lets pass: its links, with their text as the reason, then the pages
/// most like it, with their cosine. Fetches what their rows in an answer would show of them without a text.
pub fn relations_of(
    store: &Resident,
    node: NodeId,
    limit: usize,
    may_see: &dyn Fn(NodeId) -> bool,
) -> Step<Vec<RelatedContext>> {
    let block = store.head().block_of(node);
    let part = store.links(block)?;
    let own = (node.0 - store.head().block_starts[block]) as usize;
    let similar = part.similar.get(own).map_or(&[][..], |list| &list[..]);
    let similar = similar.iter().filter(|page| may_see(page.node));
    let n_links = limit.saturating_sub(similar.clone().take(LEAST_SIMILAR).count());
    let links = part.links[own].iter().filter(|link| may_see(link.node));
    let links = links.take(n_links);
    let similar = similar.take(limit - links.clone().count());
    let nodes = links.clone().map(|link| link.node);
    let nodes = nodes.chain(similar.clone().map(|page| page.node));
    let mut gather = Gather::default();
    for node in nodes {
        gather.take(row(store, node));
    }
    gather.done()?;
    let links = links.map(|link| linked(store, link));
    let similar = similar.map(|page| alike(store, page));
    links.chain(similar).collect()
}

fn linked(store: &Resident, link: &LinkRecord) -> Step<RelatedContext> {
    Ok(RelatedContext {
        reason: link.reason.clone(),
        ..related(store, link.node, "link")?
    })
}

fn alike(store: &Resident, page: &SimilarRecord) -> Step<RelatedContext> {
    Ok(RelatedContext {
        cosine: Some(f32::from(page.cosine) / 255.0),
        ..related(store, page.node, "similar")?
    })
}

fn related(store: &Resident, node: NodeId, kind: &'static str) -> Step<RelatedContext> {
    let row = row(store, node)?;
    let record = &row.first().node;
    let uri = named_uri(store.head(), node, &record.name);
    Ok(RelatedContext {
        kind,
        url: url_of(record, &uri, store),
        uri,
        title: record.title.clone(),
        abstract_: record.abstract_.clone(),
        ..RelatedContext::default()
    })
}

fn row(store: &Resident, node: NodeId) -> Result<TextView, Missing> {
    store.view(node, |_| Vec::new())
}
