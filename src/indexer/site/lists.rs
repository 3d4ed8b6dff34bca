//! Lists of posts that only the whole site tells: by tag, category, author and date, in pages that go on in others, and
//! the first pages of blogs. They say the titles of other pages, and hardly anything else.
//!
//! ```text
//! tag/tides.html      "Tag: tides" · "Spring tides" · "Neap tides"
//! index2.html         the second page of index.html
//! ```

use super::super::document::Document;
use super::super::links::find_target;
use super::dated;
use super::kind::Kind;
use super::{codes, is_page};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Posts to which a page must lead by their titles, to be a list of them.
const MIN_POSTS: usize = 3;
/// Headings of its own that a page of a folder of lists may have.
const MAX_HEADINGS: usize = 1;

/// Adds the kinds of lists to `kinds`, and takes back those of posts where a site has hardly anything else.
pub(super) fn settle(
    documents: &[Document],
    places: &BTreeMap<String, usize>,
    kinds: &mut [Option<Kind>],
) {
    let site = Titles::of(documents, places);
    for folder in folders(documents).values() {
        if site.are_lists(folder) {
            folder.iter().for_each(|at| put(kinds, *at, Kind::List));
        }
    }
    for at in 0..documents.len() {
        if is_open(kinds, at) && site.goes_on(at) {
            kinds[at] = Some(Kind::List);
        }
    }
    let is_post = |at: &usize| kinds[*at] == Some(Kind::Post);
    let posts: HashSet<usize> = (0..kinds.len()).filter(is_post).collect();
    if posts.len() < MIN_POSTS {
        return;
    }
    let is_front = |at: &usize| is_open(kinds, *at) && site.is_front(*at, &posts);
    let fronts: HashSet<usize> = (0..kinds.len()).filter(is_front).collect();
    let is_left = |kind: &&Option<Kind>| kind.is_none_or(|kind| kind.damping().is_some());
    let n_left = kinds.iter().filter(is_left).count() - fronts.len();
    if posts.difference(&fronts).count() * 5 >= n_left * 4 {
        posts.iter().for_each(|at| kinds[*at] = None);
    }
    fronts.iter().for_each(|at| put(kinds, *at, Kind::Post));
}

fn is_open(kinds: &[Option<Kind>], at: usize) -> bool {
    matches!(kinds[at], None | Some(Kind::Post))
}

fn put(kinds: &mut [Option<Kind>], at: usize, kind: Kind) {
    if is_open(kinds, at) {
        kinds[at] = Some(kind);
    }
}

/// Pages of each folder that is called as lists are, at the top of a site, a language or a blog.
fn folders(documents: &[Document]) -> BTreeMap<String, Vec<usize>> {
    let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, document) in documents.iter().enumerate().filter(|(_, d)| is_page(d)) {
        let path = document.path.to_ascii_lowercase();
        let segments: Vec<&str> = path.split('/').collect();
        if let Some(depth) = list_folder(&segments[..segments.len() - 1]) {
            let folder = segments[..=depth].join("/");
            folders.entry(folder).or_default().push(at);
        }
    }
    folders
}

/// The place of a folder that is called as lists of posts are, at the top of a site, a language or a blog: what lies deeper
/// is somebody's guide.
pub(super) fn list_folder(segments: &[&str]) -> Option<usize> {
    const NAMES: [&str; 8] = [
        "tags",
        "tag",
        "categories",
        "category",
        "authors",
        "author",
        "archive",
        "archives",
    ];
    let at = segments.iter().position(|s| NAMES.contains(s))?;
    let above = &segments[..at];
    let is_top = above.is_empty() || is_language(above);
    (is_top || above.iter().any(|s| dated::is_blog_folder(s))).then_some(at)
}

fn is_language(segments: &[&str]) -> bool {
    segments.len() == 1 && codes::is_code(segments[0])
}

/// Titles of a site's pages, and what its pages say of them.
struct Titles<'a> {
    documents: &'a [Document],
    places: &'a BTreeMap<String, usize>,
    by_title: HashMap<String, usize>,
}

impl<'a> Titles<'a> {
    fn of(documents: &'a [Document], places: &'a BTreeMap<String, usize>) -> Self {
        let pages = documents.iter().enumerate().filter(|(_, d)| is_page(d));
        let by_title = pages.map(|(at, d)| (key(&d.title), at)).collect();
        Self {
            documents,
            places,
            by_title,
        }
    }

    /// Other pages that a page calls by their titles, in a heading or a link to them.
    fn led(&self, at: usize) -> HashSet<usize> {
        let document = &self.documents[at];
        let headings = document.sections.iter().map(|s| key(&s.heading));
        let by_heading = headings.filter_map(|heading| self.by_title.get(&heading).copied());
        let by_link = document.links.iter().filter_map(|link| {
            let path = find_target(&link.path, |path| self.places.contains_key(path))?;
            let to = self.places[&path];
            let title = key(&self.documents[to].title);
            (!title.is_empty() && key(&link.text).contains(&title)).then_some(to)
        });
        let mut led: HashSet<usize> = by_heading.chain(by_link).collect();
        led.remove(&at);
        led
    }

    /// Headings of a page that are no titles of other pages.
    fn own(&self, at: usize) -> impl Iterator<Item = String> {
        let document = &self.documents[at];
        let title = key(&document.title);
        let headings = document.sections.iter().map(|s| key(&s.heading));
        headings.filter(move |heading| {
            !heading.is_empty() && *heading != title && !self.by_title.contains_key(heading)
        })
    }

    /// True if two thirds of the pages of a folder lead to pages elsewhere and say nothing else, but for what half of them
    /// say (a theme's columns).
    fn are_lists(&self, folder: &[usize]) -> bool {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for heading in folder.iter().flat_map(|at| self.own(*at)) {
            *counts.entry(heading).or_default() += 1;
        }
        let is_own = |heading: &String| counts[heading] < 2 || counts[heading] * 2 < folder.len();
        let is_list = |at: &&usize| {
            let is_elsewhere = |to: &usize| !folder.contains(to);
            self.led(**at).iter().any(is_elsewhere)
                && self.own(**at).filter(is_own).count() <= MAX_HEADINGS
        };
        folder.iter().filter(is_list).count() * 3 >= folder.len() * 2
    }

    /// True for a page that goes on with the list of another, and is called as that with a number: `index2.html`.
    fn goes_on(&self, at: usize) -> bool {
        let document = &self.documents[at];
        let Some((stem, end)) = document.path.rsplit_once('.').filter(|_| is_page(document)) else {
            return false;
        };
        let base = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        if base.len() == stem.len() {
            return false;
        }
        let first = self.places.get(&format!("{base}.{end}"));
        let is_same = |first: &&usize| {
            let first = &self.documents[**first];
            let titles = [&first.title, &first.facts.title_element];
            titles[0] == &document.title || titles[1] == &document.facts.title_element
        };
        first.filter(is_same).is_some() && self.led(at).len() >= MIN_POSTS - 1
    }

    /// True for a page that leads to posts, and to hardly anything else: the first of a blog.
    fn is_front(&self, at: usize, posts: &HashSet<usize>) -> bool {
        if !is_page(&self.documents[at]) {
            return false;
        }
        let led = self.led(at);
        let n_posts = led.intersection(posts).count();
        n_posts >= MIN_POSTS && n_posts * 3 >= led.len() * 2 && self.own(at).count() <= n_posts
    }
}

fn key(title: &str) -> String {
    title.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::tests::page;
    use super::*;
    use crate::indexer::document::{DocumentSection, Link};

    /// A page with headings of sections, and links by the titles of their pages.
    fn list(path: &str, title: &str, headings: &[&str], links: &[(&str, &str)]) -> Document {
        let mut document = page(path, title, title);
        document.sections = headings
            .iter()
            .map(|heading| DocumentSection {
                heading: (*heading).to_owned(),
                ..DocumentSection::default()
            })
            .collect();
        document.links = links
            .iter()
            .map(|(path, text)| Link {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        document
    }

    fn kinds(documents: &[Document], posts: &[usize]) -> Vec<Option<Kind>> {
        let kind = |at| posts.contains(&at).then_some(Kind::Post);
        let mut kinds: Vec<_> = (0..documents.len()).map(kind).collect();
        settle(documents, &super::super::places(documents), &mut kinds);
        kinds
    }

    const SPRING: (&str, &str) = ("spring.html", "Spring tides 22.03.2017");

    #[test]
    fn folders_of_tags_and_authors_are_lists_where_they_lead_elsewhere() {
        let mut site = vec![
            list("spring.html", "Spring tides", &["Moon", "Sun"], &[]),
            list("neap.html", "Neap tides", &["Moon", "Sun"], &[]),
            list(
                "tag/tides.html",
                "Tag: tides",
                &["Neap tides", "Feeds"],
                &[SPRING],
            ),
            list(
                "tag/moon.html",
                "Tag: moon",
                &["All about", "Feeds"],
                &[SPRING],
            ),
            list("de/archives/2017/index.html", "2017", &[], &[SPRING]),
        ];
        let expected = [
            None,
            None,
            Some(Kind::List),
            Some(Kind::List),
            Some(Kind::List),
        ];
        assert_eq!(kinds(&site, &[]), expected);
        for at in [2, 3] {
            let headings = ["Before", "After"].map(|when| list("", "", &[when], &[]).sections);
            site[at].sections.extend(headings.into_iter().flatten());
            site[at].sections.push(DocumentSection {
                heading: format!("Step {at}"),
                ..DocumentSection::default()
            });
            site[at].sections.push(DocumentSection {
                heading: format!("Note {at}"),
                ..DocumentSection::default()
            });
        }
        assert_eq!(
            kinds(&site, &[])[2..4],
            [None, None],
            "a guide called `tag`"
        );
        let inside = [
            list(
                "author/a.html",
                "Writing",
                &[],
                &[("author/b.html", "Sending")],
            ),
            list(
                "author/b.html",
                "Sending",
                &[],
                &[("author/a.html", "Writing")],
            ),
        ];
        assert_eq!(kinds(&inside, &[]), [None, None]);
    }

    #[test]
    fn a_page_that_goes_on_with_a_list_is_one() {
        let both = [SPRING, ("neap.html", "Neap tides")];
        let mut site = vec![
            list("index.html", "Tides", &[], &[]),
            list("index2.html", "Tides", &[], &both),
            list("spring.html", "Spring tides", &[], &[]),
            list("neap.html", "Neap tides", &[], &[]),
        ];
        assert_eq!(kinds(&site, &[]), [None, Some(Kind::List), None, None]);
        site[1].title = "Tides, again".into();
        site[1].facts.title_element = "Tides, again".into();
        assert_eq!(kinds(&site, &[])[1], None);
        site[1].title = "Tides".into();
        site[1].links.truncate(1);
        site[1].sections.clear();
        assert_eq!(kinds(&site, &[])[1], None, "it leads to one page alone");
    }

    #[test]
    fn posts_count_in_full_where_a_site_is_a_blog_and_its_first_page_less() {
        let mut site: Vec<Document> = ["a", "b", "c", "d"]
            .map(|name| {
                list(
                    &format!("blog/{name}.html"),
                    &format!("Tide {name}"),
                    &["X"],
                    &[],
                )
            })
            .into();
        site.push(list(
            "index.html",
            "Home",
            &["Tide a", "Tide b", "Tide c"],
            &[],
        ));
        let front = Some(Kind::Post);
        assert_eq!(kinds(&site, &[0, 1, 2, 3]), [None, None, None, None, front]);
        let guides = ["y", "z"].map(|name| list(&format!("{name}.html"), name, &["Y"], &[]));
        site.extend(guides);
        let mixed = kinds(&site, &[0, 1, 2, 3]);
        assert_eq!(mixed, [front, front, front, front, front, None, None]);
    }
}
