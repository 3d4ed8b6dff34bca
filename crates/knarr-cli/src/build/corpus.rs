//! A file of JSON lines as documents: the form in which labelled sets and programs' records come.

use super::Read;
use super::faults::{Faults, documents};
use super::progress::Progress;
use super::row::{Date, Row, rows};
use crate::failure::{Outcome, invalid};
use crate::judgements;
use knarr::base::uri::{ContextType, SCHEME, Uri, decode_name};
use knarr::indexer::input::{self, InputOptions, SkipReason, Skipped};
use knarr::indexer::{Builder, Document, DocumentSection};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// Beginning of the input paths of rows that name their place; the second half of the mount that puts them there.
const PLACED: &str = "viking:";

/// The mount for rows that name their place. It stands before the caller's: those are about paths.
pub fn mount() -> (String, String) {
    (PLACED.to_owned(), SCHEME.to_owned())
}

/// Documents prepared at a time.
const BATCH: usize = 512;

/// Adds a document for every line of `file`, in the tree of this name.
///
/// Errors: `INVALID_ARGUMENT` for a line without a place, or with one that its type contradicts.
pub fn read(
    file: &Path,
    name: &str,
    options: &InputOptions,
    builder: &mut Builder,
    progress: &mut Progress,
) -> Outcome<Read> {
    let text = judgements::read_text(file)?;
    let rows = rows(&text, file)?;
    let places = rows.iter().map(|row| {
        let wrong = |what| invalid(format!("{}, line {}: {what}", file.display(), row.line));
        path_of(row, name).map_err(wrong)
    });
    let places: Vec<String> = places.collect::<Outcome<_>>()?;
    let mut read = Read {
        bytes: text.len() as u64,
        warnings: warnings(&rows),
        ..Read::default()
    };
    let mut paths = HashSet::new();
    let mut faults = Faults::default();
    progress.begin("reading", rows.len() as u64);
    for (batch, places) in rows.chunks(BATCH).zip(places.chunks(BATCH)) {
        let mut documents = Vec::with_capacity(batch.len());
        progress.watch(options.max_page_time, |reading| {
            for (row, path) in batch.iter().zip(places) {
                let read_row = || match builder.refusal(path) {
                    Some(reason) => Err(reason),
                    None => document(row, path, options),
                };
                let path = path.clone();
                match reading.page(&path, read_row) {
                    Ok(_) if !paths.insert(path.clone()) => {
                        read.skipped.push(Skipped {
                            path,
                            reason: SkipReason::DuplicateName,
                        });
                    }
                    Ok(document) => {
                        faults.add(&document);
                        documents.push(document);
                    }
                    Err(reason) => read.skipped.push(Skipped { path, reason }),
                }
            }
        });
        builder.add_batch(documents)?;
        progress.advance(batch.len() as u64);
    }
    read.warnings.extend(faults.said());
    Ok(read)
}

fn document(row: &Row, path: &str, options: &InputOptions) -> Result<Document, SkipReason> {
    // A place may be without an extension; its text is Markdown then, as everywhere.
    let format = match has_extension(path) {
        true => path.to_owned(),
        false => format!("{path}.md"),
    };
    let mut document = match input::parse_bytes(&format, row.text.as_bytes(), options) {
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
    document.path = path.to_owned();
    if !row.title.is_empty() {
        document.title.clone_from(&row.title);
    }
    if row.active_count > 0 {
        document.active_count = row.active_count;
    }
    document.url = row.id.clone().unwrap_or_default();
    for tag in &row.tags {
        match input::tag_fault(tag) {
            Some(fault) => document.faults.push(fault),
            None if document.tags.contains(tag) => {}
            None => document.tags.push(tag.clone()),
        }
    }
    let seconds = |date: &Option<Date>| date.as_ref().and_then(Date::seconds);
    document.created_at = seconds(&row.created_at).or(document.created_at);
    document.updated_at = seconds(&row.updated_at)
        .or(document.updated_at)
        .or(document.created_at);
    Ok(document)
}

/// Parts of the rows that are left out, for people: fields that nobody reads, and dates that are none.
fn warnings(rows: &[Row]) -> Vec<String> {
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    for name in rows.iter().flat_map(|row| &row.unknown) {
        *unknown.entry(name).or_default() += 1;
    }
    let mut warnings: Vec<String> = unknown
        .into_iter()
        .map(|(name, n)| format!("field `{name}` is unknown and left out ({})", documents(n)))
        .collect();
    for name in ["created_at", "updated_at"] {
        let date = |row: &Row| match name {
            "created_at" => row.created_at.as_ref().map(Date::seconds),
            _ => row.updated_at.as_ref().map(Date::seconds),
        };
        let n = rows.iter().filter(|row| date(row) == Some(None)).count();
        if n > 0 {
            warnings.push(format!(
                "field `{name}` is no date and left out ({})",
                documents(n)
            ));
        }
    }
    warnings
}

/// The row's path without slashes around it, and with an extension: `/docs/a/` is a page, and `/docs/a/b/` lies in the
/// folder of the same name. A row that names its place, or is a memory or a skill, lies below [`PLACED`].
fn path_of(row: &Row, name: &str) -> Result<String, String> {
    let context_type = row.context_type.as_deref().map(str::to_lowercase);
    if let Some(other) = context_type
        .as_deref()
        .filter(|other| !ContextType::NAMES.contains(other))
    {
        let known = ContextType::NAMES.join(", ");
        return Err(format!("type `{other}` is not one of {known}"));
    }
    if let Some(given) = &row.uri {
        let uri = Uri::parse(given).map_err(|error| error.message().to_owned())?;
        let owned = uri.check_owned();
        owned.map_err(|error| error.message().to_owned())?;
        let own = uri.context_type().as_str();
        if uri.segments().count() < 2 {
            return Err(format!("`{given}` is no place for a document"));
        }
        if let Some(other) = context_type.filter(|other| other != own) {
            return Err(format!(
                "`{given}` is the place of a {own}, not of a {other}"
            ));
        }
        let names: Vec<String> = uri.segments().map(decode_name).collect();
        return Ok(format!("{PLACED}/{}", names.join("/")));
    }
    let placed = || row.id.as_deref().map(below_host);
    let Some(path) = row.path.clone().or_else(placed) else {
        return Err("one of id, path and uri is needed".to_owned());
    };
    let path = path.trim_matches('/');
    let last = path.rsplit('/').next().unwrap_or_default();
    let path = match has_extension(last) {
        true => path.to_owned(),
        false => format!("{path}.md"),
    };
    Ok(match context_type.as_deref() {
        Some("memory") => format!("{PLACED}/user/{name}/memories/{path}"),
        Some("skill") => format!("{PLACED}/agent/skills/{path}"),
        _ => path,
    })
}

/// The place of a document by its address: of a whole one below its host.
fn below_host(address: &str) -> String {
    let Some(("http" | "https", rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let segments: Vec<&str> = rest.split('/').filter(|name| !name.is_empty()).collect();
    segments.join("/")
}

fn has_extension(name: &str) -> bool {
    let known = [".md", ".txt", ".html", ".htm"];
    known.iter().any(|extension| name.ends_with(extension))
}

/// Refuses a page as the input: a file that is one holds lines of JSON, or is a pack.
pub fn refuse_page(input: &Path) -> Outcome {
    let extension = input.extension().unwrap_or_default();
    let mut pages = ["md", "mdx", "markdown", "ipynb", "html", "htm", "xhtml"].iter();
    if !input.is_file() || !pages.any(|page| extension.eq_ignore_ascii_case(page)) {
        return Ok(());
    }
    Err(invalid(format!(
        "{} is a page: name its folder, and with --include the page alone",
        input.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn row(json: Value) -> Row {
        Row::read(&json.to_string()).expect("a row")
    }

    fn path(json: Value) -> Result<String, String> {
        path_of(&row(json), "ann")
    }

    #[test]
    fn paths_are_pages_beside_their_folders() {
        for (given, expected) in [
            (json!({"id": "/docs/a/"}), "docs/a.md"),
            (json!({"id": "Normans#0"}), "Normans#0.md"),
            (json!({"id": "7", "path": "week1/a.txt"}), "week1/a.txt"),
            (
                json!({"id": "7", "type": "Memory"}),
                "viking:/user/ann/memories/7.md",
            ),
            (
                json!({"path": "a/b", "type": "skill"}),
                "viking:/agent/skills/a/b.md",
            ),
            (json!({"path": "a/b", "type": "resource"}), "a/b.md"),
            (
                json!({"uri": "viking://user/bo/memories/a%3Fb", "type": "memory"}),
                "viking:/user/bo/memories/a?b",
            ),
        ] {
            assert_eq!(path(given).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn places_that_are_none_are_refused() {
        for (given, reason) in [
            (json!({"text": "x"}), "one of id, path and uri"),
            (json!({"uri": "resources/a"}), "not a full uri"),
            (json!({"uri": "viking://temp/a"}), "unknown scope"),
            (
                json!({"uri": "viking://user/memories/x.md"}),
                "write viking://user/<id>/memories/…",
            ),
            (
                json!({"uri": "viking://resources"}),
                "no place for a document",
            ),
            (
                json!({"uri": "viking://resources/a", "type": "skill"}),
                "place of a resource",
            ),
            (
                json!({"id": "a", "type": "page"}),
                "memory, resource, skill",
            ),
        ] {
            let error = path(given).expect_err(reason);
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn keeps_the_id_as_the_address() {
        let options = InputOptions::default();
        let read = |json: Value, path: &str| document(&row(json), path, &options);
        let normans = json!({"id": "Normans#0", "title": "Normans", "text": "They came."});
        let kept = read(normans, "Normans#0.md").expect("a document");
        assert_eq!(
            (kept.url.as_str(), kept.title.as_str()),
            ("Normans#0", "Normans")
        );
        assert!(read(json!({"id": "1", "title": "Only a title"}), "1.md").is_ok());
        assert_eq!(read(json!({"id": "1"}), "1.md"), Err(SkipReason::Empty));
    }

    #[test]
    fn fields_win_over_front_matter_and_times_have_two_forms() {
        let options = InputOptions::default();
        let json = json!({
            "id": "a", "text": "---\ntags: [one]\ncreated_at: 2020-01-01\n---\n# A\n\nText.",
            "tags": "one, kind=note", "updated_at": 1_700_000_000,
        });
        let first = document(&row(json), "a.md", &options).expect("a document");
        assert_eq!(first.tags, ["one", "kind=note"]);
        assert_eq!(first.created_at, Some(1_577_836_800));
        assert_eq!(first.updated_at, Some(1_700_000_000));
        let json =
            json!({"id": "b", "text": "B.", "tags": ["x"], "created_at": 1_700_000_000_000i64});
        let second = document(&row(json), "b.md", &options).expect("a document");
        assert_eq!(
            (second.created_at, second.updated_at),
            (Some(1_700_000_000), Some(1_700_000_000))
        );
    }

    #[test]
    fn unknown_fields_are_named_with_their_number() {
        let rows = [
            row(json!({"id": "a", "mood": 1, "url": "x"})),
            row(json!({"id": "b", "mood": null, "created_at": "soon"})),
        ];
        assert_eq!(
            warnings(&rows),
            [
                "field `mood` is unknown and left out (2 documents)",
                "field `url` is unknown and left out (1 document)",
                "field `created_at` is no date and left out (1 document)",
            ]
        );
        assert_eq!(warnings(&[row(json!({"id": "a", "tags": []}))]), [""; 0]);
    }
}
