//! The selection as text for a reader that is a program: two CSV blocks, entities and sources.
//!
//! Source: spec minirag §2.8.

use crate::base::order;

/// Tokens of entity descriptions in a context.
pub const ENTITY_TOKENS: usize = 500;

/// A row of the entity block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntityRow<'a> {
    /// Name for people.
    pub name: &'a str,
    /// Similarity.
    pub score: f64,
    /// Its mentions, joined.
    pub description: &'a str,
}

/// Limits of a context, in tokens as the caller counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextBudget {
    /// Tokens of entity descriptions.
    pub entities: usize,
    /// Tokens of source texts. The published program has no limit here: `usize::MAX`.
    pub sources: usize,
}

impl Default for ContextBudget {
    fn default() -> Self {
        Self {
            entities: ENTITY_TOKENS,
            sources: 4000,
        }
    }
}

/// Writes both blocks: entities by falling score, sources in the order given.
///
/// A source without a text is left out but keeps its number. Each block stops before the row that passes its budget.
/// `shown` writes a score.
pub fn context(
    entities: &[EntityRow<'_>],
    sources: &[Option<&str>],
    budget: ContextBudget,
    tokens: &dyn Fn(&str) -> usize,
    shown: &dyn Fn(f64) -> String,
) -> String {
    let mut sorted = entities.to_vec();
    order::sort_by(&mut sorted, |a, b| b.score.total_cmp(&a.score));
    let descriptions: Vec<&str> = sorted.iter().map(|row| row.description).collect();
    let n_kept = n_within_budget(&descriptions, budget.entities, tokens);
    let mut rows = vec![
        ["entity", "score", "description"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in &sorted[..n_kept] {
        rows.push(vec![
            row.name.to_owned(),
            shown(row.score),
            row.description.to_owned(),
        ]);
    }
    let entities = csv(&rows);
    let present: Vec<(usize, &str)> = sources
        .iter()
        .enumerate()
        .filter_map(|(i, text)| Some((i, (*text)?)))
        .collect();
    let texts: Vec<&str> = present.iter().map(|pair| pair.1).collect();
    let n_kept = n_within_budget(&texts, budget.sources, tokens);
    let mut rows = vec![["id", "content"].map(str::to_owned).to_vec()];
    rows.extend(
        present[..n_kept]
            .iter()
            .map(|(i, text)| vec![i.to_string(), (*text).to_owned()]),
    );
    let sources = csv(&rows);
    format!(
        "\n-----Entities-----\n```csv\n{entities}\n```\n-----Sources-----\n```csv\n{sources}\n```\n"
    )
}

/// Number of texts from the front that fit a budget of tokens.
pub fn n_within_budget(texts: &[&str], budget: usize, tokens: &dyn Fn(&str) -> usize) -> usize {
    let mut used = 0usize;
    for (n_kept, text) in texts.iter().enumerate() {
        used = used.saturating_add(tokens(text));
        if used > budget {
            return n_kept;
        }
    }
    texts.len()
}

/// Rows as CSV: lines end with CR LF, a field is quoted only when it must be.
pub fn csv(rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    for row in rows {
        for (i, field) in row.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            if field.contains([',', '"', '\r', '\n']) {
                out.push('"');
                out.push_str(&field.replace('"', "\"\""));
                out.push('"');
            } else {
                out.push_str(field);
            }
        }
        out.push_str("\r\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_without_text_keeps_its_number_and_budgets_cut() {
        let words = |text: &str| text.split_whitespace().count();
        let sources = [Some("one"), None, Some("three words here"), Some("x")];
        let text = context(
            &[],
            &sources,
            ContextBudget {
                entities: 0,
                sources: 4,
            },
            &words,
            &|score| score.to_string(),
        );
        assert!(
            text.ends_with("id,content\r\n0,one\r\n2,three words here\r\n\n```\n"),
            "{text}"
        );
    }
}
