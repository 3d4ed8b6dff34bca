//! Entities and relations as a chat endpoint writes them: parsing the records, and merging those of all chunks.
//!
//! Merging is idempotent: records are kept per chunk, so reading a chunk again replaces what it gave before.
//! Source: spec minirag §1.1–§1.3.

use crate::graph::{Entity, EntityGraph, Relation, canonical, fold_type, joined};
use std::collections::{BTreeMap, BTreeSet};

/// Between the fields of a record.
pub const FIELD: &str = "<|>";
/// Between records.
pub const RECORD: &str = "##";
/// After the last record.
pub const END: &str = "<|COMPLETE|>";
/// Between texts that a row joins.
pub const JOIN: &str = "<SEP>";
/// Type of an entity that only a relation names.
pub const UNKNOWN: &str = "\"UNKNOWN\"";

/// An entity as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityRecord {
    /// Its name, quotes included.
    pub name: String,
    /// Its type, quotes included.
    pub kind: String,
    /// A sentence about it.
    pub description: String,
}

/// A relation as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RelationRecord {
    /// Name of one end.
    pub source: String,
    /// Name of the other end.
    pub target: String,
    /// A sentence about the relation.
    pub description: String,
    /// Keywords of the link.
    pub keywords: String,
    /// Strength; 1 when it is not a plain number.
    pub weight: f64,
}

/// The records of one chunk, in the order written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Records {
    /// In the order in which they were written.
    pub entities: Vec<EntityRecord>,
    /// In the order in which they were written.
    pub relations: Vec<RelationRecord>,
}

/// Reads an answer of the endpoint. What is not a complete record is passed over.
pub fn parse(answer: &str) -> Records {
    let mut records = Records::default();
    for record in split_by(answer, &[RECORD, END]) {
        let Some(inner) = bracketed(&record) else {
            continue;
        };
        let fields = split_by(inner, &[FIELD]);
        match fields.first().map(String::as_str) {
            Some("\"entity\"") if fields.len() >= 4 && !clean(&fields[1]).is_empty() => {
                records.entities.push(EntityRecord {
                    name: clean(&fields[1]),
                    kind: clean(&fields[2]),
                    description: clean(&fields[3]),
                });
            }
            Some("\"relationship\"") if fields.len() >= 5 => {
                let strength = fields.last().filter(|field| is_plain_number(field));
                records.relations.push(RelationRecord {
                    source: clean(&fields[1]),
                    target: clean(&fields[2]),
                    description: clean(&fields[3]),
                    keywords: clean(&fields[4]),
                    weight: strength.and_then(|field| field.parse().ok()).unwrap_or(1.0),
                });
            }
            _ => {}
        }
    }
    records
}

/// Cuts a text at any of the markers; pieces are trimmed, empty ones dropped. Without markers the text stays whole.
pub fn split_by(text: &str, markers: &[&str]) -> Vec<String> {
    if markers.is_empty() {
        return vec![text.to_owned()];
    }
    let mut pieces = vec![text];
    for marker in markers {
        pieces = pieces
            .into_iter()
            .flat_map(|piece| piece.split(marker))
            .collect();
    }
    pieces
        .iter()
        .map(|piece| piece.trim())
        .filter(|piece| !piece.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The text between the first opening and the last closing bracket of a line, on the first line that has both.
fn bracketed(record: &str) -> Option<&str> {
    record.split('\n').find_map(|line| {
        let open = line.find('(')?;
        let close = line.rfind(')').filter(|close| *close > open)?;
        Some(&line[open + 1..close])
    })
}

/// A field without HTML entities, outer space and control characters.
pub fn clean(field: &str) -> String {
    unescape(field.trim())
        .chars()
        .filter(|c| !c.is_control())
        .collect()
}

/// Undoes numeric character references and the five named ones of XML.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let reference = rest
            .find(';')
            .filter(|end| *end <= 10)
            .and_then(|end| Some((end, reference(&rest[1..end])?)));
        match reference {
            Some((end, c)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// True for a plain decimal number: a sign, digits, a point, digits; no exponent.
pub fn is_plain_number(field: &str) -> bool {
    let digits = field.strip_prefix(['-', '+']).unwrap_or(field);
    let (whole, decimals) = digits.split_once('.').unwrap_or(("", digits));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !decimals.is_empty() && all_digits(decimals) && all_digits(whole)
}

/// The rule by which names are compared and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Naming {
    /// By canonical form, shown as first written without quotes.
    #[default]
    Canonical,
    /// Upper case with quotes, as the published program stores them.
    Published,
}

/// An entity after merging.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergedEntity {
    /// Its name.
    pub name: String,
    /// Its most frequent type; of equals the first.
    pub kind: String,
    /// `(chunk, description)`, ascending, each once.
    pub mentions: BTreeSet<(u32, String)>,
    /// False when only relations name it. Such an entity is reached by walking, not by its name.
    pub declared: bool,
}

impl MergedEntity {
    /// Distinct descriptions in order of bytes.
    pub fn descriptions(&self) -> Vec<&str> {
        let distinct: BTreeSet<&str> = self
            .mentions
            .iter()
            .map(|mention| mention.1.as_str())
            .collect();
        distinct.into_iter().collect()
    }

    /// Distinct chunks.
    pub fn chunks(&self) -> BTreeSet<u32> {
        self.mentions.iter().map(|mention| mention.0).collect()
    }
}

/// A relation after merging.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MergedRelation {
    /// Sum of the strengths.
    pub weight: f64,
    /// Distinct keyword fields.
    pub keywords: BTreeSet<String>,
    /// Distinct descriptions.
    pub descriptions: BTreeSet<String>,
    /// Chunks that show it.
    pub chunks: BTreeSet<u32>,
}

/// Records of all chunks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordStore {
    by_chunk: BTreeMap<u32, Records>,
}

/// Everything the records say, merged: entities as first seen, relations by the indexes of their ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Merged {
    /// Entities, in order of chunks and records.
    pub entities: Vec<MergedEntity>,
    /// Relations by their ends, the entity with the smaller name first.
    pub relations: BTreeMap<(usize, usize), MergedRelation>,
}

impl RecordStore {
    /// Puts the records of a chunk in place of any it had before.
    pub fn set(&mut self, chunk: u32, records: Records) {
        self.by_chunk.insert(chunk, records);
    }

    /// Merges all records.
    pub fn merge(&self, naming: Naming) -> Merged {
        let mut merging = Merging {
            naming,
            merged: Merged::default(),
            places: BTreeMap::new(),
            votes: Vec::new(),
        };
        for (chunk, records) in &self.by_chunk {
            for record in &records.entities {
                merging.add_entity(*chunk, record);
            }
        }
        for (chunk, records) in &self.by_chunk {
            for record in &records.relations {
                merging.add_relation(*chunk, record);
            }
        }
        merging.finish()
    }
}

struct Merging {
    naming: Naming,
    merged: Merged,
    places: BTreeMap<String, usize>,
    /// Per entity its types with their counts, as first counted.
    votes: Vec<Vec<(String, usize)>>,
}

impl Merging {
    fn place(&mut self, written: &str) -> Option<usize> {
        let key = match self.naming {
            Naming::Canonical => joined(&canonical(written)),
            Naming::Published => written.to_uppercase(),
        };
        if key.is_empty() {
            return None;
        }
        let next = self.merged.entities.len();
        let place = *self.places.entry(key.clone()).or_insert(next);
        if place == next {
            let name = match self.naming {
                Naming::Canonical => written.trim_matches('"').to_owned(),
                Naming::Published => key,
            };
            self.merged.entities.push(MergedEntity {
                name,
                ..MergedEntity::default()
            });
            self.votes.push(Vec::new());
        }
        Some(place)
    }

    fn add_entity(&mut self, chunk: u32, record: &EntityRecord) {
        let Some(place) = self.place(&record.name) else {
            return;
        };
        let kind = match self.naming {
            Naming::Canonical => fold_type(&record.kind).to_uppercase(),
            Naming::Published => record.kind.to_uppercase(),
        };
        match self.votes[place].iter_mut().find(|vote| vote.0 == kind) {
            Some(vote) => vote.1 += 1,
            None => self.votes[place].push((kind, 1)),
        }
        let entity = &mut self.merged.entities[place];
        entity.declared = true;
        entity.mentions.insert((chunk, record.description.clone()));
    }

    fn add_relation(&mut self, chunk: u32, record: &RelationRecord) {
        let (Some(a), Some(b)) = (self.place(&record.source), self.place(&record.target)) else {
            return;
        };
        for place in [a, b] {
            let entity = &mut self.merged.entities[place];
            if !entity.declared {
                entity.mentions.insert((chunk, record.description.clone()));
            }
        }
        let in_order = self.merged.entities[a].name <= self.merged.entities[b].name;
        let ends = if in_order { (a, b) } else { (b, a) };
        let relation = self.merged.relations.entry(ends).or_default();
        relation.weight += record.weight;
        relation.keywords.insert(record.keywords.clone());
        relation.descriptions.insert(record.description.clone());
        relation.chunks.insert(chunk);
    }

    fn finish(mut self) -> Merged {
        for (entity, votes) in self.merged.entities.iter_mut().zip(&self.votes) {
            let most = votes.iter().map(|vote| vote.1).max();
            let winner = votes.iter().find(|vote| Some(vote.1) == most);
            entity.kind = winner.map_or_else(
                || {
                    if self.naming == Naming::Published {
                        UNKNOWN.to_owned()
                    } else {
                        fold_type(UNKNOWN).to_uppercase()
                    }
                },
                |vote| vote.0.clone(),
            );
        }
        self.merged
    }
}

impl Merged {
    /// The graph of the merged records, at most `max_neighbors` neighbors per entity.
    pub fn into_graph(self, max_neighbors: usize) -> EntityGraph {
        let mut graph = EntityGraph::new();
        for entity in &self.entities {
            let kind = graph.type_number(&entity.kind);
            let (chunks, texts) = entity.mentions.iter().cloned().unzip();
            graph.add_entity(Entity {
                name: entity.name.clone(),
                kind,
                aliases: Vec::new(),
                chunks,
                texts,
            });
        }
        for (&(a, b), relation) in &self.relations {
            graph.add_relation(Relation {
                a: a as u32,
                b: b as u32,
                weight: relation.weight as f32,
                text: relation_row(&self.entities[a].name, &self.entities[b].name, relation),
                chunks: relation.chunks.iter().copied().collect(),
            });
        }
        graph.cap_neighbors(max_neighbors);
        graph
    }
}

/// Text of a relation's row: keywords, both names, descriptions.
pub fn relation_row(a: &str, b: &str, relation: &MergedRelation) -> String {
    let join = |texts: &BTreeSet<String>| {
        texts
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(JOIN)
    };
    format!(
        "{} {a} {b} {}",
        join(&relation.keywords),
        join(&relation.descriptions)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "(\"entity\"<|>\"LiHua\"<|>\"person\"<|>\"a\")##(\"entity\"<|>\"LI HUA\"<|>\"person\"<|>\"b\")##\
        (\"relationship\"<|>\"Li Hua\"<|>\"Ghost\"<|>\"pays\"<|>\"k\"<|>2)<|COMPLETE|>";

    #[test]
    fn reading_a_chunk_again_changes_nothing() {
        let mut store = RecordStore::default();
        store.set(0, parse(ANSWER));
        let once = store.merge(Naming::Canonical);
        store.set(0, parse(ANSWER));
        assert_eq!(store.merge(Naming::Canonical), once);
        assert_eq!(once.entities.len(), 2);
        assert_eq!(once.relations[&(1, 0)].weight, 2.0);
    }

    #[test]
    fn spellings_meet_in_the_graph_and_an_undeclared_end_can_be_walked_to() {
        let mut store = RecordStore::default();
        store.set(3, parse(ANSWER));
        let graph = store.merge(Naming::Canonical).into_graph(32);
        assert_eq!(graph.by_alias("li hua"), [0]);
        assert_eq!(graph.entities()[0].chunks, [3, 3]);
        assert_eq!(graph.type_of(1), "UNKNOWN");
        assert_eq!(graph.walks(0, 2), [[0, 1]]);
    }

    #[test]
    fn references_that_are_none_stay() {
        assert_eq!(
            clean("a &amp; b &#65;&#x42; &nonsense; & c"),
            "a & b AB &nonsense; & c"
        );
        assert_eq!(clean("&#xD800;"), "&#xD800;");
    }
}
