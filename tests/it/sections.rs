//! The address of a section: what reads it, what refuses it, and where it is told.

use crate::support::{Script, corpus};
use knarr::find::ask::options::{
    FindOptions, GrepOptions, ListOptions, OneOrMany, ReadOptions, RelationOptions,
};
use knarr::{ErrorKind, Knarr};
use pollster::block_on;

const PAGE: &str = "viking://resources/docs/reference/configuration.md";

fn opened() -> (Script, Knarr) {
    let host = Script::of(corpus(Some(false)));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    (host, bundle)
}

#[test]
fn every_section_that_is_found_can_be_read() {
    let (host, bundle) = opened();
    let found = block_on(bundle.find(&host, "clock drift", &FindOptions::default())).unwrap();
    let sections: Vec<_> = found.resources.iter().flat_map(|r| &r.sections).collect();
    assert!(sections.len() > 2);
    for section in sections.iter().filter(|s| !s.anchor.is_empty()) {
        let text = block_on(bundle.read(&host, &section.uri, &ReadOptions::default())).unwrap();
        let heading = text.lines().next().unwrap_or_default();
        assert!(heading.starts_with('#'), "{heading}");
        let page = section.uri.split('#').next().unwrap();
        let whole = block_on(bundle.read(&host, page, &ReadOptions::default())).unwrap();
        assert!(whole.contains(text.as_str()), "{}", section.uri);
    }
}

#[test]
fn a_section_has_those_below_it_and_lines_of_its_own() {
    let (host, bundle) = opened();
    let read = |anchor: &str, offset, limit| {
        let options = ReadOptions {
            offset,
            limit,
            ..ReadOptions::default()
        };
        block_on(bundle.read(&host, &format!("{PAGE}#{anchor}"), &options))
    };
    let clock = read("clock", 0, -1).unwrap();
    let headings: Vec<_> = clock.lines().filter(|l| l.starts_with('#')).collect();
    let below = ["## clock", "### clock.correct", "### clock.max_drift"];
    assert_eq!(headings, below);
    assert_eq!(read("clock", 0, 1).unwrap(), "## clock\n");
    let error = read("clocks", 0, -1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let said = error.message();
    assert!(said.starts_with(&format!("'{PAGE}' has no section #clocks; the first are #")));
    let error = read("max-drift", 0, -1).unwrap_err();
    assert!(error.message().contains("nearest are #"), "{error}");
    let folder = "viking://resources/docs/reference#clock";
    let error = block_on(bundle.read(&host, folder, &ReadOptions::default())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[test]
fn grep_looks_in_a_section_alone() {
    let (host, bundle) = opened();
    let uri = format!("{PAGE}#clock");
    let grep = |uri: &str| block_on(bundle.grep(&host, uri, "^#", &GrepOptions::default()));
    let own = grep(&uri).unwrap();
    assert_eq!((own.count, own.files_scanned), (3, 1));
    assert!(own.count < grep(PAGE).unwrap().count);
    assert_eq!(
        (own.matches[0].line, own.matches[0].uri.as_str()),
        (1, &*uri)
    );
    assert_eq!(
        grep(&format!("{PAGE}#no")).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

/// The page in its place would be an answer about something else.
#[test]
fn what_takes_no_section_refuses_it_and_names_the_page() {
    let (host, bundle) = opened();
    let uri = &format!("{PAGE}#clock")[..];
    let find = FindOptions {
        target_uri: OneOrMany::Many(vec![uri.into()]),
        ..FindOptions::default()
    };
    let without = GrepOptions {
        exclude_uri: Some(uri.into()),
        ..GrepOptions::default()
    };
    let errors = [
        block_on(bundle.find(&host, "drift", &find)).unwrap_err(),
        block_on(bundle.grep(&host, "viking://", "drift", &without)).unwrap_err(),
        block_on(bundle.abstract_(&host, uri)).unwrap_err(),
        block_on(bundle.overview(&host, uri)).unwrap_err(),
        block_on(bundle.download(&host, uri)).unwrap_err(),
        block_on(bundle.stat(&host, uri)).unwrap_err(),
        block_on(bundle.ls(&host, uri, &ListOptions::default())).unwrap_err(),
        block_on(bundle.relations(&host, uri, &RelationOptions::default())).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::InvalidUri, "{error}");
        assert!(error.message().ends_with(PAGE), "{error}");
    }
}

#[test]
fn the_overview_of_a_page_has_the_anchors_of_its_sections() {
    let (host, bundle) = opened();
    let overview = block_on(bundle.overview(&host, PAGE)).unwrap();
    for anchor in [" #clock", " #storage"] {
        let told = overview.lines().any(|l| l.contains(anchor));
        assert!(told, "{anchor}: {overview}");
    }
}

#[test]
fn lines_are_read_by_the_numbers_that_grep_gives() {
    let (host, bundle) = opened();
    let found = block_on(bundle.grep(&host, PAGE, "^## storage", &GrepOptions::default())).unwrap();
    let options = ReadOptions {
        line: Some(found.matches[0].line as usize),
        limit: 1,
        ..ReadOptions::default()
    };
    let line = block_on(bundle.read(&host, PAGE, &options)).unwrap();
    assert_eq!(line, "## storage\n");
    let negative = ReadOptions {
        limit: -7,
        ..ReadOptions::default()
    };
    let error = block_on(bundle.read(&host, PAGE, &negative)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}
