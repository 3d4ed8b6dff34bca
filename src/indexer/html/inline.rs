//! Elements inside a line: which of them a page shows apart from each other, and which pictures and signs say something.

use std::borrow::Cow;

use scraper::Node;

use crate::indexer::noise::{Attributes, PageNode};
use crate::indexer::prose::same_words;
use crate::indexer::sections::collapse;

/// The last part of a class that names a part of a card or of a banner, each shown apart from its neighbors.
const PARTS: [&str; 14] = [
    "title",
    "subtitle",
    "description",
    "desc",
    "tagline",
    "caption",
    "eyebrow",
    "kicker",
    "excerpt",
    "label",
    "badge",
    "tag",
    "flag",
    // docutils' type behind a term, which its stylesheets set apart by a colon.
    "classifier",
];

const MAX_SIBLINGS: usize = 32; // Enough to tell a row of elements from a sentence, however long it is.

/// The sign that Sandcastle's script writes into an empty element, `.` between a type and its member, as it stands where no
/// language is chosen: `<span id="LST1"></span><script>AddLanguageSpecificTextSet("LST1?cs=.|vb=.|nu=.");</script>`. Empty
/// for another script.
pub(super) fn sign_of_sandcastle(
    node: PageNode<'_>,
    name: &str,
    attributes: &Attributes<'_>,
) -> Option<String> {
    if name != "span" || !attributes.id.starts_with("LST") || node.has_children() {
        return None;
    }
    let script = node.next_sibling().and_then(|next| next.first_child());
    let text = script.and_then(|text| text.value().as_text().map(|text| text.to_string()));
    let text = text.unwrap_or_default();
    let neutral = text
        .split(['|', '?', '"'])
        .find_map(|part| part.strip_prefix("nu="));
    Some(neutral.unwrap_or_default().to_owned())
}

/// True for a tab, and for the item of a list that holds one: tabs stand beside one another.
pub(super) fn is_tab(attributes: &Attributes<'_>) -> bool {
    matches!(attributes.role, "tab" | "presentation")
}

/// True for the title of a callout: Sphinx' and MkDocs', VitePress', Starlight's, GitHub's, mdBook's, and Docusaurus' with
/// the hash of its module.
pub(super) fn is_title_of_callout(attributes: &Attributes<'_>) -> bool {
    const CLASSES: [&str; 5] = [
        "admonition-title",
        "custom-block-title",
        "starlight-aside__title",
        "markdown-alert-title",
        "blockquote-tag-title",
    ];
    attributes.has_class(&CLASSES) || attributes.class.starts_with("admonitionHeading_")
}

/// True for a part of a card, by its name: `card__title`, `hero-tagline`, `description`.
pub(super) fn is_shown_apart(attributes: &Attributes<'_>) -> bool {
    attributes.class.split_ascii_whitespace().any(|class| {
        let part = class.rsplit(['-', '_']).next().unwrap_or(class);
        PARTS.contains(&part)
    })
}

/// True for an element inside a line that stands apart from the text before it without white space: a label, a part of
/// a card, or one of two elements of the same kind side by side with nothing else around them. `<b>bo</b>ld` is one
/// word, and so are the pieces of code that a highlighter colored.
pub(super) fn is_apart(node: PageNode<'_>, name: &str, attributes: &Attributes<'_>) -> bool {
    match name {
        "label" => return true,
        "span" | "a" | "small" | "strong" | "b" | "time" | "code" | "kbd" => {}
        _ => return false,
    }
    let Some(before) = node.prev_siblings().find(|node| !node.value().is_comment()) else {
        return is_shown_apart(attributes) && name != "a";
    };
    let Node::Element(before_element) = before.value() else {
        return is_shown_apart(attributes) && name != "a"; // Text: apart only by the name of its part.
    };
    let before_attributes = Attributes::of(before_element);
    if is_shown_apart(attributes) || is_shown_apart(&before_attributes) {
        return true;
    }
    let is_named = !attributes.class.is_empty() || !before_attributes.class.is_empty();
    let is_alone = matches!(name, "a" | "time" | "kbd") && before_element.name() == name;
    (is_alone || (is_named && before_element.name() == name))
        && !stands_in_code(node)
        && !has_own_text(node)
        && n_letters(node) > 1
        && n_letters(before) > 1
}

/// True inside a piece of code, where nothing is added.
fn stands_in_code(node: PageNode<'_>) -> bool {
    node.ancestors().take(6).any(|above| {
        above.value().as_element().is_some_and(|element| {
            matches!(
                element.name(),
                "code" | "pre" | "samp" | "math" | "var" | "ruby"
            ) || Attributes::of(element).has_class(&["sig", "code-header", "highlight", "katex"])
        })
    })
}

/// True if the parent of an element has words of its own beside its elements.
fn has_own_text(node: PageNode<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        parent.children().take(MAX_SIBLINGS).any(
            |child| matches!(child.value(), Node::Text(text) if text.contains(char::is_alphanumeric)),
        )
    })
}

/// The number of letters below a node, counted up to two.
fn n_letters(node: PageNode<'_>) -> usize {
    let texts = node
        .descendants()
        .take(16)
        .filter_map(|below| match below.value() {
            Node::Text(text) => Some(text.chars().filter(|c| c.is_alphanumeric()).take(2).count()),
            _ => None,
        });
    texts.sum()
}

/// The alternative text of a picture as far as it says something that does not stand beside it: not that of the picture
/// before it, which is for dark or light pages, not the title or the caption of its figure once more, and of DocBook's
/// icons (`[Note]`) the word, unless the row of the table has it.
pub(super) fn told_by<'a>(image: PageNode<'a>, alt: &'a str) -> Option<&'a str> {
    if !says_something(alt) || is_told_before(image, alt) || is_badge(image) {
        return None;
    }
    let alt = alt.trim();
    let icon = alt.strip_prefix('[').and_then(|alt| alt.strip_suffix(']'));
    let is_around = |node: &PageNode<'_>| {
        let element = node.value().as_element();
        element.is_some_and(|element| match icon {
            Some(_) => element.name() == "tr",
            None => element.name() == "figure" || Attributes::of(element).has_class(&["figure"]),
        })
    };
    let around = image.ancestors().take(MAX_ABOVE).find(is_around);
    let is_told = around.is_some_and(|around| {
        let mut parts = around.descendants().take(MAX_IN_FIGURE);
        parts.any(|part| is_caption(part) && says(part, icon.unwrap_or(alt)))
    });
    (!is_told).then_some(icon.unwrap_or(alt))
}

/// True for a picture that a service draws of a project's state (`PyPI | v1.2`) beside the words of a heading, and for an
/// icon beside those of a section's.
fn is_badge(image: PageNode<'_>) -> bool {
    const SERVICES: [&str; 3] = ["shields.io/", "badge.fury.io/", "badgen.net/"];
    const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
    let element = image.value().as_element();
    let address = element.and_then(|element| element.attr("src"));
    let address = address.unwrap_or_default();
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let is_drawn = SERVICES.iter().any(|service| address.contains(service))
        || address.ends_with("badge.svg")
        || address.contains("/badge/");
    let mut above = image.ancestors().take(MAX_ABOVE).filter_map(|node| {
        let name = node.value().as_element()?.name();
        HEADINGS.contains(&name).then_some((node, name))
    });
    let heading = above.next();
    heading.is_some_and(|(heading, name)| (is_drawn || name != "h1") && n_letters(heading) > 0)
}

/// True if a picture of the same words stands right before.
fn is_told_before(image: PageNode<'_>, alt: &str) -> bool {
    let is_shown = |node: &PageNode<'_>| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        node => node.is_element(),
    };
    let before = image.prev_siblings().find(is_shown);
    let before = before.and_then(|node| node.value().as_element());
    before.is_some_and(|e| e.name() == "img" && Attributes::of(e).alt == alt)
}

const MAX_ABOVE: usize = 8; // From a picture to its figure, through the boxes of a theme.
const MAX_IN_FIGURE: usize = 64;

fn is_caption(node: PageNode<'_>) -> bool {
    node.value().as_element().is_some_and(|element| {
        matches!(element.name(), "figcaption" | "th")
            || Attributes::of(element).has_class(&["title", "caption"])
    })
}

/// True if the text below a node is `words`, behind a number ("Figure 17.3. ") or alone.
fn says(node: PageNode<'_>, words: &str) -> bool {
    let texts = node.descendants().take(MAX_SIBLINGS);
    let texts = texts.filter_map(|below| below.value().as_text());
    let text = texts.map(|text| &**text).collect::<String>();
    let text = collapse(&text, words.len() + MAX_NUMBER_CHARS);
    let own = text
        .split_once(". ")
        .filter(|(number, _)| is_number(number));
    let unnumbered = own.map_or(text.as_str(), |(_, rest)| rest);
    same_words(unnumbered, words) || same_words(&text, words)
}

const MAX_NUMBER_CHARS: usize = 24;

/// True for a word and a number: "Figure 17.3".
fn is_number(text: &str) -> bool {
    let number = text.split_whitespace().nth(1);
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// True for an alternative text that is more than a file's name or an address, as that of a QR code.
fn says_something(alt: &str) -> bool {
    const MAX_WORDS_WITH_ADDRESS: usize = 7;
    let alt = alt.trim();
    if !alt.contains(char::is_alphanumeric) {
        return false;
    }
    // An address inside another, as services that draw pictures of sites take it, is encoded.
    let has_address = alt.contains("://") || alt.to_ascii_lowercase().contains("%3a%2f%2f");
    if has_address {
        return alt.split_whitespace().count() > MAX_WORDS_WITH_ADDRESS;
    }
    let name = alt.rsplit(['/', '\\']).next().unwrap_or(alt);
    let is_file = name.rsplit_once('.').is_some_and(|(_, extension)| {
        matches!(
            extension.to_ascii_lowercase().as_str(),
            "svg" | "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif"
        )
    });
    !is_file || alt.contains(char::is_whitespace)
}

/// Signs of one kind in a row that draw a line, at least.
const RULE: usize = 4;

/// Text with one sign for each line that is drawn of many (`noConsole ━━━━━━━━━━`). The frames of tables and the branches
/// of trees are of several kinds of signs.
pub(super) fn without_rules(text: &str) -> Cow<'_, str> {
    let is_drawn = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    if !text.contains(is_drawn) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_drawn) {
        kept.push_str(&rest[..at]);
        let behind = rest[at..].trim_start_matches(is_drawn);
        let run = &rest[at..rest.len() - behind.len()];
        let first = run.chars().next().unwrap_or(' ');
        let is_rule = run.chars().count() >= RULE && run.chars().all(|c| c == first);
        kept.push_str(if is_rule {
            &run[..first.len_utf8()]
        } else {
            run
        });
        rest = behind;
    }
    kept.push_str(rest);
    kept.into()
}
