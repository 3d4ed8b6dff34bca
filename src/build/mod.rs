//! The write side: documents in, bundle bytes out. Native only.

pub mod document;
pub mod space;
pub mod static_table;
