//! Parts of documents that were left out, told once for all documents that have them.

use knarr::indexer::Document;
use knarr::indexer::input::Skipped;
use std::collections::BTreeMap;

/// Faults with the number of documents, and the path of the first.
#[derive(Default)]
pub struct Faults(BTreeMap<String, (usize, String)>);

impl Faults {
    /// Takes in those of a document.
    pub fn add(&mut self, document: &Document) {
        for fault in &document.faults {
            let known = self.0.entry(fault.clone());
            let (n, _) = known.or_insert_with(|| (0, document.path.clone()));
            *n += 1;
        }
    }

    /// A line for each fault.
    pub fn said(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(fault, (n, first))| {
            let such = if n > 1 { "such as " } else { "" };
            format!("{fault} and left out ({}: {such}{first})", documents(n))
        })
    }
}

/// A number of documents, for people.
pub fn documents(n: usize) -> String {
    match n {
        1 => "1 document".to_owned(),
        n => format!("{n} documents"),
    }
}

/// The reason why a build has no page, where the globs of `--include` are to blame.
pub fn of_globs(include: &[String], skipped: &[Skipped]) -> String {
    match include.is_empty() || !skipped.is_empty() {
        true => String::new(),
        false => format!(
            ": --include names no page that is there ({})",
            include.join(", ")
        ),
    }
}
