//! `.ovpack` files: every check of the format, and that nothing is lost between a pack, a bundle and a pack.

mod contents;
pub mod fixture;
mod reading;
mod refusals;
mod round_trip;
