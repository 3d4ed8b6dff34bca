//! Navigation that generators without landmarks put around a page's content: menus told by their name and their links.

use scraper::Node;

use super::{Attributes, PageNode, is_element};

/// Classes and ids of such menus. Sidebars of a text have them, too, and are told by what they hold.
const NAMES: [&str; 6] = [
    "sidebar",
    "side-bar",
    "navigation",
    "navbar",
    "navpanel",
    "nav",
];
/// Ids of some, the second Natural Docs'. As a class it names what a manual of Texinfo's says of its chapters.
const MENUS: [&str; 2] = ["menu", "Menu"];
const MAX_NODES: usize = 2000; // Nodes of one that are looked at.
const MAX_IN_LINK: usize = 4; // Elements between a link and its text.

/// True for a menu beside the content of a page that names no content: Crystal's list of all types, LDoc's of all modules,
/// YARD's path to the page, gtk-doc's row of buttons, Slate's list of contents with its choice of languages.
pub(super) fn is_menu(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    let is_name = |name: &str| {
        let is_like = |menu: &&str| name.eq_ignore_ascii_case(menu);
        NAMES.iter().any(is_like) || is_contents(name)
    };
    let is_named = MENUS.contains(&attributes.id)
        || is_name(attributes.id)
        || attributes.class.split_ascii_whitespace().any(is_name);
    is_named && matches!(name, "div" | "ul" | "table" | "td" | "section") && is_of_links(node)
}

/// True for the name of a list of contents: `toc-wrapper`, `tocify`. Sphinx' `toctree` leads to the pages below.
fn is_contents(name: &str) -> bool {
    name.starts_with("toc") && !name.starts_with("toctree")
}

/// True where a third of the letters stand in links, at least: the last step of a path to the page is none.
fn is_of_links(node: PageNode<'_>) -> bool {
    let (mut in_links, mut beside, mut has_links) = (0, 0, false);
    for below in node.descendants().take(MAX_NODES) {
        has_links |= is_element(below, "a");
        let Node::Text(text) = below.value() else {
            continue;
        };
        let n_letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        let mut around = below.ancestors().take(MAX_IN_LINK);
        match around.any(|above| is_element(above, "a")) {
            true => in_links += n_letters,
            false => beside += n_letters,
        }
    }
    has_links && in_links * 2 >= beside
}
