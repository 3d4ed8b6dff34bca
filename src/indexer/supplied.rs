//! Texts that somebody wrote in place of the extracted ones: a model, or OpenViking's sidecar files.

use super::document::Document;
use super::summary::supplied_abstract;
use crate::base::error::{Error, ErrorKind, Result};
use crate::bundle::Kept;

/// L0 and L1 of a directory, neither of them blank, and what is kept of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Supplied {
    pub(super) abstract_: Option<String>,
    pub(super) overview: Option<String>,
    pub(super) kept: Vec<Kept>,
}

impl Supplied {
    /// Puts the texts that say something in place of those there.
    pub(super) fn replace(&mut self, abstract_: Option<String>, overview: Option<String>) {
        let abstract_ = abstract_.as_deref().and_then(said).map(supplied_abstract);
        self.abstract_ = abstract_.or(self.abstract_.take());
        let overview = overview.filter(|text| said(text).is_some());
        self.overview = overview.or(self.overview.take());
    }

    /// Takes in what is said of the same directory by another name; its texts win.
    pub(super) fn take_in(&mut self, other: &Self) {
        self.replace(other.abstract_.clone(), other.overview.clone());
        self.kept.extend(other.kept.iter().cloned());
    }

    /// True if nobody wrote anything of the directory, whatever is kept of it.
    pub(super) fn is_silent(&self) -> bool {
        self.abstract_.is_none() && self.overview.is_none()
    }

    /// The heading that the overview begins with.
    pub(super) fn title(&self) -> Option<&str> {
        let first = self.overview.as_deref()?.trim_start().lines().next()?;
        said(first.strip_prefix("# ")?)
    }
}

/// The L0 that somebody wrote for a file.
pub(super) fn abstract_of(document: &Document) -> Option<String> {
    let text = document.abstract_.as_deref()?;
    said(text).map(supplied_abstract)
}

/// The L1 that somebody wrote for a file.
pub(super) fn overview_of(document: &Document) -> Option<String> {
    let text = document.overview.as_deref()?;
    said(text).map(|_| text.to_owned())
}

/// True for the names of OpenViking's texts about a directory.
pub(super) fn is_sidecar(name: &[u8]) -> bool {
    name == b".abstract.md" || name == b".overview.md"
}

fn said(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// The text of a sidecar file without its block of fields; `name` is what an error calls the file.
///
/// A file without such a block is all text. *Errors*: `INVALID_ARGUMENT` when a block begins and never ends
/// (spec: OpenViking §6.1).
pub fn sidecar_body<'a>(text: &'a str, name: &str) -> Result<&'a str> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let is_rule = |line: &str| line.trim_end() == "---";
    let Some(first) = lines.next().filter(|line| is_rule(line)) else {
        return Ok(text);
    };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if is_rule(line) {
            return Ok(text[at..].trim_start_matches(['\r', '\n']));
        }
    }
    let what = format!(
        "the front matter of {name} begins with '---' and never ends: close it with a line '---'"
    );
    Err(Error::new(ErrorKind::InvalidArgument, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidecars_lose_their_fields() {
        let body = |text| sidecar_body(text, "x/.abstract.md");
        assert_eq!(body("---\ndirectory: x\n---\n\nText\n").unwrap(), "Text\n");
        assert_eq!(body("---\r\na: b\r\n---\r\nText").unwrap(), "Text");
        assert_eq!(body("# Legacy\n\n---\n").unwrap(), "# Legacy\n\n---\n");
        assert_eq!((body("").unwrap(), body("---\n---").unwrap()), ("", ""));
        let error = body("---\ndirectory: x\nText\n").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("x/.abstract.md"), "{error}");
    }

    #[test]
    fn blank_texts_leave_what_there_is() {
        let mut texts = Supplied::default();
        texts.replace(Some(" A.\n".into()), Some("# T\n\nB.\n".into()));
        texts.replace(Some(" ".into()), None);
        assert_eq!(texts.abstract_.as_deref(), Some("A."));
        assert_eq!(texts.title(), Some("T"));
        assert_eq!(Supplied::default().title(), None);
    }
}
