//! Nearest rows by an exact scan and through an HNSW graph: milliseconds, recall, bytes and seconds to build.
//!
//! ```sh
//! cargo bench --profile tool --features index --bench nearest -- BUNDLE [--questions FILE.f32] [--rows 10000,100000]
//! ```
//!
//! The rows are the bundle's own page vectors. Where more are wanted than it has, the rest are copies of them with noise
//! (cosine of about .85 with their original). Questions are those of `--questions`, numbers of 32 bits as a model gave
//! them, or else means of two of the bundle's rows. `--graphs FOLDER` keeps graphs, so that a program compiled for
//! WebAssembly searches those that were built natively. `--pages` measures the nearest rows of every row.

use knarr::bundle::{Head, Need, PartKind, Resident, decompress, without_check};
use knarr::vectors::hnsw::{self, Hnsw};
use knarr::vectors::nearest::{nearest_by_graph, nearest_by_scan};
use knarr::vectors::{QueryVector, VectorRows, packed_len, quantize};
use std::path::{Path, PathBuf};
use std::time::Instant;

const K: usize = 10;
const EFS: [usize; 7] = [16, 32, 64, 96, 128, 256, 512];
/// Questions, and times that all of them are asked.
const QUESTIONS: usize = 200;
const TIMES: usize = 5;
const COSINE_OF_COPIES: f32 = 0.85;

#[derive(Default)]
struct Arguments {
    bundle: PathBuf,
    questions: Option<PathBuf>,
    graphs: Option<PathBuf>,
    rows: Vec<usize>,
    pages: bool,
}

fn arguments() -> Arguments {
    let mut given = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} has a value"));
        match word.as_str() {
            "--bench" => {}
            "--questions" => given.questions = Some(value().into()),
            "--graphs" => given.graphs = Some(value().into()),
            "--rows" => {
                let rows = value();
                given.rows = rows.split(',').map(|n| n.parse().expect(&rows)).collect();
            }
            "--pages" => given.pages = true,
            _ => given.bundle = word.into(),
        }
    }
    given
}

/// A few lines of a generator: the same rows in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// About normal: a sum of four.
    fn normal(&mut self) -> f32 {
        let sum: f32 = (0..4)
            .map(|_| (self.next() % 65_536) as f32 / 65_536.0)
            .sum();
        (sum - 2.0) * 1.732
    }
}

fn normalized(mut v: Vec<f32>) -> Vec<f32> {
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    v.iter_mut().for_each(|x| *x /= length);
    v
}

/// The page vectors of a bundle with packs, dimensions and bits.
fn rows_of(bundle: &Path) -> (Vec<Vec<f32>>, usize, u8) {
    let read = |name: &str| std::fs::read(bundle.join(name)).expect(name);
    let store = Resident::new(Head::decode(&read("index.knarr")).expect("a bundle"));
    let head = store.head();
    let mut rows = Vec::new();
    for block in 0..head.parts[PartKind::Blocks as usize].len() {
        let need = Need::Part(PartKind::Blocks, block as u32);
        let place = store.address(need).expect("vectors");
        let pack = read(&head.packs[place.pack as usize].name);
        let part = &pack[place.offset as usize..][..place.len as usize];
        let raw = decompress(without_check(part), 1 << 28).expect("deflate data");
        store.supply(need, &raw).expect("as the head says");
        let part = &store.block(block).expect("just supplied").vectors;
        rows.extend((0..part.len()).map(|row| part.row_f32(row)));
    }
    rows.retain(|row| row.iter().any(|&x| x != 0.0));
    let rows = rows.into_iter().map(normalized).collect();
    (
        rows,
        head.parameters.dims as usize,
        head.parameters.node_bits,
    )
}

/// `n` rows: those of the bundle, then copies with noise.
fn enlarged(own: &[Vec<f32>], n: usize, dims: usize, bits: u8) -> VectorRows {
    let mut random = Random(7);
    let noise = (1.0 / COSINE_OF_COPIES.powi(2) - 1.0).sqrt() / (dims as f32).sqrt();
    let mut flat = Vec::with_capacity(n * dims);
    for row in 0..n {
        match own.get(row) {
            Some(own) => flat.extend(own),
            None => {
                let own = &own[row % own.len()];
                flat.extend(normalized(
                    own.iter().map(|x| x + noise * random.normal()).collect(),
                ));
            }
        }
    }
    VectorRows::unpack(&quantize(&flat, dims, bits), n, dims, bits).expect("just packed")
}

fn questions(file: Option<&Path>, own: &[Vec<f32>], dims: usize) -> Vec<QueryVector> {
    let mut random = Random(11);
    let vectors: Vec<Vec<f32>> = match file {
        Some(file) => {
            let bytes = std::fs::read(file).expect("questions");
            let numbers: Vec<f32> = bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| f32::from_le_bytes(*b))
                .collect();
            numbers.chunks(dims).map(Vec::from).collect()
        }
        None => (0..QUESTIONS)
            .map(|_| {
                let (a, b) = (&own[random.below(own.len())], &own[random.below(own.len())]);
                a.iter().zip(b).map(|(a, b)| a + b).collect()
            })
            .collect(),
    };
    let step = (vectors.len() / QUESTIONS).max(1);
    let vectors = vectors.iter().step_by(step).take(QUESTIONS);
    vectors.filter_map(|v| QueryVector::new(v)).collect()
}

/// Milliseconds of one question: the fastest of several runs over all.
fn milliseconds(n: usize, mut all: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..TIMES {
        let begun = Instant::now();
        all();
        best = best.min(begun.elapsed().as_secs_f64() * 1e3 / n as f64);
    }
    best
}

fn graph_of(rows: &VectorRows, folder: Option<&Path>) -> (Vec<u8>, f64) {
    let file = folder.map(|folder| folder.join(format!("{}x{}.hnsw", rows.len(), rows.dims())));
    if let Some(bytes) = file.as_ref().and_then(|file| std::fs::read(file).ok()) {
        return (bytes, f64::NAN);
    }
    let begun = Instant::now();
    let bytes = hnsw::build(rows, 1).expect("a graph");
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(file) = file {
        std::fs::write(file, &bytes).expect("kept");
    }
    (bytes, seconds)
}

fn search(rows: &VectorRows, questions: &[QueryVector], given: &Arguments, bits: u8) {
    let n = rows.len();
    let exact: Vec<Vec<(usize, f32)>> = questions.iter().map(|q| rows.top_k(0..n, q, K)).collect();
    let scan = milliseconds(questions.len(), || {
        questions.iter().for_each(|q| drop(rows.top_k(0..n, q, K)));
    });
    let (bytes, seconds) = graph_of(rows, given.graphs.as_deref());
    let graph = Hnsw::open(&bytes, n).expect("just built");
    println!(
        "\n{n} rows of {} dimensions, {} bytes a row; scan {scan:.3} ms; graph {:.1} bytes a row, built in {seconds:.1} s",
        rows.dims(),
        packed_len(1, rows.dims(), bits),
        bytes.len() as f64 / n as f64,
    );
    println!("| ef | recall@{K} | ms | times the scan's speed |\n|--:|--:|--:|--:|");
    for ef in EFS {
        let mut found = 0;
        for (question, exact) in questions.iter().zip(&exact) {
            let near = graph.search(rows, question, K, ef);
            found += near.iter().filter(|hit| exact.contains(hit)).count();
        }
        let ms = milliseconds(questions.len(), || {
            questions
                .iter()
                .for_each(|q| drop(graph.search(rows, q, K, ef)));
        });
        let recall = found as f64 / (questions.len() * K) as f64;
        println!("| {ef} | {recall:.3} | {ms:.3} | {:.1} |", scan / ms);
    }
}

/// The nearest five of every row.
fn pages(rows: &VectorRows) {
    let begun = Instant::now();
    let exact = nearest_by_scan(rows, 5, |_, _| true);
    let scan = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let near = nearest_by_graph(rows, 5, |_, _| true).expect("a graph");
    let graph = begun.elapsed().as_secs_f64();
    let shared = exact.iter().zip(&near);
    let shared: usize = shared
        .map(|(a, b)| a.iter().filter(|a| b.iter().any(|b| a.0 == b.0)).count())
        .sum();
    println!(
        "\nnearest five of each of {} rows of {} dimensions: scan {scan:.1} s, graph {graph:.1} s with recall {:.4}",
        rows.len(),
        rows.dims(),
        shared as f64 / (5 * rows.len()) as f64
    );
}

fn main() {
    let given = arguments();
    if given.bundle.as_os_str().is_empty() {
        // `cargo test --benches` asks nothing.
        return;
    }
    let (own, dims, bits) = rows_of(&given.bundle);
    println!("{} rows of the bundle, {bits} bits", own.len());
    let questions = questions(given.questions.as_deref(), &own, dims);
    let sizes = match given.rows.is_empty() {
        true => vec![own.len()],
        false => given.rows.clone(),
    };
    for n in sizes {
        let rows = enlarged(&own[..own.len().min(n)], n, dims, bits);
        match given.pages {
            true => pages(&rows),
            false => search(&rows, &questions, &given, bits),
        }
    }
}
