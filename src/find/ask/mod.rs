//! The question: its options, its words, and the nodes that it is about.

pub mod asked;
mod beginnings;
pub mod builder;
#[cfg(feature = "full")]
pub mod condition;
#[cfg(feature = "full")]
pub mod fields;
pub mod filter;
mod forms;
#[cfg(feature = "full")]
mod idle;
pub mod meant;
#[cfg(feature = "full")]
pub(in crate::find) mod narrowed;
pub mod options;
#[cfg(feature = "full")]
pub mod order;
pub mod question;
pub mod quoted;
pub mod request;
pub mod scope;
mod slots;
mod spelling;
pub(in crate::find) mod tagged;
pub mod targets;
pub mod time;
pub mod variants;
#[cfg(feature = "full")]
mod view;
pub mod words;
