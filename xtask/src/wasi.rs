//! `pkg/bin/knarr.wasm.br`: the command line as npm installs it, for Node's WASI.

use crate::progress::{Progress, Step};
use crate::shell::{cargo, root, target_dir};
use crate::stamp::{Stamp, compiled_inputs};
use crate::tools;
use anyhow::{Context, Result};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Levels above 9 take half a minute and save a tenth.
const BROTLI_QUALITY: u32 = 9;

/// Compiles the command line and packs it; nothing where the same inputs made it.
pub fn build() -> Result<()> {
    tools::target(tools::WASI_TARGET)?;
    let output = output();
    let stamp = Stamp::new(target_dir().join("wasi/bin.stamp"), output.clone());
    let hash = compiled_inputs(&[
        "crates/knarr-cli/Cargo.toml",
        "crates/knarr-cli/src",
        "xtask/src/wasi.rs",
    ])?;
    if stamp.is_current(&[&hash]) {
        return Ok(());
    }
    stamp.clear();
    let progress = Progress::new(2);
    progress.watch(|| -> Result<()> {
        let module = progress.step("compiling the command line for npm", "", compile)?;
        progress.step("packing it", "about 5 s", |_| {
            let mut packed = brotli::CompressorWriter::new(Vec::new(), 1 << 16, BROTLI_QUALITY, 24);
            packed.write_all(&module)?;
            fs::write(&output, packed.into_inner())?;
            Ok(())
        })
    })?;
    stamp.write(&hash)
}

fn output() -> PathBuf {
    root().join("pkg/bin/knarr.wasm.br")
}

fn compile(step: &Step) -> Result<Vec<u8>> {
    let folder = target_dir().join("wasi");
    let mut cargo = cargo();
    // Waiting for a lock is not stable for WebAssembly, and without it the lock of html5ever's names panics.
    cargo.env("RUSTC_BOOTSTRAP", "parking_lot_core");
    cargo.args(["build", "--locked", "--package", "knarr-cli"]);
    cargo.args(["--target", tools::WASI_TARGET, "--profile", "tool"]);
    // There is nothing to unwind to, and nobody to read the names of functions.
    cargo.args(["--config", "profile.tool.panic=\"abort\""]);
    cargo.args(["--config", "profile.tool.strip=true"]);
    cargo.arg("--target-dir").arg(&folder);
    step.cargo(&mut cargo)?;
    let module = folder.join(tools::WASI_TARGET).join("tool/knarr.wasm");
    fs::read(&module).with_context(|| format!("no module at {}", module.display()))
}
