//! From prepared documents to the files of a bundle: order, tree, lexicon, postings, parts, packs.

mod blocks;
mod directories;
mod head;
mod nodes;
mod parts;

use super::bridge::{WordFit, bridge};
use super::directories::summarize;
use super::embedded::Embedded;
use super::general::General;
use super::index::{Averages, postings};
use super::lexicon::{Lexicon, Terms, is_english};
use super::links::n_linking;
use super::meaning::Meaning;
use super::mentions::Mentions;
use super::options::{BuildOptions, SINGLE_FILE_TEXTS_UP_TO};
use super::packs::{LARGE_PACK_BYTES, PACK_BYTES, PACK_BYTES_A_FILE, Packer};
use super::parts::attach_vectors;
use super::places::{address, places};
use super::postings::PackedStem;
use super::prepare::{Prepared, Waiting};
use super::site::{Defaults, Report};
use super::skip::Skipped;
use super::static_table::StaticTable;
use super::supplied::Supplied;
use super::tree::{Tree, TreeDirectory, TreeNode};
use super::usage;
use super::variants;
use super::words::PageWords;
use crate::base::error::Result;
use crate::bundle::{Head, Pack, compress_text};
use crate::engine::HEAD_FILE;
use crate::text::stop_words::is_stop_word;
use crate::vectors::VectorRows;
use parts::{Dictionary, Parts};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Bytes of all section vectors up to which they take part where a bundle has packs. More were a quarter of a first query
/// on a small site, for no better answers.
const SECTION_VECTORS_UP_TO: usize = 10_000;

/// Common words of the language of which the dictionary has those that are other forms of the site's: in one file, and
/// in packs, where nobody pays for what nobody asks for.
const FORMS: (usize, usize) = (1_000, 5_000);

/// The step that a build is in, for a progress bar.
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
    /// The decisions on the pages of a site.
    pub site: Option<Report>,
    /// Statements of the owner that are about no page or no version of the site, for people.
    pub warnings: Vec<String>,
}

/// Counts of a finished bundle.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct BuildSummary {
    /// Indexed files.
    pub files: usize,
    /// Directories, the root among them.
    pub directories: usize,
    /// Sections of all files.
    pub sections: usize,
    /// Distinct surfaces.
    pub surfaces: usize,
    /// Groups of surfaces with postings.
    pub terms: usize,
    /// Pairs of stem and node that are kept.
    pub postings: usize,
    /// Vector dimensions; 0: the table does not speak this language, keywords only.
    pub dims: usize,
    /// Packs and the head; 1 for a bundle of one file.
    pub bundle_files: usize,
    /// Compressed size of all files.
    pub bundle_bytes: usize,
    /// Compressed size of the head, without packs that follow it.
    pub head_bytes: usize,
    /// With words that were to have vectors in a model's space ([`super::Embedded::words`]): whether they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word_fit: Option<WordFit>,
}

/// Everything a bundle is made from.
pub(super) struct Input<'a> {
    /// Files, in any order.
    pub(super) documents: Vec<Prepared>,
    /// Their terms, counted.
    pub(super) terms: Terms,
    /// Texts that somebody wrote for directories, by their paths below `viking://`.
    pub(super) supplied: BTreeMap<String, Supplied>,
    /// The graph, with documents by their paths.
    pub(super) mentions: Option<Mentions>,
    /// A model's vectors, in place of those of the site's own words.
    pub(super) embedded: Option<&'a Embedded>,
    pub(super) options: &'a BuildOptions,
    pub(super) defaults: &'a Defaults,
}

/// The choices that depend on the size of the whole input.
struct Layout {
    /// Everything is in the head's file.
    single: bool,
    /// General words are in files of their own, in one file or not.
    general_apart: bool,
    /// Bytes of a pack that is a file of its own.
    apart_bytes: usize,
    /// Sections have vectors of their own.
    with_sections: bool,
    /// Bits of a number of the vectors.
    bits: u8,
}

impl Layout {
    fn of(input: &Input<'_>) -> Self {
        let (documents, options) = (&input.documents, input.options);
        let is_small = is_small(documents);
        let single = options.single_file.unwrap_or(is_small);
        let whole = options.looks_at_all(documents.len()) || input.embedded.is_some();
        let bits = options.bits.unwrap_or(if whole { 4 } else { 3 });
        Self {
            single,
            // Who asks for one file, or for no more words than it holds, gets one.
            general_apart: !single
                || options.single_file.is_none() && options.general_words > Some(FORMS.0),
            apart_bytes: if options.large_packs {
                LARGE_PACK_BYTES
            } else {
                PACK_BYTES.max(PACK_BYTES_A_FILE * documents.len())
            },
            with_sections: single || has_section_vectors(documents, dims(input), options, bits),
            bits,
        }
    }

    fn pack_bytes(&self) -> usize {
        if self.single {
            usize::MAX
        } else {
            self.apart_bytes
        }
    }
}

/// True if all texts and kept files are as few bytes, stored, as one file may have.
fn is_small(documents: &[Prepared]) -> bool {
    let mut bytes = 0;
    documents.iter().all(|d| {
        let text = d.text.raw().expect("a record that was just written");
        bytes += d.kept.len() + compress_text(&text).len();
        bytes <= SINGLE_FILE_TEXTS_UP_TO
    })
}

/// Dimensions of the vectors, if there will be any.
fn dims(input: &Input<'_>) -> usize {
    let own = input.embedded.filter(|e| !e.words).map(|e| e.dims);
    own.unwrap_or(input.options.dims)
}

/// True if the vectors of all sections are so few that a first query can wait for them.
fn has_section_vectors(
    documents: &[Prepared],
    dims: usize,
    options: &BuildOptions,
    bits: u8,
) -> bool {
    let n: usize = documents.iter().map(|d| d.n_sections as usize).sum();
    options.looks_at_all(documents.len())
        && VectorRows::packed_len(n, dims, bits) <= SECTION_VECTORS_UP_TO
}

/// An indexed site: nodes in their order, with words, postings and vectors.
struct Indexed<'a> {
    options: &'a BuildOptions,
    layout: Layout,
    /// Files, by path.
    documents: &'a [Prepared],
    /// Directories, in the order of the tree's.
    directories: &'a [Prepared],
    /// The numbers of their words in the lexicon.
    directory_words: Vec<Box<[u32]>>,
    tree: &'a Tree,
    /// Files and directories, by node.
    nodes: Vec<&'a Prepared>,
    lexicon: Lexicon,
    averages: Averages,
    /// Until the dictionary is written.
    stems: Vec<PackedStem>,
    /// Stems with postings.
    n_terms: usize,
    /// Pairs of stem and node.
    n_postings: usize,
    /// Words that the dictionary lacks.
    general: General,
    /// Vectors; `None`: keywords only.
    meaning: Option<Meaning>,
    word_fit: Option<WordFit>,
}

impl Indexed<'_> {
    /// Dimensions of the vectors; 0: there are none.
    fn dims(&self) -> usize {
        self.meaning.as_ref().map_or(0, |m| m.dims)
    }

    /// True if words have vectors.
    fn has_space(&self) -> bool {
        is_space_there(self.meaning.as_ref())
    }

    /// Drops what only the dictionary says.
    fn forget_postings(&mut self) {
        self.stems = Vec::new();
        self.lexicon.stems = Vec::new();
        self.general = General::default();
    }
}

/// Makes a bundle. *Cost*: linear in words and vectors, but for the similar pages (see [`crate::vectors::nearest`]);
/// words are stemmed and projected once.
pub(super) fn assemble(
    mut input: Input<'_>,
    progress: &mut dyn FnMut(Stage, u64, u64),
) -> Result<Built> {
    let mentions = input.mentions.take();
    input.documents.sort_by(|a, b| a.path.cmp(&b.path));
    let tree = plant(&input);
    progress(Stage::Summarise, 0, tree.directories.len() as u64);
    let linked_from = n_linking(&input.documents);
    let mut directories = summarize(&tree, &input.documents, &input.supplied, &linked_from);
    let layout = Layout::of(&input);
    let words = words(&mut input, &tree, &mut directories);
    let terms = std::mem::take(&mut input.terms);
    let waiting = |d: &mut Prepared| std::mem::take(&mut d.text);
    let mut waiting_texts: Vec<Waiting> = input.documents.iter_mut().map(waiting).collect();
    let directory_texts = directories.iter_mut().map(waiting);
    waiting_texts.extend(directory_texts);
    let mut site = index(
        &input,
        layout,
        &tree,
        &directories,
        (words, terms),
        progress,
    );

    progress(Stage::Pack, 0, 1);
    let dictionary = Dictionary::write(&site);
    site.forget_postings();
    let blocks = blocks::blocks(&tree);
    let node_of = node_of(&site);
    let options = input.options;
    let address = |url: &str, path: &str| address(url, path, options);
    let (variants, copies) = variants::gather(
        &tree,
        &input.documents,
        &linked_from,
        &node_of,
        input.defaults,
        address,
    );
    let mut texts = Packer::new(site.layout.pack_bytes());
    let records = nodes::lay_out(&site, &copies, waiting_texts, &mut texts);
    let (packer, mut written) = Parts::write(
        &site, dictionary, &blocks, &records, mentions, node_of, &variants,
    )?;
    let packs = Packs::of(packer, texts, site.layout.single);
    let block_vectors = std::mem::take(&mut written.block_vectors);
    let head = head::head(&site, &blocks, written, &packs, variants);
    Ok(finish(&site, &head, &block_vectors, packs))
}

/// The tree of the files' places and of the directories that have texts.
fn plant(input: &Input<'_>) -> Tree {
    let places = places(&input.documents, &input.supplied, input.options);
    Tree::new(
        places.iter().map(String::as_str),
        input.supplied.keys().map(String::as_str),
    )
}

/// The words of the tree's nodes, in their order; those of directories are counted here.
fn words(input: &mut Input<'_>, tree: &Tree, directories: &mut [Prepared]) -> Vec<PageWords> {
    for directory in directories.iter_mut() {
        input.terms.count_directory(directory);
    }
    let mut of_node = |node: &TreeNode| match (node.document, node.directory) {
        (Some(d), _) => std::mem::take(&mut input.documents[d].words),
        (None, Some(d)) => std::mem::take(&mut directories[d].words),
        (None, None) => PageWords::default(),
    };
    tree.nodes.iter().map(&mut of_node).collect()
}

/// Words, postings and vectors of the tree's nodes.
fn index<'a>(
    input: &'a Input<'a>,
    mut layout: Layout,
    tree: &'a Tree,
    directories: &'a [Prepared],
    (mut words, terms): (Vec<PageWords>, Terms),
    progress: &mut dyn FnMut(Stage, u64, u64),
) -> Indexed<'a> {
    let (documents, options) = (&input.documents, input.options);
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
    let is_english = is_english(documents, &input.defaults.language);
    let n_forms = if layout.single { FORMS.0 } else { FORMS.1 };
    let forms = StaticTable::words().take(if is_english { n_forms } else { 0 });
    let forms: Vec<&str> = forms.collect();
    let lexicon = terms.into_lexicon(&mut words, &forms, is_stop_word);

    progress(Stage::Embed, 0, nodes.len() as u64);
    let (meaning, word_fit) = meaning(input, &mut layout, tree, &nodes, (&words, &lexicon));
    let of_directory = |d: &TreeDirectory| words[d.node as usize].numbers.clone();
    let directory_words = tree.directories.iter().map(of_directory).collect();
    let averages = Averages::of(&nodes);
    let mut stems = postings(&nodes, words, &lexicon, averages);
    if let Some(meaning) = &meaning {
        attach_vectors(&mut stems, &lexicon, meaning);
    }
    let n_general = n_general(options, meaning.as_ref(), is_english, n_forms);
    let general = General::new(&lexicon, meaning.as_ref(), n_general);
    Indexed {
        options,
        layout,
        documents,
        directories,
        directory_words,
        tree,
        nodes,
        lexicon,
        averages,
        n_terms: stems.iter().filter(|stem| stem.df > 0).count(),
        n_postings: stems.iter().map(|stem| stem.postings.n_nodes()).sum(),
        stems,
        general,
        meaning,
        word_fit,
    }
}

/// The vectors of a site's nodes and words; `None`: keywords only.
fn meaning(
    input: &Input<'_>,
    layout: &mut Layout,
    tree: &Tree,
    nodes: &[&Prepared],
    (words, lexicon): (&[PageWords], &Lexicon),
) -> (Option<Meaning>, Option<WordFit>) {
    let (dims, sections) = (input.options.dims, layout.with_sections);
    let Some(given) = input.embedded else {
        let n = input.documents.len();
        let as_used = n >= usage::FROM && input.options.looks_at_all(n);
        let own = || Meaning::new(nodes, words, lexicon, dims, sections, as_used);
        return (if dims == 0 { None } else { own() }, None);
    };
    let full = given.meaning(tree, nodes, lexicon.surfaces.len(), sections);
    if !given.words {
        return (Some(full), None);
    }
    let (mut meaning, fit) = bridge(given, full, nodes, (words, lexicon), dims);
    if !fit.kept {
        let few = has_section_vectors(&input.documents, given.dims, input.options, layout.bits);
        layout.with_sections = layout.single || few;
        if !layout.with_sections {
            meaning.sections.iter_mut().for_each(Vec::clear);
        }
    }
    (Some(meaning), Some(fit))
}

/// General words of a bundle, of which a dictionary has `n_forms`.
fn n_general(
    options: &BuildOptions,
    meaning: Option<&Meaning>,
    is_english: bool,
    n_forms: usize,
) -> usize {
    match options.general_words {
        _ if !is_english => 0,
        // Words without vectors only keep others from being corrected to them.
        Some(n) if !is_space_there(meaning) => n.min(n_forms),
        n => n.unwrap_or(n_forms),
    }
}

/// True if words have vectors, in the site's own space.
fn is_space_there(meaning: Option<&Meaning>) -> bool {
    meaning.is_some_and(|m| m.space.is_some())
}

/// Nodes of the documents, by path.
fn node_of<'a>(site: &Indexed<'a>) -> HashMap<&'a str, u32> {
    let documents = site.documents;
    let nodes = (0u32..).zip(&site.tree.nodes);
    nodes
        .filter_map(|(i, n)| n.document.map(|d| (documents[d].path.as_str(), i)))
        .collect()
}

/// Packs with their names, or without where they follow the head.
struct Packs {
    all: Vec<(Pack, Vec<u8>)>,
    /// Number of the first pack of texts.
    first_text: u32,
}

impl Packs {
    fn of(parts: Packer, texts: Packer, single: bool) -> Self {
        let mut all = parts.finish(single);
        let first_text = all.len() as u32;
        all.extend(texts.finish(single));
        Self { all, first_text }
    }

    /// The files of the bundle: packs of equal content once, the head last with the packs that follow it.
    fn into_files(self, mut head: Vec<u8>) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for (pack, bytes) in self.all {
            if pack.name.is_empty() {
                head.extend_from_slice(&bytes);
            } else if !files.iter().any(|(name, _)| *name == pack.name) {
                files.push((pack.name, bytes));
            }
        }
        files.push((HEAD_FILE.to_owned(), head));
        files
    }
}

/// The files of the bundle with its counts.
fn finish(site: &Indexed<'_>, head: &Head, block_vectors: &[f32], packs: Packs) -> Built {
    let head_file = head.encode(block_vectors);
    let head_bytes = head_file.len();
    let files = packs.into_files(head_file);
    let summary = BuildSummary {
        files: site.documents.len(),
        directories: site.tree.directories.len(),
        sections: head.parameters.n_sections as usize,
        surfaces: site.lexicon.surfaces.len(),
        terms: site.n_terms,
        postings: site.n_postings,
        dims: site.dims(),
        word_fit: site.word_fit,
        bundle_files: files.len(),
        bundle_bytes: files.iter().map(|f| f.1.len()).sum(),
        head_bytes,
    };
    Built {
        files,
        summary,
        dropped: Vec::new(),
        site: None,
        warnings: Vec::new(),
    }
}
