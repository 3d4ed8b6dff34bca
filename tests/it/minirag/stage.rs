//! The whole stage, as published and as recommended.

use super::{Named, n_words, vectors};
use crate::oracle::minirag::{Budgets, Published, published_outcome};
use crate::vectors::{Names, count, keys, list, real, text, texts};
use knarr::find::minirag::context::{ContextBudget, EntityRow, context};
use knarr::find::minirag::{
    EntityChunks, GraphQuery, QueryEntity, Rules, Selection, explain, select, walk_support,
};
use serde_json::Value;

/// A case of the whole stage with everything it refers to.
struct Stage {
    named: Named,
    query_text: String,
    entities: Vec<QueryEntity>,
    answer_types: Vec<String>,
    relations: Vec<(u32, u32)>,
    chunks: Vec<u32>,
    final_chunks: usize,
}

impl Stage {
    /// Hit lists are cut to what the published program asks its stores for.
    fn new(case: &Value, aligned: bool) -> Self {
        let mut named = Named::new(case, aligned);
        let top_k = count(&case["top_k"]);
        let given = list(&case["entity_hits"]);
        let budgets = Budgets::new(top_k, given.len());
        let mut entities = Vec::new();
        for name in given {
            let mut hits = Vec::new();
            for hit in list(&name["hits"]).iter().take(budgets.entities) {
                hits.push((
                    named.entities.id(text(&hit["entity_name"])),
                    real(&hit["score"]),
                ));
            }
            entities.push(QueryEntity {
                text: text(&name["query_entity"]).to_owned(),
                hits,
            });
        }
        let mut relations = named.pairs(&case["edge_hits"]);
        // With no name there is no budget, but the case asks the recommended rules with all relations.
        if !entities.is_empty() {
            relations.truncate(budgets.relations);
        }
        let mut chunks = named.chunks.ids(&case["chunk_hits"]);
        chunks.truncate(budgets.chunks);
        Self {
            named,
            query_text: text(&case["query"]).to_owned(),
            entities,
            answer_types: texts(&case["answer_types"]),
            relations,
            chunks,
            final_chunks: budgets.final_chunks,
        }
    }

    fn query(&self) -> GraphQuery<'_> {
        GraphQuery {
            text: Some(&self.query_text),
            entities: &self.entities,
            answer_types: &self.answer_types,
            relations: &self.relations,
            chunks: &self.chunks,
            final_chunks: self.final_chunks,
        }
    }

    fn assert_selection(&self, rules: &Rules, expected: &Value, what: &Value) -> Selection {
        let (query, named) = (self.query(), &self.named);
        let got = select(&named.graph, &query, rules);
        let candidates: Vec<u32> = got
            .candidates
            .iter()
            .map(|candidate| candidate.entity)
            .collect();
        assert_eq!(
            named.entities.names(&candidates),
            texts(&expected["candidates"]),
            "{what}"
        );
        assert_eq!(candidates.len(), keys(&expected["entity_chunks"]).len());
        for candidate in &got.candidates {
            let name = &named.entities.0[candidate.entity as usize];
            assert_eq!(
                named.chunks.names(&candidate.chunks),
                texts(&expected["entity_chunks"][name]),
                "{what} chunks of {name}"
            );
            let support = walk_support(&named.graph, &query, rules, candidate.entity);
            let expected_walks = list(&expected["walk_support"][name]);
            assert_eq!(
                support.len(),
                expected_walks.len(),
                "{what} walks of {name}"
            );
            for (support, expected) in support.iter().zip(expected_walks) {
                assert_eq!(
                    named.entities.names(&support.walk),
                    texts(&expected["path"]),
                    "{what}"
                );
                assert_eq!(
                    support.answers as usize,
                    count(&expected["answers"]),
                    "{what} {support:?}"
                );
                assert_eq!(
                    support.votes as usize,
                    count(&expected["votes"]),
                    "{what} {support:?}"
                );
            }
            if let Some(weights) = expected.get("chunk_weights") {
                assert_scores(&named.chunks, &candidate.weights, &weights[name], what);
            }
        }
        assert_scores(&named.chunks, &got.totals, &expected["final_scores"], what);
        assert_eq!(
            named.chunks.names(&got.chunks),
            texts(&expected["final"]),
            "{what} final"
        );
        got
    }

    /// The context of the published program, with the stub texts and word counts of the fixture.
    fn context(&self, selection: &Selection) -> String {
        let graph = &self.named.graph;
        let joined: Vec<String> = selection
            .candidates
            .iter()
            .map(|c| graph.entities()[c.entity as usize].texts.join("<SEP>"))
            .collect();
        let row = |(candidate, description): (&EntityChunks, &'_ String)| {
            (candidate.entity, candidate.score, description.clone())
        };
        let rows: Vec<(u32, f64, String)> =
            selection.candidates.iter().zip(&joined).map(row).collect();
        let rows: Vec<EntityRow<'_>> = rows
            .iter()
            .map(|(entity, score, description)| EntityRow {
                name: &graph.entities()[*entity as usize].name,
                score: *score,
                description,
            })
            .collect();
        let sources: Vec<String> = self
            .named
            .chunks
            .names(&selection.chunks)
            .iter()
            .map(|name| format!("text of {name}"))
            .collect();
        let sources: Vec<Option<&str>> =
            sources.iter().map(|source| Some(source.as_str())).collect();
        let budget = ContextBudget {
            sources: usize::MAX,
            ..ContextBudget::default()
        };
        // Debug keeps the ".0" of whole numbers, as the published rows have it.
        context(&rows, &sources, budget, &n_words, &|score| {
            format!("{score:?}")
        })
    }
}

fn assert_scores(names: &Names, got: &[(u32, f64)], expected: &Value, what: &Value) {
    assert_eq!(
        got.len(),
        keys(expected).len(),
        "{what}: {got:?} instead of {expected}"
    );
    for (chunk, score) in got {
        let expected = real(&expected[&names.0[*chunk as usize]]);
        assert!(
            (score - expected).abs() <= 1e-9,
            "{what}: {score} instead of {expected}"
        );
    }
}

#[test]
fn the_whole_stage_as_published_and_as_recommended() {
    let (mut n_published, mut n_recommended) = (0, 0);
    for case in list(&vectors()["pipeline"])
        .iter()
        .chain(&list(&vectors()["pipeline_random"]))
    {
        let name = &case["name"];
        let stage = Stage::new(case, true);
        stage.assert_selection(&Rules::default(), &case["recommended"], name);
        n_recommended += 1;
        let stage = Stage::new(case, false);
        let published = &case["as_is"];
        let outcome = published_outcome(&stage.named.graph, &stage.query());
        if published.get("raises").is_some() {
            assert_eq!(outcome, Published::Stops, "{name}");
            continue;
        }
        n_published += 1;
        let budgets = Budgets::new(count(&case["top_k"]), stage.entities.len());
        assert_eq!(
            budgets.relations,
            count(&published["edge_query"]["top_k"]),
            "{name}"
        );
        assert_eq!(case["query"], published["edge_query"]["text"]);
        assert_eq!(
            budgets.chunks,
            count(&published["chunk_query_top_k"]),
            "{name}"
        );
        let selection = stage.assert_selection(&Rules::as_is(), published, name);
        assert_eq!(
            published["returned_none"],
            outcome == Published::Nothing,
            "{name}"
        );
        if let Some(expected) = published.get("context").and_then(Value::as_str) {
            assert_eq!(stage.context(&selection), expected, "{name}");
        }
    }
    assert_eq!((n_published, n_recommended), (37, 39));
}

#[test]
fn a_chunk_explains_itself() {
    let case = &list(&vectors()["pipeline"])[0];
    let stage = Stage::new(case, true);
    let rules = Rules::default();
    let selection = select(&stage.named.graph, &stage.query(), &rules);
    for (chunk, total) in &selection.totals {
        let reasons = explain(
            &stage.named.graph,
            &stage.query(),
            &rules,
            &selection,
            *chunk,
        );
        let sum: f64 = reasons.iter().map(|reason| reason.amount).sum();
        assert!((sum - total).abs() < 1e-9);
        assert!(
            reasons
                .iter()
                .all(|reason| reason.walk.walk[0] == reason.entity)
        );
    }
    let first = explain(
        &stage.named.graph,
        &stage.query(),
        &rules,
        &selection,
        selection.chunks[0],
    );
    // c3 gains most from the launch: doubled as the best match of its name and confirmed by the chunk hits.
    assert!((first[0].amount - 0.88 * 2.0 * 10.0).abs() < 1e-9);
    assert_eq!(
        stage.named.entities.names(&first[0].walk.walk),
        ["LAUNCH", "PARIS", "BOB"]
    );
    assert_eq!((first[0].walk.answers, first[0].walk.votes), (1, 1));
}
