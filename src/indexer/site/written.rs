//! Kinds of Markdown that is the source of a site: posts, changelogs, and parts that a generator puts into other pages.

use super::super::document::Document;
use super::super::links::extension;
use super::kind::Kind;
use super::kinds::title_key;
use super::{dated, docusaurus};

/// Folders of parts. The others of a generator's folders hold pages, too: `_posts/`, `_guides/`.
const PARTS: [&str; 5] = [
    "_includes",
    "_partials",
    "_snippets",
    "_fragments",
    "_shared",
];

/// The kind of a file of Markdown; `None`: it is a page like any other. Other pages may link to it.
pub(super) fn kind_of(document: &Document, is_linked: bool) -> Option<Kind> {
    let markdown = ["md", "markdown", "mdown", "mkd", "mdx"];
    if document.is_unindexed() || !markdown.contains(&extension(&document.path).as_str()) {
        return None;
    }
    let path = docusaurus::plain(&document.path).to_ascii_lowercase();
    let stem = path
        .rsplit_once('.')
        .map_or(path.as_str(), |(stem, _)| stem);
    let segments: Vec<&str> = stem.split('/').collect();
    let (name, folders) = segments.split_last()?;
    if !is_linked && is_part(name, folders, document.facts.is_untitled) {
        return Some(Kind::Stray);
    }
    if dated::is_post_path(&segments) {
        return Some(Kind::Post);
    }
    let is_changelog =
        dated::is_changelog(name, &title_key(&document.title)) || dated::is_release(&segments);
    is_changelog.then_some(Kind::Changelog)
}

/// True for a part by its folder, or by a name that begins with `_` where it has no title: `_note.mdx`. Hugo calls the
/// page of a folder `_index.md`.
fn is_part(name: &str, folders: &[&str], is_untitled: bool) -> bool {
    let is_named = name.strip_prefix('_').is_some_and(|own| {
        own.starts_with(|c: char| c.is_ascii_lowercase()) && !own.starts_with("index")
    });
    (is_named && is_untitled) || folders.iter().any(|folder| PARTS.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;

    fn kind(path: &str, title: &str) -> Option<Kind> {
        let mut document = page(path, title, "");
        document.facts.is_untitled = title.is_empty();
        kind_of(&document, false)
    }

    #[test]
    fn parts_posts_and_changelogs_are_told_by_their_names() {
        assert_eq!(kind("docs/_note.mdx", ""), Some(Kind::Stray));
        assert_eq!(
            kind("src/_includes/linux.md", "On Linux"),
            Some(Kind::Stray)
        );
        let mut linked = page("docs/_note.md", "", "");
        linked.facts.is_untitled = true;
        assert_eq!(kind_of(&linked, true), None);
        for (path, title) in [
            ("docs/_index.md", ""),
            ("docs/_thread.md", "_thread"),
            ("docs/__init__.md", ""),
            ("_guides/start.md", "Start"),
            ("guide/blog.md", "Make a blog"),
            ("blog.txt", ""),
        ] {
            assert_eq!(kind(path, title), None, "{path}");
        }
        assert_eq!(kind("blog/2020-01-02-tides.md", "Tides"), Some(Kind::Post));
        let german = "i18n/de/docusaurus-plugin-content-blog/tides.md";
        assert_eq!(kind(german, "Gezeiten"), Some(Kind::Post));
        assert_eq!(
            kind("docs/changelog.md", "All changes"),
            Some(Kind::Changelog)
        );
        assert_eq!(
            kind("3_1_release_notes.md", "Notes on 3.1"),
            Some(Kind::Changelog)
        );
    }
}
