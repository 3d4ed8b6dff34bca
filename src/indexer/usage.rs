//! The meaning of words as the site uses them.
//!
//! The table learned its words from other texts. On a site of some hundred pages a word's vector is turned a little
//! towards the sections that have it, so that a question finds the pages that speak of the same things, too. Smaller sites
//! say too little about a word, and on larger ones questions of whole sentences found less (docs/MEASUREMENTS.md, "Words as
//! the site uses them"): both keep the table's vectors.

use super::prepare::Prepared;
use super::sums::of_sections;
use super::words::PageWords;

/// Files from which on a site says enough about its words.
pub(super) const FROM: usize = 100;

/// The part of a word's meaning that its sections give.
const TURN: f32 = 0.3;

/// Sums of vectors, `dims` numbers each, with the number of their summands.
struct Sums {
    sums: Vec<f32>,
    counts: Vec<u32>,
    dims: usize,
}

impl Sums {
    fn new(n: usize, dims: usize) -> Self {
        Self {
            sums: vec![0.0; n * dims],
            counts: vec![0; n],
            dims,
        }
    }

    fn add(&mut self, i: usize, vector: &[f32]) {
        self.counts[i] += 1;
        let sum = &mut self.sums[i * self.dims..][..self.dims];
        sum.iter_mut().zip(vector).for_each(|(s, v)| *s += v);
    }

    fn mean(&self, i: usize) -> impl Iterator<Item = f32> {
        let n = self.counts[i].max(1) as f32;
        let sum = &self.sums[i * self.dims..][..self.dims];
        sum.iter().map(move |s| s / n)
    }
}

/// Turns the vectors of the words of `pages` towards the mean of the sections that have them, less the mean of all
/// sections; their lengths, which say how much a word weighs, stay.
pub(super) fn turn<'a>(
    surfaces: &mut [Option<Vec<f32>>],
    pages: impl Iterator<Item = (&'a Prepared, &'a PageWords)>,
    dims: usize,
) {
    let mut by_word = Sums::new(surfaces.len(), dims);
    let mut all = Sums::new(1, dims);
    for (document, words) in pages {
        let sections = of_sections(document, words, surfaces, dims);
        let with_direction = sections.iter().filter(|s| s.iter().any(|x| *x != 0.0));
        with_direction.for_each(|section| all.add(0, section));
        let last = sections.len() - 1;
        let places = words.occurrences.iter().map(|o| {
            let surface = words.numbers[o.word as usize] as usize;
            (surface, usize::from(o.section).min(last))
        });
        let mut places: Vec<(usize, usize)> = places.collect();
        places.sort_unstable();
        places.dedup();
        for (surface, section) in places {
            if surfaces[surface].is_some() {
                by_word.add(surface, &sections[section]);
            }
        }
    }
    for (i, vector) in surfaces.iter_mut().enumerate() {
        if let Some(vector) = vector.as_mut().filter(|_| by_word.counts[i] > 0) {
            let before = length(vector);
            let apart = by_word.mean(i).zip(all.mean(0)).map(|(own, all)| own - all);
            vector
                .iter_mut()
                .zip(apart)
                .for_each(|(x, d)| *x += TURN * before * d);
            let after = length(vector);
            if after > 0.0 {
                vector.iter_mut().for_each(|x| *x *= before / after);
            }
        }
    }
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|x| x * x).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::words::Packing;

    /// A page whose sections have these words, once each.
    fn page(sections: &[&[u32]], n_words: u32) -> (Prepared, PageWords) {
        let mut packing = Packing::default();
        for (ordinal, words) in (0u16..).zip(sections) {
            let words: Vec<(u32, u32, bool)> = words.iter().map(|&word| (word, 1, false)).collect();
            packing.section(ordinal, 1.0, &words);
        }
        let document = Prepared {
            n_sections: sections.len() as u32,
            ..Prepared::default()
        };
        let words = PageWords {
            numbers: (0..n_words).collect(),
            occurrences: packing.finish(),
            ..PageWords::default()
        };
        (document, words)
    }

    #[test]
    fn a_word_is_turned_towards_its_sections_and_keeps_its_length() {
        // 0 to 2 stand at right angles; 3 is unknown to the table, 4 is nowhere.
        let axis = |i: usize, length: f32| {
            let mut v = vec![0.0; 3];
            v[i] = length;
            Some(v)
        };
        let before = vec![axis(0, 2.0), axis(1, 1.0), axis(2, 1.0), None, axis(2, 5.0)];
        let mut after = before.clone();
        let (document, words) = page(&[&[0, 1, 3], &[2]], 5);
        turn(&mut after, [(&document, &words)].into_iter(), 3);
        let turned = after[0].as_ref().expect("a word of the table");
        assert!(turned[1] > 0.0, "towards the word beside it: {turned:?}");
        assert!(
            turned[2] < 0.0,
            "away from what other sections say: {turned:?}"
        );
        assert!((length(turned) - 2.0).abs() < 1e-5, "{turned:?}");
        assert_eq!(after[3], None);
        assert_eq!(after[4], before[4]);
    }
}
