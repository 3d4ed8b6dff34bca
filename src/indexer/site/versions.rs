//! The version that each page is about, and the one that visitors mean who name none.
//!
//! A version is what the page's metadata call so, else the folder that mirrors another version's. Several products on
//! one site have versions of their own; the one with the most pages is the site's.

use super::super::document::Document;
use super::docusaurus::Docusaurus;
use super::report::Report;
use super::{SiteOptions, is_page};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Share of a folder's pages that must have a twin in another version for the folder to be a version.
const MIRRORED: f64 = 0.3;
/// Share of the site's pages that folders of versions hold which have no first page of their own. Smaller ones are parts of
/// what they name: C++ has namespaces called `v1` and `v2`.
const OF_SITE: f64 = 0.1;
/// Folders that are looked at: a version stands near the top.
const MAX_DEPTH: usize = 3;
/// Name of pages outside of the folders of versions that mirror them.
const LATEST: &str = "latest";

/// Gives every page its version and returns the newest stable one; empty when the site has one only.
pub(super) fn settle(
    documents: &mut [Document],
    options: &SiteOptions,
    report: &mut Report,
) -> String {
    let mut lines = lines_of(documents, options);
    // What has one version needs no name for it, and belongs to every version of the rest.
    lines.retain(|_, line| line.labels.len() > 1);
    let size = |line: &Line| line.labels.values().map(Vec::len).sum::<usize>();
    let site = lines
        .iter()
        .max_by_key(|(name, line)| (size(line), std::cmp::Reverse(*name)));
    let Some(site) = site.map(|(name, _)| name.clone()) else {
        return String::new();
    };
    let mut newest_of_site = String::new();
    for (name, line) in &lines {
        let newest = newest(line, options);
        for (label, members) in &line.labels {
            for &at in members {
                let document = &mut documents[at];
                let is_others_newest = *name != site && *label == newest;
                if !is_others_newest {
                    document.version.clone_from(label);
                    report.of(&document.path).version_by = line.by.into();
                }
            }
        }
        if *name == site {
            newest_of_site = newest;
        }
    }
    newest_of_site
}

/// Versions of one product, with the documents of each.
#[derive(Default)]
struct Line {
    labels: BTreeMap<String, Vec<usize>>,
    by: &'static str,
}

fn lines_of(documents: &[Document], options: &SiteOptions) -> BTreeMap<String, Line> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    let mut put = |name: String, by, label: String, at| {
        let line = lines.entry(name).or_default();
        line.by = by;
        line.labels.entry(label).or_default().push(at);
    };
    let folders = version_folders(documents, options);
    let docusaurus = Docusaurus::of(documents);
    for (at, document) in documents.iter().enumerate() {
        let named = document
            .facts
            .version
            .split(',')
            .next()
            .unwrap_or("")
            .trim();
        if is_page(document) && !named.is_empty() {
            let tag = document.facts.version_line.as_str();
            let line = tag.strip_suffix(named).unwrap_or("").trim_end_matches('-');
            put(format!("page {line}"), "page", named.to_owned(), at);
        } else if let Some((folder, label)) = docusaurus.version_of(&document.path) {
            put(format!("docusaurus {folder}"), "path", label, at);
        } else if let Some((parent, label)) = folder_version(&document.path, &folders) {
            put(format!("path {parent}"), "path", label, at);
        }
    }
    lines
}

/// Folders that hold versions: their parent, and the names of the versions; an empty name stands for what lies beside
/// the folders and is mirrored by them.
type Folders = BTreeMap<String, BTreeSet<String>>;

fn folder_version(path: &str, folders: &Folders) -> Option<(String, String)> {
    for (parent, names) in folders {
        let Some(rest) = below(path, parent) else {
            continue;
        };
        let first = rest.split_once('/').map(|(first, _)| first);
        return match first.filter(|first| names.contains(*first)) {
            Some(first) => Some((parent.clone(), first.to_owned())),
            None if names.contains("") => Some((parent.clone(), LATEST.to_owned())),
            None => continue,
        };
    }
    None
}

/// Folders whose names can be versions, and that mirror one another or are declared as versions.
fn version_folders(documents: &[Document], options: &SiteOptions) -> Folders {
    let declared: HashSet<&str> = options
        .versions
        .iter()
        .flat_map(|(name, aliases)| aliases.iter().chain([name]))
        .map(String::as_str)
        .collect();
    let mut folders = Folders::new();
    for (parent, versions) in &named_like_versions(documents, &declared) {
        let (beside, from_root) = beside(documents, parent, versions);
        let is_declared = |name: &str| parent.is_empty() && declared.contains(name);
        let mut names: BTreeSet<String> = versions
            .iter()
            .filter(|(name, own)| {
                let others = versions.iter().filter(|(other, _)| other != name);
                let mut sets = others.map(|(_, set)| set).chain([&beside]);
                is_declared(name) || sets.any(|other| mirrors(own, other))
            })
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let mut mirrored = names.iter().map(|name| &versions[name.as_str()]);
        if mirrored.any(|own| mirrors(own, &beside) || mirrors(own, &from_root)) {
            names.insert(String::new());
        }
        let of_component = names_of_component(documents, parent, versions);
        let is_component = !of_component.is_empty();
        if is_component && !beside.is_empty() {
            names.insert(String::new());
        }
        names.extend(of_component);
        let is_entered = |name: &String| {
            let own = versions.get(name.as_str());
            own.is_none_or(|paths| paths.iter().any(|path| path.starts_with("index.")))
        };
        let n_inside = || -> usize { versions.values().map(HashSet::len).sum() };
        let is_line = is_component
            || versions.keys().any(|name| is_declared(name))
            || names.iter().all(is_entered)
            || n_inside() as f64 >= documents.len() as f64 * OF_SITE;
        if names.len() > 1 && is_line {
            folders.insert(parent.clone(), names);
        }
    }
    folders
}

/// Pages that lie in a folder beside its versions: their paths below the folder, and from the site's root, for versions
/// that are copies of the whole site (Mongoose has `docs/8.x/docs/guide.html` for `docs/guide.html`).
fn beside<'a>(
    documents: &'a [Document],
    parent: &str,
    versions: &Below<'_>,
) -> (HashSet<&'a str>, HashSet<&'a str>) {
    let inside = documents.iter().filter_map(|d| {
        let rest = below(&d.path, parent)?;
        let first = rest.split('/').next().unwrap_or("");
        (!versions.contains_key(first)).then_some((rest, d.path.as_str()))
    });
    inside.unzip()
}

/// The part of a path below a folder; `None` outside of it.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    match folder {
        "" => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

/// The numbers of an Antora component's versions, which lie in its folder whether they have pages in common or not; empty
/// for other folders. What lies beside them is the version that Antora writes without a folder.
fn names_of_component(
    documents: &[Document],
    parent: &str,
    versions: &Below<'_>,
) -> BTreeSet<String> {
    let pages = documents.iter().filter(|d| is_page(d));
    let mut inside = pages.filter(|d| below(&d.path, parent).is_some());
    let is_antora = |d: &Document| d.facts.generator.starts_with("Antora");
    if parent.is_empty() || parent.contains('/') || !inside.all(is_antora) {
        return BTreeSet::new();
    }
    let names = versions.keys().filter(|name| numbers(name).is_some());
    names.map(|name| (*name).to_owned()).collect()
}

/// Paths below the folders of one parent, by the folder's name.
type Below<'a> = BTreeMap<&'a str, HashSet<&'a str>>;

/// The first folder of each path that is named like a version, by its parent.
fn named_like_versions<'a>(
    documents: &'a [Document],
    declared: &HashSet<&str>,
) -> BTreeMap<String, Below<'a>> {
    let mut found: BTreeMap<String, Below<'_>> = BTreeMap::new();
    for document in documents {
        let mut start = 0;
        for (depth, (at, _)) in document.path.match_indices('/').enumerate() {
            let segment = &document.path[start..at];
            if depth >= MAX_DEPTH {
                break;
            }
            if is_version(segment) || (depth == 0 && declared.contains(segment)) {
                let parent = document.path[..start].trim_end_matches('/').to_owned();
                let versions = found.entry(parent).or_default();
                versions
                    .entry(segment)
                    .or_default()
                    .insert(&document.path[at + 1..]);
                break;
            }
            start = at + 1;
        }
    }
    found
}

/// True if enough paths of one set are in the other.
fn mirrors(own: &HashSet<&str>, other: &HashSet<&str>) -> bool {
    let twins = own.iter().filter(|path| other.contains(**path)).count();
    // One equal name is chance: every folder has an index.
    twins > 1 && twins as f64 >= own.len().min(other.len()) as f64 * MIRRORED
}

/// True for a folder's name that can be a version: `2.1`, `v3`, `1.x`, or one of the names for what is newest.
pub(super) fn is_version(segment: &str) -> bool {
    let lower = segment.to_ascii_lowercase();
    if is_latest(&lower) || is_unstable_name(&lower) {
        return true;
    }
    let bare = lower.strip_prefix('v').unwrap_or(&lower);
    let starts = bare.starts_with(|c: char| c.is_ascii_digit());
    let is_year = bare.len() == 4 && bare == lower && bare.bytes().all(|b| b.is_ascii_digit());
    let part =
        |part: &str| !part.is_empty() && (part == "x" || part.bytes().all(|b| b.is_ascii_digit()));
    let (numbers, suffix) = match bare.find(['-', '_']) {
        Some(at) => (&bare[..at], &bare[at + 1..]),
        None => (bare, ""),
    };
    let is_small = numbers.contains('.') || lower.starts_with('v');
    starts
        && !is_year
        && is_small
        && numbers.split('.').all(part)
        && (suffix.is_empty() || is_unstable_suffix(suffix))
}

fn is_latest(label: &str) -> bool {
    matches!(label, "latest" | "stable")
}

fn is_unstable_name(label: &str) -> bool {
    matches!(
        label,
        "next"
            | "dev"
            | "devel"
            | "develop"
            | "main"
            | "master"
            | "nightly"
            | "edge"
            | "canary"
            | "unreleased"
            | "unstable"
            | "trunk"
            | "snapshot"
            | "head"
    )
}

fn is_unstable_suffix(suffix: &str) -> bool {
    [
        "alpha", "beta", "rc", "pre", "dev", "next", "snapshot", "canary", "nightly",
    ]
    .iter()
    .any(|name| suffix.starts_with(name))
}

/// The numbers of a stable version, for comparing; `None` for one that is not released.
fn numbers(label: &str) -> Option<Vec<u32>> {
    let lower = label.to_ascii_lowercase();
    let bare = lower.strip_prefix('v').unwrap_or(&lower);
    let (plain, suffix) = match bare.find(['-', '_', '+', ' ']) {
        Some(at) => (&bare[..at], &bare[at + 1..]),
        None => (bare, ""),
    };
    if is_unstable_suffix(suffix) {
        return None;
    }
    let part = |part: &str| match part {
        "x" => Some(u32::MAX),
        part => part.parse().ok(),
    };
    plain.split('.').map(part).collect()
}

/// The newest stable version of a line: the owner's word, what the site calls latest, the highest number, the largest.
fn newest(line: &Line, options: &SiteOptions) -> String {
    if let Some(version) = options
        .version
        .as_ref()
        .filter(|v| line.labels.contains_key(*v))
    {
        return version.clone();
    }
    let declared = options.versions.iter().find_map(|(name, aliases)| {
        let is_newest = aliases
            .iter()
            .any(|alias| is_latest(&alias.to_ascii_lowercase()));
        let mut names = aliases.iter().chain([name]);
        is_newest.then(|| names.find(|n| line.labels.contains_key(*n)))?
    });
    let called = || {
        line.labels
            .keys()
            .find(|label| is_latest(&label.to_ascii_lowercase()))
    };
    let highest = || {
        let stable = line
            .labels
            .keys()
            .filter_map(|label| Some((numbers(label)?, label)));
        stable.max().map(|(_, label)| label)
    };
    let largest = || {
        let sizes = line.labels.iter().map(|(label, at)| (at.len(), label));
        sizes.max().map(|(_, label)| label)
    };
    let newest = declared.or_else(called).or_else(highest).or_else(largest);
    newest.cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, version: &str, line: &str) -> Document {
        let mut document = Document {
            path: path.to_owned(),
            ..Document::default()
        };
        version.clone_into(&mut document.facts.version);
        line.clone_into(&mut document.facts.version_line);
        document
    }

    fn versions(mut documents: Vec<Document>, options: &SiteOptions) -> (String, String) {
        let newest = settle(&mut documents, options, &mut Report::default());
        let labels: Vec<String> = documents.into_iter().map(|d| d.version).collect();
        (newest, labels.join(" "))
    }

    #[test]
    fn metadata_name_versions_and_products_have_their_own() {
        let (newest, labels) = versions(
            vec![
                page("docs/a.html", "30.4", "docs-default-30.4"),
                page("docs/29.7/a.html", "29.7", "docs-default-29.7"),
                page("docs/next/a.html", "current", "docs-default-current"),
                page("docs/9.0/a.html", "9.0", "docs-default-9.0"),
                page("community/a.html", "current", "docs-community-current"),
                page("tools/a.html", "2.0", "docs-tools-2.0"),
                page("tools/1.0/a.html", "1.0", "docs-tools-1.0"),
                page("blog/a.html", "", ""),
            ],
            &SiteOptions::default(),
        );
        assert_eq!(newest, "30.4");
        assert_eq!(labels, "30.4 29.7 current 9.0   1.0 ");
    }

    #[test]
    fn components_of_antora_have_versions_of_their_own() {
        let of = |generator: &str| {
            let paths = "ame/6.0.0/a ame/6.0.0/b ame/a ame/b ame/c samm/2.1.0/x samm/2.1.0/y samm/2.2.0/x samm/2.2.0/y \
                         samm/snapshot/x samm/snapshot/y py/2.1.3/index py/2.2.0/index py/index aml/2.3.3/only";
            let pages = paths.split(' ').map(|path| {
                let mut page = page(&format!("{path}.html"), "", "");
                generator.clone_into(&mut page.facts.generator);
                page
            });
            versions(pages.collect(), &SiteOptions::default())
        };
        // The newest of each component has none, so that questions about another one's find it.
        let (newest, labels) = of("Antora 3.0.0");
        assert_eq!(newest, "2.2.0");
        let samm = "2.1.0 2.1.0 2.2.0 2.2.0 snapshot snapshot";
        assert_eq!(labels, format!("6.0.0 6.0.0    {samm} 2.1.3 2.2.0  "));
        let (_, mirrored) = of("Hugo");
        assert_eq!(mirrored, format!("6.0.0 6.0.0    {samm}    "));
    }

    #[test]
    fn copies_of_the_whole_site_are_versions_of_what_lies_beside_them() {
        let paths = "docs/a docs/b docs/7.x/docs/a docs/7.x/docs/b docs/8.x/docs/a docs/8.x/docs/b docs/unstable/docs/a docs/unstable/docs/b index";
        let pages = paths
            .split(' ')
            .map(|path| page(&format!("{path}.html"), "", ""));
        let (newest, labels) = versions(pages.collect(), &SiteOptions::default());
        assert_eq!(newest, "latest");
        assert_eq!(labels, "latest latest 7.x 7.x 8.x 8.x unstable unstable ");
    }

    #[test]
    fn folders_that_mirror_each_other_are_versions() {
        let of = |paths: &str| {
            let pages = paths.split(' ').map(|p| page(&format!("{p}.html"), "", ""));
            versions(pages.collect(), &SiteOptions::default())
        };
        assert_eq!(
            of("v1.0/a v1.0/b v1.10/a v1.10/b v1.9/a v1.9/b index"),
            ("v1.10".into(), "v1.0 v1.0 v1.10 v1.10 v1.9 v1.9 ".into())
        );
        assert_eq!(
            of("docs/a docs/b docs/1.x/a docs/1.x/b index"),
            ("latest".into(), "latest latest 1.x 1.x ".into())
        );
        assert_eq!(of("dev/a dev/b stable/a stable/b 2.0/a 2.0/b").0, "stable");
        // Namespaces of a few pages are none, unless each has a first page.
        let site: String = (0..90).map(|n| format!("p{n} ")).collect();
        let namespaces = "boost/x/v1/a boost/x/v1/b boost/x/v2/a boost/x/v2/b";
        assert_eq!(of(&[&site, namespaces].concat()).0, "");
        let entered = " boost/x/v1/index boost/x/v2/index";
        assert_eq!(of(&[&site, namespaces, entered].concat()).0, "v2");
        // Years, chapters and folders that mirror nothing are no versions.
        for paths in [
            "blog/2019/a blog/2019/b blog/2020/a blog/2020/b",
            "ch/1.1/index ch/1.2/index ch/1.3/index",
            "dev/setup user/start index",
        ] {
            assert_eq!(of(paths).0, "", "{paths}");
        }
    }

    #[test]
    fn owners_and_their_lists_decide() {
        let pages = || {
            vec![
                page("1.0/a.html", "", ""),
                page("2.0/a.html", "", ""),
                page("3.0-rc1/a.html", "", ""),
            ]
        };
        let options = SiteOptions {
            versions: vec![
                ("3.0-rc1".into(), vec![]),
                ("2.0".into(), vec!["latest".into()]),
                ("1.0".into(), vec![]),
            ],
            ..SiteOptions::default()
        };
        assert_eq!(versions(pages(), &options).0, "2.0");
        let chosen = SiteOptions {
            version: Some("1.0".into()),
            ..options
        };
        assert_eq!(versions(pages(), &chosen).0, "1.0");
    }
}
