//! Tasks of the repository: everything a newcomer or CI runs is one of these subcommands.
//!
//! Nothing has to be installed first but Rust, and Node.js for the optimiser and the browser tests: a task fetches
//! what it lacks (a target, a component, an npm package pinned by a lock file) and says so.

mod demo;
mod optimise;
mod progress;
mod publish;
mod python;
mod shell;
mod sizes;
mod split;
mod stages;
mod stamp;
mod tools;
mod wasi;
mod wasm;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tasks of the Knarr repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the browser modules and put the npm package's files into pkg/dist.
    Wasm(wasm::Options),
    /// Print how many bytes a browser downloads, raw and compressed.
    Sizes(sizes::Options),
    /// Build everything, index the Rust documentation, and serve a page that searches it.
    Demo(demo::Options),
    /// Run every check and test, as CI does; or only the stages named.
    Test(stages::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.task {
        Task::Wasm(options) => wasm::run(&options),
        Task::Sizes(options) => sizes::run(&options),
        Task::Demo(options) => demo::run(&options),
        Task::Test(options) => stages::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
