//! Facts that documents repeat from the source: the number of languages with stems, and what authors write into pages.

use crate::source::root;
use std::collections::BTreeSet;

/// A file of the repository.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Markdown files whose prose is of today. Measurements keep the numbers of their days.
fn documents() -> Vec<(String, String)> {
    const DATED: [&str; 1] = ["MEASUREMENTS.md"];
    let mut found = Vec::new();
    for folder in [".", "docs", "docs/site", "pkg", "crates/knarr-cli"] {
        walk(folder, folder == "docs/site", &mut found);
    }
    found.retain(|(path, _)| !DATED.iter().any(|name| path.ends_with(name)));
    found
}

fn walk(folder: &str, is_deep: bool, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("Unicode");
        let path = format!("{folder}/{name}");
        let is_folder = entry.file_type().expect("a type").is_dir();
        if is_folder && is_deep && name != "node_modules" && !name.starts_with('.') {
            walk(&path, true, found);
        } else if !is_folder && name.ends_with(".md") {
            found.push((path.clone(), read(&path)));
        }
    }
}

/// Sentences and cells of a text about stems, each with the numbers that count languages in it: `34 languages`,
/// `34 of them`.
fn counted_languages(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for line in text.lines() {
        for part in line.split(". ").flat_map(|part| part.split('|')) {
            let words: Vec<&str> = part.split_whitespace().collect();
            let has = |piece: &str| words.iter().any(|w| w.to_lowercase().contains(piece));
            let is_of_stems = has("stem") && has("languages");
            for at in (0..words.len()).filter(|_| is_of_stems) {
                let Ok(number) = words[at].parse::<usize>() else {
                    continue;
                };
                let rest = words[at + 1..].join(" ");
                if rest.starts_with("languages") || rest.starts_with("of them") {
                    found.push((part.trim().to_owned(), number));
                }
            }
        }
    }
    found
}

#[test]
fn the_languages_with_stems_are_counted_alike_everywhere() {
    let source = read("src/indexer/lexicon.rs");
    let table = source.split("fn algorithm(").nth(1).expect("the table");
    let n = table.matches("=> Algorithm::").count();
    assert!(n > 30, "{n}");
    let mut told = BTreeSet::new();
    for (path, text) in documents() {
        for (sentence, number) in counted_languages(&text) {
            assert_eq!(number, n, "{path}: {sentence}");
            told.insert(path.clone());
        }
    }
    for path in [
        "docs/COMPARISON.md",
        "docs/LIMITS.md",
        "docs/MOVING.md",
        "docs/site/concepts/ranking.md",
    ] {
        assert!(told.contains(path), "{path} does not say it any more");
    }
    let comment = format!("the forms of a word in {n} languages");
    assert!(read("Cargo.toml").contains(&comment), "Cargo.toml");
}

/// The string literals in the body of a function, in lower case.
fn literals(file: &str, function: &str) -> BTreeSet<String> {
    let text = read(file);
    let begin = text.find(&format!("fn {function}(")).expect("the function");
    let indent = begin - text[..begin].rfind('\n').expect("a line before") - 1;
    let indent = &text[begin - indent..begin].replace(|c: char| c != ' ', "");
    let end = text[begin..].find(&format!("\n{indent}}}\n"));
    let body = &text[begin..begin + end.expect("its end")];
    let code = body.lines().filter(|line| !line.trim().starts_with("//"));
    let code: Vec<&str> = code.collect();
    let code = code.join("\n").replace("'\"'", "");
    let quoted = code.split('"').skip(1).step_by(2);
    quoted.map(str::to_lowercase).collect()
}

/// The names in the first cells of the table below a heading of docs/PAGES.md, in lower case.
fn listed(heading: &str) -> BTreeSet<String> {
    let page = read("docs/PAGES.md");
    let section = page
        .split(&format!("\n## {heading}\n"))
        .nth(1)
        .expect(heading);
    let section = section.split("\n## ").next().expect("a section");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.map(|row| row.split(" | ").next().expect("a cell").to_owned());
    let names = cells.flat_map(|cell| {
        let cell = format!("`{cell}");
        let names = cell.split('`').skip(1).step_by(2).map(str::to_lowercase);
        names.collect::<Vec<_>>()
    });
    names.collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_page_about_marks_has_the_attributes_and_their_keys_that_are_read() {
    let source = read("src/indexer/noise.rs");
    let arms = source.split("match ours {").nth(1).expect("the attributes");
    let arms = arms.split("_ => {}").next().expect("their end");
    let attributes = arms.split("Some(\"").skip(1);
    let attributes = attributes.map(|arm| arm.split('"').next().expect("a name"));
    let mut read: BTreeSet<String> = attributes
        .map(|name| format!("data-knarr-{name}"))
        .collect();
    assert!(read.len() >= 9, "{read:?}");
    let mut keys = literals("src/indexer/html/marks.rs", "set");
    // The beginning of a picture that is written out, and the form of a tag.
    keys.retain(|key| key != "data:" && !key.contains('{'));
    read.append(&mut keys);
    assert_eq!(listed("Attributes in HTML"), read);
}

#[test]
fn the_page_about_marks_has_the_meta_tags_that_are_read() {
    let mut read = literals("src/indexer/html/head.rs", "read_meta");
    read.extend(literals("src/indexer/facts.rs", "meta"));
    // Beginnings of names, values of `robots`, and what DocFX is known by.
    for other in ["og:", "twitter:", "noindex", "none", "`", "", "docfx:"] {
        read.remove(other);
    }
    assert_eq!(listed("Meta tags"), read);
}

#[test]
fn the_page_about_marks_has_the_front_matter_that_is_read() {
    let read = literals("src/indexer/front_matter.rs", "from_fields");
    assert!(read.len() > 30, "{read:?}");
    assert_eq!(listed("Front matter"), read);
    let inside = literals("src/indexer/front_matter.rs", "read_search");
    assert_eq!(inside, set(&["exclude", "boost"]));
}

#[test]
fn a_number_of_languages_is_seen_where_it_is_about_stems() {
    let text = "Words. Stems exist for 33 languages; of others none.\nOf languages, stems in 20 of them. The stem of 8 of them.\n| x | stems of 18 languages, or 7 |\nIt has 31 languages.\n";
    let numbers: Vec<usize> = counted_languages(text)
        .iter()
        .map(|found| found.1)
        .collect();
    assert_eq!(numbers, [33, 20, 18]);
}
