//! The site's own vector space: the few directions in which this site's texts differ.
//!
//! The table's 256 axes serve all texts; one site needs a quarter of them. [`SpaceBuilder`] accumulates the uncentered
//! second moment of the site's vectors (uncentered, so that cosines survive), [`Space`] projects on its strongest
//! eigenvectors, turned by a fixed random rotation. The rotation changes no cosine; it spreads the energy evenly over
//! the dimensions, which is what rows with one scale and few bits want.
//!
//! *Cost*: `add` is `dims²/2` multiply-adds; `finish` one symmetric eigenproblem (256: a fraction of a second);
//! `project` is `input dims × output dims` multiply-adds.
//!
//! *Source*: spec/embedding.md §6: 64 site dimensions lose .002 of hybrid nDCG against 384 generic ones; the rotation
//! lifts dense quality at 4 bits by .010 to .015.

use nalgebra::{DMatrix, SymmetricEigen};

/// Seed of the rotation. Any would do; the same one keeps the bytes of a bundle the same.
const ROTATION_SEED: u64 = 0x6b6e_6172_7200_0001;

/// Accumulates what [`Space`] is made of.
pub struct SpaceBuilder {
    dims: usize,
    /// Upper triangle of Σ weight · v · vᵀ, row-major, `dims × dims`; the lower stays zero.
    moment: Vec<f64>,
    wide: Vec<f64>,
}

impl SpaceBuilder {
    /// A builder for vectors of `dims` dimensions, at least 1.
    pub fn new(dims: usize) -> Self {
        Self {
            dims,
            moment: vec![0.0; dims * dims],
            wide: vec![0.0; dims],
        }
    }

    /// Adds a vector, normalized by the caller, with a weight.
    ///
    /// Sums are `f64` in the order of calls: the same calls give the same bits. A vector or weight that is not finite
    /// has no direction to add and is left out.
    ///
    /// # Panics
    /// When the vector has other dimensions than the builder.
    pub fn add(&mut self, vector: &[f32], weight: f32) {
        assert_eq!(
            vector.len(),
            self.dims,
            "a vector of the builder's dimensions"
        );
        if !weight.is_finite() || vector.iter().any(|v| !v.is_finite()) {
            return;
        }
        for (wide, &v) in self.wide.iter_mut().zip(vector) {
            *wide = f64::from(v);
        }
        for (i, row) in self.moment.chunks_exact_mut(self.dims).enumerate() {
            let factor = self.wide[i] * f64::from(weight);
            for (sum, v) in row[i..].iter_mut().zip(&self.wide[i..]) {
                *sum += factor * v;
            }
        }
    }

    /// The space of the `dims` strongest directions of what was added.
    ///
    /// With fewer vectors than `dims` the rest are arbitrary directions at right angles to them: projecting still keeps
    /// every cosine between the vectors added. Never more dimensions than the input has.
    /// Bits repeat from run to run on one machine; other processors may round the last bit differently.
    pub fn finish(self, dims: usize) -> Space {
        let upper = DMatrix::from_row_slice(self.dims, self.dims, &self.moment);
        let full = DMatrix::from_fn(self.dims, self.dims, |i, j| upper[(i.min(j), i.max(j))]);
        let directions = strongest(full, dims);
        let directions = directions.into_iter().map(|(_, direction)| direction);
        Space::turned(&directions.collect::<Vec<_>>(), self.dims)
    }
}

/// At most `n` eigenvectors of a symmetric matrix with their values, the largest first.
fn strongest(matrix: DMatrix<f64>, n: usize) -> Vec<(f64, Vec<f64>)> {
    let eigen = SymmetricEigen::new(matrix);
    let value = |i: usize| eigen.eigenvalues[i];
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
    let vector = |i: usize| eigen.eigenvectors.column(i).iter().copied().collect();
    let order = order.into_iter().take(n);
    order
        .map(|i| (value(i), with_fixed_sign(vector(i))))
        .collect()
}

/// Pairs of vectors, from which a linear map is learned that takes the first to the second.
pub struct Pairs {
    /// Σ a · aᵀ.
    of_first: DMatrix<f64>,
    /// Σ a · bᵀ.
    of_both: DMatrix<f64>,
}

/// Pairs that are added at a time.
const PAIRS: usize = 1 << 10;

impl Pairs {
    /// None, of vectors with so many dimensions.
    pub fn new(first: usize, second: usize) -> Self {
        Self {
            of_first: DMatrix::zeros(first, first),
            of_both: DMatrix::zeros(first, second),
        }
    }

    /// Adds pairs, in their order.
    pub fn add<'a>(&mut self, pairs: impl Iterator<Item = (&'a [f32], &'a [f32])>) {
        let mut pairs = pairs.peekable();
        while pairs.peek().is_some() {
            let some: Vec<_> = pairs.by_ref().take(PAIRS).collect();
            let first = DMatrix::from_fn(self.of_first.nrows(), some.len(), |i, n| {
                f64::from(some[n].0[i])
            });
            let second = DMatrix::from_fn(some.len(), self.of_both.ncols(), |n, i| {
                f64::from(some[n].1[i])
            });
            self.of_first += &first * first.transpose();
            self.of_both += &first * second;
        }
    }

    /// The map with the least square error and, for `penalty` times the mean square of the first vectors' numbers, small
    /// numbers of its own (ridge regression).
    pub fn learn(&self, penalty: f64) -> LinearMap {
        let mut damped = self.of_first.clone();
        let n = damped.nrows();
        // Of nothing but zeros nothing is learned, which needs a divisor too.
        let more = (penalty * damped.trace() / n as f64).max(f64::MIN_POSITIVE.sqrt());
        (0..n).for_each(|i| damped[(i, i)] += more);
        let solved = damped.cholesky().map(|c| c.solve(&self.of_both));
        LinearMap(solved.unwrap_or_else(|| DMatrix::zeros(n, self.of_both.ncols())))
    }
}

/// A linear map: a column for each of its results.
pub struct LinearMap(DMatrix<f64>);

impl LinearMap {
    /// The vector that a vector is taken to.
    pub fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let sum = |column: &[f64]| {
            let parts = column.iter().zip(vector);
            parts.map(|(a, b)| a * f64::from(*b)).sum::<f64>() as f32
        };
        self.0
            .as_slice()
            .chunks_exact(self.0.nrows())
            .map(sum)
            .collect()
    }
}

/// A projection to a site's own dimensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// Row-major, `dims × input`: one orthonormal row per output dimension.
    matrix: Vec<f32>,
    input: usize,
}

impl Space {
    /// The directions, at right angles and of length 1, turned by the rotation.
    fn turned(directions: &[Vec<f64>], input: usize) -> Self {
        let mut matrix = Vec::with_capacity(directions.len() * input);
        for mix in rotation(directions.len()) {
            for i in 0..input {
                let parts = mix.iter().zip(directions);
                matrix.push(parts.map(|(m, d)| m * d[i]).sum::<f64>() as f32);
            }
        }
        Self { matrix, input }
    }

    /// Two spaces of the same at most `dims` dimensions, the second for vectors that `map` takes to those of the first:
    /// the directions in which what it makes of `vectors` differs most. What it never makes is lost, and no sum of its
    /// results would tell.
    ///
    /// Its equations have as many unknowns as `vectors` have dimensions, whatever they are mapped to.
    pub fn reached(map: &LinearMap, vectors: &[Vec<f32>], dims: usize) -> (Self, Self) {
        let map = &map.0;
        let (from, to) = map.shape();
        let mut pairs = Pairs::new(from, 0);
        pairs.add(vectors.iter().map(|v| (&v[..], &[][..])));
        // The root of their moment: directions in which nothing lies have none.
        let eigen = SymmetricEigen::new(pairs.of_first);
        let roots = eigen.eigenvalues.map(|value| value.max(0.0).sqrt());
        let spread = map.transpose() * eigen.eigenvectors * DMatrix::from_diagonal(&roots);
        let found = strongest(spread.transpose() * &spread, dims);
        let least = found.first().map_or(0.0, |f| f.0) * 1e-9;
        let found = found.into_iter().filter(|(value, _)| *value > least);
        let directions: Vec<Vec<f64>> = found
            .map(|(_, v)| {
                let direction = (&spread * DMatrix::from_vec(from, 1, v)).normalize();
                direction.iter().copied().collect()
            })
            .collect();
        let second = Self::turned(&directions, to);
        let through = second.matrix.chunks_exact(to).flat_map(|row| {
            (0..from).map(move |i| {
                let parts = row.iter().zip(0..to);
                parts.map(|(r, j)| f64::from(*r) * map[(i, j)]).sum::<f64>() as f32
            })
        });
        let first = Self {
            matrix: through.collect(),
            input: from,
        };
        (second, first)
    }

    /// Dimensions of a projected vector.
    pub fn dims(&self) -> usize {
        self.matrix.len().checked_div(self.input).unwrap_or(0)
    }

    /// Projects without normalizing: sums of projections are projections of sums, which is what words need.
    ///
    /// # Panics
    /// When the vector has other dimensions than the space was built from.
    pub fn project(&self, vector: &[f32]) -> Vec<f32> {
        assert_eq!(
            vector.len(),
            self.input,
            "a vector of the space's input dimensions"
        );
        self.matrix
            .chunks_exact(self.input.max(1))
            .map(|row| dot(row, vector))
            .collect()
    }

    /// Projects and normalizes to length 1, which is what passages need. A vector outside the space stays zero.
    #[cfg(test)]
    pub fn project_normalized(&self, vector: &[f32]) -> Vec<f32> {
        let mut out = self.project(vector);
        let length = dot(&out, &out).sqrt();
        if length > 0.0 {
            out.iter_mut().for_each(|v| *v /= length);
        }
        out
    }
}

/// Dot product in sixteen fixed lanes, summed in order: fast, and the same bits at every optimisation level.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 16];
    let (a_blocks, a_tail) = a.as_chunks::<16>();
    let (b_blocks, b_tail) = b.as_chunks::<16>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + a_tail.iter().zip(b_tail).map(|(a, b)| a * b).sum::<f32>()
}

/// An eigenvector and its opposite are equally right; take the one whose largest component is positive.
fn with_fixed_sign(mut vector: Vec<f64>) -> Vec<f64> {
    let largest = vector
        .iter()
        .fold(0.0f64, |m, &v| if v.abs() > m.abs() { v } else { m });
    if largest < 0.0 {
        vector.iter_mut().for_each(|v| *v = -*v);
    }
    vector
}

/// A fixed random orthogonal matrix as rows: Gaussian rows made orthonormal one after the other (Gram–Schmidt, which
/// is the QR decomposition with a positive diagonal). Only additions, products and roots: the same bits everywhere.
fn rotation(dims: usize) -> Vec<Vec<f64>> {
    let mut state = ROTATION_SEED;
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(dims);
    while rows.len() < dims {
        let mut row: Vec<f64> = (0..dims).map(|_| gaussian(&mut state)).collect();
        // Twice is enough: the second pass removes what the first one's rounding left (Kahan).
        for _ in 0..2 {
            for done in &rows {
                let along: f64 = done.iter().zip(&row).map(|(a, b)| a * b).sum();
                row.iter_mut().zip(done).for_each(|(v, d)| *v -= along * d);
            }
        }
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 1e-6 {
            rows.push(row.iter().map(|v| v / length).collect());
        }
    }
    rows
}

/// About a standard normal number: twelve uniform ones minus six. No logarithm, whose last bit differs by platform.
fn gaussian(state: &mut u64) -> f64 {
    (0..12)
        .map(|_| (next(state) >> 11) as f64 / (1u64 << 53) as f64)
        .sum::<f64>()
        - 6.0
}

/// The next number of SplitMix64 (Steele, Lea and Flood 2014; public domain).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::static_table::{DIMS, StaticTable};
    use crate::vectors::hnsw::{self, Hnsw};
    use crate::vectors::{QueryVector, VectorRows, quantize};

    const WORDS: &[&str] = &[
        "password",
        "login",
        "account",
        "credentials",
        "reset",
        "server",
        "client",
        "request",
        "response",
        "container",
        "cluster",
        "node",
        "deploy",
        "template",
        "function",
        "pointer",
        "memory",
        "lifetime",
        "borrow",
        "thread",
    ];

    fn word_vectors() -> Vec<Vec<f32>> {
        WORDS
            .iter()
            .map(|w| {
                let v = StaticTable::embedded().word(w).expect("a common word");
                let length = dot(&v, &v).sqrt();
                v.iter().map(|x| x / length).collect()
            })
            .collect()
    }

    fn space_of(vectors: &[Vec<f32>], dims: usize) -> Space {
        let mut builder = SpaceBuilder::new(DIMS);
        vectors.iter().for_each(|v| builder.add(v, 1.0));
        builder.finish(dims)
    }

    #[test]
    fn a_linear_map_is_learned_exactly_and_damped_on_request() {
        let firsts: Vec<Vec<f32>> = (0..50)
            .map(|i| {
                (0..4)
                    .map(|j| ((i * (j + 3) * 7) % 11) as f32 - 5.0)
                    .collect()
            })
            .collect();
        let seconds: Vec<Vec<f32>> = firsts
            .iter()
            .map(|a| vec![a[0] + 2.0 * a[3], a[1] - a[2], 3.0 * a[2]])
            .collect();
        let mut pairs = Pairs::new(4, 3);
        let both = firsts.iter().zip(&seconds);
        pairs.add(both.map(|(a, b)| (&a[..], &b[..])));
        let said = pairs.learn(0.0).apply(&[1.0, 2.0, 3.0, 4.0]);
        for (said, right) in said.iter().zip([9.0, -1.0, 9.0]) {
            assert!((said - right).abs() < 1e-4, "{said} for {right}");
        }
        let damped = pairs.learn(10.0).apply(&[1.0, 2.0, 3.0, 4.0]);
        assert!(damped[0].abs() < 2.0, "{damped:?}");
        assert_eq!(Pairs::new(4, 3).learn(0.0).apply(&[1.0; 4]), [0.0; 3]);
    }

    #[test]
    fn rows_are_orthonormal_even_with_fewer_vectors_than_dimensions() {
        for vectors in [&word_vectors()[..], &word_vectors()[..3], &[]] {
            let space = space_of(vectors, 32);
            assert_eq!(space.dims(), 32);
            let rows: Vec<&[f32]> = space.matrix.chunks(DIMS).collect();
            for (i, a) in rows.iter().enumerate() {
                for (j, b) in rows.iter().enumerate() {
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!(
                        (dot(a, b) - expected).abs() < 1e-5,
                        "rows {i} and {j}: {}",
                        dot(a, b)
                    );
                }
            }
        }
    }

    #[test]
    fn a_space_that_holds_all_vectors_keeps_their_cosines() {
        // 20 vectors span at most 20 dimensions, so 24 keep everything.
        let vectors = word_vectors();
        let space = space_of(&vectors, 24);
        for a in &vectors {
            for b in &vectors {
                let (p, q) = (space.project_normalized(a), space.project_normalized(b));
                assert!((dot(&p, &q) - dot(a, b)).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_strongest_direction_is_kept_first() {
        // Second moment diag(1, 9, 4): one dimension keeps axis 1 alone, two keep axes 1 and 2.
        let mut builder = SpaceBuilder::new(3);
        for (axis, weight) in [(0, 1.0), (1, 9.0), (2, 4.0)] {
            let mut v = [0.0; 3];
            v[axis] = 1.0;
            builder.add(&v, weight);
        }
        let kept =
            |space: &Space, v: [f32; 3]| space.project(&v).iter().map(|x| x * x).sum::<f32>();
        let space = builder.finish(2);
        assert!(kept(&space, [0.0, 1.0, 0.0]) > 0.999_9);
        assert!(kept(&space, [0.0, 0.0, 1.0]) > 0.999_9);
        assert!(kept(&space, [1.0, 0.0, 0.0]) < 1e-6);
    }

    #[test]
    fn sums_of_projections_are_projections_of_sums() {
        let vectors = word_vectors();
        let space = space_of(&vectors, 16);
        let sum: Vec<f32> = vectors[0]
            .iter()
            .zip(&vectors[1])
            .map(|(a, b)| a + b)
            .collect();
        let parts: Vec<f32> = space
            .project(&vectors[0])
            .iter()
            .zip(space.project(&vectors[1]))
            .map(|(a, b)| a + b)
            .collect();
        assert!(
            space
                .project(&sum)
                .iter()
                .zip(parts)
                .all(|(a, b)| (a - b).abs() < 1e-5)
        );
    }

    #[test]
    fn the_same_vectors_give_the_same_bits() {
        assert_eq!(space_of(&word_vectors(), 64), space_of(&word_vectors(), 64));
    }

    #[test]
    fn the_rotation_spreads_energy_evenly() {
        // Unrotated, the first axis of a site carries many times its share; rotated, none carries four times it.
        let vectors = word_vectors();
        let space = space_of(&vectors, 16);
        let mut energy = [0.0f32; 16];
        for v in &vectors {
            for (sum, x) in energy.iter_mut().zip(space.project_normalized(v)) {
                *sum += x * x / vectors.len() as f32;
            }
        }
        assert!((energy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(energy.iter().all(|&e| e < 4.0 / 16.0), "{energy:?}");
    }

    #[test]
    fn what_has_no_direction_changes_nothing() {
        let mut builder = SpaceBuilder::new(2);
        builder.add(&[1.0, 0.0], 1.0);
        builder.add(&[f32::NAN, 1.0], 1.0);
        builder.add(&[0.0, 1.0], f32::INFINITY);
        let mut clean = SpaceBuilder::new(2);
        clean.add(&[1.0, 0.0], 1.0);
        let space = builder.finish(1);
        assert_eq!(space, clean.finish(1));
        assert_eq!(space.project_normalized(&[0.0, 0.0]), [0.0]);
    }

    #[test]
    fn more_dimensions_than_the_input_are_not_invented() {
        assert_eq!(SpaceBuilder::new(3).finish(8).dims(), 3);
        assert_eq!(
            SpaceBuilder::new(3).finish(0).project(&[1.0, 2.0, 3.0]),
            Vec::<f32>::new()
        );
    }

    /// The whole path on real words: table, space, 4-bit rows, graph.
    #[test]
    fn the_neighbour_graph_finds_the_words_the_scan_finds() {
        let words = include_str!("static_table/vocab.txt")
            .lines()
            .filter(|w| w.len() > 4 && !w.starts_with('#'));
        let vectors: Vec<Vec<f32>> = words
            .filter_map(|w| StaticTable::embedded().word(w))
            .step_by(5)
            .take(2_500)
            .map(Vec::from)
            .collect();
        assert_eq!(vectors.len(), 2_500);
        let space = space_of(&vectors, 64);
        let flat: Vec<f32> = vectors
            .iter()
            .flat_map(|v| space.project_normalized(v))
            .collect();
        let rows = VectorRows::unpack(&quantize(&flat, 64, 4), 2_500, 64, 4).expect("just packed");
        let graph =
            Hnsw::open(&hnsw::build(&rows, 1).expect("a graph"), 2_500).expect("just built");
        let mut found = 0;
        for pair in vectors.windows(2).step_by(50) {
            let sum: Vec<f32> = pair[0].iter().zip(&pair[1]).map(|(a, b)| a + b).collect();
            let query = QueryVector::new(&space.project(&sum)).expect("words have a direction");
            let exact = rows.top_k(0..rows.len(), &query, 10);
            found += graph
                .search(&rows, &query, 10, 128)
                .iter()
                .filter(|hit| exact.contains(hit))
                .count();
        }
        assert!(found >= 475, "{found} of 500");
    }
}
