//! Scores of nodes: by keywords, by vectors, and the mix of both.

pub mod cover;
pub mod fuse;
pub mod keywords;
pub mod mix;
#[cfg(not(feature = "full"))]
pub mod plain;
pub mod relevance;
#[cfg(feature = "full")]
pub mod sorted;
pub mod worded;
