//! All surfaces of the input and the stems that unite them.

use super::prepare::Prepared;
use crate::text::is_gram;
use rust_stemmers::{Algorithm, Stemmer};
use std::collections::{BTreeMap, HashMap};

/// A surface of the whole input.
#[derive(Debug, Clone)]
pub struct Surface {
    /// The term.
    pub term: String,
    /// Its stem.
    pub stem: u32,
    /// How often it occurs.
    pub count: u64,
    /// Whether it is mostly an identifier as a whole: not stemmed, no vector of its own.
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

#[derive(Default, Clone)]
struct Seen {
    plain: u64,
    whole: u64,
    languages: BTreeMap<u8, u64>,
}

impl Lexicon {
    /// Gathers the words of all documents, and of `general`: words that no document need have, which bring forms of
    /// known stems. Deterministic: depends on the documents and their order only.
    pub fn new(documents: &[&Prepared], general: &[&'static str]) -> Self {
        let mut languages: Vec<&str> = documents.iter().map(|d| d.language.as_str()).collect();
        languages.sort_unstable();
        languages.dedup();
        let mut index: HashMap<&str, u32> = HashMap::new();
        let mut seen: Vec<(&str, Seen)> = Vec::new();
        let mut of_document: Vec<Vec<u32>> = Vec::with_capacity(documents.len());
        for document in documents {
            let language = languages
                .binary_search(&document.language.as_str())
                .expect("collected above") as u8;
            let ids = document.words.iter().map(|word| {
                let id = *index.entry(word.term.as_str()).or_insert_with(|| {
                    seen.push((word.term.as_str(), Seen::default()));
                    seen.len() as u32 - 1
                });
                let s = &mut seen[id as usize].1;
                s.plain += u64::from(word.plain);
                s.whole += u64::from(word.whole);
                *s.languages.entry(language).or_default() += 1;
                id
            });
            of_document.push(ids.collect());
        }
        if let Ok(english) = languages.binary_search(&"en") {
            for word in general {
                index.entry(word).or_insert_with(|| {
                    let languages = BTreeMap::from([(english as u8, 1)]);
                    seen.push((
                        word,
                        Seen {
                            languages,
                            ..Seen::default()
                        },
                    ));
                    seen.len() as u32 - 1
                });
            }
        }
        let mut order: Vec<u32> = (0..seen.len() as u32).collect();
        order.sort_unstable_by_key(|&i| seen[i as usize].0);
        let mut rank = vec![0u32; seen.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        of_document
            .iter_mut()
            .flatten()
            .for_each(|id| *id = rank[*id as usize]);
        let stemmers: Vec<Option<Stemmer>> = languages
            .iter()
            .map(|l| algorithm(l).map(Stemmer::create))
            .collect();
        let mut surfaces = Vec::with_capacity(seen.len());
        let mut number_of: HashMap<String, u32> = HashMap::new();
        let mut stems: Vec<Vec<u32>> = Vec::new();
        for (i, &old) in order.iter().enumerate() {
            let (term, s) = &seen[old as usize];
            let whole = s.whole > s.plain;
            let language = s
                .languages
                .iter()
                .max_by_key(|&(l, n)| (n, std::cmp::Reverse(l)))
                .map_or(0, |(l, _)| *l);
            let stem = if whole {
                (*term).to_owned()
            } else {
                stem(stemmers[usize::from(language)].as_ref(), term)
            };
            let stem = *number_of.entry(stem).or_insert_with(|| {
                stems.push(Vec::new());
                stems.len() as u32 - 1
            });
            stems[stem as usize].push(i as u32);
            surfaces.push(Surface {
                term: (*term).to_owned(),
                stem,
                count: s.plain + s.whole,
                whole,
            });
        }
        Self {
            surfaces,
            stems,
            of_document,
        }
    }
}

/// Common words of the language that the site may not have: they bring forms of its stems, and vectors.
pub fn general_words(documents: &[Prepared], own: &str, single: bool) -> Vec<&'static str> {
    let written = documents.iter().filter(|d| !d.language.is_empty());
    let english = written.clone().filter(|d| d.language == "en").count();
    let is_english = match own.split('-').next() {
        Some("") | None => english * 2 >= written.count(),
        Some(own) => own == "en",
    };
    if !is_english {
        return Vec::new();
    }
    // About 30 bytes a word. In one file everybody pays for all of them; in parts only for the ones asked for.
    let n = if single { 1_000 } else { 5_000 };
    include_str!("static_table/general-words.txt")
        .lines()
        .take(n)
        .collect()
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
        let lexicon = Lexicon::new(&pages.iter().collect::<Vec<_>>(), &["compiles"]);
        let stem = |t: &str| lexicon.surfaces.iter().find(|s| s.term == t).unwrap().stem;
        assert_eq!(stem("compile"), stem("compiling"));
        assert_eq!(
            stem("compile"),
            stem("compiles"),
            "a form that only the general words have"
        );
        assert_ne!(stem("compile"), stem("compileall"));
        assert!(
            lexicon
                .surfaces
                .iter()
                .any(|s| s.term == "compileall" && s.whole)
        );
        assert!(lexicon.surfaces.windows(2).all(|w| w[0].term < w[1].term));
    }
}
