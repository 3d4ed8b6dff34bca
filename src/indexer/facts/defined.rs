//! The kind of what a page defines, as generators mark it beside the name, and what they say by links.

use scraper::node::Element;

use super::super::html::ford;
use super::super::noise::{PageNode, is_bar, is_element};
use super::listings::{JXR, is_first_line_of_jxr};
use super::trail::{has_class, leads_up};
use super::{Facts, text_of};

impl Facts {
    /// Takes in an element that may say what the page defines.
    pub(super) fn defined(&mut self, node: PageNode<'_>, element: &Element) {
        let attr = |name| element.attr(name).unwrap_or_default().trim();
        match element.name() {
            // pydoctor's kinds.
            "h1" if self.page.generator.starts_with("pydoctor") && !attr("class").is_empty() => {
                self.defines(attr("class"));
            }
            // phpDocumentor's, behind a dash.
            "article" if attr("class").starts_with("phpdocumentor-element -") => {
                let kind = attr("class").split_ascii_whitespace().nth(1);
                if !self.page.classes.contains(" defines-") {
                    self.defines(kind.unwrap_or_default().trim_start_matches('-'));
                }
            }
            // Codox's namespaces; its other pages are its index and what a project adds.
            "div" if attr("class") == "namespace-docs" && attr("id") == "content" => {
                self.defines("namespace");
            }
            "span" if attr("data-ice") == "kind" => self.kind_by_notice(node),
            "div" if attr("id") == "MainTopic" => self.kind_by_topic(node),
            "div" if attr("id") == "info-bar" && is_bar(node) => self.kind_above_bar(node),
            _ => {}
        }
    }

    /// Takes in a link: where it leads, and what generators say by theirs.
    pub(super) fn anchor(&mut self, node: PageNode<'_>, element: &Element, href: &str) {
        if is_first_line_of_jxr(node, element) {
            self.class(JXR);
        }
        self.href(href);
        self.kind_in_menu(node, href);
        if self.page.up.is_empty() && leads_up(node, element) {
            href.clone_into(&mut self.page.up);
        }
        if self.page.generator.is_empty() && ford::is_home(node, href) {
            self.page.generator = ford::GENERATOR.into();
        }
    }

    fn defines(&mut self, kind: &str) {
        self.page.classes.push_str(" defines-");
        self.page.classes.push_str(&kind.to_ascii_lowercase());
    }

    /// ESDoc's kind of what a page defines, above its name. The menu has one beside each name.
    fn kind_by_notice(&mut self, kind: PageNode<'_>) {
        let notice = kind.parent().and_then(|above| above.value().as_element());
        if notice.is_some_and(|notice| has_class(notice, |class| class == "header-notice")) {
            self.defines(&text_of(kind));
        }
    }

    /// FORD's kind, beside the name above a bar: `Subroutine`, `Derived Type`.
    fn kind_above_bar(&mut self, bar: PageNode<'_>) {
        let above = bar.parent().into_iter().flat_map(|row| row.prev_siblings());
        let mut beside = above.flat_map(|heading| heading.children());
        if let Some(kind) = beside.find(|child| is_element(*child, "small")) {
            let kind = text_of(kind);
            self.defines(kind.rsplit(' ').next().unwrap_or_default());
        }
    }

    /// Natural Docs' kind of what a page defines, around its first topic.
    fn kind_by_topic(&mut self, topic: PageNode<'_>) {
        let group = topic.parent().and_then(|above| above.value().as_element());
        let class = group.and_then(|group| group.attr("class"));
        if let Some(kind) = class.and_then(|class| class.strip_prefix('C')) {
            self.defines(kind);
        }
    }
}
