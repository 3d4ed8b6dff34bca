//! Manual pages and Perl's documentation as their generators write them, trimmed to what reading looks at.

use super::read;

#[test]
fn pages_of_pod2html_are_called_by_their_names_and_items_by_their_first_words() {
    let page = read(
        "<html><head><title></title><link rev=made href='mailto:root@localhost'></head><body>
        <ul id=index><li><a href='#NAME'>NAME</a></li><li><a href='#TIDES'>TIDES</a></li></ul>
        <h1 id=NAME>NAME</h1><p>perlsea - Perl at sea</p><h1 id=TIDES>TIDES</h1>
        <dl><dt id=ebb-SEA-HOURS>ebb SEA,HOURS</dt><dd>\n</dd><dt id=ebb>ebb</dt><dd><p>Goes out.</p></dd>
        <dt id=High-water>High water</dt><dd><p>Twice a day.</p></dd></dl>",
    );
    assert_eq!(page.title, "perlsea");
    assert_eq!(page.description, "Perl at sea");
    assert_eq!(page.facts.title_element, "perlsea - Perl at sea");
    assert_eq!(
        page.outline(),
        [
            (0, "", "NAME", "perlsea - Perl at sea"),
            (1, "TIDES", "TIDES", ""),
            (2, "ebb", "ebb-SEA-HOURS", "ebb SEA,HOURS\nebb\nGoes out."),
            (2, "High water", "High-water", "Twice a day."),
        ]
    );
}

#[test]
fn items_of_older_versions_are_sections_at_their_anchors() {
    let page = read(
        "<title>Sea</title><body><div name=index><p><a name=__index__></a></p><ul><li><a href='#tides'>TIDES</a></li></ul></div>
        <h1><a name=tides>TIDES</a></h1><p>They come and go.</p>
        <dl><dt><strong><a name=item_ebb>ebb SEA,HOURS</a></strong><br></dt><dd><p>Goes out.</p></dd>
        <dt><strong><a name=flow class=item>flow</a></strong></dt><dd><p>Comes in.</p></dd></dl>
        <ul><li><a name=item_tidetable></a><a name=tidetable></a><b>TideTable [yes|NO]</b><p>Shows it.</p></li>
        <li><a name=item_the_moon></a><b>The moon is new</b><p>Then it is high.</p></li></ul>",
    );
    assert_eq!(
        page.outline(),
        [
            (
                1,
                "TIDES",
                "tides",
                "They come and go.\nThe moon is new\nThen it is high."
            ),
            (2, "ebb", "item_ebb", "ebb SEA,HOURS\nGoes out."),
            (2, "flow", "flow", "Comes in."),
            (
                2,
                "TideTable",
                "item_tidetable",
                "TideTable [yes|NO]\nShows it."
            ),
        ]
    );
}

#[test]
fn pages_of_man2html_and_mandoc_are_called_by_their_names() {
    let man2html = read(
        "<title>Man page of EBB</title><body><h1>EBB</h1>Section: User Commands  (1)<br><a href='#index'>Index</a>
        <a href='../index.html'>Return to Main Contents</a><hr><a name=lbAB>&nbsp;</a><h2>NAME</h2>\nebb, flow - turn the tide
        <a name=lbAC>&nbsp;</a><h2>SYNOPSIS</h2><b>ebb</b> [-H]",
    );
    assert_eq!(man2html.title, "ebb, flow");
    assert_eq!(man2html.names, ["ebb", "flow"]);
    assert_eq!(
        man2html.outline(),
        [
            (0, "", "lbAB", "ebb, flow - turn the tide"),
            (2, "SYNOPSIS", "lbAC", "ebb [-H]"),
        ]
    );
    let mandoc = read(
        "<title>EBB(1)</title><body><table class=head><tr><td class=head-ltitle>EBB(1)</td><td class=head-vol>General Commands
        Manual</td><td class=head-rtitle>EBB(1)</td></tr></table><div class=manual-text><section class=Sh><h1 class=Sh id=NAME><a
        class=permalink href='#NAME'>NAME</a></h1><p class=Pp><code class=Nm>ebb</code> &#x2014;<div class=Nd>turn the tide</div></section>
        <section class=Sh><h1 class=Sh id=SYNOPSIS><a class=permalink href='#SYNOPSIS'>SYNOPSIS</a></h1><p>ebb -H</p></section></div>",
    );
    assert_eq!(
        (mandoc.title.as_str(), mandoc.description.as_str()),
        ("ebb", "turn the tide")
    );
    assert_eq!(
        mandoc.outline(),
        [
            (0, "", "NAME", "ebb —\nturn the tide"),
            (1, "SYNOPSIS", "SYNOPSIS", "ebb -H"),
        ]
    );
}

#[test]
fn chapters_of_linuxdoc_have_no_numbers_and_their_list_is_no_text() {
    let page = read(
        "<body><h1>The sea</h1><h2>A sailor</h2><em>What it does.</em><hr>
        <h2><a name=toc1>1.</a> <a href='sea.html#s1'>Tides</a></h2>
        <ul><li><a name='toc1.1'>1.1</a> <a href='sea.html#ss1.1'>Ebb</a></ul>
        <h2><a name=toc2>2.</a> <a href='sea.html#s2'>Moon</a></h2><hr>
        <h2><a name=s1>1.</a> <a href='#toc1'>Tides</a></h2><p>They rise.
        <h2><a name='ss1.1'>1.1</a> <a href='#toc1.1'>Ebb</a></h2><p>It falls.
        <h2><a name=s2>2. Moon</a></h2><p>It pulls.
        <h2><a name=s3>3 ships</a></h2><p>Came by.",
    );
    let sections: Vec<_> = page.outline().into_iter().skip(1).collect();
    assert_eq!(
        sections,
        [
            (2, "Tides", "s1", "They rise."),
            (2, "Ebb", "ss1.1", "It falls."),
            (2, "Moon", "s2", "It pulls."),
            (2, "3 ships", "s3", "Came by."),
        ]
    );
    assert_eq!(page.keywords, ["1", "1.1", "2"]);
}

#[test]
fn icons_are_no_part_of_a_section_s_heading() {
    let page = read(
        "<main><h1><img alt=Sea src=sea.svg> charts</h1><p>All.<h2><img alt=Keyboard src=k.png> Tides</h2><p>Rise.
        <h2><img alt=Ebb src=e.png></h2><p>Falls.</main>",
    );
    let headings: Vec<&str> = page.outline().iter().map(|s| s.1).collect();
    assert_eq!(
        (page.title.as_str(), headings),
        ("Sea charts", vec!["", "Tides", "Ebb"])
    );
}

#[test]
fn commands_of_doctools_are_sections_and_name_their_page() {
    let page = read(
        "<head><title>sea - The tides</title></head><body><h1>sea(3tcl) 1.5 sea &quot;The tides&quot;</h1>
        <div id=name><h2><a name=name>Name</a></h2><p>sea - turn the tide</p></div>
        <ul><li><a href='#1'><b class=cmd>::sea::ebb</b> <i class=arg>hours</i></a></li></ul>
        <h2><a name=section1>Commands</a></h2>
        <dl><dt><a name=1><b class=cmd>::sea::ebb</b> <i class=arg>hours</i></a></dt><dd><p>Goes out.</p></dd>
        <dt><a name=2><b class=cmd>::sea::flow now</b> <b class=option>-by</b> <span class=opt>?<i class=arg>feet
        ...</i>?</span></a></dt><dd><p>Comes in.</p></dd></dl></body>",
    );
    assert_eq!(
        (page.title.as_str(), page.description.as_str()),
        ("sea", "turn the tide")
    );
    let entries: Vec<_> = page
        .sections
        .iter()
        .filter(|s| s.heading.starts_with("::"))
        .collect();
    let entries: Vec<_> = entries.iter().map(|s| (&*s.heading, &*s.anchor)).collect();
    assert_eq!(entries, [("::sea::ebb", "1"), ("::sea::flow now", "2")]);
}
