//! Descriptions that a generator makes of a page's name and kind ("Reference for Gtk.Box", "declaration: package: java.util,
//! class: Map"): they tell no page from another, and are the abstract of none. Their words are found as before.

use super::super::document::Document;
use super::super::prose::words;
use super::is_page;
use std::collections::{HashMap, HashSet};

/// Hundredths of the pages that must have such a description.
const PAGES: usize = 25;
/// Hundredths of the descriptions that have a word of the template, at least: a kind that is put in is on some of them.
const WORD: usize = 10;
/// Hundredths of its descriptions that have a word that the template always has.
const CORE: usize = 90;
/// Words that a template always has, at least.
const MIN_CORE: usize = 2;
/// Pages that must have a word before it is common, however small the site is.
const MIN_PAGES: usize = 8;

/// Marks the pages whose description is a template, the page's own words put in, nothing but its `<title>`, or a piece of
/// its text.
pub(super) fn settle(documents: &mut [Document]) {
    let pages: Vec<usize> = (0..documents.len())
        .filter(|&at| is_page(&documents[at]))
        .collect();
    for &at in &pages {
        let document = &mut documents[at];
        let named: HashSet<String> = words(&document.facts.title_element).collect();
        let mut said = words(&document.description).peekable();
        document.facts.is_template = is_beginning(&document.description, &document.title)
            || said.peek().is_some() && said.all(|word| named.contains(&word));
    }
    let described = pages
        .iter()
        .filter(|&&at| !documents[at].description.is_empty());
    let rests: Vec<(usize, HashSet<String>)> =
        described.map(|&at| (at, rest(&documents[at]))).collect();
    let n_pages = counts(rests.iter().map(|r| &r.1));
    let least = (rests.len() * WORD / 100).max(MIN_PAGES);
    let n_rare = |words: &HashSet<String>| {
        let rare = words.iter().filter(|word| n_pages[word.as_str()] < least);
        rare.count()
    };
    let filled = || rests.iter().filter(|(_, words)| n_rare(words) == 0);
    let n_filled = filled().count();
    let in_filled = counts(filled().map(|r| &r.1));
    let always = in_filled
        .into_iter()
        .filter(|(_, n)| n * 100 >= n_filled * CORE);
    let core: HashSet<String> = always.map(|(word, _)| word.to_owned()).collect();
    if n_filled * 100 < pages.len() * PAGES || n_filled < MIN_PAGES || core.len() < MIN_CORE {
        return;
    }
    let of_template = |(at, rest): &&(usize, HashSet<String>)| {
        // A word of the template may be one of the page's name, too; a kind may be one that few pages are of.
        let all: HashSet<String> = words(&documents[*at].description).collect();
        n_rare(rest) <= 1 && all.is_superset(&core)
    };
    let found = rests.iter().filter(of_template);
    let found: Vec<usize> = found.map(|(at, _)| *at).collect();
    for at in found {
        documents[at].facts.is_template = true;
    }
}

/// True for a description that is the beginning of the page's own text, cut off, as VuePress makes it: its title runs into
/// its first sentences, and links are gone from them.
fn is_beginning(description: &str, title: &str) -> bool {
    let rest = description.strip_prefix(title).unwrap_or_default();
    !title.is_empty() && rest.starts_with(' ') && description.ends_with("...")
}

fn counts<'a>(all: impl Iterator<Item = &'a HashSet<String>>) -> HashMap<&'a str, usize> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in all.flatten() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// The words of a page's description that its title and its path do not have.
fn rest(document: &Document) -> HashSet<String> {
    let own: HashSet<String> = words(&document.title)
        .chain(words(&document.facts.title_element))
        .chain(words(&document.path))
        .collect();
    words(&document.description)
        .filter(|word| !own.contains(word))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: String, title: String, description: String) -> Document {
        Document {
            path,
            title,
            description,
            ..Document::default()
        }
    }

    fn n_templates(documents: &mut [Document]) -> usize {
        settle(documents);
        documents.iter().filter(|d| d.facts.is_template).count()
    }

    #[test]
    fn a_description_that_a_generator_made_of_the_name_says_nothing() {
        let javadoc = |n: usize| {
            let (kind, package) = (["class", "interface"][n % 2], ["lang", "util"][n % 3 % 2]);
            page(
                format!("java.base/java/{package}/Name{n}.html"),
                format!("Name{n}"),
                format!("declaration: module: java.base, package: java.{package}, {kind}: Name{n}"),
            )
        };
        let mut documents: Vec<Document> = (0..30).map(javadoc).collect();
        let own = "Module by module, a package and its class.";
        documents.push(page("index.html".into(), "Overview".into(), own.into()));
        assert_eq!(n_templates(&mut documents), 30);
        assert!(!documents[30].facts.is_template);
    }

    #[test]
    fn a_description_that_is_the_title_says_nothing() {
        let described = |description: &str| {
            let mut page = page("a.html".into(), "Option".into(), description.into());
            page.facts.title_element = "Option - Library 2.11".into();
            page
        };
        let mut documents = vec![
            described("Option - Library 2.11 "),
            described("Option of a library"),
            described(""),
        ];
        settle(&mut documents);
        let told: Vec<bool> = documents.iter().map(|d| d.facts.is_template).collect();
        assert_eq!(told, [true, false, false]);
    }

    #[test]
    fn a_description_that_is_cut_from_the_text_says_nothing() {
        let described = |description: &str| {
            let mut page = page("a.html".into(), "Page".into(), description.into());
            page.facts.title_element = "Page | Book".into();
            page
        };
        let mut documents = vec![
            described("Page A book is centered. Each file inside it is a page of ..."),
            described("Page through a book."),
        ];
        assert_eq!(n_templates(&mut documents), 1);
        assert!(documents[0].facts.is_template);
    }

    #[test]
    fn what_somebody_wrote_about_each_page_is_kept() {
        let subjects = ["sails", "ropes", "anchors", "tides", "charts"];
        let guide = |n: usize| {
            let subject = subjects[n % 5];
            page(
                format!("p{n}.html"),
                format!("Page {n}"),
                format!("How to choose {subject} for trip {n} of the {}.", n * 7),
            )
        };
        let mut documents: Vec<Document> = (0..30).map(guide).collect();
        assert_eq!(n_templates(&mut documents), 0);
        let mut bare: Vec<Document> = (0..30)
            .map(|n| page(format!("p{n}.html"), format!("Page {n}"), String::new()))
            .collect();
        assert_eq!(n_templates(&mut bare), 0);
    }
}
