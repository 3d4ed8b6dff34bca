//! Graph retrieval: from entities named in the query, over relations, to files that share no words with it.
//!
//! Relations are found by the question's best files: those that show one, near a named entity. Their texts are not in
//! the bundle. Source: spec minirag §2 and §3, rules of quality; mixing as in spec/onyx.md §2.2.

use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::Step;
use crate::bundle::{PartKind, Resident};
use crate::find::answer::result::PathReason;
use crate::find::ask::question::Question;
use crate::find::ask::scope::Scope;
use crate::find::minirag;
use crate::find::minirag::context::{ContextBudget, EntityRow, context};
use crate::find::minirag::names::{answer_types, given_names, match_names, names_in};
use crate::find::minirag::{Given, GraphQuery, QueryEntity, Rules, Selection};
use crate::find::rank::fuse::weighted_lists;
use crate::find::rank::mix;
use crate::find::rank::mix::{DEPTH, Mixed};
use crate::graph::{EntityGraph, fold_type};
use crate::text::budget::estimate;
use std::rc::Rc;

/// Best files by hybrid score that judge relations and mentions. Source: spec minirag §1, half of `top_k`.
const HITS: usize = 30;
/// Relations kept per named entity. Source: spec minirag §1, `top_k`.
const RELATIONS: usize = 60;
/// Reasons listed per result.
const REASONS: usize = 3;
/// Lines of the sources that describe an entity.
const LINES: usize = 3;

/// The graph's findings for one question.
pub struct Connected {
    graph: Rc<EntityGraph>,
    names: Vec<QueryEntity>,
    types: Vec<String>,
    relations: Vec<(u32, u32)>,
    hits: Vec<u32>,
    selection: Selection,
    rules: Rules,
    /// The caller's entities and types of answers that the graph does not know.
    pub unknown: Vec<String>,
}

/// True if the bundle has a graph.
pub fn is_there(store: &Resident) -> bool {
    !store.head().parts[PartKind::Graph as usize].is_empty()
}

/// Searches the graph for a question whose files are `ranked`. `None` when neither the caller nor the question names an
/// entity that it knows.
pub fn ask(
    store: &Resident,
    question: &Question,
    given: &Given,
    ranked: &[Mixed],
    rules: Rules,
) -> Step<Option<Connected>> {
    let graph = store.graph()?;
    let (names, unknown) = match given.entities.is_empty() {
        true => (match_names(&graph, question), Vec::new()),
        false => given_names(&graph, &given.entities),
    };
    let is_type = |wanted: &str| {
        graph
            .types
            .iter()
            .any(|t| fold_type(t) == fold_type(wanted))
    };
    let types = given.answer_types.iter().map(String::as_str);
    let unknown = unknown
        .into_iter()
        .chain(types.filter(|name| !is_type(name)));
    let unknown = unknown.map(str::to_owned).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let hits: Vec<u32> = ranked.iter().take(HITS).map(|r| r.node.0).collect();
    let mut connected = Connected {
        relations: relations(&graph, &names, &hits),
        types: match given.answer_types.is_empty() {
            true => answer_types(question),
            false => given.answer_types.clone(),
        },
        selection: Selection::default(),
        graph,
        names,
        hits,
        rules,
        unknown,
    };
    connected.selection = minirag::select(&connected.graph, &connected.query(), &connected.rules);
    Ok(Some(connected))
}

impl Connected {
    fn query(&self) -> GraphQuery<'_> {
        GraphQuery {
            text: Some(""),
            entities: &self.names,
            answer_types: &self.types,
            relations: &self.relations,
            chunks: &self.hits,
            final_chunks: DEPTH,
        }
    }

    /// Mixes the graph's list in: weight 0 leaves the ranking as it is, 1 leaves only the graph's findings.
    pub fn mix(&self, ranked: Vec<Mixed>, scope: &Scope, weight: f32) -> Vec<Mixed> {
        let mut found: Vec<(u32, f64)> = self.selection.totals.clone();
        found.retain(|(node, _)| scope.holds(NodeId(*node)));
        order::sort_by(&mut found, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let hybrid: Vec<(u32, f64)> = ranked
            .iter()
            .map(|r| (r.node.0, f64::from(r.score)))
            .collect();
        let weight = f64::from(weight);
        let fused = weighted_lists([&hybrid, &found], [1.0 - weight, weight], DEPTH, DEPTH);
        let mut known: Vec<Mixed> = ranked;
        order::sort_by(&mut known, |a, b| a.node.cmp(&b.node));
        let mut rows: Vec<Mixed> = fused
            .into_iter()
            .map(|f| {
                let at = known.partition_point(|r| r.node.0 < f.id);
                let own = known.get(at).filter(|r| r.node.0 == f.id).copied();
                Mixed {
                    node: NodeId(f.id),
                    score: f.score as f32,
                    graph: f.parts[1] as f32,
                    ..own.unwrap_or_default()
                }
            })
            .collect();
        mix::sort(&mut rows);
        rows
    }

    /// Why the graph leads to a node: the strongest votes for it, each with its walk, as far as pages that `may_see` lets
    /// pass show its steps.
    pub fn reasons(&self, node: NodeId, may_see: &dyn Fn(NodeId) -> bool) -> Vec<PathReason> {
        let is_shown = |step: &[u32]| {
            let relation = self.graph.relation_between(step[0], step[1]);
            let shown = relation.map(|number| &self.graph.relations()[number as usize].chunks);
            shown.is_some_and(|chunks| chunks.iter().any(|chunk| may_see(NodeId(*chunk))))
        };
        let name = |entity: &u32| {
            let entity = self.graph.entity(*entity);
            entity.map_or_else(String::new, |entity| entity.name.clone())
        };
        let reasons = minirag::explain(
            &self.graph,
            &self.query(),
            &self.rules,
            &self.selection,
            node.0,
        );
        let told = reasons.into_iter();
        let told = told.filter(|reason| reason.walk.walk.windows(2).all(is_shown));
        let told = told.take(REASONS);
        told.map(|reason| PathReason {
            entity: name(&reason.entity),
            walk: reason.walk.walk.iter().map(name).collect(),
            answers: reason.walk.answers,
            votes: reason.walk.votes,
            amount: reason.amount as f32,
        })
        .collect()
    }
}

impl Connected {
    /// The question's entities, described by lines of the sources, and the sources, as two CSV blocks for a program that
    /// reads. The sources have their budget already.
    pub fn context(&self, sources: &[&str]) -> String {
        let mut rows: Vec<(u32, f64, String)> = Vec::new();
        for &(entity, score) in self.names.iter().flat_map(|name| &name.hits) {
            if !rows.iter().any(|row| row.0 == entity) {
                rows.push((entity, score, self.graph.type_of(entity).to_owned()));
            }
        }
        let mut described = vec![0; rows.len()];
        for line in sources.iter().flat_map(|source| source.lines()) {
            let named = names_in(&self.graph, line);
            for (row, n_lines) in rows.iter_mut().zip(&mut described) {
                let is_here = |name: &QueryEntity| name.hits.iter().any(|hit| hit.0 == row.0);
                if *n_lines < LINES && named.iter().any(is_here) {
                    row.2.push_str(if *n_lines == 0 { ": " } else { " " });
                    row.2.push_str(line.trim());
                    *n_lines += 1;
                }
            }
        }
        let rows = rows.iter().filter_map(|(entity, score, description)| {
            let name = &self.graph.entity(*entity)?.name;
            let score = *score;
            Some(EntityRow {
                name,
                score,
                description,
            })
        });
        let rows: Vec<EntityRow<'_>> = rows.collect();
        let sources: Vec<Option<&str>> = sources.iter().copied().map(Some).collect();
        let budget = ContextBudget {
            sources: usize::MAX,
            ..ContextBudget::default()
        };
        context(&rows, &sources, budget, &estimate, &tenths)
    }
}

/// A similarity, without the tables that write any number.
fn tenths(score: f64) -> String {
    let tenths = (score * 10.0).round() as u32;
    [(tenths / 10).to_string(), (tenths % 10).to_string()].join(".")
}

/// The relations at most two steps from a named entity that the best files show, best first: a file counts by its rank.
fn relations(graph: &EntityGraph, names: &[QueryEntity], hits: &[u32]) -> Vec<(u32, u32)> {
    let mut found: Vec<u32> = Vec::new();
    for &(entity, _) in names.iter().flat_map(|name| &name.hits) {
        for &(next, relation) in graph.neighbors(entity) {
            found.push(relation);
            found.extend(graph.neighbors(next).iter().map(|step| step.1));
        }
    }
    order::sort_dedup(&mut found);
    let relations = graph.relations();
    let mut scored: Vec<(u32, f32)> = found
        .into_iter()
        .filter_map(|number| {
            let chunks = &relations[number as usize].chunks;
            let shown = hits
                .iter()
                .enumerate()
                .filter(|(_, hit)| chunks.contains(hit));
            let score: f32 = shown.map(|(rank, _)| 1.0 / (1.0 + rank as f32)).sum();
            (score > 0.0).then_some((number, score))
        })
        .collect();
    order::sort_by(&mut scored, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(RELATIONS * names.len());
    scored
        .into_iter()
        .map(|(number, _)| (relations[number as usize].a, relations[number as usize].b))
        .collect()
}
