//! `cargo xtask sizes`: what a browser downloads, as a table and against the budgets.

use crate::shell::dist;
use anyhow::{Result, bail};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Options of `cargo xtask sizes`.
#[derive(clap::Args)]
pub struct Options {
    /// Fail when a group is above its budget or was not built.
    #[arg(long)]
    check: bool,
}

/// Files that are downloaded together, and how much they may weigh.
struct Group {
    name: &'static str,
    /// Most kilobytes (1,000 bytes) after brotli at its highest level.
    budget_kb: f64,
    belongs: fn(&str) -> bool,
}

/// Budgets of the design, §5.
const GROUPS: [Group; 11] = [
    Group {
        // The design has 96, and all of the core in them; see ARCHITECTURE.md.
        name: "core module, first part",
        budget_kb: 98.3,
        belongs: |file| file == "knarr_core_first.wasm",
    },
    Group {
        // Loaded when the rows of the first search are there.
        name: "core module, rest",
        budget_kb: 18.0,
        belongs: |file| file == "knarr_core_rest.wasm",
    },
    Group {
        // In place of the two where a page names or gives it.
        name: "core module, whole",
        budget_kb: 112.3,
        belongs: |file| file == "knarr_core_bg.wasm",
    },
    Group {
        // Not in the design, which wants everything in the core; see ARCHITECTURE.md.
        name: "full module",
        budget_kb: 210.0,
        belongs: |file| file == "knarr_full_bg.wasm",
    },
    Group {
        name: "grep and glob module",
        budget_kb: 230.0,
        belongs: |file| file == "knarr_patterns_bg.wasm",
    },
    Group {
        // Loaded on the first search with an endpoint, which takes longer than this does.
        name: "endpoints module",
        budget_kb: 60.0,
        belongs: |file| file == "knarr_delegate_bg.wasm",
    },
    Group {
        // .4 of it join the two parts of the module, which are 10.3 fewer for the first rows.
        name: "JavaScript",
        budget_kb: 13.8,
        belongs: |file| ["core.js", "core-worker.js"].contains(&file),
    },
    Group {
        // In place of the core's: a page loads one or the other.
        name: "full JavaScript",
        budget_kb: 20.0,
        belongs: |file| ["index.js", "worker.js"].contains(&file),
    },
    Group {
        // Loaded by `Knarr.remote` only.
        name: "remote client",
        budget_kb: 12.0,
        belongs: |file| file == "remote.js",
    },
    Group {
        // It reads the question itself, which an OpenViking server does.
        name: "Qdrant client",
        budget_kb: 18.1,
        belongs: |file| file == "qdrant.js",
    },
    Group {
        // The design has 15; see ARCHITECTURE.md.
        name: "search element",
        budget_kb: 16.0,
        belongs: |file| file == "knarr-search.js", // Its style sheet is in it.
    },
];

#[derive(Clone, Copy, Default)]
struct Bytes {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

/// Prints the table; with `--check` fails above budget.
pub fn run(options: &Options) -> Result<()> {
    print(&dist())?;
    if options.check {
        check(&dist())
    } else {
        Ok(())
    }
}

/// Prints the size of every file in `dist`, group by group.
pub fn print(dist: &Path) -> Result<()> {
    println!("{:<34} {:>10} {:>10} {:>10}", "", "raw", "gzip", "brotli");
    for group in &GROUPS {
        let files = measure(dist, group)?;
        for (name, bytes) in &files {
            println!(
                "  {:<32} {:>10} {:>10} {:>10}",
                name, bytes.raw, bytes.gzip, bytes.brotli
            );
        }
        let sum = total(&files);
        let budget = format!("{} (≤ {} kB)", group.name, group.budget_kb);
        println!(
            "{budget:<34} {:>10} {:>10} {:>10}",
            sum.raw, sum.gzip, sum.brotli
        );
    }
    Ok(())
}

/// Fails when a group is above its budget or has no file.
pub fn check(dist: &Path) -> Result<()> {
    let mut faults = Vec::new();
    for group in &GROUPS {
        let files = measure(dist, group)?;
        let brotli = total(&files).brotli;
        if files.is_empty() {
            faults.push(format!("{} was not built", group.name));
        } else if brotli as f64 > group.budget_kb * 1000.0 {
            faults.push(format!(
                "{} weighs {brotli} bytes, {} kB are allowed",
                group.name, group.budget_kb
            ));
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("; "));
    }
    Ok(())
}

fn measure(dist: &Path, group: &Group) -> Result<Vec<(String, Bytes)>> {
    let mut names: Vec<String> = match fs::read_dir(dist) {
        Ok(entries) => entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_>>()?,
        Err(_) => bail!(
            "nothing in {}: run `cargo xtask wasm` first",
            dist.display()
        ),
    };
    names.retain(|name| (group.belongs)(name));
    names.sort();
    names
        .into_iter()
        .map(|name| Ok((name.clone(), compress(&fs::read(dist.join(&name))?)?)))
        .collect()
}

fn total(files: &[(String, Bytes)]) -> Bytes {
    files
        .iter()
        .fold(Bytes::default(), |sum, (_, bytes)| Bytes {
            raw: sum.raw + bytes.raw,
            gzip: sum.gzip + bytes.gzip,
            brotli: sum.brotli + bytes.brotli,
        })
}

fn compress(bytes: &[u8]) -> Result<Bytes> {
    const GZIP_FRAME: usize = 18; // Header and trailer of a gzip file without a name.
    let mut brotli = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
    brotli.write_all(bytes)?;
    Ok(Bytes {
        raw: bytes.len(),
        gzip: miniz_oxide::deflate::compress_to_vec(bytes, 9).len() + GZIP_FRAME,
        brotli: brotli.into_inner().len(),
    })
}
