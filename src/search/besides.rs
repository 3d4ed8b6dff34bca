//! The members of an answer besides its rows, where several queries made it.
//!
//! Directories of results can be told of any list. What is told of one question (counts by value, a text for a model,
//! filters that were read in it) is that of the question as it was asked, where the plan has it.

use super::json::{Object, text, texts};
use super::options::Merge;
use super::result::{Found, Page, SearchResult, skipped};
use serde_json::{Map, Value};

/// Members that are told of one question, each with the name of its step.
const OF_ONE: [(&str, &str); 3] = [
    ("facets", "facets"),
    ("graph_context", "graph_context"),
    ("guessed", "guess"),
];

/// Joins what all queries found into the answer. `own` is the place of the question as it was asked among them.
pub fn tell(
    result: &mut SearchResult,
    mut found: Vec<Found>,
    own: Option<usize>,
    merge: Merge,
    page: Page,
) {
    let groups = take_groups(&mut found);
    result.more = match found.as_mut_slice() {
        [only] => std::mem::take(&mut only.more),
        several => of_several(result, several, own),
    };
    let uris = result.join(found, merge, page);
    let groups = shown(&groups, &uris);
    if !groups.is_empty() {
        result
            .more
            .insert("groups".to_owned(), Value::Array(groups));
    }
}

fn of_several(
    result: &mut SearchResult,
    found: &[Found],
    own: Option<usize>,
) -> Map<String, Value> {
    let mut more = own.map_or_else(Map::new, |own| found[own].more.clone());
    // Each query has its own, in `query_results`.
    more.remove("trace");
    for (member, step) in OF_ONE {
        if own.is_none() && found.iter().any(|one| one.more.contains_key(member)) {
            let reason = "the plan has several questions, and not the one that was asked";
            result.skip(skipped(step, reason));
        }
    }
    let confidence = |answer: &&Value| answer["confidence"].as_f64().unwrap_or_default();
    let answers = found.iter().filter_map(|one| one.more.get("answer"));
    let best = answers.max_by(|a, b| confidence(a).total_cmp(&confidence(b)));
    if let (false, Some(best)) = (more.contains_key("answer"), best) {
        more.insert("answer".to_owned(), best.clone());
    }
    more
}

/// Takes the directories out of what was found: each once, with all of its results.
fn take_groups(found: &mut [Found]) -> Vec<Value> {
    let mut groups: Vec<Value> = Vec::new();
    for one in found {
        let Some(Value::Array(own)) = one.more.remove("groups") else {
            continue;
        };
        for group in own {
            let known = groups.iter_mut().find(|known| known["uri"] == group["uri"]);
            let results = known.and_then(|known| known["results"].as_array_mut());
            match (results, &group["results"]) {
                (Some(results), Value::Array(more)) => results.extend(more.iter().cloned()),
                _ => groups.push(group),
            }
        }
    }
    groups
}

/// The directories of the results that are shown, in the order of each one's best.
fn shown(groups: &[Value], uris: &[String]) -> Vec<Value> {
    let mut shown: Vec<(&Value, Vec<String>)> = Vec::new();
    for uri in uris {
        let holds = |group: &&Value| {
            let results = group["results"].as_array();
            results.is_some_and(|all| all.iter().any(|own| own == uri.as_str()))
        };
        let Some(group) = groups.iter().find(holds) else {
            continue;
        };
        let at = shown.iter().position(|(known, _)| *known == group);
        let at = at.unwrap_or_else(|| {
            shown.push((group, Vec::new()));
            shown.len() - 1
        });
        let results = &mut shown[at].1;
        if !results.iter().any(|known| known == uri) {
            results.push(uri.clone());
        }
    }
    let shown = shown.into_iter().map(|(group, results)| {
        let member = |name: &str| text(group[name].as_str().unwrap_or_default());
        Object::default()
            .with("uri", member("uri"))
            .with("title", member("title"))
            .with("abstract", member("abstract"))
            .with("results", texts(&results))
            .done()
    });
    shown.collect()
}
