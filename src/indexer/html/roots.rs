//! The choice of the elements that hold a page's content.

use std::collections::HashSet;

use scraper::{Html, Node};

use super::{NodeKey, jsdoc, node_key};
use crate::indexer::noise::{Attributes, PageNode, Place, is_noise};
use crate::indexer::selected::PageSelector;
use crate::indexer::skip::SkipReason;

const ENOUGH_LETTERS: usize = 200; // A paragraph: no box around a picture has that much.
const FEW_LETTERS: usize = 40; // A sentence; less may be the label of a picture, or a page in the making.
const MUCH_MORE: usize = 10; // Times the letters of a candidate, in the whole body, that make it beside the point.
const CARDS_SHARE: usize = 70; // Per cent of the body's letters that several articles hold when they are the content.
const MAX_HEROES: usize = 8; // A banner and its parts; each is looked into.

/// The elements that the caller named as the page's content.
pub(super) struct Within {
    /// `None`: the caller named none.
    roots: Option<HashSet<NodeKey>>,
    /// They say where the content is; `<html>` and `<body>` do not.
    is_content: bool,
}

impl Within {
    /// Errors: `NoRoot` when the page has none of the elements.
    pub(super) fn of(page: &Html, root: Option<&PageSelector>) -> Result<Self, SkipReason> {
        let (mut roots, mut is_content) = (None, false);
        if let Some(root) = root {
            let mut found = HashSet::new();
            is_content = true;
            for element in page.select(root.css()) {
                is_content &= !matches!(element.value().name(), "html" | "body");
                found.insert(node_key(*element));
            }
            if found.is_empty() {
                return Err(SkipReason::NoRoot);
            }
            roots = Some(found);
        }
        Ok(Self { roots, is_content })
    }

    /// True for what is in one of the elements.
    pub(super) fn holds(&self, node: PageNode<'_>) -> bool {
        self.roots.as_ref().is_none_or(|roots| {
            std::iter::once(node)
                .chain(node.ancestors())
                .any(|node| roots.contains(&node_key(node)))
        })
    }
}

/// Elements that may hold the content, by how they say so.
#[derive(Default)]
pub(super) struct Candidates<'a> {
    /// The author's own marks.
    pub(super) marked: Vec<PageNode<'a>>,
    pub(super) mains: Vec<PageNode<'a>>,
    /// `role=main`.
    pub(super) roles: Vec<PageNode<'a>>,
    pub(super) articles: Vec<PageNode<'a>>,
    /// Banners of a home page, which may stand beside the content.
    pub(super) heroes: Vec<PageNode<'a>>,
}

impl<'a> Candidates<'a> {
    /// Takes in an element. Marks outside of what the caller named count as little as any other there.
    pub(super) fn see(
        &mut self,
        node: PageNode<'a>,
        name: &str,
        attributes: &Attributes<'_>,
        is_within: bool,
    ) {
        match name {
            "main" => self.mains.push(node),
            "article" => self.articles.push(node),
            _ if self.heroes.len() < MAX_HEROES
                && attributes.is_hero()
                && name != "body"
                && name != "html" =>
            {
                self.heroes.push(node);
            }
            _ => {}
        }
        if name == "header" {
            self.roles.extend(jsdoc::content(node));
        }
        if attributes.role == "main" {
            self.roles.push(node);
        }
        if attributes.body.is_some() && is_within {
            self.marked.push(node);
        }
    }

    /// The elements that hold the content; `None` for the whole body. The author's marks always do, then those that the
    /// caller named. Others do when they have text: an `<article>` around a picture is not the content, and neither are the cards of a home page.
    pub(super) fn choose(self, page: &Html, within: Within) -> Option<HashSet<NodeKey>> {
        if !self.marked.is_empty() {
            return Some(self.marked.into_iter().map(node_key).collect());
        }
        if within.is_content {
            return within.roots;
        }
        let body = || Measure::of(&[page.tree.root()], true, usize::MAX);
        let mut first = None;
        let sets = [
            (&self.mains, false),
            (&self.roles, false),
            (&self.articles, true),
        ];
        for (found, are_articles) in sets {
            if found.is_empty() {
                continue;
            }
            first = first.or(Some(found));
            let are_cards = are_articles && n_outermost(found) > 1;
            let limit = if are_cards {
                usize::MAX
            } else {
                ENOUGH_LETTERS
            };
            let text = Measure::of(found, false, limit);
            let is_content = if are_cards {
                text.has_h1 || text.n_letters * 100 >= body().n_letters * CARDS_SHARE
            } else {
                text.n_letters >= ENOUGH_LETTERS
                    || text.has_heading
                    || (text.n_letters > 0
                        && (text.n_letters >= FEW_LETTERS
                            || body().n_letters <= text.n_letters * MUCH_MORE))
            };
            if is_content {
                return Some(self.with_heroes(found));
            }
        }
        let first = first?;
        // The rest of a page without content is its template's: the page stays empty.
        let is_template = body().n_letters < FEW_LETTERS;
        is_template.then(|| first.iter().copied().map(node_key).collect())
    }

    /// `found`, and the banner beside it when the heading of the page stands there.
    fn with_heroes(&self, found: &[PageNode<'a>]) -> HashSet<NodeKey> {
        let mut roots: HashSet<NodeKey> = found.iter().copied().map(node_key).collect();
        if self.heroes.is_empty() || Measure::of(found, false, usize::MAX).has_h1 {
            return roots;
        }
        for hero in &self.heroes {
            let is_beside = hero.ancestors().all(|above| {
                !roots.contains(&node_key(above))
                    && !above
                        .value()
                        .as_element()
                        .is_some_and(|e| is_noise(above, e.name(), &Attributes::of(e), PAGE))
            });
            let is_around = hero
                .descendants()
                .any(|below| roots.contains(&node_key(below)));
            if is_beside && !is_around && Measure::of(&[*hero], false, usize::MAX).has_h1 {
                roots.insert(node_key(*hero));
            }
        }
        roots
    }
}

const PAGE: Place = Place {
    whole_body: false,
    is_rustdoc: false,
    is_jsdoc: false,
    is_java: false,
    is_pod: false,
};

/// The text in some elements, noise left out, in numbers.
#[derive(Default)]
struct Measure {
    n_letters: usize,
    has_heading: bool,
    has_h1: bool,
}

impl Measure {
    /// Counts below `nodes`, up to `limit` letters.
    fn of(nodes: &[PageNode<'_>], whole_body: bool, limit: usize) -> Self {
        let mut measure = Self::default();
        for &root in nodes {
            measure.add(root, whole_body, limit);
        }
        measure
    }

    fn add(&mut self, root: PageNode<'_>, whole_body: bool, limit: usize) {
        let place = Place { whole_body, ..PAGE };
        let mut node = root;
        loop {
            let descend = self.see(node, place) && self.n_letters < limit;
            if descend && let Some(child) = node.first_child() {
                node = child;
                continue;
            }
            loop {
                if node == root || self.n_letters >= limit {
                    return;
                }
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                match node.parent() {
                    Some(parent) => node = parent,
                    None => return,
                }
            }
        }
    }

    /// Takes in a node; false leaves out all below it.
    fn see(&mut self, node: PageNode<'_>, place: Place) -> bool {
        match node.value() {
            Node::Text(text) => {
                self.n_letters += text.chars().filter(|c| c.is_alphanumeric()).count();
            }
            Node::Element(element) => {
                let name = element.name();
                if is_noise(node, name, &Attributes::of(element), place) {
                    return false;
                }
                if matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6") {
                    let has_text = node.descendants().any(|below| {
                        matches!(below.value(), Node::Text(text) if !text.trim().is_empty())
                    });
                    self.has_heading |= has_text;
                    self.has_h1 |= has_text && name == "h1";
                }
            }
            _ => {}
        }
        true
    }
}

/// Number of the `nodes` that stand in no other of them.
fn n_outermost(nodes: &[PageNode<'_>]) -> usize {
    let keys: HashSet<NodeKey> = nodes.iter().copied().map(node_key).collect();
    let is_outermost = |node: &&PageNode<'_>| {
        !node
            .ancestors()
            .any(|above| keys.contains(&node_key(above)))
    };
    nodes.iter().filter(is_outermost).count()
}
