//! Stands in for the client where there is no network: in the command line that npm installs.

use knarr::search::{Failure, Post, Reply};

/// Why no endpoint can be asked.
pub const NO_NETWORK: Option<&str> =
    Some("this command line runs in WebAssembly, without a network: the native one asks endpoints");

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
            detail: NO_NETWORK.unwrap_or_default().into(),
        }
    }
}

/// The replies of [`Client::send`].
pub fn send(posts: &[Post]) -> Vec<Reply> {
    posts.iter().map(|post| Client.send(post)).collect()
}
