//! Onyx's hybrid search: its options, its ranking with several queries and factors, and its arithmetic.

pub mod alpha;
pub mod boosts;
#[cfg(feature = "full")]
pub mod candidates;
pub mod expansion;
#[cfg(feature = "full")]
pub mod guess;
#[cfg(feature = "full")]
pub mod options;
#[cfg(feature = "full")]
pub mod phrases;
#[cfg(feature = "full")]
pub mod ranking;
pub mod two_field;
#[cfg(feature = "full")]
pub mod typed;
pub mod visibility;
pub mod windows;
