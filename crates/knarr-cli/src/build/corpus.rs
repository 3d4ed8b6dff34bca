//! A file of JSON lines as documents: the form in which labelled sets come.

use super::Read;
use super::progress::Progress;
use crate::failure::Outcome;
use crate::judgements;
use knarr::indexer::input::{self, InputOptions, SkipReason, Skipped};
use knarr::indexer::{Builder, Document, DocumentSection};
use serde::Deserialize;
use std::collections::HashSet;
use std::path::Path;

/// A document.
#[derive(Deserialize)]
struct Row {
    /// Its name in judgements; becomes the address of the page.
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    text: String,
    /// Path in the tree; the id when there is none.
    #[serde(default)]
    path: Option<String>,
}

/// Documents prepared at a time.
const BATCH: usize = 512;

/// Adds a document for every line of `file`.
pub fn read(
    file: &Path,
    options: &InputOptions,
    builder: &mut Builder,
    progress: &mut Progress,
) -> Outcome<Read> {
    let text = judgements::read_text(file)?;
    let rows: Vec<Row> = judgements::rows(&text, file)?;
    let mut read = Read {
        bytes: text.len() as u64,
        skipped: Vec::new(),
        pack: None,
    };
    let mut paths = HashSet::new();
    progress.begin("reading", rows.len() as u64);
    for batch in rows.chunks(BATCH) {
        let mut documents = Vec::with_capacity(batch.len());
        progress.watch(options.max_page_time, |reading| {
            for row in batch {
                let path = path_of(row);
                let read_row = || match builder.refusal(&path) {
                    Some(reason) => Err(reason),
                    None => document(row, &path, options),
                };
                match reading.page(&path, read_row) {
                    Ok(_) if !paths.insert(path.clone()) => {
                        read.skipped.push(Skipped {
                            path,
                            reason: SkipReason::DuplicateName,
                        });
                    }
                    Ok(document) => documents.push(document),
                    Err(reason) => read.skipped.push(Skipped { path, reason }),
                }
            }
        });
        builder.add_batch(documents)?;
        progress.advance(batch.len() as u64);
    }
    Ok(read)
}

fn document(row: &Row, path: &str, options: &InputOptions) -> Result<Document, SkipReason> {
    let mut document = match input::parse_bytes(path, row.text.as_bytes(), options) {
        Ok(document) => document,
        // Classic collections have documents of a title alone.
        Err(SkipReason::Empty) if !row.title.is_empty() => Document {
            path: path.to_owned(),
            weight: 1.0,
            sections: vec![DocumentSection {
                weight: 1.0,
                ..DocumentSection::default()
            }],
            ..Document::default()
        },
        Err(reason) => return Err(reason),
    };
    if !row.title.is_empty() {
        document.title.clone_from(&row.title);
    }
    document.url.clone_from(&row.id);
    Ok(document)
}

/// The row's path without slashes around it, and with an extension: `/docs/a/` is a page, and `/docs/a/b/` lies in the
/// folder of the same name.
fn path_of(row: &Row) -> String {
    let path = row.path.as_deref().unwrap_or(&row.id).trim_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    let has_extension = [".md", ".txt", ".html", ".htm"]
        .iter()
        .any(|extension| last.ends_with(extension));
    match has_extension {
        true => path.to_owned(),
        false => format!("{path}.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, path: Option<&str>, title: &str, text: &str) -> Row {
        Row {
            id: id.into(),
            title: title.into(),
            text: text.into(),
            path: path.map(str::to_owned),
        }
    }

    #[test]
    fn paths_are_pages_beside_their_folders() {
        assert_eq!(path_of(&row("/docs/a/", None, "", "")), "docs/a.md");
        assert_eq!(path_of(&row("Normans#0", None, "", "")), "Normans#0.md");
        assert_eq!(
            path_of(&row("7", Some("week1/a.txt"), "", "")),
            "week1/a.txt"
        );
    }

    #[test]
    fn keeps_the_id_as_the_address() {
        let options = InputOptions::default();
        let kept = document(
            &row("Normans#0", None, "Normans", "They came."),
            "Normans#0.md",
            &options,
        );
        let kept = kept.expect("a document");
        assert_eq!(
            (kept.url.as_str(), kept.title.as_str()),
            ("Normans#0", "Normans")
        );
        assert!(document(&row("1", None, "Only a title", ""), "1.md", &options).is_ok());
        assert_eq!(
            document(&row("1", None, "", ""), "1.md", &options),
            Err(SkipReason::Empty)
        );
    }
}
