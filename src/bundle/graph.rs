//! The graph part: entities, relations, and the nodes that mention them. One part, fetched for the first question that
//! asks for the graph.

#[cfg(feature = "full")]
use crate::base::error::{Error, Result};
#[cfg(any(feature = "full", feature = "index"))]
use crate::graph::EntityGraph;

/// Reads a graph whose chunks are nodes below `n_nodes`.
#[cfg(feature = "full")]
pub fn decode_graph(bytes: &[u8], n_nodes: u32) -> Result<EntityGraph> {
    read::graph(bytes, n_nodes)
}

#[cfg(feature = "full")]
fn out_of_range() -> Error {
    Error::damaged("graph part", "a number is out of range")
}

#[cfg(feature = "full")]
mod read {
    use super::out_of_range;
    use crate::base::bytes::Reader;
    use crate::base::error::Result;
    use crate::graph::{Entity, EntityGraph, MAX_NEIGHBORS, Relation};

    pub fn graph(bytes: &[u8], n_nodes: u32) -> Result<EntityGraph> {
        let r = &mut Reader::new(bytes);
        let mut graph = EntityGraph::new();
        for _ in 0..r.count(1)? {
            graph.types.push(r.str()?.to_owned());
        }
        for _ in 0..r.count(4)? {
            let name = r.str()?.to_owned();
            let kind = u16::try_from(r.varint()?).map_err(|_| out_of_range())?;
            if usize::from(kind) >= graph.types.len() {
                return Err(out_of_range());
            }
            let mut aliases = Vec::new();
            for _ in 0..r.count(1)? {
                aliases.push(r.str()?.to_owned());
            }
            graph.add_entity(Entity {
                name,
                kind,
                aliases,
                chunks: nodes(r, n_nodes)?,
                texts: Vec::new(),
            });
        }
        let mut a = 0u32;
        for _ in 0..r.count(4)? {
            a = a.checked_add(r.var32()?).ok_or_else(out_of_range)?;
            let relation = Relation {
                a,
                b: r.var32()?,
                weight: r.var32()? as f32,
                text: String::new(),
                chunks: nodes(r, n_nodes)?,
            };
            graph.add_relation(relation).ok_or_else(out_of_range)?;
        }
        r.finish()?;
        graph.cap_neighbors(MAX_NEIGHBORS);
        Ok(graph)
    }

    /// Ascending node numbers, as steps.
    fn nodes(r: &mut Reader<'_>, n_nodes: u32) -> Result<Vec<u32>> {
        let n = r.count(1)?;
        let mut nodes = Vec::with_capacity(n);
        let mut node = 0u32;
        for _ in 0..n {
            let next = node.checked_add(r.var32()?);
            node = next
                .filter(|&node| node < n_nodes)
                .ok_or_else(out_of_range)?;
            nodes.push(node);
        }
        Ok(nodes)
    }
}

/// Writes a graph whose chunks are nodes, ascending. Texts are left out: they would be a second copy of the site.
#[cfg(feature = "index")]
pub fn encode_graph(graph: &EntityGraph) -> Vec<u8> {
    use crate::base::bytes::Writer;
    fn nodes(w: &mut Writer, nodes: &[u32]) {
        w.len(nodes.len());
        let mut last = 0;
        for &node in nodes {
            w.varint(u64::from(node - last));
            last = node;
        }
    }
    let mut w = Writer::default();
    w.len(graph.types.len());
    graph.types.iter().for_each(|kind| w.str(kind));
    w.len(graph.entities().len());
    for entity in graph.entities() {
        w.str(&entity.name);
        w.varint(u64::from(entity.kind));
        w.len(entity.aliases.len());
        entity.aliases.iter().for_each(|alias| w.str(alias));
        nodes(&mut w, &entity.chunks);
    }
    let mut relations: Vec<_> = graph.relations().iter().collect();
    crate::base::order::sort_by(&mut relations, |x, y| (x.a, x.b).cmp(&(y.a, y.b)));
    w.len(relations.len());
    let mut last = 0;
    for relation in relations {
        w.varint(u64::from(relation.a - last));
        last = relation.a;
        w.varint(u64::from(relation.b));
        w.varint(relation.weight as u64);
        nodes(&mut w, &relation.chunks);
    }
    w.bytes
}

#[cfg(all(test, feature = "full"))]
mod tests {
    use super::*;
    use crate::graph::{Entity, MAX_NEIGHBORS, Relation};

    #[test]
    fn what_is_written_is_read_and_damage_is_refused() {
        let mut graph = EntityGraph::new();
        for (i, name) in ["Li Hua", "Wolfgang", "Oslo"].into_iter().enumerate() {
            let kind = graph.type_number(["person", "place"][i / 2]);
            graph.add_entity(Entity {
                name: name.into(),
                kind,
                aliases: vec![format!("alias{i}")],
                chunks: vec![i as u32, 7],
                texts: Vec::new(),
            });
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            graph.add_relation(Relation {
                a,
                b,
                weight: (a + b) as f32,
                text: String::new(),
                chunks: vec![a, b + 4],
            });
        }
        graph.cap_neighbors(MAX_NEIGHBORS);
        let bytes = encode_graph(&graph);
        assert_eq!(decode_graph(&bytes, 8).unwrap(), graph);
        assert!(decode_graph(&bytes, 7).is_err(), "node 7 is not there");
        for end in 0..bytes.len() {
            assert!(decode_graph(&bytes[..end], 8).is_err());
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let _ = decode_graph(&flipped, 8); // Opens or fails.
            }
        }
    }
}
