//! Names in a question and the types its answer may have, by rule, without a model.
//!
//! A caller may bring its own names (`given_names`) and types instead. Source: spec minirag §1.4 and §2.1.

use super::QueryEntity;
use crate::base::order;
use crate::find::ask::question::Question;
use crate::graph::{EntityGraph, canonical, join_units, joined, name_units};
use crate::text::stop_words::is_stop_word;

/// Names taken from one question.
pub const MAX_NAMES: usize = 5;
/// Answer types taken from one question.
pub const MAX_TYPES: usize = 3;
/// Longest name looked for, in words or characters of unspaced scripts.
const MAX_UNITS: usize = 12;
/// Similarity of a match by name, and of one by another spelling or a part of the name.
const NAME_SCORE: f64 = 1.0;
const ALIAS_SCORE: f64 = 0.9;

/// Cue and the types it implies; longer cues stand before those they contain.
const CUES: [(&str, &[&str]); 31] = [
    ("how many", &["QUANTITY"]),
    ("how much", &["QUANTITY"]),
    ("how long", &["QUANTITY"]),
    ("how old", &["QUANTITY"]),
    ("which company", &["ORGANIZATION"]),
    ("what company", &["ORGANIZATION"]),
    ("which organization", &["ORGANIZATION"]),
    ("which university", &["ORGANIZATION"]),
    ("what time", &["DATE"]),
    ("what day", &["DATE"]),
    ("which day", &["DATE"]),
    ("which city", &["LOCATION"]),
    ("which country", &["LOCATION"]),
    ("which person", &["PERSON"]),
    ("which function", &["CODE"]),
    ("who", &["PERSON"]),
    ("whom", &["PERSON"]),
    ("whose", &["PERSON"]),
    ("where", &["LOCATION"]),
    ("when", &["DATE", "EVENT"]),
    ("什么时候", &["DATE", "EVENT"]),
    ("何时", &["DATE", "EVENT"]),
    ("哪一天", &["DATE"]),
    ("哪里", &["LOCATION"]),
    ("哪儿", &["LOCATION"]),
    ("什么地方", &["LOCATION"]),
    ("哪家公司", &["ORGANIZATION"]),
    ("多少", &["QUANTITY"]),
    ("几个", &["QUANTITY"]),
    ("谁", &["PERSON"]),
    ("哪位", &["PERSON"]),
];

/// Types an answer may have, most likely first, at most [`MAX_TYPES`]. Empty for a question without a cue.
pub fn answer_types(question: &Question) -> Vec<String> {
    let words: Vec<&str> = question
        .folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let spaced = format!(" {} ", words.join(" "));
    let place = |cue: &str| {
        if cue.is_ascii() {
            spaced.find(&format!(" {cue} "))
        } else {
            spaced.find(cue)
        }
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (i, (cue, _)) in CUES.iter().enumerate() {
        found.extend(place(cue).map(|place| (place, i)));
    }
    order::sort_by(&mut found, |a, b| a.cmp(b));
    let mut types: Vec<String> = Vec::new();
    for name in found.iter().flat_map(|(_, cue)| CUES[*cue].1) {
        if types.len() < MAX_TYPES && !types.iter().any(|known| known == name) {
            types.push((*name).to_owned());
        }
    }
    types
}

/// Finds the longest aliases of the graph in a question, left to right, without overlap.
///
/// In order of appearance, at most [`MAX_NAMES`]: of more, the rarest. Function words alone are no names. Cost: at most
/// twelve look-ups per word.
pub fn match_names(graph: &EntityGraph, question: &Question) -> Vec<QueryEntity> {
    let mut names = names_in(graph, &question.text);
    keep_rarest(graph, &mut names);
    names
}

/// The entities that a caller names, each text by itself: by its whole name, else by the names in it. Besides, the texts
/// that name none.
pub fn given_names<'t>(
    graph: &EntityGraph,
    texts: &'t [String],
) -> (Vec<QueryEntity>, Vec<&'t str>) {
    let mut names: Vec<QueryEntity> = Vec::new();
    let mut unknown = Vec::new();
    for text in texts {
        let whole = join_units(&name_units(&canonical(text)));
        let found = match graph.by_alias(&whole) {
            [] => names_in(graph, text),
            holders => vec![query_entity(graph, whole, holders)],
        };
        if found.is_empty() {
            unknown.push(text.as_str());
        }
        for name in found {
            if names.iter().all(|known| known.text != name.text) {
                names.push(name);
            }
        }
    }
    (names, unknown)
}

/// The longest aliases of the graph in a text, left to right, with repetitions.
pub fn names_in(graph: &EntityGraph, text: &str) -> Vec<QueryEntity> {
    let units = name_units(&canonical(text));
    let mut names = Vec::new();
    let mut start = 0;
    while start < units.len() {
        let longest = (1..=MAX_UNITS.min(units.len() - start))
            .rev()
            .find_map(|n| {
                let units = &units[start..start + n];
                let text = join_units(units);
                let holders = graph.by_alias(&text);
                // "the me" is no way to write "theme", though "o auth" is one to write "OAuth".
                let is_meant = || {
                    n == 1
                        || units.iter().all(|unit| !is_stop_word(&unit.text))
                        || holders
                            .iter()
                            .any(|&entity| graph.is_written(entity, &text))
                };
                (!holders.is_empty() && !is_stop_word(&text) && is_meant())
                    .then_some((n, text, holders))
            });
        match longest {
            Some((n, text, holders)) => {
                names.push(query_entity(graph, text, holders));
                start += n;
            }
            None => start += 1,
        }
    }
    names
}

fn query_entity(graph: &EntityGraph, text: String, holders: &[u32]) -> QueryEntity {
    let mentions = |entity: u32| graph.entity(entity).map_or(0, |entity| entity.chunks.len());
    let by_name = |entity: u32| {
        graph
            .entity(entity)
            .is_some_and(|entity| joined(&canonical(&entity.name)) == joined(&text))
    };
    let score = |entity: u32| {
        if by_name(entity) {
            NAME_SCORE
        } else {
            ALIAS_SCORE
        }
    };
    let mut hits: Vec<(u32, f64)> = holders
        .iter()
        .map(|&entity| (entity, score(entity)))
        .collect();
    order::sort_by(&mut hits, |a, b| {
        b.1.total_cmp(&a.1)
            .then(mentions(b.0).cmp(&mentions(a.0)))
            .then(a.0.cmp(&b.0))
    });
    QueryEntity { text, hits }
}

fn keep_rarest(graph: &EntityGraph, names: &mut Vec<QueryEntity>) {
    let mut seen: Vec<String> = Vec::new();
    names.retain(|name| {
        let new = !seen.contains(&name.text);
        seen.push(name.text.clone());
        new
    });
    while names.len() > MAX_NAMES {
        let mentions = |name: &QueryEntity| -> usize {
            name.hits
                .iter()
                .filter_map(|hit| graph.entity(hit.0))
                .map(|entity| entity.chunks.len())
                .sum()
        };
        let commonest = (0..names.len()).max_by_key(|&i| mentions(&names[i]));
        names.remove(commonest.expect("there are more names than MAX_NAMES"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Entity;

    fn graph(names: &[(&str, &[&str])]) -> EntityGraph {
        let mut graph = EntityGraph::new();
        for (name, aliases) in names {
            let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
            graph.add_entity(Entity {
                name: (*name).into(),
                aliases,
                ..Entity::default()
            });
        }
        graph
    }

    fn texts(names: &[QueryEntity]) -> Vec<&str> {
        names.iter().map(|name| name.text.as_str()).collect()
    }

    #[test]
    fn the_longest_name_wins_and_spelling_does_not_matter() {
        let graph = graph(&[
            ("WolfgangSchulz", &["wolfgang"]),
            ("Wolfgang Schulz Bakery", &[]),
            ("Paris", &[]),
        ]);
        let named = match_names(
            &graph,
            &Question::new("When did Wolfgang Schulz's bakery in PARIS call wolfgang?"),
        );
        assert_eq!(
            texts(&named),
            ["wolfgang schulz bakery", "paris", "wolfgang"]
        );
        assert_eq!(named[2].hits, [(0, 0.9)]); // A part of its name.
        assert_eq!(named[1].hits, [(2, 1.0)]);
    }

    #[test]
    fn given_names_are_whole_names_first_and_unknown_ones_are_told() {
        let graph = graph(&[("Rose", &[]), ("Rose Tyler", &["rose"]), ("Oslo", &[])]);
        let given = ["rose tyler!", "the OSLO harbour", "Ibsen", "Oslo"].map(str::to_owned);
        let (names, unknown) = given_names(&graph, &given);
        assert_eq!(texts(&names), ["rose tyler", "oslo"]);
        assert_eq!(names[0].hits, [(1, 1.0)]);
        assert_eq!(unknown, ["Ibsen"]);
    }

    #[test]
    fn names_are_found_however_their_words_are_joined() {
        let graph = graph(&[("OAuth", &[]), ("Theme", &[]), ("University of Oslo", &[])]);
        for text in [
            "what is oauth",
            "the o auth flow",
            "O-AUTH!",
            "OAuth's flow",
        ] {
            let named = match_names(&graph, &Question::new(text));
            assert_eq!(named.len(), 1, "{text}");
            assert_eq!(named[0].hits, [(0, 1.0)], "{text}");
        }
        assert!(match_names(&graph, &Question::new("give the me back")).is_empty());
        let named = match_names(&graph, &Question::new("the university of oslo"));
        assert_eq!(texts(&named), ["university of oslo"]);
    }

    #[test]
    fn names_are_found_inside_unspaced_text() {
        let graph = graph(&[("北京大学", &[]), ("北京", &[]), ("Rust", &[])]);
        assert_eq!(
            texts(&match_names(
                &graph,
                &Question::new("谁在北京大学用Rust写代码")
            )),
            ["北京大学", "rust"]
        );
    }

    #[test]
    fn at_most_five_names_and_function_words_are_none() {
        let graph = graph(&[
            ("a1", &[]),
            ("b1", &[]),
            ("c1", &[]),
            ("d1", &[]),
            ("e1", &[]),
            ("f1", &[]),
            ("The", &[]),
        ]);
        assert_eq!(
            match_names(&graph, &Question::new("the a1 b1 c1 d1 e1 f1 a1")).len(),
            MAX_NAMES
        );
        assert!(match_names(&graph, &Question::new("the")).is_empty());
    }

    #[test]
    fn question_words_name_types() {
        assert_eq!(
            answer_types(&Question::new("Who met Alice, and when?")),
            ["PERSON", "DATE", "EVENT"]
        );
        assert_eq!(
            answer_types(&Question::new("How many seats did which company order?")),
            ["QUANTITY", "ORGANIZATION"]
        );
        assert_eq!(
            answer_types(&Question::new("什么时候可以在哪里退款")),
            ["DATE", "EVENT", "LOCATION"]
        );
        assert!(answer_types(&Question::new("whole somewhere")).is_empty());
    }
}
