//! The calls that the documents print (OpenViking's concept pages and API pages), against one agent's tree: memories of
//! two users, peers, shared skills, resources.

use super::{knarr, ok, text, uris};
use knarr::base::civil::Date;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// The agent's bundle, and the folder that it lives in.
static AGENT: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    // A static is never dropped: the folder stays, among the build's own.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch folder");
    let tree = folder.path().join("tree");
    // Copied files were changed a moment ago, as far as a build can tell.
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/agent"),
        &tree,
    );
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970");
    let Date { year, month, day } = Date::from_days((now.as_secs() / 86_400) as i64);
    let mail = format!(
        "---\ncreated_at: {year:04}-{month:02}-{day:02}\n---\n# Invoice of today\n\nThe invoice came with today's mail.\n"
    );
    fs::write(tree.join("resources/email/invoice-of-today.md"), mail).expect("written");
    let bundle = folder.path().join("bundle");
    let mut build = vec!["build", text(&tree), "--out", text(&bundle), "--quiet"];
    for mount in MOUNTS {
        build.extend(["--mount", mount]);
    }
    ok(build);
    (folder, bundle)
});

const MOUNTS: [&str; 3] = [
    "user=viking://user",
    "agent=viking://agent",
    "resources=viking://resources",
];

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::write(to, fs::read(path).expect("read")).expect("written");
        }
    }
}

fn call(command: &str, arguments: &[&str]) -> Value {
    let fixed = [command, text(&AGENT.1)];
    ok(fixed.iter().chain(arguments).chain(&["--json"])).json()
}

fn find(arguments: &[&str]) -> Value {
    call("find", arguments)
}

fn code(command: &str, arguments: &[&str]) -> String {
    let fixed = [command, text(&AGENT.1)];
    let ended = knarr(fixed.iter().chain(arguments));
    assert_ne!(ended.code, 0, "{}", ended.out);
    ended.err
}

fn under<'a>(answer: &'a Value, list: &str, prefix: &str) -> Vec<&'a str> {
    let all = uris(&answer[list]);
    all.into_iter()
        .filter(|uri| uri.starts_with(prefix))
        .collect()
}

const AUTH: &str = "viking://resources/docs/auth.md";

#[test]
fn find_as_printed() {
    let plain = find(&["how to authenticate users"]);
    assert_eq!(uris(&plain["results"])[0], AUTH);
    let scoped = find(&["how to authenticate users", "--uri", "viking://resources"]);
    assert_eq!(uris(&scoped["results"])[0], AUTH);
    assert_eq!(scoped["memories"], serde_json::json!([]));
    let slash = find(&["OAuth authentication", "--uri", "viking://resources/"]);
    assert!(uris(&slash["resources"]).contains(&AUTH));
    let recent = find(&["invoice", "--after", "7d"]);
    assert!(uris(&recent["results"]).contains(&"viking://resources/email/invoice-of-today.md"));
    assert!(!uris(&recent["results"]).contains(&"viking://resources/email/invoice-2025.md"));
    let created = [
        "invoice",
        "--uri",
        "viking://resources/email",
        "--after",
        "7d",
        "--created",
    ];
    assert_eq!(
        uris(&find(&created)["results"]),
        ["viking://resources/email/invoice-of-today.md"]
    );
    let many = find(&["how to authenticate users", "--limit", "20"]);
    assert!(many["total"].as_u64() > plain["total"].as_u64());
}

#[test]
fn levels_as_printed() {
    let levels = |arguments: &[&str]| -> Vec<u64> {
        let answer = find(&[&["how to authenticate users"], arguments].concat());
        let rows = answer["results"].as_array().expect("a list").iter();
        let mut levels: Vec<u64> = rows
            .map(|row| row["level"].as_u64().expect("a level"))
            .collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    };
    assert_eq!(levels(&["--level", "0"]), [0]);
    assert_eq!(levels(&["--level", "0,2"]), [0, 2]);
    assert!(
        levels(&["-L", "1,2"])
            .iter()
            .all(|level| [1, 2].contains(level))
    );
    assert_eq!(levels(&["-L", "1,2", "-L", "0"]).last(), Some(&2));
    assert!(code("find", &["users", "-L", "1,3"]).contains("is not 0, 1 or 2"));
    assert!(code("find", &["users", "-L", "one"]).contains("is not 0, 1 or 2"));
    let searched = call("search", &["how to implement OAuth", "-L", "1,2"]);
    assert!(searched["total"].as_u64() > Some(0));
    let abstracts = call("search", &["best practices", "--level", "0"]);
    let rows = abstracts["results"].as_array().expect("a list");
    assert!(!rows.is_empty() && rows.iter().all(|row| row["level"] == 0));
}

#[test]
fn a_user_has_the_shared_skills_and_nobody_elses_memories() {
    let skills = find(&["implement oauth", "--user", "ann", "--type", "skill"]);
    assert_eq!(
        under(&skills, "skills", "viking://agent/skills/").len(),
        3,
        "{skills:#}"
    );
    assert_eq!(
        skills["total"],
        skills["skills"].as_array().expect("a list").len()
    );
    let any = find(&["implement oauth", "--user", "ann", "--limit", "50"]);
    assert_eq!(under(&any, "skills", "viking://agent/skills/").len(), 3);
    for of_type in ["memory", "resource", "skill"] {
        for query in ["preferences", "authentication of users"] {
            let found = find(&[query, "--user", "ann", "--type", of_type, "--limit", "50"]);
            assert_eq!(
                under(&found, "results", "viking://user/ben"),
                [] as [&str; 0]
            );
        }
    }
    let both = find(&[
        "oauth", "--user", "ann", "--type", "skill", "--type", "memory",
    ]);
    assert!(!under(&both, "skills", "viking://agent/").is_empty());
    assert!(!under(&both, "memories", "viking://user/ann/memories").is_empty());
}

#[test]
fn relations_are_of_nobody_else() {
    let of_ben = "viking://user/ben/memories/events/authentication.md";
    let of_bob = "viking://user/ann/peers/web-visitor-bob/memories/invoice-dispute.md";
    let relations = |arguments: &[&str]| -> Vec<String> {
        let answer = find(&[arguments, &["--limit", "50", "--relations"]].concat());
        let rows = answer["results"].as_array().expect("a list").iter();
        let related = rows.flat_map(|row| uris(&row["relations"]));
        related.map(str::to_owned).collect()
    };
    let has = |related: &[String], uri: &str| related.iter().any(|own| own == uri);
    let all = relations(&["oauth"]);
    assert!(has(&all, of_ben), "the tree relates it: {all:?}");
    let filter = r#"{"op": "must_not", "field": "name", "conds": ["authentication.md"]}"#;
    for narrowing in [["--user", "ann"], ["--filter", filter]] {
        let narrow = relations(&[&["oauth"][..], &narrowing].concat());
        assert!(!has(&narrow, of_ben) && has(&narrow, AUTH), "{narrow:?}");
    }
    let ann = ["invoice", "--user", "ann"];
    assert!(has(&relations(&ann), of_bob));
    let alone = relations(&[&ann[..], &["--peer-id", "web-visitor-alice"]].concat());
    assert!(!alone.is_empty() && !has(&alone, of_bob), "{alone:?}");
    // A page outside of the folder that was asked is what relations are for.
    let docs = relations(&["oauth", "--user", "ann", "--uri", "viking://resources/docs"]);
    let outside = "viking://user/ann/memories/events/login-page.md";
    assert!(has(&docs, outside), "{docs:?}");
}

#[test]
fn short_forms_are_the_users_own() {
    for (folder, query, expected) in [
        (
            "memories",
            "preferences",
            "viking://user/ann/memories/preferences/code-style.md",
        ),
        (
            "resources",
            "private docs",
            "viking://user/ann/resources/private-docs.md",
        ),
        (
            "skills",
            "web search",
            "viking://user/ann/skills/web-search.md",
        ),
    ] {
        let short = format!("viking://user/{folder}");
        let found = find(&[query, "--uri", &short, "--user", "ann"]);
        let found = uris(&found["results"]);
        assert!(found.contains(&expected), "{found:?}");
        let own = format!("viking://user/ann/{folder}/");
        assert!(found.iter().all(|uri| uri.starts_with(&own)), "{found:?}");
        let error = code("find", &[query, "--uri", &short]);
        assert!(
            error.contains("error[INVALID_URI]") && error.contains("needs a user"),
            "{error}"
        );
    }
}

#[test]
fn a_peer_has_two_names() {
    let question = ["invoice follow-up", "--user", "ann", "--limit", "50"];
    let alone = find(&[&question[..], &["--peer-id", "web-visitor-alice"]].concat());
    let memory = "viking://user/ann/peers/web-visitor-alice/memories/invoice-follow-up.md";
    assert!(uris(&alone["memories"]).contains(&memory));
    assert!(
        !under(
            &alone,
            "resources",
            "viking://user/ann/peers/web-visitor-alice/"
        )
        .is_empty()
    );
    assert_eq!(
        under(&alone, "results", "viking://user/ann/peers/web-visitor-bob"),
        [] as [&str; 0]
    );
    let both = [
        "--peer-id",
        "web-visitor-alice",
        "--peer",
        "web-visitor-alice",
    ];
    assert_eq!(find(&[&question[..], &both].concat()), alone);
    let differ = [
        "--peer-id",
        "web-visitor-alice",
        "--peer",
        "web-visitor-bob",
    ];
    assert!(code("find", &[&question[..], &differ].concat()).contains("error[INVALID_ARGUMENT]"));
    for peer in ["web:visitor:alice", "web+visitor+alice", ".", ".."] {
        let error = code("find", &[&question[..], &["--peer-id", peer]].concat());
        assert!(error.contains("error[INVALID_ARGUMENT]"), "{error}");
    }
}

#[test]
fn a_peer_without_a_user_is_of_those_who_have_it() {
    let alice = ["--peer-id", "web-visitor-alice", "--limit", "50"];
    let ann = find(&[&["invoice follow-up"][..], &alice, &["--user", "ann"]].concat());
    for command in ["find", "search"] {
        // The document's own call names no user.
        let alone = call(command, &[&["invoice follow-up"][..], &alice].concat());
        assert_eq!(alone["results"], ann["results"], "{command}");
        assert_eq!(alone["skipped"], serde_json::json!([]));
    }
    let other = find(&[
        "invoice follow-up",
        "--peer-id",
        "web-visitor-bob",
        "--limit",
        "50",
    ]);
    let of = |answer: &Value, folder: &str| under(answer, "results", folder).len();
    assert_eq!(of(&other, "viking://user/ann/peers/web-visitor-alice"), 0);
    assert_eq!(of(&other, "viking://user/ann/peers/web-visitor-bob"), 1);

    let within = |uri| find(&[&["invoice follow-up", "--uri", uri][..], &alice].concat());
    let users = within("viking://user");
    assert_eq!(of(&users, "viking://user/ann/peers/web-visitor-alice"), 2);
    assert_eq!(
        users["total"],
        of(&within("viking://user/ann"), "viking://user/ann")
    );
    let ben = ["oauth", "--uri", "viking://user/ben", "--peer-id"];
    assert!(
        code("find", &[&ben[..], &["web-visitor-alice"]].concat())
            .contains("error[PERMISSION_DENIED]")
    );

    let none = find(&["oauth", "--peer-id", "nobody", "--limit", "50"]);
    assert_eq!(of(&none, "viking://user"), 0, "{none:#}");
    assert!(of(&none, "viking://resources/docs") > 0 && of(&none, "viking://agent") > 0);
    assert_eq!(none["skipped"][0]["step"], "actor_peer");
}

#[test]
fn a_target_need_not_have_all_that_a_peer_could_see() {
    let own = ["--uri", "viking://user/ben", "--user", "ben"];
    let found = find(&[&["authentication"][..], &own, &["--peer-id", "nobody"]].concat());
    assert_eq!(
        uris(&found["results"]).len(),
        2,
        "ben has neither resources nor skills: {found:#}"
    );
    assert_eq!(found["skipped"][0]["step"], "actor_peer");
    let peers = ["x", "--uri", "viking://~/peers/nobody", "--user", "ben"];
    assert!(code("find", &peers).contains("error[NOT_FOUND]"));
}

#[test]
fn search_as_printed() {
    let flow = call(
        "search",
        &["how to implement OAuth 2.0 authorization code flow"],
    );
    assert_eq!(
        uris(&flow["resources"])[0],
        "viking://resources/docs/oauth.md"
    );
    assert_eq!(
        flow["query_plan"]["queries"].as_array().map(Vec::len),
        Some(1)
    );
    let period = [
        "watch vs scheduled",
        "--after",
        "2026-03-15",
        "--before",
        "2026-03-20",
    ];
    let found = call("search", &period);
    assert_eq!(
        uris(&found["resources"])[0],
        "viking://resources/docs/watch.md"
    );
    let memory = "viking://user/ann/memories/events/login-page.md";
    assert_eq!(uris(&found["results"]).len(), 2, "{found:#}");
    assert_eq!(uris(&found["memories"]), [memory]);
}

#[test]
fn grep_and_glob_as_printed() {
    let lines = |arguments: &[&str]| call("grep", arguments)["count"].as_u64().expect("a count");
    assert!(lines(&["viking://resources", "authentication"]) > 0);
    let sensitive = lines(&["viking://resources", "AUTHENTICATION"]);
    let insensitive = lines(&["viking://resources", "AUTHENTICATION", "--ignore-case"]);
    assert_eq!((sensitive, insensitive > 0), (0, true));
    assert_eq!(
        lines(&["viking://resources", "TODO", "--level-limit", "3"]),
        1
    );
    assert_eq!(lines(&["TODO", "viking://resources"]), 1);
    assert_eq!(lines(&["viking://user", "TODO"]), 0);
    let pages = call("glob", &["**/*.md", "--uri", "viking://resources"]);
    assert!(pages["count"].as_u64() > Some(5));
    assert_eq!(pages, call("glob", &["**/*.md", "viking://resources"]));
    assert_eq!(call("glob", &["**/*.py"])["count"], 0);
}

#[test]
fn results_are_read_step_by_step() {
    let uri = &uris(&find(&["authentication", "--type", "resource"])["resources"])[0].to_owned();
    assert_eq!(uri, AUTH);
    assert!(
        call("read", &[uri])["text"]
            .as_str()
            .expect("a text")
            .contains("argon2")
    );
    let above = call("overview", &["viking://resources/docs"]);
    assert!(
        above["text"]
            .as_str()
            .expect("a text")
            .contains("Authentication")
    );
    let related = call("relations", &["viking://resources/docs/oauth.md"]);
    assert!(uris(&related).contains(&AUTH), "{related:#}");
}

#[test]
fn download_has_json_too() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (page, bundle) = (folder.path().join("in/a.md"), folder.path().join("bundle"));
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::write(&page, "# A\n\nfoobar").expect("written");
    let out = folder.path().join("out.md");
    let keeping = [
        "build",
        text(page.parent().expect("in")),
        "--out",
        text(&bundle),
        "--quiet",
    ];
    ok(keeping.iter().chain(&["--name", "n", "--keep-source"]));
    let uri = "viking://resources/n/a.md";
    let download = ["download", text(&bundle), uri, "--json"];
    let whole = ok(download).json();
    assert_eq!(
        whole,
        serde_json::json!({"uri": uri, "size": 11, "base64": "IyBBCgpmb29iYXI="})
    );
    let written = ok(download.iter().chain(&["--out", text(&out)])).json();
    assert_eq!(
        written,
        serde_json::json!({"uri": uri, "size": 11, "out": text(&out)})
    );
    assert_eq!(fs::read(&out).expect("written"), b"# A\n\nfoobar");
}

#[test]
fn the_second_page_goes_on_where_the_first_ended() {
    let page = |command: &str, offset: &str, limit: &str| {
        let answer = call(
            command,
            &[
                "oauth", "--offset", offset, "--limit", limit, "--mode", "quick",
            ],
        );
        uris(&answer["results"])
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for command in ["find", "search"] {
        let long = page(command, "0", "10");
        let pages = [page(command, "0", "5"), page(command, "5", "5")].concat();
        assert_eq!(pages, long, "{command}");
    }
}

#[test]
fn json_has_the_lists_the_plan_and_the_results_of_queries() {
    let found = find(&["oauth", "--user", "ann", "--provenance", "--trace"]);
    let lists = ["memories", "resources", "skills"].map(|name| uris(&found[name]));
    let mut all = lists.concat();
    let mut results = uris(&found["results"]);
    assert!(lists.iter().all(|list| !list.is_empty()), "{found:#}");
    assert_eq!(found["total"], all.len());
    all.sort_unstable();
    results.sort_unstable();
    assert_eq!(all, results);
    let told = &found["provenance"][0];
    assert_eq!(told["query"], "oauth");
    assert_eq!(
        told["searched_directories"],
        serde_json::json!([
            "viking://user/ann",
            "viking://resources",
            "viking://agent/skills"
        ])
    );
    assert_eq!(uris(&told["matched_contexts"]), uris(&found["results"]));
    assert_eq!(told["matched_contexts"][0]["tier"], "L2");
    assert_eq!(told["thinking_trace"]["events"], found["trace"]["events"]);
    assert!(told["thinking_trace"]["statistics"]["directories_searched"].as_u64() > Some(0));
    let searched = call(
        "search",
        &["oauth", "--user", "ann", "--provenance", "--trace"],
    );
    assert_eq!(searched["results"], found["results"]);
    assert_eq!(
        searched["query_results"][0]["query"],
        searched["query_plan"]["queries"][0]
    );
    assert_eq!(searched["query_results"][0]["trace"], found["trace"]);
    assert_eq!(
        searched["provenance"][0]["searched_directories"],
        told["searched_directories"]
    );
    let plain = call("search", &["oauth"]);
    assert!(plain.get("query_results").is_none() && plain.get("provenance").is_none());
}

#[test]
fn uses_are_read_from_front_matter_and_weighed_on_request() {
    let style = "viking://user/ann/memories/preferences/code-style.md";
    let filter = r#"{"op": "range", "field": "active_count", "gte": 10}"#;
    assert_eq!(
        uris(&find(&["preferences", "--filter", filter])["results"]),
        [style]
    );
    let plain = find(&["preferences", "--mode", "quick"]);
    let warm = find(&[
        "preferences",
        "--mode",
        "quick",
        "--hotness",
        "1",
        "--explain",
    ]);
    assert_eq!(uris(&plain["results"]).len(), uris(&warm["results"]).len());
    let rows = warm["results"].as_array().expect("a list");
    for row in rows {
        assert_eq!(row["score"], row["explain"]["hotness"], "{row:#}");
    }
    assert!(code("find", &["preferences", "--hotness", "2"]).contains("error[INVALID_ARGUMENT]"));
}
