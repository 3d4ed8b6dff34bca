//! Files that the pages of a site were made of, which lie beside them or in Sphinx's folder.

use super::super::document::Document;
use super::is_page;
use super::kind::Kind;
use std::collections::HashSet;

/// True for a notebook that is kept in step with a page or a text beside it, as Jupytext and nbsphinx do.
pub(super) fn is_paired_notebook(document: &Document, exists: impl Fn(&str) -> bool) -> bool {
    let others = ["html", "md", "qmd", "Rmd", "rmd"];
    let stem = notebook(document);
    stem.is_some_and(|stem| {
        others
            .iter()
            .any(|other| exists(&format!("{stem}.{other}")))
    })
}

fn notebook(document: &Document) -> Option<&str> {
    let (stem, extension) = document.path.rsplit_once('.')?;
    let is_notebook = extension.eq_ignore_ascii_case("ipynb") && !document.is_unindexed();
    is_notebook.then_some(stem)
}

/// The kind of a Markdown file on a site of HTML, or of a notebook there, which its pages offer for download.
pub(super) fn kind_of(
    document: &Document,
    exists: impl Fn(&str) -> bool,
    is_linked: impl Fn(&str) -> bool,
) -> Option<Kind> {
    let (stem, extension) = document.path.rsplit_once('.')?;
    let is_markdown = matches!(
        extension.to_ascii_lowercase().as_str(),
        "md" | "markdown" | "mdown" | "mkd" | "mdx" | "qmd" | "rmd"
    );
    if notebook(document).is_some() {
        return Some(Kind::Stray);
    }
    if !is_markdown || document.is_unindexed() {
        return None;
    }
    let folder = stem.strip_suffix("/index").or(stem.strip_suffix("/README"));
    let candidates = [
        format!("{stem}.html"),
        format!("{stem}/index.html"),
        // Plugins write `guide/index.md` as `guide.md`.
        format!("{}.html", folder.unwrap_or(stem)),
        format!("{}/index.html", folder.unwrap_or(stem)),
    ];
    let root = matches!(stem, "index" | "README" | "readme") && exists("index.html");
    if root || candidates.iter().any(|path| exists(path)) {
        return Some(Kind::PageSource);
    }
    (!is_linked(&document.path)).then_some(Kind::Stray)
}

/// True for a file that is no page beside one of the same name.
pub(super) fn is_beside_page(document: &Document, exists: impl Fn(&str) -> bool) -> bool {
    let stem = document.path.rsplit_once('.').map(|(stem, _)| stem);
    !is_page(document) && stem.is_some_and(|stem| exists(&format!("{stem}.html")))
}

/// Folder into which Sphinx copies what it read: for HTML, Markdown and notebooks alike.
const FOLDER: &str = "_sources/";

/// The folders of a site in which Sphinx keeps the sources of its pages.
pub(super) struct Sphinx(HashSet<String>);

impl Sphinx {
    /// Folders called so that hold the source of a page beside them.
    pub(super) fn of(documents: &[Document]) -> Self {
        let pages = documents.iter().filter(|d| is_page(d));
        let pages: HashSet<&str> = pages.map(|d| d.path.as_str()).collect();
        let is_source = |(root, below): &(&str, &str)| {
            let mut ends = below.match_indices('.').map(|(at, _)| &below[..at]);
            ends.any(|stem| {
                pages.contains(format!("{root}{stem}.html").as_str())
                    || pages.contains(format!("{root}{stem}/index.html").as_str())
            })
        };
        let split = documents.iter().filter_map(|d| split(&d.path));
        let roots = split.filter(is_source).map(|(root, _)| root.to_owned());
        Self(roots.collect())
    }

    /// True for a file in one of the folders, whatever its format.
    pub(super) fn has(&self, path: &str) -> bool {
        split(path).is_some_and(|(root, _)| self.0.contains(root))
    }
}

/// The path of Sphinx's folder, up to its own name, and the path below it.
fn split(path: &str) -> Option<(&str, &str)> {
    let (root, below) = path.split_once(FOLDER)?;
    (root.is_empty() || root.ends_with('/')).then_some((root, below))
}

#[cfg(test)]
mod tests {
    use super::super::kinds;
    use super::super::tests::page;
    use super::super::{Report, SiteOptions, Tally};

    fn left(paths: &[&str]) -> String {
        let mut documents = paths.iter().map(|path| page(path, "N", "N")).collect();
        // Jupyter Book links each page's source: `<a href="_sources/usage/starting.md" title="Download source file">`.
        let mut home = page("index.html", "Home", "Home");
        let sources = paths.iter().filter(|path| path.contains("_sources"));
        home.facts.hrefs = sources.map(|path| (*path).to_owned()).collect();
        let mut tally = Tally::default();
        tally.add(&mut home);
        kinds::settle(
            &mut documents,
            &tally,
            &SiteOptions::default(),
            &mut Report::default(),
        );
        let left: Vec<&str> = documents.iter().map(|d| d.path.as_str()).collect();
        left.join(" ")
    }

    #[test]
    fn notebooks_give_way_to_their_pages_and_texts_and_are_downloads_on_a_site_of_html() {
        assert_eq!(left(&["a.md", "a.ipynb", "b.ipynb"]), "a.md b.ipynb");
        assert_eq!(
            left(&["index.html", "a.html", "a.ipynb", "_downloads/1/plot.ipynb"]),
            "index.html a.html"
        );
    }

    #[test]
    fn sources_of_quarto_and_r_markdown_give_way_to_their_pages() {
        assert_eq!(
            left(&["index.html", "a.qmd", "a.html", "b.Rmd", "b.html"]),
            "index.html a.html b.html"
        );
    }

    #[test]
    fn sources_that_sphinx_copies_are_no_pages_though_they_are_linked() {
        assert_eq!(
            left(&[
                "index.html",
                "usage/starting.html",
                "_sources/usage/starting.md",
                "_sources/usage/starting.ipynb",
                "_sources/lost.md",
                "en/latest/a/index.html",
                "en/latest/_sources/a.md.txt",
            ]),
            "index.html usage/starting.html en/latest/a/index.html"
        );
        // A folder of the author's that holds the source of no page.
        assert_eq!(
            left(&["index.html", "a.html", "b.html", "_sources/springs.md"]),
            "index.html a.html b.html _sources/springs.md"
        );
    }
}
