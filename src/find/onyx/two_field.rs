//! Scoring one query over one list of candidates: the `two_field` formula with every intermediate value kept.
//!
//! Source: spec onyx §2.1 and §2.2. All arithmetic is `f64`; a caller rounds to `f32` where a score leaves the engine.

use crate::find::rank::fuse::{Scaling, scale};

/// Weight of vectors in the semantic profile: 0 keywords only, 1 vectors only.
pub const SEMANTIC_ALPHA: f64 = 0.5;
/// Weight of vectors in the keyword profile.
pub const KEYWORD_ALPHA: f64 = 0.2;
/// Share of the title inside each of the two halves: 0 content only, 1 title only. Small, because the searchable
/// content repeats the title.
pub const TITLE_RATIO: f64 = 0.1;
/// Candidates that the first phase hands to the formula; their scores are normalized together.
pub const WINDOW: usize = 1000;
/// BM25 term saturation: 0 counts a term once, large values count every repetition.
pub const K1: f64 = 1.2;
/// BM25 length normalisation: 0 ignores length, 1 divides by it.
pub const B: f64 = 0.75;

/// Angular closeness of two unit vectors: 1 / (1 + angle in radians). No vector gives 0.
pub fn closeness(cosine: Option<f64>) -> f64 {
    // NaN fails both comparisons of `clamp` and comes back as NaN: treat it as no vector.
    match cosine {
        Some(cosine) if !cosine.is_nan() => 1.0 / (1.0 + cosine.clamp(-1.0, 1.0).acos()),
        _ => 0.0,
    }
}

/// BM25 of one term in one field: `frequency` in a field of `length` tokens, `average` tokens in the index.
pub fn bm25(frequency: f64, length: f64, average: f64, idf: f64) -> f64 {
    if frequency <= 0.0 || average <= 0.0 {
        return 0.0;
    }
    idf * frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length / average))
}

/// Inputs of the two-field formula for a candidate. Missing parts are 0 or `None`, never left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// Cosine of the query and the content.
    pub content_cosine: Option<f64>,
    /// Cosine of the query and the title.
    pub title_cosine: Option<f64>,
    /// BM25 of the title.
    pub title_bm25: f64,
    /// BM25 of the content.
    pub content_bm25: f64,
    /// Factor of [`super::boosts::document_boost`]; 1 is neutral.
    pub document_boost: f64,
    /// Factor of [`super::boosts::recency_bias`]; 1 is neutral.
    pub recency_bias: f64,
    /// Factor of [`super::boosts::chunk_boost`]; 1 is neutral.
    pub chunk_boost: f64,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            content_cosine: None,
            title_cosine: None,
            title_bm25: 0.0,
            content_bm25: 0.0,
            document_boost: 1.0,
            recency_bias: 1.0,
            chunk_boost: 1.0,
        }
    }
}

/// Every value of the two-field formula for one candidate, in the order they are computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct TwoFieldRow {
    /// Normalised max(content closeness, title closeness).
    pub title_vector: f64,
    /// Normalised content closeness.
    pub content_vector: f64,
    /// Normalised BM25 of the title.
    pub title_bm25: f64,
    /// Normalised BM25 of the content.
    pub content_bm25: f64,
    /// The four parts mixed by alpha and title ratio, in [0, 1].
    pub mix: f64,
    /// Factor applied after mixing.
    pub document_boost: f64,
    /// Factor applied after mixing.
    pub recency_bias: f64,
    /// Factor applied after mixing.
    pub chunk_boost: f64,
    /// `mix` times the three factors; up to 2.
    pub score: f64,
}

/// The two-field formula over the whole candidate list, one row per candidate in the same order.
///
/// Scores depend on the list: normalisation sees exactly the candidates given. A single candidate mixes to 0.5.
/// Cost: O(candidates).
pub fn two_field(candidates: &[Features], alpha: f64, title_ratio: f64) -> Vec<TwoFieldRow> {
    two_field_each(candidates, alpha, &vec![title_ratio; candidates.len()])
}

/// [`two_field`] with a share of the title for each candidate. Candidates without one are left out.
pub fn two_field_each(
    candidates: &[Features],
    alpha: f64,
    title_ratios: &[f64],
) -> Vec<TwoFieldRow> {
    let content_vector: Vec<f64> = candidates
        .iter()
        .map(|c| closeness(c.content_cosine))
        .collect();
    let title_vector: Vec<f64> = candidates
        .iter()
        .zip(&content_vector)
        .map(|(c, v)| v.max(closeness(c.title_cosine)))
        .collect();
    let title_bm25: Vec<f64> = candidates.iter().map(|c| c.title_bm25).collect();
    let content_bm25: Vec<f64> = candidates.iter().map(|c| c.content_bm25).collect();
    let [title_vector, content_vector, title_bm25, content_bm25] =
        [title_vector, content_vector, title_bm25, content_bm25]
            .map(|list| scale(&list, Scaling::Linear));
    let mut rows = Vec::with_capacity(candidates.len());
    for (i, (candidate, &title_ratio)) in candidates.iter().zip(title_ratios).enumerate() {
        let mix = alpha * (title_ratio * title_vector[i] + (1.0 - title_ratio) * content_vector[i])
            + (1.0 - alpha) * (title_ratio * title_bm25[i] + (1.0 - title_ratio) * content_bm25[i]);
        rows.push(TwoFieldRow {
            title_vector: title_vector[i],
            content_vector: content_vector[i],
            title_bm25: title_bm25[i],
            content_bm25: content_bm25[i],
            mix,
            document_boost: candidate.document_boost,
            recency_bias: candidate.recency_bias,
            chunk_boost: candidate.chunk_boost,
            score: mix * candidate.document_boost * candidate.recency_bias * candidate.chunk_boost,
        });
    }
    rows
}

/// Orders of candidates for the window of the two-field formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// By closeness: lets candidates without any keyword in.
    #[default]
    Semantic,
    /// By BM25.
    Keyword,
    /// By BM25 with the title five times, no vectors; meant for listings that show hidden documents too.
    Admin,
}

impl Profile {
    /// The alpha that goes with the profile.
    pub fn alpha(self) -> f64 {
        match self {
            Self::Semantic => SEMANTIC_ALPHA,
            Self::Keyword => KEYWORD_ALPHA,
            Self::Admin => 0.0,
        }
    }

    /// The profile an explicit alpha selects: up to 0.2 keywords lead, above it closeness does. 0 is a value, not
    /// an absence.
    pub fn for_alpha(alpha: f64) -> Self {
        if alpha <= KEYWORD_ALPHA {
            Self::Keyword
        } else {
            Self::Semantic
        }
    }

    /// First-phase value of a candidate; only its order matters.
    pub fn first_phase(self, candidate: &Features, title_ratio: f64) -> f64 {
        match self {
            Self::Semantic => {
                title_ratio * closeness(candidate.title_cosine)
                    + (1.0 - title_ratio) * closeness(candidate.content_cosine)
            }
            Self::Keyword => {
                title_ratio * candidate.title_bm25 + (1.0 - title_ratio) * candidate.content_bm25
            }
            Self::Admin => candidate.content_bm25 + 5.0 * candidate.title_bm25,
        }
    }
}

/// The four parts of the combined keyword query; `None` where a part does not match.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KeywordParts {
    /// BM25 of any query word in the title.
    pub title: Option<f64>,
    /// Phrase in the title, slop [`PHRASE_SLOP`].
    pub title_phrase: Option<f64>,
    /// BM25 of any query word in the content.
    pub content: Option<f64>,
    /// Phrase in the content, slop [`PHRASE_SLOP`].
    pub content_phrase: Option<f64>,
}

/// Weights of title words, title phrase, content words and content phrase in the combined keyword query.
pub const KEYWORD_WEIGHTS: [f64; 4] = [0.1, 0.2, 1.0, 1.5];
/// Positions that the words of a phrase may move, all together.
pub const PHRASE_SLOP: u32 = 1;

/// Score of the combined keyword query; `None` when no part matches, so the document is not a hit.
pub fn combined_keyword(parts: &KeywordParts) -> Option<f64> {
    let parts = [
        parts.title,
        parts.title_phrase,
        parts.content,
        parts.content_phrase,
    ];
    if parts.iter().all(Option::is_none) {
        return None;
    }
    Some(
        parts
            .iter()
            .zip(KEYWORD_WEIGHTS)
            .map(|(part, weight)| weight * part.unwrap_or(0.0))
            .sum(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_without_any_match_is_not_a_hit_and_a_zero_match_is() {
        assert_eq!(combined_keyword(&KeywordParts::default()), None);
        assert_eq!(
            combined_keyword(&KeywordParts {
                title: Some(0.0),
                ..Default::default()
            }),
            Some(0.0)
        );
        let all = KeywordParts {
            title: Some(1.0),
            title_phrase: Some(2.0),
            content: Some(3.0),
            content_phrase: Some(4.0),
        };
        // 0.1 + 0.4 + 3 + 6
        assert!((combined_keyword(&all).expect("four parts match") - 9.5).abs() < 1e-12);
    }

    #[test]
    fn alpha_zero_selects_the_keyword_profile() {
        assert_eq!(Profile::for_alpha(0.0), Profile::Keyword);
        assert_eq!(Profile::for_alpha(0.2), Profile::Keyword);
        assert_eq!(Profile::for_alpha(0.21), Profile::Semantic);
    }

    #[test]
    fn not_a_number_counts_as_no_vector() {
        assert_eq!(closeness(Some(f64::NAN)), 0.0);
    }

    #[test]
    fn an_absent_term_and_an_empty_field_score_zero() {
        assert_eq!(bm25(0.0, 5.0, 5.0, 1.0), 0.0);
        assert_eq!(bm25(1.0, 0.0, 0.0, 1.0), 0.0);
    }
}
