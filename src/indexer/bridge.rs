//! A model's vectors for documents, and word vectors that meet them: a question then needs no model.
//!
//! A section has a vector of the model's and one of the table's, the sum of its words. A linear map from these to those,
//! fitted to all sections of the site (ridge regression), takes any word to the model's space. It knows this site's
//! texts: on six labelled sets it ranks better than the map that the table was made with (docs/MEASUREMENTS.md).
//! Documents and words are then turned to the few directions in which what the map reaches differs most.
//!
//! *Cost*: 256 × (256 + model dimensions) multiply-adds a section, and equations of 256 unknowns.

use super::embedded::{Embedded, Row};
use super::lexicon::Lexicon;
use super::meaning::{Meaning, Raw, Readable, raw_words, table_encoder};
use super::prepare::Prepared;
use super::space::{LinearMap, Pairs, Space};
use super::static_table::DIMS;
use super::sums::{normalize, of_sections};
use super::words::PageWords;
use rayon::prelude::*;
use serde::Serialize;

/// Fit from which words have vectors. Below, mixing them in ranks no better than keywords alone (docs/MEASUREMENTS.md).
const FIT: f32 = 0.45;
/// Every so many-th section is held out, more of them where there are few.
const HELD: (usize, usize) = (3, 10);
/// Sections held out, as far as every third is enough.
const HELD_SECTIONS: usize = 100;
/// Sections without which nothing can be learned.
const FEWEST: usize = 12;
/// Weights of the penalty that are tried, in parts of the mean square.
const PENALTIES: [f64; 6] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0];

/// The success of giving words vectors in a model's space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct WordFit {
    /// Sections with both vectors.
    pub sections: usize,
    /// Mean cosine between the vectors that the words of held-out sections have and the model's, both without what all
    /// sections have in common.
    pub cosine: f32,
    /// True if words have vectors. False: the bundle has the model's alone, and a question needs the model.
    pub kept: bool,
}

/// The sections in the table's language, each as the table has it and as the model does.
struct Sections<'a> {
    table: Vec<Vec<f32>>,
    model: Vec<&'a [f32]>,
}

impl<'a> Sections<'a> {
    fn of(
        given: &'a Embedded,
        nodes: &[&Prepared],
        (words, raw): (&[PageWords], &[Raw]),
        read: Readable,
    ) -> Self {
        let own = |(document, words): (&&Prepared, &PageWords)| {
            let sections = of_sections(document, words, raw, DIMS).into_iter();
            let row = |section| Row::Section {
                path: document.path.clone(),
                section,
            };
            let both = sections.enumerate().filter_map(|(section, table)| {
                let model = given.rows.get(&row(section))?;
                table
                    .iter()
                    .any(|x| *x != 0.0)
                    .then_some((table, &model[..]))
            });
            both.collect::<Vec<_>>()
        };
        let all = nodes.par_iter().zip(words);
        let all = all.filter(|(document, _)| read.has(document)).map(own);
        let all: Vec<Vec<(Vec<f32>, &[f32])>> = all.collect();
        let (table, model) = all.into_iter().flatten().unzip();
        Self { table, model }
    }

    /// The map that all sections teach, and how well the same is learned from a part of them.
    fn learn(&self, dims: usize) -> (LinearMap, f32) {
        let n = self.table.len();
        let step = (n / HELD_SECTIONS).clamp(HELD.0, HELD.1);
        let pick = |is_held: bool| (0..n).filter(move |i| (i % step == step - 1) == is_held);
        let mut pairs = Pairs::new(DIMS, dims);
        let add = |pairs: &mut Pairs, is_held| {
            pairs.add(pick(is_held).map(|i| (&self.table[i][..], self.model[i])));
        };
        add(&mut pairs, false);
        let mean = mean_of(pick(false).map(|i| self.model[i]), dims);
        let fit = |penalty: f64| {
            let map = pairs.learn(penalty);
            let cosines = pick(true).map(|i| {
                let said = map.apply(&self.table[i]);
                f64::from(cosine(&less(&said, &mean), &less(self.model[i], &mean)))
            });
            cosines.sum::<f64>() / pick(true).count() as f64
        };
        let tried = PENALTIES.map(|penalty| (penalty, fit(penalty)));
        let best = tried.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (penalty, fit) = best.expect("a penalty");
        add(&mut pairs, true);
        (pairs.learn(penalty), fit as f32)
    }
}

/// Gives the words of a site vectors beside those of its documents, which are `full` as the model made them and come back
/// with `dims` dimensions; or, where words cannot have any, as they are.
pub fn bridge(
    given: &Embedded,
    full: Meaning,
    nodes: &[&Prepared],
    (words, lexicon): (&[PageWords], &Lexicon),
    dims: usize,
) -> (Meaning, WordFit) {
    let raw = raw_words(lexicon);
    let mut fit = WordFit::default();
    let Some(read) = Readable::of(nodes, words, lexicon, &raw) else {
        return (full, fit);
    };
    let sections = Sections::of(given, nodes, (words, &raw), read);
    fit.sections = sections.table.len();
    if fit.sections < FEWEST {
        return (full, fit);
    }
    let (map, cosine) = sections.learn(given.dims);
    fit.cosine = cosine;
    if cosine < FIT {
        return (full, fit);
    }
    fit.kept = true;
    let (of_model, of_words) = Space::reached(&map, &sections.table, dims);
    let read: Vec<bool> = nodes.iter().map(|document| read.has(document)).collect();
    (moved(full, &read, raw, of_model, of_words), fit)
}

/// The vectors of nodes that are `read`, directories and words in a space of both.
fn moved(
    full: Meaning,
    read: &[bool],
    words: Vec<Raw>,
    of_model: Space,
    of_words: Space,
) -> Meaning {
    // What no word can ask for would be bytes alone.
    let of_node = |(row, read): (Vec<f32>, &bool)| match read {
        true => projected(&of_model, &row),
        false => Vec::new(),
    };
    let of_section = |row: Vec<f32>, read: bool| match read {
        true => projected(&of_model, &row),
        false => vec![0.0; of_model.dims()],
    };
    let of_sections = |(rows, read): (Vec<Vec<f32>>, &bool)| {
        let rows = rows.into_iter().map(|row| of_section(row, *read));
        rows.collect::<Vec<_>>()
    };
    let of_word = |v: Raw| v.map(|v| of_words.project(&v));
    let nodes = full.nodes.into_par_iter().zip(read);
    let sections = full.sections.into_par_iter().zip(read);
    let directories = full.directories.unwrap_or_default();
    let directories = directories.chunks_exact(full.dims);
    let directories = directories.flat_map(|row| projected(&of_model, row));
    Meaning {
        encoder: format!("{}+{}", table_encoder(), full.encoder),
        dims: of_model.dims(),
        surfaces: words.into_par_iter().map(of_word).collect(),
        nodes: nodes.map(of_node).collect(),
        sections: sections.map(of_sections).collect(),
        directories: Some(directories.collect()),
        space: Some(of_words),
    }
}

/// A vector in the space, at length 1; what has no direction there is zero, and nothing where it is nothing.
fn projected(space: &Space, vector: &[f32]) -> Vec<f32> {
    if vector.is_empty() {
        return Vec::new();
    }
    let mut out = space.project(vector);
    normalize(&mut out);
    out
}

fn mean_of<'a>(vectors: impl Iterator<Item = &'a [f32]>, dims: usize) -> Vec<f32> {
    let (mut sum, mut n) = (vec![0.0f64; dims], 0u32);
    for vector in vectors {
        n += 1;
        sum.iter_mut()
            .zip(vector)
            .for_each(|(s, v)| *s += f64::from(*v));
    }
    let n = f64::from(n.max(1));
    sum.into_iter().map(|s| (s / n) as f32).collect()
}

fn less(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The cosine of two vectors; 0 where one has no direction.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    match normalize(&mut a) && normalize(&mut b) {
        true => a.iter().zip(&b).map(|(a, b)| a * b).sum(),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::static_table::StaticTable;

    /// Sections of a few words each, no two alike.
    fn sections(n: usize) -> Vec<Vec<f32>> {
        let words: Vec<&str> = StaticTable::words().take(900).collect();
        let table = StaticTable::embedded();
        let of = |i: usize| {
            let mut sum = vec![0.0; DIMS];
            for k in 0..12 {
                let word = table
                    .word(words[(i * 37 + k * k * 53) % 900])
                    .expect("a word");
                sum.iter_mut().zip(word).for_each(|(s, v)| *s += v);
            }
            assert!(normalize(&mut sum));
            sum
        };
        (0..n).map(of).collect()
    }

    /// A model of 300 dimensions that is a linear map of the table with an offset, as models have one.
    fn model(vector: &[f32]) -> Vec<f32> {
        let of = |i: usize| 0.1 + vector[i % DIMS] * 0.8 - vector[(i * 7 + 3) % DIMS] * 0.6;
        let mut out: Vec<f32> = (0..300).map(of).collect();
        normalize(&mut out);
        out
    }

    #[test]
    fn a_map_is_learned_and_its_words_meet_the_documents() {
        let table = sections(880);
        let given: Vec<Vec<f32>> = table.iter().map(|v| model(v)).collect();
        let model = given.iter().map(|v| &v[..]).collect();
        let known = Sections { table, model };
        let (map, fit) = known.learn(300);
        assert!(fit > 0.9, "{fit}");
        let (of_model, of_words) = Space::reached(&map, &known.table, 64);
        assert_eq!((of_model.dims(), of_words.dims()), (64, 64));
        let met =
            known.table.iter().zip(&given).map(|(words, document)| {
                cosine(&of_words.project(words), &of_model.project(document))
            });
        let met = met.sum::<f32>() / 880.0;
        assert!(met > 0.95, "{met}");
        // Every section is nearest to its own words.
        let documents: Vec<_> = given.iter().map(|v| projected(&of_model, v)).collect();
        let first = |words: &Vec<f32>| {
            let words = projected(&of_words, words);
            let near = documents.iter().map(|d| cosine(&words, d));
            near.enumerate()
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(i, _)| i)
        };
        let own = (0..880).step_by(40);
        let own = own.filter(|&i| first(&known.table[i]) == Some(i)).count();
        assert!(own >= 20, "{own} of 22");
    }

    #[test]
    fn vectors_that_have_nothing_to_do_with_words_teach_nothing() {
        let table = sections(400);
        // Those of other sections.
        let given: Vec<Vec<f32>> = (0..400)
            .map(|i| model(&table[(i * 171 + 5) % 400]))
            .collect();
        let model = given.iter().map(|v| &v[..]).collect();
        let (_, fit) = Sections { table, model }.learn(300);
        assert!(fit < FIT, "{fit}");
    }
}
