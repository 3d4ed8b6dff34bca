//! One document on its own: its terms, its text record. Pure, so that documents are prepared on every core.

use super::document::{Document, Link, PageCopy};
use super::html::definition::JAVADOC;
use super::packing::{from_bytes, to_bytes};
use super::words::{LocalWord, Packing, PageWords};
use super::{names, summary, supplied};
use crate::base::error::Result;
use crate::bundle::stems::SectionRef;
use crate::bundle::{
    Kept, MAX_PART_BYTES, SectionText, TextRecord, compress_quickly, decompress, encode_kept,
    find_kept, seal_text,
};
use crate::text::{
    TermKind, Token, composed, folded, is_katakana_word, length, lower, marked_term, name_term,
    tokenize,
};
use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A document or directory ready to be indexed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Prepared {
    /// Path below the input folder.
    pub path: String,
    /// Address for a browser; empty: made from the path.
    pub url: String,
    /// Shown in results.
    pub title: String,
    /// L0.
    pub abstract_: String,
    /// The L0 is made of sentences, a description or key phrases, not of names, headings or code.
    pub tells: bool,
    /// Tags, the category among them as `category=…`.
    pub tags: Vec<String>,
    /// Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
    /// Times that it was used.
    pub active_count: u64,
    /// Author's weight in sixteenths.
    pub weight: u8,
    /// BCP 47 tag of the page; empty: unknown.
    pub tag: String,
    /// Version of the product; empty: of none.
    pub version: String,
    /// Pages that were folded into this one.
    pub copies: Vec<PageCopy>,
    /// Path of the page that stands for it and its translations; empty: itself.
    pub translation_of: String,
    /// Titles of the pages above it, outermost first.
    pub crumbs: Vec<String>,
    /// Share of its score that it loses.
    pub damping: f32,
    /// Language of the stemmer, as `whatlang` and BCP 47 begin: `en`, `de`, …
    pub language: String,
    /// Sections of the text record; 0 for directories.
    pub n_sections: u32,
    /// Bytes of the L2 content.
    pub size: u64,
    /// The text record: [`Waiting`], since most of a site's bytes are in these.
    pub text: Waiting,
    /// The kept record as it lies in a pack; empty: none.
    pub kept: Vec<u8>,
    /// Distinct words, until a lexicon has counted them.
    pub local: Vec<LocalWord>,
    /// Their places in the page.
    pub words: PageWords,
    /// Terms of the title, pieces of identifiers not counted.
    pub title_len: u32,
    /// Terms of the text.
    pub body_len: u32,
    /// Links to other documents.
    pub links: PackedLinks,
}

/// Links that wait until all nodes have their numbers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PackedLinks(Box<[u8]>);

impl PackedLinks {
    /// Keeps links.
    pub fn new(links: &[Link]) -> Self {
        match links {
            [] => Self::default(),
            links => Self(to_bytes(&links).expect("links are text").into()),
        }
    }

    /// The links, in order.
    pub fn unpacked(&self) -> Vec<Link> {
        match &self.0[..] {
            [] => Vec::new(),
            bytes => from_bytes(bytes).expect("bytes that were packed here"),
        }
    }
}

/// An encoded text record that waits for its place in a pack.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Waiting(Box<[u8]>);

impl Waiting {
    /// Keeps an encoded record.
    pub fn new(raw: &[u8]) -> Self {
        Self(compress_quickly(raw).into_boxed_slice())
    }

    /// The record as it was encoded.
    ///
    /// *Errors*: never for one that was kept here; `BUNDLE_DAMAGED` for the default, which is none.
    pub fn raw(&self) -> Result<Vec<u8>> {
        decompress(&self.0, MAX_PART_BYTES)
    }
}

/// Local dictionary while a document is read.
#[derive(Default)]
struct Words {
    index: HashMap<String, u32, RandomState>,
    words: Vec<LocalWord>,
}

impl Words {
    fn add(&mut self, term: String, kind: TermKind) -> u32 {
        let next = self.words.len() as u32;
        let id = *self.index.entry(term).or_insert_with_key(|term| {
            self.words.push(LocalWord {
                term: term.clone(),
                marked: None,
                plain: 0,
                whole: 0,
            });
            next
        });
        let word = &mut self.words[id as usize];
        if kind == TermKind::Whole {
            word.whole += 1
        } else {
            word.plain += 1
        }
        id
    }

    /// Adds a term of `text`.
    fn take(&mut self, text: &str, token: Token) -> u32 {
        let written = &text[token.span.0 as usize..token.span.1 as usize];
        let is_marked =
            token.kind == TermKind::Word && (!written.is_ascii() || written.contains('\''));
        let marked = is_marked.then(|| composed(&lower(&written.replace('’', "'"))));
        // A word of another spelling than its term's, such as one behind an article, says nothing of its form.
        let marked = marked.filter(|marked| *marked != token.term && folded(marked) == token.term);
        let id = self.add(token.term, token.kind);
        let word = &mut self.words[id as usize];
        if word.marked.is_none() {
            word.marked = marked.map(String::into_boxed_str);
        }
        id
    }

    /// Distinct words of `text`, and how many terms it has (pieces of identifiers not counted).
    fn distinct(&mut self, text: &str) -> (Vec<u32>, u32) {
        let (mut ids, mut len) = (Vec::new(), 0);
        tokenize(text, |token| {
            len += length(&token);
            ids.push(self.take(text, token));
        });
        ids.sort_unstable();
        ids.dedup();
        (ids, len)
    }

    /// Words of `text` that were seen already; identifiers, which it mentions, are left out.
    fn seen(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        tokenize(text, |token| {
            if matches!(token.kind, TermKind::Word | TermKind::Gram) {
                ids.extend(self.index.get(&token.term));
            }
        });
        ids
    }

    /// Distinct words of a title, each with the terms that it stands among: whole identifiers for whole words, their
    /// pieces for a piece. And the terms of the title, pieces not counted.
    fn title(&mut self, text: &str) -> (Vec<(u32, u32)>, u32) {
        let (mut found, mut len, mut cut) = (Vec::new(), 0, 0);
        tokenize(text, |token| {
            len += length(&token);
            let is_piece = token.kind == TermKind::Part;
            let is_apart = is_katakana_word(&token.term);
            cut += u32::from(token.kind != TermKind::Whole && !is_apart);
            // A word of katakana is as much of a title as its pairs are.
            let pairs = token.term.chars().count() as u32 - 1;
            let part = if is_apart { pairs.max(1) } else { 1 };
            found.push((self.take(text, token), is_piece, part));
        });
        // A word that stands alone, too, is no piece.
        found.sort_unstable();
        found.dedup_by_key(|(word, ..)| *word);
        let terms = |is_piece, part| {
            if is_piece {
                cut
            } else {
                u32::div_ceil(len, part)
            }
        };
        let seen = found.into_iter();
        let seen = seen.map(|(word, is_piece, part)| (word, terms(is_piece, part)));
        (seen.collect(), len)
    }
}

impl Words {
    /// The names of a page as words of a title of one word; the paths that its sections define as words of one of two.
    fn names(&mut self, document: &Document) -> Vec<(u32, u32)> {
        let title = name_term(&document.title).into_iter();
        let others = document.names.iter().flat_map(|name| names::of_page(name));
        let told = names::of_title(&document.title).into_iter();
        let told = told.chain(names::of_operators(&document.title));
        let marked = match document.kind.as_str() {
            "macro" => marked_term(&[&document.title, "!"].concat()),
            _ => None,
        };
        let own = title
            .chain(marked)
            .chain(told)
            .chain(others)
            .map(|term| (term, 1));
        let sections = document.sections.iter().filter(|s| s.weight > 0.0);
        let headings = sections.clone().map(|s| s.heading.as_str());
        let defines =
            !document.kind.is_empty() || names::are_members(&document.title, headings.clone());
        let path_of = |heading: &str| match names::qualified(heading) {
            None if defines => names::of_member(&document.title, heading),
            path => path,
        };
        let others_there = sections.flat_map(|s| s.names.iter().map(String::as_str));
        let paths = headings.chain(others_there).filter_map(path_of);
        let mut found: Vec<(u32, u32)> = own
            .chain(
                paths
                    .chain(names::of_last(&document.title))
                    .map(|term| (term, 2)),
            )
            .chain(document.pins.iter().cloned())
            .map(|(term, terms)| (self.add(term, TermKind::Whole), terms))
            .collect();
        found.sort_unstable();
        found.dedup_by_key(|(word, _)| *word);
        found
    }
}

/// Characters of an abstract whose sentences count as a heading; its first one does, however long it is.
const LEAD_CHARS: usize = 160;

/// Most sections of a document that are told apart; the rest count to the last.
const MAX_SECTIONS: usize = SectionRef::MAX as usize;

/// Prepares a document; `repeated` are the sentences that its site's pages share. O(text).
pub fn prepare(document: Document, repeated: &summary::Repeated) -> Prepared {
    if document.is_unindexed() {
        return unindexed(document);
    }
    let mut words = Words::default();
    let is_hidden = document.weight <= 0.0;
    let titled = (!is_hidden).then(|| words.title(&document.title));
    let (mut title_words, title_len) = titled.unwrap_or_default();
    let (abstract_, tells) = match supplied::abstract_of(&document) {
        Some(supplied) => (supplied, true),
        None => summary::file_abstract_telling(&document, repeated),
    };
    let mut body = Body::default();
    let written = written_abstract(&document, &abstract_);
    body.read(&document, written, &mut words);
    if !is_hidden {
        // A page says in its first sentences what it is about.
        let lead = tells.then(|| summary::cut_sentences(&abstract_, LEAD_CHARS));
        body.name(&document, &lead.unwrap_or_default(), &mut words);
        title_words.extend(words.names(&document));
    }
    let language = language_of(&document);
    let record = text_record(&document, repeated);
    Prepared {
        tags: tags_of(&document),
        path: document.path,
        url: document.url,
        title: document.title,
        abstract_,
        tells,
        created_at: document.created_at,
        updated_at: document.updated_at,
        active_count: document.active_count,
        weight: (document.weight.clamp(0.0, 10.0) * 16.0).round() as u8,
        tag: document.language.unwrap_or_default(),
        version: document.version,
        copies: document.copies,
        translation_of: document.translation_of,
        crumbs: document.crumbs,
        damping: document.damping,
        language,
        n_sections: record.sections.len() as u32,
        size: match find_kept(&document.kept, Kept::FILE) {
            Some(bytes) => bytes.len() as u64,
            None => record.content().len() as u64,
        },
        text: Waiting::new(&record.encode_text()),
        kept: stored_kept(&document.kept),
        local: words.words,
        words: PageWords {
            numbers: Box::default(),
            occurrences: body.occurrences.finish(),
            title: title_words.into_boxed_slice(),
            headings: body.heading_words.into_boxed_slice(),
        },
        title_len,
        body_len: body.len,
        links: PackedLinks::new(&document.links),
    }
}

/// The author's tags, those to sort by first, and the page's category and kind as tags.
fn tags_of(document: &Document) -> Vec<String> {
    let mut tags = document.sorts.clone();
    let others = document.tags.iter();
    tags.extend(others.filter(|tag| !document.sorts.contains(tag)).cloned());
    if !document.category.is_empty() {
        tags.push(format!("category={}", document.category));
    }
    if !document.kind.is_empty() && !tags.iter().any(|tag| tag.starts_with("kind=")) {
        tags.push(format!("kind={}", document.kind));
    }
    tags
}

/// The words of a document's sections.
#[derive(Default)]
struct Body {
    occurrences: Packing,
    heading_words: Vec<u32>,
    /// Terms, pieces of identifiers not counted.
    len: u32,
}

impl Body {
    /// Reads the sections that count. The description and the abstract `written` stand in the first.
    fn read(&mut self, document: &Document, written: &str, words: &mut Words) {
        let mut counts: HashMap<u32, u32, RandomState> = HashMap::default();
        // A class has the name of its constructor already.
        let is_java = document.facts.generator.starts_with(JAVADOC);
        let constructor = is_java.then(|| name_term(&document.title)).flatten();
        for (ordinal, section) in document.sections.iter().enumerate() {
            let ordinal = ordinal.min(MAX_SECTIONS) as u16;
            let weight = document.weight.clamp(0.0, 10.0) * section.weight.clamp(0.0, 10.0);
            if weight == 0.0 {
                continue;
            }
            let mut heading = words.distinct(&section.heading).0;
            let others = section.names.iter().filter_map(|name| name_term(name));
            let rows = section.rows.iter().flat_map(|name| names::of_row(name));
            for name in names::of_heading(&section.heading)
                .into_iter()
                .filter(|name| Some(name) != constructor.as_ref())
                .chain(names::of_operators(&section.heading))
                .chain(others)
                .chain(rows)
            {
                let word = words.add(name, TermKind::Whole);
                counts.insert(word, 1);
                heading.push(word);
            }
            heading.sort_unstable();
            let above = match ordinal {
                0 => [document.description.as_str(), written],
                _ => ["", ""],
            };
            let texts = [section.heading.as_str(), section.text.as_str()];
            for text in texts.into_iter().chain(above) {
                tokenize(text, |token| {
                    self.len += length(&token);
                    *counts.entry(words.take(text, token)).or_default() += 1;
                });
            }
            let said = document.said.iter();
            for (_, word) in said.filter(|(at, _)| *at == usize::from(ordinal)) {
                let word = words.add(word.clone(), TermKind::Word);
                *counts.entry(word).or_default() += 1;
            }
            let counted = counts.drain();
            let is_in_heading = |word| heading.binary_search(&word).is_ok();
            let mut counted: Vec<(u32, u32, bool)> = counted
                .map(|(word, n)| (word, n, is_in_heading(word)))
                .collect();
            counted.sort_unstable();
            self.occurrences.section(ordinal, weight, &counted);
            self.heading_words.extend(heading);
        }
        self.settle();
    }

    /// Adds the names of the document: keywords, tags, kind and its file's name, as words of a heading, and those of its
    /// `lead`. An index has the name of its folder. The address of a picture names nothing.
    fn name(&mut self, document: &Document, lead: &str, words: &mut Words) {
        // What the author hid stands in an abstract only.
        self.heading_words.extend(words.seen(lead));
        let mut names = document.path.rsplit('/');
        let mut stem = || names.next().and_then(|name| name.split('.').next());
        let stem = match stem() {
            Some("index") => stem(),
            own => own,
        };
        let stem = stem.unwrap_or("");
        let tags = document.tags.iter();
        let tags = tags.filter(|tag| !tag.starts_with("image="));
        let names = document.keywords.iter().chain(tags);
        for name in names.map(String::as_str).chain([stem, &document.kind]) {
            self.heading_words.extend(words.distinct(name).0);
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.heading_words.sort_unstable();
        self.heading_words.dedup();
    }
}

/// An abstract that somebody wrote is found as the description is, unless the page has it already; else empty.
fn written_abstract<'a>(document: &Document, abstract_: &'a str) -> &'a str {
    let is_said = || document.sections.iter().any(|s| s.text.contains(abstract_));
    match &document.abstract_ {
        Some(_) if abstract_ != document.description && !is_said() => abstract_,
        _ => "",
    }
}

fn text_record(document: &Document, repeated: &summary::Repeated) -> TextRecord {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for s in &document.sections {
        *times.entry(&s.heading).or_default() += 1;
    }
    let above = |at: usize| {
        let s = &document.sections[at];
        let mut before = document.sections[..at].iter().rev();
        let above = before.find(|above| above.level < s.level && above.heading != s.heading);
        let above = above.filter(|_| times[s.heading.as_str()] > 1);
        above.map_or_else(String::new, |above| above.heading.clone())
    };
    let sections = document.sections.iter().enumerate();
    let sections = sections.map(|(at, s)| SectionText {
        level: s.level,
        heading: s.heading.clone(),
        anchor: s.anchor.clone(),
        text: s.text.clone(),
        above: above(at),
    });
    TextRecord {
        overview: supplied::overview_of(document)
            .unwrap_or_else(|| summary::file_overview_in(document, repeated)),
        sections: sections.collect(),
        ..TextRecord::default()
    }
}

/// A kept record as it lies in a pack; empty when there is nothing to keep.
pub fn stored_kept(kept: &[Kept]) -> Vec<u8> {
    match kept {
        [] => Vec::new(),
        kept => seal_text(&encode_kept(kept)),
    }
}

/// A file without words.
fn unindexed(document: Document) -> Prepared {
    Prepared {
        path: document.path,
        url: document.url,
        title: document.title,
        created_at: document.created_at,
        updated_at: document.updated_at,
        size: find_kept(&document.kept, Kept::FILE).map_or(0, <[u8]>::len) as u64,
        text: Waiting::new(&TextRecord::default().encode_text()),
        kept: stored_kept(&document.kept),
        ..Prepared::default()
    }
}

/// Primary language subtag the page names, or the language its text is in.
pub(super) fn language_of(document: &Document) -> String {
    if let Some(tag) = &document.language {
        let primary = tag
            .split(['-', '_'])
            .next()
            .unwrap_or("")
            .to_ascii_lowercase();
        if !primary.is_empty() {
            return primary;
        }
    }
    let sample: String = document
        .sections
        .iter()
        .flat_map(|s| s.text.chars().take(400))
        .take(2000)
        .collect();
    let detected = whatlang::detect(&sample).filter(whatlang::Info::is_reliable);
    detected
        .map_or("en", |info| two_letters(info.lang()))
        .to_owned()
}

/// ISO 639-1 codes of the languages that are told by their text, by ISO 639-3.
const TWO_LETTERS: &[(&str, &str)] = &[
    ("epo", "eo"),
    ("eng", "en"),
    ("rus", "ru"),
    ("cmn", "zh"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("ben", "bn"),
    ("fra", "fr"),
    ("deu", "de"),
    ("ukr", "uk"),
    ("kat", "ka"),
    ("ara", "ar"),
    ("hin", "hi"),
    ("jpn", "ja"),
    ("heb", "he"),
    ("yid", "yi"),
    ("pol", "pl"),
    ("amh", "am"),
    ("jav", "jv"),
    ("kor", "ko"),
    ("nob", "no"),
    ("dan", "da"),
    ("swe", "sv"),
    ("fin", "fi"),
    ("tur", "tr"),
    ("nld", "nl"),
    ("hun", "hu"),
    ("ces", "cs"),
    ("ell", "el"),
    ("bul", "bg"),
    ("bel", "be"),
    ("mar", "mr"),
    ("kan", "kn"),
    ("ron", "ro"),
    ("slv", "sl"),
    ("hrv", "hr"),
    ("srp", "sr"),
    ("mkd", "mk"),
    ("lit", "lt"),
    ("lav", "lv"),
    ("est", "et"),
    ("tam", "ta"),
    ("vie", "vi"),
    ("urd", "ur"),
    ("tha", "th"),
    ("guj", "gu"),
    ("uzb", "uz"),
    ("pan", "pa"),
    ("aze", "az"),
    ("ind", "id"),
    ("tel", "te"),
    ("pes", "fa"),
    ("mal", "ml"),
    ("ori", "or"),
    ("mya", "my"),
    ("nep", "ne"),
    ("sin", "si"),
    ("khm", "km"),
    ("tuk", "tk"),
    ("aka", "ak"),
    ("zul", "zu"),
    ("sna", "sn"),
    ("afr", "af"),
    ("lat", "la"),
    ("slk", "sk"),
    ("cat", "ca"),
    ("tgl", "tl"),
    ("hye", "hy"),
    ("cym", "cy"),
];

/// The tag of a language, as pages write it.
pub(super) fn two_letters(lang: whatlang::Lang) -> &'static str {
    let code = lang.code();
    let known = TWO_LETTERS.iter().find(|(three, _)| *three == code);
    known.map_or(code, |(_, two)| two)
}
