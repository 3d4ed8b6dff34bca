//! Knarr: a search engine that runs wholly in the browser.
//!
//! A bundle is bytes. The core is a function from bytes and a question to an answer. Anything that takes time lives
//! behind one trait, [`Host`].

// By floor: a module names only those of lower floors (ARCHITECTURE.md has the map, tests/it/floors.rs the proof).
// 0: vocabulary
pub mod base;
// 1: words
pub mod text;
// 2: indexes
pub mod graph;
pub mod vectors;
// 3: the format
pub mod bundle;
// 4: from a question to an answer
pub mod find;
// 5: the bundle as a file system
pub mod read;
// 5: the write side
#[cfg(feature = "index")]
pub mod indexer;
// 5: endpoints, as a state machine without IO; in the browser a module of its own
#[cfg(feature = "search")]
pub mod search;
// 6: a bundle and a host
pub mod engine;
// 7: JavaScript
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use base::error::{Error, ErrorKind, Result};
pub use base::host::{Fetched, Host};
pub use engine::Knarr;
