//! Every case of `tests/vectors/minirag_vectors.json` against the library (spec minirag §4), and the fast form of
//! selection against the walk-by-walk one on random graphs.

use knarr::find::minirag::context::{ContextBudget, EntityRow, context, csv, n_within_budget};
use knarr::find::minirag::{
    Budgets, EntityChunks, GraphQuery, Published, QueryEntity, Record, Rules, ScoredWalk,
    Selection, WalkSupport, best, explain, n_answers, published_outcome, records as vote_records,
    select, step_votes, top_by_question, vote, walk_support, weigh_walks,
};
use knarr::graph::{Entity, EntityGraph, Relation};
use knarr::indexer::records::{
    self, Naming, RecordStore, clean, entity_row, is_plain_number, relation_row, row_id, split_by,
    windows,
};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/minirag_vectors.json"))
        .expect("the fixture is JSON")
}

/// The cases of a function; their number is part of the test, so that none is lost silently.
fn cases(function: &str, n: usize) -> Vec<Value> {
    let cases = list(&vectors()["functions"][function]);
    assert_eq!(cases.len(), n, "cases of {function}");
    cases
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().expect("a list").clone()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn texts(value: &Value) -> Vec<String> {
    list(value)
        .iter()
        .map(|value| text(value).to_owned())
        .collect()
}

fn real(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a whole number")).expect("a small one")
}

/// Keys of an object, in order of bytes: the JSON library sorts them.
fn keys(value: &Value) -> Vec<String> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect()
}

/// Keys of an object in the order of the file, for the one function whose result depends on it.
#[derive(Debug, Default)]
struct OrderedKeys(Vec<String>);

impl<'de> Deserialize<'de> for OrderedKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = OrderedKeys;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedKeys, A::Error> {
                let mut keys = OrderedKeys::default();
                while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                    keys.0.push(key);
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// The starts of each case of `path2chunk`, in the order of the file.
fn ordered_starts() -> Vec<OrderedKeys> {
    #[derive(serde::Deserialize)]
    struct File {
        functions: Functions,
    }
    #[derive(serde::Deserialize)]
    struct Functions {
        path2chunk: Vec<Case>,
    }
    #[derive(serde::Deserialize)]
    struct Case {
        scored: OrderedKeys,
    }
    let file: File = serde_json::from_str(include_str!("../vectors/minirag_vectors.json"))
        .expect("the fixture is JSON");
    file.functions
        .path2chunk
        .into_iter()
        .map(|case| case.scored)
        .collect()
}

/// Names as numbers, in order of appearance.
#[derive(Debug, Default, Clone)]
struct Names(Vec<String>);

impl Names {
    fn id(&mut self, name: &str) -> u32 {
        let place = self
            .0
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.0.push(name.to_owned());
                self.0.len() - 1
            });
        u32::try_from(place).expect("few names")
    }

    fn ids(&mut self, names: &Value) -> Vec<u32> {
        list(names).iter().map(|name| self.id(text(name))).collect()
    }

    fn names(&self, ids: &[u32]) -> Vec<&str> {
        ids.iter().map(|id| self.0[*id as usize].as_str()).collect()
    }
}

/// A graph of the fixture with the names of its entities and chunks.
struct Named {
    graph: EntityGraph,
    entities: Names,
    chunks: Names,
}

impl Named {
    fn of_case(case: &Value) -> Self {
        Self::new(case, false)
    }

    /// The published program stores chunks and descriptions of an entity in two lists that need not match. Where the
    /// recommended rules ask for mentions, a chunk beyond the descriptions takes the last of them.
    fn new(case: &Value, aligned: bool) -> Self {
        let value = match case["graph"].as_str() {
            Some(name) => &vectors()["graphs"][name],
            None => &case["graph_inline"],
        };
        let mut named = Self {
            graph: EntityGraph::new(),
            entities: Names::default(),
            chunks: Names::default(),
        };
        for node in list(&value["nodes"]) {
            let kind = named.graph.type_number(text(&node["type"]));
            let mut entity = Entity {
                name: text(&node["name"]).to_owned(),
                kind,
                aliases: Vec::new(),
                chunks: named.chunks.ids(&node["source_id"]),
                texts: texts(&node["description"]),
            };
            if let Some(last) = entity.texts.last().cloned().filter(|_| aligned) {
                entity.texts.resize(entity.chunks.len(), last);
            }
            named.entities.id(&entity.name);
            named.graph.add_entity(entity);
        }
        for edge in list(&value["edges"]) {
            let (a, b) = (
                named.entities.id(text(&edge["src_id"])),
                named.entities.id(text(&edge["tgt_id"])),
            );
            let chunks = named.chunks.ids(&edge["source_id"]);
            let added = named.graph.add_relation(Relation {
                a,
                b,
                chunks,
                ..Relation::default()
            });
            assert!(added.is_some(), "edges of the fixture are distinct");
        }
        named
    }

    fn pairs(&mut self, value: &Value) -> Vec<(u32, u32)> {
        let ids: Vec<Vec<u32>> = list(value)
            .iter()
            .map(|pair| self.entities.ids(pair))
            .collect();
        ids.iter().map(|pair| (pair[0], pair[1])).collect()
    }
}

#[test]
fn every_block_of_the_fixture_has_a_test() {
    assert_eq!(keys(&vectors()).len(), 5);
    assert_eq!(keys(&vectors()["functions"]).len(), 20);
    assert_eq!(keys(&vectors()["graphs"]).len(), 2);
    assert_eq!(list(&vectors()["pipeline"]).len(), 19);
    assert_eq!(list(&vectors()["pipeline_random"]).len(), 20);
}

#[test]
fn steps_and_answers_on_a_walk() {
    for case in cases("is_continuous_subsequence", 9) {
        let mut names = Names::default();
        let (pair, path) = (names.ids(&case["pair"]), names.ids(&case["path"]));
        assert_eq!(
            step_votes((pair[0], pair[1]), &path),
            case["out"],
            "{}",
            case["name"]
        );
    }
    for case in cases("count_elements_in_tuple", 6) {
        let mut names = Names::default();
        let (path, answers) = (names.ids(&case["path"]), names.ids(&case["answers"]));
        assert_eq!(
            n_answers(&path, &answers),
            count(&case["out"]),
            "{}",
            case["name"]
        );
    }
    for case in cases("cal_path_score_list", 3) {
        let mut names = Names::default();
        let answers = names.ids(&case["answers"]);
        for entity in keys(&case["candidates"]) {
            // The published result is a map by walk, so a repeated walk is one entry.
            let mut walks: Vec<Vec<u32>> = Vec::new();
            for walk in list(&case["candidates"][&entity]["Path"]) {
                let walk = names.ids(&walk);
                if !walks.contains(&walk) {
                    walks.push(walk);
                }
            }
            let expected = list(&case["out"][&entity]["Path"]);
            assert_eq!(walks.len(), expected.len(), "{}", case["name"]);
            for (walk, expected) in walks.iter().zip(expected) {
                assert_eq!(*walk, names.ids(&expected["path"]));
                assert_eq!(n_answers(walk, &answers), count(&expected["scores"][0]));
            }
        }
    }
    for case in cases("edge_vote_path", 4) {
        let mut names = Names::default();
        let good: Vec<Vec<u32>> = list(&case["good_edges"])
            .iter()
            .map(|pair| names.ids(pair))
            .collect();
        let mut n_voted = 0;
        for entity in keys(&case["out"]) {
            for walk in list(&case["out"][&entity]["Path"]) {
                let ids = names.ids(&walk["path"]);
                let voting: Vec<&Vec<u32>> = good
                    .iter()
                    .filter(|pair| step_votes((pair[0], pair[1]), &ids))
                    .collect();
                assert_eq!(voting.len(), count(&walk["scores"][1]), "{}", case["name"]);
                let pairs = list(&case["pairs_append"]);
                let listed = pairs.iter().find(|row| row["path"] == walk["path"]);
                assert_eq!(listed.is_some(), !voting.is_empty());
                n_voted += usize::from(listed.is_some());
                let listed = listed.map_or_else(Vec::new, |row| list(&row["edges"]));
                let listed: Vec<Vec<u32>> = listed.iter().map(|pair| names.ids(pair)).collect();
                assert_eq!(voting, listed.iter().collect::<Vec<_>>());
            }
        }
        assert_eq!(n_voted, list(&case["pairs_append"]).len());
    }
}

#[test]
fn walks_are_extended_at_their_end() {
    for case in cases("merge_tuples", 8) {
        // The case as a graph: the walk's own steps first, then the edges of its last entity.
        let mut names = Names::default();
        let walk = names.ids(&list(&case["walks"])[0]);
        let steps = walk
            .windows(2)
            .map(|step| (step[0], step[1]))
            .collect::<Vec<_>>();
        let more: Vec<Vec<u32>> = list(&case["edges_of_last"])
            .iter()
            .map(|pair| names.ids(pair))
            .collect();
        let out: Vec<Vec<u32>> = list(&case["out"])
            .iter()
            .map(|walk| names.ids(walk))
            .collect();
        let mut graph = EntityGraph::new();
        for name in &names.0 {
            graph.add_entity(Entity {
                name: name.clone(),
                ..Entity::default()
            });
        }
        for (a, b) in steps
            .into_iter()
            .chain(more.iter().map(|pair| (pair[0], pair[1])))
        {
            // Already there for the step that leads to the last entity.
            graph.add_relation(Relation {
                a,
                b,
                ..Relation::default()
            });
        }
        assert_eq!(graph.extend(&walk), out, "{}", case["name"]);
    }
}

#[test]
fn walks_of_one_to_three_hops() {
    for case in cases("get_neighbors_within_k_hops", 31) {
        let mut named = Named::of_case(&case);
        let start = named.entities.id(text(&case["start"]));
        let walks = named.graph.walks(start, count(&case["k"]));
        let walks: Vec<Vec<&str>> = walks
            .iter()
            .map(|walk| named.entities.names(walk))
            .collect();
        let expected: Vec<Vec<String>> = list(&case["out"]).iter().map(texts).collect();
        assert_eq!(walks, expected, "{} {}", case["start"], case["k"]);
    }
}

#[test]
fn texts_by_likeness_to_the_question() {
    for case in cases("calculate_similarity_levenshtein", 5) {
        let (texts, query, k) = (
            texts(&case["texts"]),
            text(&case["query"]),
            count(&case["k"]),
        );
        let expected: Vec<usize> = list(&case["out"]).iter().map(count).collect();
        assert_eq!(
            top_by_question(&texts, query, k, false),
            expected,
            "{}",
            case["name"]
        );
    }
}

/// A graph of three entities with the types of a case.
fn typed(case: &Value) -> (EntityGraph, Names) {
    let (mut graph, mut names) = (EntityGraph::new(), Names::default());
    for name in keys(&case["node_types"]) {
        let kind = graph.type_number(text(&case["node_types"][&name]));
        names.id(&name);
        graph.add_entity(Entity {
            name,
            kind,
            ..Entity::default()
        });
    }
    (graph, names)
}

#[test]
fn entities_by_type() {
    for case in cases("get_node_from_types", 6) {
        let (graph, names) = typed(&case);
        let wanted = texts(&case["types_asked"]);
        let query = GraphQuery {
            answer_types: &wanted,
            ..GraphQuery::default()
        };
        // An answer entity supports the walk that consists of it alone; a loop makes that walk.
        let of_type = |rules: &Rules| -> Vec<u32> {
            let looped = |entity: u32| {
                let mut graph = graph.clone();
                graph.add_relation(Relation {
                    a: entity,
                    b: entity,
                    ..Relation::default()
                });
                walk_support(&graph, &query, rules, entity)[0].answers == 1
            };
            (0..names.0.len() as u32)
                .filter(|entity| looped(*entity))
                .collect()
        };
        assert_eq!(
            names.names(&of_type(&Rules::as_is())),
            texts(&case["out"]),
            "{wanted:?}"
        );
        if wanted == ["person"] || wanted == ["Person"] || wanted == ["\"PERSON\""] {
            assert_eq!(
                names.names(&of_type(&Rules::default())),
                ["A", "B"],
                "folded {wanted:?}"
            );
        }
    }
    for case in cases("get_types", 1) {
        // Published: always empty. Ours: the types that are there.
        assert_eq!(
            list(&case["out"]),
            [Value::Array(Vec::new()), Value::Array(Vec::new())]
        );
        assert_eq!(
            typed(&case).0.types_present(),
            ["\"PERSON\"", "person", "LOCATION"]
        );
    }
}

#[test]
fn walks_to_chunks_as_published() {
    let rules = Rules::as_is();
    let orders = ordered_starts();
    for (case, order) in cases("path2chunk", 12).into_iter().zip(orders) {
        let mut named = Named::of_case(&case);
        let append: Vec<Value> = list(&case["pairs_append"]);
        let mut starts = Vec::new();
        for entity in order.0 {
            let mut walks = Vec::new();
            for walk in list(&case["scored"][&entity]["Path"]) {
                let voting = append.iter().find(|row| row["path"] == walk["path"]);
                walks.push(ScoredWalk {
                    support: WalkSupport {
                        walk: named.entities.ids(&walk["path"]),
                        answers: count(&walk["scores"][0]) as u32,
                        votes: count(&walk["scores"][1]) as u32,
                    },
                    voting: voting.map_or_else(Vec::new, |row| named.pairs(&row["edges"])),
                });
            }
            starts.push((named.entities.id(&entity), walks));
        }
        let weights = weigh_walks(&named.graph, Some(text(&case["query"])), &rules, &starts);
        assert_eq!(weights.len(), keys(&case["out"]).len());
        for ((entity, _), weights) in starts.iter().zip(weights) {
            let chunks = best(&weights, count(&case["max_chunks"]), false);
            let name = &named.entities.0[*entity as usize];
            assert_eq!(
                named.chunks.names(&chunks),
                texts(&case["out"][name]["Path"]),
                "{} {name}",
                case["name"]
            );
        }
    }
}

#[test]
fn the_final_vote() {
    for case in cases("scorednode2chunk", 2) {
        let (mut entities, mut chunks) = (Names::default(), Names::default());
        let mut candidates = Vec::new();
        for name in keys(&case["values"]) {
            let value = &case["values"][&name];
            candidates.push(EntityChunks {
                entity: entities.id(&name),
                score: real(&value["Score"]),
                weights: Vec::new(),
                chunks: chunks.ids(&value["Path"]),
            });
        }
        let mut names = Vec::new();
        for name in keys(&case["ent_from_query_dict"]) {
            let ids = entities.ids(&case["ent_from_query_dict"][&name]);
            names.push(QueryEntity {
                hits: ids.into_iter().map(|id| (id, 0.0)).collect(),
                text: name,
            });
        }
        let got = vote_records(&names, &candidates, &Rules::as_is());
        assert_eq!(got.len(), keys(&case["out"]).len());
        for (name, (_, records)) in names.iter().zip(got) {
            let expected = list(&case["out"][&name.text]);
            assert_eq!(records.len(), expected.len(), "{}", case["name"]);
            for (record, expected) in records.iter().zip(expected) {
                assert_eq!(record.score, real(&expected["Score"]));
                let ids: Vec<u32> = record.chunks.iter().map(|pair| pair.0).collect();
                assert_eq!(chunks.names(&ids), texts(&expected["Path"]));
            }
        }
    }
    for case in cases("kwd2chunk", 13) {
        let mut chunks = Names::default();
        let mut lists = Vec::new();
        for (place, name) in (0..).zip(keys(&case["ent_from_query_dict"])) {
            let record = |value: &Value| Record {
                entity: 0,
                score: real(&value["Score"]),
                chunks: chunks
                    .ids(&value["Path"])
                    .into_iter()
                    .map(|chunk| (chunk, 1.0))
                    .collect(),
            };
            lists.push((
                place,
                list(&case["ent_from_query_dict"][&name])
                    .iter()
                    .map(record)
                    .collect(),
            ));
        }
        let hits = chunks.ids(&case["chunks_ids"]);
        let (totals, _) = vote(&lists, &hits, &Rules::as_is());
        let got = best(&totals, count(&case["chunk_nums"]), false);
        assert_eq!(chunks.names(&got), texts(&case["out"]), "{}", case["name"]);
        if case["name"] == "head_in_vector_hits_multiplies_whole_list" {
            // Worked by hand in the spec: only the confirmed chunk itself is multiplied.
            let (totals, _) = vote(&lists, &hits, &Rules::default());
            assert_eq!(totals, [(0, 16.0), (1, 1.6), (2, 0.6)]);
        }
    }
}

#[test]
fn text_helpers() {
    for case in cases("split_string_by_multi_markers", 4) {
        let markers = texts(&case["markers"]);
        let markers: Vec<&str> = markers.iter().map(String::as_str).collect();
        assert_eq!(split_by(text(&case["text"]), &markers), texts(&case["out"]));
    }
    for case in cases("list_of_list_to_csv", 2) {
        let field = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let rows: Vec<Vec<String>> = list(&case["rows"])
            .iter()
            .map(|row| list(row).iter().map(field).collect())
            .collect();
        assert_eq!(csv(&rows), text(&case["out"]));
    }
    for case in cases("is_float_regex", 8) {
        assert_eq!(
            is_plain_number(text(&case["in"])),
            case["out"],
            "{}",
            case["in"]
        );
    }
    for case in cases("clean_str", 3) {
        assert_eq!(clean(text(&case["in"])), text(&case["out"]));
    }
    for case in cases("compute_mdhash_id", 3) {
        assert_eq!(
            row_id(text(&case["prefix"]), text(&case["in"])),
            text(&case["out"])
        );
    }
    for case in cases("chunking_by_token_size", 5) {
        let got = windows(
            count(&case["words"]),
            count(&case["max"]),
            count(&case["overlap"]),
        );
        let expected = list(&case["out"]);
        assert_eq!(got.len(), expected.len());
        for (place, (window, expected)) in got.iter().zip(expected).enumerate() {
            let words: Vec<String> = window.clone().map(|i| format!("w{i}")).collect();
            assert_eq!(words.join(" "), text(&expected["content"]));
            assert_eq!(
                (words.len(), place),
                (
                    count(&expected["tokens"]),
                    count(&expected["chunk_order_index"])
                )
            );
        }
    }
    for case in cases("truncate_list_by_token_size", 4) {
        let all = texts(&case["texts"]);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let n_kept = n_within_budget(&all, count(&case["max"]), &n_words);
        assert_eq!(all[..n_kept], texts(&case["out"])[..]);
    }
}

fn n_words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn an_endpoints_text_becomes_a_graph_and_rows() {
    let case = &vectors()["functions"]["extract_entities"];
    let mut store = RecordStore::default();
    let chunks = keys(&case["llm_output_by_chunk"]);
    for (chunk, name) in (0..).zip(&chunks) {
        store.set(
            chunk,
            records::parse(text(&case["llm_output_by_chunk"][name])),
        );
    }
    let merged = store.merge(Naming::Published);
    let sources = |ids: &mut dyn Iterator<Item = u32>| {
        ids.map(|id| chunks[id as usize].clone())
            .collect::<Vec<_>>()
    };
    let nodes = list(&case["nodes"]);
    assert_eq!(merged.entities.len(), nodes.len());
    for (entity, node) in merged.entities.iter().zip(&nodes) {
        assert_eq!(entity.name, text(&node["name"]));
        assert_eq!(entity.kind, text(&node["entity_type"]));
        assert_eq!(entity.descriptions(), texts(&node["description"]));
        assert_eq!(
            sources(&mut entity.chunks().into_iter()),
            texts(&node["source_id_sorted"])
        );
    }
    let edges = list(&case["edges"]);
    assert_eq!(merged.relations.len(), edges.len());
    let relation_rows = case["relationships_vdb"].as_object().expect("rows");
    assert_eq!(relation_rows.len(), edges.len());
    for (&(a, b), relation) in &merged.relations {
        let (a, b) = (&merged.entities[a].name, &merged.entities[b].name);
        let named = |edge: &&Value| {
            let pair = texts(&edge["pair"]);
            pair == [a.clone(), b.clone()] || pair == [b.clone(), a.clone()]
        };
        let edge = edges.iter().find(named).expect("an edge of the fixture");
        assert_eq!(relation.weight, real(&edge["weight"]));
        assert_eq!(
            relation.keywords.iter().cloned().collect::<Vec<_>>(),
            texts(&edge["keywords"])
        );
        assert_eq!(
            relation.descriptions.iter().cloned().collect::<Vec<_>>(),
            texts(&edge["description"])
        );
        assert_eq!(
            sources(&mut relation.chunks.iter().copied()),
            texts(&edge["source_id_sorted"])
        );
        let row = &relation_rows[&row_id("rel-", &format!("{a}{b}"))];
        assert_eq!(
            (text(&row["src_id"]), text(&row["tgt_id"])),
            (a.as_str(), b.as_str())
        );
        assert_eq!(text(&row["content"]), relation_row(a, b, relation));
    }
    let declared: Vec<_> = merged
        .entities
        .iter()
        .filter(|entity| entity.declared)
        .collect();
    for (store, prefix) in [("entities_vdb", "ent-"), ("entity_name_vdb", "Ename-")] {
        let rows = case[store].as_object().expect("rows");
        assert_eq!(rows.len(), declared.len());
        for entity in &declared {
            let row = &rows[&row_id(prefix, &entity.name)];
            assert_eq!(text(&row["entity_name"]), entity.name);
            let content = if store == "entities_vdb" {
                entity_row(entity)
            } else {
                entity.name.clone()
            };
            assert_eq!(text(&row["content"]), content);
        }
    }
}

/// A case of the whole stage with everything it refers to.
struct Stage {
    named: Named,
    query_text: String,
    entities: Vec<QueryEntity>,
    answer_types: Vec<String>,
    relations: Vec<(u32, u32)>,
    chunks: Vec<u32>,
    final_chunks: usize,
}

impl Stage {
    /// Hit lists are cut to what the published program asks its stores for.
    fn new(case: &Value, aligned: bool) -> Self {
        let mut named = Named::new(case, aligned);
        let top_k = count(&case["top_k"]);
        let given = list(&case["entity_hits"]);
        let budgets = Budgets::new(top_k, given.len());
        let mut entities = Vec::new();
        for name in given {
            let mut hits = Vec::new();
            for hit in list(&name["hits"]).iter().take(budgets.entities) {
                hits.push((
                    named.entities.id(text(&hit["entity_name"])),
                    real(&hit["score"]),
                ));
            }
            entities.push(QueryEntity {
                text: text(&name["query_entity"]).to_owned(),
                hits,
            });
        }
        let mut relations = named.pairs(&case["edge_hits"]);
        // With no name there is no budget, but the case asks the recommended rules with all relations.
        if !entities.is_empty() {
            relations.truncate(budgets.relations);
        }
        let mut chunks = named.chunks.ids(&case["chunk_hits"]);
        chunks.truncate(budgets.chunks);
        Self {
            named,
            query_text: text(&case["query"]).to_owned(),
            entities,
            answer_types: texts(&case["answer_types"]),
            relations,
            chunks,
            final_chunks: budgets.final_chunks,
        }
    }

    fn query(&self) -> GraphQuery<'_> {
        GraphQuery {
            text: Some(&self.query_text),
            entities: &self.entities,
            answer_types: &self.answer_types,
            relations: &self.relations,
            chunks: &self.chunks,
            final_chunks: self.final_chunks,
        }
    }

    fn assert_selection(&self, rules: &Rules, expected: &Value, what: &Value) -> Selection {
        let (query, named) = (self.query(), &self.named);
        let got = select(&named.graph, &query, rules);
        let candidates: Vec<u32> = got
            .candidates
            .iter()
            .map(|candidate| candidate.entity)
            .collect();
        assert_eq!(
            named.entities.names(&candidates),
            texts(&expected["candidates"]),
            "{what}"
        );
        assert_eq!(candidates.len(), keys(&expected["entity_chunks"]).len());
        for candidate in &got.candidates {
            let name = &named.entities.0[candidate.entity as usize];
            assert_eq!(
                named.chunks.names(&candidate.chunks),
                texts(&expected["entity_chunks"][name]),
                "{what} chunks of {name}"
            );
            let support = walk_support(&named.graph, &query, rules, candidate.entity);
            let expected_walks = list(&expected["walk_support"][name]);
            assert_eq!(
                support.len(),
                expected_walks.len(),
                "{what} walks of {name}"
            );
            for (support, expected) in support.iter().zip(expected_walks) {
                assert_eq!(
                    named.entities.names(&support.walk),
                    texts(&expected["path"]),
                    "{what}"
                );
                assert_eq!(
                    support.answers as usize,
                    count(&expected["answers"]),
                    "{what} {support:?}"
                );
                assert_eq!(
                    support.votes as usize,
                    count(&expected["votes"]),
                    "{what} {support:?}"
                );
            }
            if let Some(weights) = expected.get("chunk_weights") {
                assert_scores(&named.chunks, &candidate.weights, &weights[name], what);
            }
        }
        assert_scores(&named.chunks, &got.totals, &expected["final_scores"], what);
        assert_eq!(
            named.chunks.names(&got.chunks),
            texts(&expected["final"]),
            "{what} final"
        );
        got
    }

    /// The context of the published program, with the stub texts and word counts of the fixture.
    fn context(&self, selection: &Selection) -> String {
        let graph = &self.named.graph;
        let joined: Vec<String> = selection
            .candidates
            .iter()
            .map(|c| graph.entities()[c.entity as usize].texts.join("<SEP>"))
            .collect();
        let row = |(candidate, description): (&EntityChunks, &'_ String)| {
            (candidate.entity, candidate.score, description.clone())
        };
        let rows: Vec<(u32, f64, String)> =
            selection.candidates.iter().zip(&joined).map(row).collect();
        let rows: Vec<EntityRow<'_>> = rows
            .iter()
            .map(|(entity, score, description)| EntityRow {
                name: &graph.entities()[*entity as usize].name,
                score: *score,
                description,
            })
            .collect();
        let sources: Vec<String> = self
            .named
            .chunks
            .names(&selection.chunks)
            .iter()
            .map(|name| format!("text of {name}"))
            .collect();
        let sources: Vec<Option<&str>> =
            sources.iter().map(|source| Some(source.as_str())).collect();
        let budget = ContextBudget {
            sources: usize::MAX,
            ..ContextBudget::default()
        };
        context(&rows, &sources, budget, &n_words)
    }
}

fn assert_scores(names: &Names, got: &[(u32, f64)], expected: &Value, what: &Value) {
    assert_eq!(
        got.len(),
        keys(expected).len(),
        "{what}: {got:?} instead of {expected}"
    );
    for (chunk, score) in got {
        let expected = real(&expected[&names.0[*chunk as usize]]);
        assert!(
            (score - expected).abs() <= 1e-9,
            "{what}: {score} instead of {expected}"
        );
    }
}

#[test]
fn the_whole_stage_as_published_and_as_recommended() {
    let (mut n_published, mut n_recommended) = (0, 0);
    for case in list(&vectors()["pipeline"])
        .iter()
        .chain(&list(&vectors()["pipeline_random"]))
    {
        let name = &case["name"];
        let stage = Stage::new(case, true);
        stage.assert_selection(&Rules::default(), &case["recommended"], name);
        n_recommended += 1;
        let stage = Stage::new(case, false);
        let published = &case["as_is"];
        let outcome = published_outcome(&stage.named.graph, &stage.query());
        if published.get("raises").is_some() {
            assert_eq!(outcome, Published::Stops, "{name}");
            continue;
        }
        n_published += 1;
        let budgets = Budgets::new(count(&case["top_k"]), stage.entities.len());
        assert_eq!(
            budgets.relations,
            count(&published["edge_query"]["top_k"]),
            "{name}"
        );
        assert_eq!(case["query"], published["edge_query"]["text"]);
        assert_eq!(
            budgets.chunks,
            count(&published["chunk_query_top_k"]),
            "{name}"
        );
        let selection = stage.assert_selection(&Rules::as_is(), published, name);
        assert_eq!(
            published["returned_none"],
            outcome == Published::Nothing,
            "{name}"
        );
        if let Some(expected) = published.get("context").and_then(Value::as_str) {
            assert_eq!(stage.context(&selection), expected, "{name}");
        }
    }
    assert_eq!((n_published, n_recommended), (37, 39));
}

#[test]
fn a_chunk_explains_itself() {
    let case = &list(&vectors()["pipeline"])[0];
    let stage = Stage::new(case, true);
    let rules = Rules::default();
    let selection = select(&stage.named.graph, &stage.query(), &rules);
    for (chunk, total) in &selection.totals {
        let reasons = explain(
            &stage.named.graph,
            &stage.query(),
            &rules,
            &selection,
            *chunk,
        );
        let sum: f64 = reasons.iter().map(|reason| reason.amount).sum();
        assert!((sum - total).abs() < 1e-9);
        assert!(
            reasons
                .iter()
                .all(|reason| reason.walk.walk[0] == reason.entity)
        );
    }
    let first = explain(
        &stage.named.graph,
        &stage.query(),
        &rules,
        &selection,
        selection.chunks[0],
    );
    // c3 gains most from the launch: doubled as the best match of its name and confirmed by the chunk hits.
    assert!((first[0].amount - 0.88 * 2.0 * 10.0).abs() < 1e-9);
    assert_eq!(
        stage.named.entities.names(&first[0].walk.walk),
        ["LAUNCH", "PARIS", "BOB"]
    );
    assert_eq!((first[0].walk.answers, first[0].walk.votes), (1, 1));
}

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
            graph.cap_neighbours(1 + self.below(4) as usize);
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
