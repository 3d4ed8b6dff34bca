//! Markers that site generators add to Markdown: admonitions, includes, monikers, shortcodes. They are no text.

use std::borrow::Cow;

/// `text` without such markers, outside of code. Borrowed when there are none.
pub(crate) fn without_markers(text: &str, is_mdx: bool) -> Cow<'_, str> {
    const SIGNS: [&str; 8] = ["[!", ":::", "!!!", "???", "{%", "{{", "[TOC]", "[[_TOC_]]"];
    if !is_mdx && !SIGNS.iter().any(|sign| text.contains(sign)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<(char, usize)> = None;
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
        if let Some((sign, len)) = fence {
            let run = bare.chars().take_while(|&c| c == sign).count();
            if run >= len && bare.chars().skip(run).all(char::is_whitespace) {
                fence = None;
            }
            out.push_str(line);
            continue;
        }
        if let Some(sign) = bare.chars().next().filter(|c| matches!(c, '`' | '~')) {
            let run = bare.chars().take_while(|&c| c == sign).count();
            if run >= 3 && !(sign == '`' && bare[run..].contains('`')) {
                fence = Some((sign, run));
                out.push_str(line);
                continue;
            }
        }
        if let Some(title) = admonition_title(bare) {
            in_admonition = true;
            out.push_str(title);
            out.push_str("\n\n");
        } else if is_marker_line(bare, is_mdx) {
            let quote_len = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
            out.push_str(&line[..quote_len]);
            out.push_str(alternative_text(bare));
            out.push('\n');
        } else {
            push_without_inline(line, &mut out);
        }
    }
    Cow::Owned(out)
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

/// A line that is nothing but a marker.
fn is_marker_line(line: &str, is_mdx: bool) -> bool {
    if line.starts_with(":::") || line == "[TOC]" || line == "[[_TOC_]]" {
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

/// What a picture of `:::image … alt-text="…":::` shows; empty for other markers.
fn alternative_text(line: &str) -> &str {
    let after = line
        .strip_prefix(":::image")
        .and_then(|rest| rest.split_once("alt-text=\""));
    after
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("", |(text, _)| text)
}

/// Copies a line without `[!INCLUDE[…](…)]`, `{% … %}`, `{{< … >}}`, `{{% … %}}` and `{{#include …}}`.
fn push_without_inline(line: &str, out: &mut String) {
    const PAIRS: [(&str, &str); 4] = [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}"), ("{{#", "}}")];
    let mut rest = line;
    while let Some(at) = rest.find(['[', '{', '`']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = if rest.starts_with('`') {
            let len = code_span_len(rest);
            out.push_str(&rest[..len]);
            len
        } else if let Some(len) = include_len(rest) {
            len
        } else if let Some(len) = PAIRS.iter().find_map(|(open, close)| {
            rest.starts_with(open)
                .then(|| rest.find(close).map(|end| end + close.len()))
                .flatten()
        }) {
            len
        } else {
            out.push_str(&rest[..1]);
            1
        };
        rest = &rest[len..];
    }
    out.push_str(rest);
}

/// The length of a code span, or of the run of backticks when it does not close on this line.
fn code_span_len(text: &str) -> usize {
    let run = text.bytes().take_while(|&b| b == b'`').count();
    let mut at = run;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let len = text[start..].bytes().take_while(|&b| b == b'`').count();
        at = start + len;
        if len == run {
            return at;
        }
    }
    run
}

/// The length of `[!WORD[…](…)]` or `[!WORD …]` at the start of `text`.
fn include_len(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("[!")?;
    let n_letters = rest
        .bytes()
        .take_while(|b| b.is_ascii_alphabetic() || *b == b'-')
        .count();
    if n_letters < 3 || !rest[n_letters..].starts_with(['[', ' ']) {
        return None;
    }
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return Some(at + 1),
            ']' => depth = depth.saturating_sub(1),
            '\n' => return None,
            _ => {}
        }
    }
    None
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
}
