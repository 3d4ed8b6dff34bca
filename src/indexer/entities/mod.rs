//! The entity graph of a site by rules, with no model: who and what is named, where, and what stands together.
//!
//! Two passes. The first collects names (labels, headings, link texts, identifiers, capitals, quotes, dates, quantities,
//! frequent runs of characters, rare words); the second finds every mention of them, longest first, and counts which
//! stand in one line. Deterministic: entities are numbered in order of their canonical names.
//! Source: spec minirag §1.4.

mod assemble;
mod cjk;
mod mentions;
mod names;

pub use names::Kind;

use super::document::Document;
use crate::graph::{EntityGraph, MAX_NEIGHBORS, canonical, joined, name_units};
use crate::text::stop_words::{is_cjk, is_stop_word};
use assemble::assemble;
use mentions::find_mentions;
use names::{Clue, Found};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    let mentions = find_mentions(&lines, &candidates, &BTreeMap::new());
    let mut kept = keep(&lines, &candidates, &mentions, options).into_iter();
    candidates.retain(|_, _| kept.next() == Some(true));
    // A part of one person's name means that person, unless it was named by a sure clue of its own.
    let mut short = short_names(&candidates);
    short.retain(|part, _| candidates.get(part).is_none_or(|own| !own.strong));
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
        for section in &document.sections {
            for line in std::iter::once(section.heading.as_str()).chain(section.text.lines()) {
                let line = line.trim();
                if !line.is_empty() {
                    let speaker = if is_dialogue {
                        names::speaker(line)
                    } else {
                        None
                    };
                    out.push(Line {
                        chunk,
                        text: line,
                        speaker,
                    });
                }
            }
            chunk += 1;
        }
    }
    out
}

/// A name before it is known whether it becomes an entity.
#[derive(Default)]
struct Candidate {
    surfaces: BTreeMap<String, usize>,
    kinds: BTreeMap<Kind, usize>,
    strong: bool,
    /// Some clue other than the start of a sentence.
    seen_inside: bool,
    /// Read off capitals only: lower-case mentions of it are the common word.
    capitals_only: bool,
    /// Other canonical names of it, with their words joined otherwise.
    spellings: Vec<String>,
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
        self.seen_inside |= other.seen_inside;
        self.capitals_only &= other.capitals_only;
        self.spellings.push(key);
    }
}

type Candidates = BTreeMap<String, Candidate>;

/// Every name that a text might mean, by its canonical form.
fn collect(
    documents: &[Document],
    lines: &[Line<'_>],
    n_sections: usize,
    options: &ExtractOptions,
) -> Candidates {
    let mut candidates = Candidates::new();
    for document in documents {
        note_marked(document, &mut candidates);
    }
    let mut found = Vec::new();
    for line in lines {
        note_written(line, &mut found, &mut candidates);
    }
    for run in cjk::frequent_runs(lines.iter().map(|line| line.text), 3) {
        let kind = names::kind_of(&run, "");
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
fn met(candidates: Candidates) -> Candidates {
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
    candidate.strong |= found.clue == Clue::Strong;
    candidate.seen_inside |= found.clue != Clue::Initial;
    candidate.capitals_only &= capital && n_units == 1;
}

/// Names that a document marks as such: titles, link texts, keywords, authors, headings.
fn note_marked(document: &Document, candidates: &mut Candidates) {
    let links = document.links.iter().map(|link| link.text.as_str());
    let keywords = document.keywords.iter().map(String::as_str);
    let headings = document.sections.iter().map(|s| s.heading.as_str());
    let headings = headings.filter(|heading| !heading.is_empty());
    let marked = [document.title.as_str()].into_iter().chain(links);
    for surface in marked.chain(keywords).chain(headings) {
        let kind = names::kind_of(surface, "");
        let found = Found::new(surface.trim().to_owned(), kind, Clue::Strong);
        note(candidates, found, false);
    }
    let authors = document.tags.iter();
    for author in authors.filter_map(|tag| tag.strip_prefix("author=")) {
        let found = Found::new(author.to_owned(), Kind::Person, Clue::Strong);
        note(candidates, found, false);
    }
}

/// Names in a line of text, its speaker among them. `found` is empty before and after.
fn note_written(line: &Line<'_>, found: &mut Vec<Found>, candidates: &mut Candidates) {
    if let Some(speaker) = line.speaker {
        let found = Found::new(speaker.to_owned(), Kind::Person, Clue::Strong);
        note(candidates, found, false);
    }
    let spoken = line.speaker.map_or(line.text, |label| {
        line.text[label.len()..].trim_start_matches([':', '：', ' '])
    });
    for sentence in sentences(spoken) {
        names::find(sentence, found);
    }
    for found in found.drain(..) {
        let capital = matches!(found.kind, Kind::Concept | Kind::Location | Kind::Person);
        note(candidates, found, capital);
    }
}

/// Cuts a line after full stops, question and exclamation marks.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['。', '！', '？'])
        .flat_map(|part| part.split_inclusive(". "))
        .flat_map(|part| part.split_inclusive("! "))
        .flat_map(|part| part.split_inclusive("? "))
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

/// Type of a candidate: the surest clue that makes up a third of all. A label beats capitals, one "in Alice" does not.
fn kind_of(candidate: &Candidate) -> Kind {
    let total: usize = candidate.kinds.values().sum();
    candidate
        .kinds
        .iter()
        .find(|(_, n)| **n * 3 >= total)
        .map_or(Kind::Concept, |(kind, _)| *kind)
}

/// True for candidates that occur often enough for their clues, and not everywhere.
fn keep(
    lines: &[Line<'_>],
    candidates: &Candidates,
    mentions: &[Vec<u32>],
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
        sections.len() >= needed && !is_common
    };
    candidates.iter().zip(&seen).map(is_kept).collect()
}

/// True for a name that one document is enough for: its place in a sentence or its ending says what it is, or it stands in
/// several lines. A frequent run of Chinese characters, a date and a number do not.
fn is_sure(key: &str, candidate: &Candidate, n_lines: usize) -> bool {
    match kind_of(candidate) {
        Kind::Person | Kind::Organization | Kind::Location => true,
        Kind::Concept => n_lines >= SURE_LINES && !key.chars().any(is_cjk),
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
mod tests {
    use super::*;
    use crate::graph::Entity;
    use crate::indexer::document::{DocumentSection, Link};

    fn document(title: &str, sections: &[(&str, &str)]) -> Document {
        let section = |(heading, text): &(&str, &str)| DocumentSection {
            heading: (*heading).into(),
            text: (*text).into(),
            ..DocumentSection::default()
        };
        Document {
            title: title.into(),
            sections: sections.iter().map(section).collect(),
            ..Document::default()
        }
    }

    fn chat() -> Vec<Document> {
        vec![
            document(
                "20260121",
                &[(
                    "",
                    "Time: 20260121\nWolfgangSchulz: Hi LiHua, the bakery in Oslo opens at 10:00.\nLiHua: Great, see you there!",
                )],
            ),
            document(
                "20260122",
                &[(
                    "",
                    "LiHua: I met Wolfgang Schulz again.\nJenniferMoore: In Oslo?\nLiHua: Yes, in Oslo near the bakery.",
                )],
            ),
        ]
    }

    fn of<'a>(graph: &'a EntityGraph, alias: &str) -> Option<(u32, &'a Entity)> {
        graph
            .by_alias(alias)
            .first()
            .map(|&number| (number, &graph.entities()[number as usize]))
    }

    #[test]
    fn speakers_are_people_under_every_spelling() {
        let graph = extract(&chat(), &ExtractOptions::default());
        let (wolfgang, entity) = of(&graph, "wolfgang schulz").expect("a speaker");
        assert_eq!(graph.type_of(wolfgang), "PERSON");
        assert_eq!((&entity.chunks[..], entity.texts.len()), (&[0, 1][..], 0));
        assert_eq!(entity.name, "Wolfgang Schulz");
        assert_eq!(of(&graph, "wolfgang").expect("the first name").0, wolfgang);
        let (lihua, _) = of(&graph, "li hua").expect("a speaker");
        let relation = graph
            .relation_between(wolfgang, lihua)
            .expect("they stand in two lines");
        assert_eq!(graph.relations()[relation as usize].chunks, [0, 1]);
        assert!(
            graph.relations()[relation as usize]
                .text
                .contains("the bakery in Oslo")
        );
        let (oslo, _) = of(&graph, "oslo").expect("a place");
        assert_eq!(graph.type_of(oslo), "LOCATION");
        assert!(of(&graph, "great").is_none() && of(&graph, "yes").is_none());
    }

    #[test]
    fn a_name_of_one_document_is_one_where_it_is_sure() {
        let texts = "I met Alice. Alice likes the Blue Lantern, and lives near Bergen.\nWe thank Alice. Perhaps Bob knows.";
        let pages = [
            document("notes", &[("", texts)]),
            document("other", &[("", "Nothing of the kind.")]),
        ];
        let graph = extract(&pages, &ExtractOptions::default());
        for (name, kind) in [("alice", "CONCEPT"), ("bergen", "LOCATION")] {
            let (number, _) = of(&graph, name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(graph.type_of(number), kind, "{name}");
        }
        // Named once, with nothing that says what they are.
        assert!(of(&graph, "bob").is_none() && of(&graph, "blue lantern").is_none());
    }

    #[test]
    fn the_same_documents_give_the_same_graph() {
        assert_eq!(
            extract(&chat(), &ExtractOptions::default()),
            extract(&chat(), &ExtractOptions::default())
        );
    }

    #[test]
    fn headings_links_and_identifiers_are_names() {
        let mut page = document(
            "Memory management",
            &[
                ("Smart pointers", "Use unique_ptr or make_unique() here."),
                ("Other", "A smart pointer owns."),
            ],
        );
        page.links.push(Link {
            path: "x.md".into(),
            text: "Resource acquisition".into(),
        });
        let second = document(
            "Files",
            &[(
                "",
                "Plain files close themselves through resource acquisition and unique_ptr.",
            )],
        );
        let graph = extract(&[page, second], &ExtractOptions::default());
        let (code, entity) = of(&graph, "unique ptr").expect("an identifier");
        assert_eq!(
            (graph.type_of(code), &entity.chunks[..]),
            ("CODE", &[0, 2][..])
        );
        assert_eq!(
            of(&graph, "smart pointers").expect("a heading").1.chunks,
            [0]
        );
        assert_eq!(
            of(&graph, "resource acquisition")
                .expect("a link text")
                .1
                .chunks,
            [2]
        );
        assert!(of(&graph, "plain").is_none());
    }

    #[test]
    fn a_name_is_one_entity_wherever_its_words_end() {
        let pages = [
            document("OAuth", &[("", "The OAuth flow begins here.")]),
            document("Login", &[("", "Use oauth for the login.")]),
            document("Setup", &[("oauth settings", "Of the o auth flow.")]),
        ];
        let graph = extract(&pages, &ExtractOptions::default());
        let named = graph.by_alias("oauth");
        assert_eq!(named.len(), 1, "{:?}", graph.entities());
        let entity = &graph.entities()[named[0] as usize];
        assert_eq!(
            (entity.name.as_str(), &entity.chunks[..]),
            ("OAuth", &[0, 1, 2][..])
        );
    }

    #[test]
    fn a_common_word_at_the_start_of_a_sentence_is_no_name() {
        let pages = [
            document(
                "a",
                &[
                    ("", "Bread is good. Bread rises."),
                    ("", "Some bread. Rust is a language by Mozilla."),
                ],
            ),
            document(
                "b",
                &[("", "They use Rust at Mozilla. The rust on iron is red.")],
            ),
        ];
        let options = ExtractOptions {
            rare_share: 0.0,
            ..ExtractOptions::default()
        };
        let graph = extract(&pages, &options);
        assert!(of(&graph, "bread").is_none());
        assert_eq!(
            of(&graph, "rust")
                .expect("capitalised inside a sentence")
                .1
                .chunks,
            [1, 2]
        );
        assert!(of(&graph, "mozilla").is_some());
    }

    #[test]
    fn no_neighbor_list_is_longer_than_the_cap() {
        let text: String = (0..60)
            .map(|i| format!("Hub Station met Person{} Name{}\n", i, i))
            .collect();
        let pages = [document("a", &[("", &text), ("", &text)])];
        let graph = extract(
            &pages,
            &ExtractOptions {
                max_neighbors: 12,
                ..ExtractOptions::default()
            },
        );
        assert!(!graph.relations().is_empty());
        assert!(
            (0..graph.entities().len() as u32).all(|entity| graph.neighbors(entity).len() <= 12)
        );
    }
}
