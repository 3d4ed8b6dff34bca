//! `knarr export`: from a bundle to a `.ovpack`, or to what a vector database loads.

mod engine;
mod format;
mod milvus;
mod opensearch;
mod ovpack;
mod postgres;
mod qdrant;
mod qdrant_site;
mod row;

use crate::failure::{Outcome, invalid};
use engine::{Engine, Question};
use std::path::PathBuf;

/// Arguments of `knarr export`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["ovpack", "to"])))]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The pack to write.
    #[arg(long, value_name = "FILE")]
    ovpack: Option<PathBuf>,
    /// The engine to write for: its schema, the pages and their sections with a dense and a sparse vector each, and a
    /// README.md with the commands that load them.
    #[arg(long, value_enum, value_name = "ENGINE")]
    to: Option<Engine>,
    /// The folder to write these into.
    #[arg(short, long, value_name = "FOLDER", requires = "to", conflicts_with_all = ["ovpack", "question"])]
    out: Option<PathBuf>,
    /// Print a question as the engine takes it, in place of writing anything.
    #[arg(long, value_name = "TEXT", requires = "to", conflicts_with_all = ["ovpack", "uri", "pages_only", "json"])]
    question: Option<String>,
    /// Weight of the vectors in that question: 0 asks for its words only, 1 for its vector only [default: the bundle's].
    #[arg(long, value_name = "0..1", requires = "question")]
    alpha: Option<f32>,
    /// Number of results that the question asks for.
    #[arg(long, value_name = "N", default_value_t = 10, requires = "question", value_parser = crate::flags::results)]
    limit: usize,
    /// Name of the collection, index or table [default: the name of the tree].
    #[arg(long, requires = "to", conflicts_with = "ovpack")]
    name: Option<String>,
    /// One row for each page, none for its sections.
    #[arg(long, requires = "to", conflicts_with = "ovpack")]
    pages_only: bool,
    /// The directory to export; viking:// is everything [default: with --ovpack the directory that the bundle's pack or
    /// folder became, with --to everything].
    #[arg(long)]
    uri: Option<String>,
    /// Also write the vectors, for a bundle that was built with --pack-vectors.
    #[arg(long, requires = "ovpack")]
    vectors: bool,
    /// Print only errors.
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr export`.
pub fn run(arguments: &Arguments) -> Outcome {
    match (&arguments.ovpack, arguments.to, &arguments.question) {
        (Some(out), ..) => ovpack::run(arguments, out),
        (None, Some(engine), Some(text)) => {
            let question = Question {
                text,
                alpha: arguments.alpha,
                limit: arguments.limit,
            };
            engine::ask(arguments, engine, &question)
        }
        (None, Some(engine), None) => match &arguments.out {
            Some(out) => engine::write(arguments, engine, out),
            None => Err(invalid(
                "--to needs the folder to write into, --out FOLDER, or a question to print, --question TEXT",
            )),
        },
        (None, None, _) => Err(invalid("say where to: --ovpack FILE, or --to ENGINE")),
    }
}
