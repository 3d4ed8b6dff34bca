//! The best rows in the order of how many of the question's neighboring words stand side by side in their texts.
//!
//! An index knows words and sections, not places. The texts of the best rows are fetched for their excerpts anyway, and
//! a page that says "undo the last commit" answers better than one that has the three words here and there.

use super::result::MatchedContext;
use crate::base::id::NodeId;
#[cfg(feature = "full")]
use crate::base::value::Value;
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::meant::Meant;
use crate::find::ask::options::Mode;
#[cfg(feature = "full")]
use crate::find::onyx::options::Scoring;
use crate::find::walk::Hit;
use crate::text::TermKind;

/// Weight of nearness beside the score of a ranking (docs/MEASUREMENTS.md, "Words that stand together").
const WEIGHT: f32 = 0.15;

/// Pairs from which a question has an order of words: two words side by side are in too many texts.
const FEWEST: u32 = 2;

/// Weight of nearness in an answer.
pub struct Near {
    /// Weight in the mix, 0 where texts are not read or the order is another's.
    weight: f32,
    /// Pairs of the question.
    n_pairs: u32,
}

impl Near {
    /// The weight for a question: 0 for names with signs in them, which are whole in an index, for
    /// published walks and formulas, for vectors alone, and for phrases, which decide by themselves.
    pub fn of(asked: &Asked<'_>, inputs: &Inputs, meant: &Meant<'_>) -> Self {
        let options = asked.options;
        let n_pairs = meant.pairs().count_ones();
        let reads = options.excerpts && !asked.reads_texts && options.mode != Mode::Thinking;
        let counts = reads
            && n_pairs >= FEWEST
            && inputs.alpha < 1.0
            && !inputs.slots.iter().any(|slot| slot.kind == TermKind::Whole)
            && !is_ordered_otherwise(asked);
        let weight = if counts { WEIGHT / (1.0 + WEIGHT) } else { 0.0 };
        Self { weight, n_pairs }
    }

    /// Share of the question's pairs that a row has.
    fn share(&self, context: &MatchedContext) -> f32 {
        context.pairs.count_ones() as f32 / self.n_pairs as f32
    }

    /// Mixes nearness into the scores of all rows, and puts the `first` ones in their new order. Rows that somebody chose
    /// stay where they are, and no later row comes before the first: their texts tell nothing of it. O(first²).
    pub fn order(
        &self,
        pinned: &[NodeId],
        hits: &mut [Hit],
        contexts: &mut [MatchedContext],
        first: usize,
    ) {
        if self.weight == 0.0 {
            return;
        }
        for at in 0..hits.len() {
            let hit = &mut hits[at];
            let near = match at < first {
                _ if pinned.contains(&hit.node) => 1.0,
                true => self.share(&contexts[at]),
                false => 0.0,
            };
            hit.score += (near - hit.score) * self.weight;
            contexts[at].score = hit.score.clamp(0.0, 1.0);
            let mut place = at;
            while place > 0 && at < first && hits[place].score > hits[place - 1].score {
                hits.swap(place, place - 1);
                contexts.swap(place, place - 1);
                place -= 1;
            }
        }
    }

    /// Adds the nearness that [`Near::order`] counted to the explanations of scores.
    #[cfg(feature = "full")]
    pub fn explain(
        &self,
        pinned: &[NodeId],
        hits: &[Hit],
        contexts: &mut [MatchedContext],
        first: usize,
    ) {
        for (at, (hit, context)) in hits.iter().zip(contexts).enumerate() {
            let near = match at < first {
                _ if pinned.contains(&hit.node) => 1.0,
                true => self.share(context),
                false => 0.0,
            };
            if let Some(told) = &mut context.explain {
                (told.near, told.near_weight) = (near, self.weight);
            }
        }
    }
}

/// True where the caller chose an order, or a formula for it.
#[cfg(feature = "full")]
fn is_ordered_otherwise(asked: &Asked<'_>) -> bool {
    let (options, hybrid) = (asked.options, &asked.request.hybrid);
    let is_formula = hybrid.scoring == Scoring::TwoField || hybrid.queries.len() > 1;
    options.sort.is_some() || is_formula || options.walk_scores != Value::Null
}

/// False: the core has no such option.
#[cfg(not(feature = "full"))]
fn is_ordered_otherwise(_: &Asked<'_>) -> bool {
    false
}
