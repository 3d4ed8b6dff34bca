//! Answers of models on disk, by what was asked: a second build asks nothing again, an interrupted one goes on.
//!
//! One file per kind of answer, appended to: a line that names the format, then records of key (32 bytes), length,
//! bytes, and four bytes of their hash. A record that is cut off or damaged ends the file, and is written over.

use crate::failure::{Failure, Outcome, io_failure};
use knarr::{Error, ErrorKind};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const FORMAT: &[u8] = b"knarr answers 1\n";
/// Longest answer that is kept.
const MAX_BYTES: usize = 4 << 20;

/// The hash of a question.
pub type Key = [u8; 32];

/// The hash of the parts of a question. Lengths are hashed too: no two lists of parts meet.
pub fn key(parts: &[&str]) -> Key {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

/// Answers of one kind.
pub struct Cache {
    path: PathBuf,
    file: File,
    answers: HashMap<Key, Vec<u8>>,
}

impl Cache {
    /// Opens the file `name` in `folder`, making both where they are not there.
    ///
    /// *Errors*: `FAILED_PRECONDITION` while another build has it; `IO`, and when the file is none of ours.
    pub fn open(folder: &Path, name: &str) -> Outcome<Self> {
        fs::create_dir_all(folder).map_err(|error| io_failure("cannot create", folder, error))?;
        let path = folder.join(name);
        let fail = |error: std::io::Error| io_failure("cannot open", &path, error);
        let options = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&path);
        let mut file = options.map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let what = format!(
                    "{} is in use by another build: wait for it, or name another folder with --cache",
                    path.display()
                );
                return Err(Failure::Error(Error::new(
                    ErrorKind::FailedPrecondition,
                    what,
                )));
            }
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let mut answers = HashMap::new();
        let length = file.metadata().map_err(fail)?.len();
        if length == 0 {
            file.write_all(FORMAT).map_err(fail)?;
        } else {
            file.seek(SeekFrom::Start(0)).map_err(fail)?;
            let mut reader = BufReader::new(&file);
            let mut format = [0; FORMAT.len()];
            if reader.read_exact(&mut format).is_err() || format != FORMAT {
                let what =
                    "it is no file of answers: remove it, or name another folder with --cache";
                return Err(io_failure("cannot read", &path, what));
            }
            let mut end = FORMAT.len() as u64;
            while let Some((key, bytes)) = record(&mut reader) {
                end += (KEY + LEN + bytes.len() + CHECK) as u64;
                answers.insert(key, bytes);
            }
            if end < length {
                file.set_len(end).map_err(fail)?;
            }
        }
        Ok(Self {
            path,
            file,
            answers,
        })
    }

    /// The answer to a question.
    pub fn get(&self, key: &Key) -> Option<&[u8]> {
        self.answers.get(key).map(Vec::as_slice)
    }

    /// Keeps an answer: the system has it when this returns, so it outlives this process, if not the machine's fall.
    pub fn put(&mut self, key: Key, bytes: Vec<u8>) -> Outcome {
        if bytes.len() > MAX_BYTES {
            return Ok(());
        }
        let mut record = Vec::with_capacity(KEY + LEN + bytes.len() + CHECK);
        record.extend(key);
        record.extend((bytes.len() as u32).to_le_bytes());
        record.extend(&bytes);
        record.extend(check(&key, &bytes));
        let written = self.file.write_all(&record);
        written.map_err(|error| io_failure("cannot write", &self.path, error))?;
        self.answers.insert(key, bytes);
        Ok(())
    }
}

const KEY: usize = 32;
const LEN: usize = 4;
const CHECK: usize = 4;

/// The next record; `None` at the end, and where what follows is not whole.
fn record(reader: &mut impl Read) -> Option<(Key, Vec<u8>)> {
    let mut head = [0; KEY + LEN];
    reader.read_exact(&mut head).ok()?;
    let key: Key = head[..KEY].try_into().ok()?;
    let length = u32::from_le_bytes(head[KEY..].try_into().ok()?) as usize;
    if length > MAX_BYTES {
        return None;
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).ok()?;
    let mut sum = [0; CHECK];
    reader.read_exact(&mut sum).ok()?;
    (sum == check(&key, &bytes)).then_some((key, bytes))
}

fn check(key: &Key, bytes: &[u8]) -> [u8; CHECK] {
    let hash = Sha256::new()
        .chain_update(key)
        .chain_update(bytes)
        .finalize();
    [hash[0], hash[1], hash[2], hash[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_there_again_and_a_cut_end_is_written_over() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let open = || Cache::open(folder.path(), "a.cache");
        let (a, b) = (key(&["a", "b"]), key(&["ab", ""]));
        assert_ne!(a, b);
        let mut cache = open().expect("opened");
        cache.put(a, b"one".to_vec()).expect("kept");
        cache.put(b, b"two".to_vec()).expect("kept");
        let busy = open().err().expect("another build has it");
        assert!(format!("{busy:?}").contains("in use by another build"));
        drop(cache);
        let path = folder.path().join("a.cache");
        let whole = fs::read(&path).expect("a file");
        fs::write(&path, &whole[..whole.len() - 2]).expect("cut");
        let mut cache = open().expect("opened");
        assert_eq!((cache.get(&a), cache.get(&b)), (Some(&b"one"[..]), None));
        cache.put(b, b"two".to_vec()).expect("kept");
        drop(cache);
        assert_eq!(fs::read(&path).expect("a file"), whole);
    }

    #[test]
    fn a_file_of_something_else_is_left_alone() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("a.cache");
        fs::write(&path, "my notes, which are long enough").expect("written");
        assert!(Cache::open(folder.path(), "a.cache").is_err());
        assert!(
            fs::read_to_string(&path)
                .expect("there")
                .starts_with("my notes")
        );
    }
}
