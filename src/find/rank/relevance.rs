//! The relevance of a result: a number that means the same for every question and in every bundle.
//!
//! A score orders the rows of one answer, and its best row is near 1 however little it fits. The relevance says how
//! much of the question's importance a node holds and how near it is in meaning, without regard to the other rows.

use crate::base::id::{NodeId, Scored};
use crate::bundle::stems::{Impact, idf};
use crate::bundle::{Head, Resident};
use crate::find::ask::asked::Inputs;
use crate::find::ask::words::Slot;
use crate::text::{TermKind, operator_of};

/// Logit of the relevance: constant, weight of the held share, weight of the cosine. Fitted on half a of ten labelled
/// sets and questions from other fields (benches/off-topic, docs/MEASUREMENTS.md).
const JOINED: [f32; 3] = [-9.6, 16.7, 9.3];
/// The same where there is no cosine.
const BY_WORDS: [f32; 2] = [-5.15, 18.3];
/// Relevance from which a result is an answer. Of real questions 11 in 1,000 have no row above it (half a).
pub const ENOUGH: f32 = 0.15;
/// Share of a whole word's importance that an unknown pair of letters has: most pairs are no words.
const UNKNOWN_GRAM: f32 = 0.5;
/// Presence of a word that is in a heading only, against 1 in a title.
const IN_HEADING: f32 = 0.5;

/// One query's words and the cosines of the nodes that were looked at.
pub struct Grounds {
    slots: Vec<Slot>,
    cosines: Vec<Scored>,
}

impl Grounds {
    /// Keeps what the relevance is found from; `similar` is the query's vector list.
    pub fn new(inputs: &Inputs, similar: Vec<Scored>) -> Self {
        Self {
            slots: inputs.slots.clone(),
            cosines: similar,
        }
    }

    /// Share of the question's importance that a node holds, in [0, 1].
    pub fn share(&self, head: &Head, node: NodeId) -> f32 {
        share(&self.slots, node, head.parameters.n_nodes)
    }

    /// Cosine of a node as far as its bits tell; `None` when its vector was not looked at.
    pub fn cosine(&self, head: &Head, node: NodeId) -> Option<f32> {
        let near = self.cosines.iter().find(|row| row.node == node)?;
        // The list has what damping left.
        Some(near.score / head.variants.factor(node))
    }

    /// O(words · log postings + nodes looked at).
    fn of(&self, head: &Head, node: NodeId) -> f32 {
        if self.slots.is_empty() && self.cosines.is_empty() {
            return 1.0; // Nothing is asked that it could answer better or worse.
        }
        let cosine = self.cosine(head, node);
        if has_model(head) && !self.cosines.is_empty() {
            // On the scale of OpenViking's server, so that a threshold means the same there.
            return cosine.map_or(0.0, |cosine| (1.0 + cosine.clamp(-1.0, 1.0)) / 2.0);
        }
        let share = self.share(head, node);
        let logit = match cosine {
            Some(cosine) => JOINED[0] + JOINED[1] * share + JOINED[2] * cosine,
            None => BY_WORDS[0] + BY_WORDS[1] * share,
        };
        1.0 / (1.0 + (-logit).exp())
    }

    fn is_answer(&self, head: &Head, relevance: f32) -> bool {
        // Every model has its own scale of cosines.
        relevance >= ENOUGH || (has_model(head) && !self.cosines.is_empty())
    }
}

/// True if the bundle's vectors are an embedding model's, whose cosines are the relevance.
fn has_model(head: &Head) -> bool {
    !head.parameters.encoder.starts_with("static-")
}

/// The relevance of a node in [0, 1] to the query that it fits best, and true if that makes it an answer.
pub fn judge(store: &Resident, queries: &[Grounds], node: NodeId) -> (f32, bool) {
    let head = store.head();
    queries.iter().fold((0.0, false), |best, query| {
        let own = query.of(head, node);
        (best.0.max(own), best.1 || query.is_answer(head, own))
    })
}

fn share(slots: &[Slot], node: NodeId, n_nodes: u32) -> f32 {
    let (held, whole) = held(slots, node, n_nodes);
    if whole > 0.0 { held / whole } else { 0.0 }
}

/// The importance of a question that a node holds, and that of the whole question. Each word counts by the root of its
/// presence: the first occurrence says most. A node that is called as the whole question is holds it as a title or a
/// heading does, whatever its words are elsewhere: those of a path or an alias may stand nowhere.
pub fn held(slots: &[Slot], node: NodeId, n_nodes: u32) -> (f32, f32) {
    let (mut whole, mut held) = (0.0f32, 0.0f32);
    let (mut n_letters, mut name_letters, mut called) = (0, 0, 0.0f32);
    for slot in slots {
        let presences = slot.alternatives.iter().filter_map(|a| {
            let postings = &a.stem().postings;
            let at = postings.nodes.binary_search(&node.0).ok()?;
            Some((a, presence(postings.impacts[at])))
        });
        // What a name adds, its words have told; an operator has none.
        if slot.is_name() && operator_of(&slot.term).is_none() {
            if slot.term.len() > name_letters {
                name_letters = slot.term.len();
                called = presences
                    .map(|(a, presence)| a.weight * presence)
                    .fold(0.0, f32::max);
            }
            continue;
        }
        let mut known = slot.alternatives.iter().filter(|a| a.stem().df > 0);
        // The surest comes first; a completion of a word that the site has may be rarer, and is no more important.
        let most = known.next().map_or(0.0, |a| a.idf);
        let importance = match slot.kind {
            _ if most > 0.0 => most,
            // Its pieces say what it is.
            TermKind::Whole => 0.0,
            TermKind::Gram => UNKNOWN_GRAM * idf(n_nodes, 0),
            TermKind::Word | TermKind::Part => idf(n_nodes, 0),
        };
        whole += slot.weight * importance;
        if slot.kind != TermKind::Part {
            n_letters += slot.term.len();
        }
        let of = presences.map(|(a, presence)| (a.weight * a.idf).min(importance) * presence);
        held += slot.weight * of.fold(0.0, f32::max);
    }
    // A name ends in a sign.
    if name_letters > n_letters {
        held = held.max(called * whole);
    }
    (held, whole)
}

fn presence(impact: Impact) -> f32 {
    if impact.title_len() > 0.0 {
        return 1.0;
    }
    let heading = if impact.heading() { IN_HEADING } else { 0.0 };
    impact.body().max(heading).min(1.0).sqrt()
}
