//! The cost of a first search: the bytes of the bundle that a page fetches for it, counted on the bundle that was written.

use crate::disk::DiskHost;
use knarr::find::ask::options::{FindOptions, ListOptions};
use knarr::{Fetched, Host, Knarr, Result};
use std::cell::Cell;
use std::path::Path;

/// Questions that are asked, each of a bundle that was just opened.
const QUESTIONS: usize = 9;
/// Nodes among which the pages of the questions are.
const NODES: usize = 2_000;
/// Words of a question, and the letters of the shortest.
const WORDS: usize = 4;
const LETTERS: usize = 4;

/// The disk as a host that counts what it is asked for.
struct Counting {
    disk: DiskHost,
    bytes: Cell<u64>,
}

impl Host for Counting {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let fetched = self.disk.fetch(file, range).await?;
        self.bytes
            .set(self.bytes.get() + fetched.bytes.len() as u64);
        Ok(fetched)
    }
}

/// The median of the bytes for questions in words of the pages' own abstracts; `None` where there are none.
///
/// A browser adds its scripts and the engine, once, and headers.
pub fn first_search(bundle: &Path) -> Option<u64> {
    let questions = questions(bundle).unwrap_or_default();
    let costs = questions.iter().map(|question| cost(bundle, question));
    let mut costs: Vec<u64> = costs.collect::<Result<_>>().ok()?;
    costs.sort_unstable();
    costs.get(costs.len() / 2).copied()
}

fn cost(bundle: &Path, question: &str) -> Result<u64> {
    let host = Counting {
        disk: DiskHost::new(bundle),
        bytes: Cell::new(0),
    };
    let options = FindOptions::default().limit(8);
    pollster::block_on(async {
        let knarr = Knarr::open(&host).await?;
        knarr.find(&host, question, &options).await
    })?;
    Ok(host.bytes.get())
}

/// Questions of pages that lie evenly in the tree.
fn questions(bundle: &Path) -> Result<Vec<String>> {
    let host = DiskHost::new(bundle);
    let options = ListOptions {
        node_limit: NODES,
        level_limit: usize::MAX,
        ..ListOptions::default()
    };
    let entries = pollster::block_on(async {
        let knarr = Knarr::open(&host).await?;
        knarr.tree(&host, "viking://", &options).await
    })?;
    let files = entries.iter().filter(|entry| !entry.is_dir);
    let all: Vec<String> = files.map(|entry| words(&entry.abstract_)).collect();
    let all: Vec<String> = all.into_iter().filter(|text| !text.is_empty()).collect();
    let step = all.len().div_ceil(QUESTIONS).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let long = words.filter(|word| word.chars().count() >= LETTERS);
    long.take(WORDS).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_made_of_the_longer_words() {
        assert_eq!(
            words("How to tie a bowline, and why it holds in the dark."),
            "bowline holds dark"
        );
        assert_eq!(
            words("ein Boot über Nacht festmachen, sicher"),
            "Boot über Nacht festmachen"
        );
        assert_eq!(words(""), "");
    }
}
