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
