//! Weights of vectors and titles, and the number of candidates.

use super::{cases, close, number, numbers};
use crate::oracle::onyx::{alpha_as_written, alpha_bucket, target_hits_compat};
use crate::vectors::{real, text};
use knarr::find::ask::question::Question;
use knarr::find::onyx::alpha::{
    Feedback, QueryType, alpha_for, query_type, target_hits, title_ratio, word_units,
};

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
