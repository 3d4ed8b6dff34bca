//! Passages: the sections that were found, with their neighbors, joined where they touch.
//!
//! Source: spec/onyx.md §3.4; a section of a page stands for a chunk, a result for a document.

use super::result::Passage;
use super::sections::section_weights;
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Resident, TextRecord};
use crate::find::ask::words::Slot;
use crate::find::onyx::options::Window;
use crate::find::onyx::windows;
use crate::find::onyx::windows::{MAX_SECTIONS, Section};
use crate::text::budget::estimate;
use std::rc::Rc;

/// Sections of a result that count as found.
const FOUND: usize = 3;

/// The passages of each hit, best first; within `context.token_budget` together, the first results first.
pub fn passages(
    store: &Resident,
    slots: &[Slot],
    nodes: &[NodeId],
    context: Window,
) -> Step<Vec<Vec<Passage>>> {
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
    let tokens =
        |doc: u32, chunk: u32| estimate(&texts[doc as usize].sections[chunk as usize].text);
    let kept = windows::fit_tokens(&merged, context.token_budget, &tokens);
    let mut out: Vec<Vec<Passage>> = vec![Vec::new(); nodes.len()];
    for section in kept {
        let text = &texts[section.doc as usize];
        out[section.doc as usize].push(passage(text, section));
    }
    Ok(out)
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
