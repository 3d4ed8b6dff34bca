//! A request as the engine works with it: every option read and proved before anything is searched.

use super::filter::{Filter, compile, normalize_tags, parse_context_types, parse_levels};
use super::halt::Step;
use super::place;
use super::query::FindOptions;
use super::scope::Scope;
use super::targets::resolve_targets;
use super::time::Period;
use super::walk::Levels;
use crate::bundle::Store;
use crate::error::{Error, ErrorKind, Result};
use crate::uri::{Clock, Identity, Resolver, Uri};

/// Validated options of a `find`.
pub struct Request {
    /// Results wanted.
    pub limit: usize,
    /// Levels wanted.
    pub levels: Levels,
    filter: Option<Filter>,
    targets: Vec<Uri>,
    /// Whether the caller named the targets: then they must be there.
    named: bool,
}

impl Request {
    /// Reads the options.
    ///
    /// Errors: `INVALID_ARGUMENT`, `INVALID_FILTER`, `INVALID_URI`, `PERMISSION_DENIED`; the message names the option.
    pub fn read(query: &str, options: &FindOptions) -> Result<Self> {
        check(query, options)?;
        let identity = Identity::new(options.user.as_deref(), options.actor_peer.as_deref())?;
        let resolver = Resolver {
            identity: &identity,
            clock: Clock {
                now_unix: options.now.unwrap_or(0).div_euclid(1000),
                utc_offset_minutes: options.utc_offset_minutes.clamp(-1440, 1440) as i32,
            },
            lenient: false,
        };
        let named = options.target_uri.as_slice();
        let targets = resolve_targets(named.iter().map(String::as_str), &resolver)?;
        Ok(Self {
            limit: options.node_limit.unwrap_or(options.limit),
            levels: parse_levels(&options.level).map_or(Levels::FILES, |l| Levels::of(&l)),
            filter: filter(options)?,
            targets,
            named: named.iter().any(|t| !place::is_everything(t)),
        })
    }

    /// What may be returned.
    pub fn scope(&self, store: &Store) -> Step<Scope> {
        let ranges = if self.targets.is_empty() {
            place::everything(store)
        } else {
            place::scope(store, &self.targets, self.named)?
        };
        Scope::new(ranges).filtered(store, self.filter.as_ref())
    }
}

/// The caller's filter and the options that are filters; all must hold.
fn filter(options: &FindOptions) -> Result<Option<Filter>> {
    let types = options.context_type.as_slice();
    let types = parse_context_types(types.iter().map(String::as_str))?;
    let bounds = (options.since.as_deref(), options.until.as_deref());
    let period = match options.now {
        None if [bounds.0, bounds.1].into_iter().flatten().any(is_relative) => {
            let what = "since and until relative to now need the caller's time in `now`";
            return Err(Error::new(ErrorKind::InvalidArgument, what));
        }
        now => Period::parse(bounds.0, bounds.1, now.unwrap_or(0))?,
    };
    let all = [
        Filter::parse(&options.filter, Some(&compile))?,
        Filter::context_types(&types),
        Filter::period(options.time_field, period),
        Filter::tags(&normalize_tags(&options.tags)?),
    ];
    Ok(Filter::all(all.into_iter().flatten()))
}

/// `2h`: digits and a unit.
fn is_relative(bound: &str) -> bool {
    bound.trim().ends_with(['s', 'm', 'h', 'd', 'w'])
}

fn check(query: &str, options: &FindOptions) -> Result<()> {
    let bad = |what: &str| Err(Error::new(ErrorKind::InvalidArgument, what));
    if query.trim().is_empty() {
        return bad("the query must not be empty");
    }
    if options.alpha.is_some_and(|a| !(0.0..=1.0).contains(&a)) {
        return bad("alpha must lie between 0 (keywords only) and 1 (vectors only)");
    }
    if options.score_threshold.is_some_and(|t| !t.is_finite()) {
        return bad("score_threshold must be a finite number");
    }
    let levels = parse_levels(&options.level).unwrap_or_default();
    if levels.iter().any(|l| !(0..=2).contains(l)) {
        return bad("level is 0 (abstract), 1 (overview) or 2 (content)");
    }
    Ok(())
}
