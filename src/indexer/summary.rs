//! Extractive summaries: L0 abstracts and L1 overviews from what a page says itself.
//!
//! Source: spec openviking.md §6.1 for the limits, the rule for cutting, the parts of an overview, and the sampling of
//! wide directories. No sentence is made up; only counts and names join what authors wrote.

mod description;
mod directory;
mod lead;
mod outline;
mod phrases;

use description::{description, has_description, says_more};
pub(super) use directory::directory_brief;
pub use directory::{ChildSummary, Folder, directory_abstract, directory_overview};
pub use outline::{file_overview, file_overview_in};

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::document::Document;
use super::prose::is_prose;

/// The documents' limit for L0.
pub const ABSTRACT_CHARS: usize = 256;
/// The documents' limit for L1.
pub const OVERVIEW_CHARS: usize = 4000;
/// A directory with more entries is sampled.
pub const MAX_ENTRIES: usize = 50;
/// Entries kept of a sampled directory, evenly spaced.
pub const N_SAMPLED: usize = 32;

const REPEATED_ON: u32 = 6; // A sentence on this many pages tells none of them apart.
const LEAD_REPEATED_ON: u32 = 3; // A paragraph that opens so many pages is the site's.
const MAX_COUNTED_LINES: usize = 24; // Notices stand at the top of a page.

/// Sentences that many pages share: notices, and descriptions set once for a whole site. They are in the text of each
/// page, and no summary of any.
#[derive(Debug, Clone, Default)]
pub struct Repeated {
    n_pages: HashMap<u64, u32>,
    /// Lines with the titles of their pages: a page in several languages or versions counts once.
    seen: HashSet<u64>,
}

impl Repeated {
    /// Counts the description and the first lines of a page. O(lines), with 24 bytes kept for each new one.
    pub fn add(&mut self, document: &Document) {
        let lines = document.sections.iter().flat_map(|s| s.text.lines());
        let counted = lines.filter(|line| is_prose(line)).take(MAX_COUNTED_LINES);
        let keys: HashSet<u64> = counted
            .chain([document.description.as_str(), &document.facts.lead])
            .map(key)
            .collect();
        for key in keys {
            let mut hasher = DefaultHasher::new();
            (key, &document.title).hash(&mut hasher);
            if !self.seen.insert(hasher.finish()) {
                continue;
            }
            *self.n_pages.entry(key).or_default() += 1;
        }
    }

    /// Keeps the sentences that do repeat: the pages are all there.
    pub(super) fn settle(&mut self) {
        self.seen = HashSet::new();
        self.n_pages.retain(|_, n| *n >= LEAD_REPEATED_ON);
        self.n_pages.shrink_to_fit();
    }

    /// The lines of a page that repeat, by their places: all that its summaries depend on besides the page.
    pub(super) fn lines_of(&self, document: &Document) -> Vec<u8> {
        if self.n_pages.is_empty() {
            return Vec::new();
        }
        let lines = document.sections.iter().flat_map(|s| s.text.lines());
        let lines = (0u32..).zip(lines.chain([document.description.as_str()]));
        let repeated = lines.filter(|(_, line)| self.has(line)).map(|(at, _)| at);
        let lead = self.has_lead(&document.facts.lead).then_some(u32::MAX);
        repeated.chain(lead).flat_map(u32::to_le_bytes).collect()
    }

    /// True for a paragraph with which several pages open.
    fn has_lead(&self, lead: &str) -> bool {
        self.n_pages
            .get(&key(lead))
            .is_some_and(|&n| n >= LEAD_REPEATED_ON)
    }

    fn has(&self, line: &str) -> bool {
        self.n_pages
            .get(&key(line))
            .is_some_and(|&n| n >= REPEATED_ON)
    }
}

/// The same for the same line within one build; nothing of it is written anywhere.
fn key(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.trim().hash(&mut hasher);
    hasher.finish()
}

/// Cuts text to `limit` characters: after the last complete sentence that fits, else after the first sentence even when
/// it is longer, else (there is no sentence end) at a word boundary with `...` behind it.
///
/// A sentence ends at `!`, `?`, `。`, `！`, `？`, or at a `.` that no digit follows.
pub fn cut_sentences(text: &str, limit: usize) -> String {
    let text = text.trim();
    if n_chars(text) <= limit {
        return text.to_owned();
    }
    let mut fits = None;
    let mut chars = text.char_indices().enumerate().peekable();
    while let Some((at, (byte, c))) = chars.next() {
        let next = chars.peek().map(|(_, (_, next))| *next);
        let is_end = match c {
            '!' | '?' | '。' | '！' | '？' => true,
            '.' => next.is_none_or(|next| !next.is_ascii_digit()),
            _ => false,
        };
        if !is_end {
            continue;
        }
        let end = byte + c.len_utf8();
        if at < limit {
            fits = Some(end);
        } else {
            return text[..fits.unwrap_or(end)].to_owned();
        }
    }
    match fits {
        Some(end) => text[..end].to_owned(),
        None => cut_words(text, limit),
    }
}

/// At most `limit` characters, cut at a word boundary, `...` included.
fn cut_words(text: &str, limit: usize) -> String {
    let keep: String = text.chars().take(limit.saturating_sub(3)).collect();
    let at_boundary = text[keep.len()..].starts_with(char::is_whitespace);
    let end = if at_boundary {
        keep.len()
    } else {
        keep.rfind(char::is_whitespace).unwrap_or(keep.len())
    };
    format!("{}...", keep[..end].trim_end())
}

/// Never more than `limit` characters: by sentences, and where the first sentence is longer, by words.
pub fn fit(text: &str, limit: usize) -> String {
    let cut = cut_sentences(text, limit);
    if n_chars(&cut) <= limit {
        cut
    } else {
        cut_words(&cut, limit)
    }
}

fn n_chars(text: &str) -> usize {
    text.chars().count()
}

/// An L0 that somebody wrote: one block of text without outer space, at most as long as an overview may be.
pub(super) fn supplied_abstract(text: &str) -> String {
    fit(text, OVERVIEW_CHARS)
}

/// The L0 of a file, at most 256 characters: the author's description, else the first sentences of the text.
///
/// A description that only repeats the title counts as none. The title stands in only for a page without text. What the
/// pages of the site repeat is left aside wherever something else is said.
pub fn file_abstract_in(document: &Document, repeated: &Repeated) -> String {
    told(document, repeated).unwrap_or_else(|| shown(document, repeated))
}

/// [`file_abstract_in`], and true as [`tells`] says it.
pub(super) fn file_abstract_telling(document: &Document, repeated: &Repeated) -> (String, bool) {
    match told(document, repeated) {
        Some(told) => (told, true),
        None => (shown(document, repeated), document.abstract_.is_some()),
    }
}

/// The L0 of a page that does not say what it is about.
fn shown(document: &Document, repeated: &Repeated) -> String {
    let limit = ABSTRACT_CHARS;
    let texts = document.sections.iter().map(|s| s.text.as_str());
    let found = first_sentences(texts, limit, repeated);
    if !found.is_empty() {
        return found;
    }
    let headings: Vec<&str> = document
        .sections
        .iter()
        .map(|s| s.heading.as_str())
        .filter(|h| !h.is_empty())
        .collect();
    if !headings.is_empty() {
        return fit(&headings.join("; "), limit);
    }
    let last_resort = if document.description.is_empty() {
        &document.title
    } else {
        &document.description
    };
    fit(last_resort, limit)
}

/// The L0 that says in words of the author what the page is about; `None` where there are only labels, code, notices.
fn told(document: &Document, repeated: &Repeated) -> Option<String> {
    if let Some(line) = lead::manual_line(document) {
        return Some(fit(&line, ABSTRACT_CHARS));
    }
    if has_description(document, repeated) {
        return Some(description(document, ABSTRACT_CHARS));
    }
    let texts = document.sections.iter().map(|s| s.text.as_str());
    let lines = texts.flat_map(str::lines).map(str::trim);
    let opening = lead::opening(document).filter(|line| !repeated.has_lead(line));
    let captions = &document.facts.captions;
    let lines = lines.filter(|line| !captions.iter().any(|caption| caption == line));
    let prose = own_lines(
        lines.filter(|line| Some(*line) == opening || is_prose(line)),
        repeated,
    );
    let told = lead::telling(prose.take(MAX_COUNTED_LINES), opening);
    let found = join_lines(told.iter().map(|line| &**line), ABSTRACT_CHARS);
    (!found.is_empty()).then_some(found)
}

/// True if a page says in sentences, or its author in a description, what it is about.
pub(super) fn tells(document: &Document, repeated: &Repeated) -> bool {
    document.abstract_.is_some() || told(document, repeated).is_some()
}

/// Lines that are no notice and are not repeated on other pages.
fn own_lines<'a>(
    lines: impl Iterator<Item = &'a str> + Clone,
    repeated: &Repeated,
) -> impl Iterator<Item = &'a str> + Clone {
    const NOTICES: [&str; 3] = [
        "This is a nightly-only experimental API",
        "🔬This is a nightly-only",
        "Learn more about:",
    ];
    lines.filter(move |line| {
        !NOTICES.iter().any(|n| line.starts_with(n))
            && !repeated.has(line)
            && !lead::is_notice(line)
    })
}

/// The first lines that read like sentences, up to `limit` characters; else the first lines of any kind. Notices only
/// where there is nothing else, and no sentence that ends in a colon.
fn first_sentences<'a>(
    texts: impl Iterator<Item = &'a str> + Clone,
    limit: usize,
    repeated: &Repeated,
) -> String {
    let lines = texts.flat_map(str::lines).map(str::trim);
    // Telling prose costs less than telling notices.
    let prose = own_lines(lines.clone().filter(|line| is_prose(line)), repeated);
    let told = lead::telling(prose.clone().take(MAX_COUNTED_LINES), None);
    let is_open = |line: &&str| !line.ends_with([':', '：']);
    let mut found = join_lines(told.iter().map(|line| &**line), limit);
    if found.is_empty() {
        found = join_lines(prose.clone().filter(is_open), limit);
    }
    if found.is_empty() {
        found = join_lines(prose, limit);
    }
    if found.is_empty() {
        let readable = lines.clone().filter(|line| lead::is_readable(line));
        found = join_lines(own_lines(readable, repeated), limit);
    }
    if found.is_empty() {
        found = join_lines(lines.filter(|line| lead::is_readable(line)), limit);
    }
    lead::without_colon(&found).to_owned()
}

/// Joins lines until `limit` is reached, and cuts what is too long.
fn join_lines<'a>(lines: impl Iterator<Item = &'a str>, limit: usize) -> String {
    let mut joined = String::new();
    for line in lines {
        // Two members of one purpose say it in the same words.
        if joined.contains(line) {
            continue;
        }
        if !joined.is_empty() {
            if n_chars(&joined) + 1 + n_chars(line) > limit {
                break;
            }
            joined.push(' ');
        }
        joined.push_str(line);
        if n_chars(&joined) >= limit {
            break;
        }
    }
    lead::fit_sentences(&joined, limit)
}

/// `label: text`, or the label alone, with a line feed.
fn labelled(label: &str, text: &str) -> String {
    if text.is_empty() {
        format!("{label}\n")
    } else {
        format!("{label}: {text}\n")
    }
}

/// Writes `n` entries into `room` characters: first with ever shorter sentences, then evenly sampled ones without.
fn fitting(
    n: usize,
    room: usize,
    limits: &[usize],
    entry: impl Fn(usize, usize) -> String,
) -> (String, usize) {
    for &limit in limits {
        let mut all = String::new();
        for at in 0..n {
            all.push_str(&entry(at, limit));
            if all.len() / 4 > room {
                break; // Even at four bytes a character this is too long.
            }
        }
        if n_chars(&all) <= room {
            return (all, n);
        }
    }
    let lengths: Vec<usize> = (0..n).map(|at| n_chars(&entry(at, 0))).collect();
    let mut n_shown = n.saturating_sub(1).min(room / 4);
    while n_shown > 0 {
        if sample(n, n_shown).map(|at| lengths[at]).sum::<usize>() <= room {
            break;
        }
        n_shown = n_shown * 9 / 10;
    }
    (sample(n, n_shown).map(|at| entry(at, 0)).collect(), n_shown)
}

/// `n_shown` of `n` positions, evenly spaced, both ends included: i·(n−1)/(n_shown−1).
pub fn sample(n: usize, n_shown: usize) -> impl Iterator<Item = usize> {
    (0..n_shown.min(n)).map(move |i| {
        if n_shown < 2 {
            0
        } else {
            i * (n - 1) / (n_shown.min(n) - 1).max(1)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::document::DocumentSection;
    use super::*;

    fn page(description: &str, sections: &[(&str, &str)]) -> Document {
        let sections = sections.iter().map(|(heading, text)| DocumentSection {
            heading: (*heading).to_owned(),
            level: if heading.is_empty() { 0 } else { 2 },
            text: (*text).to_owned(),
            ..DocumentSection::default()
        });
        Document {
            title: "Pair class".into(),
            description: description.into(),
            sections: sections.collect(),
            ..Document::default()
        }
    }

    fn file_abstract(document: &Document) -> String {
        file_abstract_in(document, &Repeated::default())
    }

    #[test]
    fn a_label_is_no_part_of_an_abstract_and_nothing_is_said_twice() {
        let text = "Description: Hide the tide in a harbour.\nConvert a date to the time of a tide.\n\
            Convert a date to the time of a tide.\nNote well: this is kept.";
        assert_eq!(
            file_abstract(&page("", &[("", text)])),
            "Hide the tide in a harbour. Convert a date to the time of a tide. Note well: this is kept."
        );
    }

    #[test]
    fn sentences_are_cut_as_the_documents_say() {
        assert_eq!(cut_sentences("A. B. C. D.E.", 10), "A. B. C.");
        assert_eq!(
            cut_sentences("Pi is 3.14 or so. Then more follows here.", 12),
            "Pi is 3.14 or so."
        );
        assert_eq!(
            cut_sentences("Pi is 3.14 or so. Then more.", 20),
            "Pi is 3.14 or so."
        );
        assert_eq!(cut_sentences("One! Two? Three.", 9), "One! Two?");
        assert_eq!(
            cut_sentences("第一句。第二句！第三句？", 9),
            "第一句。第二句！"
        );
        assert_eq!(
            cut_sentences("no end of a sentence here", 15),
            "no end of a..."
        );
        assert_eq!(cut_sentences("no end", 9), "no end");
        assert_eq!(cut_sentences("wordwithoutspaces", 10), "wordwit...");
        assert_eq!(cut_sentences("", 5), "");
    }

    #[test]
    fn an_abstract_is_the_description_or_the_first_sentences() {
        let text = "int x = 5;\nMicrosoft Specific\nHolds two values of any type.\nfor (;;) { }\nIt is often returned.";
        assert_eq!(
            file_abstract(&page("Two values as one.", &[("", text)])),
            "Two values as one."
        );
        for description in ["", "Learn more about: Pair Class", "The pair class"] {
            assert_eq!(
                file_abstract(&page(description, &[("", text)])),
                "Holds two values of any type. It is often returned."
            );
        }
        assert_eq!(file_abstract(&page("", &[("Syntax", "x\ny")])), "x y");
        assert_eq!(
            file_abstract(&page("", &[("Syntax", ""), ("Remarks", "")])),
            "Syntax; Remarks"
        );
        assert_eq!(file_abstract(&page("", &[])), "Pair class");
        assert_eq!(
            file_abstract(&page("", &[("", "网关只有一个程序，不需要数据库。")])),
            "网关只有一个程序，不需要数据库。"
        );
        let long = "word ".repeat(200);
        assert!(n_chars(&file_abstract(&page(&long, &[]))) <= 256);
        assert!(n_chars(&file_abstract(&page(&format!("{long}."), &[("", &long)]))) <= 256);
    }

    #[test]
    fn a_description_that_is_the_page_without_markup_or_one_word_is_no_abstract() {
        let sections = [
            ("", "Adds two values of a pair."),
            ("Synopsis", "Adds them quickly to a third."),
        ];
        for description in [
            "Pair Adds two values of a pair. Synopsis Adds them quickly to a third.",
            "placeholder",
        ] {
            assert_eq!(
                file_abstract(&page(description, &sections)),
                "Adds two values of a pair. Adds them quickly to a third."
            );
        }
        let told = "A synopsis of pairs.";
        assert_eq!(file_abstract(&page(told, &sections)), told);
        // What goes on behind a piece of code is half a sentence.
        let text = "Holds two values of any type.\nlet x = 5;\nto keep them together in one place.\nIt is often returned.";
        assert_eq!(
            file_abstract(&page("", &[("", text)])),
            "Holds two values of any type. It is often returned."
        );
    }

    #[test]
    fn a_first_paragraph_without_a_full_stop_is_the_lead_unless_several_pages_have_it() {
        let opens = |title: &str, lead: &str| {
            let text = format!("{lead}\nActions share a table.\nThey are run in lanes.");
            let mut page = page("", &[("", &text)]);
            page.title = title.into();
            page.facts.lead = lead.into();
            page
        };
        let told = |lead| file_abstract(&opens("keychain", lead));
        let rest = "Actions share a table. They are run in lanes.";
        assert_eq!(
            told("Create a keychain"),
            format!("Create a keychain. {rest}")
        );
        assert_eq!(
            told("创建一个新的钥匙串"),
            format!("创建一个新的钥匙串。 {rest}")
        );
        for label in [
            "Two words",
            "The keychain",
            "keychain(path, name);",
            "See also here:",
            "The following tools are used below",
        ] {
            assert_eq!(told(label), rest, "{label}");
        }
        let mut below = opens("keychain", "Create a keychain");
        below.facts.lead = String::new();
        assert_eq!(
            file_abstract(&below),
            rest,
            "no paragraph behind the heading"
        );
        let mut repeated = Repeated::default();
        let pages = ["a", "b", "c"].map(|title| opens(title, "Part of the tools"));
        pages.iter().for_each(|page| repeated.add(page));
        repeated.settle();
        assert_eq!(file_abstract_in(&pages[0], &repeated), rest);
        assert!(!repeated.lines_of(&pages[0]).is_empty());
    }

    #[test]
    fn what_every_page_repeats_is_no_abstract() {
        let notice = "This library is supported, but it grows no more.";
        let pages: Vec<Document> = (0..6)
            .map(|n| Document {
                title: format!("Part {n}"),
                ..page(
                    "A site about many things.",
                    &[("", &format!("{notice}\nPart {n} turns the old wheel."))],
                )
            })
            .collect();
        let mut repeated = Repeated::default();
        pages.iter().for_each(|page| repeated.add(page));
        assert_eq!(
            file_abstract_in(&pages[3], &repeated),
            "Part 3 turns the old wheel."
        );
        assert!(
            file_overview_in(&pages[3], &repeated).ends_with("\n\nPart 3 turns the old wheel.\n")
        );
        assert_eq!(file_abstract(&pages[3]), "A site about many things.");
        let mut translated = Repeated::default();
        for page in &pages {
            translated.add(&Document {
                title: "Wheels".into(),
                ..page.clone()
            });
        }
        assert_eq!(
            file_abstract_in(&pages[3], &translated),
            "A site about many things."
        );
        let only_notice = page("", &[("", notice)]);
        assert_eq!(file_abstract_in(&only_notice, &repeated), notice);
    }
}
