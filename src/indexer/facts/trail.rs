//! The trail that a page shows to itself.

use scraper::Node;
use scraper::node::Element;

use super::super::noise::PageNode;
use super::super::sections::collapse;
use super::{MAX_NAME_CHARS, MAX_TRAIL, text_of};

/// True for a breadcrumb trail: by its label, or by the class that themes give it.
pub(super) fn is_trail(element: &Element) -> bool {
    let name = element.name();
    if !matches!(name, "nav" | "ol" | "ul" | "div") {
        return false;
    }
    let label = element.attr("aria-label").unwrap_or_default();
    let class = element.attr("class").unwrap_or_default();
    let is_class = |c: &str| {
        matches!(
            c,
            "breadcrumb"
                | "breadcrumbs"
                | "wy-breadcrumbs"
                | "md-path"
                | "rustdoc-breadcrumbs"
                | "tsd-breadcrumb"
                | "bd-breadcrumbs"
                | "theme-doc-breadcrumbs"
                | "phpdocumentor-breadcrumbs"
        )
    };
    label.to_ascii_lowercase().contains("breadcrumb")
        || class.split_ascii_whitespace().any(is_class)
}

/// Texts of the items of a trail, or of its links where it is no list. A last item without a link, behind others that have
/// one, is the page itself, under whatever name, and so is one that is marked as active.
pub(super) fn steps(trail: PageNode<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut has_link: Vec<bool> = Vec::new();
    let items = || {
        let elements = trail.descendants().filter_map(|n| n.value().as_element());
        elements.filter(|element| element.name() == "li")
    };
    let has_page = items().any(|item| has_class(item, |class| class == "active"));
    for wanted in ["li", "a"] {
        for node in trail.descendants() {
            let is_wanted =
                matches!(node.value(), Node::Element(e) if e.name() == wanted && !is_no_step(e));
            if is_wanted && found.len() < MAX_TRAIL {
                let text = text_of(node);
                if text.chars().any(char::is_alphanumeric) {
                    found.push(text);
                    has_link.push(node.descendants().any(is_link));
                }
            }
        }
        if !found.is_empty() || items().next().is_some() {
            break;
        }
    }
    if let [above @ .., false] = &has_link[..]
        && !has_page
        && above.contains(&true)
    {
        found.pop();
    }
    found
}

/// True for the item of the page itself, and for Read the Docs' links to its source in the list.
fn is_no_step(item: &Element) -> bool {
    has_class(item, |class| {
        class == "active" || class.ends_with("breadcrumbs-aside")
    })
}

pub(super) fn has_class(element: &Element, is_wanted: impl Fn(&str) -> bool) -> bool {
    let classes = element.attr("class").unwrap_or_default();
    classes.split_ascii_whitespace().any(is_wanted)
}

pub(super) fn is_link(node: PageNode<'_>) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| element.name() == "a" && element.attr("href").is_some())
}

/// The name of a group of theme-hope's menu that the page lies in: they stand in the order of a trail.
pub(super) fn active_group(header: PageNode<'_>, element: &Element) -> Option<String> {
    let has = |wanted: &str| has_class(element, |class| class == wanted);
    let is_active = has("vp-sidebar-header") && has("active");
    is_active
        .then(|| text_of(header))
        .filter(|text| !text.is_empty())
}

/// True for cppreference's bar of menus.
pub(super) fn is_bar(element: &Element) -> bool {
    element.name() == "div" && element.attr("class") == Some("t-navbar")
}

/// The names of the menus in cppreference's bar, each of which has the next one's below it: C++, Containers library,
/// `std::vector`.
pub(super) fn heads_of_bar(bar: PageNode<'_>) -> Vec<String> {
    let heads = bar.children().filter(|head| {
        let element = head.value().as_element();
        element.is_some_and(|element| has_class(element, |class| class == "t-navbar-head"))
    });
    let links = heads.filter_map(|head| head.children().find(|child| is_link(*child)));
    let names = links.map(text_of).filter(|name| !name.is_empty());
    names.take(MAX_TRAIL).collect()
}

/// The chapters of a book of bookdown's around an item of its menu, without their numbers: `<li class="chapter"><a><b>2</b>
/// Components</a><ul><li class="chapter" data-path="tables.html">`.
pub(super) fn chapters_above(item: PageNode<'_>) -> Vec<String> {
    let chapters = item.ancestors().filter(|above| {
        let element = above.value().as_element();
        element.is_some_and(|element| has_class(element, |class| class == "chapter"))
    });
    let title = |chapter: PageNode<'_>| {
        let link = chapter.children().find(|child| is_link(*child))?;
        let texts = link.children().filter_map(|child| child.value().as_text());
        let title = texts.map(|text| &**text).collect::<String>();
        Some(collapse(&title, MAX_NAME_CHARS)).filter(|title| !title.is_empty())
    };
    let mut steps: Vec<String> = chapters.filter_map(title).take(MAX_TRAIL).collect();
    steps.reverse();
    steps
}

/// True for Javadoc's places of a page in its bar: module, package, types around it, the page.
pub(super) fn is_bar_of_java(element: &Element) -> bool {
    element.name() == "ol" && element.attr("class") == Some("sub-nav-list")
}

/// The places of Javadoc's bar above the page itself.
pub(super) fn steps_of_java(bar: PageNode<'_>) -> Vec<String> {
    let links = bar.descendants().filter(|node| {
        let element = node.value().as_element();
        let is_own = |element: &Element| has_class(element, |class| class == "current-selection");
        is_link(*node) && !element.is_some_and(is_own)
    });
    let names = links.map(text_of).filter(|name| !name.is_empty());
    names.take(MAX_TRAIL).collect()
}
