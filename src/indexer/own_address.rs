//! The address that an author gives a page in place of the one that it has (Pagefind's metadata `url`).

use super::document::Document;
use super::links::has_scheme;

/// An address as written, made safe to follow; `None` for one that a result must not open: of another scheme than
/// `https` and `http`, with signs in which browsers see a scheme or a host, or without a path.
pub(crate) fn read(address: &str) -> Option<String> {
    let address = address.trim();
    if address.contains(|c: char| c == '\\' || c.is_control()) {
        return None;
    }
    if let Some(host) = address.strip_prefix("//") {
        return read(&["https://", host].concat());
    }
    if has_scheme(address) {
        let (scheme, rest) = address.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let has_host = rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
        let is_web = matches!(scheme.as_str(), "https" | "http") && has_host;
        return is_web.then(|| escaped(&[&scheme, "://", rest].concat()));
    }
    let has_path = !address.starts_with(['?', '#']) && !address.is_empty();
    has_path.then(|| escaped(address))
}

/// True for an address with scheme and host, before which nothing may be put.
pub(super) fn is_whole(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Gives the documents whose authors name an address that address, below `base` on its host; returns their paths. Once:
/// a document that has it keeps it.
pub(super) fn settle(documents: &mut [Document], base: &str) -> Vec<String> {
    let mut settled = Vec::new();
    for document in documents {
        let address = std::mem::take(&mut document.facts.address);
        if !address.is_empty() {
            document.url = below(&address, &document.path, base);
            settled.push(document.path.clone());
        }
    }
    settled
}

/// `address` of the page at `path`, relative to the site's root, which lies at `base` on its host.
fn below(address: &str, path: &str, base: &str) -> String {
    if is_whole(address) {
        return address.to_owned();
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (named, tail) = address.split_at(end);
    let from_host = named.starts_with('/');
    let folders = escaped(path.rsplit_once('/').map_or("", |(folders, _)| folders));
    let start = if from_host { "" } else { folders.as_str() };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    let mut n_above = 0;
    for part in named.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => n_above += usize::from(!from_host),
            ".." => {}
            part => parts.push(part),
        }
    }
    if from_host {
        let base: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
        let n_shared = base.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        n_above = base.len() - n_shared;
        parts.drain(..n_shared);
    }
    let mut url = "../".repeat(n_above) + &parts.join("/");
    if !parts.is_empty() && is_folder(named) {
        url.push('/');
    }
    // A name with a colon would be read as a scheme, and no name at all as no address.
    let is_doubtful = n_above == 0 && parts.first().is_none_or(|first| first.contains(':'));
    match is_doubtful {
        true => ["./", &url, tail].concat(),
        false => url + tail,
    }
}

/// True if the path ends with a folder's slash, or goes to one by its dots.
fn is_folder(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("" | "." | ".."))
}

/// Percent-encodes what may stand in no part of an address, and nothing that is encoded already.
fn escaped(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for byte in address.bytes() {
        match byte {
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'[' | b']' | b'_' | b'a'..=b'z' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_pages_are_read() {
        for (written, want) in [
            (" https://x.org/a b?c=d#e ", "https://x.org/a%20b?c=d#e"),
            ("HTTP://x.org", "http://x.org"),
            ("//x.org/a", "https://x.org/a"),
            ("/a/b%20c/", "/a/b%20c/"),
            ("../a.html", "../a.html"),
            ("é\"<>", "%C3%A9%22%3C%3E"),
        ] {
            assert_eq!(read(written).as_deref(), Some(want), "{written}");
        }
        for written in [
            "javascript:alert(1)",
            "JavaScript://x.org/%0aalert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "mailto:a@x.org",
            "https:evil",
            "https:///evil",
            "file:///etc/passwd",
            "/\\evil.org",
            "\\\\evil.org",
            "///evil.org",
            "",
            "#here",
            "?page=2",
        ] {
            assert_eq!(read(written), None, "{written}");
        }
    }

    #[test]
    fn addresses_are_relative_to_the_site() {
        for (address, path, base, want) in [
            ("https://x.org/a", "p.html", "/docs/", "https://x.org/a"),
            ("/docs/a/", "p.html", "/docs/", "a/"),
            ("/docs/", "p.html", "/docs/", "./"),
            ("/docs", "p.html", "/docs/", "./"),
            ("/shop/b?c#d", "p.html", "/docs/", "../shop/b?c#d"),
            ("/", "p.html", "/docs/v2/", "../../"),
            ("/../../a", "p.html", "/", "a"),
            ("b.html", "a/p.html", "/docs/", "a/b.html"),
            ("./", "a b/p.html", "/", "a%20b/"),
            ("..", "a/b/p.html", "/", "a/"),
            ("../../c", "a/p.html", "/docs/", "../c"),
            ("./x:y", "p.html", "/", "./x:y"),
            (
                "/javascript:alert(1)",
                "p.html",
                "/",
                "./javascript:alert(1)",
            ),
            ("?c", "p.html", "/", "./?c"),
        ] {
            assert_eq!(below(address, path, base), want, "{address} of {path}");
        }
    }
}
