//! `knarr find`: one query for a person or a program, or a file of queries for a program.

use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::output::{self, Style};
use crate::{disk, judgements};
use knarr::find::answer::result::{
    Excerpt, FindResult, MatchedContext, Skipped, Trace, VectorTelemetry,
};
use knarr::find::ask::filter::{TimeField, Value};
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `knarr find`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    bundle: PathBuf,
    /// What to look for.
    #[arg(required_unless_present = "queries", conflicts_with = "queries")]
    query: Option<String>,
    /// Answer every line `{"query": …}` of this file, in order, with one line of JSON each ("-": standard input).
    #[arg(long, value_name = "FILE.jsonl", requires = "json")]
    queries: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArguments,
    /// Leave out excerpts and sections, and do not read the texts they come from.
    #[arg(long)]
    no_excerpts: bool,
    /// Tell how each score came about; needs --json.
    #[arg(long, requires = "json")]
    explain: bool,
    /// Tell the course of the question: candidates, and the steps of a walk; needs --json.
    #[arg(long, requires = "json")]
    trace: bool,
    /// Tell what each result links to, at most five contexts; needs --json.
    #[arg(long, requires = "json")]
    relations: bool,
    /// Tell what was done, in numbers; needs --json.
    #[arg(long, requires = "json")]
    telemetry: bool,
    /// Print JSON: `{"query", "results", "total", "corrections", "skipped"}`, results best first.
    #[arg(long)]
    json: bool,
}

fn parse_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("ask for one result at least".into()),
        Ok(limit) => Ok(limit),
        Err(error) => Err(format!("{error}")),
    }
}

/// How to find; `find` and `search` share it.
#[derive(clap::Args)]
pub struct SearchArguments {
    /// How many results.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = parse_limit)]
    limit: usize,
    /// Search only at and below this viking:// URI (repeatable).
    #[arg(long, value_name = "URI")]
    target: Vec<String>,
    /// Levels wanted: 0 abstracts, 1 overviews, 2 files (repeatable; files when none is named).
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=2))]
    level: Vec<u8>,
    /// Weight of the vectors in the mix: 0 keywords only, 1 vectors only (the bundle's own when not named).
    #[arg(long, value_name = "0..1")]
    alpha: Option<f32>,
    /// Flat search, or a walk through the directories.
    #[arg(long, value_enum, default_value_t)]
    mode: ModeName,
    /// Which walk, with --mode thinking.
    #[arg(long, value_enum, default_value_t)]
    preset: PresetName,
    /// Weight of the entity graph: 0 does not ask it, 1 leaves only what it found.
    #[arg(long, value_name = "0..1")]
    graph: Option<f32>,
    /// Onyx's choices, as JSON: {"scoring":"two_field"}, {"alpha":"auto"}, {"recency":0.5}, {"expansions":{"semantic":
    /// ["…"],"keywords":["…"]}}, {"votes":[{"tag":"kind=guide","votes":3}]}, {"context":true}; see docs/HYBRID.md.
    #[arg(long, value_name = "JSON", value_parser = parse_value)]
    hybrid: Option<Value>,
    /// Only what passes this filter, as JSON: {"op":"must","field":"tags","conds":["lang=de"]}.
    #[arg(long, value_name = "JSON", value_parser = parse_value)]
    filter: Option<Value>,
    /// Only what carries this tag, key=value or a word (repeatable: all of them).
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Only this type: memory, resource or skill (repeatable).
    #[arg(long, value_name = "TYPE")]
    r#type: Vec<String>,
    /// Only what is not older than this: 7d, 2026-03-11, or an ISO 8601 time.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only what is not newer than this.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// --since and --until are about when a file was made, not when it last changed.
    #[arg(long)]
    created: bool,
    /// The current user's id: what viking://~ means, and whose memories may be seen.
    #[arg(long, value_name = "ID")]
    user: Option<String>,
    /// The peer that acts for the user.
    #[arg(long, value_name = "ID")]
    peer: Option<String>,
    /// Languages wanted, dearest first, as BCP 47 tags, or "*" for all (repeatable; the site's own when none is named).
    /// Others are shown where these do not answer.
    #[arg(long, value_name = "TAG")]
    lang: Vec<String>,
    /// Versions of the documented product wanted, as the site writes them, or "*" for all (repeatable; the newest stable
    /// one when none is named).
    #[arg(long, value_name = "VERSION")]
    docs_version: Vec<String>,
    /// Drop results whose score is not above this.
    #[arg(long, value_name = "0..1")]
    threshold: Option<f32>,
    /// Take the last word as finished: do not complete it.
    #[arg(long)]
    no_prefix: bool,
}

/// The names of [`Preset`] on the command line.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub enum PresetName {
    /// Files only inside directories that the walk opened.
    Classic,
    /// Classic, and the best files from the start.
    #[default]
    #[value(name = "classic+leaves")]
    ClassicLeaves,
    /// Four directories a round, nothing is passed on.
    Current,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Classic => Self::Classic,
            PresetName::ClassicLeaves => Self::ClassicLeaves,
            PresetName::Current => Self::Current,
        }
    }
}

/// An option given as JSON.
pub fn parse_value(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|error| format!("not JSON of the right shape: {error}"))
}

/// Milliseconds since 1970 UTC.
pub fn now_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| i64::try_from(now.as_millis()).unwrap_or(i64::MAX))
}

/// The names of [`Mode`] on the command line.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub enum ModeName {
    /// What measures best.
    #[default]
    Auto,
    /// Flat hybrid search.
    Quick,
    /// Hierarchical walk.
    Thinking,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Auto => Self::Auto,
            ModeName::Quick => Self::Quick,
            ModeName::Thinking => Self::Thinking,
        }
    }
}

impl SearchArguments {
    /// The options of the engine; with or without excerpts.
    pub fn options(&self, excerpts: bool) -> FindOptions {
        FindOptions {
            target_uri: OneOrMany::Many(self.target.clone()),
            limit: self.limit,
            score_threshold: self.threshold,
            level: Value::from(self.level.as_slice()),
            mode: self.mode.into(),
            preset: self.preset.into(),
            filter: self.filter.clone().unwrap_or_default(),
            tags: self.tag.clone(),
            context_type: OneOrMany::Many(self.r#type.clone()),
            since: self.since.clone(),
            until: self.until.clone(),
            time_field: if self.created {
                TimeField::CreatedAt
            } else {
                TimeField::UpdatedAt
            },
            user: self.user.clone(),
            actor_peer: self.peer.clone(),
            now: Some(now_ms()),
            alpha: self.alpha,
            graph: self.graph,
            hybrid: self.hybrid.clone().unwrap_or_default(),
            lang: OneOrMany::Many(self.lang.clone()),
            version: OneOrMany::Many(self.docs_version.clone()),
            prefix: !self.no_prefix,
            excerpts,
            ..FindOptions::default()
        }
    }
}

/// One answer, as JSON. The groups of [`FindResult`] are one list here; `context_type` tells them apart.
#[derive(Serialize)]
struct Answer<'a> {
    query: &'a str,
    results: Vec<&'a MatchedContext>,
    total: usize,
    corrections: &'a [[String; 2]],
    skipped: &'a [Skipped],
    alpha: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    telemetry: Option<&'a VectorTelemetry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a Trace>,
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
    let options = FindOptions {
        explain: arguments.explain,
        trace: arguments.trace,
        relations: arguments.relations,
        telemetry: arguments.telemetry,
        ..arguments.search.options(!arguments.no_excerpts)
    };
    let find = |query: &str| pollster::block_on(bundle.find(&host, query, &options));
    match (&arguments.query, &arguments.queries) {
        (Some(query), _) => {
            let result = find(query)?;
            if arguments.json {
                output::json(&answer(query, &result))
            } else {
                print(&result)
            }
        }
        (None, Some(file)) => answer_file(file, find),
        (None, None) => Err(invalid("a query is needed")),
    }
}

/// Answers a file of queries. A query that fails has its `error` in its line; the command then fails at the end.
fn answer_file(
    file: &std::path::Path,
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

fn answer<'a>(query: &'a str, result: &'a FindResult) -> Answer<'a> {
    Answer {
        query,
        results: best_first(result),
        total: result.total,
        corrections: &result.corrections,
        skipped: &result.skipped,
        alpha: result.alpha,
        telemetry: result.telemetry.as_ref(),
        trace: result.trace.as_ref(),
    }
}

/// The three lists of a result as one: by score, ties by URI, then level.
pub fn best_first(result: &FindResult) -> Vec<&MatchedContext> {
    let mut all: Vec<_> = [&result.memories, &result.resources, &result.skills]
        .into_iter()
        .flatten()
        .collect();
    all.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.uri.cmp(&b.uri))
            .then(a.level.cmp(&b.level))
    });
    all
}

/// Prints a result for a person.
pub fn print(result: &FindResult) -> Outcome {
    let style = Style::of_stdout();
    let mut out = io::stdout().lock();
    for [typed, read_as] in &result.corrections {
        writeln!(
            out,
            "{}",
            style.dim(format!("{typed:?} was read as {read_as:?}"))
        )?;
    }
    for (place, found) in best_first(result).into_iter().enumerate() {
        writeln!(
            out,
            "{:>3}  {:.3}  {}",
            place + 1,
            found.score,
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
            writeln!(
                out,
                "            › {}  {}",
                section.title,
                style.dim(format!("#{}", section.anchor))
            )?;
        }
    }
    if result.total == 0 {
        writeln!(out, "nothing found")?;
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
            ("viking://resources/a", 0),
            ("viking://resources/a", 1),
            ("viking://user/a", 2),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn marks_highlights_by_utf16_positions() {
        // The emoji is two code units, so "boat" stands at 3..7.
        let excerpt = Excerpt {
            text: "⛵🚢boat!".into(),
            highlights: vec![[3, 7], [90, 99]],
        };
        assert_eq!(
            marked(&excerpt, Style::of_stdout())
                .replace("\x1b[1;33m", "")
                .replace("\x1b[0m", ""),
            "⛵🚢boat!"
        );
    }
}
