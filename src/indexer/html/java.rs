//! Members and types as Javadoc and Groovydoc write them.
//!
//! ```html
//! <section class="detail" id="ebb(int)"><h3>ebb</h3><div class="member-signature">…
//! <a name="ebb(int)"></a><ul class="blockList"><li class="blockList"><h4>public void <strong>ebb</strong>(int by)</h4>…
//! ```

use super::definition::JAVADOC;
use super::entries::visible_text;
use super::members::{Member, named};
use crate::indexer::document::PageFacts;
use crate::indexer::noise::{Attributes, PageNode, Place, has_class, is_element, target};

/// The type that a page is about, by its `<title>`: `Sea (Tides 1.0 API)`.
pub(super) fn owner(title: &str) -> &str {
    title.split(" (").next().unwrap_or(title).trim()
}

/// The name of a type with its package's, which its page shows above it. Above a package stands its module.
pub(super) fn path(facts: &PageFacts, kind: &str, name: &str) -> Option<String> {
    let is_type = !matches!(kind, "module" | "package");
    let is_package = |step: &&String| !name.starts_with(&[step.as_str(), "."].concat());
    let package = facts
        .trail
        .iter()
        .rev()
        .filter(|_| is_type)
        .find(is_package)?;
    Some([package, ".", name].concat())
}

/// True for a generator whose descriptions say the place of a page: `declaration: module: java.sql`, `module index`. Authors
/// cannot set them.
pub(super) fn has_fixed_descriptions(generator: &str) -> bool {
    let writer = generator.strip_prefix(JAVADOC);
    writer.is_some_and(|writer| writer.starts_with('/'))
}

/// Reads a heading on the page of `owner`.
pub(super) fn of<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    place: Place,
    owner: &str,
) -> Option<Member<'a>> {
    match name {
        "h2" if attributes.class == "title" => title(node, place),
        "h3" | "h4" => member(node, place, owner),
        _ => None,
    }
}

/// The heading of a page, which older versions have at the second level, and Groovydoc behind the name of a language:
/// `[Java] Class Sea`.
fn title<'a>(heading: PageNode<'a>, place: Place) -> Option<Member<'a>> {
    let is_in_header = heading
        .parent()
        .is_some_and(|above| has_class(above, "header"));
    if !is_in_header {
        return None;
    }
    let text = visible_text(heading, place, |_| true)?;
    let behind_language = text
        .strip_prefix('[')
        .and_then(|text| Some(text.split_once("] ")?.1));
    Some(Member::Named {
        level: 1,
        name: behind_language.unwrap_or(&text).to_owned(),
        whole: String::new(),
        id: "",
        says_more: false,
    })
}

/// A member of the type `owner`. A constructor has the name of its type already.
fn member<'a>(heading: PageNode<'a>, place: Place, owner: &str) -> Option<Member<'a>> {
    let mut before = heading.prev_siblings();
    if before.any(|node| node.value().is_element()) {
        return None;
    }
    let id = id_of(heading.parent()?)?;
    let name = heading
        .descendants()
        .find(|node| is_element(*node, "strong"));
    let own = visible_text(name.unwrap_or(heading), place, |_| true)?;
    let class = owner.rsplit('.').next().unwrap_or(owner);
    let is_constructor = own == class || own == owner;
    // A text on the type may have headings of the second level, to which no member belongs.
    let mut member = named(2, "", "", &own, id)?;
    if name.is_some() {
        member = member.with_signature();
    }
    if let Member::Named { whole, .. } = &mut member
        && !is_constructor
    {
        *whole = [owner, ".", &own].concat();
    }
    Some(member)
}

/// The id of a member, which heads `block`: its section's, or that of the anchor before its list.
fn id_of<'a>(block: PageNode<'a>) -> Option<&'a str> {
    let element = block.value().as_element()?;
    let attributes = Attributes::of(element);
    if element.name() == "section" && attributes.class == "detail" {
        return Some(attributes.id);
    }
    if element.name() != "li" || !attributes.class.starts_with("blockList") {
        return None;
    }
    let mut before = block.parent()?.prev_siblings();
    target(before.find(|node| node.value().is_element())?)
}
