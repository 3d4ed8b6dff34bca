//! Texts that somebody wrote in place of the extracted ones.

use crate::support::Script;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::options::{FindOptions, OneOrMany, ReadOptions};
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use knarr::{ErrorKind, Knarr};
use pollster::block_on;

fn page(path: &str, text: &str) -> Document {
    Document {
        path: path.into(),
        title: path.into(),
        weight: 1.0,
        sections: vec![DocumentSection {
            text: text.into(),
            weight: 1.0,
            ..DocumentSection::default()
        }],
        ..Document::default()
    }
}

fn builder() -> Builder {
    Builder::new(BuildOptions {
        name: "site".into(),
        mounts: vec![("skills".into(), "viking://agent/skills".into())],
        ..BuildOptions::default()
    })
    .expect("options")
}

fn open(builder: Builder) -> (Knarr, Script) {
    let host = Script::of(builder.finish(&mut |_, _, _| {}).expect("a bundle"));
    (block_on(Knarr::open(&host)).expect("opened"), host)
}

fn found(bundle: &Knarr, host: &Script, query: &str, level: i64) -> FindResult {
    let options = FindOptions {
        level: knarr::find::ask::filter::Value::Int(level),
        target_uri: OneOrMany::default(),
        ..FindOptions::default()
    };
    block_on(bundle.find(host, query, &options)).expect("an answer")
}

#[test]
fn authors_weigh_and_hide_pages_and_sections() {
    let mut builder = builder();
    let weighed = |path: &str, weight: f32| Document {
        weight,
        ..page(path, "The harbour has a crane, and much else besides.")
    };
    for (path, weight) in [("a.md", 0.5), ("b.md", 3.0), ("c.md", 0.0), ("d.md", 1.0)] {
        builder.add(weighed(path, weight)).unwrap();
    }
    let mut parts = page("e.md", "Open to all.");
    parts.sections.push(DocumentSection {
        text: "QX7731 in the appendix.".into(),
        weight: 0.0,
        ..DocumentSection::default()
    });
    builder.add(parts).unwrap();
    let (bundle, host) = open(builder);
    let names = |query: &str| -> Vec<String> {
        let found = found(&bundle, &host, query, 2);
        let uris = found
            .resources
            .iter()
            .map(|context| context.uri.rsplit('/').next());
        uris.map(|name| name.unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(names("harbour crane")[..3], ["b.md", "d.md", "a.md"]);
    assert!(!names("harbour crane").contains(&"c.md".to_owned()));
    assert!(names("c.md").iter().all(|name| name != "c.md"));
    let by_words = FindOptions {
        alpha: Some(0.0),
        ..FindOptions::default()
    };
    let part = block_on(bundle.find(&host, "QX7731", &by_words)).expect("an answer");
    assert_eq!(part.total, 0);
    let hidden = "viking://resources/site/c.md";
    let text = block_on(bundle.read(&host, hidden, &ReadOptions::default())).unwrap();
    assert!(
        text.contains("crane"),
        "hidden from search, not from readers"
    );
}

#[test]
fn supplied_texts_stand_in_place_of_the_extracted_and_are_found() {
    let mut builder = builder();
    let mut paper = page("guide/paper.md", "Folding sheets along a line.");
    paper.abstract_ = Some("  About origami.\n".into());
    paper.overview = Some("# Paper\n\nA written overview.\n".into());
    builder.add(paper).unwrap();
    builder
        .add(page("skills/knots.md", "Tie a bowline."))
        .unwrap();
    let text = |text: &str| Some(text.to_owned());
    builder
        .describe(
            "guide",
            text("Zeppelin manuals."),
            text("# Airships\n\nBrief.\n"),
        )
        .unwrap();
    builder
        .describe("", None, text("# All of it\n\nThe brief.\n\n## More\n"))
        .unwrap();
    builder
        .describe("skills", text("What hands can do."), None)
        .unwrap();
    builder
        .describe("guide/later", text("Nothing yet."), None)
        .unwrap();
    let (bundle, host) = open(builder);

    let read = |uri: &str| {
        let abstract_ = block_on(bundle.abstract_(&host, uri)).expect(uri);
        (abstract_, block_on(bundle.overview(&host, uri)).expect(uri))
    };
    let guide = "viking://resources/site/guide";
    assert_eq!(
        read(guide),
        ("Zeppelin manuals.".into(), "# Airships\n\nBrief.\n".into())
    );
    // Without an abstract of its own it is cut out of the overview.
    assert_eq!(read("viking://resources/site").0, "The brief.");
    assert_eq!(read("viking://agent/skills").0, "What hands can do.");
    assert!(read("viking://agent/skills").1.contains("knots.md"));
    assert_eq!(
        read("viking://resources/site/guide/later").0,
        "Nothing yet."
    );
    assert_eq!(
        read("viking://resources/site/guide/paper.md"),
        (
            "About origami.".into(),
            "# Paper\n\nA written overview.\n".into()
        )
    );

    let first = |query: &str, level| {
        let result = found(&bundle, &host, query, level);
        let row = result.resources.into_iter().next();
        row.map(|row| row.uri).unwrap_or_default()
    };
    assert_eq!(first("zeppelin", 0), format!("{guide}/.abstract.md"));
    assert_eq!(first("airships", 1), format!("{guide}/.overview.md"));
    assert_eq!(first("origami", 2), format!("{guide}/paper.md"));
    assert_eq!(
        block_on(bundle.read(&host, &format!("{guide}/paper.md"), &ReadOptions::default()))
            .unwrap(),
        "Folding sheets along a line.\n"
    );
}

#[test]
fn a_described_path_is_one_that_a_document_could_have() {
    for path in ["/", "a//b", "a/..", "a/"] {
        let error = builder().describe(path, None, None).expect_err(path);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{path}");
    }
}
