//! HTML pages: what is content, what describes the page, and its sections.
//!
//! The page is parsed once by html5ever; then two passes without recursion, one over all nodes for what describes the
//! page, one in reading order for its text. Pagefind's attributes and their `data-knarr-*` twins are honored.

use std::collections::HashSet;

use scraper::node::Element;
use scraper::{Html, Node};

use super::dates;
use super::depth::limit_depth;
use super::document::{Document, PIECE, PageFacts};
use super::facts::{Facts, POD, STARTING_PAGE};
use super::markup;
use super::noise::{Attributes, PageNode, Place, has_class};
use super::options::InputOptions;
use super::prose::words;
use super::sections::{SectionWriter, absorb_title, collapse};
use super::selected::PageSelector;
use super::skip::SkipReason;
use marks::Marks;
use reader::Reader;
use roots::{Candidates, Within};

mod behind;
pub(super) mod definition;
pub(super) mod docsify;
mod docstrings;
mod entries;
pub(super) mod esdoc;
pub(super) mod ford;
mod habits;
mod inline;
mod java;
pub(super) mod jsdoc;
mod manual;
mod marks;
mod members;
pub(super) mod natural_docs;
mod numbered;
mod pkgdown;
mod pod;
mod reader;
mod roots;
mod rows;
mod terms;

const MAX_REDIRECT_DELAY_S: f32 = 10.0; // A page that stays longer is meant to be read.
const SPHINX_UNTITLED: &str = "<no title>"; // Sphinx's title of a page without a heading.
const MAX_META_CHARS: usize = 1000; // Descriptions and titles; longer ones are text that lost its way.
const MAX_META_NODES: usize = 10_000; // Of an element whose text is metadata.
const MAX_MARKS: usize = 1000; // Keywords, tags, and marks of one element: a page with more names nothing by them.
const MAX_ABOVE_TAG: usize = 3; // The list of a page's tags, and the block around it.
const MAX_INDEX_ATTRS: usize = 16; // Attributes of one element that are read as text.

/// Reads a page. The title may stay empty when the page names none.
pub(crate) fn parse(
    path: &str,
    html: &str,
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let limited = limit_depth(html);
    let mut page = markup::document(&limited, options.deadline())?;
    markup::ignore(&mut page, options.without.iter().map(PageSelector::css));
    let mut head = Head::read(path, &page, options)?;
    let mut document = std::mem::take(&mut head.document);
    let mut writer = SectionWriter::new();
    let place = head.place(&document.facts);
    let roots = head.roots.unwrap_or_default();
    let owner = owner_of(&head.title_element, place);
    let mut reader = Reader::new(path, owner, &mut writer, place, &roots);
    reader.read(page.tree.root());
    let root_weight = reader.root_weight();
    let numbers = reader.into_numbers();
    let has_text = writer.has_text();
    document.facts.linked = writer.linked();
    let (sections, links) = writer.finish();
    if !has_text && !is_filled_later(&document) {
        return Err(SkipReason::Empty);
    }
    document.sections = sections;
    document.links = links;
    mark_piece(&mut document, html, &head.title_element);
    document.weight = root_weight.unwrap_or(1.0);
    manual::define(&mut document);
    name(&mut document, &head.title_element, head.default_title);
    for number in numbers {
        push_new(&mut document.keywords, number);
    }
    document.description = without_headings(&document);
    let definition = defined_by((&document.title, &head.title_element), owner, place);
    // Of a title in doubt, the site decides.
    if definition.is_some() || !document.facts.doubts(&document.title) {
        absorb_title(&mut document.sections, &document.title);
    }
    if document.facts.address.contains('#') {
        // The page is a place in another, which has none of its anchors.
        document.sections.iter_mut().for_each(|s| s.anchor.clear());
    }
    if let Some((kind, name)) = definition {
        let path = path_of(&document, &head.title_element, place, (kind, name));
        document.names.extend(path);
        document.title = name.to_owned();
        document.kind = kind.to_owned();
    }
    pkgdown::define(&mut document);
    definition::of_marks(&mut document);
    Ok(document)
}

/// True for a page of pod2html's, which names its author as no other generator of today does.
fn is_pod(facts: &PageFacts) -> bool {
    facts.classes.split_ascii_whitespace().any(|c| c == POD)
}

/// Gives a page that its author gave no title one of its content, or else the `default`.
fn name(document: &mut Document, title_element: &str, default: String) {
    if document.title.is_empty() {
        document.title = title_from(document, title_element);
        let h1s = document.sections.iter().filter(|s| s.level == 1);
        document.facts.n_h1 = h1s.count() as u32;
    }
    if document.title.is_empty() {
        document.title = default;
    }
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

/// The type or module that the members of a page belong to, by its `<title>`.
fn owner_of(title: &str, place: Place) -> &str {
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
    Reader::of_fragment(path, writer, place, &roots).read(page.tree.root());
}

/// The first `<h1>` of the content; else its first heading when the page's `<title>` holds the same words or, as DocFX
/// writes it, the site's name alone behind a sign; else that.
fn title_from(document: &Document, title_element: &str) -> String {
    if let Some(h1) = document.sections.iter().find(|s| s.level == 1) {
        return h1.heading.clone();
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

/// The description of a page, from all of its elements.
struct Head {
    document: Document,
    title_element: String,
    /// Title of a page that names none; mostly empty.
    default_title: String,
    /// The elements that hold the content; `None` for the whole body.
    roots: Option<HashSet<NodeKey>>,
    is_rustdoc: bool,
}

/// Identifies a node of one page.
type NodeKey = usize;

impl Head {
    /// The surroundings of all elements of the page.
    fn place(&self, facts: &PageFacts) -> Place {
        Place {
            whole_body: self.roots.is_none(),
            is_rustdoc: self.is_rustdoc,
            is_jsdoc: facts.generator == jsdoc::GENERATOR,
            is_java: facts.generator.starts_with(definition::JAVADOC),
            is_pod: is_pod(facts),
        }
    }

    fn read(path: &str, page: &Html, options: &InputOptions) -> Result<Self, SkipReason> {
        let mut document = Document {
            weight: 1.0,
            ..Document::default()
        };
        let mut title_element = String::new();
        let (mut is_rustdoc, mut is_broken) = (false, false);
        let mut og_description = String::new();
        let within = Within::of(page, options.root.as_ref())?;
        let mut candidates = Candidates::default();
        let mut facts = Facts::of(path);
        let mut marks = Marks::default();
        for node in page.tree.root().descendants() {
            let Node::Element(element) = node.value() else {
                facts.comment(node);
                continue;
            };
            let attributes = Attributes::of(element);
            facts.note(node, element);
            match element.name() {
                "html" | "body" | "main" | "article" => name_language(&mut document, element),
                "title" if title_element.is_empty() => title_element = title_of(node),
                "p" if is_name_of_module(node, &attributes) => name_module(node, &mut document),
                "a" if is_tag_of_page(node, &attributes) => {
                    push_new(&mut document.keywords, text_below(node));
                }
                "meta" => {
                    let content = element.attr("content").unwrap_or_default();
                    let equiv = element.attr("http-equiv").unwrap_or_default();
                    if equiv.eq_ignore_ascii_case("refresh") && is_redirect(content) {
                        return Err(SkipReason::Redirect);
                    }
                    let name = meta_name(element);
                    if name == "generator" {
                        is_rustdoc = content == "rustdoc";
                    }
                    is_broken |= name == "description" && has_holes(content);
                    read_meta(&name, content, options, &mut document, &mut og_description)?;
                }
                _ => {}
            }
            let is_within = within.holds(node);
            candidates.see(node, element.name(), &attributes, is_within);
            if is_within {
                marks.note(node, &attributes, options, &mut document);
            }
        }
        let brief = facts.take_brief();
        document.facts = facts.finish(&title_element);
        describe(&mut document, [og_description, brief], is_broken);
        document.body_marked = !candidates.marked.is_empty();
        let default_title = marks.finish(&mut document);
        Ok(Self {
            document,
            title_element,
            default_title,
            roots: candidates.choose(page, within),
            is_rustdoc,
        })
    }
}

/// True for a tag of the page itself among those that Docsy shows below its title; beside it are those of the whole site.
fn is_tag_of_page(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let mut above = node.ancestors().take(MAX_ABOVE_TAG);
    attributes.has_class(&["taxonomy-term"])
        && above.any(|above| has_class(above, "taxonomy-terms-article"))
}

/// True for the name that Haddock shows above a module, whose first heading is that of a group of its functions.
fn is_name_of_module(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let header = node.parent().and_then(|above| above.value().as_element());
    attributes.has_class(&["caption"])
        && header.is_some_and(|header| header.id() == Some("module-header"))
}

fn name_module(caption: PageNode<'_>, document: &mut Document) {
    if document.title.is_empty() {
        document.title = text_below(caption);
        document.kind = "module".into();
    }
}

fn title_of(element: PageNode<'_>) -> String {
    let title = text_below(element);
    match title.starts_with(SPHINX_UNTITLED) {
        true => String::new(),
        false => title,
    }
}

/// Settles which description a page has, its own before `others`: one from which DocFX dropped names is none, nor is Javadoc's place of a type.
fn describe(document: &mut Document, others: [String; 2], has_holes: bool) {
    if has_holes && document.facts.generator == definition::DOCFX {
        document.description.clear();
    }
    if java::has_fixed_descriptions(&document.facts.generator) {
        document.description.clear();
    }
    if document.description.is_empty() {
        let mut others = others.into_iter();
        document.description = others.find(|text| !text.is_empty()).unwrap_or_default();
    }
}

/// The language of the outermost of some elements that names one.
fn name_language(document: &mut Document, element: &Element) {
    if document.language.is_none() {
        document.language = language_of(element);
    }
}

fn language_of(html: &Element) -> Option<String> {
    let language = html.attr("lang").or_else(|| html.attr("xml:lang"));
    let language = language.unwrap_or_default().trim();
    (!language.is_empty()).then(|| language.to_owned())
}

/// The name that a `<meta>` gives its content, in lower case.
fn meta_name(meta: &Element) -> String {
    let names = ["name", "property", "itemprop", "http-equiv"];
    let name = names.iter().find_map(|name| meta.attr(name));
    name.unwrap_or_default().trim().to_ascii_lowercase()
}

/// Takes in one `<meta>`.
fn read_meta(
    name: &str,
    content: &str,
    options: &InputOptions,
    document: &mut Document,
    og_description: &mut String,
) -> Result<(), SkipReason> {
    let plain = name
        .strip_prefix("og:")
        .or_else(|| name.strip_prefix("twitter:"))
        .unwrap_or(name);
    if name.is_empty() || content.is_empty() || options.skips(name) || options.skips(plain) {
        return Ok(());
    }
    match name {
        "robots" => {
            let directives = content.to_ascii_lowercase();
            if directives
                .split([',', ' '])
                .any(|d| d == "noindex" || d == "none")
            {
                return Err(SkipReason::NoIndex);
            }
        }
        "description" if !is_place_in_source(content) => {
            document.description = collapse(&content.replace('`', ""), MAX_META_CHARS);
        }
        "og:description" | "twitter:description" if !is_place_in_source(content) => {
            *og_description = collapse(content, MAX_META_CHARS)
        }
        "article:section" => document.category = collapse(content, MAX_META_CHARS),
        "article:tag" => push_new(&mut document.tags, collapse(content, MAX_META_CHARS)),
        "article:published_time"
        | "date"
        | "datepublished"
        | "dc.date"
        | "dcterms.created"
        | "dcterms.date" => {
            document.created_at = document.created_at.or_else(|| dates::parse(content));
        }
        "article:modified_time"
        | "og:updated_time"
        | "last-modified"
        | "datemodified"
        | "dcterms.modified"
        | "dc.date.modified"
        | "ms.date"
        | "updated_at"
        | "lastmod" => {
            document.updated_at = document.updated_at.or_else(|| dates::parse(content));
        }
        _ if name.ends_with("keywords") => {
            for keyword in content.split([',', ';']) {
                push_new(&mut document.keywords, collapse(keyword, MAX_META_CHARS));
            }
        }
        _ => {}
    }
    Ok(())
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

/// True for a description from which DocFX dropped the names it refers to: `Implementation of  for …`.
fn has_holes(description: &str) -> bool {
    let is_hole = |(at, _): (usize, &str)| {
        description[..at].ends_with(char::is_alphanumeric)
            && description[at + 2..].starts_with(char::is_alphanumeric)
    };
    description.match_indices("  ").any(is_hole)
}

/// True for the first line of TypeDoc's Markdown, as Docusaurus makes a description of it: `Defined in30`.
fn is_place_in_source(description: &str) -> bool {
    let place = description.trim().strip_prefix("Defined in");
    place.is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit()))
}

fn push_new(list: &mut Vec<String>, value: String) {
    if !value.is_empty() && list.len() < MAX_MARKS && !list.contains(&value) {
        list.push(value);
    }
}

/// True if the `content` of a refresh sends the reader elsewhere, and soon.
fn is_redirect(content: &str) -> bool {
    let (delay, target) = content.split_once([';', ',']).unwrap_or((content, ""));
    let to_elsewhere = target.to_ascii_lowercase().contains("url") || target.contains('/');
    to_elsewhere
        && delay
            .trim()
            .parse()
            .is_ok_and(|delay: f32| delay < MAX_REDIRECT_DELAY_S)
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
