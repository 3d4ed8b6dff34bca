//! The part of a bundle that belongs to an identity.
//!
//! A peer without a user acts for each user who has it: the calls that OpenViking's documents print name no user, since
//! a server knows whose key it was sent.

use super::targets::{add_all, usual_roots};
use crate::base::error::{Error, ErrorKind};
use crate::base::uri::{ContextType, Identity, SCHEME, Uri};
use crate::bundle::place;
use crate::bundle::place::Ranges;
use crate::bundle::step::{Step, all};
use crate::bundle::{Head, Resident};

/// The subtrees that are searched where no target is named; `None`: the whole bundle.
pub fn roots(head: &Head, identity: &Identity, types: &[ContextType]) -> Option<Vec<Uri>> {
    if *identity == Identity::default() {
        return None;
    }
    let users = users(head, identity);
    let mut roots = usual_roots(types, users.first().unwrap_or(identity));
    for user in users.iter().skip(1) {
        add_all(&mut roots, usual_roots(types, user));
    }
    Some(roots)
}

/// The nodes that may be seen; `None`: all.
pub fn visible(store: &Resident, identity: &Identity) -> Step<Option<Ranges>> {
    let Some(mut roots) = roots(store.head(), identity, &[]) else {
        return Ok(None);
    };
    roots.push(Uri::from_canonical([SCHEME, "agent"].concat()));
    place::scope(store, &roots, false).map(Some)
}

/// The nodes of targets that are named, each by its parts, of which one at least has to be there.
///
/// Errors: `NOT_FOUND`; `PERMISSION_DENIED` for what a peer without a user may not see.
pub fn named(store: &Resident, identity: &Identity, targets: &[Vec<Uri>]) -> Step<Ranges> {
    let parts = targets.iter().map(|parts| {
        let found = place::scope(store, parts, false)?;
        match found.is_empty() {
            true => place::scope(store, parts, true),
            false => Ok(found),
        }
    });
    let parts = all(parts.collect())?;
    if identity.user().is_some() {
        return Ok(parts.concat());
    }
    let Some(visible) = visible(store, identity)? else {
        return Ok(parts.concat());
    };
    let mut ranges = Vec::new();
    for (part, target) in parts.iter().zip(targets) {
        let seen = common(part, &visible);
        if seen.is_empty() {
            let what = ["Access denied for ", target[0].as_str()].concat();
            return Err(Error::new(ErrorKind::PermissionDenied, what).into());
        }
        ranges.extend(seen);
    }
    Ok(ranges)
}

/// True if the user, or without one any user, has the acting peer, or there is none.
pub fn has_peer(head: &Head, identity: &Identity) -> bool {
    identity.peer().is_none() || !owners(head, identity).is_empty()
}

/// The identities that one stands for: itself; a peer without a user for each user who has it.
fn users(head: &Head, identity: &Identity) -> Vec<Identity> {
    if identity.user().is_some() {
        return vec![identity.clone()];
    }
    let owners = owners(head, identity);
    let users = owners.into_iter();
    let users = users.map(|owner| Identity::new(Some(owner), identity.peer()));
    users.filter_map(Result::ok).collect()
}

/// The users who have the peer of an identity, of its own if it has one.
fn owners<'a>(head: &'a Head, identity: &Identity) -> Vec<&'a str> {
    let paths = (0..head.directories.len()).map(|place| head.directory_path(place));
    let owner = |path: Vec<&'a str>| match path.as_slice() {
        ["user", owner, "peers", peer] if Some(*peer) == identity.peer() => Some(*owner),
        _ => None,
    };
    let is_asked = |owner: &&str| identity.user().is_none_or(|user| user == *owner);
    paths.filter_map(owner).filter(is_asked).collect()
}

/// The nodes in both.
fn common(some: &Ranges, others: &Ranges) -> Ranges {
    let pairs = some.iter().flat_map(|one| {
        others
            .iter()
            .map(move |other| (one.0.max(other.0), one.1.min(other.1)))
    });
    pairs.filter(|(from, to)| from < to).collect()
}
