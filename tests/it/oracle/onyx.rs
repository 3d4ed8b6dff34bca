//! Onyx, as written.

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
