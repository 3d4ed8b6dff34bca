//! The answer of `search`: the shapes of `find` with the plan and, if asked for, which query found what.
//!
//! Found contexts stay the JSON that `find` made: only URI and score are touched here.

use super::json::{Object, number, text, texts, whole, without};
use super::options::Merge;
use crate::base::order;
use serde_json::{Map, Value};

/// One query of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedQuery {
    /// Text to search for.
    pub query: String,
    /// Type of context wanted; `None`: any.
    pub context_type: Option<String>,
    /// Purpose of the result, by the model.
    pub intent: String,
    /// 1 is the most important, 5 the least. For the reader: it does not change the ranking.
    pub priority: u8,
    /// Names of what it is about, by the model, for a graph.
    pub entities: Vec<String>,
    /// Types that its answer may have, by the model, for a graph.
    pub answer_types: Vec<String>,
}

impl TypedQuery {
    fn to_value(&self) -> Value {
        let context_type = self.context_type.as_deref().map_or(Value::Null, text);
        let mut value = Object::default()
            .with("query", text(&self.query))
            .with("context_type", context_type)
            .with("intent", text(&self.intent))
            .with("priority", whole(self.priority.into()));
        for (name, list) in [
            ("entities", &self.entities),
            ("answer_types", &self.answer_types),
        ] {
            if !list.is_empty() {
                value = value.with(name, texts(list));
            }
        }
        value.done()
    }
}

/// The queries that were searched, and the reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryPlan {
    /// Why, by the model or by us.
    pub reasoning: String,
    /// The queries; none when the question needs no documents.
    pub queries: Vec<TypedQuery>,
}

impl QueryPlan {
    /// `{"reasoning", "queries": [{"query", "context_type", "intent", "priority"}]}`; with a graph `entities` and
    /// `answer_types`, too.
    pub fn to_value(&self) -> Value {
        let queries = self.queries.iter().map(TypedQuery::to_value).collect();
        Object::default()
            .with("reasoning", text(&self.reasoning))
            .with("queries", Value::Array(queries))
            .done()
    }
}

/// Results of one query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// Text that was searched for.
    pub query: String,
    /// The directories that were searched, as `find` told them: the targets, or the roots of the query's type.
    pub searched_directories: Vec<String>,
    /// URIs found, best first.
    pub matched_contexts: Vec<Matched>,
    /// Everything else that `find` told, its trace among it.
    pub more: Map<String, Value>,
}

impl Provenance {
    /// `{"query", "searched_directories", "matched_contexts", …}`.
    pub fn to_value(&self) -> Value {
        let matched = self.matched_contexts.iter().map(Matched::to_value);
        Object::default()
            .extend(&self.more)
            .with("query", text(&self.query))
            .with("searched_directories", texts(&self.searched_directories))
            .with("matched_contexts", Value::Array(matched.collect()))
            .done()
    }

    /// The same as an entry of `query_results`: its `query` is that of the plan.
    pub fn query_result(&self, query: &TypedQuery) -> Value {
        let mut value = self.to_value();
        value["query"] = query.to_value();
        value
    }
}

/// One context of a [`Provenance`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matched {
    /// The context.
    pub uri: String,
    /// `L0`, `L1` or `L2`.
    pub tier: String,
    /// `memory`, `resource` or `skill`.
    pub context_type: String,
    /// Its score for this query.
    pub score: f64,
    /// Kind of that score.
    pub match_reason: &'static str,
}

impl Matched {
    fn to_value(&self) -> Value {
        Object::default()
            .with("uri", text(&self.uri))
            .with("tier", text(&self.tier))
            .with("context_type", text(&self.context_type))
            .with("score", number(self.score))
            .with("match_reason", text(self.match_reason))
            .done()
    }
}

/// A part of a list of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Results before it.
    pub offset: usize,
    /// Results on it, at most.
    pub limit: usize,
}

/// The answer of `search`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResult {
    /// Contexts of type memory, best first.
    pub memories: Vec<Value>,
    /// Contexts of type resource, best first.
    pub resources: Vec<Value>,
    /// Contexts of type skill, best first.
    pub skills: Vec<Value>,
    /// Number of contexts in the three lists.
    pub total: usize,
    /// True if nothing relevant was found: none of the ten first rows of a ranking is an answer, on whichever page.
    pub weak: bool,
    /// Words of the queries that were read as other words.
    pub corrections: Vec<Value>,
    /// Steps that were skipped or failed, and why.
    pub skipped: Vec<Value>,
    /// The queries, and the reasons for them.
    pub query_plan: QueryPlan,
    /// The results of each query; only if asked for.
    pub provenance: Option<Vec<Provenance>>,
    /// The results of each query with its trace; only if traces are asked for.
    pub query_results: Option<Vec<Value>>,
    /// Everything else that `find` told, of an only query or of the question as it was asked.
    pub more: Map<String, Value>,
}

/// One found context.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// As `find` made it.
    pub value: Value,
    /// Score of the bundle's own index.
    pub local: f64,
    /// Score it is ranked by.
    pub score: f64,
    /// True when that is a rerank model's score.
    pub reranked: bool,
}

impl Context {
    fn new(value: Value) -> Self {
        let local = value["score"].as_f64().unwrap_or_default();
        Self {
            value,
            local,
            score: local,
            reranked: false,
        }
    }

    /// A member that is a text.
    pub fn text(&self, name: &str) -> &str {
        self.value[name].as_str().unwrap_or_default()
    }

    /// The rerank model's score, else what `find` told, within a walk the model's, too: thresholds act on it.
    fn relevance(&self) -> f64 {
        let own = self.value["relevance"].as_f64().filter(|_| !self.reranked);
        own.unwrap_or(self.score)
    }

    fn into_value(mut self) -> Value {
        // Both are JSON numbers; the local one keeps the digits that `find` wrote.
        if self.reranked {
            self.value["score"] = number(self.score);
            self.value["relevance"] = number(self.score);
            self.value["weak"] = Value::Bool(false);
        }
        self.value
    }
}

/// The answer of one `find`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Everything found, best first.
    pub contexts: Vec<Context>,
    /// In place of results, the rows of a walk that wait for scores.
    pub wanted: Vec<Context>,
    /// True if `find` took none for an answer.
    pub weak: bool,
    /// True if a rerank model's scores led the walk.
    pub walked: bool,
    /// Words that were searched for in place of others.
    pub corrections: Vec<Value>,
    /// Skipped steps.
    pub skipped: Vec<Value>,
    /// Other members.
    pub more: Map<String, Value>,
}

const LISTS: [&str; 3] = ["memories", "resources", "skills"];

impl Found {
    /// Takes the JSON of a result of `find` apart.
    pub fn from_value(value: Value) -> Self {
        let Value::Object(mut members) = value else {
            return Self::default();
        };
        let weak = members.get("weak") == Some(&Value::Bool(true));
        let mut list = |name: &str| match members.get_mut(name).map(Value::take) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        };
        let mut found = Self {
            wanted: list("wanted").into_iter().map(Context::new).collect(),
            corrections: list("corrections"),
            skipped: list("skipped"),
            weak,
            ..Self::default()
        };
        for name in LISTS {
            found
                .contexts
                .extend(list(name).into_iter().map(Context::new));
        }
        let [memories, resources, skills] = LISTS;
        let taken = [
            "corrections",
            "skipped",
            "wanted",
            "total",
            "weak",
            memories,
            resources,
            skills,
        ];
        found.more = without(members, &taken);
        found.sort();
        found
    }

    /// Orders by score, ties by URI and level.
    pub fn sort(&mut self) {
        sort(&mut self.contexts);
    }

    /// True if nothing of it is an answer, and no model was asked.
    fn is_weak(&self) -> bool {
        self.contexts.is_empty() || self.weak && !self.contexts.iter().any(|c| c.reranked)
    }

    /// Keeps what is above the threshold, and of that the best.
    pub fn cut(&mut self, threshold: Option<f64>, limit: usize) {
        self.contexts
            .retain(|c| threshold.is_none_or(|t| c.relevance() > t));
        self.contexts.truncate(limit);
    }

    /// The results of each query.
    ///
    /// Takes them where `find` told them: they are said in one place. `targets` are those of the call, for a `find` that
    /// told none.
    pub fn provenance(&mut self, query: &str, targets: &[String]) -> Provenance {
        let mut told = self.more.remove("provenance").unwrap_or_default();
        let mut told = told.get_mut(0).map(Value::take).unwrap_or_default();
        let searched_directories = match told["searched_directories"].take() {
            Value::Array(given) => given
                .iter()
                .filter_map(|uri| Some(uri.as_str()?.to_owned()))
                .collect(),
            _ => targets.to_vec(),
        };
        let mut more = self.more.clone();
        if let trace @ Value::Object(_) = told["thinking_trace"].take() {
            more.insert("thinking_trace".to_owned(), trace);
        }
        let matched = self.contexts.iter().map(|c| Matched {
            uri: c.text("uri").to_owned(),
            tier: ["L", &level(c).to_string()].concat(),
            context_type: c.text("context_type").to_owned(),
            score: c.score,
            match_reason: if c.reranked || self.walked {
                "score of the rerank model"
            } else {
                "score of the bundle's words and vectors"
            },
        });
        Provenance {
            query: query.to_owned(),
            searched_directories,
            matched_contexts: matched.collect(),
            more,
        }
    }
}

fn sort(contexts: &mut [Context]) {
    order::sort_by(contexts, |a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.text("uri").cmp(b.text("uri")))
            .then_with(|| level(a).cmp(&level(b)))
    });
}

fn level(context: &Context) -> u64 {
    context.value["level"].as_u64().unwrap_or(2)
}

/// An entry of `skipped`.
pub fn skipped(step: &str, reason: &str) -> Value {
    let entry = Object::default().with("step", text(step));
    entry.with("reason", text(reason)).done()
}

impl SearchResult {
    /// The answer as JSON: that of `find`, with `query_plan` and, if asked for, `provenance`.
    pub fn to_value(&self) -> Value {
        let list = |values: &[Value]| Value::Array(values.to_vec());
        let mut value = Object::default()
            .extend(&self.more)
            .with("memories", list(&self.memories))
            .with("resources", list(&self.resources))
            .with("skills", list(&self.skills))
            .with("total", whole(self.total))
            .with("corrections", list(&self.corrections))
            .with("skipped", list(&self.skipped))
            .with("query_plan", self.query_plan.to_value());
        if self.weak {
            value = value.with("weak", Value::Bool(true));
        }
        if let Some(provenance) = &self.provenance {
            let provenance = provenance.iter().map(Provenance::to_value);
            value = value.with("provenance", Value::Array(provenance.collect()));
        }
        if let Some(results) = &self.query_results {
            value = value.with("query_results", list(results));
        }
        value.done()
    }

    /// Adds what was skipped, unless it was said before.
    pub fn skip(&mut self, entry: Value) {
        if !self.skipped.contains(&entry) {
            self.skipped.push(entry);
        }
    }

    /// Joins the answers of all queries, and cuts the page out of them; for [`Merge::Concat`] out of each. The
    /// URIs of the page, in its order.
    pub fn join(&mut self, found: Vec<Found>, merge: Merge, page: Page) -> Vec<String> {
        let weak = found.iter().all(Found::is_weak);
        let mut contexts: Vec<Context> = Vec::new();
        for one in found {
            for correction in one.corrections {
                if !self.corrections.contains(&correction) {
                    self.corrections.push(correction);
                }
            }
            one.skipped.into_iter().for_each(|entry| self.skip(entry));
            let skipped = if merge == Merge::Concat {
                page.offset
            } else {
                0
            };
            contexts.extend(one.contexts.into_iter().skip(skipped));
        }
        if merge == Merge::Best {
            sort(&mut contexts);
            let mut seen: Vec<String> = Vec::new();
            contexts.retain(|c| {
                let new = !seen.iter().any(|uri| uri == c.text("uri"));
                if new {
                    seen.push(c.text("uri").to_owned());
                }
                new
            });
            contexts.drain(..page.offset.min(contexts.len()));
            contexts.truncate(page.limit);
        }
        let uris = contexts.iter().map(|c| c.text("uri").to_owned()).collect();
        self.weak = !contexts.is_empty() && weak;
        for context in contexts {
            let list = match context.text("context_type") {
                "memory" => &mut self.memories,
                "skill" => &mut self.skills,
                _ => &mut self.resources,
            };
            list.push(context.into_value());
        }
        self.total = self.memories.len() + self.resources.len() + self.skills.len();
        uris
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(contexts: &[(&str, &str, f64)]) -> Found {
        let mut value = json!({"memories": [], "resources": [], "skills": [], "total": 9, "trace": "t",
            "corrections": [["a", "b"]], "skipped": [skipped("vector", "none")]});
        for (uri, context_type, score) in contexts {
            let list = match *context_type {
                "memory" => "memories",
                "skill" => "skills",
                _ => "resources",
            };
            let context =
                json!({"uri": uri, "context_type": context_type, "score": score, "level": 2});
            value[list].as_array_mut().expect("a list").push(context);
        }
        Found::from_value(value)
    }

    fn uris(list: &[Value]) -> Vec<&str> {
        list.iter()
            .map(|c| c["uri"].as_str().expect("a URI"))
            .collect()
    }

    #[test]
    fn the_best_score_of_a_context_counts() {
        let a = found(&[
            ("a", "resource", 0.5),
            ("b", "resource", 0.4),
            ("m", "memory", 0.3),
        ]);
        let b = found(&[
            ("b", "resource", 0.9),
            ("a", "resource", 0.1),
            ("c", "resource", 0.2),
        ]);
        let mut result = SearchResult::default();
        let page = |offset, limit| Page { offset, limit };
        result.join(vec![a.clone(), b.clone()], Merge::Best, page(0, 3));
        assert_eq!(
            (uris(&result.resources), uris(&result.memories)),
            (vec!["b", "a"], vec!["m"])
        );
        assert_eq!(
            (result.total, result.resources[0]["score"].as_f64()),
            (3, Some(0.9))
        );
        assert_eq!((result.corrections.len(), result.skipped.len()), (1, 1));
        let mut second = SearchResult::default();
        second.join(vec![a.clone(), b.clone()], Merge::Best, page(3, 3));
        assert_eq!((uris(&second.resources), second.total), (vec!["c"], 1));
        let mut rest = SearchResult::default();
        rest.join(vec![a.clone(), b.clone()], Merge::Concat, page(2, 3));
        assert_eq!(
            (uris(&rest.resources), uris(&rest.memories)),
            (vec!["a"], vec!["m"])
        );
        let mut all = SearchResult::default();
        all.join(vec![a.clone(), b], Merge::Concat, page(0, 3));
        assert_eq!(uris(&all.resources), ["a", "b", "b", "c", "a"]);
        assert_eq!(all.total, 6);
    }

    #[test]
    fn weak_is_what_find_told_of_all_pages() {
        let of = |told: Option<bool>, page: Page| {
            let row = json!({"uri": "a", "score": 0.2, "level": 2, "weak": true});
            let mut value = json!({"resources": [row]});
            if let Some(told) = told {
                value["weak"] = told.into();
            }
            let mut result = SearchResult::default();
            result.join(vec![Found::from_value(value)], Merge::Best, page);
            result.weak
        };
        let page = |offset| Page { offset, limit: 5 };
        assert!(of(Some(true), page(0)));
        assert!(!of(None, page(0)), "another page has an answer");
        assert!(!of(Some(true), page(1)), "there are no rows");
    }

    #[test]
    fn provenance_names_tier_and_score() {
        let provenance = found(&[("a", "resource", 0.5)]).provenance("q", &["viking://".into()]);
        let value = provenance.to_value();
        assert_eq!(
            value["matched_contexts"][0],
            json!({"uri": "a", "tier": "L2", "context_type": "resource", "score": 0.5,
                "match_reason": "score of the bundle's words and vectors"})
        );
        assert_eq!(value["trace"], "t");
    }
}
