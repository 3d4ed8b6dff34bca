//! Files that are called like others in many folders (`task.md`, `solution.md`, `source.view/index.html`) and say no title
//! of their own: they have that of what they lie beside.

use super::super::document::Document;
use std::collections::{HashMap, HashSet};

/// Folders with a file of a name, from which on the name says only what kind of file it is.
const MANY: usize = 3;
/// Share of its score that such a file loses: what it lies beside is asked for.
const LESS: f32 = 0.3;
/// Names of the files that tell of their folder.
const TELLING: [&str; 5] = ["task", "article", "index", "readme", "_index"];

/// Gives files with a name of many the title of their folder: of the file there that tells of it, or of the only one with
/// a title of its own. They are one row with it. Those of a folder without any keep theirs.
pub(super) fn settle(documents: &mut [Document]) {
    let mut folders_of: HashMap<String, HashSet<&str>> = HashMap::new();
    let mut titled: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut unnamed = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        let (folder, name) = place(&document.path);
        match document.facts.is_untitled {
            true => {
                folders_of.entry(name).or_default().insert(folder);
                unnamed.push(at);
            }
            false => titled
                .entry(folder_of(&document.path))
                .or_default()
                .push(at),
        }
    }
    let title_in = |folder: &str| {
        let there = titled.get(folder)?;
        let telling = |at: &&usize| TELLING.contains(&stem_of(&documents[**at].path).as_str());
        let only = || (there.len() == 1).then(|| &there[0]);
        let found = there.iter().find(telling).or_else(only)?;
        Some((
            documents[*found].title.clone(),
            documents[*found].path.clone(),
        ))
    };
    let mut titles = Vec::new();
    for at in unnamed {
        let (folder, name) = place(&documents[at].path);
        if folders_of[&name].len() >= MANY
            && let Some(found) = title_in(folder)
        {
            titles.push((at, found));
        }
    }
    for (at, (title, beside)) in titles {
        let document = &mut documents[at];
        document.title = title;
        document.translation_of = beside;
        document.damping = document.damping.max(LESS);
    }
}

/// The folder in which a file has its name, and the name: an index has its folder's.
fn place(path: &str) -> (&str, String) {
    let stem = stem_of(path);
    let folder = folder_of(path);
    match matches!(stem.as_str(), "index" | "readme" | "_index") && !folder.is_empty() {
        true => (
            folder_of(folder),
            folder[folder_of(folder).len()..]
                .trim_matches('/')
                .to_lowercase(),
        ),
        false => (folder, stem),
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::site::tests::page;

    #[test]
    fn a_file_that_is_called_like_many_has_the_title_of_what_tells_of_its_folder() {
        let mut documents = Vec::new();
        for (folder, title) in [("a", "Ebb"), ("b", "Flow"), ("c", "")] {
            if !title.is_empty() {
                documents.push(page(&format!("{folder}/task.md"), title, ""));
            }
            documents.push(page(&format!("{folder}/solution.md"), "solution", ""));
            let source = format!("{folder}/source.view/index.html");
            documents.push(page(&source, "source.view", ""));
            documents.push(page(&format!("{folder}/sea/index.html"), "sea", ""));
        }
        documents.push(page("a/notes.md", "notes", ""));
        let has_title =
            |d: &Document| d.path.ends_with("sea/index.html") || d.path.ends_with("task.md");
        for document in documents.iter_mut().filter(|d| !has_title(d)) {
            document.facts.is_untitled = true;
        }
        settle(&mut documents);
        let of: Vec<&str> = documents.iter().map(|d| d.title.as_str()).collect();
        let want = [
            "Ebb",
            "Ebb",
            "Ebb",
            "sea",
            "Flow",
            "Flow",
            "Flow",
            "sea",
            "solution",
            "source.view",
            "sea",
            "notes",
        ];
        assert_eq!(of, want);
        let damped = documents.iter().filter(|d| d.damping > 0.0);
        assert_eq!(damped.count(), 4);
        assert_eq!(documents[1].translation_of, "a/task.md");
    }
}
