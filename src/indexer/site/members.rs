//! Members with pages of their own, as Dokka and dartdoc write them: the types around them are part of their names.

use super::super::document::Document;
use super::super::html::definition::DOKKA;
use super::versions;

/// End of the `<title>`s of dartdoc, which older ones do not name otherwise.
const DARTDOC: &str = " - Dart API";
/// The object in a Kotlin class whose members are called as the class's own.
const COMPANION: &str = "Companion";

/// Gives every page of a member the name that it has with its types: `FunSpec.Companion.builder` and `FunSpec.builder`.
pub(super) fn settle(documents: &mut [Document]) {
    for document in documents.iter_mut() {
        let types = types(document);
        let Some(name) = name(&document.title).filter(|_| !types.is_empty()) else {
            continue;
        };
        let callable = types.iter().copied().filter(|step| *step != COMPANION);
        let mut names: Vec<String> = [types.clone(), callable.collect()]
            .iter()
            .filter(|types| !types.is_empty())
            .map(|types| [types.join("."), name.to_owned()].join("."))
            .collect();
        names.dedup();
        document.names.extend(names);
    }
}

/// True for pages of members of different types, which may say the same.
pub(super) fn are_apart(a: &Document, b: &Document) -> bool {
    let (a, b) = (types(a), types(b));
    !a.is_empty() && !b.is_empty() && a != b
}

/// True for pages of one name in sibling folders of a reference, each under its own trail: an action and a step may both be
/// called `set`, and do the same.
pub(super) fn are_in_parts(a: &Document, b: &Document) -> bool {
    let (x, y) = (part_of(&a.path), part_of(&b.path));
    let (a_trail, b_trail) = (&a.facts.trail, &b.facts.trail);
    let are_of_one = a.language == b.language && a.version == b.version;
    let are_siblings = x
        .is_some_and(|(of, part)| y.is_some_and(|(other, sibling)| of == other && part != sibling));
    are_of_one && are_siblings && !a_trail.is_empty() && !b_trail.is_empty() && a_trail != b_trail
}

/// The folder of a reference around a page, and the folder in it that the page lies in; `None` where there is none.
fn part_of(path: &str) -> Option<(&str, &str)> {
    let page = path.strip_suffix("/index.html").unwrap_or(path);
    let (of, part) = page.rsplit_once('/')?.0.rsplit_once('/')?;
    let is_reference = |folder: &str| matches!(folder, "reference" | "references" | "api" | "ref");
    (of.split('/').any(is_reference) && !versions::is_version(part)).then_some((of, part))
}

/// The types in which what a page defines stands, outermost first, by the end of its trail behind the library; empty
/// where it is no member, or its generator writes no page for each.
fn types(document: &Document) -> Vec<&str> {
    let facts = &document.facts;
    if facts.generator != DOKKA && !facts.title_element.ends_with(DARTDOC) {
        return Vec::new();
    }
    let steps = facts.trail.iter().rev();
    let n_types = steps.take_while(|step| is_type(step)).count();
    let first = facts.trail.len() - n_types;
    let types = facts.trail[first..].iter().filter(|_| first > 0);
    types.map(|step| without_parameters(step)).collect()
}

fn is_type(step: &str) -> bool {
    let name = without_parameters(step);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    name.starts_with(|c: char| c.is_uppercase()) && name.chars().all(is_part)
}

fn without_parameters(name: &str) -> &str {
    name.split('<').next().unwrap_or(name).trim()
}

/// The name in a title, which dartdoc follows by its kind: `toString method`.
fn name(title: &str) -> Option<&str> {
    let first = title.split(' ').next()?;
    let name = without_parameters(first);
    (!name.is_empty() && name != "operator").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;
    use crate::indexer::{html, options::InputOptions};

    /// A page as Dokka 2 writes it.
    fn dokka(path: &str, above: &str, title: &str) -> Document {
        let links = above.split(' ').map(|step| {
            format!("<a href=\"../index.html\">{step}</a><span class=\"delimiter\">/</span>")
        });
        let links: String = links.collect();
        let page = format!(
            "<html><head><title>{title}</title>\
             <script type=\"text/javascript\" src=\"../scripts/sourceset_dependencies.js\" async></script></head>\
             <body><div id=\"main\"><div class=\"main-content\"><div class=\"breadcrumbs\">{links}\
             <span class=\"current\">{title}</span></div><div class=\"cover \"><h1 class=\"cover\">\
             <span><span>{title}</span></span></h1></div><p>The value.</p></div></div></body></html>"
        );
        html::parse(path, &page, &InputOptions::default()).expect("a page with text")
    }

    #[test]
    fn a_member_is_called_with_its_types_where_it_has_a_page_of_its_own() {
        let mut documents = vec![
            dokka(
                "p/-fun-spec/-companion/builder.html",
                "lib com.x FunSpec Companion",
                "builder",
            ),
            dokka(
                "p/-k-modifier/-o-p-e-n/index.html",
                "lib com.x KModifier",
                "OPEN",
            ),
            dokka("p/as-name.html", "lib com.x", "asName"),
            dokka("com.x/index.html", "Lib", "com.x"),
            page(
                "http/GET/toString.html",
                "toString method",
                "toString method - GET class - http library - Dart API",
            ),
            page("guide/install.html", "Install", "Install - Guide"),
        ];
        documents[4].facts.trail = vec!["retrofit".into(), "http".into(), "GET".into()];
        documents[5].facts.trail = vec!["docs".into(), "Guide".into()];
        settle(&mut documents);
        let of: Vec<String> = documents.iter().map(|d| d.names.join(" ")).collect();
        assert_eq!(
            of,
            [
                "FunSpec.Companion.builder FunSpec.builder",
                "KModifier.OPEN",
                "",
                "",
                "GET.toString",
                ""
            ]
        );
        assert_eq!(documents[1].title, "OPEN");
    }

    #[test]
    fn pages_of_one_name_in_parts_of_a_reference_are_apart() {
        let of = |path: &str, trail: &str| {
            let mut page = page(path, "set", "set | Docs");
            page.facts.trail = trail.split(' ').map(str::to_owned).collect();
            page
        };
        let step = of("docs/reference/steps/step_set/index.html", "Docs Steps");
        let action = of(
            "docs/reference/actions/action_set/index.html",
            "Docs Actions",
        );
        assert!(are_in_parts(&step, &action));
        for other in [
            of("docs/reference/actions/set/index.html", "Docs Steps"),
            of("docs/reference/steps/set/index.html", "Docs Other"),
            of("docs/guide/actions/set/index.html", "Docs Actions"),
            of("docs/reference/v2/set/index.html", "Docs Actions"),
        ] {
            assert!(!are_in_parts(&step, &other), "{}", other.path);
        }
    }

    #[test]
    fn members_of_different_types_are_apart() {
        let of_file = dokka(
            "p/-file-data/annotations.html",
            "lib com.x FileData",
            "annotations",
        );
        let of_class = dokka(
            "p/-class-data/annotations.html",
            "lib com.x ClassData",
            "annotations",
        );
        let old = dokka(
            "0.x/p/-file-data/annotations.html",
            "lib com.x FileData",
            "annotations",
        );
        assert!(are_apart(&of_file, &of_class) && !are_apart(&of_file, &old));
        assert!(!are_apart(&of_file, &page("a.html", "annotations", "")));
    }
}
