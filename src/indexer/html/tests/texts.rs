//! Lines as generators write them: what stays, what goes, and what is kept apart.

use super::read;

fn text(html: &str) -> String {
    let page = read(&format!("<main><p>Before.</p>{html}<p>After.</p></main>"));
    let sections = page.sections.iter().map(|s| {
        if s.heading.is_empty() {
            s.text.clone()
        } else {
            format!("# {}\n{}", s.heading, s.text)
        }
    });
    let text = sections.collect::<Vec<_>>().join("\n");
    let inside = text.strip_prefix("Before.\n").expect("what is before");
    let inside = inside.strip_suffix("After.").expect("what is after");
    inside.trim_end().replace('\n', " / ")
}

#[test]
fn what_themes_put_between_the_texts_is_no_text() {
    for html in [
        // Tables of contents.
        "<div class='tableOfContents_bqdL thin-scrollbar theme-doc-toc-desktop'><ul class='table-of-contents'><li><a href='#a'>A</a></ul></div>",
        "<div class='tocCollapsible_ETCw theme-doc-toc-mobile'><a href='#a'>On this page</a></div>",
        "<div class=toc><ul><li><a href='#a'>A</a></ul></div>",
        "<aside id=toc><p>Contents</aside>",
        "<div class='contents local topic' id=contents><ul class=simple><li><a href='#a'>A</a></ul></div>",
        "<div role=navigation><a href=x>Up</a></div>",
        "<div class=page-menu><h3>On This Page</h3></div>",
        // Navigation of reference generators.
        "<div class=navheader><table><tr><th>73.1. Files</th></tr><tr><td><a accesskey=p href=a>Prev</a></td></tr></table><hr></div>",
        "<div class=nav-panel><p>Next: <a href=a rel=next>A</a>, Up: <a href=b rel=up>B</a></p></div>",
        "<div id=titlearea><table><tr><td><img alt=Logo src=x.png><div id=projectname>Eigen 3.4</div></table></div>",
        "<div class=header><div class=summary><a href=a-members.html>List of all members</a> | <a href='#b'>Functions</a></div></div>",
        "<div id=package-header><span class=caption>base</span><ul class=links id=page-menu><li><a href=src/A.html>Source</a></ul></div>",
        "<a href='src/A.html#f' class=link>Source</a> <a href='#v:f' class=selflink>#</a>",
        "<a class=srclink title='go to source location' href='https://x.org/a.c'>[src]</a>",
        "<div class=header><p>Next: <a href=a>A b</a>, Up: <a href=c>C</a> &nbsp; [<a href=x.html>Contents</a>]</p></div>",
        "<div class=tocset><a href=a>1 A</a></div><div class=navsettop>top <a href=a>up</a></div><div class=navsetbottom>top</div>",
        "<div id=qtdocheader><div class=navigationbar><ul><li>Qt 5.15<li><a href=a>Qt Core</a><li>QTimer</ul></div></div>",
        "<div id=definition><p id=owner><a href=a>scala</a></p><h3><span class=morelinks>Related Docs: <a href=a>a</a></span></h3></div>",
        "<span class=permalink><a href=x title=Permalink><img alt=Permalink src=x.png></a></span><div id=mbrsel>Ordering</div>",
        "<div class='toggleContainer block'><span class=toggle>Linear Supertypes</span><div class='superTypes hiddenContent'>Any</div></div>",
        "<div id=template><div id=inheritedMembers><h3>Inherited from Any</h3></div><div id=groupedMembers><h3>Ungrouped</h3></div></div>",
        "<div><details class=mkdocstrings-source><summary>Source code in <code>a.py</code></summary><pre>def a():</pre></details></div>",
        // Frames of code.
        "<div class='language-js'><button class=copy></button><span class=lang>js</span></div>",
        "<figure><figcaption class=header><span class=title></span><span class=sr-only>Terminal window</span></figcaption></figure>",
        "<p class='visually-hidden'>Pager</p>",
        // Links to elsewhere.
        "<p><a href='https://github.com/o/r/edit/main/docs/x.md'>Improve this page</a></p>",
        "<a class='theme-edit-this-page' href=x>Edit this page</a>",
        "<div class=bd-sidebar-secondary><div class='tocsection sourcelink'><a href=_sources/x.rst.txt>Show Source</a></div></div>",
        "<div class='tocsection editthispage'><a href=x>Edit on GitHub</a></div><div class=sourcelink>Show Source</div>",
        "<ul class=links-nextprev><li>← Previous<br><a href=a>A</a></ul>",
        "<p><a rel=prev href=a>Previous: A</a> <a rel='next nofollow' href=b>Next: B</a></p>",
        "<nav class='pagination-nav'>Next</nav><div class=pagination-links>Next</div>",
        "<a href='#content'>Skip to main content</a>",
        "<a href='_modules/x.html#X'><span class=viewcode-link><span class=pre>[source]</span></span></a>",
        "<a class=viewcode-back href=x>[docs]</a>",
        "<div class=rule id=r-abi.intro><a class=rule-link href='#r-abi.intro'><span>[abi<wbr>.intro]</span></a></div>",
        // Dates and versions.
        "<span class=theme-last-updated>Last updated on <b>May 1, 2024</b></span>",
        "<div>Last updated: January 1, 0001</div>",
        "<div class='lastUpdated_JAkA'>Yesterday</div>",
        "<span class='VPBadge info'>^1.9.0</span>",
        "<span class='theme-doc-version-badge badge badge--secondary'>Version: 30.4</span>",
        "<span class=mdx-badge><span class=mdx-badge__text>pymdownx.superfences</span></span>",
        // Paper.
        "<div class='hidden print:flex justify-between'><div>Hugo Documentation</div><img alt='Link to https://gohugo.io/x/'></div>",
        "<div class='d-none d-print-block'>Printed</div><div class=print-only>Printed</div>",
        // Pictures that say nothing.
        "<img alt='https://example.org/page'><img alt='Search by QR code linking to https://example.org/'>",
        "<img alt='Favicon for https%3A%2F%2Fexample.org%2F' class=avatar>",
        "<img alt='_images/flask-name.svg'><img alt='photo.PNG'><img alt='—'>",
    ] {
        assert_eq!(text(html), "", "{html}");
    }
}

#[test]
fn links_to_the_pages_around_are_no_text() {
    for html in [
        "<ul class='docnav top'><li class=previous><a accesskey=p href=a><strong>Zurück</strong></a></li><li class=home>Das Handbuch</li></ul>",
        "<ul><li><a accesskey=p href=a><strong>Précédent</strong>8.7. Ports</a></li><li><a accesskey=h href=b>Sommaire</a></ul>",
        "<table class=nav_table><tr><td>[<a href=a> &lt;&lt; Tabelle </a>]<td>[<a href=b>Inizio</a>]</table>",
        "<table><tr><td>[<a href=a rel=previous> &lt; Stili </a>]<td>[<a href=b rel=up> Su : Tabelle </a>]</table>",
    ] {
        assert_eq!(text(html), "", "{html}");
    }
}

#[test]
fn links_to_the_pages_around_are_text_where_more_stands_beside_them() {
    assert_eq!(
        text("<p>Read on in <a href=b accesskey=n>the next chapter</a>.</p>"),
        "Read on in the next chapter."
    );
    assert_eq!(
        text("<ul><li><a href=a>Tides</a><li><a href=b>Ebb</a></ul>"),
        "Tides / Ebb"
    );
}

#[test]
fn the_foot_of_a_page_is_no_text() {
    let read = |html: &str| {
        let page = read(&format!("<body><h1>T</h1><p>Text.</p>{html}"));
        let texts = page.sections.into_iter().map(|s| s.text);
        texts.collect::<Vec<_>>().join(" / ")
    };
    let foot = "<div id=footer><p>Questa pagina documenta LilyPond.</p></div>";
    assert_eq!(read(&[foot, "<script>x</script>"].concat()), "Text.");
    assert!(read(&[foot, "<p>More.</p>"].concat()).contains("documenta"));
    assert!(read("<div id=footer><h2>Notes</h2><p>Text of it.</p></div>").contains("Text of it"));
}

#[test]
fn badges_are_no_part_of_the_heading_that_they_stand_in() {
    for (html, want) in [
        (
            "<h2 id=x>envFile <span class='VPBadge warning'>NRV</span> <a class=header-anchor href='#x'>\u{200b}</a></h2>",
            "# envFile",
        ),
        (
            "<h2><code>width</code> <span class='doc doc-labels'><small class='doc doc-label'><code>property</code></small></span></h2>",
            "# width",
        ),
        (
            "<h2>Passkeys <span class='badge badge--primary'>beta</span></h2>",
            "# Passkeys",
        ),
        (
            "<h2><code>again</code> <span class='sl-badge note'>New</span></h2>",
            "# again",
        ),
        (
            "<h2>Ask<span class='sd-sphinx-override sd-badge'>draft</span></h2>",
            "# Ask",
        ),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn a_row_of_tabs_over_code_is_no_text() {
    let tabs = |panel: &str| {
        text(&format!("<p>Install it.<div class=tabs-container><ul role=tablist class=tabs><li role=tab>npm<li role=tab>Yarn</ul>
            <div><div role=tabpanel>{panel}</div><div role=tabpanel hidden><pre><code>yarn add x</code></pre></div></div></div>"))
    };
    let of_code =
        tabs("<div class=block><pre><code>npm i x</code></pre><button>Copy</button></div>");
    assert!(
        !of_code.contains("Yarn") && of_code.contains("npm i x"),
        "{of_code}"
    );
    let of_text =
        tabs("<p>With npm, a package is installed into the folder of the project that needs it.");
    assert!(of_text.contains("Yarn"), "{of_text}");
}

#[test]
fn a_heading_in_a_link_to_another_page_is_the_title_of_a_card() {
    let page = super::read(
        "<title>Methods</title><main><h1>Methods</h1><a class=card href=/methods/all/><div><h3>AllPages</h3><p>Returns all
        pages.</p></div></a><a href=#own><h2 id=own>Own</h2></a><p>Text.</main>",
    );
    let outline = page.outline();
    let headings: Vec<&str> = outline.iter().map(|(_, heading, ..)| *heading).collect();
    assert_eq!(headings, ["", "Own"]);
    assert!(outline[0].3.contains("AllPages"));
}

#[test]
fn what_looks_alike_stays() {
    for (html, want) in [
        (
            "<h3 id=source><a class=header href='#source'><code>[source]</code></a></h3>",
            "# [source]",
        ),
        ("<a href='guide/source.html'>Source</a>", "Source"),
        (
            "<aside class=starlight-aside><p class=starlight-aside__title aria-hidden=true>Mind the barnacles</p><p>Text.</aside>",
            "Mind the barnacles / Text.",
        ),
        (
            "<div class=admonition><p class=admonition-title>Note</p><p>Text.</div>",
            "Note: Text.",
        ),
        (
            "<div class='hidden lg:block'>Wide</div><div class='print:hidden'>Screen</div>",
            "Wide / Screen",
        ),
        (
            "<p>Last updated pages come first.</p><p>Last modified is a header.</p>",
            "Last updated pages come first. / Last modified is a header.",
        ),
        (
            "<p>See <a href='https://example.org/edit/x'>the editor</a> and <a href='#x'>below</a>.</p>",
            "See the editor and below.",
        ),
        (
            "<p>It is <span class=badge>New</span> <span class=lang>Rust</span></p>",
            "It is New Rust",
        ),
        (
            "<img alt='A chart: see https://example.org for the numbers behind it'><img alt='Node.js and npm'>",
            "A chart: see https://example.org for the numbers behind it Node.js and npm",
        ),
        ("<h2 class=toc id=toc>Table of contents</h2>", "# Table of contents"),
        ("<h2><span class=VPBadge>Beta</span></h2><p>It.", "# Beta / It."),
        ("<h2>The <span class=gadget>gauge</span></h2>", "# The gauge"),
        (
            "<div class='toctree-wrapper compound'><ul><li class=toctree-l1><a href='a/'>Install</a><ul><li class=toctree-l2><a
            href='a/#python'>Python</a></ul></ul></div>",
            "Install",
        ),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn what_looks_like_navigation_of_a_generator_stays() {
    for (html, want) in [
        (
            "<p>Starts it. <a href='#details'>More...</a></p><p><a href=more.html>More...</a></p>",
            "Starts it. / More...",
        ),
        (
            "<div class=header>Next: <a href=a>A</a> follows.</div><div class=header>Next:</div>",
            "Next: A follows. / Next:",
        ),
        (
            "<p class='shortcomment cmt'>Gives it.</p><div class=fullcomment>Gives it. Often.</div><p class=shortcomment>Takes it.</p>",
            "Gives it. Often. / Takes it.",
        ),
        (
            "<a class=permalink href=a>The first post</a>",
            "The first post",
        ),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn a_picture_does_not_say_again_what_stands_beside_it() {
    for (html, want) in [
        (
            "<div class=figure><p class=title><b>Figure 17.3. The <i>Blur</i> filter</b></p><div class=figure-contents><img
            alt='The Blur filter' src=a.png><div class=caption>Original</div><img alt=Blurred src=b.png></div></div>",
            "Figure 17.3. The Blur filter / Original / Blurred",
        ),
        (
            "<figure><img alt='A tide' src=a.png><figcaption>A tide</figcaption></figure>",
            "A tide",
        ),
        (
            "<table><tr><td rowspan=2><img alt='[Note]' src=n.png></td><th>Note</th></tr><tr><td>Mind it.</td></tr></table>",
            "Note / Mind it.",
        ),
        ("<table><tr><td><img alt='[Tip]' src=n.png></td><td>Do it.</td></tr></table>", "Tip | Do it."),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn what_a_page_shows_apart_is_read_apart_and_words_stay_whole() {
    for (html, want) in [
        (
            "<div class=plugin-tabs-bar><div class=tabs><input type=radio><label for=t1>npm</label><input type=radio><label for=t2>Yarn</label><input
            type=radio><label>pnpm</label></div></div>",
            "npm Yarn pnpm",
        ),
        (
            "<ul role=tablist><li role=presentation><a role=tab href='#p0' id=t0>npm</a></li><li role=presentation><a role=tab
            href='#p1'>pnpm</a></li></ul>",
            "npm pnpm",
        ),
        (
            "<ul role=tablist class=tabs><li role=tab class=tabs__item>npm</li><li role=tab>Yarn</li></ul>",
            "npm Yarn",
        ),
        (
            "<div class=sl-link-card><span class=stack><a href=x><span class='title x'>Customizing Starlight</span></a><span
            class='description x'>Learn how.</span></span></div>",
            "Customizing Starlight Learn how.",
        ),
        (
            "<h2><span class='name clip'>Tidewater</span><span class=text>Tide tables</span></h2>",
            "# Tidewater Tide tables",
        ),
        (
            "<p><span class=card-title>Install</span>the client<span class=card__description>in a minute</span>.</p>",
            "Install the client in a minute.",
        ),
        (
            "<p><a href=a>one</a><a href=b>two</a> <kbd>Ctrl</kbd><kbd>Esc</kbd></p>",
            "one two Ctrl Esc",
        ),
        (
            "<a href=x><strong>Guide</strong><!-- --><small class=tagline>Start here</small></a>",
            "Guide Start here",
        ),
        // One word each.
        ("<p><b>bo</b>ld <i>a</i><b>b</b> <span>Java</span><span>Script</span></p>", "bold ab JavaScript"),
        ("<p>un<em>believ</em><strong>able</strong> H<sub>2</sub>O</p>", "unbelievable H2O"),
        (
            "<p><code><span class=n>foo</span><span class=p>.</span><span class=n>barbar</span><span class=k>baz</span></code></p>",
            "foo.barbarbaz",
        ),
        (
            "<pre><code><span class=title>let</span><span class=tag>x</span>\n<span class=label>two</span></code></pre>",
            "letx / two",
        ),
        ("<p><span class=logo>D</span><span class=logo>ocs</span></p>", "Docs"),
        ("<p>(<span class=title>Name</span>) “<span class=title>Name</span>”</p>", "(Name) “Name”"),
        ("<p><span class=title>名前</span><span class=description>説明</span></p>", "名前説明"),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn labels_of_tabs_and_what_stands_behind_the_text_are_no_text() {
    for (html, want) in [
        (
            "<div class=vp-code-group><div class=tabs><input type=radio id=a><label data-title=npm for=a>npm</label><input type=radio
            id=b><label data-title=yarn for=b>yarn</label></div><div class=blocks><div><pre>npm i</pre></div><div><pre>yarn add</pre></div></div></div>",
            "npm i / yarn add",
        ),
        (
            "<div class='tabbed-set tabbed-alternate'><input type=radio><div class=tabbed-labels><label for=a>Python
            3.10+</label></div><div class=tabbed-content><div class=tabbed-block><div class=highlight><pre>let
            </pre></div></div></div></div>",
            "let",
        ),
        (
            "<div class=sl-container><div class=sl-markdown-content><p>Text.</p></div><footer>Edit</footer><div
            class=footer-sponsor><p>Sponsored by</p></div></div>",
            "Text.",
        ),
        (
            "<p><a href=x><img alt=Depot class=light> <img alt=Depot class=dark></a> <img alt=Yes> and <img alt=Yes></p>",
            "Depot Yes and Yes",
        ),
        (
            "<dl><dt><strong>source</strong><span class=classifier>node, optional</span></dt><dd><p>Where to start.</p></dd></dl>",
            "source node, optional / Where to start.",
        ),
        ("<pre>lint/noConsole FIXABLE ━━━━━━━━━━\n\nIt.</pre>", "lint/noConsole FIXABLE ━ / It."),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn what_looks_like_labels_and_lines_stays() {
    for (html, want) in [
        (
            "<div class='vp-code-group'><div class=tabs><label for=a>vite.config.js</label></div><div class=blocks><pre>a</pre></div></div>",
            "vite.config.js / a",
        ),
        (
            "<div class='tabbed-set tabbed-alternate'><input type=radio><div class=tabbed-labels><label for=a>Linux</label><label
            for=b>macOS</label></div><div class=tabbed-content><div class=tabbed-block><p>Moor it.</p></div></div></div>",
            "Linux macOS / Moor it.",
        ),
        ("<p>a ─ b ├── c ┌────┬──┐</p>", "a ─ b ├── c ┌────┬──┐"),
        (
            "<div class=sl-container><p>First.</p><div class=sl-markdown-content><p>Text.</p></div></div>",
            "First. / Text.",
        ),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn the_label_of_a_callout_begins_its_first_line() {
    for (html, want) in [
        (
            "<div class='tip custom-block'><p class='custom-block-title custom-block-title-default'>TIP</p><p>Drop anchor.</p><p>Then
            wait.</p></div>",
            "TIP: Drop anchor. / Then wait.",
        ),
        (
            "<div class='tip custom-block'><p class=custom-block-title>Security</p><p>Lock it.</p></div>",
            "Security / Lock it.",
        ),
        (
            "<div class=admonition><p class=admonition-title>Note</p><ul><li>One.<li>Two.</ul></div>",
            "Note: / One. / Two.",
        ),
    ] {
        assert_eq!(text(html), want, "{html}");
    }
}

#[test]
fn a_badge_is_no_word_of_its_heading() {
    let title = |badge: &str| {
        let badge = format!("<a href=https://pypi.org/x><img alt=PyPI src={badge}></a>");
        read(&format!(
            "<title>Fire</title><main><h1 id=fire>Sea Fire {badge}</h1><p>Text.</p></main>"
        ))
        .title
    };
    for badge in [
        "https://img.shields.io/pypi/pyversions/fire.svg?style=plastic",
        "https://badge.fury.io/py/fire.svg",
        "https://github.com/x/y/actions/workflows/ci.yml/badge.svg?branch=main",
    ] {
        assert_eq!(title(badge), "Sea Fire", "{badge}");
    }
    assert_eq!(title("logo.svg"), "Sea Fire PyPI");
    let alone =
        "<title>x</title><h1><img alt=Fire src=https://img.shields.io/fire></h1><p>Text.</p>";
    assert_eq!(read(alone).title, "Fire");
}

#[test]
fn the_source_of_a_formula_is_no_text() {
    let page = read(
        "<h1>Tides</h1><p>If <span class=katex><span class=katex-mathml><math><semantics><mrow><mi>a</mi><mo>&lt;</mo><mn>1</mn></mrow><annotation
        encoding='application/x-tex'>a<1</annotation></semantics></math></span><span class=katex-html
        aria-hidden=true>a<1</span></span>, it ebbs.</p>",
    );
    assert_eq!(page.sections[0].text, "If a<1, it ebbs.");
}

#[test]
fn a_number_that_a_heading_marks_is_no_part_of_it() {
    let page = read(
        "<main><h1><span class=header-section-number>2</span> Tides</h1><p>They rise.</p><h2 id=a><span
        class=header-section-number>2.1</span> Spring tides</h2><p>High.</p><h2 id=b><a class=toc-backref href='#t'><span
        class=sectnum>2.2&nbsp;&nbsp;&nbsp;</span>Neap tides</a></h2><p>Low.</p><h2 id=c><a class=toc-backref
        href='#u'>2.3&nbsp;&nbsp;&nbsp;Rips</a></h2><p>See <span class=section-number>2.1</span>.</p><h2 id=d>2.4 Bores</h2></main>",
    );
    assert_eq!(page.title, "Tides");
    let headings: Vec<&str> = page.sections.iter().map(|s| s.heading.as_str()).collect();
    assert_eq!(
        headings,
        ["", "Spring tides", "Neap tides", "Rips", "2.4 Bores"]
    );
    assert_eq!(page.keywords, ["2", "2.1", "2.2", "2.3"]);
    assert_eq!(page.sections[3].text, "See 2.1.");
}

#[test]
fn numbers_of_hevea_bikeshed_xml2rfc_org_halibut_and_pretext_are_set_apart() {
    for heading in [
        "2.3&#x2003;Tides",
        "Chapter&nbsp;2.3&#x2003;Tides",
        "<span class=secno>2.3. </span><span class=content>Tides</span>",
        "<a href=#t class='section-number selfRef'>2.3. </a><a href=#n>Tides</a>",
        "<span class=titlemark>2.3</span> Tides",
        "<span class=section-number-2>2.3</span> Tides",
        "<a name=sea></a><a name=S2.3></a>2.3 Tides",
        "<a name=sea></a><a name=Q2.3></a>2.3 Tides",
        "<span class=type>Section</span><span class=space> </span><span class=codenumber>2.3</span><span
            class=space> </span><span class=title>Tides</span>",
    ] {
        let page = read(&format!("<main><h1>Sea</h1><h2 id=t class=heading>{heading}</h2><p>They rise.</main>"));
        assert_eq!(page.sections[0].heading, "Tides", "{heading}");
        assert_eq!(page.keywords, ["2.3"], "{heading}");
    }
    let named = "<span class=type>Principle</span> <span class=codenumber>2.3</span><span class=period>.</span> <span
        class=title>Tides</span>";
    let page = read(&format!(
        "<main><h1>Sea</h1><h2 id=t class=heading>{named}</h2><p>They rise.</main>"
    ));
    assert_eq!(page.sections[0].heading, "Tides");
    let kept = "<span class=type>Example</span> <span class=codenumber>2.3</span>";
    let page = read(&format!(
        "<main><h1>Sea</h1><h2 id=t class=heading>{kept}</h2><p>They rise.</main>"
    ));
    assert_eq!(page.sections[0].heading, "Example 2.3");
}

#[test]
fn rows_of_links_in_brackets_are_no_text() {
    let page = read(
        "<body><table class=bar><tr><td><b>[<a href=a.html>Overview</a>][<a href=b.html>Types</a>]</b><td>Unit Sea</table>
        <h1>Tide</h1><p>[<a href=c.html>Methods</a>] [<a href=d.html>Events</a>]</p><p>It rises.<p>[<a href=e.html>1</a>]
        says so.<h2>Declaration</h2><p>Source position: tides.pp line 30</p><p>type Tide = class</p>",
    );
    let texts: Vec<&str> = page.sections.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["It rises.\n[1] says so.", "type Tide = class"]);
}

#[test]
fn titles_of_xml2rfc_and_tiddlywiki_are_whole_and_none_of_a_section() {
    let rfc = "<title>RFC 1: Sea/3</title><main><h1 id=rfcnum>RFC 1</h1><h1 id=title>Sea/3</h1><p>It is wide.<section
        id=section-boilerplate.1><h2>Status</h2><p>Standards track.</section></main>";
    let page = read(rfc);
    assert_eq!(page.title, "RFC 1: Sea/3");
    assert!(page.sections.iter().all(|s| !s.text.contains("track")));
    let wiki = "<title>Tides: Wiki v5</title><section><div class=tc-static-alert>Static page.</div><h2
        class=tc-title>Tides</h2><div class=tc-subtitle>3rd May 2020</div><div class=tc-tiddler-body><h1>Usage</h1><p>They rise.</p><h1>Ebb</h1><p>Low.</p></section>";
    let page = read(wiki);
    assert_eq!((&*page.title, page.facts.n_h1), ("Tides", 1));
    assert!(
        page.sections
            .iter()
            .all(|s| !s.text.contains("3rd") && !s.text.contains("Static"))
    );
}

#[test]
fn signs_that_sandcastle_writes_by_script_stand_in_titles_and_texts() {
    let sign = |id: &str, texts: &str| {
        format!(
            "<span id={id}></span><script type=text/javascript>AddLanguageSpecificTextSet(\"{id}?{texts}\");</script>"
        )
    };
    let page = read(&format!(
        "<title>Sorter(T).Sort Method</title><div id=leftNav class=leftNav>Menu</div><div class=topicContent><h1>Sorter{}<span
        class=typeparameter>T</span>{}{}Sort Method</h1><p>System{}String</p></div>",
        sign("LST1_0", "cs=&lt;|vb=(Of |cpp=&lt;|fs=&lt;'|nu=("),
        sign("LST1_1", "cs=&gt;|vb=)|cpp=&gt;|fs=&gt;|nu=)"),
        sign("LST1_2", "cs=.|vb=.|cpp=::|nu=.|fs=."),
        sign("LST1_3", "cs=.|vb=.|cpp=::|nu=.|fs=.")
    ));
    assert_eq!(page.title, "Sorter(T).Sort Method");
    assert_eq!(page.sections[0].text, "System.String");
}

#[test]
fn bold_phrases_that_the_page_links_to_are_headings() {
    let contents = "<ul><li><a href=#when>When?</a><li><a href=#who>Who?</a><li><a href=#deep>1.2 Deep</a></ul>";
    let faq = "<p><a id=when><b>When is the <i>ebb</i>?</b></a><br>At six.</p><p>Or later.</p>
        <p><b><a name=who>Who rings?</a></b></p><p>The keeper, at <a name=deep></a>night.</p>
        <table><tr><td bgcolor='#525D76'><font color=white><a name=deep><strong>1.2 Deep water</strong></a></font></td></tr>
        <tr><td><p>Falls.</p></td></tr></table>";
    let more = "<p><a name=other><b>Nobody links here</b></a></p><p><a name=who><b>Beware:</b></a> it is deep.</p>";
    let page = read(&format!("<body><h1>Tides</h1>{contents}{faq}{more}</body>"));
    let sections = page.sections.iter().skip(1);
    let sections: Vec<_> = sections
        .map(|s| (s.heading.as_str(), s.anchor.as_str(), s.text.as_str()))
        .collect();
    assert_eq!(
        sections,
        [
            ("When is the ebb?", "when", "At six.\nOr later."),
            ("Who rings?", "who", "The keeper, at night."),
            (
                "1.2 Deep water",
                "deep",
                "Falls.\nNobody links here\nBeware: it is deep."
            ),
        ]
    );
    // A row of its own needs no link.
    let unlinked = contents.replace("#deep", "#shallow");
    let page = read(&format!("<body><h1>Tides</h1>{unlinked}{faq}{more}</body>"));
    assert_eq!(page.sections.len(), 4);
    // Links are no headings, whatever cells they fill.
    let links: String = ["a", "b", "c"]
        .map(|page| format!("<tr><td><a href={page}.html><b>Page {page}</b></a></td></tr>"))
        .concat();
    let page = read(&format!(
        "<body><h1>Tides</h1><p>They rise.</p><table>{links}</table></body>"
    ));
    assert_eq!(page.sections.len(), 1);
    // Two are remarks.
    let few = faq.replace("id=when", "id=then");
    let page = read(&format!("<body><h1>Tides</h1>{contents}{few}</body>"));
    assert_eq!(page.sections.len(), 1);
}
