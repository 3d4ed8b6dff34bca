//! Pages that are all called by their book: in `<title>` and `<h1>`, and the heading below says which page it is; or in
//! `<h1>` alone, and the `<title>` goes on with the page's own.

use super::{COLON, SEPARATORS, keep_number, name_by_heading};
use crate::indexer::document::{Document, DocumentSection};
use crate::indexer::prose::same_words;
use crate::indexer::sections::absorb_title;
use crate::indexer::site::is_page;
use crate::indexer::site::numbered::behind_section_number;
use std::collections::{HashMap, HashSet};

/// Pages of one folder from which on what they are all called is a book, and hundredths of them that have a name besides;
/// half of the names are of one page.
const MANY: usize = 10;
const MOST: usize = 75;

/// Calls the pages of a book by the heading below the book's name, which stays above them.
pub(super) fn settle(documents: &mut [Document]) {
    let mut books: HashMap<(String, String), (usize, Vec<String>)> = HashMap::new();
    for document in documents.iter().filter(|d| is_page(d)) {
        let book = books.entry(key(document)).or_default();
        book.0 += 1;
        book.1.extend(own(document).map(str::to_owned));
    }
    books.retain(|_, (n, own)| {
        let distinct: HashSet<&String> = own.iter().collect();
        *n >= MANY && own.len() * 100 >= *n * MOST && distinct.len() * 2 >= own.len()
    });
    let of_book = |d: &Document| is_page(d) && own(d).is_some() && books.contains_key(&key(d));
    for document in documents.iter_mut().filter(|d| of_book(d)) {
        let number = own(document).and_then(behind_section_number);
        if let Some((number, _)) = number {
            let number = number.to_owned();
            keep_number(document, number);
        }
        let title = document.title.clone();
        let in_title = behind_book(document).map(str::to_owned);
        document
            .sections
            .retain(|s| !s.text.is_empty() || !same_words(&s.heading, &title));
        match in_title {
            Some(own) => {
                absorb_title(&mut document.sections, &own);
                let bare = behind_section_number(&own).map(|(_, bare)| bare.to_owned());
                document.title = bare.unwrap_or(own);
            }
            None => name_by_heading(document),
        }
        if document.facts.trail.is_empty() {
            document.facts.trail.push(title);
        }
    }
}

/// The name of a page besides that of its book.
fn own(document: &Document) -> Option<&str> {
    behind_book(document).or_else(|| own_heading(document))
}

/// The rest of a `<title>` behind the first heading of its page: `The Sea: Tides`.
fn behind_book(document: &Document) -> Option<&str> {
    let title = document.title.as_str();
    let rest = document.facts.title_element.strip_prefix(title)?;
    let signs = SEPARATORS.iter().copied().chain([COLON]);
    let own = signs.filter_map(|sign| rest.strip_prefix(sign)).next()?;
    let is_headed = document.facts.n_h1 > 0 && !title.is_empty();
    (is_headed && own.contains(char::is_alphabetic)).then_some(own)
}

/// Folder and title of a page.
fn key(document: &Document) -> (String, String) {
    let folder = document
        .path
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    (folder.to_owned(), document.title.clone())
}

/// The first heading below the page's title, where it is the page's: a title of its `<title>` and its `<h1>`, and no other
/// heading is as high. Of a list of posts there are several.
fn own_heading(document: &Document) -> Option<&str> {
    let is_below =
        |s: &&DocumentSection| !s.heading.is_empty() && !same_words(&s.heading, &document.title);
    let mut below = document.sections.iter().filter(is_below);
    let first = below.next()?;
    let is_own = document.facts.n_h1 > 0
        && same_words(&document.facts.title_element, &document.title)
        && below.all(|s| s.level > first.level);
    is_own.then_some(first.heading.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "The Sea's Reference";

    /// A page headed by its book, whose other headings are on these levels.
    fn page(n: usize, headings: &[(u8, &str)]) -> Document {
        let mut page = Document::new(format!("sea/{n}.html"), BOOK, "");
        page.sections.clear();
        page.facts.title_element = BOOK.to_owned();
        page.facts.n_h1 = 1;
        for (level, heading) in headings {
            page = page.section(*heading, "", "Text.");
            page.sections.last_mut().expect("it was added").level = *level;
        }
        page
    }

    fn titles(mut documents: Vec<Document>) -> Vec<String> {
        super::super::settle(&mut documents);
        documents.into_iter().map(|d| d.title).collect()
    }

    #[test]
    fn pages_that_are_called_by_their_book_have_the_heading_below_it() {
        let of_book = |n: usize| {
            let heading = format!("4.{n} Tide {n}");
            page(n, &[(2, &heading), (3, "Usage")])
        };
        let mut documents: Vec<Document> = (1..=MANY).map(of_book).collect();
        super::super::settle(&mut documents);
        let last = &documents[MANY - 1];
        assert_eq!(last.title, "Tide 10");
        assert_eq!(
            (&*last.names, &*last.facts.trail),
            (&["4.10".to_owned()][..], &[BOOK.to_owned()][..])
        );
        assert_eq!(titles((1..MANY).map(of_book).collect())[0], BOOK);
    }

    #[test]
    fn a_title_that_goes_on_behind_the_book_is_the_page_s() {
        let of_book = |n: usize, rest: String| {
            let mut page = page(n, &[(1, &format!("TIDE {n}")), (1, "Usage")]);
            page.facts.n_h1 = 2;
            page.facts.title_element = [BOOK, ": ", &rest].concat();
            page
        };
        let mut documents: Vec<Document> = (1..=MANY)
            .map(|n| of_book(n, format!("Tide {n}")))
            .collect();
        documents.extend((1..=MANY).map(|n| {
            let mut other = page(n, &[(2, "Notes")]);
            other.path = format!("other/{n}.html");
            other.title = format!("Newsletter {n}");
            other.facts.title_element = other.title.clone();
            other
        }));
        super::super::settle(&mut documents);
        assert_eq!(documents[0].title, "Tide 1");
        assert_eq!(documents[0].facts.trail, [BOOK]);
        assert_eq!(documents[MANY].title, "Newsletter 1");
        let site = |n: usize| of_book(n, "Sea".to_owned());
        assert_ne!(titles((1..=MANY).map(site).collect())[0], "Sea");
    }

    #[test]
    fn lists_and_pages_of_one_heading_are_called_as_before() {
        let list = |n: usize| page(n, &[(2, &format!("Post {n}")), (2, "Another")]);
        assert_eq!(titles((1..=MANY).map(list).collect())[0], BOOK);
        let alike = |n: usize| page(n, &[(2, "Usage")]);
        assert_eq!(titles((1..=MANY).map(alike).collect())[0], BOOK);
    }
}
