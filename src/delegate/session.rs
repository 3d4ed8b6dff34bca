//! The conversation that a question belongs to.

use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::Value;

/// A conversation: what was said, and what was said before that, in short.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// Messages, oldest first.
    pub messages: Vec<Message>,
    /// Summary of what came before the messages.
    pub summary: String,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who: `user`, `assistant`, or what the application calls it.
    pub role: String,
    /// What was said: plain text.
    pub content: String,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Raw {
    messages: Vec<RawMessage>,
    summary: Option<String>,
}

/// Messages of other systems carry more fields; they are ignored.
#[derive(Deserialize)]
struct RawMessage {
    role: String,
    content: Value,
}

impl Session {
    /// Reads `{"messages": [{"role", "content"}], "summary"}`; null is an empty conversation.
    ///
    /// A content is a text, or a list of parts of which the first with a text counts (specification §3).
    /// Errors: `INVALID_ARGUMENT`.
    pub fn from_value(value: Value) -> Result<Self> {
        let wrong =
            |what: &str| Error::new(ErrorKind::InvalidArgument, ["the session: ", what].concat());
        if value.is_null() {
            return Ok(Self::default());
        }
        if !value.is_object() {
            return Err(wrong("it is not an object"));
        }
        let raw: Raw = serde_json::from_value(value).map_err(|error| wrong(&error.to_string()))?;
        let mut session = Self {
            messages: Vec::new(),
            summary: raw.summary.unwrap_or_default(),
        };
        for message in raw.messages {
            let content = match &message.content {
                Value::String(text) => text.clone(),
                Value::Array(parts) => parts
                    .iter()
                    .find_map(|part| part.get("text").and_then(Value::as_str))
                    .unwrap_or_default()
                    .to_owned(),
                Value::Null => String::new(),
                _ => return Err(wrong("the content of a message is not a text")),
            };
            session.messages.push(Message {
                role: message.role,
                content,
            });
        }
        Ok(session)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        let blank = |text: &str| text.trim().is_empty();
        blank(&self.summary) && self.messages.iter().all(|m| blank(&m.content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_texts_and_parts() {
        let session = Session::from_value(json!({"messages": [
            {"role": "user", "content": "a", "id": 7},
            {"role": "assistant", "content": [{"type": "image"}, {"type": "text", "text": "b"}]},
            {"role": "tool", "content": null},
        ]}))
        .expect("read");
        let contents: Vec<&str> = session
            .messages
            .iter()
            .map(|m| m.content.as_str())
            .collect();
        assert_eq!(contents, ["a", "b", ""]);
        assert!(!session.is_empty());
        assert!(Session::from_value(Value::Null).expect("none").is_empty());
        let blank = json!({"messages": [{"role": "user", "content": " "}], "summary": ""});
        assert!(Session::from_value(blank).expect("read").is_empty());
    }

    #[test]
    fn refuses_other_shapes() {
        for value in [
            json!([]),
            json!({"message": []}),
            json!({"messages": [{"content": "a"}]}),
            json!({"messages": [{"role": "user", "content": 3}]}),
        ] {
            let error = Session::from_value(value).expect_err("refused");
            assert!(error.message().starts_with("the session: "));
        }
    }
}
