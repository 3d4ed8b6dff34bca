//! The worth of a walk: answer entities on it, relations that vote for it, and the mentions it brings.

use super::{GraphQuery, Rules};
use crate::base::order;
use crate::graph::{EntityGraph, fold_type};
use crate::text::lower;
use crate::text::stop_words::is_cjk;
use std::collections::BTreeMap;

/// A walk and its support.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WalkSupport {
    /// Entities in walking order.
    pub walk: Vec<u32>,
    /// Distinct entities of an answer type on it, the start included.
    pub answers: u32,
    /// Relation hits that are a step of it.
    pub votes: u32,
}

impl WalkSupport {
    /// Weight gained by each chunk on the walk.
    pub fn factor(&self) -> f64 {
        f64::from(self.answers) + f64::from(self.votes) + 1.0
    }
}

/// A question laid out for walking.
pub(super) struct Prepared<'a> {
    pub graph: &'a EntityGraph,
    pub rules: &'a Rules,
    pub hits: &'a [u32],
    /// Words of the question; `None` when there is no question.
    pub words: Option<Vec<String>>,
    /// Relation hits that touch a matched entity or an answer entity.
    pub good: Vec<(u32, u32)>,
    /// Per type of the graph: wanted as an answer.
    wanted: Vec<bool>,
    /// Step to positions in `good`, ascending.
    positions: BTreeMap<(u32, u32), Vec<u32>>,
}

impl<'a> Prepared<'a> {
    pub fn new(
        graph: &'a EntityGraph,
        query: &GraphQuery<'a>,
        rules: &'a Rules,
        matched: &[(u32, f64)],
    ) -> Self {
        let is_wanted = |name: &String| {
            query.answer_types.iter().any(|wanted| {
                if rules.fold_types {
                    fold_type(wanted) == fold_type(name)
                } else {
                    wanted == name.trim_matches('"')
                }
            })
        };
        let wanted: Vec<bool> = graph.types.iter().map(is_wanted).collect();
        let mut prepared = Self {
            graph,
            rules,
            hits: query.chunks,
            words: query.text.map(|text| words(text, rules.split_cjk)),
            good: Vec::new(),
            wanted,
            positions: BTreeMap::new(),
        };
        let important =
            |entity: u32| matched.iter().any(|pair| pair.0 == entity) || prepared.is_answer(entity);
        let good: Vec<(u32, u32)> = query
            .relations
            .iter()
            .copied()
            .filter(|&(a, b)| important(a) || important(b))
            .collect();
        for (place, &(a, b)) in (0..).zip(&good) {
            prepared
                .positions
                .entry(step_key(a, b, rules.both_directions))
                .or_default()
                .push(place);
        }
        prepared.good = good;
        prepared
    }

    pub fn is_answer(&self, entity: u32) -> bool {
        self.graph
            .entity(entity)
            .is_some_and(|entity| self.wanted.get(entity.kind as usize) == Some(&true))
    }

    /// Positions of the relation hits that vote for one step, ascending.
    pub fn votes(&self, from: u32, to: u32) -> &[u32] {
        self.positions
            .get(&step_key(from, to, self.rules.both_directions))
            .map_or(&[], Vec::as_slice)
    }

    /// Positions of the relation hits that vote for a walk, ascending, each once.
    pub fn walk_votes(&self, walk: &[u32]) -> Vec<u32> {
        let mut found: Vec<u32> = walk
            .windows(2)
            .flat_map(|step| self.votes(step[0], step[1]))
            .copied()
            .collect();
        order::sort_dedup(&mut found);
        found
    }

    pub fn support(&self, walk: Vec<u32>) -> WalkSupport {
        let mut nodes = walk.clone();
        order::sort_dedup(&mut nodes);
        let answers = nodes.iter().filter(|node| self.is_answer(**node)).count() as u32;
        let votes = self.walk_votes(&walk).len() as u32;
        WalkSupport {
            walk,
            answers,
            votes,
        }
    }

    /// Chunks of an entity that a walk passes: all of them, or the best half of a crowded entity.
    ///
    /// Mentions are judged by their sentences; where the graph stores none, by their place among the chunk hits.
    pub fn passed_chunks(&self, entity: u32) -> Vec<u32> {
        let (Some(entity), Some(words)) = (self.graph.entity(entity), &self.words) else {
            return Vec::new();
        };
        let n = entity.chunks.len();
        let n_kept = self.rules.many_chunks.max(n / 2);
        if n > self.rules.many_chunks && entity.texts.len() == n {
            let texts: Vec<Vec<String>> = entity
                .texts
                .iter()
                .map(|text| self::words(text, self.rules.split_cjk))
                .collect();
            return closest(&texts, words, n_kept)
                .into_iter()
                .map(|mention| entity.chunks[mention])
                .collect();
        }
        if n > self.rules.many_chunks && entity.texts.is_empty() && !self.hits.is_empty() {
            let mut ranked = entity.chunks.clone();
            let place = |chunk: &u32| {
                let place = self.hits.iter().position(|hit| hit == chunk);
                place.unwrap_or(usize::MAX)
            };
            order::sort_by(&mut ranked, |a, b| place(a).cmp(&place(b)));
            ranked.truncate(n_kept);
            return ranked;
        }
        entity.chunks.clone()
    }

    /// The walk from `entity` with the largest factor among those that pass `chunk`; the first of equals.
    pub fn strongest_walk(&self, entity: u32, chunk: u32) -> WalkSupport {
        let own = self
            .graph
            .entity(entity)
            .is_some_and(|entity| entity.chunks.contains(&chunk));
        let mut strongest = self.support(vec![entity]);
        let mut found = false;
        for walk in self.graph.walks(entity, 2) {
            let support = self.support(walk);
            let shown_by = |place: &u32| {
                let (a, b) = self.good[*place as usize];
                let relation = self
                    .graph
                    .relation_between(a, b)
                    .map(|relation| &self.graph.relations()[relation as usize]);
                relation.is_some_and(|relation| relation.chunks.contains(&chunk))
            };
            let mentions = |node: &u32| {
                self.graph
                    .entity(*node)
                    .is_some_and(|node| node.chunks.contains(&chunk))
            };
            let passes = own
                || support.walk[1..].iter().any(mentions)
                || self.walk_votes(&support.walk).iter().any(shown_by);
            if passes && (!found || support.factor() > strongest.factor()) {
                strongest = support;
                found = true;
            }
        }
        strongest
    }
}

fn step_key(from: u32, to: u32, both_directions: bool) -> (u32, u32) {
    if both_directions {
        (from.min(to), from.max(to))
    } else {
        (from, to)
    }
}

/// Likeness of two word sequences in [0, 1]: 1 minus the edit distance over the longer length; two empty ones are
/// alike. Cost: the product of the lengths.
pub fn word_edit_similarity<T: PartialEq>(a: &[T], b: &[T]) -> f64 {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 1.0;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    1.0 - row[b.len()] as f64 / longer as f64
}

fn closest(texts: &[Vec<String>], question: &[String], k: usize) -> Vec<usize> {
    let mut ranked: Vec<(usize, f64)> = texts
        .iter()
        .enumerate()
        .map(|(i, text)| (i, word_edit_similarity(question, text)))
        .collect();
    order::sort_by(&mut ranked, |a, b| b.1.total_cmp(&a.1));
    ranked.iter().take(k).map(|pair| pair.0).collect()
}

/// Lower-case words by white space; with `split_cjk` each character of an unspaced script is one.
fn words(text: &str, split_cjk: bool) -> Vec<String> {
    let mut out = Vec::new();
    for word in lower(text).split_whitespace() {
        if !split_cjk || !word.chars().any(is_cjk) {
            out.push(word.to_owned());
            continue;
        }
        let mut latin = String::new();
        for c in word.chars() {
            if is_cjk(c) {
                out.extend((!latin.is_empty()).then(|| std::mem::take(&mut latin)));
                out.push(c.to_string());
            } else {
                latin.push(c);
            }
        }
        out.extend((!latin.is_empty()).then_some(latin));
    }
    out
}
