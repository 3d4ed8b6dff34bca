//! Links by name, as wikis and vaults of notes have them: `[[Views]]` means `Bases/Views.md`, wherever it is written.

use super::super::document::Document;
use super::super::links::{extension, find_target};
use std::collections::{HashMap, HashSet};

/// Places of a page in the order in which they are asked: the first folder of the page that links, the whole site.
type Place<'p> = (Option<&'p str>, &'p str);

/// Leads links of Markdown that have no page at their place to the one page of that name in the same first folder (a
/// language's), or else on the site. O(links).
pub(super) fn settle(documents: &mut [Document]) {
    let paths: Vec<String> = documents.iter().map(|d| d.path.clone()).collect();
    let known: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut named: HashMap<Place<'_>, Option<&str>> = HashMap::new();
    for path in paths.iter().filter(|path| is_markdown(path)) {
        for place in [Some(first_folder(path)), None] {
            let found = named.entry((place, name_of(path)));
            found.and_modify(|one| *one = None).or_insert(Some(path));
        }
    }
    let exists = |path: &str| known.contains(path);
    for (document, path) in documents.iter_mut().zip(&paths) {
        if !is_markdown(path) {
            continue;
        }
        let lost = document.links.iter_mut();
        for link in lost.filter(|link| find_target(&link.path, exists).is_none()) {
            let name = name_of(&link.path);
            let places = [Some(first_folder(path)), None].into_iter();
            let mut found = places.filter_map(|place| *named.get(&(place, name))?);
            if let Some(target) = found.next() {
                link.path = target.to_owned();
            }
        }
    }
}

fn is_markdown(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "markdown")
}

fn first_folder(path: &str) -> &str {
    path.split_once('/').map_or("", |(first, _)| first)
}

/// The name of a file without its folder and the ending of Markdown.
fn name_of(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.strip_suffix(".md");
    stem.or_else(|| name.strip_suffix(".markdown"))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;
    use crate::indexer::document::Link;

    #[test]
    fn links_by_name_lead_to_the_page_of_that_name() {
        let mut documents = vec![
            page("en/Home.md", "Home", ""),
            page("en/Bases/Views.md", "Views", ""),
            page("fr/Bases/Views.md", "Vues", ""),
            page("fr/Plugins/Canvas.md", "Canvas", ""),
            page("en/a/Twice.md", "Twice", ""),
            page("en/b/Twice.md", "Twice", ""),
        ];
        let links = ["en/Views", "en/Canvas", "en/Twice", "en/Bases/Views.md"];
        documents[0].links = links
            .map(|path| Link {
                path: path.into(),
                text: String::new(),
            })
            .into();
        settle(&mut documents);
        let led: Vec<&str> = documents[0].links.iter().map(|l| l.path.as_str()).collect();
        let wanted = [
            "en/Bases/Views.md",
            "fr/Plugins/Canvas.md",
            "en/Twice",
            "en/Bases/Views.md",
        ];
        assert_eq!(led, wanted);
    }
}
