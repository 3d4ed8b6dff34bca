//! The words of a question in a text, in any of their forms: for excerpts and phrases.

use super::beginnings::{Beginnings, is_letter};
use super::words::Slot;
use crate::bundle::stems::{StemRef, TermPart};
use crate::text::{Hit, TermKind, is_sign, operator_of, places, tokenize};
use std::cell::RefCell;
use std::rc::Rc;

/// Pieces of texts whose words are remembered.
const REMEMBERED: usize = 128;

/// A stem that a slot may mean, in one dictionary part.
struct Reading {
    stem: u32,
    /// Place of the surface that led to the stem, where this part knows it.
    surface: Option<StemRef>,
    slot: usize,
}

/// Maps a term of a text to the word of the question that it matches.
pub struct Meant<'s> {
    slots: &'s [Slot],
    weights: Vec<f32>,
    /// Function words beside words with a meaning, which no excerpt shows.
    silent: Vec<bool>,
    /// Pairs of letters that go over the end of a word, as far as that can be told: one alone is in many words.
    crossing: Vec<bool>,
    beginnings: Beginnings,
    /// An operator of the question, which is no word of a text.
    operator: Option<(usize, &'s str)>,
    /// The dictionary parts of the question, each with its alternatives.
    parts: Vec<(Rc<TermPart>, Vec<Reading>)>,
    /// Pieces that were read, each with its words, at the place that its bytes give: the texts that answer a question
    /// repeat its words.
    read: RefCell<Vec<(String, Vec<Hit>)>>,
}

impl<'s> Meant<'s> {
    /// Gathers the alternatives of a question's words by part: an unfinished word has dozens of them, in few parts.
    pub fn of(slots: &'s [Slot]) -> Self {
        let mut parts: Vec<(Rc<TermPart>, Vec<Reading>)> = Vec::new();
        for (word, slot) in slots.iter().enumerate() {
            for alternative in &slot.alternatives {
                let known = parts
                    .iter()
                    .position(|p| Rc::ptr_eq(&p.0, &alternative.part));
                let at = known.unwrap_or(parts.len());
                if known.is_none() {
                    parts.push((alternative.part.clone(), Vec::new()));
                }
                parts[at].1.push(Reading {
                    stem: alternative.index,
                    surface: alternative.part.find(&alternative.surface),
                    slot: word,
                });
            }
        }
        let weights = slots.iter().map(|s| s.importance().max(0.1)).collect();
        let is_silent = |s: &Slot| s.alternatives.iter().any(|a| a.stem().is_function);
        let mut silent: Vec<bool> = slots.iter().map(is_silent).collect();
        if !slots.iter().any(|s| s.occurs() && !is_silent(s)) {
            silent.fill(false);
        }
        let signs_of = |(at, slot): (usize, &'s Slot)| Some((at, operator_of(&slot.term)?));
        let operator = slots.iter().enumerate().find_map(signs_of);
        Self {
            slots,
            weights,
            silent,
            crossing: crossing(slots),
            beginnings: Beginnings::of(slots),
            operator,
            parts,
            read: RefCell::new(vec![Default::default(); REMEMBERED]),
        }
    }

    /// True if a line may hold one of the words that count; false only when none of its words begins as one. O(bytes).
    pub fn may_be_in(&self, line: &str) -> bool {
        self.operator
            .is_some_and(|(_, signs)| places(line, signs).next().is_some())
            || self.beginnings.may_be_in(line)
    }

    /// The words of the question.
    pub fn slots(&self) -> &'s [Slot] {
        self.slots
    }

    /// The pairs of the question's neighboring words that can stand side by side in a text, a bit each: its first word's.
    /// Two function words do everywhere.
    pub fn pairs(&self) -> u32 {
        let mut pairs = 0;
        for (at, two) in self.slots.windows(2).enumerate().take(32) {
            let is_same = two[0].term == two[1].term;
            let is_name = two[0].is_name() || two[1].is_name();
            let is_silent = self.silent[at] && self.silent[at + 1];
            if !(is_name || is_same || is_silent) {
                pairs |= 1 << at;
            }
        }
        pairs
    }

    /// Those of [`Meant::pairs`] that stand side by side in a text, of which `hits` are the words with a meaning.
    pub fn pairs_in(&self, text: &str, hits: &[Hit]) -> u32 {
        let mut pairs = 0;
        let mut before = &(0, 0, usize::MAX, 0.0);
        for hit in hits {
            let (from, to, word) = (hit.0 as usize, hit.1 as usize, hit.2);
            let is_next = before.2.wrapping_add(1) == word;
            if is_next && is_gap(text.as_bytes(), before.1 as usize, from) {
                pairs |= bit(before.2);
            }
            if word > 0
                && self.silent[word - 1]
                && ends_with(&text.as_bytes()[..from], &self.slots[word - 1].term)
            {
                pairs |= bit(word - 1);
            }
            if self.silent.get(word + 1) == Some(&true)
                && begins_with(&text.as_bytes()[to..], &self.slots[word + 1].term)
            {
                pairs |= bit(word);
            }
            before = hit;
        }
        pairs & self.pairs()
    }

    /// [`Meant::by`] for the words that carry meaning.
    pub fn shown(&self, term: &str) -> Option<(usize, f32)> {
        self.by(term).filter(|found| !self.silent[found.0])
    }

    /// Tells the words in a piece of a text that carry meaning, in their order.
    pub fn shown_in(&self, piece: &str, tell: &mut dyn FnMut(Hit)) {
        let hash = |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte));
        let place = piece.bytes().fold(0, hash);
        let (of, hits) = &mut self.read.borrow_mut()[place % REMEMBERED];
        if of != piece {
            piece.clone_into(of);
            hits.clear();
            tokenize(piece, |t| {
                let found = self.shown(&t.term);
                hits.extend(found.map(|(slot, weight)| (t.span.0, t.span.1, slot, weight)));
            });
            self.drop_stray(hits);
            if let Some((slot, signs)) = self.operator {
                for from in operators_in(piece, signs) {
                    let to = (from + signs.len()) as u32;
                    let at = hits.partition_point(|hit| hit.0 < from as u32);
                    hits.insert(at, (from as u32, to, slot, self.weights[slot]));
                }
            }
        }
        hits.iter().for_each(|&hit| tell(hit));
    }

    /// Drops pairs of letters that go over the end of a word and stand beside no other of the question.
    fn drop_stray(&self, hits: &mut Vec<Hit>) {
        let goes_on = |a: &Hit, b: &Hit| a.2 + 1 == b.2 && a.1 > b.0;
        let mut before: Option<Hit> = None;
        let mut at = 0;
        while let Some(&hit) = hits.get(at) {
            let is_beside = before.is_some_and(|before| goes_on(&before, &hit))
                || hits.get(at + 1).is_some_and(|next| goes_on(&hit, next));
            before = Some(hit);
            if self.crossing[hit.2] && !is_beside {
                hits.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// True if `text` has every word of the question that is on the site, and no other.
    pub fn is_said_by(&self, text: &str) -> bool {
        let mut said: Vec<bool> = self
            .slots
            .iter()
            .map(|slot| slot.is_name() || !slot.occurs())
            .collect();
        let mut more = false;
        tokenize(text, |t| match self.by(&t.term) {
            Some((slot, _)) => said[slot] = true,
            None => more |= t.kind != TermKind::Part,
        });
        !more && said.iter().all(|&said| said)
    }

    /// The word that `term` is, and its weight: the word as typed, or another form of what it stands for, as far as the
    /// parts of the question know. O(parts · log surfaces).
    pub fn by(&self, term: &str) -> Option<(usize, f32)> {
        // Pairs of letters are of one length, but few end alike.
        let end = term.as_bytes().last();
        let is_typed = |slot: &Slot| slot.term.as_bytes().last() == end && slot.term == term;
        let typed = self.slots.iter().position(is_typed);
        let slot = typed.or_else(|| {
            // Looking in the parts costs more than cutting the word did.
            if !self.beginnings.has(term) && !takes_prefixes(term) {
                return None;
            }
            self.parts.iter().find_map(|(part, alternatives)| {
                let at = part.find(term)?;
                let same =
                    |r: &&Reading| r.stem == at.stem && r.surface.is_none_or(|own| own == at);
                alternatives.iter().find(same).map(|r| r.slot)
            })
        })?;
        Some((slot, self.weights[slot]))
    }
}

/// The bit of a pair; none of those that are too many.
fn bit(word: usize) -> u32 {
    1u32.checked_shl(word as u32).unwrap_or(0)
}

/// True if no letter stands between two places, the second of which may be before the first.
fn is_gap(text: &[u8], from: usize, to: usize) -> bool {
    !(from..to).any(|at| is_letter(text[at]))
}

/// True if the last word of a text is `word`.
fn ends_with(text: &[u8], word: &str) -> bool {
    let mut end = text.len();
    while end > 0 && !is_letter(text[end - 1]) {
        end -= 1;
    }
    let Some(from) = end.checked_sub(word.len()) else {
        return false;
    };
    text[from..end].eq_ignore_ascii_case(word.as_bytes())
        && (from == 0 || !is_letter(text[from - 1]))
}

/// True if the first word of a text is `word`.
fn begins_with(text: &[u8], word: &str) -> bool {
    let mut from = 0;
    while from < text.len() && !is_letter(text[from]) {
        from += 1;
    }
    let end = from + word.len();
    end <= text.len()
        && text[from..end].eq_ignore_ascii_case(word.as_bytes())
        && !text.get(end).is_some_and(|&byte| is_letter(byte))
}

/// Tells of each word whether it is a pair of letters of a longer run, of which no word is known to begin there: Chinese
/// words are of two letters as a rule, others are longer or have endings.
fn crossing(slots: &[Slot]) -> Vec<bool> {
    let letters = |at: usize| {
        let slot: &Slot = slots.get(at).filter(|slot| slot.kind == TermKind::Gram)?;
        let mut chars = slot.term.chars();
        Some((chars.next()?, chars.next_back()?))
    };
    let goes_on = |at: usize| {
        letters(at)
            .zip(letters(at + 1))
            .is_some_and(|(a, b)| a.1 == b.0)
    };
    let is_han = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
    let mut han = 0;
    let tell = |at: usize| {
        let follows = at > 0 && goes_on(at - 1);
        let (first, last) = letters(at)?;
        han = if follows && is_han(first) {
            han + 1
        } else {
            usize::from(is_han(first))
        };
        Some((follows || goes_on(at)) && !(han % 2 == 1 && is_han(last)))
    };
    (0..slots.len())
        .map(tell)
        .map(|told| told == Some(true))
        .collect()
}

/// The places of an operator in a text where it is no piece of another.
fn operators_in<'t>(text: &'t str, signs: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_sign_at = |at: usize| text.as_bytes().get(at).is_some_and(|&byte| is_sign(byte));
    let is_whole =
        move |from: &usize| !is_sign_at(from.wrapping_sub(1)) && !is_sign_at(from + signs.len());
    places(text, signs).filter(is_whole)
}

/// True for a word in Arabic letters: "and", "with" and "the" are written as its beginning, which its stem does not have.
fn takes_prefixes(term: &str) -> bool {
    matches!(term.as_bytes().first(), Some(0xd8..=0xdb))
}
