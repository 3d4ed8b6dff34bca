//! Passages: the sections that were found, with their neighbors, joined where they touch.
//!
//! Source: spec/onyx.md §3.4; a section of a page stands for a chunk, a result for a document. Unlike there, the best
//! passage is cut where it does not fit, since nothing at all is no context.

use super::result::{MatchedContext, Passage, Skipped};
use super::sections::section_weights;
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Resident, TextRecord};
use crate::find::ask::meant::Meant;
use crate::find::ask::words::Slot;
use crate::find::onyx::options::Window;
use crate::find::onyx::windows;
use crate::find::onyx::windows::{MAX_SECTIONS, METADATA_TOKENS, Section};
use crate::text::budget::{estimate, truncate};
use crate::text::excerpt;
use std::rc::Rc;

/// Sections of a result that count as found.
const FOUND: usize = 3;

/// Passages named of those that did not fit; the others are counted.
const NAMED: usize = 5;

/// The passages of an answer, and those that the budget left no room for.
#[derive(Debug, Default)]
pub struct Passages {
    /// Of each hit, best first.
    pub of_hits: Vec<Vec<Passage>>,
    /// True if there is one passage, of which only a part did fit.
    is_cut: bool,
    /// The hit and the anchor of each passage left out, best first.
    left_out: Vec<(usize, String)>,
    budget: usize,
}

impl Passages {
    /// The passages that did not fit, by their addresses; `None` if all did.
    pub fn skipped(&self, contexts: &[MatchedContext]) -> Option<Skipped> {
        let name = |(hit, anchor): &(usize, String)| match anchor.as_str() {
            "" => contexts[*hit].uri.clone(),
            anchor => [&contexts[*hit].uri, "#", anchor].concat(),
        };
        let mut names: Vec<String> = self.left_out.iter().take(NAMED).map(name).collect();
        let more = self.left_out.len() - names.len();
        if more > 0 {
            names.push(format!("{more} more"));
        }
        let budget = self.budget;
        let reason = match (self.is_cut, names.is_empty()) {
            (false, true) => return None,
            (true, true) => format!("token_budget {budget} cuts the passage"),
            (true, false) => format!(
                "token_budget {budget} cuts the first passage and leaves out {}",
                names.join(", ")
            ),
            (false, false) => format!("token_budget {budget} leaves out {}", names.join(", ")),
        };
        Some(Skipped {
            step: "passages".into(),
            reason,
        })
    }
}

/// The passages of each hit, best first; within `context.token_budget` together, the first results first. Where not even
/// the best fits, it is cut to fit.
pub fn passages(
    store: &Resident,
    slots: &[Slot],
    nodes: &[NodeId],
    context: Window,
) -> Step<Passages> {
    let mut gather = Gather::default();
    for &node in nodes {
        gather.take(store.text(node));
    }
    gather.done()?;
    let texts = nodes
        .iter()
        .map(|&node| Ok(store.text(node)?))
        .collect::<Step<Vec<Rc<TextRecord>>>>()?;
    let mut hits: Vec<(u32, u32)> = Vec::new();
    for (doc, (text, &node)) in (0u32..).zip(texts.iter().zip(nodes)) {
        let weights = section_weights(slots, node, text.sections.len());
        let mut found: Vec<(u32, f32)> = (0u32..).zip(weights).filter(|s| s.1 > 0.0).collect();
        order::sort_by(&mut found, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        if found.is_empty() && !text.sections.is_empty() {
            // Found by meaning, or by a word on most pages: the beginning says what the page is about.
            found.push((0, 0.0));
        }
        hits.extend(found.iter().take(FOUND).map(|&(section, _)| (doc, section)));
    }
    let mut found = windows::build(&hits);
    found.truncate(MAX_SECTIONS);
    let widened: Vec<Section> = found
        .iter()
        .map(|section| {
            let n = texts[section.doc as usize].sections.len() as u32;
            windows::expand(section, context.above, context.below, n)
        })
        .collect();
    let merged = windows::merge(&widened);
    let of = |section: &Section| passage(&texts[section.doc as usize], section);
    let budget = context.token_budget;
    let kept = windows::fit_tokens(&merged, budget, &|section| estimate(&of(section).text));
    let mut out = Passages {
        of_hits: vec![Vec::new(); nodes.len()],
        budget,
        ..Passages::default()
    };
    for section in kept {
        out.of_hits[section.doc as usize].push(of(section));
    }
    let mut others = &merged[kept.len()..];
    if let (true, [best, rest @ ..]) = (kept.is_empty(), others)
        && let Some(cut) = shortened(slots, &texts[best.doc as usize], best, budget)
    {
        out.of_hits[best.doc as usize].push(cut);
        (out.is_cut, others) = (true, rest);
    }
    let name = |section: &Section| (section.doc as usize, of(section).anchor);
    out.left_out = others.iter().map(name).collect();
    Ok(out)
}

/// The passage around a section's centre, cut to `budget` tokens where the most of the question stands; `None` if they are
/// too few for a word.
fn shortened(
    slots: &[Slot],
    text: &TextRecord,
    section: &Section,
    budget: usize,
) -> Option<Passage> {
    let alone = Section {
        chunks: vec![section.centre],
        ..section.clone()
    };
    let whole = passage(text, &alone);
    let room = budget.checked_sub(METADATA_TOKENS)?;
    if estimate(&whole.text) <= room {
        return Some(whole);
    }
    let meant = Meant::of(slots);
    let may_match = |line: &str| meant.may_be_in(line);
    // Four letters a token, as the estimate has it.
    let cut = excerpt(&whole.text, room * 4, may_match, |piece, tell| {
        meant.shown_in(piece, tell);
    })
    .text;
    let cut = truncate(&cut, room).into_owned();
    (!cut.is_empty()).then_some(Passage { text: cut, ..whole })
}

fn passage(text: &TextRecord, section: &Section) -> Passage {
    let chunks = section.chunks.iter().map(|&c| &text.sections[c as usize]);
    let mut lines: Vec<&str> = Vec::new();
    for chunk in chunks {
        for line in [chunk.heading.as_str(), chunk.text.as_str()] {
            if !line.is_empty() {
                lines.push(line);
            }
        }
    }
    let centre = &text.sections[section.centre as usize];
    Passage {
        title: centre.heading.clone(),
        anchor: centre.anchor.clone(),
        sections: [
            section.chunks.first().copied().unwrap_or(section.centre),
            section.chunks.last().copied().unwrap_or(section.centre),
        ],
        text: lines.join("\n"),
    }
}
