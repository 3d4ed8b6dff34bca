//! Second editions of pages by a suffix of their files, `chap7_mj.html` beside `chap7.html`, that differ in how formulas are
//! written: where most of them are copies by their text, so are the others.

use super::super::super::document::Document;
use super::super::is_page;
use std::collections::{BTreeMap, HashMap};

const MIN_FOLDED: usize = 4; // Copies by their text from which on a suffix is that of an edition.

/// Pairs of a suffix, and how many others are one page already.
type Found = (Vec<(usize, usize)>, usize);

/// The pages that are no copies by their text, each with its twin, of suffixes of which half or more are.
pub(super) fn twins(documents: &[Document], leader: &[usize]) -> Vec<(usize, usize)> {
    let pages = || documents.iter().enumerate().filter(|(_, d)| is_page(d));
    let by_path: HashMap<&str, usize> = pages().map(|(at, d)| (d.path.as_str(), at)).collect();
    // By suffix.
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    for (twin, document) in pages() {
        let Some((base, suffix)) = split(&document.path) else {
            continue;
        };
        let page = by_path.get(base.as_str()).copied();
        let page = page.filter(|&page| documents[page].title == document.title);
        let Some(page) = page else {
            continue;
        };
        let (pairs, n_folded) = found.entry(suffix).or_default();
        match super::root(leader, page) == super::root(leader, twin) {
            true => *n_folded += 1,
            false => pairs.push((page, twin)),
        }
    }
    let editions = found.into_values();
    let editions = editions.filter(|(pairs, n)| *n >= MIN_FOLDED && *n >= pairs.len());
    editions.flat_map(|(pairs, _)| pairs).collect()
}

/// The path without the suffix of its name, and that: `_mj` of `ref/chap7_mj.html`. A number counts parts or versions.
fn split(path: &str) -> Option<(String, &str)> {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let end = name + path[name..].rfind('.')?;
    let start = name + path[name..end].rfind(['_', '-', '.'])?;
    let suffix = &path[start..end];
    let is_word = suffix.len() > 1 && suffix[1..].chars().all(char::is_alphabetic);
    (is_word && start > name).then(|| (format!("{}{}", &path[..start], &path[end..]), suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::site::tests::page;

    #[test]
    fn editions_by_a_suffix_are_twins_where_most_are_copies() {
        let paths = ["a", "b", "c", "d", "e", "f"];
        let mut documents = Vec::new();
        for path in paths {
            documents.push(page(&format!("x/{path}.html"), path, path));
            documents.push(page(&format!("x/{path}_mj.html"), path, path));
        }
        // Of which the first `n` are copies.
        let n_pages = documents.len();
        let leaders = |n: usize| -> Vec<usize> {
            let folded = |at: usize| at % 2 == 1 && at / 2 < n;
            let all = 0..n_pages;
            all.map(|at| if folded(at) { at - 1 } else { at }).collect()
        };
        assert_eq!(twins(&documents, &leaders(4)), [(8, 9), (10, 11)]);
        assert_eq!(twins(&documents, &leaders(3)), []);
        documents[9].title = "Other".into();
        assert_eq!(twins(&documents, &leaders(4)), [(10, 11)]);
    }

    #[test]
    fn a_number_is_no_edition() {
        let split = |path| split(path).map(|(base, suffix)| format!("{base} {suffix}"));
        assert_eq!(split("x/a_mj.html").as_deref(), Some("x/a.html _mj"));
        for path in [
            "x/a_2.html",
            "x/_mj.html",
            "x/a.html",
            "x_mj/a.html",
            "a-.html",
        ] {
            assert_eq!(split(path), None, "{path}");
        }
    }
}
