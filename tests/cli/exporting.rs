//! `knarr export --to`: what engines load. The engines themselves are asked in tests/python/test_export.py.

use super::{Site, knarr, ok};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("written");
    let read = |line| serde_json::from_str(line).expect("a line of JSON");
    text.lines().map(read).collect()
}

/// The rows that Milvus gets, which have their vectors beside their fields.
fn rows(site: &Site, flags: &[&str]) -> Vec<Value> {
    let (bundle, out) = (site.bundle(), site.path("rows"));
    let all = [
        &["export", &bundle, "--to", "milvus", "--out", &out][..],
        flags,
    ]
    .concat();
    ok(all);
    lines(&Path::new(&out).join("rows.jsonl"))
}

#[test]
fn a_page_and_its_sections_are_rows_of_one_page() {
    let site = Site::new();
    let rows = rows(&site, &[]);
    let is_page = |row: &&Value| row["place"] == 0;
    let ids: HashSet<u64> = rows.iter().filter_map(|row| row["id"].as_u64()).collect();
    assert_eq!(ids.len(), rows.len());
    let uri = "viking://resources/harbour/guide/add-a-sensor.md";
    let page = rows.iter().find(|row| row["uri"] == uri).expect("the page");
    assert_eq!(page["page"], page["id"]);
    assert_eq!(page["title"], "Add a sensor");
    let parents = ["", "/harbour", "/harbour/guide"].map(|p| format!("viking://resources{p}"));
    assert_eq!(page["parents"], serde_json::json!(parents));
    assert_eq!(
        page["tags"],
        serde_json::json!(["area=guide", "level=beginner"])
    );
    let section = format!("{uri}#rename");
    let section = rows.iter().find(|row| row["uri"] == section).expect("it");
    assert_eq!(
        (&section["page"], &section["section"]),
        (&page["id"], &"Renaming".into())
    );
    assert!(
        section["text"]
            .as_str()
            .unwrap()
            .starts_with("harbour rename")
    );
    assert_eq!(section["url"], "guide/add-a-sensor.md#rename");
    let n = |row: &Value| row["sparse"].as_object().unwrap().len();
    assert!(n(section) < n(page) && n(section) > 0);
    let weights = rows
        .iter()
        .flat_map(|row| row["sparse"].as_object().unwrap().values());
    assert!(weights.map(|w| w.as_f64().unwrap()).all(|w| w > 0.0));
    let pages = self::rows(&site, &["--pages-only"]);
    assert_eq!(pages.len(), rows.iter().filter(is_page).count());
    assert!(pages.iter().all(|row| row["place"] == 0));
    let below = "viking://resources/harbour/guide";
    let guide = self::rows(&site, &["--uri", below]);
    assert!(!guide.is_empty() && guide.len() < rows.len());
    assert!(
        guide
            .iter()
            .all(|row| row["uri"].as_str().unwrap().starts_with(below))
    );
}

#[test]
fn every_engine_gets_the_same_bytes_each_time() {
    let site = Site::new();
    let bundle = site.bundle();
    for (engine, file) in [
        ("qdrant", "points.jsonl"),
        ("milvus", "rows.jsonl"),
        ("opensearch", "bulk.ndjson"),
        ("postgres", "words.sql"),
    ] {
        let (first, second) = (
            site.path(&format!("{engine}-a")),
            site.path(&format!("{engine}-b")),
        );
        let report = ok(["export", &bundle, "--to", engine, "--out", &first, "--json"]).json();
        ok([
            "export", &bundle, "--to", engine, "--out", &second, "--quiet",
        ]);
        let read = |folder: &str| fs::read_to_string(Path::new(folder).join(file)).expect("it");
        assert_eq!(read(&first), read(&second), "{engine}");
        let readme = fs::read_to_string(Path::new(&first).join("README.md")).expect("it");
        assert!(readme.contains(&format!("--to {engine}")), "{readme}");
        let words = lines(&Path::new(&first).join("dictionary.jsonl"));
        assert_eq!(report["words"], words.len());
    }
}

#[test]
fn a_question_names_words_by_the_numbers_of_the_dictionary() {
    let site = Site::new();
    let (bundle, out) = (site.bundle(), site.path("a"));
    ok([
        "export", &bundle, "--to", "qdrant", "--out", &out, "--quiet",
    ]);
    let words = lines(&Path::new(&out).join("dictionary.jsonl"));
    let id = |word: &str| {
        let has = |entry: &&Value| entry["words"].as_array().unwrap().iter().any(|w| w == word);
        words.iter().find(has).expect("the word")["id"].clone()
    };
    let ask = |flags: &[&str]| {
        let asked = [
            "export",
            &bundle,
            "--to",
            "qdrant",
            "--question",
            "rename sensors?",
        ];
        ok([&asked[..], flags].concat()).json()
    };
    let body = ask(&["--alpha", "0", "--limit", "3"]);
    let mut named = [id("rename"), id("sensor")];
    named.sort_by_key(Value::as_u64);
    assert_eq!(body["query"]["indices"], serde_json::json!(named));
    assert_eq!(
        (&body["limit"], &body["using"]),
        (&3.into(), &"sparse".into())
    );
    let length = |v: &Value| {
        let squares = v
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap().powi(2));
        squares.sum::<f64>()
    };
    assert!((length(&ask(&["--alpha", "1"])["query"]) - 1.0).abs() < 1e-3);
    assert_eq!(ask(&[])["prefetch"].as_array().unwrap().len(), 2);
}

#[test]
fn a_question_says_what_the_engine_is_not_asked() {
    let site = Site::new();
    let bundle = site.bundle();
    let said = |text: &str, more: &[&str]| {
        let asked = ["export", &bundle, "--to", "qdrant", "--question", text];
        ok([&asked[..], more].concat()).err
    };
    let told = said("rename \"a sensor\" -clock -\"the tides\"", &[]);
    let wanted = "the phrase \"a sensor\" is asked as its words: an engine holds words, not their order\n\
                  nothing is left out for -clock, -\"the tides\": the engine is asked for the other words alone\n";
    assert_eq!(told, wanted);
    assert_eq!(said("rename -clock", &["--quiet"]), "");
    assert_eq!(said("rename sensors", &[]), "");
}

#[test]
fn what_cannot_be_exported_is_said() {
    let site = Site::new();
    let bundle = site.bundle();
    let own = site.write("own/README.md", "# Mine\n");
    let own = Path::new(&own).parent().unwrap().to_str().unwrap();
    let (out, other) = (site.path("out"), site.path("other"));
    ok(["export", &bundle, "--to", "postgres", "--out", &other]);
    for (flags, message) in [
        (
            &["--to", "qdrant", "--out", &other][..],
            "is an export for PostgreSQL",
        ),
        (&["--to", "qdrant"], "--out FOLDER"),
        (
            &["--to", "qdrant", "--out", own],
            "README.md that would be overwritten",
        ),
        (
            &["--to", "qdrant", "--out", &out, "--name", "A-b"],
            "every engine",
        ),
        (
            &[
                "--to",
                "qdrant",
                "--out",
                &out,
                "--uri",
                "viking://resources/no",
            ],
            "not in this bundle",
        ),
        (
            &["--to", "qdrant", "--out", &out, "--uri", "guide"],
            "not a full uri",
        ),
        (
            &["--to", "qdrant", "--question", "sensor", "--limit", "0"],
            "one result at least",
        ),
        (&["--to", "qdrant", "--question", "?!"], "no word"),
        (&["--to", "redis", "--out", &out], "qdrant, milvus"),
        (&["--ovpack", &out, "--to", "qdrant"], "cannot be used"),
    ] {
        let said = knarr([&["export", &bundle][..], flags].concat());
        assert_ne!(said.code, 0, "{flags:?}");
        assert!(said.err.contains(message), "{flags:?}: {}", said.err);
    }
    assert_eq!(
        fs::read_to_string(Path::new(own).join("README.md")).unwrap(),
        "# Mine\n"
    );
}

#[test]
fn an_export_that_fails_keeps_the_one_before() {
    let site = Site::new();
    let (bundle, out) = (site.bundle(), site.path("rows"));
    let export = ["export", &bundle, "--to", "qdrant", "--out", &out];
    ok(export);
    let held = || {
        let mut files: Vec<_> = fs::read_dir(&out).unwrap().map(Result::unwrap).collect();
        files.sort_by_key(|file| file.file_name());
        let bytes = |file: &fs::DirEntry| fs::read(file.path()).unwrap();
        files
            .iter()
            .map(|file| (file.file_name(), bytes(file)))
            .collect::<Vec<_>>()
    };
    let before = held();
    // A disk that is full ends the export.
    #[cfg(unix)]
    {
        let limit = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let words = ["-c", limit, "sh", env!("CARGO_BIN_EXE_knarr")];
        let mut full = std::process::Command::new("sh");
        let full = full.args(words).args(export).arg("--pages-only").output();
        let said = String::from_utf8(full.unwrap().stderr).unwrap();
        assert!(said.starts_with("error[IO]: cannot write"), "{said}");
        assert!(held() == before);
    }
    assert_ne!(
        knarr(export.iter().chain(&["--uri", "viking://no"])).code,
        0
    );
    assert!(held() == before);
    ok(export);
    assert!(held() == before);
}

#[test]
fn tables_may_be_called_like_a_word_of_sql() {
    let site = Site::new();
    let (bundle, out) = (site.bundle(), site.path("rows"));
    let export = ["export", &bundle, "--to", "postgres", "--name", "order"];
    ok(export.iter().chain(&["--out", &out]));
    let asked = ok(export.iter().chain(&["--question", "sensor"])).out;
    let read = |file| fs::read_to_string(Path::new(&out).join(file)).unwrap();
    let first = |file| read(file).lines().next().unwrap().to_owned();
    let files = [
        read("schema.sql"),
        read("indexes.sql"),
        first("rows.sql"),
        first("words.sql"),
        asked,
    ];
    for sql in files {
        let named = sql.matches("\"order\"").count() + sql.matches("\"order_words\"").count();
        assert_eq!(sql.matches("order").count(), named, "{sql}");
        assert!(named > 0, "{sql}");
    }
}

#[test]
fn what_is_taken_from_a_bundle_is_not_written_over_it() {
    let site = Site::new();
    let folder = site.bundle();
    let head = Path::new(&folder).join("index.knarr");
    let head = head.to_str().unwrap();
    let uri = "viking://resources/harbour/guide/add-a-sensor.md";
    let before = fs::read(head).unwrap();
    for bundle in [&folder[..], head] {
        for command in [
            ["export", bundle, "--ovpack", head].to_vec(),
            ["download", bundle, uri, "--out", head].to_vec(),
        ] {
            let said = knarr(&command);
            assert_eq!(said.code, 2, "{command:?}");
            assert!(said.err.contains("the bundle itself"), "{}", said.err);
            assert!(fs::read(head).unwrap() == before);
        }
    }
    let beside = Path::new(&folder).join("back.ovpack");
    for _ in 0..2 {
        ok(["export", &folder, "--ovpack", beside.to_str().unwrap()]);
    }
}

const QUESTION: &str = "how do I add a sensor?";

/// The first vector of the question as Milvus takes it.
fn asked(bundle: &str, alpha: &str) -> Value {
    let to = ["--to", "milvus", "--question", QUESTION, "--alpha", alpha];
    let body = ok([&["export", bundle][..], &to].concat()).json();
    body["data"][0].clone()
}

/// Knarr's own results, explained.
fn found(bundle: &str, alpha: &str) -> Vec<Value> {
    let flags = [
        "--json",
        "--explain",
        "--mode",
        "quick",
        "--lang",
        "*",
        "--alpha",
        alpha,
    ];
    let answer = ok([&["find", bundle, QUESTION][..], &flags].concat()).json();
    answer["results"].as_array().expect("a list").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

fn numbers(value: &Value) -> impl Iterator<Item = f64> {
    value.as_array().expect("a vector").iter().map(number)
}

/// Score of each page's own row by words, and what the explanation tells of it.
fn by_words(bundle: &str, rows: &[Value]) -> Vec<(Value, f64, f64)> {
    let question = asked(bundle, "0");
    let terms = question.as_object().expect("words");
    let scored = found(bundle, "0").into_iter().map(|result| {
        let is_page = |row: &&Value| row["place"] == 0 && row["uri"] == result["uri"];
        let own = &rows.iter().find(is_page).expect("the page")["sparse"];
        let score = |(word, weight)| number(weight) * number(&own[word]);
        let told = result["explain"]["words"].as_array().expect("words").iter();
        let told = told.map(|word| number(&word["score"])).sum();
        (result["uri"].clone(), terms.iter().map(score).sum(), told)
    });
    scored.collect()
}

/// Share of its score that a page keeps: a thirty-second is lost for each quarter of the site that more pages link to.
fn kept(score: f64, told: f64) -> f64 {
    (score / told * 32.0).round().clamp(29.0, 32.0) / 32.0
}

#[test]
fn the_words_of_a_page_score_as_in_knarr() {
    let site = Site::new();
    let (bundle, rows) = (site.bundle(), rows(&site, &[]));
    let scores = by_words(&bundle, &rows);
    assert!(scores.len() > 3);
    for (_, score, told) in scores {
        let told = told * kept(score, told);
        assert!((score - told).abs() < 1e-4, "{score} {told}");
    }
}

#[test]
fn the_best_row_of_a_page_is_as_near_as_in_knarr() {
    let site = Site::new();
    let (bundle, rows) = (site.bundle(), rows(&site, &[]));
    let question = asked(&bundle, "1");
    let words = by_words(&bundle, &rows);
    let mut n_known = 0;
    for result in found(&bundle, "1") {
        // What a page loses by words it loses by its vector.
        let known = words.iter().find(|(uri, ..)| *uri == result["uri"]);
        n_known += usize::from(known.is_some());
        let page = rows
            .iter()
            .find(|row| row["uri"] == result["uri"])
            .expect("it");
        let own = rows.iter().filter(|row| row["page"] == page["page"]);
        let dot = |row: &Value| -> f64 {
            numbers(&row["dense"])
                .zip(numbers(&question))
                .map(|(a, b)| a * b)
                .sum()
        };
        let best = own.map(dot).fold(f64::MIN, f64::max);
        let told = number(&result["explain"]["cosine"]);
        let kept = known.map_or_else(|| kept(best, told), |&(_, score, told)| kept(score, told));
        let told = told * kept;
        assert!((best - told).abs() < 1e-3, "{best} {told}");
    }
    assert!(n_known > 2, "{n_known}");
}

/// The outcome of the commands that README.md has for an engine, and the addresses that they asked, of an engine whose
/// answer to rows is `rows`, in shell.
#[cfg(unix)]
fn load(engine: &str, rows: &str) -> (std::process::Output, Vec<String>) {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::new();
    let (bundle, out) = (site.bundle(), site.path(engine));
    ok(["export", &bundle, "--to", engine, "--out", &out]);
    let curl = site.write(
        "bin/curl",
        &format!(
            "#!/bin/sh\nfor word; do case \"$word\" in http*) address=$word ;; esac; done\necho \"$address\" >> asked\n\
             case \"$address\" in *_bulk*|*/points*) cat > /dev/null; {rows} ;; esac\n"
        ),
    );
    fs::set_permissions(&curl, fs::Permissions::from_mode(0o755)).expect("a program");
    let readme = fs::read_to_string(Path::new(&out).join("README.md")).expect("written");
    let commands = readme.split("```sh\n").nth(1).expect("commands");
    let commands = commands.split("```").next().expect("their end");
    let path = format!("{}:{}", site.path("bin"), std::env::var("PATH").unwrap());
    let told = std::process::Command::new("sh")
        .args(["-c", commands])
        .current_dir(&out)
        .env("PATH", path)
        .env("OPENSEARCH", "http://here")
        .env("QDRANT", "http://here")
        .output()
        .expect("a shell");
    let asked = fs::read_to_string(Path::new(&out).join("asked")).expect("asked");
    (told, asked.lines().map(str::to_owned).collect())
}

#[cfg(unix)]
#[test]
fn what_loads_rows_stops_where_the_engine_refuses_them() {
    let of_rows = |asked: &[String]| {
        let is_of_rows =
            |address: &&String| address.contains("_bulk") || address.contains("/points");
        asked.iter().filter(is_of_rows).count()
    };
    let (told, asked) = load("opensearch", r#"echo '{"errors":false}'"#);
    assert!(told.status.success(), "{told:?}");
    assert!(of_rows(&asked) >= 1, "{asked:?}");
    let refused = r#"{"errors":true,"items":[{"index":{"error":{"reason":"no such field"}}}]}"#;
    let (told, asked) = load("opensearch", &format!("echo '{refused}'"));
    assert!(!told.status.success());
    assert!(
        String::from_utf8_lossy(&told.stderr).contains("no such field"),
        "{told:?}"
    );
    assert_eq!(of_rows(&asked), 1);
    assert!(!load("opensearch", "exit 22").0.status.success());

    let (told, asked) = load("qdrant", "true");
    assert!(told.status.success(), "{told:?}");
    assert!(of_rows(&asked) > 1, "{asked:?}");
    let (told, asked) = load("qdrant", "exit 22");
    assert!(!told.status.success());
    assert_eq!(of_rows(&asked), 1);
}
