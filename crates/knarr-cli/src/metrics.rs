//! Measures of a ranking against judgements of relevance.
//!
//! A document listed twice counts once, at its first place. A measure that has no meaning for a query (there is nothing
//! to recall) is `None` and left out of the mean: as a zero it would punish every engine alike and hide differences.
//! Source: spec Onyx §6, the rules to implement.

use std::collections::{BTreeMap, BTreeSet};

/// Judgements of one query: document → grade. Grades above 0 mean relevant; a document without a grade is not.
pub type Grades = BTreeMap<String, f64>;

/// The measures of one query.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct QueryMetrics {
    /// Normalized discounted cumulative gain among the first k; `None` when nothing is relevant.
    pub ndcg: Option<f64>,
    /// Share of the relevant documents that are among the first k; `None` when nothing is relevant.
    pub recall: Option<f64>,
    /// Share of relevant ones in k places. Always divided by k, also when fewer were found.
    pub precision: f64,
    /// One over the place of the first relevant document of the whole list; 0 when there is none.
    pub mrr: f64,
    /// As `mrr`, among the first k.
    pub mrr_at_k: f64,
}

/// Measures one ranking, best first. `k` is the number of places looked at.
pub fn measure(ranking: &[String], grades: &Grades, k: usize) -> QueryMetrics {
    let ranking = unique(ranking);
    let top = &ranking[..ranking.len().min(k)];
    QueryMetrics {
        ndcg: ndcg(top, grades, k),
        recall: recall(top, grades),
        precision: hits(top, grades) as f64 / k.max(1) as f64,
        mrr: reciprocal_rank(&ranking, grades),
        mrr_at_k: reciprocal_rank(top, grades),
    }
}

/// Mean of the values that are defined; `None` when none is.
pub fn mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, n) = values
        .into_iter()
        .flatten()
        .fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// Gain `2^grade − 1` at place i, discounted by `log2(i + 1)`, over the same sum of the best possible ranking.
fn ndcg(top: &[&str], grades: &Grades, k: usize) -> Option<f64> {
    let gain = |grade: f64| grade.exp2() - 1.0;
    let mut ideal: Vec<f64> = grades
        .values()
        .copied()
        .filter(|&grade| grade > 0.0)
        .collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    ideal.truncate(k);
    let best = discounted(ideal.iter().map(|&grade| gain(grade)));
    let found = discounted(top.iter().map(|&document| {
        grades
            .get(document)
            .map_or(0.0, |&grade| gain(grade.max(0.0)))
    }));
    (best > 0.0).then(|| found / best)
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains
        .enumerate()
        .map(|(place, gain)| gain / ((place + 2) as f64).log2())
        .sum()
}

fn recall(top: &[&str], grades: &Grades) -> Option<f64> {
    let relevant = grades.values().filter(|&&grade| grade > 0.0).count();
    (relevant > 0).then(|| hits(top, grades) as f64 / relevant as f64)
}

fn hits(top: &[&str], grades: &Grades) -> usize {
    top.iter()
        .filter(|document| is_relevant(document, grades))
        .count()
}

fn reciprocal_rank(ranking: &[&str], grades: &Grades) -> f64 {
    ranking
        .iter()
        .position(|document| is_relevant(document, grades))
        .map_or(0.0, |place| 1.0 / (place + 1) as f64)
}

fn is_relevant(document: &str, grades: &Grades) -> bool {
    grades.get(document).is_some_and(|&grade| grade > 0.0)
}

fn unique(ranking: &[String]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    ranking
        .iter()
        .map(String::as_str)
        .filter(|document| seen.insert(*document))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn strings(value: &Value) -> Vec<String> {
        value
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| item.as_str().expect("a name").to_owned())
            .collect()
    }

    /// Every figure of `expected` is in the case; a `null` there means undefined.
    fn assert_figure(case: &Value, key: &str, actual: Option<f64>) {
        let Some(expected) = case.get(key) else {
            return;
        };
        match (expected.as_f64(), actual) {
            (Some(expected), Some(actual)) => {
                assert!(
                    (expected - actual).abs() < 1e-12,
                    "{}: {key} is {actual}, not {expected}",
                    case["name"]
                );
            }
            (None, None) => {}
            (expected, actual) => panic!("{}: {key} is {actual:?}, not {expected:?}", case["name"]),
        }
    }

    #[test]
    fn agrees_with_the_reference_vectors() {
        let vectors: Value =
            serde_json::from_str(include_str!("../../../tests/vectors/metrics.json"))
                .expect("JSON");
        let cases = vectors["metrics"].as_array().expect("a list");
        let mut recalls = Vec::new();
        for case in cases {
            let grades: Grades = match case["grades"].as_object() {
                Some(grades) => grades
                    .iter()
                    .map(|(id, g)| (id.clone(), g.as_f64().expect("a grade")))
                    .collect(),
                None => strings(&case["relevant"])
                    .into_iter()
                    .map(|document| (document, 1.0))
                    .collect(),
            };
            let k = case["k"].as_u64().expect("a count") as usize;
            let metrics = measure(&strings(&case["retrieved"]), &grades, k);
            assert_figure(case, "ndcg", metrics.ndcg);
            assert_figure(case, "recall", metrics.recall);
            assert_figure(case, "precision", Some(metrics.precision));
            assert_figure(case, "mrr", Some(metrics.mrr));
            assert_figure(case, "mrr_at_10", Some(metrics.mrr_at_k));
            if case.get("recall").is_some() {
                recalls.push(metrics.recall);
            }
        }
        assert_eq!(cases.len(), 8);
        let expected = vectors["metrics_mean"]["mean_ignoring_undefined"]
            .as_f64()
            .expect("a mean");
        let actual = mean(recalls).expect("some recalls are defined");
        assert!(
            (actual - expected).abs() < 1e-12,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn mean_of_nothing_is_undefined() {
        assert_eq!(mean([]), None);
        assert_eq!(mean([None, None]), None);
    }

    #[test]
    fn zero_and_negative_grades_are_not_relevant() {
        let grades = Grades::from([("a".to_owned(), 0.0), ("b".to_owned(), -1.0)]);
        let metrics = measure(&["b".to_owned(), "a".to_owned()], &grades, 10);
        assert_eq!(
            metrics,
            QueryMetrics {
                ndcg: None,
                recall: None,
                precision: 0.0,
                mrr: 0.0,
                mrr_at_k: 0.0
            }
        );
    }
}
