//! A file that all threads of a build use.

use super::pages::whole;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(not(target_os = "wasi"))]
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Age of a file that is no longer being written, where the system has no locks that would tell.
const LEFT: Duration = Duration::from_secs(24 * 60 * 60);

/// A file that every thread reads, or appends to.
///
/// In WASI each thread has descriptors of its own, among which another's file is closed, or is another file: there, it is
/// opened for each use.
pub struct ThreadFile {
    path: PathBuf,
    #[cfg(not(target_os = "wasi"))]
    file: Mutex<File>,
}

impl ThreadFile {
    /// A file to read, with its length.
    pub fn open(path: &Path) -> io::Result<(Self, u64)> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok((Self::of(path, file), length))
    }

    /// A new file to append to. See [`create`].
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self::of(path, create(path)?))
    }

    #[cfg(not(target_os = "wasi"))]
    fn of(path: &Path, file: File) -> Self {
        Self {
            path: whole(path),
            file: Mutex::new(file),
        }
    }

    #[cfg(target_os = "wasi")]
    fn of(path: &Path, _: File) -> Self {
        Self { path: whole(path) }
    }

    /// Fills `bytes` from an offset on.
    pub fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.with(OpenOptions::new().read(true), |file| {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        })
    }

    #[cfg(not(target_os = "wasi"))]
    fn with<T>(
        &self,
        _: &OpenOptions,
        work: impl FnOnce(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        work(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner))
    }

    #[cfg(target_os = "wasi")]
    fn with<T>(
        &self,
        options: &OpenOptions,
        work: impl FnOnce(&mut File) -> io::Result<T>,
    ) -> io::Result<T> {
        work(&mut options.open(&self.path)?)
    }

    /// Gives the finished file another name, in place of what has it.
    pub fn rename(&self, to: &Path) -> io::Result<()> {
        // On Windows nobody reads a file that another process has locked.
        #[cfg(not(target_os = "wasi"))]
        let _ = self.with(&OpenOptions::new(), |file| file.unlock());
        fs::rename(&self.path, to)
    }
}

impl Write for ThreadFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(OpenOptions::new().append(true), |file| {
            file.write_all(bytes)
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes a file that is not there yet, and locks it as long as it is open, so that [`is_left`] is false of it. What a
/// killed build left goes first, also a link, which is not written through.
pub fn create(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path)?;
    }
    let file = File::options().write(true).create_new(true).open(path)?;
    let _ = file.try_lock(); // Not every file system has locks; nothing depends on them but tidying up.
    Ok(file)
}

/// True for a file that no running build writes.
pub fn is_left(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else {
        return false;
    };
    match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => {
            let age = file.metadata().and_then(|file| file.modified());
            age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFT))
        }
    }
}
