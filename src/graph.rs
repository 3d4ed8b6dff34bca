//! The entity graph: what a site talks about, where, and what is mentioned together.
//!
//! Entities and chunks are numbers; chunks are not nodes but an attribute of entities and relations. Relations are
//! undirected and may be walked from both ends. Source: spec minirag §1.1 and §2.3.

use crate::base::order;
use crate::text::lower;
use crate::text::normalize;
use crate::text::stop_words::is_cjk;
use std::collections::BTreeMap;

/// Neighbors an entity keeps by default. Walks from one start are then at most the square of it.
pub const MAX_NEIGHBORS: usize = 32;

/// A named thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entity {
    /// Name for people.
    pub name: String,
    /// Index into [`EntityGraph::types`].
    pub kind: u16,
    /// Other canonical spellings that lead here; the canonical form of the name is not repeated.
    pub aliases: Vec<String>,
    /// Chunks that mention it, one per mention, ascending; a chunk with two mentions stands twice.
    pub chunks: Vec<u32>,
    /// The sentence of each mention, aligned with `chunks`, or empty when sentences are not stored.
    pub texts: Vec<String>,
}

/// An undirected relation of two entities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relation {
    /// One end.
    pub a: u32,
    /// The other end; equal to `a` for a loop.
    pub b: u32,
    /// Number of times that the two were seen together.
    pub weight: f32,
    /// Names of both ends and the sentences that link them, for searching relations by text.
    pub text: String,
    /// Chunks that show the relation.
    pub chunks: Vec<u32>,
}

/// Entities, relations and who is next to whom.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntityGraph {
    /// Names of entity types, as written.
    pub types: Vec<String>,
    entities: Vec<Entity>,
    relations: Vec<Relation>,
    /// Per entity its `(neighbor, relation)` pairs, in the order walks follow them.
    neighbors: Vec<Vec<(u32, u32)>>,
    /// Entities by [`joined`] names.
    by_alias: BTreeMap<String, Vec<u32>>,
}

impl EntityGraph {
    /// A graph without entities.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a type, added when it is new.
    pub fn type_number(&mut self, name: &str) -> u16 {
        let known = self.types.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.types.push(name.to_owned());
            self.types.len() - 1
        });
        u16::try_from(number).expect("types are a handful of words, not 65,536")
    }

    /// Adds an entity and gives its number. Its canonical name and aliases lead to it from now on.
    pub fn add_entity(&mut self, entity: Entity) -> u32 {
        let number = u32::try_from(self.entities.len()).expect("fewer than 2^32 entities");
        let names = std::iter::once(canonical(&entity.name)).chain(entity.aliases.iter().cloned());
        for alias in names.filter(|alias| !alias.is_empty()) {
            let holders = self.by_alias.entry(joined(&alias)).or_default();
            if holders.last() != Some(&number) {
                holders.push(number);
            }
        }
        self.entities.push(entity);
        self.neighbors.push(Vec::new());
        number
    }

    /// Adds a relation and gives its number; `None` when an end does not exist or the pair is already related.
    pub fn add_relation(&mut self, relation: Relation) -> Option<u32> {
        let (a, b) = (relation.a, relation.b);
        let exists = |entity: u32| (entity as usize) < self.entities.len();
        if !exists(a) || !exists(b) || self.relation_between(a, b).is_some() {
            return None;
        }
        let number = u32::try_from(self.relations.len()).expect("fewer than 2^32 relations");
        self.relations.push(relation);
        self.neighbors[a as usize].push((b, number));
        if a != b {
            self.neighbors[b as usize].push((a, number));
        }
        Some(number)
    }

    /// Entities by number.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// An entity; `None` when the number is out of range.
    pub fn entity(&self, number: u32) -> Option<&Entity> {
        self.entities.get(number as usize)
    }

    /// Relations by number.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// `(neighbor, relation)` pairs of an entity in walking order; empty for an unknown number.
    pub fn neighbors(&self, entity: u32) -> &[(u32, u32)] {
        self.neighbors
            .get(entity as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// The relation of two entities, whichever end lists it.
    pub fn relation_between(&self, a: u32, b: u32) -> Option<u32> {
        let listed = |from: u32, to: u32| {
            self.neighbors(from)
                .iter()
                .find(|pair| pair.0 == to)
                .map(|pair| pair.1)
        };
        listed(a, b).or_else(|| listed(b, a))
    }

    /// Name of an entity's type, as written.
    pub fn type_of(&self, entity: u32) -> &str {
        self.entity(entity)
            .and_then(|entity| self.types.get(entity.kind as usize))
            .map_or("", String::as_str)
    }

    /// Entities whose canonical name or alias is `alias` (canonical itself), wherever either has its spaces. Several people
    /// may share a name.
    pub fn by_alias(&self, alias: &str) -> &[u32] {
        self.by_alias.get(&joined(alias)).map_or(&[], Vec::as_slice)
    }

    /// True if an entity's canonical name or one of its aliases is `alias`, with its spaces.
    pub fn is_written(&self, entity: u32, alias: &str) -> bool {
        self.entity(entity).is_some_and(|entity| {
            canonical(&entity.name) == alias || entity.aliases.iter().any(|own| own == alias)
        })
    }

    /// Keeps at most `max` neighbors per entity: the heaviest relations, ties by neighbor number. Walking order
    /// becomes that order too.
    ///
    /// The two ends are cut apart, so an entity whose only neighbor is a crowded one keeps its way to it. Relations
    /// that neither end lists any more are removed and the rest renumbered.
    pub fn cap_neighbors(&mut self, max: usize) {
        for list in &mut self.neighbors {
            order::sort_by(list, |x, y| {
                let weight = |pair: &(u32, u32)| self.relations[pair.1 as usize].weight;
                weight(y).total_cmp(&weight(x)).then(x.0.cmp(&y.0))
            });
            list.truncate(max);
        }
        let mut kept = vec![false; self.relations.len()];
        for &(_, relation) in self.neighbors.iter().flatten() {
            kept[relation as usize] = true;
        }
        let mut renumbered = Vec::with_capacity(kept.len());
        let mut n_kept = 0u32;
        for &keep in &kept {
            renumbered.push(n_kept);
            n_kept += u32::from(keep);
        }
        let mut kept = kept.into_iter();
        self.relations.retain(|_| kept.next() == Some(true));
        for pair in self.neighbors.iter_mut().flatten() {
            pair.1 = renumbered[pair.1 as usize];
        }
    }

    /// Maximal walks of at most `n_hops` steps from `start` that never reuse a step, in walking order.
    ///
    /// A walk that can go on is not kept in its shorter form; a loop or a return to an entity of the walk ends it.
    /// A start without neighbors, or outside the graph, has no walks. Cost: the product of the degrees.
    pub fn walks(&self, start: u32, n_hops: usize) -> Vec<Vec<u32>> {
        if n_hops == 0 {
            return Vec::new();
        }
        let mut walks: Vec<Vec<u32>> = self
            .neighbors(start)
            .iter()
            .map(|pair| vec![start, pair.0])
            .collect();
        for _ in 1..n_hops {
            walks = walks.iter().flat_map(|walk| self.extend(walk)).collect();
        }
        walks
    }

    /// A walk with every possible next step, or the walk itself when there is none.
    pub fn extend(&self, walk: &[u32]) -> Vec<Vec<u32>> {
        let (last, before) = match walk {
            [before @ .., last] => (*last, before),
            [] => return Vec::new(),
        };
        let mut longer = Vec::new();
        if !before.contains(&last) {
            for &(next, _) in self
                .neighbors(last)
                .iter()
                .filter(|pair| before.last() != Some(&pair.0))
            {
                let mut walk = walk.to_vec();
                walk.push(next);
                longer.push(walk);
            }
        }
        if longer.is_empty() {
            longer.push(walk.to_vec());
        }
        longer
    }
}

/// Canonical form of a name: lower case, width and diacritics folded, quotes and punctuation gone, CamelCase parts and
/// everything else that separates words as one space.
///
/// `"LI HUA"`, `Li-Hua` and `LiHua` meet in `li hua`. Characters of unspaced scripts stay together.
pub fn canonical(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut previous: Option<char> = None;
    let name = normalize(name);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, '\'' | '\u{2019}') {
            // A possessive is not part of the name: "Alice's" is about Alice.
            let mut ahead = chars.clone();
            if ahead.next() == Some('s') && ahead.next().is_none_or(|c| !c.is_alphanumeric()) {
                chars.next();
            }
            // Neither case: the letter after it starts no new word, as in O'Brien.
            previous = previous.map(|_| '\'');
            continue;
        }
        if matches!(c, '"' | '\u{201c}' | '\u{201d}') {
            continue;
        }
        if !c.is_alphanumeric() && !matches!(c, '+' | '#') {
            previous = None;
            continue;
        }
        let hump = c.is_uppercase()
            && previous.is_some_and(|p| {
                p.is_lowercase()
                    || (p.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase()))
            });
        if (previous.is_none() || hump) && !out.is_empty() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
        previous = Some(c);
    }
    out
}

/// A canonical name without its spaces, except between digits: the form under which names meet.
///
/// Nobody writes all of a name's capitals and hyphens, and `oauth` has no hump to tell its words by: it meets `OAuth` and
/// `O-Auth` in `oauth`, `http server` meets `HTTPServer`. Between digits a space tells `1.11` from `11.1`.
pub fn joined(canonical: &str) -> String {
    let mut out = String::with_capacity(canonical.len());
    let is_digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let mut chars = canonical.chars().peekable();
    while let Some(c) = chars.next() {
        let is_kept =
            c != ' ' || is_digit(out.chars().next_back()) && is_digit(chars.peek().copied());
        if is_kept {
            out.push(c);
        }
    }
    out
}

/// A word of a canonical name, or one character of an unspaced script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameUnit {
    /// The word or character.
    pub text: String,
    /// A character of an unspaced script: no word by itself.
    pub is_character: bool,
    /// Follows its predecessor without a space.
    pub glued: bool,
}

/// Cuts canonical text into the units that names are made of.
pub fn name_units(canonical: &str) -> Vec<NameUnit> {
    let mut out: Vec<NameUnit> = Vec::new();
    for word in canonical.split(' ') {
        let mut glued = false;
        for c in word.chars() {
            match out.last_mut() {
                Some(last) if glued && !last.is_character && !is_cjk(c) => last.text.push(c),
                _ => out.push(NameUnit {
                    text: c.to_string(),
                    is_character: is_cjk(c),
                    glued,
                }),
            }
            glued = true;
        }
    }
    out
}

/// The name that units spell, as [`canonical`] writes it.
pub fn join_units(units: &[NameUnit]) -> String {
    let mut out = String::new();
    for unit in units {
        if !unit.glued && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&unit.text);
    }
    out
}

/// A type name for comparison: no case, no quotes around it.
pub fn fold_type(name: &str) -> String {
    lower(name.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(name: &str) -> Entity {
        Entity {
            name: name.into(),
            ..Entity::default()
        }
    }

    #[test]
    fn spellings_meet_in_one_form() {
        for name in ["\"LI HUA\"", "Li-Hua", "LiHua", " li  hua.", "LI_HUA"] {
            assert_eq!(canonical(name), "li hua", "{name}");
        }
        assert_eq!(canonical("HTTPServer"), "http server");
        assert_eq!(canonical("O\u{2019}Brien"), "obrien");
        assert_eq!(canonical("Alice's"), "alice");
        assert_eq!(canonical("James' Bistro's menu"), "james bistro menu");
        assert_eq!(canonical("C++"), "c++");
        assert_eq!(canonical("北京大学"), "北京大学");
        assert_eq!(canonical("std::vec"), "std vec");
        assert_eq!(canonical("..."), "");
    }

    #[test]
    fn names_meet_wherever_their_words_end() {
        let forms: [&[&str]; 5] = [
            &["OAuth", "oauth", "o auth", "O-Auth", "OAUTH", "Oauth"],
            &[
                "HTTPServer",
                "http server",
                "httpserver",
                "HTTP-server",
                "HttpServer",
            ],
            &["PostgreSQL", "postgresql", "PostgreSql", "Postgre SQL"],
            &["北京大学", "北京 大学"],
            &["Python 3.11", "python3.11"],
        ];
        for forms in forms {
            let met = forms.iter().map(|form| joined(&canonical(form)));
            assert_eq!(
                met.collect::<std::collections::BTreeSet<_>>().len(),
                1,
                "{forms:?}"
            );
            for name in forms {
                let mut graph = EntityGraph::new();
                let number = graph.add_entity(entity(name));
                for form in forms {
                    assert_eq!(graph.by_alias(&canonical(form)), [number], "{name}: {form}");
                }
            }
        }
        assert_eq!(joined(&canonical("1.11")), "1 11");
        assert_ne!(joined(&canonical("1.11")), joined(&canonical("11.1")));
    }

    #[test]
    fn people_who_share_a_name_keep_their_own_numbers() {
        let mut graph = EntityGraph::new();
        let a = graph.add_entity(entity("Li Hua"));
        let b = graph.add_entity(Entity {
            aliases: vec!["hua".into()],
            ..entity("LiHua")
        });
        assert_eq!(graph.by_alias("li hua"), [a, b]);
        assert_eq!(graph.by_alias("hua"), [b]);
        assert!(graph.by_alias("nobody").is_empty());
    }

    #[test]
    fn a_pair_is_related_once_and_ends_must_exist() {
        let mut graph = EntityGraph::new();
        graph.add_entity(entity("a"));
        graph.add_entity(entity("b"));
        assert_eq!(
            graph.add_relation(Relation {
                a: 0,
                b: 1,
                ..Relation::default()
            }),
            Some(0)
        );
        assert_eq!(
            graph.add_relation(Relation {
                a: 1,
                b: 0,
                ..Relation::default()
            }),
            None
        );
        assert_eq!(
            graph.add_relation(Relation {
                a: 0,
                b: 2,
                ..Relation::default()
            }),
            None
        );
    }

    #[test]
    fn the_cap_keeps_the_heaviest_and_the_way_of_a_leaf() {
        let mut graph = EntityGraph::new();
        let hub = graph.add_entity(entity("hub"));
        for i in 1..=4u32 {
            graph.add_entity(entity(&format!("leaf {i}")));
            graph.add_relation(Relation {
                a: hub,
                b: i,
                weight: i as f32,
                ..Relation::default()
            });
        }
        graph.cap_neighbors(2);
        let ends = |entity: u32| {
            graph
                .neighbors(entity)
                .iter()
                .map(|pair| pair.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(ends(hub), [4, 3]);
        assert_eq!(ends(1), [hub]);
        assert_eq!(graph.relations().len(), 4);
        assert_eq!(
            graph.relation_between(hub, 1),
            graph.relation_between(1, hub)
        );
        for entity in 0..5 {
            for &(other, relation) in graph.neighbors(entity) {
                let relation = &graph.relations()[relation as usize];
                assert_eq!(relation.a.min(relation.b), entity.min(other));
                assert_eq!(relation.a.max(relation.b), entity.max(other));
            }
        }
    }
}
