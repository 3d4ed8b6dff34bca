//! Hotness: how much a context is in use, from how often and how lately.
//!
//! `sigmoid(ln(1 + n)) · exp(−ln 2 / 7 · age in days)`, and `sigmoid(ln(1 + n))` is `(n + 1) / (n + 2)`.
//! Source: OpenViking specification §1.8.

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
