//! Places of documents in a bundle, and the addresses of their pages.

use super::document::Document;
use super::input::is_page;
use super::options::BuildOptions;
use super::own_address::is_whole;
use super::prepare::Prepared;
use super::supplied::Supplied;
use crate::base::uri::{encode_name, url_path};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Path below `viking://` of an input path, names as they stand in URIs.
pub(super) fn mounted(path: &str, options: &BuildOptions) -> String {
    for (prefix, uri) in &options.mounts {
        let prefix = prefix.trim_matches('/');
        let rest = path
            .strip_prefix(prefix)
            .filter(|r| prefix.is_empty() || r.starts_with('/'));
        if let Some(rest) = rest {
            let target = uri.trim_start_matches("viking://").trim_matches('/');
            let rest = encoded(rest.trim_start_matches('/'));
            return match target {
                "" => rest,
                _ => format!("{target}/{rest}"),
            };
        }
    }
    format!("resources/{}/{}", encode_name(&options.name), encoded(path))
}

/// Paths below `viking://` of documents, in their order; `described` are the directories that somebody wrote texts for.
///
/// A folder that holds its index and nothing else is one page: `guide/start/index.html` is the file `guide/start.html`.
/// Otherwise every page would bring the head a directory, and the walk two vectors. On small sites they are few, and
/// answers a little better for them. A file that is kept as it is stays where it is.
pub(super) fn places(
    documents: &[Prepared],
    described: &BTreeMap<String, Supplied>,
    options: &BuildOptions,
) -> Vec<String> {
    let own = documents.iter().map(|d| mounted(&d.path, options));
    let own: Vec<String> = own.collect();
    if options.keeps_folders(own.len()) {
        return own;
    }
    let mut below: HashMap<&str, usize> = HashMap::new();
    for place in &own {
        for (end, _) in place.match_indices('/') {
            *below.entry(&place[..end]).or_default() += 1;
        }
    }
    let taken: HashSet<&str> = own.iter().map(String::as_str).collect();
    let is_described = |folder: &str| {
        let inside = format!("{folder}/");
        let mut next = described.range(inside.clone()..);
        described.contains_key(folder) || next.next().is_some_and(|d| d.0.starts_with(&inside))
    };
    let folded = |(document, place): (&Prepared, &String)| {
        let path = document.path.as_str();
        let (folder, name) = path.rsplit_once('/')?;
        let (place, _) = place.rsplit_once('/')?;
        let is_foldable = document.kept.is_empty() && is_page(path);
        let extension = name.strip_prefix("index.").filter(|_| is_foldable)?;
        let is_mount = |(prefix, _): &(String, String)| prefix.trim_matches('/') == folder;
        let page = format!("{place}.{extension}");
        let is_alone = below.get(place) == Some(&1) && !options.mounts.iter().any(is_mount);
        let is_free = !taken.contains(page.as_str()) && !below.contains_key(page.as_str());
        (is_alone && is_free && !is_described(place)).then_some(page)
    };
    let all = documents.iter().zip(&own);
    all.map(|at| folded(at).unwrap_or_else(|| at.1.clone()))
        .collect()
}

/// Path below `viking://` of a directory of the input; the input folder itself has an empty path.
pub(super) fn mounted_directory(path: &str, options: &BuildOptions) -> String {
    let mounts = options.mounts.iter();
    let mut at_mount = mounts
        .filter(|(prefix, _)| prefix.trim_matches('/') == path)
        .map(|(_, uri)| uri.trim_start_matches("viking://").to_owned());
    let below = at_mount.next().unwrap_or_else(|| mounted(path, options));
    below.trim_matches('/').to_owned()
}

/// Path below `viking://` of the input folder. Where all that it holds was put elsewhere, it is the innermost directory
/// that has it all: an empty one would be found, and lead nowhere.
pub(super) fn input_folder(documents: &[Document], options: &BuildOptions) -> String {
    let own = mounted_directory("", options);
    let places = documents.iter().map(|d| mounted(&d.path, options));
    let places: Vec<String> = places.collect();
    let is_below = |place: &String, folder: &str| {
        let rest = place.strip_prefix(folder);
        folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let [first, ..] = &places[..] else { return own };
    if places.iter().any(|place| is_below(place, &own)) {
        return own;
    }
    let mut common = first.as_str();
    while !places.iter().all(|place| is_below(place, common)) {
        common = common.rsplit_once('/').map_or("", |(folder, _)| folder);
    }
    common.to_owned()
}

/// A path of names as a path of segments.
fn encoded(path: &str) -> String {
    let segments: Vec<String> = path.split('/').map(encode_name).collect();
    segments.join("/")
}

/// Address of a page for a browser: its own, or its path, below the base.
pub(super) fn address(url: &str, path: &str, options: &BuildOptions) -> String {
    match url {
        "" => [options.base_url.as_str(), &url_path(&encoded(path))].concat(),
        // The site's root, which the base is the address of.
        "./" if !options.base_url.is_empty() => options.base_url.clone(),
        url if is_whole(url) => url.to_owned(),
        url if options.base_url.is_empty() && is_script(url) => ["./", url].concat(),
        url => [options.base_url.as_str(), url].concat(),
    }
}

/// True for an address that is a script or a page of its own to a browser, which passes over white space in it.
fn is_script(url: &str) -> bool {
    let letters = url
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control());
    let letters: String = letters.take(11).collect::<String>().to_lowercase();
    let mut schemes = ["javascript:", "vbscript:", "data:"].iter();
    schemes.any(|scheme| letters.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_a_script() {
        let options = BuildOptions::default();
        for url in [
            "javascript:alert(1)",
            " JavaScript:x",
            "java\tscript:x",
            "data:text/html,x",
        ] {
            assert_eq!(address(url, "a", &options), format!("./{url}"));
        }
        for url in ["note:1", "a/javascript:x", "https://example.org/a"] {
            assert_eq!(address(url, "a", &options), url);
        }
    }

    #[test]
    fn a_folder_of_its_index_alone_is_one_page() {
        let paths = [
            "index.html",
            "a/index.html",
            "a/one/index.html",
            "a/v1.2/index.md",
            "a/both/index.html",
            "a/both.html",
            "a/two/index.html",
            "a/two/more.html",
            "a/said/index.html",
            "a/data/index.json",
            "m/index.html",
            "a/kept/index.html",
        ];
        let document = |path: &str| Prepared {
            path: path.into(),
            kept: vec![0; usize::from(path.contains("kept"))],
            ..Prepared::default()
        };
        let options = BuildOptions {
            name: "s".into(),
            probes: Some(8),
            mounts: vec![("m".into(), "viking://resources/other".into())],
            ..BuildOptions::default()
        };
        let described = BTreeMap::from([("resources/s/a/said".to_owned(), Supplied::default())]);
        let expected = [
            "s/index.html",
            "s/a/index.html",
            "s/a/one.html",
            "s/a/v1.2.md",
            "s/a/both/index.html",
            "s/a/both.html",
            "s/a/two/index.html",
            "s/a/two/more.html",
            "s/a/said/index.html",
            "s/a/data/index.json",
            "other/index.html",
            "s/a/kept/index.html",
        ];
        let expected = expected.map(|place| format!("resources/{place}"));
        assert_eq!(places(&paths.map(document), &described, &options), expected);

        let folders = |n: usize| {
            let paths = (0..n).map(|at| document(&format!("p{at}/index.html")));
            let all: Vec<Prepared> = paths.collect();
            let places = places(&all, &BTreeMap::new(), &BuildOptions::default());
            places.iter().filter(|p| p.ends_with("/index.html")).count()
        };
        assert_eq!((folders(500), folders(501)), (500, 0));
    }
}
