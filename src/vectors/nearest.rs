//! The rows nearest to each row: by a scan of all, or through the graph where a scan would take too long.

use super::hnsw::{self, Hnsw};
use super::{Best, Candidate, QueryVector, VectorRows, dot};
use crate::base::error::Result;
use rayon::prelude::*;

/// Rows up to which all are compared with all. Beyond, building a graph costs less than the scan (docs/MEASUREMENTS.md).
pub const SCAN_UP_TO: usize = 40_000;
/// Candidates that a search through the graph keeps in play.
const EF: usize = 96;
/// Seed of the graph: the same rows give the same neighbors.
const SEED: u64 = 1;

/// The `k` rows nearest to each row among those that `admits(row, other)`, best first, ties by row, with their cosines.
/// A row is never its own neighbor.
///
/// Deterministic, on one core or many. Cost: up to [`SCAN_UP_TO`] rows the square of their number in scores, spread over
/// the cores; beyond, the graph on one core, of whose neighbors a few may be missing. Errors: `INTERNAL` when the graph
/// cannot be built.
pub fn nearest(
    rows: &VectorRows,
    k: usize,
    admits: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Vec<Vec<(usize, f32)>>> {
    if rows.len() <= SCAN_UP_TO {
        return Ok(nearest_by_scan(rows, k, admits));
    }
    nearest_by_graph(rows, k, admits)
}

/// [`nearest`] by comparing all rows with all.
pub fn nearest_by_scan(
    rows: &VectorRows,
    k: usize,
    admits: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Vec<(usize, f32)>> {
    let of_row = |row: usize| {
        // Widened once, for the kernel that questions use.
        let wide: Vec<i16> = rows.row(row).iter().map(|&v| i16::from(v)).collect();
        let mut best = Best::new(k.min(rows.len()));
        // The score below which nothing is kept any more: nearly all are, so they go no further.
        let mut bar = f32::NEG_INFINITY;
        for other in 0..rows.len() {
            let dot = dot::row_query(rows.row(other), &wide);
            let score = (dot as f32 * (rows.scales[row] * rows.scales[other])).clamp(-1.0, 1.0);
            if score < bar {
                continue;
            }
            let candidate = Candidate { score, row: other };
            if other != row && !best.refuses(candidate) && admits(row, other) {
                best.offer(candidate);
                if best.heap.len() == best.limit {
                    bar = best.heap.peek().map_or(bar, |worst| worst.0.score);
                }
            }
        }
        best.into_sorted()
    };
    (0..rows.len()).into_par_iter().map(of_row).collect()
}

/// [`nearest`] through a graph. Rows that are not admitted are passed over, so a row may get fewer than `k`.
pub fn nearest_by_graph(
    rows: &VectorRows,
    k: usize,
    admits: impl Fn(usize, usize) -> bool + Sync,
) -> Result<Vec<Vec<(usize, f32)>>> {
    let graph = Hnsw::open(&hnsw::build(rows, SEED)?, rows.len())?;
    let of_row = |row: usize| {
        let Some(query) = QueryVector::new(&rows.row_f32(row)) else {
            return Vec::new();
        };
        let mut found = graph.search(rows, &query, EF, EF);
        found.retain(|&(other, _)| other != row && admits(row, other));
        found.truncate(k);
        found
    };
    Ok((0..rows.len()).into_par_iter().map(of_row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::quantize;

    /// Rows in clusters of eight, at all angles.
    fn rows(n: usize) -> VectorRows {
        let mut state = 9u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let mut flat = Vec::new();
        let mut center = [0.0; 16];
        for row in 0..n {
            if row % 8 == 0 {
                center = std::array::from_fn(|_| random());
            }
            let own: Vec<f32> = center.iter().map(|c| c + 0.4 * random()).collect();
            let length = own.iter().map(|v| v * v).sum::<f32>().sqrt();
            flat.extend(own.iter().map(|v| v / length));
        }
        VectorRows::unpack(&quantize(&flat, 16, 8), n, 16, 8).unwrap()
    }

    #[test]
    fn the_scan_gives_the_nearest_of_the_admitted_rows() {
        let rows = rows(200);
        let found = nearest_by_scan(&rows, 4, |row, other| (row + other) % 2 == 1);
        for (row, own) in found.iter().enumerate() {
            let cosine = |other: usize| {
                let (a, b) = (rows.row_f32(row), rows.row_f32(other));
                a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>()
            };
            let mut all: Vec<f32> = (0..200)
                .filter(|other| (row + other) % 2 == 1)
                .map(cosine)
                .collect();
            all.sort_by(|a, b| b.total_cmp(a));
            assert_eq!(own.len(), 4);
            for (&(other, score), best) in own.iter().zip(all) {
                assert!((score - best).abs() < 1e-4 && (score - cosine(other)).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_graph_gives_nearly_the_same() {
        let rows = rows(3_000);
        let exact = nearest_by_scan(&rows, 5, |_, _| true);
        let found = nearest_by_graph(&rows, 5, |_, _| true).unwrap();
        let shared = |row: usize| {
            let is_found = |near: &&(usize, f32)| found[row].iter().any(|other| other.0 == near.0);
            exact[row].iter().filter(is_found).count()
        };
        let shared: usize = (0..3_000).map(shared).sum();
        assert!(shared >= 5 * 3_000 * 95 / 100, "{shared} of 15,000");
        assert!(
            found
                .iter()
                .enumerate()
                .all(|(row, own)| own.iter().all(|n| n.0 != row))
        );
    }

    #[test]
    fn few_rows_and_rows_without_direction_are_no_trouble() {
        for n in [0, 1, 2] {
            assert_eq!(nearest(&rows(n), 5, |_, _| true).unwrap().len(), n);
        }
        let none = VectorRows::unpack(&quantize(&[0.0; 32], 16, 8), 2, 16, 8).unwrap();
        assert_eq!(nearest_by_graph(&none, 5, |_, _| true).unwrap(), [[], []]);
    }
}
