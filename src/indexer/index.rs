//! From prepared documents in node order to stems with postings.

use super::lexicon::{ENGLISH, Lexicon};
use super::postings::{PackedPostings, PackedStem};
use super::prepare::Prepared;
use super::words::{Occurrence, PageWords};
use crate::bundle::stems::{Impact, idf};
use crate::text::stop_words::is_stop_word;
use crate::text::{is_kana_pair, is_name};

/// A stem in more than this share of the nodes keeps only its best postings: the others would cost more bytes than
/// everything else a question fetches and could hardly move a rank.
const FREQUENT: f64 = 0.2;
/// Share of the nodes that a frequent stem keeps besides those that have it in title or heading.
const KEPT: f64 = 0.08;
/// A stem in more than this share of the nodes does not say in which sections it occurs.
const SECTIONS_UP_TO: f64 = 0.12;
/// The same of a pair with kana, which says little beside the words around it.
const KANA_SECTIONS: f64 = 0.03;
/// Below this many nodes nothing is cut.
const SMALL: usize = 1_000;

/// Pages, or a fiftieth of them where that is more, from which on a name is none: `Examples` names nothing.
const COMMON_NAME: usize = 16;

/// Measures of the whole input.
#[derive(Debug, Clone, Copy)]
pub struct Averages {
    /// Mean terms of a text.
    pub body: f32,
    /// Mean terms of a title.
    pub title: f32,
}

impl Averages {
    /// Means over all nodes.
    pub fn of(nodes: &[&Prepared]) -> Self {
        let n = nodes.len().max(1) as f64;
        let mean = |f: fn(&Prepared) -> u32| {
            (nodes.iter().map(|d| f64::from(f(d))).sum::<f64>() / n) as f32
        };
        Self {
            body: mean(|d| d.body_len).max(1.0),
            title: mean(|d| d.title_len).max(1.0),
        }
    }
}

/// The occurrences of one stem in one node.
#[derive(Default, Clone)]
struct Seen {
    tf: f32,
    /// Terms of the title, where the stem is one.
    title: Option<u32>,
    heading: bool,
    /// Section ordinals, and whether the heading has the stem.
    sections: Vec<(u16, bool)>,
}

impl Seen {
    fn occurs(&mut self, o: &Occurrence) {
        self.tf += o.tf;
        match self.sections.last_mut() {
            Some((section, heading)) if *section == o.section => *heading |= o.in_heading,
            _ => self.sections.push((o.section, o.in_heading)),
        }
    }
}

/// Makes the postings of all stems, in the order of the lexicon's. `nodes[i]` is node `i`, with its words, which are gone
/// when those of the next one come. O(occurrences).
pub fn postings(
    nodes: &[&Prepared],
    words: Vec<PageWords>,
    lexicon: &Lexicon,
    averages: Averages,
) -> Vec<PackedStem> {
    let mut stems = vec![PackedStem::default(); lexicon.stems.len()];
    let mut seen: Vec<Seen> = Vec::new();
    let mut order: Vec<u32> = Vec::new(); // stems of this node
    let mut slot = vec![u32::MAX; lexicon.stems.len()];
    for (node, (document, words)) in nodes.iter().zip(words).enumerate() {
        let stems_of = |local: u32| lexicon.stems_of(words.numbers[local as usize]);
        let mut at = |stem: u32, seen: &mut Vec<Seen>, order: &mut Vec<u32>| -> usize {
            if slot[stem as usize] == u32::MAX {
                slot[stem as usize] = seen.len() as u32;
                seen.push(Seen::default());
                order.push(stem);
            }
            slot[stem as usize] as usize
        };
        for o in words.occurrences.iter() {
            for stem in stems_of(o.word) {
                let i = at(stem, &mut seen, &mut order);
                seen[i].occurs(&o);
            }
        }
        for &(word, terms) in &words.title {
            // A word of a compound is one of two.
            for (stem, more) in stems_of(word).zip([0, 1, 1]) {
                let terms = terms + more;
                let i = at(stem, &mut seen, &mut order);
                seen[i].title = Some(seen[i].title.map_or(terms, |known| known.min(terms)));
            }
        }
        for &word in &words.headings {
            for stem in stems_of(word) {
                let i = at(stem, &mut seen, &mut order);
                seen[i].heading = true;
            }
        }
        let relative = document.body_len as f32 / averages.body;
        for (&stem, s) in order.iter().zip(&seen) {
            slot[stem as usize] = u32::MAX;
            let title = s.title.map(|terms| terms as usize);
            let impact = Impact::new(s.tf, relative, title, s.heading);
            let postings = &mut stems[stem as usize].postings;
            postings.push(node as u32, impact, &s.sections);
        }
        seen.clear();
        order.clear();
    }
    settle(&mut stems, lexicon, nodes.len());
    stems
}

/// Counts the nodes of each stem, and cuts what frequent stems say.
fn settle(stems: &mut [PackedStem], lexicon: &Lexicon, n_nodes: usize) {
    let function = function_stems(lexicon);
    let first_term = |g: usize| lexicon.surfaces[lexicon.stems[g][0] as usize].term.as_str();
    for (g, stem) in stems.iter_mut().enumerate() {
        stem.df = stem.postings.n_nodes() as u32;
        stem.is_function = function[g].is_some();
        let is_title = || {
            stem.postings
                .unpacked()
                .impacts
                .iter()
                .any(|i| i.title_len() > 0.0)
        };
        if function[g] == Some(ENGLISH) && !is_title() {
            stem.df = heard(stem.df, n_nodes, FUNCTION_WORD);
        }
        let is_kana = is_kana_pair(first_term(g));
        if is_kana {
            stem.df = heard(stem.df, n_nodes, KANA_PAIR);
        }
        let is_common = stem.df as usize > COMMON_NAME.max(n_nodes / 50);
        if is_common && is_name(first_term(g)) {
            *stem = PackedStem::default();
        }
        if is_kana && stem.postings.n_nodes() as f64 > n_nodes as f64 * KANA_SECTIONS {
            stem.postings.retain(false, |_| true);
        }
        prune(&mut stem.postings, n_nodes);
        stem.postings.shrink();
    }
}

/// Share of its importance that an English function word keeps where it is no subject of the site. Those of other
/// languages keep all of it: in titles that are sentences they tell pages apart.
const FUNCTION_WORD: f64 = 0.3;

/// Share of its importance that a pair of letters with kana keeps beside kanji and words of katakana: half of them are
/// particles and endings.
const KANA_PAIR: f64 = 0.5;

/// The language of the function words that most of a stem's words are, by stem: English or another.
fn function_stems(lexicon: &Lexicon) -> Vec<Option<&'static str>> {
    let mut counts = vec![(0u64, 0u64, 0u64); lexicon.stems.len()];
    for surface in &lexicon.surfaces {
        let (english, other, all) = &mut counts[surface.stem as usize];
        *all += surface.count;
        if surface.is_function {
            *other += surface.count;
        } else if is_stop_word(&surface.term) {
            *english += surface.count;
        }
    }
    let language = |(english, other, all)| match 2 * (english + other) > all {
        true if 2 * english > all => Some(ENGLISH),
        true => Some(""),
        false => None,
    };
    counts.into_iter().map(language).collect()
}

/// The document frequency at which a word counts `share` of what it would at `df`.
///
/// Questions are full of words that the documents do not use: "what" and "did" are rare in notes and mean nothing there
/// either. Written into the dictionary, this costs the reader nothing.
fn heard(df: u32, n_nodes: usize, share: f64) -> u32 {
    let n = n_nodes as f64;
    let importance = f64::from(idf(n_nodes as u32, df)) * share;
    // Inverse of ln(1 + (n − df + ½) / (df + ½)).
    let equal = (n + 1.0) / importance.exp() - 0.5;
    (equal as u32).clamp(df, n_nodes as u32)
}

/// Cuts what a frequent stem says down to what can matter.
fn prune(postings: &mut PackedPostings, n_nodes: usize) {
    let share = postings.n_nodes() as f64 / n_nodes as f64;
    if n_nodes < SMALL || share <= SECTIONS_UP_TO {
        return;
    }
    if share <= FREQUENT {
        postings.retain(false, |_| true);
        return;
    }
    let mut bodies = [0usize; 16];
    for impact in postings.unpacked().impacts {
        bodies[usize::from(impact.0 & 15)] += 1;
    }
    let budget = (n_nodes as f64 * KEPT) as usize;
    let mut threshold = 16usize;
    let mut kept = 0;
    while threshold > 1 && kept + bodies[threshold - 1] <= budget {
        threshold -= 1;
        kept += bodies[threshold];
    }
    postings.retain(false, |impact| {
        let body = usize::from(impact.0 & 15);
        impact.title_len() > 0.0 || impact.heading() || body >= threshold
    });
}
