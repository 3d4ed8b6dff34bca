//! Manual pages, as pod2html, man2html and mandoc write them: the first heading is "NAME", and the line below it says what
//! the page is called and what that does.
//!
//! ```html
//! <h1 id="NAME">NAME</h1><p>ebb, flow - turn the tide</p>
//! <h1>EBB</h1>Section: User Commands (1)<br>…<a name="lbAB">&nbsp;</a><h2>NAME</h2>ebb, flow - turn the tide
//! <h1 class="Sh" id="NAME">NAME</h1><p class="Pp"><code class="Nm">ebb</code> — <div class="Nd">turn the tide</div></p>
//! <h1>ebb 1</h1><pre>ebb(1)     ebb(1)</pre><h2>NAME</h2><pre>       ebb, flow - turn the tide</pre>
//! ```

use super::typeset;
use crate::indexer::document::{Document, DocumentSection};
use crate::indexer::prose::same_words;

const MAX_TITLE_CHARS: usize = 60; // Of several names; more are called by the first.
const MAX_LINE_CHARS: usize = 80; // Of a line that is a title as a whole.
const MAX_NAME_CHARS: usize = 80; // A longer word is none.
const MAX_SECTION_CHARS: usize = 5; // Of the manual: `1`, `3x`, `3pm`.
const MAX_NAMES: usize = 64; // The pages of OpenSSL tell of some dozens of functions.

/// The line below "NAME".
#[derive(Debug, PartialEq)]
struct Names {
    title: String,
    names: Vec<String>,
    /// Their purpose; empty: the line does not say.
    does: String,
}

/// Calls a manual page by its names, for which it has no heading of its own. What they do is its description, and stands for
/// a `<title>` that Perl's tools leave empty.
pub(super) fn define(document: &mut Document) {
    let Some((at, found)) = find(&document.sections) else {
        return;
    };
    for section in &mut document.sections {
        if typeset::is_set(&section.text) {
            section.text = typeset::reflow(&section.text);
        }
    }
    for section in &mut document.sections[..=at] {
        section.heading.clear();
        section.level = 0;
    }
    // Man2html's place of the page, before "NAME".
    document.sections[..at]
        .iter_mut()
        .filter(|section| section.text.starts_with("Section: ") || is_place(&section.text))
        .for_each(|section| section.text.clear());
    document
        .sections
        .retain(|section| !(section.heading.is_empty() && section.text.is_empty()));
    if document.description.is_empty() {
        document.description.clone_from(&found.does);
    }
    let title_element = &mut document.facts.title_element;
    if title_element.is_empty() {
        *title_element = match found.does.is_empty() {
            true => found.title.clone(),
            false => [&found.title, " - ", &found.does].concat(),
        };
    }
    if document.title.is_empty() {
        let names = found.names.into_iter();
        let others = names.filter(|name| *name != found.title);
        document.names.extend(others);
        document.title = found.title;
    }
}

/// The section headed "NAME", where it is the first, but for one that is headed by the name itself; and what it says.
fn find(sections: &[DocumentSection]) -> Option<(usize, Names)> {
    let mut headed = sections.iter().enumerate();
    let mut headed = headed.by_ref().filter(|(_, s)| !s.heading.is_empty());
    let (at, first) = headed.next()?;
    if let Some(found) = below(first) {
        return Some((at, found));
    }
    let (at, second) = headed.next()?;
    let mut found = below(second)?;
    // Pages of other tools keep their heading and their title (`cargo-add(1)`, made by mdBook).
    let is_set = sections
        .iter()
        .any(|section| typeset::is_set(&section.text));
    // Doctools': `ebb(3tcl) 1.5 sea "The tides"`.
    let is_described = first.heading.ends_with('"') && first.heading.contains(" \"");
    let of_place = in_place(&first.heading).filter(|_| is_set || is_described);
    let heading = of_place.unwrap_or(&first.heading);
    if !found.names.iter().any(|name| same_words(name, heading)) {
        // A page that tells of several functions has a name of its own: `curs_refresh(3x)`.
        found.title = of_place?.to_owned();
    }
    Some((at, found))
}

/// The name before the section of the manual: `ebb` of `ebb(1)`, `ebb 3x` and `ebb(2) — Linux manual page`.
fn in_place(heading: &str) -> Option<&str> {
    let (name, rest) = heading.split_once(['(', ' '])?;
    let is_bracketed = heading[name.len()..].starts_with('(');
    let section = match is_bracketed {
        true => rest.split_once(')')?.0,
        false => rest,
    };
    let is_section = section.starts_with(|c: char| c.is_ascii_digit())
        && section.len() <= MAX_SECTION_CHARS
        && section.chars().all(char::is_alphanumeric);
    (is_section && !name.is_empty()).then_some(name)
}

/// True for the line at the head of a printed page: `ebb(1)     General Commands     ebb(1)`.
fn is_place(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (first, last) = (words.next(), words.next_back());
    first == last && text.lines().count() == 1 && first.and_then(in_place).is_some()
}

/// The names in a section headed "NAME". "Name" heads what others have, too: the fields of a form.
fn below(section: &DocumentSection) -> Option<Names> {
    let is_loud = section.heading == "NAME";
    if !is_loud && section.heading != "Name" {
        return None;
    }
    let text = match typeset::is_set(&section.text) {
        true => typeset::join(section.text.lines()),
        false => section.text.clone(),
    };
    let mut lines = text.lines();
    let mut line = lines.next()?.to_owned();
    if line.ends_with([' ', '-', '–', '—']) || line.ends_with(" --") {
        // The rest of the line is a block of its own.
        line = [line.as_str(), " ", lines.next()?].concat();
    }
    let dashes = [" - ", " – ", " — ", " -- ", " \\- "].iter();
    let dash = dashes.filter_map(|dash| Some((line.find(dash)?, dash.len())));
    let Some((at, len)) = dash.min() else {
        let is_title = is_loud
            && lines.next().is_none()
            && line.chars().count() <= MAX_LINE_CHARS
            && !line.ends_with('.');
        return is_title.then(|| Names {
            title: line,
            names: Vec::new(),
            does: String::new(),
        });
    };
    let (called, does) = (line[..at].trim(), line[at + len..].trim());
    let names: Vec<&str> = called.split(',').map(str::trim).collect();
    let is_name = |name: &&str| {
        let n_chars = name.chars().count();
        (1..=MAX_NAME_CHARS).contains(&n_chars) && !name.contains(char::is_whitespace)
    };
    let are_names = names.iter().all(is_name);
    if !are_names && (!is_loud || called.chars().count() > MAX_TITLE_CHARS) {
        return None;
    }
    let is_short = called.chars().count() <= MAX_TITLE_CHARS;
    let title = if is_short { called } else { names[0] };
    let names = names.into_iter().filter(|_| are_names);
    Some(Names {
        title: title.to_owned(),
        names: names.take(MAX_NAMES).map(str::to_owned).collect(),
        does: does.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(sections: &[(&str, &str)]) -> Document {
        let mut document = Document::default();
        for (heading, text) in sections {
            document = document.section(*heading, *heading, *text);
        }
        define(&mut document);
        document
    }

    #[test]
    fn a_manual_page_is_called_by_its_names() {
        let text = ("DESCRIPTION", "Text.");
        for (sections, title, names, does) in [
            (
                vec![("NAME", "ebb - turn the tide"), text],
                "ebb",
                vec![],
                "turn the tide",
            ),
            (
                vec![("NAME", "ebb, flow - turn the tide\nMore."), text],
                "ebb, flow",
                vec!["ebb", "flow"],
                "turn the tide",
            ),
            (
                vec![("NAME", "ebb —\nturn the tide"), text],
                "ebb",
                vec![],
                "turn the tide",
            ),
            (
                vec![
                    ("EBB", "Section: User Commands (1)\nIndex"),
                    ("NAME", "ebb - turn the tide"),
                    text,
                ],
                "ebb",
                vec![],
                "turn the tide",
            ),
            (
                vec![("NAME", "Guide to the sea"), text],
                "Guide to the sea",
                vec![],
                "",
            ),
        ] {
            let page = page(&sections);
            assert_eq!(
                (page.title.as_str(), &page.names),
                (title, &names.iter().map(|n| (*n).to_owned()).collect())
            );
            assert_eq!(page.description, does);
            let headings: Vec<&str> = page.sections.iter().map(|s| &s.heading[..]).collect();
            assert_eq!(headings, ["", "DESCRIPTION"], "{title}");
            assert!(!page.sections[0].text.contains("Section"), "{title}");
        }
    }

    #[test]
    fn a_page_set_for_a_terminal_is_called_by_its_place_or_its_names() {
        let set = "       ebb, flow, neap_tide_of_the_sea, spring_tide_of_the_sea,\n       slack - turn the tide";
        let head = "ebb(1)          General Commands Manual          ebb(1)";
        for (heading, title) in [
            ("curs_tide 3x", "curs_tide"),
            ("flow(2) — Linux manual page", "ebb"),
        ] {
            let page = page(&[(heading, head), ("NAME", set), ("DESCRIPTION", "Text.")]);
            assert_eq!(page.title, title);
            assert_eq!(page.description, "turn the tide");
            assert!(page.names.iter().any(|name| name == "slack"));
            assert!(!page.sections[0].text.contains("Manual"));
        }
        for heading in [
            "Chapter 3 of the sea",
            "ebb and flow",
            "ebb(sea)",
            "Ports 30000000",
        ] {
            assert_eq!(in_place(heading), None, "{heading}");
        }
    }

    #[test]
    fn a_title_element_that_is_empty_is_filled_and_another_stays() {
        let mut page = page(&[("NAME", "ebb - turn the tide")]);
        assert_eq!(page.facts.title_element, "ebb - turn the tide");
        page = Document::default().section("NAME", "NAME", "ebb - turn the tide");
        page.facts.title_element = "EBB(1)".into();
        define(&mut page);
        assert_eq!(page.facts.title_element, "EBB(1)");
    }

    #[test]
    fn a_heading_name_over_something_else_is_one_like_others() {
        for sections in [
            vec![(
                "Name",
                "The name of the port. It is shown - in maps - beside it.",
            )],
            vec![("Name", "Harbour")],
            vec![("NAME", "The name of the port.\nText."), ("Size", "Text.")],
            vec![("Ports", "Text."), ("NAME", "ebb - turn the tide")],
            vec![("Name", "")],
        ] {
            let page = page(&sections);
            assert_eq!(
                (page.title.as_str(), page.sections[0].level),
                ("", 2),
                "{sections:?}"
            );
        }
    }
}
