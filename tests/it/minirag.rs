//! Every case of `tests/vectors/minirag_vectors.json` against the library (spec minirag §4), and the fast form of
//! selection against the walk-by-walk one on random graphs.

#[cfg(feature = "full")]
mod bundles;
mod rows;
mod stage;
mod twins;
mod walks;

use crate::vectors::{Names, keys, list, text, texts};
use knarr::graph::{Entity, EntityGraph, Relation};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/minirag_vectors.json"))
        .expect("the fixture is JSON")
}

/// The cases of a function; their number is part of the test, so that none is lost silently.
fn cases(function: &str, n: usize) -> Vec<Value> {
    crate::vectors::cases(&vectors()["functions"][function], n)
}

fn n_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A graph of the fixture with the names of its entities and chunks.
pub struct Named {
    pub graph: EntityGraph,
    pub entities: Names,
    pub chunks: Names,
}

impl Named {
    pub fn of_case(case: &Value) -> Self {
        Self::new(case, false)
    }

    /// The published program stores chunks and descriptions of an entity in two lists that need not match. Where the
    /// recommended rules ask for mentions, a chunk beyond the descriptions takes the last of them.
    pub fn new(case: &Value, aligned: bool) -> Self {
        let value = match case["graph"].as_str() {
            Some(name) => &vectors()["graphs"][name],
            None => &case["graph_inline"],
        };
        let mut named = Self {
            graph: EntityGraph::new(),
            entities: Names::default(),
            chunks: Names::default(),
        };
        for node in list(&value["nodes"]) {
            let kind = named.graph.type_number(text(&node["type"]));
            let mut entity = Entity {
                name: text(&node["name"]).to_owned(),
                kind,
                aliases: Vec::new(),
                chunks: named.chunks.ids(&node["source_id"]),
                texts: texts(&node["description"]),
            };
            if let Some(last) = entity.texts.last().cloned().filter(|_| aligned) {
                entity.texts.resize(entity.chunks.len(), last);
            }
            named.entities.id(&entity.name);
            named.graph.add_entity(entity);
        }
        for edge in list(&value["edges"]) {
            let (a, b) = (
                named.entities.id(text(&edge["src_id"])),
                named.entities.id(text(&edge["tgt_id"])),
            );
            let chunks = named.chunks.ids(&edge["source_id"]);
            let added = named.graph.add_relation(Relation {
                a,
                b,
                chunks,
                ..Relation::default()
            });
            assert!(added.is_some(), "edges of the fixture are distinct");
        }
        named
    }

    pub fn pairs(&mut self, value: &Value) -> Vec<(u32, u32)> {
        let ids: Vec<Vec<u32>> = list(value)
            .iter()
            .map(|pair| self.entities.ids(pair))
            .collect();
        ids.iter().map(|pair| (pair[0], pair[1])).collect()
    }
}

#[test]
fn every_block_of_the_fixture_has_a_test() {
    assert_eq!(keys(&vectors()).len(), 5);
    assert_eq!(keys(&vectors()["functions"]).len(), 20);
    assert_eq!(keys(&vectors()["graphs"]).len(), 2);
    assert_eq!(list(&vectors()["pipeline"]).len(), 19);
    assert_eq!(list(&vectors()["pipeline_random"]).len(), 20);
}
