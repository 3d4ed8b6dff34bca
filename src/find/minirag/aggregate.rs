//! Chunk weights without visiting walks one by one.
//!
//! A walk gives each of its sources (start, other entities, voting relations) its factor, so a source's coefficient
//! is the sum of the factors of the walks through it. Coefficients need one addition per pair of steps; chunks are
//! spread once per source. Sums of small whole numbers are exact, so the result equals [`super::walked`]'s to the bit,
//! order included: a chunk is first seen with the first source that holds it.

use super::support::Prepared;
use crate::base::order;
use std::collections::BTreeMap;

/// Per start its chunks with their weights, as first seen.
pub(super) fn chunk_weights(prepared: &Prepared<'_>, starts: &[u32]) -> Vec<Vec<(u32, f64)>> {
    let mut passed = BTreeMap::new();
    let mut scratch = Scratch::default();
    starts
        .iter()
        .map(|&start| of_start(prepared, start, &mut passed, &mut scratch))
        .collect()
}

/// The source of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Start,
    Relation(u32),
    Entity(u32),
}

#[derive(Default)]
struct Scratch {
    sources: Ordered<Source>,
    chunks: Ordered<u32>,
}

/// Sums by key that remember the order in which keys came.
struct Ordered<K> {
    places: BTreeMap<K, usize>,
    rows: Vec<(K, f64)>,
}

impl<K> Default for Ordered<K> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            rows: Vec::new(),
        }
    }
}

impl<K: Copy + Ord> Ordered<K> {
    fn add(&mut self, key: K, value: f64) {
        let place = *self.places.entry(key).or_insert(self.rows.len());
        match self.rows.get_mut(place) {
            Some(row) => row.1 += value,
            None => self.rows.push((key, value)),
        }
    }

    fn take(&mut self) -> Vec<(K, f64)> {
        self.places.clear();
        std::mem::take(&mut self.rows)
    }
}

fn of_start(
    prepared: &Prepared<'_>,
    start: u32,
    passed: &mut BTreeMap<u32, Vec<u32>>,
    scratch: &mut Scratch,
) -> Vec<(u32, f64)> {
    let graph = prepared.graph;
    let own = graph.entity(start).map_or(&[][..], |entity| &entity.chunks);
    if graph.neighbors(start).is_empty() {
        own.iter().for_each(|chunk| scratch.chunks.add(*chunk, 1.0));
        return scratch.chunks.take();
    }
    let answers = |entity: u32| f64::from(u8::from(prepared.is_answer(entity)));
    for &(middle, first) in graph.neighbors(start) {
        let first_votes = prepared.votes(start, middle);
        let mut base = 1.0 + answers(start) + first_votes.len() as f64;
        if middle == start {
            let sources = [Source::Start, Source::Entity(start)];
            add_walk(scratch, base, &[(first, first_votes)], &sources);
            continue;
        }
        base += answers(middle);
        let mut dead_end = true;
        for &(end, second) in graph
            .neighbors(middle)
            .iter()
            .filter(|pair| pair.0 != start)
        {
            dead_end = false;
            let second_votes = prepared.votes(middle, end);
            let more = if end == middle { 0.0 } else { answers(end) };
            let factor = base + more + second_votes.len() as f64;
            let sources = [Source::Start, Source::Entity(middle), Source::Entity(end)];
            add_walk(
                scratch,
                factor,
                &[(first, first_votes), (second, second_votes)],
                &sources,
            );
        }
        if dead_end {
            let sources = [Source::Start, Source::Entity(middle)];
            add_walk(scratch, base, &[(first, first_votes)], &sources);
        }
    }
    for (source, coefficient) in scratch.sources.take() {
        let chunks: &[u32] = match source {
            Source::Start => own,
            Source::Relation(relation) => &graph.relations()[relation as usize].chunks,
            Source::Entity(entity) => passed
                .entry(entity)
                .or_insert_with(|| prepared.passed_chunks(entity)),
        };
        chunks
            .iter()
            .for_each(|chunk| scratch.chunks.add(*chunk, coefficient));
    }
    scratch.chunks.take()
}

/// Adds one walk: its voting relations in the order of their first hit, each once per hit, then its entities.
fn add_walk(scratch: &mut Scratch, factor: f64, steps: &[(u32, &[u32])], sources: &[Source]) {
    let mut voting: Vec<(u32, u32, usize)> = Vec::new();
    for (relation, votes) in steps {
        if let Some(first) = votes.first() {
            voting.push((*first, *relation, votes.len()));
        }
    }
    order::sort_by(&mut voting, |a, b| a.cmp(b));
    for (_, relation, n_votes) in voting {
        scratch
            .sources
            .add(Source::Relation(relation), factor * n_votes as f64);
    }
    for source in sources {
        scratch.sources.add(*source, factor);
    }
}
