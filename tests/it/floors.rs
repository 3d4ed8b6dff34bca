//! The floors of the house (ARCHITECTURE.md): a lower one never names a higher one, files of a folder stand in no
//! circle, and each foreign package is named in its own place.

use crate::source::modules::Modules;
use crate::source::root;
use std::collections::BTreeSet;

/// Folders and files at the top of `src/` by floor. A floor names only lower ones, so neighbors are blind to each
/// other. ARCHITECTURE.md and `src/lib.rs` give the same numbers.
const FLOORS: &[(&str, u8)] = &[
    ("base", 0),
    ("text", 1),
    ("graph", 2),
    ("vectors", 2),
    ("bundle", 3),
    ("find", 4),
    ("read", 5),
    ("indexer", 5),
    ("search", 5),
    ("engine", 6),
    ("wasm", 7),
];

/// Names across the floors, each with its reason.
const ALLOWED: &[(&str, &str)] = &[
    // The indexer writes the file that the engine opens, and takes its name from the engine.
    ("indexer", "engine"),
];

/// Names between files of floor 0. It has no floor below it, so every one stands here with its reason.
const SIDEWAYS: &[(&str, &str)] = &[
    // Errors are the word for what goes wrong, everywhere.
    ("bytes", "error"),
    ("host", "error"),
    // A host that cannot inflate has it done.
    ("host", "inflate"),
    ("inflate", "error"),
    ("uri", "error"),
    // A session's URI holds the day it began.
    ("uri", "civil"),
    // Lists in a key are sorted.
    ("key", "order"),
    // An option is read from a value and added to the key of remembered answers.
    ("options", "error"),
    ("options", "key"),
    ("options", "value"),
];

/// Circles of files that are not opened yet. The list only shrinks.
const CIRCLES: &[&[&str]] = &[];

/// Packages of `Cargo.toml` and the only places that name them, below `src/`.
const PACKAGES: &[(&str, &[&str])] = &[
    ("aho-corasick", &["indexer/summary/lead.rs"]),
    ("encoding_rs", &["indexer/encoding.rs"]),
    // Never named: the package sets the deflate of `zip`.
    ("flate2", &[]),
    // Maps that see each word of a site.
    (
        "foldhash",
        &[
            "indexer/lexicon.rs",
            "indexer/prepare.rs",
            "indexer/site/copies.rs",
        ],
    ),
    ("getrandom", &["wasm/core.rs"]),
    ("globset", &["indexer/input", "read/glob.rs"]),
    // The tree of a page, and the counter of the parser's steps.
    ("html5ever", &["indexer/markup.rs"]),
    ("ignore", &["indexer/folders.rs"]),
    ("instant-distance", &["vectors/hnsw.rs"]),
    ("jiff", &["indexer/dates.rs"]),
    // What the browser does for no bytes: folding of text, regular expressions of filters, numbers of endpoints.
    (
        "js-sys",
        &[
            "find/ask/filter/pattern.rs",
            "search/json.rs",
            "text/normalize.rs",
            "wasm/",
        ],
    ),
    ("miniz_oxide", &["base/inflate.rs", "bundle/seal.rs"]),
    ("nalgebra", &["indexer/space.rs"]),
    ("postcard", &["indexer/packing.rs"]),
    ("pulldown-cmark", &["indexer/markdown.rs"]),
    // Loops over all pages; a graph over many rows.
    (
        "rayon",
        &[
            "indexer/assemble/nodes.rs",
            "indexer/bridge.rs",
            "indexer/general.rs",
            "indexer/meaning.rs",
            "indexer/mod.rs",
            "indexer/ovpack/import.rs",
            "indexer/site/copies.rs",
            "vectors/",
        ],
    ),
    ("regex", &["find/ask/filter/pattern.rs", "read/grep.rs"]),
    ("scraper", &["indexer/"]),
    // Derived shapes of options, answers, reports and sidecars.
    (
        "serde",
        &[
            "base/",
            "engine/",
            "find/",
            "indexer/",
            "search/json.rs",
            "vectors/hnsw.rs",
            "wasm/convert.rs",
        ],
    ),
    ("serde-wasm-bindgen", &["wasm/convert.rs"]),
    // In the browser only the module for endpoints has it.
    (
        "serde_json",
        &[
            // Versions that a site lists; notebooks; manifests and records of packs; the report that a bundle keeps.
            "indexer/input",
            "indexer/notebook.rs",
            "indexer/ovpack/",
            "indexer/site/report.rs",
            "search/",
            "vectors/hnsw.rs",
            "wasm/search.rs",
        ],
    ),
    ("serde_yaml_ng", &["indexer/front_matter.rs"]),
    // Hashes of parts and packs, of the static table, of a pack's manifest, and of what work on a page depends on.
    (
        "sha2",
        &[
            "bundle/head",
            "bundle/seal.rs",
            "indexer/memo.rs",
            "indexer/ovpack/manifest.rs",
            "indexer/packs.rs",
            "indexer/static_table/mod.rs",
        ],
    ),
    ("snowball_stemmers_rs", &["indexer/lexicon.rs"]),
    ("stop-words", &["indexer/lexicon.rs"]),
    ("strsim", &["find/ask/spelling.rs"]),
    // NFKD for words; NFC for the names of files and links.
    (
        "unicode-normalization",
        &[
            "indexer/input",
            "indexer/links.rs",
            "indexer/slugs.rs",
            "text/normalize.rs",
        ],
    ),
    ("unicode-segmentation", &["text/mod.rs"]),
    ("wasm-bindgen", &["wasm/"]),
    ("wasm-bindgen-futures", &["wasm/"]),
    ("web-sys", &["wasm/"]),
    ("whatlang", &["indexer/prepare.rs", "indexer/site/codes.rs"]),
    ("zip", &["indexer/ovpack/"]),
];

/// Packages of the command line and the only places that name them, below `crates/knarr-cli/src/`.
const CLI_PACKAGES: &[(&str, &[&str])] = &[
    ("clap", &[""]),
    ("httparse", &["serve/http.rs"]),
    ("indicatif", &["build/progress.rs"]),
    // Dates of HTTP: `Last-Modified`, `Retry-After`.
    ("jiff", &["models/queue.rs", "serve/http.rs"]),
    ("knarr", &[""]),
    ("notify", &["watch.rs"]),
    // Only for its feature, on WebAssembly.
    ("parking_lot_core", &[]),
    ("pollster", &[""]),
    ("rayon", &["build/pages.rs", "merge.rs"]),
    ("serde", &[""]),
    ("serde_json", &[""]),
    // Names of cached answers; checks of cached pages; numbers of exported rows and words.
    (
        "sha2",
        &["build/page_cache.rs", "export/row.rs", "models/cache.rs"],
    ),
    ("ureq", &["http/mod.rs"]),
];

fn top(module: &str) -> &str {
    module.split("::").next().unwrap()
}

fn floor(folder: &str) -> Option<u8> {
    FLOORS.iter().find(|f| f.0 == folder).map(|f| f.1)
}

#[test]
fn no_floor_names_a_higher_one() {
    let modules = Modules::read("src");
    let mut breaches = Vec::new();
    let mut used: BTreeSet<&(&str, &str)> = BTreeSet::new();
    for (module, file) in modules.files.iter().filter(|(m, _)| !m.is_empty()) {
        let own = top(module);
        let own_floor = floor(own).unwrap_or_else(|| panic!("{own} stands on no floor"));
        for target in modules.needs(module) {
            let other = top(&target);
            let Some(other_floor) = floor(other) else {
                breaches.push(format!("{file} names the crate's root"));
                continue;
            };
            let allowed = ALLOWED.iter().find(|a| **a == (own, other));
            used.extend(allowed);
            if own != other && other_floor >= own_floor && allowed.is_none() {
                breaches.push(format!(
                    "{file} (floor {own_floor}) names {target} (floor {other_floor})"
                ));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
    assert_eq!(used.len(), ALLOWED.len(), "an exception that nobody needs");
}

#[test]
fn files_of_floor_0_name_each_other_only_as_listed() {
    let modules = Modules::read("src");
    let mut found = BTreeSet::new();
    for module in modules.files.keys().filter(|m| m.starts_with("base::")) {
        for target in modules.needs(module) {
            let own = module.split("::").nth(1).unwrap();
            let other = target.split("::").nth(1).unwrap_or("the facade");
            if own != other {
                found.insert(format!("{own} {other}"));
            }
        }
    }
    let listed = SIDEWAYS.iter().map(|(a, b)| format!("{a} {b}")).collect();
    assert_eq!(found, listed);
}

#[test]
fn no_files_stand_in_a_circle() {
    let mut found = Vec::new();
    for folder in ["src", "crates/knarr-cli/src", "xtask/src"] {
        found.extend(Modules::read(folder).circles());
    }
    found.retain(|circle| {
        !CIRCLES
            .iter()
            .any(|listed| circle.iter().all(|m| listed.contains(&m.as_str())))
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn packages_are_named_in_their_places_only() {
    check_packages("src", "Cargo.toml", PACKAGES);
    check_packages(
        "crates/knarr-cli/src",
        "crates/knarr-cli/Cargo.toml",
        CLI_PACKAGES,
    );
}

fn check_packages(folder: &str, manifest: &str, places: &[(&str, &[&str])]) {
    let listed: Vec<&str> = places.iter().map(|p| p.0).collect();
    assert_eq!(dependencies(manifest), listed, "packages of {manifest}");
    let modules = Modules::read(folder);
    let mut breaches = Vec::new();
    for (package, places) in places {
        let name = package.replace('-', "_");
        let named: Vec<&str> = modules
            .files
            .iter()
            .filter(|(module, _)| modules.foreign(module).contains(&name))
            .map(|(_, file)| file.as_str())
            .collect();
        for file in &named {
            if !places.iter().any(|p| file.starts_with(p)) {
                breaches.push(format!("{file} names {package}"));
            }
        }
        for place in *places {
            if !named.iter().any(|file| file.starts_with(place)) {
                breaches.push(format!("nothing in {place} names {package}"));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

/// Names of the packages that a manifest compiles for its users, sorted: development apart.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(manifest)).unwrap();
    let mut section = "";
    let mut out = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line.split('#').next().unwrap().trim();
        } else if let Some((name, _)) = line.split_once('=')
            && (section == "[dependencies]" || section.ends_with(".dependencies]"))
            && !line.starts_with('#')
        {
            out.insert(name.trim().to_owned());
        }
    }
    out.into_iter().collect()
}

#[test]
fn the_map_the_crate_and_this_table_give_the_same_floors() {
    let table: BTreeSet<(String, u8)> = FLOORS.iter().map(|f| (f.0.to_owned(), f.1)).collect();
    let modules = Modules::read("src");
    let built: BTreeSet<&str> = modules.files.keys().map(|m| top(m)).collect();
    let floors: BTreeSet<&str> = FLOORS.iter().map(|f| f.0).chain([""]).collect();
    assert_eq!(built, floors, "modules of the crate");

    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let map = text.split("```").nth(1).expect("a map");
    let drawn = map.lines().flat_map(|line| {
        let floor = line.split(' ').next().unwrap().parse::<u8>().ok();
        let names = line.split_whitespace().filter_map(|w| w.strip_suffix('/'));
        names.filter_map(move |name| Some((name.to_owned(), floor?)))
    });
    assert_eq!(drawn.collect::<BTreeSet<_>>(), table, "ARCHITECTURE.md");

    let lib = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let mut floor = None;
    let mut said = BTreeSet::new();
    for line in lib.lines() {
        if let Some(rest) = line.strip_prefix("// ") {
            floor = rest.split(':').next().unwrap().parse().ok().or(floor);
        } else if let Some((_, name)) = line.split_once("mod ").filter(|_| line.ends_with(';')) {
            let floor = floor.expect("a floor before the first module");
            said.insert((name.trim_end_matches(';').to_owned(), floor));
        }
    }
    assert_eq!(said, table, "src/lib.rs");
}
