//! Pages of a manual and classes of one name: Ant's task `copy` and its class `Copy`.

use super::super::document::Document;
use super::super::html::definition::JAVADOC;
use crate::text::name_term;
use std::collections::HashSet;

/// Share of its score that a class loses beside a page of its name which somebody wrote for readers.
const LESS: f32 = 0.1;

/// Damps pages of Javadoc that other pages of the site have the name of, as their title or as their file's.
pub(super) fn settle(documents: &mut [Document]) {
    let is_api = |document: &Document| document.facts.generator.starts_with(JAVADOC);
    if !documents.iter().any(is_api) {
        return;
    }
    let written = documents.iter().filter(|d| !is_api(d) && d.kind.is_empty());
    let names = written.flat_map(|d| [name_term(&d.title), name_term(stem_of(&d.path))]);
    let names: HashSet<String> = names.flatten().collect();
    let classes = documents.iter_mut();
    for class in classes.filter(|d| is_api(d) && !d.kind.is_empty()) {
        if name_term(&class.title).is_some_and(|name| names.contains(&name)) {
            class.damping = class.damping.max(LESS);
        }
    }
}

fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;

    #[test]
    fn a_class_comes_behind_the_page_of_a_manual_that_has_its_name() {
        let class = |title: &str| {
            let mut class = page(&format!("api/{title}.html"), title, title);
            class.facts.generator = JAVADOC.to_owned();
            class.kind = "class".into();
            class
        };
        let mut documents = vec![
            class("Copy"),
            class("SubAnt"),
            class("Location"),
            page("manual/Tasks/copy.html", "Copy", "Copy Task"),
            page("manual/Tasks/subant.html", "Subant Task", "Subant Task"),
        ];
        settle(&mut documents);
        let damped: Vec<bool> = documents.iter().map(|d| d.damping > 0.0).collect();
        assert_eq!(damped, [true, true, false, false, false]);
    }
}
