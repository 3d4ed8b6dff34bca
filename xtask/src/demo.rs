//! `cargo xtask demo`: the Rust documentation, searched in the browser.

use crate::progress::{Progress, Step};
use crate::shell::{cargo, command, dist, output_of, root, run as run_program, say, target_dir};
use crate::stamp::{Inputs, Stamp};
use crate::tools;
use crate::wasm::{self, Effort};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

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

/// Steps beside those of the modules: the command line and the bundle.
const STEPS: usize = 2;

/// Builds the package and the bundle, and serves the page.
///
/// The modules and the command line with its bundle are two lanes at once: most of a module's compilation is the crate
/// itself, on one core.
pub fn run(options: &Options) -> Result<()> {
    let docs = tools::rust_docs()?;
    let effort = match tools::has_node() {
        true => Effort::Quick,
        false => {
            say("Node.js is not there: the browser modules stay larger than in a release");
            Effort::None
        }
    };
    wasm::prepare(effort)?;
    let knarr = target_dir()
        .join("demo")
        .join(format!("knarr{}", std::env::consts::EXE_SUFFIX));
    let progress = Progress::new(wasm::STEPS + STEPS);
    let (modules, bundle) = progress.watch(|| {
        std::thread::scope(|scope| {
            let modules = scope.spawn(|| wasm::build_in(&progress, effort));
            let bundle = bundle_in(&progress, &knarr, &docs, options.quick);
            let modules = modules
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (modules, bundle)
        })
    });
    bundle.and(modules)?;
    if options.no_serve {
        return Ok(());
    }
    serve(&knarr, &docs, options.port)
}

/// Compiles the command line and builds the bundle with it; not where the same command line made it of the same pages.
fn bundle_in(progress: &Progress, knarr: &Path, docs: &Path, quick: bool) -> Result<()> {
    progress.step("compiling the command line", "", |step| {
        step.cargo(cargo().args([
            "build",
            "--locked",
            "--profile",
            "demo",
            "--package",
            "knarr-cli",
        ]))
    })?;
    let mut build = bundle_command(knarr, docs, quick);
    let mut inputs = Inputs::new();
    inputs.value("options", format!("{build:?}"));
    inputs.value("rustc", output_of(command("rustc").arg("-vV"))?);
    inputs.value("command line", std::fs::read(knarr)?);
    for pattern in BOOKS.iter().chain((!quick).then_some(&STD)) {
        inputs.listing(&docs.join(pattern.trim_end_matches("/**/*.html")))?;
    }
    let inputs = inputs.hash();
    let stamp = Stamp::new(
        target_dir().join("wasm/kept/bundle.stamp"),
        root().join("www/search"),
    );
    if stamp.is_current(&[&inputs]) {
        progress.skip(1, "the bundle is as it was");
        return Ok(());
    }
    stamp.clear();
    progress.step(
        "indexing the Rust documentation",
        "about 20 s",
        |step: &Step| {
            step.quietly(&mut build)
                .context("the bundle could not be built")
        },
    )?;
    stamp.write(&inputs)
}

fn bundle_command(knarr: &Path, docs: &Path, quick: bool) -> Command {
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
    build
}

/// Serves until the person stops it.
fn serve(knarr: &Path, docs: &Path, port: u16) -> Result<()> {
    let mut serve = command(knarr);
    serve
        .arg("serve")
        .arg(root().join("www"))
        .args(["--port", &port.to_string()]);
    for (address, folder) in [
        ("/knarr", &dist()),
        ("/doc", &docs.to_path_buf()),
        ("/search", &root().join("www/search")),
    ] {
        serve
            .arg("--mount")
            .arg(format!("{address}={}", folder.display()));
    }
    run_program(&mut serve)
}
