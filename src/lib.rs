//! Knarr: a search engine that runs wholly in the browser.
//!
//! A bundle is bytes. The core is a function from bytes and a question to an answer. Anything that takes time lives
//! behind one trait, [`host::Host`].

// floor 0: vocabulary
pub mod bytes;
pub mod civil;
pub mod error;
pub mod id;
pub mod order;
pub mod text;
pub mod uri;
// floor 1: indexes, blind to each other
pub mod graph;
pub mod terms;
pub mod vectors;
// floor 2: the format
pub mod bundle;
// floor 3: two sides, blind to each other
#[cfg(feature = "index")]
pub mod indexer;
pub mod retrieve;
// on top of the read side: what endpoints add to find; in the browser a module of its own
#[cfg(feature = "search")]
pub mod delegate;
// floor 4: the engine
pub mod engine;
pub mod host;
// floor 5: shells
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use engine::Knarr;
pub use error::{Error, ErrorKind, Result};
pub use host::{Fetched, Host};
