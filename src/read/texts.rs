//! Progressive reading: abstracts, overviews and contents (spec: OpenViking §5.2).

#[cfg(feature = "full")]
use super::section;
use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::base::uri::split_sidecar;
#[cfg(feature = "full")]
use crate::base::uri::{ContextType, Uri};
use crate::bundle::place::{locate, record};
#[cfg(feature = "full")]
use crate::bundle::place::{records, uri_of};
use crate::bundle::step;
#[cfg(feature = "full")]
use crate::bundle::step::Gather;
use crate::bundle::step::Step;
use crate::bundle::{Kept, Resident};
#[cfg(feature = "full")]
use crate::bundle::{NodeExport, find_kept};
#[cfg(feature = "full")]
use crate::find::answer::contexts::url_of;
use crate::find::ask::options::ReadOptions;

/// L0 of a node.
pub fn abstract_(store: &Resident, uri: &str) -> Step<String> {
    Ok(record(store, locate(store, uri)?.node)?.abstract_)
}

/// L1 of a node; of a file, with the anchors of its sections.
#[cfg(feature = "full")]
pub fn overview(store: &Resident, uri: &str) -> Step<String> {
    let text = store.text(locate(store, uri)?.node)?;
    Ok(section::with_anchors(&text.overview, &text.sections))
}

/// L1 of a node, as the bundle has it.
#[cfg(not(feature = "full"))]
pub fn overview(store: &Resident, uri: &str) -> Step<String> {
    Ok(store.text(locate(store, uri)?.node)?.overview.clone())
}

/// Lines of a file's content, or of a section's. A sidecar's URI reads the abstract or overview.
///
/// Errors: `INVALID_ARGUMENT` for a directory, `NOT_FOUND` for a section that the file lacks.
#[cfg(feature = "full")]
pub fn read(store: &Resident, uri: &str, options: &ReadOptions) -> Step<String> {
    let parsed = Uri::parse(uri)?;
    if options.limit < -1 {
        let message = "limit is a number of lines, or -1 for all that follow";
        return Err(Error::new(ErrorKind::InvalidArgument, message).into());
    }
    let Some(_) = parsed.fragment() else {
        return read_whole(store, uri, options);
    };
    let place = locate(store, parsed.without_fragment())?;
    let text = store.text(place.node)?;
    let content = section::content(&text.sections, &parsed)?;
    Ok(lines(content, options))
}

/// [`read_whole`]: sections are the full engine's.
#[cfg(not(feature = "full"))]
pub fn read(store: &Resident, uri: &str, options: &ReadOptions) -> Step<String> {
    read_whole(store, uri, options)
}

/// [`read`] of a file or a sidecar.
fn read_whole(store: &Resident, uri: &str, options: &ReadOptions) -> Step<String> {
    let place = locate(store, uri)?;
    let content = match split_sidecar(uri).1 {
        Some(level) => sidecar(store, place.node, level)?,
        None if place.is_dir() => {
            let what = format!("'{uri}' is a directory: read its overview, or one of its files");
            return Err(Error::new(ErrorKind::InvalidArgument, what).into());
        }
        None => visible(content(store, place.node)?, uri, options)?,
    };
    Ok(lines(content, options))
}

/// The lines that were asked for.
fn lines(content: String, options: &ReadOptions) -> String {
    let from = first_line(options);
    if from == 0 && options.limit < 0 {
        return content;
    }
    let most = usize::try_from(options.limit).unwrap_or(usize::MAX);
    let lines = content.split_inclusive('\n');
    lines.skip(from).take(most).collect()
}

#[cfg(feature = "full")]
fn first_line(options: &ReadOptions) -> usize {
    let line = options.line.map(|line| line.saturating_sub(1));
    line.unwrap_or(options.offset)
}

#[cfg(not(feature = "full"))]
fn first_line(options: &ReadOptions) -> usize {
    options.offset
}

/// The bytes of a file: the input's where the bundle keeps them, else its content in UTF-8. A sidecar's URI gives the
/// sidecar. Errors: `INVALID_ARGUMENT` for a directory.
#[cfg(feature = "full")]
pub fn download(store: &Resident, uri: &str) -> Step<Vec<u8>> {
    let node = locate(store, uri)?.node;
    let kind = split_sidecar(uri).1.unwrap_or(Kept::FILE);
    if let Some(bytes) = store
        .kept(node)?
        .as_deref()
        .and_then(|kept| find_kept(kept, kind))
    {
        return Ok(bytes.to_vec());
    }
    let raw = ReadOptions {
        raw: true,
        ..ReadOptions::default()
    };
    Ok(read(store, uri, &raw)?.into_bytes())
}

/// A file's content as a reader sees it: a memory without the comment of its fields, unless it is asked for raw.
#[cfg(feature = "full")]
fn visible(content: String, uri: &str, options: &ReadOptions) -> Step<String> {
    let is_memory = Uri::parse(uri)?.context_type() == ContextType::Memory;
    if options.raw || !is_memory {
        return Ok(content);
    }
    let end = without_fields(&content).len();
    Ok(content[..end].to_owned())
}

#[cfg(not(feature = "full"))]
fn visible(content: String, _: &str, _: &ReadOptions) -> Step<String> {
    Ok(content)
}

/// A memory's text without the comment `<!-- MEMORY_FIELDS … -->` at its end.
#[cfg(feature = "full")]
fn without_fields(content: &str) -> &str {
    let inner = || {
        let open = content.trim_end().strip_suffix("-->")?;
        let start = open.rfind("<!--")?;
        let fields = open[start + 4..]
            .trim_start()
            .strip_prefix("MEMORY_FIELDS")?;
        let is_word = fields.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        (!is_word && !fields.contains("-->")).then(|| content[..start].trim_end())
    };
    inner().unwrap_or(content)
}

/// The core reads the text taken from a file, and never the file itself.
#[cfg(not(feature = "full"))]
fn kept_text(_: &Resident, _: NodeId, _: u8) -> Step<Option<String>> {
    Ok(None)
}

/// Kept bytes of a node, when they are text.
#[cfg(feature = "full")]
fn kept_text(store: &Resident, node: NodeId, kind: u8) -> Step<Option<String>> {
    let Some(kept) = store.kept(node)? else {
        return Ok(None);
    };
    let text = find_kept(&kept, kind).and_then(|bytes| std::str::from_utf8(bytes).ok());
    Ok(text.map(str::to_owned))
}

/// L2 of a file: the file itself where the bundle keeps it and it is text, else the text taken from it.
fn content(store: &Resident, node: NodeId) -> Step<String> {
    match kept_text(store, node, Kept::FILE)? {
        Some(text) => Ok(text),
        None => Ok(store.text(node)?.content()),
    }
}

/// A sidecar: the file as it was where the bundle keeps it, else the text alone.
pub(super) fn sidecar(store: &Resident, node: NodeId, level: u8) -> Step<String> {
    // A sidecar's kind is its level.
    match kept_text(store, node, level)? {
        Some(file) => Ok(file),
        None if level == 0 => Ok(record(store, node)?.abstract_),
        None => Ok(store.text(node)?.overview.clone()),
    }
}

/// All that the bundle holds of a range of nodes, for export.
#[cfg(feature = "full")]
pub fn stored(store: &Resident, from: u32, to: u32) -> Step<Vec<NodeExport>> {
    let rows = records(store, from, to)?;
    let mut gather = Gather::default();
    let texts: Vec<_> = (from..to)
        .map(NodeId)
        .map(|node| {
            (
                gather.take(store.text(node)),
                gather.take(store.kept(node)).flatten(),
            )
        })
        .collect();
    gather.done()?;
    let head = store.head();
    let mut nodes = Vec::with_capacity(texts.len());
    for ((node, record), (text, kept)) in rows.into_iter().zip(texts) {
        let text = text.expect("a missing text stops the step before");
        let directory = head.directory_at(node).map(|d| &head.directories[d]);
        nodes.push(NodeExport {
            uri: uri_of(store, node)?,
            is_dir: record.is_dir,
            n_children: directory.map_or(0, |d| d.n_children as usize),
            abstract_: record.abstract_,
            overview: text.overview.clone(),
            content: text.content(),
            tags: record.tags,
            kept: kept.as_deref().cloned().unwrap_or_default(),
        });
        store.forget_text(node);
    }
    Ok(nodes)
}

/// URI and address of the pages of a range of nodes.
#[cfg(feature = "full")]
pub fn addresses(store: &Resident, from: u32, to: u32) -> Step<Vec<(String, String)>> {
    let mut pages = Vec::new();
    for (node, record) in records(store, from, to)? {
        if !record.is_dir {
            let uri = uri_of(store, node)?;
            let url = url_of(&record, &uri, store);
            pages.push((uri, url));
        }
    }
    Ok(pages)
}

/// Contents of nodes by number, for grep. Errors: `INVALID_ARGUMENT` for a number that no node has.
pub fn contents(store: &Resident, nodes: &[u32]) -> Step<Vec<String>> {
    if let Some(bad) = nodes
        .iter()
        .find(|&&n| n >= store.head().parameters.n_nodes)
    {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!("there is no node {bad}"),
        )
        .into());
    }
    let nodes = || nodes.iter().copied().map(NodeId);
    let texts = step::all(nodes().map(|n| content(store, n)).collect())?;
    nodes().for_each(|n| store.forget_text(n));
    Ok(texts)
}
