//! Links from the root of a host on which a site lies in a folder: `/handbook/guide/tides.html` means `guide/tides.html`
//! of the input.

use super::super::document::Document;
use super::super::links::find_target;
use std::collections::HashSet;

/// Leads links that have no page at their place to the page below `base`, the path of the site's root on its host. O(links).
pub(super) fn settle(documents: &mut [Document], base: &str) {
    let folder = base.trim_matches('/');
    if folder.is_empty() {
        return;
    }
    let paths: HashSet<String> = documents.iter().map(|d| d.path.clone()).collect();
    let exists = |path: &str| paths.contains(path);
    for document in documents {
        let lost = document.links.iter_mut();
        for link in lost.filter(|link| find_target(&link.path, exists).is_none()) {
            let Some(below) = link.path.strip_prefix(folder) else {
                continue;
            };
            let below = match below.strip_prefix('/') {
                Some(below) => below,
                None if below.is_empty() => "index.html",
                None => continue,
            };
            if find_target(below, exists).is_some_and(|path| path != document.path) {
                link.path = below.to_owned();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;
    use crate::indexer::document::Link;

    #[test]
    fn links_below_the_base_lead_to_their_pages() {
        let mut documents: Vec<Document> = ["index.html", "guide/tides.html", "hand/a.html"]
            .map(|path| page(path, path, path))
            .into();
        let written = [
            ("hand/guide/tides.html", "guide/tides.html"),
            ("hand/guide/tides/index.html", "guide/tides/index.html"),
            ("hand/index.html", "index.html"),
            ("hand", "index.html"),
            ("hand/a.html", "hand/a.html"),
            ("hand/none.html", "hand/none.html"),
            ("handbook/guide/tides.html", "handbook/guide/tides.html"),
        ];
        documents[2].links = written
            .iter()
            .map(|(path, _)| Link {
                path: (*path).to_owned(),
                text: String::new(),
            })
            .collect();
        let links = documents[2].links.clone();
        settle(&mut documents, "/");
        assert_eq!(documents[2].links, links);
        settle(&mut documents, "/hand/");
        for (link, (from, to)) in documents[2].links.iter().zip(written) {
            assert_eq!(link.path, to, "{from}");
        }
    }
}
