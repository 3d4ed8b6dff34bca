//! Titles as a reader of the site knows them: without the site's name, and with those of the pages above.

use super::super::document::Document;
use super::super::html::definition;
use super::super::sections::absorb_title;
use super::is_page;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Separators between a page's title and its site's name.
const SEPARATORS: [&str; 10] = [
    " | ", " - ", " – ", " — ", " -- ", " · ", " • ", " :: ", " » ", " « ",
];
/// Sign between a site's name and the title behind it, besides those.
const COLON: &str = ": ";
/// Share of the pages whose `<title>` must begin or end alike for that to be the site's name.
const MOST: f64 = 0.5;
/// Share of the pages of a folder whose `<title>` must end alike for that to be the name of a book.
const NEARLY_ALL: f64 = 0.9;
/// Pages that a site needs before anything is common to them.
const MIN_PAGES: usize = 4;
/// Pages with one first heading and titles of their own, from which on it names none of them.
const MANY_ALIKE: usize = 3;
/// Pages that may share what their `<title>` says beside the site's name; more of them are not told apart by it.
const FEW_ALIKE: usize = 2;

/// Gives every page its own title: without the site's name, that of the thing where it defines one, and that of the
/// `<title>` where its first heading is one of several sections.
pub(super) fn settle(documents: &mut [Document]) {
    heads_of_sources(documents);
    let names = Names::of(documents);
    let own = |d: &Document| names.without(&d.path, &d.facts.title_element).to_owned();
    let own: Vec<String> = documents.iter().map(own).collect();
    let is_named = named_by_title(documents, &own);
    let are_numbered = are_numbered(documents);
    let has_kinds = are_kinds_behind(documents);
    let pages = documents.iter_mut().zip(own).zip(is_named);
    for ((document, own), is_named) in pages.filter(|((d, _), _)| is_page(d)) {
        let was_doubtful = document.facts.doubts(&document.title);
        let short = match is_named {
            true => own.clone(),
            false => names.without(&document.path, &document.title).to_owned(),
        };
        let is_changed = short != document.title;
        document.title = short;
        if was_doubtful || is_changed {
            absorb_title(&mut document.sections, &document.title);
        }
        if are_numbered {
            drop_number(document);
        }
        define(document, &own, has_kinds);
    }
}

/// Pages whose headings say a kind behind the name, from which on, and hundredths of the pages, a site writes so.
const KINDS_BEHIND: (usize, usize) = (20, 20);

/// Sections among whose beginnings that of a reference's entry is.
const LEADS: usize = 3;

/// Hundredths of the pages without a `<title>` from which on their first heading is the project's.
const PROJECTS: usize = 20;

/// True if many pages are called like `QTimer Class`.
fn are_kinds_behind(documents: &[Document]) -> bool {
    let pages = documents.iter().filter(|d| is_page(d));
    let with = pages
        .clone()
        .filter(|d| definition::behind(&d.title).is_some());
    let (n, with) = (pages.count(), with.count());
    with >= KINDS_BEHIND.0 && with * 100 >= n * KINDS_BEHIND.1
}

/// The next heading is the title where the first is the project's, on many pages without a `<title>`, as in Markdown that
/// is read in its repository.
fn heads_of_sources(documents: &mut [Document]) {
    let is_source = |d: &Document| !is_page(d) && !d.is_unindexed();
    let mut alike: HashMap<String, usize> = HashMap::new();
    for document in documents.iter().filter(|d| is_source(d)) {
        *alike.entry(document.title.clone()).or_default() += 1;
    }
    let n: usize = alike.values().sum();
    let is_projects = |n_alike: usize| n_alike >= MANY_ALIKE && n_alike * 100 >= n * PROJECTS;
    let of_project = |d: &Document| is_source(d) && is_projects(alike[&d.title]);
    for document in documents.iter_mut().filter(|d| of_project(d)) {
        document.unpack();
        let first = document.sections.first();
        if let Some(next) = first.map(|s| s.heading.clone())
            && !next.is_empty()
        {
            absorb_title(&mut document.sections, &next);
            document.title = next;
        }
    }
}

/// True if most pages are numbered sections of a book: `4.15 Hash Tables`, `Chapter 21. Tools`.
fn are_numbered(documents: &[Document]) -> bool {
    let pages = documents.iter().filter(|d| is_page(d));
    let numbered = |d: &Document| behind_section_number(&d.facts.title_element).is_some();
    let (all, with) = pages.fold((0, 0), |(all, with), d| {
        (all + 1, with + usize::from(numbered(d)))
    });
    with >= MIN_PAGES && with as f64 >= all as f64 * MOST
}

/// Takes its number from a title. It stays among the keywords, for whoever looks for it.
fn drop_number(document: &mut Document) {
    if let Some((number, rest)) = behind_section_number(&document.title) {
        let (number, rest) = (number.to_owned(), rest.to_owned());
        absorb_title(&mut document.sections, &document.title);
        document.title = rest;
        if !document.keywords.contains(&number) {
            document.keywords.push(number);
        }
    }
}

/// The number of a section, and the title behind it. A number that begins with 0 names a record, and one of more than
/// three digits is a year.
fn behind_section_number(title: &str) -> Option<(&str, &str)> {
    const UNITS: [&str; 4] = ["Chapter ", "Appendix ", "Part ", "Section "];
    let bare = UNITS.iter().find_map(|unit| title.strip_prefix(unit));
    let (number, rest) = bare.unwrap_or(title).split_once([' ', '\u{a0}'])?;
    let rest = rest.trim_start();
    let mut parts = number.trim_end_matches(['.', ':']).split('.');
    let is_digits = |part: &str| {
        (1..=3).contains(&part.len())
            && !part.starts_with('0')
            && part.bytes().all(|b| b.is_ascii_digit())
    };
    let first = parts.next()?;
    let is_letter = first.len() == 1 && first.starts_with(|c: char| c.is_ascii_uppercase());
    let is_first = is_digits(first) || is_letter && (bare.is_some() || number.len() > 1);
    let is_number = is_first && parts.all(is_digits) && rest.contains(char::is_alphabetic);
    is_number.then(|| (number.trim_end_matches(['.', ':']), rest))
}

/// The names of a site and of its books, as they stand in titles.
struct Names {
    site: Common,
    /// Ends by first folder.
    books: HashMap<String, String>,
}

impl Names {
    fn of(documents: &[Document]) -> Self {
        let books = ends_of_folders(documents).into_iter();
        Self {
            site: Common::of(documents),
            books: books
                .map(|(folder, end)| (folder.to_owned(), end))
                .collect(),
        }
    }

    /// The title of the page at `path` without them.
    fn without<'t>(&self, path: &str, title: &'t str) -> &'t str {
        let title = self.site.stripped(title);
        let book = path
            .split_once('/')
            .and_then(|(folder, _)| self.books.get(folder));
        let short = book
            .and_then(|end| title.strip_suffix(end.as_str()))
            .map(str::trim);
        short.filter(|short| !short.is_empty()).unwrap_or(title)
    }
}

/// The end that nearly all `<title>`s below a first folder have beside the site's name, with its separator: the shortest,
/// of `Page | Section | Book`.
pub(super) fn ends_of_folders(documents: &[Document]) -> BTreeMap<&str, String> {
    let mut titles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let site = Common::of(documents);
    for document in documents.iter().filter(|d| is_page(d)) {
        if let Some((folder, _)) = document.path.split_once('/') {
            let title = site.stripped(&document.facts.title_element);
            titles.entry(folder).or_default().push(title);
        }
    }
    let ends = titles.into_iter();
    ends.filter_map(|(folder, titles)| Some((folder, common_end(&titles)?)))
        .collect()
}

/// The shortest end that nearly all of `titles` share.
fn common_end(titles: &[&str]) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for end in titles.iter().flat_map(|title| ends(title)) {
        *counts.entry(end).or_default() += 1;
    }
    let least = (titles.len() as f64 * NEARLY_ALL).max(MIN_PAGES as f64);
    let common = counts.into_iter().filter(|(_, n)| *n as f64 >= least);
    common.map(|(end, _)| end).min_by_key(String::len)
}

/// Beginnings and ends that most `<title>`s of a site share, the longest first: `Page | Section | Site` where all pages
/// share `| Section | Site`.
struct Common {
    beginnings: Vec<String>,
    ends: Vec<String>,
}

impl Common {
    fn of(documents: &[Document]) -> Self {
        let pages: Vec<&Document> = documents.iter().filter(|d| is_page(d)).collect();
        let least = (pages.len() as f64 * MOST).max(MIN_PAGES as f64);
        let shared = |pieces: &dyn Fn(&str) -> Vec<String>| -> Vec<String> {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for page in &pages {
                for piece in pieces(&page.facts.title_element) {
                    *counts.entry(piece).or_default() += 1;
                }
            }
            let common = counts.into_iter().filter(|(_, n)| *n as f64 >= least);
            common.map(|(piece, _)| piece).collect()
        };
        let mut common = Self {
            beginnings: shared(&beginnings),
            ends: shared(&ends),
        };
        for document in &pages {
            let name = document.facts.site_name.as_str();
            if !name.is_empty() {
                let named = SEPARATORS.iter().map(|s| format!("{s}{name}"));
                let named = named.filter(|end| document.title.ends_with(end.as_str()));
                common.ends.extend(named);
            }
        }
        for pieces in [&mut common.beginnings, &mut common.ends] {
            pieces.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
            pieces.dedup();
        }
        common
    }

    /// The title without the site's name, unless nothing would be left.
    fn stripped<'t>(&self, title: &'t str) -> &'t str {
        let kept = |short: &'t str| Some(short.trim()).filter(|short| !short.is_empty());
        let behind = |title: &'t str| {
            let mut beginnings = self.beginnings.iter();
            beginnings.find_map(|piece| title.strip_prefix(piece.as_str()))
        };
        let before = |title: &'t str| {
            let mut ends = self.ends.iter();
            ends.find_map(|piece| title.strip_suffix(piece.as_str()))
        };
        let title = behind(title).and_then(kept).unwrap_or(title);
        before(title).and_then(kept).unwrap_or(title)
    }
}

/// Every end of a title that begins with a separator, and the one in brackets.
fn ends(title: &str) -> Vec<String> {
    let bracket = last_bracket(title);
    let separated = SEPARATORS
        .iter()
        .flat_map(|s| title.match_indices(s).map(|(at, _)| at));
    let ends = separated.chain(bracket).map(|at| title[at..].to_owned());
    ends.collect()
}

/// The blank before the bracket that closes at the end of a title, with those in it: `Solvers (GNU Octave (version 7))`.
fn last_bracket(title: &str) -> Option<usize> {
    let mut depth = 0usize;
    let closed = title.char_indices().rev().filter(|_| title.ends_with(')'));
    for (at, c) in closed {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (c == '(' && title[..at].ends_with(' ')).then(|| at - 1);
        }
    }
    None
}

/// Every beginning of a title that ends with a separator.
fn beginnings(title: &str) -> Vec<String> {
    let separators = SEPARATORS.iter().chain([&COLON]);
    let ends = separators.flat_map(|s| title.match_indices(s).map(|(at, _)| at + s.len()));
    ends.map(|end| title[..end].to_owned()).collect()
}

/// True for each page whose `<title>`, `own` without the site's name, names it better than the first heading of its
/// content: that one heads other pages, too, or is one of several, or has a number, and says something else.
fn named_by_title(documents: &[Document], own: &[String]) -> Vec<bool> {
    let mut alike: HashMap<&str, usize> = HashMap::new();
    let mut headed: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for (document, own) in documents.iter().zip(own).filter(|(d, _)| is_page(d)) {
        *alike.entry(own).or_default() += 1;
        if document.facts.n_h1 > 0 {
            headed.entry(&document.title).or_default().insert(own);
        }
    }
    let is_named = |(document, own): (&Document, &String)| {
        let title = document.title.as_str();
        is_page(document)
            && !own.is_empty()
            && document.facts.doubts(title)
            && alike[own.as_str()] <= FEW_ALIKE
            && (headed[title].len() >= MANY_ALIKE || document.facts.n_h1 > 1 || is_numbered(title))
    };
    documents.iter().zip(own).map(is_named).collect()
}

/// True for `1. Overview` and `2.3 Examples`.
fn is_numbered(heading: &str) -> bool {
    let number = heading.split(' ').next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.contains('.')
        && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Reads what a page defines from its title and its `<title>`, `own` without the site's name, where the page alone did
/// not tell.
fn define(document: &mut Document, own: &str, has_kinds: bool) {
    if !document.kind.is_empty() {
        return;
    }
    let (title, generator) = (&document.title, document.facts.generator.as_str());
    let named = definition::of(title, own).map(|(kind, name)| (kind, name.to_owned()));
    let found = named
        .or_else(|| definition::by_generator(title, generator))
        .or_else(|| definition::behind(title).filter(|_| has_kinds));
    // Navigation may stand before the entry of a reference.
    let leads = document.sections.iter().take(LEADS).map(|s| &s.text);
    let entry = || {
        let mut entries = leads.map(|lead| definition::of_refentry(title, lead, generator));
        entries.find_map(|entry| entry)
    };
    if let Some((kind, name)) = found {
        kind.clone_into(&mut document.kind);
        document.title = name;
    } else if let Some(entry) = entry() {
        entry.kind.clone_into(&mut document.kind);
        document.title = entry.name;
        document.names.push(entry.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::site::tests::page;

    #[test]
    fn a_name_that_most_titles_end_with_is_the_sites() {
        let mut documents = vec![
            page("index.html", "My Site", "My Site"),
            page("a.html", "A | My Site", "A | My Site"),
            page("b.html", "B", "B | My Site"),
            page("c.html", "C - D | My Site", "C - D | My Site"),
            page("d.html", "This | That", "This | That | My Site"),
        ];
        settle(&mut documents);
        let titles: Vec<&str> = documents.iter().map(|d| d.title.as_str()).collect();
        assert_eq!(titles, ["My Site", "A", "B", "C - D", "This | That"]);
    }

    #[test]
    fn a_name_that_the_titles_of_a_folder_end_with_is_its_books() {
        let of_book = |file: &str, title: &str| {
            let element = format!("{title} - The Book");
            page(&format!("book/{file}.html"), title, &element)
        };
        let mut documents = vec![
            of_book("a", "A"),
            of_book("b", "B"),
            of_book("c", "C - D"),
            page("book/d.html", "Threads - The Book", "Threads - The Book"),
            page("std/v.html", "Vec - The Book", "Vec"),
        ];
        documents
            .extend(["w", "x", "y", "z"].map(|file| page(&format!("std/{file}.html"), file, file)));
        assert_eq!(
            titles_of(&mut documents)[..5],
            ["A", "B", "C - D", "Threads", "Vec - The Book"]
        );
    }

    #[test]
    fn few_pages_have_no_name_in_common_unless_they_say_it() {
        let mut documents = vec![
            page("a.html", "A - X", "A - X"),
            page("b.html", "B - X", "B - X"),
        ];
        settle(&mut documents);
        assert_eq!(documents[0].title, "A - X");
        documents[0].facts.site_name = "X".into();
        settle(&mut documents);
        assert_eq!(
            (documents[0].title.as_str(), documents[1].title.as_str()),
            ("A", "B")
        );
    }

    #[test]
    fn kinds_behind_names_are_read_where_many_pages_say_them() {
        let classes = |n: usize| -> Vec<Document> {
            let of = |i| headed(&format!("q{i}.html"), &[&format!("QThing{i} Class")], "");
            let mut documents: Vec<Document> = (0..n).map(of).collect();
            documents.push(headed("a.html", &["A long Class"], ""));
            settle(&mut documents);
            documents
        };
        let of = |d: &Document| (d.title.clone(), d.kind.clone());
        let many = classes(20);
        assert_eq!(of(&many[0]), ("QThing0".into(), "class".into()));
        assert_eq!(of(&many[20]), ("A long Class".into(), String::new()));
        assert_eq!(of(&classes(19)[0]), ("QThing0 Class".into(), String::new()));
    }

    #[test]
    fn the_projects_name_above_each_source_is_no_title() {
        let source = |path: &str, next: &str| {
            let mut document = page(path, "Fastify", "");
            document = document.section(next, "", "Text.");
            document.sections.last_mut().expect("it was added").level = 2;
            document
        };
        let mut documents = vec![
            source("hooks.md", "Hooks"),
            source("server.md", "Server"),
            source("index.md", ""),
            page("other.md", "Other", "").section("More", "", "Text."),
        ];
        assert_eq!(
            titles_of(&mut documents),
            ["Hooks", "Server", "Fastify", "Other"]
        );
        assert!(documents[0].sections[0].heading.is_empty());
    }

    #[test]
    fn numbers_of_sections_are_no_part_of_titles() {
        let titles = [
            ("4.15 Hash Tables", "Hash Tables"),
            ("4.15.1. Additional Functions", "Additional Functions"),
            ("Chapter 21. Tools", "Tools"),
            ("A.2 Grammar", "Grammar"),
            ("Appendix B Licenses", "Licenses"),
            ("A guide", "A guide"),
            ("0012. Use records", "0012. Use records"),
            ("2024 in review", "2024 in review"),
            ("1.2.3 (2024)", "1.2.3 (2024)"),
        ];
        let page_of =
            |(i, (title, _)): (usize, &(&str, &str))| headed(&format!("{i}.html"), &[title], title);
        let mut documents: Vec<Document> = titles.iter().enumerate().map(page_of).collect();
        assert_eq!(titles_of(&mut documents), titles.map(|(_, wanted)| wanted));
        assert_eq!(documents[0].keywords, ["4.15"]);
        assert!(documents[0].sections[0].heading.is_empty());
        // One numbered page of many is called so.
        let mut documents: Vec<Document> = ["7 Wonders", "Mooring", "Sails", "Tides", "Knots"]
            .iter()
            .map(|title| headed(&format!("{title}.html"), &[title], title))
            .collect();
        assert_eq!(titles_of(&mut documents)[0], "7 Wonders");
    }

    /// A page whose content is headed so, its own heading first.
    fn headed(path: &str, h1s: &[&str], element: &str) -> Document {
        let mut document = page(path, h1s[0], element);
        document.facts.n_h1 = h1s.len() as u32;
        for h1 in h1s {
            document = document.section(*h1, "", "Text.");
            document.sections.last_mut().expect("it was added").level = 1;
        }
        document
    }

    fn titles_of(documents: &mut [Document]) -> Vec<&str> {
        settle(documents);
        documents.iter().map(|d| d.title.as_str()).collect()
    }

    #[test]
    fn names_of_sites_stand_before_titles_and_in_brackets_too() {
        let mut documents = vec![
            page("a.html", "Eigen: Maps", "Eigen: Maps"),
            page("b.html", "Eigen: Blocks", "Eigen: Blocks"),
            page("c.html", "Eigen: a: b", "Eigen: a: b"),
            page("d.html", "Eigen: ", "Eigen: "),
        ];
        assert_eq!(
            titles_of(&mut documents),
            ["Maps", "Blocks", "a: b", "Eigen: "]
        );
        let javadoc = |path, h1: &str, name: &str| headed(path, &[h1], &format!("{name} (SE 17)"));
        let mut documents = vec![
            javadoc("Map.html", "Interface Map<K,V>", "Map"),
            javadoc("String.html", "Class String", "String"),
            javadoc("net.html", "Package java.net", "java.net"),
            javadoc("help.html", "JavaDoc Help", "API Help"),
        ];
        assert_eq!(
            titles_of(&mut documents),
            ["Map", "String", "java.net", "JavaDoc Help"]
        );
        let kinds: Vec<&str> = documents.iter().map(|d| d.kind.as_str()).collect();
        assert_eq!(kinds, ["interface", "class", "package", ""]);
        assert!(documents.iter().all(|d| d.sections[0].heading.is_empty()));
        let texinfo = |name: &str| {
            let title = format!("{name} (GNU Octave (version 7))");
            page(&format!("{name}.html"), &title, &title)
        };
        let mut documents: Vec<Document> = ["A", "B", "C", "D"].map(texinfo).into();
        documents.push(page("e.html", "E (", "E ("));
        assert_eq!(titles_of(&mut documents), ["A", "B", "C", "D", "E ("]);
    }

    #[test]
    fn a_heading_of_many_pages_or_one_of_several_is_no_title() {
        let mut documents = vec![
            headed("Maybe.html", &["Documentation"], "Data.Maybe"),
            headed("List.html", &["Documentation"], "Data.List"),
            headed("Char.html", &["Documentation"], "Data.Char"),
            headed(
                "wal.html",
                &["Overview", "How it works"],
                "Write-Ahead Logging",
            ),
            headed("fts.html", &["1. Introduction"], "Full-Text Search"),
            // Said in other words, once, and said by many pages that no `<title>` tells apart.
            headed("start.html", &["Getting started"], "Installation"),
            headed("x.html", &["Same"], "Docs"),
            headed("y.html", &["Same"], "Docs"),
            headed("z.html", &["Same"], "Docs"),
            headed("run.html", &["Running", "Stopping"], "Running it"),
        ];
        let wanted = [
            "Data.Maybe",
            "Data.List",
            "Data.Char",
            "Write-Ahead Logging",
            "Full-Text Search",
            "Getting started",
            "Same",
            "Same",
            "Same",
            "Running",
        ];
        assert_eq!(titles_of(&mut documents), wanted);
        // The heading is a section's, where it was not the page's.
        assert_eq!(documents[0].sections[0].heading, "Documentation");
        assert_eq!(documents[5].sections[0].heading, "");
    }
}
