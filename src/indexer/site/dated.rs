//! Pages of another time, by their addresses: posts, notes of releases, changelogs.

/// True for the section of a site that holds its posts, by the name that their metadata give it.
pub(super) fn is_section_of_posts(category: &str) -> bool {
    let category = category.to_lowercase();
    is_blog_folder(&category) || category == "post"
}

/// True for the folder of a blog.
pub(super) fn is_blog_folder(segment: &str) -> bool {
    matches!(segment, "blog" | "blogs" | "news" | "posts")
}

/// A page of a blog: a post, or the first page, which lists them.
pub(super) fn is_post_path(segments: &[&str]) -> bool {
    let at = segments.iter().position(|s| matches!(*s, "blog" | "blogs"));
    let is_dated = segments
        .windows(2)
        .any(|pair| is_blog_folder(pair[0]) && is_year(pair[1]));
    let is_of_day = segments
        .split_last()
        .is_some_and(|(_, folders)| folders.windows(3).any(is_day));
    is_dated || is_of_day || at.is_some_and(|at| at == 0 || (at == 1 && at + 1 < segments.len()))
}

/// True for the folders of a day: `2018`, `12`, `21`.
fn is_day(folders: &[&str]) -> bool {
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    let [year, month, day] = folders else {
        return false;
    };
    is_year(year)
        && [month, day].iter().all(|part| part.len() <= 2)
        && (1..=12).contains(&number(month))
        && (1..=31).contains(&number(day))
}

/// True for a year in which sites are written.
pub(super) fn is_year(segment: &str) -> bool {
    segment.len() == 4
        && (segment.starts_with("20") || segment.starts_with("199"))
        && segment.bytes().all(|b| b.is_ascii_digit())
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
    // Rails has a file for each version: `7_1_release_notes`.
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
    let only_name = name.trim_start_matches(is_number).replace(['-', '_'], "");
    only_name == "changelog" || only_name == "releasenotes" || (known(name) && known(title))
}
