//! What a question may return: subtrees, and inside them what the filter admits.

use super::filter::{Field, Fields, Filter};
use super::halt::{Gather, Step};
use super::place::{self, Ranges};
use super::walk::Levels;
use crate::bundle::{ATTRIBUTE_NODES, Attribute, Attributes, Store};
use crate::uri::Uri;
use std::rc::Rc;

/// The rows a question may return. Outside of it nothing is scored, so a small scope is not drowned by a large site.
#[derive(Debug, Clone)]
pub struct Scope {
    ranges: Ranges,
    /// Levels of each node that the filter admits; without a filter all.
    admitted: Option<Vec<Levels>>,
}

impl Scope {
    /// Everything in `ranges`.
    pub fn new(ranges: Ranges) -> Self {
        Self {
            ranges,
            admitted: None,
        }
    }

    /// Narrows the scope to what `filter` admits. O(nodes in scope).
    pub fn filtered(self, store: &Store, filter: &Filter) -> Step<Self> {
        let parts = attributes(store, &self.ranges)?;
        let head = store.head();
        let paths: Vec<String> = (0..head.directories.len())
            .map(|d| ["viking://", &head.directory_path(d).join("/")].concat())
            .collect();
        let mut admitted = vec![Levels::NONE; head.parameters.n_nodes as usize];
        let mut row = Row::default();
        let (mut next_directory, mut parent) = (0, Children::default());
        for (node, admitted) in (0u32..).zip(&mut admitted) {
            let directory = head
                .directories
                .get(next_directory)
                .filter(|d| d.node == node)
                .map(|_| next_directory);
            next_directory += usize::from(directory.is_some());
            let Some(part) = &parts[(node / ATTRIBUTE_NODES) as usize] else {
                continue;
            };
            if !place::within(&self.ranges, node) {
                continue;
            }
            row.attribute = part.0[(node % ATTRIBUTE_NODES) as usize].clone();
            row.is_dir = directory.is_some();
            match directory {
                Some(d) => {
                    row.uri.clone_from(&paths[d]);
                    row.attribute.name.clone_from(&head.directories[d].name);
                }
                None => {
                    if !parent.holds(node) {
                        parent = Children::of(store, node);
                    }
                    row.uri = [&paths[parent.directory], "/", &row.attribute.name].concat();
                }
            }
            let levels: &[u8] = if row.is_dir { &[0, 1] } else { &[2] };
            for &level in levels {
                row.level = level;
                if filter.matches(&row) {
                    *admitted = admitted.with(level);
                }
            }
        }
        Ok(Self {
            admitted: Some(admitted),
            ..self
        })
    }

    /// Whether any row of `node` may be returned.
    pub fn holds(&self, node: u32) -> bool {
        place::within(&self.ranges, node)
            && self
                .admitted
                .as_ref()
                .is_none_or(|a| a[node as usize] != Levels::NONE)
    }

    /// Whether the row of `node` at `level` may be returned.
    pub fn admits(&self, node: u32, level: u8) -> bool {
        place::within(&self.ranges, node)
            && self
                .admitted
                .as_ref()
                .is_none_or(|a| a[node as usize].contains(level))
    }

    /// Whether any node of `from..to` may be returned.
    pub fn overlaps(&self, from: u32, to: u32) -> bool {
        let in_range = self.ranges.iter().any(|&(a, b)| a < to && from < b);
        in_range && (self.admitted.is_none() || (from..to).any(|node| self.holds(node)))
    }

    /// The subtrees.
    pub fn ranges(&self) -> &Ranges {
        &self.ranges
    }
}

/// The attribute parts that `ranges` touch, by number.
fn attributes(store: &Store, ranges: &Ranges) -> Step<Vec<Option<Rc<Attributes>>>> {
    let n_nodes = store.head().parameters.n_nodes;
    let mut gather = Gather::default();
    let parts = (0..n_nodes.div_ceil(ATTRIBUTE_NODES)).map(|part| {
        let from = part * ATTRIBUTE_NODES;
        let touched = |&(a, b): &(u32, u32)| a < from + ATTRIBUTE_NODES && from < b;
        ranges
            .iter()
            .any(touched)
            .then(|| gather.take(store.attributes(part)))
            .flatten()
    });
    let parts = parts.collect();
    gather.done()?;
    Ok(parts)
}

/// The children of one directory: files follow each other, so their parent is looked up once.
#[derive(Default)]
struct Children {
    directory: usize,
    from: u32,
    to: u32,
}

impl Children {
    fn of(store: &Store, node: u32) -> Self {
        let directory = store.head().parent_of(node);
        let d = &store.head().directories[directory];
        Self {
            directory,
            from: d.first_child,
            to: d.first_child + d.n_children,
        }
    }

    fn holds(&self, node: u32) -> bool {
        (self.from..self.to).contains(&node)
    }
}

/// One row, as a filter reads it.
#[derive(Default)]
struct Row {
    uri: String,
    is_dir: bool,
    level: u8,
    attribute: Attribute,
}

impl Fields for Row {
    fn any_text(&self, field: Field, test: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Uri => test(&self.uri),
            Field::Type => test(if self.is_dir { "directory" } else { "file" }),
            Field::ContextType => test(
                Uri::from_canonical(self.uri.clone())
                    .context_type()
                    .as_str(),
            ),
            Field::Name => test(&self.attribute.name),
            Field::Tags => self.attribute.tags.iter().any(|tag| test(tag)),
            // viking://user/<id>/…
            Field::OwnerUserId => self
                .uri
                .strip_prefix("viking://user/")
                .and_then(|path| path.split('/').next())
                .is_some_and(test),
            // A bundle is one account's, and counts no use.
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        let ms = |seconds: i64| seconds.checked_mul(1000);
        match field {
            Field::Level => Some(i64::from(self.level)),
            Field::CreatedAt => self.attribute.created_at.and_then(ms),
            Field::UpdatedAt => self.attribute.updated_at.and_then(ms),
            _ => None,
        }
    }
}
