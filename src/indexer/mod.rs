//! The write side: documents in, bundle bytes out. Native only.
//!
//! Deterministic: the same documents in the same order give the same bytes, on one core or many.

mod anchors;
mod assemble;
mod bridge;
mod dates;
mod depth;
mod directories;
pub mod document;
mod embedded;
mod encoding;
pub mod entities;
mod facts;
mod folders;
mod front_matter;
mod general;
mod git;
mod html;
mod index;
pub mod input;
mod lexicon;
mod links;
mod markdown;
mod markers;
mod markup;
mod meaning;
mod memo;
mod mentions;
mod names;
mod noise;
mod notebook;
mod options;
mod outline;
pub mod ovpack;
mod own_address;
mod packing;
mod packs;
mod parts;
mod places;
mod postings;
mod prepare;
mod prose;
pub mod records;
mod sections;
mod selected;
mod served;
mod similar;
pub mod site;
mod skip;
mod slugs;
mod space;
mod static_table;
pub mod summary;
mod sums;
mod supplied;
mod tree;
mod usage;
mod variants;
mod words;

pub use crate::bundle::Kept;
pub use assemble::{BuildSummary, Built, Stage};
pub use bridge::WordFit;
pub use document::{Document, DocumentSection, Link, PageCopy, PageFacts};
pub use embedded::{Embedded, MAX_DIMS, Row};
pub use memo::{Memo, MemoKey};
pub use options::{BuildOptions, SINGLE_FILE_TEXTS_UP_TO};
pub use outline::RowText;
pub use packs::{is_pack_name, is_pack_whole};
pub use site::SiteOptions;
pub use supplied::sidecar_body;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::uri::{MAX_URI_BYTES, SCHEME, Uri, is_name, split_sidecar};
use lexicon::Terms;
use mentions::Mentions;
use places::{input_folder, mounted, mounted_directory};
use prepare::Prepared;
use rayon::prelude::*;
use records::Records;
use skip::{SkipReason, Skipped};
use std::collections::BTreeMap;
use std::sync::Arc;
use supplied::Supplied;

/// Collects documents and makes a bundle of them.
pub struct Builder {
    options: BuildOptions,
    documents: Vec<Document>,
    /// Documents that were added and will not be in the bundle.
    dropped: Vec<Skipped>,
    repeated: summary::Repeated,
    /// Texts of directories by their paths below the input folder.
    directories: BTreeMap<String, Supplied>,
    /// A model's vectors, in place of those of the site's own words.
    embedded: Option<Embedded>,
    /// A model's records for the graph, by the path of their document.
    graph_records: Vec<(String, Records)>,
    /// The language and version for queries that name none.
    defaults: site::Defaults,
    /// The links among the pages of a site.
    tally: site::Tally,
    /// The file of the site's owner.
    owner: input::Owner,
    /// The decisions on the pages of a site; `None` until they are made.
    report: Option<site::Report>,
    /// Pages that earlier builds prepared.
    memo: Option<Arc<dyn Memo>>,
}

impl Builder {
    /// A builder without documents. Errors: `INVALID_ARGUMENT` for options that contradict the format.
    pub fn new(options: BuildOptions) -> Result<Self> {
        let bad = |what: String| Err(Error::new(ErrorKind::InvalidArgument, what));
        if let Some(bits) = options.bits.filter(|bits| ![3, 4, 8].contains(bits)) {
            return bad(format!(
                "vectors have 3, 4 or 8 bits per dimension, not {bits}"
            ));
        }
        if options.dims > static_table::DIMS {
            return bad(format!(
                "vectors have at most {} dimensions, not {}",
                static_table::DIMS,
                options.dims
            ));
        }
        if !(0.0..=1.0).contains(&options.alpha) {
            return bad(format!(
                "the weight of the vectors is between 0 and 1, not {}",
                options.alpha
            ));
        }
        if !is_name(&options.name) || options.name.len() > MAX_NAME_BYTES {
            return bad(format!(
                "'{}' cannot be the name of a tree: use one path segment of at most {MAX_NAME_BYTES} bytes",
                shortened(&options.name)
            ));
        }
        for (_, uri) in &options.mounts {
            // What is read otherwise than it is written would be searched for elsewhere.
            let is_place = Uri::parse(uri).is_ok_and(|place| {
                place.without_fragment() == uri.trim_end_matches('/')
                    && place.segments().count() <= MAX_DEPTH
            });
            if !is_place && uri != SCHEME {
                return bad(format!(
                    "'{}' is no place to put documents: use viking://resources/…, viking://user/<id>/… or viking://agent/…",
                    shortened(uri)
                ));
            }
            Uri::parse(uri)?.check_owned()?;
        }
        Ok(Self {
            options,
            documents: Vec::new(),
            dropped: Vec::new(),
            repeated: summary::Repeated::default(),
            directories: BTreeMap::new(),
            embedded: None,
            graph_records: Vec::new(),
            defaults: site::Defaults::default(),
            tally: site::Tally::default(),
            owner: input::Owner::default(),
            report: None,
            memo: None,
        })
    }

    /// Adds a document.
    pub fn add(&mut self, document: Document) -> Result<()> {
        self.add_batch(vec![document])
    }

    /// The reason why no document can lie at `path` ([`Document::path`]); `None` when one can.
    pub fn refusal(&self, path: &str) -> Option<SkipReason> {
        // The URI of such a file is that of its directory's text.
        if split_sidecar(&format!("/{path}")).1.is_some() {
            return Some(SkipReason::BadName);
        }
        refusal(path, &self.options)
    }

    /// Adds documents.
    pub fn add_batch(&mut self, documents: Vec<Document>) -> Result<()> {
        let before = self.documents.len();
        for mut document in documents {
            if let Some(reason) = self.refusal(&document.path) {
                let path = shortened(&document.path);
                let what = format!("'{path}' cannot be a document's path: {reason}");
                return Err(Error::new(ErrorKind::InvalidArgument, what));
            }
            let mounted = mounted(&document.path, &self.options);
            if !SCOPES.contains(&mounted.split('/').next().unwrap_or("")) {
                let what = format!(
                    "'{}' would lie at viking://{mounted}: put it below resources, user or agent",
                    document.path
                );
                return Err(Error::new(ErrorKind::InvalidArgument, what));
            }
            Uri::from_canonical([SCHEME, &mounted].concat()).check_owned()?;
            self.repeated.add(&document);
            self.tally.add(&mut document);
            self.documents.push(document);
        }
        // The texts of pages of HTML are compared with each other.
        let is_next_needed = |d: &&mut Document| !links::is_html(&d.path);
        let added = self.documents[before..].par_iter_mut();
        added.filter(is_next_needed).for_each(Document::pack);
        Ok(())
    }

    /// Gives a directory texts that somebody wrote (a model, a sidecar file): they stand in place of the extracted L0
    /// and L1, and are what is found. `path` is below the input folder as in [`Document::path`]; empty is that folder.
    ///
    /// What is `None` or blank leaves what there is; a later call replaces what an earlier one gave. Without an
    /// abstract of its own the abstract is cut out of the overview. A directory that holds no document is kept as an
    /// empty one. Files have [`Document::abstract_`] and [`Document::overview`].
    /// *Errors*: `INVALID_ARGUMENT` for a path that no document could have.
    pub fn describe(
        &mut self,
        path: &str,
        abstract_: Option<String>,
        overview: Option<String>,
    ) -> Result<()> {
        if !path.is_empty()
            && let Some(reason) = refusal(path, &self.options)
        {
            let path = shortened(path);
            let what = format!("'{path}' cannot be a directory's path: {reason}");
            return Err(Error::new(ErrorKind::InvalidArgument, what));
        }
        let texts = self.directories.entry(path.to_owned()).or_default();
        texts.replace(abstract_, overview);
        Ok(())
    }

    /// Keeps bytes of a directory in the bundle, for reading and exporting: its sidecars as they were, say.
    ///
    /// Otherwise as [`Builder::describe`].
    pub fn keep(&mut self, path: &str, kept: Kept) -> Result<()> {
        self.describe(path, None, None)?;
        let texts = self.directories.entry(path.to_owned()).or_default();
        texts.kept.push(kept);
        Ok(())
    }

    /// Says what a question gets that names no language and no version. Until then the bundle does not tell languages
    /// and versions apart.
    pub fn defaults(&mut self, defaults: site::Defaults) {
        self.defaults = defaults;
    }

    /// Takes in what the owner of the site says of it; a second call replaces the first. [`Builder::finish`] fails with
    /// `INVALID_ARGUMENT` for a page that is named there and is not among the documents.
    pub fn owner(&mut self, owner: input::Owner) {
        self.owner = owner;
    }

    /// Tells the builder what files of a site beside its pages say: addresses in its sitemap, its versions with their
    /// other names. Without [`BuildOptions::site`] nothing asks for it.
    pub fn site_files(&mut self, sitemap: Vec<String>, versions: Vec<(String, Vec<String>)>) {
        if let Some(site) = &mut self.options.site {
            site.sitemap = sitemap;
            site.versions = versions;
        }
    }

    /// Gives the bundle a model's vectors in place of those of the site's own words; [`Builder::row_texts`] says of what.
    ///
    /// `find` then has no vector of a question unless its caller gives one, as `search` with an endpoint of the same
    /// model does. [`BuildOptions::dims`] no longer counts. *Errors*: `INVALID_ARGUMENT` for a vector of other dimensions
    /// than `vectors.dims`, or without a direction.
    #[doc(hidden)] // for the command line's models
    pub fn embedded(&mut self, vectors: Embedded) -> Result<()> {
        self.embedded = Some(vectors.proved()?);
        Ok(())
    }

    /// Puts entities and relations that a model wrote into the graph: the records of each chunk of text, with the
    /// [`Document::path`] it is from. With [`BuildOptions::graph`] they join those found by rules; without, they are the
    /// graph. A second call replaces the first.
    #[doc(hidden)] // for the command line's models
    pub fn graph_records(&mut self, records: Vec<(String, Records)>) {
        self.graph_records = records;
    }

    /// Texts of directories by their paths below `viking://`.
    fn supplied_directories(&self) -> BTreeMap<String, Supplied> {
        let mut supplied: BTreeMap<String, Supplied> = BTreeMap::new();
        for (path, texts) in &self.directories {
            let place = match path.as_str() {
                "" => input_folder(&self.documents, &self.options),
                path => mounted_directory(path, &self.options),
            };
            supplied.entry(place).or_default().take_in(texts);
        }
        supplied
    }

    /// Has pages prepared only where `memo` does not have them from an earlier build. The bundle is the same.
    pub fn memo(&mut self, memo: Arc<dyn Memo>) {
        self.memo = Some(memo);
    }

    /// Number of documents so far.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// True before the first document is added.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Builds the bundle. Documents are prepared on every core. Errors: `INVALID_ARGUMENT` when there is no document,
    /// `INTERNAL` when a very large site needs a thread that cannot be started.
    pub fn finish(mut self, progress: &mut dyn FnMut(Stage, u64, u64)) -> Result<Built> {
        self.settle_packed();
        if self.documents.is_empty() {
            let what = "there is nothing to index";
            return Err(Error::new(ErrorKind::InvalidArgument, what));
        }
        let owner = &self.owner;
        owner.check(self.documents.iter())?;
        let mut warnings = owner.idle(&self.documents);
        let asked = self.options.site.as_ref().zip(self.report.as_ref());
        warnings.extend(asked.and_then(|(site, report)| site.unknown_version(report)));
        let tell = |document: &mut Document| owner.apply(document);
        self.documents.par_iter_mut().for_each(tell);
        let by_rules = self.options.graph;
        if by_rules {
            self.unpack();
        }
        let mentions = (by_rules || !self.graph_records.is_empty()).then(|| {
            progress(Stage::Graph, 0, self.documents.len() as u64);
            match (by_rules, &self.graph_records[..]) {
                (true, []) => Mentions::extract(&self.documents),
                (true, records) => Mentions::extract(&self.documents).joined(records),
                (false, records) => Mentions::of_records(records),
            }
        });
        progress(Stage::Summarise, 0, self.documents.len() as u64);
        let supplied = self.supplied_directories();
        let (documents, terms) = self.prepared();
        let input = assemble::Input {
            documents,
            terms,
            supplied,
            mentions,
            embedded: self.embedded.as_ref(),
            options: &self.options,
            defaults: &self.defaults,
        };
        let built = assemble::assemble(input, progress)?;
        Ok(Built {
            dropped: self.dropped,
            site: self.report,
            warnings,
            ..built
        })
    }
}

impl Builder {
    /// Has the sections of all documents as they are.
    fn unpack(&mut self) {
        self.documents.par_iter_mut().for_each(Document::unpack);
    }

    /// The documents prepared, and their terms counted. What a document was is gone when the next ones come.
    fn prepared(&mut self) -> (Vec<Prepared>, Terms) {
        let mut repeated = std::mem::take(&mut self.repeated);
        repeated.settle();
        let mut terms = Terms::default();
        let mut all: Vec<Prepared> = Vec::with_capacity(self.documents.len());
        let mut documents = std::mem::take(&mut self.documents).into_iter();
        loop {
            let next: Vec<Document> = documents.by_ref().take(PREPARED).collect();
            if next.is_empty() {
                return (all, terms);
            }
            let memo = self.memo.as_deref();
            let next = next.into_par_iter().map(|mut d| {
                d.unpack();
                memo::prepared(memo, d, &repeated)
            });
            let mut next: Vec<Prepared> = next.collect();
            next.iter_mut().for_each(|d| terms.count(d));
            all.append(&mut next);
        }
    }
}

/// Documents prepared before their terms are counted.
const PREPARED: usize = 1 << 9;

/// Bytes of a tree's name, at most; file systems allow 255.
const MAX_NAME_BYTES: usize = 1_000;

/// The beginning of a text, for a message.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(200).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Scopes in which a bundle has documents.
const SCOPES: [&str; 3] = ["resources", "user", "agent"];

/// Folders that one may lie in, one in the other. Trees are walked by recursion here and in readers, in browsers with a
/// small stack.
const MAX_DEPTH: usize = 512;

/// The rule that keeps `path`, below the input folder, out of a bundle.
fn refusal(path: &str, options: &BuildOptions) -> Option<SkipReason> {
    let depth = path.split('/').count();
    if !path.split('/').all(is_name) {
        return Some(SkipReason::BadName);
    }
    let uri_bytes = || SCHEME.len() + mounted(path, options).len();
    (depth > MAX_DEPTH || uri_bytes() > MAX_URI_BYTES - SIDECAR_BYTES)
        .then_some(SkipReason::TooDeep)
}

/// Left free in the longest URI for the name of a directory's sidecar.
const SIDECAR_BYTES: usize = 16;
