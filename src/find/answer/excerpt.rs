//! Excerpts as answers have them.

use crate::text::Excerpted;
use serde::Serialize;

/// Text with the places that matched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// Plain text; never markup.
    pub text: String,
    /// Half-open ranges in UTF-16 code units (what JavaScript strings count), ascending, not overlapping.
    pub highlights: Vec<[u32; 2]>,
    /// The same of lines of code, as far as their signs tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<[u32; 2]>,
}

impl From<Excerpted> for Excerpt {
    fn from(shown: Excerpted) -> Self {
        Self {
            text: shown.text,
            highlights: shown.highlights,
            code: shown.code,
        }
    }
}
