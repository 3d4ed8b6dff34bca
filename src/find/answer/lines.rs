//! The answers of `grep` and `glob` (spec: OpenViking §2.7–2.8).

use serde::Serialize;

/// One matching line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepMatch {
    /// Line number, counted from 1.
    pub line: u32,
    /// The file.
    pub uri: String,
    /// The line.
    pub content: String,
}

/// The answer of `grep`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepResult {
    /// Matching lines, files in tree order.
    pub matches: Vec<GrepMatch>,
    /// Files with a match, in place of the lines, on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<GrepFile>,
    /// Number of matches returned, or of files.
    pub count: usize,
    /// Number of matching lines in what is returned; not of those behind it.
    pub match_count: usize,
    /// Number of files read.
    pub files_scanned: usize,
    /// True if it stopped at `node_limit`: more lines, or files that were not read. The rest begins at `offset` + `count`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// A file with matching lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepFile {
    /// The file.
    pub uri: String,
    /// Number of its matching lines.
    pub count: usize,
}

/// The answer of `glob`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GlobResult {
    /// Matching URIs, ordered by path components.
    pub matches: Vec<String>,
    /// Number of matches returned.
    pub count: usize,
    /// True if there are more than `node_limit` lets through: the rest begins at `offset` + `count`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}
