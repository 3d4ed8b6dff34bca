//! No filter, target, tag, time or peer ever lets a row out of its scope, and inside it nothing is lost.

use crate::support::{Random, Script, opened};
use knarr::find::answer::result::{FindResult, MatchedContext};
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use knarr::{Error, Knarr};
use pollster::block_on;
use serde_json::json;

const DAY: i64 = 86_400;

/// What a test knows of a document by itself.
#[derive(Clone)]
struct Known {
    path: String,
    tags: Vec<String>,
    updated_at: Option<i64>,
}

impl Known {
    fn uri(&self) -> String {
        let mounted = [
            ("me/", "viking://user/alice/"),
            ("skills/", "viking://agent/skills/"),
        ];
        for (prefix, uri) in mounted {
            if let Some(rest) = self.path.strip_prefix(prefix) {
                return format!("{uri}{rest}");
            }
        }
        format!("viking://resources/docs/{}", self.path)
    }
}

/// A hundred and twenty documents whose titles all hold the word asked for.
fn documents() -> Vec<Known> {
    let folders = [
        "a",
        "a/b",
        "a/bc",
        "me/memories",
        "me/peers/p/memories",
        "me/peers/q/memories",
        "skills",
        "",
    ];
    let languages = ["lang=de", "lang=en", "Lang = FR"];
    (0..120usize)
        .map(|i| {
            let folder = folders[i % folders.len()];
            let slash = if folder.is_empty() { "" } else { "/" };
            let mut tags = vec![languages[i % 3].to_owned()];
            if i % 4 == 0 {
                tags.push("Draft".into());
            }
            Known {
                path: format!("{folder}{slash}page{i}.md"),
                tags,
                updated_at: (i % 5 != 0).then_some(20_000 * DAY + i as i64 * DAY),
            }
        })
        .collect()
}

fn bundle(single_file: bool) -> (Script, Knarr) {
    let mut builder = Builder::new(BuildOptions {
        single_file: Some(single_file),
        mounts: vec![
            ("me".into(), "viking://user/alice".into()),
            ("skills".into(), "viking://agent/skills".into()),
        ],
        ..BuildOptions::default()
    })
    .unwrap();
    for known in documents() {
        builder
            .add(Document {
                title: format!("Beacon {}", known.path.replace(['/', '.'], " ")),
                tags: known.tags,
                updated_at: known.updated_at,
                path: known.path,
                weight: 1.0,
                sections: vec![DocumentSection {
                    text: "A light that ships steer by.".into(),
                    weight: 1.0,
                    ..DocumentSection::default()
                }],
                ..Document::default()
            })
            .unwrap();
    }
    opened(builder)
}

fn all(result: FindResult) -> Vec<MatchedContext> {
    [result.memories, result.resources, result.skills].concat()
}

fn ask(bundle: &(Script, Knarr), options: &FindOptions) -> Result<Vec<String>, Error> {
    let mut options = options.clone();
    options.limit = 500;
    options.excerpts = false;
    options.alpha = Some(0.0);
    let found = block_on(bundle.1.find(&bundle.0, "beacon", &options))?;
    let mut uris: Vec<String> = all(found).into_iter().map(|hit| hit.uri).collect();
    uris.sort();
    Ok(uris)
}

fn expected(keep: impl Fn(&Known) -> bool) -> Vec<String> {
    let kept = documents().into_iter().filter(keep);
    let mut uris: Vec<String> = kept.map(|known| known.uri()).collect();
    uris.sort();
    uris
}

fn filter(json: serde_json::Value) -> FindOptions {
    FindOptions {
        filter: serde_json::from_value(json).expect("every JSON is a value"),
        ..FindOptions::default()
    }
}

fn has(known: &Known, tag: &str) -> bool {
    let bare = |tag: &str| tag.to_lowercase().replace(' ', "");
    known.tags.iter().any(|own| bare(own) == tag)
}

#[test]
fn each_way_to_narrow_gives_exactly_what_it_says() {
    for single in [true, false] {
        let bundle = bundle(single);
        let ask = |options: FindOptions| ask(&bundle, &options).unwrap();
        assert_eq!(ask(FindOptions::default()), expected(|_| true));
        let tags = FindOptions {
            tags: vec!["LANG=fr".into(), "draft".into()],
            ..FindOptions::default()
        };
        assert_eq!(
            ask(tags),
            expected(|k| has(k, "lang=fr") && has(k, "draft"))
        );
        let skills = FindOptions {
            context_type: OneOrMany::One("skill".into()),
            ..FindOptions::default()
        };
        assert_eq!(ask(skills), expected(|k| k.path.starts_with("skills/")));
        let since = FindOptions {
            since: Some("40d".into()),
            now: Some((20_000 + 120) * DAY * 1000),
            ..FindOptions::default()
        };
        assert_eq!(ask(since), expected(|k| k.updated_at >= Some(20_080 * DAY)));
        let until = FindOptions {
            until: Some("2024-10-06".into()), // Day 20,002.
            ..FindOptions::default()
        };
        let before = |k: &Known| k.updated_at.is_some_and(|t| t < 20_003 * DAY);
        assert_eq!(ask(until), expected(before));
        let path = json!({"op": "must", "field": "uri", "conds": ["viking://resources/docs/a/b/"]});
        assert_eq!(ask(filter(path)), expected(|k| k.path.starts_with("a/b/")));
        let prefix =
            json!({"op": "prefix", "field": "uri", "prefix": "viking://resources/docs/a/b"});
        assert_eq!(ask(filter(prefix)), expected(|k| k.path.starts_with("a/b")));
        let name = json!({"op": "regex", "field": "name", "pattern": "^page1?7"});
        let named = |k: &Known| {
            ["page7.", "page17.", "page7", "page17"]
                .iter()
                .any(|p| k.path.rsplit('/').next().unwrap().starts_with(p))
        };
        assert_eq!(ask(filter(name)), expected(named));
        let owner = json!({"op": "must", "field": "owner_user_id", "conds": ["alice"]});
        assert_eq!(ask(filter(owner)), expected(|k| k.path.starts_with("me/")));
    }
}

#[test]
fn a_peer_sees_its_own_and_no_other() {
    let bundle = bundle(true);
    let options = FindOptions {
        user: Some("alice".into()),
        actor_peer: Some("p".into()),
        ..FindOptions::default()
    };
    let visible = |k: &Known| !k.path.starts_with("me/peers/q/");
    assert_eq!(ask(&bundle, &options).unwrap(), expected(visible));
    let other = FindOptions {
        target_uri: OneOrMany::One("viking://~/peers/q/memories".into()),
        ..options
    };
    assert_eq!(
        ask(&bundle, &other).unwrap_err().code(),
        "PERMISSION_DENIED"
    );
}

#[test]
fn what_is_malformed_is_refused_and_never_widens() {
    let bundle = bundle(true);
    let code = |options: FindOptions| ask(&bundle, &options).unwrap_err().code();
    for malformed in [
        json!({"op": "MUST", "field": "tags", "conds": ["x"]}),
        json!({"op": "and", "conds": []}),
        json!({"op": "and", "conds": [{"op": "must", "field": "tags", "conds": ["lang=de"]}, {"op": "no"}]}),
        json!({"op": "must", "field": "abstract", "conds": ["x"]}),
        json!({"op": "regex", "field": "name", "pattern": "("}),
        json!([1]),
    ] {
        assert_eq!(code(filter(malformed)), "INVALID_FILTER");
    }
    let with = |change: &dyn Fn(&mut FindOptions)| {
        let mut options = FindOptions::default();
        change(&mut options);
        code(options)
    };
    assert_eq!(with(&|o| o.tags = vec!["a=".into()]), "INVALID_ARGUMENT");
    assert_eq!(
        with(&|o| o.context_type = OneOrMany::One("pages".into())),
        "INVALID_ARGUMENT"
    );
    assert_eq!(
        with(&|o| o.since = Some("yesterday".into())),
        "INVALID_ARGUMENT"
    );
    assert_eq!(with(&|o| o.since = Some("2h".into())), "INVALID_ARGUMENT");
    assert_eq!(
        with(&|o| o.target_uri = OneOrMany::One("resources/docs".into())),
        "INVALID_URI"
    );
    assert_eq!(
        with(&|o| o.target_uri = OneOrMany::One("viking://resources/none".into())),
        "NOT_FOUND"
    );
    assert_eq!(with(&|o| o.level = Value::Int(3)), "INVALID_ARGUMENT");
}

/// A random filter as JSON beside the same thing as plain code.
type Twin = (serde_json::Value, Box<dyn Fn(&Known) -> bool>);

fn random_filter(random: &mut Random, depth: usize) -> Twin {
    let kind = random.below(if depth == 0 { 5 } else { 8 });
    match kind {
        0 => {
            let tag = ["lang=de", "lang=fr", "draft"][random.below(3)];
            let json = json!({"op": "must", "field": "tags", "conds": [tag]});
            (json, Box::new(move |k| has(k, tag)))
        }
        1 => {
            let tag = ["lang=en", "draft"][random.below(2)];
            let json = json!({"op": "must_not", "field": "search_tags", "conds": [tag]});
            (json, Box::new(move |k| !has(k, tag)))
        }
        2 => {
            let folder = [
                "viking://resources/docs/a",
                "viking://user/alice",
                "viking://agent",
            ][random.below(3)];
            let json = json!({"op": "must", "field": "uri", "conds": [folder]});
            (
                json,
                Box::new(move |k| k.uri().starts_with(&format!("{folder}/"))),
            )
        }
        3 => {
            let day = 20_000 + random.below(120) as i64;
            let json = json!({"op": "range", "field": "updated_at", "gte": day * DAY * 1000});
            (
                json,
                Box::new(move |k| k.updated_at.is_some_and(|t| t >= day * DAY)),
            )
        }
        4 => {
            let digit = char::from(b'0' + random.below(10) as u8).to_string();
            let json = json!({"op": "contains", "field": "name", "substring": digit});
            (
                json,
                Box::new(move |k| k.path.rsplit('/').next().unwrap().contains(&digit)),
            )
        }
        _ => {
            let any = kind == 7;
            let twins = [
                random_filter(random, depth - 1),
                random_filter(random, depth - 1),
            ];
            let [(left, keep_left), (right, keep_right)] = twins;
            let json = json!({"op": if any { "or" } else { "and" }, "conds": [left, right]});
            let keep: Box<dyn Fn(&Known) -> bool> = if any {
                Box::new(move |k| keep_left(k) || keep_right(k))
            } else {
                Box::new(move |k| keep_left(k) && keep_right(k))
            };
            (json, keep)
        }
    }
}

#[test]
fn random_filters_agree_with_plain_code_in_every_mode() {
    let bundle = bundle(false);
    let mut random = Random(0xf117e5);
    for _ in 0..150 {
        let (json, keep) = random_filter(&mut random, 3);
        let mut options = filter(json.clone());
        let expected = expected(&keep);
        assert_eq!(ask(&bundle, &options).unwrap(), expected, "{json}");
        options.mode = Mode::Thinking;
        for preset in [Preset::ClassicLeaves, Preset::Classic, Preset::Current] {
            options.preset = preset;
            let found = ask(&bundle, &options).unwrap();
            assert!(
                found.iter().all(|uri| expected.contains(uri)),
                "{json} {preset:?}"
            );
            if preset == Preset::ClassicLeaves {
                assert_eq!(found, expected, "a leaf is lost: {json}");
            }
        }
    }
}
