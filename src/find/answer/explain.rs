//! Why results are where they are: every intermediate value of a result, and the course of a whole question.

use super::passages::passages;
use super::result::{Candidate, Explanation, MatchedContext, Trace, TracedWord};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::Resident;
use crate::bundle::place;
use crate::bundle::step::{Gather, Step, all};
use crate::find::ask::options::FindOptions;
use crate::find::ask::request::Request;
use crate::find::onyx::ranking::Ranking;
use crate::find::rank::keywords;
use crate::find::rank::keywords::FieldWeights;
use crate::find::rank::mix::{Question, Relevance};
use crate::find::walk::{Counts, Event};
use crate::read::texts;

/// Candidates told in a trace.
const CANDIDATES: usize = 50;

/// How the score of one result came about.
fn explanation(store: &Resident, question: &Question, ranking: &Ranking, node: u32) -> Explanation {
    let own = ranking.rows.iter().find(|r| r.node == node).copied();
    let own = own.unwrap_or_default();
    let average_title = store.head().parameters.average_title;
    Explanation {
        alpha: question.alpha,
        keyword: own.keyword,
        vector: own.vector,
        graph: own.graph,
        score: own.score,
        words: keywords::explain(
            &question.slots,
            node,
            average_title,
            FieldWeights::default(),
        ),
        factors: ranking.factors(node),
        two_field: ranking.two_field(node),
        queries: ranking.query_ranks(node),
        paths: ranking
            .connected
            .as_ref()
            .map_or_else(Vec::new, |c| c.reasons(node)),
    }
}

/// Adds to results what was asked for besides: how scores came about, passages, relations.
pub fn tell(
    store: &Resident,
    question: &Question,
    ranking: &Ranking,
    hits: &[(u32, u8, f32)],
    mut contexts: Vec<MatchedContext>,
    request: &Request,
    options: &FindOptions,
) -> Step<Vec<MatchedContext>> {
    let nodes: Vec<u32> = hits.iter().map(|hit| hit.0).collect();
    if let Some(context) = request.hybrid.context {
        let passages = passages(store, &question.slots, &nodes, context)?;
        for (told, passages) in contexts.iter_mut().zip(passages) {
            told.passages = passages;
        }
    }
    if options.relations {
        let own = nodes.iter().map(|&node| texts::relations_of(store, node));
        for (told, mut relations) in contexts.iter_mut().zip(all(own.collect())?) {
            relations.truncate(RELATIONS);
            told.relations = relations;
        }
    }
    if options.explain {
        for (told, &node) in contexts.iter_mut().zip(&nodes) {
            told.explain = Some(explanation(store, question, ranking, node));
        }
    }
    Ok(contexts)
}

/// Relations told per result. Source: OpenViking specification §11.
const RELATIONS: usize = 5;

/// The course of a question. Asks for the branches of all files in it: their names are there.
pub fn trace(
    store: &Resident,
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
        gather.take(store.branch(store.head().block_of(node)));
    }
    gather.done()?;
    let uris = nodes
        .iter()
        .map(|&node| place::uri_of(store, node))
        .collect::<Step<Vec<String>>>()?;
    let uri = |node: u32| uris[nodes.partition_point(|&known| known < node)].clone();
    let word = |slot: &crate::find::ask::words::Slot| TracedWord {
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
