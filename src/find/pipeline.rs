//! `find`, on one screen: ask → rank → walk → answer.

use crate::bundle::Resident;
use crate::bundle::step::Step;
#[cfg(feature = "full")]
use crate::bundle::step::both;
use crate::find::answer::facets;
use crate::find::answer::result::FindResult;
use crate::find::answer::{compose, verbatim};
use crate::find::ask::asked::Asked;
use crate::find::ask::request::Request;
use crate::find::ask::words;
#[cfg(feature = "full")]
use crate::find::onyx::ranking;
#[cfg(not(feature = "full"))]
use crate::find::rank::plain as ranking;
#[cfg(feature = "full")]
use crate::find::rank::sorted;
use crate::find::rank::worded;
#[cfg(feature = "full")]
use crate::find::walk::hotness;
use crate::find::walk::over_bundle;
use crate::find::walk::over_bundle::Walked;

/// Answers a question. Pure: run again when it stops for missing parts.
pub fn find(store: &Resident, request: &Request) -> Step<FindResult> {
    let found = rows(store, request);
    // In the browser's core, where few questions count, that is code that comes later.
    #[cfg(not(feature = "full"))]
    if !request.facets.is_empty() {
        return facets::beside(store, request, found);
    }
    found
}

/// The results, and in the full engine all that is told besides.
fn rows(store: &Resident, request: &Request) -> Step<FindResult> {
    #[cfg(feature = "full")]
    let counts = !request.facets.is_empty() || compose::is_told(request);
    #[cfg(not(feature = "full"))]
    let counts = false;
    if request.limit == 0 && !counts {
        return Ok(FindResult::default());
    }
    let read = words::with_options(store, &request.question, request.options.prefix)?;
    let question = read.as_ref().unwrap_or(&request.question);
    let (mut asked, inputs) = Asked::read(store, request, question)?;
    // What both lack is fetched together.
    #[cfg(feature = "full")]
    let (facets, (sorted, ranking)) = {
        let facets = facets::facets(store, &mut asked, &inputs);
        let sorted = sorted::files(store, &mut asked, &inputs);
        both(facets, both(sorted, ranking::rank(store, &asked, inputs)))?
    };
    #[cfg(not(feature = "full"))]
    let ranking = ranking::rank(store, &asked, inputs)?;
    let is_open = request.is_open();
    let Some(ranking) = ranking.filter(|_| request.limit > 0) else {
        #[cfg(not(feature = "full"))]
        let result = asked.begin();
        #[cfg(feature = "full")]
        let result = FindResult {
            facets,
            ..compose::nothing(store, &mut asked)
        };
        return Ok(result);
    };
    let mut walked = match is_open {
        true => Walked::of(worded::listed(store, &asked)),
        false => over_bundle::walk(store, &asked, &ranking.rows, &ranking.inputs)?,
    };
    #[cfg(feature = "full")]
    if !walked.wanted.is_empty() {
        return compose::wanted(store, &mut asked, &ranking, &walked.wanted);
    }
    #[cfg(feature = "full")]
    if let Some(files) = sorted {
        walked.hits = verbatim::keep(store, &mut asked, files)?;
        let result = compose::answer(store, &mut asked, ranking, walked)?;
        return Ok(FindResult { facets, ..result });
    }
    walked.hits = verbatim::keep(store, &mut asked, walked.hits)?;
    #[cfg(feature = "full")]
    let mut walked = hotness::blend(store, asked.options, walked)?;
    walked.hits = verbatim::lead(&asked, walked.hits);
    let result = compose::answer(store, &mut asked, ranking, walked)?;
    #[cfg(feature = "full")]
    let result = FindResult { facets, ..result };
    Ok(result)
}
