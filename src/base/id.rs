//! Numbers that name things inside one bundle.

use serde::Serialize;
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
    /// Sorts a list best first, ties by node. Each row is one number meanwhile: comparing those costs little.
    pub fn sort(list: &mut [Self]) {
        let key = |row: &Self| u64::from(turned(row.score.to_bits())) << 32 | u64::from(row.node.0);
        let mut keys: Vec<u64> = list.iter().map(key).collect();
        keys.sort_unstable();
        for (row, key) in list.iter_mut().zip(keys) {
            row.node = NodeId(key as u32);
            row.score = f32::from_bits(turned((key >> 32) as u32));
        }
    }

    /// Keeps the best `n` of a list of scores above 0, sorted: those that cannot be among them are not. O(20 · rows).
    pub fn keep_best(list: &mut Vec<Self>, n: usize) {
        // The bits of positive numbers are in their order: the highest bound that `n` rows reach, to its first 11 bits
        // behind the exponent.
        let mut bound = 0;
        for bit in (12..31).rev() {
            let higher = bound | 1 << bit;
            let reaches = |row: &Self| row.score.to_bits() >= higher;
            if list.iter().filter(|row| reaches(row)).count() >= n {
                bound = higher;
                list.retain(reaches);
            }
        }
        Self::sort(list);
        list.truncate(n);
    }
}

/// The bits of a score as a number that is the smaller the better the score is, and back. Those of negative numbers are in
/// that order already.
fn turned(bits: u32) -> u32 {
    bits ^ if bits >> 31 > 0 { 0 } else { 0x7fff_ffff }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_the_total_order_of_scores() {
        let scores = [0.5, -1.0, f32::INFINITY, 0.0, -0.0, -2.5, 0.5, 1e-40];
        let row = |(node, &score)| Scored {
            node: NodeId(node),
            score,
        };
        let mut list: Vec<Scored> = (0..).zip(&scores).map(row).collect();
        let mut expected = list.clone();
        Scored::sort(&mut list);
        expected.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
        assert_eq!(list, expected);
    }

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
