//! The command line: builds bundles, and answers from a bundle on disk with the engine that the browser runs.
//!
//! Results go to standard output, everything said about the work to standard error. A failure is one line
//! `error[CODE]: message`; the exit code is 2 when the arguments are at fault and 1 otherwise.

/// As the standard library's, but where nobody reads any more (`2>&1 | head -1`) the work goes on: those end it.
macro_rules! eprintln {
    ($($told:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{}\n", format_args!($($told)*)));
    }};
}
macro_rules! eprint {
    ($($told:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!($($told)*));
    }};
}

mod abstracts;
mod build;
mod disk;
mod eval;
mod export;
mod failure;
mod find;
mod flags;
mod graph;
// WebAssembly, as npm installs it, has no network.
#[cfg(not(target_os = "wasi"))]
mod http;
#[cfg(target_os = "wasi")]
#[path = "http/none.rs"]
mod http;
mod inspect;
mod judgements;
mod merge;
mod metrics;
mod models;
mod off_topic;
mod output;
mod patterns;
mod process;
mod reading;
mod search;
#[cfg(not(target_os = "wasi"))]
mod serve;
#[cfg(not(target_os = "wasi"))]
mod watch;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use failure::Outcome;
use std::path::Path;
use std::process::ExitCode;

/// Build a search bundle from a documentation folder, and ask it.
#[derive(Parser)]
#[command(
    name = "knarr",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build a bundle from a folder of pages.
    Build(Box<build::Arguments>),
    /// Make one bundle of shards that `build --cache` read apart.
    Merge(merge::Arguments),
    /// Search a bundle: one query, or every query of a file.
    Find(Box<find::Arguments>),
    /// Search with the help of model endpoints: in a conversation, with reranking, or with a model's vectors.
    Search(Box<search::Arguments>),
    /// Print the lines that match a regular expression.
    Grep(patterns::GrepArguments),
    /// Print the URIs that match a glob pattern.
    Glob(patterns::GlobArguments),
    /// Print the abstract (L0) of a directory or file.
    Abstract(reading::Arguments),
    /// Print the overview (L1) of a directory or file.
    Overview(reading::Arguments),
    /// Print the content (L2) of a file.
    Read(reading::ReadArguments),
    /// Write a file's original bytes if the bundle keeps them, else its content.
    Download(reading::DownloadArguments),
    /// List the children of a directory.
    Ls(reading::LsArguments),
    /// List everything below a directory.
    Tree(reading::TreeArguments),
    /// Print the properties of a directory or file.
    Stat(reading::Arguments),
    /// Print the links of a file, with their texts, and the pages most like it.
    Relations(reading::RelationsArguments),
    /// Print the entities of a bundle built with --graph, the most mentioned first.
    Entities(graph::EntitiesArguments),
    /// Print the entities related to one, and the files that show it.
    Neighbors(graph::NeighborsArguments),
    /// Print the counts, sizes and parameters of a bundle.
    Inspect(inspect::Arguments),
    /// Write a bundle's files as a .ovpack, for an OpenViking server, or its pages for a vector database.
    Export(export::Arguments),
    /// Serve a folder over HTTP, for preview.
    #[cfg(not(target_os = "wasi"))]
    Serve(serve::Arguments),
    /// Measure the quality of the answers against judgements.
    Eval(Box<eval::Arguments>),
    /// Build the index of a built site, and put the search field into its pages.
    #[cfg(target_os = "wasi")]
    Add,
    /// Put the search element's files beside the pages of a built site.
    #[cfg(target_os = "wasi")]
    Init,
    /// Put the search into a book that mdBook has rendered; mdBook runs this command itself.
    #[cfg(target_os = "wasi")]
    Mdbook,
    /// Tells where the package's commands are.
    #[cfg(not(target_os = "wasi"))]
    #[command(hide = true, aliases = ["init", "mdbook"])]
    Add(Anything),
}

/// Arguments that are not read.
#[cfg(not(target_os = "wasi"))]
#[derive(clap::Args)]
struct Anything {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<String>,
}

fn main() -> ExitCode {
    enter_folder();
    match parse().and_then(|arguments| {
        let bundle = asked(&arguments.command);
        run(&arguments.command).map_err(|failure| match bundle {
            Some(bundle) => disk::located(failure, bundle),
            None => failure,
        })
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// The arguments. `-1` is a value wherever one is expected: what is said of it is then about the value.
fn parse() -> Outcome<Arguments> {
    let taking = |argument: Arg| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    };
    let command = Arguments::command();
    let command = command.mut_subcommands(|command| command.mut_args(taking));
    Ok(Arguments::from_arg_matches(&command.try_get_matches()?)?)
}

/// WebAssembly begins in the root folder: relative paths are meant from the folder that the host names.
fn enter_folder() {
    if cfg!(target_os = "wasi")
        && let Some(folder) = std::env::var_os("PWD")
    {
        // Where it cannot be entered, the paths that follow are named as not there.
        let _ = std::env::set_current_dir(folder);
    }
}

/// Runs `knarr build`: once, or until the process is stopped.
fn build(arguments: &build::Arguments) -> Outcome {
    if arguments.is_watched() {
        return build_again(arguments);
    }
    build::run(arguments)
}

/// Builds, and again after every change.
#[cfg(not(target_os = "wasi"))]
fn build_again(arguments: &build::Arguments) -> Outcome {
    let watch = watch::Watch::of(arguments)?;
    watch::first(arguments)?;
    watch::rebuild(arguments, watch)
}

/// Builds once: the npm package's own script watches, and runs the command for each build.
#[cfg(target_os = "wasi")]
fn build_again(arguments: &build::Arguments) -> Outcome {
    build::run(arguments)
}

/// The bundle that a command asks.
fn asked(command: &Command) -> Option<&Path> {
    match command {
        Command::Find(asked) => Some(&asked.bundle),
        Command::Search(asked) => Some(&asked.bundle),
        Command::Grep(asked) => Some(&asked.bundle),
        Command::Glob(asked) => Some(&asked.bundle),
        Command::Abstract(asked) | Command::Overview(asked) | Command::Stat(asked) => {
            Some(&asked.bundle)
        }
        Command::Read(asked) => Some(&asked.node.bundle),
        Command::Download(asked) => Some(&asked.bundle),
        Command::Ls(asked) => Some(&asked.list.bundle),
        Command::Tree(asked) => Some(&asked.list.bundle),
        Command::Relations(asked) => Some(&asked.node.bundle),
        Command::Entities(asked) => Some(&asked.bundle),
        Command::Neighbors(asked) => Some(&asked.bundle),
        Command::Inspect(asked) => Some(&asked.bundle),
        Command::Export(asked) => Some(&asked.bundle),
        Command::Eval(asked) => Some(&asked.bundle),
        _ => None,
    }
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Build(arguments) => build(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Search(arguments) => search::run(arguments),
        Command::Grep(arguments) => patterns::grep(arguments),
        Command::Glob(arguments) => patterns::glob(arguments),
        Command::Abstract(arguments) => reading::abstract_(arguments),
        Command::Overview(arguments) => reading::overview(arguments),
        Command::Read(arguments) => reading::read(arguments),
        Command::Download(arguments) => reading::download(arguments),
        Command::Ls(arguments) => reading::ls(arguments),
        Command::Tree(arguments) => reading::tree(arguments),
        Command::Stat(arguments) => reading::stat(arguments),
        Command::Relations(arguments) => reading::relations(arguments),
        Command::Entities(arguments) => graph::entities(arguments),
        Command::Neighbors(arguments) => graph::neighbors(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        #[cfg(not(target_os = "wasi"))]
        Command::Serve(arguments) => serve::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        // The package has the files, and runs these commands itself (pkg/bin/knarr.mjs).
        #[cfg(target_os = "wasi")]
        Command::Add | Command::Init | Command::Mdbook => {
            Err(failure::invalid("run it by the package: npx knarr"))
        }
        #[cfg(not(target_os = "wasi"))]
        Command::Add(_) => Err(failure::invalid(
            "add, init and mdbook put the package's files into a site, so npm has them: npx knarr add SITE",
        )),
    }
}
