//! Members as ESDoc writes them.
//!
//! ```html
//! <div class="detail"><h3 data-ice="anchor" id="static-method-ebb"><span class="access">public</span> <span
//! data-ice="static">static</span> <span class="code" data-ice="name">ebb</span><span class="code" data-ice="signature">(by:
//! number)</span>…</h3>…<h4 data-ice="title">Params:</h4>…
//! ```

use super::entries::visible_text;
use super::members::{Member, named};
use crate::indexer::noise::{Attributes, PageNode, Place, has_class};

/// Name of the generator, which its pages do not give: the names of their elements tell.
pub(crate) const GENERATOR: &str = "esdoc";

const MAX_ABOVE: usize = 4; // Boxes from a label to its member.

/// Beginnings of the ids of what belongs to no class, on pages for all of a sort.
const GLOBAL: [&str; 4] = [
    "static-function-",
    "static-variable-",
    "static-typedef-",
    "static-external-",
];

/// Reads a heading on the page of `owner`.
pub(super) fn member<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    place: Place,
    owner: &str,
) -> Option<Member<'a>> {
    if name == "h4" {
        let mut above = node.ancestors().take(MAX_ABOVE);
        let is_label = attributes.id.is_empty() && above.any(|node| has_class(node, "detail"));
        return is_label.then_some(Member::Label);
    }
    if name != "h3" || attributes.ice != "anchor" {
        return None;
    }
    let own = visible_text(node, place, |a| a.ice == "name")?;
    let mut member = named(2, "", "", &own, attributes.id)?.with_signature();
    if let Member::Named { whole, .. } = &mut member
        && !GLOBAL.iter().any(|start| attributes.id.starts_with(start))
    {
        *whole = [owner, ".", &own].concat();
    }
    Some(member)
}
