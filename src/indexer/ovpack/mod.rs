//! `.ovpack` version 3: OpenViking's dump of a tree in one ZIP file, read with every check, and written.
//!
//! Source: spec openviking.md §6.4. What a pack means to the builder is in `import`, what a bundle gives to a pack in
//! `export`; between them stands a [`Pack`], which knows nothing of either.

mod archive;
mod dense;
mod export;
mod import;
mod manifest;
mod paths;
mod records;
mod vectors;
mod write;

pub use archive::Limits;
pub use dense::{Embedding, PackVectors};
pub use export::Exported;
pub use import::Imported;

use crate::base::error::{Error, ErrorKind, Result};
use archive::Archive;
use records::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

const KIND: &str = "openviking.ovpack";
const VERSION: u64 = 3;
const MANIFEST: &str = "_ovpack/manifest.json";
const RECORDS: &str = "_ovpack/index_records.jsonl";
const DENSE: &str = "_ovpack/dense.f32";
const BACKUP: &str = "openviking-backup";
/// Sidecar files by level.
const SIDECARS: [&str; 2] = [".abstract.md", ".overview.md"];

/// The place of a pack's files in the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Root {
    /// Name of the folder in the archive, and last segment of the URI.
    pub name: String,
    /// URI of the directory; `viking://` for a backup.
    pub uri: String,
    /// `resources` or `user`; `root` for a backup.
    pub scope: String,
    /// Whose files these are, below `viking://user/`.
    pub user_id: Option<String>,
    /// Scopes of a backup; `None` for a pack of one directory.
    pub backup: Option<BTreeSet<String>>,
}

/// The contents of a `.ovpack`, checked. Paths are below the root, `/`-separated.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pack {
    /// The place of the files.
    pub root: Root,
    /// Every directory; the root is the empty path.
    pub directories: BTreeSet<String>,
    /// Every file with its bytes, sidecars included.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Vectors as the model made them, not normalized.
    pub vectors: Option<PackVectors>,
    /// In order of paths and levels.
    records: Vec<Record>,
}

impl Pack {
    /// Reads and proves a pack. `name` is what errors call it.
    ///
    /// Cost: the whole pack in memory, at most `limits.total_bytes`. *Errors*: `INVALID_ARGUMENT` naming the first thing
    /// that is not as the format has it; `IO` when reading fails.
    pub fn read(reader: impl Read + Seek, name: &str, limits: &Limits) -> Result<Self> {
        Self::proved(reader, limits)
            .map_err(|error| Error::new(error.kind(), format!("{name}: {}", error.message())))
    }

    fn proved(reader: impl Read + Seek, limits: &Limits) -> Result<Self> {
        let archive = Archive::read(reader, limits)?;
        let manifest = manifest::Manifest::read(&archive)?;
        let files = manifest.check_contents(&archive)?;
        let records = records::read(&archive, &manifest)?;
        let vectors = dense::read(&archive, &manifest, &records)?;
        let mut records: Vec<Record> = records.into_iter().map(|row| row.record).collect();
        records.sort_by(|a, b| (&a.path, a.level).cmp(&(&b.path, b.level)));
        let mut directories = manifest.directories;
        // A directory that only holds others need not be named.
        for path in directories.clone().iter().chain(files.keys()) {
            let parents = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
            directories.extend(parents);
        }
        Ok(Self {
            root: manifest.root,
            directories,
            files,
            vectors,
            records,
        })
    }

    /// Number of index records.
    pub fn n_records(&self) -> usize {
        self.records.len()
    }
}

/// A pack that is not as the format has it.
fn invalid(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, what)
}
