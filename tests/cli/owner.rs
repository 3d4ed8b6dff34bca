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
