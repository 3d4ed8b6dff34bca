//! `cargo xtask test`: every check and test, in the order in which a mistake is found soonest.

use crate::shell::{cargo, command, dist, root, run as run_program, say, target_dir};
use crate::wasm::{self, Effort};
use crate::{publish, python, sizes, tools, wasi};
use anyhow::{Context, Result};
use std::time::Instant;

/// Options of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Options {
    /// Stages to run, in their fixed order; all but `sites`, which installs a gigabyte, when none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(STAGES.map(|stage| stage.name)))]
    stages: Vec<String>,
}

struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<()>,
    /// True when it runs without being named.
    always: bool,
}

const STAGES: [Stage; 9] = [
    Stage {
        name: "fmt",
        what: "formatting",
        run: fmt,
        always: true,
    },
    Stage {
        name: "clippy",
        what: "lints, native and browser",
        run: clippy,
        always: true,
    },
    Stage {
        name: "doc",
        what: "documentation",
        run: doc,
        always: true,
    },
    Stage {
        name: "native",
        what: "native tests",
        run: native,
        always: true,
    },
    Stage {
        name: "wasm",
        what: "browser modules and their sizes",
        run: modules,
        always: true,
    },
    Stage {
        name: "web",
        what: "tests of the package in Node, Chromium, Firefox and WebKit",
        run: web,
        always: true,
    },
    Stage {
        name: "python",
        what: "the wheel, in MkDocs and Sphinx",
        run: python::test,
        always: true,
    },
    Stage {
        name: "publish",
        what: "dry runs of publishing the crates and the package",
        run: publish::dry_run,
        always: true,
    },
    Stage {
        name: "sites",
        what: "the package in every toolchain of docs/TOOLCHAINS.md, and the quick starts",
        run: sites,
        always: false,
    },
];

/// Runs the stages; stops at the first that fails.
pub fn run(options: &Options) -> Result<()> {
    let start = Instant::now();
    let wanted = |stage: &&Stage| match options.stages.is_empty() {
        true => stage.always,
        false => options.stages.iter().any(|name| name == stage.name),
    };
    for stage in STAGES.iter().filter(wanted) {
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
    let core = ["--package", "knarr", "--no-default-features"];
    lint(&[&core[..], &["--all-targets"]].concat())?;
    let browser = [&core[..], &["--lib", "--target", tools::WASM_TARGET]].concat();
    lint(&browser)?;
    for feature in ["full", "patterns", "search"] {
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
    // xtask apart, in the profile that it runs in: its dependencies are built, and with theirs half of ours would be
    // built again.
    let own = [
        "test",
        "--quiet",
        "--locked",
        "--profile",
        "demo",
        "--package",
        "xtask",
    ];
    run_program(cargo().args(own))?;
    run_program(cargo().args(["test", "--locked"]))?;
    // What a documentation site downloads, without what only applications load.
    run_program(cargo().args([
        "test",
        "--locked",
        "--package",
        "knarr",
        "--no-default-features",
    ]))
}

fn modules() -> Result<()> {
    wasm::build(Effort::Release)?;
    sizes::print(&dist())?;
    sizes::check(&dist())
}

fn web() -> Result<()> {
    npm_test(&["examples/extension", "docs/site", "tests/web"])
}

/// The sites open their pages with what the tests of the package have.
fn sites() -> Result<()> {
    npm_test(&["tests/web", "tests/sites"])
}

/// Runs the tests of the last folder, after the package, the command line and all folders' own packages are there.
fn npm_test(folders: &[&str]) -> Result<()> {
    wasm::build(Effort::Release)?;
    wasi::build()?;
    let chromium = tools::chromium()?;
    tools::web_servers();
    tools::other_browsers();
    for folder in folders {
        tools::npm_install(&root().join(folder))?;
    }
    run_program(cargo().args(["build", "--quiet", "--locked"]))?; // The tests build bundles with the command line.
    run_program(
        command("npm")
            .arg("test")
            .current_dir(root().join(folders[folders.len() - 1]))
            .env("KNARR_BIN", target_dir().join("debug/knarr"))
            .env("CHROMIUM", chromium),
    )
}
