//! The core's ranking: one query, Knarr's own scores.

use super::mix;
use super::mix::Relevance;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::find::ask::asked::{Asked, Inputs};

/// A ranking and the words that excerpts mark.
pub struct Ranking {
    /// Best first.
    pub rows: Vec<Relevance>,
    /// The inputs of the ranking.
    pub inputs: Inputs,
}

/// Ranks the nodes in scope; `None` when there is nothing to search with.
pub fn rank(store: &Resident, asked: &Asked<'_>, inputs: Inputs) -> Step<Option<Ranking>> {
    if inputs.is_empty() {
        return Ok(None);
    }
    let rows = mix::rank(store, &inputs, &asked.scope, asked.request.limit)?;
    Ok(Some(Ranking { rows, inputs }))
}
