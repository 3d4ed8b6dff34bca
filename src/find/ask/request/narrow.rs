//! Everything that narrows a request besides its limit: targets as the caller writes them, users and peers, filters, tags, times.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::uri::{Clock, ContextType, Identity, Resolver, Uri};
use crate::bundle::place;
use crate::bundle::place::Ranges;
use crate::bundle::step::Step;
use crate::bundle::{Head, Resident};
use crate::find::answer::result::Skipped;
use crate::find::ask::fields::number;
use crate::find::ask::filter::{Filter, Value, compile, normalize_tags, parse_context_types};
use crate::find::ask::narrowed::sources;
use crate::find::ask::options::{FindOptions, Mode};
use crate::find::ask::question::Question;
use crate::find::ask::scope::Scope;
use crate::find::ask::targets::resolve_targets;
use crate::find::ask::time::Period;
use crate::find::ask::view;
use crate::find::ask::words::Slot;
use crate::find::onyx::guess::{self, Guessed};
use crate::find::onyx::options::Access;
pub use crate::find::onyx::options::Hybrid;
use crate::find::onyx::visibility::Visibility;

/// The filter of a request, if it has one.
pub type Narrow = Option<Filter>;

/// Narrows a scope to what the filter and the access filter admit; a walk goes `through` directories that neither does.
pub fn apply(
    filter: &Narrow,
    hybrid: &Hybrid,
    question: &Question,
    store: &Resident,
    scope: Scope,
    through: bool,
) -> Step<Scope> {
    let access = hybrid.access.as_ref();
    let guessed = guessed(hybrid, question, store, &scope)?;
    if !guessed.is_empty() {
        let access = with_guess(access, &guessed, hybrid);
        let narrow = scope
            .clone()
            .filtered(store, filter.as_ref(), Some(&access), through)?;
        // A guess that leaves nothing was none.
        if narrow.has_file() {
            return Ok(Scope { guessed, ..narrow });
        }
    }
    if filter.is_none() && access.is_none() {
        return Ok(scope);
    }
    scope.filtered(store, filter.as_ref(), access, through)
}

/// The filters that the question says in passing, as far as the option lets them be guessed.
fn guessed(hybrid: &Hybrid, question: &Question, store: &Resident, scope: &Scope) -> Step<Guessed> {
    let mut guessed = Guessed::default();
    let Some(option) = &hybrid.guess else {
        return Ok(guessed);
    };
    if let Some(clock) = option.period {
        guess::period(&question.text, clock, &mut guessed);
    }
    if option.sources {
        let known = sources(store, &scope.ranges)?;
        guess::sources(&question.text, &known, &mut guessed);
    }
    Ok(guessed)
}

/// The access filter with what was guessed. Without one, hidden documents count as they did.
fn with_guess(access: Option<&Access>, guessed: &Guessed, hybrid: &Hybrid) -> Access {
    let mut access = access.cloned().unwrap_or_else(|| Access {
        filter: Visibility {
            include_hidden: true,
            ..Visibility::default()
        },
        folders: Vec::new(),
        now: 0,
    });
    let clock = hybrid.guess.and_then(|guess| guess.period);
    if let Some(clock) = clock.filter(|_| guessed.created.or(guessed.updated).is_some()) {
        (access.filter.created, access.filter.updated) = guess::as_filters(guessed);
        access.now = clock.now;
    }
    if !guessed.sources.is_empty() {
        access.filter.sources.clone_from(&guessed.sources);
    }
    access
}

/// The words of a question without those that were read as filters; all where no other is left.
pub fn without_guessed(scope: &Scope, question: &Question, slots: Vec<Slot>) -> Vec<Slot> {
    let is_filter = |span: (u32, u32)| {
        let mut spans = scope.guessed.spans.iter();
        spans.any(|&(from, to)| from <= span.0 && span.1 <= to)
    };
    let is_asked = |slot: &Slot| {
        let mut own = question
            .tokens
            .iter()
            .filter(|t| t.term == slot.term)
            .peekable();
        own.peek().is_none() || own.any(|t| !is_filter(t.span))
    };
    if scope.guessed.is_empty() || question.tokens.iter().all(|t| is_filter(t.span)) {
        return slots;
    }
    slots.into_iter().filter(is_asked).collect()
}

/// The weight of vectors that the option implies.
pub fn alpha(hybrid: &Hybrid) -> Option<f32> {
    hybrid.alpha
}

/// The option `hybrid`, read.
pub fn hybrid(question: &Question, options: &FindOptions) -> Result<Hybrid> {
    Hybrid::read(question, options)
}

/// The places where a request looks, and for whom.
pub struct Targets {
    asker: Identity,
    types: Vec<ContextType>,
    /// The parts of each target that is named.
    named: Vec<Vec<Uri>>,
}

impl Targets {
    /// The subtrees that are searched; `None`: the whole bundle.
    pub fn roots(&self, head: &Head) -> Option<Vec<Uri>> {
        match self.named.as_slice() {
            [] => view::roots(head, &self.asker, &self.types),
            named => Some(named.concat()),
        }
    }

    /// The nodes that may be shown beside results. Targets, types and times say where an answer is looked for; users,
    /// peers, filters and tags also what may be seen.
    pub fn visible(
        &self,
        options: &FindOptions,
        access: Option<&Access>,
        store: &Resident,
    ) -> Step<Scope> {
        let ranges = match view::visible(store, &self.asker)? {
            // What was asked for and not refused may be seen.
            Some(visible) => [visible, ranges(self, store)?].concat(),
            None => place::everything(store),
        };
        let (scope, filter) = (Scope::new(ranges), Filter::all(facts(options)?));
        if filter.is_none() && access.is_none() {
            return Ok(scope);
        }
        scope.filtered(store, filter.as_ref(), access, false)
    }

    /// A word about a peer that is not there.
    pub fn note(&self, head: &Head) -> Option<Skipped> {
        (!view::has_peer(head, &self.asker)).then(|| Skipped {
            step: "actor_peer".into(),
            reason: match self.asker.user() {
                Some(_) => {
                    "the user has no such peer: searched is what is the user's own, and shared"
                }
                None => "no user has this peer: searched is what all share",
            }
            .into(),
        })
    }
}

/// The nodes that are searched, before any filter.
pub fn ranges(targets: &Targets, store: &Resident) -> Step<Ranges> {
    if !targets.named.is_empty() {
        return view::named(store, &targets.asker, &targets.named);
    }
    match targets.roots(store.head()) {
        Some(roots) => place::scope(store, &roots, false),
        None => Ok(place::everything(store)),
    }
}

/// Reads the targets: aliases, variables and short forms worked out.
pub fn targets(options: &FindOptions) -> Result<Targets> {
    let asker = Identity::new(options.user.as_deref(), peer(options)?)?;
    let resolver = Resolver {
        identity: &asker,
        clock: Clock {
            now_unix: options.now.unwrap_or(0).div_euclid(1000),
            utc_offset_minutes: options.utc_offset_minutes.clamp(-1440, 1440) as i32,
        },
    };
    let named = options.target_uri.as_slice();
    let named = resolve_targets(named.iter().map(String::as_str), &resolver)?;
    Ok(Targets {
        types: types(options)?,
        named,
        asker,
    })
}

/// The acting peer, under either of its names.
fn peer(options: &FindOptions) -> Result<Option<&str>> {
    match (options.actor_peer.as_deref(), options.peer_id.as_deref()) {
        (Some(peer), Some(other)) if peer != other => {
            let what = "actor_peer and peer_id are two names of one option, and they differ";
            Err(Error::new(ErrorKind::InvalidArgument, what))
        }
        (peer, other) => Ok(peer.or(other)),
    }
}

/// The types of context wanted, empty for any.
fn types(options: &FindOptions) -> Result<Vec<ContextType>> {
    let types = options.context_type.as_slice();
    parse_context_types(types.iter().map(String::as_str))
}

/// Proves the weights of what the core does not look at. Errors: `INVALID_ARGUMENT`.
pub fn check_weights(options: &FindOptions) -> Result<()> {
    let bad = |what: &str| Err(Error::new(ErrorKind::InvalidArgument, what));
    if options
        .graph
        .is_some_and(|weight| !(0.0..=1.0).contains(&weight))
    {
        return bad("graph must lie between 0 (not asked) and 1 (nothing else)");
    }
    if !(0.0..=1.0).contains(&options.hotness_weight) {
        return bad("hotness_weight must lie between 0 (not looked at) and 1 (nothing else)");
    }
    if !(0.0..=1.0).contains(&options.answer_threshold) {
        return bad("answer_threshold must lie between 0 (every answer) and 1 (none)");
    }
    if options.hotness_weight > 0.0 && options.now.is_none() {
        return bad("hotness_weight needs the caller's time in `now`");
    }
    Ok(())
}

/// Proves the numbers of a walk.
pub fn check_walk(options: &FindOptions) -> Result<()> {
    let bad = |what: &str| Err(Error::new(ErrorKind::InvalidArgument, what));
    let alpha = options.score_propagation_alpha;
    if alpha.is_some_and(|a| !(0.0..=1.0).contains(&a)) {
        return bad(
            "score_propagation_alpha must lie between 0 (the directory alone) and 1 (the row alone)",
        );
    }
    if options.max_convergence_rounds == Some(0) {
        return bad("max_convergence_rounds must be at least 1");
    }
    let is_score = |score: &Value| {
        *score == Value::Null || number(score).is_some_and(|score| (0.0..=1.0).contains(&score))
    };
    match &options.walk_scores {
        Value::Null => Ok(()),
        Value::Map(_) if options.mode != Mode::Thinking => {
            bad("walk_scores (rerank: \"walk\") needs mode \"thinking\"")
        }
        Value::Map(scores) if scores.iter().all(|(_, score)| is_score(score)) => Ok(()),
        _ => bad("walk_scores is not an object of numbers from 0 to 1, or null, by URI"),
    }
}

/// The caller's filter and the options that are filters; all must hold.
pub fn filter(options: &FindOptions) -> Result<Narrow> {
    let types = types(options)?;
    let bounds = [options.since.as_deref(), options.until.as_deref()];
    if options.now.is_none() && bounds.into_iter().flatten().any(is_relative) {
        let what = "since and until relative to now need the caller's time in `now`";
        return Err(Error::new(ErrorKind::InvalidArgument, what));
    }
    let period = Period::parse(bounds[0], bounds[1], options.now.unwrap_or(0))?;
    let all = [
        Filter::context_types(&types),
        Filter::period(options.time_field, period),
    ];
    Ok(Filter::all(
        facts(options)?.into_iter().chain(all.into_iter().flatten()),
    ))
}

/// The filter and the tags.
fn facts(options: &FindOptions) -> Result<Vec<Filter>> {
    let all = [
        Filter::parse(&options.filter, Some(&compile))?,
        Filter::tags(&normalize_tags(&options.tags)?),
    ];
    Ok(all.into_iter().flatten().collect())
}

/// `2h`: ends with a unit.
fn is_relative(bound: &str) -> bool {
    bound.trim().ends_with(['s', 'm', 'h', 'd', 'w'])
}
