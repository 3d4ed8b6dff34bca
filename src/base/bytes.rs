//! Checked reading and plain writing of the bundle's primitive values.
//!
//! Every length is proved against what is left before anything is allocated, so a damaged file gives an error and
//! never a panic or an outsized allocation. All integers are little-endian or LEB128 varints.

use crate::base::error::{Error, Result};

/// The bytes that are read, in errors.
const PART: &str = "bundle part";

/// A cursor over bytes from outside.
///
/// Its methods are called hundreds of times in decoders; in the browser each copy of them would be bytes to download.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Bytes not read yet.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// The next `n` bytes.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        if n > self.bytes.len() {
            return Err(Error::damaged(PART, "it ends early"));
        }
        let (head, tail) = self.bytes.split_at(n);
        self.bytes = tail;
        Ok(head)
    }

    /// One byte.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// Four bytes.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn u32(&mut self) -> Result<u32> {
        let b = self.take(4)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    /// A finite `f32`; anything else is damage.
    pub fn f32(&mut self) -> Result<f32> {
        let value = f32::from_bits(self.u32()?);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(Error::damaged(PART, "a number is not finite"))
        }
    }

    /// A LEB128 varint of at most 64 bits.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Error::damaged(PART, "a varint is too long"))
    }

    /// A varint that must fit `u32`.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn var32(&mut self) -> Result<u32> {
        u32::try_from(self.varint()?).map_err(|_| Error::damaged(PART, "a number is too large"))
    }

    /// A count of things that take at least `min_bytes` each: refused when so many cannot be left.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn count(&mut self, min_bytes: usize) -> Result<usize> {
        let n = self.varint()?;
        let most = self.left() / min_bytes.max(1);
        match usize::try_from(n) {
            Ok(n) if n <= most => Ok(n),
            _ => Err(Error::damaged(PART, "a count exceeds the bytes there are")),
        }
    }

    /// A zigzag-coded signed integer.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn signed(&mut self) -> Result<i64> {
        let z = self.varint()?;
        Ok((z >> 1) as i64 ^ -((z & 1) as i64))
    }

    /// Length-prefixed UTF-8.
    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    pub fn str(&mut self) -> Result<&'a str> {
        let n = self.count(1)?;
        std::str::from_utf8(self.take(n)?).map_err(|_| Error::damaged(PART, "text is not UTF-8"))
    }

    /// Fails unless everything was read: trailing bytes mean writer and reader disagree.
    pub fn finish(&self) -> Result<()> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(Error::damaged(PART, "bytes are left over"))
        }
    }
}

/// The mirror image of [`Reader`].
#[derive(Debug, Default, Clone)]
pub struct Writer {
    /// The bytes written so far.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Raw bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    /// An `f32` by its bits.
    pub fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    /// A LEB128 varint.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.u8(value as u8);
    }

    /// A length or count.
    pub fn len(&mut self, value: usize) {
        self.varint(value as u64);
    }

    /// A zigzag-coded signed integer.
    pub fn signed(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    /// Length-prefixed UTF-8.
    pub fn str(&mut self, value: &str) {
        self.len(value.len());
        self.raw(value.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::ErrorKind;

    #[test]
    fn what_is_written_is_read_back() {
        let mut w = Writer::default();
        for v in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            w.varint(v);
        }
        for v in [0i64, -1, 1, i64::MIN, i64::MAX] {
            w.signed(v);
        }
        w.str("Grüße 世界");
        w.f32(0.25);
        let mut r = Reader::new(&w.bytes);
        for v in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(r.varint().unwrap(), v);
        }
        for v in [0i64, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(r.signed().unwrap(), v);
        }
        assert_eq!(r.str().unwrap(), "Grüße 世界");
        assert_eq!(r.f32().unwrap(), 0.25);
        r.finish().unwrap();
    }

    #[test]
    fn every_prefix_fails_and_none_panics() {
        let mut w = Writer::default();
        w.str("abc");
        w.varint(1 << 40);
        for end in 0..w.bytes.len() {
            let mut r = Reader::new(&w.bytes[..end]);
            assert!(r.str().and_then(|_| r.varint()).is_err());
        }
    }

    #[test]
    fn a_count_larger_than_the_file_is_refused_before_allocation() {
        let mut w = Writer::default();
        w.varint(u64::MAX);
        assert_eq!(
            Reader::new(&w.bytes).count(1).unwrap_err().kind(),
            ErrorKind::BundleDamaged
        );
    }
}
