//! Answers that are cut say so, and the rest begins where they end.

use crate::support::{Script, corpus};
use knarr::Knarr;
use knarr::find::answer::result::Entry;
use knarr::find::ask::options::{FindOptions, GlobOptions, GrepOptions, GrepOutput, ListOptions};
use pollster::block_on;

const ROOT: &str = "viking://resources/docs";

fn opened() -> (Script, Knarr) {
    let host = Script::of(corpus(Some(false)));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    (host, bundle)
}

#[test]
fn pages_of_a_grep_put_together_are_the_whole_one() {
    let (host, bundle) = opened();
    let grep = |node_limit, offset, output| {
        let options = GrepOptions {
            node_limit,
            offset,
            output,
            ..GrepOptions::default()
        };
        block_on(bundle.grep(&host, ROOT, "sensor", &options)).unwrap()
    };
    let all = grep(256, 0, GrepOutput::Lines);
    assert!(all.count > 5 && !all.truncated);
    let mut lines = Vec::new();
    loop {
        let page = grep(3, lines.len(), GrepOutput::Lines);
        assert_eq!(
            (page.count, page.match_count),
            (page.matches.len(), page.matches.len())
        );
        let is_last = !page.truncated;
        lines.extend(page.matches);
        if is_last {
            break;
        }
    }
    assert_eq!(lines, all.matches);

    let files = grep(256, 0, GrepOutput::Files);
    assert!(files.matches.is_empty() && !files.truncated);
    assert_eq!(files.match_count, all.count);
    let counted = |uri: &str| all.matches.iter().filter(|m| m.uri == uri).count();
    assert!(files.files.iter().all(|f| f.count == counted(&f.uri)));
    let two = grep(2, 1, GrepOutput::Files);
    assert_eq!((&two.files[..], two.truncated), (&files.files[1..3], true));
}

#[test]
fn lines_are_cut_on_request() {
    let (host, bundle) = opened();
    let options = GrepOptions {
        line_length: 30,
        ..GrepOptions::default()
    };
    let found = block_on(bundle.grep(&host, ROOT, "sensor", &options)).unwrap();
    let lengths = found.matches.iter().map(|m| m.content.chars().count());
    assert!(lengths.clone().all(|n| n <= 32) && lengths.max() == Some(32));
    assert!(found.matches.iter().all(|m| m.content.contains("sensor")));
}

#[test]
fn globs_and_listings_go_on_at_their_offset() {
    let (host, bundle) = opened();
    let glob = |node_limit, offset| {
        let options = GlobOptions { node_limit, offset };
        block_on(bundle.glob(&host, "**/*.md", ROOT, &options)).unwrap()
    };
    let all = glob(256, 0);
    assert!(!all.truncated && all.count > 4);
    let some = glob(2, 1);
    assert_eq!(
        (&some.matches[..], some.truncated),
        (&all.matches[1..3], true)
    );
    assert!(!glob(all.count, 0).truncated);

    let list = |options: ListOptions, deep: bool| -> Vec<Entry> {
        block_on(async {
            match deep {
                true => bundle.tree(&host, ROOT, &options).await.unwrap(),
                false => bundle.ls(&host, ROOT, &options).await.unwrap(),
            }
        })
    };
    for deep in [false, true] {
        let all = list(ListOptions::default(), deep);
        let part = ListOptions {
            offset: 1,
            node_limit: 2,
            abs_limit: 0,
            ..ListOptions::default()
        };
        let rows = list(part, deep);
        let uris = |rows: &[Entry]| rows.iter().map(|r| r.uri.clone()).collect::<Vec<_>>();
        assert_eq!(uris(&rows), uris(&all[1..3]));
        assert!(rows.iter().all(|row| row.abstract_.is_empty()));
        assert!(all.iter().any(|row| !row.abstract_.is_empty()));
    }
}

#[test]
fn a_lean_answer_has_each_text_once() {
    let (host, bundle) = opened();
    let find = |lean| {
        let options = FindOptions {
            lean,
            ..FindOptions::default()
        };
        block_on(bundle.find(&host, "clock drift", &options)).unwrap()
    };
    let (whole, lean) = (find(false), find(true));
    assert_eq!(whole.total, lean.total);
    for (a, b) in whole.resources.iter().zip(&lean.resources) {
        assert_eq!((&a.uri, &a.excerpt.text), (&b.uri, &b.excerpt.text));
        assert!(b.excerpt.highlights.is_empty());
        assert!(b.excerpt.text.is_empty() || b.abstract_.is_empty());
        for (of_a, of_b) in a.sections.iter().zip(&b.sections) {
            let is_told = of_a.excerpt.text == a.excerpt.text;
            let expected = if is_told { "" } else { &of_a.excerpt.text };
            assert_eq!((&of_a.uri, expected), (&of_b.uri, &of_b.excerpt.text[..]));
        }
    }
}
