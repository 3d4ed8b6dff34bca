//! Hybrid relevance: the keyword list and the vector list of one question, mixed by weight.
//!
//! Source: spec/onyx.md §2.2 (min–max per list, weighted mean), spec/embedding.md §5 (weights beat ranks).

use super::cover;
use super::fuse::weighted_lists;
use crate::base::id::{NodeId, Scored};
use crate::base::order;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Branch, Resident};
use crate::find::ask::asked::Inputs;
use crate::find::ask::scope::Scope;
use crate::find::rank::keywords;
use crate::find::rank::keywords::FieldWeights;
use crate::vectors::{QueryVector, VectorRows};
use std::rc::Rc;

/// Candidates of each list. Source: spec/onyx.md §2.2; small values hurt recall.
pub const DEPTH: usize = 500;
/// Without any word in common, a node is an answer only from this similarity on.
const ALONE_FROM: f32 = 0.25;
/// The place that the best node by similarity has at least where words cover little of the question.
const RESERVED: usize = 2;

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
    /// Weight of the similarities, in [0, 1].
    pub alpha: f32,
    /// The best node by similarity, where words cover little of the question.
    pub reserved: Option<NodeId>,
}

/// The lists of a question; at most [`DEPTH`] keyword hits and `depth` of the nodes whose vectors were looked at.
pub fn lists(
    store: &Resident,
    inputs: &Inputs,
    scope: &Scope,
    limit: usize,
    depth: usize,
) -> Step<Lists> {
    let p = &store.head().parameters;
    let mut keyword = if inputs.alpha < 1.0 {
        keywords::score(
            &inputs.slots,
            p.n_nodes,
            p.average_title,
            scope,
            FieldWeights::default(),
            DEPTH,
        )
    } else {
        Vec::new()
    };
    damp(store, &mut keyword);
    let vector = match &inputs.vector {
        Some(query) if inputs.alpha > 0.0 => {
            let mut vector = similar(store, query, &keyword, scope, limit)?;
            damp(store, &mut vector);
            vector.truncate(depth);
            vector
        }
        _ => Vec::new(),
    };
    // Without a similarity there is nothing to give way to.
    let best = keyword.first().filter(|_| !vector.is_empty());
    let cover = cover::cover(inputs, store.head(), best.map(|row| row.node));
    let nearest = vector.first().filter(|_| cover.reserves);
    Ok(Lists {
        reserved: nearest.map(|row| row.node),
        alpha: cover.alpha,
        keyword,
        vector,
    })
}

/// Takes from damped pages their share of each list, before lists are scaled: of two hits the lesser is scaled to 0, and
/// nothing taken from the other could bring it back.
fn damp(store: &Resident, list: &mut [Scored]) {
    let variants = &store.head().variants;
    if !variants.is_plain() {
        list.iter_mut()
            .for_each(|row| row.score *= variants.factor(row.node));
        Scored::sort(list);
    }
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
    let (keyword, vector) = (wide(keyword), wide(vector));
    let alpha = if vector.is_empty() {
        0.0
    } else {
        f64::from(lists.alpha)
    };
    let fused = weighted_lists(&[&keyword, &vector], &[1.0 - alpha, alpha], DEPTH, DEPTH);
    let mut rows: Vec<Mixed> = fused
        .into_iter()
        .map(|f| Mixed {
            node: NodeId(f.id),
            score: f.score as f32,
            keyword: f.parts[0] as f32,
            vector: f.parts[1] as f32,
            graph: 0.0,
        })
        .collect();
    sort(&mut rows);
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
    let in_scope = |g: &usize| {
        let (from, to) = head.block_range(*g);
        scope.overlaps(from, to)
    };
    if head.parameters.probes == 0 {
        return (0..n_blocks).filter(in_scope).map(|g| g as u32).collect();
    }
    let mut blocks: Vec<u32> = keyword
        .iter()
        .take(limit.clamp(1, 10))
        .map(|k| head.block_of(k.node) as u32)
        .collect();
    let mut near: Vec<(u32, f32)> = (0..n_blocks)
        .filter(in_scope)
        .map(|g| (g as u32, head.block_vectors.score(g, query)))
        .collect();
    order::sort_by(&mut near, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    blocks.extend(
        near.iter()
            .take(head.parameters.probes as usize)
            .map(|n| n.0),
    );
    order::sort_dedup(&mut blocks);
    blocks
}

/// The nodes most like the question among those looked at; best first. Directories by the better of L0 and L1.
fn similar(
    store: &Resident,
    query: &QueryVector,
    keyword: &[Scored],
    scope: &Scope,
    limit: usize,
) -> Step<Vec<Scored>> {
    let head = store.head();
    let blocks: Vec<usize> = blocks_for(store, query, keyword, scope, limit)
        .into_iter()
        .map(|g| g as usize)
        .collect();
    let mut gather = Gather::default();
    let sections = head.parameters.section_vectors;
    for &block in &blocks {
        gather.take(store.vectors(block));
        if sections {
            gather.take(store.branch(block));
            gather.take(store.section_vectors(block));
        }
    }
    gather.done()?;
    let mut scored = Vec::new();
    for (d, directory) in head.directories.iter().enumerate() {
        if scope.holds(directory.node) {
            let levels = [2 * d, 2 * d + 1].map(|row| head.directory_vectors.score(row, query));
            scored.push(Scored {
                node: directory.node,
                score: levels[0].max(levels[1]),
            });
        }
    }
    for block in blocks {
        let rows = store.vectors(block)?;
        let mut best = if sections {
            Some(Sections::of(store, block)?)
        } else {
            None
        };
        for (row, node) in head.files_in(block).enumerate() {
            let whole = rows.score(row, query);
            let best = best
                .as_mut()
                .map_or(whole, |s| whole.max(s.next(node, query)));
            // A file without a vector, an image say, is like nothing.
            if scope.holds(node) && whole + best != 0.0 {
                scored.push(Scored {
                    node,
                    score: (whole + best) / 2.0,
                });
            }
        }
    }
    Scored::sort(&mut scored);
    Ok(scored)
}

/// The section vectors of a block, file by file.
struct Sections {
    branch: Rc<Branch>,
    rows: Rc<VectorRows>,
    at: usize,
    first: u32,
}

impl Sections {
    fn of(store: &Resident, block: usize) -> Step<Self> {
        Ok(Self {
            branch: store.branch(block)?,
            rows: store.section_vectors(block)?,
            at: 0,
            first: store.head().block_starts[block],
        })
    }

    /// The best of the sections of `node`, which is the next file.
    fn next(&mut self, node: NodeId, query: &QueryVector) -> f32 {
        let n = self.branch.nodes[(node.0 - self.first) as usize].n_sections as usize;
        let own = self.at..(self.at + n).min(self.rows.len());
        self.at = own.end.max(self.at);
        own.map(|row| self.rows.score(row, query))
            .fold(-1.0, f32::max)
    }
}
