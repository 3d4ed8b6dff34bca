//! Vectors of directories.

use super::Indexed;
use std::collections::HashMap;

/// L0 and L1 rows of every directory; empty where nothing has vectors.
pub(super) fn directory_vectors(site: &Indexed<'_>) -> Vec<f32> {
    let Some(meaning) = &site.meaning else {
        return Vec::new();
    };
    if let Some(rows) = &meaning.directories {
        return rows.clone();
    }
    let mut rows = Vec::new();
    let directories = site.tree.directories.iter().zip(site.directories);
    for ((d, prepared), words) in directories.zip(&site.directory_words) {
        let node = d.node as usize;
        let term = |&s: &u32| (site.lexicon.surfaces[s as usize].term.as_str(), s);
        let surfaces: HashMap<&str, u32> = words.iter().map(term).collect();
        let mut short = Vec::new();
        let text = format!("{} {}", prepared.title, prepared.abstract_);
        crate::text::tokenize(&text, |t| {
            short.extend(surfaces.get(t.term.as_str()).copied());
        });
        for mut row in [
            meaning.of_words(short.into_iter()),
            meaning.nodes[node].clone(),
        ] {
            row.resize(meaning.dims, 0.0);
            rows.extend(row);
        }
    }
    rows
}
