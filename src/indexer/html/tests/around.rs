//! Rows of links and lists of contents that only their texts tell, and marks of footnotes, as generators write them.

use super::read;

fn text_of(html: &str) -> String {
    let page = read(html);
    let parts = page.sections.iter();
    let parts: Vec<String> = parts.map(|s| format!("{} {}", s.heading, s.text)).collect();
    parts.join("\n").trim().to_owned()
}

#[test]
fn rows_of_chapters_and_of_words_in_brackets_are_no_text() {
    let debiandoc = "<body><p>[ <a href=ch-a.html>anterior</a> ] [ <a href=index.html#contents>Conteúdo</a> ] [ <a href=ch-a.html>1</a>
        ] [ 2 ] [ <a href=ch-c.html>3</a> ] [ <a href=ch-d.html>4</a> ]</p><hr><p>Marés.</body>";
    assert_eq!(text_of(debiandoc), "Marés.");
    let gapdoc = "<body><div class=chlinktop><span>Goto Chapter: </span><a href=chap0.html>Top</a> <a href=chap1.html>1</a> <a
        href=chap2.html>2</a> <a href=chap3.html>3</a> <a href=chapInd.html>Ind</a></div><div>&nbsp;<a href=chap0.html>[Top of Book]</a>
        &nbsp; <a href=chap2.html>[Next Chapter]</a></div><p id=mathjaxlink><a href=chap1_mj.html>[MathJax on]</a></p><div
        class=ChapSects><a href=chap1.html#X>1 Tides</a><div><a href=chap1.html#Y>1.1 Ebb</a></div></div><p>Tides.</body>";
    assert_eq!(text_of(gapdoc), "Tides.");
}

#[test]
fn lists_that_are_no_rows_of_chapters_are_text() {
    for kept in [
        "<p>See [<a href=b.html#Bou70>Bou70</a>] [<a href=b.html#Bou71>Bou71</a>]</p>",
        "<p><a href=#n1>1</a> <a href=#n2>2</a> <a href=#n3>3</a></p>",
        "<p>Chapters <a href=1.html>1</a>, <a href=2.html>2</a> and <a href=3.html>3</a> tell of tides.</p>",
        "<ul><li><a href=a.html>Tides</a> <li><a href=b.html>Moons</a> <li><a href=3.html>3</a></ul>",
        "<p><a href=b.html>[Bou70]</a> <a href=b.html>[Bou71]</a></p>",
        "<p><a href=#>Alone</a></p>",
    ] {
        let page = format!("<body><h1>Tides</h1>{kept}</body>");
        let plain = text_of(&page);
        let letters = plain.chars().filter(|c| c.is_alphanumeric()).count();
        assert!(letters > 2, "{kept}: {plain}");
    }
}

#[test]
fn buttons_and_contents_of_slate_are_no_text() {
    let slate = "<body class=index><a href=# id=nav-button><span>NAV <img src=n.png></span></a><div class=toc-wrapper><div
        class=lang-selector><a href=#>Shell</a> <a href=#>Ruby</a></div><ul id=toc><li><a href=#tides>Tides</a></ul><ul
        class=toc-footer><li><a href=https://x.org/buy>Buy it</a></ul></div><div class=page-wrapper><div class=dark-box><div
        class=lang-selector><a href=#>Shell</a> <a href=#>Ruby</a></div></div><div class=content><h1 id=tides>Tides</h1><p>Ebb and
        flood.</div></div></body>";
    assert_eq!(text_of(slate), "Ebb and flood.");
    let povray = "<body><div class=NavPanel><table class=NavTable><tr><td><a href=#r1>Tides</a><tr><td><a href=#r2>Ebb</a></table></div>
        <table><tr><td class=NavBar><a href=index.html>Home</a></table><h2><a name=r1></a>3.1 Tides</h2><p>Ebb and flood.</body>";
    assert_eq!(text_of(povray), "3.1 Tides Ebb and flood.");
    let sphinx = "<body><div class='toctree-wrapper compound'><ul><li><a href=a.html>Tides</a></ul></div></body>";
    assert_eq!(text_of(sphinx), "Tides");
}

#[test]
fn marks_of_footnotes_are_no_text() {
    let text = |html: &str| text_of(&format!("<main><h1>Tides</h1><p>{html}</main>"));
    for mark in [
        "<a href=#FOOT1><sup>1</sup></a>",
        "<sup><a href=#fn12>12</a></sup>",
        "<sup class=reference><a href='#note-1'>[1]</a></sup>",
    ] {
        assert_eq!(text(&format!("An old{mark} sea.")), "An old sea.", "{mark}");
    }
    let kept = text("See <a href=#n1>1</a>, 2<sup>10</sup> and x<sup><a href=#two>two</a></sup>.");
    assert_eq!(kept, "See 1, 210 and xtwo.");
}

#[test]
fn an_index_whose_links_are_numbers_of_sections_is_told() {
    let page = |entry: &str| {
        let entries: String = (1..40)
            .map(|n| entry.replace('N', &n.to_string()))
            .collect();
        let page = format!("<title>Index</title><body><h1>Index</h1>{entries}</body>");
        read(&page).facts.classes.contains("index-of-numbers")
    };
    assert!(page(
        "tide, of spring <a href=c.html#s>N.2-1</a>, <a href=d.html#s>A.N(7/2)</a><br>"
    ));
    for entry in [
        "<p>In the tides of spring, as <a href=c.html#s>N.2</a> says, boats lie low.",
        "tide <a href=c.html#s>Tides</a><br>",
        "tide <a href=c.html#s>N</a><br>",
        "<li><a href=c.html#s>5.N. <code>tide</code></a>",
    ] {
        assert!(!page(entry), "{entry}");
    }
}

#[test]
fn a_list_of_contents_above_the_heading_that_it_begins_with_is_no_text() {
    let list = |first: &str| {
        text_of(&format!(
            "<body><ul><li><a href='#c'>{first}</a><ul><li><a href='#s'>1.1 Ebb</a></ul></ul><h1><a name=c></a>Chapter 1: <a
            name=i></a>Tides</h1><p>They rise.</p></body>"
        ))
    };
    assert_eq!(list("Chapter 1: Tides"), "They rise.");
    assert!(list("Chapter 1: Sea").contains("Ebb"));
}

#[test]
fn what_autogsdoc_writes_around_a_class_is_no_text() {
    let page = |title: &str| {
        text_of(&format!(
            "<body><h1><a name='{title}'>Ebb class reference</a></h1><h3>Authors</h3><dl><dt>A. Sailor</dt><dd></dd></dl><p><b>Copyright:</b>
            (C) 1996</p><h2><a name='class$Ebb'>Ebb</a></h2><blockquote class=declared>Declared in: Sea.h</blockquote><div
            class=availability><b>Availability:</b> OpenStep</div><p>Falls.</p></body>"
        ))
    };
    assert_eq!(page("title$Ebb"), "Ebb Falls.");
    assert!(page("ebb").contains("A. Sailor"));
}

#[test]
fn a_line_of_links_down_to_the_page_is_its_trail_and_no_text() {
    let line = |links: &str| {
        let page = read(&format!(
            "<title>ebb</title><body><div>{links}</div><hr/><h1>ebb</h1><p>Falls.</p></body>"
        ));
        (page.facts.trail.join(" / "), page.sections[0].text.clone())
    };
    let [sea, tides, own] = ["sea", "tides", "page"].map(|n| format!("<a href='{n}.html'>{n}</a>"));
    for sign in [" > ", " :: "] {
        let (trail, text) = line(&[&*sea, &tides, &own].join(sign));
        assert!(
            trail.starts_with("sea / tides") && text == "Falls.",
            "{trail}, {text}"
        );
    }
    let (trail, text) = line(&format!("{sea} and {tides}"));
    assert!(
        trail.is_empty() && text.contains("sea and tides"),
        "{trail}, {text}"
    );
}

#[test]
fn the_index_of_a_texinfo_book_on_one_page_is_no_text() {
    let index = |page: &str| {
        let letters = "<table><tr><th>Jump to: </th><td><a class=summary-letter href=#I_E><b>E</b></a></td></tr></table>";
        text_of(&format!(
            "<body><h1>Sea</h1><h2 id=Tides>Tides</h2><p>Ebb and flood.</p><h2 id=I>Index</h2>{letters}<table class=index-fn><tr><td><a
            href='{page}#index-ebb'><code>ebb</code></a>: <td><a href='{page}#Tides'>Tides</a></table></body>"
        ))
    };
    assert_eq!(index(""), "Tides Ebb and flood.\nIndex");
    // Of a book on many pages, it is a page.
    assert!(index("Tides.html").contains("ebb"));
}

#[test]
fn what_comments_keep_from_search_engines_is_no_text() {
    let next = "<body><main><aside class=sidebar><ul class=sidebar-nav><li>Table of Contents<li>Overview</ul><!--noindex--><div
        class=post-toc-wrap><ol><li><a href=#Ebb>1. Ebb</a></ol></div><!--/noindex--><div class=site-overview-wrap>Jane Doe</div>
        </aside><h1>Tides</h1><p>They rise.</p><h2 id=Ebb>Ebb</h2><p>They fall.</p></main></body>";
    assert_eq!(text_of(next), "They rise.\nEbb They fall.");
    let google = "<body><h1>Tides</h1><!-- googleoff: index -->Menu <p>Home</p><!--googleon: index--><p>They rise.</p></body>";
    assert_eq!(text_of(google), "They rise.");
    let open = "<body><h1>Tides</h1><!--noindex--><p>They rise.</p><div><!--noindex--><p>Slowly.</p></div><!--noindex--></body>";
    assert_eq!(text_of(open), "They rise.\nSlowly.");
}

#[test]
fn hextras_boxes_of_links_above_and_below_a_page_are_no_text() {
    let page = |above: &str, below: &str| {
        text_of(&format!(
            "<title>Ebb</title><main>{above}<div class=content><div><h1>Ebb</h1></div><p>Falls.</p></div><div></div>{below}</main>"
        ))
    };
    let above = "<div><div> <a href=/sea/>Sea</a> </div><svg><path d=m></svg> <div><a href=/sea/tides/>Tides</a></div><svg></svg><div>Ebb</div></div>";
    let below = "<div><a href=/sea/flood/ title=Flood><svg></svg>Flood</a><a href=/sea/moon/ title=Moon>Moon<svg></svg></a></div>";
    assert_eq!(page(above, below), "Falls.");
    let cards = "<div><a href=/flood/ title='All of it'><svg></svg>Flood</a></div>";
    assert!(page("", cards).contains("Flood"));
    let text = "<div><div><a href=/sea/>Sea</a></div><svg></svg><div>Ebb</div><p>Of old.</p></div>";
    assert!(page(text, "").contains("Sea"));
}
