//! A folder of pages as documents.

use super::Read;
use super::faults::Faults;
use super::progress::Progress;
use crate::failure::Outcome;
use knarr::indexer::input::{self, InputFile, InputOptions, SkipReason, Skipped};
use knarr::indexer::{Builder, Memo};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Bytes of pages parsed before their documents are prepared: bounds what is held unprepared at a time.
const BATCH_BYTES: u64 = 16 * 1024 * 1024;
/// Pages of a batch, at most: the bar moves that often.
const BATCH_PAGES: usize = 256;
/// Hundredths of the pages with `noindex` from which on it says nothing of single ones.
const NEARLY_ALL: usize = 95;

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
    if scan.lacks_history {
        read.warnings.push(format!(
            "--git-dates: git tells no dates of {}: no commit has a file of it, or the clone is shallow (`git fetch --unshallow` completes it)",
            root.display()
        ));
    }
    if scan.idle_includes.len() < options.include.len() {
        let idle = scan.idle_includes.iter();
        let said = idle.map(|glob| format!("--include {glob}: no file matches it"));
        read.warnings.extend(said);
    }
    let (sitemap, versions) = input::site_files(root);
    read.list.site = (sitemap.clone(), versions.clone());
    builder.site_files(sitemap, versions);
    let without_robots = without_robots(options);
    let mut reading = Reading {
        options,
        builder: &mut *builder,
        memo,
        progress,
        folders: HashSet::from([String::new()]),
        faults: Faults::default(),
        read,
    };
    reading.files(&scan.files.iter().collect::<Vec<_>>())?;
    if let Some(files) = reading.asks_all_away(&scan.files) {
        reading.options = &without_robots;
        reading.files(&files)?;
    }
    let Reading {
        folders,
        faults,
        mut read,
        ..
    } = reading;
    read.warnings.extend(faults.said());
    read_sidecars(&scan.sidecars, &folders, options, builder, &mut read)?;
    read.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    read.list.pages.sort();
    Ok(read)
}

/// The reading of the files of a folder.
struct Reading<'a> {
    options: &'a InputOptions,
    builder: &'a mut Builder,
    memo: Option<&'a dyn Memo>,
    progress: &'a mut Progress,
    /// Folders that hold documents.
    folders: HashSet<String>,
    faults: Faults,
    read: Read,
}

impl Reading<'_> {
    /// Adds the documents of `files`, batch by batch.
    fn files(&mut self, files: &[&InputFile]) -> Outcome {
        self.progress.begin("reading", files.len() as u64);
        let mut rest = files;
        while !rest.is_empty() {
            let (batch, remaining) = rest.split_at(batch_length(rest));
            rest = remaining;
            self.batch(batch)?;
            self.progress.advance(batch.len() as u64);
        }
        Ok(())
    }

    fn batch(&mut self, batch: &[&InputFile]) -> Outcome {
        let (refusing, options, memo) = (&*self.builder, self.options, self.memo);
        let parse = |file: &InputFile| match refusing.refusal(&file.path) {
            Some(reason) => Err(reason),
            None => input::parse_or_recall(file, options, memo),
        };
        let parsed: Vec<_> = self.progress.watch(options.max_page_time, |reading| {
            let read = |file: &&InputFile| reading.page(&file.path, || parse(file));
            batch.par_iter().map(read).collect()
        });
        let read = &mut self.read;
        let mut documents = Vec::with_capacity(batch.len());
        for (file, outcome) in batch.iter().zip(parsed) {
            match outcome {
                Ok(document) => {
                    read.bytes += file.bytes;
                    note_folders(&file.path, &mut self.folders);
                    self.faults.add(&document);
                    read.list.pages.push(file.path.clone());
                    documents.push(document);
                }
                Err(reason) => {
                    self.faults.add_skipped(&file.path, &reason);
                    let path = file.path.clone();
                    read.skipped.push(Skipped { path, reason });
                }
            }
        }
        Ok(self.builder.add_batch(documents)?)
    }

    /// The HTML files with `noindex` where nearly every page has it: an old version of a site, or a copy for tests, which
    /// web searches must not list and whose own search has nothing else. They are no longer among those left out.
    fn asks_all_away<'f>(&mut self, files: &'f [InputFile]) -> Option<Vec<&'f InputFile>> {
        let is_away = |file: &Skipped| {
            let is_html = file.path.ends_with("html") || file.path.ends_with(".htm");
            file.reason == SkipReason::NoIndex && is_html
        };
        let skipped = &mut self.read.skipped;
        let away = skipped.iter().filter(|file| is_away(file));
        let away: HashSet<String> = away.map(|file| file.path.clone()).collect();
        let n_pages = away.len() + self.read.list.pages.len();
        if away.is_empty() || away.len() * 100 < n_pages * NEARLY_ALL {
            return None;
        }
        skipped.retain(|file| !is_away(file));
        self.read.warnings.push(format!(
            "{} of {n_pages} pages have noindex, as those of an old version or of a copy for tests do, and are read all the same (--exclude GLOB leaves pages out)",
            away.len()
        ));
        let again = files.iter().filter(|file| away.contains(&file.path));
        Some(again.collect())
    }
}

/// The same options, under which `<meta name="robots">` says nothing.
fn without_robots(options: &InputOptions) -> InputOptions {
    let mut options = options.clone();
    options.skip_fields.push("robots".to_owned());
    options
}

/// A path that threads may open at the same time. The C library of WebAssembly makes relative paths whole in one buffer for
/// all threads, and would open one page in the place of another (wasi-libc, `make_absolute`).
pub fn whole(path: &Path) -> PathBuf {
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
fn batch_length(files: &[&InputFile]) -> usize {
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
        let length = |files: &[InputFile]| batch_length(&files.iter().collect::<Vec<_>>());
        assert_eq!(length(&vec![file(10); 1000]), BATCH_PAGES);
        assert_eq!(length(&[file(BATCH_BYTES + 1), file(1)]), 1);
        assert_eq!(length(&[file(BATCH_BYTES), file(1)]), 1);
        assert_eq!(length(&[file(1), file(BATCH_BYTES - 1), file(1)]), 2);
    }
}
