//! Breadcrumbs: the titles of the pages above a page, and the names of a site's books.

use super::super::document::Document;
use super::super::prose::same_words;
use super::titles::ends_of_folders;
use std::collections::{BTreeMap, HashMap};

/// Gives every page the titles of those above it: what its trail shows, else the titles of the folders' own pages.
pub(super) fn settle(documents: &mut [Document]) {
    let mut of_folder: HashMap<String, String> = HashMap::new();
    for document in documents.iter() {
        if let Some(folder) = own_folder(&document.path) {
            of_folder.insert(folder.to_owned(), document.title.clone());
        }
    }
    let books = books(documents, &of_folder);
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
        let own = own_folder(&document.path).filter(|own| !is_variant(own, document));
        let mut crumbs: Vec<String> = if document.facts.trail.is_empty() {
            folders_above(&document.path)
                .filter(|folder| !is_variant(folder, document))
                .map(|folder| {
                    let title = books.get(folder).or_else(|| of_folder.get(folder));
                    title.cloned().unwrap_or_else(|| spoken(folder))
                })
                .chain(own.and_then(|own| books.get(own).cloned()))
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

/// The names of a site's books, by their first folders: what the `<title>`s there end with and no other folder's do.
/// A folder whose own page (`of_folder`) is called as the folder has its name already.
fn books(documents: &[Document], of_folder: &HashMap<String, String>) -> HashMap<String, String> {
    let is_named = |folder: &str| of_folder.get(folder).is_some_and(|t| same_words(t, folder));
    let ends = ends_of_folders(documents).into_iter();
    let named = ends.filter(|(folder, _)| !is_named(folder));
    let mut folders_of: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (folder, end) in named {
        let name = end.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        folders_of.entry(name).or_default().push(folder);
    }
    let own = folders_of
        .into_iter()
        .filter(|(_, folders)| folders.len() == 1);
    own.map(|(name, folders)| (folders[0].to_owned(), name))
        .collect()
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
    use crate::indexer::site::tests::page;

    #[test]
    fn a_book_of_a_site_is_called_by_what_its_titles_end_with() {
        let of_book = |book: &str, name: &str| -> Vec<Document> {
            let titles = ["Introduction", "Start", "Traits", "Types"];
            let files = ["index", "start", "traits", "deep/types"];
            let pages = titles.iter().zip(files);
            pages
                .map(|(title, file)| {
                    let path = format!("{book}/{file}.html");
                    page(&path, title, &format!("{title} - {name}"))
                })
                .collect()
        };
        let mut documents = of_book("cargo", "The Cargo Book");
        documents.extend(of_book("reference", "The Rust Reference"));
        documents.extend(of_book("std", "Rust"));
        let std = documents.len() - 4;
        documents[std].title = "std".into();
        settle(&mut documents);
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(
            of[..4],
            [
                "The Cargo Book",
                "The Cargo Book",
                "The Cargo Book",
                "The Cargo Book > deep"
            ]
        );
        assert_eq!(of[4], "The Rust Reference");
        assert_eq!(of[std..], ["", "std", "std", "std > deep"]);
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
        settle(&mut documents);
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
