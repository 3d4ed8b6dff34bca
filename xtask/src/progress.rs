//! Telling the person who waits which steps run, how far they are, and how many are left.
//!
//! On a terminal the last line is alive; elsewhere a line comes every fifteen seconds.

use crate::shell::{describe, say};
use anyhow::{Context, Result, bail};
use std::io::{BufReader, IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Intervals of the live line, and of printed lines where there is no terminal.
const DRAW: Duration = Duration::from_millis(250);
const PRINT: Duration = Duration::from_secs(15);

/// A course of steps, some of which run at the same time.
pub struct Progress {
    start: Instant,
    steps: usize,
    state: Mutex<State>,
    stopped: AtomicBool,
}

#[derive(Default)]
struct State {
    done: usize,
    running: Vec<Running>,
    printed: Option<Instant>,
}

struct Running {
    name: String,
    /// Position in the step, such as Cargo's `88/213: syn`.
    detail: String,
    start: Instant,
}

impl Progress {
    /// A course of so many steps.
    pub fn new(steps: usize) -> Progress {
        Progress {
            start: Instant::now(),
            steps,
            state: Mutex::default(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Runs one step. `about` is its usual time on two idle cores, shown where the step itself tells nothing.
    /// After the failure of another step none begins.
    pub fn step<T>(
        &self,
        name: &str,
        about: &str,
        run: impl FnOnce(&Step) -> Result<T>,
    ) -> Result<T> {
        if self.is_stopped() {
            bail!("{name}: not begun, another step failed");
        }
        let start = Instant::now();
        self.state().running.push(Running {
            name: name.to_owned(),
            detail: about.to_owned(),
            start,
        });
        let result = run(&Step {
            progress: self,
            name,
        });
        if result.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        let mut state = self.state();
        state.running.retain(|running| running.name != name);
        state.done += 1;
        let verdict = match result {
            Ok(_) => "",
            Err(_) => " failed",
        };
        clear_line();
        say(format!(
            "{} of {}: {name}{verdict} ({} s, {} s since the start)",
            state.done,
            self.steps,
            start.elapsed().as_secs(),
            self.start.elapsed().as_secs()
        ));
        result
    }

    /// Counts steps that are done already, with the reason.
    pub fn skip(&self, steps: usize, reason: &str) {
        let mut state = self.state();
        state.done += steps;
        clear_line();
        say(format!("{} of {}: {reason}", state.done, self.steps));
    }

    /// Draws until `work` ends, which runs beside it.
    pub fn watch<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let worker = scope.spawn(work);
            while !worker.is_finished() {
                self.draw();
                std::thread::sleep(DRAW);
            }
            clear_line();
            match worker.join() {
                Ok(value) => value,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let mut state = self.state();
        if state.running.is_empty() {
            return;
        }
        let line = state.line(self.steps, self.start.elapsed().as_secs());
        if std::io::stderr().is_terminal() {
            // The end of a line that does not fit would wrap and stay.
            let width = std::env::var("COLUMNS").map_or(Ok(100), |columns| columns.parse());
            let shown: String = line.chars().take(width.unwrap_or(100) - 1).collect();
            eprint!("\r\x1b[K{shown}");
            let _ = std::io::stderr().flush(); // Nobody is told less by a line that is drawn late.
        } else if state.printed.get_or_insert(self.start).elapsed() >= PRINT {
            state.printed = Some(Instant::now());
            say(line);
        }
    }
}

impl State {
    fn line(&self, steps: usize, seconds: u64) -> String {
        let running: Vec<String> = self
            .running
            .iter()
            .map(|step| {
                let seconds = step.start.elapsed().as_secs();
                match step.detail.as_str() {
                    "" => format!("{} {seconds} s", step.name),
                    detail => format!("{} {seconds} s [{detail}]", step.name),
                }
            })
            .collect();
        format!(
            "{seconds} s, {} of {steps} done · {}",
            self.done,
            running.join(" · ")
        )
    }
}

/// A step that runs, which may tell where it is.
pub struct Step<'a> {
    progress: &'a Progress,
    name: &'a str,
}

impl Step<'_> {
    /// Shows where the step is.
    pub fn at(&self, detail: &str) {
        let mut state = self.progress.state();
        for running in &mut state.running {
            if running.name == self.name {
                running.detail = detail.to_owned();
            }
        }
    }

    /// Runs Cargo with its bar shown as this step's place. Its messages are printed when it fails; it is ended when
    /// another step fails.
    pub fn cargo(&self, command: &mut Command) -> Result<()> {
        let line = describe(command);
        let mut child = command
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", "100")
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start `{line}`"))?;
        let mut messages = String::new();
        let mut piece = Vec::new();
        for byte in BufReader::new(child.stderr.take().context("no stderr")?).bytes() {
            match byte? {
                b'\r' | b'\n' => {
                    let text = String::from_utf8_lossy(&piece).into_owned();
                    match place(&text) {
                        Some(place) => self.at(&place),
                        None => messages.extend([text.trim_end_matches("\x1b[K"), "\n"]),
                    }
                    piece.clear();
                    if self.progress.is_stopped() {
                        child.kill()?;
                    }
                }
                byte => piece.push(byte),
            }
        }
        messages.push_str(&String::from_utf8_lossy(&piece));
        let status = child.wait()?;
        if !status.success() {
            clear_line();
            eprint!("{messages}");
            bail!("`{line}` failed ({status})");
        }
        Ok(())
    }

    /// Runs a program in silence; its messages are printed when it fails.
    pub fn quietly(&self, command: &mut Command) -> Result<()> {
        let line = describe(command);
        let output = command
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot start `{line}`"))?;
        if !output.status.success() {
            clear_line();
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            bail!("`{line}` failed ({})", output.status);
        }
        Ok(())
    }
}

/// The place in Cargo's bar, `Building [==>  ] 12/121: syn, core`, with at most one crate; none in another line.
fn place(text: &str) -> Option<String> {
    let (_, bar) = text.split_once("Building [")?;
    let (_, place) = bar.split_once("] ")?;
    let first = place.split([',', '\x1b']).next().unwrap_or(place);
    Some(first.trim().trim_end_matches("...").to_owned())
}

/// Empties the live line before something is printed for good.
fn clear_line() {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn cargos_bar_is_read() {
        let bar = "    Building [=====>          ] 12/121: syn, core, wasm-bindgen-macro...";
        assert_eq!(place(bar).as_deref(), Some("12/121: syn"));
        let cut = "    Building [===] 120/121: knarr\x1b[K";
        assert_eq!(place(cut).as_deref(), Some("120/121: knarr"));
        assert_eq!(place("   Compiling syn v2.0.119"), None);
        assert_eq!(place("warning: unused [Building]"), None);
    }

    #[test]
    fn the_line_counts_steps_and_names_those_that_run() {
        let progress = Progress::new(3);
        progress.skip(1, "tested elsewhere");
        progress
            .step("the crate", "about 9 s", |step| {
                let line = progress.state().line(3, 7);
                assert!(
                    line.starts_with("7 s, 1 of 3 done · the crate 0 s [about 9 s]"),
                    "{line}"
                );
                step.at("4/5: core");
                assert!(progress.state().line(3, 7).contains("[4/5: core]"));
                Ok(())
            })
            .unwrap();
        let state = progress.state();
        assert_eq!((state.done, state.running.len()), (2, 0));
    }

    #[test]
    fn after_a_failure_no_step_begins() {
        let progress = Progress::new(2);
        let first: Result<()> = progress.step("first", "", |_| Err(anyhow!("broken")));
        assert_eq!(first.unwrap_err().to_string(), "broken");
        let mut begun = false;
        let second = progress.step("second", "", |_| {
            begun = true;
            Ok(())
        });
        assert!(!begun);
        assert!(second.unwrap_err().to_string().contains("not begun"));
    }
}
