//! Options for reading pages and for building a bundle.

use super::selected::PageSelector;
use super::site::SiteOptions;
use super::slugs::Anchors;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

const MAX_FILE_BYTES: u64 = 32 * 1024 * 1024; // The largest page in the toolchain's documentation has 10 MB.

/// Options for reading pages.
#[derive(Debug, Clone)]
pub struct InputOptions {
    /// Globs of the files to read, relative to the folder; empty means every HTML and Markdown file.
    /// A pattern without `/` matches at any depth, and one that names a folder means all below it.
    /// Files of another format are read as plain text where a pattern names their extension (`*.txt`).
    pub include: Vec<String>,
    /// Globs of the files to leave out. They win over `include`.
    pub exclude: Vec<String>,
    /// Front matter fields and `<meta>` names to read nothing from, in any case.
    pub skip_fields: Vec<String>,
    /// The elements of an HTML page that hold its content; a page without one is left out. Unset: as the page says.
    pub root: Option<PageSelector>,
    /// Elements of HTML pages that are not read, as if each had `data-knarr-ignore`.
    pub without: Vec<PageSelector>,
    /// Files larger than this are left out. Bytes.
    pub max_file_bytes: u64,
    /// Follow symbolic links out of the folder. Links within it are followed either way.
    pub follow_links: bool,
    /// A page that takes longer to read is left out. Reading is linear; this is for what is not.
    pub max_page_time: Duration,
    /// Take dates from git: of a file's first and last commit.
    pub use_git_dates: bool,
    /// Keep the files in the bundle as they are, so that reading and exporting return them byte for byte.
    pub keep_source: bool,
    /// Anchors of headings of Markdown without an id.
    pub anchors: Anchors,
}

impl Default for InputOptions {
    fn default() -> Self {
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            skip_fields: Vec::new(),
            root: None,
            without: Vec::new(),
            max_file_bytes: MAX_FILE_BYTES,
            follow_links: false,
            max_page_time: Duration::from_secs(60), // The largest page allowed takes 5 seconds.
            use_git_dates: false,
            keep_source: false,
            anchors: Anchors::GitHub,
        }
    }
}

impl InputOptions {
    /// True for a field that the caller excludes.
    pub(crate) fn skips(&self, name: &str) -> bool {
        self.skip_fields
            .iter()
            .any(|field| field.eq_ignore_ascii_case(name))
    }

    /// All that decides on what a file's bytes are read as, but its path.
    #[doc(hidden)] // for the command line's shards
    pub fn of_documents(&self) -> String {
        let (fields, kept) = (&self.skip_fields, self.keep_source);
        let slugs = self.anchors;
        format!(
            "{fields:?} {:?} {:?} {kept} {slugs:?}",
            self.root, self.without
        )
    }

    /// Latest end of reading a page whose reading begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.max_page_time)
    }
}

/// Options for building a bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildOptions {
    /// Name of the tree: documents are at `viking://resources/<name>/…`.
    pub name: String,
    /// Folders that go elsewhere: prefix of the path, and the `viking://` URI that takes its place. `viking://` itself
    /// is for folders that begin with a scope.
    pub mounts: Vec<(String, String)>,
    /// One file, or a head with packs; unset: one file up to [`SINGLE_FILE_TEXTS_UP_TO`] bytes of stored texts and kept
    /// files.
    pub single_file: Option<bool>,
    /// Packs of up to 8 MB in place of 64 kB, whose ranges are asked for together: for hosts that answer several ranges of
    /// a file in one response.
    pub large_packs: bool,
    /// English words that the site does not have and that bring their meaning to a question, the commonest first; 0: none.
    /// Unset: 1,000 in one file, 5,000 with packs. More than 1,000 are in packs of their own beside the one file, which
    /// only questions with such words fetch. The table knows up to 24,000 that a site lacks (.6 MB); `usize::MAX` takes all.
    pub general_words: Option<usize>,
    /// Put before the path of a page to make its address.
    pub base_url: String,
    /// Dimensions of vectors; 0 builds without.
    pub dims: usize,
    /// Bits per dimension of all vectors: 3, 4 or 8. Unset: 3 where a question looks at a part of them, 4 on smaller sites
    /// and for a model's vectors.
    pub bits: Option<u8>,
    /// Default weight of the vector score.
    pub alpha: f32,
    /// Groups of pages whose vectors a question looks at, besides those of its keyword hits; 0: all. Unset: by size.
    pub probes: Option<u32>,
    /// Extract entities and relations by rules, for questions that ask for the graph.
    pub graph: bool,
    /// Bytes at which a dictionary part is closed, for tests that want many parts; unset: what suits a site.
    #[doc(hidden)]
    #[serde(skip)]
    pub term_part_bytes: Option<usize>,
    /// Bytes of text in a piece of a long page, for tests that want many pieces; unset: what suits a site.
    #[doc(hidden)]
    #[serde(skip)]
    pub text_piece_bytes: Option<usize>,
    /// The documents are the pages of a site: decide on their addresses, languages, versions, copies and kinds from
    /// what they say. Unset: documents are taken as they are.
    pub site: Option<SiteOptions>,
}

/// Up to so many bytes of texts and kept files a bundle is one file. The whole is then three times as much at most, about
/// what a first question fetches of a larger one.
pub const SINGLE_FILE_TEXTS_UP_TO: usize = 30_000;

/// Files up to which a question looks at every vector: they are then at most 70 kB, in a request or two.
const ALL_VECTORS_UP_TO: usize = 2_000;

/// Files up to which a folder with nothing but its index is a directory: these are then at most 25 kB, which the first
/// question of a walk loads.
const OWN_FOLDERS_UP_TO: usize = 500;

impl BuildOptions {
    /// True if a folder of a site of `n_files` stays a directory where it holds its index and nothing else.
    pub(super) fn keeps_folders(&self, n_files: usize) -> bool {
        n_files <= OWN_FOLDERS_UP_TO && self.looks_at_all(n_files)
    }

    /// True if a question looks at every vector of a site of `n_files`, and walks through its directories.
    pub(super) fn looks_at_all(&self, n_files: usize) -> bool {
        match self.probes {
            Some(probes) => probes == 0,
            None => n_files <= ALL_VECTORS_UP_TO,
        }
    }
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            name: "docs".into(),
            mounts: Vec::new(),
            single_file: None,
            large_packs: false,
            general_words: None,
            base_url: String::new(),
            // With 4 bits the measured knee (spec/embedding.md §6).
            dims: 64,
            bits: None,
            alpha: 0.3,
            probes: None,
            graph: false,
            term_part_bytes: None,
            text_piece_bytes: None,
            site: None,
        }
    }
}
