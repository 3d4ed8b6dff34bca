//! Text records: everything that an answer shows of one node, so that a result costs one range: its facts, the L2 content
//! and the L1 overview.

use super::branch::{NodeRecord, decode_node, encode_node};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::Result;
use std::rc::Rc;

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
    /// The heading above it, where others of the page have the same heading; else empty.
    pub above: String,
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
    /// Decodes piece `at` of the `of` pieces of a record, on a site of `n_variants` variants. The first has the node, the
    /// last the overview.
    pub fn decode(bytes: &[u8], n_variants: usize, at: usize, of: usize) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let mut node = NodeRecord::default();
        if at == 0 {
            node = decode_node(r, None, n_variants)?;
        }
        let sections = decode_sections(r)?;
        // The overview repeats sentences of the text: after it, they cost a few bytes.
        let mut overview = String::new();
        if at + 1 >= of {
            r.str()?.clone_into(&mut overview);
        }
        r.finish()?;
        Ok(Self {
            node,
            overview,
            sections,
        })
    }

    /// Decodes what [`TextRecord::encode_text`] wrote.
    pub fn decode_text(bytes: &[u8]) -> Result<Self> {
        let r = &mut Reader::new(bytes);
        let sections = decode_sections(r)?;
        let overview = r.str()?.to_owned();
        r.finish()?;
        Ok(Self {
            overview,
            sections,
            ..Self::default()
        })
    }

    /// Encodes a record from its node and its encoded text, in pieces of about `bytes` bytes: the numbers of their
    /// sections, and what they hold. A record that is little longer is one.
    ///
    /// *Errors*: as [`TextRecord::decode_text`].
    pub fn encode(
        node: &NodeRecord,
        text: &[u8],
        bytes: Option<usize>,
    ) -> Result<Vec<(u32, Vec<u8>)>> {
        let facts = NodeRecord {
            weight: 16,
            created_at: None,
            updated_at: None,
            size: 0,
            text_len: 0,
            kept_len: 0,
            pieces: Vec::new(),
            ..node.clone()
        };
        let mut w = Writer::default();
        encode_node(&mut w, &facts, &[]);
        let Some(bytes) = bytes.filter(|&bytes| text.len() > bytes + bytes / 2) else {
            w.raw(text);
            return Ok(vec![(node.n_sections, w.bytes)]);
        };
        let record = Self::decode_text(text)?;
        let mut pieces: Vec<(u32, Vec<u8>)> = Vec::new();
        let mut rest = &record.sections[..];
        while !rest.is_empty() || pieces.is_empty() {
            let (mut sum, mut n) = (0, 0);
            // Whatever is shown of a page, its first piece is fetched for the node: it may have no section.
            let (most, least) = if pieces.is_empty() {
                (bytes / 4, 0)
            } else {
                (bytes, 1)
            };
            while n < rest.len() && (n < least || sum + rest[n].text.len() <= most) {
                sum += rest[n].text.len();
                n += 1;
            }
            encode_sections(&mut w, &rest[..n]);
            rest = &rest[n..];
            pieces.push((n as u32, std::mem::take(&mut w.bytes)));
        }
        w.str(&record.overview);
        if let Some((_, last)) = pieces.last_mut() {
            last.extend(&w.bytes);
        }
        Ok(pieces)
    }

    /// Encodes the text of a record, without its node.
    pub fn encode_text(&self) -> Vec<u8> {
        let mut w = Writer::default();
        encode_sections(&mut w, &self.sections);
        w.str(&self.overview);
        w.bytes
    }

    /// Adds the next piece.
    pub fn join(&mut self, next: &Self) {
        self.sections.extend_from_slice(&next.sections);
        self.overview.clone_from(&next.overview);
    }

    /// The L2 content as lines: headings marked as in Markdown, then their text.
    pub fn content(&self) -> String {
        content_of(&self.sections)
    }
}

/// Sections as lines: headings marked as in Markdown, then their text.
pub fn content_of(sections: &[SectionText]) -> String {
    let mut out = String::new();
    for s in sections {
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

fn decode_sections(r: &mut Reader<'_>) -> Result<Vec<SectionText>> {
    let n = r.count(5)?;
    let mut sections = Vec::with_capacity(n);
    for _ in 0..n {
        let level = r.u8()?;
        let mut field = || r.str().map(str::to_owned);
        let (heading, anchor, text, above) = (field()?, field()?, field()?, field()?);
        sections.push(SectionText {
            level,
            heading,
            anchor,
            text,
            above,
        });
    }
    Ok(sections)
}

fn encode_sections(w: &mut Writer, sections: &[SectionText]) {
    w.len(sections.len());
    for s in sections {
        w.u8(s.level);
        for field in [&s.heading, &s.anchor, &s.text, &s.above] {
            w.str(field);
        }
    }
}

/// A record, or the first of its pieces and some others: what is shown of a long page is a section or two.
#[derive(Debug)]
pub struct TextView {
    /// Its first section and a piece; in order. The first is piece 0.
    pieces: Vec<(usize, Rc<TextRecord>)>,
    n_sections: usize,
}

impl TextView {
    /// A whole record.
    pub fn whole(text: Rc<TextRecord>) -> Self {
        Self {
            n_sections: text.sections.len(),
            pieces: vec![(0, text)],
        }
    }

    /// Pieces behind `first`, of a record of `n_sections` sections.
    pub fn of(
        first: Rc<TextRecord>,
        others: impl Iterator<Item = (usize, Rc<TextRecord>)>,
        n_sections: usize,
    ) -> Self {
        let pieces = std::iter::once((0, first)).chain(others).collect();
        Self { pieces, n_sections }
    }

    /// The first piece, which is the whole record of a directory.
    pub fn first(&self) -> &TextRecord {
        &self.pieces[0].1
    }

    /// The sections of the record, here or not.
    pub fn n_sections(&self) -> usize {
        self.n_sections
    }

    /// A section; empty where its piece was not asked for.
    pub fn section(&self, at: usize) -> Option<&SectionText> {
        let mut pieces = self.pieces.iter().rev();
        let (first, piece) = pieces.find(|(first, _)| *first <= at)?;
        piece.sections.get(at - first)
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
            above: "Up".into(),
        };
        let node = NodeRecord {
            title: "Use".into(),
            weight: 16,
            crumbs: ["Guide".to_owned()].into(),
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
        let text = record.encode_text();
        for (bytes, n) in [(None, 1), (Some(1_000), 1), (Some(4), 3)] {
            let pieces = TextRecord::encode(&placed, &text, bytes).unwrap();
            let read = |at: usize| TextRecord::decode(&pieces[at].1, 0, at, pieces.len()).unwrap();
            let mut whole = read(0);
            for (at, (n_sections, _)) in pieces.iter().enumerate().skip(1) {
                assert_eq!(read(at).sections.len(), *n_sections as usize);
                whole.join(&read(at));
            }
            assert_eq!((pieces.len(), &whole), (n, &record));
        }
    }

    #[test]
    fn sections_of_pieces_are_found_and_others_are_none() {
        let piece = |texts: &[&str]| {
            let section = |text: &&str| SectionText {
                text: (*text).into(),
                ..SectionText::default()
            };
            let sections = texts.iter().map(section).collect();
            Rc::new(TextRecord {
                sections,
                ..TextRecord::default()
            })
        };
        let view = TextView::of(piece(&["a", "b"]), [(4, piece(&["e"]))].into_iter(), 6);
        let text = |at| view.section(at).map(|s| s.text.as_str());
        let texts: Vec<_> = (0..view.n_sections()).map(text).collect();
        assert_eq!(texts, [Some("a"), Some("b"), None, None, Some("e"), None]);
    }
}
