//! The reading calls against OpenViking's table of them (spec: openviking.md §5.2).

use super::fixture::{Raw, read};
use super::reading::built;
use crate::support::Script;
use knarr::find::ask::options::{GlobOptions, ListOptions, ReadOptions, SortBy, SortOrder};
use knarr::{ErrorKind, Knarr};
use pollster::block_on;

const ROOT: &str = "viking://user/ann";
const MEMORY: &str = "Likes tea.\n\n<!-- MEMORY_FIELDS\n{\"n\": 1}\n-->\n";
const SIDECAR: &str = "---\ndirectory: viking://user/ann/memories/\n---\n\nWhat Ann likes.\n";

fn site() -> (Knarr, Script) {
    let dated = |day: u32, text: &str| {
        format!("---\nupdated: 2026-01-0{day}\n---\n\n{text}\n").into_bytes()
    };
    let (a, b, c) = (dated(3, "Apples."), dated(1, "Bread."), dated(2, "Cheese."));
    let raw = Raw::new(
        ROOT,
        &[
            ("memories/likes.md", MEMORY.as_bytes()),
            ("memories/.abstract.md", SIDECAR.as_bytes()),
            ("resources/B.md", &b),
            ("resources/a.md", &a),
            ("resources/c.md", &c),
            ("resources/z/deep/er/x.md", b"Deep."),
            ("resources/.env", b"secret"),
            ("resources/.config/seen.md", b"Seen."),
            ("resources/lines.txt", b"one\ntwo\r\nthree\n\nlast"),
        ],
    );
    let (bundle, host, _) = built(read(&raw.sealed().zip()).expect("a pack"));
    (bundle, host)
}

#[test]
fn abstract_and_overview_take_directories_files_and_sidecars() {
    let (bundle, host) = site();
    let abstract_ = |uri: &str| block_on(bundle.abstract_(&host, uri));
    let overview = |uri: &str| block_on(bundle.overview(&host, uri));
    let memories = format!("{ROOT}/memories");
    for uri in [
        memories.clone(),
        format!("{memories}/"),
        format!("{memories}/.abstract.md"),
        format!("{memories}/.overview.md"),
    ] {
        assert_eq!(abstract_(&uri).unwrap(), "What Ann likes.", "{uri}");
        assert!(overview(&uri).unwrap().starts_with("# memories"), "{uri}");
    }
    // Where OpenViking answers with its folder's, a file has its own.
    assert_eq!(
        abstract_(&format!("{memories}/likes.md")).unwrap(),
        "About memories/likes.md."
    );
    // There is a text where the pack has no sidecar, so no placeholder.
    assert!(!abstract_(&format!("{ROOT}/resources")).unwrap().is_empty());
    for (uri, kind) in [
        ("viking://user/ann/none", ErrorKind::NotFound),
        ("viking://user/ann/none/.abstract.md", ErrorKind::NotFound),
        ("user/ann", ErrorKind::InvalidUri),
        ("viking://temp/x", ErrorKind::InvalidUri),
        ("viking://user/../x", ErrorKind::PermissionDenied),
    ] {
        assert_eq!(abstract_(uri).expect_err(uri).kind(), kind, "{uri}");
        assert_eq!(overview(uri).expect_err(uri).kind(), kind, "{uri}");
    }
}

#[test]
fn read_gives_lines_of_the_file_as_it_is() {
    let (bundle, host) = site();
    let lines = |path: &str, offset, limit| {
        let options = ReadOptions {
            offset,
            limit,
            ..ReadOptions::default()
        };
        block_on(bundle.read(&host, &format!("{ROOT}/{path}"), &options))
    };
    for (offset, limit, wanted) in [
        (0, -1, "one\ntwo\r\nthree\n\nlast"),
        (1, 1, "two\r\n"),
        (1, 2, "two\r\nthree\n"),
        (3, -1, "\nlast"),
        (0, 0, ""),
        (9, -1, ""),
    ] {
        assert_eq!(
            lines("resources/lines.txt", offset, limit).unwrap(),
            wanted,
            "{offset} {limit}"
        );
    }
    let directory = lines("resources", 0, -1).expect_err("a directory");
    assert_eq!(directory.kind(), ErrorKind::InvalidArgument);
    assert!(directory.message().contains("is a directory"));
    assert_eq!(
        lines("none.md", 0, -1).expect_err("nothing").kind(),
        ErrorKind::NotFound
    );
    assert_eq!(lines("memories/.abstract.md", 0, -1).unwrap(), SIDECAR);
    assert!(
        lines("memories/.overview.md", 0, -1)
            .unwrap()
            .starts_with("# memories")
    );
    assert_eq!(lines("resources/.env", 0, -1).unwrap(), "secret");
}

#[test]
fn download_gives_every_byte() {
    let files: &[(&str, &[u8])] = &[
        ("logo.png", b"\x89PNG\0\0\xFF"),
        ("a/page.md", b"\xEF\xBB\xBF# Page\r\n"),
        ("a/.overview.md", b"---\nx: 1\n---\nAll of it."),
        ("empty", b""),
    ];
    let raw = Raw::new("viking://resources/docs", files);
    let (bundle, host, _) = built(read(&raw.sealed().zip()).expect("a pack"));
    let download =
        |path: &str| block_on(bundle.download(&host, &format!("viking://resources/docs/{path}")));
    for (path, bytes) in files {
        assert_eq!(download(path).unwrap(), *bytes, "{path}");
    }
    assert!(!download("a/.abstract.md").unwrap().is_empty(), "extracted");
    assert_eq!(
        download("a").expect_err("a directory").kind(),
        ErrorKind::InvalidArgument
    );
    assert_eq!(
        download("none").expect_err("nothing").kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn memories_lose_the_comment_of_their_fields() {
    let texts = [
        (MEMORY, "Likes tea."),
        (
            "Tea <!-- MEMORY_FIELDS {} --> now",
            "Tea <!-- MEMORY_FIELDS {} --> now",
        ),
        (
            "Tea\n<!-- memory_fields {} -->",
            "Tea\n<!-- memory_fields {} -->",
        ),
        (
            "Tea\n<!-- MEMORY_FIELDSX {} -->",
            "Tea\n<!-- MEMORY_FIELDSX {} -->",
        ),
        ("<!--MEMORY_FIELDS {} -->", ""),
        (
            "A\n<!-- MEMORY_FIELDS 1 -->\nB\n<!-- MEMORY_FIELDS 2 -->",
            "A\n<!-- MEMORY_FIELDS 1 -->\nB",
        ),
        (
            "A\n<!-- MEMORY_FIELDS\n a --> b\n-->",
            "A\n<!-- MEMORY_FIELDS\n a --> b\n-->",
        ),
    ];
    let names: Vec<String> = (0..texts.len()).map(|i| format!("{i}.md")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .zip(&texts)
        .map(|(n, t)| (n.as_str(), t.0.as_bytes()))
        .collect();
    for (root, is_memory) in [
        ("viking://user/ann/memories", true),
        ("viking://resources/docs", false),
    ] {
        let (bundle, host, _) = built(read(&Raw::new(root, &files).sealed().zip()).unwrap());
        for (name, (text, seen)) in names.iter().zip(&texts) {
            let read = |raw| {
                let options = ReadOptions {
                    raw,
                    ..ReadOptions::default()
                };
                block_on(bundle.read(&host, &format!("{root}/{name}"), &options)).unwrap()
            };
            assert_eq!(read(true), *text);
            assert_eq!(read(false), if is_memory { *seen } else { *text });
        }
    }
}

fn listed(options: &ListOptions) -> Vec<String> {
    let (bundle, host) = site();
    let rows = block_on(bundle.ls(&host, &format!("{ROOT}/resources"), options)).unwrap();
    rows.into_iter().map(|row| row.rel_path).collect()
}

#[test]
fn ls_lists_directories_first_and_hides_what_is_hidden() {
    let plain = ListOptions::default();
    assert_eq!(
        listed(&plain),
        [".config", "z", "a.md", "B.md", "c.md", "lines.txt"]
    );
    let all = ListOptions {
        show_all_hidden: true,
        ..plain.clone()
    };
    assert_eq!(
        listed(&all),
        [
            ".config",
            "z",
            ".abstract.md",
            ".overview.md",
            ".env",
            "a.md",
            "B.md",
            "c.md",
            "lines.txt"
        ]
    );
    let few = ListOptions {
        node_limit: 3,
        ..all.clone()
    };
    assert_eq!(listed(&few), [".config", "z", ".abstract.md"]);
    let by_time = ListOptions {
        sort_by: SortBy::Mtime,
        ..plain.clone()
    };
    assert_eq!(listed(&by_time)[2..], ["lines.txt", "B.md", "c.md", "a.md"]);
    let newest = ListOptions {
        sort_order: SortOrder::Desc,
        ..by_time
    };
    assert_eq!(listed(&newest)[2..], ["a.md", "c.md", "B.md", "lines.txt"]);
    let last = ListOptions {
        sort_order: SortOrder::Desc,
        ..plain.clone()
    };
    assert_eq!(
        listed(&last),
        ["z", ".config", "lines.txt", "c.md", "B.md", "a.md"]
    );
    let deep = ListOptions {
        recursive: true,
        ..plain
    };
    assert_eq!(
        listed(&deep)[..4],
        [".config", ".config/seen.md", "z", "z/deep"]
    );
}

#[test]
fn rows_have_sizes_times_and_short_abstracts() {
    let (bundle, host) = site();
    let options = ListOptions {
        abs_limit: 10,
        show_all_hidden: true,
        ..ListOptions::default()
    };
    let rows = |uri: &str| block_on(bundle.ls(&host, uri, &options));
    let memories = rows(&format!("{ROOT}/memories")).unwrap();
    let sidecar = &memories[0];
    assert_eq!(
        (sidecar.uri.as_str(), sidecar.size),
        (
            "viking://user/ann/memories/.abstract.md",
            SIDECAR.len() as u64
        )
    );
    assert_eq!(memories[2].abstract_, "About m...");
    assert_eq!(memories[2].size, MEMORY.len() as u64);
    let resources = rows(&format!("{ROOT}/resources")).unwrap();
    let (folder, file) = (&resources[0], &resources[5]);
    assert!(folder.is_dir && folder.size == 0);
    assert_eq!(
        (file.rel_path.as_str(), file.mod_time.as_str()),
        ("a.md", "2026-01-03T00:00:00.000Z")
    );
    assert_eq!(
        rows("viking://").unwrap().len(),
        1,
        "scopes, and no sidecars"
    );
    assert_eq!(
        rows(&format!("{ROOT}/memories/likes.md"))
            .expect_err("a file")
            .kind(),
        ErrorKind::InvalidArgument
    );
    assert_eq!(
        rows(&format!("{ROOT}/none")).expect_err("nothing").kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn tree_goes_as_deep_as_asked() {
    let (bundle, host) = site();
    let paths = |level_limit, show_all_hidden| -> Vec<String> {
        let options = ListOptions {
            level_limit,
            show_all_hidden,
            ..ListOptions::default()
        };
        let rows = block_on(bundle.tree(&host, &format!("{ROOT}/resources/z"), &options)).unwrap();
        rows.into_iter().map(|row| row.rel_path).collect()
    };
    assert_eq!(paths(1, false), ["deep"]);
    assert_eq!(paths(3, false), ["deep", "deep/er", "deep/er/x.md"]);
    assert_eq!(
        paths(2, true),
        [
            "deep",
            "deep/er",
            "deep/.abstract.md",
            "deep/.overview.md",
            ".abstract.md",
            ".overview.md"
        ]
    );
    // Many directories at once: their sidecars are not a round of loading each.
    let deep: Vec<String> = (0..40).map(|i| format!("d{i}/x.md")).collect();
    let files: Vec<(&str, &[u8])> = deep
        .iter()
        .map(|path| (path.as_str(), &b"X."[..]))
        .collect();
    let (bundle, host, _) = built(read(&Raw::new(ROOT, &files).sealed().zip()).unwrap());
    let options = ListOptions {
        show_all_hidden: true,
        ..ListOptions::default()
    };
    assert_eq!(
        block_on(bundle.tree(&host, ROOT, &options)).unwrap().len(),
        40 * 4 + 2
    );
}

#[test]
fn stat_counts_rows_and_tells_the_type() {
    let (bundle, host) = site();
    let stat = |path: &str| block_on(bundle.stat(&host, &format!("{ROOT}/{path}"))).unwrap();
    let memories = stat("memories");
    assert_eq!(
        (memories.is_dir, memories.size, memories.count),
        (true, 0, 3)
    );
    let file = stat("memories/likes.md");
    assert_eq!(
        (file.name.as_str(), file.context_type, file.count),
        ("likes.md", "memory", 1)
    );
    assert_eq!(stat("resources/a.md").context_type, "resource");
}

#[test]
fn glob_looks_into_folders_with_a_dot() {
    let (bundle, host) = site();
    let found = |pattern: &str| {
        block_on(bundle.glob(&host, pattern, ROOT, &GlobOptions::default()))
            .unwrap()
            .matches
    };
    assert_eq!(
        found("**/seen.md"),
        ["viking://user/ann/resources/.config/seen.md"]
    );
    assert_eq!(found("**/.env"), [""; 0], "a hidden file");
}
