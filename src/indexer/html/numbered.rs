//! Numbers of sections that a generator marks in its headings: they say where a section stands and not what it is about.

use crate::indexer::noise::{Attributes, PageNode, has_class};

const MAX_ABOVE: usize = 3; // Elements between a number and its heading: a link, a box.
const MAX_CHARS: usize = 24; // A longer one is no number.
const DOCUTILS: &str = "\u{a0}\u{a0}\u{a0}"; // Between a number and its title, where there is no element around the number.

const EM_SPACE: char = '\u{2003}'; // HeVeA's, between a number and its title.

/// Classes of pandoc's and bookdown's numbers, Docutils', Sphinx's and xml2rfc's, Org's by the level of the heading, Quarto's
/// of a chapter, Bikeshed's and ReSpec's, TeX4ht's.
const CLASSES: [&str; 11] = [
    "header-section-number",
    "sectnum",
    "section-number",
    "section-number-2",
    "section-number-3",
    "section-number-4",
    "section-number-5",
    "section-number-6",
    "chapter-number",
    "secno",
    "titlemark",
];

/// The level of a heading: TiddlyWiki's title of a page is its first, whatever element shows it, and no heading of its text
/// is another title.
pub(super) fn level(node: PageNode<'_>, heading: &str, attributes: &Attributes<'_>) -> u8 {
    let level = heading.as_bytes()[1] - b'0';
    let is_in_tiddler = || {
        node.ancestors()
            .any(|above| has_class(above, "tc-tiddler-body"))
    };
    match level {
        _ if attributes.class == "tc-title" => 1,
        1 if is_in_tiddler() => 2,
        level => level,
    }
}

/// The number that an element of a heading is.
pub(super) fn of_element(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
) -> Option<String> {
    let is_marked = attributes.has_class(&CLASSES)
        || is_of_pretext(node, attributes)
        || is_of_linuxdoc(node, attributes);
    if !matches!(name, "span" | "a" | "bdi") || !is_marked || !is_in_heading(node) {
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
    if let Some((number, title)) = of_hevea(text).filter(|_| is_in_heading(node)) {
        return Some((number, title));
    }
    if let Some((number, title)) = of_halibut(node, text).filter(|_| is_in_heading(node)) {
        return Some((number, title));
    }
    if let Some((number, title)) = of_linuxdoc(node, text).filter(|_| is_in_heading(node)) {
        return Some((number, title));
    }
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

/// HeVeA's number and title: `Chapter 2`, or `2.3.1`, before a wide space.
fn of_hevea(text: &str) -> Option<(&str, &str)> {
    let (before, title) = text.split_once(EM_SPACE)?;
    let number = before.trim().rsplit('\u{a0}').next()?;
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    is_number.then_some((number, title))
}

/// Halibut's number, behind an anchor that is made of it and a letter, and its title: `<a name="S9.2"></a>9.2 Neap tides`,
/// and in a list of questions `<a name="QA.9.2"></a>A.9.2 Why is it low?`
fn of_halibut<'t>(node: PageNode<'_>, text: &'t str) -> Option<(&'t str, &'t str)> {
    let anchor = node.prev_sibling()?.value().as_element()?;
    let number = anchor.attr("name")?.strip_prefix(['S', 'Q'])?;
    let title = text.strip_prefix(number)?.strip_prefix(' ')?;
    let is_number = number.contains(|c: char| c.is_ascii_digit()) && number.contains('.');
    (is_number && anchor.name() == "a").then(|| (&text[..number.len()], title))
}

/// LinuxDoc's number of a chapter in the anchor that is made of it, and its title: `<a name="s1">1. Tides</a>`.
fn of_linuxdoc<'t>(node: PageNode<'_>, text: &'t str) -> Option<(&'t str, &'t str)> {
    let anchor = node.parent()?.value().as_element()?.attr("name")?;
    let number = anchor.strip_prefix('s')?;
    let title = text.strip_prefix(number)?.strip_prefix(". ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (&text[..number.len()], title))
}

/// True for PreTeXt's number before the title of a section. An example without one is called by its number.
fn is_of_pretext(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let mut behind = node.next_siblings();
    attributes.class == "codenumber" && behind.any(|node| has_class(node, "title"))
}

/// True for LinuxDoc's number before the title of a section: `<a name="ss3.56">3.56</a>`.
fn is_of_linuxdoc(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let number = attributes.name.trim_start_matches('s');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    let text = || node.first_child()?.value().as_text();
    is_number
        && number.len() < attributes.name.len()
        && text().is_some_and(|text| text.trim().trim_end_matches('.') == number)
}

fn is_in_heading(node: PageNode<'_>) -> bool {
    let mut above = node.ancestors().take(MAX_ABOVE);
    above.any(|node| {
        let name = node.value().as_element().map(|element| element.name());
        matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
    })
}
