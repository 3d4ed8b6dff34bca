//! Keys of cached answers, compared whole and never by a hash.

use super::order;

/// A cache key. Every value is written with its length, so that no two different sequences give the same bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CacheKey(Vec<u8>);

impl CacheKey {
    /// An empty key for answers of this generation of the index; another generation never matches.
    pub fn new(generation: u64) -> Self {
        let mut key = Self::default();
        key.number(generation);
        key
    }

    /// Adds a text: the query, a profile's name.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a whole number: a limit, or the time bucket when recency is on.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// Adds a parameter by its bits.
    pub fn real(&mut self, value: f64) -> &mut Self {
        self.number(value.to_bits())
    }

    /// Adds the whole query vector; `None` and an empty vector differ.
    pub fn vector(&mut self, vector: Option<&[f32]>) -> &mut Self {
        self.number(vector.map_or(u64::MAX, |vector| vector.len() as u64));
        for value in vector.unwrap_or_default() {
            self.0.extend_from_slice(&value.to_bits().to_le_bytes());
        }
        self
    }

    /// Adds a set of texts: order and repetition do not matter.
    pub fn set<T: AsRef<str>>(&mut self, texts: &[T]) -> &mut Self {
        let mut texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        order::sort_by(&mut texts, |a, b| a.cmp(b));
        texts.dedup();
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
        self
    }
}
