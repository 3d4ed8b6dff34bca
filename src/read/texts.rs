//! Progressive reading: abstract, overview, content, listings, relations (spec: OpenViking §5.2), and what grep and
//! glob look at (§2.7–2.8).

use crate::base::error::{Error, ErrorKind};
use crate::base::order;
#[cfg(feature = "full")]
use crate::base::uri::{ContextType, with_sidecar};
use crate::base::uri::{Uri, decode_name, is_within, split_sidecar};
#[cfg(feature = "full")]
use crate::bundle::Directory;
#[cfg(feature = "full")]
use crate::bundle::NodeExport;
#[cfg(feature = "full")]
use crate::bundle::find_kept;
use crate::bundle::place;
use crate::bundle::place::{Place, locate, record, records, uri_of};
use crate::bundle::step;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Kept, NodeRecord, Resident};
use crate::find::answer::result::{Entry, RelatedContext, Stat};
use crate::find::ask::options::{GrepOptions, ListOptions, ReadOptions};
#[cfg(feature = "full")]
use crate::find::ask::options::{SortBy, SortOrder};
use crate::find::ask::time::format_ms;
use std::cmp::Ordering;

/// L0 of a node.
pub fn abstract_(store: &Resident, uri: &str) -> Step<String> {
    Ok(record(store, locate(store, uri)?.node)?.abstract_)
}

/// L1 of a node.
pub fn overview(store: &Resident, uri: &str) -> Step<String> {
    Ok(store.text(locate(store, uri)?.node)?.overview.clone())
}

/// Lines of a file's content. A sidecar's URI reads the abstract or overview. Errors: `INVALID_ARGUMENT` for a directory.
pub fn read(store: &Resident, uri: &str, options: &ReadOptions) -> Step<String> {
    let place = locate(store, uri)?;
    let bare = uri.split('#').next().unwrap_or(uri);
    let content = match split_sidecar(bare).1 {
        Some(level) => sidecar(store, place.node, level)?,
        None if place.is_dir() => {
            let what = format!("'{uri}' is a directory: read its overview, or one of its files");
            return Err(Error::new(ErrorKind::InvalidArgument, what).into());
        }
        None => visible(content(store, place.node)?, uri, options)?,
    };
    if options.offset == 0 && options.limit < 0 {
        return Ok(content);
    }
    let most = usize::try_from(options.limit).unwrap_or(usize::MAX);
    Ok(content
        .split_inclusive('\n')
        .skip(options.offset)
        .take(most)
        .collect())
}

/// The bytes of a file: the input's where the bundle keeps them, else its content in UTF-8. A sidecar's URI gives the
/// sidecar. Errors: `INVALID_ARGUMENT` for a directory.
#[cfg(feature = "full")]
pub fn download(store: &Resident, uri: &str) -> Step<Vec<u8>> {
    let node = locate(store, uri)?.node;
    let bare = uri.split('#').next().unwrap_or(uri);
    let kind = split_sidecar(bare).1.unwrap_or(Kept::FILE);
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

/// The core reads what was taken from a file, and never the file itself.
#[cfg(not(feature = "full"))]
fn kept_text(_: &Resident, _: u32, _: u8) -> Step<Option<String>> {
    Ok(None)
}

/// Kept bytes of a node, when they are text.
#[cfg(feature = "full")]
fn kept_text(store: &Resident, node: u32, kind: u8) -> Step<Option<String>> {
    let Some(kept) = store.kept(node)? else {
        return Ok(None);
    };
    let text = find_kept(&kept, kind).and_then(|bytes| std::str::from_utf8(bytes).ok());
    Ok(text.map(str::to_owned))
}

/// L2 of a file: as it was where the bundle keeps that and it is text, else what was taken from it.
fn content(store: &Resident, node: u32) -> Step<String> {
    match kept_text(store, node, Kept::FILE)? {
        Some(text) => Ok(text),
        None => Ok(store.text(node)?.content()),
    }
}

/// A sidecar: the file as it was where the bundle keeps it, else the text alone.
fn sidecar(store: &Resident, node: u32, level: u8) -> Step<String> {
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

/// Contents of nodes, for grep.
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
    let texts = step::all(nodes.iter().map(|&n| content(store, n)).collect())?;
    nodes.iter().for_each(|&n| store.forget_text(n));
    Ok(texts)
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn entry(
    store: &Resident,
    node: u32,
    record: &NodeRecord,
    base: &str,
    abs_limit: usize,
) -> Step<Entry> {
    let uri = uri_of(store, node)?;
    Ok(Entry {
        size: record.size,
        is_dir: record.is_dir,
        mod_time: record
            .updated_at
            .map_or_else(String::new, |t| format_ms(t.saturating_mul(1000))),
        abstract_: shorten(&record.abstract_, abs_limit),
        rel_path: below(&uri, base),
        uri,
    })
}

fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(3)).collect();
    short.push_str("...");
    short
}

/// A directory by URI. Errors: `INVALID_ARGUMENT` for a file.
fn directory(store: &Resident, uri: &str) -> Step<(Place, usize, String)> {
    let place = locate(store, uri)?;
    let index = place.directory.ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidArgument,
            format!("'{uri}' is a file, not a directory"),
        )
    })?;
    Ok((place, index, uri_of(store, place.node)?))
}

/// The children of a directory, or everything below it: directories first, names without regard to case.
pub fn ls(store: &Resident, uri: &str, options: &ListOptions) -> Step<Vec<Entry>> {
    if options.recursive {
        return tree(
            store,
            uri,
            &ListOptions {
                level_limit: usize::MAX,
                recursive: false,
                ..options.clone()
            },
        );
    }
    let (_, index, base) = directory(store, uri)?;
    children(store, index, &base, options)
}

fn children(store: &Resident, index: usize, base: &str, options: &ListOptions) -> Step<Vec<Entry>> {
    let d = &store.head().directories[index];
    let mut rows = records(store, d.first_child, d.first_child + d.n_children)?;
    rows.retain(|(_, r)| r.is_dir || options.show_all_hidden || !is_hidden(&r.name));
    order::sort_by(&mut rows, |(_, a), (_, b)| {
        let folder_first = b.is_dir.cmp(&a.is_dir);
        folder_first.then_with(|| cmp_rows(a, b, options))
    });
    let entries: Step<Vec<Entry>> = rows
        .iter()
        .take(options.node_limit)
        .map(|(node, record)| entry(store, *node, record, base, options.abs_limit))
        .collect();
    #[cfg(feature = "full")]
    if options.show_all_hidden {
        return with_sidecars(store, d.node, base, options, entries?);
    }
    entries
}

#[cfg(feature = "full")]
fn cmp_rows(a: &NodeRecord, b: &NodeRecord, options: &ListOptions) -> Ordering {
    let by_key = match options.sort_by {
        SortBy::Name => place::cmp_names(&a.name, &b.name),
        SortBy::Mtime => a.updated_at.cmp(&b.updated_at),
    };
    let by_key = match options.sort_order {
        SortOrder::Asc => by_key,
        SortOrder::Desc => by_key.reverse(),
    };
    by_key.then_with(|| place::cmp_names(&a.name, &b.name))
}

#[cfg(not(feature = "full"))]
fn cmp_rows(a: &NodeRecord, b: &NodeRecord, _: &ListOptions) -> Ordering {
    place::cmp_names(&a.name, &b.name)
}

/// Puts the sidecars of a directory before its first file. The root has none.
#[cfg(feature = "full")]
fn with_sidecars(
    store: &Resident,
    directory: u32,
    base: &str,
    options: &ListOptions,
    mut rows: Vec<Entry>,
) -> Step<Vec<Entry>> {
    let uri = uri_of(store, directory)?;
    if directory == 0 {
        return Ok(rows);
    }
    let at = rows.iter().take_while(|row| row.is_dir).count();
    let sizes = step::all(vec![
        sidecar(store, directory, 1),
        sidecar(store, directory, 0),
    ])?;
    for (level, text) in [1, 0].into_iter().zip(sizes) {
        let uri = with_sidecar(&uri, level);
        rows.insert(
            at,
            Entry {
                size: text.len() as u64,
                rel_path: below(&uri, base),
                uri,
                ..Entry::default()
            },
        );
    }
    rows.truncate(options.node_limit);
    Ok(rows)
}

/// Path of `uri` below the listed directory.
fn below(uri: &str, base: &str) -> String {
    let path = uri.strip_prefix(base).unwrap_or(uri);
    path.trim_start_matches('/').to_owned()
}

/// Everything below a directory to a depth, depth first, directories first.
pub fn tree(store: &Resident, uri: &str, options: &ListOptions) -> Step<Vec<Entry>> {
    let (_, index, base) = directory(store, uri)?;
    let mut out = Vec::new();
    // All of the subtree's branches at once: a round per directory would be a round trip per directory.
    let d = &store.head().directories[index];
    if options.level_limit > 1 {
        records(store, d.first_child, d.end)?;
    }
    #[cfg(feature = "full")]
    if options.show_all_hidden {
        let own = |c: &&Directory| c.node == d.node || (d.first_child..d.end).contains(&c.node);
        let directories = store.head().directories.iter().filter(own);
        step::all(
            directories
                .flat_map(|c| [0, 1].map(|level| sidecar(store, c.node, level)))
                .collect(),
        )?;
    }
    descend(store, index, &base, options, 1, &mut out)?;
    out.truncate(options.node_limit);
    Ok(out)
}

fn descend(
    store: &Resident,
    index: usize,
    base: &str,
    options: &ListOptions,
    depth: usize,
    out: &mut Vec<Entry>,
) -> Step<()> {
    if depth > options.level_limit || out.len() >= options.node_limit {
        return Ok(());
    }
    let all = ListOptions {
        node_limit: usize::MAX,
        ..options.clone()
    };
    for row in children(store, index, base, &all)? {
        let below = if row.is_dir {
            locate(store, &row.uri)?.directory
        } else {
            None
        };
        out.push(row);
        if let Some(below) = below {
            descend(store, below, base, options, depth + 1, out)?;
        }
    }
    Ok(())
}

/// What is known of a node.
pub fn stat(store: &Resident, uri: &str) -> Step<Stat> {
    let place = locate(store, uri)?;
    let own = record(store, place.node)?;
    let uri = uri_of(store, place.node)?;
    let count = match place.directory {
        // Two rows for each directory, one for each file, as the documents count.
        Some(i) => {
            let head = store.head();
            let d = &head.directories[i];
            let below = head
                .directories
                .iter()
                .filter(|c| (d.first_child..d.end).contains(&c.node))
                .count();
            (d.end - d.first_child) as usize + below + 2
        }
        None => 1,
    };
    Ok(Stat {
        name: decode_name(&own.name),
        size: own.size,
        mod_time: own
            .updated_at
            .map_or_else(String::new, |t| format_ms(t.saturating_mul(1000))),
        is_dir: place.is_dir(),
        count,
        context_type: Uri::from_canonical(uri).context_type().as_str(),
        title: own.title,
        tags: own.tags,
    })
}

/// Where a file links to, with the link's text as the reason.
pub fn relations(store: &Resident, uri: &str) -> Step<Vec<RelatedContext>> {
    relations_of(store, locate(store, uri)?.node)
}

/// [`relations`] of a node.
pub fn relations_of(store: &Resident, node: u32) -> Step<Vec<RelatedContext>> {
    let block = store.head().block_of(node);
    let links = store.links(block)?;
    let own = &links.0[(node - store.head().block_starts[block]) as usize];
    let mut gather = Gather::default();
    for link in own {
        gather.take(store.branch(store.head().block_of(link.node)));
    }
    gather.done()?;
    own.iter()
        .map(|link| {
            Ok(RelatedContext {
                uri: uri_of(store, link.node)?,
                reason: link.reason.clone(),
                abstract_: record(store, link.node)?.abstract_,
            })
        })
        .collect()
}

/// Files that a grep reads: node and URI, in tree order, depth first.
pub fn grep_scope(store: &Resident, uri: &str, options: &GrepOptions) -> Step<Vec<(u32, String)>> {
    let place = locate(store, uri)?;
    let excluded = match &options.exclude_uri {
        Some(uri) => Some(Uri::parse(uri)?),
        None => None,
    };
    let keep = |uri: &str| {
        excluded
            .as_ref()
            .is_none_or(|e| !is_within(uri, e.without_fragment()))
    };
    let base = uri_of(store, place.node)?;
    let Some(index) = place.directory else {
        return Ok(if keep(&base) {
            vec![(place.node, base)]
        } else {
            Vec::new()
        });
    };
    let d = &store.head().directories[index];
    let mut files = Vec::new();
    for (node, record) in records(store, d.first_child, d.end)? {
        if record.is_dir || is_hidden(&record.name) {
            continue;
        }
        let uri = uri_of(store, node)?;
        let depth = uri[base.len()..].matches('/').count() + usize::from(base.ends_with('/'));
        if depth <= options.level_limit && keep(&uri) {
            files.push((node, uri));
        }
    }
    order::sort_by(&mut files, |a, b| place::cmp_depth_first(&a.1, &b.1));
    Ok(files)
}

/// Paths below a URI, for glob: relative path and URI, ordered by path components.
pub fn glob_scope(store: &Resident, uri: &str) -> Step<Vec<(String, String)>> {
    let (_, index, base) = directory(store, uri)?;
    let d = &store.head().directories[index];
    let mut paths = Vec::new();
    for (node, record) in records(store, d.first_child, d.end)? {
        let uri = uri_of(store, node)?;
        // Hidden are files; what lies in a folder whose name begins with a dot is not.
        if record.is_dir || !is_hidden(&record.name) {
            paths.push((decode_name(&below(&uri, &base)), uri));
        }
    }
    order::sort_by(&mut paths, |a, b| a.0.split('/').cmp(b.0.split('/')));
    Ok(paths)
}
