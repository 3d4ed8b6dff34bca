//! The published programs as they are written, where the engine does otherwise: what their test vectors are held against.

mod md5;
pub mod minirag;
pub mod onyx;
