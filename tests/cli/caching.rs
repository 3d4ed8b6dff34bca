//! Builds that do again only what changed, and shards that are merged: the bytes are those of one full build.

use super::{knarr, ok, text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The files of a bundle by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let named = paths.map(|path| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (name, fs::read(&path).expect("a file"))
    });
    named.collect()
}

fn page(number: usize, edition: usize) -> String {
    let words = [
        "gateway", "sensor", "harvest", "meadow", "lantern", "quarry", "timber",
    ];
    let word = |at: usize| words[(number * 3 + edition * 5 + at) % words.len()];
    let body: Vec<String> = (0..6)
        .map(|at| {
            format!(
                "The {} of page {number} holds the {} of edition {edition}.",
                word(at),
                word(at + 2)
            )
        })
        .collect();
    // A line that all pages share is in no summary: pages that change it change those of the others.
    let shared = if edition % 3 == 2 {
        ""
    } else {
        "This site is kept by the guild of lanterns."
    };
    if number.is_multiple_of(2) {
        format!(
            "<html lang=en><title>{} {number}</title><main><h1>{} {number}</h1><p>{shared}<p>{}<a href=p{}.html>next</a></main>",
            word(0),
            word(0),
            body.join("<p>"),
            number + 2
        )
    } else {
        format!(
            "# {} {number}\n\n{shared}\n\n## More\n\n{}\n",
            word(1),
            body.join("\n\n")
        )
    }
}

fn path(folder: &Path, number: usize) -> std::path::PathBuf {
    let extension = if number.is_multiple_of(2) {
        "html"
    } else {
        "md"
    };
    folder
        .join(["", "guide"][number / 2 % 2])
        .join(format!("p{number}.{extension}"))
}

fn write(folder: &Path, number: usize, edition: usize) {
    let path = path(folder, number);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, page(number, edition)).expect("written");
}

/// Builds with a cache and without; the bundles have to be the same.
fn same(site: &Path, scratch: &Path, options: &[&str]) -> String {
    let (with, without) = (scratch.join("with"), scratch.join("without"));
    let cache = scratch.join("cache");
    let build = |out: &Path, more: &[&str]| {
        let words = [
            "build",
            text(site),
            "--name",
            "docs",
            "--packs",
            "--out",
            text(out),
        ];
        ok(words.iter().chain(options).chain(more)).err
    };
    let said = build(&with, &["--cache", text(&cache)]);
    build(&without, &[]);
    assert!(
        files(&with) == files(&without),
        "the bytes differ: {options:?}"
    );
    said
}

#[test]
fn a_build_with_a_cache_has_the_bytes_of_one_without() {
    let scratch = TempDir::new().expect("a scratch folder");
    let site = scratch.path().join("site");
    (0..12).for_each(|number| write(&site, number, 0));
    same(&site, scratch.path(), &[]);
    let mut state = 5usize;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut there = 12;
    for edition in 1..9 {
        for _ in 0..1 + random(3) {
            match random(4) {
                0 => {
                    write(&site, there, edition);
                    there += 1;
                }
                1 => drop(fs::remove_file(path(&site, random(there)))),
                _ => write(&site, random(there), edition),
            }
        }
        let options: &[&str] = match edition {
            5 => &["--keep-source", "--graph"],
            6 => &["--exclude-selectors", "a", "--dims", "0"],
            _ => &[],
        };
        let said = same(&site, scratch.path(), options);
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn a_cache_that_is_of_no_use_is_noted_and_replaced() {
    let scratch = TempDir::new().expect("a scratch folder");
    let site = scratch.path().join("site");
    (0..4).for_each(|number| write(&site, number, 0));
    same(&site, scratch.path(), &[]);
    let cache = scratch.path().join("cache/pages.cache");
    let whole = fs::read(&cache).expect("a cache");
    for damaged in [&whole[..whole.len() / 2], b"mine", b""] {
        fs::write(&cache, damaged).expect("damaged");
        let said = same(&site, scratch.path(), &[]);
        assert!(said.contains("is made anew"), "{said}");
        assert_eq!(fs::read(&cache).expect("a cache").len(), whole.len());
        assert!(!same(&site, scratch.path(), &[]).contains("warning"));
    }
    // A folder that cannot be one.
    fs::remove_dir_all(scratch.path().join("cache")).expect("removed");
    fs::write(scratch.path().join("cache"), "mine").expect("written");
    let said = same(&site, scratch.path(), &[]);
    assert!(said.contains("no cache of pages"), "{said}");
}

/// Reads parts of a site apart; returns the folders of the shards.
fn shards(site: &Path, scratch: &Path, parts: &[&[&str]], options: &[&str]) -> Vec<String> {
    let parts = parts.iter().enumerate();
    let made = parts.map(|(number, globs)| {
        let shard = scratch.join(format!("shard{number}"));
        let out = scratch.join(format!("part{number}"));
        let words = [
            "build",
            text(site),
            "--name",
            "docs",
            "--packs",
            "--out",
            text(&out),
        ];
        ok(words
            .iter()
            .chain(options)
            .chain(*globs)
            .chain(&["--cache", text(&shard)]));
        text(&shard).to_owned()
    });
    made.collect()
}

#[test]
fn merged_shards_have_the_bytes_of_one_build() {
    let scratch = TempDir::new().expect("a scratch folder");
    let own = scratch.path().join("site");
    (0..14).for_each(|number| write(&own, number, number % 4));
    fs::write(own.join("guide/.abstract.md"), "All that a guide says.").expect("written");
    let guide: [&[&str]; 2] = [&["--include", "guide/"], &["--exclude", "guide/"]];
    for (site, options) in [
        (own, &[][..]),
        (super::corpus(), &["--graph", "--keep-source"]),
    ] {
        let whole = scratch.path().join("whole");
        let words = [
            "build",
            text(&site),
            "--name",
            "docs",
            "--packs",
            "--out",
            text(&whole),
        ];
        ok(words.iter().chain(options));
        let shards = shards(&site, scratch.path(), &guide, options);
        let merged = scratch.path().join("merged");
        // In any order.
        let words = ["merge", &shards[1], &shards[0], "--out", text(&merged)];
        let report = ok(words.into_iter().chain(["--json"])).json();
        assert_eq!(
            (&report["name"], &report["out"]),
            (&"docs".into(), &text(&merged).into())
        );
        assert!(files(&whole) == files(&merged), "{}", site.display());
    }
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let scratch = TempDir::new().expect("a scratch folder");
    let site = scratch.path().join("site");
    (0..6).for_each(|number| write(&site, number, 0));
    let out = scratch.path().join("merged");
    let all = shards(&site, scratch.path(), &[&[], &[]], &[]);
    let refused = knarr(["merge", &all[0], &all[1], "--out", text(&out)]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("a page belongs to one shard"),
        "{}",
        refused.err
    );
    for (option, value) in [("--dims", "0"), ("--max-file-bytes", "100000")] {
        let apart: [&[&str]; 2] = [
            &["--exclude", "guide/"],
            &["--include", "guide/", option, value],
        ];
        let mixed = shards(&site, scratch.path(), &apart, &[]);
        let refused = knarr(["merge", &mixed[0], &mixed[1], "--out", text(&out)]);
        assert!(
            refused.err.contains("with other options"),
            "{option}: {}",
            refused.err
        );
    }
    let none = knarr(["merge", text(&site), "--out", text(&out)]);
    assert!(
        none.err.contains("FAILED_PRECONDITION") && none.err.contains("is no shard"),
        "{}",
        none.err
    );
    assert!(!out.exists());
}

#[test]
fn a_shard_whose_pages_are_gone_is_none() {
    let scratch = TempDir::new().expect("a scratch folder");
    let (site, cache) = (scratch.path().join("site"), scratch.path().join("cache"));
    let out = scratch.path().join("out");
    fs::create_dir(&site).expect("made");
    fs::write(site.join("tea.md"), "# Tea\n\nTea grows.\n").expect("written");
    let words = [
        "build",
        text(&site),
        "--cache",
        text(&cache),
        "--out",
        text(&out),
    ];
    ok(words);
    fs::remove_file(site.join("tea.md")).expect("removed");
    assert_eq!(knarr(words).code, 1);
    let merged = scratch.path().join("merged");
    let ended = knarr(["merge", text(&cache), "--out", text(&merged)]);
    assert!(ended.err.contains("is no shard"), "{}", ended.err);
    fs::write(site.join("tea.md"), "# Tea\n\nTea grows.\n").expect("written");
    ok(words);
    ok(["merge", text(&cache), "--out", text(&merged)]);
}
