//! Milvus and its embedded edition: a collection with a dense and a sparse vector; the best row of a page stands for it.

use super::format::{Asked, Format, Output, Setup, line};
use super::row::{Row, Weights};
use serde::Serialize;
use serde_json::{Value, json};

pub struct Milvus;

/// Rows of each list that a question of both brings together.
const DEPTH: usize = 100;
/// Bytes of the longest text that a field takes.
const MAX_TEXT: usize = 65_535;

#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    row: Value,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    dense: &'a [f32],
    sparse: Weights<'a>,
}

/// The beginning of a text, as much as a field takes.
fn fitting(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Fields of text with the bytes that they take.
const TEXTS: [(&str, usize); 9] = [
    ("uri", 4096),
    ("url", 4096),
    ("title", 4096),
    ("section", 4096),
    ("abstract", 4096),
    ("text", MAX_TEXT),
    ("type", 16),
    ("language", 64),
    ("version", 256),
];
/// Fields of several texts, with how many they take.
const LISTS: [(&str, usize); 2] = [("parents", 512), ("tags", 256)];

fn field(name: &str, kind: &str, parameters: &Value) -> Value {
    json!({"fieldName": name, "dataType": kind, "elementTypeParams": parameters})
}

impl Format for Milvus {
    fn files(&self, setup: &Setup) -> Vec<(&'static str, String)> {
        let mut fields = vec![field("id", "Int64", &json!({}))];
        fields[0]["isPrimary"] = json!(true);
        fields.push(field("page", "Int64", &json!({})));
        fields.push(field("place", "Int64", &json!({})));
        for (name, most) in TEXTS {
            fields.push(field(name, "VarChar", &json!({"max_length": most})));
        }
        for (name, most) in LISTS {
            let bounds = json!({"max_length": 4096, "max_capacity": most});
            let mut list = field(name, "Array", &bounds);
            list["elementDataType"] = json!("VarChar");
            fields.push(list);
        }
        for name in ["created_at", "updated_at"] {
            let mut time = field(name, "Int64", &json!({}));
            time["nullable"] = json!(true);
            fields.push(time);
        }
        fields.push(field("sparse", "SparseFloatVector", &json!({})));
        let index = |name: &str, kind: &str| json!({"fieldName": name, "indexName": name, "indexType": kind, "metricType": "IP"});
        let mut indexes = vec![index("sparse", "SPARSE_INVERTED_INDEX")];
        if setup.dims > 0 {
            fields.push(field("dense", "FloatVector", &json!({"dim": setup.dims})));
            indexes.push(index("dense", "AUTOINDEX"));
        }
        let collection = json!({
            "collectionName": setup.name,
            "schema": {"autoId": false, "enableDynamicField": false, "fields": fields},
            "indexParams": indexes,
        });
        let collection = serde_json::to_string_pretty(&collection).expect("it is JSON");
        vec![
            ("collection.json", collection + "\n"),
            ("load.py", include_str!("milvus.py").to_owned()),
        ]
    }

    fn outputs(&self, _: &Setup) -> Vec<Output> {
        vec![Output {
            file: "rows.jsonl",
            head: String::new(),
            foot: "",
        }]
    }

    fn put(&self, rows: &[Row<'_>], out: &mut [String]) {
        for row in rows {
            let mut told = json!(row);
            for (name, most) in TEXTS {
                if let Some(text) = told[name].as_str().filter(|text| text.len() > most) {
                    told[name] = json!(fitting(text, most));
                }
            }
            for (name, most) in LISTS {
                let list = told[name].as_array_mut().expect("a list of texts");
                list.truncate(most);
            }
            out[0] += &line(&Told {
                row: told,
                dense: &row.dense,
                sparse: Weights(&row.sparse),
            });
            out[0].push('\n');
        }
    }

    fn question(&self, setup: &Setup, asked: &Asked) -> String {
        let list = |field: &str, data: Value, limit: usize| {
            json!({
                "annsField": field,
                "data": [data],
                "limit": limit,
                "metricType": "IP",
            })
        };
        let words = || json!(Weights(&asked.sparse));
        let mut body = match (asked.sparse.is_empty(), asked.dense.is_empty()) {
            (false, true) => list("sparse", words(), asked.limit),
            (true, _) => list("dense", json!(asked.dense), asked.limit),
            (false, false) => json!({
                "search": [
                    list("sparse", words(), DEPTH),
                    list("dense", json!(asked.dense), DEPTH),
                ],
                "rerank": {"strategy": "rrf", "params": {"k": 60}},
                "limit": asked.limit,
            }),
        };
        body["collectionName"] = json!(setup.name);
        body["groupingField"] = json!("page");
        body["outputFields"] = json!(["uri", "url", "title", "section", "abstract"]);
        line(&body)
    }

    fn steps(&self, setup: &Setup) -> String {
        let Setup { name, bundle, .. } = setup;
        format!(
            r#"Milvus 2.5 or newer, at `$MILVUS` (`http://localhost:19530`); for Milvus Lite, `$MILVUS` is a file (`./{name}.db`):

```sh
pip install pymilvus          # and milvus-lite for a file
python load.py "$MILVUS"
```

A question, which can be asked below a directory only with `"filter": "array_contains(parents, 'viking://…')"`:

```sh
knarr export {bundle} --to milvus --alpha 0 --question "how do I start?" |
  curl -fsS "$MILVUS/v2/vectordb/entities/search" -H 'Content-Type: application/json' --data-binary @-
```

Without `--alpha 0` (words) or `--alpha 1` (vector) it is one of both, for `/v2/vectordb/entities/hybrid_search`. `load.py` takes questions, too, which Milvus Lite needs: `knarr export … --question "…" | python load.py "$MILVUS" --ask`.
"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        assert_eq!(fitting("aéb", 2), "a");
        assert_eq!(fitting("aéb", 3), "aé");
        assert_eq!(fitting("aéb", 9), "aéb");
    }
}
