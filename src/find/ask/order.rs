//! The option `sort`: the field that orders results, and the direction.

use super::tagged::key_of;
use crate::base::error::{Error, ErrorKind, Result};
use crate::bundle::Attribute;

/// A field of pages, and the direction of an order by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The key, folded as tags are.
    pub key: String,
    /// The direction.
    pub largest_first: bool,
}

impl Order {
    /// Reads the option: a key, with `-` before it for the largest value first.
    ///
    /// Errors: `INVALID_ARGUMENT` for what is no key of a tag.
    pub fn parse(option: &str) -> Result<Self> {
        let written = option.trim();
        let behind = written.strip_prefix('-');
        let Some(key) = key_of(behind.unwrap_or(written)) else {
            let what = format!(
                "sort is the key of tags key=value, or updated_at or created_at, not '{option}'"
            );
            return Err(Error::new(ErrorKind::InvalidArgument, what));
        };
        Ok(Self {
            key,
            largest_first: behind.is_some(),
        })
    }

    /// The value of a page: that of its first tag with the key, or its time.
    pub fn value(&self, row: &Attribute) -> Option<String> {
        let of_key = |tag: &String| {
            let rest = tag.strip_prefix(&self.key)?;
            rest.strip_prefix('=').map(str::to_owned)
        };
        let tag = row.tags.iter().find_map(of_key);
        tag.or_else(|| {
            let time = match self.key.as_str() {
                "updated_at" => row.updated_at,
                "created_at" => row.created_at,
                _ => None,
            };
            time.map(|time| time.to_string())
        })
    }
}
