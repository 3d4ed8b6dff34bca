//! The vectors of a pack in a bundle: searched with, and kept bit for bit for the way back.

use super::dense::{Embedding, PackVectors};
use super::import::Imported;
use super::invalid;
use crate::base::error::Result;
use crate::bundle::NodeExport;
use crate::indexer::{Builder, Embedded, Kept, Row, places};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

impl Imported {
    /// Makes the pack's vectors those of the bundle, and keeps them for [`super::Exported`]; a pack without vectors
    /// changes nothing. `builder` and `below` are those of [`super::Pack::add_to`]; `encoder` is [`Embedded::encoder`].
    ///
    /// A question then needs a vector of the same model, as with [`Builder::embedded`]. A vector of zeros is kept, and
    /// nothing is like it. Cost: four bytes a number in the bundle, which no question fetches.
    /// *Errors*: `INVALID_ARGUMENT` for more dimensions than a bundle's vectors can have.
    pub fn search_with_vectors(
        &self,
        builder: &mut Builder,
        below: &str,
        encoder: &str,
    ) -> Result<()> {
        let Some(vectors) = &self.vectors else {
            return Ok(());
        };
        let mut embedded = Embedded {
            encoder: encoder.to_owned(),
            dims: vectors.dims,
            ..Embedded::default()
        };
        let mut kept: HashMap<&str, Vec<u8>> = HashMap::new();
        for ((path, level), row) in &vectors.rows {
            let bytes = kept.entry(path).or_default();
            bytes.push(*level);
            bytes.extend(row.iter().flat_map(|x| x.to_le_bytes()));
            if row.iter().all(|x| *x == 0.0) {
                continue;
            }
            if *level == 2 {
                embedded.files.insert(path.clone(), row.clone());
            } else {
                let row_of = Row::Directory {
                    path: places::mounted_directory(path, &builder.options),
                    level: *level,
                };
                embedded.rows.insert(row_of, row.clone());
            }
        }
        let record = |bytes| Kept {
            kind: Kept::VECTORS,
            bytes,
        };
        for document in &mut builder.documents {
            let own = kept.remove(document.path.as_str());
            document.kept.extend(own.map(record));
        }
        for (path, bytes) in kept {
            builder.keep(path, record(bytes))?;
        }
        let model = json!({"dims": vectors.dims, "embedding": vectors.embedding.json()});
        let bytes = model.to_string().into_bytes();
        let kind = Kept::EMBEDDING;
        builder.keep(below, Kept { kind, bytes })?;
        builder.embedded(embedded)
    }
}

impl PackVectors {
    /// The model's name; `unnamed` where the pack does not tell.
    pub fn model(&self) -> &str {
        self.embedding.model.as_deref().unwrap_or("unnamed")
    }

    /// The vectors that a bundle keeps, still without rows; `None` when it keeps none.
    pub(super) fn kept_in(nodes: &[NodeExport]) -> Result<Option<Self>> {
        let Some(kept) = nodes.iter().find_map(|node| node.kept(Kept::EMBEDDING)) else {
            return Ok(None);
        };
        let given: Map<String, Value> = serde_json::from_slice(kept)
            .map_err(|error| invalid(format!("what is kept of the vectors is damaged: {error}")))?;
        let dims = given.get("dims").and_then(Value::as_u64).unwrap_or(0);
        let embedding = match given.get("embedding") {
            Some(Value::Object(embedding)) => Embedding::read(embedding)?,
            _ => Embedding::default(),
        };
        Ok((dims > 0).then_some(Self {
            dims: dims as usize,
            embedding,
            rows: BTreeMap::new(),
        }))
    }

    /// Adds what a node of the bundle keeps, as that of `path` in the pack.
    pub(super) fn take(&mut self, node: &NodeExport, path: &str) -> Result<()> {
        let kept = node.kept(Kept::VECTORS).unwrap_or_default();
        let rows = kept.chunks_exact(1 + 4 * self.dims);
        if !rows.remainder().is_empty() {
            let what = format!("the vectors kept of {} are damaged", node.uri);
            return Err(invalid(what));
        }
        for row in rows {
            let (numbers, _) = row[1..].as_chunks();
            let vector = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
            self.rows
                .insert((path.to_owned(), row[0]), vector.collect());
        }
        Ok(())
    }
}
