//! Every case of `tests/vectors/onyx_vectors.json` against the library, block by block (spec onyx §7).

use crate::oracle::onyx::rank_report_score;
use knarr::engine::cache::{CacheKey, ResultCache};
use knarr::engine::monitor::alpha_bucket;
use knarr::find::ask::question::Question;
use knarr::find::onyx::alpha::{
    Feedback, QueryType, alpha_as_written, alpha_for, query_type, target_hits, target_hits_compat,
    title_ratio, word_units,
};
use knarr::find::onyx::boosts::{
    RECENCY_FLOOR, age_years, document_boost, recency_bias, recency_floor_years,
};
use knarr::find::onyx::expansion::add_duplicates;
use knarr::find::onyx::two_field::{
    Features, Profile, bm25, closeness, idf, two_field, unit_cosine,
};
use knarr::find::onyx::visibility::{Facts, TimeRange, Visibility};
use knarr::find::onyx::windows::{Section, build, merge, merge_ranges, window};
use knarr::find::rank::fuse::{
    DEPTH, Normalisation, keep_best, normalise, reciprocal_rank, weighted_lists,
};
use serde_json::Value;
use std::collections::BTreeMap;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/onyx_vectors.json")).expect("the fixture is JSON")
}

/// The cases of a block; their number is part of the test, so that none is lost silently.
fn cases(block: &str, n: usize) -> Vec<Value> {
    let cases = list(&vectors()[block]);
    assert_eq!(cases.len(), n, "cases of {block}");
    cases
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().expect("a list").clone()
}

fn real(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn reals(value: &Value) -> Vec<f64> {
    list(value).iter().map(real).collect()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a whole number")).expect("a small one")
}

fn numbers(value: &Value) -> Vec<u32> {
    list(value).iter().map(number).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn close(got: f64, expected: &Value, what: &str) {
    assert!(
        (got - real(expected)).abs() <= 1e-9,
        "{what}: {got} instead of {expected}"
    );
}

fn all_close(got: &[f64], expected: &Value, what: &str) {
    assert_eq!(got.len(), list(expected).len(), "{what}");
    got.iter()
        .zip(list(expected))
        .for_each(|(got, expected)| close(*got, &expected, what));
}

/// Names as numbers, in order of appearance.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn id(&mut self, name: &Value) -> u32 {
        let place = self
            .0
            .iter()
            .position(|known| known == text(name))
            .unwrap_or_else(|| {
                self.0.push(text(name).to_owned());
                self.0.len() - 1
            });
        u32::try_from(place).expect("few names")
    }

    fn scored(&mut self, value: &Value) -> Vec<(u32, f64)> {
        list(value)
            .iter()
            .map(|hit| (self.id(&hit[0]), real(&hit[1])))
            .collect()
    }

    fn assert_order(&self, ids: impl Iterator<Item = u32>, expected: &Value, what: &Value) {
        let names: Vec<&str> = ids.map(|id| self.0[id as usize].as_str()).collect();
        assert_eq!(
            names,
            list(expected).iter().map(text).collect::<Vec<_>>(),
            "{what}"
        );
    }
}

#[test]
fn every_block_of_the_fixture_has_a_test() {
    let mut blocks: Vec<String> = vectors()
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    blocks.sort_unstable();
    let here = "alpha alpha_bucket alpha_feedback alpha_typed bm25 closeness dedupe_queries document_boost filters \
        hybrid_profile keep_best_score lru lucene_cosine merge_neighbours merge_ranges merge_sections normalize \
        pipeline_fusion rank_report_score recency_bias recency_floor_reached_at_years rrf target_hits target_hits_seed title_ratio \
        weighted_fusion window";
    // The measures of rankings are tested beside their code, `meta` describes the file.
    let elsewhere = "meta metrics metrics_mean";
    let mut known: Vec<String> = here
        .split_whitespace()
        .chain(elsewhere.split(' '))
        .map(str::to_owned)
        .collect();
    known.sort_unstable();
    assert_eq!(blocks, known);
}

#[test]
fn summary_of_a_ranking_test() {
    for case in cases("rank_report_score", 2) {
        let accuracies: Vec<(u32, f64)> = case["top_k_percent"]
            .as_object()
            .expect("an object")
            .iter()
            .map(|(k, percent)| (k.parse().expect("a number"), real(percent)))
            .collect();
        let count = |name: &str| number(&case[name]) as usize;
        let score = rank_report_score(count("found"), count("total"), &accuracies);
        close(score, &case["out"], "rank_report_score");
    }
    assert_eq!(rank_report_score(0, 0, &[(1, 0.0)]), 0.0);
}

#[test]
fn cosines() {
    for case in cases("closeness", 8) {
        close(closeness(case["cos"].as_f64()), &case["out"], "closeness");
    }
    for case in cases("lucene_cosine", 4) {
        close(unit_cosine(real(&case["cos"])), &case["out"], "unit cosine");
    }
}

#[test]
fn normalisation() {
    let rules = [
        ("linear_half_when_constant", Normalisation::Linear),
        ("minmax_floor_one_when_constant", Normalisation::MinMax),
        ("seed_zero_when_constant", Normalisation::ZeroWhenConstant),
        ("zscore_pipeline", Normalisation::ZScore),
    ];
    for case in cases("normalize", 5) {
        for (name, rule) in rules {
            all_close(&normalise(&reals(&case["in"]), rule), &case[name], name);
        }
    }
}

#[test]
fn factors() {
    for case in cases("document_boost", 9) {
        close(
            document_boost(real(&case["boost"])),
            &case["out"],
            "document boost",
        );
    }
    let now = 1_800_000_000;
    for case in cases("recency_bias", 28) {
        let age = age_years(case["age_s"].as_i64().map(|age| now - age), now);
        close(
            recency_bias(age, real(&case["decay"]), RECENCY_FLOOR),
            &case["out"],
            text(&case["age"]),
        );
    }
    for case in cases("recency_floor_reached_at_years", 3) {
        close(
            recency_floor_years(real(&case["decay"]), RECENCY_FLOOR),
            &case["years"],
            "floor",
        );
    }
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[test]
fn bm25_on_tiny_documents() {
    for case in cases("bm25", 4) {
        let docs: Vec<Vec<String>> = list(&case["docs"])
            .iter()
            .map(|doc| tokens(text(doc)))
            .collect();
        let average = docs.iter().map(Vec::len).sum::<usize>() as f64 / docs.len() as f64;
        close(average, &case["avg_len"], "average length");
        let mut query = tokens(text(&case["query"]));
        let mut seen = Vec::new();
        query.retain(|word| {
            seen.push(word.clone());
            seen.iter().filter(|other| *other == word).count() == 1
        });
        let score = |doc: &Vec<String>| -> f64 {
            let one = |word: &String| {
                let n_with = docs.iter().filter(|doc| doc.contains(word)).count();
                let frequency = doc.iter().filter(|other| *other == word).count();
                bm25(
                    frequency as f64,
                    doc.len() as f64,
                    average,
                    idf(docs.len() as f64, n_with as f64),
                )
            };
            query.iter().map(one).sum()
        };
        all_close(
            &docs.iter().map(score).collect::<Vec<_>>(),
            &case["scores"],
            text(&case["query"]),
        );
    }
}

#[test]
fn two_field_with_every_intermediate_value() {
    let block = &vectors()["hybrid_profile"];
    let hits = list(&block["hits"]);
    assert_eq!(hits.len(), 4);
    let now = 1_800_000_000;
    let features = |hit: &Value, decay: f64| Features {
        content_cosine: hit["content_cos"].as_f64(),
        title_cosine: hit["title_cos"].as_f64(),
        title_bm25: real(&hit["bm25_title"]),
        content_bm25: real(&hit["bm25_content"]),
        document_boost: document_boost(real(&hit["boost"])),
        recency_bias: recency_bias(
            age_years(hit["age_s"].as_i64().map(|age| now - age), now),
            decay,
            RECENCY_FLOOR,
        ),
        chunk_boost: hit["chunk_boost"].as_f64().unwrap_or(1.0),
    };
    let cases = list(&block["cases"]);
    assert_eq!(cases.len(), 9);
    for case in cases {
        let expected = list(&case["rows"]);
        let decay = real(&case["decay"]);
        let candidates: Vec<Features> = hits[..expected.len()]
            .iter()
            .map(|hit| features(hit, decay))
            .collect();
        let rows = two_field(
            &candidates,
            real(&case["alpha"]),
            real(&case["title_content_ratio"]),
        );
        for (got, expected) in rows.iter().zip(&expected) {
            for (name, got) in [
                ("title_vector_norm", got.title_vector),
                ("content_vector_norm", got.content_vector),
                ("title_bm25_norm", got.title_bm25),
                ("content_bm25_norm", got.content_bm25),
                ("mix", got.mix),
                ("document_boost", got.document_boost),
                ("recency_bias", got.recency_bias),
                ("chunk_boost", got.chunk_boost),
                ("score", got.score),
            ] {
                close(got, &expected[name], name);
            }
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&a, &b| rows[b].score.total_cmp(&rows[a].score));
        let order: Vec<&Value> = order.into_iter().map(|i| &expected[i]["id"]).collect();
        assert_eq!(
            order,
            list(&case["order"]).iter().collect::<Vec<_>>(),
            "{}",
            case["name"]
        );
    }
    let first = |profile: Profile| -> Vec<f64> {
        hits.iter()
            .map(|hit| profile.first_phase(&features(hit, 0.5), 0.1))
            .collect()
    };
    all_close(
        &first(Profile::Semantic),
        &block["first_phase_semantic_ratio_0_1"],
        "semantic",
    );
    all_close(
        &first(Profile::Keyword),
        &block["first_phase_keyword_ratio_0_1"],
        "keyword",
    );
}

#[test]
fn list_fusion() {
    for case in cases("pipeline_fusion", 7)
        .into_iter()
        .chain(cases("weighted_fusion", 2))
    {
        let mut names = Names::default();
        let lists: Vec<_> = list(&case["lists"])
            .iter()
            .map(|hits| names.scored(hits))
            .collect();
        let lists: Vec<&[(u32, f64)]> = lists.iter().map(Vec::as_slice).collect();
        let rule = if case["name"] == "zscore_variant" {
            Normalisation::ZScore
        } else {
            Normalisation::MinMax
        };
        let rows = weighted_lists(&lists, &reals(&case["weights"]), rule, DEPTH, 50);
        names.assert_order(rows.iter().map(|row| row.id), &case["order"], &case["name"]);
        for row in rows {
            let name = &names.0[row.id as usize];
            close(row.score, &case["scores"][name], name);
            all_close(&row.parts, &case["parts"][name], name);
        }
    }
}

#[test]
fn reciprocal_ranks() {
    for case in cases("rrf", 9) {
        let mut names = Names::default();
        let of_list = |hits: &Value| match hits {
            Value::Null => Vec::new(),
            hits => list(hits)
                .iter()
                .map(|hit| names.id(hit))
                .collect::<Vec<u32>>(),
        };
        let lists: Vec<Vec<u32>> = list(&case["lists"]).iter().map(of_list).collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let rows = reciprocal_rank(&lists, &reals(&case["weights"]), real(&case["k"]));
        names.assert_order(rows.iter().map(|row| row.0), &case["order"], &case["name"]);
        for (id, score) in rows {
            close(
                score,
                &case["scores"][&names.0[id as usize]],
                text(&case["name"]),
            );
        }
    }
}

#[test]
fn best_scores_and_duplicate_queries() {
    for case in cases("keep_best_score", 1) {
        let mut names = Names::default();
        let lists: Vec<_> = list(&case["lists"])
            .iter()
            .map(|hits| names.scored(hits))
            .collect();
        let rows = keep_best(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>());
        names.assert_order(rows.iter().map(|row| row.0), &case["order"], &Value::Null);
        rows.iter().for_each(|row| {
            close(
                row.1,
                &case["scores"][&names.0[row.0 as usize]],
                "best score",
            )
        });
    }
    for case in cases("dedupe_queries", 1) {
        let input = list(&case["in"]);
        let input: Vec<(&str, f64)> = input
            .iter()
            .map(|pair| (text(&pair[0]), real(&pair[1])))
            .collect();
        let got = add_duplicates(&input);
        let expected = list(&case["out"]);
        assert_eq!(got.len(), expected.len());
        for ((query, weight), expected) in got.iter().zip(expected) {
            assert_eq!(query, text(&expected[0]));
            close(*weight, &expected[1], query);
        }
    }
}

#[test]
fn alphas() {
    for case in cases("alpha", 15) {
        let query = text(&case["query"]);
        close(
            alpha_as_written(query, None),
            &case["seed_as_written"],
            query,
        );
        close(
            alpha_for(&Question::new(query), None, Feedback::default()),
            &case["recommended"],
            query,
        );
        let kind = query_type(&Question::new(query));
        assert_eq!(
            kind,
            case["kind"].as_str().and_then(QueryType::parse),
            "{query}"
        );
        assert_eq!(
            word_units(query),
            number(&case["word_units"]) as usize,
            "{query}"
        );
    }
    for case in cases("alpha_typed", 15) {
        let (query, given) = (
            text(&case["query"]),
            QueryType::parse(text(&case["query_type"])),
        );
        close(
            alpha_as_written(query, given),
            &case["seed_as_written"],
            query,
        );
        close(
            alpha_for(&Question::new(query), given, Feedback::default()),
            &case["recommended"],
            query,
        );
    }
    for case in cases("alpha_feedback", 5) {
        let votes = numbers(&case["votes"]);
        let feedback = Feedback {
            vector_only: votes[0],
            keyword_only: votes[1],
        };
        close(
            alpha_for(&Question::new(text(&case["query"])), None, feedback),
            &case["recommended"],
            "feedback",
        );
    }
    for case in cases("alpha_bucket", 12) {
        let alpha = real(&case["alpha"]);
        assert_eq!(alpha_bucket(alpha), text(&case["out"]));
        // The rounding of formatting is the one the fixture warns of.
        assert_eq!(
            format!("{alpha:.1}"),
            text(&case["bankers_rounding_would_give"])
        );
    }
}

#[test]
fn title_ratios_and_targets() {
    for case in cases("title_ratio", 24) {
        let length = |name: &str| case[name].as_u64().map(|length| length as usize);
        let got = title_ratio(
            text(&case["source"]),
            length("title_len"),
            length("content_len"),
        );
        close(got, &case["out"], text(&case["source"]));
    }
    for case in cases("target_hits", 7) {
        assert_eq!(
            target_hits(number(&case["num"]) as usize, 1000),
            number(&case["now"]) as usize
        );
    }
    for case in cases("target_hits_seed", 6) {
        let argument = |name: &str| number(&case[name]) as usize;
        let got = target_hits_compat(argument("num"), argument("sources"), argument("terms"));
        assert_eq!(got, (argument("target_hits"), argument("rerank_count")));
    }
}

#[test]
fn cache_trace() {
    for case in cases("lru", 1) {
        let mut names: BTreeMap<CacheKey, String> = BTreeMap::new();
        let mut key = |name: &Value| {
            let mut key = CacheKey::new(0);
            key.text(text(name));
            names.insert(key.clone(), text(name).to_owned());
            key
        };
        let mut cache = ResultCache::new(number(&case["size"]) as usize);
        let mut trace = Vec::new();
        for op in list(&case["ops"]) {
            let key = key(&op[1]);
            if op[0] == "set" {
                let evicted = cache.set(key, number(&op[2]));
                trace.extend(evicted.map(|evicted| ("evict".to_owned(), evicted, None)));
            } else {
                trace.push(("get".to_owned(), key.clone(), cache.get(&key).copied()));
            }
        }
        let expected = list(&case["trace"]);
        assert_eq!(trace.len(), expected.len());
        for ((op, key, value), expected) in trace.iter().zip(&expected) {
            assert_eq!(
                (op.as_str(), names[key].as_str()),
                (text(&expected[0]), text(&expected[1]))
            );
            assert_eq!(
                *value,
                expected
                    .get(2)
                    .and_then(Value::as_u64)
                    .map(|value| value as u32)
            );
        }
        let left: Vec<&str> = cache
            .keys_oldest_first()
            .map(|key| names[key].as_str())
            .collect();
        assert_eq!(
            left,
            list(&case["keys_oldest_first"])
                .iter()
                .map(text)
                .collect::<Vec<_>>()
        );
    }
}

fn assert_sections(got: &[Section], expected: &Value, names: &Names) {
    let expected = list(expected);
    assert_eq!(got.len(), expected.len());
    for (got, expected) in got.iter().zip(&expected) {
        assert_eq!(names.0[got.doc as usize], text(&expected["doc"]));
        assert_eq!(got.chunks, numbers(&expected["chunks"]));
        assert_eq!(got.centre, number(&expected["centre"]));
    }
}

#[test]
fn sections_and_ranges() {
    for case in cases("merge_neighbours", 3) {
        let mut names = Names::default();
        let hits: Vec<(u32, u32)> = list(&case["hits"])
            .iter()
            .map(|hit| (names.id(&hit[0]), number(&hit[1])))
            .collect();
        assert_sections(&build(&hits), &case["out"], &names);
    }
    for case in cases("merge_sections", 1) {
        let mut names = Names::default();
        let mut section = |value: &Value| Section {
            doc: names.id(&value["doc"]),
            chunks: numbers(&value["chunks"]),
            centre: number(&value["centre"]),
        };
        let sections: Vec<Section> = list(&case["in"]).iter().map(&mut section).collect();
        assert_sections(&merge(&sections), &case["out"], &names);
    }
    for case in cases("window", 6) {
        let section = Section {
            doc: 0,
            chunks: numbers(&case["chunks"]),
            centre: number(&case["centre"]),
        };
        assert_eq!(
            window(&section, number(&case["size"]) as usize),
            numbers(&case["out"])
        );
    }
    for case in cases("merge_ranges", 5) {
        let pairs = |value: &Value| -> Vec<(u32, u32)> {
            list(value)
                .iter()
                .map(|pair| (number(&pair[0]), number(&pair[1])))
                .collect()
        };
        assert_eq!(merge_ranges(&pairs(&case["in"])), pairs(&case["out"]));
    }
}

#[test]
fn the_truth_table_of_filters() {
    let block = &vectors()["filters"];
    let now = block["now"].as_i64().expect("a time");
    let (docs, cases) = (list(&block["docs"]), list(&block["cases"]));
    assert_eq!((docs.len(), cases.len()), (5, 20));
    let texts = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .map(|value| text(value).to_owned())
            .collect()
    };
    let small = |value: &Value| -> Vec<u32> {
        value.as_array().into_iter().flatten().map(number).collect()
    };
    for case in cases {
        let asked = &case["filter"];
        let known = "acl created docs forced_sets include_hidden nodes persona project sets sources tags updated";
        for key in asked.as_object().expect("an object").keys() {
            assert!(
                known.split(' ').any(|known| known == key),
                "the test does not read {key}"
            );
        }
        let range = |name: &str| TimeRange(asked[name][0].as_i64(), asked[name][1].as_i64());
        let tag = |pair: &Value| format!("{}==={}", text(&pair[0]), text(&pair[1]));
        let filter = Visibility {
            include_hidden: asked["include_hidden"].as_bool().unwrap_or(false),
            access: asked["acl"].is_array().then(|| texts(&asked["acl"])),
            forced_sets: texts(&asked["forced_sets"]),
            sources: texts(&asked["sources"]),
            tags: asked["tags"]
                .as_array()
                .into_iter()
                .flatten()
                .map(tag)
                .collect(),
            sets: texts(&asked["sets"]),
            docs: texts(&asked["docs"]),
            nodes: small(&asked["nodes"]),
            persona: asked["persona"].as_u64().map(|persona| persona as u32),
            project: asked["project"].as_u64().map(|project| project as u32),
            created: range("created"),
            updated: range("updated"),
            chunks: None,
        };
        let passes = |doc: &&Value| {
            let (access, sets, tags) =
                (texts(&doc["acl"]), texts(&doc["sets"]), texts(&doc["tags"]));
            let [access, sets, tags]: [Vec<&str>; 3] =
                [&access, &sets, &tags].map(|list| list.iter().map(String::as_str).collect());
            let (ancestors, personas, projects) = (
                small(&doc["ancestors"]),
                small(&doc["personas"]),
                small(&doc["projects"]),
            );
            let facts = Facts {
                id: text(&doc["id"]),
                source: text(&doc["source"]),
                hidden: doc["hidden"].as_bool().unwrap_or(false),
                public: doc["public"].as_bool().unwrap_or(false),
                access: &access,
                sets: &sets,
                tags: &tags,
                ancestors: &ancestors,
                personas: &personas,
                projects: &projects,
                created: doc["created"].as_i64(),
                updated: doc["updated"].as_i64(),
                chunk: 0,
            };
            filter.allows(&facts, now)
        };
        let got: Vec<&str> = docs
            .iter()
            .filter(passes)
            .map(|doc| text(&doc["id"]))
            .collect();
        assert_eq!(
            got,
            list(&case["out"]).iter().map(text).collect::<Vec<_>>(),
            "{}",
            case["name"]
        );
    }
}
