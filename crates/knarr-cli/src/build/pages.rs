//! A folder of pages as documents.

use super::Read;
use super::progress::Progress;
use crate::failure::Outcome;
use knarr::indexer::input::{self, InputFile, InputOptions, Skipped};
use knarr::indexer::{Builder, Memo};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Bytes of pages parsed before their documents are prepared: bounds what is held unprepared at a time.
const BATCH_BYTES: u64 = 16 * 1024 * 1024;
/// Pages of a batch, at most: the bar moves that often.
const BATCH_PAGES: usize = 256;

/// Parses every page below `root` on all cores and adds the documents in order.
pub fn read(
    root: &Path,
    options: &InputOptions,
    builder: &mut Builder,
    memo: Option<&dyn Memo>,
    progress: &mut Progress,
) -> Outcome<Read> {
    progress.begin("listing", 0);
    let root = &whole(root);
    let scan = input::scan(root, options)?;
    let mut read = Read {
        skipped: scan.skipped,
        ..Read::default()
    };
    let (sitemap, versions) = input::site_files(root);
    read.list.site = (sitemap.clone(), versions.clone());
    builder.site_files(sitemap, versions);
    progress.begin("reading", scan.files.len() as u64);
    let mut folders = HashSet::from([String::new()]);
    let mut rest = &scan.files[..];
    while !rest.is_empty() {
        let (batch, remaining) = rest.split_at(batch_length(rest));
        rest = remaining;
        let refusing = &*builder;
        let parse = |file: &InputFile| match refusing.refusal(&file.path) {
            Some(reason) => Err(reason),
            None => input::parse_or_recall(file, options, memo),
        };
        let parsed: Vec<_> = progress.watch(options.max_page_time, |reading| {
            let read = |file: &InputFile| reading.page(&file.path, || parse(file));
            batch.par_iter().map(read).collect()
        });
        let mut documents = Vec::with_capacity(batch.len());
        for (file, outcome) in batch.iter().zip(parsed) {
            match outcome {
                Ok(document) => {
                    read.bytes += file.bytes;
                    note_folders(&file.path, &mut folders);
                    read.list.pages.push(file.path.clone());
                    documents.push(document);
                }
                Err(reason) => read.skipped.push(Skipped {
                    path: file.path.clone(),
                    reason,
                }),
            }
        }
        builder.add_batch(documents)?;
        progress.advance(batch.len() as u64);
    }
    read_sidecars(&scan.sidecars, &folders, options, builder, &mut read)?;
    read.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(read)
}

/// A path that threads may open at the same time. The C library of WebAssembly makes relative paths whole in one buffer for
/// all threads, and would open one page in the place of another (wasi-libc, `make_absolute`).
fn whole(path: &Path) -> PathBuf {
    let whole = cfg!(target_os = "wasi").then(|| std::path::absolute(path));
    match whole {
        Some(Ok(whole)) => whole,
        _ => path.to_path_buf(),
    }
}

/// Adds the folders that `path` lies in.
fn note_folders(path: &str, folders: &mut HashSet<String>) {
    let mut path = path;
    while let Some((folder, _)) = path.rsplit_once('/') {
        if !folders.insert(folder.to_owned()) {
            break;
        }
        path = folder;
    }
}

/// Gives the folders that hold documents the texts of their sidecars.
fn read_sidecars(
    sidecars: &[InputFile],
    folders: &HashSet<String>,
    options: &InputOptions,
    builder: &mut Builder,
    read: &mut Read,
) -> Outcome {
    for file in sidecars {
        match input::parse_sidecar(file, options) {
            Ok((folder, is_overview, text)) => {
                if folders.contains(&folder) {
                    read.bytes += file.bytes;
                    describe(builder, &folder, is_overview, text.clone())?;
                }
                // Another shard may have the pages that it is about.
                read.list.sidecars.push((folder, is_overview, text));
            }
            Err(reason) => read.skipped.push(Skipped {
                path: file.path.clone(),
                reason,
            }),
        }
    }
    Ok(())
}

/// Gives a folder the text of one of its sidecars.
pub fn describe(builder: &mut Builder, folder: &str, is_overview: bool, text: String) -> Outcome {
    let (abstract_, overview) = match is_overview {
        true => (None, Some(text)),
        false => (Some(text), None),
    };
    Ok(builder.describe(folder, abstract_, overview)?)
}

/// Number of files in the next batch; at least one.
fn batch_length(files: &[InputFile]) -> usize {
    let mut bytes = 0;
    let fit = files.iter().take(BATCH_PAGES).take_while(|file| {
        bytes += file.bytes;
        bytes <= BATCH_BYTES
    });
    fit.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: u64) -> InputFile {
        InputFile {
            bytes,
            ..InputFile::default()
        }
    }

    #[test]
    fn batches_are_bounded_and_never_empty() {
        assert_eq!(batch_length(&vec![file(10); 1000]), BATCH_PAGES);
        assert_eq!(batch_length(&[file(BATCH_BYTES + 1), file(1)]), 1);
        assert_eq!(batch_length(&[file(BATCH_BYTES), file(1)]), 1);
        assert_eq!(batch_length(&[file(1), file(BATCH_BYTES - 1), file(1)]), 2);
    }
}
