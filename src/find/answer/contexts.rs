//! From hits to results: URIs, addresses, titles, variants, excerpts.

use super::result::{Also, MatchedContext};
use super::sections::{add_sections, best_sections};
use crate::base::id::NodeId;
use crate::base::uri::{Uri, url_path, with_sidecar};
use crate::bundle::place;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Head, NodeRecord, Resident, TextView};
use crate::find::ask::meant::Meant;
use crate::find::ask::options::FindOptions;
use crate::find::ask::variants::Wanted;
use crate::find::ask::words::Slot;
use crate::find::walk::Hit;

/// Turns hits into results, each from its text record. The records of all hits are fetched together.
///
/// `others` are translations of a result: its place among the hits, and the node.
pub fn contexts(
    store: &Resident,
    meant: &Meant<'_>,
    hits: &[Hit],
    others: &[(usize, NodeId)],
    wanted: &Wanted,
    options: &FindOptions,
) -> Step<Vec<MatchedContext>> {
    let head = store.head();
    let slots = meant.slots();
    let texts = load(store, slots, hits, others, options.excerpts)?;
    let mut out = Vec::with_capacity(hits.len());
    for (hit, text) in hits.iter().zip(texts) {
        let (node, level) = (hit.node, hit.level);
        let mut context = context(store, wanted, node, &text.first().node, level);
        context.score = hit.score.clamp(0.0, 1.0);
        if level == 1 {
            context.abstract_.clone_from(&text.first().overview);
        }
        if options.excerpts {
            let length = options.excerpt_length;
            add_sections(&mut context, slots, node, &text, meant, length);
        }
        if level < 2 {
            context.uri = with_sidecar(&context.uri, level);
        }
        out.push(context);
    }
    for &(place, node) in others {
        let record = place::record(store, node)?;
        let mut other = MatchedContext {
            url: url_of(&record, &place::uri_of(store, node)?, store),
            ..MatchedContext::default()
        };
        add_variant(wanted, head, node, &record, &mut other);
        out[place].also.push(Also {
            lang: other.lang,
            version: other.version,
            url: other.url,
        });
    }
    Ok(out)
}

/// The shown sections of the hits' text records; and the branches of the others, of which no text is shown.
fn load(
    store: &Resident,
    slots: &[Slot],
    hits: &[Hit],
    others: &[(usize, NodeId)],
    with_sections: bool,
) -> Step<Vec<TextView>> {
    let mut gather = Gather::default();
    let mut view = |node| {
        let shown = |n_sections| match with_sections {
            true => best_sections(slots, node, n_sections),
            false => Vec::new(),
        };
        gather.take(store.view(node, shown))
    };
    let texts: Vec<_> = hits.iter().filter_map(|hit| view(hit.node)).collect();
    for (_, node) in others {
        gather.take(store.branch(store.head().block_of(*node)));
    }
    gather.done()?;
    Ok(texts)
}

/// A result without its score and its text.
fn context(
    store: &Resident,
    wanted: &Wanted,
    node: NodeId,
    record: &NodeRecord,
    level: u8,
) -> MatchedContext {
    let uri = place::named_uri(store.head(), node, &record.name);
    let mut context = MatchedContext {
        context_type: Uri::from_canonical(uri.clone()).context_type().as_str(),
        level,
        abstract_: record.abstract_.clone(),
        tags: record.tags.clone(),
        title: record.title.clone(),
        url: url_of(record, &uri, store),
        crumbs: record.crumbs.to_vec(),
        uri,
        ..MatchedContext::default()
    };
    add_variant(wanted, store.head(), node, record, &mut context);
    context
}

/// Adds the variant of a result, the address of the wanted one, and the other places of the page.
fn add_variant(
    wanted: &Wanted,
    head: &Head,
    node: NodeId,
    record: &NodeRecord,
    context: &mut MatchedContext,
) {
    let all = &head.variants.all;
    let Some(&own) = head.variants.of(node).first().filter(|_| !record.is_dir) else {
        return;
    };
    let copies = record.copies.iter().map(|c| (c.variant, c.url.as_str()));
    let own_url = std::mem::take(&mut context.url);
    let pages = || std::iter::once((own, own_url.as_str())).chain(copies.clone());
    let wanted = pages().find(|page| wanted.admits(page.0));
    let (opened, url) = wanted.unwrap_or((own, &own_url));
    let here = &all[opened as usize];
    context.url = url.to_owned();
    context.lang.clone_from(&here.language);
    context.version.clone_from(&here.version);
    // A copy in another language is no translation.
    let elsewhere = pages().filter(|p| {
        p.0 != opened
            && all[p.0 as usize]
                .language
                .eq_ignore_ascii_case(&here.language)
    });
    context.also = elsewhere
        .map(|(variant, url)| Also {
            lang: all[variant as usize].language.clone(),
            version: all[variant as usize].version.clone(),
            url: url.to_owned(),
        })
        .collect();
}

/// Address of a page: the author's as given, or its path below the tree, percent-encoded.
pub fn url_of(record: &NodeRecord, uri: &str, store: &Resident) -> String {
    if record.is_dir {
        return String::new();
    }
    if !record.url.is_empty() {
        return record.url.clone();
    }
    let root = ["viking://resources/", &store.head().name, "/"].concat();
    let path = uri
        .strip_prefix(root.as_str())
        .or_else(|| uri.strip_prefix("viking://"));
    url_path(path.unwrap_or(uri))
}
