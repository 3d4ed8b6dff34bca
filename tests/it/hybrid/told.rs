//! Fields of the option that are refused, and those that have no effect.

use super::*;

#[test]
fn what_is_malformed_is_named() {
    let shop = shop();
    let cases = [
        (json!([]), "hybrid is a list"),
        (json!({"scroing": "lists"}), "no field scroing"),
        (json!({"scoring": "lines"}), "lists, two_field"),
        (json!({"title_ratio": 1.5}), "title_ratio"),
        (
            json!({"query_type": "fact"}),
            "one of factual, conceptual, navigational, informational",
        ),
        (json!({"recency": -1}), "recency"),
        (json!({"recency": {"floor": 2}}), "floor"),
        (json!({"votes": {"tag": "x"}}), "votes"),
        (
            json!({"votes": [{"tag": "x", "uri": "viking://resources", "votes": 1}]}),
            "votes",
        ),
        (json!({"expansions": {"semantic": [1]}}), "semantic"),
        (json!({"expansions": {"k": 0}}), "k"),
        (json!({"context": {"above": -1}}), "above"),
        (json!({"access": {"updated": [1, 2, 3]}}), "time range"),
        (json!({"access": {"sources": 3}}), "sources"),
    ];
    for (hybrid, named) in cases {
        let error = block_on(shop.1.find(&shop.0, "refund", &options(hybrid.clone()))).unwrap_err();
        assert!(
            error.message().contains(named),
            "{hybrid}: {}",
            error.message()
        );
    }
    let wrong = options(json!({"scroing": "lists"}));
    let error = block_on(shop.1.find(&shop.0, "refund", &wrong)).unwrap_err();
    let (_, known) = error.message().split_once("known are ").unwrap();
    let mut known: Vec<&str> = known.split(", ").collect();
    let n_known = known.len();
    known.sort_unstable();
    known.dedup();
    assert!(
        known.len() == n_known && n_known > 10,
        "each once: {error:?}"
    );
}

#[test]
fn options_without_effect_are_told() {
    let shop = shop();
    let told = |change: &dyn Fn(&mut FindOptions), hybrid: Value| -> Vec<(String, String)> {
        let mut options = options(hybrid);
        change(&mut options);
        let found = block_on(shop.1.find(&shop.0, "refund", &options)).unwrap();
        let told = found.skipped.into_iter();
        told.map(|told| (told.step, told.reason)).collect()
    };
    let of = |change: &dyn Fn(&mut FindOptions), hybrid: Value, step: &str, names: &str| {
        let told = told(change, hybrid);
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, step);
        assert!(
            told[0].1.starts_with(&format!("{names}: no effect ")),
            "{told:?}"
        );
    };
    let nothing = |_: &mut FindOptions| {};
    let names = json!({"graph_context": true, "graph_entities": ["a"], "answer_types": "PERSON"});
    of(
        &nothing,
        names,
        "graph",
        "answer_types, graph_context, graph_entities",
    );
    let titles = json!({"title_vectors": true, "title_ratio": 0.4, "small_chunks": true});
    of(&nothing, titles, "hybrid", "title_ratio, title_vectors");
    of(
        &nothing,
        json!({"query_type": "factual"}),
        "hybrid",
        "query_type",
    );
    let walk = |options: &mut FindOptions| {
        options.preset = Preset::Classic;
        options.global_search_topk = Some(3);
    };
    of(&walk, json!({}), "walk", "preset, global_search_topk");

    let walked = |options: &mut FindOptions| {
        walk(options);
        options.mode = Mode::Thinking;
    };
    let acting = [
        (
            &nothing as &dyn Fn(&mut FindOptions),
            json!({"title_vectors": true, "scoring": "two_field"}),
        ),
        (&nothing, json!({"alpha": "auto", "query_type": "factual"})),
        (
            &nothing,
            json!({"graph_context": false, "title_vectors": false}),
        ),
        (&walked, json!({})),
    ];
    for (change, hybrid) in acting {
        assert_eq!(told(change, hybrid), []);
    }
}
