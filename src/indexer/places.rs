//! Places of documents in a bundle, and the addresses of their pages.

use super::options::BuildOptions;
use crate::base::uri::{encode_name, url_path};

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

/// Path below `viking://` of a directory of the input; the input folder itself has an empty path.
pub(super) fn mounted_directory(path: &str, options: &BuildOptions) -> String {
    let mounts = options.mounts.iter();
    let mut at_mount = mounts
        .filter(|(prefix, _)| prefix.trim_matches('/') == path)
        .map(|(_, uri)| uri.trim_start_matches("viking://").to_owned());
    let below = at_mount.next().unwrap_or_else(|| mounted(path, options));
    below.trim_matches('/').to_owned()
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
        url => [options.base_url.as_str(), url].concat(),
    }
}
