//! Lines that match a regular expression: the only file that names `regex`.
//!
//! A line is tested by itself: `^` and `$` are its ends and no match spans two lines. The engine's `grep` runs natively
//! what the browser's patterns module runs on the same texts. (spec: OpenViking §2.7)

use crate::base::error::{Error, ErrorKind, Result};
use regex::{Regex, RegexBuilder};

/// Longest pattern accepted, in bytes. Longer ones are machine-made and only slow the parser down.
pub const MAX_PATTERN_BYTES: usize = 4096;

/// Largest compiled program accepted, in bytes. 1 MiB holds any pattern a person writes; ten times as much was seen to
/// grow the browser's memory by 30 MB that never come back (spec/wasm.md §4).
const MAX_PROGRAM_BYTES: usize = 1 << 20;

/// Memory for the states that a pattern reaches in a text, in bytes; it grows as they are reached. With regex's own two
/// million, `(?:x{1,50}){1,40}y` runs out of it in a line of a few thousand `x` and then takes 34 µs a byte.
const MAX_STATES_BYTES: usize = 64 << 20;

/// A line that matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// Line number, counted from 1.
    pub number: u32,
    /// The line without its terminator.
    pub content: &'t str,
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Grep {
    regex: Regex,
}

impl Grep {
    /// Compiles `pattern` in the syntax of the `regex` crate: no look-around, no back-references, linear time.
    ///
    /// Errors: `INVALID_PATTERN` when it is longer than [`MAX_PATTERN_BYTES`], does not parse, or compiles to too much.
    pub fn new(pattern: &str, case_insensitive: bool) -> Result<Self> {
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(invalid("the pattern is longer than 4096 bytes"));
        }
        match RegexBuilder::new(pattern)
            .case_insensitive(case_insensitive)
            .size_limit(MAX_PROGRAM_BYTES)
            .dfa_size_limit(MAX_STATES_BYTES)
            .build()
        {
            Ok(regex) => Ok(Self { regex }),
            Err(regex::Error::CompiledTooBig(_)) => Err(invalid(
                "the pattern compiles to more than 1 MiB; repeat less in it",
            )),
            Err(error) => Err(invalid(&reason(&error.to_string()))),
        }
    }

    /// The first `limit` lines of `text` that match, in order.
    ///
    /// Cost: linear in the text up to the last line returned.
    pub fn scan<'t>(&self, text: &'t str, limit: usize) -> Vec<Line<'t>> {
        let mut lines = Vec::new();
        for (number, content) in (1..).zip(text.lines()) {
            if lines.len() == limit {
                break;
            }
            if self.regex.is_match(content) {
                lines.push(Line { number, content });
            }
        }
        lines
    }

    /// At most `length` characters of a line that matches, its first match in the middle; the whole line for 0.
    pub fn cut(&self, line: &str, length: usize) -> String {
        let n_all = line.chars().count();
        if length == 0 || n_all <= length {
            return line.to_owned();
        }
        let found = self.regex.find(line);
        let (start, end) = found.map_or((0, 0), |found| (found.start(), found.end()));
        let (n_before, n_match) = (
            line[..start].chars().count(),
            line[start..end].chars().count(),
        );
        let room = length.saturating_sub(n_match) / 2;
        let from = n_before.saturating_sub(room).min(n_all - length);
        let before = if from > 0 { "…" } else { "" };
        let behind = if from + length < n_all { "…" } else { "" };
        let shown: String = line.chars().skip(from).take(length).collect();
        [before, &shown, behind].concat()
    }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidPattern, message)
}

/// The one line of the parser's report that has the reason; the lines before it draw the pattern with a caret.
fn reason(report: &str) -> String {
    let last = report.lines().last().unwrap_or(report);
    let mut message = String::from("the pattern does not parse: ");
    message.push_str(last.strip_prefix("error: ").unwrap_or(last));
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(pattern: &str, case_insensitive: bool, text: &str, limit: usize) -> Vec<u32> {
        let grep = Grep::new(pattern, case_insensitive).expect("a good pattern");
        grep.scan(text, limit)
            .iter()
            .map(|line| line.number)
            .collect()
    }

    #[test]
    fn lines_are_counted_from_one_and_carry_their_content() {
        let grep = Grep::new("b.r", false).expect("a good pattern");
        let lines = grep.scan("foo\nbar\r\nbaz\nxbor", 10);
        assert_eq!(
            lines,
            [
                Line {
                    number: 2,
                    content: "bar"
                },
                Line {
                    number: 4,
                    content: "xbor"
                }
            ]
        );
    }

    #[test]
    fn anchors_are_ends_of_lines_and_matches_stay_in_one() {
        assert_eq!(numbers("^a$", false, "a\nba\na\n", 10), [1, 3]);
        assert_eq!(numbers(r"\Aa", false, "b\na", 10), [2]);
        assert_eq!(numbers(r"a\s+b", false, "a\nb\na b", 10), [3]);
        assert_eq!(numbers("[^x]", false, "x\ny", 10), [2]);
    }

    #[test]
    fn case_folding_is_unicode() {
        assert_eq!(numbers("ÜBER", true, "über\nuber", 10), [1]);
        assert!(numbers("ÜBER", false, "über", 10).is_empty());
    }

    #[test]
    fn long_lines_are_cut_around_their_first_match() {
        let grep = Grep::new("b+", false).expect("a good pattern");
        let line = format!("{}bb{}", "é".repeat(20), "c".repeat(20));
        assert_eq!(grep.cut(&line, 6), "…éébbcc…");
        assert_eq!(grep.cut("bbaaaaaaaa", 4), "bbaa…");
        assert_eq!(grep.cut("aaaaaaaabb", 4), "…aabb");
        assert_eq!(grep.cut(&"b".repeat(9), 4), "bbbb…");
        for length in [0, 42, 99] {
            assert_eq!(grep.cut(&line, length), line);
        }
    }

    #[test]
    fn the_scan_stops_at_its_limit() {
        assert_eq!(numbers("a", false, "a\na\na", 2), [1, 2]);
        assert!(numbers("a", false, "a", 0).is_empty());
    }

    #[test]
    fn bad_and_oversized_patterns_are_refused_by_code() {
        for (pattern, says) in [
            ("(", "unclosed group"),
            (r"\w{100}{100}", "1 MiB"),
            (r"(a)\1", "not supported"),
        ] {
            let error = Grep::new(pattern, false).expect_err(pattern);
            assert_eq!(error.code(), "INVALID_PATTERN", "{pattern}");
            assert!(error.message().contains(says), "{pattern}: {error}");
        }
        let error = Grep::new(&"a".repeat(MAX_PATTERN_BYTES + 1), false).expect_err("too long");
        assert_eq!(error.code(), "INVALID_PATTERN");
    }
}
