//! The ranking, pinned: answers of a stored bundle, with every intermediate value of their scores.
//!
//! After a change that is meant to change answers, `UPDATE=1 cargo test -p knarr --test it golden` writes the bundle and
//! the answers again; the difference is then there to read. The bundle is stored because eigenvectors may differ in a
//! last bit between families of processors; what a fresh build answers by words alone is compared, too. So are the answers
//! by words and by the graph over the handbooks of `tests/corpora`, whose pages are longer and more alike.

use crate::support::{self, Script};
use knarr::Knarr;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::FindOptions;
use knarr::indexer::BuildOptions;
use knarr::indexer::input::InputOptions;
use pollster::block_on;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Questions with their options. Between them they take every step of the ranking.
const QUESTIONS: &[(&str, &str)] = &[
    // Names, titles, codes.
    ("Error H027", "{}"),
    ("h012", "{}"),
    ("Keep clocks in step", "{}"),
    ("harbour backup", "{}"),
    ("Configuration", "{}"),
    ("sample_rate", "{}"),
    ("--verbose", "{}"),
    // Questions.
    ("how do I install the gateway on a new computer?", "{}"),
    (
        "what should I do when the clock of a cheap sensor drifts by several seconds every day?",
        "{}",
    ),
    (
        "where are the readings kept and how can I restore them",
        "{}",
    ),
    ("why does a sensor not answer", "{}"),
    ("which ports does it listen on", "{}"),
    // Half words and mistakes.
    ("keep clo", "{}"),
    ("conf", "{}"),
    ("instal the gatewya", "{}"),
    ("restroe a bakcup", "{}"),
    ("synchronise clokcs", "{}"),
    ("senso", r#"{"prefix": false}"#),
    // Other languages, repeated words, nothing of the kind.
    ("时钟", r#"{"lang": "*"}"#),
    ("安装网关", r#"{"lang": "zh"}"#),
    ("Häufige Fragen", r#"{"lang": "de"}"#),
    ("clock clock sensor", "{}"),
    ("the king of France and the treaty with Spain", "{}"),
    // Legs and weights.
    ("keep time on sensors", r#"{"alpha": 0}"#),
    ("keep time on sensors", r#"{"alpha": 1}"#),
    ("keep time on sensors", r#"{"alpha": 0.7}"#),
    // Walks.
    ("install a sensor", r#"{"mode": "quick"}"#),
    ("install a sensor", r#"{"mode": "thinking"}"#),
    (
        "install a sensor",
        r#"{"mode": "thinking", "preset": "classic", "level": [0, 1, 2]}"#,
    ),
    (
        "install a sensor",
        r#"{"mode": "thinking", "preset": "current", "level": [0, 1, 2]}"#,
    ),
    ("errors", r#"{"level": [0, 1]}"#),
    (
        "errors of the gateway",
        r#"{"target_uri": "viking://resources/docs/reference"}"#,
    ),
    // The graph.
    ("gateway and sensor", r#"{"graph": 0.4}"#),
    ("what does Harbour need", r#"{"graph": 1}"#),
    // Onyx's choices.
    (
        "restore a backup",
        r#"{"hybrid": {"scoring": "two_field"}}"#,
    ),
    (
        "restore a backup",
        r#"{"hybrid": {"scoring": "two_field", "title_ratio": 0.4}}"#,
    ),
    ("restore a backup", r#"{"hybrid": {"keyword": "parts"}}"#),
    ("restore a backup", r#"{"hybrid": {"alpha": "auto"}}"#),
    (
        "restore a backup",
        r#"{"hybrid": {"expansions": {"semantic": ["bring readings back"], "keywords": ["recover"]}}}"#,
    ),
    (
        "restore a backup",
        r#"{"hybrid": {"expansions": {"rephrase": "bring readings back", "style": "conversation", "merge": "best"}}}"#,
    ),
    (
        "install the gateway",
        r#"{"hybrid": {"recency": 0.5}, "now": 1790000000000}"#,
    ),
    (
        "install the gateway",
        r#"{"hybrid": {"small_chunks": true}}"#,
    ),
    ("install the gateway", r#"{"hybrid": {"context": true}}"#),
    ("install the gateway", r#"{"score_threshold": 0.5}"#),
    // Words that no page has: by their meaning alone there are answers from a similarity on, and none below.
    ("family", "{}"),
    ("device", "{}"),
    ("device", r#"{"alpha": 0.7}"#),
];

/// Questions about the handbooks, by words and by the graph: their answers depend on no eigenvector.
const HANDBOOK_QUESTIONS: &[(&str, &str)] = &[
    // Headings, some with one word more.
    ("Rule of twelfths", "{}"),
    ("warming up the deck oven", "{}"),
    ("Afterwards", "{}"),
    ("Emergency rotation", "{}"),
    // Questions with many function words.
    ("who gives way to whom when two of us meet at night", "{}"),
    ("how long before I am due must I phone when I am ill", "{}"),
    (
        "what is the least depth at the bar and when may I cross it",
        "{}",
    ),
    ("is it the one or is it the other", "{}"),
    // Identifiers, whole and in pieces.
    ("private_key_jwt", "{}"),
    ("vaultctl stage-key", "{}"),
    ("key private_key_jwt", "{}"),
    // Mistakes: one of several nearest words, two in a long word, a compound.
    ("the sals of a dighny", "{}"),
    ("shart of the bax ", "{}"),
    ("hypothremia tretment", "{}"),
    ("certifcate of competnece", "{}"),
    ("revocatoin of a tokne", "{}"),
    // Half words, repeated words, words of several handbooks.
    ("night wat", "{}"),
    ("secret leaked secret secret", "{}"),
    ("opening and closing", "{}"),
    ("时间表 tides", "{}"),
    // Walks, levels, places.
    ("rota", r#"{"level": [0, 1, 2]}"#),
    ("who may use it", r#"{"mode": "thinking", "limit": 4}"#),
    (
        "who may use it",
        r#"{"mode": "thinking", "preset": "classic", "level": [0, 1, 2], "limit": 4}"#,
    ),
    (
        "cleaning",
        r#"{"target_uri": "viking://resources/docs/sailing", "limit": 20}"#,
    ),
    // The graph: people, products, a name of two words and its halves.
    ("Ines", r#"{"graph": 0.4}"#),
    ("what does Keyring do for Larkfield", r#"{"graph": 0.3}"#),
    ("Identity and Platform", r#"{"graph": 0.7}"#),
    (
        "which company is Larkfield",
        r#"{"graph": 0.5, "hybrid": {"graph_rules": "as_is"}}"#,
    ),
    // Passages within a budget.
    (
        "flares and the radio",
        r#"{"hybrid": {"context": {"token_budget": 600}}}"#,
    ),
];

/// Questions about letters of a few people, by words and by the graph: names, halves of names, and who is reached over others.
const LETTER_QUESTIONS: &[(&str, &str)] = &[
    ("Wolfgang Schulz", r#"{"graph": 0.3}"#),
    (
        "what did Wolfgang write about Jennifer Moore",
        r#"{"graph": 0.4}"#,
    ),
    ("Haakon and Jennifer in Oslo", r#"{"graph": 0.8}"#),
    ("who sold the oven in Bergen", r#"{"graph": 0.4}"#),
    (
        "where is the oven of Jennifer",
        r#"{"graph": 0.4, "hybrid": {"graph_rules": "as_is"}}"#,
    ),
];

/// Two numbers are one where they differ by less.
const TOLERANCE: f64 = 1e-6;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn built() -> knarr::indexer::Built {
    support::corpus_with(BuildOptions {
        single_file: Some(true),
        graph: true,
        ..BuildOptions::default()
    })
}

fn options(json: &str) -> FindOptions {
    let value: Value = serde_json::from_str(json).expect("JSON");
    let mut options = FindOptions::read(&value).expect(json);
    options.explain = true;
    options
}

/// What is pinned of an answer: everything but texts.
fn pinned(result: &FindResult) -> Json {
    let rows = [&result.memories, &result.resources, &result.skills];
    let rows: Vec<Json> = rows.into_iter().flatten().map(|row| {
        let sections: Vec<Json> = row.sections.iter().map(|s| json!([s.anchor, s.score])).collect();
        json!({
            "uri": row.uri, "level": row.level, "score": row.score, "relevance": row.relevance, "weak": row.weak,
            "excerpt": row.excerpt.highlights, "sections": sections, "passages": row.passages.len(),
            "explain": row.explain,
        })
    }).collect();
    json!({ "rows": rows, "corrections": result.corrections, "skipped": result.skipped, "weak": result.weak })
}

/// Answers by words, or by words and meaning as the options have it.
fn answers(host: &Script, questions: &[(&str, &str)], by_words: bool) -> Vec<Json> {
    let bundle = block_on(Knarr::open(host)).expect("opened");
    let answer = |(question, given): &(&str, &str)| {
        let mut options = options(given);
        if by_words {
            options.alpha = Some(0.0);
        }
        let result = block_on(bundle.find(host, question, &options));
        let result = result.unwrap_or_else(|error| panic!("{question} {given}: {error}"));
        json!({ "question": question, "options": given, "answer": pinned(&result) })
    };
    questions.iter().map(answer).collect()
}

/// Compares answers with the approved ones in a file, or approves them.
fn check(name: &str, now: &[Json]) {
    let file = folder().join(name);
    if std::env::var_os("UPDATE").is_some() {
        let lines: Vec<String> = now.iter().map(Json::to_string).collect();
        std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    }
    let approved = std::fs::read_to_string(&file).expect("UPDATE=1 writes it");
    let approved: Vec<Json> = approved
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(approved.len(), now.len());
    let mut found = Vec::new();
    for (was, is) in approved.iter().zip(now) {
        differences(was["question"].as_str().unwrap(), was, is, &mut found);
    }
    let shown = &found[..found.len().min(40)];
    assert!(found.is_empty(), "{} differences: {shown:#?}", found.len());
}

/// Places where two values differ, as paths.
fn differences(path: &str, a: &Json, b: &Json, out: &mut Vec<String>) {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            if (x - y).abs() > TOLERANCE {
                out.push(format!("{path}: {x} is now {y}"));
            }
        }
        (Json::Array(x), Json::Array(y)) if x.len() == y.len() => {
            for (i, (x, y)) in x.iter().zip(y).enumerate() {
                differences(&format!("{path}[{i}]"), x, y, out);
            }
        }
        (Json::Object(x), Json::Object(y)) if x.keys().eq(y.keys()) => {
            for (name, x) in x {
                differences(&format!("{path}.{name}"), x, &y[name], out);
            }
        }
        _ if a == b => {}
        _ => out.push(format!("{path}: {a} is now {b}")),
    }
}

#[test]
fn answers_are_as_they_were_read_and_approved() {
    let bundle = folder().join("corpus.knarr");
    if std::env::var_os("UPDATE").is_some() {
        let files = built().files;
        assert_eq!(files.len(), 1, "one file");
        std::fs::write(&bundle, &files[0].1).unwrap();
    }
    let bytes = std::fs::read(&bundle).expect("UPDATE=1 writes it");
    let host = Script {
        files: [("index.knarr".to_owned(), bytes)].into(),
    };
    check("answers.jsonl", &answers(&host, QUESTIONS, false));
}

#[test]
fn handbooks_are_answered_by_words_and_by_the_graph_as_approved() {
    let build = BuildOptions {
        graph: true,
        ..BuildOptions::default()
    };
    let files = InputOptions {
        exclude: vec!["README.md".into()],
        ..InputOptions::default()
    };
    let built = support::folder_read("tests/corpora/handbooks", build, &files);
    assert!(built.files.len() > 1, "packs");
    let host = Script::of(built);
    check("handbooks.jsonl", &answers(&host, HANDBOOK_QUESTIONS, true));
}

#[test]
fn letters_are_answered_by_the_graph_as_approved() {
    let (host, _) = crate::connected::letters(true);
    check("letters.jsonl", &answers(&host, LETTER_QUESTIONS, true));
}

/// The indexer's side of the ranking: impacts, titles, headings and sections of a fresh build. Words do not depend on
/// eigenvectors.
#[test]
fn a_fresh_build_answers_by_words_as_the_stored_one() {
    let stored = std::fs::read(folder().join("corpus.knarr")).expect("UPDATE=1 writes it");
    let stored = Script {
        files: [("index.knarr".to_owned(), stored)].into(),
    };
    let fresh = Script::of(built());
    let [stored, fresh] = [stored, fresh].map(|host| {
        let bundle = block_on(Knarr::open(&host)).expect("opened");
        let answer = |(question, given): &(&str, &str)| {
            let options = FindOptions {
                alpha: Some(0.0),
                graph: None,
                ..options(given)
            };
            let result = block_on(bundle.find(&host, question, &options)).expect(question);
            pinned(&result)["rows"].clone()
        };
        QUESTIONS.iter().map(answer).collect::<Vec<Json>>()
    });
    let mut found = Vec::new();
    for ((question, _), (was, is)) in QUESTIONS.iter().zip(stored.iter().zip(&fresh)) {
        differences(question, was, is, &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}
