//! `_ovpack/dense.f32`: the vectors, one after the other, as the model made them.

use super::archive::Archive;
use super::manifest::{Manifest, count, internal, object, optional, string};
use super::records::Row;
use super::{DENSE, invalid};
use crate::base::error::Result;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The model that made the vectors, and the parameters of its requests. A query needs the same model with
/// [`Embedding::query_param`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedding {
    /// The provider of the model: `openai`, `volcengine`, …
    pub provider: Option<String>,
    /// Name of the model.
    pub model: Option<String>,
    /// `text` or `multimodal`.
    pub input: Option<String>,
    /// Parameter sent with a query.
    pub query_param: Option<String>,
    /// Parameter sent with a document.
    pub document_param: Option<String>,
    /// Dimensions asked of the model.
    pub dimensions: Option<u64>,
}

/// Vectors of files and directories with the model that made them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackVectors {
    /// Numbers of each vector.
    pub dims: usize,
    /// The model.
    pub embedding: Embedding,
    /// By path below the pack's root (empty: the root) and level (0 and 1 of directories, 2 of files), in that order.
    /// As the model made them: not normalized; every number is finite. Of two rows of one level the first counts.
    pub rows: BTreeMap<(String, u8), Vec<f32>>,
}

const STRINGS: [&str; 5] = [
    "provider",
    "model",
    "input",
    "query_param",
    "document_param",
];

impl Embedding {
    pub(super) fn read(given: &Map<String, Value>) -> Result<Self> {
        let what = "index.dense.embedding";
        let text = |key| optional(given, key, what);
        let [provider, model, input, query_param, document_param] = STRINGS.map(text);
        Ok(Self {
            provider: provider?,
            model: model?,
            input: input?,
            query_param: query_param?,
            document_param: document_param?,
            dimensions: match given.get("dimensions") {
                None | Some(Value::Null) => None,
                Some(_) => Some(count(given, "dimensions", what)?),
            },
        })
    }

    /// The object of the manifest; what is not known is left out.
    pub(super) fn json(&self) -> Value {
        let values = [
            &self.provider,
            &self.model,
            &self.input,
            &self.query_param,
            &self.document_param,
        ];
        let mut object: Map<String, Value> = STRINGS
            .into_iter()
            .zip(values)
            .filter_map(|(key, value)| Some((key.to_owned(), Value::from(value.clone()?))))
            .collect();
        if let Some(dimensions) = self.dimensions {
            object.insert("dimensions".into(), Value::from(dimensions));
        }
        Value::Object(object)
    }
}

/// A record with the place of its vector: the offset in numbers, and the dimensions it names.
type Placed<'r> = (&'r Row, u64, u64);

/// Reads the vectors that `rows` refer to. `None` when the pack has none.
pub fn read(archive: &Archive, manifest: &Manifest, rows: &[Row]) -> Result<Option<PackVectors>> {
    let placed: Vec<Placed<'_>> = rows
        .iter()
        .filter_map(|row| row.dense.map(|(offset, dims)| (row, offset, dims)))
        .collect();
    let Some(dense) = &manifest.dense else {
        return match placed.first() {
            None => Ok(None),
            Some((row, ..)) => Err(invalid(format!(
                "the record of {:?} names a vector, and the pack has none: export it again with vectors, or without",
                row.record.path
            ))),
        };
    };
    let what = "index.dense";
    for (key, value) in [
        ("path", DENSE),
        ("dtype", "float32"),
        ("byte_order", "little"),
    ] {
        if string(dense, key, what)? != value {
            return Err(invalid(format!(
                "{what}.{key} of the manifest is not {value:?}"
            )));
        }
    }
    let n = count(dense, "count", what)?;
    let dims = count(dense, "dimensions", what)?;
    if dims == 0 || n == 0 || n != placed.len() as u64 {
        return Err(invalid(format!(
            "{what} says {n} vectors of {dims} numbers, and the records name {}",
            placed.len()
        )));
    }
    let sha256 = super::manifest::hash(dense, "sha256", what)?;
    let bytes = internal(archive, DENSE, &sha256)?;
    let wanted = n.checked_mul(dims).and_then(|n| n.checked_mul(4));
    if wanted != Some(bytes.len() as u64) {
        let found = bytes.len();
        return Err(invalid(format!(
            "{DENSE} has {found} bytes and not {n} · {dims} · 4: export the pack again"
        )));
    }
    let embedding = match dense.get("embedding") {
        None | Some(Value::Null) => Embedding::default(),
        Some(_) => Embedding::read(object(dense, "embedding", what)?)?,
    };
    Ok(Some(PackVectors {
        dims: dims as usize,
        embedding,
        rows: read_rows(&placed, bytes, dims)?,
    }))
}

/// The vectors at their places. `bytes` must hold one of `dims` numbers for each.
fn read_rows(
    placed: &[Placed<'_>],
    bytes: &[u8],
    dims: u64,
) -> Result<BTreeMap<(String, u8), Vec<f32>>> {
    let mut rows = BTreeMap::new();
    let mut offsets: Vec<u64> = placed.iter().map(|row| row.1).collect();
    offsets.sort_unstable();
    let tiles = (0..placed.len() as u64).map(|i| i * dims).eq(offsets);
    for &(row, offset, own_dims) in placed {
        let path = &row.record.path;
        if own_dims != dims {
            return Err(invalid(format!(
                "the vector of {path:?} has {own_dims} dimensions and the others {dims}"
            )));
        }
        if !tiles {
            return Err(invalid(format!(
                "the offsets of the vectors do not follow each other in steps of {dims} ({path:?} is at {offset}): export the pack again"
            )));
        }
        let start = offset as usize * 4;
        let vector: Vec<f32> = bytes[start..start + dims as usize * 4]
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        if !vector.iter().all(|x| x.is_finite()) {
            return Err(invalid(format!(
                "the vector of {path:?} has a value that is not a finite number"
            )));
        }
        rows.entry((path.clone(), row.record.level))
            .or_insert(vector);
    }
    Ok(rows)
}
