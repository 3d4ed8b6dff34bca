//! The command line as scripts use it: forms, exit codes, and what is on which stream.

mod answers;
mod building;
mod caching;
mod calls;
mod errors;
mod evaluation;
mod exporting;
mod faults;
mod inputs;
mod limits;
mod manual;
mod models;
mod owner;
mod packing;
#[allow(dead_code, reason = "the tests of packs use more of it")]
#[path = "../it/ovpack/fixture.rs"]
mod packs;
mod searching;
mod serving;
mod sites;
mod watching;

use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// How a command ended.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

impl Ended {
    /// Standard output as JSON.
    fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

/// Runs the binary to its end.
fn knarr(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ended {
    let arguments = arguments.into_iter();
    let mut arguments: Vec<OsString> = arguments.map(|a| a.as_ref().to_owned()).collect();
    // All of them take a build of the tests two seconds.
    let is_told = arguments.iter().any(|a| a == "--general-words");
    if arguments.first().is_some_and(|a| a == "build") && !is_told {
        arguments.extend(["--general-words", "1000"].map(OsString::from));
    }
    let output = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(arguments)
        .output()
        .expect("the binary starts");
    Ended {
        code: output.status.code().expect("the binary ends by itself"),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// Runs the binary and expects success.
fn ok(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ended {
    let ended = knarr(arguments);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    ended
}

/// The small bilingual site that the tests share.
fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// The bundle of the corpus, built once for all tests: nobody writes into it.
static BUNDLE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-bundle");
    loop {
        let ended = knarr([
            "build",
            text(&corpus()),
            "--out",
            text(&folder),
            "--name",
            "harbour",
            "--quiet",
        ]);
        if ended.code == 0 {
            return folder;
        }
        // Under nextest every test is a process, and one build at a time writes a folder.
        assert!(ended.err.contains("another build"), "{}", ended.err);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
});

/// The bundle of the corpus, and a scratch folder of the test's own.
struct Site {
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a scratch folder"),
        }
    }

    /// Path of a file in the scratch folder.
    fn path(&self, name: &str) -> String {
        text(&self.folder.path().join(name)).to_owned()
    }

    fn bundle(&self) -> String {
        text(&BUNDLE).to_owned()
    }

    /// Writes a file into the scratch folder and returns its path.
    fn write(&self, name: &str, content: &str) -> String {
        let path = self.path(name);
        let folder = Path::new(&path).parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&path, content).expect("written");
        path
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("scratch paths are Unicode")
}

/// The URIs of a list of JSON objects.
fn uris(list: &Value) -> Vec<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|item| item["uri"].as_str().expect("a URI"))
        .collect()
}
