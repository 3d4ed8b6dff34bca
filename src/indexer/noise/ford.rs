//! Pages of FORD: the bar below a title, listings of sources, keys of graphs, and what a module repeats of procedures that
//! have pages.
//!
//! ```html
//! <h1>ebb <small>Subroutine</small></h1><div class="container"><div class="row" id="info-bar"><ul class="list-inline"><li
//! id="statements">…
//! <div class="card"><div class="card-header codesum"><span class="anchor" id="proc-ebb"></span><h3>private subroutine <a
//! href='../proc/ebb.html'>ebb</a>(by)</h3></div>…
//! ```

use super::{Attributes, PageNode, has_class, is_element};

const MAX_NODES: usize = 400; // From the start of a card to its link to more.

/// Ids of items in the bar below a title.
const ITEMS: [&str; 6] = [
    "statements",
    "source-file",
    "meta-author",
    "meta-date",
    "meta-version",
    "meta-license",
];

/// True for the bar below the title of a page, which says who wrote its subject and how long that is.
pub(crate) fn is_bar(node: PageNode<'_>) -> bool {
    id_of(node) == "info-bar" && below(node).any(|item| ITEMS.contains(&id_of(item)))
}

/// True for an element that FORD adds to a text, or that another page tells.
pub(super) fn is_addition(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "small" => node.parent().is_some_and(is_over_bar),
        "a" => attributes.class == "graph-help" || is_link_to_more(node),
        "thead" => node
            .parent()
            .is_some_and(|table| has_class(table, "varlist")),
        "section" => {
            let heading = first_element(node).filter(|first| is_element(*first, "h2"));
            heading
                .and_then(first_element)
                .is_some_and(is_anchor_of_sources)
        }
        "div" => {
            (attributes.id == "info-bar" && is_bar(node))
                || (attributes.has_class(&["card"]) && is_told_elsewhere(node))
        }
        "ul" => {
            let is_in_card = || node.prev_siblings().any(|node| has_class(node, "codesum"));
            attributes.class == "list-group" && is_in_card() && below(node).any(is_link_to_more)
        }
        _ => false,
    }
}

/// True for the heading of a page with the bar below it.
fn is_over_bar(heading: PageNode<'_>) -> bool {
    let next = heading
        .next_siblings()
        .find(|node| node.value().is_element());
    is_element(heading, "h1") && next.and_then(first_element).is_some_and(is_bar)
}

fn is_anchor_of_sources(anchor: PageNode<'_>) -> bool {
    has_class(anchor, "anchor") && id_of(anchor) == "src"
}

/// True for the card of a procedure on the page of its module, where the procedure has a page.
fn is_told_elsewhere(card: PageNode<'_>) -> bool {
    let head = first_element(card).filter(|head| has_class(*head, "codesum"));
    let Some((head, anchor)) = head.and_then(|head| Some((head, first_element(head)?))) else {
        return false;
    };
    let leads_to_page = |node: PageNode<'_>| {
        let element = node.value().as_element();
        let href = element.and_then(|element| element.attr("href"));
        href.is_some_and(|href| href.contains("/proc/") || href.contains("/interface/"))
    };
    id_of(anchor).starts_with("proc-") && below(head).any(leads_to_page)
}

/// True for `Read more…` behind the first sentence of a text that a page tells.
fn is_link_to_more(link: PageNode<'_>) -> bool {
    has_class(link, "pull-right")
        && first_element(link).is_some_and(|text| is_element(text, "emph"))
}

fn id_of<'a>(node: PageNode<'a>) -> &'a str {
    let element = node.value().as_element();
    element.map_or("", |element| Attributes::of(element).id)
}

fn first_element(node: PageNode<'_>) -> Option<PageNode<'_>> {
    node.children().find(|child| child.value().is_element())
}

fn below(node: PageNode<'_>) -> impl Iterator<Item = PageNode<'_>> {
    node.descendants().take(MAX_NODES)
}
