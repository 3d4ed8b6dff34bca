//! Words of the language that the site's dictionary lacks, in parts that only a question with such a word fetches.
//!
//! A word brings its vector, or is a form of a word that the site has and leads to its stem there. Its forms share one
//! vector, that of the commonest.

use super::lexicon::{Lexicon, Surface, english_stem};
use super::meaning::Meaning;
use super::postings::PackedStem;
use super::static_table::StaticTable;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Words of the table that always count as meant, by rank. A rarer one is left out where the site has a word that differs
/// by a letter: *organise* on a site that writes *organize* is corrected.
const COMMON: usize = 5_000;
/// Shorter words differ by a letter from too many others.
const SHORTEST_NEAR: usize = 6;

/// General words, apart from the dictionary.
#[derive(Default)]
pub struct General {
    /// The words whose stems are not the site's, and these stems.
    pub lexicon: Lexicon,
    /// The stems with their vectors.
    pub stems: Vec<PackedStem>,
    /// Words that the site has in other forms, with their stem's number in the dictionary.
    pub forms: Vec<(String, usize)>,
}

impl General {
    /// The first `n` words of the table that `site` does not have. Deterministic; O(words · dimensions).
    pub fn new(site: &Lexicon, meaning: Option<&Meaning>, n: usize) -> Self {
        let own = site.surfaces.iter().filter(|s| s.count > 0 && !s.whole);
        let own: HashMap<String, u32> = own.map(|s| (english_stem(&s.term), s.stem)).collect();
        let mut general = Self::default();
        // Every word once, and the stem that it belongs to.
        let mut words: BTreeMap<&str, String> = BTreeMap::new();
        let mut commonest: HashMap<String, &str> = HashMap::new();
        let mut rare: Vec<&str> = Vec::new();
        for (rank, word) in StaticTable::words().take(n).enumerate() {
            let known = site
                .surfaces
                .binary_search_by(|s| s.term.as_str().cmp(word));
            if known.is_ok() || words.contains_key(word) {
                continue;
            }
            let stem = english_stem(word);
            match own.get(&stem) {
                Some(&stem) => general.forms.push((word.to_owned(), stem as usize)),
                None => {
                    if rank >= COMMON && word.len() >= SHORTEST_NEAR {
                        rare.push(word);
                    }
                    commonest.entry(stem.clone()).or_insert(word);
                    words.insert(word, stem);
                }
            }
        }
        general.forms.sort_unstable();
        general.forms.dedup();
        let near = near(&rare, site);
        words.retain(|word, _| !near.contains(word));
        general.unite(words, &commonest, meaning);
        general
    }

    /// Numbers the stems in the order of their first words.
    fn unite(
        &mut self,
        words: BTreeMap<&str, String>,
        commonest: &HashMap<String, &str>,
        meaning: Option<&Meaning>,
    ) {
        let mut number_of: HashMap<String, u32> = HashMap::new();
        let mut said: Vec<&str> = Vec::new();
        for (word, stem) in words {
            let n_stems = number_of.len() as u32;
            let number = *number_of.entry(stem.clone()).or_insert(n_stems);
            if number == n_stems {
                said.push(commonest[&stem]);
                self.lexicon.stems.push(Vec::new());
            }
            self.lexicon.stems[number as usize].push(self.lexicon.surfaces.len() as u32);
            self.lexicon.surfaces.push(Surface {
                term: word.to_owned(),
                stem: number,
                count: 0,
                whole: false,
                is_function: false,
            });
        }
        let space = meaning.and_then(|m| m.space.as_ref());
        let table = StaticTable::embedded();
        let vector = |word: &&str| Some(space?.project(&table.word(word)?));
        let stems = said.par_iter().map(|word| PackedStem {
            vector: vector(word),
            ..PackedStem::default()
        });
        self.stems = stems.collect();
    }
}

/// Those of `words` from which a word of the site differs by a letter or two swapped ones. O(letters of both).
fn near<'w>(words: &[&'w str], site: &Lexicon) -> HashSet<&'w str> {
    let mut shorter: HashMap<String, Vec<&str>> = HashMap::new();
    for word in words {
        for form in without_a_letter(word) {
            shorter.entry(form).or_default().push(word);
        }
    }
    let own = site.surfaces.iter().filter(|s| s.count > 0);
    let own = own.filter(|s| s.term.is_ascii() && s.term.len() >= SHORTEST_NEAR - 1);
    let forms = own.flat_map(|s| without_a_letter(&s.term));
    let near = forms.filter_map(|form| shorter.get(&form));
    near.flatten().copied().collect()
}

/// An ASCII word, and what is left of it without each of its letters: two words that differ by a letter share one.
fn without_a_letter(word: &str) -> impl Iterator<Item = String> {
    let cut = (0..word.len()).map(|i| [&word[..i], &word[i + 1..]].concat());
    std::iter::once(word.to_owned()).chain(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::document::{Document, DocumentSection};
    use crate::indexer::lexicon::Terms;
    use crate::indexer::prepare::prepare;

    #[test]
    fn words_of_the_language_are_forms_of_the_sites_or_their_own_or_corrected() {
        let section = DocumentSection {
            text: "Organize authenticated modules.".into(),
            weight: 1.0,
            ..Default::default()
        };
        let document = Document {
            path: "p.md".into(),
            title: "T".into(),
            language: Some("en".into()),
            weight: 1.0,
            sections: vec![section],
            ..Default::default()
        };
        let mut terms = Terms::default();
        terms.count(&mut prepare(document, &Default::default()));
        let site = terms.into_lexicon(&mut [], &[], |_| false);
        let general = General::new(&site, None, usize::MAX);
        let has = |word: &str| general.lexicon.surfaces.iter().any(|s| s.term == word);
        let stem_of = |word: &str| {
            let form = general.forms.iter().find(|(form, _)| form == word);
            form.map(|&(_, stem)| stem)
        };
        let own = site.surfaces.iter().find(|s| s.term == "authenticated");
        assert_eq!(stem_of("authentication"), own.map(|s| s.stem as usize));
        assert!(has("laptop") && !has("authentication") && !has("modules"));
        assert!(!has("organise"), "one letter from a word of the site");
        let n_stems = general.lexicon.stems.len();
        assert!(n_stems < general.lexicon.surfaces.len() && n_stems == general.stems.len());
        assert_eq!(General::new(&site, None, 0).stems.len(), 0);
    }
}
