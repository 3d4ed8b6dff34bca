//! `knarr eval`, and the JSON lines that labelled sets come in.

use super::{Site, knarr, ok};
use std::path::Path;

/// Words that stand in one page each, so that every configuration finds it first.
const QUERIES: &str = r#"{"query": "H012", "relevant": ["/reference/errors/h012/"]}
{"query": "newsletter H027", "relevant": ["/reference/errors/h027/"]}
{"query": "Quarze", "relevant": ["/de/fragen/"]}
"#;

#[test]
fn pages_are_found_by_their_address() {
    let site = Site::new();
    let file = site.write("queries.jsonl", QUERIES);
    let runs = ok(["eval", &site.bundle(), &file, "--json"]).json();
    let run = &runs[0];
    assert_eq!(
        (&run["queries"], &run["zero_results"]),
        (&3.into(), &0.into())
    );
    for measure in ["ndcg", "recall", "mrr", "mrr_at_k"] {
        assert_eq!(run["mean"][measure], 1.0, "{measure}: {run}");
    }
    let precision = run["mean"]["precision"].as_f64().expect("a number");
    assert!(
        (precision - 0.1).abs() < 1e-9,
        "one relevant page in ten places: {precision}"
    );
    assert_eq!(run["per_query"][0]["top"][0], "reference/errors/h012");
}

#[test]
fn judged_pages_that_are_not_there_are_told() {
    let site = Site::new();
    let lines = r#"{"query": "H012", "relevant": ["/reference/errors/h012/", "/a/", "/b/"]}
{"query": "H027", "relevant": {"/a/": 1, "/c/": 2, "/d/": 1, "/e/": 0}}
"#;
    let file = site.write("queries.jsonl", lines);
    let ended = ok(["eval", &site.bundle(), &file, "--json"]);
    let said = "warning: judged pages that are not in the bundle: 4 (such as a, b, c); they count as not found\n";
    assert_eq!(ended.err, said);
    let absent = serde_json::json!({"pages": 4, "first": ["a", "b", "c"]});
    assert_eq!(ended.json()[0]["absent"], absent);
    let file = site.write("all.jsonl", QUERIES);
    assert_eq!(ok(["eval", &site.bundle(), &file]).err, "");
}

#[test]
fn every_configuration_gets_a_row_and_a_half_is_half() {
    let site = Site::new();
    let file = site.write("queries.jsonl", QUERIES);
    let arguments = [
        "--alpha",
        "0,0.5",
        "--mode",
        "quick,thinking",
        "--half",
        "a",
    ];
    let runs = ok(["eval", &site.bundle(), &file, "--json"]
        .into_iter()
        .chain(arguments))
    .json();
    let rows: Vec<_> = runs
        .as_array()
        .expect("a list")
        .iter()
        .map(|run| {
            (
                run["mode"].as_str().expect("a mode"),
                run["alpha"].as_f64(),
                run["queries"].as_u64(),
            )
        })
        .collect();
    let expected = [
        ("quick", 0.0),
        ("quick", 0.5),
        ("thinking", 0.0),
        ("thinking", 0.5),
    ];
    assert_eq!(
        rows,
        expected.map(|(mode, alpha)| (mode, Some(alpha), Some(2)))
    );
    let table = ok(["eval", &site.bundle(), &file].into_iter().chain(arguments)).out;
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.starts_with("mode"), "{table}");
}

#[test]
fn json_lines_become_documents_that_judgements_name_by_id() {
    let site = Site::new();
    let corpus = site.write(
        "corpus.jsonl",
        r##"{"id": "Keel#1", "title": "Keel", "text": "The keel is laid first."}
{"id": "/docs/mast/", "title": "Mast", "text": "The mast carries one square sail.", "path": "/docs/mast/"}
{"id": "/docs/mast/step/", "title": "", "text": "A mast stands in its step."}
{"id": "20260105", "title": "", "text": "Oars are shipped at the stern.", "path": "week1/20260105.txt"}
{"id": "title-only", "title": "Strakes overlap", "text": ""}
{"id": "nothing", "title": "", "text": " "}
"##,
    );
    let built = ok(["build", &corpus, "--out", &site.path("jsonl"), "--json"]).json();
    assert_eq!(
        (&built["name"], &built["files"]),
        (&"corpus".into(), &5.into())
    );
    assert_eq!(built["skipped"]["empty"], 1);
    let queries = site.write(
        "queries.jsonl",
        r#"{"id": "a", "text": "keel laid"}
{"id": "b", "text": "square sail mast", "exclude": ["/docs/mast/step/"]}
{"id": "c", "text": "oars stern"}
{"id": "d", "text": "strakes overlap"}
{"id": "null", "text": "keel"}
"#,
    );
    let qrels = site.write(
        "qrels.tsv",
        "query\tdoc\tgrade\na\tKeel#1\t2\nb\t/docs/mast/\t1\nc\t20260105\t1\nd\ttitle-only\t1\n",
    );
    let runs = ok([
        "eval",
        &site.path("jsonl"),
        &queries,
        "--qrels",
        &qrels,
        "--json",
    ])
    .json();
    let rows = runs[0]["per_query"].as_array().expect("a list");
    for row in &rows[..4] {
        assert_eq!(row["ndcg"], 1.0, "{row}");
    }
    assert_eq!(
        rows[4]["ndcg"],
        serde_json::Value::Null,
        "nothing is relevant: undefined"
    );
    assert_eq!(
        runs[0]["mean"]["ndcg"], 1.0,
        "the undefined one is left out of the mean"
    );
    let excluded = rows[1]["top"].as_array().expect("a list");
    assert!(!excluded.contains(&"docs/mast/step".into()), "{excluded:?}");
}

#[test]
fn queries_without_judgements_are_refused() {
    let site = Site::new();
    let file = site.write("queries.jsonl", "{\"id\": \"a\", \"text\": \"clock\"}\n");
    let ended = knarr(["eval", &site.bundle(), &file]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("--qrels"), "{}", ended.err);
}

/// Relevance on fixed data is exact, so it is a test: a change that moves one of these figures is one to look at.
#[test]
fn labeled_sets_are_answered_as_measured_where_they_are_at_hand() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    for (set, ndcg) in [
        ("lihua-world", 0.8684),
        ("otel-desc", 0.7643),
        ("cranfield", 0.3767),
    ] {
        let folder = data.join(set);
        if !folder.is_dir() {
            continue;
        }
        let file = |name: &str| folder.join(name).display().to_string();
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let bundle = scratch.path().join("bundle").display().to_string();
        ok(["build", &file("corpus.jsonl"), "--out", &bundle]);
        let (queries, qrels) = (file("queries.jsonl"), file("qrels.tsv"));
        let runs = ok(["eval", &bundle, &queries, "--qrels", &qrels, "--json"]).json();
        let measured = runs[0]["mean"]["ndcg"].as_f64().expect("a number");
        // Another family of processors may round a vector the other way.
        assert!(
            (measured - ndcg).abs() < 0.002,
            "{set}: nDCG@10 was {ndcg}, is {measured:.4}"
        );
    }
}

#[test]
fn the_relevance_tells_questions_apart() {
    let site = Site::new();
    let own = site.write("queries.jsonl", QUERIES);
    let other = site.write(
        "other.jsonl",
        "{\"text\": \"the treaty of the king of France with Spain\"}\n{\"text\": \"a recipe for chocolate cake\"}\n",
    );
    let told = ok([
        "eval",
        &site.bundle(),
        &own,
        "--off-topic",
        &other,
        "--json",
    ])
    .json();
    assert_eq!(told[0]["auroc"], 1.0, "{told}");
    assert_eq!(told[0]["refused"], serde_json::json!([0.0, 1.0]), "{told}");
    let table = ok(["eval", &site.bundle(), &own, "--off-topic", &other]).out;
    assert!(
        table.contains("AUROC") && table.contains("100.0 %"),
        "{table}"
    );
}
