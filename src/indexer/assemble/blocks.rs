//! Blocks of nodes: each is one branch part, one part of vectors and one of links.

use super::super::tree::Tree;
use std::ops::Range;

/// Nodes of a block, at most: about 8 kB of names, abstracts and vectors.
const BLOCK_NODES: u32 = 64;
/// Directories of up to this many children share a block with their neighbors.
const SMALL_DIRECTORY: u32 = 32;

/// Nodes of each block, in order; together they are all nodes of the bundle.
pub(super) fn blocks(tree: &Tree) -> Vec<Range<usize>> {
    let starts = starts(tree);
    let ends = starts.iter().skip(1).copied();
    let ends = ends.chain([tree.nodes.len() as u32]);
    let blocks = starts.iter().zip(ends);
    blocks.map(|(&s, e)| s as usize..e as usize).collect()
}

/// First node of each block: the children of a directory, wide directories cut, small neighbors joined.
fn starts(tree: &Tree) -> Vec<u32> {
    let mut children: Vec<(u32, u32)> = tree
        .directories
        .iter()
        .filter(|d| d.n_children > 0)
        .map(|d| (d.first_child, d.n_children))
        .collect();
    children.sort_unstable();
    let mut starts = vec![0u32];
    let mut filled = 1; // the root's own record
    for (first, n) in children {
        if filled > 0
            && (filled + n > BLOCK_NODES || (n > SMALL_DIRECTORY && filled > SMALL_DIRECTORY))
        {
            starts.push(first);
            filled = 0;
        }
        let pieces = (filled + n).div_ceil(BLOCK_NODES).max(1);
        let size = (filled + n).div_ceil(pieces);
        for piece in 1..pieces {
            starts.push(first - filled + piece * size);
        }
        filled = if pieces > 1 {
            filled + n - (pieces - 1) * size
        } else {
            filled + n
        };
    }
    starts
}
