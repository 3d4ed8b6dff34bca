//! Tools that a task needs and installs where they are missing.

use crate::shell::{command, exists, on_path, output_of, root, run, say};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// The compiler's target for browsers.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The compiler's target for the command line as npm installs it.
pub const WASI_TARGET: &str = "wasm32-wasip1-threads";

/// Adds the browser target to the toolchain unless it is there.
pub fn wasm_target() -> Result<()> {
    target(WASM_TARGET)
}

/// Adds a target to the toolchain unless it is there.
pub fn target(name: &str) -> Result<()> {
    let libdir = output_of(command("rustc").args(["--print", "target-libdir", "--target", name]))?;
    if Path::new(&libdir).exists() {
        return Ok(());
    }
    say(format!("adding the {name} target"));
    run(command("rustup").args(["target", "add", name]))
        .with_context(|| format!("this toolchain has no {name} target and rustup could not add it"))
}

/// Adds the standard library's sources, of which the browser modules are compiled, unless they are there.
pub fn rust_sources() -> Result<()> {
    let sysroot = output_of(command("rustc").args(["--print", "sysroot"]))?;
    if Path::new(&sysroot)
        .join("lib/rustlib/src/rust/library/Cargo.lock")
        .exists()
    {
        return Ok(());
    }
    say("adding the rust-src component");
    run(command("rustup").args(["component", "add", "rust-src"]))
        .context("the toolchain has no rust-src and rustup could not add it")
}

/// The folder of the Rust documentation; installs the `rust-docs` component where it is missing.
pub fn rust_docs() -> Result<PathBuf> {
    let sysroot = output_of(command("rustc").args(["--print", "sysroot"]))?;
    let folder = Path::new(&sysroot).join("share/doc/rust/html");
    if !folder.join("book/index.html").exists() {
        say("adding the rust-docs component");
        run(command("rustup").args(["component", "add", "rust-docs"]))
            .context("the toolchain has no rust-docs and rustup could not add them")?;
    }
    if !folder.join("book/index.html").exists() {
        bail!("no Rust documentation in {}", folder.display());
    }
    Ok(folder)
}

/// True when Node.js and npm are there.
pub fn has_node() -> bool {
    exists("node") && exists("npm")
}

/// Installs the packages of `folder/package-lock.json` unless that very lock file is installed already.
pub fn npm_install(folder: &Path) -> Result<()> {
    if !has_node() {
        bail!("Node.js with npm is needed (version 20.16 or newer): https://nodejs.org");
    }
    let lock = std::fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    let installed = folder.join("node_modules/.knarr-lock");
    if std::fs::read(&installed).is_ok_and(|bytes| bytes == lock) {
        return Ok(());
    }
    let shown = folder.strip_prefix(root()).unwrap_or(folder);
    say(format!("npm ci in {}", shown.display()));
    run(command("npm")
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(folder))?;
    if folder.join("node_modules").is_dir() {
        std::fs::write(installed, lock)?;
    }
    Ok(())
}

/// The path of the Chromium for browser tests: `$CHROMIUM`, or one on the PATH, or Debian's, installed now when running as root.
pub fn chromium() -> Result<String> {
    if let Ok(path) = std::env::var("CHROMIUM") {
        return Ok(path);
    }
    let names = ["chromium", "chromium-browser", "google-chrome"];
    if let Some(path) = names.into_iter().find_map(on_path) {
        return Ok(path);
    }
    if !debian(&["chromium"])? {
        bail!("no Chromium: install one, or name it in the CHROMIUM environment variable");
    }
    on_path("chromium").context("Debian's chromium is installed but not on the PATH")
}

/// Installs the servers that tests of hosting ask, where they are missing. Without them those tests are left out.
pub fn web_servers() {
    if on_path("nginx").is_some() && on_path("apache2").is_some() {
        return;
    }
    if let Err(error) = debian(&["nginx-light", "apache2"]) {
        say(format!(
            "left out are the tests of nginx and Apache: {error}"
        ));
    }
}

/// Installs Debian's Firefox and WebKit, with the screen that WebKit needs, where they are missing. Without them their
/// tests are left out.
pub fn other_browsers() {
    let needed = ["firefox-esr", "WebKitWebDriver", "Xvfb"];
    if needed.into_iter().all(|name| on_path(name).is_some()) {
        return;
    }
    if let Err(error) = debian(&["firefox-esr", "webkit2gtk-driver", "xvfb"]) {
        say(format!(
            "left out are the tests of Firefox and WebKit: {error}"
        ));
    }
}

/// Makes a virtual environment of Python's; installs Debian's Python where there is none that can.
pub fn virtual_environment(folder: &Path) -> Result<()> {
    let make = || {
        let mut python = command("python3");
        python.args(["-m", "venv"]).arg(folder);
        exists("python3") && output_of(&mut python).is_ok()
    };
    if make() || (debian(&["python3", "python3-venv"])? && make()) {
        return Ok(());
    }
    bail!("Python 3.11 or newer with its module venv is needed: https://www.python.org")
}

/// Installs packages of Debian's; false where there is no apt-get, or no right to use it.
fn debian(packages: &[&str]) -> Result<bool> {
    if !exists("apt-get") || output_of(command("id").arg("-u")).ok().as_deref() != Some("0") {
        return Ok(false);
    }
    say(format!("installing {} from Debian", packages.join(", ")));
    run(command("apt-get").args(["update", "-qq"]))?;
    run(command("apt-get")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"))?;
    Ok(true)
}
