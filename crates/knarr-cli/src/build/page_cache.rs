//! Pages as earlier builds read and prepared them, on disk (`--cache`) or in memory (`--watch`).
//!
//! One file, written anew by each build with what that build used, so that it does not grow: a line that names the
//! format, the hash of the program that wrote it, records, then the table of their places, its place and its hash. A
//! file of another program, or a damaged one, is nothing but a slower build.

use super::thread_file::{ThreadFile, is_left};
use super::write::{PAGE_CACHE, PAGE_LIST, PARTIAL};
use crate::process::own_number;
use knarr::indexer::{Memo, MemoKey};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

const FORMAT: &[u8] = b"knarr pages 1\n";
/// Bytes of a hash in front of each record, and behind the table.
const CHECK: usize = 4;
/// Bytes that are written at a time: a file may have to be opened for it.
const BUFFER: usize = 1 << 20;
/// A place in the table: key, offset, length.
const PLACE: usize = size_of::<MemoKey>() + 8 + 4;
/// At the end: place of the table, and its hash.
const END: usize = 8 + CHECK;

/// Places of records, by their keys: offset and length, without the hash in front of them.
type Places = HashMap<MemoKey, (u64, u32)>;

/// The cache of a build, as it was and as it will be.
pub struct DiskCache {
    path: PathBuf,
    partial: PathBuf,
    /// The file of an earlier build; `None`: there is none, or none of use.
    old: Option<Stored>,
    new: Mutex<New>,
}

/// A file that a build wrote.
pub struct Stored {
    file: ThreadFile,
    places: Places,
}

impl Stored {
    /// Opens the cache in `folder`.
    ///
    /// *Errors*: those of the system; `InvalidData` for a file that is damaged or none of this program.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Self::read(&folder.join(PAGE_CACHE), &program())
    }
}

impl Stored {
    /// A file that this program wrote.
    fn read(path: &Path, program: &[u8]) -> io::Result<Self> {
        let other = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        if !fs::metadata(path)?.is_file() {
            return Err(other("it is no file"));
        }
        let (file, length) = ThreadFile::open(path)?;
        let mut head = vec![0; FORMAT.len() + program.len()];
        let mut end = [0; END];
        let damaged = || other("it is damaged");
        if file.read_at(0, &mut head).is_err() || head[..FORMAT.len()] != *FORMAT {
            return Err(other("it is no cache of pages"));
        }
        if head[FORMAT.len()..] != *program {
            return Err(other("another version of the program wrote it"));
        }
        let end_at = length.checked_sub(END as u64).ok_or_else(damaged)?;
        file.read_at(end_at, &mut end)?;
        let (at, known) = end.split_first_chunk::<8>().ok_or_else(damaged)?;
        let at = u64::from_le_bytes(*at);
        let size = end_at
            .checked_sub(at)
            .filter(|size| size % PLACE as u64 == 0)
            .ok_or_else(damaged)?;
        let mut table = vec![0; size as usize];
        file.read_at(at, &mut table)?;
        if check(&table) != known {
            return Err(damaged());
        }
        let mut places = Places::new();
        for row in table.chunks_exact(PLACE) {
            let (key, rest) = row.split_first_chunk().ok_or_else(damaged)?;
            let (offset, len) = rest.split_first_chunk().ok_or_else(damaged)?;
            let (len, _) = len.split_first_chunk().ok_or_else(damaged)?;
            let (offset, len) = (u64::from_le_bytes(*offset), u32::from_le_bytes(*len));
            if offset + CHECK as u64 + u64::from(len) > at {
                return Err(damaged());
            }
            places.insert(*key, (offset, len));
        }
        Ok(Self { file, places })
    }
}

impl Memo for Stored {
    fn get(&self, key: &MemoKey) -> Option<Vec<u8>> {
        let (offset, len) = *self.places.get(key)?;
        let mut bytes = vec![0; CHECK + len as usize];
        self.file.read_at(offset, &mut bytes).ok()?;
        let record = bytes.split_off(CHECK);
        (check(&record) == bytes[..]).then_some(record)
    }

    /// Nothing: what was written stays as it is.
    fn put(&self, _: &MemoKey, _: &[u8]) {}
}

/// The file that is being written.
struct New {
    to: BufWriter<ThreadFile>,
    /// Bytes written.
    at: u64,
    places: Places,
    failed: Option<io::Error>,
}

impl DiskCache {
    /// Opens the cache in `folder`, with a note about a file there that is of no use.
    ///
    /// *Errors*: those of the system, where no cache can be written: a build goes on without.
    pub fn open(folder: &Path) -> io::Result<(Self, Option<String>)> {
        fs::create_dir_all(folder)?;
        let path = folder.join(PAGE_CACHE);
        // Two builds at a time have a file each; the one that ends last leaves its own.
        let partial = folder.join(format!("{PAGE_CACHE}.{}{PARTIAL}", own_number()));
        remove_left(folder);
        let program = program();
        let (old, note) = match Stored::read(&path, &program) {
            Ok(stored) => (Some(stored), None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
            Err(error) => {
                let path = path.display();
                (None, Some(format!("{path} is made anew: {error}")))
            }
        };
        let mut to = BufWriter::with_capacity(BUFFER, ThreadFile::create(&partial)?);
        to.write_all(FORMAT)?;
        to.write_all(&program)?;
        let new = New {
            to,
            at: (FORMAT.len() + program.len()) as u64,
            places: Places::new(),
            failed: None,
        };
        let cache = Self {
            path,
            partial,
            old,
            new: Mutex::new(new),
        };
        Ok((cache, note))
    }

    /// The folder that it lies in.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Puts what this build used in place of what was there.
    ///
    /// *Errors*: those of the system; the cache is then as it was.
    pub fn finish(&self) -> io::Result<()> {
        let mut new = self.writing();
        if let Some(error) = new.failed.take() {
            return Err(error);
        }
        let mut places: Vec<_> = new
            .places
            .iter()
            .map(|(key, place)| (*key, *place))
            .collect();
        places.sort_unstable();
        let mut table = Vec::with_capacity(places.len() * PLACE);
        for (key, (offset, len)) in places {
            table.extend(key);
            table.extend(offset.to_le_bytes());
            table.extend(len.to_le_bytes());
        }
        let at = new.at;
        new.to.write_all(&table)?;
        new.to.write_all(&at.to_le_bytes())?;
        new.to.write_all(&check(&table))?;
        new.to.flush()?;
        new.to.get_ref().rename(&self.path)
    }

    fn writing(&self) -> MutexGuard<'_, New> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DiskCache {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial); // It is there only if the build failed.
    }
}

impl Memo for DiskCache {
    fn get(&self, key: &MemoKey) -> Option<Vec<u8>> {
        let bytes = self.old.as_ref()?.get(key)?;
        self.put(key, &bytes);
        Some(bytes)
    }

    fn put(&self, key: &MemoKey, bytes: &[u8]) {
        let Ok(len) = u32::try_from(bytes.len()) else {
            return;
        };
        let check = check(bytes);
        let mut new = self.writing();
        if new.failed.is_some() || new.places.contains_key(key) {
            return;
        }
        let written = new
            .to
            .write_all(&check)
            .and_then(|()| new.to.write_all(bytes));
        match written {
            Ok(()) => {
                let at = new.at;
                new.places.insert(*key, (at, len));
                new.at += (CHECK + bytes.len()) as u64;
            }
            Err(error) => new.failed = Some(error),
        }
    }
}

/// Removes what killed builds left half written in the folder of a cache.
fn remove_left(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(PARTIAL));
        let of_build = name.and_then(|name| name.rsplit_once('.'));
        let is_ours = of_build.is_some_and(|(name, number)| {
            [PAGE_CACHE, PAGE_LIST].contains(&name) && number.bytes().all(|b| b.is_ascii_digit())
        });
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_ours && is_file && is_left(&entry.path()) {
            let _ = fs::remove_file(entry.path()); // It is in nobody's way.
        }
    }
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    let hash = Sha256::digest(bytes);
    std::array::from_fn(|i| hash[i])
}

/// The hash of this program: another one may read the same page otherwise. In WebAssembly, which does not know its
/// file, its version stands for it.
fn program() -> [u8; 16] {
    static HASH: OnceLock<[u8; 16]> = OnceLock::new();
    *HASH.get_or_init(|| {
        let mut hash = Sha256::new();
        hash.update(concat!("knarr ", env!("CARGO_PKG_VERSION")));
        let own = std::env::current_exe().and_then(fs::read);
        hash.update(own.unwrap_or_default());
        let hash = hash.finalize();
        std::array::from_fn(|i| hash[i])
    })
}

/// Pages that the builds of one process keep: what the last build used, and what this one has.
#[derive(Debug, Default)]
pub struct MemoryCache(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    pages: HashMap<MemoKey, Vec<u8>>,
    used: HashSet<MemoKey>,
}

impl MemoryCache {
    /// Drops what the build that has ended did not use.
    pub fn finish(&self) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Generations { pages, used } = &mut *kept;
        pages.retain(|key, _| used.contains(key));
        used.clear();
    }
}

impl Memo for MemoryCache {
    fn get(&self, key: &MemoKey) -> Option<Vec<u8>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let page = kept.pages.get(key)?.clone();
        kept.used.insert(*key);
        Some(page)
    }

    fn put(&self, key: &MemoKey, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.used.insert(*key);
        kept.pages.insert(*key, bytes.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &Path) -> (DiskCache, Option<String>) {
        DiskCache::open(folder).expect("a cache")
    }

    #[test]
    fn what_a_build_used_is_there_for_the_next_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let (a, b, c) = ([1; 16], [2; 16], [3; 16]);
        let (cache, note) = open(folder.path());
        assert!(note.is_none() && cache.get(&a).is_none());
        cache.put(&a, b"one");
        cache.put(&b, &[7; 100_000]);
        cache.finish().expect("written");
        let (cache, note) = open(folder.path());
        assert!(note.is_none());
        assert_eq!(cache.get(&a).as_deref(), Some(&b"one"[..]));
        cache.put(&c, b"");
        cache.finish().expect("written");
        let (cache, _) = open(folder.path());
        assert_eq!(cache.get(&a).as_deref(), Some(&b"one"[..]));
        assert_eq!(cache.get(&b), None);
        assert_eq!(cache.get(&c).as_deref(), Some(&b""[..]));
        drop(cache); // A build that failed.
        let (cache, _) = open(folder.path());
        assert!(cache.get(&a).is_some());
        drop(cache);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_damaged_file_gives_nothing_wrong() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let pages: Vec<(MemoKey, Vec<u8>)> = (0..40)
            .map(|n| ([n; 16], vec![n; usize::from(n) * 9]))
            .collect();
        let (cache, _) = open(folder.path());
        pages.iter().for_each(|(key, bytes)| cache.put(key, bytes));
        cache.finish().expect("written");
        let path = folder.path().join(PAGE_CACHE);
        let whole = fs::read(&path).expect("a file");
        let mut lost = 0;
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            for bytes in [&damaged[..], &whole[..at]] {
                fs::write(&path, bytes).expect("damaged");
                let (cache, note) = open(folder.path());
                for (key, page) in &pages {
                    match cache.get(key) {
                        Some(found) => assert_eq!(found, *page, "{at}"),
                        None => lost += 1,
                    }
                }
                assert!(bytes.len() == whole.len() || note.is_some(), "cut at {at}");
            }
        }
        assert!(lost > 1_000);
    }

    #[test]
    fn what_a_killed_build_left_goes_and_that_of_a_running_one_stays() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let name = |number: u32| {
            folder
                .path()
                .join(format!("{PAGE_CACHE}.{number}{PARTIAL}"))
        };
        let other = folder.path().join(format!("mine.1{PARTIAL}"));
        let list = folder.path().join(format!("{PAGE_LIST}.7{PARTIAL}"));
        for left in [&name(1), &other, &list] {
            fs::write(left, "half").expect("written");
        }
        let running = ThreadFile::create(&name(2)).expect("a file");
        let (cache, _) = open(folder.path());
        assert!(!name(1).exists() && !list.exists());
        assert!(name(2).exists() && other.exists());
        drop((running, cache));
        drop(open(folder.path()));
        assert!(!name(2).exists());
    }

    #[test]
    fn a_folder_or_another_file_in_its_place_is_noted() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join(PAGE_CACHE);
        fs::write(&path, "mine").expect("written");
        assert!(
            open(folder.path())
                .1
                .expect("a note")
                .contains("no cache of pages")
        );
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("made");
        let (cache, note) = open(folder.path());
        assert!(note.expect("a note").contains("no file"));
        cache.put(&[0; 16], b"x");
        assert!(cache.finish().is_err());
    }

    #[test]
    fn memory_keeps_what_the_last_build_used() {
        let cache = MemoryCache::default();
        cache.put(&[1; 16], b"one");
        cache.put(&[2; 16], b"two");
        cache.finish();
        assert!(cache.get(&[1; 16]).is_some());
        cache.finish();
        assert!(cache.get(&[1; 16]).is_some() && cache.get(&[2; 16]).is_none());
    }
}
