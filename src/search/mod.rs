//! `search()`: what `find` cannot do alone, delegated to endpoints that the site configures.
//!
//! A conversation becomes typed queries (an intent endpoint), a question becomes a vector (an embedding endpoint), and
//! candidates are scored again (a rerank endpoint). Nothing here does IO: [`Search`] says what to post and what to
//! find, and is told what came back. The browser drives it with `fetch`, the command line with a blocking client.
//!
//! Invariant: whatever an endpoint does, there is an answer, the local one, and it says in `skipped` what failed and
//! why. Only wrong arguments and a model that is not the bundle's are errors.
//! Source: OpenViking specification §1.6, §3, §4.

mod besides;
pub mod embedding;
pub mod endpoints;
pub mod exchange;
pub mod intent;
pub mod json;
pub mod machine;
pub mod options;
pub mod repair;
pub mod rerank;
pub mod result;
pub mod session;
pub mod template;

pub use crate::search::endpoints::{Bundle, Endpoints};
pub use crate::search::exchange::{Failure, Post, Reply};
pub use crate::search::machine::{Answer, Find, Search, Step};
pub use options::SearchOptions;
pub use result::SearchResult;
pub use session::Session;
