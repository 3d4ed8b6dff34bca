//! Bounds the nesting of HTML before it is parsed.
//!
//! Building the tree of `n` nested elements costs O(n²): each start tag looks through all open ones. Browsers stop
//! nesting at 512; so does this, by leaving out the tags of containers below that. Their text stays.

use std::borrow::Cow;

const MAX_DEPTH: u32 = 512; // Chromium's limit.
const HARD_DEPTH: u32 = 4 * MAX_DEPTH; // Below this, elements that carry meaning are left out as well.
const N_SLOTS: usize = 256; // Names are counted by hash; two that share a slot only blur the count.

/// `html`, without the tags that nest too deep. Borrowed when none does. O(bytes).
pub(crate) fn limit_depth(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut open = [0u32; N_SLOTS];
    let mut dropped = [0u32; N_SLOTS];
    let mut depth = 0;
    let mut out = String::new();
    let mut kept_until = 0;
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        let is_end = bytes.get(start + 1) == Some(&b'/');
        let name_start = start + 1 + usize::from(is_end);
        if !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
            at = skip_other(html, start);
            continue;
        }
        let name_len = bytes[name_start..]
            .iter()
            .take_while(|b| !b.is_ascii_whitespace() && !b"/>".contains(b))
            .count();
        let mut buffer = [0u8; 16];
        let name = lower(&bytes[name_start..name_start + name_len], &mut buffer);
        let end = tag_end(bytes, name_start + name_len);
        at = end;
        if is_end {
            let slot = slot(name);
            if dropped[slot] > 0 {
                dropped[slot] -= 1;
                out.push_str(&html[kept_until..start]);
                kept_until = end;
            } else if open[slot] > 0 {
                open[slot] -= 1;
                depth -= 1;
            }
            continue;
        }
        if matches!(
            name,
            b"script"
                | b"style"
                | b"textarea"
                | b"title"
                | b"xmp"
                | b"noembed"
                | b"noframes"
                | b"iframe"
        ) {
            at = raw_text_end(html, end, name);
            continue;
        }
        if is_flat(name)
            || (bytes[end.saturating_sub(2)] == b'/'
                && open[slot(b"svg")] + open[slot(b"math")] > 0)
        {
            continue;
        }
        let limit = if is_meaningful(name) {
            HARD_DEPTH
        } else {
            MAX_DEPTH
        };
        if depth < limit {
            depth += 1;
            open[slot(name)] += 1;
        } else {
            dropped[slot(name)] += 1;
            out.push_str(&html[kept_until..start]);
            kept_until = end;
        }
    }
    if kept_until == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[kept_until..]);
    Cow::Owned(out)
}

/// Elements that hold nothing, or end by themselves when the next begins: they never pile up.
fn is_flat(name: &[u8]) -> bool {
    const FLAT: [&[u8]; 37] = [
        b"html",
        b"head",
        b"body",
        b"p",
        b"li",
        b"dt",
        b"dd",
        b"td",
        b"th",
        b"tr",
        b"tbody",
        b"thead",
        b"tfoot",
        b"caption",
        b"colgroup",
        b"option",
        b"optgroup",
        b"rp",
        b"rt",
        b"area",
        b"base",
        b"br",
        b"col",
        b"embed",
        b"hr",
        b"img",
        b"input",
        b"link",
        b"meta",
        b"param",
        b"source",
        b"track",
        b"wbr",
        b"path",
        b"frame",
        b"image",
        b"keygen",
    ];
    FLAT.contains(&name)
}

/// Elements whose loss would change what is read, and not only how it is grouped.
fn is_meaningful(name: &[u8]) -> bool {
    const MEANINGFUL: [&[u8]; 20] = [
        b"main",
        b"article",
        b"nav",
        b"header",
        b"footer",
        b"aside",
        b"h1",
        b"h2",
        b"h3",
        b"h4",
        b"h5",
        b"h6",
        b"pre",
        b"table",
        b"template",
        b"noscript",
        b"svg",
        b"math",
        b"button",
        b"select",
    ];
    MEANINGFUL.contains(&name)
}

fn lower<'a>(name: &[u8], buffer: &'a mut [u8; 16]) -> &'a [u8] {
    let len = name.len().min(buffer.len());
    buffer[..len].copy_from_slice(&name[..len]);
    buffer[..len].make_ascii_lowercase();
    &buffer[..len]
}

fn slot(name: &[u8]) -> usize {
    name.iter().fold(7usize, |hash, &b| {
        hash.wrapping_mul(31).wrapping_add(usize::from(b))
    }) % N_SLOTS
}

/// The end of a comment, declaration or lone `<` that starts at `start`.
fn skip_other(html: &str, start: usize) -> usize {
    let rest = &html[start..];
    let len = if let Some(comment) = rest.strip_prefix("<!--") {
        comment.find("-->").map(|end| end + 7)
    } else if rest.starts_with("<!") || rest.starts_with("<?") {
        rest.find('>').map(|end| end + 1)
    } else {
        Some(1)
    };
    len.map_or(html.len(), |len| start + len)
}

/// The place behind the `>` of a tag. Quoted attribute values may hold a `>`.
fn tag_end(bytes: &[u8], mut at: usize) -> usize {
    let mut quote = 0;
    let mut after_equals = false;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if quote != 0 {
            if byte == quote {
                quote = 0;
            }
        } else if byte == b'>' {
            return at;
        } else if after_equals && (byte == b'"' || byte == b'\'') {
            quote = byte;
        }
        if !byte.is_ascii_whitespace() {
            after_equals = byte == b'=';
        }
    }
    at
}

/// The place of the end tag of an element whose content is no markup.
fn raw_text_end(html: &str, from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(found) = html[at..].find("</") {
        let start = at + found;
        let rest = &html.as_bytes()[start + 2..];
        if rest.len() >= name.len() && rest[..name.len()].eq_ignore_ascii_case(name) {
            return start;
        }
        at = start + 2;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_pages_are_borrowed() {
        let page = "<div><p>a<p>b<br/><img src='a>b'><script>if (a</b) {'<div><div>'}</script><!-- <div> --></div>".repeat(2000);
        assert!(matches!(limit_depth(&page), Cow::Borrowed(_)));
        assert!(matches!(limit_depth("< <1 <!-- <? </ <"), Cow::Borrowed(_)));
        assert!(matches!(limit_depth(""), Cow::Borrowed(_)));
        assert!(matches!(limit_depth("<div class='"), Cow::Borrowed(_)));
    }

    #[test]
    fn tags_below_the_limit_go_and_text_stays() {
        let page = format!(
            "{}deep{}<p>after</p>",
            "<div>".repeat(10_000),
            "</div>".repeat(10_000)
        );
        let limited = limit_depth(&page);
        assert_eq!(limited.matches("<div>").count(), MAX_DEPTH as usize);
        assert_eq!(limited.matches("</div>").count(), MAX_DEPTH as usize);
        assert!(limited.contains("deep") && limited.ends_with("<p>after</p>"));
    }

    #[test]
    fn stray_end_tags_do_not_hide_the_depth() {
        let page = "<div></b>".repeat(10_000);
        assert_eq!(
            limit_depth(&page).matches("<div>").count(),
            MAX_DEPTH as usize
        );
        let page = "<DIV/></b>".repeat(10_000);
        assert_eq!(
            limit_depth(&page).matches("<DIV/>").count(),
            MAX_DEPTH as usize
        );
    }
}
