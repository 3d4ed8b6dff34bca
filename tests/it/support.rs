//! Bundles in memory, and a host that serves them.

use knarr::build::{BuildOptions, Builder, Built, input};
use knarr::{Error, ErrorKind, Fetched, Host, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// The test corpus as a bundle.
pub fn corpus(single_file: Option<bool>) -> Built {
    corpus_with(BuildOptions {
        single_file,
        ..BuildOptions::default()
    })
}

/// The test corpus as a bundle with these options.
pub fn corpus_with(build: BuildOptions) -> Built {
    let options = input::InputOptions {
        use_git_dates: false,
        ..input::InputOptions::default()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let scan = input::scan(&root, &options).unwrap();
    let mut builder = Builder::new(build).unwrap();
    for file in &scan.files {
        if let Ok(document) = input::parse(file, &options) {
            builder.add(document).unwrap();
        }
    }
    builder.finish(&mut |_, _, _| {}).unwrap()
}

/// A host that serves files from memory, by ranges.
#[derive(Clone)]
pub struct Script {
    /// Files by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Script {
    /// Serves a build.
    pub fn of(built: Built) -> Self {
        Self {
            files: built.files.into_iter().collect(),
        }
    }
}

impl Host for Script {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let bytes = self
            .files
            .get(file)
            .ok_or_else(|| Error::new(ErrorKind::BundleMissing, format!("no {file}")))?;
        let (from, to) = range.unwrap_or((0, bytes.len() as u64));
        let to = (to as usize).min(bytes.len());
        let from = (from as usize).min(to);
        Ok(Fetched {
            bytes: bytes[from..to].to_vec(),
            offset: from as u64,
        })
    }
}

/// xorshift64*: enough to choose places, the same everywhere.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}
