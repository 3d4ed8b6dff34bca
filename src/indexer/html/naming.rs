//! Titles, descriptions and definitions of pages whose text is read.

use super::head::Head;
use super::{definition, java, jsdoc, manual, members, pkgdown, purpose, push_new};
use crate::indexer::document::Document;
use crate::indexer::noise::Place;
use crate::indexer::prose::words;
use crate::indexer::sections::absorb_title;
use std::collections::HashSet;

/// Gives a page its title, and what is told by its headings: their `numbers`, and where its description begins.
pub(super) fn entitle(document: &mut Document, head: &Head, numbers: Vec<String>) {
    // First: else a manual page would be called by its first heading, which is "NAME".
    manual::define(document);
    name(document, &head.title_element, &head.default_title);
    for number in numbers {
        push_new(&mut document.keywords, number);
    }
    document.description = without_headings(document);
}

/// Notes what a page defines, by its title, its text, or the marks of its generator.
pub(super) fn define(document: &mut Document, title_element: &str, place: Place) {
    let owner = owner_of(title_element, place);
    let definition = defined_by((&document.title, title_element), owner, place);
    // Of a title in doubt, the site decides.
    if definition.is_some() || !document.facts.doubts(&document.title) {
        absorb_title(&mut document.sections, &document.title);
    }
    if document.facts.address.contains('#') {
        // The page is a place in another, which has none of its anchors.
        document.sections.iter_mut().for_each(|s| s.anchor.clear());
    }
    if let Some((kind, name)) = definition {
        let path = path_of(document, title_element, place, (kind, name));
        document.names.extend(path);
        document.title = name.to_owned();
        document.kind = kind.to_owned();
    }
    pkgdown::define(document);
    purpose::define(document, title_element);
    // Last: a generator's own mark is surer than a title.
    definition::of_marks(document);
}

/// Gives a page that its author gave no title one of its content, or else the `default`.
fn name(document: &mut Document, title_element: &str, default: &str) {
    if document.title.is_empty() {
        document.title = title_from(document, title_element);
        let h1s = document.sections.iter().filter(|s| s.level == 1);
        document.facts.n_h1 = h1s.count() as u32;
    }
    if document.title.is_empty() {
        document.title = default.to_owned();
    }
}

/// The first `<h1>` of the content; else its first heading when the page's `<title>` holds the same words or, as DocFX
/// writes it, the site's name alone behind a sign; else that.
fn title_from(document: &Document, title_element: &str) -> String {
    if let Some(h1) = document.sections.iter().find(|s| s.level == 1) {
        return match is_in_halves(document, &h1.heading, title_element) {
            true => title_element.to_owned(),
            false => h1.heading.clone(),
        };
    }
    if let Some(first) = document.sections.iter().find(|s| !s.heading.is_empty()) {
        let known: HashSet<String> = words(title_element).collect();
        let mut own = words(&first.heading).peekable();
        // A heading without words (an emoji) says less than the title, and not the same.
        let is_nameless = title_element.starts_with("| ");
        if own.peek().is_some() && (is_nameless || own.all(|word| known.contains(&word))) {
            return first.heading.clone();
        }
    }
    title_element.to_owned()
}

/// True for a title whose halves are headings of the first level, as xml2rfc writes it: `RFC 9114: HTTP/3`.
fn is_in_halves(document: &Document, first: &str, title_element: &str) -> bool {
    let rest = title_element.strip_prefix(first);
    let second = rest.and_then(|rest| rest.strip_prefix(": "));
    let mut h1s = document.sections.iter().filter(|s| s.level == 1);
    second.is_some_and(|second| h1s.any(|s| s.heading == second))
}

/// A page's description without the headings that it begins with, each with the sign of its link behind it: Hugo's summary
/// of a text in Hugo Book, `Roadmap # This roadmap means to …`.
fn without_headings(document: &Document) -> String {
    let mut rest = document.description.as_str();
    for section in document.sections.iter().filter(|s| !s.heading.is_empty()) {
        let behind = rest.strip_prefix(section.heading.as_str());
        match behind.and_then(|behind| behind.trim_start().strip_prefix("# ")) {
            Some(behind) => rest = behind.trim_start(),
            None => break,
        }
    }
    rest.to_owned()
}

/// The type or module that the members of a page belong to, by its `<title>`.
pub(super) fn owner_of(title: &str, place: Place) -> &str {
    match place.is_jsdoc {
        true => jsdoc::owner(title),
        false if place.is_java => java::owner(title),
        false => members::owner_from_title(title),
    }
}

/// Kind and name of what a page defines, by its title and its `<title>`.
fn defined_by<'t>(
    (title, title_element): (&'t str, &str),
    owner: &'t str,
    place: Place,
) -> Option<(&'static str, &'t str)> {
    match place.is_jsdoc {
        true => jsdoc::defined_by(title, owner, title_element),
        false => definition::of(title, owner),
    }
}

/// The whole path of what a page defines.
fn path_of(
    document: &Document,
    title_element: &str,
    place: Place,
    (kind, name): (&str, &str),
) -> Option<String> {
    match place.is_java {
        true => java::path(&document.facts, kind, name),
        false => definition::path(title_element, name),
    }
}
