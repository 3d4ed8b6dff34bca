//! Members that RDoc, Scaladoc 3, Jazzy and pdoc tell in boxes without a heading, Compodoc in tables, Codox's vars,
//! commands that Sphinx's extensions tell, and rows of tables with an address of their own.
//!
//! ```html
//! <div id="method-c-ebb" class="method-detail"><div class="method-heading"><span class="method-name">ebb</span>…</div>…</div>
//! <div class="documentableElement" id="ebb-0">…<a class="documentableName">ebb</a>: Int…<div class="docs">…</div></div>
//! <li class="item"><div><code><a name="/s:5Tides3ebb"></a>…<a class="token">ebb(_:)</a></code></div>…</li>
//! <div class="public anchor" id="var-ebb"><h3>ebb</h3><h4 class="type">macro</h4><div class="usage">…</div>…</div>
//! <div class="highlight-default" id="sea-ebb"><div class="highlight"><pre>usage: sea ebb [-h] …</pre></div></div>
//! <div id="Sea.ebb" class="classattr"><div class="attr function"><span class="name">ebb</span>…</div>…</div>
//! <tr id="DOTX008E"><td><span class="msgnum">DOTX008E</span></td><td>…</td></tr>
//! ```

use super::{Definition, attributes_of, below, text_of};
use crate::indexer::noise::{PageNode, has_class, is_element};

/// A method of RDoc's. Its id tells whether it is the class's own or one of its objects'.
pub(super) fn rdoc<'a>(block: PageNode<'a>, id: &'a str, owner: &str) -> Option<Definition<'a>> {
    let (is_own, escaped) = match id.strip_prefix("method-c-") {
        Some(name) => (true, name),
        None => (false, id.strip_prefix("method-i-")?),
    };
    let own = unescaped(escaped);
    let mut words = owner.split_whitespace();
    let is_type = matches!(words.next(), Some("class" | "module"));
    let name = match words.next().filter(|_| is_type) {
        Some(class) => [class, if is_own { "." } else { "#" }, &own].concat(),
        None => own,
    };
    Some(of_block(block, name, id))
}

/// The name in an id of RDoc's, which writes the codes of signs: `empty-3F` of `empty?`, `5B-5D` of `[]`.
fn unescaped(id: &str) -> String {
    // No name begins with a digit.
    let begins_with_sign = id.starts_with(|c: char| c.is_ascii_digit());
    let mut parts = id.split('-');
    let mut name = String::new();
    if !begins_with_sign {
        name.extend(parts.next());
    }
    for part in parts {
        let code = part.get(..2).map(|code| u8::from_str_radix(code, 16));
        match code {
            Some(Ok(sign)) if sign.is_ascii_graphic() => {
                name.push(char::from(sign));
                name.push_str(&part[2..]);
            }
            _ => name.extend(["-", part]),
        }
    }
    name
}

/// A member of Scaladoc 3's.
pub(super) fn scaladoc<'a>(
    block: PageNode<'a>,
    id: &'a str,
    owner: &str,
) -> Option<Definition<'a>> {
    let own = text_of(below(block).find(|node| has_class(*node, "documentableName"))?);
    Some(of_block(block, member_of(owner, &own), id))
}

/// A member of Jazzy's, behind an empty link with its id.
pub(super) fn jazzy<'a>(item: PageNode<'a>, owner: &str) -> Option<Definition<'a>> {
    let is_name = |node: &PageNode<'a>| is_element(*node, "a") && has_class(*node, "token");
    let own = text_of(below(item).find(is_name)?);
    let mut targets = below(item).filter_map(attributes_of);
    let target = targets.find(|link| !link.name.is_empty())?;
    let (class, what) = owner.split_once(' ').unwrap_or((owner, ""));
    let is_type = what.split_whitespace().last() == Some("Reference");
    let owner = if is_type { class } else { "" };
    let line = item.children().find(|node| node.value().is_element());
    Some(Definition {
        label: line,
        ..of_block(item, member_of(owner, &own), target.name)
    })
}

/// A var of Codox's, also behind its namespace and the last part of that, under which other code requires it:
/// `tides.sea/ebb`, `sea/ebb`.
pub(super) fn codox<'a>(block: PageNode<'a>, id: &'a str, owner: &str) -> Option<Definition<'a>> {
    let heading = block.children().find(|node| node.value().is_element());
    let heading = heading.filter(|node| is_element(*node, "h3"))?;
    let own = text_of(heading);
    let namespace = owner.strip_suffix(" documentation").unwrap_or_default();
    let last = namespace.rsplit('.').next().unwrap_or_default();
    let mut others = Vec::new();
    if !last.is_empty() {
        others.push([namespace, "/", &own].concat());
        others.push([last, "/", &own].concat());
    }
    others.dedup();
    Some(Definition {
        others,
        label: Some(heading),
        ..of_block(block, own, id)
    })
}

/// A command, by the usage that `argparse` writes: its name stands before the first argument.
pub(super) fn argparse<'a>(block: PageNode<'a>, id: &'a str) -> Option<Definition<'a>> {
    let usage = text_of(below(block).find(|node| is_element(*node, "pre"))?);
    let line = usage.strip_prefix("usage: ")?;
    let is_name = |word: &&str| !word.starts_with(['[', '(', '{', '<', '-', '.']);
    let words: Vec<&str> = line.split_whitespace().take_while(is_name).collect();
    Some(of_block(block, words.join(" "), id))
}

/// True for the box of a class, function or variable of pdoc's: the line with its name is first, behind what opens its
/// source.
pub(super) fn is_pdoc(block: PageNode<'_>) -> bool {
    let mut below = block.children().filter(|node| node.value().is_element());
    let line = below.find(|node| !is_element(*node, "input"));
    line.is_some_and(|line| {
        let is_line = is_element(line, "div") && has_class(line, "attr");
        is_line && line.children().any(|node| has_class(node, "name"))
    })
}

/// Such a box, whose id is the name behind those of the classes around it.
pub(super) fn pdoc<'a>(block: PageNode<'a>, id: &'a str) -> Definition<'a> {
    of_block(block, id.to_owned(), id)
}

/// A member of Compodoc's: a table whose first cell begins with its anchor and its name.
pub(super) fn compodoc<'a>(table: PageNode<'a>) -> Option<Definition<'a>> {
    const STEPS: usize = 16; // The body, a row, a cell, and the white space between them.
    let is_target = |node: &PageNode<'a>| is_element(*node, "a") && !node.has_children();
    let target = below(table).take(STEPS).find(is_target)?;
    let id = attributes_of(target)?.name;
    let beside = target
        .next_siblings()
        .find(|node| node.value().is_element());
    let line = beside.filter(|node| has_class(*node, "name"))?;
    let own = text_of(below(line).find(|node| is_element(*node, "b"))?);
    Some(of_block(table, own, id))
}

/// A row with an address, whose first cell is one name: an error code, a parameter.
pub(super) fn row<'a>(row: PageNode<'a>, id: &'a str) -> Option<Definition<'a>> {
    let mut cells = row.children().filter(|node| node.value().is_element());
    let (first, second) = (cells.next()?, cells.next()?);
    let is_cell = |cell| is_element(cell, "td") || is_element(cell, "th");
    let name = text_of(first);
    let is_name = !name.is_empty()
        && !name.contains(char::is_whitespace)
        && name.chars().any(char::is_alphabetic)
        && id.to_ascii_lowercase().contains(&name.to_ascii_lowercase());
    (is_cell(first) && is_cell(second) && is_name).then(|| of_block(row, name, id))
}

fn member_of(owner: &str, own: &str) -> String {
    let is_name = !owner.is_empty() && !owner.contains(char::is_whitespace);
    let is_member = own.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match is_name && is_member {
        true => [owner, ".", own].concat(),
        false => own.to_owned(),
    }
}

fn of_block<'a>(block: PageNode<'a>, name: String, id: &'a str) -> Definition<'a> {
    Definition {
        name,
        others: Vec::new(),
        id,
        last: block,
        label: None,
    }
}
