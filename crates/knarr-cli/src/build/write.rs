//! A finished bundle onto the disk.
//!
//! Packs first, the head last and by renaming, so that at every moment the head on disk names files that are there;
//! then the packs of an earlier build go. Nothing is touched but files with the names that Knarr gives.

use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::process::process_number;
use knarr::engine::HEAD_FILE;
use knarr::indexer::is_pack_name;
use knarr::{Error, ErrorKind};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Ends the name of a file that is being written.
pub const PARTIAL: &str = ".partial";
/// Stands beside the head while a build goes on.
const LOCK_FILE: &str = ".knarr-build";
/// Pages as a build read and prepared them, for the next one.
pub const PAGE_CACHE: &str = "pages.cache";
/// The names of the pages that lie there.
pub const PAGE_LIST: &str = "pages.json";

/// True if `out` is one file and not a folder, by its extension.
pub fn is_single_file(out: &Path) -> bool {
    out.extension()
        .is_some_and(|extension| extension == "knarr")
}

/// True for the names of files that builds have for themselves: what they write, their lock, their cache of pages.
#[cfg(not(target_os = "wasi"))]
pub fn is_scratch(name: &str) -> bool {
    name.ends_with(PARTIAL) || name.ends_with(LOCK_FILE) || [PAGE_CACHE, PAGE_LIST].contains(&name)
}

/// The right to write a bundle: no other build has it for the same place at the same time.
///
/// The system holds it by a lock on a file, so it ends with the process, however that ends. Gives it back when dropped.
#[derive(Debug)]
pub struct Place {
    out: PathBuf,
    folder: PathBuf,
    lock: PathBuf,
    /// The folder was made for this build.
    is_new: bool,
    /// The locked file; `None` where the file system has no locks.
    _locked: Option<File>,
}

impl Place {
    /// Takes the place of the bundle `out`, which must not be made from itself.
    ///
    /// *Errors*: `FAILED_PRECONDITION` while another build has it, with its process; `INVALID_ARGUMENT` for a name that
    /// cannot be written.
    pub fn take(out: &Path, input: &Path) -> Outcome<Self> {
        let out = &out.components().collect::<PathBuf>();
        if is_same_file(out, input) {
            return Err(invalid("the input is the output: name another --out"));
        }
        let is_single = is_single_file(out);
        if !is_single && out.is_file() {
            return Err(invalid(format!(
                "{} is a file: --out is a folder, or ends in .knarr",
                out.display()
            )));
        }
        if is_single && out.is_dir() {
            return Err(invalid(format!(
                "{} is a folder, and a name that ends in .knarr is that of a file",
                out.display()
            )));
        }
        let (folder, lock) = if is_single {
            let parent = out.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = parent.unwrap_or(Path::new(".")).to_path_buf();
            let mut name = out.file_name().unwrap_or_default().to_owned();
            name.push(LOCK_FILE);
            let lock = folder.join(name);
            (folder, lock)
        } else {
            (out.to_path_buf(), out.join(LOCK_FILE))
        };
        let is_new = !folder.exists();
        fs::create_dir_all(&folder).map_err(|error| io_failure("cannot create", &folder, error))?;
        let _locked = lock_file(&lock, out)?;
        Ok(Self {
            out: out.to_path_buf(),
            folder,
            lock,
            is_new,
            _locked,
        })
    }

    /// Writes the files of a bundle, the head being the last of them. Returns how many old packs were removed.
    pub fn write(&self, files: &[(String, Vec<u8>)]) -> Outcome<usize> {
        self.write_watched(files, &mut |_| Ok(()))
    }

    fn write_watched(&self, files: &[(String, Vec<u8>)], before: Before) -> Outcome<usize> {
        if is_single_file(&self.out) {
            for (_, bytes) in files {
                replace(&self.out, bytes, before)?;
            }
            sync_folder(&self.folder, before)?;
            return Ok(0);
        }
        for (name, bytes) in files {
            let path = self.out.join(name);
            if name == HEAD_FILE {
                sync_folder(&self.folder, before)?; // The packs are there for good before they are named.
            } else if holds(&path, bytes) {
                continue;
            }
            replace(&path, bytes, before)?;
        }
        sync_folder(&self.folder, before)?;
        remove_old(&self.out, files, before)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // The lock ends with the process in any case; a folder that is not empty stays.
        let _ = fs::remove_file(&self.lock);
        if self.is_new {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

/// Called before each step that changes the disk; an error stops the build there.
type Before<'a> = &'a mut dyn FnMut(&'static str) -> io::Result<()>;

fn is_same_file(a: &Path, b: &Path) -> bool {
    a.is_file() && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Locks the file at `path`, which names this process to the builds that come too late.
fn lock_file(path: &Path, out: &Path) -> Outcome<Option<File>> {
    let failure = |error| io_failure("cannot write", path, error);
    loop {
        if path.is_symlink() {
            return Err(failure(io::Error::other("it is a link")));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failure)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(is_taken(&mut file, out)),
            Err(TryLockError::Error(_)) => return Ok(None), // A file system without locks.
        }
        // The build that had it may have removed the file since it was opened.
        if !is_still_there(&file, path) {
            continue;
        }
        file.set_len(0)
            .and_then(|()| write!(file, "{}", process_number()))
            .map_err(failure)?;
        return Ok(Some(file));
    }
}

fn is_taken(file: &mut File, out: &Path) -> Failure {
    let mut process = String::new();
    // Without a number the message is still true.
    let _ = file.take(20).read_to_string(&mut process);
    let process = match process.trim() {
        "" => String::new(),
        number => format!(" (process {number})"),
    };
    Failure::Error(Error::new(
        ErrorKind::FailedPrecondition,
        format!(
            "another build{process} is writing {}: wait for it to end, or stop it",
            out.display()
        ),
    ))
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true // Open files are not removed there.
}

/// True if the file at `path` holds `bytes`. Names of packs stand for their content, but disks and hosts damage files.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let has_length = fs::symlink_metadata(path)
        .is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64);
    has_length && fs::read(path).is_ok_and(|there| there == bytes)
}

/// Writes a file under another name and renames it: nobody ever sees half of it, not even after a power cut.
fn replace(path: &Path, bytes: &[u8], before: Before) -> Outcome {
    let mut partial = path.as_os_str().to_owned();
    partial.push(PARTIAL);
    let partial = Path::new(&partial);
    let written = write_new(partial, bytes, before);
    let renamed = written
        .map_err(|error| io_failure("cannot write", partial, error))
        .and_then(|()| {
            before("rename")
                .and_then(|()| fs::rename(partial, path))
                .map_err(|error| io_failure("cannot write", path, error))
        });
    if renamed.is_err() && before("remove").is_ok() {
        let _ = fs::remove_file(partial); // The first failure is the one to tell.
    }
    renamed
}

/// Writes a file that is not there yet. What a killed build left goes first, also a link, which is not written through.
fn write_new(path: &Path, bytes: &[u8], before: Before) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        before("remove")?;
        fs::remove_file(path)?;
    }
    before("create")?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let (first, second) = bytes.split_at(bytes.len() / 2);
    before("write")?;
    file.write_all(first)?;
    before("write")?;
    file.write_all(second)?;
    before("sync")?;
    file.sync_all()
}

/// Makes renamings in a folder last.
fn sync_folder(folder: &Path, before: Before) -> Outcome {
    before("sync folder").map_err(|error| io_failure("cannot write", folder, error))?;
    // Not every system opens folders, and not every file system syncs them: there is nothing more to do there.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes the packs of an earlier build, and what killed builds left half written.
fn remove_old(folder: &Path, files: &[(String, Vec<u8>)], before: Before) -> Outcome<usize> {
    let entries = fs::read_dir(folder).map_err(|error| io_failure("cannot list", folder, error))?;
    let mut removed = 0;
    for entry in entries {
        let entry = entry.map_err(|error| io_failure("cannot list", folder, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_half = name
            .strip_suffix(PARTIAL)
            .is_some_and(|whole| is_pack_name(whole) || whole == HEAD_FILE);
        let is_old = is_pack_name(&name) && files.iter().all(|(kept, _)| *kept != name);
        if is_half || is_old {
            before("remove")
                .and_then(|()| fs::remove_file(entry.path()))
                .map_err(|error| io_failure("cannot remove", &entry.path(), error))?;
            removed += usize::from(is_old);
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(out: &Path, files: &[(String, Vec<u8>)]) -> Outcome<usize> {
        Place::take(out, Path::new("input"))?.write(files)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn removes_packs_of_an_earlier_build_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("deep/search");
        let old = format!("{}.pack", "0".repeat(20));
        let new = format!("{}.pack", "a".repeat(20));
        assert!(is_pack_name(&old), "the pattern of pack names changed");
        let first = [(old.clone(), vec![1]), (HEAD_FILE.to_owned(), vec![2])];
        assert_eq!(bundle(&out, &first).expect("written"), 0);
        fs::write(out.join("robots.txt"), "mine").expect("written");
        fs::write(out.join("other.pack"), "mine").expect("written");
        let second = [(new.clone(), vec![3]), (HEAD_FILE.to_owned(), vec![4])];
        assert_eq!(bundle(&out, &second).expect("written"), 1);
        let mut expected = vec![
            new,
            HEAD_FILE.to_owned(),
            "other.pack".into(),
            "robots.txt".into(),
        ];
        expected.sort();
        assert_eq!(names(&out), expected);
        assert_eq!(fs::read(out.join(HEAD_FILE)).expect("a head"), [4]);
    }

    #[test]
    fn writes_one_file_where_its_name_says_so() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("new/site.knarr");
        bundle(&out, &[(HEAD_FILE.to_owned(), vec![7])]).expect("written");
        assert_eq!(names(&folder.path().join("new")), ["site.knarr"]);
    }

    /// Two generations of a bundle: a pack in common, one of its own each, and a head that names them.
    fn generation(own: u8) -> Vec<(String, Vec<u8>)> {
        let name = |byte: u8| format!("{byte:02x}").repeat(10) + ".pack";
        let packs = [0, own].map(|byte| (name(byte), vec![byte; 1000]));
        let head = packs
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        [&packs[..], &[(HEAD_FILE.to_owned(), head.into_bytes())]].concat()
    }

    /// True if every pack that the head names is there as it should be.
    fn answers(out: &Path) -> bool {
        let Ok(head) = fs::read_to_string(out.join(HEAD_FILE)) else {
            return false;
        };
        [generation(1), generation(2)].iter().any(|files| {
            files
                .last()
                .is_some_and(|(_, want)| *want == head.as_bytes())
                && files[..2]
                    .iter()
                    .all(|(name, bytes)| holds(&out.join(name), bytes))
        })
    }

    #[test]
    fn a_build_that_fails_anywhere_leaves_a_bundle_that_answers() {
        let mut n_steps = 0;
        for is_killed in [true, false] {
            for fail_at in 0.. {
                let folder = tempfile::tempdir().expect("a scratch folder");
                let out = folder.path().join("out");
                bundle(&out, &generation(1)).expect("written");
                let place = Place::take(&out, Path::new("input")).expect("free");
                let mut step = 0;
                let mut before = |_: &'static str| {
                    step += 1;
                    // A killed process does nothing more; a full disk lets files be removed.
                    match step > fail_at && (is_killed || step == fail_at + 1) {
                        true => Err(io::Error::other("injected")),
                        false => Ok(()),
                    }
                };
                let ended = place.write_watched(&generation(2), &mut before);
                assert!(answers(&out), "step {fail_at}: {:?}", names(&out));
                drop(place);
                bundle(&out, &generation(2)).expect("the next build");
                let mut want: Vec<_> = generation(2).into_iter().map(|(name, _)| name).collect();
                want.sort();
                assert_eq!(names(&out), want, "step {fail_at}");
                assert!(answers(&out));
                if ended.is_ok() {
                    n_steps += fail_at;
                    break;
                }
            }
        }
        assert!(n_steps > 2 * 12, "too few steps were watched: {n_steps}");
    }

    #[test]
    fn a_build_repairs_what_is_damaged() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("out");
        let files = generation(1);
        bundle(&out, &files).expect("written");
        for (name, bytes) in &files {
            for damaged in [vec![9; bytes.len()], bytes[..10].to_vec(), vec![]] {
                fs::write(out.join(name), damaged).expect("damaged");
                bundle(&out, &files).expect("written");
                assert!(answers(&out), "{name}");
            }
        }
    }

    #[test]
    fn one_build_at_a_time() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for name in ["out", "new/site.knarr"] {
            let out = folder.path().join(name);
            let first = Place::take(&out, Path::new("input")).expect("free");
            let message = match Place::take(&out, Path::new("input")) {
                Err(Failure::Error(error)) => error.message().to_owned(),
                other => panic!("{other:?}"),
            };
            let process = format!("(process {})", std::process::id());
            assert!(message.contains(&process), "{message}");
            drop(first);
            assert!(!out.exists(), "nothing was written");
            // What a killed build left is no lock.
            let parent = if name == "out" {
                out.clone()
            } else {
                folder.path().join("new")
            };
            fs::create_dir_all(&parent).expect("made");
            let left = if name == "out" {
                LOCK_FILE.to_owned()
            } else {
                format!("site.knarr{LOCK_FILE}")
            };
            fs::write(parent.join(&left), "1").expect("written");
            bundle(&out, &[(HEAD_FILE.to_owned(), vec![7])]).expect("taken over");
            assert!(!parent.join(&left).exists());
        }
    }

    #[test]
    fn outputs_that_cannot_be_are_named() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let file = folder.path().join("afile");
        fs::write(&file, "x").expect("written");
        fs::create_dir(folder.path().join("dir.knarr")).expect("made");
        let single = folder.path().join("x.knarr");
        fs::write(&single, "x").expect("written");
        for (out, input, want) in [
            (&file, Path::new("input"), "is a file"),
            (
                &folder.path().join("dir.knarr"),
                Path::new("input"),
                "is a folder",
            ),
            (&single, &single, "the input is the output"),
        ] {
            match Place::take(out, input) {
                Err(Failure::Error(error)) => {
                    assert!(error.message().contains(want), "{}", error.message())
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_written_through() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("out");
        fs::create_dir(&out).expect("made");
        let victim = folder.path().join("victim");
        fs::write(&victim, "mine").expect("written");
        let partial = format!("{HEAD_FILE}{PARTIAL}");
        std::os::unix::fs::symlink(&victim, out.join(partial)).expect("a link");
        bundle(&out, &[(HEAD_FILE.to_owned(), vec![7])]).expect("written");
        assert_eq!(fs::read_to_string(&victim).expect("read"), "mine");
        std::os::unix::fs::symlink(&victim, out.join(LOCK_FILE)).expect("a link");
        assert!(bundle(&out, &[(HEAD_FILE.to_owned(), vec![8])]).is_err());
        assert_eq!(fs::read_to_string(&victim).expect("read"), "mine");
    }
}
