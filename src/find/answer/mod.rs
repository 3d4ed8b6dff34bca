//! The answer: results with their excerpts and passages, and the explanation of their scores.

#[cfg(feature = "full")]
mod asking;
pub mod compose;
pub mod contexts;
pub mod counts;
#[cfg(feature = "full")]
pub mod direct;
pub mod excerpt;
#[cfg(feature = "full")]
pub mod explain;
pub mod facets;
pub mod groups;
mod lines;
pub mod near;
#[cfg(feature = "full")]
pub mod passages;
pub mod relations;
pub mod result;
pub mod sections;
mod spelled;
pub mod verbatim;
