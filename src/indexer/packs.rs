//! Laying parts and texts out in packs: files named by their content.

use crate::bundle::{PACK_EXTENSION, PACK_HASH, Pack, PartAddress, seal};
use sha2::{Digest, Sha256};

/// A pack is closed before it grows beyond this. A host without byte ranges sends a whole pack for each part, so packs
/// are small; with ranges their size does not matter. 20 MB in packs of 64 kB are some 300 files.
pub const PACK_BYTES: usize = 64 << 10;

/// Bytes for each file of the site that a pack may have at least, so that packs do not become more and more: the head
/// names each, in 8 bytes.
pub const PACK_BYTES_A_FILE: usize = 2;

/// The same for hosts that answer several ranges of a file in one response: a question's parts should lie in few files.
/// Some hosts take no file above 25 MB.
pub const LARGE_PACK_BYTES: usize = 8 << 20;

/// Packs as they fill.
#[derive(Default)]
pub struct Packer {
    packs: Vec<Vec<u8>>,
    limit: usize,
    /// Number of the first pack that is a file of its own even where the others follow the head.
    apart_from: Option<usize>,
}

impl Packer {
    /// Packs of about `limit` bytes; `usize::MAX` for one.
    pub fn new(limit: usize) -> Self {
        Self {
            packs: vec![Vec::new()],
            limit,
            apart_from: None,
        }
    }

    /// From here on, packs are files of their own, of about `limit` bytes.
    pub fn set_apart(&mut self, limit: usize) {
        self.limit = limit;
        self.apart_from = Some(self.packs.len());
        self.packs.push(Vec::new());
    }

    /// Appends stored bytes; they never straddle two packs.
    fn place(&mut self, stored: &[u8]) -> (u32, u64) {
        let last = self.packs.last().expect("there is always one");
        if !last.is_empty() && last.len() + stored.len() > self.limit {
            // It is full, and was filled by doubling.
            self.packs
                .last_mut()
                .expect("there is always one")
                .shrink_to_fit();
            self.packs.push(Vec::new());
        }
        let pack = self.packs.len() - 1;
        let offset = self.packs[pack].len() as u64;
        self.packs[pack].extend_from_slice(stored);
        (pack as u32, offset)
    }

    /// Compresses and appends a part.
    pub fn part(&mut self, raw: &[u8]) -> PartAddress {
        let stored = seal(raw);
        let (pack, offset) = self.place(&stored);
        PartAddress {
            pack,
            offset,
            len: stored.len() as u32,
        }
    }

    /// Appends a text that is already stored; its position is the sum of what came before.
    pub fn text(&mut self, stored: &[u8]) {
        self.place(stored);
    }

    /// The packs with their names, or without names when they follow the head.
    pub fn finish(self, embedded: bool) -> Vec<(Pack, Vec<u8>)> {
        let n_embedded = self.apart_from.unwrap_or(usize::MAX);
        let packs = self.packs.into_iter().enumerate().map(|(i, bytes)| {
            let name = if embedded && i < n_embedded {
                String::new()
            } else {
                pack_name(&bytes)
            };
            (
                Pack {
                    name,
                    bytes: bytes.len() as u64,
                },
                bytes,
            )
        });
        packs.collect()
    }
}

fn pack_name(bytes: &[u8]) -> String {
    let mut hash = [0; PACK_HASH];
    hash.copy_from_slice(&Sha256::digest(bytes)[..PACK_HASH]);
    Pack::name_of(hash)
}

/// True if a pack with this name still has the bytes that it was named by; those of format 2 were named otherwise.
pub fn is_pack_whole(name: &str, bytes: &[u8]) -> bool {
    pack_name(bytes) == name
}

/// True for a file name as builders give to packs; those of format 2 had longer ones.
pub fn is_pack_name(name: &str) -> bool {
    name.strip_suffix(PACK_EXTENSION).is_some_and(|hex| {
        [2 * PACK_HASH, 20].contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit())
    })
}
