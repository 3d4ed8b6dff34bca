//! Directories as documents of their own: their abstracts and overviews, made from those of what they hold.

use super::document::{Document, DocumentSection};
use super::prepare::{Prepared, prepare, stored_kept};
use super::summary::{self, ChildSummary};
use super::supplied::Supplied;
use super::tree::Tree;
use crate::base::uri::{SCHEME, decode_name};
use crate::bundle::{TextRecord, seal};
use std::collections::BTreeMap;

/// L0 and L1 of every directory, from the leaves up, as documents of their own.
pub(super) fn summarize(
    tree: &Tree,
    documents: &[Prepared],
    supplied: &BTreeMap<String, &Supplied>,
) -> Vec<Prepared> {
    let paths = tree.directory_paths();
    let mut done: Vec<Prepared> = vec![Prepared::default(); tree.directories.len()];
    for (i, d) in tree.directories.iter().enumerate().rev() {
        let children = d.first_child..d.first_child + d.n_children;
        let own: Vec<(String, &Prepared, bool)> = children
            .map(|c| {
                let node = &tree.nodes[c as usize];
                let prepared = node.document.map_or_else(
                    || &done[node.directory.expect("a directory")],
                    |d| &documents[d],
                );
                (decode_name(&node.name), prepared, node.document.is_none())
            })
            .collect();
        let index = own
            .iter()
            .find(|(name, _, is_dir)| !is_dir && is_index(name))
            .map(|c| c.1);
        let name = decode_name(&tree.nodes[d.node as usize].name);
        let texts = supplied.get(&paths[i]).copied();
        let title = index
            .map(|d| d.title.clone())
            .or_else(|| texts.and_then(Supplied::title).map(str::to_owned))
            .unwrap_or_else(|| name.replace(['-', '_'], " "));
        let rows: Vec<ChildSummary<'_>> = own
            .iter()
            .filter(|(name, _, is_dir)| *is_dir || !name.starts_with('.'))
            .map(|(name, d, is_dir)| ChildSummary {
                name,
                title: &d.title,
                abstract_: &d.abstract_,
                is_dir: *is_dir,
            })
            .collect();
        let extracted =
            || summary::directory_overview(&title, index.map(|d| d.abstract_.as_str()), &rows);
        let overview = texts.and_then(|t| t.overview.clone());
        let overview = overview.unwrap_or_else(extracted);
        let texts = texts.cloned().unwrap_or_default();
        let mut directory = directory_document(&name, title, texts, overview);
        if name.is_empty() && !supplied.contains_key(&paths[i]) {
            name_the_root(&mut directory, &rows);
        }
        done[i] = directory;
    }
    done
}

/// Gives the texts of the root, which has no name, its URI in place of one. They are what is read; what is found stays
/// as it is.
fn name_the_root(root: &mut Prepared, rows: &[ChildSummary<'_>]) {
    let overview = summary::directory_overview(SCHEME, None, rows);
    root.abstract_ = summary::directory_abstract(&overview);
    let sections = Vec::new();
    root.text = seal(&TextRecord { overview, sections }.encode());
}

fn is_index(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or("");
    ["index", "readme"].contains(&stem.to_ascii_lowercase().as_str())
}

fn directory_document(name: &str, title: String, texts: Supplied, overview: String) -> Prepared {
    let extracted = || summary::directory_abstract(&overview);
    let shown = texts.abstract_.clone().unwrap_or_else(extracted);
    let document = Document {
        path: name.to_owned(),
        title,
        abstract_: texts.abstract_,
        weight: 1.0,
        language: Some(String::new()),
        sections: vec![DocumentSection {
            text: overview.clone(),
            weight: 1.0,
            ..DocumentSection::default()
        }],
        ..Document::default()
    };
    let mut prepared = prepare(document, &summary::Repeated::default());
    prepared.text = seal(
        &TextRecord {
            overview,
            sections: Vec::new(),
        }
        .encode(),
    );
    prepared.kept = stored_kept(&texts.kept);
    prepared.abstract_ = shown;
    prepared.n_sections = 0;
    prepared.size = 0;
    prepared
}
