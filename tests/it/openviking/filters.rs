//! The filter language: the recorded truth table with our column, and a naive evaluator as twin.

mod twin;

use knarr::base::uri::ContextType;
use knarr::find::ask::filter::{Field, Fields, Filter, Pattern, TimeField, Value, normalize_tags};
use knarr::find::ask::time::{Period, parse_instant};
use serde_json::{Value as Json, json};

/// A row of a table of contexts.
#[derive(Clone)]
struct Context {
    uri: &'static str,
    context_type: &'static str,
    account: &'static str,
    level: i64,
    updated_at: Option<i64>,
    tags: Vec<&'static str>,
}

impl Fields for Context {
    fn any_text(&self, field: Field, test: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Uri => test(self.uri),
            Field::ContextType => test(self.context_type),
            Field::AccountId => test(self.account),
            Field::Name => test(self.uri.rsplit('/').next().unwrap_or_default()),
            Field::Tags => self.tags.iter().any(|tag| test(tag)),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Level => Some(self.level),
            Field::UpdatedAt => self.updated_at,
            _ => None,
        }
    }
}

fn day(text: &str) -> Option<i64> {
    Some(parse_instant(text).expect("a date"))
}

fn contexts() -> Vec<Context> {
    let context = |uri, context_type, account, level, updated_at, tags: &[&'static str]| Context {
        uri,
        context_type,
        account,
        level,
        updated_at,
        tags: tags.to_vec(),
    };
    vec![
        context(
            "viking://resources/a",
            "resource",
            "one",
            0,
            day("2026-01-01"),
            &["team=infra"],
        ),
        context(
            "viking://resources/a/b.md",
            "resource",
            "one",
            2,
            day("2026-02-01"),
            &["team=infra", "lang=zh"],
        ),
        context(
            "viking://resources/a/c/d.md",
            "resource",
            "one",
            2,
            None,
            &[],
        ),
        context(
            "viking://resources/ab",
            "resource",
            "one",
            1,
            day("2026-03-01"),
            &["lang=en"],
        ),
        context(
            "viking://user/u/memories/m.md",
            "memory",
            "one",
            2,
            day("2026-04-01"),
            &["team=web"],
        ),
        context(
            "viking://resources/x.md",
            "resource",
            "two",
            2,
            day("2026-05-01"),
            &[],
        ),
    ]
}

fn value(json: &Json) -> Value {
    serde_json::from_value(json.clone()).expect("every JSON is a value")
}

fn compile(pattern: &str) -> Result<Pattern, String> {
    let regex = regex::Regex::new(pattern).map_err(|error| error.to_string())?;
    Ok(Box::new(move |text| regex.is_match(text)))
}

/// Numbers of the rows that pass, or the message of the refusal.
fn rows(json: Json) -> Result<Vec<usize>, String> {
    let filter = Filter::parse(&value(&json), Some(&compile)).map_err(|error| {
        assert_eq!(error.code(), "INVALID_FILTER");
        error.message().to_owned()
    })?;
    let passes =
        |(_, row): &(usize, Context)| filter.as_ref().is_none_or(|filter| filter.matches(row));
    Ok(contexts()
        .into_iter()
        .enumerate()
        .filter(passes)
        .map(|(i, _)| i)
        .collect())
}

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn assert_refused(json: Json, place: &str) {
    let message = rows(json.clone()).expect_err(&json.to_string());
    assert!(
        message.starts_with(&format!("{place}: ")),
        "{json}: {message}"
    );
}

#[test]
fn malformed_filters_are_refused_where_upstream_drops_them() {
    let must = json!({"op": "must", "field": "context_type", "conds": ["memory"]});
    assert_refused(
        json!({"op": "equals", "field": "name", "conds": ["x"]}),
        "filter.op",
    );
    assert_refused(
        json!({"op": "MUST", "field": "name", "conds": ["x"]}),
        "filter.op",
    );
    assert_refused(json!({"field": "name", "conds": ["x"]}), "filter.op");
    assert_refused(json!({"op": 3}), "filter.op");
    assert_refused(
        json!({"op": "and", "conds": [must, {"op": "foo"}]}),
        "filter.conds[1].op",
    );
    let nested = json!({"op": "or", "conds": [must, {"op": "and", "conds": [{"op": "must", "field": "name"}]}]});
    assert_refused(nested, "filter.conds[1].conds[0].conds");
    assert_refused(json!({"op": "and", "conds": []}), "filter.conds");
    assert_refused(json!({"op": "or", "conds": must}), "filter.conds");
    assert_refused(json!({"op": "and", "conds": ["x"]}), "filter.conds[0]");
    assert_refused(
        json!({"op": "must", "field": "context_type"}),
        "filter.conds",
    );
    assert_refused(json!({"op": "must", "conds": ["memory"]}), "filter.field");
    assert_refused(
        json!({"op": "must", "field": "context_type", "conds": ["memory", 1]}),
        "filter.conds[1]",
    );
    assert_refused(
        json!({"op": "must", "field": "level", "conds": [1, "2"]}),
        "filter.conds[1]",
    );
    assert_refused(
        json!({"op": "must", "field": "level", "conds": [2.5]}),
        "filter.conds[0]",
    );
    assert_refused(
        json!({"op": "must", "field": "level", "conds": ["two"]}),
        "filter.conds[0]",
    );
    assert_refused(
        json!({"op": "must", "field": "uri", "conds": ["resources/a"]}),
        "filter.conds[0]",
    );
    assert_refused(json!({"op": "range", "field": "level"}), "filter");
    assert_refused(
        json!({"op": "range", "field": "level", "gte": "1"}),
        "filter.gte",
    );
    assert_refused(
        json!({"op": "time_range", "field": "level", "gte": 1}),
        "filter.field",
    );
    let path =
        json!({"op": "must", "field": "uri", "conds": ["viking://resources"], "para": "-d=abc"});
    assert_refused(path, "filter.para");
    assert_refused(json!("x"), "filter");
    assert_refused(json!([]), "filter");
}

#[test]
fn odd_filters_that_upstream_lets_match_nothing_are_refused_or_match_nothing() {
    assert_eq!(
        rows(json!({"op": "must", "field": "context_type", "conds": []})),
        Ok(vec![])
    );
    assert_eq!(
        rows(json!({"op": "must", "field": "context_type", "conds": ["document"]})),
        Ok(vec![])
    );
    assert_refused(
        json!({"op": "must", "field": "colour", "conds": ["red"]}),
        "filter.field",
    );
    assert_refused(
        json!({"op": "must", "field": "abstract", "conds": ["x"]}),
        "filter.field",
    );
    assert_refused(
        json!({"op": "prefix", "field": "name", "prefix": ""}),
        "filter.prefix",
    );
    assert_refused(
        json!({"op": "regex", "field": "name", "pattern": "("}),
        "filter.pattern",
    );
    assert_refused(
        json!({"op": "range", "field": "name", "gte": 1}),
        "filter.field",
    );
    assert_refused(
        json!({"op": "time_range", "field": "updated_at", "gte": "soon"}),
        "filter.gte",
    );
    assert_refused(json!({"op": "geo_range", "field": "name"}), "filter.op");
    // A key that is passed over could have been meant to narrow.
    assert_refused(
        json!({"op": "must", "field": "name", "conds": ["x"], "prefix": "y"}),
        "filter.prefix",
    );
    let regex = json!({"op": "regex", "field": "name", "pattern": "x"});
    assert!(
        Filter::parse(&value(&regex), None).is_err(),
        "no compiler, no regex"
    );
}

#[test]
fn no_filter_and_complements() {
    assert_eq!(rows(json!({})), Ok(ALL.to_vec()));
    assert_eq!(rows(json!(null)), Ok(ALL.to_vec()));
    assert_eq!(
        rows(json!({"op": "must_not", "field": "context_type", "conds": ["document"]})),
        Ok(ALL.to_vec())
    );
    assert_eq!(
        rows(json!({"op": "must_not", "field": "context_type", "conds": []})),
        Ok(ALL.to_vec())
    );
    assert_refused(
        json!({"op": "must_not", "field": "colour", "conds": ["red"]}),
        "filter.field",
    );
    // Rows that lack the field match the complement.
    assert_eq!(
        rows(json!({"op": "must_not", "field": "tags", "conds": ["team=infra"]})),
        Ok(vec![2, 3, 4, 5])
    );
}

#[test]
fn must_not_means_the_same_at_every_position() {
    let not_a = json!({"op": "must_not", "field": "uri", "conds": ["viking://resources/a"]});
    let files = json!({"op": "must", "field": "level", "conds": [2]});
    assert_eq!(rows(not_a.clone()), Ok(vec![3, 4, 5]));
    assert_eq!(
        rows(json!({"op": "and", "conds": [not_a, files]})),
        Ok(vec![4, 5])
    );
    assert_eq!(
        rows(json!({"op": "and", "conds": [files, not_a]})),
        Ok(vec![4, 5])
    );
}

#[test]
fn paths_count_whole_segments_and_levels() {
    let within = |uri: &str, para: Json| {
        rows(json!({"op": "must", "field": "uri", "conds": [uri], "para": para}))
    };
    for uri in [
        "viking://resources/a",
        "viking://resources/a/",
        "/resources/a",
    ] {
        assert_eq!(within(uri, json!(null)), Ok(vec![0, 1, 2]));
        assert_eq!(within(uri, json!("")), Ok(vec![0, 1, 2]));
        assert_eq!(within(uri, json!("-d=-1")), Ok(vec![0, 1, 2]));
        assert_eq!(within(uri, json!("-d=-7")), Ok(vec![0, 1, 2]));
        assert_eq!(within(uri, json!("-d=0")), Ok(vec![0]));
        assert_eq!(within(uri, json!("-d=1")), Ok(vec![0, 1]));
        assert_eq!(within(uri, json!("-d=2")), Ok(vec![0, 1, 2]));
        assert_eq!(within(uri, json!("-d=5000")), Ok(vec![0, 1, 2]));
    }
    assert_eq!(within("viking://", json!(null)), Ok(ALL.to_vec()));
    assert_eq!(
        within("viking://resources/a/b.md", json!(null)),
        Ok(vec![1])
    );
    // A prefix is text and knows no segments.
    assert_eq!(
        rows(json!({"op": "prefix", "field": "uri", "prefix": "/resources/a"})),
        Ok(vec![0, 1, 2, 3])
    );
}

#[test]
fn ranges_lists_and_text() {
    let level = |bounds: Json| {
        let mut filter = json!({"op": "range", "field": "level"});
        filter
            .as_object_mut()
            .expect("an object")
            .extend(bounds.as_object().expect("an object").clone());
        rows(filter)
    };
    assert_eq!(level(json!({"gte": 1})), Ok(vec![1, 2, 3, 4, 5]));
    assert_eq!(level(json!({"gt": 1, "gte": null})), Ok(vec![1, 2, 4, 5]));
    assert_eq!(
        level(json!({"gte": 1, "gt": 1})),
        Ok(vec![1, 2, 3, 4, 5]),
        "gte beats gt"
    );
    assert_eq!(
        level(json!({"lte": 1, "lt": 0})),
        Ok(vec![0, 3]),
        "lte beats lt"
    );
    assert_eq!(level(json!({"gt": 0.5, "lt": 1.5})), Ok(vec![3]));
    assert_eq!(
        rows(json!({"op": "range_out", "field": "level", "gte": 1, "lte": 1})),
        Ok(vec![0, 1, 2, 4, 5])
    );
    assert_eq!(
        rows(json!({"op": "range_out", "field": "level", "gt": 0, "lt": 2})),
        Ok(vec![])
    );
    let march = json!({"op": "time_range", "field": "updated_at", "gte": "2026-02-01", "lte": "2026-04-01T00:00:00Z"});
    assert_eq!(
        rows(march),
        Ok(vec![1, 3, 4]),
        "rows without a time never match"
    );
    let out =
        json!({"op": "range_out", "field": "updated_at", "gte": "2026-02-01", "lte": "2026-04-01"});
    assert_eq!(rows(out), Ok(vec![0, 5]));
    assert_eq!(
        rows(json!({"op": "must", "field": "level", "conds": ["0", "1"]})),
        Ok(vec![0, 3])
    );
    assert_eq!(
        rows(json!({"op": "must", "field": "search_tags", "conds": ["lang=zh", "lang=en"]})),
        Ok(vec![1, 3])
    );
    assert_eq!(
        rows(json!({"op": "contains", "field": "tags", "substring": "lang"})),
        Ok(vec![1, 3])
    );
    assert_eq!(
        rows(json!({"op": "regex", "field": "name", "pattern": "^[bx]"})),
        Ok(vec![1, 5])
    );
}

#[test]
fn conveniences_narrow_together() {
    let tags =
        normalize_tags(&["Team=Infra".to_owned(), "lang=zh".to_owned()]).expect("well formed");
    let passing = |filter: Option<Filter>| {
        let filter = filter.expect("something is asked for");
        let passes = |i: &usize| filter.matches(&contexts()[*i]);
        ALL.into_iter().filter(passes).collect::<Vec<_>>()
    };
    assert_eq!(passing(Filter::tags(&tags)), [1]);
    assert_eq!(
        passing(Filter::context_types(&[
            ContextType::Memory,
            ContextType::Skill
        ])),
        [4]
    );
    let period = Period::parse(Some("2026-02-01"), Some("2026-04-01"), 0).expect("well formed");
    assert_eq!(
        passing(Filter::period(TimeField::UpdatedAt, period)),
        [1, 3, 4]
    );
    assert_eq!(
        passing(Filter::period(TimeField::CreatedAt, period)),
        [0usize; 0]
    );
    let both = [
        Filter::context_types(&[ContextType::Memory]),
        Filter::period(TimeField::UpdatedAt, period),
    ];
    assert_eq!(passing(Filter::all(both.into_iter().flatten())), [4]);
}
