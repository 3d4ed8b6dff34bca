//! `_ovpack/index_records.jsonl`: the rows of the vector store, one JSON object per line.

use super::archive::Archive;
use super::manifest::{self, Manifest, count, internal, object, optional, string};
use super::{RECORDS, invalid};
use crate::base::error::Result;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A row: what is known of one level of a file or directory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Path below the root.
    pub path: String,
    /// 0 and 1: abstract and overview of a directory; 2: a file.
    pub level: u8,
    /// The sidecar with its front matter.
    pub text: Option<String>,
    /// `type`, `context_type`, `name`, `description`, `tags`, `abstract`, and what newer versions add.
    pub scalars: Map<String, Value>,
    /// Whose it is, as far as the row says.
    pub user_id: Option<String>,
}

/// A record with the place of its vector.
pub struct Row {
    /// Text and fields.
    pub record: Record,
    /// Offset in floats, and dimensions.
    pub dense: Option<(u64, u64)>,
}

impl Record {
    /// A scalar as text; empty when there is none.
    pub fn scalar(&self, key: &str) -> &str {
        self.scalars.get(key).and_then(Value::as_str).unwrap_or("")
    }

    /// The line of the file, without its line feed.
    ///
    /// Python's `splitlines`, with which packs are read, also breaks at U+0085, U+2028 and U+2029: they are escaped.
    pub fn line(&self, number: usize, is_dir: bool, offset: Option<(usize, usize)>) -> String {
        let mut row = json!({
            "record_id": format!("r{number:06}"),
            "path": self.path,
            "kind": if is_dir { "directory" } else { "file" },
            "level": self.level,
            "scalars": self.scalars,
        });
        if let Some(text) = &self.text {
            row["text"] = json!(text);
        }
        if let Some(user) = &self.user_id {
            row["user_id"] = json!(user);
        }
        if let Some((offset, dims)) = offset {
            row["vector"] = json!({"dense": {"offset": offset, "dimensions": dims}});
        }
        let line = row.to_string();
        line.replace('\u{85}', "\\u0085")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }
}

/// Reads every row, in the order of the file.
pub fn read(archive: &Archive, manifest: &Manifest) -> Result<Vec<Row>> {
    let (n, sha256) = &manifest.records;
    let bytes = internal(archive, RECORDS, sha256)?;
    let text =
        std::str::from_utf8(bytes).map_err(|_| invalid(format!("{RECORDS} is not UTF-8")))?;
    // Only a line feed ends a line: texts may hold other separators as they are.
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    if lines.len() as u64 != *n {
        let found = lines.len();
        return Err(invalid(format!(
            "{RECORDS} has {found} records and not {n} as the manifest says: export the pack again"
        )));
    }
    let mut ids = BTreeSet::new();
    let mut rows = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let what = format!("record {} of {RECORDS}", at + 1);
        let (id, row) = row(line, manifest, &what)?;
        if id.is_empty() {
            return Err(invalid(format!("{what}: the record_id is empty")));
        }
        if !ids.insert(id.clone()) {
            return Err(invalid(format!(
                "{what}: the record_id {id:?} stands twice"
            )));
        }
        rows.push(row);
    }
    Ok(rows)
}

fn row(line: &str, manifest: &Manifest, what: &str) -> Result<(String, Row)> {
    let value = serde_json::from_str(line)
        .map_err(|error| invalid(format!("{what} is not JSON: {error}")))?;
    let Value::Object(given) = value else {
        return Err(invalid(format!("{what} is not a JSON object")));
    };
    let id = string(&given, "record_id", what)?;
    let path = string(&given, "path", what)?;
    let kind = string(&given, "kind", what)?;
    let is_dir = manifest.directories.contains(&path);
    let named = match kind.as_str() {
        "directory" => is_dir,
        "file" => manifest.files.contains_key(&path),
        _ => false,
    };
    if !named {
        return Err(invalid(format!(
            "{what}: there is no {kind} {path:?} in the manifest"
        )));
    }
    let level = count(&given, "level", what)?;
    let level = match u8::try_from(level) {
        Ok(level @ 0..=2) => level,
        _ => {
            return Err(invalid(format!(
                "{what}: the level {level} is not 0, 1 or 2"
            )));
        }
    };
    manifest::check_user(&given, &manifest.root, &path, what)?;
    let scalars = match given.get("scalars") {
        None | Some(Value::Null) => Map::new(),
        Some(_) => object(&given, "scalars", what)?.clone(),
    };
    let dense = match given.get("vector") {
        None | Some(Value::Null) => None,
        Some(_) => {
            let dense = object(object(&given, "vector", what)?, "dense", what)?;
            Some((
                count(dense, "offset", what)?,
                count(dense, "dimensions", what)?,
            ))
        }
    };
    let record = Record {
        path,
        level,
        text: optional(&given, "text", what)?,
        scalars,
        user_id: optional(&given, "user_id", what)?,
    };
    Ok((id, Row { record, dense }))
}
