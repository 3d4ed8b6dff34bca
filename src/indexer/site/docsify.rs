//! Sites of Docsify: Markdown that the browser makes pages of, in one page of HTML without a text.

use super::super::document::Document;
use super::super::html::docsify;
use super::addresses::{UrlStyle, encoded};
use super::kind::Kind;

/// Files that Docsify shows around its pages, or in place of one.
const PARTS: [&str; 4] = ["_sidebar.md", "_navbar.md", "_coverpage.md", "_404.md"];
/// Letters of a shell, at most: it asks to wait.
const MAX_IN_SHELL: usize = 200;
/// Name of the first page of a folder.
const FIRST: &str = "README";

/// The folders in which Docsify makes pages, with `/` at their ends, and whether their addresses have a `#`.
pub(super) struct Docsify(Vec<(String, bool)>);

impl Docsify {
    /// The folders with a shell.
    pub(super) fn of(documents: &[Document]) -> Self {
        let shells = documents.iter().filter(|d| is_shell(d));
        let folder = |d: &Document| {
            let folder = d.path.strip_suffix("index.html").unwrap_or(&d.path);
            (
                folder.to_owned(),
                !d.facts.classes.contains(docsify::HISTORY),
            )
        };
        Self(shells.map(folder).collect())
    }

    /// The kind of a shell, and of a part of its frame.
    pub(super) fn kind_of(&self, document: &Document) -> Option<Kind> {
        if is_shell(document) {
            return Some(Kind::Tool);
        }
        let name = document.path.rsplit('/').next().unwrap_or_default();
        let is_part = PARTS.iter().any(|part| name.eq_ignore_ascii_case(part));
        (is_part && self.folder_of(&document.path).is_some()).then_some(Kind::Tool)
    }

    fn folder_of(&self, path: &str) -> Option<&(String, bool)> {
        let around = self.0.iter().filter(|(folder, _)| path.starts_with(folder));
        around.max_by_key(|(folder, _)| folder.len())
    }

    /// The address at which the shell shows the file at `path`: `#/guide` of `guide.md`.
    fn address_of(&self, path: &str) -> Option<String> {
        let (folder, has_hash) = self.folder_of(path)?;
        let route = path[folder.len()..].strip_suffix(".md")?;
        let above = route.strip_suffix(FIRST);
        let is_first = |above: &&str| above.is_empty() || above.ends_with('/');
        let route = above.filter(is_first).unwrap_or(route);
        let sign = if *has_hash { "#/" } else { "" };
        let url = [&encoded(folder), sign, &encoded(route)].concat();
        Some(if url.is_empty() { "./".to_owned() } else { url })
    }
}

/// Gives the pages of such sites their addresses, in place of those of their Markdown.
pub(super) fn settle(documents: &mut [Document], style: UrlStyle) {
    let sites = Docsify::of(documents);
    if style != UrlStyle::Auto || sites.0.is_empty() {
        return;
    }
    for document in documents.iter_mut().filter(|d| d.url.is_empty()) {
        document.url = sites.address_of(&document.path).unwrap_or_default();
    }
}

/// True for the page without a text of its own in which Docsify shows all others.
fn is_shell(document: &Document) -> bool {
    let n_letters = || -> usize {
        let texts = document.text();
        texts.iter().map(|s| s.text.chars().count()).sum()
    };
    document.facts.generator == docsify::GENERATOR && n_letters() <= MAX_IN_SHELL
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::super::{Report, SiteOptions, Tally, kinds};
    use super::*;

    #[test]
    fn what_docsify_shows_around_its_pages_is_no_page() {
        let mut documents = [
            "docs/index.html",
            "docs/README.md",
            "docs/_sidebar.md",
            "docs/de/_navbar.md",
            "docs/guide.md",
            "_sidebar.md",
        ]
        .map(|path| page(path, "N", "N"))
        .to_vec();
        docsify::GENERATOR.clone_into(&mut documents[0].facts.generator);
        let (options, mut report) = (SiteOptions::default(), Report::default());
        kinds::settle(&mut documents, &Tally::default(), &options, &mut report);
        let left: Vec<&str> = documents.iter().map(|d| d.path.as_str()).collect();
        assert_eq!(left, ["docs/README.md", "docs/guide.md", "_sidebar.md"]);
    }

    #[test]
    fn pages_have_the_addresses_at_which_the_shell_shows_them() {
        let mut documents = [
            "docs/index.html",
            "docs/README.md",
            "docs/a b/c.md",
            "other.md",
        ]
        .map(|path| page(path, "N", "N"))
        .to_vec();
        docsify::GENERATOR.clone_into(&mut documents[0].facts.generator);
        let urls = |documents: &mut Vec<Document>, style| {
            documents.iter_mut().for_each(|d| d.url.clear());
            settle(documents, style);
            let urls: Vec<String> = documents.iter().map(|d| d.url.clone()).collect();
            urls[1..].join(" ")
        };
        let auto = urls(&mut documents, UrlStyle::Auto);
        assert_eq!(auto, "docs/#/ docs/#/a%20b/c ");
        assert_eq!(urls(&mut documents, UrlStyle::File), "  ");
        docsify::HISTORY.clone_into(&mut documents[0].facts.classes);
        let history = urls(&mut documents, UrlStyle::Auto);
        assert_eq!(history, "docs/ docs/a%20b/c ");
    }
}
