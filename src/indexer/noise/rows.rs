//! Rows of links around a text that only their own texts tell: numbers of chapters, words in brackets, links to nowhere,
//! which a script makes buttons of; and the marks of footnotes.

use scraper::Node;

use super::{Attributes, PageNode, is_element, short_text};

const MAX_NODES: usize = 1024; // Nodes of a row: a book may have a hundred chapters.
const MIN_NUMBERS: usize = 3; // Numbers in a row from which on it counts chapters or pages.
const MAX_LEN: usize = 60; // Letters of a link in a row.

/// True for a block of links alone, of numbers that lead to other pages, of words in brackets, or of links to nowhere:
/// `[ previous ] [ 1 ] [ 2 ] [ 3 ]`, `[Top of Book] [Next Chapter]`.
pub(super) fn is_row(node: PageNode<'_>, name: &str) -> bool {
    matches!(name, "p" | "div" | "ul" | "td" | "center")
        && Row::of(node).is_some_and(|row| row.is_numbered() || row.is_control())
}

#[derive(Default)]
struct Row {
    n: usize,
    /// Links of a number alone, to other pages.
    n_numbers: usize,
    /// Links of words in brackets of their own, to other pages.
    n_bracketed: usize,
    n_to_nowhere: usize,
}

impl Row {
    /// The links of `node` if nothing else stands in it but signs, labels and the number of the page itself.
    fn of(node: PageNode<'_>) -> Option<Self> {
        let mut row = Self::default();
        for (at, below) in node.descendants().enumerate() {
            if at == MAX_NODES {
                return None;
            }
            match below.value() {
                Node::Element(element) => match element.name() {
                    "a" => row.add(below, &Attributes::of(element)),
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "pre" | "img" => return None,
                    _ => {}
                },
                Node::Text(text) => {
                    let is_link = |above: PageNode<'_>| is_element(above, "a");
                    if !below.ancestors().take(4).any(is_link) && !is_beside_links(text) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(row)
    }

    fn add(&mut self, link: PageNode<'_>, attributes: &Attributes<'_>) {
        let text = short_text(link, MAX_LEN);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.n += 1;
        let href = attributes.href.trim();
        self.n_to_nowhere += usize::from(href == "#");
        if href.is_empty() || href.starts_with('#') {
            return;
        }
        self.n_numbers += usize::from(is_number(text));
        let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        // Of a citation, `[Bou70]`, a digit is a part.
        let is_word = |inner: &str| inner.chars().all(|c| c.is_alphabetic() || c == ' ');
        self.n_bracketed += usize::from(inner.is_some_and(is_word));
    }

    fn is_numbered(&self) -> bool {
        self.n_numbers >= MIN_NUMBERS && self.n_numbers * 2 >= self.n
    }

    fn is_control(&self) -> bool {
        self.n > 1 && (self.n_bracketed == self.n || self.n_to_nowhere == self.n)
    }
}

fn is_number(text: &str) -> bool {
    (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for signs, a label of two words at most (`Goto Chapter:`), and a number in signs.
fn is_beside_links(text: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !word.chars().all(is_sign))
        .take(3)
        .collect();
    match words.as_slice() {
        [] => true,
        [word] => word.ends_with(':') || is_number(word.trim_matches(is_sign)),
        [_, last] => last.ends_with(':'),
        _ => false,
    }
}

/// True for the mark of a footnote: a link of a raised number or sign to a place of the page, in brackets or not.
pub(super) fn is_mark_of_note(link: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    if !attributes.href.contains('#') || attributes.href.ends_with('#') {
        return false;
    }
    let text = short_text(link, 6);
    let mark = text.trim().trim_matches(['[', ']', '(', ')']);
    let is_mark = is_number(mark) || matches!(mark, "*" | "**" | "†" | "‡");
    let is_raised = || {
        let above = link.parent().is_some_and(|above| is_element(above, "sup"));
        above || link.children().any(|child| is_element(child, "sup"))
    };
    is_mark && is_raised()
}
