//! Languages in the names of folders and files: `de/start.html`, `pages.hi/tar.md`, `start.zh-tw.html`.
//!
//! The code of a language is a word of other things, too (`Object.is`, `no`, `it`): it counts where the files that bear it
//! mirror others, and where neither they nor their texts say that they are in another language.

use super::super::document::Document;
use super::codes::{guessed, is_code, primary, tag_of};
use super::docusaurus;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

/// Share of the files with a mark that must have a twin without it, or with another.
const MIRRORED: f64 = 0.4;
/// Files that a language without a region needs, unless it mirrors half of the site.
const MIN_FILES: usize = 3;
/// Files of a language whose texts are looked at, and the share of those that are sure that must be in it: of files that
/// mirror others, and of a top folder that mirrors nothing since its files have names in that language, too.
const SAMPLE: usize = 24;
const IN_IT: f64 = 0.2;
const TOLD: f64 = 0.8;

/// Place in a path where it says a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Mark {
    /// `de/start.html`
    First,
    /// `pages.hi/tar.md`
    Folder,
    /// `start.de.html`
    File,
    /// `i18n/de/docusaurus-plugin-content-docs/current/start.md`
    Docusaurus,
}

/// The languages that a site's paths say.
#[derive(Debug, Default)]
pub(super) struct Tongues(HashSet<(Mark, String)>);

/// A path cut in two: the language that it says, in lower case, and what it would be without.
type Split = (Mark, String, String);

/// The first of the places in a path that can say a language.
fn split(path: &str) -> Option<Split> {
    if let Some((first, rest)) = path.split_once('/')
        && is_code(&first.to_ascii_lowercase())
    {
        return Some((Mark::First, first.to_ascii_lowercase(), rest.to_owned()));
    }
    if let Some((code, own)) = docusaurus::translated(path)
        && is_code(&code.to_ascii_lowercase())
    {
        return Some((Mark::Docusaurus, code.to_ascii_lowercase(), own));
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let code_at_end = |name: &str| {
        let (own, code) = name.rsplit_once('.')?;
        let code = code.to_ascii_lowercase();
        (!own.is_empty() && is_code(&code)).then(|| (own.to_owned(), code))
    };
    if let Some((stem, extension)) = name.rsplit_once('.')
        && let Some((stem, code)) = code_at_end(stem)
    {
        let folder = path[..path.len() - name.len()].to_owned();
        return Some((Mark::File, code, [&folder, &stem, ".", extension].concat()));
    }
    let mut start = 0;
    for segment in folder.split('/') {
        if let Some((own, code)) = code_at_end(segment) {
            let rest = &path[start + segment.len()..];
            return Some((Mark::Folder, code, [&path[..start], &own, rest].concat()));
        }
        start += segment.len() + 1;
    }
    None
}

impl Tongues {
    /// The languages that the documents' paths say, each proved by the files that bear it.
    pub(super) fn of(documents: &[Document]) -> Self {
        let mut below: BTreeMap<(Mark, String), Vec<usize>> = BTreeMap::new();
        let splits: Vec<Option<Split>> = documents.iter().map(|d| split(&d.path)).collect();
        let mut others: BTreeMap<Option<(Mark, &str)>, HashSet<&str>> = BTreeMap::new();
        for (at, found) in splits.iter().enumerate() {
            let (key, rest) = match found {
                Some((mark, code, rest)) => (Some((*mark, code.as_str())), rest.as_str()),
                None => (None, documents[at].path.as_str()),
            };
            others.entry(key).or_default().insert(rest);
            if let Some((mark, code)) = key {
                below.entry((mark, code.to_owned())).or_default().push(at);
            }
        }
        let n_plain = others.get(&None).map_or(0, HashSet::len);
        let mirrors = |key: (Mark, &str)| {
            let own = &others[&Some(key)];
            others.iter().any(|(other, pages)| {
                let is_like = other.is_none_or(|other| other.0 == key.0);
                let twins = own.iter().filter(|rest| pages.contains(**rest)).count();
                let is_mirror = twins > 0 && twins as f64 >= own.len() as f64 * MIRRORED;
                is_like && *other != Some(key) && is_mirror
            })
        };
        let is_there = |mark: Mark, code: &str, files: &[usize]| {
            let is_many = files.len() >= MIN_FILES || (1..=files.len() * 2).contains(&n_plain);
            match mark {
                Mark::First => mirrors((mark, code)) || are_told(documents, code, files),
                Mark::Docusaurus => true,
                _ => {
                    mirrors((mark, code))
                        && (is_many || has_region(code))
                        && are_in(documents, code, files)
                }
            }
        };
        let there = below
            .iter()
            .filter(|((mark, code), files)| is_there(*mark, code, files));
        Self(there.map(|(key, _)| key.clone()).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if files or folders beside each other bear a language in their names.
    pub(super) fn are_within(&self) -> bool {
        self.0.iter().any(|(mark, _)| *mark != Mark::First)
    }

    /// The language that a path says, and the path of the page without: the same for a page in every language.
    pub(super) fn split(&self, path: &str) -> Option<(String, String)> {
        let (mark, code, rest) = split(path)?;
        let known = self.0.contains(&(mark, code.clone()));
        known.then(|| (tag_of(&code), rest))
    }

    /// As [`Tongues::split`], where the page names the language that its path says, too.
    pub(super) fn split_of(&self, document: &Document) -> Option<(String, String)> {
        let named = || {
            let (_, code, rest) = split(&document.path)?;
            let tag = tag_of(&code);
            (document.language.as_deref() == Some(&tag)).then_some((tag, rest))
        };
        self.split(&document.path).or_else(named)
    }

    /// The language within the name of a file or of a folder, and the path without it; a first folder stays.
    pub(super) fn within<'p>(&self, path: &'p str) -> (String, Cow<'p, str>) {
        match split(path) {
            Some((mark, code, rest))
                if mark != Mark::First && self.0.contains(&(mark, code.clone())) =>
            {
                (tag_of(&code), rest.into())
            }
            _ => (String::new(), path.into()),
        }
    }
}

/// True if what files say of their language is not that they are in another than `code`: most of those that name one, or
/// some of the texts that are sure.
fn are_in(documents: &[Document], code: &str, files: &[usize]) -> bool {
    let is_it = |tag: &str| is_alike(primary(&tag_of(tag)), primary(&tag_of(code)));
    let named = files
        .iter()
        .filter_map(|&at| documents[at].language.as_deref());
    let (mut n_named, mut n_in_it) = (0, 0);
    for tag in named {
        n_named += 1;
        n_in_it += usize::from(is_it(tag));
    }
    if n_named > 0 || has_region(code) {
        return n_in_it * 2 >= n_named;
    }
    let (sure, n_in_it) = sure(documents, code, files);
    n_in_it as f64 >= sure as f64 * IN_IT
}

/// True if the texts of files say that they are in the language `code`: `de/Bases/Ansichten.md` beside `en/Bases/Views.md`.
fn are_told(documents: &[Document], code: &str, files: &[usize]) -> bool {
    let is_named = |&at: &usize| documents[at].language.is_some();
    if files.len() < MIN_FILES || files.iter().any(is_named) {
        return false;
    }
    let (sure, n_in_it) = sure(documents, code, files);
    n_in_it >= MIN_FILES && n_in_it as f64 >= sure as f64 * TOLD
}

/// The number of files whose texts are surely in a language, and of those in `code`, of a few of them.
fn sure(documents: &[Document], code: &str, files: &[usize]) -> (usize, usize) {
    let code = tag_of(code);
    let texts = files.iter().take(SAMPLE);
    let sure: Vec<&str> = texts.filter_map(|&at| guessed(&documents[at])).collect();
    let n_in_it = sure.iter().filter(|tag| is_alike(tag, primary(&code)));
    (sure.len(), n_in_it.count())
}

fn has_region(code: &str) -> bool {
    code.contains(['-', '_'])
}

/// Norwegian has two codes for what is mostly one.
fn is_alike(a: &str, b: &str) -> bool {
    let bokmal = |tag| matches!(tag, "no" | "nb");
    a == b || (bokmal(a) && bokmal(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::DocumentSection;

    fn pages(paths: &[(&str, &str)]) -> Vec<Document> {
        let page = |(path, language): &(&str, &str)| Document {
            path: (*path).to_owned(),
            language: (!language.is_empty()).then(|| (*language).to_owned()),
            ..Document::default()
        };
        paths.iter().map(page).collect()
    }

    #[test]
    fn names_say_a_language_beside_pages_without_it_or_in_another() {
        let documents = pages(&[
            ("ch01.en.html", ""),
            ("ch01.zh-tw.html", ""),
            ("ch02.en.html", ""),
            ("ch02.zh-tw.html", ""),
            ("ch03.en.html", ""),
            ("pages/common/tar.md", ""),
            ("pages.pt_BR/common/tar.md", ""),
            ("de/ch01.en.html", "de"),
        ]);
        let tongues = Tongues::of(&documents);
        let split = |path: &str| tongues.split(path);
        let some = |tag: &str, rest: &str| Some((tag.to_owned(), rest.to_owned()));
        assert_eq!(split("ch01.zh-tw.html"), some("zh-tw", "ch01.html"));
        assert_eq!(split("ch02.en.html"), some("en", "ch02.html"));
        assert_eq!(
            split("pages.pt_BR/common/tar.md"),
            some("pt-br", "pages/common/tar.md")
        );
        assert_eq!(tongues.within("ch01.en.html").1, "ch01.html");
        assert_eq!(tongues.within("de/ch01.en.html").1, "de/ch01.en.html");
        assert_eq!(split("pages/common/tar.md"), None);
    }

    #[test]
    fn a_folder_whose_files_have_names_of_their_language_is_in_it_where_their_texts_say_so() {
        let french = "Ceci est une phrase en français qui parle du temps et de la mer. ".repeat(9);
        let english = "This is a sentence in English about the weather and the sea. ".repeat(9);
        let with = |texts: [&String; 2]| {
            let paths = ["en/Views.md", "en/Tides.md", "en/Boats.md"]
                .map(|path| (path, texts[0]))
                .into_iter()
                .chain(
                    ["fr/Vues.md", "fr/Marées.md", "fr/Bateaux.md"].map(|path| (path, texts[1])),
                );
            let page = |(path, text): (&str, &String)| Document {
                path: path.to_owned(),
                sections: vec![DocumentSection {
                    text: text.clone(),
                    ..DocumentSection::default()
                }],
                ..Document::default()
            };
            Tongues::of(&paths.map(page).collect::<Vec<_>>())
        };
        let told = with([&english, &french]);
        let of = |path: &str| told.split(path).map(|(tag, _)| tag);
        assert_eq!(of("fr/Vues.md").as_deref(), Some("fr"));
        assert_eq!(of("en/Views.md").as_deref(), Some("en"));
        let told = with([&english, &english]);
        assert_eq!(told.split("fr/Vues.md"), None, "the texts are English");
    }

    #[test]
    fn members_that_are_called_like_a_language_are_none() {
        let names = ["Array", "Map", "Object", "Set"];
        let paths: Vec<String> = names
            .iter()
            .flat_map(|name| [format!("{name}.html"), format!("{name}.it.html")])
            .collect();
        let with = |language: &'static str| {
            let documents: Vec<(&str, &str)> =
                paths.iter().map(|p| (p.as_str(), language)).collect();
            pages(&documents)
        };
        assert!(Tongues::of(&with("en")).is_empty(), "the pages say so");
        let mut documents = with("");
        let english = "This is a sentence in English about the weather and the sea. ".repeat(9);
        for document in &mut documents {
            document.sections = vec![DocumentSection {
                text: english.clone(),
                ..DocumentSection::default()
            }];
        }
        assert!(Tongues::of(&documents).is_empty(), "the texts say so");
        assert!(!Tongues::of(&with("it")).is_empty());
        let alone = pages(&[("jquery.is.html", "it"), ("jquery.no.html", "")]);
        assert!(Tongues::of(&alone).is_empty(), "they mirror nothing");
    }
}
