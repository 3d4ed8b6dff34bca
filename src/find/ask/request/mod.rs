//! A request as the engine works with it: every option read and proved before anything is searched.

#[cfg(feature = "full")]
pub(super) mod narrow;
/// The core's requests name full URIs and have no filters. The other options are refused: in the browser by their
/// reader, in Rust here. Left out in silence, a filter would widen the answer.
#[cfg(not(feature = "full"))]
mod narrow {
    use crate::base::error::Result;
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    use crate::base::error::{Error, ErrorKind};
    use crate::base::uri::Uri;
    use crate::bundle::Resident;
    use crate::bundle::place;
    use crate::bundle::place::Ranges;
    use crate::bundle::step::Step;
    use crate::find::ask::filter::normalize_tags;
    use crate::find::ask::options::FindOptions;
    use crate::find::ask::question::Question;
    use crate::find::ask::scope::Scope;
    use crate::find::ask::tagged::tagged;

    /// The tags that rows must carry.
    pub struct Narrow(Vec<String>);

    pub type Targets = Vec<Uri>;

    pub fn targets(options: &FindOptions) -> Result<Targets> {
        let named = options.target_uri.as_slice().iter();
        let named = named.filter(|t| !place::is_everything(t));
        named.map(|t| Uri::parse(t)).collect()
    }

    pub fn ranges(targets: &Targets, store: &Resident) -> Step<Ranges> {
        if targets.is_empty() {
            return Ok(place::everything(store));
        }
        place::scope(store, targets, true)
    }

    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub fn filter(options: &FindOptions) -> Result<Narrow> {
        match options.tags.is_empty() {
            true => Ok(Narrow(Vec::new())),
            false => normalize_tags(&options.tags).map(Narrow),
        }
    }

    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    pub fn filter(options: &FindOptions) -> Result<Narrow> {
        match options.beyond_core() {
            Some(name) => Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("option {name} needs the crate's feature `full`"),
            )),
            None => Ok(Narrow(normalize_tags(&options.tags)?)),
        }
    }

    pub struct Hybrid;

    pub fn alpha(_: &Hybrid) -> Option<f32> {
        None
    }

    pub fn hybrid(_: &Question, _: &FindOptions) -> Result<Hybrid> {
        Ok(Hybrid)
    }

    pub fn apply(
        Narrow(tags): &Narrow,
        _: &Hybrid,
        _: &Question,
        store: &Resident,
        scope: Scope,
        through: bool,
    ) -> Step<Scope> {
        if tags.is_empty() {
            return Ok(scope);
        }
        tagged(store, scope, tags, through)
    }
}

use super::filter::parse_levels;
use super::scope::Scope;
use crate::base::error::{Error, ErrorKind, Result};
#[cfg(feature = "full")]
use crate::base::uri::Uri;
use crate::bundle::step::Step;
use crate::bundle::{Head, Resident};
#[cfg(feature = "full")]
use crate::find::answer::result::Skipped;
#[cfg(feature = "full")]
use crate::find::ask::idle::idle;
use crate::find::ask::options::{FindOptions, Mode};
#[cfg(feature = "full")]
use crate::find::ask::order::Order;
use crate::find::ask::question::Question;
use crate::find::ask::tagged;
use crate::find::walk::Levels;

/// Validated options of a `find`.
pub struct Request {
    /// The query.
    pub question: Question,
    /// The options, each of which was proved.
    pub options: FindOptions,
    /// Results wanted.
    pub limit: usize,
    /// Results left out before them.
    pub offset: usize,
    /// Levels wanted.
    pub levels: Levels,
    /// Onyx's choices.
    pub hybrid: narrow::Hybrid,
    /// The field that orders results; `None`: their score does.
    #[cfg(feature = "full")]
    pub order: Option<Order>,
    /// The keys of tags whose values are counted.
    pub facets: Vec<String>,
    filter: narrow::Narrow,
    mode: Mode,
    targets: narrow::Targets,
}

/// True if the options alone say which pages are meant: all have the words of no question.
fn lists(options: &FindOptions) -> bool {
    #[cfg(feature = "full")]
    if options.sort.is_some() || options.filter != super::filter::Value::Null {
        return true;
    }
    !(options.tags.is_empty() && options.facets.is_empty())
}

impl Request {
    /// Reads the options.
    ///
    /// Errors: `INVALID_ARGUMENT`, `INVALID_FILTER`, `INVALID_URI`, `PERMISSION_DENIED`; the message names the option.
    pub fn read(query: &str, options: FindOptions) -> Result<Self> {
        let bad = |what: &str| Err(Error::new(ErrorKind::InvalidArgument, what));
        if query.trim().is_empty() && !lists(&options) {
            return bad("the query must not be empty without tags, filter, sort or facets");
        }
        if options.alpha.is_some_and(|a| !(0.0..=1.0).contains(&a)) {
            return bad("alpha must lie between 0 (keywords only) and 1 (vectors only)");
        }
        let threshold = options.score_threshold;
        if threshold.is_some_and(|t| !(0.0..=1.0).contains(&t)) {
            return bad("score_threshold must lie between 0 and 1");
        }
        #[cfg(feature = "full")]
        narrow::check_weights(&options)?;
        #[cfg(feature = "full")]
        narrow::check_walk(&options)?;
        let levels = parse_levels(&options.level);
        let is_named =
            matches!(&options.level, super::filter::Value::Text(text) if !text.trim().is_empty());
        if is_named && levels.is_none()
            || levels
                .iter()
                .flatten()
                .any(|level| !(0..=2).contains(level))
        {
            return bad("level is 0 (abstract), 1 (overview) or 2 (content)");
        }
        let question = Question::new(query);
        Ok(Self {
            limit: options.node_limit.unwrap_or(options.limit),
            offset: options.offset,
            levels: levels.map_or(Levels::FILES, |levels| Levels::of(&levels)),
            filter: narrow::filter(&options)?,
            hybrid: narrow::hybrid(&question, &options)?,
            #[cfg(feature = "full")]
            order: options.sort.as_deref().map(Order::parse).transpose()?,
            facets: match options.facets.is_empty() {
                true => Vec::new(),
                false => tagged::keys(&options.facets)?,
            },
            mode: options.mode,
            targets: narrow::targets(&options)?,
            question,
            options,
        })
    }

    /// True without a question: all pages that pass the filters are listed.
    pub fn is_open(&self) -> bool {
        let is_asked = self.options.vector.is_some() || !self.question.text.trim().is_empty();
        self.limit > 0 && !is_asked
    }

    /// Tells whether the query walks through directories. [`Mode::Auto`] does where every vector is looked at: it measures
    /// better there, and on large sites it changes nothing and doubles the work (docs/MEASUREMENTS.md).
    pub fn walks(&self, head: &Head) -> bool {
        match self.mode {
            Mode::Quick => false,
            Mode::Thinking => true,
            Mode::Auto => head.parameters.probes == 0 && head.parameters.dims > 0,
        }
    }

    /// True if directories are found, or lead to what is.
    pub fn sees_directories(&self, head: &Head) -> bool {
        self.walks(head) || self.levels != Levels::FILES
    }

    /// Weight of the vectors: the caller's, or the one that its other choices imply; `None`: the bundle's.
    pub fn alpha(&self, options: &FindOptions) -> Option<f32> {
        options.alpha.or_else(|| narrow::alpha(&self.hybrid))
    }

    /// The directories that are searched; the root when everything is.
    #[cfg(feature = "full")]
    pub fn roots(&self, head: &Head) -> Vec<String> {
        let roots = self.targets.roots(head);
        let roots = roots.unwrap_or_else(|| vec![Uri::root()]);
        roots.iter().map(Uri::to_string).collect()
    }

    /// Options without effect in a bundle.
    #[cfg(feature = "full")]
    pub fn notes(&self, head: &Head) -> Vec<Skipped> {
        let idle = idle(&self.options, self.walks(head));
        idle.into_iter().chain(self.targets.note(head)).collect()
    }

    /// The nodes that may be shown beside what is returned.
    #[cfg(feature = "full")]
    pub fn visible(&self, store: &Resident) -> Step<Scope> {
        let access = self.hybrid.access.as_ref();
        self.targets.visible(&self.options, access, store)
    }

    /// The nodes that may be returned.
    pub fn scope(&self, store: &Resident) -> Step<Scope> {
        let ranges = narrow::ranges(&self.targets, store)?;
        narrow::apply(
            &self.filter,
            &self.hybrid,
            &self.question,
            store,
            Scope::new(ranges),
            self.walks(store.head()),
        )
    }
}
