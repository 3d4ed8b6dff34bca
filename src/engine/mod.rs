//! The engine: a bundle that answers. Every method is `&self`; two calls in flight cannot disturb each other.
//!
//! Each call runs a pure step against the parts that are there. When the step stops for missing parts, they are loaded
//! through the [`Host`] and the step runs again. What was loaded before never changes an answer. Calls share what is on
//! its way: a part is asked for once, and a call that nobody waits for any more takes in what it asked for and ends.

pub mod cache;
#[cfg(feature = "full")]
mod export;
mod load;
pub mod monitor;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod patterns;
#[cfg(all(
    feature = "full",
    not(all(target_arch = "wasm32", target_os = "unknown"))
))]
pub mod points;
#[cfg(feature = "full")]
mod remember;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::host::Host;
use crate::base::id::NodeId;
use crate::bundle::step::{Halt, Step};
use crate::bundle::{Head, MAX_INDEX_BYTES, PartKind, Resident};
#[cfg(feature = "full")]
use crate::find::answer::result::{EntityRow, NeighborRow};
use crate::find::answer::result::{Entry, FindResult, RelatedContext, Stat};
#[cfg(feature = "full")]
use crate::find::ask::options::EntityOptions;
use crate::find::ask::options::{
    FindOptions, GrepOptions, ListOptions, ReadOptions, RelationOptions,
};
use crate::find::ask::request::Request;
#[cfg(feature = "full")]
use crate::read::entities;
use crate::read::patterns::{glob_scope, grep_scope};
use crate::read::{links, listing, texts};
use serde::Serialize;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;

/// Name of the file that opens a bundle. In the one-file form it is the whole bundle.
pub const HEAD_FILE: &str = "index.knarr";

/// Rounds after which a call gives up. The longest honest chain is nine (docs/FORMAT.md, "What a reader must check"); more means that the bundle contradicts itself.
const MAX_ROUNDS: usize = 16;

/// A bundle, opened.
///
/// *Units*: a `uri` is a `viking://` address; "found" below means that the bundle has it. Sizes are bytes of UTF-8, times
/// are UTC.
///
/// *Cost*: parts of the bundle that a call lacks are fetched through its host, those of one step together, and stay until
/// this value is dropped; texts that `grep` reads do not. A call for which everything is there fetches nothing.
///
/// *Errors*: besides those named at each method, whatever the host reports (`BUNDLE_MISSING`, `UNAVAILABLE`, `ABORTED`),
/// `BUNDLE_MISMATCH` for bytes of another build (open the bundle again), and `BUNDLE_DAMAGED` for bytes that contradict
/// themselves. `INVALID_URI` is the error of a malformed `uri`, and of a section's where only whole pages are meant. After
/// an error, other calls and later ones are answered.
pub struct Knarr {
    store: Resident,
    underway: load::Underway,
    file: Vec<u8>,
    #[cfg(feature = "full")]
    answers: remember::Answers,
}

/// A file in the scope of a grep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeFile {
    /// Number of the node, for [`Knarr::texts`].
    pub node: u32,
    /// The file.
    pub uri: String,
}

/// A path below the URI a glob is relative to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopePath {
    /// Relative path, `/`-separated, no leading slash.
    pub path: String,
    /// The node.
    pub uri: String,
}

/// Turns the rows of [`grep_scope`] into named fields.
pub(crate) fn scope_files(files: Vec<(NodeId, String)>) -> Vec<ScopeFile> {
    let named = files.into_iter();
    let named = named.map(|(node, uri)| ScopeFile { node: node.0, uri });
    named.collect()
}

/// Turns the rows of [`glob_scope`] into named fields.
pub(crate) fn scope_paths(paths: Vec<(String, String)>) -> Vec<ScopePath> {
    let named = paths.into_iter();
    named.map(|(path, uri)| ScopePath { path, uri }).collect()
}

impl Knarr {
    /// Opens the bundle whose files `host` serves: fetches and validates [`HEAD_FILE`].
    ///
    /// *Cost*: one fetch, of about 20 kB for a site of 10,000 pages. *Errors*: `BUNDLE_MISSING`, `BUNDLE_FORMAT` (an error page,
    /// say), `BUNDLE_VERSION` when another version of the format wrote it, `BUNDLE_DAMAGED`, and those of the host.
    pub async fn open(host: &impl Host) -> Result<Self> {
        let file = host.fetch(HEAD_FILE, None).await?.bytes;
        let stored = Head::stored(&file)?;
        let body = load::unpack(host, stored, MAX_INDEX_BYTES).await?;
        let head = Head::read(&body, stored.len(), file.len())?;
        Ok(Self::of(head, file))
    }

    /// Opens a bundle from the bytes of its [`HEAD_FILE`], which of a bundle in one file are all of it.
    ///
    /// *Cost*: reads the head; of the rest, each part when a call needs it. *Errors*: `BUNDLE_FORMAT`, `BUNDLE_VERSION`,
    /// `BUNDLE_DAMAGED`.
    pub fn from_bytes(file: Vec<u8>) -> Result<Self> {
        Ok(Self::of(Head::decode(&file)?, file))
    }

    fn of(head: Head, file: Vec<u8>) -> Self {
        Self {
            store: Resident::new(head),
            underway: load::Underway::default(),
            file,
            #[cfg(feature = "full")]
            answers: remember::Answers::default(),
        }
    }

    /// True if the bundle's host is said to answer several ranges of a file in one response.
    #[cfg(all(
        target_arch = "wasm32",
        target_os = "unknown",
        not(any(feature = "patterns", feature = "search"))
    ))]
    pub(crate) fn joins_ranges(&self) -> bool {
        self.store.head().parameters.joins_ranges
    }

    /// Runs a step until it has all it needs.
    pub(crate) async fn run<T>(
        &self,
        host: &impl Host,
        step: impl Fn(&Resident) -> Step<T>,
    ) -> Result<T> {
        let answer = Cell::new(None);
        let keep = |store: &Resident| {
            answer.set(Some(step(store)?));
            Ok(())
        };
        self.drive(host, &keep).await?;
        let nothing = || Error::new(ErrorKind::Internal, "a step ended without an answer");
        answer.take().ok_or_else(nothing)
    }

    /// [`Knarr::run`] without its type: one state machine for all calls, not one each.
    fn drive<'a>(
        &'a self,
        host: &'a impl Host,
        step: &'a dyn Fn(&Resident) -> Step<()>,
    ) -> Pin<Box<dyn Future<Output = Result<()>> + 'a>> {
        Box::pin(async move {
            for _ in 0..MAX_ROUNDS {
                if host.is_left() {
                    return Err(Error::new(ErrorKind::Aborted, "nobody waits any more"));
                }
                match step(&self.store) {
                    Ok(()) => return Ok(()),
                    Err(Halt::Failed(error)) => {
                        self.store.take_needs();
                        return Err(error);
                    }
                    Err(Halt::Missing) => {
                        let needs = self.store.take_needs();
                        if needs.is_empty() {
                            let what = "a step stopped and asked for nothing";
                            return Err(Error::new(ErrorKind::Internal, what));
                        }
                        load::load(&self.store, host, &self.file, &self.underway, needs).await?;
                    }
                }
            }
            let what = "the bundle's parts refer to each other without end";
            Err(Error::new(ErrorKind::BundleDamaged, what))
        })
    }

    /// The core remembers no answers: a search box asks each question once, and the browser keeps what was fetched.
    #[cfg(not(feature = "full"))]
    pub(crate) fn find_step(&self, store: &Resident, request: &Request) -> Step<FindResult> {
        crate::find::pipeline::find(store, request)
    }

    /// Finds contexts for a query: by its words, corrected and in their other forms, and by vectors.
    ///
    /// *Shape*: three lists by type, `memories`, `resources` and `skills`, each best first, together `options.limit` rows at
    /// most (10). A row is a page or directory with its best sections and an excerpt.
    ///
    /// *Units*: `score` and `relevance` are in [0, 1], larger is better. A score orders the rows of this answer; only the
    /// relevance can be compared with that of another, or with a threshold.
    ///
    /// *Cost*: of a site of 10,000 pages, a first query fetches 95 kB at the median in 20 ranges and three rounds, and takes
    /// 2 ms of CPU once they are there (docs/SPEED.md).
    ///
    /// *Errors*: `INVALID_ARGUMENT` for an empty query or an option out of range, which the message names;
    /// `INVALID_FILTER` and `INVALID_PATTERN` for a filter, `NOT_FOUND` for a target that the bundle lacks,
    /// `PERMISSION_DENIED` for one that the user may not see. A query that finds nothing is no error, and a step that could
    /// not be done is one of `skipped`.
    pub async fn find(
        &self,
        host: &impl Host,
        query: &str,
        options: &FindOptions,
    ) -> Result<FindResult> {
        let request = Request::read(query, options.clone())?;
        self.run(host, |store| self.find_step(store, &request))
            .await
    }

    /// The L0 abstract of a directory or file, a sentence or two of plain text; empty where there is none.
    ///
    /// *Cost*: the branch part of the node, a few kB. *Errors*: `NOT_FOUND`.
    pub async fn abstract_(&self, host: &impl Host, uri: &str) -> Result<String> {
        self.run(host, |store| texts::abstract_(store, uri)).await
    }

    /// The L1 overview of a directory or file, in Markdown: its children, or its sections.
    ///
    /// *Cost*: the text record of the node. *Errors*: `NOT_FOUND`.
    pub async fn overview(&self, host: &impl Host, uri: &str) -> Result<String> {
        self.run(host, |store| texts::overview(store, uri)).await
    }

    /// The L2 content of a file, by lines, in Markdown. With an anchor (`…/page.md#install`, feature `full`) the content of
    /// a section, and of a sidecar's URI the abstract or overview.
    ///
    /// *Shape*: `options.limit` lines, each with its line break, from `options.offset` on; behind the last line, nothing.
    ///
    /// *Cost*: the text record of the file, however few lines. *Errors*: `NOT_FOUND`, for an anchor with those most like
    /// it; `INVALID_ARGUMENT` for a directory, or a limit below -1.
    pub async fn read(&self, host: &impl Host, uri: &str, options: &ReadOptions) -> Result<String> {
        self.run(host, |store| texts::read(store, uri, options))
            .await
    }

    /// The bytes of a file, as the input had them where the bundle keeps them, else its L2 content in UTF-8.
    ///
    /// *Cost*: the kept record of the file, else its text record. *Errors*: `NOT_FOUND`; `INVALID_ARGUMENT` for a
    /// directory.
    #[cfg(feature = "full")]
    pub async fn download(&self, host: &impl Host, uri: &str) -> Result<Vec<u8>> {
        self.run(host, |store| texts::download(store, uri)).await
    }

    /// The children of a directory, or with `options.recursive` everything below it: directories first, then files, by name
    /// without regard to case.
    ///
    /// *Shape*: `options.node_limit` rows at most (1,000); as many rows as that mean that there may be more.
    ///
    /// *Cost*: the branch parts of the rows. *Errors*: `NOT_FOUND`; `INVALID_ARGUMENT` for a file.
    pub async fn ls(
        &self,
        host: &impl Host,
        uri: &str,
        options: &ListOptions,
    ) -> Result<Vec<Entry>> {
        self.run(host, |store| listing::ls(store, uri, options))
            .await
    }

    /// Everything below a directory to `options.level_limit` levels (3), depth first, directories first.
    ///
    /// *Shape*: as of [`Knarr::ls`]; `rel_path` tells the depth.
    ///
    /// *Cost*: the branch parts of everything below, however few rows. *Errors*: `NOT_FOUND`; `INVALID_ARGUMENT` for a
    /// file.
    pub async fn tree(
        &self,
        host: &impl Host,
        uri: &str,
        options: &ListOptions,
    ) -> Result<Vec<Entry>> {
        self.run(host, |store| listing::tree(store, uri, options))
            .await
    }

    /// Facts about a node. Those of a directory count what is below it.
    ///
    /// *Cost*: the branch part of the node. *Errors*: `NOT_FOUND`.
    pub async fn stat(&self, host: &impl Host, uri: &str) -> Result<Stat> {
        self.run(host, |store| listing::stat(store, uri)).await
    }

    /// Contexts that a file links to, with the link's text, and up to five pages of similar content, with their cosine.
    ///
    /// *Cost*: the links of the file's block, and about 5 kB for each relation, of which `options.limit` is the most.
    /// *Errors*: `NOT_FOUND`.
    pub async fn relations(
        &self,
        host: &impl Host,
        uri: &str,
        options: &RelationOptions,
    ) -> Result<Vec<RelatedContext>> {
        self.run(host, |store| links::relations(store, uri, options))
            .await
    }

    /// Entities of the graph, the most mentioned first; with `options.query` those called so lead.
    ///
    /// *Cost*: the graph, one part (23 kB for a year of chat), on the first call. *Errors*: `FAILED_PRECONDITION` for
    /// a bundle without a graph.
    #[cfg(feature = "full")]
    pub async fn entities(
        &self,
        host: &impl Host,
        options: &EntityOptions,
    ) -> Result<Vec<EntityRow>> {
        self.run(host, |store| entities::entities(store, options))
            .await
    }

    /// The entities related to those called `name`, the most often seen together first, with files that show it.
    ///
    /// *Cost*: the graph, and the branch parts of the files. *Errors*: `FAILED_PRECONDITION` for a bundle without a graph,
    /// `NOT_FOUND` for a name that it lacks, with those most like it.
    #[cfg(feature = "full")]
    pub async fn neighbors(&self, host: &impl Host, name: &str) -> Result<Vec<NeighborRow>> {
        self.run(host, |store| entities::neighbors(store, name))
            .await
    }

    /// The files a grep has to read, in tree order: the file of `uri`, or those below it without hidden ones.
    ///
    /// *Cost*: the branch parts of everything below; no texts. *Errors*: `NOT_FOUND`, for `uri` only: what is excluded need
    /// not be there.
    pub async fn grep_scope(
        &self,
        host: &impl Host,
        uri: &str,
        options: &GrepOptions,
    ) -> Result<Vec<ScopeFile>> {
        let files = self
            .run(host, |store| grep_scope(store, uri, options))
            .await?;
        Ok(scope_files(files))
    }

    /// The contents of files by node number (from [`Knarr::grep_scope`]), in the order asked for.
    ///
    /// *Cost*: the text records, fetched together, which do not stay: ask for a few dozen at a time. *Errors*:
    /// `INVALID_ARGUMENT` for a number that no node has.
    pub async fn texts(&self, host: &impl Host, nodes: &[u32]) -> Result<Vec<String>> {
        self.run(host, |store| texts::contents(store, nodes)).await
    }

    /// The paths a glob is matched against, ordered by path components: directories and files below `uri`, without hidden
    /// files.
    ///
    /// *Cost*: the branch parts of everything below. *Errors*: `NOT_FOUND`; `INVALID_ARGUMENT` for a file.
    pub async fn glob_scope(&self, host: &impl Host, uri: &str) -> Result<Vec<ScopePath>> {
        let paths = self.run(host, |store| glob_scope(store, uri)).await?;
        Ok(scope_paths(paths))
    }

    /// Counts, sizes and parameters of the bundle, from its head: fetches nothing.
    pub fn inspect(&self) -> Inspection {
        let head = self.store.head();
        let p = &head.parameters;
        let mut parts: Vec<(String, u32, u64)> = PartKind::ALL
            .iter()
            .map(|&kind| {
                let own = &head.parts[kind as usize];
                (
                    kind.name().to_owned(),
                    own.len() as u32,
                    own.iter().map(|a| u64::from(a.len)).sum(),
                )
            })
            .collect();
        let texts: u64 = head.packs[head.first_text_pack as usize..]
            .iter()
            .map(|p| p.bytes)
            .sum();
        parts.push(("texts".into(), p.n_nodes, texts));
        parts.push(("head".into(), 1, head.head_bytes));
        Inspection {
            format: u32::from(crate::bundle::FORMAT),
            generator: head.generator.clone(),
            name: head.name.clone(),
            files: p.n_files,
            directories: head.directories.len() as u32,
            sections: p.n_sections,
            terms: p.n_terms,
            dims: p.dims,
            encoder: p.encoder.clone(),
            alpha: p.alpha,
            bytes: head.head_bytes + head.packs.iter().map(|p| p.bytes).sum::<u64>(),
            packs: head.packs.iter().filter(|p| !p.name.is_empty()).count() as u32,
            parts,
        }
    }
}

/// The contents of a bundle, as far as its head describes them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// Version of the format.
    pub format: u32,
    /// Version of Knarr that wrote it.
    pub generator: String,
    /// Name of the tree.
    pub name: String,
    /// Number of files.
    pub files: u32,
    /// Number of directories.
    pub directories: u32,
    /// Sections of files.
    pub sections: u32,
    /// Distinct stems with postings.
    pub terms: u32,
    /// Vector dimensions; 0 without vectors.
    pub dims: u32,
    /// The encoder of the vectors.
    pub encoder: String,
    /// Default weight of the vector score.
    pub alpha: f32,
    /// Bytes of each kind of part: `(kind, parts, bytes)`.
    pub parts: Vec<(String, u32, u64)>,
    /// Files besides the head; 0 in the one-file form.
    pub packs: u32,
    /// Bytes of the whole bundle.
    pub bytes: u64,
}
