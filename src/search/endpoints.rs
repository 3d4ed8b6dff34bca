//! Configuration of the endpoints: addresses, and the form of requests. Everything has a default but the address.
//!
//! Keys are headers (`headers: {"authorization": "Bearer …"}`): they are part of the caller's configuration, never of a
//! bundle, and never of a message.

use super::json::{Reader, wrong};
use super::template::Template;
use crate::base::error::Result;
use crate::base::uri::ContextType;
use serde_json::{Map, Value};

/// The endpoints of a site. What is not named is not asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Endpoints {
    /// Turns a conversation into queries.
    pub intent: Option<IntentEndpoint>,
    /// Scores candidates again.
    pub rerank: Option<RerankEndpoint>,
    /// Makes the question's vector.
    pub embedding: Option<EmbeddingEndpoint>,
}

/// Names and values.
pub type Headers = Vec<(String, String)>;

/// Parts that every endpoint has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target<'e> {
    /// Address.
    pub url: &'e str,
    /// Headers to send.
    pub headers: &'e [(String, String)],
    /// Milliseconds for the whole exchange, a repetition included.
    pub timeout_ms: u32,
    /// Longest body that is read.
    pub max_bytes: u32,
}

/// Value of `response_format` in requests to an intent endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq)]
pub struct IntentEndpoint {
    /// Address of the chat completions.
    pub url: String,
    /// Name of the model; empty: the field is not sent (a proxy may know it).
    pub model: String,
    /// Headers to send, the key among them.
    pub headers: Headers,
    /// Milliseconds for the exchange. 5000: a question that waits longer is better searched as it is (specification §1.1).
    pub timeout_ms: u32,
    /// Longest body that is read. A plan is two kilobytes; the rest is room for models that think aloud.
    pub max_bytes: u32,
    /// Value of `response_format`.
    pub response_format: ResponseFormat,
    /// 0 gives the same plan for the same question; null leaves the field out, for models that refuse it.
    pub temperature: Option<f64>,
    /// Types of context that the site has: queries of another type are not asked for. All three unless named.
    pub context_types: Vec<String>,
    /// More fields of the request; they replace ours of the same name.
    pub extra: Map<String, Value>,
}

/// The shape of rerank requests and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RerankFlavor {
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

/// Scale of a rerank model's numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scores {
    /// Relevances in [0, 1], taken as they are. A number outside is a mistake in the configuration and is said.
    #[default]
    Unit,
    /// Unbounded logits, mapped by the logistic function: 0 becomes .5, 4 becomes .98.
    Logit,
}

/// Configuration of the endpoint that scores candidates again.
#[derive(Debug, Clone, PartialEq)]
pub struct RerankEndpoint {
    /// Address.
    pub url: String,
    /// Shape of the exchange.
    pub flavor: RerankFlavor,
    /// Name of the model; empty: the field is not sent, or Cohere's default.
    pub model: String,
    /// Headers to send, the key among them.
    pub headers: Headers,
    /// Milliseconds for the exchange.
    pub timeout_ms: u32,
    /// Longest body that is read.
    pub max_bytes: u32,
    /// Number of local results sent, when that is more than the caller's limit. More costs tokens and time and lets the
    /// model find what words and vectors ranked low; 0 reorders the results and finds no others.
    pub candidates: u32,
    /// Budget of estimated tokens for the question with one document; 0: none, else at least 128.
    pub max_input_tokens: u32,
    /// Scale of the numbers.
    pub scores: Scores,
    /// Request and answer of [`RerankFlavor::Template`].
    pub template: Option<Template>,
    /// More fields of the request; they replace ours of the same name.
    pub extra: Map<String, Value>,
}

/// The shape of embedding requests and answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EmbeddingFlavor {
    /// `{model, input, dimensions?}` → `data[{index, embedding}]`.
    #[default]
    Openai,
    /// Cohere's `/v2/embed`, with `input_type: "search_query"`.
    Cohere,
    /// Jina's, with `task: "retrieval.query"`.
    Jina,
}

/// Configuration of the endpoint that turns texts into vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingEndpoint {
    /// Address.
    pub url: String,
    /// Shape of the exchange.
    pub flavor: EmbeddingFlavor,
    /// Name of the model.
    pub model: String,
    /// Headers to send, the key among them.
    pub headers: Headers,
    /// Milliseconds for the exchange.
    pub timeout_ms: u32,
    /// Longest body that is read. A vector of 4096 numbers is 50 kB of JSON.
    pub max_bytes: u32,
    /// Dimensions to ask for, where the model can shorten its vectors.
    pub dimensions: Option<u32>,
    /// Put before a question, for models that were trained so (`"query: "`).
    pub query_prefix: String,
    /// More fields of the request for questions (`{"input_type": "query"}`); they replace ours of the same name.
    pub query_params: Map<String, Value>,
    /// The bundle's encoder, as `inspect` reports it, when it is not `model:NAME@DIMENSIONS`.
    pub encoder: Option<String>,
}

/// Facts about the bundle that a search needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Who made the vectors; empty without vectors.
    pub encoder: String,
    /// Dimensions; 0 without vectors.
    pub dims: u32,
}

/// Milliseconds of an intent endpoint; see [`IntentEndpoint::timeout_ms`].
const INTENT_TIMEOUT: u32 = 5_000;
/// Milliseconds of the others: a reranker on a processor takes seconds.
const TIMEOUT: u32 = 10_000;
/// Bytes of a plan; see [`IntentEndpoint::max_bytes`].
const INTENT_BYTES: u32 = 256 << 10;
/// Bytes of scores and vectors; see [`EmbeddingEndpoint::max_bytes`].
const BYTES: u32 = 1 << 20;
/// See [`RerankEndpoint::candidates`].
const CANDIDATES: u32 = 20;
/// Most candidates that are sent: what a request of a megabyte or two holds.
const MAX_CANDIDATES: u32 = 1_000;
/// Fewest tokens of a budget (specification §4.1).
const MIN_TOKENS: u32 = 128;

impl Endpoints {
    /// Reads a configuration and checks it.
    ///
    /// Errors: `INVALID_ARGUMENT` naming the field that is missing, unknown, of the wrong type or out of range.
    pub fn from_value(value: Value) -> Result<Self> {
        let mut reader = Reader::new("the endpoints", value)?;
        let endpoints = Self {
            intent: reader.value("intent").map(intent).transpose()?,
            rerank: reader.value("rerank").map(rerank).transpose()?,
            embedding: reader.value("embedding").map(embedding).transpose()?,
        };
        reader.finish()?;
        Ok(endpoints)
    }
}

fn intent(value: Value) -> Result<IntentEndpoint> {
    const WHAT: &str = "the intent endpoint";
    let mut reader = Reader::new(WHAT, value)?;
    let temperature = match reader.any("temperature") {
        None => Some(0.0),
        Some(Value::Null) => None,
        Some(value) => {
            let number = value.as_f64();
            Some(number.ok_or_else(|| reader.refuse("temperature", "a number"))?)
        }
    };
    let formats = ["none", "object", "schema"];
    let endpoint = IntentEndpoint {
        url: url(&mut reader)?,
        model: reader.text("model")?.unwrap_or_default(),
        headers: headers(&mut reader)?,
        timeout_ms: reader.whole("timeout_ms")?.unwrap_or(INTENT_TIMEOUT),
        max_bytes: reader.whole("max_bytes")?.unwrap_or(INTENT_BYTES),
        response_format: [
            ResponseFormat::None,
            ResponseFormat::Object,
            ResponseFormat::Schema,
        ][reader.choice("response_format", &formats)?],
        temperature,
        context_types: match reader.texts("context_types")? {
            Some(types) => types,
            None => ContextType::NAMES.map(str::to_owned).to_vec(),
        },
        extra: reader.members("extra")?,
    };
    reader.finish()?;
    check_target(WHAT, endpoint.target())?;
    let known = |name: &String| ContextType::NAMES.contains(&name.as_str());
    if endpoint.context_types.is_empty() || !endpoint.context_types.iter().all(known) {
        return Err(wrong(&[
            WHAT,
            ": context_types are memory, resource and skill",
        ]));
    }
    Ok(endpoint)
}

fn rerank(value: Value) -> Result<RerankEndpoint> {
    const WHAT: &str = "the rerank endpoint";
    let mut reader = Reader::new(WHAT, value)?;
    let flavors = ["openai", "cohere", "dashscope", "template"];
    let endpoint = RerankEndpoint {
        url: url(&mut reader)?,
        flavor: [
            RerankFlavor::Openai,
            RerankFlavor::Cohere,
            RerankFlavor::Dashscope,
            RerankFlavor::Template,
        ][reader.choice("flavour", &flavors)?],
        model: reader.text("model")?.unwrap_or_default(),
        headers: headers(&mut reader)?,
        timeout_ms: reader.whole("timeout_ms")?.unwrap_or(TIMEOUT),
        max_bytes: reader.whole("max_bytes")?.unwrap_or(BYTES),
        candidates: reader.whole("candidates")?.unwrap_or(CANDIDATES),
        max_input_tokens: reader.whole("max_input_tokens")?.unwrap_or(0),
        scores: [Scores::Unit, Scores::Logit][reader.choice("scores", &["unit", "logit"])?],
        template: reader
            .value("template")
            .map(Template::from_value)
            .transpose()?,
        extra: reader.members("extra")?,
    };
    reader.finish()?;
    check_target(WHAT, endpoint.target())?;
    let refuse = |what: &str| Err(wrong(&[WHAT, ": ", what]));
    if endpoint.candidates > MAX_CANDIDATES {
        return refuse("candidates are at most 1000");
    }
    if (1..MIN_TOKENS).contains(&endpoint.max_input_tokens) {
        return refuse("max_input_tokens is 0 (no budget) or at least 128");
    }
    if (endpoint.flavor == RerankFlavor::Template) != endpoint.template.is_some() {
        return refuse("a template belongs to the flavour \"template\", and only to it");
    }
    Ok(endpoint)
}

fn embedding(value: Value) -> Result<EmbeddingEndpoint> {
    const WHAT: &str = "the embedding endpoint";
    let mut reader = Reader::new(WHAT, value)?;
    let flavors = ["openai", "cohere", "jina"];
    let endpoint = EmbeddingEndpoint {
        url: url(&mut reader)?,
        flavor: [
            EmbeddingFlavor::Openai,
            EmbeddingFlavor::Cohere,
            EmbeddingFlavor::Jina,
        ][reader.choice("flavour", &flavors)?],
        model: reader.text("model")?.unwrap_or_default(),
        headers: headers(&mut reader)?,
        timeout_ms: reader.whole("timeout_ms")?.unwrap_or(TIMEOUT),
        max_bytes: reader.whole("max_bytes")?.unwrap_or(BYTES),
        dimensions: reader.whole("dimensions")?,
        query_prefix: reader.text("query_prefix")?.unwrap_or_default(),
        query_params: reader.members("query_params")?,
        encoder: reader.text("encoder")?,
    };
    reader.finish()?;
    check_target(WHAT, endpoint.target())?;
    if endpoint.model.is_empty() {
        return Err(wrong(&[WHAT, ": model is missing"]));
    }
    Ok(endpoint)
}

fn url(reader: &mut Reader) -> Result<String> {
    let url = reader.text("url")?;
    url.ok_or_else(|| reader.refuse("url", "there, but it has to be"))
}

fn headers(reader: &mut Reader) -> Result<Headers> {
    let mut headers = Headers::new();
    for (name, value) in reader.members("headers")? {
        match value {
            Value::String(value) => headers.push((name, value)),
            // The value may be a key: it is not repeated.
            _ => return Err(reader.refuse("headers", "an object of texts")),
        }
    }
    Ok(headers)
}

fn check_target(what: &str, target: Target<'_>) -> Result<()> {
    let refuse = |message: &str| Err(wrong(&[what, ": ", message]));
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| target.url.strip_prefix(scheme));
    let is_address = host.is_some_and(|h| !h.is_empty() && !h.starts_with('/'));
    if !is_address || target.url.contains(char::is_whitespace) {
        return refuse("url is not an http(s) address");
    }
    for (name, value) in target.headers {
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_graphic() && c != ':');
        if !is_name || value.contains(|c: char| c.is_control() || !c.is_ascii()) {
            return refuse(&["the header ", name, " cannot be sent"].concat());
        }
    }
    if target.timeout_ms == 0 || target.max_bytes == 0 {
        return refuse("timeout_ms and max_bytes are above 0");
    }
    Ok(())
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
    use crate::base::error::ErrorKind;
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
