//! Folders of the input that go elsewhere in the tree (`--mount`).

use crate::failure::{Outcome, invalid};
use knarr::indexer::Document;
use std::cmp::Reverse;
use std::path::Path;

/// A folder below the input, empty for the input itself, and the URI that takes its place.
pub type Mount = (String, String);

/// Reads `FOLDER=URI`.
pub fn parse(text: &str) -> Result<Mount, String> {
    let (folder, uri) = text.split_once('=').ok_or("expected FOLDER=URI")?;
    let names = folder.split('/').filter(|name| !matches!(*name, "" | "."));
    let names: Vec<&str> = names.collect();
    if names.contains(&"..") {
        return Err("FOLDER is one of the input; `.` is the input itself".to_owned());
    }
    Ok((names.join("/"), uri.to_owned()))
}

/// The mounts in the order in which they are tried: a folder before the one that it lies in.
pub fn innermost_first(mounts: &[Mount]) -> Vec<Mount> {
    let mut mounts = mounts.to_vec();
    mounts.sort_by_key(|(folder, _)| Reverse(folder.len()));
    mounts
}

/// Fails for a folder that an input folder does not have: its documents would be looked for where they are not.
pub fn check(mounts: &[Mount], input: &Path) -> Outcome {
    let is_absent = |(folder, _): &&Mount| input.is_dir() && !input.join(folder).is_dir();
    match mounts.iter().find(is_absent) {
        Some((folder, uri)) => Err(invalid(format!(
            "--mount {folder}={uri}: there is no folder `{folder}` in {}",
            input.display()
        ))),
        None => Ok(()),
    }
}

/// Warnings about folders that hold no document.
pub fn unused(mounts: &[Mount], documents: &[Document]) -> Vec<String> {
    let is_below = |document: &Document, folder: &str| {
        let rest = document.path.strip_prefix(folder);
        folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let unused = mounts
        .iter()
        .filter(|(folder, _)| !documents.iter().any(|d| is_below(d, folder)));
    let said = |(folder, uri): &Mount| {
        format!("--mount {folder}={uri}: no document lies in `{folder}`, so that none is put there")
    };
    unused.map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_as_in_a_shell_and_the_inner_one_wins() {
        let uri = "viking://agent/x=y".to_owned();
        for (text, folder) in [
            ("a/b", "a/b"),
            ("/a//b/", "a/b"),
            ("./a", "a"),
            (".", ""),
            ("./", ""),
            ("", ""),
        ] {
            let read = parse(&format!("{text}={uri}"));
            assert_eq!(read, Ok((folder.to_owned(), uri.clone())), "{text}");
        }
        assert!(parse("../a=viking://agent").is_err() && parse("a").is_err());
        let mounts = [".", "a", "b", "a/b"].map(|folder| parse(&format!("{folder}={uri}")));
        let ordered = innermost_first(&mounts.map(|mount| mount.expect("a mount")));
        let folders: Vec<&str> = ordered.iter().map(|(folder, _)| folder.as_str()).collect();
        assert_eq!(folders, ["a/b", "a", "b", ""]);
    }
}
