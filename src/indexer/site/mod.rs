//! The site as it means itself: addresses, languages, versions, copies and kinds of its pages.
//!
//! A page says some of it, all pages together the rest. Decided once, after every page was read and before anything is
//! indexed; each decision is kept with its reason, for the summary and for `knarr inspect --pages`. Nothing here looks
//! at a question: a rule holds for every site or for none.

mod addresses;
mod assets;
mod codes;
mod copies;
mod crumbs;
mod dated;
mod docsify;
mod docusaurus;
mod editions;
mod generic;
mod indexes;
mod kind;
mod kinds;
mod languages;
mod lists;
mod members;
mod namesakes;
mod numbered;
mod repeated;
mod report;
mod rooted;
pub(super) mod searching;
mod sources;
mod starting;
mod templates;
mod titles;
mod tongues;
mod versions;
mod wiki;
mod written;

pub use addresses::{Tally, UrlStyle};
pub use kind::Kind;
pub use report::{Decision, Report, Told};

use super::document::Document;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tongues::Tongues;

/// The language and version of queries that name none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Defaults {
    /// BCP 47 tag of the site's own language; empty: the site has one only.
    pub language: String,
    /// The newest stable version; empty: the site has one only.
    pub version: String,
}

/// The owner's statements about a site; they overrule those of its pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteOptions {
    /// Style of the addresses; by default the site's own.
    pub url_style: UrlStyle,
    /// Kinds of pages that are content like any other: neither left out nor damped.
    pub keep: Vec<Kind>,
    /// The site's own language, as a BCP 47 tag.
    pub language: Option<String>,
    /// The version that questions are about unless they name one.
    pub version: Option<String>,
    /// Addresses in the site's `sitemap.xml`.
    pub sitemap: Vec<String>,
    /// The site's `versions.json` (mike): folder of a version, and its other names.
    pub versions: Vec<(String, Vec<String>)>,
}

impl SiteOptions {
    /// That no page is of the owner's version, and which there are, for people.
    pub(super) fn unknown_version(&self, report: &Report) -> Option<String> {
        let wanted = self.version.as_deref()?;
        let pages = report.pages.values();
        let known: BTreeSet<&str> = pages.map(|page| page.version.as_str()).collect();
        let known: Vec<&str> = known.into_iter().filter(|v| !v.is_empty()).collect();
        let others = match &known[..] {
            [] => "the site names no versions".to_owned(),
            known => format!("the site's are {}", known.join(", ")),
        };
        let is_unknown = !known.contains(&wanted);
        is_unknown.then(|| format!("no page is of version '{wanted}' (--docs-version): {others}"))
    }
}

/// Decides on every document, takes out those that are no pages or copies of others, and says why.
///
/// *Cost*: linear in the text, and in the pages of each group of possible copies. Pages that are not HTML get a
/// language, a version and a kind from their folders and names and hardly anything else: they are sources.
pub(super) fn settle(
    documents: &mut Vec<Document>,
    tally: &Tally,
    options: &SiteOptions,
) -> (Report, Defaults) {
    let mut report = Report::default();
    let addresses = addresses::settle(documents, tally, options, &mut report);
    written::settle(documents, options.url_style);
    docsify::settle(documents, options.url_style);
    rooted::settle(documents, &addresses.base);
    wiki::settle(documents);
    kinds::settle(documents, tally, options, &mut report);
    titles::settle(documents);
    generic::settle(documents);
    starting::settle(documents);
    members::settle(documents);
    namesakes::settle(documents);
    repeated::settle(documents);
    templates::settle(documents);
    let tongues = Tongues::of(documents);
    let language = languages::settle(documents, &tongues, options, &mut report);
    let version = versions::settle(documents, options, &mut report);
    let defaults = Defaults { language, version };
    copies::settle(documents, options, &addresses, &defaults, &mut report);
    languages::link_translations(documents, &tongues, &addresses, &defaults);
    crumbs::settle(documents, &tongues);
    for document in documents.iter_mut() {
        report.take(document);
    }
    (report, defaults)
}

/// Paths of documents with their places.
fn places(documents: &[Document]) -> BTreeMap<String, usize> {
    let paths = documents.iter().enumerate();
    paths.map(|(i, d)| (d.path.clone(), i)).collect()
}

/// True for a page of HTML: the rules for sites are about those.
fn is_page(document: &Document) -> bool {
    super::links::is_html(&document.path)
}

#[cfg(test)]
mod tests {
    use super::Document;

    /// A page with a title and a `<title>`, for the tests of the rules.
    pub(super) fn page(path: &str, title: &str, element: &str) -> Document {
        let mut document = Document {
            path: path.to_owned(),
            title: title.to_owned(),
            ..Document::default()
        };
        element.clone_into(&mut document.facts.title_element);
        document
    }
}
