//! What the owner of a site says of it: synonyms, weights, first pages, other names, hidden pages.

use crate::support::{Script, page};
use knarr::find::ask::filter::Value;
use knarr::indexer::input::{OWNER_FILE, Owner};
use knarr::indexer::{BuildOptions, Builder, Document};
use knarr::{ErrorKind, FindResult, Knarr, find::ask::options::FindOptions};
use pollster::block_on;

fn pages() -> Vec<Document> {
    vec![
        page(
            "install.md",
            "Install",
            "Unpack the archive. Kubernetes clusters take one command.",
        ),
        page("sso.md", "Accounts", "Single sign-on needs a provider."),
        page("radio.md", "Radio", "The gateway joins a wireless network."),
        page(
            "blog/kept.md",
            "Kept",
            "An archive of the gateway, an archive of archives.",
        ),
        page(
            "drafts/next.md",
            "Next",
            "An archive nobody should find: kubernetes.",
        ),
        page("wifi.md", "Wifi", "Wifi is a brand."),
    ]
}

fn built(owner: &str) -> knarr::Result<Script> {
    let mut builder = Builder::new(BuildOptions::default())?;
    builder.owner(Owner::read(OWNER_FILE, owner)?);
    builder.add_batch(pages())?;
    Ok(Script::of(builder.finish(&mut |_, _, _| {})?))
}

fn find(owner: &str, query: &str) -> FindResult {
    let host = built(owner).unwrap();
    let bundle = block_on(Knarr::open(&host)).unwrap();
    block_on(bundle.find(&host, query, &FindOptions::default())).unwrap()
}

fn titles(owner: &str, query: &str) -> Vec<String> {
    let found = find(owner, query).resources.into_iter();
    found.map(|row| row.title).collect()
}

#[test]
fn synonyms_answer_both_ways_or_one() {
    let owner = r#"{"synonyms": [["k8s", "kubernetes"], ["sso", "single sign-on"], {"from": "wlan", "to": ["wireless network"]}]}"#;
    assert_eq!(titles("{}", "k8s"), [""; 0]);
    let mut first: Vec<String> = titles(owner, "k8s").into_iter().take(2).collect();
    first.sort_unstable();
    assert_eq!(first, ["Install", "Next"]);
    assert_eq!(titles(owner, "sso")[0], "Accounts");
    assert_eq!(titles(owner, "wlan")[0], "Radio");
    assert!(find(owner, "wlan").corrections.is_empty());
}

#[test]
fn first_pages_are_first_in_their_order_and_are_answers() {
    let owner = r#"{"pins": {"Getting started": ["radio.md", "install.md"], "zyx": ["wifi.md"]}}"#;
    let found = find(owner, "getting started!");
    let rows: Vec<&str> = found
        .resources
        .iter()
        .map(|row| row.title.as_str())
        .collect();
    assert_eq!(rows[..2], ["Radio", "Install"]);
    assert!(!found.weak && found.resources[0].relevance == 1.0);
    assert_eq!(
        titles(owner, "zyx")[0],
        "Wifi",
        "no word of it is on the site"
    );
    assert_ne!(titles(owner, "archive")[0], "Radio");
    let host = built(owner).unwrap();
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let directories = FindOptions {
        level: Value::from(0_u32),
        ..FindOptions::default()
    };
    let found = block_on(bundle.find(&host, "getting started", &directories)).unwrap();
    assert!(
        found.resources.iter().all(|row| row.level == 0),
        "pages are no directories"
    );
}

#[test]
fn weights_names_and_hidden_pages() {
    assert_eq!(titles("{}", "archive")[0], "Kept");
    let owner = r#"{"weights": {"blog/**": 0.2}, "hidden": ["drafts"], "aliases": {"install.md": ["quick setup"]}}"#;
    assert_eq!(titles(owner, "archive")[0], "Install");
    assert!(!titles(owner, "archive nobody should find").contains(&"Next".to_owned()));
    assert_eq!(titles(owner, "quick setup")[0], "Install");
}

/// The words of an alias stand nowhere on the page: whoever types it, its beginning, a part of it, or it with a mistake or
/// other words, finds the page, and is not told that nothing is about it.
#[test]
fn a_page_is_an_answer_under_its_other_names() {
    let owner = r#"{"aliases": {"install.md": ["zebra settings", "frobnicator"]}}"#;
    for (query, least) in [
        ("zebra settings", 0.9),
        ("Frobnicator", 0.9),
        ("frobnic", 0.5),
        ("frobnicatro", 0.5),
        ("settings", 0.5),
        ("frobnicator archive", 0.9),
    ] {
        let without = find("{}", query);
        assert!(
            without.weak || without.resources.is_empty() || query.contains("archive"),
            "{query}"
        );
        let found = find(owner, query);
        let first = &found.resources[0];
        assert_eq!(
            (first.title.as_str(), found.weak),
            ("Install", false),
            "{query}"
        );
        assert!(first.relevance >= least, "{query}: {}", first.relevance);
    }
}

#[test]
fn a_page_that_is_not_there_is_an_error() {
    let error = built("{\n\"pins\": {\n\"a\": [\"gone.md\"]}}")
        .err()
        .unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(
        error
            .message()
            .starts_with("knarr.json, line 3, \"pins\", \"gone.md\": there is no such page")
    );
    for (owner, wanted) in [
        (
            r##"{"pins": {"a": ["install.md#from"]}}"##,
            "a page is first, and not a section",
        ),
        (
            r#"{"pins": {"a": ["wifi.md"]}, "hidden": ["w*"]}"#,
            "the page is hidden, too",
        ),
    ] {
        let error = built(owner).err().unwrap();
        assert!(error.message().contains(wanted), "{error}");
    }
}
