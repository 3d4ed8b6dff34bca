//! Why results are where they are: every intermediate value of a result, and the course of a whole question.

use super::connected::Connected;
use super::halt::{Gather, Step};
use super::lexical::{self, FieldWeights};
use super::place;
use super::relevance::{Question, Relevance};
use super::result::{Candidate, Explanation, Trace, TracedWord};
use super::walk::{Counts, Event};
use crate::bundle::Store;
use crate::id::NodeId;
use crate::order;

/// Candidates told in a trace.
const CANDIDATES: usize = 50;

/// How the score of one result came about.
pub fn explanation(
    store: &Store,
    question: &Question,
    ranked: &[Relevance],
    connected: Option<&Connected>,
    node: u32,
) -> Explanation {
    let own = ranked.iter().find(|r| r.node == node).copied();
    let own = own.unwrap_or_default();
    let average_title = store.head().parameters.average_title;
    Explanation {
        alpha: question.alpha,
        keyword: own.keyword,
        vector: own.vector,
        graph: own.graph,
        score: own.score,
        words: lexical::explain(
            &question.slots,
            node,
            average_title,
            FieldWeights::default(),
        ),
        paths: connected.map_or_else(Vec::new, |c| c.reasons(node)),
    }
}

/// The course of a question. Asks for the branches of all files in it: their names are there.
pub fn trace(
    store: &Store,
    question: &Question,
    ranked: &[Relevance],
    events: Vec<Event<NodeId>>,
    counts: Counts,
) -> Step<Trace> {
    let mut nodes: Vec<u32> = Vec::new();
    for event in &events {
        event.clone().map(&mut |node: NodeId| nodes.push(node.0));
    }
    let shown = &ranked[..ranked.len().min(CANDIDATES)];
    nodes.extend(shown.iter().map(|r| r.node));
    order::sort_dedup(&mut nodes);
    let mut gather = Gather::default();
    for &node in &nodes {
        gather.take(store.branch(store.head().group_of(node)));
    }
    gather.done()?;
    let uris = nodes
        .iter()
        .map(|&node| place::uri_of(store, node))
        .collect::<Step<Vec<String>>>()?;
    let uri = |node: u32| uris[nodes.partition_point(|&known| known < node)].clone();
    let word = |slot: &super::words::Slot| TracedWord {
        word: slot.term.clone(),
        read_as: slot
            .alternatives
            .iter()
            .map(|a| a.surface.clone())
            .collect(),
        importance: slot.importance(),
    };
    Ok(Trace {
        alpha: question.alpha,
        words: question.slots.iter().map(word).collect(),
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
            .map(|event| event.map(&mut |node: NodeId| uri(node.0)))
            .collect(),
        statistics: counts,
    })
}
