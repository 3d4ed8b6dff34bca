//! The language of each page, the site's own, and which pages are translations of each other.
//!
//! In this order: what the page names, the folder it lies in where that folder mirrors the site, what its text is in.
//! A text says something only where it is long enough and sure; where nothing does, a page belongs to every language.

use super::super::document::Document;
use super::super::prose::listed;
use super::addresses::Addresses;
use super::report::Report;
use super::{Defaults, SiteOptions, is_page};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

/// Letters that a text needs before its language is guessed.
const MIN_LETTERS: usize = 300;
/// Share of a folder's pages that must have a twin outside of it for the folder to be a language.
const MIRRORED: f64 = 0.4;

/// True for a path segment that can be the code of a language: `de`, `pt-br`, `zh_hans`.
pub(super) fn is_code(segment: &str) -> bool {
    let (language, rest) = match segment.split_once(['-', '_']) {
        Some((language, rest)) => (language, Some(rest)),
        None => (segment, None),
    };
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(CODES));
    let is_language = KNOWN.contains(language);
    let is_region = |rest: &str| {
        (matches!(rest.len(), 2 | 3) && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
            || matches!(rest, "hans" | "hant" | "latn" | "cyrl" | "419")
    };
    is_language && rest.is_none_or(is_region)
}

/// Languages that documentation is translated to (ISO 639-1).
const CODES: &str = "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it \
    ja ka kk km kn ko ku ky lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk \
    ur uz vi yo zh";

/// A language tag as it is compared: lower case, parts joined by `-`.
fn tag_of(tag: &str) -> String {
    tag.trim().replace('_', "-").to_ascii_lowercase()
}

fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// Gives every page its language and returns the site's own; empty when the site has one only.
///
/// Pages of a site of one language are left as they are.
pub(super) fn settle(
    documents: &mut [Document],
    options: &SiteOptions,
    report: &mut Report,
) -> String {
    let folders = language_folders(documents);
    let mut tags: Vec<(String, &'static str)> = documents
        .iter()
        .map(|d| {
            let folder = folder_of(&d.path).filter(|f| folders.contains(f));
            match (&d.language, folder) {
                (Some(tag), _) if !tag_of(tag).is_empty() => (tag_of(tag), "page"),
                (_, Some(folder)) => (tag_of(&folder), "path"),
                _ => (String::new(), ""),
            }
        })
        .collect();
    merge_regions(documents, &mut tags);
    let own = own_language(documents, &tags, options);
    guess(documents, &mut tags, &own, &folders);
    let distinct: BTreeSet<&str> = tags
        .iter()
        .map(|t| t.0.as_str())
        .filter(|t| !t.is_empty())
        .collect();
    if distinct.len() < 2 {
        return String::new();
    }
    for (document, (tag, by)) in documents.iter_mut().zip(tags) {
        document.language = (!tag.is_empty()).then_some(tag);
        report.of(&document.path).language_by = by.into();
    }
    own
}

/// First segment of a path in lower case, when it can be a language.
fn folder_of(path: &str) -> Option<String> {
    let (first, _) = path.split_once('/')?;
    let folder = first.to_ascii_lowercase();
    is_code(&folder).then_some(folder)
}

/// Top folders that mirror the rest of the site, or another such folder, under the code of a language.
fn language_folders(documents: &[Document]) -> HashSet<String> {
    let mut below: BTreeMap<String, HashSet<&str>> = BTreeMap::new();
    for document in documents {
        let folder = folder_of(&document.path);
        let rest = match &folder {
            Some(folder) => &document.path[folder.len() + 1..],
            None => document.path.as_str(),
        };
        below
            .entry(folder.unwrap_or_default())
            .or_default()
            .insert(rest);
    }
    let mirrors = |folder: &str, own: &HashSet<&str>| {
        below.iter().any(|(other, pages)| {
            let twins = own.iter().filter(|path| pages.contains(**path)).count();
            other != folder && twins > 0 && twins as f64 >= own.len() as f64 * MIRRORED
        })
    };
    below
        .iter()
        .filter(|(folder, own)| !folder.is_empty() && mirrors(folder, own))
        .map(|(folder, _)| folder.clone())
        .collect()
}

/// Makes one language of tags that differ by a region nobody chooses between: `en` and `en-US`, unless the site offers both.
fn merge_regions(documents: &[Document], tags: &mut [(String, &'static str)]) {
    let mut offered: HashSet<String> = HashSet::new();
    for document in documents {
        offered.extend(document.facts.alternates.iter().map(|(tag, _)| tag_of(tag)));
        offered.extend(folder_of(&document.path).map(|folder| tag_of(&folder)));
    }
    let mut counts: HashMap<&str, BTreeMap<&str, usize>> = HashMap::new();
    for (tag, _) in tags.iter().filter(|t| !t.0.is_empty()) {
        *counts
            .entry(primary(tag))
            .or_default()
            .entry(tag)
            .or_default() += 1;
    }
    let mut merged: HashMap<String, String> = HashMap::new();
    for regions in counts.values().filter(|regions| regions.len() > 1) {
        let most = regions.iter().max_by_key(|r| (r.1, std::cmp::Reverse(r.0)));
        let Some((most, _)) = most else { continue };
        for region in regions.keys().filter(|r| !offered.contains(**r)) {
            merged.insert((*region).to_owned(), (*most).to_owned());
        }
    }
    for (tag, _) in tags.iter_mut() {
        if let Some(to) = merged.get(tag) {
            tag.clone_from(to);
        }
    }
}

/// The language of visitors who did not choose: the owner's word, else that of the site's default page, else the most
/// frequent one.
fn own_language(
    documents: &[Document],
    tags: &[(String, &'static str)],
    options: &SiteOptions,
) -> String {
    if let Some(own) = &options.language {
        return tag_of(own);
    }
    let home = documents
        .iter()
        .position(|d| d.path == "index.html" || d.path == "index.md");
    if let Some(home) = home.filter(|&home| !tags[home].0.is_empty()) {
        return tags[home].0.clone();
    }
    let mut votes: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (document, (tag, _)) in documents.iter().zip(tags).filter(|(_, t)| !t.0.is_empty()) {
        // Pages outside of any language's folder are what a site began with.
        let vote = votes.entry(tag).or_default();
        vote.0 += usize::from(folder_of(&document.path).is_none());
        vote.1 += 1;
    }
    let most = votes
        .into_iter()
        .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(a.0)));
    most.map(|(tag, _)| tag.to_owned()).unwrap_or_default()
}

/// Guesses what pages that name no language are in, on sites that otherwise have several or none.
fn guess(
    documents: &[Document],
    tags: &mut [(String, &'static str)],
    own: &str,
    folders: &HashSet<String>,
) {
    // Outside of the folders of languages lies the site's own.
    if !own.is_empty() && !folders.is_empty() {
        let pages = documents.iter().zip(tags.iter_mut());
        let unnamed = pages.filter(|(d, tag)| tag.0.is_empty() && is_page(d) && !d.is_unindexed());
        unnamed.for_each(|(_, tag)| *tag = (own.to_owned(), "path"));
    }
    // Guesses alone are no reason to hide a page: it takes two languages that each have several pages.
    if !tags.iter().any(|t| t.1 == "page" || t.1 == "path") {
        return;
    }
    for (document, tag) in documents.iter().zip(tags.iter_mut()) {
        if !tag.0.is_empty() || document.is_unindexed() {
            continue;
        }
        if let Some(guessed) = guessed(document) {
            let is_own = primary(own) == guessed;
            *tag = (if is_own { own } else { guessed }.to_owned(), "text");
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    tags.iter()
        .for_each(|t| *counts.entry(t.0.as_str()).or_default() += 1);
    let rare: HashSet<String> = counts
        .iter()
        .filter(|(_, n)| **n < 3 || (**n as f64) < tags.len() as f64 * 0.02)
        .map(|(tag, _)| (*tag).to_owned())
        .collect();
    for tag in tags.iter_mut().filter(|t| t.1 == "text") {
        if rare.contains(&tag.0) {
            *tag = (String::new(), "");
        }
    }
}

fn guessed(document: &Document) -> Option<&'static str> {
    let sections = document.text();
    let texts = sections.iter().flat_map(|s| s.text.lines());
    let mut sample = String::new();
    for line in texts {
        sample.push_str(line);
        sample.push(' ');
        if sample.len() > 4_000 {
            break;
        }
    }
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    if letters < MIN_LETTERS {
        return None;
    }
    let info = whatlang::detect(&sample).filter(whatlang::Info::is_reliable)?;
    Some(super::super::prepare::two_letters(info.lang()))
}

/// Notes which pages are translations of one, by what they name and by the folders of languages.
pub(super) fn link_translations(
    documents: &mut [Document],
    addresses: &Addresses,
    defaults: &Defaults,
) {
    if defaults.language.is_empty() {
        return;
    }
    let places = super::places(documents);
    let by_path = |path: &str| places.get(path).copied();
    let folders = language_folders(documents);
    let mut stands: Vec<Option<String>> = vec![None; documents.len()];
    for (i, document) in documents.iter().enumerate() {
        if document.language.as_deref() == Some(&defaults.language) {
            continue;
        }
        let named = document
            .facts
            .alternates
            .iter()
            .find(|(tag, _)| tag_of(tag) == defaults.language)
            .and_then(|(_, address)| addresses.page_of(address));
        let is_own = |folder: &String| {
            let own = document.language.as_deref().unwrap_or_default();
            folders.contains(folder) || tag_of(folder) == own
        };
        let folder = folder_of(&document.path).filter(is_own);
        let twin = || {
            let folder = folder.as_ref()?;
            let rest = &document.path[folder.len() + 1..];
            let own = &defaults.language;
            by_path(rest).or_else(|| by_path(&format!("{own}/{rest}")))
        };
        let of = named.and_then(by_path).or_else(twin).filter(|&of| of != i);
        let of = of.filter(|&of| documents[of].language.as_deref() == Some(&defaults.language));
        stands[i] = of.map(|of| documents[of].path.clone());
    }
    for (document, of) in documents.iter_mut().zip(stands) {
        if let Some(of) = of {
            document.translation_of = of;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::DocumentSection;

    fn page(path: &str, language: &str, text: &str) -> Document {
        Document {
            path: path.to_owned(),
            language: (!language.is_empty()).then(|| language.to_owned()),
            sections: vec![DocumentSection {
                text: text.to_owned(),
                ..DocumentSection::default()
            }],
            ..Document::default()
        }
    }

    fn languages(mut documents: Vec<Document>) -> (String, Vec<String>) {
        let own = settle(
            &mut documents,
            &SiteOptions::default(),
            &mut Report::default(),
        );
        let tags = documents
            .into_iter()
            .map(|d| d.language.unwrap_or_default());
        (own, tags.collect())
    }

    #[test]
    fn codes_of_languages_are_told_from_words() {
        for code in ["de", "pt-br", "zh_hans", "zh-cn", "es-419"] {
            assert!(is_code(code), "{code}");
        }
        for word in ["docs", "api", "v2", "go", "de-luxe", "a", "cpp"] {
            assert!(!is_code(word), "{word}");
        }
    }

    #[test]
    fn pages_say_their_language_before_folders_do() {
        let (own, tags) = languages(vec![
            page("index.html", "en", ""),
            page("a.html", "en-US", ""),
            page("de/index.html", "", ""),
            page("de/a.html", "", ""),
            page("it/tools.html", "", ""), // A folder called "it" that mirrors nothing.
        ]);
        assert_eq!(own, "en");
        assert_eq!(tags, ["en", "en", "de", "de", "en"]);
    }

    #[test]
    fn one_language_is_none() {
        let (own, tags) = languages(vec![
            page("index.html", "en", ""),
            page("a.html", "en-GB", ""),
        ]);
        assert_eq!(
            (own.as_str(), tags),
            ("", vec!["en".into(), "en-GB".into()])
        );
        let french = "Ceci est une phrase en français qui parle du temps et de la mer. ".repeat(9);
        let english = "This is a sentence in English about the weather and the sea. ".repeat(9);
        let notes = vec![page("a.md", "", &english), page("b.md", "", &french)];
        assert_eq!(languages(notes).0, "");
    }

    #[test]
    fn texts_decide_where_a_site_has_languages() {
        let french = "Ceci est une phrase en français qui parle du temps et de la mer. ".repeat(9);
        let documents = vec![
            page("index.md", "en", ""),
            page("a.md", "en", ""),
            page("x.md", "", &french),
            page("y.md", "", &french),
            page("z.md", "", &french),
            page("short.md", "", "Bonjour"),
        ];
        let (own, tags) = languages(documents);
        assert_eq!(own, "en");
        assert_eq!(tags, ["en", "en", "fr", "fr", "fr", ""]);
    }

    #[test]
    fn regions_that_a_site_offers_stay_apart() {
        let (_, tags) = languages(vec![
            page("index.html", "en", ""),
            page("pt-br/index.html", "pt-BR", ""),
            page("pt-pt/index.html", "pt-PT", ""),
        ]);
        assert_eq!(tags, ["en", "pt-br", "pt-pt"]);
    }

    #[test]
    fn translations_are_found_by_what_pages_name_and_by_folders() {
        let mut documents = vec![
            page("index.html", "en", ""),
            page("start.html", "en", ""),
            page("de/index.html", "de", ""),
            page("de/anfang.html", "de", ""),
            page("de/nur-hier.html", "de", ""),
        ];
        documents[1].facts.canonical = "https://x.org/start.html".into();
        documents[3].facts.alternates = vec![("en".into(), "https://x.org/start.html".into())];
        let mut report = Report::default();
        let tally = super::super::Tally::default();
        let options = SiteOptions::default();
        let addresses =
            super::super::addresses::settle(&mut documents, &tally, &options, &mut report);
        let language = settle(&mut documents, &options, &mut report);
        let defaults = Defaults {
            language,
            version: String::new(),
        };
        link_translations(&mut documents, &addresses, &defaults);
        let of: Vec<&str> = documents
            .iter()
            .map(|d| d.translation_of.as_str())
            .collect();
        assert_eq!(of, ["", "", "index.html", "start.html", ""]);
    }
}
