//! From a folder to documents: which files there are, and what each of them says.
//!
//! Every file that is left out is named with its reason. Nothing that a file holds makes this panic.

mod once;
mod owner;
mod scan;
mod site_files;

pub use super::dates::parse as parse_date;
pub use super::front_matter::{MALFORMED, tag_fault};
pub use super::options::InputOptions;
pub use super::selected::PageSelector;
pub use super::skip::{SkipReason, Skipped};
pub use super::slugs::Anchors;
pub use owner::{OWNER_FILE, Owner};
pub use scan::{Scan, scan};
pub use site_files::{anchors, site_files};

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use super::Kept;
use super::document::Document;
use super::folders::is_special;
use super::memo::{self, Memo};
use super::{encoding, html, links, markdown, notebook, sidecar_body};

const PAGES: [&str; 11] = [
    "html", "htm", "xhtml", "md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd", "ipynb",
];

/// A file to parse.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputFile {
    /// Path below the folder, `/`-separated, in Unicode's composed form (NFC).
    pub path: String,
    /// Path on disk.
    pub absolute: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// First commit, when git was asked and knows. Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Last commit, or else the file's own time. Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
}

/// Reads and parses one file. Where the page names no date, git's or the file's own stands in.
pub fn parse(file: &InputFile, options: &InputOptions) -> Result<Document, SkipReason> {
    parse_or_recall(file, options, None)
}

/// [`parse`], unless `memo` has what an earlier build read in the same bytes. The file is read either way: its time may
/// be older than its content, and reading it costs a hundredth of parsing it.
pub fn parse_or_recall(
    file: &InputFile,
    options: &InputOptions,
    memo: Option<&dyn Memo>,
) -> Result<Document, SkipReason> {
    let bytes = read(file, options)?;
    let parse = || parse_bytes(&file.path, &bytes, options);
    let mut document = match memo {
        Some(memo) => {
            let document = memo::document(memo, (&file.path, &bytes), options, parse)?;
            let dates = [file.created_at, file.updated_at];
            memo::note(memo, (&file.path, &bytes), dates, options);
            document
        }
        None => parse()?,
    };
    document.created_at = document.created_at.or(file.created_at);
    document.updated_at = document.updated_at.or(file.updated_at);
    Ok(document)
}

/// The document that the last build with `memo` read of the file at `path`; `None` when it did not, or what it kept is
/// damaged.
pub fn recall(memo: &dyn Memo, path: &str) -> Option<Document> {
    memo::read_before(memo, path)
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
    } else if links::extension(path) == "ipynb" {
        notebook::parse(path, &text, options)?
    } else if is_page(path) {
        markdown::parse(path, &text, options)?
    } else {
        markdown::parse_plain(&text)?
    };
    path.clone_into(&mut document.path);
    if document.title.is_empty() {
        document.title = title_from_path(path);
        document.facts.is_untitled = true;
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

/// True for a path of HTML or Markdown, or of a notebook.
pub(super) fn is_page(path: &str) -> bool {
    PAGES.contains(&links::extension(path).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

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
        let text = "in a paragraph, again and again. ".repeat(20);
        for n in 0.. {
            let part = format!("<h2>Part {n}</h2><p>Some <b>words</b> {text}</p><pre>code\n</pre>");
            page.push_str(&part);
            if page.len() >= 10_000_000 {
                break;
            }
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
            assert_eq!((vec.title.as_str(), vec.kind.as_str()), ("Vec", "struct"));
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
