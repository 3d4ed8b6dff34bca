//! Files at the root of a site that speak of all its pages: sitemaps, and the list of versions.

use super::super::facts;
use super::super::slugs::Anchors;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Bytes of a file about a site that are read: a sitemap has at most 50 MB, and its first addresses tell the same.
const MAX_SITE_FILE_BYTES: u64 = 8 * 1024 * 1024;
/// Sitemaps of a site that are read.
const MAX_SITEMAPS: usize = 8;

/// Reads what files at the root of a site say of it: the addresses in its sitemaps, and the versions in mike's
/// `versions.json` with their other names; of Docusaurus' sources, that the pages of no version are the newest. What is
/// missing or something else says nothing.
pub fn site_files(root: &Path) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let read = |name: &str| -> Option<String> {
        let path = root.join(name);
        // Never a device or a pipe, and no link out of the input.
        if !fs::symlink_metadata(&path).ok()?.is_file() {
            return None;
        }
        let mut text = String::new();
        let file = fs::File::open(path).ok()?;
        let mut file = file.take(MAX_SITE_FILE_BYTES);
        file.read_to_string(&mut text).ok().map(|_| text)
    };
    let mut names: Vec<String> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("sitemap") && name.ends_with(".xml"))
        .collect();
    names.sort();
    let sitemaps = names
        .iter()
        .take(MAX_SITEMAPS)
        .filter_map(|name| read(name));
    let addresses = sitemaps
        .flat_map(|text| facts::sitemap_addresses(&text))
        .collect();
    let mut versions = versions(&read("versions.json").unwrap_or_default());
    let configs = ["js", "ts", "mjs", "cjs", "mts"].map(|end| ["docusaurus.config.", end].concat());
    let configs = configs.iter().filter_map(|name| read(name));
    if configs.into_iter().any(|text| is_current_last(&text)) {
        versions.push(("current".to_owned(), vec!["latest".to_owned()]));
    }
    (addresses, versions)
}

/// True for a configuration of Docusaurus with `lastVersion: "current"`.
fn is_current_last(config: &str) -> bool {
    let lines = config.lines().map(str::trim_start);
    let mut values = lines.filter_map(|line| line.strip_prefix("lastVersion:"));
    values.any(|value| {
        value
            .trim_start()
            .trim_start_matches(['"', '\'', '`'])
            .starts_with("current")
    })
}

/// Anchors of headings as the generator makes them whose sources these are: the configuration of VitePress lies in the
/// folder or above it, and DocC's sources lie in a folder called by its name.
pub fn anchors(root: &Path) -> Anchors {
    let Ok(root) = fs::canonicalize(root) else {
        return Anchors::GitHub;
    };
    let is_docc = |at: &Path| at.extension().is_some_and(|end| end == "docc");
    if root.ancestors().any(is_docc) {
        return Anchors::DocC;
    }
    match root.ancestors().any(|at| at.join(".vitepress").is_dir()) {
        true => Anchors::VitePress,
        false => Anchors::GitHub,
    }
}

/// The list that mike writes: `[{"version", "title", "aliases"}]`.
fn versions(text: &str) -> Vec<(String, Vec<String>)> {
    #[derive(serde::Deserialize)]
    struct Version {
        version: String,
        #[serde(default)]
        aliases: Vec<String>,
    }
    let list: Vec<Version> = serde_json::from_str(text).unwrap_or_default();
    list.into_iter().map(|v| (v.version, v.aliases)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_of_docusaurus_says_which_version_is_the_newest() {
        assert!(is_current_last("docs: {\n  lastVersion: 'current',\n}"));
        assert!(!is_current_last(
            "// lastVersion: 'current'\nlastVersion: '2',\n"
        ));
    }
}
