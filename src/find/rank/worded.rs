//! The files that have the words of a question, whatever their score.

use crate::base::id::NodeId;
use crate::bundle::Resident;
use crate::find::ask::asked::Asked;
use crate::find::ask::words::Slot;
use crate::find::walk::Hit;
use crate::text::TermKind;
use crate::text::stop_words::is_stop_word;

/// The core has no list of function words, which is 2 kB: their frequency, which builds write larger than it is, leaves
/// them out, and that other words are not listed it tells only where none is.
const TELLS: bool = cfg!(feature = "full");

fn is_function_word(slot: &Slot) -> bool {
    TELLS && is_stop_word(&slot.term)
}

/// The files that have the words of a question.
pub struct Worded {
    /// Those, in the order of the tree.
    pub files: Vec<NodeId>,
    /// A word of which the bundle does not list all files that have it.
    pub unlisted: Option<String>,
    /// There was no other word: files may be missing.
    pub is_cut: bool,
}

/// The files in scope that have every word of the question, in any of its readings. Function words are asked of no page,
/// and neither are words whose pages the bundle does not list all, unless there are no others. Without words, all files. O(postings).
pub fn files(store: &Resident, asked: &Asked<'_>, slots: &[Slot]) -> Worded {
    if asked.question.tokens.is_empty() {
        return Worded {
            files: all(store, asked),
            unlisted: None,
            is_cut: false,
        };
    }
    let is_whole = |slot: &Slot| slot.kind == TermKind::Whole && !slot.is_name() && slot.occurs();
    let has_whole = slots.iter().any(is_whole);
    let is_word = |slot: &&Slot| {
        slot.occurs() && !slot.is_name() && !(has_whole && slot.kind == TermKind::Part)
    };
    let is_listed = |slot: &Slot| {
        let mut stems = slot.alternatives.iter().map(|a| a.stem());
        stems.all(|s| s.postings.nodes.len() as u32 >= s.df)
    };
    let words: Vec<&Slot> = slots.iter().filter(is_word).collect();
    let mut telling: Vec<&Slot> = Vec::new();
    for &slot in &words {
        if !is_function_word(slot) && is_listed(slot) {
            telling.push(slot);
        }
    }
    if telling.is_empty() {
        telling.extend(&words);
    }
    let is_cut = !telling.iter().all(|slot| is_listed(slot));
    let is_told = |slot: &&&Slot| !is_listed(slot) && (is_cut || TELLS && !is_function_word(slot));
    let unlisted = words.iter().find(is_told).map(|slot| slot.term.clone());
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
    let has_all = |node: &NodeId| n_words[node.index()] == telling.len() && !telling.is_empty();
    Worded {
        files: all(store, asked).into_iter().filter(has_all).collect(),
        unlisted,
        is_cut,
    }
}

/// All files in scope as rows, in the order of the tree. Never inlined: in the browser it is code that few questions load.
#[inline(never)]
pub fn listed(store: &Resident, asked: &Asked<'_>) -> Vec<Hit> {
    in_order(all(store, asked))
}

/// Rows of `files`, whose scores are their places in the answer.
pub fn in_order(files: Vec<NodeId>) -> Vec<Hit> {
    let n = files.len() as f32;
    let hit = |(at, node)| {
        let score = 1.0 - at as f32 / n;
        Hit {
            node,
            level: 2,
            score,
            semantic: score,
            hotness: 0.0,
        }
    };
    files.into_iter().enumerate().map(hit).collect()
}

/// The files in scope. O(nodes).
fn all(store: &Resident, asked: &Asked<'_>) -> Vec<NodeId> {
    let may_return = |node: &NodeId| {
        asked.request.levels.contains(2)
            && asked.scope.admits(*node, 2)
            && store.head().directory_at(*node).is_none()
    };
    let nodes = (0..store.head().parameters.n_nodes).map(NodeId);
    nodes.filter(may_return).collect()
}
