//! All surfaces of the input and the stems that unite them.

use super::prepare::Prepared;
use super::words::PageWords;
use crate::text::{bare, folded, is_gram, is_katakana_word};
use foldhash::fast::RandomState;
use snowball_stemmers_rs::{Algorithm, Stemmer};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

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
    /// A function word of its language, which is not English.
    pub is_function: bool,
}

/// Surfaces in order, and the stems they form, in order of each stem's first surface.
#[derive(Debug, Default)]
pub struct Lexicon {
    /// Ascending.
    pub surfaces: Vec<Surface>,
    /// Surfaces of each stem, ascending.
    pub stems: Vec<Vec<u32>>,
    /// The stems of the two words that a compound consists of, by number of its surface.
    pub compounds: HashMap<u32, [u32; 2]>,
}

impl Lexicon {
    /// The stem of a surface, and those of the two words that it consists of.
    pub fn stems_of(&self, surface: u32) -> impl Iterator<Item = u32> {
        let words = self.compounds.get(&surface).copied();
        let own = self.surfaces[surface as usize].stem;
        std::iter::once(own).chain(words.into_iter().flatten())
    }
}

/// Counts of a term over the whole input.
#[derive(Default)]
struct Seen {
    plain: u64,
    whole: u64,
    /// Number of a language and of its documents that have the term; nearly all terms are in one language.
    first: (u16, u32),
    others: Vec<(u16, u32)>,
    /// Its spellings with marks, and their documents. Most terms have none.
    marked: Vec<(Box<str>, u32)>,
}

impl Seen {
    /// Mostly an identifier as a whole.
    fn is_whole(&self) -> bool {
        self.whole > self.plain
    }

    fn count(&mut self, language: u16) {
        if self.first.1 == 0 {
            self.first.0 = language;
        }
        if self.first.0 == language {
            self.first.1 += 1;
            return;
        }
        match self.others.iter_mut().find(|other| other.0 == language) {
            Some(other) => other.1 += 1,
            None => self.others.push((language, 1)),
        }
    }

    fn mark(&mut self, spelling: Box<str>) {
        match self.marked.iter_mut().find(|known| known.0 == spelling) {
            Some(known) => known.1 += 1,
            None => self.marked.push((spelling, 1)),
        }
    }

    /// The spelling that most documents have; of two, one with marks, the first in the alphabet.
    fn spelling<'t>(&'t self, term: &'t str) -> &'t str {
        let marked: u32 = self.marked.iter().map(|(_, n)| n).sum();
        let all: u32 = self
            .others
            .iter()
            .chain([&self.first])
            .map(|(_, n)| n)
            .sum();
        let most = self
            .marked
            .iter()
            .max_by_key(|(spelling, n)| (*n, Reverse(spelling)));
        match most {
            Some((spelling, n)) if *n >= all - marked => spelling,
            _ => term,
        }
    }
}

/// The terms of all documents, counted as they come.
#[derive(Default)]
pub struct Terms {
    numbers: HashMap<Box<str>, u32, RandomState>,
    seen: Vec<Seen>,
    /// As they are met.
    languages: Vec<String>,
}

impl Terms {
    /// Counts the words of a document, which gets their numbers in place of them. In whatever order documents come, the
    /// lexicon is the same.
    pub fn count(&mut self, document: &mut Prepared) {
        self.add(document, |_| true);
    }

    /// The same for a directory, after all documents. Nobody says its language, and a few titles do not tell it: languages
    /// and spellings of words are counted of pages, where a page has them.
    pub fn count_directory(&mut self, directory: &mut Prepared) {
        self.add(directory, |seen| seen.first.1 == 0);
    }

    fn add(&mut self, document: &mut Prepared, counts: fn(&Seen) -> bool) {
        let language = self.language(&document.language);
        let local = std::mem::take(&mut document.local).into_iter();
        let numbers = local.map(|word| {
            let number = self.number(word.term);
            let seen = &mut self.seen[number as usize];
            seen.plain += u64::from(word.plain);
            seen.whole += u64::from(word.whole);
            if counts(seen) {
                seen.count(language);
                let marked = word.marked.into_iter();
                marked.for_each(|spelling| seen.mark(spelling));
            }
            number
        });
        document.words.numbers = numbers.collect();
    }

    fn language(&mut self, tag: &str) -> u16 {
        let known = self.languages.iter().position(|known| known == tag);
        let number = known.unwrap_or_else(|| {
            self.languages.push(tag.to_owned());
            self.languages.len() - 1
        });
        number as u16
    }

    fn number(&mut self, term: impl AsRef<str> + Into<Box<str>>) -> u32 {
        if let Some(&number) = self.numbers.get(term.as_ref()) {
            return number;
        }
        let number = self.seen.len() as u32;
        self.numbers.insert(term.into(), number);
        self.seen.push(Seen::default());
        number
    }

    /// Adds those of `general` that `keep` wants or that are other forms of a document's.
    fn add_general(&mut self, stems: &Stems, general: &[&'static str], keep: fn(&str) -> bool) {
        let Some(english) = self.languages.iter().position(|l| l == ENGLISH) else {
            return;
        };
        let words = self.numbers.iter();
        let known: HashSet<Cow<'_, str>> = words
            .map(|(term, &number)| stems.stem(term, &self.seen[number as usize]))
            .collect();
        let stemmer = stems.stemmers[english].as_ref();
        let is_form = |word: &str| known.contains(stem(stemmer, word).as_ref());
        let wanted = general.iter().filter(|word| keep(word) || is_form(word));
        let wanted: Vec<&str> = wanted.copied().collect();
        for word in wanted {
            let number = self.number(word);
            let seen = &mut self.seen[number as usize];
            if seen.first.1 == 0 {
                seen.count(english as u16);
            }
        }
    }

    /// The lexicon of the documents, whose `words` get their numbers there, with those of `general` that `keep` wants or
    /// that are other forms of a document's. Deterministic.
    pub fn into_lexicon(
        mut self,
        words: &mut [PageWords],
        general: &[&'static str],
        keep: fn(&str) -> bool,
    ) -> Lexicon {
        let stems = Stems::of(&self.languages);
        self.add_general(&stems, general, keep);
        let mut terms: Vec<(Box<str>, u32)> = self.numbers.into_iter().collect();
        terms.sort_unstable();
        let mut rank = vec![0u32; terms.len()];
        for (new, &(_, old)) in (0..).zip(&terms) {
            rank[old as usize] = new;
        }
        for number in words.iter_mut().flat_map(|page| &mut page.numbers) {
            *number = rank[*number as usize];
        }
        unite(terms, &self.seen, &stems)
    }
}

/// The stemmers of a site's languages.
struct Stems {
    /// By number of the language.
    stemmers: Vec<Option<Stemmer>>,
    /// Places of the languages in their alphabetical order.
    places: Vec<usize>,
    /// Function words by number of the language, folded.
    functions: Vec<HashSet<String>>,
    /// True for languages that write compounds as one word, by number of the language.
    compound: Vec<bool>,
}

impl Stems {
    fn of(languages: &[String]) -> Self {
        let mut order: Vec<usize> = (0..languages.len()).collect();
        order.sort_by_key(|&number| &languages[number]);
        let mut places = vec![0; languages.len()];
        for (place, &number) in order.iter().enumerate() {
            places[number] = place;
        }
        Self {
            stemmers: languages
                .iter()
                .map(|l| algorithm(l).map(Stemmer::create))
                .collect(),
            places,
            functions: languages.iter().map(|l| function_words(l)).collect(),
            compound: languages.iter().map(|l| writes_compounds(l)).collect(),
        }
    }

    /// The stemmer of a term's language, if that one writes compounds as one word.
    fn of_compounds(&self, seen: &Seen) -> Option<&Stemmer> {
        let language = self.language(seen);
        let stemmer = self.stemmers.get(language)?.as_ref();
        stemmer.filter(|_| self.compound[language])
    }

    fn is_function(&self, term: &str, seen: &Seen) -> bool {
        !seen.is_whole() && self.functions[self.language(seen)].contains(term)
    }

    /// The stem of a term, folded as terms are; an identifier as a whole is its own.
    fn stem<'t>(&self, term: &'t str, seen: &'t Seen) -> Cow<'t, str> {
        if seen.is_whole() {
            return term.into();
        }
        let own = stem(
            self.stemmers[self.language(seen)].as_ref(),
            seen.spelling(term),
        );
        match own.is_ascii() && !own.contains('\'') {
            true => own,
            false => folded(&own).into(),
        }
    }

    /// The language of most documents that have a term; of two, the first in the alphabet.
    fn language(&self, seen: &Seen) -> usize {
        let counts = seen.others.iter().chain([&seen.first]);
        let key = |(number, n): &(u16, u32)| (*n, Reverse(self.places[usize::from(*number)]));
        let most = counts.max_by_key(|count| key(count));
        most.map_or(0, |(number, _)| usize::from(*number))
    }
}

/// Surfaces of terms in alphabetical order, and the stems that unite them.
fn unite(terms: Vec<(Box<str>, u32)>, seen: &[Seen], stems_of: &Stems) -> Lexicon {
    let mut surfaces: Vec<Surface> = Vec::with_capacity(terms.len());
    let mut number_of: HashMap<String, u32> = HashMap::new();
    let mut stems: Vec<Vec<u32>> = Vec::new();
    let mut stemmed: Vec<Option<&Stemmer>> = Vec::new();
    for (term, number) in terms {
        let seen = &seen[number as usize];
        stemmed.push(stems_of.of_compounds(seen));
        let own = stems_of.stem(&term, seen);
        let known = number_of.get(own.as_ref()).copied();
        let stem = known.unwrap_or_else(|| {
            let next = stems.len() as u32;
            number_of.insert(own.into_owned(), next);
            stems.push(Vec::with_capacity(1));
            next
        });
        stems[stem as usize].push(surfaces.len() as u32);
        surfaces.push(Surface {
            stem,
            count: seen.plain + seen.whole,
            whole: seen.is_whole(),
            is_function: stems_of.is_function(&term, seen),
            term: term.into(),
        });
    }
    let compounds = compounds(&surfaces, &number_of, &stemmed);
    Lexicon {
        surfaces,
        stems,
        compounds,
    }
}

/// Fewest letters of a compound, and of each of its words.
const MIN_COMPOUND: usize = 9;
const MIN_PART: usize = 4;
/// Letters that may stand between the two words of a compound.
const LINKS: [&str; 5] = ["", "s", "n", "es", "en"];
/// Occurrences from which a word is one that compounds are made of; of fewer, many are names and mistakes.
const MIN_COUNT: u64 = 2;

/// The compounds among the surfaces of languages that write them as one word, each as two of the site's words: the first
/// as it stands, the second in any form. `stemmers` has the stemmer of each surface in such a language.
fn compounds(
    surfaces: &[Surface],
    stems: &HashMap<String, u32>,
    stemmers: &[Option<&Stemmer>],
) -> HashMap<u32, [u32; 2]> {
    let word = |term: &str| {
        let at = surfaces
            .binary_search_by(|s| s.term.as_str().cmp(term))
            .ok()?;
        let is_word = |s: &&Surface| !s.whole && !s.is_function && s.count >= MIN_COUNT;
        Some(&surfaces[at]).filter(is_word).map(|s| s.stem)
    };
    let cut = |term: &str, stemmer: &Stemmer| {
        let letters: Vec<usize> = term.char_indices().map(|(at, _)| at).collect();
        let last = letters.len().checked_sub(MIN_PART)?;
        // The longer the first word, the likelier it is one: "Datei|system" and not "Date|isystem".
        (MIN_PART..=last).rev().find_map(|at| {
            let (head, rest) = term.split_at(letters[at]);
            let first = word(head)?;
            LINKS.iter().find_map(|link| {
                let tail = rest.strip_prefix(link)?;
                tail.chars().nth(MIN_PART - 1)?;
                let form = || stems.get(folded(&stemmer.stem(tail)).as_str()).copied();
                Some([first, word(tail).or_else(form)?])
            })
        })
    };
    let is_long = |s: &Surface| {
        !s.whole && !is_gram(&s.term) && s.term.chars().nth(MIN_COMPOUND - 1).is_some()
    };
    let long = (0..)
        .zip(surfaces.iter().zip(stemmers))
        .filter(|(_, (s, _))| is_long(s));
    let found = long.filter_map(|(at, (s, stemmer))| Some((at, cut(&s.term, (*stemmer)?)?)));
    let katakana = (0..)
        .zip(surfaces)
        .filter(|(_, s)| is_katakana_word(&s.term));
    let katakana = katakana.filter_map(|(at, s)| Some((at, cut_katakana(&s.term, &word)?)));
    found.chain(katakana).collect()
}

/// Fewest letters of a word in a compound of katakana.
const MIN_KATAKANA: usize = 2;

/// The two words that a word of katakana consists of, the longest first: `ファイル|システム`.
fn cut_katakana(term: &str, word: &dyn Fn(&str) -> Option<u32>) -> Option<[u32; 2]> {
    let letters: Vec<usize> = term.char_indices().map(|(at, _)| at).collect();
    let last = letters.len().checked_sub(MIN_KATAKANA)?;
    (MIN_KATAKANA..=last).rev().find_map(|at| {
        let (head, rest) = term.split_at(letters[at]);
        // Inside a compound the stroke at the end of a word is written.
        let head = match head.strip_suffix('ー') {
            Some(bare) if at > 3 => bare,
            _ => head,
        };
        // At the end of the compound it is left out, also where the word is too short for that.
        let lengthened = || word(&[rest, "ー"].concat());
        Some([word(head)?, word(rest).or_else(lengthened)?])
    })
}

/// True for languages that write compounds as one word.
fn writes_compounds(language: &str) -> bool {
    matches!(
        language,
        "de" | "nl" | "sv" | "da" | "no" | "nb" | "nn" | "fi" | "hu" | "et" | "is"
    )
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
fn stem<'t>(stemmer: Option<&Stemmer>, term: &'t str) -> Cow<'t, str> {
    match stemmer {
        Some(stemmer) if !term.contains(char::is_numeric) && !is_gram(term) => stemmer.stem(term),
        _ => term.into(),
    }
}

/// The function words of a language; none of English, which has its own list, nor of scripts without spaces.
fn function_words(language: &str) -> HashSet<String> {
    let language = match language {
        ENGLISH => return HashSet::new(),
        "nb" | "nn" => "no",
        other => other,
    };
    let words = stop_words::lookup(language).unwrap_or_default().iter();
    let words = words.filter(|word| !word.contains(' ') && !is_gram(word));
    words.map(|word| bare(word)).collect()
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "ca" => Algorithm::Catalan,
        "cs" => Algorithm::Czech,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "eo" => Algorithm::Esperanto,
        "es" => Algorithm::Spanish,
        "et" => Algorithm::Estonian,
        "eu" => Algorithm::Basque,
        "fa" => Algorithm::Persian,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "ga" => Algorithm::Irish,
        "hi" => Algorithm::Hindi,
        "hu" => Algorithm::Hungarian,
        "hy" => Algorithm::Armenian,
        "id" => Algorithm::Indonesian,
        "it" => Algorithm::Italian,
        "lt" => Algorithm::Lithuanian,
        "ne" => Algorithm::Nepali,
        "nl" => Algorithm::Dutch,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pl" => Algorithm::Polish,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sr" => Algorithm::Serbian,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        "uk" => Algorithm::Ukrainian,
        "yi" => Algorithm::Yiddish,
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
        let mut terms = Terms::default();
        let mut pages = [
            page("en", "compile compiled compiling CompileAll"),
            page("de", "Häuser Haus"),
        ];
        pages.iter_mut().for_each(|page| terms.count(page));
        let mut words = pages.map(|page| page.words);
        let general = ["compiles", "laptop", "whom"];
        let lexicon = terms.into_lexicon(&mut words, &general, |w| w == "whom");
        let numbers = words.iter().flat_map(|page| &page.numbers);
        let mut named: Vec<_> = numbers
            .map(|&n| &lexicon.surfaces[n as usize].term)
            .collect();
        named.sort();
        assert!(
            named
                .iter()
                .any(|term| *term == "häuser" || *term == "hauser")
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

    #[test]
    fn compounds_of_katakana_are_found_by_their_words() {
        let mut terms = Terms::default();
        let text = "ファイルシステムの使い方。ファイルを開く。ファイルとシステム。システム。サーバー サーバーエラー エラー エラー サーバー";
        let mut pages = [page("ja", text)];
        pages.iter_mut().for_each(|page| terms.count(page));
        let lexicon = terms.into_lexicon(&mut pages.map(|page| page.words), &[], |_| false);
        let at = |t: &str| lexicon.surfaces.iter().position(|s| s.term == t).unwrap();
        let stem = |t: &str| lexicon.surfaces[at(t)].stem;
        let words_of = |t: &str| lexicon.compounds.get(&(at(t) as u32)).copied();
        assert_eq!(
            words_of("ファイルシステム"),
            Some([stem("ファイル"), stem("システム")])
        );
        assert_eq!(
            words_of("サーバーエラ"),
            Some([stem("サーバ"), stem("エラー")])
        );
        assert_eq!(words_of("システム"), None);
    }
}
