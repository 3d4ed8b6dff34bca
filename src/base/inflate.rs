//! Inflating, where no browser does it.

use super::error::{Error, Result};

/// Inflates raw deflate data to exactly `len` bytes. Errors: `BUNDLE_DAMAGED` when it is other data.
pub fn inflate(data: &[u8], len: usize) -> Result<Vec<u8>> {
    let raw = miniz_oxide::inflate::decompress_to_vec_with_limit(data, len);
    raw.ok()
        .filter(|raw| raw.len() == len)
        .ok_or_else(|| does_not_inflate(""))
}

/// The error of data that is not what it is said to be, and `why` where somebody said so.
pub fn does_not_inflate(why: &str) -> Error {
    let how = ["it does not decompress", why].concat();
    Error::damaged("bundle part", &how)
}
