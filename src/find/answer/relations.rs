//! The relations of a node, each with the title and abstract of the file it leads to: links, and similar pages.

use super::contexts::url_of;
use super::result::RelatedContext;
use crate::base::id::NodeId;
use crate::bundle::place::named_uri;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{LinkRecord, Missing, Resident, SimilarRecord, TextView};

/// Of a limited number of relations so many are left to similar pages, where there are that many.
const LEAST_SIMILAR: usize = 2;

/// At most `limit` relations of a node: its links, with their text as the reason, then the pages most like it, with
/// their cosine. Fetches what their rows in an answer would show of them without a text.
pub fn relations_of(store: &Resident, node: NodeId, limit: usize) -> Step<Vec<RelatedContext>> {
    let block = store.head().block_of(node);
    let part = store.links(block)?;
    let own = (node.0 - store.head().block_starts[block]) as usize;
    let (links, similar) = (&part.links[own], part.similar.get(own));
    let similar = similar.map_or(&[][..], |list| &list[..]);
    let n_links = limit.saturating_sub(similar.len().min(LEAST_SIMILAR));
    let links = &links[..links.len().min(n_links)];
    let similar = &similar[..similar.len().min(limit - links.len())];
    let nodes = links.iter().map(|link| link.node);
    let nodes = nodes.chain(similar.iter().map(|page| page.node));
    let mut gather = Gather::default();
    for node in nodes {
        gather.take(row(store, node));
    }
    gather.done()?;
    let links = links.iter().map(|link| linked(store, link));
    let similar = similar.iter().map(|page| alike(store, page));
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
