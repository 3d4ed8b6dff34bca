//! Questions that share no content word with their answer, over three small handbooks: the meaning of words alone.
//!
//! The set and its halves are described in `tests/corpora/handbooks/README.md`. The counts are what is reached; a
//! change that loses one is seen here, and one that wins raises its number.

use crate::support::{self, Script};
use knarr::Knarr;
use knarr::find::ask::options::FindOptions;
use knarr::indexer::BuildOptions;
use knarr::indexer::input::InputOptions;
use pollster::block_on;
use serde_json::Value;

/// Results that are looked at.
const DEPTH: usize = 3;

/// Questions with their answer among the first three.
fn n_found(alpha: Option<f32>) -> usize {
    let questions = include_str!("../corpora/handbooks/questions.jsonl").lines();
    let questions: Vec<Value> = questions
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(questions.len(), 40);
    let options = FindOptions {
        alpha,
        limit: DEPTH,
        ..FindOptions::default()
    };
    let mut n_found = 0;
    for handbook in ["oauth", "bakery", "sailing"] {
        let folder = format!("tests/corpora/handbooks/{handbook}");
        let build = BuildOptions {
            general_words: Some(usize::MAX),
            ..BuildOptions::default()
        };
        let host = Script::of(support::folder_read(
            &folder,
            build,
            &InputOptions::default(),
        ));
        let bundle = block_on(Knarr::open(&host)).unwrap();
        for question in questions.iter().filter(|q| q["handbook"] == handbook) {
            let query = question["query"].as_str().unwrap();
            let found = block_on(bundle.find(&host, query, &options)).unwrap();
            let page = question["relevant"][0].as_str().unwrap();
            let (_, page) = page.split_at(handbook.len());
            n_found += usize::from(found.resources.iter().any(|r| r.uri.ends_with(page)));
        }
    }
    n_found
}

#[test]
fn questions_in_other_words_find_their_pages() {
    assert_eq!((n_found(None), n_found(Some(1.0))), (23, 25));
}

#[test]
fn without_the_files_beside_it_an_index_answers_and_says_what_it_lacked() {
    let build = BuildOptions {
        general_words: Some(usize::MAX),
        ..BuildOptions::default()
    };
    let folder = "tests/corpora/handbooks/oauth";
    let mut host = Script::of(support::folder_read(
        folder,
        build,
        &InputOptions::default(),
    ));
    let skipped = |host: &Script, bundle: &Knarr, query: &str| -> Vec<String> {
        let found = block_on(bundle.find(host, query, &FindOptions::default())).unwrap();
        assert!(found.total > 0, "{query}");
        found.skipped.into_iter().map(|skip| skip.reason).collect()
    };
    let (lacking, own) = (
        "television authorization keyboard",
        "authorization server token",
    );
    let complete = block_on(Knarr::open(&host)).unwrap();
    assert_eq!(skipped(&host, &complete, lacking), [""; 0]);
    host.files.retain(|name, _| name == "index.knarr");
    let alone = block_on(Knarr::open(&host)).unwrap();
    let untold = "words that the site lacks: their files are not beside the index";
    for _ in 0..2 {
        assert_eq!(skipped(&host, &alone, lacking), [untold]);
        assert_eq!(skipped(&host, &alone, own), [""; 0]);
    }
    // Other parts are missed as ever.
    let packs = BuildOptions {
        single_file: Some(false),
        ..BuildOptions::default()
    };
    let mut host = Script::of(support::folder_read(
        folder,
        packs,
        &InputOptions::default(),
    ));
    host.files.retain(|name, _| name == "index.knarr");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let failed = block_on(bundle.find(&host, own, &FindOptions::default())).unwrap_err();
    assert_eq!(failed.kind(), knarr::ErrorKind::BundleMissing);
}
