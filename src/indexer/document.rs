//! The builder's input: a parsed file each, with no trace of the format it came from.

use super::packing::{from_bytes, to_bytes};
use super::prose::words;
use crate::bundle::{Kept, MAX_PART_BYTES, compress_quickly, decompress};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;

/// One file of the input, parsed: what the index needs and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Path below the input folder, `/`-separated, extension included, no empty, `.` or `..` segments.
    pub path: String,
    /// Address of the page for a browser, relative to the site's root, or whole with `https://` or `http://`; empty means
    /// [`Document::path`].
    pub url: String,
    /// The page's title; never empty (the file name stands in).
    pub title: String,
    /// The author's own description (front matter or `<meta name="description">`); empty when there is none.
    pub description: String,
    /// L0 that somebody wrote (a model, a sidecar file): stands in place of the extracted one, and its words are found.
    pub abstract_: Option<String>,
    /// L1 that somebody wrote, Markdown: stands in place of the extracted one.
    pub overview: Option<String>,
    /// Bytes to keep in the bundle: with [`Kept::FILE`] the file as it was, so that reading and exporting give it back
    /// byte for byte.
    #[serde(with = "kept")]
    pub kept: Vec<Kept>,
    /// Keywords from front matter or `<meta name="keywords">`.
    pub keywords: Vec<String>,
    /// Tags: `key=value`, or a bare word.
    pub tags: Vec<String>,
    /// Fields that results may be ordered by, as tags `key=value` that come before the others and are no words of the page.
    pub sorts: Vec<String>,
    /// The front matter's category; empty when there is none.
    pub category: String,
    /// Other names that the page is asked for by, found as its title is: its thing's whole path, an author's aliases.
    pub names: Vec<String>,
    /// Terms of queries that the page answers before all others, each with its place among such pages, from 1.
    pub pins: Vec<(String, u32)>,
    /// Words that a question may say for those of a section, by its place.
    pub said: Vec<(usize, String)>,
    /// Sort of thing that the page defines, in the generator's word: `struct`, `class`; empty on pages that define nothing.
    pub kind: String,
    /// BCP 47 language tag the page names for itself.
    pub language: Option<String>,
    /// Version of the product that the page is about, as its site writes it (`30.x`, `next`); empty when there is one only.
    pub version: String,
    /// Pages of another language or version that say the same (untranslated, unchanged) and are found as this one.
    pub copies: Vec<PageCopy>,
    /// Paths of all pages that were folded into this one; a link to them is a link to it.
    pub aliases: Vec<String>,
    /// Path of the page that stands for this one and its translations; empty: it stands for itself.
    pub translation_of: String,
    /// Titles of the pages above this one, outermost first, without its own.
    pub crumbs: Vec<String>,
    /// Share of its score that the page loses, in [0, 1): 0 is neutral. Blog posts and changelogs lose some.
    pub damping: f32,
    /// Facts of the page that only mean something beside those of the other pages.
    pub facts: PageFacts,
    /// Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
    /// Times that the context was used, as far as somebody counted; for the option `hotness_weight`.
    pub active_count: u64,
    /// Author's weight of the whole page: 1 is neutral, 0 hides it from search. Its words count so many times; titles,
    /// headings and vectors are not weighed.
    pub weight: f32,
    /// The text, cut at headings, in reading order. The first may have an empty heading (what stands before any).
    pub sections: Vec<DocumentSection>,
    /// Links to other pages of the same input.
    pub links: Vec<Link>,
    /// Parts of the front matter that were left out, each with its fault, for people: "field `date` is no date".
    pub faults: Vec<String>,
    /// True if the page marks its content with `data-pagefind-body` or `data-knarr-body`. A site that marks one page
    /// means only its marked pages (Pagefind's rule); the builder decides over all pages.
    pub body_marked: bool,
    /// The sections, while they wait packed; [`Document::sections`] is empty then.
    #[doc(hidden)]
    #[serde(skip)]
    pub packed: PackedSections,
}

/// Sections that wait in a builder until their page is prepared: the texts of a site are most of what it holds.
#[doc(hidden)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackedSections(Box<[u8]>);

impl Document {
    /// Bytes of the text of all sections.
    pub(crate) fn text_bytes(&self) -> usize {
        self.sections.iter().map(|s| s.text.len()).sum()
    }

    /// Gives the page a name that somebody chose for it. Its words are the page's, too: they may stand nowhere in it, and a
    /// question has some of them, or others beside them.
    pub(crate) fn call_also(&mut self, name: String) {
        for list in [&mut self.names, &mut self.keywords] {
            if !name.is_empty() && !list.contains(&name) {
                list.push(name.clone());
            }
        }
    }

    /// A page with one section of plain text: one paragraph per line, no markup.
    pub fn new(path: impl Into<String>, title: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            title: title.into(),
            weight: 1.0,
            sections: vec![DocumentSection {
                text: text.into(),
                weight: 1.0,
                ..DocumentSection::default()
            }],
            ..Self::default()
        }
    }

    /// Adds a section below a heading. `anchor` is its fragment without `#`; empty when there is none.
    #[must_use]
    pub fn section(
        mut self,
        heading: impl Into<String>,
        anchor: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        self.sections.push(DocumentSection {
            heading: heading.into(),
            anchor: anchor.into(),
            level: 2,
            text: text.into(),
            weight: 1.0,
            ..DocumentSection::default()
        });
        self
    }

    /// A file that is in the tree, can be read and exported, and is never found: an image, a hidden file.
    pub fn unindexed(path: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: path.to_owned(),
            title: path.rsplit('/').next().unwrap_or(path).to_owned(),
            kept: vec![Kept {
                kind: Kept::FILE,
                bytes,
            }],
            ..Self::default()
        }
    }

    /// True for a file made by [`Document::unindexed`].
    pub fn is_unindexed(&self) -> bool {
        let has_text = !self.sections.is_empty() || !self.packed.0.is_empty();
        self.weight == 0.0 && !has_text && !self.kept.is_empty()
    }

    /// Packs the sections, until [`Document::unpack`].
    pub(super) fn pack(&mut self) {
        if self.sections.is_empty() {
            return;
        }
        let bytes = to_bytes(&self.sections).expect("sections are plain data");
        self.packed = PackedSections(compress_quickly(&bytes).into_boxed_slice());
        self.sections = Vec::new();
    }

    /// Puts packed sections back in their place.
    pub(super) fn unpack(&mut self) {
        if let Some(sections) = std::mem::take(&mut self.packed).unpacked() {
            self.sections = sections;
        }
    }

    /// The sections, packed or not.
    pub(super) fn text(&self) -> Cow<'_, [DocumentSection]> {
        match self.packed.unpacked() {
            Some(sections) => sections.into(),
            None => (&self.sections).into(),
        }
    }
}

impl PackedSections {
    /// `None` where nothing is packed.
    fn unpacked(&self) -> Option<Vec<DocumentSection>> {
        let raw = || decompress(&self.0, MAX_PART_BYTES).ok();
        let sections = |raw: Vec<u8>| from_bytes(&raw);
        (!self.0.is_empty()).then(|| {
            raw()
                .and_then(sections)
                .expect("bytes that were packed here")
        })
    }
}

/// A page that was folded into another of the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCopy {
    /// Its path below the input folder.
    pub path: String,
    /// Its address, as in [`Document::url`].
    pub url: String,
    /// Its language; empty: that of the page it was folded into.
    pub language: String,
    /// Its version; empty when the site has one only.
    pub version: String,
}

/// Facts of a page that the whole site decides on: see [`super::site`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageFacts {
    /// `<link rel="canonical">`, else `og:url`, as written.
    pub canonical: String,
    /// The address that the author gives the page (`data-pagefind-meta="url[href]"`): whole, from the host's root, or
    /// relative to the page; empty: none.
    pub address: String,
    /// Translations of the page: language and address of each `<link rel="alternate" hreflang>`.
    pub alternates: Vec<(String, String)>,
    /// Version that the page's metadata name; empty: none.
    pub version: String,
    /// The product that the version is of, where the metadata name it (Docusaurus' `docs-PLUGIN-VERSION`); empty: not
    /// said.
    pub version_line: String,
    /// Name of the site that the page's metadata name; empty: none.
    pub site_name: String,
    /// `<meta name="generator">`, or what else tells the generator where it writes none.
    pub generator: String,
    /// Classes of `<html>` and `<body>`, which generators use to say of which kind a page is.
    pub classes: String,
    /// The metadata call the page an article with a time of publication.
    pub is_post: bool,
    /// Addresses of links in the whole page, navigation included, as written, each once.
    pub hrefs: Vec<String>,
    /// The page's description is made of its name and of words that the site's other descriptions have.
    pub is_template: bool,
    /// Hundredths of the text's letters that stand in links to pages of the input.
    pub linked: u8,
    /// Titles of a breadcrumb trail of the page, outermost first, as it shows them.
    pub trail: Vec<String>,
    /// Address of the page above, as the page links to it (`rel="up"`); empty: none.
    pub up: String,
    /// Nothing but the file's name gives it a title.
    pub is_untitled: bool,
    /// The page's `<title>`.
    pub title_element: String,
    /// The title that the page's metadata name for others to show (`og:title`).
    pub og_title: String,
    /// The paragraph straight behind the first `<h1>` that has one; empty: none, or too long for a lead.
    pub lead: String,
    /// The first captions of its figures and tables.
    pub captions: Vec<String>,
    /// Headings of the first level, where the first of them is the title; 0: the title is from elsewhere.
    pub n_h1: u32,
}

/// Class of a file that is neither a page by its tags nor has a title.
pub(super) const PIECE: &str = "is-piece";
/// Class of a page that is about one thing of Sphinx's, and begins with its docstring.
pub(super) const DOCSTRING: &str = "of-docstring";

impl PageFacts {
    /// True if the title is a heading that has a word which the page's `<title>` lacks: another page may be headed so.
    pub(super) fn doubts(&self, title: &str) -> bool {
        let known: HashSet<String> = words(&self.title_element).collect();
        self.n_h1 > 0 && !known.is_empty() && words(title).any(|word| !known.contains(&word))
    }
}

/// Kept bytes as they are written for a later build.
mod kept {
    use super::{Deserialize, Kept, Serialize};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(kept: &[Kept], to: S) -> Result<S::Ok, S::Error> {
        let kept: Vec<(u8, &[u8])> = kept.iter().map(|k| (k.kind, &k.bytes[..])).collect();
        kept.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Kept>, D::Error> {
        let kept = Vec::<(u8, Vec<u8>)>::deserialize(from)?.into_iter();
        Ok(kept.map(|(kind, bytes)| Kept { kind, bytes }).collect())
    }
}

/// A heading with the text below it, up to the next heading of any level.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentSection {
    /// Heading text; empty for the text before the first heading.
    pub heading: String,
    /// Fragment that scrolls to the heading, without `#`; empty when there is none.
    pub anchor: String,
    /// Heading level 1–6; 0 for the text before the first heading.
    pub level: u8,
    /// Plain text: one paragraph, list item, table row or line of code per line, no markup.
    pub text: String,
    /// Author's weight (`data-pagefind-weight`) within the page; 1 is neutral, with 0 nothing in it is found.
    pub weight: f32,
    /// Names besides the heading that are defined here: those of a property's functions.
    pub names: Vec<String>,
    /// Names that rows of its tables and items of its lists define: options, variables, keys.
    pub rows: Vec<String>,
}

/// A link from one document to another of the same input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Target path below the input folder, resolved against the document, without query or fragment.
    pub path: String,
    /// The link's text.
    pub text: String,
}

#[cfg(test)]
impl Document {
    /// Level, heading, anchor and text of every section, for tests of the readers.
    pub(super) fn outline(&self) -> Vec<(u8, &str, &str, &str)> {
        let sections = self.sections.iter();
        sections
            .map(|s| (s.level, &s.heading[..], &s.anchor[..], &s.text[..]))
            .collect()
    }
}
