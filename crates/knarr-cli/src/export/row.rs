//! Rows: a page or a section as every engine gets it, and the numbers by which engines know rows and words.

use knarr::engine::points::{Page, Terms};
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// A page, or a section of one.
#[derive(Serialize)]
pub struct Row<'a> {
    /// Number of the row.
    pub id: u64,
    /// Number of the page's own row: rows of one page have it in common.
    pub page: u64,
    /// Place in the page: 0 the page itself, sections from 1.
    pub place: usize,
    /// Its `viking://` URI.
    pub uri: String,
    /// URIs of the directories above it, outermost first.
    pub parents: &'a [String],
    /// Address for a browser, with the section's anchor.
    pub url: String,
    /// Title of the page.
    pub title: &'a str,
    /// Heading of the section; empty for the page itself, and before the first heading.
    pub section: &'a str,
    /// L0 of the page.
    #[serde(rename = "abstract")]
    pub abstract_: &'a str,
    /// L2 of the page, or the text of the section.
    pub text: &'a str,
    /// Tags of the page; its kind is one (`kind=struct`).
    pub tags: &'a [String],
    /// `memory`, `resource` or `skill`.
    #[serde(rename = "type")]
    pub context_type: &'a str,
    /// BCP 47 tag; empty on a site of one language.
    pub language: &'a str,
    /// Version as the site writes it; empty on a site of one.
    pub version: &'a str,
    /// Seconds since 1970 UTC; `null` where the bundle knows none.
    pub created_at: Option<i64>,
    /// Seconds since 1970 UTC; `null` where the bundle knows none.
    pub updated_at: Option<i64>,
    /// Empty in a bundle without vectors.
    #[serde(skip)]
    pub dense: Vec<f32>,
    /// Words by their numbers, ascending, with their weights; none is 0.
    #[serde(skip)]
    pub sparse: Vec<(u32, f32)>,
}

/// A sparse vector as an object of word and weight. Written without a JSON value between, which would make the weights
/// doubles of twice as many digits.
pub struct Weights<'a>(pub &'a [(u32, f32)]);

impl Serialize for Weights<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// Numbers made of names: the same name has the same number in every build, so that an engine's rows can be replaced one
/// by one. Two names that meet have neighboring numbers, in the order in which they come.
pub struct Numbers {
    bits: u32,
    taken: HashSet<u64>,
}

impl Numbers {
    /// Of 53 bits: every JSON reader takes them exactly.
    pub fn of_rows() -> Self {
        Self::new(53)
    }

    /// Of 31 bits: a dimension in every engine.
    pub fn of_words() -> Self {
        Self::new(31)
    }

    /// 0 is no name's.
    fn new(bits: u32) -> Self {
        Self {
            bits,
            taken: HashSet::from([0]),
        }
    }

    /// The number of a name that was not asked for before.
    pub fn next(&mut self, name: &str) -> u64 {
        let hash = Sha256::digest(name.as_bytes());
        let first = hash[..8].iter().fold(0, |n, &b| n << 8 | u64::from(b));
        let mut number = first >> (64 - self.bits);
        while !self.taken.insert(number) {
            number = (number + 1) % (1 << self.bits);
        }
        number
    }
}

/// The numbers of words, by their place in the dictionary.
pub fn word_numbers(terms: &Terms) -> Vec<u32> {
    let mut numbers = Numbers::of_words();
    let mut number = |words: &[String]| numbers.next(words.first().map_or("", |w| w)) as u32;
    terms.all.iter().map(|term| number(&term.words)).collect()
}

/// Puts numbers in the place of words, ascending, and leaves out weights of 0, which some engines refuse.
pub fn numbered(words: &[(usize, f32)], numbers: &[u32]) -> Vec<(u32, f32)> {
    let weighs = words.iter().filter(|(_, weight)| *weight > 0.0);
    let mut sparse: Vec<(u32, f32)> = weighs.map(|&(w, weight)| (numbers[w], weight)).collect();
    sparse.sort_by_key(|&(number, _)| number);
    sparse
}

/// The rows of a page: its own, then those of its sections if they are wanted. None if no question could find it.
pub fn rows<'a>(
    page: &'a Page,
    words: &[u32],
    numbers: &mut Numbers,
    with_sections: bool,
) -> Vec<Row<'a>> {
    let row = |section: Option<usize>, id: u64, own: u64| {
        let told = section.map(|s| &page.sections[s]);
        let anchor = told.map_or("", |s| s.anchor.as_str());
        Row {
            id,
            page: own,
            place: section.map_or(0, |s| s + 1),
            uri: with_anchor(&page.uri, anchor),
            parents: &page.parents,
            url: with_anchor(&page.record.url, anchor),
            title: &page.record.title,
            section: told.map_or("", |s| &s.heading),
            abstract_: &page.record.abstract_,
            text: told.map_or(page.content.as_str(), |s| &s.text),
            tags: &page.record.tags,
            context_type: page.context_type,
            language: &page.language,
            version: &page.version,
            created_at: page.record.created_at,
            updated_at: page.record.updated_at,
            dense: page.dense(section),
            sparse: numbered(&page.sparse(section), words),
        }
    };
    let own = numbers.next(&page.uri);
    let mut found = vec![row(None, own, own)];
    if found[0].sparse.is_empty() && found[0].dense.iter().all(|&v| v == 0.0) {
        return Vec::new();
    }
    for (i, section) in page.sections.iter().enumerate().filter(|_| with_sections) {
        // An anchor stays when sections move; a section without one has its place.
        let name = match section.anchor.as_str() {
            "" => format!("{}#\n{i}", page.uri),
            anchor => format!("{}#{anchor}", page.uri),
        };
        found.push(row(Some(i), numbers.next(&name), own));
    }
    found
}

fn with_anchor(page: &str, anchor: &str) -> String {
    match anchor {
        "" => page.to_owned(),
        anchor => format!("{page}#{anchor}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_each_time_and_never_twice() {
        let (mut first, mut second) = (Numbers::of_rows(), Numbers::of_rows());
        let one = first.next("viking://resources/a");
        assert_eq!(one, second.next("viking://resources/a"));
        assert!(one < 1 << 53);
        assert_eq!(first.next("viking://resources/a"), (one + 1) % (1 << 53));
        let mut words = Numbers::of_words();
        let all: HashSet<u64> = (0..2000).map(|i| words.next(&i.to_string())).collect();
        assert_eq!((all.len(), all.iter().all(|&n| n < 1 << 31)), (2000, true));
    }

    #[test]
    fn words_that_weigh_nothing_are_left_out() {
        let numbers = [9, 4, 7];
        let words = [(0, 1.5), (1, 0.0), (2, 0.5)];
        assert_eq!(numbered(&words, &numbers), [(7, 0.5), (9, 1.5)]);
    }
}
