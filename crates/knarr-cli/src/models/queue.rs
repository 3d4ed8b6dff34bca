//! Many requests to one endpoint: a few at a time, each tried again while there is hope, and none any more when there
//! is none.

use crate::http::Client;
use knarr::search::endpoints::Target;
use knarr::search::exchange::{Exchange, Taken};
use knarr::search::{Failure, Reply};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The wait before a second try; it doubles with each more.
const FIRST_WAIT_MS: u64 = 500;
/// The longest wait that is kept, whoever asks for it.
const LONGEST_WAIT_MS: u64 = 120_000;
/// Requests that fail one after the other before the endpoint is given up.
const GIVE_UP_AFTER: u32 = 8;

/// Requests to one endpoint.
pub struct Queue {
    client: Client,
    /// Requests side by side.
    jobs: usize,
    /// Times that a request is sent, at most.
    attempts: u32,
    failed_in_a_row: AtomicU32,
    gave_up: AtomicBool,
    sent: AtomicUsize,
}

/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// For people.
    pub reason: String,
    /// The endpoint takes the request for wrong: a smaller one may pass.
    pub is_refused: bool,
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self {
            reason,
            is_refused: false,
        }
    }
}

impl Queue {
    /// A queue that has sent nothing.
    pub fn new(jobs: usize, attempts: u32) -> Self {
        Self {
            client: Client::new(),
            jobs: jobs.max(1),
            attempts: attempts.max(1),
            failed_in_a_row: AtomicU32::new(0),
            gave_up: AtomicBool::new(false),
            sent: AtomicUsize::new(0),
        }
    }

    /// Number of requests sent, repetitions included.
    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }

    /// Works off `tasks`, side by side; `done` takes the outcomes as they come, with the task's position.
    ///
    /// *Errors*: the first of `done`; no further task is begun then.
    pub fn run<T: Sync, R: Send, E>(
        &self,
        tasks: &[T],
        work: impl Fn(&T) -> R + Sync,
        mut done: impl FnMut(usize, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.jobs.min(tasks.len()) {
                let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(task) = tasks.get(at) else { break };
                        if sender.send((at, work(task))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (at, outcome) in receiver {
                if let Err(error) = done(at, outcome) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(())
        })
    }

    /// Sends one request, and again when it is refused for the moment; what `read` makes of the answer.
    ///
    /// Again: after 408, 425, 429, 5xx, a time-out and a broken connection, and when `read` finds fault with the answer.
    /// A `Retry-After` is kept to. After 401, 403, 404 or a redirect nothing more is sent: the rest would fare the same.
    pub fn ask<R>(
        &self,
        target: Target<'_>,
        body: &Value,
        read: impl Fn(&Value) -> Result<R, String>,
    ) -> Result<R, Refusal> {
        let mut wait_ms = FIRST_WAIT_MS;
        let mut attempt = 1;
        loop {
            if self.gave_up.load(Ordering::Relaxed) {
                return Err(Refusal::from(GAVE_UP.to_owned()));
            }
            self.sent.fetch_add(1, Ordering::Relaxed);
            let mut exchange = Exchange::new(target, body);
            let mut reply = self.client.send(&exchange.post);
            let (kind, asked_ms) = kind(&mut reply);
            let (reason, is_final) = match exchange.take(reply) {
                Taken::Json(answer) => match read(&answer) {
                    Ok(answer) => {
                        self.failed_in_a_row.store(0, Ordering::Relaxed);
                        return Ok(answer);
                    }
                    Err(reason) => (reason, false),
                },
                Taken::Failed(reason) => (reason, kind != Kind::Passing),
                Taken::Again => ("it asks to be asked again".to_owned(), false),
            };
            let pause_ms = asked_ms.unwrap_or(0).max(wait_ms);
            if is_final || attempt >= self.attempts || pause_ms > LONGEST_WAIT_MS {
                let in_a_row = self.failed_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
                if kind == Kind::Hopeless || in_a_row >= GIVE_UP_AFTER {
                    self.gave_up.store(true, Ordering::Relaxed);
                }
                return Err(Refusal {
                    reason,
                    is_refused: kind == Kind::Refused,
                });
            }
            std::thread::sleep(Duration::from_millis(pause_ms));
            wait_ms *= 2;
            attempt += 1;
        }
    }
}

/// The reason of requests that were not sent.
pub const GAVE_UP: &str = "it was not asked: the endpoint had failed too often";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Another try may do better, or there is an answer.
    Passing,
    /// This request is at fault.
    Refused,
    /// Every request would fail.
    Hopeless,
}

/// The meaning of a reply for the requests to come, and the milliseconds it asks to wait. Takes the `Retry-After` away:
/// the exchange's own repetition would not wait in between.
fn kind(reply: &mut Reply) -> (Kind, Option<u64>) {
    match reply {
        Reply::Response {
            status,
            retry_after,
            ..
        } => {
            let asked_ms = retry_after.take().as_deref().and_then(milliseconds);
            let kind = match status {
                200..=299 | 408 | 425 | 429 | 500..=599 => Kind::Passing,
                300..=399 | 401..=405 => Kind::Hopeless,
                _ => Kind::Refused,
            };
            (kind, asked_ms)
        }
        Reply::Failed { failure, .. } => match failure {
            Failure::TooLarge => (Kind::Refused, None),
            Failure::Timeout | Failure::Unreachable => (Kind::Passing, None),
        },
    }
}

/// Milliseconds of a `Retry-After`, in seconds or as a date.
fn milliseconds(header: &str) -> Option<u64> {
    if let Ok(seconds) = header.trim().parse::<f64>() {
        return (0.0..1e9)
            .contains(&seconds)
            .then(|| (seconds * 1000.0).ceil() as u64);
    }
    let date = jiff::fmt::rfc2822::parse(header.trim()).ok()?;
    let left = date.timestamp().as_millisecond() - jiff::Timestamp::now().as_millisecond();
    Some(u64::try_from(left).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        assert_eq!(milliseconds(" 2 "), Some(2_000));
        assert_eq!(milliseconds("0.05"), Some(50));
        assert_eq!(milliseconds("Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        assert!(
            milliseconds("Wed, 21 Oct 2093 07:28:00 GMT").is_some_and(|ms| ms > LONGEST_WAIT_MS)
        );
        for header in ["", "soon", "-1", "NaN", "1e12"] {
            assert_eq!(milliseconds(header), None, "{header}");
        }
    }

    #[test]
    fn all_tasks_are_done_and_an_error_ends_them() {
        let queue = Queue::new(3, 1);
        let tasks: Vec<usize> = (0..50).collect();
        let mut sum = 0;
        let added = queue.run(
            &tasks,
            |n| n * 2,
            |at, n| {
                assert_eq!(n, at * 2);
                sum += n;
                Ok::<(), ()>(())
            },
        );
        assert_eq!((added, sum), (Ok(()), 2450));
        let mut taken = 0;
        let ended = queue.run(
            &tasks,
            |n| *n,
            |_, _| {
                taken += 1;
                Err("full")
            },
        );
        assert_eq!((ended, taken), (Err("full"), 1));
    }
}
