//! A .ovpack as documents.

use super::Read;
use super::progress::Progress;
use crate::failure::{Failure, Outcome, invalid, io_failure};
use knarr::indexer::Builder;
use knarr::indexer::input::InputOptions;
use knarr::indexer::ovpack::{Imported, Limits, Pack};
use knarr::search::embedding::fingerprint;
use knarr::{Error, ErrorKind};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// True for a path named like a pack.
pub fn is_pack(input: &Path) -> bool {
    let extension = input.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ovpack")) && !input.is_dir()
}

/// Reads and proves a pack, one with vectors when those are wanted.
pub fn open(input: &Path, options: &InputOptions, with_vectors: bool) -> Outcome<Pack> {
    if !(options.include.is_empty() && options.exclude.is_empty()) {
        let what = "--include and --exclude choose files of a folder: a .ovpack is taken whole";
        return Err(invalid(what));
    }
    let file = File::open(input).map_err(|error| io_failure("cannot read", input, error))?;
    let name = input.display().to_string();
    let pack = Pack::read(BufReader::new(file), &name, &Limits::default())?;
    if with_vectors && pack.vectors.is_none() {
        return Err(Failure::Error(Error::new(
            ErrorKind::FailedPrecondition,
            "the pack has no vectors: export it with vectors, or build without --pack-vectors",
        )));
    }
    Ok(pack)
}

/// Place of the pack's root below the input.
const BELOW: &str = "";

/// Adds the pack's documents and directories.
pub fn read(
    pack: Pack,
    options: &InputOptions,
    builder: &mut Builder,
    progress: &mut Progress,
) -> Outcome<Read> {
    progress.begin("reading", pack.files.len() as u64);
    let mut imported = pack.add_to(builder, BELOW, options)?;
    Ok(Read {
        bytes: imported.bytes,
        skipped: std::mem::take(&mut imported.unindexed),
        pack: Some(imported),
        ..Read::default()
    })
}

/// Makes the pack's vectors those of the bundle.
pub fn search_with_vectors(read: &Read, builder: &mut Builder) -> Outcome {
    match &read.pack {
        Some(imported) => {
            let vectors = imported.vectors.as_ref();
            let encoder = vectors.map(|v| fingerprint(v.model(), v.dims as u32));
            Ok(imported.search_with_vectors(builder, BELOW, &encoder.unwrap_or_default())?)
        }
        None => Ok(()),
    }
}

/// The vectors of a pack, in a report.
#[derive(Serialize)]
pub struct Vectors {
    count: usize,
    dimensions: usize,
    model: Option<String>,
    query_param: Option<String>,
    searched: bool,
}

impl Vectors {
    /// `searched`: they are those of the bundle.
    pub fn of(imported: &Imported, searched: bool) -> Option<Self> {
        let vectors = imported.vectors.as_ref()?;
        Some(Self {
            count: vectors.rows.len(),
            dimensions: vectors.dims,
            model: vectors.embedding.model.clone(),
            query_param: vectors.embedding.query_param.clone(),
            searched,
        })
    }

    /// For people.
    pub fn said(&self) -> String {
        let model = self.model.as_deref();
        let model = model.unwrap_or("a model that it does not name");
        let what = format!(
            "the pack's {} vectors of {} dimensions ({model})",
            self.count, self.dimensions
        );
        if !self.searched {
            return format!(
                "{what} are not in the bundle, which has its own: --pack-vectors searches with them and keeps them"
            );
        }
        let param = match &self.query_param {
            Some(param) => format!(", query parameter {param}"),
            None => String::new(),
        };
        format!("{what} are searched with: by meaning only with an endpoint of that model{param}")
    }
}
