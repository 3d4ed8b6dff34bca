//! Sends requests to endpoints. The only place on the command line that opens a connection to somewhere else.

use knarr::search::{Failure, Post, Reply};
use std::time::{Duration, Instant};
use ureq::Agent;

/// Why no endpoint can be asked: nothing stands against it here.
pub const NO_NETWORK: Option<&str> = None;

/// A client that keeps connections open between requests.
pub struct Client(Agent);

impl Client {
    /// A client without connections.
    pub fn new() -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect would carry the key to another place; its status is told instead.
            .max_redirects(0)
            .max_redirects_will_error(false);
        Self(config.build().into())
    }

    /// Waits as long as the post says, sends it, and reads what comes back.
    pub fn send(&self, post: &Post) -> Reply {
        std::thread::sleep(Duration::from_millis(post.delay_ms.into()));
        let timeout = Duration::from_millis(post.timeout_ms.into());
        let request = self.0.post(&post.url).config();
        let mut request = request.timeout_global(Some(timeout)).build();
        for (name, value) in &post.headers {
            request = request.header(name, value);
        }
        let begun = Instant::now();
        let mut response = match request.send(&post.body) {
            Ok(response) => response,
            Err(error) => return failure(&error),
        };
        let body = response.body_mut().with_config();
        match body.limit(post.max_bytes.into()).read_to_vec() {
            Err(error) => failure(&error),
            Ok(bytes) => {
                let retry_after = response.headers().get("retry-after");
                Reply::Response {
                    status: response.status().as_u16(),
                    retry_after: retry_after
                        .and_then(|value| value.to_str().ok().map(str::to_owned)),
                    body: String::from_utf8_lossy(&bytes).into_owned(),
                    elapsed_ms: u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX),
                }
            }
        }
    }
}

/// Sends requests side by side and returns the replies in their order.
pub fn send(posts: &[Post]) -> Vec<Reply> {
    let client = Client::new();
    std::thread::scope(|scope| {
        let sent: Vec<_> = posts
            .iter()
            .map(|post| scope.spawn(|| client.send(post)))
            .collect();
        sent.into_iter()
            .map(|reply| reply.join().unwrap_or_else(|_| failed("the client failed")))
            .collect()
    })
}

fn failure(error: &ureq::Error) -> Reply {
    match error {
        ureq::Error::Timeout(_) => Reply::Failed {
            failure: Failure::Timeout,
            detail: String::new(),
        },
        ureq::Error::BodyExceedsLimit(_) => Reply::Failed {
            failure: Failure::TooLarge,
            detail: String::new(),
        },
        // Reading a body wraps the client's errors in those of reading.
        ureq::Error::Io(io) => match io.get_ref().and_then(|e| e.downcast_ref()) {
            Some(inner) => failure(inner),
            None => failed(&io.to_string()),
        },
        other => failed(&other.to_string()),
    }
}

fn failed(detail: &str) -> Reply {
    Reply::Failed {
        failure: Failure::Unreachable,
        detail: detail.to_owned(),
    }
}
