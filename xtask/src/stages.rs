//! `cargo xtask test`: every check and test, in the order in which a mistake is found soonest.

use crate::shell::{cargo, command, root, run as run_program, say, target_dir};
use crate::{sizes, tools, wasm};
use anyhow::{Context, Result};
use std::time::Instant;

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Stages to run, in their fixed order; all of them when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(STAGES.map(|stage| stage.name)))]
    stages: Vec<String>,
}

struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<()>,
}

const STAGES: [Stage; 6] = [
    Stage {
        name: "fmt",
        what: "formatting",
        run: fmt,
    },
    Stage {
        name: "clippy",
        what: "lints, native and browser",
        run: clippy,
    },
    Stage {
        name: "doc",
        what: "documentation",
        run: doc,
    },
    Stage {
        name: "native",
        what: "native tests",
        run: native,
    },
    Stage {
        name: "wasm",
        what: "browser modules and their sizes",
        run: modules,
    },
    Stage {
        name: "web",
        what: "tests of the package in Node and Chromium",
        run: web,
    },
];

/// Runs the stages; stops at the first that fails.
pub fn run(options: &Options) -> Result<()> {
    let start = Instant::now();
    let wanted =
        |name: &str| options.stages.is_empty() || options.stages.iter().any(|stage| stage == name);
    for stage in STAGES.iter().filter(|stage| wanted(stage.name)) {
        say(format!("stage {}: {}", stage.name, stage.what));
        let start = Instant::now();
        (stage.run)().with_context(|| format!("stage {} failed", stage.name))?;
        say(format!(
            "stage {}: passed in {:.0} s",
            stage.name,
            start.elapsed().as_secs_f64()
        ));
    }
    say(format!(
        "all passed in {:.0} s",
        start.elapsed().as_secs_f64()
    ));
    Ok(())
}

fn fmt() -> Result<()> {
    run_program(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    tools::wasm_target()?;
    let lint = |arguments: &[&str]| {
        run_program(
            cargo()
                .args(["clippy", "--quiet", "--locked"])
                .args(arguments)
                .args(["--", "-D", "warnings"]),
        )
    };
    lint(&["--workspace", "--all-targets"])?;
    let browser = ["--lib", "--target", tools::WASM_TARGET];
    lint(&browser)?;
    for feature in ["full", "patterns", "delegate"] {
        lint(&[&browser[..], &["--features", feature]].concat())?;
    }
    Ok(())
}

fn doc() -> Result<()> {
    // The binary has the library's name; its page would overwrite the library's.
    run_program(
        cargo()
            .args(["doc", "--quiet", "--locked", "--no-deps", "--lib"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

fn native() -> Result<()> {
    // Without --workspace: xtask has no tests, and its dependencies' features would have half of ours built again.
    run_program(cargo().args(["test", "--locked"]))
}

fn modules() -> Result<()> {
    wasm::run(&wasm::Options::default())?;
    sizes::check(&wasm::dist())
}

fn web() -> Result<()> {
    let folder = root().join("tests/web");
    if !folder.is_dir() {
        say("there is no tests/web: nothing to run");
        return Ok(());
    }
    wasm::build(&wasm::Options::default())?;
    let chromium = tools::chromium()?;
    tools::npm_install(&folder)?;
    run_program(cargo().args(["build", "--quiet", "--locked"]))?; // The tests build bundles with the command line.
    run_program(
        command("npm")
            .arg("test")
            .current_dir(&folder)
            .env("KNARR_BIN", target_dir().join("debug/knarr"))
            .env("CHROMIUM", chromium),
    )
}
