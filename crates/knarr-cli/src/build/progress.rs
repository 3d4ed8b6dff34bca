//! Telling the person who waits how far the build is.
//!
//! On a terminal a bar with rate and remaining time; elsewhere one line per stage, so that logs stay short.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use knarr::indexer::Stage;
use knarr::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Interval at which the page that is being read is checked.
const TICK: Duration = Duration::from_millis(200);
/// A page that takes longer is named in a log.
const SLOW: Duration = Duration::from_secs(5);
/// Time that a page has beyond twice its limit to give up by itself, on a crowded machine.
const GRACE: Duration = Duration::from_secs(30);

/// Progress of one build, on standard error.
pub struct Progress {
    mode: Mode,
    bar: ProgressBar,
    stage: Option<Stage>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Silent,
    Lines,
    Bar,
}

impl Progress {
    /// Progress of a build that has not begun.
    pub fn new(quiet: bool) -> Self {
        let mode = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Mode::Silent,
            (false, true) => Mode::Bar,
            (false, false) => Mode::Lines,
        };
        Self {
            mode,
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            stage: None,
        }
    }

    /// A stage begins; `total` is its number of steps, 0 when nobody knows.
    pub fn begin(&mut self, what: &'static str, total: u64) {
        match self.mode {
            Mode::Silent => {}
            Mode::Lines if total > 0 => eprintln!("{what} {total}"),
            Mode::Lines => eprintln!("{what}"),
            Mode::Bar => {
                self.bar.finish_and_clear();
                let template = if total > 0 {
                    "{prefix:12} {bar:30} {pos}/{len}  {per_sec}  {eta} left  {wide_msg}"
                } else {
                    "{prefix:12} {spinner} {elapsed}"
                };
                let style =
                    ProgressStyle::with_template(template).expect("the template is well formed");
                self.bar = ProgressBar::new(total).with_style(style).with_prefix(what);
                self.bar.tick();
            }
        }
    }

    /// `n` more steps are done.
    pub fn advance(&mut self, n: u64) {
        self.bar.inc(n);
    }

    /// The builder reports.
    pub fn stage(&mut self, stage: Stage, done: u64, total: u64) {
        if self.stage != Some(stage) {
            self.stage = Some(stage);
            self.begin(name(stage), total);
        }
        self.bar.set_position(done);
    }

    /// Does work that reads pages, and says meanwhile which page is being read: on the bar at all times, in a log when it
    /// takes long.
    ///
    /// Pages give up after `limit` by themselves. One that does not – whatever it waits for – ends the process after twice
    /// that and a little, with its name: no thread can be stopped from outside.
    pub fn watch<T>(&self, limit: Duration, work: impl FnOnce(&Reading) -> T) -> T {
        let reading = Reading::default();
        let (end, ended) = channel::<()>();
        thread::scope(|scope| {
            let (reading, bar, mode) = (&reading, &self.bar, self.mode);
            let watcher = scope.spawn(move || {
                let mut said = None;
                while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    let Some((page, since)) = reading.oldest() else {
                        continue;
                    };
                    let takes = since.elapsed();
                    if takes > limit.saturating_mul(2).saturating_add(GRACE) {
                        let _ = overdue(&page, takes).report();
                        std::process::exit(1);
                    }
                    if mode == Mode::Lines && takes > SLOW && said.as_ref() != Some(&page) {
                        eprintln!("reading {page} takes long");
                        said = Some(page.clone());
                    }
                    bar.set_message(page);
                }
            });
            let done = work(reading);
            drop(end);
            // Joined: in Node's WASI, a scope would wait forever for a thread whose handle was dropped.
            let _ = watcher.join();
            done
        })
    }

    /// Nothing more comes.
    pub fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn overdue(page: &str, takes: Duration) -> Failure {
    let seconds = takes.as_secs();
    Failure::Error(Error::new(
        ErrorKind::DeadlineExceeded,
        format!(
            "reading {page} has taken {seconds} s and does not end: leave it out with --exclude"
        ),
    ))
}

/// The pages that are being read, on any thread.
#[derive(Default)]
pub struct Reading {
    pages: Mutex<BTreeSet<(Instant, String)>>,
}

impl Reading {
    /// Reads one page.
    pub fn page<T>(&self, path: &str, read: impl FnOnce() -> T) -> T {
        let key = (Instant::now(), path.to_owned());
        self.pages().insert(key.clone());
        let outcome = read();
        self.pages().remove(&key);
        outcome
    }

    /// The page that was begun first of those that are not done, and when.
    fn oldest(&self) -> Option<(String, Instant)> {
        let pages = self.pages();
        let (since, page) = pages.first()?;
        Some((page.clone(), *since))
    }

    fn pages(&self) -> MutexGuard<'_, BTreeSet<(Instant, String)>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Graph => "naming things",
        Stage::Summarise => "summarising",
        Stage::Index => "indexing",
        Stage::Embed => "embedding",
        Stage::Pack => "packing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_was_begun_first_is_named() {
        let reading = Reading::default();
        assert_eq!(reading.oldest(), None);
        reading.page("first.md", || {
            reading.page("second.md", || {
                assert_eq!(
                    reading.oldest().map(|(page, _)| page).as_deref(),
                    Some("first.md")
                );
            });
        });
        assert_eq!(reading.oldest(), None);
        let Failure::Error(error) = overdue("a/b.md", Duration::from_secs(130)) else {
            panic!("an error");
        };
        assert!(error.message().contains("a/b.md") && error.message().contains("130 s"));
    }
}
