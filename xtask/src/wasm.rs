//! `cargo xtask wasm`: from the crate to the files of the npm package.
//!
//! The crate is compiled once per module: `core` is what a documentation site loads, `full` what an application loads
//! instead, `patterns` is loaded by either on the first grep or glob, and `delegate` on an application's first search()
//! with an endpoint (see Cargo.toml, `[features]`).

use crate::progress::{Progress, Step};
use crate::shell::{cargo, dist, root, target_dir};
use crate::stamp::{Inputs, Stamp, compiled_inputs};
use crate::{optimise, sizes, split, tools, wasi};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// Options of `cargo xtask wasm`.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Optimize until nothing becomes smaller, and minify the scripts: what is published and what the budgets count.
    #[arg(long, conflicts_with = "no_opt")]
    release: bool,
    /// Skip wasm-opt, which needs Node.js; the modules are a third larger.
    #[arg(long)]
    no_opt: bool,
}

/// Effort for the size of the package's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As the compiler leaves them: all there is without Node.js.
    None,
    /// One round of wasm-opt: .1 % larger than a release, after brotli.
    Quick,
    /// Rounds of wasm-opt until nothing changes.
    Release,
}

impl Effort {
    /// Efforts that serve where this one was asked for, best last.
    fn or_better(self) -> &'static [Effort] {
        match self {
            Effort::None => &[Effort::None],
            Effort::Quick => &[Effort::Quick, Effort::Release],
            Effort::Release => &[Effort::Release],
        }
    }

    /// Passes of wasm-opt, before those of `optimise` that keep or drop names.
    fn passes(self) -> Option<Vec<&'static str>> {
        match self {
            Effort::None => None,
            Effort::Quick => Some(SMALL.to_vec()),
            Effort::Release => Some([&["--converge"], &SMALL[..]].concat()),
        }
    }
}

/// One of the modules.
struct Module {
    /// Base name of its files in `pkg/dist`.
    name: &'static str,
    feature: Option<&'static str>,
}

/// Passes of every module. "-Oz" makes fewer bytes that compress worse, and "-O2" of the patterns 3 % more bytes after
/// brotli. Arguments that no caller needs and sets that change nothing are 1 % of the core, and so is adding constants to
/// addresses in loads and stores themselves, which holds because the lowest kilobyte is the end of the stack. How large
/// a module comes out depends by a hundred bytes on the folder that it is built in.
const SMALL: [&str; 6] = [
    "--low-memory-unused",
    "-O1",
    "--optimize-added-constants-propagate",
    "--dae-optimizing",
    "--rse",
    "--vacuum",
];

const MODULES: [Module; 4] = [
    Module {
        name: "knarr_core",
        feature: None,
    },
    Module {
        name: "knarr_full",
        feature: Some("full"),
    },
    Module {
        name: "knarr_patterns",
        feature: Some("patterns"),
    },
    Module {
        name: "knarr_delegate",
        feature: Some("search"),
    },
];

/// Builds the package's files and prints their sizes.
pub fn run(options: &Options) -> Result<()> {
    build(match options {
        Options { release: true, .. } => Effort::Release,
        Options { no_opt: true, .. } => Effort::None,
        _ => Effort::Quick,
    })?;
    if options.release {
        wasi::build()?; // The package is complete only with its command line.
    }
    sizes::print(&dist())
}

/// Builds the package's files.
pub fn build(effort: Effort) -> Result<()> {
    prepare(effort)?;
    let progress = Progress::new(STEPS);
    progress.watch(|| build_in(&progress, effort))
}

/// Steps of `build_in`: two for each module, and the scripts.
pub const STEPS: usize = 2 * MODULES.len() + 1;

/// Fetches the tools that `build_in` needs.
pub fn prepare(effort: Effort) -> Result<()> {
    tools::wasm_target()?;
    tools::rust_sources()?;
    if effort != Effort::None {
        tools::npm_install(&root().join("xtask"))?;
    }
    Ok(())
}

/// Builds the package's files as steps of a longer course; nothing where the same inputs made them.
///
/// While one module is compiled, which takes one core, the one before is bound and optimized on another.
pub fn build_in(progress: &Progress, effort: Effort) -> Result<()> {
    let compiled = compiled_inputs(&["xtask/src/wasm.rs"])?;
    let hashes: Vec<String> = effort
        .or_better()
        .iter()
        .map(|effort| inputs(&compiled, *effort))
        .collect::<Result<_>>()?;
    let stamp = Stamp::new(kept().join("dist.stamp"), dist());
    if stamp.is_current(&hashes.iter().map(String::as_str).collect::<Vec<_>>()) {
        progress.skip(STEPS, "the browser modules are as they were");
        return Ok(());
    }
    stamp.clear();
    fs::create_dir_all(dist())?;
    std::thread::scope(|scope| {
        let mut finishing = Vec::new();
        for module in &MODULES {
            let raw = progress.step(&format!("compiling {}", module.name), "", |step| {
                compile(module, &compiled, step)
            })?;
            finishing.push(scope.spawn(move || {
                let name = format!("optimizing {}", module.name);
                progress.step(&name, "about 10 s", |step| {
                    finish(module, &raw, effort, step)
                })
            }));
        }
        finishing.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    progress.step("writing the scripts", "about 2 s", |step| {
        copy_sources()?;
        match effort {
            Effort::None => Ok(()),
            _ => optimise::scripts(&dist(), step),
        }
    })?;
    stamp.write(&hashes[0])
}

/// Folder of compiled modules and stamps.
fn kept() -> PathBuf {
    target_dir().join("wasm/kept")
}

/// The hash of everything that the package's files are made of.
fn inputs(compiled: &str, effort: Effort) -> Result<String> {
    let mut inputs = Inputs::new();
    inputs.value("compiled", compiled);
    inputs.value("effort", format!("{effort:?}"));
    for path in [
        "pkg/src",
        "pkg/types",
        "www/knarr-search-results.css",
        "www/knarr-search.css",
        "www/knarr-search.js",
        "xtask/cold.txt",
        "xtask/minify.mjs",
        "xtask/package-lock.json",
        "xtask/src",
    ] {
        inputs.content(root(), path)?;
    }
    Ok(inputs.hash())
}

/// Compiles the crate for the browser and returns the path of the copy that is kept.
///
/// All variants share one target folder, so that the standard library and the dependencies, six sevenths of the work,
/// are compiled once. Cargo writes every variant to the same file and would take the last one for each of them: it
/// goes first, which makes Cargo compile the crate again, and whether that is needed is decided here.
fn compile(module: &Module, inputs: &str, step: &Step) -> Result<PathBuf> {
    let copy = kept().join(format!("{}.wasm", module.name));
    let stamp = Stamp::new(kept().join(format!("{}.stamp", module.name)), copy.clone());
    if stamp.is_current(&[inputs]) {
        return Ok(copy);
    }
    let folder = target_dir().join("wasm");
    let written = folder.join(tools::WASM_TARGET).join("release");
    for old in [written.join("deps/knarr.wasm"), written.join("knarr.wasm")] {
        if old.exists() {
            fs::remove_file(&old)?;
        }
    }
    let mut cargo = cargo();
    cargo.args(["rustc", "--locked", "--package", "knarr", "--lib"]);
    // Beside an rlib Cargo does no link-time optimization, which is a tenth of the core.
    cargo.args(["--crate-type", "cdylib"]);
    cargo.args([
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
    step.cargo(&mut cargo)?;
    stamp.clear();
    fs::create_dir_all(kept())?;
    fs::copy(written.join("knarr.wasm"), &copy)?;
    stamp.write(inputs)?;
    Ok(copy)
}

/// Binds a compiled module and makes it smaller; splits the core.
fn finish(module: &Module, raw: &Path, effort: Effort, step: &Step) -> Result<()> {
    bind(module, raw)?;
    let path = dist().join(format!("{}_bg.wasm", module.name));
    let is_split = module.name == MODULES[0].name;
    if is_split {
        optimise(&path, effort, &optimise::NAMED, step)?;
        fs::copy(&path, kept().join(format!("{}.named.wasm", module.name)))?; // For benches/cold.mjs.
        split(&path, module.name, effort, step)?;
        strip(&path, effort, step)
    } else {
        optimise(&path, effort, &optimise::NAMELESS, step)
    }
}

/// Runs the passes of an effort.
fn optimise(path: &Path, effort: Effort, names: &[&str], step: &Step) -> Result<()> {
    match effort.passes() {
        None => Ok(()),
        Some(passes) => optimise::in_place(path, &[&passes, names].concat(), step),
    }
}

/// Takes the names from a module that is optimised already.
fn strip(path: &Path, effort: Effort, step: &Step) -> Result<()> {
    match effort {
        Effort::None => Ok(()),
        _ => optimise::in_place(path, &optimise::NAMELESS, step),
    }
}

/// Writes the two parts of a module that has its names.
fn split(path: &Path, name: &str, effort: Effort, step: &Step) -> Result<()> {
    let parts = split::split(&fs::read(path)?, &split::cold())
        .with_context(|| format!("cannot split {}", path.display()))?;
    for (part, bytes) in [("first", parts.first), ("rest", parts.rest)] {
        let path = dist().join(format!("{name}_{part}.wasm"));
        fs::write(&path, bytes)?;
        optimise(&path, effort, &optimise::NAMELESS, step)?;
    }
    Ok(())
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
        .with_context(|| format!("wasm-bindgen failed on {}", module.name))?;
    quiet(&dist().join(format!("{}.js", module.name)))
}

/// Makes what an instance that is gone still waits for arrive without a word. The glue throws where nobody can catch, which
/// ends Node; and what follows a trap is told to whom it concerns by pkg/src/module.js.
fn quiet(glue: &Path) -> Result<()> {
    const CLOSURES: &str = "makeMutClosure"; // Where there are any.
    const THROWS: &str = "throw new Error('Cannot invoke closure from previous WASM instance');";
    let script = fs::read_to_string(glue)?;
    ensure!(
        script.contains(THROWS) || !script.contains(CLOSURES),
        "{} has no line that throws where an instance is gone: see what wasm-bindgen writes now",
        glue.display()
    );
    fs::write(glue, script.replace(THROWS, "return;"))?;
    Ok(())
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
    copy(&root().join("www/knarr-search.js"), "knarr-search.js")?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(name), root().join("pkg").join(name))?;
    }
    element_style()
}

/// Parts of the element's style sheet in their order: later rules override earlier ones.
const STYLE: [&str; 2] = ["www/knarr-search.css", "www/knarr-search-results.css"];

/// Writes the element's style sheet, and the same as a script, which the element imports: as a file beside it, it would
/// be an asset that bundlers lose. A string in Rust's escapes is one in JavaScript's.
fn element_style() -> Result<()> {
    let mut parts = Vec::new();
    for part in STYLE {
        parts.push(fs::read_to_string(root().join(part))?);
    }
    let sheet = parts.join("\n");
    fs::write(dist().join("knarr-search.css"), &sheet)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_serves_where_less_was_asked_for() {
        assert!(Effort::Quick.or_better().contains(&Effort::Release));
        assert_eq!(Effort::Release.or_better(), [Effort::Release]);
        for effort in [Effort::None, Effort::Quick, Effort::Release] {
            assert_eq!(
                effort.or_better()[0],
                effort,
                "the stamp names what was made"
            );
        }
    }

    #[test]
    fn only_a_release_converges() {
        let converges =
            |effort: Effort| effort.passes().map(|passes| passes.contains(&"--converge"));
        assert_eq!(converges(Effort::None), None);
        assert_eq!(converges(Effort::Quick), Some(false));
        assert_eq!(converges(Effort::Release), Some(true));
    }

    #[test]
    fn inputs_tell_efforts_and_sources_apart() {
        let hash = |compiled, effort| inputs(compiled, effort).unwrap();
        assert_eq!(hash("a", Effort::Quick), hash("a", Effort::Quick));
        assert_ne!(hash("a", Effort::Quick), hash("a", Effort::Release));
        assert_ne!(hash("a", Effort::Quick), hash("b", Effort::Quick));
    }
}
