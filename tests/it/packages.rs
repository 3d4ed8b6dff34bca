//! The packages that a program compiles with this crate.

use std::collections::BTreeSet;
use std::process::Command;

/// Names of all packages below the crate, itself included.
fn packages(features: &[&str]) -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", "knarr"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let lines = String::from_utf8(tree.stdout).unwrap();
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn a_program_that_searches_compiles_no_parser_and_no_command_line() {
    let indexer = [
        "nalgebra",
        "pulldown-cmark",
        "scraper",
        "serde_json",
        "whatlang",
        "zip",
    ];
    let command_line = ["clap", "indicatif", "jiff", "rustls", "tiny_http", "ureq"];
    let default = packages(&[]);
    for name in indexer.iter().chain(&command_line) {
        assert!(!default.contains(*name), "{name} is compiled by default");
    }
    assert!(
        default.len() <= 53,
        "{} packages: {default:?}",
        default.len()
    );
    let with_index = packages(&["--features", "index"]);
    for name in indexer {
        assert!(with_index.contains(name), "index is without {name}");
    }
}
