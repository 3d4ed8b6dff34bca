//! A file as a response: its bytes or a range of them, and its content type.

use super::http::{Body, Request, Response};
use std::fs::File;
use std::path::Path;

/// The response for what is not there.
pub fn not_found() -> Response {
    Response::text(404, "not found")
}

/// Ranges of one request; more than these, as attackers ask for, mean the whole file.
const MAX_RANGES: usize = 200;

/// The line between the parts of a response of several.
const BOUNDARY: &str = "knarr-6b3f0c1e9a";

/// The file at `path`, or the ranges of it that are asked for.
pub fn send(request: &Request, path: &Path) -> Response {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let Ok((metadata, file)) = opened else {
        return not_found();
    };
    let length = metadata.len();
    let range = request.range.as_deref();
    let ranges = range.map_or(Ranges::Whole, |value| parse_ranges(value, length));
    let kind = content_type(path);
    let (status, kind, body) = match &ranges {
        Ranges::Whole => (200, kind.to_owned(), Body::File(file, 0, length)),
        Ranges::Parts(parts) => match parts[..] {
            [(start, end)] => (206, kind.to_owned(), Body::File(file, start, end)),
            _ => (
                206,
                format!("multipart/byteranges; boundary={BOUNDARY}"),
                several(file, parts, kind, length),
            ),
        },
        Ranges::Unsatisfiable => {
            return Response {
                status: 416,
                ..Response::default()
            }
            .with("Content-Range", format!("bytes */{length}"));
        }
    };
    let response = Response {
        status,
        headers: vec![
            ("Content-Type", kind),
            ("Accept-Ranges", "bytes".into()),
            ("Cache-Control", "no-cache".into()), // A preview shows what is on disk now.
        ],
        body,
    };
    match ranges {
        Ranges::Parts(parts) if parts.len() == 1 => {
            response.with("Content-Range", content_range(parts[0], length))
        }
        _ => response,
    }
}

fn content_range((start, end): (u64, u64), length: u64) -> String {
    format!("bytes {start}-{}/{length}", end - 1)
}

/// Several ranges in one body (RFC 9110 §14.6), each with a head of its own.
fn several(file: File, parts: &[(u64, u64)], kind: &str, length: u64) -> Body {
    let head = |&part: &(u64, u64)| {
        let range = content_range(part, length);
        let head =
            format!("\r\n--{BOUNDARY}\r\nContent-Type: {kind}\r\nContent-Range: {range}\r\n\r\n");
        (head, part.0, part.1)
    };
    let parts = parts.iter().map(head).collect();
    Body::Parts(file, parts, format!("\r\n--{BOUNDARY}--\r\n"))
}

/// The bytes that a `Range` header asks for: each `start..end`, half-open.
#[derive(Debug, PartialEq)]
enum Ranges {
    Whole,
    Parts(Vec<(u64, u64)>),
    Unsatisfiable,
}

/// Reads a `Range` header. Other units, malformed ones, and more bytes than the file has mean the whole file, as RFC 9110
/// §14.2 allows.
fn parse_ranges(value: &str, length: u64) -> Ranges {
    let Some(list) = value.trim().strip_prefix("bytes=") else {
        return Ranges::Whole;
    };
    let Some(all) = list
        .split(',')
        .map(|range| parse_range(range, length))
        .collect::<Option<Vec<_>>>()
    else {
        return Ranges::Whole;
    };
    let parts: Vec<(u64, u64)> = all.into_iter().flatten().collect();
    let bytes: u64 = parts.iter().map(|(start, end)| end - start).sum();
    match parts.len() {
        0 => Ranges::Unsatisfiable,
        n if n > MAX_RANGES || bytes > length => Ranges::Whole,
        _ => Ranges::Parts(parts),
    }
}

/// One range: `None` where it is malformed, `Some(None)` where the file has none of it.
fn parse_range(range: &str, length: u64) -> Option<Option<(u64, u64)>> {
    let (first, last) = range.split_once('-')?;
    let (first, last) = (first.trim(), last.trim());
    let (start, end) = match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first > last => return None,
        (Ok(first), Ok(last)) => (first, last.saturating_add(1).min(length)),
        (Ok(first), Err(_)) if last.is_empty() => (first, length),
        (Err(_), Ok(suffix)) if first.is_empty() => (length.saturating_sub(suffix), length),
        _ => return None,
    };
    Some((start < end).then_some((start, end)))
}

/// The content type by extension. `application/wasm` lets browsers compile while they download.
fn content_type(path: &Path) -> &'static str {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "pdf" => "application/pdf",
        "xml" => "application/xml",
        "txt" | "md" | "ts" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges() {
        let part = |start, end| Ranges::Parts(vec![(start, end)]);
        assert_eq!(parse_ranges("bytes=0-9", 100), part(0, 10));
        assert_eq!(parse_ranges("bytes=90-200", 100), part(90, 100));
        assert_eq!(parse_ranges("bytes=90-", 100), part(90, 100));
        assert_eq!(parse_ranges("bytes=-10", 100), part(90, 100));
        assert_eq!(parse_ranges("bytes=-500", 100), part(0, 100));
        assert_eq!(parse_ranges("bytes=100-", 100), Ranges::Unsatisfiable);
        assert_eq!(parse_ranges("bytes=-0", 100), Ranges::Unsatisfiable);
        assert_eq!(parse_ranges("bytes=-5", 0), Ranges::Unsatisfiable);
        let several = Ranges::Parts(vec![(0, 2), (95, 100)]);
        assert_eq!(parse_ranges("bytes=0-1, 95-", 100), several);
        assert_eq!(parse_ranges("bytes=0-1,95-,200-", 100), several);
        assert_eq!(parse_ranges("bytes=200-,-0", 100), Ranges::Unsatisfiable);
        let many = format!("bytes={}0-0", "0-0,".repeat(MAX_RANGES));
        for whole in [
            "bytes=9-1",
            "bytes=0-1,9-1",
            "bytes=0-900,5-900",
            "lines=1-2",
            "bytes=a-b",
            "bytes=-",
            "bytes=0-1,",
            "x",
            &many,
        ] {
            assert_eq!(parse_ranges(whole, 1000), Ranges::Whole, "{whole}");
        }
    }

    #[test]
    fn browsers_compile_modules_while_they_download() {
        assert_eq!(content_type(Path::new("x.wasm")), "application/wasm");
    }
}
