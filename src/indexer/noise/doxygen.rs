//! Doxygen's additions to what it is told: diagrams, the types above and below a type, places in the sources, what refers
//! to what, and the files that a page was made from.

use super::{Attributes, PageNode, has_class, short_text};
use scraper::Node;

/// Beginnings of its lines on a member, and of those on a type.
const OF_MEMBER: [&str; 3] = ["Definition at line ", "References ", "Referenced by "];
const OF_TYPE: [&str; 2] = ["Inherits ", "Inherited by "];
/// Beginning of its link to a listing.
const TO_SOURCE: &str = "Go to the source code of ";
/// Beginning of the line above the list of files.
const FILES: &str = "The documentation for this ";

/// True for one of them.
pub(super) fn is_addition(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "div" => attributes.has_class(&["dynheader", "dynsummary", "dyncontent"]),
        "p" => match attributes.class {
            "definition" | "reference" => begins_with(node, &OF_MEMBER),
            "" => is_in(node, "contents") && begins_with(node, &OF_TYPE),
            _ => false,
        },
        "span" => attributes.class == "mlabels" && is_in(node, "title"),
        "ul" => is_in(node, "contents") && is_list_of_files(node),
        "tr" => is_inherited(attributes),
        "a" => attributes.href.ends_with("_source.html") && begins_with(node, &[TO_SOURCE]),
        "address" => attributes.class == "footer",
        _ => false,
    }
}

/// True for the line above the files that a page was made from.
pub(crate) fn is_line_on_files(text: &str) -> bool {
    let line = text.trim();
    line.starts_with(FILES)
        && line.ends_with(':')
        && line.contains(" generated from the following ")
}

fn is_list_of_files(list: PageNode<'_>) -> bool {
    match list.prev_sibling().map(|before| before.value()) {
        Some(Node::Text(text)) => is_line_on_files(text),
        _ => false,
    }
}

/// True for a row of a member that another type's page tells.
fn is_inherited(row: &Attributes<'_>) -> bool {
    let is_row = row.class.starts_with("mem") || row.class.starts_with("separator:");
    row.has_class(&["inherit_header"]) || (is_row && row.has_class(&["inherit"]))
}

fn begins_with(node: PageNode<'_>, starts: &[&str]) -> bool {
    let text = short_text(node, 32);
    starts
        .iter()
        .any(|start| text.trim_start().starts_with(start))
}

fn is_in(node: PageNode<'_>, class: &str) -> bool {
    node.parent().is_some_and(|parent| has_class(parent, class))
}
