//! Telling the person who waits how far the build is.
//!
//! On a terminal a bar with rate and remaining time; elsewhere one line per stage, so that logs stay short.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use knarr::build::Stage;
use std::io::IsTerminal;

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
                    "{msg:12} {wide_bar} {pos}/{len}  {per_sec}  {eta} left"
                } else {
                    "{msg:12} {spinner} {elapsed}"
                };
                let style =
                    ProgressStyle::with_template(template).expect("the template is well formed");
                self.bar = ProgressBar::new(total).with_style(style).with_message(what);
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

    /// Nothing more comes.
    pub fn finish(&mut self) {
        self.bar.finish_and_clear();
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
