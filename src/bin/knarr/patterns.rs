//! `knarr grep` and `knarr glob`.

use crate::disk::{self, DiskHost};
use crate::failure::Outcome;
use crate::output::{self, Style};
use knarr::Knarr;
use knarr::retrieve::glob::Glob;
use knarr::retrieve::grep::Grep;
use knarr::retrieve::query::{GlobOptions, GrepOptions};
use knarr::retrieve::result::{GlobResult, GrepMatch, GrepResult};
use std::io::{self, Write};
use std::path::PathBuf;

/// Where a search without a URI begins: the whole tree.
pub const ROOT: &str = "viking://";

/// Arguments of `knarr grep`.
#[derive(clap::Args)]
pub struct GrepArguments {
    /// The bundle: its folder, or its one file.
    bundle: PathBuf,
    /// A regular expression, matched against each line.
    pattern: String,
    /// Where to look: this viking:// URI and below.
    #[arg(default_value = ROOT)]
    uri: String,
    /// Ignore case.
    #[arg(short, long)]
    ignore_case: bool,
    /// Stop after this many matching lines.
    #[arg(long, value_name = "N", default_value_t = GrepOptions::default().node_limit)]
    limit: usize,
    /// Look at most this many levels below the URI.
    #[arg(long, value_name = "N", default_value_t = GrepOptions::default().level_limit)]
    depth: usize,
    /// Leave out this URI and everything below it.
    #[arg(long, value_name = "URI")]
    exclude: Option<String>,
    /// Print JSON: `{"matches": [{"line", "uri", "content"}], "count", "match_count", "files_scanned"}`.
    #[arg(long)]
    json: bool,
}

/// Files whose texts are held at a time while a grep reads.
const GREP_BATCH: usize = 64;

/// Runs `knarr grep`.
pub fn grep(arguments: &GrepArguments) -> Outcome {
    let pattern = Grep::new(&arguments.pattern, arguments.ignore_case)?;
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let options = GrepOptions {
        case_insensitive: arguments.ignore_case,
        node_limit: arguments.limit,
        level_limit: arguments.depth,
        exclude_uri: arguments.exclude.clone(),
    };
    let result = pollster::block_on(scan(&bundle, &host, &arguments.uri, &pattern, &options))?;
    if arguments.json {
        return output::json(&result);
    }
    let style = Style::of_stdout();
    let mut out = io::stdout().lock();
    for found in &result.matches {
        writeln!(
            out,
            "{}:{}: {}",
            style.dim(&found.uri),
            style.bold(found.line),
            found.content
        )?;
    }
    if result.count == arguments.limit {
        drop(out);
        eprintln!("stopped after {} lines; --limit allows more", result.count);
    }
    Ok(())
}

/// Reads the files in scope, in tree order, until `node_limit` lines have matched: what the browser does across its two
/// modules.
async fn scan(
    bundle: &Knarr,
    host: &DiskHost,
    uri: &str,
    pattern: &Grep,
    options: &GrepOptions,
) -> knarr::Result<GrepResult> {
    let mut result = GrepResult::default();
    let files = bundle.grep_scope(host, uri, options).await?;
    'reading: for batch in files.chunks(GREP_BATCH) {
        let nodes: Vec<u32> = batch.iter().map(|file| file.node).collect();
        let texts = bundle.texts(host, &nodes).await?;
        for (file, text) in batch.iter().zip(&texts) {
            let left = options.node_limit - result.matches.len();
            if left == 0 {
                break 'reading;
            }
            result.files_scanned += 1;
            let lines = pattern.scan(text, left).into_iter();
            result.matches.extend(lines.map(|line| GrepMatch {
                line: line.number,
                uri: file.uri.clone(),
                content: line.content.to_owned(),
            }));
        }
    }
    result.count = result.matches.len();
    result.match_count = result.count;
    Ok(result)
}

/// Arguments of `knarr glob`.
#[derive(clap::Args)]
pub struct GlobArguments {
    /// The bundle: its folder, or its one file.
    bundle: PathBuf,
    /// A glob pattern, matched against paths below the URI: `**/*.md`.
    pattern: String,
    /// Where to look: below this viking:// URI.
    #[arg(default_value = ROOT)]
    uri: String,
    /// Stop after this many matches.
    #[arg(long, value_name = "N", default_value_t = GlobOptions::default().node_limit)]
    limit: usize,
    /// Print JSON: `{"matches": [uri], "count"}`.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr glob`.
pub fn glob(arguments: &GlobArguments) -> Outcome {
    let pattern = Glob::new(&arguments.pattern)?;
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let scope = pollster::block_on(bundle.glob_scope(&host, &arguments.uri))?;
    let paths: Vec<&str> = scope.iter().map(|entry| entry.path.as_str()).collect();
    let found = pattern.filter(&paths, arguments.limit);
    let matches: Vec<String> = found
        .into_iter()
        .map(|at| scope[at as usize].uri.clone())
        .collect();
    let result = GlobResult {
        count: matches.len(),
        matches,
    };
    if arguments.json {
        return output::json(&result);
    }
    let mut out = io::stdout().lock();
    for uri in &result.matches {
        writeln!(out, "{uri}")?;
    }
    Ok(())
}
