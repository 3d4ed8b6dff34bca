//! Every case of the whole stage asked through `find`, of a bundle that has the case's chunks as files and its entities
//! and relations as a model's records.
//!
//! Some inputs of the published program cannot be said to a bundle: it has its own ([`Decision`]; docs/HYBRID.md).
//! [`DECIDED`] names for each case those that change its answer. Where there are none, `find` gives what the published
//! program gave; elsewhere what the published rules give for a case with those inputs changed, and no others.

use super::vectors;
use crate::support::{Script, page};
use crate::vectors::{Names, count, list, real, text, texts};
use knarr::Knarr;
use knarr::find::answer::result::{FindResult, MatchedContext};
use knarr::find::ask::options::{FindOptions, Mode};
use knarr::find::minirag::{GraphQuery, QueryEntity, Rules, Selection, explain, select};
use knarr::find::rank::fuse::{Scaling, scale};
use knarr::graph::{Entity, EntityGraph, Relation};
use knarr::indexer::records::{EntityRecord, Records, RelationRecord};
use knarr::indexer::{BuildOptions, Builder};
use pollster::block_on;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The one word of the question: the files of a case's chunk hits have it, best first.
const WORD: &str = "kelp";
/// Files that say something else, so that the word is rare.
const OTHERS: usize = 40;
/// Reasons that a result tells.
const REASONS: usize = 3;

/// The fixture, read once.
static VECTORS: LazyLock<Value> = LazyLock::new(vectors);

/// Inputs that a bundle has in place of the published program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// Relations are found by the files that the question finds, not by texts of their own.
    Relations,
    /// The chunks of an entity or a relation stand in the order of the files; published, in that of a hash.
    Order,
    /// No description is kept: none is compared with the question, and two entities with one description are two.
    Texts,
    /// A name is spelled as it is, so that all similarities are 1, and of entities without relations the first are kept.
    Spelling,
}
use Decision::{Order, Relations, Spelling, Texts};

/// The cases of which a bundle's inputs change the answer, and those inputs.
const DECIDED: &[(&str, &[Decision])] = &[
    ("basic_two_entities", &[Relations]),
    ("odd_small_top_k", &[Relations]),
    ("random_01", &[Order]),
    ("random_02", &[Relations, Order]),
    ("random_03", &[Relations, Order]),
    ("random_04", &[Relations, Order]),
    ("random_05", &[Relations, Order, Texts]),
    ("random_07", &[Relations]),
    ("random_08", &[Relations, Order]),
    ("random_09", &[Relations]),
    ("random_10", &[Relations, Order, Texts]),
    ("random_12", &[Relations, Order, Texts]),
    ("random_13", &[Order, Texts]),
    ("random_16", &[Relations, Order]),
    ("random_17", &[Order]),
    ("random_18", &[Spelling]),
    ("random_19", &[Order]),
];

fn decided(case: &Value) -> &'static [Decision] {
    let own = DECIDED.iter().find(|row| row.0 == text(&case["name"]));
    own.map_or(&[], |row| row.1)
}

/// A case with numbers for entities and chunks, some of its inputs those of a bundle.
struct Stage {
    graph: EntityGraph,
    entities: Names,
    chunks: Names,
    names: Vec<QueryEntity>,
    answer_types: Vec<String>,
    relations: Vec<(u32, u32)>,
    hits: Vec<u32>,
    text: String,
}

impl Stage {
    fn new(case: &Value, own: &[Decision]) -> Self {
        let given = match case["graph"].as_str() {
            Some(name) => &VECTORS["graphs"][name],
            None => &case["graph_inline"],
        };
        let (graph, mut entities, chunks) = graph_of(given, case, own);
        let top_k = count(&case["top_k"]);
        let is_in_graph = |name: &str| graph.entities().iter().any(|e| e.name == unquoted(name));
        let mut names = Vec::new();
        for name in list(&case["entity_hits"]) {
            let hits = list(&name["hits"]);
            let known = hits.iter().take(top_k);
            let known = known.filter(|hit| is_in_graph(text(&hit["entity_name"])));
            let hit = |hit: &Value| {
                let entity = entities.id(unquoted(text(&hit["entity_name"])));
                let is_spelled = own.contains(&Spelling);
                let score = if is_spelled { 1.0 } else { real(&hit["score"]) };
                (entity, score)
            };
            names.push(QueryEntity {
                text: text(&name["query_entity"]).to_owned(),
                hits: known.map(hit).collect(),
            });
        }
        let mut stage = Self {
            hits: chunk_hits(case)
                .iter()
                .map(|hit| place(&chunks, hit))
                .collect(),
            answer_types: texts(&case["answer_types"]),
            relations: Vec::new(),
            text: text(&case["query"]).to_owned(),
            graph,
            entities,
            chunks,
            names,
        };
        stage.relations = match own.contains(&Relations) {
            true => stage.relations_shown(),
            false => list(&case["edge_hits"])
                .iter()
                .take(top_k * stage.names.len())
                .map(|pair| {
                    let ends = texts(pair);
                    let end = |i: usize| place(&stage.entities, unquoted(&ends[i]));
                    (end(0), end(1))
                })
                .collect(),
        };
        stage
    }

    /// The case as `find` takes it: every input a bundle's, and each entity a name of its own, spelled as it is written.
    fn of_bundle(case: &Value) -> Self {
        let mut stage = Self::new(case, &[Relations, Order, Texts, Spelling]);
        let spelled = |entity: u32| QueryEntity {
            text: stage.entities.0[entity as usize].clone(),
            hits: vec![(entity, 1.0)],
        };
        stage.names = stage.matched().into_iter().map(spelled).collect();
        stage.text.clear();
        if stage.hits.is_empty() {
            // Nothing is asked where no file has the word: one that the graph does not know has it.
            stage.hits.push(stage.aside());
        }
        stage
    }

    /// Number of a file that is no chunk.
    fn aside(&self) -> u32 {
        u32::try_from(self.chunks.0.len()).unwrap()
    }

    /// The entities of all names, each once.
    fn matched(&self) -> Vec<u32> {
        let mut matched = Vec::new();
        for &(entity, _) in self.names.iter().flat_map(|name| &name.hits) {
            if !matched.contains(&entity) {
                matched.push(entity);
            }
        }
        matched
    }

    /// The relations at most two steps from a matched entity that the hits show; a hit counts by its rank.
    fn relations_shown(&self) -> Vec<(u32, u32)> {
        let matched = self.matched();
        let near = |&end: &u32| {
            let steps = self.graph.neighbors(end);
            matched.contains(&end) || steps.iter().any(|step| matched.contains(&step.0))
        };
        let worth = |relation: &Relation| -> f64 {
            let ranked = (1..).zip(&self.hits);
            let shown = ranked.filter(|(_, hit)| relation.chunks.contains(hit));
            shown.map(|(rank, _)| 1.0 / f64::from(rank)).sum()
        };
        let mut shown: Vec<(f64, (u32, u32))> = Vec::new();
        for relation in self.graph.relations() {
            if worth(relation) > 0.0 && [relation.a, relation.b].iter().any(near) {
                shown.push((worth(relation), (relation.a, relation.b)));
            }
        }
        shown.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        shown.into_iter().map(|row| row.1).collect()
    }

    fn query(&self) -> GraphQuery<'_> {
        GraphQuery {
            text: Some(&self.text),
            entities: &self.names,
            answer_types: &self.answer_types,
            relations: &self.relations,
            chunks: &self.hits,
            final_chunks: usize::MAX,
        }
    }

    fn selected(&self, rules: &Rules) -> Selection {
        select(&self.graph, &self.query(), rules)
    }

    /// Totals by the names of their chunks.
    fn totals(&self) -> BTreeMap<String, f64> {
        let totals = self.selected(&Rules::as_is()).totals.into_iter();
        let name = |chunk: u32| self.chunks.0[chunk as usize].clone();
        totals.map(|(chunk, total)| (name(chunk), total)).collect()
    }

    /// Weight of an entity's vote in the case, as a multiple of that which it has as a name spelled as it is: its
    /// similarity, halved where it is not the best of its name, once for each name that finds it.
    fn vote(&self, spelled: &Selection, entity: u32) -> f64 {
        let chunks = |entity: u32| {
            let own = spelled.candidates.iter().find(|c| c.entity == entity);
            own.map(|candidate| candidate.chunks.clone())
        };
        let hits = || self.names.iter().flat_map(|name| &name.hits);
        let score = |entity: u32| hits().rfind(|hit| hit.0 == entity).unwrap().1;
        let mut votes = 0.0;
        for name in &self.names {
            let voting: Vec<u32> = name.hits.iter().map(|hit| hit.0).collect();
            let voting: Vec<u32> = voting
                .into_iter()
                .filter(|e| chunks(*e).is_some())
                .collect();
            if voting.contains(&entity) {
                let best = (score(voting[0]), chunks(voting[0]));
                votes += if (score(entity), chunks(entity)) == best {
                    1.0
                } else {
                    0.5
                };
            }
        }
        votes * score(entity)
    }
}

fn unquoted(name: &str) -> &str {
    name.trim_matches('"')
}

fn place(names: &Names, name: &str) -> u32 {
    let place = names.0.iter().position(|known| known == name);
    u32::try_from(place.unwrap_or_else(|| panic!("{name} is not there"))).unwrap()
}

/// Chunk hits that the published program asks for.
fn chunk_hits(case: &Value) -> Vec<String> {
    let mut hits = texts(&case["chunk_hits"]);
    hits.truncate(count(&case["top_k"]) / 2);
    hits
}

/// The graph of a case; chunks are numbered in the order of their names.
fn graph_of(given: &Value, case: &Value, own: &[Decision]) -> (EntityGraph, Names, Names) {
    let (nodes, edges) = (list(&given["nodes"]), list(&given["edges"]));
    let named = nodes.iter().chain(&edges);
    let mut chunks: Vec<String> = named.flat_map(|item| texts(&item["source_id"])).collect();
    chunks.extend(chunk_hits(case));
    chunks.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    chunks.dedup();
    let chunks = Names(chunks);
    let places = |ids: &Value| {
        let mut places: Vec<u32> = texts(ids).iter().map(|id| place(&chunks, id)).collect();
        if own.contains(&Order) {
            places.sort_unstable();
            places.dedup();
        }
        places
    };
    let (mut graph, mut entities) = (EntityGraph::new(), Names::default());
    for node in &nodes {
        let kind = graph.type_number(unquoted(text(&node["type"])));
        let name = unquoted(text(&node["name"])).to_owned();
        entities.id(&name);
        graph.add_entity(Entity {
            name,
            kind,
            aliases: Vec::new(),
            chunks: places(&node["source_id"]),
            texts: match own.contains(&Texts) {
                true => Vec::new(),
                false => texts(&node["description"]),
            },
        });
    }
    for edge in &edges {
        let added = graph.add_relation(Relation {
            a: place(&entities, unquoted(text(&edge["src_id"]))),
            b: place(&entities, unquoted(text(&edge["tgt_id"]))),
            chunks: places(&edge["source_id"]),
            ..Relation::default()
        });
        assert!(added.is_some(), "edges of the fixture are distinct");
    }
    (graph, entities, chunks)
}

/// A case's chunks as files, in the order of their numbers, and its entities and relations as records.
fn built(stage: &Stage) -> Script {
    // Words alone are asked, and vectors would take most of the time.
    let options = BuildOptions {
        dims: 0,
        general_words: Some(0),
        ..BuildOptions::default()
    };
    let mut builder = Builder::new(options).unwrap();
    let path = |chunk: u32| format!("{chunk:02}.md");
    for (chunk, name) in (0..).zip(&stage.chunks.0) {
        // More often in a better hit.
        let rank = stage.hits.iter().position(|hit| *hit == chunk);
        let n = rank.map_or(0, |rank| 1 << (stage.hits.len() - rank));
        let words = format!("Passage {name}. {}", format!("{WORD} ").repeat(n));
        builder.add(page(&path(chunk), name, &words)).unwrap();
    }
    for i in 0..OTHERS {
        let word = if i == 0 && stage.hits.contains(&stage.aside()) {
            WORD
        } else {
            "sand"
        };
        let title = format!("Shore {i}");
        let words = format!("{title} is made of {word}.");
        builder
            .add(page(&format!("shore/{i}.md"), &title, &words))
            .unwrap();
    }
    let mut records: Vec<(String, Records)> = Vec::new();
    for (number, entity) in (0..).zip(stage.graph.entities()) {
        let record = EntityRecord {
            name: entity.name.clone(),
            kind: stage.graph.type_of(number).to_owned(),
            description: String::new(),
        };
        let own = Records {
            entities: vec![record],
            ..Records::default()
        };
        records.extend(
            entity
                .chunks
                .iter()
                .map(|chunk| (path(*chunk), own.clone())),
        );
    }
    // Walks go to the heaviest neighbor first; published, in the order in which relations came.
    for (after, relation) in stage.graph.relations().iter().rev().enumerate() {
        let name = |end: u32| stage.graph.entities()[end as usize].name.clone();
        let record = RelationRecord {
            source: name(relation.a),
            target: name(relation.b),
            weight: (after + 1) as f64 * 12.0 / relation.chunks.len() as f64,
            ..RelationRecord::default()
        };
        let own = Records {
            relations: vec![record],
            ..Records::default()
        };
        records.extend(
            relation
                .chunks
                .iter()
                .map(|chunk| (path(*chunk), own.clone())),
        );
    }
    builder.graph_records(records);
    Script::of(builder.finish(&mut |_, _, _| {}).unwrap())
}

/// What `find` answers to a case: the graph's findings alone, by words alone before.
fn found(case: &Value, stage: &Stage, host: &Script, rules: &str) -> FindResult {
    let knarr = block_on(Knarr::open(host)).unwrap();
    let mut names: Vec<String> = Vec::new();
    for name in list(&case["entity_hits"]) {
        for hit in list(&name["hits"]).iter().take(count(&case["top_k"])) {
            let name = unquoted(text(&hit["entity_name"])).to_owned();
            names.extend((!names.contains(&name)).then_some(name));
        }
    }
    let hybrid = json!({
        "graph_rules": rules, "graph_entities": names, "answer_types": stage.answer_types,
    });
    let options = FindOptions {
        graph: Some(1.0),
        alpha: Some(0.0),
        explain: true,
        mode: Mode::Quick,
        limit: 100,
        hybrid: serde_json::from_value(hybrid).unwrap(),
        ..FindOptions::default()
    };
    block_on(knarr.find(host, WORD, &options)).unwrap()
}

/// Rows of the graph, best first, by the names of their chunks.
fn rows<'f>(stage: &Stage, found: &'f FindResult) -> Vec<(String, &'f MatchedContext)> {
    let is_of_graph = |hit: &&MatchedContext| hit.explain.as_ref().unwrap().graph > 0.0;
    let name = |hit: &'f MatchedContext| {
        let path = hit.uri.strip_prefix("viking://resources/docs/").unwrap();
        let number: usize = path.trim_end_matches(".md").parse().expect(path);
        (stage.chunks.0[number].clone(), hit)
    };
    found
        .resources
        .iter()
        .filter(is_of_graph)
        .map(name)
        .collect()
}

/// Totals as `find` tells them: as shares of the best, best first, equal ones by number.
fn ranked(stage: &Stage, totals: &[(u32, f64)]) -> Vec<(String, f32)> {
    let scores: Vec<f64> = totals.iter().map(|total| total.1).collect();
    let scaled = scale(&scores, Scaling::MinMax).into_iter();
    let mut rows: Vec<(u32, f32)> = totals
        .iter()
        .zip(scaled)
        .map(|(total, score)| (total.0, score as f32))
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let named = |(chunk, score): (u32, f32)| (stage.chunks.0[chunk as usize].clone(), score);
    rows.into_iter().map(named).collect()
}

/// Rows, their scores and their reasons are those of the algorithm with a bundle's inputs.
fn assert_found(stage: &Stage, found: &FindResult, rules: &Rules, what: &str) {
    let selection = stage.selected(rules);
    let rows = rows(stage, found);
    let scores =
        |row: &(String, &MatchedContext)| (row.0.clone(), row.1.explain.as_ref().unwrap().graph);
    let got: Vec<(String, f32)> = rows.iter().map(scores).collect();
    assert_eq!(got, ranked(stage, &selection.totals), "{what}");
    for (chunk, row) in &rows {
        let number = place(&stage.chunks, chunk);
        let reasons = explain(&stage.graph, &stage.query(), rules, &selection, number);
        let paths = &row.explain.as_ref().unwrap().paths;
        assert_eq!(paths.len(), reasons.len().min(REASONS), "{what} {chunk}");
        for (path, reason) in paths.iter().zip(&reasons) {
            assert_eq!(
                path.entity, stage.entities.0[reason.entity as usize],
                "{what} {chunk}"
            );
            assert_eq!(
                path.walk,
                stage.entities.names(&reason.walk.walk),
                "{what} {chunk}"
            );
            let numbers = (path.answers, path.votes, path.amount);
            let expected = (reason.walk.answers, reason.walk.votes, reason.amount as f32);
            assert_eq!(numbers, expected, "{what} {chunk}");
        }
    }
}

/// Totals of a case out of what `find` gave for its bundle: votes as they were told, each with the case's weight.
fn told(case: &Stage, stage: &Stage, found: &FindResult) -> BTreeMap<String, f64> {
    let spelled = stage.selected(&Rules::as_is());
    let mut totals = BTreeMap::new();
    for (chunk, row) in rows(stage, found) {
        let number = place(&stage.chunks, &chunk);
        let votes = spelled
            .contributions
            .iter()
            .filter(|vote| vote.chunk == number);
        let paths = &row.explain.as_ref().unwrap().paths;
        // Of more votes than a result tells, `assert_found` has compared the sum.
        let votes: Vec<(u32, f64)> = match votes.clone().count() > REASONS {
            true => votes.map(|vote| (vote.entity, vote.amount)).collect(),
            false => paths
                .iter()
                .map(|path| (place(&stage.entities, &path.entity), f64::from(path.amount)))
                .collect(),
        };
        let total = votes
            .iter()
            .map(|(entity, amount)| amount * case.vote(&spelled, *entity));
        totals.insert(chunk, total.sum());
    }
    totals
}

fn is_near(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> bool {
    let is_same =
        |(x, y): ((&String, &f64), (&String, &f64))| x.0 == y.0 && (x.1 - y.1).abs() < 1e-5;
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

/// The published order is that of these totals; equal ones stand there as first seen.
fn assert_order(case: &Value, totals: &BTreeMap<String, f64>) {
    let published: Vec<f64> = texts(&case["as_is"]["final"])
        .iter()
        .map(|chunk| totals[chunk])
        .collect();
    let mut sorted: Vec<f64> = totals.values().copied().collect();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let asked = count(&case["top_k"]) / 2;
    assert_eq!(published.len(), sorted.len().min(asked), "{}", case["name"]);
    let pairs = published.iter().zip(&sorted);
    assert!(
        pairs.into_iter().all(|(x, y)| (x - y).abs() < 1e-5),
        "{}",
        case["name"]
    );
}

/// An entity that the graph does not know, or none: the published program stops. `find` says so and answers by words.
fn assert_words_answer(case: &Value, stage: &Stage, found: &FindResult) {
    let uri = |hit: &u32| format!("viking://resources/docs/{hit:02}.md");
    let hits: Vec<String> = stage.hits.iter().map(uri).collect();
    let uris: Vec<&String> = found.resources.iter().map(|hit| &hit.uri).collect();
    assert_eq!(uris, hits.iter().collect::<Vec<_>>(), "{}", case["name"]);
    let said = found.skipped.iter().any(|skipped| skipped.step == "graph");
    assert!(said, "{} {:?}", case["name"], found.skipped);
}

fn all_cases() -> Vec<Value> {
    [
        list(&VECTORS["pipeline"]),
        list(&VECTORS["pipeline_random"]),
    ]
    .concat()
}

#[test]
fn a_bundle_answers_as_the_published_program_or_differs_as_decided() {
    let (mut as_published, mut as_decided, mut by_words) = (0, 0, 0);
    for case in all_cases() {
        let (name, stage) = (text(&case["name"]), Stage::of_bundle(&case));
        let host = built(&stage);
        let quality = found(&case, &stage, &host, "quality");
        let found = found(&case, &stage, &host, "as_is");
        if case["as_is"].get("raises").is_some() {
            assert_words_answer(&case, &stage, &found);
            by_words += 1;
            continue;
        }
        assert_found(&stage, &found, &Rules::as_is(), name);
        // The rules that count where no others are asked for: they have no published answer.
        assert_found(&stage, &quality, &Rules::quality(), name);
        let own = decided(&case);
        let is_all = |own: &[Decision]| {
            let changed = Stage::new(&case, own);
            is_near(&told(&changed, &stage, &found), &changed.totals())
        };
        assert!(is_all(own), "{name}: {own:?} do not explain the answer");
        for decision in own {
            let fewer: Vec<Decision> = own.iter().copied().filter(|d| d != decision).collect();
            assert!(!is_all(&fewer), "{name}: {decision:?} changes nothing");
        }
        if own.is_empty() {
            let totals = told(&Stage::new(&case, own), &stage, &found);
            let published = case["as_is"]["final_scores"].as_object().unwrap();
            let published = published
                .iter()
                .map(|(chunk, total)| (chunk.clone(), real(total)));
            assert!(is_near(&totals, &published.collect()), "{name}: {totals:?}");
            assert_order(&case, &totals);
            as_published += 1;
        } else {
            as_decided += 1;
        }
    }
    assert_eq!((as_published, as_decided, by_words), (20, 17, 2));
}
