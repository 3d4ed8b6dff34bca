//! The one seam to the world: everything that takes time enters through [`Host`].
//!
//! The browser's host is `fetch`, the command line's is the disk, the tests' is a script.

use crate::base::error::Result;
use crate::base::inflate;
use std::future::{Future, ready};

/// Bytes of a file of the bundle, as they arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Content: at least the range that was asked for, where the file has it.
    pub bytes: Vec<u8>,
    /// Position of `bytes[0]` in the file. A server without byte ranges sends the whole file, then this is 0.
    pub offset: u64,
}

/// The one seam between the engine and the world: fetching files. Implementations report failures with the codes of
/// [`crate::ErrorKind`].
pub trait Host {
    /// Fetches bytes `range` (half-open) of `file`, a name relative to the bundle; `None` means the whole file.
    ///
    /// May return more than was asked for (a server without ranges); the engine takes what it needs and keeps the rest.
    /// Errors: `BUNDLE_MISSING` when the file is not there, `UNAVAILABLE` on any other failure, `ABORTED` after an abort.
    fn fetch(&self, file: &str, range: Option<(u64, u64)>)
    -> impl Future<Output = Result<Fetched>>;

    /// Inflates raw deflate data to exactly `len` bytes. A browser does it by itself, and its module needs no code for it.
    ///
    /// Errors: `BUNDLE_DAMAGED` when it is other data.
    fn inflate(&self, data: &[u8], len: usize) -> impl Future<Output = Result<Vec<u8>>> {
        ready(inflate::inflate(data, len))
    }

    /// True when nobody waits for this call any more: what is on its way is still taken in, and nothing more is asked
    /// for.
    fn is_left(&self) -> bool {
        false
    }
}
