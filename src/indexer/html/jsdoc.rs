//! Pages of JSDoc's default template, and of those that were made from it: docdash, whose titles lack the kind, and
//! clean-jsdoc-theme, whose members are headings of the third level.
//!
//! ```html
//! <div id="main"><h1 class="page-title">Class: Buoy</h1><section><header><h2>…</h2><div class="class-description">…</div>
//! </header><article>…<h4 class="name" id="drift">drift<span class="signature">(…)</span></h4>…
//! ```

use scraper::node::Element;

use super::members::{Member, named};
use crate::indexer::document::Document;
use crate::indexer::noise::{Attributes, PageNode};

/// Name of the generator, which its pages do not give: their stylesheet tells.
pub(crate) const GENERATOR: &str = "jsdoc";

/// Kinds in the titles of pages, and what they are called here.
const KINDS: [(&str, &str); 7] = [
    ("Class", "class"),
    ("Module", "module"),
    ("Namespace", "namespace"),
    ("Interface", "interface"),
    ("Mixin", "mixin"),
    ("External", "external"),
    ("Tutorial", ""),
];

const MAX_NODES: usize = 4000; // From a member to its next, or of the overview of a class: the longest have some hundreds.

const MAX_BEFORE: usize = 200; // From a label back to the heading of its member.

/// True for the stylesheet of the template, or of one made from it: `styles/jsdoc-default.css`, `styles/jsdoc.css`.
pub(crate) fn is_stylesheet(href: &str) -> bool {
    let name = href.rsplit('/').next().unwrap_or(href);
    (name.starts_with("jsdoc") || name.starts_with("clean-jsdoc-theme")) && name.ends_with(".css")
}

/// Kinds by the headings in docdash's menu, as classes of the pages that are listed below them.
const LABELS: [(&str, &str); 6] = [
    ("Classes", "class"),
    ("Modules", "module"),
    ("Namespaces", "namespace"),
    ("Interfaces", "interface"),
    ("Mixins", "mixin"),
    ("Externals", "external"),
];

/// The kind of what a page defines to which a link in docdash's menu leads: `<h3>Mixins</h3><ul><li><a href="swim.html">`.
pub(crate) fn in_menu(link: PageNode<'_>) -> Option<&'static str> {
    let list = link
        .parent()
        .filter(|item| is_like(*item, |e| e.name() == "li"))?
        .parent()?;
    let is_menu = list
        .parent()
        .is_some_and(|menu| is_like(menu, |e| e.name() == "nav"));
    let mut before = list
        .prev_siblings()
        .filter(|node| node.value().is_element());
    let label = before
        .next()
        .filter(|node| is_menu && is_like(*node, |e| e.name() == "h3"))?;
    let label = label.first_child()?.value().as_text()?.trim();
    LABELS
        .iter()
        .find(|(text, _)| *text == label)
        .map(|(_, kind)| *kind)
}

/// Kind and name of what a page defines: `Class: Buoy`, in its heading or, in clean-jsdoc-theme, in its `<title>`.
pub(super) fn defined_by<'t>(
    title: &'t str,
    owner: &'t str,
    title_element: &str,
) -> Option<(&'static str, &'t str)> {
    let of_title = || {
        let (_, own) = title_element.split_once(": ").unwrap_or_default();
        let (kind, name) = definition(title_element).or_else(|| definition(own))?;
        (name == owner && title == owner).then_some((kind, title))
    };
    definition(title).or_else(of_title)
}

/// Kind and name in a title: `Class: Buoy`.
pub(super) fn definition(title: &str) -> Option<(&'static str, &str)> {
    let (kind, name) = title.split_once(": ")?;
    let (_, kind) = KINDS.iter().find(|(title, _)| *title == kind)?;
    let name = name.trim();
    (!name.is_empty()).then_some((*kind, name))
}

/// The name of the class, module or namespace that a page defines, by its `<title>`: `JSDoc: Class: Buoy`.
pub(super) fn owner(title: &str) -> &str {
    let own = title.split_once(": ").map_or("", |(_, own)| own);
    let defined = definition(own).or_else(|| definition(title));
    defined.map_or("", |(kind, name)| match kind {
        "" => "",
        _ => name,
    })
}

/// True for the listing of a file: `core_Buoy.js.html`.
pub(crate) fn is_source(document: &Document) -> bool {
    const ENDS: [&str; 6] = [
        ".js.html",
        ".ts.html",
        ".mjs.html",
        ".cjs.html",
        ".jsx.html",
        ".tsx.html",
    ];
    let path = document.path.as_str();
    let is_module = path
        .rsplit('/')
        .next()
        .unwrap_or(path)
        .starts_with("module-");
    let is_of_jsdoc = document.facts.generator == GENERATOR;
    is_of_jsdoc
        && document.kind.is_empty()
        && !is_module
        && ENDS.iter().any(|end| path.ends_with(end))
}

/// The element that holds the content of a page, of whose section `header` begins with the description: the `<article>`
/// beside it has the rest.
pub(super) fn content(header: PageNode<'_>) -> Option<PageNode<'_>> {
    let section = header.parent()?;
    let main = section.parent()?;
    if is_like(main, |e| Attributes::of(e).has_class(&["main-wrapper"])) && is_of_clean(main) {
        return Some(section);
    }
    let is_main = section.value().as_element()?.name() == "section"
        && Attributes::of(main.value().as_element()?).id == "main";
    let is_title = |element: &Element| {
        element.name() == "h1" && Attributes::of(element).has_class(&["page-title"])
    };
    let mut around = main.children().filter_map(|node| node.value().as_element());
    (is_main && around.any(is_title)).then_some(main)
}

/// True for the box of clean-jsdoc-theme around the text of a page.
fn is_of_clean(main: PageNode<'_>) -> bool {
    let mut around = main
        .ancestors()
        .filter_map(|node| node.value().as_element());
    let is_named =
        |class: &str, e: Option<&Element>| e.is_some_and(|e| Attributes::of(e).has_class(&[class]));
    is_named("main-content", around.next()) && is_named("body-wrapper", around.next())
}

/// Reads a heading on the page of `owner`.
pub(super) fn member<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    owner: &str,
) -> Option<Member<'a>> {
    match name {
        "h3" | "h4" if is_member(node) => {}
        "h5" | "h6" if attributes.id.is_empty() && is_in_member(node) => {
            return Some(Member::Label);
        }
        _ => return None,
    }
    if is_inherited(node) {
        return Some(Member::Inherited);
    }
    let texts = node.children().filter_map(|child| child.value().as_text());
    let own = texts.map(|text| &**text).collect::<String>();
    let own = own.trim();
    // A constructor has the name of its class.
    let owner = if own.starts_with("new ") { "" } else { owner };
    named(4, owner, ".", own, attributes.id).map(Member::with_signature)
}

/// The elements after the heading of a member that tell of it.
pub(super) fn below(heading: PageNode<'_>) -> impl Iterator<Item = PageNode<'_>> {
    let behind = heading.next_siblings().take(MAX_NODES);
    behind.take_while(|node| !is_end(*node))
}

/// True for the heading of a member.
fn is_member(node: PageNode<'_>) -> bool {
    is_like(node, |element| {
        let attributes = Attributes::of(element);
        matches!(element.name(), "h3" | "h4")
            && !attributes.id.is_empty()
            && attributes.has_class(&["name"])
    })
}

/// True for what ends the text of a member: the next one, or the heading above a group of them.
fn is_end(node: PageNode<'_>) -> bool {
    let name = node.value().as_element().map(Element::name);
    is_member(node) || matches!(name, Some("h1" | "h2" | "h3"))
}

/// True for a label below the heading of a member, beside its tables.
fn is_in_member(label: PageNode<'_>) -> bool {
    let before = label.prev_siblings().take(MAX_BEFORE);
    before
        .into_iter()
        .find(|node| is_end(*node))
        .is_some_and(is_member)
}

/// True for a member that is told on the page of the class which it comes from: JSDoc repeats it, and leads there. It says
/// the same of one that the class replaces, whose definition is in the file of the class itself.
fn is_inherited(heading: PageNode<'_>) -> bool {
    let leads_to = |class| below(heading).find_map(|node| file_in(node, class));
    if leads_to("inherited-from").is_some() {
        return true;
    }
    if leads_to("tag-overrides").is_none() {
        return false;
    }
    let is_article = |node: &PageNode<'_>| is_like(*node, |element| element.name() == "article");
    let is_overview = |node: &PageNode<'_>| {
        is_like(*node, |e| {
            Attributes::of(e).has_class(&["container-overview"])
        })
    };
    let article = heading.ancestors().find(is_article);
    let overview = article.and_then(|article| article.children().find(is_overview));
    let of_class = overview.and_then(|overview| file_in(overview, "tag-source"));
    let own = leads_to("tag-source");
    own.is_some() && of_class.is_some() && own != of_class
}

/// The file that the first detail of a class below a node leads to: `<dd class="tag-source">…<a href="core_Buoy.js.html#line7">`.
fn file_in<'a>(node: PageNode<'a>, class: &str) -> Option<&'a str> {
    let is_detail = |e: &Element| e.name() == "dd" && Attributes::of(e).has_class(&[class]);
    let mut below = node.descendants().take(MAX_NODES);
    let detail = below.find(|node| is_like(*node, is_detail))?;
    let mut links = detail
        .descendants()
        .filter_map(|node| node.value().as_element());
    let link = links.find(|element| element.name() == "a")?;
    let file = Attributes::of(link).href.split('#').next();
    file.filter(|file| !file.is_empty())
}

fn is_like(node: PageNode<'_>, is_wanted: impl Fn(&Element) -> bool) -> bool {
    node.value().as_element().is_some_and(is_wanted)
}
