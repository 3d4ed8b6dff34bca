//! Explanations: every intermediate value of a result's score, and the trace of a whole question.

use super::passages::passages;
use super::relations::relations_of;
use super::result::{
    Candidate, Explanation, FindResult, Matched, MatchedContext, Propagation, Provenance,
    ThinkingTrace, Trace, TracedWord,
};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::place;
use crate::bundle::step::{Gather, Step, all};
use crate::bundle::{Head, Resident};
use crate::find::ask::asked::Asked;
use crate::find::ask::request::Request;
use crate::find::ask::words::Slot;
use crate::find::onyx::ranking::Ranking;
use crate::find::rank::keywords;
use crate::find::rank::keywords::FieldWeights;
use crate::find::walk::{Counts, Event, Hit};

/// Candidates listed in a trace.
const CANDIDATES: usize = 50;

/// Explains the score of one result.
fn explanation(
    store: &Resident,
    ranking: &Ranking,
    node: NodeId,
    may_see: &dyn Fn(NodeId) -> bool,
) -> Explanation {
    let own = ranking.rows.iter().find(|r| r.node == node).copied();
    let own = own.unwrap_or_default();
    let average_title = store.head().parameters.average_title;
    Explanation {
        alpha: ranking.inputs.alpha,
        keyword: own.keyword,
        vector: own.vector,
        graph: own.graph,
        score: own.score,
        near: 0.0,
        near_weight: 0.0,
        share: ranking
            .grounds
            .first()
            .map_or(0.0, |ground| ground.share(store.head(), node)),
        cosine: ranking
            .grounds
            .first()
            .and_then(|ground| ground.cosine(store.head(), node)),
        words: keywords::explain(
            &ranking.inputs.slots,
            node,
            average_title,
            FieldWeights::of(ranking.inputs.sentence),
        ),
        propagation: None,
        hotness: None,
        factors: ranking.factors(node),
        two_field: ranking.two_field(node),
        queries: ranking.query_ranks(node),
        paths: ranking
            .connected
            .as_ref()
            .map_or_else(Vec::new, |c| c.reasons(node, may_see)),
    }
}

/// The share of its directory in the score that a node got in a walk, where it has one. O(events).
fn propagation(
    head: &Head,
    events: &[Event<NodeId>],
    node: NodeId,
    own_weight: f32,
) -> Option<Propagation> {
    // The last time that it became a candidate, its score was the one that it has.
    let mut events = events.iter().rev();
    let (directory, level) = events.find_map(|event| match event {
        Event::CandidateSelected { directory, row, .. } if row.node == node => {
            Some((*directory, row.level))
        }
        _ => None,
    })?;
    let directory = directory?;
    let own = events.find_map(|event| match event {
        Event::EmbeddingScores {
            directory: Some(searched),
            scores,
            ..
        }
        | Event::RerankScores {
            directory: Some(searched),
            scores,
            ..
        } if *searched == directory => scores
            .iter()
            .find(|row| (row.node, row.level) == (node, level)),
        _ => None,
    })?;
    let passed = events.find_map(|event| match event {
        Event::SearchDirectoryStart {
            directory: opened,
            score,
            ..
        } if *opened == directory => Some(*score),
        _ => None,
    })?;
    let place = head.directory_at(directory)?;
    (passed != 0.0 && own_weight < 1.0).then(|| Propagation {
        directory: place::directory_uri(head, place),
        directory_score: passed,
        own: own.score,
        own_weight,
    })
}

/// Entities and passages as one text, where the options want it and the graph knew the question.
fn graph_context(
    asked: &Asked<'_>,
    ranking: &Ranking,
    contexts: &[MatchedContext],
) -> Option<String> {
    let wanted = asked.request.hybrid.graph_context;
    let connected = ranking.connected.as_ref().filter(|_| wanted)?;
    let passages = contexts.iter().flat_map(|context| &context.passages);
    let sources: Vec<&str> = passages.map(|passage| passage.text.as_str()).collect();
    Some(connected.context(&sources))
}

/// Adds passages, relations and explanations to the contexts of a result, as the options request; and to the result what
/// they make together, and what was left out.
pub fn add(
    store: &Resident,
    asked: &Asked<'_>,
    ranking: &Ranking,
    (events, own_weight): (&[Event<NodeId>], f32),
    hits: &[Hit],
    mut contexts: Vec<MatchedContext>,
    result: &mut FindResult,
) -> Step<Vec<MatchedContext>> {
    let nodes: Vec<NodeId> = hits.iter().map(|hit| hit.node).collect();
    if let Some(window) = asked.request.hybrid.context {
        let passages = passages(store, &ranking.inputs.slots, &nodes, window)?;
        result.skipped.extend(passages.skipped(&contexts));
        for (told, passages) in contexts.iter_mut().zip(passages.of_hits) {
            told.passages = passages;
        }
        result.graph_context = graph_context(asked, ranking, &contexts);
    }
    let visible = match asked.options.relations || ranking.connected.is_some() {
        true => Some(asked.request.visible(store)?),
        false => None,
    };
    let may_see = |node| visible.as_ref().is_none_or(|visible| visible.holds(node));
    if asked.options.relations {
        let own = nodes
            .iter()
            .map(|&node| relations_of(store, node, RELATIONS, &may_see));
        for (told, relations) in contexts.iter_mut().zip(all(own.collect())?) {
            told.relations = relations;
        }
    }
    if asked.options.explain {
        for (told, &node) in contexts.iter_mut().zip(&nodes) {
            told.explain = Some(Explanation {
                propagation: propagation(store.head(), events, node, own_weight),
                ..explanation(store, ranking, node, &may_see)
            });
        }
        if asked.options.hotness_weight > 0.0 {
            for (told, hit) in contexts.iter_mut().zip(hits) {
                let told = told.explain.as_mut();
                told.map(|told| told.hotness.replace(hit.hotness));
            }
        }
    }
    Ok(contexts)
}

/// Relations listed per result. Source: OpenViking specification §11.
const RELATIONS: usize = 5;

/// The roots and results of a question, and its walk, with the steps as far as `trace` has them.
pub fn provenance(
    head: &Head,
    request: &Request,
    contexts: &[MatchedContext],
    trace: Option<&Trace>,
    statistics: Counts,
) -> Provenance {
    Provenance {
        query: request.question.text.clone(),
        searched_directories: request.roots(head),
        matched_contexts: contexts.iter().map(Matched::of).collect(),
        thinking_trace: ThinkingTrace {
            events: trace.map_or_else(Vec::new, |trace| trace.events.clone()),
            statistics,
        },
    }
}

/// The trace of a question. Loads the branches of all files in it, for their names.
pub fn trace(
    store: &Resident,
    ranking: &Ranking,
    events: Vec<Event<NodeId>>,
    counts: Counts,
) -> Step<Trace> {
    let mut nodes: Vec<NodeId> = Vec::new();
    for event in &events {
        event.clone().map(&mut |node: NodeId| nodes.push(node));
    }
    let (ranked, inputs) = (&ranking.rows, &ranking.inputs);
    let shown = &ranked[..ranked.len().min(CANDIDATES)];
    nodes.extend(shown.iter().map(|r| r.node));
    order::sort_by(&mut nodes, NodeId::cmp);
    nodes.dedup();
    let mut gather = Gather::default();
    for &node in &nodes {
        gather.take(store.branch(store.head().block_of(node)));
    }
    gather.done()?;
    let uris = nodes
        .iter()
        .map(|&node| place::uri_of(store, node))
        .collect::<Step<Vec<String>>>()?;
    let uri = |node: NodeId| uris[nodes.partition_point(|&known| known < node)].clone();
    let word = |slot: &Slot| TracedWord {
        word: slot.term.clone(),
        read_as: slot
            .alternatives
            .iter()
            .map(|a| a.surface.clone())
            .collect(),
        importance: slot.importance(),
    };
    Ok(Trace {
        alpha: inputs.alpha,
        words: inputs.slots.iter().map(word).collect(),
        candidates: shown
            .iter()
            .map(|r| Candidate {
                uri: uri(r.node),
                keyword: r.keyword,
                vector: r.vector,
                graph: r.graph,
                score: r.score,
            })
            .collect(),
        events: events
            .into_iter()
            .map(|event| event.map(&mut |node: NodeId| uri(node)))
            .collect(),
        statistics: counts,
    })
}
