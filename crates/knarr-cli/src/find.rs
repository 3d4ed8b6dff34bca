//! `knarr find`: one query for a person or a program, or a file of queries for a program.

use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::flags::Flags;
use crate::output::{self, Style};
use crate::{disk, judgements};
use knarr::find::answer::result::{Excerpt, FindResult, MatchedContext};
use knarr::find::ask::options::FindOptions;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `knarr find`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// Words, a question or an identifier to search for.
    #[arg(required_unless_present = "queries", conflicts_with = "queries")]
    query: Option<String>,
    /// Answer every line `{"query": …}` of this file, in order, with one line of JSON each ("-": standard input); needs
    /// --json.
    #[arg(long, value_name = "FILE.jsonl", requires = "json")]
    queries: Option<PathBuf>,
    #[command(flatten)]
    search: Flags<false>,
    #[command(flatten)]
    reports: Flags<true>,
    /// Print JSON: `{"query", "results", "memories", "resources", "skills", "total", "corrections", "skipped", "alpha"}`,
    /// and what the other options add; the three lists are the package's answer, `results` is all of them, best first.
    /// With --lean: `results` alone, on one line, and nothing that is empty.
    #[arg(long)]
    json: bool,
}

/// Milliseconds since 1970 UTC.
pub fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}

/// The options of the engine that the flags give, at the clock's time.
pub fn options(search: &Flags<false>) -> knarr::Result<FindOptions> {
    let mut options = FindOptions {
        now: Some(now_ms()),
        ..FindOptions::default()
    };
    search.set(&mut options)?;
    Ok(options)
}

/// One answer as JSON: that of the package, and its three lists as one, best first.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    results: Vec<&'a MatchedContext>,
    #[serde(flatten)]
    found: &'a FindResult,
}

/// The answer to a query that failed, among the answers of a file of queries.
#[derive(Serialize)]
struct FailedAnswer<'a> {
    query: &'a str,
    results: [(); 0],
    error: FailedBecause<'a>,
}

#[derive(Serialize)]
struct FailedBecause<'a> {
    code: &'a str,
    message: &'a str,
}

/// Runs `knarr find`.
pub fn run(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let mut options = options(&arguments.search)?;
    arguments.reports.set(&mut options)?;
    let find = |query: &str| pollster::block_on(bundle.find(&host, query, &options));
    match (&arguments.query, &arguments.queries) {
        (Some(query), _) => {
            let result = find(query)?;
            tell_empty_facets(&options.facets, &result);
            if options.lean {
                output::json_line(&lean(query, &result)?)
            } else if arguments.json {
                output::json(&answer(query, &result))
            } else {
                print(&result, options.offset > 0)
            }
        }
        (None, Some(file)) => answer_file(file, options.lean, find),
        (None, None) => Err(invalid("a query is needed")),
    }
}

/// Says for which keys no value was counted: one may be misspelt.
fn tell_empty_facets(asked: &[String], result: &FindResult) {
    let has = |key: &String| key == "*" || result.facets.iter().any(|facet| facet.key == *key);
    for key in asked.iter().filter(|key| result.total > 0 && !has(key)) {
        let key = output::plain(key);
        eprintln!("--facet {key}: no page that has all words of the query has a tag `{key}=…`");
    }
}

/// Answers a file of queries. A query that fails has its `error` in its line; the command then fails at the end.
fn answer_file(
    file: &std::path::Path,
    is_lean: bool,
    find: impl Fn(&str) -> knarr::Result<FindResult>,
) -> Outcome {
    let text = if file.as_os_str() == "-" {
        io::read_to_string(io::stdin()).map_err(|error| io_failure("cannot read", file, error))?
    } else {
        judgements::read_text(file)?
    };
    let queries = judgements::rows::<judgements::QueryRow>(&text, file)?;
    let mut first_error = None;
    for row in &queries {
        match find(&row.query) {
            Ok(result) if is_lean => output::json_line(&lean(&row.query, &result)?)?,
            Ok(result) => output::json_line(&answer(&row.query, &result))?,
            Err(error) => {
                let because = FailedBecause {
                    code: error.code(),
                    message: error.message(),
                };
                output::json_line(&FailedAnswer {
                    query: &row.query,
                    results: [],
                    error: because,
                })?;
                first_error.get_or_insert(error);
            }
        }
    }
    first_error.map_or(Ok(()), |error| Err(Failure::Error(error)))
}

fn answer<'a>(query: &'a str, found: &'a FindResult) -> Answer<'a> {
    Answer {
        query,
        results: best_first(found),
        found,
    }
}

/// [`answer`] with each result once, and without what is empty.
fn lean(query: &str, found: &FindResult) -> Outcome<Value> {
    // By its text: a value of JSON would have the scores in double precision, with digits that mean nothing.
    let text = serde_json::to_string(&answer(query, found)).map_err(io::Error::from)?;
    let mut whole: Value = serde_json::from_str(&text).map_err(io::Error::from)?;
    for list in ["memories", "resources", "skills"] {
        whole.as_object_mut().map(|answer| answer.remove(list));
    }
    drop_empty(&mut whole);
    Ok(whole)
}

fn drop_empty(value: &mut Value) {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        Value::Object(members) => {
            members.values_mut().for_each(drop_empty);
            members.retain(|name, value| name == "results" || !is_empty(value));
        }
        _ => {}
    }
}

/// The three lists of a result as one, by score; rows of one score keep the order of their list, as pins of an owner do.
pub fn best_first(result: &FindResult) -> Vec<&MatchedContext> {
    let mut all: Vec<_> = [&result.memories, &result.resources, &result.skills]
        .into_iter()
        .flatten()
        .collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all
}

/// Prints what stands over the rows: how words were read, an answer, and that the rows are only near.
fn print_above(out: &mut impl Write, style: Style, result: &FindResult, goes_on: bool) -> Outcome {
    for [typed, read_as] in &result.corrections {
        let read = format!("\"{typed}\" was read as \"{read_as}\"");
        writeln!(out, "{}", style.dim(read))?;
    }
    for left_out in &result.excluded {
        let told = format!("pages with \"{left_out}\" are left out");
        writeln!(out, "{}", style.dim(told))?;
    }
    if let Some(answer) = &result.answer {
        writeln!(out, "{}", one_line(&marked(&answer.text, style)))?;
        let place = [answer.title.as_str(), &answer.section];
        let place: Vec<&str> = place.into_iter().filter(|name| !name.is_empty()).collect();
        let place = format!("{}  {}", place.join(" › "), answer.uri);
        writeln!(out, "    {}", style.dim(place))?;
        writeln!(out)?;
    }
    let is_near = result.total > 0 && best_first(result).iter().all(|row| row.weak);
    if result.weak || goes_on && is_near {
        let found = if goes_on {
            "more that is relevant"
        } else {
            "relevant found"
        };
        writeln!(out, "nothing {found}; the nearest:")?;
    }
    Ok(())
}

/// Prints a result for a person; one that `goes_on` begins behind the first page.
pub fn print(result: &FindResult, goes_on: bool) -> Outcome {
    let style = Style::of_stdout();
    let mut out = io::stdout().lock();
    print_above(&mut out, style, result, goes_on)?;
    let rows: Vec<_> = best_first(result).into_iter().enumerate().collect();
    if result.groups.is_empty() {
        for &(place, found) in &rows {
            print_row(&mut out, style, place, found)?;
        }
    }
    for group in &result.groups {
        writeln!(
            out,
            "{}  {}",
            style.bold(&group.title),
            style.dim(&group.uri)
        )?;
        if !group.abstract_.trim().is_empty() {
            writeln!(out, "{}", one_line(&group.abstract_))?;
        }
        for &(place, found) in &rows {
            if group.results.contains(&found.uri) {
                print_row(&mut out, style, place, found)?;
            }
        }
    }
    if result.total == 0 {
        writeln!(out, "nothing found")?;
    }
    for facet in &result.facets {
        let values = facet.values.iter();
        let values: Vec<String> = values.map(|v| format!("{} {}", v.value, v.count)).collect();
        writeln!(out, "{}: {}", style.bold(&facet.key), values.join(", "))?;
    }
    for step in &result.skipped {
        writeln!(
            out,
            "{}",
            style.dim(format!("without {}: {}", step.step, step.reason))
        )?;
    }
    Ok(())
}

/// Prints one result: place, relevance, title, URI, excerpt and sections.
fn print_row(out: &mut impl Write, style: Style, place: usize, found: &MatchedContext) -> Outcome {
    writeln!(
        out,
        "{:>3}  {:.3}  {}",
        place + 1,
        found.relevance,
        style.bold(&found.title)
    )?;
    writeln!(out, "            {}", style.dim(&found.uri))?;
    let place = [
        found.crumbs.join(" › "),
        found.lang.clone(),
        found.version.clone(),
    ];
    let place: Vec<String> = place.into_iter().filter(|p| !p.is_empty()).collect();
    if !place.is_empty() {
        writeln!(out, "            {}", style.dim(place.join("  ")))?;
    }
    let text = if found.excerpt.text.is_empty() {
        found.abstract_.clone()
    } else {
        marked(&found.excerpt, style)
    };
    if !text.trim().is_empty() {
        writeln!(out, "            {}", one_line(&text))?;
    }
    for section in &found.sections {
        let anchor = match section.anchor.as_str() {
            "" => String::new(),
            anchor => format!("  #{anchor}"),
        };
        writeln!(out, "            › {}{}", section.title, style.dim(anchor))?;
        // That of the first section is mostly the page's.
        let shown = &section.excerpt;
        if !shown.text.trim().is_empty() && shown.text != found.excerpt.text {
            writeln!(out, "              {}", one_line(&marked(shown, style)))?;
        }
    }
    Ok(())
}

/// The excerpt with its highlights marked. Positions are UTF-16 code units; those inside a character are passed over.
fn marked(excerpt: &Excerpt, style: Style) -> String {
    let units: Vec<u16> = excerpt.text.encode_utf16().collect();
    let slice =
        |from: usize, to: usize| String::from_utf16_lossy(units.get(from..to).unwrap_or(&[]));
    let mut text = String::new();
    let mut done = 0;
    for &[from, to] in &excerpt.highlights {
        let (from, to) = (from as usize, to as usize);
        if from < done || to > units.len() || from > to {
            continue;
        }
        text += &slice(done, from);
        text += &style.mark(slice(from, to));
        done = to;
    }
    text + &slice(done, units.len())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(uri: &str, level: u8, score: f32) -> MatchedContext {
        MatchedContext {
            uri: uri.into(),
            level,
            score,
            ..MatchedContext::default()
        }
    }

    #[test]
    fn merges_the_groups_best_first() {
        let result = FindResult {
            memories: vec![found("viking://user/a", 2, 0.5)],
            resources: vec![
                found("viking://resources/b", 2, 0.9),
                found("viking://resources/a", 1, 0.5),
            ],
            skills: vec![found("viking://resources/a", 0, 0.5)],
            ..FindResult::default()
        };
        let order: Vec<_> = best_first(&result)
            .into_iter()
            .map(|hit| (hit.uri.as_str(), hit.level))
            .collect();
        let expected = [
            ("viking://resources/b", 2),
            ("viking://user/a", 2),
            ("viking://resources/a", 1),
            ("viking://resources/a", 0),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn marks_highlights_by_utf16_positions() {
        // The emoji is two code units, so "boat" stands at 3..7.
        let excerpt = Excerpt {
            text: "⛵🚢boat!".into(),
            highlights: vec![[3, 7], [90, 99]],
            ..Excerpt::default()
        };
        assert_eq!(
            marked(&excerpt, Style::of_stdout())
                .replace("\x1b[1;33m", "")
                .replace("\x1b[0m", ""),
            "⛵🚢boat!"
        );
    }
}
