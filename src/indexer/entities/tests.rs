use super::*;
use crate::graph::{Entity, canonical};
use crate::indexer::document::{DocumentSection, Link};

fn document(title: &str, sections: &[(&str, &str)]) -> Document {
    let section = |(heading, text): &(&str, &str)| DocumentSection {
        heading: (*heading).into(),
        text: (*text).into(),
        ..DocumentSection::default()
    };
    Document {
        title: title.into(),
        sections: sections.iter().map(section).collect(),
        ..Document::default()
    }
}

fn chat() -> Vec<Document> {
    vec![
        document(
            "20260121",
            &[(
                "",
                "Time: 20260121\nWolfgangSchulz: Hi LiHua, the bakery in Oslo opens at 10:00.\nLiHua: Great, see you there!",
            )],
        ),
        document(
            "20260122",
            &[(
                "",
                "LiHua: I met Wolfgang Schulz again.\nJenniferMoore: In Oslo?\nLiHua: Yes, in Oslo near the bakery.",
            )],
        ),
    ]
}

fn of<'a>(graph: &'a EntityGraph, alias: &str) -> Option<(u32, &'a Entity)> {
    graph
        .by_alias(alias)
        .first()
        .map(|&number| (number, &graph.entities()[number as usize]))
}

#[test]
fn speakers_are_people_under_every_spelling() {
    let graph = extract(&chat(), &ExtractOptions::default());
    let (wolfgang, entity) = of(&graph, "wolfgang schulz").expect("a speaker");
    assert_eq!(graph.type_of(wolfgang), "PERSON");
    assert_eq!((&entity.chunks[..], entity.texts.len()), (&[0, 1][..], 0));
    assert_eq!(entity.name, "Wolfgang Schulz");
    assert_eq!(of(&graph, "wolfgang").expect("the first name").0, wolfgang);
    let (lihua, _) = of(&graph, "li hua").expect("a speaker");
    let relation = graph
        .relation_between(wolfgang, lihua)
        .expect("they stand in two lines");
    assert_eq!(graph.relations()[relation as usize].chunks, [0, 1]);
    assert!(
        graph.relations()[relation as usize]
            .text
            .contains("the bakery in Oslo")
    );
    let (oslo, _) = of(&graph, "oslo").expect("a place");
    assert_eq!(graph.type_of(oslo), "LOCATION");
    assert!(of(&graph, "great").is_none() && of(&graph, "yes").is_none());
}

/// The type of a name; `None` where it is no entity.
fn kind<'a>(graph: &'a EntityGraph, name: &str) -> Option<&'a str> {
    let found = graph.by_alias(&canonical(name)).first();
    found.map(|number| graph.type_of(*number))
}

/// A graph of pages of one section each.
fn of_texts(pages: &[(&str, &str)]) -> EntityGraph {
    let pages = pages.iter();
    let pages = pages.map(|(title, text)| document(title, &[("", *text)]));
    extract(&pages.collect::<Vec<_>>(), &ExtractOptions::default())
}

#[test]
fn names_of_one_document_are_found() {
    let graph = of_texts(&[
        (
            "Alice",
            "Alice Morgan likes green tea and works for Contoso in Lisbon.",
        ),
        (
            "Visit",
            "Dr. Emma Watts came with Mr. Smith to see the Blue Lantern. Perhaps Bob knows what Zorbulon is.",
        ),
        ("Login", "The login page was written last week."),
        ("Tea", "The tea was written down. Ann drinks it."),
    ]);
    for (name, expected) in [
        ("Alice Morgan", "PERSON"),
        ("Contoso", "CONCEPT"),
        ("Lisbon", "LOCATION"),
        ("Emma Watts", "PERSON"),
        ("Smith", "PERSON"),
        ("Bob", "PERSON"),
        ("Ann", "PERSON"),
        ("Blue Lantern", "CONCEPT"),
        ("Zorbulon", "CONCEPT"),
        // The title of a page is one of its mentions.
        ("Login", "CONCEPT"),
    ] {
        assert_eq!(kind(&graph, name), Some(expected), "{name}");
    }
    // A page about Alice is about the only Alice that there is.
    assert_eq!(graph.by_alias("alice"), graph.by_alias("alice morgan"));
    for name in ["likes", "Perhaps Bob", "Dr", "Watts came"] {
        assert_eq!(kind(&graph, name), None, "{name}");
    }
}

#[test]
fn people_are_people_wherever_a_sentence_names_them() {
    let graph = of_texts(&[
        ("One", "Ask Maria Keller about the budget."),
        (
            "Two",
            "We met Maria Keller, and Jean de Grantmesnil came to Anna.",
        ),
        (
            "Three",
            "Call Maria Keller. They say that the Anna Guide lies on the table.",
        ),
    ]);
    let (maria, entity) = of(&graph, "maria keller").expect("a person");
    assert_eq!(graph.type_of(maria), "PERSON");
    assert_eq!(entity.name, "Maria Keller");
    assert_eq!(entity.chunks, [0, 1, 2]);
    for name in ["Jean de Grantmesnil", "Anna"] {
        assert_eq!(kind(&graph, name), Some("PERSON"), "{name}");
    }
    // A guide is a word of every site: no surname.
    assert_ne!(kind(&graph, "Anna Guide"), Some("PERSON"));
    for name in ["Ask Maria Keller", "Call Maria Keller"] {
        assert_eq!(kind(&graph, name), None, "{name}");
    }
}

#[test]
fn months_are_dates_and_languages_no_places() {
    let graph = of_texts(&[
        ("One", "They paid in March and moved to Oslo in October."),
        (
            "Two",
            "The march to the sea began in March near Grimsby, and is told in Python.",
        ),
        (
            "Three",
            "She travels from Tromso to Paris in October and prefers Perl to Cobol.",
        ),
        ("Four", "The march was long."),
    ]);
    for (name, expected) in [
        ("March", "DATE"),
        ("October", "DATE"),
        ("Oslo", "LOCATION"),
        ("Paris", "LOCATION"),
        ("Tromso", "LOCATION"),
        ("Grimsby", "LOCATION"),
        ("Python", "CONCEPT"),
        ("Perl", "CONCEPT"),
        ("Cobol", "CONCEPT"),
    ] {
        assert_eq!(kind(&graph, name), Some(expected), "{name}");
    }
}

#[test]
fn capitals_of_titles_menus_and_german_nouns_are_no_names() {
    let german = "Der Hund und die Katze sitzen auf dem Teppich, und der Nachbar liest eine Zeitung über den Garten und die \
        Blumen, während seine Frau das Frühstück für die Kinder in der Küche macht.";
    let graph = of_texts(&[
        (
            "p1",
            "Click Save, then open the Settings page and press Apply.\nBest Practices For Gizmo Users",
        ),
        (
            "p2",
            "The gadget that the Gadget maker sells is Jinja-related.",
        ),
        ("p3", german),
    ]);
    for name in [
        "save",
        "settings",
        "apply",
        "best practices",
        "gizmo users",
        "gadget",
        "Jinja-related",
        "teppich",
        "nachbar",
    ] {
        assert_eq!(kind(&graph, name), None, "{name}");
    }
    // Of two documents the capitals count, wherever they are.
    let twice = [("one", "Open the Settings."), ("two", "See the Settings.")];
    assert_eq!(kind(&of_texts(&twice), "settings"), Some("CONCEPT"));
}

#[test]
fn the_same_documents_give_the_same_graph() {
    assert_eq!(
        extract(&chat(), &ExtractOptions::default()),
        extract(&chat(), &ExtractOptions::default())
    );
}

#[test]
fn headings_links_and_identifiers_are_names() {
    let mut page = document(
        "Memory management",
        &[
            ("Smart pointers", "Use unique_ptr or make_unique() here."),
            ("Other", "A smart pointer owns."),
        ],
    );
    page.links.push(Link {
        path: "x.md".into(),
        text: "Resource acquisition".into(),
    });
    let second = document(
        "Files",
        &[(
            "",
            "Plain files close themselves through resource acquisition and unique_ptr.",
        )],
    );
    let graph = extract(&[page, second], &ExtractOptions::default());
    let (code, entity) = of(&graph, "unique ptr").expect("an identifier");
    assert_eq!(
        (graph.type_of(code), &entity.chunks[..]),
        ("CODE", &[0, 2][..])
    );
    assert_eq!(
        of(&graph, "smart pointers").expect("a heading").1.chunks,
        [0]
    );
    assert_eq!(
        of(&graph, "resource acquisition")
            .expect("a link text")
            .1
            .chunks,
        [2]
    );
    assert!(of(&graph, "plain").is_none());
}

#[test]
fn a_name_is_one_entity_wherever_its_words_end() {
    let pages = [
        document("OAuth", &[("", "The OAuth flow begins here.")]),
        document("Login", &[("", "Use oauth for the login.")]),
        document("Setup", &[("oauth settings", "Of the o auth flow.")]),
    ];
    let graph = extract(&pages, &ExtractOptions::default());
    let named = graph.by_alias("oauth");
    assert_eq!(named.len(), 1, "{:?}", graph.entities());
    let entity = &graph.entities()[named[0] as usize];
    assert_eq!(
        (entity.name.as_str(), &entity.chunks[..]),
        ("OAuth", &[0, 1, 2][..])
    );
}

#[test]
fn a_common_word_at_the_start_of_a_sentence_is_no_name() {
    let pages = [
        document(
            "a",
            &[
                ("", "Bread is good. Bread rises."),
                ("", "Some bread. Rust is a language by Mozilla."),
            ],
        ),
        document(
            "b",
            &[("", "They use Rust at Mozilla. The rust on iron is red.")],
        ),
    ];
    let options = ExtractOptions {
        rare_share: 0.0,
        ..ExtractOptions::default()
    };
    let graph = extract(&pages, &options);
    assert!(of(&graph, "bread").is_none());
    assert_eq!(
        of(&graph, "rust")
            .expect("capitalised inside a sentence")
            .1
            .chunks,
        [1, 2]
    );
    assert!(of(&graph, "mozilla").is_some());
}

#[test]
fn no_neighbor_list_is_longer_than_the_cap() {
    let text: String = (0..60)
        .map(|i| format!("Hub Station met Person{} Name{}\n", i, i))
        .collect();
    let pages = [document("a", &[("", &text), ("", &text)])];
    let graph = extract(
        &pages,
        &ExtractOptions {
            max_neighbors: 12,
            ..ExtractOptions::default()
        },
    );
    assert!(!graph.relations().is_empty());
    assert!((0..graph.entities().len() as u32).all(|entity| graph.neighbors(entity).len() <= 12));
}
