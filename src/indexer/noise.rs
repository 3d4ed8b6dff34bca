//! Elements around the content of a page: controls, self-links, toolbars, lists that every page repeats.

mod codox;
mod doxygen;
mod ford;
mod furniture;
mod gsdoc;
mod java;
mod lists;
mod names;
mod navigation;
pub(crate) mod path;
mod rows;

use std::ops::Deref;

pub(crate) use doxygen::is_line_on_files;
pub(crate) use ford::is_bar;
use furniture::is_furniture;
pub(crate) use java::{is_place, target};
use lists::is_list_of_members;
use navigation::is_menu;

use scraper::node::Element;
use scraper::{ElementRef, Node};

/// A node of a parsed page (the tree's own type, which scraper does not name).
pub(crate) type PageNode<'a> = <ElementRef<'a> as Deref>::Target;

/// The attributes that reading a page needs, found in one pass over an element's attributes.
#[derive(Default, Clone, Copy)]
pub(crate) struct Attributes<'a> {
    pub(crate) id: &'a str,
    pub(crate) class: &'a str,
    pub(crate) href: &'a str,
    pub(crate) name: &'a str,
    pub(crate) role: &'a str,
    pub(crate) rel: &'a str,
    pub(crate) alt: &'a str,
    pub(crate) hidden: Option<&'a str>,
    pub(crate) is_aria_hidden: bool,
    pub(crate) is_nosnippet: bool,
    pub(crate) body: Option<&'a str>,
    pub(crate) ignore: Option<&'a str>,
    pub(crate) weight: Option<f32>,
    pub(crate) index_attrs: Option<&'a str>,
    pub(crate) meta: Option<&'a str>,
    pub(crate) default_meta: Option<&'a str>,
    pub(crate) filter: Option<&'a str>,
    pub(crate) sort: Option<&'a str>,
    pub(crate) alias: Option<&'a str>,
    /// ESDoc's name of an element in its templates.
    pub(crate) ice: &'a str,
}

impl<'a> Attributes<'a> {
    /// Reads the attributes of `element`. `data-knarr-x` and `data-pagefind-x` are the same.
    pub(crate) fn of(element: &'a Element) -> Self {
        let mut found = Self::default();
        for (name, value) in element.attrs() {
            match name {
                "id" => found.id = value.trim(),
                "class" => found.class = value,
                "href" => found.href = value,
                "name" => found.name = value.trim(),
                "role" => found.role = value,
                "data-ice" => found.ice = value,
                "rel" => found.rel = value,
                "alt" => found.alt = value,
                "hidden" => found.hidden = Some(value),
                "aria-hidden" => found.is_aria_hidden = value == "true",
                "data-nosnippet" => found.is_nosnippet = true,
                _ => {
                    let Some(rest) = name.strip_prefix("data-") else {
                        continue;
                    };
                    let ours = rest
                        .strip_prefix("knarr-")
                        .or_else(|| rest.strip_prefix("pagefind-"));
                    match ours {
                        Some("body") => found.body = Some(value),
                        Some("ignore") => found.ignore = Some(value),
                        Some("weight") => {
                            found.weight = value.trim().parse().ok().filter(|w: &f32| w.is_finite())
                        }
                        Some("index-attrs") => found.index_attrs = Some(value),
                        Some("meta") => found.meta = Some(value),
                        Some("default-meta") => found.default_meta = Some(value),
                        Some("filter") => found.filter = Some(value),
                        Some("sort") => found.sort = Some(value),
                        Some("alias") => found.alias = Some(value),
                        _ => {}
                    }
                }
            }
        }
        found
    }

    /// True for the banner of a home page, which says what the site is about.
    pub(crate) fn is_hero(&self) -> bool {
        ["hero", "Hero", "jumbotron"]
            .iter()
            .any(|name| self.class.contains(name))
    }

    /// True if one of `names` is among the element's classes.
    pub(crate) fn has_class(&self, names: &[&str]) -> bool {
        !self.class.is_empty()
            && self
                .class
                .split_ascii_whitespace()
                .any(|class| names.contains(&class))
    }
}

/// The surroundings of an element, as far as noise depends on them.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The page names no content, so its whole body is read, less what surrounds content.
    pub(crate) whole_body: bool,
    /// The page was made by rustdoc.
    pub(crate) is_rustdoc: bool,
    /// The page was made by JSDoc.
    pub(crate) is_jsdoc: bool,
    /// The page was made by Javadoc, or by Groovydoc.
    pub(crate) is_java: bool,
    /// The page was made by pod2html.
    pub(crate) is_pod: bool,
}

/// Nodes of a weighted element that are looked at for a heading, so that nested ones take time in proportion.
const MAX_WITHIN: usize = 4096;

/// True if an element is a heading or holds one, or too much to look through: a weight on it is a section's.
pub(crate) fn has_heading(node: PageNode<'_>) -> bool {
    let is_heading = |node: PageNode<'_>| {
        let name = node.value().as_element().map(|element| element.name());
        matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
    };
    let mut within = node.descendants().enumerate();
    within.any(|(n, node)| n == MAX_WITHIN || is_heading(node))
}

/// True if neither an element nor anything below it is content.
pub(crate) fn is_noise(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
    place: Place,
) -> bool {
    match name {
        "script" | "style" | "template" | "noscript" | "svg" | "head" | "iframe" | "object"
        | "canvas" | "audio" | "video" | "button" | "select" | "input" | "textarea"
        | "datalist" | "dialog" | "nav" | "footer" | "rustdoc-toolbar" | "rustdoc-topbar"
        // The source of a formula in MathML, as KaTeX keeps it: no browser shows it beside the formula.
        | "annotation" | "annotation-xml" => {
            return true;
        }
        "header" | "aside" if place.whole_body && !is_of_content(attributes) => return true,
        _ => {}
    }
    let shown_later = attributes.role == "tabpanel" || attributes.hidden == Some("until-found");
    // Starlight hides the titles of its asides from screen readers, which say them as the label of the aside.
    let is_hidden_title = attributes.is_aria_hidden && attributes.class.contains("title");
    if attributes.ignore.is_some()
        || (attributes.is_aria_hidden && !is_hidden_title)
        || (attributes.hidden.is_some() && !shown_later)
    {
        return true;
    }
    let is_around = place.whole_body
        && matches!(
            attributes.role,
            "banner" | "contentinfo" | "search" | "complementary"
        );
    if is_around || matches!(attributes.role, "navigation" | "doc-toc" | "tooltip") {
        return true;
    }
    if name == "span" && attributes.has_class(&["returns"]) && is_in_heading(node) {
        return true;
    }
    if place.whole_body && (is_menu(node, name, attributes) || rows::is_row(node, name)) {
        return true;
    }
    if (place.is_rustdoc && is_rustdoc_noise(node, name, attributes))
        || (place.is_jsdoc && is_jsdoc_noise(node, name, attributes))
    {
        return true;
    }
    if name == "a"
        && (attributes.is_nosnippet
            || is_self_link(node, attributes)
            || rows::is_mark_of_note(node, attributes))
    {
        return true;
    }
    is_furniture(node, name, attributes)
        || is_list_of_members(node, name, attributes)
        || codox::is_around(node, name, attributes)
        || doxygen::is_addition(node, name, attributes)
        || ford::is_addition(node, name, attributes)
        || gsdoc::is_around(node, name, attributes)
        || path::is_way(node, name)
}

/// True for a banner of a home page, and for what odoc says first of a module.
fn is_of_content(header: &Attributes<'_>) -> bool {
    header.is_hero() || header.has_class(&["odoc-preamble"])
}

/// Rustdoc's toolbar, the two lists of implementations that nearly every page repeats, and what the types of an
/// implementation must be, which says nothing of its subject.
fn is_rustdoc_noise(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    if matches!(
        attributes.id,
        "blanket-implementations"
            | "blanket-implementations-list"
            | "synthetic-implementations"
            | "synthetic-implementations-list"
    ) {
        return true;
    }
    match name {
        "a" => {
            attributes.has_class(&["src", "srclink", "test-arrow", "tooltip", "scrape-help"])
                || is_read_more(node, attributes)
        }
        "span" => attributes.has_class(&["since", "rightside", "sub-heading", "out-of-band"]),
        "summary" => attributes.has_class(&["hideme"]),
        "details" => attributes.has_class(&["method-toggle"]) && is_inherited(node),
        "div" => {
            attributes.has_class(&["rustdoc-breadcrumbs", "out-of-band"])
                || (attributes.has_class(&["stab"]) && attributes.has_class(&["unstable"]))
                || (attributes.has_class(&["where"]) && is_heading_of_impl(node))
        }
        _ => false,
    }
}

/// JSDoc's marks of parameters, which are shown raised behind their names, the places of a definition in the sources and
/// in other classes, and the name of a page with its signature, which stand above and below it, too.
fn is_jsdoc_noise(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "span" => attributes.has_class(&["signature-attributes"]),
        "dt" | "dd" => attributes.has_class(&[
            "tag-source",
            "tag-overrides",
            "inherited-from",
            "implements",
        ]),
        "h2" => {
            let header = node.parent();
            let is_in_header = header.is_some_and(|above| is_element(above, "header"));
            let section = header.and_then(|header| header.parent());
            is_in_header && section.is_some_and(|above| is_element(above, "section"))
        }
        _ => false,
    }
}

/// True for a part of a heading, as for what jQuery's methods return.
fn is_in_heading(node: PageNode<'_>) -> bool {
    let around = node.parent().and_then(|above| above.value().as_element());
    around.is_some_and(|element| matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// True inside the heading of an implementation; those of its members are of the next level.
fn is_heading_of_impl(node: PageNode<'_>) -> bool {
    let heading = node.parent().and_then(|above| above.value().as_element());
    heading.is_some_and(|element| element.name() == "h3")
}

/// True for a member of an implementation that is told on the page of its trait: rustdoc repeats the first sentence, and
/// leads there by "Read more". What a type does itself has no such link.
fn is_inherited(member: PageNode<'_>) -> bool {
    let mut is_of_trait = false;
    for below in member.descendants() {
        let Some(element) = below.value().as_element() else {
            continue;
        };
        let attributes = Attributes::of(element);
        is_of_trait |= element.name() == "section" && attributes.has_class(&["trait-impl"]);
        if is_of_trait && element.name() == "a" && is_read_more(below, &attributes) {
            return true;
        }
    }
    false
}

/// True for the link behind the first sentence of a text that stands elsewhere.
fn is_read_more(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    attributes.href.contains('#') && short_text(node, 9).trim() == "Read more"
}

/// A link that themes put beside a heading to link to it: it shows a sign, or a fixed phrase for screen readers.
fn is_self_link(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const CLASSES: [&str; 9] = [
        "headerlink",
        "header-anchor",
        "hash-link",
        "doc-anchor",
        "heading-anchor",
        "anchor-link",
        "anchorjs-link",
        "sl-anchor-link",
        "heading-link",
    ];
    if !attributes.href.starts_with('#') {
        return false;
    }
    if node
        .descendants()
        .take(8)
        .any(|below| is_element(below, "img"))
    {
        return false;
    }
    let text = short_text(node, 80);
    if text.len() > 80 {
        return false;
    }
    let text = text.trim();
    if !text.chars().any(char::is_alphanumeric) {
        return !text.is_empty()
            || attributes.has_class(&CLASSES)
            || attributes.has_class(&["anchor"]);
    }
    const PHRASES: [&str; 6] = [
        "Copy",
        "Permalink",
        "Link to this",
        "Direct link to",
        "Section titled",
        "Anchor",
    ];
    attributes.has_class(&CLASSES) && PHRASES.iter().any(|phrase| text.starts_with(phrase))
}

/// The id of the paragraph whose number stands in the margin: `<div class="paranum"><a name="p2">2/3</a></div>`.
pub(crate) fn number_of_paragraph<'a>(
    node: PageNode<'a>,
    attributes: &Attributes<'a>,
) -> Option<&'a str> {
    let number = node
        .first_child()
        .filter(|_| attributes.class == "paranum")?;
    let link = Attributes::of(number.value().as_element()?);
    [link.id, link.name].into_iter().find(|id| !id.is_empty())
}

/// True for an element of this name.
pub(crate) fn is_element(node: PageNode<'_>, name: &str) -> bool {
    node.value().as_element().is_some_and(|e| e.name() == name)
}

/// True for an element of this class.
pub(crate) fn has_class(node: PageNode<'_>, class: &str) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| Attributes::of(element).has_class(&[class]))
}

/// The text below `node` as it stands, or its beginning when it is longer than `limit` bytes.
fn short_text(node: PageNode<'_>, limit: usize) -> String {
    let mut text = String::new();
    for below in node.descendants().take(64) {
        if let Node::Text(part) = below.value() {
            text.push_str(part);
        }
        if text.len() > limit {
            break;
        }
    }
    text
}
