//! Additions of themes to the text of a page: tables of contents, badges, links to edit, to other pages, to the source.

use scraper::Node;
use scraper::node::Element;

use super::java::is_place;
use super::names::{CLASSES, CODE_CLASSES, IDS};
use super::{Attributes, PageNode, has_class, is_element, short_text};

const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// True for an element inside the content that is no part of it.
pub(super) fn is_furniture(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    // A theme's class on these says how they look, not what they are, but for one that shows a heading nowhere.
    if HEADINGS.contains(&name) {
        return attributes.has_class(&["d-none"]) && is_label_unseen(node, attributes);
    }
    if matches!(name, "html" | "body" | "main" | "article") {
        return false;
    }
    if !attributes.class.is_empty() && is_furniture_by_class(node, name, attributes) {
        return true;
    }
    if attributes.role == "tablist" && are_over_code(node) {
        return true;
    }
    if name == "label" && is_tab_of_code(node) || is_behind_content(node) {
        return true;
    }
    if matches!(
        attributes.id,
        "toc" | "TOC" | "table-of-contents" | "TableOfContents"
    ) || IDS.contains(&attributes.id)
    {
        return true;
    }
    if matches!(name, "ul" | "table" | "div" | "p") && are_links_around(node)
        || attributes.id == "footer" && is_foot(node)
    {
        return true;
    }
    match name {
        "a" => {
            is_tool_link(node, attributes)
                || is_source_link(node, attributes)
                || is_link_to_more(node, attributes)
                || is_link_to_tree(node, attributes)
        }
        "li" => attributes.class.contains("toctree-l") && is_link_to_heading(node),
        "p" if is_place_in_source(node) || is_row_in_brackets(node) => true,
        // Haddock's labels of the parts of a type, "Constructors", which are sections.
        "p" if attributes.class == "caption" && is_child_of(node, "subs") => true,
        "p" | "div" | "span" | "small" | "em" | "time" => {
            is_of_scaladoc(node, attributes) || is_date_of_change(node)
        }
        _ => false,
    }
}

fn is_furniture_by_class(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    let classes = || attributes.class.split_ascii_whitespace();
    if classes().any(|class| CLASSES.contains(&class) || CLASSES.contains(&without_hash(class))) {
        return true;
    }
    match name {
        "span" | "td" | "div" | "pre" if attributes.has_class(&CODE_CLASSES) => return true,
        // docutils: `.. contents::`
        "div" | "aside" if attributes.has_class(&["contents"]) => {
            return attributes.has_class(&["topic", "local"]);
        }
        "span" if attributes.has_class(&["lang"]) && is_in_code_frame(node) => return true,
        // Javadoc's module and package of a type, and the types above it.
        "div" if is_place(node, name, attributes) => return true,
        "div" | "ul" if attributes.class == "inheritance" => return true,
        // Doxygen's links to the parts of the page, beside its title.
        "div" if attributes.has_class(&["summary"]) && is_child_of(node, "header") => return true,
        // theme-hope's author, tags and length of a text, below the title of its page.
        "div" if attributes.class == "page-info" => return is_child_of(node, "vp-page-title"),
        "div" if is_of_reference(node, attributes) => return true,
        // Bootstrap's window that a click opens.
        "div" if attributes.has_class(&["modal"]) && attributes.role == "dialog" => return true,
        // DocFX's namespace and library of a type.
        "div" if attributes.has_class(&["facts"]) => {
            return attributes.has_class(&["text-secondary"]);
        }
        // PreTeXt's word for what a heading is, before its title, and the number of a question without one.
        "span" if is_type_of_pretext(node, attributes) => return true,
        // fpdoc's row of links to the lists of a unit, and the unit's name.
        "table" if attributes.class == "bar" => return short_text(node, 12).starts_with('['),
        // Haddock's label of what a click opens.
        "summary" if attributes.has_class(&["hide-when-js-enabled"]) => return true,
        // The labels of jekyll-tabs.
        "ul" if attributes.has_class(&["tab"]) => {
            let behind = node.next_siblings().find(|node| node.value().is_element());
            return behind
                .is_some_and(|next| has_class(next, "tab-content") && is_code_alone(next));
        }
        "div" if attributes.has_class(&["header"]) && is_row_of_links(node) => return true,
        // TypeDoc's interface as a whole: its own members follow, and the others have their pages.
        "div" if attributes.class == "tsd-signature" && is_child_of(node, "col-content") => {
            return short_text(node, 12).starts_with("interface ");
        }
        // TypeDoc's list of the members of a module, each of which has a page.
        "details" | "section" if attributes.has_class(&["tsd-member-group"]) => {
            return node.children().any(is_list_of_pages);
        }
        "section" if attributes.has_class(&["tsd-is-inherited"]) && leads_to_definition(node) => {
            return true;
        }
        // Texinfo's category of a definition, where the manual gives none: a colon alone.
        "span" if attributes.has_class(&["category", "category-def"]) => {
            return !short_text(node, 16).contains(char::is_alphanumeric);
        }
        _ => {}
    }
    is_unseen(node, attributes)
        || (attributes.class.contains("adge")
            && (is_version(node) || is_badge_of_heading(node, attributes)))
}

fn is_type_of_pretext(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let mut behind = node.next_siblings();
    is_child_of(node, "heading")
        && match attributes.class {
            "type" | "period" => behind.any(|node| has_class(node, "title")),
            "codenumber" => !node.has_siblings(),
            _ => false,
        }
}

/// Additions of Scaladoc to the text about a class: the package above its name, permalinks of pictures, what a click opens
/// (the signature once more, the types above and below), the first sentence of a text that follows, headings for the
/// order of its filter.
fn is_of_scaladoc(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let parent = node.parent().and_then(|parent| parent.value().as_element());
    let is_in = |id: &str| parent.is_some_and(|parent| Attributes::of(parent).id == id);
    match attributes.id {
        "owner" if is_in("definition") => return true,
        "inheritedMembers" | "groupedMembers" if is_in("template") => return true,
        _ => {}
    }
    if attributes.has_class(&["toggleContainer"]) {
        return node.children().any(|child| {
            let element = child.value().as_element();
            element.is_some_and(|e| Attributes::of(e).has_class(&["hiddenContent"]))
        });
    }
    if attributes.has_class(&["shortcomment"]) {
        let mut behind = node
            .next_siblings()
            .filter_map(|node| node.value().as_element());
        return behind
            .next()
            .is_some_and(|e| Attributes::of(e).has_class(&["fullcomment"]));
    }
    attributes.has_class(&["permalink"]) && !short_text(node, 1).contains(char::is_alphanumeric)
}

/// True for what stands behind the text of a page (`sl-markdown-content`) in Starlight's column of it: a footer, and what a
/// site adds to it (`<div class="footer-sponsor">`).
fn is_behind_content(node: PageNode<'_>) -> bool {
    let is_text = |node: PageNode<'_>| {
        let element = node.value().as_element();
        element.is_some_and(|e| Attributes::of(e).has_class(&["sl-markdown-content"]))
    };
    is_child_of(node, "sl-container") && node.prev_siblings().take(MAX_BEHIND).any(is_text)
}

const MAX_BEHIND: usize = 64; // Nodes behind the text that are told by it.

/// True for the label of a tab above blocks of code, VitePress' or Material's: it says in a word what the code shows. One
/// that names a file says more.
fn is_tab_of_code(label: PageNode<'_>) -> bool {
    let text = short_text(label, 80);
    let is_file = text.contains(['.', '/']) && !text.trim().contains(char::is_whitespace);
    let Some(row) = label.parent().filter(|_| !is_file) else {
        return false;
    };
    if is_child_of(label, "tabs") {
        return is_child_of(row, "vp-code-group");
    }
    let content = row.next_siblings().find(|node| is_element(*node, "div"));
    let mut blocks = content
        .into_iter()
        .flat_map(|content| content.children())
        .filter(|node| is_element(*node, "div"));
    is_child_of(label, "tabbed-labels") && blocks.all(holds_only_code)
}

/// True for a row of tabs, Docusaurus' or Starlight's, whose panels hold code alone: `npm`, `Yarn`, `pnpm`.
fn are_over_code(row: PageNode<'_>) -> bool {
    let mut around = row.ancestors().take(2).map(panels_in);
    let panels = around.find(|panels| !panels.is_empty());
    panels.is_some_and(|panels| panels.into_iter().all(is_code_alone))
}

fn panels_in(around: PageNode<'_>) -> Vec<PageNode<'_>> {
    let is_panel = |node: &PageNode<'_>| {
        let element = node.value().as_element();
        element.is_some_and(|element| element.attr("role") == Some("tabpanel"))
    };
    let below = around.descendants().take(MAX_AROUND_TABS);
    below.filter(is_panel).take(MAX_PANELS).collect()
}

const MAX_AROUND_TABS: usize = 2000; // Nodes among which the panels of a row of tabs are looked for.
const MAX_PANELS: usize = 4; // Panels that are looked at.
const MAX_IN_PANEL: usize = 1000; // Nodes of one that are.
const MAX_BESIDE_CODE: usize = 40; // Letters beside the code of a panel: the name of a file, a button.

fn is_code_alone(panel: PageNode<'_>) -> bool {
    let n_letters = |node: PageNode<'_>| -> usize {
        let texts = node.descendants().take(MAX_IN_PANEL);
        let texts = texts.filter_map(|below| below.value().as_text());
        texts.map(|text| text.trim().chars().count()).sum()
    };
    let below = panel.descendants().take(MAX_IN_PANEL);
    let blocks = below.filter(|node| is_element(*node, "pre"));
    let n_in_code: usize = blocks.map(n_letters).sum();
    n_in_code > 0 && n_letters(panel) <= n_in_code + MAX_BESIDE_CODE
}

fn holds_only_code(block: PageNode<'_>) -> bool {
    let mut inside = block
        .children()
        .filter_map(|node| node.value().as_element());
    let is_code = |element: &Element| {
        element.name() == "pre" || Attributes::of(element).has_class(&["highlight"])
    };
    inside.next().is_some_and(is_code) && inside.next().is_none()
}

/// True for a member of TypeDoc's that the page of another class tells: `<aside class="tsd-sources"><p>Inherited from <a
/// href="Float.html">Float</a>.<a href="Float.html#drift">drift</a>`. One of a class outside the site has no link.
fn leads_to_definition(member: PageNode<'_>) -> bool {
    let is_told = |line: PageNode<'_>| {
        short_text(line, 14).starts_with("Inherited from")
            && line.children().any(|child| is_element(child, "a"))
    };
    let mut lines = member.descendants().filter(|node| is_element(*node, "p"));
    lines.any(|line| is_child_of(line, "tsd-sources") && is_told(line))
}

fn is_list_of_pages(node: PageNode<'_>) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| {
        element.name() == "dl" && Attributes::of(element).has_class(&["tsd-member-summaries"])
    })
}

/// Texinfo's row of links to the pages around: what stands between the links are labels, `Next: `, `Up: `, in whatever
/// language, and signs.
fn is_row_of_links(node: PageNode<'_>) -> bool {
    let row = Links::within(node);
    row.n > 0 && row.n_labels > 0 && row.has_links_only
}

/// True for links alone, with labels or signs between them, of which one says that it leads to the page before, behind or
/// above: `<a accesskey=n>`, `<a rel=up>`.
fn are_links_around(node: PageNode<'_>) -> bool {
    let row = Links::within(node);
    row.leads_around && row.has_links_only
}

/// The links of a block that is told by them.
#[derive(Default)]
struct Links {
    n: usize,
    /// Words between them that end in a colon.
    n_labels: usize,
    has_links_only: bool,
    /// One of them leads to the page before, behind or above.
    leads_around: bool,
}

const MAX_IN_ROW: usize = 96; // Nodes of a row of links; what has more is no row.

impl Links {
    fn within(node: PageNode<'_>) -> Self {
        let mut found = Self::default();
        for (at, below) in node.descendants().enumerate() {
            if at == MAX_IN_ROW {
                return found;
            }
            match below.value() {
                Node::Element(element) if element.name() == "a" => {
                    found.n += 1;
                    found.leads_around |= leads_around(element);
                }
                Node::Text(text) => {
                    let mut above = below.ancestors().take(4);
                    if above.any(|above| is_element(above, "a")) {
                        continue;
                    }
                    let words = text.split_whitespace();
                    for word in words.filter(|word| word.contains(char::is_alphanumeric)) {
                        if !word.ends_with(':') {
                            return found;
                        }
                        found.n_labels += 1;
                    }
                }
                _ => {}
            }
        }
        found.has_links_only = true;
        found
    }
}

fn leads_around(link: &Element) -> bool {
    let around = ["prev", "previous", "next", "up"];
    let mut rels = link
        .attr("rel")
        .unwrap_or_default()
        .split_ascii_whitespace();
    let key = link.attr("accesskey").unwrap_or_default();
    matches!(key, "n" | "p" | "u") || rels.any(|rel| around.contains(&rel))
}

/// True for what ends the page, without a heading: only scripts follow.
fn is_foot(node: PageNode<'_>) -> bool {
    let is_more = |node: PageNode<'_>| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Element(element) => !matches!(element.name(), "script" | "style" | "link"),
        _ => false,
    };
    let mut below = node.descendants();
    let is_headed = |node: PageNode<'_>| HEADINGS.iter().any(|name| is_element(node, name));
    !node.next_siblings().any(is_more) && !below.any(is_headed)
}

/// `tableOfContents_bqdL` without its hash.
fn without_hash(class: &str) -> &str {
    match class.rsplit_once('_') {
        Some((name, hash)) if (4..=6).contains(&hash.len()) => name,
        _ => class,
    }
}

/// Utility classes that show an element on paper only, `hidden print:flex` and `d-none d-print-block`, or nowhere: `d-none`.
fn is_unseen(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let shows = |prefix: &str, hidden: &str| {
        attributes.class.split_ascii_whitespace().any(|class| {
            class
                .strip_prefix(prefix)
                .is_some_and(|rest| rest != hidden)
        })
    };
    (attributes.has_class(&["hidden"]) && shows("print:", "hidden"))
        || (attributes.has_class(&["d-none"])
            && (shows("d-print-", "none") || is_label_unseen(node, attributes)))
}

/// True for a few words that Bootstrap shows at no width; more may be a panel that a click opens.
fn is_label_unseen(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const MAX_LEN: usize = 100;
    let mut classes = attributes.class.split_ascii_whitespace();
    let is_shown = classes.any(|class| class.starts_with("d-") && !class.ends_with("-none"));
    !is_shown && short_text(node, MAX_LEN).trim().len() <= MAX_LEN
}

/// The name of a code block's language, as VitePress shows it in a corner.
fn is_in_code_frame(node: PageNode<'_>) -> bool {
    let frame = node.parent().and_then(|parent| parent.value().as_element());
    frame.is_some_and(|frame| Attributes::of(frame).class.contains("language-"))
}

/// A badge that only names a version: `^1.9.0`, `v2+`, `< 3`.
fn is_version(node: PageNode<'_>) -> bool {
    let text = short_text(node, 24);
    let bare = text
        .trim()
        .trim_start_matches(['v', 'V', '^', '~', '<', '>', '=', '≥', '≤', ' ']);
    text.len() <= 24
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.contains(|c: char| c.is_ascii_digit())
        && !bare.contains(' ')
}

/// A badge beside the words of a heading (`<h2>host <span class="VPBadge">experimental</span></h2>`), which it is no part of.
fn is_badge_of_heading(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const MAX_HEADING_LEN: usize = 400;
    let is_badge = attributes
        .class
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, '-' | '_'))
        .any(|part| part.ends_with("badge") || part.ends_with("Badge"));
    let is_heading = |above: &PageNode<'_>| HEADINGS.iter().any(|name| is_element(*above, name));
    let heading = node.ancestors().take(3).find(is_heading);
    let len = |node: PageNode<'_>| short_text(node, MAX_HEADING_LEN).trim().len();
    is_badge && heading.is_some_and(|heading| len(heading) > len(node))
}

/// True for TypeDoc's line on where something stands in the sources: `Defined in: <a>hooks.ts:30</a>`, as its Markdown has it.
fn is_place_in_source(line: PageNode<'_>) -> bool {
    let mut own = line.children().filter_map(|child| child.value().as_text());
    let first = own.next().map(|text| text.trim()).unwrap_or_default();
    // fpdoc's `Source position: tides.pp line 30`.
    let is_of_fpdoc = first.starts_with("Source position: ") && first.contains(" line ");
    (first == "Defined in:" || is_of_fpdoc) && own.next().is_none()
}

/// True for fpdoc's row of links, each in brackets: `[Properties] [Methods] [Events]`.
fn is_row_in_brackets(row: PageNode<'_>) -> bool {
    let (mut n_links, mut has_other) = (0, false);
    for child in row.children() {
        match child.value() {
            Node::Text(text) => {
                has_other |= text.contains(|c: char| !matches!(c, '[' | ']') && !c.is_whitespace());
            }
            Node::Element(element) if element.name() == "a" => n_links += 1,
            _ => has_other = true,
        }
    }
    let mut texts = row.children().filter_map(|child| child.value().as_text());
    n_links > 1 && !has_other && texts.any(|text| text.contains('['))
}

fn is_child_of(node: PageNode<'_>, class: &str) -> bool {
    node.parent().is_some_and(|parent| has_class(parent, class))
}

/// A link to the listing of what it stands beside: "[src]", or "Source" where its class or its address says the same. A
/// link within the page is a heading's to itself: Cargo's configuration has a table `[source]`.
fn is_source_link(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const MAX_LEN: usize = 12;
    if attributes.href.starts_with('#') {
        return false;
    }
    let text = short_text(node, MAX_LEN);
    match text.trim() {
        "[src]" | "[source]" | "[Source]" => true,
        "Source" | "source" | "src" => {
            attributes.has_class(&["srclink", "source-link", "src"])
                || (attributes.has_class(&["link"]) && is_in_sources(attributes.href))
        }
        _ => false,
    }
}

/// The link that Doxygen and qdoc put behind the first sentence of a longer text.
fn is_link_to_more(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const TEXT: &str = "More...";
    attributes.href.contains('#') && short_text(node, TEXT.len()).trim() == TEXT
}

/// pydoctor's link to the place of a class among all.
fn is_link_to_tree(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const TEXT: &str = "View In Hierarchy";
    attributes.href.starts_with("classIndex.html#") && short_text(node, TEXT.len()).trim() == TEXT
}

fn is_in_sources(href: &str) -> bool {
    href.starts_with("src/") || href.contains("/src/")
}

/// A link to edit the page, to the page before or after, or over the menu to the content.
fn is_tool_link(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    const HOSTS: [&str; 5] = ["github", "gitlab", "bitbucket", "codeberg", "gitea"];
    let href = attributes.href;
    if attributes
        .rel
        .split_ascii_whitespace()
        .any(|rel| matches!(rel, "next" | "prev"))
    {
        return true;
    }
    if href.starts_with('#') {
        return short_text(node, 60).trim_start().starts_with("Skip to");
    }
    let is_editor = href.contains("/edit/") || href.contains("/_edit/");
    is_editor && HOSTS.iter().any(|host| href.contains(host)) && short_text(node, 60).len() <= 60
}

/// An item of Sphinx's list of pages that is a heading of another page.
fn is_link_to_heading(item: PageNode<'_>) -> bool {
    let link = item.children().find(|child| is_element(*child, "a"));
    link.and_then(|link| link.value().as_element())
        .and_then(|link| link.attr("href"))
        .is_some_and(|href| href.contains('#'))
}

/// A short line that says when the page was changed.
fn is_date_of_change(node: PageNode<'_>) -> bool {
    const MAX_LEN: usize = 80;
    const STARTS: [&str; 6] = [
        "Last updated",
        "Last update:",
        "Last modified",
        "Last edited",
        "Page last",
        "This page was last",
    ];
    let Some(Node::Text(first)) = node.first_child().map(|child| child.value()) else {
        return false;
    };
    let first = first.trim_start();
    if !STARTS.iter().any(|start| first.starts_with(start)) {
        return false;
    }
    let text = short_text(node, MAX_LEN);
    text.len() <= MAX_LEN && text.contains(|c: char| c.is_ascii_digit())
}

/// True for pdoc's listing of a source, which a click opens (code in a text has no such switch beside it), and for Doctum's
/// place of a method in the sources, and its methods that another class or trait tells.
fn is_of_reference(node: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    if attributes.has_class(&["pdoc-code"]) {
        let mut beside = node
            .parent()
            .into_iter()
            .flat_map(|around| around.children());
        return beside.any(|node| has_class(node, "view-source-toggle-state"));
    }
    attributes.class == "location" && is_child_named(node, "h3")
        || attributes.class == "method-item" && is_told_elsewhere(node)
}

fn is_child_named(node: PageNode<'_>, name: &str) -> bool {
    node.parent().is_some_and(|above| is_element(above, name))
}

/// True for a method of Doctum's whose place leads to another page: "in TranslatorAwareTrait at line 60".
fn is_told_elsewhere(item: PageNode<'_>) -> bool {
    const STEPS: usize = 12; // The heading, its place, and the white space between them.
    let mut below = item.descendants().take(STEPS);
    let place = below.find(|node| has_class(*node, "location"));
    place.is_some_and(|place| {
        let links = place
            .children()
            .filter_map(|node| node.value().as_element());
        let mut targets = links.filter_map(|link| link.attr("href"));
        targets.any(|target| target.contains("#method_"))
    })
}
