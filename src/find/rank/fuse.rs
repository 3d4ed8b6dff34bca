//! Joining several ranked lists into one: weighted min–max, reciprocal ranks, or the best score.
//!
//! A list is `(id, score)` best first. Equal results keep the order in which ids were first seen, so the outcome
//! depends on the lists alone. Raw scores of different lists are never added.
//! Source: spec onyx §2.2, §3.2 and §3.3.

use crate::base::order;

/// Smallest value a hit keeps after min–max scaling, so that the last of a list still counts for something.
pub const FLOOR: f64 = 0.001;
/// Reciprocal-rank constant of the weighted form.
pub const RRF_K: f64 = 50.0;
/// Reciprocal-rank constant of the unweighted form of the documents.
pub const RRF_K_COMPAT: f64 = 60.0;
/// Candidates of each list that enter the fusion; small values hurt recall.
pub const DEPTH: usize = 500;

/// A way to make the scores of one list comparable with those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// Lowest [`FLOOR`], highest 1; a constant list is all 1.
    #[default]
    MinMax,
    /// Lowest 0, highest 1; a constant list is all 0.5 (the two-field formula).
    Linear,
}

/// Scales the scores of one list; the result has the same length and order.
pub fn scale(scores: &[f64], rule: Scaling) -> Vec<f64> {
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match rule {
        Scaling::Linear if high > low => scores
            .iter()
            .map(|x| 0.5 + (x - (low + high) * 0.5) / (high - low))
            .collect(),
        Scaling::Linear => vec![0.5; scores.len()],
        Scaling::MinMax if high > low => scores
            .iter()
            .map(|x| match (x - low) / (high - low) {
                0.0 => FLOOR,
                scaled => scaled,
            })
            .collect(),
        Scaling::MinMax => vec![1.0; scores.len()],
    }
}

/// One row of a fused list.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused<const N: usize> {
    /// The document.
    pub id: u32,
    /// Fused score.
    pub score: f64,
    /// Score from each list, in the order of the lists; 0 where the document is missing.
    pub parts: [f64; N],
}

/// Numbers ids in the order in which they are first seen.
///
/// A sorted list: the lists have hundreds of rows, and a tree weighs more in the browser than moving them costs.
#[derive(Default)]
struct Places(Vec<(u32, u32)>);

impl Places {
    /// The number of `id`; how many were known before when it is new.
    fn of(&mut self, id: u32) -> usize {
        let at = self.0.partition_point(|known| known.0 < id);
        match self.0.get(at) {
            Some(&(known, place)) if known == id => place as usize,
            _ => {
                let place = self.0.len();
                self.0.insert(at, (id, place as u32));
                place
            }
        }
    }
}

/// Weighted mean of lists, each scaled by [`Scaling::MinMax`] (the `lists` profile); best first.
///
/// A document missing from a list counts 0 there, with the list's weight. Weights need not sum to 1. `depth` cuts each
/// list before scaling. All weights 0: nothing.
pub fn weighted_lists<const N: usize>(
    lists: [&[(u32, f64)]; N],
    weights: [f64; N],
    depth: usize,
    limit: usize,
) -> Vec<Fused<N>> {
    let weight_sum: f64 = weights.iter().sum();
    if weight_sum <= 0.0 {
        return Vec::new();
    }
    let mut rows: Vec<Fused<N>> = Vec::new();
    let mut places = Places::default();
    for (list_idx, list) in lists.into_iter().enumerate() {
        let list = &list[..list.len().min(depth)];
        let scores: Vec<f64> = list.iter().map(|hit| hit.1).collect();
        for (&(id, _), value) in list.iter().zip(scale(&scores, Scaling::MinMax)) {
            let place = places.of(id);
            if place == rows.len() {
                rows.push(Fused {
                    id,
                    score: 0.0,
                    parts: [0.0; N],
                });
            }
            rows[place].parts[list_idx] = value;
        }
    }
    for row in &mut rows {
        row.score = row
            .parts
            .iter()
            .zip(weights)
            .map(|(part, weight)| weight * part)
            .sum::<f64>()
            / weight_sum;
    }
    order::sort_by(&mut rows, |a, b| b.score.total_cmp(&a.score));
    rows.truncate(limit);
    rows
}

/// Weighted reciprocal-rank fusion: the sum of weight / (k + rank) with ranks from 1, best first.
///
/// Ties: the better rank in the list where a document first appeared, then the earlier list. An id repeated inside one
/// list counts each time. A missing list is an empty slice.
pub fn reciprocal_rank(lists: &[&[u32]], weights: &[f64], k: f64) -> Vec<(u32, f64)> {
    struct Row {
        id: u32,
        score: f64,
        first: (usize, usize),
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut places = Places::default();
    for (list_idx, (list, weight)) in lists.iter().zip(weights).enumerate() {
        for (rank, &id) in (1..).zip(list.iter()) {
            let place = places.of(id);
            if place == rows.len() {
                rows.push(Row {
                    id,
                    score: 0.0,
                    first: (rank, list_idx),
                });
            }
            rows[place].score += weight / (k + rank as f64);
        }
    }
    order::sort_by(&mut rows, |a, b| {
        b.score.total_cmp(&a.score).then(a.first.cmp(&b.first))
    });
    rows.into_iter().map(|row| (row.id, row.score)).collect()
}

/// The best value [`reciprocal_rank`] can give: rank 1 in every list. A score divided by it reads as a share of 1.
pub fn reciprocal_rank_max(weights: &[f64], k: f64) -> f64 {
    weights.iter().map(|weight| weight / (k + 1.0)).sum()
}

/// Union of lists whose scores share one scale: the higher score per id, best first, ties in first-seen order.
pub fn keep_best(lists: &[&[(u32, f64)]]) -> Vec<(u32, f64)> {
    let mut rows: Vec<(u32, f64)> = Vec::new();
    let mut places = Places::default();
    for &(id, score) in lists.iter().copied().flatten() {
        let place = places.of(id);
        if place == rows.len() {
            rows.push((id, score));
        }
        if rows[place].1 < score {
            rows[place].1 = score;
        }
    }
    order::sort_by(&mut rows, |a, b| b.1.total_cmp(&a.1));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_zero_give_nothing_instead_of_not_a_number() {
        assert!(weighted_lists([&[(1, 2.0)]], [0.0], DEPTH, 10).is_empty());
        assert!(weighted_lists([], [], DEPTH, 10).is_empty());
    }

    #[test]
    fn a_document_first_in_every_list_reaches_the_maximum() {
        let weights = [1.3, 0.5];
        let fused = reciprocal_rank(&[&[7, 8], &[7]], &weights, RRF_K);
        assert_eq!(fused[0].0, 7);
        assert!((fused[0].1 / reciprocal_rank_max(&weights, RRF_K) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn depth_cuts_before_scaling() {
        let list = [(1, 3.0), (2, 2.0), (3, 0.0)];
        let fused = weighted_lists([&list], [1.0], 2, 10);
        assert_eq!(
            fused
                .iter()
                .map(|row| (row.id, row.score))
                .collect::<Vec<_>>(),
            [(1, 1.0), (2, FLOOR)]
        );
    }
}
