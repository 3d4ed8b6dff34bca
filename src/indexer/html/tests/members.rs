//! Members of reference pages as rustdoc and TypeDoc write them.

use super::read;

#[test]
fn members_of_rustdoc_have_their_full_names() {
    let page = read(
        "<title>Range in std::ops - Rust</title><meta name=generator content=rustdoc><main><h1>Struct <span>Range</span></h1>
        <h2 id=fields class='fields section-header'>Fields<a href='#fields' class=anchor>§</a></h2>
        <span id=structfield.start class='structfield section-header'><a href='#structfield.start' class='anchor field'>§</a><code>start:
        Idx</code></span><div class=docblock><p>The lower bound.</div>
        <section id=variant.Some class=variant><a href='#variant.Some' class=anchor>§</a><h3 class=code-header>Some(T)</h3></section>
        <div class=docblock><p>A value.</div>
        <section id=impl-Clone class=impl><h3 class=code-header>impl Clone for Range<div class=where>where Idx: Clone</div></h3></section>
        <details class='toggle method-toggle'><summary><section id=method.fmt-1 class='method trait-impl'><a class='src rightside' href=y>Source</a><h4 class=code-header>fn <a
        href='#method.fmt-1' class=fn>fmt</a>(&amp;self) -&gt; Result</h4></section></summary>
        <div class=docblock>Formats the value as a range. See <a href='trait.Debug.html#method.fmt'>Debug</a>.</div></details>
        <span class=item-info><div class='stab unstable'><span class=emoji>🔬</span>This is a nightly-only experimental API.</div></span>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Range", "struct")
    );
    assert_eq!(
        page.outline(),
        [
            (2, "Fields", "fields", ""),
            (
                3,
                "Range::start",
                "structfield.start",
                "start: Idx\nThe lower bound."
            ),
            (3, "Range::Some", "variant.Some", "Some(T)\nA value."),
            (3, "impl Clone for Range", "impl-Clone", ""),
            (
                4,
                "Range::fmt",
                "method.fmt-1",
                "fn fmt(&self) -> Result\nFormats the value as a range. See Debug."
            ),
        ]
    );
}

#[test]
fn members_that_rustdoc_tells_on_the_page_of_their_trait_are_not_told_again() {
    let page = read(
        "<title>Keys in std::collections - Rust</title><meta name=generator content=rustdoc><main><h1>Struct <span>Keys</span></h1>
        <section id=impl-Iterator-for-Keys class=impl><h3 class=code-header>impl Iterator for Keys</h3></section>
        <section id=associatedtype.Item class='associatedtype trait-impl'><h4 class=code-header>type Item = K</h4></section>
        <details class='toggle method-toggle'><summary><section id=method.next class='method trait-impl'><h4 class=code-header>fn
        next(&amp;mut self)</h4></section></summary><div class=docblock>Advances the iterator. <a
        href='../iter/trait.Iterator.html#tymethod.next'>Read more</a></div></details>
        <details class='toggle method-toggle'><summary><section id=method.len class=method><h4 class=code-header>fn
        len(&amp;self)</h4></section></summary><div class=docblock>Counts. <a href='guide.html#len'>Read more</a></div></details>",
    );
    assert_eq!(
        page.outline(),
        [
            (3, "impl Iterator for Keys", "impl-Iterator-for-Keys", ""),
            (4, "Keys::Item", "associatedtype.Item", "type Item = K"),
            (4, "Keys::len", "method.len", "fn len(&self)\nCounts."),
        ]
    );
}

#[test]
fn definitions_of_haddock_have_their_full_names() {
    let page = read(
        "<title>Data.Maybe</title><body><div id=content><div id=interface><h1>Documentation</h1>
        <div class=top><p class=src><span class=keyword>data</span> <a id='t:Maybe' class=def>Maybe</a> a <a href='src/A.html#M'
        class=link>Source</a> <a href='#t:Maybe' class=selflink>#</a></p><div class=doc><p>An optional value.</p></div></div>
        <div class=top><p class=src><a id='v:maybe' class=def>maybe</a> :: b -&gt; b</p><div class=doc><p>Takes a default.</p></div></div>
        <p class=src>plain</p></div></div>",
    );
    let members: Vec<_> = page.outline().into_iter().filter(|s| s.0 == 3).collect();
    assert_eq!(
        members,
        [
            (
                3,
                "Data.Maybe.Maybe",
                "t:Maybe",
                "data Maybe a\nAn optional value."
            ),
            (
                3,
                "Data.Maybe.maybe",
                "v:maybe",
                "maybe :: b -> b\nTakes a default.\nplain"
            ),
        ]
    );
}

#[test]
fn definitions_of_scribble_are_sections() {
    let page = read(
        "<title>4.15 Hash Tables</title><body><h4>4.15<tt>&nbsp;</tt><a name='(part._hashtables)'></a>Hash Tables</h4><p>About them.</p>
        <blockquote><p class=RForeground><span class=RktPn>(</span><a name='(def._hash-ref)'></a><span title=x><span class=RktSym><a
        href='#%28def._hash-ref%29' class='RktValDef RktValLink'>hash-ref</a></span></span> <span class=RktVar>key</span>)</p></blockquote>
        <p>Returns the value.</p><p>Not <a href='#%28def._hash-ref%29' class=RktValLink>hash-ref</a>.</p>",
    );
    let members: Vec<_> = page.outline().into_iter().filter(|s| s.0 == 6).collect();
    let text = "hash-ref key)\nReturns the value.\nNot hash-ref.";
    assert_eq!(members, [(6, "hash-ref", "(def._hash-ref)", text)]);
}

#[test]
fn members_of_scaladoc_have_the_names_of_their_class() {
    let item = |class: &str, name: &str| {
        format!(
            "<li name='scala.{class}#{name}' visbl=pub><a id='{name}():A'></a><a id='{name}'></a><h4 class=signature><span
            class=modifier_kind><span class=modifier>final </span><span class=kind>def</span></span> <span class=symbol><span
            class=name>{name}</span>(<span class=implicit>implicit</span> a: A): A</span></h4><p class='shortcomment cmt'>Gives it.</p></li>"
        )
    };
    let page = read(&format!(
        "<title>Option - Scala Library 2.11 - scala.Option</title><body class=type><h1>Option</h1><h4 id=signature
        class=signature>class Option[A]</h4><h3>Value Members</h3><ol>{}{}</ol>",
        item("Option", "get"),
        item("AnyRef", "hashCode"),
    ));
    let members: Vec<_> = page.outline().into_iter().skip(2).collect();
    let text = "final def get(implicit a: A): A\nGives it.\nfinal def hashCode(implicit a: A): A\nGives it.";
    assert_eq!(members, [(3, "Option.get", "get():A", text)]);
}

#[test]
fn functions_of_a_property_are_names_of_its_section() {
    let page = read(
        "<title>QWidget Class</title><body><h1>QWidget Class</h1><h3 class=fn id=windowTitle-prop><span class=name>windowTitle</span> :
        QString</h3><p>The title.</p><table class=alignedsummary><tr><td class='memItemLeft'> void </td><td class='memItemRight bottomAlign'><span
        class=name><b>setWindowTitle</b></span>(const QString &amp;)</td></tr><tr><td class=memItemRight><span class=name><a
        href='x.html'>other</a></span></td></tr></table></body>",
    );
    let section = page
        .sections
        .iter()
        .find(|s| s.anchor == "windowTitle-prop");
    assert_eq!(section.expect("the property").names, ["setWindowTitle"]);
}

#[test]
fn members_of_typedoc_have_their_full_names() {
    let page = read(
        "<title>Station | tides</title><div class='container container-main'><div class=col-content>
        <div class=tsd-page-title><ul class=tsd-breadcrumb><li><a href=''>Station</a></ul><h1>Class Station<code class=tsd-tag>Abstract</code></h1></div>
        <section class='tsd-panel tsd-comment'><p>A station.</section><aside class=tsd-sources>Defined in x.ts:4</aside>
        <section class='tsd-panel-group tsd-index-group'><section class='tsd-panel tsd-index-panel'><h3 id=methods>Methods</h3></section></section>
        <h2 class=tsd-anchor-link id=methods-1>Methods<a href='#methods-1' aria-label=Permalink class=tsd-anchor-icon></a></h2>
        <section class='tsd-panel tsd-member'><h3 class=tsd-anchor-link id=again><code class=tsd-tag>Optional</code><span>again</span><a
        href='#again' class=tsd-anchor-icon></a></h3><ul class=tsd-signatures><li><div class='tsd-signature tsd-anchor-link' id=again-1><span
        class=tsd-kind-call-signature>again</span><span class=tsd-signature-symbol>(</span><span class=tsd-kind-parameter>times</span><span
        class=tsd-signature-symbol>:</span> number<span class=tsd-signature-symbol>)</span></div><p>Says it again.</p>
        <h4 class=tsd-parameters-title>Parameters</h4><ul><li>times: number</ul></ul></section></div>
        <div class=col-sidebar><div class=page-menu><h3>Settings</h3><h3>On This Page</h3></div></div></div>",
    );
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Station", "class")
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "A station."),
            (2, "Methods", "methods-1", ""),
            (
                3,
                "Station.again",
                "again",
                "again(times: number)\nSays it again.\nParameters\ntimes: number"
            ),
        ]
    );
}

#[test]
fn members_that_typedoc_tells_on_the_page_of_their_class_are_not_told_again() {
    let member = |name: &str, sources: &str| {
        format!(
            "<section class='tsd-panel tsd-member tsd-is-inherited'><h3 class=tsd-anchor-link id={name}><span>{name}</span></h3><p>Says
            it.</p><aside class=tsd-sources>{sources}<ul><li>Defined in <a href='https://example.org/a.ts#L4'>a.ts:4</a></ul></aside></section>"
        )
    };
    let inherited =
        "<p>Inherited from <a href='Float.html'>Float</a>.<a href='Float.html#drift'>drift</a></p>";
    let page = read(&format!(
        "<title>Buoy | tides</title><div class='container container-main'><div class=col-content><div class=tsd-page-title><h1>Class
        Buoy</h1></div><div class=tsd-signature><span class=tsd-signature-keyword>interface</span> <span>Buoy</span> {{<br>drift(): void<br>}}
        </div>{}{}{}</div></div>",
        member("drift", inherited),
        member("message", "<p>Inherited from Error.message</p>"),
        member("sink", "")
    ));
    let names: Vec<&str> = page.outline().into_iter().map(|s| s.1).collect();
    assert_eq!(names, ["Buoy.message", "Buoy.sink"]);
    assert_eq!(page.facts.generator, "typedoc");
}

#[test]
fn lists_of_a_typedoc_module_name_what_other_pages_tell() {
    let page = read(
        "<title>sea | tides</title><div class=col-content><div class=tsd-page-title><h1>Module sea</h1></div><section class='tsd-panel
        tsd-comment'><p>What floats.</p></section><details class='tsd-panel-group tsd-member-group tsd-accordion' open><summary
        class=tsd-accordion-summary><h2 class=tsd-anchor-link id=functions>Functions</h2></summary><dl class=tsd-member-summaries><dt
        class=tsd-member-summary id=drift><span class=tsd-member-summary-name><a href='../functions/sea.drift.html'>drift</a></span></dt><dd
        class=tsd-member-summary></dd></dl></details></div>",
    );
    assert_eq!(page.outline(), [(0, "", "", "What floats.")]);
}

#[test]
fn methods_of_doctum_are_called_by_their_class_and_inherited_ones_are_told_elsewhere() {
    let method = |id: &str, place: &str| {
        format!(
            "<div class=method-item><h3 id=method_{id}><div class=location>{place}</div><code>void <strong>{id}</strong>(int
            $hours)</code></h3><div class=details><div class=method-description><p>Falls.</p></div><div class=tags><h4>Parameters</h4><table><tr>
            <td>int</td><td>$hours</td></tr></table></div></div></div>"
        )
    };
    let elsewhere = "in <a href=../Tide.html#method_flow><abbr>Tide</abbr></a> at line 60";
    let page = read(&format!(
        "<title>App\\Sea | API</title><div id=page-content><h1>Sea</h1><p>A sea.</p><h2>Details</h2><div id=method-details>{}{}</div></div>",
        method("ebb", "at line 24"),
        method("flow", elsewhere)
    ));
    let sections: Vec<_> = page.outline().into_iter().filter(|s| s.0 > 2).collect();
    let text = "void ebb(int $hours)\nFalls.\nParameters\nint | $hours";
    assert_eq!(sections, [(3, "Sea::ebb", "method_ebb", text)]);
}
