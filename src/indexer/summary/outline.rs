//! The L1 of a file: its headings with a first sentence each; of a page with too many, its groups and their most used
//! members.

use super::super::document::{Document, DocumentSection};
use super::super::prose::listed;
use super::{
    ABSTRACT_CHARS, OVERVIEW_CHARS, Repeated, description, file_abstract_in, first_sentences, fit,
    has_description, labelled, n_chars,
};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Headings that no outline needs, in the languages that documentation is most written in.
const EXAMPLES: &str = "beispiel beispiele ejemplo ejemplos esempi esempio example examples exemple exemples exemplo \
    exemplos пример примеры 例 例子 示例 예 예시 예제";
/// A heading this often on a page names no part of it.
const REPEATED_IN_PAGE: u32 = 3;

/// The L1 of a file, Markdown, at most 4,000 characters: title, brief, and its headings with a first sentence each.
///
/// Where they do not fit: the headings of the highest level, each with the number of those below it and the names of
/// the most used ones. Headings of examples, and those that a page repeats, are in none.
pub fn file_overview(document: &Document) -> String {
    file_overview_in(document, &Repeated::default())
}

/// [`file_overview`] of one page of a site, with what its pages repeat left aside wherever something else is said.
pub fn file_overview_in(document: &Document, repeated: &Repeated) -> String {
    let head = format!(
        "# {}\n\n{}\n",
        fit(&document.title, ABSTRACT_CHARS),
        intro(document, repeated)
    );
    let headed = headed(document);
    if headed.is_empty() {
        return head;
    }
    let room = OVERVIEW_CHARS.saturating_sub(n_chars(&head) + 80);
    match all(&headed, room, repeated) {
        Some(entries) => format!("{head}\n## Sections\n\n{entries}"),
        None => {
            let (entries, n_shown) = grouped(document, &headed, room);
            format!(
                "{head}\n## Sections ({n_shown} of {})\n\n{entries}",
                headed.len()
            )
        }
    }
}

fn intro(document: &Document, repeated: &Repeated) -> String {
    let before_headings = document
        .sections
        .iter()
        .take_while(|s| s.heading.is_empty())
        .map(|s| s.text.as_str());
    let intro = if has_description(document, repeated) {
        description(document, 2 * ABSTRACT_CHARS)
    } else {
        first_sentences(before_headings, 2 * ABSTRACT_CHARS, repeated)
    };
    match intro.is_empty() {
        true => file_abstract_in(document, repeated),
        false => intro,
    }
}

/// The sections whose headings say something.
fn headed(document: &Document) -> Vec<&DocumentSection> {
    let mut n_times: HashMap<&str, u32> = HashMap::new();
    let sections = || document.sections.iter().filter(|s| !s.heading.is_empty());
    for section in sections() {
        *n_times.entry(&section.heading).or_default() += 1;
    }
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(EXAMPLES));
    let is_example = |heading: &str| {
        let folded = heading.trim_end_matches([':', '：']).to_lowercase();
        KNOWN.contains(folded.as_str())
    };
    sections()
        .filter(|s| n_times[&s.heading[..]] < REPEATED_IN_PAGE && !is_example(&s.heading))
        .collect()
}

fn top_of(headed: &[&DocumentSection]) -> u8 {
    headed.iter().map(|s| s.level).min().unwrap_or(1)
}

/// Every heading, with as long a sentence as there is room for; `None` where not even the headings fit.
fn all(headed: &[&DocumentSection], room: usize, repeated: &Repeated) -> Option<String> {
    let top = top_of(headed);
    [200, 120, 60, 0].into_iter().find_map(|limit| {
        let mut entries = String::new();
        for section in headed {
            let sentence = match limit {
                0 => String::new(),
                _ => first_sentences(std::iter::once(section.text.as_str()), limit, repeated),
            };
            let indent = "  ".repeat(usize::from(section.level.saturating_sub(top)));
            let label = format!("{indent}- {}", fit(&section.heading, 120));
            entries.push_str(&labelled(&label, &sentence));
            if entries.len() / 4 > room {
                return None; // Even at four bytes a character this is too long.
            }
        }
        (n_chars(&entries) <= room).then_some(entries)
    })
}

/// A heading with those below it, as positions among the page's headings.
struct Group {
    at: usize,
    members: Vec<usize>,
}

/// The groups with their counts and most used members, and the number of headings named.
fn grouped(document: &Document, headed: &[&DocumentSection], room: usize) -> (String, usize) {
    let groups = groups(headed);
    let uses = Uses::of(document);
    let line = |group: &Group, n: usize| group_line(headed, group, n, &uses);
    // Members by share of the page, as many as fit.
    for per_thousand in [1000, 500, 250, 120, 60, 30, 15, 8, 4, 2, 1, 0] {
        let n_of = |group: &Group| (group.members.len() * per_thousand).div_ceil(1000);
        let entries: String = groups.iter().map(|g| line(g, n_of(g))).collect();
        if n_chars(&entries) <= room {
            let n_shown = groups.iter().map(|g| 1 + n_of(g)).sum();
            return (entries, n_shown);
        }
    }
    // Too many groups: those with most below them, then the first.
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(groups[i].members.len()));
    let mut left = room;
    let mut kept: Vec<usize> = Vec::new();
    for i in order {
        let Some(rest) = left.checked_sub(n_chars(&line(&groups[i], 0))) else {
            break;
        };
        left = rest;
        kept.push(i);
    }
    kept.sort_unstable();
    let entries = kept.iter().map(|&i| line(&groups[i], 0)).collect();
    (entries, kept.len())
}

fn groups(headed: &[&DocumentSection]) -> Vec<Group> {
    let top = top_of(headed);
    let mut groups: Vec<Group> = Vec::new();
    for (at, section) in headed.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if section.level > top => group.members.push(at),
            _ => groups.push(Group {
                at,
                members: Vec::new(),
            }),
        }
    }
    groups
}

fn group_line(headed: &[&DocumentSection], group: &Group, n: usize, uses: &Uses<'_>) -> String {
    let heading = fit(&headed[group.at].heading, 120);
    if group.members.is_empty() {
        return format!("- {heading}\n");
    }
    let count = group.members.len();
    let mut members = group.members.clone();
    members.sort_by_key(|&at| std::cmp::Reverse(uses.of_heading(headed[at])));
    let mut names: Vec<String> = Vec::new();
    for at in members {
        let name = fit(&headed[at].heading, 60);
        if names.len() < n && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return format!("- {heading} ({count})\n");
    }
    format!("- {heading} ({count}): {}\n", names.join(", "))
}

/// Number of times that a page names each identifier and word.
struct Uses<'a> {
    n_times: HashMap<&'a str, u32>,
}

impl<'a> Uses<'a> {
    fn of(document: &'a Document) -> Self {
        let mut n_times: HashMap<&str, u32> = HashMap::new();
        let words = document.sections.iter().flat_map(|s| identifiers(&s.text));
        for word in words {
            *n_times.entry(word).or_default() += 1;
        }
        Self { n_times }
    }

    /// Uses of the thing that a heading names; of a heading in words, the length of its text in lines of 80 characters.
    fn of_heading(&self, section: &DocumentSection) -> u32 {
        let heading = section.heading.as_str();
        if heading.contains(' ') {
            return (section.text.len() / 80) as u32;
        }
        let name = identifiers(heading).last().unwrap_or(heading);
        self.n_times.get(name).copied().unwrap_or(0)
    }
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(level: u8, heading: &str, text: &str) -> DocumentSection {
        DocumentSection {
            heading: heading.into(),
            level,
            text: text.into(),
            ..DocumentSection::default()
        }
    }

    fn page(sections: Vec<DocumentSection>) -> Document {
        Document {
            title: "Pair class".into(),
            sections,
            ..Document::default()
        }
    }

    #[test]
    fn a_file_overview_is_an_outline_that_fits() {
        let overview = file_overview(&page(vec![
            section(0, "", "Holds two values of any type."),
            section(2, "Remarks", "It is often returned.\nx"),
            section(2, "Examples", "Some code is shown here."),
            section(2, "Syntax", ""),
        ]));
        assert_eq!(
            overview,
            "# Pair class\n\nHolds two values of any type.\n\n## Sections\n\n- Remarks: It is often returned.\n- Syntax\n"
        );
        let many: Vec<_> = (0..3000)
            .map(|n| section(2, &format!("A heading that is long enough, number {n}"), ""))
            .collect();
        let overview = file_overview(&page(many));
        assert!(n_chars(&overview) <= OVERVIEW_CHARS && n_chars(&overview) > OVERVIEW_CHARS / 2);
        assert!(overview.contains("number 0\n"));
    }

    #[test]
    fn a_large_page_tells_its_groups_and_their_most_used_members() {
        let mut sections = vec![section(0, "", "A list that grows.")];
        for (group, n) in [("Methods", 400), ("Traits", 40)] {
            sections.push(section(2, group, ""));
            for i in 0..n {
                let name = format!("List::{}_{i:03}", group.to_lowercase());
                sections.push(section(4, &name, "Does a thing."));
                sections.push(section(5, "Examples", "list.methods_321();"));
            }
        }
        let overview = file_overview(&page(sections));
        assert!(n_chars(&overview) <= OVERVIEW_CHARS);
        assert!(overview.contains("- Methods (400): List::methods_321, List::methods_000"));
        assert!(overview.contains("\n- Traits (40): List::traits_000"));
        assert!(!overview.contains("Examples"));
    }
}
