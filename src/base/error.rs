//! One error type for everything that can go wrong, with a stable code for programs and a message for people.
//!
//! Codes are the documents' vocabulary (spec: OpenViking HTTP API §7) plus five of our own for bundles.
//! A message is lower case without a full stop, names the thing, and gives the remedy where there is one.

use std::fmt;

/// Kinds of failure. The code of each kind never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is missing, malformed or out of range.
    InvalidArgument,
    /// A `viking://` URI is malformed or outside the known scopes.
    InvalidUri,
    /// A metadata filter is malformed. Filters fail closed: nothing is returned.
    InvalidFilter,
    /// A grep or glob pattern or a CSS selector does not compile, or is too large.
    InvalidPattern,
    /// The named context does not exist in this bundle.
    NotFound,
    /// The caller may not see the named context.
    PermissionDenied,
    /// The call needs something this bundle or configuration does not have.
    FailedPrecondition,
    /// The caller aborted the call.
    Aborted,
    /// A step ran out of its time.
    DeadlineExceeded,
    /// A server could not be reached or answered with an error.
    Unavailable,
    /// The file is not there (the host answered 404, or the path does not exist).
    BundleMissing,
    /// The bytes are not a Knarr bundle.
    BundleFormat,
    /// The bundle was written by a version with another format.
    BundleVersion,
    /// The bytes are damaged: truncated, flipped, or inconsistent.
    BundleDamaged,
    /// A part belongs to another build than the head that names it.
    BundleMismatch,
    /// Reading or writing a file failed.
    Io,
    /// A defect of Knarr itself.
    Internal,
}

impl ErrorKind {
    /// The stable code, as it appears as `code` on the JavaScript error and in `--json` output.
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::InvalidUri => "INVALID_URI",
            Self::InvalidFilter => "INVALID_FILTER",
            Self::InvalidPattern => "INVALID_PATTERN",
            Self::NotFound => "NOT_FOUND",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::Aborted => "ABORTED",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Unavailable => "UNAVAILABLE",
            Self::BundleMissing => "BUNDLE_MISSING",
            Self::BundleFormat => "BUNDLE_FORMAT",
            Self::BundleVersion => "BUNDLE_VERSION",
            Self::BundleDamaged => "BUNDLE_DAMAGED",
            Self::BundleMismatch => "BUNDLE_MISMATCH",
            Self::Io => "IO",
            Self::Internal => "INTERNAL",
        }
    }
}

/// A failure: a kind with a stable code, and a message.
///
/// Boxed: one pointer passes through every `?` of the decoders, which is less code in the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Failure>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of `kind` with a message for people.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Failure {
            kind,
            message: message.into(),
        }))
    }

    /// The error of a bundle of which `part` is damaged, and how.
    pub(crate) fn damaged(part: &str, how: &str) -> Self {
        let message = [part, " is damaged: ", how].concat();
        Self::new(ErrorKind::BundleDamaged, message)
    }

    /// Kind of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable code of the kind.
    pub fn code(&self) -> &'static str {
        self.0.kind.code()
    }

    /// The message, without the code.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;
