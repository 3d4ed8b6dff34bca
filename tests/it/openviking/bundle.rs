//! The recorded tree as a real bundle: a pack with its vectors, walked by `find`.

use super::fixture::Tree;
use crate::ovpack::fixture::{Raw, read};
use crate::support::Script;
use knarr::find::answer::result::{FindResult, MatchedContext};
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use knarr::indexer::input::InputOptions;
use knarr::indexer::{BuildOptions, Builder};
use knarr::{ErrorKind, Knarr};
use pollster::block_on;
use serde_json::json;

/// The tree's root `viking://resources`: a pack has a folder of its own.
const ROOT: &str = "viking://resources/kb";

const ALL: [&str; 8] = [
    "docs/auth/oauth.md",
    "docs/auth/.abstract.md",
    "docs/auth/jwt.md",
    "docs/.abstract.md",
    "docs/intro.md",
    "other/hidden-gem.md",
    "other/.abstract.md",
    ".abstract.md",
];
/// The same with half of the directory's score in each.
const HALF: [f32; 8] = [0.9679, 0.9397, 0.8794, 0.866, 0.683, 0.6709, 0.342, 0.1736];

struct Bundle {
    host: Script,
    knarr: Knarr,
    tree: Tree,
}

impl Bundle {
    fn recorded() -> Self {
        let mut tree = Tree::recorded();
        let memory = tree.node("viking://user/alice/memories/events/e1.md");
        tree.rows.retain(|row| row.node != memory);
        let path = |tree: &Tree, i: usize| {
            let uri = tree.uri(tree.rows[i].node);
            uri["viking://resources".len()..]
                .trim_start_matches('/')
                .to_owned()
        };
        let rows = 0..tree.rows.len();
        let files: Vec<String> = rows
            .clone()
            .filter(|&i| tree.rows[i].level == 2)
            .map(|i| path(&tree, i))
            .collect();
        let files: Vec<(&str, &[u8])> = files
            .iter()
            .map(|file| (file.as_str(), &b"Text."[..]))
            .collect();
        let mut raw = Raw::new(ROOT, &files);
        for i in rows.clone().filter(|&i| tree.rows[i].level < 2) {
            let text = json!({"abstract": "A folder."});
            raw.record(&path(&tree, i), "directory", tree.rows[i].level, text);
        }
        let mut raw = raw.with_vectors(2);
        let vector = |record: &serde_json::Value| {
            let is_it = |&i: &usize| {
                record["path"] == path(&tree, i) && record["level"] == tree.rows[i].level
            };
            let cosine = tree.rows[rows.clone().find(is_it).expect("a row")].score;
            [cosine, (1.0 - cosine * cosine).sqrt()]
        };
        raw.dense = Some(raw.records.iter().flat_map(vector).collect());
        let pack = read(&raw.sealed().zip()).unwrap();
        let options = BuildOptions {
            bits: Some(8),
            name: pack.root.name.clone(),
            mounts: pack.mounts(""),
            ..BuildOptions::default()
        };
        let mut builder = Builder::new(options).unwrap();
        let imported = pack
            .add_to(&mut builder, "", &InputOptions::default())
            .unwrap();
        imported
            .search_with_vectors(&mut builder, "", "model:m@2")
            .unwrap();
        let host = Script::of(builder.finish(&mut |_, _, _| {}).unwrap());
        let knarr = block_on(Knarr::open(&host)).unwrap();
        Self { host, knarr, tree }
    }

    fn find(&self, options: &FindOptions) -> FindResult {
        block_on(self.knarr.find(&self.host, "?", options)).unwrap()
    }

    /// Walks with the exact cosine as the model that scores rows. Besides, the rows of each round that it had to score.
    fn reranked(&self, options: &FindOptions) -> (Vec<(String, f32)>, Vec<usize>) {
        let mut scores = Vec::new();
        let mut rounds = Vec::new();
        loop {
            let walk_scores = Value::Map(scores.clone());
            let found = self.find(&FindOptions {
                walk_scores,
                ..options.clone()
            });
            if found.wanted.is_empty() {
                return (written(&found), rounds);
            }
            assert!(found.total == 0 && found.resources.is_empty());
            rounds.push(found.wanted.len());
            for row in found.wanted {
                scores.push((
                    row.uri.clone(),
                    Value::Float(self.cosine(&row.uri, row.level).into()),
                ));
            }
        }
    }

    fn cosine(&self, uri: &str, level: u8) -> f32 {
        let uri = uri.replacen(ROOT, "viking://resources", 1);
        let sidecars = ["/.abstract.md", "/.overview.md"];
        let node = sidecars
            .iter()
            .find_map(|end| uri.strip_suffix(end))
            .unwrap_or(&uri);
        let row = self
            .tree
            .rows
            .iter()
            .find(|row| self.tree.uri(row.node) == node && row.level == level);
        row.expect("a row of the tree").score
    }
}

fn written(found: &FindResult) -> Vec<(String, f32)> {
    let rows = found.resources.iter();
    rows.map(|row| (row.uri[ROOT.len() + 1..].to_owned(), row.score))
        .collect()
}

fn options(preset: Preset, limit: usize) -> FindOptions {
    FindOptions {
        mode: Mode::Thinking,
        preset,
        limit,
        target_uri: OneOrMany::One(ROOT.to_owned()),
        level: Value::from(&[0, 1, 2][..]),
        vector: Some(vec![1.0, 0.0]),
        alpha: Some(1.0),
        ..FindOptions::default()
    }
}

fn uris(rows: &[(String, f32)]) -> Vec<&str> {
    rows.iter().map(|row| row.0.as_str()).collect()
}

#[test]
fn classic_has_the_order_of_the_traces() {
    let bundle = Bundle::recorded();
    let long = written(&bundle.find(&options(Preset::Classic, 20)));
    assert_eq!(uris(&long), ALL);
    let short = written(&bundle.find(&options(Preset::Classic, 3)));
    assert_eq!(uris(&short), ALL[..3]);
    // Scores are scaled to the question's own best and worst row, and stay in proportion as far as eight bits tell them.
    let [gem, root] = ["other/hidden-gem.md", ".abstract.md"].map(|uri| {
        let uri = format!("{ROOT}/{uri}");
        bundle.cosine(&uri, if uri.ends_with("/.abstract.md") { 0 } else { 2 })
    });
    for ((uri, score), recorded) in long.iter().zip(HALF) {
        let unscaled = root + score * (gem - root);
        assert!(
            (unscaled - recorded).abs() < 6e-3,
            "{uri}: {unscaled}, recorded {recorded}"
        );
    }
}

#[test]
fn a_models_scores_within_the_walk_give_the_scores_of_the_traces() {
    let bundle = Bundle::recorded();
    let check = |options: &FindOptions, order: &[&str], scores: &[f32], rounds: &[usize]| {
        let (rows, asked) = bundle.reranked(options);
        assert_eq!(uris(&rows), order);
        for ((uri, score), recorded) in rows.iter().zip(scores) {
            assert!(
                (score - recorded).abs() < 2e-3,
                "{uri}: {score}, recorded {recorded}"
            );
        }
        assert_eq!(asked, rounds);
    };
    // Serial: the three best rows of directories, then one directory a round. A row is asked about once.
    check(&options(Preset::Classic, 20), &ALL, &HALF, &[3, 2, 2, 4, 1]);
    check(
        &options(Preset::Classic, 3),
        &ALL[..3],
        &HALF[..3],
        &[3, 2, 2, 4, 1],
    );
    // All rows of directories, and then four directories at once.
    let best = [
        "other/hidden-gem.md",
        "docs/auth/oauth.md",
        "docs/auth/.abstract.md",
    ];
    check(
        &options(Preset::Current, 3),
        &best,
        &[0.9998, 0.9962, 0.9397],
        &[8, 4],
    );
    let half = FindOptions {
        score_propagation_alpha: Some(0.5),
        ..options(Preset::Current, 10)
    };
    check(&half, &ALL, &HALF, &[8, 4]);
    check(
        &options(Preset::ClassicLeaves, 3),
        &best,
        &[0.9998, 0.9962, 0.9397],
        &[5, 1, 2, 4],
    );
}

/// Scores of all rows of the tree, as the model gives them.
fn all_scores(bundle: &Bundle, score: impl Fn(f32) -> Value) -> Value {
    let suffix = |level: u8| ["/.abstract.md", "/.overview.md", ""][usize::from(level)];
    let rows = bundle.tree.rows.iter().map(|row| {
        let uri = bundle
            .tree
            .uri(row.node)
            .replacen("viking://resources", ROOT, 1);
        (format!("{uri}{}", suffix(row.level)), score(row.score))
    });
    Value::Map(rows.collect())
}

#[test]
fn a_models_scores_are_the_relevance_and_the_walk_is_explained() {
    let bundle = Bundle::recorded();
    let options = FindOptions {
        walk_scores: all_scores(&bundle, |cosine| Value::Float(cosine.into())),
        explain: true,
        ..options(Preset::Classic, 20)
    };
    let all = bundle.find(&options);
    assert!(all.wanted.is_empty() && all.resources.len() == ALL.len());
    let mut n_passed = 0;
    for row in &all.resources {
        let own = bundle.cosine(&row.uri, row.level);
        assert!((row.relevance - own).abs() < 1e-6, "{}", row.uri);
        assert!(!row.weak);
        let told = row
            .explain
            .as_ref()
            .and_then(|told| told.propagation.as_ref());
        let score = told.map_or(own, |told| {
            n_passed += 1;
            assert_eq!((told.own, told.own_weight), (own, 0.5));
            assert!(row.uri.starts_with(&told.directory), "{told:?}");
            told.own * told.own_weight + told.directory_score * (1.0 - told.own_weight)
        });
        assert!((row.score - score).abs() < 1e-6, "{}: {score}", row.uri);
    }
    assert!(n_passed > 4, "{n_passed}");
    let cut = bundle.find(&FindOptions {
        score_threshold: Some(0.5),
        ..options
    });
    let good = |row: &&MatchedContext| bundle.cosine(&row.uri, row.level) > 0.5;
    let expected: Vec<&str> = all
        .resources
        .iter()
        .filter(good)
        .map(|row| &row.uri[..])
        .collect();
    let found: Vec<&str> = cut.resources.iter().map(|row| &row.uri[..]).collect();
    assert!(!expected.is_empty() && expected.len() < ALL.len());
    assert_eq!(found, expected);
}

#[test]
fn what_a_model_does_not_score_keeps_its_own_and_wrong_scores_are_refused() {
    let bundle = Bundle::recorded();
    let plain = written(&bundle.find(&options(Preset::Classic, 20)));
    let mut scores = Vec::new();
    let silent = loop {
        let walk_scores = Value::Map(scores.clone());
        let found = bundle.find(&FindOptions {
            walk_scores,
            ..options(Preset::Classic, 20)
        });
        if found.wanted.is_empty() {
            break written(&found);
        }
        scores.extend(found.wanted.into_iter().map(|row| (row.uri, Value::Null)));
    };
    assert_eq!(silent, plain);
    let refused = |options: FindOptions| {
        block_on(bundle.knarr.find(&bundle.host, "?", &options)).unwrap_err()
    };
    let quick = FindOptions {
        mode: Mode::Quick,
        walk_scores: Value::Map(Vec::new()),
        ..options(Preset::Classic, 3)
    };
    let text = FindOptions {
        walk_scores: Value::Text("high".into()),
        ..options(Preset::Classic, 3)
    };
    let with = |score: Value| FindOptions {
        walk_scores: Value::Map(vec![("viking://resources/x".into(), score)]),
        ..options(Preset::Classic, 3)
    };
    let wrong = [
        Value::Text("a".into()),
        Value::Float(f64::NAN),
        Value::Int(7),
        Value::Int(-3),
    ];
    let wrong = wrong.map(|score| (with(score), "numbers from 0 to 1"));
    let others = [(quick, "thinking"), (text, "walk_scores")];
    for (options, what) in others.into_iter().chain(wrong) {
        let error = refused(options);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains(what), "{}", error.message());
    }
}
