//! Pages of one list: put together they are the long answer, in every mode, and no result is on two of them.

use crate::support::{self, Random, Script};
use knarr::Knarr;
use knarr::find::answer::result::{FindResult, MatchedContext};
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use pollster::block_on;
use serde_json::{Value, json};

const WORDS: [&str; 24] = [
    "harbour", "light", "ship", "wind", "berth", "rope", "anchor", "Oslo", "Bergen", "keeper",
    "tide", "crane", "pilot", "buoy", "chart", "storm", "signal", "mooring", "cargo", "engine",
    "ballast", "compass", "radio", "voyage",
];
const PEOPLE: [&str; 4] = [
    "Wolfgang Schulz",
    "Jennifer Moore",
    "Haakon Steen",
    "Ingrid Dahl",
];

/// A hundred and eighty pages of chance words in folders of chance depth.
fn logbook(single_file: bool) -> (Script, Knarr) {
    let mut random = Random(0x9a6e5);
    let mut builder = Builder::new(BuildOptions {
        single_file: Some(single_file),
        graph: true,
        ..BuildOptions::default()
    })
    .unwrap();
    for page in 0..180 {
        let folder = ["", "a/", "a/b/", "a/b/c/", "d/", "d/e/"][random.below(6)];
        let mut text = format!("{} met {}. ", PEOPLE[page % 4], PEOPLE[random.below(4)]);
        for _ in 0..10 + random.below(60) {
            text += WORDS[random.below(WORDS.len())];
            text += " ";
        }
        builder
            .add(Document {
                path: format!("{folder}page{page}.md"),
                title: format!("{} {}", WORDS[random.below(WORDS.len())], page),
                updated_at: Some(1_700_000_000 + random.below(90_000_000) as i64),
                weight: 1.0,
                sections: vec![DocumentSection {
                    text,
                    weight: 1.0,
                    ..DocumentSection::default()
                }],
                ..Document::default()
            })
            .unwrap();
    }
    support::opened(builder)
}

fn rows(result: FindResult) -> Vec<MatchedContext> {
    let mut rows = [result.memories, result.resources, result.skills].concat();
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    rows
}

fn find(bundle: &(Script, Knarr), query: &str, options: &FindOptions) -> Vec<MatchedContext> {
    rows(block_on(bundle.1.find(&bundle.0, query, options)).unwrap())
}

/// All pages of `limit` results, until one is short.
fn pages(
    bundle: &(Script, Knarr),
    query: &str,
    options: &FindOptions,
    limit: usize,
) -> Vec<MatchedContext> {
    let mut all = Vec::new();
    for page in 0.. {
        let options = options.clone().limit(limit).offset(page * limit);
        let rows = find(bundle, query, &options);
        all.extend(rows.iter().cloned());
        if rows.len() < limit {
            return all;
        }
    }
    unreachable!("a bundle has an end")
}

/// What a page shows of a result, without the parts that are shared out among a page's results.
fn shown(rows: &[MatchedContext]) -> Vec<(String, u8, String, usize, String)> {
    let shown = rows.iter().map(|row| {
        let excerpt = row.excerpt.text.clone();
        let score = row.score.to_string();
        (row.uri.clone(), row.level, score, row.also.len(), excerpt)
    });
    let mut shown: Vec<_> = shown.collect();
    // Equal scores have no order of their own across pages and lists of types.
    shown.sort();
    shown
}

fn hybrid(value: Value) -> FindOptions {
    FindOptions {
        hybrid: serde_json::from_value(value).unwrap(),
        now: Some(1_800_000_000_000),
        ..FindOptions::default()
    }
}

/// Ways of asking whose list is the same for every length of a page.
fn ways() -> Vec<FindOptions> {
    let base = FindOptions::default;
    let levels = serde_json::from_value(json!("0,1,2")).unwrap();
    vec![
        base(),
        base().mode(Mode::Quick),
        base().mode(Mode::Thinking),
        base().alpha(0.0),
        base().alpha(1.0),
        base().graph(0.4),
        base().graph(0.4).mode(Mode::Quick),
        base().score_threshold(0.2),
        FindOptions {
            level: levels,
            ..base()
        },
        base().hotness_weight(0.3).now(1_800_000_000_000),
        hybrid(json!({"recency": 0.5, "small_chunks": true})),
        hybrid(json!({"expansions": {"semantic": ["wind and tide"], "keywords": ["rope"]}})),
        hybrid(json!({"keyword": "parts", "profile": "keyword"})),
    ]
}

const QUESTIONS: [&str; 3] = ["harbour light", "What did Jennifer Moore carry?", "stor"];

#[test]
fn pages_put_together_are_the_long_answer() {
    for single_file in [true, false] {
        let bundle = logbook(single_file);
        for options in ways() {
            for question in QUESTIONS {
                let long = find(&bundle, question, &options.clone().limit(1000));
                // A threshold may leave nothing of a question that nothing answers.
                let is_long = long.len() > 20 || options.score_threshold.is_some();
                assert!(is_long, "{question}: {}", long.len());
                for limit in [10, 23] {
                    let pages = pages(&bundle, question, &options, limit);
                    assert_eq!(
                        shown(&pages),
                        shown(&long),
                        "{question} {limit} {options:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn pages_of_one_size_never_repeat_a_result() {
    let bundle = logbook(false);
    let mut ways = ways();
    for preset in [Preset::Classic, Preset::ClassicLeaves, Preset::Current] {
        let walk = FindOptions::default().mode(Mode::Thinking);
        ways.push(walk.preset(preset));
    }
    ways.push(hybrid(json!({"scoring": "two_field"})));
    for options in ways {
        for limit in [3, 7] {
            let all = pages(&bundle, QUESTIONS[0], &options, limit);
            let mut uris: Vec<_> = all.iter().map(|row| (&row.uri, row.level)).collect();
            uris.sort();
            uris.dedup();
            assert_eq!(uris.len(), all.len(), "{options:?}");
            let scores: Vec<f32> = all.iter().map(|row| row.score).collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{options:?}");
            let first = find(&bundle, QUESTIONS[0], &options.clone().limit(limit));
            assert_eq!(first[..], all[..first.len()], "{options:?}");
        }
    }
}

#[test]
fn translations_stay_with_the_row_that_stands_for_them() {
    let host = support::two_languages();
    let knarr = block_on(Knarr::open(&host)).unwrap();
    let bundle = (host, knarr);
    let any = || OneOrMany::Many(vec!["*".to_owned()]);
    for alpha in [0.0, 0.5] {
        let options = FindOptions {
            lang: any(),
            version: any(),
            ..FindOptions::default().alpha(alpha)
        };
        let long = find(
            &bundle,
            "gateway battery install",
            &options.clone().limit(100),
        );
        assert!(long.iter().any(|row| !row.also.is_empty()));
        let one_by_one = pages(&bundle, "gateway battery install", &options, 1);
        assert_eq!(shown(&one_by_one), shown(&long));
        let urls = |rows: &[MatchedContext]| -> Vec<_> {
            let mut urls: Vec<_> = rows
                .iter()
                .map(|r| (r.url.clone(), r.also.clone()))
                .collect();
            urls.sort_by(|a, b| a.0.cmp(&b.0));
            urls
        };
        assert_eq!(urls(&one_by_one), urls(&long));
    }
}

#[test]
fn a_page_after_the_last_is_empty_and_counts_nothing() {
    let bundle = logbook(true);
    for offset in [10_000, u32::MAX as usize] {
        let options = FindOptions::default().offset(offset);
        let found = block_on(bundle.1.find(&bundle.0, "harbour", &options)).unwrap();
        assert_eq!((found.total, rows(found).len()), (0, 0));
    }
}
