//! wasm-opt, from the npm package `binaryen`, pinned by `xtask/package-lock.json`.
//!
//! It is a JavaScript build that takes seconds to a module, so results are kept under `target/wasm-opt`, named by the
//! content of input, options and version. Its packages are there already: `wasm::prepare` installs them.

use crate::progress::Step;
use crate::shell::{command, root, target_dir};
use crate::stamp::Inputs;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Features that the compiler may emit and wasm-opt must therefore accept: the target's default features plus SIMD.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Sections that only tools read.
const STRIP: [&str; 2] = ["--strip-producers", "--strip-target-features"];

/// Passes after which functions have no names.
pub const NAMELESS: [&str; 1] = ["--strip-debug"];

/// Passes after which functions still have their names; what code they leave is the same.
pub const NAMED: [&str; 1] = ["-g"];

/// Replaces the module at `path` by the optimised one. `passes` are wasm-opt's, [`NAMELESS`] or [`NAMED`] among them.
pub fn in_place(path: &Path, passes: &[&str], step: &Step) -> Result<()> {
    let folder = root().join("xtask");
    let input = fs::read(path).with_context(|| format!("no module at {}", path.display()))?;
    let lock = fs::read(folder.join("package-lock.json"))?;
    let options = [passes, &FEATURES, &STRIP].concat();

    let name = Inputs::new()
        .value("module", input)
        .value("lock", lock)
        .value("options", options.join(" "))
        .hash();
    let cache = target_dir().join("wasm-opt");
    let cached = cache.join(format!("{name}.wasm"));

    if !cached.exists() {
        fs::create_dir_all(&cache)?;
        let partial = cache.join(format!("{name}.partial"));
        step.quietly(
            command("node")
                .arg(folder.join("node_modules/binaryen/bin/wasm-opt"))
                .args(&options)
                .arg(path)
                .arg("-o")
                .arg(&partial),
        )?;
        fs::rename(&partial, &cached)?;
    }
    fs::copy(&cached, path)?;
    Ok(())
}

/// Minifies every script and style sheet in `dist` in place, with esbuild. Modules stay modules: nothing is bundled.
pub fn scripts(dist: &Path, step: &Step) -> Result<()> {
    let folder = root().join("xtask");
    let mut esbuild = command("node");
    esbuild.arg(folder.join("minify.mjs")).arg(dist);
    for entry in fs::read_dir(dist)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|end| end == "js" || end == "css")
        {
            esbuild.arg(path);
        }
    }
    step.quietly(&mut esbuild)
}
