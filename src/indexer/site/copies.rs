//! Pages that say the same are one page: the one that people are sent to.
//!
//! Candidates are pages of one title (by minhash, so that thousands of pages called "Index" are not compared with each
//! other), twins in another language or version, and pages that name another as canonical. What is folded was compared
//! by all its words, not by its sketch. Source: A. Broder, "On the resemblance and containment of documents", 1997.

use super::super::document::{Document, PageCopy};
use super::addresses::Addresses;
use super::kind::Kind;
use super::report::Report;
use super::{Defaults, SiteOptions, is_page, members};
use foldhash::fast::RandomState;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Words of a shingle.
const SHINGLE: usize = 4;
/// Minima of a sketch, and how many of them make a band.
const MINIMA: usize = 32;
const BAND: usize = 4;
/// Pages of a bucket that a page is compared with.
const COMPARED: usize = 8;
/// Other languages and versions of a page that it is compared with.
const TWINS: usize = 32;
/// Resemblance from which pages of one title are one.
const SAME: f64 = 0.9;
/// The same for another version: a changed sentence is why there are versions.
const SAME_VERSION: f64 = 0.97;
/// The same for another language: nothing that was translated resembles its original.
const UNTRANSLATED: f64 = 0.75;
/// The same where the page names the other one as canonical.
const SAME_BY_OWN_WORD: f64 = 0.5;
/// Fewer words are no evidence: then everything must be equal.
const MIN_WORDS: usize = 20;

/// Folds copies into the page that stands for them.
pub(super) fn settle(
    documents: &mut Vec<Document>,
    options: &SiteOptions,
    addresses: &Addresses,
    defaults: &Defaults,
    report: &mut Report,
) {
    if options.keep.contains(&Kind::Copy) {
        return;
    }
    let shingles: Vec<HashSet<u64, RandomState>> = documents
        .par_iter()
        .map(|d| {
            if is_page(d) {
                shingles(d)
            } else {
                HashSet::default()
            }
        })
        .collect();
    let pairs = candidates(documents, &shingles, addresses);
    let rank = |at: usize| rank(&documents[at], addresses, defaults);
    let mut leader: Vec<usize> = (0..documents.len()).collect();
    for (a, b, is_named) in pairs {
        let (a_root, b_root) = (root(&leader, a), root(&leader, b));
        let are_one = || is_same(documents, &shingles, (a, b), is_named, &defaults.language);
        if a_root == b_root || are_in_parts(&documents[a], &documents[b], addresses) || !are_one() {
            continue;
        }
        let repeats = |index: usize, page: usize| {
            repeats_first(&documents[index], &documents[page], addresses)
        };
        let is_first =
            repeats(b_root, a_root) || (!repeats(a_root, b_root) && rank(a_root) <= rank(b_root));
        let (kept, folded) = match is_first {
            true => (a_root, b_root),
            false => (b_root, a_root),
        };
        leader[folded] = kept;
    }
    for (page, twin) in suffixed::twins(documents, &leader) {
        if is_same(documents, &shingles, (page, twin), true, &defaults.language) {
            let (page, twin) = (root(&leader, page), root(&leader, twin));
            leader[twin] = page;
        }
    }
    fold_all(documents, &leader, report);
}

/// Folds every page into the one that stands for it, by `leader`, and keeps those alone.
fn fold_all(documents: &mut Vec<Document>, leader: &[usize], report: &mut Report) {
    let leaders: Vec<usize> = (0..documents.len()).map(|at| root(leader, at)).collect();
    let mut copies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, &leader) in leaders
        .iter()
        .enumerate()
        .filter(|(at, leader)| at != *leader)
    {
        copies.entry(leader).or_default().push(at);
    }
    for (leader, members) in copies {
        for at in members {
            fold(documents, leader, at, report);
        }
    }
    let mut at = 0;
    documents.retain(|_| {
        at += 1;
        leaders[at - 1] == at - 1
    });
}

/// The page that stands for a page and its copies; `leader` names that of each, or one nearer to it.
fn root(leader: &[usize], mut at: usize) -> usize {
    while leader[at] != at {
        at = leader[at];
    }
    at
}

fn fold(documents: &mut [Document], leader: usize, at: usize, report: &mut Report) {
    let copy = documents[at].clone_facts();
    let kept = &mut documents[leader];
    let decision = report.of(&copy.path);
    decision.folded_into.clone_from(&kept.path);
    if !decision.language_by.is_empty() {
        decision.language.clone_from(&copy.language);
    }
    decision.version.clone_from(&copy.version);
    kept.aliases.push(copy.path.clone());
    let own = kept.language.clone().unwrap_or_default();
    let is_other = (!copy.language.is_empty() && copy.language != own)
        || (!copy.version.is_empty() && copy.version != kept.version);
    if is_other {
        kept.copies.push(copy);
    }
}

impl Document {
    /// The facts that stay of a page that is folded into another.
    fn clone_facts(&self) -> PageCopy {
        PageCopy {
            path: self.path.clone(),
            url: self.url.clone(),
            language: self.language.clone().unwrap_or_default(),
            version: self.version.clone(),
        }
    }
}

/// True if two pages are one.
fn is_same(
    documents: &[Document],
    shingles: &[HashSet<u64, RandomState>],
    (a, b): (usize, usize),
    is_named: bool,
    own_language: &str,
) -> bool {
    let (x, y) = (&documents[a], &documents[b]);
    if members::are_apart(x, y) || are_apart_in_language(x, y, own_language) {
        return false;
    }
    let is_other_version = x.version != y.version;
    let least = if is_other_version {
        SAME_VERSION
    } else if x.language != y.language {
        UNTRANSLATED
    } else if is_named {
        SAME_BY_OWN_WORD
    } else {
        SAME
    };
    let (small, large) = match shingles[a].len() <= shingles[b].len() {
        true => (&shingles[a], &shingles[b]),
        false => (&shingles[b], &shingles[a]),
    };
    if small.len() < MIN_WORDS {
        return small == large && x.sections == y.sections;
    }
    if (small.len() as f64) < large.len() as f64 * least {
        return false;
    }
    let common = small.intersection(large).count();
    common as f64 >= (small.len() + large.len() - common) as f64 * least
}

/// True for pages in two languages that are not an untranslated page and its original in the site's own: in a third language
/// neither stands for the other, and a page whose title was translated is found by that.
fn are_apart_in_language(x: &Document, y: &Document, own: &str) -> bool {
    let (Some(a), Some(b)) = (&x.language, &y.language) else {
        return false;
    };
    a != b && (x.title != y.title || (a != own && b != own))
}

/// True for the index of a folder that shows a page in it, where each calls itself its own: the page stands for both.
/// The home page of a site, a language or a version stands for itself.
fn repeats_first(index: &Document, page: &Document, addresses: &Addresses) -> bool {
    let Some(folder) = index.path.strip_suffix("/index.html") else {
        return false;
    };
    let is_home = !folder.contains('/') && super::codes::is_code(&folder.to_ascii_lowercase())
        || super::versions::is_version(folder.rsplit('/').next().unwrap_or(folder));
    let below = page.path.strip_prefix(folder);
    let is_below = below.is_some_and(|rest| rest.starts_with('/') && rest != "/index.html");
    !is_home && is_below && is_its_own(index, addresses) && is_its_own(page, addresses)
}

/// True for pages of one name in parts of a reference, each its own canonical.
fn are_in_parts(a: &Document, b: &Document, addresses: &Addresses) -> bool {
    members::are_in_parts(a, b) && is_its_own(a, addresses) && is_its_own(b, addresses)
}

/// True for a page that names itself as canonical.
fn is_its_own(document: &Document, addresses: &Addresses) -> bool {
    addresses.page_of(&document.facts.canonical) == Some(document.path.as_str())
}

/// A sort key: of several copies the page with the smallest is shown.
fn rank<'d>(
    document: &'d Document,
    addresses: &Addresses,
    defaults: &Defaults,
) -> (
    bool,
    bool,
    bool,
    bool,
    std::cmp::Reverse<u32>,
    usize,
    usize,
    &'d str,
) {
    let language = document.language.as_deref().unwrap_or_default();
    // A page without a version is found beside those of any.
    let is_hidden = !document.version.is_empty() && document.version != defaults.version;
    let canonical = addresses.page_of(&document.facts.canonical);
    let is_copy_by_own_word = canonical.is_some_and(|path| path != document.path);
    (
        language != defaults.language,
        is_hidden,
        is_copy_by_own_word,
        document.damping > 0.0,
        std::cmp::Reverse(addresses.links_to(&document.path)),
        document.path.matches('/').count(),
        document.path.len(),
        document.path.as_str(),
    )
}

/// Hashes of all runs of words, with the title's.
fn shingles(document: &Document) -> HashSet<u64, RandomState> {
    let mut words: Vec<&str> = Vec::new();
    for section in &document.sections {
        words.extend(section.heading.split_whitespace());
        words.extend(section.text.split_whitespace());
    }
    let hash = |words: &[&str]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    if words.len() < SHINGLE {
        return HashSet::from_iter([hash(&words)]);
    }
    words.windows(SHINGLE).map(hash).collect()
}

/// The smallest hash of each of [`MINIMA`] parts of the hashes: pages that resemble each other share most.
fn sketch(shingles: &HashSet<u64, RandomState>) -> [u64; MINIMA] {
    let mut minima = [u64::MAX; MINIMA];
    for &hash in shingles {
        let part = (hash >> 59) as usize % MINIMA;
        minima[part] = minima[part].min(hash);
    }
    minima
}

/// Pairs to compare, each once: `true` where one page names the other as canonical.
fn candidates(
    documents: &[Document],
    shingles: &[HashSet<u64, RandomState>],
    addresses: &Addresses,
) -> Vec<(usize, usize, bool)> {
    let places = super::places(documents);
    let mut pairs: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    let mut add = |a: usize, b: usize, is_named: bool| {
        if a != b && is_page(&documents[a]) && is_page(&documents[b]) {
            *pairs.entry((a.min(b), a.max(b))).or_default() |= is_named;
        }
    };
    let mut buckets: HashMap<(String, usize, u64), Vec<usize>> = HashMap::new();
    let mut twins: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, document) in documents.iter().enumerate().filter(|d| is_page(d.1)) {
        if let Some(path) = addresses.page_of(&document.facts.canonical)
            && let Some(&other) = places.get(path)
        {
            add(at, other, true);
        }
        for (_, address) in &document.facts.alternates {
            if let Some(&other) = addresses.page_of(address).and_then(|path| places.get(path)) {
                add(at, other, false);
            }
        }
        let twins = twins.entry(twin_key(document)).or_default();
        for &other in twins.iter().take(TWINS) {
            add(at, other, false);
        }
        twins.push(at);
        let sketch = sketch(&shingles[at]);
        let title = document.title.to_lowercase();
        for (n, band) in sketch.chunks(BAND).enumerate() {
            let mut hasher = DefaultHasher::new();
            band.hash(&mut hasher);
            let bucket = buckets
                .entry((title.clone(), n, hasher.finish()))
                .or_default();
            for &other in bucket.iter().take(COMPARED) {
                add(at, other, false);
            }
            bucket.push(at);
        }
    }
    pairs
        .into_iter()
        .map(|((a, b), named)| (a, b, named))
        .collect()
}

/// A key that the same page in other languages and versions shares: its path without the segments of either.
fn twin_key(document: &Document) -> String {
    let is_variant = |at: usize, segment: &str| {
        (at == 0 && super::codes::is_code(&segment.to_ascii_lowercase()))
            || (!document.version.is_empty() && segment == document.version)
    };
    let segments = document.path.split('/').enumerate();
    let kept = segments.filter(|(at, segment)| !is_variant(*at, segment));
    kept.map(|(_, segment)| segment)
        .collect::<Vec<_>>()
        .join("/")
}

mod suffixed;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::indexer::DocumentSection;

    fn text(seed: usize, words: usize) -> String {
        let words =
            (0..words).map(|n| format!("w{}", (n * n * 31 + n * seed * 17 + seed * 131) % 997));
        words.collect::<Vec<_>>().join(" ")
    }

    fn page(path: &str, title: &str, text: &str) -> Document {
        Document {
            path: path.to_owned(),
            title: title.to_owned(),
            sections: vec![DocumentSection {
                text: text.to_owned(),
                ..DocumentSection::default()
            }],
            ..Document::default()
        }
    }

    fn settled(mut documents: Vec<Document>, defaults: &Defaults) -> (Vec<Document>, Report) {
        let mut report = Report::default();
        let options = SiteOptions::default();
        let tally = super::super::Tally::default();
        let addresses =
            super::super::addresses::settle(&mut documents, &tally, &options, &mut report);
        settle(&mut documents, &options, &addresses, defaults, &mut report);
        (documents, report)
    }

    fn paths(documents: &[Document]) -> Vec<&str> {
        documents.iter().map(|d| d.path.as_str()).collect()
    }

    #[test]
    fn pages_of_one_title_and_text_are_one() {
        let body = text(1, 200);
        let nearly = body.replacen("w131", "changed", 1);
        let (left, report) = settled(
            vec![
                page("vec/struct.V.html", "Struct V", &nearly),
                page("struct.V.html", "Struct V", &body),
                page("struct.W.html", "Struct W", &body), // Another title: another thing.
                page("stub.html", "Struct V", &text(5, 200)),
            ],
            &Defaults::default(),
        );
        assert_eq!(
            paths(&left),
            ["struct.V.html", "struct.W.html", "stub.html"]
        );
        assert_eq!(
            report.pages["vec/struct.V.html"].folded_into,
            "struct.V.html"
        );
        assert_eq!(left[0].aliases, ["vec/struct.V.html"]);
        assert!(left[0].copies.is_empty());
    }

    #[test]
    fn short_pages_are_one_only_when_equal() {
        let (left, _) = settled(
            vec![
                page("a.html", "Error", "No notes."),
                page("b.html", "Error", "No notes."),
                page("c.html", "Error", "No remarks."),
            ],
            &Defaults::default(),
        );
        assert_eq!(paths(&left), ["a.html", "c.html"]);
    }

    #[test]
    fn untranslated_and_unchanged_pages_stand_behind_the_sites_own() {
        let defaults = Defaults {
            language: "en".into(),
            version: "2".into(),
        };
        let make = |path: &str, language: &str, version: &str, text: &str| Document {
            language: Some(language.to_owned()),
            version: version.to_owned(),
            ..page(path, "Page", text)
        };
        let body = text(1, 300);
        let changed = body.replacen("w131", "changed", 1);
        let (left, _) = settled(
            vec![
                make("1/a.html", "en", "1", &body),
                make("2/a.html", "en", "2", &body),
                make("0/a.html", "en", "0", &changed.replace("w1", "other")),
                make(
                    "da/2/a.html",
                    "da",
                    "2",
                    &format!("Denne side er ikke oversat. {changed}"),
                ),
                make("de/2/a.html", "de", "2", &text(77, 300)),
            ],
            &defaults,
        );
        assert_eq!(paths(&left), ["2/a.html", "0/a.html", "de/2/a.html"]);
        let copies: Vec<(&str, &str)> = left[0]
            .copies
            .iter()
            .map(|c| (c.language.as_str(), c.version.as_str()))
            .collect();
        assert_eq!(copies, [("en", "1"), ("da", "2")]);
    }

    #[test]
    fn pages_in_other_languages_stand_for_themselves() {
        let defaults = Defaults {
            language: "en".into(),
            ..Defaults::default()
        };
        let body = text(1, 300);
        let make = |path: &str, title: &str, language: &str| Document {
            language: Some(language.to_owned()),
            ..page(path, title, &body)
        };
        let documents = vec![
            make("de/print.html", "Druckereinrichtung", "de"),
            make("fr/print.html", "Configuration de l'impression", "fr"),
            make("es/print.html", "Printing", "es"),
            make("it/print.html", "Printing", "it"),
        ];
        let (left, _) = settled(documents.clone(), &defaults);
        assert_eq!(left.len(), 4, "the original is missing");
        let original = vec![make("en/print.html", "Printing", "en")];
        let (left, _) = settled([documents, original].concat(), &defaults);
        let want = ["de/print.html", "fr/print.html", "en/print.html"];
        assert_eq!(paths(&left), want);
    }

    #[test]
    fn no_page_stands_behind_one_of_a_version_that_is_not_asked_for() {
        let defaults = Defaults {
            version: "latest".into(),
            ..Defaults::default()
        };
        let body = text(1, 300);
        let page = |path: &str, version: &str| {
            let mut page = page(path, "Entities", &body);
            page.version = version.to_owned();
            page.facts.canonical = "https://x.org/samm/snapshot/entities.html".into();
            page
        };
        // The newest of its component, which has no version, and one that Antora's canonical address prefers.
        let (left, report) = settled(
            vec![
                page("samm/2.2.0/entities.html", ""),
                page("samm/2.1.0/entities.html", "2.1.0"),
                page("samm/snapshot/entities.html", "snapshot"),
            ],
            &defaults,
        );
        assert_eq!(paths(&left), ["samm/2.2.0/entities.html"]);
        let copy = &report.pages["samm/snapshot/entities.html"];
        assert_eq!(copy.folded_into, "samm/2.2.0/entities.html");
        assert_eq!(left[0].copies.len(), 2);
    }

    #[test]
    fn an_index_that_repeats_a_page_of_its_folder_gives_way_to_it() {
        let body = text(1, 200);
        let canonical = |path: &str| {
            let mut page = page(path, "virtdata", &body);
            let address = path.strip_suffix("index.html").unwrap_or(path);
            page.facts.canonical = format!("https://x.org/{address}");
            page
        };
        let kept = |folder: &str, file: &str, is_named: bool| {
            let mut pages = vec![
                canonical(&format!("{folder}index.html")),
                canonical(&format!("{folder}{file}")),
            ];
            if !is_named {
                pages
                    .iter_mut()
                    .for_each(|page| page.facts.canonical.clear());
            }
            let (left, _) = settled(pages, &Defaults::default());
            paths(&left).join(" ")
        };
        let deep = "virtdata/index.html";
        assert_eq!(
            kept("reference/apps/", deep, true),
            "reference/apps/virtdata/index.html"
        );
        assert_eq!(
            kept("reference/apps/", deep, false),
            "reference/apps/index.html"
        );
        for home in ["", "de/", "2.1/", "docs/v3/"] {
            assert_eq!(kept(home, deep, true), format!("{home}index.html"));
        }
    }

    #[test]
    fn a_page_that_names_another_needs_to_resemble_it() {
        let body = text(1, 300);
        let mut copy = page(
            "print/a.html",
            "Print A",
            &format!("{body} {}", text(9, 150)),
        );
        copy.facts.canonical = "https://x.org/a.html".into();
        let mut wrong = page("b.html", "B", &text(3, 300));
        wrong.facts.canonical = "https://x.org/a.html".into();
        let mut own = page("a.html", "A", &body);
        own.facts.canonical = "https://x.org/a.html".into();
        let (left, _) = settled(vec![copy, wrong, own], &Defaults::default());
        assert_eq!(paths(&left), ["b.html", "a.html"]);
    }

    #[test]
    fn thousands_of_pages_of_one_title_are_not_compared_with_each_other() {
        let documents: Vec<Document> = (0..3_000)
            .map(|n| page(&format!("{n}.html"), "Index", &text(n, 60)))
            .collect();
        let shingles: Vec<_> = documents.iter().map(shingles).collect();
        let addresses = Addresses::default();
        assert!(candidates(&documents, &shingles, &addresses).len() < 3_000 * COMPARED * 4);
    }
}
