//! Packs made by hand, well or badly.

use knarr::Result;
use knarr::indexer::ovpack::{Limits, Pack};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A pack before it is zipped.
#[derive(Clone)]
pub struct Raw {
    /// The root folder.
    pub name: String,
    /// Names with the root folder; directories end in a slash.
    pub members: Vec<(String, Vec<u8>)>,
    pub manifest: Value,
    pub records: Vec<Value>,
    /// Put in place of the records' lines.
    pub lines: Option<Vec<u8>>,
    pub dense: Option<Vec<f32>>,
}

impl Raw {
    /// A pack of `files` at `uri`, with a record for each file and directory.
    pub fn new(uri: &str, files: &[(&str, &[u8])]) -> Self {
        let name = uri.rsplit('/').next().unwrap();
        let scope = uri["viking://".len()..].split('/').next().unwrap();
        let mut raw = Self {
            name: name.to_owned(),
            members: vec![(format!("{name}/"), Vec::new())],
            manifest: json!({
                "kind": "openviking.ovpack",
                "format_version": 3,
                "root": {"name": name, "uri": uri, "scope": scope},
                "entries": [],
            }),
            records: Vec::new(),
            lines: None,
            dense: None,
        };
        raw.directory("");
        for (path, bytes) in files {
            let parents = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
            for parent in parents {
                if !raw.entries().iter().any(|entry| entry["path"] == *parent) {
                    raw.directory(&parent);
                }
            }
            raw.file(path, bytes);
        }
        raw
    }

    /// The smallest pack: `notes.txt` with five bytes.
    pub fn minimal() -> Self {
        Self::new("viking://resources/docs", &[("notes.txt", b"hello")])
    }

    fn entries(&mut self) -> &mut Vec<Value> {
        self.manifest["entries"].as_array_mut().unwrap()
    }

    pub fn directory(&mut self, path: &str) {
        let name = format!("{}/files/{path}", self.name);
        self.members
            .push((format!("{}/", name.trim_end_matches('/')), Vec::new()));
        self.entries()
            .push(json!({"path": path, "kind": "directory", "size": 0}));
    }

    pub fn file(&mut self, path: &str, bytes: &[u8]) {
        self.members
            .push((format!("{}/files/{path}", self.name), bytes.to_vec()));
        self.entries()
            .push(json!({"path": path, "kind": "file", "size": bytes.len(), "sha256": hex(bytes)}));
        let is_sidecar = path.ends_with(".abstract.md") || path.ends_with(".overview.md");
        if !is_sidecar {
            self.record(
                path,
                "file",
                2,
                json!({"abstract": format!("About {path}.")}),
            );
        }
    }

    pub fn record(&mut self, path: &str, kind: &str, level: u8, scalars: Value) -> &mut Value {
        let id = format!("r{:06}", self.records.len() + 1);
        self.records.push(
            json!({"record_id": id, "path": path, "kind": kind, "level": level, "scalars": scalars}),
        );
        self.records.last_mut().unwrap()
    }

    /// Gives every record a vector.
    pub fn with_vectors(mut self, dims: usize) -> Self {
        let n = self.records.len();
        self.dense = Some((0..n * dims).map(|i| i as f32 / 3.0 - 1.0).collect());
        for (i, record) in self.records.iter_mut().enumerate() {
            record["vector"] = json!({"dense": {"offset": i * dims, "dimensions": dims}});
        }
        self.manifest["index"] = json!({"dense": {
            "path": "_ovpack/dense.f32", "count": n, "dtype": "float32", "byte_order": "little",
            "dimensions": dims, "embedding": {"provider": "p", "model": "m", "dimensions": dims},
        }});
        self
    }

    /// Fills in what follows from the rest: counts and hashes.
    pub fn sealed(mut self) -> Self {
        let files: Vec<Value> = {
            let entries = self.manifest["entries"].as_array();
            let mut files: Vec<Value> = entries.cloned().unwrap_or_default();
            files.retain(|entry| entry["kind"] == "file");
            files.sort_by_key(|entry| entry["path"].as_str().unwrap_or_default().to_owned());
            let row =
                |e: &Value| json!({"path": e["path"], "sha256": e["sha256"], "size": e["size"]});
            files.iter().map(row).collect()
        };
        let list = Value::Array(files).to_string();
        self.manifest["content_sha256"] = json!(hex(list.as_bytes()));
        let n = self.records.len();
        let lines = self.lines();
        self.manifest["index"]["records"] =
            json!({"path": "_ovpack/index_records.jsonl", "count": n, "sha256": hex(&lines)});
        if let Some(bytes) = self.dense_bytes() {
            self.manifest["index"]["dense"]["sha256"] = json!(hex(&bytes));
        }
        self
    }

    fn lines(&self) -> Vec<u8> {
        self.lines.clone().unwrap_or_else(|| {
            let lines = self.records.iter().map(|record| format!("{record}\n"));
            lines.collect::<String>().into_bytes()
        })
    }

    pub fn dense_bytes(&self) -> Option<Vec<u8>> {
        let dense = self.dense.as_ref()?;
        Some(dense.iter().flat_map(|x| x.to_le_bytes()).collect())
    }

    /// The archive. Seals nothing.
    pub fn zip(&self) -> Vec<u8> {
        let mut members = self.members.clone();
        let name = self.name.clone();
        members.push((format!("{name}/_ovpack/"), Vec::new()));
        members.push((format!("{name}/_ovpack/index_records.jsonl"), self.lines()));
        if let Some(bytes) = self.dense_bytes() {
            members.push((format!("{name}/_ovpack/dense.f32"), bytes));
        }
        let manifest = self.manifest.to_string().into_bytes();
        members.push((format!("{name}/_ovpack/manifest.json"), manifest));
        zip_of(&members)
    }
}

/// An archive of members; names ending in a slash are directories.
pub fn zip_of(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, bytes) in members {
        if name.ends_with('/') {
            zip.add_directory(name.as_str(), options).unwrap();
        } else {
            zip.start_file(name.as_str(), options).unwrap();
            zip.write_all(bytes).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

pub fn read(bytes: &[u8]) -> Result<Pack> {
    Pack::read(Cursor::new(bytes), "a.ovpack", &Limits::default())
}
