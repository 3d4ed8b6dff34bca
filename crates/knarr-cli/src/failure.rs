//! Failures of a command: messages and exit codes.

use knarr::{Error, ErrorKind};
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

/// The reason why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Something went wrong.
    Error(Error),
    /// The files that were read are at fault, and not the arguments, which the code alone would say.
    Input(Error),
    /// The reader of standard output went away (`knarr tree … | head`): the work is done.
    Closed,
    /// `grep` matched no line: no failure, but scripts ask for it.
    Nothing,
    /// The argument parser has something to print: help, the version, or a usage error.
    Usage(Box<clap::Error>),
}

impl Failure {
    /// The same failure, met while files were read: a wrong value in one of them is no wrong argument. Patterns are
    /// arguments wherever they are met.
    pub fn of_input(self) -> Self {
        match self {
            Self::Error(error) if error.kind() == ErrorKind::InvalidArgument => Self::Input(error),
            other => other,
        }
    }

    /// True where another state of the files can mend it.
    #[cfg(not(target_os = "wasi"))]
    pub fn is_of_files(&self) -> bool {
        match self {
            Self::Input(_) => true,
            Self::Error(error) => exit_code(error.kind()) != 2,
            Self::Closed | Self::Nothing | Self::Usage(_) => false,
        }
    }

    /// Prints the failure to standard error and returns the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Nothing => ExitCode::FAILURE,
            Self::Error(error) => {
                eprintln!("error[{}]: {}", error.code(), error.message());
                ExitCode::from(exit_code(error.kind()))
            }
            Self::Input(error) => {
                eprintln!("error[{}]: {}", error.code(), error.message());
                ExitCode::FAILURE
            }
            Self::Usage(error)
                if error.use_stderr() && error.kind() != HELP_FOR_LACK_OF_ARGUMENTS =>
            {
                let text = one_line(&error.render().to_string());
                eprintln!("error[{}]: {text}", ErrorKind::InvalidArgument.code());
                ExitCode::from(2)
            }
            Self::Usage(error) => {
                // Help that cannot be printed has no one to read it.
                let _ = error.print();
                ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
            }
        }
    }
}

const HELP_FOR_LACK_OF_ARGUMENTS: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// A report of the argument parser in one line: what is wrong, and its tips, without the usage that follows.
fn one_line(report: &str) -> String {
    let lines = report.lines().map(str::trim);
    let said =
        lines.take_while(|line| !line.starts_with("Usage: ") && !line.starts_with("For more"));
    let mut text = String::new();
    for line in said.filter(|line| !line.is_empty()) {
        match (
            text.is_empty(),
            text.ends_with(':'),
            line.starts_with("tip: "),
        ) {
            (true, ..) => {}
            (_, false, true) => text.push_str("; "),
            _ => text.push(' '),
        }
        text.push_str(line);
    }
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text} (see --help)")
}

/// 2 when the arguments are at fault, 1 otherwise.
fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::InvalidArgument
        | ErrorKind::InvalidUri
        | ErrorKind::InvalidFilter
        | ErrorKind::InvalidPattern => 2,
        _ => 1,
    }
}

/// A wrong argument.
pub fn invalid(message: impl Into<String>) -> Failure {
    Failure::Error(Error::new(ErrorKind::InvalidArgument, message))
}

/// A file that could not be read or written; `what` is the attempt (`cannot read`).
pub fn io_failure(what: &str, path: &Path, error: impl Display) -> Failure {
    Failure::Error(Error::new(
        ErrorKind::Io,
        format!("{what} {}: {error}", path.display()),
    ))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Usage(Box::new(error))
    }
}

/// Writing to standard output failed; files have [`io_failure`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Error(Error::new(
            ErrorKind::Io,
            format!("cannot write the output: {error}"),
        ))
    }
}
