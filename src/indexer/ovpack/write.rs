//! Writing a pack: the same contents give the same bytes.

use super::manifest::{content_sha256, hex};
use super::{DENSE, KIND, MANIFEST, Pack, RECORDS, VERSION, invalid, paths};
use crate::base::error::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

impl Pack {
    /// The bytes of the pack. Records and vectors are in order of paths and levels; members carry the ZIP format's first
    /// moment as their time. *Errors*: `INVALID_ARGUMENT` for vectors of records that are not there.
    pub fn write(&self) -> Result<Vec<u8>> {
        let (records, dense) = self.rows()?;
        let manifest = self.manifest(records.as_bytes(), dense.as_deref());
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        let root = &self.root.name;
        let add = |zip: &mut ZipWriter<_>, name: &str, bytes: &[u8]| -> ZipResult<()> {
            let large = bytes.len() as u64 >= u64::from(u32::MAX);
            zip.start_file(format!("{root}/{name}"), options.large_file(large))?;
            Ok(zip.write_all(bytes)?)
        };
        let written = (|| -> ZipResult<Vec<u8>> {
            zip.add_directory(format!("{root}/"), options)?;
            for directory in &self.directories {
                let name = format!("{root}/files/{directory}");
                zip.add_directory(format!("{}/", name.trim_end_matches('/')), options)?;
            }
            for (path, bytes) in &self.files {
                add(&mut zip, &format!("files/{path}"), bytes)?;
            }
            zip.add_directory(format!("{root}/_ovpack/"), options)?;
            if let Some(dense) = &dense {
                add(&mut zip, DENSE, dense)?;
            }
            add(&mut zip, RECORDS, records.as_bytes())?;
            add(&mut zip, MANIFEST, manifest.as_bytes())?;
            Ok(zip.finish()?.into_inner())
        })();
        written.map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("the pack cannot be written: {error}"),
            )
        })
    }

    /// The lines of the records, and the vectors they refer to.
    fn rows(&self) -> Result<(String, Option<Vec<u8>>)> {
        let mut left: BTreeMap<_, _> = match &self.vectors {
            Some(vectors) => vectors.rows.iter().collect(),
            None => BTreeMap::new(),
        };
        let mut dense = Vec::new();
        let mut lines = String::new();
        for (at, record) in self.records.iter().enumerate() {
            let key = (record.path.clone(), record.level);
            let place = left.remove(&key).map(|vector| {
                let offset = dense.len() / 4;
                dense.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
                (offset, vector.len())
            });
            let is_dir = self.directories.contains(&record.path);
            lines.push_str(&record.line(at + 1, is_dir, place));
            lines.push('\n');
        }
        if let Some(((path, level), _)) = left.first_key_value() {
            return Err(invalid(format!(
                "the vector of level {level} of {path:?} belongs to no record of the pack"
            )));
        }
        Ok((lines, self.vectors.as_ref().map(|_| dense)))
    }

    fn manifest(&self, records: &[u8], dense: Option<&[u8]>) -> String {
        let user = |path: &str| paths::user_of(&self.root, path);
        let with_user = |mut entry: Value, path: &str| {
            if let Some(user) = user(path) {
                entry["user_id"] = json!(user);
            }
            entry
        };
        let mut files: BTreeMap<String, (u64, String)> = BTreeMap::new();
        let directories = self.directories.iter().map(|path| {
            let entry = json!({"path": path, "kind": "directory", "size": 0});
            with_user(entry, path)
        });
        let mut entries: Vec<Value> = directories.collect();
        for (path, bytes) in &self.files {
            let sha256 = hex(bytes);
            let size = bytes.len();
            let entry = json!({"path": path, "kind": "file", "size": size, "sha256": sha256});
            entries.push(with_user(entry, path));
            files.insert(path.clone(), (size as u64, sha256));
        }
        let mut root =
            json!({"name": self.root.name, "uri": self.root.uri, "scope": self.root.scope});
        if let Some(user) = &self.root.user_id {
            root["user_id"] = json!(user);
        }
        let n = self.records.len();
        let mut index = json!({"records": {"path": RECORDS, "count": n, "sha256": hex(records)}});
        if let (Some(vectors), Some(dense)) = (&self.vectors, dense) {
            index["dense"] = json!({
                "path": DENSE,
                "count": vectors.rows.len(),
                "dtype": "float32",
                "byte_order": "little",
                "dimensions": vectors.dims,
                "sha256": hex(dense),
                "embedding": vectors.embedding.json(),
            });
        }
        let mut manifest = json!({
            "kind": KIND,
            "format_version": VERSION,
            "entries": entries,
            "content_sha256": content_sha256(&files),
            "index": index,
        });
        if let Some(scopes) = &self.root.backup {
            root["package_type"] = json!("backup");
            manifest["scopes"] = json!(scopes);
        }
        manifest["root"] = root;
        manifest.to_string()
    }
}
