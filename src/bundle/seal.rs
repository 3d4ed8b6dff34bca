//! The stored form of a part: a check, its length, then deflate, or plain bytes where deflate does not help.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};
use crate::base::inflate::inflate;
use sha2::{Digest, Sha256};

/// Bytes of a check: enough to notice damage, or bytes of another place.
const CHECK_BYTES: usize = 4;

/// Compresses `raw` for a pack. Before it stand the first bytes of the SHA-256 of the result: whoever fetches a part has
/// its check, and nobody has that of a part that is never asked for.
pub fn seal(raw: &[u8]) -> Vec<u8> {
    let stored = compress(raw);
    let mut sealed = Sha256::digest(&stored)[..CHECK_BYTES].to_vec();
    sealed.extend(stored);
    sealed
}

/// True if sealed bytes are as they were written.
pub fn is_sealed(sealed: &[u8]) -> bool {
    let parts = sealed.split_at_checked(CHECK_BYTES);
    parts.is_some_and(|(check, stored)| &Sha256::digest(stored)[..CHECK_BYTES] == check)
}

/// Sealed bytes without their check, in the form that [`packed`] reads.
pub fn without_check(sealed: &[u8]) -> &[u8] {
    sealed.get(CHECK_BYTES..).unwrap_or_default()
}

/// Varint of the raw length and deflate data, or 0 and the raw bytes.
pub fn compress(raw: &[u8]) -> Vec<u8> {
    compress_at(raw, 9)
}

/// [`compress`] for what stays in memory: a tenth of the time, a fifth more bytes.
pub fn compress_quickly(raw: &[u8]) -> Vec<u8> {
    compress_at(raw, 1)
}

fn compress_at(raw: &[u8], level: u8) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(raw, level);
    let mut w = Writer::default();
    if packed.len() < raw.len() {
        w.len(raw.len());
        w.raw(&packed);
    } else {
        w.len(0);
        w.raw(raw);
    }
    w.bytes
}

/// Compressed bytes, by what has to be done with them.
pub enum Packed<'b> {
    /// The raw bytes.
    Plain(&'b [u8]),
    /// Deflate data, and its length when inflated.
    Deflated(&'b [u8], usize),
}

/// Reads what [`compress`] wrote. Errors: `BUNDLE_DAMAGED` when it says that it is longer than `most` bytes.
pub fn packed(stored: &[u8], most: usize) -> Result<Packed<'_>> {
    let mut r = Reader::new(stored);
    let len = r.var32()? as usize;
    let rest = r.take(r.left())?;
    if len > most {
        let how = "its stated length is beyond what a part can have";
        return Err(Error::damaged("bundle part", how));
    }
    Ok(match len {
        0 => Packed::Plain(rest),
        _ => Packed::Deflated(rest, len),
    })
}

/// Undoes [`compress`]. Errors: `BUNDLE_DAMAGED` when the data does not inflate to exactly the stated length, or that is
/// more than `most`.
pub fn decompress(stored: &[u8], most: usize) -> Result<Vec<u8>> {
    match packed(stored, most)? {
        Packed::Plain(raw) => Ok(raw.to_vec()),
        Packed::Deflated(data, len) => inflate(data, len),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::ErrorKind;
    use crate::bundle::MAX_PART_BYTES;

    #[test]
    fn stored_parts_come_back() {
        for raw in [
            &b""[..],
            b"x",
            &[7u8; 5000],
            &(0..=255).collect::<Vec<u8>>(),
        ] {
            let mut sealed = seal(raw);
            assert_eq!(decompress(without_check(&sealed), 5000).unwrap(), raw);
            assert!(is_sealed(&sealed));
            *sealed.last_mut().unwrap() ^= 1;
            assert!(!is_sealed(&sealed));
            assert!(!is_sealed(&sealed[..3]));
        }
        assert!(seal(&[7u8; 5000]).len() < 100);
    }

    #[test]
    fn a_wrong_length_is_refused() {
        let mut w = Writer::default();
        w.len(99);
        w.raw(&miniz_oxide::deflate::compress_to_vec(b"hello", 6));
        assert_eq!(
            decompress(&w.bytes, MAX_PART_BYTES).unwrap_err().kind(),
            ErrorKind::BundleDamaged
        );
    }
}
