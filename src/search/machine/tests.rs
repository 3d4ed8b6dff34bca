//! The state machine against scripted answers: what is asked, in which order, and what becomes of each failure.

use super::*;
use crate::search::exchange::Failure;
use serde_json::json;

mod told;
mod walking;

const URL: &str = "https://a.example/";

fn bundle() -> Bundle {
    Bundle {
        encoder: "model:m@2".into(),
        dims: 2,
    }
}

fn start(query: &str, options: Value, session: Value, endpoints: Value) -> Search {
    Search::new(
        query,
        SearchOptions::from_value(options).expect("options"),
        Session::from_value(session).expect("a session"),
        Endpoints::from_value(endpoints).expect("endpoints"),
        &bundle(),
    )
    .expect("a search")
}

fn talk() -> Value {
    json!({"messages": [{"role": "user", "content": "hello"}]})
}

fn ok(body: Value) -> Reply {
    Reply::Response {
        status: 200,
        retry_after: None,
        body: body.to_string(),
        elapsed_ms: 5,
    }
}

fn status(status: u16, retry_after: Option<&str>) -> Reply {
    Reply::Response {
        status,
        retry_after: retry_after.map(str::to_owned),
        body: String::new(),
        elapsed_ms: 5,
    }
}

fn plan(queries: Value) -> Reply {
    let content = json!({"reasoning": "r", "queries": queries}).to_string();
    ok(json!({"choices": [{"message": {"content": content}}]}))
}

fn scored(scores: &[f64]) -> Reply {
    let results = scores.iter().enumerate();
    let results: Vec<Value> = results
        .map(|(i, s)| json!({"index": i, "relevance_score": s}))
        .collect();
    ok(json!({"results": results}))
}

/// A result of `find` with resources of these names and scores.
fn found(contexts: &[(&str, f64)]) -> Value {
    let list: Vec<Value> = contexts
        .iter()
        .map(|(uri, score)| {
            json!({"uri": uri, "context_type": "resource", "level": 2, "score": score, "abstract": uri})
        })
        .collect();
    json!({"memories": [], "resources": list, "skills": [], "total": list.len(), "corrections": [], "skipped": []})
}

fn posts(search: &Search) -> Vec<Post> {
    match search.step() {
        Step::Post(posts) => posts,
        other => panic!("{other:?}"),
    }
}

fn body(post: &Post) -> Value {
    serde_json::from_str(&post.body).expect("JSON")
}

fn finds(search: &Search) -> Vec<Find> {
    match search.step() {
        Step::Find(finds) => finds,
        other => panic!("{other:?}"),
    }
}

fn done(search: &Search) -> SearchResult {
    match search.step() {
        Step::Done(result) => *result,
        other => panic!("{other:?}"),
    }
}

fn tell(search: &mut Search, replies: Vec<Reply>) {
    search.supply(Answer::Post(replies)).expect("in step");
}

fn give(search: &mut Search, results: Vec<Value>) {
    search.supply(Answer::Find(results)).expect("in step");
}

fn uris(list: &[Value]) -> Vec<&str> {
    list.iter()
        .map(|c| c["uri"].as_str().expect("a URI"))
        .collect()
}

fn reasons(result: &SearchResult) -> Vec<(String, String)> {
    let text = |entry: &Value, name: &str| entry[name].as_str().expect("a text").to_owned();
    let entries = result.skipped.iter();
    entries
        .map(|e| (text(e, "step"), text(e, "reason")))
        .collect()
}

#[test]
fn with_no_endpoint_it_is_find_and_says_so() {
    let mut search = start(
        "two words",
        json!({"limit": 3, "alpha": 0.5}),
        talk(),
        json!({}),
    );
    assert_eq!(
        finds(&search),
        [Find {
            query: "two words".into(),
            options: json!({"limit": 3, "alpha": 0.5})
                .as_object()
                .expect("an object")
                .clone(),
        }]
    );
    give(&mut search, vec![found(&[("a", 0.9), ("b", 0.5)])]);
    let result = done(&search);
    assert_eq!((uris(&result.resources), result.total), (vec!["a", "b"], 2));
    assert_eq!(
        result.query_plan.reasoning,
        "searched as asked: no intent endpoint is configured"
    );
    assert_eq!(result.query_plan.queries[0].context_type, None);
    assert!(result.skipped.is_empty() && result.provenance.is_none());
    let always = start("a", json!({"intent": "always"}), Value::Null, json!({}));
    assert_eq!(
        always.result.skipped,
        [skipped("intent", "no intent endpoint is configured")]
    );
}

#[test]
fn a_conversation_becomes_typed_queries_merged_by_context() {
    let endpoints = json!({"intent": {"url": URL, "model": "chat"}});
    let mut search = start(
        "and the second?",
        json!({"include_provenance": true, "target_uri": "viking://resources/x"}),
        talk(),
        endpoints,
    );
    let asked = posts(&search);
    assert_eq!(
        (asked.len(), asked[0].url.as_str(), asked[0].timeout_ms),
        (1, URL, 5_000)
    );
    assert!(
        body(&asked[0])["messages"][1]["content"]
            .as_str()
            .expect("a text")
            .contains("[user]: hello")
    );
    tell(
        &mut search,
        vec![plan(json!([
            {"query": "one", "context_type": "resource", "priority": 1},
            {"query": "two", "context_type": "skill"},
        ]))],
    );
    let asked: Vec<(String, Value)> = finds(&search)
        .into_iter()
        .map(|mut f| (f.query, f.options["context_type"].take()))
        .collect();
    assert_eq!(
        asked,
        [
            ("one".into(), json!("resource")),
            ("two".into(), json!("skill"))
        ]
    );
    give(
        &mut search,
        vec![found(&[("a", 0.9), ("b", 0.2)]), found(&[])],
    );
    // Nothing on the site is a skill: that query is searched in all types, and the answer says so.
    let again = finds(&search);
    assert_eq!((again.len(), again[0].query.as_str()), (1, "two"));
    assert_eq!(again[0].options.get("context_type"), None);
    give(&mut search, vec![found(&[("b", 0.8), ("c", 0.1)])]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["a", "b", "c"]);
    assert_eq!(result.resources[1]["score"], 0.8);
    assert_eq!(result.query_plan.reasoning, "r");
    assert_eq!(
        reasons(&result),
        [(
            "context_type".to_owned(),
            "no skill matches 'two': all types were searched".to_owned()
        )]
    );
    let provenance = result.provenance.expect("asked for");
    assert_eq!(
        (
            provenance[1].query.as_str(),
            provenance[1].matched_contexts.len()
        ),
        ("two", 2)
    );
    assert_eq!(provenance[0].searched_directories, ["viking://resources/x"]);
}

#[test]
fn the_callers_types_win_over_the_models() {
    let endpoints = json!({"intent": {"url": URL}});
    let options = json!({"context_type": ["memory", "resource"]});
    let mut search = start("my editor", options.clone(), talk(), endpoints);
    tell(
        &mut search,
        vec![plan(
            json!([{"query": "the user's editor", "context_type": "skill"}]),
        )],
    );
    assert_eq!(
        finds(&search)[0].options,
        *options.as_object().expect("an object")
    );
    give(&mut search, vec![found(&[])]);
    assert!(done(&search).skipped.is_empty());
}

#[test]
fn chit_chat_finds_nothing_and_asks_nothing_more() {
    let endpoints = json!({"intent": {"url": URL}, "rerank": {"url": URL}, "embedding": {"url": URL, "model": "m"}});
    let mut search = start(
        "thanks!",
        json!({"include_provenance": true}),
        talk(),
        endpoints,
    );
    tell(&mut search, vec![plan(json!([]))]);
    let result = done(&search);
    assert_eq!((result.total, result.query_plan.queries.len()), (0, 0));
    assert_eq!(result.provenance, Some(Vec::new()));
}

#[test]
fn a_failed_plan_leaves_the_question() {
    let endpoints = json!({"intent": {"url": URL}});
    let html = Reply::Response {
        status: 200,
        retry_after: None,
        body: "<html>".into(),
        elapsed_ms: 1,
    };
    let timeout = Reply::Failed {
        failure: Failure::Timeout,
        detail: String::new(),
    };
    for (reply, reason) in [
        (html, "HTML"),
        (timeout, "within 5000 ms"),
        (status(401, None), "401"),
        (ok(json!({"choices": []})), "choices[0]"),
        (
            ok(json!({"choices": [{"message": {"content": "I would rather not."}}]})),
            "no plan",
        ),
    ] {
        let mut search = start("the question", json!({}), talk(), endpoints.clone());
        tell(&mut search, vec![reply]);
        assert_eq!(finds(&search)[0].query, "the question");
        give(&mut search, vec![found(&[("a", 0.9)])]);
        let result = done(&search);
        assert_eq!(uris(&result.resources), ["a"]);
        assert_eq!(
            result.query_plan.reasoning,
            "searched as asked: the intent endpoint failed"
        );
        let [(step, told)] = &reasons(&result)[..] else {
            panic!("{:?}", result.skipped)
        };
        assert!(step == "intent" && told.contains(reason), "{told}");
    }
}

#[test]
fn intent_is_asked_only_when_needed() {
    let endpoints = json!({"intent": {"url": URL}});
    let asks = |query: &str, options: Value, session: Value| {
        matches!(
            start(query, options, session, endpoints.clone()).step(),
            Step::Post(_)
        )
    };
    assert!(!asks("a", json!({}), Value::Null));
    assert!(asks("a", json!({"intent": "always"}), Value::Null));
    assert!(asks("a", json!({}), talk()));
    assert!(!asks("a", json!({"intent": "never"}), talk()));
}

#[test]
fn candidates_are_scored_again_then_cut() {
    let endpoints = json!({"rerank": {"url": URL, "candidates": 4}});
    let options = json!({"limit": 2, "score_threshold": 0.3, "include_provenance": true});
    let mut search = start("q", options, Value::Null, endpoints);
    // More candidates than results, and no threshold: that is for the scores to come.
    assert_eq!(
        finds(&search)[0].options,
        *json!({"limit": 4, "include_provenance": true})
            .as_object()
            .expect("an object")
    );
    give(
        &mut search,
        vec![found(&[("a", 0.9), ("b", 0.8), ("c", 0.2), ("d", 0.1)])],
    );
    assert_eq!(
        body(&posts(&search)[0])["documents"],
        json!(["a", "b", "c", "d"])
    );
    tell(&mut search, vec![scored(&[0.3, 0.1, 0.95, 0.9])]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["c", "d"]);
    assert_eq!(result.resources[0]["score"], 0.95);
    let provenance = result.provenance.expect("asked for");
    assert_eq!(
        provenance[0].matched_contexts[0].match_reason,
        "score of the rerank model"
    );
}

#[test]
fn a_failed_rerank_leaves_the_local_answer() {
    let endpoints = json!({"rerank": {"url": URL}});
    let local = found(&[("a", 0.9), ("b", 0.8), ("c", 0.2)]);
    for (reply, reason) in [
        (status(500, None), "500"),
        (scored(&[0.1, 0.2]), "2 of 3"),
        (scored(&[0.1, 0.2, 9.0]), "logit"),
        (ok(json!({"results": "none"})), "no list"),
        (
            Reply::Failed {
                failure: Failure::TooLarge,
                detail: String::new(),
            },
            "longer than",
        ),
    ] {
        let mut search = start(
            "q",
            json!({"limit": 2, "score_threshold": 0.3}),
            Value::Null,
            endpoints.clone(),
        );
        give(&mut search, vec![local.clone()]);
        tell(&mut search, vec![reply]);
        let result = done(&search);
        assert_eq!(uris(&result.resources), ["a", "b"]);
        assert_eq!(result.resources[0]["score"], 0.9);
        let [(step, told)] = &reasons(&result)[..] else {
            panic!("{:?}", result.skipped)
        };
        assert!(step == "rerank" && told.contains(reason), "{told}");
    }
}

#[test]
fn blank_and_unscored_contexts_keep_their_local_score() {
    let endpoints = json!({"rerank": {"url": URL}});
    let mut search = start("q", json!({}), Value::Null, endpoints);
    let mut value = found(&[("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6)]);
    value["resources"][1]["abstract"] = json!("");
    value["resources"][2]["abstract"] = json!("   ");
    give(&mut search, vec![value]);
    assert_eq!(body(&posts(&search)[0])["documents"], json!(["a", "d"]));
    tell(&mut search, vec![scored(&[0.95, 0.05])]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["a", "b", "c", "d"]);
    let scores: Vec<f64> = result
        .resources
        .iter()
        .filter_map(|c| c["score"].as_f64())
        .collect();
    assert_eq!(scores, [0.95, 0.8, 0.7, 0.05]);
    assert!(result.skipped.is_empty());

    let endpoints = json!({"rerank": {"url": URL}});
    let mut search = start("q", json!({}), Value::Null, endpoints);
    give(&mut search, vec![found(&[("a", 0.9), ("b", 0.8)])]);
    tell(&mut search, vec![Reply::Response {
        status: 200,
        retry_after: None,
        body: r#"{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 0.95}]}"#.into(),
        elapsed_ms: 1,
    }]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["b", "a"]);
    assert!(reasons(&result)[0].1.contains("1 contexts are not numbers"));
}

#[test]
fn all_queries_are_scored_in_one_round_and_on_one_scale() {
    let endpoints = json!({"intent": {"url": URL}, "rerank": {"url": URL}});
    let reach = || {
        let mut search = start("q", json!({}), talk(), endpoints.clone());
        tell(&mut search, vec![plan(json!(["one", "two", "three"]))]);
        give(
            &mut search,
            vec![found(&[("a", 0.9)]), found(&[("b", 0.8)]), found(&[])],
        );
        give(&mut search, vec![found(&[])]);
        search
    };
    let mut search = reach();
    let asked: Vec<Value> = posts(&search)
        .iter()
        .map(|p| body(p)["query"].clone())
        .collect();
    assert_eq!(asked, ["one", "two"]);
    tell(&mut search, vec![scored(&[0.1]), scored(&[0.7])]);
    assert_eq!(uris(&done(&search).resources), ["b", "a"]);

    let mut search = reach();
    tell(&mut search, vec![scored(&[0.1]), status(500, None)]);
    let result = done(&search);
    assert_eq!(uris(&result.resources), ["a", "b"]);
    let steps: Vec<String> = reasons(&result).into_iter().map(|r| r.0).collect();
    assert_eq!(steps, ["context_type", "rerank"]);

    // Only what was refused for the moment is sent again, and once.
    let mut search = reach();
    tell(&mut search, vec![scored(&[0.1]), status(429, Some("1"))]);
    let again = posts(&search);
    assert_eq!(
        (again.len(), again[0].delay_ms, &body(&again[0])["query"]),
        (1, 1_000, &json!("two"))
    );
    tell(&mut search, vec![scored(&[0.7])]);
    assert_eq!(uris(&done(&search).resources), ["b", "a"]);
}

#[test]
fn rerank_can_be_left_out_of_a_search() {
    let endpoints = json!({"rerank": {"url": URL}});
    for options in [json!({"rerank": false}), json!({"limit": 0})] {
        let mut search = start("q", options, Value::Null, endpoints.clone());
        give(&mut search, vec![found(&[])]);
        assert_eq!(done(&search).total, 0);
    }
}

#[test]
fn the_vectors_of_all_queries_come_in_one_request() {
    let endpoints = json!({"intent": {"url": URL}, "embedding": {"url": URL, "model": "m"}});
    let mut search = start("q", json!({}), talk(), endpoints);
    tell(&mut search, vec![plan(json!(["one", "two"]))]);
    assert_eq!(body(&posts(&search)[0])["input"], json!(["one", "two"]));
    tell(
        &mut search,
        vec![ok(
            json!({"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}),
        )],
    );
    let vectors: Vec<Value> = finds(&search)
        .iter()
        .map(|f| f.options["vector"].clone())
        .collect();
    assert_eq!(vectors, [json!([1.0, 0.0]), json!([0.0, 1.0])]);
}

#[test]
fn a_failed_vector_leaves_the_words() {
    let endpoints = json!({"embedding": {"url": URL, "model": "m"}});
    for (reply, reason) in [
        (
            ok(json!({"data": [{"embedding": [1, 2, 3]}]})),
            "3 dimensions",
        ),
        (ok(json!({"data": []})), "0 vectors"),
        (status(503, Some("60")), "longer than it is given"),
    ] {
        let mut search = start("q", json!({}), Value::Null, endpoints.clone());
        tell(&mut search, vec![reply]);
        assert!(finds(&search)[0].options.is_empty());
        give(&mut search, vec![found(&[("a", 0.9)])]);
        let told = reasons(&done(&search));
        assert!(
            told[0].0 == "embedding" && told[0].1.contains(reason),
            "{told:?}"
        );
    }
}

#[test]
fn a_vector_of_the_callers_or_no_use_for_one_asks_nobody() {
    let endpoints = json!({"embedding": {"url": URL, "model": "m"}});
    for options in [json!({"vector": [1, 0]}), json!({"alpha": 0})] {
        let search = start("q", options.clone(), Value::Null, endpoints.clone());
        assert_eq!(
            finds(&search)[0].options,
            *options.as_object().expect("an object")
        );
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let new = |query: &str, endpoints: Value| {
        let endpoints = Endpoints::from_value(endpoints).expect("endpoints");
        Search::new(
            query,
            SearchOptions::default(),
            Session::default(),
            endpoints,
            &bundle(),
        )
    };
    assert_eq!(
        new(" \n", json!({})).expect_err("blank").kind(),
        ErrorKind::InvalidArgument
    );
    let other = json!({"embedding": {"url": URL, "model": "other"}});
    assert_eq!(
        new("q", other).expect_err("another model").kind(),
        ErrorKind::FailedPrecondition
    );
}

#[test]
fn answers_to_another_question_are_refused() {
    let mut search = start("q", json!({}), Value::Null, json!({}));
    assert!(search.clone().supply(Answer::Post(vec![])).is_err());
    assert!(search.clone().supply(Answer::Find(vec![])).is_err());
    give(&mut search, vec![Value::Null]);
    assert_eq!(done(&search).total, 0);
    assert!(search.supply(Answer::Find(vec![])).is_err());
}
