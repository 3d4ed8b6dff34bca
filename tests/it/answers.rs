//! Answers in sentences: verbatim, with their link, and none to a subject.

use crate::support::{self, Script, page, served};
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

/// The answer over a few pages on knots, at the least chance that is given.
fn ask_on_knots(question: &str, least: f32) -> Option<Answer> {
    let documents = vec![
        page(
            "bowline.html",
            "Bowline",
            "New in version 2.0: a picture. A bowline (the “king of knots”) is a knot that makes a loop at the end of a rope. It holds.",
        ),
        page(
            "settings.html",
            "Settings",
            "The default length of a mooring rope sets how long mooring ropes are by default. Bowlines and hitches are the knots of this guide.",
        ),
        page(
            "hitch.html",
            "Hitches",
            "For a quick stop, tie a clove hitch around the mooring post, e.g. The Post.\nIn a storm the longest mooring rope of the harbour is 40 m long.",
        ),
    ];
    let host = served(documents, "", "");
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let options = FindOptions::new().answer(Some(least));
    block_on(bundle.find(&host, question, &options))
        .unwrap()
        .answer
}

#[test]
fn what_something_is_has_the_sentence_that_defines_it() {
    for question in [
        "what is a bowline",
        "What is a bowline?",
        "what are bowlines",
    ] {
        let answer = ask_on_knots(question, 0.9).expect(question);
        let defined =
            "A bowline (the “king of knots”) is a knot that makes a loop at the end of a rope.";
        assert_eq!(answer.text.text, defined, "{question}");
        assert_eq!(answer.title, "Bowline");
    }
    // It says what they are good for, and not what a hitch is.
    assert_eq!(ask_on_knots("what is a hitch", 0.9), None);
    assert_eq!(ask_on_knots("what is the default length", 0.9), None);
}

#[test]
fn words_alone_are_no_answer_without_its_form() {
    // Steps, an echo of the question, and a number that is not there.
    for question in [
        "how do I tie a clove hitch around the mooring post for a quick stop",
        "how long are default mooring ropes by default length",
        "when do I tie a clove hitch around the mooring post for a quick stop",
    ] {
        assert_eq!(ask_on_knots(question, 0.5), None, "{question}");
    }
    let question = "how long is the longest mooring rope of the harbour in a storm";
    let answer = ask_on_knots(question, 0.5).map(|answer| answer.text.text);
    let said = "In a storm the longest mooring rope of the harbour is 40 m long.";
    assert_eq!(answer.as_deref(), Some(said));
}
