//! The entity graph of the documents, until nodes have numbers.

use super::document::Document;
use super::entities::{ExtractOptions, extract};
use crate::graph::{EntityGraph, Relation};
use std::collections::HashMap;

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
