//! Files that are left out, with their reasons.

use std::fmt;

/// A file that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path below the folder.
    pub path: String,
    /// Shown in the summary of a build.
    pub reason: SkipReason,
}

/// The reason for leaving a file out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It holds no text.
    Empty,
    /// It is no text file, whatever its name says.
    Binary,
    /// It is larger than allowed: its bytes, and the limit.
    TooLarge(u64, u64),
    /// It only sends the reader elsewhere.
    Redirect,
    /// It asks search engines to leave it out.
    NoIndex,
    /// It is marked as a draft.
    Draft,
    /// It is a sidecar whose front matter begins and never ends.
    OpenFrontMatter,
    /// A pattern of the caller excludes it, or it lies in a folder of installed packages.
    Excluded,
    /// It links to a folder that it lies in.
    SymlinkLoop,
    /// It links to a folder that is read under its own name.
    LinkedFolder,
    /// It links to something outside the folder.
    LinkOut,
    /// It is a pipe, socket or device, or a file in which the system shows itself.
    Special,
    /// Its markup nests so that reading it takes the square of its length.
    TooTangled,
    /// Reading it takes longer than allowed.
    TooSlow,
    /// Its name is not Unicode, or has characters that no path may have, or is that of a directory's text.
    BadName,
    /// It lies in more folders than a tree may have, or its path is longer than an address may be.
    TooDeep,
    /// Another file has the same name in composed form, or the same place in the tree.
    DuplicateName,
    /// Other pages of the site mark what is to be found, and it marks nothing.
    Unmarked,
    /// It has none of the elements that the caller reads.
    NoRoot,
    /// It is a notebook whose JSON does not parse, or is none of a notebook: what is wrong.
    Damaged(String),
    /// Reading it failed: the system's message.
    Unreadable(String),
}

impl SkipReason {
    /// A stable short name, for programs and for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Binary => "binary",
            Self::TooLarge(..) => "too-large",
            Self::Redirect => "redirect",
            Self::NoIndex => "noindex",
            Self::Draft => "draft",
            Self::OpenFrontMatter => "open-front-matter",
            Self::Excluded => "excluded",
            Self::SymlinkLoop => "symlink-loop",
            Self::LinkedFolder => "linked-folder",
            Self::LinkOut => "link-out",
            Self::Special => "special-file",
            Self::TooTangled => "too-tangled",
            Self::TooSlow => "too-slow",
            Self::BadName => "bad-name",
            Self::TooDeep => "too-deep",
            Self::DuplicateName => "duplicate-name",
            Self::Unmarked => "unmarked",
            Self::NoRoot => "no-root",
            Self::Damaged(_) => "damaged",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no text in it"),
            Self::Binary => f.write_str("it is not a text file"),
            Self::TooLarge(bytes, limit) => {
                write!(f, "it has {bytes} bytes, more than the limit of {limit}")
            }
            Self::Redirect => f.write_str("it only redirects"),
            Self::NoIndex => f.write_str("it asks not to be indexed"),
            Self::Draft => f.write_str("it is a draft"),
            Self::OpenFrontMatter => f.write_str(
                "its front matter begins with '---' and never ends: close it with a line '---'",
            ),
            Self::Excluded => f.write_str("it is excluded"),
            Self::SymlinkLoop => f.write_str("it links to a folder that it lies in"),
            Self::LinkedFolder => {
                f.write_str("it links to a folder that is read under its own name")
            }
            Self::LinkOut => {
                f.write_str("it links out of the input (--follow-links reads such files)")
            }
            Self::Special => {
                f.write_str("it is a pipe, a socket, a device or a file of the system")
            }
            Self::TooTangled => {
                f.write_str("its elements nest so that reading it would take too long")
            }
            Self::TooSlow => f.write_str("reading it takes longer than --max-page-seconds"),
            Self::BadName => f.write_str(
                "its name is not valid Unicode, has control characters, or is kept for a folder's text",
            ),
            Self::TooDeep => {
                f.write_str("it lies in more than 512 folders, or its path is longer than 16 kB")
            }
            Self::DuplicateName => f.write_str("another file has the same name"),
            Self::Unmarked => {
                f.write_str("other pages have data-knarr-body, and it has not")
            }
            Self::NoRoot => f.write_str("--root-selector matches nothing in it"),
            Self::Damaged(why) => write!(f, "it is no notebook: {why}"),
            Self::Unreadable(message) => write!(f, "it cannot be read: {message}"),
        }
    }
}
