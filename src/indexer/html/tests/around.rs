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
