//! The language of each page, the site's own, and which pages are translations of each other.
//!
//! In this order: what the page names, what the names of its file and folders say, the owner, what its text is in. A text
//! says something only where it is long enough and sure, on a site that says the language of a quarter of its pages; where
//! nothing does, a page belongs to every language.

use super::super::document::Document;
use super::addresses::Addresses;
use super::codes::{guessed, primary, tag_of};
use super::report::Report;
use super::tongues::Tongues;
use super::{Defaults, SiteOptions, is_page};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Gives every page its language and returns the site's own; empty when the site has one only.
///
/// Pages of a site of one language are left as they are, but for what the owner says of those that say nothing.
pub(super) fn settle(
    documents: &mut [Document],
    tongues: &Tongues,
    options: &SiteOptions,
    report: &mut Report,
) -> String {
    let mut tags: Vec<(String, &'static str)> = documents
        .iter()
        .map(|d| match (&d.language, tongues.split(&d.path)) {
            (Some(tag), _) if !tag_of(tag).is_empty() => (tag_of(tag), "page"),
            (_, Some((tag, _))) => (tag, "path"),
            _ => (String::new(), ""),
        })
        .collect();
    merge_regions(documents, tongues, &mut tags);
    let own = own_language(documents, tongues, &tags, options);
    guess(documents, &mut tags, &own, (tongues, options));
    let distinct: BTreeSet<&str> = tags
        .iter()
        .map(|t| t.0.as_str())
        .filter(|t| !t.is_empty())
        .collect();
    let is_one = distinct.len() < 2;
    for (document, (tag, by)) in documents.iter_mut().zip(tags) {
        if is_one && (by != OWNER || document.language.is_some()) {
            continue;
        }
        document.language = (!tag.is_empty()).then_some(tag);
        if !is_one {
            report.of(&document.path).language_by = by.into();
        }
    }
    if is_one { String::new() } else { own }
}

/// The source of a language that the owner gives to pages which name none.
const OWNER: &str = "owner";

/// First segment of a path in lower case, when it can be a language.
fn folder_of(path: &str) -> Option<String> {
    let (first, _) = path.split_once('/')?;
    let folder = first.to_ascii_lowercase();
    super::codes::is_code(&folder).then_some(folder)
}

/// Makes one language of tags that differ by a region nobody chooses between: `en` and `en-US`, unless the site offers both.
fn merge_regions(documents: &[Document], tongues: &Tongues, tags: &mut [(String, &'static str)]) {
    let mut offered: HashSet<String> = HashSet::new();
    for document in documents {
        offered.extend(document.facts.alternates.iter().map(|(tag, _)| tag_of(tag)));
        offered.extend(folder_of(&document.path).map(|folder| tag_of(&folder)));
        offered.extend(tongues.split(&document.path).map(|(tag, _)| tag));
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

/// The language of visitors who did not choose: the owner's word, else that of the site's default page, else the one of
/// most pages, or of the pages beside which those in other languages are marked.
fn own_language(
    documents: &[Document],
    tongues: &Tongues,
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
    if let Some(of_unmarked) = of_unmarked(documents, tongues, tags) {
        return of_unmarked.to_owned();
    }
    let mut votes: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (document, (tag, _)) in documents.iter().zip(tags).filter(|(_, t)| !t.0.is_empty()) {
        // Pages outside of any language's folder are what a site began with.
        let vote = votes.entry(tag).or_default();
        let is_marked =
            folder_of(&document.path).is_some() || tongues.split(&document.path).is_some();
        vote.0 += usize::from(!is_marked);
        vote.1 += 1;
    }
    let most = votes.values().max().copied().unwrap_or_default();
    // Among languages that hardly differ, English is mostly what the others were translated from.
    let is_near = |n: usize, most: usize| n as f64 >= most as f64 * NEAR;
    let is_nearest = |vote: &(usize, usize)| is_near(vote.0, most.0) && is_near(vote.1, most.1);
    let rank =
        |(tag, vote): &(&str, (usize, usize))| (is_nearest(vote) && primary(tag) == "en", *vote);
    let most = votes
        .into_iter()
        .max_by(|a, b| rank(a).cmp(&rank(b)).then(b.0.cmp(a.0)));
    most.map(|(tag, _)| tag.to_owned()).unwrap_or_default()
}

/// Share of the pages of the most frequent language that another has which hardly differs.
const NEAR: f64 = 0.9;
/// Files whose texts are looked at.
const SAMPLE: usize = 400;

/// The language of most texts beside which others are marked as translations, where those texts name none.
fn of_unmarked(
    documents: &[Document],
    tongues: &Tongues,
    tags: &[(String, &'static str)],
) -> Option<&'static str> {
    let pages = documents.iter().zip(tags);
    let plain = pages.filter(|(d, tag)| tag.0.is_empty() && !d.is_unindexed());
    let plain: Vec<&Document> = plain.map(|(d, _)| d).collect();
    let mut marked: HashMap<&str, usize> = HashMap::new();
    let named = tags.iter().filter(|tag| !tag.0.is_empty());
    named.for_each(|tag| *marked.entry(&tag.0).or_default() += 1);
    let most = marked.into_values().max().unwrap_or_default();
    if tongues.is_empty() || plain.is_empty() || plain.len() * 2 < most {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let texts = plain.iter().step_by(plain.len().div_ceil(SAMPLE));
    let guesses = texts.filter_map(|document| guessed(document));
    guesses.for_each(|tag| *counts.entry(tag).or_default() += 1);
    let n: usize = counts.values().sum();
    let most = counts.into_iter().max_by_key(|(_, n)| *n);
    most.filter(|(_, most)| most * 2 > n).map(|(tag, _)| tag)
}

/// Share of the pages that must name their language before texts decide on the others.
const NAMED: f64 = 0.25;

/// Decides on pages that name no language: what lies beside those of marked languages is in the site's own, and so is all
/// else where the owner says which that is; otherwise texts decide, on sites whose pages say the language.
fn guess(
    documents: &[Document],
    tags: &mut [(String, &'static str)],
    own: &str,
    (tongues, options): (&Tongues, &SiteOptions),
) {
    let n_pages = documents.iter().filter(|d| !d.is_unindexed()).count();
    let n_named = tags.iter().filter(|tag| !tag.0.is_empty()).count();
    if !own.is_empty() && !tongues.is_empty() {
        let is_within = tongues.are_within();
        let pages = documents.iter().zip(tags.iter_mut());
        let is_one = |d: &Document| (is_within || is_page(d)) && !d.is_unindexed();
        let unnamed = pages.filter(|(d, tag)| tag.0.is_empty() && is_one(d));
        unnamed.for_each(|(_, tag)| *tag = (own.to_owned(), "path"));
    }
    let is_owners = options.language.is_some();
    // Guesses alone are no reason to hide a page.
    if !is_owners && (n_named == 0 || (n_named as f64) < n_pages as f64 * NAMED) {
        return;
    }
    for (document, tag) in documents.iter().zip(tags.iter_mut()) {
        if !tag.0.is_empty() || document.is_unindexed() {
            continue;
        }
        let guessed = guessed(document);
        let is_own = guessed.is_none_or(|guessed| primary(own) == guessed);
        *tag = match guessed {
            _ if is_owners && is_own => (own.to_owned(), OWNER),
            Some(guessed) if !is_owners => (if is_own { own } else { guessed }.to_owned(), "text"),
            _ => continue,
        };
    }
    without_rare(tags);
}

/// Takes back guesses of languages that hardly a page is in.
fn without_rare(tags: &mut [(String, &'static str)]) {
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

/// Notes which pages are translations of one, by what they name and by what their paths say.
pub(super) fn link_translations(
    documents: &mut [Document],
    tongues: &Tongues,
    addresses: &Addresses,
    defaults: &Defaults,
) {
    if defaults.language.is_empty() {
        return;
    }
    let places = super::places(documents);
    let rests: Vec<String> = documents
        .iter()
        .map(|d| match tongues.split_of(d) {
            Some((_, rest)) => rest,
            None => d.path.clone(),
        })
        .collect();
    // Of the pages of one rest, the one in the site's own language stands for all, or else the first.
    let is_own = |at: usize| documents[at].language.as_deref() == Some(&defaults.language);
    let mut leaders: HashMap<&str, usize> = HashMap::new();
    for (at, rest) in rests.iter().enumerate() {
        let leader = leaders.entry(rest).or_insert(at);
        let is_before = documents[at].path < documents[*leader].path;
        if (is_own(at) && !is_own(*leader)) || (is_own(at) == is_own(*leader) && is_before) {
            *leader = at;
        }
    }
    let mut stands: Vec<Option<String>> = vec![None; documents.len()];
    for (i, document) in documents.iter().enumerate() {
        if document.language.is_none() || is_own(i) {
            continue;
        }
        let named = document
            .facts
            .alternates
            .iter()
            .find(|(tag, _)| tag_of(tag) == defaults.language)
            .and_then(|(_, address)| addresses.page_of(address))
            .and_then(|path| places.get(path).copied());
        let twin = || {
            let leader = leaders[rests[i].as_str()];
            let other = &documents[leader].language;
            (other.is_some() && *other != document.language).then_some(leader)
        };
        let of = named.filter(|&of| is_own(of)).or_else(twin);
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

    fn languages(documents: Vec<Document>) -> (String, Vec<String>) {
        languages_with(documents, &SiteOptions::default())
    }

    fn languages_of(documents: impl Iterator<Item = Document>) -> String {
        languages(documents.collect()).0
    }

    fn languages_with(
        mut documents: Vec<Document>,
        options: &SiteOptions,
    ) -> (String, Vec<String>) {
        let tongues = Tongues::of(&documents);
        let own = settle(&mut documents, &tongues, options, &mut Report::default());
        let tags = documents
            .into_iter()
            .map(|d| d.language.unwrap_or_default());
        (own, tags.collect())
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
    fn texts_split_no_site_that_hardly_names_a_language() {
        let thai = "ตัวแปรคือที่เก็บข้อมูลที่มีชื่อ เราใช้ตัวแปรเพื่อเก็บสินค้า ผู้เข้าชม และข้อมูลอื่น ๆ ".repeat(9);
        let english = "This is a sentence in English about the weather and the sea. ".repeat(9);
        let mut documents: Vec<Document> = (0..9)
            .map(|n| page(&format!("{n}.md"), "", &thai))
            .chain((10..19).map(|n| page(&format!("{n}.md"), "", &english)))
            .collect();
        documents.push(page("demo/index.html", "en", ""));
        documents.push(page("other/index.html", "en", ""));
        let (own, tags) = languages(documents.clone());
        assert_eq!((own.as_str(), tags[0].as_str()), ("", ""));
        let options = SiteOptions {
            language: Some("th".into()),
            ..SiteOptions::default()
        };
        let (own, tags) = languages_with(documents.clone(), &options);
        assert_eq!(own, "th");
        assert_eq!((tags[0].as_str(), tags[9].as_str()), ("th", ""));
        assert_eq!(tags[18], "en");
        documents.truncate(9);
        let (own, tags) = languages_with(documents, &options);
        assert_eq!((own.as_str(), tags[0].as_str()), ("", "th"));
    }

    #[test]
    fn a_site_without_a_home_page_is_in_the_language_of_most_pages() {
        let tree = |languages: &[(&str, usize)]| {
            let pages = languages
                .iter()
                .flat_map(|(tag, n)| (0..*n).map(move |i| (*tag, i)));
            languages_of(pages.map(|(tag, i)| page(&format!("{tag}/{i}.html"), tag, "")))
        };
        assert_eq!(tree(&[("de", 20), ("en", 20), ("fr", 20)]), "en");
        assert_eq!(tree(&[("de", 20), ("en", 19), ("fr", 20)]), "en");
        assert_eq!(tree(&[("de", 10), ("en", 5), ("fr", 20)]), "fr");
    }

    #[test]
    fn what_lies_beside_marked_languages_is_in_the_sites_own() {
        let english = "This is a sentence in English about the weather and the sea. ".repeat(9);
        let (own, tags) = languages(vec![
            page("pages/common/tar.md", "", &english),
            page("pages/common/zip.md", "", "Short."),
            page("pages.hi/common/tar.md", "", ""),
            page("pages.zh_TW/common/tar.md", "", ""),
        ]);
        assert_eq!(own, "en");
        assert_eq!(tags, ["en", "en", "hi", "zh-tw"]);
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
        let tongues = Tongues::of(&documents);
        let language = settle(&mut documents, &tongues, &options, &mut report);
        let defaults = Defaults {
            language,
            version: String::new(),
        };
        link_translations(&mut documents, &tongues, &addresses, &defaults);
        let of: Vec<&str> = documents
            .iter()
            .map(|d| d.translation_of.as_str())
            .collect();
        assert_eq!(of, ["", "", "index.html", "start.html", ""]);
    }

    #[test]
    fn pages_beside_each_other_are_translations_in_whatever_language() {
        let mut documents = vec![
            page("ch01.en.html", "en", ""),
            page("ch01.zh-tw.html", "", ""),
            page("ch02.ja.html", "", ""),
            page("ch02.zh-tw.html", "", ""),
            page("ch01.ja.html", "", ""),
            page("ch03.ja.html", "", ""),
            page("ch03.en.html", "en", ""),
            page("ch04.en.html", "en", ""),
        ];
        let tongues = Tongues::of(&documents);
        let (options, mut report) = (SiteOptions::default(), Report::default());
        let language = settle(&mut documents, &tongues, &options, &mut report);
        assert_eq!(language, "en");
        let defaults = Defaults {
            language,
            version: String::new(),
        };
        link_translations(&mut documents, &tongues, &Addresses::default(), &defaults);
        let of: Vec<&str> = documents
            .iter()
            .map(|d| d.translation_of.as_str())
            .collect();
        let want = [
            "",
            "ch01.en.html",
            "",
            "ch02.ja.html",
            "ch01.en.html",
            "ch03.en.html",
        ];
        assert_eq!(of[..6], want);
    }
}
