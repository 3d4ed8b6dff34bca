//! Pages as Javadoc and Groovydoc write them.

use super::read;

#[test]
fn members_of_javadoc_are_sections_and_its_tables_repeat_them() {
    let page = read(
        "<title>Sea (Tides 1.0)</title><meta name=description content='declaration: module: tides, package: org.tides, enum: Sea'><meta
        name=generator content=javadoc/ClassWriterImpl><body class=class-declaration-page><main role=main><div class=header><div
        class=sub-title><span class=module-label-in-type>Module</span>&nbsp;<a href=../../module-summary.html>tides</a></div><div
        class=sub-title><span class=package-label-in-type>Package</span>&nbsp;<a href=package-summary.html>org.tides</a></div><h1
        title='Enum Class Sea' class=title>Enum Class Sea</h1></div><div class=inheritance title='Inheritance Tree'><a
        href=Object.html>java.lang.Object</a><div class=inheritance>org.tides.Sea</div></div><section class=class-description
        id=class-description><div class=block>Salt.</div></section><section class=summary><ul class=summary-list><li><section
        class=nested-class-summary id=nested-class-summary><h2>Nested Class Summary</h2><div class=block>Of a bay.</div></section></li><li><section
        class=method-summary id=method-summary><h2>Method Summary</h2><div class=summary-table><code><a href='#ebb(K)'
        class=member-name-link>ebb</a></code></div><div class=inherited-list><h3 id=methods-inherited>Methods declared in class
        Object</h3><code>wait</code></div></section></li></ul></section><section class=details><ul class=details-list><li><section
        class=constructor-details id=constructor-detail><h2>Constructor Details</h2><ul class=member-list><li><section class=detail
        id='&lt;init&gt;()'><h3>Sea</h3><div class=member-signature>public Sea()</div></section></li></ul></section></li><li><section
        class=method-details id=method-detail><h2>Method Details</h2><ul class=member-list><li><section class=detail id=ebb(K)><h3
        id=ebb(java.lang.Object)>ebb</h3><div class=member-signature>void ebb(K by)</div><div
        class=block>Falls.</div></section></li></ul></section></li></ul></section></main>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Salt.\nOf a bay."),
            (2, "Sea", "<init>()", "public Sea()"),
            (2, "ebb", "ebb(K)", "void ebb(K by)\nFalls."),
        ]
    );
    let names: Vec<String> = page.sections.iter().map(|s| s.names.join(" ")).collect();
    assert_eq!(names, ["", "", "Sea.ebb"]);
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Sea", "enum class")
    );
    assert_eq!(
        (page.description.as_str(), &page.names[..]),
        ("", &["org.tides.Sea".to_owned()][..])
    );
    assert_eq!(page.facts.trail, ["tides", "org.tides"]);
}

#[test]
fn older_javadoc_has_its_members_in_lists_behind_anchors() {
    let page = read(
        "<title>Sea.Bay (Tides 1.0 API)</title><div class=topNav><ul class=navList><li>Package</li></ul></div><div class=subNav><ul
        class=subNavList><li>Summary:&nbsp;</li></ul></div><div class=header><div class=subTitle>compact1, compact2</div><div
        class=subTitle>org.tides</div><h2 title='Interface Sea.Bay' class=title>Interface Sea.Bay&lt;T&gt;</h2></div><div
        class=contentContainer><ul class=inheritance><li>org.tides.Sea.Bay</li></ul><div class=description>Calm.</div><div
        class=summary><ul class=blockList><li class=blockList><ul class=blockList><li class=blockList><a name=method.summary>
        <!--   --></a><h3>Method Summary</h3><table class=memberSummary><tr><td><a href=Sea.Bay.html#ebb-->ebb</a></td></tr></table></li></ul></li></ul></div><div
        class=details><ul class=blockList><li class=blockList><ul class=blockList><li class=blockList><a name=method.detail>
        <!--   --></a><h3>Method Detail</h3><a name=ebb-->
        <!--   --></a><ul class=blockListLast><li class=blockList><h4>ebb</h4><pre>void ebb()</pre><h4>A note</h4></li></ul></li></ul></li></ul></div></div>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Calm."),
            (2, "ebb", "ebb--", "void ebb()\nA note")
        ]
    );
    assert_eq!(page.sections[1].names, ["Sea.Bay.ebb"]);
    assert_eq!(
        (page.title.as_str(), page.kind.as_str()),
        ("Sea.Bay", "interface")
    );
    assert_eq!(page.names, ["org.tides.Sea.Bay"]);
}

#[test]
fn members_of_groovydoc_are_called_by_what_their_signatures_stress() {
    let page = read(
        "<title>Sea (tides 1.0 API)</title><div class=subNav><div><ul class=subNavList><li>Summary:&nbsp;</li>Nested&nbsp;Field</ul></div></div><div
        class=header><div class=subTitle>Package: <strong>org.tides</strong></div><h2 title='[Groovy] Class Sea' class=title>[Groovy] Class
        Sea</h2></div><div class=contentContainer><div class=description><p>Salt.</p></div><div class=summary><ul class=blockList><li
        class=blockList><a name=nested_summary><!-- --></a><h3>Nested Class Summary</h3><p>Of a bay.</p></li><a
        name=element_summary><!-- --></a><li class=blockList><h3>Element Summary</h3><p>salt</p></li><li class=blockList><a
        name=method_summary><!-- --></a><h3>Inherited Methods Summary</h3><p>wait</p></li></ul></div><div class=details><ul
        class=blockList><li class=blockList><a name=method_detail><!-- --></a><h3>Method Detail</h3><a name='ebb(int, int)'><!-- --></a><ul
        class=blockListLast><li class=blockList><h4><a href=x.html>def</a> <strong>ebb</strong>(int by, int at)</h4><p>Falls.</p></li></ul></li></ul></div></div>",
    );
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "Salt.\nOf a bay."),
            (2, "ebb", "ebb(int, int)", "def ebb(int by, int at)\nFalls."),
        ]
    );
    assert_eq!(page.sections[1].names, ["Sea.ebb"]);
    assert_eq!((page.title.as_str(), page.kind.as_str()), ("Sea", "class"));
    assert_eq!(page.facts.trail, ["org.tides"]);
}

#[test]
fn a_package_of_javadoc_is_no_member_of_its_module() {
    let page = read(
        "<title>org.tides (Tides 1.0)</title><meta name=generator content=javadoc/PackageWriterImpl><main><div class=header><div
        class=sub-title><span>Module</span>&nbsp;<a href=../m.html>tides</a></div><h1 title='Package org.tides' class=title>Package
        org.tides</h1></div><div class=block>Seas.</div></main>",
    );
    assert_eq!((page.kind.as_str(), page.names.len()), ("package", 0));
    let other = read(
        "<title>Sea</title><div class=header><div class=sub-title>A tagline</div><h1 class=title>Sea</h1></div><p>Text.</p>",
    );
    assert_eq!(other.sections[0].text, "A tagline");
}

#[test]
fn what_stands_before_the_signature_of_a_type_is_no_text_and_its_trail_names_the_package() {
    let page = read(
        "<html><head><title>Sea.Tide (Tides 23 API)</title><meta name=generator content='javadoc/ClassWriter'></head><body><header><nav><ol
        class=sub-nav-list><li><a href=module-summary.html>tides</a></li><li><a href=package-summary.html>org.tides</a></li><li><a
        href=Sea.html>Sea</a></li><li><a href=Sea.Tide.html class=current-selection>Tide</a></li></ol></nav></header><main role=main><div
        class=header><h1 title='Class Sea.Tide' class=title>Class Sea.Tide&lt;T&gt;</h1></div><section class=class-description
        id=class-description><div class=horizontal-scroll><dl class=notes><dt>Type Parameters:</dt><dd><code>T</code> - the sort of
        water.</dd></dl><hr><div class=type-signature>public class Sea.Tide&lt;T&gt;</div><div class=block>Rises and falls.<h2
        id=moon-heading>The moon</h2><p>Pulls.</p></div><dl class=notes><dt>Since:</dt><dd>9</dd></dl></div></section><section
        class=details><ul><li><section class=method-details id=method-detail><h2>Method Details</h2><ul><li><section class=detail
        id='ebb()'><h3>ebb</h3><div class=member-signature>void ebb()</div></section></li></ul></section></li></ul></section></main>",
    );
    assert_eq!(page.facts.trail, ["tides", "org.tides", "Sea"]);
    assert_eq!(page.names, ["org.tides.Sea.Tide"]);
    assert_eq!(
        page.outline(),
        [
            (0, "", "", "public class Sea.Tide<T>\nRises and falls."),
            (2, "The moon", "moon-heading", "Pulls.\nSince:\n9"),
            (2, "ebb", "ebb()", "void ebb()")
        ]
    );
}
