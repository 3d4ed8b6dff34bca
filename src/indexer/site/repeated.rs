//! Lines and sections that stand on so many pages that they are the site's and not the pages'.
//!
//! Themes put headers, badges, notices and forms inside what they call the content. A line counts as such where a page
//! begins or ends with it, as lines of code in the middle may well be on every page; a section where its heading and its
//! text are the same. Each language is counted for itself.

use super::super::document::{Document, DocumentSection};
use super::is_page;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Share of the pages of a language that must begin or end with a line.
const LINES_ON: f64 = 0.25;
/// Share of those that must end with a line of links, which each part of a site has of its own.
const MENUS_ON: f64 = 0.04;
/// Share of the pages of a language that must have a section.
const SECTIONS_ON: f64 = 0.15;
/// Share of all files of Markdown that must begin with a line: no theme puts one there.
const LINES_OF_AUTHORS_ON: f64 = 0.5;
/// Files of Markdown that are looked at for such a line: reading them all costs as much as the rest of the rules.
const SAMPLE: usize = 64;
/// Pages that must have it, however small the site is.
const MIN_PAGES: usize = 8;
/// Lines that are taken off each end of a page, at most: a menu with a line for each of its items has dozens.
const EDGE: usize = 64;

/// Takes out what is the site's.
pub(super) fn settle(documents: &mut [Document]) {
    lines_of_authors(documents);
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, document) in documents.iter().enumerate().filter(|d| is_page(d.1)) {
        let language = document.language.clone().unwrap_or_default();
        groups.entry(language).or_default().push(at);
    }
    for members in groups.into_values().filter(|m| m.len() >= MIN_PAGES) {
        strip_sections(documents, &members);
        // What is taken off may uncover another.
        for _ in 0..EDGE {
            if !strip_edges(documents, &members) {
                break;
            }
        }
    }
}

/// Takes off a first line that most files of Markdown share: Rails' guides begin with a warning to read them elsewhere.
fn lines_of_authors(documents: &mut [Document]) {
    let is_file = |document: &Document| !is_page(document) && !document.is_unindexed();
    let files: Vec<usize> = (0..documents.len())
        .filter(|&at| is_file(&documents[at]))
        .collect();
    let first = |document: &Document| -> Option<String> {
        let text = document.text();
        text.first()?.text.lines().next().map(str::to_owned)
    };
    let every = files.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<usize> = files.iter().copied().step_by(every).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    let lines = sample.iter().filter_map(|&at| first(&documents[at]));
    lines.for_each(|line| *counts.entry(line).or_default() += 1);
    let least = least(&sample, LINES_OF_AUTHORS_ON);
    let often = counts.into_iter().filter(|(_, n)| *n >= least);
    let found = often.max_by(|(a, m), (b, n)| (m, a).cmp(&(n, b)));
    let Some((line, _)) = found else { return };
    for &at in &files {
        let document = &mut documents[at];
        let is_packed = document.sections.is_empty();
        document.unpack();
        if first(document).as_ref() == Some(&line) && has_more_than(document, 2) {
            strip(document, false);
        }
        if is_packed {
            document.pack();
        }
    }
}

fn least(members: &[usize], share: f64) -> usize {
    ((members.len() as f64 * share).ceil() as usize).max(MIN_PAGES)
}

fn hash_of(parts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

fn strip_sections(documents: &mut [Document], members: &[usize]) {
    let key = |s: &DocumentSection| hash_of(&[&s.heading, &s.text]);
    let is_counted = |s: &DocumentSection| !s.heading.is_empty() && !s.text.is_empty();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for &at in members {
        let mut own: Vec<u64> = documents[at]
            .sections
            .iter()
            .filter(|s| is_counted(s))
            .map(key)
            .collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter()
            .for_each(|k| *counts.entry(k).or_default() += 1);
    }
    let least = least(members, SECTIONS_ON);
    for &at in members {
        let sections = &mut documents[at].sections;
        let is_sites = |s: &DocumentSection| is_counted(s) && counts[&key(s)] >= least;
        if sections.iter().any(|s| !is_sites(s) && !s.text.is_empty()) {
            sections.retain(|s| !is_sites(s));
        }
    }
}

/// Takes the first and last lines off pages where most share them; returns whether there was one.
fn strip_edges(documents: &mut [Document], members: &[usize]) -> bool {
    let mut counts: HashMap<(bool, u64), usize> = HashMap::new();
    for &at in members {
        for (is_last, line) in edges(&documents[at]) {
            *counts.entry((is_last, hash_of(&[line]))).or_default() += 1;
        }
    }
    let (least, least_of_menus) = (least(members, LINES_ON), least(members, MENUS_ON));
    let is_sites = |is_last: bool, line: &str| {
        let n = counts[&(is_last, hash_of(&[line]))];
        n >= least || (is_last && is_menu(line) && n >= least_of_menus)
    };
    let mut is_changed = false;
    for &at in members {
        let ends: Vec<bool> = edges(&documents[at])
            .into_iter()
            .filter(|(is_last, line)| is_sites(*is_last, line))
            .map(|(is_last, _)| is_last)
            .collect();
        for is_last in ends {
            // A page that is nothing else keeps it.
            if has_more_than(&documents[at], 2) {
                strip(&mut documents[at], is_last);
                is_changed = true;
            }
        }
    }
    is_changed
}

/// True for a line like "Main index | Raster index | Full index".
fn is_menu(line: &str) -> bool {
    const MAX_ITEM_CHARS: usize = 30;
    let mut items = line.split(" | ");
    let is_short = |item: &str| item.chars().count() <= MAX_ITEM_CHARS && !item.ends_with('.');
    line.matches(" | ").count() >= 2 && items.all(is_short)
}

fn has_more_than(document: &Document, n_lines: usize) -> bool {
    let lines = document.sections.iter().flat_map(|s| s.text.lines());
    lines.take(n_lines + 1).count() > n_lines
}

/// The first line of a page and its last, where they are text before any heading and at the very end.
fn edges(document: &Document) -> Vec<(bool, &str)> {
    let first = document
        .sections
        .first()
        .and_then(|s| s.text.lines().next());
    let last = document
        .sections
        .last()
        .and_then(|s| s.text.lines().next_back());
    let first = first.map(|line| (false, line)).into_iter();
    first.chain(last.map(|line| (true, line))).collect()
}

fn strip(document: &mut Document, is_last: bool) {
    if is_last {
        if let Some(section) = document.sections.last_mut() {
            let end = section.text.rfind('\n').unwrap_or(0);
            section.text.truncate(end);
        }
    } else if let Some(section) = document.sections.first_mut() {
        let end = section
            .text
            .find('\n')
            .map_or(section.text.len(), |at| at + 1);
        section.text.drain(..end);
    }
    document
        .sections
        .retain(|s| !s.heading.is_empty() || !s.text.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(n: usize, sections: &[(&str, &str)]) -> Document {
        Document {
            path: format!("{n}.html"),
            sections: sections
                .iter()
                .map(|(heading, text)| DocumentSection {
                    heading: heading.replace('%', &n.to_string()),
                    text: text.replace('%', &n.to_string()),
                    ..DocumentSection::default()
                })
                .collect(),
            ..Document::default()
        }
    }

    fn outline(document: &Document) -> Vec<(&str, &str)> {
        let sections = document.sections.iter();
        sections
            .map(|s| (s.heading.as_str(), s.text.as_str()))
            .collect()
    }

    #[test]
    fn lines_and_sections_of_the_theme_are_no_content() {
        let template = [
            ("", "Hugo Documentation\nLink to this page\nWhat % is.\n}"),
            ("Part %", "let x = 1;\nUse %."),
            ("Was this page helpful?", "Yes\nNo"),
            ("More", "About %.\nLast updated: 0001\nImprove this page"),
        ];
        let mut documents: Vec<Document> = (0..12).map(|n| page(n, &template)).collect();
        documents.push(page(12, &[("", "Hugo Documentation\nHome.\nThe end.")]));
        settle(&mut documents);
        assert_eq!(
            outline(&documents[3]),
            [
                ("", "What 3 is.\n}"),
                ("Part 3", "let x = 1;\nUse 3."),
                ("More", "About 3.")
            ]
        );
        assert_eq!(outline(&documents[12]), [("", "Home.\nThe end.")]);
    }

    #[test]
    fn a_first_line_that_most_files_share_is_no_text() {
        let mut documents: Vec<Document> = (0..12)
            .map(|n| {
                page(
                    n,
                    &[("", "Read this elsewhere.\nWhat % is."), ("Part", "More.")],
                )
            })
            .collect();
        let mut few = documents[..7].to_vec();
        documents[0].sections[0].text = "Another.\nWhat 0 is.".into();
        for files in [&mut documents, &mut few] {
            files
                .iter_mut()
                .for_each(|d| d.path = d.path.replace("html", "md"));
            settle(files);
        }
        assert_eq!(documents[0].sections[0].text, "Another.\nWhat 0 is.");
        assert_eq!(documents[3].sections[0].text, "What 3 is.");
        assert_eq!(few[3].sections[0].text, "Read this elsewhere.\nWhat 3 is.");
        for _ in 0..16 {
            let halves = |n: usize| [("", ["A.\nWhat.", "B.\nWhat."][n % 2]), ("Part", "More.")];
            let mut documents: Vec<Document> = (0..16).map(|n| page(n, &halves(n))).collect();
            documents
                .iter_mut()
                .for_each(|d| d.path = d.path.replace("html", "md"));
            settle(&mut documents);
            let texts = [0, 1].map(|at| &documents[at].sections[0].text[..]);
            assert_eq!(texts, ["A.\nWhat.", "What."], "the same of two as often");
        }
    }

    #[test]
    fn a_menu_has_as_many_lines_as_it_likes() {
        let menu: Vec<String> = (0..20).map(|n| format!("Menu {n}")).collect();
        let text = format!("{}\nWhat % is.\nMore of %.", menu.join("\n"));
        let mut documents: Vec<Document> = (0..12).map(|n| page(n, &[("", &text)])).collect();
        settle(&mut documents);
        assert_eq!(outline(&documents[3]), [("", "What 3 is.\nMore of 3.")]);
    }

    #[test]
    fn a_line_of_links_at_the_end_is_that_of_a_part_of_the_site() {
        let text = |n: usize| match n % 10 {
            0 => "What % is.\nMore of %.\nMain index | Raster index | Full index",
            _ => "What % is.\nMore of %.\nThe end.",
        };
        let mut documents: Vec<Document> = (0..100).map(|n| page(n, &[("", text(n))])).collect();
        settle(&mut documents);
        assert_eq!(outline(&documents[20]), [("", "What 20 is.\nMore of 20.")]);
        assert!(!is_menu("a | b") && !is_menu("r.null | Fills null cells. | It is slow."));
    }

    #[test]
    fn small_sites_and_pages_of_nothing_else_keep_all() {
        let mut few: Vec<Document> = (0..5).map(|n| page(n, &[("", "Same\nText %.")])).collect();
        let before = few.clone();
        settle(&mut few);
        assert_eq!(few, before);
        let mut same: Vec<Document> = (0..20)
            .map(|n| page(n, &[("", "Same\nSame too")]))
            .collect();
        let before = same.clone();
        settle(&mut same);
        assert_eq!(same, before);
    }
}
