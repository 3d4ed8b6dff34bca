//! The hierarchical walk: its choice of directories, the scores they pass on, and its end.
//!
//! The walk is pure and comes in two halves, so that a reranker can sit between them: [`Walk::next_round`] gives the
//! rows that need scores, [`Walk::accept`] takes the scores. A space whose parts are not all loaded answers with the
//! missing ones; the walk collects those of a whole round and leaves its state as it was, so that the same call works
//! once they are there. Starting afresh gives the same result. Source: OpenViking specification §1.4, §1.5 and §1.9.

pub mod hotness;
mod options;
pub mod over_bundle;
mod space;
mod trace;

pub use options::{Initial, Levels, WalkOptions};
pub use space::{Found, Group, Hit, Round, Row, Space};
pub use trace::{Counts, Event, Exclusion, RowScore, Stop};

use crate::base::id::NodeId;
use crate::base::order;
use std::cmp::Ordering;

/// Walks with the index's own scores, from the start to the end.
///
/// Errors: the parts that the space lacks. Load them and call again.
pub fn walk<S: Space>(space: &S, options: WalkOptions) -> Result<Found, Vec<S::Part>> {
    let mut walk = Walk::new(options);
    while walk.next_round(space)?.is_some() {
        walk.accept_local(space);
    }
    Ok(walk.finish(space))
}

/// A walk under way.
#[derive(Debug, Clone)]
pub struct Walk {
    options: WalkOptions,
    state: State,
    round: Round,
    /// Directories to open, the best last.
    queue: Vec<Queued>,
    /// Taken from the queue for the current round.
    batch: Vec<Queued>,
    /// Ascending.
    visited: Vec<NodeId>,
    /// Ascending by node. Sorted lists: they stay short, and trees weigh fifteen kilobytes in the browser.
    pool: Vec<Hit>,
    /// The top list at the last round that moved, by node number.
    top: Vec<NodeId>,
    pool_size: usize,
    unchanged: u32,
    stagnant: u32,
    counts: Counts,
    trace: Vec<Event<NodeId>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// The global search comes next.
    Start,
    /// Directories come next.
    Ready,
    /// The rows of `round` wait for scores.
    Scoring,
    Done,
}

#[derive(Debug, Clone, Copy)]
struct Queued {
    node: NodeId,
    score: f32,
}

impl Walk {
    /// A walk that has not started.
    pub fn new(options: WalkOptions) -> Self {
        Self {
            options,
            state: State::Start,
            round: Round::default(),
            queue: Vec::new(),
            batch: Vec::new(),
            visited: Vec::new(),
            pool: Vec::new(),
            top: Vec::new(),
            pool_size: 0,
            unchanged: 0,
            stagnant: 0,
            counts: Counts::default(),
            trace: Vec::new(),
        }
    }

    /// The rows that need scores next, or `None` when the walk is over. Gives the same round until it is accepted.
    ///
    /// Errors: the parts that all searches of the round lack. Load them and call again.
    pub fn next_round<S: Space>(&mut self, space: &S) -> Result<Option<&Round>, Vec<S::Part>> {
        match self.state {
            State::Start if self.options.limit == 0 => self.stop(Stop::NoLimit),
            State::Start => self.search_globally(space)?,
            State::Ready => self.open_directories(space)?,
            State::Scoring | State::Done => {}
        }
        Ok((self.state == State::Scoring).then_some(&self.round))
    }

    /// Takes the index's own scores for the current round.
    pub fn accept_local<S: Space>(&mut self, space: &S) {
        let scores: Vec<f32> = self
            .round
            .rows
            .iter()
            .map(|row| finite_or(row.score, 0.0))
            .collect();
        self.take(space, &scores);
    }

    /// Takes a reranker's scores for the current round, one per row. A score that is no number leaves the row its own.
    ///
    /// Panics when the number of scores differs from that of the rows: check an endpoint's reply before it gets here.
    pub fn accept<S: Space>(&mut self, space: &S, scores: &[f32]) {
        assert_eq!(
            scores.len(),
            self.round.rows.len(),
            "one score per row of the round"
        );
        let own = self.round.rows.iter().map(|row| finite_or(row.score, 0.0));
        let scores: Vec<f32> = scores
            .iter()
            .zip(own)
            .map(|(score, own)| finite_or(*score, own))
            .collect();
        if self.options.trace {
            self.record_scores(&scores, |round, directory, scores| Event::RerankScores {
                round,
                directory,
                scores,
            });
        }
        self.take(space, &scores);
    }

    /// The results so far; after `next_round` gave `None`, the results.
    pub fn finish<S: Space>(mut self, space: &S) -> Found {
        let mut hits = std::mem::take(&mut self.pool);
        self.counts.candidates_collected = hits.len() as u32;
        self.counts.convergence_rounds = self.unchanged + self.stagnant;
        self.record(|walk| Event::SearchSummary(walk.counts));
        let best_first = |a: &Hit, b: &Hit| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| space.cmp_uri(a.node, b.node))
        };
        // The cut comes before hotness, as upstream: a hot context is moved within the results, not into them.
        order::sort_by(&mut hits, best_first);
        if !self.options.whole {
            hits.truncate(self.options.limit);
        }
        let weight = self.options.hotness_alpha;
        if weight > 0.0 {
            for hit in &mut hits {
                hit.score = (1.0 - weight) * hit.semantic + weight * finite_or(hit.hotness, 0.0);
            }
            order::sort_by(&mut hits, best_first);
        }
        Found {
            hits,
            counts: self.counts,
            trace: self.trace,
        }
    }

    fn search_globally<S: Space>(&mut self, space: &S) -> Result<(), Vec<S::Part>> {
        let mut levels = self.options.global_levels;
        if let (Initial::All, Some(wanted)) = (self.options.initial, self.options.levels) {
            levels = wanted;
        }
        let rows = match self.options.global_limit {
            0 => Vec::new(),
            limit => space.global(levels, limit)?,
        };
        let group = Group {
            directory: None,
            score: 0.0,
            start: 0,
            end: rows.len(),
        };
        self.begin(Round {
            rows,
            groups: vec![group],
        });
        Ok(())
    }

    fn open_directories<S: Space>(&mut self, space: &S) -> Result<(), Vec<S::Part>> {
        while self.batch.len() < self.options.batch.max(1) {
            let Some(best) = self.queue.pop() else { break };
            if insert(&mut self.visited, best.node) {
                self.batch.push(best);
            }
        }
        if self.batch.is_empty() {
            self.stop(Stop::QueueEmpty);
            return Ok(());
        }
        let mut round = Round::default();
        let mut missing = Vec::new();
        for opened in &self.batch {
            match space.children(opened.node, self.options.child_limit) {
                Err(parts) => missing.extend(parts),
                Ok(rows) => {
                    let own_rows = self.options.own_rows;
                    let start = round.rows.len();
                    round.rows.extend(
                        rows.into_iter()
                            .filter(|row| own_rows || row.node != opened.node),
                    );
                    let (directory, end) = (Some(opened.node), round.rows.len());
                    round.groups.push(Group {
                        directory,
                        score: opened.score,
                        start,
                        end,
                    });
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing);
        }
        self.batch.clear();
        self.counts.rounds += 1;
        self.counts.directories_searched += round.groups.len() as u32;
        self.begin(round);
        Ok(())
    }

    /// Puts a round up for scoring.
    fn begin(&mut self, round: Round) {
        self.counts.searches += round.groups.len() as u32;
        self.counts.scored += round.rows.len() as u32;
        self.round = round;
        self.state = State::Scoring;
        if !self.options.trace {
            return;
        }
        let round = self.counts.rounds;
        for group in &self.round.groups {
            let Group {
                directory,
                score,
                start,
                end,
            } = *group;
            if let Some(directory) = directory {
                self.trace.push(Event::SearchDirectoryStart {
                    round,
                    directory,
                    score,
                });
            }
            self.trace.push(Event::SearchDirectoryResult {
                round,
                directory,
                rows: end - start,
            });
        }
        let scores: Vec<f32> = self.round.rows.iter().map(|row| row.score).collect();
        self.record_scores(&scores, |round, directory, scores| Event::EmbeddingScores {
            round,
            directory,
            scores,
        });
    }

    /// The second half of a round: scores to candidates and to the queue.
    fn take<S: Space>(&mut self, space: &S, scores: &[f32]) {
        if self.state != State::Scoring {
            return;
        }
        self.state = State::Ready;
        let round = std::mem::take(&mut self.round);
        if self.counts.rounds == 0 {
            self.start_from(space, &round, scores);
            return;
        }
        for group in &round.groups {
            let rows = group.start..group.end;
            for (row, own) in round.rows[rows.clone()].iter().zip(&scores[rows]) {
                self.judge(space, group, row, *own);
            }
        }
        if self.options.count_empty || !round.rows.is_empty() {
            self.check_convergence(space);
        }
    }

    /// Starting points and initial candidates out of the global search.
    fn start_from<S: Space>(&mut self, space: &S, round: &Round, scores: &[f32]) {
        let mut seen = Vec::new();
        for (row, score) in round.rows.iter().zip(scores) {
            let wanted = match self.options.initial {
                Initial::None => false,
                Initial::Files => row.level == 2,
                Initial::Requested => self.options.levels.is_some(),
                Initial::All => true,
            };
            if wanted {
                self.offer(
                    None,
                    row,
                    *score,
                    self.options.initial == Initial::Requested,
                );
            } else {
                self.exclude(None, row, *score, Exclusion::Preset);
            }
            // The first row of a directory in the index's order gives its score, be it the better one or not.
            if self.options.recurse && row.level != 2 && insert(&mut seen, row.node) {
                self.enqueue(space, row.node, *score);
            }
        }
        if !self.options.recurse {
            self.stop(Stop::Flat);
            return;
        }
        for root in std::mem::take(&mut self.options.roots) {
            if insert(&mut seen, root) {
                self.enqueue(space, root, 0.0);
            }
        }
    }

    /// One row of an opened directory.
    fn judge<S: Space>(&mut self, space: &S, group: &Group, row: &Row, own: f32) {
        let alpha = self.options.alpha;
        // A parent of exactly 0 is no parent; a negative one does pass its score on.
        let score = if group.score == 0.0 {
            own
        } else {
            alpha * own + (1.0 - alpha) * group.score
        };
        if self.offer(group.directory, row, score, false)
            && row.level != 2
            && self.visited.binary_search(&row.node).is_err()
        {
            self.enqueue(space, row.node, score);
        }
    }

    /// Puts a row into the pool if it may and should be there. Whether it passes the threshold.
    fn offer(&mut self, directory: Option<NodeId>, row: &Row, score: f32, replace: bool) -> bool {
        let passes = self.options.passes(score);
        let place = self.pool.binary_search_by(|hit| hit.node.cmp(&row.node));
        let reason = if !passes {
            Exclusion::Threshold
        } else if !self.options.wants(row.level) {
            Exclusion::Level
        } else if !row.admitted {
            Exclusion::Filter
        } else if !replace && place.is_ok_and(|at| self.pool[at].semantic >= score) {
            Exclusion::Worse
        } else {
            let Row {
                node,
                level,
                hotness,
                ..
            } = *row;
            let hit = Hit {
                node,
                level,
                score,
                semantic: score,
                hotness,
            };
            match place {
                Ok(at) => self.pool[at] = hit,
                Err(at) => self.pool.insert(at, hit),
            }
            let row = RowScore { node, level, score };
            self.record(|walk| Event::CandidateSelected {
                round: walk.counts.rounds,
                directory,
                row,
            });
            return true;
        };
        self.exclude(directory, row, score, reason);
        passes
    }

    fn exclude(&mut self, directory: Option<NodeId>, row: &Row, score: f32, reason: Exclusion) {
        self.counts.candidates_excluded += 1;
        let row = RowScore {
            node: row.node,
            level: row.level,
            score,
        };
        self.record(|walk| Event::CandidateExcluded {
            round: walk.counts.rounds,
            directory,
            row,
            reason,
        });
    }

    /// Keeps the queue sorted: worst first; of equal scores the later URI first.
    fn enqueue<S: Space>(&mut self, space: &S, node: NodeId, score: f32) {
        let opens_later = |other: &Queued| match other.score.total_cmp(&score) {
            Ordering::Equal => space.cmp_uri(other.node, node) == Ordering::Greater,
            order => order == Ordering::Less,
        };
        let at = self.queue.partition_point(opens_later);
        self.queue.insert(at, Queued { node, score });
        self.record(|walk| Event::DirectoryQueued {
            round: walk.counts.rounds,
            directory: node,
            score,
        });
    }

    fn check_convergence<S: Space>(&mut self, space: &S) {
        let top = self.top_nodes(space);
        let still_full = top == self.top && top.len() >= self.options.limit;
        if still_full {
            self.unchanged += 1;
        } else if self.options.stagnation && self.pool.len() == self.pool_size {
            self.stagnant += 1;
        } else {
            (self.unchanged, self.stagnant) = (0, 0);
            (self.top, self.pool_size) = (top, self.pool.len());
        }
        self.record(|walk| Event::ConvergenceCheck {
            round: walk.counts.rounds,
            candidates: walk.pool.len(),
            unchanged: walk.unchanged,
            stagnant: walk.stagnant,
        });
        if self.unchanged >= self.options.patience {
            self.stop(Stop::TopUnchanged);
        } else if self.stagnant >= self.options.patience {
            self.stop(Stop::NoGrowth);
        }
    }

    /// The nodes of the best candidates, as many as are wanted, by node number.
    fn top_nodes<S: Space>(&self, space: &S) -> Vec<NodeId> {
        let mut hits: Vec<&Hit> = self.pool.iter().collect();
        let limit = self.options.limit;
        if hits.len() > limit {
            order::sort_by(&mut hits, |a, b| {
                b.score
                    .total_cmp(&a.score)
                    .then_with(|| space.cmp_uri(a.node, b.node))
            });
            hits.truncate(limit);
        }
        let mut nodes: Vec<NodeId> = hits.into_iter().map(|hit| hit.node).collect();
        order::sort_by(&mut nodes, NodeId::cmp);
        nodes
    }

    fn stop(&mut self, reason: Stop) {
        self.state = State::Done;
        self.record(|walk| Event::SearchConverged {
            round: walk.counts.rounds,
            reason,
        });
    }

    fn record(&mut self, event: impl FnOnce(&Self) -> Event<NodeId>) {
        if self.options.trace {
            let event = event(self);
            self.trace.push(event);
        }
    }

    fn record_scores(
        &mut self,
        scores: &[f32],
        event: impl Fn(u32, Option<NodeId>, Vec<RowScore<NodeId>>) -> Event<NodeId>,
    ) {
        for group in &self.round.groups {
            let rows = group.start..group.end;
            let named = self.round.rows[rows.clone()].iter().zip(&scores[rows]);
            let named = named.map(|(row, score)| RowScore {
                node: row.node,
                level: row.level,
                score: *score,
            });
            self.trace
                .push(event(self.counts.rounds, group.directory, named.collect()));
        }
    }
}

/// Adds `node` to an ascending list. Whether it is new.
fn insert(list: &mut Vec<NodeId>, node: NodeId) -> bool {
    let place = list.binary_search(&node);
    if let Err(at) = place {
        list.insert(at, node);
    }
    place.is_err()
}

/// NaN and infinities stop here; negative zero, which would sort below zero, becomes zero.
fn finite_or(score: f32, otherwise: f32) -> f32 {
    if score.is_finite() {
        score + 0.0
    } else {
        otherwise
    }
}
