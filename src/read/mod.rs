//! The bundle as a file system: abstracts, overviews, contents, listings, and the files that grep and glob look at.

#[cfg(feature = "full")]
pub mod entities;
pub mod glob;
pub mod grep;
pub mod links;
pub mod listing;
pub mod patterns;
#[cfg(feature = "full")]
pub mod section;
pub mod texts;
