//! The pages that are most like a page, by their vectors.

use crate::base::error::Result;
use crate::base::id::NodeId;
use crate::bundle::{LinkRecord, SimilarRecord, Variants};
use crate::vectors::nearest::nearest;
use crate::vectors::{VectorRows, quantize};

/// Pages that are named for a page: as many as relations are listed with a result.
const PAGES: usize = 5;
/// Bits of a number when pages are compared: nothing of these rows is kept.
const BITS: u8 = 8;

/// Similar pages of every node, most alike first: at most [`PAGES`], in a language and version of the page, that it does
/// not link to. `vectors` are the nodes', empty or zeros for those that are compared with none, like directories.
///
/// Only pages that are more alike than two pages of the site are on average: on a small site the rest is chance.
/// Errors: `INTERNAL` when a graph cannot be built.
pub fn similar(
    vectors: &[&[f32]],
    dims: usize,
    links: &[Vec<LinkRecord>],
    variants: &Variants,
) -> Result<Vec<Vec<SimilarRecord>>> {
    let has_direction = |&node: &usize| vectors[node].iter().any(|&x| x != 0.0);
    let pages: Vec<usize> = (0..vectors.len()).filter(has_direction).collect();
    let flat: Vec<f32> = pages
        .iter()
        .flat_map(|&page| vectors[page])
        .copied()
        .collect();
    let rows = VectorRows::unpack(&quantize(&flat, dims, BITS), pages.len(), dims, BITS)?;
    let usual = usual_cosine(&flat, dims);
    drop(flat);
    let id = |row: usize| NodeId(pages[row] as u32);
    let admits = |row: usize, other: usize| {
        let (own, other) = (id(row), id(other));
        variants.page(own) != variants.page(other)
            && is_read_with(variants.of(own), variants.of(other))
            && links[own.index()].iter().all(|link| link.node != other)
    };
    let mut out = vec![Vec::new(); vectors.len()];
    for (row, found) in nearest(&rows, PAGES, admits)?.into_iter().enumerate() {
        out[pages[row]] = found
            .into_iter()
            .filter(|&(_, cosine)| cosine > usual)
            .map(|(other, cosine)| SimilarRecord {
                node: id(other),
                cosine: (cosine * 255.0).round() as u8,
            })
            .collect();
    }
    Ok(out)
}

/// True if pages in these variants have one in common; a page of none goes with all.
fn is_read_with(own: &[u32], other: &[u32]) -> bool {
    own.is_empty() || other.is_empty() || own.iter().any(|variant| other.contains(variant))
}

/// Mean cosine of two different rows of length 1; at least 0.
fn usual_cosine(flat: &[f32], dims: usize) -> f32 {
    let n = (flat.len() / dims.max(1)) as f64;
    let mut sum = vec![0.0f64; dims];
    for row in flat.chunks_exact(dims.max(1)) {
        sum.iter_mut()
            .zip(row)
            .for_each(|(s, v)| *s += f64::from(*v));
    }
    let all: f64 = sum.iter().map(|s| s * s).sum();
    if n < 2.0 {
        return 0.0;
    }
    ((all - n) / (n * (n - 1.0))).max(0.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::{NodeVariants, Variant};

    const DIMS: usize = 2;

    fn found(vectors: &[&[f32]], links: &[Vec<LinkRecord>], variants: &Variants) -> Vec<Vec<u32>> {
        let found = similar(vectors, DIMS, links, variants).unwrap();
        found
            .into_iter()
            .map(|list| list.into_iter().map(|page| page.node.0).collect())
            .collect()
    }

    /// Two directions, two pages near each, and a directory without a vector.
    const VECTORS: [&[f32]; 5] = [&[1.0, 0.0], &[], &[0.0, 1.0], &[0.8, 0.6], &[0.0, 1.0]];

    #[test]
    fn pages_get_the_nearest_others_by_their_nodes() {
        let none = vec![Vec::new(); 5];
        let plain = Variants::default();
        // The mean cosine of the four is (0 + .8 + 0 + .6 + 1 + .6) / 6 = .5.
        let expected = [vec![3], vec![], vec![4, 3], vec![0, 2, 4], vec![2, 3]];
        assert_eq!(found(&VECTORS, &none, &plain), expected);
        let told = similar(&VECTORS, DIMS, &none, &plain).unwrap();
        assert_eq!(told[0][0].cosine, (0.8f32 * 255.0).round() as u8);
    }

    #[test]
    fn what_is_linked_is_not_said_again() {
        let mut links = vec![Vec::new(); 5];
        links[2].push(LinkRecord {
            node: NodeId(4),
            reason: "see".into(),
        });
        let of = found(&VECTORS, &links, &Variants::default());
        assert_eq!((&of[2], &of[4]), (&vec![3], &vec![2, 3]));
    }

    #[test]
    fn other_languages_and_the_page_itself_are_left_out() {
        let variant = |language: &str| Variant {
            language: language.into(),
            version: String::new(),
        };
        // Node 4 is the German node 2, and node 3 is in both languages.
        let nodes: Vec<NodeVariants> = [
            (0, vec![0]),
            (1, vec![]),
            (2, vec![0]),
            (3, vec![0, 1]),
            (2, vec![1]),
        ]
        .into_iter()
        .map(|(page, variants)| NodeVariants {
            page,
            variants,
            ..NodeVariants::default()
        })
        .collect();
        let variants = Variants::new(vec![variant("en"), variant("de")], variant("en"), &nodes);
        let none = vec![Vec::new(); 5];
        let expected = [vec![3], vec![], vec![3], vec![0, 2, 4], vec![3]];
        assert_eq!(found(&VECTORS, &none, &variants), expected);
    }

    #[test]
    fn a_site_of_one_page_or_of_none_has_nothing_similar() {
        let plain = Variants::default();
        assert_eq!(found(&[&[1.0, 0.0]], &[vec![]], &plain), [vec![0u32; 0]]);
        assert!(found(&[], &[], &plain).is_empty());
    }
}
