//! THINKING over a bundle: the walk's view of the tree, scored by hybrid relevance.

use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::Step;
use crate::bundle::{Directory, Resident};
use crate::find::ask::asked::{Asked, Inputs};
#[cfg(feature = "full")]
use crate::find::ask::filter::Value;
use crate::find::ask::options::{FindOptions, Mode, Preset};
use crate::find::ask::scope::Scope;
use crate::find::rank::mix::Mixed;
use crate::find::walk;
#[cfg(feature = "full")]
use crate::find::walk::{Counts, Event};
use crate::find::walk::{Found, Hit, Levels, Row, Space, WalkOptions};
use std::cmp::Ordering;

/// The tree as the walk sees it for one question. Everything it needs was loaded when the question was ranked, so a
/// walk costs no further fetch: nodes that the ranking did not look at score 0.
struct Scored<'s> {
    store: &'s Resident,
    scope: &'s Scope,
    scores: Vec<f32>,
    ranked: &'s [Mixed],
}

impl Scored<'_> {
    fn rows_of(&self, node: NodeId) -> impl Iterator<Item = Row> {
        let levels: &[u8] = if self.store.head().directory_at(node).is_some() {
            &[0, 1]
        } else {
            &[2]
        };
        let score = self.scores[node.index()];
        levels.iter().map(move |&level| Row {
            node,
            level,
            score,
            hotness: 0.0,
            admitted: self.scope.admits(node, level),
        })
    }
}

impl Space for Scored<'_> {
    type Part = ();

    fn global(&self, levels: Levels, limit: usize) -> Result<Vec<Row>, Vec<()>> {
        let rows = self
            .ranked
            .iter()
            .flat_map(|r| self.rows_of(r.node))
            // A directory that may not be returned still leads to what may.
            .filter(|r| levels.contains(r.level) && (r.admitted || r.level < 2));
        Ok(rows.take(limit).collect())
    }

    fn children(&self, directory: NodeId, limit: usize) -> Result<Vec<Row>, Vec<()>> {
        let Some(d) = self.store.head().directory_at(directory) else {
            return Ok(Vec::new());
        };
        let d = &self.store.head().directories[d];
        let nodes = std::iter::once(directory)
            .chain((d.first_child..d.first_child + d.n_children).map(NodeId));
        let mut rows: Vec<Row> = nodes
            .flat_map(|n| self.rows_of(n))
            .filter(|r| r.score > 0.0)
            .collect();
        order::sort_by(&mut rows, |a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.node.cmp(&b.node))
                .then(a.level.cmp(&b.level))
        });
        rows.truncate(limit);
        Ok(rows)
    }

    fn cmp_uri(&self, a: NodeId, b: NodeId) -> Ordering {
        a.cmp(&b)
    }
}

/// True if this module records traces. A constant, so that the core does not carry the code for them.
const TRACES: bool = cfg!(feature = "full");

/// Weight of a row's own score against its directory's when nobody chose the walk. Fitted on one half of the queries.
const OWN_WEIGHT: f32 = 0.65;

/// Best candidates that have to stand still before a walk ends, when nobody chose the walk: the results of a usual page.
const WINDOW: usize = 10;

/// The rows that a question reaches.
pub struct Walked {
    /// The rows, best first.
    pub hits: Vec<Hit>,
    /// The rows that the caller has to score before there are any.
    #[cfg(feature = "full")]
    pub wanted: Vec<Hit>,
    /// The trace of the walk; empty without a walk, or without the option.
    #[cfg(feature = "full")]
    pub trace: Vec<Event<NodeId>>,
    /// Totals of the walk.
    #[cfg(feature = "full")]
    pub counts: Counts,
    /// Weight of a row's own score in the walk, against its directory's.
    #[cfg(feature = "full")]
    pub own_weight: f32,
    /// The caller's own scores of hits, by node, where it gave any.
    #[cfg(feature = "full")]
    given: Vec<(NodeId, f32)>,
}

impl Walked {
    /// Rows without a walk.
    pub fn of(hits: Vec<Hit>) -> Self {
        Self {
            hits,
            #[cfg(feature = "full")]
            wanted: Vec::new(),
            #[cfg(feature = "full")]
            trace: Vec::new(),
            #[cfg(feature = "full")]
            counts: Counts::default(),
            #[cfg(feature = "full")]
            own_weight: 0.0,
            #[cfg(feature = "full")]
            given: Vec::new(),
        }
    }

    /// The caller's own score of a hit, where it gave one.
    #[cfg(feature = "full")]
    pub fn given(&self, node: NodeId) -> Option<f32> {
        let at = self.given.binary_search_by(|known| known.0.cmp(&node));
        at.ok().map(|at| self.given[at].1)
    }

    /// Nothing: the core has no such option.
    #[cfg(not(feature = "full"))]
    pub fn given(&self, _: NodeId) -> Option<f32> {
        None
    }
}

/// Walks through the directories where the request does, and takes the ranking as it is elsewhere (QUICK).
///
/// A directory comes at the level that the question is nearer to, if that one may be returned.
pub fn walk(
    store: &Resident,
    asked: &Asked<'_>,
    ranked: &[Mixed],
    inputs: &Inputs,
) -> Step<Walked> {
    #[cfg(feature = "full")]
    let scores = given::scores(asked);
    #[cfg(feature = "full")]
    let mut own_weight = 1.0;
    let mut found = match asked.request.walks(store.head()) {
        #[cfg(feature = "full")]
        true if scores.is_some() => {
            let (space, settings) = through(store, asked, ranked);
            // Its rows have levels of their own already.
            return given::walk(store, &space, settings, scores.unwrap_or_default());
        }
        true => {
            let (space, settings) = through(store, asked, ranked);
            #[cfg(feature = "full")]
            {
                own_weight = settings.alpha;
            }
            walk::walk(&space, settings).expect("this space never lacks a part")
        }
        false => Found {
            hits: flat(store, asked, ranked),
            ..Found::default()
        },
    };
    for hit in &mut found.hits {
        if let Some(directory) = store.head().directory_at(hit.node) {
            let nearer = nearer_level(store, inputs, directory)?;
            if may_return(asked, hit.node, nearer) {
                hit.level = nearer;
            }
        }
    }
    Ok(Walked {
        hits: found.hits,
        #[cfg(feature = "full")]
        wanted: Vec::new(),
        #[cfg(feature = "full")]
        trace: found.trace,
        #[cfg(feature = "full")]
        counts: found.counts,
        #[cfg(feature = "full")]
        own_weight,
        #[cfg(feature = "full")]
        given: Vec::new(),
    })
}

/// The level of a directory that the question's vector is nearer to. Without a vector the overview: its words are those
/// that are indexed.
fn nearer_level(store: &Resident, inputs: &Inputs, directory: usize) -> Step<u8> {
    Ok(match &inputs.vector {
        Some(vector) if inputs.alpha > 0.0 => {
            let [l0, l1] = store.directory_scores(directory, vector)?;
            u8::from(l1 > l0)
        }
        _ => 1,
    })
}

fn may_return(asked: &Asked<'_>, node: NodeId, level: u8) -> bool {
    asked.request.levels.contains(level) && asked.scope.admits(node, level)
}

/// The ranking as it is, a directory at the first level that may be returned.
fn flat(store: &Resident, asked: &Asked<'_>, ranked: &[Mixed]) -> Vec<Hit> {
    let level_of = |node: NodeId| {
        let levels: &[u8] = match store.head().directory_at(node) {
            None => &[2],
            Some(_) => &[0, 1],
        };
        let wanted = |&&level: &&u8| may_return(asked, node, level);
        levels.iter().find(wanted).copied()
    };
    ranked
        .iter()
        .filter_map(|r| {
            Some(Hit {
                node: r.node,
                level: level_of(r.node)?,
                score: r.score,
                semantic: r.score,
                hotness: 0.0,
            })
        })
        .collect()
}

/// The tree as the question sees it, and how it is walked.
fn through<'s>(
    store: &'s Resident,
    asked: &'s Asked<'_>,
    ranked: &'s [Mixed],
) -> (Scored<'s>, WalkOptions) {
    let (scope, request, options) = (&asked.scope, asked.request, asked.options);
    let mut scores = vec![0.0; store.head().parameters.n_nodes as usize];
    ranked.iter().for_each(|r| scores[r.node.index()] = r.score);
    let space = Scored {
        store,
        scope,
        scores,
        ranked,
    };
    let mut settings = WalkOptions {
        levels: Some(request.levels),
        // Blended in afterwards, whatever way the rows were found.
        hotness_alpha: 0.0,
        trace: TRACES && (options.trace || options.explain),
        // Pages are cut from the whole list.
        whole: true,
        ..WalkOptions::preset(options.preset, request.limit)
    };
    if options.preset == Preset::ClassicLeaves && !is_given(options) {
        if options.mode == Mode::Auto {
            settings.alpha = OWN_WEIGHT;
        }
        // Every file is a candidate and every child is seen: a leaf must not be lost because its directory is wide.
        settings.global_limit = ranked.len() * 2;
        // Where every file is a candidate, its end need not depend on the length of a page.
        settings.limit = WINDOW;
        settings.child_limit = usize::MAX;
    }
    #[cfg(feature = "full")]
    choose(&mut settings, options);
    if !store.head().variants.is_plain() {
        // Rows are damped and folded afterwards: as many as there are may be needed for those that were asked for.
        settings.limit = ranked.len() * 2;
    }
    // Every subtree of the scope has a root: a directory whose parent is outside.
    let directories = &store.head().directories;
    let holds = |d: &Directory| scope.holds(d.node);
    settings.roots = directories
        .iter()
        .filter(|d| holds(d) && (d.node.0 == 0 || !holds(&directories[d.parent as usize])))
        .map(|d| d.node)
        .collect();
    (space, settings)
}

/// True if the caller scores the rows.
#[cfg(feature = "full")]
fn is_given(options: &FindOptions) -> bool {
    matches!(options.walk_scores, Value::Map(_))
}

/// The core has no such option.
#[cfg(not(feature = "full"))]
fn is_given(_: &FindOptions) -> bool {
    false
}

/// Puts the caller's numbers in place of those of the preset.
#[cfg(feature = "full")]
fn choose(settings: &mut WalkOptions, options: &FindOptions) {
    if let Some(alpha) = options.score_propagation_alpha {
        settings.alpha = alpha;
    }
    if let Some(rounds) = options.max_convergence_rounds {
        settings.patience = u32::try_from(rounds).unwrap_or(u32::MAX);
    }
    if let Some(rows) = options.global_search_topk {
        settings.global_limit = rows;
    }
}

/// A walk by scores that the caller has made, as far as they reach.
#[cfg(feature = "full")]
mod given {
    use super::{Scored, Walked};
    use crate::base::id::NodeId;
    use crate::base::order;
    use crate::base::uri::with_sidecar;
    use crate::bundle::step::{Step, all};
    use crate::bundle::{Resident, place};
    use crate::find::ask::asked::Asked;
    use crate::find::ask::fields::number;
    use crate::find::ask::filter::Value;
    use crate::find::walk::{Found, Hit, Row, Walk, WalkOptions};

    /// The scores by URI, ascending; `None` without the option. What is no number leaves a row its own score.
    pub fn scores<'a>(asked: &'a Asked<'_>) -> Option<Vec<(&'a str, f32)>> {
        let Value::Map(given) = &asked.options.walk_scores else {
            return None;
        };
        let score = |value| number(value).map_or(f32::NAN, |score| score as f32);
        let mut scores: Vec<(&str, f32)> = given
            .iter()
            .map(|(uri, v)| (uri.as_str(), score(v)))
            .collect();
        order::sort_by(&mut scores, |a, b| a.0.cmp(b.0));
        Some(scores)
    }

    /// Walks as far as the scores reach: to the end, or to the rows of the first round that lacks one.
    pub fn walk(
        store: &Resident,
        space: &Scored<'_>,
        settings: WalkOptions,
        scores: Vec<(&str, f32)>,
    ) -> Step<Walked> {
        let own_weight = settings.alpha;
        let mut walk = Walk::new(settings);
        let mut known: Vec<(NodeId, u8, f32)> = Vec::new();
        while let Some(round) = walk
            .next_round(space)
            .expect("this space never lacks a part")
        {
            let uris = round.rows.iter().map(|row| uri(store, row));
            let mut given = Vec::with_capacity(round.rows.len());
            let mut wanted: Vec<Hit> = Vec::new();
            for (row, uri) in round.rows.iter().zip(all(uris.collect())?) {
                match scores.binary_search_by(|known| known.0.cmp(&uri)) {
                    Ok(at) => {
                        given.push(scores[at].1);
                        known.push((row.node, row.level, scores[at].1));
                    }
                    Err(_) => wanted.push(hit(row)),
                }
            }
            if !wanted.is_empty() {
                order::sort_by(&mut wanted, |a, b| {
                    (a.node, a.level).cmp(&(b.node, b.level))
                });
                wanted.dedup_by_key(|hit| (hit.node, hit.level));
                return Ok(Walked {
                    wanted,
                    ..walked(Found::default())
                });
            }
            walk.accept(space, &given);
        }
        let walked = walked(walk.finish(space));
        known.retain(|&(node, level, score)| {
            let is_it = |hit: &Hit| (hit.node, hit.level) == (node, level);
            !score.is_nan() && walked.hits.iter().any(is_it)
        });
        order::sort_by(&mut known, |a, b| a.0.cmp(&b.0));
        let given = known.into_iter().map(|(node, _, score)| (node, score));
        Ok(Walked {
            own_weight,
            given: given.collect(),
            ..walked
        })
    }

    fn uri(store: &Resident, row: &Row) -> Step<String> {
        let uri = place::uri_of(store, row.node)?;
        Ok(match row.level {
            2 => uri,
            level => with_sidecar(&uri, level),
        })
    }

    fn hit(row: &Row) -> Hit {
        Hit {
            node: row.node,
            level: row.level,
            score: row.score,
            semantic: row.score,
            hotness: 0.0,
        }
    }

    fn walked(found: Found) -> Walked {
        Walked {
            hits: found.hits,
            wanted: Vec::new(),
            trace: found.trace,
            counts: found.counts,
            own_weight: 1.0,
            given: Vec::new(),
        }
    }
}
