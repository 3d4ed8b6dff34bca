//! Lists of what the sections of a page, or other pages, tell: ExDoc's and YARD's summaries, pydoctor's tables, Nim's
//! column beside the text, what Scaladoc 3 repeats, Haddock's synopsis and its details of instances, ESDoc's and Natural Docs'
//! summaries; and YARD's listings of sources.

use scraper::Node;

use super::java;
use super::{Attributes, PageNode, has_class, is_element};

const MAX_NODES: usize = 64; // From the start of a list to its first link.

/// True for a list that repeats sections or leads to other pages, its heading, and a listing of sources.
pub(super) fn is_list_of_members(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
) -> bool {
    if java::is_list(node, name, attributes)
        || is_of_esdoc(node, name, attributes)
        || is_of_natural_docs(node, name, attributes)
        || is_of_contents(node, name)
        || is_index_of_texinfo(node, name, attributes)
    {
        return true;
    }
    if is_contents_of_linuxdoc(node, name) {
        return true;
    }
    match name {
        "section" => attributes.id == "summary" && attributes.has_class(&["details-list"]),
        "ul" => {
            (attributes.has_class(&["summary"]) && is_summary(node))
                || is_contents_of_pod(node, attributes)
        }
        "h2" => {
            let is_toggle = |node| has_class(node, "summary_toggle");
            let is_headed = || below(node).any(is_toggle);
            let next = || node.next_siblings().find(|node| node.value().is_element());
            is_headed() && next().is_some_and(|list| has_class(list, "summary") && is_summary(list))
        }
        "h3" | "h4" if attributes.id.starts_with("toc") => is_over_list(node),
        "h3" | "p" if attributes.has_class(&["inherited"]) => {
            below(node).any(|node| has_class(node, "object_link"))
        }
        "p" => attributes.has_class(&["inheritedFrom"]),
        "a" => attributes.has_class(&["summary_toggle", "constants_summary_toggle"]),
        "table" => {
            attributes.has_class(&["source_code"])
                || (attributes.has_class(&["children"]) && leads_to_members(node))
        }
        "details" => attributes.id.starts_with("i:id:") || attributes.id.starts_with("i:ic:"),
        "div" => {
            (attributes.id == "synopsis" && node.children().any(is_synopsis_of_haddock))
                || (attributes.has_class(&["columns"]) && node.children().any(is_search_of_nim))
                || (attributes.has_class(&["documentableElement"]) && is_inherited(node))
                || (attributes.has_class(&["documentableBrief"]) && is_told_in_full(node))
        }
        _ => false,
    }
}

/// True for a chapter in the contents that LinuxDoc writes before the chapters: `<h2><a name="toc3">3.</a> <a
/// href="#s3">Tides</a></h2>`, and for the list of its sections.
fn is_contents_of_linuxdoc(node: PageNode<'_>, name: &str) -> bool {
    let before = || node.prev_siblings().find(|node| node.value().is_element());
    let heading = match name {
        "h2" => Some(node),
        "ul" => before().filter(|before| is_element(*before, "h2")),
        _ => None,
    };
    let Some(heading) = heading else {
        return false;
    };
    let mut links = heading
        .children()
        .filter_map(|node| node.value().as_element());
    let number = links.next().and_then(|e| e.attr("name"));
    let number = number.and_then(|name| name.strip_prefix("toc"));
    let is_number = |number: &str| number.starts_with(|c: char| c.is_ascii_digit());
    let place = links.next().and_then(|e| e.attr("href"));
    number.is_some_and(is_number) && place.is_some_and(|href| href.contains("#s"))
}

/// True for Texinfo's index in a book on one page, whose sections it repeats, and for its row of letters.
fn is_index_of_texinfo(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    if !matches!(name, "table" | "div") {
        return false;
    }
    let mut links = below(node).filter(|node| is_element(*node, "a"));
    let Some(first) = links.next().and_then(attributes_of) else {
        return false;
    };
    let mut classes = attributes.class.split_ascii_whitespace();
    let is_index =
        classes.any(|class| class.starts_with("index-") || class.ends_with("printindex"));
    is_index && first.href.starts_with('#')
        || name == "table" && first.has_class(&["summary-letter"])
}

/// True for "Table of Contents" and what follows it, where that is links to places of the page alone, and for such a list
/// straight above the heading that it begins with (Halibut).
fn is_of_contents(node: PageNode<'_>, name: &str) -> bool {
    let is_element = |other: &PageNode<'_>| other.value().is_element();
    match name {
        "h1" | "h2" | "h3" | "h4" => {
            is_headed_contents(node)
                && node
                    .next_siblings()
                    .find(is_element)
                    .is_some_and(leads_within)
        }
        "ul" | "ol" | "div" => {
            let before = node.prev_siblings().find(is_element);
            (before.is_some_and(is_headed_contents) || is_above_its_first(node))
                && leads_within(node)
        }
        _ => false,
    }
}

/// True for a list whose first link says the heading behind the list.
fn is_above_its_first(list: PageNode<'_>) -> bool {
    let mut behind = list.next_siblings();
    let heading = behind.find(|node| node.value().is_element());
    let Some(heading) = heading.filter(|node| is_element(*node, "h1") || is_element(*node, "h2"))
    else {
        return false;
    };
    let link = below(list).find(|node| is_element(*node, "a"));
    link.is_some_and(|link| {
        let (said, heading) = (text_of(link), text_of(heading));
        !said.is_empty() && said == heading
    })
}

/// The words below a node, with a space between any two.
fn text_of(node: PageNode<'_>) -> String {
    let texts = below(node).filter_map(|node| node.value().as_text());
    let text: String = texts.map(|text| &**text).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn is_headed_contents(node: PageNode<'_>) -> bool {
    const CONTENTS: [&str; 3] = ["table of contents", "contents", "contents -"];
    let is_heading = ["h1", "h2", "h3", "h4"]
        .iter()
        .any(|name| is_element(node, name));
    is_heading && CONTENTS.contains(&&*text_of(node).to_ascii_lowercase())
}

/// True for a list whose texts are links to places of its own page.
fn leads_within(list: PageNode<'_>) -> bool {
    let mut n_links = 0;
    for node in below(list) {
        match node.value() {
            Node::Element(element) if element.name() == "a" => {
                if !Attributes::of(element).href.starts_with('#') {
                    return false;
                }
                n_links += 1;
            }
            Node::Text(text)
                if !text.trim().is_empty()
                    && !node.ancestors().take(4).any(|above| is_element(above, "a")) =>
            {
                return false;
            }
            _ => {}
        }
    }
    n_links > 1
}

/// True for pod2html's list of the headings of a page: `<ul id="index">`, or behind `<a name="__index__">`, in a box of its
/// own or not.
fn is_contents_of_pod(list: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let is_target = |node: PageNode<'_>| {
        let element = node.value().as_element();
        element.is_some_and(|element| Attributes::of(element).name == "__index__")
    };
    let before = || {
        list.prev_siblings()
            .filter(|node| node.value().is_element())
    };
    let is_marked = attributes.id == "index"
        || before()
            .take(2)
            .any(|node| is_target(node) || node.children().any(is_target));
    let mut links = below(list).filter_map(|node| {
        let element = node.value().as_element()?;
        (element.name() == "a").then(|| Attributes::of(element).href)
    });
    is_marked
        && links.next().is_some_and(|href| href.starts_with('#'))
        && links.all(|href| href.starts_with('#'))
}

/// True for ESDoc's tables of the members that follow, the headings above these, what stands above the name of a page and
/// beside that of a member, the classes above and below a class, and the beginnings of the manual's other pages.
fn is_of_esdoc(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    const CLASSES: [&str; 3] = ["extendsChain", "directSubclass", "indirectSubclass"];
    match name {
        "table" => attributes.ice == "summary",
        "h2" if attributes.ice == "title" => node.parent().is_some_and(is_group_of_esdoc),
        "div" if attributes.ice.is_empty() => {
            let has_kind = |node| attributes_of(node).is_some_and(|a| a.ice == "kind");
            let is_card = |node| has_class(node, "manual-card-wrap");
            (attributes.class == "header-notice" && node.children().any(has_kind))
                || (attributes.class == "manual-cards" && node.children().any(is_card))
        }
        "div" => CLASSES.contains(&attributes.ice) || attributes.ice.ends_with("Summary"),
        "span" => {
            attributes.class == "right-info" && {
                let heading = node.parent().and_then(attributes_of);
                heading.is_some_and(|heading| heading.ice == "anchor")
            }
        }
        _ => false,
    }
}

/// True for ESDoc's group of members of one sort.
fn is_group_of_esdoc(node: PageNode<'_>) -> bool {
    let group = attributes_of(node);
    group.is_some_and(|group| group.ice == "details" || group.ice.ends_with("Details"))
}

/// True for Natural Docs' table of what follows, headings of groups without a text, what links show under the pointer, and
/// its name at the end.
fn is_of_natural_docs(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    let has = |class| node.children().any(|child| has_class(child, class));
    name == "div"
        && match attributes.class {
            "Summary" => has("STitle"),
            "CGroup" => has("CTopic") && !below(node).any(|node| has_class(node, "CBody")),
            "CToolTip" => true,
            _ => attributes.id == "Footer" && leads_to_natural_docs(node),
        }
}

fn leads_to_natural_docs(footer: PageNode<'_>) -> bool {
    below(footer).any(|node| {
        let link = attributes_of(node);
        link.is_some_and(|link| link.href.contains("naturaldocs.org"))
    })
}

/// True for YARD's list of methods, each of which has a section.
fn is_summary(list: PageNode<'_>) -> bool {
    below(list).any(|node| has_class(node, "summary_signature"))
}

/// True for the headings of phpDocumentor's lists of members.
fn is_over_list(heading: PageNode<'_>) -> bool {
    let mut behind = heading
        .next_siblings()
        .filter(|node| node.value().is_element());
    let is_list = |node: PageNode<'_>| has_class(node, "phpdocumentor-table-of-contents");
    behind.by_ref().take(2).any(is_list)
}

/// True for pydoctor's table of the members of a class, its own or inherited ones. That of a module leads to classes.
fn leads_to_members(table: PageNode<'_>) -> bool {
    let href = below(table).find_map(|node| {
        let element = node.value().as_element()?;
        let link = Attributes::of(element);
        (element.name() == "a" && link.has_class(&["internal-link"])).then_some(link.href)
    });
    href.is_some_and(|href| href.contains('#'))
}

/// True for a member of Scaladoc 3's that the page of another type tells.
fn is_inherited(member: PageNode<'_>) -> bool {
    let element = member.value().as_element();
    element.is_some_and(|element| element.attr("data-f-inherited").is_some())
}

/// True for the first sentence of a text of Scaladoc 3's that follows.
fn is_told_in_full(sentence: PageNode<'_>) -> bool {
    let mut behind = sentence.next_siblings();
    behind.any(|node| has_class(node, "cover"))
}

/// True for the list of signatures that Haddock folds away above the definitions.
fn is_synopsis_of_haddock(node: PageNode<'_>) -> bool {
    let element = node.value().as_element();
    element
        .and_then(|element| element.id())
        .is_some_and(|id| matches!(id, "syn" | "section.syn"))
}

/// True for the field to search in beside the text of Nim's pages.
fn is_search_of_nim(node: PageNode<'_>) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| Attributes::of(element).id == "searchInputDiv")
        && is_element(node, "div")
}

fn attributes_of(node: PageNode<'_>) -> Option<Attributes<'_>> {
    node.value().as_element().map(Attributes::of)
}

fn below(node: PageNode<'_>) -> impl Iterator<Item = PageNode<'_>> {
    node.descendants().take(MAX_NODES)
}
