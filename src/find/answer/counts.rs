//! The shape of counts by value.

use serde::{Serialize, Serializer};

/// Writes counts. Never inlined: in the browser it is code that few questions load.
#[inline(never)]
pub fn told<S: Serializer>(facets: &[Facet], serializer: S) -> Result<S::Ok, S::Error> {
    facets.serialize(serializer)
}

/// The values of a key of tags, with the pages that have each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// The key, in lower case as tags are compared.
    pub key: String,
    /// The key as the first of these pages writes it.
    pub label: String,
    /// Its values, the most frequent first, then by the alphabet.
    pub values: Vec<FacetValue>,
}

/// A value of a [`Facet`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FacetValue {
    /// The value, in lower case.
    pub value: String,
    /// The value as the first of these pages writes it.
    pub label: String,
    /// Number of pages.
    pub count: u32,
}
