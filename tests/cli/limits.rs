//! Sizes and shapes that nobody writes by hand: told in a line, or cut and said to be cut.

use super::{Site, knarr, ok};
use serde_json::json;

/// A bundle of JSON lines, each an id, a title and a text.
fn built(site: &Site, rows: &[(&str, &str, &str)]) -> String {
    let lines = rows.iter().map(|(id, title, text)| {
        json!({"id": id, "title": title, "text": text}).to_string() + "\n"
    });
    let input = site.write("rows.jsonl", &lines.collect::<String>());
    let out = site.path("b");
    ok(["build", &input, "--out", &out, "--quiet"]);
    out
}

#[test]
fn names_and_titles_of_any_length_are_printed() {
    let site = Site::new();
    let long = "Y".repeat(70_000);
    let bundle = built(&site, &[("b", &long, "words"), ("c", "short", "words")]);
    let uri = "viking://resources/rows/b.md";
    assert!(ok(["stat", &bundle, uri]).out.contains(&long));
    assert!(
        ok(["ls", &bundle, "viking://resources/rows"])
            .out
            .contains("c.md")
    );
    ok(["inspect", &bundle]);
    ok(["find", &bundle, "words"]);
}

#[test]
fn a_path_too_deep_or_not_a_path_is_left_out_and_named() {
    let site = Site::new();
    let deep = format!("{}x", "a/".repeat(40_250));
    let rows = json!({"id": deep, "text": "w"}).to_string()
        + "\n{\"id\": \"a:1\", \"text\": \"zebra\"}\n{\"id\": \"a//b\", \"text\": \"w\"}\n";
    let input = site.write("d.jsonl", &rows);
    let out = site.path("d");
    let built = ok(["build", &input, "--out", &out, "--json"]).json();
    assert_eq!(built["skipped"], json!({"too-deep": 1, "bad-name": 1}));
    let found = ok(["find", &out, "zebra", "--json"]).json();
    let uri = found["results"][0]["uri"].as_str().expect("a result");
    assert!(ok(["read", &out, uri]).out.contains("zebra"));
}

#[test]
fn two_pages_of_one_place_are_named() {
    let site = Site::new();
    for folder in ["a", "b"] {
        std::fs::create_dir_all(site.path(&format!("in/{folder}"))).expect("made");
        site.write(&format!("in/{folder}/x.md"), &format!("From {folder}."));
    }
    let mounts = ["a", "b"].map(|folder| format!("--mount={folder}=viking://resources/same"));
    let (input, out) = (site.path("in"), site.path("out"));
    let built = ok([
        "build", &input, "--out", &out, "--json", &mounts[0], &mounts[1],
    ])
    .json();
    assert_eq!(built["files"], 1);
    assert_eq!(built["skipped_files"][0]["path"], "b/x.md");
}

#[test]
fn a_listing_that_is_cut_says_so() {
    let site = Site::new();
    let bundle = built(
        &site,
        &[
            ("a/b/c/d/e", "t", "zebra"),
            ("f", "t", "zebra"),
            ("g", "t", "zebra"),
        ],
    );
    let root = "viking://resources/rows";
    let says = |arguments: &[&str], message: &str| {
        let ended = ok(arguments);
        let said = ended.err.lines().next().unwrap_or_default();
        assert_eq!(said, message, "{arguments:?}");
        ended.out.lines().count()
    };
    assert_eq!(says(&["ls", &bundle, root], ""), 3);
    assert_eq!(says(&["ls", &bundle, root, "--limit", "3"], ""), 3);
    let stopped = "stopped after 2 rows; --limit allows more, --offset 2 gives those that follow";
    assert_eq!(says(&["ls", &bundle, root, "--limit", "2"], stopped), 2);
    let stopped = "stopped after 1 row; --limit allows more, --offset 1 gives those that follow";
    assert_eq!(says(&["ls", &bundle, root, "--limit", "1"], stopped), 1);
    let deeper = "what lies more than 3 levels down is not shown; --depth allows more";
    assert_eq!(says(&["tree", &bundle, root], deeper), 6);
    assert_eq!(says(&["tree", &bundle, root, "--depth", "5"], ""), 8);
    let stopped = "stopped after 4 rows; --limit allows more, --offset 4 gives those that follow";
    assert_eq!(
        says(
            &["tree", &bundle, root, "--depth", "5", "--limit", "4"],
            stopped
        ),
        5
    );
    let deeper = "1 files more than 2 levels down were not looked at; --depth allows more";
    assert_eq!(
        says(&["grep", &bundle, "zebra", root, "--depth", "2"], deeper),
        2
    );
    assert_eq!(says(&["grep", &bundle, "zebra", root], ""), 3);
}

#[test]
fn what_the_arguments_lack_is_one_line() {
    let site = Site::new();
    let bundle = &site.bundle();
    for arguments in [
        &["find"][..],
        &["find", bundle, "a", "--limi", "3"],
        &["find", bundle, "a", "--limit", "0"],
        &["find", bundle, "a", "--limit", "-1"],
        &["find", bundle, "a", "--mode", "deep"],
        &["fnd"],
        &["build"],
        &["build", bundle, "--out", "x", "--quiet", "--verbose"],
        &["stat", bundle, &format!("viking://{}", "x".repeat(100_000))],
        &["glob", bundle, &"{a,".repeat(1_000)],
    ] {
        let ended = knarr(arguments);
        assert_eq!(ended.code, 2, "{arguments:.80?}");
        let is_line = ended.err.lines().count() == 1 && ended.err.len() < 400;
        assert!(is_line && ended.err.starts_with("error["), "{}", ended.err);
    }
}

#[test]
fn the_root_has_a_name_in_its_overview() {
    let overview = ok(["overview", &Site::new().bundle(), "viking://"]).out;
    assert!(overview.starts_with("# viking://\n"), "{overview}");
}
