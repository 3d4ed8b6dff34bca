//! A bundle as other engines take it: pages and their sections with a dense and a sparse vector each, such that the dot
//! product with a question's is the score that Knarr ranks by. Native only.
//!
//! A page is a row, and so is each of its sections; the best row of a page stands for it. For vectors that is Knarr's own
//! score, (page + best section) / 2. For words the page's row is the sum over the fields, and a section's the same with
//! what a section adds, for the words that it holds. With all words of the page in each section it were Knarr's sum also
//! where words stand apart, but the rows of 3,524 pages then take 2.2 GB. Sums over a whole question have no place in a
//! vector: the title or a heading that is just the question counts in Knarr alone.

use super::Knarr;
use crate::base::error::Result;
use crate::base::host::Host;
use crate::base::id::NodeId;
use crate::base::order;
use crate::base::uri::Uri;
use crate::bundle::place::{directory_uri, file_uri, record};
use crate::bundle::stems::{Impact, Stem, StemRef, TermPart, idf};
use crate::bundle::step::{Gather, Step, all};
use crate::bundle::{Head, NodeRecord, PartKind, Resident, SectionText};
use crate::find::answer::contexts::url_of;
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::options::FindOptions;
use crate::find::ask::request::Request;
use crate::find::ask::words::{self, Alternative, Slot};
use crate::find::rank::keywords::{self, FieldWeights};
use crate::text::is_pin;
use std::collections::BTreeMap;

/// A word of the site in all its forms.
#[derive(Debug, Clone, Default)]
pub struct Term {
    /// Its forms as the tokenizer writes them, in order; one that ends in `=` is the name of a thing.
    pub words: Vec<String>,
    /// Nodes that contain it, directories included.
    pub df: u32,
    /// Inverse document frequency.
    pub idf: f32,
    /// Its vector, not normalized; empty when it has none.
    pub vector: Vec<f32>,
    /// The same as integers; empty when it has none.
    pub packed: Vec<i8>,
    /// Size of a one of them.
    pub scale: f32,
    /// It stands in a title.
    pub in_title: bool,
}

/// Words of the language at large, beside those of the site.
#[derive(Debug, Clone, Default)]
pub struct Language {
    /// More forms of the site's words, by their place in [`Terms::all`].
    pub forms: BTreeMap<usize, Vec<String>>,
    /// Words that the site lacks: they have a meaning, and no node.
    pub words: Vec<Term>,
}

/// The words of a bundle, and where the stems stand that they are.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// In the order of the dictionary.
    pub all: Vec<Term>,
    places: BTreeMap<StemRef, usize>,
}

/// A word in a page.
#[derive(Debug, Clone, Default)]
struct Occurrence {
    term: usize,
    /// Score of the fields, times idf.
    weight: f32,
    /// Weight that a section adds which has it.
    passage: f32,
    /// Ordinals of the sections with it; `None`: so frequent that it counts as being in all.
    sections: Option<Vec<u16>>,
    in_title: bool,
}

/// A page with everything that the bundle holds of it.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Its `viking://` URI.
    pub uri: String,
    /// `memory`, `resource` or `skill`.
    pub context_type: &'static str,
    /// URIs of the directories above it, outermost first.
    pub parents: Vec<String>,
    /// Title, address, abstract, tags and times.
    pub record: NodeRecord,
    /// Language as a BCP 47 tag; empty on a site of one.
    pub language: String,
    /// Version as the site writes it; empty on a site of one.
    pub version: String,
    /// L2.
    pub content: String,
    /// Sections in reading order.
    pub sections: Vec<SectionText>,
    words: Vec<Occurrence>,
    /// The page's vector and its sections'; empty without vectors.
    vectors: Vec<Vec<f32>>,
}

impl Page {
    /// Words with their weights: of the page (`None`), or of one of its sections and the page's title.
    pub fn sparse(&self, section: Option<usize>) -> Vec<(usize, f32)> {
        let weigh = |o: &Occurrence| {
            let is_in = match (&o.sections, section) {
                (None, Some(_)) => true,
                (None, None) => self.sections.is_empty(),
                (Some(sections), Some(section)) => {
                    sections.iter().any(|&s| usize::from(s) == section)
                }
                (Some(_), None) => false,
            };
            let weight = o.weight + if is_in { o.passage } else { 0.0 };
            (is_in || o.in_title || section.is_none()).then_some((o.term, weight))
        };
        self.words.iter().filter_map(weigh).collect()
    }

    /// The vector of the page (`None`), or the mean of it and one of its sections'; empty in a bundle without vectors.
    /// A section without a vector of its own has the page's.
    pub fn dense(&self, section: Option<usize>) -> Vec<f32> {
        let Some(page) = self.vectors.first() else {
            return Vec::new();
        };
        match section.and_then(|s| self.vectors.get(s + 1)) {
            Some(own) => page.iter().zip(own).map(|(a, b)| (a + b) / 2.0).collect(),
            None => page.clone(),
        }
    }
}

/// A directory, as answers tell it.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    /// Its `viking://` URI.
    pub uri: String,
    /// Title for people.
    pub title: String,
    /// L0.
    pub abstract_: String,
    /// L1.
    pub overview: String,
}

/// Language and version of a question that names none, and the nodes that idf counts.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// Language as a BCP 47 tag; empty on a site of one.
    pub language: String,
    /// Version as the site writes it; empty on a site of one.
    pub version: String,
    /// Nodes that the idf of a word counts.
    pub nodes: u32,
}

/// A question in the form of the rows.
#[derive(Debug, Clone, Default)]
pub struct QuestionVectors {
    /// Words with their weights.
    pub sparse: Vec<(usize, f32)>,
    /// Vector of length 1; empty when no word has one.
    pub dense: Vec<f32>,
    /// Weight of the vectors, in [0, 1].
    pub alpha: f32,
    /// Words that were read as other words: `[typed, read as]`.
    pub corrections: Vec<[String; 2]>,
    /// Phrases in quotes, which are asked as their words.
    pub phrases: Vec<String>,
    /// Words and phrases with a `-`, of which nothing is asked.
    pub excluded: Vec<String>,
}

/// Reads the whole dictionary.
fn terms(store: &Resident) -> Step<Terms> {
    let head = store.head();
    let n_parts = head.parts[PartKind::Terms as usize].len() as u32;
    let mut gather = Gather::default();
    let parts: Vec<_> = (0..n_parts).map(|i| gather.take(store.terms(i))).collect();
    gather.done()?;
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let mut found = Terms::default();
    for part in &parts {
        for (surface, at) in part.with_prefix("") {
            let Some(own) = parts.get(at.part as usize) else {
                continue;
            };
            let Some(stem) = own.stem(at.stem).filter(|s| s.df > 0 && !is_pin(surface)) else {
                continue;
            };
            let place = *found.places.entry(at).or_insert_with(|| {
                found.all.push(term(own, stem, head.parameters.n_nodes));
                found.all.len() - 1
            });
            found.all[place].words.push(surface.to_owned());
        }
    }
    Ok(found)
}

/// A stem without its forms.
fn term(part: &TermPart, stem: &Stem, n_nodes: u32) -> Term {
    let (packed, scale) = part.packed_vector(stem).unwrap_or_default();
    Term {
        words: Vec::new(),
        df: stem.df,
        idf: idf(n_nodes, stem.df),
        vector: part.vector(stem).unwrap_or_default(),
        packed: packed.to_vec(),
        scale,
        in_title: stem.postings.impacts.iter().any(|i| i.title_len() > 0.0),
    }
}

/// Reads all words of the language; none where a bundle has none, or their files are not beside it.
fn language(store: &Resident, terms: &Terms) -> Step<Language> {
    let head = store.head();
    let first = store.n_terms();
    let mut gather = Gather::default();
    let parts: Vec<_> = (first..first + head.general_keys.len() as u32)
        .map(|i| gather.take(store.terms(i)))
        .collect();
    gather.done()?;
    let mut found = Language::default();
    let mut places: BTreeMap<StemRef, usize> = BTreeMap::new();
    for part in parts.iter().flatten() {
        for (surface, at) in part.with_prefix("") {
            if let Some(&place) = terms.places.get(&at) {
                let forms = found.forms.entry(place).or_default();
                forms.push(surface.to_owned());
                continue;
            }
            let Some(own) = at.part.checked_sub(first).map(|i| &parts[i as usize]) else {
                continue;
            };
            let Some(own) = own.as_ref().filter(|own| own.stem(at.stem).is_some()) else {
                continue;
            };
            let place = *places.entry(at).or_insert_with(|| {
                let stem = own.stem(at.stem).expect("looked up above");
                found.words.push(term(own, stem, head.parameters.n_nodes));
                found.words.len() - 1
            });
            found.words[place].words.push(surface.to_owned());
        }
    }
    found.words.retain(|word| !word.packed.is_empty());
    Ok(found)
}

/// The words of every node, by node.
fn occurrences(store: &Resident, terms: &Terms) -> Step<Vec<Vec<Occurrence>>> {
    let p = &store.head().parameters;
    let mut by_node = vec![Vec::new(); p.n_nodes as usize];
    for (at, &term) in &terms.places {
        let part = store.terms(at.part)?;
        let Some(stem) = part.stem(at.stem) else {
            continue;
        };
        for (node, own) in of_stem(store.head(), stem, term, terms.all[term].idf) {
            by_node[node as usize].push(own);
        }
    }
    for words in &mut by_node {
        order::sort_by(words, |a: &Occurrence, b| a.term.cmp(&b.term));
    }
    Ok(by_node)
}

/// The occurrences of a stem, with their nodes.
fn of_stem(head: &Head, stem: &Stem, term: usize, idf: f32) -> Vec<(u32, Occurrence)> {
    let (fields, average) = (FieldWeights::default(), head.parameters.average_title);
    let p = &stem.postings;
    let of = |(i, (&node, &impact)): (usize, (&u32, &Impact))| {
        let own = idf * head.variants.factor(NodeId(node));
        let sections = p.sections_of(i).iter().map(|s| s.ordinal() as u16);
        let occurrence = Occurrence {
            term,
            weight: own * keywords::fields(impact, average, &fields),
            passage: own * fields.passage,
            sections: (!p.section_ends.is_empty()).then(|| sections.collect()),
            in_title: impact.title_len() > 0.0,
        };
        (node, occurrence)
    };
    p.nodes.iter().zip(&p.impacts).enumerate().map(of).collect()
}

/// The pages of a block of nodes, without their words.
fn pages(store: &Resident, block: usize) -> Step<Vec<(NodeId, Page)>> {
    let head = store.head();
    let mut gather = Gather::default();
    let own = gather.take(store.block(block));
    let has_sections = head.parameters.section_vectors && head.parameters.dims > 0;
    let sections = has_sections.then(|| gather.take(store.section_vectors(block)));
    gather.take(store.branch(block));
    gather.done()?;
    let files: Vec<NodeId> = head.files_in(block).collect();
    let texts = files.iter().map(|&node| Ok(store.text(node)?)).collect();
    let texts = all(texts)?;
    let mut found = Vec::with_capacity(files.len());
    for (row, (node, text)) in files.into_iter().zip(texts).enumerate() {
        let mut record = record(store, node)?;
        let directory = head.parent_of(node);
        let variant = head.variants.of(node).first();
        let variant = variant.map(|&v| head.variants.all[v as usize].clone());
        let variant = variant.unwrap_or_default();
        let mut vectors = Vec::new();
        if let Some(block) = own.as_ref().filter(|b| !b.vectors.is_empty()) {
            vectors.push(block.vectors.row_f32(row));
        }
        if let Some(sections) = sections.iter().flatten().next() {
            vectors.extend(sections.of(row).map(|s| sections.rows().row_f32(s)));
        }
        let factor = head.variants.factor(node);
        vectors.iter_mut().flatten().for_each(|v| *v *= factor);
        let uri = file_uri(&directory_uri(head, directory), &record.name);
        record.url = url_of(&record, &uri, store);
        let page = Page {
            context_type: Uri::from_canonical(uri.clone()).context_type().as_str(),
            uri,
            parents: above(head, directory),
            language: variant.language,
            version: variant.version,
            content: text.content(),
            sections: text.sections.clone(),
            record,
            words: Vec::new(),
            vectors,
        };
        store.forget_text(node);
        found.push((node, page));
    }
    Ok(found)
}

/// The URIs of a directory and those above it, outermost first; without the root of all.
fn above(head: &Head, mut directory: usize) -> Vec<String> {
    let mut uris = Vec::new();
    while head.directories[directory].node.0 != 0 {
        uris.push(directory_uri(head, directory));
        directory = head.directories[directory].parent as usize;
    }
    uris.reverse();
    uris
}

/// The directories, in tree order.
fn folders(store: &Resident) -> Step<Vec<Folder>> {
    let head = store.head();
    let of = |d: usize| -> Step<Folder> {
        let node = head.directories[d].node;
        let text = store.text(node)?;
        let folder = Folder {
            uri: directory_uri(head, d),
            title: text.node.title.clone(),
            abstract_: text.node.abstract_.clone(),
            overview: text.overview.clone(),
        };
        Ok(folder)
    };
    all((0..head.directories.len()).map(of).collect())
}

/// The words and the vector of a question.
fn vectors_of(store: &Resident, terms: &Terms, request: &Request) -> Step<QuestionVectors> {
    let read = words::with_options(store, &request.question, request.options.prefix)?;
    let question = read.as_ref().unwrap_or(&request.question);
    let (mut asked, inputs) = Asked::read(store, request, question)?;
    let mut weights: BTreeMap<usize, f32> = BTreeMap::new();
    for slot in &inputs.slots {
        let mut own: BTreeMap<usize, f32> = BTreeMap::new();
        for a in &slot.alternatives {
            if let Some(term) = term_of(store, terms, a)? {
                let weight = weight_of(slot, a, &terms.all[term]);
                let most = own.entry(term).or_default();
                *most = most.max(weight);
            }
        }
        for (term, weight) in own {
            *weights.entry(term).or_default() += weight;
        }
    }
    let Inputs { vector, alpha, .. } = inputs;
    let told = asked.begin();
    let phrases = question.quoted.phrases.iter();
    Ok(QuestionVectors {
        sparse: weights.into_iter().collect(),
        dense: vector.map(|v| v.to_f32()).unwrap_or_default(),
        alpha,
        corrections: told.corrections,
        phrases: phrases.map(|terms| terms.join(" ")).collect(),
        excluded: told.excluded,
    })
}

/// Weight of a reading of a word, of which the rows hold the idf already.
fn weight_of(slot: &Slot, read: &Alternative, term: &Term) -> f32 {
    slot.weight * read.weight * read.idf / term.idf
}

/// The term that a reading of a word leads to; `None` for one that the site lacks.
fn term_of(store: &Resident, terms: &Terms, read: &Alternative) -> Step<Option<usize>> {
    let head = store.head();
    let mut at = None;
    if let Some(part) = head.term_part(&read.surface) {
        at = store.terms(part)?.find(&read.surface);
    }
    if let Some(part) = head.general_part(&read.surface).filter(|_| at.is_none()) {
        at = store.terms(part)?.find(&read.surface);
    }
    Ok(at.and_then(|at| terms.places.get(&at).copied()))
}

impl Knarr {
    /// The words of the site. Cost: the whole dictionary, in memory.
    pub async fn terms(&self, host: &impl Host) -> Result<Terms> {
        self.run(host, terms).await
    }

    /// The words of the language beside those. Cost: all of them, in memory.
    pub async fn language(&self, host: &impl Host, of: &Terms) -> Result<Language> {
        self.run(host, |store| language(store, of)).await
    }

    /// Hands every page to `each`, in tree order. Cost: all words of all pages, and one block of pages, in memory.
    ///
    /// *Errors*: those of `each`, which end it.
    pub async fn each_page<E: From<crate::Error>>(
        &self,
        host: &impl Host,
        terms: &Terms,
        mut each: impl FnMut(&Page) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut words = self.run(host, |store| occurrences(store, terms)).await?;
        for block in 0..self.store.head().block_starts.len() {
            for (node, mut page) in self.run(host, |store| pages(store, block)).await? {
                page.words = std::mem::take(&mut words[node.index()]);
                each(&page)?;
            }
        }
        Ok(())
    }

    /// Language and version of a question that names none.
    pub fn defaults(&self) -> Defaults {
        let head = self.store.head();
        let own = head.variants.default.clone();
        Defaults {
            language: own.language,
            version: own.version,
            nodes: head.parameters.n_nodes,
        }
    }

    /// The directories, in tree order.
    pub async fn folders(&self, host: &impl Host) -> Result<Vec<Folder>> {
        self.run(host, folders).await
    }

    /// A question as vectors. Its last word counts as finished, unless `options` complete it.
    ///
    /// *Errors*: as for `find`.
    pub async fn question_vectors(
        &self,
        host: &impl Host,
        terms: &Terms,
        query: &str,
        options: &FindOptions,
    ) -> Result<QuestionVectors> {
        let request = Request::read(query, options.clone())?;
        self.run(host, |store| vectors_of(store, terms, &request))
            .await
    }
}
