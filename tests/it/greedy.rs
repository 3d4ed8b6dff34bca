//! Small bundles that ask for much memory: each number in them is within its own bounds and its checksum is right, but what
//! it stands for would not fit a tab.

use knarr::bundle::{Branch, FORMAT, MAGIC, MAX_NODES, compress};
use knarr::{Error, Knarr};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The body of a head, in the order of docs/FORMAT.md.
#[derive(Default)]
struct Body(Vec<u8>);

impl Body {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn var(mut self, mut value: usize) -> Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    /// Generator, name, counts, bits, flags, encoder, alpha, length of a title; then a pack in the file and another.
    fn begun(n_nodes: usize) -> Self {
        let body = Self::default().bytes(b"\x04demo\0").var(n_nodes);
        let body = body.bytes(&[0, 0, 0, 0, 0, 4, 4, 0, 0]);
        let body = body.bytes(&[0, 0, 0, 0]).bytes(&1f32.to_le_bytes());
        body.bytes(&[2, 1, 0, 0, 0x10])
    }

    /// The file of a bundle with this head and nothing else.
    fn sealed(self) -> Vec<u8> {
        let stored = compress(&self.0);
        let mut file = MAGIC.to_vec();
        file.extend(FORMAT.to_le_bytes());
        file.extend(u32::try_from(stored.len()).unwrap().to_le_bytes());
        file.extend(&Sha256::digest(&stored)[..16]);
        file.extend(stored);
        file.extend([0; 16]);
        file
    }
}

fn refused(file: Vec<u8>) -> Error {
    assert!(file.len() < 100_000, "{} bytes", file.len());
    Knarr::from_bytes(file).err().expect("an error")
}

/// `n` strings each of which is the one before and a letter: three bytes each, and half of n² together.
fn growing(n: usize) -> Body {
    (0..n).fold(Body::default().var(n), |body, at| {
        body.var(at).bytes(b"\x01a")
    })
}

#[test]
fn words_that_grow_without_end_are_damage() {
    for n in [4_000, 60_000] {
        let body = Body::begun(1).bytes(&[1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
        let error = refused(body.bytes(&growing(n).0).bytes(&[0; 12]).sealed());
        assert_eq!(error.code(), "BUNDLE_DAMAGED");
        assert!(error.message().contains("too long"), "{error}");
    }
}

#[test]
fn nodes_that_no_part_holds_have_an_end() {
    for n_blocks in [MAX_NODES as usize / 1024 + 1, 4_000_000 / 1024 * 100] {
        let n_nodes = n_blocks * 1024;
        let body = Body::begun(n_nodes).bytes(&[1, 0, 0, 1]);
        let body = body.var(n_nodes - 1).var(n_nodes).bytes(&[0]);
        let body = body.var(n_blocks).bytes(&[0, 0, 0]);
        let blocks = Body::default().var(1024).bytes(&[0, 0]).0;
        let body = body.bytes(&blocks.repeat(n_blocks - 1));
        let error = refused(body.bytes(&[0; 64]).sealed());
        assert_eq!(error.code(), "BUNDLE_DAMAGED");
        assert!(error.message().contains("counts"), "{error}");
    }
}

#[test]
fn a_head_or_a_part_that_swells_is_refused_unread() {
    let error = refused(Body::begun(1).bytes(&vec![0; (1 << 24) + 1]).sealed());
    assert_eq!(error.code(), "BUNDLE_DAMAGED");
    assert!(error.message().contains("stated length"), "{error}");
}

#[test]
fn pages_with_the_same_breadcrumbs_share_them() {
    let crumb = "a".repeat(1 << 16);
    let node = |flags: u8| Body::default().bytes(&[0, flags, 0, 0, 0, 0, 0]);
    let first = node(32)
        .var(1)
        .var(crumb.len())
        .bytes(crumb.as_bytes())
        .bytes(&[0, 0]);
    let others = node(0).bytes(&[0, 0]).0.repeat(1023);
    let part = Body::default().var(0).bytes(&first.0).bytes(&others);
    let branch = Branch::decode(&part.0, 1024, 0).expect("a part");
    let [first, .., last] = &branch.nodes[..] else {
        panic!("no nodes");
    };
    assert_eq!(*last.crumbs, [crumb]);
    assert!(Arc::ptr_eq(&first.crumbs, &last.crumbs));
}

/// The same file is read where its numbers are not beyond their bounds: the tests above fail for these alone.
#[test]
fn a_small_head_of_that_form_is_read() {
    let body = Body::begun(1).bytes(&[1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    let error = refused(body.bytes(&growing(3).0).bytes(&[0; 64]).sealed());
    assert!(error.message().contains("number of parts"), "{error}");
}
