//! The read side: from a question and a bundle's parts to an answer.

pub mod glob;
pub mod grep;
pub mod query;
pub mod result;
