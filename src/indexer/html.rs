//! HTML pages: what is content, what describes the page, and its sections.
//!
//! The page is parsed once by html5ever; then two passes without recursion, one over all nodes for what describes the
//! page, one in reading order for its text. Pagefind's attributes and their `data-knarr-*` twins are honored.

use std::collections::HashSet;

use scraper::{Html, Node};

use super::depth::limit_depth;
use super::document::{Document, PIECE};
use super::facts::STARTING_PAGE;
use super::links::Origin;
use super::markup;
use super::noise::{PageNode, Place};
use super::options::InputOptions;
use super::sections::{SectionWriter, collapse};
use super::selected::PageSelector;
use super::skip::SkipReason;
use head::Head;
use reader::Reader;

mod behind;
mod cards;
pub(super) mod definition;
pub(super) mod docsify;
mod docstrings;
mod entries;
pub(super) mod esdoc;
pub(super) mod ford;
mod habits;
mod head;
mod inline;
mod java;
pub(super) mod jsdoc;
mod manual;
mod marks;
mod members;
mod naming;
pub(super) mod natural_docs;
mod numbered;
mod phrases;
mod pkgdown;
mod pod;
mod preformatted;
mod provers;
mod purpose;
mod reader;
mod roots;
mod rows;
mod source;
mod terms;
mod typeset;

const MAX_META_CHARS: usize = 1000; // Descriptions and titles; longer ones are text that lost its way.
const MAX_META_NODES: usize = 10_000; // Of an element whose text is metadata.
const MAX_MARKS: usize = 1000; // Keywords, tags, and marks of one element: a page with more names nothing by them.
const MAX_INDEX_ATTRS: usize = 16; // Attributes of one element that are read as text.

/// Reads a page. The title may stay empty when the page names none.
///
/// Each step has what the earlier ones found: what describes the page says where its text is, the text has headings that a
/// title is chosen of, and the title says what the page defines.
pub(crate) fn parse(
    path: &str,
    html: &str,
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let marked = preformatted::with_headings(html).or_else(|| provers::with_headings(html));
    let html = source::with_ends(marked.as_deref().unwrap_or(html));
    let read = parse_source(path, &html, options);
    let made = source::from_templates(&html, &read);
    let made = made.and_then(|made| parse_source(path, &made, options).ok());
    match made.filter(|made| source::is_page(made, &read)) {
        Some(made) => Ok(made),
        None => read,
    }
}

fn parse_source(path: &str, html: &str, options: &InputOptions) -> Result<Document, SkipReason> {
    let limited = limit_depth(html);
    let mut page = markup::document(&limited, options.deadline())?;
    markup::ignore(&mut page, options.without.iter().map(PageSelector::css));
    markup::ignore_between_comments(&mut page);
    let mut head = Head::read(path, &page, options)?;
    let mut document = std::mem::take(&mut head.document);
    let place = head.place(&document.facts);
    let numbers = read_text((path, &page), &head, place, &mut document)?;
    mark_piece(&mut document, html, &head.title_element);
    naming::entitle(&mut document, &head, numbers);
    naming::define(&mut document, &head.title_element, place);
    Ok(document)
}

/// Reads sections, links and weight of a page into `document`; the numbers of its headings.
///
/// Errors: [`SkipReason::Empty`] for a page without text, unless that is made in the browser.
fn read_text(
    (path, page): (&str, &Html),
    head: &Head,
    place: Place,
    document: &mut Document,
) -> Result<Vec<String>, SkipReason> {
    let mut writer = SectionWriter::new();
    let whole_body = HashSet::new();
    let roots = head.roots.as_ref().unwrap_or(&whole_body);
    let owner = naming::owner_of(&head.title_element, place);
    let canonical = document.facts.canonical.clone();
    let origin = Origin::new(path, &canonical);
    let mut reader = Reader::new(origin, owner, &mut writer, place, roots);
    reader.read(page.tree.root());
    document.weight = reader.root_weight().unwrap_or(1.0);
    let numbers = reader.into_numbers();
    document.facts.linked = writer.linked();
    if !writer.has_text() && !is_filled_later(document) {
        return Err(SkipReason::Empty);
    }
    (document.sections, document.links) = writer.finish();
    Ok(numbers)
}

/// Marks HTML that nothing calls a page: no tag of a page's own, no title, no heading.
fn mark_piece(document: &mut Document, html: &str, title_element: &str) {
    const TAGS: [&str; 4] = ["<html", "<head", "<body", "<!doctype"];
    let is_headed = document.sections.iter().any(|s| !s.heading.is_empty());
    if !title_element.is_empty() || is_headed {
        return;
    }
    let lower = html.to_ascii_lowercase();
    if !TAGS.iter().any(|tag| lower.contains(tag)) {
        document.facts.classes.push(' ');
        document.facts.classes.push_str(PIECE);
    }
}

/// True for a page with a title whose text is made in the browser, and for Docsify's shell of all pages, which only tells
/// that the Markdown below its folder is a site.
fn is_filled_later(document: &Document) -> bool {
    let facts = &document.facts;
    let is_shell = facts.generator == docsify::GENERATOR;
    (facts.classes.contains(STARTING_PAGE) || is_shell) && !facts.title_element.is_empty()
}

/// Reads a piece of HTML inside another format into `writer`.
pub(crate) fn write_fragment(path: &str, html: &str, writer: &mut SectionWriter) {
    let limited = limit_depth(html);
    let page = markup::fragment(&limited);
    let place = Place {
        whole_body: false,
        is_rustdoc: false,
        is_jsdoc: false,
        is_java: false,
        is_pod: false,
    };
    let roots = HashSet::new();
    Reader::of_fragment(Origin { path, host: "" }, writer, place, &roots).read(page.tree.root());
}

/// Identifies a node of one page.
type NodeKey = usize;

fn push_new(list: &mut Vec<String>, value: String) {
    if !value.is_empty() && list.len() < MAX_MARKS && !list.contains(&value) {
        list.push(value);
    }
}

/// The text of an element, at most [`MAX_META_CHARS`] characters.
fn text_below(node: PageNode<'_>) -> String {
    let mut text = String::new();
    for below in node.descendants().take(MAX_META_NODES) {
        let inside_code = below
            .parent()
            .and_then(|p| p.value().as_element())
            .is_some_and(|p| matches!(p.name(), "script" | "style"));
        if let Node::Text(part) = below.value()
            && !inside_code
        {
            text.push_str(part);
        }
        if text.len() > MAX_META_CHARS * 4 {
            break;
        }
    }
    collapse(&text, MAX_META_CHARS)
}

fn node_key(node: PageNode<'_>) -> NodeKey {
    std::ptr::from_ref(node.value()).addr()
}

#[cfg(test)]
mod tests;
