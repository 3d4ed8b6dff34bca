//! Answers in sentences: verbatim, with their link, and none to a subject.

use crate::support::{self, Script};
use knarr::answers::Answer;
use knarr::{FindOptions, Knarr};
use pollster::block_on;

const QUESTION: &str =
    "what should I do when the clock of a cheap sensor drifts by several seconds every day?";

fn ask(question: &str, options: &FindOptions) -> Option<Answer> {
    let host = Script::of(support::corpus(Some(true)));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let answer = block_on(bundle.find(&host, question, options))
        .unwrap()
        .answer?;
    let page = answer.uri.split('#').next().unwrap();
    let text = block_on(bundle.read(&host, page, &Default::default())).unwrap();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one_line(&text).contains(&answer.text.text), "{answer:?}");
    Some(answer)
}

#[test]
fn an_answer_is_verbatim_and_has_its_link() {
    let answer = ask(QUESTION, &FindOptions::new().answer(Some(0.0))).expect("an answer");
    assert!(answer.text.text.ends_with(['.', '!']), "{answer:?}");
    assert!(answer.text.text.matches(". ").count() < 3, "{answer:?}");
    assert!(
        !answer.title.is_empty() && !answer.url.is_empty(),
        "{answer:?}"
    );
    assert!(!answer.text.highlights.is_empty(), "{answer:?}");
    assert!((0.0..=1.0).contains(&answer.confidence), "{answer:?}");
}

#[test]
fn an_answer_is_shown_only_on_request_and_above_the_chance_that_is_asked_for() {
    assert_eq!(ask(QUESTION, &FindOptions::new()), None);
    assert_eq!(ask(QUESTION, &FindOptions::new().answer(Some(1.0))), None);
    assert_eq!(
        ask(QUESTION, &FindOptions::new().answer(Some(0.0)).offset(10)),
        None
    );
}

#[test]
fn a_chance_that_is_none_is_refused() {
    let host = Script::of(support::corpus(Some(true)));
    let bundle = block_on(Knarr::open(&host)).unwrap();
    for chance in [2.0, -0.1, f32::NAN] {
        let options = FindOptions::new().answer(Some(chance));
        let error = block_on(bundle.find(&host, QUESTION, &options)).unwrap_err();
        assert_eq!(error.code(), "INVALID_ARGUMENT", "{chance}");
        assert!(error.message().starts_with("answer_threshold"), "{error}");
    }
}

#[test]
fn one_or_two_words_are_a_subject_and_get_no_answer() {
    for subject in ["clock", "clock drift", "what is the", "H027"] {
        assert_eq!(
            ask(subject, &FindOptions::new().answer(Some(0.0))),
            None,
            "{subject}"
        );
    }
}
