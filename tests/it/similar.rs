//! Similar pages: in a bundle's relations, and in no byte that a question fetches.

use crate::support::{self, Script, page};
use knarr::answers::RelatedContext;
use knarr::bundle::{Head, PartKind};
use knarr::find::ask::options::RelationOptions;
use knarr::indexer::{BuildOptions, Builder, Built};
use knarr::indexing::Link;
use knarr::{Document, Fetched, Knarr, Result};
use pollster::block_on;
use std::cell::RefCell;

/// Texts of three subjects, four pages each.
const SUBJECTS: [(&str, &str); 3] = [
    (
        "boats",
        "The boat sails from the harbour with the tide and the wind, its anchor and its sails in good order.",
    ),
    (
        "bread",
        "The baker kneads flour, water and yeast to a dough, lets it rise and bakes the bread in a hot oven.",
    ),
    (
        "law",
        "The court hears the witness, the judge weighs the evidence and the jury gives its verdict in the trial.",
    ),
];

fn documents() -> Vec<Document> {
    let mut pages = Vec::new();
    for (subject, text) in SUBJECTS {
        for n in 1..=4 {
            let text = format!("{text} This is page {n}.");
            pages.push(page(
                &format!("{subject}/{n}.md"),
                &format!("{subject} {n}"),
                &text,
            ));
        }
    }
    pages
}

fn built(documents: Vec<Document>, options: BuildOptions) -> Built {
    let mut builder = Builder::new(options).unwrap();
    builder.add_batch(documents).unwrap();
    builder.finish(&mut |_, _, _| {}).unwrap()
}

fn packs() -> BuildOptions {
    BuildOptions {
        single_file: Some(false),
        ..BuildOptions::default()
    }
}

fn relations(built: Built, path: &str) -> Vec<RelatedContext> {
    let host = Script::of(built);
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let uri = format!("viking://resources/docs/{path}");
    block_on(bundle.relations(&host, &uri, &RelationOptions::default())).unwrap()
}

#[test]
fn a_page_has_the_pages_of_its_subject_in_both_forms() {
    for single in [true, false] {
        let options = BuildOptions {
            single_file: Some(single),
            ..BuildOptions::default()
        };
        let found = relations(built(documents(), options), "bread/2.md");
        let mut urls: Vec<&str> = found.iter().map(|page| &page.url[..]).collect();
        urls.sort_unstable();
        assert_eq!(urls, ["bread/1.md", "bread/3.md", "bread/4.md"]);
        for page in &found {
            assert_eq!((page.kind, &page.reason[..]), ("similar", ""));
            assert!(page.title.starts_with("bread") && !page.abstract_.is_empty());
            assert!(
                page.cosine
                    .is_some_and(|cosine| (0.9..=1.0).contains(&cosine)),
                "{page:?}"
            );
        }
    }
}

#[test]
fn links_come_first_and_leave_room_for_two_similar_pages() {
    let mut pages = documents();
    let paths: Vec<String> = pages.iter().map(|page| page.path.clone()).collect();
    let links = paths
        .iter()
        .filter(|path| !path.starts_with("boats/") || path.ends_with("4.md"));
    pages[0].links = links
        .map(|path| Link {
            path: path.clone(),
            text: format!("to {path}"),
        })
        .collect();
    let all = relations(built(pages.clone(), packs()), "boats/1.md");
    let kinds: Vec<&str> = all.iter().map(|relation| relation.kind).collect();
    assert_eq!(kinds, [&["link"; 9][..], &["similar"; 2]].concat());
    // What is linked is not said again.
    let mut similar: Vec<&str> = all[9..].iter().map(|relation| &relation.url[..]).collect();
    similar.sort_unstable();
    assert_eq!(similar, ["boats/2.md", "boats/3.md"]);
    assert_eq!(all[0].reason, format!("to {}", all[0].url));
    #[cfg(feature = "full")]
    {
        let host = Script::of(built(pages, packs()));
        let bundle = block_on(Knarr::open(&host)).unwrap();
        let options = knarr::FindOptions {
            relations: true,
            ..knarr::FindOptions::default()
        };
        let answer = block_on(bundle.find(&host, "boats 1", &options)).unwrap();
        let first = &answer.resources[0];
        assert_eq!(first.url, "boats/1.md");
        let kinds: Vec<&str> = first.relations.iter().map(|r| r.kind).collect();
        assert_eq!(kinds, ["link", "link", "link", "similar", "similar"]);
    }
}

#[test]
fn without_vectors_there_are_links_only() {
    let options = BuildOptions { dims: 0, ..packs() };
    assert!(relations(built(documents(), options), "law/1.md").is_empty());
}

/// Serves a bundle, and notes what it was asked for.
struct Noting(Script, RefCell<Vec<Asked>>);

/// A file and the range of it.
type Asked = (String, Option<(u64, u64)>);

impl knarr::Host for Noting {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        self.1.borrow_mut().push((file.to_owned(), range));
        self.0.fetch(file, range).await
    }
}

#[test]
fn a_question_fetches_none_of_their_bytes() {
    let host = Noting(Script::of(support::corpus(Some(false))), RefCell::default());
    let head = Head::decode(&host.0.files["index.knarr"]).unwrap();
    let places: Vec<(&str, u64, u64)> = head.parts[PartKind::Links as usize]
        .iter()
        .map(|part| {
            let name = &head.packs[part.pack as usize].name[..];
            (name, part.offset, part.offset + u64::from(part.len))
        })
        .collect();
    let has_links = |asked: &Asked| {
        let (from, to) = asked.1.unwrap_or((0, u64::MAX));
        places
            .iter()
            .any(|&(name, start, end)| name == asked.0 && from < end && start < to)
    };
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let options = knarr::FindOptions::default();
    block_on(bundle.find(&host, "install the gateway", &options)).unwrap();
    assert!(!host.1.take().iter().any(has_links));
    let uri = "viking://resources/docs/guide/add-a-sensor.md";
    let related = block_on(bundle.relations(&host, uri, &RelationOptions::default())).unwrap();
    assert!(related.iter().any(|relation| relation.kind == "similar"));
    assert!(host.1.take().iter().any(has_links));
}
