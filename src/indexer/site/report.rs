//! The decisions on each page, with their reasons.

use super::super::document::Document;
use super::kind::Kind;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The decisions on one page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Decision {
    /// Its address; empty: as its path.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Source of the address: `author`, `canonical`, `sitemap`, `links`, `site`, `host` or `option`.
    #[serde(skip_serializing_if = "is_blank")]
    pub url_by: Cow<'static, str>,
    /// Its language; empty: the site has one only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// Source of the language: `page`, `path` or `text`.
    #[serde(skip_serializing_if = "is_blank")]
    pub language_by: Cow<'static, str>,
    /// Its version; empty: the site has one only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Source of the version: `page` or `path`.
    #[serde(skip_serializing_if = "is_blank")]
    pub version_by: Cow<'static, str>,
    /// A kind of page that a rule is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The rule leaves it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub left_out: bool,
    /// Path of the page that it was folded into.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub folded_into: String,
    /// The words of people about it.
    #[serde(flatten)]
    pub told: Told,
}

/// Orders of the owner of a site for a page, or of its author where the owner has none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// It is in the tree, and no result.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The weight that it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f32>,
    /// Queries that it is among the first results of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_for: Vec<String>,
    /// Other names of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

fn is_blank(text: &str) -> bool {
    text.is_empty()
}

/// The decisions on all pages of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// By path below the input folder.
    pub pages: BTreeMap<String, Decision>,
}

impl Report {
    /// The decision on the page at `path`, made empty when there is none yet.
    pub(super) fn of(&mut self, path: &str) -> &mut Decision {
        if !self.pages.contains_key(path) {
            self.pages.insert(path.to_owned(), Decision::default());
        }
        self.pages
            .get_mut(path)
            .expect("it was put in where it was missing")
    }

    /// Notes what a document that stays was given.
    pub(super) fn take(&mut self, document: &Document) {
        let decision = self.of(&document.path);
        decision.url.clone_from(&document.url);
        decision.version.clone_from(&document.version);
        if !decision.language_by.is_empty() {
            decision.language = document.language.clone().unwrap_or_default();
        }
    }

    /// Notes what people said of a document that stays.
    pub(in crate::indexer) fn tell(&mut self, document: &Document, mut told: Told) {
        told.hidden |= document.weight == 0.0;
        let own = (!told.hidden && document.weight != 1.0).then_some(document.weight);
        told.weight = told.weight.or(own);
        self.of(&document.path).told = told;
    }

    /// The report as it is kept in a bundle: JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("maps of texts are JSON")
    }

    /// Reads what [`Report::to_bytes`] wrote; `None` when another version of Knarr wrote it otherwise.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Pages left out, by kind; pages damped, by kind; and how many were folded into others.
    pub fn counts(&self) -> (BTreeMap<Kind, usize>, BTreeMap<Kind, usize>, usize) {
        let (mut left_out, mut damped, mut folded) = (BTreeMap::new(), BTreeMap::new(), 0);
        for decision in self.pages.values() {
            folded += usize::from(!decision.folded_into.is_empty());
            match decision.kind {
                Some(kind) if decision.left_out => *left_out.entry(kind).or_default() += 1,
                Some(kind) => *damped.entry(kind).or_default() += 1,
                None => {}
            }
        }
        (left_out, damped, folded)
    }

    /// Languages or versions of the pages, with how many pages each has.
    pub fn tally(&self, of: fn(&Decision) -> &str) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for decision in self.pages.values().filter(|d| !d.left_out) {
            if !of(decision).is_empty() {
                *counts.entry(of(decision)).or_default() += 1;
            }
        }
        counts
    }
}
