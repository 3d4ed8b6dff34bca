//! The crate as JavaScript sees it. One compilation is one module: the core, or with the feature `patterns` grep and glob,
//! or with the feature `delegate` the state machine of `search()`.
//!
//! Every call that takes time returns a [`task::Task`] that JavaScript polls inside `try`, so a trap of the module always
//! surfaces at a caller. The package in `pkg/` turns tasks into promises; nothing here is public API.

mod convert;
#[cfg(not(any(feature = "patterns", feature = "search")))]
mod core;
#[cfg(not(any(feature = "patterns", feature = "search")))]
mod fetch;
#[cfg(feature = "patterns")]
mod patterns;
#[cfg(feature = "search")]
mod search;
#[cfg(not(any(feature = "patterns", feature = "search")))]
mod task;

use wasm_bindgen::prelude::wasm_bindgen;

/// Discards the instance: the next call of any export runs in a fresh one. Objects of the old instance are dead.
#[wasm_bindgen]
pub fn restart() {
    wasm_bindgen::handler::schedule_reinit();
}

/// Does nothing, but in a fresh instance after [`restart`]: the glue writes the strings of a call before it looks.
#[wasm_bindgen]
pub fn ready() {}
