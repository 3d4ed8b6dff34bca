//! Hotness: how much a context is in use, from how often and how lately.
//!
//! `sigmoid(ln(1 + n)) · exp(−ln 2 / 7 · age in days)`, and `sigmoid(ln(1 + n))` is `(n + 1) / (n + 2)`.
//! Source: OpenViking specification §1.8.

#[cfg(feature = "full")]
use super::over_bundle::Walked;
#[cfg(feature = "full")]
use crate::base::order;
#[cfg(feature = "full")]
use crate::bundle::step::{Gather, Step};
#[cfg(feature = "full")]
use crate::bundle::{ATTRIBUTE_NODES, Resident};
#[cfg(feature = "full")]
use crate::find::ask::options::FindOptions;

/// Mixes hotness into the scores of all rows and orders them again, with the option's weight. Fetches the attribute
/// parts of the rows.
///
/// All rows, not those of a page: what is hot may come to an earlier page, and pages stay parts of one list. The published
/// walk cuts first, so there what is hot moves only within the results.
#[cfg(feature = "full")]
pub fn blend(store: &Resident, options: &FindOptions, mut walked: Walked) -> Step<Walked> {
    let weight = options.hotness_weight;
    let Some(now) = options.now.filter(|_| weight > 0.0) else {
        return Ok(walked);
    };
    let mut gather = Gather::default();
    for hit in &walked.hits {
        gather.take(store.attributes(hit.node.0 / ATTRIBUTE_NODES));
    }
    gather.done()?;
    for hit in &mut walked.hits {
        let part = store.attributes(hit.node.0 / ATTRIBUTE_NODES)?;
        let row = &part.0[(hit.node.0 % ATTRIBUTE_NODES) as usize];
        let updated_ms = row.updated_at.and_then(|at| at.checked_mul(1000));
        hit.hotness = hotness(row.active_count, updated_ms, now);
        hit.score = (1.0 - weight) * hit.semantic + weight * hit.hotness;
    }
    order::sort_by(&mut walked.hits, |a, b| {
        b.score.total_cmp(&a.score).then(a.node.cmp(&b.node))
    });
    Ok(walked)
}

const HALF_LIFE_MS: f64 = 7.0 * 86_400_000.0;

/// Hotness in [0, 1) of a context used `active_count` times and last touched at `updated_ms`.
///
/// Times are milliseconds since 1970 UTC. Without a time it is 0; a time in the future counts as now. The same bits on
/// every machine: only additions and multiplications, no mathematical library.
pub fn hotness(active_count: u64, updated_ms: Option<i64>, now_ms: i64) -> f32 {
    let Some(updated_ms) = updated_ms else {
        return 0.0;
    };
    let age_ms = now_ms.saturating_sub(updated_ms).max(0) as f64;
    let used = active_count as f64;
    ((used + 1.0) / (used + 2.0) * half_to(age_ms / HALF_LIFE_MS)) as f32
}

/// `0.5` to the power `x`, for `x ≥ 0`.
fn half_to(x: f64) -> f64 {
    if x > 1000.0 {
        return 0.0; // Below the smallest f32 long before; keeps the exponent of the next line in range.
    }
    let whole = x as u64;
    let t = -(x - whole as f64) * std::f64::consts::LN_2;
    // The series of e^t for −0.7 < t ≤ 0: 14 terms leave an error below 1e-13.
    let mut sum = 1.0;
    for k in (1..=14).rev() {
        sum = 1.0 + t / f64::from(k) * sum;
    }
    let power_of_two = f64::from_bits((1023 - whole) << 52);
    sum * power_of_two
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 86_400_000;
    const NOW: i64 = 1_778_155_200_000;

    fn at_age(active_count: u64, days: i64) -> f32 {
        hotness(active_count, Some(NOW - days * DAY_MS), NOW)
    }

    #[test]
    fn the_documents_facts() {
        assert_eq!(at_age(0, 0), 0.5);
        assert!(at_age(1000, 0) > 0.95);
        assert!(at_age(10, 30) < 0.1);
        assert_eq!(at_age(0, 7), 0.25);
    }

    #[test]
    fn no_time_is_cold_and_the_future_is_now() {
        assert_eq!(hotness(1000, None, NOW), 0.0);
        assert_eq!(at_age(3, -5), 0.8);
        assert_eq!(at_age(u64::MAX, 100_000), 0.0);
        assert_eq!(hotness(0, Some(i64::MIN), i64::MAX), 0.0);
    }

    #[test]
    fn agrees_with_the_defining_formula() {
        for n in [0u64, 1, 7, 400, 123_456] {
            for hours in (0..5000).step_by(37) {
                let age_days = f64::from(hours) / 24.0;
                let sigmoid = 1.0 / (1.0 + (-(1.0 + n as f64).ln()).exp());
                let expected = sigmoid * (-std::f64::consts::LN_2 / 7.0 * age_days).exp();
                let got = f64::from(hotness(n, Some(NOW - i64::from(hours) * 3_600_000), NOW));
                assert!(
                    (got - expected).abs() < 1e-7,
                    "n {n} hours {hours}: {got} {expected}"
                );
            }
        }
    }
}
