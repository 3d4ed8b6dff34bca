//! `knarr build` with models that work and models that fail.

use super::{Ended, Site, corpus, knarr, ok, text, uris};
use crate::faults::Server;
use serde_json::{Value, json};
use std::process::Command;

const OVERVIEW: &str = "<think>Which one?</think># A title of its own\n\nAll about zeppelins.\u{7}\n\n\
    ## Contents\n\n- moorings: how they hold";

fn build(site: &Site, out: &str, more: &[&str]) -> Vec<String> {
    let input = corpus();
    let fixed = ["build", text(&input), "--name", "harbour", "--json"];
    let mut arguments: Vec<String> = fixed.map(str::to_owned).to_vec();
    arguments.extend(["--out".to_owned(), site.path(out)]);
    arguments.extend(more.iter().map(|&argument| argument.to_owned()));
    arguments
}

/// What the summary says of one kind of answers.
fn made<'a>(report: &'a Value, what: &str) -> &'a Value {
    let all = report["models"].as_array().expect("a list");
    let own = all.iter().find(|made| made["what"] == what);
    own.unwrap_or_else(|| panic!("no {what}: {report}"))
}

fn counts(made: &Value) -> (u64, u64, u64, usize) {
    let number = |name: &str| made[name].as_u64().expect("a count");
    let failed = made["failed"].as_array().expect("a list").len();
    (number("made"), number("cached"), number("requests"), failed)
}

fn error(ended: &Ended) -> &str {
    let error = ended.err.lines().find(|line| line.starts_with("error["));
    error.unwrap_or_else(|| panic!("no error: {}{}", ended.out, ended.err))
}

#[test]
fn summaries_are_written_once_and_cached() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let url = format!("{}/ok/chat", server.origin);
    let cache = site.path("answers");
    let more = ["--llm", &url, "--llm-model", "m", "--cache", &cache];

    let refused = knarr(build(&site, "a", &more));
    assert_eq!(refused.code, 2);
    assert!(error(&refused).contains("say --yes"), "{}", refused.err);
    assert!(
        refused.err.contains("summaries by m at 127.0.0.1"),
        "{}",
        refused.err
    );
    assert!(
        refused.err.contains(" requests with about "),
        "{}",
        refused.err
    );
    assert!(server.requests().is_empty());

    let first = ok(build(&site, "a", &[&more[..], &["--yes"]].concat())).json();
    let (n_made, cached, requests, failed) = counts(made(&first, "summaries"));
    let files = first["files"].as_u64().expect("a count");
    assert!(n_made > files, "every file and folder: {first}");
    assert_eq!((cached, requests, failed), (0, n_made, 0));
    assert_eq!(server.requests().len() as u64, n_made);

    // Everything is cached: nothing is sent, and nobody need be asked.
    let second = ok(build(&site, "b", &more)).json();
    assert_eq!(counts(made(&second, "summaries")), (0, n_made, 0, 0));
    assert_eq!(server.requests().len() as u64, n_made);
    let bytes =
        |out: &str| std::fs::read(site.path(&format!("{out}/index.knarr"))).expect("a head");
    assert_eq!(bytes("a"), bytes("b"));

    let read = |what: &str, uri: &str| ok([what, &site.path("a"), uri]).out;
    let guide = "viking://resources/harbour/guide";
    assert_eq!(read("abstract", guide).trim(), "All about zeppelins.");
    let overview = read("overview", &format!("{guide}/clocks.md"));
    assert!(
        overview
            .ends_with("\n\nAll about zeppelins.\n\n## Contents\n\n- moorings: how they hold\n"),
        "{overview:?}"
    );
    assert!(overview.starts_with("# ") && !overview.contains("title of its own"));
    let found = ok(["find", &site.path("a"), "zeppelins", "--json"]).json();
    assert!(!uris(&found["results"]).is_empty());
}

#[test]
fn folders_are_asked_after_what_lies_in_them() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let url = format!("{}/ok/chat", server.origin);
    ok(build(&site, "a", &["--llm", &url, "--yes"]));
    let contents = |request: &crate::faults::Request| {
        let content = request.body["messages"][1]["content"].as_str();
        content.expect("a text").to_owned()
    };
    let asked: Vec<String> = server.requests().iter().map(contents).collect();
    let folders: Vec<usize> = (0..asked.len())
        .filter(|&at| asked[at].starts_with("Folder: "))
        .collect();
    let files = asked.len() - folders.len();
    assert!(folders.iter().all(|&at| at >= files), "files come first");
    let root = asked.last().expect("a request");
    assert!(root.starts_with("Folder: /\n"), "{root}");
    assert!(
        root.contains("- guide/ (") && root.contains("All about zeppelins."),
        "{root}"
    );
    let key = |request: &crate::faults::Request| {
        let header = request.headers.iter();
        header
            .filter(|h| h.to_lowercase().starts_with("authorization"))
            .count()
    };
    assert!(server.requests().iter().all(|request| key(request) == 0));
}

#[test]
fn a_file_that_fails_keeps_its_own_text_and_a_later_build_asks_for_it_alone() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let cache = site.path("answers");
    let more = |path: &str| {
        let url = format!("{}/{path}/chat", server.origin);
        let fixed = [
            "--llm-model",
            "m",
            "--cache",
            &cache,
            "--yes",
            "--attempts",
            "1",
            "--llm",
        ];
        [&fixed.map(str::to_owned)[..], &[url]].concat()
    };
    let run = |out: &str, path: &str| {
        let more = more(path);
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        ok(build(&site, out, &more)).json()
    };
    let first = run("a", "moody");
    let (n_made, _, _, failed) = counts(made(&first, "summaries"));
    assert_eq!(failed, 1, "{first}");
    let unmade = &made(&first, "summaries")["failed"][0];
    assert_eq!(unmade["path"], "guide/clocks.md");
    assert!(
        unmade["reason"]
            .as_str()
            .expect("a reason")
            .contains("answered 500"),
        "{unmade}"
    );
    let clocks = "viking://resources/harbour/guide/clocks.md";
    let own = ok(["abstract", &site.path("a"), clocks]).out;
    assert!(
        !own.contains("zeppelins") && !own.trim().is_empty(),
        "{own}"
    );
    let second = run("b", "ok");
    let (n_more, cached, _, failed) = counts(made(&second, "summaries"));
    // The file, and the folder whose material it is; that folder's answer is the same, so nothing above it changes.
    assert_eq!((n_more, failed), (2, 0), "{second}");
    assert_eq!(cached + n_more, n_made + 1);
    let own = ok(["abstract", &site.path("b"), clocks]).out;
    assert_eq!(own.trim(), "All about zeppelins.");
}

#[test]
fn an_endpoint_that_fails_every_time_ends_the_build() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let faults = [
        ("401", "answered 401: no such key"),
        ("403", "answered 403"),
        ("redirect", "answered 307"),
        ("hang", "did not answer within 1000 ms"),
        ("html", "looks like an HTML page"),
        ("truncated", "cut off"),
        ("500", "answered 500"),
        ("later", "answered 503"),
        ("huge", "longer than"),
    ];
    for (kind, option) in [("chat", "--llm"), ("embed", "--embed")] {
        for (fault, reason) in faults {
            let url = format!("{}/{fault}/{kind}", server.origin);
            let more = [
                option,
                &url,
                "--embed-model",
                "m",
                "--yes",
                "--attempts",
                "1",
                "--timeout",
                "1",
            ];
            let before = server.requests().len();
            let ended = knarr(build(&site, "a", &more));
            assert_eq!(ended.code, 1, "{fault}: {}", ended.err);
            let error = error(&ended);
            assert!(
                error.starts_with("error[UNAVAILABLE]: no "),
                "{fault}: {error}"
            );
            assert!(error.contains(reason), "{fault}: {error}");
            let sent = server.requests().len() - before;
            let most = if ["401", "403", "redirect"].contains(&fault) {
                4
            } else {
                12
            };
            assert!(
                sent <= most,
                "{fault}: {sent} requests were sent for nothing"
            );
        }
    }
    let refused = Server::refused();
    let more = ["--llm", &refused, "--yes", "--attempts", "1"];
    let ended = knarr(build(&site, "a", &more));
    assert!(
        error(&ended).contains("could not be reached"),
        "{}",
        ended.err
    );
    assert!(
        !std::fs::exists(site.path("a")).expect("a folder"),
        "nothing is written"
    );
}

#[test]
fn a_busy_endpoint_is_asked_again() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let url = format!("{}/busy/chat", server.origin);
    let built = ok(build(&site, "a", &["--llm", &url, "--yes"])).json();
    let (n_made, _, requests, failed) = counts(made(&built, "summaries"));
    assert_eq!((requests, failed), (n_made + 1, 0));
}

#[test]
fn a_models_vectors_answer_through_the_same_endpoint() {
    let site = Site::new();
    let server = Server::new("");
    let url = format!("{}/ok/words", server.origin);
    let cache = site.path("answers");
    let model = ["--embed-model", "m", "--cache", &cache, "--yes"];
    let more = [&["--embed", &url, "--embed-batch", "8"], &model[..]].concat();
    let first = ok(build(&site, "a", &more)).json();
    let (n_made, cached, requests, failed) = counts(made(&first, "vectors"));
    assert!(n_made > 20 && requests < n_made / 4, "{first}");
    assert_eq!((cached, failed), (0, 0));
    assert_eq!(first["dims"], 48);
    let bundle = site.path("a");
    let inspected = ok(["inspect", &bundle, "--json"]).json();
    assert_eq!(inspected["encoder"], "model:m@48");

    let sent = server.requests().len();
    let second = ok(build(&site, "b", &more)).json();
    assert_eq!(counts(made(&second, "vectors")), (0, n_made, 0, 0));
    assert_eq!(server.requests().len(), sent);

    // Without a question's vector it is keywords, and it says so.
    let query = "how the drift of clocks is measured";
    let found = ok(["find", &bundle, query, "--json"]).json();
    assert_eq!(found["skipped"][0]["step"], "vector");
    let reason = found["skipped"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("search()"), "{reason}");
    assert!(uris(&found["results"])[0].ends_with("guide/clocks.md"));

    let search = |model: &str| {
        knarr([
            "search",
            &bundle,
            query,
            "--embedding-endpoint",
            &url,
            "--embedding-model",
            model,
            "--alpha",
            "1",
            "--json",
        ])
    };
    let answer = search("m");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let answer = answer.json();
    assert_eq!(answer["skipped"], json!([]));
    assert!(
        uris(&answer["results"])[0].ends_with("guide/clocks.md"),
        "{answer}"
    );
    let other = search("n");
    assert!(
        error(&other).starts_with("error[FAILED_PRECONDITION]"),
        "{}",
        other.err
    );
}

/// Pages whose sections are enough to learn from.
fn handbook() -> String {
    text(&corpus().join("../corpora/handbooks/sailing")).to_owned()
}

#[test]
fn words_meet_a_models_vectors_and_no_endpoint_is_asked() {
    let site = Site::new();
    let server = Server::new("");
    let url = format!("{}/ok/themes", server.origin);
    let bundle = site.path("a");
    let handbook = handbook();
    let fixed = ["build", &handbook, "--out", &bundle, "--yes", "--json"];
    let model = ["--embed", &url, "--embed-model", "m"];
    let words = [&fixed[..], &model, &["--embed-words", "--dims", "6"]].concat();
    let built = ok(&words).json();
    assert_eq!(
        (&built["dims"], &built["word_fit"]["kept"]),
        (&json!(6), &json!(true)),
        "{built}"
    );
    let encoder = ok(["inspect", &bundle, "--json"]).json()["encoder"].clone();
    let encoder = encoder.as_str().expect("a name");
    assert!(
        encoder.starts_with("static-256-int4:") && encoder.ends_with("+model:m@8"),
        "{encoder}"
    );

    let asked = server.requests().len();
    // No page has these words.
    let query = "gasoline motorcycle carburetor";
    let find = ["find", &bundle, query, "--explain", "--json"];
    let found = ok(find).json();
    assert_eq!(found["skipped"], json!([]), "the question has a vector");
    let first = uris(&found["results"])[0];
    assert!(
        first.ends_with("diesel-engine.md") || first.ends_with("outboards.md"),
        "{first}"
    );
    let explained = &found["results"][0]["explain"];
    let cosine = explained["cosine"].as_f64().expect("a cosine");
    assert!(cosine > 0.3, "{cosine}");
    assert_eq!(server.requests().len(), asked, "no endpoint is asked");
    // An endpoint would only bring what the words have.
    let endpoint = ["--embedding-endpoint", &url, "--embedding-model", "m"];
    let search = knarr([&["search", &bundle, query][..], &endpoint].concat());
    let refused = error(&search);
    assert!(
        refused.starts_with("error[FAILED_PRECONDITION]")
            && refused.contains("leave the embedding endpoint out"),
        "{refused}"
    );
}

#[test]
fn words_without_vectors_are_said() {
    let site = Site::new();
    let server = Server::new("");
    // One direction for all texts: there is nothing to learn.
    let url = format!("{}/ok/embed", server.origin);
    let more = [
        "--embed",
        &url,
        "--embed-model",
        "m",
        "--embed-words",
        "--yes",
    ];
    let built = ok(build(&site, "a", &more)).json();
    assert_eq!(
        (&built["dims"], &built["word_fit"]["kept"]),
        (&json!(64), &json!(false)),
        "{built}"
    );
    let warning = built["warnings"][0].as_str().expect("a warning");
    assert!(
        warning.starts_with("--embed-words: words have no vectors"),
        "{warning}"
    );
    let encoder = &ok(["inspect", &site.path("a"), "--json"]).json()["encoder"];
    assert_eq!(encoder, "model:m@64");
}

#[test]
fn directories_have_the_models_vectors_too() {
    let site = Site::new();
    let server = Server::new("");
    let url = format!("{}/ok/words", server.origin);
    ok(build(
        &site,
        "a",
        &["--embed", &url, "--embed-model", "m", "--yes", "--packs"],
    ));
    let guide = "viking://resources/harbour/guide";
    let query = ok(["abstract", &site.path("a"), guide]).out;
    let found = ok([
        "search",
        &site.path("a"),
        &query,
        "--embedding-endpoint",
        &url,
        "--embedding-model",
        "m",
        "--alpha",
        "1",
        "--level",
        "0",
        "--json",
    ])
    .json();
    assert_eq!(found["skipped"], json!([]));
    let first = uris(&found["results"])[0];
    assert_eq!(first, format!("{guide}/.abstract.md"), "{found}");
}

#[test]
fn vectors_that_are_wrong_are_refused() {
    let site = Site::new();
    let server = Server::new("");
    for (fault, reason) in [
        ("short", "vectors of"),
        ("long", "indexes"),
        ("range", "indexes"),
        ("twice", "indexes"),
        ("nan", "finite"),
    ] {
        let url = format!("{}/wrong/embed/{fault}", server.origin);
        let more = [
            "--embed",
            &url,
            "--embed-model",
            "m",
            "--yes",
            "--attempts",
            "1",
        ];
        let ended = knarr(build(&site, "a", &more));
        assert!(error(&ended).contains(reason), "{fault}: {}", ended.err);
    }
    // The model cannot shorten its vectors.
    let url = format!("{}/ok/words", server.origin);
    let more = [
        "--embed",
        &url,
        "--embed-model",
        "m",
        "--embed-dims",
        "16",
        "--yes",
        "--attempts",
        "1",
    ];
    let ended = knarr(build(&site, "a", &more));
    assert!(
        error(&ended).contains("48 dimensions, not 16"),
        "{}",
        ended.err
    );
}

#[test]
fn a_text_that_the_endpoint_refuses_is_the_only_one_without_a_vector() {
    let site = Site::new();
    let server = Server::new("");
    let url = format!("{}/choosy/words", server.origin);
    let built = ok(build(
        &site,
        "a",
        &["--embed", &url, "--embed-model", "m", "--yes"],
    ))
    .json();
    let failed = &made(&built, "vectors")["failed"];
    let paths: Vec<&str> = failed
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|f| f["path"].as_str())
        .collect();
    assert_eq!(paths, ["guide/clocks.md"], "{failed}");
}

const RECORDS: &str = "Sure:\n(entity<|>Harbour Gateway<|>product<|>Collects readings.)\n\
    (\"entity\"<|>Mooring Guild<|>organization<|>Writes the guide.)\n\
    (relationship<|>Mooring Guild<|>Harbour Gateway<|>looks after<|>care<|>8)\n<|COMPLETE|>";

#[test]
fn a_graph_is_made_of_a_models_records_and_the_same_again() {
    let site = Site::new();
    let server = Server::new(RECORDS);
    let url = format!("{}/ok/chat", server.origin);
    let cache = site.path("answers");
    let more = [
        "--graph-llm",
        &url,
        "--graph-model",
        "m",
        "--cache",
        &cache,
        "--yes",
    ];
    let first = ok(build(&site, "a", &more)).json();
    let (n_made, cached, requests, failed) = counts(made(&first, "graph"));
    assert!(
        n_made >= first["files"].as_u64().expect("a count"),
        "{first}"
    );
    assert_eq!((cached, requests, failed), (0, n_made, 0));
    let second = ok(build(&site, "b", &more)).json();
    assert_eq!(counts(made(&second, "graph")), (0, n_made, 0, 0));
    let bytes =
        |out: &str| std::fs::read(site.path(&format!("{out}/index.knarr"))).expect("a head");
    assert_eq!(bytes("a"), bytes("b"));
    let asked = ["--graph", "0.5", "--explain", "--json"];
    let found = ok([&["find", &site.path("a"), "Harbour Gateway"], &asked[..]].concat());
    let told = found.json().to_string();
    // The walk goes where no word of the question leads.
    assert!(
        told.contains(r#"["Harbour Gateway","Mooring Guild"]"#),
        "{told}"
    );
    let related = ok(["neighbors", &site.path("a"), "harbour gateway", "--json"]).json();
    assert_eq!(related[0]["name"], "Mooring Guild", "{related:#}");
    let listed = ok(["entities", &site.path("a"), "guild"]).out;
    assert!(
        listed.contains("Mooring Guild") && !listed.contains("Gateway"),
        "{listed}"
    );
    let both = ok(build(&site, "c", &[&more[..], &["--graph"]].concat())).json();
    assert!(
        both["bundle_bytes"].as_u64() > first["bundle_bytes"].as_u64(),
        "{both}"
    );

    let prose = Server::new("I would rather not.");
    let url = format!("{}/ok/chat", prose.origin);
    let ended = knarr(build(
        &site,
        "d",
        &["--graph-llm", &url, "--yes", "--attempts", "1"],
    ));
    assert!(error(&ended).contains("holds no record"), "{}", ended.err);
}

#[test]
fn a_key_comes_from_the_environment_and_stays_out_of_everything() {
    let site = Site::new();
    let server = Server::new(OVERVIEW);
    let url = format!("{}/ok/chat", server.origin);
    let more = ["--llm", &url, "--llm-key-env", "KNARR_TEST_KEY", "--yes"];
    let arguments = build(&site, "a", &more);
    let unset = knarr(&arguments);
    assert_eq!(unset.code, 2);
    assert!(error(&unset).contains("KNARR_TEST_KEY is not set"));
    let ended = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(&arguments)
        .env("KNARR_TEST_KEY", "sk-very-secret-key")
        .output()
        .expect("the binary starts");
    assert!(ended.status.success());
    let header = "authorization: bearer sk-very-secret-key";
    let has_key = |r: &crate::faults::Request| r.headers.iter().any(|h| h.to_lowercase() == header);
    assert!(server.requests().iter().all(has_key));
    for place in ["a/index.knarr", "a.cache/summaries.cache"] {
        let bytes = std::fs::read(site.path(place)).expect(place);
        let secret = b"sk-very-secret-key";
        assert!(!bytes.windows(secret.len()).any(|w| w == secret), "{place}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    let site = Site::new();
    for (more, named) in [
        (&["--llm", "ftp://a"][..], "--llm: url"),
        (&["--embed", "http://a/"][..], "--embed-model"),
        (
            &["--embed", "not a url", "--embed-model", "m"][..],
            "--embed: url",
        ),
        (
            &["--llm", "http://a/", "--llm-param", "[1]"][..],
            "JSON object",
        ),
        (
            &["--embed", "http://a/", "--embed-model", "m", "--dims", "64"][..],
            "--dims",
        ),
        (&["--embed-words"][..], "--embed"),
    ] {
        let ended = knarr(build(&site, "a", more));
        assert_eq!(ended.code, 2, "{}", ended.err);
        assert!(ended.err.contains(named), "{named}: {}", ended.err);
    }
}
