//! Counts of the values of tags among the pages that a question finds: the option `facets`.
//!
//! Source: Pagefind's filters. The pages are those that have all of the words, as for `sort`, and pass the filters.

use super::counts::{Facet, FacetValue};
#[cfg(not(feature = "full"))]
use super::result::FindResult;
use super::result::Skipped;
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::Step;
#[cfg(not(feature = "full"))]
use crate::bundle::step::both;
use crate::bundle::{ATTRIBUTE_NODES, Resident};
use crate::find::ask::asked::{Asked, Inputs};
#[cfg(not(feature = "full"))]
use crate::find::ask::request::Request;
use crate::find::ask::tagged::attributes;
#[cfg(not(feature = "full"))]
use crate::find::ask::words;
use crate::find::rank::worded;

/// The counts that a question asks for, by key in the order of the alphabet. O(pages with its words).
pub fn facets(store: &Resident, asked: &mut Asked<'_>, inputs: &Inputs) -> Step<Vec<Facet>> {
    let wanted = &asked.request.facets;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let parts = attributes(store, asked.scope.ranges())?;
    let worded = worded::files(store, asked, &inputs.slots);
    if let Some(word) = worded.unlisted {
        asked.skipped.push(Skipped {
            step: "facets".into(),
            reason: format!("'{word}' is on so many pages that the index does not list them"),
        });
    }
    let files = match worded.is_cut {
        true => Vec::new(),
        false => worded.files,
    };
    let mut tags: Vec<Tag<'_>> = Vec::new();
    for NodeId(node) in files {
        let Some(part) = &parts[(node / ATTRIBUTE_NODES) as usize] else {
            continue;
        };
        let row = &part.0[(node % ATTRIBUTE_NODES) as usize];
        for (folded, written) in row.tags.iter().zip(row.written_tags()) {
            if let Some((key, _)) = folded.split_once('=')
                && wanted.iter().any(|w| w == key || w == "*")
            {
                tags.push((folded, written));
            }
        }
    }
    order::sort_by(&mut tags, |a, b| pair(a.0).cmp(&pair(b.0)));
    Ok(counted(&tags))
}

/// The counts beside what the core `found`, for which the question is read once more. Never inlined: in the browser it is
/// code that few questions load.
#[cfg(not(feature = "full"))]
#[inline(never)]
pub fn beside(store: &Resident, request: &Request, found: Step<FindResult>) -> Step<FindResult> {
    let read = words::with_options(store, &request.question, request.options.prefix)?;
    let question = read.as_ref().unwrap_or(&request.question);
    let (mut asked, inputs) = Asked::read(store, request, question)?;
    let facets = facets(store, &mut asked, &inputs);
    let (mut found, facets) = both(found, facets)?;
    found.facets = facets;
    let FindResult {
        corrections,
        skipped,
        excluded,
        ..
    } = asked.begin();
    let is_only = request.limit == 0;
    if is_only {
        (found.corrections, found.excluded) = (corrections, excluded);
    }
    for untold in skipped {
        if is_only || untold.step == "facets" {
            found.skipped.push(untold);
        }
    }
    Ok(found)
}

/// A tag, folded, and as a page writes it.
type Tag<'a> = (&'a str, &'a str);

/// Sorted tags with their counts: the most frequent values of a key first.
fn counted(tags: &[Tag<'_>]) -> Vec<Facet> {
    let mut facets: Vec<Facet> = Vec::new();
    let mut last = "";
    for &(tag, written) in tags {
        let (key, value) = pair(tag);
        let (key_label, value_label) = pair(written);
        if facets.last().is_none_or(|facet| facet.key != key) {
            facets.push(Facet {
                key: key.to_owned(),
                label: key_label.to_owned(),
                values: Vec::new(),
            });
        }
        let Some(facet) = facets.last_mut() else {
            continue;
        };
        match facet.values.last_mut().filter(|_| tag == last) {
            Some(last) => last.count += 1,
            None => facet.values.push(FacetValue {
                value: value.to_owned(),
                label: value_label.to_owned(),
                count: 1,
            }),
        }
        last = tag;
    }
    for facet in &mut facets {
        order::sort_by(&mut facet.values, |a, b| b.count.cmp(&a.count));
    }
    facets
}

/// The key and the value of a tag that has both.
fn pair(tag: &str) -> Tag<'_> {
    let (key, value) = tag.split_once('=').unwrap_or_default();
    (key.trim(), value.trim())
}
