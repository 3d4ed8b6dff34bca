//! The source of a page as its author meant it, where HTML's own rules would show none of its text.

use std::borrow::Cow;

use crate::indexer::depth::{is_raw_text, raw_text_end, tag_end};
use crate::indexer::document::Document;
use crate::indexer::skip::SkipReason;

const DECLARED_WITHIN: usize = 1024; // Bytes: a page says at its start that it is XHTML.
const MUCH_MORE: usize = 10; // Times the text of a page that its template is longer when the page is the template.
const A_PAGE: usize = 400; // Bytes of text that a template has at least when it is a page, and not a row of search results.

/// Elements of XHTML that close themselves, with end tags. HTML knows no `<iframe/>`: without an end tag the rest of the
/// page would be what is in the frame.
pub(super) fn with_ends(html: &str) -> Cow<'_, str> {
    if !is_xhtml(html) {
        return Cow::Borrowed(html);
    }
    let mut out = String::new();
    let mut kept = 0;
    for tag in RawTags::of(html) {
        if let Some(open) = html[..tag.content].strip_suffix("/>") {
            out.push_str(&html[kept..open.len()]);
            out.push_str("></");
            out.push_str(tag.name);
            out.push('>');
            kept = tag.content;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[kept..]);
    Cow::Owned(out)
}

fn is_xhtml(html: &str) -> bool {
    let mut end = html.len().min(DECLARED_WITHIN);
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    let start = &html[..end];
    start.contains("//DTD XHTML") || start.contains("http://www.w3.org/1999/xhtml")
}

/// The page with its templates as content, where these are what the browser makes the page of: it has no text besides
/// them, or little (Apache Kafka's documentation is Handlebars in `<script>` elements).
pub(super) fn from_templates(html: &str, read: &Result<Document, SkipReason>) -> Option<String> {
    let n_read = n_read(read)?;
    if !html.contains("text/x-") && !html.contains("text/template") {
        return None; // Nearly every page.
    }
    let mut out = String::new();
    let (mut kept, mut n_template) = (0, 0);
    for tag in RawTags::of(html) {
        if tag.name.eq_ignore_ascii_case("script") && is_template(&html[tag.start..tag.content]) {
            let template = &html[tag.content..tag.end];
            n_template += template.len();
            out.push_str(&html[kept..tag.start]);
            out.push_str("<div>");
            push_without_expressions(&mut out, template);
            out.push_str("</div>");
            kept = html[tag.end..]
                .find('>')
                .map_or(html.len(), |at| tag.end + at + 1);
        }
    }
    if n_template <= n_read * MUCH_MORE {
        return None;
    }
    out.push_str(&html[kept..]);
    Some(out)
}

/// Bytes of text that were read of a page; `None` for one that has a reason to be left out.
fn n_read(read: &Result<Document, SkipReason>) -> Option<usize> {
    match read {
        Ok(document) => Some(document.text_bytes()),
        Err(SkipReason::Empty) => Some(0),
        Err(_) => None,
    }
}

/// True if what was read of the templates is a page, beside what was read without them.
pub(super) fn is_page(made: &Document, read: &Result<Document, SkipReason>) -> bool {
    let n_read = n_read(read).unwrap_or_default();
    made.text_bytes() >= A_PAGE.max(n_read * MUCH_MORE)
}

/// True for the start tag of a script that is HTML with places to fill in.
fn is_template(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let named = [
        "text/x-handlebars",
        "text/x-mustache",
        "text/x-template",
        "text/template",
    ];
    named.iter().any(|name| tag.contains(name))
}

/// A template without `{{expressions}}`: their values are made in the browser.
fn push_without_expressions(out: &mut String, template: &str) {
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((_, after)) = behind.split_once("}}") else {
            rest = behind;
            break;
        };
        rest = after.strip_prefix('}').unwrap_or(after);
    }
    out.push_str(rest);
}

/// A start tag whose element holds no markup, and where the element's content lies.
struct RawTag<'h> {
    name: &'h str,
    start: usize,
    content: usize,
    end: usize,
}

/// The elements without markup in them, in order.
struct RawTags<'h> {
    html: &'h str,
    at: usize,
}

impl<'h> RawTags<'h> {
    const fn of(html: &'h str) -> Self {
        Self { html, at: 0 }
    }
}

impl<'h> Iterator for RawTags<'h> {
    type Item = RawTag<'h>;

    fn next(&mut self) -> Option<RawTag<'h>> {
        let html = self.html;
        while let Some(found) = html[self.at..].find('<') {
            let start = self.at + found;
            let rest = &html[start + 1..];
            if rest.starts_with("!--") {
                self.at = start + rest.find("-->").map_or(rest.len() + 1, |end| end + 4);
                continue;
            }
            let is_end = |c: char| !c.is_ascii_alphanumeric();
            let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            self.at = start + 1 + name.len();
            if !is_raw_text(name.to_ascii_lowercase().as_bytes()) {
                continue;
            }
            let (content, _) = tag_end(html.as_bytes(), self.at);
            let end = if html[..content].ends_with("/>") {
                content
            } else {
                raw_text_end(html, content, name.as_bytes())
            };
            self.at = end;
            return Some(RawTag {
                name,
                start,
                content,
                end,
            });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::indexer::options::InputOptions;

    fn text_of(html: &str) -> String {
        let read = parse("a.html", html, &InputOptions::default());
        let sections = read.map(|document| document.sections).unwrap_or_default();
        let parts: Vec<String> = sections
            .into_iter()
            .map(|s| format!("[{}] {}", s.heading, s.text))
            .collect();
        parts.join(" ")
    }

    #[test]
    fn frames_of_xhtml_that_close_themselves_hold_nothing() {
        let body = "<body><iframe src='https://x/'/><script src='a.js'/><!-- <iframe --><h1>Montage</h1>\
                    <p>Tiles the images.</p><script>s = '<iframe/>'</script><p>Last.</p></body></html>";
        let doctype = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"xhtml11.dtd\">";
        let read = text_of(&format!("{doctype}<html>{body}"));
        assert!(
            read.contains("Tiles the images.") && read.ends_with("Last."),
            "{read}"
        );
        assert_eq!(text_of(&format!("<!DOCTYPE html><html>{body}")), "");
    }

    #[test]
    fn a_page_that_the_browser_makes_of_its_template_has_the_templates_text() {
        let template = |text: &str| {
            format!(
                "<script id='design' type='text/x-handlebars-template'><h3><a id='compaction'></a>4.8 Log Compaction</h3>\
                 <p>Keeps the last value of {{{{fullVersion}}}} each key. {text}</p></script><div class='p-design'></div>"
            )
        };
        let long = template(&"It is cleaned in the background. ".repeat(12));
        assert_eq!(text_of(&template("A row of results.")), "");
        let read = text_of(&long);
        assert!(
            read.contains("Log Compaction] Keeps the last value of each key."),
            "{read}"
        );
        let other = format!(
            "<h1>Store</h1><p>{}</p>{long}",
            "Goods of all kinds. ".repeat(20)
        );
        assert!(!text_of(&other).contains("Compaction"));
    }
}
