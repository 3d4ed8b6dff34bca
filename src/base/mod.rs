//! Vocabulary that knows nothing of search: bytes, dates, errors, node ids, sorting, URIs, and the one seam to the world.

pub mod bytes;
pub mod civil;
pub mod error;
pub mod host;
pub mod id;
pub mod inflate;
pub mod key;
pub mod options;
pub mod order;
pub mod uri;
pub mod value;
