//! From a pack to documents: what is searched, what is only kept.

use super::records::Record;
use super::{Pack, PackVectors, SIDECARS, paths};
use crate::base::error::Result;
use crate::base::uri::decode_name;
use crate::indexer::input::{self, InputOptions, SkipReason, Skipped};
use crate::indexer::{Builder, Document, Kept, sidecar_body};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The outcome of adding a pack.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// Bytes of its files.
    pub bytes: u64,
    /// Files that are in the tree and can be read, and that no search finds, with the reason.
    pub unindexed: Vec<Skipped>,
    /// The pack's vectors; the paths are those of documents ([`Document::path`]) and directories of the builder.
    pub vectors: Option<PackVectors>,
}

/// Files read at a time.
const BATCH: usize = 256;

impl Pack {
    /// The mounts that put the documents of [`Pack::add_to`] where the pack says, for
    /// [`crate::indexer::BuildOptions::mounts`].
    pub fn mounts(&self, below: &str) -> Vec<(String, String)> {
        vec![(below.to_owned(), self.root.uri.clone())]
    }

    /// Adds everything to `builder`, below the input path `below` (empty: the input folder itself).
    ///
    /// Every byte is kept in the bundle: files, sidecars, and the records without their vectors. Files are searched
    /// unless they are hidden, logs of a session, or not text. Sidecars, and where there is none the records, give the
    /// directories' L0 and L1; a file's record gives its L0, description and tags.
    pub fn add_to(
        mut self,
        builder: &mut Builder,
        below: &str,
        options: &InputOptions,
    ) -> Result<Imported> {
        let options = InputOptions {
            keep_source: true,
            ..options.clone()
        };
        let mut imported = Imported {
            bytes: self.files.values().map(|bytes| bytes.len() as u64).sum(),
            ..Imported::default()
        };
        let mut records: BTreeMap<String, Vec<Record>> = BTreeMap::new();
        for record in std::mem::take(&mut self.records) {
            records.entry(record.path.clone()).or_default().push(record);
        }
        for path in std::mem::take(&mut self.directories) {
            let own = records.remove(&path).unwrap_or_default();
            let skipped = self.add_directory(builder, below, &path, &own)?;
            imported.unindexed.extend(skipped);
        }
        let mut files: Vec<(String, Vec<u8>)> =
            std::mem::take(&mut self.files).into_iter().collect();
        while !files.is_empty() {
            let batch: Vec<_> = files.drain(..files.len().min(BATCH)).collect();
            let read: Vec<_> = batch
                .into_par_iter()
                .map(|(path, bytes)| {
                    let own = records.get(&path).map_or(&[][..], Vec::as_slice);
                    let place = place(below, &path);
                    let (document, reason) = document(&self, &path, place, bytes, own, &options);
                    (document, reason.map(|reason| Skipped { path, reason }))
                })
                .collect();
            let (documents, skipped): (Vec<_>, Vec<_>) = read.into_iter().unzip();
            imported.unindexed.extend(skipped.into_iter().flatten());
            builder.add_batch(documents)?;
        }
        if let Some(vectors) = self.vectors.take() {
            let rows = vectors.rows.into_iter();
            let rows = rows.map(|((path, level), row)| ((place(below, &path), level), row));
            imported.vectors = Some(PackVectors {
                rows: rows.collect(),
                ..vectors
            });
        }
        Ok(imported)
    }

    /// Gives a directory its texts and keeps its sidecars and records; returns the sidecars that cannot be read.
    fn add_directory(
        &mut self,
        builder: &mut Builder,
        below: &str,
        path: &str,
        records: &[Record],
    ) -> Result<Vec<Skipped>> {
        let sidecars = SIDECARS.map(|name| self.files.remove(&join(path, name)));
        let place = place(below, path);
        let mut texts = [None, None];
        let mut skipped = Vec::new();
        for level in 0..2 {
            let record = records.iter().find(|r| usize::from(r.level) == level);
            let name = join(path, SIDECARS[level]);
            match text_of(sidecars[level].as_deref(), record, &name) {
                Ok(text) => texts[level] = text,
                Err(reason) => skipped.push(Skipped { path: name, reason }),
            }
        }
        let [abstract_, overview] = texts;
        builder.describe(&place, abstract_, overview)?;
        builder.keep(&place, kept_records(records, &sidecars))?;
        for (kind, bytes) in [Kept::ABSTRACT, Kept::OVERVIEW].into_iter().zip(sidecars) {
            if let Some(bytes) = bytes {
                builder.keep(&place, Kept { kind, bytes })?;
            }
        }
        if path.is_empty() {
            let pack = json!({"name": self.root.name, "uri": self.root.uri});
            let kept = Kept {
                kind: Kept::PACK,
                bytes: pack.to_string().into_bytes(),
            };
            builder.keep(&place, kept)?;
        }
        Ok(skipped)
    }
}

/// The builder's path of `path` in the pack.
fn place(below: &str, path: &str) -> String {
    match (below, path) {
        ("", _) => path.to_owned(),
        (_, "") => below.to_owned(),
        _ => format!("{below}/{path}"),
    }
}

fn join(directory: &str, name: &str) -> String {
    match directory {
        "" => name.to_owned(),
        _ => format!("{directory}/{name}"),
    }
}

/// L0 or L1 of a directory: the sidecar's, else the record's text, else its abstract.
fn text_of(
    sidecar: Option<&[u8]>,
    record: Option<&Record>,
    name: &str,
) -> Result<Option<String>, SkipReason> {
    let raw = match sidecar {
        Some(bytes) => Some(std::str::from_utf8(bytes).map_err(|_| SkipReason::Binary)?),
        None => record.and_then(|record| record.text.as_deref()),
    };
    let body = match raw {
        Some(raw) => sidecar_body(raw, name).map_err(|_| SkipReason::OpenFrontMatter)?,
        None => record.map_or("", |record| record.scalar("abstract")),
    };
    Ok((!body.trim().is_empty()).then(|| body.to_owned()))
}

/// The records of a path as the bundle keeps them: without path and vector, and `true` for a text that is the sidecar's.
fn kept_records(records: &[Record], sidecars: &[Option<Vec<u8>>; 2]) -> Kept {
    let rows = records.iter().map(|record| {
        let mut row = json!({"level": record.level, "scalars": record.scalars});
        if let Some(text) = &record.text {
            let sidecar = sidecars
                .get(usize::from(record.level))
                .and_then(Option::as_deref);
            row["text"] = match sidecar == Some(text.as_bytes()) {
                true => json!(true),
                false => json!(text),
            };
        }
        if let Some(user) = &record.user_id {
            row["user_id"] = json!(user);
        }
        row
    });
    let bytes = Value::Array(rows.collect()).to_string().into_bytes();
    Kept {
        kind: Kept::RECORDS,
        bytes,
    }
}

/// A file of the pack as a document at the builder's path `place`, and why it is not searched when it is not.
fn document(
    pack: &Pack,
    path: &str,
    place: String,
    bytes: Vec<u8>,
    records: &[Record],
    options: &InputOptions,
) -> (Document, Option<SkipReason>) {
    let read = if is_searched(pack, path) {
        input::parse_bytes(&place, &bytes, options)
    } else {
        Err(SkipReason::Excluded)
    };
    let (mut document, reason) = match read {
        Ok(document) => (document, None),
        Err(reason) => (Document::unindexed(&place, bytes), Some(reason)),
    };
    document.kept.push(kept_records(records, &[None, None]));
    if let Some(record) = records.iter().find(|record| record.level == 2) {
        take_scalars(&mut document, record, path);
    }
    let is_quiet = paths::split(path).1.starts_with('.');
    (document, reason.filter(|_| !is_quiet))
}

fn take_scalars(document: &mut Document, record: &Record, path: &str) {
    let text = |key| Some(record.scalar(key).trim().to_owned()).filter(|text| !text.is_empty());
    document.abstract_ = text("abstract");
    if document.description.is_empty() {
        document.description = text("description").unwrap_or_default();
    }
    let is_file_name = |name: &str| name == paths::split(path).1;
    if let Some(name) = text("name").filter(|name| !is_file_name(name))
        && document.title == input::title_from_path(path)
    {
        document.title = name;
    }
    // Today's packs hold neither uses nor times; those of newer versions may.
    if let Some(n) = record.scalars.get("active_count").and_then(Value::as_u64) {
        document.active_count = n;
    }
    let time = |key| text(key).and_then(|text| input::parse_date(&text));
    document.created_at = time("created_at").or(document.created_at);
    document.updated_at = time("updated_at").or(document.updated_at);
    let given = match record.scalars.get("tags") {
        Some(Value::Array(tags)) => tags.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(tags)) => tags.split([',', ';']).collect(),
        _ => Vec::new(),
    };
    for tag in given
        .into_iter()
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
    {
        if !document.tags.iter().any(|own| own == tag) {
            document.tags.push(tag.to_owned());
        }
    }
}

/// Hidden files and the logs of sessions are not searched (spec: OpenViking §6.3).
fn is_searched(pack: &Pack, path: &str) -> bool {
    let uri = paths::uri_of(&pack.root, path);
    let is_log = uri.is_ok_and(|uri| {
        let segments: Vec<String> = uri.segments().map(decode_name).collect();
        segments.first().is_some_and(|scope| scope == "user")
            && segments.get(2).is_some_and(|folder| folder == "sessions")
    });
    !is_log && !paths::split(path).1.starts_with('.')
}
