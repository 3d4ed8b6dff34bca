//! Anchors that generators make of the text of a heading that names none.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Anchors of one page's headings.
pub(super) struct Slugs {
    seen: HashMap<String, usize>,
    anchors: Anchors,
}

/// Whose anchors the headings of Markdown have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Anchors {
    /// GitHub's, which most generators make.
    #[default]
    GitHub,
    /// VitePress's.
    VitePress,
    /// DocC's.
    DocC,
    /// Those of Jupyter's own pages, and of nbsphinx, nbviewer and GitHub for notebooks.
    Jupyter,
}

impl Slugs {
    /// Anchors of a kind.
    pub(super) fn new(anchors: Anchors) -> Self {
        Self {
            seen: HashMap::new(),
            anchors,
        }
    }

    /// The anchor of a heading; the second of a kind ends in `-1`.
    pub(super) fn of(&mut self, heading: &str) -> String {
        let slug = match self.anchors {
            Anchors::VitePress => of_vitepress(heading),
            Anchors::DocC => of_docc(heading),
            Anchors::Jupyter => heading.trim().replace(' ', "-"),
            Anchors::GitHub => of_github(heading),
        };
        match self.seen.get_mut(&slug) {
            None => {
                self.seen.insert(slug.clone(), 0);
                slug
            }
            Some(n_before) => {
                *n_before += 1;
                let numbered = format!("{slug}-{n_before}");
                self.seen.insert(numbered.clone(), 0);
                numbered
            }
        }
    }
}

/// Lower case, punctuation dropped, spaces to `-`.
fn of_github(heading: &str) -> String {
    let mut slug = String::with_capacity(heading.len());
    for c in heading.chars() {
        match c {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(c),
            c if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            c if is_combining_mark(c) => slug.push(c),
            _ => {}
        }
    }
    slug
}

/// White space and dashes to one `-`, none at the ends, no punctuation; capitals stay. Source: `urlReadableFragment` of
/// Swift-DocC.
fn of_docc(heading: &str) -> String {
    const PUNCTUATION: &str = "!\"#%&'()*,./:;?@[\\]_{}`“”‘’«»…¡¿·•§¶‚„‹›";
    let mut slug = String::with_capacity(heading.len());
    for c in heading.chars() {
        match c {
            '-' | '\u{2013}' | '\u{2014}' => slug.push('-'),
            c if c.is_whitespace() => slug.push('-'),
            c if PUNCTUATION.contains(c) => {}
            c => slug.push(c),
        }
        if slug.ends_with("--") {
            slug.pop();
        }
    }
    slug.trim_matches('-').to_owned()
}

/// Accents off, white space and ASCII's signs to one `-`, none at the ends, `_` before a digit, lower case.
/// Source: `slugify` of @mdit-vue/shared.
fn of_vitepress(heading: &str) -> String {
    const SIGNS: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/";
    let mut slug = String::with_capacity(heading.len());
    for c in heading.nfkd() {
        match c {
            '\u{300}'..='\u{36F}' => {}
            c if c.is_whitespace() || SIGNS.contains(c) => {
                if !slug.ends_with('-') {
                    slug.push('-');
                }
            }
            '\0'..='\u{1F}' => {}
            c => slug.extend(c.to_lowercase()),
        }
    }
    let slug = slug.trim_matches('-');
    match slug.starts_with(|c: char| c.is_ascii_digit()) {
        true => ["_", slug].concat(),
        false => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docc_keeps_capitals_and_drops_punctuation() {
        let mut slugs = Slugs::new(Anchors::DocC);
        for (heading, want) in [
            ("Any and AnyObject — a Note", "Any-and-AnyObject-a-Note"),
            ("What’s `self`?", "Whats-self"),
            ("Range (a..<b)", "Range-a<b"),
        ] {
            assert_eq!(slugs.of(heading), want);
        }
    }

    #[test]
    fn vitepress_makes_one_dash_of_signs() {
        let mut slugs = Slugs::new(Anchors::VitePress);
        for (heading, want) in [
            ("server.port", "server-port"),
            ("`import.meta.env`", "import-meta-env"),
            ("2. Étape — fin", "_2-etape-—-fin"),
            ("依赖 预构建 (deps)", "依赖-预构建-deps"),
            ("--", ""),
            ("server.port", "server-port-1"),
        ] {
            assert_eq!(slugs.of(heading), want);
        }
        assert_eq!(Slugs::new(Anchors::GitHub).of("server.port"), "serverport");
    }
}
