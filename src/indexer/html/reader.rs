//! The pass over a page in reading order: its text, cut at headings and at the entries of its lists.

use std::collections::HashSet;

use scraper::Node;
use scraper::node::Element;

use super::cards::is_title_of_card;
use super::docstrings::{self, Definition, Found, OpenDefinition};
use super::entries::{self, OpenList};
use super::habits::Habits;
use super::inline::{
    is_apart, is_shown_apart, is_tab, is_title_of_callout, sign_of_sandcastle, told_by,
    without_rules,
};
use super::members::{self, Member};
use super::{
    MAX_INDEX_ATTRS, NodeKey, esdoc, ford, java, jsdoc, natural_docs, node_key, numbered, phrases,
    rows, terms,
};
use crate::indexer::links::{self, Origin};
use crate::indexer::noise::{
    Attributes, PageNode, Place, has_class, has_heading, is_line_on_files, is_noise,
    number_of_paragraph,
};
use crate::indexer::sections::SectionWriter;

/// Numbers of a page's headings that are kept: a chapter has some tens.
const MAX_NUMBERS: usize = 100;

/// The pass in reading order.
pub(super) struct Reader<'a> {
    origin: Origin<'a>,
    /// The type or module whose members the page lists; empty on other pages.
    owner: &'a str,
    writer: &'a mut SectionWriter,
    place: Place,
    roots: &'a HashSet<NodeKey>,
    n_open_roots: u32,
    root_weight: Option<f32>,
    /// The lists of definitions around this place, outermost first.
    lists: Vec<OpenList>,
    /// The definitions in blocks around this place, outermost first.
    definitions: Vec<OpenDefinition>,
    /// Habits of the page's lists.
    habits: Habits,
    /// Elements that another page or a section's name tells, still to come.
    told: HashSet<NodeKey>,
    /// Numbers that headings have by their markup.
    numbers: Vec<String>,
    /// Ids of links and spans so far.
    ids: HashSet<String>,
    /// Anchors whose phrases are headings.
    phrases: HashSet<NodeKey>,
}

/// The next step after a node's start.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// Its children.
    Enter,
    /// Its end: its children are known already.
    Close,
    /// The next node: it was no part of the text.
    Leave,
}

impl<'a> Reader<'a> {
    /// Reads a page, of which `roots` are the content.
    pub(super) fn new(
        origin: Origin<'a>,
        owner: &'a str,
        writer: &'a mut SectionWriter,
        place: Place,
        roots: &'a HashSet<NodeKey>,
    ) -> Self {
        Self {
            origin,
            owner,
            writer,
            place,
            roots,
            n_open_roots: 0,
            root_weight: None,
            lists: Vec::new(),
            definitions: Vec::new(),
            habits: Habits::default(),
            told: HashSet::new(),
            numbers: Vec::new(),
            ids: HashSet::new(),
            phrases: HashSet::new(),
        }
    }

    /// Reads a piece of a page, all of which is content.
    pub(super) fn of_fragment(
        origin: Origin<'a>,
        writer: &'a mut SectionWriter,
        place: Place,
        roots: &'a HashSet<NodeKey>,
    ) -> Self {
        Self {
            n_open_roots: 1,
            ..Self::new(origin, "", writer, place, roots)
        }
    }

    /// The author's weight of the whole page.
    pub(super) fn root_weight(&self) -> Option<f32> {
        self.root_weight
    }

    /// Walks the tree below `root` without recursion, so that depth costs no stack.
    pub(super) fn read(&mut self, root: PageNode<'_>) {
        let mut weights: Vec<(NodeKey, f32)> = Vec::new();
        self.phrases = phrases::headings(root);
        let mut node = root;
        loop {
            let step = self.open(node, &mut weights);
            if step == Step::Enter
                && let Some(child) = node.first_child()
            {
                node = child;
                continue;
            }
            match step {
                Step::Leave => self.end_definition(node_key(node)),
                _ => self.close(node, &mut weights),
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

    /// Enters a node.
    fn open(&mut self, node: PageNode<'_>, weights: &mut Vec<(NodeKey, f32)>) -> Step {
        let element = match node.value() {
            Node::Text(text) => {
                self.text(node, text);
                return Step::Enter;
            }
            Node::Element(element) => element,
            _ => return Step::Enter,
        };
        let name = element.name();
        let attributes = Attributes::of(element);
        let is_root =
            self.roots.contains(&node_key(node)) || (self.place.whole_body && name == "body");
        if self.n_open_roots == 0 && !is_root {
            return self.pass(name, &attributes);
        }
        if self.told.remove(&node_key(node)) {
            return Step::Leave;
        }
        let is_weightless = !is_root && attributes.weight == Some(0.0) && !has_heading(node);
        if is_weightless || is_noise(node, name, &attributes, self.place) {
            self.leave_out(node, name, &attributes);
            return Step::Leave;
        }
        if let Some(number) = numbered::of_element(node, name, &attributes) {
            self.number_at(number, attributes.name);
            return Step::Leave;
        }
        if let Some(sign) = sign_of_sandcastle(node, name, &attributes) {
            self.text(node, &sign);
            return Step::Leave;
        }
        self.weigh(node, &attributes, is_root, weights);
        let found = docstrings::of(node, name, &attributes, self.owner);
        match name {
            "dl" => self
                .lists
                .push(OpenList::new(node_key(node), self.writer.place())),
            _ if found.is_some() => {}
            "dt" if self.start_entry(node, &attributes) => return Step::Close,
            _ => {}
        }
        match found {
            Some(Found::Start(definition)) => self.start_definition(definition),
            Some(Found::Also(name)) => self.writer.also(name),
            None => {}
        }
        if let Some(member) = self.member(node, name, &attributes) {
            return self.start_member(node, &member);
        }
        if let Some(name) = members::accessor(node, name, &attributes) {
            self.writer.also(name);
        }
        if is_apart(node, name, &attributes) {
            self.writer.apart();
        }
        self.start(node, name, &attributes);
        self.listed_attributes(element, &attributes);
        Step::Enter
    }

    /// Marks that an element which is no content leaves where it stands.
    fn leave_out(&mut self, node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) {
        if name == "a"
            && let Some(fragment) = attributes.href.strip_prefix('#')
        {
            self.writer.self_link(fragment);
        }
        if let Some(id) = number_of_paragraph(node, attributes) {
            self.writer.mark(id);
        }
    }

    /// The numbers of its headings, which are no part of these.
    pub(super) fn into_numbers(self) -> Vec<String> {
        self.numbers
    }

    fn number_at(&mut self, number: String, anchor: &str) {
        self.number(number);
        if !anchor.is_empty() {
            self.writer.mark(anchor);
        }
    }

    fn number(&mut self, number: String) {
        if self.numbers.len() < MAX_NUMBERS && !self.numbers.contains(&number) {
            self.numbers.push(number);
        }
    }

    fn text(&mut self, node: PageNode<'_>, text: &str) {
        if self.n_open_roots == 0 || is_line_on_files(text) {
            return;
        }
        let text = without_rules(text);
        match numbered::of_text(node, &text) {
            Some((number, title)) => {
                self.number(number.to_owned());
                self.writer.text(title);
            }
            None => self.writer.text(&text),
        }
    }

    /// Takes the author's weight of an element, and counts it where it is a root.
    fn weigh(
        &mut self,
        node: PageNode<'_>,
        attributes: &Attributes<'_>,
        is_root: bool,
        weights: &mut Vec<(NodeKey, f32)>,
    ) {
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
    }

    /// Reads the attributes that the author wants read as text.
    fn listed_attributes(&mut self, element: &Element, attributes: &Attributes<'_>) {
        let listed = attributes.index_attrs.unwrap_or_default().split(',');
        let listed = listed.take(MAX_INDEX_ATTRS);
        for value in listed.filter_map(|name| element.attr(name.trim())) {
            self.writer.break_line();
            self.writer.text(value);
            self.writer.break_line();
        }
    }

    /// Enters an element outside the content, unless it is ignored.
    fn pass(&mut self, name: &str, attributes: &Attributes<'_>) -> Step {
        if let Some(weight) = attributes.weight
            && matches!(name, "html" | "body")
        {
            self.root_weight = Some(weight);
        }
        match attributes.ignore {
            None => Step::Enter,
            Some(_) => Step::Leave,
        }
    }

    /// Starts a section when a term of a list is an entry; true when the section's name says all that the term says.
    fn start_entry(&mut self, term: PageNode<'_>, attributes: &Attributes<'_>) -> bool {
        let owner = self.lists.iter().rev().skip(1).find_map(|l| l.entry());
        let entry = entries::of(term, attributes, self.place, owner);
        let entry = entry.or_else(|| self.habits.anchored(term, self.place));
        let Some(list) = self.lists.last_mut() else {
            return false;
        };
        let Some(entry) = entry else {
            if list.entry().is_some() && !entries::continues(term, self.place) {
                self.writer.resume(list.place());
                list.leave_entry();
            }
            let defined = rows::of_term(term).into_iter();
            defined.for_each(|name| self.writer.row(name));
            return false;
        };
        if list.entry() == Some(&entry.name) && entries::continues(term, self.place) {
            return false;
        }
        let level = self.writer.level_below(list.place());
        self.writer.entry(level, &entry.name, &entry.id);
        let others = terms::also_called(term, &entry.id).into_iter();
        others.for_each(|name| self.writer.also(name));
        list.enter(entry.name);
        !entry.says_more
    }

    /// Starts the section of a definition, which ends with the last element that tells of it.
    fn start_definition(&mut self, definition: Definition<'_>) {
        let around = self.writer.place();
        let level = self.writer.level_below(around);
        let last = node_key(definition.last);
        self.writer.entry(level, &definition.name, definition.id);
        definition
            .others
            .into_iter()
            .for_each(|name| self.writer.also(name));
        self.told.extend(definition.label.map(node_key));
        self.definitions.push(OpenDefinition { last, around });
    }

    /// Ends a definition: what follows belongs to the section around it.
    fn end_definition(&mut self, key: NodeKey) {
        if let Some(definition) = self.definitions.pop_if(|open| open.last == key) {
            self.writer.resume(definition.around);
        }
    }

    fn member<'n>(
        &self,
        node: PageNode<'n>,
        name: &str,
        attributes: &Attributes<'n>,
    ) -> Option<Member<'n>> {
        match self.place.is_jsdoc {
            true => jsdoc::member(node, name, attributes, self.owner),
            false if self.place.is_java => java::of(node, name, attributes, self.place, self.owner),
            false => members::of(node, name, attributes, self.place, self.owner)
                .or_else(|| esdoc::member(node, name, attributes, self.place, self.owner))
                .or_else(|| natural_docs::member(node, name, attributes, self.place))
                .or_else(|| ford::member(node, name, attributes, self.place, self.owner)),
        }
    }

    /// Starts the section of a member, whose name may say all that its heading says.
    fn start_member(&mut self, node: PageNode<'_>, member: &Member<'_>) -> Step {
        let mut step = Step::Enter;
        if let Member::Inherited = member {
            self.told.extend(jsdoc::below(node).map(node_key));
            return Step::Leave;
        }
        if let Member::Named {
            level,
            name,
            whole,
            id,
            says_more,
        } = member
        {
            self.writer.entry(*level, name, id);
            if !whole.is_empty() {
                self.writer.also(whole.clone());
            }
            if !says_more {
                step = Step::Close;
            }
        }
        self.writer.break_line(); // What the page shows as a heading is the first line of the text.
        step
    }

    /// Ends a list of definitions: what follows belongs to the section before it, unless it tells of the last definition.
    fn end_list(&mut self, node: PageNode<'_>) {
        let key = node_key(node);
        let Some(list) = self
            .lists
            .pop_if(|list| list.key() == key && list.had_entries())
        else {
            self.lists.pop_if(|list| list.key() == key);
            return;
        };
        match self.habits.last_told(node) {
            Some(last) => self.definitions.push(OpenDefinition {
                last: node_key(last),
                around: list.place(),
            }),
            None => self.writer.resume(list.place()),
        }
    }

    /// True for a heading without an address in a definition or an entry of a list (`Parameters`), whose section it does
    /// not end.
    fn is_part(&self, node: PageNode<'_>, heading: &Attributes<'_>) -> bool {
        let is_in_entry = || self.lists.last().is_some_and(|list| list.entry().is_some());
        heading.id.is_empty()
            && (!self.definitions.is_empty() || is_in_entry() && !entries::has_address(node))
    }

    fn start(&mut self, node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) {
        let is_part = self.is_part(node, attributes);
        let shown_as = self.shown_as(node, name, attributes);
        let writer = &mut *self.writer;
        match shown_as {
            heading @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                if is_title_of_card(node, self.origin) || is_part {
                    return writer.break_line();
                }
                let id = members::id_of_signature(node, attributes);
                let id = id.unwrap_or(match name {
                    "a" => phrases::id_of(attributes),
                    _ => attributes.id,
                });
                let level = numbered::level(node, heading, attributes);
                writer.start_heading(level, id);
                return;
            }
            _ if rows::may_define(node, name, attributes) => rows::defined(node)
                .into_iter()
                .for_each(|name| writer.row(name)),
            "a" => {
                if let Some(fragment) = attributes.href.strip_prefix('#')
                    && attributes.id.is_empty()
                {
                    writer.self_link(fragment);
                }
                let leads_to = links::resolve(self.origin, attributes.href);
                // Scaladoc names its links after the types that they lead to.
                let leads_elsewhere = leads_to.is_some() || attributes.href.contains("://");
                if let Some(path) = leads_to {
                    writer.start_link(path);
                }
                if attributes.id.is_empty() && !attributes.name.is_empty() && !leads_elsewhere {
                    match node.has_children() {
                        true => writer.anchor(attributes.name),
                        false => writer.mark(attributes.name),
                    }
                }
            }
            "br" => writer.soft_break(),
            "img" => {
                if let Some(alt) = told_by(node, attributes.alt) {
                    writer.soft_break();
                    writer.text(alt);
                    writer.soft_break();
                }
            }
            "pre" => writer.start_pre(),
            "tr" => writer.start_row(),
            "td" if natural_docs::is_cell(attributes) => writer.apart(),
            "td" if ford::is_cell(node) => writer.soft_break(),
            "td" | "th" => writer.start_cell(),
            "li" if is_tab(attributes) => writer.soft_break(),
            "li" | "dt" | "dd" => writer.start_block(),
            _ if is_block(name) => writer.break_line(),
            _ => {}
        }
        self.note_id(node, name, attributes.id);
    }

    /// The element that a page means by another: a heading, by Doxygen's line above a page and by a bold phrase.
    fn shown_as<'n>(
        &self,
        node: PageNode<'_>,
        name: &'n str,
        attributes: &Attributes<'_>,
    ) -> &'n str {
        let is_title = name == "div" && attributes.class == "title";
        let is_above = || {
            node.parent()
                .is_some_and(|above| has_class(above, "headertitle"))
        };
        if is_title && is_above() {
            return "h1";
        }
        if self.phrases.contains(&node_key(node)) {
            return "h4";
        }
        name
    }

    /// Marks the place of an id. `<h3><a id="x"/>` of XHTML stays open in HTML, whose parser opens it anew in what follows.
    fn note_id(&mut self, node: PageNode<'_>, name: &str, id: &str) {
        if id.is_empty() || (name == "a" && !self.ids.insert(id.to_owned())) {
            return;
        }
        match name {
            "a" | "span" if !node.has_children() => self.writer.mark(id),
            _ => self.writer.anchor(id),
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
        let attributes = Attributes::of(element);
        let is_part = self.is_part(node, &attributes);
        let shown_as = self.shown_as(node, name, &attributes);
        let writer = &mut *self.writer;
        match shown_as {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                if !is_title_of_card(node, self.origin) && !is_part {
                    writer.end_heading();
                }
                writer.break_line();
            }
            "a" => writer.end_link(),
            "pre" => writer.end_pre(),
            "tr" => writer.end_row(),
            "li" if is_tab(&attributes) => writer.soft_break(),
            "li" | "dt" | "dd" => writer.start_block(),
            "dl" => self.end_list(node),
            _ if is_block(name) => {
                if is_title_of_callout(&attributes) {
                    writer.end_callout_title();
                }
                writer.break_line();
            }
            "label" => writer.apart(),
            "span" | "small" | "strong" | "b" if is_shown_apart(&attributes) => {
                writer.apart();
            }
            _ => {}
        }
        self.end_definition(node_key(node));
        if weights
            .last()
            .is_some_and(|(key, _)| *key == node_key(node))
            && let Some((_, before)) = weights.pop()
        {
            self.writer.set_weight(before);
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
