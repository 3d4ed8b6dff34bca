//! `.ovpack` on the command line.

use super::{Site, corpus, knarr, ok, text};
use crate::packs::Raw;
use knarr::indexer::ovpack::{Limits, Pack};
use std::fs;
use std::io::Cursor;
use std::path::Path;

#[test]
fn a_folder_becomes_a_pack_and_a_bundle_again() {
    let site = Site::new();
    let (first, pack) = (site.path("first"), site.path("a.ovpack"));
    ok([
        "build",
        text(&corpus()),
        "--out",
        &first,
        "--name",
        "harbour",
        "--keep-source",
        "--quiet",
    ]);
    let report = ok(["export", &first, "--ovpack", &pack, "--json"]).json();
    assert_eq!(report["uri"], "viking://resources/harbour");
    assert_eq!(report["extracted_files"], 0);
    let second = site.path("second.knarr");
    let built = ok(["build", &pack, "--out", &second, "--json"]).json();
    assert_eq!(built["name"], "harbour");
    let uri = "viking://resources/harbour/guide/add-a-sensor.md";
    let source = fs::read_to_string(corpus().join("guide/add-a-sensor.md")).expect("a page");
    assert_eq!(ok(["read", &second, uri]).out, source);
    let copy = site.path("copy.md");
    ok(["download", &second, uri, "--out", &copy]);
    assert_eq!(fs::read_to_string(&copy).expect("a copy"), source);
    assert_eq!(ok(["download", &second, uri]).out, source);
    let again = site.path("b.ovpack");
    ok(["export", &second, "--ovpack", &again, "--quiet"]);
    let bytes = |path: &str| fs::read(path).expect("a pack");
    assert_eq!(bytes(&again), bytes(&pack), "pack, bundle, pack");
}

#[test]
fn an_export_that_fails_leaves_the_pack_of_before() {
    let site = Site::new();
    // The name of what is written first is longer than a name may be: it fails as on a full disk.
    let pack = site.write(&format!("{}.ovpack", "a".repeat(240)), "the good one");
    let ended = knarr(["export", &site.bundle(), "--ovpack", &pack]);
    assert!(
        ended.code == 1 && ended.err.contains("cannot write"),
        "{}",
        ended.err
    );
    assert_eq!(fs::read_to_string(&pack).expect("a file"), "the good one");
}

#[test]
fn vectors_of_a_pack_are_taken_and_given_back() {
    let site = Site::new();
    let pack = site.path("a.ovpack");
    fs::write(&pack, pack_with_vectors()).expect("written");
    let plain = site.path("plain.knarr");
    let said = ok(["build", &pack, "--out", &plain]).err;
    assert!(said.contains("--pack-vectors"), "{said}");
    let bundle = site.path("b.knarr");
    let report = ok(["build", &pack, "--out", &bundle, "--pack-vectors", "--json"]).json();
    assert_eq!(report["pack_vectors"]["searched"], true);
    assert_eq!(report["dims"], 3);
    let inspected = ok(["inspect", &bundle, "--json"]).json();
    assert_eq!(inspected["encoder"], "model:m@3");
    let again = site.path("b.ovpack");
    let report = ok(["export", &bundle, "--ovpack", &again, "--vectors", "--json"]).json();
    assert_eq!(report["vectors"], 2);
    let read = |path: &str| {
        let bytes = fs::read(path).expect("a pack");
        Pack::read(Cursor::new(bytes), path, &Limits::default()).expect("read")
    };
    assert_eq!(read(&again), read(&pack));
    ok(["export", &bundle, "--ovpack", &again, "--quiet"]);
    assert_eq!(read(&again).vectors, None, "only on request");
}

/// Two files and their vectors.
fn pack_with_vectors() -> Vec<u8> {
    let files = &[("a.md", &b"# Apples\n"[..]), ("deep/b.md", b"# Bread\n")];
    let raw = Raw::new("viking://resources/docs", files);
    raw.with_vectors(3).sealed().zip()
}

#[test]
fn what_cannot_be_packed_or_read_is_said() {
    let site = Site::new();
    let bundle = site.bundle();
    let pack = site.path("x.ovpack");
    let refused = |arguments: &[&str], code: &str, part: &str| {
        let ended = knarr(arguments);
        assert_ne!(ended.code, 0);
        let start = format!("error[{code}]: ");
        assert!(
            ended.err.starts_with(&start) && ended.err.contains(part),
            "{}",
            ended.err
        );
    };
    refused(
        &["export", &bundle, "--ovpack", &pack, "--vectors"],
        "FAILED_PRECONDITION",
        "vectors",
    );
    refused(
        &[
            "export",
            &bundle,
            "--ovpack",
            &pack,
            "--uri",
            "viking://resources/no",
        ],
        "INVALID_ARGUMENT",
        "no",
    );
    assert!(!Path::new(&pack).exists(), "nothing was written");
    let said = ok(["export", &bundle, "--ovpack", &pack]);
    assert!(said.err.contains("--keep-source"), "{}", said.err);
    let out = site.path("out");
    refused(
        &["build", &pack, "--out", &out, "--pack-vectors"],
        "FAILED_PRECONDITION",
        "no vectors",
    );
    refused(
        &["build", text(&corpus()), "--out", &out, "--pack-vectors"],
        "INVALID_ARGUMENT",
        ".ovpack",
    );
    refused(
        &["build", &pack, "--out", &out, "--include", "*.md"],
        "INVALID_ARGUMENT",
        "--include",
    );
    let damaged = site.write("damaged.ovpack", "no archive");
    refused(
        &["build", &damaged, "--out", &out],
        "INVALID_ARGUMENT",
        "damaged.ovpack",
    );
    refused(
        &["build", &site.path("absent.ovpack"), "--out", &out],
        "IO",
        "absent.ovpack",
    );
}
