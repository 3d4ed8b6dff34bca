//! Work on single pages that an earlier build did: reading a file, and preparing a page.
//!
//! A key is the hash of everything that the work depends on, so nothing here is ever out of date: what has changed has
//! another key. The caller keeps the bytes, and takes care that they are those of this version of the program.

use super::document::Document;
use super::options::InputOptions;
use super::packing::{from_bytes, to_bytes};
use super::prepare::{Prepared, prepare};
use super::skip::SkipReason;
use super::summary::Repeated;
use crate::bundle::{MAX_PART_BYTES, compress_quickly, decompress};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Names a piece of work by what it depends on.
pub type MemoKey = [u8; 16];

/// Keeps the results of work on single pages between builds. Used from every core.
pub trait Memo: Send + Sync {
    /// The bytes that [`Memo::put`] was given under this key, by this version of the program; `None`: they have to be
    /// made.
    fn get(&self, key: &MemoKey) -> Option<Vec<u8>>;

    /// Keeps bytes.
    fn put(&self, key: &MemoKey, bytes: &[u8]);
}

fn recall<T: DeserializeOwned>(memo: &dyn Memo, key: &MemoKey) -> Option<T> {
    let bytes = decompress(&memo.get(key)?, MAX_PART_BYTES).ok()?;
    from_bytes(&bytes)
}

fn keep<T: Serialize>(memo: &dyn Memo, key: &MemoKey, made: &T) {
    if let Some(bytes) = to_bytes(made) {
        memo.put(key, &compress_quickly(&bytes));
    }
}

fn key(what: &str, parts: &[&[u8]]) -> MemoKey {
    let mut hash = Sha256::new();
    hash.update(what);
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut key = MemoKey::default();
    key.copy_from_slice(&hash.finalize()[..size_of::<MemoKey>()]);
    key
}

/// The document of a file with these bytes: as an earlier build read it, or as `read` does. What is refused is refused
/// anew.
pub(super) fn document(
    memo: &dyn Memo,
    (path, bytes): (&str, &[u8]),
    options: &InputOptions,
    read: impl FnOnce() -> Result<Document, SkipReason>,
) -> Result<Document, SkipReason> {
    let options = options.of_documents();
    let key = key("document", &[options.as_bytes(), path.as_bytes(), bytes]);
    if let Some(known) = recall(memo, &key) {
        return Ok(known);
    }
    let document = read()?;
    keep(memo, &key, &document);
    Ok(document)
}

/// The key of a document that a build read, and the dates that its file has.
type Place = (MemoKey, Option<i64>, Option<i64>);

/// Notes which document a file was read as, and the file's dates, for [`read_before`].
pub(super) fn note(
    memo: &dyn Memo,
    (path, bytes): (&str, &[u8]),
    dates: [Option<i64>; 2],
    options: &InputOptions,
) {
    let options = options.of_documents();
    let document = key("document", &[options.as_bytes(), path.as_bytes(), bytes]);
    let place: Place = (document, dates[0], dates[1]);
    keep(memo, &key("page", &[path.as_bytes()]), &place);
}

/// The document that the last build read of the file at `path`.
pub(super) fn read_before(memo: &dyn Memo, path: &str) -> Option<Document> {
    let place: Place = recall(memo, &key("page", &[path.as_bytes()]))?;
    let mut document: Document = recall(memo, &place.0)?;
    document.created_at = document.created_at.or(place.1);
    document.updated_at = document.updated_at.or(place.2);
    Some(document)
}

/// [`prepare`], unless an earlier build prepared the same document with the same of its lines on many pages.
pub(super) fn prepared(
    memo: Option<&dyn Memo>,
    document: Document,
    repeated: &Repeated,
) -> Prepared {
    let whole = memo.and_then(|memo| Some((memo, to_bytes(&document)?)));
    let Some((memo, whole)) = whole else {
        return prepare(document, repeated);
    };
    let key = key("prepared", &[&whole, &repeated.lines_of(&document)]);
    if let Some(known) = recall(memo, &key) {
        return known;
    }
    let prepared = prepare(document, repeated);
    keep(memo, &key, &prepared);
    prepared
}
