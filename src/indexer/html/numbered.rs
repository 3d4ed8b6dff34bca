//! Numbers of sections that a generator marks in its headings: they say where a section stands and not what it is about.

use crate::indexer::noise::{Attributes, PageNode, has_class};

const MAX_ABOVE: usize = 3; // Elements between a number and its heading: a link, a box.
const MAX_CHARS: usize = 24; // A longer one is no number.
const DOCUTILS: &str = "\u{a0}\u{a0}\u{a0}"; // Between a number and its title, where there is no element around the number.

/// Classes of pandoc's and bookdown's numbers, Docutils', Sphinx's, and Quarto's of a chapter.
const CLASSES: [&str; 4] = [
    "header-section-number",
    "sectnum",
    "section-number",
    "chapter-number",
];

/// The number that an element of a heading is.
pub(super) fn of_element(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
) -> Option<String> {
    if name != "span" || !attributes.has_class(&CLASSES) || !is_in_heading(node) {
        return None;
    }
    let texts = node
        .descendants()
        .filter_map(|below| below.value().as_text());
    let text: String = texts.map(|text| &**text).collect();
    let number = text.trim().trim_end_matches(['.', ':']);
    (!number.is_empty() && number.chars().count() <= MAX_CHARS).then(|| number.to_owned())
}

/// The number at the beginning of a heading's text as Docutils writes it in the link to the table of contents, and the title
/// behind it.
pub(super) fn of_text<'t>(node: PageNode<'_>, text: &'t str) -> Option<(&'t str, &'t str)> {
    let (number, title) = text.split_once(DOCUTILS)?;
    let mut parts = number.split('.');
    let is_number = parts.all(|part| {
        let all = |is: fn(&u8) -> bool| part.bytes().all(|byte| is(&byte));
        !part.is_empty() && (all(u8::is_ascii_digit) || all(u8::is_ascii_uppercase))
    });
    let is_linked = node
        .parent()
        .is_some_and(|link| has_class(link, "toc-backref"));
    (is_number && is_linked && is_in_heading(node)).then_some((number, title))
}

fn is_in_heading(node: PageNode<'_>) -> bool {
    let mut above = node.ancestors().take(MAX_ABOVE);
    above.any(|node| {
        let name = node.value().as_element().map(|element| element.name());
        matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
    })
}
