//! Overviews and abstracts of directories: from the page that speaks for one, else from what its pages share.

use super::super::prose::{same_words, words};
use super::lead::first_sentence;
use super::phrases::{MIN_PHRASES, key_phrases};
use super::{
    ABSTRACT_CHARS, MAX_ENTRIES, N_SAMPLED, OVERVIEW_CHARS, fit, fitting, labelled, n_chars,
};
use crate::text::stop_words::is_stop_word;
use std::collections::{BTreeMap, HashMap};

/// So few children are described by sentences of their own; more share phrases.
const FEW: usize = 8;
/// Words of a lead, and pages, below which it is not asked whether they meet.
const MIN_SHARED: usize = 3;
/// Share of a folder's pages that a lead has a word of, at least in one of its words.
const ON_TOPIC: f64 = 0.05;
/// Children whose titles begin with the same word, so many, are a group of an overview.
const MIN_GROUP: usize = 3;
/// More groups say no more than a list.
const MAX_GROUPS: usize = 12;

/// A child of a directory, as its overview lists it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChildSummary<'a> {
    /// Last segment of the path.
    pub name: &'a str,
    /// Title for people.
    pub title: &'a str,
    /// The child's L0.
    pub abstract_: &'a str,
    /// The child is a directory.
    pub is_dir: bool,
    /// The abstract is made of sentences or key phrases, not of names, headings or code.
    pub tells: bool,
    /// Links to it from other pages.
    pub uses: u32,
}

/// A directory to be described.
#[derive(Debug, Clone, Default)]
pub struct Folder<'a> {
    /// Last segment of its path.
    pub name: &'a str,
    /// Title for people.
    pub title: &'a str,
    /// Abstracts of pages that may speak for it, the likeliest first.
    pub leads: Vec<&'a str>,
    /// Files and directories in it.
    pub children: &'a [ChildSummary<'a>],
    /// Titles with abstracts of files below it, or a sample.
    pub inside: Vec<String>,
    /// Titles with abstracts of files below its parent and not below it, or a sample.
    pub beside: Vec<String>,
}

impl Folder<'_> {
    /// The likeliest lead that is about the folder's pages, else the likeliest.
    pub(in super::super) fn lead(&self) -> Option<&str> {
        let mut leads = self.leads.iter().copied();
        let on_topic = match self.leads.len() {
            0 | 1 => None,
            _ => leads.find(|lead| is_on_topic(lead, self)),
        };
        on_topic.or_else(|| self.leads.first().copied())
    }
}

/// The L0 of a directory, and `false` where it has nothing but names.
///
/// In this order: the lead of a page that speaks for it; of few children, or of folders, a sentence each; phrases that
/// the files below it share and those beside it lack; the names of its children.
pub(in super::super) fn directory_brief(folder: &Folder<'_>) -> (String, bool) {
    if let Some(lead) = folder.lead() {
        return (fit(lead, ABSTRACT_CHARS), true);
    }
    if let [child] = folder.children
        && child.tells
    {
        return (fit(child.abstract_, ABSTRACT_CHARS), true);
    }
    let n_folders = folder.children.iter().filter(|c| c.is_dir).count();
    let is_told_by_children = folder.children.len() <= FEW || 2 * n_folders > folder.children.len();
    let sentences = || sentences_of(folder.children);
    let phrases = || titled_phrases(folder);
    let found = match is_told_by_children {
        true => sentences().or_else(phrases),
        false => phrases().or_else(sentences),
    };
    match found {
        Some(found) => (found, true),
        None => (names(folder), false),
    }
}

/// True if a lead has a word of the folder's title, or one that some of its pages have: an opening about translations
/// and paperbacks has not.
fn is_on_topic(lead: &str, folder: &Folder<'_>) -> bool {
    if folder.inside.len() <= MIN_SHARED {
        return true;
    }
    let is_topical = |word: &String| word.chars().count() >= 3 && !is_stop_word(word);
    let mut n_pages: HashMap<String, usize> = words(lead)
        .filter(is_topical)
        .map(|word| (word, 0))
        .collect();
    let is_spaced = n_pages.len() >= MIN_SHARED && !lead.contains(crate::text::is_unspaced);
    if !is_spaced {
        return true;
    }
    if words(folder.title).any(|word| n_pages.contains_key(&word)) {
        return true;
    }
    for text in &folder.inside {
        let own: std::collections::HashSet<String> = words(text).collect();
        for (word, n) in &mut n_pages {
            *n += usize::from(own.contains(word));
        }
    }
    let enough = (folder.inside.len() as f64 * ON_TOPIC).max(2.0);
    n_pages.values().any(|&n| n as f64 >= enough)
}

/// The first sentences of as many children as there is room for, in their order.
fn sentences_of(children: &[ChildSummary<'_>]) -> Option<String> {
    let mut all: Vec<(usize, &str)> = children
        .iter()
        .filter(|child| child.tells)
        .map(|child| opening(child.abstract_))
        .enumerate()
        .collect();
    all.sort_by_key(|&(at, sentence)| (n_chars(sentence), at));
    all.dedup_by_key(|&mut (_, sentence)| sentence);
    let mut room = ABSTRACT_CHARS;
    let mut taken: Vec<(usize, &str)> = Vec::new();
    for (at, sentence) in all {
        let Some(left) = room.checked_sub(n_chars(sentence) + 1) else {
            break;
        };
        room = left;
        taken.push((at, sentence));
    }
    taken.sort_unstable();
    let sentences: Vec<&str> = taken.into_iter().map(|(_, sentence)| sentence).collect();
    let first = || children.iter().find(|child| child.tells);
    match sentences.is_empty() {
        true => first().map(|child| fit(child.abstract_, ABSTRACT_CHARS)),
        false => Some(sentences.join(" ")),
    }
}

/// The first sentence that tells something: a greeting is none where another follows.
fn opening(text: &str) -> &str {
    let first = first_sentence(text);
    let rest = text[first.len()..].trim_start();
    match first.ends_with(['!', '！']) && !rest.is_empty() {
        true => first_sentence(rest),
        false => first,
    }
}

/// `Title: phrase; phrase; phrase.`, in the words of the pages and so in their language.
fn titled_phrases(folder: &Folder<'_>) -> Option<String> {
    let mut known = vec![folder.title, folder.name];
    known.extend(folder.children.iter().flat_map(|c| [c.name, c.title]));
    let phrases = key_phrases(&folder.inside, &folder.beside, &known);
    if phrases.len() < MIN_PHRASES {
        return None;
    }
    let mut text = fit(folder.title, 100);
    for (i, phrase) in phrases.iter().enumerate() {
        let joined = format!("{}{phrase}", if i == 0 { ": " } else { "; " });
        if n_chars(&text) + n_chars(&joined) < ABSTRACT_CHARS {
            text.push_str(&joined);
        }
    }
    Some(text + ".")
}

/// The L1 of a directory, Markdown, at most 4,000 characters: title, brief, coverage, and its entries.
///
/// Of more than 50 children 32 are listed, those that most pages link to; where their titles begin alike (`Struct …`,
/// `Trait …`), in groups with their counts.
pub fn directory_overview(title: &str, brief: &str, children: &[ChildSummary<'_>]) -> String {
    let head = format!("# {}\n\n{brief}\n", fit(title, ABSTRACT_CHARS));
    if children.is_empty() {
        return head;
    }
    let n_dirs = children.iter().filter(|child| child.is_dir).count();
    let coverage = coverage(children.len() - n_dirs, n_dirs);
    let room = OVERVIEW_CHARS.saturating_sub(n_chars(&head) + n_chars(&coverage) + 120);
    let rows = rows(children);
    let entry = |at: usize, limit: usize| match &rows[at] {
        Row::Group(word, n) => format!("- {} ({n})\n", fit(word, 120)),
        Row::Child { at, indent } => child_entry(&children[*at], indent, limit),
    };
    let (entries, n_shown) = fitting(rows.len(), room, &[200, 120, 60, 0], entry);
    let n_groups = rows.iter().filter(|r| matches!(r, Row::Group(..))).count();
    let n_shown = n_shown.saturating_sub(n_groups);
    let sampled = if n_shown < children.len() {
        format!(" ({n_shown} of {})", children.len())
    } else {
        String::new()
    };
    format!("{head}\n## Coverage\n\n{coverage}\n\n## Navigation{sampled}\n\n{entries}")
}

/// A line of a navigation.
enum Row<'a> {
    Group(&'a str, usize),
    Child { at: usize, indent: &'static str },
}

/// The lines of a navigation: all children of a narrow directory, the most used ones of a wide one.
fn rows<'a>(children: &[ChildSummary<'a>]) -> Vec<Row<'a>> {
    let plain = |at| Row::Child { at, indent: "" };
    if children.len() <= MAX_ENTRIES {
        return (0..children.len()).map(plain).collect();
    }
    let mut rows = Vec::new();
    for (word, members) in groups(children) {
        let n = (members.len() * N_SAMPLED).div_ceil(children.len());
        let shown = most_used(children, &members, n);
        if word.is_empty() {
            rows.extend(shown.into_iter().map(plain));
            continue;
        }
        rows.push(Row::Group(word, members.len()));
        let indent = "  ";
        rows.extend(shown.into_iter().map(|at| Row::Child { at, indent }));
    }
    rows
}

/// Children by the first word of their titles; those of rare words, and of folders, below the empty one, which is first.
fn groups<'a>(children: &[ChildSummary<'a>]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, child) in children.iter().enumerate() {
        let word = match (child.is_dir, child.title.split_once(' ')) {
            (false, Some((word, _))) => word,
            _ => "",
        };
        by_word.entry(word).or_default().push(at);
    }
    let rare = |word: &str, n: usize| word.is_empty() || n < MIN_GROUP;
    let n_rare: usize = by_word
        .iter()
        .filter(|(word, at)| rare(word, at.len()))
        .flat_map(|(_, at)| at)
        .filter(|&&at| !children[at].is_dir)
        .count();
    let n_groups = by_word.iter().filter(|(w, at)| !rare(w, at.len())).count();
    let is_grouped = n_groups <= MAX_GROUPS && 5 * n_rare <= 2 * children.len();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (word, members) in by_word {
        let is_own = is_grouped && !rare(word, members.len());
        let group = groups.entry(if is_own { word } else { "" }).or_default();
        group.extend(members);
    }
    groups
}

/// `n` of `members` in their order: those that most pages link to, then directories, then evenly spaced ones.
fn most_used(children: &[ChildSummary<'_>], members: &[usize], n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = super::sample(members.len(), n).collect();
    let spaced: std::collections::HashSet<usize> = order.iter().copied().collect();
    order.extend((0..members.len()).filter(|i| !spaced.contains(i)));
    // Stable: of equals the evenly spaced ones are first.
    order.sort_by_key(|&i| {
        let child = &children[members[i]];
        std::cmp::Reverse((child.uses, child.is_dir))
    });
    order.truncate(n);
    order.sort_unstable();
    order.into_iter().map(|i| members[i]).collect()
}

fn child_entry(child: &ChildSummary<'_>, indent: &str, limit: usize) -> String {
    let slash = if child.is_dir { "/" } else { "" };
    let label = format!(
        "{indent}- {} ({}{slash})",
        fit(label_of(child), 120),
        fit(child.name, 120)
    );
    let says = match limit {
        0 => String::new(),
        _ => fit(child.abstract_, limit),
    };
    labelled(&label, &says)
}

fn label_of<'a>(child: &ChildSummary<'a>) -> &'a str {
    if child.title.is_empty() {
        child.name
    } else {
        child.title
    }
}

fn coverage(n_files: usize, n_dirs: usize) -> String {
    let counted = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    match (n_files, n_dirs) {
        (n, 0) => format!("{}.", counted(n, "page")),
        (0, n) => format!("{}.", counted(n, "folder")),
        (files, dirs) => format!("{}, {}.", counted(files, "page"), counted(dirs, "folder")),
    }
}

/// `Title: name, name.`, for a directory of which nothing else is known.
fn names(folder: &Folder<'_>) -> String {
    let title = fit(folder.title, 100);
    let mut text = title.clone();
    for label in folder.children.iter().map(label_of) {
        let joined = if text == title { ": " } else { ", " };
        let label = fit(label, 60);
        let is_new = !same_words(&label, folder.title);
        if is_new && n_chars(&text) + n_chars(&label) + 3 < ABSTRACT_CHARS {
            text = format!("{text}{joined}{}", label.trim_end_matches('.'));
        }
    }
    text + "."
}

/// The L0 of a directory, cut out of its L1: the text between the title and the first `##`, at most 256 characters.
pub fn directory_abstract(overview: &str) -> String {
    let mut lines = overview
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .peekable();
    if lines.peek().is_some_and(|line| line.starts_with("# ")) {
        lines.next();
    }
    let body: Vec<&str> = lines
        .take_while(|line| !line.starts_with("##"))
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    fit(&body.join(" "), ABSTRACT_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child<'a>(name: &'a str, title: &'a str, abstract_: &'a str) -> ChildSummary<'a> {
        ChildSummary {
            name,
            title,
            abstract_,
            tells: !abstract_.is_empty(),
            ..ChildSummary::default()
        }
    }

    fn letters<'a>(children: &'a [ChildSummary<'a>]) -> Folder<'a> {
        Folder {
            name: "letters",
            title: "Letters",
            children,
            ..Folder::default()
        }
    }

    #[test]
    fn a_directory_overview_has_its_parts() {
        let sub = ChildSummary {
            is_dir: true,
            ..child("sub", "Sub", "")
        };
        let children = [child("a.md", "Alpha", "The first letter."), sub];
        let overview = directory_overview("Letters", "Letters of many kinds.", &children);
        assert_eq!(
            overview,
            "# Letters\n\nLetters of many kinds.\n\n## Coverage\n\n1 page, 1 folder.\n\n\
            ## Navigation\n\n- Alpha (a.md): The first letter.\n- Sub (sub/)\n"
        );
        assert_eq!(directory_abstract(&overview), "Letters of many kinds.");
        assert_eq!(
            directory_abstract("Text only.\n## Part\nmore"),
            "Text only."
        );
    }

    #[test]
    fn a_directory_is_told_by_its_page_then_its_children_then_phrases_then_names() {
        let children = [
            child("a.md", "Alpha", "The first letter. Others follow."),
            child("b.md", "Beta", "The second letter."),
        ];
        let mut folder = letters(&children);
        let told = |folder: &Folder<'_>| directory_brief(folder);
        assert_eq!(
            told(&folder),
            ("The first letter. The second letter.".into(), true)
        );
        folder.leads = vec!["Letters of many kinds."];
        assert_eq!(told(&folder), ("Letters of many kinds.".into(), true));
        let bare = [child("a.md", "Alpha", ""), child("b.md", "Beta", "")];
        assert_eq!(
            told(&letters(&bare)),
            ("Letters: Alpha, Beta.".into(), false)
        );
        assert_eq!(told(&letters(&[])), ("Letters.".into(), false));
        let many = [&[children[0], children[1]], &[bare[0]; FEW][..]].concat();
        let mut folder = letters(&many);
        folder.inside = ["Copper kettle", "Tea leaves", "Porcelain cup"]
            .into_iter()
            .flat_map(|thing| [format!("Wash the {thing}."), format!("Fill the {thing}.")])
            .collect();
        assert_eq!(
            told(&folder),
            (
                "Letters: Copper kettle; Porcelain cup; Tea leaves.".into(),
                true
            )
        );
        folder.leads = vec!["Several community translations are available."];
        assert_eq!(told(&folder).0, folder.leads[0]);
        folder
            .leads
            .push("A tour through copper kettles and other things.");
        assert_eq!(told(&folder).0, folder.leads[1]);
    }

    #[test]
    fn a_wide_directory_lists_what_is_used() {
        let names: Vec<String> = (0..1000).map(|n| format!("page-{n}.md")).collect();
        let text = "One sentence of ordinary length about something.".repeat(5);
        let mut children: Vec<_> = names.iter().map(|n| child(n, n, &text)).collect();
        children[7].uses = 3;
        let overview = directory_overview("Wide", "Brief.", &children);
        assert!(n_chars(&overview) <= OVERVIEW_CHARS);
        assert!(
            overview.contains("1000 pages.") && overview.contains("## Navigation (32 of 1000)")
        );
        let lines = |overview: &str| -> Vec<String> {
            let lines = overview.lines().map(str::trim);
            let entries = lines.filter(|line| line.starts_with("- "));
            entries.map(str::to_owned).collect()
        };
        let listed = lines(&overview);
        assert_eq!(listed.len(), 32);
        assert!(listed[1].starts_with("- page-7.md"));
        assert!(listed[2].starts_with("- page-32.md")); // 1 · 999 / 31 = 32

        let titles: Vec<String> = (0..60)
            .map(|n| format!("{} t{n}", ["Struct", "Trait"][usize::from(n >= 45)]))
            .collect();
        let children: Vec<_> = titles.iter().map(|title| child("x", title, "")).collect();
        let listed = lines(&directory_overview("Types", "Brief.", &children));
        assert_eq!(listed[0], "- Struct (45)");
        assert_eq!(listed[25], "- Trait (15)"); // 45 · 32 / 60 = 24 before it
        assert_eq!(listed.len(), 2 + 24 + 8);
    }
}
