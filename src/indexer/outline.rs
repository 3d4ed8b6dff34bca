//! Texts of a site for models to read before the bundle is made, and methods that take their answers.
//!
//! The builder asks nobody: a caller reads these texts, has them answered as it likes, and gives the answers back
//! through [`Builder::write`], [`Builder::describe`], [`Builder::embedded`] and [`Builder::graph_records`].

use super::directories::summarize;
use super::document::Document;
use super::embedded::Row;
use super::links::{is_html, n_linking};
use super::own_address;
use super::places::{mounted, mounted_directory, places};
use super::prepare::{PackedLinks, Prepared};
use super::site;
use super::skip::{SkipReason, Skipped};
use super::supplied::Supplied;
use super::tree::Tree;
use super::{Builder, summary, supplied};
use crate::bundle::{Kept, TextRecord};
use std::collections::HashSet;

/// The text that a row's vector is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowText {
    /// The key under which [`Embedded`](super::Embedded) takes the vector.
    pub row: Row,
    /// Titles and headings above the text, a line each.
    pub head: String,
    /// The text; may be empty, then the head is all there is.
    pub text: String,
}

#[doc(hidden)] // for the command line's models
impl Builder {
    /// The documents that will be in the bundle: without those that the rule of marked bodies leaves out, and of two
    /// with one place in the tree the first. What is left out is gone for good, and named in [`super::Built::dropped`].
    pub fn settle(&mut self) -> &[Document] {
        self.settle_packed();
        self.unpack();
        &self.documents
    }

    /// [`Builder::settle`], with sections packed where they were.
    pub(super) fn settle_packed(&mut self) {
        // Pagefind's rule for a whole site: once a page marks its body, pages that mark none are left out.
        let marks = self.documents.iter().any(|d| d.body_marked);
        let mut places = HashSet::new();
        let (options, dropped) = (&self.options, &mut self.dropped);
        self.documents.retain(|d| {
            let reason = if marks && !d.body_marked && is_html(&d.path) {
                SkipReason::Unmarked
            } else if !places.insert(mounted(&d.path, options)) {
                SkipReason::DuplicateName
            } else {
                return true;
            };
            dropped.push(Skipped {
                path: d.path.clone(),
                reason,
            });
            false
        });
        // Once: what was decided stays, however often it is asked for.
        if let Some(options) = self.options.site.clone()
            && self.report.is_none()
        {
            self.documents.sort_by(|a, b| a.path.cmp(&b.path));
            let (mut report, defaults) = site::settle(&mut self.documents, &self.tally, &options);
            for document in &self.documents {
                report.tell(document, self.owner.told(document));
            }
            let bytes = report.to_bytes();
            self.report = Some(report);
            self.defaults = defaults;
            // For `inspect --pages`; beside the texts, so that no question fetches it.
            let texts = self.directories.entry(String::new()).or_default();
            texts.kept.push(Kept {
                kind: Kept::PAGES,
                bytes,
            });
        }
        // Of a site they are settled; this is for files that are taken as they are.
        own_address::settle(&mut self.documents, "/");
    }

    /// Name of the tree.
    pub fn name(&self) -> &str {
        &self.options.name
    }

    /// The documents so far; their texts only once they are settled.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// L0 and L1 that somebody gave a directory; see [`Builder::describe`].
    pub fn described(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let texts = self.directories.get(path);
        let part = |of: fn(&Supplied) -> &Option<String>| texts.and_then(|t| of(t).as_deref());
        (part(|t| &t.abstract_), part(|t| &t.overview))
    }

    /// The L0 that document `index` of [`Builder::documents`] has as it is: somebody's, else the extracted one.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn abstract_of(&self, index: usize) -> String {
        let document = &self.documents[index];
        supplied::abstract_of(document)
            .unwrap_or_else(|| summary::file_abstract_in(document, &self.repeated))
    }

    /// Writes L0 and L1 of document `index`, where nobody wrote them before.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn write(&mut self, index: usize, abstract_: String, overview: String) {
        let document = &mut self.documents[index];
        document.abstract_.get_or_insert(abstract_);
        document.overview.get_or_insert(overview);
    }

    /// Path below `viking://` of a directory of the input; the input folder itself is the empty path.
    pub fn place_of(&self, directory: &str) -> String {
        mounted_directory(directory, &self.options)
    }

    /// The texts of all rows that vectors can be given for: every section of every document, and L0 and L1 of every
    /// directory as it will be in the bundle. Settles the documents.
    ///
    /// Cost: summaries of the whole input, and a copy of its text.
    pub fn row_texts(&mut self) -> Vec<RowText> {
        self.settle();
        let mut rows = Vec::new();
        for document in self.documents.iter().filter(|d| !d.is_unindexed()) {
            for (number, section) in document.sections.iter().enumerate() {
                let head = match section.heading.as_str() {
                    "" => document.title.clone(),
                    heading => format!("{}\n{heading}", document.title),
                };
                rows.push(RowText {
                    row: Row::Section {
                        path: document.path.clone(),
                        section: number,
                    },
                    head,
                    text: section.text.clone(),
                });
            }
        }
        let (tree, directories) = self.directory_texts();
        for (path, prepared) in tree.directory_paths().into_iter().zip(directories) {
            let record = prepared.text.raw();
            let record = record.and_then(|text| TextRecord::decode_text(&text));
            let record = record.expect("a record that was just written reads back");
            for (level, text) in [prepared.abstract_, record.overview]
                .into_iter()
                .enumerate()
            {
                rows.push(RowText {
                    row: Row::Directory {
                        path: path.clone(),
                        level: level as u8,
                    },
                    head: prepared.title.clone(),
                    text,
                });
            }
        }
        rows
    }

    /// The directories of the bundle with their titles, L0 and L1.
    fn directory_texts(&self) -> (Tree, Vec<Prepared>) {
        let light = |(index, document): (usize, &Document)| Prepared {
            path: document.path.clone(),
            title: document.title.clone(),
            abstract_: if document.is_unindexed() {
                String::new()
            } else {
                self.abstract_of(index)
            },
            tells: !document.is_unindexed() && summary::tells(document, &self.repeated),
            copies: document.copies.clone(),
            links: PackedLinks::new(&document.links),
            // What is kept does not matter here, only that something is.
            kept: vec![0; document.kept.len()],
            ..Prepared::default()
        };
        let mut documents: Vec<Prepared> = self.documents.iter().enumerate().map(light).collect();
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        let supplied = self.supplied_directories();
        let places = places(&documents, &supplied, &self.options);
        let tree = Tree::new(
            places.iter().map(String::as_str),
            supplied.keys().map(String::as_str),
        );
        let directories = summarize(&tree, &documents, &supplied, &n_linking(&documents));
        (tree, directories)
    }
}
