//! The stage `publish`: both crates and the npm package can be published as they are.
//!
//! A dry run asks the registries, so it fails once this version is on one of them: raise the version then.

use crate::shell::{cargo, command, describe, root};
use crate::wasi;
use crate::wasm::{self, Effort};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Warnings of every dry run: that it is one, and what the packages leave out on purpose.
const EXPECTED: [&str; 5] = [
    "aborting upload due to dry run",
    "is not included in the published package",
    "This command requires you to be logged in",
    // The settings of the machine, not the package.
    "Unknown user config",
    "Unknown env config",
];

/// Publishes without uploading; fails on any other warning. The crates are not compiled again.
pub fn dry_run() -> Result<()> {
    without_warnings(cargo().args([
        "publish",
        "--dry-run",
        "--locked",
        "--no-verify",
        "--allow-dirty",
        "--workspace",
        "--exclude",
        "xtask",
    ]))?;
    wasm::build(Effort::Release)?;
    wasi::build()?;
    let package = root().join("pkg");
    without_warnings(
        command("npm")
            .args(["publish", "--dry-run"])
            .current_dir(package),
    )
}

fn without_warnings(command: &mut Command) -> Result<()> {
    let line = describe(command);
    let output = command
        .output()
        .with_context(|| format!("cannot start `{line}`"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("`{line}` failed ({})\n{told}", output.status);
    }
    let is_warning = |text: &&str| text.starts_with("warning") || text.starts_with("npm warn");
    let is_new = |text: &&str| !EXPECTED.iter().any(|known| text.contains(known));
    match told.lines().filter(is_warning).find(is_new) {
        Some(warning) => bail!("`{line}` warns: {warning}\n{told}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tells(script: &str) -> Result<()> {
        without_warnings(command("sh").args(["-c", script]))
    }

    #[test]
    fn only_warnings_of_every_dry_run_pass() {
        assert!(tells("echo 'warning: aborting upload due to dry run' >&2").is_ok());
        assert!(tells("echo 'warning: manifest has no documentation' >&2").is_err());
        assert!(tells("echo 'npm warn publish auto-corrected some errors' >&2").is_err());
        assert!(tells("exit 1").is_err());
    }
}
