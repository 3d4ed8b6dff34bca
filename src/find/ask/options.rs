//! The options of every call: the one place where they are written down (see [`crate::base::options`]).
//!
//! After a change, `UPDATE=1 cargo test -p knarr --test it options` writes the package's types and checks and the
//! reference in the docs.

use super::filter::{TimeField, Value};
use crate::base::key::CacheKey;
pub use crate::base::options::OneOrMany;
use crate::base::options::{Setting, Shape, Source};

/// True where a summary is wanted: `true`, or `{"summary": true}` as OpenViking's documents write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary(pub bool);

impl Setting for Summary {
    const WANTED: &'static str = "true, false or {summary: true}";

    fn read(source: &impl Source) -> Option<Self> {
        if let Some(is_wanted) = source.flag() {
            return Some(Self(is_wanted));
        }
        let mut is_wanted = true;
        for (name, value) in source.members()? {
            is_wanted = value.flag().filter(|_| name == "summary")?;
        }
        Some(Self(is_wanted))
    }

    fn add_to(&self, key: &mut CacheKey) {
        self.0.add_to(key);
    }

    fn shape() -> Shape {
        Shape::Flag
    }

    fn shown(&self) -> String {
        self.0.shown()
    }
}

crate::words! {
    /// Flat search, or a walk through the directories.
    pub enum Mode {
        /// The one that measures best (docs/MEASUREMENTS.md): a walk on sites of up to about 2,000 files, flat search on
        /// larger ones.
        Auto = "auto" (default),
        /// Flat hybrid search: no recursion through directories.
        Quick = "quick",
        /// Hierarchical walk over directories with score propagation.
        Thinking = "thinking",
    }

    /// The published walks of [`Mode::Thinking`] (spec: OpenViking §1.9).
    pub enum Preset {
        /// v0.2.6: files are found only inside directories that the walk opened.
        Classic = "classic",
        /// v0.2.14: classic, and the best files are candidates from the start.
        ClassicLeaves = "classic+leaves" (default),
        /// v0.4.16: four directories a round, nothing is passed on.
        Current = "current",
    }

    /// Results one by one, or by their directories.
    pub enum Group {
        /// One list for each type.
        None = "none" (default),
        /// Also the directories of the results, as `groups`.
        Directory = "directory",
    }

    /// The key by which rows of a directory are ordered. Directories stand before files in any order.
    pub enum SortBy {
        /// Names, without regard to case.
        Name = "name" (default),
        /// Times of change; rows without one count as oldest. Ties by name.
        Mtime = "mtime",
    }

    /// The direction of an order.
    pub enum SortOrder {
        /// Smallest first.
        Asc = "asc" (default),
        /// Largest first.
        Desc = "desc",
    }
}

crate::words! {
    /// The rows that `grep` answers with.
    pub enum GrepOutput {
        /// Matching lines, as `matches`.
        Lines = "lines" (default),
        /// Files with a match, each with the number of its matching lines, as `files`.
        Files = "files",
    }
}

crate::options! {
    /// Options of `find`.
    pub struct FindOptions {
        /// Search only at and below these `viking://` URIs; everywhere when none is given.
        target_uri: OneOrMany<String> = OneOrMany::default(), answer, flag "target" "URI";
        /// Number of results at most, best first.
        limit: usize = 10, answer, flag "limit" "N";
        /// Results to leave out before the first: the second page of ten has `offset: 10`. Pages of one `limit` are cut
        /// from one list, so no result is on two of them.
        offset: usize = 0, answer, only "full", flag "offset" "N";
        /// Drop results whose `relevance` is not above this, in [0, 1].
        score_threshold: Option<f32> = None, answer, flag "threshold" "0..1";
        /// Levels wanted: 0 abstracts and 1 overviews of directories, 2 files; files when none is given.
        level: Value = Value::Null, answer, ts "Level | Level[] | string", js "levels", flag "level" "LEVEL";
        /// Flat search (`quick`), a walk through the directories (`thinking`), or the one that measures better (`auto`).
        mode: Mode = Mode::default(), answer, flag "mode" "MODE", unserved "\"auto\"";
        /// The walk of `mode` `thinking`.
        preset: Preset = Preset::default(), answer, only "full", flag "preset" "PRESET", unserved "";
        /// Weight of a row's own score against that of its directory in a walk, in [0, 1]. Not given: the preset's, 0.5, and
        /// 1 in `current`; in `auto` 0.65.
        score_propagation_alpha: Option<f32> = None, answer, only "full", flag "propagation-alpha" "0..1",
            unserved "null";
        /// Rounds without a change of the best rows after which a walk ends, at least 1; 3 when it is not given.
        max_convergence_rounds: Option<usize> = None, answer, only "full", flag "convergence-rounds" "N",
            unserved "null";
        /// Rows of the whole scope that a walk starts from; a directory has two, its abstract and its overview. Not given:
        /// 3 in `classic`, all in `classic+leaves`, and in `current` the limit, but at least 10.
        global_search_topk: Option<usize> = None, answer, only "full", flag "global-topk" "N", unserved "null";
        /// Scores of the caller's own model for the rows of a walk, by URI (a directory's rows with `/.abstract.md` and
        /// `/.overview.md`; null leaves a row its own), each in [0, 1]. Where a round of the walk has a row without one, the
        /// answer is no result but these rows, as `wanted`: score them, and ask again with all scores so far. `search` does
        /// so with `rerank: "walk"`. The walk then is as the preset was published, with its limits; `score` has the share
        /// of the directories, and `relevance`, for which `score_threshold` is, the model's own score.
        walk_scores: Value = Value::Null, answer, only "full", ts "Record<string, number | null> | null",
            unserved "null";
        /// Only contexts that pass this filter, such as `{"op":"must","field":"tags","conds":["kind=guide"]}`; with an empty
        /// query all that pass, in the order of the tree or of `sort`. A malformed one fails with `INVALID_FILTER` and never
        /// widens the scope.
        filter: Value = Value::Null, answer, only "full", ts "Filter | Record<string, never> | null",
            flag "filter" "JSON";
        /// Only contexts that carry all of these tags, `key=value` (the first `=` ends the key) or single words; with an empty
        /// query all that do, in the order of the tree or of `sort`.
        tags: Vec<String> = Vec::new(), set, flag "tag" "TAG";
        /// Only these types: `memory`, `resource` or `skill`; several in one text with commas.
        context_type: OneOrMany<String> = OneOrMany::default(), answer, only "full", flag "type" "TYPE";
        /// Only contexts whose time is not before this: `2h`, `7d`, `2026-03-11`, or an ISO 8601 instant.
        since: Option<String> = None, answer, only "full", flag "since" "TIME";
        /// Only contexts whose time is not after this.
        until: Option<String> = None, answer, only "full", flag "until" "TIME";
        /// The time that `since` and `until` are about.
        time_field: TimeField = TimeField::default(), answer, only "full", flag "created";
        /// The current user's id: what `viking://~` means, and whose memories may be seen. Not given: the whole
        /// bundle, without `~`.
        user: Option<String> = None, answer, only "full", flag "user" "ID";
        /// The peer that acts for the user: only that peer's memories and resources below `peers`. Without `user` for each
        /// user who has it, and nothing of the others is seen.
        actor_peer: Option<String> = None, answer, only "full", flag "peer" "ID";
        /// The other name of `actor_peer` in OpenViking's documents; if both are given, they must be the same.
        peer_id: Option<String> = None, answer, only "full", flag "peer-id" "ID";
        /// The other name of `limit` in OpenViking's documents; wins over it.
        node_limit: Option<usize> = None, answer, only "full";
        /// The caller's time in milliseconds since 1970 UTC, for `since`, `until` and `{calendar:…}`. Not given: in
        /// JavaScript and on the command line the clock's.
        now: Option<i64> = None, clock, only "full";
        /// Minutes that the caller's local time is ahead of UTC, for `{calendar:…}`. Not given: in JavaScript the
        /// clock's, else 0.
        utc_offset_minutes: i64 = 0, answer, only "full";
        /// Weight of the vector score in the mix: 0 keywords only, 1 vectors only; the bundle's own when it is not given.
        /// Between the two, a question of several words that the words do not decide has up to half as much again.
        alpha: Option<f32> = None, answer, flag "alpha" "0..1", unserved "null";
        /// A query vector made elsewhere, in the bundle's own space; the words' vectors are then not used.
        vector: Option<Vec<f32>> = None, answer, ts "number[] | Float32Array | null";
        /// Weight of the entity graph in the mix: 0 leaves the graph out, 1 leaves only what it found; 0 when it is not
        /// given.
        graph: Option<f32> = None, answer, only "full", flag "graph" "0..1", unserved "null, 0";
        /// Weight of hotness in the score, in [0, 1]: how often (`active_count`) and how lately (`updated_at`) a context was
        /// used, halved in seven days. 0 leaves it out; a page without a time is cold.
        hotness_weight: f32 = 0.0, answer, only "full", flag "hotness" "0..1", unserved "0";
        /// Onyx's choices: scoring profiles, several queries, recency, votes, context, such as `{"scoring":"two_field"}`,
        /// `{"alpha":"auto"}`, `{"recency":0.5}`, `{"votes":[{"tag":"kind=guide","votes":3}]}` or `{"context":true}`; see
        /// docs/HYBRID.md. Knarr's own ranking when it is not given.
        hybrid: Value = Value::Null, answer, only "full", ts "HybridOptions | null", flag "hybrid" "JSON",
            unserved "null";
        /// Order results by this field instead of their score: a key of tags `key=value` (`data-knarr-sort` and others), or
        /// `updated_at` or `created_at`, with `-` before it for the largest first. Results are then the pages that have
        /// all of the query's words and the field. Values are compared as numbers where all of the site's are numbers, else
        /// as texts without regard to case. A field that no page has leaves the order by score, and `skipped` names those
        /// that there are. With an empty query, all pages with the field that pass the filters.
        sort: Option<String> = None, answer, only "full", flag "sort" "KEY", unserved "null";
        /// Add how many pages have each value of these keys of tags `key=value`, as `facets`; `*` is all keys. Counted are
        /// the pages that have all of the query's words and pass the filters; with an empty query, all that pass, which are
        /// the results, too, unless `limit` is 0. A word on more than a fifth of a thousand pages or more is asked of no page,
        /// and `skipped` says so.
        facets: Vec<String> = Vec::new(), answer, flag "facet" "KEY", unserved "";
        /// `directory`: add the directories of the results, as `groups`, in the order of each one's best result, with title,
        /// abstract and the URIs of its results. Fetches the directories' branches.
        group: Group = Group::default(), answer, report "group" "BY", unserved "\"none\"";
        /// Add sentences of a page that answer the question, as `answer`: up to three, verbatim, with their link, where the
        /// chance that they are right is above `answer_threshold`. Only to questions in English: what something is, and
        /// who, when, where, which, why or how many in five words with a meaning or more.
        answer: bool = false, answer, only "full", flag "answer", unserved "false";
        /// The chance from which an answer is shown, in [0, 1].
        answer_threshold: f32 = 0.9, answer, only "full", flag "answer-threshold" "0..1", unserved "";
        /// Add to each result how its score came about, as `explain`.
        explain: bool = false, answer, only "full", report "explain", unserved "false";
        /// Add how the answer came about, as `trace`: the candidates, and the steps of a walk.
        trace: bool = false, answer, only "full", report "trace", unserved "false";
        /// Add what was done, in numbers, as `telemetry`; also written `{"summary": true}`.
        telemetry: Summary = Summary(false), answer, only "full", ts "boolean | { summary?: boolean | undefined }",
            js "summary", report "telemetry";
        /// Add where was searched, what was found and how far a walk went, as `provenance`.
        include_provenance: bool = false, answer, only "full", report "provenance", unserved "false";
        /// Add to each result what it links to and pages like it, at most five contexts, as `relations`; costs the bytes of
        /// the links. They may lie outside of the targets, types and times asked for, but never outside of what `user`,
        /// `actor_peer`, `filter`, `tags` and `hybrid.access` leave.
        relations: bool = false, answer, only "full", report "relations";
        /// Languages wanted, most preferred first, as BCP 47 tags: `pt` and `pt-BR` are one, `*` is all; the site's own when
        /// none is given. Others are found where these have no answer, and `skipped` says so.
        lang: OneOrMany<String> = OneOrMany::default(), answer, flag "lang" "TAG", unserved "\"*\"";
        /// Versions of the documented product wanted, as the site writes them, `*` for all; the newest stable one when
        /// none is given.
        version: OneOrMany<String> = OneOrMany::default(), answer, flag "docs-version" "VERSION",
            unserved "\"*\"";
        /// Treat the last word as unfinished and complete it.
        prefix: bool = true, answer, flag "no-prefix";
        /// Fetch the texts of the results and cut excerpts and sections out of them. Among the first ten, those in which the
        /// question's words stand side by side come sooner; without texts the order is the index's alone.
        excerpts: bool = true, answer, report "no-excerpts";
        /// Only what an agent reads: no highlights, no abstract beside an excerpt, and no excerpt twice. On the command line
        /// `results` on one line, without what is empty.
        lean: bool = false, answer, only "full", report "lean", unserved "false";
        /// Letters of an excerpt, about: two lines of a list. Wide ones, as in Chinese, count as two.
        excerpt_length: usize = 180, answer, report "excerpt-length" "N";
    }

    /// Options of `grep` (spec: OpenViking §2.7).
    pub struct GrepOptions {
        /// Ignore case.
        case_insensitive: bool = false, answer;
        /// Stop after this many matching lines; with `output: "files"` after this many files.
        node_limit: usize = 256, answer;
        /// Leave out so many lines or files before the first: with the `count` of an answer that is `truncated`, those
        /// that follow it.
        offset: usize = 0, answer, only "full";
        /// `lines`, or `files` for a list of the files with a match, each with the number of its matching lines.
        output: GrepOutput = GrepOutput::default(), answer, only "full";
        /// Cut lines longer than this to so many characters around their match; 0 cuts none. A paragraph is one line.
        line_length: usize = 0, answer, only "full";
        /// Maximum depth of a file below the URI.
        level_limit: usize = 10, answer;
        /// Leave out this URI and everything below it (whole segments).
        exclude_uri: Option<String> = None, answer;
    }

    /// Options of `glob` (spec: OpenViking §2.8).
    pub struct GlobOptions {
        /// Stop after this many matches.
        node_limit: usize = 256, answer;
        /// Leave out so many before the first, for those that follow.
        offset: usize = 0, answer;
    }

    /// Options of `read`: a range of lines.
    pub struct ReadOptions {
        /// First line, counted from 0.
        offset: usize = 0, answer;
        /// First line, counted from 1, as `grep` gives it; wins over `offset`.
        line: Option<usize> = None, answer, only "full";
        /// Number of lines; -1 to the end.
        limit: i64 = -1, answer;
        /// A memory as it is stored, with the comment of its fields at the end.
        raw: bool = false, answer, only "full";
    }

    /// Options of `relations`.
    pub struct RelationOptions {
        /// Number of relations at most: links first, with room for two similar pages. Each costs about 5 kB of download.
        limit: usize = 1000, answer;
    }

    /// Options of `entities`.
    pub struct EntityOptions {
        /// Only entities that have this in a name, whole names first; case, accents, spaces and punctuation make no
        /// difference.
        query: Option<String> = None, answer;
        /// Only entities of this type, such as `PERSON`.
        entity_type: Option<String> = None, answer;
        /// Number of entities at most.
        limit: usize = 100, answer;
        /// Leave out so many before the first, for later pages.
        offset: usize = 0, answer;
    }

    /// Options of `ls` and `tree` (spec: OpenViking §5.2).
    pub struct ListOptions {
        /// Cut abstracts to this many characters; 0 leaves them out.
        abs_limit: usize = 256, answer;
        /// Stop after this many rows.
        node_limit: usize = 1000, answer;
        /// Leave out so many rows before the first, for those that follow.
        offset: usize = 0, answer, only "full";
        /// `tree` only: how many levels deep.
        level_limit: usize = 3, answer;
        /// `ls` only: everything below, not only the children.
        recursive: bool = false, answer;
        /// Hidden files and the sidecars, too.
        show_all_hidden: bool = false, answer, only "full";
        /// The key by which the rows of each directory are ordered, directories before files.
        sort_by: SortBy = SortBy::default(), answer, only "full";
        /// The direction of that order.
        sort_order: SortOrder = SortOrder::default(), answer, only "full";
    }
}
