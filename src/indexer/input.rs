//! From a folder to documents: which files there are, and what each of them says.
//!
//! Every file that is left out is named with its reason. Nothing that a file holds makes this panic.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use unicode_normalization::UnicodeNormalization;

use super::Kept;
use super::document::Document;
use super::folders::{Tree, is_special, slashed};
use super::{encoding, facts, git, html, links, markdown, sidecar_body};
use crate::base::error::{Error, ErrorKind, Result};

const MAX_FILE_BYTES: u64 = 32 * 1024 * 1024; // The largest page in the toolchain's documentation has 10 MB.
const PAGES: [&str; 8] = [
    "html", "htm", "xhtml", "md", "markdown", "mdown", "mkd", "mdx",
];

/// What to read, and how.
#[derive(Debug, Clone)]
pub struct InputOptions {
    /// Globs of the files to read, relative to the folder; empty means every HTML and Markdown file.
    /// A pattern without `/` matches at any depth, and one that names a folder means all below it.
    /// Files of another format are read as plain text where a pattern names their extension (`*.txt`).
    pub include: Vec<String>,
    /// Globs of the files to leave out. They win over `include`.
    pub exclude: Vec<String>,
    /// Front matter fields and `<meta>` names to read nothing from, in any case.
    pub skip_fields: Vec<String>,
    /// Files larger than this are left out. Bytes.
    pub max_file_bytes: u64,
    /// Whether to read what symbolic links name outside the folder. Within it they are followed either way.
    pub follow_links: bool,
    /// A page that takes longer to read is left out. Reading is linear; this is for what is not.
    pub max_page_time: Duration,
    /// Whether to ask git when files were first and last committed.
    pub use_git_dates: bool,
    /// Whether the bundle keeps the files as they are, so that reading and exporting give them back byte for byte.
    pub keep_source: bool,
}

impl Default for InputOptions {
    fn default() -> Self {
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            skip_fields: Vec::new(),
            max_file_bytes: MAX_FILE_BYTES,
            follow_links: false,
            max_page_time: Duration::from_secs(60), // The largest page allowed takes 5 seconds.
            use_git_dates: false,
            keep_source: false,
        }
    }
}

impl InputOptions {
    /// Whether the caller wants nothing to be read from the field `name`.
    pub(crate) fn skips(&self, name: &str) -> bool {
        self.skip_fields
            .iter()
            .any(|field| field.eq_ignore_ascii_case(name))
    }

    /// When a page must have been read whose reading begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.max_page_time)
    }
}

/// A file to parse.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputFile {
    /// Path below the folder, `/`-separated, in Unicode's composed form (NFC).
    pub path: String,
    /// Where the file is.
    pub absolute: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// First commit, when git was asked and knows. Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Last commit, or else the file's own time. Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
}

/// A file that is left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path below the folder.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a file is left out.
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
                f.write_str("other pages have data-pagefind-body, and it has not")
            }
            Self::Unreadable(message) => write!(f, "it cannot be read: {message}"),
        }
    }
}

/// What there is in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// Files to parse, sorted by the bytes of their paths.
    pub files: Vec<InputFile>,
    /// OpenViking's `.abstract.md` and `.overview.md`, sorted likewise: texts about the directories they lie in.
    pub sidecars: Vec<InputFile>,
    /// Files left out, sorted likewise. Files of other formats and hidden ones are not mentioned.
    pub skipped: Vec<Skipped>,
}

/// Lists the pages below `root`. Links to files are followed, those out of `root` only when asked; a folder is read once,
/// under its own name where it lies below `root`.
///
/// *Errors*: `INVALID_PATTERN` for a bad glob; `IO` when `root` is no readable folder.
pub fn scan(root: &Path, options: &InputOptions) -> Result<Scan> {
    let include = globs(&options.include)?;
    let names_format = |pattern: &&String| {
        let last = pattern.rsplit('/').next().unwrap_or(pattern);
        last.contains('.') && !last.ends_with('*')
    };
    let formats: Vec<String> = options
        .include
        .iter()
        .filter(names_format)
        .cloned()
        .collect();
    let any_format = globs(&formats)?;
    let exclude = globs(&options.exclude)?;
    let is_folder = fs::metadata(root)
        .map_err(|e| io_error(root, &e.to_string()))?
        .is_dir();
    if !is_folder {
        return Err(io_error(root, "it is not a folder"));
    }
    let commits = if options.use_git_dates {
        git::commit_dates(root)
    } else {
        Default::default()
    };
    let mut scan = Scan::default();
    let mut tree = Tree::new(root)?;
    while let Some(found) = tree.next(options) {
        let (path, below, must_skip) = match found {
            Ok(found) => found,
            Err(skipped) => {
                scan.skipped.push(skipped);
                continue;
            }
        };
        let lossy: String = slashed(&below).nfc().collect();
        let is_sidecar = is_sidecar(path.file_name().unwrap_or_default().as_encoded_bytes());
        let wanted = is_sidecar || options.include.is_empty() || include.is_match(&lossy);
        let named = wanted && (is_page(&lossy) || any_format.is_match(&lossy));
        if !named {
            continue;
        }
        let mut skip = |reason| {
            scan.skipped.push(Skipped {
                path: lossy.clone(),
                reason,
            })
        };
        if below.to_str().is_none() || lossy.chars().any(char::is_control) {
            skip(SkipReason::BadName);
            continue;
        }
        if exclude.is_match(&lossy) {
            skip(SkipReason::Excluded);
            continue;
        }
        if let Some(reason) = must_skip {
            skip(reason);
            continue;
        }
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => {
                skip(SkipReason::Unreadable(error.to_string()));
                continue;
            }
        };
        if is_special(&metadata) {
            skip(SkipReason::Special);
            continue;
        }
        let bytes = metadata.len();
        if bytes == 0 {
            // Never opened: reading some files of length 0 waits for ever.
            if !is_sidecar {
                skip(SkipReason::Empty);
            }
            continue;
        }
        if bytes > options.max_file_bytes {
            skip(SkipReason::TooLarge(bytes, options.max_file_bytes));
            continue;
        }
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_secs()).ok());
        let commit = commits.get(slashed(&below).as_str());
        let list = if is_sidecar {
            &mut scan.sidecars
        } else {
            &mut scan.files
        };
        list.push(InputFile {
            absolute: path,
            bytes,
            created_at: commit.map(|c| c.created_at),
            updated_at: commit.map(|c| c.updated_at).or(modified),
            path: lossy,
        });
    }
    // The name on disk decides between two spellings of one path, so that the order of the walk does not.
    let Scan {
        files,
        sidecars,
        skipped,
    } = &mut scan;
    for list in [files, sidecars] {
        list.sort_by(|a, b| {
            (a.path.as_bytes(), &a.absolute).cmp(&(b.path.as_bytes(), &b.absolute))
        });
        let mut seen: HashSet<String> = HashSet::new();
        list.retain(|file| {
            let is_new = seen.insert(file.path.clone());
            if !is_new {
                skipped.push(Skipped {
                    path: file.path.clone(),
                    reason: SkipReason::DuplicateName,
                });
            }
            is_new
        });
    }
    skipped.sort_by(|a, b| {
        (a.path.as_bytes(), a.reason.name()).cmp(&(b.path.as_bytes(), b.reason.name()))
    });
    Ok(scan)
}

/// Bytes of a file about a site that are read: a sitemap has at most 50 MB, and its first addresses tell the same.
const MAX_SITE_FILE_BYTES: u64 = 8 * 1024 * 1024;
/// Sitemaps of a site that are read.
const MAX_SITEMAPS: usize = 8;

/// Reads what files at the root of a site say of it: the addresses in its sitemaps, and the versions in mike's
/// `versions.json` with their other names. What is missing or something else says nothing.
pub fn site_files(root: &Path) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let read = |name: &str| -> Option<String> {
        let path = root.join(name);
        // Never a device or a pipe, and no link out of the input.
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        let mut text = String::new();
        let file = fs::File::open(path).ok()?;
        let mut file = file.take(MAX_SITE_FILE_BYTES);
        file.read_to_string(&mut text).ok().map(|_| text)
    };
    let mut names: Vec<String> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("sitemap") && name.ends_with(".xml"))
        .collect();
    names.sort();
    let sitemaps = names
        .iter()
        .take(MAX_SITEMAPS)
        .filter_map(|name| read(name));
    let addresses = sitemaps
        .flat_map(|text| facts::sitemap_addresses(&text))
        .collect();
    (
        addresses,
        versions(&read("versions.json").unwrap_or_default()),
    )
}

/// The list that mike writes: `[{"version", "title", "aliases"}]`.
fn versions(text: &str) -> Vec<(String, Vec<String>)> {
    #[derive(serde::Deserialize)]
    struct Version {
        version: String,
        #[serde(default)]
        aliases: Vec<String>,
    }
    let list: Vec<Version> = serde_json::from_str(text).unwrap_or_default();
    list.into_iter().map(|v| (v.version, v.aliases)).collect()
}

pub(super) fn is_sidecar(name: &[u8]) -> bool {
    name == b".abstract.md" || name == b".overview.md"
}

/// Reads and parses one file. Where the page names no date, git's or the file's own stands in.
pub fn parse(file: &InputFile, options: &InputOptions) -> Result<Document, SkipReason> {
    let mut document = parse_bytes(&file.path, &read(file, options)?, options)?;
    document.created_at = document.created_at.or(file.created_at);
    document.updated_at = document.updated_at.or(file.updated_at);
    Ok(document)
}

/// Reads one of [`Scan::sidecars`]: the directory it is about (empty for the folder itself), whether it is the
/// overview, and its text without front matter.
pub fn parse_sidecar(
    file: &InputFile,
    options: &InputOptions,
) -> Result<(String, bool, String), SkipReason> {
    let bytes = read(file, options)?;
    let text = encoding::decode(&bytes, false).ok_or(SkipReason::Binary)?;
    let body = sidecar_body(&text, &file.path).map_err(|_| SkipReason::OpenFrontMatter)?;
    let (directory, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    Ok((
        directory.to_owned(),
        name == ".overview.md",
        body.to_owned(),
    ))
}

fn read(file: &InputFile, options: &InputOptions) -> Result<Vec<u8>, SkipReason> {
    let unreadable = |error: std::io::Error| SkipReason::Unreadable(error.to_string());
    let mut bytes = Vec::new();
    let metadata = fs::metadata(&file.absolute).map_err(unreadable)?;
    if is_special(&metadata) {
        return Err(SkipReason::Special); // Opening a pipe would wait for its writer.
    }
    let reader = fs::File::open(&file.absolute).map_err(unreadable)?;
    let limit = options.max_file_bytes;
    reader
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

/// Parses the bytes of one file. The extension of `path` names the format; an unknown one means plain text.
pub fn parse_bytes(
    path: &str,
    bytes: &[u8],
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let n_bytes = bytes.len() as u64;
    if n_bytes > options.max_file_bytes {
        return Err(SkipReason::TooLarge(n_bytes, options.max_file_bytes));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(SkipReason::Empty);
    }
    let is_html = links::is_html(path);
    let text = encoding::decode(bytes, is_html).ok_or(SkipReason::Binary)?;
    let mut document = if is_html {
        html::parse(path, &text, options)?
    } else if is_page(path) {
        markdown::parse(path, &text, options)?
    } else {
        markdown::parse_plain(&text)?
    };
    path.clone_into(&mut document.path);
    if document.title.is_empty() {
        document.title = title_from_path(path);
    }
    if options.keep_source {
        document.kept.push(Kept {
            kind: Kept::FILE,
            bytes: bytes.to_vec(),
        });
    }
    Ok(document)
}

/// A title for a page without one: its file name, or for an index the folder's.
pub(super) fn title_from_path(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_index = ["index", "readme", "_index"]
        .iter()
        .any(|index| stem.eq_ignore_ascii_case(index));
    let base = if is_index {
        parts.next().unwrap_or(stem)
    } else {
        stem
    };
    let spaced = base.replace(['-', '_'], " ");
    let title = spaced.trim();
    if title.is_empty() {
        name.to_owned()
    } else {
        title.to_owned()
    }
}

fn is_page(path: &str) -> bool {
    PAGES.contains(&links::extension(path).as_str())
}

fn globs(patterns: &[String]) -> Result<GlobSet> {
    let invalid = |error: globset::Error| {
        Error::new(ErrorKind::InvalidPattern, format!("glob pattern: {error}"))
    };
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern: String = pattern.nfc().collect();
        let bare = pattern.trim_start_matches("./").trim_end_matches('/');
        let anchored = bare.strip_prefix('/');
        let base = match anchored {
            Some(rest) => rest.to_owned(),
            None if bare.contains('/') => bare.to_owned(),
            None => format!("**/{bare}"),
        };
        for glob in [base.clone(), format!("{base}/**")] {
            set.add(
                GlobBuilder::new(&glob)
                    .literal_separator(true)
                    .build()
                    .map_err(invalid)?,
            );
        }
    }
    set.build().map_err(invalid)
}

pub(super) fn io_error(root: &Path, message: &str) -> Error {
    Error::new(
        ErrorKind::Io,
        format!("cannot read the folder {}: {message}", root.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, bytes: &[u8]) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a folder"))
            .expect("a scratch folder can be written");
        fs::write(file, bytes).expect("a scratch file can be written");
    }

    fn paths(scan: &Scan) -> Vec<&str> {
        scan.files.iter().map(|f| f.path.as_str()).collect()
    }

    fn skipped(scan: &Scan) -> Vec<(&str, &str)> {
        scan.skipped
            .iter()
            .map(|s| (s.path.as_str(), s.reason.name()))
            .collect()
    }

    #[test]
    fn a_folder_is_listed_in_order_with_reasons() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let root = folder.path();
        for path in [
            "b.md",
            "a/z.HTML",
            "a.md",
            "a/中文 页.md",
            "style.css",
            ".hidden/x.md",
            "node_modules/p/README.md",
            "private/x.md",
        ] {
            write(root, path, b"# T\n\ntext");
        }
        write(root, "large.md", &[b'x'; 200]);
        let options = InputOptions {
            exclude: vec!["private".into()],
            max_file_bytes: 100,
            ..InputOptions::default()
        };
        let found = scan(root, &options).expect("a scan");
        assert_eq!(paths(&found), ["a.md", "a/z.HTML", "a/中文 页.md", "b.md"]);
        assert_eq!(
            skipped(&found),
            [("large.md", "too-large"), ("private/x.md", "excluded")]
        );
        assert!(found.files[0].updated_at.is_some() && found.files[0].created_at.is_none());
        assert_eq!(scan(root, &options).expect("a scan"), found);
    }

    #[test]
    fn globs_choose_files() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for path in ["a.md", "x/a.md", "x/y/b.html", "x/notes.txt"] {
            write(folder.path(), path, b"text");
        }
        let list = |include: &[&str], exclude: &[&str]| {
            let strings = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
            let options = InputOptions {
                include: strings(include),
                exclude: strings(exclude),
                ..InputOptions::default()
            };
            scan(folder.path(), &options).map(|scan| paths(&scan).join(" "))
        };
        assert_eq!(list(&["*.md"], &[]).as_deref(), Ok("a.md x/a.md"));
        assert_eq!(list(&["/*.md"], &[]).as_deref(), Ok("a.md"));
        assert_eq!(list(&["x/"], &["**/y/**"]).as_deref(), Ok("x/a.md"));
        assert_eq!(
            list(&["x/*.{md,txt}"], &[]).as_deref(),
            Ok("x/a.md x/notes.txt")
        );
        assert_eq!(list(&[], &["x/*.md"]).as_deref(), Ok("a.md x/y/b.html"));
        assert_eq!(
            list(&["[a"], &[]).expect_err("a bad glob").kind(),
            ErrorKind::InvalidPattern
        );
        let missing = scan(&folder.path().join("no"), &InputOptions::default());
        assert_eq!(missing.expect_err("no folder").kind(), ErrorKind::Io);
    }

    #[cfg(unix)]
    #[test]
    fn loops_broken_links_and_foreign_names_are_named() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a scratch folder");
        let root = folder.path();
        write(root, "a/x.md", b"text");
        write(root, "e\u{301}.md", b"decomposed");
        write(root, "\u{e9}.md", b"composed");
        symlink(root, root.join("a/loop")).expect("a link");
        symlink("nowhere.md", root.join("broken.md")).expect("a link");
        fs::write(root.join(std::ffi::OsStr::from_bytes(b"\xFF.md")), "text").expect("a file");
        let found = scan(root, &InputOptions::default()).expect("a scan");
        assert_eq!(paths(&found), ["a/x.md", "\u{e9}.md"]);
        assert_eq!(
            skipped(&found),
            [
                ("a/loop", "symlink-loop"),
                ("broken.md", "unreadable"),
                ("\u{e9}.md", "duplicate-name"),
                ("\u{FFFD}.md", "bad-name")
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_neither_leave_the_folder_nor_multiply_it() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        write(scratch.path(), "out/deep/secret.md", b"text");
        write(scratch.path(), "out/secret.css", b"text");
        let root = &scratch.path().join("in");
        for n in 0..9 {
            write(root, &format!("f{n}/page.md"), b"text");
            for to in 0..9 {
                let _ = symlink(format!("../f{to}"), root.join(format!("f{n}/to{to}")));
            }
        }
        symlink("f1/page.md", root.join("same.md")).expect("a link");
        symlink("f1", root.join("a-folder")).expect("a link");
        symlink("../out/deep/secret.md", root.join("secret.md")).expect("a link");
        symlink("../out/secret.css", root.join("secret.css")).expect("a link");
        symlink("../out", root.join("out")).expect("a link");
        symlink("../out/deep", root.join("out2")).expect("a link");
        let inside = scan(root, &InputOptions::default()).expect("a scan");
        let mut want: Vec<_> = (0..9).map(|n| format!("f{n}/page.md")).collect();
        want.push("same.md".into());
        assert_eq!(paths(&inside), want);
        let left_out = |scan: &Scan, reason| {
            let of = skipped(scan)
                .into_iter()
                .filter(|(_, name)| *name == reason);
            of.map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(left_out(&inside, "link-out"), ["out", "out2", "secret.md"]);
        assert_eq!(left_out(&inside, "symlink-loop").len(), 9);
        assert_eq!(left_out(&inside, "linked-folder").len(), 9 * 8 + 1);

        let options = InputOptions {
            follow_links: true,
            ..InputOptions::default()
        };
        let all = scan(root, &options).expect("a scan");
        want.extend(["out/deep/secret.md".into(), "secret.md".into()]);
        want.sort();
        assert_eq!(paths(&all), want);
        assert_eq!(all, scan(root, &options).expect("a scan"));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_named_and_never_opened() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let root = scratch.path();
        write(root, "empty.md", b"");
        write(root, "gone.md", b"text");
        let listener = std::os::unix::net::UnixListener::bind(root.join("socket.md"));
        let fifo = std::process::Command::new("mkfifo")
            .arg(root.join("fifo.md"))
            .status();
        let mut want = vec![("empty.md", "empty")];
        if fifo.is_ok_and(|status| status.success()) {
            want.push(("fifo.md", "special-file"));
        }
        let system = Path::new("/proc/self/maps");
        if system.exists() {
            symlink(system, root.join("maps.md")).expect("a link");
            want.push(("maps.md", "special-file"));
        }
        if listener.is_ok() {
            want.push(("socket.md", "special-file"));
        }
        symlink("/dev/zero", root.join("zero.md")).expect("a link");
        want.push(("zero.md", "special-file"));
        let options = InputOptions {
            follow_links: true,
            ..InputOptions::default()
        };
        let found = scan(root, &options).expect("a scan");
        assert_eq!(paths(&found), ["gone.md"]);
        assert_eq!(skipped(&found), want);
        // It became a pipe between listing and reading.
        fs::remove_file(root.join("gone.md")).expect("removed");
        if fs::rename(root.join("fifo.md"), root.join("gone.md")).is_ok() {
            assert_eq!(read(&found.files[0], &options), Err(SkipReason::Special));
        }
    }

    #[test]
    fn a_missing_file_is_named_once() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", scratch.path().join("a.md")).expect("a link");
        let found = scan(scratch.path(), &InputOptions::default()).expect("a scan");
        for left_out in &found.skipped {
            let message = format!("{}: {}", left_out.path, left_out.reason);
            assert_eq!(message.matches("a.md").count(), 1, "{message}");
        }
    }

    #[test]
    fn files_are_parsed_or_refused_by_name() {
        let options = InputOptions::default();
        let refuse =
            |path: &str, bytes: &[u8]| parse_bytes(path, bytes, &options).expect_err("no document");
        assert_eq!(refuse("a.md", b" \n"), SkipReason::Empty);
        assert_eq!(refuse("a.md", b"\x89PNG\0\0\0"), SkipReason::Binary);
        assert_eq!(refuse("a.html", b"<!-- -->"), SkipReason::Empty);
        let small = InputOptions {
            max_file_bytes: 3,
            ..InputOptions::default()
        };
        assert_eq!(
            parse_bytes("a.md", b"text", &small),
            Err(SkipReason::TooLarge(4, 3))
        );
        let gone = InputFile {
            path: "a.md".into(),
            absolute: "/no/such/file".into(),
            ..InputFile::default()
        };
        assert_eq!(
            parse(&gone, &options).expect_err("no file").name(),
            "unreadable"
        );
        for (path, title) in [
            ("x/my-page_1.md", "my page 1"),
            ("x/guide/index.html", "guide"),
            ("README.md", "README"),
            ("n.txt", "n"),
        ] {
            let document =
                parse_bytes(path, "text\u{AD}".as_bytes(), &options).expect("a document");
            assert_eq!(
                (
                    document.title.as_str(),
                    document.path.as_str(),
                    document.weight
                ),
                (title, path, 1.0)
            );
            assert_eq!(document.sections[0].text, "text");
        }
        let latin = parse_bytes("a.html", b"<meta charset=iso-8859-1><p>caf\xE9", &options)
            .expect("a document");
        assert_eq!(latin.sections[0].text, "café");
    }

    #[test]
    fn a_page_of_ten_megabytes_is_read() {
        let mut page = String::from("<main><h1>Big</h1>");
        let part = format!(
            "<h2 id=x>Part</h2><p>Some <b>words</b> {}</p><pre>code\n</pre>",
            "in a paragraph, again and again. ".repeat(20)
        );
        while page.len() < 10_000_000 {
            page.push_str(&part);
        }
        let document =
            parse_bytes("big.html", page.as_bytes(), &InputOptions::default()).expect("a document");
        assert!(document.sections.len() > 10_000);
    }

    #[test]
    fn bytes_of_any_kind_never_panic() {
        let seeds: [&[u8]; 3] = [
            b"---\ntitle: T\n---\n# H\n\n- a [b](c.md) `d`\n\n> [!NOTE]\n\n| a | b |\n|--|--|\n<div id=x>y</div>\n",
            b"<html lang=en><meta charset=utf-8><main><h1 id=a>T</h1><pre>x\n</pre><a href='b.html'>l</a><table><tr><td>c",
            "---\ntags: [中, é]\n---\n# 标题\n\n文字 :::x\n\u{200B}{% y %}".as_bytes(),
        ];
        let mut state = 7u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        let options = InputOptions::default();
        for seed in seeds {
            for end in 0..seed.len() {
                let _ = parse_bytes("a.md", &seed[..end], &options);
                let _ = parse_bytes("a.html", &seed[..end], &options);
            }
            for _ in 0..1000 {
                let mut bytes = seed.to_vec();
                for _ in 0..1 + random() % 4 {
                    let at = random() % bytes.len();
                    bytes[at] = random() as u8;
                }
                let _ = parse_bytes("a.md", &bytes, &options);
                let _ = parse_bytes("a.html", &bytes, &options);
                let _ = parse_bytes("a.mdx", &bytes, &options);
            }
        }
    }

    #[test]
    fn the_corpus_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
        let options = InputOptions::default();
        let found = scan(&root, &options).expect("the corpus");
        assert!(found.skipped.is_empty());
        let (mut documents, mut refused) = (Vec::new(), Vec::new());
        for file in &found.files {
            match parse(file, &options) {
                Ok(document) => documents.push(document),
                Err(reason) => refused.push((file.path.as_str(), reason)),
            }
        }
        assert_eq!(refused, [("blog/moved.html", SkipReason::Redirect)]);
        for document in &documents {
            assert!(
                !document.title.is_empty() && !document.sections.is_empty(),
                "{}",
                document.path
            );
            for link in &document.links {
                let target = links::find_target(&link.path, |path| {
                    found.files.iter().any(|f| f.path == path)
                });
                assert!(target.is_some(), "{} → {}", document.path, link.path);
            }
        }
        let get = |path: &str| {
            documents
                .iter()
                .find(|d| d.path == path)
                .expect("a page of the corpus")
        };
        let commands = get("reference/commands.html");
        assert_eq!(
            (commands.title.as_str(), commands.tags.as_slice()),
            ("Commands", &["area=reference".to_owned()][..])
        );
        let headings: Vec<_> = commands
            .sections
            .iter()
            .map(|s| (s.heading.as_str(), s.anchor.as_str(), s.weight))
            .collect();
        assert_eq!(
            headings,
            [
                ("", "commands", 1.0),
                ("serve", "serve", 1.0),
                ("pair", "pair", 2.0),
                ("export", "export", 1.0)
            ]
        );
        assert_eq!(get("guide/add-a-sensor.md").sections[3].anchor, "rename");
        assert_eq!(
            get("zh/index.md").sections[0].text.lines().next(),
            Some(
                "港湾是一个小型网关程序，负责收集传感器的读数，校准它们的时钟，并把数据保存为普通文件。"
            )
        );
        assert_eq!(get("de/fragen.html").language.as_deref(), Some("de"));
    }

    #[test]
    fn toolchain_pages_are_read_where_they_are_installed() {
        let sysroot = std::process::Command::new("rustc")
            .args(["--print", "sysroot"])
            .output();
        let Ok(output) = sysroot else { return };
        let root =
            Path::new(String::from_utf8_lossy(&output.stdout).trim()).join("share/doc/rust/html");
        let read = |path: &str| {
            let bytes = fs::read(root.join(path)).ok()?;
            Some(parse_bytes(path, &bytes, &InputOptions::default()).expect("a page with text"))
        };
        if let Some(vec) = read("std/vec/struct.Vec.html") {
            assert_eq!(vec.title, "Struct Vec");
            let push = vec
                .sections
                .iter()
                .find(|s| s.anchor == "method.push")
                .expect("the method");
            assert_eq!(push.heading, "Vec::push");
            let mut lines = push.text.lines();
            assert_eq!(lines.next(), Some("pub fn push(&mut self, value: T)"));
            assert!(
                lines
                    .next()
                    .is_some_and(|l| l.starts_with("Appends an element")),
                "{}",
                push.text
            );
            let noise = |text: &str| {
                text.contains('§')
                    || text.contains("Copy item path")
                    || text.contains("Expand description")
            };
            assert!(
                !vec.sections
                    .iter()
                    .any(|s| noise(&s.heading) || noise(&s.text))
            );
        }
        if let Some(book) = read("book/ch04-01-what-is-ownership.html") {
            assert_eq!(book.title, "What Is Ownership?");
            assert_eq!(book.sections[0].anchor, "what-is-ownership");
            assert_eq!(
                (
                    book.sections[1].heading.as_str(),
                    book.sections[1].anchor.as_str()
                ),
                ("The Stack and the Heap", "the-stack-and-the-heap")
            );
        }
    }
}
