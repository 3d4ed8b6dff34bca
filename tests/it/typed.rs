//! The typed options of `find` mean what the same options mean as JSON.

use crate::support::{Script, page, served};
use knarr::options::{Condition, ContextType, Field, HybridOptions, Level, Mode, Profile};
use knarr::{ErrorKind, FindOptions, FindResult, Knarr, Result};

fn find(host: &Script, query: &str, options: &FindOptions) -> Result<FindResult> {
    pollster::block_on(async { Knarr::open(host).await?.find(host, query, options).await })
}

fn titles(host: &Script, options: FindOptions) -> Vec<String> {
    let answer = find(host, "battery", &options.mode(Mode::Quick)).unwrap();
    let mut titles: Vec<String> = answer.resources.into_iter().map(|r| r.title).collect();
    titles.sort();
    titles
}

/// Three pages about a battery, with tags and dates.
fn pages() -> Script {
    let of = |name: &str, tag: &str, seconds: i64| knarr::Document {
        tags: vec![tag.into()],
        updated_at: Some(seconds),
        ..page(&format!("{name}.html"), name, "The battery lasts a year.")
    };
    let pages = vec![
        of("one", "kind=guide", 0),
        of("two", "kind=guide", 1_000_000_000),
        of("three", "kind=reference", 1_000_000_000),
    ];
    served(pages, "", "")
}

#[test]
fn conditions_select_what_they_say() {
    let host = pages();
    let with = |condition| titles(&host, FindOptions::new().filter(condition));
    let (guide, late) = (
        || Condition::tag("kind=guide"),
        || Condition::at_least(Field::UpdatedAt, "2001-01-01"),
    );
    assert_eq!(with(guide()), ["one", "two"]);
    assert_eq!(with(guide() & late()), ["two"]);
    assert_eq!(with(guide() | late()), ["one", "three", "two"]);
    assert_eq!(with(Condition::at_most(Field::UpdatedAt, 0i64)), ["one"]);
    assert_eq!(
        with(Condition::is_not(Field::Tags, ["kind=guide"])),
        ["three"]
    );
    assert_eq!(with(Condition::is(Field::Level, [2u32])).len(), 3);
    assert_eq!(with(Condition::prefix(Field::Name, "t")), ["three", "two"]);
    assert_eq!(with(Condition::contains(Field::Name, "hre")), ["three"]);
    assert_eq!(with(Condition::matches(Field::Name, "^o")), ["one"]);
    let wrong = FindOptions::new().filter(Condition::prefix(Field::Level, "1"));
    let refused = find(&host, "battery", &wrong).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidFilter);
}

#[test]
fn setters_set_what_they_are_called() {
    let host = pages();
    let new = FindOptions::new;
    assert_eq!(titles(&host, new().limit(1)).len(), 1);
    assert_eq!(titles(&host, new().tags(["kind=reference"])), ["three"]);
    assert_eq!(titles(&host, new().since("2001-01-01")), ["three", "two"]);
    assert_eq!(titles(&host, new().until("1999-01-01")), ["one"]);
    assert!(titles(&host, new().context_type([ContextType::Memory])).is_empty());
    let below = ["viking://resources/docs/two.html"];
    assert_eq!(titles(&host, new().target_uri(below)), ["two"]);
    let levels = new().level([Level::Abstract, Level::Overview]).limit(50);
    let directories = find(&host, "battery", &levels).unwrap().resources;
    assert!(!directories.is_empty() && directories.iter().all(|r| r.level < 2));
    let short = find(&host, "battery", &new().excerpts(false)).unwrap();
    assert!(short.resources.iter().all(|r| r.excerpt.text.is_empty()));
}

#[test]
fn hybrid_options_are_read_and_change_the_ranking() {
    let host = pages();
    let ask = |hybrid| {
        let options = FindOptions::new().hybrid(hybrid).explain(true);
        find(&host, "battery", &options.now(1_000_000_000_000))
    };
    let first = |hybrid| {
        let found = ask(hybrid).unwrap().resources.swap_remove(0);
        (found.title, found.explain.unwrap())
    };
    assert!(first(HybridOptions::new()).1.factors.is_none());
    let several = HybridOptions::new()
        .keyword_parts()
        .semantic_queries(["how long it lasts"])
        .recency(0.5, 0.75)
        .vote_for_tag("kind=reference", 3.0)
        .vote_for_uri("viking://resources/docs/one.html", -3.0)
        .small_chunks()
        .context(1, 0)
        .set("graph_rules", "as_is");
    let (title, explained) = first(several);
    assert_eq!(title, "three");
    assert!(explained.factors.unwrap().document_boost > 1.0);
    assert_eq!(explained.queries.len(), 2);
    let (_, explained) = first(HybridOptions::new().two_field(Profile::Keyword));
    assert!(explained.two_field.is_some());
    assert_eq!(explained.alpha, 0.2);
    let auto = FindOptions::new().hybrid(HybridOptions::new().auto_alpha());
    let answer = find(&host, "replace the battery", &auto).unwrap();
    assert_eq!(answer.alpha, 0.5); // the bundle's own is 0.3
    let refused = ask(HybridOptions::new().set("votse", 1.0)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidArgument);
}
