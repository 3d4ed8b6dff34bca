//! The search as a state machine: say what is needed, be told, go on.
//!
//! At most three rounds of requests, one after the other: the plan, the vectors of all its queries, and the scores of all
//! their candidates at once; or, inside a walk, those of its rows in as many rounds as it has (`walking`).

use super::json::{Object, number, text, texts, whole, without};
use super::options::{IntentMode, Rerank, SearchOptions};
use super::rerank::{self, Sent};
use super::result::{Found, Page, QueryPlan, SearchResult, TypedQuery, skipped};
use super::session::Session;
use super::{besides, embedding, intent};
use crate::base::error::{Error, ErrorKind, Result};
use crate::search::endpoints::{Bundle, Endpoints};
use crate::search::exchange::{Exchange, Post, Reply, Taken};
use serde_json::{Map, Value};

/// The next thing that a search needs.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Send these, side by side.
    Post(Vec<Post>),
    /// Find these, side by side.
    Find(Vec<Find>),
    /// This is the answer.
    Done(Box<SearchResult>),
}

impl Step {
    /// `{"post": […]}`, `{"find": [{"query", "options"}]}` or `{"done": …}`.
    pub fn to_value(&self) -> Value {
        let (name, value) = match self {
            Self::Post(posts) => (
                "post",
                Value::Array(posts.iter().map(Post::to_value).collect()),
            ),
            Self::Find(finds) => {
                let finds = finds.iter().map(|find| {
                    let asked = Object::default().with("query", text(&find.query));
                    let options = Value::Object(find.options.clone());
                    asked.with("options", options).done()
                });
                ("find", Value::Array(finds.collect()))
            }
            Self::Done(result) => ("done", result.to_value()),
        };
        Object::default().with(name, value).done()
    }
}

/// A call of `find`.
#[derive(Debug, Clone, PartialEq)]
pub struct Find {
    /// Text to search for.
    pub query: String,
    /// Options, as JSON.
    pub options: Map<String, Value>,
}

/// Results of a [`Step`], in its order.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Of [`Step::Post`].
    Post(Vec<Reply>),
    /// Of [`Step::Find`]: results of `find`, as JSON.
    Find(Vec<Value>),
}

impl Answer {
    /// Reads `{"post": […]}` or `{"find": […]}`. Errors: `INTERNAL`.
    pub fn from_value(mut value: Value) -> Result<Self> {
        match (value["post"].take(), value["find"].take()) {
            (Value::Array(replies), _) => {
                Ok(Self::Post(replies.iter().map(Reply::from_value).collect()))
            }
            (_, Value::Array(results)) => Ok(Self::Find(results)),
            _ => Err(Error::new(ErrorKind::Internal, OUT_OF_STEP)),
        }
    }
}

/// A search under way.
#[derive(Debug, Clone)]
pub struct Search {
    options: SearchOptions,
    endpoints: Endpoints,
    dims: usize,
    /// The question, and what there is when nothing else works.
    query: String,
    session: Session,
    state: State,
    /// The answer so far: the plan, and what was skipped.
    result: SearchResult,
    vectors: Option<Vec<Vec<f32>>>,
    /// The type of context that each query is narrowed to.
    types: Vec<Option<String>>,
    /// The scores so far of the rows of each query's walk, by URI.
    walk_scores: Vec<Map<String, Value>>,
    found: Vec<Found>,
}

#[derive(Debug, Clone)]
enum State {
    Intent(Exchange),
    Embedding(Exchange),
    /// These queries, by position.
    Finding(Vec<usize>),
    Reranking(Vec<Round>),
    Done,
}

/// The rerank of one query's candidates.
#[derive(Debug, Clone)]
struct Round {
    /// Position of the query.
    query: usize,
    sent: Sent,
    /// The scores, once they are there.
    scores: Option<Vec<Option<f64>>>,
}

impl Search {
    /// A search that has not started.
    ///
    /// Errors: `INVALID_ARGUMENT` for a blank query, and for a page that lies beyond the candidates that are reranked;
    /// `FAILED_PRECONDITION` when the embedding endpoint's model is not the bundle's.
    pub fn new(
        query: &str,
        options: SearchOptions,
        session: Session,
        endpoints: Endpoints,
        bundle: &Bundle,
    ) -> Result<Self> {
        if query.trim().is_empty() {
            let what = "the query must not be empty";
            return Err(Error::new(ErrorKind::InvalidArgument, what));
        }
        if let Some(endpoint) = &endpoints.embedding {
            embedding::check(endpoint, bundle)?;
        }
        let mut search = Self {
            options,
            endpoints,
            dims: bundle.dims as usize,
            query: query.to_owned(),
            session,
            state: State::Done,
            result: SearchResult::default(),
            vectors: None,
            types: Vec::new(),
            walk_scores: Vec::new(),
            found: Vec::new(),
        };
        search.check_page()?;
        search.start();
        Ok(search)
    }

    /// Refuses a later page that reranking would shuffle: more candidates would bring others before those shown.
    fn check_page(&self) -> Result<()> {
        let Some(endpoint) = self.endpoints.rerank.as_ref().filter(|_| self.reranks()) else {
            return Ok(());
        };
        if self.options.offset() == 0 || self.last() <= endpoint.candidates as usize {
            return Ok(());
        }
        let wanted = self.last().to_string();
        let what = [
            "the page ends after result ",
            &wanted,
            ": set the rerank endpoint's candidates to as many at least, for this page and those before it",
        ];
        Err(Error::new(ErrorKind::InvalidArgument, what.concat()))
    }

    /// Number of results up to the end of the page.
    fn last(&self) -> usize {
        let options = &self.options;
        options.offset().saturating_add(options.limit())
    }

    /// The next step. Calling it twice gives the same.
    pub fn step(&self) -> Step {
        match &self.state {
            State::Intent(exchange) | State::Embedding(exchange) => {
                Step::Post(vec![exchange.post.clone()])
            }
            State::Finding(positions) => {
                Step::Find(positions.iter().map(|p| self.find(*p)).collect())
            }
            State::Reranking(rounds) => {
                let open = rounds.iter().filter(|round| round.scores.is_none());
                Step::Post(open.map(|round| round.sent.exchange.post.clone()).collect())
            }
            State::Done => Step::Done(Box::new(self.result.clone())),
        }
    }

    /// Tells what came of the step. Errors: `INTERNAL` when it is not the answer to it.
    pub fn supply(&mut self, answer: Answer) -> Result<()> {
        match (std::mem::replace(&mut self.state, State::Done), answer) {
            (State::Intent(exchange), Answer::Post(replies)) => {
                self.planned(exchange, only(replies)?)
            }
            (State::Embedding(exchange), Answer::Post(replies)) => {
                self.embedded(exchange, only(replies)?);
            }
            (State::Finding(positions), Answer::Find(results)) => {
                expect(results.len() == positions.len())?;
                for (position, result) in positions.into_iter().zip(results) {
                    self.found[position] = Found::from_value(result);
                }
                if !self.ask_scores() {
                    self.widen();
                }
            }
            (State::Reranking(rounds), Answer::Post(replies)) => {
                let open = rounds.iter().filter(|round| round.scores.is_none());
                expect(replies.len() == open.count())?;
                self.reranked(rounds, replies);
            }
            _ => expect(false)?,
        }
        Ok(())
    }

    fn queries(&self) -> &[TypedQuery] {
        &self.result.query_plan.queries
    }

    fn skip(&mut self, step: &str, reason: &str) {
        self.result.skip(skipped(step, reason));
    }

    fn start(&mut self) {
        if self.options.rerank == Rerank::Walk && self.endpoints.rerank.is_none() {
            self.skip("rerank", "no rerank endpoint is configured");
        }
        let needed = intent::is_needed(self.options.intent, &self.query, &self.session);
        match &self.endpoints.intent {
            Some(endpoint) if needed => {
                let (query, session) = (&self.query, &self.session);
                let request = intent::request(endpoint, query, session, self.options.asks_graph());
                self.state = State::Intent(request);
            }
            Some(_) if self.options.intent == IntentMode::Never => self.as_asked("intent is off"),
            Some(_) => self.as_asked("a short question without a conversation"),
            None => {
                let reason = "no intent endpoint is configured";
                if self.options.intent == IntentMode::Always {
                    self.skip("intent", reason);
                }
                self.as_asked(reason);
            }
        }
    }

    /// Searches the question itself.
    fn as_asked(&mut self, reason: &str) {
        let query = TypedQuery {
            query: self.query.clone(),
            context_type: None,
            priority: 1,
            ..TypedQuery::default()
        };
        self.start_embedding(QueryPlan {
            reasoning: ["searched as asked: ", reason].concat(),
            queries: vec![query],
        });
    }

    fn planned(&mut self, mut exchange: Exchange, reply: Reply) {
        let plan = match (exchange.take(reply), &self.endpoints.intent) {
            (Taken::Again, _) => {
                self.state = State::Intent(exchange);
                return;
            }
            (Taken::Json(completion), Some(endpoint)) => intent::plan(&completion, endpoint),
            (Taken::Failed(reason), _) => Err(reason),
            (Taken::Json(_), None) => Err("there is no intent endpoint".into()),
        };
        match plan {
            Ok(plan) => self.start_embedding(plan),
            Err(reason) => {
                self.skip(
                    "intent",
                    &["the intent endpoint failed: ", &reason].concat(),
                );
                self.as_asked("the intent endpoint failed");
            }
        }
    }

    /// Takes the plan, and asks for the vectors of its queries if there is someone to ask and a use for them.
    fn start_embedding(&mut self, plan: QueryPlan) {
        self.result.query_plan = plan;
        if self.queries().is_empty() {
            // Chit-chat: nothing to find, and the plan says so.
            return self.finish();
        }
        let given = |name: &str| self.options.find.get(name);
        let unused = given("vector").is_some_and(|v| !v.is_null())
            || given("alpha").and_then(Value::as_f64) == Some(0.0);
        let Some(endpoint) = self.endpoints.embedding.as_ref().filter(|_| !unused) else {
            return self.start_finding();
        };
        let texts: Vec<&str> = self.queries().iter().map(|q| q.query.as_str()).collect();
        self.state = State::Embedding(embedding::request(endpoint, &texts));
    }

    fn embedded(&mut self, mut exchange: Exchange, reply: Reply) {
        let vectors = match (exchange.take(reply), &self.endpoints.embedding) {
            (Taken::Again, _) => {
                self.state = State::Embedding(exchange);
                return;
            }
            (Taken::Json(answer), Some(endpoint)) => {
                embedding::vectors(endpoint, &answer, self.queries().len(), self.dims)
            }
            (Taken::Failed(reason), _) => Err(reason),
            (Taken::Json(_), None) => Err("there is no embedding endpoint".into()),
        };
        match vectors {
            Ok(vectors) => self.vectors = Some(vectors),
            Err(reason) => {
                self.skip(
                    "embedding",
                    &["the embedding endpoint failed: ", &reason].concat(),
                );
            }
        }
        self.start_finding();
    }

    fn start_finding(&mut self) {
        let n = self.queries().len();
        self.found = vec![Found::default(); n];
        self.walk_scores = vec![Map::new(); n];
        if !self.options.names_types() {
            self.types = self
                .queries()
                .iter()
                .map(|q| q.context_type.clone())
                .collect();
        }
        self.types.resize(n, None);
        self.state = State::Finding((0..n).collect());
    }

    /// True when candidates are scored again.
    fn reranks(&self) -> bool {
        self.options.rerank == Rerank::Results && self.has_reranker()
    }

    fn has_reranker(&self) -> bool {
        self.endpoints.rerank.is_some() && self.options.limit() > 0
    }

    fn find(&self, position: usize) -> Find {
        let mut options = self.options.find.clone();
        let reranks = self.endpoints.rerank.as_ref().filter(|_| self.reranks());
        if let Some(endpoint) = reranks {
            // The threshold is for the scores that the results will have, and those are not known yet.
            options = without(options, &["node_limit", "offset", "score_threshold"]);
            let limit = self.last().max(endpoint.candidates as usize);
            options.insert("limit".to_owned(), whole(limit));
        } else if self.walks() {
            options = self.walk_options(options, position);
        } else if self.options.offset() > 0 {
            // The page is cut from what all queries found together.
            options = without(options, &["node_limit", "offset"]);
            options.insert("limit".to_owned(), whole(self.last()));
        }
        if self.options.tells_queries() {
            options.insert("include_provenance".to_owned(), Value::Bool(true));
        }
        if let Some(context_type) = &self.types[position] {
            options.insert("context_type".to_owned(), text(context_type));
        }
        if let Some(vectors) = &self.vectors {
            let vector = vectors[position].iter().map(|x| number((*x).into()));
            options.insert("vector".to_owned(), Value::Array(vector.collect()));
        }
        let query = &self.queries()[position];
        if self.options.asks_graph() {
            // What the caller names wins.
            let named = [
                ("graph_entities", &query.entities),
                ("answer_types", &query.answer_types),
            ];
            for (name, list) in named.into_iter().filter(|named| !named.1.is_empty()) {
                let hybrid = options.entry("hybrid").or_insert(Value::Null);
                if hybrid.is_null() {
                    *hybrid = Value::Object(Map::new());
                }
                if let Value::Object(hybrid) = hybrid {
                    hybrid.entry(name).or_insert_with(|| texts(list));
                }
            }
        }
        Find {
            query: query.query.clone(),
            options,
        }
    }

    /// Searches all types for queries that found nothing of theirs: a model that takes the pages of a site for skills
    /// must not hide them.
    fn widen(&mut self) {
        let mut again = Vec::new();
        for position in 0..self.found.len() {
            let empty = self.found[position].contexts.is_empty() && self.options.limit() > 0;
            let Some(context_type) = self.types[position].take_if(|_| empty) else {
                continue;
            };
            let query = self.queries()[position].query.clone();
            let reason = [
                "no ",
                &context_type,
                " matches '",
                &query,
                "': all types were searched",
            ];
            self.skip("context_type", &reason.concat());
            again.push(position);
        }
        if again.is_empty() {
            self.start_rerank();
        } else {
            self.state = State::Finding(again);
        }
    }

    fn start_rerank(&mut self) {
        let mut rounds = Vec::new();
        if let Some(endpoint) = self.endpoints.rerank.as_ref().filter(|_| self.reranks()) {
            for (position, found) in self.found.iter().enumerate() {
                let query = &self.result.query_plan.queries[position].query;
                rounds.extend(
                    rerank::request(endpoint, query, &found.contexts).map(|sent| Round {
                        query: position,
                        sent,
                        scores: None,
                    }),
                );
            }
        }
        if rounds.is_empty() {
            self.walked();
            self.finish();
        } else {
            self.state = State::Reranking(rounds);
        }
    }

    /// Takes the replies to the open rounds. When all are there, their scores count; if one failed, none does: an answer
    /// has one scale.
    fn reranked(&mut self, mut rounds: Vec<Round>, replies: Vec<Reply>) {
        let mut failed = None;
        let open = rounds.iter_mut().filter(|round| round.scores.is_none());
        for (round, reply) in open.zip(replies) {
            let scores = match (round.sent.exchange.take(reply), &self.endpoints.rerank) {
                (Taken::Again, _) => continue,
                (Taken::Json(answer), Some(endpoint)) => {
                    rerank::scores(endpoint, &answer, round.sent.positions.len())
                }
                (Taken::Failed(reason), _) => Err(reason),
                (Taken::Json(_), None) => Err("there is no rerank endpoint".into()),
            };
            match scores {
                Ok(scores) => round.scores = Some(scores),
                Err(reason) => failed = Some(reason),
            }
        }
        if let Some(reason) = failed {
            self.skip(
                "rerank",
                &["the rerank endpoint failed: ", &reason].concat(),
            );
            return match self.walks() {
                true => self.walk_without(),
                false => self.finish(),
            };
        }
        if rounds.iter().any(|round| round.scores.is_none()) {
            self.state = State::Reranking(rounds);
            return;
        }
        if self.walks() {
            return self.walk_on(rounds);
        }
        let mut missing = 0usize;
        for round in rounds {
            let found = &mut self.found[round.query];
            let scores = round.scores.into_iter().flatten();
            for (position, score) in round.sent.positions.into_iter().zip(scores) {
                let context = &mut found.contexts[position];
                match score {
                    Some(score) => (context.score, context.reranked) = (score, true),
                    None => missing += 1,
                }
            }
            found.sort();
        }
        if missing > 0 {
            let missing = missing.to_string();
            let reason = [
                "the rerank endpoint's scores of ",
                &missing,
                " contexts are not numbers: they keep their own",
            ]
            .concat();
            self.skip("rerank", &reason);
        }
        self.finish();
    }

    fn finish(&mut self) {
        let (limit, last) = (self.options.limit(), self.last());
        let threshold = self.options.score_threshold();
        let mut found = std::mem::take(&mut self.found);
        found.iter_mut().for_each(|one| one.cut(threshold, last));
        if self.options.tells_queries() {
            let targets = self.options.targets();
            let queries = self.queries().iter().zip(&mut found);
            let told: Vec<_> = queries
                .map(|(query, found)| {
                    let told = found.provenance(&query.query, &targets);
                    (query.clone(), told)
                })
                .collect();
            if self.options.traces() {
                let results = told.iter().map(|(query, told)| told.query_result(query));
                self.result.query_results = Some(results.collect());
            }
            if self.options.include_provenance {
                self.result.provenance = Some(told.into_iter().map(|told| told.1).collect());
            }
        }
        let page = Page {
            offset: self.options.offset(),
            limit,
        };
        let asked = self.query.trim();
        let is_asked = |q: &TypedQuery| q.query.trim().eq_ignore_ascii_case(asked);
        let own = self.queries().iter().position(is_asked);
        besides::tell(&mut self.result, found, own, self.options.merge, page);
        self.state = State::Done;
    }
}

mod walking;

fn only<T>(mut list: Vec<T>) -> Result<T> {
    expect(list.len() == 1)?;
    list.pop()
        .ok_or_else(|| Error::new(ErrorKind::Internal, OUT_OF_STEP))
}

fn expect(holds: bool) -> Result<()> {
    if holds {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Internal, OUT_OF_STEP))
    }
}

const OUT_OF_STEP: &str = "a search was told what it did not ask";

#[cfg(test)]
mod tests;
