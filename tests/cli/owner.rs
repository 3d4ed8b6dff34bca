//! The file of a site's owner, and what is told of it.

use super::{Site, knarr, ok};
use serde_json::json;

/// A site with a file of its owner.
fn site(own: &str) -> Site {
    let site = Site::new();
    for name in ["install", "other", "drafts/next"] {
        let page = format!("<title>{name}</title><main><p>A page of {name}.</p></main>");
        site.write(&format!("in/{name}.html"), &page);
    }
    site.write("in/knarr.json", own);
    site
}

#[test]
fn a_file_that_hides_every_page_is_told() {
    let said = |own: &str| {
        let site = site(own);
        let built = ok(["build", &site.path("in"), "--out", &site.path("out")]);
        built.err.contains("every page of the bundle is hidden")
    };
    assert!(said(r#"{"hidden": ["**"]}"#));
    assert!(!said(r#"{"hidden": ["drafts/**"]}"#));
}

#[test]
fn a_file_without_end_is_refused() {
    let zeros = "/dev/zero";
    if std::path::Path::new(zeros).exists() {
        let site = site("{}");
        let (input, out) = (site.path("in"), site.path("out"));
        let ended = knarr(["build", &input, "--out", &out, "--site-file", zeros]);
        assert!(ended.err.contains("longer than 16 MB"), "{}", ended.err);
    }
}

#[test]
fn a_key_that_stands_twice_is_an_error() {
    for (own, key, line) in [
        ("{\"hidden\": [\"a\"],\n\"hidden\": [\"b\"]}", "hidden", 2),
        (
            "{\"weights\": {\"a.html\": 0.5,\n\n\"a.html\": 2}}",
            "a.html",
            3,
        ),
    ] {
        let site = site(own);
        let built = knarr(["build", &site.path("in"), "--out", &site.path("out")]);
        assert_eq!(built.code, 1, "{}", built.err);
        let said = format!("knarr.json: \"{key}\" stands twice at line {line} ");
        assert!(built.err.contains(&said), "{}", built.err);
    }
}

#[test]
fn globs_of_no_page_are_told() {
    let own = "{\n\"weights\": {\"blog/**\": 0.5, \"other.html\": 2},\n\"hidden\": [\"drafts\",\n\"draft/**\"]\n}";
    let site = site(own);
    let (input, out, cache) = (site.path("in"), site.path("out"), site.path("cache"));
    let file = format!("{input}/knarr.json");
    let wanted = [
        format!("{file}, line 2, \"weights\", \"blog/**\": no page of the bundle has such a file"),
        format!("{file}, line 4, \"hidden\", \"draft/**\": no page of the bundle has such a file"),
    ];
    let built = ok(["build", &input, "--out", &out, "--cache", &cache]);
    for warning in &wanted {
        let warning = format!("warning: {warning}");
        assert!(
            built.err.lines().any(|line| line == warning),
            "{}",
            built.err
        );
    }
    let told = ok(["build", &input, "--out", &out, "--json"]).json();
    assert_eq!(told["warnings"], json!(wanted));
    let merged = ok(["merge", &cache, "--out", &out, "--site-file", &file]);
    assert!(merged.err.contains("warning: "), "{}", merged.err);
    assert_eq!(ok(["build", &input, "--out", &out, "--quiet"]).err, "");
}

#[test]
fn inspect_tells_what_the_owner_says_of_each_page() {
    let own = r#"{"weights": {"*.html": 0.5, "other.html": 3}, "hidden": ["drafts"],
        "pins": {"Where to begin?": ["install.html"]}, "aliases": {"install.html": ["setup"]}}"#;
    let site = site(own);
    site.write(
        "in/guide/heavy.htm",
        "<title>Heavy</title><body data-knarr-weight=2><main><p>A page of weights.</p></main>",
    );
    let out = site.path("out");
    ok(["build", &site.path("in"), "--out", &out, "--quiet"]);
    let pages = ok(["inspect", &out, "--pages", "--json"]).json();
    let told = |page: &str| {
        let of = |key: &str| pages[page][key].clone();
        json!([of("hidden"), of("weight"), of("first_for"), of("aliases")])
    };
    let wanted = json!([null, 0.5, ["Where to begin?"], ["setup"]]);
    assert_eq!(told("install.html"), wanted);
    assert_eq!(told("other.html"), json!([null, 1.5, null, null]));
    assert_eq!(told("guide/heavy.htm"), json!([null, 2.0, null, null]));
    assert_eq!(told("drafts/next.html")[0], true);
    let table = ok(["inspect", &out, "--pages"]).out;
    let row = |page: &str| {
        let row = table.lines().find(|line| line.starts_with(page));
        row.unwrap_or_else(|| panic!("{page}: {table}")).to_owned()
    };
    let words = "weight 0.5; first for \"Where to begin?\"; also called \"setup\"";
    assert!(row("install.html").ends_with(words), "{table}");
    assert!(row("drafts/next.html").contains("hidden"), "{table}");
    assert_eq!(knarr(["find", &out, "next"]).out.matches("next").count(), 0);
}

#[test]
fn a_part_of_the_site_need_not_have_every_page_that_is_named() {
    let own = "{\n\"pins\": {\"begin\": [\"install.html\"]},\n\"aliases\": {\"drafts/next.html\": [\"plans\"]}\n}";
    let site = site(own);
    let (input, out) = (site.path("in"), site.path("out"));
    let file = format!("{input}/knarr.json");
    let shards = [("one", "--include", 2), ("two", "--exclude", 3)].map(|(name, option, line)| {
        let (part, shard) = (site.path(&format!("{name}-out")), site.path(name));
        let built = ok([
            "build", &input, option, "drafts/", "--out", &part, "--cache", &shard, "--name", "docs",
        ]);
        let lines = built
            .err
            .lines()
            .filter(|told| told.contains("no page that this build reads"));
        let wanted = format!("warning: {file}, line {line}, ");
        let lines: Vec<&str> = lines.collect();
        assert!(
            lines.len() == 1 && lines[0].starts_with(&wanted),
            "{}",
            built.err
        );
        shard
    });
    let merge = ["merge", &shards[0], &shards[1], "--out", &out];
    let without = ok(merge);
    assert!(
        without.err.contains("name it with --site-file"),
        "{}",
        without.err
    );
    let with = ok([&merge[..], &["--site-file", &file]].concat());
    assert!(!with.err.contains("warning"), "{}", with.err);
    let whole = site.path("whole");
    ok(["build", &input, "--out", &whole, "--name", "docs"]);
    let read = |folder: &str| std::fs::read(format!("{folder}/index.knarr")).expect("a bundle");
    assert!(read(&out) == read(&whole));
    // In a build of all pages it is a mistake, and so is a section.
    for (own, options) in [
        ("{\"pins\": {\"begin\": [\"instal.html\"]}}", &[][..]),
        (
            "{\"pins\": {\"begin\": [\"install.html#x\"]}}",
            &["--exclude", "drafts/"],
        ),
    ] {
        site.write("in/knarr.json", own);
        let refused = knarr([&["build", &input, "--out", &out][..], options].concat());
        assert!(refused.err.contains("error["), "{}", refused.err);
    }
}
