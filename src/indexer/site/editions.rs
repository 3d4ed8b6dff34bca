//! Pages that only mean something beside the others: the whole site on one page, and the notes of many releases.

use super::super::document::Document;
use super::is_page;
use super::kind::Kind;
use super::numbered::behind_section_number;
use crate::base::civil::month_by_name;
use std::collections::{HashMap, HashSet};

/// Headings of a page that may be a site's edition on one page, at least.
const MIN_HEADINGS: usize = 50;
/// Hundredths of them that are headings of other pages, at least.
const SHARED_HEADINGS: usize = 80;
/// Hundredths of them that one of its parts has, at most.
const OF_ONE_PART: usize = 75;
/// Of a folder's text that is longer than a page, the times that it is at most if the page may be an edition: a book and its
/// parts have a few.
const MOST_EDITIONS: usize = 8;
/// Pages that a folder of release notes has, at least.
const MIN_RELEASES: usize = 10;
/// The sign for a version or a date in a title.
const NUMBER: &str = "#";

/// The kinds of the pages that the whole site tells, by their places.
pub(super) fn kinds(documents: &[Document]) -> HashMap<usize, Kind> {
    let mut kinds: HashMap<usize, Kind> = HashMap::new();
    kinds.extend(releases(documents).map(|at| (at, Kind::Changelog)));
    let editions = one_page_editions(documents).into_iter();
    kinds.extend(editions.map(|at| (at, Kind::Print)));
    kinds
}

/// Pages that say once more what the pages around them say: nearly all of their headings are those of shorter ones, and
/// they are at least half as long as all that are no such pages. There may be several, of a book and of its parts.
fn one_page_editions(documents: &[Document]) -> Vec<usize> {
    let around = letters_around(documents);
    let place = |at: usize| (folder_around(&documents[at].path), &documents[at].language);
    let all_around = |at: usize| around.get(&place(at)).copied().unwrap_or_default();
    let lengths: Vec<usize> = documents.iter().map(Document::text_bytes).collect();
    let may_be = |at: &usize| {
        let (document, all) = (&documents[*at], all_around(*at));
        let is_long = lengths[*at] < all && lengths[*at] * MOST_EDITIONS >= all;
        is_page(document) && is_long && document.sections.len() >= MIN_HEADINGS
    };
    let mut long: Vec<usize> = (0..documents.len()).filter(may_be).collect();
    long.sort_by_key(|at| (lengths[*at], *at));
    // By path, since a folder's pages are a hundred among a hundred thousand.
    let mut by_path: Vec<usize> = (0..documents.len()).collect();
    by_path.sort_by_key(|at| &documents[*at].path);
    let mut found: Vec<usize> = Vec::new();
    for at in long {
        let (folder, language) = place(at);
        let headings = headings(&documents[at]);
        let from = by_path.partition_point(|at| *documents[*at].path < *folder);
        let around = by_path[from..].iter().map(|at| (*at, &documents[*at]));
        let around = around.take_while(|(_, d)| d.path.starts_with(folder));
        let parts = around.filter(|(other, d)| {
            let is_part = lengths[*other] < lengths[at] && d.language == *language;
            is_part && is_page(d) && !found.contains(other)
        });
        if headings.len() >= MIN_HEADINGS && is_shared(&headings, parts.map(|d| d.1)) {
            found.push(at);
        }
    }
    let is_most = |at: &usize| {
        let (folder, language) = place(*at);
        let is_beside = |other: &&usize| {
            let document = &documents[**other];
            document.path.starts_with(folder) && document.language == *language
        };
        let editions: usize = found.iter().filter(is_beside).map(|&at| lengths[at]).sum();
        lengths[*at] * 2 >= all_around(*at) - editions
    };
    found.iter().copied().filter(is_most).collect()
}

/// Letters of all pages below each folder, of each language.
fn letters_around(documents: &[Document]) -> HashMap<(&str, &Option<String>), usize> {
    let mut all: HashMap<(&str, &Option<String>), usize> = HashMap::new();
    for document in documents.iter().filter(|d| is_page(d)) {
        let n = document.text_bytes();
        let ends = document.path.match_indices('/').map(|(at, _)| at + 1);
        for end in std::iter::once(0).chain(ends) {
            *all.entry((&document.path[..end], &document.language))
                .or_default() += n;
        }
    }
    all
}

fn headings(document: &Document) -> HashSet<&str> {
    let headings = document.sections.iter().map(|s| bare(&s.heading));
    headings.filter(|heading| !heading.is_empty()).collect()
}

/// A heading without its number, which is another one in the whole book.
fn bare(heading: &str) -> &str {
    behind_section_number(heading).map_or(heading, |(_, title)| title)
}

/// The folder that a page stands for: its own, or the one above where it is the only page of a folder of its own.
fn folder_around(path: &str) -> &str {
    let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
    let own = folder(path);
    let name = &path[own..];
    match name.starts_with("index.") && own > 0 {
        true => &path[..folder(&path[..own - 1])],
        false => &path[..own],
    }
}

/// True if several other pages together have nearly all of `headings`.
fn is_shared<'a>(headings: &HashSet<&str>, others: impl Iterator<Item = &'a Document>) -> bool {
    let mut shared: HashSet<&str> = HashSet::new();
    let mut most = 0;
    for other in others {
        let own = other.sections.iter().map(|s| bare(&s.heading));
        let own = own.chain([bare(&other.title)]);
        let known: HashSet<&str> = own.filter_map(|h| headings.get(h).copied()).collect();
        most = most.max(known.len());
        shared.extend(known);
    }
    let n = headings.len();
    // A page that alone has them is another version, or a copy. FFmpeg's filters are 71 in 100 of a book.
    shared.len() * 100 >= n * SHARED_HEADINGS && most * 100 < n * OF_ONE_PART
}

/// Pages of a folder whose titles differ in a version or a date only, and say of what.
fn releases(documents: &[Document]) -> impl Iterator<Item = usize> {
    let mut groups: HashMap<(&str, String), Vec<usize>> = HashMap::new();
    for (at, document) in documents.iter().enumerate().filter(|d| is_page(d.1)) {
        let title = without_numbers(title_of(document));
        let folder = folder_of_notes(&document.path);
        if title.contains(NUMBER) && (says_release(&title) || says_release(folder)) {
            groups.entry((folder, title)).or_default().push(at);
        }
    }
    groups
        .into_values()
        .filter_map(|pages| {
            let titles: HashSet<&str> = pages.iter().map(|&at| title_of(&documents[at])).collect();
            (titles.len() >= MIN_RELEASES).then_some(pages)
        })
        .flatten()
        .collect::<Vec<_>>()
        .into_iter()
}

/// The folder that holds the notes of all releases: around a page, its own folder (unless that is a version's, which has
/// a whole documentation), and those of years.
fn folder_of_notes(path: &str) -> &str {
    let above = |path| split_last(path).0;
    let (mut folder, name) = split_last(path);
    if name.starts_with("index.") && !super::versions::is_version(split_last(folder).1) {
        folder = above(folder);
    }
    while super::dated::is_year(split_last(folder).1) {
        folder = above(folder);
    }
    folder
}

fn split_last(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn title_of(document: &Document) -> &str {
    match document.facts.title_element.as_str() {
        "" => &document.title,
        title => title,
    }
}

/// A title in lower case with a sign for each version and date. A lone number is neither, but for a section's own and the
/// year behind a month.
fn without_numbers(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower
        .split([' ', '\u{a0}', '_'])
        .filter(|word| !word.is_empty());
    let mut found: Vec<&str> = Vec::new();
    for (at, word) in words.enumerate() {
        let is_first = at == 0 && word.ends_with('.');
        if super::dated::is_year(word) && found.pop_if(|last| is_month(last)).is_some()
            || is_numbered(word)
            || (is_first && word.contains(|c: char| c.is_ascii_digit()))
        {
            found.push(NUMBER);
        } else {
            found.push(word);
        }
    }
    found.join(" ")
}

/// True for the name of a month in lower case, whole or of three letters.
fn is_month(word: &str) -> bool {
    month_by_name(word.trim_end_matches(['.', ','])).is_some()
}

/// True for `3.5.4`, `v1.0-rc1`, `2007-12-14`.
pub(super) fn is_numbered(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let word = word.strip_prefix('v').unwrap_or(word);
    let parts: Vec<&str> = word.split(['.', '-', '/']).collect();
    let is_number = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
    parts.len() > 1 && parts.iter().take(2).all(is_number)
}

fn says_release(text: &str) -> bool {
    const WORDS: [&str; 8] = [
        "release",
        "changelog",
        "changes",
        "version",
        "what's new",
        "what’s new",
        "whatsnew",
        "news",
    ];
    WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::DocumentSection;

    fn page(path: &str, title: &str, headings: &[String]) -> Document {
        let section = |heading: &String| DocumentSection {
            heading: heading.clone(),
            text: "Some words of the text.".into(),
            ..DocumentSection::default()
        };
        Document {
            path: path.to_owned(),
            title: title.to_owned(),
            sections: headings.iter().map(section).collect(),
            ..Document::default()
        }
    }

    fn headings(of: &str, n: usize) -> Vec<String> {
        (0..n).map(|i| format!("{of}.part{i}")).collect()
    }

    /// Six chapters of twelve sections, and one page with the sections of all.
    fn manual(folder: &str, whole: &str) -> Vec<Document> {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut all = Vec::new();
        let mut documents: Vec<Document> = Vec::new();
        for name in names {
            let own = headings(name, 12);
            all.extend(own.clone());
            documents.push(page(&format!("{folder}{name}.html"), name, &own));
        }
        documents.push(page(whole, "Manual", &all));
        documents
    }

    #[test]
    fn the_whole_site_on_one_page_is_for_printing() {
        for (folder, whole) in [
            ("", "all.html"),
            ("de/", "de/all.html"),
            ("", "singlehtml/index.html"),
        ] {
            let mut documents = manual(folder, whole);
            documents.push(page("other/x.html", "X", &headings("x", 9)));
            assert_eq!(
                kinds(&documents),
                HashMap::from([(6, Kind::Print)]),
                "{whole}"
            );
        }
        // The same manual of another version, on pages of the same headings.
        let mut versions = manual("2.0/", "2.0/a-z.html");
        versions.pop();
        versions.push(page(
            "1.0/all.html",
            "Manual",
            &versions[0]
                .sections
                .iter()
                .map(|s| s.heading.clone())
                .collect::<Vec<_>>(),
        ));
        assert_eq!(kinds(&versions), HashMap::new());
        // A long page with headings of its own, and two pages of the same ones.
        let mut own = manual("", "all.html");
        own[6] = page("all.html", "Reference", &headings("z", 72));
        assert_eq!(kinds(&own), HashMap::new());
        own.push(own[6].clone());
        assert_eq!(kinds(&own), HashMap::new());
        let mut languages = manual("en/", "en/all.html");
        languages.extend(manual("de/", "de/all.html"));
        let found = HashMap::from([(6, Kind::Print), (13, Kind::Print)]);
        assert_eq!(kinds(&languages), found);
    }

    /// Texinfo numbers the sections of each book anew.
    #[test]
    fn several_books_on_one_page_each_have_other_numbers_than_their_parts() {
        let mut documents = manual("", "all.html");
        let numbered = |from: usize, of: &Document| -> Vec<String> {
            let headings = of.sections.iter().enumerate();
            headings
                .map(|(n, s)| format!("{from}.{} {}", n + 1, s.heading))
                .collect()
        };
        let book = numbered(7, &documents[6]);
        for (at, part) in documents.iter_mut().take(6).enumerate() {
            *part = page(&part.path, &part.title, &numbered(at + 1, part));
        }
        documents[6] = page("all.html", "Manual", &book);
        documents.push(page("most.html", "Most", &book[..60]));
        let found = HashMap::from([(6, Kind::Print), (7, Kind::Print)]);
        assert_eq!(kinds(&documents), found);
    }

    #[test]
    fn release_notes_are_changelogs_and_chapters_are_not() {
        let site = |folder: &str, title: &dyn Fn(usize) -> String| {
            let one = |n: usize| page(&format!("{folder}p{n}.html"), &title(n), &[]);
            let documents: Vec<Document> = (0..12).map(one).collect();
            kinds(&documents).len()
        };
        assert_eq!(
            site("releaselog/", &|n| format!(
                "SQLite Release 3.{n}.0 On 2007-12-{n}"
            )),
            12
        );
        assert_eq!(site("", &|n| format!("E.{n}. Release 15.{n}")), 12);
        assert_eq!(
            site("whatsnew/", &|n| format!("What’s New In Python 3.{n}")),
            12
        );
        assert_eq!(site("changes/", &|n| format!("v1.{n}.0-rc1")), 12);
        let monthly = |n: usize| {
            let path = format!("changelog/20{:02}/june/index.html", n + 10);
            page(&path, &format!("June 20{:02}", n + 10), &[])
        };
        assert_eq!(kinds(&(0..12).map(monthly).collect::<Vec<_>>()).len(), 12);
        let home = |n: usize| page(&format!("1.{n}/index.html"), &format!("Version 1.{n}"), &[]);
        assert_eq!(
            kinds(&(0..12).map(home).collect::<Vec<_>>()).len(),
            0,
            "a documentation of each version"
        );
        assert_eq!(
            site("book/", &|n| format!("Exercise 1.{n}")),
            0,
            "nothing says of what"
        );
        assert_eq!(site("", &|n| format!("Release {n}")), 0, "no version");
        assert_eq!(
            site("", &|n| format!("Release 1.{n} of part{n}")),
            0,
            "other words"
        );
        assert_eq!(site("", &|_| "Release 1.0".into()), 0, "all the same");
    }
}
