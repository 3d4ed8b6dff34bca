//! Scores asked for within a walk, and names that a plan has for the graph.

use super::*;

/// A result of `find` whose walk lacks the scores of these rows.
fn wants(uris: &[&str]) -> Value {
    let mut result = found(&[]);
    let rows = uris
        .iter()
        .map(|uri| json!({"uri": uri, "level": 2, "score": 0.1, "abstract": uri}));
    result["wanted"] = rows.collect();
    result
}

#[test]
fn a_walk_is_scored_round_by_round() {
    let endpoints = json!({"rerank": {"url": URL, "model": "m"}});
    let options = json!({"rerank": "walk", "limit": 2, "score_threshold": 0.3});
    let mut search = start("q", options, Value::Null, endpoints.clone());
    let first = &finds(&search)[0].options;
    assert_eq!(
        (&first["mode"], &first["walk_scores"]),
        (&json!("thinking"), &json!({}))
    );
    assert!(first.get("score_threshold").is_none() && first["limit"] == 2);
    give(&mut search, vec![wants(&["a", "b"])]);
    let body: Value = serde_json::from_str(&posts(&search)[0].body).expect("JSON");
    assert_eq!(body["documents"], json!(["a", "b"]));
    tell(&mut search, vec![scored(&[0.9, 0.2])]);
    assert_eq!(
        finds(&search)[0].options["walk_scores"],
        json!({"a": 0.9, "b": 0.2})
    );
    // A row without a text is not sent and keeps its own score.
    let mut blank = wants(&["c"]);
    blank["wanted"][0]["abstract"] = json!("");
    give(&mut search, vec![blank]);
    assert_eq!(
        finds(&search)[0].options["walk_scores"],
        json!({"a": 0.9, "b": 0.2, "c": null})
    );
    // The threshold is for the model's own scores, which `find` tells as relevance: a good directory lifts only the order.
    let mut walked = found(&[("b", 0.6), ("a", 0.5)]);
    walked["resources"][0]["relevance"] = json!(0.2);
    walked["resources"][1]["relevance"] = json!(0.9);
    give(&mut search, vec![walked]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["a"]);
    assert_eq!(result.resources[0]["relevance"], 0.9);
    assert_eq!(result.resources[0]["score"], 0.5);
    assert!(result.skipped.is_empty());
    // When the endpoint fails, the walk is the bundle's own.
    let mut search = start("q", json!({"rerank": "walk"}), Value::Null, endpoints);
    give(&mut search, vec![wants(&["a"])]);
    tell(&mut search, vec![status(500, None)]);
    while let Step::Post(_) = search.step() {
        tell(&mut search, vec![status(500, None)]);
    }
    assert!(finds(&search)[0].options.get("walk_scores").is_none());
    give(&mut search, vec![found(&[("a", 0.4)])]);
    let result = done(&search);
    assert_eq!(
        (result.skipped.len(), &result.skipped[0]["step"]),
        (1, &json!("rerank"))
    );
    // Without an endpoint it is said.
    let search = start("q", json!({"rerank": "walk"}), Value::Null, json!({}));
    assert!(finds(&search)[0].options.get("walk_scores").is_none());
}

#[test]
fn a_plan_names_what_the_graph_is_asked_for() {
    let endpoints = json!({"intent": {"url": URL, "model": "m", "response_format": "schema"}});
    let names =
        json!({"query": "one", "entities": [" Ann ", "", "Oslo"], "answer_types": ["PERSON"]});
    let options = json!({"graph": 0.2, "hybrid": {"answer_types": ["DATE"]}});
    let mut search = start("q", options, talk(), endpoints.clone());
    let body = &posts(&search)[0].body;
    assert_eq!(body.matches("answer_types").count(), 3, "{body}");
    tell(&mut search, vec![plan(json!([names, "two"]))]);
    let hybrids: Vec<Value> = finds(&search)
        .iter()
        .map(|find| find.options["hybrid"].clone())
        .collect();
    let own = json!({"answer_types": ["DATE"]});
    assert_eq!(
        hybrids,
        [
            json!({"answer_types": ["DATE"], "graph_entities": ["Ann", "Oslo"]}),
            own
        ]
    );
    give(
        &mut search,
        vec![found(&[("a", 0.4)]), found(&[("b", 0.4)])],
    );
    let told = done(&search).query_plan.to_value();
    assert_eq!(told["queries"][0]["entities"], json!(["Ann", "Oslo"]));
    assert!(told["queries"][1].get("entities").is_none());
    // Nobody asks for names where the graph has no say.
    let search = start("q", Value::Null, talk(), endpoints);
    assert!(!posts(&search)[0].body.contains("answer_types"));
}
