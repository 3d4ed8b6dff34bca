//! Words of the site that are like a typed one.

use crate::base::order;
use crate::bundle::step::Step;
use crate::bundle::{Resident, reversed};

/// Most words that a wrong one is read as.
const MAX_CORRECTIONS: usize = 3;
/// Most longer words that an unknown one may be a part of.
const MAX_COMPOUNDS: usize = 8;
/// Most words that a wrong one is chosen from where only some pages are wanted; each may need a part.
const MAX_CANDIDATES: usize = 12;
/// Words that differ in two places are considered from this length.
const TWO_MISTAKES_FROM: usize = 8;

/// True for words long enough, and of letters.
pub fn is_correctable(term: &str) -> bool {
    let n = term.chars().count();
    (4..=32).contains(&n) && term.chars().any(char::is_alphabetic) && !crate::text::is_gram(term)
}

/// Length of the half that a single mistake (one letter wrong, missing, too many, or two swapped) leaves intact.
fn half(term: &str) -> usize {
    (term.chars().count() - 1) / 2
}

/// The spelling part where words that end as `term` does would begin.
pub fn part_of(store: &Resident, term: &str) -> Option<u32> {
    let tail: String = reversed(term).chars().take(half(term)).collect();
    store.head().spelling_part(&tail)
}

/// A word of the site like a typed one.
pub struct Near {
    /// The word.
    pub surface: String,
    /// Mistakes between the two; 0: one is a part of the other.
    pub distance: usize,
    /// ⌊log₂⌋ of the pages that have it.
    common: u8,
}

/// The best few words of the site like `term`: nearest first, then commonest.
///
/// If none is one mistake away: longer words that begin or end with it, at distance 0, as in languages that write
/// compounds as one. With `more` those too that would be too many, for a choice among them.
pub fn nearest(store: &Resident, term: &str, more: bool) -> Step<Vec<Near>> {
    let letters = term.chars().count();
    let most = if letters >= TWO_MISTAKES_FROM { 2 } else { 1 };
    let mut found: Vec<Near> = Vec::new();
    let mut longer: Vec<Near> = Vec::new();
    let mut offer = |surface: String, common: u8| {
        if surface.starts_with(term) || surface.ends_with(term) {
            longer.push(Near {
                surface: surface.clone(),
                distance: 0,
                common,
            });
        }
        if surface.chars().count().abs_diff(letters) <= most {
            let distance = strsim::osa_distance(term, &surface);
            if distance <= most && !found.iter().any(|f| f.surface == surface) {
                found.push(Near {
                    surface,
                    distance,
                    common,
                });
            }
        }
    };
    let head: String = term.chars().take(half(term)).collect();
    if let Some(part) = store.head().term_part(term) {
        let part = store.terms(part)?;
        for (surface, at) in part.with_prefix(&head) {
            // A redirect's frequency is not here; the spelling part may know it.
            let common = part
                .stem(at.stem)
                .filter(|_| at.part == store.head().term_part(surface).unwrap_or(u32::MAX));
            let df = common.map_or(1, |g| g.df);
            if df > 0 {
                offer(surface.to_owned(), df.ilog2() as u8);
            }
        }
    }
    if let Some(part) = part_of(store, term) {
        let part = store.spelling(part)?;
        let tail: String = reversed(term).chars().take(half(term)).collect();
        for (word, common) in part.with_prefix(&tail) {
            offer(reversed(word), common);
        }
    }
    let is_near = found.iter().any(|near| near.distance == 1);
    let mut found = if is_near || longer.is_empty() {
        found
    } else {
        longer
    };
    sort_nearest(&mut found);
    if more {
        found.truncate(MAX_CANDIDATES);
    } else {
        keep_nearest(&mut found);
    }
    Ok(found)
}

/// Sorts by distance, then commonest first, and drops repeats.
fn sort_nearest(found: &mut Vec<Near>) {
    order::sort_by(found, |a, b| {
        (a.distance, std::cmp::Reverse(a.common), &a.surface).cmp(&(
            b.distance,
            std::cmp::Reverse(b.common),
            &b.surface,
        ))
    });
    found.dedup_by(|a, b| a.surface == b.surface);
}

/// Keeps the first of those that are nearest.
pub fn keep_nearest(found: &mut Vec<Near>) {
    let best = found.first().map_or(0, |f| f.distance);
    found.retain(|f| f.distance == best);
    found.truncate(if best > 0 {
        MAX_CORRECTIONS
    } else {
        MAX_COMPOUNDS
    });
}
