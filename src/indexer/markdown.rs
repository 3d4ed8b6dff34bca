//! Markdown pages: CommonMark with tables, footnotes, strikethrough and `{#id}`, front matter, and the markers that site
//! generators add.

use std::time::Instant;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::document::Document;
use super::front_matter::{self, FrontMatter};
use super::html;
use super::links::{self, Origin};
use super::markers::without_markers;
use super::options::InputOptions;
use super::prose::is_callout;
use super::sections::{SectionWriter, absorb_title};
use super::skip::SkipReason;
use super::slugs::{Anchors, Slugs};

/// Events between two looks at the clock.
const EVENTS_A_LOOK: usize = 256;

/// Reads a page. The title may stay empty when the page names none.
pub(crate) fn parse(
    path: &str,
    text: &str,
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let (front, body) = match front_matter::split(text) {
        Some((syntax, block, rest)) => match front_matter::read(syntax, block, options) {
            Some(front) => (front, rest),
            None => (FrontMatter::default(), text),
        },
        None => (FrontMatter::default(), text),
    };
    if let Some(reason) = front.skip {
        return Err(reason);
    }
    let mut writer = SectionWriter::new();
    write(path, body, options, &mut writer)?;
    let is_empty = !writer.has_text() && front.title.is_empty() && front.description.is_empty();
    if is_empty {
        return Err(SkipReason::Empty);
    }
    let (sections, links) = writer.finish();
    let mut document = Document {
        title: front.title,
        description: front.description,
        keywords: front.keywords,
        tags: front.tags,
        category: front.category,
        language: front.language,
        created_at: front.created_at,
        updated_at: front.updated_at,
        active_count: front.active_count,
        faults: front.faults,
        url: front.url,
        weight: front.weight.unwrap_or(1.0),
        sections,
        links,
        ..Document::default()
    };
    // Behind a heading of a lower level, it is an example of one.
    let first = document.sections.iter().find(|s| !s.heading.is_empty());
    if document.title.is_empty()
        && let Some(h1) = first.filter(|first| first.level == 1)
    {
        document.title = h1.heading.clone();
    }
    if document.description.contains("[[") {
        document.description = without_markup(&document.description);
    }
    absorb_title(&mut document.sections, &document.title);
    if document.description.is_empty() {
        document.description = quoted_lead(body).unwrap_or_default();
    }
    Ok(document)
}

const MAX_QUOTED: usize = 400; // Characters of a lead.

/// The sentences of a quotation straight under the page's title: its lead, as tldr's pages have it. Lines with an address
/// lead elsewhere; an epigraph, which ends in its author, and a callout are none, and before a paragraph it is a part of
/// the lead.
fn quoted_lead(body: &str) -> Option<String> {
    let mut lines = body.trim_start().lines();
    lines.next().filter(|line| line.starts_with("# "))?;
    let lines = lines.map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let quoted = lines.iter().map_while(|line| line.strip_prefix('>'));
    let quoted: Vec<&str> = quoted.map(str::trim).collect();
    if lines.get(quoted.len())?.starts_with(char::is_alphanumeric) {
        return None;
    }
    let first = quoted.first()?;
    let label: &str = first.split([':', ' ']).next().unwrap_or_default();
    let is_callout = is_callout(label.trim_matches(['*', '_'])) || first.starts_with("[!");
    let is_author = |line: &&str| line.starts_with(['—', '–', '―', '~']) || line.starts_with("--");
    if is_callout || !first.starts_with(char::is_alphanumeric) || quoted.iter().any(is_author) {
        return None;
    }
    let said = quoted.into_iter().filter(|line| !line.contains("://"));
    let said = without_markup(&said.collect::<Vec<_>>().join("\n"));
    let is_told =
        said.ends_with(['.', '。', '।', '۔', '!', '?']) && said.chars().count() <= MAX_QUOTED;
    is_told.then_some(said)
}

/// The text of a paragraph.
fn without_markup(paragraph: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(paragraph, links_by_name(paragraph)) {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

fn write(
    path: &str,
    body: &str,
    options: &InputOptions,
    writer: &mut SectionWriter,
) -> Result<(), SkipReason> {
    let is_mdx = links::extension(path) == "mdx";
    let body = without_markers(body, is_mdx);
    let extensions = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | links_by_name(&body);
    let deadline = options.deadline();
    let mut slugs = Slugs::new(match options.anchors {
        _ if path.contains(".docc/") => Anchors::DocC,
        Anchors::GitHub if links::extension(path) == "ipynb" => Anchors::Jupyter,
        anchors => anchors,
    });
    let mut html_block: Option<String> = None;
    let mut by_name = ByName::No;
    for (n, event) in Parser::new_ext(&body, extensions).enumerate() {
        if n % EVENTS_A_LOOK == 0 && deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(SkipReason::TooSlow);
        }
        by_name = by_name.after(&event);
        match event {
            Event::Text(_) if by_name == ByName::Embedded => {}
            Event::Text(name) if by_name == ByName::Link => {
                writer.text(&name.replacen('#', " > ", 1));
            }
            Event::Start(tag) => start(path, tag, writer, &mut html_block),
            Event::End(TagEnd::HtmlBlock) => {
                if let Some(block) = html_block.take() {
                    write_html_block(path, &block, writer);
                }
            }
            Event::End(tag) => end(tag, writer, &mut slugs),
            Event::Html(part) => match &mut html_block {
                Some(block) => block.push_str(&part),
                None => write_html_block(path, &part, writer),
            },
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => writer.text(&text),
            Event::InlineHtml(tag) => inline_html(&tag, writer),
            Event::SoftBreak | Event::HardBreak => writer.soft_break(),
            Event::Rule => writer.break_line(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }
    Ok(())
}

/// Links by name, for texts whose brackets may be some: `[[1]](#sources)` is a link of Markdown with brackets of its own,
/// and `tides[[0]]` is none.
fn links_by_name(text: &str) -> Options {
    let mut opened = text.match_indices("[[");
    let is_behind_word = |at: usize| text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    let are_others =
        text.contains("]](") || text.contains("]][") || opened.any(|(at, _)| is_behind_word(at));
    match are_others {
        true => Options::empty(),
        false => Options::ENABLE_WIKILINKS,
    }
}

/// The words that are read of a link by name: `[[Views#Toolbar]]` says its target, `[[Views|the views]]` does not, and
/// `![[Views]]` shows another page there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByName {
    No,
    Link,
    Embedded,
}

impl ByName {
    fn after(self, event: &Event<'_>) -> Self {
        match event {
            Event::Start(Tag::Image {
                link_type: LinkType::WikiLink { .. },
                ..
            }) => Self::Embedded,
            Event::Start(Tag::Link {
                link_type: LinkType::WikiLink { has_pothole: false },
                ..
            }) => Self::Link,
            Event::End(TagEnd::Link | TagEnd::Image) => Self::No,
            _ => self,
        }
    }
}

fn start(path: &str, tag: Tag<'_>, writer: &mut SectionWriter, html_block: &mut Option<String>) {
    match tag {
        Tag::Heading { level, id, .. } => {
            writer.start_heading(level as u8, id.as_deref().unwrap_or_default())
        }
        Tag::CodeBlock(_) => writer.start_pre(),
        Tag::HtmlBlock => *html_block = Some(String::new()),
        Tag::TableHead | Tag::TableRow => writer.start_row(),
        Tag::TableCell => writer.start_cell(),
        Tag::Item => writer.start_block(),
        Tag::Link { dest_url, .. } => {
            if let Some(target) = links::resolve(Origin { path, host: "" }, &dest_url) {
                writer.start_link(target);
            }
        }
        Tag::Image { .. } => writer.soft_break(),
        Tag::Paragraph
        | Tag::BlockQuote(_)
        | Tag::List(_)
        | Tag::FootnoteDefinition(_)
        | Tag::Table(_) => writer.break_line(),
        _ => {}
    }
}

fn end(tag: TagEnd, writer: &mut SectionWriter, slugs: &mut Slugs) {
    match tag {
        TagEnd::Heading(_) => writer.end_heading_as(|text| slugs.of(text)),
        TagEnd::CodeBlock => writer.end_pre(),
        TagEnd::TableHead | TagEnd::TableRow => writer.end_row(),
        TagEnd::Item => writer.start_block(),
        TagEnd::Link => writer.end_link(),
        TagEnd::Image => writer.soft_break(),
        TagEnd::Paragraph
        | TagEnd::BlockQuote(_)
        | TagEnd::List(_)
        | TagEnd::FootnoteDefinition
        | TagEnd::Table => writer.break_line(),
        _ => {}
    }
}

fn write_html_block(path: &str, block: &str, writer: &mut SectionWriter) {
    writer.break_line();
    if block.trim_start().starts_with("<!--")
        && block.trim_end().ends_with("-->")
        && block.matches("-->").count() == 1
    {
        return;
    }
    html::write_fragment(path, block, writer);
    writer.break_line();
}

/// A single tag inside a paragraph or heading. Only anchors and breaks say something about the text.
fn inline_html(tag: &str, writer: &mut SectionWriter) {
    let inside = tag.trim_start_matches('<');
    let name_len = inside.bytes().take_while(u8::is_ascii_alphanumeric).count();
    match inside[..name_len].to_ascii_lowercase().as_str() {
        "br" => writer.soft_break(),
        "a" | "span" => {
            if let Some(id) = attribute(inside, "id").or_else(|| attribute(inside, "name")) {
                writer.anchor(id);
            }
        }
        _ => {}
    }
}

/// The value of an attribute in the text of one tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + name.len()..];
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            continue;
        };
        if before.is_some_and(|c| !c.is_whitespace()) {
            continue;
        }
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let end = match quote {
            Some(quote) => value[1..].find(quote).map(|end| &value[1..1 + end]),
            None => value.split([' ', '>', '\t', '\n']).next(),
        };
        return end.map(str::trim).filter(|id| !id.is_empty());
    }
    None
}

/// Plain text: one section, paragraphs as lines.
pub(crate) fn parse_plain(text: &str) -> Result<Document, SkipReason> {
    let mut writer = SectionWriter::new();
    for line in text.lines() {
        writer.text(line);
        writer.break_line();
    }
    if !writer.has_text() {
        return Err(SkipReason::Empty);
    }
    let (sections, _) = writer.finish();
    Ok(Document {
        sections,
        weight: 1.0,
        ..Document::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Document {
        parse("dir/page.md", text, &InputOptions::default()).expect("a page with text")
    }

    #[test]
    fn blocks_become_lines_and_headings_sections() {
        let page = read(
            "# Title\n\nA *line*\nof `code` text\\\nand a [link](b.md).\n\n## Part & parcel\n\n- one\n- two\n  1. deep\n\n\
            > quoted\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\n```rust\nfn x() {\n    y();\n}\n```\n\nNote[^1]. ![Alt](i.png)\n\n[^1]: Foot.\n",
        );
        assert_eq!(page.title, "Title");
        assert_eq!(
            page.outline(),
            [
                (0, "", "title", "A line of code text and a link."),
                (
                    2,
                    "Part & parcel",
                    "part--parcel",
                    "one\ntwo\ndeep\nquoted\na | b\n1 | 2\nfn x() {\n    y();\n}\nNote. Alt\nFoot."
                ),
            ]
        );
        assert_eq!(
            page.links,
            [crate::indexer::document::Link {
                path: "dir/b.md".into(),
                text: "link".into()
            }]
        );
    }

    #[test]
    fn a_first_heading_behind_others_is_no_title() {
        let page = read("Text.\n\n## Headings\n\n# This is a heading 1\n\nText.\n");
        assert_eq!((page.title.as_str(), page.sections.len()), ("", 3));
        assert_eq!(read("Text.\n\n# Title\n\n## Part\n").title, "Title");
        let page = read("---\ndescription: A [[Views|view]] of it.\n---\nText.\n");
        assert_eq!(page.description, "A view of it.");
    }

    #[test]
    fn links_by_name_are_read_as_they_are_shown() {
        let page = read(
            "A [[Core plugins|core plugin]] and [[Views]], [[Views#Toolbar]]. ![[icon.svg#icon]]\n\n\
            | a |\n|---|\n| [[Views\\|views]] |\n\n`[[nodiscard]]` and ![a tide](tide.png)\n",
        );
        assert_eq!(
            page.sections[0].text,
            "A core plugin and Views, Views > Toolbar.\na\nviews\n[[nodiscard]] and a tide"
        );
        let paths: Vec<&str> = page.links.iter().map(|l| l.path.as_str()).collect();
        assert_eq!(paths[..2], ["dir/Core plugins", "dir/Views"]);
        let page = read("Of [[1]](#sources) and [[tides]](https://x.org/tides), [[nodiscard]].\n");
        assert_eq!(page.sections[0].text, "Of [1] and [tides], [[nodiscard]].");
        assert_eq!(
            read("So tides[[0]] is.\n").sections[0].text,
            "So tides[[0]] is."
        );
    }

    #[test]
    fn anchors_follow_github_and_explicit_ids() {
        let page = read(
            "## Hello, World!\n\n## Hello World\n\n## `a_b` C++ -- x\n\n## 中文 标题\n\n## Own {#mine}\n\n\
            ## <a name=\"ctor\"></a> CArray::CArray\n\n<a id='before'></a>\n\n## After\n\ntext\n\n## Ünïcode É\n",
        );
        let anchors: Vec<_> = page
            .sections
            .iter()
            .map(|s| (s.heading.as_str(), s.anchor.as_str()))
            .collect();
        assert_eq!(
            anchors,
            [
                ("Hello, World!", "hello-world"),
                ("Hello World", "hello-world-1"),
                ("a_b C++ -- x", "a_b-c----x"),
                ("中文 标题", "中文-标题"),
                ("Own", "mine"),
                ("CArray::CArray", "ctor"),
                ("After", "before"),
                ("Ünïcode É", "ünïcode-é"),
            ]
        );
    }

    #[test]
    fn a_quotation_under_the_title_is_the_pages_lead() {
        let lead = |text: &str| read(&["# tar\n\n", text, "\n\n- Make:\n"].concat()).description;
        let want = "Archiving utility. Often with gzip.";
        assert_eq!(
            lead("> Archiving utility.\n> Often with `gzip`.\n> More: <https://x.org>."),
            want
        );
        assert_eq!(lead("> पुरालेख उपयोगिता।"), "पुरालेख उपयोगिता।");
        for other in [
            "> Call me Ishmael.\n> — Melville",
            "> **Note:** this is old.",
            "> [!TIP]\n> Mind this.",
            "> a label",
            "> Unable to load models.\n\nThe tool reports this.",
            "Text.\n\n> Said later.",
        ] {
            assert_eq!(lead(other), "", "{other}");
        }
    }

    #[test]
    fn the_title_is_said_once() {
        let page = read("---\ntitle: Warning C1\n---\n# Warning `C1`\n\nIntro.\n\n## Remarks\n");
        assert_eq!(
            page.outline(),
            [
                (0, "", "warning-c1", "Intro."),
                (2, "Remarks", "remarks", "")
            ]
        );
        let page = read("---\ntitle: Classes (ATL)\n---\n# Classes\n\nIntro.\n");
        assert_eq!(
            (page.title.as_str(), page.outline()),
            ("Classes (ATL)", vec![(1, "Classes", "classes", "Intro.")])
        );
        assert_eq!(read("Only text").title, "");
    }

    #[test]
    fn html_inside_is_stripped_to_text() {
        let page = read(
            "A <b>bold</b><br>word &amp; <!-- no --> x\n\n<details>\n<summary>More</summary>\n\nInside **it**\n\n</details>\n\n\
            <!-- comment\n## no heading -->\n\n<table><tr><td>a</td><td>b</td></tr></table>\n\n<h2 id=\"raw\">Raw</h2>\n<p>text</p>\n<script>no()</script>\n",
        );
        assert_eq!(
            page.outline(),
            [
                (0, "", "", "A bold word & x\nMore\nInside it\na | b"),
                (2, "Raw", "raw", "text")
            ]
        );
    }

    #[test]
    fn admonition_markers_are_no_text() {
        let page =
            read("> [!WARNING]\n> Hot.\n\n:::note\nCold.\n:::\n\n> [!IMPORTANT] \n> Both.\n");
        assert_eq!(page.sections[0].text, "Hot.\nCold.\nBoth.");
    }

    #[test]
    fn hostile_markdown_is_survived() {
        let options = InputOptions::default();
        for unit in [
            "> ",
            "- ",
            "[",
            "*a ",
            "`",
            "<div>\n\n",
            "![",
            "1. ",
            "<b>",
            "| a ",
            "#",
            "~~~\n",
            "[^a]: ",
        ] {
            let _ = parse("p.md", &unit.repeat(20_000), &options);
        }
        assert_eq!(
            parse("p.md", "---\n---\n", &options),
            Err(SkipReason::Empty)
        );
        assert_eq!(
            parse("p.md", "---\ntitle: T\n---\n", &options).map(|d| d.title),
            Ok("T".to_owned())
        );
    }
}
