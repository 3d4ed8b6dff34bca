//! Pages of another time, by their addresses: posts, notes of releases, changelogs.

/// True for the folder of a blog.
pub(super) fn is_blog_folder(segment: &str) -> bool {
    matches!(segment, "blog" | "blogs" | "news" | "posts")
}

/// A page of a blog: a post, or the first page, which lists them.
pub(super) fn is_post_path(segments: &[&str]) -> bool {
    let at = segments.iter().position(|s| matches!(*s, "blog" | "blogs"));
    let is_year =
        |s: &&str| s.len() == 4 && s.starts_with("20") && s.bytes().all(|b| b.is_ascii_digit());
    let is_dated = segments
        .windows(2)
        .any(|pair| is_blog_folder(pair[0]) && is_year(&pair[1]));
    is_dated || at.is_some_and(|at| at == 0 || (at == 1 && at + 1 < segments.len()))
}

/// The notes of one release: a page called by its version, in a folder of such.
pub(super) fn is_release(segments: &[&str]) -> bool {
    const FOLDERS: [&str; 8] = [
        "announce",
        "announcements",
        "releases",
        "release",
        "release-notes",
        "release_notes",
        "whatsnew",
        "changelog",
    ];
    let [.., folder, name] = segments else {
        return false;
    };
    let version = name
        .trim_start_matches("release")
        .trim_start_matches(['-', '_', 'v']);
    let mut parts = version.split(['.', '-', '_']);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    FOLDERS.contains(folder)
        && version.contains(['.', '-', '_'])
        && parts.next().is_some_and(is_number)
}

/// A changelog, by its name and its title together, or by a name that means nothing else.
pub(super) fn is_changelog(name: &str, title: &str) -> bool {
    let known = |text: &str| {
        let plain: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        matches!(
            plain.as_str(),
            "changelog"
                | "changelogs"
                | "changes"
                | "releasenotes"
                | "releasehistory"
                | "history"
                | "whatsnew"
        )
    };
    let only_name = name.replace(['-', '_'], "");
    only_name == "changelog" || only_name == "releasenotes" || (known(name) && known(title))
}
