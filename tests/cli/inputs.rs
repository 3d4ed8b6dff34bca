//! What a build says of places and fields that mean something else than they seem to.

use super::{Site, corpus, knarr, ok, text, uris};
use serde_json::json;

/// A folder of two users' notes and a skill.
fn notes(site: &Site) -> String {
    site.write(
        "in/user/ann/memories/tea.md",
        "# Tea\n\nAnn drinks green tea.",
    );
    site.write(
        "in/user/bo/memories/tea.md",
        "# Tea\n\nBo drinks black tea.",
    );
    site.write("in/skills/brew.md", "# Brew\n\nBrew tea for four minutes.");
    site.path("in")
}

/// The URIs below the root, directories with a slash behind.
fn tree(bundle: &str) -> Vec<String> {
    let listed = ok(["tree", bundle, "--depth", "9", "--json"]).json();
    let rows = listed.as_array().expect("a list").iter();
    let uri = |row: &serde_json::Value| {
        let slash = if row["isDir"] == true { "/" } else { "" };
        format!("{}{slash}", row["uri"].as_str().expect("a URI"))
    };
    let mut uris: Vec<String> = rows.map(uri).collect();
    uris.sort();
    uris
}

/// The message of a build that fails for its arguments.
fn refused(arguments: &[&str]) -> String {
    let failed = knarr(arguments);
    assert_eq!(failed.code, 2, "{arguments:?}: {}", failed.err);
    assert!(
        failed.err.contains("error[INVALID_ARGUMENT]: "),
        "{}",
        failed.err
    );
    failed.err
}

#[test]
fn a_folder_whose_files_all_went_elsewhere_is_no_directory() {
    let site = Site::new();
    let (input, out) = (notes(&site), site.path("out"));
    site.write("in/.abstract.md", "What is known of tea.\n");
    let mounts = ["user=viking://user", "skills=viking://agent/skills"];
    let build = ["build", &input, "--out", &out, "--mount", mounts[0]];
    ok(build.iter().chain(&["--mount", mounts[1], "--quiet"]));
    assert_eq!(
        tree(&out),
        [
            "viking://agent/",
            "viking://agent/skills/",
            "viking://agent/skills/brew.md",
            "viking://user/",
            "viking://user/ann/",
            "viking://user/ann/memories/",
            "viking://user/ann/memories/tea.md",
            "viking://user/bo/",
            "viking://user/bo/memories/",
            "viking://user/bo/memories/tea.md",
        ]
    );
    // The input folder is the directory that has all of its files; its text and its report are there.
    let root = ok(["abstract", &out, "viking://"]).out;
    assert_eq!(root, "What is known of tea.\n");
    assert!(
        ok(["inspect", &out, "--pages"])
            .out
            .contains("skills/brew.md")
    );
    // With a file left in it, it is one again.
    ok(build.iter().chain(&["--quiet"]));
    assert!(tree(&out).contains(&"viking://resources/in/skills/brew.md".to_owned()));
    let own = ok(["abstract", &out, "viking://resources/in"]).out;
    assert_eq!(own, "What is known of tea.\n");
}

#[test]
fn the_root_has_its_name_where_the_input_is_no_directory() {
    let site = Site::new();
    site.write("in/docs/a.md", "# Pumps\n\nPumps move water uphill.");
    site.write("in/more/b.md", "# Pipes\n\nPipes lead water away.");
    let (input, out) = (site.path("in"), site.path("out"));
    let mounts = [
        "docs=viking://resources/handbook",
        "more=viking://agent/more",
    ];
    ok([
        "build", &input, "--out", &out, "--quiet", "--mount", mounts[0], "--mount", mounts[1],
    ]);
    let overview = ok(["overview", &out, "viking://"]).out;
    assert!(overview.starts_with("# viking://\n"), "{overview}");
    let found = ok(["find", &out, "in", "--level", "0,1", "--json"]).json();
    let found = uris(&found["results"]);
    assert!(
        found.iter().all(|uri| !uri.contains("resources/in")),
        "{found:?}"
    );
}

#[test]
fn the_input_itself_can_go_elsewhere_and_the_inner_folder_wins() {
    let site = Site::new();
    let (input, out) = (notes(&site), site.path("out"));
    ok([
        "build",
        &input,
        "--out",
        &out,
        "--quiet",
        "--mount",
        ".=viking://resources/tea",
        "--mount",
        "./skills/=viking://agent/skills",
    ]);
    let files: Vec<String> = tree(&out)
        .into_iter()
        .filter(|uri| !uri.ends_with('/'))
        .collect();
    assert_eq!(
        files,
        [
            "viking://agent/skills/brew.md",
            "viking://resources/tea/user/ann/memories/tea.md",
            "viking://resources/tea/user/bo/memories/tea.md",
        ]
    );
}

#[test]
fn folders_that_are_not_there_and_places_of_nobody_are_refused() {
    let site = Site::new();
    let (input, out) = (notes(&site), site.path("out"));
    let mount = |mount: &str| refused(&["build", &input, "--out", &out, "--mount", mount]);
    for (given, reason) in [
        ("nosuch=viking://user/ann", "there is no folder `nosuch` in"),
        ("../in=viking://user/ann", "FOLDER is one of the input"),
        (
            "skills=viking://user/skills",
            "`viking://user/skills` is read as a folder of the user who asks: write viking://user/<id>/skills/…",
        ),
        (
            "user/ann=viking://user",
            "`viking://user/memories/tea.md` is read as a folder of the user who asks",
        ),
    ] {
        let said = mount(given);
        assert!(said.contains(reason), "{given}: {said}");
    }
    std::fs::create_dir(site.path("in/later")).expect("a folder");
    let later = "later=viking://agent/later";
    let built = ok(["build", &input, "--out", &out, "--mount", later]);
    let warning = format!("warning: --mount {later}: no document lies in `later`");
    assert!(built.err.contains(&warning), "{}", built.err);
}

#[test]
fn a_faulty_line_is_named_with_what_its_field_wants() {
    let site = Site::new();
    let out = site.path("out");
    for (line, reason) in [
        (
            r#"{"uri": "viking://user/memories/x.md", "text": "x"}"#,
            "`viking://user/memories/x.md` is read as a folder of the user who asks: write viking://user/<id>/memories/…",
        ),
        (
            r#"{"id": "a", "tags": {"a": 1}}"#,
            "`tags` wants a list of texts, or one text with commas, and has an object",
        ),
        (
            r#"{"id": "a", "active_count": "many"}"#,
            "`active_count` wants a whole number from 0 on and has \"many\"",
        ),
        ("nope", "it is no JSON from column 2 on"),
        (r#"{"text": "x"}"#, "one of id, path and uri is needed"),
    ] {
        let file = site.write("rows.jsonl", &format!("{{\"id\": \"a\"}}\n\n{line}\n"));
        let ended = knarr(["build", &file, "--out", &out]);
        let is_named = ended.err.contains(&format!("rows.jsonl, line 3: {reason}"));
        // The arguments are as they should be.
        assert!(is_named && ended.code == 1, "{}", ended.err);
    }
    let queries = site.write("q.jsonl", "{\"query\": \"a\", \"relevant\": 7}\n");
    let said = refused(&["eval", &site.bundle(), &queries]);
    assert!(
        said.contains("q.jsonl, line 1: `relevant` wants a list of pages"),
        "{said}"
    );
}

#[test]
fn fields_that_say_nothing_are_named_in_every_kind_of_input() {
    let site = Site::new();
    let out = site.path("out");
    let page = |date: &str| {
        format!("---\ndate: {date}\nactive_count: many\ntags: [tea, kind=]\n---\n# Tea\n\nTea.\n")
    };
    site.write("in/a.md", &page("soon"));
    site.write("in/b.md", &page("2024-05-01"));
    let row = |id: &str, text: &str| json!({"id": id, "text": text, "tags": ["=x"]}).to_string();
    let rows = [row("one", &page("soon")), row("two", "Tea.")];
    site.write("rows.jsonl", &rows.join("\n"));
    let warnings = |input: &str, wanted: &[&str]| {
        let built = ok(["build", &site.path(input), "--out", &out]);
        let said: Vec<&str> = built
            .err
            .lines()
            .filter_map(|line| line.strip_prefix("warning: "))
            .collect();
        assert_eq!(said, wanted, "{input}");
    };
    warnings(
        "in",
        &[
            "field `active_count` is no whole number and left out (2 documents: such as a.md)",
            "field `date` is no date and left out (1 document: a.md)",
            "tag `kind=` is without key or value and left out (2 documents: such as a.md)",
        ],
    );
    warnings(
        "rows.jsonl",
        &[
            "field `active_count` is no whole number and left out (1 document: one.md)",
            "field `date` is no date and left out (1 document: one.md)",
            "tag `=x` is without key or value and left out (2 documents: such as one.md)",
            "tag `kind=` is without key or value and left out (1 document: one.md)",
        ],
    );
}

#[test]
fn a_page_is_no_input() {
    let site = Site::new();
    let page = site.write("in/Tea.HTML", "<h1>Tea</h1>");
    let ended = super::knarr(["build", &page, "--out", &site.path("out")]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.err.contains("is a page: name its folder"),
        "{}",
        ended.err
    );
}

#[test]
fn front_matter_that_is_no_yaml_is_named_with_its_line() {
    let site = Site::new();
    for name in ["a", "b", "c", "d"] {
        let page = "---\ntitle: Tea: a story\ndescription: Long\n---\n# Tea\n\nTea.\n";
        site.write(&format!("in/{name}.md"), page);
    }
    site.write("in/good.md", "---\ntitle: \"Tea: a story\"\n---\nTea.\n");
    let built = ok(["build", &site.path("in"), "--out", &site.path("out")]);
    let said = "warning: front matter that is no YAML is read line by line, so its fields may be cut or missing \
        (4 documents: such as a.md line 2, b.md line 2, c.md line 2)\n";
    assert!(built.err.contains(said), "{}", built.err);
}

#[test]
fn a_notebook_that_is_none_is_named_with_what_is_wrong() {
    let site = Site::new();
    site.write(
        "in/good.ipynb",
        "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"# Tea\\nHot.\"}]}",
    );
    site.write("in/cut.ipynb", "{\"cells\": [{\"cell_type\": ");
    let built = ok(["build", &site.path("in"), "--out", &site.path("out")]);
    let said = "warning: notebooks that cannot be read are left out (1 document: cut.ipynb: EOF while parsing a value at line 1 column 25)\n";
    assert!(built.err.contains(said), "{}", built.err);
    let found = ok(["find", &site.path("out"), "tea", "--json"]).json();
    assert_eq!(
        uris(&found["results"]),
        ["viking://resources/in/good.ipynb"]
    );
}

#[test]
fn a_tag_s_value_may_have_the_sign_that_ends_its_key() {
    let site = Site::new();
    let out = site.path("out");
    let rows = [
        r#"{"id": "a", "text": "Energy and mass.", "tags": ["formula=E=mc2"]}"#,
        r#"{"id": "b", "text": "Energy and force.", "tags": ["formula=E=Fs"]}"#,
    ];
    let input = site.write("rows.jsonl", &rows.join("\n"));
    ok(["build", &input, "--out", &out, "--quiet"]);
    let found = ok(["find", &out, "energy", "--tag", "formula=e=MC2", "--json"]).json();
    assert_eq!(uris(&found["results"]), ["viking://resources/rows/a.md"]);
}

#[test]
fn lines_may_have_a_mark_of_their_encoding_before_them() {
    let site = Site::new();
    let rows = site.write(
        "rows.jsonl",
        "\u{feff}{\"id\": \"a\", \"text\": \"Tea.\"}\n",
    );
    let out = site.path("out");
    ok(["build", &rows, "--out", &out]);
    let queries = site.write("q.jsonl", "\u{feff}{\"query\": \"tea\"}\n");
    let found = ok(["find", &out, "--queries", &queries, "--json"]).json();
    assert_eq!(found["results"][0]["url"], "a");
}

#[test]
fn a_document_may_be_named_by_a_whole_address() {
    let site = Site::new();
    let row = |id: &str, text: &str| json!({"id": id, "text": text}).to_string();
    let rows = [
        row("https://example.org/guide/tea/", "Tea."),
        row("https://example.org", "Home."),
    ];
    let file = site.write("rows.jsonl", &rows.join("\n"));
    let out = site.path("out");
    ok(["build", &file, "--out", &out, "--name", "kettle"]);
    let found = ok(["find", &out, "tea", "--json"]).json();
    assert_eq!(found["results"][0]["url"], "https://example.org/guide/tea/");
    assert_eq!(
        found["results"][0]["uri"],
        "viking://resources/kettle/example.org/guide/tea.md"
    );
    assert_eq!(
        ok(["find", &out, "home", "--json"]).json()["results"][0]["url"],
        "https://example.org"
    );
}

#[test]
fn a_glob_that_matches_nothing_beside_one_that_does_is_told() {
    let site = Site::new();
    let (input, out) = (corpus(), site.path("out"));
    let words = [
        "build",
        text(&input),
        "--out",
        &out,
        "--include",
        "guide/**",
    ];
    assert!(!ok(words).err.contains("--include"));
    let built = ok(words.into_iter().chain(["--include", "giude/**"]));
    let said = "warning: --include giude/**: no file matches it\n";
    assert!(built.err.contains(said), "{}", built.err);
}

#[test]
fn a_folder_that_is_called_like_a_pack_is_a_folder() {
    let site = Site::new();
    site.write("notes.ovpack/tea.md", "# Tea\n\nTea grows.\n");
    let built = ok([
        "build",
        &site.path("notes.ovpack"),
        "--out",
        &site.path("out"),
        "--json",
    ]);
    assert_eq!(built.json()["files"], 1);
}
