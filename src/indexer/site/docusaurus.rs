//! The folders of a site's sources as Docusaurus documents them: old versions in `versioned_docs/version-2/`, translations in
//! `i18n/de/docusaurus-plugin-content-docs/`, each of the version in its folder or of `current`.

use super::super::document::Document;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Name of the version that is being written: the pages that lie in no folder of a version.
pub(super) const CURRENT: &str = "current";
const VERSIONED: &str = "versioned_docs";
const TRANSLATED: &str = "i18n/";
const PLUGIN: &str = "docusaurus-plugin-content-";

/// The language of a translation's folder, and the path of the page that it translates.
pub(super) fn translated(path: &str) -> Option<(&str, String)> {
    let at = folder(path, TRANSLATED)?;
    let (code, rest) = path[at + TRANSLATED.len()..].split_once('/')?;
    let (plugin, rest) = rest.strip_prefix(PLUGIN)?.split_once('/')?;
    let (kind, id) = plugin.split_once('-').unwrap_or((plugin, ""));
    let above = &path[..at];
    let own = match (kind, id) {
        ("docs", id) => {
            let (version, rest) = rest.split_once('/')?;
            let folder = if id.is_empty() { "docs" } else { id };
            match version {
                CURRENT => [above, folder, "/", rest].concat(),
                version => [above, &versioned(id), "/", version, "/", rest].concat(),
            }
        }
        (kind, "") => [above, kind, "/", rest].concat(),
        (_, id) => [above, id, "/", rest].concat(),
    };
    Some((code, own))
}

fn versioned(id: &str) -> String {
    match id {
        "" => VERSIONED.to_owned(),
        id => [id, "_", VERSIONED].concat(),
    }
}

/// The place in a path where a folder's name begins.
fn folder(path: &str, name: &str) -> Option<usize> {
    let mut found = path.match_indices(name).map(|(at, _)| at);
    found.find(|&at| at == 0 || path[..at].ends_with('/'))
}

/// The path of a page without its translation's folders.
pub(super) fn plain(path: &str) -> Cow<'_, str> {
    translated(path).map_or(path.into(), |(_, own)| own.into())
}

/// The documentation's folder of a versioned page, and the version: `docs` and `2`.
pub(super) fn version(plain: &str) -> Option<(String, &str)> {
    let end = plain.find(VERSIONED)?;
    let above = plain[..end].strip_suffix('_');
    let name = match above {
        Some(above) => above.to_owned(),
        None if end == 0 || plain[..end].ends_with('/') => [&plain[..end], "docs"].concat(),
        None => return None,
    };
    let rest = plain[end + VERSIONED.len()..].strip_prefix("/version-")?;
    Some((name, rest.split_once('/')?.0))
}

/// The folders of a site that have older versions beside them.
pub(super) struct Docusaurus(BTreeSet<String>);

impl Docusaurus {
    pub(super) fn of(documents: &[Document]) -> Self {
        let plain = documents.iter().map(|d| plain(&d.path));
        Self(plain.filter_map(|path| Some(version(&path)?.0)).collect())
    }

    /// The folder whose version a page is, and the version.
    pub(super) fn version_of(&self, path: &str) -> Option<(String, String)> {
        let plain = plain(path);
        if let Some((folder, version)) = version(&plain) {
            return Some((folder, version.to_owned()));
        }
        let is_around = |folder: &&String| {
            let below = plain.strip_prefix(folder.as_str());
            below.is_some_and(|below| below.starts_with('/'))
        };
        // Of folders within each other the innermost, which is the last in order.
        let folder = self.0.iter().rev().find(is_around)?;
        Some((folder.clone(), CURRENT.to_owned()))
    }
}

/// True for a folder that only says of what version its pages are.
pub(super) fn is_of_version(name: &str, version: &str) -> bool {
    name.ends_with(VERSIONED) || name.strip_prefix("version-") == Some(version)
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::super::{SiteOptions, Tally, settle};
    use super::*;

    #[test]
    fn folders_of_translations_say_what_they_translate() {
        for (path, want) in [
            (
                "i18n/de/docusaurus-plugin-content-docs/current/a/b.md",
                "docs/a/b.md",
            ),
            (
                "w/i18n/pt-BR/docusaurus-plugin-content-docs/version-2/a.md",
                "w/versioned_docs/version-2/a.md",
            ),
            (
                "i18n/de/docusaurus-plugin-content-docs-kit/version-2/a.md",
                "kit_versioned_docs/version-2/a.md",
            ),
            ("i18n/de/docusaurus-plugin-content-blog/a.md", "blog/a.md"),
            ("i18n/de/code.md", "i18n/de/code.md"),
        ] {
            assert_eq!(plain(path), want);
        }
        let version = version("kit_versioned_docs/version-1.2/a.md");
        assert_eq!(version, Some(("kit".to_owned(), "1.2")));
    }

    #[test]
    fn a_page_is_of_the_innermost_folder_with_versions() {
        let old = [
            "kit_versioned_docs/version-1/a.md",
            "kit/versioned_docs/version-1/a.md",
        ];
        let documents = old.map(|path| page(path, "A", ""));
        for _ in 0..16 {
            let found = Docusaurus::of(&documents).version_of("kit/docs/a.md");
            assert_eq!(found, Some(("kit/docs".to_owned(), CURRENT.to_owned())));
        }
    }

    fn settled(options: &SiteOptions) -> (String, Vec<String>) {
        let mut documents = Vec::new();
        for n in 0..6 {
            for folder in [
                "docs",
                "versioned_docs/version-2",
                "versioned_docs/version-3",
            ] {
                documents.push(page(&format!("{folder}/{n}.md"), "N", ""));
            }
            let german = "i18n/de/docusaurus-plugin-content-docs/version-3";
            documents.push(page(&format!("{german}/{n}.md"), "N", ""));
        }
        documents.push(page("blog/a.md", "A", ""));
        for document in &mut documents {
            document.sections = vec![Default::default()];
            document.sections[0].text = match document.path.starts_with("i18n") {
                true => "Das ist ein Satz, der auf Deutsch von den Gezeiten und vom Meer erzählt, und noch einer dazu.",
                false => "This is a sentence that tells in English of the tides and the sea, and there is another one.",
            }
            .repeat(8);
        }
        let (_, defaults) = settle(&mut documents, &Tally::default(), options);
        let mut told: Vec<String> = documents
            .iter()
            .filter(|d| d.path.contains("/0.") || d.path.starts_with("blog"))
            .map(|d| {
                [
                    d.version.as_str(),
                    " ",
                    d.language.as_deref().unwrap_or("-"),
                    " ",
                    &d.translation_of,
                ]
                .concat()
            })
            .collect();
        told.sort();
        let defaults = [defaults.version.as_str(), " ", &defaults.language].concat();
        (defaults, told)
    }

    #[test]
    fn versions_and_languages_are_those_of_the_folders() {
        let (defaults, told) = settled(&SiteOptions::default());
        assert_eq!(defaults, "3 en");
        assert_eq!(
            told,
            [
                " en ",
                "2 en ",
                "3 de versioned_docs/version-3/0.md",
                "3 en ",
                "current en "
            ]
        );
        let versions = vec![(CURRENT.to_owned(), vec!["latest".to_owned()])];
        let (defaults, _) = settled(&SiteOptions {
            versions,
            ..SiteOptions::default()
        });
        assert_eq!(defaults, "current en");
    }
}
