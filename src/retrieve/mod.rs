//! The read side: from a question and a bundle's parts to an answer.

pub mod access;
pub mod alpha;
pub mod boosts;
pub mod cache;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod connected;
pub mod expansion;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod explain;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod fields;
pub mod filter;
pub mod find;
pub mod fuse;
pub mod glob;
pub mod grep;
pub mod halt;
pub mod hierarchy;
pub mod hotness;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod hybrid;
pub mod lexical;
pub mod metrics;
pub mod monitor;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
mod narrowed;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod passages;
pub mod paths;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod phrases;
pub mod place;
pub mod profiles;
pub mod query;
#[cfg(any(not(target_arch = "wasm32"), feature = "full"))]
pub mod ranking;
pub mod reading;
pub mod relevance;
pub mod request;
pub mod result;
pub mod scope;
pub mod sections;
pub mod targets;
pub mod time;
pub mod tokens;
pub mod variants;
pub mod walk;
pub mod words;
