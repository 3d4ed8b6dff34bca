//! Options that have no effect beside the others: told in the answer, and not refused, since they harm nothing.

use super::filter::Value;
use super::options::{FindOptions, Preset};
use crate::find::answer::result::Skipped;

/// Fields of `hybrid` that act on the graph.
const OF_GRAPH: &[&str] = &[
    "graph_context",
    "graph_entities",
    "answer_types",
    "graph_rules",
];
/// Fields of `hybrid` that act on the formula of two fields.
const OF_TWO_FIELDS: &[&str] = &["title_ratio", "title_vectors"];
/// Fields of `hybrid` that act on the weight of vectors.
const OF_ALPHA: &[&str] = &["query_type", "feedback"];

/// The options without effect; `walks` is true where directories are walked through.
pub fn idle(options: &FindOptions, walks: bool) -> Vec<Skipped> {
    let fields: &[(String, Value)] = match &options.hybrid {
        Value::Map(fields) => fields,
        _ => &[],
    };
    let has = |name: &str, word: &str| {
        let is_it = |(key, value): &(String, Value)| key == name && value.as_text() == Some(word);
        fields.iter().any(is_it)
    };
    let given = |names: &[&str]| -> Vec<String> {
        let is_given = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
        let own = fields.iter();
        let own = own.filter(|(key, value)| names.contains(&key.as_str()) && is_given(value));
        own.map(|(key, _)| key.clone()).collect()
    };
    let has_graph = options.graph.is_some_and(|graph| graph > 0.0);
    let is_auto = options.alpha.is_none() && has("alpha", "auto");
    let groups = [
        (
            has_graph,
            "graph",
            given(OF_GRAPH),
            "without a `graph` weight",
        ),
        (
            has("scoring", "two_field"),
            "hybrid",
            given(OF_TWO_FIELDS),
            "without `scoring: \"two_field\"`",
        ),
        (
            is_auto,
            "hybrid",
            given(OF_ALPHA),
            "without `alpha: \"auto\"`",
        ),
        (walks, "walk", numbers_of_walk(options), "in a flat search"),
    ];
    let idle = groups.into_iter();
    let idle = idle.filter(|(acts, _, names, _)| !acts && !names.is_empty());
    idle.map(|(_, step, names, why)| Skipped {
        step: step.into(),
        reason: [&names.join(", "), ": no effect ", why].concat(),
    })
    .collect()
}

fn numbers_of_walk(options: &FindOptions) -> Vec<String> {
    let numbers = [
        ("preset", options.preset != Preset::default()),
        (
            "score_propagation_alpha",
            options.score_propagation_alpha.is_some(),
        ),
        (
            "max_convergence_rounds",
            options.max_convergence_rounds.is_some(),
        ),
        ("global_search_topk", options.global_search_topk.is_some()),
    ];
    let given = numbers.into_iter().filter(|number| number.1);
    given.map(|number| number.0.to_owned()).collect()
}
