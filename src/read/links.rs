//! Relations between files.

use crate::bundle::Resident;
use crate::bundle::place::locate;
use crate::bundle::step::Step;
use crate::find::answer::relations::relations_of;
use crate::find::answer::result::RelatedContext;
use crate::find::ask::options::RelationOptions;

/// The files that a file links to, with the link's text as the reason, and the pages most like it, with their cosine.
pub fn relations(
    store: &Resident,
    uri: &str,
    options: &RelationOptions,
) -> Step<Vec<RelatedContext>> {
    relations_of(store, locate(store, uri)?.node, options.limit, &|_| true)
}
