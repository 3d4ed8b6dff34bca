//! What the commands answer from a bundle on disk.

use super::{Site, corpus, knarr, ok, text, uris};
use serde_json::Value;

const ROOT: &str = "viking://resources/harbour";

#[test]
fn find_gives_the_page_first_in_both_forms_of_output() {
    let site = Site::new();
    let found = ok([
        "find",
        &site.bundle(),
        "restore a backup",
        "--limit",
        "3",
        "--json",
    ])
    .json();
    assert_eq!(found["query"], "restore a backup");
    assert_eq!(
        uris(&found["results"])[0],
        format!("{ROOT}/guide/backup.md")
    );
    assert!(uris(&found["results"]).len() <= 3);
    let scores: Vec<f64> = found["results"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| r["score"].as_f64().expect("a score"))
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let shown = ok(["find", &site.bundle(), "restore a backup", "--limit", "3"]).out;
    assert!(
        shown.contains("Back up and restore") && shown.contains("guide/backup.md"),
        "{shown}"
    );
    assert!(
        !shown.contains('\x1b'),
        "no escapes where there is no terminal"
    );
}

#[test]
fn find_keeps_to_its_target_and_leaves_out_excerpts() {
    let site = Site::new();
    let target = format!("{ROOT}/reference");
    let found = ok([
        "find",
        &site.bundle(),
        "clock drift",
        "--json",
        "--target",
        &target,
        "--no-excerpts",
    ])
    .json();
    let results = found["results"].as_array().expect("a list");
    assert!(!results.is_empty());
    for result in results {
        assert!(
            result["uri"].as_str().expect("a URI").starts_with(&target),
            "{result}"
        );
        assert_eq!(result["excerpt"]["text"], "");
    }
}

#[test]
fn a_file_of_queries_gets_one_line_each_in_order() {
    let site = Site::new();
    let queries = ["H027", "安装网关", "pair a sensor", "Stromausfall"];
    let lines: String = queries
        .iter()
        .map(|query| serde_json::json!({ "query": query }).to_string() + "\n\n")
        .collect();
    let file = site.write("queries.jsonl", &lines);
    let out = ok([
        "find",
        &site.bundle(),
        "--queries",
        &file,
        "--json",
        "--limit",
        "5",
    ])
    .out;
    let answers: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect();
    let answered: Vec<_> = answers
        .iter()
        .map(|answer| answer["query"].as_str().expect("a query"))
        .collect();
    assert_eq!(answered, queries);
    let expected = [
        "reference/errors/h027.md",
        "zh/指南/安装.md",
        "guide/add-a-sensor.md",
        "de/fragen.html",
    ];
    for (answer, page) in answers.iter().zip(expected) {
        let first = &answer["results"][0];
        assert_eq!(
            first["uri"],
            format!("{ROOT}/{page}"),
            "{}",
            answer["query"]
        );
        assert_eq!(
            (&first["level"], &first["context_type"]),
            (&Value::from(2), &Value::from("resource"))
        );
    }
}

#[test]
fn one_file_folder_and_packs_answer_alike() {
    let site = Site::new();
    let (file, packs) = (site.path("site.knarr"), site.path("packs"));
    let common = ["--name", "harbour", "--quiet"];
    ok(["build", text(&corpus()), "--out", &file]
        .into_iter()
        .chain(common));
    ok(["build", text(&corpus()), "--out", &packs, "--packs"]
        .into_iter()
        .chain(common));
    let ask = |bundle: &str| {
        ok([
            "find",
            bundle,
            "keep clocks in step",
            "--json",
            "--no-excerpts",
        ])
        .json()
    };
    let expected = ask(&site.bundle());
    assert_eq!(ask(&file), expected);
    assert_eq!(
        uris(&ask(&packs)["results"])[0],
        uris(&expected["results"])[0]
    );
}

#[test]
fn grep_prints_lines_with_their_place() {
    let site = Site::new();
    let found = ok([
        "grep",
        &site.bundle(),
        "^harbour (convert|backup)",
        "--json",
    ])
    .json();
    for found in found["matches"].as_array().expect("a list") {
        assert_eq!(found["uri"], format!("{ROOT}/guide/backup.md"));
    }
    assert!(found["files_scanned"].as_u64().expect("a count") > 5);
    let upper = ok([
        "grep",
        &site.bundle(),
        "PARTS PER MILLION",
        "-i",
        &format!("{ROOT}/reference"),
    ])
    .out;
    assert!(upper.contains("/reference/configuration.md:"), "{upper}");
    assert!(!upper.contains("/guide/"), "{upper}");
    assert_eq!(
        ok(["grep", &site.bundle(), "zyzzyva", "--json"]).json()["count"],
        0
    );
}

#[test]
fn glob_prints_uris() {
    let site = Site::new();
    let found = ok(["glob", &site.bundle(), "**/errors/*.md", ROOT]).out;
    let expected = format!("{ROOT}/reference/errors/h012.md\n{ROOT}/reference/errors/h027.md\n");
    assert_eq!(found, expected);
    assert_eq!(
        ok(["glob", &site.bundle(), "**/*.md", "--limit", "2", "--json"]).json()["count"],
        2
    );
}

#[test]
fn reading_goes_from_abstract_to_lines() {
    let site = Site::new();
    let page = format!("{ROOT}/guide/install.md");
    assert!(
        ok(["abstract", &site.bundle(), &page])
            .out
            .contains("spare computer")
    );
    assert!(
        ok(["overview", &site.bundle(), &format!("{ROOT}/guide")])
            .out
            .contains("Back up and restore")
    );
    let whole = ok(["read", &site.bundle(), &page]).out;
    let lines: Vec<&str> = whole.lines().collect();
    let part = ok([
        "read",
        &site.bundle(),
        &page,
        "--offset",
        "1",
        "--limit",
        "2",
    ])
    .out;
    assert_eq!(part.lines().collect::<Vec<_>>(), lines[1..3]);
    let none = super::knarr(["read", &site.bundle(), &page, "--line", "0"]);
    assert_eq!((none.code, &none.out[..]), (2, ""), "{}", none.err);
    let json = ok(["read", &site.bundle(), &page, "--json"]).json();
    assert_eq!(json["uri"], page.as_str());
    assert_eq!(
        json["text"].as_str().expect("a text").lines().count(),
        lines.len()
    );
}

#[test]
fn listings_show_the_tree() {
    let site = Site::new();
    let children = ok(["ls", &site.bundle(), &format!("{ROOT}/reference"), "--json"]).json();
    let names: Vec<_> = children
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| {
            (
                entry["rel_path"].as_str().expect("a path"),
                entry["isDir"].as_bool().expect("a kind"),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("errors", true),
            ("commands.html", false),
            ("configuration.md", false)
        ]
    );
    let shown = ok(["ls", &site.bundle(), &format!("{ROOT}/reference")]).out;
    assert!(shown.starts_with("errors/"), "{shown}");
    let tree = ok(["tree", &site.bundle(), ROOT]).out;
    assert!(tree.contains("\n    field notes/\n"), "{tree}");
    let stat = ok([
        "stat",
        &site.bundle(),
        &format!("{ROOT}/guide/install.md"),
        "--json",
    ])
    .json();
    assert_eq!(
        (&stat["title"], &stat["isDir"]),
        (&Value::from("Install the gateway"), &Value::from(false))
    );
    let related = ok([
        "relations",
        &site.bundle(),
        &format!("{ROOT}/guide/add-a-sensor.md"),
        "--json",
    ])
    .json();
    assert!(
        uris(&related).contains(&format!("{ROOT}/reference/errors/h012.md").as_str()),
        "{related}"
    );
}

#[test]
fn inspect_prints_a_table() {
    let site = Site::new();
    let shown = ok(["inspect", &site.bundle()]).out;
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("name") && line.ends_with("harbour")),
        "{shown}"
    );
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("terms") && line.ends_with('%')),
        "{shown}"
    );
}

#[test]
fn inspect_lists_directories_that_tell_only_names() {
    let site = Site::new();
    let text = "# Harbour\n\nThe handbook of a small tide service.\n";
    site.write("docs/index.md", text);
    site.write("docs/drawer/one/a.md", "# Left\n");
    site.write("docs/drawer/two/b.md", "# Right\n");
    let out = site.path("drawers");
    ok([
        "build",
        &site.path("docs"),
        "--out",
        &out,
        "--name",
        "harbour",
    ]);
    let found = ok(["inspect", &out, "--abstracts", "--json"]).json();
    let names = found["names"].as_array().unwrap();
    let named: Vec<&str> = names.iter().map(|n| n["uri"].as_str().unwrap()).collect();
    let drawers = ["drawer", "drawer/one", "drawer/two"].map(|d| format!("{ROOT}/{d}"));
    assert_eq!(named, drawers, "{found}");
    assert_eq!(found["open"].as_array().unwrap().len(), 0);
    assert!(
        ok(["inspect", &out, "--abstracts"])
            .out
            .contains("told by names only")
    );
}

#[test]
fn sections_are_read_by_their_address() {
    let site = Site::new();
    let page = format!("{ROOT}/reference/configuration.md");
    let section = format!("{page}#clock");
    let text = ok(["read", &site.bundle(), &section]).out;
    assert!(text.starts_with("## clock\n"), "{text}");
    assert!(!text.contains("## storage"), "{text}");
    let lines = ok(["grep", &site.bundle(), "^#", &section]).out;
    assert!(
        lines.starts_with(&format!("{section}:1: ## clock\n")),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 3);
    let unknown = knarr(["read", &site.bundle(), &format!("{page}#nope")]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.starts_with("error[NOT_FOUND]: "),
        "{}",
        unknown.err
    );
    let refused = knarr(["abstract", &site.bundle(), &section]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.trim_end().ends_with(&page), "{}", refused.err);
}

#[test]
fn grep_and_glob_go_on_where_they_stopped() {
    let site = Site::new();
    let bundle = site.bundle();
    let nothing = knarr(["grep", &bundle, "zyzzyva"]);
    assert_eq!(
        (nothing.code, nothing.out, nothing.err),
        (1, String::new(), String::new())
    );
    let all = ok(["grep", &bundle, "sensor"]).out;
    let first = ok(["grep", &bundle, "sensor", "--limit", "3"]);
    let stopped =
        "stopped after 3 lines; --limit allows more, --offset 3 gives those that follow\n";
    assert_eq!(first.err, stopped);
    let rest = ok(["grep", &bundle, "sensor", "--offset", "3"]).out;
    assert_eq!(first.out + &rest, all);
    let files = ok(["grep", &bundle, "-l", "sensor"]).out;
    let counts = files
        .lines()
        .map(|l| l.rsplit(':').next().expect("a count"));
    let sum: usize = counts.map(|n| n.parse::<usize>().expect("a number")).sum();
    assert_eq!(sum, all.lines().count());
    let cut = ok(["grep", &bundle, "sensor", "--line-length", "20", "--json"]).json();
    let lines = cut["matches"].as_array().expect("a list").iter();
    let mut lengths = lines.map(|m| m["content"].as_str().expect("a line").chars().count());
    assert!(lengths.all(|n| n <= 22), "{cut}");
    let some = ok(["glob", &bundle, "**", "--limit", "2", "--offset", "1"]);
    let stopped =
        "stopped after 2 matches; --limit allows more, --offset 3 gives those that follow\n";
    assert_eq!(some.err, stopped);
    let refused = knarr(["glob", &bundle, "viking://**"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("without a scheme"), "{}", refused.err);
}

#[test]
fn read_takes_the_line_that_grep_prints() {
    let site = Site::new();
    let page = format!("{ROOT}/reference/configuration.md");
    let found = ok(["grep", &site.bundle(), "^## storage", &page]).out;
    let line = found[page.len() + 1..].split(':').next().expect("a number");
    let read = ok([
        "read",
        &site.bundle(),
        &page,
        "--line",
        line,
        "--limit",
        "1",
    ]);
    assert_eq!(read.out, "## storage\n");
}

#[test]
fn a_lean_answer_is_one_line_with_each_result_once() {
    let site = Site::new();
    let bundle = site.bundle();
    let whole = ok(["find", &bundle, "clock drift", "--json"]);
    let lean = ok(["find", &bundle, "clock drift", "--json", "--lean"]);
    assert_eq!(lean.out.lines().count(), 1);
    // As many digits as a single needs.
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    assert!(lean.out.split("0.").skip(1).all(|rest| digits(rest) < 12));
    assert!(3 * lean.out.len() < whole.out.len());
    let (whole, lean) = (whole.json(), lean.json());
    assert_eq!(uris(&lean["results"]), uris(&whole["results"]));
    assert!(lean.get("resources").is_none());
    assert!(!lean.to_string().contains("highlights"));
    let nothing = [
        "find", &bundle, "zyzzyva", "--json", "--lean", "--alpha", "0",
    ];
    let nothing = ok(nothing).json();
    assert_eq!(nothing["results"], serde_json::json!([]));
}

#[test]
fn sections_are_printed_with_their_excerpts() {
    let site = Site::new();
    let bundle = site.bundle();
    let found = ok(["find", &bundle, "clock drift", "--json"]).json();
    let rows = found["results"].as_array().expect("a list").iter();
    let other = rows
        .flat_map(|row| {
            let sections = row["sections"].as_array().expect("a list").iter();
            sections.map(move |section| (&row["excerpt"]["text"], &section["excerpt"]["text"]))
        })
        .find(|(page, section)| page != section && *section != "")
        .map(|(_, section)| section.as_str().expect("a text"));
    let other = other.expect("a page with two sections");
    let line = other.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = ok(["find", &bundle, "clock drift"]).out;
    assert!(
        text.contains(&format!("\n              {line}\n")),
        "{text}"
    );
}
