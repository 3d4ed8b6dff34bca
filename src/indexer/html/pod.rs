//! Items of Perl's documentation as pod2html writes them: terms and items that are called by their first word.
//!
//! ```html
//! <dt id="ebb-SEA-HOURS">ebb SEA,HOURS</dt><dd>…</dd><dt id="ebb">ebb</dt><dd>…</dd>
//! <dt><strong><a name="item_ebb">ebb SEA,HOURS</a></strong></dt>
//! <dt><strong><a name="ebb" class="item">ebb SEA,HOURS</a></strong></dt>
//! <li><a name="item_ebb"></a><a name="ebb"></a><b>Ebb [yes|NO]</b><p>…</p></li>
//! ```

use scraper::Node;

use crate::indexer::noise::{Attributes, PageNode, is_element};

/// Beginning of the ids of items in versions before Perl 5.12.
const ITEM: &str = "item_";

/// The id of a term whose whole text is an anchor.
pub(super) fn id<'a>(term: PageNode<'a>) -> Option<&'a str> {
    let first = only_element(term)?;
    let is_bold = is_element(first, "b") || is_element(first, "strong");
    let link = if is_bold { only_element(first)? } else { first };
    let link = link.value().as_element().filter(|e| e.name() == "a")?;
    let attributes = Attributes::of(link);
    let is_item = attributes.name.starts_with(ITEM) || attributes.has_class(&["item"]);
    (is_item && !attributes.name.is_empty()).then_some(attributes.name)
}

/// The name in a term: its first word, where that is written as code is and the id is made of it, or where the rest is
/// arguments as Perl's manual writes them. The id of a sentence is made of its first word, too.
pub(super) fn name(text: &str, id: &str, is_pod: bool) -> Option<String> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let is_of_id = id
        .strip_prefix(ITEM)
        .is_some_and(|id| is_made_of(id, first));
    let is_alone = words.clone().next().is_none();
    let is_name = match is_of_id {
        true => is_alone || is_code(first) || words.all(is_argument),
        false => is_pod && !is_alone && !is_argument(first) && words.all(is_argument),
    };
    (is_name && first.contains(char::is_alphanumeric)).then(|| first.to_owned())
}

/// `TideTable`, `tide_table`, `$tide`, `--tide`: written as no word of a language is.
fn is_code(word: &str) -> bool {
    let letters = word.trim_start_matches(char::is_uppercase);
    let has_hump = letters.len() < word.len() && letters.contains(char::is_uppercase);
    let is_mixed = letters.starts_with(char::is_lowercase) && letters.contains(char::is_uppercase);
    let is_upper = letters.is_empty() && word.len() > 1;
    let has_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-' | '.' | ',' | ':');
    has_hump || is_mixed || is_upper || word.starts_with('-') || word.contains(has_sign)
}

/// `SEA,HOURS`, `[yes|NO]`, `/PATTERN/`, `$tide`, `()`, `=>`: no word of a language.
fn is_argument(word: &str) -> bool {
    let is_upper = |c: char| !c.is_lowercase();
    let begins = |c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_');
    let is_flag = word.starts_with('-');
    word.starts_with(begins) || !is_flag && word.len() > 1 && word.chars().all(is_upper)
}

/// True for an id that says the letters of a word, but for their case.
pub(super) fn is_made_of(id: &str, word: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    !id.is_empty() && letters(id) == letters(word)
}

/// The id and the name of an item of a list that is called as a term is, and the line that says the name.
pub(super) fn item<'a>(item: PageNode<'a>) -> Option<(&'a str, String, PageNode<'a>)> {
    let mut elements = item.children().filter(|node| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element(),
    });
    let target = elements.next()?.value().as_element()?;
    let id = Attributes::of(target).name;
    if target.name() != "a" || !id.starts_with(ITEM) {
        return None;
    }
    let line = elements.find(|node| !is_element(*node, "a"))?;
    if !is_element(line, "b") && !is_element(line, "strong") {
        return None;
    }
    let texts = line.descendants().filter_map(|node| node.value().as_text());
    let text: String = texts.map(|text| &**text).collect();
    Some((id, name(&text, id, false)?, line))
}

/// The one element in a node without text of its own. Perl 5.8 ended terms with a `<br>`.
pub(super) fn only_element(node: PageNode<'_>) -> Option<PageNode<'_>> {
    let mut inside = node.children().filter(|child| match child.value() {
        Node::Text(text) => !text.trim().is_empty(),
        other => other.is_element() && !is_element(*child, "br"),
    });
    let only = inside.next().filter(|child| child.value().is_element())?;
    inside.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_of_perls_manual_is_called_by_its_first_word() {
        let of_pod = |text| name(text, "x", true);
        for (text, want) in [
            ("ebb SEA,HOURS", Some("ebb")),
            ("ebb /PATTERN/,SEA", Some("ebb")),
            ("ebb ()", Some("ebb")),
            ("-X FILEHANDLE", Some("-X")),
            ("$ebb [SEA]", None),
            ("Mail Messages", None),
            ("HTTP API", None),
            ("ebb", None),
        ] {
            assert_eq!(of_pod(text).as_deref(), want, "{text}");
        }
        assert_eq!(name("ebb SEA,HOURS", "ebb", false), None);
        let old = |text| name(text, "item_ebbtide", false);
        for (text, is_name) in [
            ("EbbTide name -x format", true),
            ("ebb_tide sea", true),
            ("ebbtide SEA", true),
            ("ebbtide", true),
            ("Ebbtide is when it goes out", false),
            ("Flow", false),
        ] {
            assert_eq!(old(text).is_some(), is_name, "{text}");
        }
    }
}
