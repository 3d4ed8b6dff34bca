//! Facts of a page that only the whole site can judge: its own address, its translations, how it writes links.

mod captions;
mod defined;
mod doxygen;
mod lead;
pub(super) mod listings;
pub(super) mod maven;
mod trail;

use captions::{MAX_CAPTIONS, is_caption};
use std::collections::HashSet;

use scraper::node::Element;
use scraper::{Html, Node};

use super::depth::limit_depth;
use super::document::{DOCSTRING, PageFacts};
use super::html::{definition, docsify, esdoc, jsdoc, natural_docs};
use super::links::Origin;
use super::noise::{Attributes, PageNode, is_place};
use super::sections::collapse;
use super::site::searching;
use listings::{
    JXR_INDEX, JXR_PACKAGE, NUMBERS, OF_OPENER, is_index_of_jxr, is_index_of_numbers, is_listing,
    is_package_of_jxr, is_signature, is_window_of_links,
};
use trail::{MAX_TRAIL, has_class};

/// Links of a page that are looked at: enough to see how a site writes them.
const MAX_HREFS: usize = 400;
/// Translations that a page may name.
const MAX_ALTERNATES: usize = 200;
/// Characters of a step, or of a name.
const MAX_NAME_CHARS: usize = 120;
/// Characters of a lead. A longer paragraph has a sentence that ends.
const MAX_LEAD_CHARS: usize = 256;

/// Class of a page whose author is named as pod2html does, with `<link rev="made">`.
pub(super) const POD: &str = "pod2html";

/// Class of a page of cards that is built in the browser, from a file beside it.
pub(super) const STARTING_PAGE: &str = " only-starting-page";

/// Collects the facts while the elements of a page are passed in document order.
#[derive(Default)]
pub(crate) struct Facts {
    page: PageFacts,
    og_url: String,
    seen: HashSet<String>,
    /// Doxygen's brief description of the page's subject, or the first paragraph of Sphinx's.
    brief: String,
    /// Name of the page's file.
    file: String,
}

impl Facts {
    /// None yet, of the page at `path`.
    pub(crate) fn of(path: &str) -> Self {
        Self {
            file: path.rsplit('/').next().unwrap_or(path).to_owned(),
            ..Self::default()
        }
    }

    /// Notes an element that only the page of a search has.
    fn searches(&mut self, is_so: bool) {
        let class = [" ", searching::RESULTS];
        (self.page.classes).extend(class.into_iter().filter(|_| is_so));
    }

    /// Takes in one element.
    pub(crate) fn note(&mut self, node: PageNode<'_>, element: &Element) {
        let attr = |name| element.attr(name).unwrap_or_default().trim();
        match element.name() {
            "html" | "body" => self.page(node, element),
            "link" => {
                if attr("rev") == "made" {
                    self.class(POD);
                }
                self.link(attr("rel"), attr("href"), attr("hreflang"));
            }
            "meta" => {
                let name = element.attr("name").or_else(|| element.attr("property"));
                self.meta(
                    &name.unwrap_or_default().to_ascii_lowercase(),
                    attr("content"),
                );
            }
            "a" => self.anchor(node, element, attr("href")),
            "script" => {
                self.generator_by_script(attr("src"));
                self.searches(searching::is_script(attr("src")));
                if docsify::chooses_history(node) {
                    self.page.classes.push(' ');
                    self.page.classes.push_str(docsify::HISTORY);
                }
            }
            "title" if attr("data-ice") == "title" => {
                self.page.generator = esdoc::GENERATOR.into();
            }
            "div" if attr("class") == "tsd-page-title" && self.page.generator.is_empty() => {
                self.page.generator = "typedoc".into();
            }
            "div" if is_place(node, "div", &Attributes::of(element)) => self.java(node),
            // Docusaurus' pages of cards have no class of their own higher up.
            "div" if attr("class").starts_with("generatedIndexPage_") => {
                self.page.classes.push_str(" generatedIndexPage");
            }
            "div" if is_list_of_theme_hope(node, element) => {
                self.page.classes.push_str(" vp-blog-list");
            }
            _ => {
                self.searches(searching::is_place_of_results(attr("id")));
                self.defined(node, element);
                self.page.classes.extend(standing(node, element));
            }
        }
        if self.page.captions.len() < MAX_CAPTIONS && is_caption(node, element) {
            self.page.captions.push(text_within(node, MAX_LEAD_CHARS));
        }
        if element.name() == "h1" && self.page.lead.is_empty() {
            self.lead(node);
        }
        if self.brief.is_empty() && self.page.generator.starts_with("Doxygen") {
            let attributes = Attributes::of(element);
            self.brief = doxygen::brief(node, element.name(), &attributes).unwrap_or_default();
        }
        self.trail(node, element);
    }

    /// Takes in what stands behind the page's heading.
    fn lead(&mut self, heading: PageNode<'_>) {
        self.page.lead = lead::behind(heading).unwrap_or_default();
        if let Some(docstring) = lead::docstring(heading) {
            self.brief = docstring;
            self.class(DOCSTRING);
        }
    }

    /// Takes in what the page says of itself on its outermost elements.
    fn page(&mut self, node: PageNode<'_>, element: &Element) {
        let attr = |name| element.attr(name).unwrap_or_default().trim();
        self.page.classes.push(' ');
        self.page.classes.push_str(attr("class"));
        if let Some(template) = element.attr("data-template") {
            self.writerside(template, attr("data-breadcrumbs"));
        }
        if element.name() == "html" {
            self.comments(node);
        }
        if element.name() == "body" && natural_docs::is_body(node) {
            self.page.generator = natural_docs::GENERATOR.into();
        }
        if element.name() == "body" && is_listing(node) {
            self.page.classes.push_str(" only-pre");
        }
        if element.name() == "body" && is_index_of_numbers(node) {
            self.class(NUMBERS);
        }
        if element.name() == "body" && is_window_of_links(node) {
            self.class(OF_OPENER);
        }
        if element.name() == "body" && is_signature(node) {
            self.page.classes.push_str(" only-signature");
        }
    }

    /// Takes in a comment; other nodes are none.
    pub(crate) fn comment(&mut self, node: PageNode<'_>) {
        let text = match node.value() {
            Node::Comment(comment) => comment.trim(),
            _ => return,
        };
        let rest = text.strip_prefix(doxygen::COMMENT);
        if let Some(version) = rest.filter(|_| self.page.generator.is_empty()) {
            self.page.generator = ["Doxygen ", version].concat();
        }
    }

    /// A description of the page's subject that its generator does not call so.
    pub(crate) fn take_brief(&mut self) -> String {
        std::mem::take(&mut self.brief)
    }

    /// The facts.
    pub(crate) fn finish(mut self, title_element: &str) -> PageFacts {
        if is_package_of_jxr(title_element) {
            self.class(JXR_PACKAGE);
        }
        let mut page = self.page;
        if page.canonical.is_empty() {
            page.canonical = self.og_url;
        }
        title_element.clone_into(&mut page.title_element);
        page
    }

    /// Takes in what Maven's tools say in comments before and behind the first tag.
    fn comments(&mut self, html: PageNode<'_>) {
        if is_index_of_jxr(html) {
            self.class(JXR_INDEX);
        }
        if maven::is_report(html) {
            self.class(maven::REPORT);
        }
    }

    fn class(&mut self, class: &str) {
        self.page.classes.push(' ');
        self.page.classes.push_str(class);
    }

    fn link(&mut self, rel: &str, href: &str, language: &str) {
        let is = |name: &str| {
            rel.split_ascii_whitespace()
                .any(|r| r.eq_ignore_ascii_case(name))
        };
        if is("canonical") && self.page.canonical.is_empty() {
            href.clone_into(&mut self.page.canonical);
        }
        if is("up") && self.page.up.is_empty() {
            href.clone_into(&mut self.page.up);
        }
        if is("stylesheet") && self.page.generator.is_empty() && jsdoc::is_stylesheet(href) {
            self.page.generator = jsdoc::GENERATOR.into();
        }
        if is("stylesheet") && self.page.generator.is_empty() && href.ends_with("ldoc.css") {
            self.page.generator = definition::LDOC.into();
        }
        if is("alternate") && !language.is_empty() && self.page.alternates.len() < MAX_ALTERNATES {
            let tag = language.to_ascii_lowercase();
            self.page.alternates.push((tag, href.to_owned()));
        }
    }

    fn meta(&mut self, name: &str, content: &str) {
        if content.is_empty() {
            return;
        }
        match name {
            "og:url" => content.clone_into(&mut self.og_url),
            "og:title" => self.page.og_title = collapse(content, MAX_NAME_CHARS),
            "og:site_name" | "application-name" if self.page.site_name.is_empty() => {
                self.page.site_name = collapse(content, MAX_NAME_CHARS);
            }
            "generator" if self.page.generator.is_empty() => {
                self.page.generator = collapse(content, MAX_NAME_CHARS);
            }
            // DocSearch's convention, Docusaurus' own, and the names that other themes have for it.
            "docsearch:version" | "docusaurus_version" | "doc:version" | "docs:version"
                if self.page.version.is_empty() =>
            {
                self.page.version = collapse(content, MAX_NAME_CHARS);
            }
            "docusaurus_tag" | "docsearch:docusaurus_tag" => {
                content.clone_into(&mut self.page.version_line)
            }
            "article:published_time" => self.page.is_post = true,
            _ if name.starts_with("docfx:") && self.page.generator.is_empty() => {
                self.page.generator = definition::DOCFX.into();
            }
            _ => {}
        }
    }

    /// Writerside says of a page on its body what the browser makes of it: its template, and its trail as
    /// `FILE|Title///FILE|Title`.
    fn writerside(&mut self, template: &str, trail: &str) {
        if template == "section-page" {
            self.page.classes.push_str(STARTING_PAGE);
        }
        let steps = trail.split("///").filter_map(|step| step.split_once('|'));
        let steps = steps.map(|(_, title)| collapse(title, MAX_NAME_CHARS));
        self.page.trail.extend(steps.take(MAX_TRAIL));
    }

    /// Haddock, Dokka and Docsify name themselves in a script only.
    fn generator_by_script(&mut self, src: &str) {
        let name = src.rsplit('/').next().unwrap_or(src);
        if name.starts_with("haddock-") && self.page.generator.is_empty() {
            self.page.generator = "haddock".into();
        }
        if docsify::is_script(src) && self.page.generator.is_empty() {
            self.page.generator = docsify::GENERATOR.into();
        }
        if name == "sourceset_dependencies.js" && self.page.generator.is_empty() {
            self.page.generator = definition::DOKKA.into();
        }
    }

    /// The kind of what a page of docdash's defines, which its menu tells.
    fn kind_in_menu(&mut self, link: PageNode<'_>, href: &str) {
        let is_own = href == self.file && self.page.generator == jsdoc::GENERATOR;
        if is_own
            && !self.page.classes.contains(" defines-")
            && let Some(kind) = jsdoc::in_menu(link)
        {
            self.page.classes.push_str(" defines-");
            self.page.classes.push_str(kind);
        }
    }

    /// Javadoc's module or package of a type, `Package java.util`.
    fn java(&mut self, place: PageNode<'_>) {
        if self.page.generator.is_empty() {
            self.page.generator = definition::JAVADOC.into();
        }
        let text = text_of(place);
        let name = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        // Java 8 names its profiles in a line, too.
        if !text.contains(',') && self.page.trail.len() < MAX_TRAIL {
            self.page.trail.push(name.to_owned());
        }
    }

    fn href(&mut self, href: &str) {
        let canonical = [&self.page.canonical, &self.og_url];
        let canonical = canonical.into_iter().find(|address| !address.is_empty());
        let host = canonical.map_or("", |address| Origin::new("", address).host);
        let href = super::links::without_host(href, host);
        let is_local = !href.is_empty()
            && !href.starts_with(['#', '?'])
            && !href.starts_with("//")
            && !super::links::has_scheme(href);
        if is_local && self.page.hrefs.len() < MAX_HREFS {
            let end = href.find(['?', '#']).unwrap_or(href.len());
            if self.seen.insert(href[..end].to_owned()) {
                self.page.hrefs.push(href[..end].to_owned());
            }
        }
    }
}

/// True for what theme-hope of VuePress lists by tag, category or date. The home of a blog has a banner there.
fn is_list_of_theme_hope(node: PageNode<'_>, element: &Element) -> bool {
    let is_blog = has_class(element, |class| class == "vp-blog");
    is_blog && {
        let mut children = node
            .children()
            .filter_map(|child| child.value().as_element());
        let is_banner = |child: &Element| has_class(child, |class| class == "vp-blog-hero");
        has_class(element, |class| class == "vp-page") && !children.any(is_banner)
    }
}

/// A note at a page's top on its subject, as a class: rustdoc's of the item that the page is about, and Sphinx's beside the
/// page's own heading.
fn standing(node: PageNode<'_>, element: &Element) -> Option<&'static str> {
    let class = element.attr("class")?;
    let parent = node.parent()?;
    if class == "item-info"
        && matches!(parent.value(), Node::Element(e) if e.id() == Some("main-content"))
    {
        return node.children().find_map(|note| match note.value() {
            Node::Element(e) if e.attr("class") == Some("stab unstable") => {
                Some(" is-experimental")
            }
            Node::Element(e) if e.attr("class") == Some("stab deprecated") => {
                Some(" is-deprecated")
            }
            _ => None,
        });
    }
    let is_body = matches!(parent.value(), Node::Element(e) if e.name() == "body");
    if is_body && element.name() == "div" && class.eq_ignore_ascii_case("index") {
        return Some(" is-book-index");
    }
    let is_note = element.name() == "div"
        && class
            .split_ascii_whitespace()
            .any(|c| matches!(c, "deprecated" | "deprecated-removed"));
    (is_note && is_first_block(node)).then_some(" is-deprecated")
}

/// True for what follows the page's own heading at once; what is said further down is about a part of its subject.
fn is_first_block(note: PageNode<'_>) -> bool {
    let mut before = note
        .prev_siblings()
        .filter(|node| node.value().is_element());
    let heading = before.find(|node| !is_before_text(*node));
    heading.is_some_and(
        |node| matches!(node.value(), Node::Element(element) if element.name() == "h1"),
    )
}

/// A line, the version since which there is a thing, the address of its source.
fn is_before_text(node: PageNode<'_>) -> bool {
    let Node::Element(element) = node.value() else {
        return true;
    };
    let class = element.attr("class").unwrap_or_default();
    match element.name() {
        "hr" | "script" | "span" => true,
        "div" => class.starts_with("version"),
        "p" => text_of(node).starts_with("Source code:"),
        _ => false,
    }
}

fn text_of(node: PageNode<'_>) -> String {
    text_within(node, MAX_NAME_CHARS)
}

fn text_within(node: PageNode<'_>, max_chars: usize) -> String {
    let mut text = String::new();
    for below in node.descendants() {
        if let Node::Text(part) = below.value() {
            text.push_str(part);
        }
        if text.len() > max_chars * 4 {
            break;
        }
    }
    collapse(&text, max_chars)
}

/// Addresses in a sitemap: the texts of its `<loc>` elements. Anything else gives none.
pub fn sitemap_addresses(text: &str) -> Vec<String> {
    let limited = limit_depth(text);
    let page = Html::parse_document(&limited);
    let nodes = page.tree.root().descendants();
    let locations = nodes
        .filter(|n| matches!(n.value(), Node::Element(e) if e.name().eq_ignore_ascii_case("loc")));
    locations
        .map(text_of_whole)
        .filter(|address| !address.is_empty())
        .collect()
}

fn text_of_whole(node: PageNode<'_>) -> String {
    let texts = node.descendants().filter_map(|below| match below.value() {
        Node::Text(part) => Some(part.to_string()),
        _ => None,
    });
    texts.collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn facts(html: &str) -> PageFacts {
        read(Facts::default(), html)
    }

    fn read(mut facts: Facts, html: &str) -> PageFacts {
        let page = Html::parse_document(html);
        for node in page.tree.root().descendants() {
            if let Node::Element(element) = node.value() {
                facts.note(node, element);
            }
        }
        facts.finish("T")
    }

    #[test]
    fn a_page_says_at_its_top_that_its_subject_is_experimental_or_deprecated() {
        let classes = |html: &str| facts(html).classes.trim().to_owned();
        let rustdoc = |note: &str, inside: &str| {
            classes(&format!(
                "<section id=main-content><div class=main-heading><h1>Struct <span>A</span></h1></div><pre>struct A;</pre>
                 {note}<details class=toggle><summary>impl A</summary>{inside}</details></section>"
            ))
        };
        let note =
            |class| format!("<span class=item-info><div class='stab {class}'>…</div></span>");
        assert_eq!(rustdoc(&note("unstable"), ""), "is-experimental");
        assert_eq!(rustdoc(&note("deprecated"), ""), "is-deprecated");
        assert_eq!(rustdoc("", &note("unstable")), "", "a member is");
        assert_eq!(rustdoc(&note("portability"), ""), "");
        let sphinx = |before: &str| {
            classes(&format!(
                "<section><span id=imp></span><h1>imp</h1>{before}<p>Text.</p></section>"
            ))
        };
        let note = |class| format!("<div class={class}><p>Deprecated since 3.4.</p></div>");
        let source = "<p><strong>Source code:</strong> <a href=x>Lib/imp.py</a></p><hr>";
        assert_eq!(sphinx(&note("deprecated")), "is-deprecated");
        let removed = note("deprecated-removed");
        assert_eq!(sphinx(&[source, &removed].concat()), "is-deprecated");
        assert_eq!(
            sphinx(&["<p>Text.</p>", &removed].concat()),
            "",
            "a part is"
        );
        let below = ["<section><h2>b</h2>", &note("deprecated"), "</section>"];
        assert_eq!(sphinx(&below.concat()), "", "a section is");
    }

    #[test]
    fn generators_without_a_name_are_told_by_what_they_write() {
        let haddock = facts(
            "<head><title>Data.Maybe</title><script src='haddock-bundle.min.js'></script></head>",
        );
        assert_eq!(haddock.generator, "haddock");
        let listing = facts(
            "<head><link rel=stylesheet href=hscolour.css></head><body>\n<pre><a name=line-1></a>module A</pre>\n<script></script></body>",
        );
        assert_eq!(listing.classes.trim(), "only-pre");
        assert_eq!(facts("<body><pre>a</pre>Text").classes.trim(), "");
        let signature =
            facts("<body>\n<code class=code><span class=keyword>sig</span></code></body>");
        assert_eq!(signature.classes.trim(), "only-signature");
        let book = facts("<body><div class=navheader></div><div class=index><h1>Index</h1></div>");
        assert_eq!(book.classes.trim(), "is-book-index");
        assert_eq!(
            facts("<main><div class=index></div></main>").classes.trim(),
            ""
        );
    }

    #[test]
    fn a_page_says_where_it_is_and_what_it_belongs_to() {
        let page = facts(
            r##"<html class="docs-wrapper docs-version-2"><meta property="og:url" content="https://x.org/other">
            <link rel="canonical" href="https://x.org/docs/a"><link rel=alternate hreflang=pt-BR href="https://x.org/pt-br/docs/a">
            <meta name="docsearch:version" content="2.1"><meta name="docusaurus_tag" content="docs-default-2.1">
            <meta property="og:site_name" content="My  Site"><body class=dark><a href="/docs/b#x">b</a><a href="/docs/b?y">again</a>
            <a href="#z">here</a><a href="https://y.org">away</a><a href="mailto:a@b">mail</a><a href="../c/">c</a>"##,
        );
        assert_eq!(page.canonical, "https://x.org/docs/a");
        assert_eq!(
            page.alternates,
            [("pt-br".into(), "https://x.org/pt-br/docs/a".into())]
        );
        assert_eq!(
            (page.version.as_str(), page.version_line.as_str()),
            ("2.1", "docs-default-2.1")
        );
        assert_eq!(
            (page.site_name.as_str(), page.title_element.as_str()),
            ("My Site", "T")
        );
        assert_eq!(page.hrefs, ["/docs/b", "../c/"]);
        assert!(page.classes.contains("docs-version-2") && page.classes.contains("dark"));
        let cards = "<html class=docs-doc-page><body><main><div class=generatedIndexPage_vN6x><h1>Basics</h1></div></main>";
        assert_eq!(facts(cards).classes, " docs-doc-page  generatedIndexPage");
        assert_eq!(
            facts("<meta property=og:url content=https://x.org/o>").canonical,
            "https://x.org/o"
        );
    }

    #[test]
    fn theme_hope_tells_its_lists_and_the_groups_of_its_menu() {
        let list =
            "<div class='vp-page vp-blog'><div class=blog-page-wrapper><main class=vp-blog-main><ul
            class=vp-tag-list></ul></main></div></div>";
        assert_eq!(facts(list).classes.trim(), "vp-blog-list");
        let home =
            "<div class='vp-page vp-blog'><div class=vp-blog-hero>Blog</div><main></main></div>";
        assert_eq!(facts(home).classes.trim(), "");
        let menu = "<ul><li><section class=vp-sidebar-group><button class='vp-sidebar-header clickable'><span
            class=vp-sidebar-title>Moon</span></button></section><li><section><button class='vp-sidebar-header clickable active'><span
            class=vp-sidebar-title>Sea</span></button><ul><li><section><p class='vp-sidebar-header active'><span
            class=vp-sidebar-title>Tides</span></p></section></ul></section></ul><nav class='vp-breadcrumb disable'></nav>";
        assert_eq!(facts(menu).trail, ["Sea", "Tides"]);
    }

    #[test]
    fn a_page_of_bookdown_lies_in_the_chapters_of_its_menu() {
        let html = "<meta name=generator content='bookdown 0.34 and GitBook 2.6.7'><ul class=summary><li class=chapter
            data-level=2 data-path=sea.html><a href=sea.html><i></i><b>2</b> The sea</a><ul><li class=chapter data-level=2.1
            data-path=tides.html><a href=tides.html><b>2.1</b> Tides</a></li></ul></li></ul>";
        let trail = |path: &str| read(Facts::of(path), html).trail;
        assert_eq!(trail("book/tides.html"), ["The sea"]);
        assert!(trail("sea.html").is_empty() && trail("moon.html").is_empty());
    }

    #[test]
    fn sitemaps_are_read() {
        let text = "<?xml version='1.0'?><urlset xmlns='x'><url><loc> https://x.org/a </loc></url><url><loc>https://x.org/b/</loc></url></urlset>";
        assert_eq!(
            sitemap_addresses(text),
            ["https://x.org/a", "https://x.org/b/"]
        );
        assert!(sitemap_addresses("{}").is_empty());
    }
}
