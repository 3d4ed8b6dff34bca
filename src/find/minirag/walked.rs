//! Chunk weights walk by walk: every switch of the rules, at the price of visiting each walk.

use super::support::{Prepared, WalkSupport};
use super::{GraphQuery, Rules};
use crate::graph::EntityGraph;
use std::collections::BTreeMap;

/// A walk with its support and the relation hits that vote for it, as pairs in the order of the hits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoredWalk {
    /// The walk and its support.
    pub support: WalkSupport,
    /// Voting relation hits.
    pub voting: Vec<(u32, u32)>,
}

/// Chunks with their weights, as first seen, for starts whose walks are given. A start without walks gives its own.
pub fn weigh_walks(
    graph: &EntityGraph,
    question: Option<&str>,
    rules: &Rules,
    starts: &[(u32, Vec<ScoredWalk>)],
) -> Vec<Vec<(u32, f64)>> {
    let query = GraphQuery {
        text: question,
        ..GraphQuery::default()
    };
    weigh(&Prepared::new(graph, &query, rules, &[]), starts)
}

/// Per start its chunks with their weights, as first seen.
pub(super) fn chunk_weights(prepared: &Prepared<'_>, starts: &[u32]) -> Vec<Vec<(u32, f64)>> {
    let scored = |walk: Vec<u32>| {
        let voting = prepared
            .walk_votes(&walk)
            .iter()
            .map(|place| prepared.good[*place as usize])
            .collect();
        ScoredWalk {
            support: prepared.support(walk),
            voting,
        }
    };
    let walks_of = |start: &u32| {
        (
            *start,
            prepared
                .graph
                .walks(*start, 2)
                .into_iter()
                .map(scored)
                .collect(),
        )
    };
    weigh(prepared, &starts.iter().map(walks_of).collect::<Vec<_>>())
}

fn weigh(prepared: &Prepared<'_>, starts: &[(u32, Vec<ScoredWalk>)]) -> Vec<Vec<(u32, f64)>> {
    let mut given = BTreeMap::new();
    starts
        .iter()
        .map(|(start, walks)| of_start(prepared, *start, walks, &mut given))
        .collect()
}

fn of_start<'a>(
    prepared: &Prepared<'a>,
    start: u32,
    walks: &[ScoredWalk],
    given: &mut BTreeMap<&'a str, Vec<u32>>,
) -> Vec<(u32, f64)> {
    let graph = prepared.graph;
    let own = graph.entity(start).map_or(&[][..], |entity| &entity.chunks);
    let mut total = Vec::new();
    if walks.is_empty() {
        own.iter().for_each(|chunk| add(&mut total, *chunk, 1.0));
    }
    for walk in walks {
        if !prepared.rules.sum_over_walks {
            total.clear();
        }
        let mut pool: Vec<u32> = Vec::new();
        let n_giving = if prepared.rules.all_relation_chunks {
            walk.voting.len()
        } else {
            walk.voting.len().min(1)
        };
        for &(a, b) in &walk.voting[..n_giving] {
            if let Some(relation) = graph.relation_between(a, b) {
                pool.extend(&graph.relations()[relation as usize].chunks);
            }
        }
        pool.extend(own);
        for node in walk.support.walk.iter().skip(1) {
            pool.extend(passed(prepared, *node, given));
        }
        let factor = walk.support.factor();
        pool.iter()
            .for_each(|chunk| add(&mut total, *chunk, factor));
    }
    total
}

/// The chunks a node gives to a walk. Without repetition a node gives once per question, except that the reduced list of a
/// crowded one is remembered; nodes are told apart by their first description, as published.
fn passed<'a>(
    prepared: &Prepared<'a>,
    node: u32,
    given: &mut BTreeMap<&'a str, Vec<u32>>,
) -> Vec<u32> {
    let Some(entity) = prepared
        .graph
        .entity(node)
        .filter(|_| prepared.words.is_some())
    else {
        return Vec::new();
    };
    if prepared.rules.repeat_nodes {
        return prepared.passed_chunks(node);
    }
    let key = entity
        .texts
        .first()
        .map_or(entity.name.as_str(), String::as_str);
    if let Some(remembered) = given.get(key) {
        return remembered.clone();
    }
    let chunks = prepared.passed_chunks(node);
    let crowded = entity.chunks.len() > prepared.rules.many_chunks
        && entity.texts.len() == entity.chunks.len();
    given.insert(key, if crowded { chunks.clone() } else { Vec::new() });
    chunks
}

fn add(total: &mut Vec<(u32, f64)>, chunk: u32, weight: f64) {
    match total.iter_mut().find(|pair| pair.0 == chunk) {
        Some(pair) => pair.1 += weight,
        None => total.push((chunk, weight)),
    }
}
