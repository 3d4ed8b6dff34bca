//! Texts: what an endpoint writes, the rows of a store, and the budgets of a context.

use super::{cases, n_words, vectors};
use crate::oracle::minirag::{entity_row, row_id, windows};
use crate::vectors::{count, keys, list, real, text, texts};
use knarr::find::minirag::context::{csv, n_within_budget};
use knarr::indexer::records::{
    self, Naming, RecordStore, clean, is_plain_number, relation_row, split_by,
};
use serde_json::Value;

#[test]
fn text_helpers() {
    for case in cases("split_string_by_multi_markers", 4) {
        let markers = texts(&case["markers"]);
        let markers: Vec<&str> = markers.iter().map(String::as_str).collect();
        assert_eq!(split_by(text(&case["text"]), &markers), texts(&case["out"]));
    }
    for case in cases("list_of_list_to_csv", 2) {
        let field = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let rows: Vec<Vec<String>> = list(&case["rows"])
            .iter()
            .map(|row| list(row).iter().map(field).collect())
            .collect();
        assert_eq!(csv(&rows), text(&case["out"]));
    }
    for case in cases("is_float_regex", 8) {
        assert_eq!(
            is_plain_number(text(&case["in"])),
            case["out"],
            "{}",
            case["in"]
        );
    }
    for case in cases("clean_str", 3) {
        assert_eq!(clean(text(&case["in"])), text(&case["out"]));
    }
    for case in cases("compute_mdhash_id", 3) {
        assert_eq!(
            row_id(text(&case["prefix"]), text(&case["in"])),
            text(&case["out"])
        );
    }
    for case in cases("chunking_by_token_size", 5) {
        let got = windows(
            count(&case["words"]),
            count(&case["max"]),
            count(&case["overlap"]),
        );
        let expected = list(&case["out"]);
        assert_eq!(got.len(), expected.len());
        for (place, (window, expected)) in got.iter().zip(expected).enumerate() {
            let words: Vec<String> = window.clone().map(|i| format!("w{i}")).collect();
            assert_eq!(words.join(" "), text(&expected["content"]));
            assert_eq!(
                (words.len(), place),
                (
                    count(&expected["tokens"]),
                    count(&expected["chunk_order_index"])
                )
            );
        }
    }
    for case in cases("truncate_list_by_token_size", 4) {
        let all = texts(&case["texts"]);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let n_kept = n_within_budget(&all, count(&case["max"]), &n_words);
        assert_eq!(all[..n_kept], texts(&case["out"])[..]);
    }
}

#[test]
fn an_endpoints_text_becomes_a_graph_and_rows() {
    let case = &vectors()["functions"]["extract_entities"];
    let mut store = RecordStore::default();
    let chunks = keys(&case["llm_output_by_chunk"]);
    for (chunk, name) in (0..).zip(&chunks) {
        store.set(
            chunk,
            records::parse(text(&case["llm_output_by_chunk"][name])),
        );
    }
    let merged = store.merge(Naming::Published);
    let sources = |ids: &mut dyn Iterator<Item = u32>| {
        ids.map(|id| chunks[id as usize].clone())
            .collect::<Vec<_>>()
    };
    let nodes = list(&case["nodes"]);
    assert_eq!(merged.entities.len(), nodes.len());
    for (entity, node) in merged.entities.iter().zip(&nodes) {
        assert_eq!(entity.name, text(&node["name"]));
        assert_eq!(entity.kind, text(&node["entity_type"]));
        assert_eq!(entity.descriptions(), texts(&node["description"]));
        assert_eq!(
            sources(&mut entity.chunks().into_iter()),
            texts(&node["source_id_sorted"])
        );
    }
    let edges = list(&case["edges"]);
    assert_eq!(merged.relations.len(), edges.len());
    let relation_rows = case["relationships_vdb"].as_object().expect("rows");
    assert_eq!(relation_rows.len(), edges.len());
    for (&(a, b), relation) in &merged.relations {
        let (a, b) = (&merged.entities[a].name, &merged.entities[b].name);
        let named = |edge: &&Value| {
            let pair = texts(&edge["pair"]);
            pair == [a.clone(), b.clone()] || pair == [b.clone(), a.clone()]
        };
        let edge = edges.iter().find(named).expect("an edge of the fixture");
        assert_eq!(relation.weight, real(&edge["weight"]));
        assert_eq!(
            relation.keywords.iter().cloned().collect::<Vec<_>>(),
            texts(&edge["keywords"])
        );
        assert_eq!(
            relation.descriptions.iter().cloned().collect::<Vec<_>>(),
            texts(&edge["description"])
        );
        assert_eq!(
            sources(&mut relation.chunks.iter().copied()),
            texts(&edge["source_id_sorted"])
        );
        let row = &relation_rows[&row_id("rel-", &format!("{a}{b}"))];
        assert_eq!(
            (text(&row["src_id"]), text(&row["tgt_id"])),
            (a.as_str(), b.as_str())
        );
        assert_eq!(text(&row["content"]), relation_row(a, b, relation));
    }
    let declared: Vec<_> = merged
        .entities
        .iter()
        .filter(|entity| entity.declared)
        .collect();
    for (store, prefix) in [("entities_vdb", "ent-"), ("entity_name_vdb", "Ename-")] {
        let rows = case[store].as_object().expect("rows");
        assert_eq!(rows.len(), declared.len());
        for entity in &declared {
            let row = &rows[&row_id(prefix, &entity.name)];
            assert_eq!(text(&row["entity_name"]), entity.name);
            let content = if store == "entities_vdb" {
                entity_row(entity)
            } else {
                entity.name.clone()
            };
            assert_eq!(text(&row["content"]), content);
        }
    }
}
