//! Pages that generators of reference documentation write about other pages: indexes of names, lists of members and of
//! uses, trees, listings of sources. They hold every name of a site and explain none.

use super::super::facts::listings::{JXR, JXR_INDEX, JXR_PACKAGE, NUMBERS, OF_OPENER};
use super::super::facts::maven::REPORT;
use super::super::html::{esdoc, ford, natural_docs};
use super::kind::Kind;

/// Hundredths of an index that are links, at least. An appendix that tells of each entry where it is used has half.
const MOSTLY_LINKS: u8 = 80;
/// The same where every entry is led to by names of sections, behind its own.
const MANY_LINKS: u8 = 65;
/// Hundredths of a list that are links where the rest says where each thing belongs.
const HALF_LINKS: u8 = 50;

/// Beginnings of the title of Javadoc's help, from before it named its writers.
const HELP: [&str; 2] = ["api help", "how this api document is organized"];

/// A page as the rules here see it, all in lower case.
pub(super) struct Page<'a> {
    /// Parts of its path, without the extension and without a last `index`.
    pub(super) segments: &'a [&'a str],
    pub(super) title: &'a str,
    /// Its `<title>`: above all pages of a site its name may stand as their first heading.
    pub(super) title_element: &'a str,
    pub(super) generator: &'a str,
    /// Classes that say what the page is, as [`super::super::facts`] finds them.
    pub(super) classes: &'a str,
    /// Hundredths of its text that stand in links.
    pub(super) linked: u8,
}

impl Page<'_> {
    fn name(&self) -> &str {
        self.segments.last().unwrap_or(&"")
    }

    fn is_in(&self, folder: &str) -> bool {
        self.segments.iter().rev().skip(1).any(|s| *s == folder)
    }

    fn has_class(&self, class: &str) -> bool {
        self.classes.split_ascii_whitespace().any(|c| c == class)
    }

    /// The kind of a page that lists what others say; `None`: it says something.
    pub(super) fn kind(&self) -> Option<Kind> {
        if let Some(writer) = self.generator.strip_prefix("javadoc/") {
            return javadoc(writer);
        }
        if self.is_listing() {
            return Some(Kind::Source);
        }
        let is_package = self.has_class(JXR_PACKAGE) && self.name().starts_with("package-");
        if self.has_class(JXR_INDEX) || self.has_class(OF_OPENER) || is_package {
            return Some(Kind::NameIndex);
        }
        if self.has_class(REPORT) {
            return Some(Kind::Report);
        }
        if self.generator.starts_with("doxygen") {
            return self.doxygen();
        }
        if self.name() == "help-doc" && HELP.iter().any(|start| self.title.starts_with(start)) {
            return Some(Kind::Tool);
        }
        if self.generator == esdoc::GENERATOR {
            return self.esdoc();
        }
        if self.generator == ford::GENERATOR && (self.is_in("lists") || self.is_in("sourcefile")) {
            let is_list = self.is_in("lists");
            return Some(if is_list { Kind::List } else { Kind::Source });
        }
        if self.generator == natural_docs::GENERATOR {
            return self.natural_docs();
        }
        if self.generator.starts_with("pydoctor") && self.is_list_of_pydoctor() {
            return Some(Kind::NameIndex);
        }
        if self.is_sphinx()
            || self.is_haddock()
            || self.is_ocamldoc()
            || self.is_old_javadoc()
            || self.is_qdoc()
            || self.is_typedoc()
            || self.is_yard()
            || self.is_rdoc()
            || self.is_coqdoc()
            || self.is_autogsdoc()
            || self.is_index()
        {
            return Some(Kind::NameIndex);
        }
        let is_sitemap = self.name() == "sitemap" && self.linked >= MOSTLY_LINKS;
        (is_sitemap || self.is_contents()).then_some(Kind::List)
    }

    /// Sphinx writes these names and no other generator does.
    fn is_sphinx(&self) -> bool {
        let name = self.name();
        name.starts_with("genindex")
            || name.ends_with("-modindex")
            || matches!(name, "modindex" | "http-routingtable")
    }

    fn is_haddock(&self) -> bool {
        let name = self.name();
        self.generator == "haddock" && (name == "doc-index" || name.starts_with("doc-index-"))
    }

    /// The modules of a project and the tree of its classes. A module's own page has a folder above it.
    fn is_typedoc(&self) -> bool {
        const FOLDERS: [&str; 3] = ["modules", "interfaces", "classes"];
        let is_own = FOLDERS.iter().any(|folder| self.is_in(folder));
        self.generator == "typedoc" && matches!(self.name(), "modules" | "hierarchy") && !is_own
    }

    /// The lists that YARD shows beside its pages, each a page of its own; it does not name itself.
    fn is_yard(&self) -> bool {
        const LISTS: [&str; 4] = ["class_list", "file_list", "method_list", "tag_list"];
        let is_list = LISTS.contains(&self.name()) && self.title == self.name().replace('_', " ");
        is_list || self.name() == "_index" && self.title.ends_with(" documentation")
    }

    /// RDoc's list of all classes and methods; it does not name itself.
    fn is_rdoc(&self) -> bool {
        let is_called = self.title.starts_with("table of contents");
        self.name() == "table_of_contents" && is_called && self.linked >= HALF_LINKS
    }

    /// Coqdoc's indexes, one for each kind of name and first letter: `index_lemma_E.html`, `index_notation_*.html`.
    fn is_coqdoc(&self) -> bool {
        const KINDS: [&str; 17] = [
            "abbreviation",
            "axiom",
            "binder",
            "coercion",
            "constructor",
            "definition",
            "global",
            "inductive",
            "instance",
            "lemma",
            "library",
            "module",
            "notation",
            "projection",
            "record",
            "section",
            "variable",
        ];
        let parts = self.name().strip_prefix("index_");
        let parts = parts.and_then(|rest| rest.split_once('_'));
        parts.is_some_and(|(kind, letter)| KINDS.contains(&kind) && letter.chars().count() == 1)
    }

    /// Autogsdoc's lists for the frames beside a page, `ClassesTOC.html`, which are called by what they list, and its index of
    /// all names.
    fn is_autogsdoc(&self) -> bool {
        let listed = self.name().strip_suffix("toc");
        let is_list = listed.is_some_and(|listed| !listed.is_empty() && listed == self.title);
        (is_list || self.name() == "mainindex") && self.linked >= MOSTLY_LINKS
    }

    /// ocamldoc does not name itself: `index_values.html` is its "Index of values".
    fn is_ocamldoc(&self) -> bool {
        let own = self.title.rsplit(" : ").next().unwrap_or(self.title);
        self.name().starts_with("index_") && own.starts_with("index of ")
    }

    /// The modules, classes and names of a site, and what has no text.
    fn is_list_of_pydoctor(&self) -> bool {
        matches!(
            self.name(),
            "moduleindex" | "classindex" | "nameindex" | "undoccedsummary" | "all-documents"
        )
    }

    /// qdoc does not name itself.
    fn is_qdoc(&self) -> bool {
        self.name().ends_with("-members") && self.title.starts_with("list of all members for ")
    }

    /// A file of source code: one block of code and nothing else, in a folder of sources.
    fn is_listing(&self) -> bool {
        const FOLDERS: [&str; 4] = ["src", "source", "sources", "_source"];
        let is_file = self.has_class("only-pre") && FOLDERS.iter().any(|f| self.is_in(f));
        let is_of_jxr = self.has_class(JXR) && self.title.ends_with(" xref");
        // ocamldoc's signature of a module.
        is_file
            || is_of_jxr
            || (self.has_class("only-signature") && self.name().starts_with("type_"))
    }

    fn doxygen(&self) -> Option<Kind> {
        const LISTS: [&str; 13] = [
            "annotated",
            "classes",
            "concepts",
            "examples",
            "files",
            "hierarchy",
            "inherits",
            "interfaces",
            "modules",
            "namespaces",
            "pages",
            "structs",
            "topics",
        ];
        // The lists of all members of the site, cut by kind and letter: `functions_vars_m`.
        const MEMBERS: [&str; 3] = ["functions", "globals", "namespacemembers"];
        let name = self.name();
        let is_part = |whole: &&str| {
            let rest = name.strip_prefix(*whole);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        if name.ends_with("-members") || MEMBERS.iter().any(is_part) {
            return Some(Kind::NameIndex);
        }
        if name.starts_with("dir_") || LISTS.contains(&name) {
            return Some(Kind::List);
        }
        if name == "graph_legend" {
            return Some(Kind::Tool);
        }
        if self.is_file_of_doxygen() {
            return Some(Kind::File);
        }
        self.has_class("srpage").then_some(Kind::Search)
    }

    /// Doxygen writes the dot of a file's name as `_8`: `montage_8h`.
    fn is_file_of_doxygen(&self) -> bool {
        const OTHERS: [&str; 6] = [
            "class",
            "struct",
            "namespace",
            "union",
            "group",
            "interface",
        ];
        let ending = self.name().rsplit_once("_8").map(|(_, ending)| ending);
        let is_ending =
            |end: &str| end.starts_with(|c: char| c.is_ascii_alphabetic()) && !end.contains('_');
        ending.is_some_and(is_ending) && !OTHERS.iter().any(|start| self.name().starts_with(start))
    }

    /// ESDoc's listings of files, its lists of these and of all names, and its list of tests.
    fn esdoc(&self) -> Option<Kind> {
        const FOLDERS: [&str; 2] = ["file", "test-file"];
        let is_file = self.name().contains('.') && FOLDERS.iter().any(|f| self.is_in(f));
        let is_list = match self.name() {
            "identifiers" => self.title == "references",
            "source" | "test" => self.title == self.name(),
            _ => false,
        };
        let list = is_list.then_some(Kind::NameIndex);
        is_file.then_some(Kind::Source).or(list)
    }

    /// Natural Docs' indexes and pages of results, and its menu where it is a frame.
    fn natural_docs(&self) -> Option<Kind> {
        let is = |end: &str| {
            let mut classes = self.classes.split_ascii_whitespace();
            classes.any(|class| class.ends_with(end))
        };
        let is_index = is("indexpage") || is("menupage");
        let index = is_index.then_some(Kind::NameIndex);
        is("searchresultspage").then_some(Kind::Search).or(index)
    }

    /// Javadoc before it named its writers: by name and title together.
    fn is_old_javadoc(&self) -> bool {
        let title = self.title;
        if self.is_in("class-use") || self.name() == "package-use" {
            return title.starts_with("uses of ");
        }
        if self.is_in("index-files") {
            return title.split([' ', '-']).any(|word| word == "index");
        }
        match self.name() {
            // The lists that a page of frames shows beside its own, Groovydoc's too.
            "overview-frame" | "package-frame" | "module-frame" => self.linked >= HALF_LINKS,
            "index-all" => title.split([' ', '-']).any(|word| word == "index"),
            "package-tree" | "overview-tree" => title.contains("class hierarchy"),
            "allclasses" | "allclasses-index" | "allclasses-frame" | "allclasses-noframe" => {
                title.starts_with("all classes")
            }
            "allpackages-index" => title.starts_with("all packages"),
            "constant-values" => title.starts_with("constant field values"),
            "serialized-form" => title.starts_with("serialized form"),
            "deprecated-list" => title.starts_with("deprecated"),
            _ => false,
        }
    }

    /// The index at the end of a book: DocBook's by its class, others by name, title and links together.
    fn is_index(&self) -> bool {
        if self.generator.starts_with("docbook") && self.has_class("is-book-index") {
            return true;
        }
        let titles = [self.title, self.title_element];
        let is_chapter = |title: &str| title.starts_with(|c: char| c.is_ascii_digit());
        let is_named = self.name().contains("index") || titles.into_iter().any(is_chapter);
        let is_named = self.name() != "index" && is_named;
        let is_index = |title: &str| title.split(' ').next_back() == Some("index");
        let is_titled = titles.into_iter().any(is_index);
        self.has_class(NUMBERS) || is_named && is_titled && self.linked >= MANY_LINKS
    }

    /// The list of contents of a book, a page of its own.
    fn is_contents(&self) -> bool {
        const CONTENTS: [&str; 2] = ["table of contents", "contents"];
        let mut titles = [self.title, self.title_element].into_iter();
        let is_titled = titles.any(|title| CONTENTS.iter().any(|end| title.ends_with(end)));
        is_titled && self.name() != "index" && self.linked >= MOSTLY_LINKS
    }
}

/// The kind of a page by the part of Javadoc that wrote it. `ModuleIndexWriter` and `PackageIndexWriter` write the home page.
fn javadoc(writer: &str) -> Option<Kind> {
    if writer == "sourcetohtmlconverter" {
        return Some(Kind::Source);
    }
    let writer = writer.strip_suffix("impl").unwrap_or(writer);
    match writer.strip_suffix("writer")? {
        "classuse" | "packageuse" | "tree" | "packagetree" | "allclassesindex"
        | "allpackagesindex" | "splitindex" | "singleindex" | "index" | "deprecatedlist"
        | "previewlist" | "newapilist" | "restrictedlist" | "systemproperties"
        | "externalspecs" | "constantssummary" | "serializedform" => Some(Kind::NameIndex),
        "help" => Some(Kind::Tool),
        "search" => Some(Kind::Search),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
