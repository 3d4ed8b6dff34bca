//! Headings of cards, which tell of another page.

use scraper::Node;

use crate::indexer::links::{self, Origin};
use crate::indexer::noise::{Attributes, PageNode};

const MAX_IN_CARD: usize = 4; // Boxes between a card's heading and its link.

/// True for a heading in a link to another page, which tells of that page: a list of cards has no sections. So is one that
/// is nothing but such a link, and has no address of its own.
pub(super) fn is_title_of_card(heading: PageNode<'_>, origin: Origin<'_>) -> bool {
    if is_link_to_page(heading, origin) {
        return true;
    }
    let mut above = heading.ancestors().take(MAX_IN_CARD);
    above.any(|node| {
        let element = node.value().as_element();
        let link = element.filter(|element| element.name() == "a");
        let href = link.and_then(|element| element.attr("href"));
        href.is_some_and(|href| !href.is_empty() && !href.contains('#'))
    })
}

/// True for a heading below the first level without an id whose text is one link to another page of the site.
fn is_link_to_page(heading: PageNode<'_>, origin: Origin<'_>) -> bool {
    let Some(element) = heading.value().as_element() else {
        return false;
    };
    let mut inside = heading.children().filter(|child| match child.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element(),
    });
    let link = inside.next().and_then(|child| child.value().as_element());
    let link = link.filter(|link| link.name() == "a");
    let href = link.and_then(|link| link.attr("href")).unwrap_or("#");
    element.name() != "h1"
        && Attributes::of(element).id.is_empty()
        && inside.next().is_none()
        && !href.contains('#')
        && links::resolve(origin, href).is_some()
}
