//! A chat endpoint: what it is asked, and the plain text of its answer.

use super::cache::{self, Key};
use super::queue::{Queue, Refusal};
use knarr::search::endpoints::IntentEndpoint;
use serde_json::{Map, Value, json};

/// A chat endpoint with what is sent besides the messages.
pub struct Chat {
    /// Address, headers and limits.
    pub endpoint: IntentEndpoint,
    /// More fields of the request; null takes one of ours away.
    pub params: Map<String, Value>,
}

/// The two messages of a request.
pub struct Question {
    /// The task.
    pub system: &'static str,
    /// The material.
    pub user: String,
}

impl Chat {
    /// A hash of everything the answer depends on: the model and its settings, and the words of the question. Not the
    /// address: an answer is the same through a proxy.
    pub fn key(&self, question: &Question) -> Key {
        let params = Value::Object(self.params.clone()).to_string();
        let model = &self.endpoint.model;
        cache::key(&["chat 1", model, &params, question.system, &question.user])
    }

    /// Asks; the answer's text as it is. `read` says what is wrong with a text, which is then asked for again.
    pub fn ask(
        &self,
        queue: &Queue,
        question: &Question,
        read: impl Fn(&str) -> Result<(), String>,
    ) -> Result<String, Refusal> {
        let mut body = json!({
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            "temperature": 0,
        });
        if !self.endpoint.model.is_empty() {
            body["model"] = json!(self.endpoint.model);
        }
        let fields = body.as_object_mut().expect("an object was just made");
        for (name, value) in &self.params {
            match value {
                Value::Null => fields.remove(name),
                value => fields.insert(name.clone(), value.clone()),
            };
        }
        queue.ask(self.endpoint.target(), &body, |answer| {
            let text = content(answer)?;
            read(&text).map(|()| text)
        })
    }
}

fn content(completion: &Value) -> Result<String, String> {
    match completion.pointer("/choices/0/message/content") {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Array(parts)) => Ok(parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect()),
        _ => Err("its answer has no choices[0].message.content".into()),
    }
}

/// A model's text as plain text: without what it thought aloud, fences around the whole, control and direction
/// characters, and more than one blank line in a row.
pub fn plain(text: &str) -> String {
    let mut text = text.trim();
    if let Some(end) = text.rfind("</think>") {
        text = text[end + "</think>".len()..].trim();
    } else if text.starts_with("<think>") {
        text = "";
    }
    if let Some(inner) = text.strip_prefix("```").and_then(|t| t.strip_suffix("```")) {
        // The first line is the fence's language.
        text = inner.split_once('\n').map_or("", |(_, rest)| rest).trim();
    }
    let mut out = String::with_capacity(text.len());
    let mut n_breaks = 0;
    for c in text.chars() {
        match c {
            '\n' => n_breaks += 1,
            '\t' => out.push(' '),
            '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() => {}
            c => {
                for _ in 0..n_breaks.min(2) {
                    out.push('\n');
                }
                n_breaks = 0;
                out.push(c);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_text_becomes_plain() {
        assert_eq!(
            plain("<think>hm\n# no</think>\n```markdown\n# A\r\n\n\n\nb\u{7}\u{202E}c\n```"),
            "# A\n\nbc"
        );
        assert_eq!(plain("<think>never done"), "");
        assert_eq!(
            plain("Use ``` here.\n```\nx\n```"),
            "Use ``` here.\n```\nx\n```"
        );
    }

    #[test]
    fn a_text_may_come_in_parts() {
        let of = |content: Value| content_of(&content);
        assert_eq!(of(json!("a")), Ok("a".into()));
        assert_eq!(
            of(json!([{"type": "text", "text": "a"}, {"text": "b"}])),
            Ok("ab".into())
        );
        assert!(of(Value::Null).is_err());
    }

    fn content_of(content: &Value) -> Result<String, String> {
        super::content(&json!({"choices": [{"message": {"content": content}}]}))
    }
}
