//! The words of a bundle whose documents have a model's vectors, for people.

use knarr::indexer::WordFit;

/// The fit, in a line of the summary.
pub fn said(fit: &WordFit) -> String {
    match (fit.kept, fit.sections) {
        (true, n) => format!(
            "in the model's space, fit {:.2} over {n} sections",
            fit.cosine
        ),
        (false, _) => "none".to_owned(),
    }
}

/// The reason why words have no vectors though they were to; `None` where they have.
pub fn warning(fit: &WordFit) -> Option<String> {
    let reason = match (fit.kept, fit.sections) {
        (true, _) => return None,
        (_, 0) => "the table of words knows too few of the site's".to_owned(),
        (_, n) if fit.cosine == 0.0 => format!("{n} sections teach nothing about the model"),
        (_, n) => format!(
            "what {n} sections teach about the model fits others by {:.2}",
            fit.cosine
        ),
    };
    Some(format!(
        "--embed-words: words have no vectors, and find() none without the model's endpoint: {reason}"
    ))
}
