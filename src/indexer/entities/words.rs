//! Words that a capital makes a name of, and those that it does not: how the input writes them, what is common in English,
//! what people and places are called. The lists are our own selection.

use super::Line;
use crate::indexer::static_table::StaticTable;
use crate::text::normalize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// First names of many languages that are no words of English, of programs or of the calendar besides.
const GIVEN: &str = include_str!("given-names.txt");
/// Countries, regions and large cities that are called by one word, without those that are words or people's names.
const PLACES: &str = include_str!("places.txt");
/// Languages, products and makers among the common words: a capital makes names of them, and nobody lives in them.
const PROPER: &str = include_str!("proper-words.txt");
/// Words before the name of a place that make a part of it, or another.
const PARTS_OF_PLACES: &str =
    " north south east west northern southern eastern western central upper lower new ";
/// Common words, by rank, that a capital makes no names of: menus and titles have it, too.
const ORDINARY: usize = 5_000;
/// Common words, by rank, that are no surnames.
const NO_SURNAMES: usize = 2_500;

static COMMON: LazyLock<HashMap<&str, usize>> =
    LazyLock::new(|| StaticTable::common_words().zip(0..).collect());
static GIVEN_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| GIVEN.split_whitespace().collect());
static PLACE_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| PLACES.split_whitespace().collect());
static THINGS: LazyLock<HashSet<&str>> = LazyLock::new(|| PROPER.split_whitespace().collect());

/// True for the name of a place, whole.
pub(super) fn is_place(name: &str) -> bool {
    let name = bare(name);
    match name.rsplit_once(' ') {
        Some((part, place)) => in_list(PARTS_OF_PLACES, part) && PLACE_NAMES.contains(place),
        None => PLACE_NAMES.contains(name.as_str()),
    }
}

/// True for the name of a thing that nobody lives in.
pub(super) fn is_thing(name: &str) -> bool {
    THINGS.contains(bare(name).as_str())
}

/// The words that the input writes in lower case.
#[derive(Default)]
pub(super) struct Words(HashSet<String>);

impl Words {
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let words = lines.iter().flat_map(|line| line.text.split_whitespace());
        let lower = words.map(trim).filter(|word| {
            word.starts_with(char::is_lowercase) && word.chars().all(char::is_alphabetic)
        });
        Self(lower.map(|word| normalize(word).into_owned()).collect())
    }

    /// True for a word that a capital makes no name of; of several with hyphens, one behind the first is enough
    /// ("Jinja-related").
    pub(super) fn is_ordinary(&self, word: &str) -> bool {
        let word = bare(word);
        match word.split_once('-') {
            Some((_, rest)) => rest.split('-').any(|part| self.is_plain(part)),
            None => self.is_plain(&word),
        }
    }

    fn is_plain(&self, word: &str) -> bool {
        let is_proper = THINGS.contains(word) || PLACE_NAMES.contains(word);
        let is_common = is_ranked(word, ORDINARY) && !GIVEN_NAMES.contains(word);
        !is_proper && (is_common || self.0.contains(word))
    }

    /// True for a first name that the input does not write in lower case, too.
    pub(super) fn is_given(&self, word: &str) -> bool {
        let is_capitalized = word.chars().nth(1).is_some_and(char::is_lowercase);
        let word = bare(word);
        is_capitalized && GIVEN_NAMES.contains(word.as_str()) && !self.0.contains(&word)
    }

    /// True for the name of a person: a first name, alone or before names.
    pub(super) fn is_person(&self, name: &str) -> bool {
        let mut words = name.split_whitespace();
        let is_first = words.next().is_some_and(|first| self.is_given(first));
        let is_surname = |word: &str| {
            let bare = bare(word);
            is_particle(&bare) || !self.0.contains(&bare) && !is_ranked(&bare, NO_SURNAMES)
        };
        is_first && words.all(is_surname)
    }
}

/// True for a word between the names of a person.
fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "de" | "la" | "van" | "von" | "der" | "den" | "del" | "di" | "da"
    )
}

fn is_ranked(word: &str, below: usize) -> bool {
    COMMON.get(word).is_some_and(|rank| *rank < below)
}

/// A word in lower case, without accents and the sign of the genitive.
fn bare(word: &str) -> String {
    let owner = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
    normalize(owner.unwrap_or(word)).to_lowercase()
}

/// True for a word of a list, which has a space around each.
pub(super) fn in_list(list: &str, word: &str) -> bool {
    !word.is_empty() && list.contains(&format!(" {word} "))
}

/// A token without the punctuation around it.
pub(super) fn trim(token: &str) -> &str {
    let token = token.trim_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '_' | '%' | '+' | '#' | '(' | ')' | '&')
    });
    let open = token.trim_start_matches(['(', ')']);
    if open.ends_with("()") {
        open
    } else {
        open.trim_end_matches(['(', ')', '+', '#', '&'])
    }
}
