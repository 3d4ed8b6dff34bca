//! The trace of a walk: enough to draw the tree, the order of opening, every score and every refusal.
//!
//! Event types are the documents' (spec: OpenViking §2.6), which upstream defines and never emits.

use serde::Serialize;

/// One step of a walk. `N` is how nodes are named: [`crate::base::id::NodeId`] while walking, URIs for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event_type", rename_all = "snake_case")]
pub enum Event<N> {
    /// A directory is opened, with the score it had in the queue.
    SearchDirectoryStart {
        /// Round, counted from 1; the global search is round 0.
        round: u32,
        /// Directory that is opened.
        directory: N,
        /// Its score; 0 means that it passes nothing on.
        score: f32,
    },
    /// A search gave rows: one of a directory, or without one the global search.
    SearchDirectoryResult {
        /// Number of the round.
        round: u32,
        /// Directory that was searched; `None` in the global search.
        directory: Option<N>,
        /// Number of rows.
        rows: usize,
    },
    /// The rows' own scores from the index.
    EmbeddingScores {
        /// Number of the round.
        round: u32,
        /// Directory that was searched; `None` in the global search.
        directory: Option<N>,
        /// Scores, best first.
        scores: Vec<RowScore<N>>,
    },
    /// The rows' own scores from a reranker, in the order of the index's scores.
    RerankScores {
        /// Number of the round.
        round: u32,
        /// Directory that was searched; `None` in the global search.
        directory: Option<N>,
        /// Scores of the rows, in their order.
        scores: Vec<RowScore<N>>,
    },
    /// A row entered the pool of candidates, or bettered its node's place there.
    CandidateSelected {
        /// Number of the round.
        round: u32,
        /// The directory that it was found in; `None` in the global search.
        directory: Option<N>,
        /// The row and its score with the directory's share.
        row: RowScore<N>,
    },
    /// A row did not become a candidate.
    CandidateExcluded {
        /// Number of the round.
        round: u32,
        /// The directory that it was found in; `None` in the global search.
        directory: Option<N>,
        /// The row and its score with the directory's share.
        row: RowScore<N>,
        /// Why.
        reason: Exclusion,
    },
    /// A directory was queued for opening.
    DirectoryQueued {
        /// Number of the round.
        round: u32,
        /// Directory that was searched; `None` in the global search.
        directory: N,
        /// Its place in the queue: higher opens earlier.
        score: f32,
    },
    /// The end of a round: is there still movement?
    ConvergenceCheck {
        /// Number of the round.
        round: u32,
        /// Candidates in the pool.
        candidates: usize,
        /// Rounds in which the full top list stood still.
        unchanged: u32,
        /// Rounds in which the pool stood still.
        stagnant: u32,
    },
    /// The walk ended.
    SearchConverged {
        /// Rounds done.
        round: u32,
        /// Why.
        reason: Stop,
    },
    /// Totals.
    SearchSummary(Counts),
}

/// A row with a score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RowScore<N> {
    /// Node of the row.
    pub node: N,
    /// Level of the row.
    pub level: u8,
    /// Its score, at this point of the walk.
    pub score: f32,
}

/// Why a row did not become a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exclusion {
    /// Its score does not pass the threshold. A directory is then not entered from here.
    Threshold,
    /// Its level is not among the wanted ones.
    Level,
    /// The caller's filter keeps it out.
    Filter,
    /// Its node is in the pool with an equal or better score.
    Worse,
    /// The preset takes no candidates of this kind from the global search.
    Preset,
}

/// Why a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// No directory was left to open.
    QueueEmpty,
    /// The full top list stood still for as many rounds as the options allow.
    TopUnchanged,
    /// The pool stood still for as many rounds as the options allow.
    NoGrowth,
    /// The options allow only one flat search.
    Flat,
    /// No results are wanted.
    NoLimit,
}

/// Totals of a walk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Searches: the global one and one per opened directory.
    pub searches: u32,
    /// Rows that got a score.
    pub scored: u32,
    /// Directories opened.
    pub directories_searched: u32,
    /// Candidates in the pool at the end.
    pub candidates_collected: u32,
    /// Rows that did not become candidates.
    pub candidates_excluded: u32,
    /// Rounds after the global search.
    pub rounds: u32,
    /// Rounds that counted towards stopping, at the end.
    pub convergence_rounds: u32,
}

impl<N> Event<N> {
    /// The same event with other names of nodes. Long because every kind of event is taken apart once.
    // Long: one arm for each kind of event, each only passing its fields on.
    pub fn map<M>(self, name: &mut impl FnMut(N) -> M) -> Event<M> {
        match self {
            Self::SearchDirectoryStart {
                round,
                directory,
                score,
            } => Event::SearchDirectoryStart {
                round,
                directory: name(directory),
                score,
            },
            Self::SearchDirectoryResult {
                round,
                directory,
                rows,
            } => Event::SearchDirectoryResult {
                round,
                directory: directory.map(name),
                rows,
            },
            Self::EmbeddingScores {
                round,
                directory,
                scores,
            } => Event::EmbeddingScores {
                round,
                directory: directory.map(&mut *name),
                scores: scores.into_iter().map(|row| row.map(name)).collect(),
            },
            Self::RerankScores {
                round,
                directory,
                scores,
            } => Event::RerankScores {
                round,
                directory: directory.map(&mut *name),
                scores: scores.into_iter().map(|row| row.map(name)).collect(),
            },
            Self::CandidateSelected {
                round,
                directory,
                row,
            } => Event::CandidateSelected {
                round,
                directory: directory.map(&mut *name),
                row: row.map(name),
            },
            Self::CandidateExcluded {
                round,
                directory,
                row,
                reason,
            } => Event::CandidateExcluded {
                round,
                directory: directory.map(&mut *name),
                row: row.map(name),
                reason,
            },
            Self::DirectoryQueued {
                round,
                directory,
                score,
            } => Event::DirectoryQueued {
                round,
                directory: name(directory),
                score,
            },
            Self::ConvergenceCheck {
                round,
                candidates,
                unchanged,
                stagnant,
            } => Event::ConvergenceCheck {
                round,
                candidates,
                unchanged,
                stagnant,
            },
            Self::SearchConverged { round, reason } => Event::SearchConverged { round, reason },
            Self::SearchSummary(counts) => Event::SearchSummary(counts),
        }
    }
}

impl<N> RowScore<N> {
    fn map<M>(self, name: &mut impl FnMut(N) -> M) -> RowScore<M> {
        RowScore {
            node: name(self.node),
            level: self.level,
            score: self.score,
        }
    }
}
