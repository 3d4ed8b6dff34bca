//! Members and signatures as FORD writes them.
//!
//! ```html
//! <div class="card-header codesum"><span class="anchor" id="boundprocedure-ebb"></span><h3>procedure, public ::
//! <strong>ebb</strong> => <a href="…">sea_ebb</a></h3></div>
//! <div id='text'><h2>private subroutine sea_ebb(by)</h2><p>…<h3>Arguments</h3><table class="table varlist">…
//! ```

use super::entries::visible_text;
use super::members::{Member, named};
use crate::indexer::noise::{Attributes, PageNode, Place, has_class, is_element};

/// Name of the generator, which its pages give in a link at their end.
pub(crate) const GENERATOR: &str = "ford";

const HOME: &str = "github.com/Fortran-FOSS-Programmers/ford";
const MAX_ABOVE: usize = 4; // Boxes from a label to its card, and from a cell to its table.
const BOUND: &str = "boundprocedure-"; // Begins the ids of what belongs to a type.

/// Beginnings of signatures.
const WORDS: [&str; 14] = [
    "public",
    "private",
    "protected",
    "subroutine",
    "function",
    "module",
    "pure",
    "impure",
    "elemental",
    "recursive",
    "type,",
    "type",
    "interface",
    "program",
];

/// True for the link to FORD at the end of its pages.
pub(crate) fn is_home(link: PageNode<'_>, href: &str) -> bool {
    href.contains(HOME) && link.ancestors().any(|above| is_element(above, "footer"))
}

/// True for a cell of a table of arguments, whose row reads as its declaration does.
pub(super) fn is_cell(cell: PageNode<'_>) -> bool {
    let mut above = cell.ancestors().take(MAX_ABOVE);
    above.any(|node| has_class(node, "varlist"))
}

/// Reads a heading on the page called `title`.
pub(super) fn member<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    place: Place,
    title: &str,
) -> Option<Member<'a>> {
    if !matches!(name, "h2" | "h3" | "h4") || !attributes.id.is_empty() {
        return None;
    }
    let above = node.parent()?;
    if has_class(above, "codesum") {
        return bound(node, place, title);
    }
    let is_in_text = Attributes::of(above.value().as_element()?).id == "text";
    let is_label = match name {
        "h2" => is_in_text && is_signature(&visible_text(node, place, |_| true)?),
        "h3" if is_in_text => above.children().any(is_signature_of_page),
        _ => {
            let mut around = node.ancestors().take(MAX_ABOVE);
            around.any(|node| has_class(node, "card") && node.children().any(is_head))
        }
    };
    is_label.then_some(Member::Label)
}

fn is_head(node: PageNode<'_>) -> bool {
    has_class(node, "codesum")
}

/// The subject of a card, whose anchor stands before its heading.
fn bound<'a>(heading: PageNode<'a>, place: Place, title: &str) -> Option<Member<'a>> {
    let mut before = heading.prev_siblings();
    let anchor = before.find(|node| has_class(*node, "anchor"))?;
    let id = Attributes::of(anchor.value().as_element()?).id;
    let called = |name| heading.children().find(|child| is_element(*child, name));
    let own = visible_text(called("strong").or_else(|| called("a"))?, place, |_| true)?;
    let mut member = named(3, "", "", &own, id)?.with_signature();
    if let Member::Named { whole, .. } = &mut member
        && id.starts_with(BOUND)
    {
        let owner = title.split(" – ").next().unwrap_or(title);
        *whole = [owner, "%", &own].concat();
    }
    Some(member)
}

fn is_signature_of_page(node: PageNode<'_>) -> bool {
    let text = node.first_child().and_then(|text| text.value().as_text());
    is_element(node, "h2") && text.is_some_and(|text| is_signature(text))
}

fn is_signature(text: &str) -> bool {
    let first = text.split_whitespace().next();
    first.is_some_and(|first| WORDS.contains(&first))
}
