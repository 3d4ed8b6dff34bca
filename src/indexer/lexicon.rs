//! All surfaces of the input and the stems that unite them.

use super::prepare::Prepared;
use crate::text::is_gram;
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The language of the general words.
pub const ENGLISH: &str = "en";

/// A surface of the whole input.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Folded, in lower case.
    pub term: String,
    /// Index into [`Lexicon::stems`].
    pub stem: u32,
    /// Number of occurrences.
    pub count: u64,
    /// Mostly an identifier as a whole: not stemmed, no vector of its own.
    pub whole: bool,
}

/// Surfaces in order, and the stems they form, in order of each stem's first surface.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// Ascending.
    pub surfaces: Vec<Surface>,
    /// Surfaces of each stem, ascending.
    pub stems: Vec<Vec<u32>>,
    /// For every document, its words' surfaces.
    pub of_document: Vec<Vec<u32>>,
}

/// Counts of a term over the whole input.
#[derive(Default, Clone)]
struct Seen<'a> {
    term: &'a str,
    plain: u64,
    whole: u64,
    /// Documents of each language.
    languages: BTreeMap<u8, u64>,
}

impl Seen<'_> {
    /// Mostly an identifier as a whole.
    fn is_whole(&self) -> bool {
        self.whole > self.plain
    }

    /// The language of most documents that have the term; of two, the first.
    fn language(&self) -> usize {
        let counts = self.languages.iter();
        let most = counts.max_by_key(|&(l, n)| (n, std::cmp::Reverse(l)));
        most.map_or(0, |(l, _)| usize::from(*l))
    }

    /// Its stem; an identifier as a whole is its own.
    fn stem(&self, stemmers: &[Option<Stemmer>]) -> String {
        match self.is_whole() {
            true => self.term.to_owned(),
            false => stem(stemmers[self.language()].as_ref(), self.term),
        }
    }
}

/// Terms in the order in which they are met.
#[derive(Default)]
struct Terms<'a> {
    index: HashMap<&'a str, u32>,
    seen: Vec<Seen<'a>>,
}

impl<'a> Terms<'a> {
    fn number(&mut self, term: &'a str) -> u32 {
        *self.index.entry(term).or_insert_with(|| {
            self.seen.push(Seen {
                term,
                ..Seen::default()
            });
            self.seen.len() as u32 - 1
        })
    }

    /// Counts the words of a document; returns their numbers.
    fn count(&mut self, document: &'a Prepared, language: u8) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(document.words.len());
        for word in &document.words {
            let number = self.number(&word.term);
            let seen = &mut self.seen[number as usize];
            seen.plain += u64::from(word.plain);
            seen.whole += u64::from(word.whole);
            *seen.languages.entry(language).or_default() += 1;
            numbers.push(number);
        }
        numbers
    }

    /// Adds words that no document has.
    fn add_general(&mut self, words: impl Iterator<Item = &'a str>, language: u8) {
        for word in words {
            let number = self.number(word);
            let seen = &mut self.seen[number as usize];
            if seen.languages.is_empty() {
                seen.languages.insert(language, 1);
            }
        }
    }

    /// Numbers of the terms in alphabetical order.
    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.seen.len() as u32).collect();
        order.sort_unstable_by_key(|&i| self.seen[i as usize].term);
        order
    }
}

impl Lexicon {
    /// Gathers the words of all documents, and those of `general` that `keep` wants or that are other forms of a
    /// document's. Deterministic: depends on the documents and their order only.
    pub fn new(documents: &[&Prepared], general: &[&'static str], keep: fn(&str) -> bool) -> Self {
        let mut languages: Vec<&str> = documents.iter().map(|d| d.language.as_str()).collect();
        languages.sort_unstable();
        languages.dedup();
        let mut terms = Terms::default();
        let mut of_document: Vec<Vec<u32>> = Vec::with_capacity(documents.len());
        for document in documents {
            let language = languages.binary_search(&document.language.as_str());
            let language = language.expect("collected above") as u8;
            of_document.push(terms.count(document, language));
        }
        let stemmers = languages.iter().map(|l| algorithm(l).map(Stemmer::create));
        let stemmers: Vec<Option<Stemmer>> = stemmers.collect();
        if let Ok(english) = languages.binary_search(&ENGLISH) {
            let stems: HashSet<String> = terms.seen.iter().map(|s| s.stem(&stemmers)).collect();
            let is_form = |word: &str| stems.contains(&stem(stemmers[english].as_ref(), word));
            let wanted = general.iter().filter(|word| keep(word) || is_form(word));
            terms.add_general(wanted.copied(), english as u8);
        }
        let order = terms.order();
        let mut rank = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        for number in of_document.iter_mut().flatten() {
            *number = rank[*number as usize];
        }
        let in_order = order.iter().map(|&old| &terms.seen[old as usize]);
        let (surfaces, stems) = unite(in_order, &stemmers);
        Self {
            surfaces,
            stems,
            of_document,
        }
    }
}

/// Surfaces of terms in alphabetical order, and the stems that unite them.
fn unite<'a>(
    terms: impl Iterator<Item = &'a Seen<'a>>,
    stemmers: &[Option<Stemmer>],
) -> (Vec<Surface>, Vec<Vec<u32>>) {
    let mut surfaces: Vec<Surface> = Vec::new();
    let mut number_of: HashMap<String, u32> = HashMap::new();
    let mut stems: Vec<Vec<u32>> = Vec::new();
    for seen in terms {
        let stem = *number_of.entry(seen.stem(stemmers)).or_insert_with(|| {
            stems.push(Vec::new());
            stems.len() as u32 - 1
        });
        stems[stem as usize].push(surfaces.len() as u32);
        surfaces.push(Surface {
            term: seen.term.to_owned(),
            stem,
            count: seen.plain + seen.whole,
            whole: seen.is_whole(),
        });
    }
    (surfaces, stems)
}

/// True if the general words, which are English, are of use to a site: to most of its documents, or by its own word.
pub fn is_english(documents: &[Prepared], own: &str) -> bool {
    let written = documents.iter().filter(|d| !d.language.is_empty());
    let english = written.clone().filter(|d| d.language == "en").count();
    match own.split('-').next() {
        Some("") | None => english * 2 >= written.count(),
        Some(own) => own == "en",
    }
}

/// The stem of an English word.
pub fn english_stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// The stem of an ordinary word; terms with digits or of unspaced scripts are their own.
fn stem(stemmer: Option<&Stemmer>, term: &str) -> String {
    match stemmer {
        Some(stemmer) if term.chars().all(char::is_alphabetic) && !is_gram(term) => {
            stemmer.stem(term).into_owned()
        }
        _ => term.to_owned(),
    }
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::document::{Document, DocumentSection};
    use crate::indexer::prepare::prepare;

    fn page(language: &str, text: &str) -> Prepared {
        let document = Document {
            path: "p.md".into(),
            title: "T".into(),
            language: Some(language.into()),
            weight: 1.0,
            sections: vec![DocumentSection {
                text: text.into(),
                weight: 1.0,
                ..Default::default()
            }],
            ..Default::default()
        };
        prepare(document, &Default::default())
    }

    #[test]
    fn forms_of_a_word_share_a_group_and_identifiers_do_not() {
        let pages = [
            page("en", "compile compiled compiling CompileAll"),
            page("de", "Häuser Haus"),
        ];
        let lexicon = Lexicon::new(
            &pages.iter().collect::<Vec<_>>(),
            &["compiles", "laptop", "whom"],
            |w| w == "whom",
        );
        let stem = |t: &str| lexicon.surfaces.iter().find(|s| s.term == t).unwrap().stem;
        assert_eq!(stem("compile"), stem("compiling"));
        assert_eq!(
            stem("compile"),
            stem("compiles"),
            "a form that only the general words have"
        );
        assert_ne!(stem("compile"), stem("compileall"));
        let has = |t: &str| lexicon.surfaces.iter().any(|s| s.term == t);
        assert!(has("whom") && !has("laptop"));
        assert!(
            lexicon
                .surfaces
                .iter()
                .any(|s| s.term == "compileall" && s.whole)
        );
        assert!(lexicon.surfaces.windows(2).all(|w| w[0].term < w[1].term));
    }
}
