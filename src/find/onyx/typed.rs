//! The option `hybrid` as Rust values. They become the object that [`super::options`] reads and proves.

use super::two_field::Profile;
use crate::base::value::Value;

/// Onyx's choices for one question. Nothing is on by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HybridOptions {
    fields: Vec<(String, Value)>,
    votes: Vec<Value>,
}

impl HybridOptions {
    /// No choice: Knarr's own ranking.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets any field of docs/HYBRID.md; a later value replaces an earlier one.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.retain(|(known, _)| known != name);
        self.fields.push((name.to_owned(), value.into()));
        self
    }

    /// Scores by four features of every candidate instead of two lists.
    #[must_use]
    pub fn two_field(self, profile: Profile) -> Self {
        let profile = match profile {
            Profile::Semantic => "semantic",
            Profile::Keyword => "keyword",
            Profile::Admin => "admin",
        };
        self.set("scoring", "two_field").set("profile", profile)
    }

    /// Gives titles vectors of their own, made from their words', in [`Self::two_field`]. Reads the titles of 50 candidates.
    #[must_use]
    pub fn title_vectors(self) -> Self {
        self.set("title_vectors", true)
    }

    /// Reads periods (`last week`) and kinds of source (`in slack`) in the question as filters. Needs
    /// [`FindOptions::now`](crate::FindOptions::now).
    #[must_use]
    pub fn guess(self) -> Self {
        self.set("guess", true)
    }

    /// Works the weight of the vectors out from the query.
    #[must_use]
    pub fn auto_alpha(self) -> Self {
        self.set("alpha", "auto")
    }

    /// Ranks keywords by words and phrases of title and content. Reads the texts of 30 candidates.
    #[must_use]
    pub fn keyword_parts(self) -> Self {
        self.set("keyword", "parts")
    }

    /// Searches for more queries of the same meaning, and joins the lists.
    #[must_use]
    pub fn semantic_queries<T: Into<Value>>(self, queries: impl IntoIterator<Item = T>) -> Self {
        let queries = Value::List(queries.into_iter().map(Into::into).collect());
        self.set("expansions", Value::map([("semantic", queries)]))
    }

    /// Multiplies scores by age: `decay` is the loss per year, `floor` the smallest factor. Needs
    /// [`FindOptions::now`](crate::FindOptions::now).
    #[must_use]
    pub fn recency(self, decay: f64, floor: f64) -> Self {
        let numbers = [("decay", decay.into()), ("floor", floor.into())];
        self.set("recency", Value::map(numbers))
    }

    /// Votes for contexts with a tag; 3 votes multiply a score by 1.46, negative ones lower it.
    #[must_use]
    pub fn vote_for_tag(self, tag: &str, votes: f64) -> Self {
        self.vote("tag", tag, votes)
    }

    /// Votes for a file, or for everything below a directory.
    #[must_use]
    pub fn vote_for_uri(self, uri: &str, votes: f64) -> Self {
        self.vote("uri", uri, votes)
    }

    fn vote(mut self, kind: &str, target: &str, votes: f64) -> Self {
        let rule = [(kind, target.into()), ("votes", votes.into())];
        self.votes.push(Value::map(rule));
        self
    }

    /// Lowers files of at most ten words, down to 0.7.
    #[must_use]
    pub fn small_chunks(self) -> Self {
        self.set("small_chunks", true)
    }

    /// Returns found sections with so many sections before and after them.
    #[must_use]
    pub fn context(self, above: u32, below: u32) -> Self {
        let numbers = [("above", above.into()), ("below", below.into())];
        self.set("context", Value::map(numbers))
    }
}

impl From<HybridOptions> for Value {
    fn from(mut options: HybridOptions) -> Self {
        let votes = std::mem::take(&mut options.votes);
        match votes.is_empty() {
            true => Self::Map(options.fields),
            false => Self::Map(options.set("votes", Self::List(votes)).fields),
        }
    }
}
