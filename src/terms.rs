//! terms
