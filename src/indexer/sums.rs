//! Vectors of sections: sums of those of their words, normalized.

use super::prepare::Prepared;
use super::words::PageWords;

/// Vectors of a page's sections by the vectors of its words; zeros where no word has one.
pub(super) fn of_sections(
    document: &Prepared,
    words: &PageWords,
    surfaces: &[Option<impl AsRef<[f32]>>],
    dims: usize,
) -> Vec<Vec<f32>> {
    let mut title = vec![0.0; dims];
    for &(word, _) in &words.title {
        if let Some(v) = &surfaces[words.numbers[word as usize] as usize] {
            let v = v.as_ref().iter();
            title.iter_mut().zip(v).for_each(|(t, v)| *t += v);
        }
    }
    let n = document.n_sections.max(1) as usize;
    let mut sections = vec![title; n];
    for o in words.occurrences.iter() {
        if let Some(v) = &surfaces[words.numbers[o.word as usize] as usize] {
            let tf = o.tf;
            let section = &mut sections[usize::from(o.section).min(n - 1)];
            let v = v.as_ref().iter();
            section.iter_mut().zip(v).for_each(|(s, v)| *s += tf * v);
        }
    }
    for section in &mut sections {
        if !normalize(section) {
            section.fill(0.0);
        }
    }
    sections
}

/// Scales to length 1; false (and unchanged) when there is no direction.
pub fn normalize(v: &mut [f32]) -> bool {
    let length = v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        return false;
    }
    v.iter_mut()
        .for_each(|x| *x = (f64::from(*x) / length) as f32);
    true
}
