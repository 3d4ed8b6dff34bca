//! Headings that are labels: "Note", "Tip", "See also" on a page whose other headings have addresses, and whatever a page
//! has again and again ("Types" below each function of Erlang's). As sections they could not be opened; they are text of
//! the section above them. Longer headings say what their section is about, and names define something: those stay, and
//! open the page.

use std::collections::{HashMap, HashSet};

use super::Weighed;
use crate::indexer::document::DocumentSection;
use crate::indexer::prose::same_words;

const LEVELS: usize = 7;
/// Words of a label, at most.
const MAX_WORDS: usize = 2;

/// Times that a page has a heading that is a label whatever it says, at least.
const TIMES: usize = 3;

/// Joins the sections of labels to the sections that they stand in.
pub(super) fn fold(done: &mut Vec<Weighed>) {
    let count = |has_anchor: bool| {
        let mut counts = [0; LEVELS];
        let own = done.iter().map(|open| &open.section);
        let own = own.filter(|s| !s.heading.is_empty() && s.anchor.is_empty() != has_anchor);
        own.for_each(|s| counts[usize::from(s.level).min(LEVELS - 1)] += 1);
        counts
    };
    let (with, without) = (count(true), count(false));
    // Most of the headings above the level, or of it, have addresses. Level 1 is the page's own.
    let is_of_labels = |level: usize| {
        let above = |counts: &[usize; LEVELS]| counts[2..level].iter().sum::<usize>();
        level > 1 && (above(&with) > above(&without) || with[level] > without[level])
    };
    let repeated = repeated(done);
    let mut kept: Vec<Weighed> = Vec::with_capacity(done.len());
    let mut has_heading = false;
    for (at, open) in done.drain(..).enumerate() {
        let section = &open.section;
        let level = usize::from(section.level).min(LEVELS - 1);
        let is_label = has_heading
            && (repeated.contains(&at)
                || (is_short(&section.heading)
                    && section.anchor.is_empty()
                    && is_of_labels(level)));
        has_heading |= !section.heading.is_empty();
        match kept.last_mut() {
            Some(above) if is_label => append(above, &open),
            _ => kept.push(open),
        }
    }
    *done = kept;
}

/// The sections below the first level whose heading the page has [`TIMES`], all with one id or with none.
fn repeated(done: &[Weighed]) -> HashSet<usize> {
    let mut places: HashMap<(u8, &str), Vec<usize>> = HashMap::new();
    for (at, open) in done.iter().enumerate() {
        let section = &open.section;
        if section.level > 1 && !section.heading.is_empty() {
            let key = (section.level, section.heading.as_str());
            places.entry(key).or_default().push(at);
        }
    }
    let is_label = |at: &Vec<usize>| {
        let anchors: HashSet<&str> = at
            .iter()
            .map(|&at| done[at].section.anchor.as_str())
            .collect();
        at.len() >= TIMES && anchors.len() == 1
    };
    places.into_values().filter(is_label).flatten().collect()
}

/// True for a word or two of letters only.
fn is_short(heading: &str) -> bool {
    let mut words = heading.split_whitespace();
    let n = words.clone().count();
    (1..=MAX_WORDS).contains(&n) && words.all(|word| word.chars().all(char::is_alphabetic))
}

fn append(above: &mut Weighed, label: &Weighed) {
    let text = &mut above.section.text;
    for part in [&label.section.heading, &label.section.text] {
        if !text.is_empty() && !part.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    above.weight_sum += label.weight_sum;
    above.weight_len += label.weight_len;
}

/// A heading without the asterisks of a footnote: `watchEffect() **`. An operator keeps them.
pub(super) fn without_footnote(mut heading: String) -> String {
    let text = heading.trim_end_matches('*');
    let n = heading.len() - text.len();
    let named = text.trim_end();
    let is_apart = n > 0 && named.len() < text.len();
    let ends_word = named.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '?' | '!'));
    let last = named.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_operator = last.starts_with("operator") || (n == 1 && !named.ends_with(')'));
    if is_apart && ends_word && !is_operator {
        heading.truncate(named.len());
    }
    heading
}

/// Folds the headings that repeat `title` into the text before any heading; their anchors and their texts stay. The site's
/// name may stand above the one, without a text.
pub(crate) fn absorb_title(sections: &mut Vec<DocumentSection>, title: &str) {
    let Some(at) = place_of_title(sections, title) else {
        return;
    };
    let is_own = |s: &DocumentSection| s.level == 1 && same_words(&s.heading, title);
    // Texinfo has the title of a book above that of its first chapter.
    let is_doubled = sections[at].text.is_empty() && sections.get(at + 1).is_some_and(is_own);
    if is_doubled {
        sections.remove(at);
    }
    if sections[at].text.is_empty() {
        sections.remove(at);
    } else {
        sections[at].heading.clear();
        sections[at].level = 0;
    }
}

fn place_of_title(sections: &[DocumentSection], title: &str) -> Option<usize> {
    const MAX_ABOVE: usize = 2; // Headings above it.
    let is_own = |s: &DocumentSection| !s.heading.is_empty() && same_words(&s.heading, title);
    let first_h1 = sections.iter().position(|s| s.level == 1);
    let first = first_h1.or_else(|| sections.iter().position(|s| !s.heading.is_empty()))?;
    if is_own(&sections[first]) {
        return Some(first);
    }
    let mut top = sections.iter().take(MAX_ABOVE + 1);
    let at = top.position(is_own)?;
    let above = &sections[..at];
    let is_first = first_h1 == Some(first) && above.iter().all(|s| s.text.is_empty());
    is_first.then_some(at)
}

#[cfg(test)]
mod tests {
    use crate::indexer::Document;

    #[test]
    fn headings_that_repeat_the_title_are_folded_below_the_sites_name_too() {
        let left = |headings: &[(&str, &str)]| -> String {
            let mut page = Document::new("a.html", "", "");
            page.sections.clear();
            for (heading, text) in headings {
                page = page.section(*heading, "", *text);
            }
            page.sections[0].level = 1;
            super::absorb_title(&mut page.sections, "Tides");
            let left = page
                .sections
                .iter()
                .map(|s| format!("{}:{}", s.heading, s.text));
            left.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            left(&[("The Sea", ""), ("Tides", "Ebb.")]),
            "The Sea: :Ebb."
        );
        // A constructor of its type's name.
        let twice = [("Tides", ""), ("Tides", "Ebb.")];
        assert_eq!(left(&twice), "Tides:Ebb.");
        let below = [("The Sea", "Salt."), ("Tides", "Ebb.")];
        assert_eq!(left(&below), "The Sea:Salt. Tides:Ebb.");
    }

    use crate::indexer::sections::SectionWriter;

    /// Level, id and text of headings, each with a line of text below; and the sections that they make.
    fn outline(headings: &[(u8, &str, &str)]) -> Vec<(String, String)> {
        let mut writer = SectionWriter::new();
        for (level, id, text) in headings {
            writer.start_heading(*level, id);
            writer.text(text);
            writer.end_heading();
            writer.text("Text.");
        }
        let (sections, _) = writer.finish();
        let outline = sections.into_iter().map(|s| (s.heading, s.text));
        outline.collect()
    }

    fn headings(headings: &[(u8, &str, &str)]) -> Vec<String> {
        outline(headings).into_iter().map(|s| s.0).collect()
    }

    #[test]
    fn a_label_is_text_of_the_section_that_it_stands_in() {
        let page = outline(&[
            (1, "", "Constraints"),
            (2, "check", "Checks"),
            (3, "", "Note"),
        ]);
        let section = |heading: &str, text: &str| (heading.to_owned(), text.to_owned());
        assert_eq!(
            page,
            [
                section("Constraints", "Text."),
                section("Checks", "Text.\nNote\nText.")
            ]
        );
        // DocBook's pages begin with a heading of the second level; Apache's have labels before the first section.
        assert_eq!(
            headings(&[(2, "a", "A"), (3, "", "Note"), (3, "", "Tip")]),
            ["A"]
        );
        let apache = [
            (1, "", "Module"),
            (3, "", "See also"),
            (2, "a", "A"),
            (2, "b", "B"),
        ];
        assert_eq!(headings(&apache), ["Module", "A", "B"]);
    }

    #[test]
    fn a_heading_that_says_more_than_a_label_stays() {
        let page = [
            (2, "a", "A"),
            (3, "", "Note"),
            (3, "", "Where the key is kept"),
            (3, "", "open_key"),
        ];
        assert_eq!(headings(&page), ["A", "Where the key is kept", "open_key"]);
    }

    #[test]
    fn a_heading_that_a_page_has_again_and_again_is_a_label() {
        let function = |name| [(4, name, name), (3, "types", "Types of its terms")];
        let page: Vec<_> = ["a", "b", "c"].into_iter().flat_map(function).collect();
        assert_eq!(headings(&page), ["a", "b", "c"]);
        assert_eq!(outline(&page)[1].1, "Text.\nTypes of its terms\nText.");
        let twice = &page[..4];
        assert_eq!(headings(twice).len(), 4);
        let addressed = [
            (2, "a", "A"),
            (3, "x", "Types"),
            (3, "y", "Types"),
            (3, "z", "Types"),
        ];
        assert_eq!(headings(&addressed).len(), 4);
    }

    #[test]
    fn a_page_whose_headings_have_no_addresses_keeps_them() {
        let page = [(1, "", "Page"), (2, "", "A"), (3, "", "B"), (2, "", "C")];
        assert_eq!(headings(&page), ["Page", "A", "B", "C"]);
        let one = [
            (1, "", "Page"),
            (2, "", "A"),
            (2, "", "B"),
            (2, "comments", "C"),
        ];
        assert_eq!(headings(&one), ["Page", "A", "B", "C"]);
        let first = [(2, "", "Page"), (2, "a", "A"), (2, "b", "B")];
        assert_eq!(headings(&first), ["Page", "A", "B"], "it may be the title");
    }

    #[test]
    fn the_asterisks_of_a_footnote_are_no_part_of_a_heading() {
        for (heading, want) in [
            ("watchEffect() **", "watchEffect()"),
            ("props() *", "props()"),
            ("ref を使う理由 **", "ref を使う理由"),
            ("The operator **", "The operator **"),
            ("operator *", "operator *"),
            ("a *", "a *"),
            ("char**", "char**"),
            ("**", "**"),
        ] {
            assert_eq!(super::without_footnote(heading.into()), want);
        }
    }
}
