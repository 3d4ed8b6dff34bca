//! Pages that define one thing: rustdoc's, TypeDoc's and Javadoc's, whose first heading is a kind and a name.

use crate::indexer::document::Document;

/// Kinds as the generators write them, longest first where one begins with another.
const KINDS: [&str; 35] = [
    "annotation interface",
    "annotation type",
    "annotation",
    "attribute macro",
    "attribute",
    "class",
    "constant",
    "crate",
    "delegate",
    "derive macro",
    "enumeration",
    "enum class",
    "enum",
    "error class",
    "exception class",
    "exception",
    "function",
    "interface",
    "keyword",
    "macro",
    "module type",
    "module",
    "namespace",
    "package",
    "primitive type",
    "record class",
    "record",
    "static",
    "struct",
    "trait alias",
    "trait",
    "type alias",
    "type",
    "union",
    "variable",
];

/// Kinds that stand in no titles of pages, but in the menu of docdash, and FORD's, which it marks.
const MARKED_KINDS: [&str; 5] = ["external", "mixin", "program", "submodule", "subroutine"];

/// Name of a generator of Lua's documentation, which its pages do not give: their stylesheet tells.
pub(crate) const LDOC: &str = "ldoc";
/// Name of the generator of Kotlin's references, which its pages do not give: a script of theirs tells.
pub(crate) const DOKKA: &str = "dokka";
/// Name of the generator of Java's references, and of Groovy's after its model, where their pages do not give it.
pub(crate) const JAVADOC: &str = "javadoc";
/// Name of a generator of C#'s references, which its pages give in the names of their `<meta>` only.
pub(crate) const DOCFX: &str = "docfx";

/// Kind, in lower case, and name of what a page defines: `Struct Vec` on a page whose `<title>` is `Vec in std::vec`.
///
/// Only where the `<title>` names the thing alone: a guide called "Function reference" says so in both. `name` is what
/// the `<title>` calls it, which for a module is its path.
pub(crate) fn of<'n>(h1: &str, name: &'n str) -> Option<(&'static str, &'n str)> {
    let lower = h1.to_lowercase();
    let (kind, rest) = KINDS.iter().find_map(|kind| {
        let rest = lower.strip_prefix(kind)?.strip_prefix([' ', '\u{a0}'])?;
        Some((*kind, rest.trim()))
    })?;
    let own = own_name(rest);
    let named = name.to_lowercase();
    let is_end = || {
        let above = named.strip_suffix(own);
        above.is_some_and(|above| above.is_empty() || above.ends_with("::") || above.ends_with('.'))
    };
    (!own.is_empty() && is_end()).then_some((kind, name))
}

/// The whole path of what a page defines, by its `<title>`: `std::vec::Vec` of `Vec in std::vec - Rust`.
pub(super) fn path(title: &str, name: &str) -> Option<String> {
    let rest = title.strip_prefix(name)?.strip_prefix(" in ")?;
    let module = rest.split(' ').next().filter(|module| !module.is_empty())?;
    Some([module, "::", name].concat())
}

/// Kind and name of what a page defines, by the fixed words of its generator: Doxygen's `Eigen::Map< T > Class Template
/// Reference`, LDoc's `Module awful.layout`, ExDoc's `Enumerable protocol`, and AsciiDoc's `git-log(1) Manual Page`, which has
/// no kind.
pub(crate) fn by_generator(title: &str, generator: &str) -> Option<(&'static str, String)> {
    let generator = generator.to_ascii_lowercase();
    if generator.starts_with("doxygen") {
        let (kind, name) = doxygen(title)?;
        let name = without_arguments(name);
        return (!name.is_empty()).then_some((kind, name));
    }
    if generator == LDOC {
        let of = |kind: &&'static str| {
            let (first, name) = title.split_once(' ')?;
            first
                .eq_ignore_ascii_case(kind)
                .then(|| (*kind, name.to_owned()))
        };
        return ["class", "module", "script"].iter().find_map(of);
    }
    if generator.starts_with("exdoc") {
        let of = |kind: &&'static str| {
            let name = title.strip_suffix(kind)?.strip_suffix(' ')?;
            Some((*kind, name.to_owned()))
        };
        return ["behaviour", "exception", "protocol"].iter().find_map(of);
    }
    let manual = title.strip_suffix(" Manual Page");
    let manual = manual.filter(|name| generator.starts_with("asciidoc") && name.ends_with(')'));
    manual.map(|name| ("", name.to_owned()))
}

/// Kind and name, arguments of its template included, in a title of Doxygen's.
fn doxygen(title: &str) -> Option<(&'static str, &str)> {
    const DOXYGEN: [(&str, &str); 8] = [
        (" Class", "class"),
        (" Concept", "concept"),
        (" Module", "module"),
        (" Struct", "struct"),
        (" Union", "union"),
        (" Interface", "interface"),
        (" Namespace", "namespace"),
        (" File", "file"),
    ];
    let title = title.strip_suffix(" Reference")?;
    let title = title.strip_suffix(" Template").unwrap_or(title);
    let of = |&(end, kind): &(&str, &'static str)| Some((kind, title.strip_suffix(end)?));
    DOXYGEN.iter().find_map(of)
}

/// Names of a page of Doxygen's besides the path of its type: `Tide` of `Sea::Tide`, and the whole name of a specialization, by the
/// escaped `<` in its file's name, for the title that tells it from the template's own.
pub(crate) struct DoxygenNames {
    pub(crate) last: Option<String>,
    pub(crate) specialized: Option<String>,
}

/// The names of a page of Doxygen's besides the path of its subject, `name`.
pub(crate) fn of_doxygen(document: &Document, (kind, name): (&str, &str)) -> Option<DoxygenNames> {
    let is_path = document.facts.generator.starts_with("Doxygen") && kind != "file";
    is_path.then_some(())?;
    let file = document.path.rsplit('/').next().unwrap_or_default();
    let is_special = file.contains("_3_01");
    let last = name
        .rsplit("::")
        .next()
        .filter(|last| *last != name && !is_special);
    let whole = doxygen(&document.title).filter(|_| is_special);
    Some(DoxygenNames {
        last: last.map(str::to_owned),
        specialized: whole.map(|(_, whole)| whole.to_owned()),
    })
}

/// The kind of a page on which Doxygen shows a group (`\defgroup`), by the name of its file: its title is in words.
pub(crate) fn of_group(path: &str, generator: &str) -> Option<&'static str> {
    let file = path.rsplit('/').next().unwrap_or(path);
    (file.starts_with("group__") && generator.starts_with("Doxygen")).then_some("module")
}

/// Kind and name by YARD's `<title>`, `Module: YARD::Registry — YARD 0.9.28 Documentation`, on the page that is headed by
/// the name; what its heading says besides is a mark (`Abstract`).
pub(crate) fn of_yard(title: &str, title_element: &str) -> Option<(&'static str, String)> {
    const KINDS: [(&str, &str); 3] = [
        ("Class: ", "class"),
        ("Module: ", "module"),
        ("Exception: ", "exception"),
    ];
    let of =
        |&(start, kind): &(&str, &'static str)| Some((kind, title_element.strip_prefix(start)?));
    let (kind, rest) = KINDS.iter().find_map(of)?;
    let name = rest.split_whitespace().next()?;
    let is_headed = title.split_whitespace().any(|word| word == name);
    is_headed.then(|| (kind, name.to_owned()))
}

/// Gives a page the kind of what it defines, where its generator marks that (pydoctor, phpDocumentor, Codox, docdash, ESDoc,
/// Natural Docs, FORD), and one of pydoctor's the last part of its path as a name: `Sea` of `tides.Sea`.
pub(super) fn of_marks(document: &mut Document) {
    let mut classes = document.facts.classes.split_ascii_whitespace();
    let class = classes.find_map(|class| class.strip_prefix("defines-"));
    let mut kinds = KINDS.iter().chain(&MARKED_KINDS);
    let Some(kind) = kinds.find(|kind| Some(**kind) == class) else {
        return;
    };
    if document.facts.generator.starts_with("pydoctor") {
        let name = document.title.rsplit('.').next().unwrap_or_default();
        document.names.push(name.to_owned());
    }
    document.kind = (*kind).to_owned();
}

/// Kind and name of a page that is called by both, as those of DocFX, RDoc, odoc and TypeDoc's Markdown are (`Class Sea`,
/// `class Sea`, `Function: ebb()`), and those of qdoc and dartdoc (`QTimer Class`, `ebb method`).
pub(crate) fn with_kind(title: &str) -> Option<(&'static str, String)> {
    before(title).or_else(|| behind(title))
}

fn before(title: &str) -> Option<(&'static str, String)> {
    let lower = title.to_lowercase();
    let kind = KINDS.iter().find(|kind| {
        let rest = lower.strip_prefix(**kind);
        rest.is_some_and(|rest| rest.starts_with([' ', ':']))
    })?;
    let name = own_name(title.get(kind.len()..)?.trim_start_matches(':'));
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then(|| (*kind, name.to_owned()))
}

fn behind(title: &str) -> Option<(&'static str, String)> {
    const KINDS: [(&str, &str); 17] = [
        (" Class", "class"),
        (" Struct", "struct"),
        (" Union", "union"),
        (" Interface", "interface"),
        (" Namespace", "namespace"),
        (" QML Type", "type"),
        (" Enum", "enum"),
        (" class", "class"),
        (" constant", "constant"),
        (" constructor", "constructor"),
        (" enum", "enum"),
        (" extension", "extension"),
        (" function", "function"),
        (" library", "library"),
        (" method", "method"),
        (" mixin", "mixin"),
        (" property", "property"),
    ];
    let of = |&(end, kind): &(&str, &'static str)| Some((kind, title.strip_suffix(end)?));
    let (kind, name) = KINDS.iter().find_map(of)?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then(|| (kind, name.to_owned()))
}

/// The entry of a reference in DocBook.
#[derive(Debug, PartialEq)]
pub(crate) struct RefEntry {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) path: String,
}

/// The entry that a page of a reference in DocBook is, whose title and text say what it defines: `Class any`, and
/// `boost::any — A class whose …`.
pub(crate) fn of_refentry(title: &str, lead: &str, generator: &str) -> Option<RefEntry> {
    const KINDS: [(&str, &str); 8] = [
        ("Class ", "class"),
        ("Struct ", "struct"),
        ("Union ", "union"),
        ("Function ", "function"),
        ("Macro ", "macro"),
        ("Global ", "variable"),
        ("Type definition ", "type alias"),
        ("Concept ", "concept"),
    ];
    if !generator.to_ascii_lowercase().starts_with("docbook") {
        return None;
    }
    let (kind, name) = KINDS
        .iter()
        .find_map(|(start, kind)| Some((*kind, title.strip_prefix(start)?)))?;
    let name = own_name(name.strip_prefix("template ").unwrap_or(name));
    let (path, _) = lead.split_once(" — ")?;
    let before = path.strip_suffix(name).filter(|_| !name.is_empty())?;
    let is_path =
        !path.contains(char::is_whitespace) && (before.is_empty() || before.ends_with("::"));
    is_path.then(|| RefEntry {
        kind,
        name: name.to_owned(),
        path: path.to_owned(),
    })
}

/// The path of a type without the arguments of its templates: `Sea::Tide` of `Sea< T >::Tide< U >`.
fn without_arguments(path: &str) -> String {
    let mut depth = 0usize;
    let mut name = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => name.push(c),
            _ => {}
        }
    }
    name.trim().to_owned()
}

/// The name without its parameters: `station<T>` is `station`.
fn own_name(text: &str) -> &str {
    text.split(['<', '(']).next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::{by_generator, of, of_group, of_refentry, path, with_kind};

    #[test]
    fn a_definition_has_the_path_of_its_title() {
        let path = |title| path(title, "Vec");
        assert_eq!(path("Vec in std::vec - Rust"), Some("std::vec::Vec".into()));
        assert_eq!((path("Vec | tides"), path("Vec in ")), (None, None));
    }

    #[test]
    fn generators_say_what_a_page_defines_in_fixed_words() {
        let map = by_generator(
            "Eigen::Map< T, Options > Class Template Reference",
            "Doxygen 1.9",
        );
        assert_eq!(map, Some(("class", "Eigen::Map".into())));
        let nested = by_generator(
            "Sea< T >::Tide< U > Struct Template Reference",
            "Doxygen 1.9",
        );
        assert_eq!(nested, Some(("struct", "Sea::Tide".into())));
        assert_eq!(by_generator("Class Reference", "Doxygen 1.9"), None);
        assert_eq!(
            of_group("d1/group__seas.html", "Doxygen 1.9"),
            Some("module")
        );
        assert_eq!(of_group("group__seas.html", ""), None);
        let log = by_generator("git-log(1) Manual Page", "AsciiDoc 10.2.0");
        assert_eq!(log, Some(("", "git-log(1)".into())));
        assert_eq!(by_generator("git-log(1) Manual Page", "Hugo"), None);
        let named = |kind, name: &str| Some((kind, name.to_owned()));
        let module = by_generator("Module awful.layout", super::LDOC);
        assert_eq!(module, named("module", "awful.layout"));
        assert_eq!(by_generator("Modular layouts", super::LDOC), None);
        let protocol = by_generator("Enumerable protocol", "ExDoc v0.37.2");
        assert_eq!(protocol, named("protocol", "Enumerable"));
    }

    #[test]
    fn a_reference_in_docbook_says_the_path_of_what_it_defines() {
        let docbook = "DocBook XSL Stylesheets V1.79";
        let of = |title, lead| {
            let entry = of_refentry(title, lead, docbook);
            entry.map(|e| format!("{} {} {}", e.kind, e.name, e.path))
        };
        let any = of("Class any", "boost::any — A class.");
        assert_eq!(any.as_deref(), Some("class any boost::any"));
        let cast = of("Function template cast<T>", "boost::cast — Casts.");
        assert_eq!(cast.as_deref(), Some("function cast boost::cast"));
        let global = of("Macro BOOST_RV_REF", "BOOST_RV_REF — A macro.");
        assert_eq!(global.as_deref(), Some("macro BOOST_RV_REF BOOST_RV_REF"));
        assert_eq!(of("Function Calls", "A function is called — so."), None);
        assert_eq!(of("Class any", "company — A firm."), None);
        let other = of_refentry("Class any", "boost::any — A class.", "Hugo");
        assert_eq!(other, None);
    }

    #[test]
    fn a_kind_stands_before_a_name_or_behind_it() {
        let named = |kind, name: &str| Some((kind, name.to_owned()));
        assert_eq!(with_kind("Class Sea<TFish, TTide>"), named("class", "Sea"));
        assert_eq!(
            with_kind("module Sea::Tides"),
            named("module", "Sea::Tides")
        );
        assert_eq!(
            with_kind("Module type Sea.S"),
            named("module type", "Sea.S")
        );
        assert_eq!(with_kind("Type Alias: Tide"), named("type alias", "Tide"));
        assert_eq!(with_kind("Function: ebb()"), named("function", "ebb"));
        assert_eq!(with_kind("ebb method"), named("method", "ebb"));
        assert_eq!(with_kind("QTimer Class"), named("class", "QTimer"));
        for title in [
            "Class diagrams and types",
            "Classes",
            "Function:",
            "Writing a class",
        ] {
            assert_eq!(with_kind(title), None, "{title}");
        }
    }

    #[test]
    fn a_definition_is_told_by_its_heading_and_its_title() {
        assert_eq!(of("Struct Vec", "Vec"), Some(("struct", "Vec")));
        assert_eq!(
            of("Class Station<T>", "Station"),
            Some(("class", "Station"))
        );
        assert_eq!(
            of("Primitive Type str", "str"),
            Some(("primitive type", "str"))
        );
        assert_eq!(
            of("Module option", "std::option"),
            Some(("module", "std::option"))
        );
        for (h1, kind) in [
            ("Enum Class Vec", "enum class"),
            ("Record Class Vec", "record class"),
            ("Annotation Interface Vec", "annotation interface"),
            ("Exception Class Vec", "exception class"),
            ("Error Class Vec", "error class"),
        ] {
            assert_eq!(of(h1, "Vec"), Some((kind, "Vec")));
        }
        // Groovydoc's heading of a type in another.
        assert_eq!(of("Enum Kind", "Sea.Kind"), Some(("enum", "Sea.Kind")));
        assert_eq!(of("Enum Kind", "SeaKind"), None);
        assert_eq!(of("Function reference", "Function reference"), None);
        assert_eq!(of("Structure", "ure"), None);
        assert_eq!(of("Type", ""), None);
        assert_eq!(of("Class diagram", "Drawing"), None);
    }
}
