//! Files at the root of a site that speak of all its pages: sitemaps, and the list of versions.

use super::super::facts;
use std::fs;
use std::io::Read;
use std::path::Path;

/// Bytes of a file about a site that are read: a sitemap has at most 50 MB, and its first addresses tell the same.
const MAX_SITE_FILE_BYTES: u64 = 8 * 1024 * 1024;
/// Sitemaps of a site that are read.
const MAX_SITEMAPS: usize = 8;

/// Reads what files at the root of a site say of it: the addresses in its sitemaps, and the versions in mike's
/// `versions.json` with their other names. What is missing or something else says nothing.
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
    (
        addresses,
        versions(&read("versions.json").unwrap_or_default()),
    )
}

/// True for the sources of a site of VitePress, or a folder of them: its configuration lies in the folder or above it.
pub fn is_vitepress(root: &Path) -> bool {
    let Ok(root) = fs::canonicalize(root) else {
        return false;
    };
    root.ancestors().any(|at| at.join(".vitepress").is_dir())
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
