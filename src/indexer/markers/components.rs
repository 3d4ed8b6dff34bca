//! Components in Markdown: of JSX (`<Steps>`), of Nuxt (`::note`) and directives of DocC (`@Row {`). They stand on lines
//! of their own and indent what they hold, which is Markdown; CommonMark reads the lines behind such a tag as HTML, and
//! indented ones as code.

use std::borrow::Cow;

/// `text` without the lines of components and MDX's comments and modules, and what components hold moved to their own
/// indentation. Borrowed when there is none of them.
pub(super) fn without_components(text: &str, is_mdx: bool) -> Cow<'_, str> {
    let has_blocks = text.lines().any(|line| is_colons(line.trim(), 2));
    let opens = |line: &str| {
        let bare = line.trim_start();
        let is_leaf = bare.starts_with(':') && bare.contains('{');
        is_tag(bare) || is_leaf || bare.starts_with("{/*") || directive(bare).is_some()
    };
    if !is_mdx && !has_blocks && !text.lines().any(opens) {
        return Cow::Borrowed(text);
    }
    let mut reader = Reader {
        lines: text.split_inclusive('\n').collect(),
        at: 0,
        open: Vec::new(),
        fence: None,
        out: String::with_capacity(text.len()),
        is_mdx,
        has_blocks,
    };
    while reader.at < reader.lines.len() {
        reader.line();
    }
    Cow::Owned(reader.out)
}

/// A component that is open.
struct Frame {
    /// Line that closes it: `}`, the colons of Nuxt; of a tag, its name.
    closer: String,
    /// Its indentation as written out.
    indent: usize,
    /// The indentation of its first line, as it is in the source.
    inside: Option<usize>,
}

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    open: Vec<Frame>,
    fence: Option<(char, usize)>,
    out: String,
    is_mdx: bool,
    has_blocks: bool,
}

impl<'t> Reader<'t> {
    /// Reads a line, or the lines of one component's tag, comment or module.
    fn line(&mut self) {
        let line = self.lines[self.at];
        let bare = line.trim();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if bare.is_empty() {
            return self.keep(line, 0);
        }
        if self.fence.is_some() || fence_of(bare).is_some() {
            let cut = self.cut(indent);
            self.fence = fence_after(self.fence, bare);
            return self.keep(line, cut);
        }
        if self.closes(bare) {
            return self.skip(1);
        }
        let cut = self.cut(indent);
        let n_lines = self
            .comment(bare)
            .or_else(|| self.module(line))
            .or_else(|| self.tag(indent, indent - cut))
            .or_else(|| self.block(bare, indent - cut))
            .or_else(|| self.directive(bare, indent - cut));
        match n_lines {
            Some(n_lines) => self.skip(n_lines),
            None => self.keep(line, cut),
        }
    }

    fn keep(&mut self, line: &str, cut: usize) {
        self.out.push_str(&line[cut..]);
        self.at += 1;
    }

    fn skip(&mut self, n_lines: usize) {
        self.out.push('\n');
        self.at += n_lines;
    }

    /// The bytes that a line of this indentation loses.
    fn cut(&mut self, indent: usize) -> usize {
        let Some(frame) = self.open.last_mut() else {
            return 0;
        };
        let inside = *frame.inside.get_or_insert(indent);
        let moved = inside.saturating_sub(frame.indent);
        moved.min(indent.saturating_sub(frame.indent))
    }

    /// Closes the innermost component that a line ends, with those in it.
    fn closes(&mut self, bare: &str) -> bool {
        let name = match bare.strip_prefix("</") {
            Some(rest) => rest.strip_suffix('>').map(str::trim),
            None => Some(bare),
        };
        let closed = name.and_then(|name| self.open.iter().rposition(|f| f.closer == name));
        if let Some(at) = closed {
            self.open.truncate(at);
        }
        // Of HTML, what was opened on its own line alone.
        closed.is_some() || (bare.starts_with("</") && is_tag(bare) && name.is_some_and(is_name))
    }

    fn opens(&mut self, closer: &str, indent: usize) {
        if self.open.len() >= MAX_DEPTH {
            return;
        }
        let (closer, inside) = (closer.to_owned(), None);
        self.open.push(Frame {
            closer,
            indent,
            inside,
        });
    }

    /// A comment of MDX's.
    fn comment(&self, bare: &str) -> Option<usize> {
        bare.strip_prefix("{/*")?;
        let ends = self.lines[self.at..].iter().take(MAX_LINES);
        let n_lines = ends.take_while(|line| !line.contains("*/}")).count() + 1;
        let last = self.lines.get(self.at + n_lines - 1)?.trim_end();
        last.ends_with("*/}").then_some(n_lines)
    }

    /// A statement of MDX's that imports or exports, up to the end of its brackets.
    fn module(&self, line: &str) -> Option<usize> {
        let is_one = line.starts_with("import ") || line.starts_with("export ");
        if !self.is_mdx || !is_one || !line.trim_end().ends_with(['{', '(', '[', '`']) {
            return None;
        }
        let ends = self.lines[self.at..].iter().take(MAX_LINES);
        let is_end = |line: &str| line.starts_with(['}', ')', ']', '`']);
        let n_lines = ends.take_while(|line| !is_end(line)).count() + 1;
        let last = self.lines.get(self.at + n_lines - 1)?;
        is_end(last).then_some(n_lines)
    }

    /// A tag of JSX's that stands alone on its lines. What it is titled is shown.
    fn tag(&mut self, indent: usize, moved: usize) -> Option<usize> {
        let lines = &self.lines[self.at..];
        let first = &lines[0][indent..];
        let is_component = is_tag(first);
        let is_read = is_component || (self.is_mdx && is_box(first));
        if !is_read {
            return None;
        }
        let mut source = String::new();
        for (n, line) in lines.iter().take(MAX_TAG_LINES).enumerate() {
            source.push_str(if n == 0 { &line[indent..] } else { line });
            let Some(end) = tag_end(&source) else {
                continue;
            };
            if !source[end..].trim().is_empty() {
                return None;
            }
            let tag = source[1..end - 1].trim_end();
            if let Some(title) = title_of(tag).filter(|_| is_component) {
                let margin = " ".repeat(moved);
                self.out.push_str(&["\n", &margin, title, "\n\n"].concat());
            }
            if !tag.ends_with('/') {
                let n_name = tag.find(|c: char| c.is_whitespace()).unwrap_or(tag.len());
                self.opens(&tag[..n_name], moved);
            }
            return Some(n + 1);
        }
        None
    }

    /// A block of Nuxt's, with the fields at its beginning; one without a text (`:read-more{to="/x"}`) is its line.
    fn block(&mut self, bare: &str, moved: usize) -> Option<usize> {
        let colons = bare.len() - bare.trim_start_matches(':').len();
        let rest = &bare[colons..];
        let n_name = rest
            .find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
            .unwrap_or(rest.len());
        let behind = &rest[n_name..];
        let is_plain =
            behind.is_empty() || (behind.starts_with(['{', '[']) && behind.ends_with(['}', ']']));
        if n_name == 0 || !rest.starts_with(|c: char| c.is_ascii_lowercase()) || !is_plain {
            return None;
        }
        match colons {
            1 if !behind.is_empty() => return Some(1),
            2.. if self.has_blocks => {}
            _ => return None,
        }
        self.opens(&":".repeat(colons), moved);
        let fields = self.lines.get(self.at + 1).map(|line| line.trim());
        let below = self.lines.iter().skip(self.at + 2).take(MAX_LINES);
        let n_fields = below.take_while(|line| line.trim() != "---").count();
        let last = self
            .lines
            .get(self.at + 2 + n_fields)
            .map(|line| line.trim());
        let has_fields = fields == Some("---") && last == Some("---");
        Some(if has_fields { n_fields + 3 } else { 1 })
    }

    /// A directive of DocC's, with what it holds where that is about the page.
    fn directive(&mut self, bare: &str, moved: usize) -> Option<usize> {
        let name = directive(bare)?;
        let is_about = matches!(name, "Metadata" | "Options" | "Comment");
        if bare.ends_with('{') && is_about {
            let below = self.lines[self.at..].iter().take(MAX_LINES);
            let mut depth = 0usize;
            let n_lines = below.take_while(|line| {
                depth += line.matches('{').count();
                depth -= line.matches('}').count().min(depth);
                depth > 0
            });
            return Some(n_lines.count() + 1).filter(|n| self.at + n <= self.lines.len());
        }
        if bare.ends_with('{') {
            self.opens("}", moved);
        }
        Some(1)
    }
}

/// Lines that a tag has at most.
const MAX_TAG_LINES: usize = 40;
/// The same of a comment, a statement, fields.
const MAX_LINES: usize = 200;
/// Components within each other.
const MAX_DEPTH: usize = 32;

/// True for a line that begins with a tag of a component, opening or closing, or with a fragment.
fn is_tag(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('<') else {
        return false;
    };
    let name = rest.strip_prefix('/').unwrap_or(rest);
    // HTML of old is written in capitals: `<TABLE>`.
    let mut letters = name.chars().take_while(char::is_ascii_alphanumeric);
    let is_capital = letters.next().is_some_and(|c| c.is_ascii_uppercase());
    (is_capital && letters.any(|c| c.is_ascii_lowercase())) || name.trim_end() == ">"
}

/// True for a line that begins with an element of HTML which MDX reads the Markdown of.
fn is_box(line: &str) -> bool {
    let name = line.strip_prefix('<').unwrap_or_default();
    let end = name.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(0);
    matches!(
        &name[..end],
        "p" | "div" | "details" | "section" | "aside" | "center"
    )
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

/// The place behind a tag at the beginning of a text, past its strings and expressions in braces.
fn tag_end(text: &str) -> Option<usize> {
    let (mut quote, mut depth) = (None, 0usize);
    let name = text.trim_start_matches(['<', '/']);
    let behind = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
    if !behind.starts_with(['>', '/', '\n', '\r', ' ', '\t']) {
        return None;
    }
    for (at, c) in text.char_indices().skip(1) {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.checked_sub(1)?,
            (None, '>') if depth == 0 => return Some(at + 1),
            (None, '<') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The title that a component shows; that of a tab or of code is a label.
fn title_of(tag: &str) -> Option<&str> {
    let is_label = ["Tab", "Code", "Step"]
        .iter()
        .any(|name| tag.starts_with(name));
    let (_, title) = tag.split_once(" title=\"").filter(|_| !is_label)?;
    title.split('"').next().filter(|title| !title.is_empty())
}

/// True for a line of nothing but `least` colons or more.
fn is_colons(line: &str, least: usize) -> bool {
    line.len() >= least && line.bytes().all(|b| b == b':')
}

/// The name of a directive of DocC's that a line begins.
fn directive(line: &str) -> Option<&str> {
    const NAMES: [&str; 13] = [
        "Metadata",
        "Options",
        "Comment",
        "Image",
        "Video",
        "Row",
        "Column",
        "TabNavigator",
        "Tab",
        "Small",
        "Links",
        "Snippet",
        "Redirected",
    ];
    let rest = line.strip_prefix('@')?;
    let end = rest.find(['(', ' ', '{'])?;
    let is_whole = line.trim_end().ends_with(['{', '}', ')']);
    (is_whole && NAMES.contains(&&rest[..end])).then_some(&rest[..end])
}

/// The sign and length of the fence that a line begins.
fn fence_of(bare: &str) -> Option<(char, usize)> {
    let sign = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = bare.len() - bare.trim_start_matches(sign).len();
    let is_span = sign == '`' && bare[run..].contains('`');
    (run >= 3 && !is_span).then_some((sign, run))
}

/// The fence that is open behind a line.
fn fence_after(open: Option<(char, usize)>, bare: &str) -> Option<(char, usize)> {
    let found = fence_of(bare);
    match (open, found) {
        (None, found) => found,
        (Some(open), Some(found)) => {
            let is_end = open.0 == found.0 && found.1 >= open.1 && bare.len() == found.1;
            (!is_end).then_some(open)
        }
        (open, None) => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        without_components(text, true).into_owned()
    }

    #[test]
    fn what_components_hold_stands_at_their_place() {
        assert_eq!(
            read(
                "<Steps>\n1. Run\n\n    <Tabs>\n      <TabItem label=\"a\">\n        ```sh\n          x\n        ```\n      </TabItem>\n    </Tabs>\n</Steps>\nend\n"
            ),
            "\n1. Run\n\n\n\n    ```sh\n      x\n    ```\n\n\n\nend\n"
        );
        assert_eq!(
            read("<Card\n  title=\"On tides\"\n  of={[\"a > b\"]}\n>\n    A **tide**.\n</Card>\n"),
            "\nOn tides\n\n\nA **tide**.\n\n"
        );
        // A fence that ends before the place of its component stays in the list.
        assert_eq!(
            read("1. Run\n\n    <Tab>\n        ```sh\n        x\n      ```\n    </Tab>\n2. Go\n"),
            "1. Run\n\n\n    ```sh\n    x\n    ```\n\n2. Go\n"
        );
        assert_eq!(
            read("<p title=\"a\">\n  **Type:** x\n</p>\n<div>b</div>\n"),
            "\n**Type:** x\n\n<div>b</div>\n"
        );
        let untouched = "<TABLE>\n<TR><TD>a</TD></TR>\n</TABLE>\nA Map<K, V>\n<Note>one</Note>\n";
        assert_eq!(read(untouched), untouched);
        assert!(matches!(
            without_components("# Plain\n", false),
            Cow::Borrowed(_)
        ));
    }

    #[test]
    fn comments_and_modules_of_mdx_are_no_text() {
        assert_eq!(
            read(
                "import {\n  A,\n} from 'a'\nexport const b = [\n  1,\n]\n{/* not\nyet */}\nText\n"
            ),
            "\n\n\nText\n"
        );
        let open = "import {\nText\n{/* open\n";
        assert_eq!(read(open), open);
    }

    #[test]
    fn blocks_of_nuxt_and_directives_of_docc_are_no_text() {
        let nuxt = "::tip{icon=\"i\"}\n  Mind *it*.\n  :::note\n  ---\n  to: /x\n  ---\n    Deep\n  :::\n::\n:read-more{to=\"/x\"}\n";
        assert_eq!(
            without_components(nuxt, false),
            "\nMind *it*.\n\nDeep\n\n\n\n"
        );
        let docc = "@Metadata {\n    @PageKind(article)\n}\n@Row {\n    @Column {\n        Text\n    }\n}\n@Tide is\n";
        assert_eq!(
            without_components(docc, false),
            "\n\n\nText\n\n\n@Tide is\n"
        );
        assert_eq!(without_components(":read-more{to=\"/x\"}\n", false), "\n");
        // Without an end they are text, as CSS's `::before` may be.
        let css = "::before\nText\n";
        assert_eq!(without_components(css, false), css);
    }
}
