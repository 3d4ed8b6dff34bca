//! What a visitor of the test corpus finds, and what they are refused.

use crate::support::{self, Opened, Script};
use knarr::Knarr;
use knarr::find::answer::result::FindResult;
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany};
use knarr::indexer::{Document, Link};
use pollster::block_on;

fn ask_with(single: bool, question: &str, options: &FindOptions) -> knarr::Result<FindResult> {
    let host = Script::of(support::corpus(Some(single)));
    let bundle = block_on(Knarr::open(&host))?;
    block_on(bundle.find(&host, question, options))
}

fn ask(question: &str) -> FindResult {
    ask_with(true, question, &FindOptions::default()).unwrap()
}

fn first(result: &FindResult) -> &str {
    result
        .resources
        .first()
        .map_or("nothing", |r| r.uri.as_str())
}

#[test]
fn an_exact_title_comes_first() {
    assert!(first(&ask("Error H027")).ends_with("errors/h027.md"));
    assert!(first(&ask("Keep clocks in step")).ends_with("guide/clocks.md"));
}

/// Two pages that fit a question alike: the one that others link to is first, and it is the second by its path.
#[test]
fn of_two_pages_alike_the_one_that_others_link_to_is_first() {
    let text = "Lower the anchor slowly and let the boat drift back.";
    let alike = |path: &str| support::page(path, path, text);
    let linking = |path: &str, to: &str| Document {
        links: vec![Link {
            path: to.into(),
            text: "more".into(),
        }],
        ..support::page(path, path, "Something else altogether.")
    };
    let pages = |to: &str| {
        vec![
            alike("a.md"),
            alike("b.md"),
            linking("c.md", to),
            linking("d.md", to),
        ]
    };
    for to in ["a.md", "b.md"] {
        let found = Opened::of(pages(to)).ask("lower the anchor", &FindOptions::default());
        let found = found.unwrap();
        assert!(first(&found).ends_with(to), "{}", first(&found));
        assert!(found.resources[0].score > found.resources[1].score);
    }
}

#[test]
fn a_page_says_in_its_first_sentences_what_it_is_about() {
    let rest = "The harbour office opens at eight in the morning. Bring the papers of the boat along. \
                The fee is due on the first day of every month, and the key is returned in autumn. ";
    let page = |path: &str, text: String| support::page(path, path, &text);
    let mentioned = format!("{rest}Some members rent out moorings to guests.");
    let about = format!("Moorings are given to members in spring. {rest}");
    let site = Opened::of([
        page("a.md", mentioned),
        page("b.md", about),
        page("c.md", rest.to_owned()),
    ]);
    let by_words = FindOptions {
        alpha: Some(0.0),
        ..FindOptions::default()
    };
    assert!(first(&site.ask("moorings", &by_words).unwrap()).ends_with("b.md"));
}

#[test]
fn an_unfinished_word_is_completed() {
    assert!(first(&ask("keep clo")).ends_with("guide/clocks.md"));
}

#[test]
fn a_wrong_letter_is_forgiven_and_reported() {
    let result = ask("instal the gatewya");
    assert!(
        first(&result).ends_with("guide/install.md"),
        "{}",
        first(&result)
    );
    assert!(
        result
            .corrections
            .contains(&["gatewya".to_owned(), "gateway".to_owned()]),
        "{:?}",
        result.corrections
    );
}

#[test]
fn a_long_question_finds_what_its_words_say() {
    let result = ask(
        "what should I do when the clock of a cheap sensor drifts by several seconds every day?",
    );
    assert!(
        first(&result).ends_with("guide/clocks.md"),
        "{}",
        first(&result)
    );
}

#[test]
fn nonsense_is_refused() {
    assert_eq!(ask("qzxv wkjhqp zzzqqy").total, 0);
}

#[test]
fn an_empty_question_is_an_error() {
    let error = ask_with(true, "   ", &FindOptions::default()).unwrap_err();
    assert_eq!(error.code(), "INVALID_ARGUMENT");
}

#[test]
fn chinese_is_found_by_bigrams() {
    assert!(
        first(&ask("网关")).contains("/zh/"),
        "{}",
        first(&ask("网关"))
    );
}

#[test]
fn a_target_is_never_left() {
    let target = "viking://resources/docs/reference";
    for single in [true, false] {
        for mode in [Mode::Quick, Mode::Thinking] {
            let options = FindOptions {
                target_uri: OneOrMany::One(target.into()),
                mode,
                ..FindOptions::default()
            };
            let result = ask_with(single, "sensor clock battery gateway", &options).unwrap();
            assert!(result.total > 0);
            assert!(
                result.resources.iter().all(|r| r.uri.starts_with(target)),
                "{:?}",
                result.resources
            );
        }
    }
    let missing = FindOptions {
        target_uri: OneOrMany::One("viking://resources/nowhere".into()),
        ..FindOptions::default()
    };
    assert_eq!(
        ask_with(true, "sensor", &missing).unwrap_err().code(),
        "NOT_FOUND"
    );
}

#[test]
fn levels_choose_directories_or_files() {
    let options = |level: u8| FindOptions {
        level: Value::from(&[level][..]),
        ..FindOptions::default()
    };
    for (level, suffix) in [(0, ".abstract.md"), (1, ".overview.md")] {
        let result = ask_with(true, "error reference", &options(level)).unwrap();
        assert!(result.total > 0);
        assert!(
            result
                .resources
                .iter()
                .all(|r| r.level == level && r.uri.ends_with(suffix))
        );
    }
    assert!(
        ask("error reference")
            .resources
            .iter()
            .all(|r| r.level == 2)
    );
}

#[test]
fn walking_and_not_walking_find_the_same_page_first() {
    for mode in [Mode::Quick, Mode::Thinking] {
        let options = FindOptions {
            mode,
            ..FindOptions::default()
        };
        let result = ask_with(true, "frozen battery", &options).unwrap();
        assert!(result.total >= 2);
        assert!(
            result
                .resources
                .windows(2)
                .all(|w| w[0].score >= w[1].score)
        );
    }
}

#[test]
fn excerpts_mark_the_words_and_sections_have_anchors() {
    let result = ask("clock drift");
    let hit = &result.resources[0];
    assert!(!hit.excerpt.highlights.is_empty());
    let units = hit.excerpt.text.encode_utf16().count() as u32;
    assert!(
        hit.excerpt
            .highlights
            .iter()
            .all(|h| h[0] < h[1] && h[1] <= units)
    );
    assert!(
        hit.sections
            .iter()
            .all(|s| s.url.contains('#') && s.uri.contains('#')),
        "{:?}",
        hit.sections
    );
}

/// The marked words of the first result's excerpt.
fn marked(result: &FindResult) -> Vec<String> {
    let excerpt = &result.resources[0].excerpt;
    let units: Vec<u16> = excerpt.text.encode_utf16().collect();
    let word = |h: &[u32; 2]| String::from_utf16_lossy(&units[h[0] as usize..h[1] as usize]);
    excerpt.highlights.iter().map(word).collect()
}

#[test]
fn function_words_are_marked_only_where_there_are_no_others() {
    let words = marked(&ask("what do the clocks of a sensor do"));
    assert!(words.iter().any(|w| w.contains("clock")), "{words:?}");
    let is_silent = |w: &String| ["what", "do", "the", "of", "a"].contains(&w.as_str());
    assert!(!words.iter().any(is_silent), "{words:?}");
    let alone = marked(&ask("what the "));
    assert!(
        alone.iter().any(|w| w.eq_ignore_ascii_case("the")),
        "{alone:?}"
    );
}

#[test]
fn an_excerpt_has_the_length_that_is_asked_for() {
    let length = |excerpt_length| {
        let options = FindOptions {
            excerpt_length,
            ..FindOptions::default()
        };
        let result = ask_with(true, "clock drift", &options).unwrap();
        result.resources[0].excerpt.text.chars().count()
    };
    let [short, usual] = [60, 180].map(length);
    assert!(short <= 66 && short < usual, "{short} {usual}");
}

#[test]
fn a_query_vector_must_fit_the_bundle() {
    let options = FindOptions {
        vector: Some(vec![1.0; 3]),
        ..FindOptions::default()
    };
    assert_eq!(
        ask_with(true, "sensor", &options).unwrap_err().code(),
        "INVALID_ARGUMENT"
    );
    let options = FindOptions {
        vector: Some(vec![f32::NAN; 64]),
        ..FindOptions::default()
    };
    assert_eq!(
        ask_with(true, "sensor", &options).unwrap_err().code(),
        "INVALID_ARGUMENT"
    );
    let options = FindOptions {
        vector: Some(vec![1.0; 64]),
        alpha: Some(1.0),
        ..FindOptions::default()
    };
    assert!(ask_with(true, "sensor", &options).unwrap().total > 0);
}

/// A section of a page, with words around it that all pages share.
fn section(heading: &str, text: &str) -> knarr::indexer::DocumentSection {
    knarr::indexer::DocumentSection {
        heading: heading.into(),
        anchor: heading.to_lowercase().replace(' ', "-"),
        level: 2,
        text: text.into(),
        weight: 1.0,
        ..Default::default()
    }
}

/// The page with a chapter about the question comes before pages of the same length that mention it as often.
#[test]
fn a_chapter_about_it_comes_before_mentions() {
    for (name, question) in [
        ("relay", "relay"),
        ("flashing a relay", "flashing a relay"),
        ("--relay", "--relay"),
    ] {
        let mention = format!("Before the night a {name} is due, and a {name} more.");
        let page = |path: &str, headings: [&str; 3]| knarr::indexer::Document {
            sections: [0, 1, 2]
                .map(|i| {
                    section(
                        headings[i],
                        if i == 1 {
                            &mention
                        } else {
                            "Mind the tide and the wind."
                        },
                    )
                })
                .into(),
            ..crate::support::page(path, path, "")
        };
        let pages = vec![
            page("a", ["Tides", "Nights", "Winds"]),
            page("b", ["Tides", "Nights", "Winds"]),
            page("chapter", ["Tides", name, "Winds"]),
            page("d", ["Tides", "Nights", "Winds"]),
        ];
        let host = crate::support::served(pages, "", "");
        let bundle = pollster::block_on(knarr::Knarr::open(&host)).unwrap();
        let options = knarr::find::ask::options::FindOptions {
            prefix: false,
            ..Default::default()
        };
        let found = pollster::block_on(bundle.find(&host, question, &options)).unwrap();
        assert_eq!(found.resources[0].url, "chapter", "{question}");
        assert_eq!(found.resources[0].sections[0].title, name);
    }
}

/// Two pages with the same words as often; one comes back to the subject in its second section. That counts for a sentence,
/// and not for three words, which are a name or a topic.
#[test]
fn a_page_that_comes_back_to_the_subject_is_first_for_a_sentence() {
    let page = |path: &str, evening: &str, morning: &str| Document {
        sections: vec![section("Evening", evening), section("Morning", morning)],
        ..support::page(path, "Notes", "")
    };
    let (boat, again) = (
        "Moor the boat at the harbour wall.",
        "Moor at the harbour wall.",
    );
    let pages = vec![
        page("a.md", &format!("{boat} {again}"), "Sails dry in wind."),
        page("b.md", boat, &format!("{again} Sails dry in wind.")),
        support::page("c.md", "Weather", "Fog and wind over the sound."),
    ];
    let opened = Opened::of(pages);
    let scores = |question: &str| {
        let options = FindOptions {
            alpha: Some(0.0),
            ..FindOptions::default()
        };
        let found = opened.ask(question, &options).unwrap();
        ["a.md", "b.md"].map(|path| {
            let row = found.resources.iter().find(|row| row.uri.ends_with(path));
            row.expect("it has the words").score
        })
    };
    let [once, again] = scores("moor harbour wall");
    assert_eq!(once, again);
    let [once, again] = scores("where do I moor the boat at the harbour wall");
    assert!(again > once, "{again} {once}");
}

/// Of the sections of a page, the one whose heading is the question leads, wherever it stands and however often the
/// others say it.
#[test]
fn the_section_called_as_the_question_leads() {
    let often = "Calibrating drift: the drift of calibrating, calibrating drift again.";
    for place in 0..3 {
        let mut sections = vec![
            section("Overview", often),
            section("More on calibrating and drift", often),
        ];
        sections.insert(place, section("Calibrating drift", "Once a year."));
        let page = knarr::indexer::Document {
            sections,
            ..crate::support::page("a", "Sensors", "")
        };
        let host = crate::support::served(vec![page], "", "");
        let bundle = pollster::block_on(knarr::Knarr::open(&host)).unwrap();
        let found =
            pollster::block_on(bundle.find(&host, "calibrating drift", &Default::default()))
                .unwrap();
        let shown = &found.resources[0].sections;
        assert_eq!(shown[0].anchor, "calibrating-drift", "at place {place}");
        assert!(shown.windows(2).all(|s| s[0].score >= s[1].score));
    }
}

#[test]
fn relevance_is_comparable_between_questions() {
    let best = |question: &str| {
        let result = ask(question);
        let first = &result.resources[0];
        assert!((0.0..=1.0).contains(&first.relevance), "{question}");
        assert_eq!(first.weak, result.weak, "{question}");
        (first.relevance, result.weak)
    };
    let own = [
        "Error H027",
        "Keep clocks in step",
        "instal the gatewya",
        "what should I do when the clock of a cheap sensor drifts",
        "keep clo",
    ];
    let other = [
        "who won the football match in the park yesterday evening",
        "the king of France and the treaty with Spain",
        "recipe for a chocolate cake with cherries and cream",
    ];
    for question in own {
        let (relevance, weak) = best(question);
        assert!(relevance > 0.3 && !weak, "{question}: {relevance}");
    }
    for question in other {
        let (relevance, weak) = best(question);
        assert!(relevance < 0.15 && weak, "{question}: {relevance}");
    }
}

#[cfg(feature = "full")]
#[test]
fn weak_is_told_of_the_ranking_whatever_page_of_it_is_shown() {
    for question in ["sensor", "recipe for a chocolate cake with cherries"] {
        let page = |offset, limit| {
            let options = FindOptions {
                offset,
                limit,
                ..FindOptions::default()
            };
            ask_with(true, question, &options).unwrap()
        };
        let all = page(0, 500);
        let rows: Vec<bool> = all.resources.iter().map(|row| row.weak).collect();
        assert_eq!(all.weak, rows.iter().all(|weak| *weak));
        assert_eq!(all.weak, question != "sensor");
        assert!(rows.ends_with(&[true]), "{question} has rows that are near");
        for (offset, limit) in [(0, 1), (0, 3), (rows.len() - 1, 1)] {
            let told = page(offset, limit);
            assert_eq!((told.total, told.weak), (limit, all.weak), "{question}");
        }
        assert!(!page(rows.len(), 10).weak, "there are no rows");
    }
}

/// A word that the site has is as important as it is, though a rarer one begins with it.
#[test]
fn a_word_that_begins_a_rarer_one_is_held_by_the_pages_that_have_it() {
    let relevance = |others: &str| {
        let of = |n: usize| {
            let text = match n {
                0..10 => "It is a plugin.",
                10 => others,
                _ => "It is a bell and no more than that, whatever else is said of it here.",
            };
            support::page(&format!("{n}.md"), &format!("Note {n}"), text)
        };
        let found = Opened::of((0..40).map(of)).ask("plugin", &FindOptions::new());
        found.unwrap().resources[0].relevance
    };
    let (alone, beside) = (relevance("It is a bell."), relevance("It is a pluginhost."));
    assert!((alone - beside).abs() < 0.001, "{alone}, {beside}");
}

#[test]
fn a_threshold_is_for_the_relevance() {
    let with = |question: &str, score_threshold| {
        let options = FindOptions {
            score_threshold: Some(score_threshold),
            ..FindOptions::default()
        };
        ask_with(true, question, &options).unwrap()
    };
    let all = ask("keep clocks in step");
    let cut = with("keep clocks in step", 0.3);
    assert!(cut.total > 0 && cut.total < all.total);
    assert!(cut.resources.iter().all(|row| row.relevance > 0.3));
    let nothing = with("recipe for a chocolate cake with cherries and cream", 0.15);
    assert_eq!((nothing.total, nothing.weak), (0, false));
}

/// On a large site a question looks at the vectors of some blocks of pages: of as many as the bundle says.
#[cfg(feature = "full")]
#[test]
fn a_question_looks_at_as_many_blocks_of_vectors_as_the_bundle_says() {
    use knarr::find::ask::options::Summary;
    use knarr::indexer::{BuildOptions, Builder};
    let scored = |probes: u32| -> usize {
        let build = BuildOptions {
            probes: Some(probes),
            general_words: Some(0),
            ..BuildOptions::default()
        };
        let mut builder = Builder::new(build).unwrap();
        for i in 0..200 {
            let part = ["gateway", "buoy", "tide", "chart"][i / 50];
            let text = format!("The {part} of station {} is number {i}.", i % 41);
            let page = support::page(&format!("{part}-{i}.md"), &format!("Part {i}"), &text);
            builder.add(page).unwrap();
        }
        let (host, bundle) = support::opened(builder);
        let options = FindOptions {
            mode: Mode::Quick,
            limit: 1,
            telemetry: Summary(true),
            ..FindOptions::default()
        };
        let found = block_on(bundle.find(&host, "number 7", &options)).unwrap();
        found.telemetry.unwrap().scored
    };
    let (all, some) = (scored(0), [scored(1), scored(3), scored(9)]);
    assert!(some.is_sorted_by(|a, b| a < b), "{some:?}");
    assert_eq!(some[2], all, "there are fewer than nine blocks");
}
