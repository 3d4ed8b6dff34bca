//! Pages of Javadoc and Groovydoc: the places of a type above its name, and the tables of what a page tells further down.
//!
//! ```html
//! <div class="header"><div class="sub-title">Package <a>tides</a></div><h1 title="Class Sea" class="title">Class Sea</h1></div>
//! <section class="method-summary" id="method-summary"><h2>Method Summary</h2>…</section>
//! <ul class="blockList"><li class="blockList"><a name="method_summary"></a><h3>Method Summary</h3>…</li></ul>
//! ```

use super::{Attributes, PageNode, has_class, is_element};

/// Parts of the ids of tables whose rows are sections of the page.
const TOLD_HERE: [&str; 6] = [
    "method",
    "constructor",
    "field",
    "property",
    "element",
    "constant",
];
/// The part of the id of a table of types, each of which has a page.
const TOLD_ELSEWHERE: &str = "nested";

const MAX_AROUND: usize = 3; // Boxes between the description of a type and what it consists of.

/// True for the module or the package of a type, above its name.
pub(crate) fn is_place(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    let is_line = name == "div" && attributes.has_class(&["subTitle", "sub-title"]);
    is_line && {
        let is_in_header = node
            .parent()
            .is_some_and(|above| has_class(above, "header"));
        is_in_header && node.next_siblings().any(is_title)
    }
}

/// True for the heading of a page, whose name stands in an attribute, too.
fn is_title(node: PageNode<'_>) -> bool {
    let is_heading = is_element(node, "h1") || is_element(node, "h2");
    let element = node.value().as_element().filter(|_| is_heading);
    element.is_some_and(|element| {
        element.attr("title").is_some() && Attributes::of(element).has_class(&["title"])
    })
}

/// True for a table of members, the heading of a group of them, and a list of those that another page tells.
pub(super) fn is_list(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "section" | "li" => group_of(node).is_some_and(|id| is_summary(id, &TOLD_HERE)),
        "h2" | "h3" => {
            let group = node.parent().and_then(group_of);
            group.is_some_and(|id| is_summary(id, &[TOLD_ELSEWHERE]) || is_head_of_details(id))
                || is_over_inherited(node)
        }
        "div" => attributes.class == "inherited-list",
        "dl" => is_before_signature(node, attributes),
        _ => false,
    }
}

/// True for type parameters, and lists of the types above and below a type, before its signature. Older versions have that
/// in a `<pre>`.
fn is_before_signature(list: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let is_new = attributes.class == "notes";
    let is_signature = |node: PageNode<'_>| match is_new {
        true => has_class(node, "type-signature"),
        false => is_element(node, "pre"),
    };
    let mut around = list.ancestors().take(MAX_AROUND);
    list.next_siblings().any(is_signature)
        && around.any(|node| match is_new {
            true => has_class(node, "class-description"),
            false => is_element(node, "div") && has_class(node, "description"),
        })
}

/// The id of a group of members or of a table of them.
fn group_of<'a>(node: PageNode<'a>) -> Option<&'a str> {
    let element = node.value().as_element()?;
    let attributes = Attributes::of(element);
    match element.name() {
        "section" => {
            let is_group = |class: &str| class.ends_with("-summary") || class.ends_with("-details");
            is_group(attributes.class).then_some(attributes.id)
        }
        "li" if attributes.class.starts_with("blockList") => {
            let is_element = |node: &PageNode<'a>| node.value().is_element();
            let first = node.children().find(is_element);
            let before = || node.prev_siblings().find(is_element);
            first.and_then(target).or_else(|| target(before()?))
        }
        _ => None,
    }
}

/// The id of an anchor without text.
pub(crate) fn target<'a>(node: PageNode<'a>) -> Option<&'a str> {
    let is_blank = |child: PageNode<'_>| match child.value().as_text() {
        Some(text) => text.trim().is_empty(),
        None => child.value().is_comment(),
    };
    let element = node.value().as_element()?;
    let is_empty = element.name() == "a" && node.children().all(is_blank);
    let attributes = Attributes::of(element);
    let ids = [attributes.id, attributes.name].into_iter();
    let mut ids = ids.filter(|id| is_empty && !id.is_empty());
    ids.next()
}

/// True for the id of a table that has one of `parts`: `method-summary`, `enum.constant.summary`, `nested_summary`.
fn is_summary(id: &str, parts: &[&str]) -> bool {
    let mut words = id.split(['-', '.', '_']);
    words.next_back() == Some("summary") && words.any(|word| parts.contains(&word))
}

/// True for the id of a group of members: `method-detail`, `enum_constant_detail`, `prop_detail`.
fn is_head_of_details(id: &str) -> bool {
    let mut words = id.split(['-', '.', '_']);
    let is_group = words.next_back() == Some("detail");
    is_group && words.any(|word| word == "prop" || TOLD_HERE.contains(&word))
}

/// True for the heading of types that another page tells, as older versions write it.
fn is_over_inherited(heading: PageNode<'_>) -> bool {
    let mut before = heading.prev_siblings().filter(|n| n.value().is_element());
    let id = before.next().and_then(target);
    id.is_some_and(|id| id.starts_with("nested.classes.inherited"))
}
