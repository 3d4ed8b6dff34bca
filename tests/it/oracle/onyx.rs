//! Onyx, as written.

use knarr::engine::monitor::alpha_tenths;
use knarr::find::onyx::alpha::QueryType;
use knarr::find::onyx::windows::Section;
use knarr::find::rank::fuse::FLOOR;
use std::collections::BTreeMap;

/// Onyx's own summary of a ranking test, 0 to 100: two fifths for what was found at all, three fifths for how early.
///
/// `accuracies` are pairs of k and the percentage of queries whose document is among the first k; a k weighs 1 / k^0.7.
/// No query: 0. Source: spec onyx §6.
pub fn rank_report_score(n_found: usize, n_queries: usize, accuracies: &[(u32, f64)]) -> f64 {
    let weight = |k: u32| f64::from(k).powf(-0.7);
    let all: f64 = accuracies.iter().map(|(k, _)| weight(*k)).sum();
    if n_queries == 0 || all == 0.0 {
        return 0.0;
    }
    let early: f64 = accuracies
        .iter()
        .map(|(k, percent)| percent / 100.0 * weight(*k) / all)
        .sum();
    100.0 * (0.4 * n_found as f64 / n_queries as f64 + 0.6 * early)
}

/// Alpha of a query: cues as substrings ("show" counts as "how"), length by white space.
pub fn alpha_as_written(query: &str, given: Option<QueryType>) -> f64 {
    let lower = query.to_lowercase();
    let has = |cues: &[&str]| cues.iter().any(|cue| lower.contains(cue));
    let kind = given.unwrap_or(if has(&["what", "when", "where", "who", "how many"]) {
        QueryType::Factual
    } else if has(&["why", "how", "explain", "concept", "theory"]) {
        QueryType::Conceptual
    } else {
        QueryType::Informational
    });
    let factor = match query.split_whitespace().count() {
        0..=2 => 0.6,
        3..=7 => 1.0,
        _ => 1.4,
    };
    (kind.alpha() * factor).clamp(0.0, 1.0)
}

/// Name of the bucket of an alpha: one decimal.
pub fn alpha_bucket(alpha: f64) -> String {
    let tenths = alpha_tenths(alpha);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Candidates per retriever and how many of them are rescored, for `n_results` wanted from `n_sources` sources with
/// `n_terms` query words.
pub fn target_hits_compat(n_results: usize, n_sources: usize, n_terms: usize) -> (usize, usize) {
    let mut target = n_results.saturating_mul(10).max(1000);
    if n_sources > 5 {
        target = target.min(2000);
    }
    if n_terms > 10 {
        target = target.min(1500);
    }
    (target, target.min(1000))
}

/// Years after which the factor of age stands at its floor.
pub fn recency_floor_years(decay: f64, floor: f64) -> f64 {
    (1.0 / floor - 1.0) / decay
}

/// Cosine moved into [0, 1], as the list profile feeds it to normalization.
pub fn unit_cosine(cosine: f64) -> f64 {
    (1.0 + cosine) / 2.0
}

/// BM25 inverse document frequency of a term that `n_with` of `n` documents contain; never negative.
pub fn idf(n: f64, n_with: f64) -> f64 {
    (1.0 + (n - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// Joins inclusive ranges that touch or overlap; the result ascends.
pub fn merge_ranges(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::new();
    for (low, high) in sorted {
        match out.last_mut() {
            Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

/// Lowest 0, highest 1; a constant list is all 0, so a single hit is lost.
pub fn zero_when_constant(scores: &[f64]) -> Vec<f64> {
    let (low, high) = range(scores);
    let one = |x: &f64| match high > low {
        true => (x - low) / (high - low),
        false => 0.0,
    };
    scores.iter().map(one).collect()
}

/// Sample z-score as the search pipeline computes it. Collapses half of each list.
pub fn z_scores(scores: &[f64]) -> Vec<f64> {
    let (low, high) = range(scores);
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let deviation = if scores.len() > 1 {
        (scores.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0)).sqrt()
    } else {
        0.0
    };
    let one = |x: &f64| {
        if *x == mean {
            high
        } else if deviation == 0.0 {
            low
        } else {
            let z = (x - mean) / deviation;
            if z <= 0.0 { FLOOR } else { z }
        }
    };
    scores.iter().map(one).collect()
}

fn range(scores: &[f64]) -> (f64, f64) {
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low, high)
}

/// Weighted mean of lists scaled by [`z_scores`]: each id with its score and what each list gave, best first.
pub fn z_scored_lists(lists: &[&[(u32, f64)]], weights: &[f64]) -> Vec<(u32, f64, Vec<f64>)> {
    let mut parts: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (place, list) in lists.iter().enumerate() {
        let scores: Vec<f64> = list.iter().map(|hit| hit.1).collect();
        for ((id, _), score) in list.iter().zip(z_scores(&scores)) {
            parts.entry(*id).or_insert_with(|| vec![0.0; lists.len()])[place] = score;
        }
    }
    let sum: f64 = weights.iter().sum();
    let score = |parts: &[f64]| parts.iter().zip(weights).map(|(p, w)| p * w).sum::<f64>() / sum;
    let mut rows: Vec<_> = parts
        .into_iter()
        .map(|(id, parts)| (id, score(&parts), parts))
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    rows
}

/// At most `size` chunks around the centre of a section: those that count towards Onyx's token budget. Spare room at one end
/// goes to the other, first before, then after.
pub fn window(section: &Section, size: usize) -> &[u32] {
    let Ok(centre) = section.chunks.binary_search(&section.centre) else {
        return &[];
    };
    if size == 0 {
        return &[];
    }
    let around = size - 1;
    let n_after = section.chunks.len() - centre - 1;
    let mut before = (around / 2).min(centre);
    let mut after = (around / 2).min(n_after);
    let spare = around - before - after;
    let more = spare.min(centre - before);
    before += more;
    after += (spare - more).min(n_after - after);
    &section.chunks[centre - before..=centre + after]
}
