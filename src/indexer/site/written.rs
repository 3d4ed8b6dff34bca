//! Markdown that is the source of a site: its kinds (posts, changelogs, parts that a generator puts into other pages), and
//! the addresses of the pages that generators make of it.

use super::super::document::Document;
use super::super::links::extension;
use super::addresses::{UrlStyle, encoded, in_style};
use super::kind::Kind;
use super::{dated, docusaurus, is_page};

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
    if document.is_unindexed() || !is_markdown(&document.path) {
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
    let is_changelog = dated::is_changelog(name, &document.title.trim().to_lowercase())
        || dated::is_release(&segments);
    is_changelog.then_some(Kind::Changelog)
}

/// Gives the files of a folder of Markdown the addresses of their pages, in the style that the owner says.
pub(super) fn settle(documents: &mut [Document], style: UrlStyle) {
    let n_pages = documents.iter().filter(|d| is_page(d)).count();
    if n_pages * 2 < documents.len() {
        let unnamed = documents.iter_mut().filter(|d| d.url.is_empty());
        unnamed.for_each(|document| address(document, style));
    }
}

/// Gives a file the address of its page, in the style that the owner says; no file says that of itself.
fn address(document: &mut Document, style: UrlStyle) {
    let is_named = matches!(style, UrlStyle::Auto | UrlStyle::File);
    if is_named || document.is_unindexed() || !is_markdown(&document.path) {
        return;
    }
    let below = in_style(&page_of(&document.path), style);
    document.url = match below.as_str() {
        "" => "./".to_owned(),
        below => encoded(below),
    };
}

fn is_markdown(path: &str) -> bool {
    let endings = [
        "md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd", "ipynb",
    ];
    endings.contains(&extension(path).as_str())
}

/// The page that generators make of a file: Hugo calls that of a folder `_index.md`, GitHub `README.md`; Nuxt drops the places
/// of files and folders among others (`1.start/02.install.md`); Docusaurus has languages first, and versions in the folder.
fn page_of(path: &str) -> String {
    let (language, own) = match docusaurus::translated(path) {
        Some((code, own)) => ([code, "/"].concat(), own),
        None => (String::new(), path.to_owned()),
    };
    let own = match docusaurus::version(&own) {
        Some((folder, version)) => {
            let marker = ["version-", version, "/"].concat();
            let below = own
                .split_once(marker.as_str())
                .map_or("", |(_, below)| below);
            [folder.as_str(), "/", version, "/", below].concat()
        }
        None => own,
    };
    let stem = own.rsplit_once('.').map_or(own.as_str(), |(stem, _)| stem);
    let segments: Vec<&str> = stem.split('/').map(without_place).collect();
    let (name, folders) = segments.split_last().unwrap_or((&"", &[]));
    let name = match *name {
        "_index" | "README" => "index",
        name => name,
    };
    let folders: String = folders.iter().flat_map(|folder| [folder, "/"]).collect();
    [language.as_str(), &folders, name, ".html"].concat()
}

/// The name behind a place in Nuxt's spelling: `1.start`.
fn without_place(name: &str) -> &str {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let own = rest.strip_prefix('.').filter(|_| rest.len() < name.len());
    own.filter(|own| own.starts_with(char::is_alphabetic))
        .unwrap_or(name)
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
    fn addresses_in_the_owners_style_are_those_of_the_pages() {
        for (path, want) in [
            ("_index.md", "./"),
            ("guide/README.md", "guide/"),
            ("1.start/02.install.md", "start/install"),
            ("v1.2/3d.mdx", "v1.2/3d"),
            ("versioned_docs/version-2/a b.md", "docs/2/a%20b"),
            (
                "i18n/de/docusaurus-plugin-content-docs/current/a.md",
                "de/docs/a",
            ),
            ("a.txt", ""),
        ] {
            let mut document = page(path, "", "");
            address(&mut document, UrlStyle::Clean);
            assert_eq!(document.url, want);
        }
        let mut document = page("a.md", "", "");
        address(&mut document, UrlStyle::Auto);
        assert_eq!(document.url, "");
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
