//! Putting it together: order, directories, indexes, parts, packs, head.

use super::embedded::Embedded;
use super::index::{Averages, postings};
use super::lexicon::Lexicon;
use super::links::find_target;
use super::meaning::{Meaning, normalize};
use super::mentions::Mentions;
use super::packs::{PACK_BYTES, Packer};
use super::parts::{RawPart, TERM_PART_BYTES, attach_vectors, spelling_parts, term_parts};
use super::prepare::{Prepared, prepare, stored_kept};
use super::site::{Defaults, Report};
use super::skip::Skipped;
use super::static_table::StaticTable;
use super::summary::{self, ChildSummary};
use super::supplied::Supplied;
use super::tree::Tree;
use super::variants;
use super::{BuildOptions, Document, DocumentSection, SINGLE_FILE_TEXTS_UP_TO};
use crate::base::uri::{SCHEME, decode_name, encode_name, url_path};
use crate::bundle::{
    ATTRIBUTE_NODES, Attribute, Attributes, Branch, Directory, Head, LinkRecord, Links, NodeRecord,
    Parameters, PartAddress, PartKind, TextRecord, check_of, encode_graph, fold_tag, seal,
};
use crate::engine::HEAD_FILE;
use crate::vectors::{VectorRows, quantize};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Nodes of a branch part, at most: about 8 kB of names, abstracts and vectors.
const GROUP_NODES: u32 = 64;
/// Directories of up to this many children share a branch part with their neighbours.
const SMALL_DIRECTORY: u32 = 32;
/// Files up to which a question looks at every vector: they are then at most 70 kB, in a request or two.
const ALL_VECTORS_UP_TO: usize = 2_000;
/// Bytes of all section vectors up to which they take part where a bundle has packs.
const SECTION_VECTORS_UP_TO: usize = 40_000;
/// Groups looked into for their vectors besides those of the keyword hits, on larger sites.
const PROBES: u32 = 8;

/// What the builder is doing, for a progress bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Entities and relations.
    Graph,
    /// Directories' abstracts and overviews.
    Summarise,
    /// Words, stems and postings.
    Index,
    /// Vectors.
    Embed,
    /// Parts and packs.
    Pack,
}

/// A finished bundle.
#[derive(Debug, Clone)]
pub struct Built {
    /// File name and bytes; the head last, so that it never names files that are not there yet.
    pub files: Vec<(String, Vec<u8>)>,
    /// Counts.
    pub summary: BuildSummary,
    /// Documents that were added and are not in the bundle, with the reason.
    pub dropped: Vec<Skipped>,
    /// What was decided on the pages of a site.
    pub site: Option<Report>,
}

/// Counts of a finished bundle.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct BuildSummary {
    /// Indexed files.
    pub files: usize,
    /// Directories.
    pub directories: usize,
    /// Sections.
    pub sections: usize,
    /// Distinct surfaces.
    pub surfaces: usize,
    /// Groups of surfaces with postings.
    pub terms: usize,
    /// Postings.
    pub postings: usize,
    /// Vector dimensions; 0: the table does not speak this language, keywords only.
    pub dims: usize,
    /// Files of the bundle.
    pub bundle_files: usize,
    /// Bytes of the bundle.
    pub bundle_bytes: usize,
    /// Bytes of the head.
    pub head_bytes: usize,
}

pub(super) fn assemble(
    mut documents: Vec<Prepared>,
    supplied: &BTreeMap<String, &Supplied>,
    mentions: Option<Mentions>,
    embedded: Option<&Embedded>,
    options: &BuildOptions,
    defaults: &Defaults,
    progress: &mut dyn FnMut(Stage, u64, u64),
) -> Built {
    documents.sort_by(|a, b| a.path.cmp(&b.path));
    let n_files = documents.len();
    let text_bytes: usize = documents.iter().map(|d| d.text.len() + d.kept.len()).sum();
    let is_small = text_bytes <= SINGLE_FILE_TEXTS_UP_TO;
    let single = options.single_file.unwrap_or(is_small);
    let with_sections = single || has_section_vectors(&documents, embedded, options);
    let tree = Tree::new(
        documents
            .iter()
            .map(|d| mounted(&d.path, options))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str),
        supplied.keys().map(String::as_str),
    );

    progress(Stage::Summarise, 0, tree.directories.len() as u64);
    let directories = summarise(&tree, &documents, supplied);
    let nodes: Vec<&Prepared> = tree
        .nodes
        .iter()
        .map(|n| match (n.document, n.directory) {
            (Some(d), _) => &documents[d],
            (None, Some(d)) => &directories[d],
            (None, None) => unreachable!("a node is a document or a directory"),
        })
        .collect();

    progress(Stage::Index, 0, nodes.len() as u64);
    let lexicon = Lexicon::new(
        &nodes,
        &general_words(&documents, &defaults.language, single),
    );
    let words: Vec<&[u32]> = lexicon.of_document.iter().map(Vec::as_slice).collect();
    let averages = Averages::of(&nodes);
    let mut groups = postings(&nodes, &words, &lexicon, averages);

    progress(Stage::Embed, 0, nodes.len() as u64);
    let meaning = match (embedded, options.dims) {
        (Some(embedded), _) => {
            Some(embedded.meaning(&tree, &nodes, lexicon.surfaces.len(), with_sections))
        }
        (None, 0) => None,
        (None, dims) => Meaning::new(&nodes, &words, &lexicon, dims, with_sections),
    };
    if let Some(meaning) = &meaning {
        attach_vectors(&mut groups, &lexicon, meaning);
    }
    let dims = meaning.as_ref().map_or(0, |m| m.dims);

    progress(Stage::Pack, 0, 1);
    let starts = cut_groups(&tree);
    let ranges: Vec<std::ops::Range<usize>> = starts
        .iter()
        .enumerate()
        .map(|(i, &s)| s as usize..starts.get(i + 1).map_or(nodes.len(), |&e| e as usize))
        .collect();
    let limit = if single { usize::MAX } else { PACK_BYTES };
    let mut node_of: HashMap<&str, u32> = tree
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, n)| n.document.map(|d| (documents[d].path.as_str(), i as u32)))
        .collect();
    let address = |url: &str, path: &str| address(url, path, options);
    let (variants, copies) = variants::gather(&tree, &documents, &node_of, defaults, address);
    let mut texts = Packer::new(limit);
    let mut text_offset = 0u64;
    let records: Vec<NodeRecord> = nodes
        .iter()
        .enumerate()
        .map(|(i, d)| {
            let mut record = node_record(
                d,
                &tree.nodes[i].name,
                tree.nodes[i].document.is_none(),
                text_offset,
                options,
            );
            if let Some(document) = tree.nodes[i].document {
                record.copies.clone_from(&copies[document]);
            }
            texts.text(&d.text);
            if !d.kept.is_empty() {
                texts.text(&d.kept);
            }
            text_offset += (d.text.len() + d.kept.len()) as u64;
            record
        })
        .collect();

    let mut packer = Packer::new(limit);
    let mut parts: [Vec<PartAddress>; PartKind::ALL.len()] = Default::default();
    let mut place = |kind: usize, raw: &[RawPart]| {
        parts[kind] = raw.iter().map(|p| packer.part(&p.bytes)).collect();
        raw.iter().map(|p| p.key.clone()).collect::<Vec<String>>()
    };
    let term_keys = place(
        PartKind::Terms as usize,
        &term_parts(
            &groups,
            &lexicon,
            dims,
            options.bits,
            options.term_part_bytes.unwrap_or(TERM_PART_BYTES),
        ),
    );
    let spelling_keys = place(
        PartKind::Spelling as usize,
        &spelling_parts(&groups, &lexicon),
    );
    let file_vector = |i: usize| -> Vec<f32> {
        let v = meaning
            .as_ref()
            .map(|m| m.nodes[i].clone())
            .unwrap_or_default();
        if v.is_empty() { vec![0.0; dims] } else { v }
    };
    for range in &ranges {
        let branch = packer.part(&Branch::encode(&records[range.clone()]));
        parts[PartKind::Branch as usize].push(branch);
    }
    let mut group_vectors = Vec::new();
    for range in ranges.iter().filter(|_| dims > 0) {
        let files = range.clone().filter(|&i| !records[i].is_dir);
        let vectors: Vec<f32> = files.flat_map(&file_vector).collect();
        let mut mean = vec![0.0; dims];
        vectors
            .chunks(dims)
            .for_each(|v| mean.iter_mut().zip(v).for_each(|(m, v)| *m += v));
        normalize(&mut mean);
        group_vectors.extend(mean);
        parts[PartKind::Vectors as usize].push(packer.part(&quantize(
            &vectors,
            dims,
            options.bits,
        )));
    }
    if let Some(m) = meaning.as_ref().filter(|_| with_sections) {
        for range in &ranges {
            let files = range.clone().filter(|&i| !records[i].is_dir);
            let rows: Vec<f32> = files
                .flat_map(|i| m.sections[i][..records[i].n_sections as usize].concat())
                .collect();
            parts[PartKind::SectionVectors as usize].push(packer.part(&quantize(
                &rows,
                dims,
                options.bits,
            )));
        }
    }
    let graph = mentions.map(|mentions| mentions.at_nodes(&node_of));
    // A link to a folded copy leads to what it was folded into.
    for (i, n) in tree.nodes.iter().enumerate() {
        let copies = n.document.map_or(&[][..], |d| &documents[d].copies);
        for copy in copies {
            node_of.entry(copy.path.as_str()).or_insert(i as u32);
        }
    }
    for range in &ranges {
        let lists = range
            .clone()
            .map(|i| links_of(nodes[i], &node_of, i as u32))
            .collect();
        parts[PartKind::Links as usize].push(packer.part(&Links(lists).encode()));
    }

    let attributes = PartKind::Attributes as usize;
    for rows in records.chunks(ATTRIBUTE_NODES as usize) {
        let rows = Attributes(rows.iter().map(attribute).collect());
        parts[attributes].push(packer.part(&rows.encode()));
    }

    if let Some(graph) = &graph {
        parts[PartKind::Graph as usize].push(packer.part(&encode_graph(graph)));
    }

    let packs = packer.finish(single);
    let first_text_pack = packs.len() as u32;
    let packs: Vec<_> = packs.into_iter().chain(texts.finish(single)).collect();
    let n_terms = groups.iter().filter(|g| g.df > 0).count();
    let head = Head {
        generator: concat!("knarr ", env!("CARGO_PKG_VERSION")).to_owned(),
        name: encode_name(&options.name),
        parameters: Parameters {
            n_nodes: nodes.len() as u32,
            n_files: n_files as u32,
            n_sections: documents.iter().map(|d| d.n_sections).sum(),
            n_terms: n_terms as u32,
            dims: dims as u32,
            term_bits: options.bits,
            node_bits: options.bits,
            encoder: match embedded {
                Some(embedded) => embedded.encoder.clone(),
                None if dims == 0 => String::new(),
                None => format!("static-256-int4:{}", StaticTable::embedded().fingerprint()),
            },
            alpha: options.alpha,
            average_title: averages.title,
            probes: match options.probes {
                Some(probes) => probes,
                None if n_files <= ALL_VECTORS_UP_TO => 0,
                None => PROBES,
            },
            section_vectors: with_sections && dims > 0,
        },
        packs: packs.iter().map(|(p, _)| p.clone()).collect(),
        first_text_pack,
        directories: tree
            .directories
            .iter()
            .map(|d| Directory {
                node: d.node,
                parent: d.parent as u32,
                first_child: d.first_child,
                n_children: d.n_children,
                end: d.end,
                name: tree.nodes[d.node as usize].name.clone(),
            })
            .collect(),
        block_names: starts
            .iter()
            .map(|&s| tree.nodes[s as usize].name.clone())
            .collect(),
        block_starts: starts,
        variants,
        directory_vectors: VectorRows::default(),
        block_vectors: VectorRows::default(),
        term_keys,
        spelling_keys,
        parts,
        head_bytes: 0,
    };
    let directory_vectors = match embedded {
        Some(embedded) => embedded.directories(&tree),
        None => directory_vectors(&tree, &directories, &nodes, &lexicon, meaning.as_ref()),
    };
    let mut head_file = head.encode(&directory_vectors, &group_vectors);
    let head_bytes = head_file.len();
    let mut files = Vec::new();
    for (pack, bytes) in packs {
        if pack.name.is_empty() {
            head_file.extend_from_slice(&bytes);
        } else if !files.iter().any(|(name, _)| *name == pack.name) {
            files.push((pack.name, bytes));
        }
    }
    files.push((HEAD_FILE.to_owned(), head_file));
    let summary = BuildSummary {
        files: n_files,
        directories: tree.directories.len(),
        sections: head.parameters.n_sections as usize,
        surfaces: lexicon.surfaces.len(),
        terms: n_terms,
        postings: groups.iter().map(|g| g.postings.nodes.len()).sum(),
        dims,
        bundle_files: files.len(),
        bundle_bytes: files.iter().map(|f| f.1.len()).sum(),
        head_bytes,
    };
    Built {
        files,
        summary,
        dropped: Vec::new(),
        site: None,
    }
}

/// Whether the vectors of all sections are few enough that a first question can wait for them.
fn has_section_vectors(
    documents: &[Prepared],
    embedded: Option<&Embedded>,
    options: &BuildOptions,
) -> bool {
    let dims = embedded.map_or(options.dims, |e| e.dims);
    let n: usize = documents.iter().map(|d| d.n_sections as usize).sum();
    let looks_at_all = match options.probes {
        Some(probes) => probes == 0,
        None => documents.len() <= ALL_VECTORS_UP_TO,
    };
    looks_at_all && VectorRows::packed_len(n, dims, options.bits) <= SECTION_VECTORS_UP_TO
}

/// Path below `viking://` of an input path, names as they stand in URIs.
pub(super) fn mounted(path: &str, options: &BuildOptions) -> String {
    for (prefix, uri) in &options.mounts {
        let prefix = prefix.trim_matches('/');
        let rest = path
            .strip_prefix(prefix)
            .filter(|r| prefix.is_empty() || r.starts_with('/'));
        if let Some(rest) = rest {
            let target = uri.trim_start_matches("viking://").trim_matches('/');
            let rest = encoded(rest.trim_start_matches('/'));
            return match target {
                "" => rest,
                _ => format!("{target}/{rest}"),
            };
        }
    }
    format!("resources/{}/{}", encode_name(&options.name), encoded(path))
}

/// A path of names as a path of segments.
pub(super) fn encoded(path: &str) -> String {
    let segments: Vec<String> = path.split('/').map(encode_name).collect();
    segments.join("/")
}

/// Path below `viking://` of a directory of the input; the input folder itself has an empty path.
pub(super) fn mounted_directory(path: &str, options: &BuildOptions) -> String {
    let mounts = options.mounts.iter();
    let mut at_mount = mounts
        .filter(|(prefix, _)| prefix.trim_matches('/') == path)
        .map(|(_, uri)| uri.trim_start_matches("viking://").to_owned());
    let below = at_mount.next().unwrap_or_else(|| mounted(path, options));
    below.trim_matches('/').to_owned()
}

/// L0 and L1 of every directory, from the leaves up, as documents of their own.
pub(super) fn summarise(
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

/// Common words of the language that the site may not have: they bring forms of its stems, and vectors.
fn general_words(documents: &[Prepared], own: &str, single: bool) -> Vec<&'static str> {
    let written = documents.iter().filter(|d| !d.language.is_empty());
    let english = written.clone().filter(|d| d.language == "en").count();
    let is_english = match own.split('-').next() {
        Some("") | None => english * 2 >= written.count(),
        Some(own) => own == "en",
    };
    if !is_english {
        return Vec::new();
    }
    // About 30 bytes a word. In one file everybody pays for all of them; in parts only for the ones asked for.
    let n = if single { 1_000 } else { 5_000 };
    include_str!("static_table/general-words.txt")
        .lines()
        .take(n)
        .collect()
}

/// First nodes of the branch parts: blocks of children, wide ones cut, small neighbours joined.
fn cut_groups(tree: &Tree) -> Vec<u32> {
    let mut blocks: Vec<(u32, u32)> = tree
        .directories
        .iter()
        .filter(|d| d.n_children > 0)
        .map(|d| (d.first_child, d.n_children))
        .collect();
    blocks.sort_unstable();
    let mut starts = vec![0u32];
    let mut filled = 1; // the root's own record
    for (first, n) in blocks {
        if filled > 0
            && (filled + n > GROUP_NODES || (n > SMALL_DIRECTORY && filled > SMALL_DIRECTORY))
        {
            starts.push(first);
            filled = 0;
        }
        let pieces = (filled + n).div_ceil(GROUP_NODES).max(1);
        let size = (filled + n).div_ceil(pieces);
        for piece in 1..pieces {
            starts.push(first - filled + piece * size);
        }
        filled = if pieces > 1 {
            filled + n - (pieces - 1) * size
        } else {
            filled + n
        };
    }
    starts
}

/// What filters read of a node.
fn attribute(record: &NodeRecord) -> Attribute {
    Attribute {
        name: if record.is_dir {
            String::new()
        } else {
            record.name.clone()
        },
        created_at: record.created_at,
        updated_at: record.updated_at,
        tags: record
            .tags
            .iter()
            .map(|t| fold_tag(t))
            .filter(|t| !t.is_empty())
            .collect(),
    }
}

/// Address of a page for a browser: its own, or its path, below the base.
fn address(url: &str, path: &str, options: &BuildOptions) -> String {
    match url {
        "" => [options.base_url.as_str(), &url_path(&encoded(path))].concat(),
        // The site's root, which the base is the address of.
        "./" if !options.base_url.is_empty() => options.base_url.clone(),
        url => [options.base_url.as_str(), url].concat(),
    }
}

fn node_record(
    d: &Prepared,
    name: &str,
    is_dir: bool,
    text_offset: u64,
    options: &BuildOptions,
) -> NodeRecord {
    let url = match (is_dir, options.base_url.as_str(), d.url.as_str()) {
        // An empty address is read as the path.
        (true, ..) | (_, "", "") => String::new(),
        (_, _, url) => address(url, &d.path, options),
    };
    NodeRecord {
        name: name.to_owned(),
        is_dir,
        title: d.title.clone(),
        abstract_: d.abstract_.clone(),
        url,
        n_sections: d.n_sections,
        weight: d.weight,
        created_at: d.created_at,
        updated_at: d.updated_at,
        tags: d.tags.clone(),
        size: d.size,
        text_offset,
        text_len: d.text.len() as u32,
        text_check: check_of(&d.text),
        kept_len: d.kept.len() as u32,
        kept_check: if d.kept.is_empty() {
            0
        } else {
            check_of(&d.kept)
        },
        crumbs: d.crumbs.clone(),
        copies: Vec::new(),
    }
}

fn links_of(document: &Prepared, node_of: &HashMap<&str, u32>, own: u32) -> Vec<LinkRecord> {
    let mut links: Vec<LinkRecord> = Vec::new();
    for link in &document.links {
        let target = find_target(&link.path, |path| node_of.contains_key(path));
        if let Some(&node) = target.and_then(|path| node_of.get(path.as_str()))
            && node != own
            && !links.iter().any(|l| l.node == node)
        {
            links.push(LinkRecord {
                node,
                reason: link.text.clone(),
            });
        }
    }
    links
}

/// L0 and L1 rows of every directory.
fn directory_vectors(
    tree: &Tree,
    directories: &[Prepared],
    nodes: &[&Prepared],
    lexicon: &Lexicon,
    meaning: Option<&Meaning>,
) -> Vec<f32> {
    let Some(meaning) = meaning else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (d, prepared) in tree.directories.iter().zip(directories) {
        let words = &lexicon.of_document[d.node as usize];
        debug_assert!(std::ptr::eq(nodes[d.node as usize], prepared));
        let index: HashMap<&str, u32> = prepared
            .words
            .iter()
            .zip(words)
            .map(|(w, &s)| (w.term.as_str(), s))
            .collect();
        let mut short = Vec::new();
        let text = format!("{} {}", prepared.title, prepared.abstract_);
        crate::text::tokenize(&text, |t| short.extend(index.get(t.term.as_str()).copied()));
        for mut row in [
            meaning.of_words(short.into_iter()),
            meaning.nodes[d.node as usize].clone(),
        ] {
            row.resize(meaning.dims, 0.0);
            rows.extend(row);
        }
    }
    rows
}
