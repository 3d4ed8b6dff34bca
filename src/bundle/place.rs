//! Between URIs and nodes.

use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::base::uri::{Uri, split_sidecar};
use crate::bundle::step::{Gather, Halt, Step};
use crate::bundle::{Head, NodeRecord, Resident};
use std::rc::Rc;

/// A node found by its URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Node that the URI names.
    pub node: NodeId,
    /// Index into the head's directories, for a directory.
    pub directory: Option<usize>,
}

impl Place {
    /// True for a directory.
    pub fn is_dir(self) -> bool {
        self.directory.is_some()
    }
}

/// Half-open ranges of nodes, as a scope has them.
pub type Ranges = Vec<(u32, u32)>;

/// True if `node` lies in one of `ranges`.
pub fn within(ranges: &[(u32, u32)], node: NodeId) -> bool {
    ranges
        .iter()
        .any(|&(from, to)| (from..to).contains(&node.0))
}

/// The record of a node.
pub fn record(store: &Resident, node: NodeId) -> Step<NodeRecord> {
    let block = store.head().block_of(node);
    let branch = store.branch(block)?;
    Ok(branch.nodes[(node.0 - store.head().block_starts[block]) as usize].clone())
}

/// The URI of a directory, by its place in the head.
pub fn directory_uri(head: &Head, index: usize) -> String {
    ["viking://", &head.directory_path(index).join("/")].concat()
}

/// The URI of the file `name` in the directory at `base`.
pub fn file_uri(base: &str, name: &str) -> String {
    [base, "/", name].concat()
}

/// The URI of a node whose name is at hand; of a directory, the head knows the name.
pub fn named_uri(head: &Head, node: NodeId, name: &str) -> String {
    match head.directory_at(node) {
        Some(d) => directory_uri(head, d),
        None => file_uri(&directory_uri(head, head.parent_of(node)), name),
    }
}

/// The URI of a node. Directories come from the head, files need their branch.
pub fn uri_of(store: &Resident, node: NodeId) -> Step<String> {
    let head = store.head();
    let name = match head.directory_at(node) {
        Some(_) => String::new(),
        None => record(store, node)?.name,
    };
    Ok(named_uri(head, node, &name))
}

/// Refuses the address of a section where a page is meant: all of the page is not what was asked for.
pub fn whole(uri: &Uri) -> Result<(), Error> {
    if uri.fragment().is_none() {
        return Ok(());
    }
    let page = uri.without_fragment();
    let message = ["only read and grep take a section: write ", page].concat();
    Err(Error::new(ErrorKind::InvalidUri, message))
}

/// Finds the node of a URI. Sidecar suffixes lead to the directory that they belong to.
/// Errors: `NOT_FOUND` when there is none, `INVALID_URI` for a section.
pub fn locate(store: &Resident, uri: &str) -> Step<Place> {
    let uri = Uri::parse(uri)?;
    whole(&uri)?;
    let bare = split_sidecar(uri.as_str()).0;
    let path = bare
        .strip_prefix("viking://")
        .unwrap_or(bare)
        .trim_matches('/');
    let missing = || {
        Error::new(
            ErrorKind::NotFound,
            format!("'{uri}' is not in this bundle", uri = uri.as_str()),
        )
    };
    let head = store.head();
    let mut at = 0;
    let mut segments = path.split('/').filter(|s| !s.is_empty()).peekable();
    while let Some(segment) = segments.next() {
        let children = &head.directories[at];
        let range = children.first_child..children.first_child + children.n_children;
        let child = head
            .directories
            .iter()
            .position(|d| range.contains(&d.node.0) && d.name == segment);
        match child {
            Some(child) => at = child,
            None if segments.peek().is_none() => {
                return find_file(store, at, segment)?.ok_or_else(|| missing().into());
            }
            None => return Err(missing().into()),
        }
    }
    Ok(Place {
        node: head.directories[at].node,
        directory: Some(at),
    })
}

/// A file by name among the children of directory `at`. Files stand after the directories, in order of their names.
fn find_file(store: &Resident, at: usize, name: &str) -> Step<Option<Place>> {
    let head = store.head();
    let d = &head.directories[at];
    let (from, to) = (d.first_child, d.first_child + d.n_children);
    if from == to {
        return Ok(None);
    }
    let first = from
        + head
            .directories
            .iter()
            .filter(|c| (from..to).contains(&c.node.0))
            .count() as u32;
    let (low, high) = (
        head.block_of(NodeId(from.max(first.min(to - 1)))),
        head.block_of(NodeId(to - 1)),
    );
    // The last block whose first name is not beyond the one we look for; its first node may be of another directory.
    let mut block = low;
    while block < high
        && head.block_starts[block + 1] >= first
        && head.block_names[block + 1].as_str() <= name
    {
        block += 1;
    }
    let start = head.block_starts[block];
    let branch = store.branch(block)?;
    let found = branch.nodes.iter().enumerate().find(|(i, n)| {
        let node = start + *i as u32;
        (first..to).contains(&node) && n.name == name
    });
    Ok(found.map(|(i, _)| Place {
        node: NodeId(start + i as u32),
        directory: None,
    }))
}

/// True for a target that means everything.
pub fn is_everything(uri: &str) -> bool {
    matches!(uri.trim(), "" | "/" | "viking://")
}

/// All nodes.
pub fn everything(store: &Resident) -> Ranges {
    vec![(0, store.head().parameters.n_nodes)]
}

/// The nodes at and below each of `uris`. What is not there is an error when `named`, and nothing otherwise.
pub fn scope(store: &Resident, uris: &[Uri], named: bool) -> Step<Ranges> {
    let head = store.head();
    let mut ranges = Vec::new();
    let mut missing = false;
    for uri in uris {
        match locate(store, uri.as_str()) {
            Ok(place) => {
                ranges.push((place.node.0, place.node.0 + 1));
                if let Some(d) = place.directory {
                    ranges.push((head.directories[d].first_child, head.directories[d].end));
                }
            }
            Err(Halt::Missing) => missing = true,
            Err(Halt::Failed(error)) if !named && error.kind() == ErrorKind::NotFound => {}
            Err(failed) => return Err(failed),
        }
    }
    if missing {
        return Err(Halt::Missing);
    }
    Ok(ranges)
}

/// Records of a range of nodes; all missing branches are fetched together.
pub fn records(store: &Resident, from: u32, to: u32) -> Step<Vec<(NodeId, NodeRecord)>> {
    if from >= to {
        return Ok(Vec::new());
    }
    let head = store.head();
    let blocks = head.block_of(NodeId(from))..head.block_of(NodeId(to - 1)) + 1;
    let mut gather = Gather::default();
    let branches: Vec<_> = blocks
        .clone()
        .map(|block| gather.take(store.branch(block)))
        .collect();
    gather.done()?;
    let mut rows = Vec::with_capacity((to - from) as usize);
    for (block, branch) in blocks.zip(branches.into_iter().flatten()) {
        let start = head.block_starts[block];
        let branch: Rc<_> = branch;
        for (i, record) in branch.nodes.iter().enumerate() {
            let node = start + i as u32;
            if (from..to).contains(&node) {
                rows.push((NodeId(node), record.clone()));
            }
        }
    }
    Ok(rows)
}

/// Orders URIs as a person walks a tree: a directory's subdirectories before its files, names without regard to case.
pub fn cmp_depth_first(a: &str, b: &str) -> std::cmp::Ordering {
    let (mut left, mut right) = (a.split('/').peekable(), b.split('/').peekable());
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x == y => {}
            (Some(x), Some(y)) => {
                let is_file = |rest: Option<&&str>| rest.is_none();
                let files_last = is_file(left.peek()).cmp(&is_file(right.peek()));
                return files_last.then_with(|| cmp_names(x, y));
            }
            (x, y) => return x.cmp(&y),
        }
    }
}

/// Orders names without regard to case, then with.
pub fn cmp_names(a: &str, b: &str) -> std::cmp::Ordering {
    let lower = |s: &str| {
        let mut lower = String::new();
        crate::text::push_lower(&mut lower, s);
        lower
    };
    lower(a).cmp(&lower(b)).then_with(|| a.cmp(b))
}
