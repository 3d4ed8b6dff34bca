//! A line of a file of JSON lines: its fields, each with what it may have.

use crate::failure::{Outcome, invalid};
use crate::judgements::plain;
use knarr::indexer::input;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The fields as they were written.
#[derive(Default, Deserialize)]
#[serde(
    default,
    expecting = "an object, such as {\"id\": \"a\", \"text\": \"…\"}"
)]
struct Fields {
    id: Value,
    title: Value,
    text: Value,
    path: Value,
    uri: Value,
    #[serde(rename = "type")]
    context_type: Value,
    tags: Value,
    created_at: Value,
    updated_at: Value,
    active_count: Value,
    /// Fields that nobody reads.
    #[serde(flatten)]
    unknown: BTreeMap<String, Value>,
}

/// A document.
#[derive(Debug, Default)]
pub struct Row {
    /// Line of the file, from 1.
    pub line: usize,
    /// Its name in judgements; becomes the address of the page.
    pub id: Option<String>,
    /// Title; empty when there is none.
    pub title: String,
    /// The text, Markdown.
    pub text: String,
    /// Path in the tree; the id when there is none.
    pub path: Option<String>,
    /// The place itself, `viking://…`; wins over the path.
    pub uri: Option<String>,
    /// `memory`, `resource` or `skill`: decides the place of a path, and has to agree with a URI.
    pub context_type: Option<String>,
    /// `key=value` or single words.
    pub tags: Vec<String>,
    /// A date.
    pub created_at: Option<Date>,
    /// A date.
    pub updated_at: Option<Date>,
    /// Times that it was used.
    pub active_count: u64,
    /// Names of fields that nobody reads.
    pub unknown: Vec<String>,
}

/// A date as text, or seconds since 1970 UTC, or milliseconds where seconds would lie beyond the year 5000.
#[derive(Debug)]
pub enum Date {
    /// As people write it.
    Text(String),
    /// As programs count it.
    Number(f64),
}

/// Seconds at the beginning of the year 5138: as milliseconds it is 1973.
const MOST_SECONDS: f64 = 1e11;

impl Date {
    /// Seconds since 1970 UTC; `None` for a text that is no date.
    pub fn seconds(&self) -> Option<i64> {
        match self {
            Self::Text(text) => input::parse_date(text),
            Self::Number(n) if n.abs() < MOST_SECONDS => Some(n.floor() as i64),
            Self::Number(n) if n.is_finite() => Some((n / 1000.0).floor() as i64),
            Self::Number(_) => None,
        }
    }
}

/// The rows of a file. Blank lines are passed over. Errors: `INVALID_ARGUMENT`, with the line.
pub fn rows(text: &str, file: &Path) -> Outcome<Vec<Row>> {
    let lines = (1..).zip(text.lines());
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    let rows = rows.map(|(number, line)| match Row::read(line) {
        Ok(row) => Ok(Row {
            line: number,
            ..row
        }),
        Err(what) => Err(invalid(format!(
            "{}, line {number}: {what}",
            file.display()
        ))),
    });
    rows.collect()
}

impl Row {
    /// Reads a line. A field that is `null` is none. Errors: the reason, for people.
    pub fn read(line: &str) -> Result<Self, String> {
        let fields: Fields = serde_json::from_str(line).map_err(|error| plain(&error))?;
        Ok(Self {
            line: 0,
            id: text("id", fields.id)?,
            title: one_line(&text("title", fields.title)?.unwrap_or_default()),
            text: text("text", fields.text)?.unwrap_or_default(),
            path: text("path", fields.path)?,
            uri: text("uri", fields.uri)?,
            context_type: text("type", fields.context_type)?,
            tags: tags(fields.tags)?,
            created_at: date("created_at", fields.created_at)?,
            updated_at: date("updated_at", fields.updated_at)?,
            active_count: count("active_count", &fields.active_count)?,
            unknown: fields.unknown.into_keys().collect(),
        })
    }
}

fn text(name: &str, value: Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        other => Err(wants(name, "a text", &other)),
    }
}

fn tags(value: Value) -> Result<Vec<String>, String> {
    let list = match value {
        Value::Null => Vec::new(),
        Value::String(text) => text.split(',').map(str::to_owned).collect(),
        Value::Array(values) => {
            let tag = |value: Value| match value {
                Value::String(tag) => Ok(tag),
                other => Err(wants("tags", "texts in its list", &other)),
            };
            values.into_iter().map(tag).collect::<Result<_, _>>()?
        }
        other => {
            let wanted = "a list of texts, or one text with commas,";
            return Err(wants("tags", wanted, &other));
        }
    };
    let tags = list.iter().map(|tag| tag.trim());
    Ok(tags.filter(|tag| !tag.is_empty()).map(one_line).collect())
}

/// A text of one line without control characters, as the titles and tags of HTML and Markdown are.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn date(name: &str, value: Value) -> Result<Option<Date>, String> {
    let number = value.as_f64();
    match (value, number) {
        (Value::Null, _) => Ok(None),
        (Value::String(text), _) => Ok(Some(Date::Text(text))),
        (_, Some(number)) => Ok(Some(Date::Number(number))),
        (other, None) => Err(wants(
            name,
            "a date as text, or seconds since 1970 as a number,",
            &other,
        )),
    }
}

fn count(name: &str, value: &Value) -> Result<u64, String> {
    match value {
        Value::Null => Ok(0),
        value => value
            .as_u64()
            .ok_or_else(|| wants(name, "a whole number from 0 on", value)),
    }
}

/// The sentence on a field that has something else than it wants.
fn wants(name: &str, wanted: &str, value: &Value) -> String {
    let has = match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            text.chars().take(40).collect()
        }
    };
    format!("`{name}` wants {wanted} and has {has}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_tags_are_one_line_without_control_characters() {
        let line = r#"{"id": "a", "title": "A\u001b[31m\nb", "tags": ["c\u0007d=e"]}"#;
        let row = Row::read(line).unwrap();
        assert_eq!(
            (&row.title[..], &row.tags[..]),
            ("A [31m b", &["c d=e".to_owned()][..])
        );
    }

    #[test]
    fn a_field_says_what_it_wants() {
        for (line, reason) in [
            (
                r#"{"tags": {"a": 1}}"#,
                "`tags` wants a list of texts, or one text with commas, and has an object",
            ),
            (
                r#"{"tags": ["a", 7]}"#,
                "`tags` wants texts in its list and has 7",
            ),
            (r#"{"id": 5}"#, "`id` wants a text and has 5"),
            (r#"{"text": ["x"]}"#, "`text` wants a text and has a list"),
            (
                r#"{"active_count": "many"}"#,
                "`active_count` wants a whole number from 0 on and has \"many\"",
            ),
            (
                r#"{"active_count": -1}"#,
                "`active_count` wants a whole number from 0 on and has -1",
            ),
            (
                r#"{"created_at": true}"#,
                "`created_at` wants a date as text, or seconds since 1970 as a number, and has true",
            ),
            ("nope", "it is no JSON from column 2 on"),
            (r#"{"id": "a""#, "its JSON does not end"),
            ("[1]", "found a list, expected an object, such as"),
            ("\"x\"", "found string \"x\", expected an object"),
            (r#"{"id": "a", "id": "b"}"#, "duplicate field `id`"),
        ] {
            let said = Row::read(line).expect_err(line);
            assert!(said.starts_with(reason), "{line}: {said}");
            assert!(
                !said.contains("struct") && !said.contains("at line"),
                "{said}"
            );
        }
    }

    #[test]
    fn null_is_nothing() {
        let line = r#"{"id": "a", "title": null, "tags": null, "updated_at": null, "active_count": null, "uri": null}"#;
        let row = Row::read(line).expect("a row");
        assert_eq!(row.id.as_deref(), Some("a"));
        assert!(row.title.is_empty() && row.tags.is_empty() && row.unknown.is_empty());
        assert!(row.updated_at.is_none() && row.uri.is_none() && row.active_count == 0);
    }
}
