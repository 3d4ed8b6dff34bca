//! Bounds the nesting of HTML and the attributes of a tag before it is parsed.
//!
//! Building the tree of `n` nested elements costs O(n²): each start tag looks through all open ones. Browsers stop
//! nesting at 512; so does this, by leaving out the tags of containers below that. Their text stays. A tag with `n`
//! attributes costs O(n²) too: each is compared with those before it. What this reads otherwise than the parser does,
//! the count of steps stops (`tree.rs`).

use std::borrow::Cow;

const MAX_DEPTH: u32 = 512; // Chromium's limit.
const HARD_DEPTH: u32 = 4 * MAX_DEPTH; // Below this, elements that carry meaning are left out as well.
const MAX_ATTRIBUTES: u32 = 400; // Nokogiri's limit; those beyond it are left out.
const N_SLOTS: usize = 1024; // Names are counted by hash; two that share a slot only blur the count.

/// The elements open at a place of the page, as far as they are known without a tree.
struct Open {
    open: [u32; N_SLOTS],
    dropped: [u32; N_SLOTS],
    depth: u32,
}

impl Open {
    /// Opens an element, or says that it would nest too deep.
    fn start(&mut self, name: &[u8]) -> bool {
        let limit = if is_meaningful(name) {
            HARD_DEPTH
        } else {
            MAX_DEPTH
        };
        let fits = self.depth < limit;
        if fits {
            self.depth += 1;
            self.open[slot(name)] += 1;
        } else {
            self.dropped[slot(name)] += 1;
        }
        fits
    }

    /// Closes an element; false when it is one whose start was left out.
    fn end(&mut self, name: &[u8]) -> bool {
        let slot_of = slot(name);
        if self.dropped[slot_of] > 0 {
            self.dropped[slot_of] -= 1;
            return false;
        }
        if self.open[slot_of] > 0 {
            self.open[slot_of] -= 1;
            self.depth -= 1;
            for inner in ended_with(name) {
                self.depth -= std::mem::take(&mut self.open[slot(inner)]);
                self.dropped[slot(inner)] = 0;
            }
        }
        true
    }
}

/// Elements that end with the one around them, where authors rarely end them.
fn ended_with(name: &[u8]) -> &'static [&'static [u8]] {
    match name {
        b"ruby" => &[b"rt", b"rp"],
        b"select" => &[b"option", b"optgroup"],
        b"datalist" | b"optgroup" => &[b"option"],
        _ => &[],
    }
}

/// `html`, without the tags that nest too deep and the attributes that are too many. Borrowed when there are none.
/// O(bytes).
pub(crate) fn limit_depth(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut state = Open {
        open: [0; N_SLOTS],
        dropped: [0; N_SLOTS],
        depth: 0,
    };
    let mut after_option = false;
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
        let (end, cut) = tag_end(bytes, name_start + name_len);
        at = end;
        let follows_option = std::mem::replace(&mut after_option, !is_end && name == b"option");
        let is_kept = if is_end {
            state.end(name)
        } else if is_raw_text(name) {
            at = raw_text_end(html, end, name);
            true
        } else {
            let closes_itself = bytes[end.saturating_sub(2)] == b'/'
                && state.open[slot(b"svg")] + state.open[slot(b"math")] > 0;
            let is_next_option = follows_option && name == b"option";
            is_flat(name) || closes_itself || is_next_option || state.start(name)
        };
        if !is_kept {
            out.push_str(&html[kept_until..start]);
            kept_until = end;
        } else if let Some(cut) = cut {
            out.push_str(&html[kept_until..cut]);
            kept_until = end - 1; // Its `>` stays.
        }
    }
    if kept_until == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[kept_until..]);
    Cow::Owned(out)
}

/// Elements whose content is no markup.
pub(super) fn is_raw_text(name: &[u8]) -> bool {
    matches!(
        name,
        b"script"
            | b"style"
            | b"textarea"
            | b"title"
            | b"xmp"
            | b"noembed"
            | b"noframes"
            | b"noscript"
            | b"iframe"
    )
}

/// Elements that hold nothing, or end by themselves when the next begins, wherever they stand: they do not pile up.
fn is_flat(name: &[u8]) -> bool {
    const FLAT: [&[u8]; 33] = [
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
    const MEANINGFUL: [&[u8]; 19] = [
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
        comment_len(comment).map(|len| len + 4)
    } else if ["<!", "<?", "</"].iter().any(|sign| rest.starts_with(sign)) {
        rest.find('>').map(|end| end + 1)
    } else {
        Some(1)
    };
    len.map_or(html.len(), |len| start + len)
}

/// The length of what follows `<!--`, with the end of the comment.
fn comment_len(comment: &str) -> Option<usize> {
    for empty in [">", "->"] {
        if comment.starts_with(empty) {
            return Some(empty.len());
        }
    }
    let mut at = 0;
    loop {
        let end = at + comment[at..].find("--")?;
        let rest = &comment[end + 2..];
        if rest.starts_with('>') {
            return Some(end + 3);
        }
        if rest.starts_with("!>") {
            return Some(end + 4);
        }
        at = end + 1;
    }
}

/// The place behind the `>` of a tag whose name ends at `at`, and where its attributes are more than are read. Quoted
/// values may hold a `>`.
pub(super) fn tag_end(bytes: &[u8], mut at: usize) -> (usize, Option<usize>) {
    let mut quote = 0;
    let mut after_equals = false;
    let mut is_bare_value = false;
    let mut is_between = false;
    let mut n_attributes = 0;
    let mut cut = None;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if quote != 0 {
            if byte == quote {
                quote = 0;
                is_between = true;
            }
            continue;
        }
        if byte == b'>' {
            return (at, cut);
        }
        if byte.is_ascii_whitespace() || (byte == b'/' && !is_bare_value && !after_equals) {
            is_between = true;
            is_bare_value = false;
            after_equals &= byte != b'/';
            continue;
        }
        if after_equals {
            is_bare_value = !matches!(byte, b'"' | b'\'');
            quote = if is_bare_value { 0 } else { byte };
        } else if is_between {
            n_attributes += 1;
            if n_attributes > MAX_ATTRIBUTES && cut.is_none() {
                cut = Some(at - 1);
            }
        }
        is_between = false;
        after_equals = byte == b'=' && !after_equals && !is_bare_value;
    }
    // It does not end: the parser drops it whole, and nothing behind it is taken away by guess.
    (at, None)
}

/// The place of the end tag of an element whose content is no markup.
pub(super) fn raw_text_end(html: &str, from: usize, name: &[u8]) -> usize {
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

    #[test]
    fn elements_pile_up_only_where_the_parser_ends_them() {
        for name in ["rt", "rp", "optgroup", "option><b"] {
            let page = format!("<{name}>x").repeat(10_000);
            let tags = limit_depth(&page).matches('<').count();
            assert!(tags <= 2 * MAX_DEPTH as usize, "{name}: {tags}");
        }
        let page =
            "<ruby>a<rp>(<rt>b<rp>)</ruby><select><option>a<option>b<optgroup>c<option>d</select>"
                .repeat(10_000);
        assert!(matches!(limit_depth(&page), Cow::Borrowed(_)));
        let page = format!("<select>{}</select><div>", "<option>a ".repeat(10_000));
        assert!(matches!(limit_depth(&page), Cow::Borrowed(_)));
    }

    #[test]
    fn attributes_beyond_the_limit_go() {
        for attribute in [" a", " a=b", " a='b>c'", "/a", " a = \"b\"", " a='b'c=d"] {
            let page = format!("<p{}>text<b>more", attribute.repeat(10_000));
            let limited = limit_depth(&page);
            let n = limited.matches('a').count();
            assert!(
                (100..=MAX_ATTRIBUTES as usize).contains(&n),
                "{attribute}: {n}"
            );
            assert!(limited.ends_with(">text<b>more"), "{attribute}");
        }
        for page in [
            format!("<img src=data:{} alt=x>text", "a/".repeat(10_000)),
            format!("<p title='{}'>text", "a b ".repeat(10_000)),
            format!("<p>{} a<b text", "a=b ".repeat(10_000)),
        ] {
            assert!(
                matches!(limit_depth(&page), Cow::Borrowed(_)),
                "{}",
                &page[..20]
            );
        }
    }

    #[test]
    fn comments_end_where_the_parser_ends_them() {
        for comment in [
            "<!-->",
            "<!--->",
            "<!---->",
            "<!-- a --!>",
            "<!-- a --->",
            "</3 \">",
            "</>",
        ] {
            let page = format!("{comment}{}", "<div>".repeat(1_000));
            let n = limit_depth(&page).matches("<div>").count();
            assert_eq!(n, MAX_DEPTH as usize, "{comment}");
        }
    }
}
