//! Stands in for the client where there is no network: in the command line that npm installs.

use knarr::search::{Failure, Post, Reply};

/// A client that reaches nothing.
pub struct Client;

impl Client {
    /// A client without connections.
    pub fn new() -> Self {
        Self
    }

    /// Says why nothing is sent.
    pub fn send(&self, _: &Post) -> Reply {
        Reply::Failed {
            failure: Failure::Unreachable,
            detail: "this command line runs in WebAssembly, without a network: the native one asks endpoints".into(),
        }
    }
}

/// The replies of [`Client::send`].
pub fn send(posts: &[Post]) -> Vec<Reply> {
    posts.iter().map(|post| Client.send(post)).collect()
}
