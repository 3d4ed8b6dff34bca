//! `.ovpack` on the command line.

use super::{Site, corpus, knarr, ok, text};
use std::fs;
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
    let again = site.path("b.ovpack");
    ok(["export", &second, "--ovpack", &again, "--quiet"]);
    let bytes = |path: &str| fs::read(path).expect("a pack");
    assert_eq!(bytes(&again), bytes(&pack), "pack, bundle, pack");
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
