//! Lines that autogsdoc writes around the documentation of a class: its authors, where it is declared, since when it is there.
//!
//! ```html
//! <h1><a name="title$Ebb">Ebb class reference</a></h1> <h3>Authors</h3> <dl>…</dl> <p><b>Copyright:</b> (C) …</p> …
//! <blockquote class="declared">…</blockquote> … <div class="availability"><b>Availability:</b> OpenStep</div>
//! ```

use super::{Attributes, PageNode, is_element, short_text};

const LABELS: [&str; 3] = ["Copyright:", "Date:", "Version:"];
const MAX_BEFORE: usize = 16; // Nodes from the title of a page to what stands below it.
const MAX_LABEL: usize = 16;

/// True for one of them.
pub(super) fn is_around(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "blockquote" => attributes.class == "declared",
        "div" => attributes.class == "availability" && is_labelled(node, &["Availability:"]),
        "p" => is_labelled(node, &LABELS) && is_below_title(node),
        "h3" => is_authors(node),
        "dl" => before(node).next().is_some_and(is_authors),
        _ => false,
    }
}

fn is_authors(node: PageNode<'_>) -> bool {
    is_element(node, "h3")
        && short_text(node, MAX_LABEL).trim() == "Authors"
        && is_below_title(node)
}

fn is_labelled(node: PageNode<'_>, labels: &[&str]) -> bool {
    let first = node.children().find(|child| child.value().is_element());
    let label = first.filter(|first| is_element(*first, "b"));
    label.is_some_and(|label| labels.contains(&short_text(label, MAX_LABEL).trim()))
}

/// True for what stands behind the title of a page, which an anchor tells.
fn is_below_title(node: PageNode<'_>) -> bool {
    let mut titles = before(node).filter(|node| is_element(*node, "h1"));
    titles.any(|title| {
        let anchor = title
            .first_child()
            .and_then(|node| node.value().as_element());
        let name = anchor.and_then(|anchor| anchor.attr("name"));
        name.is_some_and(|name| name.starts_with("title$"))
    })
}

fn before(node: PageNode<'_>) -> impl Iterator<Item = PageNode<'_>> {
    let before = node.prev_siblings().take(MAX_BEFORE);
    before.filter(|node| node.value().is_element())
}
