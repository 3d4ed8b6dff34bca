//! Listings of source code: pages that are one block of code and nothing else.

use scraper::Node;

use crate::indexer::noise::PageNode;

/// True for a body that is one `<pre>` and nothing else: a listing of a file.
pub(super) fn is_listing(body: PageNode<'_>) -> bool {
    holds_only(body, "pre")
}

/// True for a body that is one piece of code and nothing else: ocamldoc's signature of a module, whose page tells of it.
pub(super) fn is_signature(body: PageNode<'_>) -> bool {
    holds_only(body, "code")
}

fn holds_only(body: PageNode<'_>, name: &str) -> bool {
    let is_shown = |name: &str| !matches!(name, "script" | "style" | "link" | "noscript");
    let mut shown = body.children().filter_map(|child| match child.value() {
        Node::Element(element) => is_shown(element.name()).then_some(element.name()),
        Node::Text(text) => (!text.trim().is_empty()).then_some("#text"),
        _ => None,
    });
    shown.next() == Some(name) && shown.next().is_none()
}
