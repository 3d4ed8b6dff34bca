//! `knarr build`: from a folder of pages, or a file of documents, to a bundle.

mod corpus;
mod cost;
mod faults;
mod mounts;
mod owner;
mod pack;
mod page_cache;
mod page_place;
mod pages;
pub mod progress;
mod row;
mod shard;
mod site;
mod thread_file;
mod words;
mod write;

use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::models::{Made, ModelArguments, Models};
use crate::output::{self, Style, Table};
use knarr::indexer::input::{InputOptions, PageSelector, Skipped, anchors};
use knarr::indexer::ovpack::{Imported, Pack};
use knarr::indexer::{BuildOptions, BuildSummary, Builder, Built};
use knarr::{Error, ErrorKind};
use page_cache::MemoryCache;
use page_place::Cache;
use progress::Progress;
use serde::Serialize;
use shard::{List, Made as Shared};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Arguments of `knarr build`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A folder of HTML and Markdown pages, a .ovpack, or a file of JSON lines, one document each: `{"id", "title",
    /// "text", "path", "uri", "type", "tags", "created_at", "updated_at",
    /// "active_count"}`.
    input: PathBuf,
    /// The bundle to write: a folder, or with the extension .knarr one file [default: the folder `search` of the input].
    #[arg(short, long, value_name = "BUNDLE")]
    out: Option<PathBuf>,
    /// Name of the tree: documents are at viking://resources/NAME/… [default: the input's name].
    #[arg(long)]
    name: Option<String>,
    /// Prefix of the addresses that results open: the path of a page follows it, behind a slash that is added where the
    /// prefix ends in a name.
    #[arg(long, value_name = "URL", default_value = "", value_parser = base_url)]
    base_url: String,
    /// Read only files that match this glob (repeatable).
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave out files that match this glob (repeatable).
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Ignore this front matter field or <meta> name (repeatable, or separated by commas).
    #[arg(long, value_name = "FIELD", value_delimiter = ',', num_args = 1..)]
    skip_field: Vec<String>,
    /// Read of HTML pages only the elements that this CSS selector matches; pages without one are left out.
    #[arg(long, value_name = "SELECTOR")]
    root_selector: Option<String>,
    /// Leave out the elements of HTML pages that this CSS selector matches (repeatable, or separated by commas).
    #[arg(long, value_name = "SELECTOR")]
    exclude_selectors: Vec<String>,
    /// Put a folder elsewhere in the tree: skills=viking://agent/skills; `.` is the input itself (repeatable).
    #[arg(long, value_name = "FOLDER=URI", value_parser = mounts::parse)]
    mount: Vec<(String, String)>,
    /// Leave out files larger than this many bytes.
    #[arg(long, value_name = "BYTES", default_value_t = InputOptions::default().max_file_bytes)]
    max_file_bytes: u64,
    /// Also read files outside the input that symbolic links point to.
    #[arg(long)]
    follow_links: bool,
    /// Leave out a page that takes longer than this to read.
    #[arg(long, value_name = "SECONDS", default_value_t = InputOptions::default().max_page_time.as_secs())]
    max_page_seconds: u64,
    /// Take the dates of pages that name none from git.
    #[arg(long)]
    git_dates: bool,
    /// Keep the original files in the bundle: `read` prints them in place of the text taken from them, and they can be
    /// exported byte for byte.
    #[arg(long)]
    keep_source: bool,
    /// Search with the vectors of a .ovpack and keep them for `export --vectors`; queries then need their model, as
    /// with --embed.
    #[arg(long, conflicts_with = "embed")]
    pack_vectors: bool,
    /// Write a head with packs even for a small site, which is a single file otherwise, with packs of English words beside it.
    #[arg(long)]
    packs: bool,
    /// Write one file even for a large site: all of it is loaded before the first answer.
    #[arg(long, conflicts_with = "packs")]
    one_file: bool,
    /// Packs of up to 8 MB in place of 64 kB, whose parts are asked for together: for hosts that answer several ranges of a
    /// file in one response (nginx, Apache, Caddy; docs/HOSTING.md). A host without ranges would send them whole.
    #[arg(long, conflicts_with = "one_file")]
    large_packs: bool,
    /// English words that the site does not have and that bring their meaning to a question, commonest first; 0: none
    /// [default: up to 24,000, 0.6 MB that only questions with such words fetch from; with --one-file 1,000].
    #[arg(long, value_name = "N")]
    general_words: Option<usize>,
    /// Synonyms, weights, first pages, other names and hidden pages, as JSON (docs/SITES.md) [default: `knarr.json` in the
    /// input folder, if it is there].
    #[arg(long, value_name = "FILE")]
    site_file: Option<PathBuf>,
    /// Blocks of about 64 pages whose vectors a query looks at besides those of its keyword hits; 0: all [default: by
    /// the size of the site].
    #[arg(long, value_name = "N")]
    probes: Option<u32>,
    /// Dimensions of the vectors; 0 builds without [default: 64; with --embed alone those of the model].
    #[arg(long, value_name = "N")]
    dims: Option<usize>,
    /// Bits per dimension of the vectors: 3, 4 or 8 [default: 4; 3 above 2,000 pages].
    #[arg(long, value_name = "N")]
    bits: Option<u8>,
    /// Weight of the vectors in the score, unless a query names one.
    #[arg(long, value_name = "0..1", default_value_t = BuildOptions::default().alpha)]
    alpha: f32,
    /// Extract people, places, products and other names and their relations, for `find --graph`.
    #[arg(long)]
    graph: bool,
    #[command(flatten)]
    site: site::SiteArguments,
    /// Print only errors.
    #[arg(short, long)]
    quiet: bool,
    /// List every file that was left out.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Go on and build again whenever a page changes.
    #[arg(long, conflicts_with_all = ["json", "llm", "embed", "graph_llm"])]
    watch: bool,
    /// Pages that the builds of one process keep.
    #[arg(skip)]
    memory: OnceLock<Arc<MemoryCache>>,
    // Last: its heading would stand above what follows.
    #[command(flatten)]
    models: ModelArguments,
}

/// Folder of a site that its bundle is in, unless another is named: the search element looks there.
const BUNDLE_FOLDER: &str = "search";

impl Arguments {
    /// The folder or file of the documents.
    #[cfg(not(target_os = "wasi"))]
    pub fn input(&self) -> &Path {
        &self.input
    }

    /// The file of the site's owner, where one is named.
    #[cfg(not(target_os = "wasi"))]
    pub fn site_file(&self) -> Option<&Path> {
        self.site_file.as_deref()
    }

    /// True if the bundle is to be built again whenever its pages change.
    pub fn is_watched(&self) -> bool {
        self.watch
    }

    /// The folder of what later builds need not do again.
    #[cfg(not(target_os = "wasi"))]
    pub fn cache(&self) -> Option<&Path> {
        self.models.cache_folder()
    }

    /// Keeps pages in memory for the builds that follow, unless a folder is named for them.
    #[cfg(not(target_os = "wasi"))]
    pub fn keep_pages(&self) {
        self.memory.get_or_init(Arc::default);
    }

    /// The bundle to write.
    pub fn out(&self) -> PathBuf {
        // Without a slash at its end: `site.knarr/` is the file `site.knarr`.
        let named = self.out.as_ref().map(|out| out.components().collect());
        named.unwrap_or_else(|| self.input.join(BUNDLE_FOLDER))
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    out: String,
    /// Bytes of the input files that were indexed.
    input_bytes: u64,
    #[serde(flatten)]
    summary: &'a BuildSummary,
    /// Bytes of the bundle that a first search fetches, in the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_search_bytes: Option<u64>,
    /// Files of an earlier build that were removed.
    removed_files: usize,
    /// Reason → number of files left out.
    skipped: BTreeMap<&'static str, usize>,
    /// The files left out.
    skipped_files: Vec<SkippedFile<'a>>,
    /// Parts of documents left out.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
    /// Counts of the vectors in a .ovpack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pack_vectors: Option<pack::Vectors>,
    /// Counts of the decisions on the pages of a site.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<site::Counts>,
    /// The work of models.
    #[serde(skip_serializing_if = "<[Made]>::is_empty")]
    models: &'a [Made],
}

#[derive(Serialize)]
struct SkippedFile<'a> {
    path: &'a str,
    reason: &'static str,
    message: String,
}

/// Runs `knarr build`, once.
pub fn run(arguments: &Arguments) -> Outcome {
    let finished = make(arguments, arguments.quiet)?;
    if arguments.json {
        return output::json(&Report::of(arguments, &finished));
    }
    print(arguments, &finished)
}

/// Builds once more, without a word but the failures. Returns the number of files that the bundle finds.
#[cfg(not(target_os = "wasi"))]
pub fn again(arguments: &Arguments) -> Outcome<usize> {
    make(arguments, true).map(|made| made.built.summary.files)
}

pub use owner::read_file as read_owner;
pub use pages::describe;
pub use shard::Shard;
pub use write::{Place, is_single_file};

/// True for the names of files that only a running build has.
#[cfg(not(target_os = "wasi"))]
pub use write::is_scratch;

/// A bundle that was written, and how it came to be.
struct Finished {
    name: String,
    built: Built,
    read: Read,
    /// The work of models.
    models: Vec<Made>,
    /// Files of an earlier build that were removed.
    removed_files: usize,
}

fn make(arguments: &Arguments, is_quiet: bool) -> Outcome<Finished> {
    check_input(arguments)?;
    let options = input_options(arguments)?;
    let pack = open_pack(arguments, &options)?;
    let name = arguments.name.clone().unwrap_or_else(|| match &pack {
        Some(pack) => pack.root.name.clone(),
        None => name_of(&arguments.input),
    });
    let made = Shared {
        options: build_options(arguments, &name, pack.as_ref())?,
        reading: of_shards(&options),
    };
    let mut builder = Builder::new(made.options.clone())?;
    builder.owner(owner::read(arguments).map_err(Failure::of_input)?);
    let place = write::Place::take(&arguments.out(), &arguments.input)?;
    let folder = arguments.models.cache_folder();
    let cache = Cache::of(folder, arguments.memory.get().cloned());
    if let Some(memo) = cache.memo() {
        builder.memo(memo);
    }
    let mut models = Models::new(&arguments.models, &arguments.out())?;
    let mut progress = Progress::new(is_quiet);
    let (input, memo) = (&arguments.input, cache.memo());
    let mut read = if let Some(pack) = pack {
        pack::read(pack, &options, &mut builder, &mut progress)?
    } else if input.is_file() {
        let read = corpus::read(input, &name, &options, &mut builder, &mut progress);
        read.map_err(Failure::of_input)?
    } else {
        let memo = memo.as_deref();
        pages::read(input, &options, &mut builder, memo, &mut progress)?
    };
    if builder.is_empty() {
        progress.finish();
        return Err(nothing(&read, arguments)?);
    }
    read.warnings
        .extend(mounts::unused(&arguments.mount, builder.documents()));
    if arguments.pack_vectors {
        pack::search_with_vectors(&read, &mut builder)?;
    }
    read.list.of(made, owner::path(arguments).is_some());
    let models = models.ask(&mut builder, &mut progress, is_quiet)?;
    let built = builder.finish(&mut |stage, done, total| progress.stage(stage, done, total));
    let mut built = built.map_err(|error| Failure::from(error).of_input())?;
    progress.finish();
    read.skipped.extend(std::mem::take(&mut built.dropped));
    let removed_files = place.write(&built.files)?;
    read.warnings.append(&mut built.warnings);
    read.warnings.extend(cache.finish(&read.list));
    let fit = built.summary.word_fit.as_ref();
    read.warnings.extend(fit.and_then(words::warning));
    Ok(Finished {
        name,
        built,
        read,
        models,
        removed_files,
    })
}

/// The failure of a build without a page.
fn nothing(read: &Read, arguments: &Arguments) -> Outcome<Failure> {
    shard::forget(arguments.models.cache_folder());
    report_skipped(&read.skipped, arguments)?;
    let why = faults::of_globs(&arguments.include, &read.skipped);
    let message = format!("nothing to index in {}{why}", arguments.input.display());
    Ok(Error::new(ErrorKind::FailedPrecondition, message).into())
}

/// Before anything is made: the bundle may lie in the input, whose folder must not come to be by that.
fn check_input(arguments: &Arguments) -> Outcome {
    std::fs::metadata(&arguments.input)
        .map_err(|error| io_failure("cannot read", &arguments.input, error))?;
    if arguments.out.is_none() && arguments.input.is_file() {
        return Err(invalid(
            "the input is a file: name the bundle to write with --out",
        ));
    }
    corpus::refuse_page(&arguments.input)?;
    mounts::check(&arguments.mount, &arguments.input)
}

fn input_options(arguments: &Arguments) -> Outcome<InputOptions> {
    let root = arguments.root_selector.as_deref();
    let without = arguments.exclude_selectors.iter();
    let without: knarr::Result<Vec<_>> = without.map(|text| PageSelector::parse(text)).collect();
    Ok(InputOptions {
        include: arguments.include.clone(),
        exclude: arguments.exclude.clone(),
        skip_fields: arguments.skip_field.clone(),
        root: root.map(PageSelector::parse).transpose()?,
        without: without?,
        max_file_bytes: arguments.max_file_bytes,
        follow_links: arguments.follow_links,
        max_page_time: Duration::from_secs(arguments.max_page_seconds),
        use_git_dates: arguments.git_dates,
        keep_source: arguments.keep_source,
        anchors: anchors(&arguments.input),
    })
}

/// All that the shards of a site are read alike by.
fn of_shards(options: &InputOptions) -> String {
    let (documents, bytes, dates) = (
        options.of_documents(),
        options.max_file_bytes,
        options.use_git_dates,
    );
    format!("{documents} {bytes} {dates}")
}

/// The pack that the input is; `None` for an input of another kind.
fn open_pack(arguments: &Arguments, options: &InputOptions) -> Outcome<Option<Pack>> {
    match pack::is_pack(&arguments.input) {
        true => pack::open(&arguments.input, options, arguments.pack_vectors)
            .map_err(Failure::of_input)
            .map(Some),
        false if arguments.pack_vectors => {
            Err(invalid("--pack-vectors needs a .ovpack as its input"))
        }
        false => Ok(None),
    }
}

/// Dimensions of the vectors. A model's own are as many as they are.
fn dims(arguments: &Arguments) -> Outcome<usize> {
    match arguments.dims {
        Some(_) if arguments.models.keeps_dims() => Err(invalid(
            "--dims: a model's vectors have the model's dimensions; --embed-words projects them, and --embed-dims asks the model for fewer",
        )),
        Some(0) if arguments.models.has_words() => Err(invalid(
            "--dims: with --embed-words there is one dimension at least",
        )),
        dims => Ok(dims.unwrap_or(BuildOptions::default().dims)),
    }
}

fn build_options(arguments: &Arguments, name: &str, pack: Option<&Pack>) -> Outcome<BuildOptions> {
    let is_folder = pack.is_none() && !arguments.input.is_file();
    let mut mounts = Vec::new();
    if pack.is_none() && !is_folder {
        mounts.push(corpus::mount());
    }
    mounts.extend(mounts::innermost_first(&arguments.mount));
    mounts.extend(pack.iter().flat_map(|pack| pack.mounts("")));
    let single_file = single_file(arguments)?;
    let beside = (single_file != Some(true)).then_some(usize::MAX);
    Ok(BuildOptions {
        name: name.to_owned(),
        mounts,
        single_file,
        large_packs: arguments.large_packs,
        general_words: arguments.general_words.or(beside),
        base_url: arguments.base_url.clone(),
        dims: dims(arguments)?,
        bits: arguments.bits,
        alpha: arguments.alpha,
        graph: arguments.graph,
        probes: arguments.probes,
        site: is_folder.then(|| arguments.site.options()).flatten(),
        ..BuildOptions::default()
    })
}

impl<'a> Report<'a> {
    fn of(arguments: &Arguments, finished: &'a Finished) -> Self {
        let Finished { built, read, .. } = finished;
        let skipped = read.skipped.iter();
        let pack = read.pack.as_ref();
        Self {
            name: &finished.name,
            out: arguments.out().display().to_string(),
            input_bytes: read.bytes,
            summary: &built.summary,
            first_search_bytes: cost::first_search(&arguments.out()),
            removed_files: finished.removed_files,
            skipped: count(&read.skipped),
            skipped_files: skipped
                .map(|file| SkippedFile {
                    path: &file.path,
                    reason: file.reason.name(),
                    message: file.reason.to_string(),
                })
                .collect(),
            warnings: &read.warnings,
            pack_vectors: pack.and_then(|pack| pack::Vectors::of(pack, arguments.pack_vectors)),
            site: built.site.as_ref().map(site::Counts::of),
            models: &finished.models,
        }
    }
}

/// Prints the summary on standard output and what models, pack and site came to on standard error.
fn print(arguments: &Arguments, finished: &Finished) -> Outcome {
    let Finished { built, read, .. } = finished;
    if !arguments.quiet {
        print_summary(built, Some(read.bytes), &arguments.out())?;
        for made in &finished.models {
            eprintln!("{}", made.said(arguments.verbose));
        }
        let pack = read.pack.as_ref();
        if let Some(vectors) = pack.and_then(|p| pack::Vectors::of(p, arguments.pack_vectors)) {
            eprintln!("{}", vectors.said());
        }
        if let Some(report) = &built.site {
            site::say(report, arguments.verbose);
        }
        tell(&read.warnings);
    }
    report_skipped(&read.skipped, arguments)
}

/// Prints warnings on standard error.
pub fn tell(warnings: &[String]) {
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
}

/// A prefix as it goes before a path: `https://x.org/docs` is the folder `docs`. What ends in a query is left as it is.
fn base_url(text: &str) -> Result<String, Infallible> {
    let is_whole = text.is_empty() || text.ends_with('/') || text.contains(['?', '#']);
    Ok([text, if is_whole { "" } else { "/" }].concat())
}

/// True for a bundle of one file; `None` leaves it to the builder.
fn single_file(arguments: &Arguments) -> Outcome<Option<bool>> {
    match (write::is_single_file(&arguments.out()), arguments.packs) {
        (true, true) => Err(invalid("--packs needs a folder as --out")),
        (true, false) => Ok(Some(true)),
        (false, true) => Ok(Some(false)),
        (false, false) => Ok(arguments.one_file.then_some(true)),
    }
}

/// The outcome of reading the input.
#[derive(Default)]
struct Read {
    /// Bytes of the files that became documents.
    bytes: u64,
    /// Files left out.
    skipped: Vec<Skipped>,
    /// Parts of documents left out, for people.
    warnings: Vec<String>,
    /// The outcome of adding a pack.
    pack: Option<Imported>,
    /// The pages of a folder, for `knarr merge`.
    list: List,
}

/// The name of a tree that was not named: that of the folder, or of the file without its extension.
fn name_of(input: &Path) -> String {
    let absolute = input.canonicalize().unwrap_or_else(|_| input.to_path_buf());
    let name = if absolute.is_file() {
        absolute.file_stem()
    } else {
        absolute.file_name()
    };
    name.map_or_else(
        || "docs".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn count(skipped: &[Skipped]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for file in skipped {
        *counts.entry(file.reason.name()).or_default() += 1;
    }
    counts
}

/// Prints the summary of a bundle that was written.
pub fn print_summary(built: &Built, input_bytes: Option<u64>, out: &Path) -> Outcome {
    let summary = &built.summary;
    let mut table = Table::new(&["", ">"]);
    if let Some(bytes) = input_bytes {
        table.row(["input".to_owned(), output::bytes(bytes)]);
    }
    let rows = [
        ("files", summary.files.to_string()),
        ("directories", summary.directories.to_string()),
        ("sections", summary.sections.to_string()),
        ("terms", summary.terms.to_string()),
        ("vector dimensions", summary.dims.to_string()),
        ("bundle", output::bytes(summary.bundle_bytes as u64)),
        ("bundle files", summary.bundle_files.to_string()),
        ("head", output::bytes(summary.head_bytes as u64)),
    ];
    for (name, value) in rows {
        table.row([name.to_owned(), value]);
    }
    if let Some(fit) = &summary.word_fit {
        table.row(["word vectors".to_owned(), words::said(fit)]);
    }
    if let Some(bytes) = cost::first_search(out) {
        table.row(["first search loads".to_owned(), output::bytes(bytes)]);
    }
    for (name, value) in built.site.iter().flat_map(site::rows) {
        table.row([name.to_owned(), value]);
    }
    output::text(&format!(
        "{}\n{}",
        out.display(),
        table.render(Style::of_stdout())
    ))
}

/// Says on standard error how many files were left out and why; with `--verbose` which.
fn report_skipped(skipped: &[Skipped], arguments: &Arguments) -> Outcome {
    if arguments.quiet || skipped.is_empty() {
        return Ok(());
    }
    let reasons: Vec<String> = count(skipped)
        .iter()
        .map(|(reason, n)| format!("{n} {reason}"))
        .collect();
    let hint = if arguments.verbose {
        ""
    } else {
        " (--verbose names them)"
    };
    eprintln!("left out: {}{hint}", reasons.join(", "));
    if arguments.verbose {
        for file in skipped {
            eprintln!("  {}: {}", output::plain(&file.path), file.reason);
        }
    }
    Ok(())
}
