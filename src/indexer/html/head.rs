//! The description of a page: what all of its elements say of it, read in one pass over them.

use super::marks::Marks;
use super::roots::{Candidates, Within};
use super::{MAX_META_CHARS, NodeKey, definition, java, jsdoc, push_new, text_below};
use crate::indexer::dates;
use crate::indexer::document::{Document, PageFacts};
use crate::indexer::facts::{Facts, POD};
use crate::indexer::noise::{Attributes, PageNode, Place, has_class, is_element};
use crate::indexer::options::InputOptions;
use crate::indexer::sections::collapse;
use crate::indexer::skip::SkipReason;
use scraper::node::Element;
use scraper::{Html, Node};
use std::collections::HashSet;

const MAX_REDIRECT_DELAY_S: f32 = 10.0; // A page that stays longer is meant to be read.
const SPHINX_UNTITLED: &str = "<no title>"; // Sphinx's title of a page without a heading.
const MAX_ABOVE_TAG: usize = 3; // The list of a page's tags, and the block around it.

/// The description of a page, from all of its elements.
pub(super) struct Head {
    pub(super) document: Document,
    pub(super) title_element: String,
    /// Title of a page that names none; mostly empty.
    pub(super) default_title: String,
    /// The elements that hold the content; `None` for the whole body.
    pub(super) roots: Option<HashSet<NodeKey>>,
    is_rustdoc: bool,
}

impl Head {
    /// The surroundings of all elements of the page.
    pub(super) fn place(&self, facts: &PageFacts) -> Place {
        Place {
            whole_body: self.roots.is_none(),
            is_rustdoc: self.is_rustdoc,
            is_jsdoc: facts.generator == jsdoc::GENERATOR,
            is_java: facts.generator.starts_with(definition::JAVADOC),
            is_pod: is_pod(facts),
        }
    }

    pub(super) fn read(
        path: &str,
        page: &Html,
        options: &InputOptions,
    ) -> Result<Self, SkipReason> {
        let mut document = Document {
            weight: 1.0,
            ..Document::default()
        };
        let mut title_element = String::new();
        let mut metas = Metas::default();
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
                "ol" if is_trail_of_compodoc(node, &attributes) => name_type(node, &mut document),
                "a" if is_tag_of_page(node, &attributes) => {
                    push_new(&mut document.keywords, text_below(node));
                }
                "meta" => metas.note(element, options, &mut document)?,
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
        describe(
            &mut document,
            [metas.og_description, brief],
            metas.is_broken,
        );
        document.body_marked = !candidates.marked.is_empty();
        let default_title = marks.finish(&mut document);
        Ok(Self {
            document,
            title_element,
            default_title,
            roots: candidates.choose(page, within),
            is_rustdoc: metas.is_rustdoc,
        })
    }
}

/// Findings in the `<meta>`s of a page that are no field of its document.
#[derive(Default)]
struct Metas {
    og_description: String,
    is_rustdoc: bool,
    /// The description has holes.
    is_broken: bool,
}

impl Metas {
    /// Takes in one `<meta>`.
    fn note(
        &mut self,
        meta: &Element,
        options: &InputOptions,
        document: &mut Document,
    ) -> Result<(), SkipReason> {
        let content = meta.attr("content").unwrap_or_default();
        let equiv = meta.attr("http-equiv").unwrap_or_default();
        if equiv.eq_ignore_ascii_case("refresh") && is_redirect(content) {
            return Err(SkipReason::Redirect);
        }
        let name = meta_name(meta);
        if name == "generator" {
            self.is_rustdoc = content == "rustdoc";
        }
        self.is_broken |= name == "description" && has_holes(content);
        read_meta(&name, content, options, document, &mut self.og_description)
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

/// True for the trail above a text of Compodoc's, the only place that names what the page is about: its `<title>` is the
/// site's, its first heading "File".
fn is_trail_of_compodoc(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    attributes.class == "breadcrumb"
        && node
            .parent()
            .is_some_and(|above| has_class(above, "content-data"))
}

/// Calls a page by the last step of its trail, and takes the step before as its kind: `Interfaces › Tide`.
fn name_type(trail: PageNode<'_>, document: &mut Document) {
    let steps: Vec<String> = trail
        .children()
        .filter(|step| is_element(*step, "li"))
        .map(text_below)
        .collect();
    let [kinds, name] = steps.as_slice() else {
        return;
    };
    if document.title.is_empty() {
        document.title.clone_from(name);
        let kinds = kinds.to_lowercase();
        let ends = [("classes", "class"), ("entities", "entity")];
        document.kind = match ends.iter().find(|end| end.0 == kinds) {
            Some(end) => end.1.to_owned(),
            None => kinds.strip_suffix('s').unwrap_or(&kinds).to_owned(),
        };
    }
}

fn title_of(element: PageNode<'_>) -> String {
    let title = text_below(element);
    match title.starts_with(SPHINX_UNTITLED) {
        true => String::new(),
        false => title,
    }
}

/// Settles which description a page has, its own before `others`: one from which DocFX dropped names is none, nor is
/// Javadoc's place of a type.
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

/// Reads what a `<meta>` calls `name` into its field of the document.
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
    let describes = !is_place_in_source(content) && !has_numbers_of_lines(content);
    match name {
        "robots" => {
            let directives = content.to_ascii_lowercase();
            let mut directives = directives.split([',', ' ']);
            if directives.any(|d| d == "noindex" || d == "none") {
                return Err(SkipReason::NoIndex);
            }
        }
        "description" if describes => {
            document.description = collapse(&content.replace('`', ""), MAX_META_CHARS);
        }
        "og:description" | "twitter:description" if describes => {
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

/// True for a page of pod2html's, which names its author as no other generator of today does.
fn is_pod(facts: &PageFacts) -> bool {
    facts.classes.split_ascii_whitespace().any(|c| c == POD)
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

/// True for a description that Hexo makes of a page's first text, with the numbers beside its code: `123456mkdir tides`.
fn has_numbers_of_lines(description: &str) -> bool {
    description.match_indices("1234").any(|(at, _)| {
        let is_within = description[..at].ends_with(|c: char| c.is_ascii_digit());
        let (mut rest, mut n) = (&description[at..], 0);
        while let Some(behind) = rest.strip_prefix(&(n + 1).to_string()) {
            (rest, n) = (behind, n + 1);
        }
        let is_code = rest.starts_with(|c: char| !c.is_whitespace() && !".,;:)-".contains(c));
        !is_within && (n >= 10 || is_code && !rest.starts_with(|c: char| c.is_ascii_digit()))
    })
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
