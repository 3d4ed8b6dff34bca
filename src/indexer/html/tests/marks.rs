//! Marks of a page's author: defaults, its address, its picture.

use super::super::{InputOptions, parse};
use super::read;

#[test]
fn defaults_hold_where_the_page_says_nothing() {
    let defaults = "<head data-pagefind-default-meta='title:Untitled'><meta data-knarr-default-meta='description[content]'
        content='Of the club'><meta data-pagefind-default-meta='keywords:a, b'><meta data-pagefind-default-meta='date:2024-05-01'>
        <meta data-pagefind-default-meta='category:Club'><meta data-pagefind-default-meta='author:The club'>
        <meta data-pagefind-default-meta='place:first'><meta data-pagefind-default-meta='place:last'>
        <meta data-pagefind-default-meta='url:/club/'></head>";
    let page = read(&format!("{defaults}<main><p>Text"));
    assert_eq!(
        (page.title.as_str(), page.description.as_str()),
        ("Untitled", "Of the club")
    );
    assert_eq!(
        (page.category.as_str(), page.updated_at),
        ("Club", Some(1_714_521_600))
    );
    assert_eq!(page.keywords, ["a", "b"]);
    assert_eq!(page.tags, ["place=last", "author=The club"]);
    assert_eq!(page.facts.address, "/club/");

    // A mark anywhere on the page, and what the page says without marks.
    let page = read(&format!(
        "{defaults}<meta name=description content=Own><meta name=keywords content=own><meta property=article:modified_time
        content=2025-01-01><main><h1>Own title</h1><p data-pagefind-filter=author>Ann<p data-pagefind-meta='place:here'>x
        <p data-pagefind-meta='category:Own, url'>x<a data-pagefind-meta='url[href]' href=b.html>x</a>"
    ));
    assert_eq!(
        (page.title.as_str(), page.description.as_str()),
        ("Own title", "Own")
    );
    assert_eq!(page.updated_at, Some(1_735_689_600));
    assert_eq!(page.keywords, ["own"]);
    assert_eq!(page.tags, ["author=Ann", "place=here"]);
    assert_eq!(page.facts.address, "b.html");
    let page = read(&format!("<title>Own</title>{defaults}<main><p>Text"));
    assert_eq!(page.title, "Own");
}

#[test]
fn defaults_are_left_out_with_their_field_and_below_what_is_ignored() {
    let options = InputOptions {
        skip_fields: vec!["author".into()],
        ..InputOptions::default()
    };
    let page = "<p data-pagefind-default-meta='author:Ann'>Text<div data-pagefind-ignore=all>
        <p data-pagefind-default-meta='place:here'>x</div>";
    assert_eq!(read(page).tags, ["author=Ann"]);
    assert!(
        parse("p.html", page, &options)
            .expect("a page")
            .tags
            .is_empty()
    );
}

#[test]
fn an_address_is_one_that_may_be_opened() {
    for (mark, want) in [
        (
            "<link data-pagefind-meta='url[href]' href='https://x.org/a b'>",
            "https://x.org/a%20b",
        ),
        ("<p data-knarr-meta='url:/a/'>", "/a/"),
        ("<p data-knarr-meta=url>../a.html</p>", "../a.html"),
        ("<p data-knarr-meta='url:javascript:alert(1)'>", ""),
        (
            "<a data-knarr-meta='url[href]' href='data:text/html,x'></a>",
            "",
        ),
        (
            "<p data-knarr-meta='url:/a/'><p data-knarr-meta='url:vbscript:x'>",
            "/a/",
        ),
    ] {
        let page = read(&format!("{mark}<main><h2 id=here>Here</h2><p>Text"));
        assert_eq!(page.facts.address, want, "{mark}");
        assert_eq!(page.sections[0].anchor, "here");
    }
    // Of an address within another page, the other page's places are not this one's.
    let page = read("<p data-knarr-meta='url:/app#/club'><main><h2 id=here>Here</h2><p>Text");
    assert_eq!(page.facts.address, "/app#/club");
    assert!(
        page.sections
            .iter()
            .all(|section| section.anchor.is_empty())
    );
}

#[test]
fn fields_to_sort_by_are_apart_from_tags() {
    let page = read(
        "<main data-pagefind-sort='weight[data-weight], date:2022-06-01, or later' data-weight=10>
        <p data-pagefind-filter='weight:heavy' data-knarr-sort=name>Zoë  Ann</p><p data-knarr-sort='date:2023'>x
        <p data-pagefind-ignore data-pagefind-sort='place:1'>y<p data-pagefind-ignore=all data-pagefind-sort='no:1'>z",
    );
    assert_eq!(
        page.sorts,
        ["weight=10", "name=Zoë Ann", "date=2023", "place=1"]
    );
    assert_eq!(page.tags, ["weight=heavy"]);
}

#[test]
fn pictures_are_tags() {
    let page = read(
        "<main><img data-pagefind-meta='image[src], image_alt[alt]' src=/A.png alt='A chart'><p>Text
        <img data-pagefind-default-meta='image[src]' src=/default.png>",
    );
    assert_eq!(page.tags, ["image=/A.png", "image_alt=A chart"]);
    let page = read("<main><p>Text<img data-knarr-default-meta='image[src]' src=/default.png>");
    assert_eq!(page.tags, ["image=/default.png"]);
    let written_out = read(
        "<main><p>Text<img data-pagefind-meta='image[src]' src='data:image/png;base64,iVBOR'>",
    );
    assert!(written_out.tags.is_empty());
}

#[test]
fn an_id_that_the_parser_repeats_is_that_of_its_first_place() {
    let page = read(
        r#"<body><div><h1 class="title"><a id="sea"/>The sea</h1></div><p>Text.</p><div><div>
        <h2 class="title"><a id="tides"/>1. Tides</h2></div></div><p>Text.</p><div><h3 class="title">
        <a id="ebb"/>1.1. Ebb</h3></div><p>Text.</p><h2 class="title">Flow</h2><p>Text.</p>"#,
    );
    let anchors: Vec<(&str, &str)> = page
        .sections
        .iter()
        .map(|s| (s.heading.as_str(), s.anchor.as_str()))
        .collect();
    let want = [
        ("", "sea"),
        ("1. Tides", "tides"),
        ("1.1. Ebb", "ebb"),
        ("Flow", ""),
    ];
    assert_eq!(anchors, want);
}
