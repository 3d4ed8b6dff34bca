//! Why a pure step stopped short: parts are missing, or it failed.

use crate::base::error::Error;
use crate::bundle::Missing;

/// A reason to stop.
#[derive(Debug, Clone, PartialEq)]
pub enum Halt {
    /// Parts are missing; the store has noted them. Load them and run the step again.
    Missing,
    /// The question cannot be answered.
    Failed(Error),
}

impl From<Missing> for Halt {
    fn from(_: Missing) -> Self {
        Self::Missing
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The result of a pure step.
pub type Step<T> = Result<T, Halt>;

/// Collects all values. Every step runs even if an earlier one is missing parts, so that all missing parts are fetched
/// in one batch.
pub fn all<T>(steps: Vec<Step<T>>) -> Step<Vec<T>> {
    let mut values = Vec::with_capacity(steps.len());
    let mut missing = false;
    for step in steps {
        match step {
            Ok(value) => values.push(value),
            Err(Halt::Missing) => missing = true,
            Err(failed) => return Err(failed),
        }
    }
    if missing {
        Err(Halt::Missing)
    } else {
        Ok(values)
    }
}

/// Collects both values; the parts that either step is missing are fetched together.
pub fn both<A, B>(a: Step<A>, b: Step<B>) -> Step<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(Halt::Failed(e)), _) | (_, Err(Halt::Failed(e))) => Err(Halt::Failed(e)),
        _ => Err(Halt::Missing),
    }
}

/// Gathers results of look-ups, so that all missing parts of a step are fetched together.
#[derive(Debug, Default)]
pub struct Gather {
    missing: bool,
}

impl Gather {
    /// The value, or `None` after noting that something is missing.
    pub fn take<T>(&mut self, found: Result<T, Missing>) -> Option<T> {
        self.missing |= found.is_err();
        found.ok()
    }

    /// Stops if anything was missing.
    pub fn done(self) -> Step<()> {
        if self.missing {
            Err(Halt::Missing)
        } else {
            Ok(())
        }
    }
}
