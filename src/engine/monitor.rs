//! Costs and outcomes of queries: counts, latencies, the alphas used. Failures are counted apart.
//!
//! The caller measures and passes times in; nothing here reads a clock. Source: spec onyx §6.

use crate::base::order;

/// Latencies kept for the percentiles; older ones make room.
const MAX_LATENCIES: usize = 1024;

/// Running totals since the first query.
#[derive(Debug, Clone, Default)]
pub struct Monitor {
    n_queries: u64,
    n_errors: u64,
    latencies_ms: Vec<f64>,
    alphas: [u64; 11],
}

/// The totals, read at one moment.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct MonitorReport {
    /// Queries that were answered.
    pub n_queries: u64,
    /// Queries that failed.
    pub n_errors: u64,
    /// Answered queries whose answer was remembered.
    pub n_remembered: u64,
    /// Answered queries per second of the elapsed time; 0 when no time has passed.
    pub queries_per_second: f64,
    /// Mean latency of the answered queries that are kept, in milliseconds; 0 without any, as the next three.
    pub mean_ms: f64,
    /// Median latency.
    pub p50_ms: f64,
    /// 95th percentile, nearest rank.
    pub p95_ms: f64,
    /// Longest latency.
    pub max_ms: f64,
    /// Answered queries by alpha, rounded half up to one decimal: index 3 counts 0.25 to 0.349….
    pub alphas: [u64; 11],
}

impl Monitor {
    /// Counts an answered query with its latency and the alpha it used.
    pub fn answered(&mut self, latency_ms: f64, alpha: f64) {
        let place = (self.n_queries % MAX_LATENCIES as u64) as usize;
        match self.latencies_ms.get_mut(place) {
            Some(oldest) => *oldest = latency_ms,
            None => self.latencies_ms.push(latency_ms),
        }
        self.n_queries += 1;
        self.alphas[alpha_tenths(alpha)] += 1;
    }

    /// Counts a query that failed. Its latency says nothing about searching and is not kept.
    pub fn failed(&mut self) {
        self.n_errors += 1;
    }

    /// The totals, for `elapsed_s` seconds since the first query.
    pub fn report(&self, elapsed_s: f64) -> MonitorReport {
        let mut sorted = self.latencies_ms.clone();
        order::sort_by(&mut sorted, f64::total_cmp);
        let percentile = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        MonitorReport {
            n_queries: self.n_queries,
            n_errors: self.n_errors,
            n_remembered: 0,
            queries_per_second: if elapsed_s > 0.0 {
                self.n_queries as f64 / elapsed_s
            } else {
                0.0
            },
            mean_ms: if sorted.is_empty() {
                0.0
            } else {
                sorted.iter().sum::<f64>() / sorted.len() as f64
            },
            p50_ms: percentile(0.5),
            p95_ms: percentile(0.95),
            max_ms: percentile(1.0),
            alphas: self.alphas,
        }
    }
}

/// An alpha in tenths, rounded half up (0.25 is 3), within 0..=10.
pub fn alpha_tenths(alpha: f64) -> usize {
    // A decimal like 0.35 lies a hair below its half in binary; the small addend gives it back.
    ((alpha.clamp(0.0, 1.0) * 10.0 + 0.5 + 1e-9).floor() as usize).min(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_nearest_rank_and_errors_apart() {
        let mut monitor = Monitor::default();
        for latency in 1..=20 {
            monitor.answered(f64::from(latency), 0.25);
        }
        monitor.failed();
        let report = monitor.report(4.0);
        assert_eq!((report.n_queries, report.n_errors), (20, 1));
        assert_eq!(
            (report.p50_ms, report.p95_ms, report.max_ms),
            (10.0, 19.0, 20.0)
        );
        assert_eq!((report.mean_ms, report.queries_per_second), (10.5, 5.0));
        assert_eq!(report.alphas[3], 20);
        assert_eq!(monitor.report(0.0).queries_per_second, 0.0);
        assert_eq!(Monitor::default().report(1.0).p95_ms, 0.0);
    }

    #[test]
    fn only_the_latest_latencies_are_kept() {
        let mut monitor = Monitor::default();
        monitor.answered(1e9, 0.5);
        for _ in 0..MAX_LATENCIES {
            monitor.answered(1.0, 0.5);
        }
        assert_eq!(monitor.report(1.0).max_ms, 1.0);
        assert_eq!(monitor.report(1.0).n_queries, MAX_LATENCIES as u64 + 1);
    }
}
