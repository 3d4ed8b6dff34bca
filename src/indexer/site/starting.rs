//! Pages of cards that are built in the browser (Writerside's): what they lead to is known by the trails of the other pages.

use super::super::document::{Document, DocumentSection, Link};
use super::super::facts::STARTING_PAGE;
use std::collections::HashMap;

/// Cards of a page.
const MAX_CARDS: usize = 200;

/// Gives every such page without text the titles of the pages below it, with links to them.
pub(super) fn settle(documents: &mut [Document]) {
    let is_open =
        |d: &&mut Document| d.sections.is_empty() && d.facts.classes.contains(STARTING_PAGE);
    let mut below: HashMap<String, Vec<Link>> = HashMap::new();
    for document in documents.iter() {
        if let Some(above) = document.facts.trail.last() {
            let link = Link {
                path: document.path.clone(),
                text: document.title.clone(),
            };
            below.entry(above.clone()).or_default().push(link);
        }
    }
    for document in documents.iter_mut().filter(is_open) {
        let mut cards = below.get(&document.title).cloned().unwrap_or_default();
        cards.truncate(MAX_CARDS);
        let titles: Vec<&str> = cards.iter().map(|card| card.text.as_str()).collect();
        if !titles.is_empty() {
            document.sections.push(DocumentSection {
                text: titles.join("\n"),
                weight: 1.0,
                ..DocumentSection::default()
            });
            document.links = cards;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;

    #[test]
    fn a_page_of_cards_leads_to_the_pages_whose_trail_ends_in_it() {
        let mut documents = vec![
            page("configuration.html", "Configuration", "Configuration"),
            page("config-cache.html", "Cache", "Cache"),
            page("config-intents.html", "Intents", "Intents"),
            page("welcome.html", "Welcome", "Welcome"),
        ];
        for at in [1, 2] {
            documents[at].facts.trail = vec!["Core".into(), "Configuration".into()];
        }
        for at in [0, 3] {
            documents[at].facts.classes = STARTING_PAGE.into();
        }
        settle(&mut documents);
        assert_eq!(documents[0].sections[0].text, "Cache\nIntents");
        assert_eq!(documents[0].links[1].path, "config-intents.html");
        assert!(documents[3].sections.is_empty() && documents[1].sections.is_empty());
    }
}
