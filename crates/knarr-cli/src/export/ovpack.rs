//! `knarr export --ovpack`: from a bundle to a `.ovpack`.

use super::Arguments;
use crate::disk;
use crate::failure::{Failure, Outcome, invalid};
use crate::output;
use knarr::bundle::NodeExport;
use knarr::indexer::Kept;
use knarr::indexer::ovpack::Exported;
use knarr::{Error, ErrorKind};
use serde::Serialize;
use std::path::Path;

/// The output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    uri: &'a str,
    out: String,
    bytes: usize,
    directories: usize,
    files: usize,
    records: usize,
    vectors: usize,
    kept_files: usize,
    extracted_files: usize,
    written_sidecars: usize,
    left_out: &'a [String],
}

/// Writes the pack `out`.
pub fn run(arguments: &Arguments, out: &Path) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    disk::apart(&arguments.bundle, out)?;
    let nodes = pollster::block_on(bundle.stored(&host))?;
    let uri = match &arguments.uri {
        Some(uri) => uri.clone(),
        None => usual_root(&nodes, &bundle.inspect().name)?,
    };
    let mut exported = Exported::new(&uri, &nodes)?;
    if !arguments.vectors {
        exported.pack.vectors = None;
    } else if exported.pack.vectors.is_none() {
        let what = "the bundle keeps no vectors that can go into a pack: its own are of 4 or 8 bits, and a server would take \
                    them for those of its model; build it from a pack with vectors and --pack-vectors, or export without \
                    --vectors, and the server makes its own";
        return Err(Failure::Error(Error::new(
            ErrorKind::FailedPrecondition,
            what,
        )));
    }
    let bytes = exported.pack.write()?;
    output::file(out, &bytes)?;
    let report = Report {
        uri: &exported.pack.root.uri,
        out: out.display().to_string(),
        bytes: bytes.len(),
        directories: exported.pack.directories.len(),
        files: exported.pack.files.len(),
        records: exported.pack.n_records(),
        vectors: exported.pack.vectors.as_ref().map_or(0, |v| v.rows.len()),
        kept_files: exported.kept_files,
        extracted_files: exported.extracted_files,
        written_sidecars: exported.written_sidecars,
        left_out: &exported.left_out,
    };
    match (arguments.json, arguments.quiet) {
        (true, _) => output::json(&report),
        (_, true) => Ok(()),
        _ => print(&report),
    }
}

fn print(report: &Report<'_>) -> Outcome {
    for uri in report.left_out {
        eprintln!(
            "left out: {uri} (packs hold resources and user, and no names with a drive or a backslash)"
        );
    }
    if report.extracted_files > 0 {
        eprintln!(
            "{} exported as the text that the bundle has; build with --keep-source to export the files themselves",
            output::counted(report.extracted_files, "file")
        );
    }
    output::text(&format!(
        "{}: {} and {} of {}, {}\n",
        report.out,
        output::counted(report.files, "file"),
        match report.directories {
            1 => "1 directory".to_owned(),
            n => format!("{n} directories"),
        },
        report.uri,
        output::bytes(report.bytes as u64)
    ))
}

/// The directory that the input became: the root of the one pack that was built, or that of the tree's name.
fn usual_root(nodes: &[NodeExport], name: &str) -> Outcome<String> {
    let packs: Vec<&NodeExport> = nodes
        .iter()
        .filter(|node| node.kept(Kept::PACK).is_some())
        .collect();
    if let [only] = packs[..] {
        return Ok(only.uri.clone());
    }
    let named = format!("viking://resources/{name}");
    if packs.is_empty() && nodes.iter().any(|node| node.uri == named) {
        return Ok(named);
    }
    Err(invalid(
        "the bundle has more than one place to export: name one with --uri",
    ))
}
