//! The answer as a whole: results by type, with the extras that the options request.

use super::contexts::contexts;
#[cfg(feature = "full")]
use super::direct;
#[cfg(feature = "full")]
use super::explain;
use super::groups::groups;
use super::near::Near;
#[cfg(feature = "full")]
use super::result::{Excerpt, Trace, VectorTelemetry};
use super::result::{FindResult, MatchedContext};
use super::spelled;
use crate::base::id::NodeId;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::find::ask::asked::Asked;
use crate::find::ask::meant::Meant;
#[cfg(feature = "full")]
use crate::find::ask::options::FindOptions;
use crate::find::ask::options::Group;
#[cfg(feature = "full")]
use crate::find::ask::request::Request;
#[cfg(feature = "full")]
use crate::find::onyx::ranking::Ranking;
#[cfg(not(feature = "full"))]
use crate::find::rank::plain::Ranking;
use crate::find::rank::relevance::judge;
use crate::find::walk::over_bundle::Walked;
#[cfg(feature = "full")]
use crate::find::walk::{Counts, Hit};

/// Rows of a ranking among which one must be an answer, as many as are asked for by default.
const FIRST: usize = 10;

/// Answers a question whose nodes are ranked and walked.
pub fn answer(
    store: &Resident,
    asked: &mut Asked<'_>,
    ranking: Ranking,
    mut walked: Walked,
) -> Step<FindResult> {
    let mut result = asked.begin();
    let asked = &*asked;
    let (request, options) = (asked.request, asked.options);
    let mut hits = std::mem::take(&mut walked.hits);
    let judge = |node| relevance(store, asked, &ranking, &walked, node);
    if let Some(least) = options.score_threshold {
        hits.retain(|hit| judge(hit.node).0 > least);
    }
    // Of the beginning of the ranking, so that no limit and no page says anything else.
    let is_weak = !hits.iter().take(FIRST).any(|hit| judge(hit.node).1);
    let last = request.offset.saturating_add(request.limit);
    let (hits, others) = asked.wanted.rows(store.head(), hits, last);
    #[cfg(feature = "full")]
    let (hits, others) = turn(hits, others, request.offset);
    // Later pages go on behind the first, whose order they don't know.
    let first = match request.offset {
        0 => request.limit.min(FIRST),
        _ => 0,
    };
    let slots = &ranking.inputs.slots;
    let meant = Meant::of(slots);
    let mut contexts = contexts(store, &meant, &hits, &others, &asked.wanted, options)?;
    let near = Near::of(asked, &ranking.inputs, &meant);
    let mut hits = hits;
    near.order(&asked.pinned, &mut hits, &mut contexts, first);
    if !result.corrections.is_empty() {
        spelled::tell(&mut result.corrections, slots, &contexts);
    }
    if options.group == Group::Directory {
        result.groups = groups(store, &hits, &contexts)?;
    }
    #[cfg(feature = "full")]
    let contexts = {
        trace(store, asked, &ranking, &walked, &contexts, &mut result)?;
        let counted = || telemetry(asked, &ranking, hits.len());
        result.telemetry = options.telemetry.0.then(counted);
        result.alpha = ranking.inputs.alpha;
        result.answer = direct::answer(store, asked, slots, &hits, &contexts, &judge)?;
        result.skipped.extend(ranking.skipped.iter().cloned());
        let walk = (&walked.trace[..], walked.own_weight);
        let mut contexts =
            explain::add(store, asked, &ranking, walk, &hits, contexts, &mut result)?;
        near.explain(&asked.pinned, &hits, &mut contexts, first);
        if options.lean {
            contexts.iter_mut().for_each(make_lean);
        }
        contexts
    };
    let judged = hits.iter().map(|hit| judge(hit.node));
    list(&mut result, contexts.into_iter().zip(judged));
    result.weak = result.total > 0 && is_weak;
    Ok(result)
}

/// The relevance of a hit in [0, 1], and true if that makes it an answer.
fn relevance(
    store: &Resident,
    asked: &Asked<'_>,
    ranking: &Ranking,
    walked: &Walked,
    node: NodeId,
) -> (f32, bool) {
    if asked.pinned.contains(&node) {
        return (1.0, true);
    }
    if let Some(score) = walked.given(node) {
        return (score, true);
    }
    judge(store, &ranking.grounds, node)
}

/// Adds the trace and the provenance, where they are asked for.
#[cfg(feature = "full")]
fn trace(
    store: &Resident,
    asked: &Asked<'_>,
    ranking: &Ranking,
    walked: &Walked,
    contexts: &[MatchedContext],
    result: &mut FindResult,
) -> Step<()> {
    let (request, options) = (asked.request, asked.options);
    if options.trace {
        let (events, counts) = (walked.trace.clone(), walked.counts);
        result.trace = Some(explain::trace(store, ranking, events, counts)?);
    }
    if options.include_provenance {
        let told = result.trace.as_ref();
        let told = explain::provenance(store.head(), request, contexts, told, walked.counts);
        result.provenance = Some(vec![told]);
    }
    Ok(())
}

/// True if a request asks how its answer came about, which an answer without results says, too.
#[cfg(feature = "full")]
pub fn is_told(request: &Request) -> bool {
    request.options.trace || request.options.include_provenance
}

/// The answer without a result, with an empty trace and provenance where they are asked for.
#[cfg(feature = "full")]
pub fn nothing(store: &Resident, asked: &mut Asked<'_>) -> FindResult {
    let mut result = asked.begin();
    let request = asked.request;
    result.trace = request.options.trace.then(Trace::default);
    if request.options.include_provenance {
        let counts = Counts::default();
        let told = explain::provenance(store.head(), request, &[], None, counts);
        result.provenance = Some(vec![told]);
    }
    result
}

/// No results but the rows that the caller has to score, without excerpts.
#[cfg(feature = "full")]
pub fn wanted(
    store: &Resident,
    asked: &mut Asked<'_>,
    ranking: &Ranking,
    rows: &[Hit],
) -> Step<FindResult> {
    let mut result = asked.begin();
    let options = FindOptions {
        excerpts: false,
        ..FindOptions::default()
    };
    let meant = Meant::of(&ranking.inputs.slots);
    result.wanted = contexts(store, &meant, rows, &[], &asked.wanted, &options)?;
    Ok(result)
}

/// The telemetry of an answer.
#[cfg(feature = "full")]
fn telemetry(asked: &Asked<'_>, ranking: &Ranking, returned: usize) -> VectorTelemetry {
    let ranges = asked.scope.ranges();
    let ranges = ranges.iter();
    VectorTelemetry {
        returned,
        scanned: ranges.map(|(a, b)| (b - a) as usize).sum(),
        ..ranking.counts.clone()
    }
}

/// Takes off what tells an agent nothing more: highlights, the abstract beside an excerpt, excerpts that are there already.
#[cfg(feature = "full")]
fn make_lean(context: &mut MatchedContext) {
    let bare = |text: String| Excerpt {
        text,
        ..Excerpt::default()
    };
    context.excerpt = bare(std::mem::take(&mut context.excerpt.text));
    if !context.excerpt.text.is_empty() {
        context.abstract_.clear();
    }
    for section in &mut context.sections {
        let mut text = std::mem::take(&mut section.excerpt.text);
        if text == context.excerpt.text {
            text.clear();
        }
        section.excerpt = bare(text);
    }
}

/// Puts contexts, with their relevance and whether they are answers, into the list of their type.
fn list(result: &mut FindResult, judged: impl Iterator<Item = (MatchedContext, (f32, bool))>) {
    for (mut context, (relevance, is_answer)) in judged {
        (context.relevance, context.weak) = (relevance, !is_answer);
        result.total += 1;
        match context.context_type {
            "memory" => result.memories.push(context),
            "skill" => result.skills.push(context),
            _ => result.resources.push(context),
        }
    }
}

/// Rows, and the translations that they stand for: the place among the rows, and the node.
#[cfg(feature = "full")]
type Rows = (Vec<Hit>, Vec<(usize, NodeId)>);

/// Turns to the page after the first `offset` rows: leaves them out with the translations that they stand for.
#[cfg(feature = "full")]
fn turn(mut hits: Vec<Hit>, mut others: Vec<(usize, NodeId)>, offset: usize) -> Rows {
    hits.drain(..offset.min(hits.len()));
    others.retain_mut(|(place, _)| {
        let is_here = *place >= offset;
        *place = place.saturating_sub(offset);
        is_here
    });
    (hits, others)
}
