//! The form in which rows and questions are written for an engine: each has a file with its own.

use super::row::{Numbers, Row};
use knarr::engine::points::{Defaults, Folder, Language, Terms};
use serde::Serialize;
use std::collections::BTreeSet;

/// The collection as its schema and questions name it.
pub struct Setup {
    /// Name of the collection, index or table: lower-case letters, digits and `_`.
    pub name: String,
    /// Dimensions of the dense vectors; 0: there are none.
    pub dims: u32,
    /// Encoder that made them.
    pub encoder: String,
    /// Weight of the vectors in a question that names none.
    pub alpha: f32,
    /// Language and version of a question that names none.
    pub defaults: Defaults,
    /// Name of the bundle as it was given.
    pub bundle: String,
}

/// A question as an engine is asked it.
pub struct Asked {
    /// Words by their numbers, with their weights; empty when only the vector is asked for.
    pub sparse: Vec<(u32, f32)>,
    /// The vector; empty when only words are asked for.
    pub dense: Vec<f32>,
    /// Weight of the vector where both are asked for.
    pub alpha: f32,
    /// Results wanted.
    pub limit: usize,
}

/// A file of rows.
pub struct Output {
    /// Its name.
    pub file: &'static str,
    /// Text before the first row.
    pub head: String,
    /// Text after the last.
    pub foot: &'static str,
}

/// The site as a whole, beside its rows.
pub struct Site<'a> {
    /// The collection.
    pub setup: &'a Setup,
    /// Its words.
    pub terms: &'a Terms,
    /// Their numbers.
    pub words: &'a [u32],
    /// The words of the language beside them.
    pub language: &'a Language,
    /// Its directories.
    pub folders: &'a [Folder],
    /// Languages of its rows; none on a site of one.
    pub languages: &'a BTreeSet<String>,
    /// Versions of its rows; none on a site of one.
    pub versions: &'a BTreeSet<String>,
}

/// The texts that an engine takes.
pub trait Format {
    /// Files beside the rows: schema, scripts.
    fn files(&self, setup: &Setup) -> Vec<(&'static str, String)>;

    /// Files of rows.
    fn outputs(&self, setup: &Setup) -> Vec<Output>;

    /// Writes the rows of one page, to each output what is its own.
    fn put(&self, rows: &[Row<'_>], out: &mut [String]);

    /// True where a page can ask the engine: [`Format::site`] is then called.
    fn is_asked_by_pages(&self) -> bool {
        false
    }

    /// Writes what a page asks of the engine besides rows.
    fn site(&self, _site: &Site<'_>, _numbers: &mut Numbers, _out: &mut [String]) {}

    /// A question, to be sent as it is.
    fn question(&self, setup: &Setup, asked: &Asked) -> String;

    /// The README's part on loading and asking: Markdown.
    fn steps(&self, setup: &Setup) -> String;
}

/// A value as one line of JSON.
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are JSON")
}
