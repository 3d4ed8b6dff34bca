//! Hybrid relevance: the keyword list and the vector list of one question, mixed by weight.
//!
//! Source: spec/onyx.md §2.2 (min–max per list, weighted mean), spec/embedding.md §5 (weights beat ranks).

use super::cover;
use super::fuse::weighted_lists;
use crate::base::id::{NodeId, Scored};
use crate::base::order;
use crate::bundle::step::{Gather, Step, both};
use crate::bundle::{DIRECTORY_ROWS, Resident};
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::scope::Scope;
use crate::find::rank::keywords;
use crate::find::rank::keywords::FieldWeights;
use crate::vectors::QueryVector;

/// Candidates of each list. Source: spec/onyx.md §2.2; small values hurt recall.
pub const DEPTH: usize = 500;
/// Without any word in common, a node is an answer only from this similarity on.
const ALONE_FROM: f32 = 0.25;
/// The place that the best node by similarity has at least where words cover little of the question.
const RESERVED: usize = 2;

/// Stands for the nodes without a word of the question.
const NOBODY: u32 = u32::MAX;

/// A node's score and where it came from.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mixed {
    /// Node that is scored.
    pub node: NodeId,
    /// Mixed score in [0, 1].
    pub score: f32,
    /// Normalized keyword score, 0 when no word is in the node.
    pub keyword: f32,
    /// Normalized similarity, 0 when the node was not looked at.
    pub vector: f32,
    /// Normalized vote of the graph, 0 without it or when it does not lead here.
    pub graph: f32,
}

/// The two lists of one question, raw scores, best first.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// Keyword scores.
    pub keyword: Vec<Scored>,
    /// Similarities; cosines as far as four bits tell them.
    pub vector: Vec<Scored>,
    /// One file alone has a word of the question. Beside its directory, which has it too, it would be scaled to nothing,
    /// below files without any: its score is counted from 0.
    pub is_one_file: bool,
    /// Weight of the similarities, in [0, 1].
    pub alpha: f32,
    /// The best node by similarity, where words cover little of the question.
    pub reserved: Option<NodeId>,
}

/// The lists of a question; at most [`DEPTH`] keyword hits and `depth` of the nodes whose vectors were looked at.
pub fn lists(store: &Resident, inputs: &Inputs, asked: &Asked<'_>, depth: usize) -> Step<Lists> {
    let (p, scope) = (&store.head().parameters, &asked.scope);
    let mut keyword = if inputs.alpha < 1.0 {
        keywords::score(
            &inputs.slots,
            p.n_nodes,
            p.average_title,
            scope,
            FieldWeights::of(inputs.sentence),
            DEPTH,
        )
    } else {
        Vec::new()
    };
    damp_and_sort(store, &mut keyword);
    let vector = match &inputs.vector {
        Some(query) if inputs.alpha > 0.0 => {
            let mut vector = similar(store, query, &keyword, asked)?;
            damp_and_sort(store, &mut vector);
            vector.truncate(depth);
            vector
        }
        _ => Vec::new(),
    };
    let is_file = |row: &&Scored| store.head().directory_at(row.node).is_none();
    let is_one_file = keyword.iter().filter(is_file).count() == 1;
    // Without a similarity there is nothing to give way to.
    let by_words = if vector.is_empty() { &[] } else { &keyword[..] };
    let cover = cover::cover(inputs, store.head(), by_words);
    let nearest = vector.first().filter(|_| cover.reserves);
    Ok(Lists {
        is_one_file,
        reserved: nearest.map(|row| row.node),
        alpha: cover.alpha,
        keyword,
        vector,
    })
}

/// Takes from damped pages their share of each list, before lists are scaled: of two hits the lesser is scaled to 0, and
/// nothing taken from the other could bring it back. Sorts the list.
fn damp_and_sort(store: &Resident, list: &mut [Scored]) {
    let variants = &store.head().variants;
    if !variants.is_even() {
        list.iter_mut()
            .for_each(|row| row.score *= variants.factor(row.node));
    }
    Scored::sort(list);
}

/// Mixes the lists of a question; best first.
pub fn mix(lists: &Lists, inputs: &Inputs) -> Vec<Mixed> {
    let Lists {
        keyword, vector, ..
    } = lists;
    if keyword.is_empty() && inputs.alpha < 1.0 {
        let alone = vector.iter().filter(|v| v.score >= ALONE_FROM);
        return alone
            .map(|v| Mixed {
                node: v.node,
                score: v.score * inputs.alpha,
                keyword: 0.0,
                vector: v.score,
                graph: 0.0,
            })
            .collect();
    }
    let wide = |list: &[Scored]| -> Vec<(u32, f64)> {
        let rows = list.iter();
        rows.map(|s| (s.node.0, f64::from(s.score))).collect()
    };
    let (mut keyword, vector) = (wide(keyword), wide(vector));
    if lists.is_one_file {
        keyword.push((NOBODY, 0.0));
    }
    let alpha = if vector.is_empty() {
        0.0
    } else {
        f64::from(lists.alpha)
    };
    let fused = weighted_lists([&keyword, &vector], [1.0 - alpha, alpha], DEPTH, DEPTH);
    let mut rows: Vec<Mixed> = fused
        .into_iter()
        .filter(|f| f.id != NOBODY)
        .map(|f| Mixed {
            node: NodeId(f.id),
            score: f.score as f32,
            keyword: f.parts[0] as f32,
            vector: f.parts[1] as f32,
            graph: 0.0,
        })
        .collect();
    // They are in the order of finer scores.
    let ties = rows.chunk_by_mut(|a, b| a.score == b.score);
    for tie in ties.filter(|tie| tie.len() > 1) {
        order::sort_by(tie, |a, b| a.node.cmp(&b.node));
    }
    if let Some(node) = lists.reserved {
        reserve(&mut rows, node);
    }
    rows
}

/// Moves the row of a node up to the reserved place, with a score between its neighbors'.
fn reserve(rows: &mut [Mixed], node: NodeId) {
    let at = rows.iter().position(|row| row.node == node);
    if let Some(at) = at.filter(|&at| at > RESERVED) {
        rows[RESERVED..=at].rotate_right(1);
        rows[RESERVED].score = (rows[RESERVED - 1].score + rows[RESERVED + 1].score) / 2.0;
    }
}

/// Sorts best first, ties by node.
#[cfg(feature = "full")]
pub fn sort(rows: &mut [Mixed]) {
    order::sort_by(rows, |a, b| {
        b.score.total_cmp(&a.score).then(a.node.cmp(&b.node))
    });
}

/// Blocks of nodes whose vectors are looked at: those of the first keyword hits, and those nearest to the inputs.
///
/// Decided by the head and the question alone, never by what happens to be loaded: what was asked before must not
/// change an answer.
fn blocks_for(
    store: &Resident,
    query: &QueryVector,
    keyword: &[Scored],
    scope: &Scope,
    limit: usize,
) -> Vec<u32> {
    let head = store.head();
    let n_blocks = head.block_starts.len();
    let in_scope = |block: &usize| {
        let (from, to) = head.block_range(*block);
        scope.overlaps(from, to)
    };
    if head.parameters.probes == 0 {
        return (0..n_blocks)
            .filter(in_scope)
            .map(|block| block as u32)
            .collect();
    }
    let mut blocks: Vec<u32> = keyword
        .iter()
        .take(limit.clamp(1, 10))
        .map(|row| head.block_of(row.node) as u32)
        .collect();
    let mut near: Vec<(u32, f32)> = (0..n_blocks)
        .filter(in_scope)
        .map(|block| (block as u32, head.block_vectors.score(block, query)))
        .collect();
    order::sort_by(&mut near, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    blocks.extend(
        near.iter()
            .take(head.parameters.probes as usize)
            .map(|(block, _)| *block),
    );
    order::sort_dedup(&mut blocks);
    blocks
}

/// The directories in scope by the better of L0 and L1; none where they are not found and lead to nothing.
fn similar_directories(
    store: &Resident,
    query: &QueryVector,
    asked: &Asked<'_>,
) -> Step<Vec<Scored>> {
    let head = store.head();
    if !asked.request.sees_directories(head) {
        return Ok(Vec::new());
    }
    let mut gather = Gather::default();
    for part in 0..head.directories.len().div_ceil(DIRECTORY_ROWS) {
        gather.take(store.directory_vectors(part));
    }
    gather.done()?;
    let mut scored = Vec::new();
    for (at, directory) in head.directories.iter().enumerate() {
        if asked.scope.holds(directory.node) {
            let [l0, l1] = store.directory_scores(at, query)?;
            scored.push(Scored {
                node: directory.node,
                score: l0.max(l1),
            });
        }
    }
    Ok(scored)
}

/// Similarities of the nodes that are looked at, in no order.
fn similar(
    store: &Resident,
    query: &QueryVector,
    keyword: &[Scored],
    asked: &Asked<'_>,
) -> Step<Vec<Scored>> {
    let (head, scope, limit) = (store.head(), &asked.scope, asked.request.limit);
    let blocks: Vec<usize> = blocks_for(store, query, keyword, scope, limit)
        .into_iter()
        .map(|block| block as usize)
        .collect();
    let mut gather = Gather::default();
    let sections = head.parameters.section_vectors;
    for &block in &blocks {
        gather.take(store.block(block));
        if sections {
            gather.take(store.section_vectors(block));
        }
    }
    let (mut scored, ()) = both(similar_directories(store, query, asked), gather.done())?;
    for block in blocks {
        let own = store.block(block)?;
        let sections = match sections {
            true => Some(store.section_vectors(block)?),
            false => None,
        };
        for (row, node) in head.files_in(block).enumerate() {
            let whole = own.vectors.score(row, query);
            let best = sections
                .iter()
                .flat_map(|s| s.of(row).map(|section| s.rows().score(section, query)))
                .fold(whole, f32::max);
            // A file without a vector, an image say, is like nothing.
            if scope.holds(node) && whole + best != 0.0 {
                scored.push(Scored {
                    node,
                    score: (whole + best) / 2.0,
                });
            }
        }
    }
    Ok(scored)
}
