//! MiniRAG, as written.

use super::md5::md5_hex;
use knarr::find::minirag::{GraphQuery, QueryEntity, word_edit_similarity};
use knarr::graph::EntityGraph;
use knarr::indexer::records::{JOIN, MergedEntity};
use std::collections::BTreeSet;
use std::ops::Range;

/// Hits that each index is asked for, from the one number `top_k`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Entities per name.
    pub entities: usize,
    /// Relations for the whole question.
    pub relations: usize,
    /// Chunks for the whole question.
    pub chunks: usize,
    /// Chunks returned: half of `top_k`, so 0 for 1.
    pub final_chunks: usize,
}

impl Budgets {
    /// `top_k` is 60 by default there.
    pub fn new(top_k: usize, n_query_entities: usize) -> Self {
        let half = top_k / 2;
        Self {
            entities: top_k,
            relations: top_k * n_query_entities,
            chunks: half,
            final_chunks: half,
        }
    }
}

/// The end of the published program for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// Returns a context.
    Context,
    /// Returns nothing although chunks may have been selected: the last name matched no entity, or no relation was
    /// found.
    Nothing,
    /// Stops with an exception: no name in the question, or a matched entity outside the graph.
    Stops,
}

pub fn published_outcome(graph: &EntityGraph, query: &GraphQuery<'_>) -> Published {
    let stale = |name: &QueryEntity| name.hits.iter().any(|hit| graph.entity(hit.0).is_none());
    match query.entities.last() {
        None => Published::Stops,
        _ if query.entities.iter().any(stale) => Published::Stops,
        Some(last) if last.hits.is_empty() || query.relations.is_empty() => Published::Nothing,
        Some(_) => Published::Context,
    }
}

/// True when a pair of entities is a step of a walk, in this direction.
pub fn step_votes(pair: (u32, u32), walk: &[u32]) -> bool {
    walk.windows(2).any(|step| (step[0], step[1]) == pair)
}

/// Entries of `answers` that meet an entry of the walk, each entry used once: with distinct answers, the distinct
/// answer entities on the walk.
pub fn n_answers(walk: &[u32], answers: &[u32]) -> usize {
    let mut left = walk.to_vec();
    let mut n = 0;
    for answer in answers {
        if let Some(place) = left.iter().position(|node| node == answer) {
            left.swap_remove(place);
            n += 1;
        }
    }
    n
}

/// Indexes of the `k` texts closest to the question, closest first; equals keep their order. With `split_cjk` a Han
/// character is a word of its own.
pub fn top_by_question(texts: &[String], question: &str, k: usize, split_cjk: bool) -> Vec<usize> {
    let words = |text: &str| -> Vec<String> {
        let han = |c: char| split_cjk && ('\u{4e00}'..='\u{9fff}').contains(&c);
        let mut spaced = String::new();
        for c in text.to_lowercase().chars() {
            match han(c) {
                true => spaced.extend([' ', c, ' ']),
                false => spaced.push(c),
            }
        }
        spaced.split_whitespace().map(str::to_owned).collect()
    };
    let question = words(question);
    let mut ranked: Vec<(usize, f64)> = texts
        .iter()
        .map(|text| word_edit_similarity(&question, &words(text)))
        .enumerate()
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked.iter().take(k).map(|pair| pair.0).collect()
}

/// The types that entities of a graph have, in order of their numbers: the pool a question analyzer chooses from.
pub fn types_present(graph: &EntityGraph) -> Vec<&str> {
    let numbers: BTreeSet<(u32, usize)> = (0..)
        .zip(graph.entities())
        .map(|(place, entity): (usize, _)| (entity.kind as u32, place))
        .collect();
    let mut types: Vec<&str> = numbers
        .iter()
        .map(|(_, place)| graph.type_of(*place as u32))
        .collect();
    types.dedup();
    types
}

/// Text of an entity's row in a store of descriptions.
pub fn entity_row(entity: &MergedEntity) -> String {
    format!("{} {}", entity.name, entity.descriptions().join(JOIN))
}

/// Id of a row: a prefix (`chunk-`, `ent-`, `Ename-`, `rel-`) and the MD5 of its identity.
pub fn row_id(prefix: &str, identity: &str) -> String {
    format!("{prefix}{}", md5_hex(identity.as_bytes()))
}

/// Windows of `max` tokens over `n_tokens`, each overlapping its predecessor by `overlap`; the last may be short.
pub fn windows(n_tokens: usize, max: usize, overlap: usize) -> Vec<Range<usize>> {
    let step = max.saturating_sub(overlap).max(1);
    (0..n_tokens)
        .step_by(step)
        .map(|start| start..(start + max).min(n_tokens))
        .collect()
}
