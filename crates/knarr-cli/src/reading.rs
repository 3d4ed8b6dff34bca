//! The reading commands: `abstract`, `overview`, `read`, `download`, `ls`, `tree`, `stat`, `relations`.

use crate::disk;
use crate::failure::Outcome;
use crate::output::{self, Style, Table};
use crate::patterns::ROOT;
use knarr::find::answer::result::Entry;
use knarr::find::ask::options::{ListOptions, ReadOptions, RelationOptions, SortBy, SortOrder};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Arguments of the commands that ask about one node.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The viking:// URI of a directory or file.
    uri: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A text with the URI it belongs to, for `--json`.
#[derive(Serialize)]
struct Text<'a> {
    uri: &'a str,
    text: &'a str,
}

/// Runs `knarr abstract`.
pub fn abstract_(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let text = pollster::block_on(bundle.abstract_(&host, &arguments.uri))?;
    print_text(&arguments.uri, &text, arguments.json)
}

/// Runs `knarr overview`.
pub fn overview(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let text = pollster::block_on(bundle.overview(&host, &arguments.uri))?;
    print_text(&arguments.uri, &text, arguments.json)
}

/// Arguments of `knarr read`.
#[derive(clap::Args)]
pub struct ReadArguments {
    #[command(flatten)]
    pub node: Arguments,
    /// First line, counted from 0.
    #[arg(long, value_name = "LINE", default_value_t = 0)]
    offset: usize,
    /// First line, counted from 1, as grep prints it.
    #[arg(long, value_name = "LINE", conflicts_with = "offset")]
    line: Option<NonZeroUsize>,
    /// Number of lines [default: all that follow].
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Print a memory as it is stored, with the comment that holds its fields.
    #[arg(long)]
    raw: bool,
}

/// Runs `knarr read`.
pub fn read(arguments: &ReadArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.node.bundle)?;
    let options = ReadOptions {
        offset: arguments.offset,
        line: arguments.line.map(NonZeroUsize::get),
        limit: arguments.limit.map_or(-1, i64::from),
        raw: arguments.raw,
    };
    let text = pollster::block_on(bundle.read(&host, &arguments.node.uri, &options))?;
    print_text(&arguments.node.uri, &text, arguments.node.json)
}

/// Arguments of `knarr download`.
#[derive(clap::Args)]
pub struct DownloadArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The viking:// URI of a file, or of a directory's sidecar.
    uri: String,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON: `{"uri", "size"}` with "out", or without --out with the bytes as "base64".
    #[arg(long)]
    json: bool,
}

/// A file with the URI it belongs to, for `--json`.
#[derive(Serialize)]
struct Download<'a> {
    uri: &'a str,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

/// Runs `knarr download`.
pub fn download(arguments: &DownloadArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let bytes = pollster::block_on(bundle.download(&host, &arguments.uri))?;
    if let Some(out) = &arguments.out {
        disk::apart(&arguments.bundle, out)?;
        output::file(out, &bytes)?;
    }
    let out = arguments.out.as_ref().map(|out| out.display().to_string());
    match (arguments.json, &out) {
        (true, _) => output::json(&Download {
            uri: &arguments.uri,
            size: bytes.len(),
            base64: out.is_none().then(|| output::base64(&bytes)),
            out,
        }),
        (false, None) => Ok(io::stdout().lock().write_all(&bytes)?),
        (false, Some(_)) => Ok(()),
    }
}

fn print_text(uri: &str, text: &str, json: bool) -> Outcome {
    if json {
        output::json(&Text { uri, text })
    } else {
        output::text(text)
    }
}

/// Arguments that `ls` and `tree` share.
#[derive(clap::Args)]
pub struct ListArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The viking:// URI of a directory.
    #[arg(default_value = ROOT)]
    uri: String,
    /// Stop after this many rows.
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().node_limit)]
    limit: usize,
    /// Leave out so many rows before the first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Cut abstracts to this many characters; 0 leaves them out.
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().abs_limit)]
    abstract_limit: usize,
    /// Also list hidden files and the sidecars `.abstract.md` and `.overview.md`.
    #[arg(short, long)]
    all: bool,
    /// Order of each directory's entries: name or mtime. Directories come first.
    #[arg(long, value_name = "KEY", default_value = "name", value_parser = crate::flags::word(SortBy::WORDS))]
    sort: SortBy,
    /// Reverse the order: largest first.
    #[arg(long)]
    reverse: bool,
    /// Print JSON: a list of `{"uri", "size", "isDir", "modTime", "abstract", "rel_path"}`.
    #[arg(long)]
    json: bool,
}

impl ListArguments {
    fn options(&self) -> ListOptions {
        ListOptions {
            abs_limit: self.abstract_limit,
            // One more, to know whether there are more.
            node_limit: self.limit.saturating_add(1),
            offset: self.offset,
            show_all_hidden: self.all,
            sort_by: self.sort,
            sort_order: match self.reverse {
                true => SortOrder::Desc,
                false => SortOrder::Asc,
            },
            ..ListOptions::default()
        }
    }
}

impl ListArguments {
    /// Cuts a listing to what was asked for, and says on standard error that it is cut.
    fn cut(&self, entries: &mut Vec<Entry>) {
        if entries.len() > self.limit {
            entries.truncate(self.limit);
            let next = self.offset + self.limit;
            let rows = output::counted(self.limit, "row");
            eprintln!(
                "stopped after {rows}; --limit allows more, --offset {next} gives those that follow"
            );
        }
    }
}

/// Arguments of `knarr ls`.
#[derive(clap::Args)]
pub struct LsArguments {
    #[command(flatten)]
    pub list: ListArguments,
    /// List everything below the directory, not only its children.
    #[arg(short, long)]
    recursive: bool,
    /// Print only paths, relative to the directory; with --json as a list.
    #[arg(long)]
    simple: bool,
}

/// Runs `knarr ls`.
pub fn ls(arguments: &LsArguments) -> Outcome {
    let list = &arguments.list;
    let (bundle, host) = disk::open(&list.bundle)?;
    let options = ListOptions {
        recursive: arguments.recursive,
        ..list.options()
    };
    let mut entries = pollster::block_on(bundle.ls(&host, &list.uri, &options))?;
    list.cut(&mut entries);
    if arguments.simple {
        let paths: Vec<&str> = entries
            .iter()
            .map(|entry| entry.rel_path.as_str())
            .collect();
        return match list.json {
            true => output::json(&paths),
            false => output::text(&paths.join("\n")),
        };
    }
    if list.json {
        return output::json(&entries);
    }
    let mut table = Table::new(&["", ">", "", ""]);
    for entry in &entries {
        let size = if entry.is_dir {
            String::new()
        } else {
            output::bytes(entry.size)
        };
        let day = entry.mod_time.get(..10).unwrap_or("").to_owned();
        table.row([
            shown_path(entry),
            size,
            day,
            first_line(&entry.abstract_, 72),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}

/// Arguments of `knarr tree`.
#[derive(clap::Args)]
pub struct TreeArguments {
    #[command(flatten)]
    pub list: ListArguments,
    /// Levels to show.
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().level_limit)]
    depth: usize,
}

/// Runs `knarr tree`.
pub fn tree(arguments: &TreeArguments) -> Outcome {
    let list = &arguments.list;
    let (bundle, host) = disk::open(&list.bundle)?;
    // A level more, to know whether there is one; then the rows are counted here.
    let options = ListOptions {
        level_limit: arguments.depth.saturating_add(1),
        node_limit: usize::MAX,
        offset: 0,
        ..list.options()
    };
    let mut entries = pollster::block_on(bundle.tree(&host, &list.uri, &options))?;
    let n_all = entries.len();
    entries.retain(|entry| entry.rel_path.trim_matches('/').matches('/').count() < arguments.depth);
    if entries.len() < n_all {
        eprintln!(
            "what lies more than {} levels down is not shown; --depth allows more",
            arguments.depth
        );
    }
    entries.drain(..list.offset.min(entries.len()));
    list.cut(&mut entries);
    if list.json {
        return output::json(&entries);
    }
    let style = Style::of_stdout();
    let mut out = io::stdout().lock();
    writeln!(out, "{}", style.bold(&list.uri))?;
    for entry in &entries {
        let path = shown_path(entry);
        let trimmed = path.trim_end_matches('/');
        let (depth, name) = match trimmed.rfind('/') {
            Some(at) => (trimmed.matches('/').count(), &path[at + 1..]),
            None => (0, &path[..]),
        };
        writeln!(
            out,
            "{}{}",
            "  ".repeat(depth + 1),
            if entry.is_dir {
                style.bold(name)
            } else {
                name.to_owned()
            }
        )?;
    }
    Ok(())
}

/// Path below the listed directory, with a slash behind directories.
fn shown_path(entry: &Entry) -> String {
    let path = entry.rel_path.trim_end_matches('/');
    if entry.is_dir {
        format!("{path}/")
    } else {
        path.to_owned()
    }
}

fn first_line(text: &str, max_chars: usize) -> String {
    let line = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("")
        .trim();
    if line.chars().count() <= max_chars {
        return line.to_owned();
    }
    line.chars().take(max_chars - 1).chain(['…']).collect()
}

/// Runs `knarr stat`.
pub fn stat(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let stat = pollster::block_on(bundle.stat(&host, &arguments.uri))?;
    if arguments.json {
        return output::json(&stat);
    }
    let mut table = Table::new(&["", ""]);
    let rows = [
        ("name", stat.name),
        ("title", stat.title),
        (
            "kind",
            if stat.is_dir { "directory" } else { "file" }.to_owned(),
        ),
        ("type", stat.context_type.to_owned()),
        ("size", output::bytes(stat.size)),
        ("changed", stat.mod_time),
        ("rows", stat.count.to_string()),
        ("tags", stat.tags.join(", ")),
    ];
    for (name, value) in rows {
        table.row([name.to_owned(), value]);
    }
    output::text(&table.render(Style::of_stdout()))
}

/// Arguments of `knarr relations`.
#[derive(clap::Args)]
pub struct RelationsArguments {
    #[command(flatten)]
    pub node: Arguments,
    /// Number of relations at most: links first, with room for two similar pages.
    #[arg(long, value_name = "N", default_value_t = RelationOptions::default().limit)]
    limit: usize,
}

/// Runs `knarr relations`.
pub fn relations(arguments: &RelationsArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.node.bundle)?;
    let options = RelationOptions {
        limit: arguments.limit,
    };
    let relations = pollster::block_on(bundle.relations(&host, &arguments.node.uri, &options))?;
    if arguments.node.json {
        return output::json(&relations);
    }
    let mut table = Table::new(&["", ""]);
    for relation in relations {
        let why = match relation.cosine {
            Some(cosine) => format!("{cosine:.3} similar"),
            None => first_line(&relation.reason, 72),
        };
        table.row([relation.uri, why]);
    }
    output::text(&table.render(Style::of_stdout()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_lines_by_characters() {
        assert_eq!(first_line("\n  short \nsecond", 10), "short");
        assert_eq!(first_line("ééééé", 4), "ééé…");
    }
}
