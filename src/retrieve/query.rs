//! What is asked: options of `find`, `grep`, `glob` and the reading calls, with one documented default per field.

use serde::Deserialize;

/// One value or a list of values, as the documents' request shapes allow.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// A single value.
    One(T),
    /// Several values.
    Many(Vec<T>),
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> OneOrMany<T> {
    /// The values as a slice.
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

/// How `find` searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The mode that measures best on the labelled data (see ARCHITECTURE.md).
    #[default]
    Auto,
    /// Flat hybrid search: no recursion through directories.
    Quick,
    /// Hierarchical walk over directories with score propagation.
    Thinking,
}

/// Options of `find`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindOptions {
    /// Search only at and below these `viking://` URIs. Empty: everywhere.
    pub target_uri: OneOrMany<String>,
    /// How many results, best first. 0 gives none.
    pub limit: usize,
    /// Drop results whose score is not above this, in [0, 1].
    pub score_threshold: Option<f32>,
    /// Levels wanted: 0 abstracts and 1 overviews of directories, 2 files. Empty: files.
    pub level: OneOrMany<u8>,
    /// Flat or hierarchical.
    pub mode: Mode,
    /// Weight of the vector score in the mix: 0 keywords only, 1 vectors only. Unset: the bundle's own.
    pub alpha: Option<f32>,
    /// A query vector made elsewhere, in the bundle's own space; the words' vectors are then not used.
    pub vector: Option<Vec<f32>>,
    /// Treat the last word as unfinished and complete it. On by default: people type.
    pub prefix: bool,
    /// Fetch the texts of the results and cut excerpts and section hits out of them.
    pub excerpts: bool,
}

impl Default for FindOptions {
    fn default() -> Self {
        Self {
            target_uri: OneOrMany::default(),
            limit: 10,
            score_threshold: None,
            level: OneOrMany::default(),
            mode: Mode::Auto,
            alpha: None,
            vector: None,
            prefix: true,
            excerpts: true,
        }
    }
}

/// Options of `grep` (spec: OpenViking §2.7).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GrepOptions {
    /// Ignore case.
    pub case_insensitive: bool,
    /// Stop after this many matching lines.
    pub node_limit: usize,
    /// Maximum depth of a file below the URI.
    pub level_limit: usize,
    /// Leave out this URI and everything below it (whole segments).
    pub exclude_uri: Option<String>,
}

impl Default for GrepOptions {
    fn default() -> Self {
        Self {
            case_insensitive: false,
            node_limit: 256,
            level_limit: 10,
            exclude_uri: None,
        }
    }
}

/// Options of `glob` (spec: OpenViking §2.8).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobOptions {
    /// Stop after this many matches.
    pub node_limit: usize,
}

impl Default for GlobOptions {
    fn default() -> Self {
        Self { node_limit: 256 }
    }
}

/// Options of `read`: a range of lines.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// First line, counted from 0.
    pub offset: usize,
    /// Number of lines; -1 to the end.
    pub limit: i64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: -1,
        }
    }
}

/// Options of `ls` and `tree` (spec: OpenViking §5.2).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListOptions {
    /// Cut abstracts to this many characters.
    pub abs_limit: usize,
    /// Stop after this many rows.
    pub node_limit: usize,
    /// `tree` only: how many levels deep.
    pub level_limit: usize,
    /// `ls` only: everything below, not only the children.
    pub recursive: bool,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            abs_limit: 256,
            node_limit: 1000,
            level_limit: 3,
            recursive: false,
        }
    }
}
