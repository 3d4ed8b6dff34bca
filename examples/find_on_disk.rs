//! Searches a bundle in a folder, as `knarr build` writes it.
//!
//! `cargo run --example find_on_disk -- BUNDLE QUERY`

use knarr::{Error, ErrorKind, Fetched, FindOptions, Host, Knarr, Result};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(query)) = (arguments.next(), arguments.next()) else {
        println!("usage: find_on_disk BUNDLE QUERY");
        return Ok(());
    };
    print!("{}", report(folder.into(), &query)?);
    Ok(())
}

/// The best five pages for `query`, one per line.
pub fn report(folder: PathBuf, query: &str) -> Result<String> {
    let folder = Folder(folder);
    let options = FindOptions::new().limit(5);
    let answer = pollster::block_on(async {
        let knarr = Knarr::open(&folder).await?;
        knarr.find(&folder, query, &options).await
    })?;
    let mut out = String::new();
    for found in &answer.resources {
        let _ = writeln!(out, "{:.2} {} ({})", found.score, found.title, found.url);
    }
    Ok(out)
}

/// A folder whose files are the bundle's.
struct Folder(PathBuf);

impl Folder {
    fn read(&self, file: &str, range: Option<(u64, u64)>) -> io::Result<Fetched> {
        let mut opened = File::open(self.0.join(file))?;
        let (start, end) = range.unwrap_or((0, u64::MAX));
        opened.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        opened.take(end - start).read_to_end(&mut bytes)?;
        Ok(Fetched {
            bytes,
            offset: start,
        })
    }
}

impl Host for Folder {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        self.read(file, range).map_err(|error| {
            let kind = match error.kind() {
                io::ErrorKind::NotFound => ErrorKind::BundleMissing,
                _ => ErrorKind::Unavailable,
            };
            Error::new(kind, format!("{file}: {error}"))
        })
    }
}
