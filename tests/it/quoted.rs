//! `"a phrase"` and `-word` in a query.

use crate::support::{page, served};
use knarr::find::ask::options::{FindOptions, OneOrMany};
use knarr::indexer::{Document, DocumentSection};
use knarr::{FindResult, Knarr};
use pollster::block_on;

fn pages() -> Vec<Document> {
    let filler = "Threads run beside each other, and what they do is their own affair. ".repeat(4);
    let mut pages = vec![
        page(
            "mutex.md",
            "Mutex",
            "Two threads share data behind a lock. A mutex is a lock.",
        ),
        page(
            "channel.md",
            "Channel",
            "Data is sent, and a share of data is received. Share no data.",
        ),
        page(
            "arc.md",
            "Arc",
            "To share data between threads, count its owners: share data, and drop it.",
        ),
    ];
    pages.extend((0..30).map(|n| page(&format!("t{n}.md"), &format!("Thread {n}"), &filler)));
    pages
}

fn find(pages: Vec<Document>, query: &str) -> FindResult {
    let host = served(pages, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    block_on(bundle.find(&host, query, &FindOptions::default())).unwrap()
}

fn titles(query: &str) -> Vec<String> {
    // Those of similar meaning follow.
    let found = find(pages(), query).resources.into_iter();
    let found = found.filter(|row| query.starts_with("threads") || row.title.len() < 8);
    let mut titles: Vec<String> = found.map(|row| row.title).collect();
    titles.sort_unstable();
    titles
}

#[test]
fn a_phrase_stands_word_for_word_in_every_result() {
    assert!(titles("share data").contains(&"Channel".to_owned()));
    assert_eq!(titles("\"share data\""), ["Arc", "Mutex"]);
    assert_eq!(titles("\"Share data\" threads lock"), ["Arc", "Mutex"]);
    assert_eq!(titles("\"share data\" \"count its owners\""), ["Arc"]);
    assert_eq!(titles("“share of data”"), ["Channel"]);
    assert_eq!(titles("\"mutex\""), ["Mutex"], "a title is text, too");
}

#[test]
fn in_a_sentence_pages_with_its_phrase_come_first_and_the_others_stay() {
    let quoted =
        "Which page says \"share data behind\" when threads count the owners and drop the data?";
    let found = find(pages(), quoted);
    let plain = find(pages(), &quoted.replace('"', ""));
    let titles = |found: &FindResult| -> Vec<String> {
        let rows = found.resources.iter();
        rows.map(|row| row.title.clone()).collect()
    };
    assert_eq!(titles(&plain)[..2], ["Arc", "Mutex"]);
    assert_eq!(titles(&found)[..2], ["Mutex", "Arc"]);
    assert_eq!(titles(&found)[2..], titles(&plain)[2..]);
    let scores: Vec<f32> = found.resources.iter().map(|row| row.score).collect();
    assert!(
        scores.is_sorted_by(|a, b| a >= b),
        "whoever sorts by score has this order: {scores:?}"
    );
}

#[test]
fn a_minus_before_what_is_no_term_is_a_sign() {
    for word in ["a".repeat(70), "ㅅㅎ".to_owned()] {
        let rows = find(pages(), &format!("mutex -{word}")).resources;
        assert_eq!(rows[0].title, "Mutex", "{word}");
    }
}

/// What somebody pasted by mistake takes time in proportion to its length; these took minutes.
#[test]
fn quotes_that_nothing_closes_and_signs_without_words_are_read_once() {
    for piece in ["\"x ", "& "] {
        find(pages(), &piece.repeat(20_000));
    }
}

#[test]
fn a_phrase_is_looked_for_until_there_are_rows_enough() {
    let languages = ["en", "de", "fr", "es", "it", "nl", "pl", "sv"];
    let of = |n: usize| {
        languages.map(|language| Document {
            language: Some(language.into()),
            translation_of: format!("en/{n}"),
            ..page(
                &format!("{language}/{n}"),
                &format!("Page {n}"),
                "Share data behind a lock.",
            )
        })
    };
    let host = served((0..8).flat_map(of).collect(), "en", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let options = FindOptions {
        lang: OneOrMany::One("*".into()),
        limit: 6,
        ..FindOptions::default()
    };
    let found = block_on(bundle.find(&host, "\"data behind\" lock", &options)).unwrap();
    assert_eq!(found.resources.len(), 6);
}

#[test]
fn a_phrase_that_no_page_has_is_told() {
    let found = find(pages(), "\"data share\"");
    assert!(found.resources.iter().any(|row| row.title == "Arc"));
    let steps: Vec<&str> = found.skipped.iter().map(|s| s.step.as_str()).collect();
    assert!(steps.contains(&"exact_phrase"), "{steps:?}");
}

#[test]
fn pages_with_a_word_that_is_left_out_are_no_results() {
    assert_eq!(titles("share data -mutex"), ["Arc", "Channel"]);
    assert_eq!(titles("\"share data\" -owners"), ["Mutex"]);
    assert_eq!(titles("share -\"share no\" -lock"), ["Arc"]);
    assert!(
        titles("threads -data")
            .iter()
            .all(|title| title.starts_with("Thread "))
    );
}

#[test]
fn what_is_left_out_is_told() {
    let found = find(pages(), "share data -mutex -\"Share No\"");
    assert_eq!(found.excluded, ["mutex", "share no"]);
    assert!(find(pages(), "share data").excluded.is_empty());
}

/// Manual pages: of one program, an option is called what others only speak of.
#[test]
fn an_option_that_the_site_has_is_a_word() {
    let option = |heading: &str, text: &str| DocumentSection {
        heading: heading.into(),
        anchor: heading.trim_start_matches('-').replace(' ', ""),
        level: 2,
        text: text.into(),
        weight: 1.0,
        ..DocumentSection::default()
    };
    let of = |title: &str, sections: Vec<DocumentSection>| {
        let text = format!("The program {title} has options. Each file has a name and a type.");
        let mut manual = page(&format!("{title}.md"), title, &text);
        manual.sections.extend(sections);
        manual
    };
    let manuals = || {
        vec![
            of(
                "find",
                vec![
                    option("-name pattern", "The base of the file matches the pattern."),
                    option("-type c", "The file is of type c."),
                ],
            ),
            of("gcc", vec![option("-march=cpu", "Code for this machine.")]),
            of("java", vec![option("-jar filename", "Runs an archive.")]),
            of("name", vec![]),
        ]
    };
    for (query, title, anchor) in [
        ("program -name", "find", "namepattern"),
        ("program -type f", "find", "typec"),
        ("program -jar", "java", "jarfilename"),
        ("program -march=native", "gcc", "march=cpu"),
    ] {
        let found = find(manuals(), query);
        assert!(found.excluded.is_empty(), "{query}: {:?}", found.excluded);
        let first = &found.resources[0];
        let section = first.sections.first().map(|s| s.anchor.as_str());
        assert_eq!(
            (first.title.as_str(), section),
            (title, Some(anchor)),
            "{query}"
        );
    }
    let found = find(manuals(), "program -file -jar");
    assert_eq!((found.total, found.excluded), (0, vec!["file".to_owned()]));
}

#[test]
fn a_phrase_of_one_page_among_many_folders_is_found() {
    let mut pages = Vec::new();
    for folder in 0..40 {
        for n in 0..64 {
            let text = "A share of data: data is one thing, and a share is another.";
            pages.push(page(
                &format!("f{folder}/{n}.md"),
                &format!("Part {n}"),
                text,
            ));
        }
    }
    let text = "Share data at last, when data is a share and a share is data.";
    pages.push(page("f39/a.md", "Part a", text));
    let found = find(pages, "\"share data\"");
    assert_eq!(found.total, 1);
    assert!(found.resources[0].uri.contains("/f39/"), "{found:?}");
}

#[test]
fn what_says_nothing_is_a_sign_like_others() {
    assert_eq!(titles("\"share data"), titles("share data"));
    assert_eq!(titles("-mutex"), titles("mutex"));
    assert_eq!(titles("share-data"), titles("share data"));
}

#[test]
fn a_word_on_most_pages_is_left_out_by_the_texts() {
    // On more than a thousand pages the dictionary does not list all that have a frequent word.
    let text = |n: usize| match n % 2 {
        0 => format!("The herring number {n} swims with a mackerel."),
        _ => format!("The herring number {n} swims alone."),
    };
    let pages = (0..1_100).map(|n| page(&format!("{n}.md"), &format!("Fish {n}"), &text(n)));
    let found = find(pages.collect(), "herring swims -mackerel");
    assert!(found.total > 0);
    for row in found.resources {
        assert!(!row.excerpt.text.contains("mackerel"), "{row:?}");
    }
}
