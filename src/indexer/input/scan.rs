//! The files of a folder that are to be read, and those left out with their reasons.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use unicode_normalization::UnicodeNormalization;

use super::super::folders::{Found, Tree, io_error, is_special, slashed};
use super::super::git::{self, CommitDates};
use super::super::options::InputOptions;
use super::super::skip::{SkipReason, Skipped};
use super::super::supplied::is_sidecar;
use super::{InputFile, is_page};
use crate::base::error::{Error, ErrorKind, Result};

/// The files of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// Files to parse, sorted by the bytes of their paths.
    pub files: Vec<InputFile>,
    /// OpenViking's `.abstract.md` and `.overview.md`, sorted likewise: texts about the directories they lie in.
    pub sidecars: Vec<InputFile>,
    /// Files left out, sorted likewise. Files of other formats and hidden ones are not mentioned.
    pub skipped: Vec<Skipped>,
    /// Git was to date the files, and tells of none.
    pub lacks_history: bool,
    /// Globs of [`InputOptions::include`] that no file matches.
    pub idle_includes: Vec<String>,
}

/// Lists the pages below `root`. Links to files are followed, those out of `root` only when asked; a folder is read once,
/// under its own name where it lies below `root`.
///
/// *Errors*: `INVALID_PATTERN` for a bad glob; `IO` when `root` is no readable folder.
pub fn scan(root: &Path, options: &InputOptions) -> Result<Scan> {
    let patterns = Patterns::of(options)?;
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
    let mut scan = Scan {
        lacks_history: options.use_git_dates && commits.is_empty(),
        ..Scan::default()
    };
    let mut tree = Tree::new(root)?;
    while let Some(found) = tree.next(options) {
        match found {
            Ok(found) => scan.see(found, options, &patterns, &commits),
            Err(skipped) => scan.skipped.push(skipped),
        }
    }
    scan.sort();
    for glob in &options.include {
        let set = globs(std::slice::from_ref(glob))?;
        let files = scan.files.iter().chain(&scan.sidecars);
        let mut seen = files.map(|file| &file.path);
        let mut skipped = scan.skipped.iter().map(|file| &file.path);
        if !seen.any(|path| set.is_match(path)) && !skipped.any(|path| set.is_match(path)) {
            scan.idle_includes.push(glob.clone());
        }
    }
    Ok(scan)
}

impl Scan {
    /// Puts a file into the list it belongs to, if a pattern or its format asks for it.
    fn see(
        &mut self,
        (absolute, below, must_skip): Found,
        options: &InputOptions,
        patterns: &Patterns,
        commits: &HashMap<String, CommitDates>,
    ) {
        let path: String = slashed(&below).nfc().collect();
        let is_sidecar = is_sidecar(absolute.file_name().unwrap_or_default().as_encoded_bytes());
        if !patterns.choose(&path, is_sidecar) {
            return;
        }
        let has_bad_name = below.to_str().is_none() || path.chars().any(char::is_control);
        let refused = match must_skip {
            _ if has_bad_name => Some(SkipReason::BadName),
            _ if patterns.exclude.is_match(&path) => Some(SkipReason::Excluded),
            must_skip => must_skip,
        };
        let measured = match refused {
            Some(reason) => Err(reason),
            None => measure(&absolute, options),
        };
        match measured {
            Ok((bytes, modified)) => {
                let commit = commits.get(slashed(&below).as_str());
                let list = if is_sidecar {
                    &mut self.sidecars
                } else {
                    &mut self.files
                };
                list.push(InputFile {
                    absolute,
                    bytes,
                    created_at: commit.map(|c| c.created_at),
                    updated_at: commit.map(|c| c.updated_at).or(modified),
                    path,
                });
            }
            Err(SkipReason::Empty) if is_sidecar => {}
            Err(reason) => self.skipped.push(Skipped { path, reason }),
        }
    }

    /// Sorts the lists, and keeps one file of each path. The name on disk decides between two spellings of one path, so
    /// that the order of the walk does not.
    fn sort(&mut self) {
        let skipped = &mut self.skipped;
        for list in [&mut self.files, &mut self.sidecars] {
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
    }
}

/// Bytes of a file, and the time of its last change in seconds since 1970 UTC; an error for one not to be opened.
fn measure(path: &Path, options: &InputOptions) -> Result<(u64, Option<i64>), SkipReason> {
    let metadata = fs::metadata(path).map_err(|error| SkipReason::Unreadable(error.to_string()))?;
    if is_special(&metadata) {
        return Err(SkipReason::Special);
    }
    let bytes = metadata.len();
    if bytes == 0 {
        // Never opened: reading some files of length 0 waits for ever.
        return Err(SkipReason::Empty);
    }
    if bytes > options.max_file_bytes {
        return Err(SkipReason::TooLarge(bytes, options.max_file_bytes));
    }
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.and_then(|since| i64::try_from(since.as_secs()).ok());
    Ok((bytes, modified))
}

/// The caller's patterns.
struct Patterns {
    include: GlobSet,
    /// Nothing is named: every page is included.
    includes_all: bool,
    /// Patterns of `include` that name an extension, so that files of any format are read.
    any_format: GlobSet,
    exclude: GlobSet,
}

impl Patterns {
    fn of(options: &InputOptions) -> Result<Self> {
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
        Ok(Self {
            include: globs(&options.include)?,
            includes_all: options.include.is_empty(),
            any_format: globs(&formats)?,
            exclude: globs(&options.exclude)?,
        })
    }

    /// True for a page or a file of a named format that is to be read; sidecars are read whatever is named.
    fn choose(&self, path: &str, is_sidecar: bool) -> bool {
        (is_sidecar || self.includes_all || self.include.is_match(path))
            && (is_page(path) || self.any_format.is_match(path))
    }
}

pub(super) fn globs(patterns: &[String]) -> Result<GlobSet> {
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

#[cfg(test)]
mod tests {
    use super::super::read;
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
}
