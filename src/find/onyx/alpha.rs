//! The weight of vectors for a query: by its type, its cue words, its length, and earlier feedback.
//!
//! The rule as the documents write it stands in `tests/it/oracle/onyx.rs`. Source: spec onyx §6.

use crate::find::ask::question::Question;
use crate::text::stop_words::is_cjk;

/// Kinds of answers that queries want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryType {
    /// A fact: who, when, how many.
    Factual,
    /// An explanation.
    Conceptual,
    /// A place to go to: a page by its name.
    Navigational,
    /// Anything else.
    Informational,
}

impl QueryType {
    /// Weight of vectors for the type: names and facts lean on words, explanations on meaning.
    pub fn alpha(self) -> f64 {
        match self {
            Self::Factual => 0.3,
            Self::Conceptual => 0.7,
            Self::Navigational => 0.2,
            Self::Informational => 0.5,
        }
    }

    /// The type with this name, lower case; `None` for an unknown one, which is then classified by its words.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "factual" => Some(Self::Factual),
            "conceptual" => Some(Self::Conceptual),
            "navigational" => Some(Self::Navigational),
            "informational" => Some(Self::Informational),
            _ => None,
        }
    }
}

const FACT_CUES: [&str; 5] = ["what", "when", "where", "who", "how many"];
const CONCEPT_CUES: [&str; 5] = ["why", "how", "explain", "concept", "theory"];
const FACT_CUES_CJK: [&str; 8] = [
    "什么时候",
    "何时",
    "哪里",
    "哪儿",
    "谁",
    "多少",
    "几个",
    "哪个",
];
const CONCEPT_CUES_CJK: [&str; 8] = [
    "为什么",
    "为何",
    "怎么",
    "如何",
    "解释",
    "原理",
    "概念",
    "理论",
];

/// The type that the query's cue words name: the earliest cue, at one place the longest.
///
/// English cues are whole words ("show" holds no "how"); Chinese cues are looked for when no English one is there.
pub fn query_type(question: &Question) -> Option<QueryType> {
    let words: Vec<&str> = question
        .folded
        .split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    for start in 0..words.len() {
        let begins = |cue: &str| {
            cue.split(' ')
                .zip(words[start..].iter())
                .filter(|(a, b)| a == *b)
                .count()
        };
        let here = |cue: &&&str| begins(cue) == cue.split(' ').count();
        let longest = |cues: &[&str]| cues.iter().filter(here).map(|cue| cue.len()).max();
        if let Some(kind) = longer(longest(&FACT_CUES), longest(&CONCEPT_CUES)) {
            return Some(kind);
        }
    }
    for (start, _) in question.text.char_indices() {
        let rest = &question.text[start..];
        let longest = |cues: &[&str]| {
            cues.iter()
                .filter(|cue| rest.starts_with(**cue))
                .map(|cue| cue.len())
                .max()
        };
        if let Some(kind) = longer(longest(&FACT_CUES_CJK), longest(&CONCEPT_CUES_CJK)) {
            return Some(kind);
        }
    }
    None
}

fn longer(fact: Option<usize>, concept: Option<usize>) -> Option<QueryType> {
    match (fact, concept) {
        (None, None) => None,
        (fact, concept) if fact > concept => Some(QueryType::Factual),
        _ => Some(QueryType::Conceptual),
    }
}

/// Length of a query in words: a Latin word counts 1 (inner apostrophes, hyphens and dots belong to it), a run of CJK
/// characters half its length, rounded up.
pub fn word_units(query: &str) -> usize {
    let mut units = 0;
    let mut cjk_run = 0usize;
    let mut in_word = false;
    let mut chars = query.chars().peekable();
    while let Some(c) = chars.next() {
        if is_cjk(c) {
            cjk_run += 1;
            in_word = false;
            continue;
        }
        units += cjk_run.div_ceil(2);
        cjk_run = 0;
        let is_word = |c: char| c == '_' || (c.is_alphanumeric() && !is_cjk(c));
        if is_word(c) {
            units += usize::from(!in_word);
            in_word = true;
        } else {
            let joins = matches!(c, '\'' | '\u{2019}' | '-' | '.');
            in_word = in_word && joins && chars.peek().is_some_and(|next| is_word(*next));
        }
    }
    units + cjk_run.div_ceil(2)
}

/// Useful results of earlier queries: how many only the vectors found, and how many only the keywords.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Feedback {
    /// Useful hits that only the vector list had.
    pub vector_only: u32,
    /// Useful hits that only the keyword list had.
    pub keyword_only: u32,
}

/// Weight of vectors for a query, in [0, 1].
///
/// A given type wins over cue words. Up to 2 words: × 0.6; 8 words and more: × 1.4. Feedback shifts by less than 0.2
/// either way, however much of it there is.
pub fn alpha_for(question: &Question, given: Option<QueryType>, feedback: Feedback) -> f64 {
    let kind = given
        .or_else(|| query_type(question))
        .unwrap_or(QueryType::Informational);
    let alpha = by_length(kind.alpha(), word_units(&question.text));
    let (v, k) = (
        f64::from(feedback.vector_only),
        f64::from(feedback.keyword_only),
    );
    (alpha + 0.2 * (v - k) / (v + k + 2.0)).clamp(0.0, 1.0)
}

fn by_length(alpha: f64, n_words: usize) -> f64 {
    match n_words {
        0..=2 => alpha * 0.6,
        3..=7 => alpha,
        _ => alpha * 1.4,
    }
}

/// Share of the title for a source of documents, in [0.1, 0.6]; 0 for a document known to have no title.
///
/// Lengths are in characters; the corrections (a title below 10 or above 200 × 0.7, a content below 100 × 1.3) need
/// both. Unknown sources get 0.3.
pub fn title_ratio(source: &str, title_len: Option<usize>, content_len: Option<usize>) -> f64 {
    if title_len == Some(0) {
        return 0.0;
    }
    let mut ratio: f64 = match source {
        "confluence" | "notion" => 0.4,
        "slack" => 0.1,
        "pdf" | "file" => 0.5,
        // Mail (email, gmail, imap) and web pages share the default.
        _ => 0.3,
    };
    if let (Some(title_len), Some(content_len)) = (title_len, content_len) {
        if !(10..=200).contains(&title_len) {
            ratio *= 0.7;
        }
        if content_len < 100 {
            ratio *= 1.3;
        }
    }
    ratio.clamp(0.1, 0.6)
}

/// Candidates that each retriever brings for `n_results` wanted, at most `window`.
pub fn target_hits(n_results: usize, window: usize) -> usize {
    n_results.saturating_mul(4).max(100).min(window)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_whole_words_and_the_earliest_counts() {
        assert_eq!(query_type(&Question::new("show the whole somewhat")), None);
        assert_eq!(
            query_type(&Question::new("how many and why")),
            Some(QueryType::Factual)
        );
        assert_eq!(
            query_type(&Question::new("explain what happened")),
            Some(QueryType::Conceptual)
        );
        assert_eq!(
            query_type(&Question::new("how it is many")),
            Some(QueryType::Conceptual)
        );
        assert_eq!(
            query_type(&Question::new("请问为什么以及什么时候")),
            Some(QueryType::Conceptual)
        );
    }

    #[test]
    fn words_of_other_alphabets_count_once() {
        assert_eq!(word_units("état d'âme"), 2);
        assert_eq!(word_units("rock-'n'-roll v1.2.3"), 4);
        assert_eq!(word_units("Rust的所有权 model"), 4);
    }

    #[test]
    fn no_title_gives_no_weight_to_titles() {
        assert_eq!(title_ratio("confluence", Some(0), Some(500)), 0.0);
    }

    #[test]
    fn feedback_never_leaves_the_range() {
        assert_eq!(
            alpha_for(
                &Question::new("why does this long query have so many words"),
                None,
                Feedback {
                    vector_only: 900,
                    keyword_only: 0
                }
            ),
            1.0
        );
        assert!(
            alpha_for(
                &Question::new("x"),
                Some(QueryType::Navigational),
                Feedback {
                    vector_only: 0,
                    keyword_only: 900
                }
            ) >= 0.0
        );
    }
}
