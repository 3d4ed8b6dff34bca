//! An answer without a model: up to three sentences of a page, verbatim, where the evidence is clear.

use super::asking::{Asking, is_notice};
use super::result::{Answer, Evidence, MatchedContext};
use super::sections::{best_sections, link_of, title_of};
use crate::base::id::NodeId;
use crate::bundle::stems::idf;
use crate::bundle::step::Step;
use crate::bundle::{Resident, SectionText, TextView};
use crate::find::ask::asked::Asked;
use crate::find::ask::meant::Meant;
use crate::find::ask::words::Slot;
use crate::find::walk::Hit;
use crate::text::{TermKind, excerpt, sentences, tokenize};

/// Results whose sentences are compared.
const PAGES: usize = 3;
/// Bytes of a section that are read.
const READ: usize = 8_000;
/// Bytes of a sentence, and of an answer: more is no answer.
const SENTENCE: std::ops::RangeInclusive<usize> = 20..=400;
const LONGEST: usize = 480;
/// Share of the question's importance from which another sentence is worth its letters.
const ADDS: f32 = 0.12;
/// Words of a question at least, and those with a meaning: fewer are a subject and no question, but for "what is X".
const WORDS: usize = 3;
const MEANINGFUL: usize = 2;
/// Share of its weight that a word counts which is in the title or the heading only.
const ABOVE: f32 = 0.7;
/// Lead that the sentences of a later page need, of 2.
const LATER: f32 = 0.2;
/// Logit of the chance to be right: constant, relevance, share of the question in the sentences, and with title and
/// heading, its distance from the best of other pages. Set by hand, so that .9 is the least chance for which five sets
/// have shown enough right answers (docs/MEASUREMENTS.md).
const CHANCE: [f32; 5] = [-4.75, 2.0, 2.0, 2.0, 2.0];
/// Chance of a definition, as measured on documentation.
const DEFINED: f32 = 0.93;
/// Factor of the chance of sentences that have the question's words and not the form of an answer to it.
const FORMLESS: f32 = 0.5;

/// Sentences of a section that stand together, and the words of the question in them.
struct Run {
    section: usize,
    /// Bytes of the section's text.
    from: usize,
    to: usize,
    /// Share of the question's importance in them, and with title and heading.
    said: f32,
    about: f32,
}

impl Run {
    fn value(&self) -> f32 {
        self.said + self.about
    }
}

/// The words of a question that carry meaning, with their weights.
struct Words<'m> {
    meant: &'m Meant<'m>,
    weights: Vec<f32>,
    whole: f32,
    n_meaningful: usize,
}

impl<'m> Words<'m> {
    /// `None` for a question that is a subject or a name, or says nothing.
    fn of(slots: &[Slot], meant: &'m Meant<'m>, n_nodes: u32) -> Option<Self> {
        let counts = |s: &&Slot| matches!(s.kind, TermKind::Word | TermKind::Gram) && !s.is_name();
        if slots.iter().filter(counts).count() < WORDS {
            return None;
        }
        let is_function = |s: &Slot| s.alternatives.iter().any(|a| a.stem().is_function);
        let weigh = |slot: &Slot| match (counts(&slot) && !is_function(slot), slot.occurs()) {
            (true, true) => slot.importance(),
            (true, false) => idf(n_nodes, 0),
            (false, _) => 0.0,
        };
        let weights: Vec<f32> = slots.iter().map(weigh).collect();
        let whole: f32 = weights.iter().sum();
        (whole > 0.0).then_some(Self {
            meant,
            n_meaningful: weights.iter().filter(|w| **w > 0.0).count(),
            weights,
            whole,
        })
    }

    /// Adds the words that a text has.
    fn add(&self, text: &str, said: &mut [bool]) {
        tokenize(text, |token| {
            if let Some((slot, _)) = self.meant.shown(&token.term) {
                said[slot] = true;
            }
        });
    }

    fn none(&self) -> Vec<bool> {
        vec![false; self.weights.len()]
    }

    fn share(&self, said: &[bool]) -> f32 {
        let said = said.iter().zip(&self.weights).filter(|s| *s.0);
        said.map(|s| s.1).sum::<f32>() / self.whole
    }
}

/// The answer to a question from its best results, if one is wanted and its chance to be right is high enough. `judge`
/// gives the relevance of a node. O(texts of three results).
pub fn answer(
    store: &Resident,
    asked: &Asked<'_>,
    slots: &[Slot],
    hits: &[Hit],
    contexts: &[MatchedContext],
    judge: &dyn Fn(NodeId) -> (f32, bool),
) -> Step<Option<Answer>> {
    let options = asked.options;
    if !options.answer || asked.request.offset > 0 {
        return Ok(None);
    }
    let meant = Meant::of(slots);
    let n_nodes = store.head().parameters.n_nodes;
    let Some(words) = Words::of(slots, &meant, n_nodes) else {
        return Ok(None);
    };
    let asking = Asking::new(slots, &meant);
    let mut pages = Vec::new();
    for hit in hits.iter().take(PAGES) {
        pages.push((hit.node, view(store, slots, hit.node)?));
    }
    let defined = definition(&asking, slots, &pages);
    let is_defined = defined.is_some();
    let found = defined.or_else(|| best_of(&words, slots, &pages));
    let Some((place, run, ahead)) = found else {
        return Ok(None);
    };
    let Some(section) = pages[place].1.section(run.section) else {
        return Ok(None);
    };
    let evidence = Evidence {
        relevance: judge(pages[place].0).0,
        said: run.said,
        about: run.about,
        ahead,
    };
    let said = &section.text[run.from..run.to];
    let confidence = match is_defined {
        true => DEFINED,
        false if asking.fits(said, words.n_meaningful) => chance(&evidence),
        false => chance(&evidence) * FORMLESS,
    };
    if confidence.total_cmp(&options.answer_threshold).is_le() {
        return Ok(None);
    }
    Ok(Some(Answer {
        confidence,
        evidence,
        ..told(&words, &contexts[place], section, &run)
    }))
}

/// A page that is read: its node and its text.
type Page = (NodeId, TextView);

/// Sentences of a page: its place, the sentences, and their lead over those of other pages.
type Found = (usize, Run, f32);

/// The sentences that say the most of the question.
fn best_of(words: &Words<'_>, slots: &[Slot], pages: &[Page]) -> Option<Found> {
    if words.n_meaningful < MEANINGFUL {
        return None;
    }
    let mut runs: Vec<(usize, Run)> = Vec::new();
    for (place, (node, text)) in pages.iter().enumerate() {
        let run = best_run(words, slots, *node, text);
        runs.extend(run.map(|run| (place, run)));
    }
    // A page further down has to say more.
    let best = (0..runs.len()).reduce(|best, other| {
        let is_better = runs[other].1.value() > runs[best].1.value() + LATER;
        if is_better { other } else { best }
    })?;
    let (place, run) = runs.swap_remove(best);
    let others = runs.iter().map(|other| other.1.value());
    let ahead = run.value() - others.fold(0.0, f32::max);
    Some((place, run, ahead))
}

/// The sentence with which a section begins by saying what X is, to "what is X".
fn definition(asking: &Asking<'_>, slots: &[Slot], pages: &[Page]) -> Option<Found> {
    let subject = asking.subject()?;
    for (place, (node, text)) in pages.iter().enumerate() {
        let mut sections = best_sections(slots, *node, text.n_sections());
        // A page says what it is about before its first heading.
        sections.push(0);
        for section in sections {
            let Some(read) = text.section(section) else {
                continue;
            };
            let Some((from, to)) = first_sentence(&read.text) else {
                continue;
            };
            if asking.defines(&read.text[from..to], &subject) {
                let run = Run {
                    section,
                    from,
                    to,
                    said: 1.0,
                    about: 1.0,
                };
                return Some((place, run, 0.0));
            }
        }
    }
    None
}

/// The sections of a page that are read: those of its excerpts.
fn view(store: &Resident, slots: &[Slot], node: NodeId) -> Step<TextView> {
    Ok(store.view(node, |n_sections| best_sections(slots, node, n_sections))?)
}

/// An answer without what speaks for it.
fn told(words: &Words<'_>, context: &MatchedContext, section: &SectionText, run: &Run) -> Answer {
    let said = &section.text[run.from..run.to];
    let may_match = |_: &str| true;
    let shown = excerpt(said, said.len() * 2, may_match, |piece, tell| {
        words.meant.shown_in(piece, tell);
    });
    let (uri, url) = link_of(context, section);
    Answer {
        text: shown.into(),
        title: context.title.clone(),
        section: title_of(section),
        uri,
        url,
        ..Answer::default()
    }
}

fn chance(evidence: &Evidence) -> f32 {
    let [constant, relevance, said, about, ahead] = CHANCE;
    let logit = constant
        + relevance * evidence.relevance
        + said * evidence.said
        + about * evidence.about
        + ahead * evidence.ahead;
    1.0 / (1.0 + (-logit).exp())
}

/// The sentences of a page that say the most of the question.
fn best_run(words: &Words<'_>, slots: &[Slot], node: NodeId, text: &TextView) -> Option<Run> {
    let mut best: Option<Run> = None;
    for section in best_sections(slots, node, text.n_sections()) {
        let Some(read) = text.section(section) else {
            continue;
        };
        let mut above = words.none();
        words.add(&text.first().node.title, &mut above);
        words.add(&read.heading, &mut above);
        for (from, to) in runs_of(words, &read.text) {
            let mut said = words.none();
            words.add(&read.text[from..to], &mut said);
            let own = words.share(&said);
            let both: Vec<bool> = said.iter().zip(&above).map(|(a, b)| *a || *b).collect();
            let about = own + (words.share(&both) - own) * ABOVE;
            let run = Run {
                section,
                from,
                to,
                said: own,
                about,
            };
            if best.as_ref().is_none_or(|b| run.value() > b.value() + 1e-4) {
                best = Some(run);
            }
        }
    }
    best.filter(|run| run.said > 0.0)
}

/// Runs of one to three sentences of a text: each sentence that has a word of the question, with those behind it that
/// add to it, and with the one before it where it goes on from there.
fn runs_of(words: &Words<'_>, text: &str) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        if at > READ || !words.meant.may_be_in(line) {
            continue;
        }
        let mut starts: Vec<u32> = Vec::new();
        sentences(line, at as u32, &mut starts);
        let ends = starts.iter().skip(1).map(|&s| s as usize);
        let ends = ends.chain([at + line.len()]);
        let all: Vec<(usize, usize)> = starts.iter().map(|&s| s as usize).zip(ends).collect();
        for (i, &(from, to)) in all.iter().enumerate() {
            if !is_sentence(&text[from..to]) || !words.meant.may_be_in(&text[from..to]) {
                continue;
            }
            let mut said = words.none();
            words.add(&text[from..to], &mut said);
            let (mut from, mut to, mut n) = (from, to, 1);
            if i > 0 && goes_on(&text[from..to]) && is_sentence(&text[all[i - 1].0..all[i - 1].1]) {
                (from, n) = (all[i - 1].0, 2);
                words.add(&text[from..all[i - 1].1], &mut said);
            }
            for &(next, end) in all[i + 1..].iter().take(3 - n) {
                let before = words.share(&said);
                words.add(&text[next..end], &mut said);
                let adds = words.share(&said) - before;
                if adds < ADDS || end - from > LONGEST || !is_sentence(&text[next..end]) {
                    break;
                }
                to = end;
            }
            runs.push((from, to));
        }
    }
    runs
}

/// The first sentence of a text, in bytes, behind what tells of versions.
fn first_sentence(text: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut starts: Vec<u32> = Vec::new();
        sentences(line, start as u32, &mut starts);
        start += line.len();
        let starts: Vec<usize> = starts.iter().map(|&s| s as usize).chain([start]).collect();
        let mut all = starts.windows(2).map(|w| (w[0], w[1]));
        let is_first =
            |s: &(usize, usize)| is_sentence(&text[s.0..s.1]) && !is_notice(&text[s.0..s.1]);
        if let Some(found) = all.find(is_first) {
            return Some(found);
        }
        if start > READ {
            break;
        }
    }
    None
}

/// True for a text that ends as a sentence does: no heading, no code, no row of a table.
fn is_sentence(text: &str) -> bool {
    let text = text.trim();
    let bare = text.trim_end_matches(['"', ')', '”', '\'', '’']);
    SENTENCE.contains(&text.len()) && bare.ends_with(['.', '!', '。', '！'])
}

/// True for a sentence that says nothing without the one before.
fn goes_on(text: &str) -> bool {
    let first = text.split([' ', ',']).next().unwrap_or_default();
    [
        "It", "This", "These", "They", "That", "Those", "He", "She", "However",
    ]
    .contains(&first)
}
