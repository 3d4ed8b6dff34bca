//! Onyx's choices for one question, read from the option `hybrid`: profiles, alpha, several queries, factors, context.
//!
//! Nothing here is on by default: an absent field leaves Knarr's own ranking as it is. Source: spec/onyx.md §2–§6.

use super::alpha::{Feedback, QueryType, alpha_for, title_ratio};
use super::boosts::{BoostRule, RECENCY_DECAY, RECENCY_FLOOR};
use super::expansion::{Expansions, SubQuery, plan_conversation, plan_page};
use super::guess::Clock;
use crate::base::error::{Error, ErrorKind, Result};
use crate::bundle::{fold_tag, fold_value};
use crate::find::ask::fields::{Fields, number};
use crate::find::ask::filter::Value;
use crate::find::ask::options::FindOptions;
use crate::find::ask::question::Question;
use crate::find::minirag::Given;
use crate::find::onyx::two_field::{Profile, TITLE_RATIO};
use crate::find::onyx::visibility;
use crate::find::onyx::windows::TOKEN_BUDGET;
use crate::find::rank::fuse::{RRF_K, RRF_K_COMPAT};

/// Formula for the scores of one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scoring {
    /// Keyword list and vector list, normalised and mixed (spec §2.2).
    #[default]
    Lists,
    /// Four features of every candidate, each normalised over all of them (spec §2.1).
    TwoField,
}

/// Source of the keyword list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keyword {
    /// Knarr's own: BM25 over fields, best section, exact title.
    #[default]
    Own,
    /// Words and phrases of title and content (spec §2.2, "keyword query"). Reads the texts of the first candidates.
    Parts,
}

/// The share of the title in [`Scoring::TwoField`].
#[derive(Debug, Clone, PartialEq)]
pub enum TitleShare {
    /// One for all.
    Fixed(f64),
    /// By this kind of source, and each document's lengths.
    Source(String),
    /// By each document's own kind of source, its tag `source=…`, and its lengths.
    OfDocument,
}

impl TitleShare {
    /// The share of a document of which nothing is known.
    pub fn usual(&self) -> f64 {
        match self {
            Self::Fixed(ratio) => *ratio,
            Self::Source(source) => title_ratio(source, None, None),
            Self::OfDocument => title_ratio("", None, None),
        }
    }
}

/// Rule that merges the lists of several queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Merge {
    /// Weighted reciprocal ranks with this constant.
    Rrf(f64),
    /// The best score of each context.
    Best,
}

/// Age as a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recency {
    /// Loss per year: 0 none.
    pub decay: f64,
    /// Lower bound of the factor.
    pub floor: f64,
    /// The caller's time, seconds since 1970 UTC.
    pub now: i64,
}

/// Votes for documents.
#[derive(Debug, Clone, PartialEq)]
pub enum Votes {
    /// For all that carry a tag.
    Tag(BoostRule),
    /// For a file, or everything below a directory.
    Uri(String, f64),
}

/// Text around what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Sections before.
    pub above: u32,
    /// Sections after.
    pub below: u32,
    /// Estimated tokens of all passages together.
    pub token_budget: usize,
}

/// Filters that may be guessed from the words of a question, as far as the caller does not set them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    /// The period, by the caller's clock.
    pub period: Option<Clock>,
    /// The kinds of source.
    pub sources: bool,
}

/// A filter by facts that documents carry as tags, with the folders it names.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// The documents that the view shows; its `nodes` are positions in `folders`.
    pub filter: visibility::Visibility,
    /// URIs of folders.
    pub folders: Vec<String>,
    /// The caller's time, seconds since 1970 UTC.
    pub now: i64,
}

/// The option, read and proved.
#[derive(Debug, Clone, PartialEq)]
pub struct Hybrid {
    /// Formula for the scores.
    pub scoring: Scoring,
    /// Weights, and the list that fills the window of [`Scoring::TwoField`] first.
    pub profile: Profile,
    /// Weight of vectors when the option decides it: a profile's, or worked out from the query.
    pub alpha: Option<f32>,
    /// Share of the title in [`Scoring::TwoField`].
    pub title_share: TitleShare,
    /// Titles have vectors of their own in [`Scoring::TwoField`], made from their words'.
    pub title_vectors: bool,
    /// Source of the keyword list.
    pub keyword: Keyword,
    /// The queries to run; one without expansions.
    pub queries: Vec<SubQuery>,
    /// Rule that merges their lists.
    pub merge: Merge,
    /// Age as a factor; `None`: age does not matter.
    pub recency: Option<Recency>,
    /// Votes by tag and by URI.
    pub votes: Vec<Votes>,
    /// Files of a few words count less.
    pub small_chunks: bool,
    /// Text around what was found.
    pub context: Option<Window>,
    /// Documents that may be seen.
    pub access: Option<Access>,
    /// Filters that the question says in passing.
    pub guess: Option<Guess>,
    /// The graph votes as the published program does, quirks included.
    pub graph_as_is: bool,
    /// Subjects and types of answers for the graph, by the caller.
    pub given: Given,
    /// Entities and passages as one text.
    pub graph_context: bool,
}

impl Hybrid {
    /// Reads the option `hybrid` of a question. Errors: `INVALID_ARGUMENT` naming the field.
    pub fn read(question: &Question, options: &FindOptions) -> Result<Self> {
        let mut fields = Fields::of("hybrid", &options.hybrid)?;
        let scoring = [("lists", Scoring::Lists), ("two_field", Scoring::TwoField)];
        let profiles = [
            ("semantic", Profile::Semantic),
            ("keyword", Profile::Keyword),
            ("admin", Profile::Admin),
        ];
        let keyword = [("own", Keyword::Own), ("parts", Keyword::Parts)];
        let scoring = fields.one_of("scoring", &scoring)?.unwrap_or_default();
        let keyword = fields.one_of("keyword", &keyword)?.unwrap_or_default();
        let profile = fields.one_of("profile", &profiles)?;
        let is_auto = fields.one_of("alpha", &[("auto", ())])?.is_some();
        let types = ["factual", "conceptual", "navigational", "informational"];
        let types = types.map(|name| (name, QueryType::parse(name)));
        let query_type = fields.one_of("query_type", &types)?.flatten();
        let feedback = feedback(fields.value("feedback"))?;
        let alpha = match (options.alpha, profile) {
            (Some(_), _) => None,
            (None, _) if is_auto => Some(alpha_for(question, query_type, feedback) as f32),
            (None, Some(profile)) => Some(profile.alpha() as f32),
            (None, None) if scoring == Scoring::TwoField => Some(Profile::Semantic.alpha() as f32),
            (None, None) => None,
        };
        let title_share = match fields.value("title_ratio") {
            Some(Value::Text(source)) if source == "auto" => TitleShare::OfDocument,
            Some(Value::Text(source)) => TitleShare::Source(source.clone()),
            _ => TitleShare::Fixed(fields.share("title_ratio")?.unwrap_or(TITLE_RATIO)),
        };
        let (queries, merge) = expansions(&question.text, fields.value("expansions"))?;
        let now = options.now.map(|now| now.div_euclid(1000));
        let access = read_access(fields.value("access"), now)?;
        let guess = guess(fields.value("guess"), options, now, access.as_ref())?;
        let graph_context = fields.flag("graph_context")?;
        let hybrid = Self {
            scoring,
            keyword,
            alpha,
            title_share,
            title_vectors: fields.flag("title_vectors")?,
            profile: profile.unwrap_or_else(|| {
                let alpha = options.alpha.or(alpha).unwrap_or(0.5);
                Profile::for_alpha(f64::from(alpha))
            }),
            queries,
            merge,
            recency: recency(fields.value("recency"), now)?,
            votes: votes(fields.value("votes"))?,
            small_chunks: fields.flag("small_chunks")?,
            context: context(fields.value("context"), graph_context)?,
            graph_context,
            access,
            guess,
            given: given(&mut fields)?,
            graph_as_is: graph_rules(&mut fields)?,
        };
        fields.finish()?;
        Ok(hybrid)
    }

    /// Tells whether any factor multiplies the scores.
    pub fn has_factors(&self) -> bool {
        self.recency.is_some() || !self.votes.is_empty() || self.small_chunks
    }
}

fn graph_rules(fields: &mut Fields<'_>) -> Result<bool> {
    let is_as_is = fields.one_of("graph_rules", &[("quality", false), ("as_is", true)])?;
    Ok(is_as_is.unwrap_or_default())
}

fn given(fields: &mut Fields<'_>) -> Result<Given> {
    Ok(Given {
        entities: fields.texts("graph_entities")?,
        answer_types: fields.texts("answer_types")?,
    })
}

fn feedback(value: Option<&Value>) -> Result<Feedback> {
    let Some(value) = value else {
        return Ok(Feedback::default());
    };
    let mut fields = Fields::of("hybrid.feedback", value)?;
    let feedback = Feedback {
        vector_only: fields.count("vector_only")?.unwrap_or(0),
        keyword_only: fields.count("keyword_only")?.unwrap_or(0),
    };
    fields.finish()?;
    Ok(feedback)
}

/// The queries to run and how to join them.
fn expansions(query: &str, value: Option<&Value>) -> Result<(Vec<SubQuery>, Merge)> {
    let none = Value::Null;
    let mut fields = Fields::of("hybrid.expansions", value.unwrap_or(&none))?;
    let (semantic, keywords) = (fields.texts("semantic")?, fields.texts("keywords")?);
    let expansions = Expansions {
        rephrase: fields.text("rephrase")?,
        tool: fields.text("tool")?,
        semantic: &semantic,
        keywords: &keywords,
    };
    let is_page = fields
        .one_of("style", &[("page", true), ("conversation", false)])?
        .unwrap_or(true);
    let plan = if is_page {
        plan_page(query, &expansions)
    } else {
        plan_conversation(query, &expansions)
    };
    let k = fields.number("k", 1.0..=1e6, "a number from 1")?;
    let merges = [
        ("rrf", Merge::Rrf(k.unwrap_or(RRF_K))),
        ("rrf60", Merge::Rrf(RRF_K_COMPAT)),
        ("best", Merge::Best),
    ];
    let merge = fields.one_of("merge", &merges)?;
    fields.finish()?;
    Ok((plan, merge.unwrap_or(Merge::Rrf(k.unwrap_or(RRF_K)))))
}

fn recency(value: Option<&Value>, now: Option<i64>) -> Result<Option<Recency>> {
    let default = (RECENCY_DECAY, RECENCY_FLOOR);
    let (decay, floor) = match value {
        None | Some(Value::Bool(false)) => return Ok(None),
        Some(Value::Bool(true)) => default,
        Some(value) if number(value).is_some() => (
            number(value)
                .filter(|decay| *decay >= 0.0)
                .ok_or_else(|| invalid("hybrid.recency, a loss per year, must not be negative"))?,
            RECENCY_FLOOR,
        ),
        Some(value) => {
            let mut fields = Fields::of("hybrid.recency", value)?;
            let decay = fields.number("decay", 0.0..=1e6, "a number from 0")?;
            let decay = decay.unwrap_or(default.0);
            let floor = fields.share("floor")?.unwrap_or(default.1);
            fields.finish()?;
            (decay, floor)
        }
    };
    let now = now.ok_or_else(|| invalid("hybrid.recency needs the caller's time in `now`"))?;
    Ok(Some(Recency { decay, floor, now }))
}

fn votes(value: Option<&Value>) -> Result<Vec<Votes>> {
    let wrong = || invalid("hybrid.votes is not a list of {tag, votes} and {uri, votes}");
    let rules: &[Value] = match value {
        None => &[],
        Some(Value::List(rules)) => rules,
        Some(_) => return Err(wrong()),
    };
    let read = |rule: &Value| {
        let mut fields = Fields::of("hybrid.votes", rule)?;
        let tag = fields.text("tag")?;
        let uri = fields.text("uri")?;
        let votes = fields.number("votes", -1e9..=1e9, "a number")?;
        fields.finish()?;
        match (tag, uri, votes) {
            (Some(tag), None, Some(votes)) => Ok(Votes::Tag(BoostRule {
                tag: fold_tag(tag),
                votes,
            })),
            (None, Some(uri), Some(votes)) => {
                let uri = crate::base::uri::Uri::parse(uri)?;
                let uri = uri.without_fragment().trim_end_matches('/').to_owned();
                Ok(Votes::Uri(uri, votes))
            }
            _ => Err(wrong()),
        }
    };
    rules.iter().map(read).collect()
}

/// The passages wanted, or needed as the sources of a context for a model.
fn context(value: Option<&Value>, is_needed: bool) -> Result<Option<Window>> {
    let mut window = Window {
        above: 1,
        below: 1,
        token_budget: TOKEN_BUDGET,
    };
    let value = match value {
        None | Some(Value::Bool(_)) => {
            let is_wanted = is_needed || value == Some(&Value::Bool(true));
            return Ok(is_wanted.then_some(window));
        }
        Some(value) => value,
    };
    let mut fields = Fields::of("hybrid.context", value)?;
    window.above = fields.count("above")?.unwrap_or(window.above);
    window.below = fields.count("below")?.unwrap_or(window.below);
    if let Some(n) = fields.count("token_budget")? {
        window.token_budget = n as usize;
    }
    fields.finish()?;
    Ok(Some(window))
}

fn guess(
    value: Option<&Value>,
    options: &FindOptions,
    now: Option<i64>,
    access: Option<&Access>,
) -> Result<Option<Guess>> {
    let wrong = || invalid("hybrid.guess is not true, false or a list of \"time\" and \"source\"");
    let (mut period, mut sources) = (false, false);
    match value {
        None | Some(Value::Bool(false)) => return Ok(None),
        Some(Value::Bool(true)) => (period, sources) = (true, true),
        Some(Value::List(items)) => {
            for item in items {
                match item.as_text() {
                    Some("time") => period = true,
                    Some("source") => sources = true,
                    _ => return Err(wrong()),
                }
            }
        }
        Some(_) => return Err(wrong()),
    }
    let open = visibility::TimeRange::default();
    let has_period = access.is_some_and(|a| a.filter.updated != open || a.filter.created != open);
    let has_sources = access.is_some_and(|a| !a.filter.sources.is_empty());
    if period && now.is_none() {
        return Err(invalid("hybrid.guess needs the caller's time in `now`"));
    }
    let clock = now.map(|now| Clock {
        now,
        ahead: options.utc_offset_minutes.clamp(-1440, 1440) * 60,
    });
    let is_free = !has_period && options.since.is_none() && options.until.is_none();
    Ok(Some(Guess {
        period: clock.filter(|_| period && is_free),
        sources: sources && !has_sources,
    }))
}

fn read_access(value: Option<&Value>, now: Option<i64>) -> Result<Option<Access>> {
    let Some(value) = value else {
        return Ok(None);
    };
    let mut fields = Fields::of("hybrid.access", value)?;
    let folders = fields.texts("folders")?;
    // Documents carry these as tags, in the form that the builder gave them.
    let mut folded = |name, fold: fn(&str) -> String| -> Result<Vec<String>> {
        let texts = fields.texts(name)?;
        Ok(texts.iter().map(|text| fold(text)).collect())
    };
    let mut values = |name| folded(name, fold_value);
    let (asker, forced_sets, sources, sets) = (
        values("access")?,
        values("forced_sets")?,
        values("sources")?,
        values("sets")?,
    );
    let tags = folded("tags", fold_tag)?;
    let filter = visibility::Visibility {
        include_hidden: fields.flag("include_hidden")?,
        // An empty list is not the same as none: it sees public documents only.
        access: fields.value("access").map(|_| asker),
        forced_sets,
        sources,
        tags,
        sets,
        docs: fields.texts("docs")?,
        nodes: (0..folders.len() as u32).collect(),
        persona: fields.count("persona")?,
        project: fields.count("project")?,
        created: range(fields.value("created"))?,
        updated: range(fields.value("updated"))?,
        chunks: None,
    };
    fields.finish()?;
    if filter.updated != visibility::TimeRange::default() && now.is_none() {
        return Err(invalid(
            "hybrid.access.updated needs the caller's time in `now`",
        ));
    }
    Ok(Some(Access {
        filter,
        folders,
        now: now.unwrap_or(0),
    }))
}

/// `[start, end]` in seconds since 1970 UTC; null is open.
fn range(value: Option<&Value>) -> Result<visibility::TimeRange> {
    let wrong = || invalid("a time range of hybrid.access is not [start, end] in whole seconds");
    let side = |value: &Value| match value {
        Value::Null => Ok(None),
        Value::Int(seconds) => Ok(Some(*seconds)),
        _ => Err(wrong()),
    };
    match value {
        None => Ok(visibility::TimeRange::default()),
        Some(Value::List(sides)) if sides.len() == 2 => {
            Ok(visibility::TimeRange(side(&sides[0])?, side(&sides[1])?))
        }
        Some(_) => Err(wrong()),
    }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
