//! Several queries for one question: expansions come from the caller or an endpoint, weights from the table.
//!
//! Semantic and keyword queries form two groups. The same text (ignoring case) inside one group runs once and its
//! weights add; the two groups are not merged with each other. Lists are then joined by
//! [`crate::find::rank::fuse::reciprocal_rank`] with these weights. Source: spec onyx §3.1.

use crate::find::onyx::two_field::KEYWORD_ALPHA;
use crate::text::lower;

/// Weight of the question rewritten to stand alone.
pub const REPHRASE_WEIGHT: f64 = 1.3;
/// Weight of each keyword query.
pub const KEYWORD_WEIGHT: f64 = 1.0;
/// Weight of the query a calling model wrote.
pub const TOOL_WEIGHT: f64 = 0.7;
/// Weight of the question as typed, beside the others.
pub const ORIGINAL_WEIGHT: f64 = 0.5;
/// Weight of the question as typed on a search page, where the person typed a query and not a message.
pub const PAGE_ORIGINAL_WEIGHT: f64 = 2.0;
/// Weight of each expansion on a search page.
pub const PAGE_EXPANSION_WEIGHT: f64 = 1.0;
/// Keyword queries beyond this many are ignored.
pub const MAX_KEYWORD_QUERIES: usize = 3;

/// One query to run.
#[derive(Debug, Clone, PartialEq)]
pub struct SubQuery {
    /// Its text, as first written.
    pub text: String,
    /// Weight of its list in the fusion.
    pub weight: f64,
    /// Weight of vectors; `None` means the request's own.
    pub alpha: Option<f64>,
}

/// Queries that a caller (or its endpoint) supplies. Empty parts are left out of the plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expansions<'a> {
    /// The question rewritten to stand alone.
    pub rephrase: Option<&'a str>,
    /// The query a calling model wrote.
    pub tool: Option<&'a str>,
    /// More semantic queries, each with [`PAGE_EXPANSION_WEIGHT`].
    pub semantic: &'a [String],
    /// Keyword queries, each run with alpha [`KEYWORD_ALPHA`].
    pub keywords: &'a [String],
}

/// The queries to run for a message in a conversation, semantic group first.
pub fn plan_conversation(original: &str, expansions: &Expansions<'_>) -> Vec<SubQuery> {
    let mut semantic = Vec::new();
    semantic.extend(expansions.rephrase.map(|text| (text, REPHRASE_WEIGHT)));
    semantic.extend(
        expansions
            .semantic
            .iter()
            .map(|text| (text.as_str(), PAGE_EXPANSION_WEIGHT)),
    );
    semantic.extend(expansions.tool.map(|text| (text, TOOL_WEIGHT)));
    // With nothing beside it the original is the only list and any positive weight ranks alike.
    semantic.push((original, ORIGINAL_WEIGHT));
    plan(&semantic, expansions.keywords)
}

/// The queries to run for a search page: the typed query counts twice an expansion.
pub fn plan_page(original: &str, expansions: &Expansions<'_>) -> Vec<SubQuery> {
    let mut semantic = vec![(original, PAGE_ORIGINAL_WEIGHT)];
    let more = expansions
        .rephrase
        .into_iter()
        .chain(expansions.semantic.iter().map(String::as_str));
    semantic.extend(
        more.chain(expansions.tool)
            .map(|text| (text, PAGE_EXPANSION_WEIGHT)),
    );
    plan(&semantic, expansions.keywords)
}

fn plan(semantic: &[(&str, f64)], keywords: &[String]) -> Vec<SubQuery> {
    let keywords: Vec<(&str, f64)> = keywords
        .iter()
        .take(MAX_KEYWORD_QUERIES)
        .map(|text| (text.as_str(), KEYWORD_WEIGHT))
        .collect();
    let group = |queries: &[(&str, f64)], alpha: Option<f64>| -> Vec<SubQuery> {
        let kept = queries
            .iter()
            .copied()
            .filter(|(text, _)| !text.trim().is_empty())
            .collect::<Vec<_>>();
        add_duplicates(&kept)
            .into_iter()
            .map(|(text, weight)| SubQuery {
                text,
                weight,
                alpha,
            })
            .collect()
    };
    let mut out = group(semantic, None);
    out.extend(group(&keywords, Some(KEYWORD_ALPHA)));
    out
}

/// Queries of one group with duplicates joined: first spelling, first place, summed weight.
pub fn add_duplicates(queries: &[(&str, f64)]) -> Vec<(String, f64)> {
    let mut out: Vec<(String, f64)> = Vec::new();
    let mut folded: Vec<String> = Vec::new();
    for &(text, weight) in queries {
        let key = lower(text);
        match folded.iter().position(|other| *other == key) {
            Some(place) => out[place].1 += weight,
            None => {
                folded.push(key);
                out.push((text.to_owned(), weight));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_in_two_groups_runs_in_both() {
        let keywords = [
            "refund policy".to_owned(),
            "late fee".to_owned(),
            "LATE fee".to_owned(),
            "fourth".to_owned(),
        ];
        let expansions = Expansions {
            rephrase: Some("Refund policy"),
            keywords: &keywords,
            ..Expansions::default()
        };
        let plan = plan_conversation("refund POLICY", &expansions);
        let rows: Vec<_> = plan
            .iter()
            .map(|q| (q.text.as_str(), q.weight, q.alpha))
            .collect();
        assert_eq!(
            rows,
            [
                ("Refund policy", REPHRASE_WEIGHT + ORIGINAL_WEIGHT, None),
                ("refund policy", 1.0, Some(0.2)),
                ("late fee", 2.0, Some(0.2)),
            ]
        );
    }

    #[test]
    fn a_page_query_counts_twice_an_expansion_and_blank_ones_are_dropped() {
        let semantic = [" ".to_owned(), "other words".to_owned()];
        let plan = plan_page(
            "query",
            &Expansions {
                semantic: &semantic,
                ..Expansions::default()
            },
        );
        let rows: Vec<_> = plan.iter().map(|q| (q.text.as_str(), q.weight)).collect();
        assert_eq!(rows, [("query", 2.0), ("other words", 1.0)]);
    }
}
