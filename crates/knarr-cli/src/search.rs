//! `knarr search`: the state machine of `knarr::search`, driven with a blocking client and a bundle on disk.

use crate::disk::{self, DiskHost};
use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::find;
use crate::flags::Flags;
use crate::{http, output};
use knarr::Knarr;
use knarr::find::answer::result::{FindResult, MatchedContext, Skipped};
use knarr::find::ask::filter as find_value;
use knarr::find::ask::options::FindOptions;
use knarr::search::{
    Answer, Bundle, Endpoints, Find, Search, SearchOptions, SearchResult, Session, Step,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arguments of `knarr search`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The query; in a conversation its latest message.
    query: String,
    /// The conversation: {"messages": [{"role", "content"}], "summary"}.
    #[arg(long, value_name = "FILE.json")]
    session: Option<PathBuf>,
    /// The times when the intent endpoint is asked.
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "always", "never"], default_value = "auto")]
    intent: String,
    /// Endpoints with all their settings: {"intent": {"url", "model", …}, "rerank": {…}, "embedding": {…}}.
    #[arg(long, value_name = "FILE.json")]
    endpoints: Option<PathBuf>,
    /// Chat endpoint (OpenAI-compatible) that turns a conversation into queries.
    #[arg(long, value_name = "URL")]
    intent_endpoint: Option<String>,
    /// Model of the endpoint.
    #[arg(long, value_name = "NAME")]
    intent_model: Option<String>,
    /// Endpoint that scores the results again (reranking).
    #[arg(long, value_name = "URL")]
    rerank_endpoint: Option<String>,
    /// Model of the endpoint.
    #[arg(long, value_name = "NAME")]
    rerank_model: Option<String>,
    /// Rows that it scores: the results, or those of each round of a walk (--mode thinking), a request each.
    #[arg(long, value_name = "WHAT", value_parser = ["results", "walk", "nothing"], default_value = "results")]
    rerank: String,
    /// Format of its requests.
    #[arg(long, value_name = "FLAVOUR", value_parser = ["openai", "cohere", "dashscope"])]
    rerank_flavour: Option<String>,
    /// Endpoint that makes the query's vector, with the model that made the bundle's.
    #[arg(long, value_name = "URL")]
    embedding_endpoint: Option<String>,
    /// Model of the endpoint.
    #[arg(long, value_name = "NAME")]
    embedding_model: Option<String>,
    /// Format of its requests.
    #[arg(long, value_name = "FLAVOUR", value_parser = ["openai", "cohere", "jina"])]
    embedding_flavour: Option<String>,
    /// Environment variable that holds the key, sent as "Authorization: Bearer …"; rerank=VARIABLE sets that of one
    /// endpoint (repeatable).
    #[arg(long, value_name = "[ENDPOINT=]VARIABLE")]
    key_env: Vec<String>,
    #[command(flatten)]
    search: Flags<false>,
    /// Tell which query found what.
    #[arg(long, requires = "json")]
    provenance: bool,
    /// Tell how each query's answer came about.
    #[arg(long, requires = "json")]
    trace: bool,
    /// Print JSON: the answer of `find --json` with "query_plan", with --provenance "provenance", and with --trace
    /// "query_results".
    #[arg(long)]
    json: bool,
}

const ENDPOINTS: [&str; 3] = ["intent", "rerank", "embedding"];

/// Runs `knarr search`.
pub fn run(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let inspection = bundle.inspect();
    let session = match &arguments.session {
        Some(file) => read(file)?,
        None => Value::Null,
    };
    let base = find::options(&arguments.search)?;
    let mut search = Search::new(
        &arguments.query,
        SearchOptions::from_value(arguments.options(&base))?,
        Session::from_value(session)?,
        Endpoints::from_value(arguments.endpoints()?)?,
        &Bundle {
            encoder: inspection.encoder,
            dims: inspection.dims,
        },
    )?;
    let mut hits = Hits::default();
    let result = loop {
        let answer = match search.step() {
            Step::Done(result) => break *result,
            Step::Post(posts) => Answer::Post(http::send(&posts)),
            Step::Find(finds) => {
                let mut results = Vec::new();
                for find in &finds {
                    let found = hits.find(&bundle, &host, find, &base)?;
                    results.push(as_json(&found)?);
                }
                Answer::Find(results)
            }
        };
        search.supply(answer)?;
    };
    if arguments.json {
        output::json(&answer(&arguments.query, &result)?)
    } else {
        for query in &result.query_plan.queries {
            if query.query != arguments.query {
                eprintln!("searched: {}", query.query);
            }
        }
        find::print(&hits.shown(&result), false)
    }
}

impl Arguments {
    /// The options of the search; of those of `find` the ones that a search reads or changes.
    fn options(&self, find: &FindOptions) -> Value {
        let mut options = json!({
            "intent": self.intent,
            "rerank": match self.rerank.as_str() {
                "walk" => json!("walk"),
                what => json!(what == "results"),
            },
            "include_provenance": self.provenance,
            "trace": self.trace,
            "limit": find.limit,
            "offset": find.offset,
            "target_uri": find.target_uri.as_slice(),
            "context_type": find.context_type.as_slice(),
        });
        if let Some(threshold) = find.score_threshold {
            options["score_threshold"] = json!(threshold);
        }
        if let Some(alpha) = find.alpha {
            options["alpha"] = json!(alpha);
        }
        if let Some(graph) = find.graph {
            options["graph"] = json!(graph);
            options["hybrid"] = untyped(&find.hybrid);
        }
        options
    }

    /// The endpoints of the file, with what the options say on top.
    fn endpoints(&self) -> Outcome<Value> {
        let mut endpoints = match &self.endpoints {
            Some(file) => read(file)?,
            None => json!({}),
        };
        let named = |text: &Option<String>| text.clone().map(Value::String);
        let given = [
            ("intent", "url", named(&self.intent_endpoint)),
            ("intent", "model", named(&self.intent_model)),
            ("rerank", "url", named(&self.rerank_endpoint)),
            ("rerank", "model", named(&self.rerank_model)),
            ("rerank", "flavour", named(&self.rerank_flavour)),
            ("embedding", "url", named(&self.embedding_endpoint)),
            ("embedding", "model", named(&self.embedding_model)),
            ("embedding", "flavour", named(&self.embedding_flavour)),
        ];
        for (endpoint, member, value) in given {
            if let Some(value) = value {
                object(&mut endpoints, endpoint)?.insert(member.to_owned(), value);
            }
        }
        for name in &self.key_env {
            let (endpoint, variable) = match name.split_once('=') {
                Some((endpoint, variable)) => (Some(endpoint), variable),
                None => (None, name.as_str()),
            };
            let key = std::env::var(variable).map_err(|_| {
                invalid(format!(
                    "--key-env: the environment variable {variable} is not set"
                ))
            })?;
            if let Some(endpoint) = endpoint.filter(|endpoint| !ENDPOINTS.contains(endpoint)) {
                let known = ENDPOINTS.join(", ");
                return Err(invalid(format!(
                    "--key-env: no endpoint {endpoint}; known are {known}"
                )));
            }
            let there: Vec<&str> = ENDPOINTS
                .into_iter()
                .filter(|own| endpoints.get(own).is_some() && endpoint.is_none_or(|e| e == *own))
                .collect();
            for endpoint in there {
                let endpoint = object(&mut endpoints, endpoint)?;
                let headers = endpoint.entry("headers").or_insert_with(|| json!({}));
                headers["authorization"] = json!(format!("Bearer {key}"));
            }
        }
        Ok(endpoints)
    }
}

/// The JSON of a value.
fn untyped(value: &find_value::Value) -> Value {
    use find_value::Value as Own;
    match value {
        Own::Null => Value::Null,
        Own::Bool(flag) => json!(flag),
        Own::Int(number) => json!(number),
        Own::Float(number) => json!(number),
        Own::Text(text) => json!(text),
        Own::List(items) => items.iter().map(untyped).collect(),
        Own::Map(members) => {
            let members = members.iter();
            members
                .map(|(name, value)| (name.clone(), untyped(value)))
                .collect()
        }
    }
}

/// A result as JSON, by way of its text: numbers then have the digits that `knarr find --json` prints.
fn as_json(found: &FindResult) -> Outcome<Value> {
    let text = serde_json::to_string(found).map_err(std::io::Error::from)?;
    Ok(serde_json::from_str(&text).map_err(std::io::Error::from)?)
}

/// The member of an object that is an object itself; made if it is not there.
fn object<'v>(value: &'v mut Value, name: &str) -> Outcome<&'v mut Map<String, Value>> {
    let wrong = || invalid("--endpoints: the file does not hold an object of objects");
    let members = value.as_object_mut().ok_or_else(wrong)?;
    let member = members.entry(name).or_insert_with(|| json!({}));
    member.as_object_mut().ok_or_else(wrong)
}

fn read(file: &Path) -> Outcome<Value> {
    let text =
        std::fs::read_to_string(file).map_err(|error| io_failure("cannot read", file, error))?;
    serde_json::from_str(&text)
        .map_err(|error| invalid(format!("{} is not JSON: {error}", file.display())))
}

/// Everything that was found, so that the answer can be printed as `find` prints.
#[derive(Default)]
struct Hits {
    by_place: BTreeMap<(String, u8), MatchedContext>,
    corrections: Vec<[String; 2]>,
    excluded: Vec<String>,
}

impl Hits {
    fn find(
        &mut self,
        bundle: &Knarr,
        host: &DiskHost,
        find: &Find,
        base: &FindOptions,
    ) -> Outcome<FindResult> {
        let options = with(base, &find.options)?;
        let found = pollster::block_on(bundle.find(host, &find.query, &options))?;
        let lists = [&found.memories, &found.resources, &found.skills];
        for context in lists.into_iter().flatten() {
            let place = (context.uri.clone(), context.level);
            self.by_place.insert(place, context.clone());
        }
        self.corrections.extend(found.corrections.iter().cloned());
        self.excluded.clone_from(&found.excluded);
        Ok(found)
    }

    /// The answer with contexts as they were found, and the scores they got.
    fn shown(&self, result: &SearchResult) -> FindResult {
        let contexts = |list: &[Value]| -> Vec<MatchedContext> {
            list.iter()
                .filter_map(|context| {
                    let level = u8::try_from(context["level"].as_u64()?).ok()?;
                    let place = (context["uri"].as_str()?.to_owned(), level);
                    let mut shown = self.by_place.get(&place)?.clone();
                    shown.score = context["score"].as_f64()? as f32;
                    Some(shown)
                })
                .collect()
        };
        let text = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        FindResult {
            memories: contexts(&result.memories),
            resources: contexts(&result.resources),
            skills: contexts(&result.skills),
            total: result.total,
            weak: result.weak,
            corrections: self.corrections.clone(),
            excluded: self.excluded.clone(),
            skipped: result
                .skipped
                .iter()
                .map(|entry| Skipped {
                    step: text(entry, "step"),
                    reason: text(entry, "reason"),
                })
                .collect(),
            ..FindResult::default()
        }
    }
}

/// The options of the command line with those that the search decided.
fn with(base: &FindOptions, asked: &Map<String, Value>) -> knarr::Result<FindOptions> {
    let mut options = FindOptions {
        score_threshold: None,
        ..base.clone()
    };
    options.fill(&Value::Object(asked.clone()))?;
    Ok(options)
}

/// The answer as JSON: that of the package, and its three lists as one, best first, as `knarr find --json` has it.
fn answer(query: &str, result: &SearchResult) -> Outcome<Value> {
    let value = result.to_value();
    let lists = [&result.memories, &result.resources, &result.skills];
    let mut results: Vec<Value> = lists.into_iter().flatten().cloned().collect();
    let score = |context: &Value| context["score"].as_f64().unwrap_or_default();
    let uri = |context: &Value| context["uri"].as_str().unwrap_or_default().to_owned();
    results.sort_by(|a, b| {
        score(b)
            .total_cmp(&score(a))
            .then_with(|| uri(a).cmp(&uri(b)))
    });
    let Value::Object(mut members) = value else {
        return Err(Failure::Error(knarr::Error::new(
            knarr::ErrorKind::Internal,
            "an answer is not an object",
        )));
    };
    members.insert("query".into(), json!(query));
    members.insert("results".into(), json!(results));
    Ok(Value::Object(members))
}
