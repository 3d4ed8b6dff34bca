//! Lists of definitions as references have them whose terms lack ids, and whose texts stand behind them.

use super::read;

#[test]
fn terms_with_an_anchor_are_sections() {
    let page = read(
        "<main><h1>Limits</h1><p>All of them:</p><dl>
        <DT><b><a name='ebb_limit'>ebb_limit</a>\n(default: 3)</b></DT><DD><p>Falls.</p><dl><dt><b>yes</b></dt><dd>Always.</dd></dl></DD>
        <dt><strong><a name=flow></a>Flow limit:</strong></dt><dd>Rises.</dd>
        <p><a name=neap></a>
<dt><code>NEAP (0)</code></dt><dd>Weak.</dd></p>
        <a name=spring></a><dt><b>tide=spring<br>tide=king</b></dt><dd>Strong.</dd>
        <dt><a name=more href='more.html'>More</a></dt><dd>Elsewhere.</dd>
        <dt><a name=b>[Sea]</a></dt><dd>A book.</dd></dl><p>After.",
    );
    assert_eq!(
        page.outline(),
        [
            (
                0,
                "",
                "",
                "All of them:\nMore\nElsewhere.\n[Sea]\nA book.\nAfter."
            ),
            (
                2,
                "ebb_limit",
                "ebb_limit",
                "ebb_limit (default: 3)\nFalls.\nyes\nAlways."
            ),
            (2, "Flow limit", "flow", "Rises."),
            (2, "NEAP", "neap", "NEAP (0)\nWeak."),
            (2, "tide=spring tide=king", "spring", "Strong."),
        ]
    );
}

#[test]
fn terms_with_an_address_in_texinfos_index_are_sections() {
    let page = read(
        "<main><h1>Limits</h1><p>All of them:</p><dl><dd><span id='index-ebb'></span><span id='index-tides_002c-falling'></span></dd>
        <dt><span><tt>ebb</tt> &lt;S&gt;</span></dt><dd><p>Falls.</p><span id='index-FLOW_005fLIMIT'></span>
        <span id='index-FLOWLIMIT'></span></dd><dt><tt>FLOW_LIMIT</tt> (<tt>-F</tt>)</dt><dd><p>Rises.</p>
        <span id='index-neap-tide'></span></dd><dt><tt>other</tt></dt><dd><p>Weak.</p><span id=index-spring></span></dd>
        <dt>spring [ -h ] file</dt><dd>Strong.</dd></dl><p>After.",
    );
    let found = page.sections.iter().map(|s| (&*s.heading, &*s.anchor));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("", ""),
            ("ebb", "index-ebb"),
            ("FLOW_LIMIT", "index-FLOW_005fLIMIT"),
            ("spring", "index-spring"),
        ]
    );
    assert_eq!(page.sections[2].names, ["FLOWLIMIT"]);
}

#[test]
fn sentences_lone_terms_and_contents_are_no_sections() {
    for list in [
        "<dt><a name=a>Ebb</a></dt><dd>x</dd><dt><a name=b>Flow</a></dt><dd>x</dd>",
        "<dt><a name=a>It falls then.</a></dt><dd>x</dd><dt><a name=b>It rises then.</a></dt><dd>x</dd><dt><a name=c>It stays.</a></dt><dd>x</dd>",
        "<dt><a name=toc-a href='#a'>Ebb</a></dt><dd>x</dd><dt><a name=toc-b href='#b'>Flow</a></dt><dd>x</dd><dt><a name=toc-c href='#c'>Neap</a></dt><dd>x</dd>",
        "<dt><a name=a>Ebb</a></dt><dt><a name=b>Flow</a></dt><dt><a name=c>Neap</a></dt>",
    ] {
        let page = read(&format!("<main><h1>Tides</h1><p>Text.</p><dl>{list}</dl>"));
        assert_eq!(page.sections.len(), 1, "{list}");
    }
}

#[test]
fn mandocs_terms_are_sections() {
    let page = read(
        "<main><section class=Sh><h1 class=Sh id=OPTIONS>OPTIONS</h1><dl class=Bl-tag><dt id=a><a class=permalink href='#a'><code
        class=Fl>-a</code></a></dt><dd>All.</dd><dt id=f><a class=permalink href='#f'><code class=Fl>-f</code></a> <var
        class=Ar>file</var></dt><dd>From a file.</dd></dl></section>",
    );
    let sections = page.outline();
    assert!(sections.contains(&(2, "-a", "a", "All.")), "{sections:?}");
    assert!(
        sections.contains(&(2, "-f file", "f", "From a file.")),
        "{sections:?}"
    );
}

#[test]
fn a_text_behind_an_empty_definition_tells_of_it() {
    let option = |name: &str| {
        format!(
            "<dl class='std option'><dt id=cmdoption-{name}><code class='sig-name descname'>--{name}</code><code class='sig-prename
            descclassname'> N</code></dt>\n<dd></dd></dl>\n"
        )
    };
    let [ebb, flow, neap] = ["ebb", "flow", "neap"].map(option);
    let page = |last: &str| {
        format!(
            "<main><h2 id=o>Options</h2><p>All:</p>{ebb}<p>Falls.</p><div class=highlight><pre>ebb 3</pre></div>{flow}<p>Rises.</p><dl><dt>high
            </dt><dd>Water.</dd></dl>{neap}{last}<h3 id=b>Behind</h3><p>Other."
        )
    };
    assert_eq!(
        read(&page("<p>Weak.</p>")).outline(),
        [
            (2, "Options", "o", "All:"),
            (3, "--ebb N", "cmdoption-ebb", "Falls.\nebb 3"),
            (3, "--flow N", "cmdoption-flow", "Rises.\nhigh\nWater."),
            (3, "--neap N", "cmdoption-neap", "Weak."),
            (3, "Behind", "b", "Other."),
        ]
    );
    let command = option("tide").replace("--tide", "django-admin tide");
    let named = format!(
        "{}<h3 id=t>tide<a class=headerlink href='#t'>¶</a></h3>{command}<p>All of it.",
        page("<p>Weak.")
    );
    let named = read(&named);
    assert!(
        named.outline().contains(&(3, "tide", "t", "All of it.")),
        "{:?}",
        named.outline()
    );
    // Two of them may be an oversight.
    let few = read(&page(""));
    assert_eq!(few.outline()[1], (3, "--ebb N", "cmdoption-ebb", ""));
}
