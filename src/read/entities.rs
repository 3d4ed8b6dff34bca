//! The entity graph as it is read: the entities of a bundle, and the neighbors of one. Both load the graph whole, one
//! part (21 kB for a year of chat), and `neighbors` the branches of the files that it names.

use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::place::{record, uri_of};
use crate::bundle::step::{Gather, Step};
use crate::bundle::{PartKind, Resident};
use crate::find::answer::contexts::url_of;
use crate::find::answer::result::{EntityRow, FileRow, NeighborRow};
use crate::find::ask::options::EntityOptions;
use crate::find::minirag::QueryEntity;
use crate::find::minirag::names::names_in;
use crate::find::onyx::visibility::one_edit_apart;
use crate::graph::{Entity, EntityGraph, canonical, joined};
use std::rc::Rc;

/// Files named for one relation.
const FILES: usize = 5;
/// Names offered for one that the graph lacks.
const NEAR: usize = 3;

/// Entities, the most mentioned first; with `query` those of that name, then those whose name has it.
///
/// *Errors*: `FAILED_PRECONDITION` for a bundle without a graph.
pub fn entities(store: &Resident, options: &EntityOptions) -> Step<Vec<EntityRow>> {
    let graph = graph(store)?;
    let query = options.query.as_deref().map(canonical);
    let is_wanted = |number: u32| {
        let wanted = options.entity_type.as_deref();
        wanted.is_none_or(|wanted| graph.type_of(number).eq_ignore_ascii_case(wanted))
    };
    let n_entities = u32::try_from(graph.entities().len()).expect("numbers of entities are u32");
    let mut found: Vec<(Match, usize, u32)> = (0..n_entities)
        .filter(|number| is_wanted(*number))
        .filter_map(|number| {
            let matched = match &query {
                Some(query) => matched(&graph, number, query)?,
                None => Match::Name,
            };
            Some((
                matched,
                graph.entities()[number as usize].chunks.len(),
                number,
            ))
        })
        .collect();
    order::sort_by(&mut found, |a, b| {
        a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2))
    });
    let page = found.into_iter().skip(options.offset).take(options.limit);
    Ok(page.map(|(_, _, number)| row(&graph, number)).collect())
}

/// The place of a query in an entity's names, best first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Name,
    Beginning,
    Part,
}

fn matched(graph: &EntityGraph, number: u32, query: &str) -> Option<Match> {
    if graph.by_alias(query).contains(&number) {
        return Some(Match::Name);
    }
    let entity = &graph.entities()[number as usize];
    let name = canonical(&entity.name);
    let names = std::iter::once(&name).chain(&entity.aliases);
    let places = names.filter_map(|name| place_in(name, query));
    places.min().map(|place| match place {
        0 => Match::Beginning,
        _ => Match::Part,
    })
}

/// The place of a query in a name: as it is written, else from the beginning of a word on, wherever words end.
fn place_in(name: &str, query: &str) -> Option<usize> {
    let query_joined = joined(query);
    let mut words = std::iter::once(0).chain(name.match_indices(' ').map(|(at, _)| at + 1));
    let begins = |at: &usize| joined(&name[*at..]).starts_with(query_joined.as_str());
    name.find(query).or_else(|| words.find(begins))
}

/// Names that somebody may have meant by one that the graph lacks, at most three: those in it and those that differ by a
/// letter, then those that have it.
fn near<'g>(graph: &'g EntityGraph, name: &str) -> Vec<&'g str> {
    let folded = canonical(name);
    let whole = joined(&folded);
    let named: Vec<QueryEntity> = names_in(graph, name);
    let rank = |number: u32| {
        let is_in = || {
            named
                .iter()
                .any(|name| name.hits.iter().any(|hit| hit.0 == number))
        };
        let own = || joined(&canonical(&graph.entities()[number as usize].name));
        match is_in() || one_edit_apart(&own(), &whole) {
            true => Some(Match::Name),
            false => matched(graph, number, &folded),
        }
    };
    let entities = (0..).zip(graph.entities()).filter(|_| !whole.is_empty());
    let ranked = entities.filter_map(|(number, entity)| Some((rank(number)?, entity)));
    let mut ranked: Vec<(Match, &Entity)> = ranked.collect();
    order::sort_by(&mut ranked, |a, b| {
        a.0.cmp(&b.0).then(b.1.chunks.len().cmp(&a.1.chunks.len()))
    });
    let names = ranked.into_iter().map(|(_, entity)| entity.name.as_str());
    names.take(NEAR).collect()
}

/// The entities related to those called `name`, the most often seen together first, each with up to five files that
/// show it.
///
/// *Errors*: `FAILED_PRECONDITION` for a bundle without a graph, `NOT_FOUND` for a name that it lacks.
pub fn neighbors(store: &Resident, name: &str) -> Step<Vec<NeighborRow>> {
    let graph = graph(store)?;
    let named = graph.by_alias(&canonical(name));
    if named.is_empty() {
        let near = near(&graph, name).join(", ");
        let hint = match near.is_empty() {
            true => String::new(),
            false => ["; did you mean ", &near, "?"].concat(),
        };
        let message =
            format!("no entity is called '{name}'{hint} (entities() lists those of the bundle)");
        return Err(Error::new(ErrorKind::NotFound, message).into());
    }
    let mut related: Vec<(u32, u32, u32)> = Vec::new();
    for &entity in named {
        let neighbors = graph.neighbors(entity).iter();
        related.extend(neighbors.map(|(neighbor, relation)| (entity, *neighbor, *relation)));
    }
    let relations = graph.relations();
    order::sort_by(&mut related, |a, b| {
        let weight = |related: &(u32, u32, u32)| relations[related.2 as usize].weight;
        weight(b).total_cmp(&weight(a)).then(a.cmp(b))
    });
    let files = |relation: u32| {
        let mut files = relations[relation as usize].chunks.clone();
        order::sort_dedup(&mut files);
        files.truncate(FILES);
        files.into_iter().map(NodeId)
    };
    let mut gather = Gather::default();
    for (_, _, relation) in &related {
        for node in files(*relation) {
            gather.take(store.branch(store.head().block_of(node)));
        }
    }
    gather.done()?;
    let row = |(entity, neighbor, relation): (u32, u32, u32)| {
        let files: Step<Vec<FileRow>> = files(relation).map(|node| file(store, node)).collect();
        Ok(NeighborRow {
            of: graph.entities()[entity as usize].name.clone(),
            name: graph.entities()[neighbor as usize].name.clone(),
            kind: graph.type_of(neighbor).to_owned(),
            weight: relations[relation as usize].weight,
            files: files?,
        })
    };
    related.into_iter().map(row).collect()
}

fn graph(store: &Resident) -> Step<Rc<EntityGraph>> {
    if store.head().parts[PartKind::Graph as usize].is_empty() {
        let message = "the bundle has no graph: build it with --graph";
        return Err(Error::new(ErrorKind::FailedPrecondition, message).into());
    }
    Ok(store.graph()?)
}

fn row(graph: &EntityGraph, number: u32) -> EntityRow {
    let entity = &graph.entities()[number as usize];
    let mut files = entity.chunks.clone();
    files.dedup();
    EntityRow {
        name: entity.name.clone(),
        kind: graph.type_of(number).to_owned(),
        n_mentions: entity.chunks.len(),
        n_files: files.len(),
        n_neighbors: graph.neighbors(number).len(),
    }
}

fn file(store: &Resident, node: NodeId) -> Step<FileRow> {
    let record = record(store, node)?;
    let uri = uri_of(store, node)?;
    Ok(FileRow {
        url: url_of(&record, &uri, store),
        uri,
        title: record.title,
    })
}
