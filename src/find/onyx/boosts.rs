//! Factors that move a score after normalisation: votes, age, small chunks, and the site's own rules by tag.
//!
//! Every factor is 1 without data, so an index without dates or votes scores as if this file did not exist.
//! Source: spec onyx §2.1; rules by tag: what users ask for, §8.

/// Seconds in a year of 365 days.
pub const YEAR_S: f64 = 31_536_000.0;
/// Age in seconds that a document without a date counts with: a quarter of a year.
pub const UNDATED_AGE_S: f64 = 7_890_000.0;
/// The recency factor never falls below this: age costs at most a quarter of the score.
pub const RECENCY_FLOOR: f64 = 0.75;
/// Decay of the recency factor when a caller turns it on without a value: the floor is reached after 0.667 years.
pub const RECENCY_DECAY: f64 = 0.5;
/// Chunks of at most this many words are small.
pub const SMALL_CHUNK_WORDS: u32 = 10;
/// Factor of an empty chunk.
pub const SMALL_CHUNK_FLOOR: f64 = 0.7;

/// Factor of feedback votes: 1 at 0, towards 2 for many votes up, towards 0.5 for many down.
pub fn document_boost(votes: f64) -> f64 {
    let sigmoid = 1.0 / (1.0 + (-votes / 3.0).exp());
    if votes < 0.0 {
        0.5 + sigmoid
    } else {
        2.0 * sigmoid
    }
}

/// Age in years of a document last changed at `updated` (seconds since 1970 UTC), never below 0.
pub fn age_years(updated: Option<i64>, now: i64) -> f64 {
    let age_s = updated.map_or(UNDATED_AGE_S, |updated| now.saturating_sub(updated) as f64);
    (age_s / YEAR_S).max(0.0)
}

/// Factor of age: 1 / (1 + decay × age), never below `floor`. Decay 0 turns recency off.
pub fn recency_bias(age_years: f64, decay: f64, floor: f64) -> f64 {
    (1.0 / (1.0 + decay * age_years)).max(floor)
}

/// Factor of a chunk's length: 0.7 for no words, rising evenly to 1 at [`SMALL_CHUNK_WORDS`].
///
/// Stands in for the information-content model of the source, which has the same range and limit.
pub fn chunk_boost(n_words: u32) -> f64 {
    let share = f64::from(n_words.min(SMALL_CHUNK_WORDS)) / f64::from(SMALL_CHUNK_WORDS);
    SMALL_CHUNK_FLOOR + (1.0 - SMALL_CHUNK_FLOOR) * share
}

/// A site's own rule: documents with `tag` count as if they had `votes` more.
#[derive(Debug, Clone, PartialEq)]
pub struct BoostRule {
    /// A tag, `key=value` or a bare word, compared exactly.
    pub tag: String,
    /// Votes added; negative votes push down. 3 gives a factor of 1.46 to a document without votes of its own.
    pub votes: f64,
}

/// A document's own votes plus those of every rule whose tag it has. The factor of [`document_boost`] bounds the sum.
pub fn votes_with_rules<T: AsRef<str>>(votes: f64, tags: &[T], rules: &[BoostRule]) -> f64 {
    let matching = rules
        .iter()
        .filter(|rule| tags.iter().any(|tag| tag.as_ref() == rule.tag));
    votes + matching.map(|rule| rule.votes).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_chunks_lose_at_most_three_tenths() {
        assert_eq!(chunk_boost(0), 0.7);
        assert!((chunk_boost(5) - 0.85).abs() < 1e-12);
        assert_eq!(chunk_boost(10), 1.0);
        assert_eq!(chunk_boost(500), 1.0);
    }

    #[test]
    fn rules_add_to_votes_and_the_factor_stays_bounded() {
        let rules = [
            BoostRule {
                tag: "kind=guide".into(),
                votes: 3.0,
            },
            BoostRule {
                tag: "archived".into(),
                votes: -300.0,
            },
        ];
        assert_eq!(votes_with_rules(1.0, &["kind=guide", "x"], &rules), 4.0);
        assert_eq!(votes_with_rules(1.0, &["kind=guides"], &rules), 1.0);
        assert!(document_boost(votes_with_rules(0.0, &["archived"], &rules)) >= 0.5);
        assert!(document_boost(1e9) <= 2.0);
    }

    #[test]
    fn a_date_in_the_future_is_age_zero() {
        assert_eq!(age_years(Some(200), 100), 0.0);
        assert_eq!(
            age_years(Some(i64::MIN), i64::MAX),
            i64::MAX as f64 / YEAR_S
        );
    }
}
