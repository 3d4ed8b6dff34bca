//! The part of a question that only meaning can find: words that the site does not have, though the language does.
//!
//! A question in other words than its page's shares a word or two with other pages, and these must not decide. Importance
//! is counted in words that the site lacks, the rarest there are. Fitted on half a (docs/MEASUREMENTS.md).

use super::relevance::held;
use crate::base::id::NodeId;
use crate::bundle::Head;
use crate::bundle::stems::idf;
use crate::find::ask::asked::Inputs;
use crate::find::ask::words::Slot;
use crate::text::TermKind;

/// Share of the importance found by meaning only, of that and what the best page by words holds, from which vectors begin
/// to weigh more, and from which they weigh alone.
const MEANT: [f32; 2] = [0.6, 0.75];
/// Below this share of the question, and this importance, the best page by words holds little of it.
const LITTLE: [f32; 2] = [0.5, 0.75];

/// The part of meaning in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cover {
    /// Weight of the vectors.
    pub alpha: f32,
    /// The best page by meaning has a place among the first.
    pub reserves: bool,
}

/// The weight of the vectors by how far `best`, the best page by words, covers the question. The caller's own weight
/// stays. Only where every vector is looked at: elsewhere the best page by meaning may be unseen.
pub fn cover(inputs: &Inputs, head: &Head, best: Option<NodeId>) -> Cover {
    let (p, alpha) = (&head.parameters, inputs.alpha);
    let mut cover = Cover {
        alpha,
        reserves: false,
    };
    let Some(best) = best.filter(|_| p.probes == 0 && !inputs.is_alpha_given && alpha > 0.0) else {
        return cover;
    };
    let (held, whole) = held(&inputs.slots, best, p.n_nodes);
    let known = held / idf(p.n_nodes, 0);
    let meant = inputs.slots.iter().filter(|slot| is_meant(slot));
    let meant: f32 = meant.map(|slot| slot.weight).sum();
    if meant > 0.0 {
        let share = (meant / (meant + known) - MEANT[0]) / (MEANT[1] - MEANT[0]);
        cover.alpha += (1.0 - alpha) * share.clamp(0.0, 1.0);
    }
    cover.reserves = held < LITTLE[0] * whole && known < LITTLE[1];
    cover
}

/// True for a word that the site does not have and that has a meaning.
fn is_meant(slot: &Slot) -> bool {
    let has_vector = || slot.alternatives.iter().any(|a| a.vector().is_some());
    slot.kind != TermKind::Whole && !slot.occurs() && has_vector()
}
