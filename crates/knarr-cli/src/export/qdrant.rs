//! Qdrant: a collection with a dense and a sparse vector; the best point of a page stands for it.

use super::format::{Asked, Format, Output, Setup, Site, line};
use super::qdrant_site::{self, ROOT};
use super::row::{Numbers, Row};
use serde::Serialize;
use serde_json::json;

pub struct Qdrant;

/// Points of one request: some kilobytes each.
const AT_ONCE: usize = 64;
/// Points of each list that a question of both brings together.
const DEPTH: usize = 100;

/// The fields that questions, listings and look-ups filter by, with the kind of their index.
const INDEXES: [(&str, &str); 17] = [
    ("page", "number"),
    ("place", "number"),
    ("uri", "keyword"),
    ("file", "keyword"),
    ("folder", "keyword"),
    ("parents", "keyword"),
    ("tags", "keyword"),
    ("type", "keyword"),
    ("language", "keyword"),
    ("version", "keyword"),
    ("created_at", "integer"),
    ("updated_at", "integer"),
    ("words", "keyword"),
    ("df", "integer"),
    ("kind", "keyword"),
    ("starts", "beginnings"),
    ("ends", "beginnings"),
];

/// The body that makes an index.
fn index((field, kind): &(&str, &str)) -> String {
    let schema = match *kind {
        "number" => json!({"type": "integer", "lookup": true, "range": false}),
        "beginnings" => json!({
            "type": "text", "tokenizer": "prefix", "lowercase": false, "min_token_len": 2, "max_token_len": 64,
        }),
        kind => json!(kind),
    };
    line(&json!({"field_name": field, "field_schema": schema})) + "\n"
}

#[derive(Serialize)]
struct Points<'a> {
    points: Vec<Point<'a>>,
}

#[derive(Serialize)]
struct Point<'a> {
    id: u64,
    vector: Vectors<'a>,
    payload: Payload<'a>,
}

/// A row, and what the listing of a directory needs of it.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(flatten)]
    row: &'a Row<'a>,
    /// URI of the page, which sections have in common: a filter for it has them too.
    file: &'a str,
    /// URI of the directory that it lies in.
    folder: &'a str,
    /// Bytes of the text.
    size: usize,
}

#[derive(Serialize)]
struct Vectors<'a> {
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    dense: &'a [f32],
    sparse: Sparse,
}

#[derive(Serialize)]
struct Sparse {
    indices: Vec<u32>,
    values: Vec<f32>,
}

impl Sparse {
    fn of(words: &[(u32, f32)]) -> Self {
        let (indices, values) = words.iter().copied().unzip();
        Self { indices, values }
    }
}

fn point<'a>(row: &'a Row<'a>) -> Point<'a> {
    Point {
        id: row.id,
        vector: Vectors {
            dense: &row.dense,
            sparse: Sparse::of(&row.sparse),
        },
        payload: Payload {
            row,
            file: row.uri.split('#').next().unwrap_or_default(),
            folder: row.parents.last().map_or(ROOT, String::as_str),
            size: row.text.len(),
        },
    }
}

impl Format for Qdrant {
    fn files(&self, setup: &Setup) -> Vec<(&'static str, String)> {
        let mut collection = json!({"vectors": {}, "sparse_vectors": {"sparse": {}}});
        if setup.dims > 0 {
            // The rows of damped pages are shorter, which a cosine would take back.
            collection["vectors"] = json!({"dense": {"size": setup.dims, "distance": "Dot"}});
        }
        let indexes: String = INDEXES.iter().map(index).collect();
        vec![
            ("collection.json", line(&collection) + "\n"),
            ("indexes.jsonl", indexes),
        ]
    }

    fn outputs(&self, _: &Setup) -> Vec<Output> {
        let output = |file| Output {
            file,
            head: String::new(),
            foot: "",
        };
        vec![output("points.jsonl"), output("site.jsonl")]
    }

    fn put(&self, rows: &[Row<'_>], out: &mut [String]) {
        for rows in rows.chunks(AT_ONCE) {
            let points = rows.iter().map(point).collect();
            out[0] += &line(&Points { points });
            out[0].push('\n');
        }
    }

    fn is_asked_by_pages(&self) -> bool {
        true
    }

    fn site(&self, site: &Site<'_>, numbers: &mut Numbers, out: &mut [String]) {
        qdrant_site::put(site, numbers, &mut out[1]);
    }

    fn question(&self, _: &Setup, asked: &Asked) -> String {
        let mut body = json!({
            "group_by": "page",
            "group_size": 1,
            "limit": asked.limit,
            "with_payload": ["uri", "url", "title", "section", "abstract"],
        });
        match (asked.sparse.is_empty(), asked.dense.is_empty()) {
            (false, true) => {
                body["query"] = json!(Sparse::of(&asked.sparse));
                body["using"] = json!("sparse");
            }
            (true, _) => {
                body["query"] = json!(asked.dense);
                body["using"] = json!("dense");
            }
            (false, false) => {
                body["query"] = json!({"fusion": "rrf"});
                body["prefetch"] = json!([
                    {"query": Sparse::of(&asked.sparse), "using": "sparse", "limit": DEPTH},
                    {"query": asked.dense, "using": "dense", "limit": DEPTH},
                ]);
            }
        }
        line(&body)
    }

    fn steps(&self, setup: &Setup) -> String {
        let Setup { name, bundle, .. } = setup;
        format!(
            r#"Qdrant 1.11 or newer, at `$QDRANT` (`http://localhost:6333`):

```sh
curl -fsS -X PUT "$QDRANT/collections/{name}" -H 'Content-Type: application/json' --data-binary @collection.json &&
(while IFS= read -r index; do curl -fsS -o /dev/null -X PUT "$QDRANT/collections/{name}/index" -H 'Content-Type: application/json' --data-binary "$index" || exit 1; done < indexes.jsonl) &&
cat points.jsonl site.jsonl | while IFS= read -r points; do printf '%s' "$points" | curl -fsS -o /dev/null -X PUT "$QDRANT/collections/{name}/points?wait=true" -H 'Content-Type: application/json' --data-binary @- || exit 1; done
```

`points.jsonl` has the rows. `site.jsonl` has words and directories as points without vectors, which no question finds: a page needs them that asks the server itself, with `Knarr.remote(url, {{ engine: "qdrant", collection: "{name}" }})`.

A question, which can be asked below a directory only with `"filter": {{"must": [{{"key": "parents", "match": {{"value": "viking://…"}}}}]}}`:

```sh
knarr export {bundle} --to qdrant --question "how do I start?" |
  curl -fsS "$QDRANT/collections/{name}/points/query/groups" -H 'Content-Type: application/json' --data-binary @-
```
"#
        )
    }
}
