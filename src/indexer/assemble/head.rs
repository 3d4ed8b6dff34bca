//! The head: the table of contents of a bundle.

use super::parts::Written;
use super::{Indexed, Packs};
use crate::base::id::NodeId;
use crate::base::uri::encode_name;
use crate::bundle::{Directory, Head, Parameters, Variants};
use crate::text::is_pin;
use crate::vectors::VectorRows;
use std::ops::Range;

/// Blocks looked into for their vectors besides those of the keyword hits, on larger sites.
const PROBES: u32 = 8;

/// The head of a site, without its vectors: they are added when it is encoded.
pub(super) fn head(
    site: &Indexed<'_>,
    blocks: &[Range<usize>],
    written: Written,
    packs: &Packs,
    variants: Variants,
) -> Head {
    let name = |node: usize| site.tree.nodes[node].name.clone();
    Head {
        generator: concat!("knarr ", env!("CARGO_PKG_VERSION")).to_owned(),
        name: encode_name(&site.options.name),
        parameters: parameters(site),
        packs: packs.all.iter().map(|(pack, _)| pack.clone()).collect(),
        first_text_pack: packs.first_text,
        directories: site
            .tree
            .directories
            .iter()
            .map(|d| Directory {
                node: NodeId(d.node),
                parent: d.parent as u32,
                first_child: d.first_child,
                n_children: d.n_children,
                end: d.end,
                name: name(d.node as usize),
            })
            .collect(),
        block_names: blocks.iter().map(|block| name(block.start)).collect(),
        block_starts: blocks.iter().map(|block| block.start as u32).collect(),
        variants,
        block_vectors: VectorRows::default(),
        term_keys: written.term_keys,
        spelling_keys: written.spelling_keys,
        general_keys: written.general_keys,
        parts: written.addresses,
        head_bytes: 0,
    }
}

fn parameters(site: &Indexed<'_>) -> Parameters {
    let (options, dims) = (site.options, site.dims());
    Parameters {
        n_nodes: site.nodes.len() as u32,
        n_files: site.documents.len() as u32,
        n_sections: site.documents.iter().map(|d| d.n_sections).sum(),
        n_terms: site.n_terms as u32,
        dims: dims as u32,
        term_bits: site.layout.bits,
        node_bits: site.layout.bits,
        encoder: match &site.meaning {
            Some(meaning) => meaning.encoder.clone(),
            None => String::new(),
        },
        alpha: options.alpha,
        average_title: site.averages.title,
        probes: match options.probes {
            Some(probes) => probes,
            None if site.options.looks_at_all(site.documents.len()) => 0,
            None => PROBES,
        },
        section_vectors: site.layout.with_sections && dims > 0,
        pins: {
            let mut words = site.lexicon.surfaces.iter();
            words.any(|word| is_pin(&word.term))
        },
        joins_ranges: options.large_packs,
    }
}
