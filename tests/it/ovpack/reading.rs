//! What a pack becomes: documents at their place, texts that somebody wrote, files that are only kept.

use super::fixture::{Raw, read};
use crate::support::Script;
use knarr::Knarr;
use knarr::find::ask::options::{FindOptions, ListOptions, ReadOptions};
use knarr::indexer::input::InputOptions;
use knarr::indexer::ovpack::{Imported, Pack};
use knarr::indexer::{BuildOptions, Builder};
use pollster::block_on;
use serde_json::json;

/// Builds a bundle of a pack.
pub fn built(pack: Pack) -> (Knarr, Script, Imported) {
    built_with(pack, false)
}

/// Builds a bundle of a pack, with its vectors in place of the bundle's own.
pub fn built_with(pack: Pack, pack_vectors: bool) -> (Knarr, Script, Imported) {
    built_in(pack, pack_vectors, BuildOptions::default().bits)
}

/// Builds a bundle whose vectors have some bits for each number.
fn built_in(pack: Pack, pack_vectors: bool, bits: Option<u8>) -> (Knarr, Script, Imported) {
    let options = BuildOptions {
        bits,
        name: pack.root.name.clone(),
        mounts: pack.mounts(""),
        ..BuildOptions::default()
    };
    let mut builder = Builder::new(options).expect("a place");
    let imported = pack
        .add_to(&mut builder, "", &InputOptions::default())
        .expect("added");
    if pack_vectors {
        imported
            .search_with_vectors(&mut builder, "", "model:m@2")
            .expect("vectors");
    }
    let host = Script::of(builder.finish(&mut |_, _, _| {}).expect("a bundle"));
    let bundle = block_on(Knarr::open(&host)).expect("opened");
    (bundle, host, imported)
}

const SIDECAR: &str = "---\ndirectory: viking://resources/docs/guide\n---\n\nAbout zeppelins.\n";
const MEMO: &str = "# Memo\r\n\r\nThe *quick* [fox](fox.md).\r\n";

fn sample() -> Raw {
    let mut raw = Raw::new(
        "viking://resources/docs",
        &[
            ("guide/.abstract.md", SIDECAR.as_bytes()),
            ("guide/memo.md", MEMO.as_bytes()),
            ("guide/logo.png", b"\x89PNG\0\0\xFF"),
            ("guide/.hidden", b"unicorn"),
            ("guide/code.rs", b"fn main() { println!(\"gryphon\"); }\n"),
            ("empty.txt", b""),
        ],
    );
    raw.directory("later");
    raw.record(
        "guide",
        "directory",
        0,
        json!({"abstract": "About zeppelins."}),
    )["text"] = json!(SIDECAR);
    raw.record(
        "",
        "directory",
        1,
        json!({"abstract": "# Everything\n\nThe brief."}),
    );
    let memo = raw
        .records
        .iter_mut()
        .find(|r| r["path"] == "guide/memo.md");
    memo.unwrap()["scalars"] =
        json!({"abstract": "A written summary.", "tags": "lang=en; old", "name": "memo.md"});
    raw.sealed()
}

#[cfg(feature = "full")]
#[test]
fn a_pack_is_a_site_at_its_own_place() {
    let (bundle, host, imported) = built(read(&sample().zip()).expect("a pack"));
    let guide = "viking://resources/docs/guide";
    let text = |uri: &str| block_on(bundle.read(&host, uri, &ReadOptions::default())).expect(uri);
    let abstract_ = |uri: &str| block_on(bundle.abstract_(&host, uri)).expect(uri);

    // Files and sidecars are read as they are, not as text that was taken from them.
    assert_eq!(text(&format!("{guide}/memo.md")), MEMO);
    assert_eq!(text(&format!("{guide}/.abstract.md")), SIDECAR);
    assert_eq!(text(&format!("{guide}/.hidden")), "unicorn");
    assert_eq!(text("viking://resources/docs/empty.txt"), "");

    // Sidecars and records are the abstracts; the rest is extracted.
    assert_eq!(abstract_(guide), "About zeppelins.\n".trim());
    assert_eq!(abstract_("viking://resources/docs"), "The brief.");
    assert_eq!(abstract_(&format!("{guide}/memo.md")), "A written summary.");
    assert_eq!(abstract_("viking://resources/docs/later"), "later.");

    let found = |query: &str| {
        let result = block_on(bundle.find(&host, query, &FindOptions::default())).expect("found");
        let uris: Vec<String> = result.resources.into_iter().map(|row| row.uri).collect();
        uris
    };
    assert_eq!(found("quick fox")[0], format!("{guide}/memo.md"));
    assert_eq!(found("written summary")[0], format!("{guide}/memo.md"));
    assert_eq!(found("gryphon")[0], format!("{guide}/code.rs"));
    for query in ["unicorn", "hidden", "logo", "empty"] {
        let kept_only = |uri: &String| {
            let name = uri.rsplit('/').next().unwrap_or("");
            [".hidden", "logo.png", "empty.txt"].contains(&name)
        };
        assert!(!found(query).iter().any(kept_only), "{query}");
    }
    let stat = block_on(bundle.stat(&host, &format!("{guide}/memo.md"))).unwrap();
    assert_eq!(
        (stat.tags, stat.size),
        (
            vec!["lang=en".to_owned(), "old".to_owned()],
            MEMO.len() as u64
        )
    );

    let rows = block_on(bundle.ls(&host, guide, &ListOptions::default())).unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.rel_path.as_str()).collect();
    assert_eq!(names, ["code.rs", "logo.png", "memo.md"]);
    let reasons: Vec<(&str, &str)> = imported
        .unindexed
        .iter()
        .map(|s| (s.path.as_str(), s.reason.name()))
        .collect();
    assert_eq!(
        reasons,
        [("empty.txt", "empty"), ("guide/logo.png", "binary")]
    );
}

#[cfg(feature = "full")]
#[test]
fn packs_of_a_user_and_backups_keep_their_place() {
    let memory = Raw::new("viking://user/ann", &[("memories/likes.md", b"Tea.")]).sealed();
    let (bundle, host, _) = built(read(&memory.zip()).unwrap());
    let stat = block_on(bundle.stat(&host, "viking://user/ann/memories/likes.md")).unwrap();
    assert_eq!(stat.context_type, "memory");

    let mut backup = Raw::new(
        "viking://resources/openviking-backup",
        &[
            ("resources/a.md", b"Apples."),
            ("user/ann/memories/b.md", b"Bread."),
            (
                "user/ann/sessions/1/messages.jsonl",
                b"{\"text\": \"walrus\"}",
            ),
        ],
    );
    backup.manifest["root"] = json!({
        "name": "openviking-backup", "uri": "viking://", "scope": "root", "package_type": "backup"
    });
    backup.manifest["scopes"] = json!(["resources", "user"]);
    let entries = backup.manifest["entries"].as_array_mut().unwrap();
    let bread = entries
        .iter_mut()
        .find(|e| e["path"] == "user/ann/memories/b.md");
    bread.unwrap()["user_id"] = json!("ann");
    let (bundle, host, _) = built(read(&backup.sealed().zip()).unwrap());
    let read = |uri: &str| block_on(bundle.read(&host, uri, &ReadOptions::default())).expect(uri);
    assert_eq!(read("viking://resources/a.md"), "Apples.");
    assert_eq!(read("viking://user/ann/memories/b.md"), "Bread.");
    let found = block_on(bundle.find(&host, "walrus", &FindOptions::default())).unwrap();
    assert_eq!(found.total, 0, "the log of a session is not searched");
}

#[test]
fn vectors_are_handed_out_by_path_and_level() {
    let raw = Raw::new(
        "viking://resources/docs",
        &[("a.md", b"Apples."), ("b #1.md", b"Bread.")],
    );
    let (_, _, imported) = built(read(&raw.with_vectors(2).sealed().zip()).unwrap());
    let vectors = imported.vectors.expect("vectors");
    assert_eq!(
        (vectors.dims, vectors.embedding.model.as_deref()),
        (2, Some("m"))
    );
    let keys: Vec<(&str, u8)> = vectors.rows.keys().map(|(p, l)| (p.as_str(), *l)).collect();
    assert_eq!(keys, [("a.md", 2), ("b #1.md", 2)]);
    assert_eq!(
        vectors.rows[&("a.md".to_owned(), 2)],
        [-1.0, 1.0 / 3.0 - 1.0]
    );
}

/// Of two records of one path and level the first counts, for the text and for the vector.
#[test]
fn of_two_records_of_one_path_the_first_counts() {
    let mut raw = Raw::new("viking://resources/docs", &[("a.md", b"Apples.")]);
    raw.records[0]["scalars"]["abstract"] = json!("FIRST");
    raw.record("a.md", "file", 2, json!({"abstract": "SECOND"}));
    let mut raw = raw.with_vectors(2);
    raw.dense = Some(vec![1.0, 0.0, 0.0, 1.0]);
    let (bundle, host, imported) = built(read(&raw.sealed().zip()).unwrap());
    let uri = "viking://resources/docs/a.md";
    assert_eq!(block_on(bundle.abstract_(&host, uri)).unwrap(), "FIRST");
    let vectors = imported.vectors.expect("vectors");
    assert_eq!(vectors.rows[&("a.md".to_owned(), 2)], [1.0, 0.0]);
}

#[test]
fn vectors_of_a_pack_are_searched_with() {
    let mut raw = Raw::new(
        "viking://resources/docs",
        &[
            ("fruit/a.md", b"Apples."),
            ("b #1.md", b"Bread."),
            ("c.md", b"Clay."),
        ],
    );
    raw.record("fruit", "directory", 0, json!({"abstract": "Fruit."}));
    let mut raw = raw.with_vectors(2);
    let rows = [[1.0, 0.0], [0.0, 3.0], [0.0, 0.0], [0.8, 0.6]];
    raw.dense = Some(rows.concat());
    let (bundle, host, _) = built_with(read(&raw.sealed().zip()).unwrap(), true);
    assert_eq!(bundle.inspect().encoder, "model:m@2");
    let nearest = |vector: [f32; 2]| {
        let options = FindOptions {
            vector: Some(vector.to_vec()),
            alpha: Some(1.0),
            level: knarr::find::ask::filter::Value::from(&[0, 1, 2][..]),
            ..FindOptions::default()
        };
        let found = block_on(bundle.find(&host, "?", &options)).unwrap();
        let contexts = found.resources.into_iter().map(|context| context.uri);
        contexts.collect::<Vec<_>>()
    };
    let docs = "viking://resources/docs";
    assert_eq!(
        nearest([1.0, 0.1])[..2],
        [
            format!("{docs}/fruit/a.md"),
            format!("{docs}/fruit/.abstract.md")
        ]
    );
    let bread = nearest([0.0, 1.0]);
    assert_eq!(bread[0], format!("{docs}/b %231.md"));
    assert!(
        !bread.contains(&format!("{docs}/c.md")),
        "zeros are like nothing"
    );
}

/// A server's scores are (1 + cosine) / 2; the relevance of its pack's rows is the same number as far as eight bits tell it.
#[test]
fn the_relevance_of_a_packs_rows_is_the_servers_score() {
    const DIMS: usize = 32;
    let names: Vec<String> = (0..40).map(|i| format!("f{i}.md")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|n| (n.as_str(), &b"Text."[..])).collect();
    let mut raw = Raw::new("viking://resources/docs", &files).with_vectors(DIMS);
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let query: Vec<f32> = (0..DIMS).map(|_| next()).collect();
    let rows: Vec<Vec<f32>> = names
        .iter()
        .map(|_| query.iter().map(|q| q + 2.0 * next()).collect())
        .collect();
    raw.dense = Some(rows.concat());
    let (bundle, host, _) = built_in(read(&raw.sealed().zip()).unwrap(), true, Some(8));
    let options = FindOptions {
        vector: Some(query.clone()),
        alpha: Some(1.0),
        limit: 40,
        ..FindOptions::default()
    };
    let found = block_on(bundle.find(&host, "?", &options)).unwrap();
    assert!(found.resources.len() > 30 && !found.weak);
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    for row in &found.resources {
        let name = row.uri.rsplit('/').next().unwrap();
        let own = &rows[names.iter().position(|n| n == name).unwrap()];
        let cosine = dot(own, &query) / (dot(own, own) * dot(&query, &query)).sqrt();
        assert!(
            (row.relevance - (1.0 + cosine) / 2.0).abs() < 2e-3,
            "{name}: {} {cosine}",
            row.relevance
        );
    }
}

#[cfg(feature = "full")]
#[test]
fn an_open_front_matter_block_is_named_and_kept() {
    let open = b"---\ndirectory: x\nNever closed.\n";
    let raw = Raw::new(
        "viking://resources/docs",
        &[(".abstract.md", open), ("a.md", b"A.")],
    );
    let (bundle, host, imported) = built(read(&raw.sealed().zip()).unwrap());
    assert_eq!(imported.unindexed[0].path, ".abstract.md");
    assert_eq!(imported.unindexed[0].reason.name(), "open-front-matter");
    let uri = "viking://resources/docs/.abstract.md";
    let text = block_on(bundle.read(&host, uri, &ReadOptions::default())).unwrap();
    assert_eq!(text.as_bytes(), open);
}

#[test]
fn what_other_writers_leave_out_or_add_is_read() {
    let mut raw = Raw::new("viking://resources/docs", &[("a/b.md", b"B.")]);
    raw.manifest["entries"]
        .as_array_mut()
        .unwrap()
        .retain(|e| e["path"] != "a");
    raw.members
        .retain(|(name, _)| !["docs/", "docs/files/a/"].contains(&name.as_str()));
    raw.members.push(("docs/_ovpack/more/".into(), Vec::new()));
    raw.manifest["made_by"] = json!("somebody");
    raw.manifest["root"]["uri"] = json!("viking://resources/docs/");
    raw.record("a/b.md", "file", 2, json!({"md5": "x"}))["note"] = json!(1);
    let pack = read(&raw.sealed().zip()).expect("a pack");
    assert_eq!(pack.root.uri, "viking://resources/docs");
    assert!(pack.directories.contains("a"), "a folder that is not named");
    assert_eq!(pack.n_records(), 2, "two rows of one level");
}
