//! Records of outputs and the inputs they were built of: a second run does nothing where nothing changed.
//!
//! A stamp is a small file under `target/` with the hash of a step's inputs and a listing of its outputs. It is written
//! after the step, so that a step that was stopped is done again.

use crate::shell::{command, output_of, root};
use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A hash over the inputs of a step, each with its name and length.
pub struct Inputs(Sha256);

impl Inputs {
    /// No inputs yet.
    pub fn new() -> Inputs {
        Inputs(Sha256::new())
    }

    /// Adds a named value, such as an option or the version of a compiler.
    pub fn value(&mut self, name: &str, value: impl AsRef<[u8]>) -> &mut Inputs {
        for bytes in [name.as_bytes(), value.as_ref()] {
            self.0.update((bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        self
    }

    /// Adds the content of a file, or of all files below a folder. A path with nothing there is an input too.
    pub fn content(&mut self, root: &Path, path: &str) -> Result<&mut Inputs> {
        let at = root.join(path);
        if at.is_file() {
            let bytes = fs::read(&at).with_context(|| format!("cannot read {}", at.display()))?;
            return Ok(self.value(path, bytes));
        }
        for file in files_below(&at)? {
            let name = file.strip_prefix(root).unwrap_or(&file);
            let bytes =
                fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            self.value(&name.to_string_lossy(), bytes);
        }
        Ok(self)
    }

    /// Adds names, sizes and times of all files below a folder: for thousands of files that are not ours.
    pub fn listing(&mut self, folder: &Path) -> Result<&mut Inputs> {
        let listing = listing(folder)?;
        Ok(self.value(&folder.to_string_lossy(), listing))
    }

    /// The hash, as the first half of its hexadecimal digits.
    pub fn hash(&self) -> String {
        let digest = self.0.clone().finalize();
        digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The record of one step's last result.
pub struct Stamp {
    file: PathBuf,
    outputs: PathBuf,
}

impl Stamp {
    /// The record `file` of a step that writes the file or folder `outputs`.
    pub fn new(file: PathBuf, outputs: PathBuf) -> Stamp {
        Stamp { file, outputs }
    }

    /// True when one of these hashes was recorded and the outputs are as the step left them.
    pub fn is_current(&self, hashes: &[&str]) -> bool {
        let Ok(record) = fs::read_to_string(&self.file) else {
            return false;
        };
        hashes
            .iter()
            .any(|hash| self.record(hash).is_ok_and(|now| now == record))
    }

    /// Forgets the record; called before a step changes its outputs.
    pub fn clear(&self) {
        // A record that is not there is forgotten already.
        let _ = fs::remove_file(&self.file);
    }

    /// Records that the outputs were made of these inputs.
    pub fn write(&self, hash: &str) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&self.file, self.record(hash)?)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }

    fn record(&self, hash: &str) -> Result<String> {
        Ok(format!("{hash}\n{}", listing(&self.outputs)?))
    }
}

/// Name, size and time of every file below a folder, one to a line, in the order of names.
fn listing(folder: &Path) -> Result<String> {
    let mut lines = String::new();
    let files = match folder.is_file() {
        true => vec![folder.to_path_buf()],
        false => files_below(folder)?,
    };
    for file in files {
        let facts = fs::metadata(&file)?;
        let nanos = facts
            .modified()?
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        let name = file.strip_prefix(folder).unwrap_or(&file);
        lines.push_str(&format!("{} {} {nanos}\n", name.display(), facts.len()));
    }
    Ok(lines)
}

/// All files below a folder in the order of their names; none where there is no such folder.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => open.push(entry.path()),
                false => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The hash of everything that a compiled module is made of: the crate, the compiler and `more`.
pub fn compiled_inputs(more: &[&str]) -> Result<String> {
    let mut inputs = Inputs::new();
    let every = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "src"];
    for path in every.iter().chain(more) {
        inputs.content(root(), path)?;
    }
    inputs.value("rustc", output_of(command("rustc").arg("-vV"))?);
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        inputs.value(name, std::env::var(name).unwrap_or_default());
    }
    Ok(inputs.hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder of this test's own.
    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("knarr-xtask-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("in/deep")).unwrap();
        folder
    }

    fn hash_of(root: &Path) -> String {
        Inputs::new().content(root, "in").unwrap().hash()
    }

    #[test]
    fn every_change_of_content_changes_the_hash() {
        let root = scratch("content");
        fs::write(root.join("in/a"), "one").unwrap();
        fs::write(root.join("in/deep/b"), "two").unwrap();
        let first = hash_of(&root);
        assert_eq!(hash_of(&root), first);

        fs::write(root.join("in/deep/b"), "tow").unwrap();
        let edited = hash_of(&root);
        fs::rename(root.join("in/deep/b"), root.join("in/deep/c")).unwrap();
        let renamed = hash_of(&root);
        fs::remove_file(root.join("in/deep/c")).unwrap();
        let removed = hash_of(&root);
        let all = [first, edited, renamed, removed];
        for (at, hash) in all.iter().enumerate() {
            assert!(!all[..at].contains(hash), "change {at} went unseen");
        }
    }

    #[test]
    fn names_and_values_do_not_run_together() {
        let joined = |pairs: &[(&str, &str)]| {
            let mut inputs = Inputs::new();
            for (name, value) in pairs {
                inputs.value(name, value);
            }
            inputs.hash()
        };
        assert_ne!(joined(&[("ab", "c")]), joined(&[("a", "bc")]));
        assert_ne!(joined(&[("a", ""), ("b", "")]), joined(&[("a", "b")]));
    }

    #[test]
    fn a_stamp_holds_until_inputs_or_outputs_change() {
        let root = scratch("stamp");
        let stamp = Stamp::new(root.join("kept/stamp"), root.join("in"));
        fs::write(root.join("in/result"), "made").unwrap();
        assert!(!stamp.is_current(&["h"]), "nothing was recorded");
        stamp.write("h").unwrap();
        assert!(stamp.is_current(&["h"]));
        assert!(stamp.is_current(&["better", "h"]));
        assert!(!stamp.is_current(&["other"]));

        fs::write(root.join("in/result"), "changed").unwrap();
        assert!(!stamp.is_current(&["h"]), "an output was changed");
        stamp.write("h").unwrap();
        fs::remove_file(root.join("in/result")).unwrap();
        assert!(!stamp.is_current(&["h"]), "an output is gone");
        stamp.write("h").unwrap();
        stamp.clear();
        assert!(!stamp.is_current(&["h"]), "the record is gone");
    }
}
