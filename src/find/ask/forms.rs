//! Words that a site has in other forms: with other endings, and written together or apart.
//!
//! English has a dictionary of such forms in the bundle. Other languages have what the site itself says, and of most words
//! a small site has a few forms only.

use super::slots::{Alternative, Inside, Slot, alternative, is_inside, lookup};
use super::spelling::is_correctable;
use crate::base::order;
use crate::bundle::Resident;
use crate::bundle::stems::{StemRef, TermPart};
use crate::bundle::step::{Gather, Step};
use crate::text::{TermKind, is_name};
use std::rc::Rc;

/// Most letters of an ending, and of the two of a word and its form.
const MAX_ENDING: usize = 4;
const MAX_ENDINGS: usize = 6;
/// Most stems that a form may belong to.
const MAX_STEMS: usize = 3;
/// Weight of a word in another form.
const FORM_WEIGHT: f32 = 0.9;
/// Fewest letters of a part of a compound.
const MIN_PART: usize = 4;
/// Most words that a compound is tried to begin with: what stands behind each may be in a part of its own to be fetched.
const MAX_FIRST: usize = 2;

/// True for a word that nothing is known of.
fn is_unknown(slot: &Slot) -> bool {
    slot.alternatives.is_empty() && slot.kind != TermKind::Whole && is_correctable(&slot.term)
}

/// Gives words of languages other than English, of which the site has neither the word nor its parts, the site's words
/// that differ from them in their endings alone.
pub fn read(store: &Resident, slots: &mut Vec<Slot>, inside: Inside<'_>) -> Step<()> {
    cut_compounds(store, slots)?;
    let mut gather = Gather::default();
    for slot in slots.iter_mut().filter(|slot| is_unknown(slot)) {
        let Some(part) = store.head().term_part(&slot.term) else {
            continue;
        };
        let Some(part) = gather.take(store.terms(part)) else {
            continue;
        };
        let mut found: Vec<Alternative> = Vec::new();
        for (surface, at) in forms_in(&part, &slot.term) {
            found.extend(gather.take(alternative(store, at, surface, FORM_WEIGHT)?));
        }
        found.retain(|a| a.stem().df > 0 && is_inside(a.stem(), inside));
        order::sort_by(&mut found, |a, b| b.stem().df.cmp(&a.stem().df));
        for form in found {
            let is_same =
                |a: &Alternative| Rc::ptr_eq(&a.part, &form.part) && a.index == form.index;
            if slot.alternatives.len() < MAX_STEMS && !slot.alternatives.iter().any(is_same) {
                slot.alternatives.push(form);
            }
        }
    }
    gather.done()
}

/// The words of a part that share the longest beginning with `term`, three fifths of it at least, and differ from it in
/// their endings alone. None where a longer word, such as a compound, shares more of it.
fn forms_in<'p>(part: &'p TermPart, term: &str) -> Vec<(&'p str, StemRef)> {
    let letters = term.chars().count();
    let mut longest = (letters * 3).div_ceil(5).max(MIN_PART);
    let mut found = Vec::new();
    for (surface, at) in part
        .with_prefix("")
        .filter(|(surface, _)| !is_name(surface))
    {
        let pairs = term.chars().zip(surface.chars());
        let shared = pairs.take_while(|(a, b)| a == b).count();
        if shared > longest {
            (longest, found) = (shared, Vec::new());
        }
        let endings = [letters, surface.chars().count()].map(|letters| letters - shared);
        // What has the whole word and four letters more is a compound: "Stände|samt".
        let most = if endings[0] > 0 {
            MAX_ENDING
        } else {
            MAX_ENDING - 1
        };
        let is_form = endings[0].max(endings[1]) <= most && endings[0] + endings[1] <= MAX_ENDINGS;
        if shared < longest || !is_form {
            continue;
        }
        found.push((surface, at));
    }
    found
}

/// Reads an unknown word as the two words of the site that it consists of: `paketdepot` where the site writes
/// "Paket-Depot", `darkmode` for "dark mode". The longest first word wins; an `s` between the two is none of them.
pub fn cut_compounds(store: &Resident, slots: &mut Vec<Slot>) -> Step<()> {
    let mut at = 0;
    while let Some(slot) = slots.get(at) {
        if is_unknown(slot)
            && let Some(two) = cut(store, slot)?
        {
            slots.splice(at..=at, two);
        }
        at += 1;
    }
    Ok(())
}

fn cut(store: &Resident, slot: &Slot) -> Step<Option<[Slot; 2]>> {
    let term = slot.term.as_str();
    let head = store.head();
    // Words that begin it stand before it, in its part of the dictionary or in the one before.
    let part = |word: &str| head.term_part(word).map_or(0, |part| part + 1);
    let is_long = |word: &str| word.chars().nth(MIN_PART - 1).is_some();
    let ends = term.char_indices().map(|(at, _)| at).rev();
    let mut tried = 0;
    for (first, rest) in ends.map(|at| term.split_at(at)) {
        if !is_long(first) || !is_long(rest) || part(first) + 1 < part(term) {
            continue;
        }
        let Some(first) = word_of(store, first)? else {
            continue;
        };
        tried += 1;
        if tried > MAX_FIRST {
            break;
        }
        let bare = rest.strip_prefix('s').filter(|bare| is_long(bare));
        for rest in [Some(rest), bare].into_iter().flatten() {
            if let Some(second) = word_of(store, rest)? {
                return Ok(Some([first, second]));
            }
        }
    }
    Ok(None)
}

/// A word of the site by itself; none for a function word.
fn word_of(store: &Resident, word: &str) -> Step<Option<Slot>> {
    let Some(at) = lookup(store, word)? else {
        return Ok(None);
    };
    let mut gather = Gather::default();
    let found = gather.take(alternative(store, at, word, 1.0)?);
    gather.done()?;
    let found = found.filter(|a| a.stem().df > 0 && !a.stem().is_function);
    Ok(found.map(|own| Slot {
        term: word.to_owned(),
        kind: TermKind::Word,
        alternatives: vec![own],
        weight: 1.0,
        correction: None,
        is_untold: false,
    }))
}
