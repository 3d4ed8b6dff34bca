//! The words of a question on this site: stems, completions of an unfinished word, corrections of a wrong one.

use super::forms;
use super::slots::{alternative, any_inside, is_inside, lookup, prefer_inside};
use super::spelling::{self, Near};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::Resident;
use crate::bundle::stems::{StemRef, idf};
#[cfg(feature = "full")]
use crate::bundle::step::all;
use crate::bundle::step::{Gather, Step};
use crate::find::ask::question::Name;
use crate::find::ask::question::Question;
use crate::find::ask::quoted::Quoted;
use crate::text::{TermKind, Token, is_name, is_pin};
use std::rc::Rc;

pub use super::slots::{Alternative, Inside, Slot};

/// Parts behind that of an unfinished word that are looked into for its completions.
const MAX_FURTHER: usize = 2;
/// Most completions that are fetched for when there are no others, in each part that they may stand in.
const MAX_FAR: usize = 4;
/// Most completions of an unfinished word, the commonest first.
const MAX_COMPLETIONS: usize = 64;
/// Weight of a completion when the typed word is itself on the site.
const COMPLETION_WEIGHT: f32 = 0.25;
/// The same where the typed word is rare and a completion is much commoner.
const COMMONER_WEIGHT: f32 = 0.5;
/// Weight of the pieces of an identifier that is itself on the site.
const PIECE_WEIGHT: f32 = 0.3;
/// Weight of the pairs of a word of katakana that is itself on the site: longer words that have it share them.
const PAIR_WEIGHT: f32 = 0.5;
/// Weight of a plain word as the name of a section, where pages are called so: `profile` is more often the subject of
/// "Profiles" than an entry in a glossary or an option.
const MENTIONED_WEIGHT: f32 = 0.1;
/// Weight of a corrected word, by edit distance.
const CORRECTION_WEIGHT: [f32; 3] = [1.0, 0.9, 0.6];

/// Weight of the commoner word that a rare one may be a mistake for.
const LIKELIER_WEIGHT: f32 = 0.5;

/// The words of a text as they stand on the site: nothing is completed, corrected or weighed.
#[cfg(feature = "full")]
pub fn on_site(store: &Resident, text: &Question) -> Step<Vec<Slot>> {
    own_parts(store, text, &|_| false)?;
    let read = |token: &Token| {
        let at = lookup(store, &token.term)?;
        let found = at.map(|at| alternative(store, at, &token.term, 1.0));
        let found = found.transpose()?.transpose()?;
        Ok(Slot {
            term: token.term.clone(),
            kind: token.kind,
            alternatives: found.into_iter().collect(),
            weight: 1.0,
            correction: None,
            is_untold: false,
        })
    };
    all(text.tokens.iter().map(read).collect())
}

/// Reads a question against the dictionary.
///
/// `complete` treats the last word as unfinished, unless a space or a sign stands behind it; words of a foreign language are
/// in no general dictionary. Of what a word may mean, that which stands `inside` comes before that which stands outside
/// only.
pub fn read(
    store: &Resident,
    question: &Question,
    complete: bool,
    is_foreign: bool,
    inside: Inside<'_>,
) -> Step<Vec<Slot>> {
    let tokens = &question.tokens;
    let is_open = |t: &Token| complete && question.is_open(t);

    let own_parts = own_parts(store, question, &is_open)?;
    let mut gather = Gather::default();
    let mut slots: Vec<Slot> = Vec::new();
    for token in tokens {
        if let Some(slot) = slots.iter_mut().find(|s| s.term == token.term) {
            // A word said twice is meant twice, as BM25 has it; pieces repeat because of how words are cut.
            if token.kind == TermKind::Word {
                slot.weight += 1.0;
            }
            continue;
        }
        let mut alternatives = as_typed(store, token, &mut gather)?;
        // An identifier that the site has is finished.
        if is_open(token) && (token.kind != TermKind::Whole || alternatives.is_empty()) {
            let typed = (token.term.as_str(), false);
            let into = &mut alternatives;
            completions(store, typed, &own_parts, into, inside, &mut gather)?;
        }
        prefer_inside(&mut alternatives, inside);
        // One letter behind other words is most often where the next word begins.
        let is_begun = token.term.len() == 1 && tokens.len() > 1 && is_open(token);
        slots.push(Slot {
            term: token.term.clone(),
            kind: token.kind,
            alternatives,
            weight: if is_begun { PIECE_WEIGHT } else { 1.0 },
            correction: None,
            is_untold: false,
        });
    }
    gather.done()?;
    match is_foreign {
        true => forms::read(store, &mut slots, inside)?,
        false => read_general(store, &mut slots)?,
    }
    correct(store, question, &mut slots, inside)?;
    forms::cut_compounds(store, &mut slots)?;
    weigh_pieces(tokens, &mut slots);
    let own_parts = Some(&own_parts[..]).filter(|_| complete);
    add_names(store, question, own_parts, inside, &mut slots)?;
    Ok(slots)
}

/// The stem of a word as it is typed, and that of a likelier word.
fn as_typed(store: &Resident, token: &Token, gather: &mut Gather) -> Step<Vec<Alternative>> {
    let mut found = Vec::new();
    if let Some(at) = lookup(store, &token.term)? {
        found.extend(gather.take(alternative(store, at, &token.term, 1.0)?));
        if let Some(own) = found.first().filter(|_| token.kind == TermKind::Word)
            && let Some((word, at)) = spelling::likelier(&own.part.clone(), at, &token.term)
        {
            found.extend(gather.take(alternative(store, at, word, LIKELIER_WEIGHT)?));
        }
    }
    Ok(found)
}

/// Adds the names that something on the site has, their words as they were read. What is in one counts as the pieces of
/// an identifier do. With `own_parts`, a name at the end may be unfinished.
fn add_names(
    store: &Resident,
    question: &Question,
    own_parts: Option<&[u32]>,
    inside: Inside<'_>,
    slots: &mut Vec<Slot>,
) -> Step<()> {
    let mut gather = Gather::default();
    for name in &question.names {
        let read = |term: String, slot: &Slot| match &slot.correction {
            Some(word) if slot.kind != TermKind::Part => term.replacen(&slot.term, word, 1),
            _ => term,
        };
        let term = slots.iter().fold(name.term.clone(), read);
        let is_typed = term == name.term;
        let (term, at) = on_site_or_other(store, name, term)?;
        let mut found = Vec::new();
        if let Some(at) = at {
            found.extend(gather.take(alternative(store, at, &term, 1.0)?));
        } else if let Some(own_parts) = own_parts
            && question.is_open_name(name)
        {
            let written = name.other.as_ref().unwrap_or(&name.term);
            let typed = (&written[..written.len() - 1], true);
            completions(store, typed, own_parts, &mut found, inside, &mut gather)?;
        }
        let is_title = |a: &Alternative| {
            let impacts = &a.stem().postings.impacts;
            impacts.iter().any(|i| i.title_len() > 0.0)
        };
        found.retain(|a| a.stem().df > 0 && (name.is_written || is_title(a)));
        if found.is_empty() {
            continue;
        }
        let is_subject = |slot: &Slot| slot.alternatives.iter().any(is_title);
        let is_mentioned = || {
            let is_title_of = found.iter().any(is_title);
            question.is_word(name) && !is_title_of && slots.iter().any(is_subject)
        };
        let weight = match is_typed {
            true if is_mentioned() => MENTIONED_WEIGHT,
            true => 1.0,
            // A name that nobody typed says less than the words it was read from: several of them may be near.
            false => PIECE_WEIGHT,
        };
        if name.is_written {
            weigh_words_of(name, &question.tokens, slots);
        }
        slots.push(Slot {
            term,
            kind: TermKind::Whole,
            alternatives: found,
            weight,
            correction: None,
            is_untold: false,
        });
    }
    gather.done()
}

/// The place of a name's term, or of the other one where the site lacks that.
fn on_site_or_other(
    store: &Resident,
    name: &Name,
    term: String,
) -> Step<(String, Option<StemRef>)> {
    Ok(match (lookup(store, &term)?, &name.other) {
        (None, Some(other)) => (other.clone(), lookup(store, other)?),
        (at, _) => (term, at),
    })
}

/// The words of a name of several say less than the name.
fn weigh_words_of(name: &Name, tokens: &[Token], slots: &mut [Slot]) {
    let is_in = |t: &&Token| t.span.0 >= name.span.0 && t.span.1 <= name.span.1;
    let inside = tokens.iter().filter(is_in);
    let words = inside.filter(|t| t.kind == TermKind::Word);
    if words.clone().count() > 1 {
        for word in words {
            let slot = slots.iter_mut().find(|s| s.term == word.term);
            slot.into_iter().for_each(|slot| slot.weight = PIECE_WEIGHT);
        }
    }
}

/// The question with the options of the site that it seems to leave out as words; `None` where it has none.
pub fn with_options(
    store: &Resident,
    question: &Question,
    complete: bool,
) -> Step<Option<Question>> {
    let options = &question.quoted.options;
    if !options.is_empty() {
        own_parts(store, question, &|t| complete && question.is_open(t))?;
    }
    let is_known = |term: &&String| lookup(store, term).is_ok_and(|found| found.is_some());
    let known: Vec<&String> = options.iter().filter(is_known).collect();
    Ok((!known.is_empty()).then(|| Question::with_options(&question.text, &known)))
}

/// The parts that the words themselves need, asked for at once; with them, those of what is left out.
fn own_parts(
    store: &Resident,
    question: &Question,
    is_open: &dyn Fn(&Token) -> bool,
) -> Step<Vec<u32>> {
    let mut gather = Gather::default();
    let mut parts: Vec<u32> = Vec::new();
    for token in &question.tokens {
        parts.extend(parts_for(store, &token.term, is_open(token)));
    }
    let head = store.head();
    let mut ask = |terms: &[String]| {
        for term in terms {
            parts.extend(head.term_part(term));
        }
    };
    for name in &question.names {
        ask(std::slice::from_ref(&name.term));
        ask(name.other.as_slice());
    }
    if head.parameters.pins {
        ask(std::slice::from_ref(&question.pin));
    }
    let Quoted {
        excluded, options, ..
    } = &question.quoted;
    excluded.iter().for_each(|terms| ask(terms));
    ask(options);
    for &part in &parts {
        gather.take(store.terms(part));
    }
    gather.done()?;
    Ok(parts)
}

/// Parts where a term, and its completions, may stand. Completions look at most [`MAX_FURTHER`] parts further.
fn parts_for(store: &Resident, term: &str, open: bool) -> Vec<u32> {
    let Some(own) = store.head().term_part(term) else {
        return Vec::new();
    };
    let is_looked_up = open && term.chars().count() >= 2;
    let further = store.head().term_keys.iter().skip(own as usize + 1);
    let further = further.take(if is_looked_up { MAX_FURTHER } else { 0 });
    let n_further = further.take_while(|key| key.starts_with(term)).count();
    (own..=own + n_further as u32).collect()
}

/// The pages that somebody chose to be first for this question, in their order.
pub(super) fn pinned(store: &Resident, question: &Question) -> Step<Vec<NodeId>> {
    if question.pin.is_empty() || !store.head().parameters.pins {
        return Ok(Vec::new());
    }
    let Some(at) = lookup(store, &question.pin)? else {
        return Ok(Vec::new());
    };
    let part = store.terms(at.part)?;
    let postings = part.stem(at.stem).map(|stem| &stem.postings);
    let nodes = postings
        .into_iter()
        .flat_map(|p| p.nodes.iter().zip(&p.impacts));
    let mut pages: Vec<(u32, NodeId)> = nodes
        .map(|(&node, impact)| (impact.title_len() as u32, NodeId(node)))
        .collect();
    order::sort_by(&mut pages, |a, b| a.cmp(b));
    Ok(pages.into_iter().map(|(_, node)| node).collect())
}

/// The nodes that have one of `terms` in any form, ascending, and true if a term is so frequent that others may have it.
pub(super) fn nodes_of(store: &Resident, terms: &[&str]) -> Step<(Vec<u32>, bool)> {
    let mut gather = Gather::default();
    let parts = terms.iter().filter_map(|term| store.head().term_part(term));
    parts.for_each(|part| drop(gather.take(store.terms(part))));
    gather.done()?;
    let mut gather = Gather::default();
    let (mut nodes, mut is_cut) = (Vec::new(), false);
    for term in terms {
        if let Some(at) = lookup(store, term)?
            && let Some(found) = gather.take(alternative(store, at, term, 1.0)?)
        {
            let stem = found.stem();
            nodes.extend_from_slice(&stem.postings.nodes);
            is_cut |= (stem.postings.nodes.len() as u32) < stem.df;
        }
    }
    gather.done()?;
    order::sort_dedup(&mut nodes);
    Ok((nodes, is_cut))
}

/// Adds words that begin with `term`, or names where those are asked for. They share one idf, that of all of them
/// together: a completion must not win because it is rare.
///
/// A completion whose stem stands in a part that none of the question's words need (not in `own_parts`) is worth a
/// fetch only when there is nothing else. Which parts are there by chance must not count: answers would depend on what
/// was asked before.
fn completions(
    store: &Resident,
    (term, names): (&str, bool),
    own_parts: &[u32],
    out: &mut Vec<Alternative>,
    inside: Inside<'_>,
    gather: &mut Gather,
) -> Step<()> {
    let is_known = |a: &Alternative| a.stem().df > 0 && is_inside(a.stem(), inside);
    let own = out.first().filter(|a| is_known(a));
    let own = own.map_or(0, |a| a.stem().df);
    let mut found: Vec<Alternative> = Vec::new();
    for is_far in [false, true] {
        for part in parts_for(store, term, true) {
            let part = store.terms(part)?;
            let longer = part.with_prefix(term).filter(|(s, at)| {
                let is_kind = is_name(s) == names && !is_pin(s);
                *s != term && is_kind && own_parts.contains(&at.part) != is_far
            });
            for (surface, at) in longer.take(if is_far { MAX_FAR } else { usize::MAX }) {
                let there = gather.take(alternative(store, at, surface, 1.0)?);
                found.extend(there.filter(|a| a.stem().df > 0));
            }
        }
        if any_inside(&found, inside) || any_inside(out, inside) {
            break;
        }
    }
    prefer_inside(&mut found, inside);
    order::sort_by(&mut found, |a, b| {
        b.stem()
            .df
            .cmp(&a.stem().df)
            .then_with(|| a.surface.cmp(&b.surface))
    });
    let mut distinct: Vec<Alternative> = Vec::new();
    for candidate in found {
        let same =
            |a: &Alternative| Rc::ptr_eq(&a.part, &candidate.part) && a.index == candidate.index;
        if distinct.len() < MAX_COMPLETIONS && !distinct.iter().chain(out.iter()).any(same) {
            distinct.push(candidate);
        }
    }
    // A rare word that a much commoner one begins with is more likely that one, half-typed. It is as important as that, the
    // first, and no more.
    let is_common = |a: &Alternative| a.stem().df >= own * spelling::COMMONER;
    let (mut at, weight) = match own {
        0 => (out.len(), 1.0),
        1..=spelling::RARE if distinct.first().is_some_and(is_common) => (0, COMMONER_WEIGHT),
        _ => (out.len(), COMPLETION_WEIGHT),
    };
    share_idf(store, &mut distinct);
    for mut a in distinct {
        let typed = term.chars().count() as f32 / a.surface.chars().count() as f32;
        a.weight = typed.sqrt() * weight;
        out.insert(at, a);
        at += 1;
    }
    Ok(())
}

/// Gives all alternatives of one typed word the idf of all of them together.
fn share_idf(store: &Resident, alternatives: &mut [Alternative]) {
    let together: u32 = alternatives.iter().map(|a| a.stem().df).sum();
    let shared = idf(store.head().parameters.n_nodes, together);
    alternatives.iter_mut().for_each(|a| a.idf = shared);
}

/// True for a word that the general words may have.
fn is_general(term: &str) -> bool {
    term.len() > 2 && term.bytes().all(|b| b.is_ascii_lowercase())
}

/// Looks up the words that are not on the site in the language at large: they lead to another form of a word that is, or
/// bring a vector.
fn read_general(store: &Resident, slots: &mut [Slot]) -> Step<()> {
    let part = |slot: &Slot| {
        let wanted = slot.alternatives.is_empty() && is_general(&slot.term);
        store.head().general_part(&slot.term).filter(|_| wanted)
    };
    let parts: Vec<Option<u32>> = slots.iter().map(part).collect();
    let mut gather = Gather::default();
    for &part in parts.iter().flatten() {
        gather.take(store.terms(part));
    }
    gather.done()?;
    let mut gather = Gather::default();
    for (slot, part) in slots.iter_mut().zip(parts) {
        let Some(part) = part else { continue };
        let own = store.terms(part)?;
        slot.is_untold = own.is_absent();
        let Some(at) = own.find(&slot.term) else {
            continue;
        };
        let Some(there) = gather.take(store.terms(at.part)) else {
            continue;
        };
        slot.is_untold = there.is_absent();
        if !slot.is_untold {
            let found = alternative(store, at, &slot.term, 1.0)?;
            slot.alternatives.extend(gather.take(found));
        }
    }
    gather.done()
}

/// Asks for the parts with a word, and with the names of the question in which `typed` is read as that word. Both stand in
/// one part as a rule.
fn ask_for(store: &Resident, names: &[Name], typed: &str, word: &str, gather: &mut Gather) {
    let named = |name: &Name| name.term.replacen(typed, word, 1);
    for term in names.iter().map(named).chain([word.to_owned()]) {
        if let Some(part) = store.head().term_part(&term) {
            gather.take(store.terms(part));
        }
    }
}

/// Keeps the nearest words of those that stand on wanted pages; of all, where none stands there.
fn keep_inside(store: &Resident, nearest: &mut Vec<Near>, inside: Inside<'_>, gather: &mut Gather) {
    let mut stands = |near: &Near| {
        let at = lookup_loaded(store, &near.surface)?;
        let part = gather.take(store.terms(at.part))?;
        Some(is_inside(part.stem(at.stem)?, inside))
    };
    let is_there: Vec<_> = nearest.iter().map(&mut stands).collect();
    if is_there.contains(&Some(true)) {
        let mut is_there = is_there.into_iter();
        nearest.retain(|_| is_there.next() != Some(Some(false)));
    }
    spelling::keep_nearest(nearest);
}

/// Gives words that are not on the site, nor in the language at large, the nearest words that are.
fn correct(
    store: &Resident,
    question: &Question,
    slots: &mut [Slot],
    inside: Inside<'_>,
) -> Step<()> {
    let unknown: Vec<usize> = (0..slots.len())
        .filter(|&i| slots[i].alternatives.is_empty() && spelling::is_correctable(&slots[i].term))
        .collect();
    let mut gather = Gather::default();
    for &i in &unknown {
        spelling::ask(store, &slots[i].term, &mut gather);
    }
    gather.done()?;
    let mut gather = Gather::default();
    for &i in &unknown {
        let mut nearest = spelling::nearest(store, &slots[i].term, inside.is_some())?;
        for near in &nearest {
            ask_for(
                store,
                &question.names,
                &slots[i].term,
                &near.surface,
                &mut gather,
            );
        }
        if inside.is_some() {
            keep_inside(store, &mut nearest, inside, &mut gather);
        }
        for near in &nearest {
            let Some(at) = lookup_loaded(store, &near.surface) else {
                continue;
            };
            if let Some(a) = gather.take(alternative(
                store,
                at,
                &near.surface,
                match near.distance {
                    0 => (slots[i].term.len() as f32 / near.surface.len() as f32).sqrt(),
                    mistakes => CORRECTION_WEIGHT[mistakes],
                },
            )?) {
                if near.distance > 0 {
                    slots[i]
                        .correction
                        .get_or_insert_with(|| near.surface.clone());
                }
                slots[i].alternatives.push(a);
            }
        }
        if nearest.first().is_some_and(|near| near.distance == 0) {
            share_idf(store, &mut slots[i].alternatives);
        }
    }
    gather.done()
}

fn lookup_loaded(store: &Resident, surface: &str) -> Option<StemRef> {
    store
        .terms(store.head().term_part(surface)?)
        .ok()?
        .find(surface)
}

/// Pieces of an identifier or a word that is on the site count less than that itself.
fn weigh_pieces(tokens: &[Token], slots: &mut [Slot]) {
    for whole in tokens.iter().filter(|t| t.kind != TermKind::Part) {
        if !slots.iter().any(|s| s.term == whole.term && s.occurs()) {
            continue;
        }
        let inside = |t: &&Token| {
            t.kind == TermKind::Part && t.span.0 >= whole.span.0 && t.span.1 <= whole.span.1
        };
        for piece in tokens.iter().filter(inside) {
            let alone = tokens
                .iter()
                .any(|t| t.term == piece.term && t.kind == TermKind::Word);
            if let Some(slot) = slots.iter_mut().find(|s| s.term == piece.term)
                && !alone
            {
                slot.weight = match whole.kind {
                    TermKind::Word => PAIR_WEIGHT,
                    _ => PIECE_WEIGHT,
                };
            }
        }
    }
}
