//! Terms of definition lists that are sections of their own: what an API page, a list of options or a glossary names
//! and gives an address.

use scraper::Node;

use super::{NodeKey, pod};
use crate::indexer::anchors::is_generated;
use crate::indexer::noise::{Attributes, PageNode, Place, is_element, is_noise};
use crate::indexer::prose::same_words;
use crate::indexer::sections::{SectionPlace, collapse};

const MAX_NAME_CHARS: usize = 120; // A longer term is a sentence that somebody marked up as a list.
const MAX_TERM_CHARS: usize = 2000; // Enough of a term to tell that it says more than its name.
const MAX_TERM_NODES: usize = 2000; // The longest signatures of C++ templates have some hundreds.

/// A list of definitions that is being read.
pub(super) struct OpenList {
    key: NodeKey,
    place: SectionPlace,
    had_entries: bool,
    entry: Option<String>,
}

impl OpenList {
    /// A list that starts in the section at `place`.
    pub(super) fn new(key: NodeKey, place: SectionPlace) -> Self {
        Self {
            key,
            place,
            had_entries: false,
            entry: None,
        }
    }

    /// The list's node.
    pub(super) fn key(&self) -> NodeKey {
        self.key
    }

    /// The section around it.
    pub(super) fn place(&self) -> SectionPlace {
        self.place
    }

    /// True once one of its terms was an entry.
    pub(super) fn had_entries(&self) -> bool {
        self.had_entries
    }

    /// The name of the entry that is being read.
    pub(super) fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }

    /// Starts an entry.
    pub(super) fn enter(&mut self, name: String) {
        self.had_entries = true;
        self.entry = Some(name);
    }

    /// Ends the entry: the term that follows is none.
    pub(super) fn leave_entry(&mut self) {
        self.entry = None;
    }
}

/// A term that starts a section.
pub(super) struct Entry {
    /// Its full name.
    pub(super) name: String,
    /// The id that links to it.
    pub(super) id: String,
    /// The term holds more than the name: the parameters of a function, a type.
    pub(super) says_more: bool,
}

/// The entry that `term` is, inside the entry `owner`. A term without an id has no address and stays text.
pub(super) fn of(
    term: PageNode<'_>,
    attributes: &Attributes<'_>,
    place: Place,
    owner: Option<&str>,
) -> Option<Entry> {
    let id = id_of(term, attributes)?;
    if is_generated(id) || is_note(term, attributes) {
        return None;
    }
    let text = visible_text(term, place, |_| true)?;
    let described = visible_text(term, place, |attributes| {
        attributes.has_class(&["descname", "descclassname"])
    })?;
    let name = if described.is_empty() {
        let own = texinfo_name(term, id, place).or_else(|| pod::name(&text, id, place.is_pod));
        own.unwrap_or_else(|| text.clone())
    } else {
        full_name(without_parameters(described, &text), id, attributes, owner)
    };
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
        return None;
    }
    Some(Entry {
        says_more: !same_words(&name, &text) && !name.ends_with(&text),
        name,
        id: id.to_owned(),
    })
}

/// The name of a C++ template: Sphinx marks the names of its parameters, too, on the line above.
fn without_parameters(described: String, term: &str) -> String {
    let is_template = term.starts_with("template<") || term.starts_with("template <");
    match described.split_once(' ') {
        Some((_, name)) if is_template => name.to_owned(),
        _ => described,
    }
}

/// True if a term that is no entry, or one of the same name, is another form of the one before it, with the same
/// definition. pod2html puts an empty one between.
pub(super) fn continues(term: PageNode<'_>, place: Place) -> bool {
    let is_text = |node: PageNode<'_>| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element(),
    };
    let is_between = |node: &PageNode<'_>| {
        place.is_pod && is_element(*node, "dd") && !node.children().any(is_text)
    };
    let mut before = term
        .prev_siblings()
        .filter(|node| node.value().is_element());
    let before = before.find(|node| !is_between(node));
    before.is_some_and(|node| is_element(node, "dt"))
}

/// True for a heading with an id or a name in it or straight before it.
pub(super) fn has_address(heading: PageNode<'_>) -> bool {
    let names = |node: PageNode<'_>| {
        let element = node.value().as_element().map(Attributes::of);
        element.is_some_and(|a| !a.id.is_empty() || !a.name.is_empty())
    };
    let mut before = heading
        .prev_siblings()
        .filter(|node| node.value().is_element());
    heading.descendants().take(MAX_HEADING_NODES).any(names)
        || before
            .next()
            .is_some_and(|node| !node.has_children() && names(node))
}

const MAX_HEADING_NODES: usize = 16; // Of a heading in an entry, which is a word or two.

/// The id of a term, or of an empty element that it begins with.
fn id_of<'a>(term: PageNode<'a>, attributes: &Attributes<'a>) -> Option<&'a str> {
    if !attributes.id.is_empty() {
        return Some(attributes.id);
    }
    if let Some(id) = pod::id(term) {
        return Some(id);
    }
    let is_blank = |node: &PageNode<'a>| match node.value() {
        Node::Text(text) => text.trim().is_empty(),
        _ => true,
    };
    let first = term.children().take_while(is_blank).find_map(|node| {
        let element = node.value().as_element()?;
        (matches!(element.name(), "a" | "span") && !node.has_children()).then_some(element)
    })?;
    let marked = Attributes::of(first);
    [marked.id, marked.name]
        .into_iter()
        .find(|id| !id.is_empty())
}

/// True for the number of a footnote or of a citation.
pub(super) fn is_note(term: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
    let list = term.parent().and_then(|list| list.value().as_element());
    attributes.has_class(&["label"])
        || list.is_some_and(|list| {
            Attributes::of(list).has_class(&["footnote", "footnotes", "citation"])
        })
}

/// The name in a definition of Texinfo: `<dt id="index-fzero"><span class="category">Function: </span>… <strong>fzero</strong>
/// <em>(fun, x0)</em>`.
fn texinfo_name(term: PageNode<'_>, id: &str, place: Place) -> Option<String> {
    id.strip_prefix("index-")?;
    let mut below = term.descendants().take(MAX_TERM_NODES);
    let name = below.find(|node| {
        node.value()
            .as_element()
            .is_some_and(|e| e.name() == "strong")
    })?;
    visible_text(name, place, |_| true)
}

/// The full name of an object of Sphinx. Members are shown by their own name only: what they belong to is in the id of
/// Python's and JavaScript's, and in the entry around those of C++.
fn full_name(
    described: String,
    id: &str,
    attributes: &Attributes<'_>,
    owner: Option<&str>,
) -> String {
    let is_member_path = id
        .strip_suffix(described.as_str())
        .is_some_and(|before| before.len() > 2 && before.ends_with('.'));
    if is_member_path {
        return id.to_owned();
    }
    match owner {
        Some(owner) if attributes.has_class(&["cpp"]) && !described.starts_with(owner) => {
            format!("{owner}::{described}")
        }
        _ => described,
    }
}

/// The text of the outermost elements below `term` that `takes` accepts; `None` when it holds a heading, or too much.
pub(super) fn visible_text(
    term: PageNode<'_>,
    place: Place,
    takes: impl Fn(&Attributes<'_>) -> bool,
) -> Option<String> {
    let mut text = String::new();
    let mut next = term.first_child();
    let takes_all = takes(&Attributes::default());
    let mut taken: Option<PageNode<'_>> = None;
    let mut n_nodes = 0;
    while let Some(node) = next {
        n_nodes += 1;
        if n_nodes > MAX_TERM_NODES {
            return None;
        }
        let mut descend = true;
        match node.value() {
            Node::Text(part) if (takes_all || taken.is_some()) && text.len() < MAX_TERM_CHARS => {
                text.push_str(part);
            }
            Node::Element(element) => {
                let name = element.name();
                let attributes = Attributes::of(element);
                match name {
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => return None,
                    "br" => text.push(' '),
                    _ => {}
                }
                descend = !is_noise(node, name, &attributes, place);
                if descend && taken.is_none() && takes(&attributes) {
                    taken = Some(node);
                }
            }
            _ => {}
        }
        if descend && let Some(child) = node.first_child() {
            next = Some(child);
            continue;
        }
        let mut at = node;
        next = loop {
            if taken == Some(at) {
                taken = None;
            }
            if let Some(sibling) = at.next_sibling() {
                break Some(sibling);
            }
            match at.parent() {
                Some(parent) if parent != term => at = parent,
                _ => break None,
            }
        };
    }
    Some(collapse(&text, MAX_TERM_CHARS))
}
