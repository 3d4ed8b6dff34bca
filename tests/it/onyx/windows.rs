//! Windows of chunks, and the cache of results.

use super::{cases, number, numbers};
use crate::oracle::onyx::{merge_ranges, window};
use crate::vectors::{Names, list, text};
use knarr::engine::cache::{CacheKey, ResultCache};
use knarr::find::onyx::windows::{Section, build, merge};
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
fn cache_trace() {
    for case in cases("lru", 1) {
        let mut names: BTreeMap<CacheKey, String> = BTreeMap::new();
        let mut key = |name: &Value| {
            let mut key = CacheKey::new(0);
            key.text(text(name));
            names.insert(key.clone(), text(name).to_owned());
            key
        };
        let mut cache = ResultCache::new(number(&case["size"]) as usize);
        let mut trace = Vec::new();
        for op in list(&case["ops"]) {
            let key = key(&op[1]);
            if op[0] == "set" {
                let evicted = cache.set(key, number(&op[2]));
                trace.extend(evicted.map(|evicted| ("evict".to_owned(), evicted, None)));
            } else {
                trace.push(("get".to_owned(), key.clone(), cache.get(&key).copied()));
            }
        }
        let expected = list(&case["trace"]);
        assert_eq!(trace.len(), expected.len());
        for ((op, key, value), expected) in trace.iter().zip(&expected) {
            assert_eq!(
                (op.as_str(), names[key].as_str()),
                (text(&expected[0]), text(&expected[1]))
            );
            assert_eq!(
                *value,
                expected
                    .get(2)
                    .and_then(Value::as_u64)
                    .map(|value| value as u32)
            );
        }
        // New keys push the old ones out, the oldest first.
        let expected = list(&case["keys_oldest_first"]);
        let mut left = Vec::new();
        for place in 0..expected.len() {
            let mut fresh = CacheKey::new(1);
            fresh.text(&place.to_string());
            let evicted = cache.set(fresh, 0).expect("the cache is full");
            left.push(names[&evicted].as_str());
        }
        assert_eq!(left, expected.iter().map(text).collect::<Vec<_>>());
    }
}

fn assert_sections(got: &[Section], expected: &Value, names: &Names) {
    let expected = list(expected);
    assert_eq!(got.len(), expected.len());
    for (got, expected) in got.iter().zip(&expected) {
        assert_eq!(names.0[got.doc as usize], text(&expected["doc"]));
        assert_eq!(got.chunks, numbers(&expected["chunks"]));
        assert_eq!(got.centre, number(&expected["centre"]));
    }
}

#[test]
fn sections_and_ranges() {
    for case in cases("merge_neighbours", 3) {
        let mut names = Names::default();
        let hits: Vec<(u32, u32)> = list(&case["hits"])
            .iter()
            .map(|hit| (names.id(text(&hit[0])), number(&hit[1])))
            .collect();
        assert_sections(&build(&hits), &case["out"], &names);
    }
    for case in cases("merge_sections", 1) {
        let mut names = Names::default();
        let mut section = |value: &Value| Section {
            doc: names.id(text(&value["doc"])),
            chunks: numbers(&value["chunks"]),
            centre: number(&value["centre"]),
        };
        let sections: Vec<Section> = list(&case["in"]).iter().map(&mut section).collect();
        assert_sections(&merge(&sections), &case["out"], &names);
    }
    for case in cases("window", 6) {
        let section = Section {
            doc: 0,
            chunks: numbers(&case["chunks"]),
            centre: number(&case["centre"]),
        };
        assert_eq!(
            window(&section, number(&case["size"]) as usize),
            numbers(&case["out"])
        );
    }
    for case in cases("merge_ranges", 5) {
        let pairs = |value: &Value| -> Vec<(u32, u32)> {
            list(value)
                .iter()
                .map(|pair| (number(&pair[0]), number(&pair[1])))
                .collect()
        };
        assert_eq!(merge_ranges(&pairs(&case["in"])), pairs(&case["out"]));
    }
}
