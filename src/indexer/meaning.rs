//! Vectors of words, sections, files and directories in the site's own space.
//!
//! A section's vector is the normalized sum of its words' and its title's; a file's is the normalized mean of its
//! sections'; L0 and L1 are made from their texts. Projection is linear, so words are projected once and everything
//! else is a sum of `dims` numbers. Source: spec/embedding.md §1, §6.

use super::lexicon::{ENGLISH, Lexicon, Surface};
use super::prepare::Prepared;
use super::space::{Space, SpaceBuilder};
use super::static_table::{DIMS, StaticTable};
use super::sums::{normalize, of_sections};
use super::usage;
use super::words::PageWords;
use rayon::prelude::*;

/// Below this share of known running words the table does not speak the site's language: no vectors.
/// Source: spec/embedding.md §8.
const COVERAGE: f64 = 0.7;

/// The table's vector of a word, if it knows it.
pub(super) type Raw = Option<Box<[f32]>>;

/// Vectors of a whole input, `dims` numbers each.
#[derive(Default)]
pub struct Meaning {
    /// The origin of the vectors, for whoever brings his own.
    pub encoder: String,
    /// Dimensions.
    pub dims: usize,
    /// By surface; `None` for words that the table does not know and identifiers as a whole.
    pub surfaces: Vec<Option<Vec<f32>>>,
    /// By node, normalized; empty when the node has no known word.
    pub nodes: Vec<Vec<f32>>,
    /// By node and section, normalized; empty vectors as above.
    pub sections: Vec<Vec<Vec<f32>>>,
    /// The site's own space; `None` with a model's vectors.
    pub space: Option<Space>,
    /// L0 and L1 rows of every directory; `None`: by their words.
    pub directories: Option<Vec<f32>>,
}

impl Meaning {
    /// Embeds `nodes`, or `None` when the table knows too few of their words. `as_used`: words mean a little of what the
    /// site says about them.
    pub fn new(
        nodes: &[&Prepared],
        words: &[PageWords],
        lexicon: &Lexicon,
        dims: usize,
        with_sections: bool,
        as_used: bool,
    ) -> Option<Self> {
        let raw = raw_words(lexicon);
        let read = Readable::of(nodes, words, lexicon, &raw)?;
        let space = site_space(nodes, words, &raw, read).finish(dims);
        let mut surfaces: Vec<Option<Vec<f32>>> = raw
            .into_par_iter()
            .map(|v| v.map(|v| space.project(&v)))
            .collect();
        if as_used {
            let pages = nodes.iter().zip(words);
            let pages = pages.filter(|(document, _)| read.has(document));
            usage::turn(&mut surfaces, pages.map(|(d, words)| (*d, words)), dims);
        }
        let embed = |(document, words): (&&Prepared, &PageWords)| {
            let mut sections = of_sections(document, words, &surfaces, dims);
            if !read.has(document) {
                sections.iter_mut().for_each(|section| section.fill(0.0));
            }
            let mut mean = vec![0.0; dims];
            for section in &sections {
                mean.iter_mut().zip(section).for_each(|(m, s)| *m += s);
            }
            let mean = if normalize(&mut mean) {
                mean
            } else {
                Vec::new()
            };
            (mean, if with_sections { sections } else { Vec::new() })
        };
        let embedded = nodes.par_iter().zip(words).map(embed);
        let (nodes, sections) = embedded.unzip();
        Some(Self {
            encoder: table_encoder(),
            dims,
            surfaces,
            nodes,
            sections,
            space: Some(space),
            directories: None,
        })
    }

    /// Vector of a text's words, normalized; empty when none is known.
    pub fn of_words(&self, words: impl Iterator<Item = u32>) -> Vec<f32> {
        let mut sum = vec![0.0; self.dims];
        for v in words.filter_map(|w| self.surfaces[w as usize].as_ref()) {
            sum.iter_mut().zip(v).for_each(|(s, v)| *s += v);
        }
        if normalize(&mut sum) { sum } else { Vec::new() }
    }
}

/// The name of the table, with its fingerprint.
pub fn table_encoder() -> String {
    format!("static-256-int4:{}", StaticTable::embedded().fingerprint())
}

/// The table's vectors of all surfaces.
pub(super) fn raw_words(lexicon: &Lexicon) -> Vec<Raw> {
    let table = StaticTable::embedded();
    let known = |s: &Surface| match s.whole {
        true => None,
        false => table.word(&s.term).map(|v| Box::from(&v[..])),
    };
    lexicon.surfaces.par_iter().map(known).collect()
}

/// The pages in the table's language.
#[derive(Clone, Copy)]
pub(super) enum Readable {
    All,
    /// On a site of several languages the English pages have vectors, and the others their words.
    English,
}

impl Readable {
    /// `None` when the table knows too few words of the site, and of its English pages.
    pub(super) fn of(
        nodes: &[&Prepared],
        words: &[PageWords],
        lexicon: &Lexicon,
        raw: &[Raw],
    ) -> Option<Self> {
        let plain = lexicon.surfaces.iter().zip(raw).filter(|(s, _)| !s.whole);
        let (known, all) = plain.fold((0, 0), |(known, all), (s, v)| {
            (known + v.as_ref().map_or(0, |_| s.count), all + s.count)
        });
        let speaks = |(known, all): (u64, u64)| all > 0 && known as f64 >= COVERAGE * all as f64;
        if speaks((known, all)) {
            return Some(Self::All);
        }
        speaks(english_words(nodes, words, lexicon, raw)).then_some(Self::English)
    }

    pub(super) fn has(self, document: &Prepared) -> bool {
        matches!(self, Self::All) || document.language == ENGLISH
    }
}

/// Nodes up to which their sections span the space: fewer texts than the table has axes leave directions to chance, which
/// sections then miss.
const SPACE_OF_SECTIONS_UP_TO: usize = DIMS;
/// Nodes whose sums are held at a time.
const SUMS: usize = 1 << 10;

/// The space that the texts of the readable pages span.
fn site_space(
    nodes: &[&Prepared],
    words: &[PageWords],
    raw: &[Raw],
    read: Readable,
) -> SpaceBuilder {
    let by_section = nodes.len() <= SPACE_OF_SECTIONS_UP_TO;
    let sum_of = |(document, words): (&&Prepared, &PageWords)| {
        if !read.has(document) {
            return Vec::new();
        }
        if by_section {
            return of_sections(document, words, raw, DIMS);
        }
        let mut sum = vec![0.0; DIMS];
        for o in words.occurrences.iter() {
            if let Some(v) = &raw[words.numbers[o.word as usize] as usize] {
                let tf = o.tf;
                sum.iter_mut().zip(v.iter()).for_each(|(s, v)| *s += tf * v);
            }
        }
        vec![sum]
    };
    let mut space = SpaceBuilder::new(DIMS);
    // Added in the order of the nodes; not all of their sums are held at a time.
    for (nodes, words) in nodes.chunks(SUMS).zip(words.chunks(SUMS)) {
        let sums = nodes.par_iter().zip(words).map(sum_of);
        let sums: Vec<Vec<Vec<f32>>> = sums.collect();
        for mut unit in sums.into_iter().flatten() {
            if normalize(&mut unit) {
                space.add(&unit, 1.0);
            }
        }
    }
    space
}

/// Running words of the English pages that the table knows, and all of them; identifiers as a whole are not words.
fn english_words(
    nodes: &[&Prepared],
    words: &[PageWords],
    lexicon: &Lexicon,
    raw: &[Raw],
) -> (u64, u64) {
    let (mut known, mut all) = (0, 0);
    let english = nodes
        .iter()
        .zip(words)
        .filter(|(d, _)| d.language == ENGLISH);
    for (_, words) in english {
        for o in words.occurrences.iter() {
            let surface = words.numbers[o.word as usize] as usize;
            if !lexicon.surfaces[surface].whole {
                all += 1;
                known += u64::from(raw[surface].is_some());
            }
        }
    }
    (known, all)
}
