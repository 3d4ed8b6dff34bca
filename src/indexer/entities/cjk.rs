//! Names in text without spaces: runs of characters that stand together more often than chance.
//!
//! A run of 2–5 characters is kept when it is frequent and cohesive (every way to cut it is much rarer than the whole
//! would suggest) and not a piece of a longer kept run. Source: spec minirag §1.4 (e).

use crate::text::stop_words::{is_cjk, is_stop_word};
use std::collections::{BTreeSet, HashMap};

const MAX_CHARACTERS: usize = 5;
/// Least natural logarithm of p(run) / (p(left) p(right)) over all cuts.
const MIN_COHESION: f64 = 3.0;
/// A run of which so large a share occurs inside a longer kept run is only a piece of it.
const PIECE_SHARE: f64 = 0.8;
/// Characters that join, ask or count: no name begins or ends with them.
const FUNCTION_CHARACTERS: &str = "的了是在和有我你他她它这那不也就都而及与着或一吗呢吧啊把被让给对从到为以于之其并但可要会能\
很更最再又还没个们么什怎哪谁您啦哦嗯はがをにへとでもやのかねよ을를이가은는의에도";

/// Bytes at which the characters of a run begin, and its end.
fn boundaries(run: &str) -> Vec<usize> {
    let starts = run.char_indices().map(|(at, _)| at);
    starts.chain([run.len()]).collect()
}

/// Counts of all runs of up to [`MAX_CHARACTERS`], and the number of characters.
fn count_runs<'a>(texts: impl Iterator<Item = &'a str>) -> (HashMap<&'a str, usize>, usize) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut n_characters = 0;
    let runs = texts.flat_map(|text| text.split(|c: char| !is_cjk(c)));
    for run in runs.filter(|run| !run.is_empty()) {
        let ends = boundaries(run);
        n_characters += ends.len() - 1;
        for start in 0..ends.len() - 1 {
            for end in start + 1..ends.len().min(start + MAX_CHARACTERS + 1) {
                *counts.entry(&run[ends[start]..ends[end]]).or_default() += 1;
            }
        }
    }
    (counts, n_characters)
}

/// Frequent cohesive runs over all texts, in order of bytes.
pub fn frequent_runs<'a>(texts: impl Iterator<Item = &'a str>, min_count: usize) -> Vec<String> {
    let (counts, n_characters) = count_runs(texts);
    let p = |run: &str| counts.get(run).copied().unwrap_or(0) as f64 / n_characters as f64;
    let cohesion = |run: &str| {
        let cuts = run
            .char_indices()
            .skip(1)
            .map(|(at, _)| (p(run) / (p(&run[..at]) * p(&run[at..]))).ln());
        cuts.fold(f64::INFINITY, f64::min)
    };
    let is_edge = |c: Option<char>| c.is_some_and(|c| FUNCTION_CHARACTERS.contains(c));
    let mut kept: Vec<&str> = counts
        .iter()
        .filter(|(run, count)| **count >= min_count && run.chars().nth(1).is_some())
        .map(|(run, _)| *run)
        .filter(|run| {
            !is_edge(run.chars().next()) && !is_edge(run.chars().last()) && !is_stop_word(run)
        })
        .filter(|run| cohesion(run) >= MIN_COHESION)
        .collect();
    kept.sort_by_key(|run| (std::cmp::Reverse(run.len()), *run));
    let mut pieces: HashMap<&str, usize> = HashMap::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for run in kept {
        let inside = pieces.get(run).copied().unwrap_or(0);
        if inside as f64 >= PIECE_SHARE * counts[run] as f64 {
            continue;
        }
        names.insert(run.to_owned());
        let ends = boundaries(run);
        for start in 0..ends.len() - 1 {
            for end in start + 1..ends.len() {
                let place = pieces.entry(&run[ends[start]..ends[end]]).or_default();
                *place = (*place).max(counts[run]);
            }
        }
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_name_is_found_whole_and_its_pieces_are_not() {
        let texts = [
            "我在北京大学读书",
            "明天去北京大学开会",
            "听说北京大学放假了",
            "今天天气很好",
            "他们昨天来过",
            "这本书真有意思",
            "我们下午见面吧",
            "请把窗户关上",
            "电影几点开始",
            "晚饭想吃什么",
        ];
        assert_eq!(frequent_runs(texts.into_iter(), 3), ["北京大学"]);
    }
}
