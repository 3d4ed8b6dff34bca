//! The engine: a bundle that answers. Every method is `&self`; two calls in flight cannot disturb each other.

use crate::error::{Error, ErrorKind, Result};
use crate::host::Host;
use crate::retrieve::query::{FindOptions, GlobOptions, GrepOptions, ListOptions, ReadOptions};
use crate::retrieve::result::{Entry, FindResult, GlobResult, GrepResult, RelatedContext, Stat};
use serde::Serialize;

/// Name of the file that opens a bundle. In the one-file form it is the whole bundle.
pub const HEAD_FILE: &str = "index.knarr";

/// A bundle, opened.
pub struct Knarr {}

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

#[allow(clippy::unused_async, unused_variables)]
impl Knarr {
    /// Opens the bundle whose files `host` serves: fetches and validates [`HEAD_FILE`].
    pub async fn open(host: &impl Host) -> Result<Self> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// Finds contexts for a query.
    pub async fn find(
        &self,
        host: &impl Host,
        query: &str,
        options: &FindOptions,
    ) -> Result<FindResult> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The L0 abstract of a directory; for a file, its own.
    pub async fn abstract_(&self, host: &impl Host, uri: &str) -> Result<String> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The L1 overview of a directory or file.
    pub async fn overview(&self, host: &impl Host, uri: &str) -> Result<String> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The L2 content of a file, by lines.
    pub async fn read(&self, host: &impl Host, uri: &str, options: &ReadOptions) -> Result<String> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The children of a directory.
    pub async fn ls(
        &self,
        host: &impl Host,
        uri: &str,
        options: &ListOptions,
    ) -> Result<Vec<Entry>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// Everything below a directory, depth first, directories first.
    pub async fn tree(
        &self,
        host: &impl Host,
        uri: &str,
        options: &ListOptions,
    ) -> Result<Vec<Entry>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// What is known of a node.
    pub async fn stat(&self, host: &impl Host, uri: &str) -> Result<Stat> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// Contexts a file links to, with the reason.
    pub async fn relations(&self, host: &impl Host, uri: &str) -> Result<Vec<RelatedContext>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The files a grep has to read, in tree order.
    pub async fn grep_scope(
        &self,
        host: &impl Host,
        uri: &str,
        options: &GrepOptions,
    ) -> Result<Vec<ScopeFile>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The contents of files by node number (from [`Knarr::grep_scope`]), in the order asked for.
    pub async fn texts(&self, host: &impl Host, nodes: &[u32]) -> Result<Vec<String>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// The paths a glob is matched against, ordered by path components.
    pub async fn glob_scope(&self, host: &impl Host, uri: &str) -> Result<Vec<ScopePath>> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// Lines that match a regular expression. Native only: the browser runs the same two halves across its two modules.
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn grep(
        &self,
        host: &impl Host,
        uri: &str,
        pattern: &str,
        options: &GrepOptions,
    ) -> Result<GrepResult> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// URIs that match a glob pattern. Native only, as [`Knarr::grep`].
    #[cfg(not(target_arch = "wasm32"))]
    pub async fn glob(
        &self,
        host: &impl Host,
        pattern: &str,
        uri: &str,
        options: &GlobOptions,
    ) -> Result<GlobResult> {
        Err(Error::new(ErrorKind::Internal, "not built yet"))
    }

    /// Counts, sizes and parameters of the bundle.
    pub fn inspect(&self) -> Inspection {
        Inspection::default()
    }
}

/// What is in a bundle, as far as its head tells.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// Version of the format.
    pub format: u32,
    /// Version of Knarr that wrote it.
    pub generator: String,
    /// Name of the tree.
    pub name: String,
    /// Files.
    pub files: u32,
    /// Directories.
    pub directories: u32,
    /// Sections of files.
    pub sections: u32,
    /// Distinct stems with postings.
    pub terms: u32,
    /// Vector dimensions; 0 without vectors.
    pub dims: u32,
    /// Which encoder made the vectors.
    pub encoder: String,
    /// Bytes of each kind of part: `(kind, parts, bytes)`.
    pub parts: Vec<(String, u32, u64)>,
    /// Bytes of the whole bundle.
    pub bytes: u64,
}
