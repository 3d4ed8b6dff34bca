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

/// The answers of `find` to two queries, with what is told besides rows.
fn besides(names: [&str; 2]) -> Vec<Value> {
    let of = |(place, name): (usize, &str)| {
        let rows = [[("d/a", 0.9), ("e/b", 0.2)], [("e/c", 0.8), ("e/b", 0.7)]];
        let mut value = found(&rows[place]);
        value["trace"] = json!({"words": [name]});
        value["facets"] = json!([{"key": name, "values": []}]);
        value["guessed"] = json!({"words": [name]});
        value["graph_context"] = json!(name);
        value["answer"] = json!({"title": name, "confidence": 0.9 + place as f64 / 20.0});
        let group = |uri: &str, results: &[&str]| json!({"uri": uri, "title": uri, "abstract": "", "results": results});
        value["groups"] = match place {
            0 => json!([group("d", &["d/a"]), group("e", &["e/b"])]),
            _ => json!([group("e", &["e/c", "e/b"])]),
        };
        value
    };
    names.into_iter().enumerate().map(of).collect()
}

#[test]
fn what_is_told_besides_rows_is_of_the_question_as_asked_or_left_out_with_a_word() {
    let search = |queries: [&str; 2]| {
        let endpoints = json!({"intent": {"url": URL}});
        let mut search = start("How?", json!({"group": "directory"}), talk(), endpoints);
        let queries_of = queries.map(|query| json!({"query": query}));
        tell(&mut search, vec![plan(json!(queries_of))]);
        assert_eq!(finds(&search)[1].options["group"], "directory");
        give(&mut search, besides(queries));
        done(&search)
    };
    let asked = search(["other", "how? "]);
    assert_eq!(asked.skipped, [] as [Value; 0]);
    assert_eq!(asked.more["facets"][0]["key"], "how? ");
    assert_eq!(asked.more["graph_context"], "how? ");
    assert_eq!(asked.more["guessed"], json!({"words": ["how? "]}));
    assert_eq!(asked.more["answer"]["title"], "how? ");
    assert!(asked.more.get("trace").is_none());

    let other = search(["one", "two"]);
    let steps: Vec<String> = reasons(&other).into_iter().map(|step| step.0).collect();
    assert_eq!(steps, ["facets", "graph_context", "guess"]);
    assert_eq!(other.more["answer"]["title"], "two", "the surer one");
    let members: Vec<&String> = other.more.keys().collect();
    assert_eq!(members, ["answer", "groups"]);
    for result in [asked, other] {
        assert_eq!(
            result.to_value()["groups"],
            json!([
                {"uri": "d", "title": "d", "abstract": "", "results": ["d/a"]},
                {"uri": "e", "title": "e", "abstract": "", "results": ["e/c", "e/b"]},
            ])
        );
    }
}

#[test]
fn directories_of_results_follow_the_models_scores() {
    let endpoints = json!({"rerank": {"url": URL}});
    let mut search = start(
        "q",
        json!({"group": "directory", "limit": 2}),
        Value::Null,
        endpoints,
    );
    give(&mut search, besides(["q", "q"])[..1].to_vec());
    tell(&mut search, vec![scored(&[0.1, 0.7])]);
    let result = done(&search).to_value();
    assert_eq!(result["groups"][0]["results"], json!(["e/b"]));
    assert_eq!(result["groups"][1]["results"], json!(["d/a"]));
    assert_eq!(
        result["facets"][0]["key"], "q",
        "an only query is the question"
    );
}
