//! Listings: the children of a directory, everything below it, and the facts of one node (spec: OpenViking §5.2).

#[cfg(feature = "full")]
use super::texts::sidecar;
use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::base::order;
#[cfg(feature = "full")]
use crate::base::uri::with_sidecar;
use crate::base::uri::{Uri, decode_name};
#[cfg(feature = "full")]
use crate::bundle::Directory;
use crate::bundle::place;
use crate::bundle::place::{Place, locate, record, records, uri_of};
#[cfg(feature = "full")]
use crate::bundle::step;
use crate::bundle::step::Step;
use crate::bundle::{NodeRecord, Resident};
use crate::find::answer::result::{Entry, Stat};
use crate::find::ask::options::ListOptions;
#[cfg(feature = "full")]
use crate::find::ask::options::{SortBy, SortOrder};
use crate::find::ask::time::format_ms;
use std::cmp::Ordering;

pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn entry(
    store: &Resident,
    node: NodeId,
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
    if limit == 0 {
        return String::new();
    }
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(3)).collect();
    short.push_str("...");
    short
}

/// A directory by URI. Errors: `INVALID_ARGUMENT` for a file.
pub(super) fn directory(store: &Resident, uri: &str) -> Step<(Place, usize, String)> {
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
    #[cfg(feature = "full")]
    if options.offset > 0 {
        return behind_first(ls, store, uri, options);
    }
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
    directory: NodeId,
    base: &str,
    options: &ListOptions,
    mut rows: Vec<Entry>,
) -> Step<Vec<Entry>> {
    let uri = uri_of(store, directory)?;
    if directory.0 == 0 {
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
pub(super) fn below(uri: &str, base: &str) -> String {
    let path = uri.strip_prefix(base).unwrap_or(uri);
    path.trim_start_matches('/').to_owned()
}

/// A listing without its first rows.
#[cfg(feature = "full")]
fn behind_first(
    list: fn(&Resident, &str, &ListOptions) -> Step<Vec<Entry>>,
    store: &Resident,
    uri: &str,
    options: &ListOptions,
) -> Step<Vec<Entry>> {
    let all = ListOptions {
        offset: 0,
        node_limit: options.node_limit.saturating_add(options.offset),
        ..options.clone()
    };
    let rows = list(store, uri, &all)?;
    Ok(rows.into_iter().skip(options.offset).collect())
}

/// Everything below a directory to a depth, depth first, directories first.
pub fn tree(store: &Resident, uri: &str, options: &ListOptions) -> Step<Vec<Entry>> {
    #[cfg(feature = "full")]
    if options.offset > 0 {
        return behind_first(tree, store, uri, options);
    }
    let (_, index, base) = directory(store, uri)?;
    let mut out = Vec::new();
    // All of the subtree's branches at once: a round per directory would be a round trip per directory.
    let d = &store.head().directories[index];
    if options.level_limit > 1 {
        records(store, d.first_child, d.end)?;
    }
    #[cfg(feature = "full")]
    if options.show_all_hidden {
        let own = |c: &&Directory| c.node == d.node || (d.first_child..d.end).contains(&c.node.0);
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

/// Facts about a node.
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
                .filter(|c| (d.first_child..d.end).contains(&c.node.0))
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
