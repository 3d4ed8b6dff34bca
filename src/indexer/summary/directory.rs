//! Overviews and abstracts of directories, made from the titles and abstracts of what they hold.

use super::super::prose::same_words;
use super::{
    ABSTRACT_CHARS, MAX_ENTRIES, N_SAMPLED, OVERVIEW_CHARS, Repeated, first_sentences, fit,
    fitting, labelled, n_chars, sample,
};

/// A child of a directory, as its overview lists it.
#[derive(Debug, Clone, Copy)]
pub struct ChildSummary<'a> {
    /// Last segment of the path.
    pub name: &'a str,
    /// Title for people.
    pub title: &'a str,
    /// The child's L0.
    pub abstract_: &'a str,
    /// The child is a directory.
    pub is_dir: bool,
}

/// The L1 of a directory, Markdown, at most 4,000 characters: title, brief, coverage, and its entries.
///
/// `index_text` is the text of the directory's own index page; its first sentences are the brief. Of more than 50 children
/// 32 are listed, evenly spaced.
pub fn directory_overview(
    title: &str,
    index_text: Option<&str>,
    children: &[ChildSummary<'_>],
) -> String {
    let shown: Vec<&ChildSummary<'_>> = if children.len() > MAX_ENTRIES {
        sample(children.len(), N_SAMPLED)
            .map(|at| &children[at])
            .collect()
    } else {
        children.iter().collect()
    };
    let head = format!(
        "# {}\n\n{}\n",
        fit(title, ABSTRACT_CHARS),
        directory_brief(title, index_text, &shown)
    );
    if children.is_empty() {
        return head;
    }
    let n_dirs = children.iter().filter(|child| child.is_dir).count();
    let coverage = coverage(children.len() - n_dirs, n_dirs);
    let room = OVERVIEW_CHARS.saturating_sub(n_chars(&head) + n_chars(&coverage) + 120);
    let entry = |at: usize, limit: usize| {
        let child = shown[at];
        let slash = if child.is_dir { "/" } else { "" };
        let label = format!(
            "- {} ({}{slash})",
            fit(label_of(child), 120),
            fit(child.name, 120)
        );
        labelled(
            &label,
            &if limit == 0 {
                String::new()
            } else {
                fit(child.abstract_, limit)
            },
        )
    };
    let (entries, n_shown) = fitting(shown.len(), room, &[200, 120, 60, 0], entry);
    let sampled = if n_shown < children.len() {
        format!(" ({n_shown} of {})", children.len())
    } else {
        String::new()
    };
    format!("{head}\n## Coverage\n\n{coverage}\n\n## Navigation{sampled}\n\n{entries}")
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

/// The first sentences of the index page, and where they leave room, what the children are called.
fn directory_brief(
    title: &str,
    index_text: Option<&str>,
    children: &[&ChildSummary<'_>],
) -> String {
    let intro = first_sentences(index_text.into_iter(), ABSTRACT_CHARS, &Repeated::default());
    let room = ABSTRACT_CHARS.saturating_sub(n_chars(&intro) + 1);
    let prefix = if intro.is_empty() {
        format!("{}: ", fit(title, 100))
    } else {
        String::new()
    };
    let labels: Vec<&str> = children
        .iter()
        .map(|child| label_of(child))
        .filter(|label| !same_words(label, title))
        .collect();
    let mut names = String::new();
    for n_named in (1..=labels.len().min(24)).rev() {
        let named: Vec<String> = sample(labels.len(), n_named)
            .map(|at| fit(labels[at], 60))
            .collect();
        let candidate = format!("{prefix}{}.", named.join(", ").trim_end_matches('.'));
        if n_chars(&candidate) <= room {
            names = candidate;
            break;
        }
    }
    match (intro.is_empty(), names.is_empty()) {
        (true, true) => format!("{}.", fit(title, 100)),
        (true, false) => names,
        (false, true) => intro,
        (false, false) => format!("{intro} {names}"),
    }
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

    #[test]
    fn a_directory_overview_has_its_parts() {
        let children = [
            ChildSummary {
                name: "a.md",
                title: "Alpha",
                abstract_: "The first letter.",
                is_dir: false,
            },
            ChildSummary {
                name: "sub",
                title: "Sub",
                abstract_: "",
                is_dir: true,
            },
        ];
        let overview = directory_overview(
            "Letters",
            Some("This folder holds letters of many kinds."),
            &children,
        );
        assert_eq!(
            overview,
            "# Letters\n\nThis folder holds letters of many kinds. Alpha, Sub.\n\n## Coverage\n\n1 page, 1 folder.\n\n\
            ## Navigation\n\n- Alpha (a.md): The first letter.\n- Sub (sub/)\n"
        );
        assert_eq!(
            directory_abstract(&overview),
            "This folder holds letters of many kinds. Alpha, Sub."
        );
        assert_eq!(
            directory_abstract(&directory_overview("Letters", None, &children)),
            "Letters: Alpha, Sub."
        );
        assert_eq!(
            directory_abstract(&directory_overview("Letters", None, &[])),
            "Letters."
        );
        assert_eq!(
            directory_abstract("Text only.\n## Part\nmore"),
            "Text only."
        );
    }

    #[test]
    fn a_wide_directory_is_sampled() {
        let names: Vec<String> = (0..1000).map(|n| format!("page-{n}.md")).collect();
        let text = "One sentence of ordinary length about something.".repeat(5);
        let children: Vec<_> = names
            .iter()
            .map(|name| ChildSummary {
                name,
                title: name,
                abstract_: &text,
                is_dir: false,
            })
            .collect();
        let overview = directory_overview("Wide", None, &children);
        assert!(n_chars(&overview) <= OVERVIEW_CHARS);
        assert!(
            overview.contains("1000 pages.") && overview.contains("## Navigation (32 of 1000)")
        );
        let listed: Vec<&str> = overview
            .lines()
            .filter(|line| line.starts_with("- "))
            .collect();
        assert_eq!(listed.len(), 32);
        assert!(listed[1].starts_with("- page-32.md")); // 1 · 999 / 31 = 32
        assert!(listed[31].starts_with("- page-999.md"));
        assert!(n_chars(&directory_abstract(&overview)) <= ABSTRACT_CHARS);
    }
}
