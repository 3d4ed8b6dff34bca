//! Text records: everything that an answer shows of one node, so that a result costs one range: its facts, the L2 content
//! and the L1 overview.

use super::branch::{NodeRecord, decode_node, encode_node};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::Result;

/// A section: a heading and the text below it, up to the next heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SectionText {
    /// Heading level 1–6; 0: text before the first heading.
    pub level: u8,
    /// Heading; empty for the text before the first.
    pub heading: String,
    /// Fragment without `#`.
    pub anchor: String,
    /// Plain text, one block per line.
    pub text: String,
}

/// The text of a node. Directories have an overview and no sections.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextRecord {
    /// The node as its branch has it, without times, weight, size and the place of this record.
    pub node: NodeRecord,
    /// L1 overview; an extracted one has at most 4,000 characters.
    pub overview: String,
    /// Sections in reading order.
    pub sections: Vec<SectionText>,
}

impl TextRecord {
    /// Decodes a record, on a site of `n_variants` variants.
    pub fn decode(bytes: &[u8], n_variants: usize) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let node = decode_node(r, None, n_variants)?;
        Ok(Self {
            node,
            ..Self::decode_text(r)?
        })
    }

    /// Decodes what [`TextRecord::encode_text`] wrote.
    pub fn decode_text(r: &mut Reader<'_>) -> Result<Self> {
        let n = r.count(4)?;
        let mut sections = Vec::with_capacity(n);
        for _ in 0..n {
            let level = r.u8()?;
            let (heading, anchor, text) = (
                r.str()?.to_owned(),
                r.str()?.to_owned(),
                r.str()?.to_owned(),
            );
            sections.push(SectionText {
                level,
                heading,
                anchor,
                text,
            });
        }
        // The overview repeats sentences of the text: after it, they cost a few bytes.
        let overview = r.str()?.to_owned();
        r.finish()?;
        Ok(Self {
            overview,
            sections,
            ..Self::default()
        })
    }

    /// Encodes a record from its node and its encoded text.
    pub fn encode(node: &NodeRecord, text: &[u8]) -> Vec<u8> {
        let facts = NodeRecord {
            weight: 16,
            created_at: None,
            updated_at: None,
            size: 0,
            text_len: 0,
            kept_len: 0,
            ..node.clone()
        };
        let mut w = Writer::default();
        encode_node(&mut w, &facts, &[]);
        w.raw(text);
        w.bytes
    }

    /// Encodes the text of a record, without its node.
    pub fn encode_text(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.len(self.sections.len());
        for s in &self.sections {
            w.u8(s.level);
            w.str(&s.heading);
            w.str(&s.anchor);
            w.str(&s.text);
        }
        w.str(&self.overview);
        w.bytes
    }

    /// The L2 content as lines: headings marked as in Markdown, then their text.
    pub fn content(&self) -> String {
        let mut out = String::new();
        for s in &self.sections {
            if !out.is_empty() {
                out.push('\n');
            }
            if s.level > 0 {
                out.extend(std::iter::repeat_n('#', usize::from(s.level.min(6))));
                out.push(' ');
                out.push_str(&s.heading);
                out.push('\n');
            }
            if !s.text.is_empty() {
                out.push_str(&s.text);
                out.push('\n');
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_reads_like_the_page() {
        let s = |level, heading: &str, text: &str| SectionText {
            level,
            heading: heading.into(),
            anchor: String::new(),
            text: text.into(),
        };
        let node = NodeRecord {
            title: "Use".into(),
            weight: 16,
            crumbs: vec!["Guide".into()],
            ..NodeRecord::default()
        };
        let record = TextRecord {
            node: node.clone(),
            overview: "O".into(),
            sections: vec![s(0, "", "Intro."), s(2, "Use", "a\nb"), s(3, "End", "")],
        };
        assert_eq!(record.content(), "Intro.\n\n## Use\na\nb\n\n### End\n");
        let placed = NodeRecord {
            text_len: 9,
            size: 3,
            ..node
        };
        let bytes = TextRecord::encode(&placed, &record.encode_text());
        assert_eq!(TextRecord::decode(&bytes, 0).unwrap(), record);
    }
}
