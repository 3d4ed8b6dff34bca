//! Titles as a reader of the site knows them: without the site's name, and with those of the pages above.

use super::super::document::Document;
use super::super::prose::same_words;
use super::is_page;
use std::collections::{BTreeMap, HashMap};

/// Separators between a page's title and its site's name.
const SEPARATORS: [&str; 9] = [
    " | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ",
];
/// Share of the pages whose `<title>` must end alike for the end to be the site's name.
const MOST: f64 = 0.5;
/// Pages that a site needs before anything is common to them.
const MIN_PAGES: usize = 4;

/// Takes the site's name off titles that end with it.
pub(super) fn strip_site_name(documents: &mut [Document]) {
    let pages: Vec<&Document> = documents.iter().filter(|d| is_page(d)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for document in &pages {
        let title = document.facts.title_element.as_str();
        for end in ends(title) {
            *counts.entry(end).or_default() += 1;
        }
    }
    let least = (pages.len() as f64 * MOST).max(MIN_PAGES as f64);
    let common = counts.into_iter().filter(|(_, n)| *n as f64 >= least);
    let mut suffixes: Vec<String> = common.map(|(end, _)| end.to_owned()).collect();
    for document in &pages {
        let name = document.facts.site_name.as_str();
        if !name.is_empty() {
            let named = SEPARATORS.iter().map(|s| format!("{s}{name}"));
            suffixes.extend(named.filter(|end| document.title.ends_with(end.as_str())));
        }
    }
    // The longest first: `Page | Section | Site` where all pages share `| Section | Site`.
    suffixes.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
    suffixes.dedup();
    for document in documents.iter_mut().filter(|d| is_page(d)) {
        let short = suffixes
            .iter()
            .find_map(|end| document.title.strip_suffix(end.as_str()));
        if let Some(short) = short.map(str::trim).filter(|short| !short.is_empty()) {
            document.title = short.to_owned();
            super::super::sections::absorb_title(&mut document.sections, &document.title);
        }
    }
}

/// Every end of a title that begins with a separator.
fn ends(title: &str) -> impl Iterator<Item = &str> {
    SEPARATORS
        .iter()
        .flat_map(move |s| title.match_indices(s).map(move |(at, _)| &title[at..]))
}

/// Gives every page the titles of those above it: what its trail shows, else the titles of the folders' own pages.
pub(super) fn crumbs(documents: &mut [Document]) {
    let mut of_folder: HashMap<String, String> = HashMap::new();
    for document in documents.iter() {
        if let Some(folder) = own_folder(&document.path) {
            of_folder.insert(folder.to_owned(), document.title.clone());
        }
    }
    let home = of_folder.get("").cloned().unwrap_or_default();
    let site = documents.iter().map(|d| d.facts.site_name.as_str());
    let site = site
        .max_by_key(|name| !name.is_empty())
        .unwrap_or_default()
        .to_owned();
    for document in documents.iter_mut() {
        let is_of_site = |step: &str| {
            same_words(step, &home)
                || (!site.is_empty() && same_words(step, &site))
                || matches!(step.to_lowercase().as_str(), "home" | "docs »" | "docs")
        };
        let mut crumbs: Vec<String> = if document.facts.trail.is_empty() {
            folders_above(&document.path)
                .filter(|folder| !is_variant(folder, document))
                .map(|folder| {
                    of_folder
                        .get(folder)
                        .cloned()
                        .unwrap_or_else(|| spoken(folder))
                })
                .collect()
        } else {
            let trail = document.facts.trail.iter();
            trail
                .map(|step| step.trim_matches(['»', '›', '/', ':', '>', ' ']).to_owned())
                .collect()
        };
        crumbs.retain(|step| {
            !step.is_empty() && !is_of_site(step) && !same_words(step, &document.title)
        });
        crumbs.dedup();
        document.crumbs = crumbs;
    }
}

/// The folder that a page is the own page of: `guide/index.html`, and `guide.html` beside `guide/`.
fn own_folder(path: &str) -> Option<&str> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let is_index = ["index", "readme", "_index"]
        .iter()
        .any(|n| name.eq_ignore_ascii_case(n));
    if is_index {
        return Some(stem[..stem.len() - name.len()].trim_end_matches('/'));
    }
    Some(stem)
}

/// Folders that a page lies in, outermost first; its own folder is not above it.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let own = own_folder(path).unwrap_or(path);
    own.match_indices('/').map(|(at, _)| &own[..at])
}

/// True for the folder of the page's version or language, which results show by themselves.
fn is_variant(folder: &str, document: &Document) -> bool {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let is_first = !folder.contains('/');
    (!document.version.is_empty() && name == document.version)
        || (is_first && super::languages::is_code(&name.to_ascii_lowercase()))
}

/// A folder's name for people.
fn spoken(folder: &str) -> String {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    name.replace(['-', '_'], " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, title: &str, element: &str) -> Document {
        let mut document = Document {
            path: path.to_owned(),
            title: title.to_owned(),
            ..Document::default()
        };
        element.clone_into(&mut document.facts.title_element);
        document
    }

    #[test]
    fn a_name_that_most_titles_end_with_is_the_sites() {
        let mut documents = vec![
            page("index.html", "My Site", "My Site"),
            page("a.html", "A | My Site", "A | My Site"),
            page("b.html", "B", "B | My Site"),
            page("c.html", "C - D | My Site", "C - D | My Site"),
            page("d.html", "This | That", "This | That | My Site"),
        ];
        strip_site_name(&mut documents);
        let titles: Vec<&str> = documents.iter().map(|d| d.title.as_str()).collect();
        assert_eq!(titles, ["My Site", "A", "B", "C - D", "This | That"]);
    }

    #[test]
    fn few_pages_have_no_name_in_common_unless_they_say_it() {
        let mut documents = vec![
            page("a.html", "A - X", "A - X"),
            page("b.html", "B - X", "B - X"),
        ];
        strip_site_name(&mut documents);
        assert_eq!(documents[0].title, "A - X");
        documents[0].facts.site_name = "X".into();
        strip_site_name(&mut documents);
        assert_eq!(
            (documents[0].title.as_str(), documents[1].title.as_str()),
            ("A", "B")
        );
    }

    #[test]
    fn crumbs_are_titles_and_never_the_page_itself() {
        let mut documents = vec![
            page("index.html", "Tidewater", ""),
            page("guide/index.html", "The guide", ""),
            page("guide/start/index.html", "Start", ""),
            page("api.html", "API", ""),
            page("api/client.html", "Client", ""),
            page("lost-pages/deep/x.html", "X", ""),
            page("t.html", "Here", ""),
            page("de/1.0/guide/x.html", "X", ""),
        ];
        documents[7].version = "1.0".into();
        documents[6].facts.trail = vec!["Home".into(), "Section »".into(), "Here".into()];
        crumbs(&mut documents);
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        let want = [
            "",
            "",
            "The guide",
            "",
            "API",
            "lost pages > deep",
            "Section",
            "guide",
        ];
        assert_eq!(of, want);
    }
}
