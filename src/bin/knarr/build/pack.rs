//! A .ovpack as documents.

use super::Read;
use super::progress::Progress;
use crate::failure::{Outcome, invalid, io_failure};
use knarr::build::Builder;
use knarr::build::input::InputOptions;
use knarr::build::ovpack::{Limits, Pack, PackVectors};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Whether `input` is named like a pack.
pub fn is_pack(input: &Path) -> bool {
    input
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("ovpack"))
}

/// Reads and proves a pack.
pub fn open(input: &Path, options: &InputOptions) -> Outcome<Pack> {
    if !(options.include.is_empty() && options.exclude.is_empty()) {
        let what = "--include and --exclude choose files of a folder: a .ovpack is taken whole";
        return Err(invalid(what));
    }
    let file = File::open(input).map_err(|error| io_failure("cannot read", input, error))?;
    let name = input.display().to_string();
    Ok(Pack::read(BufReader::new(file), &name, &Limits::default())?)
}

/// Adds the pack's documents and directories.
pub fn read(
    pack: Pack,
    options: &InputOptions,
    builder: &mut Builder,
    progress: &mut Progress,
) -> Outcome<Read> {
    progress.begin("reading", pack.files.len() as u64);
    let imported = pack.add_to(builder, "", options)?;
    Ok(Read {
        bytes: imported.bytes,
        skipped: imported.unindexed,
        vectors: imported.vectors,
    })
}

/// The vectors of a pack, in a report.
#[derive(Serialize)]
pub struct Vectors {
    count: usize,
    dimensions: usize,
    model: Option<String>,
}

impl Vectors {
    pub fn of(vectors: &PackVectors) -> Self {
        Self {
            count: vectors.rows.len(),
            dimensions: vectors.dims,
            model: vectors.embedding.model.clone(),
        }
    }

    /// For people.
    pub fn said(&self) -> String {
        let model = self
            .model
            .as_deref()
            .unwrap_or("a model that it does not name");
        format!(
            "the pack's {} vectors of {} dimensions ({model}) were read and are not in the bundle: it has vectors of its own",
            self.count, self.dimensions
        )
    }
}
