//! Jupyter's notebooks, read as the Markdown that they are: texts as they stand, code in fences, and what the code printed
//! left out. The formats are 4, and 3 with its worksheets.

use serde_json::Value;

use super::document::Document;
use super::markdown;
use super::options::InputOptions;
use super::skip::SkipReason;

/// Marks with which authors hide a cell from the page: Jupyter Book's, nbconvert's and nbsphinx's.
const HIDDEN: [&str; 4] = ["remove-cell", "remove_cell", "remove-input", "remove_input"];

/// Reads a notebook. The title may stay empty when it names none.
pub(crate) fn parse(
    path: &str,
    text: &str,
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let no_notebook = |error: serde_json::Error| SkipReason::Damaged(error.to_string());
    let notebook: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(no_notebook)?;
    let cells = cells(&notebook)
        .ok_or_else(|| SkipReason::Damaged("it has no list of cells".to_owned()))?;
    let written: Vec<String> = cells
        .into_iter()
        .filter(|cell| !is_hidden(cell))
        .filter_map(as_markdown)
        .collect();
    let mut document = markdown::parse(path, &written.join("\n\n"), options)?;
    let title = notebook["metadata"]["title"].as_str().unwrap_or_default();
    if document.title.is_empty() {
        title.trim().clone_into(&mut document.title);
    }
    Ok(document)
}

fn cells(notebook: &Value) -> Option<Vec<&Value>> {
    if let Some(cells) = notebook["cells"].as_array() {
        return Some(cells.iter().collect());
    }
    let sheets = notebook["worksheets"].as_array()?.iter();
    let cells = sheets.filter_map(|sheet| sheet["cells"].as_array());
    Some(cells.flatten().collect())
}

fn is_hidden(cell: &Value) -> bool {
    let metadata = &cell["metadata"];
    let mut tags = metadata["tags"].as_array().into_iter().flatten();
    metadata["nbsphinx"] == "hidden"
        || tags.any(|tag| tag.as_str().is_some_and(|tag| HIDDEN.contains(&tag)))
}

/// A cell's Markdown. A raw cell is meant for a program; only front matter, as Quarto reads it there, says something.
fn as_markdown(cell: &Value) -> Option<String> {
    let source = source(&cell["source"]).or_else(|| source(&cell["input"]))?;
    match cell["cell_type"].as_str()? {
        "code" => Some(fenced(&source)),
        "heading" => {
            let level = cell["level"].as_u64().unwrap_or(1).clamp(1, 6) as usize;
            Some(["#".repeat(level).as_str(), source.trim()].join(" "))
        }
        "markdown" => Some(closed(source)),
        "raw" => source.starts_with("---\n").then_some(source),
        _ => None,
    }
}

/// A text, which the format has whole or as a list of lines.
fn source(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => Some(lines.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn fenced(code: &str) -> String {
    let lines = code.lines().map(|line| line.trim_start());
    let ticks = lines.map(|line| line.len() - line.trim_start_matches('`').len());
    let fence = "`".repeat(ticks.max().unwrap_or_default().max(2) + 1);
    format!("{fence}\n{}\n{fence}", code.trim_end())
}

/// A text whose last fence is closed: a cell ends what it begins, whether it says so or not.
fn closed(text: String) -> String {
    let fences = text.lines().filter(|line| line.starts_with("```"));
    match fences.count() % 2 {
        1 => text + "\n```",
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Document, SkipReason> {
        parse("dir/tides.ipynb", json, &InputOptions::default())
    }

    const NEW: &str = r###"{"cells": [
        {"cell_type": "raw", "source": "---\ndescription: About tides.\n---"},
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "The sea rises.\n", "```\n", "open"]},
        {"cell_type": "markdown", "metadata": {"nbsphinx": "hidden"}, "source": "secret"},
        {"cell_type": "code", "metadata": {"tags": ["remove-cell"]}, "source": "import secret", "outputs": []},
        {"cell_type": "markdown", "source": "## How *high*\nBy noon."},
        {"cell_type": "code", "source": ["moon()\n", "'''\n", "````\n"], "outputs": [{"text": ["printed"]}]},
        {"cell_type": "raw", "source": ".. index:: secret"}
    ], "nbformat": 4}"###;

    #[test]
    fn cells_are_texts_and_code_without_what_the_code_printed() {
        let document = read(NEW).expect("a notebook");
        assert_eq!(document.title, "Tides");
        assert_eq!(document.description, "About tides.");
        let sections = document.sections.iter();
        let told: Vec<_> = sections
            .map(|s| format!("{}#{} {}", s.heading, s.anchor, s.text))
            .collect();
        let told = told.join("\n");
        for part in ["The sea rises.", "How high#How-high By noon.", "moon()"] {
            assert!(told.contains(part), "{part} in {told}");
        }
        for part in ["printed", "secret", "## How"] {
            assert!(!told.contains(part), "{part} in {told}");
        }
    }

    #[test]
    fn the_third_format_has_worksheets_and_headings() {
        let document = read(
            r#"{"nbformat": 3, "worksheets": [{"cells": [
                {"cell_type": "heading", "level": 1, "source": ["Tides"]},
                {"cell_type": "code", "input": "moon()", "language": "python"},
                {"cell_type": "heading", "level": 2, "source": "Ebb"},
                {"cell_type": "markdown", "source": "Low water."}
            ]}]}"#,
        )
        .expect("a notebook");
        assert_eq!(document.title, "Tides");
        let ebb = document.sections.last().expect("a section");
        assert_eq!((&*ebb.heading, &*ebb.anchor), ("Ebb", "Ebb"));
    }

    #[test]
    fn a_title_may_stand_in_the_metadata_alone() {
        let document = read(
            r#"{"cells": [{"cell_type": "markdown", "source": "Low water."}], "metadata": {"title": "Ebb"}}"#,
        );
        assert_eq!(document.expect("a notebook").title, "Ebb");
    }

    #[test]
    fn what_is_no_notebook_says_why() {
        for (json, why) in [
            ("{\"cells\": [", "EOF"),
            ("[]", "no list of cells"),
            ("{\"cells\": 1}", "no list of cells"),
        ] {
            let refused = read(json).expect_err("no document");
            assert_eq!(refused.name(), "damaged");
            assert!(refused.to_string().contains(why), "{refused}");
        }
        assert_eq!(read("{\"cells\": []}"), Err(SkipReason::Empty));
    }
}
