//! `knarr search`, with endpoints that work and endpoints that fail.

use super::{Site, knarr, ok, uris};
use crate::faults::{FAULTS, Server};
use serde_json::{Value, json};
use std::process::Command;

const QUERY: &str = "how do I set the clock of the hub?";

const PLAN: &str = r#"Here you are:
```json
{"reasoning": "two needs", "queries": [
  {"query": "clock", "context_type": "resource", "intent": "set it", "priority": 1},
  {"query": "backup", "context_type": "skill"},
]}
```"#;

/// Runs a search with these endpoints; timeouts are short.
fn search(site: &Site, endpoints: Value, more: &[&str]) -> Value {
    let file = site.write("endpoints.json", &endpoints.to_string());
    let bundle = site.bundle();
    let fixed = ["search", &bundle, QUERY, "--endpoints", &file, "--json"];
    ok(fixed.iter().chain(more)).json()
}

fn endpoint(url: &str) -> Value {
    json!({"url": url, "model": "m", "timeout_ms": 700, "max_bytes": 100_000})
}

fn local(site: &Site) -> Value {
    ok(["find", &site.bundle(), QUERY, "--json"]).json()
}

/// The one entry of `skipped` for a step.
#[track_caller]
fn reason<'a>(answer: &'a Value, step: &str) -> &'a str {
    let all: Vec<&Value> = answer["skipped"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|s| s["step"] == step)
        .collect();
    assert_eq!(all.len(), 1, "{}", answer["skipped"]);
    all[0]["reason"].as_str().expect("a text")
}

#[test]
fn without_endpoints_it_is_find() {
    let site = Site::new();
    let answer = ok(["search", &site.bundle(), QUERY, "--json"]).json();
    assert_eq!(answer["results"], local(&site)["results"]);
    assert_eq!(answer["query_plan"]["queries"][0]["query"], QUERY);
    assert_eq!(answer["skipped"], json!([]));
    let text = ok(["search", &site.bundle(), QUERY]).out;
    assert_eq!(text, ok(["find", &site.bundle(), QUERY]).out);
}

#[test]
fn what_a_query_leaves_out_is_told() {
    let site = Site::new();
    for command in ["find", "search"] {
        let query = [command, &site.bundle(), "clock -backup"];
        let text = ok(query).out;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "pages with \"backup\" are left out", "{text}");
        let answer = ok(query.iter().chain(&["--json"])).json();
        assert_eq!(answer["excluded"], json!(["backup"]), "{command}");
    }
    let answer = ok(["find", &site.bundle(), "clock", "--json"]).json();
    assert!(answer.get("excluded").is_none());
}

#[test]
fn a_conversation_is_searched_by_its_plan() {
    let site = Site::new();
    let server = Server::new(PLAN);
    let session = json!({"summary": "About the hub.", "messages": [{"role": "user", "content": "It lost the time."}]});
    let session = site.write("session.json", &session.to_string());
    let endpoints = json!({"intent": endpoint(&format!("{}/ok/chat", server.origin))});
    let answer = search(&site, endpoints, &["--session", &session, "--provenance"]);
    let body = &server.requests()[0].body;
    assert_eq!(
        (
            &body["model"],
            body["messages"].as_array().expect("messages").len()
        ),
        (&json!("m"), 2)
    );
    let material = body["messages"][1]["content"].as_str().expect("a text");
    for part in ["About the hub.", "[user]: It lost the time.", QUERY] {
        assert!(material.contains(part), "{material}");
    }
    assert_eq!(answer["query_plan"]["reasoning"], "two needs");
    let found = uris(&answer["results"]);
    for page in ["guide/clocks.md", "guide/backup.md"] {
        assert!(found.iter().any(|uri| uri.ends_with(page)), "{found:?}");
    }
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((once.len(), found.len() <= 10), (found.len(), true));
    assert!(reason(&answer, "context_type").contains("no skill matches 'backup'"));
    assert_eq!(answer["provenance"][0]["query"], "clock");
    assert!(answer["provenance"][1]["matched_contexts"][0]["score"].is_number());
}

#[test]
fn small_talk_finds_nothing() {
    let site = Site::new();
    let server = Server::new(r#"{"reasoning": "a greeting", "queries": []}"#);
    let endpoints = json!({"intent": endpoint(&format!("{}/ok/chat", server.origin))});
    let answer = search(&site, endpoints, &["--intent", "always"]);
    assert_eq!(
        (&answer["total"], &answer["query_plan"]["queries"]),
        (&json!(0), &json!([]))
    );
}

#[test]
fn a_short_question_alone_asks_no_model() {
    let site = Site::new();
    let server = Server::new(PLAN);
    let endpoints = json!({"intent": endpoint(&format!("{}/ok/chat", server.origin))});
    let answer = search(&site, endpoints, &[]);
    assert!(server.requests().is_empty());
    assert_eq!(answer["results"], local(&site)["results"]);
}

#[test]
fn reranking_reorders_and_a_busy_endpoint_is_asked_again_once() {
    let site = Site::new();
    let server = Server::new("");
    let wide = ok(["find", &site.bundle(), QUERY, "--json", "--limit", "20"]).json();
    let mut turned = uris(&wide["results"]);
    turned.reverse();
    turned.truncate(10);
    for (path, requests) in [("ok", 1), ("busy", 2)] {
        let before = server.requests().len();
        let endpoints = json!({"rerank": endpoint(&format!("{}/{path}/rerank", server.origin))});
        let answer = search(&site, endpoints, &[]);
        assert_eq!(uris(&answer["results"]), turned);
        assert_eq!(answer["skipped"], json!([]));
        assert_eq!(server.requests().len() - before, requests);
    }
}

#[test]
fn a_walk_asks_the_endpoint_in_every_round() {
    let site = Site::new();
    let server = Server::new("");
    let walk = |path: &str| {
        let endpoints = json!({"rerank": endpoint(&format!("{}/{path}/rerank", server.origin))});
        search(
            &site,
            endpoints,
            &[
                "--rerank", "walk", "--preset", "classic", "--mode", "thinking",
            ],
        )
    };
    let answer = walk("ok");
    assert_eq!(answer["skipped"], json!([]));
    assert!(!uris(&answer["results"]).is_empty());
    // No row is sent twice, and what is found was scored by the model: its scores lie on its scale, and of its directories
    // only the order has a share.
    let requests = server.requests();
    assert!(requests.len() > 1, "{}", requests.len());
    let documents = requests
        .iter()
        .map(|request| request.body["documents"].as_array().map_or(0, Vec::len));
    assert!(documents.clone().all(|n| (1..=40).contains(&n)));
    let mut n_shared = 0;
    for row in answer["results"].as_array().expect("a list") {
        let told = row["relevance"].as_f64().expect("a number");
        // The endpoint's scores are the places of documents, as shares of one more than there are.
        let is_of = |n: usize| {
            let place = told * (n + 1) as f64;
            (place - place.round()).abs() < 1e-5
        };
        assert!(documents.clone().any(is_of), "{row}");
        n_shared += usize::from(row["relevance"] != row["score"]);
    }
    assert!(n_shared > 0, "{answer}");
    // An endpoint that fails leaves the bundle's own walk.
    let failed = walk("500");
    assert_eq!(failed["skipped"][0]["step"], "rerank", "{failed}");
    assert!(!uris(&failed["results"]).is_empty());
    let off = json!({"rerank": endpoint(&format!("{}/ok/rerank", server.origin))});
    let before = server.requests().len();
    search(&site, off, &["--rerank", "nothing"]);
    assert_eq!(server.requests().len(), before);
}

#[test]
fn the_questions_vector_comes_from_the_bundles_own_model() {
    let site = Site::new();
    let server = Server::new("");
    let inspection = ok(["inspect", &site.bundle(), "--json"]).json();
    let mut embedding = endpoint(&format!("{}/ok/embed", server.origin));
    let other = json!({"embedding": embedding});
    let file = site.write("other.json", &other.to_string());
    let refused = knarr(["search", &site.bundle(), QUERY, "--endpoints", &file]);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .err
            .starts_with("error[FAILED_PRECONDITION]: this bundle's vectors are of "),
        "{}",
        refused.err
    );
    assert!(server.requests().is_empty());
    embedding["encoder"] = inspection["encoder"].clone();
    embedding["dimensions"] = inspection["dims"].clone();
    let answer = search(&site, json!({"embedding": embedding}), &[]);
    assert_eq!(server.requests()[0].body["input"], json!([QUERY]));
    assert_eq!(answer["skipped"], json!([]));
    assert_ne!(answer["results"], local(&site)["results"]);
}

#[test]
fn the_key_comes_from_the_environment_and_is_never_told() {
    let site = Site::new();
    let server = Server::new("");
    let url = format!("{}/401/rerank", server.origin);
    let command = |variables: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knarr"));
        command.args([
            "search",
            &site.bundle(),
            QUERY,
            "--json",
            "--rerank-endpoint",
            &url,
        ]);
        for variable in variables {
            command.args(["--key-env", variable]);
        }
        let output = command
            .env("TEST_KEY", "sk-verysecret")
            .env_remove("NO_KEY")
            .output()
            .expect("the binary starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr),
        )
    };
    for (variables, sent) in [
        (["TEST_KEY"], true),
        (["rerank=TEST_KEY"], true),
        (["intent=TEST_KEY"], false),
    ] {
        let (code, text) = command(&variables);
        assert_eq!(code, Some(0));
        assert!(
            text.contains("no such key") && !text.contains("verysecret"),
            "{text}"
        );
        let headers = server.requests().pop().expect("a request").headers;
        let has = headers
            .iter()
            .any(|h| h.eq_ignore_ascii_case("authorization: Bearer sk-verysecret"));
        assert_eq!(has, sent, "{headers:?}");
    }
    for (variable, named) in [("NO_KEY", "NO_KEY"), ("reranc=TEST_KEY", "reranc")] {
        let (code, text) = command(&[variable]);
        assert!(code == Some(2) && text.contains(named), "{text}");
    }
}

#[test]
fn whatever_fails_the_local_answer_stands_and_says_why() {
    let site = Site::new();
    let server = Server::new(PLAN);
    let local = local(&site);
    let inspection = ok(["inspect", &site.bundle(), "--json"]).json();
    let check = |step: &str, url: String, expected: &str| {
        let mut endpoint = endpoint(&url);
        if step == "embedding" {
            endpoint["encoder"] = inspection["encoder"].clone();
            endpoint["dimensions"] = inspection["dims"].clone();
        }
        let answer = search(&site, json!({step: endpoint}), &["--intent", "always"]);
        assert_eq!(answer["results"], local["results"], "{url}");
        assert!(reason(&answer, step).contains(expected), "{url}: {answer}");
    };
    for (step, kind) in [
        ("intent", "chat"),
        ("rerank", "rerank"),
        ("embedding", "embed"),
    ] {
        for (fault, expected) in FAULTS {
            check(step, format!("{}/{fault}/{kind}", server.origin), expected);
        }
        check(
            step,
            format!("{}/{kind}", Server::refused()),
            "could not be reached",
        );
    }
    for (what, expected) in [
        ("short", "of "),
        ("long", "of "),
        ("range", "scored document"),
        ("twice", "twice"),
        ("nan", "are not numbers"),
    ] {
        check(
            "rerank",
            format!("{}/wrong/rerank/{what}", server.origin),
            expected,
        );
    }
    for (what, expected) in [
        ("short", "0 vectors"),
        ("long", "indexes"),
        ("range", "indexes"),
        ("dims", "dimensions"),
        ("nan", "not a finite number"),
    ] {
        check(
            "embedding",
            format!("{}/wrong/embed/{what}", server.origin),
            expected,
        );
    }
}

#[test]
fn wrong_arguments_end_with_2() {
    let site = Site::new();
    for (file, content) in [
        ("list.json", "[]"),
        ("member.json", r#"{"rerank": {"url": "x"}}"#),
        ("text.json", "hello"),
    ] {
        let path = site.write(file, content);
        let ended = knarr(["search", &site.bundle(), QUERY, "--endpoints", &path]);
        assert_eq!(ended.code, 2, "{}", ended.err);
        assert!(
            ended.err.starts_with("error[INVALID_ARGUMENT]: "),
            "{}",
            ended.err
        );
    }
    let session = site.write("session.json", r#"{"messages": [{"role": "user"}]}"#);
    let ended = knarr(["search", &site.bundle(), QUERY, "--session", &session]);
    assert_eq!(ended.code, 2, "{}", ended.err);
}
