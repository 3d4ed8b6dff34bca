//! From the nodes of a bundle to a pack.

use super::records::Record;
use super::{BACKUP, Pack, PackVectors, Root, SIDECARS, invalid, paths};
use crate::base::error::Result;
use crate::base::uri::{SCHEME, Uri, decode_name, is_within};
use crate::bundle::{Kept, NodeExport};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A pack made of a bundle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exported {
    /// The pack; with vectors when the bundle keeps those of a pack.
    pub pack: Pack,
    /// Files whose bytes are those that the input had.
    pub kept_files: usize,
    /// Files whose text was extracted when the bundle was built: they are not byte for byte what the input had.
    pub extracted_files: usize,
    /// Sidecars written from the bundle's texts.
    pub written_sidecars: usize,
    /// URIs left out, because packs cannot hold them: other scopes, names with a drive or a backslash.
    pub left_out: Vec<String>,
}

impl Exported {
    /// A pack of the directory `uri` and all `nodes` below it; nodes elsewhere are passed over. `viking://` gives a
    /// backup.
    ///
    /// What a pack brought into the bundle comes out as it was: files, sidecars, records, and vectors that were searched
    /// with. Where nothing is kept, files
    /// have the text of the bundle, directories get sidecars, and each level a record.
    /// *Errors*: `INVALID_ARGUMENT` when packs cannot hold `uri`, or it is no directory of `nodes`.
    pub fn new(uri: &str, nodes: &[NodeExport]) -> Result<Self> {
        let root_uri = Uri::parse(uri)?;
        let root_uri = root_uri.without_fragment();
        let mut out = Self::default();
        let own = nodes.iter().find(|node| node.uri == root_uri);
        match own {
            Some(node) if node.is_dir => {}
            Some(_) => {
                return Err(invalid(format!(
                    "'{uri}' is a file: a pack holds a directory"
                )));
            }
            None => return Err(invalid(format!("'{uri}' is not in this bundle"))),
        }
        out.pack.root = root(root_uri, nodes)?;
        let is_same = own
            .and_then(|node| node.kept(Kept::PACK))
            .is_some_and(|kept| {
                let given: Option<Value> = serde_json::from_slice(kept).ok();
                given.is_some_and(|given| given["uri"] == out.pack.root.uri)
            });
        out.pack.vectors = PackVectors::kept_in(nodes)?;
        for node in nodes.iter().filter(|node| is_within(&node.uri, root_uri)) {
            let below = node.uri[root_uri.len()..].trim_matches('/');
            let parts: Vec<String> = below.split('/').map(decode_name).collect();
            let path = parts.join("/");
            if let Some(scopes) = &out.pack.root.backup {
                let scope = &parts[0];
                if !scope.is_empty() && !scopes.contains(scope) {
                    if node.is_dir && path == *scope {
                        out.left_out.push(node.uri.clone());
                    }
                    continue;
                }
            }
            if paths::check_relative(&path).is_err() {
                out.left_out.push(node.uri.clone());
                continue;
            }
            out.add(node, path, is_same)?;
        }
        if out.pack.vectors.as_ref().is_some_and(|v| v.rows.is_empty()) {
            out.pack.vectors = None;
        }
        out.pack
            .records
            .sort_by(|a, b| (&a.path, a.level).cmp(&(&b.path, b.level)));
        Ok(out)
    }

    fn add(&mut self, node: &NodeExport, path: String, is_same: bool) -> Result<()> {
        if let Some(vectors) = &mut self.pack.vectors {
            vectors.take(node, &path)?;
        }
        let records = match node.kept(Kept::RECORDS) {
            Some(kept) => Some(records(kept, &path, node, is_same)?),
            None => None,
        };
        if !node.is_dir {
            let bytes = match node.kept(Kept::FILE) {
                Some(bytes) => {
                    self.kept_files += 1;
                    bytes.to_vec()
                }
                None => {
                    self.extracted_files += 1;
                    node.content.clone().into_bytes()
                }
            };
            let made = || vec![record(node, &path, 2, &node.abstract_, None)];
            self.pack.records.extend(records.unwrap_or_else(made));
            self.pack.files.insert(path, bytes);
            return Ok(());
        }
        let levels = [
            (Kept::ABSTRACT, &node.abstract_),
            (Kept::OVERVIEW, &node.overview),
        ];
        for ((level, (kind, text)), name) in (0..).zip(levels).zip(SIDECARS) {
            let name = match path.as_str() {
                "" => name.to_owned(),
                path => format!("{path}/{name}"),
            };
            if let Some(bytes) = node.kept(kind) {
                self.pack.files.insert(name, bytes.to_vec());
            } else if records.is_none() && !node.uri[SCHEME.len()..].is_empty() {
                let sidecar = sidecar(node, text);
                self.written_sidecars += 1;
                self.pack.files.insert(name, sidecar.clone().into_bytes());
                let made = record(node, &path, level, text, Some(sidecar));
                self.pack.records.push(made);
            }
        }
        self.pack.records.extend(records.unwrap_or_default());
        self.pack.directories.insert(path);
        Ok(())
    }
}

/// The root of a pack of `uri`.
fn root(uri: &str, nodes: &[NodeExport]) -> Result<Root> {
    if uri == SCHEME {
        let scopes: BTreeSet<String> = ["resources", "user"]
            .into_iter()
            .filter(|scope| {
                nodes
                    .iter()
                    .any(|node| node.uri == format!("{SCHEME}{scope}"))
            })
            .map(str::to_owned)
            .collect();
        return Ok(Root {
            name: BACKUP.to_owned(),
            uri: SCHEME.to_owned(),
            scope: "root".to_owned(),
            user_id: None,
            backup: Some(scopes),
        });
    }
    let parsed = Uri::parse(uri)?;
    let scope = parsed.segments().next().unwrap_or_default().to_owned();
    if !["resources", "user"].contains(&scope.as_str()) {
        return Err(invalid(format!(
            "'{uri}' cannot be exported: packs hold viking://resources and viking://user"
        )));
    }
    let mut root = Root {
        name: parsed.name().to_owned(),
        uri: uri.to_owned(),
        scope,
        ..Root::default()
    };
    root.user_id = paths::user_of(&root, "");
    Ok(root)
}

/// The records as a pack brought them. `is_same`: they go where they came from, so that URIs in them hold.
fn records(kept: &[u8], path: &str, node: &NodeExport, is_same: bool) -> Result<Vec<Record>> {
    let rows: Vec<Map<String, Value>> = serde_json::from_slice(kept).map_err(|error| {
        invalid(format!(
            "the records kept of {} are damaged: {error}",
            node.uri
        ))
    })?;
    let rows = rows.into_iter().map(|mut row| {
        let level = row.get("level").and_then(Value::as_u64).unwrap_or(2) as u8;
        let mut scalars = match row.remove("scalars") {
            Some(Value::Object(scalars)) => scalars,
            _ => Map::new(),
        };
        if !is_same {
            scalars.remove("uri");
        }
        let sidecar = || {
            let kind = if level == 0 {
                Kept::ABSTRACT
            } else {
                Kept::OVERVIEW
            };
            let bytes = node.kept(kind)?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        Record {
            path: path.to_owned(),
            level,
            text: match row.remove("text") {
                Some(Value::String(text)) => Some(text),
                Some(Value::Bool(true)) => sidecar(),
                _ => None,
            },
            scalars,
            user_id: row
                .get("user_id")
                .filter(|_| is_same)
                .and_then(Value::as_str)
                .map(str::to_owned),
        }
    });
    Ok(rows.collect())
}

/// A record made from what the bundle says.
fn record(
    node: &NodeExport,
    path: &str,
    level: u8,
    abstract_: &str,
    text: Option<String>,
) -> Record {
    let mut scalars = Map::new();
    let context_type = Uri::parse(&node.uri).map(|uri| uri.context_type().as_str());
    scalars.insert("abstract".into(), json!(abstract_));
    scalars.insert(
        "context_type".into(),
        json!(context_type.unwrap_or("resource")),
    );
    scalars.insert("level".into(), json!(level));
    scalars.insert("name".into(), json!(paths::split(path).1));
    if !node.tags.is_empty() {
        scalars.insert("tags".into(), json!(node.tags.join(",")));
    }
    Record {
        path: path.to_owned(),
        level,
        text,
        scalars,
        user_id: None,
    }
}

/// A sidecar file with its front matter (spec: OpenViking §6.1).
fn sidecar(node: &NodeExport, body: &str) -> String {
    let uri = json!(node.uri); // A JSON text is a YAML text too.
    let directory = json!(format!("{}/", node.uri.trim_end_matches('/')));
    let n = node.n_children;
    format!(
        "---\ndirectory: {directory}\nsource:\n  kind: directory\n  uri: {uri}\ngenerated_by:\n  component: knarr\n  trigger: export\n\
         freshness:\n  total_entries: {n}\n  sampled_entries: {n}\n  unsampled_entries: 0\n  pending_child_changes: 0\n---\n\n{}\n",
        body.trim_end()
    )
}
