//! Definitions in blocks of their own, headed by a line with an id or behind an anchor instead of a heading: Documenter's,
//! Nim's, ocamldoc's and odoc's, pydoctor's, the constructors and fields of Haddock, and those of SWI-Prolog's manual.
//!
//! ```html
//! <details class="docstring"><summary id="Tides.ebb"><a class="docstring-binding"><code>Tides.ebb</code></a>…</summary>…
//! <dl class="item"><div id="ebb,int"><dt><pre>proc <span class="Identifier">ebb</span>(…)</pre></dt><dd>…</dd></div>
//! <pre><span id="VALebb"><span class="keyword">val</span> ebb</span> : int</pre><div class="info">…</div>
//! <div class="odoc-spec"><div class="spec value anchored" id="val-ebb">…</div><div class="spec-doc">…</div></div>
//! <div class="basemethod"><a name="tides.Sea.ebb"></a><a name="ebb"></a><div class="functionHeader">…</div>…</div>
//! <tr><td class="src"><a id="v:Ebb" class="def">Ebb</a> Int</td><td class="doc">…</td></tr>
//! <dt class="pubdef"><a id="ebb/2"><strong>ebb</strong>(…)</a></dt><dd class="defbody">…</dd>
//! ```
//!
//! Those of RDoc, Scaladoc 3, Jazzy, Codox, pdoc, Compodoc, rows of tables and Sphinx's extensions for commands are in
//! [`boxes`].

mod boxes;

use super::{NodeKey, pod};
use crate::indexer::noise::{Attributes, PageNode, has_class, is_element};
use crate::indexer::sections::{SectionPlace, collapse};

const MAX_NAME_CHARS: usize = 120; // A longer one is a signature that was not understood.
const MAX_HEAD_NODES: usize = 400; // Of the line that names a definition: long signatures have some hundreds.
const MAX_TERMS: usize = 200; // Nodes from a term to its definition.
const MAX_VALUES: usize = 32; // Of an enumeration that are names, too.

/// A definition and where it ends.
pub(super) struct Definition<'a> {
    /// The name that its section has.
    pub(super) name: String,
    /// Other names that it defines.
    pub(super) others: Vec<String>,
    /// The id that links to it.
    pub(super) id: &'a str,
    /// The last element that tells of it.
    pub(super) last: PageNode<'a>,
    /// A line that says no more than the name.
    pub(super) label: Option<PageNode<'a>>,
}

/// A definition that is being read: its last element, and the section around it.
pub(super) struct OpenDefinition {
    pub(super) last: NodeKey,
    pub(super) around: SectionPlace,
}

/// Addition of a node to the sections of a page.
pub(super) enum Found<'a> {
    /// A definition.
    Start(Definition<'a>),
    /// Another form of the definition before it, under this name.
    Also(String),
}

/// The definition that starts with a node, on the page whose `<title>` names `owner`.
pub(super) fn of<'a>(
    node: PageNode<'a>,
    name: &str,
    attributes: &Attributes<'a>,
    owner: &str,
) -> Option<Found<'a>> {
    let found = match name {
        "details" | "article" if attributes.has_class(&["docstring"]) => documenter(node)?,
        "div" if attributes.class.starts_with("base") => pydoctor(node)?,
        "div" if attributes.has_class(&["odoc-spec"]) => odoc(node, owner)?,
        "div" if attributes.has_class(&["method-detail"]) => {
            boxes::rdoc(node, attributes.id, owner)?
        }
        "div" if attributes.has_class(&["documentableElement"]) => {
            boxes::scaladoc(node, attributes.id, owner)?
        }
        "li" if attributes.class == "item" => boxes::jazzy(node, owner)?,
        "li" => pod_item(node)?,
        "div" if attributes.has_class(&["public"]) && attributes.id.starts_with("var-") => {
            boxes::codox(node, attributes.id, owner)?
        }
        "div" if !attributes.id.is_empty() && attributes.has_class(&["highlight-default"]) => {
            boxes::argparse(node, attributes.id)?
        }
        "div" | "section" if !attributes.id.is_empty() && boxes::is_pdoc(node) => {
            boxes::pdoc(node, attributes.id)
        }
        "table" => boxes::compodoc(node)?,
        "tr" if !attributes.id.is_empty() => boxes::row(node, attributes.id)?,
        "div" if !attributes.id.is_empty() => nim(node, attributes.id)?,
        "dt" if attributes.has_class(&["pubdef", "multidef"]) => return prolog(node),
        "td" | "dfn" if attributes.has_class(&["src"]) => haddock(node, owner)?,
        "dt" if attributes.has_class(&["src"]) => haddock(node, owner)?,
        "dt" => nim_term(node)?,
        "pre" => ocamldoc(node, owner)?,
        _ => return None,
    };
    let n_chars = found.name.chars().count();
    let is_named = n_chars > 0 && n_chars <= MAX_NAME_CHARS && !found.id.is_empty();
    is_named.then_some(Found::Start(found))
}

/// A docstring of Documenter: the id stands at its head or, in older versions, at the name in it.
fn documenter<'a>(block: PageNode<'a>) -> Option<Definition<'a>> {
    let head = first_element(block)?;
    let binding = below(head).find(|node| has_class(*node, "docstring-binding"))?;
    let own = attributes_of(binding)?.id;
    Some(Definition {
        name: text_of(binding),
        others: Vec::new(),
        id: if own.is_empty() {
            attributes_of(head)?.id
        } else {
            own
        },
        last: block,
        label: Some(head),
    })
}

/// An entry of Nim's: a group of a list, whose term is a signature.
fn nim<'a>(group: PageNode<'a>, id: &'a str) -> Option<Definition<'a>> {
    let is_in_list = group.parent().is_some_and(|list| is_element(list, "dl"));
    let term = first_element(group).filter(|first| is_in_list && is_element(*first, "dt"))?;
    nim_signature(term, id, group)
}

/// The same as older versions write it, behind an empty anchor.
fn nim_term<'a>(term: PageNode<'a>) -> Option<Definition<'a>> {
    let before = term.prev_siblings().find(|node| node.value().is_element());
    let target = before.filter(|node| is_element(*node, "a") && !node.has_children())?;
    nim_signature(term, attributes_of(target)?.id, definition_of(term)?)
}

fn nim_signature<'a>(
    term: PageNode<'a>,
    id: &'a str,
    last: PageNode<'a>,
) -> Option<Definition<'a>> {
    let signature = first_element(term).filter(|first| is_element(*first, "pre"))?;
    let mut identifiers = below(signature).filter(|node| has_class(*node, "Identifier"));
    let name = text_of(identifiers.next()?);
    let mut keywords = below(signature).filter(|node| has_class(*node, "Keyword"));
    let is_enum = keywords.next().is_some_and(|node| text_of(node) == "enum");
    let values = identifiers.filter(|_| is_enum).map(text_of);
    Some(Definition {
        name: name.trim_matches('`').to_owned(),
        others: values.take(MAX_VALUES).collect(),
        id,
        last,
        label: None,
    })
}

/// A constructor or a field of a type, a value of a group that Haddock shows as rows or items below its type.
fn haddock<'a>(signature: PageNode<'a>, owner: &str) -> Option<Definition<'a>> {
    let defined = signature.children().find(|node| has_class(*node, "def"))?;
    let target = attributes_of(defined)?;
    let id = [target.id, target.name]
        .into_iter()
        .find(|id| id.starts_with("v:"))?;
    let own = text_of(defined);
    let around = match is_element(signature, "dt") {
        true => definition_of(signature),
        false => signature.parent(),
    };
    Some(Definition {
        name: match owner.is_empty() {
            true => own,
            false => [owner, ".", &own].concat(),
        },
        others: Vec::new(),
        id,
        last: around?,
        label: None,
    })
}

/// A value, type, exception, module or method of ocamldoc. A page begins with its own module.
fn ocamldoc<'a>(signature: PageNode<'a>, owner: &str) -> Option<Definition<'a>> {
    const KINDS: [&str; 8] = [
        "VAL",
        "TYPE",
        "EXCEPTION",
        "MODULETYPE",
        "MODULE",
        "CLASSTYPE",
        "CLASS",
        "METHOD",
    ];
    let first = first_element(signature)?;
    let head = match is_element(first, "code") {
        true => first_element(first)?,
        false => first,
    };
    let id = attributes_of(head).filter(|_| is_element(head, "span"))?.id;
    let own = KINDS.iter().find_map(|kind| id.strip_prefix(kind))?;
    first_element(head).filter(|kind| has_class(*kind, "keyword"))?;
    let is_part = |node: &PageNode<'a>| {
        has_class(*node, "info") || has_class(*node, "typetable") || node.value().is_text()
    };
    let behind = signature.next_siblings().take_while(is_part);
    let last = behind.filter(|node| node.value().is_element()).last();
    if last.is_some_and(|info| has_class(info, "top")) {
        return None;
    }
    Some(Definition {
        name: in_module(owner, own.trim()),
        others: Vec::new(),
        id,
        last: last.unwrap_or(signature),
        label: None,
    })
}

/// An item of odoc.
fn odoc<'a>(item: PageNode<'a>, owner: &str) -> Option<Definition<'a>> {
    let head = first_element(item).filter(|head| has_class(*head, "anchored"))?;
    let id = attributes_of(head)?.id;
    let (_, own) = id.split_once('-')?;
    Some(Definition {
        name: in_module(owner, own.strip_prefix("type-").unwrap_or(own)),
        others: Vec::new(),
        id,
        last: item,
        label: None,
    })
}

/// A member of OCaml's with the path of its module, by the page's `<title>`: `The sea : Tides`, `Tides (sea.Tides)`.
fn in_module(title: &str, own: &str) -> String {
    let module = title.rsplit(" : ").next().unwrap_or(title);
    let module = module.split(" (").next().unwrap_or(module);
    let is_path = module.starts_with(|c: char| c.is_ascii_uppercase())
        && !module.contains(char::is_whitespace);
    match is_path && own.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        true => [module, ".", own].concat(),
        false => own.to_owned(),
    }
}

/// A function, method or variable of pydoctor: two anchors, with its path and with its name alone.
fn pydoctor<'a>(block: PageNode<'a>) -> Option<Definition<'a>> {
    let mut elements = block.children().filter(|node| node.value().is_element());
    let [path, own, head] = [elements.next()?, elements.next()?, elements.next()?];
    if !has_class(head, "functionHeader") {
        return None;
    }
    Some(Definition {
        name: attributes_of(path)?.name.to_owned(),
        others: Vec::new(),
        id: attributes_of(own)?.name,
        last: block,
        label: None,
    })
}

/// A predicate, flag or function of SWI-Prolog's manual: one of the first sort has the number of its arguments in its name.
fn prolog<'a>(term: PageNode<'a>) -> Option<Found<'a>> {
    let links = |node: &PageNode<'a>| is_element(*node, "a");
    let target = attributes_of(term.children().find(links)?)?;
    let id = [target.id, target.name]
        .into_iter()
        .find(|id| !id.is_empty())?;
    let own = text_of(below(term).find(|node| is_element(*node, "strong"))?);
    let arguments = id.strip_prefix(own.as_str());
    let is_predicate = !own.is_empty() && arguments.is_some_and(|rest| rest.starts_with('/'));
    let name = if is_predicate { id } else { own.as_str() };
    let before = term.prev_siblings().find(|node| node.value().is_element());
    if before.is_some_and(|node| has_class(node, "pubdef")) {
        return Some(Found::Also(name.to_owned()));
    }
    (!own.is_empty()).then_some(())?;
    Some(Found::Start(Definition {
        name: name.to_owned(),
        others: if is_predicate { vec![own] } else { Vec::new() },
        id,
        last: definition_of(term)?,
        label: None,
    }))
}

/// An item of a list of old pod2html's.
fn pod_item<'a>(item: PageNode<'a>) -> Option<Definition<'a>> {
    let (id, name, line) = pod::item(item)?;
    let says_more = text_of(line) != name;
    Some(Definition {
        name,
        others: Vec::new(),
        id,
        last: item,
        label: Some(line).filter(|_| !says_more),
    })
}

/// The `<dd>` of a term, which several may share.
pub(super) fn definition_of(term: PageNode<'_>) -> Option<PageNode<'_>> {
    let elements = term
        .next_siblings()
        .take(MAX_TERMS)
        .filter(|node| node.value().is_element());
    elements
        .into_iter()
        .find(|node| !is_element(*node, "dt"))
        .filter(|node| is_element(*node, "dd"))
}

fn below(node: PageNode<'_>) -> impl Iterator<Item = PageNode<'_>> {
    node.descendants().take(MAX_HEAD_NODES)
}

fn first_element(node: PageNode<'_>) -> Option<PageNode<'_>> {
    node.children().find(|child| child.value().is_element())
}

fn attributes_of(node: PageNode<'_>) -> Option<Attributes<'_>> {
    node.value().as_element().map(Attributes::of)
}

fn text_of(node: PageNode<'_>) -> String {
    let texts = below(node).filter_map(|below| below.value().as_text());
    collapse(
        &texts.map(|text| &**text).collect::<String>(),
        MAX_NAME_CHARS * 2,
    )
}
