//! Knarr: a search engine that runs wholly in the browser.
//!
//! A bundle is bytes. The core is a function from bytes and a question to an answer. Anything that takes time lives
//! behind one trait, [`Host`].

// From the ground up: a module names only those above it in this list.
pub mod base;
pub mod text;
// indexes, blind to each other
pub mod graph;
pub mod vectors;
// the format
pub mod bundle;
// the read side
pub mod find;
pub mod read;
// the write side, which sees nothing of it
#[cfg(feature = "index")]
pub mod indexer;
// endpoints, as a state machine without IO; in the browser a module of its own
#[cfg(feature = "search")]
pub mod search;
// a bundle and a host
pub mod engine;
// JavaScript
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use base::error::{Error, ErrorKind, Result};
pub use base::host::{Fetched, Host};
pub use engine::Knarr;
