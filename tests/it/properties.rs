//! Properties that hold for every bundle, whatever its pages are called and say, and whatever was asked before.

use crate::support::{Random, Script, corpus_with};
use knarr::base::uri::decode_name;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, GlobOptions, ListOptions, Mode, OneOrMany, Preset};
use knarr::indexer::input::{SkipReason, Skipped};
use knarr::indexer::{BuildOptions, Builder, Built, Document, DocumentSection};
use knarr::{Knarr, Result};
use pollster::block_on;
use serde_json::json;
use std::collections::BTreeSet;

fn page(path: &str, text: &str) -> Document {
    Document {
        path: path.into(),
        title: "Page".into(),
        weight: 1.0,
        sections: vec![DocumentSection {
            text: text.into(),
            weight: 1.0,
            ..DocumentSection::default()
        }],
        ..Document::default()
    }
}

fn build(options: BuildOptions, documents: Vec<Document>) -> Result<Built> {
    let mut builder = Builder::new(options)?;
    builder.add_batch(documents)?;
    builder.finish(&mut |_, _, _| {})
}

/// Vectors are most of a small build's time, and tags have none.
fn without_vectors() -> BuildOptions {
    BuildOptions {
        dims: 0,
        ..BuildOptions::default()
    }
}

fn open(built: Built) -> (Script, Knarr) {
    let host = Script::of(built);
    let bundle = block_on(Knarr::open(&host)).unwrap();
    (host, bundle)
}

fn uris(result: &FindResult) -> BTreeSet<String> {
    let all = [&result.memories, &result.resources, &result.skills];
    let contexts = all.into_iter().flatten();
    contexts.map(|context| context.uri.clone()).collect()
}

/// Everything that a file system takes and an address, a drive or a URI reads in its own way.
const NAMES: [&str; 26] = [
    "C#.html",
    "what?.md",
    "100%.html",
    "a b.md",
    "%23",
    "%41.md",
    "c:d.html",
    "x:",
    "Q: why.md",
    "back\\slash.md",
    "日本 語.md",
    "übung.html",
    "e\u{301}.md",
    "a+b&c=d.md",
    "~",
    "[x].md",
    "{a,b}.md",
    ".hidden.md",
    "quote\".md",
    "it's.md",
    "<b>.md",
    "a~",
    "🦀.md",
    "scheme:rest.html",
    "@^`|.md",
    "{calendar:today}.md",
];

fn percent_decoded(url: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = url.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = (byte == b'%').then(|| std::str::from_utf8(&tail[..2]).unwrap());
        bytes.push(code.map_or(byte, |code| u8::from_str_radix(code, 16).unwrap()));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).unwrap()
}

/// A tree of pages with names of [`NAMES`], folders and files, a word of its own in each; of every path one.
fn named_pages(random: &mut Random) -> Vec<Document> {
    let mut paths = BTreeSet::new();
    for _ in 0..40 {
        let depth = 1 + random.below(3);
        let parts: Vec<&str> = (0..depth)
            .map(|_| NAMES[random.below(NAMES.len())])
            .collect();
        paths.insert(parts.join("/"));
    }
    let own_word = |(i, path): (usize, &String)| page(path, &format!("zebra own{i}word\n"));
    paths.iter().enumerate().map(own_word).collect()
}

#[test]
fn every_name_that_builds_is_found_listed_read_and_addressed() {
    let mut random = Random(0x5eed);
    for round in 0..6 {
        let documents = named_pages(&mut random);
        let options = BuildOptions {
            name: NAMES[random.below(NAMES.len())].into(),
            single_file: Some(round % 2 == 0),
            mounts: match round % 3 {
                0 => vec![("c:d.html".into(), "viking://resources/c%23".into())],
                _ => Vec::new(),
            },
            base_url: ["", "https://x.org/d/"][round % 2].into(),
            ..BuildOptions::default()
        };
        let (base, is_mounted) = (options.base_url.clone(), !options.mounts.is_empty());
        let (host, bundle) = open(build(options, documents.clone()).unwrap());
        every_node_is_where_its_uri_says(&host, &bundle);
        for document in &documents {
            let word = document.sections[0].text.split([' ', '\n']).nth(1).unwrap();
            let options = FindOptions {
                prefix: false,
                alpha: Some(0.0),
                ..FindOptions::default()
            };
            let found = block_on(bundle.find(&host, word, &options)).unwrap();
            let hit = &found.resources[0];
            let url = hit.url.strip_prefix(&base).unwrap();
            let rest = "/-._~!$&'()*+,;=@%";
            assert!(
                url.chars()
                    .all(|c| c.is_ascii_alphanumeric() || rest.contains(c)),
                "{url}"
            );
            let renamed =
                |name: &str| name.trim_end_matches('~') == document.path.trim_end_matches('~');
            if !(is_mounted && base.is_empty() && document.path.starts_with("c:d.html/")) {
                assert!(renamed(&percent_decoded(url)), "{url} is {}", document.path);
            }
            let target = FindOptions {
                target_uri: OneOrMany::One(hit.uri.clone()),
                ..options
            };
            let again = block_on(bundle.find(&host, "zebra", &target));
            if !hit.uri.contains("{calendar:") {
                assert_eq!(uris(&again.unwrap()), BTreeSet::from([hit.uri.clone()]));
            }
        }
        let all = block_on(bundle.find(
            &host,
            "zebra",
            &FindOptions {
                limit: 1000,
                ..FindOptions::default()
            },
        ));
        assert_eq!(all.unwrap().total, documents.len());
    }
}

/// The core lists no nodes: there the pages that are found are the check.
#[cfg(not(feature = "full"))]
fn every_node_is_where_its_uri_says(_: &Script, _: &Knarr) {}

#[cfg(feature = "full")]
fn every_node_is_where_its_uri_says(host: &Script, bundle: &Knarr) {
    let nodes = block_on(bundle.stored(host)).unwrap();
    let tree = ListOptions {
        level_limit: 99,
        show_all_hidden: false,
        ..ListOptions::default()
    };
    let listed: BTreeSet<String> = block_on(bundle.tree(host, "viking://", &tree))
        .unwrap()
        .into_iter()
        .map(|entry| entry.uri)
        .collect();
    for node in &nodes {
        let stat = block_on(bundle.stat(host, &node.uri)).expect(&node.uri);
        let last = decode_name(node.uri.rsplit('/').next().unwrap());
        assert_eq!(
            (stat.is_dir, stat.name),
            (node.is_dir, last.clone()),
            "{}",
            node.uri
        );
        assert!(last.starts_with('.') || node.uri == "viking://" || listed.contains(&node.uri));
        if node.is_dir {
            block_on(bundle.ls(host, &node.uri, &ListOptions::default())).expect(&node.uri);
        } else {
            let read = block_on(bundle.read(host, &node.uri, &Default::default()));
            assert_eq!(read.expect(&node.uri), node.content);
        }
    }
    let files = nodes.iter().filter(|node| !node.is_dir).count();
    assert_eq!(bundle.inspect().files as usize, files);
}

#[test]
fn the_corpus_is_where_its_uris_say() {
    for single in [true, false] {
        let (host, bundle) = open(corpus_with(BuildOptions {
            single_file: Some(single),
            ..BuildOptions::default()
        }));
        every_node_is_where_its_uri_says(&host, &bundle);
    }
}

#[test]
fn globs_match_names_as_they_are() {
    let (host, bundle) = open(
        build(
            BuildOptions::default(),
            vec![page("c#/C#.md", "x"), page("b.md", "x")],
        )
        .unwrap(),
    );
    let found =
        block_on(bundle.glob(&host, "**/C#.md", "viking://", &GlobOptions::default())).unwrap();
    assert_eq!(found.matches, ["viking://resources/docs/c%23/C%23.md"]);
}

#[test]
fn paths_that_no_reader_could_walk_are_refused() {
    let builder = Builder::new(BuildOptions::default()).unwrap();
    let deep = |levels: usize| format!("{}x.md", "a/".repeat(levels));
    let long = format!("{}.md", "y".repeat(20_000));
    for (path, refusal) in [
        ("a.md".to_owned(), None),
        (deep(200), None),
        (deep(512), Some(SkipReason::TooDeep)),
        (deep(40_250), Some(SkipReason::TooDeep)),
        (long, Some(SkipReason::TooDeep)),
        ("a//b.md".to_owned(), Some(SkipReason::BadName)),
        ("../b.md".to_owned(), Some(SkipReason::BadName)),
        ("a\nb.md".to_owned(), Some(SkipReason::BadName)),
        ("a/.abstract.md".to_owned(), Some(SkipReason::BadName)),
    ] {
        assert_eq!(builder.refusal(&path), refusal, "{path:.20}");
        let added = build(BuildOptions::default(), vec![page(&path, "zebra")]);
        assert_eq!(added.is_ok(), refusal.is_none(), "{path:.20}");
        if let Err(error) = added {
            assert!(error.message().len() < 1000 && error.code() == "INVALID_ARGUMENT");
        }
    }
    for mount in [
        "a/".repeat(40_000),
        "c:x".into(),
        "a?b".into(),
        "a#b".into(),
        "../x".into(),
    ] {
        let options = BuildOptions {
            mounts: vec![("sub".into(), format!("viking://agent/{mount}"))],
            ..BuildOptions::default()
        };
        let error = Builder::new(options).err().expect("no place");
        assert!(error.message().len() < 1000, "{mount:.20}");
    }
}

#[cfg(feature = "full")] // Texts are exported for their words.
#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let host = Script::of(corpus_with(BuildOptions {
        single_file: Some(false),
        term_part_bytes: Some(150),
        ..BuildOptions::default()
    }));
    let used = block_on(Knarr::open(&host)).unwrap();
    let parts = used
        .inspect()
        .parts
        .iter()
        .find(|p| p.0 == "terms")
        .unwrap()
        .1;
    assert!(parts > 200, "{parts} parts");
    let texts: String = block_on(used.stored(&host))
        .unwrap()
        .into_iter()
        .map(|n| n.content)
        .collect();
    let words: Vec<&str> = texts
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.len() > 2)
        .collect();
    let mut random = Random(7);
    let mut questions: Vec<String> = Vec::new();
    for _ in 0..200 {
        let word: Vec<char> = words[random.below(words.len())].chars().collect();
        let cut = 1 + random.below(word.len());
        let mut question: String = word[..cut].iter().collect();
        if random.below(4) == 0 {
            question = word.iter().rev().take(cut).rev().collect();
        }
        if random.below(4) == 0 {
            question = format!("{} {question}", words[random.below(words.len())]);
        }
        questions.push(question);
    }
    let ask = |bundle: &Knarr, question: &str| {
        block_on(bundle.find(&host, question, &FindOptions::default()))
    };
    for question in &questions {
        let fresh = block_on(Knarr::open(&host)).unwrap();
        assert_eq!(
            ask(&used, question).unwrap(),
            ask(&fresh, question).unwrap(),
            "{question}"
        );
    }
}

/// `being` is a form of `be`, and stands with it in a part far from `bei`.
#[test]
fn the_only_completion_of_a_beginning_is_found_wherever_its_stem_stands() {
    let filler: String = (0..400)
        .map(|i| format!("be{}q{i} ", char::from(b'a' + i as u8 % 8)))
        .collect();
    let documents = vec![page("a.md", "Being here is to be."), page("b.md", &filler)];
    let options = BuildOptions {
        term_part_bytes: Some(60),
        ..BuildOptions::default()
    };
    let (host, bundle) = open(build(options, documents).unwrap());
    let found = block_on(bundle.find(&host, "bein", &FindOptions::default())).unwrap();
    assert_eq!(found.resources[0].url, "a.md");
}

#[test]
fn answers_for_several_targets_are_those_for_each() {
    let mut random = Random(11);
    let topics = ["giraffe", "okapi", "zebra", "lion"];
    for _ in 0..3 {
        let mut documents: Vec<Document> = Vec::new();
        for i in 0..60 {
            let top = ["one", "two", "three"][random.below(3)];
            let deep: String = (0..random.below(4))
                .map(|_| format!("d{}/", random.below(4)))
                .collect();
            let text = format!(
                "{} {} in the park",
                topics[random.below(4)],
                topics[random.below(4)]
            );
            documents.push(page(&format!("{top}/{deep}p{i}.md"), &text));
        }
        let (host, bundle) = open(build(BuildOptions::default(), documents).unwrap());
        for (mode, preset) in [
            (Mode::Auto, Preset::ClassicLeaves),
            (Mode::Quick, Preset::ClassicLeaves),
            (Mode::Thinking, Preset::Classic),
            (Mode::Thinking, Preset::ClassicLeaves),
            (Mode::Thinking, Preset::Current),
        ] {
            if cfg!(not(feature = "full")) && preset != Preset::default() {
                continue; // The core has one walk.
            }
            let ask = |targets: &[&str]| {
                let targets = targets
                    .iter()
                    .map(|t| format!("viking://resources/docs/{t}"));
                let options = FindOptions {
                    target_uri: OneOrMany::Many(targets.collect()),
                    limit: 1000,
                    mode,
                    preset,
                    ..FindOptions::default()
                };
                uris(&block_on(bundle.find(&host, "giraffe okapi", &options)).unwrap())
            };
            let union: BTreeSet<String> = ask(&["one"]).union(&ask(&["two"])).cloned().collect();
            assert_eq!(ask(&["one", "two"]), union, "{mode:?} {preset:?}");
            assert_eq!(ask(&["two", "one"]), union, "{mode:?} {preset:?}");
        }
    }
}

/// The page that only its own root leads to: below the second target, in no directory like the question.
#[test]
fn a_page_of_the_second_target_is_reached() {
    let mut documents: Vec<Document> = (0..14)
        .map(|i| page(&format!("one/f{i}/p.md"), "giraffe okapi and giraffe"))
        .collect();
    documents.push(page("two/deep/er/zz.md", "giraffe okapi"));
    let (host, bundle) = open(build(BuildOptions::default(), documents).unwrap());
    let options = FindOptions {
        target_uri: OneOrMany::Many(
            ["one", "two"]
                .map(|t| format!("viking://resources/docs/{t}"))
                .into(),
        ),
        limit: 100,
        mode: Mode::Thinking,
        #[cfg(feature = "full")] // The core has one walk.
        preset: Preset::Classic,
        ..FindOptions::default()
    };
    let found = uris(&block_on(bundle.find(&host, "giraffe okapi", &options)).unwrap());
    assert!(
        found.contains("viking://resources/docs/two/deep/er/zz.md"),
        "{found:?}"
    );
}

#[cfg(feature = "full")]
#[test]
fn a_text_that_a_page_carries_matches_itself() {
    let mut random = Random(3);
    let pieces = [
        "Alice",
        "@Example.com",
        "GROUP:x",
        "É",
        "ß",
        " ",
        "=",
        "a",
        "İ",
        ":",
        "Ω",
        "-",
    ];
    for _ in 0..30 {
        let text: String = (0..1 + random.below(4))
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        let text = text.trim().to_owned();
        if text.is_empty() {
            continue;
        }
        let mut own = page("own.md", "zebra");
        own.tags = ["acl", "set", "source", "Kind"]
            .map(|key| format!("{key}={text}"))
            .into();
        own.tags.push(text.clone());
        let mut other = page("other.md", "zebra");
        other.tags = vec!["acl=nobody".into(), "set=none".into(), "source=none".into()];
        let (host, bundle) = open(build(without_vectors(), vec![own, other]).unwrap());
        let ask = |hybrid: serde_json::Value, filter: serde_json::Value| {
            let options = FindOptions {
                hybrid: serde_json::from_value(hybrid).unwrap(),
                filter: serde_json::from_value(filter).unwrap(),
                ..FindOptions::default()
            };
            let found = block_on(bundle.find(&host, "zebra", &options)).unwrap();
            found
                .resources
                .into_iter()
                .map(|r| r.url)
                .collect::<Vec<_>>()
        };
        for access in [
            json!({"access": [text]}),
            json!({"access": [text], "sets": [text]}),
            json!({"access": [text], "forced_sets": [text]}),
            json!({"access": [text], "sources": [text]}),
            json!({"tags": [text]}),
            json!({"tags": [format!("Kind={text}")]}),
        ] {
            assert_eq!(
                ask(json!({"access": access}), json!(null)),
                ["own.md"],
                "{access}"
            );
        }
        assert_eq!(
            ask(json!({"access": {"access": []}}), json!(null)),
            [""; 0],
            "{text}"
        );
        for tag in [text.clone(), format!("Kind={text}")] {
            let must = json!({"op": "must", "field": "tags", "conds": [tag]});
            let must_not = json!({"op": "must_not", "field": "tags", "conds": [tag]});
            let contains = json!({"op": "contains", "field": "tags", "substring": text});
            assert_eq!(ask(json!(null), must), ["own.md"], "{tag}");
            assert_eq!(ask(json!(null), must_not), ["other.md"], "{tag}");
            assert!(
                ask(json!(null), contains).contains(&"own.md".to_owned()),
                "{tag}"
            );
        }
    }
}

#[test]
fn what_was_dropped_is_named_and_the_rest_is_counted() {
    let mounts = ["a", "b"].map(|folder| (folder.to_owned(), "viking://resources/same".to_owned()));
    let options = BuildOptions {
        mounts: mounts.into(),
        ..BuildOptions::default()
    };
    let documents = vec![
        page("a/x.md", "From a"),
        page("b/x.md", "From b"),
        page("c", "A file"),
        page("c/d.md", "in a folder of its name"),
        page("c~", "beside one that is called as it would be"),
        page("c/d.md", "again"),
    ];
    let built = build(options, documents).unwrap();
    assert_eq!(built.summary.files, 4);
    let named = |path: &str| Skipped {
        path: path.into(),
        reason: SkipReason::DuplicateName,
    };
    assert_eq!(built.dropped, [named("b/x.md"), named("c/d.md")]);
    let (host, bundle) = open(built);
    every_node_is_where_its_uri_says(&host, &bundle);
    let read = block_on(bundle.read(&host, "viking://resources/same/x.md", &Default::default()));
    assert_eq!(read.unwrap().trim(), "From a");
}

#[test]
fn words_that_are_not_looked_at_are_said() {
    let (host, bundle) = open(build(BuildOptions::default(), vec![page("a.md", "zebra")]).unwrap());
    let said = |n: usize| {
        let query = format!("{}zebra", "unknownword ".repeat(n));
        let found = block_on(bundle.find(&host, &query, &FindOptions::default())).unwrap();
        (found.total, found.skipped.iter().any(|s| s.step == "words"))
    };
    assert_eq!(said(63), (1, false));
    assert_eq!(said(64), (0, true));
}

#[test]
fn a_word_is_unfinished_only_at_the_very_end() {
    let documents = vec![
        page("a.md", "rust"),
        page("b.md", "rusty hinges"),
        page("c.md", "other words"),
    ];
    let options = BuildOptions {
        dims: 0,
        ..BuildOptions::default()
    };
    let (host, bundle) = open(build(options, documents).unwrap());
    let found = |query: &str| {
        let found = block_on(bundle.find(&host, query, &FindOptions::default())).unwrap();
        found
            .resources
            .into_iter()
            .map(|r| r.url)
            .collect::<Vec<_>>()
    };
    for open in ["rust", "what is rust", "¿rust"] {
        assert_eq!(found(open), ["a.md", "b.md"], "{open}");
    }
    for ended in [
        "rust ",
        "rust?",
        "(rust)",
        "\"rust\"",
        "rust。",
        "rust, ",
        "rust\u{a0}",
    ] {
        assert_eq!(found(ended), ["a.md"], "{ended}");
    }
}

#[test]
fn an_unknown_value_of_any_size_is_named_in_a_short_message() {
    let (host, bundle) = open(build(BuildOptions::default(), vec![page("a.md", "zebra")]).unwrap());
    let uri = format!("viking://resources/{}", "x".repeat(100_000));
    let error = block_on(bundle.stat(&host, &uri)).unwrap_err();
    assert!(
        error.message().len() < 1000,
        "{} bytes",
        error.message().len()
    );
    let options = FindOptions {
        target_uri: OneOrMany::One(uri),
        level: Value::Null,
        ..FindOptions::default()
    };
    let error = block_on(bundle.find(&host, "x", &options)).unwrap_err();
    assert!(
        error.message().len() < 1000,
        "{} bytes",
        error.message().len()
    );
}
