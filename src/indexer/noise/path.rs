//! Lines of links above a page that lead down to it, and below it to those beside it, where no class names them, as
//! Macaulay2's documentation and Hextra, a theme of Hugo's, have them.
//!
//! ```html
//! <div><a href="index.html">Sea</a> > <a href="_tides.html">tides</a> > <a href="_ebb.html">ebb</a></div><hr/><h1>ebb</h1>
//! <div><div><a href="/sea/">Sea</a></div><svg/><div>Ebb</div></div><div><div><h1>Ebb</h1></div></div>
//! ```

use scraper::Node;

use super::{PageNode, is_element, short_text};

const SIGNS: [&str; 5] = [">", "»", "›", "→", "::"];

const MAX_TITLE: usize = 200; // Bytes of a title.
const MAX_BOXES: usize = 4; // Around a heading that is the first of what it stands in.

/// True for a line above or below a page that leads elsewhere.
pub(super) fn is_way(line: PageNode<'_>, name: &str) -> bool {
    is_pager(line, name) || !steps(line).is_empty()
}

/// True for Hextra's links to the pages before and behind: beside an arrow each has the title that it shows.
fn is_pager(node: PageNode<'_>, name: &str) -> bool {
    let is_link = |link: PageNode<'_>| {
        let title = link
            .value()
            .as_element()
            .and_then(|link| link.attr("title"));
        let is_titled =
            title.is_some_and(|title| short_text(link, MAX_TITLE).trim() == title.trim());
        is_element(link, "a") && is_titled && link.children().any(|child| is_element(child, "svg"))
    };
    let links = || node.children().filter(|child| child.value().is_element());
    name == "div" && (1..=2).contains(&links().take(3).count()) && links().all(is_link)
}

/// The links of such a line; empty for any other element. They and one sign between any two are all of it, and the page's
/// title in a box of its own.
pub(crate) fn steps(line: PageNode<'_>) -> Vec<PageNode<'_>> {
    if !is_element(line, "div") && !is_element(line, "p") || !is_above_heading(line) {
        return Vec::new();
    }
    let (mut links, mut sign, mut title) = (Vec::new(), None, None);
    let mut is_link_next = true;
    for node in line.children() {
        if title.is_some() && !matches!(node.value(), Node::Text(text) if text.trim().is_empty()) {
            return Vec::new();
        }
        match node.value() {
            Node::Text(text) if text.trim().is_empty() => continue,
            Node::Text(text) if !is_link_next && sign.is_none_or(|sign| sign == text.trim()) => {
                sign = SIGNS.into_iter().find(|sign| *sign == text.trim());
                if sign.is_none() {
                    return Vec::new();
                }
            }
            Node::Element(element) if is_link_next && element.name() == "a" => links.push(node),
            Node::Element(element) if !is_link_next && element.name() == "svg" => {}
            Node::Element(element) if is_link_next && element.name() == "div" => match sole(node) {
                Some(link) if is_element(link, "a") => links.push(link),
                None if !links.is_empty() && !elements(node).any(|_| true) => title = Some(node),
                _ => return Vec::new(),
            },
            _ => return Vec::new(),
        }
        is_link_next = !is_link_next;
    }
    if links.len() + usize::from(title.is_some()) < 2 || is_link_next {
        links.clear();
    }
    links
}

/// True for what stands straight above a rule or the first heading: below it, a line of links is a text's.
fn is_above_heading<'a>(line: PageNode<'a>) -> bool {
    let mut behind = line.next_siblings();
    let next = behind.find(|node| node.value().is_element());
    let within = |around: &PageNode<'a>| match is_element(*around, "div") {
        true => elements(*around).next(),
        false => None,
    };
    let mut boxes = std::iter::successors(next, within).take(MAX_BOXES);
    boxes.any(|node| is_element(node, "hr") || is_element(node, "h1"))
}

fn elements<'a>(node: PageNode<'a>) -> impl Iterator<Item = PageNode<'a>> {
    node.children().filter(|child| child.value().is_element())
}

/// The only element of a box that has no other text.
fn sole<'a>(node: PageNode<'a>) -> Option<PageNode<'a>> {
    let is_empty =
        |child: PageNode<'_>| matches!(child.value(), Node::Text(text) if text.trim().is_empty());
    let mut within = node.children().filter(|child| !is_empty(*child));
    let first = within.next().filter(|child| child.value().is_element())?;
    within.next().is_none().then_some(first)
}
