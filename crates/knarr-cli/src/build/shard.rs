//! The folder of `--cache` as a shard: which pages a build of a folder read, beside the pages themselves.

use super::page_cache::Stored;
use super::thread_file::create;
use super::write::{PAGE_LIST, PARTIAL};
use crate::failure::{Failure, Outcome};
use crate::process::own_number;
use knarr::indexer::BuildOptions;
use knarr::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// A shard on disk.
pub struct Shard {
    /// The pages that it has.
    pub list: List,
    /// Their documents, and what was prepared of them.
    pub pages: Stored,
}

/// A build, as far as another one needs it to go on.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct List {
    /// The options that all shards of a site have in common.
    pub made: Made,
    /// Paths below the input folder, ascending.
    pub pages: Vec<String>,
    /// Texts about folders: the folder, whether it is the overview, the text.
    pub sidecars: Vec<(String, bool, String)>,
    /// The build was given a file of the owner, which is told to finished bundles and not to pages.
    #[serde(default)]
    pub has_owner: bool,
    /// Addresses in the site's sitemaps, and its versions with their other names.
    pub site: (Vec<String>, Vec<(String, Vec<String>)>),
}

/// The options of a build that decide on its bytes.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// Options of the bundle.
    pub options: BuildOptions,
    /// Options of reading pages.
    pub reading: String,
}

impl List {
    /// Takes in the options that the build had, and whether the owner had a file for it.
    pub fn of(&mut self, made: Made, has_owner: bool) {
        self.made = made;
        self.has_owner = has_owner;
    }

    /// Puts the list in place of that of an earlier build.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        let partial = folder.join(format!("{PAGE_LIST}.{}{PARTIAL}", own_number()));
        let mut file = create(&partial)?;
        io::Write::write_all(&mut file, &bytes)?;
        fs::rename(&partial, folder.join(PAGE_LIST))
    }
}

/// Takes the list of an earlier build away, where this one found no page: its pages are gone, and no merge is to have them.
pub fn forget(folder: Option<&Path>) {
    if let Some(folder) = folder {
        let _ = fs::remove_file(folder.join(PAGE_LIST)); // It may not be there.
    }
}

impl Shard {
    /// Opens the folder of a `--cache`.
    ///
    /// *Errors*: `FAILED_PRECONDITION` for a folder that is none, is damaged, or is of another version.
    pub fn open(folder: &Path) -> Outcome<Self> {
        let list = || -> io::Result<List> {
            let bytes = fs::read(folder.join(PAGE_LIST))?;
            Ok(serde_json::from_slice(&bytes)?)
        };
        let pages = Stored::open(folder);
        let both = pages.and_then(|pages| {
            Ok(Self {
                list: list()?,
                pages,
            })
        });
        both.map_err(|error| {
            let what = format!(
                "{} is no shard: {error}; `knarr build FOLDER --cache {}` makes one",
                folder.display(),
                folder.display()
            );
            Failure::Error(Error::new(ErrorKind::FailedPrecondition, what))
        })
    }
}
