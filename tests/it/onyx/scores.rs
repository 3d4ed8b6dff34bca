//! Scores of one list, their factors, and the fusion of several.

use super::{all_close, cases, close, number, vectors};
use crate::oracle::onyx::{
    idf, rank_report_score, recency_floor_years, unit_cosine, z_scored_lists, z_scores,
    zero_when_constant,
};
use crate::vectors::{Names, list, real, text};
use knarr::find::onyx::boosts::{RECENCY_FLOOR, age_years, document_boost, recency_bias};
use knarr::find::onyx::expansion::add_duplicates;
use knarr::find::onyx::two_field::{Features, Profile, bm25, closeness, two_field};
use knarr::find::rank::fuse::{DEPTH, Scaling, keep_best, reciprocal_rank, scale, weighted_lists};
use serde_json::Value;

fn reals(value: &Value) -> Vec<f64> {
    list(value).iter().map(real).collect()
}

fn scored(names: &mut Names, value: &Value) -> Vec<(u32, f64)> {
    list(value)
        .iter()
        .map(|hit| (names.id(text(&hit[0])), real(&hit[1])))
        .collect()
}

fn assert_order(names: &Names, ids: impl Iterator<Item = u32>, expected: &Value, what: &Value) {
    let names: Vec<&str> = ids.map(|id| names.0[id as usize].as_str()).collect();
    assert_eq!(
        names,
        list(expected).iter().map(text).collect::<Vec<_>>(),
        "{what}"
    );
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
fn scaling() {
    for case in cases("normalize", 5) {
        let scores = reals(&case["in"]);
        for (name, scaled) in [
            ("linear_half_when_constant", scale(&scores, Scaling::Linear)),
            (
                "minmax_floor_one_when_constant",
                scale(&scores, Scaling::MinMax),
            ),
            ("seed_zero_when_constant", zero_when_constant(&scores)),
            ("zscore_pipeline", z_scores(&scores)),
        ] {
            all_close(&scaled, &case[name], name);
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

fn fused<const N: usize>(lists: &[&[(u32, f64)]], weights: &[f64]) -> Vec<(u32, f64, Vec<f64>)> {
    let lists = <[_; N]>::try_from(lists).expect("N lists");
    let weights = <[_; N]>::try_from(weights).expect("a weight for each");
    let rows = weighted_lists(lists, weights, DEPTH, 50).into_iter();
    rows.map(|row| (row.id, row.score, row.parts.to_vec()))
        .collect()
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
            .map(|hits| scored(&mut names, hits))
            .collect();
        let lists: Vec<&[(u32, f64)]> = lists.iter().map(Vec::as_slice).collect();
        let weights = reals(&case["weights"]);
        let rows: Vec<(u32, f64, Vec<f64>)> = if case["name"] == "zscore_variant" {
            z_scored_lists(&lists, &weights)
        } else {
            match lists.len() {
                2 => fused::<2>(&lists, &weights),
                n => {
                    assert_eq!(n, 3);
                    fused::<3>(&lists, &weights)
                }
            }
        };
        assert_order(
            &names,
            rows.iter().map(|row| row.0),
            &case["order"],
            &case["name"],
        );
        for (id, score, parts) in rows {
            let name = &names.0[id as usize];
            close(score, &case["scores"][name], name);
            all_close(&parts, &case["parts"][name], name);
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
                .map(|hit| names.id(text(hit)))
                .collect::<Vec<u32>>(),
        };
        let lists: Vec<Vec<u32>> = list(&case["lists"]).iter().map(of_list).collect();
        let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let rows = reciprocal_rank(&lists, &reals(&case["weights"]), real(&case["k"]));
        assert_order(
            &names,
            rows.iter().map(|row| row.0),
            &case["order"],
            &case["name"],
        );
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
            .map(|hits| scored(&mut names, hits))
            .collect();
        let rows = keep_best(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_order(
            &names,
            rows.iter().map(|row| row.0),
            &case["order"],
            &Value::Null,
        );
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
