//! The entity graph of the documents, until nodes have numbers.

use super::document::Document;
use super::entities::{ExtractOptions, extract};
use super::records::{EntityRecord, Naming, RecordStore, Records, RelationRecord};
use crate::graph::{Entity, EntityGraph, MAX_NEIGHBORS, Relation, canonical, joined};
use std::collections::{BTreeMap, HashMap};

/// A graph whose chunks are sections, and the document of each section.
pub struct Mentions {
    graph: EntityGraph,
    /// Path of each section's document.
    paths: Vec<String>,
}

impl Mentions {
    /// Extracts the graph by rules.
    pub fn extract(documents: &[Document]) -> Self {
        let of_sections = |d: &Document| vec![d.path.clone(); d.sections.len()];
        Self {
            graph: extract(documents, &ExtractOptions::default()),
            paths: documents.iter().flat_map(of_sections).collect(),
        }
    }

    /// The graph of a model's records, each of a chunk of the document at its path.
    pub fn of_records(records: &[(String, Records)]) -> Self {
        let mut store = RecordStore::default();
        for (chunk, (_, own)) in (0..).zip(records) {
            store.set(chunk, own.clone());
        }
        Self {
            graph: store.merge(Naming::Canonical).into_graph(MAX_NEIGHBORS),
            paths: records.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    /// This graph and a model's records in one: what this graph knows is said in records too, so that both are merged
    /// by the same rules. Other spellings stay.
    pub fn joined(self, records: &[(String, Records)]) -> Self {
        let mut by_chunk: BTreeMap<u32, Records> = BTreeMap::new();
        for (number, entity) in (0..).zip(self.graph.entities()) {
            for &chunk in &entity.chunks {
                by_chunk
                    .entry(chunk)
                    .or_default()
                    .entities
                    .push(EntityRecord {
                        name: entity.name.clone(),
                        kind: self.graph.type_of(number).to_owned(),
                        description: String::new(),
                    });
            }
        }
        for relation in self.graph.relations() {
            let name = |end: u32| self.graph.entities()[end as usize].name.clone();
            // A relation is weighed once for all of its chunks.
            let weight = f64::from(relation.weight) / relation.chunks.len().max(1) as f64;
            for &chunk in &relation.chunks {
                by_chunk
                    .entry(chunk)
                    .or_default()
                    .relations
                    .push(RelationRecord {
                        source: name(relation.a),
                        target: name(relation.b),
                        weight,
                        ..RelationRecord::default()
                    });
            }
        }
        let mut rows: Vec<(String, Records)> = Vec::with_capacity(self.paths.len() + records.len());
        for (chunk, path) in (0..).zip(&self.paths) {
            rows.push((path.clone(), by_chunk.remove(&chunk).unwrap_or_default()));
        }
        rows.extend(records.iter().cloned());
        let both = Self::of_records(&rows);
        let mut spellings: HashMap<String, &[String]> = HashMap::new();
        for entity in self.graph.entities() {
            spellings.insert(joined(&canonical(&entity.name)), &entity.aliases);
        }
        let mut graph = EntityGraph::new();
        graph.types.clone_from(&both.graph.types);
        for entity in both.graph.entities() {
            let own = spellings.get(&joined(&canonical(&entity.name)));
            graph.add_entity(Entity {
                aliases: own.map_or_else(Vec::new, |own| own.to_vec()),
                ..entity.clone()
            });
        }
        for relation in both.graph.relations() {
            graph.add_relation(relation.clone());
        }
        graph.cap_neighbors(MAX_NEIGHBORS);
        Self { graph, ..both }
    }

    /// The same graph with nodes for chunks: what is found is a file. Entities and relations of documents that are not
    /// in the bundle (of two with one path, the second) lose those mentions.
    pub fn at_nodes(self, node_of: &HashMap<&str, u32>) -> EntityGraph {
        let nodes = |chunks: &[u32]| -> Vec<u32> {
            let path = |&chunk: &u32| node_of.get(self.paths[chunk as usize].as_str());
            let mut nodes: Vec<u32> = chunks.iter().filter_map(path).copied().collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        };
        let mut out = EntityGraph::new();
        out.types.clone_from(&self.graph.types);
        for entity in self.graph.entities() {
            let mut entity = entity.clone();
            entity.chunks = nodes(&entity.chunks);
            entity.texts.clear();
            out.add_entity(entity);
        }
        for relation in self.graph.relations() {
            out.add_relation(Relation {
                chunks: nodes(&relation.chunks),
                text: String::new(),
                ..relation.clone()
            });
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::DocumentSection;
    use super::super::records::parse;
    use super::*;

    fn page(path: &str, text: &str) -> Document {
        Document {
            path: path.into(),
            title: path.into(),
            sections: vec![DocumentSection {
                text: text.into(),
                ..DocumentSection::default()
            }],
            ..Document::default()
        }
    }

    #[test]
    fn rules_and_a_model_meet_in_one_graph_however_often_they_are_joined() {
        let pages = [
            page(
                "a.md",
                "Li Hua: I met Wolfgang Schulz in Oslo.\nWolfgang Schulz: Li Hua, hello.",
            ),
            page("b.md", "Li Hua: Oslo again.\nWolfgang Schulz: In Oslo."),
        ];
        let written = parse(
            "(\"entity\"<|>li hua<|>person<|>x)##(\"entity\"<|>Bakery Guild<|>organization<|>y)##\
            (\"relationship\"<|>Li Hua<|>Bakery Guild<|>leads<|>k<|>4)<|COMPLETE|>",
        );
        let records = [("b.md".to_owned(), written)];
        let rules = Mentions::extract(&pages);
        let n_rules = rules.graph.entities().len();
        let joined = rules.joined(&records);
        let one = |graph: &EntityGraph, alias: &str| match graph.by_alias(alias) {
            [one] => *one,
            other => panic!("{alias}: {other:?}"),
        };
        assert_eq!(joined.graph.entities().len(), n_rules + 1);
        let (hua, guild) = (
            one(&joined.graph, "li hua"),
            one(&joined.graph, "bakery guild"),
        );
        assert!(joined.graph.relation_between(hua, guild).is_some());
        // The rules' short name for a person still leads to them.
        assert_eq!(
            joined.graph.by_alias("wolfgang"),
            joined.graph.by_alias("wolfgang schulz")
        );
        let again = Mentions::extract(&pages).joined(&records);
        assert_eq!(again.graph, joined.graph);
        let node_of = HashMap::from([("a.md", 7), ("b.md", 9)]);
        let graph = joined.at_nodes(&node_of);
        assert_eq!(
            graph.entities()[one(&graph, "bakery guild") as usize].chunks,
            [9]
        );
        assert_eq!(
            graph.entities()[one(&graph, "li hua") as usize].chunks,
            [7, 9]
        );
    }
}
