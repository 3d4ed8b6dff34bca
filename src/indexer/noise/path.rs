//! Lines of links above a page that lead down to it, where no class names them, as Macaulay2's documentation has them.
//!
//! ```html
//! <div><a href="index.html">Sea</a> > <a href="_tides.html">tides</a> > <a href="_ebb.html">ebb</a></div><hr/><h1>ebb</h1>
//! ```

use scraper::Node;

use super::{PageNode, is_element};

const SIGNS: [&str; 5] = [">", "»", "›", "→", "::"];

/// The links of such a line; empty for any other element. They and one sign between any two are all of it.
pub(crate) fn steps(line: PageNode<'_>) -> Vec<PageNode<'_>> {
    if !is_element(line, "div") && !is_element(line, "p") || !is_above_heading(line) {
        return Vec::new();
    }
    let (mut links, mut sign) = (Vec::new(), None);
    let mut is_link_next = true;
    for node in line.children() {
        match node.value() {
            Node::Text(text) if text.trim().is_empty() => continue,
            Node::Text(text) if !is_link_next && sign.is_none_or(|sign| sign == text.trim()) => {
                sign = SIGNS.into_iter().find(|sign| *sign == text.trim());
                if sign.is_none() {
                    return Vec::new();
                }
            }
            Node::Element(element) if is_link_next && element.name() == "a" => links.push(node),
            _ => return Vec::new(),
        }
        is_link_next = !is_link_next;
    }
    if links.len() < 2 || is_link_next {
        links.clear();
    }
    links
}

/// True for what stands straight above a rule or the first heading: below it, a line of links is a text's.
fn is_above_heading(line: PageNode<'_>) -> bool {
    let mut behind = line.next_siblings();
    let next = behind.find(|node| node.value().is_element());
    next.is_some_and(|next| is_element(next, "hr") || is_element(next, "h1"))
}
