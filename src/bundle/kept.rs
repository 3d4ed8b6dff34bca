//! Kept records: what the input held of one node, byte for byte. They lie behind the text records and are fetched for
//! reading and exporting only, so that a question pays nothing for them.

#[cfg(feature = "full")]
use crate::base::bytes::Reader;
use crate::base::bytes::Writer;
#[cfg(feature = "full")]
use crate::base::error::Result;

/// Bytes kept as they were; the kind is one of the constants here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// Kind of the bytes; a reader passes over kinds it does not know.
    pub kind: u8,
    /// Content, byte for byte.
    pub bytes: Vec<u8>,
}

/// A directory or file with all that the bundle holds of it, for writing it elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeExport {
    /// Its `viking://` URI.
    pub uri: String,
    /// True for a directory.
    pub is_dir: bool,
    /// Number of children.
    pub n_children: usize,
    /// L0.
    pub abstract_: String,
    /// L1.
    pub overview: String,
    /// L2; empty for directories.
    pub content: String,
    /// Tags of the node.
    pub tags: Vec<String>,
    /// Bytes kept as they were.
    pub kept: Vec<Kept>,
}

impl NodeExport {
    /// Kept bytes of a kind.
    pub fn kept(&self, kind: u8) -> Option<&[u8]> {
        find_kept(&self.kept, kind)
    }
}

/// Kept bytes of a kind.
pub fn find_kept(kept: &[Kept], kind: u8) -> Option<&[u8]> {
    let found = kept.iter().find(|kept| kept.kind == kind)?;
    Some(&found.bytes)
}

impl Kept {
    /// The directory's `.abstract.md`.
    pub const ABSTRACT: u8 = 0;
    /// The directory's `.overview.md`.
    pub const OVERVIEW: u8 = 1;
    /// The file itself.
    pub const FILE: u8 = 2;
    /// Index records of the node in an `.ovpack`: a list in JSON.
    pub const RECORDS: u8 = 3;
    /// The root of the `.ovpack` whose files lie below: an object in JSON.
    pub const PACK: u8 = 4;
    /// Vectors of the node in an `.ovpack`: of each the level, one byte, and its numbers as little-endian `f32`.
    pub const VECTORS: u8 = 5;
    /// Dimensions and model of those vectors, with the record of the `.ovpack`'s root: an object in JSON.
    pub const EMBEDDING: u8 = 6;
    /// The indexer's decisions on the pages of a site, kept with the directory of its input: an object in JSON.
    pub const PAGES: u8 = 7;
}

/// Decodes a record.
#[cfg(feature = "full")]
pub fn decode_kept(bytes: &[u8]) -> Result<Vec<Kept>> {
    let r = &mut Reader::new(bytes);
    let mut kept = Vec::new();
    while r.left() > 0 {
        let kind = r.u8()?;
        let n = r.count(1)?;
        let bytes = r.take(n)?.to_vec();
        kept.push(Kept { kind, bytes });
    }
    Ok(kept)
}

/// Encodes a record.
pub fn encode_kept(kept: &[Kept]) -> Vec<u8> {
    let mut w = Writer::default();
    for kept in kept {
        w.u8(kept.kind);
        w.len(kept.bytes.len());
        w.raw(&kept.bytes);
    }
    w.bytes
}

#[cfg(all(test, feature = "full"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let kept = |kind, bytes: &[u8]| Kept {
            kind,
            bytes: bytes.to_vec(),
        };
        let record = [kept(9, b""), kept(Kept::FILE, b"*Seen.*\r\n\xFF")];
        let bytes = encode_kept(&record);
        assert_eq!(decode_kept(&bytes).unwrap(), record);
        assert_eq!(find_kept(&record, Kept::FILE).unwrap().len(), 10);
        assert_eq!(decode_kept(b"").unwrap(), []);
        for end in 3..bytes.len() {
            assert!(decode_kept(&bytes[..end]).is_err(), "{end}");
        }
    }
}
