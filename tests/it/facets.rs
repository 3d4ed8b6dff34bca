//! Counts of the values of tags: the option `facets`, against a dull twin.

use crate::support::{Opened as Harbour, Random};
use knarr::answers::Facet;
use knarr::find::answer::result::FindResult;
use knarr::indexer::Document;
#[cfg(feature = "full")]
use knarr::options::Condition;
use knarr::{ErrorKind, FindOptions};
use std::collections::BTreeMap;

trait Counted {
    /// `key: value count, …` for each key.
    fn counts(&self, question: &str, options: &FindOptions) -> Vec<String>;
}

impl Counted for Harbour {
    fn counts(&self, question: &str, options: &FindOptions) -> Vec<String> {
        let found = self.ask(question, options).unwrap();
        found.facets.iter().map(line).collect()
    }
}

fn line(facet: &Facet) -> String {
    let values = facet.values.iter();
    let values: Vec<String> = values.map(|v| format!("{} {}", v.value, v.count)).collect();
    format!("{}: {}", facet.key, values.join(", "))
}

fn page(title: &str, text: &str, tags: &[&str]) -> Document {
    Document {
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        ..Document::new(format!("{title}.md"), title, text)
    }
}

fn harbour() -> Harbour {
    Harbour::of([
        page(
            "ketch",
            "A boat with two masts and red sails.",
            &["Part=Boats", "rig=Ketch", "wood"],
        ),
        page(
            "yawl",
            "A boat with two masts, one of them small.",
            &["part=boats", "rig=yawl", "rig=Ketch"],
        ),
        page("dinghy", "A boat without a mast.", &["part=Boats"]),
        page("quay", "A place for a boat.", &["part=Harbour"]),
        page("crane", "It lifts twelve tons.", &["part=Harbour"]),
    ])
}

#[test]
fn pages_with_all_words_are_counted_by_value() {
    let harbour = harbour();
    let of = |keys: &[&str]| FindOptions::new().facets(keys.iter().copied());
    assert_eq!(
        harbour.counts("boat", &of(&["part"])),
        ["part: boats 3, harbour 1"]
    );
    assert_eq!(
        harbour.counts("boat masts", &of(&["Rig", " PART "])),
        ["part: boats 3", "rig: ketch 2, yawl 1"]
    );
    assert_eq!(
        harbour.counts("boats two", &of(&["*"])),
        ["part: boats 2", "rig: ketch 2, yawl 1"]
    );
    // More rows than that are shown, and fewer.
    assert_eq!(
        harbour.counts("boat", &of(&["part"]).limit(1)),
        ["part: boats 3, harbour 1"]
    );
    assert_eq!(
        harbour.counts("boat", &of(&["part"]).limit(0)),
        ["part: boats 3, harbour 1"]
    );
    assert!(harbour.counts("crane", &of(&["rig"])).is_empty());
    assert!(harbour.counts("boat", &FindOptions::new()).is_empty());
}

#[test]
fn labels_are_as_the_first_page_writes_them() {
    let harbour = harbour();
    let all = FindOptions::new().facets(["*"]);
    let facets = harbour.ask("", &all).unwrap().facets;
    let labels = facets.iter().map(|facet| {
        let values: Vec<&str> = facet.values.iter().map(|v| v.label.as_str()).collect();
        format!("{}: {}", facet.label, values.join(", "))
    });
    let labels: Vec<String> = labels.collect();
    // The tree is in the order of names: crane, dinghy, ketch, quay, yawl.
    assert_eq!(labels, ["part: Boats, Harbour", "rig: Ketch, yawl"]);
}

#[test]
fn filters_and_targets_hold_and_no_question_counts_all_pages() {
    let harbour = harbour();
    let of = |keys: &[&str]| FindOptions::new().facets(keys.iter().copied());
    assert_eq!(
        harbour.counts("", &of(&["part"])),
        ["part: boats 3, harbour 2"]
    );
    assert_eq!(
        harbour.counts("boat", &of(&["part"]).tags(["rig=Ketch"])),
        ["part: boats 2"]
    );
    assert_eq!(
        harbour.counts(" ", &of(&["*"]).tags(["part=harbour"])),
        ["part: harbour 2"]
    );
    let quay = of(&["part"]).target_uri(["viking://resources/docs/quay.md"]);
    assert_eq!(harbour.counts("boat", &quay), ["part: harbour 1"]);
    assert_eq!(
        harbour.counts("boat -mast", &of(&["part"])),
        ["part: harbour 1"]
    );
    // The core knows no order but its own.
    #[cfg(feature = "full")]
    assert_eq!(
        harbour.counts("boat", &of(&["part"]).sort("rig")),
        ["part: boats 3, harbour 1"]
    );
}

#[test]
fn what_is_no_key_is_refused_and_nothing_is_no_question_without() {
    let harbour = harbour();
    for key in ["", " ", "part=boats"] {
        let error = harbour
            .ask("boat", &FindOptions::new().facets([key]))
            .expect_err(key);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{key}");
    }
    let error = harbour.ask("", &FindOptions::new()).expect_err("no words");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn without_a_question_the_pages_that_pass_are_listed() {
    let harbour = harbour();
    let titles = |options: &FindOptions| {
        let found = harbour.ask(" ", options).unwrap();
        assert!(!found.weak && found.resources.is_sorted_by(|a, b| a.score > b.score));
        let rows = found.resources.into_iter();
        rows.map(|row| (row.title, row.relevance))
            .collect::<Vec<_>>()
    };
    let named = |names: &[&str]| {
        let rows = names.iter();
        rows.map(|name| (name.to_string(), 1.0)).collect::<Vec<_>>()
    };
    let all = FindOptions::new();
    // The tree is in the order of names.
    assert_eq!(
        titles(&all.clone().tags(["part=Boats"])),
        named(&["dinghy", "ketch", "yawl"])
    );
    assert_eq!(
        titles(&all.clone().tags(["part=Boats"]).limit(2)),
        named(&["dinghy", "ketch"])
    );
    assert_eq!(
        titles(&all.clone().facets(["part"])),
        named(&["crane", "dinghy", "ketch", "quay", "yawl"])
    );
    assert_eq!(titles(&all.clone().facets(["part"]).limit(0)), named(&[]));
    let none = all.clone().tags(["part=sails"]);
    let found = harbour.ask("", &none).unwrap();
    assert!(found.resources.is_empty() && !found.weak);
    // Signs are a question, which has no words.
    let found = harbour.ask("?!", &all.clone().tags(["wood"])).unwrap();
    assert!(found.resources.is_empty());
    #[cfg(feature = "full")]
    {
        let boats = all.clone().tags(["part=Boats"]);
        assert_eq!(titles(&boats.clone().offset(1)), named(&["ketch", "yawl"]));
        assert_eq!(
            titles(&all.clone().sort("-part")),
            named(&["crane", "quay", "dinghy", "ketch", "yawl"])
        );
        assert_eq!(titles(&boats.sort("rig")), named(&["ketch", "yawl"]));
        let rigged = all.filter(Condition::tag("rig=ketch"));
        assert_eq!(titles(&rigged), named(&["ketch", "yawl"]));
    }
}

/// Enough pages for several parts of attributes.
#[test]
fn a_large_site_is_counted_as_a_small_one() {
    let mut random = Random(0xface);
    let all: Vec<(usize, bool)> = (0..2_600)
        .map(|_| (random.below(7), random.below(6) == 0))
        .collect();
    let harbour = Harbour::of(all.iter().enumerate().map(|(at, (part, has_word))| {
        let text = format!("{} page{at}", if *has_word { "spinnaker" } else { "jib" });
        page(&format!("p{at:04}"), &text, &[&format!("part={part}")])
    }));
    let mut want: BTreeMap<usize, u32> = BTreeMap::new();
    for (part, _) in all.iter().filter(|(_, has_word)| *has_word) {
        *want.entry(*part).or_default() += 1;
    }
    let found = harbour
        .ask("", &FindOptions::new().facets(["part"]))
        .unwrap();
    let total: u32 = found.facets[0].values.iter().map(|v| v.count).sum();
    assert_eq!(total as usize, all.len());
    let found = harbour
        .ask("spinnaker", &FindOptions::new().facets(["part"]))
        .unwrap();
    let counted = found.facets[0].values.iter();
    let counted: BTreeMap<usize, u32> = counted
        .map(|v| (v.value.parse().unwrap(), v.count))
        .collect();
    assert_eq!(counted, want);
    assert!(
        found.facets[0]
            .values
            .is_sorted_by(|a, b| a.count >= b.count)
    );
    let tells = |found: &FindResult| found.skipped.iter().any(|s| s.step == "facets");
    assert!(!tells(&found));
    // Most pages have a jib: the index does not list which.
    let found = harbour
        .ask("jib", &FindOptions::new().facets(["part"]))
        .unwrap();
    assert!(found.facets.is_empty() && tells(&found));
    let found = harbour
        .ask("jib spinnaker", &FindOptions::new().facets(["part"]))
        .unwrap();
    // The core tells of such a word only where there is no other.
    assert!(!found.facets.is_empty());
    assert_eq!(tells(&found), cfg!(feature = "full"));
}
