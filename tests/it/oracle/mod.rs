//! The published programs as they are written, where the engine does otherwise: what their test vectors are held against.

pub mod onyx;
