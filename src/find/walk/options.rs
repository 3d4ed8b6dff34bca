//! The numbers of a walk: every choice behind the presets as a field of its own.

use crate::base::id::NodeId;
use crate::find::ask::options::Preset;

/// A set of levels: 0 abstracts and 1 overviews of directories, 2 files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels(u8);

impl Levels {
    /// Every level.
    pub const ALL: Self = Self(0b111);
    /// Abstracts and overviews.
    pub const DIRECTORIES: Self = Self(0b011);
    /// Level 2: the content itself.
    pub const FILES: Self = Self(0b100);
    /// No level.
    pub const NONE: Self = Self(0);
    /// No level that could be returned, for a directory that leads to rows that can.
    pub const LEADS: Self = Self(0b1000);

    /// The set of the given levels. What is no level adds nothing, so the set of `[7]` is empty and matches nothing.
    pub fn of(levels: &[i64]) -> Self {
        let bit = |level: &i64| {
            if (0..=2).contains(level) {
                1 << level
            } else {
                0
            }
        };
        Self(levels.iter().map(bit).fold(0, |set, bit| set | bit))
    }

    /// The set with one level more; a number that is no level adds nothing.
    pub fn with(self, level: u8) -> Self {
        Self(self.0 | Self::of(&[i64::from(level)]).0)
    }

    /// True if `level` is in the set.
    pub fn contains(self, level: u8) -> bool {
        level < 3 && self.0 >> level & 1 == 1
    }
}

/// Rows of the global search that become candidates before any directory is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initial {
    /// None: a context is found only inside a directory that the walk opened.
    None,
    /// Rows of files only.
    Files,
    /// Rows of the levels asked for; without a level filter none. A later row of a node replaces an earlier one.
    Requested,
    /// Every row.
    All,
}

/// Options of a walk. Make them with [`WalkOptions::preset`] and change the fields that differ.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkOptions {
    /// Results wanted: the length of the list that has to stand still, and of the answer. 0 searches nothing.
    pub limit: usize,
    /// Give every candidate, not only `limit` of them: for pages of one list.
    pub whole: bool,
    /// Directories where the walk starts even when nothing points there.
    pub roots: Vec<NodeId>,
    /// Levels wanted in the results; `None` means any. Directories are walked through whether wanted or not.
    pub levels: Option<Levels>,
    /// Scores up to this are dropped, and what lies below such a directory is not entered from it.
    pub threshold: f32,
    /// Keep scores equal to the threshold.
    pub inclusive: bool,
    /// Weight of a row's own score against its directory's: 1 ignores the directory, 0 ignores the row.
    pub alpha: f32,
    /// Weight of hotness in the final score: 0 ignores it, 1 leaves nothing else.
    pub hotness_alpha: f32,
    /// Levels of the global search.
    pub global_levels: Levels,
    /// Rows (not nodes) of the global search. 0 starts from the roots alone.
    pub global_limit: usize,
    /// Rows of the global search that are candidates at once.
    pub initial: Initial,
    /// Open directories at all.
    pub recurse: bool,
    /// Directories opened per round. 1 is serial: each sees the results of the one before.
    pub batch: usize,
    /// Rows seen of one directory, its own included; the rest of a wider one stays unseen.
    pub child_limit: usize,
    /// Score a directory's own rows again when it is opened, so that it can be a result.
    pub own_rows: bool,
    /// Rounds with the same full top list, or without growth, after which the walk stops.
    pub patience: u32,
    /// Stop also when the pool of candidates stands still.
    pub stagnation: bool,
    /// A round that found no rows at all counts for stopping.
    pub count_empty: bool,
    /// Record a trace.
    pub trace: bool,
}

impl WalkOptions {
    /// The options of a preset for `limit` results. Limits that depend on `limit` are worked out here.
    pub fn preset(preset: Preset, limit: usize) -> Self {
        let serial = Self {
            limit,
            whole: false,
            roots: Vec::new(),
            levels: None,
            threshold: 0.0,
            inclusive: false,
            alpha: 0.5,
            hotness_alpha: 0.2,
            global_levels: Levels::DIRECTORIES,
            global_limit: 3,
            initial: Initial::None,
            recurse: true,
            batch: 1,
            child_limit: limit.saturating_mul(2).max(20),
            own_rows: true,
            patience: 3,
            stagnation: false,
            count_empty: false,
            trace: false,
        };
        match preset {
            Preset::Classic => serial,
            Preset::ClassicLeaves => Self {
                global_levels: Levels::ALL,
                global_limit: limit.max(5),
                initial: Initial::Files,
                ..serial
            },
            Preset::Current => Self {
                alpha: 1.0,
                hotness_alpha: 0.0,
                global_limit: limit.max(10),
                initial: Initial::Requested,
                batch: 4,
                stagnation: true,
                count_empty: true,
                ..serial
            },
        }
    }

    pub(super) fn passes(&self, score: f32) -> bool {
        score > self.threshold || (self.inclusive && score == self.threshold)
    }

    pub(super) fn wants(&self, level: u8) -> bool {
        self.levels.is_none_or(|levels| levels.contains(level))
    }
}
