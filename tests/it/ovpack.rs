//! `.ovpack` files: every check of the format, and that nothing is lost between a pack, a bundle and a pack.

#[cfg(feature = "full")]
mod contents;
pub mod fixture;
mod reading;
mod refusals;
#[cfg(feature = "full")]
mod round_trip;
