//! Pages that are no content, or content of another time: left out, or damped.
//!
//! A page is of a kind when its generator says so (classes, file names that only that generator writes), or when its
//! address and its title both do. One sign alone is not enough where people could mean it: a guide may be called
//! "Search", and a folder "blog".

use super::super::document::Document;
use super::super::html::jsdoc;
use super::addresses::Tally;
use super::dated;
use super::docsify::Docsify;
use super::kind::Kind;
use super::report::Report;
use super::searching::is_search;
use super::{SiteOptions, assets, codes, is_page, lists, sources, versions, written};
use std::collections::HashSet;

/// Leaves out or damps the pages that rules are about, except where all pages would go.
pub(super) fn settle(
    documents: &mut Vec<Document>,
    tally: &Tally,
    options: &SiteOptions,
    report: &mut Report,
) {
    let places = super::places(documents);
    let n_pages = documents.iter().filter(|d| is_page(d)).count();
    let is_beside = |d: &&Document| sources::is_beside_page(d, |path| places.contains_key(path));
    let n_beside = documents.iter().filter(is_beside).count();
    let is_html_site = n_pages * 2 > documents.len() - n_beside;
    let linked: HashSet<&str> = documents
        .iter()
        .flat_map(|d| {
            d.links
                .iter()
                .map(|link| link.path.as_str())
                .filter(|path| *path != d.path)
        })
        .collect();
    let led_to = tally.led_to(documents.iter().map(|d| d.path.as_str()));
    let is_linked = |path: &str| linked.contains(path) || led_to.contains(path);
    let sphinx = sources::Sphinx::of(documents);
    let docsify = Docsify::of(documents);
    let told = super::editions::kinds(documents);
    let has_posts = !are_mostly_posts(documents);
    let mut kinds: Vec<Option<Kind>> = documents
        .iter()
        .enumerate()
        .map(|(at, d)| match is_page(d) {
            _ if docsify.kind_of(d).is_some() => docsify.kind_of(d),
            true => kind_of(d, is_linked(&d.path), has_posts)
                .or_else(|| assets::kind_of(d, &places, is_linked))
                .or_else(|| told.get(&at).copied()),
            false if sphinx.has(&d.path) && !d.is_unindexed() => Some(Kind::PageSource),
            false if sources::is_paired_notebook(d, |path| places.contains_key(path)) => {
                Some(Kind::PageSource)
            }
            false if is_html_site => {
                sources::kind_of(d, |path| places.contains_key(path), is_linked)
            }
            false => written::kind_of(d, is_linked(&d.path)),
        })
        .collect();
    lists::settle(documents, &places, &mut kinds);
    for kind in &mut kinds {
        *kind = kind.filter(|kind| !options.keep.contains(kind));
    }
    apply(documents, kinds, report);
}

/// Leaves out and damps what the kinds say, except where no page would stay.
fn apply(documents: &mut Vec<Document>, kinds: Vec<Option<Kind>>, report: &mut Report) {
    let stays = |kind: &Option<Kind>| kind.is_none_or(|kind| kind.damping().is_some());
    if !kinds.iter().any(stays) {
        return;
    }
    let mut kinds = kinds.into_iter();
    documents.retain_mut(|document| {
        let Some(kind) = kinds.next().flatten() else {
            return true;
        };
        let decision = report.of(&document.path);
        decision.kind = Some(kind);
        decision.left_out = kind.damping().is_none();
        document.damping = kind.damping().unwrap_or(0.0);
        !decision.left_out
    });
}

/// True if most pages have a post's marks: a plugin of Jekyll's gives them to every page of a collection. Where other pages
/// lack them, and all that have them call their section one of posts, they are what they say.
fn are_mostly_posts(documents: &[Document]) -> bool {
    let pages = documents.iter().filter(|d| is_page(d));
    let n_pages = pages.clone().count();
    let marked: Vec<&Document> = pages.filter(|d| d.facts.is_post).collect();
    let is_in_section = |d: &&Document| dated::is_section_of_posts(&d.category);
    let are_told_apart = marked.len() < n_pages && marked.iter().all(is_in_section);
    marked.len() * 2 > n_pages && !are_told_apart
}

/// The kind of a page of HTML; `None`: it is a page like any other. Other pages may link to it, and marks may tell posts.
fn kind_of(document: &Document, is_linked: bool, has_posts: bool) -> Option<Kind> {
    let path = document.path.to_ascii_lowercase();
    let segments: Vec<&str> = stem_of(&path).split('/').collect();
    let name = *segments.last().unwrap_or(&"");
    let title = title_key(&document.title);
    let classes = document.facts.classes.as_str();
    let has_class = |wanted: &[&str]| {
        classes
            .split_ascii_whitespace()
            .any(|class| wanted.contains(&class))
    };
    let generator = document.facts.generator.to_ascii_lowercase();
    let n_words = || words_of(document);

    if is_not_found(name, &title) && !is_guide(&path, &segments, &title, is_linked) {
        return Some(Kind::NotFound);
    }
    let page = super::indexes::Page {
        segments: &segments,
        title: &title,
        title_element: &title_key(&document.facts.title_element),
        generator: &generator,
        classes: &classes.to_ascii_lowercase(),
        linked: document.facts.linked,
    };
    if let Some(kind) = page.kind() {
        return Some(kind);
    }
    if jsdoc::is_source(document) || is_source(&segments, name, &generator, &title) {
        return Some(Kind::Source);
    }
    if generator == "rustdoc"
        && matches!(name, "settings" | "help" | "scrape-examples-help" | "all")
    {
        return Some(Kind::Tool);
    }
    if matches!(name, "print" | "print_page" | "print-site") && n_words() > 500 {
        return Some(Kind::Print);
    }
    let titles = [&*title, &title_key(&document.facts.title_element)];
    let is_type = is_of_type(&document.path);
    if !is_type && is_search(name, classes, titles) && n_words() < 150 {
        return Some(Kind::Search);
    }
    if is_list(&segments, name, &has_class) {
        return Some(Kind::List);
    }
    let is_marked = has_class(&["blog-post-page"]) || (has_posts && document.facts.is_post);
    if is_marked || dated::is_post_path(&segments) {
        return Some(Kind::Post);
    }
    if !is_type && dated::is_changelog(name, &title) || dated::is_release(&segments) {
        return Some(Kind::Changelog);
    }
    let is_unsettled = has_class(&["is-deprecated", "is-experimental"]);
    (is_unsettled || is_obsolete(name, &title)).then_some(Kind::Unsettled)
}

/// True for the page of a type that is called as a page of the site may be: `App/View/Search.html`, `App/History.html`.
fn is_of_type(path: &str) -> bool {
    let is_name = |segment: &str| {
        segment.starts_with(char::is_uppercase) && segment.chars().any(char::is_lowercase)
    };
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut segments = stem.rsplit('/');
    segments.next().is_some_and(is_name) && segments.next().is_some_and(is_name)
}

/// True for the page on which qdoc tells of a class's obsolete members.
fn is_obsolete(name: &str, title: &str) -> bool {
    name.ends_with("-obsolete") && title.starts_with("obsolete members for ")
}

/// A path without its extension, and without a last `index`.
fn stem_of(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    stem.strip_suffix("/index").unwrap_or(stem)
}

fn title_key(title: &str) -> String {
    title.trim().to_lowercase()
}

fn words_of(document: &Document) -> usize {
    let texts = document.sections.iter();
    texts.map(|s| s.text.split_whitespace().count()).sum()
}

fn is_not_found(name: &str, title: &str) -> bool {
    matches!(
        name,
        "404" | "404.html" | "_404" | "not-found" | "not_found" | "notfound"
    ) && (name.contains("404") || title.contains("not found") || title.starts_with("404"))
}

/// True for a guide to pages that are not found: it stands among others, and is linked or has a folder of its own. What
/// hosts look for lies at the root of a site, a language or a version.
fn is_guide(path: &str, segments: &[&str], title: &str, is_linked: bool) -> bool {
    let above = &segments[..segments.len() - 1];
    let is_root = |segment: &&str| codes::is_code(segment) || versions::is_version(segment);
    let has_folder = path.ends_with("/index.html") && !title.contains("found");
    !above.iter().all(is_root) && (is_linked || has_folder)
}

/// Listings of source code, by the folders and names of the generators that write them.
fn is_source(segments: &[&str], name: &str, generator: &str, title: &str) -> bool {
    let in_folder = |folder: &str| segments.iter().rev().skip(1).any(|s| *s == folder);
    let sphinx = in_folder("_modules") || in_folder("_sources");
    let sphinx_root = segments.last() == Some(&"_modules");
    let rustdoc = generator == "rustdoc" && (in_folder("src") || title.ends_with("- source"));
    let doxygen = generator.starts_with("doxygen") && name.ends_with("_source");
    let jsdoc = [".js", ".ts", ".mjs", ".jsx", ".tsx"]
        .iter()
        .any(|end| name.ends_with(end))
        && (title.starts_with("source:") || title.starts_with("source "));
    sphinx || sphinx_root || rustdoc || doxygen || jsdoc
}

/// Lists of other pages, which say nothing of their own.
fn is_list(segments: &[&str], name: &str, has_class: &impl Fn(&[&str]) -> bool) -> bool {
    const CLASSES: [&str; 10] = [
        "blog-list-page",
        "blog-tags-list-page",
        "blog-tags-post-list-page",
        "blog-archive-page",
        "blog-authors-list-page",
        "blog-authors-posts-page",
        "docs-tags-list-page",
        "docs-tag-doc-list-page",
        "generatedIndexPage",
        "vp-blog-list",
    ];
    if has_class(&CLASSES) {
        return true;
    }
    let parent = segments.len().checked_sub(2).map_or("", |at| segments[at]);
    let is_blog = segments.iter().any(|s| dated::is_blog_folder(s));
    let numbered = parent == "page" && !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    let depth = lists::list_folder(segments);
    let near_top = depth.is_some_and(|at| segments.len() <= at + 3);
    let plain_top = near_top
        && (is_blog
            || matches!(segments[depth.unwrap_or(0)], "tags" | "categories")
            || segments.len() == depth.unwrap_or(0) + 1);
    numbered || plain_top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::DocumentSection;

    fn page(path: &str, title: &str, classes: &str, words: usize) -> Document {
        let mut document = Document {
            path: path.to_owned(),
            title: title.to_owned(),
            weight: 1.0,
            sections: vec![DocumentSection {
                text: "word ".repeat(words),
                weight: 1.0,
                ..DocumentSection::default()
            }],
            ..Document::default()
        };
        classes.clone_into(&mut document.facts.classes);
        document
    }

    /// Path, title, classes, words, and the kind of the page.
    const PAGES: &[(&str, &str, &str, usize, Option<Kind>)] = &[
        ("404.html", "Page Not Found", "", 20, Some(Kind::NotFound)),
        ("news/2016/08/02/a.html", "A", "", 90, Some(Kind::Post)),
        ("news/why/a.html", "A", "", 90, None),
        ("2018/12/21/a/index.html", "A", "", 90, Some(Kind::Post)),
        ("2018/12/21/index.html", "A", "", 90, None),
        ("2018/13/21/a/index.html", "A", "", 90, None),
        (
            "announce/release-2.6.0.html",
            "2.6.0",
            "",
            90,
            Some(Kind::Changelog),
        ),
        (
            "whatsnew/3.10.html",
            "What's new",
            "",
            90,
            Some(Kind::Changelog),
        ),
        ("releases/how-to.html", "How to", "", 90, None),
        ("releases/1/index.html", "One", "", 90, None),
        ("fr/404/index.html", "404", "", 5, Some(Kind::NotFound)),
        ("api/not-found.html", "notFound()", "", 50, None),
        ("genindex-A.html", "Index", "", 900, Some(Kind::NameIndex)),
        (
            "py-modindex/index.html",
            "Python Module Index",
            "",
            9,
            Some(Kind::NameIndex),
        ),
        (
            "_modules/flask/app.html",
            "flask.app",
            "",
            900,
            Some(Kind::Source),
        ),
        ("guide/_modules.html", "Modules", "", 90, Some(Kind::Source)),
        ("src/guide/index.html", "Guide", "", 90, None),
        ("search.html", "Search", "", 3, Some(Kind::Search)),
        ("guides/search.html", "Search", "", 800, None),
        ("de/search.html", "Suche", "", 30, Some(Kind::Search)),
        ("blog/index.html", "Blog", "", 400, Some(Kind::Post)),
        (
            "blog.html",
            "Blog",
            "blog-wrapper blog-list-page",
            400,
            Some(Kind::List),
        ),
        ("blog/page/2/index.html", "Blog", "", 400, Some(Kind::List)),
        ("blog/tags/x/index.html", "x", "", 40, Some(Kind::List)),
        ("tags/index.html", "Tags", "", 40, Some(Kind::List)),
        ("de/tags/x/index.html", "x", "", 40, Some(Kind::List)),
        ("reference/html/tags/a.html", "The a tag", "", 40, None),
        ("guide/archive.html", "Archive a project", "", 40, None),
        (
            "blog/2020/01/21/jest-25.html",
            "Jest 25",
            "",
            900,
            Some(Kind::Post),
        ),
        ("blog/a.html", "A", "blog-post-page", 900, Some(Kind::Post)),
        (
            "docs/category/basics/index.html",
            "Basics",
            "docs-doc-page generatedIndexPage",
            60,
            Some(Kind::List),
        ),
        (
            "docs/category/basics.html",
            "Basics",
            "docs-doc-page",
            60,
            None,
        ),
        ("guide/blog.html", "Make a blog", "", 90, None),
        (
            "changes/index.html",
            "Changes",
            "",
            900,
            Some(Kind::Changelog),
        ),
        ("changelog.html", "Zephyr", "", 900, Some(Kind::Changelog)),
        (
            "std/struct.A.html",
            "A in std",
            "rustdoc is-experimental",
            90,
            Some(Kind::Unsettled),
        ),
        (
            "qtdbus/qdbusconnection-obsolete.html",
            "Obsolete Members for QDBusConnection",
            "",
            90,
            Some(Kind::Unsettled),
        ),
        ("guide/obsolete.html", "Obsolete browsers", "", 90, None),
        ("guide/changes.html", "Watching for changes", "", 90, None),
        ("print.html", "The Book", "", 9_000, Some(Kind::Print)),
        ("guide/print.html", "Print", "", 60, None),
    ];

    #[test]
    fn a_class_of_a_namespace_may_be_called_as_a_page_of_the_site() {
        let is_type = ["App/View/Search.html", "App/History.html"];
        let is_page = [
            "search.html",
            "docs/search.html",
            "docs/Search.html",
            "en/HISTORY.md",
        ];
        assert!(is_type.iter().all(|path| is_of_type(path)));
        assert!(!is_page.iter().any(|path| is_of_type(path)));
    }

    #[test]
    fn pages_are_told_by_their_generator_or_by_two_signs() {
        for &(path, title, classes, words, want) in PAGES {
            let page = page(path, title, classes, words);
            assert_eq!(kind_of(&page, false, true), want, "{path}");
        }
    }

    #[test]
    fn a_page_of_the_search_may_be_headed_by_the_site() {
        let mut page = page("search.html", "Tides 3.2", "", 20);
        assert_eq!(kind_of(&page, false, true), None);
        page.facts.title_element = "Search — Tides 3.2".into();
        assert_eq!(kind_of(&page, false, true), Some(Kind::Search));
    }

    #[test]
    fn a_guide_to_pages_that_are_not_found_is_linked() {
        for (path, want) in [
            ("404.html", Some(Kind::NotFound)),
            ("de/404/index.html", Some(Kind::NotFound)),
            ("v2.8.0/404.html", Some(Kind::NotFound)),
            ("templates/404/index.html", None),
            ("templates/404.html", None),
        ] {
            let page = page(path, "404 pages", "", 90);
            assert_eq!(kind_of(&page, true, true), want, "{path}");
        }
    }

    #[test]
    fn a_guide_to_pages_that_are_not_found_may_have_a_folder_of_its_own() {
        for (path, title, want) in [
            (
                "documentation/templates/404/index.html",
                "404 error page",
                None,
            ),
            ("templates/404.html", "404 error page", Some(Kind::NotFound)),
            (
                "docs/404/index.html",
                "404: This page could not be found",
                Some(Kind::NotFound),
            ),
            (
                "v2.8.0/en/404/index.html",
                "404 error page",
                Some(Kind::NotFound),
            ),
        ] {
            let page = page(path, title, "", 90);
            assert_eq!(kind_of(&page, false, true), want, "{path}");
        }
    }

    #[test]
    fn marks_of_posts_tell_them_only_where_most_pages_have_none() {
        let damped = |n_posts: usize| {
            let pages = (0..8).map(|i| {
                let mut page = page(&format!("docs/{i}.html"), "A", "", 90);
                page.facts.is_post = i < n_posts;
                page
            });
            let (mut documents, mut report) = (pages.collect(), Report::default());
            settle(
                &mut documents,
                &Tally::default(),
                &SiteOptions::default(),
                &mut report,
            );
            documents.iter().filter(|d| d.damping > 0.0).count()
        };
        assert_eq!((damped(2), damped(5)), (2, 0));
        let named = |n_posts: usize, section: &str| {
            let pages = (0..8).map(|i| {
                let mut page = page(&format!("{i}.html"), "A", "", 90);
                page.facts.is_post = i < n_posts;
                section.clone_into(&mut page.category);
                page
            });
            are_mostly_posts(&pages.collect::<Vec<_>>())
        };
        assert!(!named(5, "posts"), "Hugo's `article:section`");
        assert!(named(5, "docs") && named(8, "posts"));
    }

    #[test]
    fn listings_of_jsdoc_are_sources() {
        let mut source = page("sea_Buoy.js.html", "JSDoc: Source: sea/Buoy.js", "", 900);
        assert_eq!(kind_of(&source, false, true), None);
        source.facts.generator = "jsdoc".into();
        assert_eq!(kind_of(&source, false, true), Some(Kind::Source));
    }

    #[test]
    fn rules_leave_out_damp_and_can_be_overruled() {
        let pages = || {
            vec![
                page("index.html", "Home", "", 9),
                page("404.html", "404", "", 9),
                page("blog/x.html", "X", "", 9),
                page("guide/a.html", "A", "", 9),
                page("guide/a.md", "A", "", 9),
                page("guide.md", "Guide", "", 9),
                page("guide/index.html", "Guide", "", 9),
                page("LICENSE.md", "License", "", 9),
            ]
        };
        let paths = |keep: &[Kind]| {
            let (mut documents, mut report) = (pages(), Report::default());
            let options = SiteOptions {
                keep: keep.to_vec(),
                ..SiteOptions::default()
            };
            settle(&mut documents, &Tally::default(), &options, &mut report);
            let left: Vec<String> = documents
                .iter()
                .map(|d| format!("{}:{}", d.path, d.damping))
                .collect();
            (left.join(" "), report)
        };
        let (left, report) = paths(&[]);
        assert_eq!(
            left,
            "index.html:0 blog/x.html:0.5 guide/a.html:0 guide/index.html:0"
        );
        let (out, damped, folded) = report.counts();
        assert_eq!(
            (
                out[&Kind::PageSource],
                out[&Kind::Stray],
                out[&Kind::NotFound]
            ),
            (2, 1, 1)
        );
        assert_eq!((damped[&Kind::Post], folded), (1, 0));
        let (left, _) = paths(&[Kind::Post, Kind::NotFound, Kind::Stray]);
        assert_eq!(
            left,
            "index.html:0 404.html:0 blog/x.html:0 guide/a.html:0 guide/index.html:0 LICENSE.md:0"
        );
    }

    #[test]
    fn markdown_that_a_page_links_to_is_a_page() {
        let mut home = page("index.html", "Home", "", 9);
        home.facts.hrefs = vec!["/docs/notes/b.md".into(), "notes/c.md".into()];
        let mut tally = Tally::default();
        tally.add(&mut home);
        let mut documents = vec![home, page("x.html", "X", "", 9), page("y.html", "Y", "", 9)];
        documents.push(page("z.html", "Z", "", 9));
        documents
            .extend(["notes/a.md", "notes/b.md", "notes/c.md"].map(|path| page(path, "N", "", 9)));
        settle(
            &mut documents,
            &tally,
            &SiteOptions::default(),
            &mut Report::default(),
        );
        let left: Vec<&str> = documents.iter().skip(4).map(|d| d.path.as_str()).collect();
        assert_eq!(left, ["notes/b.md", "notes/c.md"]);
    }

    #[test]
    fn a_site_of_nothing_else_stays_and_posts_of_markdown_count_less() {
        let (mut documents, mut report) = (vec![page("404.html", "404", "", 9)], Report::default());
        settle(
            &mut documents,
            &Tally::default(),
            &SiteOptions::default(),
            &mut report,
        );
        assert_eq!((documents.len(), report.pages.len()), (1, 0));
        let mut sources = vec![page("a.md", "A", "", 9), page("blog/b.md", "B", "", 9)];
        settle(
            &mut sources,
            &Tally::default(),
            &SiteOptions::default(),
            &mut report,
        );
        assert_eq!((sources.len(), sources[1].damping), (2, 0.5));
    }
}
