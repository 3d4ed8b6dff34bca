//! The read side: from a question and a bundle's parts to an answer.

pub mod access;
pub mod alpha;
pub mod boosts;
pub mod cache;
pub mod expansion;
pub mod fuse;
pub mod monitor;
pub mod paths;
pub mod profiles;
pub mod query;
pub mod result;
pub mod sections;
pub mod stop_words;
