//! Home pages and others whose `<main>` or `<article>` is not the content.

use super::super::{InputOptions, PageSelector, SkipReason, parse};
use super::read;

fn texts(html: &str) -> String {
    let page = read(html);
    let parts = page
        .sections
        .iter()
        .flat_map(|s| [s.heading.as_str(), s.text.as_str()]);
    let parts: Vec<&str> = [page.title.as_str()]
        .into_iter()
        .chain(parts)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("\n").replace('\n', " / ")
}

#[test]
fn the_text_of_a_home_page_is_found() {
    for (name, html, want) in [
        (
            "Jest: the only article is a picture of a video",
            "<nav>Menu</nav><div id=fallback><h1>Jest</h1><p>Jest is a delightful JavaScript testing framework with a focus on simplicity.</p>
            <article class=yt-lite><div class=picture></div></article></div><footer>Foot</footer>",
            "Jest / Jest is a delightful JavaScript testing framework with a focus on simplicity.",
        ),
        (
            "Material: an empty article in main, the hero above it",
            "<header>Menu</header><section class=mdx-container><div class='mdx-hero md-grid'><h1>Documentation that simply works</h1><p>Write your
            documentation in Markdown and create a professional site in minutes.</div></section><main class=md-main><article> </article></main>",
            "Documentation that simply works / Write your documentation in Markdown and create a professional site in minutes.",
        ),
        (
            "VitePress: cards beside a hero",
            "<div class=Layout><a class='VPSkipLink visually-hidden' href='#VPContent'>Skip to content</a><header class=VPNav>Menu</header>
            <div id=VPContent><div class='VPHero'><h1 class=heading><span class='name clip'>Tidewater</span><span class=text>Tide tables for
            small harbours</span></h1><p class=tagline>My great tagline</p></div><div class=items><article class=box><h2 class=title>Fast</h2><p
            class=details>Lorem ipsum dolor sit amet.</p></article><article class=box><h2 class=title>Small</h2><p class=details>Consectetur
            adipiscing elit.</p></article></div></div></div>",
            "Tidewater Tide tables for small harbours / My great tagline / Fast / Lorem ipsum dolor sit amet. / Small / Consectetur adipiscing elit.",
        ),
        (
            "Docusaurus: the hero is a header beside main",
            "<nav>Menu</nav><div class=main-wrapper><header class='hero hero--primary heroBanner_qdFl'><div class=container><h1
            class=hero__title>My Site</h1><p class=hero__subtitle>Dinosaurs are cool</p><a href=/docs>Tutorial</a></div></header>
            <main><h3>Easy to Use</h3><p>Docusaurus was designed from the ground up.</main></div><footer>Foot</footer>",
            "My Site / Dinosaurs are cool / Tutorial / Easy to Use / Docusaurus was designed from the ground up.",
        ),
        (
            "mdBook: the book's name above main is not of the page",
            "<div id=menu-bar><h1 class=menu-title>The Book</h1></div><main><h2 id=o>Ownership</h2><p>Text.</main>",
            "Ownership / Text.",
        ),
        (
            "a page in the making keeps its sidebar out",
            "<div class=sidebar>One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve</div><main><h1>Soon</h1></main>",
            "Soon",
        ),
        (
            "a blog's list: articles that are nearly all there is",
            "<div>Archive</div><article><h2>First</h2><p>The first post of many, some words long.</article><article><h2>Second</h2><p>The
            second post of many, as long as that.</article>",
            "First / The first post of many, some words long. / Second / The second post of many, as long as that.",
        ),
    ] {
        assert_eq!(texts(html), want, "{name}");
    }
}

#[test]
fn a_template_without_content_stays_empty() {
    for html in [
        "<main><script>x</script></main><div>Back to top</div>",
        "<header>Menu</header><main></main><footer>Long words in the footer of the page, many of them</footer>",
        "<main data-pagefind-body></main><div>Some text that stands outside of what its author marked</div>",
    ] {
        let read = parse("p.html", html, &InputOptions::default());
        assert_eq!(read.expect_err("no text"), SkipReason::Empty, "{html}");
    }
}

fn selected(root: &str, without: &[&str]) -> InputOptions {
    let read = |text: &str| PageSelector::parse(text).expect("a selector");
    InputOptions {
        root: (!root.is_empty()).then(|| read(root)),
        without: without.iter().map(|text| read(text)).collect(),
        ..InputOptions::default()
    }
}

const PAGE: &str = "<html><head><title>T</title><meta data-pagefind-filter='head:yes'></head><body><header>Menu</header>
    <main><p>Main part of the page</main><div id=text class='a b'><h1>Heading</h1><p>One<p class=ad data-pagefind-filter='ad:yes'>Two
    <span class=ad data-knarr-ignore=all><b data-pagefind-filter='all:yes'>Three</b></span><p data-lang=de>Vier</div>
    <div class=a>Five words that stand in a box below all of the others <i data-knarr-filter='five:yes'>Six</i></div></body></html>";

#[test]
fn the_caller_may_name_the_content() {
    for (root, without, want, tags) in [
        (
            "",
            &[][..],
            "Main part of the page",
            &["head=yes", "ad=yes", "five=yes"][..],
        ),
        ("#text", &[], "One / Two / Vier", &["ad=yes"]),
        (
            ".a",
            &[],
            "One / Two / Vier / Five words that stand in a box below all of the others Six",
            &["ad=yes", "five=yes"],
        ),
        (
            "div.a.b > p:first-of-type, i",
            &[],
            "One / Six",
            &["five=yes"],
        ),
        (
            "html",
            &[],
            "Main part of the page",
            &["head=yes", "ad=yes", "five=yes"],
        ),
        (
            "body",
            &["main", "#text"],
            "Five words that stand in a box below all of the others Six",
            &["ad=yes", "five=yes"],
        ),
        (
            "",
            &["main"],
            "One / Two / Vier / Five words that stand in a box below all of the others Six",
            &["head=yes", "ad=yes", "five=yes"],
        ),
        (
            "#text",
            &[".ad, .none", "[data-lang=de]"],
            "One",
            &["ad=yes"],
        ),
    ] {
        let page = parse("p.html", PAGE, &selected(root, without)).expect("a page");
        let texts: Vec<&str> = page.sections.iter().map(|s| s.text.as_str()).collect();
        let text = texts.join("\n").trim().replace('\n', " / ");
        assert_eq!(text, want, "{root} {without:?}");
        assert_eq!(page.tags, tags, "{root} {without:?}");
    }
}

#[test]
fn the_authors_marks_are_nearer_to_the_content_and_those_outside_are_not_seen() {
    let marked = "<p data-pagefind-body>Out</p><div class=a>x<p data-pagefind-body>In</p></div>";
    let page = parse("p.html", marked, &selected(".a", &[])).expect("a page");
    assert_eq!(
        (page.sections[0].text.as_str(), page.body_marked),
        ("In", true)
    );
    let page = parse(
        "p.html",
        "<p data-pagefind-body>Out</p><i>In",
        &selected("i", &[]),
    );
    assert!(page.is_ok_and(|page| !page.body_marked && page.sections[0].text == "In"));
    let refused = parse("p.html", PAGE, &selected(".none", &[])).expect_err("no page");
    assert_eq!(refused, SkipReason::NoRoot);
}
