//! The shapes of answers: those of the documents (spec: OpenViking §2.6–2.8, §5.2) with our additions.

use super::counts::Facet;
#[cfg(feature = "full")]
use crate::find::onyx::guess::Guessed;
#[cfg(feature = "full")]
use crate::find::onyx::two_field::TwoFieldRow;
#[cfg(feature = "full")]
use crate::find::walk::{Counts, Event};
use serde::Serialize;

pub use super::excerpt::Excerpt;
pub use super::lines::{GlobResult, GrepFile, GrepMatch, GrepResult};

/// A section of a found file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SectionHit {
    /// URI of the section: the file's URI, `#`, the anchor.
    pub uri: String,
    /// Heading.
    pub title: String,
    /// Fragment without `#`.
    pub anchor: String,
    /// Address for a browser, relative to the site's root, with the fragment.
    pub url: String,
    /// Relevance in [0, 1] within the page.
    pub score: f32,
    /// The matching text.
    pub excerpt: Excerpt,
}

/// The same page in another version, or translated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Also {
    /// BCP 47 tag; empty on a site of one language.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lang: String,
    /// Empty on a site of one version.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Address for a browser.
    pub url: String,
}

/// One found context. The first six fields are the documents'; the others are ours.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MatchedContext {
    /// `memory`, `resource` or `skill`.
    pub context_type: &'static str,
    /// `viking://` URI; directories carry the sidecar suffix of their level.
    pub uri: String,
    /// 0 abstract, 1 overview, 2 content.
    pub level: u8,
    /// Order within the answer, in [0, 1]: nothing can be told from it about another answer.
    pub score: f32,
    /// Relevance in [0, 1], comparable between questions and bundles; in a bundle with a model's vectors (1 + cosine) / 2.
    pub relevance: f32,
    /// True if the relevance is too low for an answer: the row is only near.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub weak: bool,
    /// L0 abstract (for level 1 the overview).
    #[serde(rename = "abstract")]
    pub abstract_: String,
    /// Tags `key=value` or bare words.
    pub tags: Vec<String>,
    /// Title for people.
    pub title: String,
    /// Address for a browser, relative to the site's root.
    pub url: String,
    /// BCP 47 tag of the page at `url`; empty on a site of one language.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub lang: String,
    /// Version that the page at `url` is about; empty on a site of one version.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Titles of the pages above it, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crumbs: Vec<String>,
    /// The same page in other versions, and found translations of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Also>,
    /// The matching text.
    pub excerpt: Excerpt,
    /// Pairs of the question's neighboring words that stand side by side in title and best sections, a bit each.
    #[serde(skip)]
    pub pairs: u32,
    /// Best sections of the file, best first; empty when the file has no headings or excerpts are off.
    pub sections: Vec<SectionHit>,
    /// Found sections with their neighbors, best first, on request.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Passage>,
    /// Contexts that the result links to and pages like it, at most five, on request.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<RelatedContext>,
    /// Explanation of the score, on request.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explanation>,
}

/// Every intermediate value of a result's score.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// Weight of the vector score in the mix.
    pub alpha: f32,
    /// Keyword score, normalised among the candidates.
    pub keyword: f32,
    /// Similarity, normalised among the candidates.
    pub vector: f32,
    /// The graph's vote, normalized; 0 without the graph.
    pub graph: f32,
    /// The mix times the factors, before a walk passes on what directories have.
    pub score: f32,
    /// Share of the question's neighboring words that stand side by side in the title and the best sections.
    pub near: f32,
    /// Weight of `near` in the row's score, a mix with what walk and hotness made of `score`; 0 where texts do not count.
    pub near_weight: f32,
    /// Share of the question's importance that the node holds, in [0, 1].
    pub share: f32,
    /// Its cosine; `None` when its vector was not looked at. With `share` the source of the relevance.
    pub cosine: Option<f32>,
    /// Share of the directory, where a walk mixed it in: `own_weight · own + (1 − own_weight) · directory_score`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation: Option<Propagation>,
    /// Use of the context, when the options weigh it: the final score is its mix with what the walk gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotness: Option<f32>,
    /// Factors of the score, when the options have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factors: Option<Factors>,
    /// Every value of the two-field formula, when it decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_field: Option<TwoFieldRow>,
    /// Rank of the result in the list of each query, when there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<QueryRank>,
    /// Contribution of each word to the keyword score.
    pub words: Vec<WordScore>,
    /// Walks of the graph that lead here, strongest vote first.
    pub paths: Vec<PathReason>,
}

/// Score propagation: what the directory that a row was found in adds to its score (spec: OpenViking §1.5).
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Propagation {
    /// URI of the directory.
    pub directory: String,
    /// Score that it was opened with.
    pub directory_score: f32,
    /// Score of the row itself: that of the explanation, or the caller's own (`walk_scores`).
    pub own: f32,
    /// Weight of the latter.
    pub own_weight: f32,
}

/// Found sections of a file with their neighbors, as one text.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Passage {
    /// Heading of the section that was found best.
    pub title: String,
    /// Its fragment without `#`.
    pub anchor: String,
    /// First and last section, counted from 0 in reading order.
    pub sections: [u32; 2],
    /// Headings and texts, one after the other.
    pub text: String,
}

/// Factors of a score; each is 1 without data.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Factors {
    /// By votes: 0.5 to 2.
    pub document_boost: f32,
    /// By age: the floor to 1.
    pub recency_bias: f32,
    /// By length: 0.7 to 1.
    pub chunk_boost: f32,
}

/// A result's place in the list of one of several queries.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QueryRank {
    /// Text that was searched for.
    pub query: String,
    /// Its weight.
    pub weight: f32,
    /// Place in its list, from 1.
    pub rank: u32,
    /// Score in its list.
    pub score: f32,
}

/// Work done for a question, in numbers (spec: OpenViking §2.6).
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct VectorTelemetry {
    /// Queries that were ranked.
    pub searches: usize,
    /// Candidates of their keyword and vector lists.
    pub scored: usize,
    /// Rows of their rankings.
    pub passed: usize,
    /// Results.
    pub returned: usize,
    /// Nodes in the scope.
    pub scanned: usize,
}

/// Contribution of one word of the question to a node's keyword score.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WordScore {
    /// The word, folded.
    pub word: String,
    /// The word of the site that it was read as.
    pub read_as: String,
    /// Weight of the word, and of reading it so.
    pub weight: f32,
    /// Inverse document frequency.
    pub idf: f32,
    /// True if the title contains it.
    pub title: bool,
    /// True if a heading contains it.
    pub heading: bool,
    /// Saturated frequency in the body.
    pub body: f32,
    /// Its part of the score.
    pub score: f32,
}

/// A vote of the entity graph.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathReason {
    /// The entity of the question that votes.
    pub entity: String,
    /// The walk from it that passes the result: names of entities.
    pub walk: Vec<String>,
    /// Entities on the walk of a type that the answer may have.
    pub answers: u32,
    /// Relations on the walk that the question's best files show.
    pub votes: u32,
    /// Score added by the vote.
    pub amount: f32,
}

/// The trace of a question: its words as read, the candidates, and every step of a walk.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trace {
    /// Weight of the vector score in the mix.
    pub alpha: f32,
    /// The words of the question.
    pub words: Vec<TracedWord>,
    /// The best candidates of the ranking, best first, at most 50.
    pub candidates: Vec<Candidate>,
    /// Steps of the walk (spec: OpenViking §2.6), without timestamps: the engine has no clock. Empty without a walk.
    pub events: Vec<Event<String>>,
    /// Totals of the walk.
    pub statistics: Counts,
}

/// A word of the question.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TracedWord {
    /// The word, folded.
    pub word: String,
    /// Words of the site that it may mean, surest first.
    pub read_as: Vec<String>,
    /// Its weight in the question.
    pub importance: f32,
}

/// Roots and results of one query (spec: OpenViking §2.6).
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Provenance {
    /// Text that was searched for.
    pub query: String,
    /// The directories that were searched: the targets, or the roots where none was named.
    pub searched_directories: Vec<String>,
    /// Results of this page, best first.
    pub matched_contexts: Vec<Matched>,
    /// The walk.
    pub thinking_trace: ThinkingTrace,
}

/// One context of a [`Provenance`].
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Matched {
    /// The context.
    pub uri: String,
    /// `L0`, `L1` or `L2`.
    pub tier: &'static str,
    /// `memory`, `resource` or `skill`.
    pub context_type: &'static str,
    /// Its score.
    pub score: f32,
    /// Kind of that score.
    pub match_reason: &'static str,
}

#[cfg(feature = "full")]
impl Matched {
    /// A result in short.
    pub(super) fn of(context: &MatchedContext) -> Self {
        Self {
            uri: context.uri.clone(),
            tier: ["L0", "L1", "L2"][usize::from(context.level.min(2))],
            context_type: context.context_type,
            score: context.score,
            match_reason: "score of the bundle's words and vectors",
        }
    }
}

/// The steps of a walk, with the option `trace`, and its totals.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ThinkingTrace {
    /// The steps; empty without the option, or without a walk.
    pub events: Vec<Event<String>>,
    /// Totals; zero without a walk.
    pub statistics: Counts,
}

/// A candidate with its score on each leg.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Candidate {
    /// The node.
    pub uri: String,
    /// Keyword score, normalised.
    pub keyword: f32,
    /// Similarity, normalised.
    pub vector: f32,
    /// The graph's vote, normalised.
    pub graph: f32,
    /// The mix.
    pub score: f32,
}

/// A step that the engine left out, and the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The step, by a name that stays: `words`, `vector`, `lang`, `version`, `exact_phrase` (no page that was read has the
    /// phrase; the results have its words), `phrase` (not all pages were read for it), `sort`, `facets`, `passages`,
    /// `graph`, `actor_peer` (nobody has that peer), `hybrid` and `walk` (options without effect beside the others),
    /// `intent`, `embedding`, `rerank`.
    pub step: String,
    /// Why, for people.
    pub reason: String,
}

/// Sentences of a page that answer the question.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Answer {
    /// One to three sentences, as the page has them.
    pub text: Excerpt,
    /// Title of the page.
    pub title: String,
    /// Heading of the section; empty where it has none.
    pub section: String,
    /// URI of the page or the section.
    pub uri: String,
    /// Its address for a browser, relative to the site's root.
    pub url: String,
    /// Chance to be right, in [0, 1].
    pub confidence: f32,
    /// The grounds of that estimate.
    pub evidence: Evidence,
}

/// The grounds of an answer, each in [0, 1] but for the last.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// Relevance of the page.
    pub relevance: f32,
    /// Share of the question's importance in the sentences.
    pub said: f32,
    /// The same with the title and the heading.
    pub about: f32,
    /// The lead of both over the best sentences of other pages.
    pub ahead: f32,
}

/// A directory with the results that lie in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DirectoryGroup {
    /// The directory. Results that are directories stand in their own group.
    pub uri: String,
    /// Title for people.
    pub title: String,
    /// L0 abstract of the directory.
    #[serde(rename = "abstract")]
    pub abstract_: String,
    /// URIs of its results, best first.
    pub results: Vec<String>,
}

/// The answer of `find`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FindResult {
    /// Contexts of type memory, best first.
    pub memories: Vec<MatchedContext>,
    /// Contexts of type resource, best first.
    pub resources: Vec<MatchedContext>,
    /// Contexts of type skill, best first.
    pub skills: Vec<MatchedContext>,
    /// Directories of the results, on request, in the order of each one's best result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<DirectoryGroup>,
    /// Sentences that answer the question, on request, if the evidence is clear.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// Counts of the values of tags, on request, by key.
    #[serde(
        serialize_with = "super::counts::told",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub facets: Vec<Facet>,
    /// In place of results, the rows that the caller has to score first (`walk_scores`).
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wanted: Vec<MatchedContext>,
    /// Number of contexts in the three lists.
    pub total: usize,
    /// True if nothing relevant was found: none of the ten first rows of the ranking is an answer, on whichever page.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub weak: bool,
    /// Words of the query that were read as other words: `[typed, read as]`.
    pub corrections: Vec<[String; 2]>,
    /// Steps that were skipped.
    pub skipped: Vec<Skipped>,
    /// Words and phrases, folded, whose pages the query left out (`-word`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<String>,
    /// Weight of the vectors in the mix.
    #[cfg(feature = "full")]
    pub alpha: f32,
    /// Filters that were read from the question, on request (`hybrid.guess`).
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guessed: Option<Guessed>,
    /// The question's entities and the passages of the results as two CSV blocks for a model, on request
    /// (`hybrid.graph_context`).
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_context: Option<String>,
    /// Work done, on request.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telemetry: Option<VectorTelemetry>,
    /// The trace of the question, on request.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// The query with its roots and results, on request; one entry, in a list as in the documents.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Vec<Provenance>>,
}

/// A row of `ls` or `tree`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The node.
    pub uri: String,
    /// Length of the content in bytes; 0 for directories.
    pub size: u64,
    /// True for a directory.
    pub is_dir: bool,
    /// ISO 8601 in UTC with milliseconds; empty when unknown.
    pub mod_time: String,
    /// L0 abstract, cut to `abs_limit`.
    #[serde(rename = "abstract")]
    pub abstract_: String,
    /// Path below the listed URI.
    #[serde(rename = "rel_path")]
    pub rel_path: String,
}

/// The answer of `stat`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stat {
    /// Last segment of the URI.
    pub name: String,
    /// Length of the content in bytes; 0 for directories.
    pub size: u64,
    /// ISO 8601 in UTC with milliseconds; empty when unknown.
    pub mod_time: String,
    /// True for a directory.
    pub is_dir: bool,
    /// Number of indexed rows at and below it.
    pub count: usize,
    /// `memory`, `resource` or `skill`.
    #[serde(rename = "context_type")]
    pub context_type: &'static str,
    /// Title for people.
    pub title: String,
    /// Tags of the node.
    pub tags: Vec<String>,
}

/// A related context and why it is related. The URI, reason and abstract are the documents'; the others are ours.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RelatedContext {
    /// The related node.
    pub uri: String,
    /// `link`, or `similar` for a page of similar content.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Why: the link's text; empty for a similar page.
    pub reason: String,
    /// Cosine of the two pages in [0, 1], to 1/255; similar pages only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f32>,
    /// Title for people.
    pub title: String,
    /// Address for a browser, relative to the site's root.
    pub url: String,
    /// L0 abstract of the related node.
    #[serde(rename = "abstract")]
    pub abstract_: String,
}

/// An entity of the graph. Names are the documents'.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct EntityRow {
    /// Name for people.
    pub name: String,
    /// `PERSON`, `ORGANIZATION`, `CODE`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of mentions.
    #[serde(rename = "mentions")]
    pub n_mentions: usize,
    /// Number of files that mention it.
    #[serde(rename = "files")]
    pub n_files: usize,
    /// Number of entities related to it.
    #[serde(rename = "neighbors")]
    pub n_neighbors: usize,
}

/// An entity related to another.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct NeighborRow {
    /// The entity whose neighbor it is: several may have the name that was asked for.
    pub of: String,
    /// Name for people.
    pub name: String,
    /// `PERSON`, `ORGANIZATION`, `CODE`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of times that the two were seen together.
    pub weight: f32,
    /// Files that show the relation, at most five.
    pub files: Vec<FileRow>,
}

/// A file that shows a relation.
#[cfg(feature = "full")]
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FileRow {
    pub uri: String,
    /// Title for people.
    pub title: String,
    /// Address for a browser, relative to the site's root.
    pub url: String,
}
