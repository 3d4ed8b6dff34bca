//! Vectors that a model made, in place of those of the site's own words.

use super::meaning::Meaning;
use super::prepare::Prepared;
use super::sums::normalize;
use super::tree::Tree;
use crate::base::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// Most dimensions that a bundle's vectors have.
pub const MAX_DIMS: usize = 4096;

/// A row of vectors.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// A section of a document.
    Section {
        /// [`super::Document::path`].
        path: String,
        /// Its ordinal.
        section: usize,
    },
    /// L0 or L1 of a directory.
    Directory {
        /// Path below `viking://`; the root's is empty.
        path: String,
        /// 0 or 1.
        level: u8,
    },
}

/// A model's vectors of a site. Rows that are missing have no vector: nothing is like them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Embedded {
    /// The name of the model: `model:NAME@DIMS` lets a search recognize its endpoint.
    pub encoder: String,
    /// Numbers of each vector.
    pub dims: usize,
    /// Vectors of documents, by [`super::Document::path`]; without one the mean of the sections stands in.
    pub files: HashMap<String, Vec<f32>>,
    /// Vectors of sections and directories. Of any length: they are normalized.
    pub rows: HashMap<Row, Vec<f32>>,
    /// Give words vectors too, so that a question needs no model. All vectors then have [`super::BuildOptions::dims`].
    pub words: bool,
}

impl Embedded {
    /// Proves the rows and normalizes them.
    ///
    /// *Errors*: `INVALID_ARGUMENT` for a vector of other dimensions, or without a direction.
    pub(super) fn proved(mut self) -> Result<Self> {
        let bad = |what: String| Err(Error::new(ErrorKind::InvalidArgument, what));
        if self.encoder.is_empty() || !(1..=MAX_DIMS).contains(&self.dims) {
            return bad(format!(
                "a model's vectors have a name and 1 to {MAX_DIMS} dimensions, not {}",
                self.dims
            ));
        }
        for row in self.rows.values_mut().chain(self.files.values_mut()) {
            if row.len() != self.dims || !row.iter().all(|x| x.is_finite()) || !normalize(row) {
                return bad(format!(
                    "a vector of {} has {} numbers, or ones that are no direction; {} are wanted",
                    self.encoder,
                    row.len(),
                    self.dims
                ));
            }
        }
        Ok(self)
    }

    /// The vectors of a bundle's nodes, words having none.
    pub(super) fn meaning(
        &self,
        tree: &Tree,
        nodes: &[&Prepared],
        n_surfaces: usize,
        with_sections: bool,
    ) -> Meaning {
        let of_node = |(node, prepared): (usize, &&Prepared)| match tree.nodes[node].document {
            None => (Vec::new(), Vec::new()),
            Some(_) => self.of_document(prepared),
        };
        let embedded = nodes.iter().enumerate().map(of_node);
        let (nodes, mut sections): (Vec<_>, Vec<_>) = embedded.unzip();
        if !with_sections {
            sections.iter_mut().for_each(Vec::clear);
        }
        Meaning {
            encoder: self.encoder.clone(),
            dims: self.dims,
            surfaces: vec![None; n_surfaces],
            nodes,
            sections,
            space: None,
            directories: Some(self.directories(tree)),
        }
    }

    fn of_document(&self, document: &Prepared) -> (Vec<f32>, Vec<Vec<f32>>) {
        let row = |section| {
            self.rows.get(&Row::Section {
                path: document.path.clone(),
                section,
            })
        };
        let n = document.n_sections as usize;
        let mut whole = vec![0.0; self.dims];
        match self.files.get(&document.path) {
            Some(own) => whole.clone_from(own),
            None => {
                let known = (0..n).filter_map(row);
                known.for_each(|v| whole.iter_mut().zip(v).for_each(|(w, v)| *w += v));
                normalize(&mut whole);
            }
        }
        let sections = (0..n).map(|section| row(section).unwrap_or(&whole).clone());
        let sections = sections.collect();
        (whole, sections)
    }

    /// L0 and L1 rows of every directory, zeros where there is none.
    pub(super) fn directories(&self, tree: &Tree) -> Vec<f32> {
        let none = vec![0.0; self.dims];
        let paths = tree.directory_paths();
        let places = paths.iter().flat_map(|path| [(path, 0), (path, 1)]);
        places
            .flat_map(|(path, level)| {
                let row = Row::Directory {
                    path: path.clone(),
                    level,
                };
                self.rows.get(&row).unwrap_or(&none).clone()
            })
            .collect()
    }
}
