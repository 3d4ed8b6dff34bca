//! Calls of a template's macros that take lines of their own: Nunjucks' `{{ example({ … }) }}`, which shows an example there,
//! or a table of what it is given.

use std::borrow::Cow;

const MAX_CALL: usize = 20_000; // Bytes of a call; a longer one is taken for text.
const PAIRS: [(&str, &str); 2] = [("{{", "}}"), ("{%", "%}")];

/// `text` without calls that say nothing to people; one that has sentences becomes code, in which they are found.
pub(super) fn without_calls(text: Cow<'_, str>) -> Cow<'_, str> {
    if !PAIRS.iter().any(|(open, _)| text.contains(open)) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let (mut at, mut in_code) = (0, false);
    while at < text.len() {
        let rest = &text[at..];
        let line = &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)];
        let bare = line.trim_start();
        in_code ^= bare.starts_with("```") || bare.starts_with("~~~");
        match end_of_call(rest).filter(|_| !in_code) {
            None => {
                out.push_str(line);
                at += line.len();
            }
            Some(end) => {
                if has_sentence(&rest[..end]) {
                    out.push_str(&["```\n", rest[..end].trim(), "\n```\n"].concat());
                } else {
                    out.push('\n');
                }
                at += end;
            }
        }
    }
    Cow::Owned(out)
}

/// The end of the lines of a call that a text begins with.
fn end_of_call(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start_matches([' ', '\t']).len();
    let (open, close) = PAIRS
        .into_iter()
        .find(|(open, _)| text[start..].starts_with(open))?;
    let inside = text[start + open.len()..].trim_start_matches(['-', ' ']);
    let called = inside.strip_prefix("call ").unwrap_or(inside);
    let name = called.split_once('(')?.0;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let head: String = text.chars().take(MAX_CALL).collect();
    let end = head.find(close)? + close.len();
    let behind = text[end..].split('\n').next().unwrap_or_default();
    let is_alone = behind.trim().is_empty();
    is_alone.then_some((end + behind.len() + 1).min(text.len()))
}

/// True for a call with a text of some words among its quoted values.
fn has_sentence(call: &str) -> bool {
    const MIN_WORDS: usize = 4;
    let mut quoted = call.split('"').skip(1).step_by(2);
    quoted.any(|value| value.split_whitespace().count() >= MIN_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> String {
        without_calls(Cow::Borrowed(text)).into_owned()
    }

    #[test]
    fn calls_on_lines_of_their_own_are_no_text() {
        for (text, expected) in [
            (
                "Tides.\n\n{{ example({ group: \"sea\",\n  html: true }) }}\n\nMore.\n",
                "Tides.\n\n\n\nMore.\n",
            ),
            ("{%- call card({\n a: 1\n}) %}\nIn it.\n", "\nIn it.\n"),
            ("{{ show() }}", "\n"),
            // What a call says is found as code.
            (
                "{{ table({ text: \"The sea rises twice a day\" }) }}\nMore.\n",
                "```\n{{ table({ text: \"The sea rises twice a day\" }) }}\n```\nMore.\n",
            ),
        ] {
            assert_eq!(without(text), expected);
        }
        for text in [
            "```\n{{ example({}) }}\n```\n",
            "{{ version }}\n",
            "Say {{ it(1) }} here.\n",
            "{{ it(1) }} is a word.\n",
            "{{ open(\n",
            "{% if tide %}\n",
        ] {
            assert_eq!(without(text), text);
        }
    }
}
