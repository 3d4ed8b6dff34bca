//! The stage `python`: the wheel, built, checked, installed, and used by MkDocs and Sphinx; its exports in engines, and pages that ask one.

use crate::shell::{command, describe, dist, output_of, root, run, say, target_dir};
use crate::wasm::{self, Effort};
use crate::{tools, wasi};
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the wheel with the debug binary, which the native tests have compiled already, and runs its tests.
pub fn test() -> Result<()> {
    wasm::build(Effort::Release)?;
    wasi::build()?;
    element_files()?;
    let folder = target_dir().join("python");
    let python = environment(&folder.join("venv"))?;
    let wheel = build(&python, &folder.join("wheels"))?;
    let quietly = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    run(command(&python)
        .args(quietly)
        .args(["--force-reinstall", "--no-deps"])
        .arg(&wheel))?;
    run(command(&python)
        .args(["-m", "twine", "check", "--strict"])
        .arg(&wheel))?;
    let out = folder.join("sites");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let tests = root().join("tests");
    for script in ["python/test_wheel.py", "python/test_export.py"] {
        run(command(&python).arg(tests.join(script)).env("OUT", &out))?;
    }
    tools::npm_install(&tests.join("web"))?;
    run(command("node")
        .args(["--test", "--test-concurrency=1"])
        .args(["python-sites.mjs", "qdrant-live.mjs"])
        .current_dir(tests.join("web"))
        .env("CHROMIUM", tools::chromium()?)
        .env("PYTHON", &python)
        .env("OUT", &out))
}

/// Copies what a page with the element loads into the Python package, and what it loads for answers beside it.
fn element_files() -> Result<()> {
    let folder = root().join("crates/knarr-cli/python/knarr/element");
    let answers = folder.join("answers");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&answers)?;
    let always = listed("")?;
    for name in listed("{ answers: true }")?.lines() {
        let to = if always.lines().any(|one| one == name) {
            &folder
        } else {
            &answers
        };
        fs::copy(dist().join(name), to.join(name))?;
    }
    for file in [
        root().join("pkg/bin/places.json"),
        dist().join("knarr-place.js"),
    ] {
        let name = file.file_name().unwrap_or_default();
        fs::copy(&file, folder.join(name))?;
    }
    Ok(())
}

/// The names of the element's files, as the npm package lists them with these options, one a line.
fn listed(options: &str) -> Result<String> {
    let script = format!(
        "import {{ elementFiles }} from './pkg/bin/init.mjs'; console.log(elementFiles({options}).join('\\n'))"
    );
    output_of(
        command("node")
            .args(["--input-type=module", "-e", &script])
            .current_dir(root()),
    )
}

/// A virtual environment with the packages of tests/python/requirements.txt; its Python.
fn environment(folder: &Path) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    let wanted = fs::read(root().join("tests/python/requirements.txt"))?;
    let installed = folder.join("requirements.txt");
    if python.exists() && fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(python);
    }
    say("installing MkDocs, Sphinx, maturin, Qdrant and PostgreSQL in a virtual environment");
    tools::virtual_environment(folder)?;
    run(command(&python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
        ])
        .arg(root().join("tests/python/requirements.txt")))?;
    fs::write(installed, wanted)?;
    Ok(python)
}

/// The path of the wheel.
fn build(python: &Path, out: &Path) -> Result<PathBuf> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    let mut maturin = command(python.with_file_name("maturin"));
    maturin
        .args(["build", "--quiet", "--locked", "--profile", "dev", "--out"])
        .arg(out)
        .current_dir(root().join("crates/knarr-cli"))
        .env("CARGO_TARGET_DIR", target_dir());
    let line = describe(&maturin);
    run(&mut maturin)?;
    let mut wheels = fs::read_dir(out)?.filter_map(|entry| Some(entry.ok()?.path()));
    match wheels.next() {
        Some(wheel) => Ok(wheel),
        None => bail!("`{line}` wrote no wheel"),
    }
}
