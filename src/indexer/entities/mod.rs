//! The entity graph of a site by rules, with no model: who and what is named, where, and what stands together.
//!
//! Two passes. The first collects names (labels, headings, link texts, identifiers, capitals, quotes, dates, quantities,
//! frequent runs of characters, rare words); the second finds every mention of them, longest first, and counts which
//! stand in one line. Deterministic: entities are numbered in order of their canonical names.
//! Source: spec minirag §1.4.

mod assemble;
mod candidates;
mod cjk;
mod mentions;
mod names;
mod words;

pub use names::Kind;

use super::document::Document;
use super::prepare::language_of;
use crate::graph::{EntityGraph, MAX_NEIGHBORS};
use crate::text::stop_words::{is_cjk, is_stop_word};
use assemble::assemble;
use candidates::{Candidate, Candidates, collect, met};
use mentions::find_mentions;
use std::collections::{BTreeMap, BTreeSet};

/// Limits on the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractOptions {
    /// Sections a name with weak clues must occur in, unless its type is plain or it stands in several lines; 1 takes every
    /// capitalized word.
    pub min_sections: usize,
    /// Names in a larger share of all sections say nothing and are left out, except people.
    pub max_share: f64,
    /// Rare words are names in at most this share of the sections (and in two at least); 0 leaves rare words out.
    pub rare_share: f64,
    /// Lines in which two entities must meet to be related, unless [`ExtractOptions::min_npmi`] is reached.
    pub min_pair_lines: u32,
    /// Normalized pointwise mutual information, in [-1, 1], that relates two entities whatever their count.
    pub min_npmi: f64,
    /// Neighbors an entity keeps.
    pub max_neighbors: usize,
    /// One mention per line with its text, instead of one per section without: to judge the mentions of crowded entities by instead of by the chunk hits. Costs
    /// bytes and, per query, an edit distance per mention passed.
    pub texts: bool,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            min_sections: 2,
            max_share: 0.2,
            rare_share: 0.005,
            min_pair_lines: 2,
            min_npmi: 0.3,
            max_neighbors: MAX_NEIGHBORS,
            texts: false,
        }
    }
}

/// Longest name, in words or characters.
const MAX_UNITS: usize = 6;
/// Lines in which a name must stand to be believed although only one document has it.
const SURE_LINES: usize = 2;
/// `max_share` means nothing in a handful of sections.
const MIN_SECTIONS_FOR_SHARE: usize = 10;
/// Share of a document's lines with a speaker's label that makes it a dialogue.
const DIALOGUE_SHARE: f64 = 0.3;

/// Extracts the graph. Chunks are sections, numbered through all documents in order, from 0.
///
/// Cost: linear in the text, times the units of the longest name.
pub fn extract(documents: &[Document], options: &ExtractOptions) -> EntityGraph {
    let lines = lines_of(documents);
    let n_sections = documents
        .iter()
        .map(|document| document.sections.len())
        .sum::<usize>();
    let mut candidates = met(collect(documents, &lines, n_sections, options));
    // A long name that turns out too rare must not swallow the mentions of a shorter one inside it.
    for swallowed in [true, false] {
        let mentions = find_mentions(&lines, &candidates, &BTreeMap::new());
        let mut kept = keep(&lines, &candidates, &mentions, swallowed, options).into_iter();
        candidates.retain(|_, _| kept.next() == Some(true));
    }
    // A part of one person's name means that person, unless it is somebody's or something's own.
    let mut short = short_names(&candidates);
    let is_part = |own: &Candidate| !own.strong || kind_of(own) == Kind::Person && !own.labelled;
    short.retain(|part, _| candidates.get(part).is_none_or(is_part));
    candidates.retain(|key, _| !short.contains_key(key));
    let mentions = find_mentions(&lines, &candidates, &short);
    assemble(&lines, &candidates, &mentions, &short, options)
}

/// A line of text, with the section it stands in.
struct Line<'a> {
    chunk: u32,
    text: &'a str,
    /// The label before a speaker's words, in a dialogue.
    speaker: Option<&'a str>,
    /// Written in a language in which every noun has a capital.
    nouns_have_capitals: bool,
}

fn lines_of(documents: &[Document]) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    let mut chunk = 0u32;
    for document in documents {
        let texts = || {
            document
                .sections
                .iter()
                .flat_map(|section| section.text.lines())
                .map(str::trim)
        };
        let n_lines = texts().filter(|line| !line.is_empty()).count();
        let n_labels = texts().filter_map(names::speaker).count();
        let is_dialogue = n_labels >= 2 && n_labels as f64 >= DIALOGUE_SHARE * n_lines as f64;
        let nouns_have_capitals = matches!(language_of(document).as_str(), "de" | "lb");
        let mut title = Some(document.title.as_str()).filter(|_| !document.facts.is_untitled);
        for section in &document.sections {
            let headings = title.take().into_iter().chain([section.heading.as_str()]);
            let lines = headings.chain(section.text.lines()).map(str::trim);
            for text in lines.filter(|line| !line.is_empty()) {
                out.push(Line {
                    chunk,
                    text,
                    speaker: is_dialogue.then(|| names::speaker(text)).flatten(),
                    nouns_have_capitals,
                });
            }
            chunk += 1;
        }
    }
    out
}

/// Type of a candidate: the surest clue that makes up a third of all. A label beats capitals, one "in Alice" does not.
fn kind_of(candidate: &Candidate) -> Kind {
    let total: usize = candidate.kinds.values().sum();
    candidate
        .kinds
        .iter()
        .find(|(_, n)| **n * 3 >= total)
        .map_or(Kind::Concept, |(kind, _)| *kind)
}

/// True for candidates that occur often enough for their clues, and not everywhere; with `swallowed` also for those that
/// are never mentioned, while longer names are among the candidates that they may be a part of.
fn keep(
    lines: &[Line<'_>],
    candidates: &Candidates,
    mentions: &[Vec<u32>],
    swallowed: bool,
    options: &ExtractOptions,
) -> Vec<bool> {
    let n_sections = lines.last().map_or(0, |line| line.chunk as usize + 1);
    let mut seen = vec![(BTreeSet::new(), 0usize); candidates.len()];
    for (line, here) in lines.iter().zip(mentions) {
        let mut before = None;
        for number in here {
            let (sections, n_lines) = &mut seen[*number as usize];
            sections.insert(line.chunk);
            *n_lines += usize::from(before.replace(number) != Some(number));
        }
    }
    let is_kept = |((key, candidate), (sections, n_lines)): (
        (&String, &Candidate),
        &(BTreeSet<u32>, usize),
    )| {
        let needed = match candidate.strong || is_sure(key, candidate, *n_lines) {
            true => 1,
            false => options.min_sections.max(1),
        };
        let is_common = n_sections > MIN_SECTIONS_FOR_SHARE
            && sections.len() as f64 > options.max_share * n_sections as f64
            && kind_of(candidate) != Kind::Person;
        let is_enough = sections.len() >= needed || swallowed && sections.is_empty();
        is_enough && !is_common
    };
    candidates.iter().zip(&seen).map(is_kept).collect()
}

/// True for a name that one document is enough for: a capital within a sentence, its title or its ending says what it is,
/// or it stands in several lines. A frequent run of Chinese characters, a date and a number do not.
fn is_sure(key: &str, candidate: &Candidate, n_lines: usize) -> bool {
    match kind_of(candidate) {
        Kind::Person | Kind::Organization | Kind::Location => true,
        Kind::Concept => candidate.named || n_lines >= SURE_LINES && !key.chars().any(is_cjk),
        Kind::Date | Kind::Quantity | Kind::Code => false,
    }
}

/// First and last words of people's names that belong to one person only, with the whole name.
fn short_names(candidates: &Candidates) -> BTreeMap<String, String> {
    let mut holders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for key in candidates
        .iter()
        .filter(|(_, candidate)| kind_of(candidate) == Kind::Person)
        .map(|pair| pair.0)
    {
        let words: Vec<&str> = key.split(' ').collect();
        let parts: BTreeSet<&str> = if words.len() < 2 {
            BTreeSet::new()
        } else {
            [words[0], words[words.len() - 1]].into()
        };
        for part in parts
            .into_iter()
            .filter(|part| !is_stop_word(part) && part.chars().count() > 1)
        {
            holders.entry(part.to_owned()).or_default().push(key);
        }
    }
    holders
        .into_iter()
        .filter(|(_, whole)| whole.len() == 1)
        .map(|(part, whole)| (part, whole[0].to_owned()))
        .collect()
}

#[cfg(test)]
mod tests;
