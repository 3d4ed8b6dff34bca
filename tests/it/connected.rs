//! The graph in a bundle, explanations and traces: what the numbers say must add up.

use crate::support::{Script, opened};
use knarr::Knarr;
use knarr::find::answer::result::{FindResult, PathReason};
use knarr::find::ask::options::{EntityOptions, FindOptions, Mode};
use knarr::find::walk::Event;
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use pollster::block_on;
use serde_json::json;

/// Letters of three people. Where Wolfgang's oven came from stands in a letter that does not name him.
const LETTERS: [(&str, &str); 6] = [
    (
        "2026/one.md",
        "Wolfgang Schulz: The bakery in Oslo opens at ten, Jennifer Moore bakes the bread.",
    ),
    (
        "2026/two.md",
        "Wolfgang Schulz: Jennifer Moore will bring the keys of the bakery in Oslo.",
    ),
    (
        "2026/three.md",
        "Jennifer Moore: Haakon Steen sold us a stone oven in Bergen.",
    ),
    (
        "2026/four.md",
        "Jennifer Moore: Haakon Steen writes that the stone oven left Bergen.",
    ),
    (
        "2025/five.md",
        "A walk along the harbour, and rain all day.",
    ),
    ("2025/six.md", "The concert was long and the hall was cold."),
];

/// The letters, with their graph if it is wanted.
pub fn letters(graph: bool) -> (Script, Knarr) {
    let mut builder = Builder::new(BuildOptions {
        graph,
        ..BuildOptions::default()
    })
    .unwrap();
    for (path, text) in LETTERS {
        builder
            .add(Document {
                path: path.into(),
                title: path.replace(['/', '.'], " "),
                weight: 1.0,
                sections: vec![DocumentSection {
                    text: text.into(),
                    weight: 1.0,
                    ..DocumentSection::default()
                }],
                ..Document::default()
            })
            .unwrap();
    }
    opened(builder)
}

fn ask(bundle: &(Script, Knarr), question: &str, options: FindOptions) -> FindResult {
    block_on(bundle.1.find(&bundle.0, question, &options)).unwrap()
}

#[test]
fn the_graph_leads_to_files_that_no_word_leads_to_and_says_how() {
    let bundle = letters(true);
    let question = "Wolfgang Schulz";
    let plain = FindOptions {
        alpha: Some(0.0),
        ..FindOptions::default()
    };
    let without = ask(&bundle, question, plain.clone());
    assert_eq!(without.total, 2, "only two letters name him");
    let with = ask(
        &bundle,
        question,
        FindOptions {
            graph: Some(0.3),
            explain: true,
            ..plain
        },
    );
    let oven = with
        .resources
        .iter()
        .find(|hit| hit.uri.ends_with("three.md"));
    let explain = oven
        .and_then(|hit| hit.explain.as_ref())
        .expect("reached over Jennifer Moore");
    assert_eq!(explain.keyword, 0.0);
    assert!(explain.graph > 0.0);
    let path = &explain.paths[0];
    assert_eq!(path.entity, "Wolfgang Schulz");
    assert!(path.walk.contains(&"Jennifer Moore".to_owned()), "{path:?}");
    assert!(with.resources[0].uri.ends_with("one.md") || with.resources[0].uri.ends_with("two.md"));
}

#[test]
fn a_path_is_told_where_pages_that_may_be_seen_show_its_steps() {
    let bundle = letters(true);
    let paths = |hidden: &[&str]| {
        let filter = json!({"op": "must_not", "field": "name", "conds": hidden});
        let options = FindOptions {
            graph: Some(0.5),
            explain: true,
            filter: serde_json::from_value(filter).unwrap(),
            ..FindOptions::default()
        };
        let found = ask(&bundle, "Wolfgang Schulz and the stone oven", options);
        let oven = found.resources.into_iter();
        let mut oven = oven.filter(|hit| hit.uri.ends_with("three.md"));
        let explain = oven.next().and_then(|hit| hit.explain);
        let explain = explain.expect("the oven is in it");
        assert!(explain.graph > 0.0, "{explain:?}");
        explain.paths
    };
    let names_jennifer = |path: &PathReason| path.walk.contains(&"Jennifer Moore".to_owned());
    assert!(paths(&["five.md"]).iter().any(names_jennifer));
    let of_others = paths(&["one.md", "two.md"]);
    assert!(
        !of_others.iter().any(names_jennifer),
        "only hidden letters name both: {of_others:?}"
    );
}

#[test]
fn a_caller_names_the_entities_and_the_types_of_its_question() {
    let bundle = letters(true);
    let question = "who sold it";
    let asked = |hybrid: serde_json::Value| {
        let options = FindOptions {
            graph: Some(0.5),
            explain: true,
            alpha: Some(0.0),
            hybrid: serde_json::from_value(hybrid).unwrap(),
            ..FindOptions::default()
        };
        ask(&bundle, question, options)
    };
    let reason = |found: &FindResult| {
        found
            .skipped
            .iter()
            .map(|s| s.reason.clone())
            .collect::<String>()
    };
    let rules = asked(json!({}));
    assert!(
        reason(&rules).contains("names nothing"),
        "{:?}",
        rules.skipped
    );
    let given =
        asked(json!({"graph_entities": ["wolfgang schulz", "Ibsen"], "answer_types": "person"}));
    assert!(
        reason(&given).contains("does not know Ibsen"),
        "{:?}",
        given.skipped
    );
    let oven = given
        .resources
        .iter()
        .find(|hit| hit.uri.ends_with("one.md"));
    let oven = oven
        .and_then(|hit| hit.explain.as_ref())
        .expect("he is named there");
    assert_eq!(oven.paths[0].entity, "Wolfgang Schulz");
    assert!(
        rules
            .resources
            .iter()
            .all(|hit| !hit.uri.ends_with("one.md"))
    );
    // The types that are given count in place of the question's own: votes of walks over entities of a type.
    let answers = |types: &str| -> usize {
        let found = asked(json!({"graph_entities": "Wolfgang Schulz", "answer_types": types}));
        let explained = found
            .resources
            .iter()
            .filter_map(|hit| hit.explain.as_ref());
        explained
            .flat_map(|e| &e.paths)
            .map(|path| path.answers as usize)
            .sum()
    };
    assert_eq!(answers("PLANET"), 0);
    let types = json!({"graph_entities": "Wolfgang Schulz", "answer_types": ["planet", "concept"]});
    assert_eq!(reason(&asked(types)), "the graph does not know planet");
    assert!(answers("concept") > 0);
    let none = asked(json!({"graph_entities": ["Ibsen"]}));
    assert!(
        reason(&none).contains("none of `graph_entities`"),
        "{:?}",
        none.skipped
    );
}

#[test]
fn entities_and_passages_are_one_text_for_a_model() {
    let bundle = letters(true);
    let asked = |graph: f32, hybrid: serde_json::Value| {
        let options = FindOptions {
            graph: Some(graph),
            hybrid: serde_json::from_value(hybrid).unwrap(),
            ..FindOptions::default()
        };
        ask(&bundle, "Where does Wolfgang Schulz bake?", options)
    };
    let found = asked(0.5, json!({"graph_context": true}));
    let text = found.graph_context.expect("the graph knows him");
    let (entities, sources) = text.split_once("-----Sources-----").expect("two blocks");
    let row = "Wolfgang Schulz,1.0,\"PERSON: Wolfgang Schulz: The bakery in Oslo";
    assert!(entities.contains(row), "{entities}");
    let passages = found.resources.iter().flat_map(|hit| &hit.passages);
    let n_rows = sources.matches("\r\n").count();
    assert_eq!(n_rows, passages.count() + 1, "{sources}");
    // Within the passages' budget; and nothing without a graph's answer.
    let short = asked(
        0.5,
        json!({"graph_context": true, "context": {"token_budget": 100}}),
    );
    assert!(short.graph_context.expect("the same").len() < text.len());
    assert_eq!(
        asked(0.0, json!({"graph_context": true})).graph_context,
        None
    );
    assert_eq!(asked(0.5, json!({})).graph_context, None);
}

#[test]
fn the_graph_is_read_by_its_entities_and_their_neighbors() {
    let (host, knarr) = letters(true);
    let entities = |options: EntityOptions| block_on(knarr.entities(&host, &options)).unwrap();
    let all = entities(EntityOptions::default());
    assert_eq!(all[0].name, "Jennifer Moore", "{all:#?}");
    assert_eq!((all[0].kind.as_str(), all[0].n_files), ("PERSON", 4));
    assert!(all.is_sorted_by_key(|entity| std::cmp::Reverse(entity.n_mentions)));

    let named = entities(EntityOptions {
        query: Some("MOORE".into()),
        ..EntityOptions::default()
    });
    assert_eq!(named.len(), 1, "{named:#?}");
    assert_eq!(named[0], all[0]);
    for query in ["jennifermoo", "JENNIFER-MOORE", "jennifer moore"] {
        let named = entities(EntityOptions {
            query: Some(query.into()),
            ..EntityOptions::default()
        });
        assert_eq!(named.first(), Some(&all[0]), "{query}");
    }
    let second = entities(EntityOptions {
        limit: 1,
        offset: 1,
        ..EntityOptions::default()
    });
    assert_eq!(second, all[1..2]);
    let of_type = |name: &str| {
        entities(EntityOptions {
            entity_type: Some(name.into()),
            ..EntityOptions::default()
        })
    };
    let people = of_type("person");
    assert!(people.contains(&all[0]) && people.iter().all(|entity| entity.kind == "PERSON"));
    assert!(of_type("planet").is_empty());
    let none = entities(EntityOptions {
        query: Some("Ibsen".into()),
        ..EntityOptions::default()
    });
    assert!(none.is_empty());

    let neighbors = block_on(knarr.neighbors(&host, "wolfgang schulz")).unwrap();
    let moore = neighbors.iter().find(|row| row.name == "Jennifer Moore");
    let moore = moore.unwrap_or_else(|| panic!("{neighbors:#?}"));
    assert_eq!((moore.of.as_str(), moore.weight), ("Wolfgang Schulz", 2.0));
    let uris = moore.files.iter().map(|file| file.uri.as_str());
    let shown = ["one.md", "two.md"].map(|name| format!("viking://resources/docs/2026/{name}"));
    assert_eq!(uris.collect::<Vec<_>>(), shown);
    assert!(
        moore
            .files
            .iter()
            .all(|file| !file.title.is_empty() && !file.url.is_empty())
    );
    assert!(neighbors.is_sorted_by(|a, b| a.weight >= b.weight));
}

#[test]
fn names_and_bundles_without_a_graph_are_said() {
    let (host, knarr) = letters(true);
    let error = block_on(knarr.neighbors(&host, "Ibsen")).unwrap_err();
    assert_eq!(error.code(), "NOT_FOUND");
    assert!(error.message().contains("Ibsen"), "{error}");
    assert!(!error.message().contains("did you mean"), "{error}");
    for (name, offer) in [
        ("Wolfgangschulc", "did you mean Wolfgang Schulz?"),
        ("Mr. Wolfgang Schulz", "did you mean Wolfgang Schulz"),
        ("moor", "did you mean Jennifer Moore"),
    ] {
        let error = block_on(knarr.neighbors(&host, name)).unwrap_err();
        assert!(error.message().contains(offer), "{name}: {error}");
    }
    for name in ["wolfgangschulz", "wolf gang schulz", "WolfgangSchulz"] {
        let neighbors = block_on(knarr.neighbors(&host, name)).unwrap();
        assert_eq!(neighbors[0].of, "Wolfgang Schulz", "{name}");
    }
    let (host, knarr) = letters(false);
    let error = block_on(knarr.entities(&host, &EntityOptions::default())).unwrap_err();
    assert_eq!(error.code(), "FAILED_PRECONDITION");
    assert!(error.message().contains("--graph"), "{error}");
}

#[test]
fn the_published_rules_are_asked_for_by_name() {
    let bundle = letters(true);
    let graph_scores = |rules: Option<&str>| -> Vec<(String, f32)> {
        let hybrid = rules.map(|rules| json!({"graph_rules": rules}));
        let options = FindOptions {
            graph: Some(0.3),
            explain: true,
            hybrid: serde_json::from_value(json!(hybrid)).unwrap(),
            ..FindOptions::default()
        };
        let found = ask(&bundle, "Where is the oven of Jennifer Moore?", options);
        let hits = found.resources.into_iter();
        hits.map(|hit| (hit.uri, hit.explain.expect("asked for").graph))
            .collect()
    };
    let recommended = graph_scores(None);
    assert_eq!(recommended, graph_scores(Some("quality")));
    let published = graph_scores(Some("as_is"));
    assert_ne!(recommended, published);
    assert!(published.iter().any(|(_, score)| *score > 0.0));
}

#[test]
fn a_graph_that_is_not_there_or_knows_nothing_is_said() {
    let options = || FindOptions {
        graph: Some(0.3),
        ..FindOptions::default()
    };
    for (bundle, question, reason) in [
        (letters(false), "Wolfgang Schulz", "no graph"),
        (letters(true), "harbour rain", "names nothing"),
    ] {
        let result = ask(&bundle, question, options());
        assert!(result.total > 0);
        let said = result
            .skipped
            .iter()
            .find(|s| s.step == "graph")
            .expect("said");
        assert!(said.reason.contains(reason), "{said:?}");
    }
}

#[test]
fn an_explanation_adds_up() {
    let bundle = letters(false);
    let options = FindOptions {
        explain: true,
        mode: Mode::Quick,
        ..FindOptions::default()
    };
    let result = ask(&bundle, "stone oven in Bergen", options);
    for hit in &result.resources {
        let explain = hit.explain.as_ref().expect("asked for");
        let mixed = (1.0 - explain.alpha) * explain.keyword + explain.alpha * explain.vector;
        assert!((mixed - explain.score).abs() < 1e-5, "{explain:?}");
        assert!(explain.near_weight > 0.0, "{explain:?}");
        let score = explain.score + (explain.near - explain.score) * explain.near_weight;
        assert!(
            (hit.score - score).abs() < 1e-6,
            "flat: nothing else is added"
        );
        for word in &explain.words {
            assert!(
                word.weight > 0.0 && word.idf > 0.0 && word.score > 0.0,
                "{word:?}"
            );
        }
    }
    let first = result.resources[0].explain.as_ref().unwrap();
    let words: Vec<&str> = first.words.iter().map(|w| w.word.as_str()).collect();
    assert!(
        words.contains(&"stone") && words.contains(&"bergen"),
        "{words:?}"
    );
}

#[test]
fn a_trace_tells_candidates_and_every_step_of_a_walk() {
    let bundle = letters(false);
    let options = |mode| FindOptions {
        trace: true,
        mode,
        ..FindOptions::default()
    };
    let flat = ask(&bundle, "bakery in Oslo", options(Mode::Quick))
        .trace
        .expect("asked for");
    assert!(flat.events.is_empty() && flat.statistics.directories_searched == 0);
    assert!(flat.candidates.windows(2).all(|w| w[0].score >= w[1].score));
    assert!(
        flat.candidates[0]
            .uri
            .starts_with("viking://resources/docs/2026/")
    );
    let walked = ask(&bundle, "bakery in Oslo", options(Mode::Thinking));
    let trace = walked.trace.expect("asked for");
    let opened: Vec<&str> = trace
        .events
        .iter()
        .filter_map(|event| match event {
            Event::SearchDirectoryStart { directory, .. } => Some(directory.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(trace.statistics.directories_searched as usize, opened.len());
    assert!(
        opened.contains(&"viking://resources/docs/2026"),
        "{opened:?}"
    );
    assert!(matches!(trace.events.last(), Some(Event::SearchSummary(_))));
    for hit in &walked.resources {
        let selected = trace.events.iter().any(
            |event| matches!(event, Event::CandidateSelected { row, .. } if row.node == hit.uri),
        );
        assert!(selected, "{} was never selected", hit.uri);
    }
    let untold = ask(&bundle, "bakery in Oslo", FindOptions::default());
    assert!(untold.trace.is_none() && untold.resources[0].explain.is_none());
}
