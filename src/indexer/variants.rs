//! From documents' languages, versions, copies and translations to the head's table of them.

use super::prepare::Prepared;
use super::site::Defaults;
use super::tree::Tree;
use crate::bundle::{CopyRecord, NodeVariants, Variant, Variants};
use std::collections::HashMap;

/// Pages of a site up to which links from other pages count: two bits a page are in every first query's head.
const LINKS_COUNT_UP_TO: usize = 32_768;

/// The table of a site, and the copies of each document by its number.
pub fn gather(
    tree: &Tree,
    documents: &[Prepared],
    linked_from: &[u32],
    node_of: &HashMap<&str, u32>,
    defaults: &Defaults,
    address: impl Fn(&str, &str) -> String,
) -> (Variants, Vec<Vec<CopyRecord>>) {
    let is_plain = defaults.language.is_empty() && defaults.version.is_empty();
    let mut table = Table::new(defaults);
    let (mut of_document, mut copies) = (Vec::new(), Vec::new());
    for d in documents {
        let (own, records) = match is_plain {
            true => Default::default(),
            false => table.of(d, &address),
        };
        of_document.push(own);
        copies.push(records);
    }
    let counts = documents.len() <= LINKS_COUNT_UP_TO;
    let mut nodes: Vec<NodeVariants> = (0u32..)
        .zip(&tree.nodes)
        .map(|(node, n)| match n.document {
            None => NodeVariants {
                page: node,
                ..NodeVariants::default()
            },
            Some(d) => {
                let page = node_of.get(documents[d].translation_of.as_str());
                NodeVariants {
                    variants: of_document[d].clone(),
                    page: page.copied().unwrap_or(node),
                    linked_from: counts.then_some(linked_from[d]),
                    damping: (documents[d].damping.clamp(0.0, 1.0) * 16.0).round() as u8,
                }
            }
        })
        .collect();
    if !is_plain {
        join_directories(tree, &mut nodes, table.all.len());
    }
    let default = Variant {
        language: defaults.language.clone(),
        version: defaults.version.clone(),
    };
    (Variants::new(table.all, default, &nodes), copies)
}

/// Puts every directory into the variants of the pages below it; one of all variants stays in none.
fn join_directories(tree: &Tree, nodes: &mut [NodeVariants], n_variants: usize) {
    for d in &tree.directories {
        let below = &nodes[d.first_child as usize..d.end as usize];
        let mut variants: Vec<u32> = below.iter().flat_map(|n| &n.variants).copied().collect();
        variants.sort_unstable();
        variants.dedup();
        if variants.len() < n_variants {
            nodes[d.node as usize].variants = variants;
        }
    }
}

/// Pairs of language and version, numbered as they are met.
struct Table<'a> {
    all: Vec<Variant>,
    defaults: &'a Defaults,
}

impl<'a> Table<'a> {
    fn new(defaults: &'a Defaults) -> Self {
        Self {
            all: Vec::new(),
            defaults,
        }
    }

    fn number(&mut self, language: &str, version: &str) -> u32 {
        // A site of one language, or of one version, does not tell it apart.
        let only = |value: &str, default: &str| match default {
            "" => String::new(),
            _ => value.to_owned(),
        };
        let variant = Variant {
            language: only(language, &self.defaults.language),
            version: only(version, &self.defaults.version),
        };
        let known = self.all.iter().position(|v| *v == variant);
        known.unwrap_or_else(|| {
            self.all.push(variant);
            self.all.len() - 1
        }) as u32
    }

    /// Variants of a document, and its copies in others than its own.
    fn of(
        &mut self,
        document: &Prepared,
        address: impl Fn(&str, &str) -> String,
    ) -> (Vec<u32>, Vec<CopyRecord>) {
        let mut own = vec![self.number(&document.tag, &document.version)];
        let mut records = Vec::new();
        for copy in &document.copies {
            let language = match copy.language.as_str() {
                "" => document.tag.as_str(),
                language => language,
            };
            let variant = self.number(language, &copy.version);
            // A second address in the same variant leads nowhere else.
            if !own.contains(&variant) {
                own.push(variant);
                records.push(CopyRecord {
                    variant,
                    url: address(&copy.url, &copy.path),
                });
            }
        }
        (own, records)
    }
}
