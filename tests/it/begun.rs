//! Words that are not yet typed to their end.

use crate::support::{page, served};
use knarr::Knarr;
use knarr::find::answer::result::MatchedContext;
use knarr::find::ask::options::FindOptions;
use knarr::indexer::Document;
use pollster::block_on;

fn rows(documents: &[Document], question: &str) -> Vec<MatchedContext> {
    let host = served(documents.to_vec(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, question, &FindOptions::default()));
    found.unwrap().resources
}

#[test]
fn a_rare_word_that_a_common_one_begins_with_may_be_half_typed() {
    let mut documents: Vec<Document> = (0..40)
        .map(|n| {
            let text = "A section of the manual, and what the section says.";
            page(&format!("{n}.html"), &format!("Section {n}"), text)
        })
        .collect();
    documents.push(page("rare.html", "Notes", "Cut in two by sect, a tool."));
    documents.extend((0..12).map(|n| {
        page(
            &format!("other{n}.html"),
            &format!("Other {n}"),
            "Nothing of the kind.",
        )
    }));
    let answers = |question| {
        let rows = rows(&documents, question);
        rows.iter().filter(|row| row.relevance > 0.15).count()
    };
    let found = rows(&documents, "sect");
    assert!(found.iter().any(|row| row.title == "Notes"));
    assert!(answers("sect") > 9, "{}", answers("sect"));
    // With a space behind it the word is whole.
    assert_eq!(answers("sect "), 1);
}

#[test]
fn the_first_letter_of_the_next_word_loses_no_page() {
    let mut documents = vec![page(
        "coding.html",
        "Coding hints",
        "How to write code for it, and hints.",
    )];
    documents.push(page("keys.html", "Keys", "The key h starts the coding."));
    documents.extend((0..20).map(|n| {
        page(
            &format!("{n}.html"),
            &format!("Function {n}"),
            ["Needs coding.", "Needs nothing else."][n % 2],
        )
    }));
    for query in ["coding", "coding h", "coding hi"] {
        assert_eq!(rows(&documents, query)[0].title, "Coding hints", "{query}");
    }
}
