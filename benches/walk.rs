//! Bytes and dependent rounds of first questions against nDCG@10: flat search, the published walks, and a walk that
//! decides what is fetched.
//!
//! ```sh
//! cargo bench --bench walk -- BUNDLE QUERIES.jsonl… [--queries 40]
//! ```
//!
//! The deciding walk chooses directories by their abstracts and overviews, whose vectors are in the head, and searches
//! only in the best of them. Its choice counts as free: the figures are the least that such a walk costs. Every question
//! opens the bundle anew; counted is what follows the head. Of each file of queries, every second one is asked (half b).

mod counting;

use counting::{Counting, percentile, waited};
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use knarr::{FindResult, Knarr};
use serde_json::Value as Json;

const PLACES: usize = 10;

struct Query {
    text: String,
    relevant: Vec<String>,
    exclude: Vec<String>,
}

fn queries(file: &str, limit: usize) -> Vec<Query> {
    let text = std::fs::read_to_string(file).expect(file);
    let strings = |value: &Json| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let rows = text.lines().map(|line| -> Query {
        let row: Json = serde_json::from_str(line).expect("a line of JSON");
        Query {
            text: row["query"].as_str().expect("a query").to_owned(),
            relevant: strings(&row["relevant"]),
            exclude: strings(&row["exclude"]),
        }
    });
    rows.skip(1).step_by(2).take(limit).collect()
}

/// The page of a result as the judgements name it.
fn page(uri: &str) -> String {
    let path = uri.splitn(5, '/').nth(4).unwrap_or_default();
    format!("/{}/", path.trim_end_matches(".md"))
}

fn ndcg(found: &FindResult, query: &Query) -> f64 {
    let pages = found.resources.iter().map(|row| page(&row.uri));
    let pages = pages
        .filter(|page| !query.exclude.contains(page))
        .take(PLACES);
    let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let got = pages.enumerate();
    let got: f64 = got
        .map(|(place, page)| {
            if query.relevant.contains(&page) {
                gain(place)
            } else {
                0.0
            }
        })
        .sum();
    let best: f64 = (0..query.relevant.len().min(PLACES)).map(gain).sum();
    got / best
}

/// One way to ask.
struct Way {
    name: String,
    options: FindOptions,
    /// Directories that are searched; `None`: all.
    directories: Option<usize>,
}

fn ways() -> Vec<Way> {
    let walk = |preset| FindOptions {
        mode: Mode::Thinking,
        preset,
        ..FindOptions::default()
    };
    let flat = || FindOptions {
        mode: Mode::Quick,
        ..FindOptions::default()
    };
    let way = |name: &str, options| Way {
        name: name.to_owned(),
        options,
        directories: None,
    };
    let mut ways = vec![
        way("flat, words only", flat().alpha(0.0)),
        way("flat", flat()),
        way("classic", walk(Preset::Classic)),
        way("classic+leaves", walk(Preset::ClassicLeaves)),
        way("current", walk(Preset::Current)),
    ];
    ways.extend([1, 2, 4, 8, 16, 32].map(|n| Way {
        name: format!("deciding, {n} directories"),
        options: flat(),
        directories: Some(n),
    }));
    ways
}

/// Directories that hold everything: choosing them decides nothing.
const ROOTS: usize = 3;

/// The directories most like a question, best first.
fn directories(chooser: &Knarr, host: &Counting, text: &str, n: usize) -> Vec<String> {
    let options = FindOptions {
        level: Value::from(&[0, 1][..]),
        mode: Mode::Quick,
        excerpts: false,
        limit: n + ROOTS,
        ..FindOptions::default()
    };
    let found = waited(chooser.find(host, text, &options))
        .0
        .expect("an answer");
    let bare = |uri: &str| {
        uri.rsplit_once('/')
            .map_or(uri, |(bare, _)| bare)
            .to_owned()
    };
    let all = found.resources.iter().map(|row| bare(&row.uri));
    let below = all.filter(|uri| uri.matches('/').count() > ROOTS);
    below.take(n).collect()
}

fn main() {
    let mut given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let mut limit = usize::MAX;
    if let Some(at) = given.iter().position(|word| word == "--queries") {
        limit = given[at + 1].parse().expect("a number");
        given.drain(at..at + 2);
    }
    let Some((bundle, files)) = given.split_first() else {
        return;
    };
    let host = Counting::new(bundle);
    let chooser = waited(Knarr::open(&host)).0.expect("a bundle");
    let queries: Vec<Query> = files.iter().flat_map(|file| queries(file, limit)).collect();
    println!("{} queries\n", queries.len());
    println!(
        "| way | nDCG@{PLACES} | kB p50 | kB p95 | requests p50 | rounds p50 |\n|---|--:|--:|--:|--:|--:|"
    );
    for way in ways() {
        let (mut sum, mut bytes, mut requests, mut rounds) = (0.0, vec![], vec![], vec![]);
        for query in &queries {
            let mut options = way.options.clone();
            if let Some(n) = way.directories {
                options.target_uri = OneOrMany::Many(directories(&chooser, &host, &query.text, n));
            }
            let bundle = waited(Knarr::open(&host)).0.expect("a bundle");
            host.reset();
            let (found, waits) = waited(bundle.find(&host, &query.text, &options));
            sum += ndcg(&found.expect("an answer"), query);
            bytes.push(host.bytes.get());
            requests.push(host.asked.borrow().len() as u64);
            rounds.push(u64::from(waits));
        }
        println!(
            "| {} | {:.3} | {:.0} | {:.0} | {} | {} |",
            way.name,
            sum / queries.len() as f64,
            percentile(&mut bytes, 0.5) as f64 / 1e3,
            percentile(&mut bytes, 0.95) as f64 / 1e3,
            percentile(&mut requests, 0.5),
            percentile(&mut rounds, 0.5),
        );
    }
}
