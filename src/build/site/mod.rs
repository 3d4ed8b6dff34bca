//! The site as it means itself: addresses, languages, versions, copies and kinds of its pages.
//!
//! A page says some of it, all pages together the rest. Decided once, after every page was read and before anything is
//! indexed; a decision is kept with its reason, for the summary and for `knarr inspect --pages`.

/// What holds where a question names no language and no version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Defaults {
    /// BCP 47 tag of the site's own language; empty: the site has one only.
    pub language: String,
    /// The newest stable version; empty: the site has one only.
    pub version: String,
}
