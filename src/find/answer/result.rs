//! What is answered: the documents' result shapes (spec: OpenViking §2.6–2.8, §5.2) with our additions.

#[cfg(feature = "full")]
use crate::find::onyx::two_field::TwoFieldRow;
#[cfg(feature = "full")]
use crate::find::walk::{Counts, Event};
use serde::Serialize;

/// Text with the places that matched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// Plain text; never markup.
    pub text: String,
    /// Half-open ranges in UTF-16 code units (what JavaScript strings count), ascending, not overlapping.
    pub highlights: Vec<[u32; 2]>,
}

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
    /// Where it matched.
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
    /// Relevance in [0, 1].
    pub score: f32,
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
    /// Where it matched.
    pub excerpt: Excerpt,
    /// Best sections of the file, best first; empty when the file has no headings or excerpts were not asked for.
    pub sections: Vec<SectionHit>,
    /// Found sections with their neighbors, best first, when they were asked for.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Passage>,
    /// What the result links to, at most five, when it was asked for.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<RelatedContext>,
    /// How the score came about, when it was asked for.
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
    /// The graph's vote, normalised; 0 when it was not asked.
    pub graph: f32,
    /// The mix times the factors, before a walk passes on what directories have.
    pub score: f32,
    /// What the score was multiplied by, when anything was asked for that multiplies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factors: Option<Factors>,
    /// Every value of the two-field formula, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_field: Option<TwoFieldRow>,
    /// Where the result stood in the list of each query, when there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<QueryRank>,
    /// What each word gives to the keyword score.
    pub words: Vec<WordScore>,
    /// How the graph leads here, strongest vote first.
    pub paths: Vec<PathReason>,
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

/// What a score was multiplied by; each is 1 without data.
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
    /// The query.
    pub query: String,
    /// Its weight.
    pub weight: f32,
    /// Place in its list, from 1.
    pub rank: u32,
    /// Score in its list.
    pub score: f32,
}

/// What a question did, in numbers (spec: OpenViking §2.6).
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

/// What one word of the question gives to a node's keyword score.
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
    /// Whether it stands in the title.
    pub title: bool,
    /// Whether it stands in a heading.
    pub heading: bool,
    /// Saturated frequency in the body.
    pub body: f32,
    /// What it adds.
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
    /// Entities on the walk whose type the question asks for.
    pub answers: u32,
    /// Relations on the walk that the question's best files show.
    pub votes: u32,
    /// What the vote adds.
    pub amount: f32,
}

/// The course of a question: what it was read as, what was looked at, and, of a walk, every step.
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
    /// How much it counts.
    pub importance: f32,
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

/// What the engine did not do, and why. Never silent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The step: `vector`, `graph`, `rerank`, `intent`, `word`, `lang`, `version`.
    pub step: String,
    /// Why, for people.
    pub reason: String,
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
    /// Number of contexts in the three lists.
    pub total: usize,
    /// Words of the query that were read as other words: `[typed, read as]`.
    pub corrections: Vec<[String; 2]>,
    /// Steps that were skipped.
    pub skipped: Vec<Skipped>,
    /// Weight of the vectors in the mix.
    #[cfg(feature = "full")]
    pub alpha: f32,
    /// What was done, when it was asked for.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telemetry: Option<VectorTelemetry>,
    /// The course of the question, when it was asked for.
    #[cfg(feature = "full")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// One matching line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepMatch {
    /// Line number, counted from 1.
    pub line: u32,
    /// The file.
    pub uri: String,
    /// The line.
    pub content: String,
}

/// The answer of `grep`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GrepResult {
    /// Matching lines, files in tree order.
    pub matches: Vec<GrepMatch>,
    /// Number of matches returned.
    pub count: usize,
    /// Number of matching lines seen.
    pub match_count: usize,
    /// Number of files read.
    pub files_scanned: usize,
}

/// The answer of `glob`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GlobResult {
    /// Matching URIs, ordered by path components.
    pub matches: Vec<String>,
    /// Number of matches returned.
    pub count: usize,
}

/// A row of `ls` or `tree`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The node.
    pub uri: String,
    /// Length of the content in bytes; 0 for directories.
    pub size: u64,
    /// Whether it is a directory.
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
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Number of indexed rows at and below it.
    pub count: usize,
    /// `memory`, `resource` or `skill`.
    #[serde(rename = "context_type")]
    pub context_type: &'static str,
    /// Title for people.
    pub title: String,
    /// Tags.
    pub tags: Vec<String>,
}

/// A related context and why it is related.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RelatedContext {
    /// The related node.
    pub uri: String,
    /// Why: for a link, its text.
    pub reason: String,
    /// L0 abstract of the related node.
    #[serde(rename = "abstract")]
    pub abstract_: String,
}
