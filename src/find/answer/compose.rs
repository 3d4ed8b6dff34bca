//! The answer as a whole: results by type, with the extras that the options request.

use super::contexts::contexts;
#[cfg(feature = "full")]
use super::explain;
use super::result::FindResult;
#[cfg(feature = "full")]
use super::result::VectorTelemetry;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::find::ask::asked::Asked;
#[cfg(feature = "full")]
use crate::find::onyx::ranking::Ranking;
#[cfg(not(feature = "full"))]
use crate::find::rank::plain::Ranking;
use crate::find::walk::over_bundle::Walked;

/// Answers a question whose nodes are ranked and walked.
pub fn answer(
    store: &Resident,
    asked: &mut Asked<'_>,
    ranking: Ranking,
    walked: Walked,
) -> Step<FindResult> {
    let mut result = asked.begin();
    let asked = &*asked;
    let (request, options) = (asked.request, asked.options);
    let mut hits = walked.hits;
    hits.retain(|h| options.score_threshold.is_none_or(|t| h.score > t));
    let (hits, others) = asked.wanted.rows(store.head(), hits, request.limit);
    let slots = &ranking.inputs.slots;
    let contexts = contexts(store, slots, &hits, &others, &asked.wanted, options)?;
    #[cfg(feature = "full")]
    let contexts = {
        if options.trace {
            result.trace = Some(explain::trace(
                store,
                &ranking,
                walked.trace,
                walked.counts,
            )?);
        }
        result.telemetry = options.telemetry.then(|| VectorTelemetry {
            returned: hits.len(),
            scanned: asked
                .scope
                .ranges()
                .iter()
                .map(|(a, b)| (b - a) as usize)
                .sum(),
            ..ranking.counts.clone()
        });
        result.alpha = ranking.inputs.alpha;
        result.skipped.extend(ranking.skipped.iter().cloned());
        explain::add(store, asked, &ranking, &hits, contexts)?
    };
    for context in contexts {
        match context.context_type {
            "memory" => result.memories.push(context),
            "skill" => result.skills.push(context),
            _ => result.resources.push(context),
        }
    }
    result.total = hits.len();
    Ok(result)
}
