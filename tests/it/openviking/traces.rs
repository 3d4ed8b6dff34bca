//! The recorded traces, one test each (spec: OpenViking §1.10). Scores within 2e-3, order exact.

use super::fixture::{Preset, Tree, published};
use knarr::find::walk::{Levels, WalkOptions};

const TOLERANCE: f32 = 2e-3;

const GEM: &str = "other/hidden-gem.md";
const OAUTH: &str = "docs/auth/oauth.md";
const JWT: &str = "docs/auth/jwt.md";
const INTRO: &str = "docs/intro.md";
const E1: &str = "user/alice/memories/events/e1.md";
const AUTH: &str = "docs/auth/.abstract.md";
const DOCS: &str = "docs/.abstract.md";
const OTHER: &str = "other/.abstract.md";
const RESOURCES: &str = "resources/.abstract.md";

fn options(preset: Preset, limit: usize) -> WalkOptions {
    published(preset, limit)
}

/// The tree searched at and below `targets`, which are also the roots.
fn scoped(targets: &[&str], options: &mut WalkOptions) -> Tree {
    let mut tree = Tree::recorded();
    options.roots = targets.iter().map(|target| tree.node(target)).collect();
    tree.scopes = targets.iter().map(|target| (*target).to_owned()).collect();
    tree
}

fn resources(mut options: WalkOptions) -> (Tree, WalkOptions) {
    let tree = scoped(&["viking://resources"], &mut options);
    (tree, options)
}

fn assert_hits(got: &[(String, f32)], expected: &[(&str, f32)]) {
    let uris: Vec<&str> = got.iter().map(|(uri, _)| uri.as_str()).collect();
    assert_eq!(
        uris,
        expected.iter().map(|(uri, _)| *uri).collect::<Vec<_>>(),
        "{got:?}"
    );
    for ((uri, score), (_, expected)) in got.iter().zip(expected) {
        assert!(
            (score - expected).abs() <= TOLERANCE,
            "{uri}: {score}, recorded {expected}"
        );
    }
}

/// Current THINKING on `viking://resources`: five rerank calls, whatever the caller asks for.
fn assert_thinking(options: WalkOptions, expected: &[(&str, f32)]) {
    let (tree, options) = resources(options);
    let run = tree.run(options);
    assert_hits(&tree.written(&run.found), expected);
    assert_eq!(run.documents(), [8, 4, 5, 3, 6]);
    assert_eq!(
        run.pops(&tree),
        ["docs/auth", "docs", "other", "viking://resources"]
    );
}

fn assert_serial(options: WalkOptions, pops: &[&str], expected: &[(&str, f32)]) {
    let (tree, options) = resources(options);
    let run = tree.run(options);
    assert_hits(&tree.written(&run.found), expected);
    assert_eq!(run.pops(&tree), pops);
}

#[test]
fn quick_limit_5() {
    let tree = Tree::recorded();
    let run = tree.run(options(Preset::Quick, 5));
    let expected = [
        (GEM, 0.9998),
        (OAUTH, 0.9962),
        (E1, 0.9848),
        (AUTH, 0.9397),
        (DOCS, 0.866),
    ];
    assert_hits(&tree.written(&run.found), &expected);
    assert_eq!(run.calls.len(), 1);
}

#[test]
fn quick_limit_20() {
    let tree = Tree::recorded();
    let run = tree.run(options(Preset::Quick, 20));
    let expected = [
        (GEM, 0.9998),
        (OAUTH, 0.9962),
        (E1, 0.9848),
        (AUTH, 0.9397),
        (DOCS, 0.866),
        (JWT, 0.8192),
        (INTRO, 0.5),
        (OTHER, 0.342),
        (RESOURCES, 0.1736),
    ];
    assert_hits(&tree.written(&run.found), &expected);
}

#[test]
fn quick_threshold_is_strict_unless_asked_otherwise() {
    let tree = Tree::recorded();
    let run = tree.run(WalkOptions {
        threshold: 0.9,
        ..options(Preset::Quick, 10)
    });
    assert_hits(
        &tree.written(&run.found),
        &[(GEM, 0.9998), (OAUTH, 0.9962), (E1, 0.9848), (AUTH, 0.9397)],
    );
    let mut edge = Tree::default();
    edge.add_score("viking://resources/a.md", 2, 0.9);
    for (inclusive, expected) in [(false, 0), (true, 1)] {
        let run = edge.run(WalkOptions {
            threshold: 0.9,
            inclusive,
            ..options(Preset::Quick, 10)
        });
        assert_eq!(run.found.hits.len(), expected);
    }
}

#[test]
fn thinking_without_propagation() {
    assert_thinking(
        options(Preset::Current, 3),
        &[(GEM, 0.9998), (OAUTH, 0.9962), (AUTH, 0.9397)],
    );
}

#[test]
fn thinking_with_half_propagation() {
    let expected = [
        (OAUTH, 0.9679),
        (AUTH, 0.9397),
        (JWT, 0.8794),
        (DOCS, 0.866),
        (INTRO, 0.683),
        (GEM, 0.6709),
        (OTHER, 0.342),
        (RESOURCES, 0.1736),
    ];
    assert_thinking(
        WalkOptions {
            alpha: 0.5,
            ..options(Preset::Current, 10)
        },
        &expected,
    );
}

#[test]
fn thinking_with_threshold_still_opens_a_weak_starting_point() {
    let options = WalkOptions {
        threshold: 0.6,
        ..options(Preset::Current, 10)
    };
    assert_thinking(
        options,
        &[
            (GEM, 0.9998),
            (OAUTH, 0.9962),
            (AUTH, 0.9397),
            (DOCS, 0.866),
            (JWT, 0.8192),
        ],
    );
}

#[test]
fn thinking_for_files_only() {
    let options = WalkOptions {
        levels: Some(Levels::FILES),
        ..options(Preset::Current, 3)
    };
    assert_thinking(options, &[(GEM, 0.9998), (OAUTH, 0.9962), (JWT, 0.8192)]);
}

#[test]
fn thinking_for_abstracts_only() {
    let options = WalkOptions {
        levels: Some(Levels::of(&[0])),
        ..options(Preset::Current, 3)
    };
    assert_thinking(options, &[(AUTH, 0.9397), (DOCS, 0.866), (OTHER, 0.342)]);
}

#[test]
fn thinking_loses_a_file_below_unindexed_directories() {
    let mut options = options(Preset::Current, 3);
    let tree = scoped(&["viking://user/alice", "viking://resources"], &mut options);
    let run = tree.run(options);
    assert_hits(
        &tree.written(&run.found),
        &[(GEM, 0.9998), (OAUTH, 0.9962), (AUTH, 0.9397)],
    );
    assert_eq!(run.documents(), [8, 4, 5, 3, 6]);
}

#[test]
fn thinking_for_memories_finds_nothing() {
    let mut options = options(Preset::Current, 3);
    let mut tree = scoped(&["viking://user/alice", "viking://resources"], &mut options);
    // The original drops rows of another type from every search.
    let memory = tree.node("viking://user/alice/memories/events/e1.md");
    tree.rows.retain(|row| row.node == memory);
    assert_eq!(tree.run(options).found.hits, []);
}

#[test]
fn classic_limit_3() {
    let pops = ["docs/auth", "docs", "viking://resources", "other"];
    let cold = WalkOptions {
        hotness_alpha: 0.0,
        ..options(Preset::Classic, 3)
    };
    assert_serial(
        cold,
        &pops,
        &[(OAUTH, 0.9679), (AUTH, 0.9397), (JWT, 0.8794)],
    );
    assert_serial(
        options(Preset::Classic, 3),
        &pops,
        &[(OAUTH, 0.7744), (AUTH, 0.7518), (JWT, 0.7035)],
    );
}

#[test]
fn classic_limit_20() {
    let expected = [
        (OAUTH, 0.9679),
        (AUTH, 0.9397),
        (JWT, 0.8794),
        (DOCS, 0.866),
        (INTRO, 0.683),
        (GEM, 0.6709),
        (OTHER, 0.342),
        (RESOURCES, 0.1736),
    ];
    let pops = ["docs/auth", "docs", "viking://resources", "other"];
    assert_serial(
        WalkOptions {
            hotness_alpha: 0.0,
            ..options(Preset::Classic, 20)
        },
        &pops,
        &expected,
    );
}

#[test]
fn classic_threshold_prunes_the_subtree() {
    let options = WalkOptions {
        hotness_alpha: 0.0,
        threshold: 0.6,
        ..options(Preset::Classic, 20)
    };
    let expected = [
        (OAUTH, 0.9679),
        (AUTH, 0.9397),
        (JWT, 0.8794),
        (DOCS, 0.866),
        (INTRO, 0.683),
    ];
    assert_serial(
        options,
        &["docs/auth", "docs", "viking://resources"],
        &expected,
    );
}

#[test]
fn classic_leaves_limit_3() {
    let (tree, cold) = resources(WalkOptions {
        hotness_alpha: 0.0,
        ..options(Preset::ClassicLeaves, 3)
    });
    let run = tree.run(cold);
    assert_hits(
        &tree.written(&run.found),
        &[(GEM, 0.9998), (OAUTH, 0.9962), (AUTH, 0.9397)],
    );
    let (tree, hot) = resources(options(Preset::ClassicLeaves, 3));
    let run = tree.run(hot);
    assert_hits(
        &tree.written(&run.found),
        &[(GEM, 0.7999), (OAUTH, 0.797), (AUTH, 0.7518)],
    );
}

#[test]
fn classic_leaves_limit_20() {
    let expected = [
        (GEM, 0.9998),
        (OAUTH, 0.9962),
        (AUTH, 0.9397),
        (JWT, 0.8794),
        (DOCS, 0.866),
        (INTRO, 0.683),
        (OTHER, 0.342),
        (RESOURCES, 0.1736),
    ];
    let pops = ["docs/auth", "docs", "other", "viking://resources"];
    assert_serial(
        WalkOptions {
            hotness_alpha: 0.0,
            ..options(Preset::ClassicLeaves, 20)
        },
        &pops,
        &expected,
    );
}
