//! Walks, their support, and the chunks that they give.

use super::{Named, cases};
use crate::oracle::minirag::{n_answers, step_votes, top_by_question, types_present};
use crate::vectors::{Names, count, keys, list, real, text, texts};
use knarr::find::minirag::{
    EntityChunks, GraphQuery, QueryEntity, Record, Rules, ScoredWalk, WalkSupport, best,
    records as vote_records, vote, walk_support, weigh_walks,
};
use knarr::graph::{Entity, EntityGraph, Relation};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// Keys of an object in the order of the file, for the one function whose result depends on it.
#[derive(Debug, Default)]
struct OrderedKeys(Vec<String>);

impl<'de> Deserialize<'de> for OrderedKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = OrderedKeys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedKeys, A::Error> {
                let mut keys = OrderedKeys::default();
                while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                    keys.0.push(key);
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// The starts of each case of `path2chunk`, in the order of the file.
fn ordered_starts() -> Vec<OrderedKeys> {
    #[derive(serde::Deserialize)]
    struct File {
        functions: Functions,
    }
    #[derive(serde::Deserialize)]
    struct Functions {
        path2chunk: Vec<Case>,
    }
    #[derive(serde::Deserialize)]
    struct Case {
        scored: OrderedKeys,
    }
    let file: File = serde_json::from_str(include_str!("../../vectors/minirag_vectors.json"))
        .expect("the fixture is JSON");
    file.functions
        .path2chunk
        .into_iter()
        .map(|case| case.scored)
        .collect()
}

#[test]
fn steps_and_answers_on_a_walk() {
    for case in cases("is_continuous_subsequence", 9) {
        let mut names = Names::default();
        let (pair, path) = (names.ids(&case["pair"]), names.ids(&case["path"]));
        assert_eq!(
            step_votes((pair[0], pair[1]), &path),
            case["out"],
            "{}",
            case["name"]
        );
    }
    for case in cases("count_elements_in_tuple", 6) {
        let mut names = Names::default();
        let (path, answers) = (names.ids(&case["path"]), names.ids(&case["answers"]));
        assert_eq!(
            n_answers(&path, &answers),
            count(&case["out"]),
            "{}",
            case["name"]
        );
    }
    for case in cases("cal_path_score_list", 3) {
        let mut names = Names::default();
        let answers = names.ids(&case["answers"]);
        for entity in keys(&case["candidates"]) {
            // The published result is a map by walk, so a repeated walk is one entry.
            let mut walks: Vec<Vec<u32>> = Vec::new();
            for walk in list(&case["candidates"][&entity]["Path"]) {
                let walk = names.ids(&walk);
                if !walks.contains(&walk) {
                    walks.push(walk);
                }
            }
            let expected = list(&case["out"][&entity]["Path"]);
            assert_eq!(walks.len(), expected.len(), "{}", case["name"]);
            for (walk, expected) in walks.iter().zip(expected) {
                assert_eq!(*walk, names.ids(&expected["path"]));
                assert_eq!(n_answers(walk, &answers), count(&expected["scores"][0]));
            }
        }
    }
    for case in cases("edge_vote_path", 4) {
        let mut names = Names::default();
        let good: Vec<Vec<u32>> = list(&case["good_edges"])
            .iter()
            .map(|pair| names.ids(pair))
            .collect();
        let mut n_voted = 0;
        for entity in keys(&case["out"]) {
            for walk in list(&case["out"][&entity]["Path"]) {
                let ids = names.ids(&walk["path"]);
                let voting: Vec<&Vec<u32>> = good
                    .iter()
                    .filter(|pair| step_votes((pair[0], pair[1]), &ids))
                    .collect();
                assert_eq!(voting.len(), count(&walk["scores"][1]), "{}", case["name"]);
                let pairs = list(&case["pairs_append"]);
                let listed = pairs.iter().find(|row| row["path"] == walk["path"]);
                assert_eq!(listed.is_some(), !voting.is_empty());
                n_voted += usize::from(listed.is_some());
                let listed = listed.map_or_else(Vec::new, |row| list(&row["edges"]));
                let listed: Vec<Vec<u32>> = listed.iter().map(|pair| names.ids(pair)).collect();
                assert_eq!(voting, listed.iter().collect::<Vec<_>>());
            }
        }
        assert_eq!(n_voted, list(&case["pairs_append"]).len());
    }
}

#[test]
fn walks_are_extended_at_their_end() {
    for case in cases("merge_tuples", 8) {
        // The case as a graph: the walk's own steps first, then the edges of its last entity.
        let mut names = Names::default();
        let walk = names.ids(&list(&case["walks"])[0]);
        let steps = walk
            .windows(2)
            .map(|step| (step[0], step[1]))
            .collect::<Vec<_>>();
        let more: Vec<Vec<u32>> = list(&case["edges_of_last"])
            .iter()
            .map(|pair| names.ids(pair))
            .collect();
        let out: Vec<Vec<u32>> = list(&case["out"])
            .iter()
            .map(|walk| names.ids(walk))
            .collect();
        let mut graph = EntityGraph::new();
        for name in &names.0 {
            graph.add_entity(Entity {
                name: name.clone(),
                ..Entity::default()
            });
        }
        for (a, b) in steps
            .into_iter()
            .chain(more.iter().map(|pair| (pair[0], pair[1])))
        {
            // Already there for the step that leads to the last entity.
            graph.add_relation(Relation {
                a,
                b,
                ..Relation::default()
            });
        }
        assert_eq!(graph.extend(&walk), out, "{}", case["name"]);
    }
}

#[test]
fn walks_of_one_to_three_hops() {
    for case in cases("get_neighbors_within_k_hops", 31) {
        let mut named = Named::of_case(&case);
        let start = named.entities.id(text(&case["start"]));
        let walks = named.graph.walks(start, count(&case["k"]));
        let walks: Vec<Vec<&str>> = walks
            .iter()
            .map(|walk| named.entities.names(walk))
            .collect();
        let expected: Vec<Vec<String>> = list(&case["out"]).iter().map(texts).collect();
        assert_eq!(walks, expected, "{} {}", case["start"], case["k"]);
    }
}

#[test]
fn texts_by_likeness_to_the_question() {
    for case in cases("calculate_similarity_levenshtein", 5) {
        let (texts, query, k) = (
            texts(&case["texts"]),
            text(&case["query"]),
            count(&case["k"]),
        );
        let expected: Vec<usize> = list(&case["out"]).iter().map(count).collect();
        assert_eq!(
            top_by_question(&texts, query, k, false),
            expected,
            "{}",
            case["name"]
        );
    }
}

/// A graph of three entities with the types of a case.
fn typed(case: &Value) -> (EntityGraph, Names) {
    let (mut graph, mut names) = (EntityGraph::new(), Names::default());
    for name in keys(&case["node_types"]) {
        let kind = graph.type_number(text(&case["node_types"][&name]));
        names.id(&name);
        graph.add_entity(Entity {
            name,
            kind,
            ..Entity::default()
        });
    }
    (graph, names)
}

#[test]
fn entities_by_type() {
    for case in cases("get_node_from_types", 6) {
        let (graph, names) = typed(&case);
        let wanted = texts(&case["types_asked"]);
        let query = GraphQuery {
            answer_types: &wanted,
            ..GraphQuery::default()
        };
        // An answer entity supports the walk that consists of it alone; a loop makes that walk.
        let of_type = |rules: &Rules| -> Vec<u32> {
            let looped = |entity: u32| {
                let mut graph = graph.clone();
                graph.add_relation(Relation {
                    a: entity,
                    b: entity,
                    ..Relation::default()
                });
                walk_support(&graph, &query, rules, entity)[0].answers == 1
            };
            (0..names.0.len() as u32)
                .filter(|entity| looped(*entity))
                .collect()
        };
        assert_eq!(
            names.names(&of_type(&Rules::as_is())),
            texts(&case["out"]),
            "{wanted:?}"
        );
        if wanted == ["person"] || wanted == ["Person"] || wanted == ["\"PERSON\""] {
            assert_eq!(
                names.names(&of_type(&Rules::default())),
                ["A", "B"],
                "folded {wanted:?}"
            );
        }
    }
    for case in cases("get_types", 1) {
        // Published: always empty. Ours: the types that are there.
        assert_eq!(
            list(&case["out"]),
            [Value::Array(Vec::new()), Value::Array(Vec::new())]
        );
        assert_eq!(
            types_present(&typed(&case).0),
            ["\"PERSON\"", "person", "LOCATION"]
        );
    }
}

#[test]
fn walks_to_chunks_as_published() {
    let rules = Rules::as_is();
    let orders = ordered_starts();
    for (case, order) in cases("path2chunk", 12).into_iter().zip(orders) {
        let mut named = Named::of_case(&case);
        let append: Vec<Value> = list(&case["pairs_append"]);
        let mut starts = Vec::new();
        for entity in order.0 {
            let mut walks = Vec::new();
            for walk in list(&case["scored"][&entity]["Path"]) {
                let voting = append.iter().find(|row| row["path"] == walk["path"]);
                walks.push(ScoredWalk {
                    support: WalkSupport {
                        walk: named.entities.ids(&walk["path"]),
                        answers: count(&walk["scores"][0]) as u32,
                        votes: count(&walk["scores"][1]) as u32,
                    },
                    voting: voting.map_or_else(Vec::new, |row| named.pairs(&row["edges"])),
                });
            }
            starts.push((named.entities.id(&entity), walks));
        }
        let weights = weigh_walks(&named.graph, Some(text(&case["query"])), &rules, &starts);
        assert_eq!(weights.len(), keys(&case["out"]).len());
        for ((entity, _), weights) in starts.iter().zip(weights) {
            let chunks = best(&weights, count(&case["max_chunks"]), false);
            let name = &named.entities.0[*entity as usize];
            assert_eq!(
                named.chunks.names(&chunks),
                texts(&case["out"][name]["Path"]),
                "{} {name}",
                case["name"]
            );
        }
    }
}

#[test]
fn the_final_vote() {
    for case in cases("scorednode2chunk", 2) {
        let (mut entities, mut chunks) = (Names::default(), Names::default());
        let mut candidates = Vec::new();
        for name in keys(&case["values"]) {
            let value = &case["values"][&name];
            candidates.push(EntityChunks {
                entity: entities.id(&name),
                score: real(&value["Score"]),
                weights: Vec::new(),
                chunks: chunks.ids(&value["Path"]),
            });
        }
        let mut names = Vec::new();
        for name in keys(&case["ent_from_query_dict"]) {
            let ids = entities.ids(&case["ent_from_query_dict"][&name]);
            names.push(QueryEntity {
                hits: ids.into_iter().map(|id| (id, 0.0)).collect(),
                text: name,
            });
        }
        let got = vote_records(&names, &candidates, &Rules::as_is());
        assert_eq!(got.len(), keys(&case["out"]).len());
        for (name, (_, records)) in names.iter().zip(got) {
            let expected = list(&case["out"][&name.text]);
            assert_eq!(records.len(), expected.len(), "{}", case["name"]);
            for (record, expected) in records.iter().zip(expected) {
                assert_eq!(record.score, real(&expected["Score"]));
                let ids: Vec<u32> = record.chunks.iter().map(|pair| pair.0).collect();
                assert_eq!(chunks.names(&ids), texts(&expected["Path"]));
            }
        }
    }
    for case in cases("kwd2chunk", 13) {
        let mut chunks = Names::default();
        let mut lists = Vec::new();
        for (place, name) in (0..).zip(keys(&case["ent_from_query_dict"])) {
            let record = |value: &Value| Record {
                entity: 0,
                score: real(&value["Score"]),
                chunks: chunks
                    .ids(&value["Path"])
                    .into_iter()
                    .map(|chunk| (chunk, 1.0))
                    .collect(),
            };
            lists.push((
                place,
                list(&case["ent_from_query_dict"][&name])
                    .iter()
                    .map(record)
                    .collect(),
            ));
        }
        let hits = chunks.ids(&case["chunks_ids"]);
        let (totals, _) = vote(&lists, &hits, &Rules::as_is());
        let got = best(&totals, count(&case["chunk_nums"]), false);
        assert_eq!(chunks.names(&got), texts(&case["out"]), "{}", case["name"]);
        if case["name"] == "head_in_vector_hits_multiplies_whole_list" {
            // Worked by hand in the spec: only the confirmed chunk itself is multiplied.
            let (totals, _) = vote(&lists, &hits, &Rules::default());
            assert_eq!(totals, [(0, 16.0), (1, 1.6), (2, 0.6)]);
        }
    }
}
