//! The read side: from a question and a bundle's parts to an answer.

pub mod access;
pub mod alpha;
pub mod boosts;
pub mod cache;
pub mod expansion;
pub mod fuse;
pub mod monitor;
pub mod profiles;
pub mod query;
pub mod result;
pub mod sections;
pub mod stop_words;
pub mod filter;
pub mod hotness;
pub mod query;
pub mod result;
pub mod targets;
pub mod time;
pub mod tokens;
pub mod walk;
