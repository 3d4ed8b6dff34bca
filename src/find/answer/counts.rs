//! The shape of counts by value.

use serde::Serialize;

/// The values of a key of tags, with the pages that have each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// The key, in lower case as tags are compared.
    pub key: String,
    /// Its values, the most frequent first, then by the alphabet.
    pub values: Vec<FacetValue>,
}

/// A value of a [`Facet`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FacetValue {
    /// The value, in lower case.
    pub value: String,
    /// Number of pages.
    pub count: u32,
}
