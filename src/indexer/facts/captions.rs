//! Captions of figures and tables: they say what a picture shows, not what the page is about.

use scraper::node::Element;

use super::super::noise::PageNode;
use super::trail::has_class;

pub(super) const MAX_CAPTIONS: usize = 4; // Those above a page's first text.

/// True for the caption of a figure or a table: `<figcaption>`, and DocBook's `<div class="figure"><p class="title">`.
pub(super) fn is_caption(node: PageNode<'_>, element: &Element) -> bool {
    let is_in_figure = || {
        let around = node.parent().and_then(|above| above.value().as_element());
        around.is_some_and(|e| has_class(e, |c| matches!(c, "figure" | "table" | "example")))
    };
    match element.name() {
        "figcaption" | "caption" => true,
        "p" | "div" => element.attr("class") == Some("title") && is_in_figure(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::facts;

    #[test]
    fn captions_are_told_by_their_elements() {
        let page = facts(
            "<div class=figure-contents><p class=title>No</p></div><div class=figure><p class=title><b>Figure 1. Ebb</b></p>
            </div><figure><img><figcaption>A boat at sea.</figcaption></figure>",
        );
        assert_eq!(page.captions, ["Figure 1. Ebb", "A boat at sea."]);
    }
}
