//! What is not as the format has it is refused by name, and nothing panics.

use super::fixture::{Raw, hex, read, zip_of};
use crate::support::Random;
use knarr::ErrorKind;
use knarr::indexer::ovpack::{Limits, Pack};
use serde_json::{Value, json};
use std::io::Cursor;

/// Refuses `bytes` with a message that holds `part`.
fn refused(case: &str, bytes: &[u8], part: &str) {
    let error = read(bytes).expect_err(case);
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{case}: {error}");
    let message = error.message();
    assert!(message.starts_with("a.ovpack: "), "{case}: {message}");
    assert!(message.contains(part), "{case}: {message}");
}

/// What is changed before counts and hashes are filled in, or after.
type Change = fn(&mut Raw);

#[test]
fn the_minimal_pack_is_read() {
    let raw = Raw::minimal().sealed();
    // Published with the format's guide.
    assert_eq!(
        raw.manifest["content_sha256"],
        "b2a6e9582119c7510d68e3446de3e71a486934bf450d68f65596259ed1cf7997"
    );
    let pack = read(&raw.zip()).expect("a pack");
    assert_eq!(pack.root.uri, "viking://resources/docs");
    assert_eq!(pack.files["notes.txt"], b"hello");
    assert_eq!((pack.n_records(), pack.vectors), (1, None));
}

#[test]
fn what_the_manifest_says_is_proved() {
    let before: &[(&str, Change, &str)] = &[
        ("kind", |r| r.manifest["kind"] = json!("zip"), "kind"),
        (
            "version 2",
            |r| r.manifest["format_version"] = json!(2),
            "format version 2",
        ),
        (
            "no version",
            |r| r.manifest["format_version"] = Value::Null,
            "format version null",
        ),
        (
            "root",
            |r| r.manifest["root"] = json!("x"),
            "root of the manifest is not an object",
        ),
        (
            "uri",
            |r| r.manifest["root"]["uri"] = json!("docs"),
            "root.uri",
        ),
        (
            "scope",
            |r| r.manifest["root"]["scope"] = json!("user"),
            "do not fit",
        ),
        (
            "agent",
            |r| {
                r.manifest["root"]["uri"] = json!("viking://agent/docs");
                r.manifest["root"]["scope"] = json!("agent");
            },
            "packs hold resources or user",
        ),
        (
            "leaf",
            |r| r.manifest["root"]["uri"] = json!("viking://resources/other"),
            "does not end in its name",
        ),
        (
            "user",
            |r| r.manifest["root"]["user_id"] = json!("ann"),
            "root.user_id",
        ),
        (
            "package",
            |r| r.manifest["root"]["package_type"] = json!("diff"),
            "\"diff\"",
        ),
        (
            "half a backup",
            |r| {
                r.manifest["root"]["package_type"] = json!("backup");
                r.manifest["scopes"] = json!(["resources"]);
            },
            "a backup has root",
        ),
        (
            "entries",
            |r| r.manifest["entries"] = json!({}),
            "entries of the manifest",
        ),
        (
            "entry",
            |r| r.manifest["entries"][1] = json!(7),
            "an entry of the manifest",
        ),
        (
            "no root entry",
            |r| _ = r.manifest["entries"].as_array_mut().unwrap().remove(0),
            "no entry \"\"",
        ),
        (
            "file as root",
            |r| r.manifest["entries"][0]["kind"] = json!("file"),
            "root of a pack is a directory",
        ),
        (
            "entry kind",
            |r| r.manifest["entries"][1]["kind"] = json!("link"),
            "\"link\"",
        ),
        (
            "climbing",
            |r| r.manifest["entries"][1]["path"] = json!("../x"),
            "not safe",
        ),
        (
            "absolute",
            |r| r.manifest["entries"][1]["path"] = json!("/x"),
            "not safe",
        ),
        (
            "drive",
            |r| r.manifest["entries"][1]["path"] = json!("c:x"),
            "not safe",
        ),
        (
            "backslash",
            |r| r.manifest["entries"][1]["path"] = json!("a\\b"),
            "not safe",
        ),
        (
            "empty part",
            |r| r.manifest["entries"][1]["path"] = json!("a//b"),
            "not safe",
        ),
        (
            "control",
            |r| r.manifest["entries"][1]["path"] = json!("a\u{7}"),
            "not safe",
        ),
        (
            "twice",
            |r| {
                let entry = r.manifest["entries"][1].clone();
                r.manifest["entries"].as_array_mut().unwrap().push(entry);
            },
            "stands twice",
        ),
        (
            "below a file",
            |r| {
                let entry = json!({"path": "notes.txt/x", "kind": "directory"});
                r.manifest["entries"].as_array_mut().unwrap().push(entry);
            },
            "\"notes.txt\", which is a file",
        ),
        (
            "other user",
            |r| r.manifest["entries"][1]["user_id"] = json!("ann"),
            "user_id",
        ),
        (
            "missing file",
            |r| r.manifest["entries"][1]["path"] = json!("gone.txt"),
            "is not in the archive",
        ),
        (
            "size",
            |r| r.manifest["entries"][1]["size"] = json!(6),
            "has 5 bytes and not 6",
        ),
        (
            "no size",
            |r| r.manifest["entries"][1]["size"] = json!(-1),
            "not a whole number",
        ),
        (
            "hash",
            |r| r.manifest["entries"][1]["sha256"] = json!(hex(b"x")),
            "has not the sha256",
        ),
        (
            "no hash",
            |r| r.manifest["entries"][1]["sha256"] = json!("abc"),
            "hexadecimal",
        ),
        (
            "missing directory",
            |r| {
                let entry = json!({"path": "d", "kind": "directory", "size": 0});
                r.manifest["entries"].as_array_mut().unwrap().push(entry);
            },
            "directory \"d\" of the manifest is not in the archive",
        ),
        (
            "stray file",
            |r| r.members.push(("docs/files/x".into(), vec![])),
            "is not in the manifest",
        ),
        (
            "stray directory",
            |r| r.members.push(("docs/files/x/".into(), vec![])),
            "is not in the manifest",
        ),
        (
            "stray internal",
            |r| r.members.push(("docs/_ovpack/x".into(), vec![])),
            "nothing that a pack has",
        ),
        (
            "stray vectors",
            |r| r.members.push(("docs/_ovpack/dense.f32".into(), vec![])),
            "nothing that a pack has",
        ),
        (
            "stray top",
            |r| r.members.push(("docs/x".into(), vec![])),
            "nothing that a pack has",
        ),
        (
            "stray folder",
            |r| r.members.push(("docs/x/".into(), vec![])),
            "nothing that a pack has",
        ),
        (
            "second root",
            |r| r.members.push(("other/x".into(), vec![])),
            "lies outside the folder",
        ),
        (
            "root's neighbour",
            |r| r.members.push(("docs2/x".into(), vec![])),
            "lies outside the folder",
        ),
        (
            "member climbs",
            |r| r.members.push(("docs/files/../x".into(), vec![])),
            "not safe",
        ),
        (
            "member backslash",
            |r| r.members.push(("docs/files/a\\b".into(), vec![])),
            "not safe",
        ),
    ];
    for (case, change, part) in before {
        let mut raw = Raw::minimal();
        change(&mut raw);
        refused(case, &raw.sealed().zip(), part);
    }
    let after: &[(&str, Change, &str)] = &[
        (
            "content",
            |r| r.manifest["content_sha256"] = json!(hex(b"")),
            "content_sha256",
        ),
        (
            "index",
            |r| r.manifest["index"] = Value::Null,
            "index of the manifest",
        ),
        (
            "records",
            |r| r.manifest["index"]["records"] = Value::Null,
            "records of index",
        ),
        (
            "records path",
            |r| r.manifest["index"]["records"]["path"] = json!("x"),
            "index.records.path",
        ),
        (
            "records count",
            |r| r.manifest["index"]["records"]["count"] = json!(2),
            "has 1 records and not 2",
        ),
        (
            "records hash",
            |r| r.manifest["index"]["records"]["sha256"] = json!(hex(b"")),
            "index_records.jsonl has not",
        ),
    ];
    for (case, change, part) in after {
        let mut raw = Raw::minimal().sealed();
        change(&mut raw);
        refused(case, &raw.zip(), part);
    }
}

#[test]
fn records_are_proved() {
    let changes: &[(&str, Change, &str)] = &[
        (
            "path",
            |r| r.records[0]["path"] = json!("x"),
            "there is no file \"x\"",
        ),
        (
            "kind",
            |r| r.records[0]["kind"] = json!("directory"),
            "there is no directory",
        ),
        ("level", |r| r.records[0]["level"] = json!(3), "level 3"),
        (
            "level text",
            |r| r.records[0]["level"] = json!("2"),
            "level of record 1",
        ),
        ("id", |r| r.records[0]["record_id"] = json!(1), "record_id"),
        (
            "text",
            |r| r.records[0]["text"] = json!(1),
            "text of record 1",
        ),
        (
            "scalars",
            |r| r.records[0]["scalars"] = json!([]),
            "scalars",
        ),
        (
            "user",
            |r| r.records[0]["user_id"] = json!("ann"),
            "user_id",
        ),
        (
            "id twice",
            |r| {
                let mut row = r.records[0].clone();
                row["level"] = json!(1);
                r.records.push(row);
            },
            "\"r000001\" stands twice",
        ),
        (
            "no JSON",
            |r| r.lines = Some(b"{\n".to_vec()),
            "is not JSON",
        ),
        (
            "no object",
            |r| r.lines = Some(b"7\n".to_vec()),
            "not a JSON object",
        ),
        ("no text", |r| r.lines = Some(vec![0xFF]), "not UTF-8"),
        (
            "vector without vectors",
            |r| r.records[0]["vector"] = json!({"dense": {"offset": 0, "dimensions": 4}}),
            "the pack has none",
        ),
    ];
    for (case, change, part) in changes {
        let mut raw = Raw::minimal();
        change(&mut raw);
        refused(case, &raw.sealed().zip(), part);
    }
}

#[test]
fn vectors_are_proved() {
    let two =
        || Raw::new("viking://resources/docs", &[("a.md", b"a"), ("b.md", b"b")]).with_vectors(3);
    assert!(read(&two().sealed().zip()).unwrap().vectors.is_some());
    let changes: &[(&str, Change, &str)] = &[
        (
            "gap",
            |r| r.records[1]["vector"]["dense"]["offset"] = json!(6),
            "do not follow",
        ),
        (
            "overlap",
            |r| r.records[1]["vector"]["dense"]["offset"] = json!(0),
            "do not follow",
        ),
        (
            "shifted",
            |r| r.records[1]["vector"]["dense"]["offset"] = json!(2),
            "do not follow",
        ),
        (
            "dims",
            |r| r.records[1]["vector"]["dense"]["dimensions"] = json!(2),
            "has 2 dimensions",
        ),
        (
            "one is missing",
            |r| r.records[1]["vector"] = Value::Null,
            "the records name 1",
        ),
        (
            "count",
            |r| r.manifest["index"]["dense"]["count"] = json!(3),
            "3 vectors",
        ),
        (
            "no dims",
            |r| r.manifest["index"]["dense"]["dimensions"] = json!(0),
            "of 0 numbers",
        ),
        (
            "huge",
            |r| r.manifest["index"]["dense"]["dimensions"] = json!(u64::MAX),
            "_ovpack/dense.f32 has",
        ),
        (
            "short",
            |r| _ = r.dense.as_mut().unwrap().pop(),
            "has 20 bytes",
        ),
        (
            "infinite",
            |r| r.dense.as_mut().unwrap()[4] = f32::INFINITY,
            "\"b.md\" has a value",
        ),
        (
            "no number",
            |r| r.dense.as_mut().unwrap()[0] = f32::NAN,
            "\"a.md\" has a value",
        ),
        (
            "dtype",
            |r| r.manifest["index"]["dense"]["dtype"] = json!("float16"),
            "dtype",
        ),
        (
            "order",
            |r| r.manifest["index"]["dense"]["byte_order"] = json!("big"),
            "byte_order",
        ),
        (
            "path",
            |r| r.manifest["index"]["dense"]["path"] = json!("x"),
            "index.dense.path",
        ),
        (
            "embedding",
            |r| r.manifest["index"]["dense"]["embedding"] = json!(1),
            "embedding",
        ),
        (
            "model",
            |r| r.manifest["index"]["dense"]["embedding"]["model"] = json!(1),
            "model of",
        ),
    ];
    for (case, change, part) in changes {
        let mut raw = two();
        change(&mut raw);
        refused(case, &raw.sealed().zip(), part);
    }
    let mut raw = two().sealed();
    raw.manifest["index"]["dense"]["sha256"] = json!(hex(b""));
    refused("hash", &raw.zip(), "dense.f32 has not the sha256");
    let mut raw = two().sealed();
    raw.dense = None;
    refused("no file", &raw.zip(), "there is no _ovpack/dense.f32");
}

#[test]
fn what_is_no_pack_is_refused() {
    refused("empty", b"", "not readable as ZIP");
    refused("text", b"hello, I am no archive", "not readable as ZIP");
    refused(
        "no members",
        &zip_of(&[]),
        "there is no _ovpack/manifest.json",
    );
    let a_file = zip_of(&[("docs".into(), b"x".to_vec())]);
    refused("a file as root", &a_file, "in place of its root folder");
    let raw = Raw::minimal().sealed();
    let name = |name: &str| format!("docs/_ovpack/{name}");
    let mut members = raw.members.clone();
    members.push((name("manifest.json"), b"[1]".to_vec()));
    refused("manifest", &zip_of(&members), "not a JSON object");
    members.last_mut().unwrap().1 = b"{".to_vec();
    refused("manifest", &zip_of(&members), "is not JSON");
    members.last_mut().unwrap().1 = raw.manifest.to_string().into_bytes();
    refused(
        "records",
        &zip_of(&members),
        "there is no _ovpack/index_records.jsonl",
    );
    let mut folder = Raw::minimal().sealed();
    folder.manifest["root"]["name"] = json!("other");
    folder.manifest["root"]["uri"] = json!("viking://resources/other");
    let mut members = raw.members;
    members.push((
        name("manifest.json"),
        folder.manifest.to_string().into_bytes(),
    ));
    refused(
        "folder",
        &zip_of(&members),
        "its manifest calls it \"other\"",
    );
}

#[test]
fn large_archives_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 5_000_000];
    let bytes = Raw::new(
        "viking://resources/docs",
        &[("a.bin", &zeros), ("b.bin", &zeros)],
    )
    .sealed()
    .zip();
    assert!(bytes.len() < 50_000, "a bomb is small");
    let read = |limits: Limits| {
        let result = Pack::read(Cursor::new(&bytes), "a.ovpack", &limits);
        result
            .map(|_| ())
            .map_err(|error| error.message().to_owned())
    };
    assert_eq!(read(Limits::default()), Ok(()));
    let limited = |member_bytes, total_bytes, members| Limits {
        members,
        member_bytes,
        total_bytes,
    };
    let error = read(limited(4_000_000, 1 << 30, 100)).unwrap_err();
    assert!(error.contains("unpacks to 5000000 bytes"), "{error}");
    let error = read(limited(1 << 30, 6_000_000, 100)).unwrap_err();
    assert!(error.contains("1000000 are the most"), "{error}");
    let error = read(limited(1 << 30, 1 << 30, 3)).unwrap_err();
    assert!(error.contains("members, more than 3"), "{error}");
}

#[test]
fn the_limits_are_those_of_the_manual() {
    let manual = include_str!("../../../docs/OVPACK.md");
    let Limits {
        members,
        member_bytes,
        total_bytes,
    } = Limits::default();
    let mib = |bytes: u64| bytes >> 20;
    let said = format!(
        "at most {} MiB of one file, {} MiB in all",
        mib(member_bytes),
        mib(total_bytes)
    );
    assert!(manual.contains(&said), "{said}");
    assert!(members == 1_000_000 && manual.contains("a million members"));
    assert!(
        mib(total_bytes) <= 512,
        "a small archive takes that much memory"
    );
}

#[test]
fn an_archive_that_declares_too_little_is_refused() {
    let mut bytes = Raw::new("viking://resources/docs", &[("a.bin", &vec![b'x'; 70_000])])
        .sealed()
        .zip();
    // The declared size stands in the local header and in the directory; both say a few bytes now.
    let declared = 70_000u32.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4)
        .filter(|&at| bytes[at..at + 4] == declared)
        .collect();
    assert!(places.len() >= 2, "both headers");
    for at in places {
        bytes[at..at + 4].copy_from_slice(&7u32.to_le_bytes());
    }
    refused("a lie", &bytes, "a.bin");
}

#[test]
fn damage_never_panics() {
    let raw = Raw::new(
        "viking://resources/docs",
        &[
            ("a.md", b"# A\n\ntext"),
            ("d/.abstract.md", b"D"),
            ("d/b.md", b"b"),
        ],
    );
    let bytes = raw.with_vectors(4).sealed().zip();
    assert!(read(&bytes).is_ok());
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "cut at {end}");
    }
    let mut random = Random(7);
    for _ in 0..2_000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
        }
        let _ = read(&damaged);
    }
}
