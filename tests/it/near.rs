//! The order of the question's words in texts, which orders the best rows.

use crate::support::{page, served};
use knarr::indexer::Document;
use knarr::{FindResult, Knarr, find::ask::options::FindOptions};
use pollster::block_on;

const QUESTION: &str = "where to undo the last commit";

/// Pages with the words of the question, of which one has them in its order.
fn pages() -> Vec<Document> {
    let filler = "Branches are names of the work that people share with each other. ".repeat(4);
    let apart = "Undo is for files. A commit is kept, and at last it is shown: what one may undo is what was staged, \
        and a commit has it not.";
    let beside = "What was recorded by mistake is taken back with reset. To undo the last commit, say where. Nothing is lost by it, and what was recorded can be found again for some weeks.";
    let mut pages = vec![
        page("apart.md", "Undo and stage", apart),
        page("beside.md", "Going back", beside),
    ];
    pages.extend((0..30).map(|n| page(&format!("t{n}.md"), &format!("Branch {n}"), &filler)));
    pages
}

fn find(question: &str, options: &FindOptions) -> FindResult {
    let host = served(pages(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    block_on(bundle.find(&host, question, options)).unwrap()
}

/// Options with which no text is read.
fn rows_only() -> FindOptions {
    FindOptions {
        excerpts: false,
        ..FindOptions::default()
    }
}

fn titles(found: &FindResult) -> Vec<&str> {
    let rows = found.resources.iter();
    rows.map(|row| row.title.as_str()).collect()
}

#[test]
fn a_text_with_the_words_in_their_order_comes_before_one_that_has_them_apart() {
    let bare = find(QUESTION, &rows_only());
    assert_eq!(titles(&bare)[..2], ["Undo and stage", "Going back"]);
    let found = find(QUESTION, &FindOptions::default());
    assert_eq!(titles(&found)[..2], ["Going back", "Undo and stage"]);
    let scores: Vec<f32> = found.resources.iter().map(|row| row.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let (mut before, mut after) = (titles(&bare), titles(&found));
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "the same rows in another order");
}

#[test]
fn two_words_have_no_order_and_another_s_order_stays() {
    for question in [
        "undo commit",
        "\"undo\" the last commit",
        "commit one undo kept",
    ] {
        let found = find(question, &FindOptions::default());
        assert_eq!(
            titles(&found),
            titles(&find(question, &rows_only())),
            "{question}"
        );
    }
}

#[cfg(feature = "full")]
#[test]
fn an_explanation_tells_the_share_of_pairs_that_a_row_has() {
    let options = FindOptions {
        explain: true,
        ..FindOptions::default()
    };
    let found = find(QUESTION, &options);
    let told: Vec<(f32, f32)> = found.resources[..2]
        .iter()
        .map(|row| row.explain.as_ref().unwrap())
        .map(|told| (told.near, told.near_weight))
        .collect();
    // "to undo", "undo the", "the last", "last commit"; two function words are no pair.
    assert_eq!(told[0].0, 1.0, "{told:?}");
    assert!(told[1].0 <= 0.25 && told[1].1 > 0.1, "{told:?}");
}

#[cfg(feature = "full")]
#[test]
fn later_pages_repeat_no_row() {
    let page = |offset| {
        let options = FindOptions {
            limit: 1,
            offset,
            ..FindOptions::default()
        };
        titles(&find(QUESTION, &options))[0].to_owned()
    };
    assert_ne!(page(0), page(1));
}

#[cfg(feature = "full")]
#[test]
fn an_explanation_of_a_later_page_tells_what_counted() {
    let options = FindOptions {
        offset: 1,
        explain: true,
        ..FindOptions::default()
    };
    let found = find(QUESTION, &options);
    let told = found.resources[0].explain.as_ref().unwrap();
    assert_eq!(told.near, 0.0);
}
