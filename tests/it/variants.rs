//! Languages and versions: one of each at a time, the others where it has no answer.

use crate::support::{self, Script};
use knarr::Knarr;
use knarr::find::answer::result::{FindResult, MatchedContext};
use knarr::find::ask::options::{FindOptions, OneOrMany};
use pollster::block_on;

fn find(host: &Script, query: &str, lang: &[&str], version: &[&str]) -> FindResult {
    let list = |tags: &[&str]| OneOrMany::Many(tags.iter().map(|&t| t.to_owned()).collect());
    let options = FindOptions {
        lang: list(lang),
        version: list(version),
        // By words alone: which rows there are is then plain to see.
        alpha: Some(0.0),
        ..FindOptions::default()
    };
    let bundle = block_on(Knarr::open(host)).unwrap();
    block_on(bundle.find(host, query, &options)).unwrap()
}

fn urls(result: &FindResult) -> Vec<&str> {
    result.resources.iter().map(|r| r.url.as_str()).collect()
}

fn skipped(result: &FindResult) -> Vec<&str> {
    let steps = result.skipped.iter().map(|s| s.step.as_str());
    steps.filter(|step| *step != "vector").collect()
}

fn row<'r>(result: &'r FindResult, url: &str) -> &'r MatchedContext {
    let found = result.resources.iter().find(|r| r.url == url);
    found.unwrap_or_else(|| panic!("no {url} in {:?}", urls(result)))
}

#[test]
fn a_question_gets_one_language_and_one_version() {
    let host = support::two_languages();
    for (lang, version) in [
        (vec![], vec![]),
        (vec!["en-US"], vec!["2"]),
        (vec![""], vec![]),
    ] {
        let result = find(&host, "gateway", &lang, &version);
        assert_eq!(urls(&result), ["install.html"], "{lang:?}");
        assert_eq!(skipped(&result), [] as [&str; 0]);
        let row = row(&result, "install.html");
        assert_eq!((row.lang.as_str(), row.version.as_str()), ("en", "2"));
        assert_eq!(row.crumbs, ["Manual"]);
        let also: Vec<_> = row
            .also
            .iter()
            .map(|a| (a.version.as_str(), a.url.as_str()))
            .collect();
        assert_eq!(
            also,
            [("1", "v1/install.html"), ("next", "next/install.html")]
        );
    }
    let german = find(&host, "gateway", &["de-AT"], &[]);
    assert_eq!(urls(&german), ["de/install.html"]);
    assert_eq!(german.resources[0].lang, "de");
}

#[test]
fn a_page_of_no_version_belongs_to_all() {
    let host = support::two_languages();
    for version in ["2", "next"] {
        let result = find(&host, "battery lasts", &[], &[version]);
        assert!(urls(&result).contains(&"blog/battery.html"), "{version}");
    }
}

#[test]
fn a_page_that_was_folded_is_opened_in_the_wanted_version() {
    let host = support::two_languages();
    let result = find(&host, "gateway", &[], &["1"]);
    let row = row(&result, "v1/install.html");
    assert_eq!(row.version, "1");
    assert_eq!(row.sections[0].url, "v1/install.html#top");
    let also: Vec<&str> = row.also.iter().map(|a| a.url.as_str()).collect();
    assert_eq!(also, ["install.html", "next/install.html"]);
}

#[test]
fn others_are_shown_where_the_wanted_have_no_answer() {
    let host = support::two_languages();
    // Only German pages have the word; only the next version does; only German, asked in a version.
    for (query, url, step) in [
        ("sendersuchlauf", "de/sensor.html", vec!["lang"]),
        ("entangled telemetry", "next/quantum.html", vec!["version"]),
    ] {
        let result = find(&host, query, &["en"], &["2"]);
        assert_eq!(urls(&result)[0], url);
        assert_eq!(skipped(&result), step, "{query}");
    }
    // Below a folder of another version all pages are searched, also for what they only mean.
    let options = FindOptions {
        target_uri: OneOrMany::One("viking://resources/docs/next".into()),
        lang: OneOrMany::One("en".into()),
        version: OneOrMany::One("2".into()),
        ..FindOptions::default()
    };
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let result = block_on(bundle.find(&host, "gateway", &options)).unwrap();
    assert_eq!(skipped(&result), ["version"]);
    // A language and a version that the site does not have are said, and the site's own searched.
    let result = find(&host, "gateway", &["fr"], &["99"]);
    assert_eq!(urls(&result), ["install.html"]);
    assert_eq!(skipped(&result), ["lang", "version"]);
}

#[test]
fn a_name_that_only_another_version_defines_is_looked_for_in_the_wanted_one() {
    let page = |path: &str, title: &str, text: &str, version: &str| knarr::indexer::Document {
        version: version.into(),
        ..support::page(path, title, text)
    };
    let pages = |text: &str| {
        vec![
            page("2/api", "Functions", text, "2"),
            page("1/api", "format_to_n", "Writes to a buffer.", "1"),
            page("2/log", "Log", "Nothing else happened.", "2"),
        ]
    };
    let ask = |text: &str| {
        let host = support::served(pages(text), "en", "2");
        let result = find(&host, "format_to_n ", &[], &[]);
        (urls(&result)[0].to_owned(), skipped(&result).len())
    };
    let used = "Call format_to_n for a buffer of a given size.";
    assert_eq!(ask(used), ("2/api".to_owned(), 0));
    assert_eq!(ask("Has nothing of it."), ("1/api".to_owned(), 1));
}

/// The share of the question at which the wanted pages answer no more: a page with half of its words does.
#[test]
fn a_page_with_half_of_the_question_is_an_answer() {
    let page = |path: &str, text: &str, language: &str| knarr::indexer::Document {
        language: Some(language.into()),
        ..support::page(path, path, text)
    };
    // Four words that are equally rare; the German page has all of them.
    let words = ["zulu", "yankee", "xray", "whiskey"];
    for n in 0..=words.len() {
        let host = support::served(
            vec![
                page("en", &words[..n].join(" "), "en"),
                page("en2", &words.join(" ").replace(' ', ""), "en"),
                page("de", &words.join(" "), "de"),
                // Every word stands on as many pages as every other.
                page("fill", &words[n..].join(" "), "de"),
            ],
            "en",
            "",
        );
        let result = find(&host, &format!("{} ", words.join(" ")), &[], &[]);
        let first = urls(&result)[0];
        assert_eq!(first == "en", n >= 2, "{n} of 4 words: {:?}", urls(&result));
        assert_eq!(skipped(&result).is_empty(), n >= 2, "{n} of 4 words");
    }
}

#[test]
fn translations_are_one_row_in_the_askers_language() {
    let host = support::two_languages();
    for (lang, own, other) in [
        (vec!["de", "en"], "de/install.html", "install.html"),
        (vec!["en", "de"], "install.html", "de/install.html"),
        (vec!["de", "*"], "de/install.html", "install.html"),
        // Nobody's language: the site's.
        (vec!["*"], "install.html", "de/install.html"),
    ] {
        let result = find(&host, "gateway", &lang, &[]);
        assert_eq!(urls(&result), [own], "{lang:?}");
        let also = &result.resources[0].also;
        assert!(
            also.iter()
                .any(|a| a.url == other && a.lang != result.resources[0].lang)
        );
    }
}

#[test]
fn a_limit_counts_rows_and_not_translations() {
    let page = |language: &str, n: usize| knarr::indexer::Document {
        language: Some(language.into()),
        translation_of: format!("en/{n}"),
        ..support::page(
            &format!("{language}/{n}"),
            &format!("Page {n}"),
            "Relay relay.",
        )
    };
    let pages = (0..8).flat_map(|n| ["en", "de", "fr"].map(|language| page(language, n)));
    let host = support::served(pages.collect(), "en", "");
    let result = find(&host, "relay", &["*"], &[]);
    assert_eq!(result.total, 8);
    assert!(
        result
            .resources
            .iter()
            .all(|r| r.lang == "en" && r.also.len() == 2)
    );
}

/// What a word may mean on other pages gives way to what it means on the wanted ones.
#[test]
fn completions_and_corrections_are_of_the_wanted_pages() {
    let page = |path: &str, text: &str, language: &str| knarr::indexer::Document {
        language: Some(language.into()),
        ..support::page(path, path, text)
    };
    // "kon" is a word in German and begins many of its words; "gatewai" is nearer to a Finnish word than to an English.
    let many: String = (0..80).map(|n| format!("konto{n:02} ")).collect();
    let pages = vec![
        page("en", "Konqueror opens the gateway.", "en"),
        page("de", &format!("kon {many} gatewaii"), "de"),
        page("de2", &format!("kon {many} gatewaii"), "de"),
    ];
    let host = support::served(pages, "en", "");
    for query in ["kon", "gatewaix "] {
        let result = find(&host, query, &[], &[]);
        assert_eq!(urls(&result), ["en"], "{query}");
        assert_eq!(skipped(&result), [] as [&str; 0], "{query}");
    }
    assert_eq!(urls(&find(&host, "gatewaix ", &["de"], &[])).len(), 2);
}

#[test]
fn a_damped_page_loses_its_share_of_the_score() {
    let plain = |damping: f32| {
        let mut blog = support::page("blog", "Relay", "Relay relay relay.");
        blog.damping = damping;
        let other = support::page(
            "guide",
            "Relay guide",
            "A relay is here, among other things.",
        );
        let mut pages = vec![blog, other];
        // On a site that has the word everywhere it has no weight, and only the name counts.
        pages.extend((0..20).map(|n| support::page(&format!("p{n}"), "Tides", "Water rises.")));
        let host = support::served(pages, "", "");
        let result = find(&host, "relay", &[], &[]);
        let score = |url: &str| row(&result, url).score;
        (
            score("blog"),
            score("guide"),
            result.resources[0].url.clone(),
        )
    };
    let (before, guide, first) = plain(0.0);
    assert_eq!(first, "blog");
    let (after, _, first) = plain(0.25);
    assert!(after <= before && first == "blog", "{before} {after}");
    let (after, same, first) = plain(0.9);
    assert!(
        after < before && same >= guide && first == "guide",
        "{before} {after} {guide} {same} {first}"
    );
}

#[test]
fn a_site_of_one_language_is_as_it_was() {
    let pages = || {
        vec![
            support::page("a", "Relay", "A relay."),
            support::page("b", "Gateway", "A gateway and a relay."),
        ]
    };
    let mut tagged = pages();
    for (page, language) in tagged.iter_mut().zip(["en", "en-GB"]) {
        page.language = Some(language.into());
        page.version = "3".into();
    }
    let host = support::served(tagged, "", "");
    for lang in [vec![], vec!["de"], vec!["*"]] {
        let result = find(&host, "relay", &lang, &["1"]);
        assert_eq!(result.total, 2);
        assert!(
            result
                .resources
                .iter()
                .all(|r| r.lang.is_empty() && r.also.is_empty())
        );
        // Nothing is in the language that was wanted, which is said.
        let told: &[&str] = if lang == ["de"] { &["lang"] } else { &[] };
        assert_eq!(skipped(&result), told);
    }
}
