//! The core's ranking: one query, Knarr's own scores.

use super::mix::Mixed;
use super::mix::{self, DEPTH};
use super::relevance::Grounds;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::find::ask::asked::{Asked, Inputs};

/// A ranking and the words that excerpts mark.
pub struct Ranking {
    /// Best first.
    pub rows: Vec<Mixed>,
    /// The inputs of the ranking.
    pub inputs: Inputs,
    /// The only query's.
    pub grounds: Vec<Grounds>,
}

/// Ranks the nodes in scope; `None` when there is nothing to search with.
pub fn rank(store: &Resident, asked: &Asked<'_>, mut inputs: Inputs) -> Step<Option<Ranking>> {
    if inputs.is_empty() && !asked.request.is_open() {
        return Ok(None);
    }
    let lists = mix::lists(store, &inputs, asked, DEPTH)?;
    inputs.alpha = lists.alpha;
    Ok(Some(Ranking {
        rows: mix::mix(&lists, &inputs),
        grounds: vec![Grounds::new(&inputs, lists.vector)],
        inputs,
    }))
}
