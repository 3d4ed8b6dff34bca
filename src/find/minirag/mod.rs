//! Graph retrieval: from entities named in a question, over walks, to chunks.
//!
//! Walks of at most two relations start at every matched entity. A walk is worth more for each entity of the wanted
//! answer type on it and for each of its relations that the question finds by itself; its worth goes to the chunks it
//! passes. Each entity then votes for its heaviest chunks with its similarity. Source: spec minirag §2 and §3.

mod aggregate;
pub mod context;
pub mod names;
#[cfg(feature = "full")]
pub mod over_bundle;
mod support;
mod vote;
mod walked;

use crate::base::order;
use crate::graph::EntityGraph;
use support::Prepared;
pub use support::{WalkSupport, word_edit_similarity};
pub use vote::{Contribution, Record, vote};
pub use walked::{ScoredWalk, weigh_walks};

/// Entities matched to one name from the question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryEntity {
    /// The name, as the question has it. Of two equal ones the last counts.
    pub text: String,
    /// `(entity, similarity)`, best first.
    pub hits: Vec<(u32, f64)>,
}

/// Subjects of a question, and types of its answer, that the caller names; where empty, rules find them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// Names of entities.
    pub entities: Vec<String>,
    /// Types of entities.
    pub answer_types: Vec<String>,
}

/// The question's hits in the indexes; every list best first. 0 hits mean 0, never everything.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GraphQuery<'a> {
    /// The question, to judge the mentions of crowded entities by; without it only start entities give chunks.
    pub text: Option<&'a str>,
    /// Entities by name.
    pub entities: &'a [QueryEntity],
    /// Types an answer may have.
    pub answer_types: &'a [String],
    /// Relations by text, as pairs of entities.
    pub relations: &'a [(u32, u32)],
    /// Chunks by the hybrid or vector score.
    pub chunks: &'a [u32],
    /// Number of chunks to return.
    pub final_chunks: usize,
}

/// The chunks of an entity's list that are multiplied by ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boost {
    /// The first chunk, when it is among the chunk hits.
    First,
    /// Every chunk that is among the chunk hits. Measures best.
    Any,
    /// The whole list, when its first chunk is among the chunk hits (as published).
    WholeList,
}

/// The rules of selection. The default is the recommended behaviour; [`Rules::as_is`] is the published program's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// A relation votes whichever way a walk takes it; otherwise only in its stored direction.
    pub both_directions: bool,
    /// Every voting relation gives its chunks; otherwise the first of a walk.
    pub all_relation_chunks: bool,
    /// An entity gives its chunks on every walk; otherwise once per question.
    pub repeat_nodes: bool,
    /// Chunk weights add up over walks; otherwise the last walk decides.
    pub sum_over_walks: bool,
    /// The chunks that hits multiply.
    pub boost: Boost,
    /// Only the best match of a name is doubled; otherwise every match that equals it in score and chunks.
    pub double_by_position: bool,
    /// An entity matched twice keeps its better similarity; otherwise the last.
    pub best_entity_score: bool,
    /// Free places are filled from the chunk hits; otherwise totals that are not positive are dropped instead.
    pub fill_from_hits: bool,
    /// Type names compare without case and quotes; otherwise only the graph's side loses its quotes.
    pub fold_types: bool,
    /// Characters of unspaced scripts count as words of their own when texts are compared.
    pub split_cjk: bool,
    /// A chunk gets a share by its weight within its entity's list; otherwise all get the same.
    pub relative_share: bool,
    /// Equal weights and totals are ordered by chunk number; otherwise as first seen.
    pub ties_by_number: bool,
    /// Chunks an entity votes for.
    pub max_chunks: usize,
    /// Share of matched entities without neighbors that is kept, at least one.
    pub keep_isolated: f64,
    /// Mentions above this make an entity crowded: only its best half, and at least this many, count.
    pub many_chunks: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            both_directions: true,
            all_relation_chunks: true,
            repeat_nodes: true,
            sum_over_walks: true,
            boost: Boost::First,
            double_by_position: true,
            best_entity_score: true,
            fill_from_hits: true,
            fold_types: true,
            split_cjk: true,
            relative_share: false,
            ties_by_number: false,
            max_chunks: 3,
            keep_isolated: 0.2,
            many_chunks: 5,
        }
    }
}

impl Rules {
    /// The published program, quirks included.
    pub fn as_is() -> Self {
        Self {
            both_directions: false,
            all_relation_chunks: false,
            repeat_nodes: false,
            sum_over_walks: false,
            boost: Boost::WholeList,
            double_by_position: false,
            best_entity_score: false,
            fill_from_hits: false,
            fold_types: false,
            split_cjk: false,
            ..Self::default()
        }
    }

    /// The rules that measured best on labelled data (spec minirag §3): 30 chunks per entity, any hit boosted, shares by weight.
    pub fn quality() -> Self {
        Self {
            boost: Boost::Any,
            relative_share: true,
            ties_by_number: true,
            max_chunks: 30,
            ..Self::default()
        }
    }

    /// True if chunk weights can be added up per entity instead of walk by walk.
    fn can_aggregate(&self) -> bool {
        self.both_directions && self.all_relation_chunks && self.repeat_nodes && self.sum_over_walks
    }
}

/// Chunks that an entity brings into the vote.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntityChunks {
    /// Number of the entity in the graph.
    pub entity: u32,
    /// Its similarity to the question's name.
    pub score: f64,
    /// Every chunk its walks pass, with its weight, as first seen.
    pub weights: Vec<(u32, f64)>,
    /// The heaviest of them, heaviest first.
    pub chunks: Vec<u32>,
}

/// The outcome, with everything an explanation needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Entities that start walks: those with neighbors as matched, then the isolated ones that were kept.
    pub candidates: Vec<EntityChunks>,
    /// Every vote, in the order they were cast.
    pub contributions: Vec<Contribution>,
    /// Totals, as first seen.
    pub totals: Vec<(u32, f64)>,
    /// The chunks, best first; those filled in from the chunk hits have no total.
    pub chunks: Vec<u32>,
}

/// Selects chunks. Never fails: without matches the chunk hits come back (unless filling is off).
///
/// Entities outside the graph are skipped. Cost, with the default rules: per start the sum of its neighbors' degrees
/// plus the mentions of the entities reached.
pub fn select(graph: &EntityGraph, query: &GraphQuery<'_>, rules: &Rules) -> Selection {
    let mut matched: Vec<(u32, f64)> = Vec::new();
    for &(entity, score) in query.entities.iter().flat_map(|name| &name.hits) {
        if graph.entity(entity).is_none() {
            continue;
        }
        match matched.iter_mut().find(|known| known.0 == entity) {
            Some(known) if rules.best_entity_score => known.1 = known.1.max(score),
            Some(known) => known.1 = score,
            None => matched.push((entity, score)),
        }
    }
    let starts = starts(graph, &matched, rules);
    let prepared = Prepared::new(graph, query, rules, &matched);
    let weights = if rules.can_aggregate() {
        aggregate::chunk_weights(&prepared, &starts)
    } else {
        walked::chunk_weights(&prepared, &starts)
    };
    let mut candidates = Vec::with_capacity(starts.len());
    for (entity, weights) in starts.into_iter().zip(weights) {
        let score = matched
            .iter()
            .find(|known| known.0 == entity)
            .map_or(0.0, |known| known.1);
        let chunks = best(&weights, rules.max_chunks, rules.ties_by_number);
        candidates.push(EntityChunks {
            entity,
            score,
            weights,
            chunks,
        });
    }
    tally(query, rules, candidates)
}

/// Matched entities that start walks: all with neighbors, then the best fifth of the others.
fn starts(graph: &EntityGraph, matched: &[(u32, f64)], rules: &Rules) -> Vec<u32> {
    let (mut starts, mut isolated) = (Vec::new(), Vec::new());
    for &(entity, score) in matched {
        if graph.neighbors(entity).is_empty() {
            isolated.push((entity, score));
        } else {
            starts.push(entity);
        }
    }
    let n_kept = ((isolated.len() as f64 * rules.keep_isolated) as usize).max(1);
    order::sort_by(&mut isolated, |a, b| b.1.total_cmp(&a.1));
    starts.extend(isolated.iter().take(n_kept).map(|pair| pair.0));
    starts
}

fn tally(query: &GraphQuery<'_>, rules: &Rules, candidates: Vec<EntityChunks>) -> Selection {
    let lists = records(query.entities, &candidates, rules);
    let (totals, contributions) = vote(&lists, query.chunks, rules);
    let mut chunks = best(&totals, query.final_chunks, rules.ties_by_number);
    if rules.fill_from_hits {
        for &chunk in query.chunks {
            if chunks.len() >= query.final_chunks {
                break;
            }
            if !chunks.contains(&chunk) && !totals.iter().any(|total| total.0 == chunk) {
                chunks.push(chunk);
            }
        }
    }
    Selection {
        candidates,
        contributions,
        totals,
        chunks,
    }
}

/// Per distinct name of the question its matches that are candidates, in the order of the hits.
pub fn records(
    names: &[QueryEntity],
    candidates: &[EntityChunks],
    rules: &Rules,
) -> Vec<(u32, Vec<Record>)> {
    let mut distinct: Vec<&QueryEntity> = Vec::new();
    for name in names {
        match distinct.iter_mut().find(|known| known.text == name.text) {
            Some(known) => *known = name,
            None => distinct.push(name),
        }
    }
    let record = |hit: &(u32, f64)| {
        let found = candidates
            .iter()
            .find(|candidate| candidate.entity == hit.0)?;
        let top = found
            .chunks
            .first()
            .and_then(|first| weight_of(found, *first))
            .unwrap_or(1.0);
        let share = |chunk: u32| {
            if rules.relative_share {
                weight_of(found, chunk).unwrap_or(0.0) / top
            } else {
                1.0
            }
        };
        let chunks = found
            .chunks
            .iter()
            .map(|chunk| (*chunk, share(*chunk)))
            .collect();
        Some(Record {
            entity: hit.0,
            score: found.score,
            chunks,
        })
    };
    (0..)
        .zip(distinct)
        .map(|(place, name)| (place, name.hits.iter().filter_map(record).collect()))
        .collect()
}

fn weight_of(candidate: &EntityChunks, chunk: u32) -> Option<f64> {
    candidate
        .weights
        .iter()
        .find(|pair| pair.0 == chunk)
        .map(|pair| pair.1)
}

/// The `n` chunks of highest weight; equal weights as first seen, or by number.
pub fn best(weights: &[(u32, f64)], n: usize, ties_by_number: bool) -> Vec<u32> {
    let mut sorted = weights.to_vec();
    order::sort_by(&mut sorted, |a, b| {
        let ties = if ties_by_number {
            a.0.cmp(&b.0)
        } else {
            std::cmp::Ordering::Equal
        };
        b.1.total_cmp(&a.1).then(ties)
    });
    sorted.iter().take(n).map(|pair| pair.0).collect()
}

/// Why a chunk is in the result: one reason per vote for it, strongest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reason {
    /// Index of the question's name among the distinct names.
    pub name: u32,
    /// The entity that voted.
    pub entity: u32,
    /// Weight that its vote added to the chunk's total.
    pub amount: f64,
    /// The strongest of its walks that pass the chunk; the entity alone when it has no walks.
    pub walk: WalkSupport,
}

impl GraphQuery<'_> {
    /// The entities of all names, with how well they match.
    fn matched(&self) -> Vec<(u32, f64)> {
        let hits = self.entities.iter().map(|name| &name.hits);
        hits.flatten().copied().collect()
    }
}

/// Explains a chunk of a selection made with the same graph, query and rules.
///
/// Empty for a chunk that was filled in from the chunk hits. Cost: the walks of every entity that voted for it.
pub fn explain(
    graph: &EntityGraph,
    query: &GraphQuery<'_>,
    rules: &Rules,
    selection: &Selection,
    chunk: u32,
) -> Vec<Reason> {
    let matched = query.matched();
    let prepared = Prepared::new(graph, query, rules, &matched);
    let mut reasons: Vec<Reason> = selection
        .contributions
        .iter()
        .filter(|vote| vote.chunk == chunk)
        .map(|vote| Reason {
            name: vote.name,
            entity: vote.entity,
            amount: vote.amount,
            walk: prepared.strongest_walk(vote.entity, chunk),
        })
        .collect();
    order::sort_by(&mut reasons, |a, b| b.amount.total_cmp(&a.amount));
    reasons
}

/// Support of every walk of an entity, in walking order.
pub fn walk_support(
    graph: &EntityGraph,
    query: &GraphQuery<'_>,
    rules: &Rules,
    entity: u32,
) -> Vec<WalkSupport> {
    let matched = query.matched();
    let prepared = Prepared::new(graph, query, rules, &matched);
    graph
        .walks(entity, 2)
        .into_iter()
        .map(|walk| prepared.support(walk))
        .collect()
}
