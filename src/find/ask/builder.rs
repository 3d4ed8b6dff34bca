//! Options of `find` as a chain of typed calls. Each sets the field of its name.

#[cfg(feature = "full")]
use super::condition::Condition;
#[cfg(feature = "full")]
use super::filter::TimeField;
#[cfg(feature = "full")]
use super::options::Preset;
use super::options::{FindOptions, Group, Mode, OneOrMany};
#[cfg(feature = "full")]
use crate::base::uri::ContextType;
use crate::base::value::Value;
#[cfg(feature = "full")]
use crate::find::onyx::typed::HybridOptions;

/// A level of a context: a directory has the first two, a file the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// L0: one or two sentences about a directory.
    Abstract = 0,
    /// L1: a page about a directory.
    Overview = 1,
    /// L2: a file.
    File = 2,
}

fn many<T>(values: impl IntoIterator<Item = impl Into<T>>) -> OneOrMany<T> {
    OneOrMany::Many(values.into_iter().map(Into::into).collect())
}

impl FindOptions {
    /// The defaults: ten files of the whole bundle, with excerpts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Searches only at and below these `viking://` URIs.
    #[must_use]
    pub fn target_uri(mut self, uris: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.target_uri = many(uris);
        self
    }

    /// Returns at most this many results.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Drops results whose score is not above this, in [0, 1].
    #[must_use]
    pub fn score_threshold(mut self, score: f32) -> Self {
        self.score_threshold = Some(score);
        self
    }

    /// Adds the directories of the results, as [`crate::FindResult::groups`].
    #[must_use]
    pub fn group(mut self, by: Group) -> Self {
        self.group = by;
        self
    }

    /// Returns contexts of these levels instead of files only.
    #[must_use]
    pub fn level(mut self, levels: impl IntoIterator<Item = Level>) -> Self {
        let numbers = levels.into_iter().map(|level| Value::Int(level as i64));
        self.level = Value::List(numbers.collect());
        self
    }

    /// Searches flat, or walks through the directories.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Weighs vectors against keywords: 0 keywords only, 1 vectors only.
    #[must_use]
    pub fn alpha(mut self, alpha: f32) -> Self {
        self.alpha = Some(alpha);
        self
    }

    /// Searches with a vector made elsewhere, in the bundle's own space.
    #[must_use]
    pub fn vector(mut self, vector: Vec<f32>) -> Self {
        self.vector = Some(vector);
        self
    }

    /// Searches pages of these languages, as BCP 47 tags, best first; `*` is all.
    #[must_use]
    pub fn lang(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.lang = many(tags);
        self
    }

    /// Searches pages about these versions, as the site writes them; `*` is all.
    #[must_use]
    pub fn version(mut self, versions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.version = many(versions);
        self
    }

    /// Completes the last word, or takes it as finished.
    #[must_use]
    pub fn prefix(mut self, is_unfinished: bool) -> Self {
        self.prefix = is_unfinished;
        self
    }

    /// Fetches the texts of the results for excerpts, or saves their bytes.
    #[must_use]
    pub fn excerpts(mut self, are_wanted: bool) -> Self {
        self.excerpts = are_wanted;
        self
    }

    /// Cuts excerpts of about so many letters.
    #[must_use]
    pub fn excerpt_length(mut self, letters: usize) -> Self {
        self.excerpt_length = letters;
        self
    }

    /// Returns only contexts that carry all of these tags, `key=value` or single words.
    #[must_use]
    pub fn tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Adds how many pages have each value of these keys of tags, as [`crate::FindResult::facets`]; `*` is all keys.
    #[must_use]
    pub fn facets(mut self, keys: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.facets = keys.into_iter().map(Into::into).collect();
        self
    }
}

/// The options of applications.
#[cfg(feature = "full")]
impl FindOptions {
    /// Adds an answer in sentences, where its chance to be right is above `least`; by default .9.
    #[must_use]
    pub fn answer(mut self, least: Option<f32>) -> Self {
        self.answer = true;
        self.answer_threshold = least.unwrap_or(self.answer_threshold);
        self
    }

    /// Selects the walk of [`Mode::Thinking`].
    #[must_use]
    pub fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    /// Returns only contexts that meet a condition.
    #[must_use]
    pub fn filter(mut self, condition: Condition) -> Self {
        self.filter = condition.into();
        self
    }

    /// Orders results by a field instead of their score; `-` before it: the largest first.
    #[must_use]
    pub fn sort(mut self, key: impl Into<String>) -> Self {
        self.sort = Some(key.into());
        self
    }

    /// Returns only contexts of these types.
    #[must_use]
    pub fn context_type(mut self, types: impl IntoIterator<Item = ContextType>) -> Self {
        self.context_type = many(types.into_iter().map(ContextType::as_str));
        self
    }

    /// Returns only contexts not older than this: `2026-03-11`, an ISO 8601 instant, or, with [`FindOptions::now`], `7d`.
    #[must_use]
    pub fn since(mut self, time: impl Into<String>) -> Self {
        self.since = Some(time.into());
        self
    }

    /// Returns only contexts not newer than this; a time as in [`FindOptions::since`].
    #[must_use]
    pub fn until(mut self, time: impl Into<String>) -> Self {
        self.until = Some(time.into());
        self
    }

    /// Selects the time that [`FindOptions::since`] and [`FindOptions::until`] are about.
    #[must_use]
    pub fn time_field(mut self, field: TimeField) -> Self {
        self.time_field = field;
        self
    }

    /// Searches as this user, whose memories are then the only ones.
    #[must_use]
    pub fn user(mut self, id: impl Into<String>) -> Self {
        self.user = Some(id.into());
        self
    }

    /// Mixes in how often and how lately a context was used, with this weight, in [0, 1]; needs [`Self::now`].
    #[must_use]
    pub fn hotness_weight(mut self, weight: f32) -> Self {
        self.hotness_weight = weight;
        self
    }

    /// Sets the weight of a row's own score against that of its directory in a walk, in [0, 1].
    #[must_use]
    pub fn score_propagation_alpha(mut self, weight: f32) -> Self {
        self.score_propagation_alpha = Some(weight);
        self
    }

    /// Ends a walk after this many rounds, at least 1, that change nothing.
    #[must_use]
    pub fn max_convergence_rounds(mut self, rounds: usize) -> Self {
        self.max_convergence_rounds = Some(rounds);
        self
    }

    /// Starts a walk from this many rows of the whole scope.
    #[must_use]
    pub fn global_search_topk(mut self, rows: usize) -> Self {
        self.global_search_topk = Some(rows);
        self
    }

    /// Leaves out this many results before the first, for a later page of the same list.
    #[must_use]
    pub fn offset(mut self, results: usize) -> Self {
        self.offset = results;
        self
    }

    /// Narrows the user's contexts to those of a peer that acts for the user.
    #[must_use]
    pub fn actor_peer(mut self, id: impl Into<String>) -> Self {
        self.actor_peer = Some(id.into());
        self
    }

    /// Sets the caller's time, in milliseconds since 1970 UTC. The engine has no clock.
    #[must_use]
    pub fn now(mut self, milliseconds: i64) -> Self {
        self.now = Some(milliseconds);
        self
    }

    /// Mixes in the entity graph with this weight, in [0, 1].
    #[must_use]
    pub fn graph(mut self, weight: f32) -> Self {
        self.graph = Some(weight);
        self
    }

    /// Ranks with Onyx's choices.
    #[must_use]
    pub fn hybrid(mut self, options: HybridOptions) -> Self {
        self.hybrid = options.into();
        self
    }

    /// Adds to each result how its score came about.
    #[must_use]
    pub fn explain(mut self, is_wanted: bool) -> Self {
        self.explain = is_wanted;
        self
    }

    /// Adds the candidates and the steps of the walk.
    #[must_use]
    pub fn trace(mut self, is_wanted: bool) -> Self {
        self.trace = is_wanted;
        self
    }
}
