//! A walk whose rows the rerank endpoint scores: `find` says which rows it lacks, and is asked again with their scores.
//!
//! The walk starts afresh each time and comes to the same place, so nothing is kept between the calls but the scores.

use super::{Round, Search, State};
use crate::search::json::{number, text, whole, without};
use crate::search::options::Rerank;
use crate::search::rerank;
use serde_json::{Map, Value};

impl Search {
    /// True when scores are asked for within a walk.
    pub(super) fn walks(&self) -> bool {
        self.options.rerank == Rerank::Walk && self.has_reranker()
    }

    /// The options of a query's `find`: a walk by the scores so far, to the end of the page.
    pub(super) fn walk_options(
        &self,
        options: Map<String, Value>,
        position: usize,
    ) -> Map<String, Value> {
        // The threshold is for the model's scores.
        let mut options = without(options, &["node_limit", "offset", "score_threshold"]);
        options.insert("limit".to_owned(), whole(self.last()));
        let scores = Value::Object(self.walk_scores[position].clone());
        options.insert("walk_scores".to_owned(), scores);
        options.entry("mode").or_insert_with(|| text("thinking"));
        options
    }

    /// Asks for the scores of the rows that the walks lack, all walks side by side. False if none lacks any.
    pub(super) fn ask_scores(&mut self) -> bool {
        let Some(endpoint) = self.endpoints.rerank.as_ref().filter(|_| self.walks()) else {
            return false;
        };
        let (mut rounds, mut open) = (Vec::new(), Vec::new());
        for (position, found) in self.found.iter().enumerate() {
            if found.wanted.is_empty() {
                continue;
            }
            open.push(position);
            // What the endpoint is not asked about keeps its own score.
            let scores = &mut self.walk_scores[position];
            for row in &found.wanted {
                scores.insert(row.text("uri").to_owned(), Value::Null);
            }
            let query = &self.result.query_plan.queries[position].query;
            let round = rerank::request(endpoint, query, &found.wanted).map(|sent| Round {
                query: position,
                sent,
                scores: None,
            });
            rounds.extend(round);
        }
        if !open.is_empty() {
            self.state = match rounds.is_empty() {
                true => State::Finding(open.clone()),
                false => State::Reranking(rounds),
            };
        }
        !open.is_empty()
    }

    /// Takes the scores of a round and walks on.
    pub(super) fn walk_on(&mut self, rounds: Vec<Round>) {
        for round in rounds {
            let wanted = &self.found[round.query].wanted;
            let scores = round.scores.into_iter().flatten();
            for (position, score) in round.sent.positions.into_iter().zip(scores) {
                let uri = wanted[position].text("uri").to_owned();
                let score = score.map_or(Value::Null, number);
                self.walk_scores[round.query].insert(uri, score);
            }
        }
        let open = (0..self.found.len()).filter(|&i| !self.found[i].wanted.is_empty());
        self.state = State::Finding(open.collect());
    }

    /// Searches again without the endpoint, which failed: an answer has one scale.
    pub(super) fn walk_without(&mut self) {
        self.options.rerank = Rerank::Off;
        self.state = State::Finding((0..self.found.len()).collect());
    }

    /// Marks the results of a walk: the model's scores led to them.
    pub(super) fn walked(&mut self) {
        let walks = self.walks();
        self.found.iter_mut().for_each(|found| found.walked = walks);
    }
}
