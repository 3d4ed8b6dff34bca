//! The kinds of pages that rules are about.

use serde::{Deserialize, Serialize};

/// A kind of page that a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Says that there is no such page.
    NotFound,
    /// Holds the site's own search.
    Search,
    /// Indexes of names, and lists of members and uses that generators write.
    NameIndex,
    /// Listings of source code.
    Source,
    /// Lists of pages by tag, category, author, date, folder or kind, and the pages of a blog's list.
    List,
    /// Settings and help of a generator's own pages.
    Tool,
    /// The whole site, or the whole manual, on one page.
    Print,
    /// A Markdown file beside the HTML page that was made of it.
    PageSource,
    /// A Markdown file in a site of HTML that no page links to.
    Stray,
    /// A post of a blog.
    Post,
    /// A list of changes by version, or the notes of one release of many.
    Changelog,
    /// Is about something that one should not use any more, or that may still change, and says so at its top.
    Unsettled,
    /// A report on a project by its build: its dependencies and licenses, its team, the results of checks.
    Report,
    /// A list of what one file of source code defines, beside the pages on it.
    File,
    /// The same page as another.
    Copy,
}

/// Share of its score that a blog post loses: it told the news of its day. At .3 Vite's site has MRR@8 .777, at .5 .797;
/// the other three labelled sites do not change.
const POST_DAMPING: f32 = 0.5;
/// Share of its score that a changelog loses: it names everything and explains nothing.
const CHANGELOG_DAMPING: f32 = 0.3;

/// Share of its score that a page about something deprecated or experimental loses: few mean it who do not name it. On the
/// Rust documentation .15, .3, .5 and .7 are one.
const UNSETTLED_DAMPING: f32 = 0.3;

/// Share of its score that a report of a build loses: it names versions, files and people, and explains none.
const REPORT_DAMPING: f32 = 0.3;

/// Share of its score that the list of a file loses: its name is half a topic's, and it has the names of all that is on it.
/// ImageMagick's titles have MRR@8 .772 at 0, .821 at .3 and .829 at .5 and .7; FFmpeg's functions that only such a page
/// defines have .992 at 0, .986 at .3, .984 at .5 and .874 at .7.
const FILE_DAMPING: f32 = 0.3;

impl Kind {
    /// All kinds by name.
    pub const ALL: [(&'static str, Self); 15] = [
        ("not-found", Self::NotFound),
        ("search", Self::Search),
        ("name-index", Self::NameIndex),
        ("source", Self::Source),
        ("list", Self::List),
        ("tool", Self::Tool),
        ("print", Self::Print),
        ("page-source", Self::PageSource),
        ("stray", Self::Stray),
        ("post", Self::Post),
        ("changelog", Self::Changelog),
        ("unsettled", Self::Unsettled),
        ("report", Self::Report),
        ("file", Self::File),
        ("copy", Self::Copy),
    ];

    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, kind)| *kind == self);
        named.map_or("", |(name, _)| name)
    }

    /// Share of its score that a page of this kind loses; `None`: it is left out.
    pub fn damping(self) -> Option<f32> {
        match self {
            Self::Post => Some(POST_DAMPING),
            Self::Changelog => Some(CHANGELOG_DAMPING),
            Self::Unsettled => Some(UNSETTLED_DAMPING),
            Self::Report => Some(REPORT_DAMPING),
            Self::File => Some(FILE_DAMPING),
            _ => None,
        }
    }
}
