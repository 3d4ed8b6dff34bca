//! Parts of documents that were left out, told once for all documents that have them.

use crate::output::plain;
use knarr::indexer::Document;
use knarr::indexer::input::{MALFORMED, SkipReason, Skipped};
use std::collections::BTreeMap;

/// Front matter that is named where it is faulty, at most.
const MOST_NAMED: usize = 3;

/// Faults with the number of documents, and the path of the first.
#[derive(Default)]
pub struct Faults {
    left_out: BTreeMap<String, (usize, String)>,
    /// Number of pages whose front matter does not parse, and the places in the first of them.
    malformed: (usize, Vec<String>),
    /// Number of notebooks that are none, and what is wrong with the first of them.
    damaged: (usize, Vec<String>),
}

impl Faults {
    /// Takes in those of a document.
    pub fn add(&mut self, document: &Document) {
        for fault in &document.faults {
            if let Some(line) = fault.strip_prefix(MALFORMED) {
                let (n, places) = &mut self.malformed;
                *n += 1;
                if places.len() < MOST_NAMED {
                    places.push(format!("{} line {line}", plain(&document.path)));
                }
                continue;
            }
            let known = self.left_out.entry(fault.clone());
            let (n, _) = known.or_insert_with(|| (0, document.path.clone()));
            *n += 1;
        }
    }

    /// Takes in a file that is left out.
    pub fn add_skipped(&mut self, path: &str, reason: &SkipReason) {
        let SkipReason::Damaged(why) = reason else {
            return;
        };
        let (n, named) = &mut self.damaged;
        *n += 1;
        if named.len() < MOST_NAMED {
            named.push(format!("{}: {why}", plain(path)));
        }
    }

    /// A line for each fault, and one for all front matter that does not parse.
    pub fn said(self) -> impl Iterator<Item = String> {
        let (n, places) = self.malformed;
        let malformed = (n > 0).then(|| {
            let such = if n > places.len() { "such as " } else { "" };
            format!(
                "front matter that is no YAML is read line by line, so its fields may be cut or missing ({}: {such}{})",
                documents(n),
                places.join(", ")
            )
        });
        let (n, named) = self.damaged;
        let damaged = (n > 0).then(|| {
            let such = if n > named.len() { "such as " } else { "" };
            format!(
                "notebooks that cannot be read are left out ({}: {such}{})",
                documents(n),
                named.join("; ")
            )
        });
        let left_out = self.left_out.into_iter().map(|(fault, (n, first))| {
            let such = if n > 1 { "such as " } else { "" };
            format!("{fault} and left out ({}: {such}{first})", documents(n))
        });
        malformed.into_iter().chain(damaged).chain(left_out)
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
