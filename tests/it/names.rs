//! Names: the thing itself before longer names, and before pages that mention it; mistyped names on large sites.

use crate::support::{page, served};
use knarr::indexer::{Document, DocumentSection};
use knarr::options::Mode;
use knarr::{Knarr, find::ask::options::FindOptions};
use pollster::block_on;

fn titles(documents: Vec<Document>, question: &str) -> Vec<String> {
    let host = served(documents, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, question, &FindOptions::default())).unwrap();
    found.resources.into_iter().map(|row| row.title).collect()
}

fn defined(kind: &str, path: &str, title: &str, text: &str) -> Document {
    Document {
        kind: kind.into(),
        ..page(path, title, text)
    }
}

/// Reference pages of a few types whose names contain one another, and a guide that mentions them.
fn types() -> Vec<Document> {
    let uses =
        "Options of a file are opened with an option; see the option and its options. ".repeat(4);
    vec![
        defined("struct", "fs/open-options.html", "OpenOptions", &uses),
        defined("trait", "fs/open-options-ext.html", "OpenOptionsExt", &uses),
        defined(
            "enum",
            "option.html",
            "Option",
            "A value that may be missing. It may be mapped.",
        ),
        defined("struct", "vec.html", "Vec", "A growable array."),
        defined(
            "struct",
            "vec-deque.html",
            "VecDeque",
            "A queue that grows at both ends, as a Vec does. A Vec is simpler.",
        ),
        page(
            "guide.html",
            "How to choose",
            "Take an Option where a value may be missing, a Vec for a list.",
        ),
    ]
}

/// Of a long page whose words are everywhere, the one that defines a name is about it, however often others say its words.
#[test]
fn the_page_with_the_section_of_a_name_is_relevant() {
    let member = |name: &str| DocumentSection {
        heading: format!("fs.{name}"),
        anchor: name.into(),
        level: 2,
        text: "What it takes, what it gives, and when it fails. ".repeat(9),
        weight: 1.0,
        ..DocumentSection::default()
    };
    let mut reference = page("api.html", "API", "");
    let names = [
        "open",
        "copy_from_folder",
        "remove",
        "rename",
        "canonicalize",
    ];
    reference.sections.extend(names.map(member));
    let uses = "Copy a folder from here: a copy of the folder comes from copies of a folder.";
    let guide = |at: usize| page(&format!("g{at}.html"), &format!("Guide {at}"), uses);
    let documents = [reference].into_iter().chain((0..9).map(guide)).collect();
    let host = served(documents, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, "copy_from_folder", &FindOptions::default())).unwrap();
    let first = &found.resources[0];
    assert_eq!(first.title, "API");
    assert!(first.relevance > 0.8 && !found.weak, "{}", first.relevance);
}

/// A glossary has an entry of every name, and a reference an option; who types a plain word means what pages are called.
#[test]
fn a_plain_word_is_the_subject_of_pages_before_it_is_the_name_of_a_section() {
    let entry = |name: &str| DocumentSection {
        heading: name.into(),
        anchor: name.to_lowercase(),
        level: 2,
        text: format!("A {name} and what it is; see the {name} of the reference."),
        weight: 1.0,
        ..DocumentSection::default()
    };
    let of = |path: &str, title: &str, names: &[&str]| Document {
        sections: names.iter().map(|name| entry(name)).collect(),
        ..page(path, title, "")
    };
    let documents = vec![
        of("glossary.html", "Glossary", &["Profile", "Crate", "Lint"]),
        of(
            "config.html",
            "Configuration",
            &["profile", "color", "jobs"],
        ),
        page(
            "profiles.html",
            "Profiles",
            "Profiles change how things are built. A profile has settings.",
        ),
        page(
            "build.html",
            "Build",
            "Each profile builds crates into a folder of its own.",
        ),
        page("other.html", "Other", "Nothing of the kind."),
    ];
    assert_eq!(titles(documents.clone(), "profile")[0], "Profiles");
    assert_eq!(titles(documents, "jobs")[0], "Configuration");
}

/// As a word, `once` weighs nothing, so that no section had any weight.
#[test]
fn a_name_that_is_a_common_word_opens_its_section() {
    let member = |name: &str, text: &str| DocumentSection {
        heading: format!("{name}(event)"),
        anchor: name.into(),
        level: 2,
        text: text.into(),
        weight: 1.0,
        ..DocumentSection::default()
    };
    let mut emitter = page("emitter.html", "Emitter", "It calls who listens.");
    emitter.sections.extend([
        member("on", "Listens to all that happens."),
        member("once", "Listens to what happens next."),
    ]);
    let mut documents = vec![emitter];
    documents.extend((0..9).map(|n| {
        page(
            &format!("{n}.html"),
            &format!("Guide {n}"),
            "Read this once.",
        )
    }));
    let host = served(documents, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, "once", &FindOptions::default())).unwrap();
    let first = &found.resources[0];
    let anchors: Vec<&str> = first.sections.iter().map(|s| s.anchor.as_str()).collect();
    assert_eq!((first.title.as_str(), anchors), ("Emitter", vec!["once"]));
}

#[test]
fn the_thing_itself_is_before_longer_names() {
    assert_eq!(titles(types(), "Option")[0], "Option");
    assert_eq!(titles(types(), "option")[0], "Option");
    assert_eq!(titles(types(), "Vec")[0], "Vec");
    assert_eq!(titles(types(), "VecDeque")[0], "VecDeque");
    assert_eq!(titles(types(), "open options")[0], "OpenOptions");
}

/// A reference in which a macro and a struct share a name, and maps of two modules share their members'.
fn of_rust() -> Vec<Document> {
    let section = |heading: &str, text: &str| DocumentSection {
        heading: heading.into(),
        anchor: heading.to_lowercase(),
        level: 3,
        text: text.into(),
        weight: 1.0,
        ..DocumentSection::default()
    };
    let of = |mut document: Document, sections: &[(&str, &str)]| {
        let sections = sections
            .iter()
            .map(|(heading, text)| section(heading, text));
        document.sections.extend(sections);
        document
    };
    let about = "A vec that grows; the vec is a list. Vec and vec again. ";
    vec![
        of(
            defined("struct", "std/vec/struct.Vec.html", "Vec", about),
            &[
                (
                    "impl From<&str> for Vec<u8>",
                    "From a text, a Vec of u8: new bytes of u8.",
                ),
                ("Vec::new", "Makes an empty one."),
                ("Vec::new_in", "Vec new u8, in a place."),
            ],
        ),
        defined(
            "macro",
            "std/macro.vec.html",
            "vec",
            "Creates a list with the arguments.",
        ),
        defined(
            "module",
            "std/collections/hash_map/index.html",
            "std::collections::hash_map",
            "In std collections, a HashMap to get from. The std collections HashMap: get.",
        ),
        of(
            defined(
                "struct",
                "std/collections/struct.HashMap.html",
                "HashMap",
                "Keys and values.",
            ),
            &[
                (
                    "HashMap::reserve",
                    "From std::collections::HashMap get room; get it from a std HashMap of collections.",
                ),
                ("HashMap::get", "The value of a key."),
            ],
        ),
        page("guide.html", "Lists", "Hello world! Use vec or Vec."),
    ]
}

fn first_place(question: &str) -> (String, Option<String>) {
    let host = served(of_rust(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, question, &FindOptions::default())).unwrap();
    let first = found.resources.into_iter().next().unwrap();
    let section = first.sections.into_iter().next();
    (first.uri, section.map(|section| section.title))
}

#[test]
fn the_sign_of_a_macro_tells_it_from_a_struct_of_its_name() {
    for question in ["vec!", "vec![]", "a list by vec!"] {
        let (uri, _) = first_place(question);
        assert!(uri.ends_with("macro.vec.html"), "{question}: {uri}");
    }
    let (uri, _) = first_place("Vec");
    assert!(uri.ends_with("struct.Vec.html"), "{uri}");
}

#[test]
fn a_full_path_leads_to_the_member() {
    for (question, page, section) in [
        (
            "std::collections::HashMap::get",
            "struct.HashMap.html",
            "HashMap::get",
        ),
        ("HashMap::get", "struct.HashMap.html", "HashMap::get"),
    ] {
        let (uri, title) = first_place(question);
        assert!(uri.ends_with(page), "{question}: {uri}");
        assert_eq!(title.as_deref(), Some(section), "{question}");
    }
}

#[test]
fn a_kind_is_found_and_is_no_part_of_the_name() {
    assert_eq!(titles(types(), "enum option")[0], "Option");
    let host = served(types(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let found = block_on(bundle.find(&host, "Option", &FindOptions::default())).unwrap();
    assert_eq!(found.resources[0].tags, ["kind=enum"]);
}

#[test]
fn a_heading_that_repeats_stands_behind_the_one_above_it() {
    let section = |level, heading: &str, anchor: &str, text: &str| DocumentSection {
        heading: heading.into(),
        anchor: anchor.into(),
        level,
        text: text.into(),
        weight: 1.0,
        ..Default::default()
    };
    let list = Document {
        sections: vec![
            section(3, "List::retain", "retain", "Keeps what is wanted."),
            section(
                4,
                "Examples",
                "examples",
                "Keeps the even numbers of a barrel.",
            ),
            section(3, "List::push", "push", "Appends."),
            section(4, "Examples", "examples-1", "Appends a herring."),
            section(4, "Panics", "panics", "If there is no room for a lobster."),
        ],
        ..page("list.html", "List", "")
    };
    let host = served(vec![list], "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    for (question, title) in [
        ("herring", "List::push › Examples"),
        ("barrel", "List::retain › Examples"),
        ("lobster", "Panics"),
    ] {
        let found = block_on(bundle.find(&host, question, &FindOptions::default())).unwrap();
        assert_eq!(found.resources[0].sections[0].title, title);
    }
}

/// A long reference, short pages that mention its entries, and things whose names are words of a path.
fn reference() -> Vec<Document> {
    let section = |heading: &str, anchor: &str, text: &str| DocumentSection {
        heading: heading.into(),
        anchor: anchor.into(),
        level: 3,
        text: text.into(),
        weight: 1.0,
        ..Default::default()
    };
    let filler = "This setting takes a value, which is read when the program starts. ".repeat(6);
    let mut settings: Vec<DocumentSection> = (0..30)
        .map(|n| section(&format!("setting{n} [string]"), &format!("s{n}"), &filler))
        .collect();
    settings.push(section(
        "moduleMapper [object<string, string>]",
        "mapper",
        &filler,
    ));
    settings.push(section("-w, --watch", "watch", &filler));
    let option = Document {
        sections: vec![
            section("Option", "top", "A value that may be missing."),
            section("Option::zip", "method.zip", "Joins two of them."),
            section("Option::zip_with", "method.zip_with", "Zip, by a function."),
        ],
        names: vec!["std::option::Option".into()],
        ..defined("enum", "option.html", "Option", "")
    };
    let mention = "Set moduleMapper so that watch mode finds moduleMapper. ".repeat(3);
    vec![
        Document {
            sections: settings,
            ..page("configuration.html", "Configuration", "")
        },
        page("a.html", "With React", &mention),
        page("b.html", "With webpack", &mention),
        page(
            "c.html",
            "Watch mode",
            "Watch again and again: watch, watch.",
        ),
        defined("function", "zip.html", "zip", "Zips iterators."),
        defined("struct", "struct.zip.html", "Zip", "What zip returns."),
        option,
    ]
}

#[test]
fn a_qualified_name_opens_what_it_names() {
    let host = served(reference(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    for (question, page, section) in [
        ("Option::zip", "Option", "method.zip"),
        ("option.zip()", "Option", "method.zip"),
        ("two joined with Option::zip", "Option", "method.zip"),
        ("std::option::Option", "Option", ""),
        ("zip", "zip", ""),
        ("moduleMapper", "Configuration", "mapper"),
        ("--watch", "Configuration", "watch"),
        // Half typed.
        ("Option::zi", "Option", "method.zip"),
        ("moduleMap", "Configuration", "mapper"),
        ("module_ma", "Configuration", "mapper"),
    ] {
        let found = block_on(bundle.find(&host, question, &FindOptions::default())).unwrap();
        let first = &found.resources[0];
        // The function `zip` and the struct `Zip` have one name.
        assert_eq!(
            first.title.to_lowercase(),
            page.to_lowercase(),
            "{question}"
        );
        let anchor = first.sections.first().map_or("", |s| &s.anchor);
        assert!(
            section.is_empty() || anchor == section,
            "{question}: {anchor}"
        );
    }
    assert_eq!(titles(reference(), "watch")[0], "Watch mode");
}

#[test]
fn a_mistyped_name_finds_what_the_name_finds() {
    for (name, typed) in [
        ("moduleMapper", "moduleMaper"),
        ("moduleMapper", "moduleMappe "),
        ("Option::zip_with", "Opton::zip_with"),
        ("watch mode", "wacth mode"),
    ] {
        let right = titles(reference(), name);
        assert_eq!(titles(reference(), typed)[..2], right[..2], "{typed}");
    }
}

#[test]
fn the_terms_of_names_are_no_words() {
    let host = served(reference(), "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    for question in ["opti", "modulemaper", "zi"] {
        let found = block_on(bundle.find(&host, question, &FindOptions::default())).unwrap();
        assert!(found.total > 0, "{question}");
        let read_as = found.corrections.iter().flatten();
        assert!(
            !read_as.clone().any(|word| word.contains('=')),
            "{question}"
        );
    }
}

/// A word with one mistake, by turns of every sort at every place.
fn mistyped(word: &str, turn: usize) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = turn / 4 % letters.len();
    match turn % 4 {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, 'q'),
        2 => letters[at] = 'q',
        _ => {
            let at = at.min(letters.len() - 2);
            letters.swap(at, at + 1);
        }
    }
    letters.into_iter().collect()
}

/// Words of three syllables each: thousands, in dozens of dictionary and spelling parts.
fn many_words() -> Vec<String> {
    let syllables = [
        "ba", "do", "fi", "gu", "ke", "la", "mo", "ni", "pu", "re", "sa", "to", "vi", "zu", "che",
        "tha", "bro", "sti",
    ];
    let mut words: Vec<String> = Vec::new();
    for a in syllables {
        for b in syllables {
            words.extend(syllables.iter().map(|c| format!("{a}{b}{c}")));
        }
    }
    words
}

#[test]
fn a_word_with_a_mistake_in_each_half_is_found() {
    let rare = "tomorrow necessary recommend disappear different";
    let words = many_words();
    let many = words.chunks(50).enumerate();
    let many = many.map(|(i, words)| page(&format!("{i}.html"), "Page", &words.join(" ")));
    for documents in [Vec::new(), many.collect()] {
        let documents = [documents, vec![page("a.html", "Words", rare)]].concat();
        let host = served(documents, "", "");
        let bundle = block_on(Knarr::open(&host)).unwrap();
        for (typed, word) in [
            ("tommorow ", "tomorrow"),
            ("neccesary ", "necessary"),
            ("reccomend ", "recommend"),
            ("dissapear ", "disappear"),
            ("diferrent ", "different"),
        ] {
            let found = block_on(bundle.find(&host, typed, &FindOptions::default())).unwrap();
            assert_eq!(found.corrections, [[typed.trim(), word]]);
        }
    }
}

#[test]
fn a_mistyped_word_is_found_however_many_words_there_are() {
    let words = many_words();
    let pages = words.chunks(50).enumerate();
    let documents = pages
        .map(|(i, words)| page(&format!("{i}.html"), &format!("Page {i}"), &words.join(" ")))
        .collect();
    let host = served(documents, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let mut missed = Vec::new();
    for (turn, word) in words.iter().enumerate().step_by(7) {
        let typed = mistyped(word, turn / 7);
        if words.contains(&typed) {
            continue;
        }
        let found = block_on(bundle.find(&host, &typed, &FindOptions::default())).unwrap();
        if word.starts_with(&typed) {
            // Its last letter is missing: a word that is not yet finished.
            assert!(found.total > 0, "{typed}");
            continue;
        }
        let known = near(&words, &typed);
        let read_as = found
            .corrections
            .iter()
            .any(|[_, word]| known.contains(&word.as_str()));
        if !read_as {
            missed.push((word.clone(), typed));
        }
    }
    assert_eq!(missed, []);
}

/// The words at distance one, of which any is a right reading.
fn near<'w>(words: &'w [String], typed: &str) -> Vec<&'w str> {
    let near = words
        .iter()
        .filter(|word| strsim::osa_distance(word, typed) == 1);
    near.map(String::as_str).collect()
}

#[test]
fn on_a_site_of_three_pages_the_one_with_the_word_is_first() {
    let repeated = |text: &str| text.repeat(5);
    let pages = vec![
        page(
            "knots.md",
            "Knots",
            &format!(
                "A bowline is a loop that never jams. {}",
                repeated("Sailors keep their ropes dry. ")
            ),
        ),
        page(
            "harbour.md",
            "Harbour",
            &repeated("The harbour master answers questions about moorings and fees. "),
        ),
        page(
            "tides.md",
            "Tides",
            &repeated("Water rises and falls twice a day under the moon. "),
        ),
    ];
    assert_eq!(titles(pages, "bowline")[0], "Knots");
}

#[test]
fn a_mistake_that_the_site_makes_itself_finds_the_word_too() {
    let vacuums = (0..40).map(|n| {
        page(
            &format!("v{n}.md"),
            &format!("Vacuum {n}"),
            "How to vacuum a file.",
        )
    });
    let wrong = page("notes.md", "Notes", "Then vaccum the file and vaper it.");
    let others = (0..60).map(|n| {
        page(
            &format!("o{n}.md"),
            &format!("Other {n}"),
            "Something else.",
        )
    });
    let mut pages: Vec<Document> = vacuums.chain([wrong]).chain(others).collect();
    let titles = |pages: Vec<Document>, query: &str| -> Vec<String> {
        let host = served(pages, "", "");
        let options = FindOptions::new().mode(Mode::Quick).alpha(0.0);
        let bundle = block_on(Knarr::open(&host)).unwrap();
        let found = block_on(bundle.find(&host, query, &options)).unwrap();
        let rows = found.resources.into_iter();
        rows.map(|row| row.title).collect()
    };
    let found = titles(pages.clone(), "vaccum");
    assert_eq!(found[0], "Notes", "what was typed comes first");
    assert!(found[1].starts_with("Vacuum"), "{found:?}");
    // A word that another page has as often as not is no mistake.
    pages.drain(..20);
    assert_eq!(titles(pages, "vaccum"), ["Notes"]);
}
