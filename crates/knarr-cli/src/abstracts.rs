//! `knarr inspect --abstracts`: directories whose abstract tells nothing but names.

use crate::disk;
use crate::failure::Outcome;
use crate::output;
use knarr::Knarr;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// An abstract is a list of names when less than this share of its letters is outside of names.
const TOLD: f64 = 1.0 / 3.0;

/// The abstracts of a bundle, counted.
#[derive(Serialize)]
struct Abstracts {
    directories: usize,
    /// Share of the directories that `names` are.
    share_of_names: f64,
    /// Directories with an abstract of titles and names only: their own and their children's.
    names: Vec<Named>,
    /// Directories and files whose abstract ends in a colon.
    open: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    uri: String,
    #[serde(rename = "abstract")]
    text: String,
}

/// Prints the counts and lists them.
pub fn run(bundle: &Knarr, host: &disk::DiskHost, json: bool) -> Outcome {
    let nodes = pollster::block_on(bundle.stored(host))?;
    let mut children: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for node in &nodes {
        let (parent, name) = node.uri.rsplit_once('/').unwrap_or(("", &node.uri));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let title = node.overview.lines().next().unwrap_or("");
        let names = [name, stem, title].map(folded);
        children.entry(&node.uri).or_default().extend(names.clone());
        children.entry(parent).or_default().extend(names);
    }
    let mut found = Abstracts {
        directories: nodes.iter().filter(|node| node.is_dir).count(),
        share_of_names: 0.0,
        names: Vec::new(),
        open: Vec::new(),
    };
    for node in &nodes {
        let named = || Named {
            uri: node.uri.clone(),
            text: node.abstract_.clone(),
        };
        if node.is_dir && is_names(&node.abstract_, &children[&node.uri[..]]) {
            found.names.push(named());
        }
        if node.abstract_.trim_end().ends_with([':', '：']) {
            found.open.push(named());
        }
    }
    found.share_of_names = found.names.len() as f64 / found.directories.max(1) as f64;
    if json {
        return output::json(&found);
    }
    let mut text = format!(
        "{} directories, {} of them ({:.1} %) told by names only, {} abstracts end in a colon\n",
        found.directories,
        found.names.len(),
        100.0 * found.share_of_names,
        found.open.len()
    );
    for named in found.names.iter().chain(&found.open) {
        text += &format!("{}\n    {}\n", named.uri, named.text);
    }
    output::text(&text)
}

/// Words in lower case with single spaces between and around them.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!(" {} ", words.join(" "))
}

fn is_names(text: &str, names: &BTreeSet<String>) -> bool {
    let mut left = folded(text);
    let n_letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let n_all = n_letters(&left);
    let mut names: Vec<&String> = names.iter().filter(|name| name.len() > 2).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        left = left.replace(name.as_str(), "  ");
    }
    (n_letters(&left) as f64) < n_all as f64 * TOLD || n_all == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_names_are_told_from_sentences() {
        let names = ["Letters", "Alpha", "Beta", "a", "b"].map(folded).into();
        assert!(is_names("Letters: Alpha, Beta.", &names));
        assert!(is_names("Letters.", &names));
        assert!(is_names("", &names));
        assert!(!is_names("Letters: copper kettle; tea leaves.", &names));
        assert!(!is_names(
            "Alpha is the first letter, Beta the second.",
            &names
        ));
    }
}
