//! Entries of lists as generators write them, trimmed to what reading looks at.

use super::read;

type Row = (u8, &'static str, &'static str, &'static str);

fn check(name: &str, html: &str, want: &[Row]) {
    assert_eq!(read(html).outline(), want, "{name}");
}

#[test]
fn objects_of_sphinx_are_sections_with_their_full_names() {
    check(
        "alabaster, autodoc: a class with members, text after the list",
        "<div role=main><section id=module-flask><span id=api></span><h1>API<a class=headerlink href='#module-flask'>¶</a></h1>
        <section id=application><h2>Application<a class=headerlink href='#application'>¶</a></h2><p>Before.
        <dl class='py class'><dt class='sig sig-object py' id=flask.Flask><em class=property><span class=k>class</span><span class=w>
        </span></em><span class='sig-prename descclassname'><span class=pre>flask.</span></span><span class='sig-name descname'><span
        class=pre>Flask</span></span><span class=sig-paren>(</span><em class=sig-param><span class=n>import_name</span></em>, <em
        class=sig-param>root=None</em><span class=sig-paren>)</span><a class='reference internal' href='../_modules/flask.html#Flask'><span
        class=viewcode-link><span class=pre>[source]</span></span></a><a class=headerlink href='#flask.Flask'>¶</a></dt>
        <dd><p>The object.</p><dl class='field-list simple'><dt class=field-odd>Parameters<span class=colon>:</span></dt>
        <dd class=field-odd><p>import_name</p></dd></dl>
        <dl class='py method'><dt class='sig sig-object py' id=flask.Flask.before_request><span class='sig-name descname'><span
        class=pre>before_request</span></span><span class=sig-paren>(</span><em>f</em>)</dt><dd><p>Registers.</dd></dl>
        <p>More on the object.</p>
        <dl class='py attribute'><dt class='sig sig-object py' id=flask.Flask.cli><span class='sig-name descname'>cli</span></dt></dl>
        </dd></dl><p>After.</section></section></div>",
        &[
            (2, "Application", "application", "Before.\nAfter."),
            (
                3,
                "flask.Flask",
                "flask.Flask",
                "class flask.Flask(import_name, root=None)\nThe object.\nParameters:\nimport_name\nMore on the object.",
            ),
            (
                4,
                "flask.Flask.before_request",
                "flask.Flask.before_request",
                "before_request(f)\nRegisters.",
            ),
            (4, "flask.Flask.cli", "flask.Flask.cli", ""),
        ],
    );
    check(
        "C++, where a member's id is mangled; C; a command's option",
        "<main><h2 id=ref>Reference</h2><dl class='cpp class'><dt class='sig sig-object cpp' id=_CPPv43Sea><span class=k>class</span>
        <span class='sig-name descname'><span class=n>Sea</span></span></dt><dd><dl class='cpp function'><dt class='sig sig-object cpp'
        id=_CPPv4N3Sea4tideEi>int <span class='sig-name descname'>tide</span>(int hour)</dt><dt class='sig sig-object cpp'>int tide()</dt>
        <dd>The level.</dd></dl></dd></dl>
        <dl class='c function'><dt class='sig sig-object c' id=c.tide>int <span class='sig-name descname'>tide</span>(void)</dt></dl>
        <dl class='std option'><dt class='sig sig-object std' id=cmdoption-o><span class='sig-name descname'>-o</span><span
        class='sig-prename descclassname'> &lt;file&gt;</span><span class='sig-prename descclassname'>, </span><span
        class='sig-name descname'>--out</span><span class='sig-prename descclassname'> &lt;file&gt;</span></dt><dd>Where to.</dd></dl>",
        &[
            (2, "Reference", "ref", ""),
            (3, "Sea", "_CPPv43Sea", "class Sea"),
            (
                4,
                "Sea::tide",
                "_CPPv4N3Sea4tideEi",
                "int tide(int hour)\nint tide()\nThe level.",
            ),
            (3, "tide", "c.tide", "int tide(void)"),
            (3, "-o <file>, --out <file>", "cmdoption-o", "Where to."),
        ],
    );
}

#[test]
fn terms_with_an_address_are_sections_and_others_stay_text() {
    check(
        "mdBook's options",
        "<main><h3 id=source-options><a class=header href='#source-options'>Source options</a></h3>
        <dl><dt class=option-term id=option-cargo-add---git><a class=option-anchor href='#option-cargo-add---git'><code>--git</code>
        <em>url</em></a></dt><dd class=option-desc><p>Git URL.</dd></dl><p>After.",
        &[
            (3, "Source options", "source-options", "After."),
            (4, "--git url", "option-cargo-add---git", "Git URL."),
        ],
    );
    check(
        "Hugo's settings, and a term without an id between them",
        "<main><h1 id=all>All</h1><p>Each:</p><dl><dt id=baseurl>baseURL</dt><dd>(<code>string</code>) The address.</dd>
        <dt>internal</dt><dd>Not set.</dd><div><dt><a id=title></a>title</dt><dd>The title.</dd></div></dl>",
        &[
            (0, "", "all", "Each:\ninternal\nNot set."),
            (2, "baseURL", "baseurl", "(string) The address."),
            (2, "title", "title", "The title."),
        ],
    );
    check(
        "an inline glossary",
        "<main><p>Words:</p><dl><dt>Ebb</dt><dd>Falling tide.</dd><dt>Flood</dt><dd>Rising tide.</dd></dl>",
        &[(0, "", "", "Words:\nEbb\nFalling tide.\nFlood\nRising tide.")],
    );
    check(
        "footnotes, a heading as a term, a term of a whole sentence, a list that never ends",
        &format!(
            "<main><h2 id=n>Notes</h2><dl class='footnote brackets'><dt class=label id=f1>1</dt><dd>Foot.</dd><dt id=id4>2</dt><dd>Four.</dd></dl>
            <dl><dt id=sentence>{}</dt><dd>Long.</dd></dl><dl><dt id=h><h3>Head</h3></dt><dd>Text.<dl><dt id=deep>deep<dd>end",
            "word ".repeat(60)
        ),
        &[
            (
                2,
                "Notes",
                "n",
                Box::leak(
                    format!("1\nFoot.\n2\nFour.\n{}\nLong.", "word ".repeat(60).trim()).into_boxed_str(),
                ),
            ),
            (3, "Head", "h", "Text."),
            (4, "deep", "deep", "end"),
        ],
    );
}

#[test]
fn definitions_of_texinfo_are_called_by_their_names() {
    let term = |id: &str, category: &str, rest: &str| {
        format!(
            "<dt id={id}><span class=category>{category}: </span><span><em></em> <strong>fzero</strong> <em>({rest})</em><a
            href='#{id}' class=copiable-anchor> &para;</a></span></dt>"
        )
    };
    let list = |terms: &str| format!("<main><h3 id=s>Solvers</h3><dl class=def>{terms}</dl>");
    let forms = [
        term("index-fzero", "", "fun, x0"),
        term("index-fzero-1", "", "fun"),
        "<dd>Finds a zero.</dd>".to_owned(),
    ];
    check(
        "two forms of one function, without a category",
        &list(&forms.concat()),
        &[
            (3, "Solvers", "s", ""),
            (
                4,
                "fzero",
                "index-fzero",
                "fzero (fun, x0)\nfzero (fun)\nFinds a zero.",
            ),
        ],
    );
    let again = [&forms[0], "<dd>One.</dd>", &forms[1], "<dd>Two.</dd>"].concat();
    assert_eq!(read(&list(&again)).outline().len(), 3, "two definitions");
    check(
        "an older version",
        &list(
            "<dt><a name=index-rint></a>Function: <em>int</em> <strong>rint</strong> <em>(x)</em></dt><dd>Rounds.</dd>",
        ),
        &[
            (3, "Solvers", "s", ""),
            (4, "rint", "index-rint", "Function: int rint (x)\nRounds."),
        ],
    );
}

#[test]
fn a_section_is_addressed_by_the_id_that_somebody_chose() {
    for (html, want) in [
        (
            "<section id=url-building><span id=id1></span><h3>URL Building<a class=headerlink href='#url-building'>¶</a></h3></section>",
            "url-building",
        ),
        (
            "<section id=id5><span id=sessions></span><h2>Sessions<a class=headerlink href='#id5'>¶</a></h2></section>",
            "sessions",
        ),
        (
            "<section id=foo-bar><span id=my-label></span><h2>Foo Bar<a class=headerlink href='#foo-bar'>¶</a></h2></section>",
            "foo-bar",
        ),
        (
            "<section id=id5><h2>Only<a class=headerlink href='#id5'>¶</a></h2></section>",
            "id5",
        ),
        (
            "<div id=wrap><div id=inner><h2>No link</h2></div></div>",
            "inner",
        ),
    ] {
        let page = read(&format!("<main><p>x</p>{html}<p>y"));
        assert_eq!(page.sections[1].anchor, want, "{html}");
    }
}

#[test]
fn labels_in_entries_of_ldoc_are_text() {
    check(
        "LDoc: a module of one function",
        "<head><link rel=stylesheet href=ldoc.css></head><div id=content><h1>Module <code>sea</code></h1><p>Seas.</p><h2
        class='section-header'><a name=Functions></a>Functions</h2><dl class=function><dt>\n<a name = 'ebb'></a>\n<strong>ebb
        (hours)</strong></dt><dd>Falls.<h3>Parameters:</h3><ul><li><span class=parameter>hours</span> how long</li></ul><h3>Usage:</h3><pre>ebb(3)
        </pre><h3><a name=more></a>More</h3>Text.</dd></dl></div>",
        &[
            (0, "", "content", "Seas."),
            (2, "Functions", "Functions", ""),
            (3, "ebb (hours)", "ebb", "Falls.\nParameters:\nhours how long\nUsage:\nebb(3)"),
            (3, "More", "more", "Text."),
        ],
    );
}

#[test]
fn templates_of_cpp_are_called_without_their_parameters() {
    check(
        "Breathe: parameters of the template on a line of their own",
        "<div role=main><h1>API</h1><p>Intro.<dl class='cpp function'><dt id=_CPPv4N3fmt4joinE>template&lt;typename <code class='sig-name
        descname'>T</code>&gt;<br>auto <code class='sig-prename descclassname'>fmt::</code><code class='sig-name descname'>join</code>(T
        range)</dt><dd><p>Joins.</dd></dl></div>",
        &[
            (0, "", "", "Intro."),
            (
                2,
                "fmt::join",
                "_CPPv4N3fmt4joinE",
                "template<typename T> auto fmt::join(T range)\nJoins.",
            ),
        ],
    );
}

#[test]
fn a_table_of_contents_of_the_page_itself_is_no_section() {
    let page = read(
        "<title>Filters</title><h2>Table of Contents</h2><div><ul><li><a id=toc-scale href='#scale'>1 Scaling</a></li>\
         <li><a href='#crop'>2 Cropping</a></li></ul></div><h2 id=scale>Scaling</h2><p>Resizes.</p><h2>Others</h2>\
         <h3>Table of Contents</h3><ul><li><a href='#a'>A</a></li><li><a href='b.html'>B</a></li></ul>",
    );
    let headings: Vec<&str> = page.sections.iter().map(|s| s.heading.as_str()).collect();
    assert!(headings.contains(&"Scaling"), "{headings:?}");
    let n_contents = headings
        .iter()
        .filter(|h| **h == "Table of Contents")
        .count();
    assert_eq!(n_contents, 1, "{headings:?}");
    assert!(!page.sections.iter().any(|s| s.text.contains("Cropping")));
}
