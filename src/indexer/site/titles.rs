//! Titles as a reader of the site knows them: without the site's name, and with those of the pages above.

use super::super::document::Document;
use super::super::html::definition;
use super::super::prose::same_words;
use super::super::sections::absorb_title;
use super::numbered::{absorb_numbered, behind_section_number, is_bare_number, is_numbered};
use super::{codes, is_page, versions};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Separators between a page's title and its site's name.
const SEPARATORS: [&str; 10] = [
    " | ", " - ", " – ", " — ", " -- ", " · ", " • ", " :: ", " » ", " « ",
];
/// Sign between a site's name and the title behind it, besides those.
const COLON: &str = ": ";
/// Share of the pages whose `<title>` must begin or end alike for that to be the site's name.
const MOST: f64 = 0.5;
/// Share of the pages of a folder whose `<title>` must end alike for that to be the name of a book.
const NEARLY_ALL: f64 = 0.9;
/// Pages that a site needs before anything is common to them.
const MIN_PAGES: usize = 4;
/// Pages with one first heading and titles of their own, from which on it names none of them.
const MANY_ALIKE: usize = 3;
/// Pages that may share what their `<title>` says beside the site's name; more of them are not told apart by it.
const FEW_ALIKE: usize = 2;

/// Takes the title that a page's metadata name for its `<title>`, where that is one of many pages and the other is not: a
/// theme may call every page by the site's name.
fn name_for_others(documents: &mut [Document]) {
    let mut titles: HashMap<&str, usize> = HashMap::new();
    let mut for_others: HashMap<&str, usize> = HashMap::new();
    for document in documents.iter().filter(|d| is_page(d)) {
        *titles.entry(&document.facts.title_element).or_default() += 1;
        *for_others.entry(&document.facts.og_title).or_default() += 1;
    }
    let is_told = |d: &Document| {
        let (title, other) = (&*d.facts.title_element, &*d.facts.og_title);
        is_page(d)
            && !other.is_empty()
            && titles[title] > FEW_ALIKE
            && for_others[other] <= FEW_ALIKE
    };
    let told: Vec<bool> = documents.iter().map(is_told).collect();
    for (document, _) in documents.iter_mut().zip(told).filter(|(_, told)| *told) {
        let title = document.facts.og_title.clone();
        let shared = std::mem::replace(&mut document.facts.title_element, title.clone());
        // That of a page without a heading is its `<title>`.
        if document.title == shared {
            document.title = title;
        }
    }
}

/// Gives every page its own title: without the site's name, that of the thing where it defines one, and that of the
/// `<title>` where its first heading is one of several sections.
pub(super) fn settle(documents: &mut [Document]) {
    heads_of_sources(documents);
    name_for_others(documents);
    books::settle(documents);
    let names = Names::of(documents);
    let own = |d: &Document| names.without(&d.path, &d.facts.title_element).to_owned();
    let own: Vec<String> = documents.iter().map(own).collect();
    let is_named = named_by_title(documents, &own);
    let places_of = places_of(documents, &own);
    let are_numbered = are_numbered(documents, &own);
    let are_counted = counted::are_counted(documents);
    let has_kinds = have_kinds(documents);
    let of_all = title_of_all(&own, documents);
    let pages = documents.iter_mut().zip(own).zip(is_named);
    for ((document, own), is_named) in pages.filter(|((d, _), _)| is_page(d)) {
        let was_doubtful = document.facts.doubts(&document.title);
        let short = match is_named {
            true => own.clone(),
            false => names.without(&document.path, &document.title).to_owned(),
        };
        let short = match names.is_site_and(&own, &short) {
            true => {
                absorb_title(&mut document.sections, &document.title);
                own.clone()
            }
            false => short,
        };
        let is_changed = short != document.title;
        document.title = short;
        drop_number_of_heading(document, &own);
        let is_of_all = of_all.contains(&document.title) && is_nameless(document);
        if is_bare_number(&document.title) || is_of_all {
            name_by_heading(document);
        }
        counted::name_by_heading(document, are_counted);
        if was_doubtful || is_changed {
            absorb_title(&mut document.sections, &document.title);
        }
        if are_numbered {
            drop_number(document);
        }
        absorb_numbered(document);
        define(document, &own, has_kinds);
        name_as_menu(document, &own, &places_of);
    }
}

/// Pages whose headings say a kind beside the name, from which on, and hundredths of the pages, a site writes so.
const KINDS_BESIDE: (usize, usize) = (20, 20);

/// Sections among whose beginnings that of a reference's entry is.
const LEADS: usize = 3;

/// Hundredths of the pages without a `<title>` from which on their first heading is the project's.
const PROJECTS: usize = 20;

/// The `<title>` that most pages share, as phpDocumentor's do: it names none of them. There may be two, of one half each.
fn title_of_all(own: &[String], documents: &[Document]) -> HashSet<String> {
    let mut alike: HashMap<&str, usize> = HashMap::new();
    for (own, _) in own.iter().zip(documents).filter(|(_, d)| is_page(d)) {
        *alike.entry(own).or_default() += 1;
    }
    let n_pages = alike.values().sum();
    let of_most = alike.into_iter().filter(|(_, n)| is_most(*n, n_pages));
    of_most.map(|(title, _)| title.to_owned()).collect()
}

/// True for a page that no `<h1>` names, the site's first one excepted: that may be called as the site is.
fn is_nameless(document: &Document) -> bool {
    document.facts.n_h1 == 0 && document.path != "index.html"
}

/// True if many pages are called like `QTimer Class` or `Class Timer`.
fn have_kinds(documents: &[Document]) -> bool {
    let pages = documents.iter().filter(|d| is_page(d));
    let with = pages
        .clone()
        .filter(|d| definition::with_kind(&d.title).is_some());
    let (n, with) = (pages.count(), with.count());
    with >= KINDS_BESIDE.0 && with * 100 >= n * KINDS_BESIDE.1
}

/// The next heading is the title where the first is the project's, on many pages without a `<title>`, as in Markdown that
/// is read in its repository.
fn heads_of_sources(documents: &mut [Document]) {
    let is_source = |d: &Document| !is_page(d) && !d.is_unindexed();
    let mut alike: HashMap<String, usize> = HashMap::new();
    for document in documents.iter().filter(|d| is_source(d)) {
        *alike.entry(document.title.clone()).or_default() += 1;
    }
    let n: usize = alike.values().sum();
    let is_projects = |n_alike: usize| n_alike >= MANY_ALIKE && n_alike * 100 >= n * PROJECTS;
    let of_project = |d: &Document| is_source(d) && is_projects(alike[&d.title]);
    for document in documents.iter_mut().filter(|d| of_project(d)) {
        document.unpack();
        let first = document.sections.first();
        if let Some(next) = first.map(|s| s.heading.clone())
            && !next.is_empty()
        {
            absorb_title(&mut document.sections, &next);
            document.title = next;
        }
    }
}

/// True if most pages are numbered sections of a book by their `<title>`s, `own` without the site's name: `4.15 Hash
/// Tables`, `Chapter 21. Tools`.
fn are_numbered(documents: &[Document], own: &[String]) -> bool {
    let pages = documents.iter().zip(own).filter(|(d, _)| is_page(d));
    let numbered = |own: &str| behind_section_number(own).is_some();
    let (all, with) = pages.fold((0, 0), |(all, with), (_, own)| {
        (all + 1, with + usize::from(numbered(own)))
    });
    is_most(with, all)
}

/// The title that the first heading of a page says, behind its number.
fn name_by_heading(document: &mut Document) {
    let mut headings = document.sections.iter().map(|s| s.heading.as_str());
    if let Some(heading) = headings.find(|heading| !heading.is_empty()) {
        let title = behind_section_number(heading).map_or(heading, |(_, title)| title);
        let (heading, title) = (heading.to_owned(), title.to_owned());
        absorb_title(&mut document.sections, &heading);
        document.title = title;
    }
}

/// The places of pages in any version and language, by their `<title>`s, `own` without the site's name.
fn places_of(documents: &[Document], own: &[String]) -> HashMap<String, HashSet<String>> {
    let mut places: HashMap<String, HashSet<String>> = HashMap::new();
    for (document, own) in documents.iter().zip(own).filter(|(d, _)| is_page(d)) {
        let is_variant = |step: &&str| versions::is_version(step) || codes::is_code(step);
        let steps = document.path.split('/').filter(|step| !is_variant(step));
        let place: Vec<&str> = steps.collect();
        let places = places.entry(own.clone()).or_default();
        places.insert(place.join("/"));
    }
    places
}

/// Keeps the `<title>` of one page, `own` without the site's name, as another name of it: menus call the page so, above
/// which stands another heading. Its words find the page too, also where two or three pages are called so.
fn name_as_menu(document: &mut Document, own: &str, places_of: &HashMap<String, HashSet<String>>) {
    let pages = places_of.get(own).map_or(0, HashSet::len);
    let is_part = SEPARATORS.iter().chain([&COLON]).any(|s| own.contains(s));
    let bare = behind_section_number(own).map_or(own, |(_, bare)| bare);
    let is_other = !bare.is_empty() && !same_words(bare, &document.title);
    if !document.kind.is_empty() || !is_other {
        return;
    }
    if pages == 1 && !is_part {
        document.names.push(own.to_owned());
    }
    // Few type all of it.
    if (1..=3).contains(&pages) {
        document.keywords.push(own.to_owned());
    }
}

/// Calls a page by its `<title>`, `own` without the site's name, where its first heading is the same behind a number, be
/// it of an annex: `A.4.2 The Package Strings.Maps`. The number of a section is another name of the page.
fn drop_number_of_heading(document: &mut Document, own: &str) {
    let first = document.sections.iter().find(|s| s.level == 1);
    let heading = first.map_or(document.title.as_str(), |s| s.heading.as_str());
    let Some((number, rest)) = behind_section_number(heading) else {
        return;
    };
    if !same_words(rest, own) {
        return;
    }
    let (number, heading) = (number.to_owned(), heading.to_owned());
    absorb_title(&mut document.sections, &heading);
    own.clone_into(&mut document.title);
    keep_number(document, number);
}

/// Keeps the number of a section as another name of its page, that of a chapter among its keywords.
fn keep_number(document: &mut Document, number: String) {
    match number.contains('.') {
        true => document.names.push(number),
        false => document.keywords.push(number),
    }
}

/// Takes its number from a title. It stays among the keywords, for whoever looks for it.
fn drop_number(document: &mut Document) {
    if let Some((number, rest)) = behind_section_number(&document.title) {
        let (number, rest) = (number.to_owned(), rest.to_owned());
        absorb_title(&mut document.sections, &document.title);
        document.title = rest;
        if !document.keywords.contains(&number) {
            document.keywords.push(number);
        }
    }
}

/// The names of a site and of its books, as they stand in titles.
struct Names {
    site: Common,
    /// Ends by first folder, and by none that of the pages at the site's root.
    books: HashMap<String, String>,
    /// Beginnings in the same way; below a folder, with a dash or a bar behind them.
    begun: HashMap<String, String>,
}

impl Names {
    fn of(documents: &[Document]) -> Self {
        let site = Common::of(documents);
        let books = ends_of_folders(documents).into_iter();
        let mut books: HashMap<String, String> = books
            .map(|(folder, end)| (folder.to_owned(), end))
            .collect();
        let at_root = documents
            .iter()
            .filter(|d| is_page(d) && !d.path.contains('/'));
        let at_root = at_root.map(|d| site.stripped(&d.facts.title_element));
        let at_root: Vec<&str> = at_root.collect();
        if let Some(end) = common(&at_root, ends) {
            books.insert(String::new(), end);
        }
        let mut begun = beginnings_of_folders(documents, &site);
        if let Some(beginning) = common(&at_root, beginnings) {
            begun.insert(String::new(), beginning);
        }
        Self { site, books, begun }
    }

    /// The title of the page at `path` without them.
    fn without<'t>(&self, path: &str, title: &'t str) -> &'t str {
        let title = self.site.stripped(title);
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        let begun = self.begun.get(folder);
        let begun = begun.and_then(|beginning| title.strip_prefix(beginning.as_str()));
        let is_short = |short: &&str| !short.trim().is_empty();
        let title = begun.filter(is_short).unwrap_or(title);
        let book = self.books.get(folder);
        let short = book
            .and_then(|end| title.strip_suffix(end.as_str()))
            .map(str::trim);
        short.filter(|short| !short.is_empty()).unwrap_or(title)
    }

    /// True for a heading of the site's name and the page's `own` title, whatever counts it between them: `The Guide Chapter
    /// 15 - Tides`, as debiandoc writes it.
    fn is_site_and(&self, own: &str, heading: &str) -> bool {
        let sign = |c: char| !c.is_alphanumeric() && c != ')';
        let mut beginnings = self.site.beginnings.iter();
        let rest = beginnings.find_map(|site| heading.strip_prefix(site.trim_end_matches(sign)));
        let between = rest.and_then(|rest| rest.strip_suffix(own));
        let is_apart = |between: &str| between.starts_with(sign) && between.ends_with(sign);
        !own.is_empty() && between.is_some_and(is_apart)
    }
}

/// The beginning that nearly all `<title>`s below a first folder have behind the site's name, the shortest.
fn beginnings_of_folders(documents: &[Document], site: &Common) -> HashMap<String, String> {
    let mut titles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for document in documents.iter().filter(|d| is_page(d)) {
        if let Some((folder, _)) = document.path.split_once('/') {
            let title = site.stripped(&document.facts.title_element);
            titles.entry(folder).or_default().push(title);
        }
    }
    // A colon may stand behind the kind of what pages define.
    let named = |title: &str| -> Vec<String> {
        let pieces = beginnings(title).into_iter();
        pieces.filter(|piece| !piece.ends_with(COLON)).collect()
    };
    let begun = titles.into_iter();
    let begun = begun.filter_map(|(folder, of)| Some((folder.to_owned(), common(&of, named)?)));
    begun.collect()
}

/// The end that nearly all `<title>`s below a first folder have beside the site's name, with its separator: the shortest,
/// of `Page | Section | Book`.
pub(super) fn ends_of_folders(documents: &[Document]) -> BTreeMap<&str, String> {
    let mut titles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let site = Common::of(documents);
    for document in documents.iter().filter(|d| is_page(d)) {
        if let Some((folder, _)) = document.path.split_once('/') {
            let title = site.stripped(&document.facts.title_element);
            titles.entry(folder).or_default().push(title);
        }
    }
    let titles = titles.into_iter();
    titles
        .filter_map(|(folder, titles)| Some((folder, common(&titles, ends)?)))
        .collect()
}

/// The shortest of the `pieces` of titles that nearly all of `titles` share.
fn common(titles: &[&str], pieces: impl Fn(&str) -> Vec<String>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for piece in titles.iter().flat_map(|title| pieces(title)) {
        *counts.entry(piece).or_default() += 1;
    }
    let least = (titles.len() as f64 * NEARLY_ALL).max(MIN_PAGES as f64);
    let common = counts.into_iter().filter(|(_, n)| *n as f64 >= least);
    common.map(|(piece, _)| piece).min_by_key(String::len)
}

/// Beginnings and ends that most `<title>`s of a site share, the longest first: `Page | Section | Site` where all pages
/// share `| Section | Site`.
struct Common {
    beginnings: Vec<String>,
    ends: Vec<String>,
    versioned: versioned::Names,
}

impl Common {
    fn of(documents: &[Document]) -> Self {
        let pages: Vec<&Document> = documents.iter().filter(|d| is_page(d)).collect();
        let least = (pages.len() as f64 * MOST).max(MIN_PAGES as f64);
        let shared = |pieces: &dyn Fn(&str) -> Vec<String>| -> Vec<String> {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for page in &pages {
                for piece in pieces(&page.facts.title_element) {
                    *counts.entry(piece).or_default() += 1;
                }
            }
            let common = counts.into_iter().filter(|(_, n)| *n as f64 >= least);
            common.map(|(piece, _)| piece).collect()
        };
        let titles = pages.iter().map(|d| d.facts.title_element.as_str());
        let versioned = versioned::Names::of(titles, least as usize);
        let mut common = Self {
            beginnings: shared(&beginnings),
            ends: shared(&ends),
            versioned,
        };
        for document in &pages {
            let name = document.facts.site_name.as_str();
            if !name.is_empty() {
                let named = SEPARATORS.iter().map(|s| format!("{s}{name}"));
                let named = named.filter(|end| document.title.ends_with(end.as_str()));
                common.ends.extend(named);
            }
        }
        for pieces in [&mut common.beginnings, &mut common.ends] {
            pieces.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
            pieces.dedup();
        }
        common
    }

    /// The title without the site's name, unless nothing would be left.
    fn stripped<'t>(&self, title: &'t str) -> &'t str {
        let kept = |short: &'t str| Some(short.trim()).filter(|short| !short.is_empty());
        let behind = |title: &'t str| {
            let mut beginnings = self.beginnings.iter();
            let behind = beginnings.find_map(|piece| title.strip_prefix(piece.as_str()));
            behind.or_else(|| self.versioned.behind(title))
        };
        let before = |title: &'t str| {
            let mut ends = self.ends.iter();
            let before = ends.find_map(|piece| title.strip_suffix(piece.as_str()));
            before.or_else(|| self.versioned.before(title))
        };
        let title = behind(title).and_then(kept).unwrap_or(title);
        before(title).and_then(kept).unwrap_or(title)
    }
}

/// Every end of a title that begins with a separator, and the one in brackets.
fn ends(title: &str) -> Vec<String> {
    let bracket = last_bracket(title);
    let separated = SEPARATORS
        .iter()
        .flat_map(|s| title.match_indices(s).map(|(at, _)| at));
    let ends = separated.chain(bracket).map(|at| title[at..].to_owned());
    ends.collect()
}

/// The blank before the bracket that closes at the end of a title, with those in it: `Solvers (GNU Octave (version 7))`.
fn last_bracket(title: &str) -> Option<usize> {
    let mut depth = 0usize;
    let closed = title.char_indices().rev().filter(|_| title.ends_with(')'));
    for (at, c) in closed {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (c == '(' && title[..at].ends_with(' ')).then(|| at - 1);
        }
    }
    None
}

/// Every beginning of a title that ends with a separator.
fn beginnings(title: &str) -> Vec<String> {
    let separators = SEPARATORS.iter().chain([&COLON]);
    let ends = separators.flat_map(|s| title.match_indices(s).map(|(at, _)| at + s.len()));
    ends.map(|end| title[..end].to_owned()).collect()
}

/// True for each page whose `<title>`, `own` without the site's name, names it better than the first heading of its
/// content: that one heads other pages, too, or is one of several, or has a number, and says something else; or it heads
/// most pages, as a project's name in a menu does.
fn named_by_title(documents: &[Document], own: &[String]) -> Vec<bool> {
    let mut alike: HashMap<&str, usize> = HashMap::new();
    let mut headed: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    let mut heads: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for (document, own) in documents.iter().zip(own).filter(|(d, _)| is_page(d)) {
        *alike.entry(own).or_default() += 1;
        if document.facts.n_h1 > 0 {
            headed.entry(&document.title).or_default().insert(own);
            heads.entry(own).or_default().insert(&document.title);
        }
    }
    let n_pages: usize = alike.values().sum();
    let is_named = |(document, own): (&Document, &String)| {
        let title = document.title.as_str();
        let n_headed = headed.get(title).map_or(0, BTreeSet::len);
        is_page(document)
            && !own.is_empty()
            && !is_cut_off(own)
            && alike[own.as_str()] <= FEW_ALIKE
            && (is_most(n_headed, n_pages)
                || document.facts.doubts(title)
                    && (n_headed >= MANY_ALIKE
                        || document.facts.n_h1 > 1 && heads[own.as_str()].len() == 1
                        || is_numbered(title)
                        || has_summary(document)))
    };
    documents.iter().zip(own).map(is_named).collect()
}

/// True for a `<title>` that ends with the separator before a page's own part, which it lacks.
fn is_cut_off(title: &str) -> bool {
    SEPARATORS
        .iter()
        .any(|sign| title.ends_with(sign.trim_end()))
}

/// True for a page of GitBook's or HonKit's: its `<title>` is its name in the book's summary, which readers see beside it.
fn has_summary(document: &Document) -> bool {
    let generator = document.facts.generator.to_ascii_lowercase();
    ["honkit", "gitbook"]
        .iter()
        .any(|name| generator.starts_with(name))
}

fn is_most(n: usize, all: usize) -> bool {
    n >= MIN_PAGES && n as f64 >= all as f64 * MOST
}

/// Reads what a page defines from its title and its `<title>`, `own` without the site's name, where the page alone did
/// not tell.
fn define(document: &mut Document, own: &str, has_kinds: bool) {
    if !document.kind.is_empty() {
        return;
    }
    let (title, generator) = (&document.title, document.facts.generator.as_str());
    let named = definition::of(title, own).map(|(kind, name)| (kind, name.to_owned()));
    let yard = || definition::of_yard(title, &document.facts.title_element);
    let found = named
        .or_else(yard)
        .or_else(|| definition::by_generator(title, generator));
    // Navigation may stand before the entry of a reference.
    let leads = document.sections.iter().take(LEADS).map(|s| &s.text);
    let entry = || {
        let mut entries = leads.map(|lead| definition::of_refentry(title, lead, generator));
        entries.find_map(|entry| entry)
    };
    if let Some((kind, name)) = found {
        let others = definition::of_doxygen(document, (kind, &name));
        let (last, specialized) = others.map_or((None, None), |o| (o.last, o.specialized));
        kind.clone_into(&mut document.kind);
        document.names.extend(last);
        document.title = specialized.unwrap_or(name);
    } else if let Some(kind) = definition::of_group(&document.path, generator) {
        kind.clone_into(&mut document.kind);
    } else if let Some(entry) = entry() {
        entry.kind.clone_into(&mut document.kind);
        document.title = entry.name;
        document.names.push(entry.path);
    } else if has_kinds && let Some((kind, name)) = definition::with_kind(title) {
        kind.clone_into(&mut document.kind);
        document.title = name;
    }
}

mod books;
mod counted;
mod versioned;

#[cfg(test)]
mod tests;
