//! What a head weighs, whatever a site's addresses look like.

use crate::support::{self, Script};
use knarr::bundle::Head;
use knarr::engine::HEAD_FILE;
use knarr::indexer::site::SiteOptions;
use knarr::indexer::{BuildOptions, Builder};
use knarr::{FindOptions, Knarr};
use pollster::block_on;

const PAGES: usize = 600;

/// Builds pages of a made manual; `path` gives each its file, by its number.
fn manual(path: impl Fn(usize) -> String) -> Script {
    manual_with(path, false)
}

fn manual_with(path: impl Fn(usize) -> String, large_packs: bool) -> Script {
    let mut builder = Builder::new(BuildOptions {
        name: "m".into(),
        large_packs,
        single_file: Some(false),
        // As on a large site: a question looks at the vectors of a few blocks.
        probes: Some(4),
        site: Some(SiteOptions::default()),
        ..BuildOptions::default()
    })
    .unwrap();
    let parts = [
        "gateway", "buoy", "ledger", "harbor", "tide", "signal", "chart",
    ];
    for i in 0..PAGES {
        let (part, other) = (parts[i % 7], parts[i / 7 % 7]);
        let title = format!("The {part} and the {other}, part {i}");
        let text = format!(
            "Step {i} connects the {part} with the {other} of station {}.",
            i % 41
        );
        builder.add(support::page(&path(i), &title, &text)).unwrap();
    }
    Script::built(builder)
}

fn head_of(host: &Script) -> Head {
    Head::decode(&host.files[HEAD_FILE]).unwrap()
}

/// URIs, scores and addresses of an answer.
fn rows(host: &Script, query: &str) -> Vec<(String, String, String)> {
    let bundle = block_on(Knarr::open(host)).unwrap();
    let found = block_on(bundle.find(host, query, &FindOptions::default())).unwrap();
    let row = |r: &knarr::MatchedContext| (r.uri.clone(), r.score.to_string(), r.url.clone());
    found.resources.iter().map(row).collect()
}

#[test]
fn pages_in_folders_of_their_own_weigh_and_rank_as_files_do() {
    let files = manual(|i| format!("part-{}/page-{i}.html", i % 5));
    let folders = manual(|i| format!("part-{}/page-{i}/index.html", i % 5));
    let bytes = |host: &Script| host.files[HEAD_FILE].len();
    let (plain, pretty) = (bytes(&files), bytes(&folders));
    assert!(plain.abs_diff(pretty) <= 16, "{plain} and {pretty} bytes");
    // 5 bytes a page: 50 kB for 10,000.
    assert!(pretty <= 5 * PAGES, "{pretty} bytes for {PAGES} pages");
    for query in [
        "gateway of station 3",
        "connect the buoy",
        "tide part 77",
        "harbour signals",
    ] {
        let (plain, pretty) = (rows(&files, query), rows(&folders, query));
        assert!(!plain.is_empty());
        let same = |(uri, score, url): (String, String, String)| {
            (uri, score, [url.trim_end_matches(".html"), "/"].concat())
        };
        assert_eq!(plain.into_iter().map(same).collect::<Vec<_>>(), pretty);
    }
    let bundle = block_on(Knarr::open(&folders)).unwrap();
    let uri = "viking://resources/m/part-2/page-7.html";
    let entries = block_on(bundle.ls(&folders, "viking://resources/m/part-2", &Default::default()));
    assert!(entries.unwrap().iter().any(|e| e.uri == uri && !e.is_dir));
    let text = block_on(bundle.read(&folders, uri, &Default::default())).unwrap();
    assert!(text.contains("Step 7 connects"), "{text}");
}

/// Directories that are more than one page have a place in the head each, and their vectors elsewhere.
#[test]
fn a_directory_costs_the_head_a_few_bytes() {
    let flat = manual(|i| format!("all/page-{i}.html"));
    let deep = manual(|i| format!("part-{}/page-{i}.html", i / 2));
    let more = head_of(&deep).directories.len() - head_of(&flat).directories.len();
    let bytes = deep.files[HEAD_FILE].len() - flat.files[HEAD_FILE].len();
    assert_eq!(more, PAGES / 2 - 1);
    assert!(bytes <= 8 * more, "{bytes} bytes for {more} directories");
}

#[test]
fn large_packs_are_few_and_answer_the_same() {
    let path = |i| format!("part-{}/page-{i}.html", i % 5);
    let (small, large) = (manual(path), manual_with(path, true));
    // Parts, general words, texts, and the head.
    assert_eq!(large.files.len(), 4);
    assert!(small.files.len() > 4);
    assert!(head_of(&large).parameters.joins_ranges);
    assert!(!head_of(&small).parameters.joins_ranges);
    for query in ["gateway and the buoy", "station 7", "ledgr"] {
        assert_eq!(rows(&large, query), rows(&small, query), "{query}");
    }
}
