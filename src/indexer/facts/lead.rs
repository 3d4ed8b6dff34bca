//! The paragraph that a page opens with, behind its heading or the signature of what it is about.

use super::super::noise::PageNode;
use super::trail::{has_class, is_link};
use super::{MAX_LEAD_CHARS, text_of, text_within};
use scraper::Node;

/// Beginnings of lines on who wrote a text, and where it stood first.
const BYLINES: [&str; 5] = ["By ", "Posted ", "Originally ", "Published ", "Written by "];

/// The paragraph that follows a heading at once: not a link alone, nor a line of an author or a date.
pub(super) fn behind(heading: PageNode<'_>) -> Option<String> {
    let next = first_of(heading.next_siblings())?;
    if !is_named(next, "p") || next.descendants().any(|below| is_named(below, "time")) {
        return None;
    }
    let text = text_within(next, MAX_LEAD_CHARS + 1);
    let mut links = next.descendants().filter(|below| is_link(*below));
    let is_link_alone = links.any(|link| text_within(link, MAX_LEAD_CHARS + 1) == text);
    let fits = !text.is_empty() && text.chars().count() <= MAX_LEAD_CHARS;
    let is_byline = BYLINES.iter().any(|start| text.starts_with(start));
    (fits && !is_link_alone && !is_byline).then_some(text)
}

/// The first paragraph of the one thing that a page of Sphinx's is about: below its signature, which stands straight behind
/// the heading and is of the same name.
///
/// ```html
/// <h1>sea.ebb</h1><dl class="py function"><dt class="sig" id="sea.ebb">…</dt><dd><p>Turn the tide.</p>
/// ```
pub(super) fn docstring(heading: PageNode<'_>) -> Option<String> {
    let list = first_of(heading.next_siblings()).filter(|next| is_named(*next, "dl"))?;
    let signature = first_of(list.children()).filter(|first| is_named(*first, "dt"))?;
    let element = signature.value().as_element()?;
    let own = text_of(heading);
    let own = own.trim_end_matches(['¶', '#', '(', ')']);
    let name = element.attr("id").filter(|id| end(id) == end(own))?;
    if name.is_empty() || !has_class(element, |class| class == "sig") {
        return None;
    }
    let text = list.children().find(|child| is_named(*child, "dd"))?;
    let paragraph = first_of(text.children()).filter(|first| is_named(*first, "p"))?;
    let text = text_within(paragraph, MAX_LEAD_CHARS + 1);
    let fits = text.contains(' ') && text.chars().count() <= MAX_LEAD_CHARS;
    fits.then_some(text)
}

/// The last part of a path.
fn end(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The first of nodes that is an element, where no text stands before it.
fn first_of<'p>(mut nodes: impl Iterator<Item = PageNode<'p>>) -> Option<PageNode<'p>> {
    nodes.find(|node| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element(),
    })
}

fn is_named(node: PageNode<'_>, name: &str) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| element.name() == name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::facts;
    use crate::indexer::document::DOCSTRING;

    #[test]
    fn a_lead_is_the_paragraph_straight_behind_the_heading() {
        let lead = |behind: &str| facts(&format!("<h1 id=a>a</h1>\n{behind}")).lead;
        let text = "<p>Create a new <code>Keychain</code></p><p>More.</p>";
        assert_eq!(lead(text), "Create a new Keychain");
        for other in [
            "<table></table><p>Text of it</p>",
            "Text <p>of it all</p>",
            "<p><a href=b.html>Back to the list</a></p>",
            "<p>By Jane Roe</p>",
            "<p>Originally posted on <a href=https://x.org>another site</a></p>",
            "<p>On <time>3 May 2020</time> at noon</p>",
        ] {
            assert_eq!(lead(other), "", "{other}");
        }
        assert_eq!(lead(&format!("<p>{}</p>", "word ".repeat(90))), "");
    }

    #[test]
    fn a_page_of_one_definition_is_described_by_its_first_paragraph() {
        let page = |id: &str, text: &str| {
            let signature = format!("<dt class=\"sig sig-object py\" id=\"{id}\">ebb()</dt>");
            let list = format!("<dl class=\"py function\">{signature}<dd>{text}</dd></dl>");
            let html = format!("<h1>sea.ebb<a href=#x>¶</a></h1>\n{list}");
            facts(&html).classes.contains(DOCSTRING)
        };
        assert!(page("sea.ebb", "<p>Turn tide.</p>"));
        assert!(!page("sea.flow", "<p>Turn tide.</p>"), "of a module");
        assert!(!page("sea.ebb", "<div>Turn tide.</div>"));
    }
}
