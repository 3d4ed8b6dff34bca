//! From bytes to text: byte order mark, the page's own declaration, UTF-8, and windows-1252 as the last resort.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

const DECLARATION_BYTES: usize = 4096; // The standard looks at 1,024; pages with long comments declare later.
const SNIFF_BYTES: usize = 8192; // Binary formats show control bytes well before this.

/// The text of a file, or `None` when the bytes are not text. `is_html` lets the page declare its encoding.
pub fn decode(bytes: &[u8], is_html: bool) -> Option<Cow<'_, str>> {
    if let Some((encoding, bom_len)) = Encoding::for_bom(bytes) {
        return Some(encoding.decode_without_bom_handling(&bytes[bom_len..]).0);
    }
    if looks_binary(bytes) {
        return None;
    }
    if is_html && let Some(encoding) = declared(bytes) {
        return Some(encoding.decode_without_bom_handling(bytes).0);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => Some(WINDOWS_1252.decode_without_bom_handling(bytes).0),
    }
}

fn looks_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF_BYTES)];
    let n_control = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
        .count();
    head.contains(&0) || n_control * 20 > head.len()
}

/// The encoding after `charset=` or `encoding=` in a tag near the top. A page that can be read declares no UTF-16.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(DECLARATION_BYTES)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    for tag in head.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or(tag);
        let key = if tag.starts_with("meta") {
            "charset"
        } else if tag.starts_with("?xml") {
            "encoding"
        } else {
            continue;
        };
        let Some((_, rest)) = tag.split_once(key) else {
            continue;
        };
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start_matches(['"', '\'', ' ']);
        let label = value
            .split(['"', '\'', ' ', ';', '/', '?'])
            .next()
            .unwrap_or(value);
        if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
            return Some(if encoding == UTF_16LE || encoding == UTF_16BE {
                UTF_8
            } else {
                encoding
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_found_in_order() {
        assert_eq!(decode("\u{FEFF}é".as_bytes(), false).as_deref(), Some("é"));
        assert_eq!(
            decode(&[0xFF, 0xFE, 0x2D, 0x4E], false).as_deref(),
            Some("中")
        );
        assert_eq!(decode(b"caf\xE9", false).as_deref(), Some("café"));
        assert_eq!(decode("café".as_bytes(), false).as_deref(), Some("café"));
        assert_eq!(
            decode(b"<meta charset='gbk'>\xD6\xD0", true).as_deref(),
            Some("<meta charset='gbk'>中")
        );
        let http =
            b"<meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">\x93\xFA";
        assert!(decode(http, true).expect("text").ends_with('日'));
        let xml = b"<?xml version=\"1.0\" encoding=\"iso-8859-2\"?>\xB1";
        assert!(decode(xml, true).expect("text").ends_with('ą'));
        assert_eq!(
            decode("<meta charset=utf-16>é".as_bytes(), true).as_deref(),
            Some("<meta charset=utf-16>é")
        );
        assert_eq!(
            decode("<meta charset=nonsense>é".as_bytes(), true).as_deref(),
            Some("<meta charset=nonsense>é")
        );
    }

    #[test]
    fn binary_is_refused() {
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0\0", false), None);
        assert_eq!(decode(&[1, 2, 3, 4, 5, 6], false), None);
        assert_eq!(decode(b"", false).as_deref(), Some(""));
    }
}
