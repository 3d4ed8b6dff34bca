//! OpenSearch: an index with a vector and weighted words; the best document of a page stands for it.

use super::format::{Asked, Format, Output, Setup, line};
use super::row::{Row, Weights};
use serde::Serialize;
use serde_json::json;

pub struct OpenSearch;

/// Neighbors that each shard looks for.
const DEPTH: usize = 100;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    row: &'a Row<'a>,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    dense: &'a [f32],
    /// A name may hold no point; a number has none.
    sparse: Weights<'a>,
}

impl Format for OpenSearch {
    fn files(&self, setup: &Setup) -> Vec<(&'static str, String)> {
        let keyword = json!({"type": "keyword"});
        let text = json!({"type": "text"});
        let date = json!({"type": "date", "format": "epoch_second"});
        let mut properties = json!({
            "id": {"type": "long"}, "page": {"type": "long"}, "place": {"type": "integer"},
            "uri": keyword, "parents": keyword, "url": {"type": "keyword", "index": false},
            "title": text, "section": text, "abstract": text, "text": text,
            "tags": keyword, "type": keyword, "language": keyword, "version": keyword,
            "created_at": date, "updated_at": date,
            "sparse": {"type": "rank_features"},
        });
        if setup.dims > 0 {
            properties["dense"] = json!({
                "type": "knn_vector",
                "dimension": setup.dims,
                "method": {"name": "hnsw", "engine": "lucene", "space_type": "innerproduct"},
            });
        }
        let index = json!({
            "settings": {"index": {"knn": setup.dims > 0}},
            "mappings": {"dynamic": "strict", "properties": properties},
        });
        let weights = [1.0 - setup.alpha, setup.alpha];
        let pipeline = json!({
            "description": "Knarr's mix: each list scaled from 0 to 1, and their weighted mean",
            "phase_results_processors": [{"normalization-processor": {
                "normalization": {"technique": "min_max"},
                "combination": {"technique": "arithmetic_mean", "parameters": {"weights": weights}},
            }}],
        });
        vec![
            ("index.json", line(&index) + "\n"),
            ("pipeline.json", line(&pipeline) + "\n"),
        ]
    }

    fn outputs(&self, _: &Setup) -> Vec<Output> {
        vec![Output {
            file: "bulk.ndjson",
            head: String::new(),
            foot: "",
        }]
    }

    fn put(&self, rows: &[Row<'_>], out: &mut [String]) {
        for row in rows {
            let document = Document {
                row,
                dense: &row.dense,
                sparse: Weights(&row.sparse),
            };
            out[0] += &line(&json!({"index": {"_id": row.id.to_string()}}));
            out[0].push('\n');
            out[0] += &line(&document);
            out[0].push('\n');
        }
    }

    fn question(&self, _: &Setup, asked: &Asked) -> String {
        let words = json!({"neural_sparse": {"sparse": {"query_tokens": Weights(&asked.sparse)}}});
        let vector = json!({"knn": {"dense": {"vector": asked.dense, "k": DEPTH}}});
        let mut body = json!({
            "size": asked.limit,
            "_source": ["uri", "url", "title", "section", "abstract"],
            "collapse": {"field": "page"},
        });
        body["query"] = match (asked.sparse.is_empty(), asked.dense.is_empty()) {
            (false, true) => words,
            (true, _) => vector,
            (false, false) => json!({"hybrid": {"queries": [words, vector]}}),
        };
        line(&body)
    }

    fn steps(&self, setup: &Setup) -> String {
        let Setup { name, bundle, .. } = setup;
        format!(
            r#"OpenSearch 3.1 or newer with its plugins for vectors and neural search, at `$OPENSEARCH` (`https://user:password@localhost:9200`):

```sh
curl -fsS -X PUT "$OPENSEARCH/{name}" -H 'Content-Type: application/json' --data-binary @index.json &&
curl -fsS -X PUT "$OPENSEARCH/_search/pipeline/{name}" -H 'Content-Type: application/json' --data-binary @pipeline.json &&
split -l 1000 --filter='told=$(curl -fsS "$OPENSEARCH/{name}/_bulk?refresh=true&filter_path=errors,items.*.error" -H "Content-Type: application/x-ndjson" --data-binary @-) &&
  case "$told" in *\"errors\":false*) ;; *) printf "%s\n" "$told" >&2; exit 1 ;; esac' bulk.ndjson
```

A question, which can be asked below a directory only with `"post_filter": {{"term": {{"parents": "viking://…"}}}}`:

```sh
knarr export {bundle} --to opensearch --question "how do I start?" |
  curl -fsS "$OPENSEARCH/{name}/_search?search_pipeline={name}" -H 'Content-Type: application/json' --data-binary @-
```
"#
        )
    }
}
