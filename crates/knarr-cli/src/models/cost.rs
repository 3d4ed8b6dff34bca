//! The cost of a build's requests to models, shown before anything is sent.

use crate::failure::{Failure, Outcome, invalid};
use crate::output;
use knarr::{Error, ErrorKind};
use std::io::{IsTerminal, Write};

/// The requests of one part of a build.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Estimate {
    /// The product: summaries, vectors or graph.
    pub what: &'static str,
    /// The model, for people.
    pub by: String,
    /// Answers wanted.
    pub wanted: usize,
    /// Of them known from an earlier build.
    pub cached: usize,
    /// Requests to send, when none has to be repeated.
    pub requests: usize,
    /// Estimated tokens sent.
    pub tokens_in: usize,
    /// Estimated tokens that come back; 0 for vectors.
    pub tokens_out: usize,
}

impl Estimate {
    fn said(&self) -> String {
        let mut text = format!(
            "{} by {}: {} wanted, {} cached",
            self.what, self.by, self.wanted, self.cached
        );
        if self.requests > 0 {
            text += &format!(
                "; {} with about {} tokens",
                output::counted(self.requests, "request"),
                thousands(self.tokens_in)
            );
            if self.tokens_out > 0 {
                text += &format!(", about {} tokens back", thousands(self.tokens_out));
            }
        }
        text
    }
}

/// Says what will be asked, and asks whether to go on where that sends anything.
///
/// *Errors*: `INVALID_ARGUMENT` when nobody can be asked and `--yes` is not there; `ABORTED` when the answer is no.
pub fn confirm(estimates: &[Estimate], yes: bool, quiet: bool) -> Outcome {
    let sends = estimates.iter().any(|e| e.requests > 0);
    if !quiet || (sends && !yes) {
        for estimate in estimates {
            eprintln!("{}", estimate.said());
        }
    }
    if yes || !sends {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        let what =
            "the requests above cost time and perhaps money, and nobody is there to ask: say --yes";
        return Err(invalid(what));
    }
    eprint!("go on? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    if ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    let what = "nothing was sent and nothing was written";
    Err(Failure::Error(Error::new(ErrorKind::Aborted, what)))
}

/// A count with its thousands apart.
fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_said() {
        let mut estimate = Estimate {
            what: "summaries",
            by: "m".into(),
            wanted: 12,
            cached: 2,
            requests: 10,
            tokens_in: 1_234_567,
            tokens_out: 300,
        };
        assert_eq!(
            estimate.said(),
            "summaries by m: 12 wanted, 2 cached; 10 requests with about 1,234,567 tokens, about 300 tokens back"
        );
        estimate.requests = 1;
        assert!(estimate.said().contains("; 1 request with"));
        (estimate.requests, estimate.cached) = (0, 12);
        assert_eq!(estimate.said(), "summaries by m: 12 wanted, 12 cached");
        assert!(confirm(&[estimate], false, true).is_ok(), "nothing to ask");
    }
}
