//! Hotness through `find`: the published closed form, in every mode, and never on by itself.

use crate::support::{Script, opened};
use knarr::find::answer::result::MatchedContext;
use knarr::find::ask::options::{FindOptions, Mode};
use knarr::indexer::{BuildOptions, Builder, Document};
use knarr::{Error, Knarr};
use pollster::block_on;
use serde_json::json;

const NOW: i64 = 1_800_000_000;
const DAY: i64 = 86_400;

/// Uses and age in days of each page; `None`: no time.
const PAGES: [(&str, u64, Option<i64>); 5] = [
    ("best.md", 0, Some(400)),
    ("old.md", 50, Some(70)),
    ("hot.md", 8, Some(0)),
    ("week.md", 0, Some(7)),
    ("timeless.md", 1000, None),
];

fn pages() -> (Script, Knarr) {
    let mut builder = Builder::new(BuildOptions::default()).unwrap();
    for (path, active_count, age) in PAGES {
        let times = if path == "best.md" { 3 } else { 1 };
        builder
            .add(Document {
                active_count,
                updated_at: age.map(|days| NOW - days * DAY),
                ..Document::new(path, path, "The beacon is lit. ".repeat(times) + path)
            })
            .unwrap();
    }
    opened(builder)
}

fn find(bundle: &(Script, Knarr), options: &FindOptions) -> Result<Vec<MatchedContext>, Error> {
    Ok(block_on(bundle.1.find(&bundle.0, "beacon", options))?.resources)
}

fn named<'r>(rows: &'r [MatchedContext], name: &str) -> &'r MatchedContext {
    rows.iter().find(|row| row.uri.ends_with(name)).expect(name)
}

#[test]
fn the_score_is_the_mix_of_relevance_and_the_closed_form() {
    let bundle = pages();
    for mode in [Mode::Quick, Mode::Thinking] {
        let base = FindOptions::default()
            .mode(mode)
            .now(NOW * 1000)
            .explain(true);
        let cold = find(&bundle, &base).unwrap();
        assert_eq!(cold.len(), PAGES.len());
        assert!(
            cold.iter()
                .all(|row| row.explain.as_ref().unwrap().hotness.is_none())
        );
        for weight in [0.2, 1.0] {
            let rows = find(&bundle, &base.clone().hotness_weight(weight)).unwrap();
            for (name, used, age) in PAGES {
                let used = used as f32;
                let fresh = |days: i64| 0.5f32.powf(days as f32 / 7.0);
                let hotness = age.map_or(0.0, |days| (used + 1.0) / (used + 2.0) * fresh(days));
                let row = named(&rows, name);
                let told = row.explain.as_ref().unwrap().hotness.unwrap();
                assert!((told - hotness).abs() < 1e-6, "{name}: {told} {hotness}");
                let mix = (1.0 - weight) * named(&cold, name).score + weight * hotness;
                assert!(
                    (row.score - mix).abs() < 1e-6,
                    "{name}: {} {mix}",
                    row.score
                );
            }
            assert!(rows.is_sorted_by(|a, b| a.score >= b.score));
        }
        let hottest = find(&bundle, &base.clone().hotness_weight(1.0).limit(1)).unwrap();
        assert!(hottest[0].uri.ends_with("hot.md"), "{}", hottest[0].uri);
    }
}

#[test]
fn it_is_off_by_default_and_bad_weights_are_refused() {
    let bundle = pages();
    let plain = find(&bundle, &FindOptions::default()).unwrap();
    assert_eq!(
        plain,
        find(&bundle, &FindOptions::default().now(NOW * 1000)).unwrap()
    );
    for options in [
        FindOptions::default().hotness_weight(0.2),
        FindOptions::default().hotness_weight(1.1).now(1),
        FindOptions::default().hotness_weight(-0.1).now(1),
        FindOptions::default().hotness_weight(f32::NAN).now(1),
    ] {
        assert_eq!(
            find(&bundle, &options).unwrap_err().code(),
            "INVALID_ARGUMENT"
        );
    }
}

#[test]
fn uses_can_be_filtered() {
    let bundle = pages();
    let filter = json!({"op": "range", "field": "active_count", "gte": 8, "lt": 1000});
    let options = FindOptions {
        filter: serde_json::from_value(filter).unwrap(),
        ..FindOptions::default()
    };
    let mut found: Vec<String> = find(&bundle, &options)
        .unwrap()
        .into_iter()
        .map(|r| r.title)
        .collect();
    found.sort();
    assert_eq!(found, ["hot.md", "old.md"]);
}
