//! `knarr inspect`: what is in a bundle.

use crate::disk;
use crate::failure::Outcome;
use crate::output::{self, Style, Table};
use std::path::PathBuf;

/// Arguments of `knarr inspect`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    bundle: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr inspect`.
pub fn run(arguments: &Arguments) -> Outcome {
    let (bundle, _) = disk::open(&arguments.bundle)?;
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
