//! How commands fail: a coded line on standard error, nothing on standard output, 2 for wrong arguments and 1 otherwise.

use super::{Site, knarr};
use std::process::{Command, Stdio};

#[track_caller]
fn fails(arguments: &[&str], code: i32, start: &str) {
    let ended = knarr(arguments);
    assert_eq!(ended.code, code, "{}", ended.err);
    assert!(ended.err.starts_with(start), "{}", ended.err);
    assert_eq!(
        (ended.err.lines().count(), ended.out.as_str()),
        (1, ""),
        "{}",
        ended.err
    );
}

#[test]
fn wrong_arguments_end_with_2() {
    let site = Site::new();
    let bundle = &site.bundle();
    fails(&["find", bundle], 2, "error[INVALID_ARGUMENT]: ");
    fails(
        &["find", bundle, "a", "--mode", "deep"],
        2,
        "error[INVALID_ARGUMENT]: ",
    );
    fails(
        &["find", bundle, "a", "--alpha", "7"],
        2,
        "error[INVALID_ARGUMENT]: ",
    );
    fails(
        &["find", bundle, "--queries", "q.jsonl"],
        2,
        "error[INVALID_ARGUMENT]: ",
    );
    fails(
        &["read", bundle, "https://example.com/"],
        2,
        "error[INVALID_URI]: ",
    );
    fails(&["grep", bundle, "("], 2, "error[INVALID_PATTERN]: ");
    fails(&["glob", bundle, "[a"], 2, "error[INVALID_PATTERN]: ");
    fails(
        &["serve", &site.path("absent")],
        2,
        "error[INVALID_ARGUMENT]: ",
    );
    fails(
        &["find", bundle, "a", "--filter", "{"],
        2,
        "error[INVALID_ARGUMENT]: invalid value '{' for '--filter <JSON>': not JSON: EOF while parsing an object at line 1 \
         column 1; an example: {\"op\":\"must\",\"field\":\"tags\",\"conds\":[\"kind=guide\"]} (see --help)",
    );
    fails(
        &["find", bundle, "a", "--hybrid", "recency=1"],
        2,
        "error[INVALID_ARGUMENT]: invalid value 'recency=1' for '--hybrid <JSON>': not JSON: expected value at line 1 \
         column 1; an example: {\"scoring\":\"two_field\"}",
    );
    fails(
        &["find", bundle, "a", "--limit", "-1"],
        2,
        "error[INVALID_ARGUMENT]: invalid value '-1' for '--limit <N>': ",
    );
    fails(&["no-such-command"], 2, "error[INVALID_ARGUMENT]: ");
    for least in ["-1", "2", "NaN"] {
        fails(
            &["find", bundle, "a", &format!("--threshold={least}")],
            2,
            "error[INVALID_ARGUMENT]: ",
        );
    }
}

#[test]
fn the_commands_of_the_npm_package_say_where_they_are() {
    for command in ["add", "init", "mdbook"] {
        fails(
            &[command, "site", "--answers"],
            2,
            "error[INVALID_ARGUMENT]: add, init and mdbook put the package's files into a site, so npm has them",
        );
    }
}

#[test]
fn a_second_page_without_relevant_rows_says_so_of_itself() {
    let site = Site::new();
    let bundle = &site.bundle();
    let ask = |offset: &str| {
        let question = "the treaty between the king of France and Spain";
        let ended = knarr(["find", bundle, question, "--offset", offset, "--limit", "2"]);
        assert_eq!(ended.code, 0, "{}", ended.err);
        ended.out
    };
    for (offset, told) in [
        ("0", "nothing relevant found"),
        ("2", "nothing more that is relevant"),
    ] {
        let (out, told) = (ask(offset), format!("{told}; the nearest:"));
        assert!(out.lines().any(|line| line == told), "{told}: {out}");
    }
}

#[test]
fn everything_else_ends_with_1() {
    let site = Site::new();
    let bundle = &site.bundle();
    fails(
        &["read", bundle, "viking://resources/harbour/absent.md"],
        1,
        "error[NOT_FOUND]: ",
    );
    fails(
        &["find", &site.path("absent"), "a"],
        1,
        "error[BUNDLE_MISSING]: ",
    );
    fails(
        &[
            "find",
            bundle,
            "--queries",
            &site.path("absent.jsonl"),
            "--json",
        ],
        1,
        "error[IO]: cannot read ",
    );
    let foreign = site.write(
        "foreign.knarr",
        "This is a text that was never a bundle, long enough for any header.",
    );
    fails(&["inspect", &foreign], 1, "error[BUNDLE_FORMAT]: ");
}

#[test]
fn a_damaged_bundle_is_named() {
    let site = Site::new();
    let mut bytes = std::fs::read(site.bundle() + "/index.knarr").expect("a head");
    bytes[40] ^= 1;
    let damaged = site.path("damaged.knarr");
    std::fs::write(&damaged, bytes).expect("written");
    fails(&["inspect", &damaged], 1, "error[BUNDLE_DAMAGED]: ");
    let said = knarr(["inspect", &damaged]).err;
    let end = format!("; the bundle is {damaged}: build it again, or copy it again\n");
    assert!(said.ends_with(&end), "{said}");
}

#[test]
fn a_damaged_pack_is_named() {
    let site = Site::new();
    let out = site.path("packs");
    let corpus = super::corpus();
    super::ok([
        "build",
        super::text(&corpus),
        "--packs",
        "--out",
        &out,
        "--quiet",
    ]);
    let packs = std::fs::read_dir(&out).expect("a folder");
    let packs = packs.map(|entry| entry.expect("an entry").path());
    let mut names = Vec::new();
    for path in packs.filter(|path| path.extension().is_some_and(|ending| ending == "pack")) {
        let mut bytes = std::fs::read(&path).expect("a pack");
        bytes.iter_mut().for_each(|byte| *byte ^= 1);
        std::fs::write(&path, bytes).expect("written");
        names.push(path.file_name().expect("a name").display().to_string());
    }
    names.sort();
    let ended = knarr(["find", &out, "tent"]);
    assert!(ended.err.starts_with("error[BUNDLE_"), "{}", ended.err);
    let said = format!("; the bundle is {out} (damaged: {}", names[0]);
    assert!(ended.err.contains(&said), "{}", ended.err);
    assert!(ended.err.ends_with(": build it again, or copy it again\n"));
}

#[test]
fn a_missing_pack_is_named() {
    let site = Site::new();
    let out = site.path("packs");
    super::ok([
        "build",
        super::text(&super::corpus()),
        "--packs",
        "--out",
        &out,
        "--quiet",
    ]);
    for entry in std::fs::read_dir(&out).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "pack")
        {
            std::fs::remove_file(path).expect("removed");
        }
    }
    fails(&["find", &out, "clock"], 1, "error[BUNDLE_MISSING]: ");
}

#[test]
fn a_faulty_line_of_queries_is_named() {
    let site = Site::new();
    let file = site.write("queries.jsonl", "{\"query\": \"a\"}\n{\"quary\": \"b\"}\n");
    let ended = knarr(["find", &site.bundle(), "--queries", &file, "--json"]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.err.contains("queries.jsonl, line 2: "),
        "{}",
        ended.err
    );
}

#[test]
fn help_and_version_are_no_failures() {
    let help = knarr(["--help"]);
    assert_eq!(help.code, 0);
    for command in [
        "build", "find", "search", "grep", "glob", "abstract", "overview", "read", "ls", "tree",
        "stat", "eval",
    ] {
        assert!(
            help.out.contains(&format!("\n  {command} ")),
            "{command} is not in:\n{}",
            help.out
        );
    }
    assert!(knarr(["--version"]).out.starts_with("knarr "));
    assert_eq!(knarr([""; 0]).code, 2);
}

/// The words of a text, without marks of Markdown, so that lines may be broken anywhere.
fn words(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('`', "")
}

#[test]
fn every_option_with_a_flag_is_in_the_help() {
    let [find, search] = ["find", "search"].map(|command| words(&knarr([command, "--help"]).out));
    let mut without = Vec::new();
    for option in knarr::find::ask::options::FindOptions::table() {
        let Some((flag, value)) = option.flag else {
            without.push(option.name);
            continue;
        };
        let shown = match value {
            Some(value) => format!(" --{flag} <{value}> "),
            None => format!(" --{flag} "),
        };
        assert!(find.contains(&shown), "{shown} is not in {find}");
        // Two that `search` has of its own: they tell of each query of a plan.
        let is_in_search = !option.is_report || ["trace", "provenance"].contains(&flag);
        assert_eq!(search.contains(&shown), is_in_search, "{shown}");
        // Help may begin with "Turn this off:", and then goes on with a small letter.
        let sentence = words(option.sentence);
        let said = sentence.trim_end_matches('.').get(1..).expect("a sentence");
        assert!(find.contains(said), "{said} is not in {find}");
    }
    // Known to programs only: a model's scores, another name of `limit`, the clock, and a vector of some hundred numbers.
    let programs_only = [
        "walk_scores",
        "node_limit",
        "now",
        "utc_offset_minutes",
        "vector",
    ];
    assert_eq!(without, programs_only);
}

/// `knarr build … 2>&1 | head -1`: what is told has no reader, and the work is done all the same.
#[test]
fn messages_that_nobody_reads_end_no_work() {
    let site = Site::new();
    site.write("in/a.md", "# Tea\n\nTea.\n");
    let out = site.path("out");
    let arguments = [
        "build",
        &site.path("in"),
        "--out",
        &out,
        "--general-words",
        "1000",
    ];
    let mut running = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(running.stderr.take());
    assert!(running.wait().expect("it ends").success());
    assert!(std::path::Path::new(&out).join("index.knarr").exists());
}

#[test]
fn globs_that_choose_no_page_are_named() {
    let site = Site::new();
    site.write("in/a.md", "# Tea\n\nTea.\n");
    let (input, out) = (site.path("in"), site.path("out"));
    let start = format!(
        "error[FAILED_PRECONDITION]: nothing to index in {input}: --include names no page that is there (nope/**)\n"
    );
    let ended = knarr([
        "build",
        &input,
        "--out",
        &out,
        "--include",
        "nope/**",
        "--quiet",
    ]);
    assert_eq!((ended.code, ended.err), (1, start));
}
