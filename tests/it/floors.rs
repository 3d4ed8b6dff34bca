//! The floors of the house (ARCHITECTURE.md): a lower one never names a higher one, siblings do not name each other,
//! and each foreign package is named in its one place.

use std::path::{Path, PathBuf};

/// Modules below `src/` by floor. Modules of floor 1, and the two sides of floor 3, are blind to their neighbours.
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

/// Who may name what, besides the floors: the reason stands beside it.
const ALLOWED: &[(&str, &str)] = &[
    // The builder writes the file that the engine opens, and says so by the engine's constant.
    ("indexer", "engine"),
];

/// Foreign packages and the only places that may name them.
const FOREIGN: &[(&str, &[&str])] = &[
    ("regex", &["read/grep.rs", "find/ask/filter/pattern.rs"]),
    ("globset", &["read/glob.rs", "indexer/input.rs", "indexer/"]),
    ("instant_distance", &["vectors/"]),
    (
        "js_sys",
        &[
            "wasm/",
            "text/normalize.rs",
            "find/ask/filter/pattern.rs",
            "search/json.rs",
        ],
    ),
    ("web_sys", &["wasm/"]),
    ("wasm_bindgen", &["wasm/"]),
    ("serde_wasm_bindgen", &["wasm/"]),
    ("miniz_oxide", &["bundle/"]),
    ("zip", &["indexer/ovpack/"]),
    ("rust_stemmers", &["indexer/"]),
    ("scraper", &["indexer/"]),
    ("html5ever", &["indexer/markup.rs"]),
    ("pulldown_cmark", &["indexer/"]),
    // In the browser only the endpoints module has it; the graph is read out of its package natively.
    (
        "serde_json",
        &[
            "search/",
            "wasm/search.rs",
            "indexer/static_table/tests.rs",
            // Manifests and records are JSON.
            "indexer/ovpack/",
            // The versions that a site lists, and the report that a bundle keeps.
            "indexer/input.rs",
            "indexer/site/report.rs",
            "vectors/hnsw.rs",
        ],
    ),
];

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn floor(module: &str) -> Option<u8> {
    FLOORS.iter().find(|f| f.0 == module).map(|f| f.1)
}

/// Code without comments and without its inline tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap();
    text.lines()
        .filter(|l| !l.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn no_floor_names_a_higher_one() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut breaches = Vec::new();
    for path in files {
        let relative = path
            .strip_prefix(&src)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/");
        let own = relative
            .split('/')
            .next()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        let code = code(&path);
        for (package, places) in FOREIGN {
            let named = code.contains(&format!("{package}::"));
            if named && !places.iter().any(|p| relative.starts_with(p)) {
                breaches.push(format!("{relative} names {package}"));
            }
        }
        let Some(own_floor) = floor(&own) else {
            continue;
        };
        for rest in code.split("crate::").skip(1) {
            let other: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let allowed = other == own || ALLOWED.contains(&(own.as_str(), other.as_str()));
            if let Some(other_floor) = floor(&other)
                && !allowed
                && other_floor >= own_floor
                && own_floor > 0
            {
                breaches.push(format!(
                    "{relative} (floor {own_floor}) names {other} (floor {other_floor})"
                ));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}
