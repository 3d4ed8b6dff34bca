//! Numbers that name things inside one bundle.

use super::order;
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// A node of the context tree: its position in tree order, its row in the vector matrix and its document number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The number as an index into per-node tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node with its score: the currency of every ranked list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The result, by its position in the tree.
    pub node: NodeId,
    /// Its score, higher is better.
    pub score: f32,
}

impl Scored {
    /// The total order of ranked lists: best first, ties by node.
    pub fn best_first(&self, other: &Self) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then(self.node.cmp(&other.node))
    }

    /// Sorts a list best first, ties by node.
    pub fn sort(list: &mut [Self]) {
        order::sort_by(list, Self::best_first);
    }

    /// Keeps the best `n` of a list of scores above 0, sorted: those that cannot be among them are not. O(20 · rows).
    pub fn keep_best(list: &mut Vec<Self>, n: usize) {
        // The bits of positive numbers are in their order: the highest bound that `n` rows reach, to its first 11 bits
        // behind the exponent.
        let mut bound = 0;
        for bit in (12..31).rev() {
            let higher = bound | 1 << bit;
            let reach = list.iter().filter(|row| row.score.to_bits() >= higher);
            if reach.count() >= n {
                bound = higher;
            }
        }
        list.retain(|row| row.score.to_bits() >= bound);
        Self::sort(list);
        list.truncate(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_of_the_whole_list_sorted() {
        let mut seed = 5u32;
        for n in [0, 1, 7, 50, 900] {
            let list: Vec<Scored> = (0..900)
                .map(|node| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Many ties, and a few rows far above the others.
                    let far = if node % 190 == 3 { 40.0 } else { 1.0 };
                    let score = (seed >> 27) as f32 / 7.0 * far + 0.1;
                    let node = NodeId(node);
                    Scored { node, score }
                })
                .collect();
            let (mut best, mut whole) = (list.clone(), list);
            Scored::keep_best(&mut best, n);
            Scored::sort(&mut whole);
            whole.truncate(n);
            assert_eq!(best, whole, "{n}");
        }
    }
}
