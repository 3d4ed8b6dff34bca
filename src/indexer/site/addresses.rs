//! The address that a site's own pages and links use for each page.
//!
//! In the order of their authority: the page's canonical address, the sitemap, the links to the page, how the site
//! writes other pages, what static hosts do. A canonical address that is none of the page's own forms is somebody
//! else's: of the page it copies, or of every page alike because the theme is wrong.

use super::super::document::Document;
use super::super::links::{find_target, percent_decode};
use super::super::own_address;
use super::report::Report;
use super::{SiteOptions, is_page};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The style of the addresses of pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlStyle {
    /// As the site's own pages and links write them.
    #[default]
    Auto,
    /// `guide/start.html`, `guide/index.html`: the files as they are.
    File,
    /// `guide/start.html`, `guide/`.
    Html,
    /// `guide/start`, `guide/`.
    Clean,
    /// `guide/start`, `guide`.
    Bare,
    /// `guide/start/`, `guide/`.
    Slash,
}

impl UrlStyle {
    /// All styles by name.
    pub const ALL: [(&'static str, Self); 6] = [
        ("auto", Self::Auto),
        ("file", Self::File),
        ("html", Self::Html),
        ("clean", Self::Clean),
        ("bare", Self::Bare),
        ("slash", Self::Slash),
    ];
}

/// Number of links to each address.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Below the input folder as far as a relative link says; root-relative ones begin with `/`.
    links: HashMap<String, u32>,
}

/// Distinct addresses that are counted; a site with more says the same with the first ones.
const MAX_ADDRESSES: usize = 1_000_000;

impl Tally {
    /// Counts the links of a page; takes them out of its facts.
    pub(in crate::indexer) fn add(&mut self, document: &mut Document) {
        for href in std::mem::take(&mut document.facts.hrefs) {
            let Some(address) = resolved(&document.path, &href) else {
                continue;
            };
            if self.links.len() < MAX_ADDRESSES || self.links.contains_key(&address) {
                *self.links.entry(address).or_default() += 1;
            }
        }
    }
}

impl Tally {
    /// Those of `paths` that a page links to, from its own folder or from the root of a site that lies anywhere.
    ///
    /// O(links × their segments): each link looks for its file, since a site has as many links as pages and more.
    pub(super) fn led_to<'p>(&self, paths: impl Iterator<Item = &'p str>) -> HashSet<&'p str> {
        let paths: HashSet<&str> = paths.collect();
        let mut found = HashSet::new();
        for address in self.links.keys() {
            let is_rooted = address.starts_with('/');
            let slashes = address.match_indices('/').filter(|_| is_rooted);
            let ends = slashes.map(|(at, _)| &address[at + 1..]);
            let ends = ends.chain([address.as_str()]);
            found.extend(ends.filter_map(|end| paths.get(end)));
        }
        found
    }
}

/// A link below the input folder, its spelling kept: with its extension or without, with a slash at its end or without.
fn resolved(from: &str, href: &str) -> Option<String> {
    let decoded = percent_decode(href)?;
    if decoded.starts_with('/') {
        return Some(decoded);
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in decoded.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The rules that the addresses of a site follow.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    /// Path of the site's root on its host; `/`, or with a slash at both ends.
    pub(super) base: String,
    /// Path of the page that an address below the base means.
    pages: HashMap<String, String>,
    /// Number of links to each page, by path.
    n_links: HashMap<String, u32>,
    /// Host that canonical addresses name.
    host: String,
}

impl Addresses {
    /// Path of the page that `address` means, written in full or from the site's root.
    pub(super) fn page_of(&self, address: &str) -> Option<&str> {
        let below = below_base(address, &self.base, &self.host)?;
        self.pages.get(&key(&below)).map(String::as_str)
    }

    /// The parts below the base of a sitemap's addresses; without a canonical address, of those on any host.
    fn below(&self, sitemap: &[String]) -> HashSet<String> {
        let below = |address: &String| {
            let (host, _) = split_address(address)?;
            let host = match self.host.as_str() {
                "" => host.as_str(),
                own => own,
            };
            below_base(address, &self.base, host)
        };
        sitemap.iter().filter_map(below).collect()
    }

    /// Number of pages that link to the page at `path`.
    pub(super) fn links_to(&self, path: &str) -> u32 {
        self.n_links.get(path).copied().unwrap_or(0)
    }
}

/// A spelling of the address that all forms of one page share.
fn key(below: &str) -> String {
    let bare = below.trim_matches('/');
    let bare = [".html", ".htm", ".xhtml"]
        .iter()
        .find_map(|end| bare.strip_suffix(end))
        .unwrap_or(bare);
    let bare = bare.strip_suffix("/index").unwrap_or(bare);
    if bare == "index" {
        String::new()
    } else {
        bare.to_owned()
    }
}

/// The path of an absolute or root-relative address, decoded; and its host.
fn split_address(address: &str) -> Option<(String, String)> {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let address = &address[..end];
    let (host, path) = match address.split_once("://") {
        Some((_, rest)) => match rest.find('/') {
            Some(at) => (&rest[..at], &rest[at..]),
            None => (rest, "/"),
        },
        None if address.starts_with('/') && !address.starts_with("//") => ("", address),
        None => return None,
    };
    Some((host.to_ascii_lowercase(), percent_decode(path)?))
}

fn below_base(address: &str, base: &str, host: &str) -> Option<String> {
    let (its, path) = split_address(address)?;
    if !its.is_empty() && its != host {
        return None;
    }
    if path == base.trim_end_matches('/') {
        return Some(String::new());
    }
    path.strip_prefix(base).map(str::to_owned)
}

/// The forms that the address of the file at `path` may have, with the style that each is of.
fn forms(path: &str) -> Vec<(String, UrlStyle)> {
    let stem = [".html", ".htm", ".xhtml"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path);
    let folder = if stem == "index" {
        Some("")
    } else {
        stem.strip_suffix("/index")
    };
    let mut forms = vec![(path.to_owned(), UrlStyle::File)];
    match folder {
        Some("") => forms.push((String::new(), UrlStyle::Html)),
        Some(folder) => {
            forms.push((format!("{folder}/"), UrlStyle::Html));
            forms.push((folder.to_owned(), UrlStyle::Bare));
        }
        None => {
            forms.push((stem.to_owned(), UrlStyle::Clean));
            forms.push((format!("{stem}/"), UrlStyle::Slash));
        }
    }
    forms
}

fn is_index(path: &str) -> bool {
    forms(path)
        .iter()
        .any(|(_, style)| *style == UrlStyle::Html)
}

/// The address of `path` in a style: folders and other pages are voted on apart, so `style` is one of their forms.
pub(super) fn in_style(path: &str, style: UrlStyle) -> String {
    let wanted: &[UrlStyle] = match (style, is_index(path)) {
        (UrlStyle::File, _) => &[UrlStyle::File],
        (UrlStyle::Bare, true) => &[UrlStyle::Bare, UrlStyle::Html],
        (_, true) => &[UrlStyle::Html],
        (UrlStyle::Auto | UrlStyle::Html, false) => &[UrlStyle::File],
        (UrlStyle::Clean | UrlStyle::Bare, false) => &[UrlStyle::Clean],
        (UrlStyle::Slash, false) => &[UrlStyle::Slash],
    };
    let forms = forms(path);
    let of = |style: &UrlStyle| forms.iter().find(|f| f.1 == *style);
    wanted
        .iter()
        .find_map(of)
        .map_or_else(|| path.to_owned(), |f| f.0.clone())
}

/// Gives every page of HTML its address, unless its document has one.
pub(super) fn settle(
    documents: &mut [Document],
    tally: &Tally,
    options: &SiteOptions,
    report: &mut Report,
) -> Addresses {
    let site = Addresses::of(documents, tally);
    let sitemap = site.below(&options.sitemap);
    let own: Vec<Option<OwnAddress>> = documents
        .iter()
        .map(|d| own_address(d, &site, &sitemap, tally))
        .collect();
    let common = common_styles(documents, &own);
    for path in own_address::settle(documents, &site.base) {
        report.of(&path).url_by = "author".into();
    }
    for (document, own) in documents.iter_mut().zip(own) {
        if !is_page(document) || !document.url.is_empty() {
            continue;
        }
        let common = common[usize::from(is_index(&document.path))];
        let (below, by) = match (options.url_style, own, common) {
            (UrlStyle::Auto, Some((below, _, by)), _) => (below, by),
            (UrlStyle::Auto, None, Some(style)) => (in_style(&document.path, style), "site"),
            (UrlStyle::Auto, None, None) => (in_style(&document.path, UrlStyle::Html), "host"),
            (style, ..) => (in_style(&document.path, style), "option"),
        };
        if below != document.path {
            document.url = match below.as_str() {
                "" => "./".to_owned(),
                below => encoded(below),
            };
        }
        let decision = report.of(&document.path);
        decision.url_by = by.into();
    }
    site
}

/// An address below the base, its style, and the name of where it is from.
type OwnAddress = (String, UrlStyle, &'static str);

/// The styles of most pages that name their address, of pages that are no index and of those that are: the site writes
/// the others alike.
fn common_styles(documents: &[Document], own: &[Option<OwnAddress>]) -> [Option<UrlStyle>; 2] {
    let mut votes: [BTreeMap<UrlStyle, usize>; 2] = Default::default();
    for (document, own) in documents.iter().zip(own) {
        if let Some((below, style, _)) = own
            && !below.is_empty()
        {
            *votes[usize::from(is_index(&document.path))]
                .entry(*style)
                .or_default() += 1;
        }
    }
    votes.map(|votes| {
        let most = votes
            .into_iter()
            .max_by_key(|&(style, n)| (n, std::cmp::Reverse(style)));
        most.map(|(style, _)| style)
    })
}

/// The address that the page itself, the sitemap, or the links to it name.
fn own_address(
    document: &Document,
    site: &Addresses,
    sitemap: &HashSet<String>,
    tally: &Tally,
) -> Option<OwnAddress> {
    if !is_page(document) {
        return None;
    }
    let forms = forms(&document.path);
    let named = below_base(&document.facts.canonical, &site.base, &site.host);
    if let Some((below, style)) = named.and_then(|below| forms.iter().find(|f| f.0 == below)) {
        return Some((below.clone(), *style, "canonical"));
    }
    if let Some((below, style)) = forms.iter().find(|f| sitemap.contains(&f.0)) {
        return Some((below.clone(), *style, "sitemap"));
    }
    let count = |below: &str| {
        let count = |address: &str| tally.links.get(address).copied().unwrap_or(0);
        count(below) + count(&format!("{}{below}", site.base))
    };
    let counted = forms
        .iter()
        .map(|(below, style)| (count(below), below, style));
    let (n, below, style) = counted.rev().max_by_key(|c| c.0)?;
    (n > 0).then(|| (below.clone(), *style, "links"))
}

impl Addresses {
    fn of(documents: &[Document], tally: &Tally) -> Self {
        let pages: Vec<&Document> = documents.iter().filter(|d| is_page(d)).collect();
        let (base, host) = canonical_base(&pages)
            .or_else(|| linked_base(&pages, tally).map(|base| (base, String::new())))
            .unwrap_or_else(|| ("/".to_owned(), String::new()));
        let keys = pages.iter().map(|d| (key(&d.path), d.path.clone()));
        let mut site = Self {
            base,
            pages: keys.collect(),
            n_links: HashMap::new(),
            host,
        };
        for (address, n) in &tally.links {
            let page = match address.strip_prefix('/') {
                Some(_) => site.page_of(address),
                None => site.pages.get(&key(address)).map(String::as_str),
            };
            if let Some(page) = page.map(str::to_owned) {
                *site.n_links.entry(page).or_default() += n;
            }
        }
        site
    }
}

/// The site's root on its host, by the canonical addresses of most pages.
fn canonical_base(pages: &[&Document]) -> Option<(String, String)> {
    let mut votes: BTreeMap<(String, String), usize> = BTreeMap::new();
    for document in pages {
        let Some((host, path)) = split_address(&document.facts.canonical) else {
            continue;
        };
        let mut forms = forms(&document.path);
        forms.sort_by_key(|f| std::cmp::Reverse(f.0.len()));
        let base = forms.iter().find_map(|(form, _)| {
            let base = path.strip_suffix(form.as_str())?;
            (!form.is_empty() && base.ends_with('/')).then(|| base.to_owned())
        });
        if let Some(base) = base {
            *votes.entry((base, host)).or_default() += 1;
        }
    }
    let most = votes.into_iter().max_by_key(|v| v.1)?;
    Some(most.0)
}

/// The site's root on its host, by the root-relative links that then lead to its pages.
fn linked_base(pages: &[&Document], tally: &Tally) -> Option<String> {
    let paths: HashSet<&str> = pages.iter().map(|d| d.path.as_str()).collect();
    let rooted: Vec<(&str, u32)> = tally
        .links
        .iter()
        .filter_map(|(address, &n)| Some((address.strip_prefix('/')?, n)))
        .collect();
    let leads = |base: &str| -> u64 {
        let found = rooted.iter().filter(|(address, _)| {
            let below = address.strip_prefix(base);
            below.is_some_and(|below| {
                let path = if below.is_empty() || below.ends_with('/') {
                    format!("{below}index.html")
                } else {
                    below.to_owned()
                };
                find_target(&path, |path| paths.contains(path)).is_some()
            })
        });
        found.map(|f| u64::from(f.1)).sum()
    };
    let mut bases: HashSet<String> = HashSet::from([String::new()]);
    for (address, _) in &rooted {
        for (at, _) in address.match_indices('/').take(2) {
            bases.insert(address[..=at].to_owned());
        }
    }
    let mut bases: Vec<String> = bases.into_iter().collect();
    bases.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    bases.truncate(64);
    let counted = bases.into_iter().map(|base| (leads(&base), base));
    let best = counted.rev().max_by_key(|c| c.0).filter(|c| c.0 > 0)?;
    Some(format!("/{}", best.1))
}

/// Percent-encodes what may not stand in the path of an address.
pub(super) fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*'
            | b'+' | b',' | b';' | b'=' | b':' | b'@' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, canonical: &str, hrefs: &[&str]) -> Document {
        let mut document = Document {
            path: path.to_owned(),
            ..Document::default()
        };
        canonical.clone_into(&mut document.facts.canonical);
        document.facts.hrefs = hrefs.iter().map(|h| (*h).to_owned()).collect();
        document
    }

    fn urls(mut documents: Vec<Document>, options: &SiteOptions) -> Vec<(String, String)> {
        let mut tally = Tally::default();
        documents.iter_mut().for_each(|d| tally.add(d));
        let mut report = Report::default();
        settle(&mut documents, &tally, options, &mut report);
        documents
            .iter()
            .map(|d| (d.url.clone(), report.of(&d.path).url_by.to_string()))
            .collect()
    }

    #[test]
    fn canonical_addresses_win_and_wrong_ones_do_not() {
        let found = urls(
            vec![
                page("index.html", "https://x.org/docs/", &[]),
                page("guide/index.html", "https://x.org/docs/guide", &[]),
                page("guide/start.html", "https://x.org/docs/guide/start", &[]),
                page("other/index.html", "https://x.org/docs/", &[]), // The theme names the home of every page.
                page("guide/more.html", "", &[]),
                page("a b.html", "", &[]),
            ],
            &SiteOptions::default(),
        );
        let want = [
            ("./", "canonical"),
            ("guide", "canonical"),
            ("guide/start", "canonical"),
            ("other", "site"),
            ("guide/more", "site"),
            ("a%20b", "site"),
        ];
        assert_eq!(found, want.map(|(url, by)| (url.to_owned(), by.to_owned())));
    }

    #[test]
    fn links_say_how_a_site_writes_its_addresses() {
        let clean = urls(
            vec![
                page(
                    "index.html",
                    "",
                    &["/docs/guide/start", "/docs/guide/", "/docs/"],
                ),
                page(
                    "guide/index.html",
                    "",
                    &["/docs/guide/start", "https://y.org/a.html"],
                ),
                page("guide/start.html", "", &["./"]),
                page("guide/lost.html", "", &[]),
            ],
            &SiteOptions::default(),
        );
        let want = [
            ("./", "links"),
            ("guide/", "links"),
            ("guide/start", "links"),
            ("guide/lost", "site"),
        ];
        assert_eq!(clean, want.map(|(url, by)| (url.to_owned(), by.to_owned())));
        let with_extension = urls(
            vec![
                page("index.html", "", &["a.html", "b/index.html"]),
                page("a.html", "", &[]),
                page("b/index.html", "", &["../a.html"]),
            ],
            &SiteOptions::default(),
        );
        let want = [("", "site"), ("", "links"), ("", "links")];
        assert_eq!(
            with_extension,
            want.map(|(url, by)| (url.to_owned(), by.to_owned()))
        );
    }

    #[test]
    fn sitemaps_and_options_decide_where_pages_do_not() {
        let pages = || {
            vec![
                page("index.html", "", &[]),
                page("a/index.html", "", &[]),
                page("b.html", "", &[]),
            ]
        };
        let options = SiteOptions {
            sitemap: vec![
                "https://x.org/".into(),
                "https://x.org/a/".into(),
                "https://x.org/b/".into(),
            ],
            ..SiteOptions::default()
        };
        let of = |options: &SiteOptions| {
            let found = urls(pages(), options).into_iter();
            found.map(|f| f.0).collect::<Vec<_>>()
        };
        assert_eq!(of(&options), ["./", "a/", "b/"]);
        assert_eq!(of(&SiteOptions::default()), ["./", "a/", ""]);
        let styles = [
            (UrlStyle::File, ["", "", ""]),
            (UrlStyle::Html, ["./", "a/", ""]),
            (UrlStyle::Clean, ["./", "a/", "b"]),
            (UrlStyle::Bare, ["./", "a", "b"]),
            (UrlStyle::Slash, ["./", "a/", "b/"]),
        ];
        for (url_style, want) in styles {
            let options = SiteOptions {
                url_style,
                ..SiteOptions::default()
            };
            assert_eq!(of(&options), want, "{url_style:?}");
        }
    }

    #[test]
    fn links_lead_to_files_of_a_site_that_lies_anywhere() {
        let links = ["b.html", "/docs/en/c.html", "/d.html", "en/e.html"];
        let mut tally = Tally::default();
        tally.add(&mut page("guide/index.html", "", &links));
        let paths = [
            ("guide/b.html", true),
            ("b.html", false), // Relative, so from the page's own folder.
            ("en/c.html", true),
            ("c.html", true),
            ("n/c.html", false),
            ("d.html", true),
            ("guide/en/e.html", true),
            ("e.html", false),
        ];
        let found = tally.led_to(paths.iter().map(|p| p.0));
        let said = paths.map(|(path, _)| (path, found.contains(path)));
        assert_eq!(said, paths);
    }

    #[test]
    fn an_address_leads_back_to_its_page() {
        let documents = vec![
            page("index.html", "https://x.org/docs/", &[]),
            page("guide/a b.html", "https://x.org/docs/guide/a%20b.html", &[]),
        ];
        let site = Addresses::of(&documents, &Tally::default());
        assert_eq!(
            (site.base.as_str(), site.host.as_str()),
            ("/docs/", "x.org")
        );
        assert_eq!(site.page_of("https://x.org/docs"), Some("index.html"));
        assert_eq!(site.page_of("/docs/guide/a%20b#x"), Some("guide/a b.html"));
        assert_eq!(site.page_of("https://y.org/docs/guide/a%20b"), None);
        assert_eq!(site.page_of("/elsewhere/"), None);
    }
}
