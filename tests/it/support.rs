//! Bundles in memory, and a host that serves them.

use knarr::find::answer::result::FindResult;
use knarr::indexer::site::Defaults;
use knarr::indexer::{BuildOptions, Builder, Built, Document, DocumentSection, PageCopy, input};
use knarr::{Error, ErrorKind, Fetched, FindOptions, Host, Knarr, Result};
use pollster::block_on;
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
    corpus_read(build, &input::InputOptions::default())
}

/// The test corpus, read and built with these options; dates of git would differ from one clone to another.
pub fn corpus_read(build: BuildOptions, options: &input::InputOptions) -> Built {
    folder_read("tests/corpus", build, options)
}

/// A folder of the repository, read and built with these options, without dates of git.
pub fn folder_read(folder: &str, build: BuildOptions, options: &input::InputOptions) -> Built {
    let options = &input::InputOptions {
        use_git_dates: false,
        ..options.clone()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let scan = input::scan(&root, options).unwrap();
    let mut builder = Builder::new(build).unwrap();
    for file in &scan.files {
        if let Ok(document) = input::parse(file, options) {
            builder.add(document).unwrap();
        }
    }
    builder.finish(&mut |_, _, _| {}).unwrap()
}

/// A page of one section.
pub fn page(path: &str, title: &str, text: &str) -> Document {
    Document {
        path: path.into(),
        title: title.into(),
        weight: 1.0,
        sections: vec![DocumentSection {
            heading: title.into(),
            anchor: "top".into(),
            level: 1,
            text: text.into(),
            weight: 1.0,
            ..Default::default()
        }],
        ..Document::default()
    }
}

/// Documents as a bundle, served from memory.
pub fn served(documents: Vec<Document>, language: &str, version: &str) -> Script {
    let mut builder = Builder::new(BuildOptions::default()).unwrap();
    builder.add_batch(documents).unwrap();
    builder.defaults(Defaults {
        language: language.into(),
        version: version.into(),
    });
    Script::built(builder)
}

/// A site in English and German, two versions of its English, with a damped page.
pub fn two_languages() -> Script {
    let of = |path: &str, title: &str, text: &str, language: &str, version: &str| Document {
        language: Some(language.into()),
        version: version.into(),
        crumbs: ["Manual".to_owned()].into(),
        ..page(path, title, text)
    };
    let copy = |path: &str, version: &str| PageCopy {
        path: path.into(),
        url: path.into(),
        version: version.into(),
        ..PageCopy::default()
    };
    let mut install = of(
        "install.html",
        "Install the gateway",
        "Unpack the archive and start the gateway with its battery charged.",
        "en",
        "2",
    );
    install.copies = vec![
        copy("v1/install.html", "1"),
        copy("next/install.html", "next"),
    ];
    let mut german = of(
        "de/install.html",
        "Das Gateway installieren",
        "Das Archiv auspacken und das Gateway mit geladener Batterie starten.",
        "de",
        "2",
    );
    german.translation_of = "install.html".into();
    let mut blog = of(
        "blog/battery.html",
        "The battery",
        "Our battery lasts. The battery is a new battery for the sensor.",
        "en",
        "",
    );
    blog.damping = 0.5;
    let pages = vec![
        install,
        german,
        blog,
        of(
            "sensor.html",
            "The sensor",
            "The battery of a sensor lasts a year.",
            "en",
            "2",
        ),
        of(
            "de/sensor.html",
            "Der Sensor",
            "Die Batterie eines Sensors. Sendersuchlauf.",
            "de",
            "2",
        ),
        of(
            "next/quantum.html",
            "Quantum mode",
            "Entangled telemetry.",
            "en",
            "next",
        ),
    ];
    served(pages, "en", "2")
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

    /// Serves what a builder was given.
    pub fn built(builder: Builder) -> Self {
        Self::of(builder.finish(&mut |_, _, _| {}).unwrap())
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

/// A bundle of what a builder was given, opened, behind its host.
pub fn opened(builder: Builder) -> (Script, Knarr) {
    let host = Script::built(builder);
    let knarr = block_on(Knarr::open(&host)).unwrap();
    (host, knarr)
}

/// A bundle in packs that was opened, with its host.
pub struct Opened {
    host: Script,
    knarr: Knarr,
}

impl Opened {
    /// Builds and opens documents.
    pub fn of(documents: impl IntoIterator<Item = Document>) -> Self {
        let mut builder = Builder::new(BuildOptions {
            single_file: Some(false),
            ..BuildOptions::default()
        })
        .unwrap();
        documents.into_iter().for_each(|d| builder.add(d).unwrap());
        let (host, knarr) = opened(builder);
        Self { host, knarr }
    }

    /// Asks a question.
    pub fn ask(&self, question: &str, options: &FindOptions) -> Result<FindResult> {
        block_on(self.knarr.find(&self.host, question, options))
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
