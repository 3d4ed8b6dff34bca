//! Markers that site generators add to Markdown: admonitions, includes, monikers, shortcodes. They are no text.

mod calls;
mod components;

use std::borrow::Cow;
use std::collections::HashMap;

use calls::without_calls;
use components::without_components;

/// Signs without one of which a page has no markers.
const SIGNS: [&str; 23] = [
    "`{",
    "){",
    "]{",
    "{:",
    "<doc:",
    "[!",
    ":::",
    "!!!",
    "???",
    "{%",
    "{{",
    "[TOC]",
    "[[_TOC_]]",
    "{/*",
    "[#",
    "*!*",
    "```",
    "///",
    "{*",
    "{!",
    "--8<--",
    "<<< ",
    "@include ",
];

/// `text` without such markers, outside of code. Borrowed when there are none.
pub(crate) fn without_markers(text: &str, is_mdx: bool) -> Cow<'_, str> {
    let text = without_components(without_importance(text), is_mdx);
    let text = without_calls(text);
    if !is_mdx && !SIGNS.iter().any(|sign| text.contains(sign)) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut code = Fences::default();
    let mut in_admonition = false;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let mut line = line;
        if in_admonition && !line.trim().is_empty() {
            in_admonition = indent >= 4;
            if in_admonition {
                line =
                    &line[line.len() - line.trim_start().len().max(line.len().saturating_sub(4))..];
            }
        }
        let bare = line.trim_start_matches([' ', '\t', '>']).trim_end();
        if code.holds(line, bare, &mut out) {
            continue;
        }
        if let Some(title) = block_title(bare) {
            out.push_str(title);
            out.push_str("\n\n");
        } else if let Some(title) = admonition_title(bare) {
            in_admonition = true;
            out.push_str(title);
            out.push_str("\n\n");
        } else if is_marker_line(bare, is_mdx) {
            let quote_len = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
            out.push_str(&line[..quote_len]);
            out.push_str(alternative_text(bare));
            out.push('\n');
        } else if let Some(heading) = with_id(bare) {
            push_without_inline(&heading, &mut out);
            out.push('\n');
        } else {
            push_without_inline(line, &mut out);
        }
    }
    Cow::Owned(out)
}

/// Blocks between fences: code, and javascript.info's boxes of text.
#[derive(Default)]
struct Fences {
    /// Sign and length of the fence of the code that is open.
    code: Option<(char, usize)>,
    /// The same of the boxes around this place.
    boxes: Vec<(char, usize)>,
}

impl Fences {
    /// Copies a line of code, or the title of a box; false for a line of text.
    fn holds(&mut self, line: &str, bare: &str, out: &mut String) -> bool {
        let run_of = |sign: char| bare.chars().take_while(|&c| c == sign).count();
        if let Some((sign, len)) = self.code {
            let run = run_of(sign);
            if run >= len && bare.chars().skip(run).all(char::is_whitespace) {
                self.code = None;
            }
            if !is_emphasis(bare) {
                out.push_str(line);
            }
            return true;
        }
        let Some(sign) = bare.chars().next().filter(|c| matches!(c, '`' | '~')) else {
            return false;
        };
        let run = run_of(sign);
        let is_end = |open: &(char, usize)| open.0 == sign && open.1 <= run;
        if bare.len() == run && self.boxes.last().is_some_and(is_end) {
            self.boxes.pop();
            out.push('\n');
            return true;
        }
        if run < 3 {
            return false;
        }
        if let Some(title) = box_title(&bare[run..]) {
            self.boxes.push((sign, run));
            out.push_str(&["\n", title, "\n\n"].concat());
            return true;
        }
        let is_code = !(sign == '`' && bare[run..].contains('`'));
        if is_code {
            self.code = Some((sign, run));
            out.push_str(line);
        }
        is_code
    }
}

/// The text behind the line that javascript.info begins a task with: `importance: 5`, and a rule.
fn without_importance(text: &str) -> &str {
    let Some(rest) = text.trim_start().strip_prefix("importance:") else {
        return text;
    };
    let (number, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    match number.trim().parse::<u8>() {
        Ok(_) => rest.trim_start().trim_start_matches('-'),
        Err(_) => text,
    }
}

/// A heading whose id MDX (`{/*id*/}`) or javascript.info (`[#id]`) write, as the reader knows it: `{#id}`.
fn with_id(heading: &str) -> Option<String> {
    let marks = heading.bytes().take_while(|&b| b == b'#').count();
    if !(1..=6).contains(&marks) || !heading[marks..].starts_with(' ') {
        return None;
    }
    let inside = |open: &str, close: &str| heading.strip_suffix(close)?.rsplit_once(open);
    let (text, id) = inside("{/*", "*/}")
        .or_else(|| inside("[#", "]"))
        .or_else(|| inside("{: #", "}"))?;
    let id = id.trim().trim_start_matches('#');
    let is_id = !id.is_empty() && !id.contains(char::is_whitespace);
    is_id.then(|| [text.trim_end(), " {#", id, "}"].concat())
}

/// A line that javascript.info writes around lines of code to set them apart.
fn is_emphasis(line: &str) -> bool {
    matches!(line, "*!*" | "*/!*")
}

/// The title of a box of javascript.info's, which is written like code: `smart header="…"`. Its text is Markdown.
fn box_title(info: &str) -> Option<&str> {
    const BOXES: [&str; 8] = [
        "smart", "warn", "ponder", "compare", "summary", "hide", "online", "offline",
    ];
    let info = info.trim();
    let (name, rest) = info.split_once(' ').unwrap_or((info, ""));
    let title = rest.trim().strip_prefix("header=\"");
    let is_box = BOXES.contains(&name) && (rest.is_empty() || rest.contains("=\""));
    is_box.then(|| title.map_or("", |title| title.trim_end_matches('"')))
}

/// The title of a MkDocs admonition (`!!! note "Title"`), whose text is indented below.
fn admonition_title(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("!!! ")
        .or_else(|| line.strip_prefix("??? "))
        .or_else(|| line.strip_prefix("???+ "))?;
    Some(
        rest.split_once('"')
            .map_or("", |(_, title)| title.trim_end().trim_end_matches('"')),
    )
}

/// The title of a block of PyMdown's (`/// tip | Title`), or of its end (`///`).
fn block_title(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("///")?.trim_start_matches('/').trim();
    let (kind, title) = rest.split_once('|').unwrap_or((rest, ""));
    let is_kind = kind
        .trim()
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b == b'-');
    is_kind.then(|| title.trim())
}

/// True for a line that puts a file in its place: FastAPI's, of markdown-include, PyMdown, VitePress and Svelte.
fn puts_file(line: &str) -> bool {
    let is_between = |open, close| line.starts_with(open) && line.ends_with(close);
    is_between("{* ", "*}")
        || is_between("{!", "!}")
        || line.starts_with("--8<--")
        || line.starts_with("<<< @")
        || line.starts_with("<<< .")
        || line
            .strip_prefix("@include ")
            .is_some_and(|file| !file.trim().contains(' '))
}

/// A line that is nothing but a marker.
fn is_marker_line(line: &str, is_mdx: bool) -> bool {
    if puts_file(line) || line.starts_with(":::") || line == "[TOC]" || line == "[[_TOC_]]" {
        return true;
    }
    if line.starts_with("{:") && attributes_end(line) == Some(line.len()) {
        return true;
    }
    if is_mdx && (line.starts_with("import ") || line.starts_with("export ")) {
        return true;
    }
    // `> [!NOTE]`, with an optional title behind it that is dropped with it.
    line.strip_prefix("[!").is_some_and(|rest| {
        let n_letters = rest.bytes().take_while(|b| b.is_ascii_alphabetic()).count();
        n_letters > 0 && matches!(rest[n_letters..].trim_end_matches(['+', '-']), "]")
    })
}

/// The alternative text of `:::image … alt-text="…":::`; empty for other markers.
fn alternative_text(line: &str) -> &str {
    let after = line
        .strip_prefix(":::image")
        .and_then(|rest| rest.split_once("alt-text=\""));
    after
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(text, _)| text)
}

/// Copies a line without `[!INCLUDE[…](…)]`, `{% … %}`, `{{< … >}}`, `{{% … %}}`, `{{#include …}}` and lists of attributes.
/// O(line).
fn push_without_inline(line: &str, out: &mut String) {
    let mut closers = Closers::default();
    let mut at = 0;
    while let Some(found) = line[at..].find(['[', '{', '`', '<']) {
        let start = at + found;
        out.push_str(&line[at..start]);
        at = if line[start..].starts_with('`') {
            let end = closers.code_span_end(line, start);
            out.push_str(&line[start..end]);
            end
        } else if let Some((link, end)) = link_of_docc(&line[start..]) {
            out.push_str(&link);
            start + end
        } else if let Some(end) = closers.marker_end(line, start) {
            end
        } else {
            out.push_str(&line[start..=start]);
            start + 1
        };
    }
    out.push_str(&line[at..]);
}

/// A link of DocC's (`<doc:TypeCasting#Checking-Type>`) as Markdown has links, and where it ends. It shows what it leads to,
/// a heading or a page, whose file has the words of its title.
fn link_of_docc(text: &str) -> Option<(String, usize)> {
    let end = text.strip_prefix("<doc:")?.find('>')? + "<doc:".len();
    let target = &text["<doc:".len()..end];
    let (page, anchor) = target.split_once('#').unwrap_or((target, ""));
    let name = page.rsplit('/').next().unwrap_or(page);
    let mut shown = anchor.replace('-', " ");
    let mut was_small = false;
    for c in name.chars().filter(|_| anchor.is_empty()) {
        if c.is_uppercase() && was_small {
            shown.push(' ');
        }
        was_small = c.is_lowercase();
        shown.push(if c == '-' { ' ' } else { c });
    }
    let is_plain = !shown.is_empty() && !target.contains(['<', '(', ')', ' ']);
    is_plain.then(|| (["[", &shown, "](", target, ")"].concat(), end + 1))
}

/// The place behind a list of attributes at the beginning of a text: kramdown's `{: .note }`, Pandoc's `{#id .class}` and
/// Nuxt's `{lang="ts"}`.
fn attributes_end(text: &str) -> Option<usize> {
    const MAX_ATTRIBUTES: usize = 400;
    let inside = text.strip_prefix('{')?;
    let end = inside
        .bytes()
        .take(MAX_ATTRIBUTES)
        .position(|b| b == b'}')?;
    let list = inside[..end].trim_start_matches(':');
    let is_kramdown = list.len() < end;
    let mut items = list.split_whitespace();
    let first = items.next()?;
    let is_class = first.starts_with(['.', '#']) && first[1..].starts_with(char::is_alphabetic);
    let name = first.split_once('=').map_or("", |(name, _)| name);
    let is_named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    let is_value = name.len() > 1 && name.chars().all(is_named);
    (is_class || is_value || (is_kramdown && first.chars().all(is_named))).then_some(end + 2)
}

/// The ends of a line's markers found so far, so that no opening without an end looks through all of it again.
#[derive(Default)]
struct Closers {
    /// By pair: whether the line holds no closer from here on.
    absent: [bool; PAIRS.len()],
    /// Beginning of the last run of backticks, by its length.
    last_runs: Option<HashMap<usize, usize>>,
    /// `[` → behind its `]`.
    brackets: Option<HashMap<usize, usize>>,
}

const PAIRS: [(&str, &str); 4] = [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}"), ("{{#", "}}")];

impl Closers {
    /// The place behind the marker that begins at `start`.
    fn marker_end(&mut self, line: &str, start: usize) -> Option<usize> {
        let rest = &line[start..];
        if is_include(rest) {
            let brackets = self.brackets.get_or_insert_with(|| match_brackets(line));
            return brackets.get(&start).copied();
        }
        let behind = line[..start].ends_with(['`', ')', ']']);
        if (behind || rest.starts_with("{:"))
            && let Some(end) = attributes_end(rest)
        {
            return Some(start + end);
        }
        for ((open, close), absent) in PAIRS.iter().zip(&mut self.absent) {
            if *absent || !rest.starts_with(open) {
                continue;
            }
            match rest.find(close) {
                Some(end) => return Some(start + end + close.len()),
                None => *absent = true,
            }
        }
        None
    }

    /// The place behind a code span, or behind the run of backticks when it does not close on this line.
    fn code_span_end(&mut self, line: &str, start: usize) -> usize {
        let runs = self.last_runs.get_or_insert_with(|| {
            let mut runs = HashMap::new();
            each_run(line, 0, |at, len| {
                runs.insert(len, at);
                false
            });
            runs
        });
        let run = run_len(line, start);
        let mut end = start + run;
        if runs.get(&run).is_some_and(|last| *last > start) {
            each_run(line, start + run, |at, len| {
                end = if len == run { at + len } else { end };
                len == run
            });
        }
        end
    }
}

/// Calls `see` with the place and length of every run of backticks from `at` on, until it says that it has seen enough.
fn each_run(line: &str, mut at: usize, mut see: impl FnMut(usize, usize) -> bool) {
    while let Some(found) = line[at..].find('`') {
        let start = at + found;
        let len = run_len(line, start);
        if see(start, len) {
            return;
        }
        at = start + len;
    }
}

fn run_len(line: &str, start: usize) -> usize {
    line[start..].bytes().take_while(|&b| b == b'`').count()
}

/// True for a text that begins with `[!WORD[` or `[!WORD `.
fn is_include(text: &str) -> bool {
    text.strip_prefix("[!").is_some_and(|rest| {
        let letters = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '-');
        rest.len() - letters.len() >= 3 && letters.starts_with(['[', ' '])
    })
}

fn match_brackets(line: &str) -> HashMap<usize, usize> {
    let mut open = Vec::new();
    let mut pairs = HashMap::new();
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'[' => open.push(at),
            b']' => {
                if let Some(start) = open.pop() {
                    pairs.insert(start, at + 1);
                }
            }
            _ => {}
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_go_and_text_stays() {
        let cases = [
            ("> [!NOTE]\n> Text.\n", "> \n> Text.\n"),
            (
                ":::moniker range=\"x\"\nText\n:::moniker-end\n",
                "\nText\n\n",
            ),
            (
                ":::image type=\"content\" source=\"a.png\" alt-text=\"A window\":::\n",
                "A window\n",
            ),
            (
                "/// tip | Note this\n\nText.\n\n///\n\n/// a comment of Rust's\n",
                "Note this\n\n\nText.\n\n\n\n\n/// a comment of Rust's\n",
            ),
            (
                "{* ../src/a.py hl[2] *}\n{!a.md!}\n--8<-- \"a.md\"\n<<< @/a.js\n@include a/b.md\n<<< EOF\n",
                "\n\n\n\n\n<<< EOF\n",
            ),
            ("A [!INCLUDE[vs](../vs.md)] b\n", "A  b\n"),
            ("A {{< ref \"x\" >}}b{% endif %}\n", "A b\n"),
            (
                "Code `{% raw %}` and [!x] stay\n",
                "Code `{% raw %}` and [!x] stay\n",
            ),
            (
                "```\n:::note\n{% x %}\n```\n:::\n",
                "```\n:::note\n{% x %}\n```\n\n",
            ),
            (
                "!!! note \"Mind\"\n    Text\n\n    more\nout\n",
                "Mind\n\nText\n\nmore\nout\n",
            ),
            ("[!broken [ {{< open\n", "[!broken [ {{< open\n"),
            ("## Ebbe {/*ebb*/}\n", "## Ebbe {#ebb}\n"),
            ("# A {/* #b */}\n", "# A {#b}\n"),
            ("### Tide [#the-tide]\n", "### Tide {#the-tide}\n"),
            ("## A {/* two words */}\n", "## A {/* two words */}\n"),
            (
                "## Array [#1, #2] x [#a]\n```js\n# [#x]\n```\n",
                "## Array [#1, #2] x {#a}\n```js\n# [#x]\n```\n",
            ),
            ("importance: 5\n\n---\n\n# Task\n", "\n\n# Task\n"),
            ("importance: high\n", "importance: high\n"),
            (
                "````smart header=\"On `this`\"\nText\n```js\nlet a;\n*!*\nb\n*/!*\n```\nmore\n````\nout\n",
                "\nOn `this`\n\nText\n```js\nlet a;\nb\n```\nmore\n\nout\n",
            ),
            (
                "`T`{lang=\"ts\"} and [a](b){.c} or ![d](e){: width=\"1\"}{% x %}\n{: .note }\n### Tide {: #tide }\n",
                "`T` and [a](b) or ![d](e)\n\n### Tide {#tide}\n",
            ),
            ("f(x){ y } and {:a b} [i]{1}\n", "f(x){ y } and  [i]{1}\n"),
            (
                "See <doc:TypeCasting> or <doc:Types#Checking-Type>, <doc>.\n",
                "See [Type Casting](TypeCasting) or [Checking Type](Types#Checking-Type), <doc>.\n",
            ),
            ("```warn\nMind\n```\n", "\n\n\nMind\n\n"),
            ("```hide and seek\nx\n```\n", "```hide and seek\nx\n```\n"),
        ];
        for (from, want) in cases {
            assert_eq!(without_markers(from, false), want);
        }
        assert_eq!(
            without_markers("import A from 'a'\n\nText\n", true),
            "\n\nText\n"
        );
        assert!(matches!(
            without_markers("# Plain\n", false),
            Cow::Borrowed(_)
        ));
    }

    /// The same without memory, for comparison: each opening looks through the line for itself.
    fn by_looking(line: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        while at < line.len() {
            // A fresh memory for every opening.
            let mut closers = Closers::default();
            let c = line[at..].chars().next().expect("not at the end");
            let end = match c {
                '`' => Some(closers.code_span_end(line, at)),
                '[' | '{' => closers.marker_end(line, at),
                _ => None,
            };
            if c == '`' || end.is_none() {
                out.push_str(&line[at..end.unwrap_or(at + c.len_utf8())]);
            }
            at = end.unwrap_or(at + c.len_utf8());
        }
        out
    }

    #[test]
    fn remembering_changes_nothing() {
        const PARTS: [&str; 17] = [
            "`", "``", "[", "]", "[!abc ", "[!abc[", "{%", "%}", "{{<", ">}}", "{{%", "%}}", "{{#",
            "}}", "x", "é", " ",
        ];
        let mut state = 3u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        for _ in 0..5_000 {
            let line: String = (0..random() % 16)
                .map(|_| PARTS[random() % PARTS.len()])
                .collect();
            let mut out = String::new();
            push_without_inline(&line, &mut out);
            assert_eq!(out, by_looking(&line), "{line:?}");
        }
    }
}
