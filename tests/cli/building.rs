//! `knarr build`.

use super::{Site, corpus, knarr, ok, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| {
            (
                entry.file_name().to_string_lossy().into_owned(),
                fs::read(entry.path()).expect("a file"),
            )
        })
        .collect()
}

#[test]
fn the_summary_counts_what_was_indexed_and_what_was_left_out() {
    let site = Site::new();
    let built = ok([
        "build",
        text(&corpus()),
        "--out",
        &site.path("other"),
        "--json",
        "--name",
        "harbour",
    ])
    .json();
    let pages = built["files"].as_u64().expect("a count");
    assert!(pages >= 13, "{built}");
    assert_eq!(built["skipped"]["redirect"], 1);
    assert_eq!(built["skipped_files"][0]["path"], "blog/moved.html");
    assert_eq!(built["bundle_files"], 1, "a small site is one file");
    let bytes = |name: &str| built[name].as_u64().expect("a count");
    assert!(bytes("head_bytes") <= bytes("first_search_bytes"));
    assert!(bytes("first_search_bytes") <= bytes("bundle_bytes"));
    let told = ok([
        "build",
        text(&corpus()),
        "--out",
        &site.path("packs"),
        "--packs",
    ])
    .out;
    let of = |name: &str| {
        let line = told.lines().find(|line| line.starts_with(name));
        let kb = line.and_then(|line| line.split_whitespace().rev().nth(1)?.parse::<f32>().ok());
        kb.unwrap_or_else(|| panic!("{name} in kB: {told}"))
    };
    let (first, all) = (of("first search loads"), of("bundle "));
    assert!(0.0 < first && first < all, "{told}");
    let inspected = ok(["inspect", &site.path("other"), "--json"]).json();
    assert_eq!(inspected["files"].as_u64(), Some(pages));
    assert_eq!(inspected["name"], "harbour");
}

#[test]
fn quiet_says_nothing_and_verbose_names_what_was_left_out() {
    let site = Site::new();
    let quiet = ok([
        "build",
        text(&corpus()),
        "--out",
        &site.path("q"),
        "--quiet",
    ]);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let verbose = ok([
        "build",
        text(&corpus()),
        "--out",
        &site.path("v"),
        "--verbose",
    ]);
    assert!(
        verbose.err.contains("blog/moved.html: it only redirects"),
        "{}",
        verbose.err
    );
    assert!(verbose.out.contains("sections"), "{}", verbose.out);
}

#[test]
fn one_core_and_many_build_the_same_bytes() {
    let site = Site::new();
    for (threads, out) in [("1", "one"), ("4", "four")] {
        let status = Command::new(env!("CARGO_BIN_EXE_knarr"))
            .args([
                "build",
                text(&corpus()),
                "--packs",
                "--quiet",
                "--name",
                "harbour",
                "--out",
            ])
            .arg(site.path(out))
            .env("RAYON_NUM_THREADS", threads)
            .status();
        assert!(status.expect("the binary starts").success());
    }
    let one = files(&site.path("one"));
    assert!(one.len() > 1, "packs were asked for");
    assert_eq!(one, files(&site.path("four")));
}

#[test]
fn building_again_leaves_only_what_the_new_head_names() {
    let site = Site::new();
    let out = site.path("packs");
    ok([
        "build",
        text(&corpus()),
        "--packs",
        "--out",
        &out,
        "--quiet",
    ]);
    fs::write(Path::new(&out).join("robots.txt"), "mine").expect("written");
    let before = files(&out);
    ok([
        "build",
        text(&corpus()),
        "--packs",
        "--out",
        &out,
        "--quiet",
        "--include",
        "guide/**",
    ]);
    let after = files(&out);
    let mut fresh = site.path("fresh");
    ok([
        "build",
        text(&corpus()),
        "--packs",
        "--out",
        &fresh,
        "--quiet",
        "--include",
        "guide/**",
    ]);
    let mut expected = files(&fresh);
    expected.insert("robots.txt".into(), b"mine".to_vec());
    assert_ne!(before, after);
    assert_eq!(after, expected);
    fresh.push_str("/index.knarr");
    assert!(Path::new(&fresh).exists());
}

#[test]
fn a_slash_behind_the_name_of_a_file_is_none_of_it() {
    let site = Site::new();
    let out = site.path("site.knarr");
    ok([
        "build",
        text(&corpus()),
        "--out",
        &format!("{out}/"),
        "--quiet",
    ]);
    assert!(Path::new(&out).is_file());
}

#[test]
fn skipped_fields_are_not_read() {
    let site = Site::new();
    let uri = "viking://resources/harbour/reference/errors/h012.md";
    let description = "never heard from it again";
    assert!(
        ok(["abstract", &site.bundle(), uri])
            .out
            .contains(description)
    );
    let bare = site.path("bare");
    let arguments = [
        "--name",
        "harbour",
        "--skip-field",
        "description",
        "keywords",
        "--quiet",
    ];
    ok(["build", text(&corpus()), "--out", &bare]
        .into_iter()
        .chain(arguments));
    assert!(!ok(["abstract", &bare, uri]).out.contains(description));
}

#[test]
fn folders_can_go_to_other_scopes() {
    let site = Site::new();
    let out = site.path("mounted");
    ok([
        "build",
        text(&corpus()),
        "--out",
        &out,
        "--quiet",
        "--mount",
        "reference=viking://agent/skills",
    ]);
    ok(["stat", &out, "viking://agent/skills/configuration.md"]);
    let found = ok(["find", &out, "clock.max_drift", "--json"]).json();
    assert_eq!(found["results"][0]["context_type"], "skill", "{found}");
}

#[test]
fn nothing_to_index_is_a_failure() {
    let site = Site::new();
    let ended = knarr([
        "build",
        text(&corpus()),
        "--out",
        &site.path("none"),
        "--include",
        "*.absent",
    ]);
    assert_eq!(ended.code, 1);
    assert!(
        ended
            .err
            .contains("error[FAILED_PRECONDITION]: nothing to index"),
        "{}",
        ended.err
    );
    assert!(!Path::new(&site.path("none")).exists());
}

#[test]
fn sidecars_of_a_folder_are_its_texts_and_no_documents() {
    let site = Site::new();
    let folder = site.path("docs");
    for below in ["guide", ".git", "empty"] {
        fs::create_dir_all(Path::new(&folder).join(below)).expect("a folder");
    }
    site.write("docs/guide/a.md", "# A\n\nText of a page.\n");
    site.write("docs/.git/b.md", "# B\n");
    site.write(
        "docs/guide/.abstract.md",
        "---\ndirectory: guide\n---\n\nSet by hand.\n",
    );
    site.write("docs/guide/.overview.md", "# Hands\n\nLong by hand.\n");
    site.write("docs/empty/.abstract.md", "About nothing.\n");
    site.write("docs/.abstract.md", "---\ndirectory: docs\nnever closed\n");
    let out = site.path("out");
    let built = ok(["build", &folder, "--out", &out, "--name", "d", "--json"]).json();
    assert_eq!(built["files"], 1);
    assert_eq!(built["directories"], 4, "the folder without pages is none");
    assert_eq!(built["skipped_files"][0]["path"], ".abstract.md");
    assert_eq!(built["skipped_files"][0]["reason"], "open-front-matter");
    let text = |command: &str, uri: &str| ok([command, out.as_str(), uri]).out;
    let guide = "viking://resources/d/guide";
    assert_eq!(text("abstract", guide), "Set by hand.\n");
    assert_eq!(text("overview", guide), "# Hands\n\nLong by hand.\n");
}

#[test]
fn numbers_out_of_range_are_refused_and_the_bundle_stays() {
    let site = Site::new();
    let input = text(&corpus()).to_owned();
    let out = site.path("out");
    ok(["build", &input, "--out", &out, "--quiet"]);
    let before = files(&out);
    for option in [
        "--alpha=2",
        "--alpha=-1",
        "--alpha=1.0000001",
        "--alpha=NaN",
        "--alpha=inf",
        "--bits=5",
        "--bits=256",
        "--dims=100000",
        "--dims=-1",
        "--probes=-1",
        "--probes=4294967296",
        "--max-file-bytes=-1",
        "--max-page-seconds=-1",
    ] {
        let ended = knarr(["build", &input, "--out", &out, option]);
        assert_eq!(ended.code, 2, "{option}: {}", ended.err);
        assert!(
            ended.err.starts_with("error[INVALID_ARGUMENT]"),
            "{option}: {}",
            ended.err
        );
        assert_eq!(files(&out), before, "{option}");
    }
}

#[test]
fn a_damaged_pack_is_repaired_by_the_next_build() {
    let site = Site::new();
    let input = text(&corpus()).to_owned();
    let out = site.path("packs");
    let build = || {
        ok([
            "build", &input, "--packs", "--quiet", "--name", "h", "--out", &out,
        ])
    };
    build();
    let before = files(&out);
    for (name, bytes) in &before {
        fs::write(Path::new(&out).join(name), vec![0; bytes.len()]).expect("damaged");
    }
    assert_ne!(knarr(["find", &out, "sensor"]).code, 0);
    build();
    assert_eq!(files(&out), before);
    ok(["find", &out, "sensor"]);
}

#[test]
fn the_second_build_of_two_says_who_has_the_place() {
    let site = Site::new();
    let out = site.path("out");
    fs::create_dir(&out).expect("made");
    let path = Path::new(&out).join(".knarr-build");
    fs::write(&path, "4711").expect("written");
    let lock = fs::File::open(&path).expect("a file");
    lock.lock().expect("locked");
    let second = knarr(["build", text(&corpus()), "--out", &out]);
    assert_eq!(second.code, 1);
    assert!(
        second
            .err
            .contains("error[FAILED_PRECONDITION]: another build (process 4711)"),
        "{}",
        second.err
    );
    drop(lock);
    let options = ["--quiet", "--one-file"];
    ok([&["build", text(&corpus()), "--out", &out][..], &options].concat());
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["index.knarr"]);
}

#[cfg(unix)]
#[test]
fn links_that_leave_the_input_are_counted_and_named() {
    let site = Site::new();
    fs::create_dir(site.path("in")).expect("made");
    site.write("in/ok.md", "# Zebra");
    let secret = site.write("secret.md", "# T\n\nhidden words");
    std::os::unix::fs::symlink(secret, site.path("in/link.md")).expect("a link");
    let build = |more: &str| ok(["build", &site.path("in"), "--out", &site.path("out"), more]);
    assert!(build("--packs").err.contains("left out: 1 link-out"));
    assert!(
        build("--verbose")
            .err
            .contains("  link.md: it links out of the input")
    );
    assert_eq!(knarr(["grep", &site.path("out"), "hidden"]).out, "");
    build("--follow-links");
    assert!(
        ok(["grep", &site.path("out"), "hidden"])
            .out
            .contains("link.md")
    );
}

#[test]
fn a_page_that_takes_too_long_is_left_out_by_name() {
    let site = Site::new();
    fs::create_dir(site.path("in")).expect("made");
    site.write("in/ok.txt", "Zebra");
    site.write("in/slow.html", "<p>Slow");
    site.write("in/slow.md", "# Slow");
    site.write("in/tangled.html", &"<li><dd>".repeat(8_000));
    let input = site.path("in");
    let out = site.path("out");
    let build = |seconds: &str| {
        let limit = ["--max-page-seconds", seconds];
        let arguments = [
            "build",
            &input,
            "--out",
            &out,
            "--include",
            "*.*",
            "--include",
            "*.txt",
        ];
        ok(arguments.into_iter().chain(limit).chain(["--json"])).json()
    };
    let left_out = |built: &serde_json::Value| {
        let files = built["skipped_files"].as_array().expect("a list").iter();
        let of = |file: &serde_json::Value| {
            format!("{} {}", file["path"], file["reason"]).replace('"', "")
        };
        files.map(of).collect::<Vec<_>>()
    };
    assert_eq!(
        left_out(&build("0")),
        [
            "slow.html too-slow",
            "slow.md too-slow",
            "tangled.html too-slow"
        ]
    );
    assert_eq!(left_out(&build("600")), ["tangled.html too-tangled"]);
}

/// Whatever the names, the front matter and the options: what was built can be asked.
///
/// Names with `#`, `?`, `%` and a letter before a colon are not among them yet.
#[test]
fn what_was_built_answers() {
    const NAMES: [&str; 14] = [
        "a b.md",
        "é.md",
        "x'y.md",
        "a&b.html",
        "中文.md",
        "-dash.md",
        "a+b.md",
        "~t.md",
        "UPPER.MD",
        "a=b.html",
        "a,b.md",
        "(x).md",
        "a\"b.md",
        "$HOME.md",
    ];
    const FRONT: [&str; 12] = [
        "weight: 1e30",
        "weight: -5",
        "weight: .nan",
        "weight: text",
        "title: ''",
        "title: [a, b]",
        "date: 99999-99-99",
        "tags: [a=b, '=', '', x]",
        "category: 'a/b'",
        "lang: xx-invalid-language",
        "description: '&amp; <b>'",
        "keywords: {a: b}",
    ];
    const OPTIONS: [&[&str]; 9] = [
        &["--alpha=0"],
        &["--alpha=1"],
        &["--dims=0"],
        &["--dims=1", "--bits=8"],
        &["--probes=0"],
        &["--probes=4294967295"],
        &["--packs", "--graph"],
        &["--keep-source"],
        &["--base-url", "https://example.org/a?b=c#d"],
    ];
    let mut state = 11u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for options in OPTIONS {
        let site = Site::new();
        let mut folder = Path::new(&site.path("in")).to_path_buf();
        for n in 0..6 {
            fs::create_dir_all(&folder).expect("made");
            let (name, front) = (NAMES[random(NAMES.len())], FRONT[random(FRONT.len())]);
            let page = format!("---\n{front}\n---\n# Page {n}\n\nzebra {name}\n");
            fs::write(folder.join(name), page).expect("written");
            if random(2) == 0 {
                folder.push(format!("{}.d", NAMES[random(NAMES.len())]));
            }
        }
        let (input, out) = (site.path("in"), site.path("out"));
        ok(["build", &input, "--out", &out, "--quiet"]
            .into_iter()
            .chain(options.iter().copied()));
        ok(["inspect", &out]);
        let found = ok(["find", &out, "zebra", "--limit", "50", "--json"]).json();
        let results = found["resources"]
            .as_array()
            .or(found["results"].as_array())
            .expect("results");
        assert!(!results.is_empty(), "{options:?}: {found}");
        for result in results.iter().take(2) {
            let uri = result["uri"].as_str().expect("a URI");
            assert!(ok(["read", &out, uri]).out.contains("zebra"), "{uri}");
            ok(["stat", &out, uri]);
            ok(["ls", &out, uri.rsplit_once('/').expect("a folder").0]);
        }
    }
}

#[test]
fn json_lines_say_place_type_tags_and_times() {
    let site = Site::new();
    let out = site.path("bundle");
    let lines = [
        r#"{"id": "n1", "title": "Harbour note", "text": "The harbour is closed.", "tags": ["kind=note"], "updated_at": "2026-03-02", "mood": "calm"}"#,
        r#"{"uri": "viking://user/bo/memories/a", "text": "Bo prefers the small harbour.", "created_at": 1767225600}"#,
        r#"{"id": "moor", "type": "skill", "text": "Moor a boat in the harbour.", "mood": "calm"}"#,
        r#"{"path": "day/one", "type": "memory", "text": "A day at the harbour.", "color": 1}"#,
    ];
    let input = site.write("notes.jsonl", &lines.join("\n"));
    let built = ok(["build", &input, "--out", &out, "--name", "ann"]);
    for warning in [
        "warning: field `mood` is unknown and left out (2 documents)",
        "warning: field `color` is unknown and left out (1 document)",
    ] {
        assert!(built.err.contains(warning), "{}", built.err);
    }
    let report = ok(["build", &input, "--out", &out, "--name", "ann", "--json"]).json();
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(2));
    let find = |more: &[&str]| {
        let fixed = ["find", &out, "harbour", "--json"];
        let found = ok(fixed.iter().chain(more)).json();
        let mut uris: Vec<_> = super::uris(&found["results"])
            .into_iter()
            .map(str::to_owned)
            .collect();
        uris.sort();
        uris
    };
    let [note, bo, ann, skill] = [
        "viking://resources/ann/n1.md",
        "viking://user/bo/memories/a",
        "viking://user/ann/memories/day/one.md",
        "viking://agent/skills/moor.md",
    ];
    assert_eq!(find(&[]), [skill, note, ann, bo]);
    assert_eq!(find(&["--type", "memory"]), [ann, bo]);
    assert_eq!(find(&["--user", "bo"]), [skill, note, bo]);
    assert_eq!(find(&["--tag", "kind=note"]), [note]);
    assert_eq!(find(&["--since", "2026-01-15"]), [note]);
    assert_eq!(
        find(&[
            "--since",
            "2026-01-01",
            "--until",
            "2026-01-01",
            "--created"
        ]),
        [bo]
    );
    let wrong = site.write(
        "wrong.jsonl",
        r#"{"uri": "viking://resources/a.md", "type": "skill", "text": "x"}"#,
    );
    let failed = knarr(["build", &wrong, "--out", &out]);
    assert!(
        failed.code != 0
            && failed.err.contains(
                "wrong.jsonl, line 1: `viking://resources/a.md` is the place of a resource"
            ),
        "{}",
        failed.err
    );
}

#[test]
fn a_site_file_is_read_and_its_mistakes_are_named() {
    let site = Site::new();
    site.write(
        "in/install.md",
        "# Install\n\nA Kubernetes cluster takes one command.",
    );
    site.write("in/other.md", "# Other\n\nAnother page.");
    let own = r#"{"synonyms": [["k8s", "kubernetes"]], "pins": {"Where to begin?": ["other.md"]}}"#;
    site.write("in/knarr.json", own);
    let (input, out) = (site.path("in"), site.path("out"));
    ok(["build", &input, "--out", &out, "--quiet"]);
    let first = |query: &str| {
        let found = ok(["find", &out, query, "--json"]).json();
        found["resources"][0]["title"].clone()
    };
    assert_eq!(first("k8s"), "Install");
    assert_eq!(first("where to begin"), "Other");
    let bad = site.write("bad.json", "{\n  \"pin\": {}\n}");
    let failed = knarr(["build", &input, "--out", &out, "--site-file", &bad]);
    assert_ne!(failed.code, 0);
    let message = "bad.json, line 2, \"pin\": there is no such key";
    assert!(failed.err.contains("error[INVALID_ARGUMENT]") && failed.err.contains(message));
}
