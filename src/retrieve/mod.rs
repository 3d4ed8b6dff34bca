//! The read side: from a question and a bundle's parts to an answer.

pub mod access;
pub mod alpha;
pub mod boosts;
pub mod cache;
pub mod expansion;
pub mod filter;
pub mod find;
pub mod fuse;
pub mod halt;
pub mod hierarchy;
pub mod hotness;
pub mod lexical;
pub mod monitor;
pub mod place;
pub mod profiles;
pub mod query;
pub mod reading;
pub mod relevance;
pub mod result;
pub mod sections;
pub mod stop_words;
pub mod targets;
pub mod time;
pub mod tokens;
pub mod walk;
pub mod words;
