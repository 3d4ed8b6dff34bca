//! Paths inside a pack: which are safe, and whose they are.

use super::{Root, invalid};
use crate::base::error::Result;
use crate::base::uri::{SCHEME, Uri};

/// Refuses a path below the root that is not relative, or has empty, `.` or `..` parts, backslashes, a drive letter or
/// control characters. The root itself is the empty path.
pub fn check_relative(path: &str) -> Result<()> {
    let is_part = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.contains('\\')
            && !part.chars().any(char::is_control)
    };
    let has_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if path.is_empty() || (!has_drive && path.split('/').all(is_part)) {
        return Ok(());
    }
    Err(invalid(format!(
        "the path {path:?} is not safe: paths are relative, with '/' between parts that are names"
    )))
}

/// Refuses a member of the archive that lies outside the folder `root`.
pub fn check_member(name: &str, root: &str) -> Result<()> {
    let below = name.strip_prefix(root).and_then(|rest| match rest {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    });
    let Some(below) = below else {
        return Err(invalid(format!(
            "the member {name:?} lies outside the folder {root:?}: a pack has one root folder"
        )));
    };
    check_relative(below.strip_suffix('/').unwrap_or(below))
        .map_err(|_| invalid(format!("the member {name:?} has a path that is not safe")))
}

/// The user that a path below `root` belongs to.
pub fn user_of(root: &Root, path: &str) -> Option<String> {
    let above = root.uri.strip_prefix(SCHEME)?;
    let mut segments = above
        .split('/')
        .chain(path.split('/'))
        .filter(|s| !s.is_empty());
    let scope = segments.next()?;
    let user = segments.next()?;
    (scope == "user").then(|| user.to_owned())
}

/// The URI of a path below `root`, with characters escaped that would mean something else in a URI.
pub fn uri_of(root: &Root, path: &str) -> Result<Uri> {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.fold(Uri::parse(&root.uri), |uri, part| uri?.join(part))
}

/// The directory that a path lies in, and its last part.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}
