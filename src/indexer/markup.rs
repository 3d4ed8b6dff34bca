//! The tree of an HTML page, built within a number of steps.
//!
//! html5ever looks through its open elements for many a tag. Pages whose nesting escapes `depth.rs` – hostile ones – would
//! cost the square of their length. What html5ever asks of the tree is counted, so that the verdict on a page is the same
//! on every machine; a clock stops what the count does not see.

use std::borrow::Cow;
use std::cell::{Cell, Ref};
use std::collections::HashSet;
use std::time::Instant;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Parser, QualName, driver, ns};
use scraper::{Html, HtmlTreeSink, Node, Selector};

use super::noise::{Attributes, PageNode};
use super::skip::SkipReason;

/// Steps that every page may take: three thousand elements that all stand open.
const BASE_STEPS: u64 = 4_000_000;
/// Steps for each byte. Repeated pieces take less than 20, the deepest lists that `depth.rs` lets through 260.
const STEPS_PER_BYTE: u64 = 512;
/// Bytes between two looks at the count and the clock.
const PIECE: usize = 8 * 1024;

type Handle = <HtmlTreeSink as TreeSink>::Handle;

/// Parses a page.
///
/// *Errors*: `TooTangled` when its nesting takes more steps than its length allows; `TooSlow` at the deadline.
pub(crate) fn document(html: &str, deadline: Option<Instant>) -> Result<Html, SkipReason> {
    let sink = CountingSink::new(Html::new_document());
    let parser = driver::parse_document(sink, Default::default());
    match feed(parser, html, deadline) {
        (_, Some(reason), _) => Err(reason),
        (page, None, _) => Ok(page),
    }
}

/// Parses a piece of HTML inside a page of another format: as far as its steps suffice.
pub(crate) fn fragment(html: &str) -> Html {
    let sink = CountingSink::new(Html::new_fragment());
    let body = QualName::new(None, ns!(html), LocalName::from("body"));
    let parser = driver::parse_fragment(sink, Default::default(), body, Vec::new(), false);
    feed(parser, html, None).0
}

/// Marks the elements that any of `selectors` matches as ignored, for all that is read of the page. A mark of the
/// author's stays.
pub(crate) fn ignore<'a>(page: &mut Html, selectors: impl Iterator<Item = &'a Selector>) {
    let mut found = HashSet::new();
    for selector in selectors {
        found.extend(page.select(selector).map(|element| element.id()));
    }
    mark(page, found);
}

/// Marks as ignored what stands between comments that keep it from search engines, `<!--noindex-->` and
/// `<!--/noindex-->` (Yandex, Hexo's themes) or `<!--googleoff: index-->` and `<!--googleon: index-->`.
pub(crate) fn ignore_between_comments(page: &mut Html) {
    let mut found = HashSet::new();
    for node in page.tree.root().descendants() {
        if comment(node).is_none_or(|text| !is_off(&text)) {
            continue;
        }
        let mut between = Vec::new();
        for next in node.next_siblings() {
            match comment(next) {
                Some(text) if is_on(&text) => {
                    found.extend(between);
                    break;
                }
                // One that is not closed: nothing is left out for it, and its siblings are not looked at again.
                Some(text) if is_off(&text) => break,
                _ => between.push(next.id()),
            }
        }
    }
    mark(page, found);
}

/// The words of a comment, without spaces, in lower case; of one that is too long for these, nothing.
fn comment(node: PageNode<'_>) -> Option<String> {
    const LONGEST: usize = 32;
    let text = node.value().as_comment()?;
    (text.len() <= LONGEST).then(|| text.to_ascii_lowercase().split_whitespace().collect())
}

fn is_off(comment: &str) -> bool {
    matches!(comment, "noindex" | "googleoff:index" | "googleoff:all")
}

fn is_on(comment: &str) -> bool {
    matches!(comment, "/noindex" | "googleon:index" | "googleon:all")
}

/// Marks elements as ignored, and takes the letters of texts away.
fn mark(page: &mut Html, found: HashSet<Handle>) {
    let mark = QualName::new(None, ns!(), LocalName::from("data-knarr-ignore"));
    for id in found {
        let Some(mut node) = page.tree.get_mut(id) else {
            continue;
        };
        match node.value() {
            Node::Element(element) if Attributes::of(element).ignore.is_none() => {
                // They are looked up in their order.
                let at = element.attrs.partition_point(|(name, _)| *name < mark);
                element.attrs.insert(at, (mark.clone(), StrTendril::new()));
            }
            Node::Text(text) => text.text.clear(),
            _ => {}
        }
    }
}

/// Feeds `html` in pieces: what was read, why it is not all, and the steps.
fn feed(
    mut parser: Parser<CountingSink>,
    html: &str,
    deadline: Option<Instant>,
) -> (Html, Option<SkipReason>, u64) {
    let allowed = BASE_STEPS + STEPS_PER_BYTE * html.len() as u64;
    let mut rest = html;
    let mut stopped = None;
    while !rest.is_empty() && stopped.is_none() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = behind;
        parser.process(StrTendril::from_slice(piece));
        if parser.tokenizer.sink.sink.steps.get() > allowed {
            stopped = Some(SkipReason::TooTangled);
        } else if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            stopped = Some(SkipReason::TooSlow);
        }
    }
    let steps = parser.tokenizer.sink.sink.steps.get();
    (parser.finish(), stopped, steps)
}

/// scraper's tree, with a count of what is asked of it.
struct CountingSink {
    tree: HtmlTreeSink,
    steps: Cell<u64>,
}

impl CountingSink {
    fn new(page: Html) -> Self {
        Self {
            tree: HtmlTreeSink::new(page),
            steps: Cell::new(0),
        }
    }

    fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }
}

impl TreeSink for CountingSink {
    type Handle = Handle;
    type Output = Html;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Html {
        self.tree.finish()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Ref<'a, QualName> {
        self.step();
        self.tree.elem_name(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.step();
        self.tree.same_node(x, y)
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.tree.parse_error(message);
    }

    fn get_document(&self) -> Handle {
        self.tree.get_document()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.tree.create_element(name, attrs, flags)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.tree.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.tree.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.tree.append(parent, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.tree
            .append_based_on_parent_node(element, prev_element, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.tree.append_doctype_to_document(name, public, system);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.tree.get_template_contents(target)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.tree.append_before_sibling(sibling, new_node);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        self.tree.add_attrs_if_missing(target, attrs);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.tree.reparent_children(node, new_parent);
    }
}

#[cfg(test)]
mod tests {
    use super::super::depth::limit_depth;
    use super::*;

    fn steps(html: &str) -> (u64, Option<SkipReason>) {
        let parser =
            driver::parse_document(CountingSink::new(Html::new_document()), Default::default());
        let limited = limit_depth(html);
        let (_, stopped, steps) = feed(parser, &limited, None);
        (steps, stopped)
    }

    /// Openings of every kind: each costs what it does alone, however often it is repeated.
    const OPENINGS: [&str; 66] = [
        "<div>",
        "<span>",
        "<b>",
        "<i><b>",
        "<a>",
        "<a href=x>",
        "<nobr>",
        "<font>",
        "<font size=1>",
        "<p>",
        "<p><b>",
        "<li>",
        "<ul><li>",
        "<dd>",
        "<dt>",
        "<dl><dt>",
        "<li><dd>",
        "<dd><li>",
        "<rt>",
        "<rp>",
        "<rtc>",
        "<rb>",
        "<ruby><rt>",
        "<option>",
        "<optgroup>",
        "<optgroup><option>",
        "<option><b>",
        "<select>",
        "<select><option>",
        "<select><optgroup>",
        "<button>",
        "<table>",
        "<table><b>",
        "<table><a>",
        "<table><tr><td>",
        "<td>",
        "<tr>",
        "<table><caption>",
        "<table><li><dd>",
        "<svg>",
        "<svg><g>",
        "<svg><desc><p>",
        "<math><mi>",
        "<svg><title>",
        "<template>",
        "<frameset>",
        "<form>",
        "<h1>",
        "<h1><h2>",
        "<pre>",
        "<object>",
        "<marquee>",
        "<applet><b>",
        "</b>",
        "</p>",
        "</br>",
        "<b></p>",
        "<p></b>",
        "<b><p></b>",
        "<a><div></a>",
        "<div><b></div>",
        "<div><ruby></div><rt>",
        "<li><dd><ul></ul>",
        "<div><object></div>",
        "<x-a>",
        "<details><summary>",
    ];

    #[test]
    fn steps_are_bounded_by_the_length() {
        for opening in OPENINGS {
            let [(small, _), (large, stopped)] = [3_000, 6_000].map(|n| steps(&opening.repeat(n)));
            let is_linear = large < 3 * small + 10_000;
            assert!(
                is_linear || stopped.is_some(),
                "{opening}: {small}, {large}"
            );
        }
    }

    #[test]
    fn pages_that_tangle_are_refused_and_deep_ones_read() {
        let tangled = "<li><dd>".repeat(10_000);
        assert_eq!(document(&tangled, None), Err(SkipReason::TooTangled));
        assert!(fragment(&tangled).tree.nodes().count() > 1_000);
        let deep = format!("{}{}", "<div>".repeat(512), "<p>x<b>y</b>".repeat(5_000));
        assert!(document(&deep, None).is_ok());
        let past = Instant::now() - std::time::Duration::from_secs(1);
        assert_eq!(document("<p>x", Some(past)), Err(SkipReason::TooSlow));
    }

    #[test]
    fn pieces_read_as_the_whole() {
        let page = "<p title='a&amp;b'>é&copy;漢<!-- c --><b>x</b>\r\n<pre>\ny</pre>".repeat(5_000);
        let whole = Html::parse_document(&page);
        assert_eq!(
            document(&page, None).map(|page| page.html()),
            Ok(whole.html())
        );
    }
}
