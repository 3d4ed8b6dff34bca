//! `knarr export --to`: a folder that an engine loads, and questions that it then answers.

use super::format::{Asked, Format, Output, Setup, Site, line};
use super::row::{self, Numbers};
use super::{Arguments, milvus, opensearch, postgres, qdrant};
use crate::disk;
use crate::failure::{Failure, Outcome, invalid, io_failure};
use crate::output;
use crate::process::own_number;
use knarr::engine::points::{Folder, Language, Page, QuestionVectors, Terms};
use knarr::{Error, ErrorKind, FindOptions, Knarr};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// An engine that has pages, vectors and words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Engine {
    /// A collection of points.
    Qdrant,
    /// A collection of rows; also for its embedded edition.
    Milvus,
    /// An index of documents.
    Opensearch,
    /// Tables, with the extension pgvector.
    Postgres,
}

/// A question of the command line.
pub struct Question<'a> {
    /// As typed.
    pub text: &'a str,
    /// Weight of the vectors; `None`: the bundle's.
    pub alpha: Option<f32>,
    /// Results wanted.
    pub limit: usize,
}

impl Engine {
    fn format(self) -> &'static dyn Format {
        match self {
            Self::Qdrant => &qdrant::Qdrant,
            Self::Milvus => &milvus::Milvus,
            Self::Opensearch => &opensearch::OpenSearch,
            Self::Postgres => &postgres::Postgres,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Qdrant => "Qdrant",
            Self::Milvus => "Milvus",
            Self::Opensearch => "OpenSearch",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// The output of `--json`.
#[derive(Serialize, Default)]
struct Report {
    out: String,
    name: String,
    pages: usize,
    rows: usize,
    words: usize,
    dims: u32,
    bytes: u64,
    left_out: usize,
}

/// A line of the dictionary.
#[derive(Serialize)]
struct Word<'a> {
    id: u32,
    words: &'a [String],
    df: u32,
    idf: f32,
    #[serde(skip_serializing_if = "<[f32]>::is_empty")]
    vector: &'a [f32],
}

/// A line of the directories.
#[derive(Serialize)]
struct Directory<'a> {
    uri: &'a str,
    title: &'a str,
    #[serde(rename = "abstract")]
    abstract_: &'a str,
    overview: &'a str,
}

/// First words of the file by which a folder that was written before is known.
const README_BEGINS: &str = "# Exported by Knarr";

fn setup(arguments: &Arguments, bundle: &Knarr) -> Outcome<Setup> {
    let inspection = bundle.inspect();
    let name = match &arguments.name {
        Some(name) if is_name(name) => name.clone(),
        Some(name) => {
            return Err(invalid(format!(
                "the name {name:?} is not one that every engine takes: begin with a letter a to z, and go on with up to 47 \
                 letters, digits and _"
            )));
        }
        None => name_of(&inspection.name),
    };
    Ok(Setup {
        name,
        dims: inspection.dims,
        encoder: inspection.encoder,
        alpha: inspection.alpha,
        defaults: bundle.defaults(),
        bundle: in_shell(&arguments.bundle.display().to_string()),
    })
}

/// A path as a shell takes it.
fn in_shell(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    match path.chars().all(is_plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase();
    name.len() <= 48
        && name.starts_with(is_letter)
        && name
            .chars()
            .all(|c| is_letter(c) || c.is_ascii_digit() || c == '_')
}

/// A name that every engine takes, like that of a tree.
fn name_of(tree: &str) -> String {
    let lower = tree.to_ascii_lowercase();
    let plain: String = lower
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(40)
        .collect();
    match is_name(&plain) {
        true => plain,
        false => format!("knarr_{plain}"),
    }
}

/// Prints a question as the engine takes it.
pub fn ask(arguments: &Arguments, engine: Engine, question: &Question<'_>) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let setup = setup(arguments, &bundle)?;
    let options = FindOptions {
        alpha: question.alpha,
        prefix: false,
        ..FindOptions::default()
    };
    let told = pollster::block_on(async {
        let terms = bundle.terms(&host).await?;
        let numbers = row::word_numbers(&terms);
        let told = bundle.question_vectors(&host, &terms, question.text, &options);
        Ok::<_, Error>((told.await?, numbers))
    });
    let (told, numbers) = told?;
    if let Some([typed, read_as]) = told.corrections.first().filter(|_| !arguments.quiet) {
        eprintln!("\"{typed}\" was read as \"{read_as}\"");
    }
    if !arguments.quiet {
        tell_signs(&told);
    }
    let mut asked = Asked {
        sparse: row::numbered(&told.sparse, &numbers),
        dense: told.dense,
        alpha: told.alpha,
        limit: question.limit,
    };
    if asked.alpha >= 1.0 {
        asked.sparse.clear();
    } else if asked.alpha <= 0.0 {
        asked.dense.clear();
    } else if asked.dense.is_empty() && setup.dims > 0 && !arguments.quiet {
        eprintln!("{}", without_vector(&bundle.inspect().encoder));
    }
    if asked.sparse.is_empty() && asked.dense.is_empty() {
        let what = "the bundle knows no word of the question, so there is nothing to ask for";
        return Err(Failure::Error(Error::new(
            ErrorKind::FailedPrecondition,
            what,
        )));
    }
    output::text(&engine.format().question(&setup, &asked))
}

/// Says what the signs of a question ask for, and the engine is not asked.
fn tell_signs(told: &QuestionVectors) {
    for phrase in &told.phrases {
        eprintln!(
            "the phrase {phrase:?} is asked as its words: an engine holds words, not their order"
        );
    }
    let typed = |words: &String| match words.contains(' ') {
        true => format!("-{words:?}"),
        false => format!("-{words}"),
    };
    let left: Vec<String> = told.excluded.iter().map(typed).collect();
    if !left.is_empty() {
        eprintln!(
            "nothing is left out for {}: the engine is asked for the other words alone",
            left.join(", ")
        );
    }
}

/// Why a question has no vector where the rows have one.
fn without_vector(encoder: &str) -> String {
    match encoder.starts_with("static-") {
        true => "only words: none of the question's has a vector".into(),
        false => format!(
            "only words: the vectors are those of {encoder}, which has to make the question's"
        ),
    }
}

/// Writes the folder `out`.
pub fn write(arguments: &Arguments, engine: Engine, out: &Path) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let setup = setup(arguments, &bundle)?;
    if let Some(uri) = &arguments.uri {
        pollster::block_on(bundle.stat(&host, uri))?;
    }
    let mut folder = Written::new(out, engine)?;
    let format = engine.format();
    let (terms, folders) = pollster::block_on(async {
        let terms = bundle.terms(&host).await?;
        Ok::<_, Error>((terms, bundle.folders(&host).await?))
    })?;
    let words = row::word_numbers(&terms);
    let mut report = Report {
        out: out.display().to_string(),
        name: setup.name.clone(),
        dims: setup.dims,
        words: words.len(),
        ..Report::default()
    };
    let mut rows = Rows::new(format, &setup, !arguments.pages_only, &mut folder)?;
    let uri = arguments.uri.as_deref();
    pollster::block_on(
        bundle.each_page(&host, &terms, |page| match is_wanted(page, uri) {
            true => rows.put(page, &words, &mut report),
            false => Ok(()),
        }),
    )?;
    if report.rows == 0 {
        return Err(invalid("there is no page to export at that URI"));
    }
    if format.is_asked_by_pages() {
        let language = pollster::block_on(bundle.language(&host, &terms))?;
        rows.put_site(&setup, &terms, &words, &language, &folders)?;
    }
    report.bytes += rows.end()?;
    report.bytes += folder.lines("dictionary.jsonl", dictionary(&terms, &words))?;
    report.bytes += folder.lines("directories.jsonl", folders.iter().map(directory))?;
    for (file, text) in format.files(&setup) {
        report.bytes += folder.file(file, &text)?.end("")?;
    }
    let readme = readme(engine, &setup, &report, format);
    report.bytes += folder.file("README.md", &readme)?.end("")?;
    folder.finish()?;
    match (arguments.json, arguments.quiet) {
        (true, _) => output::json(&report),
        (_, true) => Ok(()),
        _ => print(engine, &report),
    }
}

/// The files of rows, while they are written.
struct Rows {
    format: &'static dyn Format,
    outputs: Vec<Output>,
    files: Vec<Opened>,
    /// By file, what was not written yet.
    texts: Vec<String>,
    numbers: Numbers,
    with_sections: bool,
    languages: BTreeSet<String>,
    versions: BTreeSet<String>,
}

impl Rows {
    fn new(
        format: &'static dyn Format,
        setup: &Setup,
        with_sections: bool,
        folder: &mut Written,
    ) -> Outcome<Self> {
        let outputs = format.outputs(setup);
        let files: Outcome<Vec<Opened>> = outputs
            .iter()
            .map(|output| folder.file(output.file, &output.head))
            .collect();
        Ok(Self {
            format,
            files: files?,
            texts: vec![String::new(); outputs.len()],
            outputs,
            numbers: Numbers::of_rows(),
            with_sections,
            languages: BTreeSet::new(),
            versions: BTreeSet::new(),
        })
    }

    /// Writes the rows of a page, and counts them.
    fn put(&mut self, page: &Page, words: &[u32], report: &mut Report) -> Outcome {
        let rows = row::rows(page, words, &mut self.numbers, self.with_sections);
        match rows.is_empty() {
            true => report.left_out += 1,
            false => report.pages += 1,
        }
        report.rows += rows.len();
        self.format.put(&rows, &mut self.texts);
        note(&mut self.languages, &page.language);
        note(&mut self.versions, &page.version);
        self.write()
    }

    /// Writes what a page asks of the engine besides rows.
    fn put_site(
        &mut self,
        setup: &Setup,
        terms: &Terms,
        words: &[u32],
        language: &Language,
        folders: &[Folder],
    ) -> Outcome {
        let site = Site {
            setup,
            terms,
            words,
            language,
            folders,
            languages: &self.languages,
            versions: &self.versions,
        };
        self.format.site(&site, &mut self.numbers, &mut self.texts);
        self.write()
    }

    fn write(&mut self) -> Outcome {
        for (file, text) in self.files.iter_mut().zip(&mut self.texts) {
            file.put(text)?;
            text.clear();
        }
        Ok(())
    }

    /// Writes the ends; the bytes of all files.
    fn end(self) -> Outcome<u64> {
        let ends = self.files.into_iter().zip(&self.outputs);
        ends.map(|(file, output)| file.end(output.foot)).sum()
    }
}

fn note(names: &mut BTreeSet<String>, name: &str) {
    if !name.is_empty() && !names.contains(name) {
        names.insert(name.to_owned());
    }
}

fn print(engine: Engine, report: &Report) -> Outcome {
    if report.left_out > 0 {
        let why = "images, say: they have neither words nor a vector";
        let n = output::counted(report.left_out, "file");
        eprintln!("left out: {n} ({why})");
    }
    output::text(&format!(
        "{}: {} {} in {} {} for {}, {}; README.md there has the commands that load them\n",
        report.out,
        report.pages,
        if report.pages == 1 { "page" } else { "pages" },
        report.rows,
        if report.rows == 1 { "row" } else { "rows" },
        engine.title(),
        output::bytes(report.bytes)
    ))
}

/// True for a page at or below a URI.
fn is_wanted(page: &Page, uri: Option<&str>) -> bool {
    let Some(uri) = uri.map(|uri| uri.trim_end_matches('/')) else {
        return true;
    };
    uri == "viking:" || page.uri == uri || page.parents.iter().any(|parent| parent == uri)
}

fn dictionary<'a>(terms: &'a Terms, numbers: &'a [u32]) -> impl Iterator<Item = Word<'a>> {
    terms.all.iter().zip(numbers).map(|(term, &id)| Word {
        id,
        words: &term.words,
        df: term.df,
        idf: term.idf,
        vector: &term.vector,
    })
}

fn directory(folder: &Folder) -> Directory<'_> {
    Directory {
        uri: &folder.uri,
        title: &folder.title,
        abstract_: &folder.abstract_,
        overview: &folder.overview,
    }
}

/// Heading of the README.md of an export.
fn heading_for(engine: Engine) -> String {
    format!("{README_BEGINS} for {}", engine.title())
}

fn readme(engine: Engine, setup: &Setup, report: &Report, format: &dyn Format) -> String {
    format!(
        "{heading}\n\n\
         {pages} pages and their sections: {rows} rows of {words} words and {dims} dimensions, as `{name}`.\n\n\
         {steps}\n\
         `dictionary.jsonl` has the words with the numbers that the sparse vectors name them by, `directories.jsonl` the \
         abstracts and overviews of the tree. docs/EXPORT.md of Knarr tells what the fields are, and how a question \
         becomes its vectors.\n",
        heading = heading_for(engine),
        pages = report.pages,
        rows = report.rows,
        words = report.words,
        dims = setup.dims,
        name = setup.name,
        steps = format.steps(setup),
    )
}

/// The folder that is written: each file beside its place, where all are put when the last is whole. An export that
/// fails costs nothing of the one before.
struct Written {
    folder: PathBuf,
    /// Files that are not in their places yet.
    names: Vec<String>,
    /// In the names of those files: two exports into one folder do not write into each other's.
    number: u32,
}

impl Written {
    /// Makes the folder. One with a README.md that is not ours is somebody's own, and files of two engines side by side
    /// would be loaded together.
    fn new(folder: &Path, engine: Engine) -> Outcome<Self> {
        let path = folder.join("README.md");
        let readme = std::fs::read_to_string(&path).unwrap_or_default();
        let heading = readme.lines().next().unwrap_or_default();
        if path.exists() && heading != heading_for(engine) {
            let held = match heading.strip_prefix(README_BEGINS) {
                Some(other) => format!("is an export{other}"),
                None => "has a README.md that would be overwritten".into(),
            };
            let folder = folder.display();
            return Err(invalid(format!(
                "{folder} {held}: name a folder of its own"
            )));
        }
        std::fs::create_dir_all(folder).map_err(|e| io_failure("cannot make", folder, e))?;
        Ok(Self {
            folder: folder.into(),
            names: Vec::new(),
            number: own_number(),
        })
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{}.partial", self.number))
    }

    /// Puts the files into their places, README.md at last: what it tells of is there.
    fn finish(mut self) -> Outcome {
        self.names.reverse();
        while let Some(name) = self.names.last() {
            let path = self.folder.join(name);
            std::fs::rename(self.partial(name), &path)
                .map_err(|e| io_failure("cannot write", &path, e))?;
            self.names.pop();
        }
        Ok(())
    }

    fn file(&mut self, name: &str, head: &str) -> Outcome<Opened> {
        let path = self.partial(name);
        let file = File::create(&path).map_err(|e| io_failure("cannot write", &path, e))?;
        self.names.push(name.into());
        let mut opened = Opened {
            path,
            file: BufWriter::new(file),
            bytes: 0,
        };
        opened.put(head)?;
        Ok(opened)
    }

    /// Writes values as lines of JSON; their bytes.
    fn lines(&mut self, name: &str, values: impl Iterator<Item = impl Serialize>) -> Outcome<u64> {
        let mut file = self.file(name, "")?;
        for value in values {
            file.put(&(line(&value) + "\n"))?;
        }
        file.end("")
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        for name in &self.names {
            let _ = std::fs::remove_file(self.partial(name));
        }
    }
}

/// A file that is being written.
struct Opened {
    path: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
}

impl Opened {
    fn put(&mut self, text: &str) -> Outcome {
        self.bytes += text.len() as u64;
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| io_failure("cannot write", &self.path, error))
    }

    /// Writes the end; the bytes of the file.
    fn end(mut self, foot: &str) -> Outcome<u64> {
        self.put(foot)?;
        let written = self.file.flush();
        written.map_err(|error| io_failure("cannot write", &self.path, error))?;
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_what_a_shell_takes() {
        assert_eq!(in_shell("a/search-1.knarr"), "a/search-1.knarr");
        assert_eq!(in_shell("my site"), "'my site'");
        assert_eq!(in_shell("it's $(x)"), "'it'\\''s $(x)'");
    }

    #[test]
    fn names_are_taken_by_every_engine() {
        for (tree, name) in [
            ("docs", "docs"),
            ("My Docs!", "my_docs_"),
            ("3.x", "knarr_3_x"),
            ("", "knarr_"),
        ] {
            assert_eq!(name_of(tree), name);
            assert!(is_name(&name_of(tree)));
        }
        assert!(!is_name("a-b") && !is_name("A") && !is_name("_a") && !is_name(""));
        assert!(is_name(&name_of(&"ä".repeat(90))));
    }
}
