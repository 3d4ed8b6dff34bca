//! Where the endpoints are and how they want to be asked. Everything has a default but the address.
//!
//! Keys are headers (`headers: {"authorization": "Bearer …"}`): they are part of the caller's configuration, never of a
//! bundle, and never of a message.

use super::template::Template;
use crate::error::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The endpoints of a site. What is not named is not asked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Endpoints {
    /// Turns a conversation into queries.
    pub intent: Option<IntentEndpoint>,
    /// Scores candidates again.
    pub rerank: Option<RerankEndpoint>,
    /// Makes the question's vector.
    pub embedding: Option<EmbeddingEndpoint>,
}

/// What every endpoint has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target<'e> {
    /// Address.
    pub url: &'e str,
    /// Headers to send.
    pub headers: &'e BTreeMap<String, String>,
    /// Milliseconds for the whole exchange, a repetition included.
    pub timeout_ms: u32,
    /// Longest body that is read.
    pub max_bytes: u32,
}

/// Which `response_format` an intent endpoint is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseFormat {
    /// The field is not sent: every endpoint takes that, and the answer is read leniently.
    #[default]
    None,
    /// `{"type": "json_object"}`.
    Object,
    /// A JSON schema of the plan.
    Schema,
}

/// An OpenAI-compatible chat endpoint.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntentEndpoint {
    /// Address of the chat completions.
    pub url: String,
    /// Name of the model; empty: the field is not sent (a proxy may know it).
    #[serde(default)]
    pub model: String,
    /// Headers to send, the key among them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Milliseconds for the exchange. 5000: a question that waits longer is better searched as it is (specification §1.1).
    #[serde(default = "intent_timeout")]
    pub timeout_ms: u32,
    /// Longest body that is read. A plan is two kilobytes; the rest is room for models that think aloud.
    #[serde(default = "intent_bytes")]
    pub max_bytes: u32,
    /// What to ask for as `response_format`.
    #[serde(default)]
    pub response_format: ResponseFormat,
    /// 0 gives the same plan for the same question; null leaves the field out, for models that refuse it.
    #[serde(default = "zero")]
    pub temperature: Option<f64>,
    /// Types of context that the site has: queries of another type are not asked for. All three unless named.
    #[serde(default = "all_types")]
    pub context_types: Vec<String>,
    /// More fields of the request; they replace ours of the same name.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// The shape of rerank requests and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RerankFlavour {
    /// `{model, query, documents, top_n}` → `results[{index, relevance_score}]`, as Jina, vLLM, LiteLLM and others have it.
    #[default]
    Openai,
    /// Cohere's `/v2/rerank`.
    Cohere,
    /// DashScope's native shape: `{model, input, parameters}` → `output.results`.
    Dashscope,
    /// As [`RerankEndpoint::template`] says.
    Template,
}

/// What a rerank model's numbers are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scores {
    /// Relevances in [0, 1], taken as they are. A number outside is a mistake in the configuration and is said.
    #[default]
    Unit,
    /// Unbounded logits, mapped by the logistic function: 0 becomes .5, 4 becomes .98.
    Logit,
}

/// A rerank endpoint.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RerankEndpoint {
    /// Address.
    pub url: String,
    /// Shape of the exchange.
    #[serde(default)]
    pub flavour: RerankFlavour,
    /// Name of the model; empty: the field is not sent, or Cohere's default.
    #[serde(default)]
    pub model: String,
    /// Headers to send, the key among them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Milliseconds for the exchange.
    #[serde(default = "other_timeout")]
    pub timeout_ms: u32,
    /// Longest body that is read.
    #[serde(default = "other_bytes")]
    pub max_bytes: u32,
    /// How many local results are sent, when that is more than the caller's limit. More costs tokens and time and lets the
    /// model find what words and vectors ranked low; 0 reorders the results and finds no others.
    #[serde(default = "candidates")]
    pub candidates: usize,
    /// Budget of estimated tokens for the question with one document; 0: none, else at least 128.
    #[serde(default)]
    pub max_input_tokens: usize,
    /// What the numbers are.
    #[serde(default)]
    pub scores: Scores,
    /// Request and answer of [`RerankFlavour::Template`].
    #[serde(default)]
    pub template: Option<Template>,
    /// More fields of the request; they replace ours of the same name.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// The shape of embedding requests and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EmbeddingFlavour {
    /// `{model, input, dimensions?}` → `data[{index, embedding}]`.
    #[default]
    Openai,
    /// Cohere's `/v2/embed`, with `input_type: "search_query"`.
    Cohere,
    /// Jina's, with `task: "retrieval.query"`.
    Jina,
}

/// An embedding endpoint.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingEndpoint {
    /// Address.
    pub url: String,
    /// Shape of the exchange.
    #[serde(default)]
    pub flavour: EmbeddingFlavour,
    /// Name of the model.
    pub model: String,
    /// Headers to send, the key among them.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Milliseconds for the exchange.
    #[serde(default = "other_timeout")]
    pub timeout_ms: u32,
    /// Longest body that is read. A vector of 4096 numbers is 50 kB of JSON.
    #[serde(default = "other_bytes")]
    pub max_bytes: u32,
    /// Dimensions to ask for, where the model can shorten its vectors.
    #[serde(default)]
    pub dimensions: Option<u32>,
    /// Put before a question, for models that were trained so (`"query: "`).
    #[serde(default)]
    pub query_prefix: String,
    /// More fields of the request for questions (`{"input_type": "query"}`); they replace ours of the same name.
    #[serde(default)]
    pub query_params: Map<String, Value>,
    /// The bundle's encoder, as `inspect` reports it, when it is not `model:NAME@DIMENSIONS`.
    #[serde(default)]
    pub encoder: Option<String>,
}

/// What a search has to know of the bundle.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Bundle {
    /// Who made the vectors; empty without vectors.
    pub encoder: String,
    /// Dimensions; 0 without vectors.
    pub dims: u32,
}

fn intent_timeout() -> u32 {
    5_000
}

fn intent_bytes() -> u32 {
    256 << 10
}

fn other_timeout() -> u32 {
    10_000
}

fn other_bytes() -> u32 {
    1 << 20
}

fn candidates() -> usize {
    20
}

fn zero() -> Option<f64> {
    Some(0.0)
}

fn all_types() -> Vec<String> {
    super::intent::CONTEXT_TYPES.map(str::to_owned).to_vec()
}

/// Most candidates that are sent: what a request of a megabyte or two holds.
const MAX_CANDIDATES: usize = 1_000;
/// Fewest tokens of a budget (specification §4.1).
const MIN_TOKENS: usize = 128;

impl Endpoints {
    /// Reads a configuration and checks it.
    ///
    /// Errors: `INVALID_ARGUMENT` naming the field that is unknown, of the wrong type or out of range.
    pub fn from_value(value: Value) -> Result<Self> {
        // Derived readers take a list for a struct.
        if !value.is_object() {
            return Err(invalid(&["the endpoints are not an object"]));
        }
        let endpoints: Self = serde_json::from_value(value)
            .map_err(|error| invalid(&["the endpoints: ", &error.to_string()]))?;
        endpoints.check()?;
        Ok(endpoints)
    }

    fn check(&self) -> Result<()> {
        if let Some(intent) = &self.intent {
            check_target("intent", intent.target())?;
            let known = |name: &String| super::intent::CONTEXT_TYPES.contains(&name.as_str());
            if intent.context_types.is_empty() || !intent.context_types.iter().all(known) {
                return Err(invalid(&[
                    "the intent endpoint: context_types are memory, resource and skill",
                ]));
            }
        }
        if let Some(rerank) = &self.rerank {
            check_target("rerank", rerank.target())?;
            let wrong = |what: &str| Err(invalid(&["the rerank endpoint: ", what]));
            if rerank.candidates > MAX_CANDIDATES {
                return wrong("candidates are at most 1000");
            }
            if rerank.max_input_tokens != 0 && rerank.max_input_tokens < MIN_TOKENS {
                return wrong("max_input_tokens is 0 (no budget) or at least 128");
            }
            if (rerank.flavour == RerankFlavour::Template) != rerank.template.is_some() {
                return wrong("a template belongs to the flavour \"template\", and only to it");
            }
        }
        if let Some(embedding) = &self.embedding {
            check_target("embedding", embedding.target())?;
        }
        Ok(())
    }
}

fn check_target(name: &str, target: Target<'_>) -> Result<()> {
    let wrong = |what: &str| Err(invalid(&["the ", name, " endpoint: ", what]));
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| target.url.strip_prefix(scheme));
    let is_address = host.is_some_and(|h| !h.is_empty() && !h.starts_with('/'));
    if !is_address || target.url.contains(char::is_whitespace) {
        return wrong("url is not an http(s) address");
    }
    // The key is in a value: it is not repeated here.
    let is_name = |n: &str| !n.is_empty() && n.chars().all(|c| c.is_ascii_graphic() && c != ':');
    if let Some((name, _)) = target
        .headers
        .iter()
        .find(|(n, v)| !is_name(n) || v.contains(|c: char| c.is_control() || !c.is_ascii()))
    {
        return wrong(&["the header ", name, " cannot be sent"].concat());
    }
    if target.timeout_ms == 0 || target.max_bytes == 0 {
        return wrong("timeout_ms and max_bytes are above 0");
    }
    Ok(())
}

fn invalid(message: &[&str]) -> Error {
    Error::new(ErrorKind::InvalidArgument, message.concat())
}

/// Gives each endpoint its [`Target`].
macro_rules! targets {
    ($($endpoint:ident),*) => {$(
        impl $endpoint {
            /// Address, headers and limits.
            pub fn target(&self) -> Target<'_> {
                Target {
                    url: &self.url,
                    headers: &self.headers,
                    timeout_ms: self.timeout_ms,
                    max_bytes: self.max_bytes,
                }
            }
        }
    )*};
}

targets!(IntentEndpoint, RerankEndpoint, EmbeddingEndpoint);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(value: Value) -> String {
        let error = Endpoints::from_value(value).expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.message().to_owned()
    }

    #[test]
    fn an_address_is_enough() {
        let endpoints = Endpoints::from_value(json!({
            "intent": {"url": "https://a.example/v1/chat/completions"},
            "rerank": {"url": "http://127.0.0.1:8080/rerank"},
            "embedding": {"url": "https://a.example/v1/embeddings", "model": "m"},
        }))
        .expect("accepted");
        let intent = endpoints.intent.expect("there");
        assert_eq!((intent.timeout_ms, intent.temperature), (5_000, Some(0.0)));
        assert_eq!(intent.context_types, ["memory", "resource", "skill"]);
        assert_eq!(endpoints.rerank.expect("there").candidates, 20);
        assert_eq!(
            Endpoints::from_value(json!({})).expect("none"),
            Endpoints::default()
        );
    }

    #[test]
    fn mistakes_are_named() {
        let url = "https://a.example/";
        assert!(message(json!({"reranc": {}})).contains("reranc"));
        assert!(message(json!({"rerank": {"url": url, "tresh": 1}})).contains("tresh"));
        assert!(message(json!({"rerank": {}})).contains("url"));
        assert!(message(json!([])).contains("object"));
        for url in ["/api", "ftp://a", "https://", "https:///x", "https://a b"] {
            assert!(
                message(json!({"intent": {"url": url}})).contains("url"),
                "{url}"
            );
        }
        let budget = json!({"rerank": {"url": url, "max_input_tokens": 64}});
        assert!(message(budget).contains("128"));
        let template = json!({"rerank": {"url": url, "flavour": "template"}});
        assert!(message(template).contains("template"));
        let types = json!({"intent": {"url": url, "context_types": ["page"]}});
        assert!(message(types).contains("context_types"));
        let key = json!({"intent": {"url": url, "headers": {"authorization": "Bearer s3cret\n"}}});
        let message = message(key);
        assert!(message.contains("authorization") && !message.contains("s3cret"));
    }

    #[test]
    fn null_leaves_the_temperature_out() {
        let value = json!({"intent": {"url": "https://a.example/", "temperature": null}});
        let endpoints = Endpoints::from_value(value).expect("accepted");
        assert_eq!(endpoints.intent.expect("there").temperature, None);
    }
}
