//! Words of the site that are like a typed one.

use crate::base::order;
use crate::bundle::stems::{StemRef, TermPart};
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Head, Resident, forward, surface_of};
use crate::text::is_name;

/// Most words that a wrong one is read as.
const MAX_CORRECTIONS: usize = 3;
/// Most longer words that an unknown one may be a part of.
const MAX_COMPOUNDS: usize = 8;
/// Most words that a wrong one is chosen from where only some pages are wanted; each may need a part.
const MAX_CANDIDATES: usize = 12;
/// Words that differ in two places are considered from this length.
const TWO_MISTAKES_FROM: usize = 8;
/// Words that any two mistakes are seen in. In shorter ones another first letter, or two other letters, are another word
/// more often: "vacation" is none for "location". A letter that moved is a mistake: "diffrenet".
const ANYWHERE_FROM: usize = 10;

/// Nodes that have a rare word at most, the directories above its pages among them, and how many times as many have the
/// one that it may be a mistake for.
pub(super) const RARE: u32 = 6;
pub(super) const COMMONER: u32 = 10;

/// True for words long enough, and of letters.
pub fn is_correctable(term: &str) -> bool {
    let n = term.chars().count();
    (4..=32).contains(&n) && term.chars().any(char::is_alphabetic) && !crate::text::is_gram(term)
}

/// Most spelling parts that are asked for by one key: bounds what a typo costs on sites of millions of words.
const MAX_PARTS: usize = 4;

/// Letters in which a word with two mistakes is taken to be right: nine of ten in a list of misspellings begin as the
/// right one. Three of ten have a mistake in each half ("tommorow", "neccesary").
const BEGINNING: usize = 3;
/// Spelling parts that a beginning may be spread over; where it is in more, it takes more letters, up to one less than half.
const MAX_ALIKE: usize = 2;

/// Beginnings of the keys of all words that are one mistake away, and of most that are two.
///
/// One letter wrong, missing or too many leaves the first half intact or the last, and so do two swapped, unless they
/// are the two in the middle. The last half is the longer: more words end alike than begin alike.
struct Keys {
    /// Of its first letters, and of a short word with the two in the middle swapped.
    heads: Vec<String>,
    /// In the spelling parts: of its last letters, and of the first.
    spelled: Vec<String>,
}

impl Keys {
    fn of(head: &Head, term: &str) -> Self {
        let mut letters: Vec<char> = term.chars().collect();
        let middle = letters.len() / 2;
        let tail: String = letters[middle..].iter().rev().collect();
        let mut heads: Vec<String> = Vec::new();
        let mut end = BEGINNING;
        if letters.len() < TWO_MISTAKES_FROM {
            heads.push(letters[..middle].iter().collect());
            letters.swap(middle - 1, middle);
            end = letters.len();
        }
        loop {
            let key: String = letters[..end].iter().collect();
            let parts = head.spelling_parts(&forward(&key));
            if end + 1 >= middle || parts.len() <= MAX_ALIKE {
                heads.push(key);
                break;
            }
            end += 1;
        }
        let mut spelled = vec![tail];
        if head.lists_forward() {
            spelled.extend(heads.iter().map(|key| forward(key)));
        }
        Self { heads, spelled }
    }

    /// The spelling parts with the words.
    fn spelling(&self, head: &Head) -> Vec<u32> {
        let parts = self.spelled.iter();
        let parts = parts.flat_map(|key| head.spelling_parts(key).take(MAX_PARTS));
        let mut parts: Vec<u32> = parts.collect();
        order::sort_dedup(&mut parts);
        parts
    }

    /// The dictionary's parts with the words; none where the spelling parts have them all.
    fn terms(&self, head: &Head) -> Vec<u32> {
        if head.lists_forward() {
            return Vec::new();
        }
        let parts = self.heads.iter().flat_map(|key| head.term_parts(key));
        let mut parts: Vec<u32> = parts.collect();
        order::sort_dedup(&mut parts);
        parts
    }
}

/// Asks for the parts with the words that are like `term`.
pub fn ask(store: &Resident, term: &str, gather: &mut Gather) {
    let keys = Keys::of(store.head(), term);
    for part in keys.spelling(store.head()) {
        gather.take(store.spelling(part));
    }
    for part in keys.terms(store.head()) {
        gather.take(store.terms(part));
    }
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
        if surface.starts_with(term) && !is_name(&surface) || surface.ends_with(term) {
            longer.push(Near {
                surface: surface.clone(),
                distance: 0,
                common,
            });
        }
        if surface.chars().count().abs_diff(letters) <= most {
            let distance = mistakes(term, &surface);
            let is_new = !is_name(&surface) && !found.iter().any(|f| f.surface == surface);
            if distance <= most && is_new && (distance < 2 || is_likely(term, &surface)) {
                found.push(Near {
                    surface,
                    distance,
                    common,
                });
            }
        }
    };
    let keys = Keys::of(store.head(), term);
    for part in keys.spelling(store.head()) {
        let part = store.spelling(part)?;
        for key in &keys.spelled {
            part.with_prefix(key)
                .for_each(|(key, common)| offer(surface_of(key), common));
        }
    }
    for at in keys.terms(store.head()) {
        let part = store.terms(at)?;
        for (surface, stem) in keys.heads.iter().flat_map(|key| part.with_prefix(key)) {
            // How common a word is whose stem stands elsewhere is not here; its last letters may have told.
            let df = part.stem(stem.stem).filter(|_| stem.part == at);
            let df = df.map_or(1, |stem| stem.df);
            if df > 0 {
                offer(surface.to_owned(), df.ilog2() as u8);
            }
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

/// The much commoner word that the rare word `term`, whose stem is `own`, may be a mistake for: sites make some themselves,
/// and what somebody types wrong then seems to be a word. Only of `part`, which the word needs anyway.
pub fn likelier<'p>(part: &'p TermPart, own: StemRef, term: &'p str) -> Option<(&'p str, StemRef)> {
    let df = |at: StemRef| match part.stem(at.stem) {
        Some(stem) if at.part == own.part => stem.df,
        _ => 0,
    };
    let (mut most, mut found) = (df(own) * COMMONER, None);
    let is_long = term.len() > 3 && !term.as_bytes()[0].is_ascii_digit();
    if is_long && (COMMONER..=RARE * COMMONER).contains(&most) {
        let half = &term[..term.floor_char_boundary(term.len() / 2)];
        for (surface, at) in part.with_prefix(half) {
            if df(at) >= most && mistakes(term, surface) == 1 {
                (most, found) = (df(at), Some((surface, at)));
            }
        }
    }
    found
}

/// Letters that are wrong, missing, too many or swapped.
#[inline(never)] // once in the module
fn mistakes(typed: &str, word: &str) -> usize {
    strsim::osa_distance(typed, word)
}

/// True if a word may be another with two mistakes: it is long, or they begin with one letter, or the same two swapped, and
/// not two of its letters are others.
fn is_likely(typed: &str, word: &str) -> bool {
    let letters = typed.chars().count();
    let (mut a, mut b) = (typed.chars(), word.chars());
    let (first, own) = (a.next(), b.next());
    let begin_alike = first == own || a.next() == own && b.next() == first;
    letters >= ANYWHERE_FROM
        || begin_alike && (letters != word.chars().count() || is_moved(typed, word))
}

/// True if one letter taken away and one put elsewhere make one word the other.
fn is_moved(typed: &str, word: &str) -> bool {
    for (at, letter) in typed.char_indices() {
        let rest = [&typed[..at], &typed[at + letter.len_utf8()..]].concat();
        if mistakes(&rest, word) < 2 {
            return true;
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that people write so, and others.
    #[test]
    fn a_letter_that_moved_is_told_from_two_others() {
        for (typed, word) in [
            ("tommorow", "tomorrow"),
            ("neccesary", "necessary"),
            ("reccomend", "recommend"),
            ("dissapear", "disappear"),
            ("ocurence", "occurrence"),
            ("wihthout", "without"),
        ] {
            assert!(is_likely(typed, word), "{typed}: {word}");
        }
        for (typed, word) in [("vacation", "location"), ("contains", "captains")] {
            assert!(!is_likely(typed, word), "{typed}: {word}");
        }
    }
}
