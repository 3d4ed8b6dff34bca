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
    let mut default = Variant {
        language: defaults.language.clone(),
        version: defaults.version.clone(),
    };
    // A site of one language says which, so that a question for another is told; no node is in it more than in any.
    if default.language.is_empty()
        && let Some(only) = only_language(documents)
    {
        default.language = only.to_owned();
        table.all.push(Variant {
            language: only.to_owned(),
            version: String::new(),
        });
    }
    (Variants::new(table.all, default, &nodes), copies)
}

/// Share of the pages that must be in a language for it to be that of all.
const NEARLY_ALL: f64 = 0.75;

/// The language of a site whose pages are told by none: what those that name one agree in, or what most texts are in.
fn only_language(documents: &[Prepared]) -> Option<&str> {
    let primary = |tag: &str| {
        tag.split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_lowercase()
    };
    let named = || {
        documents
            .iter()
            .map(|d| d.tag.as_str())
            .filter(|t| !t.is_empty())
    };
    if let Some(first) = named().next() {
        let is_one = named().all(|tag| primary(tag) == primary(first));
        let is_most = named().count() as f64 >= documents.len() as f64 * NEARLY_ALL;
        if is_one && is_most {
            return Some(first);
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let texts = documents.iter().filter(|d| !d.language.is_empty());
    texts.for_each(|d| *counts.entry(d.language.as_str()).or_default() += 1);
    let n: usize = counts.values().sum();
    let most = counts
        .into_iter()
        .max_by_key(|&(tag, n)| (n, std::cmp::Reverse(tag)))?;
    (most.1 as f64 >= n as f64 * NEARLY_ALL).then_some(most.0)
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
