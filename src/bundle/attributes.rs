//! Attribute parts: the facts that filters test, for a range of nodes. Fetched only for questions with a filter.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::Result;
use crate::text::lower;

/// Nodes of an attribute part; the last part of a bundle has fewer.
pub const ATTRIBUTE_NODES: u32 = 2048;

/// The facts of a node that filters test, besides its place in the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attribute {
    /// Last segment of the path; empty for directories, whose names are in the head.
    pub name: String,
    /// Seconds since 1970 UTC.
    pub created_at: Option<i64>,
    /// Seconds since 1970 UTC.
    pub updated_at: Option<i64>,
    /// Tags, each `key=value` or a word, folded as requests are: in lower case, without spaces around.
    pub tags: Vec<String>,
    /// The same tags as the page writes them; empty where that is how they are folded.
    pub written: Vec<String>,
    /// Times that the context was used, as far as somebody counted.
    pub active_count: u64,
}

impl Attribute {
    /// Takes the tags of a page as it writes them; those that fold to nothing are none.
    pub fn set_tags(&mut self, mut written: Vec<String>) {
        written.retain(|tag| !fold_tag(tag).is_empty());
        self.tags = written.iter().map(|tag| fold_tag(tag)).collect();
        let mut pairs = self.tags.iter().zip(&written);
        self.written = match pairs.all(|(folded, written)| folded == written) {
            true => Vec::new(),
            false => written,
        };
    }

    /// The tags as the page writes them, in the order of `tags`.
    pub fn written_tags(&self) -> &[String] {
        if self.written.is_empty() {
            &self.tags
        } else {
            &self.written
        }
    }
}

/// Attributes of a range of nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes(pub Vec<Attribute>);

impl Attributes {
    /// Decodes a part of `n` nodes. Columns one after the other: names, times, tags, uses; alike bytes compress together.
    /// Never inlined: in the browser it is code that few questions load.
    #[inline(never)]
    pub fn decode(bytes: &[u8], n: usize) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let mut rows = Vec::with_capacity(n.min(r.left()));
        for _ in 0..n {
            rows.push(Attribute {
                name: r.str()?.to_owned(),
                ..Attribute::default()
            });
        }
        let mut last = 0i64;
        for row in &mut rows {
            for time in [&mut row.created_at, &mut row.updated_at] {
                if r.u8()? != 0 {
                    last = last.wrapping_add(r.signed()?);
                    *time = Some(last);
                }
            }
        }
        for row in &mut rows {
            let written = (0..r.count(1)?).map(|_| r.str().map(str::to_owned));
            row.set_tags(written.collect::<Result<_>>()?);
        }
        // Where nobody counted, the column is not there.
        if r.left() > 0 {
            for row in &mut rows {
                row.active_count = r.varint()?;
            }
        }
        r.finish()?;
        Ok(Self(rows))
    }

    /// Encodes the rows.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::default();
        self.0.iter().for_each(|row| w.str(&row.name));
        let mut last = 0i64;
        for row in &self.0 {
            for time in [row.created_at, row.updated_at] {
                w.u8(u8::from(time.is_some()));
                if let Some(time) = time {
                    w.signed(time.wrapping_sub(last));
                    last = time;
                }
            }
        }
        for row in &self.0 {
            w.len(row.tags.len());
            row.written_tags().iter().for_each(|tag| w.str(tag));
        }
        if self.0.iter().any(|row| row.active_count > 0) {
            self.0.iter().for_each(|row| w.varint(row.active_count));
        }
        w.bytes
    }
}

/// A tag in the form in which rows carry it: [`normalize_tag`]'s, and for one that is malformed there its own, folded
/// alike. A request's text folded the same way meets every tag that a page can carry.
pub fn fold_tag(tag: &str) -> String {
    let folded = || match tag.split_once('=') {
        Some((key, value)) => [&fold_value(key), "=", &fold_value(value)].concat(),
        None => fold_value(tag),
    };
    normalize_tag(tag).unwrap_or_else(folded)
}

/// The value of a folded tag, behind its `=`.
pub fn fold_value(value: &str) -> String {
    lower(value.trim())
}

/// One tag in the form in which rows carry and requests ask for it; `None` when it is malformed. The first `=` ends the
/// key: values are what pages say, addresses and formulas among them.
pub fn normalize_tag(tag: &str) -> Option<String> {
    let tag = lower(tag.trim());
    match tag.split_once('=') {
        None => (!tag.is_empty()).then_some(tag),
        Some((key, value)) => {
            let (key, value) = (key.trim(), value.trim());
            let valid = !key.is_empty() && !value.is_empty();
            valid.then(|| [key, "=", value].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let row = |name: &str, created_at, updated_at, tags: &[&str]| Attribute {
            name: name.into(),
            created_at,
            updated_at,
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            ..Attribute::default()
        };
        let rows = Attributes(vec![
            row("", None, None, &[]),
            row("a.md", Some(-5), Some(i64::MAX), &["lang=de", "x"]),
            row("b.md", None, Some(i64::MIN), &[]),
        ]);
        let bytes = rows.encode();
        assert_eq!(Attributes::decode(&bytes, 3).unwrap(), rows);
        for n in [2, 4] {
            assert!(Attributes::decode(&bytes, n).is_err());
        }
        for end in 0..bytes.len() {
            assert!(Attributes::decode(&bytes[..end], 3).is_err());
        }
        let mut capitals = rows.clone();
        capitals.0[1].set_tags(vec![" Lang=Deutsch ".into(), " ".into(), "x".into()]);
        assert_eq!(capitals.0[1].tags, ["lang=deutsch", "x"]);
        assert_eq!(capitals.0[1].written_tags(), [" Lang=Deutsch ", "x"]);
        assert_eq!(Attributes::decode(&capitals.encode(), 3).unwrap(), capitals);
        let mut used = rows.clone();
        used.0[1].active_count = 300;
        let more = used.encode();
        assert_eq!(more.len(), bytes.len() + 4);
        assert_eq!(Attributes::decode(&more, 3).unwrap(), used);
        for end in bytes.len() + 1..more.len() {
            assert!(Attributes::decode(&more[..end], 3).is_err());
        }
    }
}
