//! Pages of pkgdown's reference, the documentation of R's packages, whose heading says what a function does and not its name.
//!
//! ```html
//! <title>Summarise each group down to one row — summarise • dplyr</title> … <h1>Summarise each group down to one row</h1> …
//! <h2 id="ref-usage">Usage</h2> <pre><code>summarise(.data, ..., .by = NULL)
//!
//! summarize(.data, ..., .by = NULL)</code></pre>
//! ```

use crate::indexer::document::Document;

/// Anchor of the section that shows how what the page defines is called.
const USAGE: &str = "ref-usage";

const MAX_NAMES: usize = 32; // Of one page, on which a family of functions is described.

/// Names a page as what it defines; no other page is changed.
pub(super) fn define(document: &mut Document) {
    let Some(usage) = document.sections.iter().find(|s| s.anchor == USAGE) else {
        return;
    };
    let mut names: Vec<String> = Vec::new();
    for name in usage.text.lines().filter_map(called) {
        if names.len() < MAX_NAMES && names.iter().all(|known| known != name) {
            names.push(name.to_owned());
        }
    }
    let title_element = document.facts.title_element.as_str();
    let topic = title_element
        .strip_prefix(document.title.as_str())
        .and_then(|rest| rest.strip_prefix(" — "))
        .and_then(|rest| rest.split(" • ").next());
    if let Some(topic) = topic.filter(|topic| names.iter().any(|name| name == topic)) {
        document.title = format!("{topic} — {}", document.title);
        document.kind = "function".into();
    }
    document.names.extend(names);
}

/// The name at the beginning of a line of code: `summarise` of `summarise(.data, ...)`.
fn called(line: &str) -> Option<&str> {
    let name = line.split('(').next().unwrap_or(line);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic() || c == '.') && name.chars().all(is_part);
    is_name.then_some(name)
}
