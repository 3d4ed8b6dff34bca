//! Vectors, quantized: what is similar to what, in integers.
//!
//! `quantize` writes rows of 4- or 8-bit integers, each with a scale; [`VectorRows`] reads and scores them against a
//! [`QueryVector`]; [`hnsw`] finds the best of very many without scoring all.
//!
//! *Shape*: row-major, `n × dims`, one `i8` per dimension in memory (4-bit rows are unpacked when they arrive), one
//! `f32` scale per row: `row ≈ scale · integers`. The row number is the caller's id; nothing here maps it.
//!
//! *Units*: a score is the cosine of row and query, −1 to 1, larger is more alike, for rows packed at length 1. It is
//! an integer dot product times one `f32`, so the same bytes and the same query give the same bits on every target.
//!
//! *Cost*: memory `n · (dims + 4)` bytes; one score `dims` multiply-adds; an exact scan of 10,000 rows of 64 dimensions
//! about 0.1 ms in the browser, of 100,000 about 1 ms (spec/wasm.md §2, its kernel of the same instructions).
//!
//! *Source*: spec/embedding.md §6 (dimensions and bits), spec/wasm.md §2 (kernel).

mod dot;
pub mod hnsw;
#[cfg(feature = "index")]
pub mod nearest;
mod quantize;

pub use quantize::{packed_len, quantize};

use crate::base::error::Result;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Range;

/// Largest magnitude of a quantized query value. With rows of at most 128 and up to 1,024 dimensions a dot product
/// stays below 2³¹; beyond, [`QueryVector::new`] takes less.
const QUERY_LIMIT: u64 = 16_383;

/// `n` vectors, row-major, unpacked to one `i8` per dimension, one `f32` scale per row. Row `r` ≈ `scales[r] · rows[r]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VectorRows {
    rows: Vec<i8>,
    scales: Vec<f32>,
    dims: usize,
}

impl VectorRows {
    /// Reads `n` rows of `dims` dimensions at `bits` (4 or 8) per value, as [`pack`] wrote them.
    ///
    /// Cost: one pass, `n · (dims + 4)` bytes. Errors: `BUNDLE_DAMAGED` when the length does not fit or a scale is not
    /// a finite number from 0.
    pub fn unpack(bytes: &[u8], n: usize, dims: usize, bits: u8) -> Result<Self> {
        let (rows, scales) = quantize::unpack(bytes, n, dims, bits)?;
        Ok(Self { rows, scales, dims })
    }

    /// Bytes that `n` packed vectors take, scales included. See [`packed_len`].
    pub fn packed_len(n: usize, dims: usize, bits: u8) -> usize {
        packed_len(n, dims, bits)
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// True when there is no vector.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Dimensions of each vector.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Row `r` as numbers, in the unit it was packed in. Panics when `r` is not a row.
    pub fn row_f32(&self, r: usize) -> Vec<f32> {
        self.row(r)
            .iter()
            .map(|&v| f32::from(v) * self.scales[r])
            .collect()
    }

    /// Row `r` as it is packed: integers, and what a one of them is. Panics when `r` is not a row.
    pub fn packed(&self, r: usize) -> (&[i8], f32) {
        (self.row(r), self.scales[r])
    }

    /// Cosine of row `r` and the query, −1 to 1 (rounding beyond is cut off). A row of zeros scores 0.
    ///
    /// Rows are taken as packed at length 1. Panics when `r` is not a row; a query of other dimensions is a defect of
    /// the caller and caught in debug builds.
    pub fn score(&self, r: usize, query: &QueryVector) -> f32 {
        debug_assert_eq!(
            self.dims,
            query.dims(),
            "query and rows come from one space"
        );
        let dot = dot::row_query(self.row(r), &query.values);
        (dot as f32 * (self.scales[r] * query.scale)).clamp(-1.0, 1.0)
    }

    /// Scores every row of `range` in order. Exact; no allocation. Panics when the range leaves the rows.
    pub fn scan(&self, range: Range<usize>, query: &QueryVector, mut each: impl FnMut(usize, f32)) {
        for r in range {
            each(r, self.score(r, query));
        }
    }

    /// The `k` best rows of `range`, best first, ties by row. Exact. Panics when the range leaves the rows.
    pub fn top_k(&self, range: Range<usize>, query: &QueryVector, k: usize) -> Vec<(usize, f32)> {
        let mut best = Best::new(k.min(range.len()));
        self.scan(range, query, |row, score| {
            best.offer(Candidate { score, row });
        });
        best.into_sorted()
    }

    fn row(&self, r: usize) -> &[i8] {
        &self.rows[r * self.dims..(r + 1) * self.dims]
    }
}

/// A question as a vector: normalized, and quantized to 16 bits once, so that every score after is integer work.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    values: Vec<i16>,
    scale: f32,
}

impl QueryVector {
    /// Quantizes `values`, whatever their length; `None` when they have no direction (zero, NaN or infinite).
    ///
    /// The error per value is below 1/32,000 of the largest, far under that of the rows.
    pub fn new(values: &[f32]) -> Option<Self> {
        if values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let largest = values
            .iter()
            .fold(0.0f64, |m, &v| m.max(f64::from(v).abs()));
        if largest == 0.0 {
            return None;
        }
        let limit = QUERY_LIMIT
            .min(i32::MAX as u64 / (128 * values.len() as u64))
            .max(1) as f64;
        // Relative to the largest, so that neither very small nor very large values lose their squares.
        let length = values
            .iter()
            .map(|&v| (f64::from(v) / largest).powi(2))
            .sum::<f64>()
            .sqrt();
        let integers = values
            .iter()
            .map(|&v| (f64::from(v) / largest * limit).round() as i16)
            .collect();
        Some(Self {
            values: integers,
            scale: (1.0 / (limit * length)) as f32,
        })
    }

    /// Cosine with another vector; of different dimensions, the first ones count. O(dims).
    pub fn cosine(&self, other: &Self) -> f32 {
        let pairs = self.values.iter().zip(&other.values);
        let dot: i64 = pairs.map(|(&a, &b)| i64::from(a) * i64::from(b)).sum();
        (dot as f32 * self.scale * other.scale).clamp(-1.0, 1.0)
    }

    /// Dimensions of the query.
    pub fn dims(&self) -> usize {
        self.values.len()
    }

    /// The query as numbers of length 1: its dot product with a row is the score.
    pub fn to_f32(&self) -> Vec<f32> {
        let values = self.values.iter();
        values.map(|&v| f32::from(v) * self.scale).collect()
    }
}

/// A scored row. The greater is the better: higher score, then lower row.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f32,
    row: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score
            .total_cmp(&other.score)
            .then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// The best so many of all candidates offered.
struct Best {
    heap: BinaryHeap<Reverse<Candidate>>,
    limit: usize,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self {
            heap: BinaryHeap::with_capacity(limit),
            limit,
        }
    }

    /// Offers a candidate; true when it is among the best so far and thus kept.
    fn offer(&mut self, candidate: Candidate) -> bool {
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(candidate));
            return true;
        }
        match self.heap.peek_mut() {
            Some(mut worst) if candidate > worst.0 => {
                worst.0 = candidate;
                true
            }
            _ => false,
        }
    }

    /// True when [`Best::offer`] would refuse the candidate.
    fn refuses(&self, candidate: Candidate) -> bool {
        self.heap.len() >= self.limit && self.heap.peek().is_none_or(|worst| candidate < worst.0)
    }

    fn into_sorted(self) -> Vec<(usize, f32)> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|Reverse(c)| (c.row, c.score))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(vectors: &[f32], dims: usize, bits: u8) -> VectorRows {
        VectorRows::unpack(
            &quantize(vectors, dims, bits),
            vectors.len() / dims,
            dims,
            bits,
        )
        .unwrap()
    }

    /// Repeatable vectors of length 1.
    fn some_vectors(n: usize, dims: usize) -> Vec<f32> {
        let mut state = 1u64;
        let mut out = Vec::new();
        for _ in 0..n {
            let row: Vec<f32> = (0..dims)
                .map(|_| {
                    state = state
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    (state >> 40) as f32 / (1 << 24) as f32 - 0.5
                })
                .collect();
            let length = row.iter().map(|v| v * v).sum::<f32>().sqrt();
            out.extend(row.iter().map(|v| v / length));
        }
        out
    }

    #[test]
    fn scores_are_cosines() {
        // (0.6, 0.8) · (1, 0) = 0.6; against itself 1; against its opposite −1.
        let rows = rows(&[0.6, 0.8], 2, 8);
        let score = |x, y| rows.score(0, &QueryVector::new(&[x, y]).unwrap());
        assert!((score(5.0, 0.0) - 0.6).abs() < 0.01);
        assert!((score(6e-30, 8e-30) - 1.0).abs() < 0.01);
        assert!((score(-6e30, -8e30) + 1.0).abs() < 0.01);
    }

    #[test]
    fn scores_agree_with_the_naive_sum_bit_for_bit() {
        for (dims, bits) in [(16, 8), (64, 4), (100, 8), (256, 4), (1024, 8), (1536, 8)] {
            let vectors = some_vectors(20, dims);
            let rows = rows(&vectors, dims, bits);
            let query = QueryVector::new(&vectors[dims * 3..dims * 4]).unwrap();
            for r in 0..20 {
                let dot: i64 = (0..dims)
                    .map(|i| i64::from(rows.rows[r * dims + i]) * i64::from(query.values[i]))
                    .sum();
                let naive = (dot as f32 * (rows.scales[r] * query.scale)).clamp(-1.0, 1.0);
                assert_eq!(rows.score(r, &query).to_bits(), naive.to_bits());
            }
            let exact: f32 = rows
                .row_f32(5)
                .iter()
                .zip(&vectors[dims * 3..])
                .map(|(a, b)| a * b)
                .sum();
            assert!((rows.score(5, &query) - exact).abs() < 1e-3);
        }
    }

    #[test]
    fn top_k_is_the_head_of_the_sorted_scan() {
        let vectors = some_vectors(300, 32);
        let rows = rows(&vectors, 32, 4);
        let query = QueryVector::new(&vectors[..32]).unwrap();
        let mut all = Vec::new();
        rows.scan(17..291, &query, |row, score| all.push((row, score)));
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for k in [0, 1, 10, 274, 1000] {
            assert_eq!(
                rows.top_k(17..291, &query, k),
                all[..k.min(all.len())],
                "k = {k}"
            );
        }
    }

    #[test]
    fn equal_scores_are_ordered_by_row() {
        let rows = rows(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0], 2, 4);
        let top = rows.top_k(0..4, &QueryVector::new(&[1.0, 0.0]).unwrap(), 2);
        assert_eq!(top.iter().map(|t| t.0).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_question_without_direction_is_refused() {
        for values in [
            &[][..],
            &[0.0, -0.0],
            &[1.0, f32::NAN],
            &[f32::INFINITY, 0.0],
        ] {
            assert_eq!(QueryVector::new(values), None, "{values:?}");
        }
    }

    #[test]
    fn a_hostile_scale_stays_within_bounds() {
        let mut bytes = quantize(&[1.0, 1.0, 0.0, 0.0], 2, 8);
        bytes[4..6].copy_from_slice(&f32::MAX.to_bits().to_le_bytes()[2..]);
        let rows = VectorRows::unpack(&bytes, 2, 2, 8).unwrap();
        let query = QueryVector::new(&[1.0, 1.0]).unwrap();
        assert_eq!((rows.score(0, &query), rows.score(1, &query)), (1.0, 0.0));
    }
}
