//! Rules of the walk that the recorded traces do not show.

use super::fixture::{Preset, Tree, published};
use knarr::base::id::NodeId;
use knarr::find::walk::{Event, Exclusion, Levels, Stop, Walk, WalkOptions, walk};

const PRESETS: [Preset; 4] = [
    Preset::Quick,
    Preset::Classic,
    Preset::ClassicLeaves,
    Preset::Current,
];

fn rooted(preset: Preset, limit: usize, tree: &mut Tree) -> WalkOptions {
    WalkOptions {
        roots: vec![tree.node("viking://resources")],
        ..published(preset, limit)
    }
}

/// A small xorshift generator: the same walks on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    fn score(&mut self) -> f32 {
        // A coarse grid, so that ties happen; some are negative.
        self.below(48) as f32 / 40.0 - 0.15
    }
}

fn random_tree(random: &mut Random) -> Tree {
    let mut tree = Tree::default();
    let mut directories = vec!["viking://resources".to_owned()];
    for i in 0..3 + random.below(40) {
        let parent = directories[random.below(directories.len())].clone();
        if random.below(3) == 0 {
            let uri = format!("{parent}/d{i}");
            (0..2).for_each(|level| tree.add_score(&uri, level, random.score()));
            directories.push(uri);
        } else {
            tree.add_score(&format!("{parent}/f{i}.md"), 2, random.score());
        }
    }
    tree
}

#[test]
fn missing_parts_of_a_round_come_together_and_the_walk_goes_on() {
    let mut tree = Tree::recorded();
    let options = rooted(Preset::Current, 3, &mut tree);
    let whole = walk(&tree, options.clone()).expect("all is loaded");
    let [docs, other] =
        ["viking://resources/docs", "viking://resources/other"].map(|uri| tree.node(uri));
    tree.missing = [docs, other].into();
    assert_eq!(
        walk(&tree, options.clone()),
        Err(vec![docs, other]),
        "of one round, in the order of opening"
    );

    let mut halting = Walk::new(options.clone());
    halting.next_round(&tree).expect("the head is loaded");
    halting.accept_local(&tree);
    assert_eq!(halting.next_round(&tree), Err(vec![docs, other]));
    tree.missing.clear();
    while halting.next_round(&tree).expect("all is loaded").is_some() {
        halting.accept_local(&tree);
    }
    assert_eq!(halting.finish(&tree), whole, "continued");
    assert_eq!(walk(&tree, options), Ok(whole), "started afresh");
}

#[test]
fn loading_one_part_at_a_time_changes_nothing() {
    let mut random = Random(7);
    for _ in 0..200 {
        let mut tree = random_tree(&mut random);
        for preset in PRESETS {
            let options = rooted(preset, 5, &mut tree);
            let whole = walk(&tree, options.clone()).expect("all is loaded");
            tree.missing = (0..tree.uris.len() as u32).map(NodeId).collect();
            let piecemeal = loop {
                match walk(&tree, options.clone()) {
                    Ok(found) => break found,
                    Err(parts) => assert!(
                        tree.missing.remove(&parts[0]),
                        "asked for a part that is there"
                    ),
                }
            };
            assert_eq!(piecemeal, whole);
            tree.missing.clear();
        }
    }
}

#[test]
fn the_second_half_takes_foreign_scores() {
    let mut tree = Tree::recorded();
    let mut walk = Walk::new(rooted(Preset::Current, 3, &mut tree));
    let favourite = tree.node("viking://resources/docs/intro.md");
    while let Some(round) = walk.next_round(&tree).expect("all is loaded") {
        let score = |row: &knarr::find::walk::Row| {
            if row.node == favourite {
                0.99
            } else {
                f32::NAN
            }
        };
        let scores: Vec<f32> = round.rows.iter().map(score).collect();
        walk.accept(&tree, &scores);
    }
    let found = walk.finish(&tree);
    let written = tree.written(&found);
    assert_eq!(written[2], ("docs/intro.md".to_owned(), 0.99), "reranked");
    assert!(
        (written[0].1 - 0.9998).abs() < 1e-3,
        "no number from the reranker: the own score stands"
    );
}

#[test]
fn a_round_is_given_again_until_it_is_accepted() {
    let tree = Tree::recorded();
    let mut walk = Walk::new(published(Preset::Current, 3));
    let first = walk.next_round(&tree).expect("loaded").cloned();
    assert_eq!(walk.next_round(&tree).expect("loaded").cloned(), first);
    assert_eq!(first.expect("a round").rows.len(), 8);
}

#[test]
fn zero_parents_pass_nothing_on_and_negative_ones_do() {
    let score_under = |parent: f32| {
        let mut tree = Tree::default();
        tree.add_score("viking://resources/d", 0, parent);
        tree.add_score("viking://resources/d/f.md", 2, 0.8);
        let options = WalkOptions {
            hotness_alpha: 0.0,
            ..published(Preset::Classic, 5)
        };
        let found = walk(&tree, options).expect("loaded");
        tree.written(&found)
            .iter()
            .find(|(uri, _)| uri == "d/f.md")
            .expect("found")
            .1
    };
    assert_eq!(score_under(0.0), 0.8);
    assert_eq!(score_under(-0.0), 0.8);
    assert_eq!(score_under(0.4), 0.6);
    assert!((score_under(-0.4) - 0.2).abs() < 1e-6);
}

#[test]
fn propagation_weight_one_ignores_the_parent_and_own_rows_can_be_left_out() {
    let mut tree = Tree::default();
    tree.add_score("viking://resources/d", 0, 0.4);
    tree.add_score("viking://resources/d/f.md", 2, 0.8);
    let options = published(Preset::Current, 5);
    let written = tree.written(&walk(&tree, options.clone()).expect("loaded"));
    assert_eq!(
        written,
        [
            ("d/f.md".to_owned(), 0.8),
            ("d/.abstract.md".to_owned(), 0.4)
        ]
    );
    let written = tree.written(
        &walk(
            &tree,
            WalkOptions {
                own_rows: false,
                ..options
            },
        )
        .expect("loaded"),
    );
    assert_eq!(written, [("d/f.md".to_owned(), 0.8)]);
}

#[test]
fn hotness_moves_results_but_not_into_the_list() {
    let mut tree = Tree::default();
    for (name, score, hotness) in [("a", 1.0, 0.5), ("b", 0.95, 1.0), ("c", 0.9, 1.0)] {
        tree.add_score(&format!("viking://resources/{name}"), 2, score);
        tree.rows.last_mut().expect("just added").hotness = hotness;
    }
    let options = WalkOptions {
        hotness_alpha: 0.2,
        ..rooted(Preset::Current, 2, &mut tree)
    };
    let found = walk(&tree, options).expect("loaded");
    let written = tree.written(&found);
    // a: 0.8 · 1.0 + 0.2 · 0.5 = 0.9; b: 0.8 · 0.95 + 0.2 · 1.0 = 0.96; c is outside the two best.
    assert_eq!(
        written
            .iter()
            .map(|(uri, _)| uri.as_str())
            .collect::<Vec<_>>(),
        ["b", "a"]
    );
    assert!((written[0].1 - 0.96).abs() < 1e-6 && (written[1].1 - 0.9).abs() < 1e-6);
    assert_eq!(found.hits[1].semantic, 1.0);
    let found = walk(&tree, rooted(Preset::Quick, 2, &mut Tree::default())).expect("loaded");
    assert_eq!(found.hits[0].score, 1.0, "quick does not ask for hotness");
}

#[test]
fn the_walk_stops_when_nothing_moves() {
    // A chain of directories: each opens the next, and the best file lies at the top.
    let chain = |files_per_level: usize| {
        let mut tree = Tree::default();
        let mut uri = "viking://resources".to_owned();
        for level in 0..20 {
            for file in 0..files_per_level {
                tree.add_score(&format!("{uri}/f{file}.md"), 2, 0.9 - level as f32 / 100.0);
            }
            uri = format!("{uri}/d");
            tree.add_score(&uri, 0, 0.5);
        }
        tree
    };
    let serial = |tree: &mut Tree, limit, stagnation| {
        let roots = vec![tree.node("viking://resources")];
        let options = WalkOptions {
            roots,
            global_limit: 0,
            stagnation,
            trace: true,
            ..published(Preset::Classic, limit)
        };
        let found = walk(tree, options).expect("loaded");
        let stop = found.trace.iter().find_map(|event| match event {
            Event::SearchConverged { reason, .. } => Some(*reason),
            _ => None,
        });
        (found.counts.rounds, stop.expect("every walk ends"))
    };
    // Full after the first level: three more rounds with the same top.
    assert_eq!(serial(&mut chain(2), 2, false), (4, Stop::TopUnchanged));
    // The list never fills, but grows at every level.
    assert_eq!(serial(&mut chain(1), 100, true), (21, Stop::QueueEmpty));
    let mut bare = chain(0);
    bare.rows.iter_mut().for_each(|row| row.admitted = false);
    assert_eq!(serial(&mut bare, 2, true), (3, Stop::NoGrowth));
    assert_eq!(serial(&mut bare, 2, false), (21, Stop::QueueEmpty));
}

#[test]
fn a_directory_outside_the_filter_still_leads_to_its_files() {
    let mut tree = Tree::recorded();
    let gem = tree.node("viking://resources/other/hidden-gem.md");
    tree.rows
        .iter_mut()
        .for_each(|row| row.admitted = row.node == gem);
    for preset in PRESETS {
        let options = rooted(preset, 3, &mut tree);
        let found = walk(&tree, options).expect("loaded");
        assert_eq!(
            found.hits.iter().map(|hit| hit.node).collect::<Vec<_>>(),
            [gem],
            "{preset:?}"
        );
    }
}

#[test]
fn nothing_wanted_searches_nothing() {
    let tree = Tree::recorded();
    for preset in PRESETS {
        let found = walk(&tree, published(preset, 0)).expect("loaded");
        assert_eq!((found.hits.len(), found.counts.searches), (0, 0));
        let none = WalkOptions {
            levels: Some(Levels::of(&[7])),
            ..published(preset, 5)
        };
        assert_eq!(walk(&tree, none).expect("loaded").hits, []);
    }
}

#[test]
fn results_keep_every_promise_on_random_trees() {
    let mut random = Random(42);
    for _ in 0..500 {
        let mut tree = random_tree(&mut random);
        for preset in PRESETS {
            let threshold = random.score();
            let levels = [None, Some(Levels::FILES), Some(Levels::DIRECTORIES)][random.below(3)];
            let limit = 1 + random.below(8);
            let options = WalkOptions {
                threshold,
                levels,
                hotness_alpha: 0.0,
                ..rooted(preset, limit, &mut tree)
            };
            let found = walk(&tree, options.clone()).expect("loaded");
            assert!(found.hits.len() <= limit);
            for pair in found.hits.windows(2) {
                let by_uri = tree.uri(pair[0].node) < tree.uri(pair[1].node);
                assert!(
                    pair[0].score > pair[1].score || (pair[0].score == pair[1].score && by_uri),
                    "{preset:?}"
                );
            }
            for hit in &found.hits {
                assert!(hit.score > threshold);
                assert!(levels.is_none_or(|levels| levels.contains(hit.level)));
                assert!(
                    tree.rows
                        .iter()
                        .any(|row| (row.node, row.level) == (hit.node, hit.level))
                );
            }
            let nodes: std::collections::BTreeSet<NodeId> =
                found.hits.iter().map(|hit| hit.node).collect();
            assert_eq!(nodes.len(), found.hits.len(), "one row per node");
            assert!(found.trace.is_empty());
            let traced = walk(
                &tree,
                WalkOptions {
                    trace: true,
                    ..options
                },
            )
            .expect("loaded");
            assert_eq!(
                (traced.hits, traced.counts),
                (found.hits, found.counts),
                "a trace changes nothing"
            );
        }
    }
}

#[test]
fn quick_finds_as_many_nodes_as_there_are() {
    let mut tree = Tree::default();
    for i in 0..30 {
        let uri = format!("viking://resources/d{i}");
        (0..2).for_each(|level| tree.add_score(&uri, level, 0.9 - i as f32 / 100.0));
    }
    let found = walk(&tree, published(Preset::Quick, 20)).expect("loaded");
    assert_eq!(
        found.hits.len(),
        20,
        "two rows per directory do not crowd nodes out"
    );
}

#[test]
fn the_trace_tells_the_whole_story() {
    let mut tree = Tree::recorded();
    let options = WalkOptions {
        trace: true,
        threshold: 0.6,
        ..rooted(Preset::Classic, 20, &mut tree)
    };
    let found = walk(&tree, options).expect("loaded");
    let story: Vec<Event<String>> = found
        .trace
        .iter()
        .cloned()
        .map(|event| event.map(&mut |node| tree.uri(node).to_owned()))
        .collect();
    let opened: Vec<&str> = story
        .iter()
        .filter_map(|event| match event {
            Event::SearchDirectoryStart { directory, .. } => Some(directory.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        opened,
        [
            "viking://resources/docs/auth",
            "viking://resources/docs",
            "viking://resources"
        ]
    );
    let pruned = story.iter().any(|event| {
        matches!(event, Event::CandidateExcluded { row, reason: Exclusion::Threshold, .. }
        if row.node == "viking://resources/other" && row.level == 0)
    });
    assert!(pruned, "why the other branch was not entered");
    let last_two = &story[story.len() - 2..];
    assert_eq!(
        last_two[0],
        Event::SearchConverged {
            round: 3,
            reason: Stop::QueueEmpty
        }
    );
    assert_eq!(last_two[1], Event::SearchSummary(found.counts));
    assert_eq!(found.counts.directories_searched, 3);
    assert_eq!(found.counts.candidates_collected, 5);
    let json = serde_json::to_value(&story[0]).expect("plain data");
    assert_eq!(json["event_type"], "search_directory_result");
}
