//! The sentences in which a page says what it is about: those that it opens with, without notices.

mod furniture;

use super::super::document::Document;
use super::super::prose::{ends_sentence, is_callout, listed, reads_like_prose, same_words};
use crate::text::is_unspaced;
use aho_corasick::AhoCorasick;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use furniture::is_furniture;

/// Phrases by which a text speaks of itself and not of its subject.
const ITSELF: [&str; 31] = [
    "this version of",
    "this book",
    "this page",
    "this document",
    "this guide",
    "this text",
    "this manual",
    "this section",
    "this site",
    "you are viewing",
    "you are reading",
    "you're viewing",
    "you’re viewing",
    "you're reading",
    "diese version",
    "diese seite",
    "dieses dokument",
    "dieses buch",
    "esta versión",
    "esta página",
    "este libro",
    "este documento",
    "cette version",
    "cette page",
    "ce document",
    "本書",
    "このページ",
    "このドキュメント",
    "本文档",
    "本页",
    "이 문서",
];

/// Words about the state of a text.
const STATES: [&str; 28] = [
    "incomplete",
    "work in progress",
    "under construction",
    "out of date",
    "outdated",
    "no longer maintained",
    "not maintained",
    "not yet",
    "draft",
    "archived",
    "has moved",
    "nightly-only",
    "unvollständig",
    "in arbeit",
    "veraltet",
    "incompleto",
    "obsoleto",
    "desactualizad",
    "incomplet",
    "obsolète",
    "未完成",
    "未完",
    "作成中",
    "過時",
    "过时",
    "古い",
    "미완성",
    "오래된",
];

/// Words before the number of a figure, a table or an example, of letters of ASCII or of a script without capitals; others
/// are told by their number.
const FIGURES: &str = "figure fig table example abbildung abb tabelle beispiel figura tabla ejemplo tableau exemple tabela \
    exempio esempio exemplo afbeelding figuur voorbeeld figur tabell exempel eksempel kuva taulukko rysunek slika tablica \
    obr tab kép gambar 図 表 例 图 그림 표 예";

/// True for a paragraph about the text and its state, not about its subject: an admonition, the version or edition
/// that it is written for, its incompleteness, shouting, a pointer to another place; and for the title of a figure.
pub(super) fn is_notice(line: &str) -> bool {
    // The header of what a page is about, and its template, as Doxygen shows them.
    if line.starts_with("#include ") || line.starts_with("template<") {
        return true;
    }
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    if line.contains("://") || is_shouted(line) || is_labelled(line) || line.starts_with("See ") {
        return true;
    }
    if is_title_of_figure(line) || is_furniture(line) {
        return true;
    }
    let first: String = first_sentence(line).to_lowercase();
    static OF_ITSELF: LazyLock<AhoCorasick> =
        LazyLock::new(|| AhoCorasick::new(ITSELF).expect("a few short phrases"));
    let speaks_of_itself = OF_ITSELF.is_match(&first);
    speaks_of_itself && (has_version(&first) || STATES.iter().any(|state| first.contains(state)))
}

/// True for a line with words that are none of the page's furniture.
pub(super) fn is_readable(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric) && !is_furniture(line)
}

fn is_labelled(line: &str) -> bool {
    let end = line
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(line.len());
    let label = &line[..end];
    let rest = line[end..].trim_start();
    is_callout(label)
        && (rest.is_empty() || rest.starts_with([':', '：', '!', '！', '|', '-', '–', '—']))
}

/// True for "Figure 17.203. The filter": a number that a sign ends.
fn is_title_of_figure(line: &str) -> bool {
    label_of_figure(line) > 0
}

/// The length of "Figure 17.203." at the beginning of a line, or 0.
fn label_of_figure(line: &str) -> usize {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(FIGURES));
    const MAX_LETTERS: usize = 16;
    let end = line
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(line.len());
    let behind_word = line[end..].trim_start_matches(['.', ' ', '\u{a0}']);
    let behind =
        behind_word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let number = &behind_word[..behind_word.len() - behind.len()];
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && (number.ends_with('.') || behind.is_empty() || behind.starts_with([':', '：', '　']));
    if !is_number {
        return 0;
    }
    let word = &line[..end];
    // "Σχήμα 17.2.", "Şekil 3.1:": a word that is no English one, with the number of a chapter before its own.
    let is_foreign = !word.is_ascii()
        && word.chars().count() <= MAX_LETTERS
        && word.starts_with(char::is_uppercase)
        && number.trim_end_matches('.').contains(['.', '-']);
    match is_foreign || KNOWN.contains(word.to_lowercase().as_str()) {
        true => line.len() - behind.len(),
        false => 0,
    }
}

fn is_shouted(line: &str) -> bool {
    // Nearly every line has a small letter among its first.
    let is_small = line.chars().any(char::is_lowercase);
    !is_small && line.chars().filter(|c| c.is_uppercase()).count() >= 20
}

/// True for text with a number such as `1.90` or `v3`.
fn has_version(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let number = word.strip_prefix('v').unwrap_or(word);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        is_number && (number.len() < word.len() || number.contains('.'))
    })
}

/// The text up to the first end of a sentence. A mark with a small letter behind it (`cfg! macro`, `e.g. this`) ends none.
pub(super) fn first_sentence(text: &str) -> &str {
    // The number of a section, "4.1. Tides", is no sentence.
    let unnumbered =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let label = label_of_figure(text).max(text.len() - unnumbered.len());
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < label) {
        let end = at + c.len_utf8();
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let rest = &text[end..];
                let next = rest.trim_start().chars().next();
                let is_open = rest.starts_with(char::is_whitespace)
                    && next.is_some_and(|next| !next.is_lowercase());
                is_open && !is_initial(&text[..end], rest) || rest.trim().is_empty()
            }
            _ => false,
        };
        if is_end {
            return &text[..end];
        }
    }
    text
}

/// Words before a letter that names a part and abbreviates no name: `see Appendix A. It says`.
const BEFORE_LETTERS: [&str; 8] = [
    "Appendix", "Annex", "Class", "Figure", "Part", "Plan", "Section", "Table",
];

/// True for a text up to the point behind an initial in a name: `Roger D. Peng`.
fn is_initial(before: &str, behind: &str) -> bool {
    let mut words = before.trim_end_matches('.').rsplit(' ');
    let mut letters = words.next().unwrap_or_default().chars();
    let is_letter = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    let name = words.next().unwrap_or_default();
    let is_name = name.starts_with(char::is_uppercase) && !BEFORE_LETTERS.contains(&name);
    let goes_on = behind.trim_start().starts_with(char::is_uppercase);
    before.ends_with('.') && is_letter && is_name && goes_on
}

/// The sentences that a text begins with, up to `limit` characters; the first is cut where it is longer.
pub(super) fn fit_sentences(text: &str, limit: usize) -> String {
    let text = text.trim();
    let (mut end, mut n_chars) = (0, 0);
    while end < text.len() {
        let rest = &text[end..];
        let skipped = rest.len() - rest.trim_start().len();
        let length = skipped + first_sentence(&rest[skipped..]).len();
        n_chars += rest[..length].chars().count();
        if n_chars > limit {
            break;
        }
        end += length;
    }
    match end {
        0 => super::fit(text, limit),
        end => text[..end].to_owned(),
    }
}

/// The whole sentences of a line, without one that only announces what follows it (it ends in a colon).
pub(super) fn whole_sentences(line: &str) -> &str {
    if ends_sentence(line) {
        return line;
    }
    let mut end = 0;
    while end < line.len() {
        let rest = &line[end..];
        let skipped = rest.len() - rest.trim_start().len();
        let sentence = first_sentence(&rest[skipped..]);
        if !ends_sentence(sentence) {
            break;
        }
        end += skipped + sentence.len();
    }
    &line[..end]
}

/// The first line of a page's text, where it is the paragraph straight behind the page's heading and says something of its
/// own: three words or more, and no announcement of what follows.
pub(super) fn opening(document: &Document) -> Option<&str> {
    let lead = document.facts.lead.as_str();
    let mut texts = document
        .sections
        .iter()
        .map(|section| section.text.as_str());
    let text = texts.find(|text| !text.is_empty())?;
    let line = text.lines().next()?.trim();
    let announces = line.ends_with([':', '：']) || line.starts_with("The following ");
    let says = reads_like_prose(line, MIN_LEAD_WORDS) && !announces;
    (says && same_words(line, lead) && super::says_more(line, &document.title)).then_some(line)
}

/// Words of a page's first paragraph that are no label, at least.
const MIN_LEAD_WORDS: usize = 3;

/// The sentences of lines that tell something; none of a line that goes on with a sentence before a piece of code. Where a
/// text opens with a long sentence that introduces code, that sentence is its subject: it keeps its place, and ends in a
/// full stop, as does the page's first paragraph (`opening`).
pub(super) fn telling<'a>(
    lines: impl Iterator<Item = &'a str>,
    opening: Option<&str>,
) -> Vec<Cow<'a, str>> {
    let mut told: Vec<Cow<'a, str>> = Vec::new();
    for line in lines.map(without_label) {
        if !told.is_empty() && line.starts_with(char::is_lowercase) {
            continue;
        }
        let whole = whole_sentences(line);
        if !whole.is_empty() {
            told.push(whole.into());
        } else if told.is_empty() && (Some(line) == opening || is_announcement(line)) {
            let is_wide = line.ends_with('：') || line.contains('。');
            let stop = match is_wide || line.ends_with(is_unspaced) {
                true => "。",
                false => ".",
            };
            told.push(format!("{}{stop}", without_colon(line)).into());
        }
    }
    told
}

/// A line without the word before it which only says that it describes: "Description: Hide the tide."
fn without_label(line: &str) -> &str {
    const LABELS: [&str; 5] = ["abstract", "description", "overview", "purpose", "summary"];
    let Some((label, rest)) = line.split_once(':') else {
        return line;
    };
    let is_label = LABELS
        .iter()
        .any(|own| label.trim().eq_ignore_ascii_case(own));
    match is_label && rest.trim_start().contains(' ') {
        true => rest.trim_start(),
        false => line,
    }
}

/// True for a long sentence that ends in a colon.
fn is_announcement(line: &str) -> bool {
    let is_long = line.split(' ').count() >= MIN_OPENING_WORDS
        || line.chars().filter(|&c| is_unspaced(c)).count() >= MIN_OPENING_CHARS;
    is_long && line.ends_with([':', '：'])
}

/// Words, or characters of a script without spaces, of a sentence that says more than that something follows.
const MIN_OPENING_WORDS: usize = 8;
const MIN_OPENING_CHARS: usize = 16;

/// Text without the colon that it ends in.
pub(super) fn without_colon(text: &str) -> &str {
    text.trim_end_matches([':', '：', ' '])
}

/// The words of a manual page about its program in the line of its name: `cargo-tree — Display a tree …`.
///
/// Known by its shape, so in any language: under one of the first headings, or at the top of the page, a line that begins
/// with the name of the page and a dash.
pub(super) fn manual_line(document: &Document) -> Option<String> {
    let file = document.path.rsplit('/').next().unwrap_or("");
    let stem = file.split('.').next().unwrap_or("");
    let title = document.title.split('(').next().unwrap_or("").trim();
    let sections = document.sections.iter().take(3).enumerate();
    sections
        .filter(|(at, section)| *at == 0 || !section.heading.is_empty())
        .find_map(|(_, section)| {
            let line = section.text.lines().find(|line| !line.trim().is_empty())?;
            let (name, says) = [" --- ", " — ", " – ", " - "]
                .iter()
                .find_map(|dash| line.split_once(dash))?;
            let is_own = same_words(name, stem) || same_words(name, title);
            let says = says.trim();
            (is_own && says.contains(' ')).then(|| match ends_sentence(says) {
                true => says.to_owned(),
                false => format!("{says}."),
            })
        })
}

#[cfg(test)]
mod tests {
    use super::super::super::document::DocumentSection;
    use super::*;

    #[test]
    fn notices_are_told_from_leads() {
        for line in [
            "Warning: This book is incomplete. Documenting everything takes a while.",
            "This version of the text assumes you’re using Rust 1.90.0 or later.",
            "Diese Seite ist veraltet.",
            "警告：この本は未完成です。",
            "Note",
            "🚨 Try another version: https://example.org",
            "THE KNOWLEDGE IS PROVIDED WITHOUT WARRANTY OF ANY KIND.",
            "See the installation chapter for more.",
            "Figure 17.203. The filter",
            "Abbildung 3: Gezeiten.",
            "Figure 3",
            "Σχήμα 17.2. Παράδειγμα για το φίλτρο",
            "Рисунок 3-1. Прилив",
            "Hình 3.2: Thủy triều",
        ] {
            assert!(is_notice(line), "{line}");
        }
        for line in [
            "Rust 2015 commenced with the release of 1.0.",
            "This book teaches the language from the ground up.",
            "Notes are written on cards.",
            "Note taking is a habit.",
            "Information flows through channels.",
            "HTTP is a protocol of the web.",
            "Figure 3 shows the tide.",
            "Версия 3. Она новая.",
            "Python 3.8. It has a walrus.",
            "Tables are made of rows.",
            "本書は入門書です。",
        ] {
            assert!(!is_notice(line), "{line}");
        }
    }

    #[test]
    fn no_sentence_ends_behind_the_number_of_a_figure() {
        let text = "Figure 17.2. The tide rises. It falls.";
        assert_eq!(first_sentence(text), "Figure 17.2. The tide rises.");
        assert_eq!(
            first_sentence("Σχήμα 17.2. Παράδειγμα"),
            "Σχήμα 17.2. Παράδειγμα"
        );
        assert_eq!(first_sentence("Python 3.8. It is."), "Python 3.8.");
        assert_eq!(first_sentence("4.1. The ebb. It is."), "4.1. The ebb.");
        assert_eq!(whole_sentences("4.1. The ebb"), "");
    }

    #[test]
    fn no_sentence_ends_behind_an_initial() {
        for (text, first) in [
            (
                "Roger D. Peng wrote it. It is new.",
                "Roger D. Peng wrote it.",
            ),
            ("It is written in C. Others are not.", "It is written in C."),
            ("See Appendix A. It is long.", "See Appendix A."),
            ("By Roger D.", "By Roger D."),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }

    #[test]
    fn a_sentence_that_announces_is_cut_off() {
        assert_eq!(
            whole_sentences("One is told. Two are shown: here. For example:"),
            "One is told. Two are shown: here."
        );
        assert_eq!(whole_sentences("It can be used for:"), "");
        assert_eq!(whole_sentences("一つ目。次のように書く："), "一つ目。");
        assert_eq!(without_colon("次のように書く："), "次のように書く");
    }

    #[test]
    fn a_text_that_opens_with_an_announcement_keeps_it() {
        let told = |lines: &[&'static str]| telling(lines.iter().copied(), None).join(" ");
        let opening = "Arguments can be read with args, which returns an iterator of strings:";
        assert_eq!(
            told(&[opening, "My path is here."]),
            "Arguments can be read with args, which returns an iterator of strings. My path is here."
        );
        assert_eq!(
            told(&["For example:", "A path is here."]),
            "A path is here."
        );
        assert_eq!(told(&["A path is here.", opening]), "A path is here.");
    }

    #[test]
    fn sentences_are_not_cut_in_names() {
        assert_eq!(
            first_sentence("The cfg! macro is e.g. Here."),
            "The cfg! macro is e.g."
        );
        assert_eq!(
            first_sentence("Call some_file.rs now. Then go."),
            "Call some_file.rs now."
        );
        assert_eq!(
            fit_sentences("One a.b two. Three. Four.", 20),
            "One a.b two. Three."
        );
        assert_eq!(fit_sentences("一つ目。二つ目。", 5), "一つ目。");
    }

    #[test]
    fn a_manual_page_is_known_by_its_line() {
        let page = |text: &str| Document {
            path: "commands/cargo-tree.html".into(),
            title: "cargo-tree(1)".into(),
            sections: vec![DocumentSection {
                heading: "NOM".into(),
                text: text.into(),
                ..DocumentSection::default()
            }],
            ..Document::default()
        };
        let line = |text| manual_line(&page(text));
        assert_eq!(
            line("cargo-tree — Display a tree of a graph").as_deref(),
            Some("Display a tree of a graph.")
        );
        assert_eq!(line("cargo-add - Add one"), None);
        assert_eq!(line("cargo-tree - x"), None);
        // gtk-doc's heading is the page's title.
        let mut entry = page("GApplication — Core application class\nMore.");
        (entry.title, entry.sections[0].heading) = ("GApplication".into(), String::new());
        let says = manual_line(&entry);
        assert_eq!(says.as_deref(), Some("Core application class."));
    }
}
