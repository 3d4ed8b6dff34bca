//! Files of HTML that belong to pages and are none: what a theme or an author keeps in Sphinx's folder, outputs of notebooks.

use super::super::document::{Document, PIECE};
use super::kind::Kind;
use std::collections::BTreeMap;

/// Folder of Sphinx's with the files of its themes and of the author.
const FOLDER: &str = "_static/";
/// Page that Sphinx writes beside it.
const INDEXES: [&str; 2] = ["genindex.html", "genindex/index.html"];

/// The kind of a file that is no page; `places` has all of them.
pub(super) fn kind_of(
    document: &Document,
    places: &BTreeMap<String, usize>,
    is_linked: impl Fn(&str) -> bool,
) -> Option<Kind> {
    let is_linked = is_linked(&document.path);
    let is_stray = is_asset(&document.path, places, is_linked)
        || is_included(&document.path)
        || (is_piece(document) && !is_linked);
    is_stray.then_some(Kind::Stray)
}

/// True for a template of a theme, a report, a demo. Beside Sphinx's index none of them is a page, as for its own search;
/// elsewhere those that are linked may be.
fn is_asset(path: &str, places: &BTreeMap<String, usize>, is_linked: bool) -> bool {
    let Some((root, _)) = path.split_once(FOLDER) else {
        return false;
    };
    let is_folder = root.is_empty() || root.ends_with('/');
    let is_there = |index: &&str| places.contains_key(&[root, *index].concat());
    is_folder && (!is_linked || INDEXES.iter().any(is_there))
}

/// True for a piece that MarkBind's pages load when a box is opened: it is a part of another page.
fn is_included(path: &str) -> bool {
    path.ends_with("._include_.html")
}

/// True for a piece of a page in a file of its own, as mystmd keeps outputs of notebooks.
fn is_piece(document: &Document) -> bool {
    let mut classes = document.facts.classes.split_ascii_whitespace();
    classes.any(|class| class == PIECE)
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::super::{Report, SiteOptions, Tally, kinds};
    use super::*;

    /// Paths that stay of `paths`, of which the first leads to `linked`.
    fn left(paths: &[&str], linked: &str) -> String {
        let mut documents: Vec<Document> = paths.iter().map(|path| page(path, "N", "N")).collect();
        documents[0].facts.hrefs = vec![linked.to_owned()];
        for document in documents
            .iter_mut()
            .filter(|d| d.path.starts_with("build/"))
        {
            PIECE.clone_into(&mut document.facts.classes);
        }
        let mut tally = Tally::default();
        tally.add(&mut documents[0]);
        let (options, mut report) = (SiteOptions::default(), Report::default());
        kinds::settle(&mut documents, &tally, &options, &mut report);
        let left: Vec<&str> = documents.iter().map(|d| d.path.as_str()).collect();
        left.join(" ")
    }

    #[test]
    fn files_of_a_theme_are_no_pages_and_those_that_are_linked_are() {
        let paths = [
            "index.html",
            "_static/webpack-macros.html",
            "_static/demo.html",
        ];
        assert_eq!(
            left(&paths, "_static/demo.html"),
            "index.html _static/demo.html"
        );
    }

    #[test]
    fn no_file_of_a_theme_is_a_page_beside_the_index_of_sphinx() {
        let paths = [
            "en/index.html",
            "en/genindex.html",
            "en/_static/report.html",
        ];
        assert_eq!(left(&paths, "_static/report.html"), "en/index.html");
    }

    #[test]
    fn a_piece_that_pages_of_markbind_load_is_no_page() {
        let paths = ["index.html", "ebb.html", "ebb-flat._include_.html"];
        assert_eq!(
            left(&paths, "ebb-flat._include_.html"),
            "index.html ebb.html"
        );
    }

    #[test]
    fn a_piece_of_a_page_is_one_only_where_it_is_linked() {
        let paths = ["index.html", "build/a.html", "build/b.html"];
        assert_eq!(left(&paths, "build/b.html"), "index.html build/b.html");
    }
}
