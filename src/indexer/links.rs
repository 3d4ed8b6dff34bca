//! Addresses of links: from what an author wrote to the path of a file of the input.

use super::prepare::Prepared;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// A document whose links are read.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// Its path below the input folder.
    pub path: &'a str,
    /// The host that it says it is on; empty if it names none.
    pub host: &'a str,
}

impl<'a> Origin<'a> {
    /// A document that says at `canonical` where it is.
    pub fn new(path: &'a str, canonical: &'a str) -> Self {
        let host = split_host(canonical).map_or("", |(host, _)| host);
        Self { path, host }
    }
}

/// The host of an address on the web, and what follows it.
fn split_host(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once("//")?;
    let is_web = ["", "http:", "https:"]
        .iter()
        .any(|s| scheme.eq_ignore_ascii_case(s));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    is_web.then(|| rest.split_at(end))
}

/// The part of an address behind its host, where that is `host`; other addresses as they are.
pub(crate) fn without_host<'a>(address: &'a str, host: &str) -> &'a str {
    match split_host(address) {
        Some((its, rest)) if !host.is_empty() && its.eq_ignore_ascii_case(host) => match rest {
            "" => "/",
            rest => rest,
        },
        _ => address,
    }
}

/// The path below the input folder that `href`, written in the document `from`, points to.
///
/// Query and fragment go, percent-encoding is undone, `.` and `..` are resolved, a leading `/` is the site's root, as is
/// the document's own host. A folder (`guide/`) means its index, named with the extension of `from`.
/// `None` for another site, another scheme, the document itself, or a place outside the input.
pub fn resolve(origin: Origin<'_>, href: &str) -> Option<String> {
    let from = origin.path;
    let href = without_host(href.trim(), origin.host);
    let end = href.find(['?', '#']).unwrap_or(href.len());
    let address = &href[..end];
    if address.is_empty() || address.starts_with("//") || has_scheme(address) {
        return None;
    }
    let decoded = percent_decode(address)?.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    if !decoded.starts_with('/') {
        parts.extend(from.split('/'));
        parts.pop();
    }
    let mut is_folder = false;
    for part in decoded.split('/') {
        is_folder = matches!(part, "" | "." | "..");
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let mut path = parts.join("/");
    if is_folder || path.is_empty() {
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(if is_html(from) {
            "index.html"
        } else {
            "index.md"
        });
    }
    let path: String = path.nfc().collect();
    (path != from && !path.contains('\0')).then_some(path)
}

/// Pages that link to each document, in the order of documents.
pub fn n_linking(documents: &[Prepared]) -> Vec<u32> {
    let by_path: HashMap<&str, usize> = (0..)
        .zip(documents)
        .map(|(i, d)| (d.path.as_str(), i))
        .collect();
    let mut n_linking = vec![0; documents.len()];
    for (from, document) in documents.iter().enumerate() {
        for link in document.links.unpacked() {
            let target = find_target(&link.path, |path| by_path.contains_key(path));
            match target.and_then(|path| by_path.get(path.as_str())) {
                Some(&to) if to != from => n_linking[to] += 1,
                _ => {}
            }
        }
    }
    n_linking
}

/// The file that a link means, among those that exist.
///
/// Sites link to what a page will be called (`guide/`, `guide`, `guide.html`), sources to what it is (`guide.md`), so
/// the other spellings are tried after the path itself.
pub fn find_target(path: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    if exists(path) {
        return Some(path.to_owned());
    }
    let folder = path
        .strip_suffix("/index.html")
        .or_else(|| path.strip_suffix("/index.md"));
    let stem = folder
        .or_else(|| path.strip_suffix(".html"))
        .or_else(|| path.strip_suffix(".htm"));
    let stem = stem.or_else(|| path.strip_suffix(".md")).unwrap_or(path);
    let stem = if matches!(path, "index.html" | "index.md") {
        ""
    } else {
        stem
    };
    let mut candidates: Vec<String> = Vec::new();
    if !stem.is_empty() && folder.is_none() {
        candidates.extend(
            [".md", ".html", ".markdown", ".mdx", ".htm"].map(|end| format!("{stem}{end}")),
        );
    }
    let prefix = if stem.is_empty() {
        String::new()
    } else {
        format!("{stem}/")
    };
    candidates.extend(
        [
            "index.html",
            "index.md",
            "README.md",
            "readme.md",
            "_index.md",
        ]
        .map(|n| format!("{prefix}{n}")),
    );
    if folder.is_some() {
        candidates.extend([".md", ".html"].map(|end| format!("{stem}{end}")));
    }
    candidates.into_iter().find(|candidate| exists(candidate))
}

/// True for the path of an HTML file, by its extension.
pub(crate) fn is_html(path: &str) -> bool {
    matches!(extension(path).as_str(), "html" | "htm" | "xhtml")
}

/// The lower-case extension of a path, without the dot; empty when there is none.
pub(crate) fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// True for an address that begins with a scheme (`https:`, `mailto:`).
pub(crate) fn has_scheme(address: &str) -> bool {
    let Some((scheme, _)) = address.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Undoes percent-encoding; `None` when what it encodes is no text.
pub(crate) fn percent_decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |i: usize| bytes.get(i).and_then(|&b| char::from(b).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_resolve_against_the_document() {
        let from = "guide/start/a.md";
        let cases = [
            ("b.md", Some("guide/start/b.md")),
            ("./b.md#part?x", Some("guide/start/b.md")),
            ("../c.md?x=1", Some("guide/c.md")),
            ("/d/e.html", Some("d/e.html")),
            ("../", Some("guide/index.md")),
            ("sub/", Some("guide/start/sub/index.md")),
            ("..", Some("guide/index.md")),
            ("/", Some("index.md")),
            ("my%20page.md", Some("guide/start/my page.md")),
            ("%E4%B8%AD.md", Some("guide/start/中.md")),
            ("e\u{301}.md", Some("guide/start/é.md")),
            ("100%.md", Some("guide/start/100%.md")),
            ("%ff.md", None),
            ("../../../out.md", None),
            ("#here", None),
            ("a.md#here", None),
            ("https://example.org/", None),
            ("//example.org/x", None),
            ("mailto:a@example.org", None),
            ("", None),
        ];
        for (href, want) in cases {
            assert_eq!(resolve(at(from), href).as_deref(), want, "{href}");
        }
        assert_eq!(
            resolve(at("a/b.html"), "c/").as_deref(),
            Some("a/c/index.html")
        );
    }

    fn at(path: &str) -> Origin<'_> {
        Origin { path, host: "" }
    }

    #[test]
    fn addresses_on_the_own_host_are_links_from_the_root() {
        let origin = Origin::new("guide/a.html", "https://Docs.example.org/guide/a.html");
        for (href, want) in [
            (
                "https://docs.example.org/guide/b/",
                Some("guide/b/index.html"),
            ),
            ("//docs.example.org/c.html#part", Some("c.html")),
            ("http://docs.example.org", Some("index.html")),
            ("https://docs.example.org/?page=2", Some("index.html")),
            ("https://docs.example.org/guide/a.html#top", None),
            ("https://docs.example.org:8080/b.html", None),
            ("https://docs.example.org.evil.test/b.html", None),
            ("https://example.org/b.html", None),
            ("ftp://docs.example.org/b.html", None),
        ] {
            assert_eq!(resolve(origin, href).as_deref(), want, "{href}");
        }
        let nowhere = Origin::new("a.html", "/a.html");
        for href in ["https:///b.html", "///b.html", "https://example.org/b.html"] {
            assert_eq!(resolve(nowhere, href), None, "{href}");
        }
    }

    #[test]
    fn a_link_finds_the_file_under_its_other_names() {
        let files = ["guide/install.md", "api/README.md", "index.html", "a.html"];
        let find = |path: &str| find_target(path, |p| files.contains(&p));
        assert_eq!(find("guide/install").as_deref(), Some("guide/install.md"));
        assert_eq!(
            find("guide/install.html").as_deref(),
            Some("guide/install.md")
        );
        assert_eq!(
            find("guide/install/index.md").as_deref(),
            Some("guide/install.md")
        );
        assert_eq!(find("api/index.md").as_deref(), Some("api/README.md"));
        assert_eq!(find("api").as_deref(), Some("api/README.md"));
        assert_eq!(find("index.md").as_deref(), Some("index.html"));
        assert_eq!(find("a.md").as_deref(), Some("a.html"));
        assert_eq!(find("b.md"), None);
    }
}
