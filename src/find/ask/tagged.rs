//! The tags of a request: what it may return by them, and the keys whose values it counts.

#[cfg(not(feature = "full"))]
use super::scope::Scope;
use crate::base::error::{Error, ErrorKind, Result};
#[cfg(not(feature = "full"))]
use crate::base::id::NodeId;
use crate::bundle::place::Ranges;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{ATTRIBUTE_NODES, Attributes, Resident, fold_value};
#[cfg(not(feature = "full"))]
use crate::find::walk::Levels;
use std::rc::Rc;

/// The key of tags that an option names; `None` for what is no key.
pub fn key_of(option: &str) -> Option<String> {
    let key = fold_value(option);
    match key.is_empty() || key.split_once('=').is_some() {
        true => None,
        false => Some(key),
    }
}

/// Reads the option `facets`. Errors: `INVALID_ARGUMENT` for what is no key of a tag.
#[inline(never)]
pub fn keys(options: &[String]) -> Result<Vec<String>> {
    let key = |option: &String| {
        let what = || format!("facets are keys of tags key=value, or *, not '{option}'");
        key_of(option).ok_or_else(|| Error::new(ErrorKind::InvalidArgument, what()))
    };
    options.iter().map(key).collect()
}

/// The attribute parts that `ranges` touch, by number.
pub fn attributes(store: &Resident, ranges: &Ranges) -> Step<Vec<Option<Rc<Attributes>>>> {
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

/// Narrows the scope to the rows that carry all of `tags`, which are normalized. With `through` a walk goes through the
/// other directories, too. O(nodes in scope). The full engine filters by tags as by other fields.
///
/// Never inlined: in the browser it is code that few questions load.
#[cfg(not(feature = "full"))]
#[inline(never)]
pub fn tagged(store: &Resident, scope: Scope, tags: &[String], through: bool) -> Step<Scope> {
    let parts = attributes(store, scope.ranges())?;
    let n_nodes = store.head().parameters.n_nodes;
    let mut admitted = vec![Levels::NONE; n_nodes as usize];
    for (node, admitted) in (0..n_nodes).zip(&mut admitted) {
        let Some(part) = &parts[(node / ATTRIBUTE_NODES) as usize] else {
            continue;
        };
        let row = &part.0[(node % ATTRIBUTE_NODES) as usize];
        if tags.iter().all(|tag| row.tags.contains(tag)) {
            *admitted = Levels::ALL;
        } else if through && store.head().directory_at(NodeId(node)).is_some() {
            *admitted = Levels::LEADS;
        }
    }
    Ok(Scope {
        admitted: Some(admitted),
        ..scope
    })
}
