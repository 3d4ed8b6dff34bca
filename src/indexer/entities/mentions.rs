//! Every mention of the candidates: the longest name at each place, left to right.

use super::{Candidate, Candidates, Line};
use crate::graph::{NameUnit, canonical, join_units, joined, name_units};
use std::collections::{BTreeMap, HashMap};

/// Per line the candidates mentioned in it, by index, in order and each once. `short` leads from parts of names to
/// candidates.
pub(super) fn find_mentions(
    lines: &[Line<'_>],
    candidates: &Candidates,
    short: &BTreeMap<String, String>,
) -> Vec<Vec<u32>> {
    let mut numbers: HashMap<String, u32> =
        candidates.keys().map(|key| joined(key)).zip(0..).collect();
    let mut longest: HashMap<String, usize> = HashMap::new();
    let mut note_length = |key: &str| {
        let units = name_units(key);
        let known = longest.entry(units[0].text.clone()).or_default();
        *known = (*known).max(units.len());
    };
    for (part, whole) in short {
        if let Some(&number) = numbers.get(&joined(whole)) {
            numbers.insert(joined(part), number);
            note_length(part);
        }
    }
    for (key, candidate) in candidates {
        let spellings = candidate.spellings.iter().chain([key]);
        spellings.for_each(|spelling| note_length(spelling));
        note_length(&joined(key));
    }
    let keys: Vec<&Candidate> = candidates.values().collect();
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let mut here = Vec::new();
        for (units, is_capital) in words_of(line.text) {
            let mut start = 0;
            while start < units.len() {
                let max = longest
                    .get(&units[start].text)
                    .copied()
                    .unwrap_or(0)
                    .min(units.len() - start);
                let hit = (1..=max).rev().find_map(|n| {
                    let name = joined(&join_units(&units[start..start + n]));
                    let number = *numbers.get(&name)?;
                    let common = keys[number as usize].capitals_only && !is_capital[start];
                    (!common).then_some((n, number))
                });
                if let Some((_, number)) = hit.filter(|hit| !here.contains(&hit.1)) {
                    here.push(number);
                }
                start += hit.map_or(1, |hit| hit.0);
            }
        }
        out.push(here);
    }
    out
}

/// The units of a line, in stretches that no name crosses, and whether each was written with a capital.
fn words_of(line: &str) -> Vec<(Vec<NameUnit>, Vec<bool>)> {
    let mut out = vec![(Vec::new(), Vec::new())];
    for token in line.split_whitespace() {
        let (units, capitals) = out
            .last_mut()
            .expect("starts with one stretch and only grows");
        let capital = token
            .chars()
            .find(|c| c.is_alphanumeric())
            .is_some_and(char::is_uppercase);
        let more = name_units(&canonical(token));
        capitals.extend(std::iter::repeat_n(capital, more.len()));
        units.extend(more);
        if token.ends_with(['.', ';', ':', '!', '?', '。', '，', '；', '：'])
            && token.chars().count() > 2
        {
            out.push((Vec::new(), Vec::new()));
        }
    }
    out
}
