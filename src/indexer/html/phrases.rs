//! Bold phrases with an address that head what follows, where no heading does: answers of a FAQ written by hand, and pages of
//! Anakia, whose headings are cells.
//!
//! ```html
//! <li><a href="#ebb">When is the ebb?</a></li> … <p><a id="ebb"><b>When is the ebb?</b></a><br>At six.</p>
//! <td bgcolor="#525D76"><font><a name="ebb"><strong>4.1 The ebb</strong></a></font></td>
//! ```

use std::collections::HashSet;

use scraper::Node;

use super::pod::only_element;
use super::{NodeKey, node_key};
use crate::indexer::noise::{Attributes, PageNode, is_element};

const MIN_PHRASES: usize = 3; // Of a page: fewer are remarks in a text.
const MAX_CHARS: usize = 160; // A question.

/// The anchors of a page whose phrases are headings: those that the page itself links to, or that are rows of their own.
pub(super) fn headings(page: PageNode<'_>) -> HashSet<NodeKey> {
    let mut phrases = Vec::new();
    let mut linked = HashSet::new();
    for node in page.descendants() {
        let Some(link) = node.value().as_element().filter(|e| e.name() == "a") else {
            continue;
        };
        let attributes = Attributes::of(link);
        if let Some(fragment) = attributes.href.strip_prefix('#') {
            linked.insert(fragment);
        } else if attributes.href.is_empty()
            && !id_of(&attributes).is_empty()
            && let Some(line) = phrase(node)
        {
            let is_row = is_element(line, "td") && line.parent().and_then(only_element).is_some();
            phrases.push((id_of(&attributes), is_row, node_key(node)));
        }
    }
    phrases.retain(|(id, is_row, _)| *is_row || linked.contains(id));
    if phrases.len() < MIN_PHRASES {
        phrases.clear();
    }
    phrases.into_iter().map(|(.., key)| key).collect()
}

/// The address of an anchor.
pub(super) fn id_of<'a>(anchor: &Attributes<'a>) -> &'a str {
    match anchor.id {
        "" => anchor.name,
        id => id,
    }
}

/// The paragraph or cell that an anchor begins which is bold as a whole and ends its line.
fn phrase(anchor: PageNode<'_>) -> Option<PageNode<'_>> {
    let texts = anchor.descendants().filter_map(|n| n.value().as_text());
    let n_chars: usize = texts.map(|text| text.trim().chars().count()).sum();
    let is_in_bold = || anchor.parent().is_some_and(is_bold);
    let is_phrase = (2..=MAX_CHARS).contains(&n_chars)
        && (only_element(anchor).is_some_and(is_bold) || is_in_bold());
    line_of(anchor).filter(|_| is_phrase)
}

fn is_bold(node: PageNode<'_>) -> bool {
    is_element(node, "b") || is_element(node, "strong")
}

/// The paragraph or cell of a node, if nothing stands before it there and a line break, if anything, behind it.
fn line_of(node: PageNode<'_>) -> Option<PageNode<'_>> {
    let is_empty = |node: &PageNode<'_>| match node.value() {
        Node::Text(text) => text.trim().is_empty(),
        Node::Element(_) => is_element(*node, "a") && !node.has_children(),
        _ => true,
    };
    let mut at = node;
    loop {
        let next = at.next_siblings().find(|node| !is_empty(node));
        let is_end = next.is_none_or(|next| is_element(next, "br"));
        if !is_end || !at.prev_siblings().all(|node| is_empty(&node)) {
            return None;
        }
        at = at.parent()?;
        match at.value().as_element()?.name() {
            "p" | "td" => return Some(at),
            "b" | "strong" | "font" | "span" => {}
            _ => return None,
        }
    }
}
