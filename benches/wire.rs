//! Bytes, requests and dependent rounds of questions, by the kind of what is fetched.
//!
//! ```sh
//! cargo bench --bench wire -- BUNDLE QUERIES.jsonl… [--each 8] [--next]
//! ```
//!
//! Of each file of queries `--each` are asked, evenly spaced. Every one opens the bundle anew; with `--next` all are asked
//! of one open bundle, as on a page that stays. Scripts and module are not counted. Of a bundle with large packs the first
//! row counts requests, which ranges share, and the others ranges.

mod counting;

use counting::{Counting, percentile, waited};
use knarr::bundle::{Head, PartKind};
use knarr::engine::HEAD_FILE;
use knarr::{FindOptions, Knarr};
use std::collections::BTreeMap;

/// Names of the columns beside the kinds of parts.
const TEXTS: &str = "texts";
const BETWEEN: &str = "between";
const HEAD: &str = "head";

/// Requests and bytes of one kind.
type Sums = BTreeMap<&'static str, (u64, u64)>;

/// Adds a request to the sums: a part's bytes to its kind, those between parts apart, the request to its first kind.
fn add(sums: &mut Sums, head: &Head, file: &str, (from, to): (u64, u64)) {
    let of = |sums: &mut Sums, kind, requests, bytes| {
        let sum = sums.entry(kind).or_default();
        *sum = (sum.0 + requests, sum.1 + bytes);
    };
    let pack = head.packs.iter().position(|pack| pack.name == file);
    let Some(pack) = pack.filter(|_| file != HEAD_FILE) else {
        return of(sums, HEAD, 1, to - from);
    };
    if pack as u32 >= head.first_text_pack {
        return of(sums, TEXTS, 1, to - from);
    }
    let (mut first, mut within) = (None, 0);
    for kind in PartKind::ALL {
        for part in &head.parts[kind as usize] {
            let end = part.offset + u64::from(part.len);
            if part.pack as usize == pack && part.offset >= from && end <= to {
                first.get_or_insert(kind.name());
                of(sums, kind.name(), 0, u64::from(part.len));
                within += u64::from(part.len);
            }
        }
    }
    of(sums, first.unwrap_or(BETWEEN), 1, 0);
    of(sums, BETWEEN, 0, to - from - within);
}

/// `n` queries of a file, evenly spaced.
fn queries(file: &str, n: usize) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect(file);
    let lines: Vec<&str> = text.lines().collect();
    let step = (lines.len() / n.max(1)).max(1);
    let line = |line: &&str| -> String {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        row["query"].as_str().expect("a query").to_owned()
    };
    lines.iter().step_by(step).take(n).map(line).collect()
}

fn main() {
    let mut given: Vec<String> = std::env::args().skip(1).collect();
    given.retain(|word| word != "--bench");
    let mut flag = |name: &str, values: usize| {
        let at = given.iter().position(|word| word == name)?;
        given.drain(at..=at + values).next_back()
    };
    let each = flag("--each", 1).map_or(8, |n| n.parse().expect("a number"));
    let stays = flag("--next", 0).is_some();
    let Some((folder, files)) = given.split_first() else {
        return;
    };
    let host = Counting::new(folder);
    let head = std::fs::read(std::path::Path::new(folder).join(HEAD_FILE)).expect("a bundle");
    let head = Head::decode(&head).expect("a head");
    let open = || waited(Knarr::open(&host)).0.expect("a bundle");
    let mut bundle = open();
    let all: Vec<String> = files.iter().flat_map(|file| queries(file, each)).collect();
    let mut rows: Vec<Sums> = Vec::new();
    let (mut bytes, mut requests, mut rounds) = (Vec::new(), Vec::new(), Vec::new());
    let joins = head.parameters.joins_ranges;
    for query in &all {
        host.reset();
        if !stays {
            bundle = open();
        }
        let (found, waits) = waited(bundle.find(&host, query, &FindOptions::default()));
        found.expect("an answer");
        let mut sums = Sums::new();
        let asked = host.asked.borrow();
        asked
            .iter()
            .for_each(|(file, range)| add(&mut sums, &head, file, *range));
        rows.push(sums);
        bytes.push(host.bytes.get());
        requests.push(match joins {
            true => host.joined.get(),
            false => asked.len() as u64,
        });
        rounds.push(u64::from(waits));
    }
    println!("{} queries\n", all.len());
    println!(
        "| | requests p50 | p95 | mean | bytes p50 | p95 | mean |\n|---|--:|--:|--:|--:|--:|--:|"
    );
    let print = |name: &str, mut requests: Vec<u64>, mut bytes: Vec<u64>| {
        let mean = |values: &[u64]| values.iter().sum::<u64>() as f64 / values.len() as f64;
        println!(
            "| {name} | {} | {} | {:.1} | {} | {} | {:.0} |",
            percentile(&mut requests, 0.5),
            percentile(&mut requests, 0.95),
            mean(&requests),
            percentile(&mut bytes, 0.5),
            percentile(&mut bytes, 0.95),
            mean(&bytes),
        );
    };
    print("all", requests, bytes);
    let kinds = PartKind::ALL.map(PartKind::name);
    for kind in [HEAD].into_iter().chain(kinds).chain([TEXTS, BETWEEN]) {
        let of = |row: &Sums| row.get(kind).copied().unwrap_or_default();
        let (requests, bytes) = rows.iter().map(of).unzip();
        print(kind, requests, bytes);
    }
    let (half, most) = (percentile(&mut rounds, 0.5), percentile(&mut rounds, 1.0));
    println!("\nrounds after the head: p50 {half}, most {most}");
}
