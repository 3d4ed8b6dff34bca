//! The author's marks that say something of a page: Pagefind's attributes, and ours of the same meaning.

use scraper::Node;

use super::{MAX_MARKS, MAX_META_CHARS, push_new, text_below};
use crate::indexer::dates;
use crate::indexer::document::Document;
use crate::indexer::noise::{Attributes, PageNode};
use crate::indexer::options::InputOptions;
use crate::indexer::own_address;
use crate::indexer::sections::collapse;

/// The marks of a page that only count once all of it is read.
#[derive(Default)]
pub(super) struct Marks {
    /// `data-pagefind-default-meta`, for keys that the page does not set.
    defaults: Vec<(String, String)>,
    address: String,
}

impl Marks {
    /// Takes in the marks of an element.
    pub(super) fn note(
        &mut self,
        node: PageNode<'_>,
        attributes: &Attributes<'_>,
        options: &InputOptions,
        document: &mut Document,
    ) {
        let lists = [
            attributes.meta,
            attributes.default_meta,
            attributes.filter,
            attributes.sort,
        ];
        let is_marked = lists.iter().any(Option::is_some) || attributes.alias.is_some();
        if !is_marked || is_wholly_ignored(node) {
            return;
        }
        let [meta, default_meta, filter, sort] = lists.map(|list| {
            let mut found = list.map(|list| pairs(node, list)).unwrap_or_default();
            found.retain(|(key, _)| !options.skips(key));
            found
        });
        for (key, value) in meta {
            self.set(&key, value, document);
        }
        let room = MAX_MARKS.saturating_sub(self.defaults.len());
        self.defaults.extend(default_meta.into_iter().take(room));
        for name in attributes.alias.unwrap_or_default().split(',') {
            document.call_also(collapse(name, MAX_META_CHARS));
        }
        for (key, value) in filter {
            push_new(&mut document.tags, format!("{key}={value}"));
        }
        for (key, value) in sort {
            // Of several values for a key, Pagefind takes the last.
            document.sorts.retain(|sort| !is_of(sort, &key));
            push_new(&mut document.sorts, format!("{key}={value}"));
        }
    }

    /// Gives the page what it says of itself nowhere, and its address. Returns the title of a page without one, which
    /// is known only when its text is.
    pub(super) fn finish(mut self, document: &mut Document) -> String {
        let mut title = String::new();
        // Of several defaults for a key, Pagefind takes the last.
        for (key, value) in std::mem::take(&mut self.defaults).into_iter().rev() {
            match key.as_str() {
                "title" if title.is_empty() => title = value,
                "title" => {}
                key if self.is_set(key, document) => {}
                key => self.set(key, value, document),
            }
        }
        document.facts.address = self.address;
        title
    }

    fn set(&mut self, key: &str, value: String, document: &mut Document) {
        match key {
            "title" => document.title = value,
            "description" => document.description = value,
            "keywords" => value
                .split(',')
                .for_each(|k| push_new(&mut document.keywords, collapse(k, MAX_META_CHARS))),
            "category" => document.category = value,
            "date" => document.updated_at = dates::parse(&value).or(document.updated_at),
            "url" => {
                if let Some(address) = own_address::read(&value) {
                    self.address = address;
                }
            }
            // A picture that is written out is longer than a tag.
            "image" if value.starts_with("data:") => {}
            _ => push_new(&mut document.tags, format!("{key}={value}")),
        }
    }

    fn is_set(&self, key: &str, document: &Document) -> bool {
        match key {
            "description" => !document.description.is_empty(),
            "keywords" => !document.keywords.is_empty(),
            "category" => !document.category.is_empty(),
            "date" => document.updated_at.is_some(),
            "url" => !self.address.is_empty(),
            _ => document.tags.iter().any(|tag| is_of(tag, key)),
        }
    }
}

/// True for a tag `key=…`.
fn is_of(tag: &str, key: &str) -> bool {
    tag.strip_prefix(key)
        .is_some_and(|rest| rest.starts_with('='))
}

/// Reads a list like `author, image[src], date:2024-05-01`: the element's text, one of its attributes, or the rest of the
/// list as it stands.
fn pairs(node: PageNode<'_>, list: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = list.trim();
    while !rest.is_empty() && found.len() < MAX_MARKS {
        let end = rest.find([',', ':', '[']).unwrap_or(rest.len());
        let key = rest[..end].trim().to_owned();
        let (value, after) = match rest.as_bytes().get(end) {
            Some(b':') => (collapse(&rest[end + 1..], MAX_META_CHARS), ""),
            Some(b'[') => {
                let inside = &rest[end + 1..];
                let (name, after) = inside.split_once(']').unwrap_or((inside, ""));
                let value = node
                    .value()
                    .as_element()
                    .and_then(|e| e.attr(name.trim()))
                    .unwrap_or_default();
                (collapse(value, MAX_META_CHARS), after)
            }
            _ => (text_below(node), &rest[end..]),
        };
        if !key.is_empty() && !value.is_empty() {
            found.push((key, value));
        }
        rest = after
            .trim_start()
            .strip_prefix(',')
            .unwrap_or("")
            .trim_start();
    }
    found
}

/// True inside an element whose metadata is ignored too.
fn is_wholly_ignored(node: PageNode<'_>) -> bool {
    std::iter::once(node)
        .chain(node.ancestors())
        .any(|node| match node.value() {
            Node::Element(element) => Attributes::of(element).ignore == Some("all"),
            _ => false,
        })
}
