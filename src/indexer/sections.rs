//! Collects text into sections, whatever format it comes from: white space, lines, headings, anchors, weights, links.
//!
//! Invariant: the text of a section has no markup, no empty line, no zero-width character, and one block per line.

use std::collections::HashSet;

use super::anchors::{HeadingIds, NearIds};
use super::document::{DocumentSection, Link};
use super::prose::is_callout;

mod labels;

pub(crate) use labels::absorb_title;
mod marks;

const MAX_LINKS: usize = 200; // More than this is a list of everything, which relates a page to nothing.
const MAX_LINK_CHARS: usize = 200; // A link's text is a reason for people; longer ones wrap a whole card.
const MAX_NAMES: usize = 32; // A property has a handful of functions.
const MAX_ROWS: usize = 200; // A reference of options in one table.

/// Builds sections from a stream of text and structure, in reading order.
pub(crate) struct SectionWriter {
    done: Vec<Weighed>,
    /// The section that text goes into: the last, or one before it that goes on after a list of entries.
    current: usize,
    line: String,
    space: Space,
    pre_depth: u32,
    in_row: bool,
    heading: Option<OpenHeading>,
    /// Ids seen since the last text: the anchor of a heading that has none of its own.
    near: NearIds,
    weight: f32,
    link: Option<(String, String)>,
    links: Vec<Link>,
    seen_links: HashSet<String>,
    wrote_text: bool,
    /// Length of the line while it is the label of a callout and nothing else, or 0.
    label_len: usize,
    /// Bytes of text, and of those in links to pages of the input.
    n_bytes: (usize, usize),
}

#[derive(Default)]
struct Weighed {
    section: DocumentSection,
    weight_sum: f64,
    weight_len: f64,
}

struct OpenHeading {
    level: u8,
    ids: HeadingIds,
    /// The section before, which goes on when the heading has no text.
    before: usize,
}

/// A section to come back to.
#[derive(Clone, Copy)]
pub(crate) struct SectionPlace(usize);

#[derive(Clone, Copy, PartialEq)]
enum Space {
    None,
    Blank,
    /// The white space held a line break, which separates no words between two Chinese characters.
    Break,
    /// No white space, but two elements that a page shows apart: only words need any between them.
    Apart,
}

impl SectionWriter {
    /// A writer with an empty first section.
    pub(crate) fn new() -> Self {
        Self {
            done: vec![Weighed::default()],
            current: 0,
            line: String::new(),
            space: Space::None,
            pre_depth: 0,
            in_row: false,
            heading: None,
            near: NearIds::default(),
            weight: 1.0,
            link: None,
            links: Vec::new(),
            seen_links: HashSet::new(),
            wrote_text: false,
            label_len: 0,
            n_bytes: (0, 0),
        }
    }

    /// Running text: white space collapses, except between [`Self::start_pre`] and [`Self::end_pre`].
    pub(crate) fn text(&mut self, text: &str) {
        if let Some((_, label)) = &mut self.link
            && label.len() < MAX_LINK_CHARS * 8
        {
            label.push_str(text);
        }
        self.settle_mark(text);
        if self.pre_depth > 0 && self.heading.is_none() {
            self.code(text);
        } else {
            self.flow(text);
        }
        let len = text.trim().len();
        if len > 0 {
            self.wrote_text = true;
            if self.heading.is_none() {
                self.near.clear();
            }
            self.n_bytes.0 += len;
            self.n_bytes.1 += if self.link.is_some() { len } else { 0 };
            let weight = f64::from(self.weight);
            let open = self.open();
            open.weight_sum += weight * len as f64;
            open.weight_len += len as f64;
        }
    }

    /// White space that separates words but ends no line.
    pub(crate) fn soft_break(&mut self) {
        if self.pre_depth > 0 && self.heading.is_none() {
            self.end_code_line();
        } else if matches!(self.space, Space::None | Space::Apart) {
            self.space = Space::Break;
        }
        if let Some((_, label)) = &mut self.link {
            label.push(' ');
        }
    }

    /// The end of an element, or the start of one, that a page shows apart from its neighbor without white space.
    pub(crate) fn apart(&mut self) {
        if self.space == Space::None && (self.pre_depth == 0 || self.heading.is_some()) {
            self.space = Space::Apart;
        }
    }

    /// Ends the current line, except in a heading or a table row, whose parts stay together.
    pub(crate) fn break_line(&mut self) {
        if self.heading.is_some() || self.in_row {
            if matches!(self.space, Space::None | Space::Apart) {
                self.space = Space::Blank;
            }
        } else if self.label_len > 0 && self.line.len() == self.label_len {
            self.space = Space::Blank;
        } else {
            self.flush();
        }
    }

    /// Ends the title of a callout. One that only says what a callout is ("Warning") begins its first line.
    pub(crate) fn end_callout_title(&mut self) {
        if self.heading.is_none() && !self.in_row && is_callout(&self.line) {
            self.line.push(':');
            self.label_len = self.line.len();
        }
    }

    /// Starts a table row: everything up to [`Self::end_row`] is one line.
    pub(crate) fn start_row(&mut self) {
        if self.heading.is_none() {
            self.flush();
            self.in_row = true;
        }
    }

    /// Starts a cell of the row.
    pub(crate) fn start_cell(&mut self) {
        if self.heading.is_none() && self.in_row && !self.line.is_empty() {
            self.line.push_str(" |");
            self.space = Space::Blank;
        }
    }

    /// Ends a table row.
    pub(crate) fn end_row(&mut self) {
        if self.heading.is_none() {
            self.flush();
            self.in_row = false;
        }
    }

    /// Starts a block that ends a table row where it stands: code, list item.
    pub(crate) fn start_block(&mut self) {
        if self.heading.is_none() {
            self.flush();
            self.in_row = false;
        }
    }

    /// Starts text whose lines are kept.
    pub(crate) fn start_pre(&mut self) {
        self.start_block();
        self.pre_depth += 1;
    }

    /// Ends text whose lines are kept.
    pub(crate) fn end_pre(&mut self) {
        if self.heading.is_none() {
            self.end_code_line();
        }
        self.pre_depth = self.pre_depth.saturating_sub(1);
    }

    /// Starts a heading with its own id, or an empty one.
    pub(crate) fn start_heading(&mut self, level: u8, id: &str) {
        self.end_heading();
        self.start_block();
        let before = self.open_section();
        self.heading = Some(OpenHeading {
            level,
            ids: HeadingIds {
                own: id.to_owned(),
                permalink: String::new(),
                near: std::mem::take(&mut self.near),
            },
            before,
        });
    }

    /// Ends a heading; one without text opens no section.
    pub(crate) fn end_heading(&mut self) {
        self.end_heading_as(|_| String::new());
    }

    /// Ends a heading. `slug` makes the anchor of one that names none, from its text.
    pub(crate) fn end_heading_as(&mut self, slug: impl FnOnce(&str) -> String) {
        let Some(heading) = self.heading.take() else {
            return;
        };
        let text = self.take_line();
        if text.is_empty() {
            self.done.pop();
            self.current = heading.before;
            self.near = heading.ids.into_near();
            return;
        }
        let slug = slug(&text);
        let anchor = heading.ids.best();
        let section = &mut self.open().section;
        section.heading = labels::without_footnote(text);
        section.anchor = if anchor.is_empty() { slug } else { anchor };
        section.level = heading.level;
    }

    /// A heading that is known as a whole, with its id.
    pub(crate) fn entry(&mut self, level: u8, name: &str, id: &str) {
        self.start_heading(level, id);
        self.text(name);
        self.end_heading();
    }

    /// A name that is defined here besides that of the heading.
    pub(crate) fn also(&mut self, name: String) {
        let names = &mut self.open().section.names;
        if names.len() < MAX_NAMES && !names.contains(&name) {
            names.push(name);
        }
    }

    /// A name that a row or an item defines.
    pub(crate) fn row(&mut self, name: String) {
        let rows = &mut self.open().section.rows;
        if rows.len() < MAX_ROWS && !rows.contains(&name) {
            rows.push(name);
        }
    }

    /// The level of what stands below the section at `place`. Level 1 is the page's own.
    pub(crate) fn level_below(&self, place: SectionPlace) -> u8 {
        let above = self.done.get(place.0).map_or(0, |s| s.section.level);
        (above.max(1) + 1).min(6)
    }

    /// The section that text goes into here.
    pub(crate) fn place(&self) -> SectionPlace {
        SectionPlace(self.current)
    }

    /// Goes on in a section that others have interrupted.
    pub(crate) fn resume(&mut self, place: SectionPlace) {
        self.end_heading();
        self.start_block();
        self.current = place.0.min(self.done.len() - 1);
        self.near.clear();
    }

    /// Adds a section for what follows and returns the one before.
    fn open_section(&mut self) -> usize {
        self.done.push(Weighed::default());
        std::mem::replace(&mut self.current, self.done.len() - 1)
    }

    /// An id at this place: of a container that starts here, or of an empty `<a>`.
    pub(crate) fn anchor(&mut self, id: &str) {
        match &mut self.heading {
            Some(heading) if heading.ids.own.is_empty() => heading.ids.own = id.to_owned(),
            Some(_) => {}
            None => self.near.push(id),
        }
    }

    /// A link to a place on the same page: in a heading, to itself.
    pub(crate) fn self_link(&mut self, fragment: &str) {
        if let Some(heading) = &mut self.heading
            && heading.ids.permalink.is_empty()
        {
            heading.ids.permalink = fragment.to_owned();
        }
    }

    /// Sets the author's weight of the text that follows and returns the one before.
    pub(crate) fn set_weight(&mut self, weight: f32) -> f32 {
        std::mem::replace(&mut self.weight, weight)
    }

    /// Starts a link to a page of the input.
    pub(crate) fn start_link(&mut self, path: String) {
        self.end_link();
        self.link = Some((path, String::new()));
    }

    /// Ends the open link, if there is one.
    pub(crate) fn end_link(&mut self) {
        let Some((path, label)) = self.link.take() else {
            return;
        };
        if self.links.len() >= MAX_LINKS {
            return;
        }
        let text = collapse(&label, MAX_LINK_CHARS);
        if self.seen_links.insert(path.clone()) {
            self.links.push(Link { path, text });
        } else if !text.is_empty()
            && let Some(link) = self
                .links
                .iter_mut()
                .find(|link| link.path == path && link.text.is_empty())
        {
            link.text = text;
        }
    }

    /// True once any text was written.
    pub(crate) fn has_text(&self) -> bool {
        self.wrote_text
    }

    /// Hundredths of the text that stand in links to pages of the input.
    pub(crate) fn linked(&self) -> u8 {
        let (all, linked) = self.n_bytes;
        u8::try_from(linked * 100 / all.max(1)).unwrap_or(100)
    }

    /// The sections and links.
    pub(crate) fn finish(mut self) -> (Vec<DocumentSection>, Vec<Link>) {
        self.end_link();
        self.end_heading();
        self.in_row = false;
        self.flush();
        labels::fold(&mut self.done);
        let mut anchors = HashSet::new();
        let sections = self
            .done
            .into_iter()
            .filter(|open| !(open.section.heading.is_empty() && open.section.text.is_empty()));
        let sections = sections
            .map(|open| {
                let mut section = open.section;
                section.weight = if open.weight_len > 0.0 {
                    (open.weight_sum / open.weight_len) as f32
                } else {
                    1.0
                };
                if !section.anchor.is_empty() && !anchors.insert(section.anchor.clone()) {
                    section.anchor.clear(); // A repeated id scrolls to its first place, which is another section.
                }
                section
            })
            .collect();
        (sections, self.links)
    }

    fn open(&mut self) -> &mut Weighed {
        self.done
            .get_mut(self.current)
            .expect("the writer starts with a section and only headings without text remove theirs")
    }

    fn flow(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let run = bytes[at..]
                .iter()
                .take_while(|b| b.is_ascii_graphic())
                .count();
            if run > 0 {
                self.put_space(char::from(bytes[at]));
                self.line.push_str(&text[at..at + run]);
                at += run;
                continue;
            }
            let Some(c) = text[at..].chars().next() else {
                break;
            };
            at += c.len_utf8();
            if c == '\n' {
                self.space = Space::Break;
            } else if c.is_whitespace() {
                if matches!(self.space, Space::None | Space::Apart) {
                    self.space = Space::Blank;
                }
            } else if is_visible(c, &self.line) {
                self.put_space(c);
                self.line.push(c);
            }
        }
    }

    fn put_space(&mut self, next: char) {
        let space = std::mem::replace(&mut self.space, Space::None);
        if space == Space::None {
            return;
        }
        let Some(last) = self.line.chars().next_back() else {
            return;
        };
        if space != Space::Blank && joins_lines(last) && joins_lines(next) {
            return;
        }
        let ends_word =
            last.is_alphanumeric() || matches!(last, '.' | '!' | '?' | ':' | ';' | ',' | ')');
        if space == Space::Apart && !(ends_word && next.is_alphanumeric()) {
            return;
        }
        self.line.push(' ');
    }

    fn code(&mut self, text: &str) {
        for (n_line, part) in text.split('\n').enumerate() {
            if n_line > 0 {
                self.end_code_line();
            }
            for c in part.chars() {
                if c == '\t' || is_visible(c, &self.line) {
                    self.line.push(c);
                }
            }
        }
    }

    fn end_code_line(&mut self) {
        self.line.truncate(self.line.trim_end().len());
        self.push_line();
    }

    fn flush(&mut self) {
        self.label_len = 0;
        self.space = Space::None;
        if self.pre_depth > 0 {
            self.end_code_line();
        } else {
            self.push_line();
        }
    }

    fn push_line(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let line = std::mem::take(&mut self.line);
        let open = self.open();
        if !open.section.text.is_empty() {
            open.section.text.push('\n');
        }
        open.section.text.push_str(&line);
        self.line = line;
        self.line.clear();
    }

    /// The collected heading text, without the signs that themes append to link to it.
    fn take_line(&mut self) -> String {
        self.space = Space::None;
        let line = std::mem::take(&mut self.line);
        let signs: &[char] = &['§', '¶', '🔗', ' '];
        let text = line.trim_matches(signs);
        text.strip_suffix(" #").unwrap_or(text).trim().to_owned()
    }
}

/// `text` with white space collapsed, invisible characters dropped, and at most `limit` characters.
pub(crate) fn collapse(text: &str, limit: usize) -> String {
    let mut writer = SectionWriter::new();
    writer.flow(text);
    match writer.line.char_indices().nth(limit) {
        Some((end, _)) => writer.line[..end].trim_end().to_owned(),
        None => writer.line,
    }
}

/// True for a character that belongs in the text. Joiners stay where the script before them needs them.
fn is_visible(c: char, before: &str) -> bool {
    match c {
        '\u{200C}' | '\u{200D}' => before
            .chars()
            .next_back()
            .is_some_and(|last| last >= '\u{600}'),
        '\u{AD}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2060}'..='\u{2064}'
        | '\u{FEFF}' => false,
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => false,
        _ => !c.is_control(),
    }
}

/// A character of a script without spaces between words, or its punctuation: a line break after it is no space. Hangul is
/// not among them, other than for the terms of an index.
fn joins_lines(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_collapses_and_invisible_characters_go() {
        assert_eq!(
            collapse("  a\u{AD}b \n\t c\u{200B}d\u{A0}e  ", 99),
            "ab cd e"
        );
        assert_eq!(collapse("中文\n段落 末尾\nend", 99), "中文段落 末尾 end");
        assert_eq!(
            collapse("می\u{200C}خواهم x\u{200D}y", 99),
            "می\u{200C}خواهم xy"
        );
        assert_eq!(collapse("abcdef", 3), "abc");
    }

    #[test]
    fn weight_is_the_mean_over_the_text_of_a_section() {
        let mut writer = SectionWriter::new();
        writer.text("abcd");
        let before = writer.set_weight(4.0);
        writer.text("ef");
        writer.set_weight(before);
        let (sections, _) = writer.finish();
        assert_eq!(sections[0].weight, 2.0); // (4 · 1 + 2 · 4) / 6
    }

    #[test]
    fn a_repeated_anchor_belongs_to_its_first_section() {
        let mut writer = SectionWriter::new();
        for _ in 0..2 {
            writer.start_heading(2, "x");
            writer.text("Same");
            writer.end_heading();
        }
        let (sections, _) = writer.finish();
        assert_eq!(
            (sections[0].anchor.as_str(), sections[1].anchor.as_str()),
            ("x", "")
        );
    }

    #[test]
    fn a_heading_without_text_opens_no_section() {
        let mut writer = SectionWriter::new();
        writer.text("before");
        writer.start_heading(2, "x");
        writer.end_heading();
        writer.text("after");
        let (sections, _) = writer.finish();
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].text, "before\nafter");
    }
}
