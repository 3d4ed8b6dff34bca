//! Names that a row of a table or an item of a list defines, set as code: an option, a variable, a key.

use scraper::Node;

use super::terms;
use crate::indexer::names;
use crate::indexer::noise::{Attributes, PageNode};

const MAX_CHARS: usize = 80; // A longer piece of code is a statement.
const MAX_NODES: usize = 64; // Of a piece of code that is read; a highlighter cuts it into its signs.
const MAX_ABOVE: usize = 5; // Elements from the code to its cell or item: a paragraph, a link, a bold name.
const MIN_ITEMS: usize = 3; // Of a list that is taken for definitions by their code alone.
const MAX_ITEMS: usize = 12; // Of a list that are looked at.
const MAX_BESIDE: usize = 8; // Nodes before or behind the code that are looked at.

/// True for a piece of code, for what xfpt makes of an option of DocBook's, `<span class="docbook_option">`, and for the
/// empty element to which Texinfo's index leads: `<span id="index-EBB_005fLIMIT"></span>`.
pub(super) fn may_define(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "code" => true,
        "span" | "a" => {
            attributes.class == "docbook_option"
                || !node.has_children() && attributes.id.starts_with(terms::INDEX)
        }
        _ => false,
    }
}

/// The name in a piece of code that opens the first cell of a row, or an item that goes on to tell of it. A flag or a key
/// with its type (`--no-semi`, `semi: <bool>`) is one in any cell. Of Texinfo's index, the name that it leads to.
pub(super) fn defined(code: PageNode<'_>) -> Option<String> {
    if !code.has_children() {
        let element = code.value().as_element()?;
        return terms::name_of_index(element.id()?).filter(|name| terms::is_name(name));
    }
    let text = text_of(code)?;
    let mut told = None;
    let mut at = code;
    for _ in 0..MAX_ABOVE {
        told = told.or_else(|| text_behind(at));
        let above = at.parent()?;
        let element = above.value().as_element()?;
        let name = element.name();
        if at.prev_siblings().take(MAX_BESIDE).any(says_something) {
            return None;
        }
        match name {
            "td" | "th" => {
                let is_first = !above.prev_siblings().any(|node| node.value().is_element());
                return names::of_code(&text, is_first);
            }
            // An item of code alone only mentions it.
            "li" => {
                const SIGNS: [&str; 4] = [":", "–", "—", "- "];
                let told = told?;
                let goes_on = SIGNS.iter().any(|sign| told.starts_with(sign));
                let defines = goes_on || above.parent().is_some_and(is_list_of_code);
                return names::of_code(&text, true).filter(|_| defines);
            }
            // A page of its own defines what a list of such leads to.
            "a" if element
                .attr("href")
                .is_some_and(|href| !href.starts_with('#')) =>
            {
                return None;
            }
            "p" | "strong" | "b" | "em" | "a" | "span" | "code" => at = above,
            _ => return None,
        }
    }
    None
}

/// The flags that a term of a list defines without an address of its own, as manual pages do: `-i, --interactive`,
/// `--onto <newbase>`, `-Wall`. Other terms are words, or parameters of what the section is about.
pub(super) fn of_term(term: PageNode<'_>) -> Vec<String> {
    let text = text_of(term).unwrap_or_default();
    let pieces = text.split([',', '|']).map(str::trim);
    let flags = pieces.filter(|piece| names::is_flag(piece));
    flags
        .filter_map(|piece| names::of_code(piece, true))
        .collect()
}

/// True for a list whose items all open with code.
fn is_list_of_code(list: PageNode<'_>) -> bool {
    let items = list.children().filter(|node| node.value().is_element());
    let opening: Vec<bool> = items.take(MAX_ITEMS).map(opens_with_code).collect();
    opening.len() >= MIN_ITEMS && opening.into_iter().all(|opens| opens)
}

fn opens_with_code(item: PageNode<'_>) -> bool {
    let mut below = item.descendants().skip(1).take(MAX_ABOVE * 2);
    let told = below.find(|node| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Element(element) => element.name() == "code",
        _ => false,
    });
    told.is_some_and(|node| node.value().is_element())
}

fn says_something(node: PageNode<'_>) -> bool {
    match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Element(_) => text_of(node).is_none_or(|text| !text.trim().is_empty()),
        _ => false,
    }
}

/// The text directly behind a node.
fn text_behind(node: PageNode<'_>) -> Option<&str> {
    let mut behind = node.next_siblings().take(MAX_BESIDE);
    behind.find_map(|node| match node.value() {
        Node::Text(text) => Some(text.trim_start()).filter(|text| !text.is_empty()),
        _ => None,
    })
}

/// The text of a short element; `None` for a longer one.
fn text_of(node: PageNode<'_>) -> Option<String> {
    let mut text = String::new();
    for below in node.descendants().take(MAX_NODES) {
        if let Node::Text(part) = below.value() {
            text.push_str(part);
        }
        if text.len() > MAX_CHARS {
            return None;
        }
    }
    Some(text)
}
