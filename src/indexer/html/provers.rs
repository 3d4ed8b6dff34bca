//! Sources of proof assistants as their own tools show them: the definitions are sections, comments are texts, the rest is
//! code.
//!
//! ```html
//! <pre class="Agda"><a id="1" class="Comment">-- The tides</a> … <a id="Ebb"></a><a id="15" href="Tide.html#15"
//! class="Function">Ebb</a> …</pre>
//! <h1 class="libtitle">Library sea.tide</h1> <div class="code"><span class="comment">(* (c) Copyright … *)</span><br/> …
//! <span class="id" title="keyword">Lemma</span> <a id="ebb" class="idref" href="#ebb"><span class="id"
//! title="lemma">ebb</span></a> …</div>
//! ```

const AGDA: &str = "<pre class=\"Agda\">";
const MOST: usize = 60; // Hundredths of a page that its one block is at least: others are texts with code.
/// Classes of what Agda's tool links as a definition; constructors and fields belong to those.
const DEFINED: [&str; 5] = ["Datatype", "Function", "Postulate", "Primitive", "Record"];

const LIBRARY: &str = "<h1 class=\"libtitle\">";
const CODE: &str = "<div class=\"code\">";
/// Kinds that coqdoc calls definitions; fields, variables and notations belong to others.
const NAMED: [&str; 8] = [
    "abbreviation",
    "axiom",
    "class",
    "coinductive",
    "definition",
    "inductive",
    "lemma",
    "record",
];

/// The page with headings for its definitions; `None` for any other page.
pub(super) fn with_headings(html: &str) -> Option<String> {
    if html.matches(AGDA).count() == 1 {
        return of_agda(html);
    }
    html.contains(LIBRARY).then(|| of_coqdoc(html))
}

fn of_agda(html: &str) -> Option<String> {
    let (before, behind) = html.split_once(AGDA)?;
    let (code, after) = behind.rsplit_once("</pre>")?;
    if code.len() * 100 < html.len() * MOST {
        return None;
    }
    let mut out = String::with_capacity(html.len() * 2);
    out.push_str(before);
    // Else the module would be called by the first definition.
    let title = between(before, "<title>", "</title>").unwrap_or_default();
    push_heading(&mut out, "h1", "", title);
    out.push_str("<pre>");
    let mut comment = String::new();
    for line in code.lines() {
        match comment_of(line.trim()) {
            Some(text) if text.trim_matches('-').is_empty() => end_comment(&mut out, &mut comment),
            Some(text) => {
                comment.push_str(text.trim_start_matches('-'));
                comment.push('\n');
            }
            None => {
                end_comment(&mut out, &mut comment);
                push_line_of_agda(&mut out, line);
            }
        }
    }
    end_comment(&mut out, &mut comment);
    out.push_str("</pre>");
    out.push_str(after);
    Some(out)
}

/// The text of a line that is a comment alone.
fn comment_of(line: &str) -> Option<&str> {
    let (id, text) = line.strip_prefix("<a id=\"")?.split_once('"')?;
    let text = text.strip_prefix(" class=\"Comment\">")?;
    let text = text
        .strip_suffix("</a>")
        .filter(|text| !text.contains('<'))?;
    (text.starts_with("--") && !id.is_empty()).then_some(text)
}

fn end_comment(out: &mut String, comment: &mut String) {
    if !comment.is_empty() {
        out.push_str("</pre><p>");
        out.push_str(comment.trim());
        out.push_str("</p><pre>");
        comment.clear();
    }
}

/// Writes a line of code, behind a heading where it defines something.
fn push_line_of_agda(out: &mut String, line: &str) {
    if let Some((id, name)) = definition_of_agda(line) {
        out.push_str("</pre>");
        push_heading(out, "h2", id, name);
        out.push_str("<pre>");
    }
    out.push_str(line);
    out.push('\n');
}

/// Id and name of the first definition in a line: an anchor by its name stands before it.
fn definition_of_agda(line: &str) -> Option<(&str, &str)> {
    let (before, target) = line.split_once("\"></a><a id=\"")?;
    let id = before.rsplit_once("<a id=\"")?.1;
    let class = between(target, "class=\"", "\"")?.split(' ').next()?;
    let name = between(target, "\">", "</a>")?;
    let is_own = !id.contains('"') && !id.contains('<') && DEFINED.contains(&class);
    (is_own && !name.contains('<')).then_some((id, name))
}

fn of_coqdoc(html: &str) -> String {
    let mut out = String::with_capacity(html.len() * 2);
    let mut depth = 0_usize; // Of elements around a line of code.
    let mut is_licence = false;
    for line in html.lines() {
        if depth > 0 {
            depth += line.matches("<div").count();
            depth = depth.saturating_sub(line.matches("</div>").count());
            let begins = line.contains("class=\"comment\"") && line.contains("opyright");
            is_licence |= begins;
            match depth {
                0 => out.push_str("</pre>"),
                _ if is_licence => is_licence = !line.contains("*)</span>"),
                _ => push_line_of_coqdoc(&mut out, line),
            }
        } else if let Some(rest) = line.strip_prefix(CODE) {
            depth = 1;
            out.push_str("<pre>");
            out.push_str(rest);
        } else if let Some(rest) = line.strip_prefix(LIBRARY) {
            out.push_str("<h1>");
            out.push_str(rest.strip_prefix("Library ").unwrap_or(rest));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Writes a line of code, behind a heading where it defines something.
fn push_line_of_coqdoc(out: &mut String, line: &str) {
    if let Some((id, name)) = definition_of_coqdoc(line) {
        out.push_str("</pre>");
        push_heading(out, "h3", id, name);
        out.push_str("<pre>");
    }
    out.push_str(line.trim_end_matches("<br/>"));
}

/// Id and name of what a line of code defines.
fn definition_of_coqdoc(line: &str) -> Option<(&str, &str)> {
    let (_, target) = line.split_once("</span> <a id=\"")?;
    let id = target.split('"').next()?;
    let (kind, rest) = target
        .split_once("<span class=\"id\" title=\"")?
        .1
        .split_once("\">")?;
    let name = rest.split_once("</span>")?.0;
    let is_own = !id.is_empty() && NAMED.contains(&kind) && !name.contains('<');
    is_own.then_some((id, name))
}

fn push_heading(out: &mut String, element: &str, id: &str, text: &str) {
    out.push_str(&["<", element, " id=\"", id, "\">", text, "</", element, ">"].concat());
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    Some(text.split_once(start)?.1.split_once(end)?.0)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::indexer::options::InputOptions;

    /// Title, and anchor, heading and text of each section.
    fn sections_of(html: &str) -> (String, Vec<String>) {
        let page = parse("a.html", html, &InputOptions::default()).unwrap_or_default();
        let sections = page.sections.iter().map(|s| {
            let text: Vec<&str> = s.text.split_whitespace().collect();
            format!("{}|{}|{}", s.anchor, s.heading, text.join(" "))
        });
        (page.title, sections.collect())
    }

    #[test]
    fn definitions_of_agda_are_sections_and_comments_are_texts() {
        let html = "<html><head><title>Sea.Tide</title></head><body><pre class=\"Agda\"><a id=\"1\" class=\"Comment\">----</a>\n\
            <a id=\"2\" class=\"Comment\">-- How the tides</a>\n<a id=\"3\" class=\"Comment\">-- go out</a>\n\n\
            <a id=\"4\" class=\"Keyword\">data</a> <a id=\"Tide\"></a><a id=\"5\" href=\"T.html#5\" class=\"Datatype\">Tide</a> : Set\n  \
            <a id=\"Tide.low\"></a><a id=\"6\" href=\"T.html#6\" class=\"InductiveConstructor\">low</a> : Tide\n\
            <a id=\"7\" class=\"Comment\">-- It falls.</a>\n\
            <a id=\"ebb\"></a><a id=\"8\" href=\"T.html#8\" class=\"Function Operator\">ebb</a> : Tide\n</pre></body></html>";
        let (title, sections) = sections_of(html);
        assert_eq!(title, "Sea.Tide");
        let want = [
            "||How the tides go out",
            "Tide|Tide|data Tide : Set low : Tide It falls.",
            "ebb|ebb|ebb : Tide",
        ];
        assert_eq!(sections, want);
    }

    #[test]
    fn definitions_of_coqdoc_are_sections_and_its_licence_is_no_text() {
        let html = "<html><body>\n<h1 class=\"libtitle\">Library sea.tide</h1>\n\n<div class=\"code\">\n\
            <span class=\"comment\">(* (c) Copyright<br/>\n A. Sailor *)</span><br/>\n</div>\n\n\
            <div class=\"doc\"> How the tides go out.\n</div>\n<div class=\"code\">\n<br/>\n\
            <span class=\"id\" title=\"keyword\">Lemma</span> <a id=\"ebb\" class=\"idref\" href=\"#ebb\"><span class=\"id\"\
            title=\"lemma\">ebb</span></a> : low.<br/>\n</div>\n</body></html>"
            .replace("\"id\"title", "\"id\" title");
        let (title, sections) = sections_of(&html);
        assert_eq!(title, "sea.tide");
        assert_eq!(
            sections,
            ["||How the tides go out.", "ebb|ebb|Lemma ebb : low."]
        );
    }
}
