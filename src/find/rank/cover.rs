//! The part of a question that only meaning can find: words that the site does not have, though the language does.
//!
//! A question in other words than its page's shares a word or two with other pages, and these must not decide. Importance
//! is counted in words that the site lacks, the rarest there are. Fitted on half a (docs/MEASUREMENTS.md).

use super::relevance::held;
use crate::base::id::Scored;
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

/// Place of the second page by words between the last of the list and the best from which words decide less; least where
/// it is level with the best.
const TIED_FROM: f32 = 0.8;
/// Share of its own weight that meaning gains where the words of a sentence do not decide.
const MEANT_BY_SENTENCES: f32 = 0.5;

/// The part of meaning in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cover {
    /// Weight of the vectors.
    pub alpha: f32,
    /// The best page by meaning has a place among the first.
    pub reserves: bool,
}

/// The weight of the vectors by how far the first of `keyword`, the pages by words, covers the question, and by how far a
/// sentence makes one of them the first. The caller's own weight stays. Only where every vector is looked at: elsewhere
/// the best page by meaning may be unseen.
pub fn cover(inputs: &Inputs, head: &Head, keyword: &[Scored]) -> Cover {
    let (p, alpha) = (&head.parameters, inputs.alpha);
    let mut cover = Cover {
        alpha,
        reserves: false,
    };
    let Some(best) =
        (keyword.first()).filter(|_| p.probes == 0 && !inputs.is_alpha_given && alpha > 0.0)
    else {
        return cover;
    };
    let more = MEANT_BY_SENTENCES * inputs.sentence * tied(keyword);
    cover.alpha = (alpha * (1.0 + more)).min(1.0);
    let (held, whole) = held(&inputs.slots, best.node, p.n_nodes);
    let known = held / idf(p.n_nodes, 0);
    let meant = inputs.slots.iter().filter(|slot| is_meant(slot));
    let meant: f32 = meant.map(|slot| slot.weight).sum();
    if meant > 0.0 {
        let share = (meant / (meant + known) - MEANT[0]) / (MEANT[1] - MEANT[0]);
        cover.alpha += (1.0 - cover.alpha) * share.clamp(0.0, 1.0);
    }
    cover.reserves = held < LITTLE[0] * whole && known < LITTLE[1];
    cover
}

/// Nearness of the best two pages by words, in [0, 1]. The list is sorted, best first.
fn tied(keyword: &[Scored]) -> f32 {
    let [best, second, .., last] = keyword else {
        return 0.0;
    };
    let place = (second.score - last.score) / (best.score - last.score).max(f32::EPSILON);
    ((place - TIED_FROM) / (1.0 - TIED_FROM)).clamp(0.0, 1.0)
}

/// True for a word that the site does not have and that has a meaning.
fn is_meant(slot: &Slot) -> bool {
    let has_vector = || slot.alternatives.iter().any(|a| a.vector().is_some());
    slot.kind != TermKind::Whole && !slot.occurs() && has_vector()
}

#[cfg(test)]
mod tests {
    use super::tied;
    use crate::base::id::{NodeId, Scored};

    #[test]
    fn pages_are_level_by_the_place_of_the_second_between_last_and_best() {
        let tied = |scores: &[f32]| {
            let list = (0..).zip(scores).map(|(node, &score)| Scored {
                node: NodeId(node),
                score,
            });
            tied(&list.collect::<Vec<_>>())
        };
        assert_eq!(tied(&[3.0, 1.5, 1.0]), 0.0);
        assert!((tied(&[3.0, 2.8, 1.0]) - 0.5).abs() < 1e-5);
        assert_eq!(tied(&[3.0, 3.0, 1.0]), 1.0);
        assert_eq!(tied(&[]), 0.0);
        assert_eq!(tied(&[2.0, 2.0]), 0.0, "the last stands for nothing else");
        assert_eq!(tied(&[2.0, 2.0, 2.0]), 0.0, "a list without differences");
    }
}
