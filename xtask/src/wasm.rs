//! `cargo xtask wasm`: from the crate to the files of the npm package.
//!
//! The crate is compiled once per module: `core` is what a documentation site loads, `full` what an application loads
//! instead, `patterns` is loaded by either on the first grep or glob, and `delegate` on an application's first search()
//! with an endpoint (see Cargo.toml, `[features]`).

use crate::shell::{cargo, root, run as run_program, say, target_dir};
use crate::{optimise, sizes, tools};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// Options of `cargo xtask wasm`.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Skip wasm-opt: minutes faster, and the modules are a tenth to a third larger.
    #[arg(long)]
    pub no_opt: bool,
}

/// One of the modules.
pub struct Module {
    /// Base name of its files in `pkg/dist`.
    pub name: &'static str,
    feature: Option<&'static str>,
    passes: &'static [&'static str],
}

/// Passes of the engines. "-Oz" makes fewer bytes (266 kB of core, not 289) that compress worse (99.6 kB brotli, not 96.5).
/// Arguments that no caller needs and sets that change nothing are .9 kB brotli more. How large a module comes out
/// depends by a hundred bytes on the folder that it is built in.
const SMALL: [&str; 5] = ["-O1", "--converge", "--dae-optimizing", "--rse", "--vacuum"];

/// The modules, each with the passes that measured smallest after brotli.
pub const MODULES: [Module; 4] = [
    Module {
        name: "knarr_core",
        feature: None,
        passes: &SMALL,
    },
    Module {
        name: "knarr_full",
        feature: Some("full"),
        passes: &SMALL,
    },
    Module {
        name: "knarr_patterns",
        feature: Some("patterns"),
        passes: &["-O2"], // "-Oz" takes as long and compresses 0.3 % worse.
    },
    Module {
        name: "knarr_delegate",
        feature: Some("search"),
        passes: &["-O1"],
    },
];

/// Where the package's files go.
pub fn dist() -> PathBuf {
    root().join("pkg/dist")
}

/// Builds the package's files and prints their sizes.
pub fn run(options: &Options) -> Result<()> {
    build(options)?;
    sizes::print(&dist())
}

/// Builds the package's files.
pub fn build(options: &Options) -> Result<()> {
    tools::wasm_target()?;
    tools::rust_sources()?;
    fs::create_dir_all(dist())?;
    for module in &MODULES {
        let compiled = compile(module)?;
        bind(module, &compiled)?;
        if !options.no_opt {
            optimise::in_place(
                &dist().join(format!("{}_bg.wasm", module.name)),
                module.passes,
            )?;
        }
    }
    copy_sources()?;
    if options.no_opt {
        Ok(())
    } else {
        optimise::scripts(&dist())
    }
}

/// Compiles the crate for the browser and returns the module's path.
///
/// Each variant has a target folder of its own: in a shared one every switch of features would compile the crate again.
fn compile(module: &Module) -> Result<PathBuf> {
    say(format!("compiling {}", module.name));
    let folder = target_dir().join("wasm").join(module.name);
    let mut cargo = cargo();
    cargo.args([
        "rustc",
        "--quiet",
        "--locked",
        "--package",
        "knarr",
        "--lib",
        "--crate-type",
        "cdylib",
        "--no-default-features",
        "--release",
        "--target",
        tools::WASM_TARGET,
    ]);
    cargo.arg("--target-dir").arg(&folder);
    small_std(&mut cargo);
    if let Some(feature) = module.feature {
        cargo.args(["--features", feature]);
    }
    run_program(&mut cargo)?;
    Ok(folder.join(tools::WASM_TARGET).join("release/knarr.wasm"))
}

/// Compiles the standard library with the crate, for size and without the text of panics: 88.5 kB brotli, not 96.8.
///
/// A panic is a trap in either build, and the package reports it as `INTERNAL`; only its message is gone. Cargo calls
/// both switches unstable, so the stable compiler needs to be told that we know.
fn small_std(cargo: &mut Command) {
    cargo
        .args(["-Zbuild-std=std,panic_abort", "-Zpanic-immediate-abort"])
        .arg("-Zbuild-std-features=optimize_for_size")
        .env("CARGO_PROFILE_RELEASE_PANIC", "immediate-abort")
        .env("RUSTC_BOOTSTRAP", "1");
}

/// Writes the JavaScript glue and the module it loads.
fn bind(module: &Module, compiled: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .out_name(module.name)
        .typescript(false);
    bindgen.web(true)?;
    bindgen
        .generate(dist())
        .with_context(|| format!("wasm-bindgen failed on {}", module.name))
}

/// Copies what needs no build: the package's own scripts and types, the search element, and the licenses.
fn copy_sources() -> Result<()> {
    for (folder, extensions) in [("pkg/src", &[".js"][..]), ("pkg/types", &[".d.ts"])] {
        let folder = root().join(folder);
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if extensions.iter().any(|extension| name.ends_with(extension)) {
                copy(&folder.join(&name), &name)?;
            }
        }
    }
    for name in ["knarr-search.js", "knarr-search.css"] {
        let element = root().join("www").join(name);
        if element.exists() {
            copy(&element, name)?;
        }
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(name), root().join("pkg").join(name))?;
    }
    element_style()
}

/// Makes the element's style sheet a script, which the element imports: as a file beside it, it would be an asset that
/// bundlers lose. A string in Rust's escapes is one in JavaScript's.
fn element_style() -> Result<()> {
    let sheet = fs::read_to_string(root().join("www/knarr-search.css"))?;
    fs::write(
        dist().join("element-style.js"),
        format!("export default {sheet:?};\n"),
    )?;
    Ok(())
}

fn copy(from: &Path, name: &str) -> Result<()> {
    fs::copy(from, dist().join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
