//! HTML pages: what is content, what describes the page, and its sections.
//!
//! The page is parsed once by html5ever; then two passes without recursion, one over all nodes for what describes the
//! page, one in reading order for its text. Pagefind's attributes and their `data-knarr-*` twins are honoured.

use std::collections::HashSet;

use scraper::{Html, Node};

use super::dates;
use super::depth::limit_depth;
use super::document::Document;
use super::input::{InputOptions, SkipReason};
use super::links;
use super::noise::{Attributes, PageNode, Place, is_noise};
use super::prose::words;
use super::sections::{SectionWriter, absorb_title, collapse};

const MAX_REDIRECT_DELAY_S: f32 = 10.0; // A page that stays longer is meant to be read.
const MAX_META_CHARS: usize = 1000; // Descriptions and titles; longer ones are text that lost its way.

/// Reads a page. The title may stay empty when the page names none.
pub(crate) fn parse(
    path: &str,
    html: &str,
    options: &InputOptions,
) -> Result<Document, SkipReason> {
    let limited = limit_depth(html);
    let page = Html::parse_document(&limited);
    let head = Head::read(&page, options)?;
    let mut document = head.document;
    let mut writer = SectionWriter::new();
    let place = Place {
        whole_body: head.roots.is_none(),
        is_rustdoc: head.is_rustdoc,
    };
    let roots = head.roots.unwrap_or_default();
    let mut reader = Reader {
        path,
        writer: &mut writer,
        place,
        roots: &roots,
        n_open_roots: 0,
        root_weight: None,
    };
    reader.read(page.tree.root());
    let root_weight = reader.root_weight;
    let has_text = writer.has_text();
    let (sections, links) = writer.finish();
    if !has_text {
        return Err(SkipReason::Empty);
    }
    document.sections = sections;
    document.links = links;
    document.weight = root_weight.unwrap_or(1.0);
    if document.title.is_empty() {
        document.title = title_from(&document, &head.title_element);
    }
    absorb_title(&mut document.sections, &document.title);
    Ok(document)
}

/// Reads a piece of HTML inside another format into `writer`.
pub(crate) fn write_fragment(path: &str, html: &str, writer: &mut SectionWriter) {
    let limited = limit_depth(html);
    let page = Html::parse_fragment(&limited);
    let place = Place {
        whole_body: false,
        is_rustdoc: false,
    };
    let roots = HashSet::new();
    let mut reader = Reader {
        path,
        writer,
        place,
        roots: &roots,
        n_open_roots: 1,
        root_weight: None,
    };
    reader.read(page.tree.root());
}

/// The first `<h1>` of the content; else its first heading when the page's `<title>` holds the same words; else that.
fn title_from(document: &Document, title_element: &str) -> String {
    if let Some(h1) = document.sections.iter().find(|s| s.level == 1) {
        return h1.heading.clone();
    }
    if let Some(first) = document.sections.iter().find(|s| !s.heading.is_empty()) {
        let known: HashSet<String> = words(title_element).collect();
        if words(&first.heading).all(|word| known.contains(&word)) {
            return first.heading.clone();
        }
    }
    title_element.to_owned()
}

/// What describes the page, from everywhere in it.
struct Head {
    document: Document,
    title_element: String,
    /// The elements that hold the content; `None` for the whole body.
    roots: Option<HashSet<NodeKey>>,
    is_rustdoc: bool,
}

/// Identifies a node of one page.
type NodeKey = usize;

impl Head {
    fn read(page: &Html, options: &InputOptions) -> Result<Self, SkipReason> {
        let mut document = Document {
            weight: 1.0,
            ..Document::default()
        };
        let mut title_element = String::new();
        let mut is_rustdoc = false;
        let mut og_description = String::new();
        let (mut marked, mut mains, mut roles, mut articles) = (vec![], vec![], vec![], vec![]);
        for node in page.tree.root().descendants() {
            let Node::Element(element) = node.value() else {
                continue;
            };
            let attributes = Attributes::of(element);
            match element.name() {
                "html" => {
                    let lang = element
                        .attr("lang")
                        .or_else(|| element.attr("xml:lang"))
                        .unwrap_or_default()
                        .trim();
                    document.language = (!lang.is_empty()).then(|| lang.to_owned());
                }
                "title" if title_element.is_empty() => title_element = text_below(node),
                "meta" => {
                    let content = element.attr("content").unwrap_or_default();
                    let equiv = element.attr("http-equiv").unwrap_or_default();
                    if equiv.eq_ignore_ascii_case("refresh") && is_redirect(content) {
                        return Err(SkipReason::Redirect);
                    }
                    let name = element.attr("name").or_else(|| element.attr("property"));
                    let name = name
                        .or_else(|| element.attr("itemprop"))
                        .unwrap_or(equiv)
                        .trim()
                        .to_ascii_lowercase();
                    if name == "generator" {
                        is_rustdoc = content == "rustdoc";
                    }
                    read_meta(&name, content, options, &mut document, &mut og_description)?;
                }
                "main" => mains.push(node_key(node)),
                "article" => articles.push(node_key(node)),
                _ => {}
            }
            if attributes.role == "main" {
                roles.push(node_key(node));
            }
            if attributes.body.is_some() {
                marked.push(node_key(node));
            }
            if (attributes.meta.is_some() || attributes.filter.is_some())
                && !is_wholly_ignored(node)
            {
                read_marks(node, &attributes, options, &mut document);
            }
        }
        if document.description.is_empty() {
            document.description = og_description;
        }
        document.body_marked = !marked.is_empty();
        let roots = [marked, mains, roles, articles]
            .into_iter()
            .find(|found| !found.is_empty());
        Ok(Self {
            document,
            title_element,
            roots: roots.map(HashSet::from_iter),
            is_rustdoc,
        })
    }
}

/// Takes in one `<meta>`.
fn read_meta(
    name: &str,
    content: &str,
    options: &InputOptions,
    document: &mut Document,
    og_description: &mut String,
) -> Result<(), SkipReason> {
    let plain = name
        .strip_prefix("og:")
        .or_else(|| name.strip_prefix("twitter:"))
        .unwrap_or(name);
    if name.is_empty() || content.is_empty() || options.skips(name) || options.skips(plain) {
        return Ok(());
    }
    match name {
        "robots" => {
            let directives = content.to_ascii_lowercase();
            if directives
                .split([',', ' '])
                .any(|d| d == "noindex" || d == "none")
            {
                return Err(SkipReason::NoIndex);
            }
        }
        "description" => document.description = collapse(&content.replace('`', ""), MAX_META_CHARS),
        "og:description" | "twitter:description" => {
            *og_description = collapse(content, MAX_META_CHARS)
        }
        "article:section" => document.category = collapse(content, MAX_META_CHARS),
        "article:tag" => push_new(&mut document.tags, collapse(content, MAX_META_CHARS)),
        "article:published_time"
        | "date"
        | "datepublished"
        | "dc.date"
        | "dcterms.created"
        | "dcterms.date" => {
            document.created_at = document.created_at.or_else(|| dates::parse(content));
        }
        "article:modified_time"
        | "og:updated_time"
        | "last-modified"
        | "datemodified"
        | "dcterms.modified"
        | "dc.date.modified"
        | "ms.date"
        | "updated_at"
        | "lastmod" => {
            document.updated_at = document.updated_at.or_else(|| dates::parse(content));
        }
        _ if name.ends_with("keywords") => {
            for keyword in content.split([',', ';']) {
                push_new(&mut document.keywords, collapse(keyword, MAX_META_CHARS));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Takes in `data-pagefind-meta` and `data-pagefind-filter`.
fn read_marks(
    node: PageNode<'_>,
    attributes: &Attributes<'_>,
    options: &InputOptions,
    document: &mut Document,
) {
    for (key, value) in attributes
        .meta
        .map(|list| pairs(node, list))
        .unwrap_or_default()
    {
        if options.skips(&key) {
            continue;
        }
        match key.as_str() {
            "title" => document.title = value,
            "description" => document.description = value,
            "keywords" => value
                .split(',')
                .for_each(|k| push_new(&mut document.keywords, collapse(k, MAX_META_CHARS))),
            "category" => document.category = value,
            "date" => document.updated_at = dates::parse(&value).or(document.updated_at),
            "image" | "image_alt" | "url" => {}
            _ => push_new(&mut document.tags, format!("{key}={value}")),
        }
    }
    for (key, value) in attributes
        .filter
        .map(|list| pairs(node, list))
        .unwrap_or_default()
    {
        if !options.skips(&key) {
            push_new(&mut document.tags, format!("{key}={value}"));
        }
    }
}

/// Reads a list like `author, image[src], date:2024-05-01`: the element's text, one of its attributes, or the rest of the
/// list as it stands.
fn pairs(node: PageNode<'_>, list: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = list.trim();
    while !rest.is_empty() {
        let end = rest.find([',', ':', '[']).unwrap_or(rest.len());
        let key = rest[..end].trim().to_owned();
        let (value, after) = match rest.as_bytes().get(end) {
            Some(b':') => (collapse(&rest[end + 1..], MAX_META_CHARS), ""),
            Some(b'[') => {
                let inside = &rest[end + 1..];
                let (name, after) = inside.split_once(']').unwrap_or((inside, ""));
                let value = node
                    .value()
                    .as_element()
                    .and_then(|e| e.attr(name.trim()))
                    .unwrap_or_default();
                (collapse(value, MAX_META_CHARS), after)
            }
            _ => (text_below(node), &rest[end..]),
        };
        if !key.is_empty() && !value.is_empty() {
            found.push((key, value));
        }
        rest = after
            .trim_start()
            .strip_prefix(',')
            .unwrap_or("")
            .trim_start();
    }
    found
}

fn push_new(list: &mut Vec<String>, value: String) {
    if !value.is_empty() && !list.contains(&value) {
        list.push(value);
    }
}

/// Whether `content` of a refresh sends the reader elsewhere, and soon.
fn is_redirect(content: &str) -> bool {
    let (delay, target) = content.split_once([';', ',']).unwrap_or((content, ""));
    let to_elsewhere = target.to_ascii_lowercase().contains("url") || target.contains('/');
    to_elsewhere
        && delay
            .trim()
            .parse()
            .is_ok_and(|delay: f32| delay < MAX_REDIRECT_DELAY_S)
}

/// Whether the element stands in something whose metadata is ignored too.
fn is_wholly_ignored(node: PageNode<'_>) -> bool {
    std::iter::once(node)
        .chain(node.ancestors())
        .any(|node| match node.value() {
            Node::Element(element) => Attributes::of(element).ignore == Some("all"),
            _ => false,
        })
}

/// The text of an element, at most [`MAX_META_CHARS`] characters.
fn text_below(node: PageNode<'_>) -> String {
    let mut text = String::new();
    for below in node.descendants() {
        let inside_code = below
            .parent()
            .and_then(|p| p.value().as_element())
            .is_some_and(|p| matches!(p.name(), "script" | "style"));
        if let Node::Text(part) = below.value()
            && !inside_code
        {
            text.push_str(part);
        }
        if text.len() > MAX_META_CHARS * 4 {
            break;
        }
    }
    collapse(&text, MAX_META_CHARS)
}

fn node_key(node: PageNode<'_>) -> NodeKey {
    std::ptr::from_ref(node.value()).addr()
}

/// The pass in reading order.
struct Reader<'a> {
    path: &'a str,
    writer: &'a mut SectionWriter,
    place: Place,
    roots: &'a HashSet<NodeKey>,
    n_open_roots: u32,
    root_weight: Option<f32>,
}

impl Reader<'_> {
    /// Walks the tree below `root` without recursion, so that depth costs no stack.
    fn read(&mut self, root: PageNode<'_>) {
        let mut weights: Vec<(NodeKey, f32)> = Vec::new();
        let mut node = root;
        loop {
            let descend = self.open(node, &mut weights);
            if descend && let Some(child) = node.first_child() {
                node = child;
                continue;
            }
            if descend {
                self.close(node, &mut weights);
            }
            loop {
                if node == root {
                    return;
                }
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent() else { return };
                node = parent;
                self.close(node, &mut weights);
            }
        }
    }

    /// Enters a node; false leaves out all below it.
    fn open(&mut self, node: PageNode<'_>, weights: &mut Vec<(NodeKey, f32)>) -> bool {
        let element = match node.value() {
            Node::Text(text) => {
                if self.n_open_roots > 0 {
                    self.writer.text(text);
                }
                return true;
            }
            Node::Element(element) => element,
            _ => return true,
        };
        let name = element.name();
        let attributes = Attributes::of(element);
        let is_root =
            self.roots.contains(&node_key(node)) || (self.place.whole_body && name == "body");
        if self.n_open_roots == 0 && !is_root {
            if let Some(weight) = attributes.weight
                && matches!(name, "html" | "body")
            {
                self.root_weight = Some(weight);
            }
            return attributes.ignore.is_none();
        }
        if is_noise(node, name, &attributes, self.place) {
            return false;
        }
        if is_root {
            if let Some(weight) = attributes.weight
                && self.n_open_roots == 0
            {
                self.root_weight = Some(weight);
            }
            self.n_open_roots += 1;
        } else if let Some(weight) = attributes.weight {
            weights.push((node_key(node), self.writer.set_weight(weight)));
        }
        self.start(name, &attributes);
        if let Some(list) = attributes.index_attrs {
            for value in list.split(',').filter_map(|name| element.attr(name.trim())) {
                self.writer.break_line();
                self.writer.text(value);
                self.writer.break_line();
            }
        }
        true
    }

    fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        let writer = &mut *self.writer;
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                writer.start_heading(name.as_bytes()[1] - b'0', attributes.id);
                return;
            }
            "a" => {
                if !attributes.href.is_empty() {
                    if let Some(fragment) = attributes.href.strip_prefix('#')
                        && attributes.id.is_empty()
                    {
                        writer.self_link(fragment);
                    }
                    if let Some(path) = links::resolve(self.path, attributes.href) {
                        writer.start_link(path);
                    }
                }
                if attributes.id.is_empty() && !attributes.name.is_empty() {
                    writer.anchor(attributes.name);
                }
            }
            "br" => writer.soft_break(),
            "img" if !attributes.alt.trim().is_empty() => {
                writer.soft_break();
                writer.text(attributes.alt);
                writer.soft_break();
            }
            "pre" => writer.start_pre(),
            "tr" => writer.start_row(),
            "td" | "th" => writer.start_cell(),
            "li" | "dt" | "dd" => writer.start_block(),
            _ if is_block(name) => writer.break_line(),
            _ => {}
        }
        if !attributes.id.is_empty() {
            writer.anchor(attributes.id);
        }
    }

    fn close(&mut self, node: PageNode<'_>, weights: &mut Vec<(NodeKey, f32)>) {
        let Node::Element(element) = node.value() else {
            return;
        };
        if self.n_open_roots == 0 {
            return;
        }
        let name = element.name();
        let writer = &mut *self.writer;
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => writer.end_heading(),
            "a" => writer.end_link(),
            "pre" => writer.end_pre(),
            "tr" => writer.end_row(),
            "li" | "dt" | "dd" => writer.start_block(),
            _ if is_block(name) => writer.break_line(),
            _ => {}
        }
        if weights
            .last()
            .is_some_and(|(key, _)| *key == node_key(node))
            && let Some((_, before)) = weights.pop()
        {
            writer.set_weight(before);
        }
        if self.roots.contains(&node_key(node)) || (self.place.whole_body && name == "body") {
            self.n_open_roots -= 1;
        }
    }
}

/// Elements that begin and end a line.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "aside"
            | "ul"
            | "ol"
            | "dl"
            | "table"
            | "caption"
            | "figure"
            | "figcaption"
            | "blockquote"
            | "hr"
            | "address"
            | "details"
            | "summary"
            | "fieldset"
            | "legend"
            | "form"
            | "body"
            | "thead"
            | "tbody"
            | "tfoot"
            | "hgroup"
            | "search"
            | "menu"
            | "option"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Document {
        parse("dir/page.html", html, &InputOptions::default()).expect("a page with text")
    }

    fn outline(document: &Document) -> Vec<(u8, &str, &str, &str)> {
        document
            .sections
            .iter()
            .map(|s| {
                (
                    s.level,
                    s.heading.as_str(),
                    s.anchor.as_str(),
                    s.text.as_str(),
                )
            })
            .collect()
    }

    #[test]
    fn main_is_read_and_its_surroundings_are_not() {
        let page = read(
            "<html lang=en><title>T - Site</title><body><header>Banner</header><nav>Menu</nav><main><nav>crumbs</nav>
            <h1 id=t>T</h1><p>Intro  text\n here.<p>Second.<script>x</script><style>y</style><svg><text>z</text></svg>
            <h2 id=a>Part <em>A</em></h2><ul><li>one<li>two <b>bold</b></ul>
            <table><tr><th>k<th>v<tr><td>1<td><p>2</p></table><template>no</template></main><footer>Foot</footer>",
        );
        assert_eq!(page.title, "T");
        assert_eq!(page.language.as_deref(), Some("en"));
        assert_eq!(
            outline(&page),
            [
                (0, "", "t", "Intro text here.\nSecond."),
                (2, "Part A", "a", "one\ntwo bold\nk | v\n1 | 2")
            ]
        );
    }

    #[test]
    fn content_is_found_without_main() {
        for (html, want) in [
            (
                "<body>out<article>in</article>out<article>also</article>",
                "in\nalso",
            ),
            (
                "<body>out<div role=main>in<article>deep</article></div>",
                "in\ndeep",
            ),
            (
                "<body><header>h</header><aside>a</aside><div role=navigation>n</div>in<footer>f</footer>",
                "in",
            ),
            (
                "<main>out</main><div data-pagefind-body>in</div>x<p data-knarr-body>two",
                "in\ntwo",
            ),
            ("just text", "just text"),
            (
                "<main><aside class=note>Mind this.</aside></main>",
                "Mind this.",
            ),
        ] {
            assert_eq!(read(html).sections[0].text, want, "{html}");
        }
        assert!(read("<p data-pagefind-body>x").body_marked && !read("<p>x").body_marked);
    }

    #[test]
    fn pagefind_attributes_are_honoured() {
        let page = read(
            "<html><head><meta data-pagefind-filter='lang[content]' content=rust><title>x</title></head>
            <body data-pagefind-weight=3><main><h1 data-pagefind-meta=title>Real title</h1>
            <p data-pagefind-meta='author, date:2024-05-01'>Ann</p>
            <p data-pagefind-ignore>gone <b data-pagefind-filter='kind'>kept filter</b></p>
            <p data-knarr-ignore=all>gone <b data-pagefind-filter='no:no'>x</b></p>
            <img data-pagefind-meta='image[src]' src=a.png alt='A chart'>
            <div data-pagefind-index-attrs='title' title='Tip text'></div>
            <h2 id=h data-knarr-weight=5>Heavy</h2><p data-pagefind-weight=5>text</p>
            <h2 id=l>Light</h2><p data-pagefind-filter='area:Docs, and more'>text</p></main>",
        );
        assert_eq!(
            (page.title.as_str(), page.weight, page.updated_at),
            ("Real title", 3.0, Some(1_714_521_600))
        );
        assert_eq!(
            page.tags,
            [
                "lang=rust",
                "author=Ann",
                "kind=kept filter",
                "area=Docs, and more"
            ]
        );
        assert_eq!(
            outline(&page),
            [
                (0, "", "", "Ann\nA chart\nTip text"),
                (2, "Heavy", "h", "text"),
                (2, "Light", "l", "text")
            ]
        );
        assert_eq!(
            (page.sections[1].weight, page.sections[2].weight),
            (5.0, 1.0)
        );
    }

    #[test]
    fn headings_find_their_anchors_and_lose_their_signs() {
        let page = read(
            "<main><p>x</p><h2 id=own>One<a class=headerlink href=#own>¶</a></h2><p>x</p>
            <h2><a class=header href=#self>Two</a></h2><p>x</p><h2><a name=inner></a>Three #</h2><p>x</p>
            <section id=parent><div><a class='src' href='s.html'></a><h3>Four</h3></div><p>x</p><h3>Five</h3></section>
            <p>x</p><a id=before></a><h2>Six <button>Copy</button><a href=#s aria-label=p>🔗</a></h2>
            <p>x<h2 id=seven><a class=hash-link href=#seven>Direct link to Seven</a>Seven</h2>",
        );
        let anchors: Vec<_> = page.sections[1..]
            .iter()
            .map(|s| (s.heading.as_str(), s.anchor.as_str()))
            .collect();
        assert_eq!(
            anchors,
            [
                ("One", "own"),
                ("Two", "self"),
                ("Three", "inner"),
                ("Four", "parent"),
                ("Five", ""),
                ("Six", "before"),
                ("Seven", "seven")
            ]
        );
    }

    #[test]
    fn a_page_without_h1_takes_the_heading_that_the_title_repeats() {
        let book = "<title>What is Ownership? - The Book</title><main><h2 id=o>What Is Ownership?</h2><p>Text";
        let page = read(book);
        assert_eq!(
            (page.title.as_str(), outline(&page)),
            ("What Is Ownership?", vec![(0, "", "o", "Text")])
        );
        assert_eq!(
            read("<title>A b</title><main><h2>Other</h2><p>Text").title,
            "A b"
        );
        assert_eq!(read("<main><p>Text").title, "");
    }

    #[test]
    fn code_keeps_its_lines() {
        let page = read(
            "<main><pre><code>fn a() {\n    <span class=boring>hidden\n</span>    b();\n\n}</code></pre><p>x  y",
        );
        assert_eq!(
            page.sections[0].text,
            "fn a() {\n    b();\n}\nx y".replace("    b", "        b")
        );
    }

    #[test]
    fn rustdoc_pages_lose_their_tools() {
        let page = read(
            "<meta name=generator content=rustdoc><main><div class=rustdoc-breadcrumbs>std</div>
            <h1>Struct <span>Vec</span>&nbsp;<button>Copy item path</button></h1><rustdoc-toolbar></rustdoc-toolbar>
            <span class=sub-heading><span class=since>1.0.0</span> · <a class=src href=x>Source</a></span>
            <pre class='rust item-decl'><code>pub struct Vec&lt;T&gt;<div class=where>where\n    T: X,</div>{ }</code></pre>
            <details><summary class=hideme><span>Expand description</span></summary><p>A vector.</p></details>
            <section id=method.push class=method><a class='src rightside' href=y>Source</a><a href=#method.push class=anchor>§</a>
            <h4 class=code-header>pub fn <a href=#method.push class=fn>push</a>(&amp;mut self)</h4></section><p>Appends.</p>
            <h2 id=blanket-implementations>Blanket Implementations</h2><div id=blanket-implementations-list>impl Any</div>",
        );
        assert_eq!(page.title, "Struct Vec");
        assert_eq!(
            outline(&page),
            [
                (
                    0,
                    "",
                    "",
                    "pub struct Vec<T>\nwhere\n    T: X,\n{ }\nA vector."
                ),
                (4, "pub fn push(&mut self)", "method.push", "Appends."),
            ]
        );
    }

    #[test]
    fn metadata_is_read_unless_skipped() {
        let html = "<meta name=description content=' D  d '><meta name=keywords content='a, b,a'>
            <meta property=article:modified_time content=2024-05-01T00:00:00Z><meta property=og:description content=O><p>x";
        let page = read(html);
        assert_eq!(
            (page.description.as_str(), page.updated_at),
            ("D d", Some(1_714_521_600))
        );
        assert_eq!(page.keywords, ["a", "b"]);
        let options = InputOptions {
            skip_fields: vec!["Description".into(), "keywords".into()],
            ..InputOptions::default()
        };
        let page = parse("p.html", html, &options).expect("a page");
        assert_eq!((page.description.as_str(), page.keywords.len()), ("", 0));
    }

    #[test]
    fn links_are_resolved_and_counted_once() {
        let page = read(
            "<nav><a href=nav.html>no</a></nav><p><a href=b.html#x>The  <b>B</b></a> <a href=./b.html>again</a>
            <a href=https://example.org>out</a> <a href='../c%20d/'><img alt=Pic></a> <a href=#here>self</a>",
        );
        let links: Vec<_> = page
            .links
            .iter()
            .map(|l| (l.path.as_str(), l.text.as_str()))
            .collect();
        assert_eq!(links, [("dir/b.html", "The B"), ("c d/index.html", "Pic")]);
        let many: String = (0..500)
            .map(|n| format!("<a href={n}.html>l</a>"))
            .collect();
        assert_eq!(read(&many).links.len(), 200);
    }

    #[test]
    fn pages_that_are_no_pages_are_named() {
        let refuse =
            |html: &str| parse("p.html", html, &InputOptions::default()).expect_err("no page");
        assert_eq!(
            refuse("<meta http-equiv=Refresh content='0; URL=x.html'><p>Moved"),
            SkipReason::Redirect
        );
        assert_eq!(
            refuse("<meta name=robots content='NOINDEX, follow'><p>x"),
            SkipReason::NoIndex
        );
        assert_eq!(
            refuse("<title>only</title><main><script>x</script></main>text outside"),
            SkipReason::Empty
        );
        assert!(
            parse(
                "p.html",
                "<meta http-equiv=refresh content=300><p>live",
                &InputOptions::default()
            )
            .is_ok()
        );
    }

    #[test]
    fn broken_and_hostile_markup_is_survived() {
        for html in [
            "<main><h1>open",
            "</main></p></div>text",
            "<table><td>x<table><tr>y",
            "<a href='",
            "<!-- open",
            "<p>&#0;&#x110000;x",
            "<main></body></html>after",
            "<h1><h2><h3>x",
            "<pre><h2>x</pre></h2>y",
            "<ul><li><pre>a\n<li>b",
            "<svg><p>x</svg>y",
            "<frameset><frame></frameset>",
            "<h2>a<table><tr><td>b<h3>c</table>d",
            "<select><option><main>x",
        ] {
            let _ = parse("p.html", html, &InputOptions::default());
        }
        let deep = format!(
            "<main>{}deep{}",
            "<div>".repeat(100_000),
            "</div><p>after".repeat(3)
        );
        assert!(read(&deep).sections[0].text.starts_with("deep"));
        let deep = "<b><i><font><section><ul><li><blockquote>".repeat(20_000) + "deep";
        assert_eq!(read(&deep).sections[0].text, "deep");
        let nested = "<table><tr><td>".repeat(20_000) + "deep";
        assert!(read(&nested).sections[0].text.contains("deep"));
    }
}
