//! Breadcrumb trails of pages, as their themes show them.

use scraper::Node;
use scraper::node::Element;

use super::{Facts, MAX_NAME_CHARS, text_of};
use crate::indexer::noise::{PageNode, is_element, path};
use crate::indexer::sections::collapse;

/// Steps of a breadcrumb trail; longer ones are menus.
pub(super) const MAX_TRAIL: usize = 8;

impl Facts {
    /// Takes in a trail, or what a menu shows of one; the first counts, but that of Maven's sites is the site's, and the menu
    /// says more.
    pub(super) fn trail(&mut self, node: PageNode<'_>, element: &Element) {
        let is_missing = self.page.trail.is_empty();
        match element.name() {
            "li" if is_missing
                && element.attr("data-path") == Some(&self.file)
                && self.page.generator.starts_with("bookdown") =>
            {
                self.page.trail = chapters_above(node);
            }
            "p" | "button" if self.page.trail.len() < MAX_TRAIL => {
                self.page.trail.extend(active_group(node, element));
            }
            _ if is_missing && is_bar(element) => self.page.trail = heads_of_bar(node),
            _ if is_missing && is_bar_of_java(element) => self.page.trail = steps_of_java(node),
            _ if is_missing && is_trail(element) => self.page.trail = steps(node, &self.file),
            "div" | "p" if is_missing && !path::steps(node).is_empty() => {
                self.page.trail = steps_above(path::steps(node), &self.file);
            }
            _ if is_missing || self.page.generator.starts_with("Apache Maven Doxia") => {
                let above = in_menu(node, element);
                if !above.is_empty() {
                    self.page.trail = above;
                }
            }
            _ => {}
        }
    }
}

/// True for a breadcrumb trail: by its label, or by the class that themes give it.
fn is_trail(element: &Element) -> bool {
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
                | "navpath"
        )
    };
    label.to_ascii_lowercase().contains("breadcrumb")
        || class.split_ascii_whitespace().any(is_class)
}

/// Texts of the items of a trail, or of its links where it is no list. A last item without a link, behind others that have
/// one, is the page itself, under whatever name, and so is one that is marked as active or leads to its file (Antora).
fn steps(trail: PageNode<'_>, file: &str) -> Vec<String> {
    if is_line_of_site(trail) {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    let mut has_link: Vec<bool> = Vec::new();
    let mut is_own = false;
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
                    is_own = node.descendants().any(|below| leads_to(below, file));
                }
            }
        }
        if !found.is_empty() || items().next().is_some() {
            break;
        }
    }
    let is_unlinked = |(last, above): (&bool, &[bool])| !last && above.contains(&true);
    if is_own || !has_page && has_link.split_last().is_some_and(is_unlinked) {
        found.pop();
    }
    found
}

fn leads_to(link: PageNode<'_>, file: &str) -> bool {
    let element = link.value().as_element();
    element.is_some_and(|element| element.attr("href") == Some(file))
}

/// Texts of the links of a line, without the last where that leads to the page itself.
fn steps_above(mut links: Vec<PageNode<'_>>, file: &str) -> Vec<String> {
    links.truncate(MAX_TRAIL);
    if links.last().is_some_and(|link| leads_to(*link, file)) {
        links.pop();
    }
    links.into_iter().map(text_of).collect()
}

/// True for the line below the banner of Maven's Fluido skin, which shows when the site was published and of which version
/// it is: before the page itself stand the sites around, on every page alike.
fn is_line_of_site(trail: PageNode<'_>) -> bool {
    let mut items = trail
        .children()
        .filter_map(|node| node.value().as_element());
    items.any(|item| {
        let is_named = |name: &str| matches!(name, "publishDate" | "projectVersion");
        item.name() == "li" && (item.id().is_some_and(is_named) || has_class(item, is_named))
    })
}

/// The steps above the page's own item in a menu of Bootstrap's: the header of its group, and the items around it. Maven's
/// skins write `<ul class="nav nav-list"><li class="nav-header">Guide</li><li class="active"><a>Start</a></li>…`.
fn bootstrap(item: PageNode<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let is_in_list = |item: &PageNode<'_>| {
        let list = item.parent().and_then(|list| list.value().as_element());
        list.is_some_and(|list| list.name() == "ul" && has_class(list, |c| c == "nav-list"))
    };
    let mut item = Some(item);
    while let Some(own) = item.filter(is_in_list) {
        let header = own.prev_siblings().find(|before| {
            let element = before.value().as_element();
            element.is_some_and(|element| has_class(element, |class| class == "nav-header"))
        });
        if let Some(header) = header {
            found.push(text_of(header));
            found.reverse();
            return found;
        }
        item = own.parent().and_then(|list| list.parent());
        let link = item.and_then(|item| item.children().find(|child| is_link(*child)));
        found.extend(link.map(text_of));
        if found.len() == MAX_TRAIL {
            break;
        }
    }
    Vec::new()
}

/// True for the item of the page itself, for Read the Docs' links to its source in the list, and for Doxygen's own name.
fn is_no_step(item: &Element) -> bool {
    has_class(item, |class| {
        class == "active" || class == "footer" || class.ends_with("breadcrumbs-aside")
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
fn active_group(header: PageNode<'_>, element: &Element) -> Option<String> {
    let has = |wanted: &str| has_class(element, |class| class == wanted);
    let is_active = has("vp-sidebar-header") && has("active");
    is_active
        .then(|| text_of(header))
        .filter(|text| !text.is_empty())
}

/// True for cppreference's bar of menus.
fn is_bar(element: &Element) -> bool {
    element.name() == "div" && element.attr("class") == Some("t-navbar")
}

/// The names of the menus in cppreference's bar, each of which has the next one's below it: C++, Containers library,
/// `std::vector`.
fn heads_of_bar(bar: PageNode<'_>) -> Vec<String> {
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
fn chapters_above(item: PageNode<'_>) -> Vec<String> {
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
fn is_bar_of_java(element: &Element) -> bool {
    element.name() == "ol" && element.attr("class") == Some("sub-nav-list")
}

/// The places of Javadoc's bar above the page itself.
fn steps_of_java(bar: PageNode<'_>) -> Vec<String> {
    let links = bar.descendants().filter(|node| {
        let element = node.value().as_element();
        let is_own = |element: &Element| has_class(element, |class| class == "current-selection");
        is_link(*node) && !element.is_some_and(is_own)
    });
    let names = links.map(text_of).filter(|name| !name.is_empty());
    names.take(MAX_TRAIL).collect()
}

/// Steps above a page in a menu without a trail: Laika's headings above the page's own item, by the levels in their
/// classes, what Bootstrap's show, and LDoc's label over the list in which the page stands as a name without a link.
fn in_menu(node: PageNode<'_>, element: &Element) -> Vec<String> {
    match element.name() {
        "li" if has_class(element, |class| class == "active") => match level_of(node) {
            Some(level) => laika(node, level),
            None => bootstrap(node),
        },
        "strong" => ldoc(node).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn laika(item: PageNode<'_>, mut level: u8) -> Vec<String> {
    let list = item.parent().and_then(|list| list.value().as_element());
    if !list.is_some_and(|list| has_class(list, |class| class == "nav-list")) {
        return Vec::new();
    }
    let mut steps = Vec::new();
    for before in item.prev_siblings() {
        if let Some(above) = level_of(before).filter(|above| *above < level) {
            level = above;
            steps.push(text_of(before));
        }
    }
    steps.reverse();
    steps.truncate(MAX_TRAIL);
    steps
}

/// The level of an item of Laika's: `level2`.
fn level_of(item: PageNode<'_>) -> Option<u8> {
    let classes = item.value().as_element()?.attr("class")?;
    let mut classes = classes.split_ascii_whitespace();
    classes.find_map(|class| class.strip_prefix("level")?.parse().ok())
}

fn ldoc(name: PageNode<'_>) -> Option<String> {
    let list = name
        .parent()
        .filter(|item| is_element(*item, "li"))?
        .parent()?;
    let menu = list.parent()?.value().as_element()?;
    if menu.id() != Some("navigation") {
        return None;
    }
    let mut before = list
        .prev_siblings()
        .filter(|node| node.value().is_element());
    before
        .next()
        .filter(|label| is_element(*label, "h2"))
        .map(text_of)
}

/// True for a link to the page above: by its relation, by its key in DocBook, or by the picture that LaTeX2HTML shows for
/// it.
pub(super) fn leads_up(link: PageNode<'_>, element: &Element) -> bool {
    let is_up = |value: Option<&str>| value.is_some_and(|v| v.trim().eq_ignore_ascii_case("up"));
    let mut pictures = link
        .children()
        .filter_map(|child| child.value().as_element());
    let has_key = element.attr("accesskey") == Some("u");
    is_up(element.attr("rel"))
        || has_key
        || pictures.any(|e| e.name() == "img" && is_up(e.attr("alt")))
}

#[cfg(test)]
mod tests {
    use super::super::tests::facts;

    #[test]
    fn trails_of_themes_are_read() {
        for (html, want) in [
            (
                "<nav aria-label=Breadcrumbs><ul class=breadcrumbs><li><a href=/><svg></svg></a><li>Guides<li>Start</ul></nav>",
                &["Guides", "Start"][..],
            ),
            (
                "<ul class=wy-breadcrumbs><li><a href=..>Docs</a> &raquo;</li><li>API</li><li class=wy-breadcrumbs-aside><a href=_sources/api>View page source</a></li></ul>",
                &["Docs »"], // The page itself has no link.
            ),
            (
                "<ul class=wy-breadcrumbs><li><a href=.. class='icon icon-home' aria-label=Docs></a></li><li class='breadcrumb-item active'>Benefits</li><li
                class=wy-breadcrumbs-aside><a href=https://github.com/x/edit>Edit on GitHub</a></li></ul>",
                &[],
            ),
            (
                "<ul class=wy-breadcrumbs><li><a href=..>Docs</a></li><li class=breadcrumb-item>Guide</li><li class='breadcrumb-item active'>Start</li></ul>",
                &["Docs", "Guide"],
            ),
            (
                "<div class=rustdoc-breadcrumbs><a href=..>std</a>::<wbr><a href=.>vec</a></div>",
                &["std", "vec"],
            ),
            (
                "<div id=nav-path class=navpath><ul><li class=navelem><a href=a.html>tides</a></li><li class=navelem><a href=b.html>Ebb</a></li><li
                class=footer>Generated by <a href=//doxygen.org>Doxygen</a></li></ul></div>",
                &["tides", "Ebb"],
            ),
            ("<nav><a href=/>Home</a></nav>", &[]),
        ] {
            assert_eq!(facts(html).trail, want, "{html}");
        }
    }

    #[test]
    fn the_header_over_the_pages_own_item_in_a_menu_is_a_step_and_a_date_is_none() {
        let line = "<ul class=breadcrumb><li><a href=../>Tides</a></li><li class=active>Start</li>
            <li id=publishDate class=pull-right>Last Published: 2024-01-01</li><li id=projectVersion>Version: 1.2</li></ul>";
        assert!(facts(line).trail.is_empty());
        let menu = "<ul class='nav nav-list'><li class=nav-header>Overview</li><li><a href=a.html>A</a></li>
            <li class=nav-header>User's Guide</li><li><a href=b.html>B</a></li><li class=active><a>Start</a></li></ul>";
        assert_eq!(facts(&[line, menu].concat()).trail, ["User's Guide"]);
        let deep = menu.replace("<a>Start</a>", "<a>C</a>").replace(
            "<li class=active>",
            "<li><a href=c.html>C</a><ul class='nav nav-list'><li class=active><a>Deep</a></li></ul></li><li>",
        );
        assert_eq!(facts(&deep).trail, ["User's Guide", "C"]);
        let bare = "<ul class='nav nav-list'><li><a href=b.html>B</a></li><li class=active>Start</li></ul>";
        assert!(facts(bare).trail.is_empty());
    }

    #[test]
    fn the_item_of_a_page_in_a_menu_tells_what_is_above_it() {
        let laika = |own: &str| {
            facts(&format!(
                "<nav id=sidebar><ul class=nav-list><li class='level1 nav-header'>Guide</li><li class='level2 nav-leaf'><a href=a.html>A</a></li>
                <li class='level1 nav-header'>Reference</li><li class='level2 nav-node'><a href=b.html>Seas</a></li><li class='{own}'><a
                href=#>C</a></li></ul></nav>"
            ))
            .trail
        };
        assert_eq!(laika("level3 active nav-leaf"), ["Reference", "Seas"]);
        assert_eq!(laika("level2 active nav-leaf"), ["Reference"]);
        assert!(laika("level1 active").is_empty() && laika("level2").is_empty());
        let ldoc = facts(
            "<div id=navigation><h1>tides</h1><h2>Contents</h2><ul><li><a href=#f>F</a></li></ul><h2>Modules</h2><ul class=nowrap><li><a
            href=a.html>a</a></li><li><strong>b</strong></li></ul></div><div id=content><h1>b</h1><ul><li><strong>No</strong></li></ul></div>",
        );
        assert_eq!(ldoc.trail, ["Modules"]);
    }

    #[test]
    fn the_page_above_is_told_by_a_relation_or_a_picture() {
        let up = |html: &str| facts(html).up;
        assert_eq!(up("<link rel=up href=Seas.html title=Seas>"), "Seas.html");
        assert_eq!(
            up("<p>Up: <a rel=up href=Seas.html>Seas</a></p>"),
            "Seas.html"
        );
        assert_eq!(
            up("<a href=node7.html><img alt=up src=up.png></a>"),
            "node7.html"
        );
        assert_eq!(
            up("<a accesskey=u href=sql.html title='Part II'>Up</a>"),
            "sql.html"
        );
        assert_eq!(up("<a href=node7.html><img alt='Scale up'></a>"), "");
    }
}
