//! The fast form of selection against its naive twin on random graphs.

use crate::oracle::minirag::{step_votes, top_by_question};
use knarr::find::minirag::{GraphQuery, QueryEntity, Rules, select, walk_support};
use knarr::graph::{Entity, EntityGraph, Relation};

/// A small multiplicative generator: the same graphs in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn chunks(&mut self) -> Vec<u32> {
        (0..self.below(9)).map(|_| self.below(12) as u32).collect()
    }

    fn graph(&mut self) -> EntityGraph {
        let mut graph = EntityGraph::new();
        let n = 1 + self.below(9) as u32;
        for i in 0..n {
            let kind = graph.type_number(["PERSON", "\"EVENT\"", "place"][self.below(3) as usize]);
            let chunks = self.chunks();
            let stored = if self.below(3) == 0 { 0 } else { chunks.len() };
            let texts = (0..stored)
                .map(|_| ["alpha beta", "beta", "gamma alpha 巴黎"][self.below(3) as usize].into())
                .collect();
            graph.add_entity(Entity {
                name: format!("n{i}"),
                kind,
                aliases: Vec::new(),
                chunks,
                texts,
            });
        }
        for _ in 0..self.below(16) {
            let (a, b) = (
                self.below(u64::from(n)) as u32,
                self.below(u64::from(n)) as u32,
            );
            let chunks = self.chunks();
            graph.add_relation(Relation {
                a,
                b,
                weight: self.below(4) as f32,
                chunks,
                ..Relation::default()
            });
        }
        if self.below(2) == 0 {
            graph.cap_neighbors(1 + self.below(4) as usize);
        }
        graph
    }
}

/// The naive twin: every walk of two hops, every chunk it passes, no sums by source. Text and big nodes as the rules
/// say is the library's; what is checked is the adding up.
fn naive_weights(
    graph: &EntityGraph,
    query: &GraphQuery<'_>,
    start: u32,
    passed: &[Vec<u32>],
) -> Vec<(u32, f64)> {
    let mut total: Vec<(u32, f64)> = Vec::new();
    let mut add = |chunk: u32, weight: f64| match total.iter_mut().find(|pair| pair.0 == chunk) {
        Some(pair) => pair.1 += weight,
        None => total.push((chunk, weight)),
    };
    let own = &graph.entities()[start as usize].chunks;
    let walks = walk_support(graph, query, &Rules::default(), start);
    if walks.is_empty() {
        own.iter().for_each(|chunk| add(*chunk, 1.0));
    }
    for walk in walks {
        let factor = 1.0 + f64::from(walk.answers) + f64::from(walk.votes);
        let is_step = |pair: (u32, u32)| {
            step_votes(pair, &walk.walk) || step_votes((pair.1, pair.0), &walk.walk)
        };
        // A relation hit must touch an important entity; every entity of these queries is matched.
        for pair in query.relations.iter().filter(|pair| is_step(**pair)) {
            let relation = graph.relation_between(pair.0, pair.1).expect("a step");
            graph.relations()[relation as usize]
                .chunks
                .iter()
                .for_each(|chunk| add(*chunk, factor));
        }
        own.iter().for_each(|chunk| add(*chunk, factor));
        for node in &walk.walk[1..] {
            passed[*node as usize]
                .iter()
                .for_each(|chunk| add(*chunk, factor));
        }
    }
    total
}

#[test]
fn adding_up_by_source_equals_walking() {
    let mut random = Random(2026);
    let mut n_weights = 0;
    for _ in 0..400 {
        let graph = random.graph();
        let n = graph.entities().len() as u32;
        let hits: Vec<(u32, f64)> = (0..n)
            .map(|entity| (entity, random.below(100) as f64 / 100.0))
            .collect();
        let entities = [QueryEntity {
            text: "q".into(),
            hits,
        }];
        let relations: Vec<(u32, u32)> = (0..random.below(6))
            .map(|_| {
                (
                    random.below(u64::from(n)) as u32,
                    random.below(u64::from(n)) as u32,
                )
            })
            .collect();
        let chunks: Vec<u32> = (0..random.below(4) as u32).collect();
        let types = ["person".to_owned(), "Event".to_owned()];
        let query = GraphQuery {
            text: Some("alpha 巴黎 gamma"),
            entities: &entities,
            answer_types: &types[..random.below(3) as usize],
            relations: &relations,
            chunks: &chunks,
            final_chunks: 5,
        };
        let rules = Rules {
            keep_isolated: 1.0,
            ..Rules::default()
        };
        let got = select(&graph, &query, &rules);
        assert_eq!(got.candidates.len(), n as usize);
        // What each entity gives to a walk, read off a walk of two entities of which only the second has a say.
        let passed: Vec<Vec<u32>> = (0..n)
            .map(|entity| passed_by(&graph, &query, entity))
            .collect();
        for candidate in &got.candidates {
            assert_eq!(
                candidate.weights,
                naive_weights(&graph, &query, candidate.entity, &passed)
            );
            n_weights += candidate.weights.len();
        }
    }
    assert!(n_weights > 5000, "the graphs are not trivial: {n_weights}");
}

/// Mentions of an entity that count on a walk, written out naively from spec minirag §2.6.
fn passed_by(graph: &EntityGraph, query: &GraphQuery<'_>, entity: u32) -> Vec<u32> {
    let entity = &graph.entities()[entity as usize];
    let n = entity.chunks.len();
    if n <= 5 {
        return entity.chunks.clone();
    }
    if entity.texts.len() == n {
        let question = query.text.expect("every query has a text");
        let kept = top_by_question(&entity.texts, question, 5.max(n / 2), true);
        return kept
            .into_iter()
            .map(|mention| entity.chunks[mention])
            .collect();
    }
    let place = |chunk: &u32| {
        query
            .chunks
            .iter()
            .position(|hit| hit == chunk)
            .unwrap_or(query.chunks.len())
    };
    let mut ranked = entity.chunks.clone();
    ranked.sort_by_key(place);
    ranked.truncate(if query.chunks.is_empty() {
        n
    } else {
        5.max(n / 2)
    });
    ranked
}

#[test]
fn switches_that_need_walking_agree_where_they_do_not_matter() {
    // On graphs in which a start has one walk, the last walk is the sum.
    let mut graph = EntityGraph::new();
    for name in ["a", "b", "c"] {
        graph.add_entity(Entity {
            name: name.into(),
            chunks: vec![1, 2],
            ..Entity::default()
        });
    }
    graph.add_relation(Relation {
        a: 0,
        b: 1,
        chunks: vec![3],
        ..Relation::default()
    });
    graph.add_relation(Relation {
        a: 1,
        b: 2,
        chunks: vec![4],
        ..Relation::default()
    });
    let entities = [QueryEntity {
        text: "a".into(),
        hits: vec![(0, 0.5)],
    }];
    let relations = [(0, 1), (1, 2)];
    let query = GraphQuery {
        text: Some("q"),
        entities: &entities,
        relations: &relations,
        chunks: &[9],
        final_chunks: 4,
        ..GraphQuery::default()
    };
    let fast = select(&graph, &query, &Rules::default());
    let walked = select(
        &graph,
        &query,
        &Rules {
            sum_over_walks: false,
            ..Rules::default()
        },
    );
    assert_eq!(fast, walked);
    // One walk with one vote, so a factor of 2: the relation of b and c touches no matched entity and has no say, and
    // each of three entities mentions chunks 1 and 2.
    assert_eq!(fast.candidates[0].weights, [(3, 2.0), (1, 6.0), (2, 6.0)]);
    assert_eq!(fast.chunks, [1, 2, 3, 9]);
    // With any hit boosted and shares by weight, a hit on chunk 3 lifts it above: 0.5 × 2 × 10 / 3 against 0.5 × 2.
    let query = GraphQuery {
        chunks: &[3],
        ..query
    };
    assert_eq!(select(&graph, &query, &Rules::quality()).chunks, [3, 1, 2]);
}
