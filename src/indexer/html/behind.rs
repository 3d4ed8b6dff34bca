//! Texts behind lists of one definition that has none itself. Authors of Sphinx's pages do not indent them, so that they
//! are no part of the list:
//!
//! ```html
//! <dl class="option"><dt id="cmdoption-ebb"><code class="descname">--ebb</code>…</dt><dd></dd></dl>
//! <p>Lets the sea fall.</p>
//! ```

use scraper::Node;

use crate::indexer::noise::{Attributes, PageNode, is_element};

const MIN_LISTS: usize = 3; // Of a page on which authors do so.
const MAX_BEHIND: usize = 200; // Elements behind a list that may tell of it.
const MAX_NODES: usize = 16; // Of a definition without a text.
const MAX_NODES_OF_TERM: usize = 100; // A heading and a term have some tens.

/// The last of the elements that tell of a list's definition, up to the next heading or definition.
pub(super) fn last_told(list: PageNode<'_>) -> Option<PageNode<'_>> {
    if !is_bare(list) {
        return None;
    }
    let behind = list.next_siblings().take(MAX_BEHIND);
    let told = behind.take_while(|node| match node.value() {
        Node::Text(text) => text.trim().is_empty(),
        Node::Element(_) => is_text(*node),
        _ => true,
    });
    told.filter(|node| node.value().is_element()).last()
}

/// True for a page that tells so of half of the definitions that have no text themselves.
pub(super) fn are_told_so(page: PageNode<'_>) -> bool {
    let lists = page.descendants().filter(|node| is_element(*node, "dl"));
    let (mut n_bare, mut n_told) = (0, 0);
    for list in lists.filter(|list| is_bare(*list)) {
        n_bare += 1;
        n_told += usize::from(last_told(list).is_some());
    }
    n_told >= MIN_LISTS && n_told * 2 >= n_bare
}

/// True for a list of one definition with an id and no text.
fn is_bare(list: PageNode<'_>) -> bool {
    let mut elements = list.children().filter(|node| node.value().is_element());
    let is_headed = elements.next().is_some_and(has_id) && is_element(list, "dl");
    let mut behind = elements.skip_while(|node| is_element(*node, "dt"));
    let is_empty = |definition: PageNode<'_>| {
        let mut below = definition.descendants().skip(1).take(MAX_NODES);
        let says = |node: PageNode<'_>| match node.value() {
            Node::Text(text) => !text.trim().is_empty(),
            Node::Element(element) => element.name() == "img",
            _ => false,
        };
        is_element(definition, "dd") && !below.any(says)
    };
    is_headed
        && behind.next().is_none_or(is_empty)
        && behind.next().is_none()
        && !is_named_above(list)
}

/// True for a list right below a heading that names what it defines: the text is that of the heading's section.
fn is_named_above(list: PageNode<'_>) -> bool {
    let above = list.prev_siblings().find(|node| node.value().is_element());
    let is_heading = |node: &PageNode<'_>| {
        ["h1", "h2", "h3", "h4", "h5", "h6"]
            .iter()
            .any(|h| is_element(*node, h))
    };
    let Some(heading) = above.filter(is_heading) else {
        return false;
    };
    let text = |node: PageNode<'_>| {
        let texts = node.descendants().take(MAX_NODES_OF_TERM);
        let texts = texts.filter_map(|below| below.value().as_text());
        texts.map(|text| &**text).collect::<String>().to_lowercase()
    };
    let name = text(heading);
    let name = name
        .trim_end_matches(['¶', '#', '§', ' ', '\n'])
        .trim_start();
    !name.is_empty() && text(list).contains(name)
}

/// True for an element that goes on with a text: no heading, no section, no list of further definitions.
fn is_text(node: PageNode<'_>) -> bool {
    let Some(element) = node.value().as_element() else {
        return false;
    };
    let attributes = Attributes::of(element);
    match element.name() {
        "p" | "ul" | "ol" | "pre" | "table" | "blockquote" | "details" | "figure" => true,
        "div" => !attributes.has_class(&["section", "toctree-wrapper", "contents"]),
        "dl" => !node.children().any(has_id),
        _ => false,
    }
}

fn has_id(term: PageNode<'_>) -> bool {
    let element = term.value().as_element();
    is_element(term, "dt") && element.is_some_and(|term| !Attributes::of(term).id.is_empty())
}
