//! Menus, labels and headings that generators put around the content of a page, as they write them.

use super::read;

fn text_of(html: &str) -> String {
    let page = read(html);
    let parts = page.sections.iter();
    let parts: Vec<String> = parts.map(|s| format!("{} {}", s.heading, s.text)).collect();
    parts.join("\n")
}

#[test]
fn a_menu_without_a_landmark_is_no_text() {
    let crystal = "<title>UDPSocket - Crystal 1.6.0</title><body><div class=sidebar><div class=project-summary><h1 class=project-name>
        <a href=index.html>Crystal</a></h1><span>1.6.0</span></div><ul><li><a href=Array.html>Array</a><li><a href=Hash.html>Hash</a>
        </ul></div><div class=main-content><h1 class=type-name><span class=kind>class</span> UDPSocket</h1><p>A datagram socket.</div>";
    let page = read(crystal);
    assert_eq!(page.title, "class UDPSocket");
    assert!(!text_of(crystal).contains("Hash"), "{}", text_of(crystal));
    let ldoc = "<title>Class client - awesome API</title><body><div id=container><div id=main><div id=navigation><br/><h1>awesome</h1>
        <ul><li><a href=../index.html>Index</a></ul><h2>Contents</h2><ul><li><a href=#Functions>Functions</a></ul></div><div
        id=content><h1>Class <code>client</code></h1><p>A process window.</div></div></div>";
    assert_eq!(read(ldoc).title, "Class client");
    let yard = "<title>Module: YARD::Serializers</title><body><div id=main><div id=header><div id=menu><a href=../_index.html>Index (S)</a>
        &raquo; <a href=../YARD.html>YARD</a> &raquo; <span class=title>Serializers</span></div></div><div id=content><h1>Module:
        YARD::Serializers</h1><p>Namespace for components that serialize.</div></div>";
    assert!(!text_of(yard).contains("Index"), "{}", text_of(yard));
    let gtk = "<title>GApplication: GIO</title><body><table class=navigation id=top><tr><td><a href=# class=shortcut>Top</a> | <a
        href=#d>Description</a><td><a href=index.html><img src=home.png alt=Home></a></table><div class=refentry><div class=refnamediv>
        <h2><span class=refentrytitle>GApplication</span></h2><p>GApplication — Core application class</div></div>";
    assert!(!text_of(gtk).contains("Description"), "{}", text_of(gtk));
}

#[test]
fn a_sidebar_of_a_text_is_text() {
    let aside = "<h1>Anchors</h1><p>Anchors hold boats.</p><div class=sidebar><p>A good anchor weighs a pound for each foot of the boat,
        says <a href=rule.html>the rule</a>.</div>";
    assert!(text_of(aside).contains("weighs a pound"));
    let texinfo = "<h1>Anchoring</h1><p>How to hold.</p><table class=menu><tr><td><a href=set.html>Setting</a>:<td>How to set an anchor.
        <tr><td><a href=weigh.html>Weighing</a>:<td>How to get it up.</table>";
    assert!(text_of(texinfo).contains("How to set an anchor."));
    let main = "<main><h1>Knots</h1><div class=menu><a href=a.html>Bowline</a> <a href=b.html>Clove hitch</a></div><p>Tie them.</main>";
    assert!(text_of(main).contains("Bowline"));
}

#[test]
fn labels_that_are_shown_nowhere_are_no_text() {
    let page = "<main><h1>Summarise</h1><small class=dont-index>Source: <a href=x><code>R/summarise.R</code></a></small><div class='d-none
        name'><code>summarise.Rd</code></div><p class='d-none d-md-block'>Wide.</p><p>One row for each group.</main>";
    let text = text_of(page);
    assert!(!text.contains("summarise.R"), "{text}");
    assert!(text.contains("Wide.") && text.contains("One row"), "{text}");
}

#[test]
fn a_function_of_r_is_called_by_its_name() {
    let reference = |usage: &str| {
        format!(
            "<title>Summarise each group — summarise • dplyr</title><main><h1>Summarise each group</h1><p>It makes a new data frame.
            <h2 id=ref-usage>Usage</h2><pre><code>{usage}</code></pre><h2 id=arguments>Arguments</h2><p>Some.</main>"
        )
    };
    let page = read(&reference(
        "summarise(.data, ...,\n  .by = NULL)\n\n# S3 method\nsummarize(.data)",
    ));
    assert_eq!(page.title, "summarise — Summarise each group");
    assert_eq!(page.kind, "function");
    assert_eq!(page.names, ["summarise", "summarize"]);
    let family = read(&reference("inner_join(x, y)\nleft_join(x, y)"));
    assert_eq!(family.title, "Summarise each group");
    assert_eq!(family.names, ["inner_join", "left_join"]);
    let other =
        read("<title>Usage — usage • dplyr</title><main><h1>Usage</h1><p>How to use it.</main>");
    assert!(other.names.is_empty() && other.kind.is_empty());
}
