//! Directories as documents of their own: their abstracts and overviews, made from those of what they hold.

use super::document::{Document, DocumentSection};
use super::prepare::{Prepared, Waiting, prepare, stored_kept};
use super::summary::{self, ChildSummary, Folder};
use super::supplied::Supplied;
use super::tree::{Tree, TreeDirectory, TreeNode};
use crate::base::uri::{SCHEME, decode_name};
use crate::bundle::TextRecord;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Files below a directory, and beside it, whose texts are read for phrases.
const MAX_READ: usize = 200;

/// L0 and L1 of every directory, from the leaves up, as documents of their own. `linked_from`: see [`links::n_linking`].
pub(super) fn summarize(
    tree: &Tree,
    documents: &[Prepared],
    supplied: &BTreeMap<String, Supplied>,
    linked_from: &[u32],
) -> Vec<Prepared> {
    let site = Site::of(tree, documents, linked_from);
    let paths = tree.directory_paths();
    let mut done: Vec<Prepared> = vec![Prepared::default(); tree.directories.len()];
    for (i, d) in tree.directories.iter().enumerate().rev() {
        let own = site.children(i, &done);
        let speakers = site.speakers(i, &paths[i]);
        let name = decode_name(&tree.nodes[d.node as usize].name);
        let texts = supplied.get(&paths[i]);
        let title = speakers
            .iter()
            .find(|speaker| speaker.names)
            .map(|speaker| speaker.page.title.clone())
            .or_else(|| texts.and_then(Supplied::title).map(str::to_owned))
            .unwrap_or_else(|| name.replace(['-', '_'], " "));
        let children: Vec<ChildSummary<'_>> = own
            .iter()
            .filter(|child| child.is_dir || !child.name.starts_with('.'))
            .map(Child::summary)
            .collect();
        let leads = speakers.iter().filter(|s| s.page.tells);
        let folder = Folder {
            name: &name,
            title: &title,
            leads: leads.map(|s| s.page.abstract_.as_str()).collect(),
            children: &children,
            ..Folder::default()
        };
        let texts = texts.cloned().unwrap_or_default();
        let (overview, tells) = site.overview(i, folder, &texts);
        let mut directory = directory_document(&name, title.clone(), texts, overview);
        directory.tells = tells;
        if name.is_empty() && supplied.get(&paths[i]).is_none_or(Supplied::is_silent) {
            name_the_root(&mut directory, &children);
        }
        done[i] = directory;
    }
    done
}

/// A page that may speak for a directory.
struct Speaker<'a> {
    page: &'a Prepared,
    document: usize,
    /// Its title is the directory's.
    names: bool,
}

struct Child<'a> {
    name: String,
    prepared: &'a Prepared,
    is_dir: bool,
    uses: u32,
}

impl Child<'_> {
    fn summary(&self) -> ChildSummary<'_> {
        ChildSummary {
            name: &self.name,
            title: &self.prepared.title,
            abstract_: &self.prepared.abstract_,
            is_dir: self.is_dir,
            tells: self.prepared.tells,
            uses: self.uses,
        }
    }
}

/// The tree with facts about its files.
struct Site<'a> {
    tree: &'a Tree,
    documents: &'a [Prepared],
    /// Documents by path without extension, those folded into others by the paths they had.
    by_stem: HashMap<&'a str, usize>,
    /// Links from other pages, by document.
    uses: &'a [u32],
    /// Nodes of files with their documents, in the order of nodes.
    files: Vec<(u32, usize)>,
}

/// True for a page that is called like the folder of a whole site is: `html.html` there is about HTML.
fn is_output(path: &str) -> bool {
    const OUTPUTS: &str = "html doc docs site public dist build out www _site";
    let name = without_extension(path).to_lowercase();
    OUTPUTS.split(' ').any(|output| output == name)
}

impl<'a> Site<'a> {
    fn of(tree: &'a Tree, documents: &'a [Prepared], linked_from: &'a [u32]) -> Self {
        let mut by_stem: HashMap<&str, usize> = HashMap::new();
        for (i, document) in documents.iter().enumerate() {
            let copies = document.copies.iter().map(|copy| copy.path.as_str());
            for path in copies {
                by_stem.entry(without_extension(path)).or_insert(i);
            }
        }
        for (i, document) in documents.iter().enumerate() {
            by_stem.insert(without_extension(&document.path), i);
        }
        let files = (0..)
            .zip(&tree.nodes)
            .filter_map(|(node, n)| Some((node, n.document?)))
            .collect();
        Self {
            tree,
            documents,
            by_stem,
            uses: linked_from,
            files,
        }
    }

    fn children<'b>(&'b self, directory: usize, done: &'b [Prepared]) -> Vec<Child<'b>> {
        let d = &self.tree.directories[directory];
        let nodes =
            &self.tree.nodes[d.first_child as usize..(d.first_child + d.n_children) as usize];
        nodes
            .iter()
            .map(|node| Child {
                name: decode_name(&node.name),
                prepared: match node.document {
                    Some(document) => &self.documents[document],
                    None => &done[node.directory.expect("a directory")],
                },
                is_dir: node.document.is_none(),
                uses: self.uses_of(node),
            })
            .collect()
    }

    /// Links to a file, or to the page that speaks for a directory.
    fn uses_of(&self, node: &TreeNode) -> u32 {
        match (node.document, node.directory) {
            (Some(document), _) => self.uses[document],
            (None, Some(directory)) => {
                let name = &node.name;
                let page = self.speakers(directory, name).into_iter().find(|s| s.names);
                page.map_or(0, |speaker| self.uses[speaker.document])
            }
            (None, None) => 0,
        }
    }

    /// Pages that may speak for a directory: its index; the page of its name in it or beside it; its introduction.
    fn speakers(&self, directory: usize, path: &str) -> Vec<Speaker<'a>> {
        let d = &self.tree.directories[directory];
        let nodes =
            &self.tree.nodes[d.first_child as usize..(d.first_child + d.n_children) as usize];
        let own_name = path.rsplit('/').next().unwrap_or("").to_lowercase();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for node in nodes {
            let Some(document) = node.document else {
                continue;
            };
            let name = decode_name(&node.name).to_lowercase();
            let stem = without_extension(&name);
            let title = self.documents[document].title.to_lowercase();
            let is_introduction = INTRODUCTIONS.split(' ').any(|w| w == stem || w == title);
            let rank = match stem {
                "index" | "_index" | "readme" => 0,
                stem if stem == own_name && !is_output(&self.documents[document].path) => 1,
                _ if is_introduction => 3,
                _ => continue,
            };
            found.push((rank, document));
        }
        found.extend(self.elsewhere(d, nodes));
        found.sort_unstable();
        let speaker = |(rank, document): (usize, usize)| Speaker {
            page: &self.documents[document],
            document,
            names: rank < 3,
        };
        found.into_iter().map(speaker).collect()
    }

    /// The page `guide.html` beside the folder `guide`, and an index that was folded into another page of its text.
    ///
    /// A folder's path in the input is that of a file in it: folders are mounted elsewhere in the tree.
    fn elsewhere(&self, d: &TreeDirectory, nodes: &[TreeNode]) -> Option<(usize, usize)> {
        let document = nodes.iter().find_map(|node| node.document)?;
        let (folder, _) = self.documents[document].path.rsplit_once('/')?;
        let own_name = &self.tree.nodes[d.node as usize].name;
        if folder.rsplit('/').next() != Some(own_name.as_str()) {
            return None;
        }
        let at = |stem: &str| self.by_stem.get(stem).copied();
        let index = at(&format!("{folder}/index")).map(|page| (0, page));
        index.or_else(|| at(folder).map(|page| (2, page)))
    }

    /// The L1, and `true` where its brief tells something. Files are read for phrases only where no page speaks.
    fn overview(
        &self,
        directory: usize,
        mut folder: Folder<'_>,
        texts: &Supplied,
    ) -> (String, bool) {
        if let Some(overview) = &texts.overview {
            return (overview.clone(), true);
        }
        let d = &self.tree.directories[directory];
        let own = self.files_of(d);
        folder.inside = self.texts(&self.files[own.clone()], &[]);
        if folder.lead().is_none() && directory > 0 {
            let all = self.files_of(&self.tree.directories[d.parent]);
            let (before, after) = (all.start..own.start, own.end..all.end);
            folder.beside = self.texts(&self.files[before], &self.files[after]);
        }
        let (brief, tells) = summary::directory_brief(&folder);
        let overview = summary::directory_overview(folder.title, &brief, folder.children);
        (overview, tells || texts.abstract_.is_some())
    }

    /// Places in [`Site::files`] of the files below a directory.
    fn files_of(&self, d: &TreeDirectory) -> Range<usize> {
        let place = |node: u32| self.files.partition_point(|&(n, _)| n < node);
        place(d.first_child)..place(d.end)
    }

    /// Titles and abstracts of files, of many an evenly spaced sample.
    fn texts(&self, first: &[(u32, usize)], then: &[(u32, usize)]) -> Vec<String> {
        let file = |at: usize| first.get(at).unwrap_or_else(|| &then[at - first.len()]).1;
        summary::sample(first.len() + then.len(), MAX_READ)
            .map(|at| &self.documents[file(at)])
            .filter(|d| !d.abstract_.is_empty())
            .map(|d| format!("{}.\n{}", d.title, if d.tells { &d.abstract_ } else { "" }))
            .collect()
    }
}

/// Stems and titles of pages that open a folder, in the languages that documentation is most written in.
const INTRODUCTIONS: &str = "about introduction intro overview preface foreword einführung einleitung überblick \
    introducción introduzione introdução présentation はじめに 概要 イントロダクション 介绍 简介 概述 소개 개요 введение обзор";

fn without_extension(path: &str) -> &str {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[start..].rfind('.') {
        Some(dot) if dot > 0 => &path[..start + dot],
        _ => path,
    }
}

/// Gives the texts of the root, which has no name, its URI in place of one. They are what is read; what is found stays
/// as it is.
fn name_the_root(root: &mut Prepared, children: &[ChildSummary<'_>]) {
    let folder = Folder {
        title: SCHEME,
        children,
        ..Folder::default()
    };
    let (brief, _) = summary::directory_brief(&folder);
    let overview = summary::directory_overview(SCHEME, &brief, children);
    root.abstract_ = brief;
    root.text = overview_text(overview);
}

fn overview_text(overview: String) -> Waiting {
    let record = TextRecord {
        overview,
        ..TextRecord::default()
    };
    Waiting::new(&record.encode_text())
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
    prepared.text = overview_text(overview);
    prepared.kept = stored_kept(&texts.kept);
    prepared.abstract_ = shown;
    prepared.n_sections = 0;
    prepared.size = 0;
    prepared
}
