use super::*;

mod around;
mod docsify;
mod docstrings;
mod doxygen;
mod entries;
mod esdoc;
mod ford;
mod java;
mod jsdoc;
mod manuals;
mod marks;
mod members;
mod natural_docs;
mod roots;
mod rows;
mod surroundings;
mod terms;
mod texts;

pub(super) fn read(html: &str) -> Document {
    parse("dir/page.html", html, &InputOptions::default()).expect("a page with text")
}

#[test]
fn a_title_that_sphinx_could_not_find_is_none() {
    let page =
        read("<title>&lt;no title&gt; - docs</title><main><p>This page has been moved.</main>");
    assert!(!page.title.contains("no title"), "{}", page.title);
}

#[test]
fn main_is_read_and_its_surroundings_are_not() {
    let page = read(
        "<html lang=en><title>T - Site</title><body><header>Banner</header><nav>Menu</nav><main><nav>crumbs</nav>
        <h1 id=t>T</h1><p>Intro  text\n here.<p>Second.<script>x</script><style>y</style><svg><text>z</text></svg>
        <h2 id=a>Part <em>A</em></h2><ul><li>one<li>two <b>bold</b></ul>
        <table><tr><th>k<th>v<tr><td>1<td><p>2</p></table><template>no</template></main><footer>Foot</footer>",
    );
    assert_eq!(page.title, "T");
    assert_eq!(page.language.as_deref(), Some("en"));
    assert_eq!(
        page.outline(),
        [
            (0, "", "t", "Intro text here.\nSecond."),
            (2, "Part A", "a", "one\ntwo bold\nk | v\n1 | 2")
        ]
    );
}

#[test]
fn the_language_is_that_of_the_outermost_element_that_names_one() {
    for (html, want) in [
        ("<html lang=de><body lang=it><main>Text", Some("de")),
        ("<body lang=it><article lang=en>Text</article>", Some("it")),
        ("<main lang=pt_BR>Text", Some("pt_BR")),
        ("<article lang=uk>Text</article><p lang=en>more", Some("uk")),
        ("<main><p lang=en>Text", None),
    ] {
        assert_eq!(read(html).language.as_deref(), want, "{html}");
    }
}

#[test]
fn content_is_found_without_main() {
    for (html, want) in [
        (
            "<body>out<article>in</article>out<article>also</article>",
            "in\nalso",
        ),
        (
            "<body>out<div role=main>in<article>deep</article></div>",
            "in\ndeep",
        ),
        (
            "<body><header>h</header><aside>a</aside><div role=navigation>n</div>in<footer>f</footer>",
            "in",
        ),
        (
            "<main>out</main><div data-pagefind-body>in</div>x<p data-knarr-body>two",
            "in\ntwo",
        ),
        ("just text", "just text"),
        (
            "<main><aside class=note>Mind this.</aside></main>",
            "Mind this.",
        ),
    ] {
        assert_eq!(read(html).sections[0].text, want, "{html}");
    }
    assert!(read("<p data-pagefind-body>x").body_marked && !read("<p>x").body_marked);
}

#[test]
fn pagefind_attributes_are_honoured() {
    let page = read(
        "<html><head><meta data-pagefind-filter='lang[content]' content=rust><title>x</title></head>
        <body data-pagefind-weight=3><main><h1 data-pagefind-meta=title>Real title</h1>
        <p data-pagefind-meta='author, date:2024-05-01'>Ann</p>
        <p data-pagefind-ignore>gone <b data-pagefind-filter='kind'>kept filter</b></p>
        <p data-knarr-ignore=all>gone <b data-pagefind-filter='no:no'>x</b></p>
        <img data-pagefind-meta='image[src]' src=a.png alt='A chart'>
        <div data-pagefind-index-attrs='title' title='Tip text'></div>
        <h2 id=h data-knarr-weight=5>Heavy</h2><p data-pagefind-weight=5>text</p>
        <h2 id=l>Light</h2><p data-pagefind-filter='area:Docs, and more'>text</p>
        <p data-pagefind-weight=0>nowhere</p>
        <section data-knarr-weight=0><h2 id=n>Read only</h2><p>kept</p></section></main>",
    );
    assert_eq!(
        (page.title.as_str(), page.weight, page.updated_at),
        ("Real title", 3.0, Some(1_714_521_600))
    );
    assert_eq!(
        page.tags,
        [
            "lang=rust",
            "author=Ann",
            "kind=kept filter",
            "image=a.png",
            "area=Docs, and more"
        ]
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Ann\nA chart\nTip text"),
            (2, "Heavy", "h", "text"),
            (2, "Light", "l", "text"),
            (2, "Read only", "n", "kept")
        ]
    );
    let weights: Vec<f32> = page.sections[1..].iter().map(|s| s.weight).collect();
    assert_eq!(weights, [5.0, 1.0, 0.0]);
}

#[test]
fn headings_find_their_anchors_and_lose_their_signs() {
    let page = read(
        "<main><p>x</p><h2 id=own>One<a class=headerlink href=#own>¶</a></h2><p>x</p>
        <h2><a class=header href=#self>Two</a></h2><p>x</p><h2><a name=inner></a>Three #</h2><p>x</p>
        <section id=parent><div><a class='src' href='s.html'></a><h3>Four</h3></div><p>x</p><h3>Five</h3></section>
        <p>x</p><a id=before></a><h2>Six <button>Copy</button><a href=#s aria-label=p>🔗</a></h2>
        <p>x<h2 id=seven><a class=hash-link href=#seven>Direct link to Seven</a>Seven</h2>
        <p>x</p><a name=eight></a><h2>Eight of <a href=Any.html name=scala.Any>Any</a></h2>",
    );
    let anchors: Vec<_> = page.sections[1..]
        .iter()
        .map(|s| (s.heading.as_str(), s.anchor.as_str()))
        .collect();
    assert_eq!(
        anchors,
        [
            ("One", "own"),
            ("Two", "self"),
            ("Three", "inner"),
            ("Four", "parent"),
            ("Six", "before"),
            ("Seven", "seven"),
            ("Eight of Any", "eight")
        ]
    );
}

#[test]
fn a_page_without_h1_takes_the_heading_that_the_title_repeats() {
    let book =
        "<title>What is Ownership? - The Book</title><main><h2 id=o>What Is Ownership?</h2><p>Text";
    let page = read(book);
    assert_eq!(
        (page.title.as_str(), page.outline()),
        ("What Is Ownership?", vec![(0, "", "o", "Text")])
    );
    assert_eq!(
        read("<title>A b</title><main><h2>Other</h2><p>Text").title,
        "A b"
    );
    assert_eq!(read("<main><p>Text").title, "");
    for wordless in ["🎉", "+ -", "…"] {
        let page = format!("<title>Emoji - Manual</title><main><h2>{wordless}</h2><p>Text");
        assert_eq!(read(&page).title, "Emoji - Manual", "{wordless}");
    }
}

#[test]
fn code_keeps_its_lines() {
    let page = read(
        "<main><pre><code>fn a() {\n    <span class=boring>hidden\n</span>    b();\n\n}</code></pre><p>x  y",
    );
    assert_eq!(
        page.sections[0].text,
        "fn a() {\n    b();\n}\nx y".replace("    b", "        b")
    );
}

#[test]
fn rustdoc_pages_lose_their_tools() {
    let page = read(
        "<meta name=generator content=rustdoc><main><div class=rustdoc-breadcrumbs>std</div>
        <h1>Struct <span>Vec</span>&nbsp;<button>Copy item path</button></h1><rustdoc-toolbar></rustdoc-toolbar>
        <span class=sub-heading><span class=since>1.0.0</span> · <a class=src href=x>Source</a></span>
        <pre class='rust item-decl'><code>pub struct Vec&lt;T&gt;<div class=where>where\n    T: X,</div>{ }</code></pre>
        <details><summary class=hideme><span>Expand description</span></summary><p>A vector.</p></details>
        <section id=method.push class=method><a class='src rightside' href=y>Source</a><a href=#method.push class=anchor>§</a>
        <h4 class=code-header>pub fn <a href=#method.push class=fn>push</a>(&amp;mut self)</h4></section><p>Appends.</p>
        <h2 id=blanket-implementations>Blanket Implementations</h2><div id=blanket-implementations-list>impl Any</div>",
    );
    assert_eq!(page.title, "Struct Vec", "no <title> says what the name is");
    assert_eq!(
        page.outline(),
        [
            (
                0,
                "",
                "",
                "pub struct Vec<T>\nwhere\n    T: X,\n{ }\nA vector."
            ),
            (4, "push", "method.push", "pub fn push(&mut self)\nAppends."),
        ]
    );
}

#[test]
fn metadata_is_read_unless_skipped() {
    let html = "<meta name=description content=' D  d '><meta name=keywords content='a, b,a'>
        <meta property=article:modified_time content=2024-05-01T00:00:00Z><meta property=og:description content=O><p>x";
    let page = read(html);
    assert_eq!(
        (page.description.as_str(), page.updated_at),
        ("D d", Some(1_714_521_600))
    );
    assert_eq!(page.keywords, ["a", "b"]);
    let options = InputOptions {
        skip_fields: vec!["Description".into(), "keywords".into()],
        ..InputOptions::default()
    };
    let page = parse("p.html", html, &options).expect("a page");
    assert_eq!((page.description.as_str(), page.keywords.len()), ("", 0));
}

#[test]
fn links_are_resolved_and_counted_once() {
    let page = read(
        "<nav><a href=nav.html>no</a></nav><p><a href=b.html#x>The  <b>B</b></a> <a href=./b.html>again</a>
        <a href=https://example.org>out</a> <a href='../c%20d/'><img alt=Pic></a> <a href=#here>self</a>",
    );
    let links: Vec<_> = page
        .links
        .iter()
        .map(|l| (l.path.as_str(), l.text.as_str()))
        .collect();
    assert_eq!(links, [("dir/b.html", "The B"), ("c d/index.html", "Pic")]);
    let many: String = (0..500)
        .map(|n| format!("<a href={n}.html>l</a>"))
        .collect();
    assert_eq!(read(&many).links.len(), 200);
}

#[test]
fn pages_that_are_no_pages_are_named() {
    let refuse = |html: &str| parse("p.html", html, &InputOptions::default()).expect_err("no page");
    assert_eq!(
        refuse("<meta http-equiv=Refresh content='0; URL=x.html'><p>Moved"),
        SkipReason::Redirect
    );
    assert_eq!(
        refuse("<meta name=robots content='NOINDEX, follow'><p>x"),
        SkipReason::NoIndex
    );
    assert_eq!(
        refuse("<title>only</title><main><script>x</script></main>text outside"),
        SkipReason::Empty
    );
    assert!(
        parse(
            "p.html",
            "<meta http-equiv=refresh content=300><p>live",
            &InputOptions::default()
        )
        .is_ok()
    );
}

#[test]
fn broken_and_hostile_markup_is_survived() {
    for html in [
        "<main><h1>open",
        "</main></p></div>text",
        "<table><td>x<table><tr>y",
        "<a href='",
        "<!-- open",
        "<p>&#0;&#x110000;x",
        "<main></body></html>after",
        "<h1><h2><h3>x",
        "<pre><h2>x</pre></h2>y",
        "<ul><li><pre>a\n<li>b",
        "<svg><p>x</svg>y",
        "<frameset><frame></frameset>",
        "<h2>a<table><tr><td>b<h3>c</table>d",
        "<select><option><main>x",
    ] {
        let _ = parse("p.html", html, &InputOptions::default());
    }
    let deep = format!(
        "<main>{}deep{}",
        "<div>".repeat(100_000),
        "</div><p>after".repeat(3)
    );
    assert!(read(&deep).sections[0].text.starts_with("deep"));
    let deep = "<b><i><font><section><ul><li><blockquote>".repeat(20_000) + "deep";
    assert_eq!(read(&deep).sections[0].text, "deep");
    let nested = "<table><tr><td>".repeat(20_000) + "deep";
    assert!(read(&nested).sections[0].text.contains("deep"));
}

#[test]
fn html_that_nothing_calls_a_page_is_a_piece_of_one() {
    let is_piece = |html: &str| read(html).facts.classes.contains("is-piece");
    assert!(is_piece(
        "<div><svg></svg><style>x{}</style><table><tr><td>Tides</td></tr></table></div>"
    ));
    for page in [
        "<!DOCTYPE html><p>Text.",
        "<title>Sea</title><p>Text.",
        "<h2>Sea</h2><p>Text.",
        "<BODY><p>Text.",
    ] {
        assert!(!is_piece(page), "{page}");
    }
}
