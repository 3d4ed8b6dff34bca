//! PostgreSQL with pgvector: a table of rows, and one of their words, which is the inverted index. A sparse vector of
//! pgvector needs its version 0.7 and ends at 16,000 words; a table needs nothing. Names stand in quotes, as a tree may be
//! called like a word of SQL.

use super::format::{Asked, Format, Output, Setup};
use super::row::Row;
use std::fmt::Write;

pub struct Postgres;

/// Rows of each list that a question of both brings together: those of Knarr.
const DEPTH: usize = 500;

/// The columns of a row in their order, without its vector.
const COLUMNS: &str = "id, page, place, uri, parents, url, title, section, abstract, text, tags, type, language, version, \
                       created_at, updated_at";

/// Adds a text as `COPY` reads it. The format has no NUL.
fn put_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => {}
            c => out.push(c),
        }
    }
}

/// Adds a list of texts as `COPY` reads an array.
fn put_list(out: &mut String, list: &[String]) {
    let quoted = |text: &String| {
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{text}\"")
    };
    let quoted: Vec<String> = list.iter().map(quoted).collect();
    put_text(out, &format!("{{{}}}", quoted.join(",")));
}

fn vector(values: &[f32]) -> String {
    let values: Vec<String> = values.iter().map(f32::to_string).collect();
    format!("[{}]", values.join(","))
}

fn time(seconds: Option<i64>) -> String {
    seconds.map_or_else(|| "\\N".into(), |s| s.to_string())
}

fn put_row(out: &mut String, row: &Row<'_>) {
    let _ = write!(out, "{}\t{}\t{}\t", row.id, row.page, row.place);
    put_text(out, &row.uri);
    out.push('\t');
    put_list(out, row.parents);
    for text in [&row.url, row.title, row.section, row.abstract_, row.text] {
        out.push('\t');
        put_text(out, text);
    }
    out.push('\t');
    put_list(out, row.tags);
    for text in [row.context_type, row.language, row.version] {
        out.push('\t');
        put_text(out, text);
    }
    for seconds in [row.created_at, row.updated_at] {
        out.push('\t');
        *out += &time(seconds);
    }
    if !row.dense.is_empty() {
        out.push('\t');
        *out += &vector(&row.dense);
    }
    out.push('\n');
}

/// The best row of each page by its words, as `words (page, id, score)`.
fn by_words(name: &str, words: &[(u32, f32)]) -> String {
    let values: Vec<String> = words.iter().map(|(w, x)| format!("({w},{x})")).collect();
    format!(
        "words AS (\n  SELECT DISTINCT ON (page) page, id, score FROM (\n    \
         SELECT found.page, found.id, sum(own.weight * asked.weight) AS score\n    \
         FROM (VALUES {}) AS asked (word, weight)\n    \
         JOIN \"{name}_words\" own USING (word) JOIN \"{name}\" found USING (id) GROUP BY found.page, found.id\n  \
         ) scored ORDER BY page, score DESC, id\n)",
        values.join(",")
    )
}

/// The best row of each page by its vector, as `nearest (page, id, score)`.
fn by_vector(name: &str, dense: &[f32]) -> String {
    format!(
        "nearest AS (\n  SELECT DISTINCT ON (page) page, id, score FROM (\n    \
         SELECT page, id, -(dense <#> '{0}') AS score FROM \"{name}\" ORDER BY dense <#> '{0}' LIMIT {DEPTH}\n  \
         ) scored ORDER BY page, score DESC, id\n)",
        vector(dense)
    )
}

/// A list scaled from 0 to 1 as Knarr scales it.
fn scaled(list: &str) -> String {
    format!(
        "scaled_{list} AS (\n  SELECT page, id, CASE WHEN high > low THEN greatest((score - low) / (high - low), 0.001) ELSE 1 END \
         AS score\n  FROM (SELECT * FROM {list} ORDER BY score DESC LIMIT {DEPTH}) best,\n  \
         LATERAL (SELECT min(score) AS low, max(score) AS high FROM (SELECT score FROM {list} ORDER BY score DESC LIMIT \
         {DEPTH}) best) bounds\n)"
    )
}

impl Format for Postgres {
    fn files(&self, setup: &Setup) -> Vec<(&'static str, String)> {
        let Setup { name, dims, .. } = setup;
        let (extension, column, index) = match dims {
            0 => ("", String::new(), String::new()),
            dims => (
                "CREATE EXTENSION IF NOT EXISTS vector;\n",
                format!(",\n  dense vector({dims}) NOT NULL"),
                format!("CREATE INDEX ON \"{name}\" USING hnsw (dense vector_ip_ops);\n"),
            ),
        };
        let schema = format!(
            "{extension}DROP TABLE IF EXISTS \"{name}\", \"{name}_words\";
CREATE TABLE \"{name}\" (
  id bigint PRIMARY KEY,
  page bigint NOT NULL,
  place integer NOT NULL,
  uri text NOT NULL,
  parents text[] NOT NULL,
  url text NOT NULL,
  title text NOT NULL,
  section text NOT NULL,
  abstract text NOT NULL,
  text text NOT NULL,
  tags text[] NOT NULL,
  type text NOT NULL,
  language text NOT NULL,
  version text NOT NULL,
  created_at bigint,
  updated_at bigint{column}
);
CREATE TABLE \"{name}_words\" (word bigint NOT NULL, id bigint NOT NULL, weight real NOT NULL);
"
        );
        let indexes = format!(
            "ALTER TABLE \"{name}_words\" ADD PRIMARY KEY (word, id);
CREATE INDEX ON \"{name}\" USING gin (parents);
CREATE INDEX ON \"{name}\" USING gin (tags);
CREATE INDEX ON \"{name}\" (page);
{index}ANALYZE \"{name}\", \"{name}_words\";
"
        );
        vec![("schema.sql", schema), ("indexes.sql", indexes)]
    }

    fn outputs(&self, setup: &Setup) -> Vec<Output> {
        let Setup { name, dims, .. } = setup;
        let dense = if *dims > 0 { ", dense" } else { "" };
        vec![
            Output {
                file: "rows.sql",
                head: format!("COPY \"{name}\" ({COLUMNS}{dense}) FROM stdin;\n"),
                foot: "\\.\n",
            },
            Output {
                file: "words.sql",
                head: format!("COPY \"{name}_words\" (word, id, weight) FROM stdin;\n"),
                foot: "\\.\n",
            },
        ]
    }

    fn put(&self, rows: &[Row<'_>], out: &mut [String]) {
        for row in rows {
            put_row(&mut out[0], row);
            for (word, weight) in &row.sparse {
                let _ = writeln!(out[1], "{word}\t{}\t{weight}", row.id);
            }
        }
    }

    fn question(&self, setup: &Setup, asked: &Asked) -> String {
        let name = &setup.name;
        let (lists, best) = match (asked.sparse.is_empty(), asked.dense.is_empty()) {
            (false, true) => (vec![by_words(name, &asked.sparse)], "words".to_owned()),
            (true, _) => (vec![by_vector(name, &asked.dense)], "nearest".to_owned()),
            (false, false) => {
                let lists = vec![
                    by_words(name, &asked.sparse),
                    by_vector(name, &asked.dense),
                    scaled("words"),
                    scaled("nearest"),
                ];
                let (words, nearest) = (1.0 - asked.alpha, asked.alpha);
                let mix = format!(
                    "(SELECT coalesce(w.id, n.id) AS id, {words} * coalesce(w.score, 0) + {nearest} * coalesce(n.score, 0) AS \
                     score\n      FROM scaled_words w FULL JOIN scaled_nearest n USING (page))"
                );
                (lists, mix)
            }
        };
        format!(
            "WITH {}\nSELECT best.score, found.uri, found.url, found.title, found.section, found.abstract\nFROM {best} best JOIN \"{name}\" found \
             USING (id)\nORDER BY best.score DESC, found.uri LIMIT {};\n",
            lists.join(", "),
            asked.limit
        )
    }

    fn steps(&self, setup: &Setup) -> String {
        let Setup { name, bundle, .. } = setup;
        format!(
            r#"PostgreSQL 13 or newer with pgvector 0.5 or newer, at `$POSTGRES` (`postgres://localhost/docs`); the tables `{name}` and `{name}_words` are made anew:

```sh
psql -v ON_ERROR_STOP=1 -q "$POSTGRES" -f schema.sql -f rows.sql -f words.sql -f indexes.sql
```

A question, which can be asked below a directory only with `WHERE 'viking://…' = ANY (parents)`:

```sh
knarr export {bundle} --to postgres --question "how do I start?" | psql -q "$POSTGRES"
```
"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_lists_are_written_as_copy_reads_them() {
        let mut text = String::new();
        put_text(&mut text, "a\tb\\c\nd\0");
        assert_eq!(text, "a\\tb\\\\c\\nd");
        let mut list = String::new();
        put_list(&mut list, &["a\"b".into(), "c\\d".into()]);
        assert_eq!(list, r#"{"a\\"b","c\\\\d"}"#);
    }
}
