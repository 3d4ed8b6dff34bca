//! `find`, on one screen: ask → rank → walk → answer.

use crate::bundle::Resident;
use crate::bundle::step::Step;
#[cfg(feature = "full")]
use crate::bundle::step::both;
use crate::find::answer::result::FindResult;
use crate::find::answer::{compose, verbatim};
use crate::find::ask::asked::Asked;
use crate::find::ask::request::Request;
#[cfg(feature = "full")]
use crate::find::onyx::ranking;
#[cfg(not(feature = "full"))]
use crate::find::rank::plain as ranking;
#[cfg(feature = "full")]
use crate::find::rank::sorted;
#[cfg(feature = "full")]
use crate::find::walk::hotness;
use crate::find::walk::over_bundle;

/// Answers a question. Pure: run again when it stops for missing parts.
pub fn find(store: &Resident, request: &Request) -> Step<FindResult> {
    if request.limit == 0 {
        return Ok(FindResult::default());
    }
    let (mut asked, inputs) = Asked::read(store, request)?;
    // What both lack is fetched together.
    #[cfg(feature = "full")]
    let (sorted, ranking) = {
        let sorted = sorted::files(store, &mut asked, &inputs);
        both(sorted, ranking::rank(store, &asked, inputs))?
    };
    #[cfg(not(feature = "full"))]
    let ranking = ranking::rank(store, &asked, inputs)?;
    let Some(ranking) = ranking else {
        return Ok(asked.begin());
    };
    let mut walked = over_bundle::walk(store, &asked, &ranking.rows, &ranking.inputs)?;
    #[cfg(feature = "full")]
    if let Some(files) = sorted {
        walked.hits = verbatim::keep(store, &mut asked, files)?;
        return compose::answer(store, &mut asked, ranking, walked);
    }
    walked.hits = verbatim::keep(store, &mut asked, walked.hits)?;
    #[cfg(feature = "full")]
    let mut walked = hotness::blend(store, asked.options, walked)?;
    walked.hits = verbatim::lead(&asked, walked.hits);
    compose::answer(store, &mut asked, ranking, walked)
}
