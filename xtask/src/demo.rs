//! `cargo xtask demo`: the Rust documentation, searched in the browser.

use crate::shell::{cargo, command, root, run as run_program, say, target_dir};
use crate::{tools, wasm};
use anyhow::{Context, Result};
use std::path::Path;

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
pub struct Options {
    /// Port to serve on; the next free one when it is taken.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Index the books only, without the thousands of pages of the standard library.
    #[arg(long)]
    quick: bool,
    /// Build everything and stop.
    #[arg(long)]
    no_serve: bool,
}

/// The books that come with the toolchain.
const BOOKS: [&str; 7] = [
    "book/**/*.html",
    "reference/**/*.html",
    "cargo/**/*.html",
    "rustc/**/*.html",
    "nomicon/**/*.html",
    "rust-by-example/**/*.html",
    "edition-guide/**/*.html",
];

/// The standard library's pages.
const STD: &str = "std/**/*.html";

/// Pages that hold nothing of their own: a whole book again for printing, its table of contents, and the stubs of
/// editions that are no longer distributed.
const REPEATED: [&str; 5] = [
    "**/print.html",
    "**/toc.html",
    "book/first-edition/**",
    "book/second-edition/**",
    "book/2018-edition/**",
];

/// Builds the package and the bundle, and serves the page.
pub fn run(options: &Options) -> Result<()> {
    let docs = tools::rust_docs()?;
    let optimise = tools::has_node();
    if !optimise {
        say("Node.js is not there: the browser modules stay larger than in a release");
    }
    wasm::build(&wasm::Options { no_opt: !optimise })?;

    say("compiling the command line");
    run_program(cargo().args(["build", "--quiet", "--locked", "--profile", "tool"]))?;
    let knarr = target_dir()
        .join("tool")
        .join(format!("knarr{}", std::env::consts::EXE_SUFFIX));
    build_bundle(&knarr, &docs, options.quick)?;
    if options.no_serve {
        return Ok(());
    }
    serve(&knarr, &docs, options.port)
}

fn build_bundle(knarr: &Path, docs: &Path, quick: bool) -> Result<()> {
    say("building the bundle of the Rust documentation");
    let mut build = command(knarr);
    build
        .arg("build")
        .arg(docs)
        .arg("--out")
        .arg(root().join("www/search"));
    build.args(["--name", "rust", "--base-url", "doc/"]);
    for pattern in BOOKS.iter().chain((!quick).then_some(&STD)) {
        build.args(["--include", pattern]);
    }
    for pattern in REPEATED {
        build.args(["--exclude", pattern]);
    }
    run_program(&mut build).context("the bundle could not be built")
}

/// Serves until the person stops it.
fn serve(knarr: &Path, docs: &Path, port: u16) -> Result<()> {
    let mut serve = command(knarr);
    serve
        .arg("serve")
        .arg(root().join("www"))
        .args(["--port", &port.to_string()]);
    for (address, folder) in [
        ("/knarr", &wasm::dist()),
        ("/doc", &docs.to_path_buf()),
        ("/search", &root().join("www/search")),
    ] {
        serve
            .arg("--mount")
            .arg(format!("{address}={}", folder.display()));
    }
    run_program(&mut serve)
}
