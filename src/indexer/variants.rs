//! From documents' languages, versions, copies and translations to the head's table of them.

use super::prepare::Prepared;
use super::site::Defaults;
use super::tree::Tree;
use crate::bundle::{CopyRecord, NodeVariants, Variant, Variants};
use std::collections::HashMap;

/// The table of a site, and the copies of each document by its number.
pub fn gather(
    tree: &Tree,
    documents: &[Prepared],
    node_of: &HashMap<&str, u32>,
    defaults: &Defaults,
    address: impl Fn(&str, &str) -> String,
) -> (Variants, Vec<Vec<CopyRecord>>) {
    let mut all: Vec<Variant> = Vec::new();
    // A site of one language, or of one version, does not tell it apart.
    let only = |value: &str, default: &str| match default {
        "" => String::new(),
        _ => value.to_owned(),
    };
    let mut number = |language: &str, version: &str| {
        let variant = Variant {
            language: only(language, &defaults.language),
            version: only(version, &defaults.version),
        };
        let known = all.iter().position(|v| *v == variant);
        known.unwrap_or_else(|| {
            all.push(variant);
            all.len() - 1
        }) as u32
    };
    let is_plain = defaults.language.is_empty() && defaults.version.is_empty();
    let mut copies = Vec::with_capacity(documents.len());
    let mut of_document = Vec::with_capacity(documents.len());
    for d in documents {
        let mut own = vec![number(&d.tag, &d.version)];
        let mut records = Vec::new();
        for copy in &d.copies {
            let language = match copy.language.as_str() {
                "" => d.tag.as_str(),
                language => language,
            };
            let variant = number(language, &copy.version);
            // A second address in the same variant leads nowhere else.
            if !own.contains(&variant) {
                own.push(variant);
                records.push(CopyRecord {
                    variant,
                    url: address(&copy.url, &copy.path),
                });
            }
        }
        copies.push(records);
        of_document.push(own);
    }
    if is_plain {
        all.clear();
        of_document.iter_mut().for_each(Vec::clear);
        copies.iter_mut().for_each(Vec::clear);
    }
    let mut nodes: Vec<NodeVariants> = (0u32..)
        .zip(&tree.nodes)
        .map(|(node, n)| {
            let document = n.document.map(|d| (&documents[d], &of_document[d]));
            document.map_or_else(
                || NodeVariants {
                    page: node,
                    ..NodeVariants::default()
                },
                |(d, variants)| NodeVariants {
                    variants: variants.clone(),
                    page: node_of
                        .get(d.translation_of.as_str())
                        .copied()
                        .unwrap_or(node),
                    damping: (d.damping.clamp(0.0, 1.0) * 16.0).round() as u8,
                },
            )
        })
        .collect();
    // A directory is in the variants of what lies below it.
    for d in tree.directories.iter().filter(|_| !is_plain) {
        let below = &nodes[d.first_child as usize..d.end as usize];
        let mut variants: Vec<u32> = below.iter().flat_map(|n| &n.variants).copied().collect();
        variants.sort_unstable();
        variants.dedup();
        if variants.len() < all.len() {
            nodes[d.node as usize].variants = variants;
        }
    }
    let default = Variant {
        language: defaults.language.clone(),
        version: defaults.version.clone(),
    };
    (Variants::new(all, default, &nodes), copies)
}
