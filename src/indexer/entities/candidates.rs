//! Names that a text might mean, before it is known whether they become entities.

use super::names::{self, Clue, Found, Kind};
use super::words::Words;
use super::{ExtractOptions, Line, MAX_UNITS, cjk};
use crate::graph::{canonical, joined, name_units};
use crate::indexer::document::Document;
use crate::text::stop_words::is_stop_word;
use std::collections::{BTreeMap, HashMap};

/// A name before it is known whether it becomes an entity.
#[derive(Default)]
pub(super) struct Candidate {
    pub(super) surfaces: BTreeMap<String, usize>,
    pub(super) kinds: BTreeMap<Kind, usize>,
    pub(super) strong: bool,
    /// The label of a speaker or the name of an author.
    pub(super) labelled: bool,
    /// Seen within a sentence, with a capital that only a name has.
    pub(super) named: bool,
    /// Some clue other than the start of a sentence.
    pub(super) seen_inside: bool,
    /// Read off capitals only: lower-case mentions of it are the common word.
    pub(super) capitals_only: bool,
    /// Other canonical names of it, with their words joined otherwise.
    pub(super) spellings: Vec<String>,
}

impl Candidate {
    /// Takes in the same name with its words joined otherwise.
    fn take_in(&mut self, key: String, other: Self) {
        for (surface, n) in other.surfaces {
            *self.surfaces.entry(surface).or_default() += n;
        }
        for (kind, n) in other.kinds {
            *self.kinds.entry(kind).or_default() += n;
        }
        self.strong |= other.strong;
        self.labelled |= other.labelled;
        self.named |= other.named;
        self.seen_inside |= other.seen_inside;
        self.capitals_only &= other.capitals_only;
        self.spellings.push(key);
    }
}

pub(super) type Candidates = BTreeMap<String, Candidate>;

/// Every name that a text might mean, by its canonical form.
pub(super) fn collect(
    documents: &[Document],
    lines: &[Line<'_>],
    n_sections: usize,
    options: &ExtractOptions,
) -> Candidates {
    let mut candidates = Candidates::new();
    let site = Words::of(lines);
    for document in documents {
        note_marked(document, &site, &mut candidates);
    }
    let mut found = Vec::new();
    for line in lines {
        note_written(line, &site, &mut found, &mut candidates);
    }
    for run in cjk::frequent_runs(lines.iter().map(|line| line.text), 3) {
        let kind = names::kind_of(&run, false, &site);
        note(&mut candidates, Found::new(run, kind, Clue::Weak), false);
    }
    for word in rare_words(lines, n_sections, options.rare_share) {
        let found = Found::new(word, Kind::Concept, Clue::Weak);
        note(&mut candidates, found, false);
    }
    candidates.retain(|_, candidate| candidate.strong || candidate.seen_inside);
    candidates
}

/// The candidates, those of one name with its words joined otherwise (`oauth`, `OAuth`) in one, under the spelling that
/// was noticed most.
pub(super) fn met(candidates: Candidates) -> Candidates {
    let mut by_name: BTreeMap<String, Vec<(String, Candidate)>> = BTreeMap::new();
    for (key, candidate) in candidates {
        let same = by_name.entry(joined(&key)).or_default();
        same.push((key, candidate));
    }
    let one = |mut same: Vec<(String, Candidate)>| {
        let n_seen = |candidate: &Candidate| candidate.surfaces.values().sum::<usize>();
        same.sort_by_key(|(_, candidate)| std::cmp::Reverse(n_seen(candidate)));
        let mut same = same.into_iter();
        let (key, mut usual) = same.next().expect("a name that was noticed");
        same.for_each(|(key, other)| usual.take_in(key, other));
        (key, usual)
    };
    by_name.into_values().map(one).collect()
}

/// Counts one clue for a name; `capital` when it was read off capitals.
fn note(candidates: &mut Candidates, found: Found, capital: bool) {
    let key = canonical(&found.surface);
    let n_units = name_units(&key).len();
    if n_units == 0 || n_units > MAX_UNITS || is_stop_word(&key) || key.chars().count() < 2 {
        return;
    }
    let candidate = candidates.entry(key).or_insert_with(|| Candidate {
        capitals_only: true,
        ..Candidate::default()
    });
    *candidate.surfaces.entry(found.surface).or_default() += 1;
    *candidate.kinds.entry(found.kind).or_default() += 1;
    candidate.strong |= matches!(found.clue, Clue::Label | Clue::Strong);
    candidate.labelled |= found.clue == Clue::Label;
    candidate.named |= found.clue == Clue::Named;
    candidate.seen_inside |= found.clue != Clue::Initial;
    candidate.capitals_only &= capital && n_units == 1;
}

/// Names that a document marks as such: titles, link texts, keywords, authors, headings.
fn note_marked(document: &Document, site: &Words, candidates: &mut Candidates) {
    let links = document.links.iter().map(|link| link.text.as_str());
    let keywords = document.keywords.iter().map(String::as_str);
    let headings = document.sections.iter().map(|s| s.heading.as_str());
    let headings = headings.filter(|heading| !heading.is_empty());
    let marked = [document.title.as_str()].into_iter().chain(links);
    for surface in marked.chain(keywords).chain(headings) {
        let kind = names::kind_of(surface, false, site);
        let found = Found::new(surface.trim().to_owned(), kind, Clue::Strong);
        note(candidates, found, false);
    }
    let authors = document.tags.iter();
    for author in authors.filter_map(|tag| tag.strip_prefix("author=")) {
        let found = Found::new(author.to_owned(), Kind::Person, Clue::Label);
        note(candidates, found, false);
    }
}

/// Names in a line of text, its speaker among them. `found` is empty before and after.
fn note_written(
    line: &Line<'_>,
    site: &Words,
    found: &mut Vec<Found>,
    candidates: &mut Candidates,
) {
    if let Some(speaker) = line.speaker {
        let found = Found::new(speaker.to_owned(), Kind::Person, Clue::Label);
        note(candidates, found, false);
    }
    let spoken = line.speaker.map_or(line.text, |label| {
        line.text[label.len()..].trim_start_matches([':', '：', ' '])
    });
    for sentence in names::sentences(spoken) {
        names::find(sentence, site, line.nouns_have_capitals, found);
    }
    for found in found.drain(..) {
        let capital = match found.kind {
            Kind::Concept | Kind::Location | Kind::Person => true,
            Kind::Date => !found.surface.contains(char::is_numeric),
            Kind::Quantity | Kind::Code | Kind::Organization => false,
        };
        note(candidates, found, capital);
    }
}

/// Lower-case words of four letters and more in at least two sections and at most `share` of them.
fn rare_words(lines: &[Line<'_>], n_sections: usize, share: f64) -> Vec<String> {
    let max = if share > 0.0 {
        ((n_sections as f64 * share) as usize).max(2)
    } else {
        0
    };
    let mut sections: HashMap<String, (u32, usize)> = HashMap::new();
    for line in lines {
        for unit in name_units(&canonical(line.text)) {
            let is_word = unit.text.len() >= 4 && unit.text.chars().all(char::is_alphabetic);
            if unit.is_character || !is_word || is_stop_word(&unit.text) {
                continue;
            }
            let (last, n) = sections.entry(unit.text).or_insert((u32::MAX, 0));
            *n += usize::from(*last != line.chunk);
            *last = line.chunk;
        }
    }
    let mut rare: Vec<String> = sections
        .into_iter()
        .filter(|(_, (_, n))| (2..=max).contains(n))
        .map(|(word, _)| word)
        .collect();
    rare.sort_unstable();
    rare
}
