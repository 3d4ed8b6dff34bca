//! Members that rustdoc, TypeDoc, Scaladoc and Doctum show as headings, and Haddock and Scribble as signatures: sections with
//! their full names, the signature in the text. Those of Javadoc are in `java.rs`.

use std::cell::Cell;

use scraper::Node;

use super::entries::visible_text;
use crate::indexer::noise::{Attributes, PageNode, Place, has_class, is_element};

const MAX_NAME_CHARS: usize = 100; // No identifier, but a signature that was not understood.

/// The role of a heading on a reference page.
pub(super) enum Member<'a> {
    /// A member.
    Named {
        level: u8,
        /// Its full name, or its own where `whole` is the full one.
        name: String,
        /// Its name with its type's, which its heading lacks; mostly empty.
        whole: String,
        id: &'a str,
        /// The heading holds more than the name: rustdoc's are signatures.
        says_more: bool,
    },
    /// A label inside a member (`Parameters`), which has no address.
    Label,
    /// A member that the page of another class tells.
    Inherited,
}

impl Member<'_> {
    /// The same, where the signature follows its name.
    pub(super) fn with_signature(mut self) -> Self {
        if let Self::Named { says_more, .. } = &mut self {
            *says_more = true;
        }
        self
    }
}

/// Reads a heading, or the element that stands for one, on the page of `owner`.
pub(super) fn of<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    place: Place,
    owner: &str,
) -> Option<Member<'a>> {
    match name {
        "h3" | "h4" if attributes.has_class(&["code-header"]) => {
            let id = Attributes::of(node.parent()?.value().as_element()?).id;
            let level = name.as_bytes()[1] - b'0';
            named(level, owner, "::", &rustdoc_name(id)?, id)
        }
        "span" if attributes.has_class(&["structfield"]) => {
            named(3, owner, "::", &rustdoc_name(attributes.id)?, attributes.id)
        }
        "h3" if attributes.has_class(&["tsd-anchor-link"]) => {
            let section = Attributes::of(node.parent()?.value().as_element()?);
            if !section.has_class(&["tsd-member"]) {
                return None;
            }
            let own = visible_text(node, place, |_| true)?;
            named(3, owner, ".", &own, attributes.id)
        }
        "h3" if attributes.id.starts_with("method_") => doctum(node, attributes.id, owner),
        "h4" if attributes.id.is_empty() && is_child_of_class(node, "tags") => Some(Member::Label),
        "p" if attributes.has_class(&["src"]) => haddock(node, owner),
        "h4" if attributes.class == "signature" => scaladoc(node, place, owner),
        "a" if attributes.has_class(&["RktValDef", "RktStxDef"]) => {
            scribble(node, attributes, place)
        }
        // Haddock's label over the instances of a type, behind its constructors.
        "h4" if attributes.has_class(&["instances"]) => Some(Member::Label),
        "h4" | "h5" if attributes.class.starts_with("tsd-") && attributes.id.is_empty() => {
            Some(Member::Label)
        }
        _ => None,
    }
}

/// A method of Doctum's, or of Sami's: `<h3 id="method_ebb"><div class="location">at line 24</div><code>void
/// <strong>ebb</strong>()…`, on a page called `App\Sea | API`.
fn doctum<'a>(heading: PageNode<'a>, id: &'a str, owner: &str) -> Option<Member<'a>> {
    let mut boxes = heading.children().filter(|node| node.value().is_element());
    boxes.find(|node| has_class(*node, "location"))?;
    let code = boxes.find(|node| is_element(*node, "code"))?;
    let own = code.children().find(|node| is_element(*node, "strong"))?;
    let own = own.first_child()?.value().as_text()?.trim();
    let class = owner.rsplit('\\').next().unwrap_or(owner);
    named(3, class, "::", own, id)
}

fn is_child_of_class(node: PageNode<'_>, class: &str) -> bool {
    node.parent().is_some_and(|above| has_class(above, class))
}

/// A definition of Haddock: `<p class="src"><a id="v:insert" class="def">insert</a> :: …`. The first name stands for those
/// that share a signature.
fn haddock<'a>(signature: PageNode<'a>, owner: &str) -> Option<Member<'a>> {
    let defined = signature.children().find_map(|child| {
        let attributes = Attributes::of(child.value().as_element()?);
        let is_id = attributes.id.starts_with("v:") || attributes.id.starts_with("t:");
        (is_id && attributes.has_class(&["def"])).then_some((child, attributes.id))
    });
    let (defined, id) = defined?;
    let own = defined.first_child()?.value().as_text()?.trim();
    named(3, owner, ".", own, id).map(Member::with_signature)
}

/// A member of Scaladoc: `<li name="scala.Option#getOrElse"><a id="getOrElse[B>:A](…):B"></a><h4 class="signature">…`, on
/// a page called `Option - Scala Standard Library - scala.Option`. One of another class has its section there.
fn scaladoc<'a>(signature: PageNode<'a>, place: Place, title: &str) -> Option<Member<'a>> {
    if Attributes::of(signature.value().as_element()?).id == "signature" {
        return Some(Member::Label); // The page's own.
    }
    let item = signature.parent()?;
    let path = Attributes::of(item.value().as_element()?).name;
    let (owner, _) = path.rsplit_once('#')?;
    if title.rsplit(' ').next() != Some(owner) {
        return Some(Member::Label);
    }
    let owner = owner.rsplit('.').next().unwrap_or(owner);
    let before = signature.prev_siblings();
    let before = before.filter_map(|node| node.value().as_element());
    let target = before.filter(|element| element.name() == "a").last()?;
    let is_found = Cell::new(false); // Implicit parameters have the class of implicit members, too.
    let own = visible_text(signature, place, |a| {
        a.has_class(&["name", "implicit"]) && !is_found.replace(true)
    })?;
    named(3, owner, ".", &own, Attributes::of(target).id).map(Member::with_signature)
}

/// A definition of Scribble: `<a name="(def._…hash-ref)"></a>…<a href="#%28def._…hash-ref%29" class="RktValDef …">hash-ref</a>`.
fn scribble<'a>(
    node: PageNode<'a>,
    attributes: &Attributes<'a>,
    place: Place,
) -> Option<Member<'a>> {
    attributes.href.strip_prefix('#')?;
    let own = visible_text(node, place, |_| true)?;
    let target = target_before(node)?;
    named(6, "", "", &own, target).map(Member::with_signature)
}

/// The name of a function that qdoc lists with the property that it sets or reads: `<td class="memItemRight …"><span
/// class="name"><b>setWindowTitle</b></span>(const QString &title)`. Where it only leads to one, the name is a link.
pub(super) fn accessor(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
) -> Option<String> {
    if name != "span" || attributes.class != "name" {
        return None;
    }
    let cell = Attributes::of(node.parent()?.value().as_element()?);
    let bold = node.first_child()?;
    let is_bold = bold.value().as_element()?.name() == "b";
    let own = bold.first_child()?.value().as_text()?.trim();
    (is_bold && cell.has_class(&["memItemRight"]) && !own.is_empty()).then(|| own.to_owned())
}

/// The id of the section that ExDoc gives a function: those that it has besides, with fewer arguments, stand nearer.
pub(super) fn id_of_signature<'a>(
    heading: PageNode<'a>,
    attributes: &Attributes<'a>,
) -> Option<&'a str> {
    const STEPS: usize = 4; // The boxes between.
    if attributes.class != "signature" || !attributes.id.is_empty() {
        return None;
    }
    let around = heading.ancestors().take(STEPS);
    let mut around = around.filter_map(|node| node.value().as_element());
    let section = around.find(|element| element.name() == "section")?;
    let section = Attributes::of(section);
    section.has_class(&["detail"]).then_some(section.id)
}

/// The name of the empty anchor that stands before an element, or before one around it.
fn target_before<'a>(node: PageNode<'a>) -> Option<&'a str> {
    const STEPS: usize = 3;
    let around = std::iter::successors(Some(node), |node| node.parent()).take(STEPS);
    around.into_iter().find_map(|node| {
        let before = node.prev_sibling()?;
        let Node::Element(element) = before.value() else {
            return None;
        };
        let target = Attributes::of(element);
        (element.name() == "a" && !before.has_children() && !target.name.is_empty())
            .then_some(target.name)
    })
}

pub(super) fn named<'a>(
    level: u8,
    owner: &str,
    separator: &str,
    own: &str,
    id: &'a str,
) -> Option<Member<'a>> {
    let name = if owner.is_empty() {
        own.to_owned()
    } else {
        format!("{owner}{separator}{own}")
    };
    let is_name = !own.is_empty() && name.chars().count() <= MAX_NAME_CHARS;
    (is_name && !id.is_empty()).then_some(Member::Named {
        level,
        name,
        whole: String::new(),
        id,
        says_more: separator == "::",
    })
}

/// The name in an id of rustdoc: `method.push-1` is the second `push`, `variant.A.field.x` is `A::x`.
fn rustdoc_name(id: &str) -> Option<String> {
    const KINDS: [&str; 9] = [
        "method",
        "tymethod",
        "variant",
        "structfield",
        "associatedtype",
        "associatedconstant",
        "macro",
        "fn",
        "constant",
    ];
    let (kind, name) = id.split_once('.')?;
    if !KINDS.contains(&kind) {
        return None;
    }
    let name = match name.rsplit_once('-') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => name,
    };
    Some(name.replace(".field.", "::"))
}

/// The type or module that the members of a page belong to, by its `<title>`: `Vec in std::vec - Rust`, `Station |
/// tides`.
pub(super) fn owner_from_title(title: &str) -> &str {
    let end = [" in ", " - Rust", " | "]
        .iter()
        .filter_map(|sign| title.find(sign))
        .min();
    title[..end.unwrap_or(title.len())].trim()
}
