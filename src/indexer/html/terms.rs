//! Terms of definition lists with an address in them or before them, where the term has no id of its own: references
//! written by hand, of man2html, of DocBook, and of Texinfo.
//!
//! ```html
//! <dt><b><a name="tide_limit">tide_limit</a> (default: 3)</b></dt><dd>…</dd>
//! <dt><strong><a name="tide_limit"></a>tide_limit</strong></dt><dd>…</dd>
//! <dt><a name="1"><b>tide limit</b> <i>hours</i></a></dt><dd>…</dd>
//! <dt><code id="tide_limit">tide_limit (3)</code></dt><dd>…</dd>
//! <a name="tide_limit"></a><dt>tide_limit</dt><dd>…</dd>
//! <p><a name="tide_limit"></a></p><dt>tide_limit</dt><dd>…</dd>
//! <dd>…<span id="index-tide_005flimit"></span></dd><dt>tide_limit 3</dt><dd>…</dd>
//! ```

use scraper::Node;

use super::docstrings::definition_of;
use super::entries::{Entry, is_note, visible_text};
use super::pod::{is_made_of, only_element};
use crate::indexer::anchors::is_generated;
use crate::indexer::noise::{Attributes, PageNode, Place, is_element};
use crate::indexer::prose::same_words;

const MIN_TERMS: usize = 3; // Of a page: fewer are remarks in a text.
const MAX_CHARS: usize = 80; // A name or a short title.
const MAX_WORDS: usize = 12;
const MAX_INDEXED: usize = 12; // Addresses of the index for one term: its topics are among them.
pub(super) const INDEX: &str = "index-"; // What the addresses of Texinfo's index begin with.
const MAX_DEPTH: usize = 5; // Elements between a term and its anchor.

/// The entry that a term is, where the page has several of such.
pub(super) fn of(term: PageNode<'_>, place: Place) -> Option<Entry> {
    let attributes = Attributes::of(term.value().as_element()?);
    if !attributes.id.is_empty() || is_note(term, &attributes) {
        return None;
    }
    let text = visible_text(term, place, |_| true)?;
    let indexed = || Some((of_index(term, first_word(&text))?, None));
    let (id, anchor) = inside(term).or_else(|| before(term)).or_else(indexed)?;
    definition_of(term)?;
    let own = anchor.and_then(|anchor| visible_text(anchor, place, |_| true));
    let command = command_in(anchor.filter(|a| a.has_children()).unwrap_or(term), place);
    let command = command.filter(|command| text.starts_with(command.as_str()));
    let name = match &command {
        Some(command) => command,
        None => name_in(&text, &own.unwrap_or_default(), id),
    };
    let is_letter = name.chars().nth(1).is_none();
    let is_citation = name.starts_with('[') && name.ends_with(']');
    let is_title = name.chars().count() <= MAX_CHARS
        && name.split_whitespace().count() <= MAX_WORDS
        && !name.ends_with('.')
        && name.contains(char::is_alphanumeric);
    (is_title && !is_letter && !is_citation).then(|| Entry {
        says_more: !same_words(name, &text),
        name: name.to_owned(),
        id: id.to_owned(),
    })
}

/// True for a page that has several of such terms, or links to one itself, as a synopsis does.
pub(super) fn are_several(page: PageNode<'_>, place: Place) -> bool {
    let terms = page.descendants().filter(|node| is_element(*node, "dt"));
    let mut anchored = terms.filter_map(|term| of(term, place));
    let first: Vec<Entry> = anchored.by_ref().take(MIN_TERMS).collect();
    let is_led_to = |node: PageNode<'_>| {
        let element = node.value().as_element().filter(|e| e.name() == "a");
        let place = element.and_then(|e| e.attr("href")?.strip_prefix('#'));
        place.is_some_and(|place| first.iter().any(|entry| entry.id == place))
    };
    first.len() == MIN_TERMS || !first.is_empty() && page.descendants().any(is_led_to)
}

/// The command that a term is in bold or as code, before its arguments, which are set in italics: doctools' terms.
fn command_in(term: PageNode<'_>, place: Place) -> Option<String> {
    let is_shown = |node: &PageNode<'_>| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        _ => node.has_children(),
    };
    let mut parts = term.children().filter(is_shown);
    let command = parts.next()?;
    let name = command.value().as_element()?.name();
    let is_argument = |node: PageNode<'_>| match node.value() {
        Node::Text(text) => !text.contains(char::is_alphanumeric),
        Node::Element(e) if matches!(e.name(), "i" | "em" | "var" | "span") => true,
        Node::Element(_) => {
            visible_text(node, place, |_| true).is_some_and(|option| option.starts_with('-'))
        }
        _ => true,
    };
    let mut arguments = parts.peekable();
    let has_arguments = arguments.peek().is_some() && arguments.all(is_argument);
    (matches!(name, "b" | "strong" | "code" | "tt") && has_arguments)
        .then(|| visible_text(command, place, |_| true))?
}

/// The name in a term's text: what the anchor holds, or the first word where the address says it, if a sign follows.
fn name_in<'t>(text: &'t str, own: &str, id: &str) -> &'t str {
    let first = first_word(text);
    if name_of_index(id).is_some_and(|name| name == first) {
        return first;
    }
    let named = [own, first].into_iter().enumerate();
    let found = named.into_iter().find_map(|(at, name)| {
        let rest = text.strip_prefix(name).filter(|_| !name.is_empty())?;
        let goes_on = rest
            .trim_start()
            .starts_with(['(', '[', ':', '=', '<', '–', '—', ',']);
        (goes_on && (at == 0 || is_made_of(id, name))).then(|| &text[..name.len()])
    });
    found.unwrap_or(text).trim_end_matches([':', ' '])
}

/// The address that a term begins with, and its anchor.
fn inside<'a>(term: PageNode<'a>) -> Option<(&'a str, Option<PageNode<'a>>)> {
    let mut at = term;
    for _ in 0..MAX_DEPTH {
        let first = at.children().find(|node| match node.value() {
            Node::Text(text) => !text.trim().is_empty(),
            other => other.is_element(),
        })?;
        let element = first.value().as_element()?;
        let attributes = Attributes::of(element);
        match element.name() {
            "a" => return Some((address(&attributes)?, Some(first))),
            "b" | "strong" | "code" | "tt" | "var" | "kbd" | "dfn" | "em" | "i" | "span"
            | "font" => {}
            _ => return None,
        }
        if !attributes.id.is_empty() {
            return Some((address(&attributes)?, None));
        }
        at = first;
    }
    None
}

/// The address of an empty anchor right before a term, or in a paragraph of nothing else.
fn before<'a>(term: PageNode<'a>) -> Option<(&'a str, Option<PageNode<'a>>)> {
    let above = term
        .prev_siblings()
        .find(|node| node.value().is_element())?;
    let anchor = match is_element(above, "p") {
        true => only_element(above)?,
        false => above,
    };
    let element = anchor.value().as_element().filter(|e| e.name() == "a")?;
    (!anchor.has_children()).then_some(())?;
    Some((address(&Attributes::of(element))?, None))
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The address that Texinfo's index gives a term, of those at the end of the definition before it:
/// `<span id="index-EBB_005fLIMIT"></span></dd><dt><tt>EBB_LIMIT</tt> &lt;S&gt;</dt>`.
fn of_index<'a>(term: PageNode<'a>, name: &str) -> Option<&'a str> {
    let mut ids = ids_of_index(term);
    ids.find(|id| !name.is_empty() && name_of_index(id).as_deref() == Some(name))
}

/// The other names that Texinfo's index has for a term with an address there: `NOEBBLIMIT`. Topics are words.
pub(super) fn also_called(term: PageNode<'_>, id: &str) -> Vec<String> {
    let ids = ids_of_index(term).filter(|other| id.starts_with(INDEX) && *other != id);
    ids.filter_map(name_of_index)
        .filter(|name| is_name(name))
        .collect()
}

/// True for a word that no topic is.
pub(super) fn is_name(name: &str) -> bool {
    let is_one = !name.contains([' ', ',', '-']);
    is_one && name.contains(|c: char| !c.is_lowercase())
}

/// The addresses right before a term, from the last.
fn ids_of_index<'a>(term: PageNode<'a>) -> impl Iterator<Item = &'a str> {
    let mut before = term.prev_siblings();
    let above = before.find(|node| node.value().is_element());
    let below = above.into_iter().flat_map(|above| above.children().rev());
    let told = below.filter(|node| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element(),
    });
    told.take(MAX_INDEXED).map_while(|node| {
        let element = node.value().as_element()?;
        let is_mark = matches!(element.name(), "a" | "span") && !node.has_children();
        is_mark.then(|| Attributes::of(element).id)
    })
}

/// The name of an address in Texinfo's index, which has numbers for signs: `index-EBB_005fLIMIT`.
pub(super) fn name_of_index(id: &str) -> Option<String> {
    let mut rest = id.strip_prefix(INDEX)?;
    let mut name = String::with_capacity(rest.len());
    while let Some((before, behind)) = rest.split_once("_00") {
        name.push_str(before);
        let code = u8::from_str_radix(behind.get(..2)?, 16).ok()?;
        name.push(char::from(code));
        rest = &behind[2..];
    }
    name.push_str(rest);
    Some(name)
}

/// The address that an anchor gives. A link elsewhere is none, nor is a mark of an index.
fn address<'a>(anchor: &Attributes<'a>) -> Option<&'a str> {
    let mut ids = [anchor.id, anchor.name].into_iter();
    let id = ids.find(|id| !id.is_empty() && !is_generated(id))?;
    let leads_here = anchor.href.is_empty() || anchor.href.strip_prefix('#') == Some(id);
    (leads_here && !anchor.has_class(&["indexterm"])).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::name_in;

    #[test]
    fn a_term_is_called_by_its_anchor_or_by_what_its_address_says() {
        for (text, own, id, want) in [
            (
                "ebb_limit (default: 3)",
                "ebb_limit",
                "ebb_limit",
                "ebb_limit",
            ),
            ("EBB (0)", "", "EBB", "EBB"),
            ("EBB (0)", "", "other", "EBB (0)"),
            ("ebb of tides", "ebb", "ebb", "ebb of tides"),
            ("Ebb tide:", "Ebb tide:", "x", "Ebb tide"),
            ("ebb = sea()", "ebb", "x", "ebb"),
        ] {
            assert_eq!(name_in(text, own, id), want, "{text}");
        }
    }
}
