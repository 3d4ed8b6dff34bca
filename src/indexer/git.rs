//! Dates of the first and last commit of files, from one call of `git` for a whole folder.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// First and last commit of a file, in seconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommitDates {
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

/// Dates of the files below `root`, by path relative to it. Empty where there is no git, no history, or only a part of it
/// (in a shallow clone every file would seem to date from the last commit).
pub(crate) fn commit_dates(root: &Path) -> HashMap<String, CommitDates> {
    let shallow = git(root, &["rev-parse", "--is-shallow-repository"]);
    if shallow.is_none_or(|out| out.trim_ascii() != b"false") {
        return HashMap::new();
    }
    let log = git(
        root,
        &[
            "log",
            "--format=format:%x01%ct",
            "--name-only",
            "--no-renames",
            "--relative",
            "-z",
            "--",
            ".",
        ],
    );
    parse_log(&log.unwrap_or_default())
}

fn git(root: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args([
        "-c",
        "core.fsmonitor=false",
        "-c",
        "log.showSignature=false",
    ]);
    command
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// Reads `\x01<seconds>` and paths, newest commit first, separated by NUL or line feed.
fn parse_log(log: &[u8]) -> HashMap<String, CommitDates> {
    let mut dates = HashMap::new();
    let mut at = 0;
    for field in log
        .split(|&b| b == 0 || b == b'\n')
        .filter(|field| !field.is_empty())
    {
        let Ok(field) = std::str::from_utf8(field) else {
            continue;
        };
        if let Some(seconds) = field.strip_prefix('\u{1}') {
            at = seconds.parse().unwrap_or(at);
            continue;
        }
        let seen: &mut CommitDates = dates.entry(field.to_owned()).or_insert(CommitDates {
            created_at: at,
            updated_at: at,
        });
        seen.created_at = seen.created_at.min(at);
        seen.updated_at = seen.updated_at.max(at);
    }
    dates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_gives_first_and_last_commit() {
        let dates = parse_log(
            "\u{1}300\na b.md\0\0\u{1}200\nc/中.md\0a b.md\0\0\u{1}100\na b.md\0".as_bytes(),
        );
        assert_eq!(
            dates["a b.md"],
            CommitDates {
                created_at: 100,
                updated_at: 300
            }
        );
        assert_eq!(
            dates["c/中.md"],
            CommitDates {
                created_at: 200,
                updated_at: 200
            }
        );
        assert!(parse_log(b"").is_empty());
    }

    #[test]
    fn a_folder_without_history_has_no_dates() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        assert!(commit_dates(folder.path()).is_empty());
    }
}
