//! Files of queries and of judgements, in the two forms that labelled sets come in.
//!
//! One form has everything in a line: `{"query": "…", "relevant": ["page", …]}`, or `"relevant": {"page": grade}`. The other has queries
//! `{"id", "text"}`, optionally with `exclude` (pages dropped from the ranking before it is scored) and `group`, and
//! judgements in a tab-separated file with the head `query doc grade`.

use crate::failure::{Outcome, invalid, io_failure};
use crate::metrics::Grades;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

/// A line of a file of queries.
#[derive(Debug, Deserialize)]
#[serde(expecting = "an object, such as {\"query\": \"…\"}")]
pub struct QueryRow {
    /// The words that are searched for.
    #[serde(alias = "text")]
    pub query: String,
    /// Name of the query in the file of judgements.
    #[serde(default)]
    pub id: Option<String>,
    /// Relevant pages.
    #[serde(default)]
    pub relevant: Relevant,
    /// Pages to drop from the ranking before it is scored.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// The folder the query is about.
    #[serde(default)]
    pub group: Option<String>,
}

/// The relevant pages of a line: `["page", …]`, each with grade 1, or `{"page": grade, …}`.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(
    untagged,
    expecting = "`relevant` wants a list of pages, or an object of pages with their grades"
)]
pub enum Relevant {
    /// All alike.
    Pages(Vec<String>),
    /// With grades, larger is better.
    Graded(BTreeMap<String, f64>),
}

impl Default for Relevant {
    fn default() -> Self {
        Self::Pages(Vec::new())
    }
}

impl Relevant {
    fn grades(&self) -> Grades {
        match self {
            Self::Pages(pages) => pages.iter().map(|page| (page_key(page), 1.0)).collect(),
            Self::Graded(graded) => graded
                .iter()
                .map(|(page, grade)| (page_key(page), *grade))
                .collect(),
        }
    }
}

/// A query with its judgements; pages are keys as [`page_key`] makes them.
#[derive(Debug)]
pub struct Judged {
    /// Name of the query, or its line number counted from 1.
    pub id: String,
    /// Text of the question.
    pub query: String,
    /// The relevant pages with their grades.
    pub grades: Grades,
    /// Pages that do not take part.
    pub exclude: Vec<String>,
    /// The folder the query is about.
    pub group: Option<String>,
}

/// Reads a text file, without the mark of its encoding that some editors put before it.
pub fn read_text(path: &Path) -> Outcome<String> {
    let mut text =
        std::fs::read_to_string(path).map_err(|error| io_failure("cannot read", path, error))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// Parses JSON lines; `file` names them in errors. Blank lines are passed over.
pub fn rows<T: DeserializeOwned>(text: &str, file: &Path) -> Outcome<Vec<T>> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                let what = plain(&error);
                invalid(format!("{}, line {}: {what}", file.display(), number + 1))
            })
        })
        .collect()
}

/// The fault of a line in plain words, without its number: the parser counts the lines of what it is given.
pub fn plain(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "its JSON does not end".to_owned();
    }
    if error.is_syntax() {
        return format!("it is no JSON from column {} on", error.column());
    }
    let said = error.to_string();
    let what = said.split(" at line ").next().unwrap_or_default();
    what.replace("invalid type: sequence", "found a list")
        .replace("invalid type: map", "found an object")
        .replace("invalid type: ", "found ")
}

/// Reads queries with their judgements: from the queries' own lines, or from `qrels` where given.
pub fn read(queries: &Path, qrels: Option<&Path>) -> Outcome<Vec<Judged>> {
    let rows: Vec<QueryRow> = rows(&read_text(queries)?, queries)?;
    let mut graded = match qrels {
        Some(path) => Some(grades_by_query(&read_text(path)?, path)?),
        None => None,
    };
    let judged = rows.into_iter().enumerate().map(|(number, row)| {
        let id = row.id.unwrap_or_else(|| (number + 1).to_string());
        let grades = match &mut graded {
            Some(graded) => graded.remove(&id).unwrap_or_default(),
            None => row.relevant.grades(),
        };
        let exclude = row.exclude.iter().map(|page| page_key(page)).collect();
        Judged {
            id,
            query: row.query,
            grades,
            exclude,
            group: row.group,
        }
    });
    Ok(judged.collect())
}

fn grades_by_query(text: &str, file: &Path) -> Outcome<BTreeMap<String, Grades>> {
    let mut queries: BTreeMap<String, Grades> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        match cells[..] {
            ["query", "doc", "grade"] | [""] => {}
            [query, page, grade] => {
                let grade = grade.trim().parse().map_err(|_| {
                    invalid(format!(
                        "{}, line {}: {grade:?} is no grade",
                        file.display(),
                        number + 1
                    ))
                })?;
                queries
                    .entry(query.to_owned())
                    .or_default()
                    .insert(page_key(page), grade);
            }
            _ => {
                let message = format!(
                    "{}, line {}: expected query, doc, grade",
                    file.display(),
                    number + 1
                );
                return Err(invalid(message));
            }
        }
    }
    Ok(queries)
}

/// The one name of a page under which addresses and file paths meet: no slashes around it, no extension of a page
/// format, no `index` at the end. `/mfc/reference/cobject-class/` and `mfc/reference/cobject-class.md` are the same page.
pub fn page_key(address: &str) -> String {
    let path = address.trim_matches('/');
    let path = [".md", ".mdx", ".markdown", ".html", ".htm", ".txt"]
        .iter()
        .find_map(|extension| path.strip_suffix(extension))
        .unwrap_or(path);
    match path.rsplit_once('/') {
        Some((folder, "index" | "_index")) => folder.to_owned(),
        None if matches!(path, "index" | "_index") => String::new(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_meet() {
        for (address, path) in [
            (
                "/mfc/reference/cobject-class/",
                "mfc/reference/cobject-class.md",
            ),
            ("/docs/concepts/", "docs/concepts/_index.md"),
            ("ch17-01-futures", "ch17-01-futures.html"),
            ("/", "index.html"),
        ] {
            assert_eq!(page_key(address), page_key(path));
        }
        assert_ne!(page_key("/a/version-1.2/"), page_key("/a/version-1/"));
    }

    #[test]
    fn reads_grades_and_names_the_faulty_line() {
        let file = Path::new("qrels.tsv");
        let graded =
            grades_by_query("query\tdoc\tgrade\nq1\ta\t2\nq1\t/b/\t1\n\n", file).expect("grades");
        assert_eq!(
            graded["q1"],
            Grades::from([("a".to_owned(), 2.0), ("b".to_owned(), 1.0)])
        );
        for faulty in ["q1\ta\n", "q1\ta\thigh\n"] {
            let failure = format!("{:?}", grades_by_query(faulty, file).expect_err("faulty"));
            assert!(failure.contains("qrels.tsv, line 1"), "{failure}");
        }
    }

    #[test]
    fn relevant_pages_may_have_grades() {
        let text = "{\"query\": \"a\", \"relevant\": {\"/x/\": 2, \"y\": 1}}";
        let rows: Vec<QueryRow> = rows(text, Path::new("q")).expect("rows");
        let grades = rows[0].relevant.grades();
        assert_eq!(
            grades,
            Grades::from([("x".to_owned(), 2.0), ("y".to_owned(), 1.0)])
        );
    }

    #[test]
    fn reads_both_forms_of_queries() {
        let text = "{\"query\": \"a\", \"relevant\": [\"/x/\"]}\n\n{\"id\": \"7\", \"text\": \"b\", \"kind\": \"z\"}\n";
        let rows: Vec<QueryRow> = rows(text, Path::new("q")).expect("rows");
        assert_eq!(
            (rows[0].query.as_str(), &rows[0].relevant),
            ("a", &Relevant::Pages(vec!["/x/".into()]))
        );
        assert_eq!(
            (rows[1].query.as_str(), rows[1].id.as_deref()),
            ("b", Some("7"))
        );
    }
}
