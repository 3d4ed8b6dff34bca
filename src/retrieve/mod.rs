//! The read side: from a question and a bundle's parts to an answer.

pub mod filter;
pub mod hotness;
pub mod query;
pub mod result;
pub mod targets;
pub mod time;
pub mod tokens;
pub mod walk;
