//! The conversation that a question belongs to.

use super::json::{Reader, wrong};
use crate::base::error::Result;
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
    /// The message as plain text.
    pub content: String,
}

impl Session {
    /// Reads `{"messages": [{"role", "content"}], "summary"}`; null is an empty conversation.
    ///
    /// A content is a text, or a list of parts of which the first with a text counts (specification §3). Messages of other
    /// systems carry more members, which are passed over. Errors: `INVALID_ARGUMENT`.
    pub fn from_value(value: Value) -> Result<Self> {
        if value.is_null() {
            return Ok(Self::default());
        }
        let mut reader = Reader::new("the session", value)?;
        let mut session = Self {
            messages: Vec::new(),
            summary: reader.text("summary")?.unwrap_or_default(),
        };
        let refuse = |what: &str| Err(wrong(&["the session: ", what]));
        let messages = match reader.value("messages") {
            None => Vec::new(),
            Some(Value::Array(messages)) => messages,
            Some(_) => return refuse("messages is not a list"),
        };
        reader.finish()?;
        for message in messages {
            let Some(role) = message["role"].as_str() else {
                return refuse("a message has no role");
            };
            let content = match message.get("content") {
                Some(Value::String(text)) => text.as_str(),
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().find_map(|part| part["text"].as_str());
                    texts.unwrap_or_default()
                }
                Some(Value::Null) => "",
                _ => return refuse("the content of a message is not a text"),
            };
            session.messages.push(Message {
                role: role.to_owned(),
                content: content.to_owned(),
            });
        }
        Ok(session)
    }

    /// True when it has neither messages nor a summary.
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
