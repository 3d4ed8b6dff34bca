//! What is asked: options of `find`, `grep`, `glob` and the reading calls, with one documented default per field.

use super::filter::{TimeField, Value};
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
    /// What measures best (docs/MEASUREMENTS.md): a walk on sites of up to about 2,000 files, flat search on larger ones.
    #[default]
    Auto,
    /// Flat hybrid search: no recursion through directories.
    Quick,
    /// Hierarchical walk over directories with score propagation.
    Thinking,
}

/// How the walk of [`Mode::Thinking`] goes (spec: OpenViking §1.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Preset {
    /// v0.2.6: files are found only inside directories that the walk opened.
    #[serde(rename = "classic")]
    Classic,
    /// v0.2.14: classic, and the best files are candidates from the start.
    #[default]
    #[serde(rename = "classic+leaves")]
    ClassicLeaves,
    /// v0.4.16: four directories a round, nothing is passed on.
    #[serde(rename = "current")]
    Current,
}

/// Options of `find`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindOptions {
    /// Search only at and below these `viking://` URIs. Empty: everywhere.
    pub target_uri: OneOrMany<String>,
    /// How many results, best first. 0 gives none.
    pub limit: usize,
    /// The documents' other name of `limit`; wins over it.
    pub node_limit: Option<usize>,
    /// Drop results whose score is not above this, in [0, 1].
    pub score_threshold: Option<f32>,
    /// Levels wanted: 0 abstracts and 1 overviews of directories, 2 files. A number, a list, or text such as `0,2`;
    /// what is no number in it is passed over. Empty: files.
    pub level: Value,
    /// Flat or hierarchical.
    pub mode: Mode,
    /// Which walk, when hierarchical.
    pub preset: Preset,
    /// A filter in the documents' language (spec: OpenViking §2.5). Null or empty: none.
    pub filter: Value,
    /// Only contexts that carry all of these tags, `key=value` or single words.
    pub tags: Vec<String>,
    /// Only these types: `memory`, `resource`, `skill`; several in one text with commas.
    pub context_type: OneOrMany<String>,
    /// Only contexts whose time is not before this: `2h`, `7d`, `2026-03-11`, or an ISO 8601 instant.
    pub since: Option<String>,
    /// Only contexts whose time is not after this.
    pub until: Option<String>,
    /// Which time `since` and `until` are about.
    pub time_field: TimeField,
    /// The current user's id: what `~` means, and whose memories may be seen. Unset: the whole bundle, no `~`.
    pub user: Option<String>,
    /// The peer that acts for the user: narrows what is searched to that peer's memories and resources.
    pub actor_peer: Option<String>,
    /// The caller's time in milliseconds since 1970 UTC, for `2h` and `{calendar:today}`.
    pub now: Option<i64>,
    /// Minutes that the caller's local time is ahead of UTC, for `{calendar:today}`.
    pub utc_offset_minutes: i64,
    /// Weight of the vector score in the mix: 0 keywords only, 1 vectors only. Unset: the bundle's own.
    pub alpha: Option<f32>,
    /// A query vector made elsewhere, in the bundle's own space; the words' vectors are then not used.
    pub vector: Option<Vec<f32>>,
    /// Weight of the entity graph in the mix: 0 does not ask it, 1 leaves only what it found. Unset: not asked.
    pub graph: Option<f32>,
    /// Onyx's choices (see [`crate::find::onyx::options::Hybrid`]): an object. Null: none, Knarr's own ranking.
    pub hybrid: Value,
    /// Tell how the score of each result came about.
    pub explain: bool,
    /// Tell the course of the question.
    pub trace: bool,
    /// Tell what was done, in numbers.
    pub telemetry: bool,
    /// Tell what each result links to: at most five contexts, with the reason.
    pub relations: bool,
    /// Languages wanted, dearest first, as BCP 47 tags: `pt` and `pt-BR` are one. `*`: all. Empty: the site's own.
    pub lang: OneOrMany<String>,
    /// Versions wanted, as the site writes them. `*`: all. Empty: the newest stable one.
    pub version: OneOrMany<String>,
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
            node_limit: None,
            score_threshold: None,
            level: Value::Null,
            mode: Mode::Auto,
            preset: Preset::default(),
            filter: Value::Null,
            tags: Vec::new(),
            context_type: OneOrMany::default(),
            since: None,
            until: None,
            time_field: TimeField::default(),
            user: None,
            actor_peer: None,
            now: None,
            utc_offset_minutes: 0,
            alpha: None,
            vector: None,
            graph: None,
            hybrid: Value::Null,
            explain: false,
            trace: false,
            telemetry: false,
            relations: false,
            lang: OneOrMany::default(),
            version: OneOrMany::default(),
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
    /// A memory as it is stored: with the comment of its fields at the end.
    pub raw: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            offset: 0,
            limit: -1,
            raw: false,
        }
    }
}

/// What rows of a directory are ordered by. Directories stand before files in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortBy {
    /// Names, without regard to case.
    #[default]
    Name,
    /// Times of change; what has none counts as oldest. Ties by name.
    Mtime,
}

/// Which way rows are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SortOrder {
    /// Smallest first.
    #[default]
    Asc,
    /// Largest first.
    Desc,
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
    /// Hidden files and the sidecars, too.
    pub show_all_hidden: bool,
    /// What the rows of each directory are ordered by.
    pub sort_by: SortBy,
    /// Which way.
    pub sort_order: SortOrder,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self {
            abs_limit: 256,
            node_limit: 1000,
            level_limit: 3,
            recursive: false,
            show_all_hidden: false,
            sort_by: SortBy::Name,
            sort_order: SortOrder::Asc,
        }
    }
}
