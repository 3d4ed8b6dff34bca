//! `knarr merge`: shards that were read apart, made into the bundle that one build of all their pages makes.
//!
//! A shard is the folder of `build --cache`: the documents of its pages, and the list that says which. What depends on
//! all pages – stems, the vector space, copies, summaries of folders – is decided here, as at the end of every build.

use crate::build::progress::Progress;
use crate::build::{Place, Shard, describe, is_single_file, print_summary, read_owner, tell};
use crate::failure::{Failure, Outcome};
use crate::output;
use knarr::indexer::input::{Owner, recall};
use knarr::indexer::{BuildSummary, Builder, Built, Memo, MemoKey};
use knarr::{Error, ErrorKind};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `knarr merge`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folders that `build --cache` wrote, from the same version of knarr and with the same options of the build.
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// The bundle to write: a folder, or with the extension .knarr one file.
    #[arg(short, long, value_name = "BUNDLE")]
    out: PathBuf,
    /// The file of the site's owner, as of `build --site-file`.
    #[arg(long, value_name = "FILE")]
    site_file: Option<PathBuf>,
    /// Print only errors.
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Documents read at a time.
const BATCH: usize = 256;

/// Runs `knarr merge`.
pub fn run(arguments: &Arguments) -> Outcome {
    let shards = arguments.shards.iter().map(|folder| Shard::open(folder));
    let shards: Vec<Shard> = shards.collect::<Outcome<_>>()?;
    for (shard, folder) in shards.iter().zip(&arguments.shards) {
        if shard.list.made != shards[0].list.made {
            let what = format!(
                "{} and {} were built with other options: build both with the same",
                arguments.shards[0].display(),
                folder.display()
            );
            return Err(Failure::Error(Error::new(
                ErrorKind::FailedPrecondition,
                what,
            )));
        }
    }
    let mut options = shards[0].list.made.options.clone();
    if is_single_file(&arguments.out) {
        options.single_file = Some(true);
        // As of a build of one file: the words that it holds by default.
        options.general_words = options.general_words.filter(|n| *n != usize::MAX);
    }
    let name = options.name.clone();
    let mut builder = Builder::new(options)?;
    builder.owner(owner(arguments).map_err(Failure::of_input)?);
    if !arguments.quiet {
        print_owner(&shards, arguments);
    }
    let place = Place::take(&arguments.out, &arguments.shards[0])?;
    let mut progress = Progress::new(arguments.quiet);
    read(&shards, arguments, &mut builder, &mut progress)?;
    builder.memo(Arc::new(Shards(shards)));
    let built = builder.finish(&mut |stage, done, total| progress.stage(stage, done, total));
    let built = built.map_err(|error| Failure::from(error).of_input())?;
    progress.finish();
    place.write(&built.files)?;
    print(arguments, &name, &built)
}

/// The output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    out: String,
    #[serde(flatten)]
    summary: &'a BuildSummary,
}

/// Prints what was written, and on standard error what the owner should know.
fn print(arguments: &Arguments, name: &str, built: &Built) -> Outcome {
    if !arguments.quiet {
        tell(&built.warnings);
    }
    match (arguments.json, arguments.quiet) {
        (true, _) => output::json(&Report {
            name,
            out: arguments.out.display().to_string(),
            summary: &built.summary,
        }),
        (_, true) => Ok(()),
        _ => print_summary(built, None, &arguments.out),
    }
}

/// Prints that the owner's file of the shards is left out, where none is named.
fn print_owner(shards: &[Shard], arguments: &Arguments) {
    let of_owner = shards.iter().position(|shard| shard.list.has_owner);
    if let (None, Some(at)) = (&arguments.site_file, of_owner) {
        let shard = arguments.shards[at].display();
        eprintln!(
            "warning: what the owner's file says, which {shard} was built with, is left out: name it with --site-file"
        );
    }
}

fn owner(arguments: &Arguments) -> Outcome<Owner> {
    let Some(file) = &arguments.site_file else {
        return Ok(Owner::default());
    };
    read_owner(file)
}

/// Adds the documents of all shards in the order of their paths, as one build reads them.
fn read(
    shards: &[Shard],
    arguments: &Arguments,
    builder: &mut Builder,
    progress: &mut Progress,
) -> Outcome {
    let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, shard) in shards.iter().enumerate() {
        for path in &shard.list.pages {
            if let Some(other) = pages.insert(path, number) {
                let (one, two) = (&arguments.shards[other], &arguments.shards[number]);
                let what = format!(
                    "'{path}' is in {} and in {}: a page belongs to one shard",
                    one.display(),
                    two.display()
                );
                return Err(Failure::Error(Error::new(ErrorKind::InvalidArgument, what)));
            }
        }
    }
    let site = shards.iter().map(|shard| &shard.list.site);
    let site = site.max_by_key(|site| site.0.len() + site.1.len());
    let (sitemap, versions) = site.cloned().unwrap_or_default();
    builder.site_files(sitemap, versions);
    let pages: Vec<(&str, usize)> = pages.into_iter().collect();
    progress.begin("reading", pages.len() as u64);
    for batch in pages.chunks(BATCH) {
        let document = |&(path, number): &(&str, usize)| {
            let found = recall(&shards[number].pages, path);
            found.ok_or_else(|| lacking(&arguments.shards[number], path))
        };
        let documents: Vec<_> = batch.par_iter().map(document).collect::<Outcome<_>>()?;
        builder.add_batch(documents)?;
        progress.advance(batch.len() as u64);
    }
    let folders = pages.iter().flat_map(|&(path, _)| {
        let cuts = path.match_indices('/').map(move |(at, _)| &path[..at]);
        cuts.chain([""])
    });
    let folders: HashSet<&str> = folders.collect();
    let sidecars = shards.iter().flat_map(|shard| &shard.list.sidecars);
    // Each once: every shard has those of its root.
    let sidecars: BTreeMap<(&str, bool), &str> = sidecars
        .map(|(folder, is_overview, text)| ((&folder[..], *is_overview), &text[..]))
        .collect();
    for ((folder, is_overview), text) in sidecars {
        if folders.contains(folder) {
            describe(builder, folder, is_overview, text.to_owned())?;
        }
    }
    Ok(())
}

fn lacking(shard: &Path, path: &str) -> Failure {
    let what = format!(
        "{} does not have '{path}' as it was written: build the shard again",
        shard.display()
    );
    Failure::Error(Error::new(ErrorKind::FailedPrecondition, what))
}

/// The pages that the shards prepared.
struct Shards(Vec<Shard>);

impl Memo for Shards {
    fn get(&self, key: &MemoKey) -> Option<Vec<u8>> {
        self.0.iter().find_map(|shard| shard.pages.get(key))
    }

    fn put(&self, _: &MemoKey, _: &[u8]) {}
}
