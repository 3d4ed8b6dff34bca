//! `knarr grep` and `knarr glob`.

use crate::disk;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Style};
use knarr::Knarr;
use knarr::base::host::Host;
use knarr::find::ask::options::{GlobOptions, GrepOptions, GrepOutput};
use std::io::{self, Write};
use std::path::PathBuf;

/// The place of a search without a URI: the whole tree.
pub const ROOT: &str = "viking://";

/// Arguments of `knarr grep`.
#[derive(clap::Args)]
pub struct GrepArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// A regular expression, matched against each line. Pattern and URI may stand in either order.
    pattern: String,
    /// The viking:// URI to search at and below.
    #[arg(default_value = ROOT)]
    uri: String,
    /// Match upper and lower case alike.
    #[arg(short, long)]
    ignore_case: bool,
    /// Stop after this many matching lines, or files.
    #[arg(long, value_name = "N", default_value_t = GrepOptions::default().node_limit)]
    limit: usize,
    /// Leave out so many lines or files before the first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Print the files with a match, each with the number of its matching lines, and no lines.
    #[arg(short = 'l', long = "files")]
    files: bool,
    /// Cut longer lines to this many characters around their match; 0 cuts none.
    #[arg(
        long,
        visible_alias = "max-columns",
        value_name = "N",
        default_value_t = 0
    )]
    line_length: usize,
    /// Look at most this many levels below the URI.
    #[arg(long, visible_alias = "level-limit", value_name = "N", default_value_t = GrepOptions::default().level_limit)]
    depth: usize,
    /// Leave out this URI and everything below it.
    #[arg(long, value_name = "URI")]
    exclude: Option<String>,
    /// Print JSON: `{"matches": [{"line", "uri", "content"}], "count", "match_count", "files_scanned"}`; with
    /// --files, "files": [{"uri", "count"}]; "truncated" where it stopped at the limit.
    #[arg(long)]
    json: bool,
}

impl GrepArguments {
    /// The two in OpenViking's order, too: only one of them can be a URI where the other is none.
    fn pattern_and_uri(&self) -> (&str, &str) {
        let (first, second) = (self.pattern.as_str(), self.uri.as_str());
        if first.starts_with(ROOT) && !second.starts_with(ROOT) {
            (second, first)
        } else {
            (first, second)
        }
    }
}

/// Runs `knarr grep`.
pub fn grep(arguments: &GrepArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let options = GrepOptions {
        case_insensitive: arguments.ignore_case,
        node_limit: arguments.limit,
        level_limit: arguments.depth,
        exclude_uri: arguments.exclude.clone(),
        offset: arguments.offset,
        output: match arguments.files {
            true => GrepOutput::Files,
            false => GrepOutput::Lines,
        },
        line_length: arguments.line_length,
    };
    let (pattern, uri) = arguments.pattern_and_uri();
    let grep = bundle.grep(&host, uri, pattern, &options);
    let result = pollster::block_on(grep)?;
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
    for file in &result.files {
        writeln!(out, "{}:{}", style.dim(&file.uri), file.count)?;
    }
    drop(out);
    if result.truncated {
        let row = if arguments.files { "file" } else { "line" };
        eprintln!(
            "stopped after {}; --limit allows more, --offset {} gives those that follow",
            output::counted(result.count, row),
            arguments.offset + result.count
        );
        return Ok(());
    }
    if !uri.contains('#') {
        tell_deeper(&bundle, &host, uri, &options)?;
    }
    match result.count {
        0 => Err(Failure::Nothing),
        _ => Ok(()),
    }
}

/// Says on standard error how many files lie too deep to have been looked at.
fn tell_deeper(bundle: &Knarr, host: &impl Host, uri: &str, options: &GrepOptions) -> Outcome {
    let deep = GrepOptions {
        level_limit: usize::MAX,
        ..options.clone()
    };
    let files = |options| pollster::block_on(bundle.grep_scope(host, uri, options));
    let deeper = files(&deep)?.len() - files(options)?.len();
    if deeper > 0 {
        eprintln!(
            "{deeper} files more than {} levels down were not looked at; --depth allows more",
            options.level_limit
        );
    }
    Ok(())
}

/// Arguments of `knarr glob`.
#[derive(clap::Args)]
pub struct GlobArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// A glob pattern, matched against paths below the URI: `**/*.md`.
    pattern: String,
    /// The viking:// URI to search below.
    #[arg(default_value = ROOT)]
    uri: String,
    /// The same as a flag, as OpenViking's command line has it.
    #[arg(long = "uri", value_name = "URI", conflicts_with = "uri")]
    below: Option<String>,
    /// Stop after this many matches.
    #[arg(long, value_name = "N", default_value_t = GlobOptions::default().node_limit)]
    limit: usize,
    /// Leave out so many matches before the first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Print JSON: `{"matches": [uri], "count"}`, and "truncated" where it stopped at the limit.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr glob`.
pub fn glob(arguments: &GlobArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let options = GlobOptions {
        node_limit: arguments.limit,
        offset: arguments.offset,
    };
    let uri = arguments.below.as_ref().unwrap_or(&arguments.uri);
    let glob = bundle.glob(&host, &arguments.pattern, uri, &options);
    let result = pollster::block_on(glob)?;
    if arguments.json {
        return output::json(&result);
    }
    let mut out = io::stdout().lock();
    for uri in &result.matches {
        writeln!(out, "{uri}")?;
    }
    if result.truncated {
        drop(out);
        eprintln!(
            "stopped after {} {}; --limit allows more, --offset {} gives those that follow",
            result.count,
            if result.count == 1 {
                "match"
            } else {
                "matches"
            },
            arguments.offset + result.count
        );
    }
    Ok(())
}
