//! Options of `search`: its own, and those of `find`, which it passes on.

use super::json::Reader;
use crate::base::error::Result;
use serde_json::{Map, Value};

/// Rule for asking the intent endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IntentMode {
    /// When there is a conversation, or the question is long or more than one: see [`super::intent::is_needed`].
    #[default]
    Auto,
    /// For every question.
    Always,
    /// No question is sent to the endpoint.
    Never,
}

/// Ways to join the results of several queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Merge {
    /// Each context once, with its best score; best first; at most `limit` of them.
    #[default]
    Best,
    /// As OpenViking does: one query's results after the other's, with repetitions, up to `limit` for each query.
    Concat,
}

/// The use of the rerank endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rerank {
    /// It scores the candidates of each query again, in one request.
    #[default]
    Results,
    /// It scores the rows of each round of a walk, whose scores decide which directories are opened.
    Walk,
    /// It is not asked.
    Off,
}

/// Options of `search`.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOptions {
    /// Rule for asking the intent endpoint.
    pub intent: IntentMode,
    /// The use of the rerank endpoint, where there is one.
    pub rerank: Rerank,
    /// Way to join the results of several queries.
    pub merge: Merge,
    /// Include in the answer which query found what.
    pub include_provenance: bool,
    /// Options of `find`; it checks them itself.
    pub find: Map<String, Value>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            intent: IntentMode::Auto,
            rerank: Rerank::Results,
            merge: Merge::Best,
            include_provenance: false,
            find: Map::new(),
        }
    }
}

/// Number of results when the caller gives none: the default of `find`.
const LIMIT: usize = 10;

impl SearchOptions {
    /// Takes the options of `search` out of an object; the others are those of `find`. Null gives the defaults.
    ///
    /// Errors: `INVALID_ARGUMENT` naming the option of the wrong type.
    pub fn from_value(value: Value) -> Result<Self> {
        if value.is_null() {
            return Ok(Self::default());
        }
        let mut reader = Reader::new("the options", value)?;
        let modes = [IntentMode::Auto, IntentMode::Always, IntentMode::Never];
        Ok(Self {
            intent: modes[reader.choice("intent", &["auto", "always", "never"])?],
            rerank: rerank(&mut reader)?,
            merge: [Merge::Best, Merge::Concat][reader.choice("merge", &["best", "concat"])?],
            include_provenance: reader.flag("include_provenance")?.unwrap_or_default(),
            find: reader.rest(),
        })
    }

    /// Number of results that the caller wants; `node_limit` is the documents' other name of `limit` and wins.
    pub fn limit(&self) -> usize {
        let given = |name: &str| self.find.get(name).and_then(Value::as_u64);
        let limit = given("node_limit").or_else(|| given("limit"));
        limit.map_or(LIMIT, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
    }

    /// Number of results to leave out before the first.
    pub fn offset(&self) -> usize {
        let given = self.find.get("offset").and_then(Value::as_u64);
        given.map_or(0, |offset| usize::try_from(offset).unwrap_or(usize::MAX))
    }

    /// True when each query's `find` has to tell where it searched: for provenance, and beside its trace.
    pub fn tells_queries(&self) -> bool {
        self.include_provenance || self.traces()
    }

    /// True when each query's trace is wanted.
    pub fn traces(&self) -> bool {
        self.find.get("trace").and_then(Value::as_bool) == Some(true)
    }

    /// True when the entity graph has a weight in the ranking.
    pub fn asks_graph(&self) -> bool {
        self.find.get("graph").and_then(Value::as_f64) > Some(0.0)
    }

    /// True when the caller named the types of context that count.
    pub fn names_types(&self) -> bool {
        match self.find.get("context_type") {
            None | Some(Value::Null) => false,
            Some(Value::Array(list)) => !list.is_empty(),
            Some(_) => true,
        }
    }

    /// Results must be above this.
    pub fn score_threshold(&self) -> Option<f64> {
        self.find.get("score_threshold").and_then(Value::as_f64)
    }

    /// The directories searched, as the caller gave them; the root when none was given.
    pub fn targets(&self) -> Vec<String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let given: Vec<String> = match self.find.get("target_uri") {
            Some(Value::Array(list)) => list.iter().filter_map(text).collect(),
            Some(one) => text(one).into_iter().collect(),
            None => Vec::new(),
        };
        if given.is_empty() {
            vec!["viking://".to_owned()]
        } else {
            given
        }
    }
}

fn rerank(reader: &mut Reader) -> Result<Rerank> {
    match reader.value("rerank") {
        None | Some(Value::Bool(true)) => Ok(Rerank::Results),
        Some(Value::Bool(false)) => Ok(Rerank::Off),
        Some(Value::String(text)) if text == "walk" => Ok(Rerank::Walk),
        Some(_) => Err(reader.refuse("rerank", "true, false or walk")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn separates_its_own_options_from_those_of_find() {
        let options = SearchOptions::from_value(json!({
            "intent": "never", "merge": "concat", "rerank": false, "include_provenance": true,
            "limit": 3, "level": [0, 2], "score_threshold": 0.5, "target_uri": "viking://resources/a",
        }))
        .expect("read");
        assert_eq!(
            (options.intent, options.merge),
            (IntentMode::Never, Merge::Concat)
        );
        assert!(options.rerank == Rerank::Off && options.include_provenance);
        let walk = SearchOptions::from_value(json!({"rerank": "walk"}));
        assert_eq!(walk.expect("accepted").rerank, Rerank::Walk);
        assert_eq!(options.limit(), 3);
        assert_eq!(options.score_threshold(), Some(0.5));
        assert_eq!(options.targets(), ["viking://resources/a"]);
        assert_eq!(options.find.len(), 4);
        assert!(!options.names_types());
        let other = json!({"limit": 3, "node_limit": 4, "context_type": "memory"});
        let other = SearchOptions::from_value(other).expect("read");
        assert_eq!((other.limit(), other.names_types()), (4, true));
        let defaults = SearchOptions::from_value(Value::Null).expect("defaults");
        assert_eq!(
            (defaults.intent, defaults.rerank),
            (IntentMode::Auto, Rerank::Results)
        );
        assert_eq!(
            (defaults.limit(), defaults.targets()),
            (10, vec!["viking://".to_owned()])
        );
    }

    #[test]
    fn wrong_types_are_named() {
        for (value, name) in [
            (json!({"intent": "sometimes"}), "intent"),
            (json!({"merge": 1}), "merge"),
            (json!({"rerank": "yes"}), "rerank"),
            (json!([]), "options"),
        ] {
            let error = SearchOptions::from_value(value).expect_err(name);
            assert!(error.message().contains(name), "{}", error.message());
        }
    }
}
