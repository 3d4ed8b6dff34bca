//! Paths that match a glob pattern: the only file that names `globset`.
//!
//! `*` and `?` stay within a segment, `**` crosses segments, `[…]` and `{a,b}` as in a shell. Which paths there are to
//! match, hidden ones not among them, is decided before. (spec: OpenViking §2.8)

use crate::base::error::{Error, ErrorKind, Result};
use globset::{GlobBuilder, GlobMatcher};

/// Longest pattern accepted, in bytes. It also bounds the program that globset compiles without a limit of its own:
/// a byte of pattern becomes at most a few states.
pub const MAX_PATTERN_BYTES: usize = 4096;

/// Deepest nesting of braces. globset panics when the regular expression that it makes of them is nested deeper than
/// regex allows, and says nothing of it when it parses.
const MAX_NESTING: usize = 64;

/// True if braces nest deeper than [`MAX_NESTING`]. Counts braces inside of classes, too, which nobody writes so many of.
fn nests_too_deep(pattern: &str) -> bool {
    let mut depth = 0;
    pattern.bytes().any(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= usize::from(depth > 0),
            _ => {}
        }
        depth > MAX_NESTING
    })
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    matcher: GlobMatcher,
}

impl Glob {
    /// Compiles `pattern`, which is relative to the URI of the call, so without a leading slash.
    ///
    /// Errors: `INVALID_PATTERN` when it is empty, longer than [`MAX_PATTERN_BYTES`], nested too deep, or does not parse.
    pub fn new(pattern: &str) -> Result<Self> {
        if pattern.is_empty() {
            return Err(invalid("the pattern is empty; `**` matches everything"));
        }
        if pattern.starts_with('/') || pattern.contains("://") {
            return Err(invalid(
                "the pattern is matched against paths below the URI of the call: without a scheme or a leading slash, \
                 such as `**/*.html`",
            ));
        }
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(invalid("the pattern is longer than 4096 bytes"));
        }
        if nests_too_deep(pattern) {
            return Err(invalid("the pattern's braces are nested more than 64 deep"));
        }
        // Escapes are set because globset's default depends on the platform, and a pattern must not.
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .backslash_escape(true)
            .build();
        match glob {
            Ok(glob) => Ok(Self {
                matcher: glob.compile_matcher(),
            }),
            Err(error) => {
                let mut message = String::from("the pattern does not parse: ");
                message.push_str(&error.kind().to_string());
                Err(invalid(&message))
            }
        }
    }

    /// True if `path` (relative, `/`-separated, no leading slash) matches.
    pub fn matches(&self, path: &str) -> bool {
        self.matcher.is_match(path)
    }

    /// Positions of the paths that match, in order; at most `limit`.
    pub fn filter<S: AsRef<str>>(&self, paths: &[S], limit: usize) -> Vec<u32> {
        let matching = (0..)
            .zip(paths)
            .filter(|(_, path)| self.matches(path.as_ref()));
        matching.map(|(position, _)| position).take(limit).collect()
    }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidPattern, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 7] = [
        "a.md",
        "b",
        "b/c.md",
        "b/c.txt",
        "b/d/e.md",
        "b/[x].md",
        ".github/f.yml",
    ];

    fn filter(pattern: &str) -> Vec<&'static str> {
        let positions = Glob::new(pattern)
            .expect("a good pattern")
            .filter(&PATHS, 10);
        positions
            .into_iter()
            .map(|position| PATHS[position as usize])
            .collect()
    }

    #[test]
    fn one_star_stays_in_a_segment_and_two_cross() {
        assert_eq!(filter("*.md"), ["a.md"]);
        assert_eq!(
            filter("**/*.md"),
            ["a.md", "b/c.md", "b/d/e.md", "b/[x].md"]
        );
        assert_eq!(filter("b/*"), ["b/c.md", "b/c.txt", "b/[x].md"]);
        assert_eq!(filter("b/**/e.md"), ["b/d/e.md"]);
        assert_eq!(filter("?"), ["b"]);
        assert!(filter("b?c.md").is_empty());
    }

    #[test]
    fn alternatives_classes_and_escapes() {
        assert_eq!(filter("b/c.{md,txt}"), ["b/c.md", "b/c.txt"]);
        assert_eq!(filter("[ab]*"), ["a.md", "b"]);
        assert_eq!(filter(r"b/\[x\].md"), ["b/[x].md"]);
    }

    #[test]
    fn the_limit_counts_matches() {
        assert_eq!(
            Glob::new("**").expect("a good pattern").filter(&PATHS, 2),
            [0, 1]
        );
    }

    #[test]
    fn bad_patterns_are_refused_by_code() {
        for pattern in [
            "",
            "/a",
            "viking://**",
            "[a",
            "{a",
            &"?".repeat(MAX_PATTERN_BYTES + 1),
        ] {
            assert_eq!(
                Glob::new(pattern).expect_err("refused").code(),
                "INVALID_PATTERN",
                "{pattern}"
            );
        }
    }

    #[test]
    fn every_nesting_compiles_or_is_refused() {
        for depth in 1..200 {
            for (open, close) in [
                ("{a,", "}"),
                ("{", "}"),
                ("{**/", "}"),
                ("{[{]", "}"),
                ("{{a,b},", "}"),
            ] {
                let pattern = format!("{}b{}", open.repeat(depth), close.repeat(depth));
                if let Err(error) = Glob::new(&pattern) {
                    assert_eq!(error.code(), "INVALID_PATTERN", "{depth} {open}");
                    assert!(depth > 30, "{depth} {open}: {error}");
                }
            }
        }
        assert!(Glob::new(&"{a,b}".repeat(200)).is_ok(), "side by side");
    }

    #[test]
    fn the_longest_patterns_compile() {
        // compile_matcher panics above regex's own size limit; the bound on the pattern keeps us below it.
        for unit in ["?", "*/", "**/", "[!a]", "[^é]", "é", "{?,a}"] {
            let pattern = unit.repeat(MAX_PATTERN_BYTES / unit.len());
            assert!(Glob::new(&pattern).is_ok(), "{unit}");
        }
    }
}
