//! Results by their directories.

use crate::support::{self, Script};
use knarr::find::answer::result::{DirectoryGroup, FindResult};
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Group};
use knarr::{Host, Knarr};
use pollster::block_on;

fn ask(host: &impl Host, question: &str, options: FindOptions) -> FindResult {
    let bundle = block_on(Knarr::open(host)).unwrap();
    block_on(bundle.find(host, question, &options)).unwrap()
}

/// The directory of a row: its own for one, else that above it.
fn directory_of(uri: &str) -> &str {
    let sidecar = [".abstract.md", ".overview.md"];
    let bare = sidecar.iter().find_map(|name| uri.strip_suffix(name));
    match bare {
        Some(bare) if bare == "viking://" => bare,
        Some(bare) => bare.trim_end_matches('/'),
        None => uri.rsplit_once('/').unwrap().0,
    }
}

#[test]
fn directories_stand_in_the_order_of_their_best_rows() {
    for single in [true, false] {
        let host = Script::of(support::corpus(Some(single)));
        for level in [&[2][..], &[0, 1, 2]] {
            let options = FindOptions {
                level: Value::from(level),
                limit: 20,
                ..FindOptions::default()
            };
            let plain = ask(&host, "install the gateway", options.clone());
            assert!(plain.groups.is_empty());
            let found = ask(
                &host,
                "install the gateway",
                options.group(Group::Directory),
            );
            // The lists are as they are without the option.
            assert_eq!(found.resources, plain.resources);
            let mut expected: Vec<(&str, Vec<&str>)> = Vec::new();
            for row in &found.resources {
                let place = directory_of(&row.uri);
                match expected.iter_mut().find(|group| group.0 == place) {
                    Some(group) => group.1.push(&row.uri),
                    None => expected.push((place, vec![&row.uri])),
                }
            }
            assert!(expected.len() > 2, "{expected:?}");
            let of = |group: &'_ DirectoryGroup| (group.uri.clone(), group.results.clone());
            let told: Vec<_> = found.groups.iter().map(of).collect();
            let owned = |(uri, rows): (&str, Vec<&str>)| {
                (uri.to_owned(), rows.into_iter().map(String::from).collect())
            };
            assert_eq!(told, expected.into_iter().map(owned).collect::<Vec<_>>());
        }
    }
}

#[test]
fn directories_come_with_their_title_and_abstract() {
    let host = Script::of(support::corpus(Some(false)));
    let options = FindOptions::default().group(Group::Directory);
    let found = ask(&host, "install the gateway", options);
    let bundle = block_on(Knarr::open(&host)).unwrap();
    assert!(!found.groups.is_empty());
    for group in &found.groups {
        let told = block_on(bundle.abstract_(&host, &group.uri)).unwrap();
        let stat = block_on(bundle.stat(&host, &group.uri)).unwrap();
        assert!(stat.is_dir, "{group:?}");
        assert_eq!((&group.abstract_, &group.title), (&told, &stat.title));
        assert!(!group.abstract_.is_empty());
    }
}

#[test]
fn a_later_page_has_the_groups_of_its_rows() {
    if !cfg!(feature = "full") {
        return;
    }
    let host = Script::of(support::corpus(Some(true)));
    let options = FindOptions {
        limit: 2,
        offset: 2,
        ..FindOptions::default()
    };
    let found = ask(
        &host,
        "install the gateway",
        options.group(Group::Directory),
    );
    let rows: Vec<&String> = found
        .groups
        .iter()
        .flat_map(|group| &group.results)
        .collect();
    assert_eq!(rows.len(), found.total);
    assert!(found.resources.iter().all(|row| rows.contains(&&row.uri)));
}

#[test]
fn a_page_called_like_the_folder_of_the_site_does_not_speak_for_it() {
    let told = |name: &str| {
        let host = support::served(
            vec![
                support::page(
                    &format!("{name}.html"),
                    "The format",
                    "A format is a way to write.",
                ),
                support::page("tides.html", "Tides", "They rise and fall twice a day."),
            ],
            "",
            "",
        );
        let bundle = block_on(Knarr::open(&host)).unwrap();
        block_on(bundle.overview(&host, "viking://resources/docs")).unwrap()
    };
    // The folder is called `docs` where nobody calls it otherwise.
    assert_eq!(told("docs").lines().next(), told("other").lines().next());
}
