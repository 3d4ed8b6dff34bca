//! Every case of `tests/vectors/onyx_vectors.json` against the library, block by block (spec onyx §7).

mod alphas;
mod scores;
mod visibility;
mod windows;

use crate::vectors::{list, real};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/onyx_vectors.json")).expect("the fixture is JSON")
}

/// The cases of a block; their number is part of the test, so that none is lost silently.
fn cases(block: &str, n: usize) -> Vec<Value> {
    crate::vectors::cases(&vectors()[block], n)
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a whole number")).expect("a small one")
}

fn numbers(value: &Value) -> Vec<u32> {
    list(value).iter().map(number).collect()
}

fn close(got: f64, expected: &Value, what: &str) {
    assert!(
        (got - real(expected)).abs() <= 1e-9,
        "{what}: {got} instead of {expected}"
    );
}

fn all_close(got: &[f64], expected: &Value, what: &str) {
    assert_eq!(got.len(), list(expected).len(), "{what}");
    got.iter()
        .zip(list(expected))
        .for_each(|(got, expected)| close(*got, &expected, what));
}

#[test]
fn every_block_of_the_fixture_has_a_test() {
    let mut blocks: Vec<String> = vectors()
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    blocks.sort_unstable();
    let here = "alpha alpha_bucket alpha_feedback alpha_typed bm25 closeness dedupe_queries document_boost filters \
        hybrid_profile keep_best_score lru lucene_cosine merge_neighbours merge_ranges merge_sections normalize \
        pipeline_fusion rank_report_score recency_bias recency_floor_reached_at_years rrf target_hits target_hits_seed title_ratio \
        weighted_fusion window";
    // The measures of rankings are tested beside their code, `meta` describes the file.
    let elsewhere = "meta metrics metrics_mean";
    let mut known: Vec<String> = here
        .split_whitespace()
        .chain(elsewhere.split(' '))
        .map(str::to_owned)
        .collect();
    known.sort_unstable();
    assert_eq!(blocks, known);
}
