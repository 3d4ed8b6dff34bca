//! The stored form of a part: its length, then deflate, or plain bytes where deflate does not help.

use super::MAX_PART_BYTES;
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, ErrorKind, Result};
use sha2::{Digest, Sha256};

/// First four bytes of the SHA-256 of stored bytes, little-endian: enough to notice damage or another build's bytes.
pub fn check_of(stored: &[u8]) -> u32 {
    let hash = Sha256::digest(stored);
    u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]])
}

/// Compresses `raw` for a pack: varint of the raw length and deflate data, or 0 and the raw bytes.
pub fn seal(raw: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(raw, 9);
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

/// Undoes [`seal`]. Errors: `BUNDLE_DAMAGED` when the data does not inflate to exactly the stated length.
pub fn open_sealed(stored: &[u8]) -> Result<Vec<u8>> {
    let damaged = |what: &str| {
        Error::new(
            ErrorKind::BundleDamaged,
            format!("bundle part is damaged: {what}"),
        )
    };
    let mut r = Reader::new(stored);
    let raw_len = r.var32()? as usize;
    let rest = r.take(r.left())?;
    if raw_len == 0 {
        return Ok(rest.to_vec());
    }
    if raw_len > MAX_PART_BYTES {
        return Err(damaged("its stated length is beyond what a part can have"));
    }
    let raw = miniz_oxide::inflate::decompress_to_vec_with_limit(rest, raw_len)
        .map_err(|_| damaged("it does not decompress"))?;
    if raw.len() != raw_len {
        return Err(damaged("it decompresses to another length"));
    }
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_parts_come_back() {
        for raw in [
            &b""[..],
            b"x",
            &[7u8; 5000],
            &(0..=255).collect::<Vec<u8>>(),
        ] {
            assert_eq!(open_sealed(&seal(raw)).unwrap(), raw);
        }
        assert!(seal(&[7u8; 5000]).len() < 100);
    }

    #[test]
    fn a_wrong_length_is_refused() {
        let mut w = Writer::default();
        w.len(99);
        w.raw(&miniz_oxide::deflate::compress_to_vec(b"hello", 6));
        assert_eq!(
            open_sealed(&w.bytes).unwrap_err().kind(),
            ErrorKind::BundleDamaged
        );
    }
}
