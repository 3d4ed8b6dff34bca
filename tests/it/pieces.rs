//! Long pages: what a result shows of them is fetched, and no more.

use crate::support::{Random, Script};
use knarr::base::host::{Fetched, Host};
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use knarr::{FindOptions, Knarr, Result};
use pollster::block_on;
use std::cell::RefCell;

const SECTIONS: usize = 60;

/// Counts the bytes that a host serves.
struct Counted<'a>(&'a Script, RefCell<u64>);

impl Host for Counted<'_> {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let fetched = self.0.fetch(file, range).await?;
        *self.1.borrow_mut() += fetched.bytes.len() as u64;
        Ok(fetched)
    }
}

/// A site of one long page, whose sections repeat a heading, and short ones beside it.
fn site(single_file: bool, text_piece_bytes: Option<usize>) -> Script {
    let mut random = Random(7);
    let mut words = |n: usize| -> String {
        let word = |_| format!("w{} ", random.below(2_000));
        (0..n).map(word).collect()
    };
    let section = |at: usize, text: String| DocumentSection {
        heading: match at % 2 {
            0 => format!("Station {at}"),
            _ => "Examples".into(),
        },
        anchor: format!("s{at}"),
        level: 2 + (at % 2) as u8,
        text: format!("{text}. Lantern{at} hangs here. Ask for lantern{at}."),
        weight: 1.0,
        ..Default::default()
    };
    let long = Document {
        path: "long.md".into(),
        title: "All stations".into(),
        weight: 1.0,
        sections: (0..SECTIONS).map(|at| section(at, words(250))).collect(),
        ..Document::default()
    };
    let mut builder = Builder::new(BuildOptions {
        single_file: Some(single_file),
        text_piece_bytes,
        general_words: Some(0),
        ..BuildOptions::default()
    })
    .unwrap();
    builder.add(long).unwrap();
    for i in 0..40 {
        let page = crate::support::page(&format!("{i}.md"), &format!("Page {i}"), &words(60));
        builder.add(page).unwrap();
    }
    Script::built(builder)
}

/// The first row of an answer, and the bytes that it cost a bundle opened for it.
fn first(host: &Script, query: &str) -> (serde_json::Value, u64) {
    let host = Counted(host, RefCell::new(0));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let options = FindOptions {
        limit: 1,
        ..FindOptions::default()
    };
    let found = block_on(bundle.find(&host, query, &options)).unwrap();
    let row = serde_json::to_value(&found.resources[0]).unwrap();
    (row, host.1.into_inner())
}

#[test]
fn a_result_of_a_long_page_costs_the_sections_that_it_shows() {
    let (pieces, whole) = (site(false, None), site(false, Some(1 << 30)));
    for query in ["lantern31", "lantern2", "station 58"] {
        let ((row, cost), (same, more)) = (first(&pieces, query), first(&whole, query));
        assert_eq!(row, same, "{query}");
        assert_eq!(row["url"], "long.md");
        assert!(!row["sections"].as_array().unwrap().is_empty(), "{row}");
        assert!(cost + 20_000 < more, "{query}: {cost} bytes, {more} whole");
    }
    let title = &first(&pieces, "lantern31").0["sections"][0]["title"];
    assert_eq!(title, "Station 30 › Examples");
}

#[test]
fn a_page_in_pieces_is_read_as_one() {
    let (pieces, whole) = (site(false, Some(500)), site(true, None));
    for host in [&pieces, &whole] {
        // What a question has fetched already is no other text.
        let bundle = block_on(Knarr::open(host)).unwrap();
        for query in ["lantern31", "\"lantern59 hangs here\"", "lantern31"] {
            let found = block_on(bundle.find(host, query, &FindOptions::default())).unwrap();
            assert_eq!(found.resources[0].url, "long.md", "{query}");
        }
    }
    let text = |host: &Script| {
        let bundle = block_on(Knarr::open(host)).unwrap();
        let of = |uri| block_on(bundle.read(host, uri, &Default::default())).unwrap();
        let found = block_on(bundle.find(host, "lantern31", &FindOptions::default())).unwrap();
        let uri = found.resources[0].uri.as_str();
        let overview = block_on(bundle.overview(host, uri)).unwrap();
        (of(uri), overview)
    };
    assert_eq!(text(&pieces), text(&whole));
}
