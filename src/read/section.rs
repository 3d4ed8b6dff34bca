//! A section of a page by its anchor: its heading, its text, and the sections below it.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::order;
use crate::base::uri::Uri;
use crate::bundle::{SectionText, content_of};
use crate::text::push_lower;

/// Anchors that a failure names.
const NAMED: usize = 5;

/// The lines of the section that the fragment of `uri` names, to the next heading of its level or above.
///
/// Errors: `NOT_FOUND`, with the page and the anchors most like it, when the page has no such section.
pub fn content(sections: &[SectionText], uri: &Uri) -> Result<String> {
    let anchor = uri.fragment().unwrap_or_default();
    let Some(from) = sections.iter().position(|s| s.anchor == anchor) else {
        return Err(Error::new(ErrorKind::NotFound, unknown(sections, uri)));
    };
    let level = sections[from].level;
    let below = sections[from + 1..].iter();
    let n_below = below
        .take_while(|s| level > 0 && s.level > level && s.anchor != anchor)
        .count();
    Ok(content_of(&sections[from..=from + n_below]))
}

fn unknown(sections: &[SectionText], uri: &Uri) -> String {
    let wanted = uri.fragment().unwrap_or_default();
    let anchors = sections.iter().map(|s| s.anchor.as_str());
    let mut anchors: Vec<&str> = anchors.filter(|anchor| !anchor.is_empty()).collect();
    anchors.dedup();
    let alike = |anchor: &&str| n_shared(anchor, wanted);
    let some = anchors.iter().any(|anchor| alike(anchor) > 0);
    if some {
        anchors.retain(|anchor| alike(anchor) > 0);
        order::sort_by(&mut anchors, |a, b| {
            let nearest = alike(b).cmp(&alike(a));
            nearest.then_with(|| a.len().cmp(&b.len()))
        });
    }
    let page = uri.without_fragment();
    let mut message = format!("'{page}' has no section #{wanted}");
    for (at, anchor) in anchors.iter().take(NAMED).enumerate() {
        let before = match (at, some) {
            (0, true) => "; the nearest are #",
            (0, false) => "; the first are #",
            _ => ", #",
        };
        message.push_str(before);
        message.push_str(anchor);
    }
    message
}

/// Number of words that two anchors share, without regard to case.
fn n_shared(anchor: &str, wanted: &str) -> usize {
    let folded = |text: &str| {
        let mut lower = String::new();
        push_lower(&mut lower, text);
        lower
    };
    let (anchor, wanted) = (folded(anchor), folded(wanted));
    let words = wanted.split(BETWEEN).filter(|word| !word.is_empty());
    let is_there = |word: &&str| anchor.split(BETWEEN).any(|known| known == *word);
    words.filter(is_there).count()
}

/// Signs between the words of an anchor.
const BETWEEN: [char; 6] = ['-', '_', '.', ':', '/', ' '];

/// An overview whose list of sections has their anchors. A list that was cut to groups stays one: an overview is short.
pub fn with_anchors(overview: &str, sections: &[SectionText]) -> String {
    let Some(at) = overview.find("\n## Sections") else {
        return overview.to_owned();
    };
    let mut rest = sections;
    let (head, list) = overview.split_at(at + 1);
    let lines = list.split_inclusive('\n');
    let lines: String = lines.map(|line| anchored(line, &mut rest)).collect();
    [head, &lines].concat()
}

/// A line of a list with the anchor of its section behind the heading; `rest` are the sections that follow it.
fn anchored(line: &str, rest: &mut &[SectionText]) -> String {
    let entry = line.trim_start().strip_prefix("- ").unwrap_or_default();
    // A sentence follows, or the number of those below it.
    let ends = |behind: &str| {
        [":", " (", "\n"]
            .iter()
            .any(|sign| behind.starts_with(sign))
    };
    let is_it = |s: &SectionText| {
        let behind = entry.strip_prefix(s.heading.as_str());
        !s.heading.is_empty() && behind.is_some_and(ends)
    };
    let Some(at) = rest.iter().position(is_it) else {
        return line.to_owned();
    };
    let section = &rest[at];
    *rest = &rest[at + 1..];
    let end = line.len() - entry.len() + section.heading.len();
    let mut text = line[..end].to_owned();
    push_anchor(&mut text, section);
    text.push_str(&line[end..]);
    text
}

fn push_anchor(text: &mut String, section: &SectionText) {
    if !section.anchor.is_empty() {
        text.push_str(" #");
        text.push_str(&section.anchor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<SectionText> {
        let section = |level, heading: &str, anchor: &str| SectionText {
            level,
            heading: heading.into(),
            anchor: anchor.into(),
            text: heading.to_lowercase(),
            ..SectionText::default()
        };
        vec![
            section(0, "", ""),
            section(1, "Use", "use"),
            section(2, "On disk", "on-disk"),
            section(3, "Windows", "windows"),
            section(2, "In memory", "in-memory"),
            section(1, "End", "end"),
        ]
    }

    fn read(anchor: &str) -> Result<String> {
        let uri = Uri::parse("viking://resources/a.html").unwrap();
        content(&page(), &uri.with_fragment(anchor))
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        let on_disk = "## On disk\non disk\n\n### Windows\nwindows\n";
        assert_eq!(read("on-disk").unwrap(), on_disk);
        assert_eq!(read("windows").unwrap(), "### Windows\nwindows\n");
        assert_eq!(read("end").unwrap(), "# End\nend\n");
        assert!(read("use").unwrap().ends_with("## In memory\nin memory\n"));
    }

    #[test]
    fn an_unknown_anchor_names_the_nearest_or_the_first() {
        let said = |anchor| read(anchor).unwrap_err().message().to_owned();
        let near = "'viking://resources/a.html' has no section #Disk; the nearest are #on-disk";
        assert_eq!(said("Disk"), near);
        let first = "; the first are #use, #on-disk, #windows, #in-memory, #end";
        assert!(said("nope").ends_with(first), "{}", said("nope"));
    }

    #[test]
    fn overviews_have_anchors_whether_their_list_is_whole_or_cut() {
        let whole = "# A\n\n## Sections\n\n- Use: How.\n  - On disk\n    - Windows\n  - In memory: It.\n- End\n";
        let told = "# A\n\n## Sections\n\n- Use #use: How.\n  - On disk #on-disk\n    - Windows #windows\n  \
                    - In memory #in-memory: It.\n- End #end\n";
        assert_eq!(with_anchors(whole, &page()), told);
        let cut = "# A\n\n## Sections (4 of 5)\n\n- Use (3): Windows, In memory\n- End\n";
        let told =
            "# A\n\n## Sections (4 of 5)\n\n- Use #use (3): Windows, In memory\n- End #end\n";
        assert_eq!(with_anchors(cut, &page()), told);
        let written = "# A\n\nBy a model.\n";
        assert_eq!(with_anchors(written, &page()), written);
    }

    #[test]
    fn a_heading_that_begins_another_is_not_taken_for_it() {
        let cut = "# A\n\n## Sections\n\n- Used\n- On disk: Slow.\n";
        let told = "# A\n\n## Sections\n\n- Used\n- On disk #on-disk: Slow.\n";
        assert_eq!(with_anchors(cut, &page()), told);
    }
}
