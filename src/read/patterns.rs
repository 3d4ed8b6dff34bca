//! The files that grep reads and the paths that glob is matched against (spec: OpenViking §2.7–2.8).

use super::listing::{below, directory, is_hidden};
use crate::base::id::NodeId;
use crate::base::order;
use crate::base::uri::{Uri, decode_name, is_within};
use crate::bundle::Resident;
use crate::bundle::place;
use crate::bundle::place::{locate, records, uri_of};
use crate::bundle::step::Step;
use crate::find::ask::options::GrepOptions;

/// Files that a grep reads: node and URI, in tree order, depth first.
pub fn grep_scope(
    store: &Resident,
    uri: &str,
    options: &GrepOptions,
) -> Step<Vec<(NodeId, String)>> {
    let place = locate(store, uri)?;
    let excluded = match &options.exclude_uri {
        Some(uri) => {
            let uri = Uri::parse(uri)?;
            place::whole(&uri)?;
            Some(uri)
        }
        None => None,
    };
    let keep = |uri: &str| {
        excluded
            .as_ref()
            .is_none_or(|e| !is_within(uri, e.as_str()))
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
