//! Counts of the values of tags among the pages that a question finds: the option `facets`.
//!
//! Source: Pagefind's filters. The pages are those that have all of the words, as for `sort`, and pass the filters.

use super::counts::{Facet, FacetValue};
use super::result::Skipped;
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::Step;
use crate::bundle::{ATTRIBUTE_NODES, Resident};
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::narrowed::attributes;
use crate::find::rank::worded;

/// The counts that a question asks for, by key in the order of the alphabet. O(pages with its words).
pub fn facets(store: &Resident, asked: &mut Asked<'_>, inputs: &Inputs) -> Step<Vec<Facet>> {
    let wanted = &asked.request.facets;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let parts = attributes(store, asked.scope.ranges())?;
    let files = if asked.question.tokens.is_empty() {
        worded::all(store, asked)
    } else {
        let worded = worded::files(store, asked, &inputs.slots);
        if let Some(word) = worded.unlisted {
            asked.skipped.push(Skipped {
                step: "facets".into(),
                reason: format!("'{word}' is on so many pages that the index does not list them"),
            });
        }
        match worded.is_cut {
            true => Vec::new(),
            false => worded.files,
        }
    };
    let mut tags: Vec<(&str, &str)> = Vec::new();
    for NodeId(node) in files {
        let Some(part) = &parts[(node / ATTRIBUTE_NODES) as usize] else {
            continue;
        };
        let row = &part.0[(node % ATTRIBUTE_NODES) as usize];
        let pairs = row.tags.iter().filter_map(|tag| tag.split_once('='));
        tags.extend(pairs.filter(|(key, _)| wanted.iter().any(|w| w == key || w == "*")));
    }
    order::sort_by(&mut tags, Ord::cmp);
    Ok(counted(&tags))
}

/// Sorted tags with their counts: the most frequent values of a key first.
fn counted(tags: &[(&str, &str)]) -> Vec<Facet> {
    let mut facets: Vec<Facet> = Vec::new();
    for &(key, value) in tags {
        if facets.last().is_none_or(|facet| facet.key != key) {
            facets.push(Facet {
                key: key.to_owned(),
                values: Vec::new(),
            });
        }
        let Some(facet) = facets.last_mut() else {
            continue;
        };
        match facet.values.last_mut().filter(|last| last.value == value) {
            Some(last) => last.count += 1,
            None => facet.values.push(FacetValue {
                value: value.to_owned(),
                count: 1,
            }),
        }
    }
    for facet in &mut facets {
        order::sort_by(&mut facet.values, |a, b| b.count.cmp(&a.count));
    }
    facets
}
