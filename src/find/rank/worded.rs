//! The files that have the words of a question, whatever their score.

use crate::base::id::NodeId;
use crate::bundle::Resident;
use crate::find::ask::asked::Asked;
use crate::find::ask::words::Slot;
use crate::text::TermKind;
use crate::text::stop_words::is_stop_word;

/// The files in scope that have every word of the question, in any of its readings. Function words are asked of no page,
/// and neither are words whose pages the bundle does not list all, unless there are no others. O(postings).
pub fn files(store: &Resident, asked: &Asked<'_>, slots: &[Slot]) -> Vec<NodeId> {
    let is_whole = |slot: &Slot| slot.kind == TermKind::Whole && !slot.is_name() && slot.occurs();
    let has_whole = slots.iter().any(is_whole);
    let is_word = |slot: &&Slot| {
        slot.occurs() && !slot.is_name() && !(has_whole && slot.kind == TermKind::Part)
    };
    let is_listed = |slot: &&&Slot| {
        let mut stems = slot.alternatives.iter().map(|a| a.stem());
        !is_stop_word(&slot.term) && stems.all(|s| s.postings.nodes.len() as u32 >= s.df)
    };
    let words: Vec<&Slot> = slots.iter().filter(is_word).collect();
    let mut telling: Vec<&Slot> = words.iter().filter(is_listed).copied().collect();
    if telling.is_empty() {
        telling = words;
    }
    let mut n_words = vec![0; store.head().parameters.n_nodes as usize];
    for (before, slot) in telling.iter().enumerate() {
        for alternative in &slot.alternatives {
            for &node in &alternative.stem().postings.nodes {
                let held = &mut n_words[node as usize];
                // A page that lacks a word before has too few for ever; one that has this twice has it once.
                *held += usize::from(*held == before);
            }
        }
    }
    let may_return = |node: NodeId| {
        asked.request.levels.contains(2)
            && asked.scope.admits(node, 2)
            && store.head().directory_at(node).is_none()
    };
    let all = (0..).map(NodeId).zip(n_words);
    let found = all.filter(|&(node, n)| n == telling.len() && n > 0 && may_return(node));
    found.map(|(node, _)| node).collect()
}
