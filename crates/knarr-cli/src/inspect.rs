//! `knarr inspect`: what is in a bundle.

use crate::abstracts;
use crate::disk;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Style, Table};
use knarr::indexer::Kept;
use knarr::indexer::site::{Decision, Report};
use knarr::{Error, ErrorKind, Knarr};
use std::path::PathBuf;

/// Arguments of `knarr inspect`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// Print the decisions on each page of the input with their reasons: its address, language and version, the page
    /// that it was folded into, the rule that left it out, and what its author or the site's owner says of it.
    #[arg(long)]
    pages: bool,
    /// Print the share of directories whose abstract tells nothing but the names of what they hold, and list them.
    #[arg(long, conflicts_with = "pages")]
    abstracts: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr inspect`.
pub fn run(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    if arguments.pages {
        return pages(&bundle, &host, arguments.json);
    }
    if arguments.abstracts {
        return abstracts::run(&bundle, &host, arguments.json);
    }
    let inspection = bundle.inspect();
    if arguments.json {
        return output::json(&inspection);
    }
    let style = Style::of_stdout();
    let mut facts = Table::new(&["", ""]);
    let rows = [
        ("name", inspection.name.clone()),
        ("format", inspection.format.to_string()),
        ("written by", inspection.generator.clone()),
        ("files", inspection.files.to_string()),
        ("directories", inspection.directories.to_string()),
        ("sections", inspection.sections.to_string()),
        ("terms", inspection.terms.to_string()),
        ("vector dimensions", inspection.dims.to_string()),
        ("encoder", inspection.encoder.clone()),
        ("bytes", output::bytes(inspection.bytes)),
    ];
    for (name, value) in rows {
        facts.row([name.to_owned(), value]);
    }
    let mut parts = Table::new(&["part", ">parts", ">bytes", ">share"]);
    for (kind, count, bytes) in &inspection.parts {
        let share = *bytes as f64 * 100.0 / inspection.bytes.max(1) as f64;
        parts.row([
            kind.clone(),
            count.to_string(),
            output::bytes(*bytes),
            format!("{share:.1} %"),
        ]);
    }
    output::text(&format!("{}\n{}", facts.render(style), parts.render(style)))
}

/// Tells what was decided on the pages of the site that the bundle was built from.
fn pages(bundle: &Knarr, host: &disk::DiskHost, json: bool) -> Outcome {
    let nodes = pollster::block_on(bundle.stored(host))?;
    let kept = nodes.iter().find_map(|node| node.kept(Kept::PAGES));
    let Some(report) = kept.and_then(Report::from_bytes) else {
        return Err(Failure::Error(Error::new(
            ErrorKind::FailedPrecondition,
            "the bundle tells nothing of pages: it was built from a pack, from JSON lines, with --no-site, or by an older \
             version; build it from the site's folder",
        )));
    };
    if json {
        return output::json(&report.pages);
    }
    let mut table = Table::new(&["page", "address", "language", "version", "decision"]);
    for (path, d) in &report.pages {
        let by = |value: &str, by: &str| match (value, by) {
            ("", "") => String::new(),
            ("", by) => format!("as the file, {by}"),
            (value, "") => value.to_owned(),
            (value, by) => format!("{value}, {by}"),
        };
        table.row([
            path.clone(),
            by(&d.url, &d.url_by),
            by(&d.language, &d.language_by),
            by(&d.version, &d.version_by),
            decision(d),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}

/// Decisions of rules and people on a page, in words.
fn decision(d: &Decision) -> String {
    let rule = match (d.kind, d.folded_into.as_str()) {
        (_, into) if !into.is_empty() => Some(format!("the same as {into}")),
        (Some(kind), _) if d.left_out => Some(format!("left out: {}", kind.name())),
        (Some(kind), _) => Some(format!("damped: {}", kind.name())),
        _ => None,
    };
    let quoted = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let told = &d.told;
    let parts = [
        rule,
        told.hidden.then(|| "hidden".to_owned()),
        told.weight.map(|weight| format!("weight {weight}")),
        quoted(&told.first_for).map(|queries| format!("first for {queries}")),
        quoted(&told.aliases).map(|names| format!("also called {names}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join("; ")
}
