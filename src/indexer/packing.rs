//! Values as bytes without names of fields, for a later step of a build or a later build of the same program.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of a value; `None` for a shape that has none, which a type either always is or never.
pub fn to_bytes<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    postcard::to_allocvec(value).ok()
}

/// The value of bytes that [`to_bytes`] wrote; `None` for others.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
