//! From a pack to a bundle and back: every byte of files and sidecars, and every record.

use super::fixture::{Raw, read};
use super::reading::{built, built_with};
use crate::support::{Random, Script, corpus};
use knarr::indexer::ovpack::{Exported, Pack};
use knarr::{ErrorKind, Knarr};
use pollster::block_on;
use serde_json::json;

/// The pack that a bundle of `pack` gives at `uri`.
fn back(pack: &Pack, uri: &str) -> Pack {
    let (bundle, host, _) = built(pack.clone());
    let nodes = block_on(bundle.stored(&host)).expect("read");
    let exported = Exported::new(uri, &nodes).expect("exported");
    assert_eq!(exported.extracted_files, 0);
    exported.pack
}

#[test]
fn nothing_is_lost_with_and_without_vectors() {
    let long = "A sentence of the page, again and again. ".repeat(2_000);
    let files: &[(&str, &[u8])] = &[
        (
            ".abstract.md",
            b"---\ndirectory: viking://resources/docs\n---\n\nAll.\n",
        ),
        (".overview.md", b"\xEF\xBB\xBF# Legacy\r\n"),
        ("a/.abstract.md", b"\xFF\xFE no text"),
        (
            "a/b/c.md",
            b"---\ntitle: T\n---\n# H\n\n> q\n\n<!-- c -->\n",
        ),
        ("a/b/d.html", b"<p>caf\xE9"),
        ("a/.relations", b"[]"),
        ("a/empty", b""),
        ("a/no line end.txt", b"x"),
        ("a/long.txt", long.as_bytes()),
        ("a/#1? 100%.md", b"odd"),
        (
            "a/lines.txt",
            "one\u{2028}two\u{2029}three\u{85}four\r\n".as_bytes(),
        ),
    ];
    let mut raw = Raw::new("viking://resources/docs", files);
    raw.directory("nothing");
    let all = String::from_utf8(files[0].1.to_vec()).unwrap();
    let scalars =
        json!({"abstract": "All.", "uri": "viking://resources/docs", "new": [1, {"x": null}]});
    raw.record("", "directory", 0, scalars)["text"] = json!(all);
    raw.record("", "directory", 1, json!({}))["text"] = json!("other than the file");
    raw.record("a", "directory", 0, json!({"abstract": "line\u{2028}line"}));
    for raw in [raw.clone(), raw.with_vectors(5)] {
        let pack = read(&raw.sealed().zip()).expect("a pack");
        let mut again = back(&pack, "viking://resources/docs");
        assert_eq!(
            again.vectors, None,
            "a bundle has no vectors that a pack may hold"
        );
        let (bundle, host, _) = built_with(pack.clone(), true);
        let nodes = block_on(bundle.stored(&host)).expect("read");
        let exported = Exported::new("viking://resources/docs", &nodes).expect("exported");
        again.vectors = exported.pack.vectors.clone();
        assert_eq!(exported.pack, again);
        assert_eq!(again, pack);
        let bytes = again.write().expect("written");
        assert_eq!(read(&bytes).expect("read"), pack);
        assert_eq!(
            again.write().expect("written"),
            bytes,
            "the same bytes each time"
        );
    }
}

#[test]
fn separators_of_lines_are_escaped_in_records() {
    let mut raw = Raw::minimal();
    raw.records[0]["scalars"] = json!({"abstract": "a\u{2028}b\u{2029}c\u{85}d"});
    let pack = read(&raw.sealed().zip()).unwrap();
    let bytes = back(&pack, "viking://resources/docs").write().unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
    let mut lines = String::new();
    let mut member = zip.by_name("docs/_ovpack/index_records.jsonl").unwrap();
    std::io::Read::read_to_string(&mut member, &mut lines).unwrap();
    assert!(lines.contains(r"a\u2028b\u2029c\u0085d"), "{lines}");
    assert_eq!(lines.lines().count(), 1);
}

#[test]
fn random_trees_come_back() {
    let names = [
        "a", "B", "c.md", "d e", "é", "中", ".x", "f.html", "g#.txt", "h.json", "~", "%23",
    ];
    let pieces: [&[u8]; 8] = [
        b"word ",
        b"\n",
        b"# H\n",
        b"\r\n",
        b"\xFF",
        "\u{2028}中".as_bytes(),
        b"---\n",
        b"<p>",
    ];
    let mut random = Random(11);
    for _ in 0..25 {
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for _ in 0..random.below(12) {
            let depth = 1 + random.below(3);
            let parts: Vec<&str> = (0..depth)
                .map(|_| names[random.below(names.len())])
                .collect();
            let mut path = parts.join("/");
            if random.below(3) == 0 {
                path.push_str(["/.abstract.md", "/.overview.md"][random.below(2)]);
            }
            let within = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}/"));
            if files
                .iter()
                .any(|(other, _)| within(other, &path) || within(&path, other))
            {
                continue;
            }
            let bytes =
                (0..random.below(40)).flat_map(|_| pieces[random.below(pieces.len())].to_vec());
            files.push((path, bytes.collect()));
        }
        let listed: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(p, b)| (p.as_str(), b.as_slice()))
            .collect();
        let mut raw = Raw::new("viking://resources/docs", &listed);
        raw.directory("at least one");
        let pack = read(&raw.sealed().zip()).expect("a pack");
        if pack
            .files
            .keys()
            .all(|path| path.ends_with(".abstract.md") || path.ends_with(".overview.md"))
        {
            continue; // Nothing but sidecars: there is no document to index.
        }
        assert_eq!(back(&pack, "viking://resources/docs"), pack);
    }
}

#[test]
fn a_part_of_a_pack_and_a_backup_are_packs() {
    let raw = Raw::new(
        "viking://user/ann/resources",
        &[
            ("x/y.md", b"Y."),
            ("x/.abstract.md", b"About x."),
            ("z.md", b"Z."),
        ],
    );
    let pack = read(&raw.sealed().zip()).unwrap();
    let part = back(&pack, "viking://user/ann/resources/x");
    assert_eq!(
        part.files.keys().collect::<Vec<_>>(),
        [".abstract.md", "y.md"]
    );
    assert_eq!(part.root.user_id.as_deref(), Some("ann"));
    assert_eq!(read(&part.write().unwrap()).unwrap(), part);
    let backup = back(&pack, "viking://");
    assert_eq!(backup.root.name, "openviking-backup");
    assert_eq!(backup.files["user/ann/resources/x/y.md"], b"Y.");
    assert_eq!(read(&backup.write().unwrap()).unwrap(), backup);
}

#[test]
fn a_bundle_of_a_folder_gives_a_valid_pack() {
    let host = Script::of(corpus(None));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let nodes = block_on(bundle.stored(&host)).unwrap();
    let exported = Exported::new("viking://resources/docs", &nodes).unwrap();
    assert!(exported.extracted_files > 10 && exported.kept_files == 0);
    let pack = read(&exported.pack.write().unwrap()).unwrap();
    assert_eq!(pack, exported.pack);
    let guide = String::from_utf8(pack.files["guide/.overview.md"].clone()).unwrap();
    let uri = "\"viking://resources/docs/guide/\"";
    assert!(
        guide.starts_with(&format!("---\ndirectory: {uri}\nsource:\n")),
        "{guide}"
    );
    let overview = block_on(bundle.overview(&host, "viking://resources/docs/guide")).unwrap();
    assert!(guide.ends_with(&format!("---\n\n{}\n", overview.trim_end())));
    // Two records of each directory, one of each file that is no sidecar.
    let sidecars = 2 * pack.directories.len();
    assert_eq!(pack.n_records(), sidecars + pack.files.len() - sidecars);
    // And that pack is a bundle again, with the texts that the first one had.
    let (again, host, _) = built(pack);
    let abstract_ =
        |b: &Knarr, h: &Script| block_on(b.abstract_(h, "viking://resources/docs/guide"));
    let first = Script::of(corpus(None));
    assert_eq!(
        abstract_(&again, &host).unwrap(),
        abstract_(&bundle, &first).unwrap()
    );
}

#[test]
fn what_packs_cannot_hold_is_refused() {
    let host = Script::of(corpus(None));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let nodes = block_on(bundle.stored(&host)).unwrap();
    let refuse = |uri: &str| Exported::new(uri, &nodes).expect_err(uri);
    assert!(
        refuse("viking://resources/docs/guide/nothing")
            .message()
            .contains("not in this bundle")
    );
    let a_file = refuse("viking://resources/docs/guide/add-a-sensor.md");
    assert!(a_file.message().contains("is a file"));
    assert_eq!(a_file.kind(), ErrorKind::InvalidArgument);
    assert_eq!(refuse("docs").kind(), ErrorKind::InvalidUri);
}
