//! The walk over a bundle: where it starts, which level of a directory it names, and its numbers as options.

use crate::support::{self, Script};
use knarr::bundle::{Head, PartKind, decompress, without_check};
use knarr::find::answer::result::FindResult;
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, Preset};
use knarr::find::walk::Event;
use knarr::vectors::VectorRows;
use knarr::{ErrorKind, Knarr};
use pollster::block_on;

const ROOT: &str = "viking://resources/docs";

fn host() -> Script {
    Script::of(support::corpus(Some(false)))
}

fn ask(host: &Script, question: &str, options: &FindOptions) -> FindResult {
    let bundle = block_on(Knarr::open(host)).unwrap();
    block_on(bundle.find(host, question, options)).unwrap()
}

fn thinking(preset: Preset) -> FindOptions {
    FindOptions {
        mode: Mode::Thinking,
        preset,
        trace: true,
        ..FindOptions::default()
    }
}

/// Directories that were queued before any was opened.
fn starts(found: &FindResult) -> Vec<&str> {
    let events = &found.trace.as_ref().unwrap().events;
    let queued = events.iter().filter_map(|event| match event {
        Event::DirectoryQueued {
            round: 0,
            directory,
            ..
        } => Some(&directory[..]),
        _ => None,
    });
    queued.collect()
}

#[test]
fn an_answer_without_results_says_what_was_searched() {
    let host = host();
    for (question, limit) in [("?!", 10), ("zqxwvk", 10), ("gateway", 0)] {
        let options = FindOptions {
            trace: true,
            include_provenance: true,
            limit,
            ..FindOptions::default()
        };
        let found = ask(&host, question, &options);
        assert_eq!(found.total, 0, "{question}");
        let trace = found.trace.expect("a trace");
        assert!(trace.candidates.is_empty() || limit > 0, "{question}");
        let [told] = &found.provenance.expect("it was asked for")[..] else {
            panic!("{question}: one query");
        };
        assert_eq!(told.query, question);
        assert!(!told.searched_directories.is_empty() && told.matched_contexts.is_empty());
        // Nobody asked.
        let found = ask(
            &host,
            question,
            &FindOptions {
                limit,
                ..FindOptions::default()
            },
        );
        assert!(found.trace.is_none() && found.provenance.is_none());
    }
}

#[test]
fn every_root_of_the_scope_starts_the_walk() {
    let host = host();
    let roots = [
        format!("{ROOT}/guide/field notes"),
        format!("{ROOT}/reference"),
        format!("{ROOT}/zh"),
    ];
    for preset in [Preset::Classic, Preset::ClassicLeaves, Preset::Current] {
        // The words are in one of the three, and no row of the index points to the others.
        let options = FindOptions {
            global_search_topk: Some(0),
            ..thinking(preset).target_uri(&roots)
        };
        let found = ask(&host, "gateway error H027", &options);
        let mut starts = starts(&found);
        starts.sort_unstable();
        assert_eq!(starts, roots, "{preset:?}");
        // One that lies in another is no root of its own.
        let nested = [&roots[1][..], &format!("{ROOT}/reference/errors")];
        let options = options.target_uri(nested);
        let found = ask(&host, "gateway error H027", &options);
        assert_eq!(self::starts(&found), [&roots[1]], "{preset:?}");
    }
    // Without a target, the root of all.
    let options = FindOptions {
        global_search_topk: Some(0),
        ..thinking(Preset::Classic)
    };
    assert_eq!(starts(&ask(&host, "gateway", &options)), ["viking://"]);
}

/// The vectors of a bundle's directories, which are one part.
fn directory_vectors(host: &Script, head: &Head) -> VectorRows {
    let part = head.parts[PartKind::Directories as usize][0];
    let pack = &head.packs[part.pack as usize];
    let (file, before) = match pack.name.as_str() {
        "" => ("index.knarr", head.embedded_offset(part.pack)),
        name => (name, 0),
    };
    let from = usize::try_from(before + part.offset).unwrap();
    let stored = without_check(&host.files[file][from..from + part.len as usize]);
    let raw = decompress(stored, 1 << 28).unwrap();
    let (n, dims) = (2 * head.directories.len(), head.parameters.dims as usize);
    VectorRows::unpack(&raw, n, dims, head.parameters.node_bits).unwrap()
}

/// A question that is the abstract of a directory, by its vector, finds it at level 0, and its overview at level 1.
#[test]
fn a_directory_comes_at_the_level_that_matched() {
    let host = host();
    let head = Head::decode(&host.files["index.knarr"]).unwrap();
    let rows = directory_vectors(&host, &head);
    let mut told = [0, 0];
    for mode in [Mode::Quick, Mode::Thinking] {
        for preset in [Preset::Classic, Preset::ClassicLeaves, Preset::Current] {
            for (d, directory) in head.directories.iter().enumerate() {
                let [l0, l1] = [0, 1].map(|level| rows.row_f32(2 * d + level));
                let is_zero = |row: &Vec<f32>| row.iter().all(|&x| x == 0.0);
                if directory.name.is_empty() || l0 == l1 || is_zero(&l0) || is_zero(&l1) {
                    continue;
                }
                for (level, vector) in [(0, l0), (1, l1)] {
                    let options = FindOptions {
                        vector: Some(vector),
                        alpha: Some(1.0),
                        level: Value::from(&[0, 1][..]),
                        mode,
                        preset,
                        limit: 50,
                        ..FindOptions::default()
                    };
                    let found = ask(&host, "gateway", &options);
                    let path = ["viking://", &head.directory_path(d).join("/")].concat();
                    let own = found.resources.iter().find(|row| {
                        row.uri
                            .strip_prefix(&path)
                            .is_some_and(|rest| ["/.abstract.md", "/.overview.md"].contains(&rest))
                    });
                    let Some(own) = own else { continue };
                    assert_eq!(own.level, level, "{mode:?} {preset:?} {path}");
                    told[level as usize] += 1;
                }
            }
        }
    }
    assert!(told.iter().all(|&n| n > 12), "{told:?}");
}

#[test]
fn by_words_alone_a_directory_comes_as_its_overview_unless_only_the_abstract_is_wanted() {
    let host = host();
    let levels = |level: &[u8]| {
        let options = FindOptions {
            alpha: Some(0.0),
            level: Value::from(level),
            ..FindOptions::default()
        };
        let found = ask(&host, "errors of the gateway", &options);
        assert!(found.total > 0);
        found
            .resources
            .into_iter()
            .map(|row| row.level)
            .collect::<Vec<_>>()
    };
    assert!(levels(&[0, 1]).iter().all(|&level| level == 1));
    assert!(levels(&[0]).iter().all(|&level| level == 0));
}

#[test]
fn its_numbers_are_options_with_the_published_defaults() {
    let host = host();
    let question = "install a sensor";
    let base = || FindOptions {
        level: Value::from(&[0, 1, 2][..]),
        excerpts: false, // Texts would change the order of the flat answer below.
        ..thinking(Preset::Classic)
    };
    let plain = ask(&host, question, &base());
    let published = base()
        .score_propagation_alpha(0.5)
        .max_convergence_rounds(3)
        .global_search_topk(3);
    assert_eq!(ask(&host, question, &published), plain);
    let rounds = |found: &FindResult| found.trace.as_ref().unwrap().statistics.rounds;
    let short = ask(&host, question, &base().limit(1).max_convergence_rounds(1));
    let long = ask(&host, question, &base().limit(1).max_convergence_rounds(9));
    assert!(rounds(&short) < rounds(&long));
    let wide = ask(&host, question, &base().global_search_topk(50));
    assert!(starts(&wide).len() > starts(&plain).len());
    // With the whole weight on the row, a directory passes nothing on: scores are those of the ranking.
    let flat = ask(
        &host,
        question,
        &FindOptions {
            mode: Mode::Quick,
            ..base()
        },
    );
    let own = ask(&host, question, &base().score_propagation_alpha(1.0));
    assert!(own.resources.len() > 3);
    for row in &own.resources {
        let score = flat.resources.iter().find(|other| other.uri == row.uri);
        assert!(
            score.is_some_and(|other| (other.score - row.score).abs() < 1e-6),
            "{row:?}"
        );
    }
    for bad in [
        base().score_propagation_alpha(1.1),
        base().score_propagation_alpha(f32::NAN),
        base().max_convergence_rounds(0),
    ] {
        let bundle = block_on(Knarr::open(&host)).unwrap();
        let error = block_on(bundle.find(&host, question, &bad)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn an_explanation_leads_to_the_score_of_a_walk() {
    let host = host();
    let mut n_passed = 0;
    let modes = [
        (Mode::Auto, Preset::ClassicLeaves),
        (Mode::Thinking, Preset::Classic),
        (Mode::Thinking, Preset::ClassicLeaves),
        (Mode::Thinking, Preset::Current),
        (Mode::Quick, Preset::ClassicLeaves),
    ];
    for (mode, preset) in modes {
        let options = FindOptions {
            mode,
            preset,
            explain: true,
            level: Value::from(&[0, 1, 2][..]),
            limit: 50,
            ..FindOptions::default()
        };
        let found = ask(&host, "gateway error H027", &options);
        assert!(found.total > 3);
        for row in &found.resources {
            let told = row.explain.as_ref().unwrap();
            let passed = told.propagation.as_ref();
            n_passed += usize::from(passed.is_some());
            let score = passed.map_or(told.score, |passed| {
                assert_eq!(passed.own, told.score, "{}", row.uri);
                passed.own_weight * passed.own + (1.0 - passed.own_weight) * passed.directory_score
            });
            let score = score + (told.near - score) * told.near_weight;
            let place = format!("{mode:?} {preset:?} {}", row.uri);
            assert!((row.score - score).abs() < 1e-6, "{place}: {score}");
            assert!(
                mode != Mode::Quick && preset != Preset::Current || passed.is_none(),
                "{place}"
            );
        }
        assert!(found.trace.is_none());
    }
    assert!(n_passed > 10, "{n_passed}");
}
