//! Breadcrumbs: the titles of the pages above a page, and the names of a site's books.

use super::super::document::Document;
use super::super::html::{esdoc, natural_docs};
use super::super::lexicon::english_stem;
use super::super::links::{self, Origin};
use super::super::prose::{same_words, words};
use super::titles::ends_of_folders;
use super::tongues::Tongues;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Gives every page the titles of those above it: what its trail shows, else the titles of the folders' own pages.
pub(super) fn settle(documents: &mut [Document], tongues: &Tongues) {
    let has_articles = have_articles(documents);
    let folders = Folders::of(documents, tongues, has_articles);
    let books = books(documents, &folders.titles);
    let home = folders.titles.get("").cloned().unwrap_or_default();
    let site = documents.iter().map(|d| d.facts.site_name.as_str());
    let site = site
        .max_by_key(|name| !name.is_empty())
        .unwrap_or_default()
        .to_owned();
    let pages = Above::of(documents);
    let numbered = numbered(documents);
    let above: Vec<Vec<String>> = documents.iter().map(|d| pages.titles(d)).collect();
    for (document, above) in documents.iter_mut().zip(above) {
        let (tag, path) = tongues.within(&document.path);
        let title_of = |folder: &str| folders.title(&tag, folder);
        let home = title_of("").unwrap_or(&home);
        let is_of_site = |step: &str| {
            same_words(step, home)
                || (!site.is_empty() && same_words(step, &site))
                || matches!(step.to_lowercase().as_str(), "home" | "docs »" | "docs")
        };
        let own = own_folder(&path, has_articles).filter(|own| !is_variant(own, document));
        let leads_up = above.iter().any(|step| !is_of_site(step));
        let mut crumbs: Vec<String> = if !document.facts.trail.is_empty() {
            without_signs(&document.facts.trail)
        } else if leads_up {
            above
        } else {
            folders_above(&path, has_articles)
                .filter(|folder| {
                    !is_container(folder)
                        || title_of(folder).is_some_and(|title| names(title, folder))
                })
                .filter(|folder| !is_variant(folder, document))
                .filter(|folder| !is_date(folder) && !is_hash(folder, document))
                .filter(|folder| !is_of_generator(folder, document))
                .map(|folder| {
                    let own = title_of(folder).filter(|title| names(title, folder));
                    let title = books.get(folder).or(own).cloned();
                    title.unwrap_or_else(|| spoken(folder, document, &numbered))
                })
                .chain(own.and_then(|own| books.get(own).cloned()))
                .collect()
        };
        crumbs.retain(|step| {
            !step.is_empty() && !is_of_site(step) && !same_words(step, &document.title)
        });
        crumbs.dedup();
        without_package(&mut crumbs, &document.title);
        document.crumbs = crumbs;
    }
}

/// The titles of the folders' own pages.
#[derive(Default)]
struct Folders {
    titles: HashMap<String, String>,
    /// The same of pages whose names say a language, by that.
    in_languages: HashMap<(String, String), String>,
}

impl Folders {
    fn of(documents: &[Document], tongues: &Tongues, has_articles: bool) -> Self {
        let mut found = Self::default();
        for document in documents {
            let (tag, path) = tongues.within(&document.path);
            let title = document.title.clone();
            if let Some(folder) = own_folder(&path, has_articles) {
                let folder = folder.to_owned();
                match tag.is_empty() {
                    true => found.titles.insert(folder, title),
                    false => found.in_languages.insert((tag, folder), title),
                };
            }
            // The first page of a manual often stands under another name, too.
            let mut aliases = document.aliases.iter();
            if aliases.any(|path| own_folder(path, false) == Some("")) {
                found.titles.insert(String::new(), document.title.clone());
            }
        }
        found
    }

    fn title(&self, tag: &str, folder: &str) -> Option<&String> {
        let own = || self.in_languages.get(&(tag.to_owned(), folder.to_owned()));
        let own = if tag.is_empty() { None } else { own() };
        own.or_else(|| self.titles.get(folder))
    }
}

/// Steps of a trail without the signs between them.
fn without_signs(trail: &[String]) -> Vec<String> {
    let bare = |step: &String| step.trim_matches(['»', '›', '/', ':', '>', ' ']).to_owned();
    trail.iter().map(bare).collect()
}

/// The pages of a site, and which of them each is below, as manuals of Texinfo, DocBook and LaTeX2HTML say of theirs.
struct Above {
    titles: HashMap<String, String>,
    ups: HashMap<String, String>,
}

/// Pages above one, at most.
const MAX_ABOVE: usize = 8;

impl Above {
    fn of(documents: &[Document]) -> Self {
        let with = documents.iter().filter(|d| !d.facts.up.is_empty());
        let up = |d: &Document| {
            let origin = Origin::new(&d.path, &d.facts.canonical);
            Some((d.path.clone(), links::resolve(origin, &d.facts.up)?))
        };
        let ups: HashMap<String, String> = with.filter_map(up).collect();
        let titles = documents.iter().filter(|_| !ups.is_empty());
        Self {
            titles: titles.map(|d| (d.path.clone(), d.title.clone())).collect(),
            ups,
        }
    }

    /// The titles of the pages above a page, outermost first.
    fn titles(&self, document: &Document) -> Vec<String> {
        let mut path = document.path.as_str();
        let mut found: Vec<&str> = Vec::new();
        while let Some(up) = self.ups.get(path).filter(|up| **up != document.path) {
            let is_new = !found.contains(&up.as_str()) && found.len() < MAX_ABOVE;
            if !is_new || !self.titles.contains_key(up) {
                break;
            }
            found.push(up);
            path = up;
        }
        found
            .iter()
            .rev()
            .map(|path| self.titles[*path].clone())
            .collect()
    }
}

/// The folders that a number at the beginning of their names puts in order among others: `01-start` beside `02-guide`.
fn numbered(documents: &[Document]) -> HashSet<String> {
    let mut places: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    let names = documents.iter().flat_map(|d| {
        let ends = d.path.match_indices('/').map(|(at, _)| at);
        ends.chain([d.path.len()]).map(|end| &d.path[..end])
    });
    for path in names {
        if behind_place(last_of(path)).is_some() {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            places.entry(folder).or_default().insert(path);
        }
    }
    let ordered = places.into_values().filter(|places| places.len() > 1);
    ordered.flatten().map(str::to_owned).collect()
}

/// The name of a folder behind its place among others.
fn behind_place(name: &str) -> Option<&str> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = name.len() - rest.len();
    let own = rest.trim_start_matches(['-', '_', '.', ' ']);
    let is_place = (1..=3).contains(&digits) && own.len() < rest.len();
    (is_place && own.starts_with(char::is_alphabetic)).then_some(own)
}

/// Drops the last steps where they spell the page's title: the folders of a package, `groovy › json` above `groovy.json`.
fn without_package(crumbs: &mut Vec<String>, title: &str) {
    let is_title = |at: &usize| same_words(&crumbs[*at..].join(" "), title);
    if let Some(at) = (0..crumbs.len()).find(is_title) {
        crumbs.truncate(at);
    }
}

/// The names of a site's books, by their first folders: what the `<title>`s there end with and no other folder's do.
/// A folder whose own page (`of_folder`) is called as the folder has its name already.
fn books(documents: &[Document], of_folder: &HashMap<String, String>) -> HashMap<String, String> {
    let is_named = |folder: &str| of_folder.get(folder).is_some_and(|t| same_words(t, folder));
    let ends = ends_of_folders(documents).into_iter();
    let named = ends.filter(|(folder, _)| !is_named(folder));
    let mut folders_of: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (folder, end) in named {
        let name = end.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        folders_of.entry(name).or_default().push(folder);
    }
    let own = folders_of
        .into_iter()
        .filter(|(_, folders)| folders.len() == 1);
    own.map(|(name, folders)| (folders[0].to_owned(), name))
        .collect()
}

/// True for the folder of all pages or texts of a sort, which says nothing of what they are about.
fn is_container(folder: &str) -> bool {
    let name = last_of(folder).to_lowercase();
    matches!(name.as_str(), "src" | "text" | "docs" | "pages" | "content")
}

/// Folders with an `article.md`, from which on that is the page of its folder.
const ARTICLES: usize = 3;

fn have_articles(documents: &[Document]) -> bool {
    let articles = documents.iter().filter(|d| is_article(&d.path));
    articles.take(ARTICLES).count() == ARTICLES
}

fn is_article(path: &str) -> bool {
    path.ends_with("/article.md")
}

/// The folder that a page is the own page of: `guide/index.html`, and `guide.html` beside `guide/`.
fn own_folder(path: &str, has_articles: bool) -> Option<&str> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let is_index = ["index", "readme", "_index"]
        .iter()
        .any(|n| name.eq_ignore_ascii_case(n));
    if is_index || (has_articles && is_article(path)) {
        return Some(stem[..stem.len() - name.len()].trim_end_matches('/'));
    }
    Some(stem)
}

/// Folders that a page lies in, outermost first; its own folder is not above it.
fn folders_above(path: &str, has_articles: bool) -> impl Iterator<Item = &str> {
    let own = own_folder(path, has_articles).unwrap_or(path);
    own.match_indices('/').map(|(at, _)| &own[..at])
}

/// True for the folder of the page's version or language, which results show by themselves.
fn is_variant(folder: &str, document: &Document) -> bool {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let is_first = !folder.contains('/');
    (!document.version.is_empty() && name == document.version)
        || super::docusaurus::is_of_version(name, &document.version)
        || (is_first && super::codes::is_code(&name.to_ascii_lowercase()))
}

/// True for the folder into which a generator puts all pages of a sort: ESDoc's classes, and Natural Docs' files.
fn is_of_generator(folder: &str, document: &Document) -> bool {
    let generator = document.facts.generator.as_str();
    let own = [
        (esdoc::GENERATOR, "class"),
        (natural_docs::GENERATOR, "files"),
    ];
    own.contains(&(generator, last_of(folder)))
}

/// True for the folder of a year, a month or a day, in which posts lie.
fn is_date(folder: &str) -> bool {
    let name = last_of(folder);
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())
}

/// True for a folder by which Doxygen spreads its files: `d3/d63/classTide.html`.
fn is_hash(folder: &str, document: &Document) -> bool {
    let name = last_of(folder);
    let digits = name.strip_prefix('d').unwrap_or_default();
    document.facts.generator.starts_with("Doxygen")
        && (1..=2).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// True if the title of a folder's own page is the folder's name in some form: `Configuring Vite` of `config`, and not the
/// first page of a guide, which is called "Getting Started", nor one that greets: "Welcome to HackerOne" of `hackers`.
fn names(title: &str, folder: &str) -> bool {
    const GREETINGS: [&str; 3] = ["welcome", "about", "overview"];
    if !title.is_ascii() || !folder.is_ascii() {
        return true; // A name in another script is a translation.
    }
    let known: Vec<String> = words(title).collect();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut own: Vec<String> = words(last_of(folder)).collect();
    if own.len() > 1 && is_number(&own[0]) {
        own.remove(0); // The place of a folder among others.
    }
    let greets =
        known.len() > 1 && known.first() != own.first() && GREETINGS.contains(&known[0].as_str());
    let is_in_title = |word: &String| known.iter().any(|known| is_form(known, word));
    !greets && (same_words(title, last_of(folder)) || own.iter().all(is_in_title))
}

/// True for another form of a word, or a word that begins with it: what folders are called is often cut.
fn is_form(known: &str, word: &str) -> bool {
    known == word
        || (word.len() >= MIN_CUT && known.starts_with(word))
        || english_stem(known) == english_stem(word)
}

/// Letters of a word that is cut, at least.
const MIN_CUT: usize = 3;

fn last_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// A folder's name for people. That of a package stays as code has it.
fn spoken(folder: &str, document: &Document, numbered: &HashSet<String>) -> String {
    let own = behind_place(last_of(folder)).filter(|_| numbered.contains(folder));
    let name = own.unwrap_or(last_of(folder)).replace(['-', '_'], " ");
    let name = name.trim();
    let mut letters = name.chars();
    match letters
        .next()
        .filter(|_| document.kind.is_empty() && !name.contains('.'))
    {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::site::tests::page;

    #[test]
    fn a_book_of_a_site_is_called_by_what_its_titles_end_with() {
        let of_book = |book: &str, name: &str| -> Vec<Document> {
            let titles = ["Introduction", "Start", "Traits", "Types"];
            let files = ["index", "start", "traits", "deep/types"];
            let pages = titles.iter().zip(files);
            pages
                .map(|(title, file)| {
                    let path = format!("{book}/{file}.html");
                    page(&path, title, &format!("{title} - {name}"))
                })
                .collect()
        };
        let mut documents = of_book("cargo", "The Cargo Book");
        documents.extend(of_book("reference", "The Rust Reference"));
        documents.extend(of_book("std", "Rust"));
        let std = documents.len() - 4;
        documents[std].title = "std".into();
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(
            of[..4],
            [
                "The Cargo Book",
                "The Cargo Book",
                "The Cargo Book",
                "The Cargo Book > Deep"
            ]
        );
        assert_eq!(of[4], "The Rust Reference");
        assert_eq!(of[std..], ["", "std", "std", "std > Deep"]);
    }

    #[test]
    fn the_first_page_of_a_folder_does_not_name_it_and_dates_are_no_steps() {
        let mut documents = vec![
            page("guide/index.html", "Getting Started", ""),
            page("guide/why.html", "Why", ""),
            page("config/index.html", "Configuring Vite", ""),
            page("config/server.html", "Server", ""),
            page("zh/index.html", "首页", ""),
            page("blog/2017/04/13/1.10.html", "1.10", ""),
        ];
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(of, ["", "Guide", "", "Configuring Vite", "", "Blog"]);
    }

    #[test]
    fn a_number_that_orders_folders_is_no_part_of_their_names() {
        let mut documents = vec![
            page("01-start/install.html", "Install", ""),
            page("02-the-guide/first.html", "First", ""),
            page("other/3d-models/a.html", "A", ""),
            page("other/2-factor/a.html", "A", ""),
        ];
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        let want = [
            "Start",
            "The guide",
            "Other > 3d models",
            "Other > 2 factor",
        ];
        assert_eq!(of, want);
    }

    #[test]
    fn folders_of_all_texts_are_no_steps_and_articles_name_theirs() {
        let mut documents = vec![
            page("src/guide/start.md", "Start", ""),
            page("text/pages/sea/tide.html", "Tide", ""),
            page("docs/index.html", "The docs of the sea", ""),
            page("docs/sea/tide.html", "Tide", ""),
            page("content/index.md", "React", ""),
            page("content/learn/start.md", "Start", ""),
        ];
        let settled = |documents: &mut Vec<Document>| -> Vec<String> {
            settle(documents, &Tongues::default());
            documents.iter().map(|d| d.crumbs.join(" > ")).collect()
        };
        let of = settled(&mut documents);
        assert_eq!(of[..4], ["Guide", "Sea", "", "The docs of the sea > Sea"]);
        assert_eq!(of[5], "Learn");
        let mut documents = vec![
            page("1-js/article.md", "Язык", ""),
            page("1-js/2-closure/article.md", "Замыкание", ""),
            page("1-js/2-closure/1-task/task.md", "Сумма", ""),
            page("2-ui/article.md", "Браузер", ""),
        ];
        let of = settled(&mut documents);
        assert_eq!(of[1..3], ["Язык", "Язык > Замыкание > 1 task"]);
    }

    #[test]
    fn a_language_in_a_name_is_no_part_of_a_step() {
        let mut documents = vec![
            page("docs/guide.de.html", "Übersicht", ""),
            page("docs/guide/start.de.html", "Beginn", ""),
            page("docs/guide.html", "The guide", ""),
            page("docs/guide/start.html", "Start", ""),
            page("docs/guide/end.html", "End", ""),
            page("docs/guide/end.de.html", "Ende", ""),
            page("man.zh_TW/common/tar.md", "tar", ""),
            page("man/common/tar.md", "tar", ""),
        ];
        for at in [0, 1, 5] {
            documents[at].language = Some("de".into());
        }
        let tongues = Tongues::of(&documents);
        super::settle(&mut documents, &tongues);
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(of[1], "Übersicht");
        assert_eq!(of[3], "The guide");
        assert_eq!(of[6..], ["Man > Common", "Man > Common"]);
    }

    #[test]
    fn folders_that_spread_files_are_no_steps() {
        let mut documents = vec![
            page("api/d3/d6a/classTide.html", "Tide", ""),
            page("api/d3/d6a/other.html", "Other", ""),
        ];
        documents[0].facts.generator = "Doxygen 1.9.4".into();
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(of, ["Api", "Api > D3 > D6a"]);
    }

    #[test]
    fn the_pages_that_a_page_is_below_are_its_steps() {
        let below = |path: &str, title: &str, up: &str| {
            let mut page = page(path, title, "");
            page.facts.up = up.to_owned();
            page
        };
        let mut documents = vec![
            page("sea/index.html", "The sea", ""),
            below("sea/tides.html", "Tides", "index.html"),
            below("sea/ebb.html", "Ebb", "tides.html"),
            below("sea/a.html", "A", "b.html"),
            below("sea/b.html", "B", "a.html"),
            below("guide/c.html", "C", "lost.html"),
        ];
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        assert_eq!(of, ["", "The sea", "The sea > Tides", "B", "A", "Guide"]);
    }

    #[test]
    fn a_page_that_has_all_words_of_its_folders_name_names_it() {
        for (title, folder) in [
            ("Configuring Vite", "docs/config"),
            ("Contributing to Flink", "contribute"),
            ("Modules", "mod"),
            ("How to Contribute & Get Help", "how-to-contribute"),
            ("The Plugin", "plugins"),
            ("Getting Started", "01-getting-started"),
            ("User Guide", "userGuide"),
            ("About us", "about"),
            ("入门", "guide"),
        ] {
            assert!(names(title, folder), "{title}");
        }
        for (title, folder) in [
            ("Welcome to HackerOne Docs", "hackers"),
            ("HackerOne Docs", "hackers"),
            ("Scaling Math", "testing-at-scale"),
            ("Designing Workloads", "workloads-101"),
            ("About This Tutorial", "tutorials"),
            ("Getting Started", "guide"),
        ] {
            assert!(!names(title, folder), "{title}");
        }
    }

    #[test]
    fn crumbs_are_titles_and_never_the_page_itself() {
        let mut documents = vec![
            page("index.html", "Tidewater", ""),
            page("guide/index.html", "The guide", ""),
            page("guide/start/index.html", "Start", ""),
            page("api.html", "API", ""),
            page("api/client.html", "Client", ""),
            page("lost-pages/deep/x.html", "X", ""),
            page("t.html", "Here", ""),
            page("de/1.0/guide/x.html", "X", ""),
            page("java/groovy/json/package-summary.html", "groovy.json", ""),
            page("v5/class/lib/sea.js~Sea.html", "Sea", ""),
            page("files/sea/ebb-js.html", "Ebb", ""),
        ];
        natural_docs::GENERATOR.clone_into(&mut documents[10].facts.generator);
        esdoc::GENERATOR.clone_into(&mut documents[9].facts.generator);
        documents[7].version = "1.0".into();
        documents[6].facts.trail = vec!["Home".into(), "Section »".into(), "Here".into()];
        settle(&mut documents, &Tongues::default());
        let of: Vec<String> = documents.iter().map(|d| d.crumbs.join(" > ")).collect();
        let want = [
            "",
            "",
            "The guide",
            "",
            "API",
            "Lost pages > Deep",
            "Section",
            "Guide",
            "Java",
            "V5 > Lib",
            "Sea",
        ];
        assert_eq!(of, want);
    }
}
