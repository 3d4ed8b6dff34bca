//! Keyword relevance: BM25F by fields, and the best single section.
//!
//! A node's score adds up, over the question's words, idf · (body + heading + title), each from the posting's impact;
//! then what its best section covers of the question, and how exactly its title is the question.

use crate::base::id::{NodeId, Scored};
use crate::bundle::stems::{B, Impact, K1};
#[cfg(feature = "full")]
use crate::find::answer::result::WordScore;
use crate::find::ask::scope::Scope;
use crate::find::ask::words::Slot;

/// Weights of the fields against the body's 1. Fitted on one half of the labelled queries (docs/MEASUREMENTS.md).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights {
    /// A word in the title. 0: titles count like nothing; large: only titles matter.
    pub title: f32,
    /// A word in a heading or keyword.
    pub heading: f32,
    /// The best section's share of the question. 0: words may stand anywhere; large: they must stand together.
    pub passage: f32,
    /// The second best section's share. Lifts pages that come back to the subject above those that mention it once.
    pub second: f32,
    /// The title being just the question. Lifts exact names above long pages that mention them.
    pub exact: f32,
    /// A section's heading holding the question, as far as the title does not. Lifts the page that has a chapter about it
    /// above those that mention it.
    pub chapter: f32,
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self {
            title: 1.2,
            heading: 0.3,
            passage: 0.6,
            second: 0.0,
            exact: 1.6,
            chapter: 1.0,
        }
    }
}

impl FieldWeights {
    /// The weights for a question that is a sentence as far as `sentence` says, in [0, 1]. Fitted on questions over
    /// twenty-eight sites (docs/MEASUREMENTS.md).
    pub fn of(sentence: f32) -> Self {
        Self {
            second: 0.2 * sentence,
            ..Self::default()
        }
    }
}

/// Share of the question's importance from which a heading counts as being the question: many headings hold half of it.
const CHAPTER_FROM: f32 = 0.8;
/// Nodes whose sections are scored.
const PASSAGE_DEPTH: usize = 300;

/// Scores the nodes in `scope` that contain a word of the question: the best, at most `limit`, in no order.
/// O(postings of the words).
pub fn score(
    slots: &[Slot],
    n_nodes: u32,
    average_title: f32,
    scope: &Scope,
    weights: FieldWeights,
    limit: usize,
) -> Vec<Scored> {
    let total: f32 = slots.iter().map(Slot::importance).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let sums = Sums::of(slots, n_nodes as usize, average_title, &weights);
    let mut scored: Vec<Scored> = sums
        .fields
        .iter()
        .enumerate()
        .filter(|&(node, &sum)| sum > 0.0 && scope.holds(NodeId(node as u32)))
        .map(|(node, &sum)| {
            let share = sums.in_title[node] / total;
            let covered = sums.covered[node].min(1.0);
            Scored {
                node: NodeId(node as u32),
                score: sum + weights.exact * total * share * share * covered,
            }
        })
        .collect();
    Scored::keep_best(&mut scored, limit);
    add_passages(slots, &mut scored, &sums.in_title, total, &weights);
    scored
}

/// Sums over the words of a question, by node.
struct Sums {
    /// Every word by its best field.
    fields: Vec<f32>,
    /// Importance of the words in the title.
    in_title: Vec<f32>,
    /// Share of the title's terms that are words of the question; pieces of an identifier in the question are none.
    covered: Vec<f32>,
}

impl Sums {
    /// O(postings of the words).
    fn of(slots: &[Slot], n: usize, average_title: f32, weights: &FieldWeights) -> Self {
        let mut sums = Self {
            fields: vec![0.0; n],
            in_title: vec![0.0; n],
            covered: vec![0.0; n],
        };
        let mut best = vec![0.0f32; n];
        let mut touched: Vec<u32> = Vec::new();
        let mut titled: Vec<u32> = Vec::new();
        for slot in slots {
            let importance = slot.importance();
            for alternative in &slot.alternatives {
                let postings = &alternative.stem().postings;
                for (&node, &impact) in postings.nodes.iter().zip(&postings.impacts) {
                    let title_len = impact.title_len();
                    let value = alternative.weight
                        * alternative.idf
                        * fields(impact, average_title, weights);
                    let slot_best = &mut best[node as usize];
                    if *slot_best == 0.0 {
                        touched.push(node);
                    }
                    if value > *slot_best {
                        *slot_best = value;
                    }
                    let in_title = &mut sums.in_title[node as usize];
                    if title_len > 0.0 && *in_title >= 0.0 {
                        // Marked negative so that two alternatives of one word count once.
                        *in_title = -*in_title - importance;
                        if slot.weight >= 1.0 {
                            sums.covered[node as usize] += 1.0 / title_len;
                        }
                        titled.push(node);
                    }
                }
            }
            for &node in &touched {
                sums.fields[node as usize] += slot.weight * best[node as usize];
                best[node as usize] = 0.0;
            }
            for &node in &titled {
                sums.in_title[node as usize] = sums.in_title[node as usize].abs();
            }
            touched.clear();
            titled.clear();
        }
        sums
    }
}

/// Sum of the fields of one posting.
pub fn fields(impact: Impact, average_title: f32, weights: &FieldWeights) -> f32 {
    let title_len = impact.title_len();
    let mut fields = impact.body();
    if impact.heading() {
        fields += weights.heading;
    }
    if title_len > 0.0 {
        fields +=
            weights.title / (1.0 + K1 * (1.0 - B + B * title_len / average_title)) * (1.0 + K1);
    }
    fields
}

/// Contribution of each word to the keyword score of a node, before sections and exact titles count.
#[cfg(feature = "full")]
pub fn explain(
    slots: &[Slot],
    node: NodeId,
    average_title: f32,
    weights: FieldWeights,
) -> Vec<WordScore> {
    let mut words = Vec::new();
    for slot in slots {
        let mut best = WordScore::default();
        for alternative in &slot.alternatives {
            let postings = &alternative.stem().postings;
            let Ok(at) = postings.nodes.binary_search(&node.0) else {
                continue;
            };
            let impact = postings.impacts[at];
            let score = slot.weight
                * alternative.weight
                * alternative.idf
                * fields(impact, average_title, &weights);
            if score > best.score {
                best = WordScore {
                    word: slot.term.clone(),
                    read_as: alternative.surface.clone(),
                    weight: slot.weight * alternative.weight,
                    idf: alternative.idf,
                    title: impact.title_len() > 0.0,
                    heading: impact.heading(),
                    body: impact.body(),
                    score,
                };
            }
        }
        if best.score > 0.0 {
            words.push(best);
        }
    }
    words
}

/// BM25 of the question's words in the two fields of a node, unweighted; `None` where no word stands.
#[cfg(feature = "full")]
pub fn field_scores(slots: &[Slot], node: NodeId, average_title: f32) -> FieldScores {
    let weights = FieldWeights {
        title: 1.0,
        heading: 0.0,
        ..FieldWeights::default()
    };
    let mut sums = FieldScores::default();
    let add = |sum: &mut Option<f32>, value: f32| {
        if value > 0.0 {
            *sum = Some(sum.unwrap_or(0.0) + value);
        }
    };
    for slot in slots {
        let (mut title, mut content) = (0.0f32, 0.0f32);
        for alternative in &slot.alternatives {
            let postings = &alternative.stem().postings;
            if let Ok(at) = postings.nodes.binary_search(&node.0) {
                let impact = postings.impacts[at];
                let weight = slot.weight * alternative.weight * alternative.idf;
                let both = fields(impact, average_title, &weights);
                title = title.max(weight * (both - impact.body()));
                content = content.max(weight * impact.body() * (1.0 + K1));
            }
        }
        add(&mut sums.title, title);
        add(&mut sums.content, content);
    }
    sums
}

/// See [`field_scores`].
#[cfg(feature = "full")]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldScores {
    /// Score by the title alone.
    pub title: Option<f32>,
    /// Score by the content alone.
    pub content: Option<f32>,
}

/// Importance of the question's words in a section.
#[derive(Clone, Copy, Default)]
struct Held {
    /// Importance of the words in it.
    text: f32,
    /// Importance of those in its heading.
    heading: f32,
    /// The last word counted of each, from 1: two readings of one word count once.
    counted: [usize; 2],
}

impl Held {
    fn add(&mut self, slot: usize, value: f32, in_heading: bool) {
        let word = slot + 1;
        if self.counted[0] != word {
            (self.text, self.counted[0]) = (self.text + value, word);
        }
        if in_heading && self.counted[1] != word {
            (self.heading, self.counted[1]) = (self.heading + value, word);
        }
    }
}

/// Adds the score of the best section to the first nodes.
fn add_passages(
    slots: &[Slot],
    scored: &mut [Scored],
    in_title: &[f32],
    total: f32,
    weights: &FieldWeights,
) {
    let depth = scored.len().min(PASSAGE_DEPTH);
    let mut candidate_of = vec![u32::MAX; in_title.len()];
    for (at, row) in scored[..depth].iter().enumerate() {
        candidate_of[row.node.index()] = at as u32;
    }
    // Per candidate, per section: importance of the words in it and in its heading.
    let mut sections: Vec<Vec<Held>> = vec![Vec::new(); depth];
    let mut anywhere: Vec<Held> = vec![Held::default(); depth];
    for (word, slot) in slots.iter().enumerate() {
        // A heading with one of the words that a wrong one may be does not say the question.
        let is_sure = slot.correction.is_none();
        for alternative in &slot.alternatives {
            let postings = &alternative.stem().postings;
            let value = slot.weight * alternative.weight * alternative.idf;
            for (at, node) in postings.nodes.iter().enumerate() {
                let candidate = candidate_of[*node as usize] as usize;
                if candidate >= depth {
                    continue;
                }
                if postings.section_ends.is_empty() {
                    // A word on most pages: it says nothing of sections, and counts wherever the others are.
                    anywhere[candidate].add(word, value, is_sure && postings.impacts[at].heading());
                    continue;
                }
                for section in postings.sections_of(at) {
                    let in_heading = is_sure && section.in_heading();
                    let section = section.ordinal();
                    if sections[candidate].len() <= section {
                        sections[candidate].resize(section + 1, Held::default());
                    }
                    sections[candidate][section].add(word, value, in_heading);
                }
            }
        }
    }
    for (candidate, row) in scored[..depth].iter_mut().enumerate() {
        let (mut text, mut second, mut heading) = (0.0f32, 0.0f32, 0.0f32);
        for section in &sections[candidate] {
            second = second.max(section.text.min(text));
            text = text.max(section.text);
            heading = heading.max(section.heading);
        }
        let title = in_title[row.node.index()];
        row.score += weights.passage * (text + anywhere[candidate].text + 0.25 * title.min(text));
        row.score += weights.second * second;
        let said = (heading + anywhere[candidate].heading) / total;
        let said = ((said - CHAPTER_FROM) / (1.0 - CHAPTER_FROM)).clamp(0.0, 1.0);
        let title = title / total;
        row.score += weights.chapter * total * (said * said - title * title).max(0.0);
    }
}
