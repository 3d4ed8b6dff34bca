//! A file as a response: its bytes or a range of them, and its content type.

use super::http::{Body, Request, Response};
use std::fs::File;
use std::path::Path;

/// The response for what is not there.
pub fn not_found() -> Response {
    Response::text(404, "not found")
}

/// The file at `path`, or the range of it that is asked for.
pub fn send(request: &Request, path: &Path) -> Response {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let Ok((metadata, file)) = opened else {
        return not_found();
    };
    let length = metadata.len();
    let range = request.range.as_deref();
    let (status, start, end) = match range.map_or(Range::Whole, |value| parse_range(value, length))
    {
        Range::Whole => (200, 0, length),
        Range::Part(start, end) => (206, start, end),
        Range::Unsatisfiable => {
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
            ("Content-Type", content_type(path).into()),
            ("Accept-Ranges", "bytes".into()),
            ("Cache-Control", "no-cache".into()), // A preview shows what is on disk now.
        ],
        body: Body::File(file, start, end),
    };
    match status {
        206 => response.with(
            "Content-Range",
            format!("bytes {start}-{}/{length}", end - 1),
        ),
        _ => response,
    }
}

/// The bytes that a `Range` header asks for: `start..end`, half-open.
#[derive(Debug, PartialEq)]
enum Range {
    Whole,
    Part(u64, u64),
    Unsatisfiable,
}

/// Reads a `Range` header. Several ranges, other units and malformed ones mean the whole file, as RFC 9110 §14.2 allows.
fn parse_range(value: &str, length: u64) -> Range {
    let Some((first, last)) = value
        .trim()
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'))
    else {
        return Range::Whole;
    };
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if first > last => Range::Whole,
        (Ok(first), _) if first >= length => Range::Unsatisfiable,
        (Ok(first), Ok(last)) => Range::Part(first, last.saturating_add(1).min(length)),
        (Ok(first), Err(_)) if last.trim().is_empty() => Range::Part(first, length),
        (Err(_), Ok(0)) if first.trim().is_empty() => Range::Unsatisfiable,
        (Err(_), Ok(_)) if first.trim().is_empty() && length == 0 => Range::Unsatisfiable,
        (Err(_), Ok(suffix)) if first.trim().is_empty() => {
            Range::Part(length.saturating_sub(suffix), length)
        }
        _ => Range::Whole,
    }
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
        assert_eq!(parse_range("bytes=0-9", 100), Range::Part(0, 10));
        assert_eq!(parse_range("bytes=90-200", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=90-", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=-10", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=-500", 100), Range::Part(0, 100));
        assert_eq!(parse_range("bytes=100-", 100), Range::Unsatisfiable);
        assert_eq!(parse_range("bytes=-0", 100), Range::Unsatisfiable);
        assert_eq!(parse_range("bytes=-5", 0), Range::Unsatisfiable);
        for whole in [
            "bytes=9-1",
            "bytes=0-1,5-6",
            "lines=1-2",
            "bytes=a-b",
            "bytes=-",
            "x",
        ] {
            assert_eq!(parse_range(whole, 100), Range::Whole, "{whole}");
        }
    }

    #[test]
    fn browsers_compile_modules_while_they_download() {
        assert_eq!(content_type(Path::new("x.wasm")), "application/wasm");
    }
}
