//! Mistyped words: how many find what the right word finds, and what they cost more.
//!
//! ```sh
//! cargo bench --bench typos -- benches/queries/rust-typos.jsonl BUNDLE…
//! ```
//!
//! Found is a mistyped word with one of the right word's eight pages among its own eight. Every query opens the bundle
//! anew, and what it costs is all that it fetches, the head and the records of its results included. Words that no page of
//! a bundle has are left out there. The found and the missed are counted and not named, so that nobody tunes to one.

mod counting;

use counting::{Counting, percentile, waited};
use knarr::{FindOptions, Knarr};

/// A mistyped word and the right one.
type Pair = (String, String);

fn pairs(file: &str) -> Vec<Pair> {
    let text = std::fs::read_to_string(file).expect(file);
    let pair = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let of = |name: &str| row[name].as_str().expect(name).to_owned();
        (of("query"), of("word"))
    };
    text.lines().map(pair).collect()
}

/// The pages of an answer, whether it read any word as another, and its bytes.
fn ask(host: &Counting, query: &str) -> (Vec<String>, bool, u64) {
    host.reset();
    let options = FindOptions::new().limit(8);
    let found = waited(async {
        let bundle = Knarr::open(host).await?;
        bundle.find(host, query, &options).await
    });
    let found = found.0.expect("an answer");
    let pages = found.resources.into_iter().map(|row| row.uri).collect();
    (pages, !found.corrections.is_empty(), host.bytes.get())
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&String> = given.iter().filter(|word| *word != "--bench").collect();
    let Some((file, bundles)) = given.split_first() else {
        return;
    };
    let pairs = pairs(file);
    println!(
        "| | words | found | without rows | bytes p50 | p95 | more than the right word, p50 | p95 | mean |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for folder in bundles {
        let host = Counting::new(folder);
        let (mut found, mut empty) = (0, 0);
        let (mut bytes, mut more) = (Vec::new(), Vec::new());
        for (typo, word) in &pairs {
            let (wanted, is_unknown, usual) = ask(&host, word);
            if is_unknown || wanted.is_empty() {
                continue;
            }
            let (pages, _, own) = ask(&host, typo);
            found += usize::from(pages.iter().any(|page| wanted.contains(page)));
            empty += usize::from(pages.is_empty());
            bytes.push(own);
            more.push(own as i64 - usual as i64);
        }
        more.sort_unstable();
        let of = |share: f64| more[((more.len() - 1) as f64 * share).round() as usize];
        println!(
            "| {folder} | {} | {found} | {empty} | {} | {} | {} | {} | {} |",
            more.len(),
            percentile(&mut bytes, 0.5),
            percentile(&mut bytes, 0.95),
            of(0.5),
            of(0.95),
            more.iter().sum::<i64>() / more.len() as i64,
        );
    }
}
