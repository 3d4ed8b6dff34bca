//! A site's name with a version that differs from page to page: `Tides - Sea v9.9.3` beside `Sea v8.2: Ebb`.

use super::{beginnings, ends};
use crate::indexer::site::editions::is_numbered;
use std::collections::{BTreeMap, HashSet};

/// The sign for a version.
const VERSION: &str = "#";
/// Pages that say one version, on average, at least: the numbers of sections differ from page to page.
const OF_ONE_VERSION: usize = 4;

/// The names of a site, with a sign for their version.
pub(super) struct Names(HashSet<String>);

impl Names {
    /// The names with a version that `least` of the titles and more begin or end with: an older version may write its
    /// name before the title, and the newest behind it.
    pub(super) fn of<'t>(titles: impl Iterator<Item = &'t str>, least: usize) -> Self {
        let mut counts: BTreeMap<String, (usize, HashSet<String>)> = BTreeMap::new();
        for title in titles {
            let pieces = beginnings(title).into_iter().chain(ends(title));
            for piece in pieces.filter(|piece| piece.contains(|c: char| c.is_ascii_digit())) {
                if let Some(name) = name_of(&piece) {
                    let (n, versions) = counts.entry(name).or_default();
                    *n += 1;
                    versions.insert(bare(&piece).to_owned());
                }
            }
        }
        let is_common = |(n, versions): &(usize, HashSet<String>)| {
            *n >= least && *n >= versions.len() * OF_ONE_VERSION
        };
        let common = counts.into_iter().filter(|(_, count)| is_common(count));
        Self(common.map(|(name, _)| name).collect())
    }

    fn has(&self, piece: &str) -> bool {
        name_of(piece).is_some_and(|name| self.0.contains(&name))
    }

    /// The title behind the longest of the names that it begins with.
    pub(super) fn behind<'t>(&self, title: &'t str) -> Option<&'t str> {
        let pieces = self.pieces(beginnings, title);
        let longest = pieces.max_by_key(String::len)?;
        title.strip_prefix(longest.as_str())
    }

    /// The title before the longest of the names that it ends with.
    pub(super) fn before<'t>(&self, title: &'t str) -> Option<&'t str> {
        let longest = self.pieces(ends, title).max_by_key(String::len)?;
        title.strip_suffix(longest.as_str())
    }

    fn pieces(&self, of: fn(&str) -> Vec<String>, title: &str) -> impl Iterator<Item = String> {
        let pieces = if self.0.is_empty() {
            Vec::new()
        } else {
            of(title)
        };
        pieces.into_iter().filter(|piece| self.has(piece))
    }
}

/// A piece of a title without the separator around it.
fn bare(piece: &str) -> &str {
    piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '(' && c != ')')
}

/// The name with a version that a piece of a title is; `None` for one without a version, or of nothing else.
fn name_of(piece: &str) -> Option<String> {
    let mut has_version = false;
    let words = bare(piece).split(' ').map(|word| {
        let number = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_version = is_numbered(number);
        has_version |= is_version;
        match is_version {
            true => word.replace(number, VERSION),
            false => word.to_owned(),
        }
    });
    let name = words.collect::<Vec<_>>().join(" ");
    (has_version && name.contains(char::is_alphabetic)).then_some(name)
}
