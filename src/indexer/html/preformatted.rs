//! Pages that are one `<pre>` with anchors, as Vim's help is: its headings and the names that it defines are lines.
//!
//! ```html
//! <pre>*<a name="tide.txt"></a><b>tide.txt</b>*  For Sea version 9.
//!
//! ======================================
//! 1. Falling water                    *<a name="ebb"></a><b>ebb</b>*
//!
//!                                     *<a name="'ebblimit'"></a><b>'ebblimit'</b>* *<a name="'el'"></a><b>'el'</b>*
//! 'ebblimit' 'el'    number (default 3)
//! </pre>
//! ```

const MIN_ANCHORS: usize = 3; // Of a page: fewer are no sections.
const MOST: usize = 60; // Hundredths of a page that its one block is at least.
const MIN_RULE: usize = 10; // Signs of a line above a heading.
const MAX_TITLE: usize = 80; // Characters; a longer line is a sentence.
const MAX_NAMES: usize = 4; // Of one heading.

/// The page with elements for the headings and the names of its block; `None` for any other page.
pub(super) fn with_headings(html: &str) -> Option<String> {
    let n_blocks = html.matches("<pre").chain(html.matches("<PRE")).count();
    if n_blocks != 1 {
        return None; // Nearly every page.
    }
    let lower = html.to_ascii_lowercase();
    let open = lower.find("<pre")?;
    let start = open + lower[open..].find('>')? + 1;
    let end = start + lower[start..].find("</pre")?;
    let inside = &lower[start..end];
    let is_plain = !inside.contains("<h");
    let is_most = inside.len() * 100 >= html.len() * MOST;
    let is_marked = inside.matches("<a name=").count() >= MIN_ANCHORS;
    if !is_plain || !is_most || !is_marked {
        return None;
    }
    let lines: Vec<Line<'_>> = html[start..end].lines().map(Line::of).collect();
    let title = title_of(&lines);
    let mut out = String::with_capacity(html.len() * 2);
    match (title, heading_of_page(&lower[..start])) {
        (Some(at), Some((from, to))) => {
            out.push_str(&html[..from]);
            push_element(&mut out, "h1", "", &lines[at].title());
            out.push_str(&html[to..start]);
        }
        _ => out.push_str(&html[..start]),
    }
    let is_cut = push_lines(&mut out, &lines, title);
    out.push_str(&html[end..]);
    (is_cut || title.is_some()).then_some(out)
}

/// The place of the `<h1>` before the block.
fn heading_of_page(before: &str) -> Option<(usize, usize)> {
    const END: &str = "</h1>";
    let from = before.find("<h1")?;
    let to = from + before[from..].find(END)? + END.len();
    Some((from, to))
}

/// The line that says what the page is about: what stands behind the name of the file in the first line, or the first
/// that stands alone below it, above the first rule.
fn title_of(lines: &[Line<'_>]) -> Option<usize> {
    let first = lines.iter().position(|line| !line.is_blank())?;
    let is_file = |line: &Line<'_>| line.tags.first().is_some_and(|tag| tag.ends_with(".txt"));
    if !is_file(&lines[first]) {
        return None;
    }
    let names = |line: &Line<'_>| {
        let title = line.title();
        let is_short = (1..=MAX_TITLE).contains(&title.chars().count());
        is_short && !title.contains(" by ") && !title.contains('|') && !title.starts_with("For ")
    };
    if names(&lines[first]) {
        return Some(first);
    }
    let mut above = (first + 1..lines.len()).take_while(|at| !lines[*at].is_rule());
    above.find(|at| is_apart(lines, *at) && names(&lines[*at]))
}

/// True for a line between blank ones.
fn is_apart(lines: &[Line<'_>], at: usize) -> bool {
    let is_blank = |line: Option<&Line<'_>>| line.is_none_or(Line::is_blank);
    !lines[at].is_blank() && is_blank(lines.get(at.wrapping_sub(1))) && is_blank(lines.get(at + 1))
}

/// Writes the lines, and elements for those that are headings; true if there was one.
fn push_lines(out: &mut String, lines: &[Line<'_>], title: Option<usize>) -> bool {
    let mut is_cut = false;
    let mut rule = None;
    for (at, line) in lines.iter().enumerate() {
        let level = level_of(lines, at, rule);
        if line.is_rule() {
            rule = line.text.trim().chars().next();
            continue;
        }
        if !line.is_blank() {
            rule = None;
        }
        let Some(id) = line.names.first() else {
            out.push_str(line.html);
            out.push('\n');
            continue;
        };
        match level {
            _ if title == Some(at) => push_names(out, &line.tags),
            Some(level) => {
                out.push_str("</pre>");
                push_element(out, level, id, &line.title());
                push_names(out, &line.tags);
                out.push_str("<pre>");
            }
            None if line.tags.is_empty() || line.is_of_file() => {
                out.push_str(line.html);
                out.push('\n');
            }
            None => {
                let named = line.tags.len().min(MAX_NAMES);
                out.push_str("</pre>");
                push_element(out, "h5", id, &line.tags[..named].join(", "));
                out.push_str("<pre>");
                out.push_str(&line.title());
                out.push('\n');
            }
        }
        is_cut |= title != Some(at);
    }
    is_cut
}

/// The heading that the line at `at` is: behind a rule, with a number, in capitals, or alone with a name of its own.
fn level_of(lines: &[Line<'_>], at: usize, rule: Option<char>) -> Option<&'static str> {
    let line = &lines[at];
    let title = line.title();
    if line.is_of_file() || title.is_empty() || title.chars().count() > MAX_TITLE {
        return None;
    }
    match rule {
        Some('=') => return Some("h2"),
        Some(_) => return Some("h3"),
        None => {}
    }
    let first = title.split(' ').next().unwrap_or_default();
    let is_number = first.contains('.') && first.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_capital = !title.contains(char::is_lowercase) && title.contains(char::is_alphabetic);
    match is_number {
        true if first.trim_end_matches('.').contains('.') => Some("h3"),
        true => Some("h2"),
        false => (is_capital || is_apart(lines, at)).then_some("h4"),
    }
}

/// Writes names as a table's rows, which define them.
fn push_names(out: &mut String, names: &[String]) {
    out.push_str("<table>");
    for name in names {
        out.push_str("<tr><td><code>");
        out.push_str(name);
        out.push_str("</code></td></tr>");
    }
    out.push_str("</table>");
}

fn push_element(out: &mut String, name: &str, id: &str, text: &str) {
    let id = id.replace('"', "&quot;");
    let start = match id.is_empty() {
        true => format!("<{name}>"),
        false => format!("<{name} id=\"{id}\">"),
    };
    [start.as_str(), text, "</", name, ">"]
        .iter()
        .for_each(|part| out.push_str(part));
}

/// A line of the block.
struct Line<'h> {
    html: &'h str,
    /// Without elements; its entities stay.
    text: String,
    /// The names of its anchors.
    names: Vec<&'h str>,
    /// The names that it shows between stars, one for each anchor.
    tags: Vec<String>,
}

impl<'h> Line<'h> {
    fn of(html: &'h str) -> Self {
        let mut text = String::new();
        let mut names = Vec::new();
        let mut rest = html;
        while let Some((before, behind)) = rest.split_once('<') {
            text.push_str(before);
            let (tag, after) = behind.split_once('>').unwrap_or((behind, ""));
            names.extend(name_in(tag));
            rest = after;
        }
        text.push_str(rest);
        let tags = text.split_whitespace().filter_map(tag_in);
        let mut tags: Vec<String> = tags.map(str::to_owned).collect();
        if tags.len() != names.len() {
            tags.clear();
        }
        Self {
            html,
            text,
            names,
            tags,
        }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_rule(&self) -> bool {
        let text = self.text.trim();
        let is_of = |sign: char| text.chars().all(|c| c == sign);
        text.len() >= MIN_RULE && (is_of('=') || is_of('-'))
    }

    /// True for the line that names the file.
    fn is_of_file(&self) -> bool {
        self.tags.iter().any(|tag| tag.ends_with(".txt"))
    }

    /// The text beside the names.
    fn title(&self) -> String {
        let is_word = |word: &&str| self.tags.is_empty() || tag_in(word).is_none();
        let words: Vec<&str> = self.text.split_whitespace().filter(is_word).collect();
        words.join(" ")
    }
}

/// The name between the stars of `*ebb*`.
fn tag_in(word: &str) -> Option<&str> {
    let tag = word.strip_prefix('*')?.strip_suffix('*')?;
    (!tag.is_empty()).then_some(tag)
}

/// The name that the inside of an anchor's tag gives.
fn name_in(tag: &str) -> Option<&str> {
    let head = tag
        .get(..7)
        .filter(|head| head.eq_ignore_ascii_case("a name="))?;
    let value = &tag[head.len()..];
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next(),
        _ => value.split(' ').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::indexer::document::Document;
    use crate::indexer::options::InputOptions;

    fn read(inside: &str) -> Document {
        let html = format!(
            "<HTML><TITLE>Sea: tide</TITLE><BODY><H1>Sea: tide</H1><A NAME=\"top\"></A><HR><PRE>\n\n{inside}\n</PRE></BODY></HTML>"
        );
        parse("tide.html", &html, &InputOptions::default()).unwrap()
    }

    const HELP: &str = "*<A NAME=\"tide.txt\"></A><B>tide.txt</B>*\tFor Sea version 9.\n\n\n\t\tSEA MANUAL by <A HREF=\"x.html#M\">Mary</A>\n\n\
         Tides of the sea\t\t*<A NAME=\"tides\"></A><B>tides</B>*\n\nThey come and go.\n\n==============================\n\n\
         1. Falling water\t*<A NAME=\"ebb\"></A><B>ebb</B>* *<A NAME=\"E12\"></A><B>E12</B>*\n\nIt falls.\n\n\
         \t\t*<A NAME=\"'ebblimit'\"></A><B>'ebblimit'</B>* *<A NAME=\"'el'\"></A><B>'el'</B>*\n'ebblimit' 'el'\tnumber (default 3)\n\
         \tThe least water.\n\n:flow\tRises.\t*<A NAME=\":flow\"></A><B>:flow</B>*\n\tNot *much* at once.\n";

    #[test]
    fn the_lines_of_a_block_are_headings_and_names() {
        let page = read(HELP);
        assert_eq!(page.title, "Tides of the sea");
        let found = page.sections.iter().map(|s| (&*s.heading, &*s.anchor));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("Tides of the sea", "top"),
                ("1. Falling water", "ebb"),
                ("'ebblimit', 'el'", "'ebblimit'"),
                (":flow", ":flow"),
            ]
        );
        assert_eq!(page.sections[1].rows, ["ebb", "E12"]);
        let last = &page.sections[3].text;
        assert!(last.contains("Rises.") && last.contains("*much*"), "{last}");
        assert!(page.sections[0].text.contains("They come and go."));
    }

    #[test]
    fn a_line_that_names_the_file_may_say_the_title() {
        let named = HELP.replace("For Sea version 9.", "How water moves");
        assert_eq!(read(&named).title, "How water moves");
    }

    #[test]
    fn a_block_among_texts_or_without_anchors_stays() {
        let plain = read(&"A line of the listing.\n".repeat(20));
        assert_eq!(
            (plain.title.as_str(), plain.sections.len()),
            ("Sea: tide", 1)
        );
        let beside = read(&format!(
            "{HELP}</PRE>{}<PRE>x",
            "<P>Much more of it.".repeat(20)
        ));
        assert_eq!(beside.sections.len(), 1);
    }
}
