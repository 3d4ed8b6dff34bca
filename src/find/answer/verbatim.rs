//! Phrases and words that are left out, in the texts of the best pages: an index knows words and sections, not places.

use crate::base::id::NodeId;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{Resident, TextRecord};
use crate::find::answer::result::Skipped;
use crate::find::ask::asked::Asked;
use crate::find::walk::Hit;
use crate::text::{TermKind, tokenize};

/// Texts read at once: a page of results and those that fail.
const AT_ONCE: usize = 16;
/// Texts read for one question.
const MOST: usize = 64;

/// Keeps the hits whose title or text has every phrase and nothing that is left out, as many as the answer shows.
/// Where no page that was read has the phrases, the hits stay, and that is told. In a sentence around
/// phrases, pages that have them come first and the others stay: a title that is quoted there is not in every page that
/// answers it. O(texts of the best pages).
pub fn keep(store: &Resident, asked: &mut Asked<'_>, hits: Vec<Hit>) -> Step<Vec<Hit>> {
    let quoted = &asked.question.quoted;
    if !asked.reads_texts {
        return Ok(hits);
    }
    let request = asked.request;
    let wanted = request.offset.saturating_add(request.limit);
    let is_file = |hit: &&Hit| store.head().directory_at(hit.node).is_none();
    let files: Vec<Hit> = hits.iter().filter(is_file).copied().collect();
    let mut kept: Vec<Hit> = Vec::new();
    let mut others: Vec<Hit> = Vec::new();
    let leads = quoted.excluded.is_empty() && asked.question.is_around_phrases();
    let most = if leads { AT_ONCE } else { MOST };
    let mut n_read = 0;
    // Translations of a page are one row.
    let rows = |kept: &Vec<Hit>| asked.wanted.rows(store.head(), kept.clone(), wanted).0;
    for batch in files.chunks(AT_ONCE) {
        if n_read >= most || rows(&kept).len() >= wanted {
            break;
        }
        let mut gather = Gather::default();
        for hit in batch {
            gather.take(store.text(hit.node));
        }
        gather.done()?;
        for hit in batch {
            let text = store.text(hit.node)?;
            if !quoted.excluded.iter().any(|terms| has(&text, terms)) {
                others.push(*hit);
                if quoted.phrases.iter().all(|terms| has(&text, terms)) {
                    kept.push(*hit);
                }
            }
        }
        n_read += batch.len();
    }
    let is_lost = kept.is_empty() && !quoted.phrases.is_empty() && !others.is_empty();
    const NONE: &str = "none of the best pages has it: these have its words";
    let (step, reason) = match is_lost {
        true => ("exact_phrase", NONE),
        false if n_read < files.len() && rows(&kept).len() < wanted && !leads => {
            ("phrase", "only the best pages were read for it")
        }
        false => ("", ""),
    };
    if !reason.is_empty() {
        asked.skipped.push(Skipped {
            step: step.into(),
            reason: reason.into(),
        });
    }
    if is_lost || !leads {
        return Ok(if is_lost { others } else { kept });
    }
    others.extend(files.iter().skip(n_read));
    put_behind(&mut kept, others);
    Ok(kept)
}

/// Adds the other hits behind those that are `first`, for whoever sorts by score, too.
fn put_behind(first: &mut Vec<Hit>, others: Vec<Hit>) {
    let (n_first, last) = (first.len(), first.last().copied());
    for mut hit in others {
        if first[..n_first].iter().all(|kept| kept.node != hit.node) {
            if let Some(last) = last {
                hit.score = hit.score.min(last.score);
                hit.semantic = hit.semantic.min(last.semantic);
            }
            first.push(hit);
        }
    }
}

/// Puts the pages that somebody chose to be first before the others.
pub fn lead(asked: &Asked<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
    if !asked.pinned.is_empty() && asked.request.levels.contains(2) {
        hits.retain(|hit| !asked.pinned.contains(&hit.node));
        let first = |&node: &NodeId| Hit {
            node,
            level: 2,
            score: 1.0,
            semantic: 1.0,
            hotness: 0.0,
        };
        hits.splice(0..0, asked.pinned.iter().map(first));
    }
    hits
}

/// True if the terms stand one after another in the title, a heading or the text of a section.
fn has(text: &TextRecord, terms: &[String]) -> bool {
    let sections = text.sections.iter();
    let mut lines = sections.flat_map(|s| [s.heading.as_str(), s.text.as_str()]);
    says(&text.node.title, terms) || lines.any(|line| says(line, terms))
}

/// The letters and digits of ASCII text without what stands between: to look for them costs less than to cut words.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn says(text: &str, terms: &[String]) -> bool {
    if text.is_ascii() && !text.contains('\'') && !letters(text).contains(&letters(&terms.concat()))
    {
        return false;
    }
    let mut last: Vec<String> = Vec::new();
    let mut found = false;
    tokenize(text, |t| {
        if found || t.kind == TermKind::Part {
            return;
        }
        if last.len() == terms.len() {
            last.remove(0);
        }
        last.push(t.term);
        found = last == terms;
    });
    found
}
