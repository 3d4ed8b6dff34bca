//! Onyx's choices in `find`: what is asked for happens, and only that.

use crate::support::Script;
use knarr::Knarr;
use knarr::base::error::ErrorKind;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::options::{FindOptions, Mode, Preset, Summary};
use knarr::find::onyx::expansion::{PAGE_EXPANSION_WEIGHT, PAGE_ORIGINAL_WEIGHT};
use knarr::indexer::{BuildOptions, Builder, Document, DocumentSection};
use knarr::text::budget::estimate;
use pollster::block_on;
use serde_json::{Value, json};

mod told;

/// 2026-01-01T00:00:00Z.
const NOW: i64 = 1_767_225_600;
const YEAR: i64 = 31_536_000;

/// Path, title, text, tags, age in years.
type Page<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], Option<i64>);

const PAGES: [Page; 6] = [
    (
        "guide/refund.md",
        "Refunds",
        "A refund is paid within ten days. Ask for the refund in the shop.",
        &["kind=guide", "source=web", "set=public"],
        Some(0),
    ),
    (
        "guide/old.md",
        "Refunds before",
        "A refund is paid within ten days. Ask for the refund in the shop.",
        &["kind=archive", "source=web", "acl=group:staff"],
        Some(3),
    ),
    (
        "notes/short.md",
        "Note",
        "Refund: no.",
        &["source=slack"],
        None,
    ),
    (
        "notes/phrase.md",
        "Ten",
        "Within the next ten working days the shop is closed for days.",
        &["source=slack", "set=team"],
        Some(1),
    ),
    (
        "notes/hidden.md",
        "Draft",
        "The refund draft is hidden.",
        &["hidden"],
        Some(1),
    ),
    (
        "music/cat.md",
        "Cats",
        "Cats sleep through long winter evenings near the stove.",
        &[],
        None,
    ),
];

fn shop() -> (Script, Knarr) {
    let mut builder = Builder::new(BuildOptions::default()).unwrap();
    for (path, title, text, tags, age) in PAGES {
        let section = |heading: &str, text: &str| DocumentSection {
            heading: heading.into(),
            anchor: heading.to_lowercase(),
            level: u8::from(!heading.is_empty()) * 2,
            text: text.into(),
            weight: 1.0,
            ..Default::default()
        };
        builder
            .add(Document {
                path: path.into(),
                title: title.into(),
                weight: 1.0,
                tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
                updated_at: age.map(|years| NOW - years * YEAR),
                sections: if path.contains("short") {
                    vec![section("", text)]
                } else {
                    vec![
                        section("", "Opening words."),
                        section("Body", text),
                        section("After", "Closing words."),
                    ]
                },
                ..Document::default()
            })
            .unwrap();
    }
    let host = Script::of(builder.finish(&mut |_, _, _| {}).unwrap());
    let knarr = block_on(Knarr::open(&host)).unwrap();
    (host, knarr)
}

fn options(hybrid: Value) -> FindOptions {
    FindOptions {
        hybrid: serde_json::from_value(hybrid).unwrap(),
        now: Some(NOW * 1000),
        explain: true,
        prefix: false,
        // A walk passes on what directories have; these tests are about what comes before it.
        mode: Mode::Quick,
        ..FindOptions::default()
    }
}

fn ask(bundle: &(Script, Knarr), query: &str, hybrid: Value) -> FindResult {
    block_on(bundle.1.find(&bundle.0, query, &options(hybrid))).unwrap()
}

fn names(result: &FindResult) -> Vec<&str> {
    let uris = result.resources.iter().map(|r| r.uri.rsplit('/').next());
    uris.map(|name| name.unwrap_or_default()).collect()
}

#[test]
fn nothing_asked_changes_nothing() {
    let shop = shop();
    let plain = ask(&shop, "refund days", Value::Null);
    for same in [
        json!({}),
        json!({"recency": false, "votes": [], "context": false}),
        json!({"expansions": {}}),
    ] {
        assert_eq!(ask(&shop, "refund days", same), plain);
    }
    assert!(plain.resources.iter().all(|r| r.passages.is_empty()));
    let sentence = "how many days until a refund comes";
    let plain = ask(&shop, sentence, Value::Null);
    assert_eq!(ask(&shop, sentence, json!({})), plain);
}

#[test]
fn the_two_field_formula_tells_every_value() {
    let shop = shop();
    let found = ask(
        &shop,
        "refund",
        json!({"scoring": "two_field", "title_ratio": 0.2}),
    );
    assert_eq!(found.alpha, 0.5, "the semantic profile's");
    for hit in &found.resources {
        let explain = hit.explain.as_ref().unwrap();
        let row = explain.two_field.unwrap();
        let (a, t) = (f64::from(explain.alpha), 0.2);
        let mix = a * (t * row.title_vector + (1.0 - t) * row.content_vector)
            + (1.0 - a) * (t * row.title_bm25 + (1.0 - t) * row.content_bm25);
        assert!((row.mix - mix).abs() < 1e-9);
        assert!((f64::from(hit.score) - row.score).abs() < 1e-6);
    }
    let keyword = ask(
        &shop,
        "refund",
        json!({"scoring": "two_field", "profile": "keyword"}),
    );
    assert_eq!(keyword.alpha, 0.2);
    assert!(names(&keyword)[..2].contains(&"refund.md"));
}

#[test]
fn titles_have_vectors_and_shares_of_their_own_where_asked() {
    let shop = shop();
    let rows = |more: Value| -> Vec<(String, knarr::find::onyx::two_field::TwoFieldRow)> {
        let mut hybrid = json!({"scoring": "two_field", "title_ratio": 0.4});
        for (name, value) in more.as_object().unwrap() {
            hybrid[name] = value.clone();
        }
        let found = ask(&shop, "refund before winter", hybrid);
        let row = |hit: &knarr::find::answer::result::MatchedContext| {
            let explain = hit.explain.as_ref().unwrap();
            (hit.uri.clone(), explain.two_field.unwrap())
        };
        found.resources.iter().map(row).collect()
    };
    let plain = rows(json!({}));
    assert!(
        plain
            .iter()
            .all(|(_, row)| row.title_vector == row.content_vector)
    );
    let with = rows(json!({"title_vectors": true}));
    assert!(
        with.iter()
            .any(|(_, row)| row.title_vector != row.content_vector)
    );
    // "Refunds before" says most of the question in its title alone.
    let of = |rows: &[(String, knarr::find::onyx::two_field::TwoFieldRow)]| {
        let row = rows.iter().find(|(uri, _)| uri.ends_with("old.md"));
        row.unwrap().1
    };
    assert_eq!(of(&with).title_vector, 1.0);
    // mix = t · titles + (1 − t) · contents: the share that a document had can be told from its row.
    let share = |row: knarr::find::onyx::two_field::TwoFieldRow| {
        let titles = 0.5 * (row.title_vector + row.title_bm25);
        let contents = 0.5 * (row.content_vector + row.content_bm25);
        (row.mix - contents) / (titles - contents)
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    close(share(of(&with)), 0.4);
    // Web is .3, by the document's tag.
    let auto = rows(json!({"title_vectors": true, "title_ratio": "auto"}));
    close(share(of(&auto)), 0.3);
    // A title of less than 10 characters × .7, a content of less than 100 × 1.3.
    let confluence = rows(json!({"title_vectors": true, "title_ratio": "confluence"}));
    close(share(of(&confluence)), 0.4);
    let short = confluence.iter().find(|(uri, _)| uri.ends_with("short.md"));
    close(share(short.unwrap().1), 0.4 * 0.7 * 1.3);
}

#[test]
fn a_question_says_when_and_where() {
    let shop = shop();
    let guess = json!({"guess": true});
    let plain = ask(&shop, "refund days in slack", json!({}));
    assert!(plain.guessed.is_none() && names(&plain).contains(&"refund.md"));
    let found = ask(&shop, "refund days in slack", guess.clone());
    let told = found.guessed.as_ref().unwrap();
    assert_eq!(
        (&told.sources[..], &told.words[..]),
        (&["slack".to_owned()][..], &["in slack".to_owned()][..])
    );
    let mut slack = names(&found);
    slack.sort_unstable();
    assert_eq!(slack, ["phrase.md", "short.md"]);
    // The words that were read as a filter are asked no more.
    let words = &found.resources[0].explain.as_ref().unwrap().words;
    assert!(words.iter().all(|word| word.word != "slack"), "{words:?}");

    // Three years old is out; undated ones pass by a bound as far back as this.
    let recent = ask(&shop, "refund updated in the last two years", guess.clone());
    let told = recent.guessed.as_ref().unwrap();
    assert_eq!(told.words, ["updated in the last two years"]);
    assert_eq!(told.updated, Some((Some(NOW - 2 * YEAR), None)));
    assert!(!names(&recent).contains(&"old.md") && names(&recent).contains(&"short.md"));
    assert!(
        names(&recent).contains(&"hidden.md"),
        "without an access filter"
    );
    // A period without documents, one that the caller set, and a question that is nothing else.
    assert!(
        ask(&shop, "refund in 1999", guess.clone())
            .guessed
            .is_none()
    );
    let own = json!({"guess": ["time"], "access": {"updated": [0, null]}});
    assert!(ask(&shop, "refund last week", own).guessed.is_none());
    assert!(
        ask(&shop, "refund in slack", json!({"guess": ["time"]}))
            .guessed
            .is_none()
    );
    let all = ask(&shop, "in slack", guess);
    assert!(all.guessed.is_some());
    for wrong in [json!({"guess": "time"}), json!({"guess": ["tags"]})] {
        let wrong = block_on(shop.1.find(&shop.0, "refund", &options(wrong))).unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::InvalidArgument);
    }
}

#[test]
fn alpha_follows_the_query() {
    let shop = shop();
    // (query, options, alpha): conceptual .7, factual .3, two words × .6; a given alpha wins.
    let cases = [
        ("why is a refund paid", json!({"alpha": "auto"}), 0.7),
        ("when is a refund paid", json!({"alpha": "auto"}), 0.3),
        ("refund days", json!({"alpha": "auto"}), 0.3),
        (
            "refund in the shop",
            json!({"alpha": "auto", "query_type": "navigational"}),
            0.2,
        ),
        (
            "refund in the shop",
            json!({"alpha": "auto", "feedback": {"vector_only": 2}}),
            0.6,
        ),
    ];
    for (query, hybrid, alpha) in cases {
        let found = ask(&shop, query, hybrid);
        assert!(
            (found.alpha - alpha).abs() < 1e-6,
            "{query}: {}",
            found.alpha
        );
    }
    let given = FindOptions {
        alpha: Some(0.0),
        ..options(json!({"alpha": "auto"}))
    };
    let found = block_on(shop.1.find(&shop.0, "why refund", &given)).unwrap();
    assert_eq!(found.alpha, 0.0);
    assert!(
        found.skipped.is_empty(),
        "alpha 0 is a choice, not a failure"
    );
}

#[test]
fn age_and_votes_nudge_and_tell_so() {
    let shop = shop();
    let plain = ask(&shop, "refund shop", Value::Null);
    let score = |found: &FindResult, name: &str| {
        let at = names(found).iter().position(|n| *n == name).unwrap();
        found.resources[at].score
    };
    let aged = ask(&shop, "refund shop", json!({"recency": true}));
    let factors = |found: &FindResult, name: &str| {
        let at = names(found).iter().position(|n| *n == name).unwrap();
        found.resources[at]
            .explain
            .as_ref()
            .unwrap()
            .factors
            .unwrap()
    };
    assert_eq!(factors(&aged, "refund.md").recency_bias, 1.0);
    assert_eq!(factors(&aged, "old.md").recency_bias, 0.75, "the floor");
    assert!((score(&aged, "old.md") / score(&plain, "old.md") - 0.75).abs() < 1e-5);
    // Undated: a quarter of a year at .5 a year.
    assert!(
        (factors(&aged, "short.md").recency_bias - 1.0 / (1.0 + 0.5 * 7_890_000.0 / YEAR as f32))
            .abs()
            < 1e-5
    );
    let voted = ask(
        &shop,
        "refund shop",
        json!({"votes": [{"tag": "kind=archive", "votes": 6}]}),
    );
    assert_eq!(names(&voted)[0], "old.md");
    assert!(voted.resources.iter().all(|r| r.score <= 1.0));
    let by_uri = ask(
        &shop,
        "refund shop",
        json!({"votes": [{"uri": "viking://resources/docs/guide", "votes": -30}]}),
    );
    assert!((factors(&by_uri, "refund.md").document_boost - 0.5).abs() < 1e-4);
    assert_eq!(factors(&by_uri, "short.md").document_boost, 1.0);
    let small = ask(&shop, "refund", json!({"small_chunks": true}));
    assert!(factors(&small, "short.md").chunk_boost < 1.0);
}

#[test]
fn several_queries_are_joined_by_rank_and_duplicates_add() {
    let shop = shop();
    let found = ask(
        &shop,
        "refund",
        json!({"expansions": {"semantic": ["cats in winter"], "keywords": ["stove"]}}),
    );
    assert!(names(&found).contains(&"cat.md"));
    let top = &found.resources[0];
    let queries = &top.explain.as_ref().unwrap().queries;
    let sum: f64 = queries
        .iter()
        .map(|q| f64::from(q.weight) / (50.0 + f64::from(q.rank)))
        .sum();
    let most: f64 = [PAGE_ORIGINAL_WEIGHT, PAGE_EXPANSION_WEIGHT, 1.0]
        .iter()
        .map(|w| w / 51.0)
        .sum();
    assert!((f64::from(top.score) - sum / most).abs() < 1e-6);
    let twice = ask(
        &shop,
        "refund",
        json!({"expansions": {"semantic": ["REFUND"]}}),
    );
    assert_eq!(names(&twice), names(&ask(&shop, "refund", Value::Null)));
    let best = ask(
        &shop,
        "refund",
        json!({"expansions": {"semantic": ["cats in winter"], "merge": "best"}}),
    );
    let tops = ["refund", "cats in winter"].map(|query| {
        let options = FindOptions {
            excerpts: false, // A text's order of words is no list that is joined.
            ..options(Value::Null)
        };
        block_on(shop.1.find(&shop.0, query, &options)).unwrap()
    });
    let tops = tops.map(|found| found.resources[0].score);
    assert_eq!(best.resources[0].score, tops[0].max(tops[1]));
    let conversation =
        json!({"expansions": {"style": "conversation", "rephrase": "cats in winter"}});
    assert_eq!(
        names(&ask(&shop, "and what of them", conversation))[0],
        "cat.md"
    );
}

#[test]
fn phrases_lift_what_stands_together() {
    let shop = shop();
    let keywords = FindOptions {
        alpha: Some(0.0),
        ..options(json!({"keyword": "parts"}))
    };
    let find = |query: &str| block_on(shop.1.find(&shop.0, query, &keywords)).unwrap();
    // All three pages have both words; the guides have them together.
    let found = find("ten days");
    let [first, second, third] = names(&found)[..] else {
        panic!("three pages: {:?}", names(&found));
    };
    let mut guides = [first, second];
    guides.sort_unstable();
    assert_eq!((guides, third), (["old.md", "refund.md"], "phrase.md"));
    // Function words alone are still a question.
    assert!(find("within the").total > 0);
}

#[test]
fn passages_take_their_neighbours_along() {
    let shop = shop();
    let found = ask(&shop, "stove", json!({"context": true}));
    let passages = &found.resources[0].passages;
    assert_eq!(passages.len(), 1);
    assert_eq!(passages[0].sections, [0, 2]);
    assert!(
        passages[0]
            .text
            .starts_with("Opening words.\nBody\nCats sleep")
    );
    let alone = ask(&shop, "stove", json!({"context": {"above": 0, "below": 0}}));
    assert_eq!(
        alone.resources[0].passages[0].text.lines().next(),
        Some("Body")
    );
}

/// The texts of all passages of an answer, and the reason why some are not there.
fn budgeted(shop: &(Script, Knarr), budget: usize) -> (Vec<String>, Option<String>) {
    let found = ask(
        shop,
        "refund paid within days",
        json!({"context": {"token_budget": budget}}),
    );
    let passages = found.resources.iter().flat_map(|row| &row.passages);
    let texts = passages.map(|passage| passage.text.clone()).collect();
    let mut said = found.skipped.into_iter().filter(|s| s.step == "passages");
    (texts, said.next().map(|s| s.reason))
}

#[test]
fn a_budget_cuts_the_best_passage_before_it_gives_none_and_names_the_others() {
    let shop = shop();
    let (all, said) = budgeted(&shop, 10_000);
    assert!(all.len() >= 4, "{all:?}");
    assert_eq!(said, None);
    let mut before = 0;
    for budget in (0..120).chain((120..900).step_by(20)) {
        let (texts, said) = budgeted(&shop, budget);
        let cost: usize = texts.iter().map(|text| 75 + estimate(text)).sum();
        assert!(cost <= budget, "{budget}: {texts:?}");
        // The metadata of a passage counts 75.
        assert_eq!(texts.is_empty(), budget <= 75, "{budget}");
        assert!(texts.len() >= before, "{budget}: more room, fewer passages");
        assert_eq!(said.is_none(), texts == all, "{budget}: {said:?}");
        before = texts.len();
    }
    let (texts, said) = budgeted(&shop, 75 + 8);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].contains("refund"), "{texts:?}");
    let said = said.expect("most did not fit");
    assert!(said.starts_with("token_budget 83 cuts the first passage and leaves out viking://"));
    assert!(said.contains("guide/old.md#body"), "{said}");
    let (_, said) = budgeted(&shop, 0);
    let said = said.expect("none did fit");
    assert!(said.starts_with("token_budget 0 leaves out viking://"));
    assert!(said.contains("guide/refund.md#body"), "{said}");
}

#[test]
fn relations_are_in_the_view_too() {
    let shop = shop();
    let related = |access: Value| -> Vec<String> {
        let options = FindOptions {
            relations: true,
            ..options(json!({"access": access}))
        };
        let found = block_on(shop.1.find(&shop.0, "refunds", &options)).unwrap();
        let all = found.resources.into_iter().flat_map(|hit| hit.relations);
        all.map(|related| related.title).collect()
    };
    let old = "Refunds before".to_owned();
    assert!(related(json!({"access": ["group:staff"]})).contains(&old));
    let public = related(json!({"access": []}));
    assert!(!public.is_empty() && !public.contains(&old), "{public:?}");
}

#[test]
fn an_access_filter_is_a_view_that_fails_closed() {
    let shop = shop();
    let of = |access: Value| {
        let found = ask(&shop, "refund shop", json!({"access": access}));
        let mut names: Vec<String> = names(&found).iter().map(|n| (*n).to_owned()).collect();
        names.sort();
        names
    };
    assert!(!of(json!({})).contains(&"hidden.md".to_owned()));
    assert!(of(json!({"include_hidden": true})).contains(&"hidden.md".to_owned()));
    assert!(
        of(json!({})).contains(&"old.md".to_owned()),
        "no asker: no restriction"
    );
    assert!(
        !of(json!({"access": []})).contains(&"old.md".to_owned()),
        "public only"
    );
    assert!(of(json!({"access": ["group:staff"]})).contains(&"old.md".to_owned()));
    assert_eq!(of(json!({"sources": ["slack"]})), ["phrase.md", "short.md"]);
    assert_eq!(of(json!({"sets": ["team"]})), ["phrase.md"]);
    assert_eq!(
        of(json!({"folders": ["viking://resources/docs/guide"]})),
        ["old.md", "refund.md"]
    );
    let unknown = options(json!({"access": {"sources": ["slak"]}}));
    let error = block_on(shop.1.find(&shop.0, "refund", &unknown)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidFilter);
    assert!(error.message().contains("slack"), "{}", error.message());
}

#[test]
fn counts_and_relations_are_told_when_asked() {
    let shop = shop();
    let asked = FindOptions {
        telemetry: Summary(true),
        relations: true,
        ..FindOptions::default()
    };
    let found = block_on(shop.1.find(&shop.0, "refund", &asked)).unwrap();
    let counts = found.telemetry.unwrap();
    assert_eq!((counts.searches, counts.returned), (1, found.total));
    assert!(counts.scored >= counts.passed && counts.passed >= counts.returned);
    let before = shop.1.remembered();
    let again = block_on(shop.1.find(&shop.0, "refund", &asked)).unwrap();
    assert_eq!(again.resources, found.resources);
    assert_eq!(shop.1.remembered(), before + 1);
}

#[test]
fn a_walk_goes_through_directories_that_the_filter_leaves_out() {
    let shop = shop();
    for preset in [Preset::Classic, Preset::ClassicLeaves, Preset::Current] {
        // No directory carries a tag: the walk must still come to the files that do.
        let asked = FindOptions {
            mode: Mode::Thinking,
            preset,
            tags: vec!["source=slack".into()],
            level: serde_json::from_value(json!([0, 1, 2])).unwrap(),
            ..FindOptions::default()
        };
        let found = block_on(shop.1.find(&shop.0, "refund", &asked)).unwrap();
        assert!(
            names(&found).contains(&"short.md"),
            "{preset:?}: {:?}",
            names(&found)
        );
        assert!(found.resources.iter().all(|r| r.level == 2));
    }
}
