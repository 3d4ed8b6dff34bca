//! The descriptions that authors and generators write for a page.

use super::super::document::{DOCSTRING, Document};
use super::super::prose::{same_words, words};
use super::{Repeated, fit, lead};
use std::collections::HashSet;

/// True where a page's description is one, and of that page.
pub(super) fn has_description(document: &Document, repeated: &Repeated) -> bool {
    let description = &document.description;
    let mut headings = document.sections.iter().map(|s| &s.heading);
    says_more(description, &document.title)
        && !document.facts.is_template
        && (is_listed(document) || !repeated.has(description))
        && !runs_over_headings(document)
        && !headings.any(|heading| same_words(heading, description))
}

/// True for a page of Doxygen's, whose description is said wherever the page is listed, and for one of Sphinx's about one
/// thing, which methods of several classes share theirs with.
fn is_listed(document: &Document) -> bool {
    let facts = &document.facts;
    facts.generator.starts_with("Doxygen") || facts.classes.contains(DOCSTRING)
}

/// True for a description that is the page itself without its markup, headings and all, as Hugo makes one.
fn runs_over_headings(document: &Document) -> bool {
    let all: Vec<String> = words(&document.description).collect();
    let sections = document.sections.iter().take(MAX_RUN_OVER);
    let mut leads = sections
        .filter(|section| !section.heading.is_empty())
        .map(|section| {
            let lead = words(&section.text).take(LEAD_WORDS);
            words(&section.heading).chain(lead).collect::<Vec<String>>()
        });
    leads.any(|lead| lead.len() > LEAD_WORDS && all.windows(lead.len()).any(|run| run == lead))
}

/// Sections that are looked for in a description, and words of their texts.
const MAX_RUN_OVER: usize = 4;
const LEAD_WORDS: usize = 2;

/// The author's description, without a sentence that only announces what its page goes on with.
pub(super) fn description(document: &Document, limit: usize) -> String {
    let whole = match document.description.trim_end().ends_with([':', '：']) {
        true => lead::whole_sentences(&document.description),
        false => "",
    };
    match whole {
        "" => fit(lead::without_colon(&document.description), limit),
        whole => fit(whole, limit),
    }
}

/// True for a description with a word that is neither in the title nor in a phrase like "Learn more about".
pub(super) fn says_more(description: &str, title: &str) -> bool {
    const PHRASES: [&str; 14] = [
        "learn",
        "more",
        "about",
        "the",
        "this",
        "page",
        "documentation",
        "for",
        "of",
        "a",
        "an",
        "in",
        "and",
        "describes",
    ];
    let known: HashSet<String> = words(title).collect();
    let says = |word: &String| !known.contains(word) && !PHRASES.contains(&word.as_str());
    // One word is a label, or stands for a text that nobody wrote.
    let is_word = description.is_ascii() && words(description).nth(1).is_none();
    !is_word && words(description).any(|word| says(&word))
}
