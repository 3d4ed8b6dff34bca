//! The block of fields before a Markdown page: YAML between `---`, or the simple part of TOML between `+++`.

use serde_yaml_ng::{Mapping, Value};

use super::dates;
use super::options::InputOptions;
use super::sections::collapse;
use super::skip::SkipReason;
use crate::bundle::normalize_tag;

const MAX_BYTES: usize = 256 * 1024; // A longer block is a page that begins with a rule.
const MAX_CHARS: usize = 1000; // Of one value.
const MAX_NESTING: usize = 32; // Of brackets; fields nest two or three deep.

/// The fields that the builder knows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FrontMatter {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) keywords: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) category: String,
    pub(crate) language: Option<String>,
    pub(crate) created_at: Option<i64>,
    pub(crate) updated_at: Option<i64>,
    pub(crate) active_count: u64,
    pub(crate) weight: Option<f32>,
    /// Address below the site's root, when the page sets its own.
    pub(crate) url: String,
    /// The reason for which the page wants to be left out.
    pub(crate) skip: Option<SkipReason>,
    /// Fields and tags that are left out, each with its fault, for people.
    pub(crate) faults: Vec<String>,
}

/// Begins the fault of a block that is no YAML and was read line by line; the number of the faulty line of the page follows.
pub const MALFORMED: &str = "front matter is no YAML in line ";

/// The language of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    Yaml,
    Toml,
}

/// Splits a page into its block of fields and the rest. `None` when it does not begin with a closed block.
pub(crate) fn split(text: &str) -> Option<(Syntax, &str, &str)> {
    let first_end = text.find('\n')?;
    let (syntax, closers): (_, &[&str]) = match text[..first_end].trim_end() {
        "---" => (Syntax::Yaml, &["---", "..."]),
        "+++" => (Syntax::Toml, &["+++"]),
        _ => return None,
    };
    let mut at = first_end + 1;
    while at < text.len() && at < MAX_BYTES {
        let end = text[at..].find('\n').map_or(text.len(), |len| at + len + 1);
        if closers.contains(&text[at..end].trim_end()) {
            return Some((syntax, &text[first_end + 1..at], &text[end..]));
        }
        at = end;
    }
    None
}

/// Reads the fields. `None` when the block holds something else than fields, so that it is text after all.
pub(crate) fn read(syntax: Syntax, block: &str, options: &InputOptions) -> Option<FrontMatter> {
    let mut malformed = None;
    let mut fields = match syntax {
        Syntax::Yaml if block.trim().is_empty() => Mapping::new(),
        Syntax::Yaml => match parse_yaml(block) {
            Ok(Value::Mapping(fields)) => fields,
            Ok(_) => return None,
            Err(line) => {
                malformed = Some(format!("{MALFORMED}{}", line + 1)); // The block begins in the second line.
                Some(by_line(block, ':')).filter(|fields| !fields.is_empty())?
            }
        },
        Syntax::Toml => by_line(block, '='),
    };
    fields.retain(|key, _| key.as_str().is_some_and(|key| !options.skips(key)));
    let mut found = from_fields(&fields);
    found.faults.extend(malformed);
    Some(found)
}

fn from_fields(fields: &Mapping) -> FrontMatter {
    let mut found = FrontMatter::default();
    for (key, value) in fields {
        let Some(key) = key.as_str() else { continue };
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "title" => found.title = text(value),
            "description" => found.description = text(value),
            "summary" | "excerpt" | "abstract" if found.description.is_empty() => {
                found.description = text(value)
            }
            "tags" | "tag" => extend(&mut found.tags, list(value, true)),
            "category" => found.category = text(value),
            "categories" => {
                let mut categories = list(value, false).into_iter();
                if found.category.is_empty() {
                    found.category = categories.next().unwrap_or_default();
                }
                extend(&mut found.tags, categories.collect());
            }
            "lang" | "language" | "locale" => {
                found.language = Some(text(value)).filter(|lang| !lang.is_empty())
            }
            "created" | "created_at" | "createdat" | "published_at" | "date_published"
            | "pubdate" | "publishdate" => {
                found.created_at = found.date(&key, value).or(found.created_at);
            }
            "date" => found.created_at = found.created_at.or(found.date(&key, value)),
            "updated" | "updated_at" | "updatedat" | "lastmod" | "last_modified"
            | "last_modified_at" | "modified" | "last_updated" | "lastupdated" | "ms.date"
            | "last_update" => {
                let value = value.get("date").unwrap_or(value);
                found.updated_at = found.date(&key, value).or(found.updated_at);
            }
            "active_count" => found.active_count = found.count(&key, value),
            "permalink" | "url" => {
                let address = text(value);
                if let Some(path) = address.strip_prefix('/')
                    && !path.starts_with('/')
                {
                    found.url = path.to_owned();
                }
            }
            "search" => read_search(value, &mut found),
            "noindex" | "search_exclude" | "unlisted" if said(value) == Some(true) => {
                found.skip = Some(SkipReason::NoIndex)
            }
            "pagefind" if said(value) == Some(false) => found.skip = Some(SkipReason::NoIndex),
            "draft" if said(value) == Some(true) => found.skip = Some(SkipReason::Draft),
            "published" if said(value) == Some(false) => found.skip = Some(SkipReason::Draft),
            "redirect_url" | "redirect_to" => found.skip = Some(SkipReason::Redirect),
            _ if key.ends_with("keywords") => extend(&mut found.keywords, list(value, false)),
            _ => {}
        }
    }
    found.updated_at = found.updated_at.or(found.created_at);
    found.drop_faulty_tags();
    found
}

/// The fault of a tag that no question can ask for; `None` for any other.
pub fn tag_fault(tag: &str) -> Option<String> {
    let fault = || format!("tag `{tag}` is without key or value");
    normalize_tag(tag).is_none().then(fault)
}

impl FrontMatter {
    fn drop_faulty_tags(&mut self) {
        let faults = self.tags.iter().filter_map(|tag| tag_fault(tag));
        self.faults.extend(faults);
        self.tags.retain(|tag| tag_fault(tag).is_none());
    }

    /// A date; a fault where something else is written. `false` is no fault: `lastUpdated: false` is an option of themes.
    fn date(&mut self, key: &str, value: &Value) -> Option<i64> {
        let written = text(value);
        let date = dates::parse(&written);
        if date.is_none() && !written.is_empty() && !value.is_bool() {
            self.faults.push(format!("field `{key}` is no date"));
        }
        date
    }

    /// A number of times; a fault where something else is written.
    fn count(&mut self, key: &str, value: &Value) -> u64 {
        let written = text(value);
        written.parse().unwrap_or_else(|_| {
            if !written.is_empty() {
                self.faults
                    .push(format!("field `{key}` is no whole number"));
            }
            0
        })
    }
}

/// Takes in Material's field `search`: whether the page is found, and how much it counts.
/// True or false, also as YAML 1.1 writes it, which Jekyll and Hugo read (`yes`, `off`), and in quotes.
fn said(value: &Value) -> Option<bool> {
    let text = value.as_str().map(str::to_lowercase);
    match text.as_deref() {
        Some("true" | "yes" | "on" | "y") => Some(true),
        Some("false" | "no" | "off" | "n") => Some(false),
        _ => value.as_bool(),
    }
}

fn read_search(value: &Value, found: &mut FrontMatter) {
    let excluded = said(value) == Some(false) || value.get("exclude").and_then(said) == Some(true);
    if excluded {
        found.skip = Some(SkipReason::NoIndex);
    }
    let boost = value.get("boost").and_then(Value::as_f64);
    found.weight = boost.map(|b| b as f32).filter(|w| w.is_finite());
}

fn extend(into: &mut Vec<String>, values: Vec<String>) {
    for value in values {
        if !value.is_empty() && !into.contains(&value) {
            into.push(value);
        }
    }
}

/// A scalar as text; a list as its parts, joined.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => collapse(text, MAX_CHARS),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Sequence(parts) => collapse(
            &parts.iter().map(text).collect::<Vec<_>>().join(", "),
            MAX_CHARS,
        ),
        Value::Tagged(tagged) => text(&tagged.value),
        Value::Null | Value::Mapping(_) => String::new(),
    }
}

/// A list, or text cut at commas (`by_space`: at white space where there is no comma).
fn list(value: &Value, by_space: bool) -> Vec<String> {
    match value {
        Value::Sequence(parts) => parts.iter().map(text).collect(),
        Value::Tagged(tagged) => list(&tagged.value, by_space),
        value => {
            let text = text(value);
            if by_space && !text.contains(',') {
                return text.split(' ').map(str::to_owned).collect();
            }
            text.split([',', ';'])
                .map(|part| part.trim().to_owned())
                .collect()
        }
    }
}

/// Reads `key<separator>value` lines, with values in YAML's notation, which the simple values of TOML share.
/// Serves TOML, and YAML that a stray sign makes invalid: one bad line costs one field.
fn by_line(block: &str, separator: char) -> Mapping {
    let mut fields = Mapping::new();
    let mut lines = block.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = line.split_once(separator) else {
            continue;
        };
        let key = if separator == '=' { key.trim() } else { key };
        let is_key = !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if !is_key {
            continue;
        }
        let mut value = value.trim().to_owned();
        while value.starts_with('[') && !value.contains(']') && value.len() < MAX_BYTES {
            let Some(next) = lines.next() else { break };
            value.push(' ');
            value.push_str(next.trim());
        }
        if value.is_empty() {
            let mut parts = Vec::new();
            while let Some(part) = lines
                .peek()
                .and_then(|next| next.trim_start().strip_prefix("- "))
            {
                parts.push(scalar(part));
                lines.next();
            }
            fields.insert(Value::from(key), Value::Sequence(parts));
        } else {
            fields.insert(Value::from(key), scalar(&value));
        }
    }
    fields
}

fn scalar(value: &str) -> Value {
    match parse_yaml(value) {
        Ok(Value::Mapping(_)) | Err(_) => Value::from(value.trim_matches(['"', '\''])),
        Ok(value) => value,
    }
}

/// YAML, unless it is invalid or nests as no page's fields do: the parser's time grows with the square of the depth.
///
/// *Errors*: the line of the fault, counted from 1.
fn parse_yaml(text: &str) -> Result<Value, usize> {
    let (mut depth, mut line) = (0usize, 1);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' => line += 1,
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(line);
        }
    }
    let parsed = serde_yaml_ng::from_str(text);
    parsed.map_err(|error| error.location().map_or(1, |place| place.line()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_page(page: &str, skip: &[&str]) -> (Option<FrontMatter>, String) {
        let options = InputOptions {
            skip_fields: skip.iter().map(|s| (*s).to_owned()).collect(),
            ..InputOptions::default()
        };
        match split(page) {
            Some((syntax, block, rest)) => (read(syntax, block, &options), rest.to_owned()),
            None => (None, page.to_owned()),
        }
    }

    #[test]
    fn yaml_fields_are_read() {
        let page = "---\r\ntitle: \"A: b\"\r\ndescription: >\r\n  one\r\n  two\r\nms.date: 05/01/2024\r\ndate: 2024-04-01\r\n\
            f1_keywords: [\"X::Y\", Z]\r\nhelpviewer_keywords:\r\n  - \"memory, managing\"\r\nkeywords: a, b\r\ntags: x y\r\n\
            categories: [guide, extra]\r\nlang: de\r\npermalink: /a/b/\r\nsearch:\r\n  boost: 2\r\n---\r\nText";
        let (found, rest) = read_page(page, &[]);
        let found = found.expect("fields");
        assert_eq!(rest, "Text");
        assert_eq!(
            (found.title.as_str(), found.description.as_str()),
            ("A: b", "one two")
        );
        assert_eq!(found.keywords, ["X::Y", "Z", "memory, managing", "a", "b"]);
        assert_eq!(found.tags, ["x", "y", "extra"]);
        assert_eq!(
            (found.category.as_str(), found.language.as_deref()),
            ("guide", Some("de"))
        );
        assert_eq!(
            (found.created_at, found.updated_at),
            (Some(1_711_929_600), Some(1_714_521_600))
        );
        assert_eq!((found.url.as_str(), found.weight), ("a/b/", Some(2.0)));
    }

    #[test]
    fn skipped_fields_are_gone() {
        let page = "---\ntitle: T\nDescription: D\nkeywords: [k]\nf1_keywords: [f]\n---\n";
        let (found, _) = read_page(page, &["description", "f1_keywords"]);
        let found = found.expect("fields");
        assert_eq!(
            (found.description.as_str(), found.keywords),
            ("", vec!["k".to_owned()])
        );
    }

    #[test]
    fn toml_and_broken_yaml_are_read_line_by_line() {
        let (found, rest) = read_page(
            "+++\ntitle = \"T\"\ndate = 2024-05-01\ntags = [\n  \"a\",\n  \"b\"\n]\n[extra]\nx = 1\n+++\nBody",
            &[],
        );
        let found = found.expect("fields");
        assert_eq!((found.title.as_str(), rest.as_str()), ("T", "Body"));
        assert_eq!(
            (found.tags, found.created_at),
            (vec!["a".to_owned(), "b".to_owned()], Some(1_714_521_600))
        );
        let (found, _) = read_page(
            "---\ntitle: Errors: a \"guide\": part\n\tbad\nkeywords:\n- a\n- b: c\n---\n",
            &[],
        );
        let found = found.expect("fields");
        assert_eq!(found.title, "Errors: a \"guide\": part");
        assert_eq!(found.keywords[0], "a");
    }

    #[test]
    fn a_rule_is_no_front_matter() {
        assert_eq!(read_page("---\nJust text\n---\nmore", &[]).0, None);
        assert_eq!(split("---\nnever closed\n"), None);
        assert_eq!(split("# Title\n---\n"), None);
        assert_eq!(split("---"), None);
        assert!(read_page("---\n---\nText", &[]).0.is_some());
    }

    #[test]
    fn pages_may_ask_to_be_left_out() {
        for (field, reason) in [
            ("draft: true", SkipReason::Draft),
            ("draft: yes", SkipReason::Draft),
            ("published: \"False\"", SkipReason::Draft),
            ("noindex: on", SkipReason::NoIndex),
            ("search: no", SkipReason::NoIndex),
            ("search: false", SkipReason::NoIndex),
            ("search: {exclude: true}", SkipReason::NoIndex),
            ("redirect_url: /x", SkipReason::Redirect),
        ] {
            let (found, _) = read_page(&format!("---\n{field}\n---\n"), &[]);
            assert_eq!(found.expect("fields").skip, Some(reason), "{field}");
        }
        let (found, _) = read_page("---\ndraft: false\nsearch: true\n---\n", &[]);
        assert_eq!(found.expect("fields").skip, None);
    }

    #[test]
    fn what_says_nothing_is_a_fault() {
        let page = "---\ndate: soon\nlastUpdated: false\nupdated: 2024-05-01\nmodified: {by: me}\npubdate:\n\
            active_count: many\ntags: [a, kind=, \"=x\", formula=e=mc2]\n---\n";
        let (found, _) = read_page(page, &[]);
        let found = found.expect("fields");
        assert_eq!(
            found.faults,
            [
                "field `date` is no date",
                "field `active_count` is no whole number",
                "tag `kind=` is without key or value",
                "tag `=x` is without key or value",
            ]
        );
        assert_eq!(found.tags, ["a", "formula=e=mc2"]);
        for (page, line) in [
            ("---\ntags: [a]\ntitle: A: b\n---\n", 3),
            ("---\r\nlang: de\r\ntitle: [a\r\n---\r\n", 4),
        ] {
            let (found, _) = read_page(page, &[]);
            let fault = format!("{MALFORMED}{line}");
            assert_eq!(found.expect("fields").faults, [fault], "{page}");
        }
        assert_eq!(
            (found.updated_at, found.active_count),
            (Some(1_714_521_600), 0)
        );
        let (found, _) = read_page("---\nactive_count: 7\ndate: 2024-05-01\n---\n", &["date"]);
        let found = found.expect("fields");
        assert_eq!((found.active_count, found.faults), (7, vec![]));
        let (found, _) = read_page("---\ndate: soon\n---\n", &["date"]);
        assert_eq!(found.expect("fields").faults, [""; 0], "it is not read");
    }

    #[test]
    fn hostile_yaml_is_survived() {
        let bomb = "a: &a [x,x,x,x,x,x,x,x]\n".to_owned()
            + &(b'b'..=b'm')
                .map(|c| {
                    format!(
                        "{0}: &{0} [{1}]\n",
                        char::from(c),
                        vec![format!("*{}", char::from(c - 1)); 8].join(",")
                    )
                })
                .collect::<String>();
        read_page(&format!("---\n{bomb}---\n"), &[]);
        read_page(&format!("---\na: {}\n---\n", "[".repeat(50_000)), &[]);
        read_page(&format!("---\n{}\n---\n", "{a: ".repeat(50_000)), &[]);
    }
}
