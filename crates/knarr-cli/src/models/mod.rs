//! Additions of models to a build: abstracts and overviews, vectors, a graph.
//!
//! Nothing is sent unless an endpoint is named; what it would cost is said first; what it answered is kept on disk; and
//! what it fails to answer is made without it, counted and named.

mod asked;
mod cache;
mod chat;
mod cost;
mod entities;
mod queue;
mod summaries;
mod vectors;

pub use queue::Queue;
pub use vectors::Embedder;

use crate::build::progress::Progress;
use crate::failure::{Failure, Outcome, invalid};
use crate::http::NO_NETWORK;
use crate::output;
use cache::Cache;
use chat::Chat;
use knarr::indexer::Builder;
use knarr::search::Endpoints;
use knarr::{Error, ErrorKind};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Arguments of `knarr build` about models.
#[derive(clap::Args)]
#[command(next_help_heading = "Models (see docs/MODELS.md)")]
pub struct ModelArguments {
    /// Chat endpoint (OpenAI-compatible) that writes abstracts and overviews.
    #[arg(long, value_name = "URL")]
    llm: Option<String>,
    /// Model of the endpoint.
    #[arg(long, value_name = "NAME", default_value = "")]
    llm_model: String,
    /// Environment variable that holds its key, sent as "Authorization: Bearer …".
    #[arg(long, value_name = "VARIABLE")]
    llm_key_env: Option<String>,
    /// More fields of a chat's requests, as a JSON object; null takes a field away: {"temperature": null}.
    #[arg(long, value_name = "JSON", value_parser = object)]
    llm_param: Option<Map<String, Value>>,
    #[command(flatten)]
    embed: EmbedArguments,
    /// Estimated tokens that the embedding model reads at once: a longer text is cut into pieces, and its vector is
    /// their mean.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(16..=32768))]
    embed_tokens: u32,
    /// Give the words vectors in the model's space, learned from the site's sections, so that a question needs no endpoint:
    /// all vectors are then projected to --dims (docs/MODELS.md).
    #[arg(long, requires = "embed")]
    embed_words: bool,
    /// Chat endpoint that names the things on the pages and their relations, for `find --graph`.
    #[arg(long, value_name = "URL")]
    graph_llm: Option<String>,
    /// Its model [default: that of --llm-model].
    #[arg(long, value_name = "NAME")]
    graph_model: Option<String>,
    /// Environment variable that holds its key [default: that of --llm-key-env].
    #[arg(long, value_name = "VARIABLE")]
    graph_key_env: Option<String>,
    /// Folder that keeps pages as they were read and prepared, so that a build does this only for those that changed, and
    /// the answers of models, so that nothing is asked twice [default: no pages; of models, the bundle's path with .cache
    /// behind it].
    // Of builds without models, too: not below their heading.
    #[arg(long, value_name = "FOLDER", help_heading = None::<&str>)]
    cache: Option<PathBuf>,
    /// Requests sent at the same time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// Times that a request is sent before it counts as failed.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    attempts: u32,
    /// Seconds for one request.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=3600))]
    timeout: u32,
    /// Send the requests without asking for confirmation of the cost.
    #[arg(long)]
    yes: bool,
}

/// Arguments that name an embedding endpoint.
#[derive(clap::Args)]
pub struct EmbedArguments {
    /// Endpoint that makes the vectors, in place of those of the site's own words.
    #[arg(long, value_name = "URL", requires = "embed_model")]
    embed: Option<String>,
    /// Model of the endpoint.
    #[arg(long, value_name = "NAME")]
    embed_model: Option<String>,
    /// Format of its requests.
    #[arg(long, value_name = "FLAVOUR", value_parser = ["openai", "cohere", "jina"], default_value = "openai")]
    embed_flavour: String,
    /// Dimensions to ask for, where the model can shorten its vectors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    embed_dims: Option<u32>,
    /// Environment variable that holds its key, sent as "Authorization: Bearer …".
    #[arg(long, value_name = "VARIABLE")]
    embed_key_env: Option<String>,
    /// More fields of its requests, as a JSON object: {"input_type": "passage"}.
    #[arg(long, value_name = "JSON", value_parser = object)]
    embed_param: Option<Map<String, Value>>,
    /// Prefix of every text, for models that were trained with one: "passage: ".
    #[arg(long, value_name = "TEXT", default_value = "")]
    embed_prefix: String,
    /// Texts in one request.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=2048))]
    embed_batch: u32,
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err("expected a JSON object".into()),
        Err(error) => Err(format!("expected a JSON object: {error}")),
    }
}

/// Longest answer of a chat that is read: an overview is four kilobytes, the rest is room for thinking aloud.
const CHAT_BYTES: u32 = 2 << 20;
/// Longest answer of an embedding endpoint that is read, for each text: 4096 numbers of 15 characters.
const VECTOR_BYTES: u32 = 64 << 10;

impl ModelArguments {
    /// The folder named for what later builds need not do again.
    pub fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref()
    }

    /// Fails for any model where there is no network: before the cache is opened, which some systems cannot lock.
    fn check(&self) -> Outcome {
        let models = [&self.llm, &self.embed.embed, &self.graph_llm];
        match NO_NETWORK {
            Some(why) if models.iter().any(|url| url.is_some()) => Err(Failure::Error(Error::new(
                ErrorKind::FailedPrecondition,
                why,
            ))),
            _ => Ok(()),
        }
    }

    /// True if the vectors are a model's, and words have some of their own.
    pub fn has_words(&self) -> bool {
        self.embed_words
    }

    /// True if the vectors are a model's and stay as they are.
    pub fn keeps_dims(&self) -> bool {
        self.embed.embed.is_some() && !self.embed_words
    }
}

/// The models of a build, ready to be asked.
pub struct Models {
    llm: Option<(Chat, Cache)>,
    embed: Option<(Embedder, Cache)>,
    graph: Option<(Chat, Cache)>,
    jobs: usize,
    attempts: u32,
    yes: bool,
}

impl Models {
    /// Reads the arguments and opens the caches.
    ///
    /// *Errors*: `INVALID_ARGUMENT` for an address, field or variable that is wrong; `FAILED_PRECONDITION` for any model
    /// where there is no network; those of the cache.
    pub fn new(arguments: &ModelArguments, out: &Path) -> Outcome<Self> {
        arguments.check()?;
        let beside = || {
            let mut path = out.as_os_str().to_owned();
            path.push(".cache");
            PathBuf::from(path)
        };
        let folder = arguments.cache.clone().unwrap_or_else(beside);
        let with_cache = |name: &str| Cache::open(&folder, name);
        let llm = match &arguments.llm {
            None => None,
            Some(url) => {
                let key = key("--llm-key-env", arguments.llm_key_env.as_deref())?;
                let chat = Chat {
                    endpoint: chat_endpoint("--llm", url, &arguments.llm_model, &key, arguments)?,
                    params: arguments.llm_param.clone().unwrap_or_default(),
                };
                Some((chat, with_cache("summaries.cache")?))
            }
        };
        let embed = match arguments
            .embed
            .embedder(Side::Documents, arguments.timeout)?
        {
            None => None,
            Some(mut embedder) => {
                embedder.piece_tokens = arguments.embed_tokens as usize;
                embedder.words = arguments.embed_words;
                Some((embedder, with_cache("vectors.cache")?))
            }
        };
        let graph = match &arguments.graph_llm {
            None => None,
            Some(url) => {
                let shared = arguments.llm_key_env.as_deref();
                let variable = arguments.graph_key_env.as_deref().or(shared);
                let key = key("--graph-key-env", variable)?;
                let model = arguments.graph_model.as_ref();
                let model = model.unwrap_or(&arguments.llm_model);
                let chat = Chat {
                    endpoint: chat_endpoint("--graph-llm", url, model, &key, arguments)?,
                    params: arguments.llm_param.clone().unwrap_or_default(),
                };
                Some((chat, with_cache("graph.cache")?))
            }
        };
        Ok(Self {
            llm,
            embed,
            graph,
            jobs: arguments.jobs as usize,
            attempts: arguments.attempts,
            yes: arguments.yes,
        })
    }

    /// Says what the models will be asked, asks them, and gives `builder` their answers.
    ///
    /// *Errors*: those of the confirmation; `UNAVAILABLE` when an endpoint answered nothing at all; `IO`.
    pub fn ask(
        &mut self,
        builder: &mut Builder,
        progress: &mut Progress,
        quiet: bool,
    ) -> Outcome<Vec<Made>> {
        let mut estimates = Vec::new();
        if let Some((chat, cache)) = &self.llm {
            estimates.push(summaries::estimate(builder, chat, cache));
        }
        if let Some((embedder, cache)) = &self.embed {
            estimates.push(vectors::estimate(builder, embedder, cache));
        }
        if let Some((chat, cache)) = &self.graph {
            estimates.push(entities::estimate(builder, chat, cache));
        }
        if estimates.is_empty() {
            return Ok(Vec::new());
        }
        progress.finish();
        cost::confirm(&estimates, self.yes, quiet)?;
        let mut made = Vec::new();
        if let Some((chat, cache)) = &mut self.llm {
            let queue = Queue::new(self.jobs, self.attempts);
            made.push(summaries::make(builder, chat, cache, &queue, progress)?);
        }
        if let Some((embedder, cache)) = &mut self.embed {
            let queue = Queue::new(self.jobs, self.attempts);
            made.push(vectors::make(builder, embedder, cache, &queue, progress)?);
        }
        if let Some((chat, cache)) = &mut self.graph {
            let queue = Queue::new(self.jobs, self.attempts);
            made.push(entities::make(builder, chat, cache, &queue, progress)?);
        }
        Ok(made)
    }
}

/// The side of a search that a text is on: models tell the two apart.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    /// Texts to be found.
    Documents,
    /// Queries.
    Questions,
}

impl EmbedArguments {
    /// The endpoint, if one is named; `timeout` in seconds.
    pub fn embedder(&self, side: Side, timeout: u32) -> Outcome<Option<Embedder>> {
        let Some(url) = &self.embed else {
            return Ok(None);
        };
        let mut params = self.embed_param.clone().unwrap_or_default();
        // The client of search() has these fields say that the texts are questions.
        let field = match self.embed_flavour.as_str() {
            "cohere" => Some(("input_type", "search_document")),
            "jina" => Some(("task", "retrieval.passage")),
            _ => None,
        };
        if let Some((name, value)) = field.filter(|_| side == Side::Documents) {
            params.entry(name).or_insert(json!(value));
        }
        let config = json!({
            "url": url,
            "model": self.embed_model,
            "flavour": self.embed_flavour,
            "headers": key("--embed-key-env", self.embed_key_env.as_deref())?,
            "timeout_ms": timeout * 1000,
            "max_bytes": VECTOR_BYTES.saturating_mul(self.embed_batch.max(8)),
            "dimensions": self.embed_dims,
            "query_prefix": self.embed_prefix,
            "query_params": params,
        });
        let endpoints = endpoints("--embed", json!({"embedding": config}))?;
        Ok(endpoints.embedding.map(|endpoint| Embedder {
            endpoint,
            batch: self.embed_batch as usize,
            piece_tokens: usize::MAX,
            words: false,
        }))
    }
}

fn chat_endpoint(
    option: &str,
    url: &str,
    model: &str,
    headers: &Value,
    arguments: &ModelArguments,
) -> Outcome<knarr::search::endpoints::IntentEndpoint> {
    let config = json!({
        "url": url,
        "model": model,
        "headers": headers,
        "timeout_ms": arguments.timeout * 1000,
        "max_bytes": CHAT_BYTES,
    });
    let endpoints = endpoints(option, json!({"intent": config}))?;
    Ok(endpoints.intent.expect("an endpoint was just configured"))
}

/// The checked configuration; a mistake is told under the option's name.
fn endpoints(option: &str, config: Value) -> Outcome<Endpoints> {
    Endpoints::from_value(config).map_err(|error| {
        let message = error.message();
        // Before the colon stands what the endpoint is called in a search.
        let what = message.split_once(": ").map_or(message, |(_, what)| what);
        invalid(format!("{option}: {what}"))
    })
}

/// The header with the key of an environment variable.
fn key(option: &str, variable: Option<&str>) -> Outcome<Value> {
    let Some(variable) = variable else {
        return Ok(json!({}));
    };
    match std::env::var(variable) {
        Ok(key) => Ok(json!({"authorization": format!("Bearer {key}")})),
        Err(_) => Err(invalid(format!(
            "{option}: the environment variable {variable} is not set"
        ))),
    }
}

/// The name of a model, for people.
fn name_of(model: &str, url: &str) -> String {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?']).next().unwrap_or(host);
    // What stands before an @ may be a password.
    let host = host.rsplit('@').next().unwrap_or(host);
    match model {
        "" => host.to_owned(),
        model => format!("{model} at {host}"),
    }
}

/// The work of one model, for the report.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Made {
    /// The product: summaries, vectors or graph.
    pub what: &'static str,
    /// Answers of this build.
    pub made: usize,
    /// Answers of an earlier one.
    pub cached: usize,
    /// Requests sent, repetitions included.
    pub requests: usize,
    /// Files and directories that do without.
    pub failed: Vec<Unmade>,
}

/// A question that a model failed to answer.
#[derive(Debug, Clone, Serialize)]
pub struct Unmade {
    /// The file or directory.
    pub path: String,
    /// The endpoint's message, or ours.
    pub reason: String,
}

/// Failures named when nobody asked for all.
const NAMED: usize = 5;

impl Made {
    /// For people; failures, all of them or the first ones, on lines of their own.
    pub fn said(&self, all: bool) -> String {
        let mut text = format!(
            "{}: {} made with {}, {} cached, {} failed",
            self.what,
            self.made,
            output::counted(self.requests, "request"),
            self.cached,
            self.failed.len()
        );
        let n = if all { usize::MAX } else { NAMED };
        for failed in self.failed.iter().take(n) {
            text += &format!("\n  {}: {}", failed.path, failed.reason);
        }
        if self.failed.len() > n {
            let more = self.failed.len() - n;
            text += &format!("\n  and {more} more (--verbose names them)");
        }
        text
    }
}

/// Counts what is made.
struct Tally(Made);

impl Tally {
    fn new(what: &'static str) -> Self {
        Self(Made {
            what,
            ..Made::default()
        })
    }

    fn cached(&mut self) {
        self.0.cached += 1;
    }

    fn made(&mut self) {
        self.0.made += 1;
    }

    fn failed(&mut self, path: String, reason: String) {
        self.0.failed.push(Unmade { path, reason });
    }

    /// The counts. *Errors*: `UNAVAILABLE` when everything failed: such a bundle is not what was asked for.
    fn done(mut self, queue: &Queue) -> Outcome<Made> {
        let made = &mut self.0;
        made.requests = queue.sent();
        made.failed.sort_by(|a, b| a.path.cmp(&b.path));
        let is_told = |f: &&Unmade| f.reason != queue::GAVE_UP;
        if made.made + made.cached == 0
            && let Some(first) = made.failed.iter().find(is_told).or(made.failed.first())
        {
            let what = format!(
                "no {} were made and nothing was written: {}",
                made.what, first.reason
            );
            return Err(Failure::Error(Error::new(ErrorKind::Unavailable, what)));
        }
        Ok(self.0)
    }
}
