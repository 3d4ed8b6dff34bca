//! The sections of a result: how much of the question each holds, and their excerpts.

use super::result::{MatchedContext, SectionHit};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::{SectionText, TextView};
use crate::find::ask::meant::Meant;
use crate::find::ask::words::Slot;
use crate::text::{Excerpted, bytes_of, excerpt, sentences};

/// Characters of a heading that are read.
const HEADING_CHARS: usize = 200;
/// Sections shown below a result.
const SECTION_HITS: usize = 3;
/// Share of the best section's weight from which another is shown.
const SHOWN_FROM: f32 = 0.35;
/// Share of its weight that a word of the page's title has among the sections of that page.
const TITLED: f32 = 0.4;
/// Sections of a result that are read for excerpts.
const LOOKED_AT: usize = 3;

/// The weight of the question's words in each section of a node; all 0 when the words are recorded without sections.
pub fn section_weights(slots: &[Slot], node: NodeId, n_sections: usize) -> Vec<f32> {
    let mut weights = vec![0.0f32; n_sections];
    for (slot, share) in slots.iter().zip(shares(slots, node)) {
        let mut own = vec![0.0f32; n_sections];
        for alternative in &slot.alternatives {
            let postings = &alternative.stem().postings;
            let Ok(at) = postings.nodes.binary_search(&node.0) else {
                continue;
            };
            if postings.section_ends.is_empty() {
                continue;
            }
            for section in postings.sections_of(at) {
                if let Some(weight) = own.get_mut(section.ordinal()) {
                    // A section is about the words of its heading.
                    let times = if section.in_heading() { 2.0 } else { 1.0 };
                    *weight = weight
                        .max(alternative.weight * alternative.idf * slot.weight * share * times);
                }
            }
        }
        weights
            .iter_mut()
            .zip(own)
            .for_each(|(sum, own)| *sum += own);
    }
    weights
}

/// The share of its weight that each word keeps when sections of one page are compared: what the title of the page says,
/// all of them are about.
fn shares(slots: &[Slot], node: NodeId) -> Vec<f32> {
    let is_in_title = |slot: &Slot| {
        let mut postings = slot.alternatives.iter().map(|a| &a.stem().postings);
        postings.any(|p| {
            let at = p.nodes.binary_search(&node.0);
            at.is_ok_and(|at| p.impacts[at].title_len() > 0.0)
        })
    };
    let share = |slot| if is_in_title(slot) { TITLED } else { 1.0 };
    slots.iter().map(share).collect()
}

/// The sections that hold the most of the question, best first, at most [`LOOKED_AT`]; the first ones when the words are
/// recorded without sections. Cutting an excerpt reads a whole section, so only these are read.
pub(super) fn best_sections(slots: &[Slot], node: NodeId, n_sections: usize) -> Vec<usize> {
    let weights = section_weights(slots, node, n_sections);
    let mut best: Vec<usize> = Vec::new();
    for _ in 0..LOOKED_AT {
        let others = (0..n_sections).filter(|at| !best.contains(at));
        best.extend(others.reduce(|a, b| if weights[b] > weights[a] { b } else { a }));
    }
    best
}

/// True if a section has the name that is asked for.
fn is_named(slots: &[Slot], node: NodeId, section: usize) -> bool {
    let names = slots.iter().filter(|slot| slot.is_name());
    let mut postings = names.flat_map(|slot| slot.alternatives.iter().map(|a| &a.stem().postings));
    postings.any(|p| {
        let at = p.nodes.binary_search(&node.0).ok();
        let sections = at.map_or(&[][..], |at| p.sections_of(at));
        sections.iter().any(|s| s.ordinal() == section)
    })
}

/// A section that was read.
struct Cut {
    section: usize,
    excerpt: Excerpted,
    weight: f32,
    /// True if its heading is the question.
    is_question: bool,
    /// The pairs of the question's words in text and heading.
    pairs: u32,
    /// True if it has a text, or a heading with a word of the question that the page's title does not have.
    is_told: bool,
}

/// Reads the best sections of a text, the best first.
fn cuts(
    slots: &[Slot],
    node: NodeId,
    text: &TextView,
    meant: &Meant<'_>,
    length: usize,
) -> Vec<Cut> {
    let shares = shares(slots, node);
    let read = |section: usize| {
        let s = text.section(section)?;
        let excerpt = cut(&s.text, length, meant, &shares);
        let heading = cut(&s.heading, HEADING_CHARS, meant, &shares);
        // A share below 1 is that of a word of the title, which says nothing more here.
        let untitled: Vec<f32> = shares.iter().map(|share| share.floor()).collect();
        let says_more = || cut(&s.heading, HEADING_CHARS, meant, &untitled).weight > 0.0;
        Some(Cut {
            section,
            weight: excerpt.weight + heading.weight,
            pairs: meant.pairs_in(&s.text, &excerpt.hits)
                | meant.pairs_in(&s.heading, &heading.hits),
            is_told: !excerpt.text.is_empty() || says_more(),
            excerpt,
            is_question: meant.is_said_by(&s.heading) || is_named(slots, node, section),
        })
    };
    let best = best_sections(slots, node, text.n_sections());
    let mut cuts: Vec<Cut> = best.into_iter().filter_map(read).collect();
    let best = best_weight(&cuts);
    // A section whose heading is the question is the one that is looked for, whatever the others say of it.
    // A name that is a common word (`once`) weighs nothing as a word.
    for cut in cuts.iter_mut().filter(|c| c.is_question) {
        cut.weight = best.max(f32::MIN_POSITIVE);
    }
    order::sort_by(&mut cuts, |a, b| {
        b.weight
            .total_cmp(&a.weight)
            .then(b.is_question.cmp(&a.is_question))
            .then(a.section.cmp(&b.section))
    });
    cuts
}

fn best_weight(cuts: &[Cut]) -> f32 {
    cuts.iter().map(|c| c.weight).fold(0.0, f32::max)
}

fn cut(text: &str, max_chars: usize, meant: &Meant<'_>, shares: &[f32]) -> Excerpted {
    let may_match = |line: &str| meant.may_be_in(line);
    excerpt(text, max_chars, may_match, |piece, tell| {
        meant.shown_in(piece, &mut |(from, to, slot, weight)| {
            tell((from, to, slot, weight * shares[slot]));
        });
    })
}

/// The heading of a section; where others of the page have the same, behind that of the section above it.
pub(super) fn title_of(section: &SectionText) -> String {
    match section.above.as_str() {
        "" => section.heading.clone(),
        above => [above, " › ", &section.heading].concat(),
    }
}

/// Begins the address of a page in a fragment.
const HASH_ROUTE: &[u8] = b"#/";

/// The URI and the address of a section of a result.
pub(super) fn link_of(context: &MatchedContext, section: &SectionText) -> (String, String) {
    let of = |page: &str, sign: &str| match section.anchor.as_str() {
        "" => page.to_owned(),
        anchor => [page, sign, anchor].concat(),
    };
    // Docsify's address of a page is a fragment itself.
    let mut pairs = context.url.as_bytes().windows(HASH_ROUTE.len());
    let sign = if pairs.any(|pair| pair == HASH_ROUTE) {
        "?id="
    } else {
        "#"
    };
    (of(&context.uri, "#"), of(&context.url, sign))
}

/// The first sentences of a text within `width` letters; the whole text where its first is longer.
fn opening(text: &str, width: usize) -> &str {
    let length = bytes_of(text, width);
    let mut starts = Vec::new();
    sentences(text, 0, &mut starts);
    let mut ends = starts.iter().rev().map(|&start| start as usize);
    let end = ends.find(|end| (1..=length).contains(end));
    match end.filter(|_| text.len() > length) {
        Some(end) => text[..end].trim_end(),
        None => text,
    }
}

/// Adds the excerpt and the best sections to a result. O(text of `LOOKED_AT` sections).
pub fn add_sections(
    context: &mut MatchedContext,
    slots: &[Slot],
    node: NodeId,
    text: &TextView,
    meant: &Meant<'_>,
    length: usize,
) {
    let cuts = cuts(slots, node, text, meant, length);
    let best = best_weight(&cuts);
    let shares = shares(slots, node);
    let title = cut(&context.title, HEADING_CHARS, meant, &shares);
    context.pairs = meant.pairs_in(&context.title, &title.hits);
    for cut in &cuts {
        context.pairs |= cut.pairs;
    }
    // Who asks for a page by its name wants to know what it is, not where it says its name most often.
    let is_name = shares.iter().all(|&share| share < 1.0) && !context.abstract_.is_empty();
    let is_told = |c: &&Cut| c.is_question || !is_name;
    let shown = cuts.iter().filter(|c| c.excerpt.weight > 0.0).find(is_told);
    let brief = match is_name {
        true => opening(&context.abstract_, length),
        false => &context.abstract_,
    };
    let shown = shown.map_or_else(|| cut(brief, length, meant, &shares), |c| c.excerpt.clone());
    context.excerpt = shown.into();
    let matching = cuts.into_iter().filter(|c| c.weight > 0.0);
    for cut in matching.take(SECTION_HITS) {
        let Some(section) = text.section(cut.section) else {
            continue;
        };
        let is_told = cut.is_told || cut.is_question;
        if section.heading.is_empty() || !is_told || cut.weight < best * SHOWN_FROM {
            continue;
        }
        let (uri, url) = link_of(context, section);
        context.sections.push(SectionHit {
            uri,
            title: title_of(section),
            anchor: section.anchor.clone(),
            url,
            score: if best > 0.0 { cut.weight / best } else { 0.0 },
            excerpt: cut.excerpt.into(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_ends_with_a_sentence_and_wide_letters_count_as_two() {
        let text = "It maps keys. They are hashed. Order is lost.";
        assert_eq!(opening(text, 35), "It maps keys. They are hashed.");
        assert_eq!(opening(text, 5), text);
        assert_eq!(opening(text, 99), text);
        assert_eq!(
            opening("按键存取。它会散列。顺序不定。", 20),
            "按键存取。它会散列。"
        );
    }
}
