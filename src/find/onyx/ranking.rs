//! The full ranking of a question: several queries, the two-field formula, factors, the graph.
//!
//! Order: each query's own ranking → their fusion → factors → the graph. Source: spec/onyx.md §2, §3.

use super::boosts::{age_years, chunk_boost, document_boost, recency_bias, votes_with_rules};
use super::candidates::by_two_fields;
use super::expansion::SubQuery;
use super::phrases;
use crate::base::id::{NodeId, Scored};
use crate::bundle::place;
use crate::bundle::step::{Gather, Step, all};
use crate::bundle::{ATTRIBUTE_NODES, Resident};
use crate::find::answer::result::{Factors, QueryRank, Skipped, VectorTelemetry};
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::meant::Meant;
use crate::find::ask::question::Question;
use crate::find::ask::words;
use crate::find::minirag::Rules;
use crate::find::minirag::over_bundle;
use crate::find::minirag::over_bundle::Connected;
use crate::find::onyx::options::{Hybrid, Keyword, Merge, Scoring, Votes};
use crate::find::onyx::two_field::{KeywordParts, TwoFieldRow, bm25, combined_keyword};
use crate::find::rank::fuse;
use crate::find::rank::fuse::{keep_best, reciprocal_rank, reciprocal_rank_max};
use crate::find::rank::keywords;
use crate::find::rank::mix;
use crate::find::rank::mix::{DEPTH, Lists, Mixed};
use crate::find::rank::relevance::Grounds;
use crate::text::lower;
use crate::text::stop_words::is_stop_word;

/// Candidates whose texts are read for phrases.
const PHRASE_DEPTH: usize = 30;
/// Results whose length is looked at for the factor of small chunks: it is in their branches.
const SMALL_DEPTH: usize = 50;
/// Bytes of a word with the space after it, for a length in words from one in bytes.
const WORD_BYTES: u64 = 6;

/// A ranking, and the values behind it for `explain`.
pub struct Ranking {
    /// Best first.
    pub rows: Vec<Mixed>,
    /// The graph's findings, when it takes part.
    pub connected: Option<Connected>,
    /// Work done, in numbers.
    pub counts: VectorTelemetry,
    /// The inputs of the query as typed, with the words of all queries.
    pub inputs: Inputs,
    /// The steps that were left out.
    pub skipped: Vec<Skipped>,
    /// The queries', in their order.
    pub grounds: Vec<Grounds>,
    two_field: Vec<(NodeId, TwoFieldRow)>,
    factors: Vec<(NodeId, Factors)>,
    queries: Vec<(SubQuery, Vec<Mixed>)>,
}

impl Ranking {
    /// The two-field formula's values for a node; `None` when another formula decided.
    pub fn two_field(&self, node: NodeId) -> Option<TwoFieldRow> {
        let found = self.two_field.iter().find(|(known, _)| *known == node);
        found.map(|(_, row)| *row)
    }

    /// Factors of a node's score.
    pub fn factors(&self, node: NodeId) -> Option<Factors> {
        let found = self.factors.iter().find(|(known, _)| *known == node);
        found.map(|(_, factors)| *factors)
    }

    /// Ranks of a node in the lists of the queries; empty when there was one query.
    pub fn query_ranks(&self, node: NodeId) -> Vec<QueryRank> {
        let of = |(query, rows): &(SubQuery, Vec<Mixed>)| {
            let place = rows.iter().position(|row| row.node == node)?;
            Some(QueryRank {
                query: query.text.clone(),
                weight: query.weight as f32,
                rank: place as u32 + 1,
                score: rows[place].score,
            })
        };
        self.queries.iter().filter_map(of).collect()
    }
}

/// Ranks the nodes in scope for a question and its expansions; `None` when there is nothing to search with.
pub fn rank(store: &Resident, asked: &Asked<'_>, inputs: Inputs) -> Step<Option<Ranking>> {
    let hybrid = &asked.request.hybrid;
    let own = own_place(asked.question, hybrid);
    let mut queries = expanded(store, own, inputs, hybrid)?;
    if queries.iter().all(Inputs::is_empty) && !asked.request.is_open() {
        return Ok(None);
    }
    // Each query may lack parts: what all of them lack is fetched together.
    let lists = queries.iter().map(|query| one(store, asked, query));
    let mut lists: Vec<Ranked> = all(lists.collect())?;
    let counts = VectorTelemetry {
        searches: lists.len(),
        scored: lists.iter().map(|list| list.scored).sum(),
        passed: lists.iter().map(|list| list.rows.len()).sum(),
        ..VectorTelemetry::default()
    };
    let similar = lists
        .iter_mut()
        .map(|list| std::mem::take(&mut list.similar));
    let grounds = queries.iter().zip(similar);
    let grounds = grounds
        .map(|(query, similar)| Grounds::new(query, similar))
        .collect();
    let mut inputs = queries.swap_remove(own);
    inputs.alpha = lists[own].alpha;
    for other in queries {
        inputs.slots.extend(other.slots);
    }
    let mut ranking = Ranking {
        rows: Vec::new(),
        connected: None,
        counts,
        inputs,
        skipped: Vec::new(),
        grounds,
        two_field: Vec::new(),
        factors: Vec::new(),
        queries: Vec::new(),
    };
    if lists.len() == 1 {
        let only = lists.remove(0);
        (ranking.rows, ranking.two_field) = (only.rows, only.two_field);
    } else {
        let rows = lists.into_iter().map(|list| list.rows);
        ranking.queries = hybrid.queries.iter().cloned().zip(rows).collect();
        ranking.rows = merge(&ranking.queries, hybrid.merge);
    }
    if hybrid.has_factors() {
        apply_factors(store, &mut ranking, hybrid)?;
    }
    with_graph(store, asked, &mut ranking)?;
    Ok(Some(ranking))
}

/// Place of the query as typed among the planned ones; an expansion may repeat it.
fn own_place(question: &Question, hybrid: &Hybrid) -> usize {
    let is_own = |sub: &SubQuery| sub.alpha.is_none() && lower(&sub.text) == question.folded;
    hybrid.queries.iter().position(is_own).unwrap_or(0)
}

/// The inputs of each planned query; `own` is the place of the query as typed. Expansions are finished texts: their last
/// words are not completed.
fn expanded(store: &Resident, own: usize, inputs: Inputs, hybrid: &Hybrid) -> Step<Vec<Inputs>> {
    let dims = store.head().parameters.dims as usize;
    let read = |(place, sub): (usize, &SubQuery)| -> Step<Inputs> {
        let mut read = inputs.clone();
        if place != own {
            read.slots = words::read(store, &Question::new(&sub.text), false, false, None)?;
            read.vector = Inputs::vector_of(&read.slots, dims);
        }
        if let Some(alpha) = sub.alpha {
            read.alpha = alpha as f32;
            read.is_alpha_given = true;
        }
        Ok(read)
    };
    if hybrid.queries.is_empty() {
        return Ok(vec![inputs]); // Without a question.
    }
    all(hybrid.queries.iter().enumerate().map(read).collect())
}

/// One query's ranking.
struct Ranked {
    rows: Vec<Mixed>,
    /// The vector list.
    similar: Vec<Scored>,
    two_field: Vec<(NodeId, TwoFieldRow)>,
    scored: usize,
    /// Weight of the vectors.
    alpha: f32,
}

fn one(store: &Resident, asked: &Asked<'_>, inputs: &Inputs) -> Step<Ranked> {
    let (hybrid, limit) = (&asked.request.hybrid, asked.request.limit);
    let is_two_field = hybrid.scoring == Scoring::TwoField;
    let depth = if is_two_field { usize::MAX } else { DEPTH };
    let mut lists = mix::lists(store, inputs, asked, depth)?;
    let scored = lists.keyword.len() + lists.vector.len();
    let mut two_field = Vec::new();
    let rows = if is_two_field {
        two_field = by_two_fields(store, inputs, &lists, hybrid, limit)?;
        let rows = two_field.iter().map(|(node, row)| Mixed {
            node: *node,
            score: row.score as f32,
            keyword: row.content_bm25 as f32,
            vector: row.content_vector as f32,
            graph: 0.0,
        });
        let mut rows: Vec<Mixed> = rows.collect();
        mix::sort(&mut rows);
        rows
    } else {
        if hybrid.keyword == Keyword::Parts {
            lists.keyword = by_parts(store, inputs, &lists)?;
        }
        mix::mix(&lists, inputs)
    };
    Ok(Ranked {
        rows,
        similar: lists.vector,
        two_field,
        scored,
        alpha: if is_two_field {
            inputs.alpha
        } else {
            lists.alpha
        },
    })
}

/// The keyword list by words and phrases of title and content, without function words as long as others are there.
fn by_parts(store: &Resident, inputs: &Inputs, lists: &Lists) -> Step<Vec<Scored>> {
    let mut slots = inputs.slots.clone();
    slots.retain(|slot| !is_stop_word(&slot.term));
    if !slots.iter().any(|slot| slot.occurs()) {
        slots.clone_from(&inputs.slots);
    }
    let phrase: Vec<usize> = (0..slots.len())
        .filter(|&i| slots[i].kind != crate::text::TermKind::Part && slots[i].occurs())
        .collect();
    let read: Vec<NodeId> = lists
        .keyword
        .iter()
        .take(PHRASE_DEPTH)
        .map(|k| k.node)
        .collect();
    let mut gather = Gather::default();
    for &node in &read {
        gather.take(store.text(node));
    }
    gather.done()?;
    let meant = Meant::of(&slots);
    let idf: f32 = phrase.iter().map(|&i| slots[i].importance()).sum();
    // Neither side of the length is known here: it stays neutral.
    let score =
        |frequency: f64| (frequency > 0.0).then(|| bm25(frequency, 1.0, 1.0, f64::from(idf)));
    let average_title = store.head().parameters.average_title;
    let mut list = Vec::with_capacity(lists.keyword.len());
    for (place, node) in lists.keyword.iter().map(|k| k.node).enumerate() {
        let fields = keywords::field_scores(&slots, node, average_title);
        let mut parts = KeywordParts {
            title: fields.title.map(f64::from),
            content: fields.content.map(f64::from),
            ..KeywordParts::default()
        };
        if place < read.len() {
            let text = store.text(node)?;
            let title = &text.node.title;
            let bodies = text.sections.iter().map(|section| section.text.as_str());
            let content = bodies
                .map(|body| phrases::frequency(body, &meant, &phrase))
                .sum();
            parts.title_phrase = score(phrases::frequency(title, &meant, &phrase));
            parts.content_phrase = score(content);
        }
        if let Some(score) = combined_keyword(&parts) {
            list.push(Scored {
                node,
                score: score as f32,
            });
        }
    }
    Scored::sort(&mut list);
    Ok(list)
}

/// Joins the lists of several queries. A score is a share of the best possible one.
fn merge(queries: &[(SubQuery, Vec<Mixed>)], rule: Merge) -> Vec<Mixed> {
    let joined: Vec<(u32, f64)> = match rule {
        Merge::Best => {
            let lists: Vec<Vec<(u32, f64)>> = queries
                .iter()
                .map(|(_, rows)| {
                    rows.iter()
                        .map(|r| (r.node.0, f64::from(r.score)))
                        .collect()
                })
                .collect();
            let lists: Vec<&[(u32, f64)]> = lists.iter().map(Vec::as_slice).collect();
            keep_best(&lists)
        }
        Merge::Rrf(k) => {
            let lists: Vec<Vec<u32>> = queries
                .iter()
                .map(|(_, rows)| rows.iter().map(|r| r.node.0).collect())
                .collect();
            let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            let weights: Vec<f64> = queries.iter().map(|(query, _)| query.weight).collect();
            let most = reciprocal_rank_max(&weights, k);
            let joined = reciprocal_rank(&lists, &weights, k).into_iter();
            joined.map(|(node, score)| (node, score / most)).collect()
        }
    };
    let best_part = |node: NodeId, part: fn(&Mixed) -> f32| {
        let own = queries.iter().flat_map(|(_, rows)| rows);
        own.filter(|r| r.node == node).map(part).fold(0.0, f32::max)
    };
    joined
        .into_iter()
        .take(fuse::DEPTH)
        .map(|(node, score)| (NodeId(node), score))
        .map(|(node, score)| Mixed {
            node,
            score: score as f32,
            keyword: best_part(node, |r| r.keyword),
            vector: best_part(node, |r| r.vector),
            graph: 0.0,
        })
        .collect()
}

/// Multiplies scores by votes, age and length. A score above 1 afterwards scales all of them down.
fn apply_factors(store: &Resident, ranking: &mut Ranking, hybrid: &Hybrid) -> Step<()> {
    let head = store.head();
    let mut gather = Gather::default();
    for row in &ranking.rows {
        gather.take(store.attributes(row.node.0 / ATTRIBUTE_NODES));
    }
    if hybrid.small_chunks {
        for row in ranking.rows.iter().take(SMALL_DEPTH) {
            gather.take(store.branch(head.block_of(row.node)));
        }
    }
    gather.done()?;
    let tag_rules: Vec<_> = hybrid
        .votes
        .iter()
        .filter_map(|votes| match votes {
            Votes::Tag(rule) => Some(rule.clone()),
            Votes::Uri(..) => None,
        })
        .collect();
    let mut factors = Vec::with_capacity(ranking.rows.len());
    for (place, row) in ranking.rows.iter_mut().enumerate() {
        let part = store.attributes(row.node.0 / ATTRIBUTE_NODES)?;
        let attribute = &part.0[(row.node.0 % ATTRIBUTE_NODES) as usize];
        let mut votes = votes_with_rules(0.0, &attribute.tags, &tag_rules);
        if hybrid.votes.len() > tag_rules.len() {
            let uri = place::named_uri(head, row.node, &attribute.name);
            for rule in &hybrid.votes {
                if let Votes::Uri(at, n) = rule
                    && crate::base::uri::is_within(&uri, at)
                {
                    votes += n;
                }
            }
        }
        let is_file = head.directory_at(row.node).is_none();
        let own = Factors {
            document_boost: document_boost(votes) as f32,
            recency_bias: hybrid.recency.map_or(1.0, |r| {
                recency_bias(age_years(attribute.updated_at, r.now), r.decay, r.floor) as f32
            }),
            chunk_boost: if hybrid.small_chunks && is_file && place < SMALL_DEPTH {
                let bytes = place::record(store, row.node)?.size;
                chunk_boost(u32::try_from(bytes / WORD_BYTES).unwrap_or(u32::MAX)) as f32
            } else {
                1.0
            },
        };
        row.score *= own.document_boost * own.recency_bias * own.chunk_boost;
        factors.push((row.node, own));
    }
    let most = ranking.rows.iter().map(|r| r.score).fold(1.0, f32::max);
    ranking.rows.iter_mut().for_each(|r| r.score /= most);
    mix::sort(&mut ranking.rows);
    ranking.factors = factors;
    Ok(())
}

/// Mixes in the graph's findings, when the options give it a weight.
fn with_graph(store: &Resident, asked: &Asked<'_>, ranking: &mut Ranking) -> Step<()> {
    let weight = asked.options.graph.unwrap_or(0.0);
    if weight <= 0.0 {
        return Ok(());
    }
    let rules = if asked.request.hybrid.graph_as_is {
        Rules::as_is()
    } else {
        Rules::quality()
    };
    let is_there = over_bundle::is_there(store);
    let given = &asked.request.hybrid.given;
    let connected = if is_there {
        over_bundle::ask(store, asked.question, given, &ranking.rows, rules)?
    } else {
        None
    };
    let Some(connected) = connected else {
        let reason = if is_there && !given.entities.is_empty() {
            "the graph knows none of `graph_entities`"
        } else if is_there {
            "the query names nothing that the graph knows"
        } else {
            "this bundle has no graph: build it with --graph"
        };
        ranking.skipped.push(Skipped {
            step: "graph".into(),
            reason: reason.into(),
        });
        return Ok(());
    };
    if !connected.unknown.is_empty() {
        ranking.skipped.push(Skipped {
            step: "graph".into(),
            reason: ["the graph does not know ", &connected.unknown.join(", ")].concat(),
        });
    }
    let rows = std::mem::take(&mut ranking.rows);
    ranking.rows = connected.mix(rows, &asked.scope, weight);
    ranking.connected = Some(connected);
    Ok(())
}
