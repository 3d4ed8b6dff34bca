//! A rerank exchange of any shape, written as JSON with places to fill. Source of the need: VikingDB behind a proxy,
//! whose request is `{"data": [[{"text"}]…], "query": [{"text"}]}` and whose answer is `result.data[].score`.

use super::json::{Reader, text, whole};
use crate::base::error::Result;
use serde_json::Value;

/// Request and answer of an endpoint.
///
/// In `request`, the text `"{{documents}}"` becomes the list of documents and `"{{n}}"` their number; `{{query}}` and
/// `{{model}}` are replaced inside texts. In `document`, `{{document}}` is replaced inside texts.
/// The other members are JSON pointers (RFC 6901); the empty one is the value itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The request's body.
    pub request: Value,
    /// One document in the list.
    pub document: Value,
    /// JSON pointer to the answer's list: `/result/data`.
    pub results: String,
    /// JSON pointer to the score in an item of the list: `/score`.
    pub score: String,
    /// JSON pointer to the document's number in an item, counted from 0. Not given: the items stand in the order of
    /// the documents.
    pub index: Option<String>,
}

impl Template {
    /// Reads a template. Errors: `INVALID_ARGUMENT` naming the member.
    pub fn from_value(value: Value) -> Result<Self> {
        let mut reader = Reader::new("the rerank template", value)?;
        let template = Self {
            request: match reader.value("request") {
                Some(request) => request,
                None => return Err(reader.refuse("request", "there, but it has to be")),
            },
            document: reader
                .value("document")
                .unwrap_or_else(|| text("{{document}}")),
            results: reader.text("results")?.unwrap_or_default(),
            score: reader.text("score")?.unwrap_or_default(),
            index: reader.text("index")?,
        };
        reader.finish()?;
        Ok(template)
    }

    /// The body for a query and its documents.
    pub fn fill(&self, model: &str, query: &str, documents: &[String]) -> Value {
        let list: Vec<Value> = documents
            .iter()
            .map(|text| {
                replace(&self.document, &|place| {
                    put(place, &[("{{document}}", text)])
                })
            })
            .collect();
        let values = [("{{query}}", query), ("{{model}}", model)];
        replace(&self.request, &|place| match place {
            "{{documents}}" => Value::Array(list.clone()),
            "{{n}}" => whole(documents.len()),
            text => put(text, &values),
        })
    }
}

/// `value` with every text in it replaced; keys stay.
fn replace(value: &Value, with: &dyn Fn(&str) -> Value) -> Value {
    match value {
        Value::String(text) => with(text),
        Value::Array(items) => items.iter().map(|item| replace(item, with)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            members
                .map(|(key, value)| (key.clone(), replace(value, with)))
                .collect()
        }
        other => other.clone(),
    }
}

/// Replaces places in a text, each once read from the template: what is put in is not searched for places.
fn put(text: &str, values: &[(&str, &str)]) -> Value {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let (before, from) = rest.split_at(at);
        out += before;
        match values.iter().find(|(place, _)| from.starts_with(place)) {
            Some((place, value)) => {
                out += value;
                rest = &from[place.len()..];
            }
            None => {
                out += "{{";
                rest = &from[2..];
            }
        }
    }
    Value::String(out + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fills_vikingdbs_request() {
        let template: Template = Template::from_value(json!({
            "request": {"model_name": "{{model}}", "data": "{{documents}}", "query": [{"text": "Q: {{query}}"}], "n": "{{n}}", "x": [1, null]},
            "document": [{"text": "{{document}}"}],
            "results": "/result/data",
            "score": "/score",
        }))
        .expect("read");
        let documents = ["a".to_owned(), "{{query}}".to_owned()];
        assert_eq!(
            template.fill("m", "{{model}} {{q", &documents),
            json!({"model_name": "m", "data": [[{"text": "a"}], [{"text": "{{query}}"}]],
                "query": [{"text": "Q: {{model}} {{q"}], "n": 2, "x": [1, null]})
        );
    }

    #[test]
    fn a_document_is_a_text_unless_said_otherwise() {
        let template: Template =
            Template::from_value(json!({"request": {"texts": "{{documents}}"}})).expect("read");
        let filled = template.fill("", "q", &["a".to_owned()]);
        assert_eq!(filled, json!({"texts": ["a"]}));
    }
}
