//! Approximate search over very many rows: a graph of near neighbors, walked best first.
//!
//! *Build* (native): `instant_distance` makes a hierarchical graph over row handles, measuring with the quantized rows
//! themselves. Only its base layer leaves, and as entries the rows it put in first, a fair sample of all.
//! *Search* (everywhere) is ours: score the entries exactly, then walk the base layer from the best of them. Upper
//! layers are not kept: scoring a thousand entries in one scan costs less than their links weigh on the wire, and
//! several entries do not lose a cluster as one does.
//!
//! *Bytes*: LEB128 numbers. `n`; the number of entries, then their rows; for each row in order the number of links,
//! then the rows linked to. Lists ascend strictly; after the first, a number is the distance to the one before, minus
//! one. Every number is checked by [`Hnsw::open`]; after it no link can leave the rows.
//!
//! *Determinism*: one thread, fixed seed. The generator of `instant_distance` differs between 32- and 64-bit targets:
//! graphs are built natively and shipped, never rebuilt and compared.
//!
//! *Source*: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
//! Navigable Small World graphs", 2016, algorithms 2 and 4; spec/wasm.md §2.

use super::{Best, Candidate, QueryVector, VectorRows};
use crate::base::error::{Error, ErrorKind, Result};
use std::collections::BinaryHeap;

/// Entries the walk starts from, the best of those scored: more than one, so that no cluster hides behind another.
const STARTS: usize = 8;

/// A graph over the rows of one [`VectorRows`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hnsw {
    entries: Vec<u32>,
    /// Row `r` links to `links[offsets[r]..offsets[r + 1]]`.
    offsets: Vec<u32>,
    links: Vec<u32>,
}

impl Hnsw {
    /// Reads and checks a graph over `n` rows.
    ///
    /// Cost: one pass; 4 bytes per link and row in memory. Errors: `BUNDLE_DAMAGED` when the bytes are cut short, run on,
    /// speak of another number of rows, or link to a row that does not exist.
    pub fn open(bytes: &[u8], n: usize) -> Result<Self> {
        Self::parse(bytes, n).ok_or_else(|| {
            Error::new(
                ErrorKind::BundleDamaged,
                format!("the neighbour graph is not one of {n} vectors"),
            )
        })
    }

    fn parse(mut bytes: &[u8], n: usize) -> Option<Self> {
        let input = &mut bytes;
        // Each row takes a byte at least: a damaged count cannot make us reserve more than a few times the input.
        if read(input)? as usize != n || n > input.len() + 1 {
            return None;
        }
        let mut entries = Vec::new();
        read_list(input, n, &mut entries)?;
        let (mut offsets, mut links) = (Vec::with_capacity(n + 1), Vec::with_capacity(input.len()));
        offsets.push(0);
        for _ in 0..n {
            read_list(input, n, &mut links)?;
            offsets.push(u32::try_from(links.len()).ok()?);
        }
        links.shrink_to_fit();
        (input.is_empty() && (n == 0 || !entries.is_empty())).then_some(Self {
            entries,
            offsets,
            links,
        })
    }

    /// Number of rows that the graph spans.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// True when it spans no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About the `k` best rows, best first, ties by row. `rows` are those the graph was built over.
    ///
    /// `ef` is how many candidates stay in play: at `k` fast and forgetful, at `n` nearly exhaustive. Of the true ten best
    /// of 10,000 made-up passages, 64 found 93 %, 100 found 97 %, 200 found 99.7 %. Scores are those of [`VectorRows::score`]. Cost: a few hundred to a few thousand scores.
    ///
    /// # Panics
    /// When `rows` are fewer than the graph spans.
    pub fn search(
        &self,
        rows: &VectorRows,
        query: &QueryVector,
        k: usize,
        ef: usize,
    ) -> Vec<(usize, f32)> {
        let score = |row: u32| Candidate {
            score: rows.score(row as usize, query),
            row: row as usize,
        };
        let mut seen = vec![0u64; self.len().div_ceil(64)];
        let mut starts = Best::new(STARTS.min(self.entries.len()));
        for &row in &self.entries {
            starts.offer(score(row));
        }
        let mut best = Best::new(ef.max(k).min(self.len()));
        let mut frontier = BinaryHeap::new();
        for (row, score) in starts.into_sorted() {
            seen[row / 64] |= 1 << (row % 64);
            best.offer(Candidate { score, row });
            frontier.push(Candidate { score, row });
        }
        while let Some(next) = frontier.pop() {
            if best.refuses(next) {
                break;
            }
            let links = self.offsets[next.row] as usize..self.offsets[next.row + 1] as usize;
            for &row in &self.links[links] {
                let (word, bit) = (row as usize / 64, 1u64 << (row % 64));
                if seen[word] & bit == 0 {
                    seen[word] |= bit;
                    let candidate = score(row);
                    if best.offer(candidate) {
                        frontier.push(candidate);
                    }
                }
            }
        }
        let mut found = best.into_sorted();
        found.truncate(k);
        found
    }
}

/// Reads a strictly ascending list of rows below `n` onto `out`.
fn read_list(input: &mut &[u8], n: usize, out: &mut Vec<u32>) -> Option<()> {
    let mut least = 0u32;
    for _ in 0..read(input)? {
        let row = least.checked_add(read(input)?)?;
        if row as usize >= n {
            return None;
        }
        out.push(row);
        least = row.checked_add(1)?;
    }
    Some(())
}

/// Reads one LEB128 number of at most 32 bits.
fn read(input: &mut &[u8]) -> Option<u32> {
    let mut value = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(value).ok();
        }
    }
    None
}

#[cfg(feature = "index")]
pub use build::build;

/// The only place that names `instant_distance`.
#[cfg(feature = "index")]
mod build {
    use super::{Error, ErrorKind, Result, VectorRows};
    use crate::vectors::dot;
    use instant_distance::{Builder, Heuristic, Point};
    use serde::{Deserialize, Serialize, Serializer};

    /// Candidates looked at for each new row: the package's default. Lower builds faster and forgets more.
    const EF_CONSTRUCTION: usize = 100;
    /// One row in so many is an entry, ...
    const ROWS_PER_ENTRY: usize = 32;
    /// ... up to so many: scoring them all stays a small part of a search.
    const MAX_ENTRIES: usize = 1024;
    /// Value that `instant_distance` writes in an unused link.
    const NO_ROW: u32 = u32::MAX;

    /// Builds the graph over all `rows` and returns its bytes, for [`super::Hnsw::open`]. The same rows and seed give
    /// the same bytes.
    ///
    /// Cost: one thread, about 100 to 1,000 scores per row. Errors: `INTERNAL` when no thread can be started.
    pub fn build(rows: &VectorRows, seed: u64) -> Result<Vec<u8>> {
        let internal = |what: &str, cause: &dyn std::fmt::Display| {
            Error::new(
                ErrorKind::Internal,
                format!("{what} the neighbour graph: {cause}"),
            )
        };
        let points = (0..rows.len()).map(|row| Handle { rows, row }).collect();
        let builder = Builder::default()
            .seed(seed)
            .ef_construction(EF_CONSTRUCTION)
            .select_heuristic(Some(Heuristic {
                extend_candidates: false,
                keep_pruned: false,
            }));
        // With more threads the order of insertion, and so the links, would differ from run to run.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let (graph, _) = match pool {
            Ok(pool) => pool.install(|| builder.build_hnsw(points)),
            // WebAssembly has no second thread to give, and needs none.
            Err(_) if rayon::current_num_threads() == 1 => builder.build_hnsw(points),
            Err(error) => return Err(internal("building", &error)),
        };
        // Its fields are private: serde is the only way out.
        let json = serde_json::to_vec(&graph).map_err(|e| internal("writing", &e))?;
        drop(graph);
        let mirror: Mirror = serde_json::from_slice(&json).map_err(|e| internal("reading", &e))?;
        Ok(mirror.into_bytes())
    }

    /// A row as a point: a handle, so that the graph holds no copy of the vectors.
    #[derive(Clone)]
    struct Handle<'a> {
        rows: &'a VectorRows,
        row: usize,
    }

    impl Point for Handle<'_> {
        fn distance(&self, other: &Self) -> f32 {
            let (rows, scales) = (self.rows, &self.rows.scales);
            let dot = dot::row_row(rows.row(self.row), rows.row(other.row));
            1.0 - dot as f32 * (scales[self.row] * scales[other.row])
        }
    }

    impl Serialize for Handle<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.serialize_u64(self.row as u64)
        }
    }

    /// The serialized form of `instant_distance` 0.6, links as positions in `points`.
    #[derive(Deserialize)]
    struct Mirror {
        /// Position → row.
        points: Vec<u32>,
        /// The base layer: links of each position.
        zero: Vec<Vec<u32>>,
    }

    impl Mirror {
        fn into_bytes(self) -> Vec<u8> {
            let n = self.points.len();
            let rows = |positions: &[u32]| -> Vec<u32> {
                positions
                    .iter()
                    .take_while(|&&p| p != NO_ROW)
                    .map(|&p| self.points[p as usize])
                    .collect()
            };
            let mut links = vec![Vec::new(); n];
            for (position, nearest) in self.zero.iter().enumerate() {
                links[self.points[position] as usize] = rows(nearest);
            }
            // Positions are in random order: any first part is a fair sample of the rows.
            let entries = n.div_ceil(ROWS_PER_ENTRY).min(MAX_ENTRIES);
            let mut out = Vec::new();
            write(&mut out, n as u32);
            write_list(&mut out, self.points[..entries].to_vec());
            links
                .into_iter()
                .for_each(|list| write_list(&mut out, list));
            out
        }
    }

    fn write_list(out: &mut Vec<u8>, mut list: Vec<u32>) {
        list.sort_unstable();
        list.dedup();
        write(out, list.len() as u32);
        let mut least = 0;
        for row in list {
            write(out, row - least);
            least = row + 1;
        }
    }

    fn write(out: &mut Vec<u8>, mut value: u32) {
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
    }
}

#[cfg(all(test, feature = "index"))]
mod tests {
    use super::*;
    use crate::vectors::quantize;

    const DIMS: usize = 16;

    /// Forty clusters, each row its center plus half as much noise.
    fn clustered(n: usize) -> VectorRows {
        let mut state = 3u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let centers: Vec<Vec<f32>> = (0..40)
            .map(|_| (0..DIMS).map(|_| random()).collect())
            .collect();
        let mut vectors = Vec::new();
        for r in 0..n {
            let row: Vec<f32> = centers[r % 40].iter().map(|c| c + 0.5 * random()).collect();
            let length = row.iter().map(|v| v * v).sum::<f32>().sqrt();
            vectors.extend(row.iter().map(|v| v / length));
        }
        VectorRows::unpack(&quantize(&vectors, DIMS, 8), n, DIMS, 8).unwrap()
    }

    fn query(rows: &VectorRows, r: usize) -> QueryVector {
        QueryVector::new(&rows.row_f32(r)).unwrap()
    }

    #[test]
    fn finds_what_the_exact_scan_finds() {
        let rows = clustered(2_000);
        let graph = Hnsw::open(&build(&rows, 1).unwrap(), rows.len()).unwrap();
        let (mut found, mut wanted) = (0, 0);
        for r in (0..2_000).step_by(20) {
            let exact = rows.top_k(0..rows.len(), &query(&rows, r), 10);
            let near = graph.search(&rows, &query(&rows, r), 10, 64);
            assert!(
                near.is_sorted_by(|a, b| a.1 > b.1 || (a.1 == b.1 && a.0 < b.0)),
                "best first, ties by row"
            );
            found += near.iter().filter(|hit| exact.contains(hit)).count();
            wanted += exact.len();
        }
        assert!(found * 100 >= wanted * 95, "{found} of {wanted}");
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        let rows = clustered(500);
        assert_eq!(build(&rows, 1).unwrap(), build(&rows, 1).unwrap());
    }

    #[test]
    fn few_rows_are_all_found() {
        for n in [0, 1, 2, 33] {
            let rows = clustered(n);
            let graph = Hnsw::open(&build(&rows, 1).unwrap(), n).unwrap();
            assert_eq!(graph.len(), n);
            let query = QueryVector::new(&[1.0; DIMS]).unwrap();
            assert_eq!(
                graph.search(&rows, &query, 50, 50),
                rows.top_k(0..n, &query, 50),
                "{n} rows"
            );
        }
    }

    #[test]
    fn damaged_bytes_fail_or_stay_harmless() {
        let rows = clustered(60);
        let bytes = build(&rows, 1).unwrap();
        for cut in 0..bytes.len() {
            assert_eq!(
                Hnsw::open(&bytes[..cut], 60).map_err(|e| e.kind()),
                Err(ErrorKind::BundleDamaged)
            );
        }
        assert!(Hnsw::open(&bytes, 59).is_err());
        assert!(Hnsw::open(&[&bytes[..], &[0]].concat(), 60).is_err());
        let mut refused = 0;
        for at in 0..bytes.len() {
            for flip in [1, 0x40, 0x80, 0xff] {
                let mut bad = bytes.clone();
                bad[at] ^= flip;
                match Hnsw::open(&bad, 60) {
                    Ok(graph) => drop(graph.search(&rows, &query(&rows, 7), 10, 60)),
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 0);
        // Counts that promise far more than there is.
        assert!(Hnsw::open(&[0xff, 0xff, 0xff, 0xff, 0x0f], u32::MAX as usize).is_err());
    }
}
