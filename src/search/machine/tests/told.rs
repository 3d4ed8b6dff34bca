//! Traces of every query, and later pages of the merged list.

use super::*;

/// An answer of `find` with what it tells when it is asked to.
fn told(contexts: &[(&str, f64)], name: &str) -> Value {
    let root = ["viking://", name].concat();
    let mut value = found(contexts);
    value["trace"] = json!({"words": [name]});
    value["provenance"] = json!([{
        "query": name,
        "searched_directories": [root],
        "matched_contexts": [],
        "thinking_trace": {"events": [], "statistics": {"rounds": 2}},
    }]);
    value
}

#[test]
fn no_trace_is_lost_with_a_plan_and_a_rerank() {
    let endpoints = json!({"intent": {"url": URL}, "rerank": {"url": URL, "candidates": 4}});
    for with_provenance in [false, true] {
        let options = json!({"trace": true, "include_provenance": with_provenance});
        let mut search = start("and?", options, talk(), endpoints.clone());
        tell(
            &mut search,
            vec![plan(json!([
                {"query": "one", "context_type": "resource", "intent": "i", "priority": 1},
                {"query": "two", "context_type": "memory"},
            ]))],
        );
        for find in finds(&search) {
            assert_eq!(find.options["trace"], true);
            assert_eq!(find.options["include_provenance"], true);
        }
        give(
            &mut search,
            vec![
                told(&[("a", 0.9), ("b", 0.2)], "one"),
                told(&[("c", 0.8)], "two"),
            ],
        );
        tell(&mut search, vec![scored(&[0.1, 0.7]), scored(&[0.5])]);
        let result = done(&search).to_value();
        let results = result["query_results"].as_array().expect("asked for");
        assert_eq!(results.len(), 2);
        assert_eq!(
            results[0]["query"],
            json!({"query": "one", "context_type": "resource", "intent": "i", "priority": 1})
        );
        assert_eq!(results[0]["matched_contexts"][0]["uri"], "b");
        for (told, name) in results.iter().zip(["one", "two"]) {
            let root = ["viking://", name].concat();
            assert_eq!(told["trace"], json!({"words": [name]}));
            assert_eq!(told["searched_directories"], json!([root]));
            assert_eq!(told["thinking_trace"]["statistics"]["rounds"], 2);
        }
        assert_eq!(result.get("provenance").is_some(), with_provenance);
    }
}

#[test]
fn a_later_page_is_cut_from_what_all_queries_found() {
    let endpoints = json!({"intent": {"url": URL}});
    let options = json!({"offset": 2, "limit": 2});
    let mut search = start("and?", options, talk(), endpoints);
    tell(
        &mut search,
        vec![plan(json!([{"query": "one"}, {"query": "two"}]))],
    );
    for find in finds(&search) {
        assert_eq!(
            (find.options.get("offset"), &find.options["limit"]),
            (None, &json!(4))
        );
    }
    give(
        &mut search,
        vec![
            found(&[("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.1)]),
            found(&[("b", 0.85), ("e", 0.6), ("f", 0.5), ("g", 0.4)]),
        ],
    );
    assert_eq!(uris(&done(&search).resources), ["c", "e"]);
}

#[test]
fn a_page_beyond_the_reranked_candidates_is_refused() {
    let endpoints = json!({"rerank": {"url": URL, "candidates": 6}});
    let page = |offset: usize| json!({"offset": offset, "limit": 3});
    let mut second = start("q", page(3), Value::Null, endpoints.clone());
    let asked = finds(&second)[0].options.clone();
    assert_eq!((asked.get("offset"), &asked["limit"]), (None, &json!(6)));
    let rows = [
        ("a", 0.9),
        ("b", 0.8),
        ("c", 0.7),
        ("d", 0.6),
        ("e", 0.5),
        ("f", 0.4),
    ];
    give(&mut second, vec![found(&rows)]);
    tell(&mut second, vec![scored(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])]);
    assert_eq!(uris(&done(&second).resources), ["c", "b", "a"]);
    let new = |options: Value| {
        Search::new(
            "q",
            SearchOptions::from_value(options).expect("valid options"),
            Session::default(),
            Endpoints::from_value(endpoints.clone()).expect("valid endpoints"),
            &bundle(),
        )
    };
    let error = new(page(4)).expect_err("beyond");
    assert!(error.code() == "INVALID_ARGUMENT" && error.message().contains("candidates"));
    assert!(new(json!({"offset": 4, "limit": 3, "rerank": false})).is_ok());
    assert!(new(json!({"offset": 0, "limit": 30})).is_ok());
}
