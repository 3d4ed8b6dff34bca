//! A walk through a folder: every file and link below it once, however its folders link to one another.

use std::collections::{HashSet, VecDeque};
use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{Walk, WalkBuilder};

use super::options::InputOptions;
use super::skip::{SkipReason, Skipped};
use super::supplied::is_sidecar;
use crate::base::error::{Error, ErrorKind, Result};

/// Walks the folders below a root, then those that links name.
///
/// Links come last, so that a folder is read under its own name where it has one there. Each folder is entered once: `k`
/// folders that link to each other would otherwise be walked on `k!` paths.
pub(super) struct Tree {
    root: PathBuf,
    /// `root` without links.
    real_root: PathBuf,
    walk: Walk,
    /// Folders entered, without links.
    entered: Arc<Mutex<HashSet<PathBuf>>>,
    links: VecDeque<PathBuf>,
}

/// Something that is no folder: where it is, where it is below the root, and why it must be left out.
pub(super) type Found = (PathBuf, PathBuf, Option<SkipReason>);

impl Tree {
    pub(super) fn new(root: &Path) -> Result<Self> {
        let real_root = fs::canonicalize(root).map_err(|e| io_error(root, &e.to_string()))?;
        let entered = Arc::default();
        Ok(Self {
            walk: walk(root, real_root.clone(), &entered),
            root: root.to_path_buf(),
            real_root,
            entered,
            links: VecDeque::new(),
        })
    }

    /// The next thing that is no folder, or what is left out.
    pub(super) fn next(&mut self, options: &InputOptions) -> Option<Result<Found, Skipped>> {
        loop {
            let Some(entry) = self.walk.next() else {
                let link = self.links.pop_front()?;
                match self.follow(link, options) {
                    Ok(None) => continue,
                    Ok(Some(found)) => return Some(Ok(found)),
                    Err(skipped) => return Some(Err(skipped)),
                }
            };
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(self.unreadable(&error))),
            };
            let Some(kind) = entry.file_type().filter(|_| entry.depth() > 0) else {
                continue;
            };
            if kind.is_symlink() {
                self.links.push_back(entry.into_path());
            } else if !kind.is_dir() {
                let path = entry.into_path();
                let below = self.below(&path);
                return Some(Ok((path, below, special(kind))));
            }
        }
    }

    /// Looks at what a link names: a folder is walked next.
    fn follow(&mut self, link: PathBuf, options: &InputOptions) -> Result<Option<Found>, Skipped> {
        let below = self.below(&link);
        let skip = |reason| {
            Err(Skipped {
                path: slashed(&below),
                reason,
            })
        };
        let target = fs::canonicalize(&link).and_then(|real| Ok((fs::metadata(&real)?, real)));
        let (metadata, real) = match target {
            Ok(target) => target,
            Err(error) => return skip(SkipReason::Unreadable(error.to_string())),
        };
        let lies_in = link
            .parent()
            .and_then(|folder| fs::canonicalize(folder).ok())
            .is_some_and(|folder| folder.starts_with(&real));
        if metadata.is_dir() && lies_in {
            return skip(SkipReason::SymlinkLoop);
        }
        let leaves = !real.starts_with(&self.real_root) && !options.follow_links;
        if !metadata.is_dir() {
            let out = leaves.then_some(SkipReason::LinkOut);
            let reason = out.or_else(|| special(metadata.file_type()));
            return Ok(Some((link, below, reason)));
        }
        if leaves {
            return skip(SkipReason::LinkOut);
        }
        let is_known = self
            .entered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(&real);
        if is_known {
            return skip(SkipReason::LinkedFolder);
        }
        self.walk = walk(&link, real, &self.entered);
        Ok(None)
    }

    fn below(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_path_buf()
    }

    fn unreadable(&self, error: &ignore::Error) -> Skipped {
        let mut reason = SkipReason::Unreadable(error.to_string());
        let mut path = String::new();
        let mut inner = error;
        loop {
            inner = match inner {
                ignore::Error::WithPath { path: at, err } => {
                    path = slashed(&self.below(at));
                    err
                }
                ignore::Error::WithDepth { err, .. }
                | ignore::Error::WithLineNumber { err, .. } => err,
                ignore::Error::Io(io) => {
                    // The walker's own error repeats the path; the system's beneath it does not.
                    let source = std::error::Error::source(io)
                        .map_or_else(|| io.to_string(), ToString::to_string);
                    reason = SkipReason::Unreadable(source);
                    break;
                }
                _ => break,
            };
        }
        Skipped { path, reason }
    }
}

fn special(kind: FileType) -> Option<SkipReason> {
    (!kind.is_file()).then_some(SkipReason::Special)
}

/// Walks below `start`, which is `real` without links, into no folder twice. Links are not followed.
fn walk(start: &Path, real: PathBuf, entered: &Arc<Mutex<HashSet<PathBuf>>>) -> Walk {
    let enter = |entered: &Mutex<HashSet<PathBuf>>, folder| {
        let mut entered = entered.lock().unwrap_or_else(PoisonError::into_inner);
        entered.insert(folder)
    };
    enter(entered, real.clone());
    let entered = Arc::clone(entered);
    let start_owned = start.to_path_buf();
    let mut walk = WalkBuilder::new(start);
    walk.standard_filters(false)
        .follow_links(false)
        .sort_by_file_name(Ord::cmp);
    walk.filter_entry(move |entry| {
        let name = entry.file_name().as_encoded_bytes();
        let is_seen = !name.starts_with(b".") || is_sidecar(name);
        if entry.depth() == 0 {
            return true;
        }
        if !is_seen || name == b"node_modules" {
            return false;
        }
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        match entry.path().strip_prefix(&start_owned) {
            Ok(below) if is_folder => enter(&entered, real.join(below)),
            _ => true,
        }
    });
    walk.build()
}

/// A path with `/` between its parts.
pub(super) fn slashed(below: &Path) -> String {
    let parts: Vec<_> = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// True where reading could wait for ever, or show the system and not a file: pipes, sockets, devices, `/proc` and
/// `/sys`.
pub(super) fn is_special(metadata: &Metadata) -> bool {
    !metadata.is_file() || is_of_the_system(metadata)
}

#[cfg(unix)]
fn is_of_the_system(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    use std::sync::LazyLock;
    static DEVICES: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let of = |path| fs::metadata(path).ok().map(|found| found.dev());
        // Where nothing is mounted there, the folders are like any other.
        let root = of("/");
        ["/proc", "/sys"]
            .into_iter()
            .filter_map(of)
            .filter(|device| Some(*device) != root)
            .collect()
    });
    DEVICES.contains(&metadata.dev())
}

#[cfg(not(unix))]
fn is_of_the_system(_: &Metadata) -> bool {
    false
}

pub(super) fn io_error(root: &Path, message: &str) -> Error {
    Error::new(
        ErrorKind::Io,
        format!("cannot read the folder {}: {message}", root.display()),
    )
}
