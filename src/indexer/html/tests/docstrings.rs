//! Definitions in blocks of their own, as the generators write them.

use super::read;

#[test]
fn docstrings_of_documenter_are_sections_and_the_text_between_them_is_not() {
    let page = read(
        "<article class=content id=documenter-page><h1 id=Seas>Seas</h1><p>About them.</p><article><details class=docstring
        open=true><summary id='Tides.ebb-Tuple{Any}'><a class=docstring-binding href='#Tides.ebb-Tuple{Any}'><code>Tides.ebb</code></a> — <span
        class=docstring-category>Function</span></summary><section><div><pre><code class='language-julia hljs'>ebb(sea)</code></pre><p>Falls.</p>
        </div><a class=docs-sourcelink target=_blank href='https://x.org/a.jl#L1'>source</a></section></details></article><p>Between.</p>
        <article class=docstring><header><a class=docstring-binding id=Tides.flow href=#Tides.flow><code>Tides.flow</code></a> — <span
        class=docstring-category>Method</span></header><section><div><p>Rises.</p></div></section></article><h2 id=more>More</h2><p>Text.</p>
        </article>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "Seas", "About them.\nBetween."),
            (2, "Tides.ebb", "Tides.ebb-Tuple{Any}", "ebb(sea)\nFalls."),
            (2, "Tides.flow", "Tides.flow", "Rises."),
            (2, "More", "more", "Text."),
        ]
    );
}

#[test]
fn entries_of_nim_are_sections() {
    let entry = |id: &str, signature: &str| {
        format!(
            "<div id='{id}'>\n<dt><pre>{signature}</pre></dt>\n<dd>\n\nTells of it.\n&nbsp;&nbsp;<a href='https://x.org/t.nim#L1'
            class='link-seesrc' target=_blank>Source</a>\n</dd>\n</div>"
        )
    };
    let ebb = "<span class=Keyword>proc</span> <a href='#ebb%2Cint'><span class=Identifier>ebb</span></a><span class=Other>(</span><span
        class=Identifier>sea</span><span class=Other>)</span>";
    let tide = "<a href='t.html#Tide'><span class=Identifier>Tide</span></a> <span class=Other>=</span> <span
        class=Keyword>enum</span> <span class=Identifier>tNeap</span>";
    let page = read(&format!(
        "<div class=document id=documentId><h1 class=title>tides</h1><div class='nine columns' id=content><div id=tocRoot></div>
        <p class=module-desc>Tides of all seas.</p><div class=section id=12><h1><a class=toc-backref href=#12>Procs</a></h1><dl class=item>
        {}{}<a id='%,int'></a><dt><pre><span class=Keyword>proc</span> <span class=Identifier>`%`</span></pre></dt><dd>Old.</dd></dl></div></div>
        </div>",
        entry("ebb,int", ebb),
        entry("Tide", tide)
    ));
    let members: Vec<_> = page.outline().into_iter().filter(|s| s.0 == 2).collect();
    assert_eq!(
        members,
        [
            (2, "ebb", "ebb,int", "proc ebb(sea)\nTells of it."),
            (2, "Tide", "Tide", "Tide = enum tNeap\nTells of it."),
            (2, "%", "%,int", "proc `%`\nOld."),
        ]
    );
    let names = page.sections.iter().find(|s| s.heading == "Tide");
    assert_eq!(names.expect("a section").names, ["tNeap"]);
}

#[test]
fn definitions_of_ocamldoc_have_the_path_of_their_module() {
    let page = read(
        "<title>The sea : Tides</title><body><h1>Module <a href=type_Tides.html>Tides</a></h1>
        <pre><span id=MODULETides><span class=keyword>module</span> Tides</span>: <code class=code><span class=keyword>sig</span></code> <a
        href=Tides.html>..</a></pre><div class='info module top'><p>Of all seas.</p></div><hr width='100%'>
        <pre><code><span id=TYPEt><span class=keyword>type</span> <code class=type>'a</code> t</span> = </code></pre><table
        class=typetable><tr><td><code>Neap</code></td></tr></table>
        <div class='info '><p>A tide.</p></div><p>Falling and rising:</p>
        <pre><span id=VALebb><span class=keyword>val</span> ebb</span> : <code class=type>int</code></pre><div class='info '>
        <p>Falls.</p></div><pre>plain</pre>",
    );
    let members: Vec<_> = page.outline().into_iter().skip(1).collect();
    assert_eq!(
        members,
        [
            (2, "Tides.t", "TYPEt", "type 'a t =\nNeap\nA tide."),
            (2, "Tides.ebb", "VALebb", "val ebb : int\nFalls."),
        ]
    );
    let text = &page.sections[0].text;
    assert!(text.ends_with("Falling and rising:\nplain"), "{text}");
}

#[test]
fn items_of_odoc_have_the_path_of_their_module() {
    let page = read(
        "<title>Tides (sea.Tides)</title><body class=odoc><header class=odoc-preamble><h1>Module <code><span>Tides</span></code></h1></header>
        <div class=odoc-content><div class=odoc-spec><div class='spec value anchored' id=val-ebb><a href=#val-ebb class=anchor></a><code><span><span
        class=keyword>val</span> ebb : int</span></code></div><div class=spec-doc><p>Falls.</p></div></div><p>Behind.</p></div>",
    );
    let members: Vec<_> = page.outline().into_iter().filter(|s| s.0 > 1).collect();
    assert_eq!(
        members,
        [(2, "Tides.ebb", "val-ebb", "val ebb : int\nFalls.")]
    );
}

#[test]
fn members_of_pydoctor_have_their_paths() {
    let page = read(
        "<div id=childList><div class=basemethod>\n<a name=tides.Sea.ebb>\n</a>\n<a name=ebb>\n</a><div class=functionHeader><span
        class=py-keyword>def</span> <span class=py-defname>ebb</span>(self): <a class=sourceLink href='https://x.org/a.py#L1'>(source)</a> <a
        class=headerLink href=#ebb title=tides.Sea.ebb>¶</a></div><div class='docstring functionBody'><div><p>Falls.</p></div></div></div>
        <div class=baseline><a name=a></a><a name=b></a><p>No member.</p></div></div>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "No member."),
            (2, "tides.Sea.ebb", "ebb", "def ebb(self):\nFalls."),
        ]
    );
}

#[test]
fn predicates_of_prolog_have_the_number_of_their_arguments() {
    let page = read(
        "<h2>Tides</h2><dl class=latex><dt class=pubdef><span class=pred-tag>[det]</span><a id=ebb/2><strong>ebb</strong>(<var>+Sea,
        -Fall</var>)</a></dt>\n<dt class=pubdef><a id=ebb/3><strong>ebb</strong>(<var>+Sea, -Fall, +Moon</var>)</a></dt>
        <dd class=defbody>Falls. <dl class=tags><dt class=tag>See also</dt><dd>flow/2</dd></dl></dd>
        <dt class=pubdef><a id='flag:moon'><strong>moon</strong>(<var>bool</var>)</a></dt><dd class=defbody>Whether there is one.</dd></dl>",
    );
    let members: Vec<_> = page.outline().into_iter().skip(1).collect();
    assert_eq!(
        members,
        [
            (
                3,
                "ebb/2",
                "ebb/2",
                "[det]ebb(+Sea, -Fall)\nebb(+Sea, -Fall, +Moon)\nFalls.\nSee also\nflow/2"
            ),
            (3, "moon", "flag:moon", "moon(bool)\nWhether there is one."),
        ]
    );
    let names = |at: usize| page.sections[at].names.join(" ");
    assert_eq!((names(1), names(2)), ("ebb ebb/3".into(), String::new()));
}

#[test]
fn terms_and_blocks_without_a_signature_start_no_section() {
    let page = read(
        "<main><h1 id=a>A</h1><dl><div id=b><dt>Term</dt><dd>Text.</dd></div></dl><pre><span id=VALUE>x = 1</span></pre><details
        class=docstring><summary id=c>More</summary><p>Text.</p></details></main>",
    );
    assert_eq!(page.sections.len(), 1, "{:?}", page.outline());
}

#[test]
fn a_function_of_exdoc_has_the_id_of_its_section_and_the_summary_is_none() {
    let page = read(
        "<main><div id=content><h1>Tides</h1><section id=moduledoc><p>Of all seas.</p></section><section id=summary class=details-list><h1
        class=section-heading><span class=text>Summary</span></h1><div class='summary-functions summary'><h2><a href=#functions>Functions</a></h2>
        <div class=summary-row><div class=summary-signature><a href='#ebb/2'>ebb(sea)</a></div></div></div></section>
        <section id=functions class=details-list><h1 class=section-heading><span class=text>Functions</span></h1><div class=functions-list>
        <section class=detail id='ebb/2'><span id='ebb/1'></span><div class=detail-header><a href='#ebb/2' class=detail-link
        aria-label='Link to this function'></a><div class=heading-with-actions><h1 class=signature translate=no>ebb(sea)</h1></div></div>
        <section class=docstring><p>Falls.</p></section></section></div></section></main>",
    );
    let sections: Vec<_> = page.outline().into_iter().filter(|s| s.0 == 1).collect();
    assert_eq!(
        sections,
        [
            (1, "Functions", "functions", ""),
            (1, "ebb(sea)", "ebb/2", "Falls."),
        ]
    );
}

#[test]
fn summaries_and_sources_of_yard_are_no_text() {
    let page = read(
        "<div id=content><h1>Tides</h1><h2>Constant Summary <small><a href='#' class=constants_summary_toggle>collapse</a></small></h2>
        <dl class=constants><dt id=NEAP-constant>NEAP =</dt><dd><pre class=code>1</pre></dd></dl>
        <h2>Instance Method Summary <small><a href='#' class=summary_toggle>collapse</a></small></h2><ul class=summary><li class='public '><span
        class=summary_signature><a href=#ebb-instance_method>#<strong>ebb</strong></a></span><span class=summary_desc>Falls.</span></li></ul>
        <h3 class=inherited>Methods inherited from <span class=object_link><a href=Sea.html>Sea</a></span></h3><p class=inherited><span
        class=object_link><a href=Sea.html#flow>#flow</a></span></p><div class=method_details><h3 class='signature first'
        id=ebb-instance_method>#<strong>ebb</strong> &#x21d2; <tt>Tide</tt></h3><div class=docstring><p>Falls.</p></div><table
        class=source_code><tr><td><pre class=lines>16</pre></td><td><pre class=code>def ebb</pre></td></tr></table></div>
        <h2>A summary</h2><ul class=summary><li>Text.</li></ul></div>",
    );
    let sections: Vec<_> = page.outline().into_iter().skip(1).collect();
    assert_eq!(
        sections,
        [
            (3, "NEAP =", "NEAP-constant", "1"),
            (3, "#ebb ⇒ Tide", "ebb-instance_method", "Falls."),
            (2, "A summary", "", "Text."),
        ]
    );
}

#[test]
fn the_column_beside_a_text_of_nim_is_no_text() {
    let page = read(
        "<div class=container><h1 class=title>tides</h1><div class=row><div class='three columns'><div id=global-links><ul
        class=simple-boot><li><a href=theindex.html>Index</a></li></ul></div><div id=searchInputDiv>Search: <input></div><ul class='simple
        simple-toc' id=toc-list><li><a href=#ebb>ebb</a></li></ul></div><div class='nine columns' id=content><p class=module-desc>Tides.</p>
        <div class='three columns'><p>Text.</p></div></div></div></div>",
    );
    assert_eq!(page.sections[0].text, "Tides.\nText.");
}

#[test]
fn pages_of_pydoctor_say_what_they_define_and_their_tables_repeat_it() {
    let page = read(
        "<title>tides.Sea</title><meta name=generator content='pydoctor 22.9.1'><div id=main><div id=search-results-container><p>Search bar
        offers options.</p></div><div class=page-header><h1 class=class><code>tides.Sea</code></h1><div id=showPrivate>Private</div></div>
        <div class=categoryHeader>class documentation</div><div class=extrasDocstring><p><a href=classIndex.html#tides.Sea>View In Hierarchy</a></p></div><div
        class=moduleDocstring><p>A sea.</p></div><div id=splitTables><table class='children sortable'><tr
        class=method><td>Method</td><td><code><a href=#ebb class=internal-link>ebb</a></code></td><td>Falls.</td></tr></table><p
        class=inheritedFrom>Inherited from <code>Water</code>:</p></div><table class='children sortable'><tr class=class><td>Class</td><td><code><a
        href=tides.Bay.html class=internal-link>Bay</a></code></td><td>A bay.</td></tr></table></div>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("tides.Sea", "class")
    );
    assert_eq!(page.names, ["Sea"]);
    let texts: Vec<&str> = page.sections.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts.join("\n"), "A sea.\nClass | Bay | A bay.");
}

#[test]
fn methods_of_rdoc_are_sections_without_their_sources() {
    let page = read(
        "<title>class Sea - RDoc Documentation</title><main role=main><h1 id=class-Sea class=class>class Sea</h1><section
        class=description><p>Salt.</p></section><section id=public-class-details class=method-section><header><h3>Public Class
        Methods</h3></header><div id=method-c-5B-5D class='method-detail '><div class=method-heading><span class=method-callseq>
        Sea[name] → sea</span><span class=method-click-advice>click to toggle source</span></div><div class=method-description><p>Finds
        it.</p><div class=method-source-code id=m-source><pre>def self.[](name)</pre></div></div></div></section><section
        class=method-section><header><h3>Public Instance Methods</h3></header><div id=method-i-empty-3F class='method-detail '><div
        class=method-heading><span class=method-name>empty?</span><span class=method-args>()</span></div><div
        class=method-description><p>Dry.</p><h3>Raises</h3><p>Never.</p></div></div></section></main>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "class-Sea", "Salt."),
            (3, "Public Class Methods", "public-class-details", ""),
            (4, "Sea.[]", "method-c-5B-5D", "Sea[name] → sea\nFinds it."),
            (3, "Public Instance Methods", "", ""),
            (
                4,
                "Sea#empty?",
                "method-i-empty-3F",
                "empty?()\nDry.\nRaises\nNever."
            ),
        ]
    );
}

#[test]
fn members_of_scaladoc_three_are_sections_and_inherited_ones_are_told_elsewhere() {
    let member = |id: &str, of: &str, name: &str, docs: &str| {
        format!(
            "<div class=documentableElement id={id} {of}><div class=header><div class=signature><span class=kind>def </span><a
            href='Sea.html#{id}' class='documentableName '>{name}</a>: Int</div></div><div class=docs><div
            class=memberDocumentation>{docs}</div></div></div>"
        )
    };
    let docs = "<div class='documentableBrief doc'><p>Falls.</p></div><div class=cover><div class=doc><p>Falls.</p></div><h2
        class=h200>Attributes</h2><p>Slow.</p></div>";
    let own = member("ebb-0", "", "ebb", docs);
    let inherited = member("toString-0", "data-f-inherited=Any", "toString", docs);
    let page = read(&format!(
        "<title>Sea</title><main><h1>Sea</h1><p>Salt.</p>{own}{inherited}</main>"
    ));
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Salt."),
            (
                2,
                "Sea.ebb",
                "ebb-0",
                "def ebb: Int\nFalls.\nAttributes\nSlow."
            ),
        ]
    );
}

#[test]
fn members_of_jazzy_are_sections() {
    let page = read(
        "<title>Sea Class Reference</title><article class=main-content><section class=section><h1>Sea</h1><p>Salt.</p></section><ul
        class=item-container><li class=item><div><code><a name='/s:5Tides3ebb'></a><a name='//apple_ref/swift/Method/ebb(_:)'
        class=dashAnchor></a><a class=token href='#/s:5Tides3ebb'>ebb(_:)</a></code></div><div class=height-container><div
        class=abstract><p>Falls.</p></div><div class=declaration><h4>Declaration</h4><pre>func ebb(_ s: Sea)</pre></div></div></li></ul>
        </article>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Salt."),
            (
                2,
                "Sea.ebb(_:)",
                "/s:5Tides3ebb",
                "Falls.\nDeclaration\nfunc ebb(_ s: Sea)"
            ),
        ]
    );
}

#[test]
fn the_usage_of_a_command_is_the_section_that_tells_of_it() {
    let block = |id: &str, text: &str| {
        format!(
            "<div class='highlight-default notranslate' {id}><div class=highlight><pre><span></span>{text}\n</pre></div></div>"
        )
    };
    let usage = block(
        "id=sea-ebb",
        "<span class=n>usage</span><span class=p>:</span> <span class=n>sea</span> <span class=n>ebb</span> <span class=p>[</span>-h]",
    );
    let plain = block("id=x", "ebb(3)") + &block("", "usage: sea flow [-h]");
    let page = read(&format!(
        "<main><h1>sea</h1><section id=cli><h2>CLI</h2>{usage}<p>Falls.</p>{plain}</section></main>"
    ));
    assert_eq!(
        page.outline(),
        [
            (2, "CLI", "cli", "Falls.\nebb(3)\nusage: sea flow [-h]"),
            (3, "sea ebb", "sea-ebb", "usage: sea ebb [-h]"),
        ]
    );
}

#[test]
fn constructors_and_fields_of_haddock_are_sections_below_their_type() {
    let page = read(
        "<title>Data.Sea</title><body><div id=content><div id=module-header><p class=caption>Data.Sea</p></div><div id=synopsis><details
        id=syn><summary>Synopsis</summary><ul><li class='src short'><a href='#t:Tide'>data Tide</a></li></ul></details></div>
        <div id=interface><h1>Documentation</h1><div class=top><p class=src><span class=keyword>data</span> <a id='t:Tide' class=def>Tide</a>
        </p><div class=doc><p>It comes and goes.</p></div><div class='subs constructors'><p class=caption>Constructors</p><table>
        <tr><td class=src><a id='v:Ebb' class=def>Ebb</a> Int</td><td class=doc><p>Goes out.</p></td></tr>
        <tr><td class=src>a <a id='v::-60-' class=def>:&lt;</a> b</td><td class='doc empty'>&nbsp;</td></tr>
        <tr><td colspan=2><div class='subs fields'><p class=caption>Fields</p><ul><li><dfn class=src><a id='v:hour' class=def>hour</a> ::
        Int</dfn><div class=doc><p>When it is high.</p></div></li></ul></div></td></tr></table></div>
        <div class='subs instances'><h4 class=instances>Instances</h4><details id='i:Tide'><table><tr><td class='src clearfix'><span
        class=inst-left>Show Tide</span></td></tr><tr><td colspan=2><details id='i:id:Tide:Show:1'><p>Defined in Data.Sea</p></details></td>
        </tr></table></details></div></div></div></div>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Data.Sea", "module")
    );
    assert_eq!(
        page.outline(),
        [
            (1, "Documentation", "interface", ""),
            (
                3,
                "Data.Sea.Tide",
                "t:Tide",
                "data Tide\nIt comes and goes.\nInstances\nShow Tide"
            ),
            (4, "Data.Sea.Ebb", "v:Ebb", "Ebb Int\nGoes out."),
            (4, "Data.Sea.:<", "v::-60-", "a :< b"),
            (
                4,
                "Data.Sea.hour",
                "v:hour",
                "hour :: Int\nWhen it is high."
            ),
        ]
    );
}

#[test]
fn vars_of_codox_are_sections_of_their_namespace_and_its_menus_are_no_text() {
    let page = read(
        "<title>tides.sea documentation</title><body><div id=header><h2>Generated by <a href='https://github.com/weavejester/codox'>Codox</a>
        </h2><h1><a href=index.html>Tides <span>1.0</span></a></h1></div><div class='sidebar primary'><h3 class=no-link>Project</h3><ul><li><a
        href=index.html>Index</a></li></ul><h3>Namespaces</h3><ul><li><a href=tides.sea.html>sea</a></li></ul></div><div class=namespace-docs
        id=content><h1 class=anchor id=top>tides.sea</h1><div class=doc><p>Of all seas.</p></div><div class='public anchor' id=var-ebb><h3>ebb</h3>
        <h4 class=type>protocol</h4><div class=usage><code>(ebb sea)</code></div><div class=doc><p>Falls.</p></div><div class=members><h4>members</h4>
        <div class=inner><div class='public anchor' id=var-ebbing.3F><h3>ebbing?</h3><div class=doc><p>True.</p></div></div></div></div><div
        class=src-link><a href='https://x.org/sea.clj#L1'>view source</a></div></div></div>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("tides.sea", "namespace")
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "top", "Of all seas."),
            (2, "ebb", "var-ebb", "protocol\n(ebb sea)\nFalls.\nmembers"),
            (3, "ebbing?", "var-ebbing.3F", "True."),
        ]
    );
    assert_eq!(page.sections[1].names, ["tides.sea/ebb", "sea/ebb"]);
}

#[test]
fn boxes_of_pdoc_are_sections_and_its_listings_are_no_text() {
    let page = read(
        "<main class=pdoc><section class=module-info><h1 class=modulename><a href=../sea.html>sea</a>.tides</h1><input id=mod-view-source
        class=view-source-toggle-state type=checkbox aria-hidden=true><label class=view-source-button for=mod-view-source><span>View
        Source</span></label><div class='pdoc-code codehilite'><pre>class Tide: pass</pre></div><div class=docstring><p>Tides of all seas.</p>
        <div class='pdoc-code codehilite'><pre>ebb()</pre></div></div></section>
        <section id=Tide><input class=view-source-toggle-state><div class='attr class'><span class=def>class</span> <span
        class=name>Tide</span>:<label class=view-source-button><span>View Source</span></label></div><a class=headerlink href=#Tide></a>
        <div class='pdoc-code codehilite'><pre>class Tide: pass</pre></div><div class=docstring><p>A tide.</p></div>
        <div id=Tide.ebb class=classattr><div class='attr function'><span class=def>def</span> <span class=name>ebb</span><span
        class='signature pdoc-code'>(hours)</span></div><div class=docstring><p>Falls.</p></div></div></section></main>",
    );
    let outline = page.outline();
    assert_eq!(outline[0].3, "Tides of all seas.\nebb()");
    assert_eq!(
        outline[1..],
        [
            (2, "Tide", "Tide", "class Tide:\nA tide."),
            (3, "Tide.ebb", "Tide.ebb", "def ebb(hours)\nFalls."),
        ]
    );
}

#[test]
fn a_row_with_an_address_is_a_section_where_it_begins_with_its_name() {
    let page = read(
        "<main><h1>Messages</h1><p>All of them.</p><table><tr id=head><th>Code</th><th>Text</th></tr><tr id=msgs__SEA008E><td><span
        class=num>SEA008E</span></td><td>The sea is gone.</td></tr><tr id=row2><td>SEA009E</td><td>It is back.</td></tr></table>
        <p>Behind.</p></main>",
    );
    let sections: Vec<_> = page.outline().into_iter().map(|s| (s.1, s.2)).collect();
    assert_eq!(sections, [("", ""), ("SEA008E", "msgs__SEA008E")]);
    let behind = page.outline()[0].3;
    assert!(
        behind.contains("It is back.") && behind.ends_with("Behind."),
        "{behind}"
    );
}

#[test]
fn a_page_of_compodoc_is_called_by_its_trail_and_its_members_are_sections() {
    let page = read(
        "<title>sea documentation</title><div class='content interface'><div class=content-data><ol class=breadcrumb><li>Interfaces</li>
        <li>Tide</li></ol><div class=tab-content><div class='tab-pane active' id=c-info><p class=comment><h3>File</h3></p><p
        class=comment><code>src/tide.ts</code></p><section><h3 id=inputs>Properties</h3><table><tbody><tr><td class=col-md-4>
        <a name=ebb></a> <span class=name><span class=modifier>Optional</span><b>ebb</b><a href=#ebb><span class=icon></span></a></span></td>
        </tr><tr><td>Falls.</td></tr></tbody></table></section></div><div class='tab-pane tab-source-code' id=c-source><pre>export interface
        Tide</pre></div></div></div></div>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Tide", "interface")
    );
    let ebb = page.outline().into_iter().find(|s| s.2 == "ebb");
    assert!(ebb.is_some_and(|s| s.1 == "ebb" && s.3.ends_with("Falls.")));
    assert!(page.outline().iter().all(|s| !s.3.contains("export")));
}
