//! `_ovpack/manifest.json`: what the pack says it holds, held against what is there.

use super::archive::Archive;
use super::{BACKUP, DENSE, KIND, MANIFEST, RECORDS, Root, VERSION, invalid, paths};
use crate::base::error::Result;
use crate::base::uri::{SCHEME, Uri};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A manifest with its own statements proved; contents are proved by [`Manifest::check_contents`].
pub struct Manifest {
    /// The place of the files.
    pub root: Root,
    /// Paths of directories.
    pub directories: BTreeSet<String>,
    /// Size and hash of each file.
    pub files: BTreeMap<String, (u64, String)>,
    /// Number of records, and the hash of their file.
    pub records: (u64, String),
    /// The description of the vectors.
    pub dense: Option<Map<String, Value>>,
    content_sha256: String,
}

impl Manifest {
    /// Reads the manifest and proves all that needs no file.
    pub fn read(archive: &Archive) -> Result<Self> {
        let Some(bytes) = archive.files.get(MANIFEST) else {
            return Err(invalid(format!(
                "there is no {MANIFEST}: this is not a .ovpack, or an older one; export it again"
            )));
        };
        let value: Value = serde_json::from_slice(bytes)
            .map_err(|error| invalid(format!("{MANIFEST} is not JSON: {error}")))?;
        let Value::Object(top) = value else {
            return Err(invalid(format!("{MANIFEST} is not a JSON object")));
        };
        if top.get("kind").and_then(Value::as_str) != Some(KIND) {
            return Err(invalid(format!("the manifest's kind is not {KIND:?}")));
        }
        if top.get("format_version").and_then(Value::as_u64) != Some(VERSION) {
            let version = top.get("format_version").cloned().unwrap_or_default();
            return Err(invalid(format!(
                "the pack has format version {version}, and only {VERSION} can be read: export it again"
            )));
        }
        let root = root(&top, &archive.root)?;
        let (directories, files) = entries(&top, &root)?;
        let index = object(&top, "index", "the manifest")?;
        let records = object(index, "records", "index")?;
        let records = (
            count(records, "count", "index.records")?,
            part(records, RECORDS, "index.records")?,
        );
        let dense = match index.get("dense") {
            None | Some(Value::Null) => None,
            Some(Value::Object(dense)) => Some(dense.clone()),
            Some(_) => return Err(invalid("index.dense of the manifest is not an object")),
        };
        Ok(Self {
            root,
            directories,
            files,
            records,
            dense,
            content_sha256: hash(&top, "content_sha256", "the manifest")?,
        })
    }

    /// Proves that the archive holds exactly the files and directories named here, with their sizes and hashes.
    pub fn check_contents(&self, archive: &Archive) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut present = BTreeSet::new();
        for directory in &archive.directories {
            match directory.as_str() {
                "" | "_ovpack" => {}
                "files" => {
                    present.insert("");
                }
                other => match other.strip_prefix("files/") {
                    Some(path) => {
                        present.insert(path);
                    }
                    None if other.starts_with("_ovpack/") => {}
                    None => return Err(stray(other)),
                },
            }
        }
        let declared: BTreeSet<&str> = self.directories.iter().map(String::as_str).collect();
        same("directory", &declared, &present)?;
        let mut files = BTreeMap::new();
        for (name, bytes) in &archive.files {
            match name.strip_prefix("files/") {
                Some(path) => {
                    files.insert(path.to_owned(), bytes);
                }
                None if [MANIFEST, RECORDS].contains(&name.as_str()) => {}
                None if name == DENSE && self.dense.is_some() => {}
                None => return Err(stray(name)),
            }
        }
        let declared: BTreeSet<&str> = self.files.keys().map(String::as_str).collect();
        let present: BTreeSet<&str> = files.keys().map(String::as_str).collect();
        same("file", &declared, &present)?;
        for (path, (size, sha256)) in &self.files {
            let bytes = files[path.as_str()];
            if bytes.len() as u64 != *size {
                let n = bytes.len();
                return Err(invalid(format!(
                    "the file {path:?} has {n} bytes and not {size} as the manifest says: export the pack again"
                )));
            }
            if hex(bytes) != *sha256 {
                return Err(invalid(format!(
                    "the file {path:?} has not the sha256 that the manifest names: it was changed or damaged, export the pack again"
                )));
            }
        }
        if content_sha256(&self.files) != self.content_sha256 {
            return Err(invalid(
                "content_sha256 of the manifest is not that of its files: export the pack again",
            ));
        }
        Ok(files
            .into_iter()
            .map(|(path, bytes)| (path, bytes.clone()))
            .collect())
    }
}

/// The root, held against the name of the archive's folder.
fn root(top: &Map<String, Value>, folder: &str) -> Result<Root> {
    let given = object(top, "root", "the manifest")?;
    let root = Root {
        name: string(given, "name", "root")?,
        uri: string(given, "uri", "root")?,
        scope: string(given, "scope", "root")?,
        user_id: optional(given, "user_id", "root")?,
        backup: match optional(given, "package_type", "root")?.as_deref() {
            None => None,
            Some("backup") => Some(scopes(top)?),
            Some(other) => {
                return Err(invalid(format!(
                    "packages of type {other:?} cannot be read"
                )));
            }
        },
    };
    if root.name != folder {
        return Err(invalid(format!(
            "the pack's folder is {folder:?} and its manifest calls it {:?}",
            root.name
        )));
    }
    if root.backup.is_some() || root.uri == SCHEME || root.scope == "root" {
        let is_backup = root.uri == SCHEME && root.name == BACKUP && root.scope == "root";
        if !(is_backup && root.backup.is_some()) {
            return Err(invalid(format!(
                "a backup has root {SCHEME}, name {BACKUP:?}, scope \"root\" and package_type \"backup\""
            )));
        }
        return Ok(root);
    }
    let uri =
        Uri::parse(&root.uri).map_err(|error| invalid(format!("root.uri: {}", error.message())))?;
    let scope = uri.segments().next().unwrap_or_default();
    if uri.fragment().is_some() {
        return Err(invalid(format!("root.uri {uri} has a fragment")));
    }
    if !SCOPES.contains(&scope) || scope != root.scope {
        return Err(invalid(format!(
            "the root {uri} and its scope {:?} do not fit: packs hold resources or user",
            root.scope
        )));
    }
    if uri.name() != root.name {
        return Err(invalid(format!(
            "the root {uri} does not end in its name {:?}",
            root.name
        )));
    }
    let root = Root {
        uri: uri.as_str().to_owned(),
        ..root
    };
    if root.user_id.is_some() && root.user_id != paths::user_of(&root, "") {
        return Err(invalid(format!("root.user_id is not the user of {uri}")));
    }
    Ok(root)
}

fn scopes(top: &Map<String, Value>) -> Result<BTreeSet<String>> {
    let Some(given) = top.get("scopes") else {
        return Ok(SCOPES.map(str::to_owned).into());
    };
    let names = given
        .as_array()
        .and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    match names {
        Some(names) if names.iter().all(|name| SCOPES.contains(name)) => {
            Ok(names.into_iter().map(str::to_owned).collect())
        }
        _ => Err(invalid(
            "a backup's scopes are a list of \"resources\" and \"user\"",
        )),
    }
}

/// Scopes that packs hold.
pub const SCOPES: [&str; 2] = ["resources", "user"];

type Entries = (BTreeSet<String>, BTreeMap<String, (u64, String)>);

fn entries(top: &Map<String, Value>, root: &Root) -> Result<Entries> {
    let Some(list) = top.get("entries").and_then(Value::as_array) else {
        return Err(invalid("entries of the manifest is not a list"));
    };
    let (mut directories, mut files) = (BTreeSet::new(), BTreeMap::new());
    for entry in list {
        let Value::Object(entry) = entry else {
            return Err(invalid("an entry of the manifest is not an object"));
        };
        let path = string(entry, "path", "an entry")?;
        paths::check_relative(&path)?;
        let what = format!("the entry {path:?}");
        if directories.contains(&path) || files.contains_key(&path) {
            return Err(invalid(format!("{what} stands twice in the manifest")));
        }
        check_user(entry, root, &path, &what)?;
        match string(entry, "kind", &what)?.as_str() {
            "directory" => {
                directories.insert(path);
            }
            "file" if path.is_empty() => {
                return Err(invalid("the root of a pack is a directory"));
            }
            "file" => {
                let seen = (count(entry, "size", &what)?, hash(entry, "sha256", &what)?);
                files.insert(path, seen);
            }
            other => {
                return Err(invalid(format!(
                    "{what} has the kind {other:?}: it is file or directory"
                )));
            }
        }
    }
    if !directories.contains("") {
        return Err(invalid(
            "the manifest has no entry \"\" for the root directory",
        ));
    }
    let paths = directories.iter().chain(files.keys());
    for path in paths.filter(|path| !path.is_empty()) {
        check_place(path, &files, root)?;
    }
    Ok((directories, files))
}

/// Refuses a path inside a file, and one outside the scopes of a backup.
fn check_place(path: &str, files: &BTreeMap<String, (u64, String)>, root: &Root) -> Result<()> {
    for (at, _) in path.match_indices('/') {
        if files.contains_key(&path[..at]) {
            return Err(invalid(format!(
                "the entry {path:?} lies in {:?}, which is a file",
                &path[..at]
            )));
        }
    }
    let scope = path.split('/').next().unwrap_or_default();
    if root.backup.is_some() && !SCOPES.contains(&scope) {
        return Err(invalid(format!(
            "the entry {path:?} of the backup lies outside resources and user"
        )));
    }
    Ok(())
}

/// Refuses a `user_id` that is not the user the path belongs to.
pub fn check_user(given: &Map<String, Value>, root: &Root, path: &str, what: &str) -> Result<()> {
    let user = optional(given, "user_id", what)?;
    if user.is_some() && user != paths::user_of(root, path) {
        return Err(invalid(format!(
            "user_id of {what} is not the user that its path belongs to"
        )));
    }
    Ok(())
}

fn stray(name: &str) -> crate::Error {
    invalid(format!(
        "the member {name:?} is nothing that a pack has: export it again"
    ))
}

fn same(what: &str, declared: &BTreeSet<&str>, present: &BTreeSet<&str>) -> Result<()> {
    if let Some(path) = declared.difference(present).next() {
        return Err(invalid(format!(
            "the {what} {path:?} of the manifest is not in the archive: export the pack again"
        )));
    }
    if let Some(path) = present.difference(declared).next() {
        return Err(invalid(format!(
            "the {what} {path:?} of the archive is not in the manifest: export the pack again"
        )));
    }
    Ok(())
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The hash of all files: of compact JSON with sorted keys, files sorted by path.
pub fn content_sha256(files: &BTreeMap<String, (u64, String)>) -> String {
    let rows: Vec<Value> = files
        .iter()
        .map(|(path, (size, sha256))| json!({"path": path, "sha256": sha256, "size": size}))
        .collect();
    hex(Value::Array(rows).to_string().as_bytes())
}

/// Proves the path and hash of an internal file that the manifest describes, and gives the hash.
fn part(given: &Map<String, Value>, path: &str, what: &str) -> Result<String> {
    if string(given, "path", what)? != path {
        return Err(invalid(format!(
            "{what}.path of the manifest is not {path:?}"
        )));
    }
    hash(given, "sha256", what)
}

pub fn object<'a>(
    given: &'a Map<String, Value>,
    key: &str,
    what: &str,
) -> Result<&'a Map<String, Value>> {
    given
        .get(key)
        .and_then(Value::as_object)
        .ok_or_else(|| invalid(format!("{key} of {what} is not an object")))
}

pub fn string(given: &Map<String, Value>, key: &str, what: &str) -> Result<String> {
    let text = given.get(key).and_then(Value::as_str);
    text.map(str::to_owned)
        .ok_or_else(|| invalid(format!("{key} of {what} is not text")))
}

pub fn optional(given: &Map<String, Value>, key: &str, what: &str) -> Result<Option<String>> {
    match given.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(invalid(format!("{key} of {what} is not text"))),
    }
}

pub fn count(given: &Map<String, Value>, key: &str, what: &str) -> Result<u64> {
    given
        .get(key)
        .and_then(Value::as_u64)
        .ok_or_else(|| invalid(format!("{key} of {what} is not a whole number")))
}

pub fn hash(given: &Map<String, Value>, key: &str, what: &str) -> Result<String> {
    let text = string(given, key, what)?.to_ascii_lowercase();
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text);
    }
    Err(invalid(format!(
        "{key} of {what} is not a sha256 in hexadecimal digits"
    )))
}

/// The bytes of an internal file, held against its hash.
pub fn internal<'a>(archive: &'a Archive, path: &str, sha256: &str) -> Result<&'a [u8]> {
    let Some(bytes) = archive.files.get(path) else {
        return Err(invalid(format!(
            "there is no {path} in the pack: export it again"
        )));
    };
    if hex(bytes) != sha256 {
        return Err(invalid(format!(
            "{path} has not the sha256 that the manifest names: export the pack again"
        )));
    }
    Ok(bytes)
}
