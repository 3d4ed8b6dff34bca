//! `build --watch`, whose first build may fail.

use super::{Site, knarr, ok};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Command, Stdio};

/// A build that goes on; stopped when dropped.
struct Watching {
    process: Child,
    told: BufReader<ChildStderr>,
}

impl Watching {
    fn new(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_knarr"))
            .args(["build", "--watch", "--quiet", "--general-words", "1000"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let told = BufReader::new(process.stderr.take().expect("piped"));
        Self { process, told }
    }

    /// The next line of standard error.
    #[track_caller]
    fn tells(&mut self, start: &str) {
        let mut line = String::new();
        self.told.read_line(&mut line).expect("a line");
        assert!(line.starts_with(start), "{line:?} is not {start:?}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_first_build_that_fails_is_told_and_the_next_change_builds() {
    let site = Site::new();
    let (input, out) = (site.path("in"), site.path("out"));
    std::fs::create_dir(&input).expect("a folder");
    let own = site.write("own.json", "{\"hide\": []}");
    let mut watching = Watching::new(&[&input, "--out", &out, "--site-file", &own]);
    watching.tells("error[INVALID_ARGUMENT]: ");
    watching.tells("watching ");
    site.write("own.json", "{\"hidden\": []}");
    watching.tells("error[FAILED_PRECONDITION]: nothing to index");
    site.write("in/a.md", "# Herring\n\nA page of herring.");
    watching.tells("built again: 1 file in");
    assert!(ok(["find", &out, "herring"]).out.contains("a.md"));
}

#[test]
fn wrong_arguments_end_it() {
    let site = Site::new();
    std::fs::create_dir(site.path("in")).expect("a folder");
    let input = site.path("in");
    for wrong in [
        ["--bits", "5"],
        ["--include", "[a"],
        ["--mount", "no=viking://agent/a"],
    ] {
        let ended = knarr([&["build", &input, "--watch"], &wrong[..]].concat());
        assert_eq!(ended.code, 2, "{}", ended.err);
        assert!(!ended.err.contains("watching"), "{}", ended.err);
    }
}

#[test]
fn a_mistake_in_a_file_that_is_read_is_no_wrong_argument() {
    let site = Site::new();
    site.write("in/a.md", "# Herring\n\nA page of herring.");
    let input = site.path("in");
    for own in ["{", "{\"hide\": []}", "{\"pins\": {\"a\": [\"gone.md\"]}}"] {
        site.write("in/knarr.json", own);
        let ended = knarr(["build", &input, "--out", &site.path("out")]);
        assert_eq!(ended.code, 1, "{}", ended.err);
        let told =
            ended.err.contains("error[INVALID_ARGUMENT]: ") && ended.err.contains("knarr.json");
        assert!(told, "{}", ended.err);
    }
    let rows = site.write("rows.jsonl", "{\"title\": 5}");
    assert_eq!(knarr(["build", &rows, "--out", &site.path("out")]).code, 1);
}
