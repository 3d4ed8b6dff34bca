//! One request to an endpoint, what may come back, and what is made of it.

use super::json::{Object, text, whole, write};
use super::repair;
use crate::search::endpoints::{Headers, Target};
use serde_json::Value;

/// A request for the transport: an HTTP POST of JSON.
///
/// The transport sends no cookies, follows no redirect, reads at most `max_bytes` of the body (after decompression) and
/// gives up `timeout_ms` after it began to send.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// Address.
    pub url: String,
    /// Headers, names as configured; the content type is among them.
    pub headers: Headers,
    /// JSON text to send.
    pub body: String,
    /// Milliseconds from the first byte sent to the last byte read.
    pub timeout_ms: u32,
    /// Longest body that is read.
    pub max_bytes: u32,
    /// Milliseconds to wait before sending, because the endpoint asked for it.
    pub delay_ms: u32,
}

impl Post {
    /// `{"url", "headers", "body", "timeout_ms", "max_bytes", "delay_ms"}`.
    pub fn to_value(&self) -> Value {
        let headers = self.headers.iter();
        let headers = headers.fold(Object::default(), |o, (name, value)| {
            o.with(name, text(value))
        });
        Object::default()
            .with("url", text(&self.url))
            .with("headers", headers.done())
            .with("body", text(&self.body))
            .with("timeout_ms", whole(self.timeout_ms as usize))
            .with("max_bytes", whole(self.max_bytes as usize))
            .with("delay_ms", whole(self.delay_ms as usize))
            .done()
    }
}

/// The outcome of a request, as the transport reports it.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The endpoint answered, whatever the status.
    Response {
        /// HTTP status.
        status: u16,
        /// The header `Retry-After`, where there is one to see.
        retry_after: Option<String>,
        /// JSON text to send.
        body: String,
        /// Milliseconds the exchange took, the delay before it not counted.
        elapsed_ms: u32,
    },
    /// There is no answer.
    Failed {
        /// Why.
        failure: Failure,
        /// Message of the transport.
        detail: String,
    },
}

impl Reply {
    /// Reads `{"status", "body", "retry_after"?, "elapsed_ms"?}` or `{"failure", "detail"?}`, the failure being
    /// `unreachable`, `timeout` or `too_large`. Anything else is an endpoint that could not be reached.
    pub fn from_value(value: &Value) -> Self {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let number = |name: &str| value[name].as_u64();
        match number("status").and_then(|status| u16::try_from(status).ok()) {
            Some(status) => Self::Response {
                status,
                retry_after: text("retry_after"),
                body: text("body").unwrap_or_default(),
                elapsed_ms: number("elapsed_ms").map_or(0, |ms| ms.try_into().unwrap_or(u32::MAX)),
            },
            None => Self::Failed {
                failure: match value["failure"].as_str() {
                    Some("timeout") => Failure::Timeout,
                    Some("too_large") => Failure::TooLarge,
                    _ => Failure::Unreachable,
                },
                detail: text("detail").unwrap_or_default(),
            },
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No connection, a broken one, a redirect, or a browser's policy.
    Unreachable,
    /// The time was up.
    Timeout,
    /// The body is longer than is read.
    TooLarge,
}

/// A request under way.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The request to send.
    pub post: Post,
    repeated: bool,
    allowed_ms: u32,
}

/// Consequence of a reply for its exchange.
#[derive(Debug, PartialEq)]
pub enum Taken {
    /// Send [`Exchange::post`] again, after its delay.
    Again,
    /// The JSON of a successful answer.
    Json(Value),
    /// The exchange is over; why, for people.
    Failed(String),
}

/// Characters of an endpoint's own message that are repeated to the caller.
const MESSAGE_CHARS: usize = 160;

impl Exchange {
    /// A request that was not sent yet.
    pub fn new(target: Target<'_>, body: &Value) -> Self {
        let mut headers = target.headers.to_vec();
        let named = |(name, _): &(String, String)| name.eq_ignore_ascii_case("content-type");
        if !headers.iter().any(named) {
            headers.push(("content-type".into(), "application/json".into()));
        }
        Self {
            post: Post {
                url: target.url.to_owned(),
                headers,
                body: write(body),
                timeout_ms: target.timeout_ms,
                max_bytes: target.max_bytes,
                delay_ms: 0,
            },
            repeated: false,
            allowed_ms: target.timeout_ms,
        }
    }

    /// Reads a reply. A refusal for the moment (429, 503) with a `Retry-After` is repeated once, if the time allows it.
    pub fn take(&mut self, reply: Reply) -> Taken {
        match reply {
            Reply::Failed { failure, detail } => Taken::Failed(self.failed(failure, &detail)),
            Reply::Response {
                status: 200..=299,
                body,
                ..
            } => match json(&body) {
                Ok(value) => Taken::Json(value),
                Err(reason) => Taken::Failed(reason),
            },
            Reply::Response {
                status,
                retry_after,
                body,
                elapsed_ms,
            } => {
                let mut reason = ["it answered ", &status.to_string()].concat();
                if let Some(message) = self.message(&body) {
                    reason += ": ";
                    reason += &message;
                }
                let wait_ms = retry_after.as_deref().and_then(milliseconds);
                match wait_ms {
                    Some(wait_ms) if matches!(status, 429 | 503) && !self.repeated => {
                        let left_ms = self.allowed_ms.saturating_sub(elapsed_ms);
                        if wait_ms < left_ms {
                            self.repeated = true;
                            self.post.delay_ms = wait_ms;
                            self.post.timeout_ms = left_ms - wait_ms;
                            return Taken::Again;
                        }
                        reason += "; it asks to wait longer than it is given";
                    }
                    _ => {}
                }
                Taken::Failed(reason)
            }
        }
    }

    fn failed(&self, failure: Failure, detail: &str) -> String {
        match failure {
            Failure::Timeout => [
                "it did not answer within ",
                &self.allowed_ms.to_string(),
                " ms",
            ]
            .concat(),
            Failure::TooLarge => [
                "its answer is longer than ",
                &self.post.max_bytes.to_string(),
                " bytes",
            ]
            .concat(),
            Failure::Unreachable if detail.is_empty() => "it could not be reached".into(),
            Failure::Unreachable => ["it could not be reached: ", &self.cut(detail)].concat(),
        }
    }

    /// The endpoint's own words on its refusal: `error.message`, `error`, `message` or `detail`.
    fn message(&self, body: &str) -> Option<String> {
        let value: Value = serde_json::from_str(body).ok()?;
        let text = [
            value.pointer("/error/message"),
            value.get("error"),
            value.get("message"),
            value.get("detail"),
        ]
        .into_iter()
        .flatten()
        .find_map(Value::as_str)?;
        Some(self.cut(text)).filter(|text| !text.is_empty())
    }

    /// One short line of a foreign text, without what was sent in a header: endpoints like to quote keys.
    fn cut(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (_, value) in &self.post.headers {
            for secret in [value.as_str()].into_iter().chain(value.split(' ')) {
                if secret.len() >= 8 {
                    text = text.replace(secret, "…");
                }
            }
        }
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut short: String = line.chars().take(MESSAGE_CHARS).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        short
    }
}

/// The JSON of a body, or why it is none. `NaN` and `Infinity`, which Python's servers write, are read as null.
fn json(body: &str) -> Result<Value, String> {
    let error = match serde_json::from_str(body) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if ["NaN", "Infinity"].iter().any(|name| body.contains(name))
        && let Some(value) = repair::whole(body)
    {
        return Ok(value);
    }
    Err(if body.trim_start().starts_with('<') {
        "its answer is not JSON but looks like an HTML page".into()
    } else if body.trim().is_empty() {
        "its answer is empty".into()
    } else if error.is_eof() {
        "its answer is JSON that is cut off".into()
    } else {
        "its answer is not JSON".into()
    })
}

/// The milliseconds of a `Retry-After` in seconds, with a fraction or without. A date is not read: there is no clock here.
fn milliseconds(header: &str) -> Option<u32> {
    let (seconds, fraction) = header.trim().split_once('.').unwrap_or((header.trim(), ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if seconds.is_empty() || !digits(seconds) || !digits(fraction) {
        return None;
    }
    let seconds: u32 = seconds.parse().ok()?;
    // Rounded up to the next millisecond, by the first three digits and one for what follows.
    let thousandths = [fraction, "000"].concat();
    let fraction_ms: u32 = thousandths[..3].parse().ok()?;
    let more = fraction.len() > 3;
    seconds
        .checked_mul(1000)?
        .checked_add(fraction_ms + u32::from(more))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn exchange() -> Exchange {
        let headers = [("Authorization".to_owned(), "Bearer sk-12345678".to_owned())];
        let target = Target {
            url: "https://a.example/",
            headers: &headers,
            timeout_ms: 2_000,
            max_bytes: 100,
        };
        Exchange::new(target, &json!({"a": 1}))
    }

    fn response(status: u16, retry_after: Option<&str>, body: &str) -> Reply {
        Reply::Response {
            status,
            retry_after: retry_after.map(str::to_owned),
            body: body.to_owned(),
            elapsed_ms: 100,
        }
    }

    fn failed(reply: Reply) -> String {
        match exchange().take(reply) {
            Taken::Failed(reason) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn carries_json() {
        let exchange = exchange();
        assert_eq!(exchange.post.body, r#"{"a":1}"#);
        assert_eq!(exchange.post.headers[1].1, "application/json");
    }

    #[test]
    fn a_refusal_for_the_moment_is_repeated_once_within_the_time() {
        let mut exchange = exchange();
        assert_eq!(exchange.take(response(429, Some("1"), "")), Taken::Again);
        // 2000 ms were allowed, 100 went by, 1000 are waited.
        assert_eq!(
            (exchange.post.delay_ms, exchange.post.timeout_ms),
            (1_000, 900)
        );
        let again = exchange.take(response(429, Some("0"), ""));
        assert_eq!(again, Taken::Failed("it answered 429".into()));
        assert!(failed(response(503, Some("2"), "")).contains("longer than it is given"));
        for (status, header) in [
            (429, None),
            (503, Some("soon")),
            (500, Some("0")),
            (429, Some("-1")),
        ] {
            assert_eq!(
                failed(response(status, header, "")),
                format!("it answered {status}")
            );
        }
    }

    #[test]
    fn the_reason_is_told_and_the_key_is_not() {
        let body = r#"{"error": {"message": "Incorrect key sk-12345678\n given"}}"#;
        assert_eq!(
            failed(response(401, None, body)),
            "it answered 401: Incorrect key … given"
        );
        let long = json!({"detail": "x".repeat(500)}).to_string();
        assert!(failed(response(500, None, &long)).chars().count() < 200);
        let gone = Reply::Failed {
            failure: Failure::Unreachable,
            detail: "Bearer sk-12345678".into(),
        };
        assert_eq!(failed(gone), "it could not be reached: …");
    }

    #[test]
    fn what_is_not_json_is_told_apart() {
        let reason = |body: &str| failed(response(200, None, body));
        assert!(reason("<!doctype html>").contains("HTML"));
        assert!(reason("{\"a\": [1, 2").contains("cut off"));
        assert!(reason("").contains("empty"));
        assert!(reason("hello").contains("not JSON"));
        let nan = exchange().take(response(200, None, r#"{"a": [NaN, -Infinity, 1]}"#));
        assert_eq!(nan, Taken::Json(json!({"a": [null, null, 1]})));
        assert!(reason(r#"{"a": [NaN, 1"#).contains("not JSON"));
    }

    #[test]
    fn reads_seconds() {
        for (header, ms) in [
            ("1", 1_000),
            (" 0 ", 0),
            ("0.05", 50),
            ("2.5", 2_500),
            ("0.0001", 1),
            ("3.", 3_000),
        ] {
            assert_eq!(milliseconds(header), Some(ms), "{header}");
        }
        for header in [
            "",
            "-1",
            "1e3",
            "soon",
            ".5",
            "1.x",
            "99999999999",
            "Wed, 21 Oct 2026 07:28:00 GMT",
        ] {
            assert_eq!(milliseconds(header), None, "{header}");
        }
    }

    #[test]
    fn replies_are_read_from_json() {
        let value = json!({"status": 200, "body": "b", "retry_after": null, "elapsed_ms": 7});
        let expected = Reply::Response {
            status: 200,
            retry_after: None,
            body: "b".into(),
            elapsed_ms: 7,
        };
        assert_eq!(Reply::from_value(&value), expected);
        let failed = |name: &str| Reply::from_value(&json!({"failure": name, "detail": "d"}));
        for (name, failure) in [
            ("timeout", Failure::Timeout),
            ("too_large", Failure::TooLarge),
            ("unreachable", Failure::Unreachable),
            ("other", Failure::Unreachable),
        ] {
            let detail = "d".to_owned();
            assert_eq!(failed(name), Reply::Failed { failure, detail });
        }
    }
}
