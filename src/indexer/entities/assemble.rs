//! From mentions to the graph: which names stay, and which pairs are related.

use super::{Candidates, ExtractOptions, Line, keep, kind_of};
use crate::graph::{Entity, EntityGraph, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// Entities of a line beyond this many are not related to each other: such a line is a list.
const MAX_LINE_ENTITIES: usize = 12;
/// Characters kept of a line.
const MAX_LINE: usize = 200;
/// Linking lines kept of a relation.
const MAX_LINKS: usize = 3;

/// The lines that two entities share.
#[derive(Default)]
struct Pair {
    n_lines: u32,
    chunks: BTreeSet<u32>,
    links: Vec<u32>,
}

/// Builds the graph of the candidates that are still often enough mentioned. `mentions` has the candidates of each
/// line by index, `short` leads from parts of names to whole names.
pub(super) fn assemble(
    lines: &[Line<'_>],
    candidates: &Candidates,
    mentions: &[Vec<u32>],
    short: &BTreeMap<String, String>,
    options: &ExtractOptions,
) -> EntityGraph {
    let mut graph = EntityGraph::new();
    let numbers = add_entities(&mut graph, lines, candidates, mentions, short, options);
    let mut pairs: BTreeMap<(u32, u32), Pair> = BTreeMap::new();
    let mut n_lines_with = vec![0u32; graph.entities().len()];
    for (line_idx, here) in (0u32..).zip(mentions) {
        let mut here: Vec<u32> = here
            .iter()
            .filter_map(|number| numbers[*number as usize])
            .collect();
        here.iter()
            .for_each(|entity| n_lines_with[*entity as usize] += 1);
        here.truncate(MAX_LINE_ENTITIES);
        here.sort_unstable();
        for (i, &a) in here.iter().enumerate() {
            for &b in &here[i + 1..] {
                let pair = pairs.entry((a, b)).or_default();
                pair.n_lines += 1;
                pair.chunks.insert(lines[line_idx as usize].chunk);
                if pair.links.len() < MAX_LINKS {
                    pair.links.push(line_idx);
                }
            }
        }
    }
    for ((a, b), pair) in pairs {
        let together = f64::from(pair.n_lines) / lines.len() as f64;
        let apart =
            [a, b].map(|entity| f64::from(n_lines_with[entity as usize]) / lines.len() as f64);
        let npmi = (together / (apart[0] * apart[1])).ln() / -together.ln();
        // In a single line everything is certain and the measure has no value; NaN is not enough.
        if pair.n_lines >= options.min_pair_lines || npmi >= options.min_npmi {
            let name = |entity: u32| graph.entities()[entity as usize].name.as_str();
            let mut text = format!("{} {}", name(a), name(b));
            for line in &pair.links {
                text.push('\n');
                text.push_str(&cut(lines[*line as usize].text));
            }
            let chunks = pair.chunks.into_iter().collect();
            graph.add_relation(Relation {
                a,
                b,
                weight: pair.n_lines as f32,
                text,
                chunks,
            });
        }
    }
    graph.cap_neighbors(options.max_neighbors);
    graph
}

/// Adds the entities in order of their canonical names; per candidate its number.
fn add_entities(
    graph: &mut EntityGraph,
    lines: &[Line<'_>],
    candidates: &Candidates,
    mentions: &[Vec<u32>],
    short: &BTreeMap<String, String>,
    options: &ExtractOptions,
) -> Vec<Option<u32>> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); candidates.len()];
    for (line_idx, here) in (0u32..).zip(mentions) {
        here.iter()
            .for_each(|number| rows[*number as usize].push(line_idx));
    }
    let mut aliases: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (part, whole) in short {
        aliases.entry(whole).or_default().push(part.clone());
    }
    let kept = keep(lines, candidates, mentions, false, options);
    let mut numbers = Vec::with_capacity(candidates.len());
    for ((key, candidate), (rows, kept)) in candidates.iter().zip(rows.iter().zip(kept)) {
        if !kept {
            numbers.push(None);
            continue;
        }
        let surfaces = candidate.surfaces.iter();
        let usual = surfaces.max_by_key(|(surface, n)| (**n, std::cmp::Reverse(surface.as_str())));
        let mut chunks: Vec<u32> = rows
            .iter()
            .map(|line| lines[*line as usize].chunk)
            .collect();
        let mut texts = Vec::new();
        if options.texts {
            texts.extend(rows.iter().map(|line| cut(lines[*line as usize].text)));
        } else {
            chunks.dedup();
        }
        let entity = Entity {
            name: usual.map_or(key, |(surface, _)| surface).clone(),
            kind: graph.type_number(kind_of(candidate).name()),
            aliases: aliases.remove(key.as_str()).unwrap_or_default(),
            chunks,
            texts,
        };
        numbers.push(Some(graph.add_entity(entity)));
    }
    numbers
}

fn cut(line: &str) -> String {
    line.chars().take(MAX_LINE).collect()
}
