//! Elements of pages that the caller of a build names by CSS selectors.

use std::fmt;

use scraper::Selector;

use crate::base::error::{Error, ErrorKind, Result};

/// A CSS selector, or several with commas between them.
#[derive(Clone, PartialEq, Eq)]
pub struct PageSelector {
    text: String,
    css: Selector,
}

impl PageSelector {
    /// Reads a selector. Errors: `INVALID_PATTERN` for what is none, or asks for what a file does not have (`:hover`).
    pub fn parse(text: &str) -> Result<Self> {
        // The parser's own words are about its tokens, and longer than a line.
        let Ok(css) = Selector::parse(text) else {
            let what = format!(
                "'{text}' is no CSS selector of elements in a file: use tags, .classes, #ids, [attributes] and their combinations"
            );
            return Err(Error::new(ErrorKind::InvalidPattern, what));
        };
        let text = text.to_owned();
        Ok(Self { text, css })
    }

    /// The selector, to match with.
    pub(super) fn css(&self) -> &Selector {
        &self.css
    }
}

impl fmt::Debug for PageSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_read_or_named() {
        for text in [
            "main",
            ".a.b > [data-x='y'] p, #id",
            ":is(nav, .toc):not(.kept)",
            "h2 ~ p:first-child",
        ] {
            assert!(PageSelector::parse(text).is_ok(), "{text}");
        }
        for text in ["", "..a", "div[", "a:hover", "p::before", "a,,b", "@media"] {
            let error = PageSelector::parse(text).expect_err(text);
            assert_eq!(error.kind(), ErrorKind::InvalidPattern, "{text}");
            assert!(error.message().starts_with(&format!("'{text}'")), "{error}");
            assert!(!error.message().contains('\n'));
        }
    }
}
