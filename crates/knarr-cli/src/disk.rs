//! The disk as the engine's host: the files of a bundle are files of a folder, or the bundle is one file.

use crate::failure::{Failure, Outcome, invalid};
use knarr::bundle::MAGIC;
use knarr::engine::HEAD_FILE;
use knarr::indexer::{is_pack_name, is_pack_whole};
use knarr::{Error, ErrorKind, Fetched, Host, Knarr, Result};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

/// Serves the files of one bundle.
pub struct DiskHost {
    place: Place,
}

enum Place {
    Folder(PathBuf),
    /// The one-file form under a name of the author's choice; it stands for [`HEAD_FILE`].
    File(PathBuf),
}

impl DiskHost {
    /// A host for the bundle at `path`, a folder or a single file.
    pub fn new(path: &Path) -> Self {
        let place = if path.is_file() {
            Place::File(path.into())
        } else {
            Place::Folder(path.into())
        };
        Self { place }
    }

    fn locate(&self, file: &str) -> Result<PathBuf> {
        match &self.place {
            Place::File(path) if file == HEAD_FILE => Ok(path.clone()),
            Place::File(path) => Err(Error::new(
                ErrorKind::BundleMissing,
                format!("{} holds no file {file}", path.display()),
            )),
            Place::Folder(folder) => {
                let mut components = Path::new(file).components();
                if file.is_empty()
                    || !components.all(|component| matches!(component, Component::Normal(_)))
                {
                    let message = format!("the bundle names a file outside its folder: {file:?}");
                    return Err(Error::new(ErrorKind::BundleDamaged, message));
                }
                Ok(folder.join(file))
            }
        }
    }
}

impl Host for DiskHost {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let path = self.locate(file)?;
        let (start, end) = range.unwrap_or((0, u64::MAX));
        let is_head = file == HEAD_FILE && range.is_none();
        let read = || match is_head && !is_bundle(&path)? {
            true => read_range(&path, 0, HINT_BYTES),
            false => read_range(&path, start, end),
        };
        let bytes = read().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::new(
                ErrorKind::BundleMissing,
                format!("there is no bundle file {}", path.display()),
            ),
            _ => Error::new(
                ErrorKind::Unavailable,
                format!("cannot read {}: {error}", path.display()),
            ),
        })?;
        Ok(Fetched {
            bytes,
            offset: start,
        })
    }
}

/// Bytes of a file that is no bundle that are looked at to say what it is.
const HINT_BYTES: u64 = 512;

/// True for a file that begins as a bundle does: others are not read whole, whatever their size. A file of the system's
/// own (`/proc/kmsg`) has no length and may wait for ever to be read; it counts as empty.
fn is_bundle(path: &Path) -> io::Result<bool> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if metadata.len() == 0 {
        return Err(io::Error::other("it is empty, so it is not a Knarr bundle"));
    }
    Ok(read_range(path, 0, MAGIC.len() as u64)? == MAGIC)
}

/// Reads bytes `start..end`, fewer when the file is shorter.
fn read_range(path: &Path, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut file: File = OpenOptions::new().read(true).open(path)?;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(end.saturating_sub(start))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a file of the bundle as the one to write what is taken from it: the bundle would be gone.
pub fn apart(bundle: &Path, out: &Path) -> Outcome {
    let is_head = bundle.is_file() && bundle.file_name().is_some_and(|name| name == HEAD_FILE);
    let bundle = match bundle.parent() {
        Some(folder) if is_head => folder,
        _ => bundle,
    };
    let bundle = match bundle.as_os_str().is_empty() {
        true => Path::new("."),
        false => bundle,
    };
    let (Ok(bundle), Ok(place)) = (bundle.canonicalize(), out.canonicalize()) else {
        return Ok(());
    };
    // Other files may lie in its folder.
    let is_head = place.file_name().is_some_and(|name| name == HEAD_FILE);
    let is_part = is_head || place.extension().is_some_and(|ending| ending == "pack");
    match place.is_file()
        && (place == bundle || is_part && place.parent() == Some(bundle.as_path()))
    {
        false => Ok(()),
        true => Err(invalid(format!(
            "{} is a file of the bundle itself, which would be lost: name another",
            out.display()
        ))),
    }
}

/// Opens the bundle at `path` and returns it with the host that serves it.
pub fn open(path: &Path) -> Outcome<(Knarr, DiskHost)> {
    let host = DiskHost::new(path);
    let bundle = pollster::block_on(Knarr::open(&host))?;
    Ok((bundle, host))
}

/// A failure of a damaged bundle with what a reader of bytes cannot know: where it lies, which of its packs are not the
/// bytes that they are named by, and the remedy.
pub fn located(failure: Failure, path: &Path) -> Failure {
    let Failure::Error(error) = failure else {
        return failure;
    };
    if !matches!(
        error.kind(),
        ErrorKind::BundleDamaged | ErrorKind::BundleMismatch
    ) {
        return error.into();
    }
    let packs = damaged_packs(path);
    let shown = &packs[..packs.len().min(MOST_NAMED)];
    let more = match packs.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let which = match shown {
        [] => String::new(),
        shown => format!(" (damaged: {}{more})", shown.join(", ")),
    };
    let message = format!(
        "{}; the bundle is {}{which}: build it again, or copy it again",
        error.message(),
        path.display()
    );
    Error::new(error.kind(), message).into()
}

/// Damaged packs that are named in a message.
const MOST_NAMED: usize = 3;

fn damaged_packs(bundle: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(bundle) else {
        return Vec::new();
    };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let is_damaged = |name: &String| {
        is_pack_name(name)
            && !std::fs::read(bundle.join(name)).is_ok_and(|bytes| is_pack_whole(name, &bytes))
    };
    let mut damaged: Vec<String> = names.filter(is_damaged).collect();
    damaged.sort();
    damaged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetch(host: &DiskHost, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        pollster::block_on(host.fetch(file, range))
    }

    #[test]
    fn reads_ranges_and_whole_files() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        std::fs::write(folder.path().join("a.knarr"), b"0123456789").expect("written");
        let host = DiskHost::new(folder.path());
        let whole = fetch(&host, "a.knarr", None).expect("whole");
        assert_eq!(
            (whole.bytes.as_slice(), whole.offset),
            (&b"0123456789"[..], 0)
        );
        let part = fetch(&host, "a.knarr", Some((3, 6))).expect("part");
        assert_eq!((part.bytes.as_slice(), part.offset), (&b"345"[..], 3));
        assert_eq!(
            fetch(&host, "a.knarr", Some((8, 99)))
                .expect("cut at the end")
                .bytes,
            b"89"
        );
        assert_eq!(
            fetch(&host, "a.knarr", Some((50, 60)))
                .expect("behind the end")
                .bytes,
            b""
        );
    }

    #[test]
    fn what_is_no_bundle_is_not_read_whole() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("large.knarr");
        let large = File::create(&path).expect("made");
        large.set_len(3 << 30).expect("sparse");
        let bytes = fetch(&DiskHost::new(&path), HEAD_FILE, None).expect("a beginning");
        assert_eq!(bytes.bytes.len() as u64, HINT_BYTES);
        large.set_len(0).expect("cut");
        assert!(fetch(&DiskHost::new(&path), HEAD_FILE, None).is_err());
        if Path::new("/proc/self/maps").exists() {
            let system = DiskHost::new(Path::new("/proc/self/maps"));
            assert!(fetch(&system, HEAD_FILE, None).is_err());
        }
        let head = folder.path().join(HEAD_FILE);
        std::fs::create_dir(&head).expect("a folder");
        assert!(fetch(&DiskHost::new(folder.path()), HEAD_FILE, None).is_err());
    }

    #[test]
    fn refuses_names_outside_the_folder() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let host = DiskHost::new(folder.path());
        for name in ["../secret", "/etc/passwd", "a/../../b", ""] {
            assert_eq!(
                fetch(&host, name, None).expect_err(name).kind(),
                ErrorKind::BundleDamaged,
                "{name}"
            );
        }
        assert_eq!(
            fetch(&host, "absent", None).expect_err("absent").kind(),
            ErrorKind::BundleMissing
        );
    }

    #[test]
    fn one_file_stands_for_the_head() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("site.knarr");
        std::fs::write(&path, b"KNARR\nhead").expect("written");
        let host = DiskHost::new(&path);
        assert_eq!(
            fetch(&host, HEAD_FILE, None).expect("head").bytes,
            b"KNARR\nhead"
        );
        assert_eq!(
            fetch(&host, "other", None).expect_err("other").kind(),
            ErrorKind::BundleMissing
        );
    }
}
